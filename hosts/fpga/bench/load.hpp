// What a run is like, and chance that is the same on every machine.
#ifndef LOAD_HPP
#define LOAD_HPP

#include <cstdint>
#include <gpusched.hpp>

namespace bench {

inline std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(mix(seed + 0x9e3779b97f4a7c15u)) {}
    std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }
    // 0 to n - 1.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }
    // Once in n times; never if n is 0.
    bool once_in(std::uint32_t n) { return n != 0 && below(n) == 0; }

private:
    std::uint64_t state_;
};

// What a run is like.
struct Load {
    gpusched::Config config;
    std::uint64_t seed = 0;
    // Host kernels are launched over so many cycles, in the mean one in `interval`.
    std::uint64_t cycles = 0;
    std::uint32_t interval = 1000;
    // Dynamic launches: kernels, groups. Kernels with graphs. Suspensions. Gates that close and open. Wrong events.
    bool kernels = false, groups = false, graphs = false, suspends = false, gates = false, errors = false;
};

}  // namespace bench

#endif
