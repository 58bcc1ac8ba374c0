// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-tests --bin header

#ifndef GPUSCHED_SIMT_H
#define GPUSCHED_SIMT_H

#include "gpusched_base.h"

// Which path of a divergent branch runs first.
enum gpusched_stack_first
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // That of the lanes that do not take the branch.
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

// How accesses become transactions.
enum gpusched_coalesce_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One transaction per segment.
    GPUSCHED_COALESCE_MODE_COMBINE = 0,
    // As before compute version 1.2: one per segment if lanes are in sequence, else one per lane.
    GPUSCHED_COALESCE_MODE_LEGACY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_coalesce_mode gpusched_coalesce_mode;
#else
typedef uint32_t gpusched_coalesce_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why an instruction does not issue.
enum gpusched_stall
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It issues.
    GPUSCHED_STALL_NONE = 0,
    // It would read a register before its result is there.
    GPUSCHED_STALL_RAW = 1,
    // It would write a register while another result is on its way.
    GPUSCHED_STALL_WAW = 2,
    // No entry is free for its destination.
    GPUSCHED_STALL_FULL = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_stall gpusched_stall;
#else
typedef uint32_t gpusched_stall;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The scoreboard of an SM: instructions and their results in, whether they may issue out. It has no clock. It lives in storage of the
// caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call
// functions that change it.
typedef struct gpusched_scoreboard gpusched_scoreboard;

// The reconvergence stack of a warp: where each instruction led goes in, what runs next comes out. It has no clock. It lives in storage
// of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time
// may call functions that change it.
typedef struct gpusched_stack gpusched_stack;

// Parameters of a reconvergence stack. Fill it with gpusched_stack_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
// before keep working.
typedef struct gpusched_stack_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Lanes of the warp; lanes, 1 to 64.
    uint32_t lanes;
    // Entries of the stack; entries, 1 to 126. 2 * (lanes - 1) never overflow.
    uint32_t depth;
    // gpusched_stack_first.
    uint32_t first;
    // Entries that change nothing are left out; 0 or 1.
    uint32_t compact;
} gpusched_stack_config;

// What a warp's stack would cost in hardware, in bits, laid out as the sheet does.
typedef struct gpusched_stack_storage {
    // PC, mask, and whether the warp is live.
    uint64_t registers;
    // The entries: reconvergence PC, mask and next PC each.
    uint64_t entries;
    // How many of them are in use.
    uint64_t pointer;
    // Everything.
    uint64_t total;
} gpusched_stack_storage;

// What runs next.
typedef struct gpusched_running {
    // The lanes, a bit each.
    uint64_t mask;
    // Where.
    uint32_t pc;
    // Entries on the stack.
    uint32_t depth;
    // Entries that this call popped.
    uint32_t pops;
    // 1 if all lanes have exited, else 0.
    uint32_t done;
} gpusched_running;

// A branch.
typedef struct gpusched_branch {
    // Lanes that take it, a bit each.
    uint64_t taken;
    // Where they go.
    uint32_t taken_pc;
    // Where the others go.
    uint32_t fall_pc;
    // Where all of them meet again; GPUSCHED_NONE: nowhere.
    uint32_t reconv;
    // Not looked at.
    uint32_t reserved;
} gpusched_branch;

// Lanes that wait for their turn.
typedef struct gpusched_stack_entry {
    // The lanes, a bit each.
    uint64_t mask;
    // The PC at which what runs before them ends; GPUSCHED_NONE: only when all of its lanes have exited.
    uint32_t reconv;
    // Where they go on.
    uint32_t next;
} gpusched_stack_entry;

// Parameters of a coalescer. Fill it with gpusched_coalescer_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
// before keep working.
typedef struct gpusched_coalescer_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Lanes of the warp; lanes, 1 to 64.
    uint32_t lanes;
    // Bytes of a transaction; bytes, 16 to 4096, a power of two.
    uint32_t segment;
    // gpusched_coalesce_mode.
    uint32_t mode;
    // A lane may ask for bytes that do not begin at a multiple of their number; 0 or 1.
    uint32_t allow_misaligned;
} gpusched_coalescer_config;

// A transaction.
typedef struct gpusched_segment {
    // Address of its first byte.
    uint64_t base;
    // Lanes that it serves, a bit each.
    uint64_t lanes;
} gpusched_segment;

// Parameters of a scoreboard. Fill it with gpusched_scoreboard_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
// before keep working.
typedef struct gpusched_scoreboard_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Warps of the SM; warps, 1 to 64.
    uint32_t warps;
    // Registers of a warp; registers, 1 to 256.
    uint32_t regs;
    // Registers of a warp that may be pending at the same time; registers, 0 to 256. 0: all.
    uint32_t entries;
} gpusched_scoreboard_config;

// What a scoreboard would cost in hardware, in bits, laid out as the sheet does.
typedef struct gpusched_scoreboard_storage {
    // One pending bit and one memory bit per register and warp.
    uint64_t marks;
    // How many registers of each warp are pending.
    uint64_t counts;
    // Everything.
    uint64_t total;
} gpusched_scoreboard_storage;

// What becomes of an instruction, or what is pending after a result.
typedef struct gpusched_issue {
    // gpusched_stall.
    uint32_t stall;
    // The register that it waits for; GPUSCHED_NONE if it waits for none.
    uint32_t reg;
    // Registers of this warp that are pending; 0 if it stalls.
    uint32_t pending;
    // Registers of all warps that wait for memory; 0 if it stalls.
    uint32_t mem_in_flight;
} gpusched_issue;

// Registers of a warp that are pending. Bit b of word w is register 64w + b.
typedef struct gpusched_warp_regs {
    // Registers that wait for a result.
    uint64_t pending[4];
    // Those of them that wait for memory.
    uint64_t memory[4];
} gpusched_warp_regs;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration: a warp of 32 lanes, with a stack that cannot overflow.
//
// @param config  Written.
// @param size    sizeof(gpusched_stack_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_stack_config_init(struct gpusched_stack_config *config, size_t size);

// Fills a configuration: a warp of so many lanes, with a stack that cannot overflow.
//
// @param config  Written.
// @param size    sizeof(gpusched_stack_config) in the caller's header.
// @param lanes   1 to 64.
// @return BadConfig; Null, Misaligned, BadStructSize.
gpusched_status gpusched_stack_config_of_lanes(struct gpusched_stack_config *config, size_t size, uint32_t lanes);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_stack_config_check(const struct gpusched_stack_config *config,
                                            struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_stack_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the memory that the stack of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_stack_layout(const struct gpusched_stack_config *config, struct gpusched_layout *layout);

// Builds the stack of a warp in memory of the caller; the warp is not live yet. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the object is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_stack_layout says.
// @param size     At least what gpusched_stack_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param stack    Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_stack_init(void *storage,
                                    size_t size,
                                    const struct gpusched_stack_config *config,
                                    struct gpusched_stack **stack);

// Tells what a warp's stack would cost in hardware.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_stack_storage_bits(const struct gpusched_stack_config *config,
                                            struct gpusched_stack_storage *storage);

// The warp begins, whatever it was before.
//
// @param stack    The stack.
// @param pc       Where.
// @param mask     Its lanes, a bit each.
// @param running  Receives what runs next.
// @return BadPc, BadMask; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_start(struct gpusched_stack *stack,
                                     uint32_t pc,
                                     uint64_t mask,
                                     struct gpusched_running *running);

// All lanes that run go on at another PC.
//
// @param stack    The stack.
// @param pc       Where.
// @param running  Receives what runs next.
// @return WarpDone, BadPc; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_advance(struct gpusched_stack *stack, uint32_t pc, struct gpusched_running *running);

// Some lanes of those that run may go elsewhere.
//
// @param stack    The stack.
// @param branch   Who goes where.
// @param running  Receives what runs next.
// @return WarpDone, BadPc, BadMask, StackOverflow; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_branch(struct gpusched_stack *stack,
                                      const struct gpusched_branch *branch,
                                      struct gpusched_running *running);

// Lanes of those that run end.
//
// @param stack    The stack.
// @param lanes    Which, a bit each.
// @param running  Receives what runs next.
// @return WarpDone, BadMask; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_exit(struct gpusched_stack *stack, uint64_t lanes, struct gpusched_running *running);

// The configuration.
//
// @param size  sizeof(gpusched_stack_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_stack_get_config(const struct gpusched_stack *stack,
                                          struct gpusched_stack_config *config,
                                          size_t size);

// What runs, as the last call told it; a warp that has not begun is done. `pops` is 0.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_stack_running(const struct gpusched_stack *stack, struct gpusched_running *running);

// The entries, from the bottom.
//
// @param stack     The stack.
// @param entries   Written as far as it reaches.
// @param capacity  Elements of that array; if it is 0, entries may be null.
// @param count     Receives their number, also if it is more than that.
// @return Capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_stack_entries(const struct gpusched_stack *stack,
                                       struct gpusched_stack_entry *entries,
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

// Fills a configuration: a warp of 32 lanes and lines of 128 bytes.
//
// @param config  Written.
// @param size    sizeof(gpusched_coalescer_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_coalescer_config_init(struct gpusched_coalescer_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_coalescer_config_check(const struct gpusched_coalescer_config *config,
                                                struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_coalescer_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the transactions of an access, in the order of first touch. A coalescer has no state: this is all there is of it.
//
// @param config     An initialised configuration.
// @param mask       Active lanes, a bit each.
// @param addresses  An address per lane; those of lanes that are not active are not looked at.
// @param lanes      Their number, that of the configuration.
// @param size       Bytes per lane: 1, 2, 4, 8 or 16.
// @param segments   Receives the transactions.
// @param capacity   Elements of that array; twice the lanes always suffice, the lanes if no access is misaligned. If it is 0, segments
//                   may be null.
// @param count      Receives their number, also if the result is Capacity.
// @param coalesced  Receives 1 if the access is coalesced, else 0. May be null.
// @return BadConfig, BadMask, BadSize, BadArg (number of addresses), AddressWrap, Misaligned; Null, BadStructSize, WrongVersion;
// Capacity: there are more transactions than the array holds, which is full.
gpusched_status gpusched_coalesce(const struct gpusched_coalescer_config *config,
                                  uint64_t mask,
                                  const uint64_t *addresses,
                                  size_t lanes,
                                  uint32_t size,
                                  struct gpusched_segment *segments,
                                  size_t capacity,
                                  size_t *count,
                                  uint32_t *coalesced);

// Fills a configuration: an SM of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_scoreboard_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_scoreboard_config_init(struct gpusched_scoreboard_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_scoreboard_config_check(const struct gpusched_scoreboard_config *config,
                                                 struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_scoreboard_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the memory that the scoreboard of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_scoreboard_layout(const struct gpusched_scoreboard_config *config,
                                           struct gpusched_layout *layout);

// Builds a scoreboard in memory of the caller; nothing is pending. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the object is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_scoreboard_layout says.
// @param size     At least what gpusched_scoreboard_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param scoreboard Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_scoreboard_init(void *storage,
                                         size_t size,
                                         const struct gpusched_scoreboard_config *config,
                                         struct gpusched_scoreboard **scoreboard);

// Tells what a scoreboard would cost in hardware.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_scoreboard_storage_bits(const struct gpusched_scoreboard_config *config,
                                                 struct gpusched_scoreboard_storage *storage);

// An instruction wants to issue.
//
// @param scoreboard   The scoreboard.
// @param warp         Its warp.
// @param sources      Registers that it reads, in the order in which they are tested; null if there are none.
// @param count        Their number, at most 4.
// @param destination  The register that it writes; GPUSCHED_NONE: none.
// @param memory       Not 0: the result comes from memory.
// @param issue        Receives what becomes of it.
// @return BadWarp, BadArg (number of sources), BadReg; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_scoreboard_issue(struct gpusched_scoreboard *scoreboard,
                                          uint32_t warp,
                                          const uint32_t *sources,
                                          size_t count,
                                          uint32_t destination,
                                          uint32_t memory,
                                          struct gpusched_issue *issue);

// A result is written.
//
// @param scoreboard  The scoreboard.
// @param warp        Its warp.
// @param reg         The register.
// @param after       Receives what is pending then. May be null.
// @return BadWarp, BadReg, NotPending; Misaligned; those of the object.
gpusched_status gpusched_scoreboard_writeback(struct gpusched_scoreboard *scoreboard,
                                              uint32_t warp,
                                              uint32_t reg,
                                              struct gpusched_issue *after);

// Nothing of a warp is pending any more: it has ended, or a result was lost.
//
// @param scoreboard  The scoreboard.
// @param warp        The warp.
// @param dropped     Receives how many registers were pending. May be null.
// @return BadWarp; Misaligned; those of the object.
gpusched_status gpusched_scoreboard_flush(struct gpusched_scoreboard *scoreboard, uint32_t warp, uint32_t *dropped);

// The configuration.
//
// @param size  sizeof(gpusched_scoreboard_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_scoreboard_get_config(const struct gpusched_scoreboard *scoreboard,
                                               struct gpusched_scoreboard_config *config,
                                               size_t size);

// Registers of all warps that wait for memory.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_scoreboard_mem_in_flight(const struct gpusched_scoreboard *scoreboard, uint32_t *count);

// The registers of a warp that are pending.
//
// @return BadWarp; Null, Misaligned; those of the object.
gpusched_status gpusched_scoreboard_warp(const struct gpusched_scoreboard *scoreboard,
                                         uint32_t warp,
                                         struct gpusched_warp_regs *regs);

// Tells how many bytes gpusched_scoreboard_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_scoreboard_image_size(const struct gpusched_scoreboard *scoreboard, size_t *size);

// Saves the whole state.
//
// @param scoreboard    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_scoreboard_save(const struct gpusched_scoreboard *scoreboard,
                                         void *image,
                                         size_t capacity,
                                         size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_scoreboard_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_scoreboard_image_config(const void *image,
                                                 size_t image_size,
                                                 struct gpusched_scoreboard_config *config,
                                                 size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param scoreboard      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_scoreboard_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_scoreboard_restore(struct gpusched_scoreboard *scoreboard,
                                            const void *image,
                                            size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_SIMT_H
