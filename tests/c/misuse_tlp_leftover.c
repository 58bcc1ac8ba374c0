// Every function of LeftOver, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
// The first parameter may have any value but 0.
#define BAD_FIELD 3
#include "misuse_tlp_leftover_table.h"

static uint32_t u32_out;
static const gpusched_tlp_needs needs = {2, 0, 0};

static gpusched_tlp_config small_config(void) {
    gpusched_tlp_config c = preset();
    c.threads = 4, c.sms = 3, c.qcap = 2;
    return c;
}

// A kernel of five TBs, three of which run.
static struct machine busy(const gpusched_tlp_config *config) {
    struct machine m = build(config);
    gpusched_tlp_sent sent;
    IS(OK, gpusched_tlp_leftover_submit(m.object, &needs, 5, &u32_out));
    TRUE(u32_out == 0);
    for (uint32_t i = 0; i < 3; i++) {
        IS(OK, gpusched_tlp_leftover_dispatch(m.object, &sent));
        TRUE(sent.sched == GPUSCHED_TLP_SCHED_TB && sent.sm == i && sent.k == 0 && sent.tb == i);
    }
    return m;
}

static void pointers(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_leftover *const o = m.object;
    watch_block(&m.block);
    derived_pointers(o);
    IS(OK, gpusched_tlp_leftover_get_config(o, &c, sizeof c));
    TRUE(c.threads == 4 && c.op_cycles == 4);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_leftover *const o = m.object;
    watch_block(&m.block);
    const gpusched_tlp_needs none = {0, 0, 0}, big = {5, 0, 0};
    IS(BAD_KERNEL, gpusched_tlp_leftover_submit(o, &none, 1, &u32_out));
    IS(BAD_KERNEL, gpusched_tlp_leftover_submit(o, &big, 0, &u32_out));
    IS(TB_TOO_BIG, gpusched_tlp_leftover_submit(o, &big, 1, &u32_out));
    const uint32_t beyond[] = {3, 32, 255, 256, 65536, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(NOT_RESIDENT, gpusched_tlp_leftover_finish(o, beyond[i], 0, &u32_out));
        IS(NOT_RESIDENT, gpusched_tlp_leftover_finish(o, 0, beyond[i], &u32_out));
        IS(NOT_LIVE, gpusched_tlp_leftover_kernel(o, beyond[i], OUT));
        IS(OK, gpusched_tlp_leftover_resident(o, beyond[i], 0, &u32_out));
        TRUE(u32_out == 0);
        IS(OK, gpusched_tlp_leftover_resident(o, 0, beyond[i], &u32_out));
        TRUE(u32_out == 0);
    }
    IS(NOT_RESIDENT, gpusched_tlp_leftover_finish(o, 0, 1, &u32_out));
    IS(OK, gpusched_tlp_leftover_finish(o, 0, 0, &u32_out));
    IS(NOT_RESIDENT, gpusched_tlp_leftover_finish(o, 0, 0, &u32_out));
    IS(OK, gpusched_tlp_leftover_submit(o, &needs, 1, &u32_out));
    IS(QUEUE_FULL, gpusched_tlp_leftover_submit(o, &needs, 1, &u32_out));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.sms = 4;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    for (uint32_t i = 0; i < 3; i++) {
        gpusched_tlp_sent one, two;
        IS(OK, gpusched_tlp_leftover_dispatch(m.object, &one));
        IS(OK, gpusched_tlp_leftover_dispatch(same.object, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
        TRUE(one.sched == (i < 2 ? GPUSCHED_TLP_SCHED_TB : GPUSCHED_TLP_SCHED_EMPTY));
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
