// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_TLP_POOL_H
#define GPUSCHED_TLP_POOL_H

#include "gpusched_base.h"
#include "gpusched_tlp.h"

// Kernels that wait to be run in pairs. It lives in storage of the caller, at the address where it was initialised, and owns
// nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_pool gpusched_tlp_pool;

// Kernels for an empty machine.
typedef struct gpusched_tlp_picked {
    // The first one.
    uint32_t a;
    // Its partner; GPUSCHED_NONE if it runs alone.
    uint32_t b;
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
} gpusched_tlp_picked;

// A partner for the kernel that was left.
typedef struct gpusched_tlp_next {
    // The kernel.
    uint32_t i;
    // Whether it leans on what the other one does not.
    uint32_t complementary;
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
} gpusched_tlp_next;

// A kernel that waits.
typedef struct gpusched_tlp_pending {
    // How many were added before it.
    uint64_t seq;
    // gpusched_tlp_type: its type.
    uint32_t kind;
    // gpusched_tlp_pref: what it leans on.
    uint32_t pref;
    // Whether nothing that it depends on is missing.
    uint32_t ready;
} gpusched_tlp_pending;

#ifdef __cplusplus
extern "C" {
#endif

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_pool_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_pool_layout says.
// @param size     At least what gpusched_tlp_pool_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param pool   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_tlp_pool_init(void *storage,
                                       size_t size,
                                       const struct gpusched_tlp_config *config,
                                       struct gpusched_tlp_pool **pool);

// A kernel comes, and gets the lowest free entry.
//
// @param pool   The machine.
// @param kind   gpusched_tlp_type.
// @param pref   gpusched_tlp_pref.
// @param ready  Not 0: nothing that it depends on is missing.
// @param i      Receives its entry.
// @return PoolFull; BadEnum; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_add(struct gpusched_tlp_pool *pool,
                                      uint32_t kind,
                                      uint32_t pref,
                                      uint32_t ready,
                                      uint32_t *i);

// Nothing that a kernel depends on is missing any more.
//
// @param pool  The machine.
// @param i     Its entry.
// @return BadIndex if no kernel is in this entry; those of the object.
gpusched_status gpusched_tlp_pool_ready(struct gpusched_tlp_pool *pool, uint32_t i);

// Takes out two kernels for an empty machine; the only one if there are no two, nothing (a stall: NoReady) if none is ready.
//
// @param pool    The machine.
// @param picked  Receives kernels for an empty machine.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_pick_pair(struct gpusched_tlp_pool *pool,
                                            struct gpusched_tlp_picked *picked);

// Takes out the partner for a kernel that was left running, of this type, which leans on pref; nothing (a stall: NoReady) if none
// is ready.
//
// @param pool  The machine.
// @param kind  That kernel's gpusched_tlp_type.
// @param pref  Its gpusched_tlp_pref.
// @param next  Receives a partner for the kernel that was left.
// @return BadEnum; Null, Misaligned; those of the object.
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

// The kernel in an entry; BadPoolIndex if none is there.
//
// @return BadPoolIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_pending(const struct gpusched_tlp_pool *pool,
                                          uint32_t i,
                                          struct gpusched_tlp_pending *pending);

// Kernels that were added so far.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_added(const struct gpusched_tlp_pool *pool, uint64_t *added);

// Tells how many bytes gpusched_tlp_pool_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_image_size(const struct gpusched_tlp_pool *pool, size_t *size);

// Saves the whole state.
//
// @param pool    The machine.
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
// @param pool      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_pool_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_pool_restore(struct gpusched_tlp_pool *pool,
                                          const void *image,
                                          size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_TLP_POOL_H
