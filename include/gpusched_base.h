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
// two ticks belong to one cycle and act at once, in call order. Where the host decides, verbs that are not of its half of a cycle are
// refused with MID_CYCLE between gpusched_frontend_begin and gpusched_frontend_end, whatever else their descriptions list. Machines
// that stand alone are told the cycle by every call; the dependency-graph buffer alone has no clock.
//
// Threads. Functions that take a const object may run at the same time on several threads; a function that takes an object that
// is not const must have it for itself. Different objects are independent. No function blocks, allocates, calls back or panics.
//
// Versions. See GPUSCHED_ABI_VERSION. Structs that begin with struct_size may grow; all others, and all numbers, stay.

#ifndef GPUSCHED_BASE_H
#define GPUSCHED_BASE_H

#include <stddef.h>
#include <stdint.h>

// Version of the binary interface. It grows when a program that was built against an older header would no longer work.
#define GPUSCHED_ABI_VERSION 9

// No cycle: what a query of a time answers when that time will not come.
#define GPUSCHED_NEVER UINT64_MAX

// No such thing: what a field holds that names a row, when there is none.
#define GPUSCHED_NONE UINT32_MAX

// Offers below this number are named by their kernel distributor entry; of a group that is offered by itself (told_units free) the
// number is this and its launch record.
#define GPUSCHED_OFFER_RECORD 256

// Offers from this number on are pieces that gpusched_frontend_split has made: the number is this and the piece's row.
#define GPUSCHED_OFFER_PIECE 2147483648

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
    // This cycle was carried out before.
    GPUSCHED_STATUS_SAME_CYCLE = 61,
    // The priority is above the highest level.
    GPUSCHED_STATUS_BAD_PRIORITY = 62,
    // The kernel or group has no TBs.
    GPUSCHED_STATUS_EMPTY_GROUP = 63,
    // A TB has threads and takes a slot.
    GPUSCHED_STATUS_BAD_RESOURCES = 64,
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
    // A kernel is attached under this index.
    GPUSCHED_STATUS_SLOT_BUSY = 182,
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
    // The host decides which TB goes where: its cycle has a begin and an end.
    GPUSCHED_STATUS_TOLD = 240,
    // The policy of this front end is not the host's.
    GPUSCHED_STATUS_NOT_TOLD = 241,
    // A cycle was begun and has not ended.
    GPUSCHED_STATUS_MID_CYCLE = 242,
    // The cycle was begun before.
    GPUSCHED_STATUS_TWICE_BEGUN = 243,
    // No cycle was begun.
    GPUSCHED_STATUS_NOT_BEGUN = 244,
    // Nothing is offered under this name.
    GPUSCHED_STATUS_BAD_OFFER = 245,
    // The information of the offered group is not here.
    GPUSCHED_STATUS_NOT_HERE = 246,
    // The offered dependency graph has no node to send.
    GPUSCHED_STATUS_NO_NODE = 247,
    // Gate K: the kernel's class has its share of this SMX.
    GPUSCHED_STATUS_CLOSED_K = 248,
    // R: the SMX has no room for the offered TB.
    GPUSCHED_STATUS_CLOSED_R = 249,
    // Gate E: the SMX is not eligible.
    GPUSCHED_STATUS_CLOSED_E = 250,
    // Gate X: the SMX holds as many TBs as it may.
    GPUSCHED_STATUS_CLOSED_X = 251,
    // Gate M: the SMX holds TBs of another key.
    GPUSCHED_STATUS_CLOSED_M = 252,
    // As many TBs were sent in this cycle as may be.
    GPUSCHED_STATUS_CYCLE_FULL = 253,
    // The host has to wake in a later cycle than this one.
    GPUSCHED_STATUS_BAD_WAKE = 254,
    // This parameter rules chains, which the host has replaced by free units.
    GPUSCHED_STATUS_CHAIN_ONLY = 255,
    // This parameter rules free units, and chains send in order.
    GPUSCHED_STATUS_FREE_ONLY = 256,
    // What is unsent of this offer cannot be split there.
    GPUSCHED_STATUS_NO_SPLIT = 257,
    // No row for another piece of a unit is free.
    GPUSCHED_STATUS_SPLIT_FULL = 258,
    // A kernel cannot be suspended while what is unsent of it is in pieces.
    GPUSCHED_STATUS_SPLIT = 259,
    // The machine does not say which GPC each SMX lies in.
    GPUSCHED_STATUS_NO_TOPOLOGY = 270,
    // The GPCs do not hold as many SMXs as there are.
    GPUSCHED_STATUS_TOPOLOGY_SIZE = 271,
    // This machine has no clusters of TBs.
    GPUSCHED_STATUS_NO_CLUSTERS = 272,
    // A group has no clusters.
    GPUSCHED_STATUS_CLUSTER_GROUP = 273,
    // A kernel with a dependency graph has no clusters.
    GPUSCHED_STATUS_CLUSTER_GRAPH = 274,
    // A dimension of the cluster is 0.
    GPUSCHED_STATUS_EMPTY_CLUSTER = 275,
    // The cluster has more TBs than may be.
    GPUSCHED_STATUS_CLUSTER_TOO_BIG = 276,
    // A dimension of the grid is no multiple of the cluster's.
    GPUSCHED_STATUS_CLUSTER_GRID = 277,
    // One TB has more threads than the context may have.
    GPUSCHED_STATUS_TB_OVER_QUOTA = 278,
    // No GPC of the context could ever hold the cluster.
    GPUSCHED_STATUS_CLUSTER_NEVER = 279,
    // Streams of this machine have no priorities.
    GPUSCHED_STATUS_NO_PRIORITY = 280,
    // This machine has no contexts.
    GPUSCHED_STATUS_NO_PARTITION = 282,
    // No such context, or it has no SMXs.
    GPUSCHED_STATUS_BAD_CONTEXT = 283,
    // No such stream: one below n_stream can be given a context or a priority, and a device launch is fired and forgotten or a tail launch.
    GPUSCHED_STATUS_BAD_STREAM = 284,
    // A kernel of the stream is queued, in the distributor or suspended.
    GPUSCHED_STATUS_STREAM_BUSY = 285,
    // A kernel or group of the context is there.
    GPUSCHED_STATUS_CONTEXT_BUSY = 286,
    // The set of SMXs is empty, names what does not exist, or has not a size that may be.
    GPUSCHED_STATUS_BAD_SET = 287,
    // With MIG a context has whole GPCs.
    GPUSCHED_STATUS_MIG_SPLIT = 288,
    // With MIG contexts share no GPC.
    GPUSCHED_STATUS_MIG_OVERLAP = 289,
    // A share is 1 to 100 percent.
    GPUSCHED_STATUS_BAD_QUOTA = 290,
    // A context may hold 1 to n_kde entries.
    GPUSCHED_STATUS_BAD_LIMIT = 291,
    // This machine does not preempt.
    GPUSCHED_STATUS_NO_PREEMPT = 292,
    // No such request.
    GPUSCHED_STATUS_BAD_DRAIN = 293,
    // There are as many requests as may be.
    GPUSCHED_STATUS_DRAIN_FULL = 294,
    // The kernel is being saved.
    GPUSCHED_STATUS_SAVING = 295,
    // LaPerm sends single TBs.
    GPUSCHED_STATUS_CLUSTER_WITH_LAPERM = 296,
    // LaPerm has priorities of its own.
    GPUSCHED_STATUS_PRIORITY_WITH_LAPERM = 297,
    // LaPerm binds TBs to SMXs by itself.
    GPUSCHED_STATUS_PARTITION_WITH_LAPERM = 298,
    // LaPerm's queues know no SMXs that are drained.
    GPUSCHED_STATUS_PREEMPT_WITH_LAPERM = 299,
    // The controller's sample asks for an SMX that could take one TB.
    GPUSCHED_STATUS_CLUSTER_WITH_BUBBLE = 300,
    // A host that decides is offered single TBs.
    GPUSCHED_STATUS_CLUSTER_WITH_TOLD = 301,
    // A host that decides has the line in its own order.
    GPUSCHED_STATUS_PRIORITY_WITH_TOLD = 302,
    // A host that decides says itself whose an SMX is.
    GPUSCHED_STATUS_PARTITION_WITH_TOLD = 303,
    // A host that decides says itself who may be on an SMX.
    GPUSCHED_STATUS_PREEMPT_WITH_TOLD = 304,
    // This machine launches kernels into no named streams.
    GPUSCHED_STATUS_NO_CDP2 = 310,
    // The kernel would be nested too deeply.
    GPUSCHED_STATUS_DEPTH_LIMIT = 311,
    // Here no kernel waits for its children.
    GPUSCHED_STATUS_NO_JOIN = 312,
    // LaPerm's queues have no place for kernels that wait for another one's end.
    GPUSCHED_STATUS_LAUNCH2_WITH_LAPERM = 313,
    // On this machine no kernel starts before the one in front of it is complete.
    GPUSCHED_STATUS_NO_PDL = 314,
    // The TB waits already.
    GPUSCHED_STATUS_ALREADY_WAITING = 315,
    // The TB waits for the kernel in front of its own.
    GPUSCHED_STATUS_TB_WAITING = 316,
    // The kernel is open: what follows it may have started.
    GPUSCHED_STATUS_OPENED = 317,
    // The kernel is open, or follows one that is not complete.
    GPUSCHED_STATUS_PDL_KERNEL = 318,
    // This machine has no kernel graphs.
    GPUSCHED_STATUS_NO_KGRAPH = 319,
    // Every number for a kernel graph is in use.
    GPUSCHED_STATUS_KGRAPH_FULL = 320,
    // A kernel graph has a kernel.
    GPUSCHED_STATUS_EMPTY_KGRAPH = 321,
    // The kernel graph has more kernels or edges than there is room for.
    GPUSCHED_STATUS_KGRAPH_SIZE = 322,
    // The edge leads from or to no kernel, to where it comes from, is there already, or is of no kind.
    GPUSCHED_STATUS_KGRAPH_EDGE = 323,
    // On this machine no kernel starts before the one that it depends on is complete.
    GPUSCHED_STATUS_BAD_PDL_EDGE = 324,
    // Kernels of the kernel graph wait for each other.
    GPUSCHED_STATUS_KGRAPH_CYCLE = 325,
    // No such kernel graph.
    GPUSCHED_STATUS_BAD_KGRAPH = 326,
    // The kernel graph waits to run, or runs.
    GPUSCHED_STATUS_KGRAPH_BUSY = 327,
    // On this machine no two kernels share a dependency graph.
    GPUSCHED_STATUS_NO_CROSS = 328,
    // Two kernels that share a graph must each have nodes of it.
    GPUSCHED_STATUS_BAD_PARTS = 329,
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
    // No version of this struct that the library knows has this struct_size.
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
    // What is asked of it beside other parameters, if it is that which is wrong: then there is no range, but 0 to 0. Else null. Static.
    const char *rule;
} gpusched_parameter;

// Memory that an object needs.
typedef struct gpusched_layout {
    // Bytes.
    size_t size;
    // Alignment in bytes, a power of two.
    size_t align;
} gpusched_layout;

// A set of SMXs: bit b of word w is SMX 64 w + b.
typedef struct gpusched_smx_set {
    // 256 bits.
    uint64_t words[4];
} gpusched_smx_set;

// Extent in three dimensions: of a grid in TBs, or of a TB in threads.
typedef struct gpusched_dim3 {
    // First dimension.
    uint32_t x;
    // Second dimension.
    uint32_t y;
    // Third dimension.
    uint32_t z;
} gpusched_dim3;

// Clusters of TBs that start together in one GPC: TBs in each dimension; none if all are 0.
typedef struct gpusched_cluster {
    // TBs in x.
    uint8_t x;
    // TBs in y.
    uint8_t y;
    // TBs in z.
    uint8_t z;
    // If not 0, it may be as large as cluster_largest, else as cluster_portable.
    uint8_t nonportable;
} gpusched_cluster;

// A set of GPCs: bit b of word w is GPC 64 w + b.
typedef struct gpusched_gpc_set {
    // 256 bits.
    uint64_t words[4];
} gpusched_gpc_set;

// What a TB is part of, or where a group's information is.
typedef struct gpusched_part {
    // gpusched_unit.
    uint32_t unit;
    // AGE or launch record, as `unit` says.
    uint32_t row;
} gpusched_part;

// Energy in mW x cycles, 128 bits wide: 2^64 hi + lo. A cycle lasts 1/f_high_mhz us.
typedef struct gpusched_energy {
    // The low 64 bits.
    uint64_t lo;
    // The high 64 bits.
    uint64_t hi;
} gpusched_energy;

// A decision: one record of 32 bytes for every kind. Fields that say nothing of its kind are 0.
//
// | kind | fields |
// |---|---|
// | TB | `smx`, `slot`, `kde`, `unit`, `group`, `blkid`, `tag` |
// | BYPASS | `smx`, `slot` |
// | ISSUE | `kde`, `tag`, `detail`: gpusched_source, `queue` if it is a hardware work queue, or the instance if it is a kernel graph |
// | ARRIVE, KERNEL_DONE | `kde`, `tag` |
// | JOIN, GROUP_DONE | `tag` of the group, `unit` and `group`: where its information is or was; JOIN: `kde` |
// | FALL | `tag` of the group, `detail`: gpusched_fall |
// | LOAD | `group`: the launch record; with load_mode external the host answers with gpusched_frontend_spill_loaded |
// | UNMARK, ROTATE, GRAPH_DONE | `kde` |
// | HWQ_FREE | `queue` |
// | STALLED | none: the host that decides has sent nothing for a while although it could |
// | SAVED | `smx`, `slot`, `unit`, `group`, `blkid`: keep the TB's context |
// | SUSPEND | `kde`: the former entry, `detail`: its place in the list of suspended kernels |
// | PLACE | `tag`, `detail`: gpusched_place, `smx`: the bind unit (0 for queue 0), `slot`: the level; `queue` is 1 if another unit went to memory instead, whose tag is in `group` (upper half) and `blkid` (lower half) |
// | LAP | `detail`: the stage, 1 to 3, `slot`: the priority |
// | REFILL | `tag`; with laperm_refill_mode external the host answers with gpusched_frontend_refilled |
// | SAMPLE | `detail` is 1 if a TB was reported as waiting, and `tag` is that TB's; gpusched_frontend_bubble_record tells the rest |
// | GRAPH_FAULT | `kde`, `detail`: gpusched_dgb_graph_fault_kind, `blkid`: the node |
// | CLUSTER | `kde`, `group`: the number of the cluster in its grid, `detail`: the GPC, `blkid`: TBs, which follow at once in the order of their ranks |
// | DRAINED, DRAIN_END | `detail`: the request |
// | COMPLETE, TAIL | `tag` |
// | OPENED | `kde`, `tag` |
// | RELEASED | `smx`, `slot` |
// | KGRAPH_START | `detail`: the instance, `blkid`: the graph, `queue` |
// | KGRAPH_DONE | `detail`: the instance, `blkid`: the graph |
// | SAVE | `kde`, `tag`: the cycle in which its frozen TBs are taken off |
// | RESTORE | `smx`, `slot`, `tag`: cycles until the TB starts |
// | GRAPH_ABORT | `kde`, `blkid`: its TBs that still run |
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

// When a unit became visible, and its number: no two units share it, and both only grow. Both are GPUSCHED_NEVER if there is no unit.
typedef struct gpusched_unit_key {
    // The cycle.
    uint64_t ready;
    // The number, from 0.
    uint64_t no;
} gpusched_unit_key;

#ifdef __cplusplus
extern "C" {
#endif

// The version of the binary interface that this library has. Programs compare it with the GPUSCHED_ABI_VERSION of their header.
uint32_t gpusched_abi_version(void);

// The name of a status as the sheets spell it, such as "BadSmx"; "Ok" for 0; "Unknown" for a number that is none. The text is
// static and shared by all threads.
const char *gpusched_status_str(uint32_t status);

// One sentence about a status, for people. The text is static and shared by all threads.
const char *gpusched_status_text(uint32_t status);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_BASE_H
