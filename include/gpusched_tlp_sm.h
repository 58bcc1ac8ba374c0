// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_TLP_SM_H
#define GPUSCHED_TLP_SM_H

#include "gpusched_base.h"
#include "gpusched_tlp.h"

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

// What is learnt of bypassing.
enum gpusched_tlp_learn
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing is learnt.
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

// Where the machine is between two samples.
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

// A pipeline.
enum gpusched_tlp_pipe
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_TLP_PIPE_NONE = 0,
    // The arithmetic one.
    GPUSCHED_TLP_PIPE_SP = 1,
    // That of loads and stores.
    GPUSCHED_TLP_PIPE_LDST = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_pipe gpusched_tlp_pipe;
#else
typedef uint32_t gpusched_tlp_pipe;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the SM takes. stall of gpusched_tlp_dispatched.
enum gpusched_tlp_stall
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A TB.
    GPUSCHED_TLP_STALL_NONE = 0,
    // There is no kernel.
    GPUSCHED_TLP_STALL_IDLE = 1,
    // Every kernel has as many TBs as it is to have.
    GPUSCHED_TLP_STALL_AT_TARGET = 2,
    // A kernel may have more, but has none to send.
    GPUSCHED_TLP_STALL_NO_WORK = 3,
    // A kernel may have more, but TBs of the other one still take the room.
    GPUSCHED_TLP_STALL_NO_ROOM = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_stall gpusched_tlp_stall;
#else
typedef uint32_t gpusched_tlp_stall;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// TLP modulation on one SM: how many TBs of two kernels are resident, and which of them bypass the L1. Every call says what cycle
// it is; cycles never go back, and calls of one cycle act in their order. It lives in storage of the caller, at the address where
// it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change
// it.
//
// TimeBackwards is tested first, but for the kernel's number of attach and done.
typedef struct gpusched_tlp_sm gpusched_tlp_sm;

// Who shares the SM once a kernel has come.
typedef struct gpusched_tlp_attached {
    // gpusched_tlp_mode: who shares the SM now.
    uint32_t mode;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
} gpusched_tlp_attached;

// Who has the SM once a kernel has gone.
typedef struct gpusched_tlp_detached {
    // gpusched_tlp_mode: who has the SM now.
    uint32_t mode;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
    // Whether a period was under way, or its sample due: it is dropped.
    uint32_t aborted;
} gpusched_tlp_detached;

// What becomes of the period when the host sets the targets.
typedef struct gpusched_tlp_overridden {
    // Whether a period was under way, or its sample due: it is dropped.
    uint32_t aborted;
    // Bypassing TBs wanted of kernel 0 and 1.
    uint32_t by[2];
} gpusched_tlp_overridden;

// What the SM takes.
typedef struct gpusched_tlp_dispatched {
    // gpusched_tlp_stall.
    uint32_t stall;
    // Its slot; GPUSCHED_NONE if there is no TB.
    uint32_t slot;
    // Its kernel; GPUSCHED_NONE if there is no TB.
    uint32_t k;
    // Whether it bypasses L1, as long as it runs.
    uint32_t bypass;
} gpusched_tlp_dispatched;

// A TB that has ended.
typedef struct gpusched_tlp_finished {
    // Its kernel.
    uint32_t k;
    // Whether it bypassed L1.
    uint32_t bypass;
    // A period ends with it: the host takes its counters to gpusched_tlp_sm_sample.
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
    // Whether kernel 0 and 1 have TBs to be sent.
    uint32_t avail[2];
} gpusched_tlp_metrics;

// What a sample leads to.
typedef struct gpusched_tlp_sampled {
    // gpusched_tlp_action: what became of the targets.
    uint32_t action;
    // gpusched_tlp_pipe: the pipeline whose utilisation fell.
    uint32_t critical;
    // The kernel that was to grow.
    uint32_t grow;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
    // Bypassing TBs wanted of kernel 0 and 1.
    uint32_t by[2];
    // gpusched_tlp_learn: what is learnt now.
    uint32_t learn;
    // Cycles that the hardware takes for it.
    uint32_t cost;
} gpusched_tlp_sampled;

// What a machine holds, beside its kernels and TBs.
typedef struct gpusched_tlp_sm_state {
    // Start of the period, if there is one.
    uint64_t start;
    // Its end, if it has ended.
    uint64_t end;
    // gpusched_tlp_mode: who shares the SM.
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
    // gpusched_tlp_phase: where it is between two samples.
    uint32_t phase;
    // A bit for the slot of each TB that the period waits for.
    uint32_t cohort;
    // gpusched_tlp_learn: what is learnt of bypassing.
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

// The TB in a slot.
typedef struct gpusched_tlp_resident {
    // Its kernel.
    uint32_t k;
    // Whether it bypasses L1.
    uint32_t bypass;
} gpusched_tlp_resident;

#ifdef __cplusplus
extern "C" {
#endif

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_sm_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_sm_layout says.
// @param size     At least what gpusched_tlp_sm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param sm   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
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
// @param attached  Receives who shares the SM once a kernel has come.
// @return In this order: BadArg, TimeBackwards, SlotBusy, BadKernel, TbTooBig; Null, Misaligned; those of the object.
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
// @param detached  Receives who has the SM once a kernel has gone.
// @return In this order: BadArg, TimeBackwards, NotLive, KernelStillResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_done(struct gpusched_tlp_sm *sm,
                                     uint64_t now,
                                     uint32_t k,
                                     struct gpusched_tlp_detached *detached);

// The host sets the targets of two kernels, which are modulated from here on.
//
// @param sm          The machine.
// @param now         The cycle, not before that of the last call.
// @param tb0         TBs of kernel 0.
// @param tb1         TBs of kernel 1.
// @param overridden  Receives what becomes of the period when the host sets the targets.
// @return In this order: TimeBackwards; NotPaired unless there are two kernels; BadArg if both targets are 0; DoesNotFit; Null,
// Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_override(struct gpusched_tlp_sm *sm,
                                         uint64_t now,
                                         uint32_t tb0,
                                         uint32_t tb1,
                                         struct gpusched_tlp_overridden *overridden);

// Which TB the SM takes next, one per call. avail says which of the kernels have TBs to be sent.
//
// @param sm          The machine.
// @param now         The cycle, not before that of the last call.
// @param avail0      Not 0: kernel 0 has TBs to be sent.
// @param avail1      Not 0: kernel 1 has TBs to be sent.
// @param dispatched  Receives what the SM takes.
// @return TimeBackwards; Null, Misaligned; those of the object.
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
// @param finished  Receives a TB that has ended.
// @return TimeBackwards; BadSlot if the slot is empty, or there is no such slot; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_finish(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       uint32_t slot,
                                       struct gpusched_tlp_finished *finished);

// The counters of the period that has ended.
//
// @param sm       The machine.
// @param now      The cycle, not before that of the last call.
// @param metrics  The counters.
// @param sampled  Receives what a sample leads to.
// @return In this order: TimeBackwards; NoSampleDue; BadMetrics if there are more than 2^64 - 1 stalls, or more busy cycles than
// the period and the pipelines allow; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_sample(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       const struct gpusched_tlp_metrics *metrics,
                                       struct gpusched_tlp_sampled *sampled);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_sm_get_config(const struct gpusched_tlp_sm *sm,
                                           struct gpusched_tlp_config *config,
                                           size_t size);

// What it holds, beside its kernels and TBs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_get_state(const struct gpusched_tlp_sm *sm, struct gpusched_tlp_sm_state *sm_state);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_now(const struct gpusched_tlp_sm *sm, uint64_t *cycle);

// Kernel 0 or 1; NotLive if it is not attached.
//
// @return NotLive; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_kernel(const struct gpusched_tlp_sm *sm,
                                       uint32_t k,
                                       struct gpusched_tlp_kernel *kernel);

// The TB in a slot; SlotEmpty if it is empty, or there is no such slot.
//
// @return BadSlot; SlotEmpty; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_slot(const struct gpusched_tlp_sm *sm,
                                     uint32_t slot,
                                     struct gpusched_tlp_resident *resident);

// Tells how many bytes gpusched_tlp_sm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_image_size(const struct gpusched_tlp_sm *sm, size_t *size);

// Saves the whole state.
//
// @param sm    The machine.
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
// @param sm      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_sm_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_sm_restore(struct gpusched_tlp_sm *sm,
                                        const void *image,
                                        size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_TLP_SM_H
