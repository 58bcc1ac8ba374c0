// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_TLP_SMC_H
#define GPUSCHED_TLP_SMC_H

#include "gpusched_base.h"
#include "gpusched_tlp.h"

// What the search tries.
enum gpusched_tlp_smc_phase
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing: it has not started, or has ended.
    GPUSCHED_TLP_SMC_PHASE_IDLE = 0,
    // The configuration to start from.
    GPUSCHED_TLP_SMC_PHASE_BASE = 1,
    // A TB less of kernel 0.
    GPUSCHED_TLP_SMC_PHASE_B0 = 2,
    // A TB less of kernel 1.
    GPUSCHED_TLP_SMC_PHASE_B1 = 3,
    // The first SM more for kernel 0.
    GPUSCHED_TLP_SMC_PHASE_MORE = 4,
    // Another SM more for kernel 0.
    GPUSCHED_TLP_SMC_PHASE_EVEN_MORE = 5,
    // An SM less for kernel 0.
    GPUSCHED_TLP_SMC_PHASE_LESS = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_smc_phase gpusched_tlp_smc_phase;
#else
typedef uint32_t gpusched_tlp_smc_phase;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// SMC: a search by trial for the split of the SMs between two kernels, and for the TBs of each on its SMs; there must be two SMs
// (else TooFewSms). It lives in storage of the caller, at the address where it was initialised, and owns nothing else; forgetting
// the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_smc gpusched_tlp_smc;

// A configuration to be measured.
typedef struct gpusched_tlp_proposal {
    // SMs of kernel 0 and 1.
    uint32_t sm[2];
    // TBs per SM of kernel 0 and 1.
    uint32_t b[2];
} gpusched_tlp_proposal;

// What follows a measurement.
typedef struct gpusched_tlp_reported {
    // What to measure next; at the end the best that was found.
    struct gpusched_tlp_proposal proposal;
    // Whether the search has ended.
    uint32_t done;
} gpusched_tlp_reported;

#ifdef __cplusplus
extern "C" {
#endif

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_smc_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_smc_layout says.
// @param size     At least what gpusched_tlp_smc_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param smc   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_tlp_smc_init(void *storage,
                                      size_t size,
                                      const struct gpusched_tlp_config *config,
                                      struct gpusched_tlp_smc **smc);

// Starts a search for two kernels, of which an SM holds max TBs when they are alone. What to measure first.
//
// @param smc       The machine.
// @param max0      TBs of kernel 0 that an SM holds when it is alone.
// @param max1      TBs of kernel 1 that an SM holds when it is alone.
// @param proposal  Receives a configuration to be measured.
// @return Busy while a search is on; BadArg for a kernel of which an SM holds no TB; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_start(struct gpusched_tlp_smc *smc,
                                       uint32_t max0,
                                       uint32_t max1,
                                       struct gpusched_tlp_proposal *proposal);

// How good what was proposed last is: any measure, the more the better.
//
// @param smc       The machine.
// @param perf      Any measure, the more the better.
// @param reported  Receives what follows a measurement.
// @return NoProposal before the start and after the end; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_report(struct gpusched_tlp_smc *smc,
                                        uint64_t perf,
                                        struct gpusched_tlp_reported *reported);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_smc_get_config(const struct gpusched_tlp_smc *smc,
                                            struct gpusched_tlp_config *config,
                                            size_t size);

// What the search tries now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_get_phase(const struct gpusched_tlp_smc *smc, uint32_t *phase);

// What waits for a report, or was found; nothing before the first start.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_proposal(const struct gpusched_tlp_smc *smc, struct gpusched_tlp_proposal *proposal);

// The best so far.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_saved(const struct gpusched_tlp_smc *smc, struct gpusched_tlp_proposal *proposal);

// How good it is.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_best(const struct gpusched_tlp_smc *smc, uint64_t *best);

// Tells how many bytes gpusched_tlp_smc_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_image_size(const struct gpusched_tlp_smc *smc, size_t *size);

// Saves the whole state.
//
// @param smc    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smc_save(const struct gpusched_tlp_smc *smc, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_tlp_smc_image_config(const void *image,
                                              size_t image_size,
                                              struct gpusched_tlp_config *config,
                                              size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param smc      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_smc_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_smc_restore(struct gpusched_tlp_smc *smc,
                                         const void *image,
                                         size_t image_size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_TLP_SMC_H
