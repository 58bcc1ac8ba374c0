// The core's side of every bench, over the C ABI: random numbers, an object in memory of its own, what was covered, what differed.
//
// A bench is a SystemVerilog module with a clock, `<block>_bench`, and a C++ file that answers its DPI calls. Before every rising edge the
// module compares its registers with those that the core had after the cycle before, and asks the C++ side for the next cycle: which
// events happen, and what the core answers. The rising edge gives the same events to the RTL.
#pragma once
#include "size.hpp" // what `run` found in the list `sizes`
#include <gpusched.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace bench {

#ifdef SIZE_SMXS
static_assert(SIZE_SMXS >= 2 && SIZE_SMXS <= 31, "bench/sizes: a bench has 2 to 31 SMXs, since it keeps sets of them in 32 bits");
#endif

// splitmix64: small, seeded, the same everywhere.
class Random {
  public:
    void seed(uint64_t seed) { state_ = seed; }
    uint64_t next() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    // 0 .. below - 1
    uint32_t below(uint32_t below) { return static_cast<uint32_t>((next() >> 32) * below >> 32); }
    // True `times` in `of`.
    bool chance(uint32_t times, uint32_t of) { return below(of) < times; }

  private:
    uint64_t state_ = 1;
};

// One per bench; the command line of the bench fills it in.
struct Run {
    Random random;
    uint64_t cycles = 0;     // so far
    uint64_t differences = 0;
    uint32_t mutant = 0; // 0: the block as it is
};
Run &run();

// A rule of the sheet that the run has to reach: counted each time that its condition held. A run that leaves a rule at 0 fails.
class Rule {
  public:
    explicit Rule(const char *name);
    void hit(bool held = true) { count_ += held; }
    const char *name() const { return name_; }
    uint64_t count() const { return count_; }
    static const std::vector<Rule *> &all();

  private:
    const char *name_;
    uint64_t count_ = 0;
};

// Ends the bench with a message: a bench that cannot go on is not a difference between RTL and core.
[[noreturn]] void broken(const std::string &what);

// Each bench says so: the bits that the sheet counts for the block in the bench's configuration, as the core tells them.
uint64_t storage_bits();

// For calls that the bench knows to be legal.
inline void must(gpusched_status status, const char *call) {
    if (status != GPUSCHED_STATUS_OK) broken(std::string(call) + ": " + gpusched_status_text(status));
}
#define MUST(call) ::bench::must(call, #call)

// An object of the library in memory of its own: `Object<gpusched_bubble> o(config, gpusched_bubble_layout, gpusched_bubble_init)`.
template <class T> class Object {
  public:
    template <class Config, class Layout, class Init> Object(const Config &config, Layout layout, Init init) {
        gpusched_layout need{};
        must(layout(&config, &need), "layout");
        memory_.reset(static_cast<unsigned char *>(std::aligned_alloc(need.align, (need.size + need.align - 1) / need.align * need.align)));
        must(init(memory_.get(), need.size, &config, &object_), "init");
    }
    operator T *() const { return object_; }

  private:
    struct Free {
        void operator()(void *p) const { std::free(p); }
    };
    std::unique_ptr<unsigned char, Free> memory_;
    T *object_ = nullptr;
};

} // namespace bench
