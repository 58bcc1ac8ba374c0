// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_DGB_H
#define GPUSCHED_DGB_H

#include "gpusched_base.h"

// One parent in an entry of the node array: what a decrement subtracts there.
//
// An entry of the node array is a number of 64 bits, from bit 0 upward: the index of the node's first child in the edge array (31
// bits; the sum of the child counts of all lower VIDs, also for nodes without children), whether it has no children (1), the number
// of its parents (16), its level (16). An entry of the edge array is the VID of a child.
#define GPUSCHED_ONE_PARENT 4294967296

// How a graph's memory contradicts itself in a way that no single chunk shows.
enum gpusched_dgb_graph_fault_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // An edge leads from this node to itself or back.
    GPUSCHED_DGB_GRAPH_FAULT_KIND_EDGE_ORDER = 1,
    // More edges lead to this node than it has parents.
    GPUSCHED_DGB_GRAPH_FAULT_KIND_PARENT_UNDERFLOW = 2,
    // Fewer edges lead to this node than it has parents.
    GPUSCHED_DGB_GRAPH_FAULT_KIND_PARENT_EXCESS = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_graph_fault_kind gpusched_dgb_graph_fault_kind;
#else
typedef uint32_t gpusched_dgb_graph_fault_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A memory request (dats, section M). The host answers it under its tag, after any time, requests of different kinds in any order.
// kind of gpusched_dgb_request.
enum gpusched_dgb_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Read entries of the node array; the answer is nodes.
    GPUSCHED_DGB_KIND_NODES = 0,
    // Read entries of the edge array, all of one chunk; the answer is edges.
    GPUSCHED_DGB_KIND_EDGES = 1,
    // Subtract 1 from the parents of a node in memory, before any later read of it; the answer is spilled.
    GPUSCHED_DGB_KIND_DECREMENT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_kind gpusched_dgb_kind;
#else
typedef uint32_t gpusched_dgb_kind;
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

// What is wrong with a node that memory answered.
enum gpusched_dgb_node_flaw
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Its edges start before those of the one before, or beyond the last.
    GPUSCHED_DGB_NODE_FLAW_EDGE_START = 1,
    // Its mark for having no children is wrong.
    GPUSCHED_DGB_NODE_FLAW_CHILDLESS = 2,
    // It has more edges than the LEA, and nothing spills.
    GPUSCHED_DGB_NODE_FLAW_OVERSIZE = 3,
    // Its level is below that of the one before, or skips one.
    GPUSCHED_DGB_NODE_FLAW_LEVEL = 4,
    // It has parents at level 0, or none above.
    GPUSCHED_DGB_NODE_FLAW_PARENTS = 5,
    // Of two kernels that share a graph: a producer has parents, or a consumer has children.
    GPUSCHED_DGB_NODE_FLAW_PART = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_node_flaw gpusched_dgb_node_flaw;
#else
typedef uint32_t gpusched_dgb_node_flaw;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// State of a resident node (4.2.1): W, R, P and D.
enum gpusched_dgb_node_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // W: parents are not finalised.
    GPUSCHED_DGB_NODE_STATE_WAITING = 0,
    // R: may be dispatched.
    GPUSCHED_DGB_NODE_STATE_READY = 1,
    // P: its TB runs; executing.
    GPUSCHED_DGB_NODE_STATE_EXECUTING = 2,
    // P: its TB has ended, its children do not know yet; pending.
    GPUSCHED_DGB_NODE_STATE_PENDING = 3,
    // D: its children know.
    GPUSCHED_DGB_NODE_STATE_DONE = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_node_state gpusched_dgb_node_state;
#else
typedef uint32_t gpusched_dgb_node_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What keeps a node from being final although its TB has ended.
enum gpusched_dgb_pending
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // None.
    GPUSCHED_DGB_PENDING_NONE = 0,
    // Its edges are not on chip.
    GPUSCHED_DGB_PENDING_EDGES = 1,
    // The PUB has too little room.
    GPUSCHED_DGB_PENDING_PUB = 2,
    // It has more edges than the LEA, and is not the oldest node yet.
    GPUSCHED_DGB_PENDING_TAIL = 3,
    // Its edges are being applied one at a time.
    GPUSCHED_DGB_PENDING_SPILL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_pending gpusched_dgb_pending;
#else
typedef uint32_t gpusched_dgb_pending;
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

// What a configuration is filled with.
enum gpusched_dgb_preset
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The sizes that were evaluated under LVL: 128 nodes, 512 edges.
    GPUSCHED_DGB_PRESET_GTX480 = 0,
    // Those under LRR: 512 nodes, 2048 edges.
    GPUSCHED_DGB_PRESET_GTX480_LRR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_preset gpusched_dgb_preset;
#else
typedef uint32_t gpusched_dgb_preset;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What gpusched_dgb_select decided. sched of gpusched_dgb_selection.
enum gpusched_dgb_sched
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Run this node.
    GPUSCHED_DGB_SCHED_DISPATCH = 0,
    // Every node of the window waits for parents, runs, or is done.
    GPUSCHED_DGB_SCHED_NO_READY = 1,
    // The ready nodes wait for their successor's entry or for edges (the head rule).
    GPUSCHED_DGB_SCHED_HEAD = 2,
    // The ready node is too far ahead.
    GPUSCHED_DGB_SCHED_LEVEL_BOUND = 3,
    // No SMX has room.
    GPUSCHED_DGB_SCHED_NO_SMX = 4,
    // The window can never move again.
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

// What the buffer is doing. stage of gpusched_dgb_doing.
enum gpusched_dgb_stage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // There is no graph.
    GPUSCHED_DGB_STAGE_IDLE = 0,
    // A graph runs.
    GPUSCHED_DGB_STAGE_RUNNING = 1,
    // The graph is complete.
    GPUSCHED_DGB_STAGE_FINISHED = 2,
    // The graph's memory contradicts itself; only abort helps.
    GPUSCHED_DGB_STAGE_FAULTED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_stage gpusched_dgb_stage;
#else
typedef uint32_t gpusched_dgb_stage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether a graph can deadlock the buffer. It is about spill off, whatever the setting; with it every graph completes. verdict of
// gpusched_dgb_admission.
enum gpusched_dgb_verdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // No schedule deadlocks, at any number of SMXs, policy and latency.
    GPUSCHED_DGB_VERDICT_SAFE = 0,
    // Some schedule may deadlock.
    GPUSCHED_DGB_VERDICT_MAY_DEADLOCK = 1,
    // Every schedule deadlocks.
    GPUSCHED_DGB_VERDICT_DEADLOCKS = 2,
    // A node has more edges than the LEA, so it can never enter the window.
    GPUSCHED_DGB_VERDICT_OVERSIZE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_dgb_verdict gpusched_dgb_verdict;
#else
typedef uint32_t gpusched_dgb_verdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The dependency-graph buffer alone: a window that slides over a graph in the host's memory. The host launches a graph, answers
// memory requests, offers SMXs and reports the ends of TBs. It has no clock: calls act in their order. It lives in storage of the
// caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may
// call functions that change it.
typedef struct gpusched_dgb gpusched_dgb;

// A dependency graph that is being described: at each time one TB of the grid has its turn, lowest linear index first, and names the
// TBs that must have ended before it starts. A host loops while gpusched_graph_builder_block tells a TB, names that TB's parents with
// gpusched_graph_builder_add_dependency, and goes on with gpusched_graph_builder_advance; then comes gpusched_graph_builder_finish.
//
// It lives in storage of the caller, at the address where it was initialised, and so does the graph that becomes of it; forgetting
// the storage ends both.
typedef struct gpusched_graph_builder gpusched_graph_builder;

// A dependency graph on its way into the buffer: what a launch says of it.
typedef struct gpusched_dgb_header {
    // Address of the node array, a multiple of the chunk. It is told back with requests, and never followed.
    uint64_t node_base;
    // Address of the edge array, a multiple of the chunk.
    uint64_t edge_base;
    // V: nodes, 1..=65535.
    uint32_t v;
    // E: edges, at most 2^31-1.
    uint32_t e;
    // LVL: how many levels apart nodes that run are at most; more than 65535 is 65535, and 0 runs level by level. GPUSCHED_NONE: LRR.
    uint32_t policy;
} gpusched_dgb_header;

// A memory request (dats, section M). The host answers it under its tag, after any time, requests of different kinds in any order.
typedef struct gpusched_dgb_request {
    // Address of the first.
    uint64_t addr;
    // gpusched_dgb_kind.
    uint32_t kind;
    // To be named in the answer.
    uint32_t tag;
    // Nodes: the first VID, a multiple of the chunk. Edges: the first index.
    uint32_t first;
    // Nodes, edges: how many entries.
    uint32_t count;
    // Decrement: the node, of whose entry GPUSCHED_ONE_PARENT is to be subtracted.
    uint32_t node;
    // 1 if there is some, else 0 and all fields are 0.
    uint32_t present;
} gpusched_dgb_request;

// A refusal of the dependency-graph buffer (sheet dats, Faults). All but GraphFault leave everything as it was.
typedef struct gpusched_dgb_error {
    // gpusched_status.
    uint32_t status;
    // BadGraph, NotRunning, GraphFault: the node.
    uint32_t node;
    // gpusched_dgb_node_flaw: badGraph: what is wrong with it.
    uint32_t what;
    // BadEdge: its index.
    uint32_t edge;
    // BadSmx: the smallest such.
    uint32_t smx;
    // gpusched_dgb_graph_fault_kind: graphFault: how.
    uint32_t kind;
} gpusched_dgb_error;

// What an event set in motion inside the buffer. A host that charges time for the buffer's work charges it from these.
typedef struct gpusched_dgb_report {
    // Nodes that became D.
    uint32_t finalised;
    // Edges applied.
    uint32_t updates;
    // Entries put into the PUB.
    uint32_t pub_in;
    // Entries taken out of the PUB.
    uint32_t pub_out;
    // Nodes inserted into the window.
    uint32_t inserted;
    // Nodes that became R.
    uint32_t readied;
    // Whether the graph is done.
    uint32_t finished;
    // gpusched_dgb_pending: at the end of a TB: what keeps its node from being final, if anything does.
    uint32_t pending;
} gpusched_dgb_report;

// Parameters of the dependency-graph buffer. Fill it with gpusched_dgb_config_init, then change what you like: a newer library
// adds fields at the end, and programs that were built before keep working.
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
    // gpusched_dgb_prefetch: When a chunk of nodes is requested.
    uint32_t prefetch;
    // gpusched_dgb_level_ref: What the level of a candidate is compared with under LVL.
    uint32_t level_ref;
    // A node is dispatched only when its edges are on chip; 0 or 1.
    uint32_t issue_needs_edges;
    // Updates that fit nowhere go to the parent counts in memory, so that no graph can deadlock the buffer; 0 or 1.
    uint32_t spill;
} gpusched_dgb_config;

// What the buffer is doing.
typedef struct gpusched_dgb_doing {
    // gpusched_dgb_stage.
    uint32_t stage;
    // gpusched_dgb_graph_fault_kind: if it is faulted: how.
    uint32_t kind;
    // If it is faulted: where.
    uint32_t node;
} gpusched_dgb_doing;

// What the buffer is doing, and where the window stands, in nodes and edges of the graph. After a fault only the phase has a
// meaning.
typedef struct gpusched_dgb_state {
    // What it is doing.
    struct gpusched_dgb_doing phase;
    // The oldest node that is not done; V at the end.
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
    // The node whose edges are applied one at a time.
    uint32_t spilling;
    // The node at which the window can never move again.
    uint32_t deadlock;
    // The SMX that is tried first. Goes on from graph to graph.
    uint32_t next_smx;
    // The node that would be dispatched now if an SMX had room; GPUSCHED_NONE also while no graph runs.
    uint32_t next_node;
    // Whether memory owes an answer, or would once it was asked.
    uint32_t waits_for_memory;
} gpusched_dgb_state;

// Statistics of one graph.
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

// A row of the local node array and the node state table.
typedef struct gpusched_dgb_node {
    // gpusched_dgb_node_state: state.
    uint32_t state;
    // Whether it has no children.
    uint32_t is_childless;
    // Parents that are not finalised.
    uint32_t parents;
    // Level.
    uint32_t level;
    // Index of its first edge. The hardware keeps its slot: this modulo lea.
    uint32_t start;
} gpusched_dgb_node;

// Storage in bits, part by part. Registers are not counted, as the source does not count them.
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

// What gpusched_dgb_select decided.
typedef struct gpusched_dgb_selection {
    // gpusched_dgb_sched.
    uint32_t sched;
    // The kernel's entry, as its launch told it.
    uint32_t kde;
    // The node.
    uint32_t node;
    // The SMX.
    uint32_t smx;
} gpusched_dgb_selection;

// Whether a graph can deadlock the buffer. It is about spill off, whatever the setting; with it every graph completes.
typedef struct gpusched_dgb_admission {
    // gpusched_dgb_verdict.
    uint32_t verdict;
    // The smallest node that it is about; GPUSCHED_NONE if the graph is safe.
    uint32_t node;
} gpusched_dgb_admission;

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
    struct gpusched_dgb_header header;
    // Number of levels.
    uint32_t levels;
} gpusched_graph;

#ifdef __cplusplus
extern "C" {
#endif

// Fills a configuration with the values of the source.
//
// @param config  Written.
// @param size    sizeof(gpusched_dgb_config) in the caller's header.
// @param preset  gpusched_dgb_preset.
// @return Null, Misaligned, BadStructSize; BadIndex: no such preset.
gpusched_status gpusched_dgb_config_init(struct gpusched_dgb_config *config, size_t size, uint32_t preset);

// Says whether every value is in its range, and goes with the others.
//
// @param config  An initialised configuration.
// @param wrong   Receives the first parameter that is not or does not. May be null.
// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
gpusched_status gpusched_dgb_config_check(const struct gpusched_dgb_config *config,
                                          struct gpusched_parameter *wrong);

// Tells a numeric parameter: name, default and range.
//
// @param index      From 0.
// @param parameter  Written.
// @return Null, Misaligned; BadIndex: there are not so many.
gpusched_status gpusched_dgb_parameter(uint32_t index, struct gpusched_parameter *parameter);

// Tells what the hardware would cost.
//
// @param config   An initialised configuration.
// @param storage  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
gpusched_status gpusched_dgb_storage_bits(const struct gpusched_dgb_config *config,
                                          struct gpusched_dgb_storage *storage);

// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
//
// @param config  An initialised configuration.
// @param layout  Written.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
gpusched_status gpusched_dgb_layout(const struct gpusched_dgb_config *config, struct gpusched_layout *layout);

// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
//
// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
// matter.
//
// @param storage  size bytes, aligned as gpusched_dgb_layout says.
// @param size     At least what gpusched_dgb_layout says.
// @param config   An initialised configuration; not needed after the call.
// @param dgb   Receives the object, which is where storage is.
// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
gpusched_status gpusched_dgb_init(void *storage,
                                  size_t size,
                                  const struct gpusched_dgb_config *config,
                                  struct gpusched_dgb **dgb);

// Starts a graph. The kernel's entry is told back with each dispatch.
//
// @param dgb    The machine.
// @param kde    The kernel's entry, 0 to 255: opaque, and told back with each dispatch.
// @param graph  The graph.
// @param error  If the machine refuses, receives what that is about. May be null.
// @return GraphFault, Busy, EmptyGraph, TooManyNodes, TooManyEdges, Misaligned, AddressOverflow; Null, Misaligned; those of the
// object.
gpusched_status gpusched_dgb_launch(struct gpusched_dgb *dgb,
                                    uint32_t kde,
                                    const struct gpusched_dgb_header *graph,
                                    struct gpusched_dgb_error *error);

// Gives the graph up, in any state: a fault is cleared, late answers meet StaleTag. How many of its TBs still run; the host has to
// reap them.
//
// @param dgb        The machine.
// @param executing  Receives how many of its TBs still run. May be null.
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_abort(struct gpusched_dgb *dgb,
                                   uint32_t *executing);

// The next memory request, if one is due (dats-M1 to M4). At most one of each kind is in flight.
//
// @param dgb      The machine.
// @param request  Receives a memory request (dats, section M). The host answers it under its tag, after any time, requests of
// different kinds in any order.
// @param error    If the machine refuses, receives what that is about. May be null.
// @return GraphFault; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_poll(struct gpusched_dgb *dgb,
                                  struct gpusched_dgb_request *request,
                                  struct gpusched_dgb_error *error);

// A chunk of nodes lands.
//
// @param dgb      The machine.
// @param tag      That of the request.
// @param entries  Entries of the node array, as many as were asked for.
// @param count    Their number.
// @param report   Receives what an event set in motion inside the buffer. A host that charges time for the buffer's work charges it
// from these. May be null.
// @param error    If the machine refuses, receives what that is about. May be null.
// @return GraphFault, StaleTag, BadLength, BadGraph. After all but the first the request is still in flight; Null, Misaligned;
// those of the object.
gpusched_status gpusched_dgb_nodes(struct gpusched_dgb *dgb,
                                   uint32_t tag,
                                   const uint64_t *entries,
                                   size_t count,
                                   struct gpusched_dgb_report *report,
                                   struct gpusched_dgb_error *error);

// Edges arrive.
//
// @param dgb      The machine.
// @param tag      That of the request.
// @param targets  Entries of the edge array, as many as were asked for.
// @param count    Their number.
// @param report   Receives what an event set in motion inside the buffer. A host that charges time for the buffer's work charges it
// from these. May be null.
// @param error    If the machine refuses, receives what that is about. May be null.
// @return GraphFault, StaleTag, BadLength, BadEdge. After all but the first the request is still in flight; Null, Misaligned;
// those of the object.
gpusched_status gpusched_dgb_edges(struct gpusched_dgb *dgb,
                                   uint32_t tag,
                                   const uint16_t *targets,
                                   size_t count,
                                   struct gpusched_dgb_report *report,
                                   struct gpusched_dgb_error *error);

// Memory has subtracted.
//
// @param dgb     The machine.
// @param tag     That of the request.
// @param report  Receives what an event set in motion inside the buffer. A host that charges time for the buffer's work charges it
// from these. May be null.
// @param error   If the machine refuses, receives what that is about. May be null.
// @return GraphFault, StaleTag; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_spilled(struct gpusched_dgb *dgb,
                                     uint32_t tag,
                                     struct gpusched_dgb_report *report,
                                     struct gpusched_dgb_error *error);

// Dispatches the next node to one of the SMXs that have room for it, or says why not (dats-T1 to T5). The hardware issues one TB
// per cycle, so a host calls this once per cycle.
//
// @param dgb        The machine.
// @param fits       The SMXs that have room for one more TB.
// @param selection  Receives what gpusched_dgb_select decided.
// @param error      If the machine refuses, receives what that is about. May be null.
// @return GraphFault, NotLaunched, BadSmx; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_select(struct gpusched_dgb *dgb,
                                    const struct gpusched_smx_set *fits,
                                    struct gpusched_dgb_selection *selection,
                                    struct gpusched_dgb_error *error);

// The TB of a node has ended (dats-C1 to C3). It has left its SMX, whether or not the node can be finalised now.
//
// @param dgb     The machine.
// @param node    The node.
// @param report  Receives what an event set in motion inside the buffer. A host that charges time for the buffer's work charges it
// from these. May be null.
// @param error   If the machine refuses, receives what that is about. May be null.
// @return GraphFault, NotLaunched, NotRunning; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_complete(struct gpusched_dgb *dgb,
                                      uint32_t node,
                                      struct gpusched_dgb_report *report,
                                      struct gpusched_dgb_error *error);

// The configuration.
//
// @param size  sizeof(gpusched_dgb_config) in the caller's header.
// @return Null, Misaligned, BadStructSize; those of the object.
gpusched_status gpusched_dgb_get_config(const struct gpusched_dgb *dgb,
                                        struct gpusched_dgb_config *config,
                                        size_t size);

// The graph that was launched last, unless it was aborted.
//
// @return NotLaunched; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_graph(const struct gpusched_dgb *dgb, struct gpusched_dgb_header *header);

// What the buffer is doing, and where the window stands.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_get_state(const struct gpusched_dgb *dgb, struct gpusched_dgb_state *state);

// Statistics of the graph that was launched last.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_get_stats(const struct gpusched_dgb *dgb, struct gpusched_dgb_stats *stats);

// Resident nodes, by VID: tail and so on.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_resident(const struct gpusched_dgb *dgb,
                                      struct gpusched_dgb_node *list,
                                      size_t capacity,
                                      size_t *count);

// Edges on chip, by their index in the edge array: tail_edge and so on.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_resident_edges(const struct gpusched_dgb *dgb,
                                            uint32_t *list,
                                            size_t capacity,
                                            size_t *count);

// The PUB, oldest entry first.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_pending_updates(const struct gpusched_dgb *dgb,
                                             uint32_t *list,
                                             size_t capacity,
                                             size_t *count);

// Nodes that wait in the NIB, by VID: head and so on.
//
// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_landed(const struct gpusched_dgb *dgb, uint64_t *list, size_t capacity, size_t *count);

// Tells how many bytes gpusched_dgb_save would write now.
//
// @return Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_image_size(const struct gpusched_dgb *dgb, size_t *size);

// Saves the whole state.
//
// @param dgb    The machine.
// @param image     Receives the image; if the result is not OK its content does not matter.
// @param capacity  Bytes of that memory; if it is 0, image may be null.
// @param size      Receives the size of the image, also if it is ImageTooSmall.
// @return ImageTooSmall; Null, Misaligned; those of the object.
gpusched_status gpusched_dgb_save(const struct gpusched_dgb *dgb, void *image, size_t capacity, size_t *size);

// Tells the configuration of the machine that an image was made of, so that one like it can be built.
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

// Makes a machine what the saved one was; it goes on exactly there.
//
// @param dgb      An object of the image's configuration.
// @param image       image_size bytes, outside of the object's storage.
// @param image_size  Their number.
// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_dgb_init. Null, Capacity;
// those of the object.
gpusched_status gpusched_dgb_restore(struct gpusched_dgb *dgb,
                                     const void *image,
                                     size_t image_size);

// Tells, before a launch, whether a graph can deadlock the buffer, in O(v + e). It is for graphs as a builder makes them: of another
// one it may say something wrong, nothing worse. It is about `spill` off, whatever the configuration says; with it every graph completes.
//
// @param config     An initialised configuration.
// @param nodes      The node array: v entries.
// @param v          Their number, at most 65535.
// @param edges      The edge array: e entries.
// @param e          Their number, at most 2^31-1.
// @param scratch    v counters for the way, whatever they hold.
// @param admission  Written.
// @return BadConfig, TooManyNodes, TooManyEdges; Null, Misaligned, BadStructSize, WrongVersion, Capacity.
gpusched_status gpusched_admit(const struct gpusched_dgb_config *config,
                               const uint64_t *nodes,
                               uint32_t v,
                               const uint16_t *edges,
                               uint32_t e,
                               uint32_t *scratch,
                               struct gpusched_dgb_admission *admission);

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

// The TB whose turn it is cannot start before the one at these coordinates has ended. What lies outside the grid is nothing, also
// what an unsigned 0 - 1 gives; a parent that was named before is the same parent.
//
// @return GraphComplete; SelfDependency: that is the TB itself; EdgeStorageFull; those of the object.
gpusched_status gpusched_graph_builder_add_dependency(struct gpusched_graph_builder *builder,
                                                      int64_t x,
                                                      int64_t y,
                                                      int64_t z);

// Asks for an order of dispatch, as of a gpusched_dgb_header. Without any it is LRR.
//
// @return GraphComplete; PolicyConflict: another one was asked for before; those of the object.
gpusched_status gpusched_graph_builder_set_policy(struct gpusched_graph_builder *builder, uint32_t policy);

// Goes on to the next TB.
//
// @return GraphComplete; those of the object.
gpusched_status gpusched_graph_builder_advance(struct gpusched_graph_builder *builder);

// Makes the graph. TBs that have not had their turn have no parents. The builder is used up, whatever the result: GraphComplete is
// what it says from then on.
//
// @param builder  The builder.
// @param graph    Receives where the graph is: in the builder's storage, as long as that is kept.
// @param tb       If the status is Cycle, receives the smallest linear index of a TB on it or behind it. May be null.
// @return GraphComplete: it has finished before; Cycle: the dependencies go round in a circle; Null, Misaligned; those of the object.
gpusched_status gpusched_graph_builder_finish(struct gpusched_graph_builder *builder,
                                              struct gpusched_graph *graph,
                                              uint32_t *tb);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_DGB_H
