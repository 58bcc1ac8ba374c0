// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_MONTE_H
#define GPUSCHED_MONTE_H

#include "gpusched_base.h"

// A level of the hierarchy.
enum gpusched_monte_level
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The L1s together.
    GPUSCHED_MONTE_LEVEL_L1 = 0,
    // The L2.
    GPUSCHED_MONTE_LEVEL_L2 = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_monte_level gpusched_monte_level;
#else
typedef uint32_t gpusched_monte_level;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whose request is next.
enum gpusched_monte_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Any stream that has requests left, with the same chance.
    GPUSCHED_MONTE_ORDER_UNIFORM_WARP = 0,
    // Any request that is left, with the same chance: so every interleaving has the same.
    GPUSCHED_MONTE_ORDER_WEIGHTED = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_monte_order gpusched_monte_order;
#else
typedef uint32_t gpusched_monte_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A stochastic memory hierarchy: what warps access goes in, how often two levels of caches hit comes out, over runs in which the
// warps interleave at random. It lives in storage of the caller, at the address where it was initialised, and owns nothing else;
// forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_monte gpusched_monte;

// Parameters of Monte. Fill it with gpusched_monte_config_init, then change what you like: a newer library adds fields at the end,
// and programs that were built before keep working.
typedef struct gpusched_monte_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMs, each with an L1; SMs, 1 to 64.
    uint32_t sms;
    // Sets of an L1; sets, 1 to 4096.
    uint32_t l1_sets;
    // Ways of an L1; ways, 1 to 64.
    uint32_t l1_ways;
    // Line of an L1; bytes, 1 to 4096, a power of two.
    uint32_t l1_line;
    // Sets of the L2; sets, 1 to 4096.
    uint32_t l2_sets;
    // Ways of the L2; ways, 1 to 64.
    uint32_t l2_ways;
    // Line of the L2; bytes, 1 to 4096, a power of two.
    uint32_t l2_line;
    // Bins of the histograms; bins, 1 to 128.
    uint32_t bins;
    // How far ratios of reliable runs may be apart; thousandths, 0 to 1000.
    uint32_t tol_permille;
    // Requests of all warps; requests, 0 to 4294967295.
    uint32_t max_requests;
    // Sites that are told apart; sites, 1 to 256.
    uint32_t sites;
    // gpusched_monte_order: Whose request is next.
    uint32_t pick;
    // Whether a store brings its line into the L1; 0 or 1.
    uint32_t l1_store_alloc;
} gpusched_monte_config;

// Hits and loads of a run.
typedef struct gpusched_monte_extreme {
    // Hits.
    uint64_t hits;
    // Loads; 0 if there is no such run.
    uint64_t loads;
} gpusched_monte_extreme;

// One level of the hierarchy over all runs.
typedef struct gpusched_monte_tally {
    // Loads.
    uint64_t loads;
    // Loads that hit.
    uint64_t hits;
    // The first run of the least ratio of hits.
    struct gpusched_monte_extreme min;
    // The first run of the greatest ratio of hits.
    struct gpusched_monte_extreme max;
    // Runs without loads.
    uint32_t empty;
    // The fullest bin of the histogram, the lowest of several; 0 if all are empty.
    uint32_t mode;
    // Whether some run had loads, and no two ratios of hits are further apart than tol_permille.
    uint32_t reliable;
    // 0.
    uint32_t reserved;
} gpusched_monte_tally;

// One site over all runs.
typedef struct gpusched_monte_site_tally {
    // Loads.
    uint64_t l1_loads;
    // Loads that hit an L1.
    uint64_t l1_hits;
    // Loads that came to the L2.
    uint64_t l2_loads;
    // Loads that hit the L2.
    uint64_t l2_hits;
} gpusched_monte_site_tally;

// An access to memory.
typedef struct gpusched_monte_request {
    // Byte address.
    uint64_t address;
    // Where in the kernel it is, below the configuration's sites.
    uint32_t site;
    // Not 0: it is a store.
    uint32_t store;
} gpusched_monte_request;

// What a warp accesses, in program order.
typedef struct gpusched_monte_warp {
    // Its accesses; may be null if there are none.
    const struct gpusched_monte_request *requests;
    // Their number.
    size_t count;
    // Its SM.
    uint32_t sm;
    // Not looked at.
    uint32_t reserved;
} gpusched_monte_warp;

// Scratch memory for one request. Its content does not matter.
typedef struct gpusched_monte_slot {
    // Not for you.
    uint64_t opaque[3];
} gpusched_monte_slot;

// What all warps access, and memory to put it in order.
typedef struct gpusched_monte_trace {
    // The warps, in a fixed order; may be null if there are none.
    const struct gpusched_monte_warp *warps;
    // Their number.
    size_t count;
    // Scratch memory; may be null if there are no requests.
    struct gpusched_monte_slot *scratch;
    // Slots of it: as many as there are requests, or more.
    size_t slots;
} gpusched_monte_trace;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with one SM of a GTX 480 and its L2.
//
// @param config  Written.
// @param size    sizeof(gpusched_monte_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_monte_config_init(struct gpusched_monte_config *config, size_t size);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_monte_config_check(const struct gpusched_monte_config *config,
                                            struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_monte_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_monte_layout(const struct gpusched_monte_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_monte_layout says.
// @param size     At least what gpusched_monte_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param monte   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_monte_init(void *storage,
                                    size_t size,
                                    const struct gpusched_monte_config *config,
                                    struct gpusched_monte **monte);

// Forgets all runs. Those that follow are made of this seed.
//
// @param monte  The machine.
// @param seed   Equal seeds give equal results.
// @return Those of the object.
gpusched_status gpusched_monte_start(struct gpusched_monte *monte, uint64_t seed);

// The configuration.
//
// @param size  sizeof(gpusched_monte_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_monte_get_config(const struct gpusched_monte *monte,
                                          struct gpusched_monte_config *config,
                                          size_t size);

// The seed of its runs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_monte_seed(const struct gpusched_monte *monte, uint64_t *seed);

// Runs so far.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_monte_runs(const struct gpusched_monte *monte, uint32_t *runs);

// Stores of all runs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_monte_stores(const struct gpusched_monte *monte, uint64_t *stores);

// What the runs came to in a level.
//
// @return BadEnum; Null, Misaligned; those of the object.
gpusched_status gpusched_monte_get_level(const struct gpusched_monte *monte,
                                         uint32_t level,
                                         struct gpusched_monte_tally *tally);

// Runs by their ratio of hits: bin i of b holds ratios from i/b to below (i+1)/b, the last one also a ratio of 1.
//
// @return Capacity: count is more than capacity; BadEnum; Null, Misaligned; those of the object.
gpusched_status gpusched_monte_histogram(const struct gpusched_monte *monte,
                                         uint32_t level,
                                         uint32_t *list,
                                         size_t capacity,
                                         size_t *count);

// Loads and hits of a site over all runs; BadSite if there is no such site.
//
// @return BadSite; Null, Misaligned; those of the object.
gpusched_status gpusched_monte_site(const struct gpusched_monte *monte,
                                    uint32_t site,
                                    struct gpusched_monte_site_tally *site_tally);

// Tells how many bytes gpusched_monte_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_monte_image_size(const struct gpusched_monte *monte, size_t *size);

// Saves the whole state.
//
// @param monte    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_monte_save(const struct gpusched_monte *monte, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_monte_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_monte_image_config(const void *image,
                                            size_t image_size,
                                            struct gpusched_monte_config *config,
                                            size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param monte      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_monte_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_monte_restore(struct gpusched_monte *monte,
                                       const void *image,
                                       size_t image_size);

// Makes so many runs, the former ones forgotten. Their work is runs x requests.
//
// @param monte  The object.
// @param trace  What the warps access.
// @param runs   1 to 2^20.
// @param seed   Equal seeds give equal results.
// @return BadArg (runs), BadSm, BadSite, TooManyRequests: more than max_requests, or than there are slots; Null, Misaligned, Capacity;
// those of the object.
gpusched_status gpusched_monte_simulate(struct gpusched_monte *monte,
                                        const struct gpusched_monte_trace *trace,
                                        uint32_t runs,
                                        uint64_t seed);

// Makes the next run: as gpusched_monte_simulate, one run per call. Results only mean something if all runs since gpusched_monte_start
// were of the same trace.
//
// @param monte  The object.
// @param trace  What the warps access.
// @return BadArg: there were 2^20 runs; BadSm, BadSite, TooManyRequests; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_monte_run(struct gpusched_monte *monte,
                                   const struct gpusched_monte_trace *trace);

// Tells random numbers of a run, for tests.
//
// @param seed     The seed.
// @param run      The run, from 0.
// @param below    Numbers are below this; 0: they have 64 bits.
// @param numbers  Written.
// @param count    How many; if it is 0, numbers may be null.
// @return Null, Misaligned, Capacity.
gpusched_status gpusched_monte_rng(uint64_t seed, uint32_t run, uint64_t below, uint64_t *numbers, size_t count);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_MONTE_H
