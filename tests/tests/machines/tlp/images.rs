//! Images: a restored unit cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::tlp::{
    Category, Kernel, KernelId, KernelType, Learn, Metrics, Pref, TbNeeds, TlpConfig, left_over_image_config,
    pool_image_config, smart_even_image_config, smc_image_config, tlp_sm_image_config,
};
use gpusched::{Cycle, ImageError, SlotId, SmxId};
use gpusched_tests::calls::{tlp_leftover, tlp_pool, tlp_sm, tlp_smart_even, tlp_smc};
use gpusched_tests::equalizer::Machine;
use gpusched_tests::images::{
    NUMBERS, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
    on_both,
};
use gpusched_tests::tlp::{Answer, Event, Kind, Unit, script};
use proptest::prelude::*;

use crate::tlp::against_model::{bytes, runs};

/// Units with a state, with the kind of their images and its name.
const KINDS: [(Kind, u8, &str); 5] = [
    (Kind::TlpSm, 14, "tlp-sm"),
    (Kind::Pool, 15, "tlp-pool"),
    (Kind::LeftOver, 16, "tlp-leftover"),
    (Kind::SmartEven, 17, "tlp-smart-even"),
    (Kind::Smc, 18, "tlp-smc"),
];

const CONFIG: TlpConfig = TlpConfig { sms: 4, ..TlpConfig::GTX480 };

fn kernel(threads: u32, opt: u8) -> Option<Kernel> {
    let category = Category { kind: KernelType::Optimal, opt };
    Some(Kernel { needs: TbNeeds { threads, regs: 40, smem: 0 }, category })
}

/// The answer to a call that is not refused.
fn take(unit: &mut Unit, event: impl Into<Event>) -> Answer {
    let event = event.into();
    unit.take(&event).unwrap_or_else(|fault| panic!("{event:?}: {fault}"))
}

/// One TB of kernel 0 is tried when the host takes that kernel's target away, and gives it another one: the trial goes on without a
/// bypassing TB (tlp-L6, tlp-I12).
fn tried_without_a_target() -> Unit {
    let mut unit = Unit::new(Kind::TlpSm, &CONFIG).unwrap();
    let mut take = |event: tlp_sm::Event| match take(&mut unit, event) {
        Answer::TlpSm(answer) => answer,
        other => panic!("{other:?}"),
    };
    for k in [KernelId(0), KernelId(1)] {
        take(tlp_sm::Event::Attach { now: Cycle(0), k, kernel: kernel(128, 2) });
    }
    for _ in 0..4 {
        take(tlp_sm::Event::Dispatch { now: Cycle(0), avail: [true; 2] });
    }
    for slot in (0..4).map(SlotId) {
        take(tlp_sm::Event::Finish { now: Cycle(9), slot });
    }
    let sample = tlp_sm::Event::Sample { now: Cycle(9), metrics: Metrics::default() };
    let tlp_sm::Answer::Sampled(sampled) = take(sample) else { unreachable!() };
    assert_eq!((sampled.learn, sampled.by), (Learn::S2, [1, 0]));
    for tb in [[0, 4], [2, 4]] {
        let set = take(tlp_sm::Event::OverrideTlp { now: Cycle(9), tb });
        let tlp_sm::Answer::Overridden(set) = set else { unreachable!() };
        assert_eq!(set.by, [0, 0]);
    }
    unit
}

/// A unit in the middle of things.
pub fn busy(kind: Kind) -> Unit {
    let mut unit = Unit::new(kind, &CONFIG).unwrap();
    let of = &mut unit;
    let needs = TbNeeds { threads: 300, regs: 7, smem: 9 };
    match kind {
        Kind::Pure => {}
        Kind::TlpSm => {
            // The fifth period: two TBs of kernel 0 bypass on trial, and some of the TBs have ended.
            for k in [KernelId(0), KernelId(1)] {
                take(of, tlp_sm::Event::Attach { now: Cycle(5), k, kernel: kernel(128, 3) });
            }
            for (i, stall_mem) in (0..).zip([100, 50, 60]) {
                let now = Cycle(10 + 1000 * i);
                (0..6).for_each(|_| drop(take(of, tlp_sm::Event::Dispatch { now, avail: [true; 2] })));
                let end = Cycle(now.0 + 500);
                (0..6).map(SlotId).for_each(|slot| drop(take(of, tlp_sm::Event::Finish { now: end, slot })));
                let metrics =
                    Metrics { sp: [70 + i, 40], ldst: [30, 33 + i], stall_mem, stall_struct: 1, avail: [true; 2] };
                take(of, tlp_sm::Event::Sample { now: end, metrics });
            }
            let now = Cycle(4000);
            (0..6).for_each(|_| drop(take(of, tlp_sm::Event::Dispatch { now, avail: [true; 2] })));
            for slot in [SlotId(1), SlotId(4)] {
                take(of, tlp_sm::Event::Finish { now: Cycle(4100), slot });
            }
        }
        Kind::Pool => {
            for (i, kind) in
                [KernelType::Up, KernelType::Down, KernelType::Optimal, KernelType::Up].into_iter().enumerate()
            {
                let pref = if i % 2 == 0 { Pref::Compute } else { Pref::Memory };
                take(of, tlp_pool::Event::Add { kind, pref, ready: i != 2 });
            }
            take(of, tlp_pool::Event::PickNext { kind: KernelType::Up, pref: Pref::Compute });
        }
        Kind::LeftOver => {
            take(of, tlp_leftover::Event::Submit { needs, n_tb: 9 });
            take(of, tlp_leftover::Event::Submit { needs, n_tb: 400 });
            (0..11).for_each(|_| drop(take(of, tlp_leftover::Event::Dispatch)));
            for sm in [3, 0, 1].map(SmxId) {
                take(of, tlp_leftover::Event::Finish { sm, k: KernelId(0) });
            }
        }
        Kind::SmartEven => {
            let job = |n_tb| gpusched::tlp::Job { needs, n_tb };
            take(of, tlp_smart_even::Event::Start { jobs: vec![job(90), job(2), job(3)] });
            (0..9).for_each(|_| drop(take(of, tlp_smart_even::Event::Dispatch)));
            for sm in [2, 3, 2, 0].map(SmxId) {
                take(of, tlp_smart_even::Event::Finish { sm });
            }
        }
        Kind::Smc => {
            take(of, tlp_smc::Event::Start { max: [5, 3] });
            for perf in [10, 11, 12, 9] {
                take(of, tlp_smc::Event::Report { perf });
            }
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

#[test]
fn what_is_damaged_is_refused() {
    for (kind, ..) in KINDS {
        assert_damage_is_refused(&busy(kind), |image| restored(kind, image));
    }
}

#[test]
fn a_trial_without_bypassing_tbs_is_possible() {
    let unit = tried_without_a_target();
    assert_eq!(restored(Kind::TlpSm, &image(&unit)), Ok(unit));
}

#[test]
fn kinds_are_told_apart() {
    for (kind, number, _) in KINDS {
        let image = image(&busy(kind));
        assert_kind(&image, number, 2);
        for (other, ..) in KINDS.into_iter().filter(|(other, ..)| *other != kind) {
            assert_eq!(Unit::restore(other, &image).err(), Some(ImageError::WrongKind));
            assert_eq!(image_config(other, &image), Err(ImageError::WrongKind));
        }
    }
}

#[test]
fn stored_images_are_still_good() {
    for (kind, _, name) in KINDS {
        let file = format!("{name}-v2.bin");
        assert_is_stored(&busy(kind), &file, env!("CARGO_TARGET_TMPDIR"), |image| restored(kind, image));
    }
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for (kind, ..) in KINDS {
        assert_forgery_is_harmless(&busy(kind), NUMBERS, |_| Ok(()));
    }
}

/// Plays random events on a unit, each on what its image makes, too.
fn play(unit: &mut Unit, events: &[[u8; script::EVENT]]) -> Result<(), TestCaseError> {
    for bytes in events {
        let event = script::event(unit.config(), unit.kind(), &unit.view(), bytes);
        let _ = on_both(unit, |unit| unit.take(&event)).map_err(TestCaseError::fail)?;
    }
    again(unit).map(drop).map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(runs(3000))]

    /// A unit can be saved and restored anywhere in a random history, and goes on from its image as it would have.
    #[test]
    fn a_restored_unit_goes_on_as_the_original((config, events) in bytes(), which in 0..5usize) {
        play(&mut Unit::new(KINDS[which].0, &script::config(&config)).unwrap(), &events)?;
    }
}

proptest! {
    #![proptest_config(runs(600))]

    /// A forged body is refused, or makes a unit that keeps the invariants, bears every call, and can be saved and restored.
    #[test]
    fn a_forged_unit_does_no_harm(
        (config, events) in bytes(),
        which in 0..5usize,
        tries in prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=4), 8),
        after in prop::collection::vec(any::<[u8; script::EVENT]>(), 1..60),
    ) {
        let mut unit = Unit::new(KINDS[which].0, &script::config(&config)).unwrap();
        for bytes in &events {
            let event = script::event(unit.config(), unit.kind(), &unit.view(), bytes);
            let _ = unit.take(&event);
        }
        for mut forged in tries.iter().filter_map(|edits| forge(&unit, edits)) {
            play(&mut forged, &after)?;
        }
    }
}
