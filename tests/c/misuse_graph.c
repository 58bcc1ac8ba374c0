// Every function that describes a dependency graph, and the admission check, called as they must not be: the right status, nothing
// changed, nothing touched that is not its own.
#include "misuse_objects.h"

// A builder between guards.
struct builder {
    struct block block;
    gpusched_graph_builder *links;
};

static const gpusched_dim3 grid = {3, 2, 1};
enum { EDGES = 4 };

static gpusched_graph graph_out;
static gpusched_dim3 block_out;

static struct builder begin(uint32_t max_edges) {
    gpusched_layout layout;
    IS(OK, gpusched_graph_builder_layout(&grid, max_edges, &layout));
    struct builder b = {block_of(layout), NULL};
    IS(OK, gpusched_graph_builder_init(storage_in(&b.block), layout.size, &grid, max_edges, &b.links));
    TRUE((void *)b.links == (void *)storage_in(&b.block));
    return b;
}

OBJECT(gpusched_graph_builder_block, &block_out)
OBJECT(gpusched_graph_builder_add_dependency, 1, 0, 0)
OBJECT(gpusched_graph_builder_set_policy, GPUSCHED_NONE)
OBJECT(gpusched_graph_builder_finish, &graph_out, NULL)
static gpusched_status of_gpusched_graph_builder_advance(void *object) { return gpusched_graph_builder_advance(object); }

static const struct function functions[] = {
    F(gpusched_graph_builder_block),  F(gpusched_graph_builder_add_dependency), F(gpusched_graph_builder_set_policy),
    F(gpusched_graph_builder_finish), F(gpusched_graph_builder_advance),
};

static void storage(void) {
    gpusched_layout layout;
    gpusched_graph_builder *links = NULL;
    IS(OK, gpusched_graph_builder_layout(&grid, EDGES, &layout));
    printf("6 TBs, 4 edges: %zu bytes\n", layout.size);
    unsigned char *const block = malloc(layout.size + 1);
    TRUE(block != NULL);
    memset(block, PATTERN, layout.size + 1);
    IS(NULL, gpusched_graph_builder_layout(NULL, EDGES, &layout));
    IS(NULL, gpusched_graph_builder_layout(&grid, EDGES, NULL));
    IS(MISALIGNED, gpusched_graph_builder_layout(ODD(&grid), EDGES, &layout));
    IS(MISALIGNED, gpusched_graph_builder_layout(&grid, EDGES, ODD(&layout)));
    IS(NULL, gpusched_graph_builder_init(NULL, layout.size, &grid, EDGES, &links));
    IS(NULL, gpusched_graph_builder_init(block, layout.size, NULL, EDGES, &links));
    IS(NULL, gpusched_graph_builder_init(block, layout.size, &grid, EDGES, NULL));
    IS(MISALIGNED, gpusched_graph_builder_init(block + 1, layout.size, &grid, EDGES, &links));
    IS(MISALIGNED, gpusched_graph_builder_init(block, layout.size, ODD(&grid), EDGES, &links));
    IS(MISALIGNED, gpusched_graph_builder_init(block, layout.size, &grid, EDGES, ODD(&links)));
    IS(STORAGE_TOO_SMALL, gpusched_graph_builder_init(block, layout.size - 1, &grid, EDGES, &links));
    IS(STORAGE_TOO_SMALL, gpusched_graph_builder_init(block, 0, &grid, EDGES, &links));
    const struct {
        gpusched_dim3 grid;
        uint32_t edges;
        gpusched_status status;
    } refused[] = {
        {{0, 1, 1}, 0, GPUSCHED_STATUS_EMPTY_GRID},
        {{UINT32_MAX, UINT32_MAX, 0}, UINT32_MAX, GPUSCHED_STATUS_EMPTY_GRID},
        {{65536, 1, 1}, 0, GPUSCHED_STATUS_TOO_MANY_NODES},
        {{256, 256, 1}, 0, GPUSCHED_STATUS_TOO_MANY_NODES},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, UINT32_MAX, GPUSCHED_STATUS_TOO_MANY_NODES},
        {{1, 1, 1}, UINT32_C(1) << 31, GPUSCHED_STATUS_TOO_MANY_EDGES},
    };
    for (size_t i = 0; i < COUNT(refused); i++) {
        const gpusched_dim3 *const bad = &refused[i].grid;
        const uint32_t edges = refused[i].edges;
        expect(__FILE__, __LINE__, "layout", refused[i].status, gpusched_graph_builder_layout(bad, edges, &layout));
        expect(__FILE__, __LINE__, "init", refused[i].status, gpusched_graph_builder_init(block, SIZE_MAX, bad, edges, &links));
    }
    TRUE(links == NULL);
    for (size_t i = 0; i <= layout.size; i++) TRUE(block[i] == PATTERN);
    free(block);
}

static void arguments(void) {
    struct builder b = begin(EDGES);
    gpusched_graph_builder *const links = b.links;
    uint32_t tb = 9;
    watch_block(&b.block);
    IS(NULL, gpusched_graph_builder_block(links, NULL));
    IS(MISALIGNED, gpusched_graph_builder_block(links, ODD(&block_out)));
    IS(NULL, gpusched_graph_builder_finish(links, NULL, NULL));
    IS(MISALIGNED, gpusched_graph_builder_finish(links, ODD(OUT), NULL));
    IS(MISALIGNED, gpusched_graph_builder_finish(links, OUT, ODD(&tb)));
    // The greatest bound is as good as any beyond it.
    IS(OK, gpusched_graph_builder_set_policy(links, 65535));
    const uint32_t beyond[] = {65536, 1u << 31, kEverything - 1};
    for (size_t i = 0; i < COUNT(beyond); i++) IS(OK, gpusched_graph_builder_set_policy(links, beyond[i]));
    IS(POLICY_CONFLICT, gpusched_graph_builder_set_policy(links, 4));
    IS(POLICY_CONFLICT, gpusched_graph_builder_set_policy(links, GPUSCHED_NONE));

    // TB 1: itself, what is nowhere, and more parents than there is room for.
    IS(OK, gpusched_graph_builder_advance(links));
    IS(SELF_DEPENDENCY, gpusched_graph_builder_add_dependency(links, 1, 0, 0));
    const int64_t outside[] = {-1, 3, INT64_MIN, INT64_MAX, INT64_C(1) << 32, UINT32_MAX};
    for (size_t i = 0; i < COUNT(outside); i++) {
        IS(OK, gpusched_graph_builder_add_dependency(links, outside[i], 0, 0));
        IS(OK, gpusched_graph_builder_add_dependency(links, 0, outside[i], 0));
        IS(OK, gpusched_graph_builder_add_dependency(links, 0, 0, outside[i]));
    }
    IS(OK, gpusched_graph_builder_add_dependency(links, 2, 0, 0));
    for (int64_t x = 0; x < 3; x++) IS(OK, gpusched_graph_builder_add_dependency(links, x, 1, 0));
    IS(OK, gpusched_graph_builder_add_dependency(links, 2, 0, 0)); /* As before. */
    IS(EDGE_STORAGE_FULL, gpusched_graph_builder_add_dependency(links, 0, 0, 0));

    // Behind the last TB.
    for (int i = 1; i < 6; i++) IS(OK, gpusched_graph_builder_advance(links));
    IS(GRAPH_COMPLETE, gpusched_graph_builder_block(links, &block_out));
    IS(GRAPH_COMPLETE, gpusched_graph_builder_add_dependency(links, 0, 0, 0));
    IS(GRAPH_COMPLETE, gpusched_graph_builder_add_dependency(links, -1, 0, 0));
    IS(GRAPH_COMPLETE, gpusched_graph_builder_set_policy(links, 65535));
    IS(GRAPH_COMPLETE, gpusched_graph_builder_advance(links));
    unwatch();
    IS(OK, gpusched_graph_builder_finish(links, &graph_out, &tb));
    TRUE(tb == 9);
    const gpusched_dgb_header *const h = &graph_out.header;
    TRUE(h->v == 6 && h->e == EDGES && h->policy == 65535 && graph_out.levels == 2);
    TRUE((const unsigned char *)graph_out.nodes > b.block.bytes && graph_out.nodes[5] == NODE(EDGES, 1, 4, 1));
    TRUE(graph_out.order[5] == 1 && graph_out.edges[3] == 5);

    // It has finished.
    watch_block(&b.block);
    all_say(functions, COUNT(functions), GPUSCHED_STATUS_GRAPH_COMPLETE, links, "a builder that has finished");
    unwatch();
    release(&b.block);
}

static void cycle(void) {
    struct builder b = begin(EDGES);
    uint32_t tb = 9;
    // 1 needs 2, and 2 needs 1.
    IS(OK, gpusched_graph_builder_advance(b.links));
    IS(OK, gpusched_graph_builder_add_dependency(b.links, 2, 0, 0));
    IS(OK, gpusched_graph_builder_advance(b.links));
    IS(OK, gpusched_graph_builder_add_dependency(b.links, 1, 0, 0));
    IS(CYCLE, gpusched_graph_builder_finish(b.links, &graph_out, &tb));
    TRUE(tb == 1);
    IS(GRAPH_COMPLETE, gpusched_graph_builder_finish(b.links, &graph_out, &tb));
    TRUE(tb == 1);
    release(&b.block);
}

static void admission(void) {
    // A node with three children, and room for two nodes, of which one is the parent.
    const uint64_t nodes[] = {NODE(0, 0, 0, 0), NODE(3, 1, 1, 1), NODE(3, 1, 1, 1), NODE(3, 1, 1, 1)};
    const uint16_t edges[] = {1, 2, 3};
    uint32_t scratch[4];
    gpusched_dgb_admission a;
    gpusched_dgb_config c;
    IS(OK, gpusched_dgb_config_init(&c, sizeof c, GPUSCHED_DGB_PRESET_GTX480));
    c.lna = 2, c.chunk_bytes = 8, c.pub_entries = 2;
    IS(OK, gpusched_admit(&c, nodes, 4, edges, 3, scratch, &a));
    TRUE(a.verdict == GPUSCHED_DGB_VERDICT_SAFE && a.node == GPUSCHED_NONE);
    c.pub_entries = 1;
    IS(OK, gpusched_admit(&c, nodes, 4, edges, 3, scratch, &a));
    TRUE(a.verdict == GPUSCHED_DGB_VERDICT_DEADLOCKS && a.node == 0);
    c.lea = 2;
    IS(OK, gpusched_admit(&c, nodes, 4, edges, 3, scratch, &a));
    TRUE(a.verdict == GPUSCHED_DGB_VERDICT_OVERSIZE && a.node == 0);
    IS(OK, gpusched_admit(&c, NULL, 0, NULL, 0, NULL, &a));
    TRUE(a.verdict == GPUSCHED_DGB_VERDICT_SAFE);

    a.verdict = a.node = 77;
    IS(NULL, gpusched_admit(NULL, nodes, 4, edges, 3, scratch, &a));
    IS(NULL, gpusched_admit(&c, NULL, 4, edges, 3, scratch, &a));
    IS(NULL, gpusched_admit(&c, nodes, 4, NULL, 3, scratch, &a));
    IS(NULL, gpusched_admit(&c, nodes, 4, edges, 3, NULL, &a));
    IS(NULL, gpusched_admit(&c, nodes, 4, edges, 3, scratch, NULL));
    IS(MISALIGNED, gpusched_admit(ODD(&c), nodes, 4, edges, 3, scratch, &a));
    IS(MISALIGNED, gpusched_admit(&c, ODD(nodes), 4, edges, 3, scratch, &a));
    IS(MISALIGNED, gpusched_admit(&c, nodes, 4, ODD(edges), 3, scratch, &a));
    IS(MISALIGNED, gpusched_admit(&c, nodes, 4, edges, 3, ODD(scratch), &a));
    IS(MISALIGNED, gpusched_admit(&c, nodes, 4, edges, 3, scratch, ODD(&a)));
    IS(TOO_MANY_NODES, gpusched_admit(&c, nodes, 65536, edges, 3, scratch, &a));
    IS(TOO_MANY_EDGES, gpusched_admit(&c, nodes, 4, edges, UINT32_C(1) << 31, scratch, &a));
    c.lea = 0;
    IS(BAD_CONFIG, gpusched_admit(&c, nodes, 4, edges, 3, scratch, &a));
    c.struct_size = 36;
    IS(BAD_STRUCT_SIZE, gpusched_admit(&c, nodes, 4, edges, 3, scratch, &a));
    TRUE(a.verdict == 77 && a.node == 77);
}

int main(void) {
    storage();
    struct builder b = begin(EDGES);
    no_objects(functions, COUNT(functions), &b.block);
    release(&b.block);
    arguments();
    cycle();
    admission();
    puts("all as promised");
    return EXIT_SUCCESS;
}
