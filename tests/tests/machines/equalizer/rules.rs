//! Rules and hazards that the golden vectors leave open, one by one.

use gpusched::equalizer::{
    Action, Average, Class, Counts, EpochEnd, Fm, FmConfig, FmState, HystMode, Idle, Objective, Outcome, Pick, Sm,
    SmConfig, Step, VfMap, Warp, XmemRule,
};
use gpusched::{Cycle, Fault, SlotId, SmxId};
use gpusched_tests::equalizer::Machine;

/// An epoch is one sample of a cycle, and decisions act at once.
const FAST: SmConfig = SmConfig { sample_interval: 1, epoch_cycles: 1, hysteresis: 1, ..SmConfig::GTX480 };

fn counts(active: u32, waiting: u32, xalu: u32, xmem: u32) -> Counts {
    Counts { active, waiting, xalu, xmem }
}

/// A machine with a kernel and all its blocks, numbered by slot.
fn with_kernel(config: &SmConfig, w_cta: u32, limit: u32) -> Sm {
    let mut sm = Sm::new(config).unwrap();
    sm.kernel_start(Cycle(0), w_cta, limit, false).unwrap();
    for block in 0..u64::from(limit) {
        sm.grant(Cycle(0), block).unwrap();
    }
    sm
}

/// The next sample, which ends an epoch.
fn epoch(sm: &mut Sm, counts: Counts) -> EpochEnd {
    sm.sample(sm.next_sample(), &counts).unwrap().expect("every sample ends an epoch")
}

/// More than the warps of a block wait for memory.
fn shrink(sm: &mut Sm) -> EpochEnd {
    let excess = sm.state().w_cta + 1;
    epoch(sm, counts(48, 0, 0, excess))
}

/// Most warps wait for operands.
fn grow(sm: &mut Sm) -> EpochEnd {
    epoch(sm, counts(48, 40, 0, 0))
}

fn slots(list: &[SlotId]) -> Vec<u8> {
    list.iter().map(|slot| slot.0).collect()
}

// ---- C

/// equalizer-C5, equalizer-C8: what the parameters say about barriers and about memory warps that merely lost the issue slot.
#[test]
fn classes_follow_the_parameters() {
    let ready = Warp { resident: true, valid: true, ready: true, accept: true, mem: true, ..Warp::default() };
    let any = SmConfig { xmem_rule: XmemRule::Any, ..FAST };
    assert_eq!(FAST.classify(&ready).of, Class::Other);
    assert_eq!(any.classify(&ready).of, Class::Xmem);
    let barrier = Warp { sync: true, ..ready };
    let inactive = SmConfig { sync_active: false, ..any };
    assert_eq!((any.classify(&barrier).of, any.classify(&barrier).active), (Class::Other, true));
    assert_eq!((inactive.classify(&barrier).of, inactive.classify(&barrier).active), (Class::Other, false));
    // A sample counts what is active, and the three classes.
    let mut sum = Counts::default();
    let waiting = Warp { ready: false, ..ready };
    let alu = Warp { mem: false, ..ready };
    let issued = Warp { issued: true, ..ready };
    let paused = Warp { paused: true, ..ready };
    for warp in [ready, waiting, alu, issued, barrier, paused, Warp::default()] {
        sum.count(&any.classify(&warp));
    }
    assert_eq!(sum, counts(5, 1, 1, 1));
}

// ---- S

/// equalizer-S1, equalizer-S2: samples are due at multiples of the interval only, never at 0, and idle SMs are sampled, too.
#[test]
fn samples_are_at_multiples_of_the_interval() {
    let config = SmConfig { sample_interval: 4, epoch_cycles: 12, ..SmConfig::GTX480 };
    let mut sm = Sm::new(&config).unwrap();
    assert_eq!(sm.sample(Cycle(0), &Counts::default()), Err(Fault::NotDue));
    for at in [4, 8, 12, 16, 20, 24] {
        assert_eq!(sm.next_sample(), Cycle(at));
        assert_eq!(sm.sample(Cycle(at - 1), &Counts::default()), Err(Fault::NotDue));
        let end = sm.sample(Cycle(at), &Counts::default()).unwrap();
        // equalizer-D5: an idle SM votes as for computing.
        assert_eq!(end.map(|end| end.action), (at % 12 == 0).then_some(Action::Comp));
        assert_eq!(sm.sample(Cycle(at), &Counts::default()), Err(Fault::NotDue), "once");
    }
}

/// equalizer-S3: a kernel that starts in an epoch has the mean of its own samples.
#[test]
fn a_late_kernel_has_fewer_samples() {
    let config = SmConfig { sample_interval: 4, epoch_cycles: 12, hysteresis: 1, ..SmConfig::GTX480 };
    let mut sm = Sm::new(&config).unwrap();
    sm.sample(Cycle(4), &Counts::default()).unwrap();
    sm.kernel_start(Cycle(5), 8, 2, false).unwrap();
    assert_eq!(sm.state().samples, 0);
    sm.sample(Cycle(8), &counts(16, 0, 0, 9)).unwrap();
    let end = sm.sample(Cycle(12), &counts(16, 0, 0, 8)).unwrap().unwrap();
    // 17 is above 8 x 2, and not above 8 x 3.
    assert_eq!(end.delta, Step::Down);
}

/// equalizer-S4: a missed sample stops everything but `resync`, which gives up the epoch and nothing else.
#[test]
fn a_missed_sample_is_noticed_and_overcome() {
    let config = SmConfig { sample_interval: 4, epoch_cycles: 8, hysteresis: 3, watchdog: 5, ..SmConfig::GTX480 };
    let mut sm = with_kernel(&config, 8, 4);
    for at in [4, 8, 12] {
        sm.sample(Cycle(at), &counts(32, 0, 0, 9)).unwrap();
    }
    assert_eq!((sm.state().run, sm.state().samples), (1, 1));
    assert_eq!(sm.block_end(Cycle(17), SlotId(0)), Err(Fault::SampleMissed));
    assert_eq!(sm.sample(Cycle(20), &Counts::default()), Err(Fault::SampleMissed));
    let before = sm.view();
    assert_eq!(sm.resync(Cycle(17)), Ok(Cycle(20)));
    let mut after = before.clone();
    after.next_sample = Cycle(20);
    (after.state.samples, after.state.sums) = (0, Counts::default());
    (after.state.run, after.state.dir, after.state.watchdog_epochs) = (0, Step::Hold, 0);
    assert_eq!(sm.view(), after);
    // The epoch ends where all others do.
    assert!(sm.sample(Cycle(20), &counts(32, 0, 0, 9)).unwrap().is_none());
    assert!(sm.sample(Cycle(24), &counts(32, 0, 0, 9)).unwrap().is_some());
    // At a point that is due the sample is given up.
    assert_eq!(sm.resync(Cycle(28)), Ok(Cycle(32)));
}

// ---- D

/// equalizer-A3: means as they are, and truncated; equalizer-D4's half is exact in both.
#[test]
fn means_are_exact_or_truncated() {
    let floor = SmConfig { average: Average::Floor, ..FAST };
    let of = |config: &SmConfig, sums| {
        let decision = config.decide(&sums, 4, 2).unwrap();
        (decision.delta, decision.action)
    };
    // 9/4 is above 2, and truncates to 2.
    let sums = counts(40, 0, 0, 9);
    assert_eq!(of(&FAST, sums), (Step::Down, Action::Mem));
    assert_eq!(of(&floor, sums), (Step::Hold, Action::None));
    // 21/40 wait: above half; 5 of 10 are not.
    let sums = counts(40, 21, 0, 0);
    assert_eq!(of(&FAST, sums), (Step::Up, Action::Mem));
    assert_eq!(of(&floor, sums), (Step::Hold, Action::None));
    assert_eq!(FAST.decide(&sums, 0, 2), Err(Fault::BadSample));
    // The largest numbers that can be written.
    let most = counts(u32::MAX, u32::MAX, u32::MAX, u32::MAX);
    assert_eq!(FAST.decide(&most, u32::MAX, u32::MAX).unwrap().delta, Step::Up);
    assert_eq!(FAST.decide(&most, 1, 1).unwrap().delta, Step::Down);
}

/// equalizer-A5: the map of votes is a parameter, and an objective acts at the next decision.
#[test]
fn votes_follow_map_and_objective() {
    let printed = SmConfig { vf_map: VfMap::PRINTED, objective: Objective::Energy, ..FAST };
    let mut sm = with_kernel(&printed, 8, 6);
    let votes = |end: EpochEnd| [end.sm_vote, end.mem_vote];
    assert_eq!(votes(epoch(&mut sm, counts(48, 0, 0, 3))), [Step::Down; 2]);
    sm.set_objective(sm.now(), Objective::Performance).unwrap();
    assert_eq!(sm.state().objective, Objective::Performance);
    assert_eq!(votes(epoch(&mut sm, counts(48, 0, 0, 3))), [Step::Hold, Step::Up]);
    assert_eq!(votes(epoch(&mut sm, counts(48, 0, 0, 0))), [Step::Hold; 2]);
}

// ---- H

/// equalizer-H1: the target stays within `min_blocks` and `limit`, which a kernel with fewer blocks lowers.
#[test]
fn the_target_keeps_its_bounds() {
    let config = SmConfig { min_blocks: 3, ..FAST };
    for (limit, least) in [(4, 3), (3, 3), (2, 2)] {
        let mut sm = with_kernel(&config, 8, limit);
        for _ in 0..4 {
            shrink(&mut sm);
        }
        assert_eq!(sm.state().target, least);
        for _ in 0..4 {
            grow(&mut sm);
        }
        assert_eq!(sm.state().target, limit);
    }
    // `keep` brings a target into the new bounds.
    for (before, limit, target) in [(1, 5, 2), (2, 1, 1), (4, 6, 4), (6, 5, 5)] {
        let mut sm = Sm::new(&SmConfig { min_blocks: 1, ..FAST }).unwrap();
        sm.kernel_start(Cycle(0), 1, before, false).unwrap();
        for _ in 0..before {
            sm.deny(Cycle(0)).unwrap();
        }
        let mut other = Sm::new(&SmConfig { min_blocks: 2, ..FAST }).unwrap();
        other.kernel_start(Cycle(0), 1, before, true).unwrap();
        for _ in 0..before {
            other.deny(Cycle(0)).unwrap();
        }
        assert_eq!(other.kernel_start(Cycle(0), 1, limit, true).unwrap().target, target);
        assert_eq!(sm.kernel_start(Cycle(0), 1, limit, false).unwrap().target, limit);
    }
}

/// equalizer-H2, equalizer-HZ4: a decision that clamping turns into "as now" breaks the run.
#[test]
fn a_clamped_decision_breaks_the_run() {
    let config = SmConfig { hysteresis: 2, hyst_mode: HystMode::Any, ..FAST };
    let mut sm = with_kernel(&config, 16, 1);
    shrink(&mut sm);
    assert_eq!((sm.state().target, sm.state().run, sm.state().dir), (1, 0, Step::Hold));
    let mut sm = with_kernel(&config, 16, 2);
    shrink(&mut sm);
    assert_eq!(sm.state().run, 1);
    // At the limit there is nothing to grow.
    grow(&mut sm);
    assert_eq!((sm.state().run, sm.state().dir), (0, Step::Hold));
}

/// equalizer-H3: another direction starts a new run, or goes on with the old one.
#[test]
fn runs_are_of_one_direction_or_of_any() {
    for (hyst_mode, run, target) in [(HystMode::Same, 1, 4), (HystMode::Any, 0, 5)] {
        let config = SmConfig { hysteresis: 2, hyst_mode, ..FAST };
        let mut sm = with_kernel(&config, 8, 5);
        shrink(&mut sm);
        assert_eq!(shrink(&mut sm).changed, Step::Down);
        assert_eq!(sm.state().target, 4);
        shrink(&mut sm);
        let end = grow(&mut sm);
        assert_eq!((sm.state().run, sm.state().target, end.changed != Step::Hold), (run, target, run == 0));
    }
}

/// equalizer-H5: an end of a block, and an epoch without paused blocks, start the count again; at the limit nobody is woken.
#[test]
fn the_watchdog_counts_epochs_without_an_end() {
    let config = SmConfig { watchdog: 2, ..FAST };
    let neutral = counts(48, 0, 0, 0);
    let mut sm = with_kernel(&config, 8, 5);
    shrink(&mut sm);
    shrink(&mut sm);
    assert_eq!((sm.state().target, sm.state().paused, sm.state().watchdog_epochs), (3, 2, 1));
    sm.block_end(sm.now(), SlotId(0)).unwrap();
    assert!(!epoch(&mut sm, neutral).watchdog);
    assert_eq!((sm.state().paused, sm.state().watchdog_epochs), (1, 0));
    assert!(!epoch(&mut sm, neutral).watchdog);
    let end = epoch(&mut sm, neutral);
    assert_eq!((end.watchdog, end.changed, end.target, sm.state().watchdog_epochs), (true, Step::Hold, 4, 0));
    assert_eq!(slots(&end.change.unpause), [4]);
    // Nobody is paused any more.
    for _ in 0..4 {
        assert!(!epoch(&mut sm, neutral).watchdog);
    }
    // Hysteresis and watchdog in one epoch: two steps.
    let mut sm = with_kernel(&config, 8, 5);
    for _ in 0..3 {
        shrink(&mut sm);
    }
    assert_eq!((sm.state().target, sm.state().watchdog_epochs), (3, 0), "the third was one down and one up");
    let mut sm = with_kernel(&config, 8, 5);
    shrink(&mut sm);
    shrink(&mut sm);
    let end = grow(&mut sm);
    assert_eq!((end.changed, end.watchdog, end.target), (Step::Up, true, 5));
    assert_eq!(slots(&end.change.unpause), [3, 4]);
}

// ---- B

/// equalizer-B1, equalizer-B2, equalizer-A7: which block is paused and which woken.
#[test]
fn blocks_are_picked_by_age() {
    use Pick::{Oldest, Youngest};
    for (pause_pick, unpause_pick, paused, woken) in [
        (Youngest, Oldest, [0, 3], [3, 0]),
        (Youngest, Youngest, [0, 3], [0, 3]),
        (Oldest, Oldest, [1, 2], [1, 2]),
        (Oldest, Youngest, [1, 2], [2, 1]),
    ] {
        let mut sm = with_kernel(&SmConfig { pause_pick, unpause_pick, ..FAST }, 8, 4);
        // Slot 0 is taken anew: its block is the youngest now, that of slot 1 the oldest.
        sm.block_end(Cycle(0), SlotId(0)).unwrap();
        assert_eq!(sm.grant(Cycle(0), 9).unwrap().slot, SlotId(0));
        for slot in paused {
            assert_eq!(slots(&shrink(&mut sm).change.pause), [slot]);
        }
        for slot in woken {
            assert_eq!(slots(&grow(&mut sm).change.unpause), [slot]);
        }
    }
}

/// equalizer-B5: the block enters the lowest empty slot, and is paused at once if the target fell meanwhile (equalizer-HZ7).
#[test]
fn a_surplus_block_arrives_paused() {
    let mut sm = with_kernel(&FAST, 16, 3);
    sm.block_end(Cycle(0), SlotId(1)).unwrap();
    assert_eq!(sm.state().outstanding, 1);
    assert!(shrink(&mut sm).change.pause.is_empty(), "what is missing is what is given up");
    let granted = sm.grant(sm.now(), 7).unwrap();
    assert_eq!((granted.slot, slots(&granted.change.pause)), (SlotId(1), vec![1]));
    assert!(sm.block(SlotId(1)).unwrap().paused);
}

/// equalizer-HZ5, equalizer-HZ6: paused blocks count for the limit; one that ends frees its slot and wakes nobody.
#[test]
fn paused_blocks_hold_their_resources() {
    let mut sm = with_kernel(&FAST, 16, 3);
    shrink(&mut sm);
    shrink(&mut sm);
    assert_eq!((sm.state().running, sm.state().paused), (1, 2));
    let ended = sm.block_end(sm.now(), SlotId(2)).unwrap();
    assert_eq!((ended.block, ended.change.unpause.len(), ended.change.requests), (2, 0, 0));
    // Growth wakes before it asks.
    let end = grow(&mut sm);
    assert_eq!((slots(&end.change.unpause), end.change.requests), (vec![1], 0));
    let end = grow(&mut sm);
    assert_eq!((slots(&end.change.unpause), end.change.requests), (vec![], 1));
}

/// equalizer-HZ9: in the tail of a grid shrinking eats the empty part of the target first.
#[test]
fn the_tail_of_a_grid_is_not_paused() {
    let mut sm = with_kernel(&FAST, 8, 4);
    sm.block_end(Cycle(0), SlotId(3)).unwrap();
    sm.deny(Cycle(0)).unwrap();
    assert!(sm.state().drained);
    assert!(shrink(&mut sm).change.pause.is_empty());
    assert_eq!(slots(&shrink(&mut sm).change.pause), [2]);
    // Dry: no request, however much may run.
    for _ in 0..3 {
        assert_eq!(grow(&mut sm).change.requests, 0);
    }
    assert_eq!(sm.refill(sm.now()).unwrap().requests, 1);
}

/// equalizer-HZ1: blocks of one warp swing between two counts for ever, one change per `hysteresis` epochs.
#[test]
fn without_a_dead_band_the_count_swings() {
    let config = SmConfig { hysteresis: 3, ..FAST };
    let mut sm = with_kernel(&config, 1, 8);
    let mut targets = Vec::new();
    for _ in 0..24 {
        // Two warps too many at 8 blocks; one at 7, and most others wait.
        let excess = if sm.state().running == 8 { 2 } else { 1 };
        let now = counts(sm.state().running, sm.state().running - 2, 0, excess);
        epoch(&mut sm, now);
        targets.push(sm.state().target);
    }
    assert_eq!(targets.iter().filter(|&&target| target == 7).count(), 12, "{targets:?}");
}

/// equalizer-HZ10: with all warps at barriers the SM looks idle, and votes for computing.
#[test]
fn barriers_may_look_idle() {
    let mut sm = with_kernel(&FAST, 8, 2);
    assert_eq!(epoch(&mut sm, Counts::default()).action, Action::Comp);
}

// ---- F

fn fm(config: FmConfig) -> Fm {
    Fm::new(&config).unwrap()
}

/// One round of the only SM.
fn round(fm: &mut Fm, now: u64, (sm_vote, mem_vote): (i32, i32)) -> [Outcome; 2] {
    let round = fm.vote(Cycle(now), SmxId(0), sm_vote, mem_vote).unwrap().expect("the only SM");
    [round.sm.outcome, round.mem.outcome]
}

/// equalizer-F1, equalizer-F5: the old level holds up to the last cycle of a step; a decision meanwhile is dropped (equalizer-HZ11).
#[test]
fn a_step_takes_its_time() {
    let mut fm = fm(FmConfig { sms: 1, sm_transition: 10, mem_transition: 20, ..FmConfig::GTX480 });
    assert_eq!(round(&mut fm, 5, (1, -1)), [Outcome::Start; 2]);
    assert_eq!(fm.next_event(), Some(Cycle(15)));
    assert_eq!(fm.levels(Cycle(14)).map(|levels| levels.sm), Ok(Step::Hold));
    assert_eq!(round(&mut fm, 14, (-1, -1)), [Outcome::Busy; 2]);
    assert_eq!(round(&mut fm, 15, (1, -1)), [Outcome::Limit, Outcome::Busy]);
    let FmState { sm, mem, .. } = fm.state();
    assert_eq!((sm.level, mem.level, mem.target), (Step::Up, Step::Hold, Step::Down));
    let levels = fm.levels(Cycle(25)).unwrap();
    assert_eq!((levels.sm_permille, levels.mem_permille, levels.next), (1150, 850, None));
}

/// equalizer-F3, equalizer-HZ12: an SM that does not vote keeps a round open, which can be closed, or the SM taken out.
#[test]
fn a_silent_sm_keeps_the_round_open() {
    let mut fm = fm(FmConfig { sms: 3, ..FmConfig::GTX480 });
    for sm in [0, 1] {
        assert_eq!(fm.vote(Cycle(1), SmxId(sm), 1, 0), Ok(None));
    }
    assert_eq!(fm.enable(Cycle(1), SmxId(2), false), Err(Fault::RoundOpen));
    let round = fm.close(Cycle(2)).unwrap();
    assert_eq!((round.sm.up, round.sm.hold, round.sm.decision), (2, 1, Step::Up));
    assert!(fm.state().voted.is_empty());
    fm.enable(Cycle(3), SmxId(2), false).unwrap();
    assert_eq!(fm.vote(Cycle(3), SmxId(0), 0, 0), Ok(None));
    assert!(fm.vote(Cycle(3), SmxId(1), 0, 0).unwrap().is_some());
    // It comes back.
    fm.enable(Cycle(4), SmxId(2), true).unwrap();
    assert_eq!(fm.state().enabled.len(), 3);
}

/// equalizer-F4, equalizer-HZ3: exactly half is no majority; SMs that hold count.
#[test]
fn half_is_no_majority() {
    for (sms, up, decision) in [(4, 2, Step::Hold), (4, 3, Step::Up), (256, 128, Step::Hold), (256, 129, Step::Up)] {
        let mut fm = fm(FmConfig { sms, ..FmConfig::GTX480 });
        let mut last = None;
        for sm in 0..sms as u16 {
            last = fm.vote(Cycle(1), SmxId(sm), i32::from(u32::from(sm) < up), 0).unwrap();
        }
        assert_eq!(last.unwrap().sm.decision, decision, "{up} of {sms}");
    }
}

/// equalizer-F6, equalizer-HZ2: without a majority a boosted domain stays, or goes back to normal and no further, from both sides.
#[test]
fn an_idle_domain_stays_or_relaxes() {
    for idle in [Idle::Hold, Idle::Relax] {
        let mut fm = fm(FmConfig { sms: 1, sm_transition: 0, mem_transition: 0, idle, ..FmConfig::GTX480 });
        assert_eq!(round(&mut fm, 1, (1, -1)), [Outcome::Done; 2]);
        let expected = if idle == Idle::Hold { Outcome::None } else { Outcome::Done };
        assert_eq!(round(&mut fm, 2, (0, 0)), [expected; 2]);
        assert_eq!(round(&mut fm, 3, (0, 0)), [Outcome::None; 2]);
        let levels = [fm.state().sm.level, fm.state().mem.level];
        assert_eq!(levels, if idle == Idle::Hold { [Step::Up, Step::Down] } else { [Step::Hold; 2] });
    }
}

/// equalizer-I7: with one objective and the default map no domain sees votes in both directions.
#[test]
fn one_objective_asks_for_one_direction() {
    for (objective, never) in [(Objective::Energy, Step::Up), (Objective::Performance, Step::Down)] {
        let mut sm = with_kernel(&SmConfig { objective, ..FAST }, 2, 8);
        for active in 0..=4 {
            for (waiting, xalu) in (0..=active).flat_map(|w| (0..=active - w).map(move |c| (w, c))) {
                for xmem in 0..=active - waiting - xalu {
                    let end = epoch(&mut sm, counts(active, waiting, xalu, xmem));
                    let (sm, mem) = (end.sm_vote, end.mem_vote);
                    assert!(sm != never && mem != never && (sm == Step::Hold || mem == Step::Hold));
                }
            }
        }
    }
}
