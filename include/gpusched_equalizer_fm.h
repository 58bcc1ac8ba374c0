// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_EQUALIZER_FM_H
#define GPUSCHED_EQUALIZER_FM_H

#include "gpusched_base.h"

// What becomes of a clock that nobody moves.
enum gpusched_equalizer_idle
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It stays.
    GPUSCHED_EQUALIZER_IDLE_HOLD = 0,
    // It goes one step towards normal.
    GPUSCHED_EQUALIZER_IDLE_RELAX = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_idle gpusched_equalizer_idle;
#else
typedef uint32_t gpusched_equalizer_idle;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What moves a clock.
enum gpusched_equalizer_majority
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // More than half of the SMs that are enabled.
    GPUSCHED_EQUALIZER_MAJORITY_STRICT = 0,
    // More SMs than are for each of the other two.
    GPUSCHED_EQUALIZER_MAJORITY_PLURALITY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_majority gpusched_equalizer_majority;
#else
typedef uint32_t gpusched_equalizer_majority;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What became of a decision.
enum gpusched_equalizer_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing was asked for.
    GPUSCHED_EQUALIZER_OUTCOME_NONE = 0,
    // The last step of the domain is still under way: dropped.
    GPUSCHED_EQUALIZER_OUTCOME_BUSY = 1,
    // There is no further level: dropped.
    GPUSCHED_EQUALIZER_OUTCOME_LIMIT = 2,
    // A step starts.
    GPUSCHED_EQUALIZER_OUTCOME_START = 3,
    // A step that takes no time is done.
    GPUSCHED_EQUALIZER_OUTCOME_DONE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_outcome gpusched_equalizer_outcome;
#else
typedef uint32_t gpusched_equalizer_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Equalizer's frequency manager: votes of the SMs in, levels of the SM and the memory domain out. It begins with both domains
// normal and all SMs enabled. Every call says what cycle it is; cycles never go back, and calls of one cycle act in their order.
// It lives in storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends
// it. One thread at a time may call functions that change it.
//
// TimeOverflow (cycles from 2^63 on) and TimeBackwards are tested first, in this order.
typedef struct gpusched_equalizer_fm gpusched_equalizer_fm;

// Parameters of Equalizer's frequency manager. Fill it with gpusched_equalizer_fm_config_init, then change what you like: a newer
// library adds fields at the end, and programs that were built before keep working.
typedef struct gpusched_equalizer_fm_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMs that vote; SMs, 1 to 256.
    uint32_t sms;
    // Time that a step of the SM domain takes; SM cycles, 0 to 2^24.
    uint32_t sm_transition;
    // Time that a step of the memory domain takes; SM cycles, 0 to 2^24.
    uint32_t mem_transition;
    // A step of frequency and voltage; thousandths, 1 to 999.
    uint32_t step_permille;
    // gpusched_equalizer_majority: What moves a clock.
    uint32_t majority;
    // gpusched_equalizer_idle: What becomes of a clock that nobody moves.
    uint32_t idle;
    // SMs that must be for a step at least, beside the majority; SMs, 0 to 256.
    uint32_t quorum;
} gpusched_equalizer_fm_config;

// Storage of the frequency manager in bits. The source gives no widths.
typedef struct gpusched_equalizer_fm_storage {
    // Level, target and countdown of both domains.
    uint64_t domains;
    // Votes, and whether each SM has voted and is enabled.
    uint64_t votes;
    // Everything.
    uint64_t total;
} gpusched_equalizer_fm_storage;

// What a round decided for one domain.
typedef struct gpusched_equalizer_resolved {
    // SMs for a step up.
    uint32_t up;
    // SMs for none, and those that did not vote.
    uint32_t hold;
    // SMs for a step down.
    uint32_t down;
    // What the majority asks for: -1, 0 or 1.
    int32_t decision;
    // gpusched_equalizer_outcome: what became of that.
    uint32_t outcome;
} gpusched_equalizer_resolved;

// What a round decided.
typedef struct gpusched_equalizer_round {
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
    // For the SMs.
    struct gpusched_equalizer_resolved sm;
    // For the memory.
    struct gpusched_equalizer_resolved mem;
} gpusched_equalizer_round;

// Levels and frequencies.
typedef struct gpusched_equalizer_levels {
    // When the earliest step under way is done; GPUSCHED_NEVER if none is under way.
    uint64_t next;
    // Level of the SMs: -1 low, 0 normal, 1 high.
    int32_t sm;
    // Level of the memory: -1 low, 0 normal, 1 high.
    int32_t mem;
    // Frequency and voltage of the SMs, in thousandths of normal.
    uint32_t sm_permille;
    // Frequency and voltage of the memory, in thousandths of normal.
    uint32_t mem_permille;
} gpusched_equalizer_levels;

// A clock domain.
typedef struct gpusched_equalizer_domain {
    // When its step under way is done; GPUSCHED_NEVER if none is under way.
    uint64_t done_at;
    // Its level: -1 low, 0 normal, 1 high.
    int32_t level;
    // The level that it has, or is on its way to.
    int32_t target;
} gpusched_equalizer_domain;

// What a frequency manager holds, as of the last event.
typedef struct gpusched_equalizer_fm_state {
    // SMs that have voted in this round.
    struct gpusched_smx_set voted;
    // SMs that vote.
    struct gpusched_smx_set enabled;
    // The domain of the SMs.
    struct gpusched_equalizer_domain sm;
    // The domain of the memory.
    struct gpusched_equalizer_domain mem;
} gpusched_equalizer_fm_state;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source, those of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_equalizer_fm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_equalizer_fm_config_init(struct gpusched_equalizer_fm_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_equalizer_fm_config_check(const struct gpusched_equalizer_fm_config *config,
                                                   struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_equalizer_fm_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_equalizer_fm_storage_bits(const struct gpusched_equalizer_fm_config *config,
                                                   struct gpusched_equalizer_fm_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_equalizer_fm_layout(const struct gpusched_equalizer_fm_config *config,
                                             struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_equalizer_fm_layout says.
// @param size     At least what gpusched_equalizer_fm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param fm   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_equalizer_fm_init(void *storage,
                                           size_t size,
                                           const struct gpusched_equalizer_fm_config *config,
                                           struct gpusched_equalizer_fm **fm);

// An SM's vote of this round. The last vote resolves the round.
//
// @param fm        The machine.
// @param now       The cycle, not before that of the last call.
// @param sm        The SM.
// @param sm_vote   For the SMs: -1, 0 or 1.
// @param mem_vote  For the memory: -1, 0 or 1.
// @param round     Receives what a round decided.
// @return BadSm, NotEnabled, BadVote for anything but -1, 0 and 1, AlreadyVoted; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_vote(struct gpusched_equalizer_fm *fm,
                                           uint64_t now,
                                           uint32_t sm,
                                           int32_t sm_vote,
                                           int32_t mem_vote,
                                           struct gpusched_equalizer_round *round);

// Resolves the round; an SM that did not vote is for no step.
//
// @param fm     The machine.
// @param now    The cycle, not before that of the last call.
// @param round  Receives what a round decided.
// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_close(struct gpusched_equalizer_fm *fm,
                                            uint64_t now,
                                            struct gpusched_equalizer_round *round);

// Whether an SM votes: one that hangs or has no power would keep a round open.
//
// @param fm   The machine.
// @param now  The cycle, not before that of the last call.
// @param sm   The SM.
// @param on   0: it does not vote.
// @return BadSm; RoundOpen if somebody has voted; those of the object.
gpusched_status gpusched_equalizer_fm_enable(struct gpusched_equalizer_fm *fm, uint64_t now, uint32_t sm, uint32_t on);

// Both domains are normal at once, and the votes of this round are forgotten: a kernel has ended.
//
// @param fm   The machine.
// @param now  The cycle, not before that of the last call.
// @return TimeOverflow, TimeBackwards; those of the object.
gpusched_status gpusched_equalizer_fm_reset(struct gpusched_equalizer_fm *fm, uint64_t now);

// The levels at this time.
//
// @param fm      The machine.
// @param now     The cycle, not before that of the last call.
// @param levels  Receives levels and frequencies.
// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_levels(struct gpusched_equalizer_fm *fm,
                                             uint64_t now,
                                             struct gpusched_equalizer_levels *levels);

// The configuration.
//
// @param size  sizeof(gpusched_equalizer_fm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_equalizer_fm_get_config(const struct gpusched_equalizer_fm *fm,
                                                 struct gpusched_equalizer_fm_config *config,
                                                 size_t size);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_now(const struct gpusched_equalizer_fm *fm, uint64_t *cycle);

// What it holds.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_get_state(const struct gpusched_equalizer_fm *fm,
                                                struct gpusched_equalizer_fm_state *state);

// When the earliest step under way is done: the machine's next event. GPUSCHED_NEVER if none is under way.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_next_event(const struct gpusched_equalizer_fm *fm, uint64_t *cycle);

// Tells how many bytes gpusched_equalizer_fm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_image_size(const struct gpusched_equalizer_fm *fm, size_t *size);

// Saves the whole state.
//
// @param fm    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_save(const struct gpusched_equalizer_fm *fm,
                                           void *image,
                                           size_t capacity,
                                           size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_equalizer_fm_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_equalizer_fm_image_config(const void *image,
                                                   size_t image_size,
                                                   struct gpusched_equalizer_fm_config *config,
                                                   size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param fm      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_equalizer_fm_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_equalizer_fm_restore(struct gpusched_equalizer_fm *fm,
                                              const void *image,
                                              size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_EQUALIZER_FM_H
