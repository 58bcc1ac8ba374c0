//! refgpu-V6: a policy from outside decides which TB goes where.

use gpusched::seam::{Answer, Policy, View};
use gpusched::{Choice, Completion, Cycle, SmxId, SmxSet, Units};

use super::script::{config, kernel, script, with_verb};
use super::skip;
use crate::config::GpuConfig;
use crate::front::{Decider, Decides, LaunchVerb};
use crate::gpu::{Gpu, RunError, RunOptions};
use crate::stats::RunStats;

/// The front end's own baseline: first come, first served, round robin.
#[derive(Debug, Default)]
struct RoundRobin {
    rr: SmxId,
    ended: u64,
}

impl Policy for RoundRobin {
    fn done(&mut self, _: &Completion) {
        self.ended += 1;
    }

    fn choose(&mut self, sight: &impl View) -> Answer {
        // Without gates a head leaves nothing to those behind it.
        let Some(offer) = sight.offers().next() else { return Answer::Wait(None) };
        let Some(smx) = offer.open.iter_from(self.rr).next() else { return Answer::Wait(None) };
        self.rr = SmxId((smx.0 + 1) % 13);
        Answer::Send(Choice::next_of(offer.id, smx))
    }
}

/// Fills one SM after the other, and only in every `pause`th cycle.
#[derive(Debug)]
struct Pausing(u64);

impl Policy for Pausing {
    fn choose(&mut self, sight: &impl View) -> Answer {
        let next = sight.now().0.next_multiple_of(self.0);
        if next != sight.now().0 {
            return Answer::Wait(Some(Cycle(next)));
        }
        let fits = sight.offers().find_map(|offer| Some(Choice::next_of(offer.id, offer.open.iter().next()?)));
        fits.map_or(Answer::Wait(None), Answer::Send)
    }
}

/// Answers what it must not.
#[derive(Debug)]
struct Wrong;

impl Policy for Wrong {
    fn choose(&mut self, sight: &impl View) -> Answer {
        let Some(offer) = sight.offers().next() else { return Answer::Wait(None) };
        let all = SmxSet::first(13);
        match (sight.now().0 % 3, all.without(&offer.open).iter().next()) {
            (0, _) => Answer::Send(Choice::next_of(offer.id, SmxId(99))),
            (1, Some(closed)) => Answer::Send(Choice::next_of(offer.id, closed)),
            _ => Answer::Send(Choice::next_of(offer.id, offer.open.iter().next().unwrap_or_default())),
        }
    }
}

/// Sends nothing, ever.
#[derive(Debug)]
struct Never;

impl Policy for Never {
    fn choose(&mut self, _: &impl View) -> Answer {
        Answer::Wait(None)
    }
}

/// Of each unit the last TB first.
#[derive(Debug)]
struct Backwards;

impl Policy for Backwards {
    fn choose(&mut self, sight: &impl View) -> Answer {
        let Some(first) = sight.offers().next() else { return Answer::Wait(None) };
        let Some(smx) = first.open.iter().next() else { return Answer::Wait(None) };
        let last = sight.offers().take_while(|piece| piece.row == first.row).last().unwrap_or(first);
        let blkid = last.blkid.map(|next| next + last.left - 1);
        Answer::Send(Choice { id: last.id, smx, blkid })
    }
}

fn by(change: &[(&str, &str)], units: Units, make: fn() -> Box<dyn Decides>) -> GpuConfig {
    let mut config = config("k20c", change);
    config.decide_by(Decider::new("ours", units, move |_| Ok(make())));
    config
}

fn run(config: &GpuConfig, options: RunOptions) -> Result<RunStats, RunError> {
    let kernels = [kernel(1, 60, 128, 0), kernel(1, 20, 64, 0)];
    let gpu = Gpu::new(config, options).unwrap();
    Ok(gpu.run(&mut script(&kernels, skip::body), &mut ())?.stats)
}

/// What a run counted, but for what is told of the policy.
fn counts(stats: RunStats) -> RunStats {
    let front = gpusched::Stats { told: 0, stalled: 0, rescued: 0, ..stats.front };
    RunStats { decide: None, front, ..stats }
}

/// policy-E1 on a whole machine.
#[test]
fn round_robin_from_outside_is_the_baseline() {
    let options = with_verb(LaunchVerb::Group);
    let change = [("dtbl.agt_size", "8"), ("dtbl.load_mode", "fixed"), ("dtbl.load_cycles", "0")];
    let baseline = run(&config("k20c", &change), options).unwrap();
    let ours = run(&by(&change, Units::Chain, || Box::<RoundRobin>::default()), options).unwrap();
    let told = ours.decide.clone().unwrap();
    assert_eq!((told.sent, told.wrong.len(), told.stalled), (ours.sm.tbs, 0, 0));
    assert_eq!(counts(ours), counts(baseline));
}

/// policy-E4 on a whole machine.
#[test]
fn waiting_policies_are_skipped_exactly() {
    let pausing = |units| by(&[], units, || Box::new(Pausing(7)));
    let eager = by(&[], Units::Chain, || Box::new(Pausing(1)));
    let ways = [
        (eager, LaunchVerb::Group),
        (pausing(Units::Chain), LaunchVerb::DeviceKernel),
        (pausing(Units::Free), LaunchVerb::Group),
    ];
    for (config, launch) in ways {
        let options = with_verb(launch);
        let skipped = run(&config, options).unwrap();
        assert_eq!(skipped, run(&config, RunOptions { step: true, ..options }).unwrap(), "{launch:?}");
        assert_eq!(skipped.sm.tbs, 80 + skipped.sm.launches);
    }
}

#[test]
fn wrong_answers_are_counted_by_name_and_nothing_is_lost() {
    let stats = run(&by(&[], Units::Free, || Box::new(Wrong)), with_verb(LaunchVerb::Group)).unwrap();
    let told = stats.decide.unwrap();
    assert!(told.wrong["BadSmx"] > 0 && told.wrong["ClosedR"] > 0, "{told:?}");
    assert_eq!((told.sent, stats.sm.tbs), (stats.sm.tbs, 80 + stats.sm.launches));
}

/// policy-P15 on a whole machine: one row for pieces is enough for who takes the last TB each time.
#[test]
fn units_are_sent_from_their_end_if_there_are_rows_for_pieces() {
    let backwards = |change: &[(&str, &str)]| {
        let mut config = config("k20c", change);
        config.decide_by(Decider::new("backwards", Units::Free, |_| Ok(Box::new(Backwards))).splitting());
        run(&config, with_verb(LaunchVerb::Group)).unwrap()
    };
    for change in [&[][..], &[("told.split_cap", "1")]] {
        let stats = backwards(change);
        let told = stats.decide.unwrap();
        assert!(told.wrong.is_empty(), "{told:?}");
        assert_eq!((told.sent, stats.sm.tbs), (stats.sm.tbs, 80 + stats.sm.launches));
    }
    // Who has not said that it splits has no rows, and is told so.
    let (rescue, limit) = (("told.rescue", "rr"), ("told.stall_limit", "5"));
    let stats = run(&by(&[limit, rescue], Units::Free, || Box::new(Backwards)), with_verb(LaunchVerb::Group)).unwrap();
    let told = stats.decide.unwrap();
    assert!(told.wrong["SplitFull"] > 0 && told.rescued > 0, "{told:?}");
    assert_eq!(stats.sm.tbs, 80 + stats.sm.launches);
}

#[test]
fn who_never_sends_is_named_or_rescued() {
    let error = run(&by(&[], Units::Free, || Box::new(Never)), with_verb(LaunchVerb::Group)).unwrap_err();
    assert!(error.to_string().contains("the policy ours sends none of the TBs that it could"), "{error}");
    let guarded = [("told.stall_limit", "50"), ("told.rescue", "rr")];
    let stats = run(&by(&guarded, Units::Free, || Box::new(Never)), with_verb(LaunchVerb::Group)).unwrap();
    let told = stats.decide.unwrap();
    assert_eq!((told.sent, told.rescued), (0, 80 + stats.sm.launches));
    assert!(told.stalled > 0, "{told:?}");
}

#[test]
fn a_policy_that_refuses_a_machine_says_why() {
    let mut config = config("k20c", &[]);
    config.decide_by(Decider::new("picky", Units::Free, |machine| {
        Err(format!("{} SMs are too many", machine.tpc.len()))
    }));
    let error =
        Gpu::<crate::script::Script<fn(super::script::At) -> super::script::Op>>::new(&config, RunOptions::default());
    assert_eq!(error.err().map(|e| e.to_string()).as_deref(), Some("picky: 13 SMs are too many"));
}
