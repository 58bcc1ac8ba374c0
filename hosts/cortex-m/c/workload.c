// The built-in workload through the C interface: round robin with DTBL, LaPerm, a wavefront through the dependency-graph buffer, and
// bursts under the occupancy-bubble controller. Each ends with a line that the firmware in Rust has, too: same cycles, same TBs, same
// state.
#include "board.h"
#include "toy.h"

#define ARENA (256u * 1024u)
static union {
    uint64_t align;
    unsigned char bytes[ARENA];
} machine, graph_memory;
static unsigned char image[8192];

// Tiles along a side of the wavefront.
#define SIDE 8u
static uint64_t nodes[SIDE * SIDE];

static int refused(const char *what, gpusched_status status) {
    say(what);
    say(": ");
    say(gpusched_status_str(status));
    say("\n");
    return 1;
}

static gpusched_frontend_config config_of(void) {
    gpusched_frontend_config config;
    gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C);
    config.n_smx = TOY_SMXS;
    config.tb_slots = TOY_TB_SLOTS;
    config.n_hwq = 8;
    config.n_kde = 16;
    config.hwq_depth = 4;
    config.pend_limit = 192;
    config.susp_cap = 4;
    config.agt_size = 64;
    return config;
}

// Each tile needs the one to its west and the one to its north.
static gpusched_status build(toy_graph *graph) {
    const gpusched_dim3 grid = {SIDE, SIDE, 1};
    gpusched_graph_builder *builder;
    gpusched_status status = gpusched_graph_builder_init(&graph_memory, sizeof graph_memory, &grid, 2 * SIDE * SIDE, &builder);
    if (status != GPUSCHED_STATUS_OK) return status;
    gpusched_dim3 tile;
    while (gpusched_graph_builder_block(builder, &tile) == GPUSCHED_STATUS_OK) {
        const gpusched_status links[] = {
            gpusched_graph_builder_set_policy(builder, 3),
            gpusched_graph_builder_add_dependency(builder, (int64_t)tile.x - 1, tile.y, 0),
            gpusched_graph_builder_add_dependency(builder, tile.x, (int64_t)tile.y - 1, 0),
            gpusched_graph_builder_advance(builder),
        };
        for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
            if (links[i] != GPUSCHED_STATUS_OK) return links[i];
        }
    }
    gpusched_graph built;
    status = gpusched_graph_builder_finish(builder, &built, NULL);
    if (status != GPUSCHED_STATUS_OK) return status;
    for (uint32_t i = 0; i < built.header.v; i++) nodes[i] = built.nodes[i];
    *graph = (toy_graph){nodes, built.edges, built.header};
    return GPUSCHED_STATUS_OK;
}

static int run(const gpusched_frontend_config *config, const toy_plan *plan) {
    gpusched_frontend *gpu;
    gpusched_status status = gpusched_frontend_init(&machine, sizeof machine, config, &gpu);
    if (status != GPUSCHED_STATUS_OK) return refused(plan->name, status);
    toy_graph graph;
    status = build(&graph);
    if (status != GPUSCHED_STATUS_OK) return refused("wavefront", status);
    status = toy_run(gpu, plan, &graph);
    if (status != GPUSCHED_STATUS_OK) return refused(plan->name, status);

    gpusched_frontend_stats stats;
    size_t length;
    status = gpusched_frontend_get_stats(gpu, &stats);
    if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_save(gpu, image, sizeof image, &length);
    if (status != GPUSCHED_STATUS_OK) return refused(plan->name, status);
    const unsigned char *sum = image + length - 4;
    say("end of ");
    say(plan->name);
    say(": ");
    say_number(stats.ticks);
    say(" cycles, ");
    say_number(stats.tbs);
    say(" TBs, state ");
    say_hex((uint32_t)sum[0] | (uint32_t)sum[1] << 8 | (uint32_t)sum[2] << 16 | (uint32_t)sum[3] << 24);
    say("\n");
    return 0;
}

int main(void) {
    const gpusched_frontend_config dtbl = config_of();

    gpusched_frontend_config laperm = dtbl;
    laperm.policy = GPUSCHED_POLICY_LA_PERM;
    laperm.laperm_policy = GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND;
    laperm.laperm_q0_cap = dtbl.n_kde;
    laperm.laperm_pool_cap = dtbl.pend_limit + dtbl.n_kde;

    gpusched_frontend_config dats = dtbl;
    dats.dats = 1;
    dats.dats_lna = 64;
    dats.dats_lea = 128;
    dats.dats_pub_entries = 32;

    gpusched_frontend_config bubble = dtbl;
    bubble.bubble = 1;
    bubble.bubble_sample_cycles = 500;
    bubble.bubble_drain_samples = 8;
    bubble.bubble_gpu_idle_samples = 4;

    const int failed = run(&dtbl, &toy_dtbl) || run(&laperm, &toy_laperm) || run(&dats, &toy_dats) || run(&bubble, &toy_bubble);
    say(board_name);
    say(": C: stack ");
    say_number(stack_high_water());
    say(" bytes\n");
    return failed;
}
