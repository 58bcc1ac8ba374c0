// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_MASCAR_H
#define GPUSCHED_MASCAR_H

#include "gpusched_base.h"

// Caches that a machine may watch.
#define GPUSCHED_MASCAR_CACHES 3

// Schedulers that a machine may have.
#define GPUSCHED_MASCAR_SCHEDULERS 8

// Every scheduler may issue to a compute pipe: gpusched_mascar_pick.
#define GPUSCHED_MASCAR_ALL UINT32_MAX

// Destination of a store: gpusched_mascar_lsu_begin.
#define GPUSCHED_MASCAR_STORE 127

// Issues that a cycle has at most.
#define GPUSCHED_MASCAR_ISSUES 9

// Words of the offsets of a request: 64 times 7 bits.
#define GPUSCHED_MASCAR_OFFSET_WORDS 7

// What became of a request.
enum gpusched_mascar_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It left the LSU.
    GPUSCHED_MASCAR_ACTION_ACCEPTED = 0,
    // Refused: it waits in the re-execution queue.
    GPUSCHED_MASCAR_ACTION_QUEUED = 1,
    // Refused: it blocks the LSU.
    GPUSCHED_MASCAR_ACTION_BLOCKED = 2,
    // It left the re-execution queue.
    GPUSCHED_MASCAR_ACTION_POPPED = 3,
    // Refused: it went to the queue's tail.
    GPUSCHED_MASCAR_ACTION_RECYCLED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_action gpusched_mascar_action;
#else
typedef uint32_t gpusched_mascar_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is at the head of a warp's instruction buffer.
enum gpusched_mascar_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    GPUSCHED_MASCAR_KIND_NONE = 0,
    // An instruction for a compute pipe.
    GPUSCHED_MASCAR_KIND_ALU = 1,
    // A memory instruction.
    GPUSCHED_MASCAR_KIND_MEM = 2,
    // A barrier or fence, or the warp is paused: it waits for something that others must do.
    GPUSCHED_MASCAR_KIND_SYNC = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_kind gpusched_mascar_kind;
#else
typedef uint32_t gpusched_mascar_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The L1's look-up.
enum gpusched_mascar_lookup
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The line is there.
    GPUSCHED_MASCAR_LOOKUP_HIT = 0,
    // A miss on a line that is on its way.
    GPUSCHED_MASCAR_LOOKUP_MERGE = 1,
    // A miss.
    GPUSCHED_MASCAR_LOOKUP_MISS = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_lookup gpusched_mascar_lookup;
#else
typedef uint32_t gpusched_mascar_lookup;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the LSU does: Lsu without what it holds.
enum gpusched_mascar_lsu
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It has no instruction.
    GPUSCHED_MASCAR_LSU_IDLE = 0,
    // A warp issued to it, and gpusched_mascar_lsu_begin is due.
    GPUSCHED_MASCAR_LSU_AWAIT = 1,
    // It makes the requests of an instruction.
    GPUSCHED_MASCAR_LSU_BUSY = 2,
    // A request was refused while the queue was full.
    GPUSCHED_MASCAR_LSU_BLOCKED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_lsu gpusched_mascar_lsu;
#else
typedef uint32_t gpusched_mascar_lsu;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How the memory system stands.
enum gpusched_mascar_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Equal priority: not saturated.
    GPUSCHED_MASCAR_MODE_EP = 0,
    // Memory access priority: saturated, one warp owns the LSU.
    GPUSCHED_MASCAR_MODE_MP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_mode gpusched_mascar_mode;
#else
typedef uint32_t gpusched_mascar_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The order of the warps of one group.
enum gpusched_mascar_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Greedy, then oldest: the scheduler's last issued warp, then by age.
    GPUSCHED_MASCAR_ORDER_GTO = 0,
    // By age.
    GPUSCHED_MASCAR_ORDER_OLDEST = 1,
    // Round robin: by number, from the one behind the scheduler's last issued warp.
    GPUSCHED_MASCAR_ORDER_RR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_order gpusched_mascar_order;
#else
typedef uint32_t gpusched_mascar_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A pipe of the SM.
enum gpusched_mascar_pipe
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Any compute pipe.
    GPUSCHED_MASCAR_PIPE_COMP = 0,
    // The LSU.
    GPUSCHED_MASCAR_PIPE_MEM = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_pipe gpusched_mascar_pipe;
#else
typedef uint32_t gpusched_mascar_pipe;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where the presented request comes from.
enum gpusched_mascar_presented
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_MASCAR_PRESENTED_NONE = 0,
    // The instruction in the LSU.
    GPUSCHED_MASCAR_PRESENTED_NEW = 1,
    // The request that blocks the LSU.
    GPUSCHED_MASCAR_PRESENTED_BLOCKED = 2,
    // The head of the re-execution queue.
    GPUSCHED_MASCAR_PRESENTED_REXQ = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_presented gpusched_mascar_presented;
#else
typedef uint32_t gpusched_mascar_presented;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a configuration is filled with.
enum gpusched_mascar_preset
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Mascar on an SM of the GTX 480.
    GPUSCHED_MASCAR_PRESET_GTX480 = 0,
    // The baseline: loose round robin and an LSU that blocks.
    GPUSCHED_MASCAR_PRESET_LRR = 1,
    // The baseline greedy-then-oldest.
    GPUSCHED_MASCAR_PRESET_GTO = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_preset gpusched_mascar_preset;
#else
typedef uint32_t gpusched_mascar_preset;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which kind of instruction a scheduler prefers when it has candidates of both.
enum gpusched_mascar_priority
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Memory.
    GPUSCHED_MASCAR_PRIORITY_MEM = 0,
    // Compute.
    GPUSCHED_MASCAR_PRIORITY_COMP = 1,
    // Neither: one group, ordered as memory warps are.
    GPUSCHED_MASCAR_PRIORITY_MERGED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_priority gpusched_mascar_priority;
#else
typedef uint32_t gpusched_mascar_priority;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The request to present to the L1 now. src of gpusched_mascar_next.
enum gpusched_mascar_src
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_MASCAR_SRC_IDLE = 0,
    // The next one of the instruction in the LSU.
    GPUSCHED_MASCAR_SRC_NEW = 1,
    // The refused request that blocks the LSU.
    GPUSCHED_MASCAR_SRC_BLOCKED = 2,
    // The head of the re-execution queue.
    GPUSCHED_MASCAR_SRC_REXQ = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_src gpusched_mascar_src;
#else
typedef uint32_t gpusched_mascar_src;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a warp became owner.
enum gpusched_mascar_via
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_MASCAR_VIA_NONE = 0,
    // It issued to the LSU.
    GPUSCHED_MASCAR_VIA_ISSUE = 1,
    // It has a request in the re-execution queue, or blocks the LSU.
    GPUSCHED_MASCAR_VIA_QUEUE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_via gpusched_mascar_via;
#else
typedef uint32_t gpusched_mascar_via;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why an owner gave up.
enum gpusched_mascar_why
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_MASCAR_WHY_NONE = 0,
    // Its head depends on an outstanding load.
    GPUSCHED_MASCAR_WHY_DEP = 1,
    // Its head waits for others.
    GPUSCHED_MASCAR_WHY_SYNC = 2,
    // It owned too long.
    GPUSCHED_MASCAR_WHY_TIMEOUT = 3,
    // It cannot reach the LSU, which another warp blocks.
    GPUSCHED_MASCAR_WHY_RESCUE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_why gpusched_mascar_why;
#else
typedef uint32_t gpusched_mascar_why;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// One SM's warp scheduling: heads of instruction buffers, the L1's occupancy and its answers in, issues and requests out. In each
// cycle, in this order: gpusched_mascar_l1_state behind the fills, gpusched_mascar_set_head, gpusched_mascar_pick,
// gpusched_mascar_lsu_begin for the memory instruction that it issued, then gpusched_mascar_lsu_next and gpusched_mascar_lsu_reply
// once per port of the L1. It lives in storage of the caller, at the address where it was initialised, and owns nothing else;
// forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_mascar gpusched_mascar;

// One cache whose back pressure sets the mode. 1 <= clear <= sat <= size, of both structures.
typedef struct gpusched_mascar_cache {
    // Miss status holding registers; MSHRs, 1 to 65535.
    uint32_t mshr;
    // Places of the miss queue; places, 1 to 65535.
    uint32_t missq;
    // Taken MSHRs that set the flag; MSHRs, 1 to mshr.
    uint32_t mshr_sat;
    // Taken places that set the flag; places, 1 to missq.
    uint32_t missq_sat;
    // The flag clears below this many taken MSHRs; MSHRs, 1 to mshr_sat.
    uint32_t mshr_clear;
    // The flag clears below this many taken places; places, 1 to missq_sat.
    uint32_t missq_clear;
} gpusched_mascar_cache;

// Parameters of Mascar. Fill it with gpusched_mascar_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_mascar_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Warps of the SM; warps, 1 to 63.
    uint32_t warps;
    // Warp schedulers; warp w belongs to scheduler w mod schedulers; schedulers, 1 to 8.
    uint32_t schedulers;
    // Entries of the re-execution queue; without any the LSU blocks on a refusal; entries, 0 to 255.
    uint32_t rexq;
    // Threads of a warp; threads, 1 to 64.
    uint32_t warp_size;
    // Longest ownership while others wait; 0: without end; cycles, 0 to 4294967295.
    uint32_t owner_timeout;
    // New requests after which the queue has a turn; 0: never before them; requests, 0 to 65535.
    uint32_t starve_limit;
    // A scheduler may issue one compute and one memory warp in a cycle, rather than one warp; 0 or 1.
    uint32_t per_pipe;
    // Whether there is an MP mode; if not, this is a plain warp scheduler; 0 or 1.
    uint32_t enable;
    // gpusched_mascar_priority: Which kind of instruction goes first in EP mode.
    uint32_t ep_priority;
    // gpusched_mascar_order: The order of memory warps in EP mode.
    uint32_t ep_mem_order;
    // gpusched_mascar_order: The order of compute warps in EP mode.
    uint32_t ep_comp_order;
    // gpusched_mascar_priority: Which kind of instruction goes first in MP mode.
    uint32_t mp_priority;
    // gpusched_mascar_order: The order of memory warps in MP mode.
    uint32_t mp_mem_order;
    // gpusched_mascar_order: The order of compute warps in MP mode.
    uint32_t mp_comp_order;
    // In MP mode the owner precedes older leftovers; 0 or 1.
    uint32_t owner_first;
    // An owner gives up only when all its requests are accepted; 0 or 1.
    uint32_t relinquish_waits;
    // An owner gives up at a barrier or fence; 0 or 1.
    uint32_t relinquish_sync;
    // An owner that cannot reach the blocked LSU passes ownership to the queue; 0 or 1.
    uint32_t rescue;
    // A blocked request of the owner is presented in turns with the queue's head; 0 or 1.
    uint32_t retry_owner;
    // A miss on a line that is on its way is accepted from every warp; 0 or 1.
    uint32_t nonowner_merge;
    // The caches that set the mode; caches, 1 to 3.
    uint32_t sources;
    // The caches: L1 data, then texture and constant where they are modelled. Those behind sources do not matter.
    struct gpusched_mascar_cache caches[GPUSCHED_MASCAR_CACHES];
} gpusched_mascar_config;

// Storage in bits, part by part. What the source does not count is left out: thread masks, head descriptors, the LSU.
typedef struct gpusched_mascar_storage {
    // Warp Readiness Checker: the owner, or none.
    uint64_t wrc;
    // Warp Status Table: mem and stall bit of each warp.
    uint64_t wst;
    // Re-execution queue.
    uint64_t rexq;
    // Everything.
    uint64_t total;
} gpusched_mascar_storage;

// A request of a memory instruction: threads of a warp that touch one segment.
typedef struct gpusched_mascar_request {
    // Address of the segment.
    uint64_t base;
    // The threads, at least one.
    uint64_t mask;
    // Their places in the segment: 7 bits a thread, thread 0 lowest, in words from the lowest.
    uint64_t offs[GPUSCHED_MASCAR_OFFSET_WORDS];
} gpusched_mascar_request;

// The request to present to the L1 now.
typedef struct gpusched_mascar_next {
    // gpusched_mascar_src.
    uint32_t src;
    // Its warp; GPUSCHED_NONE if there is none.
    uint32_t warp;
    // NEW: which of the instruction's requests, from 0; else 0.
    uint32_t index;
    // BLOCKED and REXQ: the destination register of its instruction; else 0.
    uint32_t dst;
    // BLOCKED and REXQ: what it wants; else all 0.
    struct gpusched_mascar_request request;
} gpusched_mascar_next;

// The answer to the L1's answer.
typedef struct gpusched_mascar_reply {
    // The request is served: the L1 keeps what it looked up.
    uint32_t ack;
    // It goes to the L2.
    uint32_t to_l2;
    // gpusched_mascar_action: what became of it.
    uint32_t action;
    // The request that blocked the LSU took the freed place in the queue.
    uint32_t unblocked;
} gpusched_mascar_reply;

// A warp whose head issues.
typedef struct gpusched_mascar_issue {
    // The scheduler.
    uint32_t sched;
    // The warp.
    uint32_t warp;
    // gpusched_mascar_pipe: where to.
    uint32_t pipe;
} gpusched_mascar_issue;

// What a cycle issues.
typedef struct gpusched_mascar_decision {
    // gpusched_mascar_mode: the mode.
    uint32_t mode;
    // The owner behind this pick; GPUSCHED_NONE if there is none.
    uint32_t owner;
    // The owner before it, if it gave up; else GPUSCHED_NONE.
    uint32_t released;
    // gpusched_mascar_why: why.
    uint32_t why;
    // The owner, if it is a new one; else GPUSCHED_NONE.
    uint32_t granted;
    // gpusched_mascar_via: how.
    uint32_t via;
    // Issues.
    uint32_t count;
    // So many issues, by scheduler, compute before memory; at most one is to memory. The rest is 0.
    struct gpusched_mascar_issue issues[GPUSCHED_MASCAR_ISSUES];
} gpusched_mascar_decision;

// How saturated the memory system is.
typedef struct gpusched_mascar_saturation {
    // Some cache's flag is set.
    uint32_t flag;
    // gpusched_mascar_mode: the mode.
    uint32_t mode;
} gpusched_mascar_saturation;

// What can be seen of the machine but for its warps and its queue. In masks, bit w is warp w.
typedef struct gpusched_mascar_state {
    // The cycle of the last pick.
    uint64_t picked;
    // The cycle in which the owner became it.
    uint64_t acquired;
    // Resident warps.
    uint64_t resident;
    // Warp Status Table, mem bits: warps whose head was mem at the last pick.
    uint64_t wst_mem;
    // Warp Status Table, stall bits: warps that the last pick left out of the ready queue.
    uint64_t wst_stall;
    // Warps that were in the ready queue for memory when MP mode began, and may still issue.
    uint64_t leftover;
    // gpusched_mascar_mode: the mode.
    uint32_t mode;
    // The saturation flags: bit s is that of cache s.
    uint32_t flags;
    // The owner: the warp that has the LSU for itself.
    uint32_t owner;
    // The warp that owned too long, and may not be owner again before another one was.
    uint32_t barred;
    // The last issued warp of each scheduler.
    uint32_t last[8];
    // gpusched_mascar_lsu: what the LSU does.
    uint32_t lsu;
    // The warp in the LSU.
    uint32_t lsu_warp;
    // Requests that have not left the LSU.
    uint32_t lsu_left;
    // gpusched_mascar_presented: where the request comes from that waits for the L1's answer.
    uint32_t presented;
    // Entries of the re-execution queue in use.
    uint32_t rexq;
    // 0.
    uint32_t reserved;
} gpusched_mascar_state;

// A resident warp.
typedef struct gpusched_mascar_warp {
    // gpusched_mascar_kind: the kind of its head.
    uint32_t kind;
    // The operands of its head are available.
    uint32_t ready;
    // An operand is the result of an outstanding load.
    uint32_t dep_load;
    // It has a request in the queue or is in the LSU, so that it cannot exit.
    uint32_t has_requests;
} gpusched_mascar_warp;

// An entry of the re-execution queue.
typedef struct gpusched_mascar_entry {
    // The warp.
    uint32_t warp;
    // The destination register of its instruction.
    uint32_t dst;
    // What it wants.
    struct gpusched_mascar_request request;
} gpusched_mascar_entry;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source.
//
// @param config  Written.
// @param size    sizeof(gpusched_mascar_config) in the caller's header.
// @param preset  gpusched_mascar_preset.
// @return Null, Misaligned, BadStructSize; BadIndex: no such preset.
gpusched_status gpusched_mascar_config_init(struct gpusched_mascar_config *config, size_t size, uint32_t preset);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_mascar_config_check(const struct gpusched_mascar_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_mascar_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_mascar_storage_bits(const struct gpusched_mascar_config *config,
                                             struct gpusched_mascar_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_mascar_layout(const struct gpusched_mascar_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_mascar_layout says.
// @param size     At least what gpusched_mascar_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param mascar   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_mascar_init(void *storage,
                                     size_t size,
                                     const struct gpusched_mascar_config *config,
                                     struct gpusched_mascar **mascar);

// A warp starts. Its age: how many started before it.
//
// @param mascar  The machine.
// @param w       The warp.
// @param age     Receives how many started before it. May be null.
// @return BadWarp, WarpResident; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_warp_start(struct gpusched_mascar *mascar, uint32_t w, uint64_t *age);

// A warp exits. Whether it was the owner, and is no longer.
//
// @param mascar    The machine.
// @param w         The warp.
// @param released  Receives 1 if it was the owner, and is no longer; else 0. May be null.
// @return BadWarp, WarpNotResident; WarpHasRequests while it has requests in the queue or is in the LSU: the host keeps it, with
// head none, until they are accepted; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_warp_exit(struct gpusched_mascar *mascar,
                                          uint32_t w,
                                          uint32_t *released);

// What is at the head of a warp's instruction buffer now; the same again changes nothing. ready: its operands are available.
// dep_load: one of them is the result of an outstanding long-latency load of this warp.
//
// @param mascar    The machine.
// @param w         The warp.
// @param kind      gpusched_mascar_kind.
// @param ready     Not 0: the operands are available.
// @param dep_load  Not 0: an operand is the result of an outstanding long-latency load of this warp.
// @return BadWarp, WarpNotResident; BadHead for no kind, an instruction that is both, or something else that is either; those of
// the object.
gpusched_status gpusched_mascar_set_head(struct gpusched_mascar *mascar,
                                         uint32_t w,
                                         uint32_t kind,
                                         uint32_t ready,
                                         uint32_t dep_load);

// The memory instruction that warp w just issued has nreq coalesced requests, 0 if no thread is active, and destination dst, STORE
// for a store.
//
// @param mascar  The machine.
// @param w       The warp.
// @param nreq    Its coalesced requests; 0 if no thread is active.
// @param dst     Its destination register, below 127; GPUSCHED_MASCAR_STORE for a store.
// @return LsuNotAwaiting, WrongWarp, BadCount for more requests than threads, BadRegister; those of the object.
gpusched_status gpusched_mascar_lsu_begin(struct gpusched_mascar *mascar,
                                          uint32_t w,
                                          uint32_t nreq,
                                          uint32_t dst);

// The request to present to the L1 now, at most one per port and cycle. gpusched_mascar_lsu_reply is due then, unless it is none.
//
// @param mascar  The machine.
// @param next    Receives the request to present to the L1 now.
// @return ReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_lsu_next(struct gpusched_mascar *mascar,
                                         struct gpusched_mascar_next *next);

// The L1's answer to the presented request. room: it could allocate what the request needs. request describes one that came from
// New, and is kept if that is refused; else it is ignored.
//
// @param mascar   The machine.
// @param result   gpusched_mascar_lookup.
// @param room     Not 0: the L1 could allocate what the request needs.
// @param request  A request that is NEW, kept if it is refused; else ignored, and may be null.
// @param reply    Receives the answer to the L1's answer.
// @return NoReplyPending; BadReply for no look-up; BadRequest for a new request without description or threads, or with threads or
// offsets beyond warp_size; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_lsu_reply(struct gpusched_mascar *mascar,
                                          uint32_t result,
                                          uint32_t room,
                                          const struct gpusched_mascar_request *request,
                                          struct gpusched_mascar_reply *reply);

// One cycle. lsu_accept: the LSU can take an instruction; bit s of comp_accept: scheduler s may issue to a compute pipe, every one
// if it is GPUSCHED_NONE. The head of each warp that issues is none from here to its next gpusched_mascar_set_head; a memory issue
// is followed by gpusched_mascar_lsu_begin.
//
// @param mascar       The machine.
// @param now          The cycle, below 2^63, later than that of the last pick.
// @param lsu_accept   Not 0: the LSU can take an instruction.
// @param comp_accept  Bit s: scheduler s may issue to a compute pipe; GPUSCHED_MASCAR_ALL: each may.
// @param decision     Receives what a cycle issues.
// @return TimeOverflow from cycle 2^63 on, TimeBackwards unless this is later than the last pick, BadMask for a scheduler that is
// not there; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_pick(struct gpusched_mascar *mascar,
                                     uint64_t now,
                                     uint32_t lsu_accept,
                                     uint32_t comp_accept,
                                     struct gpusched_mascar_decision *decision);

// The occupancy of cache src of the configuration's sources: taken MSHRs and places of the miss queue. The mode follows at once.
//
// @param mascar      The machine.
// @param src         The cache, from 0, as in the configuration.
// @param mshr        Taken MSHRs.
// @param missq       Taken places of the miss queue.
// @param saturation  Receives how saturated the memory system is. May be null.
// @return BadSource; BadOccupancy if more is taken than the cache has; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_l1_state(struct gpusched_mascar *mascar,
                                         uint32_t src,
                                         uint32_t mshr,
                                         uint32_t missq,
                                         struct gpusched_mascar_saturation *saturation);

// The configuration.
//
// @param size  sizeof(gpusched_mascar_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_mascar_get_config(const struct gpusched_mascar *mascar,
                                           struct gpusched_mascar_config *config,
                                           size_t size);

// What can be seen of the machine.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_get_state(const struct gpusched_mascar *mascar, struct gpusched_mascar_state *state);

// A resident warp; WarpNotResident if it is not resident.
//
// @return BadWarp; WarpNotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_get_warp(const struct gpusched_mascar *mascar,
                                         uint32_t w,
                                         struct gpusched_mascar_warp *warp);

// The resident warps, oldest first.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_by_age(const struct gpusched_mascar *mascar,
                                       uint32_t *warps,
                                       size_t capacity,
                                       size_t *count);

// An entry of the re-execution queue; 0 is its head.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_get_rexq(const struct gpusched_mascar *mascar,
                                         uint32_t index,
                                         struct gpusched_mascar_entry *entry);

// The first cycle in which a pick or a presentation may do something, if no event comes before it; GPUSCHED_NEVER if none will.
// That is the next one while there is an instruction or a request in the LSU or the queue, a warp that may issue, or an owner that
// gives up; else the end of the owner's time, if others wait. Cycles before it can be left out.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_next_event(const struct gpusched_mascar *mascar,
                                           uint64_t *cycle);

// Tells how many bytes gpusched_mascar_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_image_size(const struct gpusched_mascar *mascar, size_t *size);

// Saves the whole state.
//
// @param mascar    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_save(const struct gpusched_mascar *mascar, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_mascar_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_mascar_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_mascar_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param mascar      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_mascar_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_mascar_restore(struct gpusched_mascar *mascar,
                                        const void *image,
                                        size_t image_size);

// Tells a numeric parameter of a cache: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_mascar_cache_parameter(uint32_t index, struct gpusched_parameter *parameter);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_MASCAR_H
