// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_COALESCER_H
#define GPUSCHED_COALESCER_H

#include "gpusched_base.h"

// How accesses become transactions.
enum gpusched_coalescer_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One transaction per segment.
    GPUSCHED_COALESCER_MODE_COMBINE = 0,
    // As before compute version 1.2: one per segment if lanes are in sequence, else one per lane.
    GPUSCHED_COALESCER_MODE_LEGACY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_coalescer_mode gpusched_coalescer_mode;
#else
typedef uint32_t gpusched_coalescer_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Parameters of Coalescer. Fill it with gpusched_coalescer_config_init, then change what you like: a newer library adds fields at
// the end, and programs that were built before keep working.
typedef struct gpusched_coalescer_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Lanes of the warp; lanes, 1 to 64.
    uint32_t lanes;
    // Bytes of a transaction; bytes, 16 to 4096, a power of two.
    uint32_t segment;
    // gpusched_coalescer_mode: How accesses become transactions.
    uint32_t mode;
    // Whether a lane may ask for bytes that do not begin at a multiple of their number; 0 or 1.
    uint32_t allow_misaligned;
} gpusched_coalescer_config;

// A transaction.
typedef struct gpusched_coalescer_segment {
    // Address of its first byte.
    uint64_t base;
    // Lanes that it serves, a bit each.
    uint64_t lanes;
} gpusched_coalescer_segment;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with a warp of 32 lanes and lines of 128 bytes.
//
// @param config  Written.
// @param size    sizeof(gpusched_coalescer_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_coalescer_config_init(struct gpusched_coalescer_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
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
gpusched_status gpusched_coalescer_access(const struct gpusched_coalescer_config *config,
                                          uint64_t mask,
                                          const uint64_t *addresses,
                                          size_t lanes,
                                          uint32_t size,
                                          struct gpusched_coalescer_segment *segments,
                                          size_t capacity,
                                          size_t *count,
                                          uint32_t *coalesced);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_COALESCER_H
