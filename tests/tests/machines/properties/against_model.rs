//! The front end answers as the model does: return values, faults, decisions, words, and everything that can be seen.

use gpusched::{Config, Cycle};
use gpusched_tests::events::Event;
use gpusched_tests::model::Model;
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::properties::configs::{Machine, machine};
use crate::properties::script::{Resolver, Step, play};

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

on_each! {
    without_gates: 10000 of ungated => |((config, steps),)| agree(&config, &steps, 0);
    with_gates: 10000 of plain => |((config, steps),)| agree(&config, &steps, 0);
    /// dtbl-S4: times saturate, and the last cycle is refused.
    at_the_end_of_time: 2500 of plain, 0..40u64 => |((config, steps), left)| agree(&config, &steps, Cycle::MAX.0 - left);
    /// frontend-E2: the model drives the machines of those sheets.
    under_laperm: 5000 of ungated_laperm => |((config, steps),)| agree(&config, &steps, 0);
    under_laperm_with_gates: 5000 of laperm => |((config, steps),)| agree(&config, &steps, 0);
    with_bubbles: 5000 of bubbles => |((config, steps),)| agree(&config, &steps, 0);
    with_graphs: 5000 of graphs => |((config, steps),)| agree(&config, &steps, 0);
    with_graphs_under_laperm: 2500 of laperm_graphs => |((config, steps),)| agree(&config, &steps, 0);
    with_what_modern_adds: 10000 of modern => |((config, steps),)| agree(&config, &steps, 0);
    at_the_end_of_time_with_what_modern_adds: 1000 of modern, 0..40u64 => |((config, steps), left)| {
        agree(&Config { bubble: None, ..config }, &steps, Cycle::MAX.0 - left)
    };
    with_grids: 8000 of grids => |((config, steps),)| agree(&config, &steps, 0);
    at_the_end_of_time_with_grids: 1000 of grids, 0..40u64 => |((config, steps), left)| {
        agree(&Config { bubble: None, ..config }, &steps, Cycle::MAX.0 - left)
    };
    /// dtbl-S4 under LaPerm. A controller's samples cannot be skipped, so that there is none.
    at_the_end_of_time_under_laperm: 1000 of laperm, 0..40u64 => |((config, steps), left)| {
        agree(&Config { bubble: None, ..config }, &steps, Cycle::MAX.0 - left)
    };
}
