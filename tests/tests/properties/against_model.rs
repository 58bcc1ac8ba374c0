//! The front end answers as the model does: return values, faults, decisions, words, and everything that can be seen.

use gpusched::{Config, Cycle, FrontEnd};
use gpusched_tests::events::Event;
use gpusched_tests::model::Model;
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::script::{Resolver, Step, Tiny, configs, machine, plain_script, play, script};

fn compare(gpu: &mut FrontEnd<Tiny>, model: &mut Model, event: &Event) -> Result<(), TestCaseError> {
    let expected = model.apply(event);
    let got = event.apply(gpu);
    prop_assert_eq!(&got, &expected, "{:?}", event);
    prop_assert_eq!(View::of(gpu), model.view(), "after {:?}", event);
    Ok(())
}

fn agree(config: &Config, steps: &[Step], start: u64) -> Result<(), TestCaseError> {
    let mut gpu = machine(config);
    let mut model = Model::new(config);
    compare(&mut gpu, &mut model, &Event::Run(start))?;
    play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| compare(gpu, &mut model, event))
}

proptest! {
    #![proptest_config(crate::runs(10000))]

    #[test]
    fn without_gates(config in configs(), steps in plain_script()) {
        agree(&config, &steps, 0)?;
    }

    #[test]
    fn with_gates(config in configs(), steps in script()) {
        agree(&config, &steps, 0)?;
    }
}

proptest! {
    #![proptest_config(crate::runs(2500))]

    /// S4: times saturate, and the last cycle is refused.
    #[test]
    fn at_the_end_of_time(config in configs(), steps in script(), left in 0..40u64) {
        agree(&config, &steps, Cycle::MAX.0 - left)?;
    }
}
