//! TLP modulation beside a front end (frontend-C3, frontend-E6): every TB that is sent is one that the `TlpSm` of its SMX sends, in the
//! same slot and with the same tag.

use gpusched::tlp::{
    AttachedTlpSm, Category, Kernel, KernelId, KernelType, Metrics, Order, PuhpTie, TbNeeds, TlpConfig, UpUp,
};
use gpusched::{
    ClassId, Config, Cycle, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, LaPermPart, Policy, Sched, SlotId, SmxId,
    State,
};
use gpusched_heap::{HeapTables, front_end};
use gpusched_tests::images::valid;
use proptest::prelude::*;

use crate::every::runs;

/// Three SMXs of 6 slots.
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
    ..Config::K20C
};

/// An SM of that GPU.
const SM: TlpConfig = TlpConfig { threads: 256, regs: 64, smem: 64, slots: 6, ..TlpConfig::GTX480 };

#[derive(Clone, Debug)]
enum Step {
    /// A kernel of class 0 or 1: its shape, if it is the first of its class, and its TBs.
    Launch(u8, u8, u8),
    /// A group for a resident TB's kernel.
    Group(u8, u8),
    /// So many cycles, in which TBs run for so long.
    Run(u8, u8),
    /// The host sets targets on an SMX.
    Override(u8, u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => any::<[u8; 3]>().prop_map(|[a, b, c]| Step::Launch(a, b, c)),
        1 => any::<[u8; 2]>().prop_map(|[a, b]| Step::Group(a, b)),
        9 => any::<[u8; 2]>().prop_map(|[a, b]| Step::Run(a, b)),
        1 => any::<[u8; 2]>().prop_map(|[a, b]| Step::Override(a, b)),
    ];
    prop::collection::vec(step, 1..50)
}

/// Kernels bound by each of the resources, of every type.
fn shape(class: usize, n: u8) -> (Descriptor, Kernel) {
    let (threads, regs, smem) =
        [(32, 1, 1), (64, 0, 0), (40, 0, 0), (64, 20, 0), (32, 0, 30), (256, 1, 1), (33, 7, 7)][usize::from(n % 7)];
    let descriptor =
        Descriptor { pc: 0x100 + class as u64, tb: Dim3::linear(threads), regs, smem, ..Descriptor::default() };
    let kind = [KernelType::Down, KernelType::Optimal, KernelType::Up][usize::from(n / 7 % 3)];
    let category = Category { kind, opt: 1 + n / 21 % 4 };
    (descriptor, Kernel { needs: TbNeeds { threads, regs, smem }, category })
}

/// A host: the front end, an attached `TlpSm` per SMX, and when each resident TB ends.
struct Host {
    gpu: FrontEnd<HeapTables>,
    smxs: Vec<AttachedTlpSm>,
    ends: Vec<(SmxId, SlotId, u64)>,
    /// What runs in each class, and its TBs that have not ended.
    classes: [Option<(Descriptor, u32)>; 2],
    tbs: u64,
    bypassing: u64,
    samples: u64,
}

impl Host {
    fn new(gpu: &Config, config: &TlpConfig) -> Self {
        let mut front = front_end(gpu).unwrap();
        for class in 0..2 {
            front.set_class(ClassId(class), 0x100 + u64::from(class)).unwrap();
        }
        let smxs = (0..gpu.n_smx as u16).map(|s| AttachedTlpSm::new(SmxId(s), config).unwrap()).collect();
        let mut host =
            Self { gpu: front, smxs, ends: Vec::new(), classes: [None; 2], tbs: 0, bypassing: 0, samples: 0 };
        host.set_gates().unwrap();
        host
    }

    fn set_gates(&mut self) -> Result<(), String> {
        self.smxs.iter().try_for_each(|smx| smx.set_gate(&mut self.gpu)).map_err(|f| format!("set_gate: {f}"))
    }

    /// One cycle: ends, samples, kernels that are done, gates, then the tick and what it sends.
    fn cycle(&mut self, lasts: u64) -> Result<(), String> {
        let now = self.gpu.now();
        let (over, on): (Vec<_>, Vec<_>) = self.ends.drain(..).partition(|&(.., at)| at <= now.0);
        self.ends = on;
        for (smx, slot, _) in over {
            self.gpu.tb_done(smx, slot, &mut ()).map_err(|f| format!("tb_done: {f}"))?;
            let ended = self.smxs[usize::from(smx.0)].done(now, slot).map_err(|f| format!("done: {f}"))?;
            let class = self.classes[usize::from(ended.k.0)].as_mut().ok_or("a TB of no class")?;
            class.1 -= 1;
        }
        for smx in &mut self.smxs {
            let Some(start) = Some(smx.sm().period()).and_then(|period| match period {
                gpusched::tlp::Period::Await { start, end } => Some((start, end)),
                _ => None,
            }) else {
                continue;
            };
            let cycles = start.1.0 - start.0.0;
            // Numbers that look random, from the cycle and the SMX.
            let r = (now.0 + u64::from(smx.smx().0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let part = |shift: u32| cycles * (r >> shift & 7) / 16;
            let metrics = Metrics {
                sp: [part(8), part(16)],
                ldst: [part(24), part(32)],
                stall_mem: r >> 40 & 15,
                ..Metrics::default()
            };
            smx.sample(now, &metrics, &self.gpu).map_err(|f| format!("sample: {f}"))?;
            self.samples += 1;
        }
        for (k, class) in self.classes.iter_mut().enumerate() {
            if class.is_some_and(|(_, left)| left == 0) {
                *class = None;
                for smx in &mut self.smxs {
                    smx.kernel_done(now, KernelId(k as u8)).map_err(|f| format!("kernel_done: {f}"))?;
                }
            }
        }
        self.set_gates()?;
        if let Sched::Tb(tb) = self.gpu.tick(&mut ()).map_err(|f| format!("tick: {f}"))?.sched {
            let smx = &mut self.smxs[usize::from(tb.smx.0)];
            let placed = smx
                .placed(now, &tb, &self.gpu)
                .map_err(|f| format!("frontend-E6: {tb:?} is not sent: {f}, {smx:?}"))?;
            let view = self.gpu.tb(tb.smx, tb.slot).ok_or("the TB is not there")?;
            let same = (Some(ClassId(placed.k.0)), placed.slot, placed.bypass) == (view.class_id, tb.slot, view.bypass);
            if !same {
                return Err(format!("frontend-E6: {placed:?} is {view:?}"));
            }
            self.tbs += 1;
            self.bypassing += u64::from(placed.bypass);
            self.ends.push((tb.smx, tb.slot, now.0 + lasts));
        }
        self.set_gates()?;
        self.check()
    }

    /// Both agree on who is resident and who bypasses, and the invariants of the machine hold.
    fn check(&self) -> Result<(), String> {
        for attached in &self.smxs {
            let (smx, sm) = (attached.smx(), attached.sm());
            let resident = (0..6).map(SlotId).filter_map(|slot| Some((slot, self.gpu.tb(smx, slot)?)));
            let of_gpu = resident.map(|(slot, tb)| (slot, tb.class_id.map(|class| class.0), tb.bypass));
            if !of_gpu.eq(sm.slots().map(|(slot, tb)| (slot, Some(tb.k.0), tb.bypass))) {
                return Err(format!("SMX {} holds others", smx.0));
            }
            valid(sm, sm.validate())?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match *step {
            Step::Launch(class, n, tbs) => {
                let class = usize::from(class % 2);
                let (new, kernel) = shape(class, n);
                let descriptor = self.classes[class].map_or(new, |(descriptor, _)| descriptor);
                let tbs = 1 + u32::from(tbs % 30);
                // A full queue refuses it.
                let launched = Descriptor { grid: Dim3::linear(tbs), ..descriptor };
                if self.gpu.host_launch(class as u32, &launched, false).is_err() {
                    return Ok(());
                }
                let now = self.gpu.now();
                if let Some((_, left)) = &mut self.classes[class] {
                    *left += tbs;
                    return Ok(());
                }
                self.classes[class] = Some((descriptor, tbs));
                for smx in &mut self.smxs {
                    smx.attach(now, KernelId(class as u8), kernel).map_err(|f| format!("attach: {f}"))?;
                }
            }
            Step::Group(pick, n) => {
                let Some(at) = usize::from(pick).checked_rem(self.ends.len()) else { return Ok(()) };
                let (smx, slot, _) = self.ends[at];
                let class = self.gpu.tb(smx, slot).and_then(|tb| tb.class_id).ok_or("a TB of no class")?;
                let Some((of, left)) = &mut self.classes[usize::from(class.0)] else { return Err("no class".into()) };
                let tbs = 1 + u32::from(n % 5);
                let descriptor = Descriptor { grid: Dim3::linear(tbs), ..*of };
                if self.gpu.agg_launch(smx, slot, &[GroupLaunch { kernel: descriptor, hw_tid: 0 }]).is_ok() {
                    *left += tbs;
                }
            }
            Step::Run(cycles, lasts) => {
                for _ in 0..cycles % 96 {
                    self.cycle(1 + u64::from(lasts % 24))?;
                }
            }
            Step::Override(smx, tb) => {
                let smx = &mut self.smxs[usize::from(smx % 3)];
                // What does not fit, or no pair, is refused.
                let _ = smx.override_tlp(self.gpu.now(), [u32::from(tb % 7), u32::from(tb / 7 % 7)]);
            }
        }
        Ok(())
    }

    /// Everything ends: a kernel that is to have no TB as yet hides nothing behind it, in no line (frontend-G6, frontend-H3).
    fn drain(&mut self) -> Result<(), String> {
        for _ in 0..30_000 {
            if self.gpu.is_idle() && self.classes == [None; 2] {
                return Ok(());
            }
            self.cycle(3)?;
        }
        Err(format!("the front end stays {:?}", self.gpu.status()))
    }
}

fn run(gpu: &Config, config: &TlpConfig, steps: &[Step]) -> Result<Host, String> {
    let mut host = Host::new(&gpu.ideal(), config);
    for step in steps {
        host.step(step)?;
    }
    host.drain()?;
    if host.tbs == host.gpu.stats().tbs { Ok(host) } else { Err("a TB was not reported".into()) }
}

proptest! {
    #![proptest_config(runs(500))]

    #[test]
    fn every_tb_is_sent_by_the_machine(
        steps in steps(),
        laperm: bool,
        dynamic: bool,
        bypass: bool,
        wait_by: bool,
        bypass_first: bool,
        half: bool,
        grow0: bool,
        grow_step in 1..=2u32,
        tlp_cap in 4..=8u32,
    ) {
        let config = TlpConfig {
            dynamic,
            bypass,
            wait_by,
            order: if bypass_first { Order::BypassFirst } else { Order::Concurrent },
            upup: if half { UpUp::Half } else { UpUp::Leftover },
            puhp_tie: if grow0 { PuhpTie::Grow0 } else { PuhpTie::Hold },
            grow_step,
            tlp_cap,
            ..SM
        };
        let gpu = if laperm { Config { policy: Policy::LaPerm(LaPermPart::K20C), ..GPU } } else { GPU };
        run(&gpu, &config, &steps).map_err(TestCaseError::fail)?;
    }
}

/// The random runs are not empty: two kernels with work for long are sampled often, and some of their TBs bypass.
#[test]
fn two_long_kernels_are_modulated() {
    let mut steps = vec![Step::Launch(0, 22, 29), Step::Launch(1, 29, 29)];
    for _ in 0..6 {
        steps.extend([Step::Launch(0, 0, 29), Step::Launch(1, 0, 29), Step::Run(95, 7), Step::Run(95, 11)]);
    }
    let host = run(&GPU, &SM, &steps).unwrap();
    assert!(host.samples > 20 && host.bypassing > 10, "{} samples, {} TBs bypass", host.samples, host.bypassing);
}

/// What is not of this SMX, of this front end or of these classes is refused, and changes nothing.
#[test]
fn what_the_machine_would_not_send_is_refused() {
    let mut gpu = front_end(&GPU.ideal()).unwrap();
    let mut smx = AttachedTlpSm::new(SmxId(1), &SM).unwrap();
    let (descriptor, kernel) = shape(0, 0);
    gpu.host_launch(0, &Descriptor { grid: Dim3::linear(6), ..descriptor }, false).unwrap();
    let mut sent = || match gpu.tick(&mut ()).unwrap().sched {
        Sched::Tb(tb) => tb,
        other => panic!("{other:?}"),
    };
    let tbs = [sent(), sent(), sent(), sent(), sent()];
    let before = smx.clone();
    assert_eq!(smx.placed(Cycle(0), &tbs[0], &gpu), Err(Fault::BadSmx));
    assert_eq!(smx.placed(Cycle(1), &tbs[1], &front_end(&GPU.ideal()).unwrap()), Err(Fault::NoTb));
    assert_eq!(smx.placed(Cycle(1), &tbs[1], &gpu), Err(Fault::BadClass));
    assert_eq!(smx, before);

    let mut gpu = front_end(&GPU.ideal()).unwrap();
    gpu.set_class(ClassId(0), descriptor.pc).unwrap();
    gpu.set_class(ClassId(2), 0x777).unwrap();
    gpu.host_launch(0, &Descriptor { grid: Dim3::linear(6), ..descriptor }, false).unwrap();
    let mut sent = || match gpu.tick(&mut ()).unwrap().sched {
        Sched::Tb(tb) => tb,
        other => panic!("{other:?}"),
    };
    let tbs = [sent(), sent(), sent(), sent(), sent()];
    // Nothing is attached: the gate was not set.
    assert_eq!(smx.placed(Cycle(1), &tbs[1], &gpu), Err(Fault::NotEligible));
    smx.attach(Cycle(1), KernelId(0), kernel).unwrap();
    // The second TB is in slot 1.
    let attached = smx.clone();
    assert_eq!(smx.placed(Cycle(1), &tbs[4], &gpu), Err(Fault::NotEligible));
    assert_eq!(smx.placed(Cycle(0), &tbs[1], &gpu), Err(Fault::TimeBackwards));
    assert_eq!(smx, attached);
    assert!(smx.placed(Cycle(1), &tbs[1], &gpu).is_ok() && smx.placed(Cycle(1), &tbs[4], &gpu).is_ok());
    assert_eq!(AttachedTlpSm::new(SmxId(9), &SM).unwrap().set_gate(&mut gpu), Err(Fault::BadSmx));
    let mut narrow = front_end(&Config { n_class: 1, ..GPU.ideal() }).unwrap();
    let unset = narrow.clone();
    assert_eq!(smx.set_gate(&mut narrow), Err(Fault::BadClass));
    assert_eq!(narrow, unset, "neither class is capped");
    assert_ne!(gpu.status(), State::Drained);
}
