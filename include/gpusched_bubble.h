// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_BUBBLE_H
#define GPUSCHED_BUBBLE_H

#include "gpusched_base.h"

// A transition of the GPU that ended.
enum gpusched_bubble_gpu_done
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_BUBBLE_GPU_DONE_NONE = 0,
    // All SMXs are low.
    GPUSCHED_BUBBLE_GPU_DONE_LOW = 1,
    // All SMXs are high.
    GPUSCHED_BUBBLE_GPU_DONE_HIGH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_gpu_done gpusched_bubble_gpu_done;
#else
typedef uint32_t gpusched_bubble_gpu_done;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A transition of the GPU that starts: an order for the regulator.
enum gpusched_bubble_gpu_start
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_BUBBLE_GPU_START_NONE = 0,
    // To low.
    GPUSCHED_BUBBLE_GPU_START_DOWN = 1,
    // To high.
    GPUSCHED_BUBBLE_GPU_START_UP = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_gpu_start gpusched_bubble_gpu_start;
#else
typedef uint32_t gpusched_bubble_gpu_start;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The GPU level. level of gpusched_bubble_gpu.
enum gpusched_bubble_level
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Not in force: each SMX has its own level.
    GPUSCHED_BUBBLE_LEVEL_NORMAL = 0,
    // All SMXs are on their way to the low P-state.
    GPUSCHED_BUBBLE_LEVEL_GOING_DOWN = 1,
    // All SMXs are at the low P-state.
    GPUSCHED_BUBBLE_LEVEL_LOW = 2,
    // All SMXs are on their way to the high P-state.
    GPUSCHED_BUBBLE_LEVEL_GOING_UP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_level gpusched_bubble_level;
#else
typedef uint32_t gpusched_bubble_level;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The P-state of an SMX.
enum gpusched_bubble_pstate
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // High voltage and clock.
    GPUSCHED_BUBBLE_PSTATE_HIGH = 0,
    // From high to low; charged as high.
    GPUSCHED_BUBBLE_PSTATE_DOWN = 1,
    // Low voltage and clock.
    GPUSCHED_BUBBLE_PSTATE_LOW = 2,
    // From low to high; charged as high.
    GPUSCHED_BUBBLE_PSTATE_UP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_pstate gpusched_bubble_pstate;
#else
typedef uint32_t gpusched_bubble_pstate;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How an SMX that is wanted again becomes eligible.
enum gpusched_bubble_resume
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_BUBBLE_RESUME_NONE = 0,
    // Its transition to high starts: an order for the regulator.
    GPUSCHED_BUBBLE_RESUME_UP = 1,
    // It was draining, and is eligible at once.
    GPUSCHED_BUBBLE_RESUME_CANCEL = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_resume gpusched_bubble_resume;
#else
typedef uint32_t gpusched_bubble_resume;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// When a bubble that is still there may be diverted again.
enum gpusched_bubble_retrigger
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // At every sample.
    GPUSCHED_BUBBLE_RETRIGGER_LEVEL = 0,
    // At every sample until a drain time-out or a resumption; then only after the SMX was not in a bubble.
    GPUSCHED_BUBBLE_RETRIGGER_REARM = 1,
    // Only at the first sample of a bubble, even if that was refused.
    GPUSCHED_BUBBLE_RETRIGGER_ONCE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_retrigger gpusched_bubble_retrigger;
#else
typedef uint32_t gpusched_bubble_retrigger;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is under way on one SMX. While the GPU level is in force it is Normal. stage of gpusched_bubble_smx_level.
enum gpusched_bubble_stage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // High P-state, not diverted: eligible.
    GPUSCHED_BUBBLE_STAGE_NORMAL = 0,
    // Diverted, high P-state: its TBs run to their ends.
    GPUSCHED_BUBBLE_STAGE_DRAINING = 1,
    // Diverted, on its way to the low P-state.
    GPUSCHED_BUBBLE_STAGE_GOING_DOWN = 2,
    // Diverted, at the low P-state.
    GPUSCHED_BUBBLE_STAGE_LOW = 3,
    // On its way to the high P-state; not eligible before it is there.
    GPUSCHED_BUBBLE_STAGE_GOING_UP = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_stage gpusched_bubble_stage;
#else
typedef uint32_t gpusched_bubble_stage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The occupancy-bubble controller alone: it is told of every TB that starts and ends, and samples. Times never go back; at equal
// times calls act in their order. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_bubble gpusched_bubble;

// Parameters of BubbleDvfs. Fill it with gpusched_bubble_config_init, then change what you like: a newer library adds fields at
// the end, and programs that were built before keep working.
typedef struct gpusched_bubble_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t smxs;
    // Threshold T: numerator; of t_den, 0 to 65535.
    uint32_t t_num;
    // Threshold T: denominator. T is at most 1; parts, 1 to 65535.
    uint32_t t_den;
    // Sampling period; cycles, 1 to 2^20.
    uint32_t sample_cycles;
    // W: samples in which a draining SMX must become empty; samples, 1 to 65535.
    uint32_t drain_samples;
    // P: samples that a transition of the P-state takes; samples, 1 to 65535.
    uint32_t transition_samples;
    // Samples in a row with all SMXs idle before the GPU level; samples, 1 to 65535.
    uint32_t gpu_idle_samples;
    // Threads of a warp; divides smx_threads; threads, 1 to 1024.
    uint32_t warp_size;
    // Threads of an SMX; threads, 1 to 2^20.
    uint32_t smx_threads;
    // Registers of an SMX; registers, 1 to 2^24.
    uint32_t smx_regs;
    // Shared memory of an SMX; bytes, 0 to 2^24.
    uint32_t smx_smem;
    // TB slots of an SMX; TBs, 1 to 1024.
    uint32_t smx_slots;
    // Voltage of the high P-state; mV, 1 to 5000.
    uint32_t v_high_mv;
    // Voltage of the low P-state, at most that of the high one; mV, 1 to 5000.
    uint32_t v_low_mv;
    // Clock of the high P-state; MHz, 1 to 5000.
    uint32_t f_high_mhz;
    // Clock of the low P-state, at most that of the high one; MHz, 1 to 5000.
    uint32_t f_low_mhz;
    // Leakage follows this power of the voltage; exponent, 0 to 3.
    uint32_t leak_exp;
    // Leakage of an SMX at the high P-state; mW, 0 to 10^6.
    uint32_t p_leak_mw;
    // Other power of an idle SMX at the high P-state; mW, 0 to 10^6.
    uint32_t p_idle_mw;
    // What full activity adds at the high P-state; mW, 0 to 10^6.
    uint32_t p_dyn_mw;
    // Everything but the SMXs, at any P-state; mW, 0 to 10^6.
    uint32_t p_uncore_mw;
    // gpusched_bubble_retrigger: When a bubble that is still there may be diverted again.
    uint32_t retrigger;
    // Whether anything is decided; if not, bubbles and energy are counted for the base run; 0 or 1.
    uint32_t enabled;
    // A bubble is an occupancy of at most T, rather than below T; 0 or 1.
    uint32_t inclusive;
    // A diverted SMX runs empty before it goes down, rather than going down with its TBs; 0 or 1.
    uint32_t draining;
    // The whole GPU goes down when all SMXs are idle; 0 or 1.
    uint32_t gpu_level;
    // A draining SMX may be taken back; 0 or 1.
    uint32_t resume_draining;
    // No SMX is resumed while another one is going up; 0 or 1.
    uint32_t resume_hold;
} gpusched_bubble_config;

// The control registers (6.2.4).
typedef struct gpusched_bubble_registers {
    // DVR: diverted SMXs.
    struct gpusched_smx_set dvr;
    // DRN: draining SMXs.
    struct gpusched_smx_set drn;
    // DVFS without its bit 0: SMXs whose SMX level is in force.
    struct gpusched_smx_set dvfs;
    // Bit 0 of DVFS: the GPU level is in force.
    uint32_t gpu;
    // 0.
    uint32_t reserved;
} gpusched_bubble_registers;

// The GPU level.
typedef struct gpusched_bubble_gpu {
    // Those that were low before, and stay so.
    struct gpusched_smx_set low;
    // Samples in a row in which nothing waited and all SMXs were idle.
    uint64_t idle_samples;
    // gpusched_bubble_level.
    uint32_t level;
    // Samples until they are there, 1..=P.
    uint32_t left;
} gpusched_bubble_gpu;

// What is under way on one SMX. While the GPU level is in force it is Normal.
typedef struct gpusched_bubble_smx_level {
    // gpusched_bubble_stage.
    uint32_t stage;
    // Samples spent draining, below W.
    uint32_t samples;
    // Samples until it is there, 1..=P.
    uint32_t left;
} gpusched_bubble_smx_level;

// One SMX as the controller keeps it.
typedef struct gpusched_bubble_smx {
    // Energy, mW x cycles.
    struct gpusched_energy energy;
    // The part of it in intervals that ended in a bubble.
    struct gpusched_energy energy_bubble;
    // Samples that found a bubble.
    uint64_t bubble;
    // Samples that found it low.
    uint64_t low;
    // Its own level; normal while the GPU level is in force.
    struct gpusched_bubble_smx_level level;
    // Whether a bubble may activate diversion.
    uint32_t armed;
} gpusched_bubble_smx;

// What the controller counted since it was built.
typedef struct gpusched_bubble_stats {
    // Samples.
    uint64_t samples;
    // SMXs diverted.
    uint64_t divert;
    // Diversions refused.
    uint64_t refused;
    // SMXs drained in time.
    uint64_t drain_done;
    // SMXs not drained in time.
    uint64_t drain_abort;
    // SMX-level transitions to low.
    uint64_t down;
    // SMX-level transitions to high.
    uint64_t up;
    // Draining SMXs taken back.
    uint64_t cancel;
    // Transitions of the GPU to low.
    uint64_t gpu_down;
    // Transitions of the GPU to high.
    uint64_t gpu_up;
} gpusched_bubble_stats;

// What a sample found and decided. Sets are of SMXs.
typedef struct gpusched_bubble_record {
    // Transitions to low that ended.
    struct gpusched_smx_set low_done;
    // Transitions to high that ended.
    struct gpusched_smx_set high_done;
    // Diverted now.
    struct gpusched_smx_set divert;
    // In a bubble, but no other SMX could take the work.
    struct gpusched_smx_set refused;
    // Drained.
    struct gpusched_smx_set drain_done;
    // Not drained in time: eligible again.
    struct gpusched_smx_set drain_abort;
    // Transitions to low that start: orders for the regulator.
    struct gpusched_smx_set down;
    // SMXs that may receive TBs from now on.
    struct gpusched_smx_set eligible;
    // The control registers after the sample.
    struct gpusched_bubble_registers registers;
    // gpusched_bubble_gpu_done: the GPU's transition that ended.
    uint32_t gpu_done;
    // gpusched_bubble_gpu_start: the GPU's transition that starts.
    uint32_t gpu_start;
    // gpusched_bubble_resume: how.
    uint32_t resume;
    // Which one it is.
    uint32_t resume_smx;
    // A TB waits, and nothing eligible can take it.
    uint32_t starved;
} gpusched_bubble_record;

// Storage in bits, part by part. The residency ledger belongs to the baseline, evaluation counters are no hardware.
typedef struct gpusched_bubble_storage {
    // DVR.
    uint64_t dvr;
    // DRN.
    uint64_t drn;
    // DVFS: one bit per SMX, and that of the GPU level.
    uint64_t dvfs;
    // Drain counters.
    uint64_t drain_counters;
    // Transition timers.
    uint64_t timers;
    // Armed bits.
    uint64_t armed;
    // GPU level: timer, direction, idle count.
    uint64_t gpu_level;
    // The three registers, each rounded up to bytes: the source's 6 bytes for 13 SMXs (6.2.4).
    uint64_t register_bytes;
    // What the source's own W and P call for besides the registers.
    uint64_t uncounted;
    // Everything.
    uint64_t total;
} gpusched_bubble_storage;

// TBs and warps that an SMX holds.
typedef struct gpusched_bubble_resident {
    // TBs.
    uint32_t tbs;
    // Warps.
    uint32_t warps;
} gpusched_bubble_resident;

// The TB that the scheduler would dispatch next. With several candidates, one that no eligible SMX can take, if there is one.
typedef struct gpusched_bubble_waiting {
    // SMXs that it may run on; bound 0 is all of them.
    struct gpusched_smx_set allowed;
    // What it takes.
    struct gpusched_resources res;
    // 1 if allowed says something, else 0.
    uint32_t bound;
} gpusched_bubble_waiting;

// What one SMX holds and has free.
typedef struct gpusched_bubble_ledger {
    // What is free.
    struct gpusched_resources free;
    // What is resident.
    struct gpusched_bubble_resident resident;
} gpusched_bubble_ledger;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source, those of a Tesla K20c.
//
// @param config  Written.
// @param size    sizeof(gpusched_bubble_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_bubble_config_init(struct gpusched_bubble_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_bubble_config_check(const struct gpusched_bubble_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_bubble_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_bubble_storage_bits(const struct gpusched_bubble_config *config,
                                             struct gpusched_bubble_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_bubble_layout(const struct gpusched_bubble_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_bubble_layout says.
// @param size     At least what gpusched_bubble_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param bubble   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_bubble_init(void *storage,
                                     size_t size,
                                     const struct gpusched_bubble_config *config,
                                     struct gpusched_bubble **bubble);

// A TB has started on an SMX. What is resident there now.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param smx       Where it runs.
// @param res       What it takes.
// @param resident  Receives TBs and warps that an SMX holds. May be null.
// @return TimeBackwards, BadSmx, BadResources, TbTooBig, NotEligible, NoFit; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_dispatched(struct gpusched_bubble *bubble,
                                           uint64_t now,
                                           uint32_t smx,
                                           const struct gpusched_resources *res,
                                           struct gpusched_bubble_resident *resident);

// A TB has ended on an SMX, in whatever state that is. What is resident there now.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param smx       Where it ran.
// @param res       What it took.
// @param resident  Receives TBs and warps that an SMX holds. May be null.
// @return TimeBackwards, BadSmx, BadResources, ReleaseUnderflow; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_completed(struct gpusched_bubble *bubble,
                                          uint64_t now,
                                          uint32_t smx,
                                          const struct gpusched_resources *res,
                                          struct gpusched_bubble_resident *resident);

// A sample: closes the interval, ends transitions, then decides. The first one sets the phase, all others follow exactly a
// sampling period apart. activity is one value from 0 to 1000 per SMX, or follows from the occupancy.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param waiting   The TB that waits; null if none does.
// @param activity  count values from 0 to 1000, one per SMX, for the energy of the interval; null if it follows from the occupancy.
// @param count     Their number.
// @param record    Receives what a sample found and decided. Sets are of SMXs.
// @return TimeBackwards, OffSample; of the waiting TB BadResources, TbTooBig, BadMask; BadActivity; Null, Misaligned; those of the
// object.
gpusched_status gpusched_bubble_sample(struct gpusched_bubble *bubble,
                                       uint64_t now,
                                       const struct gpusched_bubble_waiting *waiting,
                                       const uint16_t *activity,
                                       size_t count,
                                       struct gpusched_bubble_record *record);

// Closes the energy interval up to now and does nothing else: for the end of a run.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param activity  As of gpusched_bubble_sample.
// @param count     Their number.
// @return TimeBackwards, BadActivity; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_account(struct gpusched_bubble *bubble,
                                        uint64_t now,
                                        const uint16_t *activity,
                                        size_t count);

// The configuration.
//
// @param size  sizeof(gpusched_bubble_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_bubble_get_config(const struct gpusched_bubble *bubble,
                                           struct gpusched_bubble_config *config,
                                           size_t size);

// SMXs that may receive TBs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_eligible(const struct gpusched_bubble *bubble, struct gpusched_smx_set *eligible);

// What an SMX holds and has free; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_ledger(const struct gpusched_bubble *bubble,
                                           uint32_t smx,
                                           struct gpusched_bubble_ledger *ledger);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_now(const struct gpusched_bubble *bubble, uint64_t *cycle);

// The only time of the next sample; GPUSCHED_NEVER before the first one, which may come at any time, and after the last that a
// cycle number can express.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_next_sample(const struct gpusched_bubble *bubble,
                                            uint64_t *cycle);

// The control registers.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_registers(const struct gpusched_bubble *bubble,
                                              struct gpusched_bubble_registers *registers);

// SMXs that may be diverted when a bubble is found.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_armed(const struct gpusched_bubble *bubble, struct gpusched_smx_set *armed);

// The GPU level.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_gpu(const struct gpusched_bubble *bubble, struct gpusched_bubble_gpu *gpu);

// An SMX; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_smx(const struct gpusched_bubble *bubble,
                                        uint32_t smx,
                                        struct gpusched_bubble_smx *view);

// The P-state of an SMX; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_pstate(const struct gpusched_bubble *bubble, uint32_t smx, uint32_t *state);

// Energy of everything but the SMXs, mW x cycles.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_energy_uncore(const struct gpusched_bubble *bubble, struct gpusched_energy *energy);

// Energy of the GPU, mW x cycles. A cycle lasts 1/f_high_mhz us.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_energy(const struct gpusched_bubble *bubble, struct gpusched_energy *energy);

// Statistics since the controller was built.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_stats(const struct gpusched_bubble *bubble, struct gpusched_bubble_stats *stats);

// Tells how many bytes gpusched_bubble_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_image_size(const struct gpusched_bubble *bubble, size_t *size);

// Saves the whole state.
//
// @param bubble    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_save(const struct gpusched_bubble *bubble, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_bubble_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_bubble_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_bubble_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param bubble      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_bubble_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_bubble_restore(struct gpusched_bubble *bubble,
                                        const void *image,
                                        size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_BUBBLE_H
