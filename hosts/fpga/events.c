// See events.h.
#include "events.h"

#define WORD(words, field) ((words)[GPUSCHED_FPGA_##field##_WORD])
#define FIELD(words, field) GPUSCHED_FPGA_GET(WORD(words, field), field)

// Where an entry says what it is about, if its kind may have parts: the calling TB, or the tag of a request.
enum { ABOUT = GPUSCHED_FPGA_EVENT_RECORD_WORDS };

enum kind {
#define KIND(name, code, least, greatest, parts) name = code,
    GPUSCHED_FPGA_EACH_EVENT(KIND)
#undef KIND
};

// What an entry of a kind may look like.
struct form {
    uint8_t least, greatest, parts;
};

static const struct form forms[] = {
#define FORM(name, code, least, greatest, parts) [code] = {least, greatest, parts},
    GPUSCHED_FPGA_EACH_EVENT(FORM)
#undef FORM
};

static uint64_t wide(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

static gpusched_kernel kernel_of(const uint32_t *w) {
    return (gpusched_kernel){
        .pc = wide(&WORD(w, KERNEL_PC)),
        .grid = {WORD(w, KERNEL_GRID_X), WORD(w, KERNEL_GRID_Y), WORD(w, KERNEL_GRID_Z)},
        .tb = {WORD(w, KERNEL_TB_X), WORD(w, KERNEL_TB_Y), WORD(w, KERNEL_TB_Z)},
        .regs = WORD(w, KERNEL_REGS),
        .smem = WORD(w, KERNEL_SMEM),
        .param = WORD(w, KERNEL_PARAM),
        .tag = wide(&WORD(w, KERNEL_TAG)),
    };
}

static gpusched_dgb_header graph_of(const uint32_t *w) {
    return (gpusched_dgb_header){
        .node_base = wide(&WORD(w, GRAPH_NODE_BASE)),
        .edge_base = wide(&WORD(w, GRAPH_EDGE_BASE)),
        .v = WORD(w, GRAPH_V),
        .e = WORD(w, GRAPH_E),
        .policy = WORD(w, GRAPH_POLICY),
    };
}

uint32_t gpusched_fpga_entry_words(uint32_t head) {
    const uint32_t words = GPUSCHED_FPGA_GET(head, EVENT_WORDS);
    if (words < GPUSCHED_FPGA_EVENT_TIME_LENGTH) return GPUSCHED_FPGA_EVENT_TIME_LENGTH;
    return words < GPUSCHED_FPGA_ENTRY_WORDS ? words : GPUSCHED_FPGA_ENTRY_WORDS;
}

// Whether the elements of an entry are as many as its COUNT says, and its length follows from that.
static bool elements_fit(const uint32_t *w, uint32_t count, uint32_t per_entry, uint32_t first_word, uint32_t bits) {
    return count <= per_entry && FIELD(w, EVENT_WORDS) == first_word + (count * bits + 31) / 32;
}

// Whether an entry is of the length that its kind demands.
static bool length_fits(const uint32_t *w, struct form form) {
    const uint32_t words = FIELD(w, EVENT_WORDS);
    if (words < form.least || words > form.greatest) return false;
    switch (FIELD(w, EVENT_KIND)) {
    case GRAPH_NODES:
        return elements_fit(w, WORD(w, EVENT_GRAPH_NODES_COUNT), GPUSCHED_FPGA_EVENT_GRAPH_NODES_NODES_COUNT,
                            GPUSCHED_FPGA_EVENT_GRAPH_NODES_NODES_WORD, 64);
    case GRAPH_EDGES:
        return elements_fit(w, WORD(w, EVENT_GRAPH_EDGES_COUNT), GPUSCHED_FPGA_EVENT_GRAPH_EDGES_EDGES_COUNT,
                            GPUSCHED_FPGA_EVENT_GRAPH_EDGES_EDGES_WORD, 16);
    case ACTIVITY:
        return elements_fit(w, WORD(w, EVENT_ACTIVITY_COUNT), GPUSCHED_FPGA_EVENT_ACTIVITY_PER_MILLE_COUNT,
                            GPUSCHED_FPGA_EVENT_ACTIVITY_PER_MILLE_WORD, 16);
    default: return true;
    }
}

// Adds 16-bit elements to what is carried; false if they are too many.
static bool carry_halves(gpusched_fpga_event *e, const uint32_t *words, uint32_t count) {
    if (e->count + count > GPUSCHED_FPGA_CHUNK_EDGES) return false;
    for (uint32_t i = 0; i < count; i++) e->carried.halves[e->count++] = (uint16_t)(words[i / 2] >> (i % 2 * 16));
    return true;
}

// Adds what an entry carries; false if it is too much.
static bool carry(gpusched_fpga_event *e, const uint32_t *w) {
    switch (e->kind) {
    case DEVICE_LAUNCH:
        if (e->count == GPUSCHED_FPGA_LANES) return false;
        e->carried.kernels[e->count++] = kernel_of(&WORD(w, EVENT_DEVICE_LAUNCH_KERNEL));
        return true;
    case AGG_LAUNCH:
        if (e->count == GPUSCHED_FPGA_LANES) return false;
        e->carried.groups[e->count++] =
            (gpusched_group){kernel_of(&WORD(w, EVENT_AGG_LAUNCH_KERNEL)), WORD(w, EVENT_AGG_LAUNCH_HW_TID)};
        return true;
    case GRAPH_NODES: {
        const uint32_t count = WORD(w, EVENT_GRAPH_NODES_COUNT), *const nodes = &WORD(w, EVENT_GRAPH_NODES_NODES);
        if (e->count + count > GPUSCHED_FPGA_CHUNK_NODES) return false;
        for (uint32_t i = 0; i < count; i++) e->carried.nodes[e->count++] = wide(&nodes[2 * i]);
        return true;
    }
    case GRAPH_EDGES: return carry_halves(e, &WORD(w, EVENT_GRAPH_EDGES_EDGES), WORD(w, EVENT_GRAPH_EDGES_COUNT));
    case ACTIVITY: return carry_halves(e, &WORD(w, EVENT_ACTIVITY_PER_MILLE), WORD(w, EVENT_ACTIVITY_COUNT));
    default: return true;
    }
}

// What is wrong with an entry, which is the event's first or goes on with it, or 0.
static uint32_t wrong_with(const gpusched_fpga_event *e, const uint32_t *w) {
    if (FIELD(w, EVENT_KIND) != e->kind || FIELD(w, EVENT_ACK) != e->flags || wide(&WORD(w, EVENT_CYCLE)) != e->cycle)
        return GPUSCHED_FPGA_STATUS_BAD_PARTS;
    if (e->kind >= sizeof forms / sizeof *forms || forms[e->kind].least == 0) return GPUSCHED_FPGA_STATUS_BAD_KIND;
    if (!length_fits(w, forms[e->kind])) return GPUSCHED_FPGA_STATUS_BAD_WORDS;
    const bool in_parts = e->entries > 1 || FIELD(w, EVENT_MORE) != 0;
    if (in_parts && (!forms[e->kind].parts || w[ABOUT] != e->about)) return GPUSCHED_FPGA_STATUS_BAD_PARTS;
    return 0;
}

void gpusched_fpga_event_take(gpusched_fpga_event *e, const uint32_t *w) {
    if (e->entries == 0) {
        e->kind = FIELD(w, EVENT_KIND);
        e->flags = FIELD(w, EVENT_ACK);
        e->about = w[ABOUT];
        e->cycle = wide(&WORD(w, EVENT_CYCLE));
        e->number = WORD(w, EVENT_NUMBER);
        e->wrong = 0;
        e->count = 0;
        for (uint32_t i = 0; i < GPUSCHED_FPGA_ENTRY_WORDS; i++) e->words[i] = w[i];
    }
    e->entries++;
    e->whole = FIELD(w, EVENT_MORE) == 0;
    if (e->wrong == 0) e->wrong = wrong_with(e, w);
    if (e->wrong == 0 && !carry(e, w)) e->wrong = GPUSCHED_FPGA_STATUS_BAD_PARTS;
}

static uint32_t launch(const uint32_t *w, gpusched_frontend *f, uint32_t *queue) {
    const gpusched_kernel kernel = kernel_of(&WORD(w, EVENT_HOST_LAUNCH_KERNEL));
    return gpusched_frontend_host_launch(f, WORD(w, EVENT_HOST_LAUNCH_STREAM), &kernel, FIELD(w, EVENT_HOST_LAUNCH_RETAIN), queue);
}

static uint32_t launch_graph(const uint32_t *w, gpusched_frontend *f, uint32_t *queue) {
    const gpusched_kernel kernel = kernel_of(&WORD(w, EVENT_GRAPH_LAUNCH_KERNEL));
    const gpusched_dgb_header graph = graph_of(&WORD(w, EVENT_GRAPH_LAUNCH_GRAPH));
    return gpusched_frontend_host_launch_graph(f, WORD(w, EVENT_GRAPH_LAUNCH_STREAM), &kernel, FIELD(w, EVENT_GRAPH_LAUNCH_RETAIN),
                                               &graph, queue);
}

static uint32_t launch_kernels(const gpusched_fpga_event *e, gpusched_frontend *f, uint32_t *first) {
    uint32_t records[GPUSCHED_FPGA_LANES];
    const uint32_t status = gpusched_frontend_device_launch(f, FIELD(e->words, EVENT_DEVICE_LAUNCH_SMX),
                                                            FIELD(e->words, EVENT_DEVICE_LAUNCH_SLOT), e->carried.kernels, e->count,
                                                            records);
    if (status == GPUSCHED_STATUS_OK) *first = records[0];
    return status;
}

static uint32_t launch_groups(const gpusched_fpga_event *e, gpusched_frontend *f, uint32_t *first) {
    uint32_t records[GPUSCHED_FPGA_LANES];
    const uint32_t status = gpusched_frontend_agg_launch(f, FIELD(e->words, EVENT_AGG_LAUNCH_SMX),
                                                         FIELD(e->words, EVENT_AGG_LAUNCH_SLOT), e->carried.groups, e->count, records);
    if (status == GPUSCHED_STATUS_OK) *first = records[0];
    return status;
}

static uint32_t set_eligible(const uint32_t *w, gpusched_frontend *f) {
    gpusched_smx_set smxs;
    for (uint32_t i = 0; i < GPUSCHED_FPGA_EVENT_SET_ELIGIBLE_SMXS_COUNT; i++)
        smxs.words[i] = wide(&w[GPUSCHED_FPGA_EVENT_SET_ELIGIBLE_SMXS_WORD + 2 * i]);
    return gpusched_frontend_set_eligible(f, &smxs);
}

gpusched_fpga_outcome gpusched_fpga_event_apply(gpusched_fpga_event *e, gpusched_frontend *f) {
    gpusched_fpga_outcome out = {0, 0, {0, 0, 0, 0, 0, 0}};
    const uint32_t *const w = e->words;
    switch (e->kind) {
    case TIME: break;
    case TB_DONE: out.status = gpusched_frontend_tb_done(f, FIELD(w, EVENT_TB_DONE_SMX), FIELD(w, EVENT_TB_DONE_SLOT)); break;
    case HOST_LAUNCH: out.status = launch(w, f, &out.value); break;
    case GRAPH_LAUNCH: out.status = launch_graph(w, f, &out.value); break;
    case DEVICE_LAUNCH: out.status = launch_kernels(e, f, &out.value); break;
    case AGG_LAUNCH: out.status = launch_groups(e, f, &out.value); break;
    case GRAPH_NODES:
        out.status = gpusched_frontend_graph_nodes(f, WORD(w, EVENT_GRAPH_NODES_TAG), e->carried.nodes, e->count, NULL, &out.error);
        break;
    case GRAPH_EDGES:
        out.status = gpusched_frontend_graph_edges(f, WORD(w, EVENT_GRAPH_EDGES_TAG), e->carried.halves, e->count, NULL, &out.error);
        break;
    case GRAPH_SPILLED: out.status = gpusched_frontend_graph_spilled(f, WORD(w, EVENT_GRAPH_SPILLED_TAG), NULL, &out.error); break;
    case SPILL_LOADED: out.status = gpusched_frontend_spill_loaded(f, WORD(w, EVENT_SPILL_LOADED_RECORD)); break;
    case UNRETAIN: out.status = gpusched_frontend_unretain(f, WORD(w, EVENT_UNRETAIN_KDE)); break;
    case SUSPEND: out.status = gpusched_frontend_suspend(f, WORD(w, EVENT_SUSPEND_KDE), &out.value); break;
    case RESUME: out.status = gpusched_frontend_resume(f, WORD(w, EVENT_RESUME_INDEX)); break;
    case ABORT_GRAPH: out.status = gpusched_frontend_abort_graph(f, WORD(w, EVENT_ABORT_GRAPH_KDE)); break;
    case SET_ELIGIBLE: out.status = set_eligible(w, f); break;
    case SET_BLOCK_CAP:
        out.status = gpusched_frontend_set_block_cap(f, WORD(w, EVENT_SET_BLOCK_CAP_SMX), WORD(w, EVENT_SET_BLOCK_CAP_CAP));
        break;
    case SET_CLASS: out.status = gpusched_frontend_set_class(f, WORD(w, EVENT_SET_CLASS_CLASS), wide(&WORD(w, EVENT_SET_CLASS_PC))); break;
    case CLEAR_CLASS: out.status = gpusched_frontend_clear_class(f, WORD(w, EVENT_CLEAR_CLASS_CLASS)); break;
    case SET_CLASS_CAP:
        out.status = gpusched_frontend_set_class_cap(f, WORD(w, EVENT_SET_CLASS_CAP_CLASS), WORD(w, EVENT_SET_CLASS_CAP_SMX),
                                                     WORD(w, EVENT_SET_CLASS_CAP_CAP), WORD(w, EVENT_SET_CLASS_CAP_BY));
        break;
    case ACTIVITY: out.status = gpusched_frontend_activity(f, e->carried.halves, e->count); break;
    default: out.status = GPUSCHED_FPGA_STATUS_BAD_KIND; break;
    }
    return out;
}
