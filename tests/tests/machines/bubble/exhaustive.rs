//! Every order of events on two and three small SMXs, to the end: all states that can be reached, each once.
//!
//! Times, energies and counters grow for ever and decide nothing, so states are told apart by the rest. Energies are the
//! business of the random runs.

use gpusched::power::{BubbleConfig, BubbleStats, PState, Retrigger, Waiting};
use gpusched::{Cycle, Resources, SmxId, SmxSet};
use gpusched_tests::bubble::invariants::{check_state, samples_until, serves};
use gpusched_tests::bubble::{Bubbles, Event, HeapTables, Machine, View, machine};

use crate::every::{Ways, explore};

type Gpu = gpusched::power::BubbleDvfs<HeapTables>;

/// An SMX holds three TBs of one warp, and four warps: it is in a bubble with none and one, and without room with three.
const SMALL: BubbleConfig = BubbleConfig {
    smxs: 2,
    t_num: 1,
    t_den: 2,
    sample_cycles: 1,
    drain_samples: 2,
    transition_samples: 2,
    warp_size: 1,
    smx_threads: 4,
    smx_slots: 3,
    ..BubbleConfig::K20C
};
const TB: Resources = Resources { threads: 1, regs: 0, smem: 0, slots: 1 };
const ANYWHERE: Waiting = Waiting { res: TB, allowed: None };

fn only_on(s: SmxId) -> Waiting {
    let mut allowed = SmxSet::EMPTY;
    allowed.set(s, true);
    Waiting { res: TB, allowed: Some(allowed) }
}

/// What decides.
fn key(gpu: &Gpu) -> View {
    let config = gpu.controller().config();
    let mut view = gpu.view();
    (view.stats, view.energy_uncore) = (BubbleStats::default(), 0);
    view.idle_run = view.idle_run.min(config.gpu_idle_samples.into());
    for smx in &mut view.smxs {
        (smx.energy, smx.energy_bubble, smx.bubble, smx.low) = (0, 0, 0, 0);
    }
    view
}

fn next(gpu: &Gpu) -> u64 {
    gpu.controller().next_sample().map_or(0, |at| at.0)
}

/// Everything that can happen before and at the next sample.
fn alphabet(gpu: &Gpu) -> Vec<Event> {
    let (now, view) = (gpu.controller().now(), gpu.view());
    let smxs = view.each().map(|(s, _)| s).collect::<Vec<_>>();
    let waiting = smxs.iter().map(|&s| Some(only_on(s))).chain([None, Some(ANYWHERE)]);
    let at = Cycle(next(gpu));
    let mut events = waiting.map(|waiting| Event::Sample { now: at, waiting, activity: None }).collect::<Vec<_>>();
    for &smx in &smxs {
        events.push(Event::Dispatched { now, smx, res: TB });
        events.push(Event::Completed { now, smx, res: TB });
    }
    events
}

/// The machine after all its TBs have ended.
fn emptied(gpu: &Gpu) -> Gpu {
    let mut gpu = gpu.clone();
    for (smx, state) in gpu.view().each() {
        for _ in 0..state.resident.tbs {
            gpu.completed(gpu.controller().now(), smx, &TB).expect("a resident TB ends");
        }
    }
    gpu
}

/// What must follow from every state.
fn check_future(gpu: &Gpu) -> Result<(), String> {
    let config = gpu.controller().config();
    let (w, p) = (u64::from(config.drain_samples), u64::from(config.transition_samples));
    serves(gpu, config, TB, next(gpu))?;
    // No SMX is stuck in draining, though no TB ends.
    for s in gpu.view().registers.drn.iter() {
        let over = |view: &View| !view.registers.drn.contains(s);
        samples_until(gpu, config, None, next(gpu), w, over).ok_or_else(|| format!("SMX {} drains for ever", s.0))?;
    }
    // Nor in a transition: whoever is in one gets out of it, once TBs are gone, for a TB that only that SMX may take.
    let empty = emptied(gpu);
    for (s, _) in gpu.view().each() {
        let tb = only_on(s);
        let taken = |view: &View| view.takes(config, s, &tb);
        let others = if config.resume_hold { p } else { 0 };
        samples_until(&empty, config, Some(tb), next(gpu), 2 * p + 1 + others, taken)
            .ok_or_else(|| format!("SMX {} never comes back", s.0))?;
    }
    Ok(())
}

const WAYS: Ways<Bubbles, View> = Ways {
    key: |gpu, _| Some(key(gpu)),
    event: |_, event, _, _, now| check_state(now, matches!(event, Event::Sample { .. })),
    future: check_future,
    most: usize::MAX,
};

/// Two SMXs, with every combination of the parameters that choose a rule.
#[test]
fn two_smxs_with_every_choice() {
    let flags = [false, true];
    let mut states = 0;
    for retrigger in [Retrigger::Level, Retrigger::Rearm, Retrigger::Once] {
        for (draining, gpu_level) in flags.into_iter().flat_map(|a| flags.map(|b| (a, b))) {
            for (resume_draining, resume_hold) in flags.into_iter().flat_map(|a| flags.map(|b| (a, b))) {
                for gpu_idle_samples in [1, 2] {
                    let config = BubbleConfig {
                        retrigger,
                        draining,
                        gpu_level,
                        resume_draining,
                        resume_hold,
                        gpu_idle_samples,
                        ..SMALL
                    };
                    states += explore(&config, &WAYS, alphabet);
                }
            }
        }
    }
    assert!(states > 10_000, "{states} states");
}

/// Three SMXs: resumptions that overtake each other, and destinations that are neither.
#[test]
fn three_smxs() {
    for (retrigger, resume_draining) in [(Retrigger::Rearm, true), (Retrigger::Level, false)] {
        let states = explore(&BubbleConfig { smxs: 3, retrigger, resume_draining, ..SMALL }, &WAYS, alphabet);
        assert!(states > 1_000, "{states} states");
    }
}

/// The exploration sees what it should: every P-state of every SMX, and an SMX that drains.
#[test]
fn the_exploration_reaches_every_state_of_an_smx() {
    let mut gpu = machine(&SMALL).unwrap();
    let mut reached = Vec::new();
    let mut note = |gpu: &Gpu| reached.push((gpu.view().smxs[0].pstate, gpu.view().registers.drn.contains(SmxId(0))));
    gpu.dispatched(Cycle(0), SmxId(0), &TB).unwrap();
    for _ in 0..2 {
        gpu.dispatched(Cycle(0), SmxId(1), &TB).unwrap();
    }
    gpu.sample(Cycle(0), None, None).unwrap();
    note(&gpu);
    gpu.completed(Cycle(0), SmxId(0), &TB).unwrap();
    for now in 1..=3 {
        gpu.sample(Cycle(now), None, None).unwrap();
        note(&gpu);
    }
    gpu.sample(Cycle(4), Some(&only_on(SmxId(0))), None).unwrap();
    note(&gpu);
    let expected = [(PState::High, true), (PState::Down, false), (PState::Down, false), (PState::Low, false)];
    assert_eq!(reached[..4], expected);
    assert_eq!(reached[4], (PState::Up, false));
}
