// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-tests --bin header

#ifndef GPUSCHED_MODELS_H
#define GPUSCHED_MODELS_H

#include "gpusched_base.h"

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

// A stochastic memory hierarchy: what warps access goes in, how often two levels of caches hit comes out, over runs in which the warps
// interleave at random. It lives in storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the
// storage ends it. One thread at a time may call functions that change it.
typedef struct gpusched_monte gpusched_monte;

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
#endif

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
#endif

#endif  // GPUSCHED_MODELS_H
