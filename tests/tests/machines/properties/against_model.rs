//! The front end answers as the model does: return values, faults, decisions, words, and everything that can be seen.

use gpusched::{Config, Cycle};
use gpusched_tests::events::Event;
use gpusched_tests::model::Model;
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::properties::configs::{
    Machine, bubble_configs, configs, graph_configs, laperm_configs, laperm_graph_configs, machine,
};
use crate::properties::script::{Resolver, Step, graph_script, plain_script, play, script};

fn compare(gpu: &mut Machine, model: &mut Model, event: &Event) -> Result<(), TestCaseError> {
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
    #![proptest_config(crate::every::runs(10000))]

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
    #![proptest_config(crate::every::runs(2500))]

    /// dtbl-S4: times saturate, and the last cycle is refused.
    #[test]
    fn at_the_end_of_time(config in configs(), steps in script(), left in 0..40u64) {
        agree(&config, &steps, Cycle::MAX.0 - left)?;
    }
}

proptest! {
    #![proptest_config(crate::every::runs(5000))]

    /// LaPerm, some with an occupancy-bubble controller (frontend-E2: the model drives the machines of those sheets).
    #[test]
    fn under_laperm(config in laperm_configs(), steps in plain_script()) {
        agree(&config, &steps, 0)?;
    }

    #[test]
    fn under_laperm_with_gates(config in laperm_configs(), steps in script()) {
        agree(&config, &steps, 0)?;
    }

    #[test]
    fn with_bubbles(config in bubble_configs(), steps in script()) {
        agree(&config, &steps, 0)?;
    }
}

proptest! {
    #![proptest_config(crate::every::runs(5000))]

    /// Graphs among kernels, groups, gates and bubbles.
    #[test]
    fn with_graphs(config in graph_configs(), steps in graph_script()) {
        agree(&config, &steps, 0)?;
    }
}

proptest! {
    #![proptest_config(crate::every::runs(2500))]

    #[test]
    fn with_graphs_under_laperm(config in laperm_graph_configs(), steps in graph_script()) {
        agree(&config, &steps, 0)?;
    }
}

proptest! {
    #![proptest_config(crate::every::runs(1000))]

    /// dtbl-S4 under LaPerm. A controller's samples cannot be skipped, so that there is none.
    #[test]
    fn at_the_end_of_time_under_laperm(config in laperm_configs(), steps in script(), left in 0..40u64) {
        agree(&Config { bubble: None, ..config }, &steps, Cycle::MAX.0 - left)?;
    }
}
