// Every function of Smart-Even, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
// The first parameter may have any value but 0.
#define BAD_FIELD 3
#include "misuse_tlp_smart_even_table.h"

static const gpusched_tlp_job jobs[9] = {{{2, 0, 0}, 5}, {{2, 0, 0}, 1}};

static gpusched_tlp_config small_config(void) {
    gpusched_tlp_config c = preset();
    c.threads = 4, c.sms = 4;
    return c;
}

// Two kernels share four SMs; three TBs of the first and the one of the second run.
static struct machine busy(const gpusched_tlp_config *config) {
    struct machine m = build(config);
    gpusched_tlp_sent sent;
    IS(OK, gpusched_tlp_smart_even_start(m.object, jobs, 2));
    for (uint32_t i = 0; i < 4; i++) {
        IS(OK, gpusched_tlp_smart_even_dispatch(m.object, &sent));
        TRUE(sent.sched == GPUSCHED_TLP_SCHED_TB && sent.sm == i && sent.k == (i == 3));
    }
    return m;
}

static void pointers(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_smart_even *const o = m.object;
    watch_block(&m.block);
    derived_pointers(o);
    IS(OK, gpusched_tlp_smart_even_get_config(o, &c, sizeof c));
    TRUE(c.threads == 4 && c.op_cycles == 4);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_smart_even *const o = m.object;
    watch_block(&m.block);
    IS(BUSY, gpusched_tlp_smart_even_start(o, jobs, 9));
    IS(CAPACITY, gpusched_tlp_smart_even_start(o, jobs, SIZE_MAX));
    const uint32_t beyond[] = {4, 256, 65536, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(NOT_RESIDENT, gpusched_tlp_smart_even_finish(o, beyond[i], OUT));
        IS(BAD_SM, gpusched_tlp_smart_even_sm(o, beyond[i], OUT));
        IS(NOT_LIVE, gpusched_tlp_smart_even_kernel(o, beyond[i], OUT));
    }
    IS(NOT_LIVE, gpusched_tlp_smart_even_kernel(o, 2, OUT));
    for (uint32_t sm = 0; sm < 4; sm++) IS(OK, gpusched_tlp_smart_even_finish(o, sm, OUT));
    IS(NOT_RESIDENT, gpusched_tlp_smart_even_finish(o, 0, OUT));
    for (uint32_t i = 0; i < 2; i++) IS(OK, gpusched_tlp_smart_even_dispatch(o, OUT));
    uint32_t running;
    for (uint32_t sm = 0; sm < 2; sm++) IS(OK, gpusched_tlp_smart_even_finish(o, sm, OUT));
    IS(OK, gpusched_tlp_smart_even_is_running(o, &running));
    TRUE(running == 0);
    IS(OK, gpusched_tlp_smart_even_kernel(o, 1, OUT));
    IS(BAD_ARG, gpusched_tlp_smart_even_start(o, NULL, 0));
    IS(BAD_ARG, gpusched_tlp_smart_even_start(o, jobs, 9));
    IS(TOO_FEW_SMS, gpusched_tlp_smart_even_start(o, jobs, 5));
    IS(BAD_KERNEL, gpusched_tlp_smart_even_start(o, jobs, 3));
    const gpusched_tlp_job big = {{5, 0, 0}, 1}, empty = {{1, 0, 0}, 0};
    IS(TB_TOO_BIG, gpusched_tlp_smart_even_start(o, &big, 1));
    IS(BAD_KERNEL, gpusched_tlp_smart_even_start(o, &empty, 1));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.sms = 5;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    for (uint32_t i = 0; i < 3; i++) {
        gpusched_tlp_sent one, two;
        IS(OK, gpusched_tlp_smart_even_dispatch(m.object, &one));
        IS(OK, gpusched_tlp_smart_even_dispatch(same.object, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
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
