// The core's side of agt_bench.sv: which rules of the table a clock is about.
#include "dtbl_driver.hpp"
#include <svdpi.h>

using bench::Rule;
using namespace dtbl;

static Rule hash_smx("dtbl-T3 step 2: hash_scope smx"), hash_global("dtbl-T3 step 2: hash_scope global, another AGE than with smx"),
    hit("dtbl-T3 step 2: AGE free"), spill("dtbl-T3 step 2: AGE taken, the group spills"),
    fall("dtbl-T3 step 2: AGE taken, agt_miss device, the group falls"), same_thread("dtbl-H7: two lanes of a command collide"),
    freed("dtbl-T3 step 2: AGE freed in this clock is taken"), full("every AGE taken"),
    freed_sent("dtbl-T4: AGE freed, taken, and its group sent in this clock"),
    first("dtbl-T3 step 3: first group of a chain, no AGE is written"),
    link[2][2] = {{Rule("dtbl-T3 step 3: a group on chip behind one on chip"),
    Rule("dtbl-T3 step 3: a group in memory behind one on chip")}, {Rule("dtbl-T3 step 3: a group on chip behind one in memory"),
    Rule("dtbl-T3 step 3: a group in memory behind one in memory")}},
    reused("dtbl-H1: joins a kernel whose last group's AGE is another kernel's by now"),
    sent[2] = {Rule("dtbl-T4: a TB of a group on chip is sent"), Rule("dtbl-T4: a TB of a group in memory is sent")},
    sent_new("dtbl-T4: a group that joins in this clock is sent"), wide("dtbl-T4: a group of 2^31 TBs and more"),
    last("dtbl-T4: the last TB, dist"), linked_last("dtbl-H3: linked in the clock of the last TB"),
    ended("dtbl-D2: a TB of a group ends"), both("dtbl-D2, dtbl-T4: a TB of the group that is sent ends"),
    waits("dtbl-H12: ExeBL is 0, but not dist"), done[2] = {Rule("dtbl-D2: a group on chip is done"),
    Rule("dtbl-D2: a group in memory is done")}, idle("nothing happens");

uint64_t bench::storage_bits() {
    gpusched_frontend_config c;
    gpusched_frontend_storage bits;
    MUST(gpusched_frontend_config_init(&c, sizeof c, GPUSCHED_GPU_K20C));
    MUST(gpusched_frontend_storage_bits(&c, &bits));
    return bits.agt;
}

static void observe(const Step &step, const Registers &before) {
    static uint32_t earlier_lane = NONE, earlier_age = NONE, last_of[KDES];
    const Clock &c = step.clock;
    if (c.rst) return;
    const uint32_t probe = (c.hash_global * c.lane_smx * THREADS + c.lane_tid) % AGES;
    hash_smx.hit(c.hit && !c.hash_global);
    hash_global.hit(c.hit && c.hash_global && probe != c.lane_tid % AGES);
    hit.hit(c.hit);
    spill.hit(c.joined && !c.hit);
    fall.hit(c.lane && !c.joined);
    same_thread.hit(c.lane && !c.hit && step.lanes > 1 && earlier_age == probe && earlier_lane == c.lane_tid);
    freed.hit(c.hit && c.group_done && c.left_ref == c.joined_ref);
    freed_sent.hit(c.hit && c.group_done && c.left_ref == c.joined_ref && c.send && c.tb_ref == c.joined_ref);
    uint32_t taken = 0;
    for (const Group &age : before.age) taken += age.valid;
    full.hit(c.lane && taken == AGES);
    first.hit(c.joined && c.behind == NONE);
    if (c.joined && is_group(c.behind)) link[is_spilled(c.behind)][!c.hit].hit();
    // The AGE of the last group that the source's LAGEI would still name.
    if (c.joined) {
        const uint32_t stale = last_of[c.lane_kde];
        bool is_others = c.behind == NONE && is_group(stale) && !is_spilled(stale);
        bool is_live = false;
        for (uint32_t k = 0; k < KDES; k++) is_live |= k != c.lane_kde && last_of[k] == stale;
        reused.hit(is_others && is_live && before.age[stale].valid);
        last_of[c.lane_kde] = c.joined_ref;
    }
    if (c.send) sent[is_spilled(c.tb_ref)].hit();
    sent_new.hit(c.send && c.joined && c.tb_ref == c.joined_ref);
    wide.hit(c.send && c.tb_total >= 1u << 31);
    last.hit(c.last);
    linked_last.hit(c.last && c.joined && c.behind == c.tb_ref);
    ended.hit(c.done);
    both.hit(c.send && c.done && c.left_ref == c.tb_ref);
    if (c.done) waits.hit(before.group(c.left_ref).exe == 1 && !c.group_done);
    if (c.group_done) done[is_spilled(c.left_ref)].hit();
    idle.hit(!c.done && !c.lane && !c.send);
    if (c.lane) earlier_age = probe, earlier_lane = c.lane_tid;
    if (c.tick) earlier_age = NONE;
}

extern "C" void dtbl_step(uint32_t clock_words, uint32_t registers_words, svBitVecVal *pins, svBitVecVal *registers) {
    static Driver driver;
    const Step &step = driver.next();
    observe(step, driver.before());
    hand_over(step.clock, clock_words, pins);
    hand_over(step.after, registers_words, registers);
}
