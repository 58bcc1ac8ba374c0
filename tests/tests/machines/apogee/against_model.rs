//! Random runs: the core answers and stands as the model does, and keeps the invariants.

use std::collections::BTreeSet;

use gpusched::Fault;
use gpusched::apogee::{Adjust, Push, Tia};
use gpusched_tests::apogee::invariants::check_event;
use gpusched_tests::apogee::model::Model;
use gpusched_tests::apogee::{Answer, LoadAnswer, Machine, machine};
use gpusched_tests::images::valid;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::apogee::script::{Host, Step, configs, runs, script};

proptest! {
    #![proptest_config(runs(2000))]

    #[test]
    fn the_core_answers_as_the_model(config in configs(), steps in script()) {
        let (mut core, mut model, mut host) = (machine(&config).unwrap(), Model::new(&config), Host::new(&config));
        let mut view = core.view();
        prop_assert_eq!(&view, &model.view());
        for step in &steps {
            for event in host.events(step) {
                let before = core.clone();
                let answer = core.take(&event);
                prop_assert_eq!(&answer, &model.take(&event), "{:?}", event);
                match &answer {
                    Ok(answer) => host.answered(&event, answer),
                    Err(_) => prop_assert!(core == before, "{:?} was refused and changed the state", event),
                }
                let now = core.view();
                prop_assert_eq!(&now, &model.view(), "after {:?}", event);
                prop_assert_eq!(core.next_event(), Machine::next_event(&model));
                prop_assert!(model.balances());
                valid(&core, core.validate()).map_err(TestCaseError::fail)?;
                check_event(&config, &event, &answer, &view, &now).map_err(TestCaseError::fail)?;
                view = now;
            }
        }
    }
}

/// What random runs came across.
fn note(found: &mut BTreeSet<String>, decided: &LoadAnswer) {
    let loaded = &decided.loaded;
    found.insert(format!("adjust {:?}", loaded.adjust));
    found.insert(format!("tia {:?}", loaded.tia));
    found.extend(decided.trig.iter().map(|t| format!("triggered {:?} {}", t.result, t.moved)));
    let flags = [
        ("evicted", loaded.evicted.is_some()),
        ("tia evicted", loaded.tia_evicted.is_some()),
        ("mismatch", loaded.mismatch),
        ("several lines", loaded.pushed > 1),
        ("merged", loaded.merged > 0),
        ("some merged", loaded.merged > 0 && loaded.pushed > 0),
        ("dropped", loaded.dropped > 0),
        ("outside", loaded.outside > 0),
        ("some outside", loaded.outside > 0 && loaded.pushed > 0),
    ];
    found.extend(flags.iter().filter(|(_, found)| *found).map(|(name, _)| (*name).to_owned()));
}

#[test]
fn random_runs_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let (mut faults, mut found) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..1500 {
        let (config, steps) = (configs(), script()).new_tree(&mut runner).expect("a value").current();
        let (mut core, mut host) = (machine(&config).unwrap(), Host::new(&config));
        for step in &steps as &[Step] {
            for event in host.events(step) {
                match core.take(&event) {
                    Ok(answer) => {
                        host.answered(&event, &answer);
                        match answer {
                            Answer::Load(decided) => note(&mut found, &decided),
                            Answer::PfReply(true) | Answer::PfFill(true) => drop(found.insert("stale".to_owned())),
                            _ => {}
                        }
                    }
                    Err(fault) => drop(faults.insert(fault.name())),
                }
            }
        }
    }
    let sheet = [
        Fault::TimeOverflow,
        Fault::TimeBackwards,
        Fault::BadWarp,
        Fault::PcRange,
        Fault::NoActiveLanes,
        Fault::BadLanes,
        Fault::AddressRange,
        Fault::BadResult,
        Fault::ReplyPending,
        Fault::NoReplyPending,
        Fault::BadEntry,
        Fault::BadThreads,
    ];
    assert_eq!(faults, sheet.iter().map(|f| f.name()).collect());
    let adjusts = [Adjust::None, Adjust::Inc, Adjust::IncSat, Adjust::Dec, Adjust::DecMin];
    let tias = [Tia::None, Tia::Added, Tia::Kept, Tia::Slow, Tia::SelfLoad, Tia::NoLal, Tia::NoRoom];
    let mut all = BTreeSet::from_iter(adjusts.iter().map(|adjust| format!("adjust {adjust:?}")));
    all.extend(tias.iter().map(|tia| format!("tia {tia:?}")));
    for push in [Push::Pushed, Push::Merged, Push::Dropped] {
        all.extend([false, true].map(|moved| format!("triggered {push:?} {moved}")));
    }
    let flags = "evicted,tia evicted,mismatch,several lines,merged,some merged,dropped,outside,some outside,stale";
    all.extend(flags.split(',').map(str::to_owned));
    assert_eq!(found, all);
}
