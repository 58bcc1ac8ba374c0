// Every function of a front end, called as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_frontend.h"
#include "misuse_objects.h"

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
OBJECT(gpusched_frontend_refilled, 0)
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
OBJECT(gpusched_frontend_class_pc, 0, &u64_out, &u32_out)
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
OBJECT(gpusched_frontend_load_buffer, OUT, 64, &size_out)
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
OBJECT(gpusched_frontend_bubble_pstate, 0, &u32_out)
OBJECT(gpusched_frontend_bubble_energy, OUT)
OBJECT(gpusched_frontend_bubble_energy_uncore, OUT)
OBJECT(gpusched_frontend_bubble_stats, OUT)
OBJECT(gpusched_frontend_next_sample, &u64_out)
OBJECT(gpusched_frontend_image_size, &size_out)
OBJECT(gpusched_frontend_save, OUT, sizeof out, &size_out)
OBJECT(gpusched_frontend_restore, OUT, sizeof out)

static const struct function functions[] = {
    F(gpusched_frontend_host_launch), F(gpusched_frontend_device_launch), F(gpusched_frontend_agg_launch),
    F(gpusched_frontend_tb_done), F(gpusched_frontend_unretain), F(gpusched_frontend_suspend), F(gpusched_frontend_resume),
    F(gpusched_frontend_spill_loaded), F(gpusched_frontend_refilled), F(gpusched_frontend_load_buffer),
    F(gpusched_frontend_tick), F(gpusched_frontend_advance), F(gpusched_frontend_run),
    F(gpusched_frontend_read), F(gpusched_frontend_take), F(gpusched_frontend_unread), F(gpusched_frontend_trace),
    F(gpusched_frontend_set_eligible), F(gpusched_frontend_eligible), F(gpusched_frontend_set_block_cap),
    F(gpusched_frontend_block_cap), F(gpusched_frontend_set_class), F(gpusched_frontend_clear_class),
    F(gpusched_frontend_class_pc), F(gpusched_frontend_set_class_cap), F(gpusched_frontend_class_cap),
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
    F(gpusched_frontend_bubble_smx), F(gpusched_frontend_bubble_pstate), F(gpusched_frontend_bubble_energy), F(gpusched_frontend_bubble_energy_uncore),
    F(gpusched_frontend_bubble_stats), F(gpusched_frontend_next_sample), F(gpusched_frontend_image_size),
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
    IS(NULL, gpusched_frontend_class_pc(fe, 0, NULL, &u32_out));
    IS(NULL, gpusched_frontend_class_pc(fe, 0, &u64_out, NULL));
    IS(MISALIGNED, gpusched_frontend_class_pc(fe, 0, ODD(&u64_out), &u32_out));
    IS(MISALIGNED, gpusched_frontend_class_pc(fe, 0, &u64_out, ODD(&u32_out)));
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
            gpusched_frontend_next_sample(fe, bad),
            gpusched_frontend_load_buffer(fe, bad, 64, &size_out), gpusched_frontend_load_buffer(fe, OUT, 64, bad),
        };
        REFUSED_FOR(bad, "a query", results);
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
        IS(NO_LOAD, gpusched_frontend_refilled(fe, row));
        IS(BAD_SMX, gpusched_frontend_set_block_cap(fe, row, 1));
        IS(BAD_CAP, gpusched_frontend_set_block_cap(fe, 0, row));
        IS(BAD_SMX, gpusched_frontend_block_cap(fe, row, &u32_out));
        IS(BAD_CLASS, gpusched_frontend_set_class(fe, row, 1));
        IS(BAD_CLASS, gpusched_frontend_clear_class(fe, row));
        IS(BAD_CLASS, gpusched_frontend_class_pc(fe, row, &u64_out, &u32_out));
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
        gpusched_frontend_bubble_pstate(m.fe, 0, &u32_out), gpusched_frontend_bubble_smx(m.fe, 0, OUT),      gpusched_frontend_bubble_energy(m.fe, OUT),
        gpusched_frontend_bubble_energy_uncore(m.fe, OUT), gpusched_frontend_bubble_stats(m.fe, OUT),
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
        IS(BAD_SMX, gpusched_frontend_bubble_pstate(fe, beyond[i], &u32_out));
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
            gpusched_frontend_bubble_pstate(fe, 0, bad), gpusched_frontend_bubble_smx(fe, 0, bad),                gpusched_frontend_bubble_energy(fe, bad),
            gpusched_frontend_bubble_energy_uncore(fe, bad),         gpusched_frontend_bubble_stats(fe, bad),
        };
        REFUSED_FOR(bad, "a query", results);
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

// ---- Arrays that are too small ----

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
    // Nothing is fetched ahead here.
    IS(OK, gpusched_frontend_load_buffer(fe, NULL, 0, &n));
    TRUE(n == 0);
    discard(&m);
}

int main(void) {
    objects();
    pointers();
    rows();
    parts();
    lists();
    puts("all as promised");
    return EXIT_SUCCESS;
}
