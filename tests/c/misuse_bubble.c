// Every function of the occupancy-bubble controller alone, called as it must not be: the right status, nothing changed, nothing
// touched that is not its own.
#include "misuse_bubble_table.h"

static const gpusched_resources tb = {512, 1024, 0, 1};
static size_t size_out;

static gpusched_bubble_config small_config(void) {
    gpusched_bubble_config c = preset();
    c.smxs = 4;
    return c;
}

// A controller with a TB on SMX 3, and SMX 0 to 2 on their way down since cycle 500.
static struct machine busy(const gpusched_bubble_config *config) {
    struct machine m = build(config);
    gpusched_bubble_record record;
    IS(OK, gpusched_bubble_dispatched(m.object, 0, 3, &tb, NULL));
    IS(OK, gpusched_bubble_sample(m.object, 500, NULL, NULL, 0, &record));
    TRUE(record.down.words[0] == 7 && record.eligible.words[0] == 8 && record.resume_smx == GPUSCHED_NONE);
    return m;
}

static void pointers(void) {
    gpusched_bubble_config c = small_config();
    struct machine m = busy(&c);
    gpusched_bubble *const bubble = m.object;
    const uint16_t activity[] = {0, 10, 500, 1000};
    const gpusched_bubble_waiting waiting = {{{8}}, tb, 1};
    watch_block(&m.block);
    derived_pointers(bubble);
    IS(CAPACITY, gpusched_bubble_sample(bubble, 1000, &waiting, activity, SIZE_MAX, OUT));
    IS(CAPACITY, gpusched_bubble_account(bubble, 500, activity, SIZE_MAX));
    IS(OK, gpusched_bubble_get_config(bubble, &c, sizeof c));
    TRUE(c.smxs == 4 && c.p_uncore_mw == 20000);
    IS(OK, gpusched_bubble_sample(bubble, 1000, &waiting, activity, 4, OUT));
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_bubble_config c = small_config();
    struct machine m = busy(&c);
    gpusched_bubble *const bubble = m.object;
    const gpusched_resources none = {0, 1, 1, 1}, large = {2049, 0, 0, 1}, all = {2048, 0, 0, 1};
    gpusched_bubble_waiting waiting = {{{0}}, none, 0};
    const uint16_t activity[] = {0, 10, 500, 1001};
    watch_block(&m.block);
    IS(TIME_BACKWARDS, gpusched_bubble_dispatched(bubble, 499, 3, &tb, NULL));
    IS(TIME_BACKWARDS, gpusched_bubble_completed(bubble, 499, 3, &tb, NULL));
    IS(TIME_BACKWARDS, gpusched_bubble_sample(bubble, 499, NULL, NULL, 0, OUT));
    IS(TIME_BACKWARDS, gpusched_bubble_account(bubble, 499, NULL, 0));
    IS(OFF_SAMPLE, gpusched_bubble_sample(bubble, 500, NULL, NULL, 0, OUT));
    IS(OFF_SAMPLE, gpusched_bubble_sample(bubble, 1001, NULL, NULL, 0, OUT));
    IS(BAD_RESOURCES, gpusched_bubble_dispatched(bubble, 500, 3, &none, NULL));
    IS(TB_TOO_BIG, gpusched_bubble_dispatched(bubble, 500, 3, &large, NULL));
    IS(NOT_ELIGIBLE, gpusched_bubble_dispatched(bubble, 500, 0, &tb, NULL));
    IS(NO_FIT, gpusched_bubble_dispatched(bubble, 500, 3, &all, NULL));
    IS(BAD_RESOURCES, gpusched_bubble_completed(bubble, 500, 3, &none, NULL));
    IS(RELEASE_UNDERFLOW, gpusched_bubble_completed(bubble, 500, 0, &tb, NULL));
    IS(RELEASE_UNDERFLOW, gpusched_bubble_completed(bubble, 500, 3, &all, NULL));
    IS(BAD_RESOURCES, gpusched_bubble_sample(bubble, 1000, &waiting, NULL, 0, OUT));
    waiting.res = large;
    IS(TB_TOO_BIG, gpusched_bubble_sample(bubble, 1000, &waiting, NULL, 0, OUT));
    waiting.res = tb, waiting.bound = 1;
    IS(BAD_MASK, gpusched_bubble_sample(bubble, 1000, &waiting, NULL, 0, OUT));
    waiting.allowed.words[0] = 0x10;
    IS(BAD_MASK, gpusched_bubble_sample(bubble, 1000, &waiting, NULL, 0, OUT));
    waiting.allowed.words[0] = 1, waiting.allowed.words[3] = 1ull << 63;
    IS(BAD_MASK, gpusched_bubble_sample(bubble, 1000, &waiting, NULL, 0, OUT));
    IS(BAD_ACTIVITY, gpusched_bubble_sample(bubble, 1000, NULL, activity, 4, OUT));
    IS(BAD_ACTIVITY, gpusched_bubble_sample(bubble, 1000, NULL, activity, 3, OUT));
    IS(BAD_ACTIVITY, gpusched_bubble_sample(bubble, 1000, NULL, activity, 0, OUT));
    IS(BAD_ACTIVITY, gpusched_bubble_account(bubble, 500, activity, 4));
    // Each is beyond every table; some would be row 0 or 1 if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {4, 255, 256, 257, 65535, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_SMX, gpusched_bubble_dispatched(bubble, 500, beyond[i], &tb, NULL));
        IS(BAD_SMX, gpusched_bubble_completed(bubble, 500, beyond[i], &tb, NULL));
        IS(BAD_SMX, gpusched_bubble_get_smx(bubble, beyond[i], OUT));
        IS(BAD_SMX, gpusched_bubble_get_ledger(bubble, beyond[i], OUT));
    }
    // What is not bound may run anywhere, whatever the mask says.
    waiting.bound = 0;
    IS(OK, gpusched_bubble_sample(bubble, 1000, &waiting, NULL, 0, OUT));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_bubble_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.drain_samples = 11;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    gpusched_energy one, two;
    for (uint64_t now = 1000; now < 9000; now += 500) {
        IS(OK, gpusched_bubble_sample(m.object, now, NULL, NULL, 0, OUT));
        IS(OK, gpusched_bubble_sample(same.object, now, NULL, NULL, 0, OUT));
        IS(OK, gpusched_bubble_energy(m.object, &one));
        IS(OK, gpusched_bubble_energy(same.object, &two));
        TRUE(one.lo > 0 && one.lo == two.lo && one.hi == two.hi);
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_bubble_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
