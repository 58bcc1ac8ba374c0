// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_TLP_SMART_EVEN_H
#define GPUSCHED_TLP_SMART_EVEN_H

#include "gpusched_base.h"
#include "gpusched_tlp.h"

// Smart-Even: each kernel has an even share of the SMs, and no more than it can fill. It lives in storage of the caller, at the
// address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions
// that change it.
typedef struct gpusched_tlp_smart_even gpusched_tlp_smart_even;

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
    // It was the kernel's last one: SMs may have another owner.
    uint32_t done;
} gpusched_tlp_sharer_ended;

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

// An SM.
typedef struct gpusched_tlp_owned_sm {
    // The kernel that owns it.
    uint32_t owner;
    // Resident TBs, all of the owner.
    uint32_t resident;
} gpusched_tlp_owned_sm;

#ifdef __cplusplus
extern "C" {
#endif

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_smart_even_layout(const struct gpusched_tlp_config *config,
                                               struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_smart_even_layout says.
// @param size     At least what gpusched_tlp_smart_even_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param smart_even   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_tlp_smart_even_init(void *storage,
                                             size_t size,
                                             const struct gpusched_tlp_config *config,
                                             struct gpusched_tlp_smart_even **smart_even);

// Shares the SMs among kernels. gpusched_tlp_smart_even_sm tells the result.
//
// @param smart_even  The machine.
// @param jobs        The kernels.
// @param count       Their number.
// @return In this order: Busy while a kernel runs; BadArg for none or more than eight; TooFewSms if there are more of them than
// SMs; then for each kernel BadKernel if it has no threads or no TBs, TbTooBig; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_start(struct gpusched_tlp_smart_even *smart_even,
                                              const struct gpusched_tlp_job *jobs,
                                              size_t count);

// Sends the next TB of the owner of the next SM that takes one.
//
// @param smart_even  The machine.
// @param sent        Receives what a work distributor does in one call.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_dispatch(struct gpusched_tlp_smart_even *smart_even,
                                                 struct gpusched_tlp_sent *sent);

// A TB has ended. If it was its kernel's last one, other kernels take over its SMs, and those that nobody owns.
//
// @param smart_even    The machine.
// @param sm            Its SM.
// @param sharer_ended  Receives a TB that has ended.
// @return NotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_finish(struct gpusched_tlp_smart_even *smart_even,
                                               uint32_t sm,
                                               struct gpusched_tlp_sharer_ended *sharer_ended);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_smart_even_get_config(const struct gpusched_tlp_smart_even *smart_even,
                                                   struct gpusched_tlp_config *config,
                                                   size_t size);

// Whether a kernel has not ended.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_is_running(const struct gpusched_tlp_smart_even *smart_even, uint32_t *running);

// A kernel of the last start; NotLive if there is no such kernel.
//
// @return NotLive; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_kernel(const struct gpusched_tlp_smart_even *smart_even,
                                               uint32_t k,
                                               struct gpusched_tlp_sharer *sharer);

// Who owns an SM; BadSm if there is no such SM.
//
// @return BadSm; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_sm(const struct gpusched_tlp_smart_even *smart_even,
                                           uint32_t sm,
                                           struct gpusched_tlp_owned_sm *owned_sm);

// The SM that is asked first.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_pointer(const struct gpusched_tlp_smart_even *smart_even, uint32_t *smx);

// Tells how many bytes gpusched_tlp_smart_even_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_image_size(const struct gpusched_tlp_smart_even *smart_even, size_t *size);

// Saves the whole state.
//
// @param smart_even    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_save(const struct gpusched_tlp_smart_even *smart_even,
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
// @param smart_even      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_smart_even_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_smart_even_restore(struct gpusched_tlp_smart_even *smart_even,
                                                const void *image,
                                                size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_TLP_SMART_EVEN_H
