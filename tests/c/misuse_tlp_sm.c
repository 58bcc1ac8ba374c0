// Every function of TLP modulation on one SM, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
// The first parameter may have any value but 0.
#define BAD_FIELD 3
#include "misuse_tlp_sm_table.h"

static const gpusched_tlp_kernel kernel = {{1, 0, 0}, {GPUSCHED_TLP_TYPE_OPTIMAL, 2}};

static gpusched_tlp_config small_config(void) {
    gpusched_tlp_config c = preset();
    c.threads = 4, c.slots = 4;
    return c;
}

// At cycle 10: two TBs of kernel 0 run, none of kernel 1.
static struct machine busy(const gpusched_tlp_config *config) {
    struct machine m = build(config);
    gpusched_tlp_attached attached;
    gpusched_tlp_dispatched tb;
    for (uint32_t k = 0; k < 2; k++) IS(OK, gpusched_tlp_sm_attach(m.object, 5, k, &kernel, &attached));
    TRUE(attached.mode == GPUSCHED_TLP_MODE_PAIR && attached.tb[0] == 2 && attached.tb[1] == 2);
    for (uint32_t i = 0; i < 2; i++) IS(OK, gpusched_tlp_sm_dispatch(m.object, 10, 1, 1, &tb));
    TRUE(tb.stall == GPUSCHED_TLP_STALL_NONE && tb.slot == 1 && tb.k == 0 && tb.bypass == 0);
    return m;
}

static const gpusched_tlp_metrics metrics;

static void pointers(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_sm *const o = m.object;
    watch_block(&m.block);
    derived_pointers(o);
    IS(OK, gpusched_tlp_sm_get_config(o, &c, sizeof c));
    TRUE(c.threads == 4 && c.op_cycles == 4);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_sm *const o = m.object;
    watch_block(&m.block);
    IS(TIME_BACKWARDS, gpusched_tlp_sm_attach(o, 9, 0, &kernel, OUT));
    IS(TIME_BACKWARDS, gpusched_tlp_sm_done(o, 9, 0, OUT));
    IS(TIME_BACKWARDS, gpusched_tlp_sm_dispatch(o, 9, 1, 1, OUT));
    IS(TIME_BACKWARDS, gpusched_tlp_sm_finish(o, 9, 0, OUT));
    IS(TIME_BACKWARDS, gpusched_tlp_sm_sample(o, 9, &metrics, OUT));
    IS(TIME_BACKWARDS, gpusched_tlp_sm_override(o, 9, 1, 1, OUT));
    IS(SLOT_BUSY, gpusched_tlp_sm_attach(o, 10, 1, &kernel, OUT));
    IS(KERNEL_STILL_RESIDENT, gpusched_tlp_sm_done(o, 10, 0, OUT));
    IS(NO_SAMPLE_DUE, gpusched_tlp_sm_sample(o, 10, &metrics, OUT));
    IS(BAD_ARG, gpusched_tlp_sm_override(o, 10, 0, 0, OUT));
    IS(DOES_NOT_FIT, gpusched_tlp_sm_override(o, 10, 3, 2, OUT));
    const uint32_t beyond[] = {4, 255, 256, 257, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_ARG, gpusched_tlp_sm_attach(o, 10, beyond[i], &kernel, OUT));
        IS(BAD_ARG, gpusched_tlp_sm_done(o, 10, beyond[i], OUT));
        IS(BAD_SLOT, gpusched_tlp_sm_finish(o, 10, beyond[i], OUT));
        IS(DOES_NOT_FIT, gpusched_tlp_sm_override(o, 10, beyond[i], 2, OUT));
        IS(NOT_LIVE, gpusched_tlp_sm_kernel(o, beyond[i], OUT));
        IS(BAD_SLOT, gpusched_tlp_sm_slot(o, beyond[i], OUT));
    }
    IS(BAD_SLOT, gpusched_tlp_sm_finish(o, 10, 3, OUT));
    IS(SLOT_EMPTY, gpusched_tlp_sm_slot(o, 3, OUT));
    IS(OK, gpusched_tlp_sm_done(o, 10, 1, OUT));
    IS(NOT_LIVE, gpusched_tlp_sm_done(o, 10, 1, OUT));
    IS(NOT_LIVE, gpusched_tlp_sm_kernel(o, 1, OUT));
    IS(NOT_PAIRED, gpusched_tlp_sm_override(o, 10, 1, 1, OUT));
    for (size_t i = 0; i < 5; i++) {
        gpusched_tlp_kernel bad = kernel;
        if (i == 0) bad.needs.threads = 0;
        if (i == 1) bad.category.opt = 0;
        if (i == 2) bad.category.opt = 256;
        if (i == 3) bad.category.kind = 3;
        if (i == 4) bad.category.kind = kEverything;
        IS(BAD_KERNEL, gpusched_tlp_sm_attach(o, 10, 1, &bad, OUT));
    }
    const gpusched_tlp_kernel big = {{5, 0, 0}, {GPUSCHED_TLP_TYPE_UP, 1}};
    IS(TB_TOO_BIG, gpusched_tlp_sm_attach(o, 10, 1, &big, OUT));
    // A period of 10 cycles: more than 2^64 - 1 stalls, or 11 busy cycles.
    gpusched_tlp_finished tb;
    IS(OK, gpusched_tlp_sm_attach(o, 10, 1, &kernel, OUT));
    for (uint32_t i = 0; i < 2; i++) IS(OK, gpusched_tlp_sm_dispatch(o, 10, 1, 1, OUT));
    for (uint32_t slot = 0; slot < 4; slot++) IS(OK, gpusched_tlp_sm_finish(o, 20, slot, &tb));
    TRUE(tb.period_end == 1);
    gpusched_tlp_metrics m1 = metrics, m2 = metrics;
    m1.stall_mem = UINT64_MAX, m1.stall_struct = 1;
    m2.sp[0] = 10, m2.sp[1] = 1;
    IS(BAD_METRICS, gpusched_tlp_sm_sample(o, 20, &m1, OUT));
    IS(BAD_METRICS, gpusched_tlp_sm_sample(o, 20, &m2, OUT));
    m2.sp[1] = UINT64_MAX;
    IS(BAD_METRICS, gpusched_tlp_sm_sample(o, 20, &m2, OUT));
    IS(OK, gpusched_tlp_sm_sample(o, 20, &metrics, OUT));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.op_cycles = 11;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    for (uint64_t now = 10; now < 10000; now += 100) {
        struct machine *const both[] = {&m, &same};
        gpusched_tlp_finished end[2];
        gpusched_tlp_sampled sampled[2];
        memset(end, 0, sizeof end), memset(sampled, 0, sizeof sampled);
        for (size_t i = 0; i < 2; i++) {
            for (uint32_t k = 0; k < 4; k++) IS(OK, gpusched_tlp_sm_dispatch(both[i]->object, now, 1, 1, OUT));
            for (uint32_t slot = 0; slot < 4; slot++) IS(OK, gpusched_tlp_sm_finish(both[i]->object, now + 50, slot, &end[i]));
            TRUE(end[i].period_end == 1);
            const gpusched_tlp_metrics counted = {{now % 40, 5}, {10, now % 30}, now, 0, {1, 1}};
            IS(OK, gpusched_tlp_sm_sample(both[i]->object, now + 50, &counted, &sampled[i]));
        }
        TRUE(memcmp(&sampled[0], &sampled[1], sizeof sampled[0]) == 0);
        // Once a kernel has all slots but one, the other one is done with.
        if (sampled[0].tb[0] + sampled[0].tb[1] != 4) break;
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
