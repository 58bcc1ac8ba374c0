//! Images: a restored machine cannot be told from the saved one, and a forged image never makes a machine that breaks.

use gpusched::{Config, InlineTables};
use gpusched_tests::drain::drain;
use gpusched_tests::events::Event;
use gpusched_tests::images::{Saved, again, forge, image, inline, on_both, on_heap};
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::properties::configs::{Machine, TinyLaPerm, TinyModern, machine};
use crate::properties::script::{Resolver, Step, graph_script, grid_script, modern_script, play, script};

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

on_each! {
    a_restored_machine_goes_on_as_the_original: 600 of plain => |((config, steps),)| travels::<TinyModern>(&config, &steps);
    /// Wherever a run is cut, what is restored can be drained.
    a_restored_machine_drains: 600 of plain => |((config, steps),)| restored_drains(&config, &steps);
    a_machine_with_laperm_goes_on_from_its_image: 300 of laperm => |((config, steps),)| {
        travels::<TinyLaPerm>(&config, &steps)?;
        restored_drains(&config, &steps)
    };
    a_machine_with_bubbles_goes_on_from_its_image: 300 of bubbles => |((config, steps),)| {
        travels::<TinyModern>(&config, &steps)?;
        restored_drains(&config, &steps)
    };
    a_machine_with_graphs_goes_on_from_its_image: 300 of graphs => |((config, steps),)| {
        travels::<TinyModern>(&config, &steps)?;
        restored_drains(&config, &steps)
    };
    a_machine_with_what_modern_adds_goes_on_from_its_image: 300 of modern => |((config, steps),)| {
        travels::<TinyModern>(&config, &steps)?;
        restored_drains(&config, &steps)
    };
    a_machine_with_grids_goes_on_from_its_image: 300 of grids => |((config, steps),)| {
        travels::<TinyModern>(&config, &steps)?;
        restored_drains(&config, &steps)
    };
    a_machine_with_graphs_under_laperm_goes_on_from_its_image: 300 of laperm_graphs => |((config, steps),)| {
        travels::<TinyLaPerm>(&config, &steps)?;
        restored_drains(&config, &steps)
    };
    /// The checksum keeps damage out, not forgery; forgery is refused, or makes a machine that bears every call.
    a_forged_image_never_breaks_anything: 150 of plain, tries(), script() => |((config, before), tries, after)| {
        bears_forgery(&config, &before, &tries, &after)
    };
    a_forged_machine_with_what_modern_adds_never_breaks_anything: 150 of modern, tries(), modern_script() => |((config, before), tries, after)| {
        bears_forgery(&config, &before, &tries, &after)
    };
    a_forged_machine_with_grids_never_breaks_anything: 150 of grids, tries(), grid_script() => |((config, before), tries, after)| {
        bears_forgery(&config, &before, &tries, &after)
    };
    a_forged_graph_never_breaks_anything: 150 of graphs, tries(), graph_script() => |((config, before), tries, after)| {
        bears_forgery(&config, &before, &tries, &after)
    };
    a_forged_laperm_never_breaks_anything: 150 of laperm, tries(), script() => |((config, before), tries, after)| {
        bears_forgery(&config, &before, &tries, &after)
    };
    a_forged_controller_never_breaks_anything: 150 of bubbles, tries(), script() => |((config, before), tries, after)| {
        bears_forgery(&config, &before, &tries, &after)
    };
}
