//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::equalizer::{Counts, Fm, FmConfig, Sm, SmConfig, fm_image_config, sm_image_config};
use gpusched::power::{BubbleConfig, bubble_image_config};
use gpusched::{Cycle, ImageError, SmxId};
use gpusched_tests::bubble::machine as bubble;
use gpusched_tests::equalizer::Machine;
use gpusched_tests::equalizer::invariants::{check_fm, check_sm};
use gpusched_tests::images::{
    NUMBERS, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
};
use proptest::prelude::*;

use crate::script::{FmHost, SmHost, fm_configs, fm_script, runs, sm_configs, sm_script};

fn restored_sm(image: &[u8]) -> Result<Sm, ImageError> {
    let sm = Sm::restore(image)?;
    assert_eq!(sm_image_config(image), Ok(*sm.config()));
    Ok(sm)
}

fn restored_fm(image: &[u8]) -> Result<Fm, ImageError> {
    let fm = Fm::restore(image)?;
    assert_eq!(fm_image_config(image), Ok(*fm.config()));
    Ok(fm)
}

fn holds_sm(sm: &Sm) -> Result<(), String> {
    check_sm(sm.config(), &sm.view())
}

const CONFIG: SmConfig = SmConfig { sample_interval: 4, epoch_cycles: 8, watchdog: 7, ..SmConfig::GTX480 };

/// An SM in the middle of an epoch, with a paused block, a freed slot and a run of decisions.
fn busy_sm() -> Sm {
    let mut sm = Sm::new(&SmConfig { hysteresis: 2, ..CONFIG }).unwrap();
    sm.kernel_start(Cycle(1), 8, 4, false).unwrap();
    for block in [7, 1 << 40, 3, 99] {
        sm.grant(Cycle(2), block).unwrap();
    }
    for i in 1..=7 {
        sm.sample(Cycle(4 * i), &Counts { active: 32, waiting: 1, xalu: 2, xmem: 9 }).unwrap();
    }
    sm.block_end(Cycle(29), gpusched::SlotId(1)).unwrap();
    sm.set_objective(Cycle(30), 0u32).unwrap();
    assert_eq!((sm.running(), sm.target(), sm.run(), sm.samples()), (3, 3, 1, 1));
    sm
}

/// An SM with paused blocks.
fn paused_sm() -> Sm {
    let mut sm = Sm::new(&SmConfig { hysteresis: 1, ..CONFIG }).unwrap();
    sm.kernel_start(Cycle(1), 8, 4, false).unwrap();
    for block in 0..4 {
        sm.grant(Cycle(2), block).unwrap();
    }
    for i in 1..=4 {
        sm.sample(Cycle(4 * i), &Counts { active: 32, waiting: 0, xalu: 0, xmem: 9 }).unwrap();
    }
    assert_eq!((sm.running(), sm.paused(), sm.watchdog_epochs()), (2, 2, 1));
    sm
}

/// An SM whose GWDE ran dry, and one that still waits for it.
fn asking_sm(deny: bool) -> Sm {
    let mut sm = Sm::new(&CONFIG).unwrap();
    sm.kernel_start(Cycle(1), 8, 6, false).unwrap();
    sm.grant(Cycle(2), 5).unwrap();
    if deny {
        sm.deny(Cycle(3)).unwrap();
    }
    sm
}

fn sms() -> [Sm; 5] {
    [busy_sm(), paused_sm(), asking_sm(true), asking_sm(false), Sm::new(&CONFIG).unwrap()]
}

/// A round half way, one step under way, an SM that does not vote.
fn busy_fm() -> Fm {
    let mut fm = Fm::new(&FmConfig { sms: 5, mem_transition: 0, ..FmConfig::GTX480 }).unwrap();
    fm.enable(Cycle(3), SmxId(4), false).unwrap();
    for sm in 0..4 {
        fm.vote(Cycle(10), SmxId(sm), (1, -1)).unwrap();
    }
    for sm in [3, 1] {
        fm.vote(Cycle(20), SmxId(sm), (-1, 0)).unwrap();
    }
    assert_eq!(fm.next_event(), Some(Cycle(522)));
    fm
}

fn fms() -> [Fm; 2] {
    [busy_fm(), Fm::new(&FmConfig::GTX480).unwrap()]
}

#[test]
fn what_is_damaged_is_refused() {
    sms().iter().for_each(|sm| assert_damage_is_refused(sm, restored_sm));
    fms().iter().for_each(|fm| assert_damage_is_refused(fm, restored_fm));
}

#[test]
fn kinds_are_told_apart() {
    let (sm, fm) = (image(&busy_sm()), image(&busy_fm()));
    assert_kind(&sm, 10);
    assert_kind(&fm, 11);
    assert_eq!(Sm::restore(&fm), Err(ImageError::WrongKind));
    assert_eq!(Fm::restore(&sm), Err(ImageError::WrongKind));
    assert_eq!(bubble_image_config(&sm), Err(ImageError::WrongKind));
    assert_eq!(Sm::restore(&image(&bubble(&BubbleConfig::K20C).unwrap())), Err(ImageError::WrongKind));
}

#[test]
fn stored_images_are_still_good() {
    assert_is_stored(&busy_sm(), "equalizer-sm-v1.bin", env!("CARGO_TARGET_TMPDIR"), restored_sm);
    assert_is_stored(&busy_fm(), "equalizer-fm-v1.bin", env!("CARGO_TARGET_TMPDIR"), restored_fm);
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for sm in sms() {
        assert_forgery_is_harmless(&image(&sm), NUMBERS, restored_sm, |sm| holds_sm(&sm));
    }
    for fm in fms() {
        assert_forgery_is_harmless(&image(&fm), NUMBERS, restored_fm, |fm| check_fm(fm.config(), &fm.view()));
    }
}

proptest! {
    #![proptest_config(runs(500))]

    /// One machine goes on; another one goes through an image before every event.
    #[test]
    fn a_restored_sm_goes_on_as_the_original(config in sm_configs(), steps in sm_script()) {
        let (mut sm, mut host) = (Sm::new(&config).unwrap(), SmHost::new(&config));
        let mut traveller = image(&sm);
        for step in &steps {
            for event in host.events(step, &sm.view()) {
                let mut other = restored_sm(&traveller).expect("its image is good");
                prop_assert_eq!(sm.take(&event), other.take(&event));
                prop_assert!(other == sm, "after {:?}", event);
                traveller = image(&other);
            }
        }
    }

    #[test]
    fn a_restored_fm_goes_on_as_the_original(config in fm_configs(), steps in fm_script()) {
        let (mut fm, mut host) = (Fm::new(&config).unwrap(), FmHost::new(&config));
        let mut traveller = image(&fm);
        for step in &steps {
            for event in host.events(step, &fm.view()) {
                let mut other = restored_fm(&traveller).expect("its image is good");
                prop_assert_eq!(fm.take(&event), other.take(&event));
                prop_assert!(other == fm, "after {:?}", event);
                traveller = image(&other);
            }
        }
    }

    /// A forged body is refused, or makes a machine that keeps the invariants and bears every call.
    #[test]
    fn a_forged_sm_does_no_harm(
        which in 0..5usize,
        edits in prop::collection::vec((any::<usize>(), prop_oneof![4 => 0..=8u8, 1 => any::<u8>()]), 1..=4),
        steps in sm_script(),
    ) {
        let Some(mut sm) = forge(&image(&sms()[which]), &edits, restored_sm) else { return Ok(()) };
        holds_sm(&sm).map_err(TestCaseError::fail)?;
        let mut host = SmHost::new(sm.config());
        for step in &steps {
            for event in host.events(step, &sm.view()) {
                let _ = sm.take(&event);
                holds_sm(&sm).map_err(TestCaseError::fail)?;
            }
        }
    }
}
