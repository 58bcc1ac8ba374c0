// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_STACK_H
#define GPUSCHED_STACK_H

#include "gpusched_base.h"

// Which path of a divergent branch runs first.
enum gpusched_stack_first
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // That of the lanes that do not take the branch: the next instructions in memory.
    GPUSCHED_STACK_FIRST_FALL = 0,
    // That of the lanes that take it.
    GPUSCHED_STACK_FIRST_TAKEN = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_stack_first gpusched_stack_first;
#else
typedef uint32_t gpusched_stack_first;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The reconvergence stack of a warp: where each instruction led goes in, what runs next comes out. It has no clock. It lives in
// storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One
// thread at a time may call functions that change it.
typedef struct gpusched_stack gpusched_stack;

// Parameters of Stack. Fill it with gpusched_stack_config_init, then change what you like: a newer library adds fields at the end,
// and programs that were built before keep working.
typedef struct gpusched_stack_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Lanes of the warp; lanes, 1 to 64.
    uint32_t lanes;
    // Entries of the stack; entries, 1 to 126.
    uint32_t depth;
    // gpusched_stack_first: Which path runs first.
    uint32_t first;
    // Whether entries that change nothing are left out; 0 or 1.
    uint32_t compact;
} gpusched_stack_config;

// Storage of a warp in bits. The source gives no figure of its own.
typedef struct gpusched_stack_storage {
    // PC, mask, and whether the warp is live.
    uint64_t registers;
    // The entries: reconvergence PC, mask and next PC each.
    uint64_t entries;
    // How many of them are in use, which the sheet does not count.
    uint64_t pointer;
    // Everything.
    uint64_t total;
} gpusched_stack_storage;

// What runs next.
typedef struct gpusched_stack_running {
    // The lanes.
    uint64_t mask;
    // Where.
    uint32_t pc;
    // Entries on the stack.
    uint32_t depth;
    // Entries that this call popped.
    uint32_t pops;
    // Whether all lanes have exited.
    uint32_t done;
} gpusched_stack_running;

// A branch.
typedef struct gpusched_stack_branching {
    // Lanes that take it.
    uint64_t taken;
    // Where they go.
    uint32_t taken_pc;
    // Where the others go.
    uint32_t fall_pc;
    // Where all of them meet again; GPUSCHED_NONE: nowhere.
    uint32_t reconv;
    // 0.
    uint32_t reserved;
} gpusched_stack_branching;

// Lanes that wait for their turn.
typedef struct gpusched_stack_entry {
    // The lanes.
    uint64_t mask;
    // The PC at which what runs before them ends; GPUSCHED_NONE: only when all of its lanes have exited.
    uint32_t reconv;
    // Where they go on.
    uint32_t next;
} gpusched_stack_entry;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with a warp of 32 lanes, with a stack that cannot overflow.
//
// @param config  Written.
// @param size    sizeof(gpusched_stack_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_stack_config_init(struct gpusched_stack_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_stack_config_check(const struct gpusched_stack_config *config,
                                            struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_stack_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_stack_storage_bits(const struct gpusched_stack_config *config,
                                            struct gpusched_stack_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_stack_layout(const struct gpusched_stack_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_stack_layout says.
// @param size     At least what gpusched_stack_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param stack   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_stack_init(void *storage,
                                    size_t size,
                                    const struct gpusched_stack_config *config,
                                    struct gpusched_stack **stack);

// The warp begins, whatever it was.
//
// @param stack    The machine.
// @param pc       Where; not GPUSCHED_NONE.
// @param mask     Its lanes, a bit each.
// @param running  Receives what runs next.
// @return BadPc; BadMask if it has no lanes, or lanes that there are not; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_start(struct gpusched_stack *stack,
                                     uint32_t pc,
                                     uint64_t mask,
                                     struct gpusched_stack_running *running);

// All of its lanes go on at pc.
//
// @param stack    The machine.
// @param pc       Where; not GPUSCHED_NONE.
// @param running  Receives what runs next.
// @return WarpDone, BadPc; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_advance(struct gpusched_stack *stack,
                                       uint32_t pc,
                                       struct gpusched_stack_running *running);

// Some of its lanes may go elsewhere.
//
// @param stack    The machine.
// @param branch   The branch.
// @param running  Receives what runs next.
// @return WarpDone, BadPc; BadMask if lanes take it that do not run; StackOverflow; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_branch(struct gpusched_stack *stack,
                                      const struct gpusched_stack_branching *branch,
                                      struct gpusched_stack_running *running);

// models-S5: lanes end.
//
// @param stack    The machine.
// @param lanes    The lanes, a bit each.
// @param running  Receives what runs next.
// @return WarpDone; BadMask if there are none, or one does not run; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_exit(struct gpusched_stack *stack,
                                    uint64_t lanes,
                                    struct gpusched_stack_running *running);

// The configuration.
//
// @param size  sizeof(gpusched_stack_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_stack_get_config(const struct gpusched_stack *stack,
                                          struct gpusched_stack_config *config,
                                          size_t size);

// What runs now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_stack_get_running(const struct gpusched_stack *stack, struct gpusched_stack_running *running);

// The entries, from the bottom.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_entries(const struct gpusched_stack *stack,
                                       struct gpusched_stack_entry *list,
                                       size_t capacity,
                                       size_t *count);

// Tells how many bytes gpusched_stack_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_stack_image_size(const struct gpusched_stack *stack, size_t *size);

// Saves the whole state.
//
// @param stack    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_save(const struct gpusched_stack *stack, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_stack_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_stack_image_config(const void *image,
                                            size_t image_size,
                                            struct gpusched_stack_config *config,
                                            size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param stack      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_stack_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_stack_restore(struct gpusched_stack *stack,
                                       const void *image,
                                       size_t image_size);

// Fills a configuration: a warp of so many lanes, with a stack that cannot overflow.
//
// @param config  Written.
// @param size    sizeof(gpusched_stack_config) in the caller's header.
// @param lanes   1 to 64.
// @return BadConfig; Null, Misaligned, BadStructSize.
gpusched_status gpusched_stack_config_of_lanes(struct gpusched_stack_config *config, size_t size, uint32_t lanes);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_STACK_H
