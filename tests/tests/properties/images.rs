//! Images: a restored machine cannot be told from the saved one, and a forged image never makes a machine that breaks.

use gpusched::{Config, FrontEnd, ImageError, InlineTables};
use gpusched_heap::tables;
use gpusched_tests::drain::drain;
use gpusched_tests::events::Event;
use gpusched_tests::images::{CHECKSUM, HEADER, forged, image, inline, on_heap};
use gpusched_tests::invariants::check;
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::configs::{
    Machine, TinyFcfs, TinyLaPerm, bubble_configs, configs, graph_configs, laperm_configs, laperm_graph_configs,
    machine,
};
use crate::script::{Resolver, Step, graph_script, play, script};

/// A change to a body.
#[derive(Clone, Debug)]
enum Edit {
    Set(u16, u8),
    Flip(u16, u8),
    Insert(u16, u8),
    Remove(u16),
    /// Copies a few bytes over others: ids and whole rows appear twice.
    Copy(u16, u16, u8),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let byte = || prop_oneof![3 => 0..=8u8, 1 => any::<u8>()];
    let at = any::<u16>;
    let edit = prop_oneof![
        6 => (at(), byte()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        3 => (at(), 0..8u8).prop_map(|(at, bit)| Edit::Flip(at, 1 << bit)),
        1 => (at(), byte()).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        1 => at().prop_map(Edit::Remove),
        1 => (at(), at(), 1..40u8).prop_map(|(from, to, n)| Edit::Copy(from, to, n)),
    ];
    prop::collection::vec(edit, 1..=4)
}

/// An image whose body was edited and whose length and checksum are right all the same.
fn edited(image: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut body = image[HEADER..image.len() - CHECKSUM].to_vec();
    for edit in edits {
        let position = |at: u16| usize::from(at) % body.len();
        match *edit {
            Edit::Set(at, byte) => {
                let at = position(at);
                body[at] = byte;
            }
            Edit::Flip(at, bits) => {
                let at = position(at);
                body[at] ^= bits;
            }
            Edit::Insert(at, byte) => body.insert(position(at), byte),
            Edit::Remove(at) => {
                body.remove(position(at));
            }
            Edit::Copy(from, to, n) => {
                let (from, to) = (position(from), position(to));
                let n = usize::from(n).min(body.len() - from.max(to));
                body.copy_within(from..from + n, to);
            }
        }
    }
    forged(image, &body)
}

/// Uses a machine that somebody made up: it keeps the invariants, it bears every call, and every call ends.
fn survives(gpu: &mut Machine, steps: &[Step]) -> Result<(), TestCaseError> {
    let copy = on_heap(&image(gpu)).expect("a machine can be saved and restored");
    prop_assert_eq!(image(gpu), image(&copy), "a forged machine is one like others");
    check(gpu).map_err(TestCaseError::fail)?;
    play(gpu, &mut Resolver::default(), steps, &mut |gpu, event| {
        event.apply(gpu);
        let _ = gpu.next_event();
        Ok(())
    })?;
    check(gpu).map_err(TestCaseError::fail)?;
    let _ = View::of(gpu);
    // A controller's samples cannot be skipped.
    let _ = gpu.run(if gpu.config().bubble.is_some() { 200 } else { 1 << 40 }, &mut ());
    Ok(())
}

/// One machine steps through the script, another one goes through an image and another home before and after every call.
fn travels<T: InlineTables>(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut traveller = image(&machine(config));
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        let mut elsewhere = inline::<T>(&traveller).expect("its image is good");
        prop_assert_eq!(event.apply(gpu), event.apply(&mut elsewhere));
        traveller = image(&elsewhere);
        let mut back = on_heap(&traveller).expect("its image is good");
        prop_assert_eq!(&back, &*gpu, "after {:?}", event);
        prop_assert_eq!(image(gpu), &traveller[..]);
        prop_assert_eq!(Event::Tick.apply(&mut back), Event::Tick.apply(&mut gpu.clone()));
        Ok(())
    })
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

fn bears_forgery(config: &Config, before: &[Step], tries: &[Vec<Edit>], after: &[Step]) -> Result<(), TestCaseError> {
    let mut gpu = machine(config);
    play(&mut gpu, &mut Resolver::default(), before, &mut |gpu, event| {
        event.apply(gpu);
        Ok(())
    })?;
    let image = image(&gpu);
    for edits in tries {
        // Into tables of the true machine, so that a forged configuration takes no memory.
        match FrontEnd::restore(&edited(&image, edits), tables(config)) {
            Ok(mut forged) => survives(&mut forged, after)?,
            Err(e) => prop_assert!(matches!(e, ImageError::Content | ImageError::Tables(_)), "{:?}", e),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::runs(600))]

    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), steps in script()) {
        travels::<TinyFcfs>(&config, &steps)?;
    }

    /// Wherever a run is cut, what is restored can be drained.
    #[test]
    fn a_restored_machine_drains(config in configs(), steps in script()) {
        restored_drains(&config, &steps)?;
    }

    /// The checksum keeps damage out, not forgery; forgery is refused, or makes a machine that bears every call.
    #[test]
    fn a_forged_image_never_breaks_anything(
        config in configs(),
        before in script(),
        tries in prop::collection::vec(edits(), 64),
        after in script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }
}

proptest! {
    #![proptest_config(crate::runs(300))]

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

    #[test]
    fn a_forged_graph_never_breaks_anything(
        config in graph_configs(),
        before in graph_script(),
        tries in prop::collection::vec(edits(), 64),
        after in graph_script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }

    #[test]
    fn a_forged_laperm_never_breaks_anything(
        config in laperm_configs(),
        before in script(),
        tries in prop::collection::vec(edits(), 64),
        after in script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }

    #[test]
    fn a_forged_controller_never_breaks_anything(
        config in bubble_configs(),
        before in script(),
        tries in prop::collection::vec(edits(), 64),
        after in script(),
    ) {
        bears_forgery(&config, &before, &tries, &after)?;
    }
}
