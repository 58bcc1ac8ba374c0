// sm_seam.hpp: what the simulator's SM model calls for the mechanisms that live inside an SM, and all that its own files need to see of
// them. C++11 and without includes of gpusched, like seam.hpp, of which none of this depends: a fork may have one, the other, or both.
// sm_equalizer.hpp and sm_apogee.hpp have the classes that implement it, for new files. docs/ says where each call goes.
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

// What the tags say of a request: the simulator's cache_request_status, in the order that 4.x gives it.
enum class CacheStatus { Hit, HitReserved, Miss, ReservationFail, SectorMiss, MshrHit };

// A load of a warp of global or local memory, as it issues.
struct IssuedLoad {
    IssuedLoad() : id(0), warp(0), accesses(0), pc(0), mask(0), addresses(0) {}
    // Its number until the L1 has answered all of its accesses: warp_inst_t::get_uid.
    unsigned id;
    unsigned warp;
    // Coalesced requests: warp_inst_t::accessq_count.
    unsigned accesses;
    unsigned long long pc;
    // Active lanes, lane 0 lowest, and the byte address of each lane, of which those of active ones are read.
    unsigned long long mask;
    const unsigned long long *addresses;
};

// A line to be prefetched, for this warp.
struct Prefetch {
    Prefetch() : line(0), warp(0) {}
    unsigned long long line;
    unsigned warp;
};

// APOGEE, of one SM. Fetch is what the simulator knows a request by: a pointer.
template <class Fetch>
class ApogeeSeam {
public:
    virtual ~ApogeeSeam() {}

    virtual void load_issued(const IssuedLoad &load) = 0;
    // The L1 has answered an access of it. ReservationFail is no answer: the access comes again. `now` counts core cycles.
    virtual void load_access(unsigned long long now, unsigned id, CacheStatus status) = 0;

    // The next line to prefetch; false: none is ready. It must be answered: it was sent to memory as `fetch`, or it was not, for the
    // line is there or on its way, or the L1 has no room.
    virtual bool next(unsigned long long now, Prefetch &prefetch) = 0;
    virtual void sent(Fetch fetch) = 0;
    virtual void not_sent() = 0;
    // Memory has answered this request. False: it is not a prefetch.
    virtual bool filled(Fetch fetch) = 0;

    // The SM runs so many threads now; it was bound to another kernel.
    virtual void threads(unsigned n) = 0;
    virtual void kernel_bound() = 0;

    // Statistics, a line `gpusched_apogee_NAME = VALUE` each.
    virtual void print(std::FILE *file) const = 0;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_SM_SEAM_HPP
