//! Random runs: the core answers and stands as the model does, keeps the invariants, and no TB waits for ever.

use std::collections::BTreeSet;

use gpusched::power::{GpuDone, GpuStart, Resources, Resume, ResumeKind, Sample};
use gpusched::{Fault, SmxSet};
use gpusched_tests::bubble::invariants::{Watch, serves};
use gpusched_tests::bubble::model::Model;
use gpusched_tests::bubble::{Answer, Machine, machine};
use gpusched_tests::images::valid;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::bubble::script::{Host, Step, configs, runs, script};

proptest! {
    #![proptest_config(runs(1500))]

    #[test]
    fn the_core_answers_as_the_model(config in configs(), steps in script()) {
        let (mut core, mut model, mut host) = (machine(&config).unwrap(), Model::new(&config), Host::new(&config));
        let (mut watch, mut view) = (Watch::new(&config), core.view());
        prop_assert_eq!(&view, &model.view());
        for step in &steps {
            host.wait(step);
            for event in host.events(step) {
                let before = core.clone();
                let answer = core.take(&event);
                prop_assert_eq!(&answer, &model.take(&event), "{:?}", event);
                if answer.is_ok() {
                    host.accepted(&event);
                } else {
                    prop_assert!(core == before, "{:?} was refused and changed the state", event);
                }
                let now = core.view();
                prop_assert_eq!(&now, &model.view(), "after {:?}", event);
                valid(&core, core.validate()).map_err(TestCaseError::fail)?;
                watch.note(&event, &answer, &view, &now).map_err(TestCaseError::fail)?;
                view = now;
            }
            for threads in [1, config.smx_threads] {
                let res = Resources { threads, regs: 1, smem: 0, slots: 1 };
                serves(&core, &config, res, host.due).map_err(TestCaseError::fail)?;
            }
        }
    }
}

/// What random runs came across.
#[derive(Default)]
struct Reached {
    faults: BTreeSet<&'static str>,
    found: BTreeSet<&'static str>,
}

impl Reached {
    fn note(&mut self, sample: &Sample) {
        let sets = [
            ("low_done", sample.low_done),
            ("high_done", sample.high_done),
            ("divert", sample.divert),
            ("refused", sample.refused),
            ("drain_done", sample.drain_done),
            ("drain_abort", sample.drain_abort),
            ("down", sample.down),
        ];
        let flags = [
            ("gpu low", sample.gpu_done == Some(GpuDone::Low)),
            ("gpu high", sample.gpu_done == Some(GpuDone::High)),
            ("gpu down", sample.gpu_start == Some(GpuStart::Down)),
            ("gpu up", sample.gpu_start == Some(GpuStart::Up)),
            ("up", matches!(sample.resume, Some(Resume { kind: ResumeKind::Up, .. }))),
            ("cancel", matches!(sample.resume, Some(Resume { kind: ResumeKind::Cancel, .. }))),
            ("starved", sample.starved),
        ];
        let sets = sets.into_iter().map(|(name, set)| (name, set != SmxSet::EMPTY));
        self.found.extend(sets.chain(flags).filter(|(_, found)| *found).map(|(name, _)| name));
    }
}

#[test]
fn random_runs_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let mut reached = Reached::default();
    for _ in 0..500 {
        let (config, steps) = (configs(), script()).new_tree(&mut runner).expect("a value").current();
        let (mut core, mut host) = (machine(&config).unwrap(), Host::new(&config));
        for step in &steps as &[Step] {
            host.wait(step);
            for event in host.events(step) {
                let answer = core.take(&event);
                if answer.is_ok() {
                    host.accepted(&event);
                }
                match answer {
                    Ok(Answer::Sample(sample)) => reached.note(&sample),
                    Ok(_) => {}
                    Err(fault) => drop(reached.faults.insert(fault.name())),
                }
            }
        }
    }
    let faults = [
        Fault::TimeReversed,
        Fault::BadSmx,
        Fault::BadResources,
        Fault::NeverFits,
        Fault::NotEligible,
        Fault::NoFit,
        Fault::ReleaseUnderflow,
        Fault::OffSample,
        Fault::BadMask,
        Fault::BadActivity,
    ];
    assert_eq!(reached.faults, faults.iter().map(|f| f.name()).collect());
    assert_eq!(reached.found.len(), 14, "{:?}", reached.found);
}
