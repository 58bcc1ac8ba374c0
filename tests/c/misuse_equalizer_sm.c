// Every function of Equalizer on one SM, called as it must not be: the right status, nothing changed, nothing touched that is not
// its own.
#include "misuse_equalizer_sm_table.h"

static const gpusched_equalizer_counts idle, saturated = {4, 0, 0, 2};
static const gpusched_equalizer_warp warp = {1, 0, 0, 1, 0, 1, 1, 0};

static gpusched_equalizer_sm_config small_config(void) {
    gpusched_equalizer_sm_config c = preset();
    c.max_warps = 4, c.max_blocks = 4;
    c.sample_interval = 10, c.epoch_cycles = 20, c.hysteresis = 1;
    return c;
}

// At cycle 40: blocks 100 and 101 of one warp in slots 0 and 1, the latter paused; a request is open.
static struct machine busy(const gpusched_equalizer_sm_config *config) {
    struct machine m = build(config);
    gpusched_equalizer_started started;
    gpusched_equalizer_granted granted;
    gpusched_equalizer_epoch epoch;
    IS(OK, gpusched_equalizer_sm_kernel_start(m.object, 0, 1, 3, 0, &started));
    TRUE(started.target == 3 && started.requests == 3);
    IS(OK, gpusched_equalizer_sm_grant(m.object, 0, 100, &granted));
    IS(OK, gpusched_equalizer_sm_grant(m.object, 0, 101, &granted));
    TRUE(granted.slot == 1 && granted.change.requests == 0 && granted.change.pause_count == 0);
    for (uint64_t now = 10; now <= 40; now += 10) {
        IS(OK, gpusched_equalizer_sm_sample(m.object, now, &saturated, &epoch));
        TRUE(epoch.present == (now % 20 == 0));
    }
    TRUE(epoch.delta == -1 && epoch.target == 1 && epoch.change.pause_count == 1 && epoch.change.pause[0] == 1);
    return m;
}

static void pointers(void) {
    gpusched_equalizer_sm_config c = small_config();
    struct machine m = busy(&c);
    gpusched_equalizer_sm *const sm = m.object;
    watch_block(&m.block);
    derived_pointers(sm);
    IS(OK, gpusched_equalizer_sm_get_config(sm, &c, sizeof c));
    TRUE(c.max_warps == 4 && c.performance_mem_mem == GPUSCHED_EQUALIZER_STEP_UP);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_equalizer_sm_config c = small_config();
    struct machine m = busy(&c), empty = build(&c);
    gpusched_equalizer_sm *const sm = m.object;
    watch_block(&m.block);
    const struct {
        uint64_t now;
        gpusched_status status;
    } times[] = {
        {1ull << 63, GPUSCHED_STATUS_TIME_OVERFLOW},
        {39, GPUSCHED_STATUS_TIME_BACKWARDS},
        {51, GPUSCHED_STATUS_SAMPLE_MISSED},
    };
    const gpusched_equalizer_counts wrong = {5, 0, 0, 0};
    for (size_t i = 0; i < COUNT(times); i++) {
        const uint64_t now = times[i].now;
        const gpusched_status results[] = {
            gpusched_equalizer_sm_kernel_start(sm, now, 0, 0, 0, OUT),
            gpusched_equalizer_sm_grant(sm, now, 100, OUT),
            gpusched_equalizer_sm_deny(sm, now, OUT),
            gpusched_equalizer_sm_refill(sm, now, OUT),
            gpusched_equalizer_sm_block_end(sm, now, 9, OUT),
            gpusched_equalizer_sm_sample(sm, now, &wrong, OUT),
            gpusched_equalizer_sm_set_objective(sm, now, 9),
        };
        for (size_t k = 0; k < COUNT(results); k++) expect(__FILE__, __LINE__, "a time", times[i].status, results[k]);
    }
    IS(TIME_OVERFLOW, gpusched_equalizer_sm_resync(sm, 1ull << 63, OUT));
    IS(TIME_BACKWARDS, gpusched_equalizer_sm_resync(sm, 39, OUT));
    IS(BUSY, gpusched_equalizer_sm_kernel_start(sm, 40, 0, 0, 0, OUT));
    IS(DUPLICATE_BLOCK, gpusched_equalizer_sm_grant(sm, 40, 101, OUT));
    IS(NOT_DUE, gpusched_equalizer_sm_sample(sm, 49, &idle, OUT));
    IS(BAD_SAMPLE, gpusched_equalizer_sm_sample(sm, 50, &wrong, OUT));
    IS(BAD_OBJECTIVE, gpusched_equalizer_sm_set_objective(sm, 40, 2));
    IS(BAD_OBJECTIVE, gpusched_equalizer_sm_set_objective(sm, 40, kEverything));
    IS(BAD_SAMPLE, gpusched_equalizer_sm_decide(sm, &idle, 0, 1, OUT));
    IS(SLOT_EMPTY, gpusched_equalizer_sm_block_end(sm, 40, 2, OUT));
    IS(SLOT_EMPTY, gpusched_equalizer_sm_get_block(sm, 3, OUT));
    // Each is beyond every slot; some would be slot 0 or 1 if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {4, 32, 255, 256, 257, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_SLOT, gpusched_equalizer_sm_block_end(sm, 40, beyond[i], OUT));
        IS(BAD_SLOT, gpusched_equalizer_sm_get_block(sm, beyond[i], OUT));
    }
    // Any flag but 0 is one.
    gpusched_equalizer_warp odd = warp;
    gpusched_equalizer_classified classified;
    odd.resident = odd.valid = odd.ready = odd.mem = kEverything;
    IS(OK, gpusched_equalizer_sm_classify(sm, &odd, &classified));
    TRUE(classified.of == GPUSCHED_EQUALIZER_CLASS_XMEM && classified.active == 1);
    unwatch();
    watch_block(&empty.block);
    IS(BAD_KERNEL, gpusched_equalizer_sm_kernel_start(empty.object, 0, 0, 1, 0, OUT));
    IS(BAD_KERNEL, gpusched_equalizer_sm_kernel_start(empty.object, 0, 1, 5, 0, OUT));
    IS(BAD_KERNEL, gpusched_equalizer_sm_kernel_start(empty.object, 0, kEverything, kEverything, 1, OUT));
    IS(UNSOLICITED_GRANT, gpusched_equalizer_sm_grant(empty.object, 0, 1, OUT));
    IS(UNSOLICITED_DENY, gpusched_equalizer_sm_deny(empty.object, 0, OUT));
    IS(NO_KERNEL, gpusched_equalizer_sm_refill(empty.object, 0, OUT));
    IS(NO_KERNEL, gpusched_equalizer_sm_sample(empty.object, 10, &saturated, OUT));
    unwatch();
    release(&m.block), release(&empty.block);
}

static void images(void) {
    gpusched_equalizer_sm_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.hysteresis = 2;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    gpusched_equalizer_epoch one, two;
    for (uint64_t now = 50; now < 400; now += 10) {
        IS(OK, gpusched_equalizer_sm_sample(m.object, now, &saturated, &one));
        IS(OK, gpusched_equalizer_sm_sample(same.object, now, &saturated, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_equalizer_sm_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
