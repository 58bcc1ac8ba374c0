// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_FRONTEND_H
#define GPUSCHED_FRONTEND_H

#include "gpusched_base.h"
#include "gpusched_bubble.h"
#include "gpusched_dgb.h"
#include "gpusched_laperm.h"

// What the front end decided (DTBL and frontend, Interface).
enum gpusched_decision_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Run this TB.
    GPUSCHED_DECISION_KIND_TB = 1,
    // The TB just placed bypasses the L1 cache.
    GPUSCHED_DECISION_KIND_BYPASS = 2,
    // The KMU sends a kernel to an entry. A host that counts memory traffic reads a device kernel's record here; its time is in
    // lat_dispatch.
    GPUSCHED_DECISION_KIND_ISSUE = 3,
    // The kernel is in the distributor: active, marked, first.
    GPUSCHED_DECISION_KIND_ARRIVE = 4,
    // A group is coalesced with a kernel.
    GPUSCHED_DECISION_KIND_JOIN = 5,
    // A group became a device kernel.
    GPUSCHED_DECISION_KIND_FALL = 6,
    // The scheduler fetches a spilled group.
    GPUSCHED_DECISION_KIND_LOAD = 7,
    // Every TB of the kernel and its groups was sent.
    GPUSCHED_DECISION_KIND_UNMARK = 8,
    // The kernel had its turn (turn_groups) and goes on later.
    GPUSCHED_DECISION_KIND_ROTATE = 9,
    // A group finished; its AGE and record are free.
    GPUSCHED_DECISION_KIND_GROUP_DONE = 10,
    // A kernel finished; its entry is free.
    GPUSCHED_DECISION_KIND_KERNEL_DONE = 11,
    // The queue is inspected again.
    GPUSCHED_DECISION_KIND_HWQ_FREE = 12,
    // A TB was taken off its SMX.
    GPUSCHED_DECISION_KIND_SAVED = 13,
    // The kernel is in the list of suspended kernels.
    GPUSCHED_DECISION_KIND_SUSPEND = 14,
    // LaPerm took a unit.
    GPUSCHED_DECISION_KIND_PLACE = 15,
    // LaPerm sent the TB just placed.
    GPUSCHED_DECISION_KIND_LAP = 16,
    // LaPerm brings this unit from memory onto the chip. With refill_mode external the host answers with gpusched_frontend_refilled.
    GPUSCHED_DECISION_KIND_REFILL = 17,
    // The occupancy-bubble controller took a sample. gpusched_frontend_bubble_record has the record.
    GPUSCHED_DECISION_KIND_SAMPLE = 18,
    // Every node of a kernel's dependency graph is done.
    GPUSCHED_DECISION_KIND_GRAPH_DONE = 19,
    // The memory of a kernel's dependency graph contradicts itself. Nothing more of it is sent; it waits for abort_graph.
    GPUSCHED_DECISION_KIND_GRAPH_FAULT = 20,
    // A kernel's dependency graph was given up.
    GPUSCHED_DECISION_KIND_GRAPH_ABORT = 21,
    // The host has sent nothing for stall_limit cycles although something was open.
    GPUSCHED_DECISION_KIND_STALLED = 22,
    // The tbs TBs that follow at once are a cluster, in the order of their ranks.
    GPUSCHED_DECISION_KIND_CLUSTER = 23,
    // No TB that is to go is left on the SMXs of a request.
    GPUSCHED_DECISION_KIND_DRAINED = 24,
    // A request has ended with its kernel.
    GPUSCHED_DECISION_KIND_DRAIN_END = 25,
    // The TBs of a kernel are frozen; in the cycle until they are taken off their SMXs.
    GPUSCHED_DECISION_KIND_SAVE = 26,
    // The TB just placed, which was saved, starts so many cycles later.
    GPUSCHED_DECISION_KIND_RESTORE = 27,
    // A grid and all that it launched are complete.
    GPUSCHED_DECISION_KIND_COMPLETE = 28,
    // The turn of a tail launch has come: the KMU may issue it.
    GPUSCHED_DECISION_KIND_TAIL = 29,
    // Every TB of a kernel was sent, and has triggered or ended: the kernel behind it may be issued if it is a programmatic dependent.
    // Of a kernel that has ended this is not said.
    GPUSCHED_DECISION_KIND_OPENED = 30,
    // A TB that waits goes on: all that its kernel follows is complete.
    GPUSCHED_DECISION_KIND_RELEASED = 31,
    // A kernel graph begins to run.
    GPUSCHED_DECISION_KIND_KGRAPH_START = 32,
    // Every kernel of a kernel graph that ran is complete.
    GPUSCHED_DECISION_KIND_KGRAPH_DONE = 33,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_decision_kind gpusched_decision_kind;
#else
typedef uint32_t gpusched_decision_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Where an issued kernel waited.
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
    // A kernel graph that runs.
    GPUSCHED_SOURCE_NODE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_source gpusched_source;
#else
typedef uint32_t gpusched_source;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why a group became a device kernel.
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

// Where LaPerm put a unit: the native TBs of a kernel, or a group.
enum gpusched_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Into the on-chip queue of a bind unit.
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

// What becomes of a group that finds its AGE taken.
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

// How the TBs of a cluster lie on the SMXs of its GPC.
enum gpusched_cluster_fill
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Rank by rank on the next SMX that can take one.
    GPUSCHED_CLUSTER_FILL_SPREAD = 0,
    // As many as fit on an SMX before the next one.
    GPUSCHED_CLUSTER_FILL_PACK = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_cluster_fill gpusched_cluster_fill;
#else
typedef uint32_t gpusched_cluster_fill;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which GPC a cluster is offered first.
enum gpusched_cluster_gpc_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The one behind the last that took one.
    GPUSCHED_CLUSTER_GPC_ORDER_RR = 0,
    // The one that could take most TBs of the kernel.
    GPUSCHED_CLUSTER_GPC_ORDER_MOST_ROOM = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_cluster_gpc_order gpusched_cluster_gpc_order;
#else
typedef uint32_t gpusched_cluster_gpc_order;
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

// What the machine waits for; the first of these that applies.
enum gpusched_frontend_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Time, or the end of resident TBs, will bring it on.
    GPUSCHED_FRONTEND_STATUS_RUNNING = 0,
    // The dependency graph that runs contradicts itself, or its window can never move again: the host must give it up.
    GPUSCHED_FRONTEND_STATUS_GRAPH_STUCK = 1,
    // The dependency-graph buffer waits for the host's answers.
    GPUSCHED_FRONTEND_STATUS_GRAPH_WAIT = 2,
    // Work is there that only the host's gates keep.
    GPUSCHED_FRONTEND_STATUS_GATED = 3,
    // A kernel waits for an entry, and no entry will become free by itself.
    GPUSCHED_FRONTEND_STATUS_KD_BLOCKED = 4,
    // A suspended kernel waits to be resumed.
    GPUSCHED_FRONTEND_STATUS_SUSPENDED = 5,
    // A kernel waits in a queue that a retained kernel holds.
    GPUSCHED_FRONTEND_STATUS_HWQ_BLOCKED = 6,
    // Only retained entries are left.
    GPUSCHED_FRONTEND_STATUS_RETAINED = 7,
    // Nothing is owned anywhere: idle.
    GPUSCHED_FRONTEND_STATUS_DRAINED = 8,
    // Stands behind GraphWait, where no gate is at fault: every resident TB waits for a kernel that has children left, and these find
    // no room for as long as it does.
    GPUSCHED_FRONTEND_STATUS_WAIT_STUCK = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_frontend_status gpusched_frontend_status;
#else
typedef uint32_t gpusched_frontend_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a configuration is filled with.
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

// What has become of a kernel's dependency graph (frontend-F1 to F6).
enum gpusched_graph_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_GRAPH_STATE_NONE = 0,
    // It waits for the kernel's arrival.
    GPUSCHED_GRAPH_STATE_COMING = 1,
    // The dependency-graph buffer runs it.
    GPUSCHED_GRAPH_STATE_RUNNING = 2,
    // Every node is done.
    GPUSCHED_GRAPH_STATE_FINISHED = 3,
    // Its memory contradicts itself; it waits for abort_graph.
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

// Which threads share an AGT index.
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

// What the kernel management unit did in a cycle.
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
    // Every kernel distributor entry is taken, or every one that the contexts of those that wait may hold.
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

// How the KMU chooses between waiting kernels.
enum gpusched_kmu_arb
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Least (ready, seq) of all.
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

// What becomes of a launch by a TB of an open kernel.
enum gpusched_late_launch
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It is a child as any other; the kernel is complete after it.
    GPUSCHED_LATE_LAUNCH_ALLOW = 0,
    // It is refused.
    GPUSCHED_LATE_LAUNCH_REFUSE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_late_launch gpusched_late_launch;
#else
typedef uint32_t gpusched_late_launch;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Layouts of GPUs: which SMXs lie in which GPC. In part they are guesses, as the sheet says.
enum gpusched_layout_preset
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // V100.
    GPUSCHED_LAYOUT_PRESET_V100 = 0,
    // A100.
    GPUSCHED_LAYOUT_PRESET_A100 = 1,
    // H100 SXM, with 15 clusters of 8.
    GPUSCHED_LAYOUT_PRESET_H100_SXM = 2,
    // H100 SXM, with 16 clusters of 8.
    GPUSCHED_LAYOUT_PRESET_H100_SXM_EVEN = 3,
    // H100 PCIe, with 8 GPCs.
    GPUSCHED_LAYOUT_PRESET_H100_PCIE = 4,
    // H100 PCIe, with 7 GPCs.
    GPUSCHED_LAYOUT_PRESET_H100_PCIE7 = 5,
    // H200.
    GPUSCHED_LAYOUT_PRESET_H200 = 6,
    // H100 SXM with measured sizes, and SMXs that hold no cluster of more than two TBs.
    GPUSCHED_LAYOUT_PRESET_H100_SXM_MEASURED = 7,
    // H100 PCIe with measured SMXs that hold no cluster of more than two TBs.
    GPUSCHED_LAYOUT_PRESET_H100_PCIE_MEASURED = 8,
    // H200 with measured sizes, and SMXs that hold no cluster of more than two TBs.
    GPUSCHED_LAYOUT_PRESET_H200_MEASURED = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_layout_preset gpusched_layout_preset;
#else
typedef uint32_t gpusched_layout_preset;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Progress of the load of a spilled group. With load_mode fixed it stays at Waiting, and is here load_cycles after it was asked
// for.
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

// Who times the load of a spilled group.
enum gpusched_load_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It takes load_cycles.
    GPUSCHED_LOAD_MODE_FIXED = 0,
    // The host answers with spill_loaded.
    GPUSCHED_LOAD_MODE_EXTERNAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_load_mode gpusched_load_mode;
#else
typedef uint32_t gpusched_load_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How SMXs are numbered.
enum gpusched_numbering
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // GPC by GPC, TPC by TPC.
    GPUSCHED_NUMBERING_GPC = 0,
    // The first TPC of every GPC, then the second of every GPC that has one, and so on.
    GPUSCHED_NUMBERING_INTERLEAVED = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_numbering gpusched_numbering;
#else
typedef uint32_t gpusched_numbering;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What an offer's next TB is.
enum gpusched_offer_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A TB of the kernel's own grid.
    GPUSCHED_OFFER_KIND_NATIVE = 0,
    // One that a suspension took off its SMX.
    GPUSCHED_OFFER_KIND_RESTORED = 1,
    // A TB of an aggregated group.
    GPUSCHED_OFFER_KIND_GROUP = 2,
    // A node of a dependency graph.
    GPUSCHED_OFFER_KIND_NODE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_offer_kind gpusched_offer_kind;
#else
typedef uint32_t gpusched_offer_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How far the load of a spilled group is.
enum gpusched_offer_load
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // There is nothing to load.
    GPUSCHED_OFFER_LOAD_NONE = 0,
    // Nobody has asked for it.
    GPUSCHED_OFFER_LOAD_NEEDED = 1,
    // It is under way.
    GPUSCHED_OFFER_LOAD_WAITING = 2,
    // It is here.
    GPUSCHED_OFFER_LOAD_HERE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_offer_load gpusched_offer_load;
#else
typedef uint32_t gpusched_offer_load;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Until when a device launch counts as pending.
enum gpusched_pend_hold
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Until its kernel is issued.
    GPUSCHED_PEND_HOLD_ISSUE = 0,
    // Until its kernel is complete.
    GPUSCHED_PEND_HOLD_COMPLETE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_pend_hold gpusched_pend_hold;
#else
typedef uint32_t gpusched_pend_hold;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who sends TBs to SMXs, with its parameters.
enum gpusched_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // First-come-first-served kernels, round-robin SMXs: the baseline.
    GPUSCHED_POLICY_FCFS_RR = 0,
    // LaPerm's queues, by level and by SMX; its own parameter says which of its policies.
    GPUSCHED_POLICY_LA_PERM = 1,
    // The host decides, between the two halves of a cycle.
    GPUSCHED_POLICY_TOLD = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_policy gpusched_policy;
#else
typedef uint32_t gpusched_policy;
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
    // A tail launch whose turn has not come.
    GPUSCHED_RECORD_STATE_TAIL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_record_state gpusched_record_state;
#else
typedef uint32_t gpusched_record_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What the scheduler did in a cycle.
enum gpusched_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It sent this TB.
    GPUSCHED_SCHED_TB = 0,
    // No kernel has TBs to send; under LaPerm, no unit is visible.
    GPUSCHED_SCHED_IDLE = 1,
    // It waits for the information of a spilled group.
    GPUSCHED_SCHED_LOAD = 2,
    // No SMX has room for the next TB.
    GPUSCHED_SCHED_NO_ROOM = 3,
    // An SMX has room, but a gate other than K is closed there.
    GPUSCHED_SCHED_GATED = 4,
    // No SMX takes the next TB, whose class has its share of some (gate K).
    GPUSCHED_SCHED_CAPPED = 5,
    // LaPerm: the candidate for the visited SMX does not fit there.
    GPUSCHED_SCHED_NO_FIT = 6,
    // LaPerm: there is visible work, but none for the visited SMX.
    GPUSCHED_SCHED_NO_CANDIDATE = 7,
    // LaPerm: the visited SMX is not eligible, or gate X closes it.
    GPUSCHED_SCHED_MASKED = 8,
    // A dependency graph: every node of its window waits for parents, runs, or is done.
    GPUSCHED_SCHED_GRAPH_NO_READY = 9,
    // A dependency graph: its ready nodes wait for their successor's entry or for edges (the head rule).
    GPUSCHED_SCHED_GRAPH_HEAD = 10,
    // A dependency graph: its ready node is too many levels ahead.
    GPUSCHED_SCHED_GRAPH_LEVEL_BOUND = 11,
    // A dependency graph: its window can never move again.
    GPUSCHED_SCHED_GRAPH_DEADLOCK = 12,
    // A dependency graph: its memory contradicts itself.
    GPUSCHED_SCHED_GRAPH_FAULT = 13,
    // The host decides, and has sent nothing although it could.
    GPUSCHED_SCHED_TOLD = 14,
    // An SMX could take one TB of the next cluster, but no GPC could take all of them.
    GPUSCHED_SCHED_FRAG = 15,
    // The context of the next TB has as many threads as its share allows.
    GPUSCHED_SCHED_QUOTA = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_sched gpusched_sched;
#else
typedef uint32_t gpusched_sched;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How deep a tail launch is nested.
enum gpusched_tail_depth
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One level deeper than the kernel that launched it.
    GPUSCHED_TAIL_DEPTH_CHILD = 0,
    // As deep: it stands where the next kernel of the stream would.
    GPUSCHED_TAIL_DEPTH_SAME = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_tail_depth gpusched_tail_depth;
#else
typedef uint32_t gpusched_tail_depth;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Who sends when a host that decides is stalled.
enum gpusched_told_rescue
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nobody.
    GPUSCHED_TOLD_RESCUE_NONE = 0,
    // First come, first served and round robin, until the host sends again.
    GPUSCHED_TOLD_RESCUE_RR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_told_rescue gpusched_told_rescue;
#else
typedef uint32_t gpusched_told_rescue;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is offered to a host that decides which TB goes where (sheet policy, Parameters).
enum gpusched_told_units
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Of each kernel its next TB, in the order of the FCFS controller's chains.
    GPUSCHED_TOLD_UNITS_CHAIN = 0,
    // A kernel's native TBs and each of its groups by themselves, as under LaPerm with one queue.
    GPUSCHED_TOLD_UNITS_FREE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_told_units gpusched_told_units;
#else
typedef uint32_t gpusched_told_units;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whose TBs are to go. victim_kind of gpusched_victim.
enum gpusched_victim_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Everybody's.
    GPUSCHED_VICTIM_KIND_ALL = 0,
    // A context's.
    GPUSCHED_VICTIM_KIND_CONTEXT = 1,
    // Those of a kernel, and of the groups that joined it.
    GPUSCHED_VICTIM_KIND_KERNEL = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_victim_kind gpusched_victim_kind;
#else
typedef uint32_t gpusched_victim_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A front end: launches in, dispatches out, completions back. It lives in storage of the caller, at the address where it was
// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_frontend gpusched_frontend;

// Parameters of a front end. Fill it with gpusched_frontend_config_init, then change what you like: a newer library adds fields at
// the end, and programs that were built before keep working.
typedef struct gpusched_frontend_config {
    // sizeof this struct in the caller's header.
    uint32_t struct_size;
    // SMXs; SMXs, 1 to 256.
    uint32_t n_smx;
    // TB slots of an SMX; TBs, 1 to 64.
    uint32_t tb_slots;
    // Threads of an SMX; threads, 1 to 65536.
    uint32_t threads;
    // Registers of an SMX; registers, 0 to 2147483647.
    uint32_t regs;
    // Shared memory of an SMX; bytes, 0 to 2147483647.
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
    // Entries of the aggregated group table; AGEs, 1 to 65536.
    uint32_t agt_size;
    // CDP: stream creation, once per warp call; cycles, 0 to 4294967295.
    uint32_t lat_stream;
    // Parameter buffer: fixed part; cycles, 0 to 4294967295.
    uint32_t gpb_b;
    // Parameter buffer: per calling thread; cycles, 0 to 4294967295.
    uint32_t gpb_a;
    // Device launch call: fixed part; cycles, 0 to 4294967295.
    uint32_t ld_b;
    // Device launch call: per calling thread; cycles, 0 to 4294967295.
    uint32_t ld_a;
    // From the KMU to the kernel distributor; cycles, 0 to 4294967295.
    uint32_t lat_dispatch;
    // From one KMU dispatch to the next; 1 = pipelined; cycles, 1 to 4294967295.
    uint32_t kmu_interval;
    // Eligible-kernel search, per entry; cycles, 0 to 65536.
    uint32_t kde_scan;
    // AGT probe, per group; cycles, 0 to 65536.
    uint32_t agt_probe;
    // Load of a spilled group, with load_mode fixed; cycles, 0 to 4294967295.
    uint32_t load_cycles;
    // Groups after which a kernel lets the next one have a turn; 0 = never; groups, 0 to 4294967295.
    uint32_t turn_groups;
    // Classes of gate K; classes, 0 to 8.
    uint32_t n_class;
    // gpusched_kmu_arb: How the KMU chooses between waiting kernels.
    uint32_t kmu_arb;
    // gpusched_hash_scope: Which threads share an AGT index.
    uint32_t hash_scope;
    // gpusched_agt_miss: What becomes of a group that finds its AGE taken.
    uint32_t agt_miss;
    // gpusched_fallback: What a group pays that becomes a device kernel.
    uint32_t fallback;
    // gpusched_load_mode: Who times the load of a spilled group.
    uint32_t load_mode;
    // gpusched_policy.
    uint32_t policy;
    // Work behind a kernel may go ahead on SMXs of which its class has its share (gate K; frontend-A3); 0 or 1.
    uint32_t pass_capped;
    // Gate M: an SMX holds TBs of one (pc, TB shape, registers, shared memory) at a time; 0 or 1.
    uint32_t exclusive;
    // Decisions that can wait to be read, 0 to 2^20. 0 is enough if they are read once in each cycle, in which no request to drain is
    // made and released time and again; more lets many cycles pass between two reads; 1 takes the least memory, and is enough if they
    // are read after each call.
    uint32_t decisions;
    // LaPerm: SMXs that share an L1 cache, and so a queue; at most smxs; SMXs, 1 to 256.
    uint32_t laperm_cluster;
    // LaPerm: L: the deepest nesting level that has a priority of its own; levels, 1 to 24.
    uint32_t laperm_levels;
    // LaPerm: On-chip entries of a unit's queue; kdu_entries in CDP; entries, 1 to 4096.
    uint32_t laperm_queue_cap;
    // LaPerm: Entries of queue 0; kdu_entries in CDP; entries, 1 to 256.
    uint32_t laperm_q0_cap;
    // LaPerm: Entries in memory, overflow or pending, of all units together; entries, 0 to 1048640.
    uint32_t laperm_pool_cap;
    // LaPerm: Stage-3 dispatches before a backup is given up and backups take turns; 0 = never; TBs, 0 to 65535.
    uint32_t laperm_backup_limit;
    // LaPerm: From an overflow list to the chip, with refill_mode fixed; cycles, 0 to 65535.
    uint32_t laperm_refill_cycles;
    // LaPerm: gpusched_laperm_policy: which TBs go first, and where they may go.
    uint32_t laperm_policy;
    // LaPerm: gpusched_laperm_model: what a device-side launch creates.
    uint32_t laperm_model;
    // LaPerm: gpusched_laperm_visit: how many SMXs one cycle visits.
    uint32_t laperm_visit;
    // LaPerm: gpusched_laperm_no_fit: what a candidate that does not fit does to later stages.
    uint32_t laperm_no_fit;
    // LaPerm: gpusched_laperm_spill: who goes to the overflow list when a unit's queue is full.
    uint32_t laperm_spill;
    // LaPerm: gpusched_laperm_backup_select: which unit becomes an SMX's backup.
    uint32_t laperm_backup_select;
    // LaPerm: Whether the search for an entry's place in its queue takes time that can be seen; 0 or 1.
    uint32_t laperm_charge_insert;
    // There is an occupancy-bubble controller, which owns the set of eligible SMXs; 0 or 1.
    uint32_t bubble;
    // Bubbles: Threshold T: numerator; of t_den, 0 to 65535.
    uint32_t bubble_t_num;
    // Bubbles: Threshold T: denominator. T is at most 1; parts, 1 to 65535.
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
    // Bubbles: Voltage of the low P-state, at most that of the high one; mV, 1 to 5000.
    uint32_t bubble_v_low_mv;
    // Bubbles: Clock of the high P-state; MHz, 1 to 5000.
    uint32_t bubble_f_high_mhz;
    // Bubbles: Clock of the low P-state, at most that of the high one; MHz, 1 to 5000.
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
    // Bubbles: gpusched_bubble_retrigger: when a bubble that is still there may be diverted again.
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
    // fcfs_rr: work behind a kernel whose dependency graph has no node to send may go ahead; 0 or 1.
    uint32_t pass_graph;
    // There is a dependency-graph buffer; 0 or 1.
    uint32_t dats;
    // Graphs: Entries of the local node array (LNA) and the node state table; nodes, 1 to 65535.
    uint32_t dats_lna;
    // Graphs: Entries of the local edge array (LEA); edges, 1 to 65535.
    uint32_t dats_lea;
    // Graphs: Entries of the pending update buffer (PUB); updates, 0 to 65535.
    uint32_t dats_pub_entries;
    // Graphs: Bytes of a memory request, and of the node insertion buffer (NIB); a multiple of 8; bytes, 8 to 1024.
    uint32_t dats_chunk_bytes;
    // Graphs: gpusched_dgb_prefetch: when a chunk of nodes is requested.
    uint32_t dats_prefetch;
    // Graphs: gpusched_dgb_level_ref: what the level of a candidate is compared with under LVL.
    uint32_t dats_level_ref;
    // Graphs: A node is dispatched only when its edges are on chip; 0 or 1.
    uint32_t dats_issue_needs_edges;
    // Graphs: Updates that fit nowhere go to the parent counts in memory, so that no graph can deadlock the buffer; 0 or 1.
    uint32_t dats_spill;
    // Groups next in line that may be fetched from memory before they are sent (dtbl-T4a, dtbl-A23); groups, 0 to 8.
    uint32_t load_ahead;
    // LaPerm: gpusched_laperm_refill_mode: who times a refill from an overflow list; of no account in CDP.
    uint32_t laperm_refill_mode;
    // Told: The most TBs that the host sends in a cycle; TBs, 1 to 64.
    uint32_t told_dispatch_per_cycle;
    // Told: Cycles with something open and nothing sent from which on the host is said to be stalled; 0 is never; cycles, 0 to
    // 4294967295.
    uint32_t told_stall_limit;
    // Told: gpusched_told_units: what is offered.
    uint32_t told_units;
    // Told: gpusched_told_rescue: who sends when the host is stalled.
    uint32_t told_rescue;
    // Told: Pieces that units whose unsent TBs the host splits are in, beyond the first of each; 0: it splits none; pieces, 0 to
    // 65535.
    uint32_t told_split_cap;
    // Streams that can be given a context or a priority, those below it; others are of context 0 and priority 0; streams, 1 to 65536.
    uint32_t n_stream;
    // It is known where SMXs lie; 0 or 1. gpusched_frontend_config_gpc says of one GPC after the other where its SMXs lie.
    uint32_t topology;
    // gpusched_numbering: how SMXs are numbered.
    uint32_t topology_numbering;
    // Counted GPC by GPC and TPC by TPC, the places that end a TPC: bit b of word w is place 32w + b.
    uint32_t topology_tpc_ends[8];
    // Those of them that end a GPC.
    uint32_t topology_gpc_ends[8];
    // SMXs that hold no cluster of more than two TBs: bit b of word w is SMX 32w + b.
    uint32_t topology_pair_only[8];
    // There are clusters of TBs; 0 or 1.
    uint32_t cluster;
    // Streams have priorities; 0 or 1.
    uint32_t priority;
    // There are contexts; 0 or 1.
    uint32_t partition;
    // SMXs can be drained, and kernels saved; 0 or 1.
    uint32_t preempt;
    // Clusters: The most TBs of a cluster; TBs, 1 to 64.
    uint32_t cluster_portable;
    // Clusters: The most TBs of a cluster whose launch is not to be portable; TBs, 1 to 64.
    uint32_t cluster_largest;
    // Clusters: gpusched_cluster_fill: how its TBs lie in the GPC.
    uint32_t cluster_fill;
    // Clusters: gpusched_cluster_gpc_order: which GPC is asked first.
    uint32_t cluster_gpc_order;
    // Clusters: Work behind a cluster that waits may go ahead on its SMXs; 0 or 1.
    uint32_t cluster_pass_cluster;
    // Contexts: Contexts; contexts, 1 to 64.
    uint32_t partition_contexts;
    // Contexts: The fewest SMXs of a context; SMXs, 1 to 256.
    uint32_t partition_min_set;
    // Contexts: What the number of a context's SMXs is a multiple of; SMXs, 1 to 256.
    uint32_t partition_align;
    // Contexts: Contexts have whole GPCs, and share none; 0 or 1.
    uint32_t partition_mig;
    // Preemption: Requests that there can be at once; requests, 0 to 64.
    uint32_t preempt_drain_max;
    // Preemption: Saving a kernel: fixed part; cycles, 0 to 4294967295.
    uint32_t preempt_save_base;
    // Preemption: Saving a kernel: bytes that an SMX saves in a cycle; 0: they cost nothing; bytes, 0 to 4294967295.
    uint32_t preempt_save_bytes;
    // Preemption: Restoring a TB: fixed part; cycles, 0 to 4294967295.
    uint32_t preempt_restore_base;
    // Preemption: Restoring a TB: bytes in a cycle; 0: they cost nothing; bytes, 0 to 4294967295.
    uint32_t preempt_restore_bytes;
    // Priorities: Levels; 0 is the lowest; levels, 1 to 64.
    uint32_t priority_levels;
    // From the end of a kernel's last TB until what it wrote is visible, and it may be complete; cycles, 0 to 4294967295.
    uint32_t flush_cycles;
    // Device kernels are fired and forgotten, or launched behind their parents, and none waits for its children; 0 or 1.
    uint32_t cdp2;
    // CDP2: The deepest kernel; those of the host have depth 0; levels, 1 to 255.
    uint32_t cdp2_max_depth;
    // CDP2: From a tail launch's turn to the KMU; cycles, 0 to 4294967295.
    uint32_t cdp2_lat_tail;
    // CDP2: gpusched_tail_depth: whether a tail launch is one level deeper.
    uint32_t cdp2_tail_depth;
    // CDP2: gpusched_pend_hold: until when a launch is pending.
    uint32_t cdp2_pend_hold;
    // Device launches whose kernels are not complete, where completion is told apart from the end of a kernel; grids, 1 to 2^20.
    uint32_t grids;
    // Host kernels can be programmatic dependents, which start before the kernel in front of them is complete; 0 or 1.
    uint32_t pdl;
    // Programmatic dependents: Kernels of one queue in flight at once; kernels, 2 to 64.
    uint32_t pdl_window;
    // Programmatic dependents: gpusched_late_launch: what becomes of a launch by a TB of an open kernel.
    uint32_t pdl_late_launch;
    // There are graphs of kernels; 0 or 1.
    uint32_t kgraph;
    // Kernel graphs: Graphs that are defined; graphs, 1 to 256.
    uint32_t kgraph_graphs;
    // Kernel graphs: Kernels of a graph; kernels, 1 to 65535.
    uint32_t kgraph_nodes;
    // Kernel graphs: Edges of a graph; edges, 0 to 2^20.
    uint32_t kgraph_edges;
    // Kernel graphs: Graphs that run at once; graphs, 1 to 64.
    uint32_t kgraph_insts;
    // Kernel graphs: From one launch of a kernel by the host to the next; cycles, 0 to 4294967295.
    uint32_t kgraph_lat_kernel;
    // Kernel graphs: From the launch of a graph to the next launch: fixed part; cycles, 0 to 4294967295.
    uint32_t kgraph_lat_graph;
    // Kernel graphs: The same: per kernel of the graph; cycles, 0 to 4294967295.
    uint32_t kgraph_lat_node;
    // Kernel graphs: From the completion of the last kernel that one waits for to its place among those that are ready; cycles, 0 to
    // 4294967295.
    uint32_t kgraph_lat_edge;
    // Whether two kernels can share a dependency graph, and TBs of one wait for those of the other; 0 or 1.
    uint32_t cross;
} gpusched_frontend_config;

// Storage in bits, part by part. The source gives none for the baseline structures, so none is counted.
typedef struct gpusched_frontend_storage {
    // NAGEI and LAGEI in the kernel distributor entries.
    uint64_t kde_refs;
    // The first bit in the FCFS controller.
    uint64_t fcfs_first;
    // AGEI in SSCR.
    uint64_t sscr_agei;
    // AGEI in TBCR, one per TB slot.
    uint64_t tbcr_agei;
    // The aggregated group table.
    uint64_t agt;
    // The load buffer.
    uint64_t load_buffer;
    // Gates E, X and K.
    uint64_t gates;
    // What composition adds to control registers, records and entries.
    uint64_t composition;
    // What a host that decides needs: the cycle, what it has said, and the units' keys (sheet policy, Structures); 0 without it.
    // Parents' keys, streams and the starts of TBs are what its own policy reads, and are not counted.
    uint64_t told;
    // What sheet modern adds (Structures): pointers and ranks of clusters, priorities, contexts, requests; 0 without its parts.
    uint64_t modern;
    // What sheet launch2 adds (Structures): grids, which grid is where, and second kernels of graphs; 0 without it.
    uint64_t grids;
    // What DTBL adds to the baseline's registers: 1096 bytes on the K20c (4.4).
    uint64_t dtbl_registers;
    // Everything on chip. Residency is the baseline's; what LaPerm keeps in memory is laperm.off_chip.
    uint64_t total;
    // LaPerm, on chip.
    uint64_t laperm_on_chip;
    // LaPerm's overflow lists, in memory.
    uint64_t laperm_off_chip;
    // The occupancy-bubble controller; 0 without it.
    uint64_t bubble_total;
    // The dependency-graph buffer; 0 without it.
    uint64_t dats_total;
} gpusched_frontend_storage;

// What a cycle did.
typedef struct gpusched_tick {
    // gpusched_sched: the scheduler.
    uint32_t sched;
    // gpusched_kmu: the kernel management unit.
    uint32_t kmu;
} gpusched_tick;

// A kernel or aggregated group as the launch call gives it. Its fields lie as in C, so that C callers' arrays are read in place.
typedef struct gpusched_kernel {
    // Program entry. A group joins a kernel of the same pc, tb, regs and smem.
    uint64_t pc;
    // Grid, in TBs. x at most 2^31-1, y and z at most 65535, the product at most 2^32-1.
    struct gpusched_dim3 grid;
    // TB, in threads.
    struct gpusched_dim3 tb;
    // Registers of one TB.
    uint32_t regs;
    // Shared memory of one TB, in bytes.
    uint32_t smem;
    // Address of the parameters; opaque.
    uint32_t param;
    // Clusters in which its TBs start together; none if all is 0.
    struct gpusched_cluster cluster;
    // The caller's name for this launch; opaque, and told back with every decision about it.
    uint64_t tag;
} gpusched_kernel;

// The second of two kernels that share a dependency graph. Its fields lie as in C.
typedef struct gpusched_consumers {
    // Program entry.
    uint64_t pc;
    // TB, in threads.
    struct gpusched_dim3 tb;
    // Registers of one TB.
    uint32_t regs;
    // Shared memory of one TB, in bytes.
    uint32_t smem;
    // Its first node: those before are the producers'. At least 1, and below the nodes of the graph.
    uint32_t first;
} gpusched_consumers;

// A kernel of a kernel graph as it is defined. Its fields lie as in C.
typedef struct gpusched_kernel_node {
    // The kernel.
    struct gpusched_kernel kernel;
    // Not 0: its entry would stay, joinable. That is refused, for then the graph would not end by itself.
    uint32_t retain;
} gpusched_kernel_node;

// What a kernel of a kernel graph waits for. Its fields lie as in C.
typedef struct gpusched_kernel_edge {
    // Number of the kernel that goes first.
    uint32_t from;
    // Number of the kernel that waits.
    uint32_t to;
    // Until when: FULL or PDL.
    uint32_t kind;
} gpusched_kernel_edge;

// A kernel as a thread of the device launches it into one of its named streams; other streams of the device there are none. Its
// fields lie as in C.
typedef struct gpusched_device_launch {
    // The kernel.
    struct gpusched_kernel kernel;
    // The stream: FIRE_AND_FORGET or TAIL.
    uint32_t stream;
} gpusched_device_launch;

// An aggregated group as the launch call gives it. Its fields lie as in C.
typedef struct gpusched_group {
    // The group's TBs.
    struct gpusched_kernel kernel;
    // The calling thread's number within its SMX, 0..threads.
    uint32_t hw_tid;
} gpusched_group;

// What a context is given.
typedef struct gpusched_context_spec {
    // Its SMXs. Without these and GPCs it has all.
    struct gpusched_smx_set smxs;
    // The GPCs whose SMXs are its own, instead of smxs.
    struct gpusched_gpc_set gpcs;
    // 1 if smxs says something, else 0.
    uint32_t has_smxs;
    // 1 if gpcs says something, else 0.
    uint32_t has_gpcs;
    // The share of its SMXs' threads that it may have, in percent: 1 to 100; GPUSCHED_NONE: all.
    uint32_t quota;
    // Kernel distributor entries that it may hold: 1 to n_kde; GPUSCHED_NONE: all.
    uint32_t kdes;
} gpusched_context_spec;

// Whose TBs are to go.
typedef struct gpusched_victim {
    // gpusched_victim_kind.
    uint32_t victim_kind;
    // The context.
    uint32_t context;
    // Its entry.
    uint32_t kde;
} gpusched_victim;

// How often each word was the answer in a run of cycles.
typedef struct gpusched_words {
    // Cycles that sent a TB.
    uint64_t tb;
    // Cycles without a marked kernel.
    uint64_t idle;
    // Cycles that waited for a load.
    uint64_t load;
    // Cycles without room.
    uint64_t noroom;
    // Cycles in which a gate other than K was closed.
    uint64_t gated;
    // Cycles in which no SMX took a TB whose class had its share of some (gate K).
    uint64_t capped;
    // KMU: cycles that issued a kernel.
    uint64_t issue;
    // KMU: cycles without a waiting kernel.
    uint64_t empty;
    // KMU: cycles in which its last dispatch was under way.
    uint64_t busy;
    // KMU: cycles in which every entry was taken, or all that the contexts of those that wait may hold.
    uint64_t kdfull;
    // LaPerm: cycles whose candidate did not fit.
    uint64_t no_fit;
    // LaPerm: cycles without a candidate for the visited SMX.
    uint64_t no_candidate;
    // LaPerm: cycles that visited a masked SMX.
    uint64_t masked;
    // Cycles in which a dependency graph had no node that was ready.
    uint64_t g_no_ready;
    // Cycles in which the ready nodes waited for their successor's entry or for edges.
    uint64_t g_head;
    // Cycles in which the ready node was too many levels ahead.
    uint64_t g_level_bound;
    // Cycles in which the window could never move again.
    uint64_t g_deadlock;
    // Cycles with a graph whose memory contradicts itself.
    uint64_t g_fault;
    // KMU: cycles in which graphs waited for the dependency-graph buffer.
    uint64_t dgbusy;
    // Cycles in which the host decided to send nothing although it could.
    uint64_t told;
    // Cycles in which no GPC could take all TBs of a cluster, though an SMX could take one.
    uint64_t frag;
    // Cycles in which a context had as many threads as its share allows.
    uint64_t quota;
} gpusched_words;

// A TB and where to run it.
typedef struct gpusched_placement {
    // Its grid.
    struct gpusched_part tb_ref;
    // Tag of the kernel or group that it belongs to.
    uint64_t tag;
    // SMX.
    uint32_t smx;
    // TB slot.
    uint32_t slot;
    // Its kernel's entry.
    uint32_t kde;
    // Its number in that grid; for restored TBs the position in the list of saved ones, for nodes the VID.
    uint32_t blkid;
} gpusched_placement;

// The unit at the head of the line, for controllers that wake SMXs.
typedef struct gpusched_waiting_head {
    // SMXs that may take it, were they eligible and free.
    struct gpusched_smx_set allowed;
    // Tag of the kernel or group whose TB is next.
    uint64_t tag;
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
    // Threads.
    uint32_t threads;
    // Registers.
    uint32_t regs;
    // Shared memory, bytes.
    uint32_t smem;
    // Warps, the last one perhaps partly filled.
    uint32_t warps;
} gpusched_waiting_head;

// A grid that is not complete, as it stands.
typedef struct gpusched_grid {
    // Tag of its kernel.
    uint64_t tag;
    // Its place in the order in which grids were made.
    uint64_t made;
    // The cycle in which what it wrote is visible, while that is to come.
    uint64_t flushed;
    // Incomplete children that were fired and forgotten.
    uint32_t kids;
    // Incomplete tail launches.
    uint32_t tails;
    // The grid whose TB launched it; none of the host's.
    uint32_t parent;
    // Its queue, if it is the host's.
    uint32_t queue;
    // What runs the kernel graph whose kernel it is.
    uint32_t instance;
    // Whether it is a tail launch.
    uint32_t is_tail;
    // Whether its kernel has ended.
    uint32_t is_ended;
    // Whether what follows it in its queue may be issued if it is a programmatic dependent.
    uint32_t is_open;
} gpusched_grid;

// What grids have come to since the machine was built. The counts saturate.
typedef struct gpusched_grid_stats {
    // Grids that are complete.
    uint64_t completes;
    // Tail launches whose turn has come.
    uint64_t tails;
    // Kernels that were open before they ended.
    uint64_t opens;
    // Times that a TB asked to wait for what its kernel follows.
    uint64_t waits;
    // TBs that waited, added up over cycles: what their early residence has kept from others.
    uint64_t wait_slots;
    // Kernels of kernel graphs that were queued for the KMU.
    uint64_t kernel_nodes;
} gpusched_grid_stats;

// A kernel graph, as it stands.
typedef struct gpusched_kgraph {
    // Launches that wait to run.
    uint64_t waiting;
    // Its kernels.
    uint32_t nodes;
    // Its edges.
    uint32_t edges;
    // The instance that runs it.
    uint32_t instance;
} gpusched_kgraph;

// An instance, as it stands.
typedef struct gpusched_instance {
    // The graph that it runs.
    uint32_t graph;
    // The queue that it holds.
    uint32_t queue;
    // Kernels that are not complete.
    uint32_t left;
} gpusched_instance;

// A kernel that is queued for the KMU.
typedef struct gpusched_ready_node {
    // The cycle from which it may be served.
    uint64_t ready;
    // Its place in the order of all launches and resumptions.
    uint64_t seq;
    // The kernel, by its number in the graph.
    uint32_t node;
} gpusched_ready_node;

// A context, as it stands.
typedef struct gpusched_context {
    // Its SMXs.
    struct gpusched_smx_set smxs;
    // Its share, in percent.
    uint32_t quota;
    // The threads that this is.
    uint32_t limit;
    // Entries that it may hold.
    uint32_t kdes;
    // Threads of its resident TBs.
    uint32_t threads;
} gpusched_context;

// Whose a launch is: what its stream was when it was launched, or its parent is.
typedef struct gpusched_owner {
    // The context.
    uint32_t context;
    // The priority; 0 is the lowest.
    uint32_t priority;
} gpusched_owner;

// A request, as it stands.
typedef struct gpusched_drain_request {
    // Its SMXs.
    struct gpusched_smx_set smxs;
    // Whose TBs are to go.
    struct gpusched_victim victim;
    // Whether none is left there.
    uint32_t is_done;
} gpusched_drain_request;

// A GPC, as it stands.
typedef struct gpusched_gpc {
    // Its SMXs.
    struct gpusched_smx_set smxs;
    // The place among them, in ascending order, that the next cluster begins with.
    uint32_t place;
} gpusched_gpc;

// A TPC.
typedef struct gpusched_tpc {
    // Its SMXs.
    struct gpusched_smx_set smxs;
    // The GPC in which it lies.
    uint32_t gpc;
} gpusched_tpc;

// What the front end counted since it was built (DTBL, Interface; frontend, Interface).
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
    // Cycles whose word was told.
    uint64_t told;
    // Times that the host was said to be stalled.
    uint64_t stalled;
    // TBs that the rescue sent.
    uint64_t rescued;
    // Clusters of TBs sent.
    uint64_t clusters;
    // Cycles whose word was frag.
    uint64_t frag;
    // Cycles whose word was quota.
    uint64_t quota;
} gpusched_frontend_stats;

// What is free on one SMX.
typedef struct gpusched_smx {
    // Bit w: slot w is free.
    uint64_t slots;
    // Free threads.
    uint32_t threads;
    // Free registers.
    uint32_t regs;
    // Free shared memory, bytes.
    uint32_t smem;
    // Resident warps.
    uint32_t warps;
} gpusched_smx;

// A resident TB, as its control register shows it.
typedef struct gpusched_tb {
    // Its grid.
    struct gpusched_part tb_ref;
    // SMX.
    uint32_t smx;
    // TB slot.
    uint32_t slot;
    // Its kernel.
    uint32_t kde;
    // Its number in that grid.
    uint32_t blkid;
    // Its class at dispatch.
    uint32_t class_id;
    // Whether it bypasses L1.
    uint32_t bypass;
    // Its priority (LaPerm).
    uint32_t prio;
    // The number of its cluster in the grid, if it is of one.
    uint32_t cluster;
    // Its rank in the cluster.
    uint32_t rank;
    // Whether it has triggered.
    uint32_t has_triggered;
    // Whether it waits for what its kernel follows.
    uint32_t is_waiting;
} gpusched_tb;

// A live group, as its AGE or its record in global memory shows it.
typedef struct gpusched_group_view {
    // Its tag.
    uint64_t tag;
    // Where its information is.
    struct gpusched_part at;
    // The group behind it.
    struct gpusched_part next;
    // Its launch record.
    uint32_t record;
    // The kernel it joined.
    uint32_t kde;
    // ExeBL: its resident TBs.
    uint32_t exe;
    // Whether every TB of it was sent.
    uint32_t dist;
} gpusched_group_view;

// A hardware work queue.
typedef struct gpusched_hwq {
    // Whether a kernel of it is arriving, active, suspended or not complete, or a graph of kernels runs.
    uint32_t busy;
    // Kernels that wait in it.
    uint32_t len;
} gpusched_hwq;

// A place of the load buffer that is taken: a spilled group that was asked for before its turn.
typedef struct gpusched_load_place {
    // Its launch record.
    uint32_t record;
    // gpusched_load: how far the load is.
    uint32_t load;
} gpusched_load_place;

// Gate K of one class on one SMX.
typedef struct gpusched_class_cap {
    // TBs of the class that the SMX may hold; tb_slots is open.
    uint32_t cap;
    // Resident TBs of the class that bypass L1.
    uint32_t by;
    // Resident TBs of the class.
    uint32_t resident;
    // Those of them that bypass L1.
    uint32_t bypassing;
} gpusched_class_cap;

// A TB on an SMX, as a policy sees it.
typedef struct gpusched_resident {
    // The number of its unit (no of gpusched_unit_key).
    uint64_t unit;
    // Stream of the host launch that its unit descends from.
    uint32_t stream;
    // Its threads.
    uint32_t threads;
} gpusched_resident;

// A TB that has ended.
typedef struct gpusched_completion {
    // The number of its unit.
    uint64_t unit;
    // The cycle in which it was sent.
    uint64_t start;
    // The cycle in which it has ended.
    uint64_t end;
    // Warp instructions that it has issued; 0 if nobody has counted.
    uint64_t issued;
    // Warp instructions that all TBs of its unit on that SMX have issued meanwhile, it included.
    uint64_t all;
    // The unit's place in tables (row of gpusched_offer).
    uint32_t row;
    // Its index.
    uint32_t blkid;
    // Where it ran.
    uint32_t smx;
} gpusched_completion;

// How things stand with a host that decides.
typedef struct gpusched_told {
    // If so, the cycle in which it will; wakes 0: only if something happens.
    uint64_t wake;
    // Units that became visible so far: the number of the next one.
    uint64_t units;
    // Whether a cycle was begun that has not ended.
    uint32_t is_begun;
    // TBs that the host has sent in it.
    uint32_t sent;
    // Whether the host has said that it has nothing to say for a while; nothing binds it.
    uint32_t has_declined;
    // 1 if wake says something, else 0.
    uint32_t wakes;
    // Cycles in a row in which the host could have sent and did not, up to stall_limit.
    uint32_t spell;
    // Whether the front end sends until the host sends again.
    uint32_t is_rescuing;
} gpusched_told;

// A kernel distributor entry that is not free.
typedef struct gpusched_kde {
    // Tag of the kernel.
    uint64_t tag;
    // Program entry.
    uint64_t pc;
    // The cycle in which it arrives, at least 1; 0 if it is there: active.
    uint64_t arrives;
    // NAGEI, the first group with TBs to send.
    struct gpusched_part nagei;
    // LAGEI, the last such group.
    struct gpusched_part lagei;
    // AGEI, the group that is being sent; Native for the kernel's own grid.
    struct gpusched_part agei;
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
    // Units of it that are held one by one, by LaPerm or for a host that decides.
    uint32_t pend;
    // Whether the entry stays when its last TB has ended.
    uint32_t retain;
    // Whether it has TBs or groups to send.
    uint32_t marked;
    // The first bit: whether native TBs are still to be sent.
    uint32_t first;
    // Whether the scheduler has tried it; if not, the fields below have no meaning. At the FIFO's head they are SSCR.
    uint32_t tried;
    // NextBL: the next TB of what is being sent.
    uint32_t next_bl;
    // gpusched_load: whether a spilled group's information is here.
    uint32_t load;
    // Groups sent in this turn.
    uint32_t turn;
    // gpusched_graph_state: what has become of its dependency graph, if it has one.
    uint32_t graph;
    // The cycle in which its TBs, which are frozen, are taken off their SMXs; 0 if it is not being saved.
    uint64_t until;
    // Its context.
    uint32_t context;
    // The priority of its stream.
    uint32_t priority;
    // TBs of its next dispatch if it is a kernel of clusters with TBs to send; else 0.
    uint32_t unit;
} gpusched_kde;

// A launch record in use.
typedef struct gpusched_record {
    // Tag of the launch.
    uint64_t tag;
    // The cycle from which it may be served.
    uint64_t ready;
    // The cycle of the launch call.
    uint64_t called;
    // gpusched_record_state: what it holds.
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

// A suspended kernel.
typedef struct gpusched_suspended {
    // Its tag.
    uint64_t tag;
    // TBs that were taken off their SMXs.
    uint32_t saved;
    // Whether it was resumed and waits for the KMU.
    uint32_t resumed;
} gpusched_suspended;

// The native TBs of a kernel, or a group, in one of LaPerm's queues.
typedef struct gpusched_laperm_unit {
    // Tag of the kernel or group.
    uint64_t tag;
    // The cycle from which it is visible; GPUSCHED_NEVER in memory, and while it is being loaded (laperm_refill_mode external).
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

// A unit with TBs to send, or a piece of one.
typedef struct gpusched_offer {
    // Tag of its kernel or group.
    uint64_t tag;
    // What one TB takes; one slot.
    struct gpusched_resources res;
    // When it became visible.
    struct gpusched_unit_key key;
    // The key of the unit whose TB launched it; none, so GPUSCHED_NEVER in both fields, for what the host launched.
    struct gpusched_unit_key parent;
    // SMXs on which nothing stands against its next TB. It can be sent to one of them unless load says needed or waiting, or it is a
    // node that is not known.
    struct gpusched_smx_set open;
    // SMXs on which its class has its share (gate K) and which are closed to it for that.
    struct gpusched_smx_set capped;
    // Its name, for gpusched_frontend_send: below GPUSCHED_OFFER_RECORD its kernel distributor entry; of a group by itself that number
    // and its launch record.
    uint32_t id;
    // Its unit's place in tables of whoever keeps something for each: below the entries and launch records of the host together, and
    // no other unit's until all TBs of this one have ended.
    uint32_t row;
    // gpusched_offer_kind: what its next TB is.
    uint32_t kind;
    // The next TB: its index; of restored TBs, its position; of a graph, the node, GPUSCHED_NONE if that is not known.
    uint32_t blkid;
    // TBs that are still to be sent; of a unit in pieces, those of this piece.
    uint32_t left;
    // All TBs of the unit.
    uint32_t total;
    // Priority, higher first.
    uint32_t prio;
    // SMX of the TB that launched it; GPUSCHED_NONE for what the host launched.
    uint32_t psmx;
    // Class of its kernel (gate K); GPUSCHED_NONE if it has none.
    uint32_t class_id;
    // Stream of the host launch that it descends from, as far as its host tells streams apart: a front end by their hardware work
    // queues.
    uint32_t stream;
    // gpusched_offer_load: the load of its information.
    uint32_t load;
    // 0.
    uint32_t reserved;
} gpusched_offer;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source.
//
// @param config  Written.
// @param size    sizeof(gpusched_frontend_config) in the caller's header.
// @param preset  gpusched_gpu.
// @return Null, Misaligned, BadStructSize; BadIndex: no such preset.
gpusched_status gpusched_frontend_config_init(struct gpusched_frontend_config *config, size_t size, uint32_t preset);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_frontend_config_check(const struct gpusched_frontend_config *config,
                                               struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_frontend_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_frontend_storage_bits(const struct gpusched_frontend_config *config,
                                               struct gpusched_frontend_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_frontend_layout(const struct gpusched_frontend_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_frontend_layout says.
// @param size     At least what gpusched_frontend_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param frontend   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_frontend_init(void *storage,
                                       size_t size,
                                       const struct gpusched_frontend_config *config,
                                       struct gpusched_frontend **frontend);

// Activity of each SMX in thousandths, for the next sample, which uses it up.
//
// @param frontend  The machine.
// @param per_smx   Thousandths, one number per SMX.
// @param count     Their number.
// @return NoBubble; BadActivity unless there is one value from 0 to 1000 per SMX; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_activity(struct gpusched_frontend *frontend,
                                           const uint16_t *per_smx,
                                           size_t count);

// The end of a run: the energy account is closed up to now, and nothing else happens.
//
// @param frontend  The machine.
// @param activity  Thousandths, one number per SMX; null if activity follows from the occupancy.
// @param count     Their number.
// @return NoBubble; BadActivity, as in gpusched_frontend_activity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_account(struct gpusched_frontend *frontend, const uint16_t *activity, size_t count);

// The TB at smx, slot has ended. Its room can be used by this cycle's tick.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param slot      Its TB slot.
// @return BadSmx, BadSlot, NoTb, Saving; TbWaiting; Unread; those of the object.
gpusched_status gpusched_frontend_tb_done(struct gpusched_frontend *frontend, uint32_t smx, uint32_t slot);

// Ends the hold on a kernel that was launched with retain.
//
// @param frontend  The machine.
// @param kde       The kernel's entry.
// @return BadKde, NoKernel, NotRetained; Unread; those of the object.
gpusched_status gpusched_frontend_unretain(struct gpusched_frontend *frontend, uint32_t kde);

// Carries out cycle now, then moves to the next one.
//
// @param frontend  The machine.
// @param tick      Receives what the cycle did; its decisions tell the rest. May be null.
// @return Told if the host decides; TimeOverflow in the last cycle; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_tick(struct gpusched_frontend *frontend, struct gpusched_tick *tick);

// Gate E: only these SMXs take TBs.
//
// @param frontend  The machine.
// @param eligible  The SMXs.
// @return BubbleOwnsMask with an occupancy-bubble controller; BadMask if the set names an SMX that does not exist; Null,
// Misaligned; those of the object.
gpusched_status gpusched_frontend_set_eligible(struct gpusched_frontend *frontend,
                                               const struct gpusched_smx_set *eligible);

// Gate X: smx holds at most cap TBs; tb_slots is open. Nothing is evicted.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param cap       TBs.
// @return BadSmx, BadCap; those of the object.
gpusched_status gpusched_frontend_set_block_cap(struct gpusched_frontend *frontend, uint32_t smx, uint32_t cap);

// Gate K: kernels with entry pc are of this class from now on. Its caps stay. Under LaPerm the call goes through the units on
// chip.
//
// @param frontend  The machine.
// @param cls       The class.
// @param pc        The program entry.
// @return BadClass; ClassTaken: pc belongs to another class; those of the object.
gpusched_status gpusched_frontend_set_class(struct gpusched_frontend *frontend,
                                            uint32_t cls,
                                            uint64_t pc);

// Gate K: no kernel is of this class any more. Its caps stay.
//
// @param frontend  The machine.
// @param cls       The class.
// @return BadClass; those of the object.
gpusched_status gpusched_frontend_clear_class(struct gpusched_frontend *frontend, uint32_t cls);

// Gate K: smx holds at most cap TBs of the class, the first by of which bypass L1; tb_slots is open.
//
// @param frontend  The machine.
// @param cls       The class.
// @param smx       The SMX.
// @param cap       TBs of the class.
// @param by        Those of them that bypass L1.
// @return BadClass, BadSmx, BadCap; those of the object.
gpusched_status gpusched_frontend_set_class_cap(struct gpusched_frontend *frontend,
                                                uint32_t cls,
                                                uint32_t smx,
                                                uint32_t cap,
                                                uint32_t by);

// Whether an active kernel of the class has unsent TBs or groups.
//
// @param frontend  The machine.
// @param cls       The class.
// @param has_work  Receives 1 if there are some, else 0.
// @return BadClass; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_has_work(const struct gpusched_frontend *frontend, uint32_t cls, uint32_t *has_work);

// A host kernel whose TBs are the nodes of a dependency graph, in stream stream. Its grid has as many TBs as the graph has nodes.
// The host answers the requests of gpusched_frontend_graph_poll from then on.
//
// @param frontend    The machine.
// @param stream      Any number; streams share a queue if they are equal modulo n_hwq.
// @param descriptor  The kernel. Its grid has as many TBs as the graph has nodes.
// @param retain      As of gpusched_frontend_host_launch; a kernel with a graph cannot be retained.
// @param graph       The graph.
// @param queue       Receives the queue. May be null.
// @return EmptyGrid, GridTooLarge, EmptyTb, TbTooBig, NoClusters, ClusterGraph, TbOverQuota, NoDgb, GraphRetain if it is to be
// retained, GraphSize, TooManyNodes, TooManyEdges, Misaligned, AddressOverflow, HwqFull; MidCycle before all others; Null,
// Misaligned; those of the object.
gpusched_status gpusched_frontend_host_launch_graph(struct gpusched_frontend *frontend,
                                                    uint32_t stream,
                                                    const struct gpusched_kernel *descriptor,
                                                    uint32_t retain,
                                                    const struct gpusched_dgb_header *graph,
                                                    uint32_t *queue);

// The same, as a programmatic dependent of the kernel in front of it in its queue.
//
// @param frontend    The machine.
// @param stream      As of gpusched_frontend_host_launch.
// @param descriptor  The kernel. Its grid has as many TBs as the graph has nodes.
// @param retain      As of gpusched_frontend_host_launch_graph.
// @param graph       The graph.
// @param queue       Receives the queue. May be null.
// @return NoPdl if the machine has none; as gpusched_frontend_host_launch_graph; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_host_launch_graph_dependent(struct gpusched_frontend *frontend,
                                                              uint32_t stream,
                                                              const struct gpusched_kernel *descriptor,
                                                              uint32_t retain,
                                                              const struct gpusched_dgb_header *graph,
                                                              uint32_t *queue);

// Two kernels that share a dependency graph, as one kernel of the host: producers, whose nodes come first and whose grid has as
// many TBs as the graph has nodes, and consumers, which wait for them TB by TB. Producers are at level 0, and consumers have no
// children.
//
// @param frontend   The machine.
// @param stream     As of gpusched_frontend_host_launch.
// @param producers  The first kernel. Its grid has as many TBs as the graph has nodes.
// @param retain     As of gpusched_frontend_host_launch_graph.
// @param graph      The graph.
// @param consumers  The second kernel.
// @param queue      Receives the queue. May be null.
// @return NoCross if the machine has none; after what is wrong with the shape of the producers' TBs that of the consumers'
// (EmptyTb, TbTooBig), then BadParts; as gpusched_frontend_host_launch_graph; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_host_launch_cross(struct gpusched_frontend *frontend,
                                                    uint32_t stream,
                                                    const struct gpusched_kernel *producers,
                                                    uint32_t retain,
                                                    const struct gpusched_dgb_header *graph,
                                                    const struct gpusched_consumers *consumers,
                                                    uint32_t *queue);

// The same, as programmatic dependents of the kernel in front of them in their queue.
//
// @param frontend   The machine.
// @param stream     As of gpusched_frontend_host_launch.
// @param producers  As of gpusched_frontend_host_launch_cross.
// @param retain     As of gpusched_frontend_host_launch_graph.
// @param graph      The graph.
// @param consumers  The second kernel.
// @param queue      Receives the queue. May be null.
// @return NoPdl if the machine has none; as gpusched_frontend_host_launch_cross; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_host_launch_cross_dependent(struct gpusched_frontend *frontend,
                                                              uint32_t stream,
                                                              const struct gpusched_kernel *producers,
                                                              uint32_t retain,
                                                              const struct gpusched_dgb_header *graph,
                                                              const struct gpusched_consumers *consumers,
                                                              uint32_t *queue);

// The buffer's next memory request, if one is due (gpusched_dgb_poll).
//
// @param frontend    The machine.
// @param graph_poll  Receives the request; its present tells whether one is due.
// @param error       If the machine refuses, receives what that is about. May be null.
// @return NoDgb; those of gpusched_dgb_poll; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_graph_poll(struct gpusched_frontend *frontend,
                                             struct gpusched_dgb_request *graph_poll,
                                             struct gpusched_dgb_error *error);

// A chunk of nodes lands (gpusched_dgb_nodes).
//
// @param frontend     The machine.
// @param tag          That of the request.
// @param entries      Entries of the node array, as many as were asked for.
// @param count        Their number.
// @param graph_nodes  Receives what came of it. May be null.
// @param error        If the machine refuses, receives what that is about. May be null.
// @return NoDgb; those of gpusched_dgb_nodes; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_graph_nodes(struct gpusched_frontend *frontend,
                                              uint32_t tag,
                                              const uint64_t *entries,
                                              size_t count,
                                              struct gpusched_dgb_report *graph_nodes,
                                              struct gpusched_dgb_error *error);

// Edges arrive (gpusched_dgb_edges).
//
// @param frontend     The machine.
// @param tag          That of the request.
// @param targets      Entries of the edge array, as many as were asked for.
// @param count        Their number.
// @param graph_edges  Receives what came of it. May be null.
// @param error        If the machine refuses, receives what that is about. May be null.
// @return NoDgb; those of gpusched_dgb_edges; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_graph_edges(struct gpusched_frontend *frontend,
                                              uint32_t tag,
                                              const uint16_t *targets,
                                              size_t count,
                                              struct gpusched_dgb_report *graph_edges,
                                              struct gpusched_dgb_error *error);

// Memory has subtracted (gpusched_dgb_spilled).
//
// @param frontend       The machine.
// @param tag            That of the request.
// @param graph_spilled  Receives what came of it. May be null.
// @param error          If the machine refuses, receives what that is about. May be null.
// @return NoDgb; those of gpusched_dgb_spilled; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_graph_spilled(struct gpusched_frontend *frontend,
                                                uint32_t tag,
                                                struct gpusched_dgb_report *graph_spilled,
                                                struct gpusched_dgb_error *error);

// Gives a kernel's graph up. Nodes that were not sent never are; those that run stay until tb_done, and the kernel ends with the
// last of them. The buffer is free at once.
//
// @param frontend  The machine.
// @param kde       The kernel's entry.
// @return BadKde, NoKernel, NotGraph, NotRunning if the graph is finished or was given up; Unread; those of the object.
gpusched_status gpusched_frontend_abort_graph(struct gpusched_frontend *frontend,
                                              uint32_t kde);

// As far as the TB is concerned, the kernel behind its own may start. To say so again has no effect. That it is the TB as a whole
// that says so is for the host to see.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param slot      Its TB slot.
// @return NoPdl if the machine has no programmatic dependents; BadSmx, BadSlot, NoTb, Saving; Unread; those of the object.
gpusched_status gpusched_frontend_tb_trigger(struct gpusched_frontend *frontend,
                                             uint32_t smx,
                                             uint32_t slot);

// The TB waits until the kernel that its own follows is complete and its memory visible. It is told so, at once if that is so, by
// Released; until then it does not end.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param slot      Its TB slot.
// @return As gpusched_frontend_tb_trigger, then AlreadyWaiting; Unread; those of the object.
gpusched_status gpusched_frontend_tb_wait(struct gpusched_frontend *frontend,
                                          uint32_t smx,
                                          uint32_t slot);

// A graph of kernels, each of which waits for those from which an edge leads to it. Nothing is launched.
//
// @param frontend     The machine.
// @param nodes        The kernels, which are numbered from 0.
// @param nodes_count  Their number.
// @param edges        What waits for what.
// @param edges_count  Their number.
// @param graph        Receives the graph's number.
// @return NoKgraph if the machine has none, KgraphFull, EmptyKgraph, KgraphSize; per kernel what gpusched_frontend_host_launch
// refuses of its shape and cluster, and GraphRetain; per edge KgraphEdge, BadPdlEdge; KgraphCycle; Null, Misaligned; those of the
// object.
gpusched_status gpusched_frontend_kgraph_define(struct gpusched_frontend *frontend,
                                                const struct gpusched_kernel_node *nodes,
                                                size_t nodes_count,
                                                const struct gpusched_kernel_edge *edges,
                                                size_t edges_count,
                                                uint32_t *graph);

// Launches a graph into a stream. It begins to run when it is the oldest launch of the graph that waits, no other one of it runs,
// and what is in front of it in its queue is complete.
//
// @param frontend  The machine.
// @param graph     The graph.
// @param stream    As of gpusched_frontend_host_launch.
// @param queue     Receives the queue. May be null.
// @return NoKgraph, BadKgraph; what is refused of a kernel because of the stream's context; HwqFull; Null, Misaligned; those of
// the object.
gpusched_status gpusched_frontend_kgraph_launch(struct gpusched_frontend *frontend,
                                                uint32_t graph,
                                                uint32_t stream,
                                                uint32_t *queue);

// Forgets a graph.
//
// @param frontend  The machine.
// @param graph     The graph.
// @return NoKgraph, BadKgraph, KgraphBusy while a launch of it waits or runs; those of the object.
gpusched_status gpusched_frontend_kgraph_destroy(struct gpusched_frontend *frontend, uint32_t graph);

// LaPerm: a unit of this tag, which a refill asked for, is on chip (refill_mode external, laperm-R14). Of several, the first by
// bind unit and in its queue.
//
// @param frontend  The machine.
// @param tag       The host's name for it; opaque, and told back with every decision about it.
// @return NoLoad if none is being loaded; those of the object.
gpusched_status gpusched_frontend_refilled(struct gpusched_frontend *frontend,
                                           uint64_t tag);

// A kernel from the host, in stream stream. With retain its entry stays, joinable, until gpusched_frontend_unretain.
//
// @param frontend    The machine.
// @param stream      Any number; streams share a queue if they are equal modulo n_hwq.
// @param descriptor  The kernel.
// @param retain      If not 0, the kernel's entry stays, joinable by groups, until gpusched_frontend_unretain.
// @param queue       Receives the queue. May be null.
// @return EmptyGrid, GridTooLarge, EmptyTb, TbTooBig; NoClusters, EmptyCluster, ClusterTooBig, ClusterGrid, TbOverQuota,
// ClusterNever (modern-V5 to modern-V7); HwqFull; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_host_launch(struct gpusched_frontend *frontend,
                                              uint32_t stream,
                                              const struct gpusched_kernel *descriptor,
                                              uint32_t retain,
                                              uint32_t *queue);

// The same, as a programmatic dependent: it may be issued when the kernel in front of it in its queue is open, before that is
// complete.
//
// @param frontend    The machine.
// @param stream      As of gpusched_frontend_host_launch.
// @param descriptor  The kernel.
// @param retain      As of gpusched_frontend_host_launch.
// @param queue       Receives the queue. May be null.
// @return NoPdl if the machine has none; as gpusched_frontend_host_launch; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_host_launch_dependent(struct gpusched_frontend *frontend,
                                                        uint32_t stream,
                                                        const struct gpusched_kernel *descriptor,
                                                        uint32_t retain,
                                                        uint32_t *queue);

// Kernels launched by threads of one warp of the TB at smx, slot, one per calling lane.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param slot      Its TB slot.
// @param kernels   The kernels, one per calling lane: 1 to warp.
// @param count     Their number.
// @param records   Receives their launch records, in the order of the lanes. May be null.
// @return BadSmx, BadSlot, NoTb, Saving, Opened, BadCount, a lane's refusal as of gpusched_frontend_host_launch, DepthLimit,
// PendingLimit. One faulty lane refuses the whole command; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_device_launch(struct gpusched_frontend *frontend,
                                                uint32_t smx,
                                                uint32_t slot,
                                                const struct gpusched_kernel *kernels,
                                                size_t count,
                                                uint32_t *records);

// The same, each kernel into the stream that its lane names.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param slot      Its TB slot.
// @param launches  The kernels and their streams, one per calling lane: 1 to warp.
// @param count     Their number.
// @param records   Receives their launch records, in the order of the lanes. May be null.
// @return NoCdp2 if the machine has no such streams; as gpusched_frontend_device_launch, with BadStream behind what is refused of
// a lane's kernel; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_device_launch_named(struct gpusched_frontend *frontend,
                                                      uint32_t smx,
                                                      uint32_t slot,
                                                      const struct gpusched_device_launch *launches,
                                                      size_t count,
                                                      uint32_t *records);

// Aggregated groups launched by threads of one warp of the TB at smx, slot, one per calling lane.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param slot      Its TB slot.
// @param groups    The groups, one per calling lane: 1 to warp.
// @param count     Their number.
// @param records   Receives their launch records, in the order of the lanes. May be null.
// @return NoDtbl under LaPerm's model cdp, and where kernels are launched into named streams; then as
// gpusched_frontend_device_launch, but that a group with a cluster is NoClusters or ClusterGroup, and a lane's BadThread after its
// other checks; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_agg_launch(struct gpusched_frontend *frontend,
                                             uint32_t smx,
                                             uint32_t slot,
                                             const struct gpusched_group *groups,
                                             size_t count,
                                             uint32_t *records);

// Launches of a stream are of this context, and have this priority, from now on; what is not given stays.
//
// @param frontend  The machine.
// @param stream    Any number below n_stream.
// @param context   Its context; GPUSCHED_NONE: what it was.
// @param priority  Its priority, 0 is the lowest; GPUSCHED_NONE: what it was.
// @return NoPartition, BadContext if there is none or it has no SMXs; NoPriority, BadPriority; BadStream; StreamBusy while a
// kernel of it is queued, in the distributor or suspended, or its queue is held by a graph of kernels or by a kernel that has
// ended but is not complete; those of the object.
gpusched_status gpusched_frontend_set_stream(struct gpusched_frontend *frontend,
                                             uint32_t stream,
                                             uint32_t context,
                                             uint32_t priority);

// What a context has from now on: all four, whether it had them before or not.
//
// @param frontend  The machine.
// @param context   The context.
// @param spec      What it has.
// @return NoPartition, BadContext; NoTopology for GPCs where none are known; BadSet, MigSplit, MigOverlap, BadQuota, BadLimit;
// ContextBusy while a kernel or group of it is anywhere, or one of its queues is held as for gpusched_frontend_set_stream; Null,
// Misaligned; those of the object.
gpusched_status gpusched_frontend_set_context(struct gpusched_frontend *frontend,
                                              uint32_t context,
                                              const struct gpusched_context_spec *spec);

// From now on no TB of the victim starts on these SMXs. The number of the request.
//
// @param frontend  The machine.
// @param smxs      The SMXs.
// @param victim    Whose TBs are to go.
// @param drain     Receives the number of the request. May be null.
// @return NoPreempt; BadSmx if the set is empty or names what does not exist; BadKde, NoKernel; BadContext; DrainFull; Unread;
// BadEnum; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_drain(struct gpusched_frontend *frontend,
                                        const struct gpusched_smx_set *smxs,
                                        const struct gpusched_victim *victim,
                                        uint32_t *drain);

// The SMXs of a request are open again, drained or not.
//
// @param frontend  The machine.
// @param drain     The request.
// @return BadDrain; those of the object.
gpusched_status gpusched_frontend_release_drain(struct gpusched_frontend *frontend, uint32_t drain);

// Freezes a kernel's TBs; in the cycle that is told they are taken off their SMXs, as by gpusched_frontend_suspend. Where saving
// costs nothing that happens at once. A kernel is saved everywhere or nowhere.
//
// @param frontend  The machine.
// @param kde       The kernel's entry.
// @param until     Receives the cycle in which its TBs are taken off. May be null.
// @return NoPreempt, then as gpusched_frontend_suspend; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_save_kernel(struct gpusched_frontend *frontend,
                                              uint32_t kde,
                                              uint64_t *until);

// Clusters of this kernel that an empty machine holds at once, in the SMXs of a context, if there are contexts. Its grid says
// nothing.
//
// @param frontend  The machine.
// @param kernel    The kernel; its grid says nothing.
// @param context   The context; 0 if there are none.
// @param clusters  Receives how many.
// @return NoClusters, BadContext, EmptyTb, TbTooBig, EmptyCluster, ClusterTooBig; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_max_active_clusters(const struct gpusched_frontend *frontend,
                                                      const struct gpusched_kernel *kernel,
                                                      uint32_t context,
                                                      uint32_t *clusters);

// The GPC of an SMX.
//
// @param frontend  The machine.
// @param smx       The SMX.
// @param gpc       Receives the GPC.
// @return NoTopology, BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_gpc_of(const struct gpusched_frontend *frontend, uint32_t smx, uint32_t *gpc);

// Carries out cycles until one has decided something or until is the next one, whichever comes first: what gpusched_frontend_run
// would have done for them. Under LaPerm a cycle that gpusched_frontend_next_event announces because a unit is loaded in it may
// turn out to decide nothing; it ends the span, too.
//
// @param frontend  The machine.
// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER for no limit.
// @param words     Receives how often each word was the answer. May be null.
// @return Told if the host decides; TimeOverflow if nothing is due and until is MAX: time would end. Nothing is carried out then;
// Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_advance(struct gpusched_frontend *frontend,
                                          uint64_t until,
                                          struct gpusched_words *words);

// Takes a kernel's TBs off their SMXs and its entry away; its queue stays held. Register and memory contexts are the caller's to
// keep, in the order of the Saved decisions.
//
// @param frontend  The machine.
// @param kde       The kernel's entry.
// @param index     Receives its place in the list of suspended kernels. May be null.
// @return NoJoin where no kernel waits for its children; BadKde, NoKernel, GraphKernel, PdlKernel, Saving, Retained, HasGroups,
// RestorePending, Split, NothingResident, SyncDepth, SuspFull; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_suspend(struct gpusched_frontend *frontend,
                                          uint32_t kde,
                                          uint32_t *index);

// Makes a suspended kernel a candidate of the KMU. It will send its saved TBs first, on any SMX, then those never sent.
//
// @param frontend  The machine.
// @param index     Its place in the list of suspended kernels.
// @return BadSusp, AlreadyResumed; those of the object.
gpusched_status gpusched_frontend_resume(struct gpusched_frontend *frontend, uint32_t index);

// The information of a spilled group is here (load_mode external).
//
// @param frontend  The machine.
// @param record    Its launch record.
// @return NoLoad if that record was not asked for, or was answered; those of the object.
gpusched_status gpusched_frontend_spill_loaded(struct gpusched_frontend *frontend, uint32_t record);

// Begins a cycle: the KMU, arrivals, coalescing, the sample of the occupancy-bubble controller, and loads that are due. Nothing
// but offers, loads, sends and queries is accepted until gpusched_frontend_end.
//
// @param frontend  The machine.
// @param kmu       Receives gpusched_kmu, the word of the KMU. May be null.
// @return NotTold if the policy is not the host's; TwiceBegun; TimeOverflow in the last cycle; Unread; Null, Misaligned; those of
// the object.
gpusched_status gpusched_frontend_begin(struct gpusched_frontend *frontend,
                                        uint32_t *kmu);

// Asks for the information of a spilled group that is offered. With load_mode fixed it is here load_cycles later, with external
// when the host says so (gpusched_frontend_spill_loaded).
//
// @param frontend  The machine.
// @param id        The offer.
// @return NotTold, NotBegun, BadOffer; NoLoad if nothing is to be loaded, or was asked for before; Unread; those of the object.
gpusched_status gpusched_frontend_load(struct gpusched_frontend *frontend,
                                       uint32_t id);

// Sends the next TB of an offered unit to an SMX.
//
// @param frontend  The machine.
// @param id        The offer.
// @param smx       An SMX that is open to it.
// @param tb        Receives what was sent, which is a decision, too. May be null.
// @return NotTold, NotBegun, BadOffer, BadSmx; NotHere if its information is still to be loaded; NoNode if its graph has no node
// to send; ClosedK, ClosedR, ClosedE, ClosedX or ClosedM, the first that stands against it there; CycleFull; Unread; Null,
// Misaligned; those of the object.
gpusched_status gpusched_frontend_send(struct gpusched_frontend *frontend,
                                       uint32_t id,
                                       uint32_t smx,
                                       struct gpusched_placement *tb);

// Splits what is unsent of an offered unit, or of a piece of one, before its TB at, so that the TBs from there on can be sent
// before those that are left to the offer. They are a piece by themselves, whose name is told, and stand right behind it. Nothing
// is decided or counted.
//
// @param frontend  The machine.
// @param id        The offer.
// @param at        The first TB of the piece.
// @param piece     Receives the name of the new offer. May be null.
// @return NotTold, NotBegun, BadOffer; NoSplit if it is of a chain or a graph, has restored TBs to send, or would keep or give
// nothing; SplitFull if split_cap pieces are there; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_split(struct gpusched_frontend *frontend,
                                        uint32_t id,
                                        uint32_t at,
                                        uint32_t *piece);

// Up to to, but not beyond gpusched_frontend_next_event, cycles go by at once in which the host has nothing to say. How many; it
// stops rather than fails where something falls due.
//
// @param frontend  The machine.
// @param to        The cycle that will not go by any more.
// @param cycles    Receives how many cycles. May be null.
// @return NotTold, MidCycle; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_skip(struct gpusched_frontend *frontend,
                                       uint64_t to,
                                       uint64_t *cycles);

// The first unit in line that no SMX takes although one that is not eligible may; else the first in line. A unit that waits for
// gate X, M or K on every SMX that is left to it is passed over.
//
// @param frontend  The machine.
// @param start     The bind unit to begin with under LaPerm; else 0.
// @param head      Receives the unit at the head of the line, for controllers that wake SMXs.
// @return BadUnit; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_waiting_head(const struct gpusched_frontend *frontend,
                                               uint32_t start,
                                               struct gpusched_waiting_head *head);

// The configuration.
//
// @param size  sizeof(gpusched_frontend_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_get_config(const struct gpusched_frontend *frontend,
                                             struct gpusched_frontend_config *config,
                                             size_t size);

// The configuration of a part as a front end has it: Bubbles.
//
// @param size  sizeof(gpusched_bubble_config) in the caller's header.
// @return NoBubble: there is no such part; Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_bubble_config(const struct gpusched_frontend *frontend,
                                                struct gpusched_bubble_config *config,
                                                size_t size);

// The configuration of a part as a front end has it: Graphs.
//
// @param size  sizeof(gpusched_dgb_config) in the caller's header.
// @return NoDgb: there is no such part; Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_dgb_config(const struct gpusched_frontend *frontend,
                                             struct gpusched_dgb_config *config,
                                             size_t size);

// The configuration of a part as a front end has it: LaPerm.
//
// @param size  sizeof(gpusched_laperm_config) in the caller's header.
// @return WrongModel: there is no such part; Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_frontend_laperm_config(const struct gpusched_frontend *frontend,
                                                struct gpusched_laperm_config *config,
                                                size_t size);

// The cycle of the controller's next sample; GPUSCHED_NEVER if it is beyond the last cycle, or there is no controller.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_next_sample(const struct gpusched_frontend *frontend, uint64_t *cycle);

// The kernel that has the dependency-graph buffer: its graph is arriving, running, or in a fault. GPUSCHED_NONE: it is free.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_owner(const struct gpusched_frontend *frontend,
                                            uint32_t *kde);

// A grid that is not complete; BadIndex if there is none of that number.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_grid(const struct gpusched_frontend *frontend,
                                       uint32_t grid,
                                       struct gpusched_grid *view);

// Numbers of grids: those below this one.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_n_grid(const struct gpusched_frontend *frontend, uint32_t *count);

// The grid of the kernel in an entry; GPUSCHED_NONE if there is no kernel, or no such entry, or grids are not told apart.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_grid_of(const struct gpusched_frontend *frontend,
                                          uint32_t kde,
                                          uint32_t *grid);

// What grids have come to, where completion is told apart from the end of a kernel.
//
// @return NoCdp2; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_grid_stats(const struct gpusched_frontend *frontend,
                                             struct gpusched_grid_stats *stats);

// A kernel graph; BadIndex if there is none of that number.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_kernel_graph(const struct gpusched_frontend *frontend,
                                               uint32_t graph,
                                               struct gpusched_kgraph *view);

// What runs a kernel graph; BadIndex if nothing of that number runs.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_instance(const struct gpusched_frontend *frontend,
                                           uint32_t instance,
                                           struct gpusched_instance *view);

// Kernels of an instance that wait for the KMU, in order.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_ready_nodes(const struct gpusched_frontend *frontend,
                                              uint32_t instance,
                                              struct gpusched_ready_node *nodes,
                                              size_t capacity,
                                              size_t *count);

// The cycle in which the host's way of launching is free again; GPUSCHED_NEVER if there are no kernel graphs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_host_free(const struct gpusched_frontend *frontend, uint64_t *cycle);

// LaPerm: bind units, each with a queue.
//
// @return WrongModel; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_units(const struct gpusched_frontend *frontend, uint32_t *units);

// LaPerm: the SMX that is visited next.
//
// @return WrongModel; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_cur(const struct gpusched_frontend *frontend, uint32_t *smx);

// LaPerm: the backup record of an SMX.
//
// @return WrongModel; BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_backup(const struct gpusched_frontend *frontend,
                                                uint32_t smx,
                                                struct gpusched_laperm_backup *backup);

// LaPerm's model cdp: the bind unit that the KMU asks first.
//
// @return WrongModel; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_kmu_pointer(const struct gpusched_frontend *frontend, uint32_t *unit);

// LaPerm: free places of the overflow lists. The model cdp has none.
//
// @return WrongModel; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_pool_free(const struct gpusched_frontend *frontend, uint32_t *places);

// A context; BadContext if there is none of that number.
//
// @return BadContext; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_context(const struct gpusched_frontend *frontend,
                                          uint32_t context,
                                          struct gpusched_context *view);

// What a stream was set to; BadStream if it was not.
//
// @return BadStream; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_stream(const struct gpusched_frontend *frontend,
                                         uint32_t stream,
                                         struct gpusched_owner *owner);

// A request; BadDrain if there is none of that number.
//
// @return BadDrain; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_drain_request(const struct gpusched_frontend *frontend,
                                                uint32_t drain,
                                                struct gpusched_drain_request *request);

// A GPC; BadIndex if there is none of that number.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_gpc(const struct gpusched_frontend *frontend,
                                      uint32_t gpc,
                                      struct gpusched_gpc *view);

// The GPC that is asked first for the next cluster; GPUSCHED_NONE if no GPCs are known.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_gpc_pointer(const struct gpusched_frontend *frontend, uint32_t *gpc);

// TPCs, in the order of their SMXs.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_tpcs(const struct gpusched_frontend *frontend,
                                       struct gpusched_tpc *tpcs,
                                       size_t capacity,
                                       size_t *count);

// The cycle that the next gpusched_frontend_tick carries out.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_now(const struct gpusched_frontend *frontend, uint64_t *cycle);

// Statistics since the machine was built.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_get_stats(const struct gpusched_frontend *frontend,
                                            struct gpusched_frontend_stats *frontend_stats);

// The SMX that the scheduler tries first.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_rr(const struct gpusched_frontend *frontend, uint32_t *smx);

// What the machine waits for.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_get_status(const struct gpusched_frontend *frontend, uint32_t *waits_for);

// What is free on an SMX; BadSmx if there is no such SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_smx(const struct gpusched_frontend *frontend,
                                      uint32_t smx,
                                      struct gpusched_smx *free);

// The TB in a slot of an SMX.
//
// @return BadSmx; BadSlot; NoTb; Null, Misaligned; those of the object.
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

// Warps of all resident TBs.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_resident_warps(const struct gpusched_frontend *frontend, uint32_t *warps);

// Marked entries in the FCFS controller, head first. The head's cursor is SSCR.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_fcfs(const struct gpusched_frontend *frontend,
                                       uint32_t *kdes,
                                       size_t capacity,
                                       size_t *count);

// The lowest active entry that a group with this descriptor would join; GPUSCHED_NONE if it would become a device kernel (dtbl-T3
// step 1). Of several contexts the first is meant: nothing joins across them.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_eligible_kernel(const struct gpusched_frontend *frontend,
                                                  const struct gpusched_kernel *descriptor,
                                                  uint32_t *kernel_slot);

// Launch records in use.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_records_in_use(const struct gpusched_frontend *frontend, uint32_t *count);

// Live groups on chip, by AGE.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_agt(const struct gpusched_frontend *frontend,
                                      struct gpusched_group_view *groups,
                                      size_t capacity,
                                      size_t *count);

// Live groups in global memory, by record.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_spilled(const struct gpusched_frontend *frontend,
                                          struct gpusched_group_view *groups,
                                          size_t capacity,
                                          size_t *count);

// The live group in a launch record.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_group(const struct gpusched_frontend *frontend,
                                        uint32_t record,
                                        struct gpusched_group_view *view);

// A hardware work queue.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_hwq(const struct gpusched_frontend *frontend,
                                      uint32_t queue,
                                      struct gpusched_hwq *view);

// Spilled groups that were asked for before their turn (load_ahead), by their places in the load buffer. With load_mode fixed, one
// that waits is here from its cycle on: 8 at most.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_load_buffer(const struct gpusched_frontend *frontend,
                                              struct gpusched_load_place *places,
                                              size_t capacity,
                                              size_t *count);

// Gate E.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_eligible(const struct gpusched_frontend *frontend, struct gpusched_smx_set *eligible);

// Gate X of an SMX.
//
// @return BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_block_cap(const struct gpusched_frontend *frontend, uint32_t smx, uint32_t *cap);

// The pc of a class, if there is such a class and it has one.
//
// @param bound Receives 1 if there is one, else 0; then pc keeps what it has.
// @return BadClass; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_class_pc(const struct gpusched_frontend *frontend,
                                           uint32_t cls,
                                           uint64_t *pc,
                                           uint32_t *bound);

// Gate K of a class on an SMX.
//
// @return BadClass; BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_class_cap(const struct gpusched_frontend *frontend,
                                            uint32_t cls,
                                            uint32_t smx,
                                            struct gpusched_class_cap *view);

// The next cycle, now or later, whose tick decides something if no event comes before it; GPUSCHED_NEVER if only an event can
// change anything. A host may call gpusched_frontend_run up to that cycle and obey the same decisions as one that steps. LaPerm's
// refill_cycles and charge_insert make cycles in which a unit is loaded; those are announced as well, since only a visit can tell
// whether it is sent.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_next_event(const struct gpusched_frontend *frontend,
                                             uint64_t *cycle);

// The TBs that run on an SMX, by slot; BadSmx if there is no such SMX, or the policy is not the host's.
//
// @return NotTold; BadSmx; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_residents(const struct gpusched_frontend *frontend,
                                            uint32_t smx,
                                            struct gpusched_resident *tbs,
                                            size_t capacity,
                                            size_t *count);

// What is to be told a policy of the TB in a slot, were it to end now; NoTb if there is none, or the policy is not the host's.
// Whoever counts instructions fills them in.
//
// @return NotTold; BadSmx; BadSlot; NoTb; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_completion(const struct gpusched_frontend *frontend,
                                             uint32_t smx,
                                             uint32_t slot,
                                             struct gpusched_completion *completion);

// How things stand with the host that decides; NotTold if the policy is another one.
//
// @return NotTold; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_told_state(const struct gpusched_frontend *frontend, struct gpusched_told *told);

// A kernel distributor entry; NoKernel if it is free.
//
// @return BadKde; NoKernel; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_kde(const struct gpusched_frontend *frontend,
                                      uint32_t kde,
                                      struct gpusched_kde *entry);

// A launch record; BadIndex if it is free.
//
// @return BadIndex; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_record(const struct gpusched_frontend *frontend,
                                         uint32_t record,
                                         struct gpusched_record *view);

// A suspended kernel.
//
// @return BadSusp; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_suspended(const struct gpusched_frontend *frontend,
                                            uint32_t index,
                                            struct gpusched_suspended *view);

// LaPerm: the units in the on-chip queue of a bind unit, or in queue 0 for GPUSCHED_NONE, in order; BadUnit if there is no such
// queue.
//
// @return WrongModel; BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_queue(const struct gpusched_frontend *frontend,
                                               uint32_t unit,
                                               struct gpusched_laperm_unit *units,
                                               size_t capacity,
                                               size_t *count);

// LaPerm: the units in the overflow lists of a bind unit: highest level first, each list in order. The model CDP has none.
//
// @return WrongModel; BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_laperm_overflow(const struct gpusched_frontend *frontend,
                                                  uint32_t unit,
                                                  struct gpusched_laperm_unit *units,
                                                  size_t capacity,
                                                  size_t *count);

// The control registers.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_registers(const struct gpusched_frontend *frontend,
                                                   struct gpusched_bubble_registers *registers);

// SMXs that may be diverted when a bubble is found.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_armed(const struct gpusched_frontend *frontend,
                                               struct gpusched_smx_set *armed);

// The GPU level.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_gpu(const struct gpusched_frontend *frontend, struct gpusched_bubble_gpu *gpu);

// An SMX; BadSmx if there is no such SMX.
//
// @return NoBubble; BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_smx(const struct gpusched_frontend *frontend,
                                             uint32_t smx,
                                             struct gpusched_bubble_smx *view);

// The P-state of an SMX; BadSmx if there is no such SMX.
//
// @return NoBubble; BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_pstate(const struct gpusched_frontend *frontend,
                                                uint32_t smx,
                                                uint32_t *state);

// Energy of everything but the SMXs, mW x cycles.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_energy_uncore(const struct gpusched_frontend *frontend,
                                                       struct gpusched_energy *energy);

// Energy of the GPU, mW x cycles. A cycle lasts 1/f_high_mhz us.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_energy(const struct gpusched_frontend *frontend,
                                                struct gpusched_energy *energy);

// Statistics since the controller was built.
//
// @return NoBubble; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_stats(const struct gpusched_frontend *frontend,
                                               struct gpusched_bubble_stats *stats);

// The graph that was launched last, unless it was aborted.
//
// @return NoDgb; NotLaunched; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_graph(const struct gpusched_frontend *frontend,
                                            struct gpusched_dgb_header *header);

// What the buffer is doing, and where the window stands.
//
// @return NoDgb; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_state(const struct gpusched_frontend *frontend, struct gpusched_dgb_state *state);

// Statistics of the graph that was launched last.
//
// @return NoDgb; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_stats(const struct gpusched_frontend *frontend, struct gpusched_dgb_stats *stats);

// Resident nodes, by VID: tail and so on.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_resident(const struct gpusched_frontend *frontend,
                                               struct gpusched_dgb_node *list,
                                               size_t capacity,
                                               size_t *count);

// Edges on chip, by their index in the edge array: tail_edge and so on.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_resident_edges(const struct gpusched_frontend *frontend,
                                                     uint32_t *list,
                                                     size_t capacity,
                                                     size_t *count);

// The PUB, oldest entry first.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_pending_updates(const struct gpusched_frontend *frontend,
                                                      uint32_t *list,
                                                      size_t capacity,
                                                      size_t *count);

// Nodes that wait in the NIB, by VID: head and so on.
//
// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_dgb_landed(const struct gpusched_frontend *frontend,
                                             uint64_t *list,
                                             size_t capacity,
                                             size_t *count);

// Tells how many bytes gpusched_frontend_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_image_size(const struct gpusched_frontend *frontend, size_t *size);

// Saves the whole state.
//
// @param frontend    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Unread: a decision waits to be read; MidCycle; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_save(const struct gpusched_frontend *frontend,
                                       void *image,
                                       size_t capacity,
                                       size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
//
// @param image        image_size bytes.
// @param image_size   Their number.
// @param config       Written.
// @param config_size  sizeof(gpusched_frontend_config) in the caller's header.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
// BadStructSize.
gpusched_status gpusched_frontend_image_config(const void *image,
                                               size_t image_size,
                                               struct gpusched_frontend_config *config,
                                               size_t config_size);

// Makes a machine what the saved one was; it goes on exactly there. Decisions of the machine before that nobody has read are gone.
//
// @param frontend      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_frontend_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_frontend_restore(struct gpusched_frontend *frontend,
                                          const void *image,
                                          size_t image_size);

// Switches every launch latency off: the ideal modes CDPI and DTBLI of the source (4.6.2.2).
//
// @param config  An initialised configuration; changed.
// @return Null, Misaligned, BadStructSize, WrongVersion; BadConfig: a value is out of its range.
gpusched_status gpusched_frontend_config_ideal(struct gpusched_frontend_config *config);

// Carries out all cycles before `until` for which there is room for decisions, in one call: for hosts that report nothing
// meanwhile. If gpusched_frontend_now is below `until` afterwards, the decisions must be read before it goes on.
//
// @param frontend  The front end.
// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER: stop when nothing more is due.
// @param words     Receives how often each word was the answer. May be null.
// @return Told if the host decides; Unread: no room for a single cycle's; those of the object.
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

// Lets SMXs lie as in a GPU: n_smx, and in which GPC and TPC each is.
//
// @param config  An initialised configuration; changed.
// @param preset  gpusched_layout_preset.
// @return BadEnum; Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_frontend_config_layout(struct gpusched_frontend_config *config, uint32_t preset);

// Adds a GPC behind those that there are. Begin with topology 0, which has none; then n_smx is the SMXs of all GPCs.
//
// @param config  An initialised configuration; changed.
// @param tpcs    The SMXs of each TPC of the GPC, 1 to 256.
// @param count   Its TPCs, at least 1.
// @return BadConfig: a TPC is empty or too large, or there is none; TopologySize: there are more than 256 SMXs; Null, Misaligned,
//         BadStructSize, WrongVersion.
gpusched_status gpusched_frontend_config_gpc(struct gpusched_frontend_config *config,
                                             const uint32_t *tpcs,
                                             size_t count);

// What the last sample found and decided: to be read when there was a decision GPUSCHED_DECISION_KIND_SAMPLE. It is no part of
// images.
//
// @return NoBubble; BadIndex: there was no sample since the front end was built or restored; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_bubble_record(const struct gpusched_frontend *frontend,
                                                struct gpusched_bubble_record *record);

// Tells the units with TBs to send, in order, between gpusched_frontend_begin and gpusched_frontend_end. It changes nothing, and says how
// things stand: what was sent in this cycle is gone.
//
// A list that is longer than the array goes on with the offer that `next` names. Whoever needs only the first offers asks for only so
// many, and pays for no others.
//
// @param frontend  The front end.
// @param from      The offer to begin with, as `next` has named it; GPUSCHED_NONE: the first one.
// @param smx       Only those that are open on this SMX; GPUSCHED_NONE: all.
// @param offers    Receives them.
// @param capacity  Length of that array; if it is 0, offers may be null.
// @param count     Receives how many they are: less than capacity means that there are no more.
// @param next      Receives the offer to go on with; GPUSCHED_NONE if there are no more. May be null.
// @return NotTold, NotBegun; BadOffer: `from` is not offered; BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_offers(const struct gpusched_frontend *frontend,
                                         uint32_t from,
                                         uint32_t smx,
                                         struct gpusched_offer *offers,
                                         size_t capacity,
                                         size_t *count,
                                         uint32_t *next);

// Ends the cycle that was begun. The host promises that it would send nothing until `wake`, or ever, unless something happens before; so
// gpusched_frontend_next_event and gpusched_frontend_skip need not ask it. It may send all the same.
//
// @param frontend  The front end.
// @param wake      The cycle from which on the host may have something to say; null: not before something happens.
// @param sched     Receives gpusched_sched, the word of the cycle. May be null.
// @return NotTold, NotBegun; BadWake if `wake` is not later than this cycle; Unread; Null, Misaligned; those of the object.
gpusched_status gpusched_frontend_end(struct gpusched_frontend *frontend,
                                      const uint64_t *wake,
                                      uint32_t *sched);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_FRONTEND_H
