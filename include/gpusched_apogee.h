// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_APOGEE_H
#define GPUSCHED_APOGEE_H

#include "gpusched_base.h"

// What a load did to the distance of its row.
enum gpusched_apogee_adjust
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    GPUSCHED_APOGEE_ADJUST_NONE = 0,
    // The prefetch was slow: one iteration more.
    GPUSCHED_APOGEE_ADJUST_INC = 1,
    // The prefetch was slow, and the distance the greatest already.
    GPUSCHED_APOGEE_ADJUST_INC_SAT = 2,
    // The prefetch was too early: one iteration less.
    GPUSCHED_APOGEE_ADJUST_DEC = 3,
    // The prefetch was too early, and the distance the least already.
    GPUSCHED_APOGEE_ADJUST_DEC_MIN = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_adjust gpusched_apogee_adjust;
#else
typedef uint32_t gpusched_apogee_adjust;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What tells a prefetch that came too early from a wrong one.
enum gpusched_apogee_early
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The access is on the learnt pattern, whole warps further.
    GPUSCHED_APOGEE_EARLY_PATTERN = 0,
    // The access is where the row's base formula says, taken literally.
    GPUSCHED_APOGEE_EARLY_LITERAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_early gpusched_apogee_early;
#else
typedef uint32_t gpusched_apogee_early;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why a line is prefetched.
enum gpusched_apogee_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Fixed offset address.
    GPUSCHED_APOGEE_KIND_FOA = 0,
    // Thread invariant address.
    GPUSCHED_APOGEE_KIND_TIA = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_kind gpusched_apogee_kind;
#else
typedef uint32_t gpusched_apogee_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whose last accessed load (LAL) a chain is made of.
enum gpusched_apogee_lal_scope
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // That of each warp.
    GPUSCHED_APOGEE_LAL_SCOPE_WARP = 0,
    // One register for all warps.
    GPUSCHED_APOGEE_LAL_SCOPE_SM = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_lal_scope gpusched_apogee_lal_scope;
#else
typedef uint32_t gpusched_apogee_lal_scope;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which threads of the warp a prefetch is for.
enum gpusched_apogee_lane_set
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Every thread of a full warp.
    GPUSCHED_APOGEE_LANE_SET_ALL = 0,
    // The threads that were active in the load.
    GPUSCHED_APOGEE_LANE_SET_ACTIVE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_lane_set gpusched_apogee_lane_set;
#else
typedef uint32_t gpusched_apogee_lane_set;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a line is merged with.
enum gpusched_apogee_merge
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Lines of the same load, and lines that wait in the prefetch queue.
    GPUSCHED_APOGEE_MERGE_QUEUE = 0,
    // Lines of the same load.
    GPUSCHED_APOGEE_MERGE_GROUP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_merge gpusched_apogee_merge;
#else
typedef uint32_t gpusched_apogee_merge;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What became of a line that is to be prefetched.
enum gpusched_apogee_push
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It waits in the queue.
    GPUSCHED_APOGEE_PUSH_PUSHED = 0,
    // It waited there already.
    GPUSCHED_APOGEE_PUSH_MERGED = 1,
    // The queue is full.
    GPUSCHED_APOGEE_PUSH_DROPPED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_push gpusched_apogee_push;
#else
typedef uint32_t gpusched_apogee_push;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a row is for. row_type of gpusched_apogee_row_kind.
enum gpusched_apogee_row_type
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing: PF type 0.
    GPUSCHED_APOGEE_ROW_TYPE_FREE = 0,
    // The load of its PC.
    GPUSCHED_APOGEE_ROW_TYPE_LOAD = 1,
    // The prefetch of what another load will ask for, by the load of its PC: PF type 3.
    GPUSCHED_APOGEE_ROW_TYPE_TRIGGER = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_row_type gpusched_apogee_row_type;
#else
typedef uint32_t gpusched_apogee_row_type;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which loads find that their prefetch is slow.
enum gpusched_apogee_slow_rule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All.
    GPUSCHED_APOGEE_SLOW_RULE_ANY = 0,
    // Those that miss.
    GPUSCHED_APOGEE_SLOW_RULE_MISS = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_slow_rule gpusched_apogee_slow_rule;
#else
typedef uint32_t gpusched_apogee_slow_rule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What has become of the prefetches of one row for one warp.
enum gpusched_apogee_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // 00: nothing is outstanding.
    GPUSCHED_APOGEE_STATE_IDLE = 0,
    // 01: one is on its way to memory.
    GPUSCHED_APOGEE_STATE_SENT = 1,
    // 10: one has come back.
    GPUSCHED_APOGEE_STATE_BACK = 2,
    // 11: requested, still in the prefetch queue.
    GPUSCHED_APOGEE_STATE_QUEUED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_state gpusched_apogee_state;
#else
typedef uint32_t gpusched_apogee_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a load did to the chain of thread-invariant loads.
enum gpusched_apogee_tia
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It is no thread-invariant load that misses.
    GPUSCHED_APOGEE_TIA_NONE = 0,
    // A trigger row was made for it.
    GPUSCHED_APOGEE_TIA_ADDED = 1,
    // Its trigger row stays.
    GPUSCHED_APOGEE_TIA_KEPT = 2,
    // Its trigger row stays, and moves when it triggers next.
    GPUSCHED_APOGEE_TIA_SLOW = 3,
    // The last accessed load is itself: no trigger.
    GPUSCHED_APOGEE_TIA_SELF_LOAD = 4,
    // There is no last accessed load.
    GPUSCHED_APOGEE_TIA_NO_LAL = 5,
    // The table has no row but its own.
    GPUSCHED_APOGEE_TIA_NO_ROOM = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_tia gpusched_apogee_tia;
#else
typedef uint32_t gpusched_apogee_tia;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the cache answered to all lines of a load.
enum gpusched_apogee_verdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All are present.
    GPUSCHED_APOGEE_VERDICT_HIT = 0,
    // None is absent, some are on their way.
    GPUSCHED_APOGEE_VERDICT_PENDING = 1,
    // Some are absent.
    GPUSCHED_APOGEE_VERDICT_ABSENT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_verdict gpusched_apogee_verdict;
#else
typedef uint32_t gpusched_apogee_verdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The prefetcher of one SM: loads of warps in, prefetch requests out. Loads and pops say what cycle it is; cycles never go back,
// and calls of one cycle act in their order. It lives in storage of the caller, at the address where it was initialised, and owns
// nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_apogee gpusched_apogee;

// Parameters of Apogee. Fill it with gpusched_apogee_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_apogee_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Rows of the prefetch table, for both kinds; rows, 1 to 256.
    uint32_t entries;
    // Warps; warps, 1 to 64.
    uint32_t warps;
    // N: threads of a warp; threads, 2 to 64, below 2^tidx_bits and at most 2^conf_bits + 1.
    uint32_t warp_size;
    // n: threads of the SM at the start; threads, 1 to 65535.
    uint32_t threads;
    // Width of a PC; bits, 1 to 32.
    uint32_t pc_bits;
    // Width of a byte address; bits, 8 to 48.
    uint32_t addr_bits;
    // Width of an offset, with its sign; bits, 2 to 32.
    uint32_t offset_bits;
    // Width of a confidence; it counts to the N - 2 matches of a full warp; bits, 1 to 16.
    uint32_t conf_bits;
    // Width of a distance; bits, 1 to 16.
    uint32_t dist_bits;
    // Width of a thread index, whose greatest value is the mark of scalar rows; bits, 2 to 8.
    uint32_t tidx_bits;
    // Distance of a new row; iterations, 1 to 2^dist_bits - 1.
    uint32_t init_distance;
    // Least distance; iterations, 1 to init_distance.
    uint32_t min_distance;
    // Line of the data cache; bytes, 1 to 4096.
    uint32_t line_bytes;
    // Requests in the prefetch queue; requests, 1 to 1024.
    uint32_t pfq;
    // From a request's entry into the queue until it may leave; cycles, 0 to 65535.
    uint32_t issue_latency;
    // Confidence below which nothing is confirmed; matches, 0 to 2^conf_bits - 1.
    uint32_t min_conf;
    // gpusched_apogee_lane_set: Which threads a prefetch is for.
    uint32_t lanes;
    // gpusched_apogee_lal_scope: Whose last accessed load a chain is made of.
    uint32_t lal;
    // gpusched_apogee_early: What tells too early from wrong.
    uint32_t early;
    // gpusched_apogee_slow_rule: Which loads find that their prefetch is slow.
    uint32_t slow_rule;
    // gpusched_apogee_merge: What a line is merged with.
    uint32_t merge;
    // When the distance grows, the iteration that would be skipped is prefetched, too; 0 or 1.
    uint32_t gap_fill;
} gpusched_apogee_config;

// Storage in bits, part by part. Generations belong to the library, not to the hardware.
typedef struct gpusched_apogee_storage {
    // One row of the prefetch table.
    uint64_t row;
    // The prefetch table: what the source counts.
    uint64_t table;
    // Last accessed loads: a PC and a valid bit each.
    uint64_t last_loads;
    // Prefetch queue: line, row, warp, kind, and the cycles until it may leave.
    uint64_t queue;
    // What the source's own design calls for besides the table.
    uint64_t uncounted;
    // Everything.
    uint64_t total;
} gpusched_apogee_storage;

// A line to be prefetched.
typedef struct gpusched_apogee_request {
    // Address of the line.
    uint64_t line;
    // The row that asks for it.
    uint32_t entry;
    // That row's generation when it asked.
    uint32_t generation;
    // The warp that it is for.
    uint32_t warp;
    // gpusched_apogee_kind: why.
    uint32_t kind;
} gpusched_apogee_request;

// What a row is for.
typedef struct gpusched_apogee_row_kind {
    // gpusched_apogee_row_type.
    uint32_t row_type;
    // Bytes from one thread index to the next. A row without one trains (PF type 1), a row with one is FOA (PF type 2).
    int32_t offset;
    // 1 if offset says something, else 0.
    uint32_t is_foa;
    // Lane of the last active thread of the last access; all ones: scalar.
    uint32_t thread;
    // Iterations of the warp from a load to what it prefetches.
    uint32_t distance;
    // PC of that other load.
    uint32_t target;
    // It did not come in time: the next trigger moves the row.
    uint32_t slow;
} gpusched_apogee_row_kind;

// A row as it is seen from outside.
typedef struct gpusched_apogee_row {
    // Byte address: of the last active thread of the last access, or what to prefetch.
    uint64_t address;
    // Bit w is the low bit of the state of warp w, a gpusched_apogee_state.
    uint64_t states_low;
    // Bit w is the high bit of the state of warp w.
    uint64_t states_high;
    // What it is for.
    struct gpusched_apogee_row_kind kind;
    // The load that reads it: its own, or the trigger.
    uint32_t pc;
    // Matches of the offset; of a trigger row, a copy of its target's.
    uint32_t confidence;
    // How often the row was allocated, modulo 2^32.
    uint32_t generation;
} gpusched_apogee_row;

// A request in the prefetch queue.
typedef struct gpusched_apogee_waiting {
    // What it asks for.
    struct gpusched_apogee_request request;
    // The cycle from which it may leave.
    uint64_t ready;
} gpusched_apogee_waiting;

// A last accessed load.
typedef struct gpusched_apogee_last_load {
    // 1 if pc says something, else 0.
    uint32_t valid;
    // Its PC, if there is one.
    uint32_t pc;
} gpusched_apogee_last_load;

// An active thread of a load.
typedef struct gpusched_apogee_lane {
    // Byte address.
    uint64_t address;
    // Its lane in the warp.
    uint32_t lane;
    // Not read.
    uint32_t reserved;
} gpusched_apogee_lane;

// A load of a warp, as the cache has answered it. Its threads are told in one of three ways: by an address per lane, by a list, or by an
// address and a stride, as a coalescer knows them.
typedef struct gpusched_apogee_access {
    // Instruction index, below 2^pc_bits.
    uint64_t pc;
    // Active lanes, unless they are listed: bit i is lane i.
    uint64_t mask;
    // An address per lane, `count` of them, from lane 0 up to the last active one, or more. Those of lanes that are not active are not
    // looked at. Null: the threads are listed in `lanes`, or follow `first` and `stride`.
    const uint64_t *addresses;
    // Active threads, ascending, `count` of them; read only if `addresses` is null. Null, and `count` 0: they follow `first` and
    // `stride`.
    const struct gpusched_apogee_lane *lanes;
    // Elements of the array that is read.
    size_t count;
    // Warp.
    uint32_t warp;
    // gpusched_apogee_verdict.
    uint32_t verdict;
    // Address of the first active lane; read only without arrays.
    uint64_t first;
    // Bytes from the address of one lane to that of the next one, whether these are active or not; read only without arrays.
    int64_t stride;
} gpusched_apogee_access;

// What a load found and did.
typedef struct gpusched_apogee_loaded {
    // The row of its PC.
    uint32_t entry;
    // That row is new.
    uint32_t is_new;
    // 1 if evicted says something, else 0.
    uint32_t evicts;
    // The PC that was displaced for it.
    uint32_t evicted;
    // gpusched_apogee_adjust: what became of the distance.
    uint32_t adjust;
    // Its threads have not the row's offset, or none: the row trains again.
    uint32_t mismatch;
    // All its threads have the offset, with confidence enough.
    uint32_t confirmed;
    // FOA lines that were queued.
    uint32_t pushed;
    // FOA lines that waited already.
    uint32_t merged;
    // FOA lines for which the queue had no room.
    uint32_t dropped;
    // Predictions of threads that lie outside the address space.
    uint32_t outside;
    // Trigger rows of this PC.
    uint32_t triggered;
    // gpusched_apogee_tia: what became of its own trigger row.
    uint32_t tia;
    // That row.
    uint32_t tia_entry;
    // 1 if tia_evicted says something, else 0.
    uint32_t tia_evicts;
    // The PC that was displaced for it.
    uint32_t tia_evicted;
} gpusched_apogee_loaded;

// A trigger row whose load came.
typedef struct gpusched_apogee_triggered {
    // The row.
    uint32_t entry;
    // It moved to an earlier load.
    uint32_t moved;
    // gpusched_apogee_push: its line.
    uint32_t result;
} gpusched_apogee_triggered;

// Where a load writes its lists; as far as the arrays reach, in the order of the load.
typedef struct gpusched_apogee_lists {
    // Receives the fixed-offset lines that were queued: gpusched_apogee_loaded.pushed of them.
    uint64_t *lines;
    // Elements of that array; 0 if it is null.
    size_t line_capacity;
    // Receives the rows that were triggered: gpusched_apogee_loaded.triggered of them.
    struct gpusched_apogee_triggered *rows;
    // Elements of that array; 0 if it is null.
    size_t row_capacity;
} gpusched_apogee_lists;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source, those of Apogee_4: four warps of 32.
//
// @param config  Written.
// @param size    sizeof(gpusched_apogee_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_apogee_config_init(struct gpusched_apogee_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_apogee_config_check(const struct gpusched_apogee_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_apogee_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_apogee_storage_bits(const struct gpusched_apogee_config *config,
                                             struct gpusched_apogee_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_apogee_layout(const struct gpusched_apogee_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_apogee_layout says.
// @param size     At least what gpusched_apogee_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param apogee   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_apogee_init(void *storage,
                                     size_t size,
                                     const struct gpusched_apogee_config *config,
                                     struct gpusched_apogee **apogee);

// The head of the prefetch queue, if it is ready. The host looks the line up, and answers with gpusched_apogee_pf_reply.
//
// @param apogee   The machine.
// @param now      The cycle, not before that of the last load or pop.
// @param request  Receives a line to be prefetched, if there is one.
// @param popped   Receives 1 if there is one, else 0.
// @return TimeOverflow, TimeBackwards, ReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_pf_pop(struct gpusched_apogee *apogee,
                                       uint64_t now,
                                       struct gpusched_apogee_request *request,
                                       uint32_t *popped);

// What became of the request that was popped: sent to memory, or not, because the line is present or already on its way. Whether
// it is stale: its row was displaced.
//
// @param apogee  The machine.
// @param sent    Not 0: it was sent to memory. 0: the line is present or already on its way.
// @param stale   Receives 1 if its row was displaced meanwhile, else 0. May be null.
// @return NoReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_pf_reply(struct gpusched_apogee *apogee,
                                         uint32_t sent,
                                         uint32_t *stale);

// A request that was sent has come back. Whether it is stale: its row was displaced, or freed by a flush.
//
// @param apogee      The machine.
// @param entry       The request's row.
// @param generation  The request's generation.
// @param warp        The request's warp.
// @param stale       Receives 1 if the row was displaced or flushed meanwhile, else 0. May be null.
// @return BadEntry, BadWarp; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_pf_fill(struct gpusched_apogee *apogee,
                                        uint32_t entry,
                                        uint32_t generation,
                                        uint32_t warp,
                                        uint32_t *stale);

// The SM has n threads from now on: warps have started or ended.
//
// @param apogee  The machine.
// @param n       1 to 65535.
// @return BadThreads unless 1 <= n <= 65535; those of the object.
gpusched_status gpusched_apogee_set_threads(struct gpusched_apogee *apogee, uint32_t n);

// A kernel ends: frees all rows, empties queue and last accessed loads. Generations, n and the time go on. How many requests
// waited.
//
// @param apogee   The machine.
// @param dropped  Receives how many requests waited. May be null.
// @return ReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_flush(struct gpusched_apogee *apogee,
                                      uint32_t *dropped);

// The configuration.
//
// @param size  sizeof(gpusched_apogee_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_apogee_get_config(const struct gpusched_apogee *apogee,
                                           struct gpusched_apogee_config *config,
                                           size_t size);

// The time of the last load or pop.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_now(const struct gpusched_apogee *apogee, uint64_t *cycle);

// The cycle from which the head of the prefetch queue can be popped. GPUSCHED_NEVER if nothing waits.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_next_event(const struct gpusched_apogee *apogee, uint64_t *cycle);

// A row as plain numbers; BadEntry if there is no such row.
//
// @return BadEntry; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_get_row(const struct gpusched_apogee *apogee,
                                        uint32_t entry,
                                        struct gpusched_apogee_row *row);

// The prefetch queue, the oldest request first.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_queue(const struct gpusched_apogee *apogee,
                                      struct gpusched_apogee_waiting *waiting,
                                      size_t capacity,
                                      size_t *count);

// The request that was popped and not answered yet.
//
// @param pending Receives 1 if there is one, else 0; then request keeps what it has.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_unanswered(const struct gpusched_apogee *apogee,
                                           struct gpusched_apogee_request *request,
                                           uint32_t *pending);

// The last accessed load of a warp; with one register for all warps, that one. BadWarp if there is no such warp.
//
// @return BadWarp; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_get_last_load(const struct gpusched_apogee *apogee,
                                              uint32_t warp,
                                              struct gpusched_apogee_last_load *last);

// n: threads of the SM.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_threads(const struct gpusched_apogee *apogee, uint32_t *n);

// Tells how many bytes gpusched_apogee_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_image_size(const struct gpusched_apogee *apogee, size_t *size);

// Saves the whole state.
//
// @param apogee    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_save(const struct gpusched_apogee *apogee, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_apogee_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_apogee_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_apogee_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param apogee      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_apogee_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_apogee_restore(struct gpusched_apogee *apogee,
                                        const void *image,
                                        size_t image_size);

// A warp has loaded.
//
// @param apogee  The machine.
// @param now     The cycle, not before that of the last load or pop.
// @param access  The load.
// @param loaded  Receives what was found and decided.
// @param lists   Where its lists go. May be null; their lengths are in `loaded` anyhow.
// @return TimeOverflow, TimeBackwards, BadWarp, PcRange, NoActiveLanes, BadLanes, AddressRange, BadResult; Null, Misaligned, Capacity;
// those of the object.
gpusched_status gpusched_apogee_load(struct gpusched_apogee *apogee,
                                     uint64_t now,
                                     const struct gpusched_apogee_access *access,
                                     struct gpusched_apogee_loaded *loaded,
                                     const struct gpusched_apogee_lists *lists);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_APOGEE_H
