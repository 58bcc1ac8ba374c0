//! Equalizer beside a front end (frontend-C3, frontend-E7): every TB is a grant of its `Sm`, none is surplus, none arrives paused.

use std::collections::BTreeSet;

use gpusched::equalizer::{AttachedSm, Counts, SmConfig};
use gpusched::{
    Config, Cycle, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, LaPermPart, Policy, Sched, SlotId, SmxId, SuspId,
};
use gpusched_heap::{HeapTables, front_end};
use proptest::prelude::*;

use crate::every::runs;

/// Three SMXs of 8 warps and 6 slots.
const GPU: Config = Config {
    n_smx: 3,
    tb_slots: 6,
    threads: 256,
    regs: 64,
    smem: 64,
    n_kde: 4,
    n_hwq: 3,
    hwq_depth: 4,
    pend_limit: 32,
    exclusive: true,
    ..Config::K20C
};

fn with_laperm(gpu: Config) -> Config {
    Config { policy: Policy::LaPerm(LaPermPart::K20C), ..gpu }
}

/// A host: the front end, an attached `Sm` per SMX, and when each resident TB ends.
struct Host {
    gpu: FrontEnd<HeapTables>,
    smxs: Vec<AttachedSm>,
    ends: Vec<(SmxId, SlotId, u64)>,
    tbs: u64,
}

#[derive(Clone, Debug)]
enum Step {
    /// A kernel: stream, shape, TBs.
    Launch(u8, u8, u8),
    /// A group for a resident TB's kernel, or a kernel of its own.
    Group(u8, u8),
    /// So many cycles, in which TBs run for so long.
    Run(u8, u8),
    Suspend(u8),
    Resume(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => any::<[u8; 3]>().prop_map(|[a, b, c]| Step::Launch(a, b, c)),
        2 => any::<[u8; 2]>().prop_map(|[a, b]| Step::Group(a, b)),
        8 => any::<[u8; 2]>().prop_map(|[a, b]| Step::Run(a, b)),
        1 => any::<u8>().prop_map(Step::Suspend),
        2 => any::<u8>().prop_map(Step::Resume),
    ];
    prop::collection::vec(step, 1..40)
}

/// Kernels of 1 to 8 warps per TB, bound by each of the resources.
fn shape(n: u8) -> Descriptor {
    let (threads, regs, smem) =
        [(32, 1, 1), (64, 0, 0), (40, 0, 0), (64, 20, 0), (32, 0, 30), (256, 1, 1), (33, 7, 7)][usize::from(n % 7)];
    Descriptor { pc: u64::from(n % 7), tb: Dim3::linear(threads), regs, smem, ..Descriptor::default() }
}

/// What random warps of an SM do at a sample: a number that looks random, from the cycle.
fn sample_of(now: u64, warps: u32) -> Counts {
    let r = (now + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let active = if r.is_multiple_of(7) { 0 } else { warps };
    match r % 3 {
        0 => Counts { active, xmem: active, ..Counts::default() },
        1 => Counts { active, waiting: active, ..Counts::default() },
        _ => Counts { active, xalu: active / 2, ..Counts::default() },
    }
}

impl Host {
    fn new(gpu: &Config, config: &SmConfig) -> Self {
        let smxs = (0..gpu.n_smx as u16).map(|s| AttachedSm::new(SmxId(s), config).unwrap()).collect();
        Self { gpu: front_end(gpu).unwrap(), smxs, ends: Vec::new(), tbs: 0 }
    }

    /// One cycle: ends, samples, gates, then the tick and what it sends.
    fn cycle(&mut self, lasts: u64) -> Result<(), String> {
        let now = self.gpu.now();
        let over = |&(.., at): &(SmxId, SlotId, u64)| at <= now.0;
        let paused =
            |smx: SmxId, slot: SlotId| self.smxs[usize::from(smx.0)].sm().block(slot).is_some_and(|block| block.paused);
        // A paused block ends only now and then: its last instructions were in flight.
        let (over, on): (Vec<_>, Vec<_>) =
            self.ends.drain(..).partition(|end| over(end) && (!paused(end.0, end.1) || now.0.is_multiple_of(5)));
        self.ends = on;
        for (smx, slot, _) in over {
            self.gpu.tb_done(smx, slot, &mut ()).map_err(|f| format!("tb_done: {f}"))?;
            self.smxs[usize::from(smx.0)].done(now, slot).map_err(|f| format!("done: {f}"))?;
        }
        for smx in &mut self.smxs {
            if smx.sm().next_sample() == now {
                let state = smx.sm().state();
                let warps = state.w_cta * state.running;
                smx.sample(now, &sample_of(now.0 + u64::from(smx.smx().0), warps)).map_err(|f| format!("{f}"))?;
            }
            if self.gpu.is_idle() {
                smx.no_work(now).map_err(|f| format!("no_work: {f}"))?;
            }
            smx.set_gate(&mut self.gpu).map_err(|f| format!("set_gate: {f}"))?;
        }
        self.check_gates()?;
        if let Sched::Tb(tb) = self.gpu.tick(&mut ()).map_err(|f| format!("tick: {f}"))?.sched {
            let smx = &mut self.smxs[usize::from(tb.smx.0)];
            let placed =
                smx.placed(now, &tb, &self.gpu).map_err(|f| format!("frontend-E7: {tb:?} is no grant: {f}"))?;
            if placed.granted.slot != tb.slot || !placed.granted.change.pause.is_empty() {
                return Err(format!("frontend-E7: {placed:?}"));
            }
            self.tbs += 1;
            self.ends.push((tb.smx, tb.slot, now.0 + lasts));
            smx.set_gate(&mut self.gpu).map_err(|f| format!("set_gate: {f}"))?;
            self.check_gates()?;
        }
        Ok(())
    }

    /// X is closed exactly while the `Sm` would not ask; and both agree on who is resident.
    fn check_gates(&self) -> Result<(), String> {
        for attached in &self.smxs {
            let (smx, sm) = (attached.smx(), attached.sm());
            let resident = (0..6).map(SlotId).filter(|&slot| self.gpu.tb(smx, slot).is_some());
            if !resident.eq(sm.resident().map(|(slot, _)| slot)) {
                return Err(format!("SMX {} holds others", smx.0));
            }
            if sm.state().limit == 0 {
                continue;
            }
            // A TB more would be a grant that runs.
            let mut one_more = attached.clone();
            let _ = one_more.sm_mut().refill(sm.now());
            let granted = one_more.sm_mut().grant(sm.now(), 99);
            let wanted = granted.is_ok_and(|granted| granted.change.pause.is_empty());
            let open = sm.resident().count() < self.gpu.block_cap(smx).unwrap_or(0) as usize;
            if open != wanted {
                return Err(format!("the gate of SMX {}: open {open}, {:?}", smx.0, sm));
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match *step {
            Step::Launch(stream, n, tbs) => {
                let kernel = Descriptor { grid: Dim3::linear(1 + u32::from(tbs % 30)), ..shape(n) };
                // A full queue refuses it.
                let _ = self.gpu.host_launch(u32::from(stream % 3), &kernel, false);
            }
            Step::Group(pick, n) => {
                if self.ends.is_empty() {
                    return Ok(());
                }
                let (smx, slot, _) = self.ends[usize::from(pick) % self.ends.len()];
                let of = self.gpu.tb(smx, slot).and_then(|tb| self.gpu.kde(tb.kde)).map(|kde| kde.kernel.descriptor);
                let base = of.filter(|_| n % 2 == 0).unwrap_or(shape(n));
                let descriptor = Descriptor { grid: Dim3::linear(1 + u32::from(n % 5)), ..base };
                let _ = self.gpu.agg_launch(smx, slot, &[GroupLaunch { kernel: descriptor, hw_tid: 0 }]);
            }
            Step::Run(cycles, lasts) => {
                for _ in 0..cycles % 64 {
                    self.cycle(1 + u64::from(lasts % 40))?;
                }
            }
            Step::Suspend(pick) => {
                let kdes = self.gpu.kdes().map(|(kde, _)| kde).collect::<Vec<_>>();
                let Some(at) = usize::from(pick).checked_rem(kdes.len()) else { return Ok(()) };
                let kde = kdes[at];
                let tbs = self.gpu.resident_tbs().filter(|tb| tb.kde == kde).map(|tb| (tb.smx, tb.slot));
                let tbs = tbs.collect::<BTreeSet<_>>();
                if self.gpu.suspend(kde, &mut ()).is_ok() {
                    self.ends.retain(|&(smx, slot, _)| !tbs.contains(&(smx, slot)));
                    for (smx, slot) in tbs {
                        self.smxs[usize::from(smx.0)]
                            .done(self.gpu.now(), slot)
                            .map_err(|f| format!("taken off: {f}"))?;
                    }
                }
            }
            Step::Resume(pick) => {
                let _ = self.gpu.resume(SuspId(pick % 4));
            }
        }
        Ok(())
    }

    /// Everything ends.
    fn drain(&mut self) -> Result<(), String> {
        for _ in 0..20_000 {
            if self.gpu.is_idle() {
                self.cycle(1)?;
                let asks = self.smxs.iter().any(|smx| smx.sm().state().outstanding > 0);
                return if asks { Err("a request outlives the work".into()) } else { Ok(()) };
            }
            for index in 0..16 {
                let _ = self.gpu.resume(SuspId(index));
            }
            self.cycle(3)?;
        }
        Err(format!("the front end stays {:?}", self.gpu.status()))
    }
}

fn run(gpu: &Config, config: &SmConfig, keep: bool, steps: &[Step]) -> Result<u64, String> {
    let mut host = Host::new(&gpu.ideal(), config);
    host.smxs.iter_mut().for_each(|smx| smx.keep_target(keep));
    for step in steps {
        host.step(step)?;
    }
    host.drain()?;
    if host.tbs == host.gpu.stats().tbs { Ok(host.tbs) } else { Err("a TB was no grant".into()) }
}

proptest! {
    #![proptest_config(runs(400))]

    #[test]
    fn every_tb_is_a_grant(
        steps in steps(),
        keep: bool,
        laperm: bool,
        hysteresis in 1..=2u32,
        watchdog in 0..=2u32,
        max_blocks in 3..=6u32,
        min_blocks in 1..=2u32,
    ) {
        let config = SmConfig {
            max_warps: 8,
            max_blocks,
            sample_interval: 4,
            epoch_cycles: 8,
            hysteresis,
            watchdog,
            min_blocks,
            ..SmConfig::GTX480
        };
        let gpu = if laperm { with_laperm(GPU) } else { GPU };
        run(&gpu, &config, keep, &steps).map_err(TestCaseError::fail)?;
    }
}

/// The limit is what an empty SMX holds of a TB's resources, slots and warps, and never more than the `Sm` has.
#[test]
fn the_limit_is_what_an_empty_smx_holds() {
    let limit = |tb: Descriptor, config: SmConfig| {
        let mut gpu = front_end(&GPU.ideal()).unwrap();
        let mut smx = AttachedSm::new(SmxId(0), &config).unwrap();
        gpu.host_launch(0, &Descriptor { grid: Dim3::linear(1), ..tb }, false).unwrap();
        let Sched::Tb(placement) = gpu.tick(&mut ()).unwrap().sched else { panic!("an empty GPU") };
        let placed = smx.placed(Cycle(0), &placement, &gpu)?;
        assert_eq!(placed.started.unwrap().target, smx.sm().state().limit);
        let state = smx.sm().state();
        Ok::<_, Fault>((state.w_cta, state.limit))
    };
    let wide = SmConfig { max_warps: 64, max_blocks: 32, counter_bits: 32, ..SmConfig::GTX480 };
    let limits = (0..7).map(|n| limit(shape(n), wide).unwrap()).collect::<Vec<_>>();
    assert_eq!(limits, [(1, 6), (2, 4), (2, 6), (2, 3), (1, 2), (8, 1), (2, 6)]);
    // Whole warps count: six TBs of 40 threads have 12.
    assert_eq!(limit(shape(2), SmConfig { max_warps: 8, ..wide }), Ok((2, 4)));
    assert_eq!(limit(shape(0), SmConfig { max_blocks: 5, ..wide }), Ok((1, 5)));
    assert_eq!(limit(shape(5), SmConfig { max_warps: 7, ..wide }), Err(Fault::BadKernel));
}

/// A refusal leaves both as they were.
#[test]
fn what_is_no_tb_of_this_smx_is_refused() {
    let mut gpu = front_end(&GPU.ideal()).unwrap();
    let mut smx = AttachedSm::new(SmxId(1), &SmConfig::GTX480).unwrap();
    gpu.host_launch(0, &Descriptor { grid: Dim3::linear(2), ..shape(0) }, false).unwrap();
    let Sched::Tb(tb) = gpu.tick(&mut ()).unwrap().sched else { panic!("an empty GPU") };
    let before = smx.clone();
    assert_eq!(smx.placed(Cycle(0), &tb, &gpu), Err(Fault::BadSmx));
    let Sched::Tb(tb) = gpu.tick(&mut ()).unwrap().sched else { panic!("an empty SMX") };
    assert_eq!(smx.placed(Cycle(129), &tb, &gpu), Err(Fault::SampleMissed));
    let other = front_end(&GPU.ideal()).unwrap();
    assert_eq!(smx.placed(Cycle(1), &tb, &other), Err(Fault::NoKernel));
    assert_eq!(smx, before);
    assert!(smx.placed(Cycle(1), &tb, &gpu).is_ok());
    assert_eq!(smx.done(Cycle(1), SlotId(3)), Err(Fault::SlotEmpty));
    assert_eq!(AttachedSm::new(SmxId(9), &SmConfig::GTX480).unwrap().set_gate(&mut gpu), Err(Fault::BadSmx));
}
