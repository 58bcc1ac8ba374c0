//! refgpu-V6: a policy from outside decides which TB goes where.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use gpusched::seam::{Answer, FcfsRr, LaPerm, Policy, View};
use gpusched::{Choice, Completion, Config, Cycle, Decision, Dim3, SmxId, SmxSet, Units};
use gpusched_heap::laperm::tables;

use super::script::{At, Op, config, kernel, script, with_verb};
use super::skip;
use crate::config::GpuConfig;
use crate::front::{Decider, Decides, LaunchVerb, Machine};
use crate::gpu::{Gpu, RunError, RunOptions};
use crate::program::Class;
use crate::stats::RunStats;

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

/// Sends nothing, and asks to be asked again.
#[derive(Debug)]
struct Later;

impl Policy for Later {
    fn choose(&mut self, view: &impl View) -> Answer {
        Answer::Wait(Some(view.now().after(1)))
    }
}

/// Names an SM that there is not.
#[derive(Debug)]
struct Nowhere;

impl Policy for Nowhere {
    fn choose(&mut self, view: &impl View) -> Answer {
        let first = view.offers().next();
        first.map_or(Answer::Wait(None), |offer| Answer::Send(Choice::next_of(offer.id, SmxId(999))))
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

/// The same, but for what LaPerm's own queues say: their words (policy-E2), and where TBs waited.
fn but_for_queues(stats: RunStats) -> RunStats {
    let stats = counts(stats);
    RunStats { laperm: None, front: gpusched::Stats { gated: 0, capped: 0, ..stats.front }, ..stats }
}

/// policy-E1 on a whole machine.
#[test]
fn round_robin_from_outside_is_the_baseline() {
    let options = with_verb(LaunchVerb::Group);
    let change = [("dtbl.agt_size", "8"), ("dtbl.load_mode", "fixed"), ("dtbl.load_cycles", "0")];
    let baseline = run(&config("k20c", &change), options).unwrap();
    let ours = run(&by(&change, Units::Chain, || Box::new(FcfsRr::new(&Config::K20C))), options).unwrap();
    let told = ours.decide.clone().unwrap();
    assert_eq!((told.sent, told.wrong.len(), told.stalled), (ours.sm.tbs, 0, 0));
    assert_eq!(counts(ours), counts(baseline));
}

/// Equalizer closes SMs that have their blocks (gate X).
const BLOCK_CAPS: &[(&str, &str)] =
    &[("equalizer.enabled", "true"), ("equalizer.sample_interval", "32"), ("equalizer.epoch_cycles", "512")];

/// What is to be set of the machine, and what kernels launch.
type Way = (&'static [(&'static str, &'static str)], LaunchVerb);

/// The policy that does on this machine what this configuration has built in.
type Make = fn(&GpuConfig, &Machine) -> Box<dyn Decides>;

/// The only TB of the first kernel waits for what it launches: it is suspended and comes back. Those of the second one launch, too.
fn family(at: At) -> Op {
    match (at.tag, at.step) {
        (0 | 1, 3) => Op::launch(1 << (at.blkid % 5), 1, 10 + at.tag * 1000 + u64::from(at.blkid * 8 + at.warp)),
        (1, 4) => Op::new(Class::Sync, 0, 0),
        (0 | 1, 0..20) | (10.., 0..30) => Op::new(Class::Int, 1, 1),
        _ => Op::exit(),
    }
}

/// policy-E1, policy-E2 on a whole machine: what it decides in a cycle and between cycles, and gates, reach the policy.
#[test]
fn the_front_ends_own_policies_say_the_same_from_outside() {
    let narrow = &[("dtbl.agt_size", "8"), ("laperm.queue_cap", "2"), ("laperm.no_fit", "try_next")];
    let ways: &[Way] = &[(&[], LaunchVerb::DeviceKernel), (narrow, LaunchVerb::Group), (BLOCK_CAPS, LaunchVerb::Group)];
    let laperm = |change: &[(&str, &str)], word| {
        let policy = [("dtbl.policy", "laperm"), ("laperm.policy", word), ("laperm.refill_mode", "fixed")];
        config("k20c", &[change, &policy].concat())
    };
    for (change, launch) in ways {
        let same = |own: &GpuConfig, units, counts: fn(RunStats) -> RunStats, make: Make| {
            let (mut told, part) = (own.clone(), own.clone());
            told.decide_by(Decider::new("ours", units, move |machine| Ok(make(&part, machine))));
            for body in [skip::body as fn(At) -> Op, family] {
                let of = |config: &GpuConfig| {
                    let kernels = [kernel(1, 1, 128, 1), kernel(1, 30, 64, 0)];
                    let gpu = Gpu::new(config, with_verb(*launch)).unwrap();
                    gpu.run(&mut script(&kernels, body), &mut ()).unwrap().stats
                };
                let ours = of(&told);
                assert!(ours.decide.as_ref().is_some_and(|told| told.wrong.is_empty() && told.sent == ours.sm.tbs));
                assert_eq!(counts(ours), counts(of(own)), "{change:?} {launch:?}");
            }
        };
        let fcfs_rr = config("k20c", &[*change, &[("dtbl.load_mode", "fixed")]].concat());
        same(&fcfs_rr, Units::Chain, counts, |_, machine| Box::new(FcfsRr::new(&machine.front)));
        // Where kernels launch kernels, LaPerm orders them in the KMU, which is no policy's of the seam.
        let words: &[&str] = match launch {
            LaunchVerb::DeviceKernel | LaunchVerb::ForgottenKernel => &[],
            LaunchVerb::Group => &["rr", "tb_pri", "smx_bind", "adaptive_bind"],
        };
        for word in words {
            same(&laperm(change, word), Units::Free, but_for_queues, |own, machine| {
                let part = *own.front_end().laperm().expect("that is its policy");
                let tables = tables(&part.machine(&machine.front));
                Box::new(LaPerm::with_tables(&part, &machine.front, tables).unwrap())
            });
        }
    }
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
        // policy-P16: a launch has waited when its first TB is sent, whichever that is.
        assert_eq!(stats.pending.cycles, stats.front.dyn_wait);
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
    let makes: [fn() -> Box<dyn Decides>; 3] = [|| Box::new(Never), || Box::new(Later), || Box::new(Nowhere)];
    for (make, is_wrong) in makes.into_iter().zip([false, false, true]) {
        let config = by(&[("run.hang_cycles", "20000")], Units::Free, make);
        let error = run(&config, with_verb(LaunchVerb::Group)).unwrap_err();
        assert!(error.to_string().contains("the policy ours sends none of the TBs that it could"), "{error}");
        assert_eq!(error.to_string().contains("answers that were refused: BadSmx "), is_wrong, "{error}");
    }
    let guarded = [("told.stall_limit", "50"), ("told.rescue", "rr")];
    let stats = run(&by(&guarded, Units::Free, || Box::new(Never)), with_verb(LaunchVerb::Group)).unwrap();
    let told = stats.decide.unwrap();
    assert_eq!((told.sent, told.rescued), (0, 80 + stats.sm.launches));
    assert!(told.stalled > 0, "{told:?}");
}

/// What TBs of [`families`] have issued, as their programs see it, and where they are.
#[derive(Debug, Default)]
struct Ledger {
    /// By tag and index.
    issued: BTreeMap<(u64, u32), u64>,
    on: BTreeMap<(u64, u32), SmxId>,
}

impl Ledger {
    /// Of all TBs with this tag that were sent to an SM.
    fn of_unit(&self, tag: u64, smx: SmxId) -> u64 {
        let there = self.on.iter().filter(|(tb, on)| tb.0 == tag && **on == smx);
        there.map(|(tb, _)| self.issued.get(tb).unwrap_or(&0)).sum()
    }
}

/// Sends to the lowest two SMs, and compares what it is told at the end of a TB with what programs saw.
#[derive(Debug, Default)]
struct Auditor {
    ledger: Arc<Mutex<Ledger>>,
    /// Tags of units by their numbers, and what a TB's unit had issued when it was sent.
    tags: BTreeMap<u64, u64>,
    before: BTreeMap<(u64, u32), u64>,
    /// Told in sum, and TBs whose unit issued beside them.
    told: Arc<Mutex<(u64, u32)>>,
}

impl Policy for Auditor {
    fn done(&mut self, end: &Completion) {
        let tb = (self.tags[&end.unit], end.blkid);
        let (ledger, mut told) = (self.ledger.lock().unwrap(), self.told.lock().unwrap());
        assert_eq!(end.issued, ledger.issued[&tb], "{end:?}");
        assert_eq!(end.all, ledger.of_unit(tb.0, end.smx) - self.before[&tb], "{end:?}");
        told.0 += end.issued;
        told.1 += u32::from(end.all > end.issued);
    }

    fn choose(&mut self, sight: &impl View) -> Answer {
        let found = sight.offers().find_map(|offer| Some((offer, offer.open.iter().next().filter(|smx| smx.0 < 2)?)));
        let Some((offer, smx)) = found else { return Answer::Wait(None) };
        let (mut ledger, tb) = (self.ledger.lock().unwrap(), (offer.tag, offer.blkid.unwrap()));
        self.tags.insert(offer.key.no, offer.tag);
        self.before.insert(tb, ledger.of_unit(offer.tag, smx));
        ledger.on.insert(tb, smx);
        Answer::Send(Choice::next_of(offer.id, smx))
    }
}

/// Twelve TBs of four warps and of different lengths; each launches a unit of one to three TBs.
fn families(ledger: &Mutex<Ledger>, at: At) -> Op {
    if at.step > 0 {
        *ledger.lock().unwrap().issued.entry((at.tag, at.blkid)).or_default() += 1;
    }
    if at.tag == 0 && at.warp == 0 && at.step == 5 {
        let mut op = Op::launch(1, 1, 100 + u64::from(at.blkid));
        op.launches[0].descriptor.grid = Dim3::linear(1 + at.blkid % 3);
        return op;
    }
    let length = 20 + 17 * at.blkid + at.tag as u32 % 7;
    if at.step < length { Op::new(Class::Int, 1, 1 << (at.step & 1)) } else { Op::exit() }
}

#[test]
fn what_tbs_and_their_units_issue_is_told_at_their_end() {
    for launch in [LaunchVerb::Group, LaunchVerb::DeviceKernel] {
        let auditor = Auditor::default();
        let (ledger, told) = (Arc::clone(&auditor.ledger), Arc::clone(&auditor.told));
        let policy = Mutex::new(Some(auditor));
        let mut config = config("k20c", &[]);
        config.decide_by(Decider::new("auditor", Units::Free, move |_| {
            Ok(Box::new(policy.lock().unwrap().take().unwrap()))
        }));
        let gpu = Gpu::new(&config, with_verb(launch)).unwrap();
        let mut work = script(&[kernel(1, 12, 128, 0)], move |at| families(&ledger, at));
        let stats = gpu.run(&mut work, &mut ()).unwrap().stats;
        let (sum, accompanied) = *told.lock().unwrap();
        assert_eq!(sum, stats.sm.all_instructions(), "{launch:?}");
        assert!(stats.sm.launches == 12 && accompanied > 12, "{accompanied}");
    }
}

/// A TB that waits for its child leaves its SM: it is told of what it issued since it came back.
#[test]
fn a_suspended_tb_is_counted_from_its_return_on() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let mut config = config("k20c", &[]);
    let tells = Arc::clone(&told);
    config.decide_by(Decider::new("listener", Units::Chain, move |machine| {
        Ok(Box::new(Listener { rr: FcfsRr::new(&machine.front), told: Arc::clone(&tells) }))
    }));
    let body = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(1, 1, 7),
        (0, 1) => Op::new(Class::Sync, 0, 0),
        (0, 2..5) | (7, 0..100) => Op::new(Class::Int, 1, 1),
        _ => Op::exit(),
    };
    let gpu = Gpu::new(&config, with_verb(LaunchVerb::DeviceKernel)).unwrap();
    gpu.run(&mut script(&[kernel(1, 1, 32, 0)], body), &mut ()).unwrap();
    assert_eq!(*told.lock().unwrap(), [(101, 101), (4, 4)], "the child, then the rest of the parent");
}

/// [`FcfsRr`] that keeps what it is told.
#[derive(Debug)]
struct Listener {
    rr: FcfsRr,
    told: Arc<Mutex<Vec<(u64, u64)>>>,
}

impl Policy for Listener {
    fn done(&mut self, end: &Completion) {
        self.told.lock().unwrap().push((end.issued, end.all));
    }

    fn choose(&mut self, sight: &impl View) -> Answer {
        Policy::choose(&mut self.rr, sight)
    }
}

/// What is decided between cycles: how often gates were set, and kernels that have ended.
type Between = Arc<Mutex<(u64, u64)>>;

/// [`FcfsRr`] that counts it.
#[derive(Debug)]
struct Counting(FcfsRr, Between);

impl Policy for Counting {
    fn saw(&mut self, _: Cycle, decision: &Decision) {
        self.1.lock().unwrap().1 += u64::from(matches!(decision, Decision::KernelDone { .. }));
    }

    fn regated(&mut self) {
        self.1.lock().unwrap().0 += 1;
    }

    fn choose(&mut self, sight: &impl View) -> Answer {
        Policy::choose(&mut self.0, sight)
    }
}

#[test]
fn a_policy_is_told_what_is_decided_between_cycles() {
    let told = |change: &[(&str, &str)]| {
        let (between, mut config) = (Between::default(), config("k20c", change));
        let tells = Arc::clone(&between);
        config.decide_by(Decider::new("counting", Units::Chain, move |machine| {
            Ok(Box::new(Counting(FcfsRr::new(&machine.front), Arc::clone(&tells))))
        }));
        let stats = run(&config, with_verb(LaunchVerb::DeviceKernel)).unwrap();
        let (gates, kernels) = *between.lock().unwrap();
        assert_eq!(kernels, 2 + stats.sm.launches);
        gates
    };
    assert_eq!(told(&[]), 0);
    assert!(told(BLOCK_CAPS) > 0);
}

#[test]
fn a_policy_that_refuses_a_machine_says_why() {
    let mut config = config("k20c", &[]);
    config.decide_by(Decider::new("picky", Units::Free, |machine| {
        Err(format!("{} SMs are too many", machine.tpc.len()))
    }));
    let error = Gpu::new(&config, RunOptions::default());
    assert_eq!(error.err().map(|e| e.to_string()).as_deref(), Some("picky: 13 SMs are too many"));
}
