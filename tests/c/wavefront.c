/* A wavefront of 4 x 4 TBs, each behind its west and north neighbours: described, built, launched, run to its end. */
#include <stdio.h>
#include <stdlib.h>

#include <gpusched.h>

#define OK(call) ((call) == GPUSCHED_STATUS_OK ? (void)0 : exit(EXIT_FAILURE))

int main(void) {
    /* The graph: the host goes through the grid and names the parents of each TB. Outside the grid there is none. */
    const gpusched_dim3 grid = {4, 4, 1};
    gpusched_layout layout;
    gpusched_graph_builder *links;
    gpusched_graph graph;
    OK(gpusched_graph_builder_layout(&grid, 2 * 16, &layout));
    void *const memory = malloc(layout.size);
    OK(gpusched_graph_builder_init(memory, layout.size, &grid, 2 * 16, &links));
    for (gpusched_dim3 tb; gpusched_graph_builder_block(links, &tb) == GPUSCHED_STATUS_OK;) {
        OK(gpusched_graph_builder_add_dependency(links, tb.x - 1, tb.y, tb.z));
        OK(gpusched_graph_builder_add_dependency(links, tb.x, tb.y - 1, tb.z));
        OK(gpusched_graph_builder_advance(links));
    }
    OK(gpusched_graph_builder_finish(links, &graph, NULL));

    gpusched_dgb_config config;
    gpusched_dgb *dgb;
    OK(gpusched_dgb_config_init(&config, sizeof config, GPUSCHED_DGB_PRESET_GTX480));
    OK(gpusched_dgb_layout(&config, &layout));
    void *const block = malloc(layout.size);
    OK(gpusched_dgb_init(block, layout.size, &config, &dgb));
    OK(gpusched_dgb_launch(dgb, 0, &graph.header, NULL));

    /* Memory answers at once, SMX 0 and 1 have room for any TB, and TBs end when nothing more can start. */
    gpusched_dgb_selection s = {0};
    for (uint32_t running[16], started = 0, ended = 0; s.sched != GPUSCHED_DGB_SCHED_FINISHED;) {
        gpusched_dgb_request r;
        while (OK(gpusched_dgb_poll(dgb, &r, NULL)), r.present)
            OK(r.kind == GPUSCHED_DGB_KIND_NODES
                   ? gpusched_dgb_nodes(dgb, r.tag, graph.nodes + r.first, r.count, NULL, NULL)
                   : gpusched_dgb_edges(dgb, r.tag, graph.edges + r.first, r.count, NULL, NULL));
        OK(gpusched_dgb_select(dgb, &(gpusched_smx_set){{3}}, &s, NULL));
        if (s.sched == GPUSCHED_DGB_SCHED_DISPATCH) {
            printf("TB (%d,%d) -> SMX %d\n", graph.order[s.node] % 4, graph.order[s.node] / 4, (int)s.smx);
            running[started++] = s.node;
        } else if (s.sched != GPUSCHED_DGB_SCHED_FINISHED) OK(gpusched_dgb_complete(dgb, running[ended++], NULL, NULL));
    }
    free(block), free(memory);
}
