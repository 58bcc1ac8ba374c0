// sm_seam.hpp: what the simulator's SM model calls for the mechanisms that live inside an SM, and all that its own files need to see of
// them. C++11 and without includes of gpusched, like seam.hpp, of which none of this depends: a fork may have one, the other, or both.
// sm_equalizer.hpp, sm_mascar.hpp and sm_apogee.hpp have the classes that implement it, for new files. docs/ says where each call goes.
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

// The simulator's clock domains, in its order; Cache is the L2, whose name is a macro in gpu-sim.cc.
enum class Clock { Core, Icnt, Cache, Dram };

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

// What the L1 made of a read. `status` is what data_cache::access returned: 4.x calls a read that joined one on its way a miss, too, but
// sends nothing for it. `sent`: was_read_sent of its events.
inline CacheStatus read_status(int status, bool sent) {
    const CacheStatus of = CacheStatus(status);
    return of == CacheStatus::Miss && !sent ? CacheStatus::MshrHit : of;
}

// What the L1 would say of a request; nothing has happened to it yet.
struct L1Probe {
    L1Probe() : status(CacheStatus::Miss), sent_on(false), in_mshr(false), mshr_full(false), miss_queue_full(false) {}
    // Of the tag array.
    CacheStatus status;
    // A store that goes on to the L2 whatever the tags say: the L1 writes through.
    bool sent_on;
    // mshr_table::probe and mshr_table::full of its block: the line is on its way; there is no entry for it, or no place in its entry.
    bool in_mshr, mshr_full;
    // It has no place for one more.
    bool miss_queue_full;
};

// The request that the LD/ST unit presents to the L1 now. Fetch is what the simulator knows a request by: a pointer.
template <class Fetch>
struct Presented {
    enum Source {
        Nothing,
        // The next one of the instruction that the LD/ST unit works on.
        New,
        // One that was refused: `fetch`, which the adapter has kept.
        Kept,
    };
    Source source;
    unsigned warp;
    Fetch fetch;
};

// Mascar, of one SM.
template <class Fetch>
class MascarSeam {
public:
    virtual ~MascarSeam() {}

    static constexpr unsigned kNoWarp = ~0u;

    // A warp has its first instruction before it; its last thread ended. It must not end while it has requests.
    virtual void warp_started(unsigned warp) = 0;
    virtual void warp_exited(unsigned warp) = 0;
    virtual bool has_requests(unsigned warp) const = 0;

    // Once in each core cycle of the SM, before its schedulers, in this order. Caches: 0 L1 data, 1 and 2 texture and constant if the
    // settings have them.
    virtual void cache(unsigned cache, unsigned mshrs, unsigned miss_queue) = 0;
    // Of each warp that has not exited. `paused`: it may not issue (Equalizer, hold).
    virtual void head(unsigned warp, const WarpHead &head, bool paused) = 0;
    // `now` counts core cycles. `lsu_accepts`: the register in front of the LD/ST pipe is free.
    virtual void pick(unsigned long long now, bool lsu_accepts) = 0;
    // What this scheduler issues in this cycle to the LD/ST pipe, or to another one: a warp or kNoWarp.
    virtual unsigned picked(unsigned scheduler, bool memory) const = 0;
    // The warp's head has issued to the LD/ST pipe. What was picked for it and does not issue is given up at the next pick.
    virtual void memory_issued(unsigned warp) = 0;

    // The LD/ST unit takes a memory instruction that asks the L1 so often: 0 for shared memory, texture, constant.
    virtual void lsu_begin(unsigned warp, unsigned requests, bool store) = 0;
    // Once per L1 port and core cycle. A request must be answered.
    virtual Presented<Fetch> present() = 0;
    // True: access the L1 with it now. False: it is refused, and the adapter keeps it. `fetch` and its address: those of a new one.
    virtual bool answer(const L1Probe &probe, Fetch fetch, unsigned long long address) = 0;

    // Statistics, a line `gpusched_mascar_NAME = VALUE` each.
    virtual void print(std::FILE *file) const = 0;
};

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
    // The L1 has answered an access of it, as read_status says. ReservationFail is no answer: the access comes again. `now` counts core cycles.
    virtual void load_access(unsigned long long now, unsigned id, CacheStatus status) = 0;

    // The next line to prefetch; false: none is ready. It must be answered: it was sent to memory as `fetch`, or it was not, for the
    // line is there or on its way, or the L1 has no room.
    virtual bool next(unsigned long long now, Prefetch &prefetch) = 0;
    virtual void sent(Fetch fetch) = 0;
    virtual void not_sent() = 0;
    // The L1 has filled the line of this request, all parts of which have come. False: it is not a prefetch.
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
