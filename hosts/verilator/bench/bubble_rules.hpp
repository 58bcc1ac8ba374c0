// What a run of bubble_bench has to reach: the rules of `bubble_dvfs`, its table of faults, and where they meet.
#pragma once
#include "bubble_host.hpp"

namespace bubble {

// One sample as everybody saw it. `before`: at the start of its clock; `tbs`: with the TBs of its clock; then what the core found.
struct Seen {
    const Config &c;
    const View &before, &tbs;
    const gpusched_bubble_record &record;
    const View &after;
    const gpusched_bubble_waiting *waiting;
    uint32_t ended, started; // SMXs of TBs in the same clock
};

// need, full, idle, may of the sheet, from the core's ledger.
struct Sets {
    uint32_t all, need = 0, level = 0, full = 0, idle = 0, may = 0, no_room = 0;
    explicit Sets(const Seen &x) : all(bit(x.c.smxs) - 1) {
        const uint64_t most = x.c.smx_threads / x.c.warp_size, threshold = x.c.t_num * most;
        for (uint32_t s = 0; s < x.c.smxs; s++) {
            const auto &[free, resident] = x.tbs.ledger[s];
            const uint64_t occupied = uint64_t{resident.warps} * x.c.t_den;
            if (occupied < threshold || (x.c.inclusive && occupied == threshold)) need |= bit(s);
            if (occupied == threshold) level |= bit(s);
            if (resident.warps >= most) full |= bit(s);
            if (resident.tbs == 0) idle |= bit(s);
            if (!x.waiting) continue;
            const bool room = fits(x.waiting->res, free);
            if (!room) no_room |= bit(s);
            if (room && (!x.waiting->bound || set(x.waiting->allowed) >> s & 1)) may |= bit(s);
        }
    }
};

class Rules {
    using Rule = bench::Rule;

  public:
    // bubble_dvfs-B1, bubble_dvfs-B2: an event and what came of it.
    void dispatched(gpusched_status status, bool freed_now) {
        sent_.hit(status == GPUSCHED_STATUS_OK);
        sent_to_freed_.hit(status == GPUSCHED_STATUS_OK && freed_now);
        sent_bad_smx_.hit(status == GPUSCHED_STATUS_BAD_SMX);
        sent_bad_res_.hit(status == GPUSCHED_STATUS_BAD_RESOURCES);
        sent_never_fits_.hit(status == GPUSCHED_STATUS_TB_TOO_BIG);
        sent_not_eligible_.hit(status == GPUSCHED_STATUS_NOT_ELIGIBLE);
        sent_no_fit_.hit(status == GPUSCHED_STATUS_NO_FIT);
    }
    void completed(gpusched_status status, const Tb &tb, const View &before) {
        const bool ok = status == GPUSCHED_STATUS_OK, under = status == GPUSCHED_STATUS_RELEASE_UNDERFLOW;
        ended_.hit(ok);
        ended_bad_smx_.hit(status == GPUSCHED_STATUS_BAD_SMX);
        ended_bad_res_.hit(status == GPUSCHED_STATUS_BAD_RESOURCES);
        if (!ok && !under) return;
        const uint32_t stage = before.smx[tb.smx].level.stage;
        ended_draining_.hit(ok && stage == GPUSCHED_BUBBLE_STAGE_DRAINING);
        ended_low_.hit(ok && stage == GPUSCHED_BUBBLE_STAGE_LOW);
        const auto &[free, resident] = before.ledger[tb.smx];
        const bool few_tbs = resident.tbs == 0, few_warps = resident.warps < (tb.res.threads + 31) / 32;
        const bool above = !fits(tb.res, {2048 - free.threads, 65536 - free.regs, 49152 - free.smem, 16 - free.slots});
        under_tbs_.hit(under && few_tbs && !few_warps && !above);
        under_warps_.hit(under && !few_tbs && few_warps && !above);
        under_free_.hit(under && !few_tbs && !few_warps && above);
    }

    // 3: samples that are refused.
    void refused(gpusched_status status, bool ready, bool late, bool bad_bits) {
        not_ready_.hit(!ready);
        early_.hit(ready && status == GPUSCHED_STATUS_OFF_SAMPLE && !late);
        late_.hit(ready && status == GPUSCHED_STATUS_OFF_SAMPLE && late);
        waiting_bad_res_.hit(status == GPUSCHED_STATUS_BAD_RESOURCES);
        waiting_never_fits_.hit(status == GPUSCHED_STATUS_TB_TOO_BIG);
        mask_empty_.hit(status == GPUSCHED_STATUS_BAD_MASK && !bad_bits);
        mask_beyond_.hit(status == GPUSCHED_STATUS_BAD_MASK && bad_bits);
    }

    void sampled(const Seen &x) {
        const Config &c = x.c;
        const auto &r = x.record;
        const Sets is(x);
        const uint32_t low_done = set(r.low_done), high_done = set(r.high_done), divert = set(r.divert), refused = set(r.refused),
                       drain_done = set(r.drain_done), abort = set(r.drain_abort), down = set(r.down);
        const bool up = r.resume == GPUSCHED_BUBBLE_RESUME_UP, cancel = r.resume == GPUSCHED_BUBBLE_RESUME_CANCEL;
        const bool gpu_low = r.gpu_done == GPUSCHED_BUBBLE_GPU_DONE_LOW, gpu_high = r.gpu_done == GPUSCHED_BUBBLE_GPU_DONE_HIGH;
        const bool enter = r.gpu_start == GPUSCHED_BUBBLE_GPU_START_DOWN, wake = r.gpu_start == GPUSCHED_BUBBLE_GPU_START_UP;
        const bool slow = c.transition_samples > 1, decides = c.enabled && (!x.before.gpu || gpu_high) && !enter;

        // Registers as bubble_dvfs-S2 leaves them.
        const uint32_t drn = x.before.drn, low = (x.before.at(GPUSCHED_BUBBLE_STAGE_LOW) | low_done) & is.all;
        const uint32_t falling = x.before.at(GPUSCHED_BUBBLE_STAGE_GOING_DOWN) & ~low_done;
        const uint32_t rising = x.before.at(GPUSCHED_BUBBLE_STAGE_GOING_UP) & ~high_done;
        const uint32_t armed = (x.before.armed | ~is.need) & ~high_done;
        const uint32_t eligible = gpu_high ? is.all : x.before.eligible | high_done;

        at_threshold_.hit(!c.inclusive && divert != 0 && (is.level & ~is.need));
        at_threshold_inclusive_.hit(c.inclusive && (is.level & is.need & (divert | refused)));
        armed_again_.hit(~x.before.armed & is.all & ~is.need);
        not_armed_.hit(x.after.armed != is.all);
        low_done_.hit(low_done), high_done_.hit(high_done);
        gpu_low_.hit(gpu_low), gpu_high_.hit(gpu_high);
        slow_down_.hit(slow && falling), slow_up_.hit(slow && rising);
        off_.hit(!c.enabled && is.need);

        wake_.hit(wake), wake_at_once_.hit(wake && gpu_low);
        sleeps_on_.hit(x.before.level.level == GPUSCHED_BUBBLE_LEVEL_LOW && !x.waiting);
        launch_too_early_.hit(x.waiting && x.after.level.level == GPUSCHED_BUBBLE_LEVEL_GOING_DOWN && !enter);
        gpu_high_and_on_.hit(gpu_high && (divert | refused));
        gpu_high_and_down_.hit(gpu_high && enter);

        enter_.hit(enter), enter_late_.hit(enter && c.gpu_idle_samples > 1);
        enter_low_.hit(enter && low), enter_drained_.hit(enter && drn);
        const bool quiet = !x.waiting && is.idle == is.all;
        enter_waits_.hit(decides && c.gpu_level && quiet && (falling | rising) && x.after.level.idle_samples >= c.gpu_idle_samples);
        enter_broken_.hit(decides && x.before.level.idle_samples > 0 && !quiet && c.gpu_idle_samples > 1 && c.gpu_level);
        enter_not_.hit(decides && !c.gpu_level && quiet && x.after.level.idle_samples > c.gpu_idle_samples);

        taken_.hit(decides && x.waiting && !r.starved && (low | drn));
        full_with_room_.hit(r.starved && (eligible & is.full & is.may));
        starved_.hit(r.starved && !up && !cancel && !(is.may & (low | drn)));
        cancel_.hit(cancel), cancel_first_.hit(cancel && (is.may & low)), cancel_lowest_.hit(cancel && (is.may & drn & (drn - 1)));
        up_.hit(up), up_lowest_.hit(up && (is.may & low & (low - 1))), up_not_first_.hit(up && (low & (bit(r.resume_smx) - 1)));
        up_over_.hit(up && rising), held_.hit(r.starved && c.resume_hold && rising && (is.may & low) && !up);
        no_cancel_.hit(r.starved && !c.resume_draining && (is.may & drn));
        bound_falling_.hit(r.starved && !up && !cancel && x.waiting->bound && (is.may & falling));
        up_at_low_.hit(up && (low_done >> r.resume_smx & 1));

        drain_done_.hit(drain_done), abort_.hit(abort), abort_one_.hit(abort && c.drain_samples == 1);
        drain_goes_on_.hit(x.after.drn & drn);
        divert_idle_.hit(divert & is.idle), divert_drain_.hit(divert & ~down), divert_many_.hit(divert & (divert - 1));
        divert_running_.hit(!c.draining && (divert & ~is.idle & down));
        const uint32_t others = eligible & ~is.need;
        refused_all_.hit(refused && others == 0), refused_full_.hit(refused && others && (others & is.full) == others);
        refused_room_.hit(refused && x.waiting && (others & ~is.full) && (others & ~is.full & is.may) == 0);
        once_.hit(c.retrigger == GPUSCHED_BUBBLE_RETRIGGER_ONCE && (refused & ~x.after.armed));
        disarmed_.hit(decides && c.retrigger == GPUSCHED_BUBBLE_RETRIGGER_REARM && (eligible & is.need & ~armed & ~high_done) && others);
        thrash_.hit(c.retrigger == GPUSCHED_BUBBLE_RETRIGGER_LEVEL && (divert & ~armed));
        alone_.hit(c.smxs == 1 && decides && is.need);

        for (uint32_t s = 0; s < c.smxs; s++) {
            const bool last = drn >> s & 1 && x.before.smx[s].level.samples + 1 == c.drain_samples;
            drained_last_.hit(last && (drain_done & x.ended & bit(s)));
            cancel_last_.hit(last && cancel && r.resume_smx == s);
            abort_left_.hit((abort >> s & 1) && x.tbs.ledger[s].resident.tbs == 1);
        }
        drain_done_starved_.hit(drain_done && r.starved && (up || cancel));
        launch_now_.hit(x.started && (is.idle | x.started) == is.all && c.gpu_level && !x.before.gpu);
        woken_for_nothing_.hit(gpu_high && !x.waiting && is.idle == is.all);
        level_thrash_.hit(c.retrigger == GPUSCHED_BUBBLE_RETRIGGER_LEVEL && (high_done & divert));
        rearm_rests_.hit(c.retrigger == GPUSCHED_BUBBLE_RETRIGGER_REARM && (high_done & is.need & ~divert & ~refused) && others && decides);
    }

  private:
    Rule sent_{"bubble_dvfs-B1 dispatched"}, sent_to_freed_{"bubble_dvfs-B1 dispatched to an SMX that a TB leaves in the same clock"},
        sent_bad_smx_{"bubble_dvfs-B1 BadSmx"}, sent_bad_res_{"bubble_dvfs-B1 BadResources"},
        sent_never_fits_{"bubble_dvfs-B1 TbTooBig"}, sent_not_eligible_{"bubble_dvfs-B1 NotEligible"},
        sent_no_fit_{"bubble_dvfs-B1 NoFit"};
    Rule ended_{"bubble_dvfs-B2 completed"}, ended_bad_smx_{"bubble_dvfs-B2 BadSmx"}, ended_bad_res_{"bubble_dvfs-B2 BadResources"},
        ended_draining_{"bubble_dvfs-B2 completed while draining"}, ended_low_{"bubble_dvfs-B2 completed while low (draining off)"},
        under_tbs_{"bubble_dvfs-B2 ReleaseUnderflow: no TB"}, under_warps_{"bubble_dvfs-B2 ReleaseUnderflow: fewer warps"},
        under_free_{"bubble_dvfs-B2 ReleaseUnderflow: above capacity"};
    Rule not_ready_{"bubble_dvfs-B3 sample before T is ready: refused"}, early_{"bubble_dvfs-B3 OffSample: too early"},
        late_{"bubble_dvfs-B3 OffSample: one was missed"}, waiting_bad_res_{"bubble_dvfs-B3 waiting: BadResources"},
        waiting_never_fits_{"bubble_dvfs-B3 waiting: TbTooBig"}, mask_empty_{"bubble_dvfs-B3 waiting: BadMask, empty"},
        mask_beyond_{"bubble_dvfs-B3 waiting: BadMask, beyond S"};
    Rule at_threshold_{"need: at T is no bubble"}, at_threshold_inclusive_{"need: at T is a bubble (inclusive)"};
    Rule armed_again_{"bubble_dvfs-S1 armed again"}, not_armed_{"bubble_dvfs-S1 some SMX is not armed"};
    Rule low_done_{"bubble_dvfs-S2 low_done"}, high_done_{"bubble_dvfs-S2 high_done"}, gpu_low_{"bubble_dvfs-S2 GPU low"},
        gpu_high_{"bubble_dvfs-S2 GPU high"}, slow_down_{"bubble_dvfs-S2 going down for more than a sample"},
        slow_up_{"bubble_dvfs-S2 going up for more than a sample"}, off_{"bubble_dvfs-S2 enabled off"};
    Rule wake_{"bubble_dvfs-S3 GPU wakes up"}, wake_at_once_{"bubble_dvfs-S3 GPU wakes up in the sample that finds it low"},
        sleeps_on_{"bubble_dvfs-S3 GPU stays low"},
        launch_too_early_{"bubble_dvfs-S3 TB waits while the GPU goes down: not broken off"},
        gpu_high_and_on_{"bubble_dvfs-S3 GPU high: bubble_dvfs-S6 in the same sample"},
        gpu_high_and_down_{"bubble_dvfs-S3 GPU high: down again in the same sample"};
    Rule enter_{"bubble_dvfs-S4 GPU-level entry"}, enter_late_{"bubble_dvfs-S4 entry after gpu_idle_samples > 1"},
        enter_low_{"bubble_dvfs-S4 an SMX that was low stays so"}, enter_drained_{"bubble_dvfs-S4 goes before drain_done"},
        enter_waits_{"bubble_dvfs-S4 waits for a transition"}, enter_broken_{"bubble_dvfs-S4 idle count back to 0"},
        enter_not_{"bubble_dvfs-S4 gpu_level off"};
    Rule taken_{"bubble_dvfs-S5 an eligible SMX takes it"}, full_with_room_{"bubble_dvfs-S5 full, although the TB fits"},
        starved_{"bubble_dvfs-S5 starved, none to resume"}, cancel_{"bubble_dvfs-S5 (a) cancel"},
        cancel_first_{"bubble_dvfs-S5 (a) goes before (b)"}, cancel_lowest_{"bubble_dvfs-S5 (a) the lowest of several"},
        no_cancel_{"bubble_dvfs-S5 (a) resume_draining off"}, up_{"bubble_dvfs-S5 (b) up"},
        up_lowest_{"bubble_dvfs-S5 (b) the lowest of several"}, up_not_first_{"bubble_dvfs-S5 (b) passes over an SMX that may not"},
        up_at_low_{"bubble_dvfs-S5 (b) in the sample that finds it low"}, up_over_{"bubble_dvfs-S5 another one goes up already"},
        held_{"bubble_dvfs-S5 resume_hold"};
    Rule drain_done_{"bubble_dvfs-S6 drain_done"}, drain_goes_on_{"bubble_dvfs-S6 draining goes on"},
        abort_{"bubble_dvfs-S6 drain_abort"}, abort_one_{"bubble_dvfs-S6 drain_abort, W = 1"},
        abort_left_{"bubble_dvfs-S6 drain_abort with one TB left"}, divert_idle_{"bubble_dvfs-S6 divert, idle: down at once"},
        divert_drain_{"bubble_dvfs-S6 divert: drains"}, divert_running_{"bubble_dvfs-S6 divert, draining off: down with its TBs"},
        divert_many_{"bubble_dvfs-S6 several diverted"}, refused_all_{"bubble_dvfs-S6 refused: no SMX at or above T"},
        refused_full_{"bubble_dvfs-S6 refused: all of those full"},
        refused_room_{"bubble_dvfs-S6 refused: no room there for the waiting TB"}, once_{"bubble_dvfs-S6 once: a refusal disarms"},
        disarmed_{"bubble_dvfs-S6 rearm: a disarmed bubble stays"}, thrash_{"bubble_dvfs-S6 level: a disarmed bubble is diverted"},
        alone_{"bubble_dvfs-S6 S = 1 never diverts"};
    Rule drained_last_{"fault: last TB ends in the clock of the W-th sample"}, cancel_last_{"fault: time-out in the sample that resumes"},
        drain_done_starved_{"fault: drained while another one is resumed"}, bound_falling_{"fault: TB bound to an SMX going down"},
        launch_now_{"fault: launch in the clock of the sample"}, woken_for_nothing_{"fault: woken for nothing"},
        level_thrash_{"fault: just resumed and diverted again (level)"}, rearm_rests_{"fault: just resumed and left alone (rearm)"};
};

} // namespace bubble
