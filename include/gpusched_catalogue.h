// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_CATALOGUE_H
#define GPUSCHED_CATALOGUE_H

#include "gpusched_base.h"
#include "gpusched_frontend.h"

// The most SMXs.
#define GPUSCHED_CATALOGUE_SMXS 256

// The most slots of streams.
#define GPUSCHED_CATALOGUE_STREAMS 64

// How much an SMX steals.
enum gpusched_catalogue_amount
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Half of what the victim has, rounded up.
    GPUSCHED_CATALOGUE_AMOUNT_HALF = 0,
    // One TB.
    GPUSCHED_CATALOGUE_AMOUNT_ONE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_amount gpusched_catalogue_amount;
#else
typedef uint32_t gpusched_catalogue_amount;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a TB costs its stream.
enum gpusched_catalogue_cost
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // 1.
    GPUSCHED_CATALOGUE_COST_TBS = 0,
    // Its threads.
    GPUSCHED_CATALOGUE_COST_THREADS = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_cost gpusched_catalogue_cost;
#else
typedef uint32_t gpusched_catalogue_cost;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What TBs are divided among.
enum gpusched_catalogue_domain
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // SMXs.
    GPUSCHED_CATALOGUE_DOMAIN_SMX = 0,
    // TPCs.
    GPUSCHED_CATALOGUE_DOMAIN_TPC = 1,
    // GPCs.
    GPUSCHED_CATALOGUE_DOMAIN_GPC = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_domain gpusched_catalogue_domain;
#else
typedef uint32_t gpusched_catalogue_domain;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the remaining work of a unit is measured by.
enum gpusched_catalogue_metric
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // TBs left.
    GPUSCHED_CATALOGUE_METRIC_TBS = 0,
    // Their threads.
    GPUSCHED_CATALOGUE_METRIC_THREADS = 1,
    // TBs left times the duration of the first one that ended.
    GPUSCHED_CATALOGUE_METRIC_TIME = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_metric gpusched_catalogue_metric;
#else
typedef uint32_t gpusched_catalogue_metric;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// An order: of a unit's TBs where they belong to domains, of SMXs in most_room.
enum gpusched_catalogue_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // TBs: ascending, one domain at a time.
    GPUSCHED_CATALOGUE_ORDER_ASCENDING = 0,
    // TBs: each domain has its own next one.
    GPUSCHED_CATALOGUE_ORDER_OWN = 1,
    // SMXs: by number.
    GPUSCHED_CATALOGUE_ORDER_ASC = 2,
    // SMXs: by their places in their TPCs, then by number.
    GPUSCHED_CATALOGUE_ORDER_EVEN_ODD = 3,
    // SMXs: as listed says.
    GPUSCHED_CATALOGUE_ORDER_LISTED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_order gpusched_catalogue_order;
#else
typedef uint32_t gpusched_catalogue_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which SMXs an offer that cannot go leaves to those behind it.
enum gpusched_catalogue_pass
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_CATALOGUE_PASS_HEAD = 0,
    // Those that its cap or the policy itself keeps it from.
    GPUSCHED_CATALOGUE_PASS_CAPPED = 1,
    // All.
    GPUSCHED_CATALOGUE_PASS_ANY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_pass gpusched_catalogue_pass;
#else
typedef uint32_t gpusched_catalogue_pass;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which of the SMXs that an offer may go to it goes to.
enum gpusched_catalogue_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The first one from a rotating pointer.
    GPUSCHED_CATALOGUE_PLACE_RR = 0,
    // The lowest one.
    GPUSCHED_CATALOGUE_PLACE_LOWEST = 1,
    // That of the TB that launched it, else as Rr.
    GPUSCHED_CATALOGUE_PLACE_PARENT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_place gpusched_catalogue_place;
#else
typedef uint32_t gpusched_catalogue_place;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who goes where: the policies of sheet catalogue. What each one does is said in the module of its name.
enum gpusched_catalogue_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Round robin.
    GPUSCHED_CATALOGUE_POLICY_RR = 0,
    // The lowest SMX.
    GPUSCHED_CATALOGUE_POLICY_LOWEST_FIRST = 1,
    // The front kernel alone; others get what it leaves.
    GPUSCHED_CATALOGUE_POLICY_LEFTOVER = 2,
    // The SMX that can hold the most TBs.
    GPUSCHED_CATALOGUE_POLICY_MOST_ROOM = 3,
    // Blocks of neighbours on one SMX.
    GPUSCHED_CATALOGUE_POLICY_BCS = 4,
    // A limit on a unit's TBs per SMX, measured.
    GPUSCHED_CATALOGUE_POLICY_LCS = 5,
    // Contiguous ranges, one per SMX.
    GPUSCHED_CATALOGUE_POLICY_CHUNKED = 6,
    // TB by TB over the SMXs, fixed.
    GPUSCHED_CATALOGUE_POLICY_STRIDED = 7,
    // Contiguous ranges, one per GPC.
    GPUSCHED_CATALOGUE_POLICY_DIST = 8,
    // Batches round robin over the GPCs.
    GPUSCHED_CATALOGUE_POLICY_BATCH_RR = 9,
    // Over the GPCs, in each over its TPCs, in each over its SMXs.
    GPUSCHED_CATALOGUE_POLICY_GPC_FIRST = 10,
    // Over the TPCs, in each over its SMXs.
    GPUSCHED_CATALOGUE_POLICY_TPC_FIRST = 11,
    // The oldest family first.
    GPUSCHED_CATALOGUE_POLICY_OLDEST_PARENT = 12,
    // SMXs by a hash of the tag.
    GPUSCHED_CATALOGUE_POLICY_AFFINITY = 13,
    // The shortest remaining kernel first.
    GPUSCHED_CATALOGUE_POLICY_SRK = 14,
    // Deficit round robin over streams.
    GPUSCHED_CATALOGUE_POLICY_FAIR_STREAMS = 15,
    // At random.
    GPUSCHED_CATALOGUE_POLICY_RANDOM = 16,
    // Children before parents.
    GPUSCHED_CATALOGUE_POLICY_DEPTH_FIRST = 17,
    // Parents before children.
    GPUSCHED_CATALOGUE_POLICY_BREADTH_FIRST = 18,
    // Ranges of SMXs, from which others steal.
    GPUSCHED_CATALOGUE_POLICY_STEAL = 19,
    // Whole SMXs for streams.
    GPUSCHED_CATALOGUE_POLICY_SPATIAL = 20,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_policy gpusched_catalogue_policy;
#else
typedef uint32_t gpusched_catalogue_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a configuration is filled with.
enum gpusched_catalogue_preset
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Round robin.
    GPUSCHED_CATALOGUE_PRESET_RR = 0,
    // The lowest SMX.
    GPUSCHED_CATALOGUE_PRESET_LOWEST_FIRST = 1,
    // The front kernel alone.
    GPUSCHED_CATALOGUE_PRESET_LEFTOVER = 2,
    // The SMX that can hold the most TBs.
    GPUSCHED_CATALOGUE_PRESET_MOST_ROOM = 3,
    // Pairs of neighbours on one SMX.
    GPUSCHED_CATALOGUE_PRESET_BCS = 4,
    // A measured limit on a unit's TBs per SMX.
    GPUSCHED_CATALOGUE_PRESET_LCS = 5,
    // Contiguous ranges, one per SMX.
    GPUSCHED_CATALOGUE_PRESET_CHUNKED = 6,
    // TB by TB over the SMXs, fixed.
    GPUSCHED_CATALOGUE_PRESET_STRIDED = 7,
    // Contiguous ranges, one per GPC.
    GPUSCHED_CATALOGUE_PRESET_DIST = 8,
    // Batches of eight round robin over the GPCs.
    GPUSCHED_CATALOGUE_PRESET_BATCH_RR = 9,
    // Over GPCs, TPCs and SMXs.
    GPUSCHED_CATALOGUE_PRESET_GPC_FIRST = 10,
    // Over TPCs and SMXs.
    GPUSCHED_CATALOGUE_PRESET_TPC_FIRST = 11,
    // The oldest family first.
    GPUSCHED_CATALOGUE_PRESET_OLDEST_PARENT = 12,
    // SMXs by a hash of the tag.
    GPUSCHED_CATALOGUE_PRESET_AFFINITY = 13,
    // The shortest remaining kernel first.
    GPUSCHED_CATALOGUE_PRESET_SRK = 14,
    // Deficit round robin over streams.
    GPUSCHED_CATALOGUE_PRESET_FAIR_STREAMS = 15,
    // SMXs at random.
    GPUSCHED_CATALOGUE_PRESET_RANDOM = 16,
    // Children before parents.
    GPUSCHED_CATALOGUE_PRESET_DEPTH_FIRST = 17,
    // Parents before children.
    GPUSCHED_CATALOGUE_PRESET_BREADTH_FIRST = 18,
    // Ranges of SMXs, from which others steal.
    GPUSCHED_CATALOGUE_PRESET_STEAL = 19,
    // Whole SMXs for streams.
    GPUSCHED_CATALOGUE_PRESET_SPATIAL = 20,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_preset gpusched_catalogue_preset;
#else
typedef uint32_t gpusched_catalogue_preset;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who is first of equal priority.
enum gpusched_catalogue_tie
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The newest unit.
    GPUSCHED_CATALOGUE_TIE_NEWEST = 0,
    // The oldest unit.
    GPUSCHED_CATALOGUE_TIE_OLDEST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_tie gpusched_catalogue_tie;
#else
typedef uint32_t gpusched_catalogue_tie;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is drawn.
enum gpusched_catalogue_what
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The SMX.
    GPUSCHED_CATALOGUE_WHAT_SMX = 0,
    // The offer; the SMX is the first one from a rotating pointer.
    GPUSCHED_CATALOGUE_WHAT_OFFER = 1,
    // The offer, then the SMX.
    GPUSCHED_CATALOGUE_WHAT_BOTH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_catalogue_what gpusched_catalogue_what;
#else
typedef uint32_t gpusched_catalogue_what;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A published policy of the TB scheduler: what may be sent in, which TB goes where out. In each cycle: gpusched_catalogue_done for
// each TB that has ended, in the order of SMX and slot, then gpusched_catalogue_choose, whose answer is obeyed. It lives in
// storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One
// thread at a time may call functions that change it.
typedef struct gpusched_catalogue gpusched_catalogue;

// A number for each SMX, or for none.
typedef struct gpusched_catalogue_smxs {
    // SMXs that have one: all, or 0.
    uint32_t count;
    // The numbers; those behind the last SMX do not matter.
    uint8_t numbers[GPUSCHED_CATALOGUE_SMXS];
} gpusched_catalogue_smxs;

// A weight for each slot of streams, or for none.
typedef struct gpusched_catalogue_weights {
    // Slots that have one: all, or 0.
    uint32_t count;
    // The weights; those behind the last slot do not matter.
    uint8_t numbers[GPUSCHED_CATALOGUE_STREAMS];
} gpusched_catalogue_weights;

// Parameters of Catalogue. Fill it with gpusched_catalogue_config_init, then change what you like: a newer library adds fields at
// the end, and programs that were built before keep working.
typedef struct gpusched_catalogue_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t n_smx;
    // Units that the host can have at once: entries of its kernel distributor and launch records; units, 1 to 1048640.
    uint32_t units;
    // TB slots of an SMX; TBs, 1 to 1024.
    uint32_t slots;
    // Threads of an SMX; threads, 1 to 2^20.
    uint32_t threads;
    // Registers of an SMX; registers, 0 to 2^24.
    uint32_t regs;
    // Shared memory of an SMX; bytes, 0 to 2^24.
    uint32_t smem;
    // TBs of a block; TBs, 1 to 64.
    uint32_t block;
    // Ends of TBs that are measured; TBs, 1 to 255.
    uint32_t samples;
    // TBs of a chunk; 0: as many as make one chunk per domain; TBs, 0 to 2147483647.
    uint32_t chunk;
    // Threads of a warp; threads, 1 to 64.
    uint32_t warp;
    // Consecutive TBs that have the same home; 0: all; TBs, 0 to 2147483647.
    uint32_t grain;
    // SMXs behind the home that will do, too; SMXs, 0 to 255.
    uint32_t probe;
    // Slots of streams; slots, 1 to 64.
    uint32_t streams;
    // What a visit adds to a slot, for each unit of its weight; TBs or threads, 1 to 65536.
    uint32_t quantum;
    // TBs that a victim has at least; TBs, 1 to 65535.
    uint32_t min_steal;
    // Where random numbers start, or what a hash is mixed with.
    uint64_t seed;
    // TPC of each SMX, from 0 without gaps. If count is 0: two SMXs each, by number.
    struct gpusched_catalogue_smxs tpc;
    // GPC of each SMX, from 0 without gaps. If count is 0: four SMXs each, by number.
    struct gpusched_catalogue_smxs gpc;
    // gpusched_catalogue_policy: Who goes where.
    uint32_t policy;
    // gpusched_catalogue_pass: Which SMXs an offer that cannot go leaves.
    uint32_t pass;
    // gpusched_catalogue_place: Which of its SMXs an offer goes to.
    uint32_t place;
    // Whether offers of higher priority go first; 0 or 1.
    uint32_t prio_first;
    // gpusched_catalogue_order: The order of TBs, or of SMXs.
    uint32_t order;
    // With order LISTED: every SMX, first one first; else count is 0.
    struct gpusched_catalogue_smxs listed;
    // gpusched_catalogue_domain: What TBs are divided among.
    uint32_t domain;
    // Whether a TB goes elsewhere if its domain has no room; 0 or 1.
    uint32_t spill;
    // gpusched_catalogue_metric: How remaining work is measured.
    uint32_t metric;
    // Weight of each slot of streams, 1 to 255. If count is 0: 1 each.
    struct gpusched_catalogue_weights weights;
    // gpusched_catalogue_cost: What a TB costs.
    uint32_t cost;
    // gpusched_catalogue_what: What is drawn.
    uint32_t what;
    // gpusched_catalogue_amount: How much is stolen.
    uint32_t amount;
    // gpusched_catalogue_tie: Who is first of equal priority.
    uint32_t tie;
} gpusched_catalogue_config;

// Storage in bits, part by part.
typedef struct gpusched_catalogue_storage {
    // Pointers over SMXs, TPCs, GPCs and slots of streams; the generator of random numbers.
    uint64_t pointers;
    // What is kept of units.
    uint64_t units;
    // What is kept of SMXs.
    uint64_t smxs;
    // What is kept of slots of streams.
    uint64_t streams;
    // Everything.
    uint64_t total;
} gpusched_catalogue_storage;

// What a policy keeps of no unit, SMX or stream. What a policy does not have is 0.
typedef struct gpusched_catalogue_state {
    // random: the generator.
    uint64_t x;
    // Where the next search for an SMX begins.
    uint32_t rr;
    // Whose turn it is: a domain's (order own), a GPC's (gpc_first), a slot's of streams (fair_streams, spatial).
    uint32_t turn;
    // fair_streams: that slot has not been given its quantum.
    uint32_t fresh;
} gpusched_catalogue_state;

// What a policy keeps of a unit.
typedef struct gpusched_catalogue_unit {
    // The unit's number.
    uint64_t unit;
    // bcs: the SMX of its block.
    uint32_t home;
    // lcs: its TBs per SMX, once that is known.
    uint32_t limit;
    // srk, metric time: the duration of its first TB that ended.
    uint32_t duration;
} gpusched_catalogue_unit;

// What a policy sees of its host in a cycle.
typedef struct gpusched_catalogue_view {
    // The cycle.
    uint64_t now;
    // The units with TBs to send, in the host's order, as a front end offers them; of each at least one TB is left. Their `id`, `class_id`,
    // `load` and `reserved` are not looked at.
    const struct gpusched_offer *offers;
    // How many there are.
    size_t offer_count;
    // What is free on each SMX, `n_smx` of them.
    const struct gpusched_resources *free;
    // How many TBs run on each SMX, `n_smx` of them. Null: nobody says, and policies that ask for it see none.
    const uint32_t *counts;
    // Those TBs, SMX by SMX.
    const struct gpusched_resident *residents;
    // How many there are, the sum of `counts`.
    size_t resident_count;
} gpusched_catalogue_view;

// The TB that the host sends now.
typedef struct gpusched_catalogue_choice {
    // Which of the offers, from 0.
    uint32_t offer;
    // Where to.
    uint32_t smx;
    // The TB: `blkid` of the offer, GPUSCHED_NONE included, or under order OWN and STEAL another one that has not been sent.
    uint32_t blkid;
} gpusched_catalogue_choice;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source.
//
// @param config  Written.
// @param size    sizeof(gpusched_catalogue_config) in the caller's header.
// @param preset  gpusched_catalogue_preset.
// @return Null, Misaligned, BadStructSize; BadIndex: no such preset.
gpusched_status gpusched_catalogue_config_init(struct gpusched_catalogue_config *config, size_t size, uint32_t preset);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_catalogue_config_check(const struct gpusched_catalogue_config *config,
                                                struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_catalogue_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_catalogue_storage_bits(const struct gpusched_catalogue_config *config,
                                                struct gpusched_catalogue_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_catalogue_layout(const struct gpusched_catalogue_config *config,
                                          struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_catalogue_layout says.
// @param size     At least what gpusched_catalogue_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param catalogue   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_catalogue_init(void *storage,
                                        size_t size,
                                        const struct gpusched_catalogue_config *config,
                                        struct gpusched_catalogue **catalogue);

// A TB has ended. Those of a cycle are told in the order of SMX and slot, before the policy is asked.
//
// @param catalogue  The machine.
// @param ended      It.
// @return BadSmx; BadUnit if there is no such row; TimeBackwards if it ended before it was sent; Null, Misaligned; those of the
// object.
gpusched_status gpusched_catalogue_done(struct gpusched_catalogue *catalogue,
                                        const struct gpusched_completion *ended);

// The host takes a unit back before its last TB was sent: what is kept of it goes. If it comes again, it does with another number.
// A host need not say so, for a row is fresh to another unit; until then it is seen in the state.
//
// @param catalogue  The machine.
// @param row        The unit's place in tables.
// @param unit       The unit's number.
// @return BadUnit if there is no such row; those of the object.
gpusched_status gpusched_catalogue_forget(struct gpusched_catalogue *catalogue,
                                          uint32_t row,
                                          uint64_t unit);

// The configuration.
//
// @param size  sizeof(gpusched_catalogue_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_catalogue_get_config(const struct gpusched_catalogue *catalogue,
                                              struct gpusched_catalogue_config *config,
                                              size_t size);

// Whether the last choose would be answered by nothing again, and change nothing, until what it sees changes, or a TB ends. So
// cycles without an answer may be skipped from then on.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_is_settled(const struct gpusched_catalogue *catalogue,
                                              uint32_t *settled);

// What is kept of no unit, SMX or stream.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_get_state(const struct gpusched_catalogue *catalogue,
                                             struct gpusched_catalogue_state *state);

// A pointer, as a place among the SMXs of a domain or a TPC, or among the TPCs of a GPC, ascending. They are by domain, or by GPC
// and behind those by TPC. BadIndex if the policy has no such pointer.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_pointer(const struct gpusched_catalogue *catalogue,
                                           uint32_t index,
                                           uint32_t *place);

// spatial: the slot of streams that an SMX belongs to.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_owner(const struct gpusched_catalogue *catalogue, uint32_t smx, uint32_t *owner);

// fair_streams: what a slot of streams may still spend.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_deficit(const struct gpusched_catalogue *catalogue,
                                           uint32_t slot,
                                           uint32_t *deficit);

// What is kept of the unit that has a row; BadIndex if nothing is.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_get_unit(const struct gpusched_catalogue *catalogue,
                                            uint32_t row,
                                            struct gpusched_catalogue_unit *unit);

// Tells how many bytes gpusched_catalogue_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_image_size(const struct gpusched_catalogue *catalogue, size_t *size);

// Saves the whole state.
//
// @param catalogue    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_catalogue_save(const struct gpusched_catalogue *catalogue,
                                        void *image,
                                        size_t capacity,
                                        size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_catalogue_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_catalogue_image_config(const void *image,
                                                size_t image_size,
                                                struct gpusched_catalogue_config *config,
                                                size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param catalogue      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_catalogue_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_catalogue_restore(struct gpusched_catalogue *catalogue,
                                           const void *image,
                                           size_t image_size);

// Which TB goes where, if any does; at most one in a cycle, which the host sends. Behind gpusched_catalogue_done of those that have ended.
//
// @param catalogue  The policy.
// @param view       What it sees.
// @param choice     Receives what is sent; all 0 if nothing is.
// @param chosen     Receives 1 if something is sent, else 0.
// @return BadUnit: a row is beyond `units`; EmptyGroup: an offer has nothing left; BadIndex: it is of no kind; BadLength: `counts` do not
// add up to `resident_count`; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_catalogue_choose(struct gpusched_catalogue *catalogue,
                                          const struct gpusched_catalogue_view *view,
                                          struct gpusched_catalogue_choice *choice,
                                          uint32_t *chosen);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_CATALOGUE_H
