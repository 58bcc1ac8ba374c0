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
// Time. The host owns the clock: 64-bit cycles of the SMX clock, from 0. A front end counts them with its ticks: all calls between
// two ticks belong to one cycle and act at once, in call order. Machines that stand alone are told the cycle by every call; the
// dependency-graph buffer alone has no clock.
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
#define GPUSCHED_ABI_VERSION 2

// No cycle: what a query of a time answers when that time will not come.
#define GPUSCHED_NEVER UINT64_MAX

// No such thing: what a field holds that names a row, when there is none.
#define GPUSCHED_NONE UINT32_MAX

// One parent in an entry of the node array: what a decrement subtracts there.
//
// An entry of the node array is a number of 64 bits, from bit 0 upward: the index of the node's first child in the edge array (31
// bits; the sum of the child counts of all lower VIDs, also for nodes without children), whether it has no children (1), the number
// of its parents (16), its level (16). An entry of the edge array is the VID of a child.
#define GPUSCHED_ONE_PARENT 4294967296

// Caches that a machine may watch.
#define GPUSCHED_MASCAR_CACHES 3

// Schedulers that a machine may have.
#define GPUSCHED_MASCAR_SCHEDULERS 8

// Every scheduler may issue to a compute pipe: gpusched_mascar_pick.
#define GPUSCHED_MASCAR_ALL UINT32_MAX

// Destination of a store: gpusched_mascar_lsu_begin.
#define GPUSCHED_MASCAR_STORE 127

// Issues that a cycle has at most.
#define GPUSCHED_MASCAR_ISSUES 9

// Words of the offsets of a request: 64 times 7 bits.
#define GPUSCHED_MASCAR_OFFSET_WORDS 7

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
    // A command carries 1 to `warp` launches, an instruction at most a request per thread.
    GPUSCHED_STATUS_BAD_COUNT = 10,
    // The hardware thread index is beyond the SMX's threads.
    GPUSCHED_STATUS_BAD_THREAD = 11,
    // Too few free launch records for this command.
    GPUSCHED_STATUS_PENDING_LIMIT = 12,
    // No such kernel distributor entry.
    GPUSCHED_STATUS_BAD_KDE = 13,
    // No active kernel here.
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
    // This machine has no dependency-graph buffer.
    GPUSCHED_STATUS_NO_DGB = 26,
    // A kernel with a dependency graph cannot be retained.
    GPUSCHED_STATUS_GRAPH_RETAIN = 27,
    // The grid has not as many TBs as the graph has nodes.
    GPUSCHED_STATUS_GRAPH_SIZE = 28,
    // The policy is LRR, or LVL with a bound from 0 to 65535.
    GPUSCHED_STATUS_BAD_GRAPH_POLICY = 29,
    // The graph has more than 65535 nodes.
    GPUSCHED_STATUS_TOO_MANY_NODES = 30,
    // The graph has more than 2^31-1 edges.
    GPUSCHED_STATUS_TOO_MANY_EDGES = 31,
    // An array does not start at a multiple of the chunk, or an access not at one of its size.
    GPUSCHED_STATUS_MISALIGNED_ARRAY = 32,
    // An array ends beyond the last address.
    GPUSCHED_STATUS_ADDRESS_OVERFLOW = 33,
    // Under LaPerm's model cdp the device launches kernels, not groups.
    GPUSCHED_STATUS_NO_DTBL = 34,
    // A kernel with a dependency graph cannot be suspended.
    GPUSCHED_STATUS_GRAPH_KERNEL = 35,
    // The kernel has no dependency graph.
    GPUSCHED_STATUS_NOT_GRAPH = 36,
    // This graph or node is not running.
    GPUSCHED_STATUS_NOT_RUNNING = 37,
    // The occupancy-bubble controller says which SMXs are eligible.
    GPUSCHED_STATUS_BUBBLE_OWNS_MASK = 38,
    // The mask names what does not exist.
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
    // Loads ahead rule the FCFS controller's chains, which LaPerm replaces.
    GPUSCHED_STATUS_AHEAD_WITH_LAPERM = 51,
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
    // What runs there has not ended.
    GPUSCHED_STATUS_BUSY = 100,
    // The graph has no nodes.
    GPUSCHED_STATUS_EMPTY_GRAPH = 101,
    // No graph is running.
    GPUSCHED_STATUS_NOT_LAUNCHED = 102,
    // No request of this kind is in flight under this tag.
    GPUSCHED_STATUS_STALE_TAG = 103,
    // The answer has not as many entries as were asked for.
    GPUSCHED_STATUS_BAD_LENGTH = 104,
    // The graph holds a node that cannot be.
    GPUSCHED_STATUS_BAD_GRAPH = 105,
    // The edge array leads to node 0 or to no node.
    GPUSCHED_STATUS_BAD_EDGE = 106,
    // The graph's memory contradicts itself; abort it.
    GPUSCHED_STATUS_GRAPH_FAULT = 107,
    // A TB depends on itself.
    GPUSCHED_STATUS_SELF_DEPENDENCY = 110,
    // There is no room for another edge.
    GPUSCHED_STATUS_EDGE_STORAGE_FULL = 111,
    // Another policy was asked for before.
    GPUSCHED_STATUS_POLICY_CONFLICT = 112,
    // The dependencies go round in a circle.
    GPUSCHED_STATUS_CYCLE = 113,
    // Every TB of the grid has had its turn.
    GPUSCHED_STATUS_GRAPH_COMPLETE = 114,
    // The cycle lies before that of an earlier event.
    GPUSCHED_STATUS_TIME_BACKWARDS = 120,
    // A sample is due before this event.
    GPUSCHED_STATUS_SAMPLE_MISSED = 121,
    // The kernel has no warps or blocks, or more than the SM holds.
    GPUSCHED_STATUS_BAD_KERNEL = 122,
    // No block was asked for.
    GPUSCHED_STATUS_UNSOLICITED_GRANT = 123,
    // No block was asked for that could be denied.
    GPUSCHED_STATUS_UNSOLICITED_DENY = 124,
    // A block of this number is resident.
    GPUSCHED_STATUS_DUPLICATE_BLOCK = 125,
    // No block is in this slot.
    GPUSCHED_STATUS_SLOT_EMPTY = 126,
    // The next sample is not due in this cycle.
    GPUSCHED_STATUS_NOT_DUE = 127,
    // The counts of the sample contradict each other.
    GPUSCHED_STATUS_BAD_SAMPLE = 128,
    // The objective is performance or energy.
    GPUSCHED_STATUS_BAD_OBJECTIVE = 129,
    // No such SM.
    GPUSCHED_STATUS_BAD_SM = 130,
    // This SM does not vote.
    GPUSCHED_STATUS_NOT_ENABLED = 131,
    // A vote is one step down, none, or one step up.
    GPUSCHED_STATUS_BAD_VOTE = 132,
    // This SM has voted in this round.
    GPUSCHED_STATUS_ALREADY_VOTED = 133,
    // Votes of this round are in.
    GPUSCHED_STATUS_ROUND_OPEN = 134,
    // No such warp.
    GPUSCHED_STATUS_BAD_WARP = 140,
    // No warp is resident there.
    GPUSCHED_STATUS_WARP_NOT_RESIDENT = 141,
    // A warp is resident there.
    GPUSCHED_STATUS_WARP_RESIDENT = 142,
    // The warp has requests in the queue or the LSU.
    GPUSCHED_STATUS_WARP_HAS_REQUESTS = 143,
    // This kind of instruction cannot have these operands.
    GPUSCHED_STATUS_BAD_HEAD = 144,
    // No such cache.
    GPUSCHED_STATUS_BAD_SOURCE = 145,
    // More MSHRs or places are taken than the cache has.
    GPUSCHED_STATUS_BAD_OCCUPANCY = 146,
    // The LSU waits for no instruction.
    GPUSCHED_STATUS_LSU_NOT_AWAITING = 147,
    // The LSU waits for an instruction of another warp.
    GPUSCHED_STATUS_WRONG_WARP = 148,
    // No such destination.
    GPUSCHED_STATUS_BAD_REGISTER = 149,
    // The last request has not been answered.
    GPUSCHED_STATUS_REPLY_PENDING = 150,
    // No request waits for an answer.
    GPUSCHED_STATUS_NO_REPLY_PENDING = 151,
    // No such answer.
    GPUSCHED_STATUS_BAD_REPLY = 152,
    // The request names no thread, or an offset beyond its segment.
    GPUSCHED_STATUS_BAD_REQUEST = 153,
    // The PC is wider than the table's.
    GPUSCHED_STATUS_PC_RANGE = 160,
    // A load has at least one active thread.
    GPUSCHED_STATUS_NO_ACTIVE_LANES = 161,
    // The threads are not ascending lanes of one warp.
    GPUSCHED_STATUS_BAD_LANES = 162,
    // The address is wider than the table's.
    GPUSCHED_STATUS_ADDRESS_RANGE = 163,
    // No such answer of the cache.
    GPUSCHED_STATUS_BAD_RESULT = 164,
    // No such row of the prefetch table.
    GPUSCHED_STATUS_BAD_ENTRY = 165,
    // An SM has 1 to 65535 threads.
    GPUSCHED_STATUS_BAD_THREADS = 166,
    // An argument is out of its range.
    GPUSCHED_STATUS_BAD_ARG = 180,
    // The cycle lies before that of an earlier event.
    GPUSCHED_STATUS_TIME_REGRESS = 181,
    // A kernel is attached under this index.
    GPUSCHED_STATUS_SLOT_BUSY = 182,
    // An empty SMX does not hold one TB of the kernel.
    GPUSCHED_STATUS_KERNEL_TOO_BIG = 183,
    // No kernel is attached under this index.
    GPUSCHED_STATUS_NOT_LIVE = 184,
    // TBs of the kernel are resident.
    GPUSCHED_STATUS_KERNEL_STILL_RESIDENT = 185,
    // There are not two kernels.
    GPUSCHED_STATUS_NOT_PAIRED = 186,
    // These TBs do not fit an SMX together.
    GPUSCHED_STATUS_DOES_NOT_FIT = 187,
    // No period has ended.
    GPUSCHED_STATUS_NO_SAMPLE_DUE = 188,
    // More was counted than a period can hold.
    GPUSCHED_STATUS_BAD_METRICS = 189,
    // A profile has 1 to 32 values.
    GPUSCHED_STATUS_BAD_PROFILE = 190,
    // No kernel is in this entry.
    GPUSCHED_STATUS_BAD_POOL_INDEX = 191,
    // The queue of kernels is full.
    GPUSCHED_STATUS_QUEUE_FULL = 192,
    // No TB is resident there that could end.
    GPUSCHED_STATUS_NOT_RESIDENT = 193,
    // There are fewer SMs than kernels.
    GPUSCHED_STATUS_TOO_FEW_SMS = 194,
    // No proposal waits for a report.
    GPUSCHED_STATUS_NO_PROPOSAL = 195,
    // An input is not a number, or infinite.
    GPUSCHED_STATUS_NOT_FINITE = 210,
    // An input is negative.
    GPUSCHED_STATUS_NEGATIVE = 211,
    // An input must not be 0.
    GPUSCHED_STATUS_ZERO_INPUT = 212,
    // An input is out of its range.
    GPUSCHED_STATUS_OUT_OF_RANGE = 213,
    // A result is larger than a number can be.
    GPUSCHED_STATUS_OVERFLOW = 214,
    // The depth is greater than the work.
    GPUSCHED_STATUS_DEPTH_EXCEEDS_WORK = 215,
    // An input is not a power of two.
    GPUSCHED_STATUS_NOT_POW2 = 216,
    // The sizes are not in descending order.
    GPUSCHED_STATUS_BAD_ORDER = 217,
    // All lanes of the warp have exited.
    GPUSCHED_STATUS_WARP_DONE = 218,
    // This PC means none.
    GPUSCHED_STATUS_BAD_PC = 219,
    // The reconvergence stack has no room.
    GPUSCHED_STATUS_STACK_OVERFLOW = 220,
    // An access has 1, 2, 4, 8 or 16 bytes.
    GPUSCHED_STATUS_BAD_SIZE = 221,
    // An access ends beyond the last address.
    GPUSCHED_STATUS_ADDRESS_WRAP = 222,
    // No such register.
    GPUSCHED_STATUS_BAD_REG = 223,
    // The register is not pending.
    GPUSCHED_STATUS_NOT_PENDING = 224,
    // More nodes, arcs or dependences than there is room for.
    GPUSCHED_STATUS_TOO_BIG = 225,
    // The weight of a node is out of its range.
    GPUSCHED_STATUS_BAD_WEIGHT = 226,
    // An arc or dependence does not lead to a later node.
    GPUSCHED_STATUS_NOT_TOPOLOGICAL = 227,
    // The fractions of warps that leave a node are no parts of one.
    GPUSCHED_STATUS_BAD_FRACTION = 228,
    // A dependence begins at a node that is no global memory access.
    GPUSCHED_STATUS_BAD_DEPENDENCE = 229,
    // No such site.
    GPUSCHED_STATUS_BAD_SITE = 230,
    // More requests than the scratch queue holds.
    GPUSCHED_STATUS_TOO_MANY_REQUESTS = 231,
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
    // LaPerm's queues, by level and by SMX; `laperm_policy` says which of its policies.
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
    // LaPerm brings a unit from memory onto the chip: `tag`. With laperm_refill_mode external the host answers with
    // gpusched_frontend_refilled.
    GPUSCHED_DECISION_KIND_REFILL = 17,
    // The occupancy-bubble controller took a sample, which gpusched_frontend_bubble_record
    // tells: `detail` is 1 if a TB was reported to it as waiting, and `tag` is that TB's.
    GPUSCHED_DECISION_KIND_SAMPLE = 18,
    // Every node of a kernel's dependency graph is done: `kde`.
    GPUSCHED_DECISION_KIND_GRAPH_DONE = 19,
    // The memory of a kernel's dependency graph contradicts itself: `kde`, `detail` = gpusched_graph_fault, `blkid` = the node.
    GPUSCHED_DECISION_KIND_GRAPH_FAULT = 20,
    // A kernel's dependency graph was given up: `kde`, `blkid` = its TBs that still run.
    GPUSCHED_DECISION_KIND_GRAPH_ABORT = 21,
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
    // The kernel's dependency graph: the TB's number is a VID.
    GPUSCHED_UNIT_NODE = 6,
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
    // An SMX has room, but a gate other than a class cap is closed there.
    GPUSCHED_SCHED_GATED = 4,
    // No SMX takes the next TB, whose class has its share of some (class cap).
    GPUSCHED_SCHED_CAPPED = 5,
    // LaPerm: the candidate for the visited SMX does not fit there.
    GPUSCHED_SCHED_NO_FIT = 6,
    // LaPerm: there is visible work, but none for the visited SMX.
    GPUSCHED_SCHED_NO_CANDIDATE = 7,
    // LaPerm: the visited SMX takes no TBs.
    GPUSCHED_SCHED_MASKED = 8,
    // A dependency graph has no node that is ready.
    GPUSCHED_SCHED_GRAPH_NO_READY = 9,
    // A dependency graph: its ready nodes wait for their successor's entry or for edges.
    GPUSCHED_SCHED_GRAPH_HEAD = 10,
    // A dependency graph: its ready node is too many levels ahead.
    GPUSCHED_SCHED_GRAPH_LEVEL_BOUND = 11,
    // A dependency graph whose window can never move again.
    GPUSCHED_SCHED_GRAPH_DEADLOCK = 12,
    // A dependency graph whose memory contradicts itself.
    GPUSCHED_SCHED_GRAPH_FAULT = 13,
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
    // Only kernels wait whose dependency graphs wait for the dependency-graph buffer.
    GPUSCHED_KMU_DG_BUSY = 4,
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
    // The dependency graph that runs contradicts itself, or its window can never move again: give it up.
    GPUSCHED_FRONTEND_STATUS_GRAPH_STUCK = 7,
    // The dependency-graph buffer waits for answers.
    GPUSCHED_FRONTEND_STATUS_GRAPH_WAIT = 8,
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

// Where LaPerm put a unit: `detail` of GPUSCHED_DECISION_KIND_PLACE.
enum gpusched_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Into the on-chip queue of its bind unit.
    GPUSCHED_PLACE_ON_CHIP = 0,
    // Into an overflow list in memory: that queue is full.
    GPUSCHED_PLACE_SPILLED = 1,
    // Into queue 0, as a host kernel.
    GPUSCHED_PLACE_QUEUE0 = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_place gpusched_place;
#else
typedef uint32_t gpusched_place;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// In which order ready nodes are dispatched. Both take the smallest VID and go round the SMXs.
enum gpusched_graph_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Local round robin: a ready node may run, however far it is ahead.
    GPUSCHED_GRAPH_POLICY_LRR = 0,
    // Level-bound: nodes that run are at most `bound` levels apart. 3 was evaluated; 0 runs level by level.
    GPUSCHED_GRAPH_POLICY_LVL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_graph_policy gpusched_graph_policy;
#else
typedef uint32_t gpusched_graph_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is wrong with a node that memory answered: `what` of a gpusched_graph_error that comes with BadGraph.
enum gpusched_node_flaw
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Its edges start before those of the one before, or beyond the last.
    GPUSCHED_NODE_FLAW_EDGE_START = 1,
    // Its mark for having no children is wrong.
    GPUSCHED_NODE_FLAW_CHILDLESS = 2,
    // It has more edges than the LEA, and nothing spills.
    GPUSCHED_NODE_FLAW_OVERSIZE = 3,
    // Its level is below that of the one before, or skips one.
    GPUSCHED_NODE_FLAW_LEVEL = 4,
    // It has parents at level 0, or none above.
    GPUSCHED_NODE_FLAW_PARENTS = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_node_flaw gpusched_node_flaw;
#else
typedef uint32_t gpusched_node_flaw;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a graph's memory contradicts itself in a way that no single chunk shows: `what` of a gpusched_graph_error that comes with
// GraphFault.
enum gpusched_graph_fault
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // An edge leads from this node to itself or back.
    GPUSCHED_GRAPH_FAULT_EDGE_ORDER = 1,
    // More edges lead to this node than it has parents.
    GPUSCHED_GRAPH_FAULT_PARENT_UNDERFLOW = 2,
    // Fewer edges lead to this node than it has parents.
    GPUSCHED_GRAPH_FAULT_PARENT_EXCESS = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_graph_fault gpusched_graph_fault;
#else
typedef uint32_t gpusched_graph_fault;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether a graph can deadlock the buffer. It is about `spill` off, whatever the configuration says; with it every graph completes.
enum gpusched_admission
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // No schedule deadlocks, at any number of SMXs, policy and latency.
    GPUSCHED_ADMISSION_SAFE = 0,
    // Some schedule may deadlock: the smallest node at which the window may stop is told.
    GPUSCHED_ADMISSION_MAY_DEADLOCK = 1,
    // Every schedule deadlocks: the smallest node at which the window stops is told.
    GPUSCHED_ADMISSION_DEADLOCKS = 2,
    // A node has more edges than the LEA, so it can never enter the window: the smallest such is told.
    GPUSCHED_ADMISSION_OVERSIZE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_admission gpusched_admission;
#else
typedef uint32_t gpusched_admission;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Presets of gpusched_dgb_config_init: the sizes that were evaluated on a GTX 480.
enum gpusched_dgb_preset
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Under LVL: 128 nodes, 512 edges.
    GPUSCHED_DGB_PRESET_GTX480 = 0,
    // Under LRR: 512 nodes, 2048 edges.
    GPUSCHED_DGB_PRESET_GTX480_LRR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_preset gpusched_dgb_preset;
#else
typedef uint32_t gpusched_dgb_preset;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// When a chunk of nodes is requested.
enum gpusched_dgb_prefetch
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // When the window has room for all of it.
    GPUSCHED_DGB_PREFETCH_CHUNK_FREE = 0,
    // As soon as the node insertion buffer is empty.
    GPUSCHED_DGB_PREFETCH_EAGER = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_prefetch gpusched_dgb_prefetch;
#else
typedef uint32_t gpusched_dgb_prefetch;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the level of a candidate is compared with under LVL.
enum gpusched_dgb_level_ref
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The level of the oldest node that is not finalised.
    GPUSCHED_DGB_LEVEL_REF_INCOMPLETE = 0,
    // The levels of the nodes that are executing.
    GPUSCHED_DGB_LEVEL_REF_ACTIVE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_level_ref gpusched_dgb_level_ref;
#else
typedef uint32_t gpusched_dgb_level_ref;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is asked of memory: `kind` of a gpusched_graph_request.
enum gpusched_graph_request_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing is due; the other fields are 0.
    GPUSCHED_GRAPH_REQUEST_KIND_NONE = 0,
    // Read entries of the node array, of 8 bytes each.
    GPUSCHED_GRAPH_REQUEST_KIND_NODES = 1,
    // Read entries of the edge array, of 2 bytes each, all of one chunk.
    GPUSCHED_GRAPH_REQUEST_KIND_EDGES = 2,
    // Subtract GPUSCHED_ONE_PARENT from an entry of the node array, before any later read of it.
    GPUSCHED_GRAPH_REQUEST_KIND_DECREMENT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_graph_request_kind gpusched_graph_request_kind;
#else
typedef uint32_t gpusched_graph_request_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What keeps a node from being final although its TB has ended: `pending` of a gpusched_graph_report.
enum gpusched_graph_pending
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    GPUSCHED_GRAPH_PENDING_NONE = 0,
    // Its edges are not on chip.
    GPUSCHED_GRAPH_PENDING_EDGES = 1,
    // The PUB has too little room.
    GPUSCHED_GRAPH_PENDING_PUB = 2,
    // It has more edges than the LEA, and is not the oldest node yet.
    GPUSCHED_GRAPH_PENDING_TAIL = 3,
    // Its edges are being applied one at a time.
    GPUSCHED_GRAPH_PENDING_SPILL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_graph_pending gpusched_graph_pending;
#else
typedef uint32_t gpusched_graph_pending;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the buffer decided: `sched` of a gpusched_dgb_selection.
enum gpusched_dgb_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Run this node: `kde`, `node`, `smx`. The other words leave these fields 0.
    GPUSCHED_DGB_SCHED_DISPATCH = 0,
    // Every node of the window waits for parents, runs, or is done.
    GPUSCHED_DGB_SCHED_NO_READY = 1,
    // The ready nodes wait for their successor's entry or for edges.
    GPUSCHED_DGB_SCHED_HEAD = 2,
    // The ready node is too far ahead.
    GPUSCHED_DGB_SCHED_LEVEL_BOUND = 3,
    // No SMX has room.
    GPUSCHED_DGB_SCHED_NO_SMX = 4,
    // The window can never move again, though TBs may still end: abort the graph, and launch it with spill or a larger window.
    GPUSCHED_DGB_SCHED_DEADLOCK = 5,
    // The graph is complete.
    GPUSCHED_DGB_SCHED_FINISHED = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_sched gpusched_dgb_sched;
#else
typedef uint32_t gpusched_dgb_sched;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the buffer is doing.
enum gpusched_dgb_phase
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // There is no graph.
    GPUSCHED_DGB_PHASE_IDLE = 0,
    // A graph runs.
    GPUSCHED_DGB_PHASE_RUNNING = 1,
    // The graph is complete.
    GPUSCHED_DGB_PHASE_FINISHED = 2,
    // The graph's memory contradicts itself; only an abort helps.
    GPUSCHED_DGB_PHASE_FAULTED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_phase gpusched_dgb_phase;
#else
typedef uint32_t gpusched_dgb_phase;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// State of a node in the window.
enum gpusched_node_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // W: parents are not final.
    GPUSCHED_NODE_STATE_WAITING = 0,
    // R: may be dispatched.
    GPUSCHED_NODE_STATE_READY = 1,
    // P: its TB runs.
    GPUSCHED_NODE_STATE_EXECUTING = 2,
    // P: its TB has ended; its children do not know yet.
    GPUSCHED_NODE_STATE_PENDING = 3,
    // D: its children know.
    GPUSCHED_NODE_STATE_DONE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_node_state gpusched_node_state;
#else
typedef uint32_t gpusched_node_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The dependency graph of a kernel.
enum gpusched_graph_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It has none.
    GPUSCHED_GRAPH_STATE_NONE = 0,
    // It waits for the kernel's arrival.
    GPUSCHED_GRAPH_STATE_COMING = 1,
    // The dependency-graph buffer runs it.
    GPUSCHED_GRAPH_STATE_RUNNING = 2,
    // Every node is done.
    GPUSCHED_GRAPH_STATE_FINISHED = 3,
    // Its memory contradicts itself; it waits for gpusched_frontend_abort_graph.
    GPUSCHED_GRAPH_STATE_FAULTED = 4,
    // It was given up: nodes that were not sent never are.
    GPUSCHED_GRAPH_STATE_ABORTED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_graph_state gpusched_graph_state;
#else
typedef uint32_t gpusched_graph_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the user wants of the clocks.
enum gpusched_equalizer_objective
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Lower the clock of what is not needed.
    GPUSCHED_EQUALIZER_OBJECTIVE_ENERGY = 0,
    // Raise the clock of what is short.
    GPUSCHED_EQUALIZER_OBJECTIVE_PERFORMANCE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_objective gpusched_equalizer_objective;
#else
typedef uint32_t gpusched_equalizer_objective;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the instruction at the head of a warp's buffer needs.
enum gpusched_equalizer_head_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // An arithmetic pipe.
    GPUSCHED_EQUALIZER_HEAD_KIND_ALU = 0,
    // The LD/ST pipe.
    GPUSCHED_EQUALIZER_HEAD_KIND_MEM = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_head_kind gpusched_equalizer_head_kind;
#else
typedef uint32_t gpusched_equalizer_head_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a warp does at a sampling instant.
enum gpusched_equalizer_class
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It is not there.
    GPUSCHED_EQUALIZER_CLASS_ABSENT = 0,
    // Its block is paused.
    GPUSCHED_EQUALIZER_CLASS_PAUSED = 1,
    // It issues.
    GPUSCHED_EQUALIZER_CLASS_ISSUED = 2,
    // Nothing is known of its next instruction.
    GPUSCHED_EQUALIZER_CLASS_UNACCOUNTED = 3,
    // Something that the mechanism does not count.
    GPUSCHED_EQUALIZER_CLASS_OTHER = 4,
    // It waits for operands.
    GPUSCHED_EQUALIZER_CLASS_WAITING = 5,
    // It is ready, and held back by the arithmetic pipes.
    GPUSCHED_EQUALIZER_CLASS_XALU = 6,
    // It is ready, and held back by the LD/ST pipe.
    GPUSCHED_EQUALIZER_CLASS_XMEM = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_class gpusched_equalizer_class;
#else
typedef uint32_t gpusched_equalizer_class;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which resource the kernel is short of.
enum gpusched_equalizer_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_EQUALIZER_ACTION_NONE = 0,
    // The SM.
    GPUSCHED_EQUALIZER_ACTION_COMP = 1,
    // The memory.
    GPUSCHED_EQUALIZER_ACTION_MEM = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_action gpusched_equalizer_action;
#else
typedef uint32_t gpusched_equalizer_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What became of a decision about a clock.
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

// How means meet thresholds.
enum gpusched_equalizer_average
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Sums are compared with multiples of the thresholds.
    GPUSCHED_EQUALIZER_AVERAGE_EXACT = 0,
    // Sums are divided by the number of samples first, and truncated.
    GPUSCHED_EQUALIZER_AVERAGE_FLOOR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_average gpusched_equalizer_average;
#else
typedef uint32_t gpusched_equalizer_average;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which decisions add up to a change of the block count.
enum gpusched_equalizer_hyst_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Those in one direction.
    GPUSCHED_EQUALIZER_HYST_MODE_SAME = 0,
    // Any that are for a change; the last one's direction is taken.
    GPUSCHED_EQUALIZER_HYST_MODE_ANY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_hyst_mode gpusched_equalizer_hyst_mode;
#else
typedef uint32_t gpusched_equalizer_hyst_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which block of several.
enum gpusched_equalizer_pick
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The one that arrived last.
    GPUSCHED_EQUALIZER_PICK_YOUNGEST = 0,
    // The one that arrived first.
    GPUSCHED_EQUALIZER_PICK_OLDEST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_pick gpusched_equalizer_pick;
#else
typedef uint32_t gpusched_equalizer_pick;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which ready memory warps count as X_mem.
enum gpusched_equalizer_xmem_rule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Those that the LD/ST pipe does not accept in this cycle.
    GPUSCHED_EQUALIZER_XMEM_RULE_ACCEPT = 0,
    // All that did not issue.
    GPUSCHED_EQUALIZER_XMEM_RULE_ANY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_xmem_rule gpusched_equalizer_xmem_rule;
#else
typedef uint32_t gpusched_equalizer_xmem_rule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A step of a clock, as configurations have it.
enum gpusched_equalizer_step
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_EQUALIZER_STEP_HOLD = 0,
    // One up.
    GPUSCHED_EQUALIZER_STEP_UP = 1,
    // One down.
    GPUSCHED_EQUALIZER_STEP_DOWN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_equalizer_step gpusched_equalizer_step;
#else
typedef uint32_t gpusched_equalizer_step;
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

// What size_of_data counts.
enum gpusched_exec_size_unit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Requests of an SM.
    GPUSCHED_EXEC_SIZE_UNIT_LITERAL = 0,
    // Bytes of the kernel.
    GPUSCHED_EXEC_SIZE_UNIT_BYTES = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_exec_size_unit gpusched_exec_size_unit;
#else
typedef uint32_t gpusched_exec_size_unit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What limits a kernel.
enum gpusched_theory_bound
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Arithmetic.
    GPUSCHED_THEORY_BOUND_COMPUTE = 0,
    // Bandwidth of memory.
    GPUSCHED_THEORY_BOUND_MEMORY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_theory_bound gpusched_theory_bound;
#else
typedef uint32_t gpusched_theory_bound;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A stretch of a kernel.
enum gpusched_wfg_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Where warps begin: the first node, and no other.
    GPUSCHED_WFG_KIND_ENTRY = 0,
    // Instructions; the weight is their number.
    GPUSCHED_WFG_KIND_COMP = 1,
    // An access to shared memory; the weight is its mean serialisation, 1 or more.
    GPUSCHED_WFG_KIND_SMEM = 2,
    // An access to global memory; the weight is its mean number of transactions, 1 or more.
    GPUSCHED_WFG_KIND_GMEM = 3,
    // A barrier.
    GPUSCHED_WFG_KIND_BARRIER = 4,
    // Where warps end: the last node, and no other.
    GPUSCHED_WFG_KIND_EXIT = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_wfg_kind gpusched_wfg_kind;
#else
typedef uint32_t gpusched_wfg_kind;
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

// How utilisations enter the history.
enum gpusched_tlp_history_rule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The new one weighs 2^-his_shift.
    GPUSCHED_TLP_HISTORY_RULE_EWMA = 0,
    // The mean of all periods.
    GPUSCHED_TLP_HISTORY_RULE_MEAN = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_history_rule gpusched_tlp_history_rule;
#else
typedef uint32_t gpusched_tlp_history_rule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who shares an SM.
enum gpusched_tlp_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nobody.
    GPUSCHED_TLP_MODE_IDLE = 0,
    // One kernel.
    GPUSCHED_TLP_MODE_SOLO = 1,
    // Two kernels.
    GPUSCHED_TLP_MODE_PAIR = 2,
    // Two kernels, one of which waits until the other has ended.
    GPUSCHED_TLP_MODE_LEFTOVER = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_mode gpusched_tlp_mode;
#else
typedef uint32_t gpusched_tlp_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether targets move while bypassing is learnt.
enum gpusched_tlp_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // They do.
    GPUSCHED_TLP_ORDER_CONCURRENT = 0,
    // Not before learning has ended.
    GPUSCHED_TLP_ORDER_BYPASS_FIRST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_order gpusched_tlp_order;
#else
typedef uint32_t gpusched_tlp_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a kernel leans on.
enum gpusched_tlp_pref
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The SP pipelines.
    GPUSCHED_TLP_PREF_COMPUTE = 0,
    // The LD/ST pipelines.
    GPUSCHED_TLP_PREF_MEMORY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_pref gpusched_tlp_pref;
#else
typedef uint32_t gpusched_tlp_pref;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What becomes of the targets when both kernels lean on the critical pipeline alike.
enum gpusched_tlp_puhp_tie
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // They stay.
    GPUSCHED_TLP_PUHP_TIE_HOLD = 0,
    // Kernel 0 grows.
    GPUSCHED_TLP_PUHP_TIE_GROW0 = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_puhp_tie gpusched_tlp_puhp_tie;
#else
typedef uint32_t gpusched_tlp_puhp_tie;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a work distributor does in one call. sched of gpusched_tlp_sent.
enum gpusched_tlp_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It sends a TB.
    GPUSCHED_TLP_SCHED_TB = 0,
    // No kernel has TBs to be sent.
    GPUSCHED_TLP_SCHED_EMPTY = 1,
    // No SM takes one.
    GPUSCHED_TLP_SCHED_NO_ROOM = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_sched gpusched_tlp_sched;
#else
typedef uint32_t gpusched_tlp_sched;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The target of a kernel without a partner.
enum gpusched_tlp_solo
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All that fit.
    GPUSCHED_TLP_SOLO_MAX = 0,
    // As many as it runs best with.
    GPUSCHED_TLP_SOLO_OPT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_solo gpusched_tlp_solo;
#else
typedef uint32_t gpusched_tlp_solo;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What of the stalls of two periods is compared.
enum gpusched_tlp_stall_norm
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Their counts.
    GPUSCHED_TLP_STALL_NORM_RAW = 0,
    // Their counts per cycle of the period.
    GPUSCHED_TLP_STALL_NORM_PER_CYCLE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_stall_norm gpusched_tlp_stall_norm;
#else
typedef uint32_t gpusched_tlp_stall_norm;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a kernel's speed follows its TLP (4.1), in the order in which Algorithm 1 serves them.
enum gpusched_tlp_type
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One TB is best.
    GPUSCHED_TLP_TYPE_DOWN = 0,
    // It is best somewhere between.
    GPUSCHED_TLP_TYPE_OPTIMAL = 1,
    // The more the better.
    GPUSCHED_TLP_TYPE_UP = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_type gpusched_tlp_type;
#else
typedef uint32_t gpusched_tlp_type;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What two kernels of type up do.
enum gpusched_tlp_upup
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The younger waits for the older to end.
    GPUSCHED_TLP_UPUP_LEFTOVER = 0,
    // The older has half of what fits.
    GPUSCHED_TLP_UPUP_HALF = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_upup gpusched_tlp_upup;
#else
typedef uint32_t gpusched_tlp_upup;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a load did to the distance of its row.
enum gpusched_apogee_adjust
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    GPUSCHED_APOGEE_ADJUST_NONE = 0,
    // The prefetch was slow: one iteration more.
    GPUSCHED_APOGEE_ADJUST_INC = 1,
    // The prefetch was slow, and the distance the greatest already.
    GPUSCHED_APOGEE_ADJUST_INC_SAT = 2,
    // The prefetch was too early: one iteration less.
    GPUSCHED_APOGEE_ADJUST_DEC = 3,
    // The prefetch was too early, and the distance the least already.
    GPUSCHED_APOGEE_ADJUST_DEC_MIN = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_adjust gpusched_apogee_adjust;
#else
typedef uint32_t gpusched_apogee_adjust;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What tells a prefetch that came too early from a wrong one.
enum gpusched_apogee_early
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The access is on the learnt pattern, whole warps further.
    GPUSCHED_APOGEE_EARLY_PATTERN = 0,
    // The access is where the row's base formula says, taken literally.
    GPUSCHED_APOGEE_EARLY_LITERAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_early gpusched_apogee_early;
#else
typedef uint32_t gpusched_apogee_early;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why a line is prefetched.
enum gpusched_apogee_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Fixed offset address.
    GPUSCHED_APOGEE_KIND_FOA = 0,
    // Thread invariant address.
    GPUSCHED_APOGEE_KIND_TIA = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_kind gpusched_apogee_kind;
#else
typedef uint32_t gpusched_apogee_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whose last accessed load (LAL) a chain is made of.
enum gpusched_apogee_lal_scope
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // That of each warp.
    GPUSCHED_APOGEE_LAL_SCOPE_WARP = 0,
    // One register for all warps.
    GPUSCHED_APOGEE_LAL_SCOPE_SM = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_lal_scope gpusched_apogee_lal_scope;
#else
typedef uint32_t gpusched_apogee_lal_scope;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which threads of the warp a prefetch is for.
enum gpusched_apogee_lane_set
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Every thread of a full warp.
    GPUSCHED_APOGEE_LANE_SET_ALL = 0,
    // The threads that were active in the load.
    GPUSCHED_APOGEE_LANE_SET_ACTIVE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_lane_set gpusched_apogee_lane_set;
#else
typedef uint32_t gpusched_apogee_lane_set;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a line is merged with.
enum gpusched_apogee_merge
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Lines of the same load, and lines that wait in the prefetch queue.
    GPUSCHED_APOGEE_MERGE_QUEUE = 0,
    // Lines of the same load.
    GPUSCHED_APOGEE_MERGE_GROUP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_merge gpusched_apogee_merge;
#else
typedef uint32_t gpusched_apogee_merge;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What became of a line that is to be prefetched.
enum gpusched_apogee_push
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It waits in the queue.
    GPUSCHED_APOGEE_PUSH_PUSHED = 0,
    // It waited there already.
    GPUSCHED_APOGEE_PUSH_MERGED = 1,
    // The queue is full.
    GPUSCHED_APOGEE_PUSH_DROPPED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_push gpusched_apogee_push;
#else
typedef uint32_t gpusched_apogee_push;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a row of the prefetch table is for: its PF type.
enum gpusched_apogee_row_type
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    GPUSCHED_APOGEE_ROW_TYPE_FREE = 0,
    // The load of its PC, which has no offset yet.
    GPUSCHED_APOGEE_ROW_TYPE_TRAIN = 1,
    // The load of its PC, with an offset.
    GPUSCHED_APOGEE_ROW_TYPE_FOA = 2,
    // The prefetch of what another load will ask for, by the load of its PC.
    GPUSCHED_APOGEE_ROW_TYPE_TRIG = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_row_type gpusched_apogee_row_type;
#else
typedef uint32_t gpusched_apogee_row_type;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which loads find that their prefetch is slow.
enum gpusched_apogee_slow_rule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All.
    GPUSCHED_APOGEE_SLOW_RULE_ANY = 0,
    // Those that miss.
    GPUSCHED_APOGEE_SLOW_RULE_MISS = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_slow_rule gpusched_apogee_slow_rule;
#else
typedef uint32_t gpusched_apogee_slow_rule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What has become of the prefetches of one row for one warp.
enum gpusched_apogee_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing is outstanding.
    GPUSCHED_APOGEE_STATE_IDLE = 0,
    // One is on its way to memory.
    GPUSCHED_APOGEE_STATE_SENT = 1,
    // One has come back.
    GPUSCHED_APOGEE_STATE_BACK = 2,
    // Requested, still in the prefetch queue.
    GPUSCHED_APOGEE_STATE_QUEUED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_state gpusched_apogee_state;
#else
typedef uint32_t gpusched_apogee_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a load did to the chain of thread-invariant loads.
enum gpusched_apogee_tia
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It is no thread-invariant load that misses.
    GPUSCHED_APOGEE_TIA_NONE = 0,
    // A trigger row was made for it.
    GPUSCHED_APOGEE_TIA_ADDED = 1,
    // Its trigger row stays.
    GPUSCHED_APOGEE_TIA_KEPT = 2,
    // Its trigger row stays, and moves when it triggers next.
    GPUSCHED_APOGEE_TIA_SLOW = 3,
    // The last accessed load is itself: no trigger.
    GPUSCHED_APOGEE_TIA_SELF_LOAD = 4,
    // There is no last accessed load.
    GPUSCHED_APOGEE_TIA_NO_LAL = 5,
    // The table has no row but its own.
    GPUSCHED_APOGEE_TIA_NO_ROOM = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_tia gpusched_apogee_tia;
#else
typedef uint32_t gpusched_apogee_tia;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the cache answered to all lines of a load.
enum gpusched_apogee_verdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All are present.
    GPUSCHED_APOGEE_VERDICT_HIT = 0,
    // None is absent, some are on their way.
    GPUSCHED_APOGEE_VERDICT_PENDING = 1,
    // Some are absent.
    GPUSCHED_APOGEE_VERDICT_ABSENT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_apogee_verdict gpusched_apogee_verdict;
#else
typedef uint32_t gpusched_apogee_verdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which unit becomes an SMX's backup.
enum gpusched_laperm_backup_select
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The next one with a candidate, from the SMX's own on.
    GPUSCHED_LAPERM_BACKUP_SELECT_NEXT = 0,
    // The lowest one with a candidate.
    GPUSCHED_LAPERM_BACKUP_SELECT_LOWEST = 1,
    // One whose candidate has the highest level.
    GPUSCHED_LAPERM_BACKUP_SELECT_HIGHEST_PRIO = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_backup_select gpusched_laperm_backup_select;
#else
typedef uint32_t gpusched_laperm_backup_select;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the KMU did. kmu of gpusched_laperm_moved.
enum gpusched_laperm_kmu
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It moved a kernel.
    GPUSCHED_LAPERM_KMU_MOVED = 0,
    // Its last search is still under way.
    GPUSCHED_LAPERM_KMU_BUSY = 1,
    // No kernel is pending.
    GPUSCHED_LAPERM_KMU_NOTHING_PENDING = 2,
    // Every entry of the kernel distributor is taken.
    GPUSCHED_LAPERM_KMU_KDU_FULL = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_kmu gpusched_laperm_kmu;
#else
typedef uint32_t gpusched_laperm_kmu;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a device-side launch creates.
enum gpusched_laperm_model
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // TB groups: visible to the scheduler at once, beyond the on-chip queues in overflow lists.
    GPUSCHED_LAPERM_MODEL_DTBL = 0,
    // Kernels: pending in memory until the KMU moves them into one of the kernel distributor's entries.
    GPUSCHED_LAPERM_MODEL_CDP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_model gpusched_laperm_model;
#else
typedef uint32_t gpusched_laperm_model;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a candidate that does not fit does to later stages.
enum gpusched_laperm_no_fit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It waits, and the visit ends.
    GPUSCHED_LAPERM_NO_FIT_BLOCK = 0,
    // Later stages are tried.
    GPUSCHED_LAPERM_NO_FIT_TRY_NEXT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_no_fit gpusched_laperm_no_fit;
#else
typedef uint32_t gpusched_laperm_no_fit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where pushed work went. place of gpusched_laperm_placed.
enum gpusched_laperm_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // To queue 0.
    GPUSCHED_LAPERM_PLACE_QUEUE0 = 0,
    // To the queue of a unit.
    GPUSCHED_LAPERM_PLACE_ON_CHIP = 1,
    // To an overflow list in memory: the unit's queue is full.
    GPUSCHED_LAPERM_PLACE_SPILLED = 2,
    // CDP: to a pending list in memory, until the KMU takes it.
    GPUSCHED_LAPERM_PLACE_PENDING = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_place gpusched_laperm_place;
#else
typedef uint32_t gpusched_laperm_place;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which TBs go first, and where they may go.
enum gpusched_laperm_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The baseline: one FIFO for all, no priorities, no binding.
    GPUSCHED_LAPERM_POLICY_RR = 0,
    // Children before their parents, on any SMX.
    GPUSCHED_LAPERM_POLICY_TB_PRI = 1,
    // Children before their parents, on the SMXs of their parent's unit only.
    GPUSCHED_LAPERM_POLICY_SMX_BIND = 2,
    // As SmxBind, but an SMX that has nothing else to do takes children of other units.
    GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_policy gpusched_laperm_policy;
#else
typedef uint32_t gpusched_laperm_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who times a refill from an overflow list.
enum gpusched_laperm_refill_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It takes refill_cycles.
    GPUSCHED_LAPERM_REFILL_MODE_FIXED = 0,
    // The host answers with refilled.
    GPUSCHED_LAPERM_REFILL_MODE_EXTERNAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_refill_mode gpusched_laperm_refill_mode;
#else
typedef uint32_t gpusched_laperm_refill_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a cycle did. sched of gpusched_laperm_sent.
enum gpusched_laperm_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It sent this TB.
    GPUSCHED_LAPERM_SCHED_TB = 0,
    // Nothing is visible anywhere.
    GPUSCHED_LAPERM_SCHED_NO_WORK = 1,
    // The SMX is masked.
    GPUSCHED_LAPERM_SCHED_MASKED = 2,
    // There is visible work, but none for this SMX.
    GPUSCHED_LAPERM_SCHED_NO_CANDIDATE = 3,
    // A candidate does not fit.
    GPUSCHED_LAPERM_SCHED_NO_FIT = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_sched gpusched_laperm_sched;
#else
typedef uint32_t gpusched_laperm_sched;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who goes to the overflow list when a unit's queue is full.
enum gpusched_laperm_spill
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The new entry.
    GPUSCHED_LAPERM_SPILL_NEW = 0,
    // The last entry of the lowest level, if the new one is of a higher level.
    GPUSCHED_LAPERM_SPILL_LOWEST = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_spill gpusched_laperm_spill;
#else
typedef uint32_t gpusched_laperm_spill;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where the candidate was found.
enum gpusched_laperm_stage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // In the queue of the SMX's own unit.
    GPUSCHED_LAPERM_STAGE_UNIT = 1,
    // In queue 0.
    GPUSCHED_LAPERM_STAGE_QUEUE0 = 2,
    // In the queue of a backup unit.
    GPUSCHED_LAPERM_STAGE_BACKUP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_stage gpusched_laperm_stage;
#else
typedef uint32_t gpusched_laperm_stage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How many SMXs one cycle visits.
enum gpusched_laperm_visit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One.
    GPUSCHED_LAPERM_VISIT_STEP = 0,
    // As many as it takes to find one that takes a TB.
    GPUSCHED_LAPERM_VISIT_SKIP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_laperm_visit gpusched_laperm_visit;
#else
typedef uint32_t gpusched_laperm_visit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A transition of the GPU that ended.
enum gpusched_bubble_gpu_done
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_BUBBLE_GPU_DONE_NONE = 0,
    // All SMXs are low.
    GPUSCHED_BUBBLE_GPU_DONE_LOW = 1,
    // All SMXs are high.
    GPUSCHED_BUBBLE_GPU_DONE_HIGH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_gpu_done gpusched_bubble_gpu_done;
#else
typedef uint32_t gpusched_bubble_gpu_done;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A transition of the GPU that starts: an order for the regulator.
enum gpusched_bubble_gpu_start
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_BUBBLE_GPU_START_NONE = 0,
    // To low.
    GPUSCHED_BUBBLE_GPU_START_DOWN = 1,
    // To high.
    GPUSCHED_BUBBLE_GPU_START_UP = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_gpu_start gpusched_bubble_gpu_start;
#else
typedef uint32_t gpusched_bubble_gpu_start;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is under way on an SMX, or on the GPU.
enum gpusched_bubble_level
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // High P-state, not diverted. Of the GPU: each SMX has its own level.
    GPUSCHED_BUBBLE_LEVEL_NORMAL = 0,
    // Diverted, high P-state: its TBs run to their ends. Not of the GPU.
    GPUSCHED_BUBBLE_LEVEL_DRAINING = 1,
    // On its way to the low P-state.
    GPUSCHED_BUBBLE_LEVEL_GOING_DOWN = 2,
    // At the low P-state.
    GPUSCHED_BUBBLE_LEVEL_LOW = 3,
    // On its way to the high P-state.
    GPUSCHED_BUBBLE_LEVEL_GOING_UP = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_level gpusched_bubble_level;
#else
typedef uint32_t gpusched_bubble_level;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The P-state of an SMX.
enum gpusched_bubble_pstate
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // High voltage and clock.
    GPUSCHED_BUBBLE_PSTATE_HIGH = 0,
    // From high to low; charged as high.
    GPUSCHED_BUBBLE_PSTATE_DOWN = 1,
    // Low voltage and clock.
    GPUSCHED_BUBBLE_PSTATE_LOW = 2,
    // From low to high; charged as high.
    GPUSCHED_BUBBLE_PSTATE_UP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_pstate gpusched_bubble_pstate;
#else
typedef uint32_t gpusched_bubble_pstate;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How an SMX that is wanted again becomes eligible.
enum gpusched_bubble_resume
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_BUBBLE_RESUME_NONE = 0,
    // Its transition to high starts: an order for the regulator.
    GPUSCHED_BUBBLE_RESUME_UP = 1,
    // It was draining, and is eligible at once.
    GPUSCHED_BUBBLE_RESUME_CANCEL = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_resume gpusched_bubble_resume;
#else
typedef uint32_t gpusched_bubble_resume;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// When a bubble that is still there may be diverted again.
enum gpusched_bubble_retrigger
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // At every sample.
    GPUSCHED_BUBBLE_RETRIGGER_LEVEL = 0,
    // At every sample until a drain time-out or a resumption; then only after the SMX was not in a bubble.
    GPUSCHED_BUBBLE_RETRIGGER_REARM = 1,
    // Only at the first sample of a bubble, even if that was refused.
    GPUSCHED_BUBBLE_RETRIGGER_ONCE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_bubble_retrigger gpusched_bubble_retrigger;
#else
typedef uint32_t gpusched_bubble_retrigger;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

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

// What became of the targets.
enum gpusched_tlp_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The period took no time: nothing.
    GPUSCHED_TLP_ACTION_VOID = 0,
    // They are not modulated.
    GPUSCHED_TLP_ACTION_OFF = 1,
    // They wait until learning has ended.
    GPUSCHED_TLP_ACTION_FROZEN = 2,
    // There was nothing to compare with.
    GPUSCHED_TLP_ACTION_FIRST = 3,
    // Both utilisations rise: nothing.
    GPUSCHED_TLP_ACTION_HOLD = 4,
    // Both kernels lean on the critical pipeline alike: nothing.
    GPUSCHED_TLP_ACTION_TIE = 5,
    // The kernel that is to grow has no TBs to send: nothing.
    GPUSCHED_TLP_ACTION_NO_WORK = 6,
    // The other kernel cannot shrink enough: nothing.
    GPUSCHED_TLP_ACTION_BLOCKED = 7,
    // They have moved.
    GPUSCHED_TLP_ACTION_MOVED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_action gpusched_tlp_action;
#else
typedef uint32_t gpusched_tlp_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is learnt of bypassing.
enum gpusched_tlp_learn
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing is learnt.
    GPUSCHED_TLP_LEARN_OFF = 0,
    // Nobody bypasses.
    GPUSCHED_TLP_LEARN_S1 = 1,
    // One TB of kernel 0 does.
    GPUSCHED_TLP_LEARN_S2 = 2,
    // One TB of kernel 1 does.
    GPUSCHED_TLP_LEARN_S3 = 3,
    // One TB more does than was found good.
    GPUSCHED_TLP_LEARN_S4 = 4,
    // It is known how many bypass.
    GPUSCHED_TLP_LEARN_DONE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_learn gpusched_tlp_learn;
#else
typedef uint32_t gpusched_tlp_learn;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where the machine is between two samples.
enum gpusched_tlp_phase
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // No period runs.
    GPUSCHED_TLP_PHASE_WAITING = 0,
    // One runs.
    GPUSCHED_TLP_PHASE_SAMPLING = 1,
    // One has ended, and its sample is due.
    GPUSCHED_TLP_PHASE_AWAIT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_phase gpusched_tlp_phase;
#else
typedef uint32_t gpusched_tlp_phase;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A pipeline.
enum gpusched_tlp_pipe
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_TLP_PIPE_NONE = 0,
    // The arithmetic one.
    GPUSCHED_TLP_PIPE_SP = 1,
    // That of loads and stores.
    GPUSCHED_TLP_PIPE_LDST = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_pipe gpusched_tlp_pipe;
#else
typedef uint32_t gpusched_tlp_pipe;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the SM takes. stall of gpusched_tlp_dispatched.
enum gpusched_tlp_stall
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A TB.
    GPUSCHED_TLP_STALL_NONE = 0,
    // There is no kernel.
    GPUSCHED_TLP_STALL_IDLE = 1,
    // Every kernel has as many TBs as it is to have.
    GPUSCHED_TLP_STALL_AT_TARGET = 2,
    // A kernel may have more, but has none to send.
    GPUSCHED_TLP_STALL_NO_WORK = 3,
    // A kernel may have more, but TBs of the other one still take the room.
    GPUSCHED_TLP_STALL_NO_ROOM = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tlp_stall gpusched_tlp_stall;
#else
typedef uint32_t gpusched_tlp_stall;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What became of a request.
enum gpusched_mascar_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It left the LSU.
    GPUSCHED_MASCAR_ACTION_ACCEPTED = 0,
    // Refused: it waits in the re-execution queue.
    GPUSCHED_MASCAR_ACTION_QUEUED = 1,
    // Refused: it blocks the LSU.
    GPUSCHED_MASCAR_ACTION_BLOCKED = 2,
    // It left the re-execution queue.
    GPUSCHED_MASCAR_ACTION_POPPED = 3,
    // Refused: it went to the queue's tail.
    GPUSCHED_MASCAR_ACTION_RECYCLED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_action gpusched_mascar_action;
#else
typedef uint32_t gpusched_mascar_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is at the head of a warp's instruction buffer.
enum gpusched_mascar_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing.
    GPUSCHED_MASCAR_KIND_NONE = 0,
    // An instruction for a compute pipe.
    GPUSCHED_MASCAR_KIND_ALU = 1,
    // A memory instruction.
    GPUSCHED_MASCAR_KIND_MEM = 2,
    // A barrier or fence, or the warp is paused: it waits for something that others must do.
    GPUSCHED_MASCAR_KIND_SYNC = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_kind gpusched_mascar_kind;
#else
typedef uint32_t gpusched_mascar_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The L1's look-up.
enum gpusched_mascar_lookup
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The line is there.
    GPUSCHED_MASCAR_LOOKUP_HIT = 0,
    // A miss on a line that is on its way.
    GPUSCHED_MASCAR_LOOKUP_MERGE = 1,
    // A miss.
    GPUSCHED_MASCAR_LOOKUP_MISS = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_lookup gpusched_mascar_lookup;
#else
typedef uint32_t gpusched_mascar_lookup;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the LSU does.
enum gpusched_mascar_lsu
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It has no instruction.
    GPUSCHED_MASCAR_LSU_IDLE = 0,
    // A warp issued to it, and gpusched_mascar_lsu_begin is due.
    GPUSCHED_MASCAR_LSU_AWAIT = 1,
    // It makes the requests of an instruction.
    GPUSCHED_MASCAR_LSU_BUSY = 2,
    // A request was refused while the queue was full.
    GPUSCHED_MASCAR_LSU_BLOCKED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_lsu gpusched_mascar_lsu;
#else
typedef uint32_t gpusched_mascar_lsu;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How the memory system stands.
enum gpusched_mascar_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Equal priority: not saturated.
    GPUSCHED_MASCAR_MODE_EP = 0,
    // Memory access priority: saturated, one warp owns the LSU.
    GPUSCHED_MASCAR_MODE_MP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_mode gpusched_mascar_mode;
#else
typedef uint32_t gpusched_mascar_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The order of the warps of one group.
enum gpusched_mascar_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Greedy, then oldest: the scheduler's last issued warp, then by age.
    GPUSCHED_MASCAR_ORDER_GTO = 0,
    // By age.
    GPUSCHED_MASCAR_ORDER_OLDEST = 1,
    // Round robin: by number, from the one behind the scheduler's last issued warp.
    GPUSCHED_MASCAR_ORDER_RR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_order gpusched_mascar_order;
#else
typedef uint32_t gpusched_mascar_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A pipe of the SM.
enum gpusched_mascar_pipe
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Any compute pipe.
    GPUSCHED_MASCAR_PIPE_COMP = 0,
    // The LSU.
    GPUSCHED_MASCAR_PIPE_MEM = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_pipe gpusched_mascar_pipe;
#else
typedef uint32_t gpusched_mascar_pipe;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a configuration is filled with.
enum gpusched_mascar_preset
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Mascar on an SM of the GTX 480.
    GPUSCHED_MASCAR_PRESET_GTX480 = 0,
    // The baseline: loose round robin and an LSU that blocks.
    GPUSCHED_MASCAR_PRESET_LRR = 1,
    // The baseline greedy-then-oldest.
    GPUSCHED_MASCAR_PRESET_GTO = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_preset gpusched_mascar_preset;
#else
typedef uint32_t gpusched_mascar_preset;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which kind of instruction a scheduler prefers when it has candidates of both.
enum gpusched_mascar_priority
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Memory.
    GPUSCHED_MASCAR_PRIORITY_MEM = 0,
    // Compute.
    GPUSCHED_MASCAR_PRIORITY_COMP = 1,
    // Neither: one group, ordered as memory warps are.
    GPUSCHED_MASCAR_PRIORITY_MERGED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_priority gpusched_mascar_priority;
#else
typedef uint32_t gpusched_mascar_priority;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The request to present to the L1 now. src of gpusched_mascar_next.
enum gpusched_mascar_src
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_MASCAR_SRC_IDLE = 0,
    // The next one of the instruction in the LSU.
    GPUSCHED_MASCAR_SRC_NEW = 1,
    // The refused request that blocks the LSU.
    GPUSCHED_MASCAR_SRC_BLOCKED = 2,
    // The head of the re-execution queue.
    GPUSCHED_MASCAR_SRC_REXQ = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_src gpusched_mascar_src;
#else
typedef uint32_t gpusched_mascar_src;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a warp became owner.
enum gpusched_mascar_via
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_MASCAR_VIA_NONE = 0,
    // It issued to the LSU.
    GPUSCHED_MASCAR_VIA_ISSUE = 1,
    // It has a request in the re-execution queue, or blocks the LSU.
    GPUSCHED_MASCAR_VIA_QUEUE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_via gpusched_mascar_via;
#else
typedef uint32_t gpusched_mascar_via;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why an owner gave up.
enum gpusched_mascar_why
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_MASCAR_WHY_NONE = 0,
    // Its head depends on an outstanding load.
    GPUSCHED_MASCAR_WHY_DEP = 1,
    // Its head waits for others.
    GPUSCHED_MASCAR_WHY_SYNC = 2,
    // It owned too long.
    GPUSCHED_MASCAR_WHY_TIMEOUT = 3,
    // It cannot reach the LSU, which another warp blocks.
    GPUSCHED_MASCAR_WHY_RESCUE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_mascar_why gpusched_mascar_why;
#else
typedef uint32_t gpusched_mascar_why;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The prefetcher of one SM: loads of warps in, prefetch requests out. Loads and pops say what cycle it is; cycles never go back,
// and calls of one cycle act in their order. It lives in storage of the caller, at the address where it was initialised, and owns
// nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_apogee gpusched_apogee;

// The occupancy-bubble controller alone: it is told of every TB that starts and ends, and samples. Times never go back; at equal
// times calls act in their order. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_bubble gpusched_bubble;

// The dependency-graph buffer alone: a window that slides over a graph in the host's memory. The host launches a graph, answers
// memory requests, offers SMXs and reports the ends of TBs. It has no clock: calls act in their order. It lives in storage of the
// caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may
// call functions that change it.
typedef struct gpusched_dgb gpusched_dgb;

// Equalizer's frequency manager: votes of the SMs in, levels of the SM and the memory domain out. Every call says what cycle it is;
// cycles never go back, and calls of one cycle act in their order. It lives in storage of the caller, at the address where it was
// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
//
// TimeOverflow (cycles from 2^63 on) and TimeBackwards are tested first, in this order.
typedef struct gpusched_equalizer_fm gpusched_equalizer_fm;

// Equalizer on one SM: warp counts, kernels and blocks in; blocks to pause, to wake and to ask for, and votes out. Every call but
// those that keep nothing says what cycle it is; cycles never go back, and calls of one cycle act in their order. It lives in
// storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread
// at a time may call functions that change it.
//
// Every function that takes a cycle, but for gpusched_equalizer_sm_resync, says SampleMissed when a sample point has gone by without
// its sample. TimeOverflow (cycles from 2^63 on), TimeBackwards and SampleMissed are tested first, in this order.
typedef struct gpusched_equalizer_sm gpusched_equalizer_sm;

// A front end: launches in, dispatches out, completions back. It lives in storage of the caller, at the address where it was
// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_frontend gpusched_frontend;

// A dependency graph that is being described: at each time one TB of the grid has its turn, lowest linear index first, and names the
// TBs that must have ended before it starts. A host loops while gpusched_graph_builder_block tells a TB, names that TB's parents with
// gpusched_graph_builder_add_dependency, and goes on with gpusched_graph_builder_advance; then comes gpusched_graph_builder_finish.
//
// It lives in storage of the caller, at the address where it was initialised, and so does the graph that becomes of it; forgetting
// the storage ends both.
typedef struct gpusched_graph_builder gpusched_graph_builder;

// LaPerm alone: launches in, dispatches out, completions back. Every call says what cycle it is; cycles never go back, and calls
// of one cycle act in their order. It lives in storage of the caller, at the address where it was initialised, and owns nothing
// else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_laperm gpusched_laperm;

// One SM's warp scheduling: heads of instruction buffers, the L1's occupancy and its answers in, issues and requests out. In each
// cycle, in this order: gpusched_mascar_l1_state behind the fills, gpusched_mascar_set_head, gpusched_mascar_pick,
// gpusched_mascar_lsu_begin for the memory instruction that it issued, then gpusched_mascar_lsu_next and gpusched_mascar_lsu_reply
// once per port of the L1. It lives in storage of the caller, at the address where it was initialised, and owns nothing else;
// forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_mascar gpusched_mascar;

// A stochastic memory hierarchy: what warps access goes in, how often two levels of caches hit comes out, over runs in which the warps
// interleave at random. It lives in storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the
// storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_monte gpusched_monte;

// The scoreboard of an SM: instructions and their results in, whether they may issue out. It has no clock. It lives in storage of
// the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time
// may call functions that change it.
typedef struct gpusched_scoreboard gpusched_scoreboard;

// The reconvergence stack of a warp: where each instruction led goes in, what runs next comes out. It has no clock. It lives in
// storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One
// thread at a time may call functions that change it.
typedef struct gpusched_stack gpusched_stack;

// LeftOver: one kernel after another; the next one gets what the last one leaves. It lives in storage of the caller, at the
// address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions
// that change it.
typedef struct gpusched_tlp_leftover gpusched_tlp_leftover;

// Kernels that wait to be run in pairs. It lives in storage of the caller, at the address where it was initialised, and owns
// nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_pool gpusched_tlp_pool;

// TLP modulation on one SM: how many TBs of two kernels are resident, and which of them bypass the L1. Every call says what cycle
// it is; cycles never go back, and calls of one cycle act in their order. It lives in storage of the caller, at the address where
// it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change
// it.
//
// TimeRegress is tested first, but for the kernel's number of attach and done.
typedef struct gpusched_tlp_sm gpusched_tlp_sm;

// Smart-Even: each kernel has an even share of the SMs, and no more than it can fill. It lives in storage of the caller, at the
// address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions
// that change it.
typedef struct gpusched_tlp_smart_even gpusched_tlp_smart_even;

// SMC: a search by trial for the split of the SMs between two kernels, and for the TBs of each on its SMs; there must be two SMs
// (else TooFewSms). It lives in storage of the caller, at the address where it was initialised, and owns nothing else; forgetting
// the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_tlp_smc gpusched_tlp_smc;

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
    // Work behind a kernel may go ahead on SMXs of which its class has its share (class cap); 0 or 1.
    uint32_t pass_capped;
    // An SMX holds TBs of one (pc, TB shape, registers, shared memory) at a time; 0 or 1.
    uint32_t exclusive;
    // Decisions that can wait to be read, 0 to 2^20. 0 is enough if they are read once in each cycle; more lets many cycles pass
    // between two reads; 1 takes the least memory, and is enough if they are read after each call.
    uint32_t decisions;
    // LaPerm: SMXs that share an L1 cache, and so a queue: a unit; SMXs, 1 to n_smx.
    uint32_t laperm_cluster;
    // LaPerm: The deepest nesting level that has a priority of its own; levels, 1 to 24.
    uint32_t laperm_levels;
    // LaPerm: On-chip entries of a unit's queue; n_kde in CDP; entries, 1 to 4096.
    uint32_t laperm_queue_cap;
    // LaPerm: Entries of queue 0, in DTBL at least n_kde; n_kde in CDP; entries, 1 to 256.
    uint32_t laperm_q0_cap;
    // LaPerm: Entries in memory of all units together, in DTBL at least pend_limit + n_kde; entries, 0 to 1048640.
    uint32_t laperm_pool_cap;
    // LaPerm: Stage-3 dispatches before a backup is given up and backups take turns; 0 = never; TBs, 0 to 65535.
    uint32_t laperm_backup_limit;
    // LaPerm: From an overflow list to the chip, with laperm_refill_mode fixed; cycles, 0 to 65535.
    uint32_t laperm_refill_cycles;
    // LaPerm: gpusched_laperm_policy.
    uint32_t laperm_policy;
    // LaPerm: gpusched_laperm_model.
    uint32_t laperm_model;
    // LaPerm: gpusched_laperm_visit.
    uint32_t laperm_visit;
    // LaPerm: gpusched_laperm_no_fit.
    uint32_t laperm_no_fit;
    // LaPerm: gpusched_laperm_spill.
    uint32_t laperm_spill;
    // LaPerm: gpusched_laperm_backup_select.
    uint32_t laperm_backup_select;
    // LaPerm: The search for an entry's place in its queue takes time that can be seen; 0 or 1.
    uint32_t laperm_charge_insert;
    // There is an occupancy-bubble controller, which owns the set of eligible SMXs; 0 or 1.
    uint32_t bubble;
    // Bubbles: Threshold T, numerator; of bubble_t_den, 0 to bubble_t_den.
    uint32_t bubble_t_num;
    // Bubbles: Threshold T, denominator; parts, 1 to 65535.
    uint32_t bubble_t_den;
    // Bubbles: Sampling period; cycles, 1 to 2^20.
    uint32_t bubble_sample_cycles;
    // Bubbles: W: samples in which a draining SMX must become empty; samples, 1 to 65535.
    uint32_t bubble_drain_samples;
    // Bubbles: P: samples that a transition of the P-state takes; samples, 1 to 65535.
    uint32_t bubble_transition_samples;
    // Bubbles: Samples in a row with all SMXs idle before the GPU level; samples, 1 to 65535.
    uint32_t bubble_gpu_idle_samples;
    // Bubbles: Voltage of the high P-state; mV, 1 to 5000.
    uint32_t bubble_v_high_mv;
    // Bubbles: Voltage of the low P-state; mV, 1 to bubble_v_high_mv.
    uint32_t bubble_v_low_mv;
    // Bubbles: Clock of the high P-state; MHz, 1 to 5000.
    uint32_t bubble_f_high_mhz;
    // Bubbles: Clock of the low P-state; MHz, 1 to bubble_f_high_mhz.
    uint32_t bubble_f_low_mhz;
    // Bubbles: Leakage follows this power of the voltage; exponent, 0 to 3.
    uint32_t bubble_leak_exp;
    // Bubbles: Leakage of an SMX at the high P-state; mW, 0 to 10^6.
    uint32_t bubble_p_leak_mw;
    // Bubbles: Other power of an idle SMX at the high P-state; mW, 0 to 10^6.
    uint32_t bubble_p_idle_mw;
    // Bubbles: What full activity adds at the high P-state; mW, 0 to 10^6.
    uint32_t bubble_p_dyn_mw;
    // Bubbles: Everything but the SMXs, at any P-state; mW, 0 to 10^6.
    uint32_t bubble_p_uncore_mw;
    // Bubbles: gpusched_bubble_retrigger.
    uint32_t bubble_retrigger;
    // Bubbles: Whether anything is decided; if not, bubbles and energy are counted for the base run; 0 or 1.
    uint32_t bubble_enabled;
    // Bubbles: A bubble is an occupancy of at most T, rather than below T; 0 or 1.
    uint32_t bubble_inclusive;
    // Bubbles: A diverted SMX runs empty before it goes down, rather than going down with its TBs; 0 or 1.
    uint32_t bubble_draining;
    // Bubbles: The whole GPU goes down when all SMXs are idle; 0 or 1.
    uint32_t bubble_gpu_level;
    // Bubbles: A draining SMX may be taken back; 0 or 1.
    uint32_t bubble_resume_draining;
    // Bubbles: No SMX is resumed while another one is going up; 0 or 1.
    uint32_t bubble_resume_hold;
    // Work behind a kernel whose dependency graph has no node to send may go ahead; 0 or 1.
    uint32_t pass_graph;
    // There is a dependency-graph buffer; 0 or 1.
    uint32_t dats;
    // Graphs: Entries of the local node array (LNA); nodes, 1 to 65535, and more than a chunk has unless `dats_prefetch` is eager.
    uint32_t dats_lna;
    // Graphs: Entries of the local edge array (LEA); edges, 1 to 65535.
    uint32_t dats_lea;
    // Graphs: Entries of the pending update buffer (PUB); updates, 0 to 65535.
    uint32_t dats_pub_entries;
    // Graphs: Bytes of a memory request, and of the node insertion buffer (NIB); bytes, 8 to 1024, a multiple of 8.
    uint32_t dats_chunk_bytes;
    // Graphs: gpusched_dgb_prefetch.
    uint32_t dats_prefetch;
    // Graphs: gpusched_dgb_level_ref.
    uint32_t dats_level_ref;
    // Graphs: A node is dispatched only when its edges are on chip; 0 or 1.
    uint32_t dats_issue_needs_edges;
    // Graphs: Updates that fit nowhere go to the parent counts in memory, so that no graph can deadlock the buffer; 0 or 1.
    uint32_t dats_spill;
    // Groups next in line that may be fetched from memory before they are sent; groups, 0 to 8.
    uint32_t load_ahead;
    // LaPerm: gpusched_laperm_refill_mode; ignored in CDP.
    uint32_t laperm_refill_mode;
} gpusched_frontend_config;

// A parameter: what a _config_check says is wrong, and what a _parameter tells.
typedef struct gpusched_parameter {
    // Its name: that of the field in the configuration. Static.
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
    // The aggregated group table, and the load buffer of load_ahead places beside it.
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
    // The dependency-graph buffer's own figures; 0 without it.
    uint64_t dats;
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

// A dependency graph on its way into the buffer: what a launch says of it.
typedef struct gpusched_graph_header {
    // Address of the node array, a multiple of the chunk. It is told back with requests, and never followed.
    uint64_t node_base;
    // Address of the edge array, a multiple of the chunk.
    uint64_t edge_base;
    // V: nodes, 1 to 65535.
    uint32_t v;
    // E: edges, at most 2^31-1.
    uint32_t e;
    // gpusched_graph_policy.
    uint32_t policy;
    // LVL: the greatest distance, 0 to 65535. LRR has none; 0 when told.
    uint32_t bound;
} gpusched_graph_header;

// A memory request. The host answers it under its tag, after any time, requests of different kinds in any order.
typedef struct gpusched_graph_request {
    // Address of the first entry.
    uint64_t addr;
    // gpusched_graph_request_kind.
    uint32_t kind;
    // To be named in the answer.
    uint32_t tag;
    // The first entry: a VID, or an index in the edge array.
    uint32_t first;
    // Entries; 1 for a decrement.
    uint32_t count;
} gpusched_graph_request;

// What a refusal of a graph is about. What has no meaning for a status is GPUSCHED_NONE, or 0 in `what`.
typedef struct gpusched_graph_error {
    // BadGraph, GraphFault: the VID.
    uint32_t node;
    // BadEdge: the index in the edge array.
    uint32_t edge;
    // BadSmx: the smallest that does not exist.
    uint32_t smx;
    // Cycle: the smallest linear index of a TB on it or behind it.
    uint32_t tb;
    // BadGraph: a gpusched_node_flaw. GraphFault: a gpusched_graph_fault.
    uint32_t what;
} gpusched_graph_error;

// What an event set in motion inside the buffer. A host that charges time for the buffer's work charges it from these.
typedef struct gpusched_graph_report {
    // Nodes that became final: D.
    uint32_t finalised;
    // Edges applied.
    uint32_t updates;
    // Entries put into the PUB.
    uint32_t pub_in;
    // Entries taken out of the PUB.
    uint32_t pub_out;
    // Nodes inserted into the window.
    uint32_t inserted;
    // Nodes that became ready: R.
    uint32_t readied;
    // 1 if the graph is done, else 0.
    uint32_t finished;
    // Behind the end of a TB: gpusched_graph_pending, of its node. Else 0.
    uint32_t pending;
} gpusched_graph_report;

// Parameters of the dependency-graph buffer. Fill it with gpusched_dgb_config_init, then change what you like: a newer library adds
// fields at the end, and programs that were built before keep working.
typedef struct gpusched_dgb_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t smxs;
    // Entries of the local node array (LNA); nodes, 1 to 65535, and more than a chunk has unless `prefetch` is eager.
    uint32_t lna;
    // Entries of the local edge array (LEA); edges, 1 to 65535.
    uint32_t lea;
    // Entries of the pending update buffer (PUB); updates, 0 to 65535.
    uint32_t pub_entries;
    // Bytes of a memory request, and of the node insertion buffer (NIB); bytes, 8 to 1024, a multiple of 8. A chunk holds a node for
    // each 8 bytes, or an edge for each 2.
    uint32_t chunk_bytes;
    // gpusched_dgb_prefetch.
    uint32_t prefetch;
    // gpusched_dgb_level_ref.
    uint32_t level_ref;
    // A node is dispatched only when its edges are on chip; 0 or 1.
    uint32_t issue_needs_edges;
    // Updates that fit nowhere go to the parent counts in memory, so that no graph can deadlock the buffer; 0 or 1.
    uint32_t spill;
} gpusched_dgb_config;

// What the buffer is doing, and where the window stands, in nodes and edges of the graph.
typedef struct gpusched_dgb_state {
    // gpusched_dgb_phase.
    uint32_t phase;
    // If it is faulted, gpusched_graph_fault: how. Else 0.
    uint32_t fault;
    // If it is faulted: where. Else GPUSCHED_NONE.
    uint32_t fault_node;
    // The oldest node that is not done; v at the end.
    uint32_t tail;
    // The first node that was not inserted.
    uint32_t head;
    // The first node that has not landed.
    uint32_t fetched;
    // The first edge whose slot is in use.
    uint32_t tail_edge;
    // The first edge that is not on chip.
    uint32_t edge_head;
    // Nodes whose TBs run.
    uint32_t executing;
    // The node whose edges are applied one at a time; GPUSCHED_NONE if there is none.
    uint32_t spilling;
    // The node at which the window can never move again; GPUSCHED_NONE if there is none.
    uint32_t deadlock;
    // The SMX that is tried first. Goes on from graph to graph.
    uint32_t next_smx;
    // The node that would be dispatched now if an SMX had room; GPUSCHED_NONE if there is none.
    uint32_t next_node;
    // 1 if memory owes an answer, or would once it was asked, else 0.
    uint32_t waits_for_memory;
} gpusched_dgb_state;

// What the buffer counted since the last launch.
typedef struct gpusched_dgb_stats {
    // Nodes dispatched.
    uint32_t dispatched;
    // Requests for nodes.
    uint32_t node_requests;
    // Requests for edges.
    uint32_t edge_requests;
    // Updates that went to memory.
    uint32_t spills;
    // The most entries that the PUB held.
    uint32_t pub_max;
    // The greatest distance between the levels of nodes that executed at the same time.
    uint32_t max_level_range;
} gpusched_dgb_stats;

// A node in the window: its row of the local node array and the node state table.
typedef struct gpusched_dgb_node {
    // Its VID.
    uint32_t node;
    // gpusched_node_state.
    uint32_t state;
    // Parents that are not final.
    uint32_t parents;
    // Level.
    uint32_t level;
    // Index of its first edge. The hardware keeps its slot: this modulo lea.
    uint32_t start;
    // 1 if it has no children, else 0.
    uint32_t childless;
} gpusched_dgb_node;

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
    // Cycles in which no SMX took a TB whose class had its share of some.
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
    // Cycles in which a dependency graph had no node that was ready.
    uint64_t g_no_ready;
    // Cycles in which the ready nodes of a dependency graph waited for their successor's entry or for edges.
    uint64_t g_head;
    // Cycles in which the ready node of a dependency graph was too many levels ahead.
    uint64_t g_level_bound;
    // Cycles in which the window of a dependency graph could never move again.
    uint64_t g_deadlock;
    // Cycles with a dependency graph whose memory contradicts itself.
    uint64_t g_fault;
    // KMU: cycles in which graphs waited for the dependency-graph buffer.
    uint64_t dgbusy;
} gpusched_words;

// A decision: one record of 32 bytes for every kind.
typedef struct gpusched_decision {
    // The cycle in which it was taken.
    uint64_t cycle;
    // The host's name of the kernel or group.
    uint64_t tag;
    // Number of the TB in its grid; for restored TBs the position in the list of saved ones, for nodes of
    // dependency graphs the VID.
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
    // Nodes of dependency graphs sent.
    uint64_t graph_tbs;
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
    // gpusched_graph_state: its dependency graph.
    uint32_t graph;
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

// A place of the load buffer that is taken: a spilled group that was asked for before its turn.
typedef struct gpusched_load_place {
    // Its launch record.
    uint32_t record;
    // gpusched_load. With load_mode fixed it stays at Waiting, and is here load_cycles after it was asked for.
    uint32_t load;
} gpusched_load_place;

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

// Parameters of LaPerm. Fill it with gpusched_laperm_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_laperm_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t smxs;
    // SMXs that share an L1 cache, and so a queue; at most smxs; SMXs, 1 to 256.
    uint32_t cluster;
    // L: the deepest nesting level that has a priority of its own; levels, 1 to 24.
    uint32_t levels;
    // On-chip entries of a unit's queue; kdu_entries in CDP; entries, 1 to 4096.
    uint32_t queue_cap;
    // Entries of queue 0; kdu_entries in CDP; entries, 1 to 256.
    uint32_t q0_cap;
    // Entries in memory, overflow or pending, of all units together; entries, 0 to 1048640.
    uint32_t pool_cap;
    // CDP: entries of the kernel distributor; entries, 1 to 256.
    uint32_t kdu_entries;
    // Stage-3 dispatches before a backup is given up and backups take turns; 0 = never; TBs, 0 to 65535.
    uint32_t backup_limit;
    // From an overflow list to the chip, with refill_mode fixed; cycles, 0 to 65535.
    uint32_t refill_cycles;
    // CDP: from the KMU to the kernel distributor; cycles, 0 to 65535.
    uint32_t kmu_dispatch_cycles;
    // Threads of an SMX; threads, 1 to 2^20.
    uint32_t smx_threads;
    // Registers of an SMX; registers, 1 to 2^24.
    uint32_t smx_regs;
    // Shared memory of an SMX; bytes, 0 to 2^24.
    uint32_t smx_smem;
    // TB slots of an SMX; TBs, 1 to 1024.
    uint32_t smx_slots;
    // gpusched_laperm_policy: Which TBs go first, and where they may go.
    uint32_t policy;
    // gpusched_laperm_model: What a device-side launch creates.
    uint32_t model;
    // gpusched_laperm_visit: How many SMXs one cycle visits.
    uint32_t visit;
    // gpusched_laperm_no_fit: What a candidate that does not fit does to later stages.
    uint32_t no_fit;
    // gpusched_laperm_spill: Who goes to the overflow list when a unit's queue is full.
    uint32_t spill;
    // gpusched_laperm_backup_select: Which unit becomes an SMX's backup.
    uint32_t backup_select;
    // Whether the search for an entry's place in its queue takes time that can be seen; 0 or 1.
    uint32_t charge_insert;
    // gpusched_laperm_refill_mode; ignored in CDP.
    uint32_t refill_mode;
} gpusched_laperm_config;

// The backup of one SMX.
typedef struct gpusched_laperm_backup {
    // The recorded unit. It is never cleared, only overwritten.
    uint32_t unit;
    // Stage-3 dispatches since the last selection; counted only with a backup_limit.
    uint32_t run;
} gpusched_laperm_backup;

// The native TBs of a kernel, or a group, in one of LaPerm's queues.
typedef struct gpusched_laperm_unit {
    // Tag of the kernel or group.
    uint64_t tag;
    // On chip: the cycle from which it is visible; GPUSCHED_NEVER while it is being loaded (laperm_refill_mode external); in memory 0.
    uint64_t ready_at;
    // Its TBs.
    uint32_t tbs;
    // The next TB to send.
    uint32_t next;
    // Nesting level.
    uint32_t prio;
    // The level by which it is ordered in its queue; 0 in queue 0.
    uint32_t section;
    // Entry of its kernel.
    uint32_t kde;
    // Launch record of the group; GPUSCHED_NONE for native TBs.
    uint32_t record;
} gpusched_laperm_unit;

// Parameters of BubbleDvfs. Fill it with gpusched_bubble_config_init, then change what you like: a newer library adds fields at
// the end, and programs that were built before keep working.
typedef struct gpusched_bubble_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t smxs;
    // Threshold T: numerator; of t_den, 0 to 65535.
    uint32_t t_num;
    // Threshold T: denominator. T is at most 1; parts, 1 to 65535.
    uint32_t t_den;
    // Sampling period; cycles, 1 to 2^20.
    uint32_t sample_cycles;
    // W: samples in which a draining SMX must become empty; samples, 1 to 65535.
    uint32_t drain_samples;
    // P: samples that a transition of the P-state takes; samples, 1 to 65535.
    uint32_t transition_samples;
    // Samples in a row with all SMXs idle before the GPU level; samples, 1 to 65535.
    uint32_t gpu_idle_samples;
    // Threads of a warp; divides smx_threads; threads, 1 to 1024.
    uint32_t warp_size;
    // Threads of an SMX; threads, 1 to 2^20.
    uint32_t smx_threads;
    // Registers of an SMX; registers, 1 to 2^24.
    uint32_t smx_regs;
    // Shared memory of an SMX; bytes, 0 to 2^24.
    uint32_t smx_smem;
    // TB slots of an SMX; TBs, 1 to 1024.
    uint32_t smx_slots;
    // Voltage of the high P-state; mV, 1 to 5000.
    uint32_t v_high_mv;
    // Voltage of the low P-state, at most that of the high one; mV, 1 to 5000.
    uint32_t v_low_mv;
    // Clock of the high P-state; MHz, 1 to 5000.
    uint32_t f_high_mhz;
    // Clock of the low P-state, at most that of the high one; MHz, 1 to 5000.
    uint32_t f_low_mhz;
    // Leakage follows this power of the voltage; exponent, 0 to 3.
    uint32_t leak_exp;
    // Leakage of an SMX at the high P-state; mW, 0 to 10^6.
    uint32_t p_leak_mw;
    // Other power of an idle SMX at the high P-state; mW, 0 to 10^6.
    uint32_t p_idle_mw;
    // What full activity adds at the high P-state; mW, 0 to 10^6.
    uint32_t p_dyn_mw;
    // Everything but the SMXs, at any P-state; mW, 0 to 10^6.
    uint32_t p_uncore_mw;
    // gpusched_bubble_retrigger: When a bubble that is still there may be diverted again.
    uint32_t retrigger;
    // Whether anything is decided; if not, bubbles and energy are counted for the base run; 0 or 1.
    uint32_t enabled;
    // A bubble is an occupancy of at most T, rather than below T; 0 or 1.
    uint32_t inclusive;
    // A diverted SMX runs empty before it goes down, rather than going down with its TBs; 0 or 1.
    uint32_t draining;
    // The whole GPU goes down when all SMXs are idle; 0 or 1.
    uint32_t gpu_level;
    // A draining SMX may be taken back; 0 or 1.
    uint32_t resume_draining;
    // No SMX is resumed while another one is going up; 0 or 1.
    uint32_t resume_hold;
} gpusched_bubble_config;

// The control registers (6.2.4).
typedef struct gpusched_bubble_registers {
    // DVR: diverted SMXs.
    struct gpusched_smx_set dvr;
    // DRN: draining SMXs.
    struct gpusched_smx_set drn;
    // DVFS without its bit 0: SMXs whose SMX level is in force.
    struct gpusched_smx_set dvfs;
    // Bit 0 of DVFS: the GPU level is in force.
    uint32_t gpu;
    // 0.
    uint32_t reserved;
} gpusched_bubble_registers;

// What a sample found and decided. Sets are of SMXs.
typedef struct gpusched_bubble_record {
    // Transitions to low that ended.
    struct gpusched_smx_set low_done;
    // Transitions to high that ended.
    struct gpusched_smx_set high_done;
    // Diverted now.
    struct gpusched_smx_set divert;
    // In a bubble, but no other SMX could take the work.
    struct gpusched_smx_set refused;
    // Drained.
    struct gpusched_smx_set drain_done;
    // Not drained in time: eligible again.
    struct gpusched_smx_set drain_abort;
    // Transitions to low that start: orders for the regulator.
    struct gpusched_smx_set down;
    // SMXs that may receive TBs from now on.
    struct gpusched_smx_set eligible;
    // The control registers after the sample.
    struct gpusched_bubble_registers registers;
    // gpusched_bubble_gpu_done: the GPU's transition that ended.
    uint32_t gpu_done;
    // gpusched_bubble_gpu_start: the GPU's transition that starts.
    uint32_t gpu_start;
    // gpusched_bubble_resume: how.
    uint32_t resume;
    // Which one it is.
    uint32_t resume_smx;
    // A TB waits, and nothing eligible can take it.
    uint32_t starved;
} gpusched_bubble_record;

// The GPU level.
typedef struct gpusched_bubble_gpu {
    // Going down: SMXs that were low before, and stay so.
    struct gpusched_smx_set low;
    // Normal: samples in a row in which nothing waited and all SMXs were idle.
    uint64_t idle_samples;
    // gpusched_bubble_level.
    uint32_t level;
    // Going down or up: samples until it is there.
    uint32_t left;
} gpusched_bubble_gpu;

// Energy in mW x cycles, 128 bits wide: 2^64 hi + lo. A cycle lasts 1/f_high_mhz us.
typedef struct gpusched_energy {
    // The low 64 bits.
    uint64_t lo;
    // The high 64 bits.
    uint64_t hi;
} gpusched_energy;

// One SMX as the controller keeps it.
typedef struct gpusched_bubble_smx {
    // Energy.
    struct gpusched_energy energy;
    // The part of it in intervals that ended in a bubble.
    struct gpusched_energy energy_bubble;
    // Samples that found a bubble.
    uint64_t bubble;
    // Samples that found it low.
    uint64_t low;
    // gpusched_bubble_level; normal while the GPU level is in force.
    uint32_t level;
    // Draining: samples spent so. Going down or up: samples until it is there.
    uint32_t samples;
    // gpusched_bubble_pstate.
    uint32_t pstate;
    // 1 if a bubble may activate diversion, else 0.
    uint32_t armed;
} gpusched_bubble_smx;

// What the controller counted since it was built.
typedef struct gpusched_bubble_stats {
    // Samples.
    uint64_t samples;
    // SMXs diverted.
    uint64_t divert;
    // Diversions refused.
    uint64_t refused;
    // SMXs drained in time.
    uint64_t drain_done;
    // SMXs not drained in time.
    uint64_t drain_abort;
    // SMX-level transitions to low.
    uint64_t down;
    // SMX-level transitions to high.
    uint64_t up;
    // Draining SMXs taken back.
    uint64_t cancel;
    // Transitions of the GPU to low.
    uint64_t gpu_down;
    // Transitions of the GPU to high.
    uint64_t gpu_up;
} gpusched_bubble_stats;

// Storage in bits, part by part.
typedef struct gpusched_laperm_storage {
    // The units' queues.
    uint64_t unit_queues;
    // Queue 0.
    uint64_t queue0;
    // The first index of every section but the highest.
    uint64_t section_pointers;
    // The pointer to the SMX that is visited next.
    uint64_t visit_pointer;
    // Backup records, with their counts if there is a limit.
    uint64_t backups;
    // The KMU's pointer.
    uint64_t kmu_pointer;
    // The mask.
    uint64_t mask;
    // Free resources of the SMXs, which the baseline has as well.
    uint64_t baseline;
    // Overflow or pending lists, in memory.
    uint64_t off_chip;
    // The source's figure: all queues on chip.
    uint64_t queues;
    // What LaPerm adds on chip.
    uint64_t on_chip;
} gpusched_laperm_storage;

// Resources of one TB, or what is free on one SMX.
typedef struct gpusched_resources {
    // Threads.
    uint32_t threads;
    // Registers.
    uint32_t regs;
    // Shared memory, bytes.
    uint32_t smem;
    // TB slots.
    uint32_t slots;
} gpusched_resources;

// Where pushed work went.
typedef struct gpusched_laperm_placed {
    // The cycle from which it is visible.
    uint64_t ready_at;
    // Tag of the entry that went to memory instead.
    uint64_t evicted;
    // gpusched_laperm_place.
    uint32_t place;
    // The unit; GPUSCHED_NONE for host kernels outside of the units' queues.
    uint32_t unit;
    // Its nesting level.
    uint32_t level;
    // Entries before it.
    uint32_t pos;
    // 1 if evicted says something, else 0.
    uint32_t evicts;
} gpusched_laperm_placed;

// What a cycle did.
typedef struct gpusched_laperm_sent {
    // The kernel or group.
    uint64_t tag;
    // Tag of the entry that comes from an overflow list in its place. With refill_mode external it is to be fetched, and
    // gpusched_laperm_refilled says that it is here.
    uint64_t refill;
    // gpusched_laperm_sched.
    uint32_t sched;
    // Where to run it; without a TB the SMX that was visited, GPUSCHED_NONE if that was not one alone.
    uint32_t smx;
    // The TB's number in it.
    uint32_t tb;
    // Its nesting level, which its child launches need.
    uint32_t prio;
    // gpusched_laperm_stage: where it waited.
    uint32_t stage;
    // The unit in whose queue it waited; GPUSCHED_NONE for queue 0.
    uint32_t unit;
    // CDP: the entry of the kernel distributor, for gpusched_laperm_tb_done.
    uint32_t kde;
    // Whether it is the last TB of the kernel or group.
    uint32_t last;
    // 1 if refill says something, else 0.
    uint32_t refills;
} gpusched_laperm_sent;

// What the KMU did.
typedef struct gpusched_laperm_moved {
    // Its tag.
    uint64_t tag;
    // The cycle from which it is visible.
    uint64_t ready_at;
    // gpusched_laperm_kmu.
    uint32_t kmu;
    // The unit in whose queue it is; GPUSCHED_NONE for queue 0.
    uint32_t unit;
    // Its nesting level.
    uint32_t level;
    // Its entry of the kernel distributor.
    uint32_t kde;
    // Levels that were searched, in cycles.
    uint32_t cost;
} gpusched_laperm_moved;

// Work that waits for room, for the diversion controller.
typedef struct gpusched_laperm_head {
    // The SMXs where it may run.
    struct gpusched_smx_set allowed;
    // The kernel or group.
    uint64_t tag;
    // What a TB of it needs.
    struct gpusched_resources res;
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
} gpusched_laperm_head;

// An entry, on chip or in memory.
typedef struct gpusched_laperm_entry {
    // The host's name for it.
    uint64_t tag;
    // On chip: the cycle from which it is visible; GPUSCHED_NEVER while it is being loaded (refill_mode external); in memory 0.
    uint64_t ready_at;
    // What each of its TBs needs.
    struct gpusched_resources res;
    // Its TBs.
    uint32_t tbs;
    // The next TB to send.
    uint32_t next;
    // Nesting level.
    uint32_t prio;
    // The level by which it is ordered in its unit's queue; 0 in queue 0.
    uint32_t section;
    // CDP, on chip: its entry of the kernel distributor; else GPUSCHED_NONE.
    uint32_t kde;
} gpusched_laperm_entry;

// TBs of the kernel in an entry of the kernel distributor; without any, the entry is free.
typedef struct gpusched_laperm_kde {
    // TBs that are not dispatched yet.
    uint32_t waiting;
    // TBs that run.
    uint32_t running;
} gpusched_laperm_kde;

// Storage in bits, part by part. The residency ledger belongs to the baseline, evaluation counters are no hardware.
typedef struct gpusched_bubble_storage {
    // DVR.
    uint64_t dvr;
    // DRN.
    uint64_t drn;
    // DVFS: one bit per SMX, and that of the GPU level.
    uint64_t dvfs;
    // Drain counters.
    uint64_t drain_counters;
    // Transition timers.
    uint64_t timers;
    // Armed bits.
    uint64_t armed;
    // GPU level: timer, direction, idle count.
    uint64_t gpu_level;
    // The three registers, each rounded up to bytes: the source's 6 bytes for 13 SMXs (6.2.4).
    uint64_t register_bytes;
    // What the source's own W and P call for besides the registers.
    uint64_t uncounted;
    // Everything.
    uint64_t total;
} gpusched_bubble_storage;

// TBs and warps that an SMX holds.
typedef struct gpusched_bubble_resident {
    // TBs.
    uint32_t tbs;
    // Warps.
    uint32_t warps;
} gpusched_bubble_resident;

// The TB that the scheduler would dispatch next. With several candidates, one that no eligible SMX can take, if there is one.
typedef struct gpusched_bubble_waiting {
    // SMXs that it may run on; GPUSCHED_NONE is all of them.
    struct gpusched_smx_set allowed;
    // What it takes.
    struct gpusched_resources res;
    // 1 if allowed says something, else 0.
    uint32_t bound;
} gpusched_bubble_waiting;

// What one SMX holds and has free.
typedef struct gpusched_bubble_ledger {
    // What is free.
    struct gpusched_resources free;
    // What is resident.
    struct gpusched_bubble_resident resident;
} gpusched_bubble_ledger;

// Parameters of Apogee. Fill it with gpusched_apogee_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_apogee_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Rows of the prefetch table, for both kinds; rows, 1 to 256.
    uint32_t entries;
    // Warps; warps, 1 to 64.
    uint32_t warps;
    // N: threads of a warp; threads, 2 to 64, below 2^tidx_bits and at most 2^conf_bits + 1.
    uint32_t warp_size;
    // n: threads of the SM at the start; threads, 1 to 65535.
    uint32_t threads;
    // Width of a PC; bits, 1 to 32.
    uint32_t pc_bits;
    // Width of a byte address; bits, 8 to 48.
    uint32_t addr_bits;
    // Width of an offset, with its sign; bits, 2 to 32.
    uint32_t offset_bits;
    // Width of a confidence; it counts to the N - 2 matches of a full warp; bits, 1 to 16.
    uint32_t conf_bits;
    // Width of a distance; bits, 1 to 16.
    uint32_t dist_bits;
    // Width of a thread index, whose greatest value is the mark of scalar rows; bits, 2 to 8.
    uint32_t tidx_bits;
    // Distance of a new row; iterations, 1 to 2^dist_bits - 1.
    uint32_t init_distance;
    // Least distance; iterations, 1 to init_distance.
    uint32_t min_distance;
    // Line of the data cache; bytes, 1 to 4096, a power of two.
    uint32_t line_bytes;
    // Requests in the prefetch queue; requests, 1 to 1024.
    uint32_t pfq;
    // From a request's entry into the queue until it may leave; cycles, 0 to 65535.
    uint32_t issue_latency;
    // Confidence below which nothing is confirmed; matches, 0 to 2^conf_bits - 1.
    uint32_t min_conf;
    // gpusched_apogee_lane_set: Which threads a prefetch is for.
    uint32_t lanes;
    // gpusched_apogee_lal_scope: Whose last accessed load a chain is made of.
    uint32_t lal;
    // gpusched_apogee_early: What tells too early from wrong.
    uint32_t early;
    // gpusched_apogee_slow_rule: Which loads find that their prefetch is slow.
    uint32_t slow_rule;
    // gpusched_apogee_merge: What a line is merged with.
    uint32_t merge;
    // When the distance grows, the iteration that would be skipped is prefetched, too; 0 or 1.
    uint32_t gap_fill;
} gpusched_apogee_config;

// Storage in bits, part by part. Generations belong to the library, not to the hardware.
typedef struct gpusched_apogee_storage {
    // One row of the prefetch table.
    uint64_t row;
    // The prefetch table: what the source counts.
    uint64_t table;
    // Last accessed loads: a PC and a valid bit each.
    uint64_t last_loads;
    // Prefetch queue: line, row, warp, kind, and the cycles until it may leave.
    uint64_t queue;
    // What the source's own design calls for besides the table.
    uint64_t uncounted;
    // Everything.
    uint64_t total;
} gpusched_apogee_storage;

// A line to be prefetched.
typedef struct gpusched_apogee_request {
    // Address of the line.
    uint64_t line;
    // The row that asks for it.
    uint32_t entry;
    // That row's generation when it asked.
    uint32_t generation;
    // The warp that it is for.
    uint32_t warp;
    // gpusched_apogee_kind: why.
    uint32_t kind;
} gpusched_apogee_request;

// A row of the prefetch table. Fields that its type has not are 0.
typedef struct gpusched_apogee_row {
    // Byte address: of the last active thread of the last access, or what to prefetch.
    uint64_t address;
    // Bit w is the low bit of the state of warp w, a gpusched_apogee_state.
    uint64_t states_low;
    // Bit w is the high bit of the state of warp w.
    uint64_t states_high;
    // gpusched_apogee_row_type.
    uint32_t row_type;
    // The load that reads it: its own, or the trigger.
    uint32_t pc;
    // Matches of the offset; of a trigger row, a copy of its target's.
    uint32_t confidence;
    // How often the row was allocated, modulo 2^32.
    uint32_t generation;
    // Of a load's row: bytes from one thread index to the next; 0 while it trains.
    int32_t offset;
    // Of a load's row: lane of the last active thread of the last access; all ones: scalar.
    uint32_t thread;
    // Of a load's row: iterations from a load to what it prefetches.
    uint32_t distance;
    // Of a trigger row: PC of the load that it prefetches for.
    uint32_t target;
    // Of a trigger row: 1 if it did not come in time, else 0.
    uint32_t slow;
} gpusched_apogee_row;

// A request in the prefetch queue.
typedef struct gpusched_apogee_waiting {
    // What it asks for.
    struct gpusched_apogee_request request;
    // The cycle from which it may leave.
    uint64_t ready;
} gpusched_apogee_waiting;

// A last accessed load.
typedef struct gpusched_apogee_last_load {
    // 1 if pc says something, else 0.
    uint32_t valid;
    // Its PC, if there is one.
    uint32_t pc;
} gpusched_apogee_last_load;

// An active thread of a load.
typedef struct gpusched_apogee_lane {
    // Byte address.
    uint64_t address;
    // Its lane in the warp.
    uint32_t lane;
    // Not read.
    uint32_t reserved;
} gpusched_apogee_lane;

// A load of a warp, as the cache has answered it. Its threads are told in one of three ways: by an address per lane, by a list, or by an
// address and a stride, as a coalescer knows them.
typedef struct gpusched_apogee_access {
    // Instruction index, below 2^pc_bits.
    uint64_t pc;
    // Active lanes, unless they are listed: bit i is lane i.
    uint64_t mask;
    // An address per lane, `count` of them, from lane 0 up to the last active one, or more. Those of lanes that are not active are not
    // looked at. Null: the threads are listed in `lanes`, or follow `first` and `stride`.
    const uint64_t *addresses;
    // Active threads, ascending, `count` of them; read only if `addresses` is null. Null, and `count` 0: they follow `first` and
    // `stride`.
    const struct gpusched_apogee_lane *lanes;
    // Elements of the array that is read.
    size_t count;
    // Warp.
    uint32_t warp;
    // gpusched_apogee_verdict.
    uint32_t verdict;
    // Address of the first active lane; read only without arrays.
    uint64_t first;
    // Bytes from the address of one lane to that of the next one, whether these are active or not; read only without arrays.
    int64_t stride;
} gpusched_apogee_access;

// What a load found and did.
typedef struct gpusched_apogee_loaded {
    // The row of its PC.
    uint32_t entry;
    // That row is new.
    uint32_t is_new;
    // 1 if evicted says something, else 0.
    uint32_t evicts;
    // The PC that was displaced for it.
    uint32_t evicted;
    // gpusched_apogee_adjust: what became of the distance.
    uint32_t adjust;
    // Its threads have not the row's offset, or none: the row trains again.
    uint32_t mismatch;
    // All its threads have the offset, with confidence enough.
    uint32_t confirmed;
    // FOA lines that were queued.
    uint32_t pushed;
    // FOA lines that waited already.
    uint32_t merged;
    // FOA lines for which the queue had no room.
    uint32_t dropped;
    // Predictions of threads that lie outside the address space.
    uint32_t outside;
    // Trigger rows of this PC.
    uint32_t triggered;
    // gpusched_apogee_tia: what became of its own trigger row.
    uint32_t tia;
    // That row.
    uint32_t tia_entry;
    // 1 if tia_evicted says something, else 0.
    uint32_t tia_evicts;
    // The PC that was displaced for it.
    uint32_t tia_evicted;
} gpusched_apogee_loaded;

// A trigger row whose load came.
typedef struct gpusched_apogee_triggered {
    // The row.
    uint32_t entry;
    // It moved to an earlier load.
    uint32_t moved;
    // gpusched_apogee_push: its line.
    uint32_t result;
} gpusched_apogee_triggered;

// Where a load writes its lists; as far as the arrays reach, in the order of the load.
typedef struct gpusched_apogee_lists {
    // Receives the fixed-offset lines that were queued: gpusched_apogee_loaded.pushed of them.
    uint64_t *lines;
    // Elements of that array; 0 if it is null.
    size_t line_capacity;
    // Receives the rows that were triggered: gpusched_apogee_loaded.triggered of them.
    struct gpusched_apogee_triggered *rows;
    // Elements of that array; 0 if it is null.
    size_t row_capacity;
} gpusched_apogee_lists;

// A dependency graph in memory, ready to be launched: levelled, renamed, children by node. VIDs rise with the level.
typedef struct gpusched_graph {
    // The node array, by VID: v entries, see GPUSCHED_ONE_PARENT. A graph that is launched with spill needs a copy that can be
    // changed.
    const uint64_t *nodes;
    // The edge array: e entries.
    const uint16_t *edges;
    // The linear index of each node's TB: v entries.
    const uint16_t *order;
    // What a launch says of it, with both addresses 0: set them if they matter.
    struct gpusched_graph_header header;
    // Number of levels.
    uint32_t levels;
} gpusched_graph;

// What the buffer would cost in hardware, in bits, laid out as the source does: without its registers.
typedef struct gpusched_dgb_storage {
    // Local node array and node state table, entries rounded up to whole words of 64 bits.
    uint64_t lna;
    // Local edge array.
    uint64_t lea;
    // Pending update buffer.
    uint64_t pub_entries;
    // Node insertion buffer.
    uint64_t nib;
    // Everything.
    uint64_t total;
} gpusched_dgb_storage;

// What the buffer decided.
typedef struct gpusched_dgb_selection {
    // gpusched_dgb_sched.
    uint32_t sched;
    // The kernel's entry, as its launch told it.
    uint32_t kde;
    // The node, whose TB is `order[node]` of its graph.
    uint32_t node;
    // The SMX.
    uint32_t smx;
} gpusched_dgb_selection;

// Parameters of Equalizer on one SM. Fill it with gpusched_equalizer_sm_config_init, then change what you like: a newer library adds
// fields at the end, and programs that were built before keep working.
typedef struct gpusched_equalizer_sm_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Warps of the SM; warps, 1 to 128.
    uint32_t max_warps;
    // Block slots of the SM; TBs, 1 to 32.
    uint32_t max_blocks;
    // From one sample to the next; cycles, 1 to 2^16.
    uint32_t sample_interval;
    // An epoch, a multiple of sample_interval; cycles, 1 to 2^24.
    uint32_t epoch_cycles;
    // Width of the counters, which hold max_warps * epoch_cycles / sample_interval; bits, 1 to 32.
    uint32_t counter_bits;
    // More warps than this wait for memory: it is saturated; warps, 0 to 128.
    uint32_t bw_threshold;
    // Decisions for a change in a row that it takes; epochs, 1 to 255.
    uint32_t hysteresis;
    // The least block count; TBs, 1 to max_blocks.
    uint32_t min_blocks;
    // Epochs with a paused block and no end of a block before one is woken, or 0 for never; epochs, 0 to 65535.
    uint32_t watchdog;
    // gpusched_equalizer_average.
    uint32_t average;
    // gpusched_equalizer_hyst_mode.
    uint32_t hyst_mode;
    // gpusched_equalizer_objective, until gpusched_equalizer_sm_set_objective.
    uint32_t objective;
    // Which running block is paused: gpusched_equalizer_pick.
    uint32_t pause_pick;
    // Which paused block is woken: gpusched_equalizer_pick.
    uint32_t unpause_pick;
    // gpusched_equalizer_xmem_rule.
    uint32_t xmem_rule;
    // Whether as many warps as a block has are enough for line 10 of Algorithm 1; 0 or 1.
    uint32_t alu_inclusive;
    // Whether warps at a barrier or fence are active; 0 or 1.
    uint32_t sync_active;
    // Energy, bound by computing: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t energy_comp_sm;
    // Energy, bound by computing: what is voted for the memory; gpusched_equalizer_step.
    uint32_t energy_comp_mem;
    // Energy, bound by memory: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t energy_mem_sm;
    // Energy, bound by memory: what is voted for the memory; gpusched_equalizer_step.
    uint32_t energy_mem_mem;
    // Performance, bound by computing: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t performance_comp_sm;
    // Performance, bound by computing: what is voted for the memory; gpusched_equalizer_step.
    uint32_t performance_comp_mem;
    // Performance, bound by memory: what is voted for the SMs; gpusched_equalizer_step.
    uint32_t performance_mem_sm;
    // Performance, bound by memory: what is voted for the memory; gpusched_equalizer_step.
    uint32_t performance_mem_mem;
} gpusched_equalizer_sm_config;

// What Equalizer would cost in hardware per SM, in bits.
typedef struct gpusched_equalizer_sm_storage {
    // The four sums.
    uint64_t sums;
    // The cycle counter of the epoch.
    uint64_t cycle;
    // Target, limit, hysteresis, watchdog, samples, requests, objective.
    uint64_t control;
    // State and age of each block slot.
    uint64_t slots;
    // The pause bit of each row of the instruction buffer; it lives in the host.
    uint64_t pause_bits;
    // What the source counts: the sums and the cycle counter.
    uint64_t of_source;
    // What it does not.
    uint64_t uncounted;
    // Everything.
    uint64_t total;
} gpusched_equalizer_sm_storage;

// What the host has to do after an event. Warps of paused slots must not issue.
typedef struct gpusched_equalizer_change {
    // Slots to be paused, in the order in which they were chosen.
    uint8_t pause[32];
    // Slots to be woken, in the order in which they were chosen.
    uint8_t unpause[32];
    // How many slots are to be paused.
    uint32_t pause_count;
    // How many slots are to be woken.
    uint32_t unpause_count;
    // Blocks to be asked of the work distributor, which grants or denies each.
    uint32_t requests;
} gpusched_equalizer_change;

// Numbers of warps: those of a sample, or their sums over an epoch.
typedef struct gpusched_equalizer_counts {
    // Active warps.
    uint32_t active;
    // Those that wait for operands.
    uint32_t waiting;
    // Those that the arithmetic pipes hold back: X_alu.
    uint32_t xalu;
    // Those that the LD/ST pipe holds back: X_mem.
    uint32_t xmem;
} gpusched_equalizer_counts;

// What a sample led to. If it did not end an epoch, everything is 0.
typedef struct gpusched_equalizer_epoch {
    // What is to be done.
    struct gpusched_equalizer_change change;
    // 1 if it ended an epoch, else 0.
    uint32_t ended;
    // What Algorithm 1 said about the block count: -1, 0 or 1.
    int32_t delta;
    // What it said about the clocks: gpusched_equalizer_action.
    uint32_t action;
    // What is to be voted for in this cycle, for the SMs: -1, 0 or 1.
    int32_t sm_vote;
    // What is to be voted for in this cycle, for the memory: -1, 0 or 1.
    int32_t mem_vote;
    // What hysteresis let through: -1, 0 or 1.
    int32_t changed;
    // 1 if the watchdog has raised the target by one, else 0.
    uint32_t watchdog;
    // Blocks that may run from now on.
    uint32_t target;
} gpusched_equalizer_epoch;

// A warp at a sampling instant, by the state at the end of the issue phase. Flags are 0, or anything else for yes.
typedef struct gpusched_equalizer_warp {
    // It is resident.
    uint32_t resident;
    // Its block is paused.
    uint32_t paused;
    // It issues an instruction in this cycle.
    uint32_t issued;
    // There is a valid instruction at the head of its buffer.
    uint32_t valid;
    // The head waits on a barrier or fence.
    uint32_t sync;
    // The head's operands are ready.
    uint32_t ready;
    // What the head needs: gpusched_equalizer_head_kind.
    uint32_t kind;
    // The LD/ST pipe accepts one (more) instruction in this cycle.
    uint32_t accept;
} gpusched_equalizer_warp;

// The class of a warp, and whether it is active.
typedef struct gpusched_equalizer_classified {
    // gpusched_equalizer_class.
    uint32_t class_number;
    // 1 if it counts as active, else 0.
    uint32_t active;
} gpusched_equalizer_classified;

// What Algorithm 1 decides.
typedef struct gpusched_equalizer_decision {
    // For the block count: -1, 0 or 1.
    int32_t delta;
    // For the clocks: gpusched_equalizer_action.
    uint32_t action;
} gpusched_equalizer_decision;

// What a machine holds, but for its blocks.
typedef struct gpusched_equalizer_sm_state {
    // Sums of the epoch so far.
    struct gpusched_equalizer_counts sums;
    // Samples of the epoch so far.
    uint32_t samples;
    // Warps of a block; 0 before the first kernel.
    uint32_t w_cta;
    // Blocks of the kernel that the SM's resources hold; 0 before the first kernel.
    uint32_t limit;
    // Blocks that may run; 0 before the first kernel.
    uint32_t target;
    // Decisions for a change so far, below hysteresis.
    uint32_t run;
    // Direction of the last of them: -1, 0 or 1.
    int32_t dir;
    // Blocks that run.
    uint32_t running;
    // Blocks that are paused.
    uint32_t paused;
    // Requests that wait for their answer.
    uint32_t outstanding;
    // 1 if a request was denied and no refill was reported, else 0.
    uint32_t drained;
    // Epochs that the watchdog has counted.
    uint32_t watchdog_epochs;
    // gpusched_equalizer_objective.
    uint32_t objective;
} gpusched_equalizer_sm_state;

// A resident block.
typedef struct gpusched_equalizer_block {
    // The host's number for it.
    uint64_t id;
    // 1 if it is paused, else 0.
    uint32_t paused;
} gpusched_equalizer_block;

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
    // gpusched_equalizer_majority.
    uint32_t majority;
    // gpusched_equalizer_idle.
    uint32_t idle;
} gpusched_equalizer_fm_config;

// What the frequency manager would cost in hardware, in bits.
typedef struct gpusched_equalizer_fm_storage {
    // Level, target and countdown of both domains.
    uint64_t domains;
    // Votes, and whether each SM has voted and is enabled.
    uint64_t votes;
    // Everything.
    uint64_t total;
} gpusched_equalizer_fm_storage;

// What a round of votes decided for one domain.
typedef struct gpusched_equalizer_resolved {
    // SMs for a step up.
    uint32_t up;
    // SMs for none, and those that did not vote.
    uint32_t hold;
    // SMs for a step down.
    uint32_t down;
    // What the majority asks for: -1, 0 or 1.
    int32_t decision;
    // What became of that: gpusched_equalizer_outcome.
    uint32_t outcome;
} gpusched_equalizer_resolved;

// What a vote led to. If it left the round open, everything is 0.
typedef struct gpusched_equalizer_round {
    // 1 if the round is resolved, else 0.
    uint32_t resolved;
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

// A clock domain, as of the last event.
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

// One cache whose back pressure sets the mode. 1 <= clear <= sat <= size, of both structures.
typedef struct gpusched_mascar_cache {
    // Miss status holding registers; MSHRs, 1 to 65535.
    uint32_t mshr;
    // Places of the miss queue; places, 1 to 65535.
    uint32_t missq;
    // Taken MSHRs that set the flag; MSHRs, 1 to mshr.
    uint32_t mshr_sat;
    // Taken places that set the flag; places, 1 to missq.
    uint32_t missq_sat;
    // The flag clears below this many taken MSHRs; MSHRs, 1 to mshr_sat.
    uint32_t mshr_clear;
    // The flag clears below this many taken places; places, 1 to missq_sat.
    uint32_t missq_clear;
} gpusched_mascar_cache;

// Parameters of Mascar. Fill it with gpusched_mascar_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_mascar_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Warps of the SM; warps, 1 to 63.
    uint32_t warps;
    // Warp schedulers; warp w belongs to scheduler w mod schedulers; schedulers, 1 to 8.
    uint32_t schedulers;
    // Entries of the re-execution queue; without any the LSU blocks on a refusal; entries, 0 to 255.
    uint32_t rexq;
    // Threads of a warp; threads, 1 to 64.
    uint32_t warp_size;
    // Longest ownership while others wait; 0: without end; cycles, 0 to 4294967295.
    uint32_t owner_timeout;
    // New requests after which the queue has a turn; 0: never before them; requests, 0 to 65535.
    uint32_t starve_limit;
    // A scheduler may issue one compute and one memory warp in a cycle, rather than one warp; 0 or 1.
    uint32_t per_pipe;
    // Whether there is an MP mode; if not, this is a plain warp scheduler; 0 or 1.
    uint32_t enable;
    // gpusched_mascar_priority: Which kind of instruction goes first in EP mode.
    uint32_t ep_priority;
    // gpusched_mascar_order: The order of memory warps in EP mode.
    uint32_t ep_mem_order;
    // gpusched_mascar_order: The order of compute warps in EP mode.
    uint32_t ep_comp_order;
    // gpusched_mascar_priority: Which kind of instruction goes first in MP mode.
    uint32_t mp_priority;
    // gpusched_mascar_order: The order of memory warps in MP mode.
    uint32_t mp_mem_order;
    // gpusched_mascar_order: The order of compute warps in MP mode.
    uint32_t mp_comp_order;
    // In MP mode the owner precedes older leftovers; 0 or 1.
    uint32_t owner_first;
    // An owner gives up only when all its requests are accepted; 0 or 1.
    uint32_t relinquish_waits;
    // An owner gives up at a barrier or fence; 0 or 1.
    uint32_t relinquish_sync;
    // An owner that cannot reach the blocked LSU passes ownership to the queue; 0 or 1.
    uint32_t rescue;
    // A blocked request of the owner is presented in turns with the queue's head; 0 or 1.
    uint32_t retry_owner;
    // A miss on a line that is on its way is accepted from every warp; 0 or 1.
    uint32_t nonowner_merge;
    // The caches that set the mode; caches, 1 to 3.
    uint32_t sources;
    // The caches: L1 data, then texture and constant where they are modelled. Those behind sources do not matter.
    struct gpusched_mascar_cache caches[GPUSCHED_MASCAR_CACHES];
} gpusched_mascar_config;

// Storage in bits, part by part. What the source does not count is left out: thread masks, head descriptors, the LSU.
typedef struct gpusched_mascar_storage {
    // Warp Readiness Checker: the owner, or none.
    uint64_t wrc;
    // Warp Status Table: mem and stall bit of each warp.
    uint64_t wst;
    // Re-execution queue.
    uint64_t rexq;
    // Everything.
    uint64_t total;
} gpusched_mascar_storage;

// A request of a memory instruction: threads of a warp that touch one segment.
typedef struct gpusched_mascar_request {
    // Address of the segment.
    uint64_t base;
    // The threads, at least one.
    uint64_t mask;
    // Their places in the segment: 7 bits a thread, thread 0 lowest, in words from the lowest.
    uint64_t offs[GPUSCHED_MASCAR_OFFSET_WORDS];
} gpusched_mascar_request;

// The request to present to the L1 now.
typedef struct gpusched_mascar_next {
    // gpusched_mascar_src.
    uint32_t src;
    // Its warp; GPUSCHED_NONE if there is none.
    uint32_t warp;
    // NEW: which of the instruction's requests, from 0; else 0.
    uint32_t index;
    // BLOCKED and REXQ: the destination register of its instruction; else 0.
    uint32_t dst;
    // BLOCKED and REXQ: what it wants; else all 0.
    struct gpusched_mascar_request request;
} gpusched_mascar_next;

// The answer to the L1's answer.
typedef struct gpusched_mascar_reply {
    // The request is served: the L1 keeps what it looked up.
    uint32_t ack;
    // It goes to the L2.
    uint32_t to_l2;
    // gpusched_mascar_action: what became of it.
    uint32_t action;
    // The request that blocked the LSU took the freed place in the queue.
    uint32_t unblocked;
} gpusched_mascar_reply;

// A warp whose head issues.
typedef struct gpusched_mascar_issue {
    // The scheduler.
    uint32_t sched;
    // The warp.
    uint32_t warp;
    // gpusched_mascar_pipe: where to.
    uint32_t pipe;
} gpusched_mascar_issue;

// What a cycle issues.
typedef struct gpusched_mascar_decision {
    // gpusched_mascar_mode: the mode.
    uint32_t mode;
    // The owner behind this pick; GPUSCHED_NONE if there is none.
    uint32_t owner;
    // The owner before it, if it gave up; else GPUSCHED_NONE.
    uint32_t released;
    // gpusched_mascar_why: why.
    uint32_t why;
    // The owner, if it is a new one; else GPUSCHED_NONE.
    uint32_t granted;
    // gpusched_mascar_via: how.
    uint32_t via;
    // Issues.
    uint32_t count;
    // So many issues, by scheduler, compute before memory; at most one is to memory. The rest is 0.
    struct gpusched_mascar_issue issues[GPUSCHED_MASCAR_ISSUES];
} gpusched_mascar_decision;

// How saturated the memory system is.
typedef struct gpusched_mascar_saturation {
    // Some cache's flag is set.
    uint32_t flag;
    // gpusched_mascar_mode: the mode.
    uint32_t mode;
} gpusched_mascar_saturation;

// A resident warp.
typedef struct gpusched_mascar_warp {
    // gpusched_mascar_kind: the kind of its head.
    uint32_t kind;
    // The operands of its head are available.
    uint32_t ready;
    // An operand is the result of an outstanding load.
    uint32_t dep_load;
    // It has a request in the queue or is in the LSU, so that it cannot exit.
    uint32_t has_requests;
} gpusched_mascar_warp;

// An entry of the re-execution queue.
typedef struct gpusched_mascar_entry {
    // The warp.
    uint32_t warp;
    // The destination register of its instruction.
    uint32_t dst;
    // What it wants.
    struct gpusched_mascar_request request;
} gpusched_mascar_entry;

// What can be seen of a machine. In masks, bit w is warp w.
typedef struct gpusched_mascar_state {
    // The cycle of the last pick; GPUSCHED_NEVER before the first one.
    uint64_t picked;
    // The cycle in which the owner became it; GPUSCHED_NEVER without one.
    uint64_t acquired;
    // Resident warps.
    uint64_t resident;
    // Warp Status Table, mem bits: warps whose head was mem at the last pick.
    uint64_t wst_mem;
    // Warp Status Table, stall bits: warps that the last pick left out of the ready queue.
    uint64_t wst_stall;
    // Warps that were in the ready queue for memory when MP mode began, and may still issue.
    uint64_t leftover;
    // gpusched_mascar_mode.
    uint32_t mode;
    // The saturation flags: bit s is that of cache s.
    uint32_t flags;
    // The owner; GPUSCHED_NONE if there is none.
    uint32_t owner;
    // The warp that owned too long, and may not be owner again before another one was; GPUSCHED_NONE if there is none.
    uint32_t barred;
    // The last issued warp of each scheduler; GPUSCHED_NONE if there is none.
    uint32_t last[GPUSCHED_MASCAR_SCHEDULERS];
    // gpusched_mascar_lsu.
    uint32_t lsu;
    // The warp in the LSU; GPUSCHED_NONE if there is none.
    uint32_t lsu_warp;
    // Requests that have not left the LSU.
    uint32_t lsu_left;
    // gpusched_mascar_src of the request that waits for the L1's answer; IDLE if none does.
    uint32_t presented;
    // Entries of the re-execution queue in use.
    uint32_t rexq;
    // 0.
    uint32_t reserved;
} gpusched_mascar_state;

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

// Parameters of TlpConfig. Fill it with gpusched_tlp_config_init, then change what you like: a newer library adds fields at the
// end, and programs that were built before keep working.
typedef struct gpusched_tlp_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Threads of an SM; threads, 1 to 4294967295.
    uint32_t threads;
    // Registers of an SM; registers, 0 to 4294967295.
    uint32_t regs;
    // Shared memory of an SM; bytes, 0 to 4294967295.
    uint32_t smem;
    // TB slots of an SM; TBs, 1 to 32.
    uint32_t slots;
    // SMs of the GPU; Smc needs two; SMs, 1 to 256.
    uint32_t sms;
    // The most TBs of a kernel on an SM; TBs, 1 to 32.
    uint32_t tlp_cap;
    // How much worse than the best a profile's value may be to count as the best; thousandths, 0 to 1000.
    uint32_t tol_permille;
    // TBs by which the kernel that is chosen grows; TBs, 1 to 32.
    uint32_t grow_step;
    // TBs below which the other kernel does not shrink; TBs, 1 to 32.
    uint32_t min_tlp;
    // Weight of a period in the history: 2^-his_shift; bits, 0 to 8.
    uint32_t his_shift;
    // Pipelines of kind SP: busy cycles of a period may reach its length times this; pipelines, 1 to 65535.
    uint32_t sp_units;
    // Pipelines of kind LD/ST; pipelines, 1 to 65535.
    uint32_t ldst_units;
    // Time of a comparison or addition; cycles, 0 to 65535.
    uint32_t op_cycles;
    // Kernels that the pool holds; kernels, 1 to 64.
    uint32_t pool_cap;
    // Kernels that LeftOver holds; kernels, 1 to 32.
    uint32_t qcap;
    // Whether a utilisation that stays equal counts as one that does not fall; 0 or 1.
    uint32_t hold_on_equal;
    // gpusched_tlp_puhp_tie: What becomes of the targets when both kernels lean on the critical pipeline alike.
    uint32_t puhp_tie;
    // gpusched_tlp_history_rule: How utilisations enter the history.
    uint32_t his_rule;
    // Whether targets are modulated at run time; 0 or 1.
    uint32_t dynamic;
    // Whether bypassing is learnt; 0 or 1.
    uint32_t bypass;
    // Whether a period waits for as many tagged TBs as are wanted; 0 or 1.
    uint32_t wait_by;
    // gpusched_tlp_order: Whether targets move while bypassing is learnt.
    uint32_t order;
    // gpusched_tlp_stall_norm: What of the stalls of two periods is compared.
    uint32_t stall_norm;
    // gpusched_tlp_solo: The target of a kernel without a partner.
    uint32_t solo_tlp;
    // gpusched_tlp_upup: What two kernels of type up do.
    uint32_t upup;
    // Whether the pool puts off a kernel of type up beside one of type up; 0 or 1.
    uint32_t avoid_upup;
    // Whether LeftOver waits for an SM without TBs of other kernels; 0 or 1.
    uint32_t idle_only;
    // Whether Smart-Even gives no kernel more SMs than it can fill; 0 or 1.
    uint32_t smart;
} gpusched_tlp_config;

// Storage of all units in bits.
typedef struct gpusched_tlp_storage {
    // Descriptors of both kernels, which came first, and the mode.
    uint64_t kernels;
    // Tb, By, By_cur and res of both.
    uint64_t targets;
    // The slot map with tags, and the cohort.
    uint64_t slots;
    // Phase, last event, start and end of the period.
    uint64_t period;
    // The six utilisations, and the number of periods.
    uint64_t history;
    // What is tried, and the stalls that it is compared with.
    uint64_t learning;
    // Pool.
    uint64_t pool;
    // LeftOver.
    uint64_t left_over;
    // SmartEven.
    uint64_t smart_even;
    // Smc.
    uint64_t smc;
    // Each SM's part together.
    uint64_t sm_total;
    // Of each SM's part, what the source counts.
    uint64_t sm_of_source;
} gpusched_tlp_storage;

// Type of a kernel, and the TLP with which it runs best.
typedef struct gpusched_tlp_category {
    // gpusched_tlp_type: the type.
    uint32_t kind;
    // TBs per SM, 1 to 255.
    uint32_t opt;
} gpusched_tlp_category;

// What one TB takes of an SM, besides a slot.
typedef struct gpusched_tlp_needs {
    // Threads, at least 1.
    uint32_t threads;
    // Registers.
    uint32_t regs;
    // Shared memory, bytes.
    uint32_t smem;
} gpusched_tlp_needs;

// A kernel that is modulated.
typedef struct gpusched_tlp_kernel {
    // What one TB takes.
    struct gpusched_tlp_needs needs;
    // How its speed follows the number of its TBs.
    struct gpusched_tlp_category category;
} gpusched_tlp_kernel;

// Targets of two kernels.
typedef struct gpusched_tlp_targets {
    // TBs of kernel 0 and 1.
    uint32_t tb[2];
    // gpusched_tlp_mode: the mode: Pair, or Leftover if they are not to be mixed.
    uint32_t mode;
    // Role A: the kernel that was served first.
    uint32_t a;
} gpusched_tlp_targets;

// Who shares the SM once a kernel has come.
typedef struct gpusched_tlp_attached {
    // gpusched_tlp_mode: who shares the SM now.
    uint32_t mode;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
} gpusched_tlp_attached;

// Who has the SM once a kernel has gone.
typedef struct gpusched_tlp_detached {
    // gpusched_tlp_mode: who has the SM now.
    uint32_t mode;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
    // Whether a period was under way, or its sample due: it is dropped.
    uint32_t aborted;
} gpusched_tlp_detached;

// What becomes of the period when the host sets the targets.
typedef struct gpusched_tlp_overridden {
    // Whether a period was under way, or its sample due: it is dropped.
    uint32_t aborted;
    // Bypassing TBs wanted of kernel 0 and 1.
    uint32_t by[2];
} gpusched_tlp_overridden;

// What the SM takes.
typedef struct gpusched_tlp_dispatched {
    // gpusched_tlp_stall.
    uint32_t stall;
    // Its slot; GPUSCHED_NONE if there is no TB.
    uint32_t slot;
    // Its kernel; GPUSCHED_NONE if there is no TB.
    uint32_t k;
    // Whether it bypasses L1, as long as it runs.
    uint32_t bypass;
} gpusched_tlp_dispatched;

// A TB that has ended.
typedef struct gpusched_tlp_finished {
    // Its kernel.
    uint32_t k;
    // Whether it bypassed L1.
    uint32_t bypass;
    // A period ends with it: the host takes its counters to gpusched_tlp_sm_sample.
    uint32_t period_end;
} gpusched_tlp_finished;

// The counters of a period.
typedef struct gpusched_tlp_metrics {
    // Cycles in which SP pipelines were busy with kernel 0 and 1.
    uint64_t sp[2];
    // Cycles in which LD/ST pipelines were.
    uint64_t ldst[2];
    // Stalls for memory.
    uint64_t stall_mem;
    // Structural stalls.
    uint64_t stall_struct;
    // Whether kernel 0 and 1 have TBs to be sent.
    uint32_t avail[2];
} gpusched_tlp_metrics;

// What a sample leads to.
typedef struct gpusched_tlp_sampled {
    // gpusched_tlp_action: what became of the targets.
    uint32_t action;
    // gpusched_tlp_pipe: the pipeline whose utilisation fell.
    uint32_t critical;
    // The kernel that was to grow.
    uint32_t grow;
    // Targets of kernel 0 and 1.
    uint32_t tb[2];
    // Bypassing TBs wanted of kernel 0 and 1.
    uint32_t by[2];
    // gpusched_tlp_learn: what is learnt now.
    uint32_t learn;
    // Cycles that the hardware takes for it.
    uint32_t cost;
} gpusched_tlp_sampled;

// What a machine holds, beside its kernels and TBs.
typedef struct gpusched_tlp_sm_state {
    // Start of the period, if there is one.
    uint64_t start;
    // Its end, if it has ended.
    uint64_t end;
    // gpusched_tlp_mode: who shares the SM.
    uint32_t mode;
    // The kernel that was attached earlier.
    uint32_t first;
    // TBs that kernel 0 and 1 are to have.
    uint32_t tb[2];
    // How many of them are to bypass the L1.
    uint32_t by[2];
    // Resident TBs of kernel 0 and 1.
    uint32_t resident[2];
    // Those of them that bypass.
    uint32_t bypassing[2];
    // gpusched_tlp_phase: where it is between two samples.
    uint32_t phase;
    // A bit for the slot of each TB that the period waits for.
    uint32_t cohort;
    // gpusched_tlp_learn: what is learnt of bypassing.
    uint32_t learn;
    // Periods in the history, at most 65535.
    uint32_t periods;
    // Utilisation of SP in the history, in 65536ths.
    uint32_t sp;
    // Utilisation of LD/ST.
    uint32_t ldst;
    // Utilisation of SP by kernel 0 and 1.
    uint32_t sp_of[2];
    // Utilisation of LD/ST by kernel 0 and 1.
    uint32_t ldst_of[2];
} gpusched_tlp_sm_state;

// The TB in a slot.
typedef struct gpusched_tlp_resident {
    // Its kernel.
    uint32_t k;
    // Whether it bypasses L1.
    uint32_t bypass;
} gpusched_tlp_resident;

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

// What a work distributor does in one call.
typedef struct gpusched_tlp_sent {
    // gpusched_tlp_sched.
    uint32_t sched;
    // The SM that gets a TB; GPUSCHED_NONE if none does.
    uint32_t sm;
    // Its kernel; GPUSCHED_NONE if there is none.
    uint32_t k;
    // Its number in the kernel; GPUSCHED_NONE if there is none.
    uint32_t tb;
} gpusched_tlp_sent;

// A kernel that was submitted and has not ended.
typedef struct gpusched_tlp_submitted {
    // How many kernels were submitted before it.
    uint64_t seq;
    // What one TB takes.
    struct gpusched_tlp_needs needs;
    // TBs of the kernel.
    uint32_t n_tb;
    // The next TB to be sent.
    uint32_t next;
    // TBs that have ended.
    uint32_t finished;
} gpusched_tlp_submitted;

// A kernel to be run.
typedef struct gpusched_tlp_job {
    // What one TB takes.
    struct gpusched_tlp_needs needs;
    // TBs of the kernel.
    uint32_t n_tb;
} gpusched_tlp_job;

// A TB that has ended.
typedef struct gpusched_tlp_sharer_ended {
    // Its kernel.
    uint32_t k;
    // It was the kernel's last one: SMs may have another owner.
    uint32_t done;
} gpusched_tlp_sharer_ended;

// A kernel that has SMs of its own.
typedef struct gpusched_tlp_sharer {
    // TBs that an SM holds.
    uint32_t max;
    // TBs of the kernel.
    uint32_t n_tb;
    // The next TB to be sent.
    uint32_t next;
    // TBs that have ended.
    uint32_t finished;
} gpusched_tlp_sharer;

// An SM.
typedef struct gpusched_tlp_owned_sm {
    // The kernel that owns it.
    uint32_t owner;
    // Resident TBs, all of the owner.
    uint32_t resident;
} gpusched_tlp_owned_sm;

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

// What is known about a kernel and its GPU. Fill it with gpusched_exec_inputs_init, then set what you know: a newer library adds fields
// at the end, and programs that were built before keep working.
typedef struct gpusched_exec_inputs {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // gpusched_exec_size_unit.
    uint32_t size_unit;
    // A negative b_fp is raised to 0; 0 or 1.
    uint32_t clamp_bfp;
    // fp_lat is known; 0 or 1.
    uint32_t has_fp_lat;
    // amat is known; 0 or 1.
    uint32_t has_amat;
    // Not looked at.
    uint32_t reserved;
    // Instructions of a warp, without those of the SFU. Not 0.
    double insts;
    // Memory instructions of a warp, at most insts.
    double mem_insts;
    // Synchronisation instructions of a warp.
    double sync_insts;
    // Instructions of a warp for the special function unit.
    double sfu_insts;
    // Floating-point instructions of a warp, at most insts.
    double fp_insts;
    // Warps of the kernel. Without any, all times are 0.
    double total_warps;
    // SMs that run them. Not 0.
    double active_sms;
    // Warps that run on an SM at the same time, at least 1.
    double n;
    // Transactions of a memory instruction, at least 1.
    double avg_trans_warp;
    // Latency of an instruction, in cycles. Not 0.
    double avg_inst_lat;
    // Memory instructions that miss all caches, from 0 to 1.
    double miss_ratio;
    // Data that the kernel needs, in the unit that size_unit says.
    double size_of_data;
    // Instructions of a warp that may run at the same time. Not 0.
    double ilp;
    // Memory instructions of a warp that may wait at the same time. Not 0.
    double mlp;
    // Threads of a warp. Not 0.
    double warp_size;
    // Machine's parameter of synchronisation.
    double gamma;
    // Departure delay: cycles between two transactions of an SM. At 0 it bounds nothing.
    double delta;
    // Latency of DRAM, in cycles. Not 0.
    double dram_lat;
    // Latency of a floating-point instruction, in cycles; only looked at if has_fp_lat, else avg_inst_lat holds.
    double fp_lat;
    // Latency of a hit, in cycles.
    double hit_lat;
    // Lanes of an SM. Not 0.
    double simd_width;
    // Special function units of an SM. Not 0 if there are sfu_insts.
    double sfu_width;
    // SM clock in GHz. Not 0.
    double freq;
    // Peak bandwidth of memory in GB/s. Not 0.
    double mem_peak_bw;
    // Bytes of a transaction. Not 0.
    double transaction_size;
    // Overhead of divergence, in cycles.
    double o_cfdiv;
    // Overhead of bank conflicts, in cycles.
    double o_bank;
    // Mean latency of a memory instruction, in cycles; only looked at if has_amat, else it is computed.
    double amat;
} gpusched_exec_inputs;

// Everything that the equations yield. Times are cycles.
typedef struct gpusched_exec_estimate {
    // Most parallelism of instructions that an SM can use.
    double itilp_max;
    // Parallelism of instructions within and between warps.
    double itilp;
    // Time of instructions that run in parallel.
    double w_parallel;
    // Cost of a synchronisation.
    double f_sync;
    // Time of synchronisations.
    double o_sync;
    // How much of the SFU's time other instructions do not hide, from 0 to 1.
    double f_sfu;
    // Time of the SFU.
    double o_sfu;
    // Time that is not parallel.
    double w_serial;
    // Time to compute.
    double t_comp;
    // Latency of DRAM for the transactions of a memory instruction.
    double avg_dram_lat;
    // Mean latency of a memory instruction.
    double amat;
    // Computing of a warp.
    double comp_cycles;
    // Waiting of a warp.
    double mem_cycles;
    // CWP of enough warps.
    double cwp_full;
    // Computing warps: those that could compute while one waits for memory, and itself.
    double cwp;
    // Bandwidth that a warp takes, GB/s.
    double bw_per_warp;
    // Warps whose accesses the bandwidth suffices for.
    double mwp_peak_bw;
    // Memory warps: those whose accesses are served at the same time.
    double mwp;
    // MWP, as far as there are warps to wait.
    double mwp_cp;
    // Parallelism of memory accesses.
    double itmlp;
    // Time of memory accesses.
    double t_mem;
    // How much of the computing can overlap, from 0 to 1.
    double f_overlap;
    // Time in which both go on.
    double t_overlap;
    // Execution time.
    double t_exec;
    // Least time of floating-point instructions.
    double t_fp;
    // Least time of the data.
    double t_mem_min;
    // Gained by more parallelism of instructions.
    double b_itilp;
    // Gained by no serialisation.
    double b_serial;
    // Gained by no instructions but floating-point ones.
    double b_fp;
    // Gained by moving the least data, all of it overlapped.
    double b_memlp;
} gpusched_exec_estimate;

// A kernel under the roof of its machine.
typedef struct gpusched_theory_roof {
    // Most operations per time, in the unit of the peak.
    double attainable;
    // The intensity from which on arithmetic limits.
    double ridge;
    // gpusched_theory_bound.
    uint32_t bound;
    // 0.
    uint32_t reserved;
} gpusched_theory_roof;

// A computation on p processors.
typedef struct gpusched_theory_brent_time {
    // Steps that it takes at most.
    double t;
    // Mean operations per level of its graph.
    double parallelism;
    // Steps on one processor per step here.
    double speedup;
} gpusched_theory_brent_time;

// A parallel algorithm that does more than the best sequential one.
typedef struct gpusched_theory_speed {
    // Over the sequential algorithm.
    double speedup;
    // 1 if there are processors enough to be faster than it, else 0.
    uint32_t matches_sequential;
    // 0.
    uint32_t reserved;
} gpusched_theory_speed;

// The graph of a reduction.
typedef struct gpusched_theory_tree {
    // Loads and additions.
    uint64_t work;
    // Levels.
    uint32_t depth;
    // 0.
    uint32_t reserved;
} gpusched_theory_tree;

// A reduction in external memory.
typedef struct gpusched_theory_reduction {
    // Transfers.
    uint64_t q;
    // Additions as printed.
    uint64_t w_printed;
    // Additions inside of partial trees of z elements.
    uint64_t w_partial;
    // All additions.
    uint64_t w_total;
    // Additions as printed, per element.
    double i_printed;
    // Additions inside of partial trees, per element.
    double i_partial;
    // All additions, per element.
    double i_total;
} gpusched_theory_reduction;

// A product of matrices in external memory.
typedef struct gpusched_theory_matmul {
    // Side of the greatest block of which three fit; 0: none does.
    uint64_t b;
    // Transfers without blocks.
    double q_naive;
    // Transfers, in order of magnitude, of the best algorithm.
    double q_order;
    // Operations per word, in order of magnitude, of the best algorithm.
    double i_order;
    // Transfers with blocks of side b; 0 if no block fits.
    double q_blocked;
} gpusched_theory_matmul;

// A computation on processors with a memory each, scheduled by work stealing.
typedef struct gpusched_theory_private {
    // Transfers on one processor.
    double q1;
    // Processors.
    double p;
    // Words of each one's memory.
    double z;
    // Depth.
    double d;
    // Words of a line. Not 0.
    double l;
    // The constant that the order of magnitude hides; 1 if nothing is known.
    double c;
} gpusched_theory_private;

// Transfers of all processors.
typedef struct gpusched_theory_misses {
    // At most, under work stealing.
    double bound;
    // If each one moved everything.
    double naive;
} gpusched_theory_misses;

// Traffic of a computation, and the memory that takes it.
typedef struct gpusched_theory_traffic {
    // Latency.
    double alpha;
    // Depth.
    double d;
    // Transfers.
    double q;
    // Words of a transfer.
    double l;
    // Words per time. Not 0.
    double beta;
} gpusched_theory_traffic;

// A machine and a computation.
typedef struct gpusched_theory_machine {
    // Processors, at least 1.
    double p;
    // Operations of each per time. Not 0.
    double c0;
    // Words of memory per time. Not 0.
    double beta;
    // Latency of memory.
    double alpha;
    // Words of a transfer. Not 0.
    double l;
    // Transfers. Not 0.
    double q;
    // Operations. Not 0.
    double w;
    // Operations one after the other. Not 0, at most w.
    double d;
} gpusched_theory_machine;

// Both sides of the balance, and three verdicts on it.
typedef struct gpusched_theory_balanced {
    // Operations per word of the machine.
    double machine_balance;
    // Operations per word of the computation.
    double intensity;
    // Left side of the source's inequality.
    double lhs;
    // Right side of the source's inequality.
    double rhs;
    // Time to compute.
    double t_comp;
    // Time of memory.
    double t_mem;
    // 1 if the machine is balanced by bandwidth alone, else 0.
    uint32_t kung;
    // 1 if it is by the source's inequality as printed, else 0.
    uint32_t printed;
    // 1 if computing takes at least as long as memory, else 0.
    uint32_t exact;
    // 0.
    uint32_t reserved;
} gpusched_theory_balanced;

// Boxes of points.
typedef struct gpusched_theory_boxes {
    // Operations of an interaction. Not 0.
    double kappa;
    // Points of a box.
    double q;
    // The machine's operations per byte.
    double balance;
    // Words of a point. Not 0; 4 for a place in space and a density.
    double words_per_point;
    // Bytes of a word. Not 0; 4 in single precision.
    double bytes_per_word;
    // Dimensions of space, from 1 to 20.
    uint32_t dims;
    // Not looked at.
    uint32_t reserved;
} gpusched_theory_boxes;

// What a box moves and computes.
typedef struct gpusched_theory_ulist_estimate {
    // The box and its neighbours.
    uint64_t neighbours;
    // Words that a target point moves.
    double words_per_target;
    // Bytes that a target point moves.
    double bytes_per_target;
    // Words that the points of two boxes take.
    double z_words;
    // Operations per word as printed, which lacks a factor of neighbours.
    double i_printed;
    // Operations per word.
    double i_exact;
    // Points of a box from which on arithmetic limits, as printed.
    uint64_t q_printed;
    // Points of a box from which on arithmetic limits.
    uint64_t q_exact;
} gpusched_theory_ulist_estimate;

// The machine, and how many warps it has. Fill it with gpusched_wfg_config_init, then set what you know: a newer library adds fields at
// the end, and programs that were built before keep working.
typedef struct gpusched_wfg_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // Not looked at.
    uint32_t reserved;
    // Threads of a warp. Not 0.
    double warp_size;
    // Lanes of an SM. Not 0.
    double simd_width;
    // Latency of DRAM, in cycles.
    double dram_lat;
    // Cycles between two transactions.
    double delta;
    // Warps that run on an SM at the same time. Not 0.
    double n_warps;
    // How far computing and memory may be apart, as a part of the greater one, and count as balanced.
    double balance_tol;
} gpusched_wfg_config;

// A node of a graph.
typedef struct gpusched_wfg_node {
    // Its weight; not looked at if its kind has none.
    double weight;
    // gpusched_wfg_kind.
    uint32_t kind;
    // Not looked at.
    uint32_t reserved;
} gpusched_wfg_node;

// From a node to a later one.
typedef struct gpusched_wfg_arc {
    // Share of the warps at `from` that go this way, from 0 to 1.
    double fraction;
    // Index of a node.
    uint32_t from;
    // Index of a later node.
    uint32_t to;
} gpusched_wfg_arc;

// A node that uses what another one loads.
typedef struct gpusched_wfg_dependence {
    // Index of the access to global memory.
    uint32_t from;
    // Index of a later node.
    uint32_t to;
} gpusched_wfg_dependence;

// A work-flow graph: nodes in an order in which every arc and dependence leads on.
typedef struct gpusched_wfg_graph {
    // The nodes.
    const struct gpusched_wfg_node *nodes;
    // Their number, at most 64.
    size_t node_count;
    // The arcs; may be null if there are none.
    const struct gpusched_wfg_arc *arcs;
    // Their number, at most 128.
    size_t arc_count;
    // The dependences; may be null if there are none.
    const struct gpusched_wfg_dependence *deps;
    // Their number, at most 64.
    size_t dep_count;
} gpusched_wfg_graph;

// What a mean warp does, in cycles.
typedef struct gpusched_wfg_flow {
    // Issuing.
    double comp;
    // Time of memory.
    double mem;
    // Waiting.
    double stall;
    // From its entry to its exit.
    double span;
    // Time of all warps of an SM.
    double time;
    // Warps whose issuing takes as long as one's span; 0 if there is no issuing.
    uint64_t warps_to_hide;
    // 1 if the warps hide what they wait for, and computing and memory take as long as each other; else 0.
    uint32_t balanced;
    // 0.
    uint32_t reserved;
} gpusched_wfg_flow;

// Parameters of a stochastic memory hierarchy. Fill it with gpusched_monte_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
// before keep working.
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
    // Requests of all warps; requests.
    uint32_t max_requests;
    // Sites that are told apart; sites, 1 to 256.
    uint32_t sites;
    // gpusched_monte_order.
    uint32_t pick;
    // A store brings its line into the L1; 0 or 1.
    uint32_t l1_store_alloc;
} gpusched_monte_config;

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

// What the runs have in common.
typedef struct gpusched_monte_summary {
    // Their seed.
    uint64_t seed;
    // Stores of all runs.
    uint64_t stores;
    // Their number.
    uint32_t runs;
    // 0.
    uint32_t reserved;
} gpusched_monte_summary;

// One level of the hierarchy over all runs.
typedef struct gpusched_monte_tally {
    // Loads.
    uint64_t loads;
    // Loads that hit.
    uint64_t hits;
    // Hits of the first run of the least ratio; 0 if all runs are empty.
    uint64_t min_hits;
    // Loads of that run; 0 if all runs are empty.
    uint64_t min_loads;
    // Hits of the first run of the greatest ratio; 0 if all runs are empty.
    uint64_t max_hits;
    // Loads of that run; 0 if all runs are empty.
    uint64_t max_loads;
    // Runs without loads.
    uint32_t empty;
    // The fullest bin of the histogram, the lowest of several; 0 if all are empty.
    uint32_t mode;
    // 1 if some run had loads, and ratios are no further apart than tol_permille; else 0.
    uint32_t reliable;
    // 0.
    uint32_t reserved;
} gpusched_monte_tally;

// One site over all runs.
typedef struct gpusched_monte_site {
    // Loads.
    uint64_t l1_loads;
    // Loads that hit an L1.
    uint64_t l1_hits;
    // Loads that came to the L2.
    uint64_t l2_loads;
    // Loads that hit the L2.
    uint64_t l2_hits;
} gpusched_monte_site;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the binary interface that this library has. Programs compare it with the GPUSCHED_ABI_VERSION of their header.
uint32_t gpusched_abi_version(void);

// The name of a status as the sheets spell it, such as "BadSmx"; "Ok" for 0; "Unknown" for a number that is none. The text is
// static and shared by all threads.
const char *gpusched_status_str(uint32_t status);

// One sentence about a status, for people. The text is static and shared by all threads.
const char *gpusched_status_text(uint32_t status);

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

// Says whether every value is in its range, and right beside the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is wrong, if the result is BadConfig or one of the six behind it; one of a part's
// own under the name it has in the configuration of that machine alone. May be null.
// @return BadConfig; TurnWithLaperm, LoadWithLaperm, AgtWithLaperm, AheadWithLaperm, Queue0TooSmall, PoolTooSmall; Null, Misaligned,
// BadStructSize; WrongVersion: fields that this library does not know are not 0.
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
// @return BadConfig and what else gpusched_frontend_config_check says; Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_frontend_layout(const struct gpusched_frontend_config *config,
                                         struct gpusched_layout *layout);

// Builds a front end in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the front end is used. Its former content does
// not matter.
//
// @param storage   size bytes, aligned as gpusched_frontend_layout says.
// @param size      At least what gpusched_frontend_layout says.
// @param config    An initialised configuration; not needed after the call.
// @param frontend  Receives the object, which is where storage is.
// @return BadConfig and what else gpusched_frontend_config_check says; Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_frontend_init(void *storage,
                                       size_t size,
                                       const struct gpusched_frontend_config *config,
                                       struct gpusched_frontend **frontend);

// Tells what the modelled hardware would cost. The source gives no size for the baseline structures, so none is counted.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig and what else gpusched_frontend_config_check says; Null, Misaligned, BadStructSize, WrongVersion.
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

// LaPerm: a unit that a decision GPUSCHED_DECISION_KIND_REFILL asked for is on chip (laperm_refill_mode external). Of several with this
// tag the first, by bind unit and in its queue.
//
// @return NoLoad: none with this tag is being loaded; those of the object.
gpusched_status gpusched_frontend_refilled(struct gpusched_frontend *frontend,
                                           uint64_t tag);

// The information of a spilled group is here (load_mode external).
//
// @return NoLoad: that record was not asked for, or was answered; those of the object.
gpusched_status gpusched_frontend_spill_loaded(struct gpusched_frontend *frontend, uint32_t record);

// Launches a kernel from the host whose TBs are the nodes of a dependency graph, in place of those of its grid: it sends each as soon
// as the nodes before it have ended. It waits in the hardware work queue of its stream, and then until the buffer is free. The host
// answers the requests of gpusched_frontend_graph_poll from then on.
//
// @param frontend  The front end.
// @param stream    Any number; streams share a queue if they are equal modulo n_hwq.
// @param kernel    Read. Its grid has as many TBs as the graph has nodes.
// @param retain    As of gpusched_frontend_host_launch; a kernel with a graph cannot be retained.
// @param graph     Read.
// @param queue     Receives the queue. May be null.
// @return EmptyGrid, GridTooLarge, EmptyTb, TbTooBig, NoDgb, GraphRetain, GraphSize, BadGraphPolicy, TooManyNodes, TooManyEdges,
// MisalignedArray, AddressOverflow, HwqFull; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_host_launch_graph(struct gpusched_frontend *frontend,
                                                    uint32_t stream,
                                                    const struct gpusched_kernel *kernel,
                                                    uint32_t retain,
                                                    const struct gpusched_graph_header *graph,
                                                    uint32_t *queue);

// Tells the next memory request of the graph that runs, if one is due: call it until none is, after the calls of a cycle and before
// its tick. At most one of each kind is in flight.
//
// @param frontend  The front end.
// @param request   Receives the request.
// @param error     If the buffer refuses, receives the details. May be null.
// @return NoDgb, GraphFault; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_graph_poll(struct gpusched_frontend *frontend,
                                             struct gpusched_graph_request *request,
                                             struct gpusched_graph_error *error);

// Memory answers a request for nodes.
//
// @param frontend  The front end.
// @param tag       That of the request.
// @param entries   count entries of the node array.
// @param count     As many as were asked for.
// @param report    Receives what it set in motion. May be null.
// @param error     If the buffer refuses, receives the details. May be null.
// @return NoDgb, GraphFault; StaleTag; BadLength, BadGraph: the request is still in flight; Unread; Null, Misaligned, Capacity; those
// of the object.
gpusched_status gpusched_frontend_graph_nodes(struct gpusched_frontend *frontend,
                                              uint32_t tag,
                                              const uint64_t *entries,
                                              size_t count,
                                              struct gpusched_graph_report *report,
                                              struct gpusched_graph_error *error);

// Memory answers a request for edges.
//
// @param frontend  The front end.
// @param tag       That of the request.
// @param targets   count entries of the edge array.
// @param count     As many as were asked for.
// @param report    Receives what it set in motion. May be null.
// @param error     If the buffer refuses, receives the details. May be null.
// @return NoDgb, GraphFault; StaleTag; BadLength, BadEdge: the request is still in flight; Unread; Null, Misaligned, Capacity; those
// of the object.
gpusched_status gpusched_frontend_graph_edges(struct gpusched_frontend *frontend,
                                              uint32_t tag,
                                              const uint16_t *targets,
                                              size_t count,
                                              struct gpusched_graph_report *report,
                                              struct gpusched_graph_error *error);

// Memory has carried out a decrement.
//
// @param frontend  The front end.
// @param tag       That of the request.
// @param report    Receives what it set in motion. May be null.
// @param error     If the buffer refuses, receives the details. May be null.
// @return NoDgb, GraphFault, StaleTag; Unread; Misaligned; those of the object.
gpusched_status gpusched_frontend_graph_spilled(struct gpusched_frontend *frontend,
                                                uint32_t tag,
                                                struct gpusched_graph_report *report,
                                                struct gpusched_graph_error *error);

// Gives a kernel's graph up: the only way out of a fault or a deadlock. Nodes that were not sent never are; those that run stay until
// gpusched_frontend_tb_done, and the kernel ends with the last of them. The buffer is free at once, and late answers meet StaleTag.
//
// @return BadKde, NoKernel, NotGraph, NotRunning: the graph is finished or was given up; Unread; those of the object.
gpusched_status gpusched_frontend_abort_graph(struct gpusched_frontend *frontend,
                                              uint32_t kde);

// The dependency-graph buffer as this front end runs it.
//
// @param size  sizeof(gpusched_dgb_config) in the caller's header.
// @return NoDgb; Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_dgb_config(const struct gpusched_frontend *frontend,
                                             struct gpusched_dgb_config *config,
                                             size_t size);

// The entry of the kernel that has the buffer: its graph is on its way, running, or in a fault. GPUSCHED_NONE if the buffer is free.
//
// @return NoDgb; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_owner(const struct gpusched_frontend *frontend,
                                            uint32_t *kde);

// What the buffer is doing, and where the window stands. After a fault only the fault has a meaning.
//
// @return NoDgb; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_state(const struct gpusched_frontend *frontend, struct gpusched_dgb_state *state);

// The graph that was started last.
//
// @return NoDgb; NotLaunched: there was none, or it was given up; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_graph(const struct gpusched_frontend *frontend,
                                            struct gpusched_graph_header *graph);

// Statistics of the graph that was started last.
//
// @return NoDgb; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_stats(const struct gpusched_frontend *frontend, struct gpusched_dgb_stats *stats);

// Nodes in the window, as of gpusched_dgb_resident.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_resident(const struct gpusched_frontend *frontend,
                                               struct gpusched_dgb_node *nodes,
                                               size_t capacity,
                                               size_t *count);

// Edges on chip, as of gpusched_dgb_resident_edges.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_resident_edges(const struct gpusched_frontend *frontend,
                                                     uint16_t *targets,
                                                     size_t capacity,
                                                     size_t *count);

// The pending update buffer, as of gpusched_dgb_pending_updates.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_pending_updates(const struct gpusched_frontend *frontend,
                                                      uint16_t *nodes,
                                                      size_t capacity,
                                                      size_t *count);

// The node insertion buffer, as of gpusched_dgb_landed.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_landed(const struct gpusched_frontend *frontend,
                                             uint64_t *entries,
                                             size_t capacity,
                                             size_t *count);

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
// @return BubbleOwnsMask: the occupancy-bubble controller says which do; BadMask: the set names an SMX that does not exist; Null, Misaligned; those of the object.
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
// @param start  The bind unit to begin with under LaPerm; 0 otherwise, the only line that first come, first served has.
// @return BadUnit; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_waiting_head(const struct gpusched_frontend *frontend,
                                               uint32_t start,
                                               struct gpusched_waiting_head *head);

// Activity of each SMX in thousandths, for the next sample of the occupancy-bubble controller, which uses it up.
//
// @param per_smx  count values from 0 to 1000, one per SMX.
// @return NoBubble: there is no such controller; BadActivity; Null, Misaligned, Capacity; those of the object.
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

// Spilled groups that were asked for before their turn (load_ahead), by their places in the load buffer: 8 at most.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_load_buffer(const struct gpusched_frontend *frontend,
                                              struct gpusched_load_place *places,
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

// The end of a run: closes the energy account up to now, and nothing else happens.
//
// @param frontend  The front end.
// @param activity  count values from 0 to 1000, one per SMX; null if activity follows from the occupancy.
// @param count     Their number; 0 if activity is null.
// @return NoBubble, BadActivity; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_frontend_account(struct gpusched_frontend *frontend, const uint16_t *activity, size_t count);

// LaPerm as this front end runs it.
//
// @param size  sizeof(gpusched_laperm_config) in the caller's header.
// @return WrongModel: the policy is another one; Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_laperm_config(const struct gpusched_frontend *frontend,
                                                struct gpusched_laperm_config *config,
                                                size_t size);

// LaPerm: bind units, each with a queue.
//
// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_units(const struct gpusched_frontend *frontend, uint32_t *units);

// LaPerm: the SMX that is visited next.
//
// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_cur(const struct gpusched_frontend *frontend, uint32_t *smx);

// LaPerm: the backup record of an SMX.
//
// @return WrongModel: the policy is another one; BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_backup(const struct gpusched_frontend *frontend,
                                                uint32_t smx,
                                                struct gpusched_laperm_backup *backup);

// LaPerm's model CDP: the bind unit that the KMU asks first.
//
// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_kmu_pointer(const struct gpusched_frontend *frontend, uint32_t *unit);

// LaPerm: free places of the overflow lists; the model CDP has none.
//
// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_pool_free(const struct gpusched_frontend *frontend, uint32_t *places);

// LaPerm: the on-chip queue of a bind unit, in order.
//
// @param unit  The bind unit; GPUSCHED_NONE for queue 0.
// @return WrongModel: the policy is another one; BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the
// object.
gpusched_status gpusched_frontend_laperm_queue(const struct gpusched_frontend *frontend,
                                               uint32_t unit,
                                               struct gpusched_laperm_unit *units,
                                               size_t capacity,
                                               size_t *count);

// LaPerm: the overflow lists of a bind unit: highest level first, each in order.
//
// @param unit  The bind unit.
// @return WrongModel: the policy is another one; BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the
// object.
gpusched_status gpusched_frontend_laperm_overflow(const struct gpusched_frontend *frontend,
                                                  uint32_t unit,
                                                  struct gpusched_laperm_unit *units,
                                                  size_t capacity,
                                                  size_t *count);

// The occupancy-bubble controller as this front end runs it.
//
// @param size  sizeof(gpusched_bubble_config) in the caller's header.
// @return NoBubble; Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_bubble_config(const struct gpusched_frontend *frontend,
                                                struct gpusched_bubble_config *config,
                                                size_t size);

// What the last sample found and decided: to be read when there was a decision GPUSCHED_DECISION_KIND_SAMPLE. It is no part of
// images.
//
// @return NoBubble; BadIndex: there was no sample since the front end was built or restored; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_record(const struct gpusched_frontend *frontend,
                                                struct gpusched_bubble_record *record);

// SMXs that may be diverted when a bubble is found.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_armed(const struct gpusched_frontend *frontend,
                                               struct gpusched_smx_set *armed);

// The control registers.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_registers(const struct gpusched_frontend *frontend,
                                                   struct gpusched_bubble_registers *registers);

// The GPU level.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_gpu(const struct gpusched_frontend *frontend, struct gpusched_bubble_gpu *gpu);

// One SMX: P-state, what is under way, bubbles, energy.
//
// @return NoBubble, BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_smx(const struct gpusched_frontend *frontend,
                                             uint32_t smx,
                                             struct gpusched_bubble_smx *view);

// Energy of the GPU: all SMXs and everything else.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_energy(const struct gpusched_frontend *frontend,
                                                struct gpusched_energy *energy);

// Energy of everything but the SMXs.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_energy_uncore(const struct gpusched_frontend *frontend,
                                                       struct gpusched_energy *energy);

// Statistics of the controller.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_stats(const struct gpusched_frontend *frontend,
                                               struct gpusched_bubble_stats *stats);

// The cycle of the next sample; GPUSCHED_NEVER if it is beyond the last cycle.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_next_sample(const struct gpusched_frontend *frontend, uint64_t *cycle);

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

// Fills a configuration with the values of the source, those of a Tesla K20c: Adaptive-Bind over DTBL.
//
// @param config  Written.
// @param size    sizeof(gpusched_laperm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_laperm_config_init(struct gpusched_laperm_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_laperm_config_check(const struct gpusched_laperm_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_laperm_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_laperm_storage_bits(const struct gpusched_laperm_config *config,
                                             struct gpusched_laperm_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_laperm_layout(const struct gpusched_laperm_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_laperm_layout says.
// @param size     At least what gpusched_laperm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param laperm   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_laperm_init(void *storage,
                                     size_t size,
                                     const struct gpusched_laperm_config *config,
                                     struct gpusched_laperm **laperm);

// A host kernel of tbs TBs can be scheduled from now on.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param tag     The host's name for it; opaque, and told back with every decision about it.
// @param tbs     Its TBs.
// @param res     What each of them needs.
// @param placed  Receives where pushed work went. May be null.
// @return TimeReversed, EmptyGroup, BadResources, NeverFits; Queue0Full, or, under RR and in CDP, PoolFull; Null, Misaligned;
// those of the object.
gpusched_status gpusched_laperm_push_host(struct gpusched_laperm *laperm,
                                          uint64_t now,
                                          uint64_t tag,
                                          uint32_t tbs,
                                          const struct gpusched_resources *res,
                                          struct gpusched_laperm_placed *placed);

// A group, or a kernel, of tbs TBs that a TB of priority parent_prio on parent_smx launched can be scheduled from now on: the
// launch latency is over.
//
// @param laperm       The machine.
// @param now          The cycle, not before that of the last call.
// @param tag          The host's name for it; opaque, and told back with every decision about it.
// @param tbs          Its TBs.
// @param res          What each of them needs.
// @param parent_smx   The SMX of the TB that launched it.
// @param parent_prio  The nesting level of that TB, prio of gpusched_laperm_sent.
// @param placed       Receives where pushed work went. May be null.
// @return TimeReversed, BadSmx, BadPriority, EmptyGroup, BadResources, NeverFits, PoolFull; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_push_child(struct gpusched_laperm *laperm,
                                           uint64_t now,
                                           uint64_t tag,
                                           uint32_t tbs,
                                           const struct gpusched_resources *res,
                                           uint32_t parent_smx,
                                           uint32_t parent_prio,
                                           struct gpusched_laperm_placed *placed);

// One cycle: at most one TB is sent.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param sent    Receives what a cycle did.
// @return TimeReversed; SameCycle if this cycle was carried out before; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_tick(struct gpusched_laperm *laperm, uint64_t now, struct gpusched_laperm_sent *sent);

// An entry of this tag, for which a dispatch asked (refill), is on chip (refill_mode external). Of several, the first by unit and
// in its queue.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param tag     That of the entry.
// @return TimeReversed; NoLoad if none is being loaded; those of the object.
gpusched_status gpusched_laperm_refilled(struct gpusched_laperm *laperm,
                                         uint64_t now,
                                         uint64_t tag);

// A TB ended that needed res on smx. In CDP, kde is its kernel's entry of the kernel distributor, and the answer is whether that
// is free now; in DTBL it is ignored.
//
// @param laperm     The machine.
// @param now        The cycle, not before that of the last call.
// @param smx        Where it ran.
// @param res        What it needed.
// @param kde        CDP: kde of gpusched_laperm_sent. DTBL: ignored.
// @param kde_freed  Receives 1 if that entry of the kernel distributor is free now, else 0. May be null.
// @return TimeReversed, BadSmx, BadResources; ReleaseUnderflow if more would be free than there is; in CDP BadKde if no TB of that
// entry runs; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_tb_done(struct gpusched_laperm *laperm,
                                        uint64_t now,
                                        uint32_t smx,
                                        const struct gpusched_resources *res,
                                        uint32_t kde,
                                        uint32_t *kde_freed);

// CDP: one cycle of the KMU, which moves at most one kernel from memory to the chip.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param moved   Receives what the KMU did.
// @return WrongModel in DTBL; TimeReversed; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_kmu_tick(struct gpusched_laperm *laperm,
                                         uint64_t now,
                                         struct gpusched_laperm_moved *moved);

// Keeps TBs from an SMX, or admits them again, from the next visit on. What runs there, runs on.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param smx     The SMX.
// @param masked  If not 0 it gets no TBs.
// @return TimeReversed, BadSmx; those of the object.
gpusched_status gpusched_laperm_set_mask(struct gpusched_laperm *laperm, uint64_t now, uint32_t smx, uint32_t masked);

// Of the candidates from unit start on, wrapping, and of queue 0, the first one that only masked SMXs could take; if there is
// none, the first one. Vary start from sample to sample.
//
// @param laperm  The machine.
// @param now     The cycle, not before that of the last call.
// @param start   The unit with which the search begins.
// @param head    Receives work that waits for room, for the diversion controller.
// @return TimeReversed, BadUnit; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_waiting_head(const struct gpusched_laperm *laperm,
                                             uint64_t now,
                                             uint32_t start,
                                             struct gpusched_laperm_head *head);

// The configuration.
//
// @param size  sizeof(gpusched_laperm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_laperm_get_config(const struct gpusched_laperm *laperm,
                                           struct gpusched_laperm_config *config,
                                           size_t size);

// The first cycle, from the last time on, in which gpusched_laperm_tick may answer something else than no_work, or
// gpusched_laperm_kmu_tick something else than a stall; GPUSCHED_NEVER if none will without another call. Cycles before it can be
// left out: ticks in them change nothing but the times.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_next_event(const struct gpusched_laperm *laperm,
                                           uint64_t *cycle);

// Whether nothing waits anywhere and, in CDP, no kernel has a running TB.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_is_idle(const struct gpusched_laperm *laperm, uint32_t *idle);

// The last time.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_now(const struct gpusched_laperm *laperm, uint64_t *cycle);

// The SMX that is visited next.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_cur(const struct gpusched_laperm *laperm, uint32_t *smx);

// What is free on an SMX; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_free(const struct gpusched_laperm *laperm,
                                     uint32_t smx,
                                     struct gpusched_resources *free);

// Masked SMXs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_mask(const struct gpusched_laperm *laperm, struct gpusched_smx_set *masked);

// The on-chip queue of a unit, or queue 0 for GPUSCHED_NONE, in order; BadUnit if there is no such unit.
//
// @return BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_queue(const struct gpusched_laperm *laperm,
                                      uint32_t unit,
                                      struct gpusched_laperm_entry *entries,
                                      size_t capacity,
                                      size_t *count);

// The lists in memory of a unit, or those of host kernels for GPUSCHED_NONE: highest level first, each in order. Overflow lists in
// DTBL, pending lists in CDP. BadUnit if there is no such unit.
//
// @return BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_off_chip(const struct gpusched_laperm *laperm,
                                         uint32_t unit,
                                         struct gpusched_laperm_entry *entries,
                                         size_t capacity,
                                         size_t *count);

// Free places in memory.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_pool_free(const struct gpusched_laperm *laperm, uint32_t *places);

// CDP: an entry of the kernel distributor; NoKernel if it is free or there is no such entry.
//
// @return BadKde; NoKernel; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_get_kde(const struct gpusched_laperm *laperm,
                                        uint32_t kde,
                                        struct gpusched_laperm_kde *entry);

// The backup record of an SMX; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_get_backup(const struct gpusched_laperm *laperm,
                                           uint32_t smx,
                                           struct gpusched_laperm_backup *backup);

// CDP: the unit that the KMU asks first.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_kmu_pointer(const struct gpusched_laperm *laperm, uint32_t *unit);

// CDP: the KMU is busy before this cycle.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_kmu_free_at(const struct gpusched_laperm *laperm, uint64_t *cycle);

// U: units, each with a queue. The SMXs of a unit are neighbours; the last unit may have fewer.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_units(const struct gpusched_laperm *laperm, uint32_t *units);

// Tells how many bytes gpusched_laperm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_image_size(const struct gpusched_laperm *laperm, size_t *size);

// Saves the whole state.
//
// @param laperm    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_laperm_save(const struct gpusched_laperm *laperm, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_laperm_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_laperm_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_laperm_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param laperm      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_laperm_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_laperm_restore(struct gpusched_laperm *laperm,
                                        const void *image,
                                        size_t image_size);

// Fills a configuration with the values of the source, those of a Tesla K20c.
//
// @param config  Written.
// @param size    sizeof(gpusched_bubble_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_bubble_config_init(struct gpusched_bubble_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_bubble_config_check(const struct gpusched_bubble_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_bubble_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_bubble_storage_bits(const struct gpusched_bubble_config *config,
                                             struct gpusched_bubble_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_bubble_layout(const struct gpusched_bubble_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_bubble_layout says.
// @param size     At least what gpusched_bubble_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param bubble   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_bubble_init(void *storage,
                                     size_t size,
                                     const struct gpusched_bubble_config *config,
                                     struct gpusched_bubble **bubble);

// A TB has started on an SMX. What is resident there now.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param smx       Where it runs.
// @param res       What it takes.
// @param resident  Receives TBs and warps that an SMX holds. May be null.
// @return TimeReversed, BadSmx, BadResources, NeverFits, NotEligible, NoFit; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_dispatched(struct gpusched_bubble *bubble,
                                           uint64_t now,
                                           uint32_t smx,
                                           const struct gpusched_resources *res,
                                           struct gpusched_bubble_resident *resident);

// A TB has ended on an SMX, in whatever state that is. What is resident there now.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param smx       Where it ran.
// @param res       What it took.
// @param resident  Receives TBs and warps that an SMX holds. May be null.
// @return TimeReversed, BadSmx, BadResources, ReleaseUnderflow; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_completed(struct gpusched_bubble *bubble,
                                          uint64_t now,
                                          uint32_t smx,
                                          const struct gpusched_resources *res,
                                          struct gpusched_bubble_resident *resident);

// A sample: closes the interval, ends transitions, then decides. The first one sets the phase, all others follow exactly a
// sampling period apart. activity is one value from 0 to 1000 per SMX, or follows from the occupancy.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param waiting   The TB that waits; null if none does.
// @param activity  count values from 0 to 1000, one per SMX, for the energy of the interval; null if it follows from the occupancy.
// @param count     Their number.
// @param record    Receives what a sample found and decided. Sets are of SMXs.
// @return TimeReversed, OffSample; of the waiting TB BadResources, NeverFits, BadMask; BadActivity; Null, Misaligned; those of the
// object.
gpusched_status gpusched_bubble_sample(struct gpusched_bubble *bubble,
                                       uint64_t now,
                                       const struct gpusched_bubble_waiting *waiting,
                                       const uint16_t *activity,
                                       size_t count,
                                       struct gpusched_bubble_record *record);

// Closes the energy interval up to now and does nothing else: for the end of a run.
//
// @param bubble    The machine.
// @param now       The cycle, not before that of the last call.
// @param activity  As of gpusched_bubble_sample.
// @param count     Their number.
// @return TimeReversed, BadActivity; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_account(struct gpusched_bubble *bubble,
                                        uint64_t now,
                                        const uint16_t *activity,
                                        size_t count);

// The configuration.
//
// @param size  sizeof(gpusched_bubble_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_bubble_get_config(const struct gpusched_bubble *bubble,
                                           struct gpusched_bubble_config *config,
                                           size_t size);

// SMXs that may receive TBs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_eligible(const struct gpusched_bubble *bubble, struct gpusched_smx_set *eligible);

// What an SMX holds and has free; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_ledger(const struct gpusched_bubble *bubble,
                                           uint32_t smx,
                                           struct gpusched_bubble_ledger *ledger);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_now(const struct gpusched_bubble *bubble, uint64_t *cycle);

// The only time of the next sample; GPUSCHED_NONE before the first one, which may come at any time, and after the last that a
// cycle number can express.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_next_sample(const struct gpusched_bubble *bubble,
                                            uint64_t *cycle);

// The control registers.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_registers(const struct gpusched_bubble *bubble,
                                              struct gpusched_bubble_registers *registers);

// SMXs that may be diverted when a bubble is found.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_armed(const struct gpusched_bubble *bubble, struct gpusched_smx_set *armed);

// The GPU level.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_gpu(const struct gpusched_bubble *bubble, struct gpusched_bubble_gpu *gpu);

// Energy of everything but the SMXs, mW x cycles.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_energy_uncore(const struct gpusched_bubble *bubble, struct gpusched_energy *energy);

// Energy of the GPU, mW x cycles. A cycle lasts 1/f_high_mhz us.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_energy(const struct gpusched_bubble *bubble, struct gpusched_energy *energy);

// Statistics since the controller was built.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_stats(const struct gpusched_bubble *bubble, struct gpusched_bubble_stats *stats);

// Tells how many bytes gpusched_bubble_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_image_size(const struct gpusched_bubble *bubble, size_t *size);

// Saves the whole state.
//
// @param bubble    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_save(const struct gpusched_bubble *bubble, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_bubble_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_bubble_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_bubble_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param bubble      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_bubble_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_bubble_restore(struct gpusched_bubble *bubble,
                                        const void *image,
                                        size_t image_size);

// One SMX: P-state, what is under way, bubbles, energy.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_bubble_get_smx(const struct gpusched_bubble *bubble,
                                        uint32_t smx,
                                        struct gpusched_bubble_smx *view);

// Fills a configuration with the values of the source, those of Apogee_4: four warps of 32.
//
// @param config  Written.
// @param size    sizeof(gpusched_apogee_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_apogee_config_init(struct gpusched_apogee_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_apogee_config_check(const struct gpusched_apogee_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_apogee_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_apogee_storage_bits(const struct gpusched_apogee_config *config,
                                             struct gpusched_apogee_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_apogee_layout(const struct gpusched_apogee_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_apogee_layout says.
// @param size     At least what gpusched_apogee_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param apogee   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_apogee_init(void *storage,
                                     size_t size,
                                     const struct gpusched_apogee_config *config,
                                     struct gpusched_apogee **apogee);

// The head of the prefetch queue, if it is ready. The host looks the line up, and answers with gpusched_apogee_pf_reply.
//
// @param apogee   The machine.
// @param now      The cycle, not before that of the last load or pop.
// @param request  Receives a line to be prefetched, if there is one.
// @param popped   Receives 1 if there is one, else 0.
// @return TimeOverflow, TimeBackwards, ReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_pf_pop(struct gpusched_apogee *apogee,
                                       uint64_t now,
                                       struct gpusched_apogee_request *request,
                                       uint32_t *popped);

// What became of the request that was popped: sent to memory, or not, because the line is present or already on its way. Whether
// it is stale: its row was displaced.
//
// @param apogee  The machine.
// @param sent    Not 0: it was sent to memory. 0: the line is present or already on its way.
// @param stale   Receives 1 if its row was displaced meanwhile, else 0. May be null.
// @return NoReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_pf_reply(struct gpusched_apogee *apogee,
                                         uint32_t sent,
                                         uint32_t *stale);

// A request that was sent has come back. Whether it is stale: its row was displaced, or freed by a flush.
//
// @param apogee      The machine.
// @param entry       The request's row.
// @param generation  The request's generation.
// @param warp        The request's warp.
// @param stale       Receives 1 if the row was displaced or flushed meanwhile, else 0. May be null.
// @return BadEntry, BadWarp; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_pf_fill(struct gpusched_apogee *apogee,
                                        uint32_t entry,
                                        uint32_t generation,
                                        uint32_t warp,
                                        uint32_t *stale);

// The SM has n threads from now on: warps have started or ended.
//
// @param apogee  The machine.
// @param n       1 to 65535.
// @return BadThreads unless 1 <= n <= 65535; those of the object.
gpusched_status gpusched_apogee_set_threads(struct gpusched_apogee *apogee, uint32_t n);

// A kernel ends: frees all rows, empties queue and last accessed loads. Generations, n and the time go on. How many requests
// waited.
//
// @param apogee   The machine.
// @param dropped  Receives how many requests waited. May be null.
// @return ReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_flush(struct gpusched_apogee *apogee,
                                      uint32_t *dropped);

// The configuration.
//
// @param size  sizeof(gpusched_apogee_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_apogee_get_config(const struct gpusched_apogee *apogee,
                                           struct gpusched_apogee_config *config,
                                           size_t size);

// The time of the last load or pop.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_now(const struct gpusched_apogee *apogee, uint64_t *cycle);

// The cycle from which the head of the prefetch queue can be popped. GPUSCHED_NEVER if nothing waits.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_next_event(const struct gpusched_apogee *apogee, uint64_t *cycle);

// A row of the prefetch table; BadEntry if there is no such row.
//
// @return BadEntry; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_get_row(const struct gpusched_apogee *apogee,
                                        uint32_t entry,
                                        struct gpusched_apogee_row *row);

// The prefetch queue, the oldest request first.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_queue(const struct gpusched_apogee *apogee,
                                      struct gpusched_apogee_waiting *waiting,
                                      size_t capacity,
                                      size_t *count);

// The request that was popped and not answered yet.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_unanswered(const struct gpusched_apogee *apogee,
                                           struct gpusched_apogee_request *request,
                                           uint32_t *pending);

// The last accessed load of a warp; with one register for all warps, that one. BadWarp if there is no such warp.
//
// @return BadWarp; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_get_last_load(const struct gpusched_apogee *apogee,
                                              uint32_t warp,
                                              struct gpusched_apogee_last_load *last);

// n: threads of the SM.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_threads(const struct gpusched_apogee *apogee, uint32_t *n);

// Tells how many bytes gpusched_apogee_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_image_size(const struct gpusched_apogee *apogee, size_t *size);

// Saves the whole state.
//
// @param apogee    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_apogee_save(const struct gpusched_apogee *apogee, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_apogee_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_apogee_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_apogee_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param apogee      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_apogee_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_apogee_restore(struct gpusched_apogee *apogee,
                                        const void *image,
                                        size_t image_size);

// A warp has loaded.
//
// @param apogee  The machine.
// @param now     The cycle, not before that of the last load or pop.
// @param access  The load.
// @param loaded  Receives what was found and decided.
// @param lists   Where its lists go. May be null; their lengths are in `loaded` anyhow.
// @return TimeOverflow, TimeBackwards, BadWarp, PcRange, NoActiveLanes, BadLanes, AddressRange, BadResult; Null, Misaligned, Capacity;
// those of the object.
gpusched_status gpusched_apogee_load(struct gpusched_apogee *apogee,
                                     uint64_t now,
                                     const struct gpusched_apogee_access *access,
                                     struct gpusched_apogee_loaded *loaded,
                                     const struct gpusched_apogee_lists *lists);

// Tells the memory that a graph and its description need: about 30 bytes per TB and 4 per dependency.
//
// @param grid       The grid, in TBs: at most 65535.
// @param max_edges  The most dependencies that can be named, at most 2^31-1. One that is named twice counts once.
// @param layout     Written.
// @return EmptyGrid, TooManyNodes, TooManyEdges; Null, Misaligned; Capacity: more than an address can tell.
gpusched_status gpusched_graph_builder_layout(const struct gpusched_dim3 *grid,
                                              uint32_t max_edges,
                                              struct gpusched_layout *layout);

// Begins a graph in memory of the caller, with TB 0. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the builder, or the graph that becomes of it, is
// used. Its former content does not matter.
//
// @param storage    size bytes, aligned as gpusched_graph_builder_layout says.
// @param size       At least what gpusched_graph_builder_layout says.
// @param grid       As of gpusched_graph_builder_layout; not needed after the call.
// @param max_edges  As of gpusched_graph_builder_layout.
// @param builder    Receives the object, which is where storage is.
// @return EmptyGrid, TooManyNodes, TooManyEdges; Null, Misaligned, Capacity, StorageTooSmall.
gpusched_status gpusched_graph_builder_init(void *storage,
                                            size_t size,
                                            const struct gpusched_dim3 *grid,
                                            uint32_t max_edges,
                                            struct gpusched_graph_builder **builder);

// Tells the coordinates of the TB whose turn it is.
//
// @return GraphComplete: every TB has had its turn; Null, Misaligned; those of the object.
gpusched_status gpusched_graph_builder_block(const struct gpusched_graph_builder *builder, struct gpusched_dim3 *block);

// Tells the linear index of the TB whose turn it is, x + grid.x * (y + grid.y * z).
//
// @return GraphComplete: every TB has had its turn; Null, Misaligned; those of the object.
gpusched_status gpusched_graph_builder_tb(const struct gpusched_graph_builder *builder, uint32_t *tb);

// The TB whose turn it is cannot start before the one at these coordinates has ended. What lies outside the grid is nothing, also
// what an unsigned 0 - 1 gives; a parent that was named before is the same parent.
//
// @return GraphComplete; SelfDependency: that is the TB itself; EdgeStorageFull; those of the object.
gpusched_status gpusched_graph_builder_add_dependency(struct gpusched_graph_builder *builder,
                                                      int64_t x,
                                                      int64_t y,
                                                      int64_t z);

// A barrier: if the TB whose turn it is lies in `after`, it needs every TB of `before`. Both are ranges of linear indices, from the
// first to the one behind the last.
//
// @return GraphComplete, SelfDependency, EdgeStorageFull: dependencies before the one that is refused stay; those of the object.
gpusched_status gpusched_graph_builder_barrier(struct gpusched_graph_builder *builder,
                                               uint32_t before,
                                               uint32_t before_end,
                                               uint32_t after,
                                               uint32_t after_end);

// Asks for an order of dispatch. Without any it is LRR.
//
// @param builder  The builder.
// @param policy   A gpusched_graph_policy.
// @param bound    LVL: the greatest distance, 0 to 65535.
// @return GraphComplete; BadGraphPolicy; PolicyConflict: another one was asked for before; those of the object.
gpusched_status gpusched_graph_builder_set_policy(struct gpusched_graph_builder *builder,
                                                  uint32_t policy,
                                                  uint32_t bound);

// Goes on to the next TB.
//
// @return GraphComplete; those of the object.
gpusched_status gpusched_graph_builder_advance(struct gpusched_graph_builder *builder);

// Makes the graph. TBs that have not had their turn have no parents. The builder is used up, whatever the result: GraphComplete is
// what it says from then on.
//
// @param builder  The builder.
// @param graph    Receives where the graph is: in the builder's storage, as long as that is kept.
// @param error    If the status is Cycle, receives the TB. May be null.
// @return GraphComplete: it has finished before; Cycle: the dependencies go round in a circle; Null, Misaligned; those of the object.
gpusched_status gpusched_graph_builder_finish(struct gpusched_graph_builder *builder,
                                              struct gpusched_graph *graph,
                                              struct gpusched_graph_error *error);

// Fills a configuration with a preset.
//
// @param config  Written.
// @param size    sizeof(gpusched_dgb_config) in the caller's header.
// @param preset  A gpusched_dgb_preset.
// @return Null, Misaligned, BadStructSize; BadEnum: no such preset.
gpusched_status gpusched_dgb_config_init(struct gpusched_dgb_config *config, size_t size, uint32_t preset);

// Says whether every value is in its range, and right beside the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_dgb_config_check(const struct gpusched_dgb_config *config, struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_dgb_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells, before a launch, whether a graph can deadlock the buffer, in O(v + e). It is for graphs as a builder makes them: of another
// one it may say something wrong, nothing worse.
//
// @param config     An initialised configuration.
// @param nodes      The node array: v entries.
// @param v          Their number, at most 65535.
// @param edges      The edge array: e entries.
// @param e          Their number, at most 2^31-1.
// @param scratch    v counters for the way, whatever they hold.
// @param admission  Receives a gpusched_admission.
// @param node       Receives the node that it is about; GPUSCHED_NONE if the graph is safe. May be null.
// @return BadConfig, TooManyNodes, TooManyEdges; Null, Misaligned, BadStructSize, WrongVersion, Capacity.
gpusched_status gpusched_admit(const struct gpusched_dgb_config *config,
                               const uint64_t *nodes,
                               uint32_t v,
                               const uint16_t *edges,
                               uint32_t e,
                               uint32_t *scratch,
                               uint32_t *admission,
                               uint32_t *node);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_dgb_layout(const struct gpusched_dgb_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, without a graph. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_dgb_layout says.
// @param size     At least what gpusched_dgb_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param dgb      Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_dgb_init(void *storage,
                                  size_t size,
                                  const struct gpusched_dgb_config *config,
                                  struct gpusched_dgb **dgb);

// Tells what the buffer would cost in hardware.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_dgb_storage_bits(const struct gpusched_dgb_config *config,
                                          struct gpusched_dgb_storage *storage);

// Starts a graph.
//
// @param dgb    The buffer.
// @param kde    The kernel's entry, 0 to 255: opaque, and told back with each dispatch.
// @param graph  Read.
// @param error  If the buffer refuses, receives the details. May be null.
// @return BadKde, BadGraphPolicy; GraphFault, Busy, EmptyGraph, TooManyNodes, TooManyEdges, MisalignedArray, AddressOverflow; Null,
// Misaligned; those of the object.
gpusched_status gpusched_dgb_launch(struct gpusched_dgb *dgb,
                                    uint32_t kde,
                                    const struct gpusched_graph_header *graph,
                                    struct gpusched_graph_error *error);

// Tells the next memory request, if one is due: call it until none is. At most one of each kind is in flight.
//
// @param dgb      The buffer.
// @param request  Receives the request.
// @param error    If the buffer refuses, receives the details. May be null.
// @return GraphFault; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_poll(struct gpusched_dgb *dgb,
                                  struct gpusched_graph_request *request,
                                  struct gpusched_graph_error *error);

// Memory answers a request for nodes.
//
// @param dgb      The buffer.
// @param tag      That of the request.
// @param entries  count entries of the node array.
// @param count    As many as were asked for.
// @param report   Receives what it set in motion. May be null.
// @param error    If the buffer refuses, receives the details. May be null.
// @return GraphFault; StaleTag; BadLength, BadGraph: the request is still in flight; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_dgb_nodes(struct gpusched_dgb *dgb,
                                   uint32_t tag,
                                   const uint64_t *entries,
                                   size_t count,
                                   struct gpusched_graph_report *report,
                                   struct gpusched_graph_error *error);

// Memory answers a request for edges.
//
// @param dgb      The buffer.
// @param tag      That of the request.
// @param targets  count entries of the edge array.
// @param count    As many as were asked for.
// @param report   Receives what it set in motion. May be null.
// @param error    If the buffer refuses, receives the details. May be null.
// @return GraphFault; StaleTag; BadLength, BadEdge: the request is still in flight; Null, Misaligned, Capacity; those of the object.
gpusched_status gpusched_dgb_edges(struct gpusched_dgb *dgb,
                                   uint32_t tag,
                                   const uint16_t *targets,
                                   size_t count,
                                   struct gpusched_graph_report *report,
                                   struct gpusched_graph_error *error);

// Memory has carried out a decrement.
//
// @param dgb     The buffer.
// @param tag     That of the request.
// @param report  Receives what it set in motion. May be null.
// @param error   If the buffer refuses, receives the details. May be null.
// @return GraphFault, StaleTag; Misaligned; those of the object.
gpusched_status gpusched_dgb_spilled(struct gpusched_dgb *dgb,
                                     uint32_t tag,
                                     struct gpusched_graph_report *report,
                                     struct gpusched_graph_error *error);

// Dispatches the next node to one of the SMXs that have room for it, or says why not. The hardware issues one TB per cycle, so a host
// calls this once per cycle.
//
// @param dgb        The buffer.
// @param fits       The SMXs that have room for one more TB.
// @param selection  Receives what it decided.
// @param error      If the buffer refuses, receives the details. May be null.
// @return GraphFault, NotLaunched, BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_select(struct gpusched_dgb *dgb,
                                    const struct gpusched_smx_set *fits,
                                    struct gpusched_dgb_selection *selection,
                                    struct gpusched_graph_error *error);

// The TB of a node has ended. It has left its SMX, whether or not the node can be final now.
//
// @param dgb     The buffer.
// @param node    The node.
// @param report  Receives what it set in motion. May be null.
// @param error   If the buffer refuses, receives the details. May be null.
// @return GraphFault, NotLaunched, NotRunning; Misaligned; those of the object.
gpusched_status gpusched_dgb_complete(struct gpusched_dgb *dgb,
                                      uint32_t node,
                                      struct gpusched_graph_report *report,
                                      struct gpusched_graph_error *error);

// Gives the graph up, in any state: a fault is cleared, and late answers meet StaleTag.
//
// @param dgb        The buffer.
// @param executing  Receives how many of its TBs still run; the host has to reap them. May be null.
// @return Misaligned; those of the object.
gpusched_status gpusched_dgb_abort(struct gpusched_dgb *dgb, uint32_t *executing);

// The configuration.
//
// @param size  sizeof(gpusched_dgb_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_dgb_get_config(const struct gpusched_dgb *dgb,
                                        struct gpusched_dgb_config *config,
                                        size_t size);

// What the buffer is doing, and where the window stands. After a fault only the fault has a meaning.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_get_state(const struct gpusched_dgb *dgb, struct gpusched_dgb_state *state);

// The graph that was launched last.
//
// @return NotLaunched: there was none, or it was aborted; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_get_graph(const struct gpusched_dgb *dgb, struct gpusched_graph_header *graph);

// Statistics of the graph that was launched last.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_get_stats(const struct gpusched_dgb *dgb, struct gpusched_dgb_stats *stats);

// Nodes in the window, by VID: `tail` and so on.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_resident(const struct gpusched_dgb *dgb,
                                      struct gpusched_dgb_node *nodes,
                                      size_t capacity,
                                      size_t *count);

// Edges on chip, by their index in the edge array: `tail_edge` and so on. Edge i is in slot i modulo lea.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_resident_edges(const struct gpusched_dgb *dgb,
                                            uint16_t *targets,
                                            size_t capacity,
                                            size_t *count);

// The pending update buffer: nodes beyond the window that lost a parent, oldest entry first.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_pending_updates(const struct gpusched_dgb *dgb,
                                             uint16_t *nodes,
                                             size_t capacity,
                                             size_t *count);

// The node insertion buffer: entries of the node array that wait for room in the window, by VID: `head` and so on.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_landed(const struct gpusched_dgb *dgb, uint64_t *entries, size_t capacity, size_t *count);

// Tells how many bytes gpusched_dgb_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_image_size(const struct gpusched_dgb *dgb, size_t *size);

// Saves the whole state. The graph itself is the host's.
//
// @param dgb       The buffer.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_save(const struct gpusched_dgb *dgb, void *image, size_t capacity, size_t *size);

// Tells the configuration of the buffer that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_dgb_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_dgb_image_config(const void *image,
                                          size_t image_size,
                                          struct gpusched_dgb_config *config,
                                          size_t config_size);

// Makes a buffer what the saved one was; it goes on exactly there.
//
// @param dgb         An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_dgb_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_dgb_restore(struct gpusched_dgb *dgb,
                                     const void *image,
                                     size_t image_size);

// Fills a configuration with the values of the source, those of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_equalizer_sm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_equalizer_sm_config_init(struct gpusched_equalizer_sm_config *config, size_t size);

// Says whether every value is in its range, and right beside the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_equalizer_sm_config_check(const struct gpusched_equalizer_sm_config *config,
                                                   struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_equalizer_sm_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_equalizer_sm_layout(const struct gpusched_equalizer_sm_config *config,
                                             struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and without a kernel. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_equalizer_sm_layout says.
// @param size     At least what gpusched_equalizer_sm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param sm       Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
gpusched_status gpusched_equalizer_sm_init(void *storage,
                                           size_t size,
                                           const struct gpusched_equalizer_sm_config *config,
                                           struct gpusched_equalizer_sm **sm);

// Tells what the machine would cost in hardware.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_equalizer_sm_storage_bits(const struct gpusched_equalizer_sm_config *config,
                                                   struct gpusched_equalizer_sm_storage *storage);

// A kernel starts. `limit` of its blocks may run at first, or with `keep` as many as of the kernel before.
//
// @param sm        The machine.
// @param now       The cycle, not before that of the last call.
// @param w_cta     Warps of a block.
// @param limit     Blocks that the SM's resources hold.
// @param keep      Not 0: the target of the kernel before is kept.
// @param target    Receives how many blocks may run.
// @param requests  Receives how many blocks are to be asked of the work distributor.
// @return TimeOverflow, TimeBackwards, SampleMissed, Busy, BadKernel; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_kernel_start(struct gpusched_equalizer_sm *sm,
                                                   uint64_t now,
                                                   uint32_t w_cta,
                                                   uint32_t limit,
                                                   uint32_t keep,
                                                   uint32_t *target,
                                                   uint32_t *requests);

// The work distributor's answer to a request: this block.
//
// @param sm      The machine.
// @param now     The cycle, not before that of the last call.
// @param block   The host's number for it; no resident block has it.
// @param slot    Receives where it is.
// @param change  Receives what follows. The block itself may be paused at once.
// @return TimeOverflow, TimeBackwards, SampleMissed, UnsolicitedGrant, DuplicateBlock; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_grant(struct gpusched_equalizer_sm *sm,
                                            uint64_t now,
                                            uint64_t block,
                                            uint32_t *slot,
                                            struct gpusched_equalizer_change *change);

// The work distributor's answer to a request: it has no block. Nothing more is asked for before gpusched_equalizer_sm_refill.
//
// @param sm      The machine.
// @param now     The cycle, not before that of the last call.
// @param change  Receives what follows.
// @return TimeOverflow, TimeBackwards, SampleMissed, UnsolicitedDeny; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_deny(struct gpusched_equalizer_sm *sm,
                                           uint64_t now,
                                           struct gpusched_equalizer_change *change);

// The work distributor has blocks again.
//
// @param sm      The machine.
// @param now     The cycle, not before that of the last call.
// @param change  Receives what follows.
// @return TimeOverflow, TimeBackwards, SampleMissed, NoKernel; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_refill(struct gpusched_equalizer_sm *sm,
                                             uint64_t now,
                                             struct gpusched_equalizer_change *change);

// The block in a slot has ended, running or paused.
//
// @param sm      The machine.
// @param now     The cycle, not before that of the last call.
// @param slot    Where it was.
// @param block   Receives the number under which it was granted.
// @param change  Receives what follows.
// @return TimeOverflow, TimeBackwards, SampleMissed, BadSlot, SlotEmpty; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_block_end(struct gpusched_equalizer_sm *sm,
                                                uint64_t now,
                                                uint32_t slot,
                                                uint64_t *block,
                                                struct gpusched_equalizer_change *change);

// A sample, exactly at the cycle that gpusched_equalizer_sm_next_sample tells, also on an idle SM. The one at a multiple of
// epoch_cycles ends the epoch.
//
// @param sm      The machine.
// @param now     The cycle.
// @param counts  The warps.
// @param epoch   Receives what it led to.
// @return TimeOverflow, TimeBackwards, SampleMissed, NotDue, BadSample, NoKernel; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_sample(struct gpusched_equalizer_sm *sm,
                                             uint64_t now,
                                             const struct gpusched_equalizer_counts *counts,
                                             struct gpusched_equalizer_epoch *epoch);

// What the user wants from the next decision on.
//
// @param sm         The machine.
// @param now        The cycle, not before that of the last call.
// @param objective  gpusched_equalizer_objective.
// @return TimeOverflow, TimeBackwards, SampleMissed, BadObjective; those of the object.
gpusched_status gpusched_equalizer_sm_set_objective(struct gpusched_equalizer_sm *sm, uint64_t now, uint32_t objective);

// Gives up the epoch in progress after a missed sample.
//
// @param sm           The machine.
// @param now          The cycle, not before that of the last call.
// @param next_sample  Receives when the next sample is due.
// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_resync(struct gpusched_equalizer_sm *sm, uint64_t now, uint64_t *next_sample);

// The class of a warp, by the machine's configuration. Changes nothing.
//
// @param sm          The machine.
// @param warp        The warp.
// @param classified  Written.
// @return BadEnum: `kind` is none; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_classify(const struct gpusched_equalizer_sm *sm,
                                               const struct gpusched_equalizer_warp *warp,
                                               struct gpusched_equalizer_classified *classified);

// Algorithm 1 on the sums of an epoch, by the machine's configuration. Changes nothing.
//
// @param sm        The machine.
// @param sums      The sums.
// @param samples   Samples that they are made of.
// @param w_cta     Warps of a block.
// @param decision  Written.
// @return BadSample: no sample; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_decide(const struct gpusched_equalizer_sm *sm,
                                             const struct gpusched_equalizer_counts *sums,
                                             uint32_t samples,
                                             uint32_t w_cta,
                                             struct gpusched_equalizer_decision *decision);

// The configuration.
//
// @param size  sizeof(gpusched_equalizer_sm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_equalizer_sm_get_config(const struct gpusched_equalizer_sm *sm,
                                                 struct gpusched_equalizer_sm_config *config,
                                                 size_t size);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_now(const struct gpusched_equalizer_sm *sm, uint64_t *cycle);

// When the next sample is due: the machine's next event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_next_sample(const struct gpusched_equalizer_sm *sm, uint64_t *cycle);

// What the machine holds.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_get_state(const struct gpusched_equalizer_sm *sm,
                                                struct gpusched_equalizer_sm_state *state);

// The block in a slot.
//
// @return BadSlot, SlotEmpty; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_get_block(const struct gpusched_equalizer_sm *sm,
                                                uint32_t slot,
                                                struct gpusched_equalizer_block *block);

// Tells how many bytes gpusched_equalizer_sm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_image_size(const struct gpusched_equalizer_sm *sm, size_t *size);

// Saves the whole state.
//
// @param sm        The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_sm_save(const struct gpusched_equalizer_sm *sm,
                                           void *image,
                                           size_t capacity,
                                           size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_equalizer_sm_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_equalizer_sm_image_config(const void *image,
                                                   size_t image_size,
                                                   struct gpusched_equalizer_sm_config *config,
                                                   size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param sm          An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_equalizer_sm_init. Null,
// Capacity; those of the object.
gpusched_status gpusched_equalizer_sm_restore(struct gpusched_equalizer_sm *sm,
                                              const void *image,
                                              size_t image_size);

// Fills a configuration with the values of the source, those of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_equalizer_fm_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_equalizer_fm_config_init(struct gpusched_equalizer_fm_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_equalizer_fm_config_check(const struct gpusched_equalizer_fm_config *config,
                                                   struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_equalizer_fm_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_equalizer_fm_layout(const struct gpusched_equalizer_fm_config *config,
                                             struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0, with both domains normal and all SMs enabled. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_equalizer_fm_layout says.
// @param size     At least what gpusched_equalizer_fm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param fm       Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
gpusched_status gpusched_equalizer_fm_init(void *storage,
                                           size_t size,
                                           const struct gpusched_equalizer_fm_config *config,
                                           struct gpusched_equalizer_fm **fm);

// Tells what the machine would cost in hardware.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_equalizer_fm_storage_bits(const struct gpusched_equalizer_fm_config *config,
                                                   struct gpusched_equalizer_fm_storage *storage);

// An SM's vote of this round. The last vote resolves the round.
//
// @param fm        The frequency manager.
// @param now       The cycle, not before that of the last call.
// @param sm        The SM.
// @param sm_vote   For the SMs: -1, 0 or 1.
// @param mem_vote  For the memory: -1, 0 or 1.
// @param round     Receives what it led to.
// @return TimeOverflow, TimeBackwards, BadSm, NotEnabled, BadVote, AlreadyVoted; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_vote(struct gpusched_equalizer_fm *fm,
                                           uint64_t now,
                                           uint32_t sm,
                                           int32_t sm_vote,
                                           int32_t mem_vote,
                                           struct gpusched_equalizer_round *round);

// Resolves the round; an SM that did not vote is for no step.
//
// @param fm     The frequency manager.
// @param now    The cycle, not before that of the last call.
// @param round  Receives what it led to.
// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_close(struct gpusched_equalizer_fm *fm,
                                            uint64_t now,
                                            struct gpusched_equalizer_round *round);

// Whether an SM votes: one that hangs or has no power would keep a round open.
//
// @param fm   The frequency manager.
// @param now  The cycle, not before that of the last call.
// @param sm   The SM.
// @param on   0: it does not vote.
// @return TimeOverflow, TimeBackwards, BadSm, RoundOpen; those of the object.
gpusched_status gpusched_equalizer_fm_enable(struct gpusched_equalizer_fm *fm, uint64_t now, uint32_t sm, uint32_t on);

// The levels at this time.
//
// @param fm      The frequency manager.
// @param now     The cycle, not before that of the last call.
// @param levels  Written.
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

// When the earliest step under way is done: the machine's next event. GPUSCHED_NEVER if none is under way.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_next_event(const struct gpusched_equalizer_fm *fm, uint64_t *cycle);

// What the frequency manager holds.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_get_state(const struct gpusched_equalizer_fm *fm,
                                                struct gpusched_equalizer_fm_state *state);

// Tells how many bytes gpusched_equalizer_fm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_equalizer_fm_image_size(const struct gpusched_equalizer_fm *fm, size_t *size);

// Saves the whole state.
//
// @param fm        The machine.
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
// @param fm          An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_equalizer_fm_init. Null,
// Capacity; those of the object.
gpusched_status gpusched_equalizer_fm_restore(struct gpusched_equalizer_fm *fm,
                                              const void *image,
                                              size_t image_size);

// Fills a configuration with the values of the source.
//
// @param config  Written.
// @param size    sizeof(gpusched_mascar_config) in the caller's header.
// @param preset  gpusched_mascar_preset.
// @return Null, Misaligned, BadStructSize; BadIndex: no such preset.
gpusched_status gpusched_mascar_config_init(struct gpusched_mascar_config *config, size_t size, uint32_t preset);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_mascar_config_check(const struct gpusched_mascar_config *config,
                                             struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_mascar_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_mascar_storage_bits(const struct gpusched_mascar_config *config,
                                             struct gpusched_mascar_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_mascar_layout(const struct gpusched_mascar_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_mascar_layout says.
// @param size     At least what gpusched_mascar_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param mascar   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_mascar_init(void *storage,
                                     size_t size,
                                     const struct gpusched_mascar_config *config,
                                     struct gpusched_mascar **mascar);

// A warp starts. Its age: how many started before it.
//
// @param mascar  The machine.
// @param w       The warp.
// @param age     Receives how many started before it. May be null.
// @return BadWarp, WarpResident; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_warp_start(struct gpusched_mascar *mascar, uint32_t w, uint64_t *age);

// A warp exits. Whether it was the owner, and is no longer.
//
// @param mascar    The machine.
// @param w         The warp.
// @param released  Receives 1 if it was the owner, and is no longer; else 0. May be null.
// @return BadWarp, WarpNotResident; WarpHasRequests while it has requests in the queue or is in the LSU: the host keeps it, with
// head none, until they are accepted; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_warp_exit(struct gpusched_mascar *mascar,
                                          uint32_t w,
                                          uint32_t *released);

// What is at the head of a warp's instruction buffer now; the same again changes nothing. ready: its operands are available.
// dep_load: one of them is the result of an outstanding long-latency load of this warp.
//
// @param mascar    The machine.
// @param w         The warp.
// @param kind      gpusched_mascar_kind.
// @param ready     Not 0: the operands are available.
// @param dep_load  Not 0: an operand is the result of an outstanding long-latency load of this warp.
// @return BadWarp, WarpNotResident; BadHead for no kind, an instruction that is both, or something else that is either; those of
// the object.
gpusched_status gpusched_mascar_set_head(struct gpusched_mascar *mascar,
                                         uint32_t w,
                                         uint32_t kind,
                                         uint32_t ready,
                                         uint32_t dep_load);

// The memory instruction that warp w just issued has nreq coalesced requests, 0 if no thread is active, and destination dst, STORE
// for a store.
//
// @param mascar  The machine.
// @param w       The warp.
// @param nreq    Its coalesced requests; 0 if no thread is active.
// @param dst     Its destination register, below 127; GPUSCHED_MASCAR_STORE for a store.
// @return LsuNotAwaiting, WrongWarp, BadCount for more requests than threads, BadRegister; those of the object.
gpusched_status gpusched_mascar_lsu_begin(struct gpusched_mascar *mascar,
                                          uint32_t w,
                                          uint32_t nreq,
                                          uint32_t dst);

// The request to present to the L1 now, at most one per port and cycle. gpusched_mascar_lsu_reply is due then, unless it is none.
//
// @param mascar  The machine.
// @param next    Receives the request to present to the L1 now.
// @return ReplyPending; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_lsu_next(struct gpusched_mascar *mascar,
                                         struct gpusched_mascar_next *next);

// The L1's answer to the presented request. room: it could allocate what the request needs. request describes one that came from
// New, and is kept if that is refused; else it is ignored.
//
// @param mascar   The machine.
// @param result   gpusched_mascar_lookup.
// @param room     Not 0: the L1 could allocate what the request needs.
// @param request  A request that is NEW, kept if it is refused; else ignored, and may be null.
// @param reply    Receives the answer to the L1's answer.
// @return NoReplyPending; BadReply for no look-up; BadRequest for a new request without description or threads, or with threads or
// offsets beyond warp_size; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_lsu_reply(struct gpusched_mascar *mascar,
                                          uint32_t result,
                                          uint32_t room,
                                          const struct gpusched_mascar_request *request,
                                          struct gpusched_mascar_reply *reply);

// One cycle. lsu_accept: the LSU can take an instruction; bit s of comp_accept: scheduler s may issue to a compute pipe, every one
// if it is GPUSCHED_NONE. The head of each warp that issues is none from here to its next gpusched_mascar_set_head; a memory issue
// is followed by gpusched_mascar_lsu_begin.
//
// @param mascar       The machine.
// @param now          The cycle, below 2^63, later than that of the last pick.
// @param lsu_accept   Not 0: the LSU can take an instruction.
// @param comp_accept  Bit s: scheduler s may issue to a compute pipe; GPUSCHED_MASCAR_ALL: each may.
// @param decision     Receives what a cycle issues.
// @return TimeOverflow from cycle 2^63 on, TimeBackwards unless this is later than the last pick, BadMask for a scheduler that is
// not there; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_pick(struct gpusched_mascar *mascar,
                                     uint64_t now,
                                     uint32_t lsu_accept,
                                     uint32_t comp_accept,
                                     struct gpusched_mascar_decision *decision);

// The occupancy of cache src of the configuration's gpusched_mascar_sources: taken MSHRs and places of the miss queue. The mode
// follows at once.
//
// @param mascar      The machine.
// @param src         The cache, from 0, as in the configuration.
// @param mshr        Taken MSHRs.
// @param missq       Taken places of the miss queue.
// @param saturation  Receives how saturated the memory system is. May be null.
// @return BadSource; BadOccupancy if more is taken than the cache has; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_l1_state(struct gpusched_mascar *mascar,
                                         uint32_t src,
                                         uint32_t mshr,
                                         uint32_t missq,
                                         struct gpusched_mascar_saturation *saturation);

// The configuration.
//
// @param size  sizeof(gpusched_mascar_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_mascar_get_config(const struct gpusched_mascar *mascar,
                                           struct gpusched_mascar_config *config,
                                           size_t size);

// A resident warp; WarpNotResident if it is not resident.
//
// @return BadWarp; WarpNotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_get_warp(const struct gpusched_mascar *mascar,
                                         uint32_t w,
                                         struct gpusched_mascar_warp *warp);

// The resident warps, oldest first.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_by_age(const struct gpusched_mascar *mascar,
                                       uint32_t *warps,
                                       size_t capacity,
                                       size_t *count);

// An entry of the re-execution queue; 0 is its head.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_get_rexq(const struct gpusched_mascar *mascar,
                                         uint32_t index,
                                         struct gpusched_mascar_entry *entry);

// The first cycle in which a pick or a presentation may do something, if no event comes before it; GPUSCHED_NEVER if none will.
// That is the next one while there is an instruction or a request in the LSU or the queue, a warp that may issue, or an owner that
// gives up; else the end of the owner's time, if others wait. Cycles before it can be left out.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_next_event(const struct gpusched_mascar *mascar,
                                           uint64_t *cycle);

// Tells how many bytes gpusched_mascar_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_image_size(const struct gpusched_mascar *mascar, size_t *size);

// Saves the whole state.
//
// @param mascar    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_save(const struct gpusched_mascar *mascar, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_mascar_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_mascar_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_mascar_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param mascar      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_mascar_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_mascar_restore(struct gpusched_mascar *mascar,
                                        const void *image,
                                        size_t image_size);

// Tells a numeric parameter of a cache: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_mascar_cache_parameter(uint32_t index, struct gpusched_parameter *parameter);

// What can be seen of the machine.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_mascar_get_state(const struct gpusched_mascar *mascar, struct gpusched_mascar_state *state);

// Fills a configuration with a warp of 32 lanes, with a stack that cannot overflow.
//
// @param config  Written.
// @param size    sizeof(gpusched_stack_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_stack_config_init(struct gpusched_stack_config *config, size_t size);

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

// Fills a configuration with the values of an SM of a GTX 480.
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

// Fills a configuration with the values of the source, those of a GTX 480.
//
// @param config  Written.
// @param size    sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_tlp_config_init(struct gpusched_tlp_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_tlp_config_check(const struct gpusched_tlp_config *config, struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_tlp_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_storage_bits(const struct gpusched_tlp_config *config,
                                          struct gpusched_tlp_storage *storage);

// The type of a kernel whose speed is profile[n - 1] with n TBs per SM: any measure, the more the better.
//
// @param config    An initialised configuration.
// @param profile   How fast the kernel is alone with 1, 2, ... TBs per SM: any measure, the more the better.
// @param count     Their number.
// @param category  Receives type of a kernel, and the TLP with which it runs best.
// @return BadProfile: none or more than 32 values; Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_categorise(const struct gpusched_tlp_config *config,
                                        const uint64_t *profile,
                                        size_t count,
                                        struct gpusched_tlp_category *category);

// How many TBs of a kernel an empty SM holds.
//
// @param config  An initialised configuration.
// @param kernel  The kernel.
// @param most    Receives how many.
// @return BadKernel; Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_max(const struct gpusched_tlp_config *config,
                                 const struct gpusched_tlp_kernel *kernel,
                                 uint32_t *most);

// How many TBs of a kernel fit beside n of another.
//
// @param config  An initialised configuration.
// @param kernel  The kernel.
// @param other   The other one.
// @param n       Its TBs.
// @param room    Receives how many.
// @return BadKernel; Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_remain(const struct gpusched_tlp_config *config,
                                    const struct gpusched_tlp_kernel *kernel,
                                    const struct gpusched_tlp_kernel *other,
                                    uint32_t n,
                                    uint32_t *room);

// Targets for kernels 0 and 1, of which first is the older.
//
// @param config   An initialised configuration.
// @param k0       Kernel 0.
// @param k1       Kernel 1.
// @param first    The older of them, 0 or 1.
// @param targets  Receives targets of two kernels.
// @return In this order: BadKernel; BadArg unless first is 0 or 1; KernelTooBig; Null, Misaligned; BadConfig, BadStructSize,
// WrongVersion.
gpusched_status gpusched_tlp_static(const struct gpusched_tlp_config *config,
                                    const struct gpusched_tlp_kernel *k0,
                                    const struct gpusched_tlp_kernel *k1,
                                    uint32_t first,
                                    struct gpusched_tlp_targets *targets);

// What a kernel leans on that keeps the pipelines busy for so many cycles: compute if the utilisation of SP is not the lower one.
//
// @return Null, Misaligned; BadConfig, BadStructSize, WrongVersion.
gpusched_status gpusched_tlp_pref_of(const struct gpusched_tlp_config *config,
                                     uint64_t sp,
                                     uint64_t ldst,
                                     uint32_t *pref);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_sm_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_sm_layout says.
// @param size     At least what gpusched_tlp_sm_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param sm   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_tlp_sm_init(void *storage,
                                     size_t size,
                                     const struct gpusched_tlp_config *config,
                                     struct gpusched_tlp_sm **sm);

// Kernel 0 or 1 comes to the SM. TBs that are resident stay; those above their target drain.
//
// @param sm        The machine.
// @param now       The cycle, not before that of the last call.
// @param k         0 or 1.
// @param kernel    The kernel.
// @param attached  Receives who shares the SM once a kernel has come.
// @return In this order: BadArg, TimeRegress, SlotBusy, BadKernel, KernelTooBig; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_attach(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       uint32_t k,
                                       const struct gpusched_tlp_kernel *kernel,
                                       struct gpusched_tlp_attached *attached);

// Kernel 0 or 1 will send no more TBs here, and none is resident. The other one has the SM for itself.
//
// @param sm        The machine.
// @param now       The cycle, not before that of the last call.
// @param k         0 or 1.
// @param detached  Receives who has the SM once a kernel has gone.
// @return In this order: BadArg, TimeRegress, NotLive, KernelStillResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_done(struct gpusched_tlp_sm *sm,
                                     uint64_t now,
                                     uint32_t k,
                                     struct gpusched_tlp_detached *detached);

// The host sets the targets of two kernels, which are modulated from here on.
//
// @param sm          The machine.
// @param now         The cycle, not before that of the last call.
// @param tb0         TBs of kernel 0.
// @param tb1         TBs of kernel 1.
// @param overridden  Receives what becomes of the period when the host sets the targets.
// @return In this order: TimeRegress; NotPaired unless there are two kernels; BadArg if both targets are 0; DoesNotFit; Null,
// Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_override(struct gpusched_tlp_sm *sm,
                                         uint64_t now,
                                         uint32_t tb0,
                                         uint32_t tb1,
                                         struct gpusched_tlp_overridden *overridden);

// Which TB the SM takes next, one per call. avail says which of the kernels have TBs to be sent.
//
// @param sm          The machine.
// @param now         The cycle, not before that of the last call.
// @param avail0      Not 0: kernel 0 has TBs to be sent.
// @param avail1      Not 0: kernel 1 has TBs to be sent.
// @param dispatched  Receives what the SM takes.
// @return TimeRegress; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_dispatch(struct gpusched_tlp_sm *sm,
                                         uint64_t now,
                                         uint32_t avail0,
                                         uint32_t avail1,
                                         struct gpusched_tlp_dispatched *dispatched);

// The TB in a slot has ended. Its successor comes with the next gpusched_tlp_sm_dispatch.
//
// @param sm        The machine.
// @param now       The cycle, not before that of the last call.
// @param slot      The slot.
// @param finished  Receives a TB that has ended.
// @return TimeRegress; BadSlot if the slot is empty, or there is no such slot; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_finish(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       uint32_t slot,
                                       struct gpusched_tlp_finished *finished);

// The counters of the period that has ended.
//
// @param sm       The machine.
// @param now      The cycle, not before that of the last call.
// @param metrics  The counters.
// @param sampled  Receives what a sample leads to.
// @return In this order: TimeRegress; NoSampleDue; BadMetrics if there are more than 2^64 - 1 stalls, or more busy cycles than the
// period and the pipelines allow; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_sample(struct gpusched_tlp_sm *sm,
                                       uint64_t now,
                                       const struct gpusched_tlp_metrics *metrics,
                                       struct gpusched_tlp_sampled *sampled);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_sm_get_config(const struct gpusched_tlp_sm *sm,
                                           struct gpusched_tlp_config *config,
                                           size_t size);

// What it holds, beside its kernels and TBs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_get_state(const struct gpusched_tlp_sm *sm, struct gpusched_tlp_sm_state *sm_state);

// The time of the last event.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_now(const struct gpusched_tlp_sm *sm, uint64_t *cycle);

// Kernel 0 or 1; NotLive if it is not attached.
//
// @return NotLive; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_kernel(const struct gpusched_tlp_sm *sm,
                                       uint32_t k,
                                       struct gpusched_tlp_kernel *kernel);

// The TB in a slot; SlotEmpty if it is empty, or there is no such slot.
//
// @return BadSlot; SlotEmpty; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_slot(const struct gpusched_tlp_sm *sm,
                                     uint32_t slot,
                                     struct gpusched_tlp_resident *resident);

// Tells how many bytes gpusched_tlp_sm_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_image_size(const struct gpusched_tlp_sm *sm, size_t *size);

// Saves the whole state.
//
// @param sm    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_sm_save(const struct gpusched_tlp_sm *sm, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_tlp_sm_image_config(const void *image,
                                             size_t image_size,
                                             struct gpusched_tlp_config *config,
                                             size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param sm      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_sm_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_sm_restore(struct gpusched_tlp_sm *sm,
                                        const void *image,
                                        size_t image_size);

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

// Takes out two kernels for an empty machine; the only one if there are no two, GPUSCHED_NONE (a stall: NoReady) if none is ready.
//
// @param pool    The machine.
// @param picked  Receives kernels for an empty machine.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_pool_pick_pair(struct gpusched_tlp_pool *pool,
                                            struct gpusched_tlp_picked *picked);

// Takes out the partner for a kernel that was left running, of this type, which leans on pref; GPUSCHED_NONE (a stall: NoReady) if
// none is ready.
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

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_leftover_layout(const struct gpusched_tlp_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_leftover_layout says.
// @param size     At least what gpusched_tlp_leftover_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param leftover   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_tlp_leftover_init(void *storage,
                                           size_t size,
                                           const struct gpusched_tlp_config *config,
                                           struct gpusched_tlp_leftover **leftover);

// A kernel of n_tb TBs comes.
//
// @param leftover  The machine.
// @param needs     What one TB takes.
// @param n_tb      Its TBs.
// @param k         Receives its entry.
// @return In this order: BadKernel for TBs without threads, or no TBs; KernelTooBig; QueueFull; Null, Misaligned; those of the
// object.
gpusched_status gpusched_tlp_leftover_submit(struct gpusched_tlp_leftover *leftover,
                                             const struct gpusched_tlp_needs *needs,
                                             uint32_t n_tb,
                                             uint32_t *k);

// Sends the next TB of the oldest kernel that has one.
//
// @param leftover  The machine.
// @param sent      Receives what a work distributor does in one call.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_dispatch(struct gpusched_tlp_leftover *leftover, struct gpusched_tlp_sent *sent);

// A TB has ended. Whether it was its kernel's last one, whose entry is free then.
//
// @param leftover  The machine.
// @param sm        Its SM.
// @param k         Its kernel.
// @param done      Receives 1 if it was its kernel's last one, whose entry is free then; else 0.
// @return NotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_finish(struct gpusched_tlp_leftover *leftover,
                                             uint32_t sm,
                                             uint32_t k,
                                             uint32_t *done);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_leftover_get_config(const struct gpusched_tlp_leftover *leftover,
                                                 struct gpusched_tlp_config *config,
                                                 size_t size);

// The kernel in an entry; NotLive if none is there.
//
// @return NotLive; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_kernel(const struct gpusched_tlp_leftover *leftover,
                                             uint32_t k,
                                             struct gpusched_tlp_submitted *submitted);

// TBs of a kernel on an SM; 0 if there is no such kernel or SM.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_resident(const struct gpusched_tlp_leftover *leftover,
                                               uint32_t sm,
                                               uint32_t k,
                                               uint32_t *resident);

// The SM that is asked first.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_pointer(const struct gpusched_tlp_leftover *leftover, uint32_t *smx);

// Kernels that were submitted so far.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_submitted(const struct gpusched_tlp_leftover *leftover, uint64_t *submitted);

// Tells how many bytes gpusched_tlp_leftover_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_image_size(const struct gpusched_tlp_leftover *leftover, size_t *size);

// Saves the whole state.
//
// @param leftover    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_leftover_save(const struct gpusched_tlp_leftover *leftover,
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
gpusched_status gpusched_tlp_leftover_image_config(const void *image,
                                                   size_t image_size,
                                                   struct gpusched_tlp_config *config,
                                                   size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param leftover      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_leftover_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_leftover_restore(struct gpusched_tlp_leftover *leftover,
                                              const void *image,
                                              size_t image_size);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_tlp_smart_even_layout(const struct gpusched_tlp_config *config,
                                               struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_tlp_smart_even_layout says.
// @param size     At least what gpusched_tlp_smart_even_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param smart_even   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_tlp_smart_even_init(void *storage,
                                             size_t size,
                                             const struct gpusched_tlp_config *config,
                                             struct gpusched_tlp_smart_even **smart_even);

// Shares the SMs among kernels. gpusched_tlp_smart_even_sm tells the result.
//
// @param smart_even  The machine.
// @param jobs        The kernels.
// @param count       Their number.
// @return In this order: Busy while a kernel runs; BadArg for none or more than eight; TooFewSms if there are more of them than
// SMs; then for each kernel BadKernel if it has no threads or no TBs, KernelTooBig; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_start(struct gpusched_tlp_smart_even *smart_even,
                                              const struct gpusched_tlp_job *jobs,
                                              size_t count);

// Sends the next TB of the owner of the next SM that takes one.
//
// @param smart_even  The machine.
// @param sent        Receives what a work distributor does in one call.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_dispatch(struct gpusched_tlp_smart_even *smart_even,
                                                 struct gpusched_tlp_sent *sent);

// A TB has ended. If it was its kernel's last one, other kernels take over its SMs, and those that nobody owns.
//
// @param smart_even    The machine.
// @param sm            Its SM.
// @param sharer_ended  Receives a TB that has ended.
// @return NotResident; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_finish(struct gpusched_tlp_smart_even *smart_even,
                                               uint32_t sm,
                                               struct gpusched_tlp_sharer_ended *sharer_ended);

// The configuration.
//
// @param size  sizeof(gpusched_tlp_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_tlp_smart_even_get_config(const struct gpusched_tlp_smart_even *smart_even,
                                                   struct gpusched_tlp_config *config,
                                                   size_t size);

// Whether a kernel has not ended.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_is_running(const struct gpusched_tlp_smart_even *smart_even, uint32_t *running);

// A kernel of the last start; NotLive if there is no such kernel.
//
// @return NotLive; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_kernel(const struct gpusched_tlp_smart_even *smart_even,
                                               uint32_t k,
                                               struct gpusched_tlp_sharer *sharer);

// Who owns an SM; BadSm if there is no such SM.
//
// @return BadSm; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_sm(const struct gpusched_tlp_smart_even *smart_even,
                                           uint32_t sm,
                                           struct gpusched_tlp_owned_sm *owned_sm);

// The SM that is asked first.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_pointer(const struct gpusched_tlp_smart_even *smart_even, uint32_t *smx);

// Tells how many bytes gpusched_tlp_smart_even_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_image_size(const struct gpusched_tlp_smart_even *smart_even, size_t *size);

// Saves the whole state.
//
// @param smart_even    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_tlp_smart_even_save(const struct gpusched_tlp_smart_even *smart_even,
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
gpusched_status gpusched_tlp_smart_even_image_config(const void *image,
                                                     size_t image_size,
                                                     struct gpusched_tlp_config *config,
                                                     size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param smart_even      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_smart_even_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_tlp_smart_even_restore(struct gpusched_tlp_smart_even *smart_even,
                                                const void *image,
                                                size_t image_size);

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

// Fills inputs with the values that they have if nobody gives them; what has to be given is 0.
//
// @param inputs  Written.
// @param size    sizeof(gpusched_exec_inputs) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_exec_inputs_init(struct gpusched_exec_inputs *inputs, size_t size);

// Estimates the execution time of a kernel, and what optimisations could gain.
//
// @param inputs    Initialised inputs.
// @param estimate  Written.
// @param field     Receives the name of the input because of which the call is refused; NULL if none is, or it is not refused. Static.
//                  May be null.
// @return BadConfig; NotFinite, Negative, ZeroInput, OutOfRange, with the field, in this order; Overflow; Null, Misaligned,
// BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_exec_eval(const struct gpusched_exec_inputs *inputs,
                                   struct gpusched_exec_estimate *estimate,
                                   const char **field);

// The roofline of a machine.
//
// @param peak       Operations per time. Not 0.
// @param bw         Bytes per time. Not 0.
// @param intensity  Operations per byte of the kernel.
// @param roof       Written.
// @param field      As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_theory_roofline(double peak,
                                         double bw,
                                         double intensity,
                                         struct gpusched_theory_roof *roof,
                                         const char **field);

// How long a computation takes on p processors.
//
// @param w      Operations. Not 0.
// @param d      Operations one after the other. Not 0.
// @param p      Processors.
// @param time   Written.
// @param field  As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput, with the field; DepthExceedsWork; OutOfRange (p is below 1); Overflow; Null, Misaligned.
gpusched_status gpusched_theory_brent(double w,
                                      double d,
                                      double p,
                                      struct gpusched_theory_brent_time *time,
                                      const char **field);

// What remains of a speedup if the parallel algorithm does more.
//
// @param p      Processors.
// @param eps    Its work over that of the sequential one. Not 0.
// @param speed  Written.
// @param field  As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_theory_inefficiency(double p,
                                             double eps,
                                             struct gpusched_theory_speed *speed,
                                             const char **field);

// A reduction as a binary tree.
//
// @param n      Elements, a power of two.
// @param tree   Written.
// @param field  As of gpusched_exec_eval. May be null.
// @return NotPow2, with the field; Null, Misaligned.
gpusched_status gpusched_theory_reduction_tree(uint64_t n, struct gpusched_theory_tree *tree, const char **field);

// A reduction through a memory of z words, in lines of l. All are powers of two, n > z > l.
//
// @param n          Elements.
// @param z          Words of the memory.
// @param l          Words of a line.
// @param reduction  Written.
// @param field      As of gpusched_exec_eval. May be null.
// @return NotPow2, with the field; BadOrder; Null, Misaligned.
gpusched_status gpusched_theory_reduction_io(uint64_t n,
                                             uint64_t z,
                                             uint64_t l,
                                             struct gpusched_theory_reduction *reduction,
                                             const char **field);

// The product of two matrices through a memory of z words, in lines of l.
//
// @param n       Side of the matrices. Not 0.
// @param z       Words of the memory. Not 0.
// @param l       Words of a line. Not 0.
// @param matmul  Written.
// @param field   As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput, with the field; OutOfRange (z is 2^53 or more); Overflow; Null, Misaligned.
gpusched_status gpusched_theory_matmul_io(double n,
                                          double z,
                                          double l,
                                          struct gpusched_theory_matmul *matmul,
                                          const char **field);

// What processors with private memories move.
//
// @param of      The computation and its machine.
// @param misses  Written.
// @param field   As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_theory_qp_bound(const struct gpusched_theory_private *of,
                                         struct gpusched_theory_misses *misses,
                                         const char **field);

// The time that memory takes.
//
// @param of     The traffic.
// @param t      Written.
// @param field  As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_theory_t_mem(const struct gpusched_theory_traffic *of, double *t, const char **field);

// Whether a machine's memory keeps up with its processors.
//
// @param of        The machine and the computation.
// @param balanced  Written.
// @param field     As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput, with the field; DepthExceedsWork; OutOfRange (p is below 1); Overflow; Null, Misaligned.
gpusched_status gpusched_theory_balance(const struct gpusched_theory_machine *of,
                                        struct gpusched_theory_balanced *balanced,
                                        const char **field);

// Interactions of the points of a box with those of its neighbours (U-list of a fast multipole method).
//
// @param of        The boxes.
// @param estimate  Written.
// @param field     As of gpusched_exec_eval. May be null.
// @return OutOfRange (dims); NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_theory_ulist(const struct gpusched_theory_boxes *of,
                                      struct gpusched_theory_ulist_estimate *estimate,
                                      const char **field);

// Fills a configuration: a tolerance of a tenth, and 0 for what has to be given.
//
// @param config  Written.
// @param size    sizeof(gpusched_wfg_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_wfg_config_init(struct gpusched_wfg_config *config, size_t size);

// Evaluates a work-flow graph.
//
// @param config  An initialised configuration.
// @param graph   The graph.
// @param flow    Written.
// @param field   As of gpusched_exec_eval. May be null.
// @return NotFinite, Negative, ZeroInput of the configuration, with the field; TooBig, BadGraph, BadWeight, NotTopological, BadFraction,
// BadDependence; Overflow; Null, Misaligned, BadStructSize, WrongVersion, Capacity.
gpusched_status gpusched_wfg_eval(const struct gpusched_wfg_config *config,
                                  const struct gpusched_wfg_graph *graph,
                                  struct gpusched_wfg_flow *flow,
                                  const char **field);

// Fills a configuration: one SM of a GTX 480 and its L2.
//
// @param config  Written.
// @param size    sizeof(gpusched_monte_config) in the caller's header.
// @return Null, Misaligned, BadStructSize.
gpusched_status gpusched_monte_config_init(struct gpusched_monte_config *config, size_t size);

// Says whether every value is in its range.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_monte_config_check(const struct gpusched_monte_config *config,
                                            struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_monte_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells the memory that the object of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_monte_layout(const struct gpusched_monte_config *config, struct gpusched_layout *layout);

// Builds an object in memory of the caller, without any runs. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the object is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_monte_layout says.
// @param size     At least what gpusched_monte_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param monte    Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_monte_init(void *storage,
                                    size_t size,
                                    const struct gpusched_monte_config *config,
                                    struct gpusched_monte **monte);

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

// Forgets all runs. Those that follow are made of this seed.
//
// @return Those of the object.
gpusched_status gpusched_monte_start(struct gpusched_monte *monte, uint64_t seed);

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

// The configuration.
//
// @param size  sizeof(gpusched_monte_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_monte_get_config(const struct gpusched_monte *monte,
                                          struct gpusched_monte_config *config,
                                          size_t size);

// What the runs have in common.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_monte_get_summary(const struct gpusched_monte *monte, struct gpusched_monte_summary *summary);

// What the runs came to in a level.
//
// @param monte  The object.
// @param level  1: the L1s together; 2: the L2.
// @param tally  Written.
// @return BadIndex: no such level; Null, Misaligned; those of the object.
gpusched_status gpusched_monte_level(const struct gpusched_monte *monte,
                                     uint32_t level,
                                     struct gpusched_monte_tally *tally);

// Runs by their ratio of hits: bin i of b holds ratios from i/b to below (i+1)/b, the last one also a ratio of 1.
//
// @param monte     The object.
// @param level     1: the L1s together; 2: the L2.
// @param bins      Written as far as it reaches.
// @param capacity  Elements of that array; if it is 0, bins may be null.
// @param count     Receives the number of bins, also if it is more than that.
// @return BadIndex: no such level; Capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_monte_histogram(const struct gpusched_monte *monte,
                                         uint32_t level,
                                         uint32_t *bins,
                                         size_t capacity,
                                         size_t *count);

// Loads and hits of a site over all runs.
//
// @return BadSite; Null, Misaligned; those of the object.
gpusched_status gpusched_monte_get_site(const struct gpusched_monte *monte,
                                        uint32_t site,
                                        struct gpusched_monte_site *tally);

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

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GPUSCHED_H */
