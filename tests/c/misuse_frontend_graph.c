// Every function of a front end that is about dependency graphs, called as it must not be: the right status, nothing changed, nothing
// touched that is not its own.
#include "misuse_frontend.h"
#include "misuse_objects.h"

// 0 -> {1, 2} -> 3, in memory.
enum { V = 4, E = 4 };
static const uint64_t nodes[V] = {NODE(0, 0, 0, 0), NODE(2, 0, 1, 1), NODE(3, 0, 1, 1), NODE(4, 1, 2, 2)};
static const uint16_t edges[E] = {1, 2, 3, 3};
static const gpusched_dgb_header header = {1 << 10, 1 << 11, V, E, 3};
static const gpusched_kernel with_graph = {.pc = 9, .grid = {2, 2, 1}, .tb = {64, 1, 1}, .tag = 9};
static const gpusched_dgb_error nowhere = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

static size_t size_out;
static uint32_t u32_out;

OBJECT(gpusched_frontend_host_launch_graph, 0, &with_graph, 0, &header, &u32_out)
OBJECT(gpusched_frontend_graph_poll, OUT, NULL)
OBJECT(gpusched_frontend_graph_nodes, 0, nodes, 2, OUT, NULL)
OBJECT(gpusched_frontend_graph_edges, 0, edges, E, OUT, NULL)
OBJECT(gpusched_frontend_graph_spilled, 0, OUT, NULL)
OBJECT(gpusched_frontend_abort_graph, 0)
OBJECT(gpusched_frontend_dgb_config, OUT, sizeof(gpusched_dgb_config))
OBJECT(gpusched_frontend_dgb_owner, &u32_out)
OBJECT(gpusched_frontend_dgb_state, OUT)
OBJECT(gpusched_frontend_dgb_graph, OUT)
OBJECT(gpusched_frontend_dgb_stats, OUT)
OBJECT(gpusched_frontend_dgb_resident, OUT, 64, &size_out)
OBJECT(gpusched_frontend_dgb_resident_edges, OUT, 64, &size_out)
OBJECT(gpusched_frontend_dgb_pending_updates, OUT, 64, &size_out)
OBJECT(gpusched_frontend_dgb_landed, OUT, 64, &size_out)

static const struct function functions[] = {
    F(gpusched_frontend_host_launch_graph),   F(gpusched_frontend_graph_poll),     F(gpusched_frontend_graph_nodes),
    F(gpusched_frontend_graph_edges),         F(gpusched_frontend_graph_spilled),  F(gpusched_frontend_abort_graph),
    F(gpusched_frontend_dgb_config),          F(gpusched_frontend_dgb_owner),      F(gpusched_frontend_dgb_state),
    F(gpusched_frontend_dgb_graph),           F(gpusched_frontend_dgb_stats),      F(gpusched_frontend_dgb_resident),
    F(gpusched_frontend_dgb_resident_edges),  F(gpusched_frontend_dgb_pending_updates), F(gpusched_frontend_dgb_landed),
};

static gpusched_frontend_config graph_config(void) {
    gpusched_frontend_config c = small_config();
    c.dats = 1, c.dats_lna = 4, c.dats_lea = 8, c.dats_pub_entries = 4, c.dats_chunk_bytes = 16, c.pass_graph = 1;
    return c;
}

static gpusched_dgb_request ask(gpusched_frontend *fe, uint32_t kind, uint32_t tag, uint32_t first, uint32_t count) {
    gpusched_dgb_request r;
    IS(OK, gpusched_frontend_graph_poll(fe, &r, NULL));
    TRUE(r.kind == kind && r.tag == tag && r.first == first && r.count == count);
    return r;
}

static void tick(gpusched_frontend *fe) {
    IS(OK, gpusched_frontend_tick(fe, NULL));
    (void)read_all(fe);
}

// Beside the retained kernel of `busy`, in entry 0: a kernel with a graph in entry 1, whose node 0 runs, with a request for edges in
// flight under tag 1, and one for nodes 2 and 3 under tag 2. Where that node runs goes to `at`.
static struct machine graph_busy(gpusched_decision *at) {
    const gpusched_frontend_config c = graph_config();
    struct machine m = busy(&c);
    const gpusched_decision *d;
    size_t count;
    // The plain kernel is sent first.
    for (int i = 1; i < 20; i++) tick(m.fe);
    IS(OK, gpusched_frontend_host_launch_graph(m.fe, 1, &with_graph, 0, &header, &u32_out));
    TRUE(u32_out == 1);
    tick(m.fe);
    TRUE(ask(m.fe, GPUSCHED_DGB_KIND_NODES, 0, 0, 2).addr == header.node_base);
    IS(OK, gpusched_frontend_graph_nodes(m.fe, 0, nodes, 2, NULL, NULL));
    TRUE(ask(m.fe, GPUSCHED_DGB_KIND_EDGES, 1, 0, E).addr == header.edge_base);
    TRUE(ask(m.fe, GPUSCHED_DGB_KIND_NODES, 2, 2, 2).addr == header.node_base + 16);
    IS(OK, gpusched_frontend_tick(m.fe, NULL));
    IS(OK, gpusched_frontend_take(m.fe, &d, &count));
    TRUE(count == 1 && d->kind == GPUSCHED_DECISION_KIND_TB && d->unit == GPUSCHED_UNIT_NODE && d->blkid == 0 && d->tag == 9 && d->kde == 1);
    *at = *d;
    return m;
}

static void objects(void) {
    gpusched_decision at;
    struct machine m = graph_busy(&at);
    no_objects(functions, COUNT(functions), &m.block);
    discard(&m);
}

static void pointers(void) {
    gpusched_decision at;
    struct machine m = graph_busy(&at);
    gpusched_frontend *const fe = m.fe;
    gpusched_dgb_error e = nowhere;
    gpusched_dgb_config c;
    watch(&m);
    IS(NULL, gpusched_frontend_host_launch_graph(fe, 0, NULL, 0, &header, NULL));
    IS(NULL, gpusched_frontend_host_launch_graph(fe, 0, &with_graph, 0, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_host_launch_graph(fe, 0, ODD(&with_graph), 0, &header, NULL));
    IS(MISALIGNED, gpusched_frontend_host_launch_graph(fe, 0, &with_graph, 0, ODD(&header), NULL));
    IS(MISALIGNED, gpusched_frontend_host_launch_graph(fe, 0, &with_graph, 0, &header, ODD(&u32_out)));
    IS(NULL, gpusched_frontend_graph_poll(fe, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_graph_poll(fe, ODD(OUT), NULL));
    IS(MISALIGNED, gpusched_frontend_graph_poll(fe, OUT, ODD(&e)));
    IS(NULL, gpusched_frontend_graph_nodes(fe, 2, NULL, 2, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_graph_nodes(fe, 2, ODD(nodes), 2, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_graph_nodes(fe, 2, nodes, 2, ODD(OUT), NULL));
    IS(MISALIGNED, gpusched_frontend_graph_nodes(fe, 2, nodes, 2, NULL, ODD(&e)));
    IS(CAPACITY, gpusched_frontend_graph_nodes(fe, 2, nodes, SIZE_MAX, NULL, &e));
    IS(NULL, gpusched_frontend_graph_edges(fe, 1, NULL, E, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_graph_edges(fe, 1, ODD(edges), E, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_graph_edges(fe, 1, edges, E, ODD(OUT), NULL));
    IS(MISALIGNED, gpusched_frontend_graph_edges(fe, 1, edges, E, NULL, ODD(&e)));
    IS(CAPACITY, gpusched_frontend_graph_edges(fe, 1, edges, SIZE_MAX, NULL, &e));
    IS(MISALIGNED, gpusched_frontend_graph_spilled(fe, 0, ODD(OUT), NULL));
    IS(MISALIGNED, gpusched_frontend_graph_spilled(fe, 0, NULL, ODD(&e)));
    IS(NULL, gpusched_frontend_dgb_config(fe, NULL, sizeof c));
    IS(MISALIGNED, gpusched_frontend_dgb_config(fe, ODD(&c), sizeof c));
    IS(BAD_STRUCT_SIZE, gpusched_frontend_dgb_config(fe, &c, sizeof c - 4));
    IS(OK, gpusched_frontend_dgb_config(fe, &c, sizeof c));
    TRUE(c.smxs == 8 && c.lna == 4 && c.chunk_bytes == 16);
    void *const nowhere_to_go[] = {NULL, ODD(OUT)};
    for (size_t i = 0; i < COUNT(nowhere_to_go); i++) {
        void *const bad = nowhere_to_go[i];
        const gpusched_status results[] = {
            gpusched_frontend_dgb_owner(fe, bad),
            gpusched_frontend_dgb_state(fe, bad),
            gpusched_frontend_dgb_graph(fe, bad),
            gpusched_frontend_dgb_stats(fe, bad),
            gpusched_frontend_dgb_resident(fe, bad, 64, &size_out),
            gpusched_frontend_dgb_resident(fe, OUT, 64, bad),
            gpusched_frontend_dgb_resident_edges(fe, bad, 64, &size_out),
            gpusched_frontend_dgb_resident_edges(fe, OUT, 64, bad),
            gpusched_frontend_dgb_pending_updates(fe, bad, 64, &size_out),
            gpusched_frontend_dgb_pending_updates(fe, OUT, 64, bad),
            gpusched_frontend_dgb_landed(fe, bad, 64, &size_out),
            gpusched_frontend_dgb_landed(fe, OUT, 64, bad),
        };
        REFUSED_FOR(bad, "a query", results);
    }
    IS(CAPACITY, gpusched_frontend_dgb_resident(fe, NULL, 0, &size_out));
    TRUE(size_out == 2 && memcmp(&e, &nowhere, sizeof e) == 0);
    unwatch();
    discard(&m);
}

// What is refused first of several things that are wrong.
static void launches(void) {
    gpusched_decision at;
    struct machine m = graph_busy(&at);
    gpusched_frontend *const fe = m.fe;
    watch(&m);
    gpusched_kernel k = with_graph;
    gpusched_dgb_header g = {8, 8, 65536, UINT32_C(1) << 31, 65535};
    k.grid.y = 0;
    IS(EMPTY_GRID, gpusched_frontend_host_launch_graph(fe, 0, &k, 1, &g, NULL));
    k.grid.x = 1u << 31, k.grid.y = 1;
    IS(GRID_TOO_LARGE, gpusched_frontend_host_launch_graph(fe, 0, &k, 1, &g, NULL));
    k.grid = with_graph.grid, k.tb.x = 0;
    IS(EMPTY_TB, gpusched_frontend_host_launch_graph(fe, 0, &k, 1, &g, NULL));
    k.tb.x = 1u << 20;
    IS(TB_TOO_BIG, gpusched_frontend_host_launch_graph(fe, 0, &k, 1, &g, NULL));
    k.tb = with_graph.tb;
    IS(GRAPH_RETAIN, gpusched_frontend_host_launch_graph(fe, 0, &k, 1, &g, NULL));
    IS(GRAPH_SIZE, gpusched_frontend_host_launch_graph(fe, 0, &k, 0, &g, NULL));
    k.grid.x = 65536, k.grid.y = 1;
    IS(TOO_MANY_NODES, gpusched_frontend_host_launch_graph(fe, 0, &k, 0, &g, NULL));
    k.grid.x = g.v = 4;
    IS(TOO_MANY_EDGES, gpusched_frontend_host_launch_graph(fe, 0, &k, 0, &g, NULL));
    g.e = 9;
    IS(MISALIGNED_ARRAY, gpusched_frontend_host_launch_graph(fe, 0, &k, 0, &g, NULL));
    g.node_base = UINT64_MAX - 15;
    IS(MISALIGNED_ARRAY, gpusched_frontend_host_launch_graph(fe, 0, &k, 0, &g, NULL));
    g.edge_base = 0;
    IS(ADDRESS_OVERFLOW, gpusched_frontend_host_launch_graph(fe, 0, &k, 0, &g, NULL));
    g.node_base = 0;
    for (int i = 0; i < 4; i++) IS(OK, gpusched_frontend_host_launch_graph(fe, 4, &k, 0, &g, NULL));
    IS(HWQ_FULL, gpusched_frontend_host_launch_graph(fe, 4, &k, 0, &g, NULL));
    unwatch();
    discard(&m);
}

static void faults(void) {
    gpusched_decision at;
    struct machine m = graph_busy(&at);
    gpusched_frontend *const fe = m.fe;
    gpusched_dgb_error e;
    gpusched_kde entry;
    watch(&m);
    IS(STALE_TAG, gpusched_frontend_graph_nodes(fe, 1, nodes + 2, 2, NULL, &e));
    IS(STALE_TAG, gpusched_frontend_graph_edges(fe, 2, edges, E, NULL, &e));
    IS(STALE_TAG, gpusched_frontend_graph_spilled(fe, 1, NULL, &e));
    IS(BAD_LENGTH, gpusched_frontend_graph_nodes(fe, 2, nodes + 2, 1, NULL, &e));
    IS(BAD_LENGTH, gpusched_frontend_graph_edges(fe, 1, NULL, 0, NULL, &e));
    TRUE(e.status == GPUSCHED_STATUS_BAD_LENGTH && e.node == 0 && e.edge == 0 && e.smx == 0 && e.what == 0 && e.kind == 0);
    const uint64_t flawed[] = {nodes[2], NODE(4, 1, 2, 9)};
    IS(BAD_GRAPH, gpusched_frontend_graph_nodes(fe, 2, flawed, 2, NULL, &e));
    TRUE(e.node == 3 && e.what == GPUSCHED_DGB_NODE_FLAW_LEVEL && e.edge == 0);
    const uint16_t too_far[E] = {1, 2, V, 3};
    IS(BAD_EDGE, gpusched_frontend_graph_edges(fe, 1, too_far, E, NULL, &e));
    TRUE(e.edge == 2 && e.node == 0 && e.what == 0);
    IS(GRAPH_KERNEL, gpusched_frontend_suspend(fe, 1, NULL));
    IS(NOT_GRAPH, gpusched_frontend_abort_graph(fe, 0));
    IS(NO_KERNEL, gpusched_frontend_abort_graph(fe, 2));
    const uint32_t beyond[] = {8, 64, 255, 256, 257, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) IS(BAD_KDE, gpusched_frontend_abort_graph(fe, beyond[i]));
    unwatch();

    // Both edges of node 0 lead to node 1, which has one parent. The end of its TB is taken all the same.
    const uint16_t twice[E] = {1, 1, 3, 3};
    const gpusched_decision *d;
    size_t count;
    uint32_t state;
    IS(OK, gpusched_frontend_graph_edges(fe, 1, twice, E, NULL, NULL));
    IS(OK, gpusched_frontend_tb_done(fe, at.smx, at.slot));
    IS(OK, gpusched_frontend_take(fe, &d, &count));
    TRUE(count == 1 && d->kind == GPUSCHED_DECISION_KIND_GRAPH_FAULT && d->kde == 1 && d->blkid == 1);
    TRUE(d->detail == GPUSCHED_DGB_GRAPH_FAULT_KIND_PARENT_UNDERFLOW);
    watch(&m);
    IS(GRAPH_FAULT, gpusched_frontend_graph_nodes(fe, 2, nodes + 2, 2, NULL, &e));
    TRUE(e.node == 1 && e.kind == GPUSCHED_DGB_GRAPH_FAULT_KIND_PARENT_UNDERFLOW);
    IS(GRAPH_FAULT, gpusched_frontend_graph_edges(fe, 1, edges, E, NULL, NULL));
    IS(GRAPH_FAULT, gpusched_frontend_graph_spilled(fe, 1, NULL, NULL));
    IS(GRAPH_FAULT, gpusched_frontend_graph_poll(fe, OUT, &e));
    IS(OK, gpusched_frontend_kde(fe, 1, &entry));
    TRUE(entry.graph == GPUSCHED_GRAPH_STATE_FAULTED);
    IS(OK, gpusched_frontend_dgb_owner(fe, &u32_out));
    TRUE(u32_out == 1);
    IS(OK, gpusched_frontend_abort_graph(fe, 1));
    IS(OK, gpusched_frontend_take(fe, &d, &count));
    TRUE(count == 3 && d[0].kind == GPUSCHED_DECISION_KIND_GRAPH_ABORT && d[0].blkid == 0);
    TRUE(d[1].kind == GPUSCHED_DECISION_KIND_KERNEL_DONE && d[2].kind == GPUSCHED_DECISION_KIND_HWQ_FREE);
    IS(NO_KERNEL, gpusched_frontend_abort_graph(fe, 1));
    IS(OK, gpusched_frontend_dgb_owner(fe, &u32_out));
    TRUE(u32_out == GPUSCHED_NONE);
    IS(NOT_LAUNCHED, gpusched_frontend_dgb_graph(fe, OUT));
    IS(OK, gpusched_frontend_get_status(fe, &state));
    TRUE(state == GPUSCHED_FRONTEND_STATUS_RUNNING);
    unwatch();
    discard(&m);
}

// A kernel whose graph is given up while one of its TBs runs.
static void aborts(void) {
    gpusched_decision at;
    struct machine m = graph_busy(&at);
    gpusched_frontend *const fe = m.fe;
    gpusched_kde entry;
    const gpusched_decision *d;
    size_t count;
    watch(&m);
    IS(OK, gpusched_frontend_abort_graph(fe, 1));
    IS(OK, gpusched_frontend_take(fe, &d, &count));
    TRUE(count == 1 && d->kind == GPUSCHED_DECISION_KIND_GRAPH_ABORT && d->blkid == 1);
    IS(NOT_RUNNING, gpusched_frontend_abort_graph(fe, 1));
    IS(STALE_TAG, gpusched_frontend_graph_nodes(fe, 2, nodes + 2, 2, NULL, NULL));
    IS(STALE_TAG, gpusched_frontend_graph_edges(fe, 1, edges, E, NULL, NULL));
    IS(OK, gpusched_frontend_kde(fe, 1, &entry));
    TRUE(entry.graph == GPUSCHED_GRAPH_STATE_ABORTED && entry.exe == 1);
    IS(OK, gpusched_frontend_tb_done(fe, at.smx, at.slot));
    TRUE(read_all(fe) == 2);
    unwatch();
    discard(&m);
}

// A front end without a buffer.
static void without(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    gpusched_frontend *const fe = m.fe;
    gpusched_dgb_error e;
    watch(&m);
    IS(NO_DGB, gpusched_frontend_host_launch_graph(fe, 0, &with_graph, 1, &header, NULL));
    IS(NO_DGB, gpusched_frontend_graph_poll(fe, OUT, &e));
    TRUE(e.status == GPUSCHED_STATUS_NO_DGB && e.node == 0 && e.what == 0);
    IS(NO_DGB, gpusched_frontend_graph_nodes(fe, 0, nodes, 2, OUT, NULL));
    IS(NO_DGB, gpusched_frontend_graph_edges(fe, 0, edges, E, OUT, NULL));
    IS(NO_DGB, gpusched_frontend_graph_spilled(fe, 0, OUT, NULL));
    IS(NOT_GRAPH, gpusched_frontend_abort_graph(fe, 0));
    IS(NO_DGB, gpusched_frontend_dgb_config(fe, OUT, sizeof(gpusched_dgb_config)));
    IS(OK, gpusched_frontend_dgb_owner(fe, &u32_out));
    TRUE(u32_out == GPUSCHED_NONE);
    IS(NO_DGB, gpusched_frontend_dgb_state(fe, OUT));
    IS(NO_DGB, gpusched_frontend_dgb_graph(fe, OUT));
    IS(NO_DGB, gpusched_frontend_dgb_stats(fe, OUT));
    IS(NO_DGB, gpusched_frontend_dgb_resident(fe, OUT, 64, &size_out));
    IS(NO_DGB, gpusched_frontend_dgb_resident_edges(fe, OUT, 64, &size_out));
    IS(NO_DGB, gpusched_frontend_dgb_pending_updates(fe, OUT, 64, &size_out));
    IS(NO_DGB, gpusched_frontend_dgb_landed(fe, OUT, 64, &size_out));
    unwatch();
    discard(&m);
}

// Parameters of the buffer in a front end's configuration.
static void configurations(void) {
    gpusched_frontend_config c;
    gpusched_parameter p;
#define WRONG(field, number) \
    c = graph_config(), c.field = (number); \
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p)); \
    TRUE(strcmp(p.name, #field) == 0 && p.value == (number))
    WRONG(dats, 2);
    WRONG(pass_graph, 2);
    WRONG(dats_lna, 0);
    WRONG(dats_lna, 65536);
    WRONG(dats_lna, 2);
    WRONG(dats_lea, 0);
    WRONG(dats_pub_entries, 65536);
    TRUE(p.rule == NULL);
    WRONG(dats_chunk_bytes, 12);
    TRUE(strstr(p.rule, "a multiple of 8") != NULL);
    WRONG(dats_prefetch, 2);
    WRONG(dats_level_ref, 2);
    WRONG(dats_issue_needs_edges, 2);
    WRONG(dats_spill, 2);
    // What is off is not looked at.
    c.dats = 0;
    IS(OK, gpusched_frontend_config_check(&c, &p));
}

int main(void) {
    configurations();
    objects();
    pointers();
    launches();
    faults();
    aborts();
    without();
    puts("all as promised");
    return EXIT_SUCCESS;
}
