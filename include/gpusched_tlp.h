// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-tests --bin header

#ifndef GPUSCHED_TLP_H
#define GPUSCHED_TLP_H

#include "gpusched_base.h"

// What becomes of the targets when both kernels lean on the critical pipeline alike.
enum gpusched_tlp_puhp_tie
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // They stay.
    GPUSCHED_TLP_PUHP_TIE_HOLD = 0,
    // Kernel 0 grows.
    GPUSCHED_TLP_PUHP_TIE_GROW0 = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_puhp_tie gpusched_tlp_puhp_tie;
#else
typedef uint32_t gpusched_tlp_puhp_tie;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How utilisations enter the history.
enum gpusched_tlp_history_rule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The new one weighs 2^-his_shift.
    GPUSCHED_TLP_HISTORY_RULE_EWMA = 0,
    // The mean of all periods.
    GPUSCHED_TLP_HISTORY_RULE_MEAN = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_history_rule gpusched_tlp_history_rule;
#else
typedef uint32_t gpusched_tlp_history_rule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether targets move while bypassing is learnt.
enum gpusched_tlp_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // They do.
    GPUSCHED_TLP_ORDER_CONCURRENT = 0,
    // Not before learning has ended.
    GPUSCHED_TLP_ORDER_BYPASS_FIRST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_order gpusched_tlp_order;
#else
typedef uint32_t gpusched_tlp_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What of the stalls of two periods is compared.
enum gpusched_tlp_stall_norm
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Their counts.
    GPUSCHED_TLP_STALL_NORM_RAW = 0,
    // Their counts per cycle of the period.
    GPUSCHED_TLP_STALL_NORM_PER_CYCLE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_stall_norm gpusched_tlp_stall_norm;
#else
typedef uint32_t gpusched_tlp_stall_norm;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The target of a kernel without a partner.
enum gpusched_tlp_solo
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All that fit.
    GPUSCHED_TLP_SOLO_MAX = 0,
    // As many as it runs best with.
    GPUSCHED_TLP_SOLO_OPT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_solo gpusched_tlp_solo;
#else
typedef uint32_t gpusched_tlp_solo;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What two kernels of type up do.
enum gpusched_tlp_upup
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The younger waits for the older to end.
    GPUSCHED_TLP_UPUP_LEFTOVER = 0,
    // The older has half of what fits.
    GPUSCHED_TLP_UPUP_HALF = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_upup gpusched_tlp_upup;
#else
typedef uint32_t gpusched_tlp_upup;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a kernel's speed follows the number of its TBs.
enum gpusched_tlp_type
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One TB is best.
    GPUSCHED_TLP_TYPE_DOWN = 0,
    // It is best somewhere between.
    GPUSCHED_TLP_TYPE_OPTIMAL = 1,
    // The more the better.
    GPUSCHED_TLP_TYPE_UP = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_type gpusched_tlp_type;
#else
typedef uint32_t gpusched_tlp_type;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a kernel leans on.
enum gpusched_tlp_pref
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The SP pipelines.
    GPUSCHED_TLP_PREF_COMPUTE = 0,
    // The LD/ST pipelines.
    GPUSCHED_TLP_PREF_MEMORY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_pref gpusched_tlp_pref;
#else
typedef uint32_t gpusched_tlp_pref;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who shares an SM.
enum gpusched_tlp_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nobody.
    GPUSCHED_TLP_MODE_IDLE = 0,
    // One kernel.
    GPUSCHED_TLP_MODE_SOLO = 1,
    // Two kernels.
    GPUSCHED_TLP_MODE_PAIR = 2,
    // Two kernels, one of which waits until the other has ended.
    GPUSCHED_TLP_MODE_LEFTOVER = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_mode gpusched_tlp_mode;
#else
typedef uint32_t gpusched_tlp_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where a machine is between two samples.
enum gpusched_tlp_phase
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // No period runs.
    GPUSCHED_TLP_PHASE_WAITING = 0,
    // One runs.
    GPUSCHED_TLP_PHASE_SAMPLING = 1,
    // One has ended, and its sample is due.
    GPUSCHED_TLP_PHASE_AWAIT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_phase gpusched_tlp_phase;
#else
typedef uint32_t gpusched_tlp_phase;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is learnt of bypassing.
enum gpusched_tlp_learn
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    GPUSCHED_TLP_LEARN_OFF = 0,
    // Nobody bypasses.
    GPUSCHED_TLP_LEARN_S1 = 1,
    // One TB of kernel 0 does.
    GPUSCHED_TLP_LEARN_S2 = 2,
    // One TB of kernel 1 does.
    GPUSCHED_TLP_LEARN_S3 = 3,
    // One TB more does than was found good.
    GPUSCHED_TLP_LEARN_S4 = 4,
    // It is known how many bypass.
    GPUSCHED_TLP_LEARN_DONE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_learn gpusched_tlp_learn;
#else
typedef uint32_t gpusched_tlp_learn;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A pipeline.
enum gpusched_tlp_pipe
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The arithmetic one.
    GPUSCHED_TLP_PIPE_SP = 0,
    // That of loads and stores.
    GPUSCHED_TLP_PIPE_LDST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_pipe gpusched_tlp_pipe;
#else
typedef uint32_t gpusched_tlp_pipe;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What became of the targets.
enum gpusched_tlp_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The period took no time: nothing.
    GPUSCHED_TLP_ACTION_VOID = 0,
    // They are not modulated.
    GPUSCHED_TLP_ACTION_OFF = 1,
    // They wait until learning has ended.
    GPUSCHED_TLP_ACTION_FROZEN = 2,
    // There was nothing to compare with.
    GPUSCHED_TLP_ACTION_FIRST = 3,
    // Both utilisations rise: nothing.
    GPUSCHED_TLP_ACTION_HOLD = 4,
    // Both kernels lean on the critical pipeline alike: nothing.
    GPUSCHED_TLP_ACTION_TIE = 5,
    // The kernel that is to grow has no TBs to send: nothing.
    GPUSCHED_TLP_ACTION_NO_WORK = 6,
    // The other kernel cannot shrink enough: nothing.
    GPUSCHED_TLP_ACTION_BLOCKED = 7,
    // They have moved.
    GPUSCHED_TLP_ACTION_MOVED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_action gpusched_tlp_action;
#else
typedef uint32_t gpusched_tlp_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether a TB is sent, and why not.
enum gpusched_tlp_stall
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One is.
    GPUSCHED_TLP_STALL_NONE = 0,
    // There is no kernel.
    GPUSCHED_TLP_STALL_IDLE = 1,
    // Every kernel has as many TBs as it is to have.
    GPUSCHED_TLP_STALL_AT_TARGET = 2,
    // A kernel may have more, but has none to send.
    GPUSCHED_TLP_STALL_NO_WORK = 3,
    // There is no room for one.
    GPUSCHED_TLP_STALL_NO_ROOM = 4,
    // No kernel has TBs to be sent.
    GPUSCHED_TLP_STALL_EMPTY = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_stall gpusched_tlp_stall;
#else
typedef uint32_t gpusched_tlp_stall;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What SMC tries.
enum gpusched_tlp_smc_phase
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing: it has not started, or has ended.
    GPUSCHED_TLP_SMC_PHASE_IDLE = 0,
    // The configuration to start from.
    GPUSCHED_TLP_SMC_PHASE_BASE = 1,
    // A TB less of kernel 0.
    GPUSCHED_TLP_SMC_PHASE_B0 = 2,
    // A TB less of kernel 1.
    GPUSCHED_TLP_SMC_PHASE_B1 = 3,
    // The first SM more for kernel 0.
    GPUSCHED_TLP_SMC_PHASE_MORE = 4,
    // Another SM more for kernel 0.
    GPUSCHED_TLP_SMC_PHASE_EVEN_MORE = 5,
    // An SM less for kernel 0.
    GPUSCHED_TLP_SMC_PHASE_LESS = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_smc_phase gpusched_tlp_smc_phase;
#else
typedef uint32_t gpusched_tlp_smc_phase;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// LeftOver: one kernel after another; the next one gets what the last one leaves. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_leftover gpusched_tlp_leftover;

// Kernels that wait to be run in pairs. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_pool gpusched_tlp_pool;

// TLP modulation on one SM: how many TBs of two kernels are resident, and which of them bypass the L1. Every call says what cycle it
// is; cycles never go back, and calls of one cycle act in their order. It lives in storage of the caller, at the address where it was
// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
//
// TimeRegress is tested first, but for the kernel's number of attach and done.
typedef struct gpusched_tlp_sm gpusched_tlp_sm;

// Smart-Even: each kernel has an even share of the SMs, and no more than it can fill. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_smart_even gpusched_tlp_smart_even;

// SMC: a search by trial for the split of the SMs between two kernels, and for the TBs of each on its SMs. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_smc gpusched_tlp_smc;

// Parameters of all units of TLP modulation; each reads those that concern it. Fill it with gpusched_tlp_config_init, then change what
// you like: a newer library adds fields at the end, and programs that were built before keep working.
typedef struct gpusched_tlp_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Threads of an SM; threads, 1 to 2^32 - 1.
    uint32_t threads;
    // Registers of an SM; registers, 0 to 2^32 - 1.
    uint32_t regs;
    // Shared memory of an SM; bytes, 0 to 2^32 - 1.
    uint32_t smem;
    // TB slots of an SM; TBs, 1 to 32.
    uint32_t slots;
    // SMs of the GPU; SMs, 1 to 256, for gpusched_tlp_smc from 2.
    uint32_t sms;
    // The most TBs of a kernel on an SM; TBs, 1 to 32.
    uint32_t tlp_cap;
    // How much worse than the best a profile's value may be to count as the best; thousandths, 0 to 1000.
    uint32_t tol_permille;
    // TBs by which the kernel that is chosen grows; TBs, 1 to 32.
    uint32_t grow_step;
    // TBs below which the other kernel does not shrink; TBs, 1 to 32.
    uint32_t min_tlp;
    // A period weighs 2^-his_shift in the history; bits, 0 to 8.
    uint32_t his_shift;
    // Pipelines of kind SP: busy cycles of a period may reach its length times this; 1 to 65535.
    uint32_t sp_units;
    // Pipelines of kind LD/ST; 1 to 65535.
    uint32_t ldst_units;
    // Time of a comparison or addition; cycles, 0 to 65535.
    uint32_t op_cycles;
    // Kernels that the pool holds; kernels, 1 to 64.
    uint32_t pool_cap;
    // Kernels that LeftOver holds; kernels, 1 to 32.
    uint32_t qcap;
    // Whether a utilisation that stays equal counts as one that does not fall; 0 or 1.
    uint32_t hold_on_equal;
    // gpusched_tlp_puhp_tie.
    uint32_t puhp_tie;
    // gpusched_tlp_history_rule.
    uint32_t his_rule;
    // Whether targets are modulated at run time; 0 or 1.
    uint32_t dynamic;
    // Whether bypassing is learnt; 0 or 1.
    uint32_t bypass;
    // Whether a period waits for as many tagged TBs as are wanted; 0 or 1.
    uint32_t wait_by;
    // gpusched_tlp_order.
    uint32_t order;
    // gpusched_tlp_stall_norm.
    uint32_t stall_norm;
    // gpusched_tlp_solo.
    uint32_t solo_tlp;
    // gpusched_tlp_upup.
    uint32_t upup;
    // Whether the pool puts off a kernel of type up beside one of type up; 0 or 1.
    uint32_t avoid_upup;
    // Whether LeftOver waits for an SM without TBs of other kernels; 0 or 1.
    uint32_t idle_only;
    // Whether Smart-Even gives no kernel more SMs than it can fill; 0 or 1.
    uint32_t smart;
} gpusched_tlp_config;

// What the units would cost in hardware, in bits.
typedef struct gpusched_tlp_storage {
    // One SM: descriptors of both kernels, which came first, and the mode.
    uint64_t kernels;
    // One SM: targets, bypass targets, bypassing and resident TBs of both kernels.
    uint64_t targets;
    // One SM: the slot map with tags, and the cohort.
    uint64_t slots;
    // One SM: phase, last event, start and end of the period.
    uint64_t period;
    // One SM: the six utilisations, and the number of periods.
    uint64_t history;
    // One SM: what is tried, and the stalls that it is compared with.
    uint64_t learning;
    // One SM: everything.
    uint64_t sm;
    // One SM: what the source counts, which does not hold the algorithm.
    uint64_t of_source;
    // The pool.
    uint64_t pool;
    // LeftOver.
    uint64_t leftover;
    // Smart-Even.
    uint64_t smart_even;
    // SMC.
    uint64_t smc;
} gpusched_tlp_storage;

// Type of a kernel, and with how many TBs it runs best.
typedef struct gpusched_tlp_category {
    // gpusched_tlp_type.
    uint32_t kind;
    // TBs per SM, 1 to 255.
    uint32_t opt;
} gpusched_tlp_category;

// What one TB takes of an SM, besides a slot.
typedef struct gpusched_tlp_needs {
    // Threads, at least 1.
    uint32_t threads;
    // Registers.
    uint32_t regs;
    // Shared memory, bytes.
    uint32_t smem;
} gpusched_tlp_needs;

// A kernel that is modulated.
typedef struct gpusched_tlp_kernel {
    // What one TB takes.
    struct gpusched_tlp_needs needs;
    // How its speed follows the number of its TBs.
    struct gpusched_tlp_category category;
} gpusched_tlp_kernel;

// Targets of two kernels.
typedef struct gpusched_tlp_targets {
    // TBs of kernel 0 and 1.
    uint32_t tb[2];
    // gpusched_tlp_mode: Pair, or Leftover if they are not to be mixed.
    uint32_t mode;
    // The kernel that was served first.
    uint32_t a;
} gpusched_tlp_targets;

// A kernel has come.
typedef struct gpusched_tlp_attached {
    // gpusched_tlp_mode.
    uint32_t mode;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
} gpusched_tlp_attached;

// A kernel has gone.
typedef struct gpusched_tlp_detached {
    // gpusched_tlp_mode.
    uint32_t mode;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
    // 1 if a period was under way, or its sample due, and is dropped; else 0.
    uint32_t aborted;
} gpusched_tlp_detached;

// What an SM takes.
typedef struct gpusched_tlp_dispatched {
    // gpusched_tlp_stall; None if it takes a TB.
    uint32_t stall;
    // Its slot; GPUSCHED_NONE if there is no TB.
    uint32_t slot;
    // Its kernel; GPUSCHED_NONE if there is no TB.
    uint32_t k;
    // 1 if it bypasses the L1, as long as it runs; else 0.
    uint32_t bypass;
} gpusched_tlp_dispatched;

// A TB that has ended.
typedef struct gpusched_tlp_finished {
    // Its kernel.
    uint32_t k;
    // 1 if it bypassed the L1, else 0.
    uint32_t bypass;
    // 1 if a period ends with it: then its counters go to gpusched_tlp_sm_sample. Else 0.
    uint32_t period_end;
} gpusched_tlp_finished;

// The counters of a period.
typedef struct gpusched_tlp_metrics {
    // Cycles in which SP pipelines were busy with kernel 0 and 1.
    uint64_t sp[2];
    // Cycles in which LD/ST pipelines were.
    uint64_t ldst[2];
    // Stalls for memory.
    uint64_t stall_mem;
    // Structural stalls.
    uint64_t stall_struct;
    // Not 0: kernel 0, and 1, has TBs to be sent.
    uint32_t avail[2];
} gpusched_tlp_metrics;

// What a sample leads to.
typedef struct gpusched_tlp_sampled {
    // gpusched_tlp_action.
    uint32_t action;
    // The pipeline whose utilisation fell: gpusched_tlp_pipe, or GPUSCHED_NONE.
    uint32_t critical;
    // The kernel that was to grow; GPUSCHED_NONE if there is none.
    uint32_t grow;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
    // Bypassing TBs wanted of kernel 0 and 1.
    uint32_t by[2];
    // gpusched_tlp_learn.
    uint32_t learn;
    // Cycles that the hardware takes for it.
    uint32_t cost;
} gpusched_tlp_sampled;

// The host has set the targets.
typedef struct gpusched_tlp_overridden {
    // 1 if a period was under way, or its sample due, and is dropped; else 0.
    uint32_t aborted;
    // Bypassing TBs wanted of kernel 0 and 1.
    uint32_t by[2];
} gpusched_tlp_overridden;

// What a machine holds.
typedef struct gpusched_tlp_sm_state {
    // Start of the period; GPUSCHED_NEVER if there is none.
    uint64_t start;
    // Its end; GPUSCHED_NEVER before it.
    uint64_t end;
    // gpusched_tlp_mode.
    uint32_t mode;
    // The kernel that was attached earlier.
    uint32_t first;
    // TBs that kernel 0 and 1 are to have.
    uint32_t tb[2];
    // How many of them are to bypass the L1.
    uint32_t by[2];
    // Resident TBs of kernel 0 and 1.
    uint32_t resident[2];
    // Those of them that bypass.
    uint32_t bypassing[2];
    // gpusched_tlp_phase.
    uint32_t phase;
    // A bit for the slot of each TB that the period waits for.
    uint32_t cohort;
    // gpusched_tlp_learn.
    uint32_t learn;
    // Periods in the history, at most 65535.
    uint32_t periods;
    // Utilisation of SP in the history, in 65536ths.
    uint32_t sp;
    // Utilisation of LD/ST.
    uint32_t ldst;
    // Utilisation of SP by kernel 0 and 1.
    uint32_t sp_of[2];
    // Utilisation of LD/ST by kernel 0 and 1.
    uint32_t ldst_of[2];
} gpusched_tlp_sm_state;

// A resident TB.
typedef struct gpusched_tlp_resident {
    // Its kernel.
    uint32_t k;
    // 1 if it bypasses the L1, else 0.
    uint32_t bypass;
} gpusched_tlp_resident;

// Kernels for an empty machine.
typedef struct gpusched_tlp_picked {
    // The first one; GPUSCHED_NONE if none is ready.
    uint32_t a;
    // Its partner; GPUSCHED_NONE if it runs alone.
    uint32_t b;
} gpusched_tlp_picked;

// A partner for the kernel that was left.
typedef struct gpusched_tlp_next {
    // The kernel; GPUSCHED_NONE if none is ready.
    uint32_t i;
    // 1 if it leans on what the other one does not, else 0.
    uint32_t complementary;
} gpusched_tlp_next;

// A kernel that waits.
typedef struct gpusched_tlp_pending {
    // How many were added before it.
    uint64_t seq;
    // gpusched_tlp_type.
    uint32_t kind;
    // gpusched_tlp_pref.
    uint32_t pref;
    // 1 if nothing that it depends on is missing, else 0.
    uint32_t ready;
} gpusched_tlp_pending;

// What a work distributor does in one call.
typedef struct gpusched_tlp_sent {
    // gpusched_tlp_stall: None, Empty or NoRoom.
    uint32_t stall;
    // The SM that gets a TB; GPUSCHED_NONE if none does.
    uint32_t sm;
    // Its kernel; GPUSCHED_NONE if there is none.
    uint32_t k;
    // Its number in the kernel; GPUSCHED_NONE if there is none.
    uint32_t tb;
} gpusched_tlp_sent;

// A kernel that was submitted and has not ended.
typedef struct gpusched_tlp_submitted {
    // How many kernels were submitted before it.
    uint64_t seq;
    // What one TB takes.
    struct gpusched_tlp_needs needs;
    // TBs of the kernel.
    uint32_t n_tb;
    // The next TB to be sent.
    uint32_t next;
    // TBs that have ended.
    uint32_t finished;
} gpusched_tlp_submitted;

// What a machine holds besides kernels.
typedef struct gpusched_tlp_leftover_state {
    // Kernels that were submitted so far.
    uint64_t submitted;
    // The SM that is asked first.
    uint32_t pointer;
} gpusched_tlp_leftover_state;

// A kernel to be run.
typedef struct gpusched_tlp_job {
    // What one TB takes.
    struct gpusched_tlp_needs needs;
    // TBs of the kernel.
    uint32_t n_tb;
} gpusched_tlp_job;

// A TB that has ended.
typedef struct gpusched_tlp_sharer_ended {
    // Its kernel.
    uint32_t k;
    // 1 if it was the kernel's last one: SMs may have another owner; else 0.
    uint32_t done;
} gpusched_tlp_sharer_ended;

// An SM.
typedef struct gpusched_tlp_owned_sm {
    // The kernel that owns it; GPUSCHED_NONE if none does.
    uint32_t owner;
    // Resident TBs.
    uint32_t resident;
} gpusched_tlp_owned_sm;

// A kernel that has SMs of its own.
typedef struct gpusched_tlp_sharer {
    // TBs that an SM holds.
    uint32_t max;
    // TBs of the kernel.
    uint32_t n_tb;
    // The next TB to be sent.
    uint32_t next;
    // TBs that have ended.
    uint32_t finished;
} gpusched_tlp_sharer;

// What a machine holds besides kernels and SMs.
typedef struct gpusched_tlp_smart_even_state {
    // Kernels of the last start.
    uint32_t kernels;
    // 1 if one of them has not ended, else 0.
    uint32_t running;
    // The SM that is asked first.
    uint32_t pointer;
} gpusched_tlp_smart_even_state;

// A configuration to be measured.
typedef struct gpusched_tlp_proposal {
    // SMs of kernel 0 and 1.
    uint32_t sm[2];
    // TBs per SM of kernel 0 and 1.
    uint32_t b[2];
} gpusched_tlp_proposal;

// What follows a measurement.
typedef struct gpusched_tlp_reported {
    // What to measure next; at the end the best that was found.
    struct gpusched_tlp_proposal proposal;
    // 1 if the search has ended, else 0.
    uint32_t done;
} gpusched_tlp_reported;

// What a search holds.
typedef struct gpusched_tlp_smc_state {
    // How good the best so far is.
    uint64_t best;
    // What waits for a report, or was found; nothing before the first start.
    struct gpusched_tlp_proposal current;
    // The best so far.
    struct gpusched_tlp_proposal saved;
    // gpusched_tlp_smc_phase.
    uint32_t phase;
} gpusched_tlp_smc_state;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source, those of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_tlp_config_init(struct gpusched_tlp_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_tlp_config_check(const struct gpusched_tlp_config *config, struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_tlp_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the units would cost in hardware.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_storage_bits(const struct gpusched_tlp_config *config,
                                          struct gpusched_tlp_storage *storage);

// The type of a kernel by its profile.
//
// @param config    An initialised configuration.
// @param profile   How fast the kernel is alone with 1, 2, ... TBs per SM: any measure, the more the better.
// @param count     Values of the profile.
// @param category  Written.
// @return BadProfile: none or more than 32 values; BadConfig; Null, Misaligned, Capacity, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_categorise(const struct gpusched_tlp_config *config,
                                        const uint64_t *profile,
                                        size_t count,
                                        struct gpusched_tlp_category *category);

// What a kernel leans on that keeps the pipelines busy for so many cycles.
//
// @param config  An initialised configuration.
// @param sp      Cycles in which SP pipelines were busy.
// @param ldst    Cycles in which LD/ST pipelines were.
// @param pref    Receives gpusched_tlp_pref.
// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_pref_of(const struct gpusched_tlp_config *config,
                                     uint64_t sp,
                                     uint64_t ldst,
                                     uint32_t *pref);

// How many TBs of a kernel an empty SM holds.
//
// @param config  An initialised configuration.
// @param kernel  The kernel.
// @param most    Written.
// @return BadKernel; BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_max(const struct gpusched_tlp_config *config,
                                 const struct gpusched_tlp_kernel *kernel,
                                 uint32_t *most);

// How many TBs of a kernel fit beside n of another.
//
// @param config  An initialised configuration.
// @param kernel  The kernel.
// @param other   The other one.
// @param n       Its TBs.
// @param room    Written.
// @return BadKernel; BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_remain(const struct gpusched_tlp_config *config,
                                    const struct gpusched_tlp_kernel *kernel,
                                    const struct gpusched_tlp_kernel *other,
                                    uint32_t n,
                                    uint32_t *room);

// Targets that two kernels start with (Algorithm 1).
//
// @param config   An initialised configuration.
// @param k0       Kernel 0.
// @param k1       Kernel 1.
// @param first    The older of them, 0 or 1.
// @param targets  Written.
// @return BadKernel, BadArg, KernelTooBig; BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_static(const struct gpusched_tlp_config *config,
                                    const struct gpusched_tlp_kernel *k0,
                                    const struct gpusched_tlp_kernel *k1,
                                    uint32_t first,
                                    struct gpusched_tlp_targets *targets);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_sm_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and without kernels. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_sm_layout says.
// @param size     At least what gpusched_tlp_sm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param sm       Receives the object, which is where storage is.
// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
gpusched_status gpusched_tlp_sm_init(void *storage,
                                     size_t size,
                                     const struct gpusched_tlp_config *config,
                                     struct gpusched_tlp_sm **sm);

// Kernel 0 or 1 comes to the SM. TBs that are resident stay; those above their target drain.
//
// @param sm        The machine.
// @param now       The cycle, not before that of the last call.
// @param k         0 or 1.
// @param kernel    The kernel.
// @param attached  Written.
// @return BadArg, TimeRegress, SlotBusy, BadKernel, KernelTooBig; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_attach(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       uint32_t k,
                                       const struct gpusched_tlp_kernel *kernel,
                                       struct gpusched_tlp_attached *attached);

// Kernel 0 or 1 will send no more TBs here, and none is resident. The other one has the SM for itself.
//
// @param sm        The machine.
// @param now       The cycle, not before that of the last call.
// @param k         0 or 1.
// @param detached  Written.
// @return BadArg, TimeRegress, NotLive, KernelStillResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_done(struct gpusched_tlp_sm *sm,
                                     uint64_t now,
                                     uint32_t k,
                                     struct gpusched_tlp_detached *detached);

// Which TB the SM takes next, one per call.
//
// @param sm          The machine.
// @param now         The cycle, not before that of the last call.
// @param avail0      Not 0: kernel 0 has TBs to be sent.
// @param avail1      Not 0: kernel 1 has.
// @param dispatched  Written.
// @return TimeRegress; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_dispatch(struct gpusched_tlp_sm *sm,
                                         uint64_t now,
                                         uint32_t avail0,
                                         uint32_t avail1,
                                         struct gpusched_tlp_dispatched *dispatched);

// The TB in a slot has ended. Its successor comes with the next gpusched_tlp_sm_dispatch.
//
// @param sm        The machine.
// @param now       The cycle, not before that of the last call.
// @param slot      The slot.
// @param finished  Written.
// @return TimeRegress, BadSlot: it is empty, or there is no such slot; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_finish(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       uint32_t slot,
                                       struct gpusched_tlp_finished *finished);

// The counters of the period that has ended.
//
// @param sm       The machine.
// @param now      The cycle, not before that of the last call.
// @param metrics  The counters.
// @param sampled  Written.
// @return TimeRegress, NoSampleDue; BadMetrics: more than 2^64 - 1 stalls, or more busy cycles than the period and the pipelines
// allow; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_sample(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       const struct gpusched_tlp_metrics *metrics,
                                       struct gpusched_tlp_sampled *sampled);

// Sets the targets of two kernels, which are modulated from here on.
//
// @param sm          The machine.
// @param now         The cycle, not before that of the last call.
// @param tb0         TBs of kernel 0.
// @param tb1         TBs of kernel 1.
// @param overridden  Written.
// @return TimeRegress; NotPaired: there are not two kernels; BadArg: both are 0; DoesNotFit; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_override(struct gpusched_tlp_sm *sm,
                                         uint64_t now,
                                         uint32_t tb0,
                                         uint32_t tb1,
                                         struct gpusched_tlp_overridden *overridden);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_sm_get_config(const struct gpusched_tlp_sm *sm,
                                           struct gpusched_tlp_config *config,
                                           size_t size);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_now(const struct gpusched_tlp_sm *sm, uint64_t *cycle);

// What the machine holds.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_get_state(const struct gpusched_tlp_sm *sm, struct gpusched_tlp_sm_state *state);

// Kernel 0 or 1.
//
// @return NotLive: none is attached under this number; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_get_kernel(const struct gpusched_tlp_sm *sm,
                                           uint32_t k,
                                           struct gpusched_tlp_kernel *kernel);

// The TB in a slot.
//
// @return BadSlot, SlotEmpty; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_get_slot(const struct gpusched_tlp_sm *sm,
                                         uint32_t slot,
                                         struct gpusched_tlp_resident *resident);

// Tells how many bytes gpusched_tlp_sm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_image_size(const struct gpusched_tlp_sm *sm, size_t *size);

// Saves the whole state.
//
// @param sm        The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_save(const struct gpusched_tlp_sm *sm, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_tlp_sm_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_tlp_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param sm          An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_sm_init. Null,
// Capacity; those of the object.
gpusched_status gpusched_tlp_sm_restore(struct gpusched_tlp_sm *sm,
                                        const void *image,
                                        size_t image_size);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_pool_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_pool_layout says.
// @param size     At least what gpusched_tlp_pool_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param pool     Receives the object, which is where storage is.
// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
gpusched_status gpusched_tlp_pool_init(void *storage,
                                       size_t size,
                                       const struct gpusched_tlp_config *config,
                                       struct gpusched_tlp_pool **pool);

// A kernel comes, and gets the lowest free entry.
//
// @param pool   The pool.
// @param kind   gpusched_tlp_type.
// @param pref   gpusched_tlp_pref.
// @param ready  Not 0: nothing that it depends on is missing.
// @param i      Receives its entry.
// @return PoolFull; BadEnum, Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_add(struct gpusched_tlp_pool *pool,
                                      uint32_t kind,
                                      uint32_t pref,
                                      uint32_t ready,
                                      uint32_t *i);

// Nothing that a kernel depends on is missing any more.
//
// @param pool  The pool.
// @param i     Its entry.
// @return BadPoolIndex: no kernel is there; those of the object.
gpusched_status gpusched_tlp_pool_ready(struct gpusched_tlp_pool *pool, uint32_t i);

// Takes out two kernels for an empty machine, or the only one.
//
// @param pool    The pool.
// @param picked  Written.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_pick_pair(struct gpusched_tlp_pool *pool, struct gpusched_tlp_picked *picked);

// Takes out the partner for a kernel that was left running.
//
// @param pool  The pool.
// @param kind  That kernel's gpusched_tlp_type.
// @param pref  Its gpusched_tlp_pref.
// @param next  Written.
// @return BadEnum, Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_pick_next(struct gpusched_tlp_pool *pool,
                                            uint32_t kind,
                                            uint32_t pref,
                                            struct gpusched_tlp_next *next);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_pool_get_config(const struct gpusched_tlp_pool *pool,
                                             struct gpusched_tlp_config *config,
                                             size_t size);

// How many kernels were added so far.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_added(const struct gpusched_tlp_pool *pool, uint64_t *added);

// The kernel in an entry.
//
// @return BadPoolIndex: none is there; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_get_pending(const struct gpusched_tlp_pool *pool,
                                              uint32_t i,
                                              struct gpusched_tlp_pending *pending);

// Tells how many bytes gpusched_tlp_pool_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_image_size(const struct gpusched_tlp_pool *pool, size_t *size);

// Saves the whole state.
//
// @param pool      The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_save(const struct gpusched_tlp_pool *pool,
                                       void *image,
                                       size_t capacity,
                                       size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_tlp_pool_image_config(const void *image,
                                               size_t image_size,
                                               struct gpusched_tlp_config *config,
                                               size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param pool        An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_pool_init. Null,
// Capacity; those of the object.
gpusched_status gpusched_tlp_pool_restore(struct gpusched_tlp_pool *pool,
                                          const void *image,
                                          size_t image_size);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_leftover_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, for an empty GPU. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_leftover_layout says.
// @param size     At least what gpusched_tlp_leftover_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param gpu      Receives the object, which is where storage is.
// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
gpusched_status gpusched_tlp_leftover_init(void *storage,
                                           size_t size,
                                           const struct gpusched_tlp_config *config,
                                           struct gpusched_tlp_leftover **gpu);

// A kernel comes.
//
// @param gpu    The machine.
// @param needs  What one TB takes.
// @param n_tb   Its TBs.
// @param k      Receives its entry.
// @return BadKernel: TBs without threads, or no TBs; KernelTooBig, QueueFull; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_submit(struct gpusched_tlp_leftover *gpu,
                                             const struct gpusched_tlp_needs *needs,
                                             uint32_t n_tb,
                                             uint32_t *k);

// Sends the next TB of the oldest kernel that has one.
//
// @param gpu   The machine.
// @param sent  Written.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_dispatch(struct gpusched_tlp_leftover *gpu, struct gpusched_tlp_sent *sent);

// A TB has ended.
//
// @param gpu   The machine.
// @param sm    Its SM.
// @param k     Its kernel.
// @param done  Receives 1 if it was its kernel's last one, whose entry is free then; else 0.
// @return NotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_finish(struct gpusched_tlp_leftover *gpu,
                                             uint32_t sm,
                                             uint32_t k,
                                             uint32_t *done);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_leftover_get_config(const struct gpusched_tlp_leftover *gpu,
                                                 struct gpusched_tlp_config *config,
                                                 size_t size);

// The kernel in an entry.
//
// @return NotLive: none is there; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_get_kernel(const struct gpusched_tlp_leftover *gpu,
                                                 uint32_t k,
                                                 struct gpusched_tlp_submitted *kernel);

// TBs of a kernel on an SM; 0 if there is no such kernel or SM.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_resident(const struct gpusched_tlp_leftover *gpu,
                                               uint32_t sm,
                                               uint32_t k,
                                               uint32_t *resident);

// What the machine holds besides kernels.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_get_state(const struct gpusched_tlp_leftover *gpu,
                                                struct gpusched_tlp_leftover_state *state);

// Tells how many bytes gpusched_tlp_leftover_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_image_size(const struct gpusched_tlp_leftover *gpu, size_t *size);

// Saves the whole state.
//
// @param gpu       The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_save(const struct gpusched_tlp_leftover *gpu,
                                           void *image,
                                           size_t capacity,
                                           size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_tlp_leftover_image_config(const void *image,
                                                   size_t image_size,
                                                   struct gpusched_tlp_config *config,
                                                   size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param gpu         An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_leftover_init. Null,
// Capacity; those of the object.
gpusched_status gpusched_tlp_leftover_restore(struct gpusched_tlp_leftover *gpu,
                                              const void *image,
                                              size_t image_size);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_smart_even_layout(const struct gpusched_tlp_config *config,
                                               struct gpusched_layout *layout);

// Builds a machine in memory of the caller, for a GPU without kernels. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_smart_even_layout says.
// @param size     At least what gpusched_tlp_smart_even_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param gpu      Receives the object, which is where storage is.
// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
gpusched_status gpusched_tlp_smart_even_init(void *storage,
                                             size_t size,
                                             const struct gpusched_tlp_config *config,
                                             struct gpusched_tlp_smart_even **gpu);

// Shares the SMs among kernels. gpusched_tlp_smart_even_get_sm tells the result.
//
// @param gpu    The machine.
// @param jobs   The kernels.
// @param count  Their number.
// @return Busy: a kernel runs; BadArg: none or more than eight; TooFewSms: there are more of them than SMs; BadKernel: no threads or no
// TBs; KernelTooBig; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_tlp_smart_even_start(struct gpusched_tlp_smart_even *gpu,
                                              const struct gpusched_tlp_job *jobs,
                                              size_t count);

// Sends the next TB of the owner of the next SM that takes one.
//
// @param gpu   The machine.
// @param sent  Written.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_dispatch(struct gpusched_tlp_smart_even *gpu, struct gpusched_tlp_sent *sent);

// A TB has ended. If it was its kernel's last one, other kernels take over its SMs, and those that nobody owns.
//
// @param gpu    The machine.
// @param sm     Its SM.
// @param ended  Written.
// @return NotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_finish(struct gpusched_tlp_smart_even *gpu,
                                               uint32_t sm,
                                               struct gpusched_tlp_sharer_ended *ended);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_smart_even_get_config(const struct gpusched_tlp_smart_even *gpu,
                                                   struct gpusched_tlp_config *config,
                                                   size_t size);

// Who owns an SM.
//
// @return BadSm; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_get_sm(const struct gpusched_tlp_smart_even *gpu,
                                               uint32_t sm,
                                               struct gpusched_tlp_owned_sm *owned);

// A kernel of the last start.
//
// @return NotLive: there is no such kernel; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_get_kernel(const struct gpusched_tlp_smart_even *gpu,
                                                   uint32_t k,
                                                   struct gpusched_tlp_sharer *sharer);

// What the machine holds besides kernels and SMs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_get_state(const struct gpusched_tlp_smart_even *gpu,
                                                  struct gpusched_tlp_smart_even_state *state);

// Tells how many bytes gpusched_tlp_smart_even_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_image_size(const struct gpusched_tlp_smart_even *gpu, size_t *size);

// Saves the whole state.
//
// @param gpu       The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_save(const struct gpusched_tlp_smart_even *gpu,
                                             void *image,
                                             size_t capacity,
                                             size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_tlp_smart_even_image_config(const void *image,
                                                     size_t image_size,
                                                     struct gpusched_tlp_config *config,
                                                     size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param gpu         An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_smart_even_init. Null,
// Capacity; those of the object.
gpusched_status gpusched_tlp_smart_even_restore(struct gpusched_tlp_smart_even *gpu,
                                                const void *image,
                                                size_t image_size);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_smc_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, whose search has not started. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_smc_layout says.
// @param size     At least what gpusched_tlp_smc_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param search   Receives the object, which is where storage is.
// @return BadConfig; TooFewSms: there are not two SMs; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
gpusched_status gpusched_tlp_smc_init(void *storage,
                                      size_t size,
                                      const struct gpusched_tlp_config *config,
                                      struct gpusched_tlp_smc **search);

// Starts a search.
//
// @param search    The machine.
// @param max0      TBs of kernel 0 that an SM holds when it is alone.
// @param max1      The same of kernel 1.
// @param proposal  Receives what to measure first.
// @return Busy: a search is on; BadArg: one of them is 0; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_start(struct gpusched_tlp_smc *search,
                                       uint32_t max0,
                                       uint32_t max1,
                                       struct gpusched_tlp_proposal *proposal);

// How good what was proposed last is.
//
// @param search    The machine.
// @param perf      Any measure, the more the better.
// @param reported  Written.
// @return NoProposal: before the start, and after the end; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_report(struct gpusched_tlp_smc *search,
                                        uint64_t perf,
                                        struct gpusched_tlp_reported *reported);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_smc_get_config(const struct gpusched_tlp_smc *search,
                                            struct gpusched_tlp_config *config,
                                            size_t size);

// What the search holds.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_get_state(const struct gpusched_tlp_smc *search, struct gpusched_tlp_smc_state *state);

// Tells how many bytes gpusched_tlp_smc_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_image_size(const struct gpusched_tlp_smc *search, size_t *size);

// Saves the whole state.
//
// @param search    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_save(const struct gpusched_tlp_smc *search,
                                      void *image,
                                      size_t capacity,
                                      size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_tlp_smc_image_config(const void *image,
                                              size_t image_size,
                                              struct gpusched_tlp_config *config,
                                              size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param search      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_smc_init. Null,
// Capacity; those of the object.
gpusched_status gpusched_tlp_smc_restore(struct gpusched_tlp_smc *search,
                                         const void *image,
                                         size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_TLP_H
