//! What holds in every state and along every run; a refused call changes nothing; every run can be drained.

use gpusched::Config;
use gpusched_tests::drain::drain;
use gpusched_tests::events::Event;
use gpusched_tests::invariants::{Before, Ledger, check};
use proptest::prelude::*;

use crate::properties::configs::{Machine, machine};
use crate::properties::grids::may_stay;
use crate::properties::script::{Resolver, Step, play};

/// Makes a call, and checks the books and the state.
fn call(gpu: &mut Machine, ledger: &mut Ledger, event: &Event) -> Result<(), String> {
    let before = Before::of(gpu);
    let unchanged = gpu.clone();
    let answer = event.apply(gpu);
    if let Some(fault) = answer.refusal()
        && *gpu != unchanged
    {
        return Err(format!("dtbl-I12: {event:?} was refused with {fault:?} and changed the state"));
    }
    let wrong = |message: String| format!("{message} after {event:?}");
    ledger.book(&before, event, &answer, gpu).map_err(wrong)?;
    check(gpu).map_err(wrong)
}

fn holds_and_drains(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut gpu = machine(config);
    let mut ledger = Ledger::default();
    play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| {
        call(gpu, &mut ledger, event).map_err(TestCaseError::fail)
    })?;
    drain(&mut gpu, &mut |gpu, event| call(gpu, &mut ledger, event)).map_err(TestCaseError::fail)?;
    if may_stay(&gpu)? { Ok(()) } else { ledger.settled().map_err(TestCaseError::fail) }
}

on_each! {
    hold_and_every_run_drains: 3000 of plain => |((config, steps),)| holds_and_drains(&config, &steps);
    hold_with_grids: 2500 of grids => |((config, steps),)| holds_and_drains(&config, &steps);
    hold_with_what_modern_adds: 3000 of modern => |((config, steps),)| holds_and_drains(&config, &steps);
    hold_under_laperm: 1500 of laperm => |((config, steps),)| holds_and_drains(&config, &steps);
    hold_with_graphs: 1500 of graphs => |((config, steps),)| holds_and_drains(&config, &steps);
    hold_with_graphs_under_laperm: 1500 of laperm_graphs => |((config, steps),)| holds_and_drains(&config, &steps);
    hold_with_bubbles: 1500 of bubbles => |((config, steps),)| holds_and_drains(&config, &steps);
}
