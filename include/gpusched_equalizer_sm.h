// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_EQUALIZER_SM_H
#define GPUSCHED_EQUALIZER_SM_H

#include "gpusched_base.h"

// Which resource the kernel is short of.
enum gpusched_equalizer_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_EQUALIZER_ACTION_NONE = 0,
    // The SM.
    GPUSCHED_EQUALIZER_ACTION_COMP = 1,
    // The memory.
    GPUSCHED_EQUALIZER_ACTION_MEM = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_action gpusched_equalizer_action;
#else
typedef uint32_t gpusched_equalizer_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How means meet thresholds.
enum gpusched_equalizer_average
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Sums are compared with multiples of the thresholds.
    GPUSCHED_EQUALIZER_AVERAGE_EXACT = 0,
    // Sums are divided by the number of samples first, and truncated.
    GPUSCHED_EQUALIZER_AVERAGE_FLOOR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_average gpusched_equalizer_average;
#else
typedef uint32_t gpusched_equalizer_average;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a warp does.
enum gpusched_equalizer_class
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It is not there.
    GPUSCHED_EQUALIZER_CLASS_ABSENT = 0,
    // Its block is paused.
    GPUSCHED_EQUALIZER_CLASS_PAUSED = 1,
    // It issues.
    GPUSCHED_EQUALIZER_CLASS_ISSUED = 2,
    // Nothing is known of its next instruction.
    GPUSCHED_EQUALIZER_CLASS_UNACCOUNTED = 3,
    // Something that the mechanism does not count.
    GPUSCHED_EQUALIZER_CLASS_OTHER = 4,
    // It waits for operands.
    GPUSCHED_EQUALIZER_CLASS_WAITING = 5,
    // It is ready, and held back by the arithmetic pipes.
    GPUSCHED_EQUALIZER_CLASS_XALU = 6,
    // It is ready, and held back by the LD/ST pipe.
    GPUSCHED_EQUALIZER_CLASS_XMEM = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_class gpusched_equalizer_class;
#else
typedef uint32_t gpusched_equalizer_class;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which decisions add up to a change of the block count.
enum gpusched_equalizer_hyst_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Those in one direction.
    GPUSCHED_EQUALIZER_HYST_MODE_SAME = 0,
    // Any that are for a change; the last one's direction is taken.
    GPUSCHED_EQUALIZER_HYST_MODE_ANY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_hyst_mode gpusched_equalizer_hyst_mode;
#else
typedef uint32_t gpusched_equalizer_hyst_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the user wants of the clocks.
enum gpusched_equalizer_objective
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Lower the clock of what is not needed.
    GPUSCHED_EQUALIZER_OBJECTIVE_ENERGY = 0,
    // Raise the clock of what is short.
    GPUSCHED_EQUALIZER_OBJECTIVE_PERFORMANCE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_objective gpusched_equalizer_objective;
#else
typedef uint32_t gpusched_equalizer_objective;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which block of several.
enum gpusched_equalizer_pick
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The one that arrived last.
    GPUSCHED_EQUALIZER_PICK_YOUNGEST = 0,
    // The one that arrived first.
    GPUSCHED_EQUALIZER_PICK_OLDEST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_pick gpusched_equalizer_pick;
#else
typedef uint32_t gpusched_equalizer_pick;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A step of a clock, as configurations have it.
enum gpusched_equalizer_step
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_EQUALIZER_STEP_HOLD = 0,
    // One up.
    GPUSCHED_EQUALIZER_STEP_UP = 1,
    // One down.
    GPUSCHED_EQUALIZER_STEP_DOWN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_step gpusched_equalizer_step;
#else
typedef uint32_t gpusched_equalizer_step;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which ready memory warps count as X_mem.
enum gpusched_equalizer_xmem_rule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Those that the LD/ST pipe does not accept in this cycle.
    GPUSCHED_EQUALIZER_XMEM_RULE_ACCEPT = 0,
    // All that did not issue.
    GPUSCHED_EQUALIZER_XMEM_RULE_ANY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_xmem_rule gpusched_equalizer_xmem_rule;
#else
typedef uint32_t gpusched_equalizer_xmem_rule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Equalizer on one SM: warp counts, kernels and blocks in; blocks to pause, to wake and to ask for, and votes out. Every call but
// those that keep nothing says what cycle it is; cycles never go back, and calls of one cycle act in their order. It lives in
// storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One
// thread at a time may call functions that change it.
//
// Every function that takes a cycle, but for gpusched_equalizer_sm_resync, says SampleMissed when a sample point has gone by
// without its sample. TimeOverflow (cycles from 2^63 on), TimeBackwards and SampleMissed are tested first, in this order.
typedef struct gpusched_equalizer_sm gpusched_equalizer_sm;

// Parameters of Equalizer on one SM. Fill it with gpusched_equalizer_sm_config_init, then change what you like: a newer library
// adds fields at the end, and programs that were built before keep working.
typedef struct gpusched_equalizer_sm_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Warps of the SM; warps, 1 to 128.
    uint32_t max_warps;
    // Block slots of the SM; TBs, 1 to 32.
    uint32_t max_blocks;
    // Cycles from one sample to the next; cycles, 1 to 65536.
    uint32_t sample_interval;
    // Cycles of an epoch, a multiple of sample_interval; cycles, 1 to 2^24.
    uint32_t epoch_cycles;
    // Width of the counters, which hold max_warps * epoch_cycles / sample_interval; bits, 1 to 32.
    uint32_t counter_bits;
    // More warps than this wait for memory: it is saturated; warps, 0 to 128.
    uint32_t bw_threshold;
    // Decisions for a change in a row that it takes; epochs, 1 to 255.
    uint32_t hysteresis;
    // The least block count; TBs, 1 to max_blocks.
    uint32_t min_blocks;
    // Epochs with a paused block and no end of a block before one is woken; 0 is never; epochs, 0 to 65535.
    uint32_t watchdog;
    // gpusched_equalizer_average: How means meet thresholds.
    uint32_t average;
    // gpusched_equalizer_hyst_mode: Which decisions add up to a change.
    uint32_t hyst_mode;
    // gpusched_equalizer_objective: What the user wants, until gpusched_equalizer_sm_set_objective.
    uint32_t objective;
    // gpusched_equalizer_pick: Which running block is paused.
    uint32_t pause_pick;
    // gpusched_equalizer_pick: Which paused block is woken.
    uint32_t unpause_pick;
    // gpusched_equalizer_xmem_rule: Which ready memory warps count as X_mem.
    uint32_t xmem_rule;
    // Whether as many warps as a block has are enough for line 10; 0 or 1.
    uint32_t alu_inclusive;
    // Whether warps at a barrier or fence are active; 0 or 1.
    uint32_t sync_active;
    // Energy, bound by computing: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t energy_comp_sm;
    // Energy, bound by computing: what is voted for the memory; gpusched_equalizer_step.
    uint32_t energy_comp_mem;
    // Energy, bound by memory: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t energy_mem_sm;
    // Energy, bound by memory: what is voted for the memory; gpusched_equalizer_step.
    uint32_t energy_mem_mem;
    // Performance, bound by computing: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t performance_comp_sm;
    // Performance, bound by computing: what is voted for the memory; gpusched_equalizer_step.
    uint32_t performance_comp_mem;
    // Performance, bound by memory: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t performance_mem_sm;
    // Performance, bound by memory: what is voted for the memory; gpusched_equalizer_step.
    uint32_t performance_mem_mem;
} gpusched_equalizer_sm_config;

// Storage of one SM in bits: the part that the source counts (3.5.1.2), and what the mechanism needs all the same.
typedef struct gpusched_equalizer_sm_storage {
    // The four sums.
    uint64_t sums;
    // The cycle counter of the epoch.
    uint64_t cycle;
    // Target, limit, hysteresis, watchdog, samples, requests, objective.
    uint64_t control;
    // State and age of each block slot.
    uint64_t slots;
    // The pause bit of each row of the instruction buffer; it lives in the host.
    uint64_t pause_bits;
    // What the source counts: 7 bytes by default.
    uint64_t of_source;
    // What it does not.
    uint64_t uncounted;
    // Everything.
    uint64_t total;
} gpusched_equalizer_sm_storage;

// A warp at a sampling instant, by the state at the end of the issue phase.
typedef struct gpusched_equalizer_warp {
    // It is resident.
    uint32_t resident;
    // Its block is paused.
    uint32_t paused;
    // It issues an instruction in this cycle.
    uint32_t issued;
    // There is a valid instruction at the head of its buffer.
    uint32_t valid;
    // The head waits on a barrier or fence.
    uint32_t sync;
    // The head's operands are ready.
    uint32_t ready;
    // The head needs the LD/ST pipe; else it needs an arithmetic one.
    uint32_t mem;
    // The LD/ST pipe accepts one (more) instruction in this cycle.
    uint32_t accept;
} gpusched_equalizer_warp;

// The class of a warp, and whether it is active.
typedef struct gpusched_equalizer_classified {
    // gpusched_equalizer_class: its class.
    uint32_t of;
    // Whether it counts as active.
    uint32_t active;
} gpusched_equalizer_classified;

// A kernel has started.
typedef struct gpusched_equalizer_started {
    // Blocks that may run.
    uint32_t target;
    // Blocks to be asked of the work distributor.
    uint32_t requests;
} gpusched_equalizer_started;

// What the host has to do after an event. Warps of paused slots must not issue.
typedef struct gpusched_equalizer_change {
    // Slots to be paused, in the order in which they were chosen.
    uint8_t pause[32];
    // Slots to be woken, in the order in which they were chosen.
    uint8_t unpause[32];
    // How many slots are to be paused.
    uint32_t pause_count;
    // How many slots are to be woken.
    uint32_t unpause_count;
    // Blocks to be asked of the work distributor (GWDE), which grants or denies each.
    uint32_t requests;
} gpusched_equalizer_change;

// A block has come.
typedef struct gpusched_equalizer_granted {
    // What follows. The block itself may be paused at once.
    struct gpusched_equalizer_change change;
    // Where it is.
    uint32_t slot;
} gpusched_equalizer_granted;

// A block has ended.
typedef struct gpusched_equalizer_ended {
    // The number under which it was granted.
    uint64_t block;
    // What follows.
    struct gpusched_equalizer_change change;
} gpusched_equalizer_ended;

// Numbers of warps: those of a sample, or their sums over an epoch.
typedef struct gpusched_equalizer_counts {
    // Active warps.
    uint32_t active;
    // Those that wait for operands.
    uint32_t waiting;
    // Those that the arithmetic pipes hold back: X_alu.
    uint32_t xalu;
    // Those that the LD/ST pipe holds back: X_mem.
    uint32_t xmem;
} gpusched_equalizer_counts;

// The end of an epoch.
typedef struct gpusched_equalizer_epoch {
    // What is to be done.
    struct gpusched_equalizer_change change;
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
    // What Algorithm 1 said about the block count: -1, 0 or 1.
    int32_t delta;
    // gpusched_equalizer_action: what it said about the clocks.
    uint32_t action;
    // What is to be voted for in this cycle, for the SMs: -1, 0 or 1.
    int32_t sm_vote;
    // What is to be voted for in this cycle, for the memory: -1, 0 or 1.
    int32_t mem_vote;
    // What hysteresis let through: -1, 0 or 1.
    int32_t changed;
    // The watchdog has raised the target by one.
    uint32_t watchdog;
    // Blocks that may run from now on.
    uint32_t target;
} gpusched_equalizer_epoch;

// What Algorithm 1 decides.
typedef struct gpusched_equalizer_decision {
    // For the block count: -1, 0 or 1.
    int32_t delta;
    // gpusched_equalizer_action: for the clocks.
    uint32_t action;
} gpusched_equalizer_decision;

// What a machine holds, but for its blocks.
typedef struct gpusched_equalizer_sm_state {
    // Sums of the epoch so far.
    struct gpusched_equalizer_counts sums;
    // Samples of the epoch so far.
    uint32_t samples;
    // Warps of a block; 0 before the first kernel.
    uint32_t w_cta;
    // Blocks of the kernel that the SM's resources hold; 0 before the first kernel.
    uint32_t limit;
    // Blocks that may run; 0 before the first kernel.
    uint32_t target;
    // Decisions for a change so far, below hysteresis.
    uint32_t run;
    // Direction of the last of them: -1, 0 or 1.
    int32_t dir;
    // Blocks that run.
    uint32_t running;
    // Blocks that are paused.
    uint32_t paused;
    // Requests that wait for their answer.
    uint32_t outstanding;
    // A request was denied and no refill was reported.
    uint32_t drained;
    // Epochs that the watchdog has counted.
    uint32_t watchdog_epochs;
    // gpusched_equalizer_objective: what the user wants.
    uint32_t objective;
} gpusched_equalizer_sm_state;

// A resident block.
typedef struct gpusched_equalizer_block {
    // The host's number for it.
    uint64_t id;
    // Whether it is paused.
    uint32_t paused;
} gpusched_equalizer_block;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source, those of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_equalizer_sm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_equalizer_sm_config_init(struct gpusched_equalizer_sm_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_equalizer_sm_config_check(const struct gpusched_equalizer_sm_config *config,
                                                   struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_equalizer_sm_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_equalizer_sm_storage_bits(const struct gpusched_equalizer_sm_config *config,
                                                   struct gpusched_equalizer_sm_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_equalizer_sm_layout(const struct gpusched_equalizer_sm_config *config,
                                             struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_equalizer_sm_layout says.
// @param size     At least what gpusched_equalizer_sm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param sm   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_equalizer_sm_init(void *storage,
                                           size_t size,
                                           const struct gpusched_equalizer_sm_config *config,
                                           struct gpusched_equalizer_sm **sm);

// The class of a warp, by the machine's configuration. It keeps nothing.
//
// @param sm          The machine.
// @param warp        The warp. Flags are 0, or anything else for yes.
// @param classified  Receives the class of a warp, and whether it is active.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_classify(const struct gpusched_equalizer_sm *sm,
                                               const struct gpusched_equalizer_warp *warp,
                                               struct gpusched_equalizer_classified *classified);

// A kernel of blocks of w_cta warps starts, limit of which the SM's resources hold. All of them may run at first, or with keep as
// many as of the kernel before.
//
// @param sm       The machine.
// @param now      The cycle, not before that of the last call.
// @param w_cta    Warps of a block.
// @param limit    Blocks that the SM's resources hold.
// @param keep     Not 0: the target of the kernel before is kept.
// @param started  Receives a kernel has started.
// @return Busy while a block is resident or a request unanswered; BadKernel if w_cta or limit is 0, or the SM has fewer slots or
// warps; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_kernel_start(struct gpusched_equalizer_sm *sm,
                                                   uint64_t now,
                                                   uint32_t w_cta,
                                                   uint32_t limit,
                                                   uint32_t keep,
                                                   struct gpusched_equalizer_started *started);

// The work distributor's answer to a request: this block.
//
// @param sm       The machine.
// @param now      The cycle, not before that of the last call.
// @param block    The host's number for it; no resident block has it.
// @param granted  Receives a block has come.
// @return UnsolicitedGrant; DuplicateBlock if a block of this number is resident; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_grant(struct gpusched_equalizer_sm *sm,
                                            uint64_t now,
                                            uint64_t block,
                                            struct gpusched_equalizer_granted *granted);

// The work distributor's answer to a request: it has no block. Nothing more is asked for before gpusched_equalizer_sm_refill.
//
// @param sm      The machine.
// @param now     The cycle, not before that of the last call.
// @param change  Receives what the host has to do after an event. Warps of paused slots must not issue.
// @return UnsolicitedDeny; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_deny(struct gpusched_equalizer_sm *sm,
                                           uint64_t now,
                                           struct gpusched_equalizer_change *change);

// The work distributor has blocks again.
//
// @param sm      The machine.
// @param now     The cycle, not before that of the last call.
// @param change  Receives what the host has to do after an event. Warps of paused slots must not issue.
// @return NoKernel; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_refill(struct gpusched_equalizer_sm *sm,
                                             uint64_t now,
                                             struct gpusched_equalizer_change *change);

// The block in a slot has ended, running or paused.
//
// @param sm     The machine.
// @param now    The cycle, not before that of the last call.
// @param slot   Where it was.
// @param ended  Receives a block has ended.
// @return BadSlot, SlotEmpty; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_block_end(struct gpusched_equalizer_sm *sm,
                                                uint64_t now,
                                                uint32_t slot,
                                                struct gpusched_equalizer_ended *ended);

// A sample, taken exactly at gpusched_equalizer_sm_next_sample. The one at a multiple of epoch_cycles ends the epoch.
//
// @param sm      The machine.
// @param now     The cycle, not before that of the last call.
// @param counts  The warps.
// @param epoch   Receives the end of an epoch.
// @return NotDue; BadSample if there are more warps in the classes than active ones, or more active ones than the SM has; NoKernel
// if warps are active all the same; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_sample(struct gpusched_equalizer_sm *sm,
                                             uint64_t now,
                                             const struct gpusched_equalizer_counts *counts,
                                             struct gpusched_equalizer_epoch *epoch);

// What the user wants from the next decision on.
//
// @param sm         The machine.
// @param now        The cycle, not before that of the last call.
// @param objective  gpusched_equalizer_objective.
// @return BadObjective if it is GPUSCHED_NONE; those of the object.
gpusched_status gpusched_equalizer_sm_set_objective(struct gpusched_equalizer_sm *sm, uint64_t now, uint32_t objective);

// Gives up the epoch in progress after a missed sample, and tells when the next one is due.
//
// @param sm           The machine.
// @param now          The cycle, not before that of the last call.
// @param next_sample  Receives when the next sample is due.
// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_resync(struct gpusched_equalizer_sm *sm, uint64_t now, uint64_t *next_sample);

// Algorithm 1 on the sums of an epoch of samples samples, with blocks of w_cta warps. It keeps nothing.
//
// @param sm        The machine.
// @param sums      The sums.
// @param samples   Samples that they are made of.
// @param w_cta     Warps of a block.
// @param decision  Receives what Algorithm 1 decides.
// @return BadSample without a sample; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_decide(const struct gpusched_equalizer_sm *sm,
                                             const struct gpusched_equalizer_counts *sums,
                                             uint32_t samples,
                                             uint32_t w_cta,
                                             struct gpusched_equalizer_decision *decision);

// The configuration.
//
// @param size  sizeof(gpusched_equalizer_sm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_equalizer_sm_get_config(const struct gpusched_equalizer_sm *sm,
                                                 struct gpusched_equalizer_sm_config *config,
                                                 size_t size);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_now(const struct gpusched_equalizer_sm *sm, uint64_t *cycle);

// When the next sample is due: the machine's next event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_next_sample(const struct gpusched_equalizer_sm *sm, uint64_t *cycle);

// What it holds, but for its blocks.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_get_state(const struct gpusched_equalizer_sm *sm,
                                                struct gpusched_equalizer_sm_state *state);

// The block in a slot; SlotEmpty if it is empty, or there is no such slot.
//
// @return BadSlot; SlotEmpty; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_get_block(const struct gpusched_equalizer_sm *sm,
                                                uint32_t slot,
                                                struct gpusched_equalizer_block *block);

// Tells how many bytes gpusched_equalizer_sm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_image_size(const struct gpusched_equalizer_sm *sm, size_t *size);

// Saves the whole state.
//
// @param sm    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_save(const struct gpusched_equalizer_sm *sm,
                                           void *image,
                                           size_t capacity,
                                           size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_equalizer_sm_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_equalizer_sm_image_config(const void *image,
                                                   size_t image_size,
                                                   struct gpusched_equalizer_sm_config *config,
                                                   size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param sm      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_equalizer_sm_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_equalizer_sm_restore(struct gpusched_equalizer_sm *sm,
                                              const void *image,
                                              size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_EQUALIZER_SM_H
