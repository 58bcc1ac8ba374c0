// Every function of the stochastic memory hierarchy, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
#include "misuse_monte_table.h"

static const gpusched_monte_request requests[] = {{0, 0, 0}, {128, 1, 0}, {0, 0, 0}, {256, 1, 1}};
static const gpusched_monte_warp warps[] = {{requests, 2, 0, 0}, {requests + 2, 2, 3, 0}, {NULL, 0, 1, 0}};
static gpusched_monte_slot slots[4];
static const gpusched_monte_trace trace = {warps, 3, slots, 4};

static gpusched_monte_config small_config(void) {
    gpusched_monte_config c = preset();
    c.sms = 4, c.l1_sets = 1, c.l1_ways = 2, c.l2_sets = 2, c.l2_ways = 2, c.bins = 4, c.sites = 3;
    return c;
}

static struct machine busy(const gpusched_monte_config *config) {
    struct machine m = build(config);
    memset(slots, PATTERN, sizeof slots);
    IS(OK, gpusched_monte_simulate(m.object, &trace, 5, 9));
    return m;
}

static void pointers(void) {
    gpusched_monte_config c = small_config();
    struct machine m = busy(&c);
    gpusched_monte *const monte = m.object;
    uint32_t bins[4];
    watch_block(&m.block);
    derived_pointers(monte);
    void *const nowhere[] = {NULL, ODD(OUT)};
    for (size_t i = 0; i < COUNT(nowhere); i++) {
        void *const bad = nowhere[i];
        gpusched_monte_warp lost[] = {warps[0], {bad, 1, 0, 0}};
        const gpusched_monte_trace no_warps = {bad, 1, slots, 4}, no_requests = {lost, 2, slots, 4}, no_slots = {warps, 3, bad, 4};
        const gpusched_status results[] = {
            gpusched_monte_simulate(monte, bad, 1, 1),          gpusched_monte_simulate(monte, &no_warps, 1, 1),
            gpusched_monte_simulate(monte, &no_requests, 1, 1), gpusched_monte_simulate(monte, &no_slots, 1, 1),
            gpusched_monte_run(monte, bad),                     gpusched_monte_run(monte, &no_warps),
            gpusched_monte_run(monte, &no_requests),            gpusched_monte_run(monte, &no_slots),
            gpusched_monte_rng(1, 1, 0, bad, 1),
        };
        REFUSED_FOR(bad, "a pointer", results);
    }
    const gpusched_monte_trace long_warps = {warps, SIZE_MAX, slots, 4}, long_slots = {warps, 3, slots, SIZE_MAX};
    IS(CAPACITY, gpusched_monte_run(monte, &long_warps));
    IS(CAPACITY, gpusched_monte_run(monte, &long_slots));
    IS(CAPACITY, gpusched_monte_rng(1, 1, 0, (uint64_t *)OUT, SIZE_MAX));
    IS(OK, gpusched_monte_rng(1, 1, 0, NULL, 0));
    IS(CAPACITY, gpusched_monte_histogram(monte, GPUSCHED_MONTE_LEVEL_L1, bins, 3, &size_out));
    TRUE(size_out == 4);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_monte_config c = small_config();
    struct machine m = busy(&c);
    gpusched_monte *const monte = m.object;
    watch_block(&m.block);
    IS(BAD_ARG, gpusched_monte_simulate(monte, &trace, 0, 1));
    IS(BAD_ARG, gpusched_monte_simulate(monte, &trace, (1 << 20) + 1, 1));
    // Each is beyond every SM and site; some would be one if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {4, 256, 65536, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        const gpusched_monte_warp far[] = {warps[0], {NULL, 0, beyond[i], 0}};
        const gpusched_monte_trace on_no_sm = {far, 2, slots, 4};
        IS(BAD_SM, gpusched_monte_simulate(monte, &on_no_sm, 1, 1));
        IS(BAD_SM, gpusched_monte_run(monte, &on_no_sm));
        const gpusched_monte_request odd = {0, beyond[i], 0};
        const gpusched_monte_warp strange[] = {warps[0], {&odd, 1, 0, 0}};
        const gpusched_monte_trace of_no_site = {strange, 2, slots, 4};
        IS(BAD_SITE, gpusched_monte_run(monte, &of_no_site));
        IS(BAD_SITE, gpusched_monte_site(monte, beyond[i], OUT));
        IS(BAD_ENUM, gpusched_monte_get_level(monte, beyond[i], OUT));
        IS(BAD_ENUM, gpusched_monte_histogram(monte, beyond[i], OUT, 4, &size_out));
    }
    IS(BAD_ENUM, gpusched_monte_get_level(monte, 2, OUT));
    const gpusched_monte_trace narrow = {warps, 3, slots, 3};
    IS(TOO_MANY_REQUESTS, gpusched_monte_run(monte, &narrow));
    const gpusched_monte_trace nothing = {NULL, 0, NULL, 0};
    IS(OK, gpusched_monte_run(monte, &nothing));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_monte_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.bins = 5;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    gpusched_monte_tally one, two;
    for (int i = 0; i < 5; i++) {
        IS(OK, gpusched_monte_run(m.object, &trace));
        IS(OK, gpusched_monte_run(same.object, &trace));
    }
    IS(OK, gpusched_monte_get_level(m.object, GPUSCHED_MONTE_LEVEL_L2, &one));
    IS(OK, gpusched_monte_get_level(same.object, GPUSCHED_MONTE_LEVEL_L2, &two));
    TRUE(memcmp(&one, &two, sizeof one) == 0 && one.loads == 10 * 3);
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const CONFIG c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
