//! Rules and hazards of the sheet that no vector shows, each by its name there.

use gpusched::power::{
    BubbleConfig, BubbleDvfs, GpuDone, GpuLevel, GpuStart, PState, Resume, Retrigger, Sample, Waiting,
};
use gpusched::{Cycle, Fault, Resources, SmxId, SmxSet};
use gpusched_tests::bubble::{HeapTables, machine};
use proptest::prelude::*;

use crate::bubble::script::{Host, Shape, configs, script};
use crate::every::runs;
use gpusched_tests::bubble::{Answer, Machine};

type Gpu = BubbleDvfs<HeapTables>;

const CONFIG: BubbleConfig = BubbleConfig { smxs: 3, sample_cycles: 10, ..BubbleConfig::K20C };
/// 8 warps of 64: no bubble.
const WORK: Resources = Resources { threads: 256, regs: 0, smem: 0, slots: 1 };
/// One warp: a bubble.
const CRUMB: Resources = Resources { threads: 32, regs: 0, smem: 0, slots: 1 };
/// Everything that an SMX has.
const ALL: Resources = Resources { threads: 2048, regs: 65536, smem: 49152, slots: 16 };

fn set(smxs: &[u16]) -> SmxSet {
    let mut set = SmxSet::EMPTY;
    smxs.iter().for_each(|&s| set.set(SmxId(s), true));
    set
}

fn waits(res: Resources) -> Option<Waiting> {
    Some(Waiting { res, allowed: None })
}

/// A machine on which each SMX holds one TB, and its clock.
struct Run {
    gpu: Gpu,
    next: u64,
}

impl Run {
    fn new(config: &BubbleConfig, tbs: &[Option<Resources>]) -> Self {
        let mut gpu = machine(config).unwrap();
        for (s, res) in (0..).zip(tbs) {
            if let Some(res) = res {
                gpu.dispatched(Cycle(0), SmxId(s), res).unwrap();
            }
        }
        Self { gpu, next: 0 }
    }

    fn sample(&mut self, waiting: Option<Waiting>) -> Sample {
        let sample = self.gpu.sample(Cycle(self.next), waiting.as_ref(), None).unwrap();
        self.next += u64::from(self.gpu.controller().config().sample_cycles);
        sample
    }

    fn samples(&mut self, n: u32) {
        for _ in 0..n {
            self.sample(None);
        }
    }

    fn start(&mut self, s: u16, res: Resources) {
        self.gpu.dispatched(self.gpu.controller().now(), SmxId(s), &res).unwrap();
    }

    fn end(&mut self, s: u16, res: Resources) {
        self.gpu.completed(self.gpu.controller().now(), SmxId(s), &res).unwrap();
    }
}

/// Drain time-out in the sample that would resume the SMX: bubble_dvfs-S5 goes first.
#[test]
fn a_cancelled_drain_does_not_time_out() {
    let config = BubbleConfig { drain_samples: 1, smxs: 2, ..CONFIG };
    let mut run = Run::new(&config, &[Some(CRUMB), Some(WORK)]);
    assert_eq!(run.sample(None).divert, set(&[0]));
    run.start(1, Resources { threads: 1792, slots: 15, ..ALL });
    let sample = run.sample(waits(WORK));
    assert_eq!((sample.resume, sample.drain_abort), (Some(Resume::cancel(SmxId(0))), SmxSet::EMPTY));
    assert!(sample.starved && sample.eligible.contains(SmxId(0)));
}

/// Drain done while starved, another SMX being resumed: it goes down all the same, and is resumed later.
#[test]
fn a_drained_smx_goes_down_while_another_one_is_resumed() {
    let config = BubbleConfig { resume_draining: false, ..CONFIG };
    let mut run = Run::new(&config, &[None, Some(CRUMB), Some(WORK)]);
    assert_eq!(run.sample(None).divert, set(&[0, 1]));
    run.end(1, CRUMB);
    run.start(2, Resources { threads: 1792, slots: 15, ..ALL });
    let sample = run.sample(waits(WORK));
    assert_eq!((sample.low_done, sample.resume), (set(&[0]), Some(Resume::up(SmxId(0)))));
    assert_eq!((sample.drain_done, sample.down), (set(&[1]), set(&[1])));
    run.sample(None);
    run.start(0, ALL);
    let sample = run.sample(waits(WORK));
    assert_eq!(sample.resume, Some(Resume::up(SmxId(1))));
}

/// Woken for nothing: the GPU goes down again in the sample in which its wake-up ends.
#[test]
fn a_gpu_that_is_woken_for_nothing_sleeps_again() {
    let mut run = Run::new(&CONFIG, &[]);
    assert_eq!(run.sample(None).gpu_start, Some(GpuStart::Down));
    let sample = run.sample(waits(WORK));
    assert_eq!((sample.gpu_done, sample.gpu_start), (Some(GpuDone::Low), Some(GpuStart::Up)));
    let sample = run.sample(None);
    assert_eq!((sample.gpu_done, sample.gpu_start), (Some(GpuDone::High), Some(GpuStart::Down)));
    // And while it goes down nothing wakes it: no transition is broken off.
    let slow = BubbleConfig { transition_samples: 20, ..CONFIG };
    let mut run = Run::new(&slow, &[]);
    run.sample(None);
    let until_high = (1..).find(|_| run.sample(waits(WORK)).gpu_done == Some(GpuDone::High));
    assert_eq!(until_high, Some(2 * 20), "2P samples from the order to go down");
}

/// An SMX that was low when the GPU level was entered stays so, and costs no more than that (bubble_dvfs-A11).
#[test]
fn a_low_smx_is_charged_as_low_while_the_gpu_goes_down() {
    let slow = BubbleConfig { transition_samples: 3, smxs: 2, ..CONFIG };
    let mut run = Run::new(&slow, &[None, Some(WORK)]);
    run.samples(4);
    run.end(1, WORK);
    assert_eq!(run.sample(None).gpu_start, Some(GpuStart::Down));
    assert_eq!([0, 1].map(|s| run.gpu.controller().pstate(SmxId(s))), [Some(PState::Low), Some(PState::Down)]);
    let energy = |run: &Run| [0, 1].map(|s| run.gpu.controller().smx(SmxId(s)).unwrap().energy);
    let before = energy(&run);
    run.sample(None);
    let spent = [0, 1].map(|s| energy(&run)[s] - before[s]);
    assert_eq!(spent, [981 * 10, 6300 * 10]);
    assert_eq!(
        run.gpu.controller().smx(SmxId(0)).unwrap().low,
        2,
        "of the samples after its transition, those that found it low"
    );
}

/// `level`: a time-out means nothing; `once`: a bubble that was refused is used up; `rearm`: it is tried again.
#[test]
fn what_becomes_of_a_refused_bubble() {
    for (retrigger, diverted) in [(Retrigger::Level, true), (Retrigger::Rearm, true), (Retrigger::Once, false)] {
        let config = BubbleConfig { smxs: 2, retrigger, gpu_level: false, ..CONFIG };
        let mut run = Run::new(&config, &[Some(CRUMB), Some(CRUMB)]);
        assert_eq!(run.sample(None).refused, set(&[0, 1]));
        run.start(1, WORK);
        assert_eq!(run.sample(None).divert.contains(SmxId(0)), diverted, "{retrigger:?}");
    }
}

/// Idle samples are counted from the sample on that finds the GPU awake, and any work starts the count again.
#[test]
fn idle_samples_are_counted_in_a_row() {
    let config = BubbleConfig { gpu_level: false, ..CONFIG };
    let mut run = Run::new(&config, &[]);
    run.samples(5);
    assert_eq!(run.gpu.controller().gpu(), GpuLevel::Normal { idle_samples: 5 });
    run.sample(waits(WORK));
    assert_eq!(run.gpu.controller().gpu(), GpuLevel::Normal { idle_samples: 0 });
}

/// Times up to the last one are as good as any, and energy does not wrap.
#[test]
fn at_the_end_of_time() {
    let config = BubbleConfig { smxs: 1, p_uncore_mw: 1_000_000, p_leak_mw: 1_000_000, ..CONFIG };
    let mut gpu = machine(&config).unwrap();
    gpu.account(Cycle(0), None).unwrap();
    gpu.sample(Cycle(u64::MAX - 10), None, None).unwrap();
    assert_eq!(gpu.controller().next_sample(), Some(Cycle::MAX));
    gpu.sample(Cycle::MAX, None, None).unwrap();
    assert_eq!(gpu.controller().next_sample(), None);
    assert_eq!(gpu.sample(Cycle::MAX, None, None), Err(Fault::OffSample));
    assert_eq!(gpu.controller().energy_uncore(), u128::from(u64::MAX) * 1_000_000);
    // The only SMX is idle, and at the low P-state at no time but in the last interval's future.
    assert_eq!(gpu.controller().smx(SmxId(0)).unwrap().energy, u128::from(u64::MAX) * 1_004_900);
    assert_eq!(gpu.controller().energy(), u128::from(u64::MAX) * 2_004_900);
}

/// The first sample sets the phase, and opens the account unless `account` did.
#[test]
fn the_first_sample_sets_the_phase() {
    let mut gpu = machine(&CONFIG).unwrap();
    assert_eq!(gpu.controller().next_sample(), None);
    gpu.sample(Cycle(7), None, None).unwrap();
    assert_eq!(gpu.controller().next_sample(), Some(Cycle(17)));
    assert_eq!(gpu.controller().energy(), 0);
    gpu.account(Cycle(8), None).unwrap();
    assert_eq!(gpu.controller().energy_uncore(), 20000);
    assert_eq!(gpu.controller().stats().samples, 1, "an account is no sample");
    gpu.sample(Cycle(17), None, None).unwrap();
    assert_eq!(gpu.controller().energy_uncore(), 10 * 20000);
}

proptest! {
    #![proptest_config(runs(300))]

    /// `enabled` off: bubbles and energy are counted, nothing is decided, and every SMX stays high (frontend-E5).
    #[test]
    fn a_monitor_decides_nothing(config in configs(), steps in script()) {
        let config = BubbleConfig { enabled: false, ..config };
        let (mut gpu, mut host) = (machine(&config).unwrap(), Host::new(&config));
        let everything = SmxSet::first(config.smxs);
        for step in &steps {
            host.wait(step);
            for event in host.events(step) {
                let answer = gpu.take(&event);
                if answer.is_ok() {
                    host.accepted(&event);
                }
                if let Ok(Answer::Sample(sample)) = answer {
                    prop_assert_eq!(sample, Sample { eligible: everything, ..Sample::default() });
                }
            }
        }
    }

    /// bubble_dvfs-I8: TBs that end let every TB run, also those that are bound to SMXs.
    #[test]
    fn every_tb_runs_in_the_end(
        config in configs(),
        tbs in prop::collection::vec((work(), 0..6u64), 1..40),
    ) {
        let (mut gpu, host) = (machine(&config).unwrap(), Host::new(&config));
        let tbs = tbs.into_iter().map(|((shape, smx), samples)| {
            let allowed = smx.map(|s| set(&[s % config.smxs as u16]));
            (Waiting { res: host.resources(shape), allowed }, samples)
        });
        // What no SMX can hold would never have been launched.
        let fits = |res: &Resources| res.threads > 0 && res.slots > 0 && res.fits(&config.capacity());
        let mut queue = tbs.filter(|(tb, _)| fits(&tb.res)).collect::<std::collections::VecDeque<_>>();
        let (w, p) = (u64::from(config.drain_samples), u64::from(config.transition_samples));
        let most = (queue.len() as u64 + 1) * (w + 3 * p + 8);
        let mut running: Vec<(SmxId, Resources, u64)> = Vec::new();
        for i in 0..most {
            let now = Cycle(i * u64::from(config.sample_cycles));
            for (smx, res, _) in running.extract_if(.., |tb| tb.2 <= i) {
                prop_assert!(gpu.completed(now, smx, &res).is_ok());
            }
            let head = queue.front().map(|(tb, _)| *tb);
            gpu.sample(now, head.as_ref(), None).unwrap();
            while let Some(&(Waiting { res, allowed }, samples)) = queue.front() {
                let allowed = allowed.unwrap_or(SmxSet::first(config.smxs));
                let Some(smx) = allowed.iter().find(|&s| gpu.dispatched(now, s, &res).is_ok()) else { break };
                running.push((smx, res, i + samples));
                queue.pop_front();
            }
            if queue.is_empty() {
                break;
            }
        }
        prop_assert!(queue.is_empty(), "{} TBs wait after {most} samples", queue.len());
    }
}

/// A TB's shape, and perhaps the one SMX on which it may run.
fn work() -> impl Strategy<Value = (Shape, Option<u16>)> {
    ((0..=8u8, 0..=8u8, 0..=8u8, 0..=8u8), prop::option::of(any::<u16>()))
}
