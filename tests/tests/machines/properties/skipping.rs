//! frontend-O4: a skipped span cannot be told from a stepped one, and `next_event` is neither early nor late. A machine is one plain
//! value: its copy goes on as it does, here or in another thread.

use std::hash::{DefaultHasher, Hash, Hasher};

use gpusched::{Cycle, Fault};
use gpusched_tests::events::{Answer, Event, Told};
use gpusched_tests::stepping::skips_as_it_steps;
use proptest::prelude::*;

use crate::properties::configs::{Machine, configs, machine};
use crate::properties::script::{Resolver, Step, play, script};

/// Longer than any latency of the random configurations but the huge ones.
const HORIZON: u64 = 40;

fn skipping_equals_stepping(gpu: &Machine, n: u64) -> Result<(), TestCaseError> {
    skips_as_it_steps(gpu, n).map_err(TestCaseError::fail)
}

/// [`FrontEnd::advance`] is a run that ends right behind the first cycle that decides something, or at its limit.
fn advancing_is_a_run(gpu: &Machine, until: Cycle) -> Result<(), TestCaseError> {
    let (mut advanced, mut run) = (gpu.clone(), gpu.clone());
    let (mut out, mut run_out) = (Told::default(), Told::default());
    let announced = gpu.next_event();
    let words = advanced.advance(until, &mut out);
    if words == Err(Fault::TimeOverflow) {
        prop_assert_eq!((until, gpu.next_event()), (Cycle::MAX, None));
        prop_assert!(out == Told::default() && advanced == *gpu);
        return Ok(());
    }
    let span = advanced.now().since(gpu.now());
    prop_assert_eq!(words, run.run(span, &mut run_out));
    prop_assert_eq!(&out, &run_out);
    prop_assert_eq!(&advanced, &run);
    let out = out.decisions;
    prop_assert!(out.iter().all(|(at, _)| at.after(1) == advanced.now()), "{:?} before {:?}", out, advanced.now());
    if out.is_empty() {
        // Or behind a cycle in which a unit of LaPerm was loaded.
        let loaded = gpu.config().laperm().is_some() && announced.is_some_and(|at| advanced.now() == at.after(1));
        prop_assert!(loaded || advanced.now() == until.max(gpu.now()));
    } else {
        prop_assert!(advanced.now() <= until);
    }
    Ok(())
}

/// Before the announced cycle nothing is decided; in it something is. Where none is announced, nothing is decided at all. A
/// cycle in which a unit of LaPerm is loaded is announced, whatever its visit finds.
fn next_event_is_tight(gpu: &Machine) -> Result<(), TestCaseError> {
    let loads = gpu.config().laperm().is_some_and(|part| part.charge_insert || part.refill_cycles > 0);
    let mut gpu = gpu.clone();
    let announced = gpu.next_event();
    let horizon = gpu.now().after(HORIZON);
    while gpu.now() < horizon {
        let now = gpu.now();
        let mut told = Told::default();
        gpu.tick(&mut told).expect("time is short");
        let decided = told.decisions.len();
        let due = announced == Some(now);
        if loads && due && decided == 0 {
            break;
        }
        prop_assert_eq!(due, decided > 0, "{} decisions in {:?}, announced for {:?}", decided, now, announced);
        if due {
            break;
        }
    }
    Ok(())
}

fn hash(gpu: &Machine) -> u64 {
    let mut hasher = DefaultHasher::new();
    gpu.hash(&mut hasher);
    hasher.finish()
}

fn answers(config: &gpusched::Config, steps: &[Step]) -> (Machine, Vec<Answer>) {
    let mut gpu = machine(config);
    let mut all = Vec::new();
    let played = play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| {
        all.push(event.apply(gpu));
        Ok(())
    });
    played.expect("nothing is checked here");
    (gpu, all)
}

proptest! {
    #![proptest_config(crate::every::runs(1200))]

    #[test]
    fn a_run_of_n_cycles_is_n_ticks(config in configs(), steps in script(), n in 1..HORIZON) {
        play(&mut machine(&config), &mut Resolver::default(), &steps, &mut |gpu, event| {
            event.apply(gpu);
            skipping_equals_stepping(gpu, n)
        })?;
    }

    #[test]
    fn advancing_stops_after_the_first_decision(config in configs(), steps in script(), n in 0..HORIZON, left in 0..60u64) {
        for start in [0, Cycle::MAX.0 - left] {
            let mut gpu = machine(&config);
            Event::Run(start).apply(&mut gpu);
            play(&mut gpu, &mut Resolver::default(), &steps, &mut |gpu, event| {
                event.apply(gpu);
                advancing_is_a_run(gpu, gpu.now().after(n))?;
                advancing_is_a_run(gpu, Cycle(gpu.now().0.saturating_sub(n)))?;
                advancing_is_a_run(gpu, Cycle::MAX)
            })?;
        }
    }

    #[test]
    fn the_next_event_is_announced_exactly(config in configs(), steps in script()) {
        play(&mut machine(&config), &mut Resolver::default(), &steps, &mut |gpu, event| {
            event.apply(gpu);
            next_event_is_tight(gpu)
        })?;
    }

    /// A copy made anywhere in a run is equal, hashes equally, and gives the same answers from then on, although it has not seen the
    /// cycles before it.
    #[test]
    fn a_copy_goes_on_as_the_original(config in configs(), before in script(), after in script()) {
        let mut original = machine(&config);
        let mut resolver = Resolver::default();
        play(&mut original, &mut resolver, &before, &mut |gpu, event: &Event| { event.apply(gpu); Ok(()) })?;
        let mut copy = original.clone();
        prop_assert_eq!(hash(&original), hash(&copy));
        play(&mut original, &mut resolver, &after, &mut |gpu, event| {
            copy = copy.clone();
            prop_assert_eq!(event.apply(gpu), event.apply(&mut copy));
            prop_assert_eq!(&*gpu, &copy);
            prop_assert_eq!(hash(gpu), hash(&copy));
            Ok(())
        })?;
    }

    /// The same events give the same decisions, whatever else runs: no state is shared.
    #[test]
    fn two_threads_agree(config in configs(), steps in script()) {
        let (one, two) = std::thread::scope(|scope| {
            let other = scope.spawn(|| answers(&config, &steps));
            (answers(&config, &steps), other.join().expect("the other thread ends well"))
        });
        prop_assert!(one == two);
    }
}

/// All of the above that a script can show, cycle by cycle.
fn time_passes(config: &gpusched::Config, steps: &[Step], n: u64) -> Result<(), TestCaseError> {
    let mut forgetful = machine(config);
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        // What the cycles before have found makes no difference.
        forgetful = forgetful.clone();
        prop_assert_eq!(event.apply(gpu), event.apply(&mut forgetful));
        prop_assert_eq!(&*gpu, &forgetful);
        skipping_equals_stepping(gpu, n)?;
        advancing_is_a_run(gpu, gpu.now().after(n))?;
        if config.bubble.is_none() {
            advancing_is_a_run(gpu, Cycle::MAX)?;
        }
        next_event_is_tight(gpu)
    })
}

on_each! {
    skipping_under_laperm: 600 of laperm, 1..HORIZON => |((config, steps), n)| time_passes(&config, &steps, n);
    skipping_with_bubbles: 600 of bubbles, 1..HORIZON => |((config, steps), n)| time_passes(&config, &steps, n);
    skipping_with_graphs: 600 of graphs, 1..HORIZON => |((config, steps), n)| time_passes(&config, &steps, n);
    skipping_with_grids: 1200 of grids, 1..HORIZON => |((config, steps), n)| time_passes(&config, &steps, n);
    skipping_with_what_modern_adds: 1200 of modern, 1..HORIZON => |((config, steps), n)| time_passes(&config, &steps, n);
    skipping_with_graphs_under_laperm: 600 of laperm_graphs, 1..HORIZON => |((config, steps), n)| {
        time_passes(&config, &steps, n)
    };
}
