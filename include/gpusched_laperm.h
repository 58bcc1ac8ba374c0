// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_LAPERM_H
#define GPUSCHED_LAPERM_H

#include "gpusched_base.h"

// Which unit becomes an SMX's backup.
enum gpusched_laperm_backup_select
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The next one with a candidate, from the SMX's own on.
    GPUSCHED_LAPERM_BACKUP_SELECT_NEXT = 0,
    // The lowest one with a candidate.
    GPUSCHED_LAPERM_BACKUP_SELECT_LOWEST = 1,
    // One whose candidate has the highest level.
    GPUSCHED_LAPERM_BACKUP_SELECT_HIGHEST_PRIO = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_backup_select gpusched_laperm_backup_select;
#else
typedef uint32_t gpusched_laperm_backup_select;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the KMU did. kmu of gpusched_laperm_moved.
enum gpusched_laperm_kmu
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It moved a kernel.
    GPUSCHED_LAPERM_KMU_MOVED = 0,
    // Its last search is still under way.
    GPUSCHED_LAPERM_KMU_BUSY = 1,
    // No kernel is pending.
    GPUSCHED_LAPERM_KMU_NOTHING_PENDING = 2,
    // Every entry of the kernel distributor is taken.
    GPUSCHED_LAPERM_KMU_KDU_FULL = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_kmu gpusched_laperm_kmu;
#else
typedef uint32_t gpusched_laperm_kmu;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a device-side launch creates.
enum gpusched_laperm_model
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // TB groups: visible to the scheduler at once, beyond the on-chip queues in overflow lists.
    GPUSCHED_LAPERM_MODEL_DTBL = 0,
    // Kernels: pending in memory until the KMU moves them into one of the kernel distributor's entries.
    GPUSCHED_LAPERM_MODEL_CDP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_model gpusched_laperm_model;
#else
typedef uint32_t gpusched_laperm_model;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a candidate that does not fit does to later stages.
enum gpusched_laperm_no_fit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It waits, and the visit ends.
    GPUSCHED_LAPERM_NO_FIT_BLOCK = 0,
    // Later stages are tried.
    GPUSCHED_LAPERM_NO_FIT_TRY_NEXT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_no_fit gpusched_laperm_no_fit;
#else
typedef uint32_t gpusched_laperm_no_fit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where pushed work went. place of gpusched_laperm_placed.
enum gpusched_laperm_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // To queue 0.
    GPUSCHED_LAPERM_PLACE_QUEUE0 = 0,
    // To the queue of a unit.
    GPUSCHED_LAPERM_PLACE_ON_CHIP = 1,
    // To an overflow list in memory: the unit's queue is full.
    GPUSCHED_LAPERM_PLACE_SPILLED = 2,
    // CDP: to a pending list in memory, until the KMU takes it.
    GPUSCHED_LAPERM_PLACE_PENDING = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_place gpusched_laperm_place;
#else
typedef uint32_t gpusched_laperm_place;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which TBs go first, and where they may go.
enum gpusched_laperm_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The baseline: one FIFO for all, no priorities, no binding.
    GPUSCHED_LAPERM_POLICY_RR = 0,
    // Children before their parents, on any SMX.
    GPUSCHED_LAPERM_POLICY_TB_PRI = 1,
    // Children before their parents, on the SMXs of their parent's unit only.
    GPUSCHED_LAPERM_POLICY_SMX_BIND = 2,
    // As SmxBind, but an SMX that has nothing else to do takes children of other units.
    GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_policy gpusched_laperm_policy;
#else
typedef uint32_t gpusched_laperm_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who times a refill from an overflow list.
enum gpusched_laperm_refill_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It takes refill_cycles.
    GPUSCHED_LAPERM_REFILL_MODE_FIXED = 0,
    // The host answers with refilled.
    GPUSCHED_LAPERM_REFILL_MODE_EXTERNAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_refill_mode gpusched_laperm_refill_mode;
#else
typedef uint32_t gpusched_laperm_refill_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a cycle did. sched of gpusched_laperm_sent.
enum gpusched_laperm_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It sent this TB.
    GPUSCHED_LAPERM_SCHED_TB = 0,
    // Nothing is visible anywhere.
    GPUSCHED_LAPERM_SCHED_NO_WORK = 1,
    // The SMX is masked.
    GPUSCHED_LAPERM_SCHED_MASKED = 2,
    // There is visible work, but none for this SMX.
    GPUSCHED_LAPERM_SCHED_NO_CANDIDATE = 3,
    // A candidate does not fit.
    GPUSCHED_LAPERM_SCHED_NO_FIT = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_sched gpusched_laperm_sched;
#else
typedef uint32_t gpusched_laperm_sched;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who goes to the overflow list when a unit's queue is full.
enum gpusched_laperm_spill
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The new entry.
    GPUSCHED_LAPERM_SPILL_NEW = 0,
    // The last entry of the lowest level, if the new one is of a higher level.
    GPUSCHED_LAPERM_SPILL_LOWEST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_spill gpusched_laperm_spill;
#else
typedef uint32_t gpusched_laperm_spill;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where the candidate was found.
enum gpusched_laperm_stage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // In the queue of the SMX's own unit.
    GPUSCHED_LAPERM_STAGE_UNIT = 1,
    // In queue 0.
    GPUSCHED_LAPERM_STAGE_QUEUE0 = 2,
    // In the queue of a backup unit.
    GPUSCHED_LAPERM_STAGE_BACKUP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_stage gpusched_laperm_stage;
#else
typedef uint32_t gpusched_laperm_stage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How many SMXs one cycle visits.
enum gpusched_laperm_visit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One.
    GPUSCHED_LAPERM_VISIT_STEP = 0,
    // As many as it takes to find one that takes a TB.
    GPUSCHED_LAPERM_VISIT_SKIP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_visit gpusched_laperm_visit;
#else
typedef uint32_t gpusched_laperm_visit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// LaPerm alone: launches in, dispatches out, completions back. Every call says what cycle it is; cycles never go back, and calls
// of one cycle act in their order. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_laperm gpusched_laperm;

// Parameters of LaPerm. Fill it with gpusched_laperm_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_laperm_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t smxs;
    // SMXs that share an L1 cache, and so a queue; at most smxs; SMXs, 1 to 256.
    uint32_t cluster;
    // L: the deepest nesting level that has a priority of its own; levels, 1 to 24.
    uint32_t levels;
    // On-chip entries of a unit's queue; kdu_entries in CDP; entries, 1 to 4096.
    uint32_t queue_cap;
    // Entries of queue 0; kdu_entries in CDP; entries, 1 to 256.
    uint32_t q0_cap;
    // Entries in memory, overflow or pending, of all units together; entries, 0 to 1048640.
    uint32_t pool_cap;
    // CDP: entries of the kernel distributor; entries, 1 to 256.
    uint32_t kdu_entries;
    // Stage-3 dispatches before a backup is given up and backups take turns; 0 = never; TBs, 0 to 65535.
    uint32_t backup_limit;
    // From an overflow list to the chip, with refill_mode fixed; cycles, 0 to 65535.
    uint32_t refill_cycles;
    // CDP: from the KMU to the kernel distributor; cycles, 0 to 65535.
    uint32_t kmu_dispatch_cycles;
    // Threads of an SMX; threads, 1 to 2^20.
    uint32_t smx_threads;
    // Registers of an SMX; registers, 1 to 2^24.
    uint32_t smx_regs;
    // Shared memory of an SMX; bytes, 0 to 2^24.
    uint32_t smx_smem;
    // TB slots of an SMX; TBs, 1 to 1024.
    uint32_t smx_slots;
    // gpusched_laperm_policy: Which TBs go first, and where they may go.
    uint32_t policy;
    // gpusched_laperm_model: What a device-side launch creates.
    uint32_t model;
    // gpusched_laperm_visit: How many SMXs one cycle visits.
    uint32_t visit;
    // gpusched_laperm_no_fit: What a candidate that does not fit does to later stages.
    uint32_t no_fit;
    // gpusched_laperm_spill: Who goes to the overflow list when a unit's queue is full.
    uint32_t spill;
    // gpusched_laperm_backup_select: Which unit becomes an SMX's backup.
    uint32_t backup_select;
    // Whether the search for an entry's place in its queue takes time that can be seen; 0 or 1.
    uint32_t charge_insert;
    // gpusched_laperm_refill_mode; ignored in CDP.
    uint32_t refill_mode;
} gpusched_laperm_config;

// The backup of one SMX.
typedef struct gpusched_laperm_backup {
    // The recorded unit. It is never cleared, only overwritten.
    uint32_t unit;
    // Stage-3 dispatches since the last selection; counted only with a backup_limit.
    uint32_t run;
} gpusched_laperm_backup;

// Storage in bits, part by part.
typedef struct gpusched_laperm_storage {
    // The units' queues.
    uint64_t unit_queues;
    // Queue 0.
    uint64_t queue0;
    // The first index of every section but the highest.
    uint64_t section_pointers;
    // The pointer to the SMX that is visited next.
    uint64_t visit_pointer;
    // Backup records, with their counts if there is a limit.
    uint64_t backups;
    // The KMU's pointer.
    uint64_t kmu_pointer;
    // The mask.
    uint64_t mask;
    // Free resources of the SMXs, which the baseline has as well.
    uint64_t baseline;
    // Overflow or pending lists, in memory.
    uint64_t off_chip;
    // The source's figure: all queues on chip.
    uint64_t queues;
    // What LaPerm adds on chip.
    uint64_t on_chip;
} gpusched_laperm_storage;

// Where pushed work went.
typedef struct gpusched_laperm_placed {
    // The cycle from which it is visible.
    uint64_t ready_at;
    // Tag of the entry that went to memory instead.
    uint64_t evicted;
    // gpusched_laperm_place.
    uint32_t place;
    // The unit; GPUSCHED_NONE for host kernels outside of the units' queues.
    uint32_t unit;
    // Its nesting level.
    uint32_t level;
    // Entries before it.
    uint32_t pos;
    // 1 if evicted says something, else 0.
    uint32_t evicts;
} gpusched_laperm_placed;

// What a cycle did.
typedef struct gpusched_laperm_sent {
    // The kernel or group.
    uint64_t tag;
    // Tag of the entry that comes from an overflow list in its place. With refill_mode external it is to be fetched, and
    // gpusched_laperm_refilled says that it is here.
    uint64_t refill;
    // gpusched_laperm_sched.
    uint32_t sched;
    // Where to run it; without a TB the SMX that was visited, GPUSCHED_NONE if that was not one alone.
    uint32_t smx;
    // The TB's number in it.
    uint32_t tb;
    // Its nesting level, which its child launches need.
    uint32_t prio;
    // gpusched_laperm_stage: where it waited.
    uint32_t stage;
    // The unit in whose queue it waited; GPUSCHED_NONE for queue 0.
    uint32_t unit;
    // CDP: the entry of the kernel distributor, for gpusched_laperm_tb_done.
    uint32_t kde;
    // Whether it is the last TB of the kernel or group.
    uint32_t last;
    // 1 if refill says something, else 0.
    uint32_t refills;
} gpusched_laperm_sent;

// What the KMU did.
typedef struct gpusched_laperm_moved {
    // Its tag.
    uint64_t tag;
    // The cycle from which it is visible.
    uint64_t ready_at;
    // gpusched_laperm_kmu.
    uint32_t kmu;
    // The unit in whose queue it is; GPUSCHED_NONE for queue 0.
    uint32_t unit;
    // Its nesting level.
    uint32_t level;
    // Its entry of the kernel distributor.
    uint32_t kde;
    // Levels that were searched, in cycles.
    uint32_t cost;
} gpusched_laperm_moved;

// Work that waits for room, for the diversion controller.
typedef struct gpusched_laperm_head {
    // The SMXs where it may run.
    struct gpusched_smx_set allowed;
    // The kernel or group.
    uint64_t tag;
    // What a TB of it needs.
    struct gpusched_resources res;
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
} gpusched_laperm_head;

// An entry, on chip or in memory.
typedef struct gpusched_laperm_entry {
    // The host's name for it.
    uint64_t tag;
    // On chip: the cycle from which it is visible; GPUSCHED_NEVER while it is being loaded (refill_mode external); in memory 0.
    uint64_t ready_at;
    // What each of its TBs needs.
    struct gpusched_resources res;
    // Its TBs.
    uint32_t tbs;
    // The next TB to send.
    uint32_t next;
    // Nesting level.
    uint32_t prio;
    // The level by which it is ordered in its unit's queue; 0 in queue 0.
    uint32_t section;
    // CDP, on chip: its entry of the kernel distributor; else GPUSCHED_NONE.
    uint32_t kde;
} gpusched_laperm_entry;

// TBs of the kernel in an entry of the kernel distributor; without any, the entry is free.
typedef struct gpusched_laperm_kde {
    // TBs that are not dispatched yet.
    uint32_t waiting;
    // TBs that run.
    uint32_t running;
} gpusched_laperm_kde;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source, those of a Tesla K20c: Adaptive-Bind over DTBL.
//
// @param config  Written.
// @param size    sizeof(gpusched_laperm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_laperm_config_init(struct gpusched_laperm_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_laperm_config_check(const struct gpusched_laperm_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_laperm_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_laperm_storage_bits(const struct gpusched_laperm_config *config,
                                             struct gpusched_laperm_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_laperm_layout(const struct gpusched_laperm_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_laperm_layout says.
// @param size     At least what gpusched_laperm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param laperm   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_laperm_init(void *storage,
                                     size_t size,
                                     const struct gpusched_laperm_config *config,
                                     struct gpusched_laperm **laperm);

// A host kernel of tbs TBs can be scheduled from now on.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param tag     The host's name for it; opaque, and told back with every decision about it.
// @param tbs     Its TBs.
// @param res     What each of them needs.
// @param placed  Receives where pushed work went. May be null.
// @return TimeBackwards, EmptyGroup, BadResources, TbTooBig; Queue0Full, or, under RR and in CDP, PoolFull; Null, Misaligned;
// those of the object.
gpusched_status gpusched_laperm_push_host(struct gpusched_laperm *laperm,
                                          uint64_t now,
                                          uint64_t tag,
                                          uint32_t tbs,
                                          const struct gpusched_resources *res,
                                          struct gpusched_laperm_placed *placed);

// A group, or a kernel, of tbs TBs that a TB of priority parent_prio on parent_smx launched can be scheduled from now on: the
// launch latency is over.
//
// @param laperm       The machine.
// @param now          The cycle, not before that of the last call.
// @param tag          The host's name for it; opaque, and told back with every decision about it.
// @param tbs          Its TBs.
// @param res          What each of them needs.
// @param parent_smx   The SMX of the TB that launched it.
// @param parent_prio  The nesting level of that TB, prio of gpusched_laperm_sent.
// @param placed       Receives where pushed work went. May be null.
// @return TimeBackwards, BadSmx, BadPriority, EmptyGroup, BadResources, TbTooBig, PoolFull; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_push_child(struct gpusched_laperm *laperm,
                                           uint64_t now,
                                           uint64_t tag,
                                           uint32_t tbs,
                                           const struct gpusched_resources *res,
                                           uint32_t parent_smx,
                                           uint32_t parent_prio,
                                           struct gpusched_laperm_placed *placed);

// One cycle: at most one TB is sent.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param sent    Receives what a cycle did.
// @return TimeBackwards; SameCycle if this cycle was carried out before; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_tick(struct gpusched_laperm *laperm, uint64_t now, struct gpusched_laperm_sent *sent);

// An entry of this tag, for which a dispatch asked (refill), is on chip (refill_mode external). Of several, the first by unit and
// in its queue.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param tag     That of the entry.
// @return TimeBackwards; NoLoad if none is being loaded; those of the object.
gpusched_status gpusched_laperm_refilled(struct gpusched_laperm *laperm,
                                         uint64_t now,
                                         uint64_t tag);

// A TB ended that needed res on smx. In CDP, kde is its kernel's entry of the kernel distributor, and the answer is whether that
// is free now; in DTBL it is ignored.
//
// @param laperm     The machine.
// @param now        The cycle, not before that of the last call.
// @param smx        Where it ran.
// @param res        What it needed.
// @param kde        CDP: kde of gpusched_laperm_sent. DTBL: ignored.
// @param kde_freed  Receives 1 if that entry of the kernel distributor is free now, else 0. May be null.
// @return TimeBackwards, BadSmx, BadResources; ReleaseUnderflow if more would be free than there is; in CDP BadKde if no TB of
// that entry runs; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_tb_done(struct gpusched_laperm *laperm,
                                        uint64_t now,
                                        uint32_t smx,
                                        const struct gpusched_resources *res,
                                        uint32_t kde,
                                        uint32_t *kde_freed);

// CDP: one cycle of the KMU, which moves at most one kernel from memory to the chip.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param moved   Receives what the KMU did.
// @return WrongModel in DTBL; TimeBackwards; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_kmu_tick(struct gpusched_laperm *laperm,
                                         uint64_t now,
                                         struct gpusched_laperm_moved *moved);

// Keeps TBs from an SMX, or admits them again, from the next visit on. What runs there, runs on.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param smx     The SMX.
// @param masked  If not 0 it gets no TBs.
// @return TimeBackwards, BadSmx; those of the object.
gpusched_status gpusched_laperm_set_mask(struct gpusched_laperm *laperm, uint64_t now, uint32_t smx, uint32_t masked);

// Of the candidates from unit start on, wrapping, and of queue 0, the first one that only masked SMXs could take; if there is
// none, the first one. Vary start from sample to sample.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param start   The unit with which the search begins.
// @param head    Receives work that waits for room, for the diversion controller.
// @return TimeBackwards, BadUnit; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_waiting_head(const struct gpusched_laperm *laperm,
                                             uint64_t now,
                                             uint32_t start,
                                             struct gpusched_laperm_head *head);

// The configuration.
//
// @param size  sizeof(gpusched_laperm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_laperm_get_config(const struct gpusched_laperm *laperm,
                                           struct gpusched_laperm_config *config,
                                           size_t size);

// The first cycle, from the last time on, in which gpusched_laperm_tick may answer something else than no_work, or
// gpusched_laperm_kmu_tick something else than a stall; GPUSCHED_NEVER if none will without another call. Cycles before it can be
// left out: ticks in them change nothing but the times.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_next_event(const struct gpusched_laperm *laperm,
                                           uint64_t *cycle);

// Whether nothing waits anywhere and, in CDP, no kernel has a running TB.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_is_idle(const struct gpusched_laperm *laperm, uint32_t *idle);

// The last time.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_now(const struct gpusched_laperm *laperm, uint64_t *cycle);

// The SMX that is visited next.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_cur(const struct gpusched_laperm *laperm, uint32_t *smx);

// What is free on an SMX; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_free(const struct gpusched_laperm *laperm,
                                     uint32_t smx,
                                     struct gpusched_resources *free);

// Masked SMXs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_mask(const struct gpusched_laperm *laperm, struct gpusched_smx_set *masked);

// The on-chip queue of a unit, or queue 0 for GPUSCHED_NONE, in order; BadUnit if there is no such unit.
//
// @return BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_queue(const struct gpusched_laperm *laperm,
                                      uint32_t unit,
                                      struct gpusched_laperm_entry *entries,
                                      size_t capacity,
                                      size_t *count);

// The lists in memory of a unit, or those of host kernels for GPUSCHED_NONE: highest level first, each in order. Overflow lists in
// DTBL, pending lists in CDP. BadUnit if there is no such unit.
//
// @return BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_off_chip(const struct gpusched_laperm *laperm,
                                         uint32_t unit,
                                         struct gpusched_laperm_entry *entries,
                                         size_t capacity,
                                         size_t *count);

// Free places in memory.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_pool_free(const struct gpusched_laperm *laperm, uint32_t *places);

// CDP: an entry of the kernel distributor; NoKernel if it is free or there is no such entry.
//
// @return BadKde; NoKernel; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_get_kde(const struct gpusched_laperm *laperm,
                                        uint32_t kde,
                                        struct gpusched_laperm_kde *entry);

// The backup record of an SMX; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_get_backup(const struct gpusched_laperm *laperm,
                                           uint32_t smx,
                                           struct gpusched_laperm_backup *backup);

// CDP: the unit that the KMU asks first.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_kmu_pointer(const struct gpusched_laperm *laperm, uint32_t *unit);

// CDP: the KMU is busy before this cycle.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_kmu_free_at(const struct gpusched_laperm *laperm, uint64_t *cycle);

// U: units, each with a queue. The SMXs of a unit are neighbours; the last unit may have fewer.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_units(const struct gpusched_laperm *laperm, uint32_t *units);

// Tells how many bytes gpusched_laperm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_image_size(const struct gpusched_laperm *laperm, size_t *size);

// Saves the whole state.
//
// @param laperm    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_save(const struct gpusched_laperm *laperm, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_laperm_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_laperm_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_laperm_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param laperm      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_laperm_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_laperm_restore(struct gpusched_laperm *laperm,
                                        const void *image,
                                        size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_LAPERM_H
