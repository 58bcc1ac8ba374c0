//! Images of LaPerm: a restored machine cannot be told from the saved one, and forgery never makes a machine that breaks.

use flate2::Crc;
use gpusched::laperm::{Config, LaPerm, Model, Resources, Tables, image_config};
use gpusched::{Cycle, FrontEnd, ImageError, SmxId, UnitId};
use gpusched_tests::images::{CHECKSUM, HEADER};
use gpusched_tests::laperm::event::{Call, Event};
use gpusched_tests::laperm::heap::{self, HeapTables};
use gpusched_tests::laperm::host::Host;
use gpusched_tests::laperm::invariants::check;
use proptest::prelude::*;

use crate::script::{configs, play, script};

pub fn image<T: Tables>(m: &LaPerm<T>) -> Vec<u8> {
    let mut image = vec![0xa5; m.image_len()];
    assert_eq!(m.save(&mut image), Ok(image.len()));
    image
}

fn restore(image: &[u8]) -> Result<LaPerm<HeapTables>, ImageError> {
    LaPerm::restore(image, heap::tables(&image_config(image)?))
}

/// An image whose body has one byte changed and whose checksum is right all the same.
fn forged(image: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let mut image = image[..image.len() - CHECKSUM].to_vec();
    let body = image.len() - HEADER;
    image[HEADER + at % body] = byte;
    let mut crc = Crc::new();
    crc.update(&image);
    image.extend(crc.sum().to_le_bytes());
    image
}

#[test]
fn an_image_is_of_its_own_kind() {
    let image = image(&heap::machine(&Config::K20C).unwrap());
    assert_eq!(image[..12], [&b"gpusched"[..], &[2, 0, 1, 0]].concat());
    assert_eq!(gpusched::image_config(&image), Err(ImageError::WrongKind));
    let front_end =
        FrontEnd::<gpusched_heap::HeapTables>::restore(&image, gpusched_heap::tables(&gpusched::Config::K20C));
    assert_eq!(front_end.map(drop), Err(ImageError::WrongKind));
    let small = heap::tables(&Config { pool_cap: 0, ..Config::K20C });
    assert!(matches!(LaPerm::<HeapTables>::restore(&image, small), Err(ImageError::Tables(t)) if t.table == "entries"));
    for len in 0..image.len() {
        assert_eq!(restore(&image[..len]).map(drop), Err(ImageError::Truncated));
        let need = image.len();
        assert_eq!(heap::machine(&Config::K20C).unwrap().save(&mut vec![0; len]), Err(ImageError::TooSmall { need }));
    }
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

/// Images of yesterday. If this fails, the form has changed: count up the version in `core/src/dispatch/laperm/image.rs`, and
/// check in the images of the new version beside the old ones.
#[test]
fn stored_images_are_still_good() {
    let stored: [(Model, &[u8]); 2] = [
        (Model::Dtbl, include_bytes!("../images/laperm-dtbl-v1.bin")),
        (Model::Cdp, include_bytes!("../images/laperm-cdp-v1.bin")),
    ];
    for (model, stored) in stored {
        let m = busy(model);
        let some = |entries: usize| assert!(entries > 0, "{model:?} has something of everything");
        some(m.queue(Some(UnitId(0))).count());
        some(m.off_chip(Some(UnitId(0))).count());
        some(usize::from(m.backup(SmxId(2)).is_some_and(|b| b.unit.is_some() && b.run > 0)));
        let now = image(&m);
        if now != stored {
            std::fs::write(format!("{}/laperm-{model:?}.bin", env!("CARGO_TARGET_TMPDIR")), &now).unwrap();
        }
        assert!(now == stored, "the form has changed; today's image is in {}", env!("CARGO_TARGET_TMPDIR"));
        assert_eq!(restore(stored), Ok(m));
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
        for (at, byte) in tries {
            let Ok(mut m) = restore(&forged(&good, at, byte)) else { continue };
            check(&m).map_err(TestCaseError::fail)?;
            prop_assert_eq!(restore(&image(&m)), Ok(m.clone()));
            play(&mut m, &mut Host::default(), &after, &mut |m, _, event| { event.apply(m).ok(); Ok(()) })?;
            check(&m).map_err(TestCaseError::fail)?;
            let _ = (m.next_event(), m.is_idle(), Event { now: Cycle::MAX, call: Call::Tick }.apply(&mut m));
        }
    }
}
