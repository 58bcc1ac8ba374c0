//! Random runs: the core answers and stands as the model does, and keeps the invariants.

use std::collections::BTreeSet;

use gpusched::Fault;
use gpusched::equalizer::{Action, Fm, Outcome, Sm, Step};
use gpusched_tests::equalizer::invariants::{Watch, check_fm_event};
use gpusched_tests::equalizer::{FmAnswer, Machine, SmAnswer, model};
use gpusched_tests::images::valid;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::equalizer::script::{FmHost, SmHost, fm_configs, fm_script, runs, sm_configs, sm_script};

proptest! {
    #![proptest_config(runs(3000))]

    #[test]
    fn an_sm_answers_as_the_model(config in sm_configs(), steps in sm_script()) {
        let (mut core, mut model) = (Sm::new(&config).unwrap(), model::Sm::new(&config));
        let (mut host, mut watch, mut view) = (SmHost::new(&config), Watch::default(), core.view());
        prop_assert_eq!(&view, &model.view());
        for step in &steps {
            for event in host.events(step, &view) {
                let before = core.clone();
                let answer = core.take(&event);
                prop_assert_eq!(&answer, &model.take(&event), "{:?}", event);
                prop_assert!(answer.is_ok() || core == before, "{:?} was refused and changed the state", event);
                let now = core.view();
                prop_assert_eq!(&now, &model.view(), "after {:?}", event);
                valid(&core, core.validate()).map_err(TestCaseError::fail)?;
                watch.note(&config, &event, &answer, &view, &now).map_err(TestCaseError::fail)?;
                view = now;
            }
        }
    }

    #[test]
    fn an_fm_answers_as_the_model(config in fm_configs(), steps in fm_script()) {
        let (mut core, mut model) = (Fm::new(&config).unwrap(), model::Fm::new(&config));
        let (mut host, mut view) = (FmHost::new(&config), core.view());
        prop_assert_eq!(&view, &model.view());
        for step in &steps {
            for event in host.events(step, &view) {
                let before = core.clone();
                let answer = core.take(&event);
                prop_assert_eq!(&answer, &model.take(&event), "{:?}", event);
                prop_assert!(answer.is_ok() || core == before, "{:?} was refused and changed the state", event);
                let now = core.view();
                prop_assert_eq!(&now, &model.view(), "after {:?}", event);
                valid(&core, core.validate()).and_then(|()| check_fm_event(&answer, &view, &now)).map_err(TestCaseError::fail)?;
                view = now;
            }
        }
    }
}

/// What random runs came across.
#[derive(Default)]
struct Reached {
    faults: BTreeSet<&'static str>,
    found: BTreeSet<String>,
}

impl Reached {
    fn note_sm(&mut self, answer: &SmAnswer) {
        let change = match answer {
            SmAnswer::Granted(granted) if granted.change.pause.contains(&granted.slot) => {
                self.found.insert("arrives paused".into());
                &granted.change
            }
            SmAnswer::Granted(granted) => &granted.change,
            SmAnswer::Ended(ended) => &ended.change,
            SmAnswer::Change(change) => change,
            SmAnswer::EpochEnd(Some(end)) => {
                self.found.insert(format!("{:?} {:?}", end.delta, end.action));
                let flags = [("shrinks", end.changed == Step::Down), ("grows", end.changed == Step::Up)];
                self.found.extend(flags.iter().filter(|(_, is)| *is).map(|(name, _)| (*name).to_owned()));
                if end.watchdog {
                    self.found.insert("watchdog".into());
                }
                &end.change
            }
            _ => return,
        };
        let lists = [("pause", !change.pause.is_empty()), ("unpause", !change.unpause.is_empty())];
        let asks = [("requests", change.requests > 0)];
        self.found.extend(lists.iter().chain(&asks).filter(|(_, is)| *is).map(|(name, _)| (*name).to_owned()));
    }

    fn note_fm(&mut self, answer: &FmAnswer) {
        if let FmAnswer::Vote(Some(round)) | FmAnswer::Round(round) = answer {
            for resolved in [round.sm, round.mem] {
                self.found.insert(format!("{:?}, {:?}", resolved.decision, resolved.outcome));
            }
        }
    }
}

#[test]
fn random_runs_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let mut reached = Reached::default();
    for _ in 0..1500 {
        let (config, steps) = (sm_configs(), sm_script()).new_tree(&mut runner).expect("a value").current();
        let (mut core, mut host) = (Sm::new(&config).unwrap(), SmHost::new(&config));
        for step in &steps {
            for event in host.events(step, &core.view()) {
                match core.take(&event) {
                    Ok(answer) => reached.note_sm(&answer),
                    Err(fault) => drop(reached.faults.insert(fault.name())),
                }
            }
        }
        let (config, steps) = (fm_configs(), fm_script()).new_tree(&mut runner).expect("a value").current();
        let (mut core, mut host) = (Fm::new(&config).unwrap(), FmHost::new(&config));
        for step in &steps {
            for event in host.events(step, &core.view()) {
                match core.take(&event) {
                    Ok(answer) => reached.note_fm(&answer),
                    Err(fault) => drop(reached.faults.insert(fault.name())),
                }
            }
        }
    }
    let faults = [
        Fault::TimeOverflow,
        Fault::TimeBackwards,
        Fault::SampleMissed,
        Fault::Busy,
        Fault::BadKernel,
        Fault::UnsolicitedGrant,
        Fault::UnsolicitedDeny,
        Fault::DuplicateBlock,
        Fault::NoKernel,
        Fault::BadSlot,
        Fault::SlotEmpty,
        Fault::NotDue,
        Fault::BadSample,
        Fault::BadObjective,
        Fault::BadSm,
        Fault::NotEnabled,
        Fault::BadVote,
        Fault::AlreadyVoted,
        Fault::RoundOpen,
    ];
    assert_eq!(reached.faults, faults.iter().map(|f| f.name()).collect());
    let mut expected = BTreeSet::from(
        ["arrives paused", "shrinks", "grows", "watchdog", "pause", "unpause", "requests"].map(str::to_owned),
    );
    for (delta, action) in [
        (Step::Down, Action::Mem),
        (Step::Hold, Action::Comp),
        (Step::Hold, Action::Mem),
        (Step::Up, Action::Comp),
        (Step::Up, Action::Mem),
        (Step::Hold, Action::None),
    ] {
        expected.insert(format!("{delta:?} {action:?}"));
    }
    let decisions = [Step::Down, Step::Hold, Step::Up];
    let outcomes = [Outcome::None, Outcome::Busy, Outcome::Limit, Outcome::Start, Outcome::Done];
    for (decision, outcome) in decisions.into_iter().flat_map(|d| outcomes.map(|o| (d, o))) {
        let possible = match outcome {
            Outcome::None => decision == Step::Hold,
            Outcome::Limit => decision != Step::Hold,
            _ => true,
        };
        if possible {
            expected.insert(format!("{decision:?}, {outcome:?}"));
        }
    }
    assert_eq!(reached.found, expected);
}
