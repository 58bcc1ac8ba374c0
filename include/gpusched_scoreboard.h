// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_SCOREBOARD_H
#define GPUSCHED_SCOREBOARD_H

#include "gpusched_base.h"

// What becomes of an instruction. stall of gpusched_scoreboard_outcome.
enum gpusched_scoreboard_stall
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It issues.
    GPUSCHED_SCOREBOARD_STALL_NONE = 0,
    // It would read a register before its result is there.
    GPUSCHED_SCOREBOARD_STALL_RAW = 1,
    // It would write a register while another result is on its way.
    GPUSCHED_SCOREBOARD_STALL_WAW = 2,
    // No entry is free for its destination.
    GPUSCHED_SCOREBOARD_STALL_FULL = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_scoreboard_stall gpusched_scoreboard_stall;
#else
typedef uint32_t gpusched_scoreboard_stall;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The scoreboard of an SM: instructions and their results in, whether they may issue out. It has no clock. It lives in storage of
// the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time
// may call functions that change it.
typedef struct gpusched_scoreboard gpusched_scoreboard;

// Parameters of Scoreboard. Fill it with gpusched_scoreboard_config_init, then change what you like: a newer library adds fields
// at the end, and programs that were built before keep working.
typedef struct gpusched_scoreboard_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Warps of the SM; warps, 1 to 64.
    uint32_t warps;
    // Registers of a warp; registers, 1 to 256.
    uint32_t regs;
    // Registers of a warp that may be pending at the same time; 0: all; registers, 0 to 256.
    uint32_t entries;
} gpusched_scoreboard_config;

// Storage of an SM in bits. The source gives no figure of its own.
typedef struct gpusched_scoreboard_storage {
    // One pending bit and one memory bit per register and warp.
    uint64_t marks;
    // How many registers of each warp are pending.
    uint64_t counts;
    // Everything.
    uint64_t total;
} gpusched_scoreboard_storage;

// What becomes of an instruction.
typedef struct gpusched_scoreboard_outcome {
    // gpusched_scoreboard_stall.
    uint32_t stall;
    // Registers of this warp that are pending; 0 if it stalls.
    uint32_t pending;
    // Registers of all warps that wait for memory; 0 if it stalls.
    uint32_t mem_in_flight;
    // The register that it waits for; GPUSCHED_NONE if it waits for none.
    uint32_t reg;
} gpusched_scoreboard_outcome;

// What is pending after a call.
typedef struct gpusched_scoreboard_issued {
    // Registers of this warp.
    uint32_t pending;
    // Registers of all warps that wait for memory.
    uint32_t mem_in_flight;
} gpusched_scoreboard_issued;

// Registers of a warp that are pending, as sets.
typedef struct gpusched_scoreboard_waits {
    // Registers that wait for a result. Bit b of word w is register 64w + b.
    uint64_t pending[4];
    // Those of them that wait for memory.
    uint64_t memory[4];
} gpusched_scoreboard_waits;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of an SM of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_scoreboard_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_scoreboard_config_init(struct gpusched_scoreboard_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_scoreboard_config_check(const struct gpusched_scoreboard_config *config,
                                                 struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_scoreboard_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_scoreboard_storage_bits(const struct gpusched_scoreboard_config *config,
                                                 struct gpusched_scoreboard_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_scoreboard_layout(const struct gpusched_scoreboard_config *config,
                                           struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_scoreboard_layout says.
// @param size     At least what gpusched_scoreboard_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param scoreboard   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_scoreboard_init(void *storage,
                                         size_t size,
                                         const struct gpusched_scoreboard_config *config,
                                         struct gpusched_scoreboard **scoreboard);

// An instruction of a warp wants to issue, which reads sources, tested in this order, and writes destination; memory says whether
// that comes from memory.
//
// @param scoreboard   The machine.
// @param warp         Its warp.
// @param sources      Registers that it reads, in the order in which they are tested; null if there are none.
// @param count        Their number.
// @param destination  The register that it writes; GPUSCHED_NONE: none.
// @param memory       Not 0: the result comes from memory.
// @param outcome      Receives what becomes of an instruction.
// @return BadWarp; BadArg if it has more sources than four (MAX_SOURCES); BadReg; Null, Misaligned; those of the object.
gpusched_status gpusched_scoreboard_issue(struct gpusched_scoreboard *scoreboard,
                                          uint32_t warp,
                                          const uint32_t *sources,
                                          size_t count,
                                          uint32_t destination,
                                          uint32_t memory,
                                          struct gpusched_scoreboard_outcome *outcome);

// A result is written.
//
// @param scoreboard  The machine.
// @param warp        Its warp.
// @param reg         The register.
// @param issued      Receives what is pending after a call. May be null.
// @return BadWarp, BadReg, NotPending; Null, Misaligned; those of the object.
gpusched_status gpusched_scoreboard_writeback(struct gpusched_scoreboard *scoreboard,
                                              uint32_t warp,
                                              uint32_t reg,
                                              struct gpusched_scoreboard_issued *issued);

// Nothing of a warp is pending any more. How many registers were.
//
// @param scoreboard  The machine.
// @param warp        The warp.
// @param dropped     Receives how many registers were pending. May be null.
// @return BadWarp; Null, Misaligned; those of the object.
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
gpusched_status gpusched_scoreboard_mem_in_flight(const struct gpusched_scoreboard *scoreboard,
                                                  uint32_t *mem_in_flight);

// The registers of a warp that are pending; BadWarp if there is no such warp.
//
// @return BadWarp; Null, Misaligned; those of the object.
gpusched_status gpusched_scoreboard_get_waits(const struct gpusched_scoreboard *scoreboard,
                                              uint32_t warp,
                                              struct gpusched_scoreboard_waits *waits);

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

#endif  // GPUSCHED_SCOREBOARD_H
