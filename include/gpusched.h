// gpusched: GPU hardware-scheduler models. Generated from the documentation of crate gpusched-abi; do not edit.
//
// THE CONTRACT, for every function
//
// Memory. An object lives in storage that you provide: ask for its layout, hand over that much memory, get a pointer. Nothing is
// allocated, nothing is global, nothing must be released. An object must not be copied or moved; to copy it, save and restore it.
// Pointer arguments are read or written during the call and never kept, unless the function says so.
//
// Results. Every function returns a gpusched_status; results go through out-parameters, which are written only if it is OK, and a
// call that is refused has changed nothing, unless its description says otherwise. The statuses that a description lists come first
// from the models ('BadSmx'), then from the call. 'Those of the object' are what every function says of a bad object pointer:
// NULL, MISALIGNED, NOT_INITIALISED, WRONG_TYPE, WRONG_VERSION, MOVED. Storage must have been written once before it is tested:
// zero it if you may call before you initialise. NULL and MISALIGNED are also said of other pointers. Enumerations travel as
// integers of fixed width.
//
// Time. The host owns the clock: 64-bit cycles of the SMX clock, from 0. All calls between two ticks belong to one cycle and act
// at once, in call order.
//
// Threads. Functions that take a const object may run at the same time on several threads; a function that takes an object that
// is not const must have it for itself. Different objects are independent. No function blocks, allocates, calls back or panics.
//
// Versions. See GPUSCHED_ABI_VERSION. Structs that begin with struct_size may grow; all others, and all numbers, stay.


#ifndef GPUSCHED_H
#define GPUSCHED_H

#include <stddef.h>
#include <stdint.h>

// Version of the binary interface. It grows when a program that was built against an older header would no longer work.
#define GPUSCHED_ABI_VERSION 1

// No cycle: what a query of a time answers when that time will not come.
#define GPUSCHED_NEVER UINT64_MAX

// No such thing: what a field holds that names a row, when there is none.
#define GPUSCHED_NONE UINT32_MAX

// The result of a call. Whatever is not OK has changed nothing, except where a function says otherwise.
//
// The values up to 999 are the faults of the models: the hardware, or the rules of its use, refuse. Those from 1000 are mistakes
// in the call. Compare with the names; gpusched_status_str gives the name and gpusched_status_text a sentence.
enum gpusched_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Done.
    GPUSCHED_STATUS_OK = 0,
    // A configuration value is out of its range.
    GPUSCHED_STATUS_BAD_CONFIG = 1,
    // A grid dimension is 0.
    GPUSCHED_STATUS_EMPTY_GRID = 2,
    // The grid exceeds 2^31-1 x 65535 x 65535 or 2^32-1 TBs in all.
    GPUSCHED_STATUS_GRID_TOO_LARGE = 3,
    // A TB dimension is 0.
    GPUSCHED_STATUS_EMPTY_TB = 4,
    // One TB needs more than a whole SMX.
    GPUSCHED_STATUS_TB_TOO_BIG = 5,
    // The hardware work queue of this stream is full.
    GPUSCHED_STATUS_HWQ_FULL = 6,
    // No such SMX.
    GPUSCHED_STATUS_BAD_SMX = 7,
    // No such TB slot.
    GPUSCHED_STATUS_BAD_SLOT = 8,
    // No TB is resident there.
    GPUSCHED_STATUS_NO_TB = 9,
    // A launch command carries 1 to `warp` launches.
    GPUSCHED_STATUS_BAD_COUNT = 10,
    // The hardware thread index is beyond the SMX's threads.
    GPUSCHED_STATUS_BAD_THREAD = 11,
    // Too few free launch records for this command.
    GPUSCHED_STATUS_PENDING_LIMIT = 12,
    // No such kernel distributor entry.
    GPUSCHED_STATUS_BAD_KDE = 13,
    // No active kernel in this entry.
    GPUSCHED_STATUS_NO_KERNEL = 14,
    // The entry is not retained.
    GPUSCHED_STATUS_NOT_RETAINED = 15,
    // A retained kernel cannot be suspended.
    GPUSCHED_STATUS_RETAINED = 16,
    // A kernel with live groups cannot be suspended.
    GPUSCHED_STATUS_HAS_GROUPS = 17,
    // The kernel still has saved TBs to restore.
    GPUSCHED_STATUS_RESTORE_PENDING = 18,
    // The kernel has no resident TB.
    GPUSCHED_STATUS_NOTHING_RESIDENT = 19,
    // The kernel is nested too deeply to synchronise.
    GPUSCHED_STATUS_SYNC_DEPTH = 20,
    // The list of suspended kernels is full.
    GPUSCHED_STATUS_SUSP_FULL = 21,
    // No such suspended kernel.
    GPUSCHED_STATUS_BAD_SUSP = 22,
    // The kernel was resumed before.
    GPUSCHED_STATUS_ALREADY_RESUMED = 23,
    // No scheduler waits for this group's information.
    GPUSCHED_STATUS_NO_LOAD = 24,
    // The last cycle cannot be carried out.
    GPUSCHED_STATUS_TIME_OVERFLOW = 25,
    // Under LaPerm's model cdp the device launches kernels, not groups.
    GPUSCHED_STATUS_NO_DTBL = 34,
    // The occupancy-bubble controller says which SMXs are eligible.
    GPUSCHED_STATUS_BUBBLE_OWNS_MASK = 38,
    // The mask names an SMX that does not exist.
    GPUSCHED_STATUS_BAD_MASK = 39,
    // The cap is above the TB slots, or `by` is above the cap.
    GPUSCHED_STATUS_BAD_CAP = 40,
    // No such class.
    GPUSCHED_STATUS_BAD_CLASS = 41,
    // This pc belongs to another class.
    GPUSCHED_STATUS_CLASS_TAKEN = 42,
    // This machine has no occupancy-bubble controller.
    GPUSCHED_STATUS_NO_BUBBLE = 43,
    // Activity is one value from 0 to 1000 per SMX.
    GPUSCHED_STATUS_BAD_ACTIVITY = 44,
    // No such dispatch unit.
    GPUSCHED_STATUS_BAD_UNIT = 45,
    // Turns rule the FCFS controller's chains, which LaPerm replaces.
    GPUSCHED_STATUS_TURN_WITH_LAPERM = 46,
    // Loads of spilled groups rule the FCFS controller's chains, which LaPerm replaces.
    GPUSCHED_STATUS_LOAD_WITH_LAPERM = 47,
    // Under LaPerm no group can miss an AGE.
    GPUSCHED_STATUS_AGT_WITH_LAPERM = 48,
    // LaPerm's queue 0 holds fewer kernels than the kernel distributor.
    GPUSCHED_STATUS_QUEUE0_TOO_SMALL = 49,
    // LaPerm's pool holds fewer units than there can be.
    GPUSCHED_STATUS_POOL_TOO_SMALL = 50,
    // The cycle lies before that of an earlier call.
    GPUSCHED_STATUS_TIME_REVERSED = 60,
    // This cycle was carried out before.
    GPUSCHED_STATUS_SAME_CYCLE = 61,
    // The priority is above the deepest level.
    GPUSCHED_STATUS_BAD_PRIORITY = 62,
    // The kernel or group has no TBs.
    GPUSCHED_STATUS_EMPTY_GROUP = 63,
    // A TB has threads and takes a slot.
    GPUSCHED_STATUS_BAD_RESOURCES = 64,
    // A TB needs more than an empty SMX has.
    GPUSCHED_STATUS_NEVER_FITS = 65,
    // The queue of host kernels is full.
    GPUSCHED_STATUS_QUEUE0_FULL = 66,
    // The lists in memory are full.
    GPUSCHED_STATUS_POOL_FULL = 67,
    // More would be free on the SMX than it has.
    GPUSCHED_STATUS_RELEASE_UNDERFLOW = 68,
    // This model has no such unit.
    GPUSCHED_STATUS_WRONG_MODEL = 69,
    // The SMX takes no TBs now.
    GPUSCHED_STATUS_NOT_ELIGIBLE = 90,
    // The SMX has no room for this TB.
    GPUSCHED_STATUS_NO_FIT = 91,
    // Samples are exactly one sampling period apart.
    GPUSCHED_STATUS_OFF_SAMPLE = 92,
    // A pointer is null.
    GPUSCHED_STATUS_NULL = 1000,
    // A pointer is not aligned.
    GPUSCHED_STATUS_MISALIGNED = 1001,
    // The storage is smaller than the layout of this configuration.
    GPUSCHED_STATUS_STORAGE_TOO_SMALL = 1002,
    // The storage holds no object.
    GPUSCHED_STATUS_NOT_INITIALISED = 1003,
    // The storage holds an object of another type.
    GPUSCHED_STATUS_WRONG_TYPE = 1004,
    // The object was made by a library of another ABI version.
    GPUSCHED_STATUS_WRONG_VERSION = 1005,
    // The object was copied or moved; it lives only where it was initialised.
    GPUSCHED_STATUS_MOVED = 1006,
    // struct_size is not the size of this struct in any version that this library knows.
    GPUSCHED_STATUS_BAD_STRUCT_SIZE = 1007,
    // More than the caller's array or any memory can hold.
    GPUSCHED_STATUS_CAPACITY = 1008,
    // Too many decisions wait to be read; read them, then call again.
    GPUSCHED_STATUS_UNREAD = 1009,
    // No such row.
    GPUSCHED_STATUS_BAD_INDEX = 1010,
    // Not a value of this enumeration.
    GPUSCHED_STATUS_BAD_ENUM = 1011,
    // The buffer is smaller than the image.
    GPUSCHED_STATUS_IMAGE_TOO_SMALL = 1100,
    // The image ends too early.
    GPUSCHED_STATUS_IMAGE_TRUNCATED = 1101,
    // These bytes are not an image.
    GPUSCHED_STATUS_NOT_AN_IMAGE = 1102,
    // The image is of another type of object.
    GPUSCHED_STATUS_IMAGE_WRONG_TYPE = 1103,
    // The image has a form that this library does not know.
    GPUSCHED_STATUS_IMAGE_WRONG_VERSION = 1104,
    // The image is damaged: its checksum does not fit.
    GPUSCHED_STATUS_IMAGE_CORRUPTED = 1105,
    // The image holds what no machine can be in.
    GPUSCHED_STATUS_IMAGE_CONTENT = 1106,
    // The image is of a machine with another configuration.
    GPUSCHED_STATUS_IMAGE_OTHER = 1107,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_status gpusched_status;
#else
typedef uint32_t gpusched_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Presets of gpusched_frontend_config_init.
enum gpusched_gpu
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // GeForce GTX 480 (Fermi).
    GPUSCHED_GPU_GTX480 = 0,
    // GeForce GTX 680 (Kepler GK104).
    GPUSCHED_GPU_GTX680 = 1,
    // Tesla K20c (Kepler GK110).
    GPUSCHED_GPU_K20C = 2,
    // GeForce GTX Titan (Kepler GK110).
    GPUSCHED_GPU_TITAN = 3,
    // Tesla K40 (Kepler GK110B).
    GPUSCHED_GPU_K40 = 4,
    // GeForce GTX 980 (Maxwell).
    GPUSCHED_GPU_GTX980 = 5,
    // Tesla V100 (Volta).
    GPUSCHED_GPU_V100 = 6,
    // A100 (Ampere).
    GPUSCHED_GPU_A100 = 7,
    // H100 SXM (Hopper).
    GPUSCHED_GPU_H100 = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_gpu gpusched_gpu;
#else
typedef uint32_t gpusched_gpu;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How the KMU chooses between waiting kernels.
enum gpusched_kmu_arb
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The oldest of all.
    GPUSCHED_KMU_ARB_FCFS = 0,
    // Turns: the queues, then the device list, then the suspended list.
    GPUSCHED_KMU_ARB_RR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_kmu_arb gpusched_kmu_arb;
#else
typedef uint32_t gpusched_kmu_arb;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which threads share an index of the aggregated group table.
enum gpusched_hash_scope
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The thread's number within its SMX is hashed.
    GPUSCHED_HASH_SCOPE_SMX = 0,
    // The thread's number within the GPU is hashed.
    GPUSCHED_HASH_SCOPE_GLOBAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_hash_scope gpusched_hash_scope;
#else
typedef uint32_t gpusched_hash_scope;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What becomes of a group that finds its entry of the aggregated group table taken.
enum gpusched_agt_miss
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Its information stays in global memory and is loaded when its turn comes.
    GPUSCHED_AGT_MISS_SPILL = 0,
    // It becomes a device kernel.
    GPUSCHED_AGT_MISS_DEVICE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_agt_miss gpusched_agt_miss;
#else
typedef uint32_t gpusched_agt_miss;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a group pays that becomes a device kernel.
enum gpusched_fallback
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Only the KMU and the dispatch.
    GPUSCHED_FALLBACK_DIRECT = 0,
    // The launch call for all lanes that fell, too.
    GPUSCHED_FALLBACK_FULL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_fallback gpusched_fallback;
#else
typedef uint32_t gpusched_fallback;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who times the load of a spilled group.
enum gpusched_load_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It takes load_cycles.
    GPUSCHED_LOAD_MODE_FIXED = 0,
    // The host answers with gpusched_frontend_spill_loaded.
    GPUSCHED_LOAD_MODE_EXTERNAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_load_mode gpusched_load_mode;
#else
typedef uint32_t gpusched_load_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which scheduler sends TBs to SMXs.
enum gpusched_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // First-come-first-served kernels, round-robin SMXs: the baseline.
    GPUSCHED_POLICY_FCFS_RR = 0,
    // LaPerm's queues, by level and by SMX.
    GPUSCHED_POLICY_LA_PERM = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_policy gpusched_policy;
#else
typedef uint32_t gpusched_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What was decided: the `kind` of a gpusched_decision. Which other fields have a meaning is said here; the rest are 0.
enum gpusched_decision_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Run this TB: `smx`, `slot`, `kde`, `unit`, `group`, `blkid`, `tag`.
    GPUSCHED_DECISION_KIND_TB = 1,
    // The TB just placed bypasses the L1 cache: `smx`, `slot`.
    GPUSCHED_DECISION_KIND_BYPASS = 2,
    // The KMU sends a kernel to an entry: `kde`, `tag`, `detail` = gpusched_source, `queue` if it is a hardware work queue.
    GPUSCHED_DECISION_KIND_ISSUE = 3,
    // The kernel is in the distributor: `kde`, `tag`.
    GPUSCHED_DECISION_KIND_ARRIVE = 4,
    // A group is coalesced with a kernel: `kde`, `tag` of the group, `unit` and `group`: where its information is.
    GPUSCHED_DECISION_KIND_JOIN = 5,
    // A group became a device kernel: `tag` of the group, `detail` = gpusched_fall.
    GPUSCHED_DECISION_KIND_FALL = 6,
    // The scheduler fetches a spilled group: `group` = its launch record. With load_mode external the host answers with
    // gpusched_frontend_spill_loaded.
    GPUSCHED_DECISION_KIND_LOAD = 7,
    // Every TB of the kernel and its groups was sent: `kde`.
    GPUSCHED_DECISION_KIND_UNMARK = 8,
    // The kernel had its turn and goes on later: `kde`.
    GPUSCHED_DECISION_KIND_ROTATE = 9,
    // A group finished; its AGE and record are free: `tag`, `unit` and `group`: where its information was.
    GPUSCHED_DECISION_KIND_GROUP_DONE = 10,
    // A kernel finished; its entry is free: `kde`, `tag`.
    GPUSCHED_DECISION_KIND_KERNEL_DONE = 11,
    // A hardware work queue is inspected again: `queue`.
    GPUSCHED_DECISION_KIND_HWQ_FREE = 12,
    // A TB was taken off its SMX; keep its context: `smx`, `slot`, `unit`, `group`, `blkid`.
    GPUSCHED_DECISION_KIND_SAVED = 13,
    // A kernel is in the list of suspended kernels: `kde` = its former entry, `detail` = its place in the list.
    GPUSCHED_DECISION_KIND_SUSPEND = 14,
    // LaPerm took a unit, the native TBs of a kernel or a group: `tag`, `detail` = gpusched_place, `smx` = the bind unit (0 for
    // queue 0), `slot` = its level. `queue` is 1 if another unit went to memory instead; its tag is then in `group` (upper half)
    // and `blkid` (lower half).
    GPUSCHED_DECISION_KIND_PLACE = 15,
    // LaPerm sent the TB just placed: `detail` = the stage, 1 to 3, `slot` = its priority.
    GPUSCHED_DECISION_KIND_LAP = 16,
    // LaPerm brought a unit from memory onto the chip: `tag`.
    GPUSCHED_DECISION_KIND_REFILL = 17,
    // The occupancy-bubble controller took a sample: `detail` is 1 if a TB was reported to it as waiting, and `tag` is that TB's.
    GPUSCHED_DECISION_KIND_SAMPLE = 18,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_decision_kind gpusched_decision_kind;
#else
typedef uint32_t gpusched_decision_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a TB is part of, or where a group's information is.
enum gpusched_unit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The kernel's own grid.
    GPUSCHED_UNIT_NATIVE = 0,
    // A group on chip: `group` is its entry in the aggregated group table (AGE).
    GPUSCHED_UNIT_AGE = 1,
    // A group in global memory: `group` is its launch record.
    GPUSCHED_UNIT_RECORD = 2,
    // The kernel's own grid, sent again after a suspension.
    GPUSCHED_UNIT_RESTORED = 3,
    // Nothing.
    GPUSCHED_UNIT_NONE = 4,
    // Under LaPerm: a group in one of its queues; `group` is its launch record.
    GPUSCHED_UNIT_UNIT = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_unit gpusched_unit;
#else
typedef uint32_t gpusched_unit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where an issued kernel waited: `detail` of GPUSCHED_DECISION_KIND_ISSUE.
enum gpusched_source
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A hardware work queue.
    GPUSCHED_SOURCE_HWQ = 0,
    // The list of device kernels.
    GPUSCHED_SOURCE_DEVICE = 1,
    // The list of suspended kernels.
    GPUSCHED_SOURCE_SUSPENDED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_source gpusched_source;
#else
typedef uint32_t gpusched_source;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why a group became a device kernel: `detail` of GPUSCHED_DECISION_KIND_FALL.
enum gpusched_fall
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // No eligible kernel.
    GPUSCHED_FALL_KDE = 0,
    // Its AGE was taken, and agt_miss is device.
    GPUSCHED_FALL_AGT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_fall gpusched_fall;
#else
typedef uint32_t gpusched_fall;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the scheduler did in a cycle: `sched` of gpusched_tick.
enum gpusched_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It sent a TB.
    GPUSCHED_SCHED_TB = 0,
    // No kernel has TBs to send.
    GPUSCHED_SCHED_IDLE = 1,
    // It waits for the information of a spilled group.
    GPUSCHED_SCHED_LOAD = 2,
    // No SMX has room for the next TB.
    GPUSCHED_SCHED_NO_ROOM = 3,
    // An SMX has room, but a gate other than a class cap is closed.
    GPUSCHED_SCHED_GATED = 4,
    // An SMX has room, but a class cap is reached.
    GPUSCHED_SCHED_CAPPED = 5,
    // LaPerm: the candidate for the visited SMX does not fit there.
    GPUSCHED_SCHED_NO_FIT = 6,
    // LaPerm: there is visible work, but none for the visited SMX.
    GPUSCHED_SCHED_NO_CANDIDATE = 7,
    // LaPerm: the visited SMX takes no TBs.
    GPUSCHED_SCHED_MASKED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_sched gpusched_sched;
#else
typedef uint32_t gpusched_sched;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the kernel management unit did in a cycle: `kmu` of gpusched_tick.
enum gpusched_kmu
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It issued a kernel.
    GPUSCHED_KMU_ISSUE = 0,
    // No kernel waits.
    GPUSCHED_KMU_EMPTY = 1,
    // Its last dispatch is still under way.
    GPUSCHED_KMU_BUSY = 2,
    // Every kernel distributor entry is taken.
    GPUSCHED_KMU_KD_FULL = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_kmu gpusched_kmu;
#else
typedef uint32_t gpusched_kmu;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the machine waits for: the first of these that applies.
enum gpusched_frontend_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Time, or the end of resident TBs, will bring it on.
    GPUSCHED_FRONTEND_STATUS_RUNNING = 0,
    // Work is there that only the host's gates keep.
    GPUSCHED_FRONTEND_STATUS_GATED = 1,
    // A kernel waits for an entry, and no entry will become free by itself.
    GPUSCHED_FRONTEND_STATUS_KD_BLOCKED = 2,
    // A suspended kernel waits to be resumed.
    GPUSCHED_FRONTEND_STATUS_SUSPENDED = 3,
    // A kernel waits in a queue that a retained kernel holds.
    GPUSCHED_FRONTEND_STATUS_HWQ_BLOCKED = 4,
    // Only retained entries are left.
    GPUSCHED_FRONTEND_STATUS_RETAINED = 5,
    // Nothing is owned anywhere: idle.
    GPUSCHED_FRONTEND_STATUS_DRAINED = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_frontend_status gpusched_frontend_status;
#else
typedef uint32_t gpusched_frontend_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Progress of the load of a spilled group.
enum gpusched_load
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Not asked for.
    GPUSCHED_LOAD_NOT_ASKED = 0,
    // Asked for.
    GPUSCHED_LOAD_WAITING = 1,
    // Here.
    GPUSCHED_LOAD_HERE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_load gpusched_load;
#else
typedef uint32_t gpusched_load;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a launch record in use holds.
enum gpusched_record_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A group that waits for its join.
    GPUSCHED_RECORD_STATE_AGG = 1,
    // A kernel that waits for the KMU.
    GPUSCHED_RECORD_STATE_DEV = 2,
    // A coalesced group.
    GPUSCHED_RECORD_STATE_GRP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_record_state gpusched_record_state;
#else
typedef uint32_t gpusched_record_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A front end: launches in, dispatches out, completions back. It lives in storage of the caller, at the address where it was
// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_frontend gpusched_frontend;

// Parameters of a front end. Fill it with gpusched_frontend_config_init, then change what you like: a newer library adds fields
// at the end, and programs that were built before keep working.
typedef struct gpusched_frontend_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t n_smx;
    // TB slots of an SMX; TBs, 1 to 64.
    uint32_t tb_slots;
    // Threads of an SMX; threads, 1 to 65536.
    uint32_t threads;
    // Registers of an SMX; registers, 0 to 2^31-1.
    uint32_t regs;
    // Shared memory of an SMX; bytes, 0 to 2^31-1.
    uint32_t smem;
    // Threads of a warp; also the most launches in one command; threads, 1 to 64.
    uint32_t warp;
    // Hardware work queues; queues, 1 to 64.
    uint32_t n_hwq;
    // Kernel distributor entries; entries, 1 to 64.
    uint32_t n_kde;
    // Kernels that a hardware work queue holds; kernels, 1 to 65536.
    uint32_t hwq_depth;
    // Launch records: the pending launch count limit; launches, 1 to 2^20.
    uint32_t pend_limit;
    // Suspended kernels that the KMU holds; kernels, 0 to 64.
    uint32_t susp_cap;
    // Nesting depth from which a kernel cannot synchronise; levels, 0 to 255.
    uint32_t sync_depth;
    // Entries of the aggregated group table; AGEs, 1 to 65536, a power of two.
    uint32_t agt_size;
    // CDP: stream creation, once per warp call; cycles, 0 to 2^32-1.
    uint32_t lat_stream;
    // Parameter buffer: fixed part; cycles, 0 to 2^32-1.
    uint32_t gpb_b;
    // Parameter buffer: per calling thread; cycles, 0 to 2^32-1.
    uint32_t gpb_a;
    // Device launch call: fixed part; cycles, 0 to 2^32-1.
    uint32_t ld_b;
    // Device launch call: per calling thread; cycles, 0 to 2^32-1.
    uint32_t ld_a;
    // From the KMU to the kernel distributor; cycles, 0 to 2^32-1.
    uint32_t lat_dispatch;
    // From one KMU dispatch to the next; 1 = pipelined; cycles, 1 to 2^32-1.
    uint32_t kmu_interval;
    // Eligible-kernel search, per entry; cycles, 0 to 65536.
    uint32_t kde_scan;
    // AGT probe, per group; cycles, 0 to 65536.
    uint32_t agt_probe;
    // Load of a spilled group, with `load_mode` fixed; cycles, 0 to 2^32-1.
    uint32_t load_cycles;
    // Groups after which a kernel lets the next one have a turn; 0 = never; groups, 0 to 2^32-1.
    uint32_t turn_groups;
    // Classes of gate K; classes, 0 to 8.
    uint32_t n_class;
    // gpusched_kmu_arb.
    uint32_t kmu_arb;
    // gpusched_hash_scope.
    uint32_t hash_scope;
    // gpusched_agt_miss.
    uint32_t agt_miss;
    // gpusched_fallback.
    uint32_t fallback;
    // gpusched_load_mode.
    uint32_t load_mode;
    // gpusched_policy.
    uint32_t policy;
    // Work behind a kernel that only a class cap keeps out may go ahead; 0 or 1.
    uint32_t pass_capped;
    // An SMX holds TBs of one (pc, TB shape, registers, shared memory) at a time; 0 or 1.
    uint32_t exclusive;
    // Decisions that can wait to be read, 0 to 2^20. 0 is enough if they are read once in each cycle; more lets many cycles pass
    // between two reads; 1 takes the least memory, and is enough if they are read after each call.
    uint32_t decisions;
} gpusched_frontend_config;

// A parameter: what gpusched_frontend_config_check says is wrong, and what gpusched_frontend_parameter tells.
typedef struct gpusched_parameter {
    // Its name: that of the field in gpusched_frontend_config. Static.
    const char *name;
    // Its value.
    uint32_t value;
    // Least value.
    uint32_t min;
    // Greatest value.
    uint32_t max;
    // 1 if only powers of two are allowed, else 0.
    uint32_t power_of_two;
} gpusched_parameter;

// Memory that an object needs.
typedef struct gpusched_layout {
    // Bytes.
    size_t size;
    // Alignment in bytes, a power of two.
    size_t align;
} gpusched_layout;

// What the modelled hardware would cost, in bits, laid out as the sources do.
typedef struct gpusched_frontend_storage {
    // References to groups in the kernel distributor entries (NAGEI, LAGEI).
    uint64_t kde_refs;
    // The first bit in the FCFS controller.
    uint64_t fcfs_first;
    // The group in the SMX scheduler control register.
    uint64_t sscr_agei;
    // The group in the TB control registers, one per TB slot.
    uint64_t tbcr_agei;
    // The aggregated group table.
    uint64_t agt;
    // The gates.
    uint64_t gates;
    // What composition adds to control registers, records and entries.
    uint64_t composition;
    // What DTBL adds to the baseline's registers: the first four.
    uint64_t dtbl_registers;
    // Everything on chip.
    uint64_t total;
    // LaPerm, on chip.
    uint64_t laperm;
    // LaPerm's overflow lists, in memory.
    uint64_t laperm_off_chip;
    // The occupancy-bubble controller.
    uint64_t bubble;
} gpusched_frontend_storage;

// Extent in three dimensions: of a grid in TBs, or of a TB in threads.
typedef struct gpusched_dim3 {
    // First dimension.
    uint32_t x;
    // Second dimension.
    uint32_t y;
    // Third dimension.
    uint32_t z;
} gpusched_dim3;

// A kernel as a launch call gives it.
typedef struct gpusched_kernel {
    // Program entry. A group joins a kernel of the same pc, tb, regs and smem.
    uint64_t pc;
    // Grid, in TBs: x 1 to 2^31-1, y and z 1 to 65535, the product at most 2^32-1.
    struct gpusched_dim3 grid;
    // TB, in threads; each at least 1.
    struct gpusched_dim3 tb;
    // Registers of one TB.
    uint32_t regs;
    // Shared memory of one TB, in bytes.
    uint32_t smem;
    // Address of the parameters; opaque.
    uint32_t param;
    // The host's name for this launch; opaque, and told back with every decision about it.
    uint64_t tag;
} gpusched_kernel;

// An aggregated group as a launch call gives it.
typedef struct gpusched_group {
    // The group's TBs.
    struct gpusched_kernel kernel;
    // The calling thread's number within its SMX, below threads.
    uint32_t hw_tid;
} gpusched_group;

// What a cycle did, besides its decisions.
typedef struct gpusched_tick {
    // gpusched_sched.
    uint32_t sched;
    // gpusched_kmu.
    uint32_t kmu;
} gpusched_tick;

// How often each word was the answer in a run of cycles.
typedef struct gpusched_words {
    // Cycles that sent a TB.
    uint64_t tb;
    // Cycles without a kernel that has TBs to send.
    uint64_t idle;
    // Cycles that waited for a load.
    uint64_t load;
    // Cycles without room.
    uint64_t noroom;
    // Cycles in which a gate other than a class cap was closed.
    uint64_t gated;
    // Cycles in which a class cap was reached.
    uint64_t capped;
    // KMU: cycles that issued a kernel.
    uint64_t issue;
    // KMU: cycles without a waiting kernel.
    uint64_t empty;
    // KMU: cycles in which its last dispatch was under way.
    uint64_t busy;
    // KMU: cycles in which every entry was taken.
    uint64_t kdfull;
    // LaPerm: cycles whose candidate did not fit.
    uint64_t no_fit;
    // LaPerm: cycles without a candidate for the visited SMX.
    uint64_t no_candidate;
    // LaPerm: cycles that visited a masked SMX.
    uint64_t masked;
} gpusched_words;

// A decision: one record of 32 bytes for every kind.
typedef struct gpusched_decision {
    // The cycle in which it was taken.
    uint64_t cycle;
    // The host's name of the kernel or group.
    uint64_t tag;
    // Number of the TB in its grid; for restored TBs the position in the list of saved ones.
    uint32_t blkid;
    // AGE or launch record, as `unit` says.
    uint32_t group;
    // SMX.
    uint16_t smx;
    // gpusched_decision_kind.
    uint8_t kind;
    // TB slot of the SMX.
    uint8_t slot;
    // Kernel distributor entry.
    uint8_t kde;
    // gpusched_unit.
    uint8_t unit;
    // Hardware work queue.
    uint8_t queue;
    // As the kind says.
    uint8_t detail;
} gpusched_decision;

// A ring of the caller that every decision is also written to, for traces: the newest `capacity` decisions are in it, decision
// number i (from 0) at `events[i % capacity]`. The library only ever writes `written` and the events. Reading it needs no call.
typedef struct gpusched_trace {
    // The ring.
    struct gpusched_decision *events;
    // Its length, at least 1.
    size_t capacity;
    // Decisions written since the ring was attached.
    uint64_t written;
} gpusched_trace;

// A set of SMXs: bit b of word w is SMX 64 w + b.
typedef struct gpusched_smx_set {
    // 256 bits.
    uint64_t words[4];
} gpusched_smx_set;

// The cap of a class on an SMX.
typedef struct gpusched_class_cap {
    // TBs of the class that the SMX may hold; tb_slots is open.
    uint32_t cap;
    // Resident TBs of the class that may bypass L1.
    uint32_t by;
    // Resident TBs of the class.
    uint32_t resident;
    // Those of them that bypass L1.
    uint32_t bypassing;
} gpusched_class_cap;

// The unit at the head of the line, for controllers that wake SMXs.
typedef struct gpusched_waiting_head {
    // SMXs that may take it, were they eligible and free.
    struct gpusched_smx_set allowed;
    // Tag of the kernel or group whose TB is next.
    uint64_t tag;
    // 1 if there is one, else 0 and all fields are 0.
    uint32_t present;
    // Threads of that TB.
    uint32_t threads;
    // Registers of that TB.
    uint32_t regs;
    // Shared memory of that TB, bytes.
    uint32_t smem;
    // Warps of that TB.
    uint32_t warps;
} gpusched_waiting_head;

// What the front end counted since it was built. All counts saturate.
typedef struct gpusched_frontend_stats {
    // Groups that found an eligible kernel.
    uint64_t kde_hit;
    // Groups that found none.
    uint64_t kde_miss;
    // Groups that found their AGE free.
    uint64_t agt_hit;
    // Groups that found it taken.
    uint64_t agt_spill;
    // Device kernels and groups whose first TB was sent.
    uint64_t dyn_n;
    // Cycles from their launch calls to their first TBs, summed.
    uint64_t dyn_wait;
    // TBs sent.
    uint64_t tbs;
    // Resident warps, summed over cycles.
    uint64_t warp_cycles;
    // Cycles carried out: the current one's number.
    uint64_t ticks;
    // Most launch records in use at once.
    uint64_t rec_peak;
    // Cycles whose word was gated.
    uint64_t gated;
    // Cycles whose word was capped.
    uint64_t capped;
    // TBs sent from behind the FIFO's head.
    uint64_t passed;
    // Samples that the occupancy-bubble controller took.
    uint64_t samples;
} gpusched_frontend_stats;

// What is free on an SMX.
typedef struct gpusched_smx {
    // Bit w: TB slot w is free.
    uint64_t slots;
    // Threads.
    uint32_t threads;
    // Registers.
    uint32_t regs;
    // Shared memory, bytes.
    uint32_t smem;
    // Not free: resident warps.
    uint32_t warps;
} gpusched_smx;

// A resident TB, as its control register shows it.
typedef struct gpusched_tb {
    // SMX.
    uint32_t smx;
    // TB slot.
    uint32_t slot;
    // Entry of its kernel.
    uint32_t kde;
    // gpusched_unit: what it is part of.
    uint32_t unit;
    // AGE or launch record, as `unit` says.
    uint32_t group;
    // Its number in that grid.
    uint32_t blkid;
    // Its class when it was sent; GPUSCHED_NONE if it had none.
    uint32_t class_id;
    // 1 if it bypasses L1, else 0.
    uint32_t bypass;
    // Its priority (LaPerm).
    uint32_t prio;
} gpusched_tb;

// A kernel distributor entry that is not free.
typedef struct gpusched_kde {
    // Tag of the kernel.
    uint64_t tag;
    // Program entry.
    uint64_t pc;
    // The cycle in which it arrives, at least 1; 0 if it is there: active.
    uint64_t arrives;
    // Native TBs.
    uint32_t total;
    // The next native TB to send.
    uint32_t next_native;
    // TBs that a suspension took off their SMXs.
    uint32_t saved;
    // Those of them that were sent again.
    uint32_t restored;
    // Resident TBs, native and aggregated (ExeBL).
    uint32_t exe;
    // Groups that joined and are not done.
    uint32_t live;
    // Hardware work queue that it holds; GPUSCHED_NONE for device kernels.
    uint32_t queue;
    // SMX of the TB that launched it; GPUSCHED_NONE for host kernels.
    uint32_t psmx;
    // Nesting depth; 0 for host kernels.
    uint32_t depth;
    // Priority of its native TBs (LaPerm).
    uint32_t prio;
    // Units of it that LaPerm holds.
    uint32_t pend;
    // 1 if the entry stays when its last TB has ended, else 0.
    uint32_t retain;
    // 1 if it has TBs or groups to send, else 0.
    uint32_t marked;
    // The first bit: 1 if native TBs are still to be sent, else 0.
    uint32_t first;
    // NAGEI, the first group with TBs to send: gpusched_unit, and its number.
    uint32_t nagei_unit;
    // See nagei_unit.
    uint32_t nagei;
    // LAGEI, the last such group: gpusched_unit, and its number.
    uint32_t lagei_unit;
    // See lagei_unit.
    uint32_t lagei;
    // 1 if the scheduler has tried it, else 0 and the fields below are 0. At the FIFO's head they are SSCR.
    uint32_t tried;
    // AGEI, the group that is being sent: gpusched_unit (Native for the kernel's own grid), and its number.
    uint32_t agei_unit;
    // See agei_unit.
    uint32_t agei;
    // NextBL: the next TB of what is being sent.
    uint32_t next_bl;
    // gpusched_load.
    uint32_t load;
    // Groups sent in this turn.
    uint32_t turn;
} gpusched_kde;

// A launch record in use.
typedef struct gpusched_record {
    // Tag of the launch.
    uint64_t tag;
    // The cycle from which it may be served.
    uint64_t ready;
    // The cycle of the launch call.
    uint64_t called;
    // gpusched_record_state.
    uint32_t state;
    // TBs of its grid.
    uint32_t total;
    // SMX of the calling TB.
    uint32_t psmx;
    // Nesting depth of what was launched.
    uint32_t depth;
    // Priority of its TBs (LaPerm).
    uint32_t prio;
} gpusched_record;

// A live group, as its AGE, or its launch record if it spilled, shows it.
typedef struct gpusched_group_view {
    // Its tag.
    uint64_t tag;
    // Its launch record.
    uint32_t record;
    // Where its information is: gpusched_unit, and the AGE or record.
    uint32_t at_unit;
    // See at_unit.
    uint32_t at;
    // Entry of the kernel that it joined.
    uint32_t kde;
    // Next, the group behind it: gpusched_unit, and its number.
    uint32_t next_unit;
    // See next_unit.
    uint32_t next;
    // Its resident TBs (ExeBL).
    uint32_t exe;
    // 1 if every TB of it was sent, else 0.
    uint32_t dist;
} gpusched_group_view;

// A hardware work queue.
typedef struct gpusched_hwq {
    // 1 if a kernel of it is arriving, active or suspended, else 0.
    uint32_t busy;
    // Kernels that wait in it.
    uint32_t len;
} gpusched_hwq;

// A suspended kernel.
typedef struct gpusched_suspended {
    // Its tag.
    uint64_t tag;
    // TBs that were taken off their SMXs.
    uint32_t saved;
    // 1 if it was resumed and waits for the KMU, else 0.
    uint32_t resumed;
} gpusched_suspended;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the binary interface that this library has. Programs compare it with the GPUSCHED_ABI_VERSION of their header.
uint32_t gpusched_abi_version(void);

// Fills a configuration with a preset.
//
// @param config  Written.
// @param size    sizeof(gpusched_frontend_config) in the caller's header.
// @param gpu     A gpusched_gpu.
// @return Null, Misaligned, BadStructSize; BadEnum: no such preset.
gpusched_status gpusched_frontend_config_init(struct gpusched_frontend_config *config, size_t size, uint32_t gpu);

// Switches every launch latency off: the ideal modes CDPI and DTBLI of the source (4.6.2.2).
//
// @param config  An initialised configuration; changed.
// @return Null, Misaligned, BadStructSize, WrongVersion; BadConfig: a value is out of its range.
gpusched_status gpusched_frontend_config_ideal(struct gpusched_frontend_config *config);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_frontend_config_check(const struct gpusched_frontend_config *config,
                                               struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default (that of the K20c) and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_frontend_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the memory that a front end of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_frontend_layout(const struct gpusched_frontend_config *config, struct gpusched_layout *layout);

// Builds a front end in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the front end is used. Its former content does
// not matter.
//
// @param storage   size bytes, aligned as gpusched_frontend_layout says.
// @param size      At least what gpusched_frontend_layout says.
// @param config    An initialised configuration; not needed after the call.
// @param frontend  Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_frontend_init(void *storage,
                                       size_t size,
                                       const struct gpusched_frontend_config *config,
                                       struct gpusched_frontend **frontend);

// Tells what the modelled hardware would cost. The source gives no size for the baseline structures, so none is counted.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_frontend_storage_bits(const struct gpusched_frontend_config *config,
                                               struct gpusched_frontend_storage *storage);

// Launches a kernel from the host. It waits in the hardware work queue of its stream.
//
// @param frontend  The front end.
// @param stream    Any number; streams share a queue if they are equal modulo n_hwq.
// @param kernel    Read.
// @param retain    If not 0, the kernel's entry stays, joinable by groups, until gpusched_frontend_unretain.
// @param queue     Receives the queue. May be null.
// @return EmptyGrid, GridTooLarge, EmptyTb, TbTooBig, HwqFull; those of the object (see the top).
gpusched_status gpusched_frontend_host_launch(struct gpusched_frontend *frontend,
                                              uint32_t stream,
                                              const struct gpusched_kernel *kernel,
                                              uint32_t retain,
                                              uint32_t *queue);

// Launches kernels from threads of one warp of the TB at smx, slot (CUDA Dynamic Parallelism), one per calling lane. One faulty
// lane refuses the whole command.
//
// @param frontend  The front end.
// @param smx       SMX of the calling TB.
// @param slot      Its TB slot.
// @param kernels   count kernels.
// @param count     1 to warp.
// @param records   Receives count launch records, in the order of the lanes. May be null.
// @return BadSmx, BadSlot, NoTb, BadCount; a lane's EmptyGrid, GridTooLarge, EmptyTb, TbTooBig; PendingLimit; those of the object.
gpusched_status gpusched_frontend_device_launch(struct gpusched_frontend *frontend,
                                                uint32_t smx,
                                                uint32_t slot,
                                                const struct gpusched_kernel *kernels,
                                                uint32_t count,
                                                uint32_t *records);

// Launches aggregated groups from threads of one warp of the TB at smx, slot (Dynamic Thread Block Launch), one per calling lane.
// One faulty lane refuses the whole command.
//
// @param frontend  The front end.
// @param smx       SMX of the calling TB.
// @param slot      Its TB slot.
// @param groups    count groups.
// @param count     1 to warp.
// @param records   Receives count launch records, in the order of the lanes. May be null.
// @return As gpusched_frontend_device_launch, and a lane's BadThread after its other checks.
gpusched_status gpusched_frontend_agg_launch(struct gpusched_frontend *frontend,
                                             uint32_t smx,
                                             uint32_t slot,
                                             const struct gpusched_group *groups,
                                             uint32_t count,
                                             uint32_t *records);

// The TB at smx, slot has ended. Its room can be used by the tick of this cycle.
//
// @return BadSmx, BadSlot, NoTb; Unread; those of the object.
gpusched_status gpusched_frontend_tb_done(struct gpusched_frontend *frontend, uint32_t smx, uint32_t slot);

// Ends the hold on a kernel that was launched with retain.
//
// @return BadKde, NoKernel, NotRetained; Unread; those of the object.
gpusched_status gpusched_frontend_unretain(struct gpusched_frontend *frontend, uint32_t kde);

// Takes a kernel's TBs off their SMXs and its entry away, while it waits for its children; its queue stays held. Contexts are
// the host's to keep, in the order of the Saved decisions.
//
// @param frontend  The front end.
// @param kde       The kernel's entry.
// @param index     Receives its place in the list of suspended kernels. May be null.
// @return BadKde, NoKernel, Retained, HasGroups, RestorePending, NothingResident, SyncDepth, SuspFull; Unread; those of the
// object.
gpusched_status gpusched_frontend_suspend(struct gpusched_frontend *frontend,
                                          uint32_t kde,
                                          uint32_t *index);

// Makes a suspended kernel a candidate of the KMU. It will send its saved TBs first, on any SMX, then those never sent.
//
// @return BadSusp, AlreadyResumed; those of the object.
gpusched_status gpusched_frontend_resume(struct gpusched_frontend *frontend, uint32_t index);

// The information of a spilled group is here (load_mode external).
//
// @return NoLoad: no scheduler waits for that record; those of the object.
gpusched_status gpusched_frontend_spill_loaded(struct gpusched_frontend *frontend, uint32_t record);

// Carries out the current cycle, then moves to the next one.
//
// @param frontend  The front end.
// @param tick      Receives what the cycle did. May be null: its decisions tell the rest.
// @return TimeOverflow: the last cycle; Unread; those of the object.
gpusched_status gpusched_frontend_tick(struct gpusched_frontend *frontend, struct gpusched_tick *tick);

// Carries out cycles until one has decided something or `until` is the next one, whichever comes first. Cycles without decisions
// cost nothing, however many they are. Typically `until` is when the host's next TB ends.
//
// @param frontend  The front end.
// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER for no limit.
// @param words     Receives how often each word was the answer. May be null.
// @return TimeOverflow: nothing is due and there is no limit; Unread; those of the object.
gpusched_status gpusched_frontend_advance(struct gpusched_frontend *frontend,
                                          uint64_t until,
                                          struct gpusched_words *words);

// Carries out all cycles before `until` for which there is room for decisions, in one call: for hosts that report nothing
// meanwhile. If gpusched_frontend_now is below `until` afterwards, the decisions must be read before it goes on.
//
// @param frontend  The front end.
// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER: stop when nothing more is due.
// @param words     Receives how often each word was the answer. May be null.
// @return Unread: no room for a single cycle's; those of the object.
gpusched_status gpusched_frontend_run(struct gpusched_frontend *frontend,
                                      uint64_t until,
                                      struct gpusched_words *words);

// Takes the oldest decisions that were not read yet, at most capacity.
//
// @param frontend   The front end.
// @param decisions  Receives them.
// @param capacity   Length of that array; if it is 0, decisions may be null.
// @param count      Receives how many it was: less than capacity means that none is left.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_read(struct gpusched_frontend *frontend,
                                       struct gpusched_decision *decisions,
                                       size_t capacity,
                                       size_t *count);

// Takes all decisions that were not read yet, without copying them: they lie in the object's storage, oldest first, until the next
// call that changes the object.
//
// @param frontend  The front end.
// @param first     Receives where they are.
// @param count     Receives how many they are.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_take(struct gpusched_frontend *frontend,
                                       const struct gpusched_decision **first,
                                       size_t *count);

// Tells how many decisions wait to be read.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_unread(const struct gpusched_frontend *frontend, size_t *count);

// From now on every decision is also written to this ring, whether or not it is read. The ring and its events must stay in place
// until another ring, or null, is attached.
//
// @param frontend  The front end.
// @param trace     `events` and `capacity` are read now, `written` is set to 0. Null: no more tracing.
// @return Misaligned; Null: it has no events; Capacity: their number is 0; those of the object.
gpusched_status gpusched_frontend_trace(struct gpusched_frontend *frontend,
                                        struct gpusched_trace *trace);

// Only these SMXs take TBs from now on.
//
// @return BadMask: the set names an SMX that does not exist; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_set_eligible(struct gpusched_frontend *frontend,
                                               const struct gpusched_smx_set *eligible);

// The SMXs that take TBs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_eligible(const struct gpusched_frontend *frontend, struct gpusched_smx_set *eligible);

// An SMX holds at most cap TBs from now on; tb_slots is open.
//
// @return BadSmx, BadCap; those of the object.
gpusched_status gpusched_frontend_set_block_cap(struct gpusched_frontend *frontend, uint32_t smx, uint32_t cap);

// How many TBs an SMX may hold.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_block_cap(const struct gpusched_frontend *frontend, uint32_t smx, uint32_t *cap);

// Kernels with this program entry are of this class from now on. The caps of the class stay.
//
// @return BadClass; ClassTaken: pc belongs to another class; those of the object.
gpusched_status gpusched_frontend_set_class(struct gpusched_frontend *frontend, uint32_t cls, uint64_t pc);

// No kernel is of this class any more. Its caps stay.
//
// @return BadClass; those of the object.
gpusched_status gpusched_frontend_clear_class(struct gpusched_frontend *frontend, uint32_t cls);

// The program entry of a class.
//
// @param bound  Receives 1 if the class has one, else 0 and pc is set to 0.
// @return BadClass; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_get_class(const struct gpusched_frontend *frontend,
                                            uint32_t cls,
                                            uint32_t *bound,
                                            uint64_t *pc);

// An SMX holds at most cap TBs of a class from now on, the first `by` of which bypass L1; tb_slots is open.
//
// @return BadClass, BadSmx; BadCap: by is above cap, or cap above tb_slots; those of the object.
gpusched_status gpusched_frontend_set_class_cap(struct gpusched_frontend *frontend,
                                                uint32_t cls,
                                                uint32_t smx,
                                                uint32_t cap,
                                                uint32_t by);

// The cap of a class on an SMX, and what it holds.
//
// @return BadClass, BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_class_cap(const struct gpusched_frontend *frontend,
                                            uint32_t cls,
                                            uint32_t smx,
                                            struct gpusched_class_cap *view);

// Whether an active kernel of the class has unsent TBs or groups: 1, else 0.
//
// @return BadClass; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_has_work(const struct gpusched_frontend *frontend, uint32_t cls, uint32_t *has_work);

// The unit that controllers should wake SMXs for: the first in line that no SMX can take although one that is not eligible is
// allowed to; else the first in line.
//
// @param start  Where to begin; 0, the only line that first come, first served has.
// @return BadUnit; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_waiting_head(const struct gpusched_frontend *frontend,
                                               uint32_t start,
                                               struct gpusched_waiting_head *head);

// Activity of each SMX in thousandths, for the next sample of an occupancy-bubble controller.
//
// @param per_smx  count values.
// @return NoBubble: this library has no such controller yet; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_frontend_activity(struct gpusched_frontend *frontend, const uint16_t *per_smx, size_t count);

// The configuration, with `decisions` as it was made.
//
// @param size  sizeof(gpusched_frontend_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_get_config(const struct gpusched_frontend *frontend,
                                             struct gpusched_frontend_config *config,
                                             size_t size);

// The cycle that the next tick carries out.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_now(const struct gpusched_frontend *frontend, uint64_t *cycle);

// The next cycle, now or later, whose tick decides something if no event comes before it; GPUSCHED_NEVER if only an event can
// change anything.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_next_event(const struct gpusched_frontend *frontend,
                                             uint64_t *cycle);

// What the machine waits for, a gpusched_frontend_status. GPUSCHED_FRONTEND_STATUS_DRAINED: nothing is owned anywhere.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_get_status(const struct gpusched_frontend *frontend, uint32_t *waits_for);

// Statistics since the front end was built.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_get_stats(const struct gpusched_frontend *frontend,
                                            struct gpusched_frontend_stats *stats);

// The SMX that the scheduler tries first: the round-robin pointer.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_rr(const struct gpusched_frontend *frontend, uint32_t *smx);

// What is free on an SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_smx(const struct gpusched_frontend *frontend,
                                      uint32_t smx,
                                      struct gpusched_smx *free);

// Warps of all resident TBs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_resident_warps(const struct gpusched_frontend *frontend, uint32_t *warps);

// The TB in a slot of an SMX.
//
// @return BadSmx, BadSlot, NoTb; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_tb(const struct gpusched_frontend *frontend,
                                     uint32_t smx,
                                     uint32_t slot,
                                     struct gpusched_tb *tb);

// Resident TBs, by SMX and slot.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_resident_tbs(const struct gpusched_frontend *frontend,
                                               struct gpusched_tb *tbs,
                                               size_t capacity,
                                               size_t *count);

// A kernel distributor entry.
//
// @return BadKde; NoKernel: it is free; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_kde(const struct gpusched_frontend *frontend,
                                      uint32_t kde,
                                      struct gpusched_kde *entry);

// Entries with TBs to send, in the order of the FCFS controller, head first.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_fcfs(const struct gpusched_frontend *frontend,
                                       uint32_t *kdes,
                                       size_t capacity,
                                       size_t *count);

// The lowest active entry that a group with this descriptor would join; GPUSCHED_NONE if there is none.
//
// @param kernel  pc, tb, regs and smem matter.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_eligible_kernel(const struct gpusched_frontend *frontend,
                                                  const struct gpusched_kernel *kernel,
                                                  uint32_t *kde);

// A launch record.
//
// @return BadIndex: there is no such record, or it is free; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_record(const struct gpusched_frontend *frontend,
                                         uint32_t record,
                                         struct gpusched_record *view);

// Launch records in use.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_records_in_use(const struct gpusched_frontend *frontend, uint32_t *count);

// The live group in a launch record.
//
// @return BadIndex: there is none; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_group(const struct gpusched_frontend *frontend,
                                        uint32_t record,
                                        struct gpusched_group_view *view);

// Live groups on chip, by AGE.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_agt(const struct gpusched_frontend *frontend,
                                      struct gpusched_group_view *groups,
                                      size_t capacity,
                                      size_t *count);

// Live groups in global memory (spilled), by launch record.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_spilled(const struct gpusched_frontend *frontend,
                                          struct gpusched_group_view *groups,
                                          size_t capacity,
                                          size_t *count);

// A hardware work queue.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_hwq(const struct gpusched_frontend *frontend,
                                      uint32_t queue,
                                      struct gpusched_hwq *view);

// A suspended kernel.
//
// @return BadSusp: no kernel has this place; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_suspended(const struct gpusched_frontend *frontend,
                                            uint32_t index,
                                            struct gpusched_suspended *view);

// Tells how many bytes gpusched_frontend_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_image_size(const struct gpusched_frontend *frontend, size_t *size);

// Saves the whole state. Decisions are not part of it, so they must have been read; the trace ring is not, either.
//
// @param frontend  The front end.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_save(const struct gpusched_frontend *frontend,
                                       void *image,
                                       size_t capacity,
                                       size_t *size);

// Tells the configuration of the front end that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written, with `decisions` 0.
// @param config_size  sizeof(gpusched_frontend_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_frontend_image_config(const void *image,
                                               size_t image_size,
                                               struct gpusched_frontend_config *config,
                                               size_t config_size);

// Makes a front end what the saved one was; it goes on exactly there. Its own `decisions` and its trace ring stay as they are;
// decisions that it had and that were not read are forgotten.
//
// @param frontend    An object of the image's configuration; `decisions` may differ.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_frontend_init. Null, Capacity; those
// of the object.
gpusched_status gpusched_frontend_restore(struct gpusched_frontend *frontend,
                                          const void *image,
                                          size_t image_size);

// The name of a status as the sheets spell it, such as "BadSmx"; "Ok" for 0; "Unknown" for a number that is none. The text is
// static and shared by all threads.
const char *gpusched_status_str(uint32_t status);

// One sentence about a status, for people. The text is static and shared by all threads.
const char *gpusched_status_text(uint32_t status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GPUSCHED_H */
