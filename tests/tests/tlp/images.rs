//! Images: a restored unit cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::tlp::{
    KernelCode, KernelType, Metrics, Pref, TbNeeds, TlpConfig, left_over_image_config, pool_image_config,
    smart_even_image_config, smc_image_config, tlp_sm_image_config,
};
use gpusched::{Cycle, ImageError};
use gpusched_tests::equalizer::Machine;
use gpusched_tests::images::{
    NUMBERS, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
};
use gpusched_tests::tlp::invariants::check;
use gpusched_tests::tlp::{Event, Kind, Unit, script};
use proptest::prelude::*;

use crate::against_model::{bytes, runs};

/// Units with a state, with the kind of their images and its name.
const KINDS: [(Kind, u8, &str); 5] = [
    (Kind::TlpSm, 14, "tlp-sm"),
    (Kind::Pool, 15, "tlp-pool"),
    (Kind::LeftOver, 16, "tlp-leftover"),
    (Kind::SmartEven, 17, "tlp-smart-even"),
    (Kind::Smc, 18, "tlp-smc"),
];

const CONFIG: TlpConfig = TlpConfig { sms: 4, ..TlpConfig::GTX480 };

fn kernel(threads: u32, opt: u32) -> KernelCode {
    KernelCode { needs: TbNeeds { threads, regs: 40, smem: 0 }, kind: KernelType::Optimal as u32, opt }
}

/// A unit in the middle of things.
pub fn busy(kind: Kind) -> Unit {
    let mut unit = Unit::new(kind, &CONFIG).unwrap();
    let mut take = |event| drop(unit.take(&event).unwrap_or_else(|fault| panic!("{event:?}: {fault}")));
    let needs = TbNeeds { threads: 300, regs: 7, smem: 9 };
    match kind {
        Kind::Pure => {}
        Kind::TlpSm => {
            // The fifth period: two TBs of kernel 0 bypass on trial, and some of the TBs have ended.
            for k in 0..2 {
                take(Event::Attach { now: Cycle(5), k, kernel: kernel(128, 3) });
            }
            for (i, stall_mem) in (0..).zip([100, 50, 60]) {
                let now = Cycle(10 + 1000 * i);
                (0..6).for_each(|_| take(Event::Dispatch { now, avail: [true; 2] }));
                let end = Cycle(now.0 + 500);
                (0..6).for_each(|slot| take(Event::Finish { now: end, slot }));
                let metrics =
                    Metrics { sp: [70 + i, 40], ldst: [30, 33 + i], stall_mem, stall_struct: 1, avail: [true; 2] };
                take(Event::Sample { now: end, metrics });
            }
            (0..6).for_each(|_| take(Event::Dispatch { now: Cycle(4000), avail: [true; 2] }));
            [1, 4].into_iter().for_each(|slot| take(Event::Finish { now: Cycle(4100), slot }));
        }
        Kind::Pool => {
            for (i, kind) in
                [KernelType::Up, KernelType::Down, KernelType::Optimal, KernelType::Up].into_iter().enumerate()
            {
                let pref = if i % 2 == 0 { Pref::Compute } else { Pref::Memory };
                take(Event::Add { kind, pref, ready: i != 2 });
            }
            take(Event::PickNext { kind: KernelType::Up, pref: Pref::Compute });
        }
        Kind::LeftOver => {
            take(Event::Submit { needs, n_tb: 9 });
            take(Event::Submit { needs, n_tb: 400 });
            (0..11).for_each(|_| take(Event::Send));
            [3, 0, 1].into_iter().for_each(|sm| take(Event::LeftOverFinish { sm, k: 0 }));
        }
        Kind::SmartEven => {
            let job = |n_tb| gpusched::tlp::Job { needs, n_tb };
            take(Event::Share(vec![job(90), job(2), job(3)]));
            (0..9).for_each(|_| take(Event::Send));
            [2, 3, 2, 0].into_iter().for_each(|sm| take(Event::SharerFinish(sm)));
        }
        Kind::Smc => {
            take(Event::Search([5, 3]));
            [10, 11, 12, 9].into_iter().for_each(|perf| take(Event::Report(perf)));
        }
    }
    unit
}

fn image_config(kind: Kind, image: &[u8]) -> Result<TlpConfig, ImageError> {
    match kind {
        Kind::Pure => unreachable!(),
        Kind::TlpSm => tlp_sm_image_config(image),
        Kind::Pool => pool_image_config(image),
        Kind::LeftOver => left_over_image_config(image),
        Kind::SmartEven => smart_even_image_config(image),
        Kind::Smc => smc_image_config(image),
    }
}

fn restored(kind: Kind, image: &[u8]) -> Result<Unit, ImageError> {
    let unit = Unit::restore(kind, image)?;
    assert_eq!(image_config(kind, image), Ok(*unit.config()));
    Ok(unit)
}

fn holds(unit: &Unit) -> Result<(), String> {
    check(unit.config(), &unit.view())
}

#[test]
fn what_is_damaged_is_refused() {
    for (kind, ..) in KINDS {
        assert_damage_is_refused(&busy(kind), |image| restored(kind, image));
    }
}

#[test]
fn kinds_are_told_apart() {
    for (kind, number, _) in KINDS {
        let image = image(&busy(kind));
        assert_kind(&image, number);
        for (other, ..) in KINDS.into_iter().filter(|(other, ..)| *other != kind) {
            assert_eq!(Unit::restore(other, &image).err(), Some(ImageError::WrongKind));
            assert_eq!(image_config(other, &image), Err(ImageError::WrongKind));
        }
    }
}

#[test]
fn stored_images_are_still_good() {
    for (kind, _, name) in KINDS {
        let file = format!("{name}-v1.bin");
        assert_is_stored(&busy(kind), &file, env!("CARGO_TARGET_TMPDIR"), |image| restored(kind, image));
    }
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for (kind, ..) in KINDS {
        assert_forgery_is_harmless(&image(&busy(kind)), NUMBERS, |image| restored(kind, image), |unit| holds(&unit));
    }
}

proptest! {
    #![proptest_config(runs(1000))]

    /// One unit goes on; another one goes through an image before every event.
    #[test]
    fn a_restored_unit_goes_on_as_the_original((config, events) in bytes(), which in 0..5usize) {
        let (kind, ..) = KINDS[which];
        let config = script::config(&config);
        let mut unit = Unit::new(kind, &config).unwrap();
        let mut traveller = image(&unit);
        for bytes in &events {
            let event = script::event(&config, kind, &unit.view(), bytes);
            let mut other = restored(kind, &traveller).expect("its image is good");
            prop_assert_eq!(unit.take(&event), other.take(&event));
            prop_assert!(other == unit, "after {:?}", event);
            traveller = image(&other);
        }
    }

    /// A forged body is refused, or makes a unit that keeps the invariants and bears every call.
    #[test]
    fn a_forged_unit_does_no_harm(
        which in 0..5usize,
        edits in prop::collection::vec((any::<usize>(), prop_oneof![4 => 0..=8u8, 1 => any::<u8>()]), 1..=4),
        events in prop::collection::vec(any::<[u8; script::EVENT]>(), 1..60),
    ) {
        let (kind, ..) = KINDS[which];
        let forged = forge(&image(&busy(kind)), &edits, |image| restored(kind, image));
        let Some(mut unit) = forged else { return Ok(()) };
        holds(&unit).map_err(TestCaseError::fail)?;
        for bytes in &events {
            let event = script::event(unit.config(), kind, &unit.view(), bytes);
            let _ = unit.take(&event);
            holds(&unit).map_err(TestCaseError::fail)?;
        }
    }
}
