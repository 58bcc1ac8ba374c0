#include "toy.h"

const toy_plan toy_dtbl = {"rr + dtbl", 3, 500, 48, 4000, 16000, true, false};
const toy_plan toy_laperm = {"laperm adaptive-bind", 3, 500, 48, 4000, 16000, true, false};
const toy_plan toy_dats = {"dats wavefront", 1, 500, 48, 200, 400, false, true};
const toy_plan toy_bubble = {"bubble dvfs", 3, 9000, TOY_SMXS * TOY_TB_SLOTS, 200, 12000, false, false};

// A plan that has not ended by then never will.
#define LAST_CYCLE 2000000u
// Groups that one TB launches at most.
#define LANES 3u

// Returns from the calling function unless a call was accepted.
#define TRY(call)                                                \
    do {                                                         \
        const gpusched_status try_status = (call);               \
        if (try_status != GPUSCHED_STATUS_OK) return try_status; \
    } while (0)

// Something that a running TB will do. At one time, ends come before launches.
typedef struct {
    uint64_t at;
    uint32_t what, smx, slot;
    uint64_t tag;
} due;
enum { END, LAUNCH };

typedef struct {
    gpusched_frontend *gpu;
    const toy_plan *plan;
    toy_graph *graph;
    uint32_t seeded, kernels, dues;
    uint64_t groups;
    due due[2 * TOY_SMXS * TOY_TB_SLOTS];
} host;

// Numbers that look random, the same on every target (Marsaglia's xorshift with the shifts 13, 17 and 5).
static uint32_t below(host *h, uint32_t limit) {
    h->seeded ^= h->seeded << 13;
    h->seeded ^= h->seeded >> 17;
    h->seeded ^= h->seeded << 5;
    return h->seeded % limit;
}

static gpusched_status add(host *h, uint64_t at, uint32_t what, const gpusched_decision *tb) {
    if (h->dues == sizeof h->due / sizeof *h->due) return GPUSCHED_STATUS_CAPACITY;
    h->due[h->dues++] = (due){at, what, tb->smx, tb->slot, tb->tag};
    return GPUSCHED_STATUS_OK;
}

static bool is_before(const due *a, const due *b) {
    if (a->at != b->at) return a->at < b->at;
    if (a->what != b->what) return a->what < b->what;
    if (a->smx != b->smx) return a->smx < b->smx;
    return a->slot < b->slot;
}

// Takes the first thing that is due, if there is one.
static bool next_due(host *h, uint64_t now, due *next) {
    uint32_t first = 0;
    for (uint32_t i = 1; i < h->dues; i++) {
        if (is_before(&h->due[i], &h->due[first])) first = i;
    }
    if (h->dues == 0 || h->due[first].at > now) return false;
    *next = h->due[first];
    h->due[first] = h->due[--h->dues];
    return true;
}

// A TB starts: when it will end, and whether it launches groups half-way; every other one does. What became a device kernel, or a
// group, launches nothing.
static gpusched_status start(host *h, uint64_t now, const gpusched_decision *tb) {
    const uint64_t time = h->plan->least_cycles + below(h, h->plan->spread_cycles);
    if (h->plan->groups && tb->tag < h->plan->kernels && below(h, 2) == 0) TRY(add(h, now + time / 2, LAUNCH, tb));
    return add(h, now + time, END, tb);
}

static gpusched_kernel kernel_of(uint64_t tag, uint32_t tbs) {
    return (gpusched_kernel){
        .pc = 0x1000 + 0x100 * tag, .grid = {tbs, 1, 1}, .tb = {64, 1, 1}, .regs = 16, .smem = 1024, .tag = tag};
}

// One to three groups of one to four TBs each, of the kernel that the TB belongs to.
static gpusched_status launch_groups(host *h, const due *tb) {
    gpusched_group groups[LANES];
    uint32_t records[LANES];
    const uint32_t last = below(h, LANES);
    for (uint32_t lane = 0; lane <= last; lane++) {
        groups[lane] = (gpusched_group){kernel_of(tb->tag, 1 + below(h, 4)), tb->slot * 64 + lane};
        groups[lane].kernel.tag = 1000 + ++h->groups;
    }
    return gpusched_frontend_agg_launch(h->gpu, tb->smx, tb->slot, groups, last + 1, records);
}

// Whatever the dependency-graph buffer asks of memory is answered in the same cycle.
static gpusched_status memory(host *h) {
    for (;;) {
        gpusched_dgb_request request;
        TRY(gpusched_frontend_graph_poll(h->gpu, &request, NULL));
        if (!request.present) return GPUSCHED_STATUS_OK;
        const uint64_t *nodes = h->graph->nodes + request.first;
        const uint16_t *edges = h->graph->edges + request.first;
        switch (request.kind) {
        case GPUSCHED_DGB_KIND_NODES:
            TRY(gpusched_frontend_graph_nodes(h->gpu, request.tag, nodes, request.count, NULL, NULL));
            break;
        case GPUSCHED_DGB_KIND_EDGES:
            TRY(gpusched_frontend_graph_edges(h->gpu, request.tag, edges, request.count, NULL, NULL));
            break;
        default:
            h->graph->nodes[request.node] -= GPUSCHED_ONE_PARENT;
            TRY(gpusched_frontend_graph_spilled(h->gpu, request.tag, NULL, NULL));
            break;
        }
    }
}

// The host kernels of this cycle, one after the other into the streams.
static gpusched_status launches(host *h, uint64_t now) {
    for (; h->kernels < h->plan->kernels && now >= h->kernels * h->plan->every_cycles; h->kernels++) {
        const gpusched_kernel kernel = kernel_of(h->kernels, h->plan->graph ? h->graph->header.v : h->plan->tbs);
        if (h->plan->graph) {
            TRY(gpusched_frontend_host_launch_graph(h->gpu, h->kernels, &kernel, 0, &h->graph->header, NULL));
        } else {
            TRY(gpusched_frontend_host_launch(h->gpu, h->kernels, &kernel, 0, NULL));
        }
    }
    return GPUSCHED_STATUS_OK;
}

gpusched_status toy_run(gpusched_frontend *gpu, const toy_plan *plan, toy_graph *graph) {
    static host state;
    host *h = &state;
    *h = (host){.gpu = gpu, .plan = plan, .graph = graph, .seeded = 0x12345678};
    for (;;) {
        uint64_t now;
        uint32_t status;
        TRY(gpusched_frontend_now(gpu, &now));
        TRY(gpusched_frontend_get_status(gpu, &status));
        if (h->kernels == plan->kernels && status == GPUSCHED_FRONTEND_STATUS_DRAINED) return GPUSCHED_STATUS_OK;
        if (now == LAST_CYCLE) return GPUSCHED_STATUS_TIME_OVERFLOW;

        due next;
        while (next_due(h, now, &next)) {
            if (next.what == LAUNCH) {
                TRY(launch_groups(h, &next));
            } else {
                TRY(gpusched_frontend_tb_done(gpu, next.smx, next.slot));
            }
        }
        if (plan->graph) TRY(memory(h));
        TRY(launches(h, now));
        TRY(gpusched_frontend_tick(gpu, NULL));

        const gpusched_decision *decisions;
        size_t count;
        TRY(gpusched_frontend_take(gpu, &decisions, &count));
        for (size_t i = 0; i < count; i++) {
            if (decisions[i].kind == GPUSCHED_DECISION_KIND_TB) TRY(start(h, now, &decisions[i]));
        }
    }
}
