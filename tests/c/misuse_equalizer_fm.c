// Every function of Equalizer's frequency manager, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
#include "misuse_equalizer_fm_table.h"

static gpusched_equalizer_fm_config small_config(void) {
    gpusched_equalizer_fm_config c = preset();
    c.sms = 4;
    return c;
}

// At cycle 10: the SM domain is on its way up, SM 0 has voted anew, SM 3 does not vote.
static struct machine busy(const gpusched_equalizer_fm_config *config) {
    struct machine m = build(config);
    gpusched_equalizer_round round;
    IS(OK, gpusched_equalizer_fm_enable(m.object, 0, 3, 0));
    for (uint32_t sm = 0; sm < 3; sm++) {
        IS(OK, gpusched_equalizer_fm_vote(m.object, 5, sm, 1, 0, &round));
        TRUE(round.present == (sm == 2));
    }
    TRUE(round.sm.up == 3 && round.sm.outcome == GPUSCHED_EQUALIZER_OUTCOME_START);
    IS(OK, gpusched_equalizer_fm_vote(m.object, 10, 0, -1, 1, &round));
    return m;
}

static void pointers(void) {
    gpusched_equalizer_fm_config c = small_config();
    struct machine m = busy(&c);
    gpusched_equalizer_fm *const fm = m.object;
    watch_block(&m.block);
    derived_pointers(fm);
    IS(OK, gpusched_equalizer_fm_get_config(fm, &c, sizeof c));
    TRUE(c.sms == 4 && c.step_permille == 150);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_equalizer_fm_config c = small_config();
    struct machine m = busy(&c);
    gpusched_equalizer_fm *const fm = m.object;
    watch_block(&m.block);
    const uint64_t times[] = {1ull << 63, 9};
    for (size_t i = 0; i < COUNT(times); i++) {
        const uint64_t now = times[i];
        const gpusched_status results[] = {
            gpusched_equalizer_fm_vote(fm, now, 4, 2, 2, OUT),
            gpusched_equalizer_fm_close(fm, now, OUT),
            gpusched_equalizer_fm_enable(fm, now, 4, 1),
            gpusched_equalizer_fm_levels(fm, now, OUT),
        };
        const gpusched_status expected = i == 0 ? GPUSCHED_STATUS_TIME_OVERFLOW : GPUSCHED_STATUS_TIME_BACKWARDS;
        for (size_t k = 0; k < COUNT(results); k++) expect(__FILE__, __LINE__, "a time", expected, results[k]);
    }
    IS(NOT_ENABLED, gpusched_equalizer_fm_vote(fm, 10, 3, 2, 2, OUT));
    IS(BAD_VOTE, gpusched_equalizer_fm_vote(fm, 10, 0, 2, 0, OUT));
    IS(BAD_VOTE, gpusched_equalizer_fm_vote(fm, 10, 1, 0, INT32_MIN, OUT));
    IS(ALREADY_VOTED, gpusched_equalizer_fm_vote(fm, 10, 0, 0, 0, OUT));
    IS(ROUND_OPEN, gpusched_equalizer_fm_enable(fm, 10, 3, 1));
    // Each is beyond every SM; some would be SM 0 or 1 if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {4, 256, 257, 65535, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_SM, gpusched_equalizer_fm_vote(fm, 10, beyond[i], 0, 0, OUT));
        IS(BAD_SM, gpusched_equalizer_fm_enable(fm, 10, beyond[i], 0));
    }
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_equalizer_fm_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.sm_transition = 11;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    gpusched_equalizer_round one, two;
    for (uint64_t now = 10; now < 10000; now += 500) {
        IS(OK, gpusched_equalizer_fm_close(m.object, now, &one));
        IS(OK, gpusched_equalizer_fm_close(same.object, now, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
        for (uint32_t sm = 0; sm < 2; sm++) {
            const int32_t vote = now % 3000 < 1500 ? 1 : -1;
            IS(OK, gpusched_equalizer_fm_vote(m.object, now, sm, vote, -vote, &one));
            IS(OK, gpusched_equalizer_fm_vote(same.object, now, sm, vote, -vote, &two));
        }
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_equalizer_fm_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
