// A toy host in place of SMXs, the same as that of the firmware in Rust (../firmware/app/src/toy): same plans, same seeds, same end.
#ifndef TOY_H
#define TOY_H

#include <gpusched.h>
#include <stdbool.h>

#ifndef TOY_SMXS
#define TOY_SMXS 8u
#endif
_Static_assert(TOY_SMXS >= 4 && TOY_SMXS <= 16, "TOY_SMXS must be a number from 4 to 16");
#define TOY_TB_SLOTS 8u

// A run.
typedef struct {
    const char *name;
    uint32_t kernels;       // host kernels
    uint32_t every_cycles;  // cycles from one to the next
    uint32_t tbs;           // TBs of each
    uint32_t least_cycles;  // cycles that a TB runs at least
    uint32_t spread_cycles; // its length is below this much more
    bool groups;            // half of the kernels' TBs launch groups
    bool graph;             // the kernels are wavefronts
} toy_plan;

extern const toy_plan toy_dtbl, toy_laperm, toy_dats, toy_bubble;

// A dependency graph in memory.
typedef struct {
    uint64_t *nodes;
    const uint16_t *edges;
    gpusched_dgb_header header;
} toy_graph;

// Carries out a plan on a machine that has run nothing before. It ends drained.
gpusched_status toy_run(gpusched_frontend *gpu, const toy_plan *plan, toy_graph *graph);

#endif
