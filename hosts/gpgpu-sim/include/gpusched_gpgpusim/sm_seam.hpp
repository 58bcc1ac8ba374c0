// sm_seam.hpp: what the simulator's SM model calls for the mechanisms that live inside an SM, and all that its own files need to see of
// them. C++11 and without includes of gpusched, like seam.hpp, of which none of this depends: a fork may have one, the other, or both.
// sm_equalizer.hpp has the class that implements it, for one new file. docs/ says where each call goes.
//
// All calls come from the thread that simulates. SMs, hardware warps and hardware TB slots have the simulator's numbers.
#ifndef GPUSCHED_GPGPUSIM_SM_SEAM_HPP
#define GPUSCHED_GPGPUSIM_SM_SEAM_HPP

#include <cstdio>

namespace gpusched {
namespace gpgpusim {

// What a scheduler finds at the head of a warp's instruction buffer.
struct WarpHead {
    WarpHead() : valid(false), waits(false), memory(false), ready(false), on_load(false) {}
    // There is an instruction, and it is the one that the warp's SIMT stack wants next.
    bool valid;
    // The warp waits at a barrier or a fence. Not: for an atomic; that is an operand that is not ready.
    bool waits;
    // It goes to the LD/ST pipe.
    bool memory;
    // The scoreboard sees no collision.
    bool ready;
    // It collides with the result of an outstanding load of its warp: Scoreboard::islongop of an operand.
    bool on_load;
};

// The simulator's clock domains.
enum class Clock { Core, Icnt, L2, Dram };

// Equalizer, of the whole GPU.
class EqualizerSeam {
public:
    virtual ~EqualizerSeam() {}

    // The SM was bound to a kernel whose TBs have so many warps, and of which it holds so many TBs. None of another runs there.
    virtual void kernel_bound(unsigned sm, unsigned warps_per_tb, unsigned limit) = 0;
    // Dispatch visits the SM: whether it takes a TB. `more`: the kernel that it is bound to has TBs left to start.
    virtual bool wants_tb(unsigned sm, bool more) = 0;
    // A TB took a hardware slot; its last thread ended.
    virtual void tb_started(unsigned sm, unsigned slot) = 0;
    virtual void tb_done(unsigned sm, unsigned slot) = 0;
    // False: the TB is paused, none of its warps issues.
    virtual bool tb_may_issue(unsigned sm, unsigned slot) const = 0;

    // Whether this core cycle is sampled. If so, an SM with live threads reports the warps that issue, then, behind its schedulers, all
    // that have not exited. `lsu_accepts`: the register in front of the LD/ST pipe is free now.
    virtual bool sample_due() const = 0;
    virtual void warp_issued(unsigned sm, unsigned warp) = 0;
    virtual void warp(unsigned sm, unsigned warp, unsigned slot, const WarpHead &head, bool lsu_accepts) = 0;

    // Step 6 of a core cycle, before TBs are dispatched. `now` counts core cycles since the start of the simulation.
    virtual void cycle(unsigned long long now) = 0;
    // How long a cycle of this domain is now, if it is `nominal` at the normal level.
    virtual double period(Clock clock, double nominal) const = 0;
    // Statistics, a line `gpusched_equalizer_NAME = VALUE` each.
    virtual void print(std::FILE *file) const = 0;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_SM_SEAM_HPP
