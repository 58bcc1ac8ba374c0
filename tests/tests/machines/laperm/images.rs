//! Images of LaPerm: a restored machine cannot be told from the saved one, and forgery never makes a machine that breaks.

use gpusched::laperm::{Config, LaPerm, Model, Resources, image_config};
use gpusched::{Cycle, FrontEnd, ImageError, SmxId, UnitId};
use gpusched_tests::images::{
    NUMBERS, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
    on_both,
};
use gpusched_tests::laperm::event::Event;
use gpusched_tests::laperm::heap::{self, HeapTables};
use gpusched_tests::laperm::host::Host;
use gpusched_tests::laperm::view::View;
use proptest::prelude::*;

use crate::laperm::script::{configs, play, script};

fn restore(image: &[u8]) -> Result<LaPerm<HeapTables>, ImageError> {
    LaPerm::restore(image, heap::tables(&image_config(image)?))
}

#[test]
fn an_image_is_of_its_own_kind() {
    let image = image(&heap::machine(&Config::K20C).unwrap());
    assert_kind(&image, 2, 3);
    let front_end =
        FrontEnd::<gpusched_heap::HeapTables>::restore(&image, gpusched_heap::tables(&gpusched::Config::K20C));
    assert_eq!(front_end.map(drop), Err(ImageError::WrongKind));
    let small = heap::tables(&Config { pool_cap: 0, ..Config::K20C });
    assert!(matches!(LaPerm::<HeapTables>::restore(&image, small), Err(ImageError::Tables(t)) if t.table == "entries"));
}

/// A machine with something of everything.
fn busy(model: Model) -> LaPerm<HeapTables> {
    let config = Config { smxs: 3, queue_cap: 1, pool_cap: 9, kdu_entries: 2, backup_limit: 2, model, ..Config::K20C };
    let tb = Resources { threads: 256, regs: 4096, smem: 512, slots: 1 };
    let mut m = heap::machine(&config).unwrap();
    m.push_host(Cycle(1), 1, 2, tb).unwrap();
    for tag in 2..7 {
        m.push_child(Cycle(2), tag, 3 * tag as u32, tb, SmxId(tag as u16 % 2), 1).unwrap();
    }
    m.push_host(Cycle(3), 7, 3, tb).unwrap();
    for now in 4..300 {
        m.kmu_tick(Cycle(now)).ok();
    }
    for now in 300..if model == Model::Dtbl { 321 } else { 309 } {
        m.tick(Cycle(now)).unwrap();
    }
    m.set_mask(Cycle(400), SmxId(1), true).unwrap();
    m
}

#[test]
fn what_is_damaged_is_refused() {
    assert_damage_is_refused(&busy(Model::Dtbl), restore);
    assert_damage_is_refused(&busy(Model::Cdp), restore);
}

#[test]
fn stored_images_are_still_good() {
    for (model, file) in [(Model::Dtbl, "laperm-dtbl-v3.bin"), (Model::Cdp, "laperm-cdp-v3.bin")] {
        let m = busy(model);
        let some = |entries: usize| assert!(entries > 0, "{model:?} has something of everything");
        some(m.queue(Some(UnitId(0))).unwrap().count());
        some(m.off_chip(Some(UnitId(0))).unwrap().count());
        some(usize::from(m.backup(SmxId(2)).is_some_and(|b| b.unit.is_some() && b.run > 0)));
        assert_is_stored(&m, file, env!("CARGO_TARGET_TMPDIR"), restore);
    }
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for model in [Model::Dtbl, Model::Cdp] {
        assert_forgery_is_harmless(&busy(model), NUMBERS, |_| Ok(()));
    }
}

proptest! {
    #![proptest_config(crate::laperm::runs(1500))]

    /// A machine can be saved and restored anywhere in a random history, and goes on from its image as it would have.
    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), steps in script()) {
        let mut m = heap::machine(&config).unwrap();
        play(&mut m, &mut Host::default(), &steps, &mut |m, host, event| {
            let before = View::of(m);
            let answer = on_both(m, |m| event.apply(m)).map_err(TestCaseError::fail)?;
            host.note(&before, m, event, &answer).map_err(TestCaseError::fail)
        })?;
        again(&m).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(crate::laperm::runs(300))]

    /// Forgery is refused, or makes a machine that keeps its invariants, bears every call, and can be saved and restored.
    #[test]
    fn a_forged_image_never_breaks_anything(
        config in configs(),
        before in script(),
        tries in prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=2), 8),
        after in script(),
    ) {
        let (mut m, mut host) = (heap::machine(&config).unwrap(), Host::default());
        play(&mut m, &mut host, &before, &mut |m, host, event| {
            host.call(m, event).map(drop).map_err(TestCaseError::fail)
        })?;
        for mut forged in tries.iter().filter_map(|edits| forge(&m, edits)) {
            // The host knows what ran, and nothing of what comes: what is forged has no books.
            play(&mut forged, &mut host.clone(), &after, &mut |m, _, event| {
                on_both(m, |m| event.apply(m)).map(drop).map_err(TestCaseError::fail)
            })?;
            again(&forged).map_err(TestCaseError::fail)?;
            let end = Event::Tick { now: Cycle::MAX };
            let _ = (forged.next_event(), forged.is_idle(), end.apply(&mut forged));
        }
    }
}
