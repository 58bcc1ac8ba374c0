// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_MODELS_H
#define GPUSCHED_MODELS_H

#include "gpusched_base.h"

// What limits a kernel.
enum gpusched_models_bound
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Arithmetic.
    GPUSCHED_MODELS_BOUND_COMPUTE = 0,
    // Bandwidth of memory.
    GPUSCHED_MODELS_BOUND_MEMORY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_models_bound gpusched_models_bound;
#else
typedef uint32_t gpusched_models_bound;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A stretch of a kernel. kind of gpusched_models_node.
enum gpusched_models_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Where warps begin: the first node, and no other.
    GPUSCHED_MODELS_KIND_ENTRY = 0,
    // So many instructions.
    GPUSCHED_MODELS_KIND_COMP = 1,
    // An access to shared memory, and its mean serialisation: 1 or more.
    GPUSCHED_MODELS_KIND_SMEM = 2,
    // An access to global memory, and its mean number of transactions: 1 or more.
    GPUSCHED_MODELS_KIND_GMEM = 3,
    // A barrier, which takes no time of its own.
    GPUSCHED_MODELS_KIND_BARRIER = 4,
    // Where warps end: the last node, and no other.
    GPUSCHED_MODELS_KIND_EXIT = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_models_kind gpusched_models_kind;
#else
typedef uint32_t gpusched_models_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What size_of_data counts.
enum gpusched_models_size_unit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Requests of an SM, which (4.26) needs to balance.
    GPUSCHED_MODELS_SIZE_UNIT_LITERAL = 0,
    // Bytes of the kernel.
    GPUSCHED_MODELS_SIZE_UNIT_BYTES = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum gpusched_models_size_unit gpusched_models_size_unit;
#else
typedef uint32_t gpusched_models_size_unit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is known about a kernel and its GPU (Table 4.1, with what the equations use besides). Numbers of instructions are those of
// a warp.
typedef struct gpusched_models_exec_inputs {
    // Instructions, without those of the SFU. Not 0.
    double insts;
    // Memory instructions, at most insts.
    double mem_insts;
    // Synchronisation instructions.
    double sync_insts;
    // Instructions of the special function unit.
    double sfu_insts;
    // Floating-point instructions, at most insts.
    double fp_insts;
    // Warps of the kernel. Without any, all times are 0.
    double total_warps;
    // SMs that run them. Not 0.
    double active_sms;
    // N: warps that run on an SM at the same time, at least 1.
    double n;
    // Transactions of a memory instruction, at least 1.
    double avg_trans_warp;
    // Latency of an instruction, in cycles. Not 0.
    double avg_inst_lat;
    // Memory instructions that miss all caches, from 0 to 1.
    double miss_ratio;
    // Data that the kernel needs, in the configuration's unit.
    double size_of_data;
    // Instructions of a warp that may run at the same time. Not 0.
    double ilp;
    // Memory instructions of a warp that may wait at the same time. Not 0.
    double mlp;
    // Threads of a warp. Not 0.
    double warp_size;
    // Machine's parameter of synchronisation: share of an SM's warps' DRAM latency.
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
    // 1 if fp_lat says something, else 0.
    uint32_t has_fp_lat;
    // 1 if amat says something, else 0.
    uint32_t has_amat;
} gpusched_models_exec_inputs;

// A computation on processors with a memory each, scheduled by work stealing.
typedef struct gpusched_models_private_caches {
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
    // The constant that the order of magnitude hides.
    double c;
} gpusched_models_private_caches;

// Boxes of points.
typedef struct gpusched_models_boxes {
    // Operations of an interaction. Not 0.
    double kappa;
    // Points of a box.
    double q;
    // The machine's operations per byte.
    double balance;
    // Words of a point. Not 0.
    double words_per_point;
    // Bytes of a word. Not 0.
    double bytes_per_word;
    // Dimensions of space, from 1 to 20.
    uint32_t dims;
    // 0.
    uint32_t reserved;
} gpusched_models_boxes;

// The machine, and how many warps it has.
typedef struct gpusched_models_wfg_config {
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
} gpusched_models_wfg_config;

// How the equations are read.
typedef struct gpusched_models_exec_config {
    // gpusched_models_size_unit: what size_of_data counts.
    uint32_t size_unit;
    // Whether a negative b_fp is raised to 0.
    uint32_t clamp_bfp;
} gpusched_models_exec_config;

// Everything that the equations yield. Times are cycles, w_ and o_ are parts of t_comp.
typedef struct gpusched_models_exec_estimate {
    // Most parallelism of instructions that an SM can use (4.5).
    double itilp_max;
    // Parallelism of instructions within and between warps (4.4).
    double itilp;
    // Time of instructions that run in parallel (4.3).
    double w_parallel;
    // Cost of a synchronisation (4.8).
    double f_sync;
    // Time of synchronisations (4.7).
    double o_sync;
    // How much of the SFU's time other instructions do not hide, from 0 to 1 (4.10).
    double f_sfu;
    // Time of the SFU (4.9).
    double o_sfu;
    // Time that is not parallel (4.6).
    double w_serial;
    // Time to compute (4.2).
    double t_comp;
    // Latency of DRAM for the transactions of a memory instruction (4.13).
    double avg_dram_lat;
    // Mean latency of a memory instruction (4.12).
    double amat;
    // Computing of a warp (4.20).
    double comp_cycles;
    // Waiting of a warp (4.21).
    double mem_cycles;
    // CWP of enough warps (4.19).
    double cwp_full;
    // Computing warps: those that could compute while one waits for memory, and itself (4.18).
    double cwp;
    // Bandwidth that a warp takes, GB/s (4.24).
    double bw_per_warp;
    // Warps whose accesses the bandwidth suffices for (4.23).
    double mwp_peak_bw;
    // Memory warps: those whose accesses are served at the same time (4.22).
    double mwp;
    // MWP, as far as there are warps to wait (4.15).
    double mwp_cp;
    // Parallelism of memory accesses (4.14).
    double itmlp;
    // Time of memory accesses (4.11).
    double t_mem;
    // How much of the computing can overlap, from 0 to 1 (4.17).
    double f_overlap;
    // Time in which both go on (4.16).
    double t_overlap;
    // Execution time (4.1).
    double t_exec;
    // Least time of floating-point instructions (4.25).
    double t_fp;
    // Least time of the data (4.26).
    double t_mem_min;
    // Gained by more parallelism of instructions (4.27).
    double b_itilp;
    // Gained by no serialisation (4.28).
    double b_serial;
    // Gained by no instructions but floating-point ones (4.29).
    double b_fp;
    // Gained by moving the least data, all of it overlapped (4.30).
    double b_memlp;
} gpusched_models_exec_estimate;

// A kernel under the roof of its machine.
typedef struct gpusched_models_roof {
    // Most operations per time, in the unit of the peak.
    double attainable;
    // The intensity from which on arithmetic limits.
    double ridge;
    // gpusched_models_bound: what limits.
    uint32_t bound;
    // 0.
    uint32_t reserved;
} gpusched_models_roof;

// A machine and a computation.
typedef struct gpusched_models_machine {
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
} gpusched_models_machine;

// Both sides of the balance, and three verdicts on it.
typedef struct gpusched_models_balanced {
    // Operations per word of the machine.
    double machine_balance;
    // Operations per word of the computation.
    double intensity;
    // Left side of (2.4).
    double lhs;
    // Right side of (2.4).
    double rhs;
    // Time to compute (2.1).
    double t_comp;
    // Time of memory (2.3).
    double t_mem;
    // Whether the machine is balanced by bandwidth alone (2.5).
    uint32_t kung;
    // Whether it is by (2.4) as printed, which (2.1) and (2.3) do not yield.
    uint32_t printed;
    // Whether computing takes at least as long as memory.
    uint32_t exact;
    // 0.
    uint32_t reserved;
} gpusched_models_balanced;

// A reduction in external memory.
typedef struct gpusched_models_reduction {
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
} gpusched_models_reduction;

// A product of matrices in external memory.
typedef struct gpusched_models_matmul {
    // Side of the greatest block of which three fit.
    uint64_t b;
    // Transfers without blocks.
    double q_naive;
    // Transfers, in order of magnitude, of the best algorithm.
    double q_order;
    // Operations per word, in order of magnitude, of the best algorithm.
    double i_order;
    // Transfers with blocks of side b, if there is one.
    double q_blocked;
    // 1 if q_blocked says something, else 0.
    uint32_t is_blocked;
    // 0.
    uint32_t reserved;
} gpusched_models_matmul;

// Transfers of all processors.
typedef struct gpusched_models_private_misses {
    // At most, under work stealing.
    double bound;
    // If each one moved everything.
    double naive;
} gpusched_models_private_misses;

// Traffic of a computation, and the memory that takes it.
typedef struct gpusched_models_traffic {
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
} gpusched_models_traffic;

// What a box moves and computes.
typedef struct gpusched_models_ulist_estimate {
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
} gpusched_models_ulist_estimate;

// A computation on p processors.
typedef struct gpusched_models_brent_time {
    // Steps that it takes at most.
    double t;
    // Mean operations per level of its graph.
    double parallelism;
    // Steps on one processor per step here.
    double speedup;
} gpusched_models_brent_time;

// A parallel algorithm that does more than the best sequential one.
typedef struct gpusched_models_speed {
    // Over the sequential algorithm.
    double speedup;
    // Whether there are processors enough to be faster than it.
    uint32_t matches_sequential;
    // 0.
    uint32_t reserved;
} gpusched_models_speed;

// The graph of a reduction.
typedef struct gpusched_models_tree {
    // Loads and additions.
    uint64_t work;
    // Levels.
    uint32_t depth;
    // 0.
    uint32_t reserved;
} gpusched_models_tree;

// A stretch of a kernel.
typedef struct gpusched_models_node {
    // Its weight; not looked at if its kind has none.
    double weight;
    // gpusched_models_kind.
    uint32_t kind;
    // 0.
    uint32_t reserved;
} gpusched_models_node;

// From a node to a later one.
typedef struct gpusched_models_arc {
    // Share of the warps at from that go this way, from 0 to 1.
    double fraction;
    // Index of a node.
    uint32_t from;
    // Index of a later node.
    uint32_t to;
} gpusched_models_arc;

// A node that uses what another one loads.
typedef struct gpusched_models_dependence {
    // Index of the access to global memory.
    uint32_t from;
    // Index of a later node.
    uint32_t to;
} gpusched_models_dependence;

// What a mean warp does, in cycles.
typedef struct gpusched_models_flow {
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
    // Whether the warps hide what they wait for, and computing and memory take as long as each other (4.2.1).
    uint32_t balanced;
    // 0.
    uint32_t reserved;
} gpusched_models_flow;

#ifdef __cplusplus
extern "C" {
#endif

// Fills it with what is so unless a program says something else.
//
// @param exec_inputs  Written.
// @return Null, Misaligned.
gpusched_status gpusched_models_exec_inputs_init(struct gpusched_models_exec_inputs *exec_inputs);

// Fills it with what is so unless a program says something else.
//
// @param private_caches  Written.
// @return Null, Misaligned.
gpusched_status gpusched_models_private_caches_init(struct gpusched_models_private_caches *private_caches);

// Fills it with what is so unless a program says something else.
//
// @param boxes  Written.
// @return Null, Misaligned.
gpusched_status gpusched_models_boxes_init(struct gpusched_models_boxes *boxes);

// Fills it with what is so unless a program says something else.
//
// @param wfg_config  Written.
// @return Null, Misaligned.
gpusched_status gpusched_models_wfg_config_init(struct gpusched_models_wfg_config *wfg_config);

// Estimates the execution time of a kernel, and what optimisations could gain.
//
// @param config         How the equations are read.
// @param inputs         What is known.
// @param exec_estimate  Receives everything that the equations yield. Times are cycles, w_ and o_ are parts of t_comp.
// @param field          Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput, OutOfRange, with the field, in this order; Overflow if a value is not finite; BadEnum;
// Null, Misaligned.
gpusched_status gpusched_models_estimate(const struct gpusched_models_exec_config *config,
                                         const struct gpusched_models_exec_inputs *inputs,
                                         struct gpusched_models_exec_estimate *exec_estimate,
                                         const char **field);

// The roofline of a machine: equation (4.31).
//
// @param peak       Operations per time. Not 0.
// @param bw         Bytes per time. Not 0.
// @param intensity  Operations per byte of the kernel.
// @param roof       Receives a kernel under the roof of its machine.
// @param field      Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput (peak, bw), each with its field; Overflow; Null, Misaligned.
gpusched_status gpusched_models_roofline(double peak,
                                         double bw,
                                         double intensity,
                                         struct gpusched_models_roof *roof,
                                         const char **field);

// Whether a machine's memory keeps up with its processors: (2.4) and (2.5).
//
// @param of        The machine and the computation.
// @param balanced  Receives both sides of the balance, and three verdicts on it.
// @param field     Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput (all but alpha) with the field; DepthExceedsWork; OutOfRange if p is below 1; Overflow;
// Null, Misaligned.
gpusched_status gpusched_models_balance(const struct gpusched_models_machine *of,
                                        struct gpusched_models_balanced *balanced,
                                        const char **field);

// The reduction of n elements through a memory of z words, in lines of l: all are powers of two, n > z > l. The additions are told
// as printed in (2.3), and as they are.
//
// @param n          Elements.
// @param z          Words of the memory.
// @param l          Words of a line.
// @param reduction  Receives a reduction in external memory.
// @param field      Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotPow2 with the field; BadOrder unless n > z > l; Null, Misaligned.
gpusched_status gpusched_models_reduction_io(uint64_t n,
                                             uint64_t z,
                                             uint64_t l,
                                             struct gpusched_models_reduction *reduction,
                                             const char **field);

// The product of two matrices of side n through a memory of z words, in lines of l: (2.3).
//
// @param n       Side of the matrices. Not 0.
// @param z       Words of the memory. Not 0.
// @param l       Words of a line. Not 0.
// @param matmul  Receives a product of matrices in external memory.
// @param field   Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput with the field; OutOfRange if z is 2^53 or more; Overflow; Null, Misaligned.
gpusched_status gpusched_models_matmul_io(double n,
                                          double z,
                                          double l,
                                          struct gpusched_models_matmul *matmul,
                                          const char **field);

// What processors with private memories move: (2.2).
//
// @param of              The computation and its machine.
// @param private_misses  Receives transfers of all processors.
// @param field           Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput (l) with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_models_qp_bound(const struct gpusched_models_private_caches *of,
                                         struct gpusched_models_private_misses *private_misses,
                                         const char **field);

// The time that memory takes: (2.3).
//
// @param of     The traffic.
// @param t      Receives it.
// @param field  Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput (beta) with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_models_t_mem(const struct gpusched_models_traffic *of,
                                      double *t,
                                      const char **field);

// Interactions of the points of a box with those of its neighbours, the U-list of a fast multipole method: (3.3), (3.5).
//
// @param of              The boxes.
// @param ulist_estimate  Receives what a box moves and computes.
// @param field           Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return OutOfRange (dims) first; NotFinite, Negative, ZeroInput (kappa, words_per_point, bytes_per_word) with the field;
// Overflow; Null, Misaligned.
gpusched_status gpusched_models_ulist(const struct gpusched_models_boxes *of,
                                      struct gpusched_models_ulist_estimate *ulist_estimate,
                                      const char **field);

// How long a computation takes on p processors: (2.1).
//
// @param w           Operations. Not 0.
// @param d           Operations one after the other. Not 0.
// @param p           Processors.
// @param brent_time  Receives a computation on p processors.
// @param field       Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput with the field; DepthExceedsWork; OutOfRange if p is below 1; Overflow; Null, Misaligned.
gpusched_status gpusched_models_brent(double w,
                                      double d,
                                      double p,
                                      struct gpusched_models_brent_time *brent_time,
                                      const char **field);

// What remains of a speedup if the parallel algorithm does more than the sequential one: (2.2).
//
// @param p      Processors.
// @param eps    Its work over that of the sequential one. Not 0.
// @param speed  Receives a parallel algorithm that does more than the best sequential one.
// @param field  Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput (eps) with the field; Overflow; Null, Misaligned.
gpusched_status gpusched_models_inefficiency(double p,
                                             double eps,
                                             struct gpusched_models_speed *speed,
                                             const char **field);

// A reduction as a binary tree: (2.2).
//
// @param n      Elements, a power of two.
// @param tree   Receives the graph of a reduction.
// @param field  Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotPow2 (n); Null, Misaligned.
gpusched_status gpusched_models_reduction_tree(uint64_t n,
                                               struct gpusched_models_tree *tree,
                                               const char **field);

// What a mean warp does in a work-flow graph: nodes in an order in which every arc and dependence leads on.
//
// @param config       The machine, and how many warps it has.
// @param nodes        The nodes, at most 64.
// @param nodes_count  Their number.
// @param arcs         The arcs, at most 128; null if there are none.
// @param arcs_count   Their number.
// @param deps         The dependences, at most 64; null if there are none.
// @param deps_count   Their number.
// @param flow         Receives what a mean warp does, in cycles.
// @param field        Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.
// @return NotFinite, Negative, ZeroInput of the machine, with the field; TooBig; BadGraph, BadWeight; NotTopological and
// BadFraction of arcs, BadFraction of their sums; NotTopological and BadDependence of dependences, in this order; Overflow;
// BadEnum; Null, Misaligned.
gpusched_status gpusched_models_work_flow(const struct gpusched_models_wfg_config *config,
                                          const struct gpusched_models_node *nodes,
                                          size_t nodes_count,
                                          const struct gpusched_models_arc *arcs,
                                          size_t arcs_count,
                                          const struct gpusched_models_dependence *deps,
                                          size_t deps_count,
                                          struct gpusched_models_flow *flow,
                                          const char **field);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_MODELS_H
