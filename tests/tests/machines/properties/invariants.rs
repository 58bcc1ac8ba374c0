//! What holds in every state and along every run; a refused call changes nothing; every run can be drained.

use gpusched::Config;
use gpusched_tests::drain::drain;
use gpusched_tests::events::Event;
use gpusched_tests::invariants::{Before, Ledger, check};
use proptest::prelude::*;

use crate::properties::configs::{
    Machine, bubble_configs, configs, graph_configs, laperm_configs, laperm_graph_configs, machine,
};
use crate::properties::script::{Resolver, Step, graph_script, play, script};

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
    let drained = drain(&mut gpu, &mut |gpu, event| call(gpu, &mut ledger, event));
    drained.and_then(|()| ledger.settled()).map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(crate::every::runs(3000))]

    #[test]
    fn hold_and_every_run_drains(config in configs(), steps in script()) {
        holds_and_drains(&config, &steps)?;
    }
}

proptest! {
    #![proptest_config(crate::every::runs(1500))]

    #[test]
    fn hold_under_laperm(config in laperm_configs(), steps in script()) {
        holds_and_drains(&config, &steps)?;
    }

    #[test]
    fn hold_with_graphs(config in graph_configs(), steps in graph_script()) {
        holds_and_drains(&config, &steps)?;
    }

    #[test]
    fn hold_with_graphs_under_laperm(config in laperm_graph_configs(), steps in graph_script()) {
        holds_and_drains(&config, &steps)?;
    }

    #[test]
    fn hold_with_bubbles(config in bubble_configs(), steps in script()) {
        holds_and_drains(&config, &steps)?;
    }
}
