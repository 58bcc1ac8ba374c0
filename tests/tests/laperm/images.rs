//! Images of LaPerm: a restored machine cannot be told from the saved one, and forgery never makes a machine that breaks.

use gpusched::laperm::{Config, LaPerm, Model, Resources, image_config};
use gpusched::{Cycle, FrontEnd, ImageError, SmxId, UnitId};
use gpusched_tests::images::{
    NUMBERS, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
};
use gpusched_tests::laperm::event::{Call, Event};
use gpusched_tests::laperm::heap::{self, HeapTables};
use gpusched_tests::laperm::host::Host;
use gpusched_tests::laperm::invariants::check;
use proptest::prelude::*;

use crate::script::{configs, play, script};

fn restore(image: &[u8]) -> Result<LaPerm<HeapTables>, ImageError> {
    LaPerm::restore(image, heap::tables(&image_config(image)?))
}

#[test]
fn an_image_is_of_its_own_kind() {
    let image = image(&heap::machine(&Config::K20C).unwrap());
    assert_kind(&image, 2);
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
    for (model, file) in [(Model::Dtbl, "laperm-dtbl-v1.bin"), (Model::Cdp, "laperm-cdp-v1.bin")] {
        let m = busy(model);
        let some = |entries: usize| assert!(entries > 0, "{model:?} has something of everything");
        some(m.queue(Some(UnitId(0))).count());
        some(m.off_chip(Some(UnitId(0))).count());
        some(usize::from(m.backup(SmxId(2)).is_some_and(|b| b.unit.is_some() && b.run > 0)));
        assert_is_stored(&m, file, env!("CARGO_TARGET_TMPDIR"), restore);
    }
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for model in [Model::Dtbl, Model::Cdp] {
        assert_forgery_is_harmless(&image(&busy(model)), NUMBERS, restore, |m| check(&m));
    }
}

proptest! {
    #![proptest_config(crate::runs(600))]

    /// One machine steps through the script, another one goes through an image before every call.
    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), steps in script()) {
        let mut traveller = image(&heap::machine(&config).unwrap());
        play(&mut heap::machine(&config).unwrap(), &mut Host::default(), &steps, &mut |m, host, event| {
            let mut restored = restore(&traveller).expect("its image is good");
            let answer = host.call(m, event).map_err(TestCaseError::fail)?;
            prop_assert_eq!(event.apply(&mut restored), answer);
            prop_assert_eq!(&restored, &*m);
            traveller = image(&restored);
            prop_assert_eq!(restore(&traveller), Ok(m.clone()));
            Ok(())
        })?;
    }

    /// Forgery is refused, or makes a machine that keeps its invariants and bears every call.
    #[test]
    fn a_forged_image_never_breaks_anything(
        config in configs(),
        before in script(),
        tries in prop::collection::vec((any::<usize>(), prop_oneof![3 => 0..=8u8, 1 => any::<u8>()]), 64),
        after in script(),
    ) {
        let (mut m, mut host) = (heap::machine(&config).unwrap(), Host::default());
        play(&mut m, &mut host, &before, &mut |m, _, event| { event.apply(m).ok(); Ok(()) })?;
        let good = image(&m);
        for edit in tries {
            let Some(mut m) = forge(&good, &[edit], restore) else { continue };
            check(&m).map_err(TestCaseError::fail)?;
            play(&mut m, &mut Host::default(), &after, &mut |m, _, event| { event.apply(m).ok(); Ok(()) })?;
            check(&m).map_err(TestCaseError::fail)?;
            let _ = (m.next_event(), m.is_idle(), Event { now: Cycle::MAX, call: Call::Tick }.apply(&mut m));
        }
    }
}
