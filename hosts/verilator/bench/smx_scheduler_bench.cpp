// The core's side of smx_scheduler_bench.sv: which rules of the scheduler a clock is about.
#include "dtbl_driver.hpp"
#include <svdpi.h>

using bench::Rule;
using namespace dtbl;

static Rule faults[] = {Rule("dtbl-D1: BadSmx"), Rule("dtbl-D1: BadSlot"), Rule("dtbl-D1: NoTb"), Rule("dtbl-D5, dtbl-S1: BadKde"),
    Rule("dtbl-D5, dtbl-S1: NoKernel"), Rule("dtbl-D5: NotRetained"), Rule("dtbl-S1: Retained"), Rule("dtbl-S1: HasGroups"),
    Rule("dtbl-S1: RestorePending"), Rule("dtbl-S1: NothingResident")};
static const uint32_t fault_numbers[] = {7, 8, 9, 13, 14, 15, 16, 17, 18, 19};
static Rule native_ends("dtbl-D1: a native TB ends"), group_ends("dtbl-D2: a TB of a group ends"),
    group_done("dtbl-D2: a group is done"), kernel_done("dtbl-D3: a kernel is done with its last TB"),
    held("dtbl-D3: a retained kernel stays without TBs"), marked("dtbl-D3: a marked kernel stays without TBs"),
    unretained("dtbl-D5: unretain frees the entry"), unretain_only("dtbl-D5: unretain, TBs run"), saves("dtbl-S1: a TB is saved"),
    saves_more("dtbl-S1: a TB is saved, more are resident"), suspended_sscr("dtbl-S1: of a kernel in SSCR"),
    suspended_unmarked("dtbl-S1: of an unmarked kernel"), answered("dtbl-S3: the load is answered"),
    answered_sent("dtbl-S3: and a TB sent in the same clock"), no_load("dtbl-S3: NoLoad"), issued("dtbl-T1: an entry is written"),
    reissued("dtbl-T1: one that was freed in this clock"), arrived("dtbl-T2: a kernel arrives"),
    arrived_sent("dtbl-T2: and sends in the same clock"), joins("dtbl-T3 step 3: a group joins"),
    joins_first("dtbl-T3 step 3: NAGEI was none (dtbl-A9)"), remarks("dtbl-T3 step 3: marks an unmarked kernel (dtbl-A13)"),
    joins_arriving("dtbl-T3 step 3: joins a kernel that arrives in this clock"),
    joins_ends("dtbl-H4: joins a kernel of which a TB ends in this clock"),
    two_append("dtbl-T2, dtbl-T3 step 3: an arrival and a joined kernel are appended"),
    joins_done("dtbl-D2, dtbl-T3 step 3: live + 1 and - 1 in one clock"), full("dtbl-I4: every entry is marked"), idle("dtbl-T4: idle"),
    noroom("dtbl-T4: noroom"), natives("dtbl-T4: native TB"), restored("dtbl-T4: restored TB (R)"),
    restored_last("dtbl-T4: the last restored TB, natives follow"), on_chip("dtbl-T4: TB of a group on chip"),
    spilled("dtbl-T4: TB of a spilled group"), joined_sent("dtbl-T4: a group that joins in this clock is sent"),
    native_over("dtbl-T4: from native TBs to a group"), group_over("dtbl-T4: from group to group"),
    unmarks("dtbl-T4: unmark after native TBs"), unmarks_group("dtbl-T4: unmark after a group"),
    next_linked("dtbl-H3: linked in the clock of the last TB"), first_spilled("dtbl-H2: the first group of a kernel is spilled"),
    load_at_once("dtbl-T4: load_cycles 0"), load_one("dtbl-T4: load_cycles 1"), load_more("dtbl-T4: load, after load_cycles cycles"),
    load_waits("dtbl-T4: load"), load_kept("dtbl-T4: a group that was loaded waits for room"), rotates("dtbl-H11: rotate"),
    turns("dtbl-H11: rotate after two groups and more"), alone("dtbl-H11: the turn is over, nobody waits"), wraps("dtbl-T4: rr wraps"),
    skips("dtbl-T4: rr passes an SMX without room"), slot_again("dtbl-T4: a slot that was freed in this clock"),
    ends_sent("dtbl-D1, dtbl-T4: of one kernel a TB ends and one is sent"), lack[4] = {Rule("dtbl-T4: noroom, slots"),
    Rule("dtbl-T4: noroom, threads"), Rule("dtbl-T4: noroom, registers"), Rule("dtbl-T4: noroom, shared memory")},
    lanes("a command of several lanes"), reset("reset");

uint64_t bench::storage_bits() {
    gpusched_frontend_config c;
    gpusched_frontend_storage bits;
    MUST(gpusched_frontend_config_init(&c, sizeof c, GPUSCHED_GPU_K20C));
    MUST(gpusched_frontend_storage_bits(&c, &bits));
    return bits.dtbl_registers;
}

static void observe_operation(const Clock &c, const Registers &before) {
    for (size_t i = 0; i < std::size(fault_numbers); i++) faults[i].hit(c.op_fault == fault_numbers[i]);
    const bool ends = c.left && c.op == TB_DONE;
    const Entry was = c.left || c.kernel_done ? before.kde[c.left_kde] : Entry{};
    native_ends.hit(ends && !c.done);
    group_ends.hit(ends && c.done);
    group_done.hit(c.group_done);
    kernel_done.hit(c.kernel_done && ends);
    held.hit(ends && was.exe == 1 && was.retain && !was.mark);
    marked.hit(ends && was.exe == 1 && was.mark);
    unretained.hit(c.kernel_done && c.op == UNRETAIN);
    unretain_only.hit(c.op == UNRETAIN && !c.op_fault && !c.kernel_done);
    saves.hit(c.left && c.op == SUSPEND);
    saves_more.hit(c.left && c.op == SUSPEND && !c.suspended);
    suspended_sscr.hit(c.suspended && before.sscr_valid && before.sscr_kdei == c.left_kde);
    suspended_unmarked.hit(c.suspended && !was.mark);
    reissued.hit(c.issue && (c.kernel_done || c.suspended) && c.issue_kde == c.left_kde);
    answered.hit(c.spill_loaded && !c.no_load);
    no_load.hit(c.no_load);
    issued.hit(c.issue);
}

static void observe_lane(const Clock &c, const Registers &before) {
    const bool was_marked = before.kde[c.lane_kde].mark;
    const bool arrives_here = c.arrive && c.arrive_kde == c.lane_kde;
    arrived.hit(c.arrive);
    joins.hit(c.joined);
    joins_first.hit(c.joined && c.behind == NONE);
    remarks.hit(c.joined && !was_marked && !arrives_here);
    joins_arriving.hit(c.joined && arrives_here);
    joins_ends.hit(c.joined && c.left && c.left_kde == c.lane_kde);
    two_append.hit(c.arrive && c.joined && !was_marked && !arrives_here);
    joins_done.hit(c.joined && c.group_done && c.left_kde == c.lane_kde);
}

static void observe_tick(const Step &step, const Registers &before, bool is_one_clock) {
    static uint32_t asked = 0; // cycles since the load was asked for
    const Clock &c = step.clock;
    const Registers &after = step.after;
    const bool sent = c.sched == GPUSCHED_SCHED_TB, has_sscr = before.sscr_valid && !(c.suspended && before.sscr_kdei == c.left_kde);
    asked = c.load_ask ? 0 : asked + 1;
    full.hit(after.marked == KDES);
    idle.hit(c.sched == GPUSCHED_SCHED_IDLE);
    noroom.hit(c.sched == GPUSCHED_SCHED_NO_ROOM);
    load_waits.hit(c.sched == GPUSCHED_SCHED_LOAD);
    first_spilled.hit(c.load_ask && !has_sscr);
    load_kept.hit(c.sched == GPUSCHED_SCHED_NO_ROOM && after.sscr_load == GPUSCHED_LOAD_HERE);
    if (c.sched == GPUSCHED_SCHED_NO_ROOM) {
        const Entry &e = after.kde[after.sscr_kdei];
        bool only[4] = {};
        for (const Room &room : after.room) {
            const bool lacks[4] = {room.slots == 0, room.threads < e.threads, room.regs < e.regs, room.smem < e.smem};
            if (std::count(lacks, lacks + 4, true) != 1) continue;
            for (int i = 0; i < 4; i++) only[i] |= lacks[i];
        }
        for (int i = 0; i < 4; i++) lack[i].hit(only[i]);
    }
    if (!sent) return;
    const bool is_spilled = dtbl::is_spilled(c.tb_ref), fixed = !c.load_external;
    const bool native_ended = !c.send && after.sscr_valid && is_group(after.sscr_agei);
    arrived_sent.hit(c.arrive && c.arrive_kde == c.tb_kde);
    answered_sent.hit(c.spill_loaded && !c.no_load);
    natives.hit(c.tb_ref == NONE);
    restored.hit(c.tb_ref == RESTORED);
    restored_last.hit(c.tb_ref == RESTORED && after.kde[c.tb_kde].restored == after.kde[c.tb_kde].saved && !c.unmark);
    on_chip.hit(c.send && !is_spilled);
    spilled.hit(is_spilled);
    joined_sent.hit(c.send && c.joined && c.joined_ref == c.tb_ref);
    native_over.hit(native_ended);
    group_over.hit(c.last && after.sscr_valid);
    unmarks.hit(c.unmark && !c.send);
    unmarks_group.hit(c.unmark && c.send);
    next_linked.hit(c.last && c.joined && c.behind == c.tb_ref);
    load_at_once.hit(c.load_ask && c.load_cycles == 0);
    load_one.hit(is_spilled && fixed && asked == 1 && c.load_cycles == 1);
    load_more.hit(is_spilled && fixed && c.load_cycles > 1 && asked == c.load_cycles && c.tb_blkid == 0);
    rotates.hit(c.rotate);
    turns.hit(c.rotate && c.turn_groups > 1);
    alone.hit(c.last && c.turn_groups != 0 && after.sscr_valid && after.sscr_turn >= c.turn_groups);
    wraps.hit(c.tb_smx < before.rr);
    skips.hit(c.tb_smx != before.rr);
    if (!is_one_clock) return;
    slot_again.hit(c.left && c.left_smx == c.tb_smx && c.left_slot == c.tb_slot);
    ends_sent.hit(c.left && c.left_kde == c.tb_kde);
}

extern "C" void dtbl_step(uint32_t clock_words, uint32_t registers_words, svBitVecVal *pins, svBitVecVal *registers) {
    static Driver driver;
    static bool was_known = true;
    const Step &step = driver.next();
    reset.hit(step.clock.rst);
    observe_operation(step.clock, driver.before());
    observe_lane(step.clock, driver.before());
    lanes.hit(step.lanes > 1);
    if (step.clock.tick) observe_tick(step, driver.before(), was_known);
    was_known = step.clock.known;
    hand_over(step.clock, clock_words, pins);
    hand_over(step.after, registers_words, registers);
}
