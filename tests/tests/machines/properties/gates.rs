//! Gates (`frontend`, section G; frontend-O2, frontend-E4, frontend-I7, frontend-I8): an open one leaves no trace, a closed one holds, and
//! one that opens is seen in the same cycle.

use std::collections::BTreeMap;

use gpusched::{ClassId, Config, Need, SmxId, SmxSet, State};
use gpusched_tests::drain::{drain, open_gates};
use gpusched_tests::events::{Event, Value};
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::properties::configs::{Machine, configs, machine};
use crate::properties::script::{Resolver, Step, in_cycles, play, script};

/// What can be seen, but for the gates' own state.
fn without_gates(gpu: &Machine) -> View {
    let mut view = View::of(gpu);
    view.classes.clear();
    view.tbs.iter_mut().for_each(|tb| tb.class_id = None);
    view
}

fn need_of(gpu: &Machine, kde: gpusched::KernelSlot) -> Need {
    gpu.kde(kde).expect("a TB's kernel is there").need
}

/// The state in which frontend-T4 acted was that before the tick, for rooms and gates: frontend-T1 to T3 touch neither. Only gate E
/// may have changed, by a sample, and is as it was left.
fn no_obstacle(before: &Machine, after: &Machine, tb: &gpusched::TbPlacement) -> Result<(), TestCaseError> {
    let (s, slots) = (tb.smx, before.config().tb_slots);
    let need = need_of(after, tb.kde);
    prop_assert!(before.smx(s).expect("it exists").fits(&need), "R: {:?}", tb);
    prop_assert!(after.eligible().contains(s), "E: {:?}", tb);
    let here = || before.resident_tbs().filter(|r| r.smx == s);
    let cap = before.block_cap(s).expect("it exists");
    prop_assert!(cap == slots || (here().count() as u32) < cap, "X: {:?}", tb);
    let key = |gpu: &Machine, k| {
        let d = gpu.kde(k).expect("a TB's kernel is there").kernel.descriptor;
        (d.pc, d.tb, d.regs, d.smem)
    };
    let alone = here().all(|r| key(before, r.kde) == key(after, tb.kde));
    prop_assert!(alone || !before.config().exclusive, "M: {:?}", tb);
    let pc = key(after, tb.kde).0;
    for c in (0..before.config().n_class as u8).map(ClassId).filter(|&c| before.class_pc(c) == Some(pc)) {
        let cap = u32::from(before.class_cap(c, s).expect("it exists").cap);
        let resident = here().filter(|r| r.class_id == Some(c)).count() as u32;
        prop_assert!(cap == slots || resident < cap, "K: {:?}", tb);
    }
    Ok(())
}

/// A cap that was constant since the first resident TB of its class was sent is never exceeded.
#[derive(Default)]
struct Steady(BTreeMap<(ClassId, SmxId), u8>);

impl Steady {
    fn check(&mut self, gpu: &Machine) -> Result<(), TestCaseError> {
        for c in (0..gpu.config().n_class as u8).map(ClassId) {
            for s in (0..gpu.config().n_smx as u16).map(SmxId) {
                let cap = gpu.class_cap(c, s).expect("it exists");
                if cap.resident == 0 {
                    self.0.insert((c, s), cap.cap);
                } else if self.0.get(&(c, s)) == Some(&cap.cap) {
                    prop_assert!(cap.resident <= cap.cap, "{:?} on {:?}: {:?}", c, s, cap);
                } else {
                    self.0.remove(&(c, s));
                }
            }
        }
        Ok(())
    }
}

/// frontend-G2: a gate acts on what comes, not on what is there.
fn is_gate(event: &Event) -> bool {
    matches!(
        event,
        Event::SetEligible(_) | Event::SetBlockCap { .. } | Event::SetClass { .. } | Event::SetClassCap { .. }
    )
}

/// frontend-E4: two machines, one with gates that are open.
fn opened_is_untouched(config: &Config, steps: &[Step], pass_capped: bool) -> Result<(), TestCaseError> {
    let config = Config { exclusive: false, ..*config };
    let mut gated = machine(&Config { pass_capped, ..config });
    let mut turn = 0u32;
    play(&mut machine(&config), &mut Resolver::default(), steps, &mut |plain, event| {
        if is_gate(event) || matches!(event, Event::HasWork(_)) {
            return Ok(());
        }
        turn = turn.wrapping_add(1);
        let mut opened = open_gates(&gated);
        if config.n_class > 0 {
            opened.push(Event::SetClass { class: turn % config.n_class, pc: Some((turn / 2 % 3).into()) });
        }
        for gate in opened {
            // Another class may own that pc; then nothing is bound.
            prop_assert!(gate.apply(&mut gated).decisions.is_empty());
        }
        prop_assert_eq!(event.apply(&mut gated), event.apply(plain));
        prop_assert_eq!(without_gates(&gated), without_gates(plain), "after {:?}", event);
        Ok(())
    })
}

/// frontend-I2, frontend-I7, frontend-I8 and frontend-G2: setting a gate evicts nothing and decides nothing.
fn obstacles_hold(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut steady = Steady::default();
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        in_cycles(gpu, event, &mut |gpu, event| {
            let before = gpu.clone();
            let answer = event.apply(gpu);
            let mut sent = 0;
            for (_, decision) in &answer.decisions {
                // An advance is of several cycles.
                if let (gpusched::Decision::Tb(tb), Event::Tick) = (decision, event) {
                    no_obstacle(&before, gpu, tb)?;
                    sent += 1;
                }
            }
            prop_assert!(sent <= 1);
            if is_gate(event) {
                prop_assert!(answer.decisions.is_empty());
                prop_assert!(gpu.resident_tbs().eq(before.resident_tbs()));
            }
            steady.check(gpu)
        })
    })
}

proptest! {
    #![proptest_config(crate::every::runs(1200))]

    /// frontend-O2: what only gates held is sent in the very cycle in which they open, unless it is a share that was held (K comes before
    /// room); what room held is not, nor does anything overtake it then.
    #[test]
    fn a_gate_that_opens_is_seen_at_once(config in configs(), steps in script()) {
        let config = gpusched::Config { exclusive: false, ..config };
        play(&mut machine(&config), &mut Resolver::default(), &steps, &mut |gpu, event| {
            in_cycles(gpu, event, &mut |gpu, event| {
                let mut opened = gpu.clone();
                for gate in open_gates(&opened) {
                    gate.apply(&mut opened);
                }
                let passed = gpu.stats().passed;
                let (with, without) = (event.apply(gpu), event.apply(&mut opened));
                if let (Event::Tick, Ok(Value::Words(with)), Ok(Value::Words(without))) = (event, with.value, without.value) {
                    let of_share = with.capped + (gpu.stats().passed - passed);
                    prop_assert_eq!(without.tb + without.noroom, with.tb + with.gated + with.capped + with.noroom);
                    prop_assert!(without.noroom >= with.noroom && without.noroom <= with.noroom + of_share);
                    prop_assert_eq!(opened.stats().passed, passed);
                }
                Ok(())
            })
        })?;
    }

    /// A host that lets no SMX take TBs: work stays, the status says whose fault it is, and nothing is announced.
    #[test]
    fn a_closed_gpu_waits_for_its_host(config in configs(), steps in script()) {
        let config = gpusched::Config { load_mode: gpusched::LoadMode::Fixed, ..config };
        let mut gpu = machine(&config);
        play(&mut gpu, &mut Resolver::default(), &steps, &mut |gpu, event| { event.apply(gpu); Ok(()) })?;
        gpu.set_eligible(SmxSet::EMPTY).expect("an empty mask names no SMX");
        let tbs = gpu.resident_tbs().collect::<Vec<_>>();
        for tb in tbs {
            gpu.tb_done(tb.smx, tb.slot, &mut ()).expect("the TB is resident");
        }
        while let Some(next) = gpu.next_event() {
            let n = next.since(gpu.now()) + 1;
            let words = gpu.run(n, &mut ()).expect("time is short");
            prop_assert_eq!(words.tb, 0);
        }
        if gpu.fcfs().next().is_some() {
            let matures = (0..config.pend_limit).filter_map(|r| gpu.record(gpusched::RecordId(r)));
            let matures = matures.into_iter().any(|r| r.key.ready > gpu.now() && r.state == gpusched::RecordState::Dev);
            prop_assert_eq!(gpu.status(), if matures { State::Running } else { State::Gated });
        }
        drain(&mut gpu, &mut |gpu, event| { event.apply(gpu); Ok(()) }).map_err(TestCaseError::fail)?;
    }
}

on_each! {
    no_tb_starts_against_an_obstacle: 1200 of plain => |((config, steps),)| obstacles_hold(&config, &steps);
    no_tb_starts_against_an_obstacle_under_laperm: 600 of laperm => |((config, steps),)| obstacles_hold(&config, &steps);
    no_tb_starts_on_a_diverted_smx: 600 of bubbles => |((config, steps),)| obstacles_hold(&config, &steps);
    /// frontend-E4: bound classes, caps at `tb_slots` and a full mask, set again and again, change nothing but their own state.
    open_gates_leave_no_trace: 1200 of ungated, any::<bool>() => |((config, steps), pass_capped)| {
        opened_is_untouched(&config, &steps, pass_capped)
    };
    open_gates_leave_no_trace_under_laperm: 600 of ungated_laperm, any::<bool>() => |((config, steps), pass_capped)| {
        opened_is_untouched(&config, &steps, pass_capped)
    };
}
