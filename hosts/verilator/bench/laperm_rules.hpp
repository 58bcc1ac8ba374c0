// Which rules of the sheet a cycle reached, told from the core's registers before it and from the core's answers.
#pragma once
#include "laperm_host.hpp"

namespace bench {

class Rules {
  public:
    void restart() { gone_without.fill(false); }

    // laperm-R6 to R9: a tick that saw `was`, and left the backup records of `is`.
    void ticked(const Host &host, const Registers &was, const Registers &is, const gpusched_laperm_sent &sent) {
        const auto &c = host.config;
        const uint64_t now = host.now;
        const bool adaptive = c.policy == GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND, block = c.no_fit == GPUSCHED_LAPERM_NO_FIT_BLOCK;
        const bool skip = c.visit == GPUSCHED_LAPERM_VISIT_SKIP, tb = sent.sched == GPUSCHED_LAPERM_SCHED_TB;

        bool loads = false, overtakes_not = false;
        for (const auto &queue : was.queue)
            for (size_t i = 0; i < queue.size(); i++) {
                const auto &e = queue[i];
                loads |= e.ready_at > now;
                overtakes_not |= i > 0 && e.ready_at <= now && queue[i - 1].ready_at > now && queue[i - 1].section == e.section;
            }
        section_waits.hit(overtakes_not);
        if (tb) dispatched(host, was, sent);

        switch (sent.sched) {
            case GPUSCHED_LAPERM_SCHED_NO_WORK: (loads ? all_load : no_work).hit(); return;
            case GPUSCHED_LAPERM_SCHED_MASKED: (skip ? skip_masked : step_masked).hit(); break;
            case GPUSCHED_LAPERM_SCHED_NO_CANDIDATE: (skip ? skip_no_candidate : step_no_candidate).hit(); break;
            case GPUSCHED_LAPERM_SCHED_NO_FIT: (skip ? skip_no_fit : step_no_fit).hit(); break;
            default: break;
        }
        skip_first.hit(tb && skip && sent.smx == was.cur);
        skip_later.hit(tb && skip && sent.smx > was.cur);
        skip_wraps.hit(tb && skip && sent.smx < was.cur);
        bool some_have_none = false;

        for (uint32_t s = 0; s < SMXS; s++) {
            const bool visited = skip ? !tb || (s + SMXS - was.cur) % SMXS <= (sent.smx + SMXS - was.cur) % SMXS : s == was.cur;
            if (!visited || (was.mask >> s & 1)) continue;
            const bool took = tb && sent.smx == s;
            const uint32_t u = adaptive || c.policy == GPUSCHED_LAPERM_POLICY_SMX_BIND ? s / c.cluster : 0;
            const auto fit = [&](const gpusched_laperm_entry *e) { return e && fits(e->res, was.free[s]); };
            const auto *own = was.candidate(u, now), *q0 = was.candidate(SMXS, now);
            some_have_none |= !adaptive && !own && !q0;
            stage1_blocks.hit(block && own && !fit(own));
            stage2_blocks.hit(block && !own && q0 && !fit(q0));
            stage2_after_unfit.hit(took && sent.stage == 2 && own);
            stage3_after_unfit.hit(took && sent.stage == 3 && (own || q0));
            if (!adaptive || fit(own) || fit(q0) || (block && (own || q0))) continue;

            // Stage 3
            const auto &b = was.backup[s], &after = is.backup[s];
            const bool recorded = b.unit != GPUSCHED_NONE, forced = recorded && c.backup_limit > 0 && b.run >= c.backup_limit;
            const auto *held = recorded ? was.candidate(b.unit, now) : nullptr;
            uint32_t others = 0, spare = 0, lowest_spare = GPUSCHED_NONE;
            for (uint32_t v = 0; v < was.units; v++)
                if (const auto *e = was.candidate(v, now); e && v != u) {
                    others++, spare += fit(e);
                    if (fit(e)) lowest_spare = std::min(lowest_spare, v);
                }
            const bool selects = !held || forced;
            const uint32_t unit = after.unit;
            if (others == 0) {
                nothing_selected.hit(recorded);
                if (recorded) gone_without[s] = true;
                continue;
            }
            kept.hit(!selects && took && sent.unit == b.unit);
            kept_after_emptiness.hit(!selects && gone_without[s] && b.unit == unit);
            gone_without[s] = false;
            const bool by_order = selects && !(recorded && c.backup_limit > 0);
            const uint32_t first = next_of(was, u, u, now);
            next.hit(by_order && c.backup_select == GPUSCHED_LAPERM_BACKUP_SELECT_NEXT && unit < u);
            lowest.hit(by_order && c.backup_select == GPUSCHED_LAPERM_BACKUP_SELECT_LOWEST && unit != first);
            highest.hit(by_order && c.backup_select == GPUSCHED_LAPERM_BACKUP_SELECT_HIGHEST_PRIO && unit != first);
            replaced.hit(by_order && recorded && unit != b.unit);
            turn.hit(forced && held && unit != b.unit);
            turn_empty.hit(!forced && selects && recorded && c.backup_limit > 0);
            turn_alone.hit(forced && unit == b.unit && after.run <= 1);
            const auto *chosen = was.candidate(selects ? unit : b.unit, now);
            unfit_recorded.hit(block && selects && !took && !fit(chosen));
            unfit_kept.hit(block && !selects && !took);
            fallback.hit(!block && !selects && took && sent.unit != b.unit);
            fallback_next.hit(!block && !selects && took && sent.unit != b.unit && sent.unit != lowest_spare);
            fallback_wraps.hit(!block && !selects && took && sent.unit < b.unit);
            none_fits.hit(!block && spare == 0);
            failed_records.hit(skip && !took && (after.unit != b.unit || after.run != b.run));
        }
        skip_reasons.hit(skip && sent.sched == GPUSCHED_LAPERM_SCHED_NO_FIT && some_have_none);
    }

    // laperm-R2 to R4, laperm-R9: a push that was taken when the queue was as after the tick.
    void placed(const Host &host, const Registers &was, const gpusched_laperm_sent *sent, const Push &p, const gpusched_laperm_placed &to,
                const Registers &is) {
        const bool rr = host.config.policy == GPUSCHED_LAPERM_POLICY_RR;
        clamped.hit(!p.host && p.prio == LEVELS);
        fifo.hit(rr && p.host);
        to_queue0.hit(to.place == GPUSCHED_LAPERM_PLACE_QUEUE0);
        if (to.place == GPUSCHED_LAPERM_PLACE_QUEUE0) return;
        const size_t behind = to.place == GPUSCHED_LAPERM_PLACE_ON_CHIP ? is.queue[to.unit].size() - 1 - to.pos : 0;
        const bool here = sent && sent->sched == GPUSCHED_LAPERM_SCHED_TB && sent->unit == to.unit;
        between.hit(to.place == GPUSCHED_LAPERM_PLACE_ON_CHIP && behind > 0);
        at_end.hit(to.place == GPUSCHED_LAPERM_PLACE_ON_CHIP && behind == 0);
        charged.hit(to.place == GPUSCHED_LAPERM_PLACE_ON_CHIP && host.config.charge_insert);
        into_gap.hit(to.place == GPUSCHED_LAPERM_PLACE_ON_CHIP && here && sent->last && was.queue[to.unit].size() == QUEUE_CAP);
        const bool spills_lowest = host.config.spill == GPUSCHED_LAPERM_SPILL_LOWEST;
        spilled_new.hit(to.place == GPUSCHED_LAPERM_PLACE_SPILLED && !spills_lowest);
        spilled_low.hit(to.place == GPUSCHED_LAPERM_PLACE_SPILLED && spills_lowest);
        spilled_while_sent.hit(to.place == GPUSCHED_LAPERM_PLACE_SPILLED && here);
        if (!to.evicts) return;
        const auto &out = was.queue[to.unit].back();
        evicted.hit();
        evicted_begun.hit(out.next > 0);
        evicted_loading.hit(out.ready_at > host.now);
        evicted_sending.hit(here && sent->tag == out.tag);
        const auto &list = is.off_chip[to.unit];
        evicted_first.hit(std::count_if(list.begin(), list.end(), [&](const auto &e) { return e.section == out.section; }) > 1);
    }

    // laperm-R1 and the other refusals.
    void refused(const char *what, gpusched_status status, bool spills_lowest = false) {
        const std::string call = what;
        switch (status) {
            case GPUSCHED_STATUS_BAD_SMX: (call == "push" ? push_bad_smx : call == "done" ? done_bad_smx : mask_bad_smx).hit(); break;
            case GPUSCHED_STATUS_BAD_PRIORITY: bad_priority.hit(); break;
            case GPUSCHED_STATUS_EMPTY_GROUP: empty_group.hit(); break;
            case GPUSCHED_STATUS_BAD_RESOURCES: (call == "push" ? push_bad_resources : done_bad_resources).hit(); break;
            case GPUSCHED_STATUS_TB_TOO_BIG: never_fits.hit(); break;
            case GPUSCHED_STATUS_QUEUE0_FULL: queue0_full.hit(); break;
            case GPUSCHED_STATUS_POOL_FULL: (spills_lowest ? pool_full_lowest : pool_full_new).hit(); break;
            case GPUSCHED_STATUS_RELEASE_UNDERFLOW: underflow.hit(); break;
            default: broken(call + ": " + gpusched_status_text(status));
        }
    }
    void ended(const gpusched_laperm_sent *sent, const Tb &tb) {
        done.hit();
        done_at_dispatch.hit(sent && sent->sched == GPUSCHED_LAPERM_SCHED_TB && sent->smx == tb.smx);
    }
    void masked(bool value) { (value ? masks : admits).hit(); }
    void waited() { push_waits.hit(); }

  private:
    // SMXs that found nothing to select although they have a record.
    std::array<bool, SMXS> gone_without{};

    // The first unit with a candidate behind `start`, wrapping, but not `own`.
    static uint32_t next_of(const Registers &was, uint32_t own, uint32_t start, uint64_t now) {
        for (uint32_t i = 1; i <= was.units; i++)
            if (const uint32_t v = (start + i) % was.units; v != own && was.candidate(v, now)) return v;
        return GPUSCHED_NONE;
    }

    void dispatched(const Host &host, const Registers &was, const gpusched_laperm_sent &sent) {
        Rule *const policies[] = {&by_rr, &by_tb_pri, &by_smx_bind, &by_adaptive};
        policies[host.config.policy]->hit();
        Rule *const stages[] = {&stage1, &stage2, &stage3};
        stages[sent.stage - 1]->hit();
        last_unit.hit(sent.last && sent.stage != 2);
        last_queue0.hit(sent.last && sent.stage == 2);
        no_refill.hit(sent.last && sent.stage != 2 && !sent.refills);
        if (sent.stage == 2) return;
        const auto &queue = was.queue[sent.unit];
        lower_first.hit(queue.front().section != was.candidate(sent.unit, host.now)->section);
        if (!sent.refills) return;
        (host.config.refill_cycles > 1 ? refill_loads : refill).hit();
        for (const auto &e : was.off_chip[sent.unit])
            if (e.tag == sent.refill) refill_begun.hit(e.next > 0), refill_of_lower.hit(e.section < queue.front().section);
    }

    Rule push_bad_smx{"laperm-R1: BadSmx"}, bad_priority{"laperm-R1: BadPriority"}, empty_group{"laperm-R1: EmptyGroup"},
        push_bad_resources{"laperm-R1: BadResources"}, never_fits{"laperm-R1: TbTooBig"};
    Rule clamped{"laperm-R2: a child of level L is of level L"}, fifo{"laperm-R2: under rr a host kernel is in section 1"};
    Rule to_queue0{"laperm-R3: queue 0"}, queue0_full{"laperm-R3: Queue0Full"};
    Rule between{"laperm-R4a: between two sections"}, at_end{"laperm-R4a: at the end"}, charged{"laperm-R4a: charge_insert"},
        into_gap{"laperm-R4a: where an entry of a full queue left in the same cycle"};
    Rule spilled_new{"laperm-R4b: spill new"}, spilled_low{"laperm-R4b: spill lowest, but not of a higher section"},
        pool_full_new{"laperm-R4b: PoolFull"}, spilled_while_sent{"laperm-R4b: in a cycle in which the full queue sent a TB"};
    Rule evicted{"laperm-R4c: evicts"}, evicted_begun{"laperm-R4c: evicts an entry with TBs sent"},
        evicted_loading{"laperm-R4c: evicts a loading entry"},
        evicted_sending{"laperm-R4c: evicts the entry whose TB was sent in the same cycle"},
        evicted_first{"laperm-R4c: in front of others of its list"}, pool_full_lowest{"laperm-R4c: PoolFull"};
    Rule lower_first{"laperm-R6: a loading section lets a lower one go first"},
        section_waits{"laperm-R6: a loading entry is not overtaken by its section"};
    Rule no_work{"laperm-R7: no_work"}, all_load{"laperm-R7: no_work while entries load"}, step_masked{"laperm-R7: step: masked"},
        step_no_candidate{"laperm-R7: step: no_candidate"}, step_no_fit{"laperm-R7: step: no_fit"},
        skip_masked{"laperm-R7: skip: all masked"}, skip_no_candidate{"laperm-R7: skip: no_candidate"},
        skip_no_fit{"laperm-R7: skip: no_fit"}, skip_reasons{"laperm-R7: skip: no_fit, though other SMXs have no candidate"},
        skip_first{"laperm-R7: skip: at cur"}, skip_later{"laperm-R7: skip: behind cur"}, skip_wraps{"laperm-R7: skip: wraps"},
        failed_records{"laperm-R7: skip: a failed visit leaves a backup record"};
    Rule by_rr{"laperm-R8: rr"}, by_tb_pri{"laperm-R8: tb_pri"}, by_smx_bind{"laperm-R8: smx_bind"},
        by_adaptive{"laperm-R8: adaptive_bind"}, stage1{"laperm-R8: stage 1"}, stage2{"laperm-R8: stage 2"},
        stage3{"laperm-R8: stage 3"}, stage1_blocks{"laperm-R8: block at stage 1"}, stage2_blocks{"laperm-R8: block at stage 2"},
        stage2_after_unfit{"laperm-R8: try_next from stage 1 to 2"}, stage3_after_unfit{"laperm-R8: try_next to stage 3"};
    Rule kept{"laperm-R8: the recorded backup"}, kept_after_emptiness{"laperm-R8: the recorded backup again after it was empty"},
        nothing_selected{"laperm-R8: a record stays when nothing can be selected"}, replaced{"laperm-R8: an empty backup is replaced"},
        next{"laperm-R8: backup_select next, wrapping"}, lowest{"laperm-R8: backup_select lowest"},
        highest{"laperm-R8: backup_select highest_prio"}, turn{"laperm-R8: backup_limit: another backup's turn"},
        turn_empty{"laperm-R8: backup_limit: a turn from an empty backup"},
        turn_alone{"laperm-R8: backup_limit: no other than the same backup"},
        unfit_recorded{"laperm-R8: block: recorded, but it does not fit"},
        unfit_kept{"laperm-R8: block: the recorded backup does not fit"}, fallback{"laperm-R8: try_next: another backup that fits"},
        fallback_next{"laperm-R8: try_next: another backup, not the lowest that fits"},
        fallback_wraps{"laperm-R8: try_next: another backup, wrapping"}, none_fits{"laperm-R8: try_next: no backup fits"};
    Rule last_unit{"laperm-R9: last TB, unit queue"}, last_queue0{"laperm-R9: last TB, queue 0"},
        no_refill{"laperm-R9: nothing to refill"}, refill{"laperm-R9: refill at once"}, refill_loads{"laperm-R9: refill that loads"},
        refill_begun{"laperm-R9: refill of an evicted entry with TBs sent"}, refill_of_lower{"laperm-R9: refill below another section"},
        push_waits{"laperm-R9: a push waits for a refill"};
    Rule done{"laperm-R10: tb_done"}, done_at_dispatch{"laperm-R10: where a TB starts in the same cycle"},
        done_bad_smx{"laperm-R10: BadSmx"}, done_bad_resources{"laperm-R10: BadResources"}, underflow{"laperm-R10: ReleaseUnderflow"};
    Rule masks{"laperm-R12: masked"}, admits{"laperm-R12: admitted"}, mask_bad_smx{"laperm-R12: BadSmx"};
};

} // namespace bench
