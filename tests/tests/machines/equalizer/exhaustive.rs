//! Every order of events on small machines, to the end: all states that can be reached, each once, beside the model.
//!
//! Times grow for ever and decide nothing, so states are told apart by the rest: by the model's, whose fields are all the sheet has.

use gpusched::equalizer::{Counts, Fm, FmConfig, HystMode, Idle, Majority, Pick, Sm, SmConfig};
use gpusched::{Cycle, SlotId, SmxId};
use gpusched_tests::equalizer::invariants::check_fm_event;
use gpusched_tests::equalizer::{FmEvent, Fms, SmEvent, Sms};

use crate::every::{Ways, explore};

/// Six warps, three blocks; an epoch is one sample.
const SMALL: SmConfig = SmConfig {
    max_warps: 6,
    max_blocks: 3,
    sample_interval: 1,
    epoch_cycles: 1,
    hysteresis: 2,
    bw_threshold: 1,
    ..SmConfig::GTX480
};

const fn counts(active: u32, waiting: u32, xalu: u32, xmem: u32) -> Counts {
    Counts { active, waiting, xalu, xmem }
}

/// What makes each of equalizer-D1 to D6 hold for blocks of two warps.
const SAMPLES: [Counts; 6] = [
    counts(6, 0, 0, 3),
    counts(6, 0, 3, 0),
    counts(6, 0, 0, 2),
    counts(6, 4, 0, 0),
    counts(0, 0, 0, 0),
    counts(6, 0, 0, 0),
];

/// Everything that can happen up to the next sample, and one mistake of each kind.
fn sm_alphabet(sm: &Sm) -> Vec<SmEvent> {
    let (now, due) = (sm.now(), sm.next_sample());
    let free = (0..).find(|&id| sm.resident().all(|(_, block)| block.id != id)).expect("three blocks at most");
    let mut events = SAMPLES.map(|counts| SmEvent::Sample { now: due, counts }).to_vec();
    for (w_cta, limit, keep) in [(2, 3, false), (2, 2, true), (1, 3, true), (3, 3, false)] {
        events.push(SmEvent::KernelStart { now, w_cta, limit, keep });
    }
    events.extend((0..3).map(|slot| SmEvent::BlockEnd { now, slot: SlotId(slot) }));
    events.extend([free, 0].map(|block| SmEvent::Grant { now, block }));
    events.extend([SmEvent::Deny { now }, SmEvent::Refill { now }, SmEvent::Resync { now: due }]);
    events
}

/// What must follow from every state.
fn check_future(sm: &Sm) -> Result<(), String> {
    let now = sm.now();
    if sm.state().limit == 0 {
        return Ok(());
    }
    // No request is forgotten: with a GWDE that has blocks as many run as may.
    let mut served = sm.clone();
    served.refill(now).map_err(|fault| format!("refill: {fault}"))?;
    for block in 100.. {
        if served.state().outstanding == 0 {
            break;
        }
        served.grant(now, block).map_err(|fault| format!("grant: {fault}"))?;
    }
    if served.state().running != served.state().target {
        return Err(format!("{} blocks run of {}", served.state().running, served.state().target));
    }
    // No block is forgotten: if running blocks end and the GWDE has none, all end, and the next kernel may start.
    let mut drained = sm.clone();
    while drained.state().outstanding > 0 {
        drained.deny(now).map_err(|fault| format!("deny: {fault}"))?;
    }
    let running = |sm: &Sm| sm.resident().find(|(_, block)| !block.paused).map(|(slot, _)| slot);
    while let Some(slot) = running(&drained) {
        drained.block_end(now, slot).map_err(|fault| format!("block_end: {fault}"))?;
        while drained.state().outstanding > 0 {
            drained.deny(now).map_err(|fault| format!("deny: {fault}"))?;
        }
    }
    if drained.state().paused > 0 || drained.kernel_start(now, 1, 1, false).is_err() {
        return Err("a paused block is never woken".into());
    }
    // equalizer-HZ8: with a watchdog nobody waits for ever for a block that does not end.
    let mut stuck = sm.clone();
    let neutral = counts(6, 0, 0, 0);
    for _ in 0..=sm.config().watchdog {
        for _ in 0..sm.config().samples_per_epoch() {
            stuck.sample(stuck.next_sample(), &neutral).map_err(|fault| format!("sample: {fault}"))?;
        }
    }
    if sm.config().watchdog > 0 && sm.state().paused > 0 && stuck.state().paused >= sm.state().paused {
        return Err("the watchdog wakes nobody".into());
    }
    Ok(())
}

fn explore_sm(config: &SmConfig) -> usize {
    let ways = Ways::<Sms, _> {
        key: |_, model| Some(model.timeless()),
        event: |_, _, _, _, _| Ok(()),
        future: check_future,
        most: usize::MAX,
    };
    explore(config, &ways, sm_alphabet)
}

#[test]
fn an_sm_with_every_choice() {
    let mut states = 0;
    for (hysteresis, hyst_mode) in [(1, HystMode::Same), (2, HystMode::Same), (2, HystMode::Any)] {
        for (min_blocks, watchdog) in [(1, 0), (1, 1), (1, 2), (2, 0), (3, 2)] {
            for (pause_pick, unpause_pick) in [(Pick::Youngest, Pick::Oldest), (Pick::Oldest, Pick::Youngest)] {
                let config =
                    SmConfig { hysteresis, hyst_mode, min_blocks, watchdog, pause_pick, unpause_pick, ..SMALL };
                states += explore_sm(&config);
            }
        }
    }
    assert!(states > 10_000, "{states} states");
}

/// Events between the samples of an epoch.
#[test]
fn an_sm_with_two_samples_per_epoch() {
    let states = explore_sm(&SmConfig { epoch_cycles: 2, hysteresis: 1, watchdog: 1, ..SMALL });
    assert!(states > 1_000, "{states} states");
}

/// Everything that can happen now and a cycle later.
fn fm_alphabet(fm: &Fm) -> Vec<FmEvent> {
    let mut events = Vec::new();
    for now in [fm.now(), fm.now().after(1)] {
        for sm in (0..fm.config().sms as u16).map(SmxId) {
            let votes = (-1..=1).flat_map(|a| (-1..=1).map(move |b| (a, b)));
            events.extend(votes.map(|(sm_vote, mem_vote)| FmEvent::Vote { now, sm, sm_vote, mem_vote }));
            events.extend([true, false].map(|on| FmEvent::Enable { now, sm, on }));
        }
        events.extend([FmEvent::Close { now }, FmEvent::Levels { now }, FmEvent::Reset { now }]);
    }
    events
}

/// What is under way ends when it is said to.
fn check_steps(fm: &Fm) -> Result<(), String> {
    let (mut settled, config) = (fm.clone(), fm.config());
    if let Some(at) = fm.next_event()
        && (settled.levels(Cycle(at.0 - 1)).is_err() || settled.next_event() != Some(at))
    {
        return Err("a step ends too early".into());
    }
    let long = fm.now().after(config.sm_transition.max(config.mem_transition).into());
    if settled.levels(long).is_err() || settled.next_event().is_some() {
        return Err("a step does not end".into());
    }
    Ok(())
}

fn explore_fm(config: &FmConfig) -> usize {
    let ways = Ways::<Fms, _> {
        key: |_, model| Some(model.timeless()),
        event: |_, _, answered, before, now| check_fm_event(answered, before, now),
        future: check_steps,
        most: usize::MAX,
    };
    explore(config, &ways, fm_alphabet)
}

#[test]
fn an_fm_with_every_choice() {
    let mut states = 0;
    for majority in [Majority::Strict, Majority::Plurality] {
        for idle in [Idle::Hold, Idle::Relax] {
            for (sms, sm_transition, mem_transition) in [(1, 0, 2), (2, 2, 1), (3, 0, 1)] {
                let base = FmConfig::GTX480;
                let config = FmConfig { sms, sm_transition, mem_transition, majority, idle, ..base };
                states += explore_fm(&config);
            }
        }
    }
    assert!(states > 10_000, "{states} states");
}
