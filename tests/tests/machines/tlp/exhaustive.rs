//! Every order of events on a small SM, to the end: all states that can be reached, each once, beside the model.
//!
//! Stalls are compared by their counts, the history is the last period, and pipelines are busy all the time or never, so times decide
//! nothing but whether a period had any: states are told apart by what is left.

use gpusched::tlp::{
    Category, Kernel, KernelId, KernelType, Metrics, Order, Phase, PuhpTie, SoloTlp, TbNeeds, TlpConfig, UpUp,
};
use gpusched::{Cycle, SlotId};
use gpusched_tests::calls::tlp_sm::{Answer, Event};
use gpusched_tests::machine::Machine;
use gpusched_tests::tlp::invariants::Watch;
use gpusched_tests::tlp::model::{self, Sm};
use gpusched_tests::tlp::{self, Kind, SmView, Unit, Units, View};

use crate::every::{Ways, explore};

/// Three slots and three threads.
const SMALL: TlpConfig = TlpConfig { threads: 3, slots: 3, his_shift: 0, ..TlpConfig::GTX480 };

const fn kernel(threads: u32, kind: KernelType, opt: u8) -> Kernel {
    Kernel { needs: TbNeeds { threads, regs: 0, smem: 0 }, category: Category { kind, opt } }
}

/// What can happen, and one mistake of each kind. Time passes with ends.
fn alphabet(view: &SmView, kernels: &[Kernel]) -> Vec<Event> {
    let (now, later) = (view.now, Cycle(view.now.0 + 1));
    let mut events = Vec::new();
    for k in [KernelId(0), KernelId(1)] {
        events.extend(kernels.iter().map(|&kernel| Event::Attach { now, k, kernel: Some(kernel) }));
        events.push(Event::Done { now, k });
    }
    for avail in [[true, true], [true, false], [false, true]] {
        events.push(Event::Dispatch { now, avail });
    }
    for slot in [0, 1, 2].map(SlotId) {
        events.push(Event::Finish { now: later, slot });
    }
    // One end of a zero-length period.
    events.push(Event::Finish { now, slot: SlotId(0) });
    events.extend([[1, 1], [0, 2], [1, 0]].map(|tb| Event::OverrideTlp { now, tb }));
    if view.state.phase == Phase::Await {
        let (start, end) = (view.state.start.unwrap(), view.state.end.unwrap());
        let c = end.0 - start.0;
        for (sp, ldst, stall_mem) in [([c, 0], [0, c], 1), ([0, c], [0, 0], 0), ([0, 0], [c, 0], 2)] {
            events.push(Event::Sample {
                now,
                metrics: Metrics { sp, ldst, stall_mem, stall_struct: 0, avail: [true; 2] },
            });
        }
        let metrics = Metrics { sp: [0, c], stall_mem: 1, avail: [false, true], ..Metrics::default() };
        events.push(Event::Sample { now, metrics });
    } else {
        events.push(Event::Sample { now, metrics: Metrics::default() });
    }
    events
}

/// What must follow from every state: dispatch and ends lead to a stall and to an empty SM, and kernels can go.
fn check_future(unit: &Unit) -> Result<(), String> {
    let Unit::TlpSm(sm) = unit else { unreachable!() };
    let mut sm = sm.clone();
    let now = sm.now();
    for (slot, _) in sm.clone().slots() {
        sm.finish(now, slot).map_err(|fault| format!("finish: {fault}"))?;
    }
    let live = [0, 1].map(gpusched::tlp::KernelId).map(|k| sm.kernel(k).map(|_| k));
    for k in live.into_iter().flatten() {
        // A kernel that is there, and has or will have the SM for itself, gets a TB.
        sm.done(now, k).map_err(|fault| format!("done: {fault}"))?;
    }
    let idle = gpusched::tlp::TlpSm::new(sm.config()).map_err(|error| error.to_string())?;
    let same =
        sm.tb() == idle.tb() && sm.by() == idle.by() && sm.learn() == idle.learn() && sm.history() == idle.history();
    if same { Ok(()) } else { Err(format!("something is left: {sm:?}")) }
}

fn bare(model: &model::Unit) -> Option<Sm> {
    let model::Unit::TlpSm(sm) = model else { unreachable!() };
    Some(sm.bare())
}

fn states(config: &TlpConfig, kernels: &[Kernel]) -> usize {
    let ways = Ways::<Units, _> {
        key: |_, model| bare(model),
        event: |unit, event, answered, before, now| Watch::default().note(unit.config(), event, answered, before, now),
        future: check_future,
        most: usize::MAX,
    };
    explore(&(Kind::TlpSm, *config), &ways, |unit| {
        let View::TlpSm(view) = unit.view() else { unreachable!() };
        alphabet(&view, kernels).into_iter().map(tlp::Event::TlpSm).collect()
    })
}

const MIXED: [Kernel; 3] =
    [kernel(1, KernelType::Optimal, 1), kernel(1, KernelType::Up, 3), kernel(2, KernelType::Down, 1)];

/// Modulation alone.
#[test]
fn every_state_of_modulation() {
    for (puhp_tie, hold_on_equal, upup) in [(PuhpTie::Hold, false, UpUp::Leftover), (PuhpTie::Grow0, true, UpUp::Half)]
    {
        let config = TlpConfig { bypass: false, puhp_tie, hold_on_equal, upup, ..SMALL };
        let states = states(&config, &MIXED);
        assert!(states > 1000, "{states}");
    }
}

/// Learning alone, and with and without waiting for tags.
#[test]
fn every_state_of_learning() {
    for wait_by in [true, false] {
        let config = TlpConfig { dynamic: false, wait_by, solo_tlp: SoloTlp::Opt, ..SMALL };
        let states = states(&config, &MIXED[..2]);
        assert!(states > 1000, "{states}");
    }
}

/// Both, in either order, on two slots.
#[test]
fn every_state_of_both() {
    for order in [Order::Concurrent, Order::BypassFirst] {
        let config = TlpConfig { threads: 2, slots: 2, order, ..SMALL };
        let states = states(&config, &MIXED[..2]);
        assert!(states > 1000, "{states}");
    }
}

/// Invariant 7: from every start, learning ends within 3 + max(Tb) - 1 samples, whatever stalls they bring.
#[test]
fn learning_ends() {
    for tb in [[1, 1], [2, 1], [1, 2], [3, 1], [2, 2], [4, 4], [3, 0], [0, 3], [1, 0]] {
        let config = TlpConfig { dynamic: false, slots: 8, threads: 8, ..SMALL };
        let bound = 3 + tb.iter().max().unwrap() - 1;
        // Stalls of each period: 0, 1 or 2.
        for stalls in 0..3u32.pow(bound) {
            let mut unit = Unit::new(Kind::TlpSm, &config).unwrap();
            let mut take = |event: Event| unit.take(&event.into()).unwrap();
            for k in [KernelId(0), KernelId(1)] {
                take(Event::Attach { now: Cycle(0), k, kernel: Some(kernel(1, KernelType::Optimal, 1)) });
            }
            take(Event::OverrideTlp { now: Cycle(0), tb });
            let mut samples = 0;
            for i in 0.. {
                let now = Cycle(i);
                let learnt = {
                    (0..tb[0] + tb[1]).for_each(|_| drop(take(Event::Dispatch { now, avail: [true; 2] })));
                    let now = Cycle(i + 1);
                    (0..(tb[0] + tb[1]) as u8).for_each(|slot| drop(take(Event::Finish { now, slot: SlotId(slot) })));
                    let stall_mem = u64::from(stalls / 3u32.pow(samples) % 3);
                    let metrics = Metrics { stall_mem, avail: [true; 2], ..Metrics::default() };
                    take(Event::Sample { now, metrics })
                };
                samples += 1;
                let tlp::Answer::TlpSm(Answer::Sampled(sampled)) = learnt else { unreachable!() };
                if sampled.learn == gpusched::tlp::Learn::Done {
                    break;
                }
                assert!(samples < bound, "{tb:?}: {samples} samples and still {:?}", sampled.learn);
            }
        }
    }
}
