//! The parts inside the front end decide as they do alone (frontend-E2), and one that is off leaves no trace (frontend-E5).

use gpusched::laperm::{Dispatch, KmuTick, LaPerm, Moved, Placed, Reason, Tick};
use gpusched::{
    BubblePart, Config, Cycle, Decision, Descriptor, GroupRef, Id, LaPermPart, Policy, Resources, SmxId, TbPlacement,
    TbRef, UnitPlace, Words, laperm,
};
use gpusched_tests::events::{Answer, Event, Told, Value};
use gpusched_tests::laperm::heap::{self, HeapTables};
use gpusched_tests::view::View;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::properties::configs::{Machine, bubble_configs, laperm_configs, machine};
use crate::properties::script::{Launch, Resolver, in_cycles, launches, plain_script, play, script};

fn resources(d: &Descriptor) -> Resources {
    Resources { threads: d.tb.x * d.tb.y * d.tb.z, regs: d.regs, smem: d.smem, slots: 1 }
}

fn tbs(d: &Descriptor) -> u32 {
    d.grid.x * d.grid.y * d.grid.z
}

/// The machine of the sheet `laperm`, given the calls that the front end makes.
struct Alone {
    machine: LaPerm<HeapTables>,
    config: laperm::Config,
}

impl Alone {
    fn new(config: &Config, part: &LaPermPart) -> Self {
        let of_groups = laperm::Config { model: laperm::Model::Dtbl, ..part.machine(config) };
        let n = config.n_kde;
        let config = match part.model {
            laperm::Model::Dtbl => of_groups,
            laperm::Model::Cdp => laperm::Config { queue_cap: n, q0_cap: n, charge_insert: false, ..of_groups },
        };
        // The front end's SMXs may have no registers; a machine alone has one at least, which no TB asks for.
        let config = laperm::Config { smx_regs: config.smx_regs.max(1), kmu_dispatch_cycles: 0, ..config };
        Self { machine: heap::machine(&config).expect("the part is in its ranges"), config }
    }

    /// A unit that the front end placed.
    fn push(&mut self, now: Cycle, d: &Descriptor, parent: Option<(SmxId, u8)>, told: &Decision) -> TestCaseResult {
        let placed = match parent {
            None => self.machine.push_host(now, d.tag, tbs(d), resources(d)),
            Some((smx, prio)) => self.machine.push_child(now, d.tag, tbs(d), resources(d), smx, prio - 1),
        };
        let alone = match placed {
            Ok(Placed::Queue0 { .. }) => (UnitPlace::Queue0, None, 0, None),
            Ok(Placed::OnChip { unit, level, evicted, .. }) => (UnitPlace::OnChip, Some(unit), level, evicted),
            Ok(Placed::Spilled { unit, level }) => (UnitPlace::Spilled, Some(unit), level, None),
            other => return Err(TestCaseError::fail(format!("{told:?}, alone {other:?}"))),
        };
        let (place, unit, level, evicted) = alone;
        prop_assert_eq!(&Decision::Place { tag: d.tag, place, unit, level, evicted }, told);
        Ok(())
    }

    fn end(&mut self, now: Cycle, smx: SmxId, d: &Descriptor) {
        self.machine.tb_done(now, smx, resources(d), None).expect("the TB was sent");
    }

    /// A cycle in which gates E and X close these SMXs; the scripts leave K open.
    fn tick(&mut self, now: Cycle, masks: &[bool], answer: &Answer) -> TestCaseResult {
        for (s, &masked) in masks.iter().enumerate() {
            self.machine.set_mask(now, SmxId::from_index(s), masked).expect("it exists");
        }
        let ticked = self.machine.tick(now).expect("each cycle is ticked once");
        let Ok(Value::Words(words)) = answer.value else { return Err(TestCaseError::fail("a tick has a word")) };
        let of = |reason| match reason {
            Reason::NoWork => Words { idle: 1, ..Words::default() },
            Reason::NoFit => Words { no_fit: 1, ..Words::default() },
            Reason::NoCandidate => Words { no_candidate: 1, ..Words::default() },
            Reason::Masked => Words { masked: 1, ..Words::default() },
        };
        let mut told = answer.decisions.iter().map(|(_, d)| d);
        match ticked {
            Tick::Stall(stall) => {
                let Words { idle, no_fit, no_candidate, masked, .. } = words;
                prop_assert_eq!(Words { idle, no_fit, no_candidate, masked, ..Words::default() }, of(stall.reason));
            }
            Tick::Dispatch(Dispatch { smx, tag, prio, stage, refill, .. }) => {
                let sent = told.find(|d| matches!(d, Decision::Tb(tb) if tb.smx == smx && tb.tag == tag));
                prop_assert!(sent.is_some(), "{:?}, alone {:?}", answer, ticked);
                prop_assert!(told.any(|d| *d == Decision::Lap { stage, prio }), "{:?}, alone {:?}", answer, ticked);
                let refilled = told.find_map(|d| if let Decision::Refill { tag } = d { Some(*tag) } else { None });
                prop_assert_eq!(refilled, refill);
            }
        }
        Ok(())
    }
}

/// The kernel or group that a TB is part of.
fn work_of(gpu: &Machine, kde: gpusched::KernelSlot, part: TbRef) -> Descriptor {
    match part {
        TbRef::Group(GroupRef::Unit(r)) => gpu.record(r).expect("a group has its record").descriptor,
        _ => gpu.kde(kde).expect("a TB has its kernel").kernel.descriptor,
    }
}

/// One call, then the calls of frontend-E2 that it means.
fn follow(gpu: &mut Machine, alone: &mut Alone, event: &Event) -> TestCaseResult {
    let (before, now) = (gpu.clone(), gpu.now());
    let answer = event.apply(gpu);
    if answer.refusal().is_some() {
        return Ok(());
    }
    if let Event::Refilled(tag) = *event {
        prop_assert_eq!(alone.machine.refilled(now, tag), Ok(()));
    }
    if let Event::TbDone { smx, slot } = *event {
        let tb = before.resident_tbs().find(|tb| (u32::from(tb.smx), u32::from(tb.slot)) == (smx, slot));
        let tb = tb.expect("a TB ended that was there");
        alone.end(now, tb.smx, &work_of(&before, tb.kde, tb.tb_ref));
    }
    for pair in answer.decisions.windows(2) {
        let (d, parent) = match pair[0].1 {
            Decision::Arrive { kde, .. } => {
                let kernel = &gpu.kde(kde).expect("it just arrived").kernel;
                (kernel.descriptor, kernel.psmx.map(|smx| (smx, kernel.prio)))
            }
            Decision::Join { group: GroupRef::Unit(r), .. } => {
                let record = gpu.record(r).expect("it just joined");
                (record.descriptor, Some((record.psmx, record.prio)))
            }
            _ => continue,
        };
        alone.push(now, &d, parent, &pair[1].1)?;
    }
    if *event == Event::Tick {
        let masked = |s: SmxId| {
            let cap = before.block_cap(s).expect("an SMX");
            let here = before.resident_tbs().filter(|tb| tb.smx == s).count() as u32;
            !gpu.eligible().contains(s) || cap < gpu.config().tb_slots && here >= cap
        };
        let masks = (0..gpu.config().n_smx as usize).map(SmxId::from_index).map(masked).collect::<Vec<_>>();
        alone.tick(now, &masks, &answer)?;
        let backups = View::of(gpu).laperm.expect("the policy is LaPerm").backups;
        let others = (0..alone.config.smxs as usize).map(|s| alone.machine.backup(SmxId::from_index(s)));
        prop_assert!(backups.into_iter().map(Some).eq(others), "after {:?}", event);
    }
    Ok(())
}

/// What a host of the sheet's own CDP machine keeps of a running TB.
struct Running {
    smx: SmxId,
    slot: gpusched::SlotId,
    prio: u8,
    res: Resources,
    kde: gpusched::KernelSlot,
}

/// A way through the CDP machine: what is launched in each cycle, and which TBs end.
#[derive(Clone, Debug)]
enum Move {
    Host(Launch),
    Child(u8, Launch),
    End(u8),
    Tick,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        2 => launches().prop_map(Move::Host),
        3 => (any::<u8>(), launches()).prop_map(|(p, l)| Move::Child(p, l)),
        4 => any::<u8>().prop_map(Move::End),
        6 => Just(Move::Tick),
    ];
    prop::collection::vec(one, 1..120)
}

proptest! {
    #![proptest_config(crate::every::runs(1500))]

    /// frontend-E2: every push, tick and end of the front end, given to LaPerm alone, is answered as in the front end.
    #[test]
    fn laperm_decides_as_it_does_alone(config in laperm_configs(), steps in script()) {
        // A withdrawal is no call of that sheet, and gates M and K are told by the model.
        let config = Config { susp_cap: 0, n_class: 0, exclusive: false, ..config };
        let part = config.laperm().expect("the policy is LaPerm");
        let mut alone = Alone::new(&config, part);
        play(&mut machine(&config), &mut Resolver::default(), &steps, &mut |gpu, event| {
            let ends = gpu.now().0 == u64::MAX || matches!(event, Event::Advance(_));
            if ends { Ok(()) } else { in_cycles(gpu, event, &mut |gpu, event| follow(gpu, &mut alone, event)) }
        })?;
    }

    /// frontend-E2, its last sentence: without launch latencies, and with a stream per host kernel, the CDP machine of the sheet moves
    /// and sends the same in the same cycles.
    #[test]
    fn kernels_go_as_through_laperms_own_kmu(config in laperm_configs(), lat_dispatch in 0..4u32, moves in moves()) {
        // Its pool is larger than what can be pending.
        let part = LaPermPart { model: laperm::Model::Cdp, pool_cap: 64, ..*config.laperm().expect("the policy is LaPerm") };
        let config = Config {
            n_hwq: 3, hwq_depth: 1, lat_dispatch, policy: Policy::LaPerm(part), exclusive: false, bubble: None, ..config.ideal()
        };
        let mut gpu = machine(&config);
        let whole = part.machine(&config);
        let mut alone = heap::machine(&laperm::Config { smx_regs: whole.smx_regs.max(1), ..whole }).expect("in its ranges");
        let (mut resolver, mut running) = (Resolver::default(), Vec::<Running>::new());
        for step in moves {
            let now = gpu.now();
            match step {
                Move::Host(l) => {
                    // The streams of kernels that are gone are free again.
                    let free = (0..config.n_hwq).find(|q| gpu.hwq(gpusched::HwqId(*q as u8)).is_some_and(|q| !q.busy && q.len == 0));
                    let Some(stream) = free else { continue };
                    let d = resolver.launched(&gpu, &l, None);
                    if gpu.host_launch(stream, &d, false).is_ok() {
                        prop_assert!(alone.push_host(now, d.tag, tbs(&d), resources(&d)).is_ok());
                    }
                }
                Move::Child(pick, l) => {
                    let Some(parent) = running.get(usize::from(pick) % running.len().max(1)) else { continue };
                    let d = resolver.launched(&gpu, &l, None);
                    if gpu.device_launch(parent.smx, parent.slot, &[d]).is_ok() {
                        prop_assert!(alone.push_child(now, d.tag, tbs(&d), resources(&d), parent.smx, parent.prio).is_ok());
                    }
                }
                Move::End(pick) => {
                    if running.is_empty() { continue }
                    let Running { smx, slot, res, kde, .. } = running.swap_remove(usize::from(pick) % running.len());
                    let mut told = Told::default();
                    gpu.tb_done(smx, slot, &mut told).expect("it runs");
                    let over = told.decisions.iter().any(|(_, d)| matches!(d, Decision::KernelDone { .. }));
                    prop_assert_eq!(alone.tb_done(now, smx, res, Some(kde)), Ok(over));
                }
                Move::Tick => {
                    let (mut issued, mut sent) = (None, None);
                    let mut told = Told::default();
                    gpu.tick(&mut told).expect("time is short");
                    for (_, decision) in told.decisions {
                        match decision {
                            Decision::Issue { tag, kde, .. } => issued = Some((tag, kde)),
                            Decision::Tb(TbPlacement { smx, slot, tag, kde, .. }) => sent = Some((smx, slot, tag, kde)),
                            _ => {}
                        }
                    }
                    match alone.kmu_tick(now).expect("time goes on") {
                        KmuTick::Moved(Moved { tag, kde, .. }) => prop_assert_eq!(issued, Some((tag, kde))),
                        KmuTick::Stall(stall) => prop_assert_eq!(issued, None, "{:?}", stall),
                    }
                    match alone.tick(now).expect("time goes on") {
                        Tick::Dispatch(d) => {
                            prop_assert_eq!(sent.map(|(smx, _, tag, kde)| (smx, tag, Some(kde))), Some((d.smx, d.tag, d.kde)));
                            let (smx, slot, _, kde) = sent.expect("it was sent");
                            let res = resources(&gpu.kde(kde).expect("it runs").kernel.descriptor);
                            running.push(Running { smx, slot, prio: d.prio, res, kde });
                        }
                        Tick::Stall(stall) => prop_assert_eq!(sent, None, "{:?}", stall),
                    }
                }
            }
        }
    }

    /// frontend-E5: a controller that is not enabled takes samples, and nothing else can be told.
    #[test]
    fn a_controller_that_is_off_only_samples(config in bubble_configs(), steps in plain_script()) {
        let off = config.bubble.map(|part| BubblePart { enabled: false, ..part });
        let mut with = machine(&Config { bubble: off, ..config });
        play(&mut machine(&Config { bubble: None, ..config }), &mut Resolver::default(), &steps, &mut |gpu, event| {
            // Samples end an advance, and take activities; the mask and the account are the controller's.
            if matches!(event, Event::Advance(_) | Event::Activity(_) | Event::Account(_) | Event::SetEligible(_)) {
                return Ok(());
            }
            let mut sampled = event.apply(&mut with);
            sampled.decisions.retain(|(_, d)| !matches!(d, Decision::Sample { .. }));
            sampled.samples.clear();
            prop_assert_eq!(sampled, event.apply(gpu));
            let mut view = View::of(&with);
            view.bubble = None;
            view.stats.samples = 0;
            prop_assert_eq!(view, View::of(gpu), "after {:?}", event);
            Ok(())
        })?;
    }
}
