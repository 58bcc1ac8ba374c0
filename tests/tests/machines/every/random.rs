//! Random runs: beside the model, and through C.

use gpusched::Fault;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::images::{Saved, image};
use gpusched_tests::machine::{Answered as _, Machine, Object};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::script::{Answered, Script, check, play};

/// The machine of a configuration.
pub fn core<F: Script>(config: &F::Config) -> F::Core {
    F::core(config).expect("random configurations are valid")
}

/// Random runs of a machine, each from its beginning.
pub fn run<F: Script>(
    cases: u32,
    test: impl Fn(&F::Config, &mut F::Core, &mut F::Host, &[F::Step]) -> Result<(), TestCaseError>,
) {
    check(cases, (F::configs(), F::story()), |(config, steps)| {
        test(&config, &mut core::<F>(&config), &mut F::host(&config), &steps)
    });
}

/// Makes a call, and has its event checked.
///
/// # Errors
/// What does not hold.
pub fn noted<F: Script>(
    core: &mut F::Core,
    host: &mut F::Host,
    event: &F::Event,
    call: impl FnOnce(&mut F::Core) -> Result<Answered<F>, String>,
) -> Result<Answered<F>, TestCaseError> {
    let before = core.view();
    let answered = call(core).map_err(TestCaseError::fail)?;
    F::note(host, event, &answered, &before, &core.view(), core)
        .map_err(|wrong| TestCaseError::fail(format!("{wrong}: {event:?}")))?;
    Ok(answered)
}

pub fn the_core_answers_as_the_model<F: Script>() {
    answers_as_the_model::<F>(F::RUNS.model, F::configs());
}

/// The core answers and stands as the model does, and keeps the invariants; what it refuses changes nothing.
pub fn answers_as_the_model<F: Script>(cases: u32, configs: BoxedStrategy<F::Config>) {
    check(cases, (configs, F::story()), |(config, steps)| {
        let (mut core, mut host) = (core::<F>(&config), F::host(&config));
        let mut model = F::model(&config).expect("random configurations are valid");
        prop_assert_eq!(&core.view(), &model.view());
        for step in &steps {
            F::step(&mut core, &mut host, step, &mut |core, host, event| {
                let before = core.clone();
                let answered = noted::<F>(core, host, event, |core| Ok(core.take(event)))?;
                prop_assert_eq!(&answered, &model.take(event), "{:?}", event);
                if answered.refusal().is_some() {
                    prop_assert!(*core == before, "{:?} was refused and changed the state", event);
                }
                let (now, expected) = (core.view(), model.view());
                prop_assert!(F::alike(&now, &expected), "after {event:?}: {now:?},\nthe model {expected:?}");
                core.holds().and_then(|()| F::beside(core, &model)).map_err(TestCaseError::fail)?;
                Ok(answered)
            })?;
            F::settled(&core, &host).map_err(TestCaseError::fail)?;
        }
        F::ends(&mut core, &mut host, &steps).map_err(TestCaseError::fail)
    });
}

/// Before every event one object is saved and another one becomes what it was; both answer as the core does, show what it shows, and
/// have its image.
pub fn the_c_face_answers_as_the_core<F: Script>() {
    run::<F>(F::RUNS.c, |config, core, host, steps| {
        let object = || F::C::new(config).expect("random configurations are valid");
        let (mut one, mut other) = (object(), object());
        play::<F>(core, host, steps, &mut |core, host, event| {
            let saved = one.image();
            prop_assert_eq!(&saved, &image(core));
            prop_assert_eq!(F::image_config(core, &saved), Ok(*config));
            prop_assert_eq!(one.image_config(&saved), Ok(*config));
            prop_assert_eq!(other.restore(&saved), Ok(()));
            let expected = noted::<F>(core, host, event, |core| Ok(core.take(event)))?;
            prop_assert_eq!(&one.take(event), &expected, "{:?}", event);
            prop_assert_eq!(&other.take(event), &expected, "restored, {:?}", event);
            let (shown, view) = (one.view(), core.view());
            prop_assert!(F::alike(&shown, &view), "after {event:?}: {shown:?},\nthe core {view:?}");
            F::shows(core, &one)?;
            if expected.refusal().is_some() {
                prop_assert!(one.image() == saved, "{:?} changed what it refused", event);
            }
            prop_assert!(one.mark() == other.mark(), "after {:?}", event);
            std::mem::swap(&mut one, &mut other);
            Ok(expected)
        })
    });
}

pub fn the_presets_are_those_of_the_core<F: Script>() {
    for config in F::PRESETS {
        let (c, core) = (F::C::new(config).expect("a preset"), core::<F>(config));
        assert_eq!((c.view(), c.image()), (core.view(), image(&core)));
    }
    assert_eq!(F::C::new(&F::BAD).err(), Some(Status::BadConfig));
    assert_eq!(F::core(&F::BAD).err(), Some(Fault::BadConfig));
}

/// Random runs that are looked at: by `note` at what was answered and is seen then, and at the faults.
pub fn reach<F: Script>(
    cases: usize,
    mut note: impl FnMut(&F::Config, &Answered<F>, &F::View),
) -> std::collections::BTreeSet<&'static str> {
    let (mut runner, mut faults) = (TestRunner::deterministic(), std::collections::BTreeSet::new());
    for _ in 0..cases {
        let (config, steps) = (F::configs(), F::story()).new_tree(&mut runner).expect("a value").current();
        let found = play::<F>(&mut core::<F>(&config), &mut F::host(&config), &steps, &mut |core, host, event| {
            let answered = noted::<F>(core, host, event, |core| Ok(core.take(event)))?;
            faults.extend(answered.fault().map(Fault::name));
            note(&config, &answered, &core.view());
            Ok(answered)
        });
        found.expect("random runs are sound");
    }
    faults
}
