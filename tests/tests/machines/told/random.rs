//! Random runs: the front end answers as the model does, keeps the invariants, leaves nothing of a refused call, and can be cut
//! anywhere between cycles.

use std::collections::BTreeSet;

use gpusched::{Config, Decision, Fault, OfferLoad, Sched, Words};
use gpusched_tests::drain::drain;
use gpusched_tests::events::{Event, Value};
use gpusched_tests::images::{image, on_heap};
use gpusched_tests::invariants::{Before, Ledger, check};
use gpusched_tests::model::Model;
use gpusched_tests::view::View;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::properties::configs::{Machine, machine};
use crate::told::configs::{told_configs, told_grid_configs};
use crate::told::script::{Host, Script, told_grid_script, told_script};

type Checked = Result<(), TestCaseError>;

fn is_begun(gpu: &Machine) -> bool {
    gpu.told_state().is_some_and(|told| told.is_begun)
}

/// The same call on both: return values, faults, decisions, all that is offered, all that can be seen, and what falls due next.
fn compare(gpu: &mut Machine, model: &mut Model, event: &Event) -> Checked {
    let expected = model.apply(event);
    let got = event.apply(gpu);
    prop_assert_eq!(&got, &expected, "{:?}", event);
    prop_assert_eq!(View::of(gpu), model.view(), "after {:?}", event);
    for question in [Event::NextEvent, Event::Offers] {
        prop_assert_eq!(question.apply(gpu), model.apply(&question), "{:?} after {:?}", question, event);
    }
    Ok(())
}

fn agrees(config: &Config, script: &Script, start: u64) -> Checked {
    let (mut gpu, mut model) = (machine(config), Model::new(config));
    compare(&mut gpu, &mut model, &Event::Skip(start))?;
    Host::default().play(&mut gpu, script, &mut |gpu, event| compare(gpu, &mut model, event))
}

/// policy-I1 to I7: the books, the state's own word, and a refused call changes nothing.
fn call(gpu: &mut Machine, ledger: &mut Ledger, event: &Event) -> Result<(), String> {
    let (before, unchanged) = (Before::of(gpu), gpu.clone());
    let declined = gpu.told_state().is_some_and(|told| told.has_declined);
    let answer = event.apply(gpu);
    if answer.refusal().is_some() && *gpu != unchanged {
        return Err(format!("{event:?} was refused and changed the state"));
    }
    let wrong = |message: String| format!("{message} after {event:?}");
    ledger.book(&before, event, &answer, gpu).map_err(wrong)?;
    check(gpu).map_err(wrong)?;
    let told = gpu.told_state().ok_or("nobody is told")?;
    // policy-I5: what is not the rescue's leaves the pointer alone.
    if !matches!(event, Event::End(_)) && gpu.rr() != unchanged.rr() {
        return Err(wrong("policy-I5: rr moves".into()));
    }
    // policy-I4, between cycles: a call that was accepted has lifted the promise, and nothing but an end makes one.
    let makes_or_keeps = matches!(event, Event::End(_) | Event::Save | Event::Skip(_)) || told.is_begun;
    let is_question = matches!(event, Event::HasWork(_) | Event::WaitingHead(_) | Event::Offers | Event::NextEvent);
    if told.has_declined && !makes_or_keeps && !is_question && answer.refusal().is_none() {
        let errs = matches!(answer.value, Ok(Value::Graph(Err(_))));
        if !errs {
            return Err(wrong("policy-I4: what was declined still is".into()));
        }
    }
    if told.has_declined && !declined && !matches!(event, Event::End(_)) {
        return Err(wrong("policy-P9: only an end declines".into()));
    }
    Ok(())
}

fn holds_and_drains(config: &Config, script: &Script) -> Checked {
    let (mut gpu, mut ledger) = (machine(config), Ledger::default());
    Host::default()
        .play(&mut gpu, script, &mut |gpu, event| call(gpu, &mut ledger, event).map_err(TestCaseError::fail))?;
    let drained = drain(&mut gpu, &mut |gpu, event| call(gpu, &mut ledger, event));
    drained.and_then(|()| ledger.settled()).map_err(TestCaseError::fail)
}

/// Wherever a run is cut between cycles, what is restored is what was saved, and goes on as it.
fn travels(config: &Config, script: &Script) -> Checked {
    let mut gpu = machine(config);
    Host::default().play(&mut gpu, script, &mut |gpu, event| {
        let restored = (!is_begun(gpu)).then(|| on_heap(&image(gpu)).expect("its image is good"));
        let answer = event.apply(gpu);
        if let Some(mut restored) = restored {
            prop_assert_eq!(event.apply(&mut restored), answer, "{:?}", event);
            prop_assert_eq!(&restored, &*gpu, "after {:?}", event);
            *gpu = restored;
        }
        Ok(())
    })
}

#[test]
fn a_told_machine_answers_as_the_model() {
    crate::every::check(4000, (told_configs(), told_script()), |(config, script)| agrees(&config, &script, 0));
}

/// launch2-W1.
#[test]
fn a_told_machine_with_grids_answers_as_the_model() {
    let random = (told_grid_configs(), told_grid_script());
    crate::every::check(1500, random, |(config, script)| agrees(&config, &script, 0));
}

#[test]
fn with_grids_invariants_hold_and_every_run_drains() {
    let random = (told_grid_configs(), told_grid_script());
    crate::every::check(500, random, |(config, script)| holds_and_drains(&config, &script));
}

/// dtbl-S4: times saturate, and the last cycle is not begun. A controller's samples cannot be skipped, so that there is none.
#[test]
fn at_the_end_of_time() {
    crate::every::check(800, (told_configs(), told_script(), 0..40u64), |(config, script, left)| {
        agrees(&Config { bubble: None, ..config }, &script, u64::MAX - left)
    });
}

#[test]
fn invariants_hold_and_every_run_drains() {
    crate::every::check(1500, (told_configs(), told_script()), |(config, script)| holds_and_drains(&config, &script));
}

#[test]
fn a_restored_machine_goes_on_as_the_original() {
    crate::every::check(400, (told_configs(), told_script()), |(config, script)| travels(&config, &script));
}

/// The random runs reach what they are meant to test: every fault of the seam, every word but that of a graph's
/// deadlock, every state of a load, the guard, the rescue, and TBs from behind the head.
#[test]
fn random_runs_reach_everything() {
    let (mut faults, mut loads) = (BTreeSet::new(), BTreeSet::new());
    let mut words = Words::default();
    let (mut stalled, mut rescued, mut passed, mut unknown, mut full) = (0, 0, 0, 0, 0);
    let mut runner = TestRunner::deterministic();
    for _ in 0..4000 {
        let (config, script) = (told_configs(), told_script()).new_tree(&mut runner).expect("a value").current();
        let mut gpu = machine(&config);
        let played = Host::default().play(&mut gpu, &script, &mut |gpu, event| {
            let answer = event.apply(gpu);
            faults.extend(answer.refusal().map(Fault::name));
            match answer.value {
                Ok(Value::Offers(offers)) => {
                    loads.extend(offers.iter().map(|offer| format!("{:?}", offer.load)));
                    unknown += offers.iter().filter(|offer| offer.blkid.is_none()).count();
                }
                Ok(Value::Sched(sched)) => {
                    words.count(&gpusched::Tick { sched, kmu: gpusched::Kmu::Empty }, 1);
                    let in_end = answer.decisions.iter().any(|(_, d)| matches!(d, Decision::Tb(_)));
                    rescued += u64::from(in_end && matches!(sched, Sched::Tb(_)));
                }
                _ => {}
            }
            full = full.max(gpu.told_state().map_or(0, |told| told.sent));
            Ok(())
        });
        played.expect("nothing is checked here");
        stalled += gpu.stats().stalled;
        passed += gpu.stats().passed;
    }
    let of_the_seam = [
        Fault::Told,
        Fault::MidCycle,
        Fault::TwiceBegun,
        Fault::NotBegun,
        Fault::BadOffer,
        Fault::NotHere,
        Fault::NoNode,
        Fault::ClosedK,
        Fault::ClosedR,
        Fault::ClosedE,
        Fault::ClosedX,
        Fault::ClosedM,
        Fault::CycleFull,
        Fault::BadWake,
        Fault::NoLoad,
        Fault::BadSmx,
        Fault::NoSplit,
        Fault::SplitFull,
        Fault::Split,
    ];
    let missing = of_the_seam.iter().filter(|fault| !faults.contains(fault.name())).collect::<Vec<_>>();
    assert!(missing.is_empty(), "{missing:?}");
    let all = [OfferLoad::None, OfferLoad::Needed, OfferLoad::Waiting, OfferLoad::Here].map(|load| format!("{load:?}"));
    assert_eq!(loads, all.into_iter().collect());
    let Words { tb, idle, load, noroom, gated, capped, told, .. } = words;
    let Words { g_no_ready, g_head, g_level_bound, g_fault, .. } = words;
    let counts = [tb, idle, load, noroom, gated, capped, told, g_no_ready, g_head, g_level_bound, g_fault];
    assert!(counts.iter().all(|&n| n > 0), "{words:?}");
    assert!(stalled > 20 && rescued > 20 && passed > 20 && unknown > 20 && full > 2);
}
