// Sheet `launch2`, used as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_frontend.h"
#include "misuse_objects.h"

static uint32_t u32_out;
static uint64_t u64_out;
static size_t size_out;
static gpusched_device_launch launch;
static gpusched_kernel_node node;
static gpusched_kernel_edge edge;
static const gpusched_dgb_header graph;
static const gpusched_consumers consumers = {.tb = {1, 1, 1}, .first = 1};

OBJECT(gpusched_frontend_device_launch_named, 0, 0, &launch, 1, &u32_out)
OBJECT(gpusched_frontend_grid, 0, OUT)
OBJECT(gpusched_frontend_n_grid, &u32_out)
OBJECT(gpusched_frontend_grid_of, 0, &u32_out)
OBJECT(gpusched_frontend_grid_stats, OUT)
OBJECT(gpusched_frontend_host_launch_dependent, 0, &kernel, 0, &u32_out)
OBJECT(gpusched_frontend_host_launch_graph_dependent, 0, &kernel, 0, &graph, &u32_out)
OBJECT(gpusched_frontend_host_launch_cross, 0, &kernel, 0, &graph, &consumers, &u32_out)
OBJECT(gpusched_frontend_host_launch_cross_dependent, 0, &kernel, 0, &graph, &consumers, &u32_out)
OBJECT(gpusched_frontend_tb_trigger, 0, 0)
OBJECT(gpusched_frontend_tb_wait, 0, 0)
OBJECT(gpusched_frontend_kgraph_define, &node, 1, &edge, 0, &u32_out)
OBJECT(gpusched_frontend_kgraph_launch, 0, 0, &u32_out)
OBJECT(gpusched_frontend_kgraph_destroy, 0)
OBJECT(gpusched_frontend_kernel_graph, 0, OUT)
OBJECT(gpusched_frontend_instance, 0, OUT)
OBJECT(gpusched_frontend_ready_nodes, 0, OUT, 0, &size_out)
OBJECT(gpusched_frontend_host_free, &u64_out)

static const struct function functions[] = {
    F(gpusched_frontend_device_launch_named),
    F(gpusched_frontend_grid),
    F(gpusched_frontend_n_grid),
    F(gpusched_frontend_grid_of),
    F(gpusched_frontend_grid_stats),
    F(gpusched_frontend_host_launch_dependent),
    F(gpusched_frontend_host_launch_graph_dependent),
    F(gpusched_frontend_host_launch_cross),
    F(gpusched_frontend_host_launch_cross_dependent),
    F(gpusched_frontend_tb_trigger),
    F(gpusched_frontend_tb_wait),
    F(gpusched_frontend_kgraph_define),
    F(gpusched_frontend_kgraph_launch),
    F(gpusched_frontend_kgraph_destroy),
    F(gpusched_frontend_kernel_graph),
    F(gpusched_frontend_instance),
    F(gpusched_frontend_ready_nodes),
    F(gpusched_frontend_host_free),
};

// Named streams, three levels and three grids of the device; programmatic dependents; a kernel graph of two kernels and an edge.
static gpusched_frontend_config grid_config(void) {
    gpusched_frontend_config c = small_config();
    c.cdp2 = 1, c.cdp2_max_depth = 2, c.grids = 3;
    c.pdl = c.kgraph = 1, c.kgraph_graphs = 1, c.kgraph_nodes = 2, c.kgraph_edges = 1, c.kgraph_insts = 1;
    return c;
}

static void objects(void) {
    const gpusched_frontend_config c = grid_config();
    struct machine m = build(&c);
    no_objects(functions, COUNT(functions), &m.block);
    discard(&m);
}

// Without the parts there is none of it.
static void others(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    watch(&m);
    IS(NO_CDP2, gpusched_frontend_device_launch_named(m.fe, 0, 0, &launch, 1, NULL));
    IS(BAD_INDEX, gpusched_frontend_grid(m.fe, 0, OUT));
    IS(OK, gpusched_frontend_n_grid(m.fe, &u32_out));
    TRUE(u32_out == 0);
    IS(OK, gpusched_frontend_grid_of(m.fe, 0, &u32_out));
    TRUE(u32_out == GPUSCHED_NONE);
    IS(NO_CDP2, gpusched_frontend_grid_stats(m.fe, OUT));
    IS(NO_PDL, gpusched_frontend_host_launch_dependent(m.fe, 0, &kernel, 0, NULL));
    IS(NO_PDL, gpusched_frontend_host_launch_graph_dependent(m.fe, 0, &kernel, 0, &graph, NULL));
    IS(NO_CROSS, gpusched_frontend_host_launch_cross(m.fe, 0, &kernel, 0, &graph, &consumers, NULL));
    IS(NO_PDL, gpusched_frontend_host_launch_cross_dependent(m.fe, 0, &kernel, 0, &graph, &consumers, NULL));
    IS(NO_PDL, gpusched_frontend_tb_trigger(m.fe, 0, 0));
    IS(NO_PDL, gpusched_frontend_tb_wait(m.fe, 0, 0));
    IS(NO_KGRAPH, gpusched_frontend_kgraph_define(m.fe, &node, 1, &edge, 1, &u32_out));
    IS(NO_KGRAPH, gpusched_frontend_kgraph_launch(m.fe, 0, 0, NULL));
    IS(NO_KGRAPH, gpusched_frontend_kgraph_destroy(m.fe, 0));
    IS(BAD_INDEX, gpusched_frontend_kernel_graph(m.fe, 0, OUT));
    IS(BAD_INDEX, gpusched_frontend_instance(m.fe, 0, OUT));
    IS(OK, gpusched_frontend_ready_nodes(m.fe, 0, NULL, 0, &size_out));
    TRUE(size_out == 0);
    unwatch();
    discard(&m);
}

// Streams that there are not, kernels that are too deep or too many, and pointers that lead nowhere.
static void arguments(void) {
    const gpusched_frontend_config c = grid_config();
    struct machine m = build(&c);
    gpusched_frontend *const fe = m.fe;
    IS(OK, gpusched_frontend_host_launch(fe, 0, &kernel, 0, NULL));
    IS(OK, gpusched_frontend_tick(fe, NULL));
    TRUE(read_all(fe) > 0);
    watch(&m);
    gpusched_device_launch four[4];
    for (size_t i = 0; i < COUNT(four); i++) four[i] = (gpusched_device_launch){kernel, (uint32_t)i};
    IS(NULL, gpusched_frontend_device_launch_named(fe, 0, 0, NULL, 1, NULL));
    IS(MISALIGNED, gpusched_frontend_device_launch_named(fe, 0, 0, ODD(four), 1, NULL));
    IS(BAD_SMX, gpusched_frontend_device_launch_named(fe, c.n_smx, 0, four, 1, NULL));
    IS(NO_TB, gpusched_frontend_device_launch_named(fe, 1, 0, four, 1, NULL));
    IS(BAD_COUNT, gpusched_frontend_device_launch_named(fe, 0, 0, four, 0, NULL));
    IS(BAD_STREAM, gpusched_frontend_device_launch_named(fe, 0, 0, four, 3, NULL));
    four[1].kernel.grid.x = 0;
    IS(EMPTY_GRID, gpusched_frontend_device_launch_named(fe, 0, 0, four, 3, NULL));
    four[1].kernel.grid.x = 1, four[2].stream = four[3].stream = 0;
    IS(PENDING_LIMIT, gpusched_frontend_device_launch_named(fe, 0, 0, four, 4, NULL));
    IS(NO_JOIN, gpusched_frontend_suspend(fe, 99, NULL));
    IS(NO_DTBL, gpusched_frontend_agg_launch(fe, 0, 0, &group, 1, NULL));
    unwatch();

    uint32_t records[2];
    IS(OK, gpusched_frontend_device_launch_named(fe, 0, 0, four, 2, records));
    gpusched_record record;
    IS(OK, gpusched_frontend_record(fe, records[1], &record));
    TRUE(record.state == GPUSCHED_RECORD_STATE_TAIL && record.depth == 1);
    gpusched_grid grid;
    IS(OK, gpusched_frontend_grid_of(fe, 0, &u32_out));
    IS(OK, gpusched_frontend_grid(fe, u32_out, &grid));
    TRUE(grid.kids == 1 && grid.tails == 1 && grid.queue == 0 && grid.parent == GPUSCHED_NONE && !grid.is_ended);
    watch(&m);
    IS(OK, gpusched_frontend_n_grid(fe, &u32_out));
    IS(BAD_INDEX, gpusched_frontend_grid(fe, u32_out, &grid));
    IS(BAD_INDEX, gpusched_frontend_grid(fe, UINT32_MAX, &grid));
    IS(NULL, gpusched_frontend_grid(fe, 0, NULL));
    IS(OK, gpusched_frontend_grid_of(fe, c.n_kde, &u32_out));
    TRUE(u32_out == GPUSCHED_NONE);
    IS(NULL, gpusched_frontend_grid_of(fe, 0, NULL));
    IS(NULL, gpusched_frontend_grid_stats(fe, NULL));
    unwatch();
    discard(&m);
}

// TBs that trigger and wait as they must not, and kernels behind them.
static void dependents(void) {
    gpusched_kernel one = kernel;
    one.grid.x = 1;
    gpusched_frontend_config c = grid_config();
    c.pdl_late_launch = GPUSCHED_LATE_LAUNCH_REFUSE;
    struct machine m = build(&c);
    gpusched_frontend *const fe = m.fe;
    IS(OK, gpusched_frontend_host_launch(fe, 0, &one, 0, NULL));
    IS(OK, gpusched_frontend_host_launch_dependent(fe, 0, &one, 0, NULL));
    IS(OK, gpusched_frontend_tick(fe, NULL));
    TRUE(read_all(fe) > 0);
    watch(&m);
    IS(NULL, gpusched_frontend_host_launch_dependent(fe, 0, NULL, 0, NULL));
    IS(BAD_SMX, gpusched_frontend_tb_trigger(fe, c.n_smx, 0));
    IS(BAD_SLOT, gpusched_frontend_tb_trigger(fe, 0, c.tb_slots));
    IS(NO_TB, gpusched_frontend_tb_trigger(fe, 1, 0));
    IS(BAD_SMX, gpusched_frontend_tb_wait(fe, c.n_smx, 0));
    IS(NO_TB, gpusched_frontend_tb_wait(fe, 1, 0));
    unwatch();
    IS(OK, gpusched_frontend_tb_trigger(fe, 0, 0));
    TRUE(read_all(fe) == 1);
    IS(OK, gpusched_frontend_tick(fe, NULL));
    TRUE(read_all(fe) > 0);
    IS(OK, gpusched_frontend_tb_wait(fe, 1, 0));
    gpusched_tb tb;
    IS(OK, gpusched_frontend_tb(fe, 1, 0, &tb));
    TRUE(tb.is_waiting && !tb.has_triggered);
    watch(&m);
    IS(ALREADY_WAITING, gpusched_frontend_tb_wait(fe, 1, 0));
    IS(TB_WAITING, gpusched_frontend_tb_done(fe, 1, 0));
    IS(OPENED, gpusched_frontend_device_launch_named(fe, 0, 0, &launch, 1, NULL));
    unwatch();
    IS(OK, gpusched_frontend_tb_done(fe, 0, 0));
    IS(OK, gpusched_frontend_tb_done(fe, 1, 0));
    discard(&m);

    // Without named streams a kernel may be suspended, but not one that others follow.
    c.cdp2 = 0;
    m = build(&c);
    IS(OK, gpusched_frontend_host_launch(m.fe, 0, &one, 0, NULL));
    IS(OK, gpusched_frontend_tick(m.fe, NULL));
    IS(OK, gpusched_frontend_tb_trigger(m.fe, 0, 0));
    TRUE(read_all(m.fe) > 0);
    watch(&m);
    IS(PDL_KERNEL, gpusched_frontend_suspend(m.fe, 0, NULL));
    unwatch();
    discard(&m);
}

// Kernel graphs that are none, and calls about those that there are not.
static void kernel_graphs(void) {
    const gpusched_frontend_config c = grid_config();
    struct machine m = build(&c);
    gpusched_frontend *const fe = m.fe;
    gpusched_kernel_node nodes[3] = {{kernel, 0}, {kernel, 0}, {kernel, 0}};
    gpusched_kernel_edge edges[2] = {{0, 1, 0}, {1, 0, 0}};
    watch(&m);
    IS(NULL, gpusched_frontend_kgraph_define(fe, NULL, 1, NULL, 0, &u32_out));
    IS(NULL, gpusched_frontend_kgraph_define(fe, nodes, 2, NULL, 1, &u32_out));
    IS(NULL, gpusched_frontend_kgraph_define(fe, nodes, 2, edges, 1, NULL));
    IS(MISALIGNED, gpusched_frontend_kgraph_define(fe, ODD(nodes), 1, NULL, 0, &u32_out));
    IS(MISALIGNED, gpusched_frontend_kgraph_define(fe, nodes, 1, ODD(edges), 1, &u32_out));
    IS(EMPTY_KGRAPH, gpusched_frontend_kgraph_define(fe, nodes, 0, NULL, 0, &u32_out));
    IS(KGRAPH_SIZE, gpusched_frontend_kgraph_define(fe, nodes, 3, NULL, 0, &u32_out));
    IS(KGRAPH_SIZE, gpusched_frontend_kgraph_define(fe, nodes, 2, edges, 2, &u32_out));
    nodes[1].retain = 1;
    IS(GRAPH_RETAIN, gpusched_frontend_kgraph_define(fe, nodes, 2, edges, 1, &u32_out));
    nodes[1].retain = 0, nodes[1].kernel.tb.x = 0;
    IS(EMPTY_TB, gpusched_frontend_kgraph_define(fe, nodes, 2, edges, 1, &u32_out));
    nodes[1].kernel.tb.x = 1;
    const gpusched_kernel_edge wrong[] = {{0, 2, 0}, {2, 0, 0}, {1, 1, 0}, {0, 1, 2}, {0, 1, UINT32_MAX}, {UINT32_MAX, 0, 0}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        IS(KGRAPH_EDGE, gpusched_frontend_kgraph_define(fe, nodes, 2, &wrong[i], 1, &u32_out));
    }
    IS(BAD_KGRAPH, gpusched_frontend_kgraph_launch(fe, 0, 0, NULL));
    IS(BAD_KGRAPH, gpusched_frontend_kgraph_launch(fe, UINT32_MAX, 0, NULL));
    IS(BAD_KGRAPH, gpusched_frontend_kgraph_destroy(fe, 0));
    unwatch();
    IS(OK, gpusched_frontend_kgraph_define(fe, nodes, 2, edges, 1, &u32_out));
    IS(OK, gpusched_frontend_kgraph_launch(fe, u32_out, 0, NULL));
    watch(&m);
    IS(KGRAPH_FULL, gpusched_frontend_kgraph_define(fe, nodes, 1, NULL, 0, &u32_out));
    IS(KGRAPH_BUSY, gpusched_frontend_kgraph_destroy(fe, 0));
    IS(BAD_INDEX, gpusched_frontend_kernel_graph(fe, 1, OUT));
    IS(NULL, gpusched_frontend_kernel_graph(fe, 0, NULL));
    IS(BAD_INDEX, gpusched_frontend_instance(fe, 0, OUT));
    IS(NULL, gpusched_frontend_ready_nodes(fe, 0, NULL, 0, NULL));
    IS(NULL, gpusched_frontend_host_free(fe, NULL));
    unwatch();
    gpusched_kgraph kgraph;
    IS(OK, gpusched_frontend_kernel_graph(fe, 0, &kgraph));
    TRUE(kgraph.nodes == 2 && kgraph.edges == 1 && kgraph.waiting == 1 && kgraph.instance == GPUSCHED_NONE);
    discard(&m);

    // Without programmatic dependents there are no such edges; and who waits for each other never runs. The rows in
    // which a graph is looked at are empty again then, though not each byte that means nothing is as before.
    gpusched_frontend_config other = c;
    other.pdl = 0, other.kgraph_edges = 2;
    m = build(&other);
    size_t before, after;
    static unsigned char images[2][1 << 14];
    IS(OK, gpusched_frontend_save(m.fe, images[0], sizeof images[0], &before));
    edges[0].kind = 1;
    IS(BAD_PDL_EDGE, gpusched_frontend_kgraph_define(m.fe, nodes, 2, edges, 1, &u32_out));
    edges[0].kind = 0;
    IS(KGRAPH_CYCLE, gpusched_frontend_kgraph_define(m.fe, nodes, 2, edges, 2, &u32_out));
    IS(OK, gpusched_frontend_save(m.fe, images[1], sizeof images[1], &after));
    TRUE(before == after && memcmp(images[0], images[1], before) == 0);
    discard(&m);
}

// Two kernels that cannot share a graph, and answers of memory that are not of two kernels.
static void cross_kernels(void) {
    gpusched_frontend_config c = small_config();
    c.dats = c.cross = 1;
    struct machine m = build(&c);
    gpusched_frontend *const fe = m.fe;
    gpusched_kernel two = kernel;
    two.grid = (gpusched_dim3){2, 1, 1};
    const gpusched_dgb_header header = {.v = 2, .e = 1};
    gpusched_consumers second = consumers;
    watch(&m);
    IS(NULL, gpusched_frontend_host_launch_cross(fe, 0, NULL, 0, &header, &second, NULL));
    IS(NULL, gpusched_frontend_host_launch_cross(fe, 0, &two, 0, NULL, &second, NULL));
    IS(NULL, gpusched_frontend_host_launch_cross(fe, 0, &two, 0, &header, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_host_launch_cross(fe, 0, &two, 0, &header, ODD(&second), NULL));
    second.tb.y = 0;
    IS(EMPTY_TB, gpusched_frontend_host_launch_cross(fe, 0, &two, 0, &header, &second, NULL));
    second.tb.y = UINT32_MAX;
    IS(TB_TOO_BIG, gpusched_frontend_host_launch_cross(fe, 0, &two, 0, &header, &second, NULL));
    second.tb.y = 1, second.first = 0;
    IS(BAD_PARTS, gpusched_frontend_host_launch_cross(fe, 0, &two, 1, &header, &second, NULL));
    second.first = 2;
    IS(BAD_PARTS, gpusched_frontend_host_launch_cross(fe, 0, &two, 1, &header, &second, NULL));
    second.first = 1;
    IS(BAD_PARTS, gpusched_frontend_host_launch_cross(fe, 0, &two, 0, &graph, &second, NULL));
    IS(GRAPH_RETAIN, gpusched_frontend_host_launch_cross(fe, 0, &two, 1, &header, &second, NULL));
    unwatch();
    IS(OK, gpusched_frontend_host_launch_cross(fe, 0, &two, 0, &header, &second, NULL));
    IS(OK, gpusched_frontend_tick(fe, NULL));
    TRUE(read_all(fe) > 0);
    gpusched_dgb_request request;
    IS(OK, gpusched_frontend_graph_poll(fe, &request, NULL));
    // A producer that has a parent.
    const uint64_t nodes[2] = {NODE(0, 0, 1, 1), NODE(1, 1, 1, 1)};
    gpusched_dgb_error e;
    watch(&m);
    IS(BAD_GRAPH, gpusched_frontend_graph_nodes(fe, request.tag, nodes, 2, NULL, &e));
    TRUE(e.node == 0 && e.what == GPUSCHED_DGB_NODE_FLAW_PART);
    unwatch();
    discard(&m);
}

// What a configuration with named streams must be.
static void configurations(void) {
    gpusched_parameter wrong;
    gpusched_frontend_config c = small_config();
    c.flush_cycles = 1;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "flush_cycles") == 0);
    c.cdp2 = 1;
    IS(OK, gpusched_frontend_config_check(&c, &wrong));
    c.cdp2_max_depth = 256;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "cdp2_max_depth") == 0 && wrong.value == 256 && wrong.max == 255);
    c.cdp2_max_depth = 1, c.policy = GPUSCHED_POLICY_LA_PERM;
    IS(LAUNCH2_WITH_LAPERM, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "cdp2") == 0);
    c.cdp2 = 0, c.pdl = 1;
    IS(LAUNCH2_WITH_LAPERM, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "pdl") == 0);
    c.pdl = 0, c.kgraph = 1;
    IS(LAUNCH2_WITH_LAPERM, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "kgraph") == 0);
    c.kgraph = c.flush_cycles = 0, c.cross = c.dats = 1;
    IS(LAUNCH2_WITH_LAPERM, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "cross") == 0);
    c.dats = 0;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "cross") == 0);
}

int main(void) {
    objects();
    others();
    arguments();
    dependents();
    kernel_graphs();
    cross_kernels();
    configurations();
    puts("all as promised");
    return EXIT_SUCCESS;
}
