// Random numbers, the same everywhere.
#ifndef RANDOM_HPP
#define RANDOM_HPP

#include <cstdint>

namespace test {

// splitmix64.
inline std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(mix(seed)) {}
    // 0 to n - 1.
    std::uint32_t below(std::uint32_t n) {
        state_ = mix(state_);
        return static_cast<std::uint32_t>(((state_ >> 32) * n) >> 32);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

private:
    std::uint64_t state_;
};

}  // namespace test

#endif  // RANDOM_HPP
