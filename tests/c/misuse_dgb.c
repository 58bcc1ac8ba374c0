// Every function of the dependency-graph buffer alone, called as it must not be: the right status, nothing changed, nothing touched
// that is not its own.
#include "misuse_dgb_table.h"

// 0 -> {1, 2} -> 3, in memory.
enum { V = 4, E = 4 };
static const uint64_t nodes[V] = {NODE(0, 0, 0, 0), NODE(2, 0, 1, 1), NODE(3, 0, 1, 1), NODE(4, 1, 2, 2)};
static const uint16_t edges[E] = {1, 2, 3, 3};
static const gpusched_dgb_header header = {1 << 10, 1 << 11, V, E, 3};
static const gpusched_smx_set all = {{0xf}}, none = {{0}};

static uint32_t u32_out;

static gpusched_dgb_config small_config(void) {
    gpusched_dgb_config c = preset();
    c.smxs = 4, c.lna = 4, c.lea = 8, c.pub_entries = 4, c.chunk_bytes = 16;
    return c;
}

static gpusched_dgb_request ask(gpusched_dgb *dgb, uint32_t kind, uint32_t tag, uint32_t first, uint32_t count) {
    gpusched_dgb_request r;
    IS(OK, gpusched_dgb_poll(dgb, &r, NULL));
    TRUE(r.present == 1 && r.kind == kind && r.tag == tag && r.first == first && r.count == count);
    return r;
}

// A buffer whose node 0 runs on SMX 0, with a request for edges in flight under tag 1, and one for nodes 2 and 3 under tag 2.
static struct machine busy(const gpusched_dgb_config *config) {
    struct machine m = build(config);
    gpusched_dgb_selection s;
    IS(OK, gpusched_dgb_launch(m.object, 7, &header, NULL));
    TRUE(ask(m.object, GPUSCHED_DGB_KIND_NODES, 0, 0, 2).addr == header.node_base);
    IS(OK, gpusched_dgb_nodes(m.object, 0, nodes, 2, NULL, NULL));
    TRUE(ask(m.object, GPUSCHED_DGB_KIND_EDGES, 1, 0, E).addr == header.edge_base);
    TRUE(ask(m.object, GPUSCHED_DGB_KIND_NODES, 2, 2, 2).addr == header.node_base + 16);
    IS(OK, gpusched_dgb_select(m.object, &all, &s, NULL));
    TRUE(s.sched == GPUSCHED_DGB_SCHED_DISPATCH && s.kde == 7 && s.node == 0 && s.smx == 0);
    return m;
}

static void presets(void) {
    gpusched_dgb_config c;
    const uint32_t beyond[] = {2, 255, 256, 65536, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) IS(BAD_INDEX, gpusched_dgb_config_init(&c, sizeof c, beyond[i]));
    IS(OK, gpusched_dgb_config_init(&c, sizeof c, GPUSCHED_DGB_PRESET_GTX480_LRR));
    TRUE(c.lna == 512 && c.lea == 2048 && c.pub_entries == 64);
    // Right by itself, and wrong beside the others.
    gpusched_parameter p;
    c = preset(), c.chunk_bytes = 12;
    IS(BAD_CONFIG, gpusched_dgb_config_check(&c, &p));
    TRUE(strcmp(p.name, "chunk_bytes") == 0 && p.value == 12);
    c = preset(), c.lna = 16;
    IS(BAD_CONFIG, gpusched_dgb_config_check(&c, &p));
    TRUE(strcmp(p.name, "lna") == 0 && p.value == 16);
    c.prefetch = GPUSCHED_DGB_PREFETCH_EAGER;
    IS(OK, gpusched_dgb_config_check(&c, &p));
}

static void pointers(void) {
    gpusched_dgb_config c = small_config();
    struct machine m = busy(&c);
    gpusched_dgb *const dgb = m.object;
    gpusched_dgb_error e;
    memset(&e, PATTERN, sizeof e);
    const gpusched_dgb_error untouched = e;
    watch_block(&m.block);
    derived_pointers(dgb);
    IS(CAPACITY, gpusched_dgb_nodes(dgb, 2, nodes, SIZE_MAX, NULL, &e));
    IS(CAPACITY, gpusched_dgb_edges(dgb, 1, edges, SIZE_MAX, NULL, &e));
    IS(OK, gpusched_dgb_get_config(dgb, &c, sizeof c));
    TRUE(c.smxs == 4 && c.chunk_bytes == 16);
    // Only what the buffer itself refuses has details.
    TRUE(memcmp(&e, &untouched, sizeof e) == 0);
    IS(CAPACITY, gpusched_dgb_resident(dgb, NULL, 0, &size_out));
    TRUE(size_out == 2);
    IS(CAPACITY, gpusched_dgb_resident(dgb, OUT, 1, &size_out));
    IS(OK, gpusched_dgb_resident_edges(dgb, NULL, 0, &size_out));
    IS(OK, gpusched_dgb_select(dgb, &none, OUT, &e));
    TRUE(memcmp(&e, &untouched, sizeof e) == 0);
    unwatch();
    release(&m.block);
}

static bool is(const gpusched_dgb_error *e, gpusched_status status, uint32_t node, uint32_t edge, uint32_t smx, uint32_t what, uint32_t kind) {
    return e->status == (uint32_t)status && e->node == node && e->edge == edge && e->smx == smx && e->what == what && e->kind == kind;
}

// Launches that are refused, and what there is without a graph.
static void without_a_graph(void) {
    const gpusched_dgb_config c = small_config();
    struct machine m = build(&c);
    gpusched_dgb *const dgb = m.object;
    gpusched_dgb_error e = {0, 0, 0, 0, 0, 9};
    watch_block(&m.block);
    const struct {
        gpusched_dgb_header graph;
        gpusched_status status;
    } refused[] = {
        {{0, 0, 0, 0, 0}, GPUSCHED_STATUS_EMPTY_GRAPH},
        {{8, 8, 0, UINT32_MAX, 0}, GPUSCHED_STATUS_EMPTY_GRAPH},
        {{8, 8, 65536, UINT32_MAX, 0}, GPUSCHED_STATUS_TOO_MANY_NODES},
        {{8, 8, UINT32_MAX, 0, 0}, GPUSCHED_STATUS_TOO_MANY_NODES},
        {{8, 8, 1, UINT32_C(1) << 31, 0}, GPUSCHED_STATUS_TOO_MANY_EDGES},
        {{8, 0, 1, 0, 0}, GPUSCHED_STATUS_MISALIGNED_ARRAY},
        {{0, 8, 1, 0, 0}, GPUSCHED_STATUS_MISALIGNED_ARRAY},
        {{UINT64_MAX - 15, 0, 3, 0, 0}, GPUSCHED_STATUS_ADDRESS_OVERFLOW},
        {{0, UINT64_MAX - 15, 1, 9, 0}, GPUSCHED_STATUS_ADDRESS_OVERFLOW},
    };
    for (size_t i = 0; i < COUNT(refused); i++) {
        expect(__FILE__, __LINE__, "launch", refused[i].status, gpusched_dgb_launch(dgb, 255, &refused[i].graph, NULL));
    }
    IS(NOT_LAUNCHED, gpusched_dgb_select(dgb, &all, OUT, NULL));
    IS(NOT_LAUNCHED, gpusched_dgb_complete(dgb, 0, NULL, NULL));
    IS(NOT_LAUNCHED, gpusched_dgb_graph(dgb, OUT));
    IS(STALE_TAG, gpusched_dgb_nodes(dgb, 0, nodes, 2, NULL, NULL));
    IS(STALE_TAG, gpusched_dgb_edges(dgb, 0, edges, E, NULL, NULL));
    IS(STALE_TAG, gpusched_dgb_spilled(dgb, 0, NULL, &e));
    TRUE(is(&e, GPUSCHED_STATUS_STALE_TAG, 0, 0, 0, 0, 0));
    gpusched_dgb_request r = {1, 1, 1, 1, 1, 1, 1};
    IS(OK, gpusched_dgb_poll(dgb, &r, NULL));
    TRUE(r.present == 0 && r.addr == 0 && r.kind == 0 && r.tag == 0 && r.first == 0 && r.count == 0 && r.node == 0);
    IS(OK, gpusched_dgb_abort(dgb, &u32_out));
    TRUE(u32_out == 0);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_dgb_config c = small_config();
    struct machine m = busy(&c);
    gpusched_dgb *const dgb = m.object;
    gpusched_dgb_error e;
    watch_block(&m.block);
    IS(BUSY, gpusched_dgb_launch(dgb, 0, &header, &e));
    IS(STALE_TAG, gpusched_dgb_nodes(dgb, 1, nodes + 2, 2, NULL, &e));
    IS(STALE_TAG, gpusched_dgb_nodes(dgb, kEverything, nodes + 2, 2, NULL, &e));
    IS(STALE_TAG, gpusched_dgb_edges(dgb, 2, edges, E, NULL, &e));
    IS(STALE_TAG, gpusched_dgb_spilled(dgb, 1, NULL, &e));
    IS(BAD_LENGTH, gpusched_dgb_nodes(dgb, 2, nodes + 2, 1, NULL, &e));
    IS(BAD_LENGTH, gpusched_dgb_nodes(dgb, 2, NULL, 0, NULL, &e));
    IS(BAD_LENGTH, gpusched_dgb_edges(dgb, 1, edges, E - 1, NULL, &e));
    IS(BAD_LENGTH, gpusched_dgb_edges(dgb, 1, NULL, 0, NULL, &e));
    TRUE(is(&e, GPUSCHED_STATUS_BAD_LENGTH, 0, 0, 0, 0, 0));
    // Nodes 2 and 3 with each flaw, and where it is.
    const struct {
        uint64_t entries[2];
        uint32_t node, what;
    } flawed[] = {
        {{NODE(1, 0, 1, 1), NODE(4, 1, 2, 2)}, 2, GPUSCHED_DGB_NODE_FLAW_EDGE_START},
        {{NODE(3, 0, 1, 1), NODE(3, 1, 2, 2)}, 3, GPUSCHED_DGB_NODE_FLAW_EDGE_START},
        {{NODE(3, 0, 1, 1), NODE(4, 0, 2, 2)}, 3, GPUSCHED_DGB_NODE_FLAW_CHILDLESS},
        {{NODE(2, 0, 1, 1), NODE(4, 1, 2, 2)}, 1, GPUSCHED_DGB_NODE_FLAW_CHILDLESS},
        {{NODE(3, 0, 1, 0), NODE(4, 1, 2, 2)}, 2, GPUSCHED_DGB_NODE_FLAW_LEVEL},
        {{NODE(3, 0, 1, 1), NODE(4, 1, 2, 9)}, 3, GPUSCHED_DGB_NODE_FLAW_LEVEL},
        {{NODE(3, 0, 0, 1), NODE(4, 1, 2, 2)}, 2, GPUSCHED_DGB_NODE_FLAW_PARENTS},
    };
    for (size_t i = 0; i < COUNT(flawed); i++) {
        IS(BAD_GRAPH, gpusched_dgb_nodes(dgb, 2, flawed[i].entries, 2, NULL, &e));
        TRUE(is(&e, GPUSCHED_STATUS_BAD_GRAPH, flawed[i].node, 0, 0, flawed[i].what, 0));
        IS(BAD_GRAPH, gpusched_dgb_nodes(dgb, 2, flawed[i].entries, 2, NULL, NULL));
    }
    const uint16_t nothing[E] = {1, 2, 0, 3}, too_far[E] = {1, 2, 3, V}, anywhere[E] = {1, UINT16_MAX, 3, 3};
    IS(BAD_EDGE, gpusched_dgb_edges(dgb, 1, nothing, E, NULL, &e));
    TRUE(is(&e, GPUSCHED_STATUS_BAD_EDGE, 0, 2, 0, 0, 0));
    IS(BAD_EDGE, gpusched_dgb_edges(dgb, 1, too_far, E, NULL, &e));
    TRUE(is(&e, GPUSCHED_STATUS_BAD_EDGE, 0, 3, 0, 0, 0));
    IS(BAD_EDGE, gpusched_dgb_edges(dgb, 1, anywhere, E, NULL, &e));
    TRUE(is(&e, GPUSCHED_STATUS_BAD_EDGE, 0, 1, 0, 0, 0));
    const gpusched_smx_set beside = {{0x1f}}, far = {{0, 0, 0, UINT64_C(1) << 63}};
    IS(BAD_SMX, gpusched_dgb_select(dgb, &beside, OUT, &e));
    TRUE(is(&e, GPUSCHED_STATUS_BAD_SMX, 0, 0, 4, 0, 0));
    IS(BAD_SMX, gpusched_dgb_select(dgb, &far, OUT, &e));
    TRUE(is(&e, GPUSCHED_STATUS_BAD_SMX, 0, 0, 255, 0, 0));
    // Node 0 runs; some of these would be it if they were cut to 16 bits.
    const uint32_t others[] = {1, 2, V, 65535, 65536, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(others); i++) {
        IS(NOT_RUNNING, gpusched_dgb_complete(dgb, others[i], NULL, &e));
        TRUE(is(&e, GPUSCHED_STATUS_NOT_RUNNING, others[i] < 65535 ? others[i] : 65535, 0, 0, 0, 0));
    }
    unwatch();

    // Both edges of node 0 lead to node 1, which has one parent: no single chunk shows that.
    const uint16_t twice[E] = {1, 1, 3, 3};
    gpusched_dgb_state state;
    IS(OK, gpusched_dgb_edges(dgb, 1, twice, E, NULL, &e));
    IS(GRAPH_FAULT, gpusched_dgb_complete(dgb, 0, NULL, &e));
    TRUE(is(&e, GPUSCHED_STATUS_GRAPH_FAULT, 1, 0, 0, 0, GPUSCHED_DGB_GRAPH_FAULT_KIND_PARENT_UNDERFLOW));
    watch_block(&m.block);
    const gpusched_status results[] = {
        gpusched_dgb_launch(dgb, 0, &header, NULL),        gpusched_dgb_poll(dgb, OUT, NULL),
        gpusched_dgb_nodes(dgb, 2, nodes + 2, 2, NULL, NULL), gpusched_dgb_edges(dgb, 1, edges, E, NULL, NULL),
        gpusched_dgb_spilled(dgb, 1, NULL, NULL),          gpusched_dgb_select(dgb, &all, OUT, NULL),
        gpusched_dgb_complete(dgb, 0, NULL, NULL),
    };
    for (size_t i = 0; i < COUNT(results); i++) expect(__FILE__, __LINE__, "a verb", GPUSCHED_STATUS_GRAPH_FAULT, results[i]);
    IS(GRAPH_FAULT, gpusched_dgb_poll(dgb, OUT, &e));
    TRUE(is(&e, GPUSCHED_STATUS_GRAPH_FAULT, 1, 0, 0, 0, GPUSCHED_DGB_GRAPH_FAULT_KIND_PARENT_UNDERFLOW));
    IS(OK, gpusched_dgb_get_state(dgb, &state));
    TRUE(state.phase.stage == GPUSCHED_DGB_STAGE_FAULTED && state.phase.kind == e.kind && state.phase.node == 1);
    IS(OK, gpusched_dgb_abort(dgb, NULL));
    IS(OK, gpusched_dgb_get_state(dgb, &state));
    TRUE(state.phase.stage == GPUSCHED_DGB_STAGE_IDLE && state.phase.kind == 0 && state.phase.node == 0);
    unwatch();
    release(&m.block);
}

// Runs what is left of the graph. The dispatches, as one number.
static uint64_t finish(gpusched_dgb *dgb) {
    uint64_t sent = 0;
    gpusched_dgb_selection s;
    gpusched_dgb_report report;
    gpusched_dgb_state state;
    IS(OK, gpusched_dgb_edges(dgb, 1, edges, E, &report, NULL));
    IS(OK, gpusched_dgb_nodes(dgb, 2, nodes + 2, 2, &report, NULL));
    TRUE(report.inserted == 2);
    IS(OK, gpusched_dgb_complete(dgb, 0, &report, NULL));
    TRUE(report.finalised == 1 && report.updates == 2 && report.pending == GPUSCHED_DGB_PENDING_NONE);
    do {
        IS(OK, gpusched_dgb_select(dgb, &all, &s, NULL));
        sent = sent << 8 | s.sched << 6 | s.node << 4 | s.smx;
        if (s.sched == GPUSCHED_DGB_SCHED_DISPATCH) IS(OK, gpusched_dgb_complete(dgb, s.node, &report, NULL));
    } while (s.sched == GPUSCHED_DGB_SCHED_DISPATCH);
    TRUE(s.sched == GPUSCHED_DGB_SCHED_FINISHED && report.finished == 1);
    IS(OK, gpusched_dgb_get_state(dgb, &state));
    TRUE(state.phase.stage == GPUSCHED_DGB_STAGE_FINISHED && state.tail == V && state.edge_head == E && state.next_smx == 0);
    return sent;
}

static void images(void) {
    gpusched_dgb_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.lea = 9;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    TRUE(finish(m.object) == finish(same.object));
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    presets();
    storage();
    const gpusched_dgb_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    without_a_graph();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
