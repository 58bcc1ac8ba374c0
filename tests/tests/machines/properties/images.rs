//! Images: a restored machine cannot be told from the saved one, and a forged image never makes a machine that breaks.

use gpusched::{Config, InlineTables};
use gpusched_tests::drain::drain;
use gpusched_tests::events::Event;
use gpusched_tests::images::{Saved, again, forge, image, inline, on_both, on_heap};
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::properties::configs::{
    Machine, TinyFcfs, TinyLaPerm, bubble_configs, configs, graph_configs, laperm_configs, laperm_graph_configs,
    machine,
};
use crate::properties::script::{Resolver, Step, graph_script, play, script};

/// Changes to a body, for several forged ones.
fn tries() -> impl Strategy<Value = Vec<Vec<u64>>> {
    prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=4), 6)
}

/// Uses a machine that somebody made up: it keeps the invariants, bears every call, and can be saved and restored at any time; and
/// every call ends.
fn survives(gpu: &mut Machine, steps: &[Step]) -> Result<(), TestCaseError> {
    gpu.holds().map_err(TestCaseError::fail)?;
    play(gpu, &mut Resolver::default(), steps, &mut |gpu, event| {
        let _ = on_both(gpu, |gpu| event.apply(gpu)).map_err(TestCaseError::fail)?;
        let _ = gpu.next_event();
        Ok(())
    })?;
    let _ = View::of(gpu);
    // A controller's samples cannot be skipped.
    let _ = gpu.run(if gpu.config().bubble.is_some() { 200 } else { 1 << 40 }, &mut ());
    again(gpu).map(drop).map_err(TestCaseError::fail)
}

/// One machine steps through the script, and so does what its image makes, on tables of the same home and of another one.
fn travels<T: InlineTables>(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut gpu = machine(config);
    play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| {
        let mut elsewhere = inline::<T>(&image(gpu)).expect("its image is good");
        let answer = on_both(gpu, |gpu| event.apply(gpu)).map_err(TestCaseError::fail)?;
        prop_assert_eq!(event.apply(&mut elsewhere), answer);
        prop_assert_eq!(image(&elsewhere), image(gpu));
        Ok(())
    })?;
    again(&gpu).map(drop).map_err(TestCaseError::fail)
}

fn restored_drains(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut gpu = machine(config);
    play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| {
        event.apply(gpu);
        Ok(())
    })?;
    let mut restored = on_heap(&image(&gpu)).expect("its image is good");
    let call = &mut |gpu: &mut _, event: &Event| {
        event.apply(gpu);
        Ok(())
    };
    drain(&mut restored, call).map_err(TestCaseError::fail)
}

fn bears_forgery(config: &Config, before: &[Step], tries: &[Vec<u64>], after: &[Step]) -> Result<(), TestCaseError> {
    let mut gpu = machine(config);
    play(&mut gpu, &mut Resolver::default(), before, &mut |gpu, event| {
        event.apply(gpu);
        Ok(())
    })?;
    for mut forged in tries.iter().filter_map(|edits| forge(&gpu, edits)) {
        survives(&mut forged, after)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::every::runs(600))]

    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), steps in script()) {
        travels::<TinyFcfs>(&config, &steps)?;
    }

    /// Wherever a run is cut, what is restored can be drained.
    #[test]
    fn a_restored_machine_drains(config in configs(), steps in script()) {
        restored_drains(&config, &steps)?;
    }
}

proptest! {
    #![proptest_config(crate::every::runs(300))]

    #[test]
    fn a_machine_with_laperm_goes_on_from_its_image(config in laperm_configs(), steps in script()) {
        travels::<TinyLaPerm>(&config, &steps)?;
        restored_drains(&config, &steps)?;
    }

    #[test]
    fn a_machine_with_bubbles_goes_on_from_its_image(config in bubble_configs(), steps in script()) {
        travels::<TinyFcfs>(&config, &steps)?;
        restored_drains(&config, &steps)?;
    }

    #[test]
    fn a_machine_with_graphs_goes_on_from_its_image(config in graph_configs(), steps in graph_script()) {
        travels::<TinyFcfs>(&config, &steps)?;
        restored_drains(&config, &steps)?;
    }

    #[test]
    fn a_machine_with_graphs_under_laperm_goes_on_from_its_image(config in laperm_graph_configs(), steps in graph_script()) {
        travels::<TinyLaPerm>(&config, &steps)?;
        restored_drains(&config, &steps)?;
    }
}

proptest! {
    #![proptest_config(crate::every::runs(150))]

    /// The checksum keeps damage out, not forgery; forgery is refused, or makes a machine that bears every call.
    #[test]
    fn a_forged_image_never_breaks_anything(
        config in configs(),
        before in script(),
        tries in tries(),
        after in script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }

    #[test]
    fn a_forged_graph_never_breaks_anything(
        config in graph_configs(),
        before in graph_script(),
        tries in tries(),
        after in graph_script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }

    #[test]
    fn a_forged_laperm_never_breaks_anything(
        config in laperm_configs(),
        before in script(),
        tries in tries(),
        after in script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }

    #[test]
    fn a_forged_controller_never_breaks_anything(
        config in bubble_configs(),
        before in script(),
        tries in tries(),
        after in script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }
}
