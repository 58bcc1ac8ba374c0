// Sheet `modern`, used as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_frontend.h"
#include "misuse_objects.h"

static size_t size_out;
static uint32_t u32_out;
static uint64_t u64_out;
static const gpusched_context_spec everything = {.quota = GPUSCHED_NONE, .kdes = GPUSCHED_NONE};
static const gpusched_victim all = {.victim_kind = GPUSCHED_VICTIM_KIND_ALL};
static const gpusched_smx_set first = {{1, 0, 0, 0}}, nowhere = {{0, 0, 0, 0}}, beyond = {{1 << 8, 0, 0, 0}};

OBJECT(gpusched_frontend_set_stream, 0, GPUSCHED_NONE, GPUSCHED_NONE)
OBJECT(gpusched_frontend_set_context, 0, &everything)
OBJECT(gpusched_frontend_context, 0, OUT)
OBJECT(gpusched_frontend_stream, 0, OUT)
OBJECT(gpusched_frontend_drain, &first, &all, &u32_out)
OBJECT(gpusched_frontend_release_drain, 0)
OBJECT(gpusched_frontend_drain_request, 0, OUT)
OBJECT(gpusched_frontend_save_kernel, 0, &u64_out)
OBJECT(gpusched_frontend_max_active_clusters, &kernel, 0, &u32_out)
OBJECT(gpusched_frontend_gpc_of, 0, &u32_out)
OBJECT(gpusched_frontend_gpc, 0, OUT)
OBJECT(gpusched_frontend_gpc_pointer, &u32_out)
OBJECT(gpusched_frontend_tpcs, OUT, 9, &size_out)

static const struct function functions[] = {
    F(gpusched_frontend_set_stream), F(gpusched_frontend_set_context),         F(gpusched_frontend_context),
    F(gpusched_frontend_stream),     F(gpusched_frontend_drain),               F(gpusched_frontend_release_drain),
    F(gpusched_frontend_drain_request), F(gpusched_frontend_save_kernel),      F(gpusched_frontend_max_active_clusters),
    F(gpusched_frontend_gpc_of),     F(gpusched_frontend_gpc),                 F(gpusched_frontend_gpc_pointer),
    F(gpusched_frontend_tpcs),
};

// Eight SMXs in GPCs of four, and every part.
static gpusched_frontend_config modern_config(void) {
    gpusched_frontend_config c = small_config();
    const uint32_t gpc[] = {2, 2};
    IS(OK, gpusched_frontend_config_gpc(&c, gpc, 2));
    IS(OK, gpusched_frontend_config_gpc(&c, gpc, 2));
    TRUE(c.n_smx == 8 && c.topology == 1);
    c.cluster = c.priority = c.partition = c.preempt = 1;
    c.n_stream = 4, c.preempt_drain_max = 2;
    return c;
}

static void objects(void) {
    const gpusched_frontend_config c = modern_config();
    struct machine m = build(&c);
    no_objects(functions, COUNT(functions), &m.block);
    discard(&m);
}

// Without the parts there is none of it.
static void others(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    gpusched_kernel clustered = kernel;
    clustered.cluster = (gpusched_cluster){2, 1, 1, 0};
    watch(&m);
    IS(NO_PARTITION, gpusched_frontend_set_stream(m.fe, 0, 0, GPUSCHED_NONE));
    IS(NO_PRIORITY, gpusched_frontend_set_stream(m.fe, 0, GPUSCHED_NONE, 0));
    IS(NO_PARTITION, gpusched_frontend_set_context(m.fe, 0, &everything));
    IS(BAD_CONTEXT, gpusched_frontend_context(m.fe, 0, OUT));
    IS(BAD_STREAM, gpusched_frontend_stream(m.fe, 0, OUT));
    IS(NO_PREEMPT, gpusched_frontend_drain(m.fe, &first, &all, NULL));
    IS(BAD_DRAIN, gpusched_frontend_release_drain(m.fe, 0));
    IS(BAD_DRAIN, gpusched_frontend_drain_request(m.fe, 0, OUT));
    IS(NO_PREEMPT, gpusched_frontend_save_kernel(m.fe, 0, NULL));
    IS(NO_CLUSTERS, gpusched_frontend_max_active_clusters(m.fe, &clustered, 0, &u32_out));
    IS(NO_CLUSTERS, gpusched_frontend_host_launch(m.fe, 1, &clustered, 0, NULL));
    IS(NO_TOPOLOGY, gpusched_frontend_gpc_of(m.fe, 0, &u32_out));
    IS(BAD_INDEX, gpusched_frontend_gpc(m.fe, 0, OUT));
    IS(OK, gpusched_frontend_gpc_pointer(m.fe, &u32_out));
    TRUE(u32_out == GPUSCHED_NONE);
    IS(OK, gpusched_frontend_tpcs(m.fe, NULL, 0, &size_out));
    TRUE(size_out == 0);
    unwatch();
    discard(&m);
}

// Numbers that name nothing, and pointers that lead nowhere.
static void arguments(void) {
    const gpusched_frontend_config c = modern_config();
    struct machine m = busy(&c);
    gpusched_frontend *const fe = m.fe;
    watch(&m);
    IS(BAD_CONTEXT, gpusched_frontend_set_stream(fe, 1, 2, GPUSCHED_NONE));
    IS(BAD_CONTEXT, gpusched_frontend_set_stream(fe, 1, 256, GPUSCHED_NONE));
    IS(BAD_PRIORITY, gpusched_frontend_set_stream(fe, 1, 1, 6));
    IS(BAD_STREAM, gpusched_frontend_set_stream(fe, 4, 1, 5));
    IS(STREAM_BUSY, gpusched_frontend_set_stream(fe, 0, 1, 5));
    IS(BAD_CONTEXT, gpusched_frontend_set_context(fe, 2, &everything));
    IS(NULL, gpusched_frontend_set_context(fe, 1, NULL));
    IS(MISALIGNED, gpusched_frontend_set_context(fe, 1, ODD(&everything)));
    const gpusched_context_spec wrong[] = {
        {.smxs = {{0, 0, 0, 0}}, .has_smxs = 1, .quota = GPUSCHED_NONE, .kdes = GPUSCHED_NONE},
        {.smxs = {{1 << 8, 0, 0, 0}}, .has_smxs = 1, .quota = GPUSCHED_NONE, .kdes = GPUSCHED_NONE},
        {.gpcs = {{4, 0, 0, 0}}, .has_gpcs = 1, .quota = GPUSCHED_NONE, .kdes = GPUSCHED_NONE},
        {.smxs = {{1, 0, 0, 0}}, .gpcs = {{1, 0, 0, 0}}, .has_smxs = 1, .has_gpcs = 1, .quota = GPUSCHED_NONE, .kdes = GPUSCHED_NONE},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) IS(BAD_SET, gpusched_frontend_set_context(fe, 1, &wrong[i]));
    gpusched_context_spec spec = everything;
    spec.quota = 0;
    IS(BAD_QUOTA, gpusched_frontend_set_context(fe, 1, &spec));
    spec.quota = 101;
    IS(BAD_QUOTA, gpusched_frontend_set_context(fe, 1, &spec));
    spec.quota = 50, spec.kdes = 9;
    IS(BAD_LIMIT, gpusched_frontend_set_context(fe, 1, &spec));
    spec.kdes = 8;
    IS(CONTEXT_BUSY, gpusched_frontend_set_context(fe, 0, &spec));
    IS(OK, gpusched_frontend_set_context(fe, 1, &spec));
    gpusched_context context;
    IS(OK, gpusched_frontend_context(fe, 1, &context));
    TRUE(context.quota == 50 && context.kdes == 8 && context.limit == 8 * c.threads / 2 && context.threads == 0);

    IS(BAD_SMX, gpusched_frontend_drain(fe, &nowhere, &all, NULL));
    IS(BAD_SMX, gpusched_frontend_drain(fe, &beyond, &all, NULL));
    IS(NULL, gpusched_frontend_drain(fe, NULL, &all, NULL));
    IS(NULL, gpusched_frontend_drain(fe, &first, NULL, NULL));
    gpusched_victim victim = {.victim_kind = 3};
    IS(BAD_ENUM, gpusched_frontend_drain(fe, &first, &victim, NULL));
    victim = (gpusched_victim){.victim_kind = GPUSCHED_VICTIM_KIND_KERNEL, .kde = 8};
    IS(BAD_KDE, gpusched_frontend_drain(fe, &first, &victim, NULL));
    victim.kde = 300;
    IS(BAD_KDE, gpusched_frontend_drain(fe, &first, &victim, NULL));
    victim.kde = 7;
    IS(NO_KERNEL, gpusched_frontend_drain(fe, &first, &victim, NULL));
    victim = (gpusched_victim){.victim_kind = GPUSCHED_VICTIM_KIND_CONTEXT, .context = 2};
    IS(BAD_CONTEXT, gpusched_frontend_drain(fe, &first, &victim, NULL));
    IS(OK, gpusched_frontend_drain(fe, &first, &all, &u32_out));
    IS(OK, gpusched_frontend_drain(fe, &first, &all, NULL));
    IS(DRAIN_FULL, gpusched_frontend_drain(fe, &first, &all, NULL));
    gpusched_drain_request request;
    IS(OK, gpusched_frontend_drain_request(fe, u32_out, &request));
    TRUE(request.is_done == 0 && request.smxs.words[0] == 1 && request.victim.victim_kind == GPUSCHED_VICTIM_KIND_ALL);
    IS(BAD_DRAIN, gpusched_frontend_release_drain(fe, 2));
    IS(OK, gpusched_frontend_release_drain(fe, 1));
    IS(BAD_DRAIN, gpusched_frontend_release_drain(fe, 1));
    IS(OK, gpusched_frontend_tb_done(fe, 0, 0));
    TRUE(read_all(fe) == 1);

    IS(RETAINED, gpusched_frontend_save_kernel(fe, 0, NULL));
    IS(BAD_KDE, gpusched_frontend_save_kernel(fe, 8, NULL));
    IS(NO_KERNEL, gpusched_frontend_save_kernel(fe, 1, NULL));
    gpusched_kernel clustered = kernel;
    clustered.cluster = (gpusched_cluster){0, 1, 1, 0};
    IS(EMPTY_CLUSTER, gpusched_frontend_host_launch(fe, 1, &clustered, 0, NULL));
    IS(EMPTY_CLUSTER, gpusched_frontend_max_active_clusters(fe, &clustered, 0, &u32_out));
    clustered.cluster = (gpusched_cluster){10, 1, 1, 0};
    IS(CLUSTER_TOO_BIG, gpusched_frontend_max_active_clusters(fe, &clustered, 0, &u32_out));
    clustered.cluster.nonportable = 1;
    IS(BAD_CONTEXT, gpusched_frontend_max_active_clusters(fe, &clustered, 2, &u32_out));
    IS(OK, gpusched_frontend_max_active_clusters(fe, &clustered, 0, &u32_out));
    TRUE(u32_out == 6);
    clustered.cluster = (gpusched_cluster){3, 1, 1, 0};
    IS(CLUSTER_GRID, gpusched_frontend_host_launch(fe, 1, &clustered, 0, NULL));
    gpusched_group with_cluster = group;
    with_cluster.kernel.cluster = (gpusched_cluster){2, 1, 1, 0};
    IS(OK, gpusched_frontend_tick(fe, NULL));
    TRUE(read_all(fe) > 0);
    IS(CLUSTER_GROUP, gpusched_frontend_agg_launch(fe, 1, 0, &with_cluster, 1, NULL));
    IS(BAD_SMX, gpusched_frontend_gpc_of(fe, 8, &u32_out));
    IS(BAD_INDEX, gpusched_frontend_gpc(fe, 2, OUT));
    IS(OK, gpusched_frontend_gpc_of(fe, 7, &u32_out));
    TRUE(u32_out == 1);
    IS(CAPACITY, gpusched_frontend_tpcs(fe, OUT, 3, &size_out));
    TRUE(size_out == 4);
    unwatch();
    discard(&m);
}

// Where SMXs lie.
static void topologies(void) {
    gpusched_frontend_config c = small_config(), fresh = c;
    const uint32_t none[] = {2, 0}, large[] = {200, 57}, fits[] = {2, 2, 2, 2};
    IS(NULL, gpusched_frontend_config_layout(NULL, 0));
    IS(MISALIGNED, gpusched_frontend_config_layout(ODD(&c), 0));
    IS(BAD_ENUM, gpusched_frontend_config_layout(&c, GPUSCHED_LAYOUT_PRESET_H200_MEASURED + 1));
    IS(NULL, gpusched_frontend_config_gpc(NULL, fits, 4));
    IS(NULL, gpusched_frontend_config_gpc(&c, NULL, 4));
    IS(BAD_CONFIG, gpusched_frontend_config_gpc(&c, fits, 0));
    IS(BAD_CONFIG, gpusched_frontend_config_gpc(&c, none, 2));
    IS(TOPOLOGY_SIZE, gpusched_frontend_config_gpc(&c, large, 2));
    TRUE(memcmp(&c, &fresh, sizeof c) == 0);
    IS(OK, gpusched_frontend_config_gpc(&c, fits, 4));
    IS(OK, gpusched_frontend_config_check(&c, NULL));
    gpusched_parameter wrong;
    c.n_smx = 9;
    IS(TOPOLOGY_SIZE, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "topology") == 0);
    c.n_smx = 8, c.topology_numbering = GPUSCHED_NUMBERING_INTERLEAVED + 1;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    IS(BAD_CONFIG, gpusched_frontend_config_gpc(&c, fits, 4));
    c.topology_numbering = GPUSCHED_NUMBERING_INTERLEAVED, c.topology_tpc_ends[0] = 0;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    for (uint32_t preset = GPUSCHED_LAYOUT_PRESET_V100; preset <= GPUSCHED_LAYOUT_PRESET_H200_MEASURED; preset++) {
        IS(OK, gpusched_frontend_config_layout(&c, preset));
        IS(OK, gpusched_frontend_config_check(&c, &wrong));
    }
    TRUE(c.n_smx == 132 && c.topology_pair_only[3] == 0xf0000000 && c.topology_pair_only[4] == 0xf);
    c.topology_pair_only[4] = 0x1f;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    c.topology_pair_only[4] = 0xf, c.cluster = 1, c.cluster_largest = 65;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "cluster_largest") == 0 && wrong.value == 65 && wrong.max == 64);
    c.cluster_largest = 16, c.policy = GPUSCHED_POLICY_TOLD;
    IS(CLUSTER_WITH_TOLD, gpusched_frontend_config_check(&c, &wrong));
}

int main(void) {
    objects();
    others();
    arguments();
    topologies();
    puts("all as promised");
    return EXIT_SUCCESS;
}
