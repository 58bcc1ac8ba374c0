// Configurations and storage that no front end has: the right status, and nothing built. The largest and the smallest are built.
#include "misuse_frontend.h"

// ---- What is not about an object ----

static void names(void) {
    TRUE(gpusched_abi_version() == GPUSCHED_ABI_VERSION);
    TRUE(strcmp(gpusched_status_str(GPUSCHED_STATUS_BAD_SMX), "BadSmx") == 0);
    TRUE(strcmp(gpusched_status_text(GPUSCHED_STATUS_OK), "done") == 0);
    for (uint32_t i = 0; i < 2000; i++) TRUE(gpusched_status_str(i)[0] != 0 && gpusched_status_text(i)[0] != 0);
    TRUE(strcmp(gpusched_status_str(kEverything), "Unknown") == 0);
    TRUE(gpusched_status_text(kEverything)[0] != 0);
}

static void set(gpusched_frontend_config *config, uint32_t field, uint32_t value) {
    // Numeric parameters begin behind struct_size, in the order in which they are told.
    memcpy((char *)config + sizeof value * (1 + field), &value, sizeof value);
}

static void configurations(void) {
    gpusched_frontend_config c;
    gpusched_parameter p;
    gpusched_layout layout;
    gpusched_frontend_storage storage;
    const size_t size = sizeof c;

    IS(NULL, gpusched_frontend_config_init(NULL, size, 0));
    IS(MISALIGNED, gpusched_frontend_config_init(ODD(&c), size, 0));
    IS(BAD_INDEX, gpusched_frontend_config_init(&c, size, GPUSCHED_GPU_H100 + 1));
    IS(BAD_INDEX, gpusched_frontend_config_init(&c, size, kEverything));
    const size_t bad_sizes[] = {0, 1, 136, 141, size - 1, size + 1, size + 2, 4100, SIZE_MAX - 3};
    for (size_t i = 0; i < COUNT(bad_sizes); i++) IS(BAD_STRUCT_SIZE, gpusched_frontend_config_init(&c, bad_sizes[i], 0));

    for (uint32_t gpu = GPUSCHED_GPU_GTX480; gpu <= GPUSCHED_GPU_H100; gpu++) {
        IS(OK, gpusched_frontend_config_init(&c, size, gpu));
        IS(OK, gpusched_frontend_config_check(&c, NULL));
        IS(OK, gpusched_frontend_storage_bits(&c, &storage));
        TRUE(storage.total > 0);
    }

    // Each reader of a configuration.
    IS(NULL, gpusched_frontend_config_ideal(NULL));
    IS(NULL, gpusched_frontend_config_check(NULL, NULL));
    IS(NULL, gpusched_frontend_layout(NULL, &layout));
    IS(NULL, gpusched_frontend_layout(&c, NULL));
    IS(NULL, gpusched_frontend_storage_bits(NULL, &storage));
    IS(NULL, gpusched_frontend_storage_bits(&c, NULL));
    IS(MISALIGNED, gpusched_frontend_config_ideal(ODD(&c)));
    IS(MISALIGNED, gpusched_frontend_config_check(ODD(&c), NULL));
    IS(MISALIGNED, gpusched_frontend_layout(ODD(&c), &layout));
    IS(MISALIGNED, gpusched_frontend_layout(&c, ODD(&layout)));
    IS(MISALIGNED, gpusched_frontend_storage_bits(ODD(&c), &storage));
    IS(MISALIGNED, gpusched_frontend_storage_bits(&c, ODD(&storage)));
    for (size_t i = 0; i < COUNT(bad_sizes); i++) {
        c.struct_size = (uint32_t)bad_sizes[i];
        IS(BAD_STRUCT_SIZE, gpusched_frontend_config_ideal(&c));
        IS(BAD_STRUCT_SIZE, gpusched_frontend_config_check(&c, &p));
        IS(BAD_STRUCT_SIZE, gpusched_frontend_layout(&c, &layout));
        IS(BAD_STRUCT_SIZE, gpusched_frontend_storage_bits(&c, &storage));
    }

    // A struct of a newer header: what this library does not know must be 0.
    struct {
        gpusched_frontend_config known;
        uint32_t newer[3];
    } longer;
    memset(&longer, PATTERN, sizeof longer);
    IS(OK, gpusched_frontend_config_init(&longer.known, sizeof longer, GPUSCHED_GPU_K20C));
    TRUE(longer.newer[0] == 0 && longer.newer[2] == 0);
    IS(OK, gpusched_frontend_config_ideal(&longer.known));
    IS(OK, gpusched_frontend_config_check(&longer.known, NULL));
    IS(OK, gpusched_frontend_layout(&longer.known, &layout));
    longer.newer[2] = 1;
    IS(WRONG_VERSION, gpusched_frontend_config_ideal(&longer.known));
    IS(WRONG_VERSION, gpusched_frontend_config_check(&longer.known, &p));
    IS(WRONG_VERSION, gpusched_frontend_layout(&longer.known, &layout));
    IS(WRONG_VERSION, gpusched_frontend_storage_bits(&longer.known, &storage));

    // Every parameter beyond each end of its range. The last ones came later, so their fields lie behind the others.
    uint32_t n = 0;
    const uint32_t ahead = (uint32_t)(offsetof(gpusched_frontend_config, load_ahead) / sizeof n - 1);
    const uint32_t streams = (uint32_t)(offsetof(gpusched_frontend_config, n_stream) / sizeof n - 1);
    const uint32_t grids = (uint32_t)(offsetof(gpusched_frontend_config, grids) / sizeof n - 1);
    const uint32_t flush = (uint32_t)(offsetof(gpusched_frontend_config, flush_cycles) / sizeof n - 1);
    for (; gpusched_frontend_parameter(n, &p) == GPUSCHED_STATUS_OK; n++) {
        const gpusched_parameter told = p;
        const uint32_t field = strcmp(told.name, "load_ahead") == 0     ? ahead
                               : strcmp(told.name, "n_stream") == 0     ? streams
                               : strcmp(told.name, "grids") == 0        ? grids
                               : strcmp(told.name, "flush_cycles") == 0 ? flush
                                                                        : n;
        const uint32_t values[] = {told.min - 1, told.max + 1, told.power_of_two ? 3 : kEverything};
        for (size_t i = 0; i < COUNT(values); i++) {
            if (values[i] >= told.min && values[i] <= told.max && !told.power_of_two) continue;
            c = small_config();
            set(&c, field, values[i]);
            IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p));
            TRUE(strcmp(p.name, told.name) == 0 && p.value == values[i] && p.min == told.min && p.max == told.max);
            IS(BAD_CONFIG, gpusched_frontend_layout(&c, &layout));
            IS(BAD_CONFIG, gpusched_frontend_storage_bits(&c, &storage));
        }
        c = small_config();
        set(&c, field, told.max);
        // What is flushed only with grids.
        c.cdp2 = field == flush;
        IS(OK, gpusched_frontend_layout(&c, &layout));
    }
    TRUE(n > 20);
    IS(BAD_INDEX, gpusched_frontend_parameter(n, &p));
    IS(BAD_INDEX, gpusched_frontend_parameter(kEverything, &p));
    IS(NULL, gpusched_frontend_parameter(0, NULL));
    IS(MISALIGNED, gpusched_frontend_parameter(0, ODD(&p)));

    // Enumerations, flags, and the queue of decisions.
    const uint32_t choices = (uint32_t)(offsetof(gpusched_frontend_config, decisions) / sizeof n - 1);
    const uint32_t first = (uint32_t)(offsetof(gpusched_frontend_config, kmu_arb) / sizeof n - 1);
    for (uint32_t field = first; field < choices; field++) {
        c = small_config();
        set(&c, field, 3);
        IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p));
        TRUE(p.value == 3 && p.min == 0 && p.max < 3);
        IS(BAD_CONFIG, gpusched_frontend_config_ideal(&c));
    }
    // Those of the parts, where they are there.
    for (uint32_t field = choices + 1; field < size / sizeof field - 1; field++) {
        c = small_config();
        set(&c, field, kEverything);
        const size_t at = (field + 1) * sizeof field;
        const bool is_bubble = at == offsetof(gpusched_frontend_config, bubble);
        const bool is_dats = at == offsetof(gpusched_frontend_config, dats);
        const bool is_own = is_bubble || is_dats || at == offsetof(gpusched_frontend_config, pass_graph) ||
                            at == offsetof(gpusched_frontend_config, load_ahead) ||
                            at == offsetof(gpusched_frontend_config, n_stream) ||
                            at == offsetof(gpusched_frontend_config, topology) ||
                            at == offsetof(gpusched_frontend_config, topology_numbering) ||
                            at == offsetof(gpusched_frontend_config, cluster) ||
                            at == offsetof(gpusched_frontend_config, priority) ||
                            at == offsetof(gpusched_frontend_config, partition) ||
                            at == offsetof(gpusched_frontend_config, preempt) ||
                            at == offsetof(gpusched_frontend_config, flush_cycles) ||
                            at == offsetof(gpusched_frontend_config, cdp2) ||
                            at == offsetof(gpusched_frontend_config, grids) ||
                            at == offsetof(gpusched_frontend_config, pdl) ||
                            at == offsetof(gpusched_frontend_config, kgraph) ||
                            at == offsetof(gpusched_frontend_config, cross);
        if (!is_own) IS(OK, gpusched_frontend_config_check(&c, &p));
        // Any number of cycles is a limit.
        if (at == offsetof(gpusched_frontend_config, told_stall_limit)) continue;
        if (at >= offsetof(gpusched_frontend_config, n_stream)) {
            // Any set is one of places, and any number of cycles or bytes is a cost.
            const bool is_set = at >= offsetof(gpusched_frontend_config, topology_tpc_ends) &&
                                at < offsetof(gpusched_frontend_config, cluster);
            const bool is_cost = (at >= offsetof(gpusched_frontend_config, preempt_save_base) &&
                                  at < offsetof(gpusched_frontend_config, priority_levels)) ||
                                 at == offsetof(gpusched_frontend_config, flush_cycles) ||
                                 at == offsetof(gpusched_frontend_config, cdp2_lat_tail) ||
                                 (at >= offsetof(gpusched_frontend_config, kgraph_lat_kernel) &&
                                  at < offsetof(gpusched_frontend_config, cross));
            if (is_set || is_cost) continue;
            const uint32_t gpc[] = {8};
            c = small_config();
            IS(OK, gpusched_frontend_config_gpc(&c, gpc, 1));
            c.cluster = c.priority = c.partition = c.preempt = c.cdp2 = c.pdl = c.kgraph = 1;
            IS(OK, gpusched_frontend_config_check(&c, &p));
            set(&c, field, kEverything);
            IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p));
            TRUE(p.value == kEverything && p.min <= p.max);
            continue;
        }
        const bool is_told = at >= offsetof(gpusched_frontend_config, told_dispatch_per_cycle);
        c.policy = is_told ? GPUSCHED_POLICY_TOLD : GPUSCHED_POLICY_LA_PERM;
        if (!is_bubble) c.bubble = 1;
        if (!is_dats) c.dats = 1;
        IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p));
        TRUE(p.value == kEverything && p.min <= p.max);
    }
    // What the parts are to the rest.
    c = small_config();
    c.policy = GPUSCHED_POLICY_LA_PERM;
    IS(OK, gpusched_frontend_config_check(&c, &p));
    c.turn_groups = 1;
    IS(TURN_WITH_LAPERM, gpusched_frontend_config_check(&c, &p));
    TRUE(strcmp(p.name, "turn_groups") == 0 && p.value == 1);
    IS(TURN_WITH_LAPERM, gpusched_frontend_layout(&c, &layout));
    c.turn_groups = 0, c.load_mode = GPUSCHED_LOAD_MODE_EXTERNAL;
    IS(LOAD_WITH_LAPERM, gpusched_frontend_config_check(&c, &p));
    c.load_mode = GPUSCHED_LOAD_MODE_FIXED, c.agt_miss = GPUSCHED_AGT_MISS_DEVICE;
    IS(AGT_WITH_LAPERM, gpusched_frontend_storage_bits(&c, &storage));
    c.agt_miss = GPUSCHED_AGT_MISS_SPILL, c.load_ahead = 1;
    IS(AHEAD_WITH_LAPERM, gpusched_frontend_config_check(&c, &p));
    TRUE(strcmp(p.name, "load_ahead") == 0 && p.value == 1);
    c.load_ahead = 0, c.laperm_q0_cap = 7;
    IS(QUEUE0_TOO_SMALL, gpusched_frontend_config_check(&c, &p));
    c.laperm_q0_cap = 8, c.laperm_pool_cap = 39;
    IS(POOL_TOO_SMALL, gpusched_frontend_config_check(&c, NULL));
    c.laperm_pool_cap = 40;
    IS(OK, gpusched_frontend_config_check(&c, NULL));
    c = small_config();
    c.decisions = (1 << 20) + 1;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p));
    IS(MISALIGNED, gpusched_frontend_config_check(&c, ODD(&p)));
}

// ---- Storage ----

static void storage(void) {
    const gpusched_frontend_config c = small_config();
    gpusched_frontend_config bad = c;
    gpusched_frontend *fe = NULL;
    gpusched_layout layout;
    IS(OK, gpusched_frontend_layout(&c, &layout));
    TRUE(layout.size < 20 * 1024);
    printf("8 SMXs, 64 AGEs, 32 pending launches: %zu bytes\n", layout.size);

    unsigned char *block = malloc(layout.size + 1);
    TRUE(block != NULL);
    memset(block, PATTERN, layout.size + 1);
    IS(NULL, gpusched_frontend_init(NULL, layout.size, &c, &fe));
    IS(NULL, gpusched_frontend_init(block, layout.size, NULL, &fe));
    IS(NULL, gpusched_frontend_init(block, layout.size, &c, NULL));
    IS(MISALIGNED, gpusched_frontend_init(block + 1, layout.size, &c, &fe));
    IS(MISALIGNED, gpusched_frontend_init(block, layout.size, ODD(&c), &fe));
    IS(MISALIGNED, gpusched_frontend_init(block, layout.size, &c, ODD(&fe)));
    IS(STORAGE_TOO_SMALL, gpusched_frontend_init(block, layout.size - 1, &c, &fe));
    IS(STORAGE_TOO_SMALL, gpusched_frontend_init(block, 0, &c, &fe));
    bad.struct_size = 8;
    IS(BAD_STRUCT_SIZE, gpusched_frontend_init(block, layout.size, &bad, &fe));
    bad = c, bad.n_smx = 257;
    IS(BAD_CONFIG, gpusched_frontend_init(block, layout.size, &bad, &fe));
    TRUE(fe == NULL);
    for (size_t i = 0; i <= layout.size; i++) TRUE(block[i] == PATTERN);
    free(block);
}

static void ranges(void) {
    // The largest machine there is, used in its last rows.
    gpusched_frontend_config c = small_config();
    c.n_smx = 256, c.tb_slots = 64, c.pend_limit = 1 << 20, c.agt_size = 65536, c.threads = 65536, c.n_hwq = 64, c.n_kde = 64;
    c.susp_cap = 64, c.n_class = 8, c.warp = 64, c.decisions = 0;
    struct machine m = build(&c);
    printf("256 SMXs of 64 slots, 65536 AGEs, 2^20 pending launches: %zu bytes\n", m.block.size);
    const gpusched_kernel large = {.pc = 1, .grid = {256 * 64, 1, 1}, .tb = {64, 1, 1}};
    gpusched_words words;
    gpusched_tb tb;
    size_t count = 0;
    IS(OK, gpusched_frontend_host_launch(m.fe, 63, &large, 0, NULL));
    while (IS(OK, gpusched_frontend_advance(m.fe, 256 * 64, &words)), words.tb > 0) count += read_all(m.fe);
    TRUE(count >= 256 * 64);
    IS(OK, gpusched_frontend_tb(m.fe, 255, 63, &tb));
    TRUE(tb.smx == 255 && tb.slot == 63);
    gpusched_group lanes[64];
    uint32_t records[64];
    for (uint32_t i = 0; i < 64; i++) lanes[i] = group, lanes[i].hw_tid = 65535 - i;
    for (uint32_t i = 0; i < (1 << 20) / 64; i++) IS(OK, gpusched_frontend_agg_launch(m.fe, 255, 63, lanes, 64, records));
    TRUE(records[63] == (1 << 20) - 1);
    IS(PENDING_LIMIT, gpusched_frontend_agg_launch(m.fe, 255, 63, lanes, 1, NULL));
    IS(OK, gpusched_frontend_records_in_use(m.fe, &records[0]));
    TRUE(records[0] == 1 << 20);
    IS(OK, gpusched_frontend_set_class_cap(m.fe, 7, 255, 1, 1));
    discard(&m);

    // The smallest.
    c.n_smx = c.tb_slots = c.pend_limit = c.agt_size = c.n_hwq = c.n_kde = c.hwq_depth = c.warp = 1;
    c.threads = 64, c.susp_cap = c.n_class = 0, c.decisions = 1;
    m = build(&c);
    printf("one of everything: %zu bytes\n", m.block.size);
    IS(OK, gpusched_frontend_host_launch(m.fe, kEverything, &kernel, 0, NULL));
    IS(OK, gpusched_frontend_tick(m.fe, NULL));
    (void)read_all(m.fe);
    for (uint32_t i = 0; i < 20; i++) {
        IS(OK, gpusched_frontend_tb_done(m.fe, 0, 0));
        (void)read_all(m.fe);
        IS(OK, gpusched_frontend_tick(m.fe, NULL));
        (void)read_all(m.fe);
    }
    IS(NO_TB, gpusched_frontend_tb_done(m.fe, 0, 0));
    discard(&m);

    c = small_config();
    m = build(&c);
    IS(OK, gpusched_frontend_host_launch(m.fe, 0, &kernel, 0, NULL));
    TRUE(drain(m.fe) > 20);
    discard(&m);
}

int main(void) {
    names();
    configurations();
    storage();
    ranges();
    puts("all as promised");
    return EXIT_SUCCESS;
}
