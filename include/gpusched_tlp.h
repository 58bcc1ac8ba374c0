// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_TLP_H
#define GPUSCHED_TLP_H

#include "gpusched_base.h"

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

// What a work distributor does in one call. sched of gpusched_tlp_sent.
enum gpusched_tlp_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It sends a TB.
    GPUSCHED_TLP_SCHED_TB = 0,
    // No kernel has TBs to be sent.
    GPUSCHED_TLP_SCHED_EMPTY = 1,
    // No SM takes one.
    GPUSCHED_TLP_SCHED_NO_ROOM = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_sched gpusched_tlp_sched;
#else
typedef uint32_t gpusched_tlp_sched;
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

// How a kernel's speed follows its TLP (4.1), in the order in which Algorithm 1 serves them.
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

// Parameters of TlpConfig. Fill it with gpusched_tlp_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_tlp_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Threads of an SM; threads, 1 to 4294967295.
    uint32_t threads;
    // Registers of an SM; registers, 0 to 4294967295.
    uint32_t regs;
    // Shared memory of an SM; bytes, 0 to 4294967295.
    uint32_t smem;
    // TB slots of an SM; TBs, 1 to 32.
    uint32_t slots;
    // SMs of the GPU; Smc needs two; SMs, 1 to 256.
    uint32_t sms;
    // The most TBs of a kernel on an SM; TBs, 1 to 32.
    uint32_t tlp_cap;
    // How much worse than the best a profile's value may be to count as the best; thousandths, 0 to 1000.
    uint32_t tol_permille;
    // TBs by which the kernel that is chosen grows; TBs, 1 to 32.
    uint32_t grow_step;
    // TBs below which the other kernel does not shrink; TBs, 1 to 32.
    uint32_t min_tlp;
    // Weight of a period in the history: 2^-his_shift; bits, 0 to 8.
    uint32_t his_shift;
    // Pipelines of kind SP: busy cycles of a period may reach its length times this; pipelines, 1 to 65535.
    uint32_t sp_units;
    // Pipelines of kind LD/ST; pipelines, 1 to 65535.
    uint32_t ldst_units;
    // Time of a comparison or addition; cycles, 0 to 65535.
    uint32_t op_cycles;
    // Kernels that the pool holds; kernels, 1 to 64.
    uint32_t pool_cap;
    // Kernels that LeftOver holds; kernels, 1 to 32.
    uint32_t qcap;
    // Whether a utilisation that stays equal counts as one that does not fall; 0 or 1.
    uint32_t hold_on_equal;
    // gpusched_tlp_puhp_tie: What becomes of the targets when both kernels lean on the critical pipeline alike.
    uint32_t puhp_tie;
    // gpusched_tlp_history_rule: How utilisations enter the history.
    uint32_t his_rule;
    // Whether targets are modulated at run time; 0 or 1.
    uint32_t dynamic;
    // Whether bypassing is learnt; 0 or 1.
    uint32_t bypass;
    // Whether a period waits for as many tagged TBs as are wanted; 0 or 1.
    uint32_t wait_by;
    // gpusched_tlp_order: Whether targets move while bypassing is learnt.
    uint32_t order;
    // gpusched_tlp_stall_norm: What of the stalls of two periods is compared.
    uint32_t stall_norm;
    // gpusched_tlp_solo: The target of a kernel without a partner.
    uint32_t solo_tlp;
    // gpusched_tlp_upup: What two kernels of type up do.
    uint32_t upup;
    // Whether the pool puts off a kernel of type up beside one of type up; 0 or 1.
    uint32_t avoid_upup;
    // Whether LeftOver waits for an SM without TBs of other kernels; 0 or 1.
    uint32_t idle_only;
    // Whether Smart-Even gives no kernel more SMs than it can fill; 0 or 1.
    uint32_t smart;
} gpusched_tlp_config;

// Storage of all units in bits.
typedef struct gpusched_tlp_storage {
    // Descriptors of both kernels, which came first, and the mode.
    uint64_t kernels;
    // Tb, By, By_cur and res of both.
    uint64_t targets;
    // The slot map with tags, and the cohort.
    uint64_t slots;
    // Phase, last event, start and end of the period.
    uint64_t period;
    // The six utilisations, and the number of periods.
    uint64_t history;
    // What is tried, and the stalls that it is compared with.
    uint64_t learning;
    // Pool.
    uint64_t pool;
    // LeftOver.
    uint64_t left_over;
    // SmartEven.
    uint64_t smart_even;
    // Smc.
    uint64_t smc;
    // Each SM's part together.
    uint64_t sm_total;
    // Of each SM's part, what the source counts.
    uint64_t sm_of_source;
} gpusched_tlp_storage;

// Type of a kernel, and the TLP with which it runs best.
typedef struct gpusched_tlp_category {
    // gpusched_tlp_type: the type.
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
    // gpusched_tlp_mode: the mode: Pair, or Leftover if they are not to be mixed.
    uint32_t mode;
    // Role A: the kernel that was served first.
    uint32_t a;
} gpusched_tlp_targets;

// What a work distributor does in one call.
typedef struct gpusched_tlp_sent {
    // gpusched_tlp_sched.
    uint32_t sched;
    // The SM that gets a TB; GPUSCHED_NONE if none does.
    uint32_t sm;
    // Its kernel; GPUSCHED_NONE if there is none.
    uint32_t k;
    // Its number in the kernel; GPUSCHED_NONE if there is none.
    uint32_t tb;
} gpusched_tlp_sent;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source, those of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_tlp_config_init(struct gpusched_tlp_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_tlp_config_check(const struct gpusched_tlp_config *config,
                                          struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_tlp_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_storage_bits(const struct gpusched_tlp_config *config,
                                          struct gpusched_tlp_storage *storage);

// The type of a kernel whose speed is profile[n - 1] with n TBs per SM: any measure, the more the better.
//
// @param config    An initialised configuration.
// @param profile   How fast the kernel is alone with 1, 2, ... TBs per SM: any measure, the more the better.
// @param count     Their number.
// @param category  Receives type of a kernel, and the TLP with which it runs best.
// @return BadProfile: none or more than 32 values; Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_categorise(const struct gpusched_tlp_config *config,
                                        const uint64_t *profile,
                                        size_t count,
                                        struct gpusched_tlp_category *category);

// How many TBs of a kernel an empty SM holds.
//
// @param config  An initialised configuration.
// @param kernel  The kernel.
// @param most    Receives how many.
// @return BadKernel; Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_max(const struct gpusched_tlp_config *config,
                                 const struct gpusched_tlp_kernel *kernel,
                                 uint32_t *most);

// How many TBs of a kernel fit beside n of another.
//
// @param config  An initialised configuration.
// @param kernel  The kernel.
// @param other   The other one.
// @param n       Its TBs.
// @param room    Receives how many.
// @return BadKernel; Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_remain(const struct gpusched_tlp_config *config,
                                    const struct gpusched_tlp_kernel *kernel,
                                    const struct gpusched_tlp_kernel *other,
                                    uint32_t n,
                                    uint32_t *room);

// Targets for kernels 0 and 1, of which first is the older.
//
// @param config   An initialised configuration.
// @param k0       Kernel 0.
// @param k1       Kernel 1.
// @param first    The older of them, 0 or 1.
// @param targets  Receives targets of two kernels.
// @return In this order: BadKernel; BadArg unless first is 0 or 1; TbTooBig; Null, Misaligned; BadConfig, BadStructSize,
// WrongVersion.
gpusched_status gpusched_tlp_static(const struct gpusched_tlp_config *config,
                                    const struct gpusched_tlp_kernel *k0,
                                    const struct gpusched_tlp_kernel *k1,
                                    uint32_t first,
                                    struct gpusched_tlp_targets *targets);

// What a kernel leans on that keeps the pipelines busy for so many cycles: compute if the utilisation of SP is not the lower one.
//
// @return Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_pref_of(const struct gpusched_tlp_config *config,
                                     uint64_t sp,
                                     uint64_t ldst,
                                     uint32_t *pref);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_TLP_H
