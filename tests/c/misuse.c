// Every function of the C ABI, called as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse.h"

// A front end between guards.
struct machine {
    struct block block;
    gpusched_frontend *fe;
};

static struct machine build(const gpusched_frontend_config *config) {
    gpusched_layout layout;
    IS(OK, gpusched_frontend_layout(config, &layout));
    struct machine m = {block_of(layout), NULL};
    IS(OK, gpusched_frontend_init(storage_in(&m.block), layout.size, config, &m.fe));
    TRUE((void *)m.fe == (void *)storage_in(&m.block));
    return m;
}

static void watch(const struct machine *m) { watch_block(&m->block); }
static void discard(struct machine *m) { release(&m->block); }

static gpusched_frontend_config small_config(void) {
    gpusched_frontend_config c;
    IS(OK, gpusched_frontend_config_init(&c, sizeof c, GPUSCHED_GPU_K20C));
    IS(OK, gpusched_frontend_config_ideal(&c));
    c.n_smx = 8, c.tb_slots = 8, c.n_hwq = 4, c.hwq_depth = 4, c.n_kde = 8, c.pend_limit = 32, c.susp_cap = 2;
    c.agt_size = 64, c.n_class = 1, c.decisions = 1;
    return c;
}

static const gpusched_kernel kernel = {.pc = 1, .grid = {20, 1, 1}, .tb = {64, 1, 1}, .tag = 1};
static const gpusched_group group = {.kernel = {.pc = 1, .grid = {2, 1, 1}, .tb = {64, 1, 1}, .tag = 2}, .hw_tid = 5};

static size_t read_all(gpusched_frontend *fe) {
    const gpusched_decision *first;
    size_t count;
    IS(OK, gpusched_frontend_take(fe, &first, &count));
    return count;
}

// A machine with a kernel whose first TB runs on SMX 0, slot 0.
static struct machine busy(const gpusched_frontend_config *config) {
    struct machine m = build(config);
    IS(OK, gpusched_frontend_host_launch(m.fe, 0, &kernel, 1, NULL));
    IS(OK, gpusched_frontend_tick(m.fe, NULL));
    TRUE(read_all(m.fe) > 0);
    return m;
}

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
    IS(BAD_ENUM, gpusched_frontend_config_init(&c, size, GPUSCHED_GPU_H100 + 1));
    IS(BAD_ENUM, gpusched_frontend_config_init(&c, size, kEverything));
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

    // Every parameter beyond each end of its range.
    uint32_t n = 0;
    for (; gpusched_frontend_parameter(n, &p) == GPUSCHED_STATUS_OK; n++) {
        const gpusched_parameter told = p;
        const uint32_t values[] = {told.min - 1, told.max + 1, told.power_of_two ? 3 : kEverything};
        for (size_t i = 0; i < COUNT(values); i++) {
            if (values[i] >= told.min && values[i] <= told.max && !told.power_of_two) continue;
            c = small_config();
            set(&c, n, values[i]);
            IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p));
            TRUE(strcmp(p.name, told.name) == 0 && p.value == values[i] && p.min == told.min && p.max == told.max);
            IS(BAD_CONFIG, gpusched_frontend_layout(&c, &layout));
            IS(BAD_CONFIG, gpusched_frontend_storage_bits(&c, &storage));
        }
        c = small_config();
        set(&c, n, told.max);
        IS(OK, gpusched_frontend_layout(&c, &layout));
    }
    TRUE(n > 20);
    IS(BAD_INDEX, gpusched_frontend_parameter(n, &p));
    IS(BAD_INDEX, gpusched_frontend_parameter(kEverything, &p));
    IS(NULL, gpusched_frontend_parameter(0, NULL));
    IS(MISALIGNED, gpusched_frontend_parameter(0, ODD(&p)));

    // Enumerations, flags, and the queue of decisions.
    const uint32_t choices = (uint32_t)(offsetof(gpusched_frontend_config, decisions) / sizeof n - 1);
    for (uint32_t field = n; field < choices; field++) {
        c = small_config();
        set(&c, field, 2);
        IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &p));
        TRUE(p.value == 2 && p.min == 0 && p.max < 2);
        IS(BAD_CONFIG, gpusched_frontend_config_ideal(&c));
    }
    // Those of the parts, where they are there.
    for (uint32_t field = choices + 1; field < size / sizeof field - 1; field++) {
        c = small_config();
        set(&c, field, kEverything);
        const bool is_bubble = field * sizeof field + sizeof field == offsetof(gpusched_frontend_config, bubble);
        if (!is_bubble) IS(OK, gpusched_frontend_config_check(&c, &p));
        c.policy = GPUSCHED_POLICY_LA_PERM, c.bubble = is_bubble ? kEverything : 1;
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
    c.agt_miss = GPUSCHED_AGT_MISS_SPILL, c.laperm_q0_cap = 7;
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
    TRUE(layout.size < 17 * 1024);
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

// Runs a machine to its end. Every TB ends at once, and launches a kernel and a group before.
static uint64_t drain(gpusched_frontend *fe) {
    uint32_t state;
    uint32_t launches = 40, records;
    uint64_t now;
    do {
        const gpusched_decision *d;
        size_t count;
        IS(OK, gpusched_frontend_tick(fe, NULL));
        IS(OK, gpusched_frontend_take(fe, &d, &count));
        gpusched_decision tb = {.kind = 0};
        for (size_t i = 0; i < count; i++) {
            if (d[i].kind == GPUSCHED_DECISION_KIND_TB) tb = d[i];
        }
        IS(OK, gpusched_frontend_records_in_use(fe, &records));
        if (tb.kind != 0 && launches > 0 && records < 30) {
            launches--;
            IS(OK, gpusched_frontend_device_launch(fe, tb.smx, tb.slot, &kernel, 1, NULL));
            IS(OK, gpusched_frontend_agg_launch(fe, tb.smx, tb.slot, &group, 1, NULL));
        }
        if (tb.kind != 0) IS(OK, gpusched_frontend_tb_done(fe, tb.smx, tb.slot));
        IS(OK, gpusched_frontend_get_status(fe, &state));
    } while (state != GPUSCHED_FRONTEND_STATUS_DRAINED);
    (void)read_all(fe);
    IS(OK, gpusched_frontend_now(fe, &now));
    return now;
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

// ---- Objects that are none ----

static size_t size_out;
static uint32_t u32_out;
static uint64_t u64_out;
static const gpusched_decision *decisions_out;

// Every function of an object, called rightly but for the object.
OBJECT(gpusched_frontend_host_launch, 0, &kernel, 0, &u32_out)
OBJECT(gpusched_frontend_device_launch, 0, 0, &kernel, 1, &u32_out)
OBJECT(gpusched_frontend_agg_launch, 0, 0, &group, 1, &u32_out)
OBJECT(gpusched_frontend_tb_done, 0, 0)
OBJECT(gpusched_frontend_unretain, 0)
OBJECT(gpusched_frontend_suspend, 0, &u32_out)
OBJECT(gpusched_frontend_resume, 0)
OBJECT(gpusched_frontend_spill_loaded, 0)
OBJECT(gpusched_frontend_tick, OUT)
OBJECT(gpusched_frontend_advance, 1, OUT)
OBJECT(gpusched_frontend_run, 1, OUT)
OBJECT(gpusched_frontend_read, OUT, 1, &size_out)
OBJECT(gpusched_frontend_take, &decisions_out, &size_out)
OBJECT(gpusched_frontend_unread, &size_out)
OBJECT(gpusched_frontend_trace, NULL)
OBJECT(gpusched_frontend_set_eligible, OUT)
OBJECT(gpusched_frontend_eligible, OUT)
OBJECT(gpusched_frontend_set_block_cap, 0, 1)
OBJECT(gpusched_frontend_block_cap, 0, &u32_out)
OBJECT(gpusched_frontend_set_class, 0, 1)
OBJECT(gpusched_frontend_clear_class, 0)
OBJECT(gpusched_frontend_get_class, 0, &u32_out, &u64_out)
OBJECT(gpusched_frontend_set_class_cap, 0, 0, 1, 0)
OBJECT(gpusched_frontend_class_cap, 0, 0, OUT)
OBJECT(gpusched_frontend_has_work, 0, &u32_out)
OBJECT(gpusched_frontend_waiting_head, 0, OUT)
OBJECT(gpusched_frontend_activity, NULL, 0)
OBJECT(gpusched_frontend_get_config, OUT, sizeof(gpusched_frontend_config))
OBJECT(gpusched_frontend_now, &u64_out)
OBJECT(gpusched_frontend_next_event, &u64_out)
OBJECT(gpusched_frontend_get_status, &u32_out)
OBJECT(gpusched_frontend_get_stats, OUT)
OBJECT(gpusched_frontend_rr, &u32_out)
OBJECT(gpusched_frontend_smx, 0, OUT)
OBJECT(gpusched_frontend_resident_warps, &u32_out)
OBJECT(gpusched_frontend_tb, 0, 0, OUT)
OBJECT(gpusched_frontend_resident_tbs, OUT, 64, &size_out)
OBJECT(gpusched_frontend_kde, 0, OUT)
OBJECT(gpusched_frontend_fcfs, OUT, 64, &size_out)
OBJECT(gpusched_frontend_eligible_kernel, &kernel, &u32_out)
OBJECT(gpusched_frontend_record, 0, OUT)
OBJECT(gpusched_frontend_records_in_use, &u32_out)
OBJECT(gpusched_frontend_group, 0, OUT)
OBJECT(gpusched_frontend_agt, OUT, 64, &size_out)
OBJECT(gpusched_frontend_spilled, OUT, 64, &size_out)
OBJECT(gpusched_frontend_hwq, 0, OUT)
OBJECT(gpusched_frontend_suspended, 0, OUT)
OBJECT(gpusched_frontend_account, NULL, 0)
OBJECT(gpusched_frontend_laperm_config, OUT, sizeof(gpusched_laperm_config))
OBJECT(gpusched_frontend_laperm_units, &u32_out)
OBJECT(gpusched_frontend_laperm_cur, &u32_out)
OBJECT(gpusched_frontend_laperm_backup, 0, OUT)
OBJECT(gpusched_frontend_laperm_kmu_pointer, &u32_out)
OBJECT(gpusched_frontend_laperm_pool_free, &u32_out)
OBJECT(gpusched_frontend_laperm_queue, 0, OUT, 64, &size_out)
OBJECT(gpusched_frontend_laperm_overflow, 0, OUT, 64, &size_out)
OBJECT(gpusched_frontend_bubble_config, OUT, sizeof(gpusched_bubble_config))
OBJECT(gpusched_frontend_bubble_record, OUT)
OBJECT(gpusched_frontend_bubble_armed, OUT)
OBJECT(gpusched_frontend_bubble_registers, OUT)
OBJECT(gpusched_frontend_bubble_gpu, OUT)
OBJECT(gpusched_frontend_bubble_smx, 0, OUT)
OBJECT(gpusched_frontend_bubble_energy, OUT)
OBJECT(gpusched_frontend_bubble_energy_uncore, OUT)
OBJECT(gpusched_frontend_bubble_stats, OUT)
OBJECT(gpusched_frontend_bubble_next_sample, &u64_out)
OBJECT(gpusched_frontend_image_size, &size_out)
OBJECT(gpusched_frontend_save, OUT, sizeof out, &size_out)
OBJECT(gpusched_frontend_restore, OUT, sizeof out)

static const struct function functions[] = {
    F(gpusched_frontend_host_launch), F(gpusched_frontend_device_launch), F(gpusched_frontend_agg_launch),
    F(gpusched_frontend_tb_done), F(gpusched_frontend_unretain), F(gpusched_frontend_suspend), F(gpusched_frontend_resume),
    F(gpusched_frontend_spill_loaded), F(gpusched_frontend_tick), F(gpusched_frontend_advance), F(gpusched_frontend_run),
    F(gpusched_frontend_read), F(gpusched_frontend_take), F(gpusched_frontend_unread), F(gpusched_frontend_trace),
    F(gpusched_frontend_set_eligible), F(gpusched_frontend_eligible), F(gpusched_frontend_set_block_cap),
    F(gpusched_frontend_block_cap), F(gpusched_frontend_set_class), F(gpusched_frontend_clear_class),
    F(gpusched_frontend_get_class), F(gpusched_frontend_set_class_cap), F(gpusched_frontend_class_cap),
    F(gpusched_frontend_has_work), F(gpusched_frontend_waiting_head), F(gpusched_frontend_activity),
    F(gpusched_frontend_get_config), F(gpusched_frontend_now), F(gpusched_frontend_next_event), F(gpusched_frontend_get_status),
    F(gpusched_frontend_get_stats), F(gpusched_frontend_rr), F(gpusched_frontend_smx), F(gpusched_frontend_resident_warps),
    F(gpusched_frontend_tb), F(gpusched_frontend_resident_tbs), F(gpusched_frontend_kde), F(gpusched_frontend_fcfs),
    F(gpusched_frontend_eligible_kernel), F(gpusched_frontend_record), F(gpusched_frontend_records_in_use),
    F(gpusched_frontend_group), F(gpusched_frontend_agt), F(gpusched_frontend_spilled), F(gpusched_frontend_hwq),
    F(gpusched_frontend_suspended), F(gpusched_frontend_account), F(gpusched_frontend_laperm_config),
    F(gpusched_frontend_laperm_units), F(gpusched_frontend_laperm_cur), F(gpusched_frontend_laperm_backup),
    F(gpusched_frontend_laperm_kmu_pointer), F(gpusched_frontend_laperm_pool_free), F(gpusched_frontend_laperm_queue),
    F(gpusched_frontend_laperm_overflow), F(gpusched_frontend_bubble_config), F(gpusched_frontend_bubble_record),
    F(gpusched_frontend_bubble_armed), F(gpusched_frontend_bubble_registers), F(gpusched_frontend_bubble_gpu),
    F(gpusched_frontend_bubble_smx), F(gpusched_frontend_bubble_energy), F(gpusched_frontend_bubble_energy_uncore),
    F(gpusched_frontend_bubble_stats), F(gpusched_frontend_bubble_next_sample), F(gpusched_frontend_image_size),
    F(gpusched_frontend_save), F(gpusched_frontend_restore),
};

static void objects(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    discard(&m);
}

// ---- Arguments ----

static void pointers(void) {
    gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    gpusched_frontend *const fe = m.fe;
    watch(&m);
    const gpusched_decision **const first = &decisions_out;

    IS(NULL, gpusched_frontend_host_launch(fe, 0, NULL, 0, NULL));
    IS(MISALIGNED, gpusched_frontend_host_launch(fe, 0, ODD(&kernel), 0, NULL));
    IS(MISALIGNED, gpusched_frontend_host_launch(fe, 0, &kernel, 0, ODD(&u32_out)));
    IS(NULL, gpusched_frontend_device_launch(fe, 0, 0, NULL, 1, NULL));
    IS(MISALIGNED, gpusched_frontend_device_launch(fe, 0, 0, ODD(&kernel), 1, NULL));
    IS(MISALIGNED, gpusched_frontend_device_launch(fe, 0, 0, &kernel, 1, ODD(&u32_out)));
    IS(NULL, gpusched_frontend_agg_launch(fe, 0, 0, NULL, 1, NULL));
    IS(MISALIGNED, gpusched_frontend_agg_launch(fe, 0, 0, ODD(&group), 1, NULL));
    IS(MISALIGNED, gpusched_frontend_agg_launch(fe, 0, 0, &group, 1, ODD(&u32_out)));
    IS(MISALIGNED, gpusched_frontend_suspend(fe, 0, ODD(&u32_out)));
    IS(MISALIGNED, gpusched_frontend_tick(fe, ODD(OUT)));
    IS(MISALIGNED, gpusched_frontend_advance(fe, 9, ODD(OUT)));
    IS(MISALIGNED, gpusched_frontend_run(fe, 9, ODD(OUT)));
    IS(NULL, gpusched_frontend_read(fe, NULL, 1, &size_out));
    IS(NULL, gpusched_frontend_read(fe, OUT, 1, NULL));
    IS(MISALIGNED, gpusched_frontend_read(fe, ODD(OUT), 1, &size_out));
    IS(MISALIGNED, gpusched_frontend_read(fe, OUT, 1, ODD(&size_out)));
    IS(NULL, gpusched_frontend_take(fe, NULL, &size_out));
    IS(NULL, gpusched_frontend_take(fe, first, NULL));
    IS(MISALIGNED, gpusched_frontend_take(fe, ODD(first), &size_out));
    IS(MISALIGNED, gpusched_frontend_take(fe, first, ODD(&size_out)));
    IS(MISALIGNED, gpusched_frontend_trace(fe, ODD(OUT)));
    IS(NULL, gpusched_frontend_set_eligible(fe, NULL));
    IS(MISALIGNED, gpusched_frontend_set_eligible(fe, ODD(OUT)));
    IS(NULL, gpusched_frontend_get_class(fe, 0, NULL, &u64_out));
    IS(NULL, gpusched_frontend_get_class(fe, 0, &u32_out, NULL));
    IS(MISALIGNED, gpusched_frontend_get_class(fe, 0, ODD(&u32_out), &u64_out));
    IS(MISALIGNED, gpusched_frontend_get_class(fe, 0, &u32_out, ODD(&u64_out)));
    IS(NULL, gpusched_frontend_activity(fe, NULL, 8));
    IS(MISALIGNED, gpusched_frontend_activity(fe, ODD(OUT), 8));
    IS(CAPACITY, gpusched_frontend_activity(fe, OUT, SIZE_MAX));
    IS(NO_BUBBLE, gpusched_frontend_activity(fe, OUT, 8));
    IS(NULL, gpusched_frontend_eligible_kernel(fe, NULL, &u32_out));
    IS(NULL, gpusched_frontend_eligible_kernel(fe, &kernel, NULL));
    IS(MISALIGNED, gpusched_frontend_eligible_kernel(fe, ODD(&kernel), &u32_out));
    IS(NULL, gpusched_frontend_get_config(fe, NULL, sizeof c));
    IS(MISALIGNED, gpusched_frontend_get_config(fe, ODD(&c), sizeof c));
    IS(BAD_STRUCT_SIZE, gpusched_frontend_get_config(fe, &c, 136));
    IS(NULL, gpusched_frontend_save(fe, NULL, 1, &size_out));
    IS(NULL, gpusched_frontend_save(fe, OUT, sizeof out, NULL));
    IS(MISALIGNED, gpusched_frontend_save(fe, OUT, sizeof out, ODD(&size_out)));
    IS(NULL, gpusched_frontend_restore(fe, NULL, 100));
    IS(CAPACITY, gpusched_frontend_restore(fe, OUT, SIZE_MAX));
    IS(CAPACITY, gpusched_frontend_image_config(OUT, SIZE_MAX, &c, sizeof c));

    // Functions that only write one result: nowhere, and where it cannot be.
    IS(OK, gpusched_frontend_agg_launch(fe, 0, 0, &group, 1, NULL));
    IS(OK, gpusched_frontend_tick(fe, NULL));
    (void)read_all(fe);
    void *const nowhere[] = {NULL, ODD(OUT)};
    for (size_t i = 0; i < COUNT(nowhere); i++) {
        void *const bad = nowhere[i];
        const gpusched_status results[] = {
            gpusched_frontend_unread(fe, bad),           gpusched_frontend_eligible(fe, bad),
            gpusched_frontend_block_cap(fe, 0, bad),     gpusched_frontend_class_cap(fe, 0, 0, bad),
            gpusched_frontend_has_work(fe, 0, bad),      gpusched_frontend_waiting_head(fe, 0, bad),
            gpusched_frontend_now(fe, bad),              gpusched_frontend_next_event(fe, bad),
            gpusched_frontend_get_status(fe, bad),       gpusched_frontend_get_stats(fe, bad),
            gpusched_frontend_rr(fe, bad),               gpusched_frontend_smx(fe, 0, bad),
            gpusched_frontend_resident_warps(fe, bad),   gpusched_frontend_tb(fe, 0, 0, bad),
            gpusched_frontend_kde(fe, 0, bad),           gpusched_frontend_record(fe, 0, bad),
            gpusched_frontend_records_in_use(fe, bad),   gpusched_frontend_group(fe, 0, bad),
            gpusched_frontend_hwq(fe, 0, bad),           gpusched_frontend_image_size(fe, bad),
            gpusched_frontend_resident_tbs(fe, bad, 64, &size_out), gpusched_frontend_fcfs(fe, bad, 64, &size_out),
            gpusched_frontend_agt(fe, bad, 64, &size_out), gpusched_frontend_spilled(fe, bad, 64, &size_out),
            gpusched_frontend_resident_tbs(fe, OUT, 64, bad), gpusched_frontend_fcfs(fe, OUT, 64, bad),
            gpusched_frontend_agt(fe, OUT, 64, bad),     gpusched_frontend_spilled(fe, OUT, 64, bad),
        };
        const gpusched_status expected = bad == NULL ? GPUSCHED_STATUS_NULL : GPUSCHED_STATUS_MISALIGNED;
        for (size_t k = 0; k < COUNT(results); k++) expect(__FILE__, __LINE__, "a query", expected, results[k]);
    }

    // Results that are not wanted, and arrays of nothing.
    IS(OK, gpusched_frontend_read(fe, NULL, 0, &size_out));
    IS(CAPACITY, gpusched_frontend_resident_tbs(fe, NULL, 0, &size_out));
    unwatch();
    discard(&m);
}

static void rows(void) {
    gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    gpusched_frontend *const fe = m.fe;
    watch(&m);
    // Each is beyond every table; some would be row 0 or 1 if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {64, 255, 256, 257, 65535, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        const uint32_t row = beyond[i];
        IS(BAD_SMX, gpusched_frontend_device_launch(fe, row, 0, &kernel, 1, NULL));
        IS(BAD_SLOT, gpusched_frontend_device_launch(fe, 0, row, &kernel, 1, NULL));
        IS(BAD_SMX, gpusched_frontend_agg_launch(fe, row, 0, &group, 1, NULL));
        IS(BAD_SLOT, gpusched_frontend_agg_launch(fe, 0, row, &group, 1, NULL));
        IS(BAD_SMX, gpusched_frontend_tb_done(fe, row, 0));
        IS(BAD_SLOT, gpusched_frontend_tb_done(fe, 0, row));
        IS(BAD_KDE, gpusched_frontend_unretain(fe, row));
        IS(BAD_KDE, gpusched_frontend_suspend(fe, row, NULL));
        IS(BAD_SUSP, gpusched_frontend_resume(fe, row));
        IS(NO_LOAD, gpusched_frontend_spill_loaded(fe, row));
        IS(BAD_SMX, gpusched_frontend_set_block_cap(fe, row, 1));
        IS(BAD_CAP, gpusched_frontend_set_block_cap(fe, 0, row));
        IS(BAD_SMX, gpusched_frontend_block_cap(fe, row, &u32_out));
        IS(BAD_CLASS, gpusched_frontend_set_class(fe, row, 1));
        IS(BAD_CLASS, gpusched_frontend_clear_class(fe, row));
        IS(BAD_CLASS, gpusched_frontend_get_class(fe, row, &u32_out, &u64_out));
        IS(BAD_CLASS, gpusched_frontend_set_class_cap(fe, row, 0, 1, 0));
        IS(BAD_SMX, gpusched_frontend_set_class_cap(fe, 0, row, 1, 0));
        IS(BAD_CAP, gpusched_frontend_set_class_cap(fe, 0, 0, row, 0));
        IS(BAD_CAP, gpusched_frontend_set_class_cap(fe, 0, 0, 1, row));
        IS(BAD_CLASS, gpusched_frontend_class_cap(fe, row, 0, OUT));
        IS(BAD_SMX, gpusched_frontend_class_cap(fe, 0, row, OUT));
        IS(BAD_CLASS, gpusched_frontend_has_work(fe, row, &u32_out));
        IS(BAD_UNIT, gpusched_frontend_waiting_head(fe, row, OUT));
        IS(BAD_SMX, gpusched_frontend_smx(fe, row, OUT));
        IS(BAD_SMX, gpusched_frontend_tb(fe, row, 0, OUT));
        IS(BAD_SLOT, gpusched_frontend_tb(fe, 0, row, OUT));
        IS(BAD_KDE, gpusched_frontend_kde(fe, row, OUT));
        IS(BAD_INDEX, gpusched_frontend_record(fe, row, OUT));
        IS(BAD_INDEX, gpusched_frontend_group(fe, row, OUT));
        IS(BAD_INDEX, gpusched_frontend_hwq(fe, row, OUT));
        IS(BAD_SUSP, gpusched_frontend_suspended(fe, row, OUT));
        IS(BAD_COUNT, gpusched_frontend_device_launch(fe, 0, 0, &kernel, row, NULL));
        IS(BAD_COUNT, gpusched_frontend_agg_launch(fe, 0, 0, &group, row, NULL));
    }

    // Rows that are there and hold nothing.
    IS(NO_TB, gpusched_frontend_tb(fe, 7, 7, OUT));
    IS(NO_TB, gpusched_frontend_tb_done(fe, 7, 7));
    IS(NO_TB, gpusched_frontend_device_launch(fe, 7, 7, &kernel, 1, NULL));
    IS(NO_KERNEL, gpusched_frontend_kde(fe, 7, OUT));
    IS(NO_KERNEL, gpusched_frontend_unretain(fe, 7));
    IS(NO_KERNEL, gpusched_frontend_suspend(fe, 7, NULL));
    IS(RETAINED, gpusched_frontend_suspend(fe, 0, NULL));
    IS(BAD_INDEX, gpusched_frontend_record(fe, 31, OUT));
    IS(BAD_INDEX, gpusched_frontend_group(fe, 31, OUT));
    IS(BAD_SUSP, gpusched_frontend_suspended(fe, 1, OUT));
    IS(BAD_COUNT, gpusched_frontend_device_launch(fe, 0, 0, NULL, 0, NULL));

    // Launches that no machine can run, alone and as the last lane of a command.
    const struct {
        gpusched_status status;
        gpusched_dim3 grid, tb;
        uint32_t regs, smem;
    } faults[] = {
        {GPUSCHED_STATUS_EMPTY_GRID, {0, 1, 1}, {32, 1, 1}, 0, 0},
        {GPUSCHED_STATUS_GRID_TOO_LARGE, {1u << 31, 1, 1}, {32, 1, 1}, 0, 0},
        {GPUSCHED_STATUS_GRID_TOO_LARGE, {65536, 65535, 65535}, {32, 1, 1}, 0, 0},
        {GPUSCHED_STATUS_EMPTY_TB, {1, 1, 1}, {32, 0, 1}, 0, 0},
        {GPUSCHED_STATUS_TB_TOO_BIG, {1, 1, 1}, {2049, 1, 1}, 0, 0},
        {GPUSCHED_STATUS_TB_TOO_BIG, {1, 1, 1}, {kEverything, kEverything, kEverything}, 0, 0},
        {GPUSCHED_STATUS_TB_TOO_BIG, {1, 1, 1}, {32, 1, 1}, 65537, 0},
        {GPUSCHED_STATUS_TB_TOO_BIG, {1, 1, 1}, {32, 1, 1}, 0, kEverything},
    };
    for (size_t i = 0; i < COUNT(faults); i++) {
        const gpusched_kernel bad = {.grid = faults[i].grid, .tb = faults[i].tb, .regs = faults[i].regs, .smem = faults[i].smem};
        const gpusched_kernel kernels[] = {kernel, bad};
        const gpusched_group groups[] = {group, {.kernel = bad}};
        expect(__FILE__, __LINE__, "host_launch", faults[i].status, gpusched_frontend_host_launch(fe, 0, &bad, 0, NULL));
        expect(__FILE__, __LINE__, "device_launch", faults[i].status, gpusched_frontend_device_launch(fe, 0, 0, kernels, 2, NULL));
        expect(__FILE__, __LINE__, "agg_launch", faults[i].status, gpusched_frontend_agg_launch(fe, 0, 0, groups, 2, NULL));
    }
    const gpusched_group far = {.kernel = group.kernel, .hw_tid = 2048};
    IS(BAD_THREAD, gpusched_frontend_agg_launch(fe, 0, 0, &far, 1, NULL));

    const gpusched_smx_set no_such = {{0x100}}, far_away = {{1, 0, 0, 1ull << 63}}, none = {{0}};
    IS(BAD_MASK, gpusched_frontend_set_eligible(fe, &no_such));
    IS(BAD_MASK, gpusched_frontend_set_eligible(fe, &far_away));
    IS(OK, gpusched_frontend_set_eligible(fe, &none));
    unwatch();
    discard(&m);
}

// ---- LaPerm and the occupancy-bubble controller as parts ----

static void parts(void) {
    gpusched_frontend_config c = small_config();
    const uint16_t activity[] = {0, 0, 0, 0, 0, 0, 0, 1000, 1001};
    gpusched_laperm_config laperm;
    gpusched_bubble_config bubble;
    struct machine m = busy(&c);
    watch(&m);
    IS(NO_BUBBLE, gpusched_frontend_account(m.fe, NULL, 0));
    IS(NO_BUBBLE, gpusched_frontend_bubble_config(m.fe, &bubble, sizeof bubble));
    IS(WRONG_MODEL, gpusched_frontend_laperm_config(m.fe, &laperm, sizeof laperm));
    IS(WRONG_MODEL, gpusched_frontend_laperm_queue(m.fe, GPUSCHED_NONE, OUT, 9, &size_out));
    IS(WRONG_MODEL, gpusched_frontend_laperm_overflow(m.fe, 0, OUT, 9, &size_out));
    IS(WRONG_MODEL, gpusched_frontend_laperm_backup(m.fe, 0, OUT));
    const gpusched_status without[] = {
        gpusched_frontend_laperm_units(m.fe, OUT),       gpusched_frontend_laperm_cur(m.fe, OUT),
        gpusched_frontend_laperm_kmu_pointer(m.fe, OUT), gpusched_frontend_laperm_pool_free(m.fe, OUT),
        gpusched_frontend_bubble_record(m.fe, OUT),      gpusched_frontend_bubble_armed(m.fe, OUT),
        gpusched_frontend_bubble_registers(m.fe, OUT),   gpusched_frontend_bubble_gpu(m.fe, OUT),
        gpusched_frontend_bubble_smx(m.fe, 0, OUT),      gpusched_frontend_bubble_energy(m.fe, OUT),
        gpusched_frontend_bubble_energy_uncore(m.fe, OUT), gpusched_frontend_bubble_stats(m.fe, OUT),
        gpusched_frontend_bubble_next_sample(m.fe, OUT),
    };
    for (size_t i = 0; i < COUNT(without); i++) {
        const gpusched_status expected = i < 4 ? GPUSCHED_STATUS_WRONG_MODEL : GPUSCHED_STATUS_NO_BUBBLE;
        expect(__FILE__, __LINE__, "a part that is not there", expected, without[i]);
    }
    unwatch();
    discard(&m);

    c.policy = GPUSCHED_POLICY_LA_PERM, c.bubble = 1, c.bubble_sample_cycles = 10, c.turn_groups = 0;
    m = busy(&c);
    gpusched_frontend *const fe = m.fe;
    IS(OK, gpusched_frontend_device_launch(fe, 0, 0, &kernel, 1, NULL));
    IS(OK, gpusched_frontend_agg_launch(fe, 0, 0, &group, 1, NULL));
    watch(&m);
    IS(OK, gpusched_frontend_laperm_config(fe, &laperm, sizeof laperm));
    TRUE(laperm.smxs == 8 && laperm.kdu_entries == 8 && laperm.policy == GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND);
    IS(OK, gpusched_frontend_bubble_config(fe, &bubble, sizeof bubble));
    TRUE(bubble.smxs == 8 && bubble.sample_cycles == 10);
    IS(BAD_STRUCT_SIZE, gpusched_frontend_laperm_config(fe, &laperm, 4));
    IS(BAD_STRUCT_SIZE, gpusched_frontend_bubble_config(fe, &bubble, 4));
    IS(NULL, gpusched_frontend_account(fe, NULL, 8));
    IS(MISALIGNED, gpusched_frontend_account(fe, ODD(activity), 8));
    IS(CAPACITY, gpusched_frontend_account(fe, activity, SIZE_MAX));
    IS(BAD_ACTIVITY, gpusched_frontend_account(fe, activity, 7));
    IS(BAD_ACTIVITY, gpusched_frontend_account(fe, activity + 1, 8));
    IS(BAD_ACTIVITY, gpusched_frontend_activity(fe, activity + 1, 8));
    const gpusched_smx_set one = {{1}};
    IS(BUBBLE_OWNS_MASK, gpusched_frontend_set_eligible(fe, &one));
    IS(BAD_INDEX, gpusched_frontend_bubble_record(fe, OUT));
    const uint32_t beyond[] = {8, 256, 65535, 65536, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_SMX, gpusched_frontend_laperm_backup(fe, beyond[i], OUT));
        IS(BAD_SMX, gpusched_frontend_bubble_smx(fe, beyond[i], OUT));
        IS(BAD_UNIT, gpusched_frontend_laperm_overflow(fe, beyond[i], OUT, 9, &size_out));
        IS(BAD_UNIT, gpusched_frontend_waiting_head(fe, beyond[i], OUT));
        if (beyond[i] != GPUSCHED_NONE) IS(BAD_UNIT, gpusched_frontend_laperm_queue(fe, beyond[i], OUT, 9, &size_out));
    }
    void *const nowhere[] = {NULL, ODD(OUT)};
    for (size_t i = 0; i < COUNT(nowhere); i++) {
        void *const bad = nowhere[i];
        const gpusched_status results[] = {
            gpusched_frontend_laperm_config(fe, bad, sizeof laperm), gpusched_frontend_laperm_units(fe, bad),
            gpusched_frontend_laperm_cur(fe, bad),                   gpusched_frontend_laperm_backup(fe, 0, bad),
            gpusched_frontend_laperm_kmu_pointer(fe, bad),           gpusched_frontend_laperm_pool_free(fe, bad),
            gpusched_frontend_laperm_queue(fe, 0, bad, 9, &size_out), gpusched_frontend_laperm_queue(fe, 0, OUT, 9, bad),
            gpusched_frontend_laperm_overflow(fe, 0, bad, 9, &size_out), gpusched_frontend_laperm_overflow(fe, 0, OUT, 9, bad),
            gpusched_frontend_bubble_config(fe, bad, sizeof bubble), gpusched_frontend_bubble_armed(fe, bad),
            gpusched_frontend_bubble_registers(fe, bad),             gpusched_frontend_bubble_gpu(fe, bad),
            gpusched_frontend_bubble_smx(fe, 0, bad),                gpusched_frontend_bubble_energy(fe, bad),
            gpusched_frontend_bubble_energy_uncore(fe, bad),         gpusched_frontend_bubble_stats(fe, bad),
            gpusched_frontend_bubble_next_sample(fe, bad),
        };
        const gpusched_status expected = bad == NULL ? GPUSCHED_STATUS_NULL : GPUSCHED_STATUS_MISALIGNED;
        for (size_t k = 0; k < COUNT(results); k++) expect(__FILE__, __LINE__, "a query", expected, results[k]);
    }
    // Until the first sample there is no record of one.
    IS(OK, gpusched_frontend_activity(fe, activity, 8));
    gpusched_bubble_record record;
    for (int i = 0; i < 12; i++) {
        IS(OK, gpusched_frontend_tick(fe, NULL));
        (void)read_all(fe);
    }
    IS(OK, gpusched_frontend_bubble_record(fe, &record));
    TRUE(record.eligible.words[0] != 0 && record.registers.gpu == 0);
    IS(OK, gpusched_frontend_account(fe, NULL, 0));
    unwatch();
    discard(&m);
}

// ---- Arrays that are too small, decisions that are not read ----

static void lists(void) {
    gpusched_frontend_config c = small_config();
    c.agt_size = 1;
    struct machine m = busy(&c);
    gpusched_frontend *const fe = m.fe;
    const gpusched_group groups[] = {group, group, group};
    const gpusched_kernel other = {.pc = 9, .grid = {20, 1, 1}, .tb = {64, 1, 1}};
    IS(OK, gpusched_frontend_agg_launch(fe, 0, 0, groups, 3, NULL));
    IS(OK, gpusched_frontend_host_launch(fe, 1, &other, 0, NULL));
    for (int i = 0; i < 5; i++) {
        IS(OK, gpusched_frontend_tick(fe, NULL));
        (void)read_all(fe);
    }
    size_t n;
    gpusched_tb tbs[64];
    uint32_t kdes[64];
    gpusched_group_view views[64];
#define LIST(function, array, length)                                              \
    do {                                                                           \
        IS(CAPACITY, function(fe, NULL, 0, &n));                                   \
        TRUE(n == (length));                                                       \
        memset((array), PATTERN, sizeof(array));                                   \
        IS(CAPACITY, function(fe, (array), (length)-1, &n));                       \
        TRUE(n == (length));                                                       \
        const unsigned char *const behind = (unsigned char *)&(array)[(length)-1]; \
        TRUE(behind[0] == PATTERN && behind[sizeof *(array)-1] == PATTERN);        \
        IS(OK, function(fe, (array), (length), &n));                               \
        IS(OK, function(fe, (array), COUNT(array), &n));                           \
        TRUE(n == (length));                                                       \
    } while (0)
    LIST(gpusched_frontend_resident_tbs, tbs, 6);
    LIST(gpusched_frontend_fcfs, kdes, 2);
    LIST(gpusched_frontend_agt, views, 1);
    LIST(gpusched_frontend_spilled, views, 2);
    discard(&m);
}

static void unread(void) {
    const gpusched_frontend_config c = small_config();
    struct machine lazy = build(&c), diligent = build(&c);
    const gpusched_kernel many = {.pc = 1, .grid = {3000, 1, 1}, .tb = {64, 1, 1}};
    IS(OK, gpusched_frontend_host_launch(lazy.fe, 0, &many, 0, NULL));
    IS(OK, gpusched_frontend_host_launch(diligent.fe, 0, &many, 0, NULL));

    // Until the decisions of one more cycle might find no room.
    size_t waiting, count;
    while (gpusched_frontend_tick(lazy.fe, NULL) == GPUSCHED_STATUS_OK) continue;
    watch(&lazy);
    IS(UNREAD, gpusched_frontend_tick(lazy.fe, NULL));
    IS(UNREAD, gpusched_frontend_advance(lazy.fe, 1000, NULL));
    IS(UNREAD, gpusched_frontend_run(lazy.fe, 1000, NULL));
    IS(UNREAD, gpusched_frontend_save(lazy.fe, OUT, sizeof out, &count));
    IS(OK, gpusched_frontend_unread(lazy.fe, &waiting));
    gpusched_decision all[128];
    TRUE(waiting > 10 && waiting < COUNT(all));

    // Completions and suspensions, until they find no room either.
    for (uint32_t smx = 0; gpusched_frontend_tb_done(lazy.fe, smx, 0) == GPUSCHED_STATUS_OK;) smx++;
    memcpy(watched.copy, watched.bytes, watched.size);
    IS(OK, gpusched_frontend_unread(lazy.fe, &count));
    TRUE(count == waiting);

    // Nothing is lost, whatever the pieces are in which it is read.
    for (size_t i = 0, piece = 0; i < waiting; i += count, piece = (piece + 1) % 8) {
        IS(OK, gpusched_frontend_read(lazy.fe, all + i, piece, &count));
        TRUE(count == (piece < waiting - i ? piece : waiting - i));
    }
    IS(OK, gpusched_frontend_unread(lazy.fe, &count));
    TRUE(count == 0);
    unwatch();
    for (size_t i = 0; i < waiting; i += count) {
        const gpusched_decision *first;
        IS(OK, gpusched_frontend_tick(diligent.fe, NULL));
        IS(OK, gpusched_frontend_take(diligent.fe, &first, &count));
        TRUE(i + count <= waiting && memcmp(all + i, first, count * sizeof *first) == 0);
    }

    // `run` stops where the queue is full and goes on when it was read.
    gpusched_words words;
    uint64_t now = 0;
    int rounds = 0;
    for (; now < 5000; rounds++) {
        IS(OK, gpusched_frontend_run(lazy.fe, 5000, &words));
        IS(OK, gpusched_frontend_now(lazy.fe, &now));
        TRUE(now == 5000 || read_all(lazy.fe) > 0);
    }
    TRUE(rounds > 2);
    (void)read_all(lazy.fe);

    // The end of time, and a wait without an end.
    IS(OK, gpusched_frontend_run(lazy.fe, GPUSCHED_NEVER, &words));
    IS(TIME_OVERFLOW, gpusched_frontend_advance(lazy.fe, GPUSCHED_NEVER, &words));
    IS(OK, gpusched_frontend_advance(lazy.fe, GPUSCHED_NEVER - 1, &words));
    IS(OK, gpusched_frontend_now(lazy.fe, &now));
    TRUE(now == GPUSCHED_NEVER - 1);
    discard(&lazy);
    discard(&diligent);
}

static void tracing(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = build(&c);
    enum { RING = 7 };
    gpusched_decision ring[RING + 1], all[256];
    memset(ring, PATTERN, sizeof ring);
    gpusched_trace trace = {NULL, RING, 77};
    IS(NULL, gpusched_frontend_trace(m.fe, &trace));
    trace.events = ODD(ring);
    IS(MISALIGNED, gpusched_frontend_trace(m.fe, &trace));
    trace.events = ring, trace.capacity = 0;
    IS(CAPACITY, gpusched_frontend_trace(m.fe, &trace));
    TRUE(trace.written == 77);

    trace.capacity = RING;
    IS(OK, gpusched_frontend_trace(m.fe, &trace));
    TRUE(trace.written == 0);
    IS(OK, gpusched_frontend_host_launch(m.fe, 0, &kernel, 0, NULL));
    size_t n = 0, count;
    for (int i = 0; i < 20; i++) {
        IS(OK, gpusched_frontend_tick(m.fe, NULL));
        IS(OK, gpusched_frontend_read(m.fe, all + n, COUNT(all) - n, &count));
        n += count;
        TRUE(trace.written == n);
        for (size_t k = n > RING ? n - RING : 0; k < n; k++) TRUE(memcmp(&ring[k % RING], &all[k], sizeof *all) == 0);
    }
    TRUE(n > 2 * RING);
    TRUE(*(unsigned char *)&ring[RING] == PATTERN);

    // A bad ring does not take the place of a good one.
    gpusched_trace bad = {NULL, 1, 0};
    IS(NULL, gpusched_frontend_trace(m.fe, &bad));
    IS(OK, gpusched_frontend_tb_done(m.fe, 0, 0));
    IS(OK, gpusched_frontend_trace(m.fe, NULL));
    const uint64_t written = trace.written;
    memset(ring, 0, sizeof ring);
    while (IS(OK, gpusched_frontend_get_status(m.fe, &u32_out)), u32_out == GPUSCHED_FRONTEND_STATUS_RUNNING) {
        gpusched_tb tb;
        if (gpusched_frontend_resident_tbs(m.fe, &tb, 1, &count) == GPUSCHED_STATUS_OK && count == 0) break;
        IS(OK, gpusched_frontend_tb_done(m.fe, tb.smx, tb.slot));
        (void)read_all(m.fe);
    }
    TRUE(trace.written == written && ring[0].kind == 0);
    discard(&m);
}

// ---- Images ----

static void images(void) {
    gpusched_frontend_config c = small_config(), told;
    struct machine m = busy(&c), same = build(&c);
    c.n_smx = 9;
    struct machine other = build(&c);
    size_t size, told_size;
    IS(OK, gpusched_frontend_image_size(m.fe, &size));
    unsigned char *const image = malloc(size), *const damaged = malloc(size + 1);
    TRUE(image != NULL && damaged != NULL);

    watch(&m);
    IS(IMAGE_TOO_SMALL, gpusched_frontend_save(m.fe, NULL, 0, &told_size));
    TRUE(told_size == size);
    IS(IMAGE_TOO_SMALL, gpusched_frontend_save(m.fe, image, size - 1, &told_size));
    TRUE(told_size == size);
    IS(OK, gpusched_frontend_save(m.fe, image, size, &told_size));
    unwatch();

    IS(OK, gpusched_frontend_image_config(image, size, &told, sizeof told));
    TRUE(told.n_smx == 8 && told.agt_size == 64);
    IS(NULL, gpusched_frontend_image_config(NULL, size, &told, sizeof told));
    IS(NULL, gpusched_frontend_image_config(image, size, NULL, sizeof told));
    IS(MISALIGNED, gpusched_frontend_image_config(image, size, ODD(&told), sizeof told));
    IS(BAD_STRUCT_SIZE, gpusched_frontend_image_config(image, size, &told, 4));
    IS(IMAGE_TRUNCATED, gpusched_frontend_image_config(image, 0, &told, sizeof told));

    watch(&same);
    for (size_t n = 0; n < size; n++) {
        TRUE(gpusched_frontend_restore(same.fe, image, n) != GPUSCHED_STATUS_OK);
        // At the end of its memory, so that a read behind it is found.
        unsigned char *const prefix = malloc(n + 1);
        TRUE(prefix != NULL);
        memcpy(prefix, image, n);
        TRUE(gpusched_frontend_image_config(prefix, n, &told, sizeof told) != GPUSCHED_STATUS_OK);
        free(prefix);
        memcpy(damaged, image, size);
        damaged[n] ^= 0x40;
        TRUE(gpusched_frontend_restore(same.fe, damaged, size) != GPUSCHED_STATUS_OK);
        TRUE(memcmp(watched.copy, watched.bytes, watched.size) == 0);
    }
    memset(damaged, PATTERN, size);
    IS(NOT_AN_IMAGE, gpusched_frontend_restore(same.fe, damaged, size));
    IS(IMAGE_TRUNCATED, gpusched_frontend_restore(same.fe, image, size - 1));
    IS(IMAGE_TRUNCATED, gpusched_frontend_restore(same.fe, NULL, 0));
    unwatch();
    watch(&other);
    IS(IMAGE_OTHER, gpusched_frontend_restore(other.fe, image, size));
    unwatch();

    // At an odd address, too, and it goes on where the saved one stood.
    memcpy(damaged + 1, image, size);
    IS(OK, gpusched_frontend_restore(same.fe, damaged + 1, size));
    IS(OK, gpusched_frontend_unretain(same.fe, 0));
    IS(OK, gpusched_frontend_unretain(m.fe, 0));
    IS(OK, gpusched_frontend_tb_done(same.fe, 0, 0));
    IS(OK, gpusched_frontend_tb_done(m.fe, 0, 0));
    TRUE(drain(same.fe) == drain(m.fe));
    free(image), free(damaged);
    discard(&m), discard(&same), discard(&other);
}

int main(void) {
    names();
    configurations();
    storage();
    ranges();
    objects();
    pointers();
    rows();
    parts();
    lists();
    unread();
    tracing();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
