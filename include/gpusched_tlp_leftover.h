// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_TLP_LEFTOVER_H
#define GPUSCHED_TLP_LEFTOVER_H

#include "gpusched_base.h"
#include "gpusched_tlp.h"

// LeftOver: one kernel after another; the next one gets what the last one leaves. It lives in storage of the caller, at the
// address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions
// that change it.
typedef struct gpusched_tlp_leftover gpusched_tlp_leftover;

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

#ifdef __cplusplus
extern "C" {
#endif

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_leftover_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_leftover_layout says.
// @param size     At least what gpusched_tlp_leftover_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param leftover   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_tlp_leftover_init(void *storage,
                                           size_t size,
                                           const struct gpusched_tlp_config *config,
                                           struct gpusched_tlp_leftover **leftover);

// A kernel of n_tb TBs comes.
//
// @param leftover  The machine.
// @param needs     What one TB takes.
// @param n_tb      Its TBs.
// @param k         Receives its entry.
// @return In this order: BadKernel for TBs without threads, or no TBs; TbTooBig; QueueFull; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_submit(struct gpusched_tlp_leftover *leftover,
                                             const struct gpusched_tlp_needs *needs,
                                             uint32_t n_tb,
                                             uint32_t *k);

// Sends the next TB of the oldest kernel that has one.
//
// @param leftover  The machine.
// @param sent      Receives what a work distributor does in one call.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_dispatch(struct gpusched_tlp_leftover *leftover, struct gpusched_tlp_sent *sent);

// A TB has ended. Whether it was its kernel's last one, whose entry is free then.
//
// @param leftover  The machine.
// @param sm        Its SM.
// @param k         Its kernel.
// @param done      Receives 1 if it was its kernel's last one, whose entry is free then; else 0.
// @return NotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_finish(struct gpusched_tlp_leftover *leftover,
                                             uint32_t sm,
                                             uint32_t k,
                                             uint32_t *done);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_leftover_get_config(const struct gpusched_tlp_leftover *leftover,
                                                 struct gpusched_tlp_config *config,
                                                 size_t size);

// The kernel in an entry; NotLive if none is there.
//
// @return NotLive; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_kernel(const struct gpusched_tlp_leftover *leftover,
                                             uint32_t k,
                                             struct gpusched_tlp_submitted *submitted);

// TBs of a kernel on an SM; 0 if there is no such kernel or SM.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_resident(const struct gpusched_tlp_leftover *leftover,
                                               uint32_t sm,
                                               uint32_t k,
                                               uint32_t *resident);

// The SM that is asked first.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_pointer(const struct gpusched_tlp_leftover *leftover, uint32_t *smx);

// Kernels that were submitted so far.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_submitted(const struct gpusched_tlp_leftover *leftover, uint64_t *submitted);

// Tells how many bytes gpusched_tlp_leftover_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_image_size(const struct gpusched_tlp_leftover *leftover, size_t *size);

// Saves the whole state.
//
// @param leftover    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_save(const struct gpusched_tlp_leftover *leftover,
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
// @param leftover      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_leftover_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_leftover_restore(struct gpusched_tlp_leftover *leftover,
                                              const void *image,
                                              size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_TLP_LEFTOVER_H
