//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::equalizer::{Counts, Fm, FmConfig, Objective, Sm, SmConfig, fm_image_config, sm_image_config};
use gpusched::power::{BubbleConfig, bubble_image_config};
use gpusched::{Cycle, ImageError, SmxId};
use gpusched_tests::bubble::machine as bubble;
use gpusched_tests::equalizer::Machine;
use gpusched_tests::images::{
    NUMBERS, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
    on_both,
};
use proptest::prelude::*;

use crate::equalizer::script::{FmHost, FmStep, SmHost, SmStep, fm_configs, fm_script, runs, sm_configs, sm_script};

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
    sm.set_objective(Cycle(30), Objective::Energy).unwrap();
    assert_eq!((sm.state().running, sm.state().target, sm.state().run, sm.state().samples), (3, 3, 1, 1));
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
    assert_eq!((sm.state().running, sm.state().paused, sm.state().watchdog_epochs), (2, 2, 1));
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
        fm.vote(Cycle(10), SmxId(sm), 1, -1).unwrap();
    }
    for sm in [3, 1] {
        fm.vote(Cycle(20), SmxId(sm), -1, 0).unwrap();
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
    assert_kind(&sm, 10, 2);
    assert_kind(&fm, 11, 3);
    assert_eq!(Sm::restore(&fm), Err(ImageError::WrongKind));
    assert_eq!(Fm::restore(&sm), Err(ImageError::WrongKind));
    assert_eq!(bubble_image_config(&sm), Err(ImageError::WrongKind));
    assert_eq!(Sm::restore(&image(&bubble(&BubbleConfig::K20C).unwrap())), Err(ImageError::WrongKind));
}

#[test]
fn stored_images_are_still_good() {
    assert_is_stored(&busy_sm(), "equalizer-sm-v2.bin", env!("CARGO_TARGET_TMPDIR"), restored_sm);
    assert_is_stored(&busy_fm(), "equalizer-fm-v3.bin", env!("CARGO_TARGET_TMPDIR"), restored_fm);
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for sm in sms() {
        assert_forgery_is_harmless(&sm, NUMBERS, |_| Ok(()));
    }
    for fm in fms() {
        assert_forgery_is_harmless(&fm, NUMBERS, |_| Ok(()));
    }
}

/// Plays random steps on an SM, each call on what its image makes, too.
fn play_sm(sm: &mut Sm, host: &mut SmHost, steps: &[SmStep]) -> Result<(), TestCaseError> {
    for step in steps {
        for event in host.events(step, &sm.view()) {
            let _ = on_both(sm, |sm| sm.take(&event)).map_err(TestCaseError::fail)?;
        }
    }
    again(sm).map(drop).map_err(TestCaseError::fail)
}

fn play_fm(fm: &mut Fm, host: &mut FmHost, steps: &[FmStep]) -> Result<(), TestCaseError> {
    for step in steps {
        for event in host.events(step, &fm.view()) {
            let _ = on_both(fm, |fm| fm.take(&event)).map_err(TestCaseError::fail)?;
        }
    }
    again(fm).map(drop).map_err(TestCaseError::fail)
}

/// Changes to a body, for several forged ones.
fn tries() -> impl Strategy<Value = Vec<Vec<u64>>> {
    prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=4), 8)
}

proptest! {
    #![proptest_config(runs(1500))]

    /// A machine can be saved and restored anywhere in a random history, and goes on from its image as it would have.
    #[test]
    fn a_restored_sm_goes_on_as_the_original(config in sm_configs(), steps in sm_script()) {
        play_sm(&mut Sm::new(&config).unwrap(), &mut SmHost::new(&config), &steps)?;
    }

    #[test]
    fn a_restored_fm_goes_on_as_the_original(config in fm_configs(), steps in fm_script()) {
        play_fm(&mut Fm::new(&config).unwrap(), &mut FmHost::new(&config), &steps)?;
    }
}

proptest! {
    #![proptest_config(runs(300))]

    /// A forged body is refused, or makes a machine that keeps the invariants, bears every call, and can be saved and restored.
    #[test]
    fn a_forged_sm_does_no_harm(config in sm_configs(), before in sm_script(), tries in tries(), after in sm_script()) {
        let (mut sm, mut host) = (Sm::new(&config).unwrap(), SmHost::new(&config));
        for step in &before {
            host.events(step, &sm.view()).iter().for_each(|event| drop(sm.take(event)));
        }
        for mut forged in tries.iter().filter_map(|edits| forge(&sm, edits)) {
            play_sm(&mut forged, &mut host.clone(), &after)?;
        }
    }

    #[test]
    fn a_forged_fm_does_no_harm(config in fm_configs(), before in fm_script(), tries in tries(), after in fm_script()) {
        let (mut fm, mut host) = (Fm::new(&config).unwrap(), FmHost::new(&config));
        for step in &before {
            host.events(step, &fm.view()).iter().for_each(|event| {
                let _ = fm.take(event);
            });
        }
        for mut forged in tries.iter().filter_map(|edits| forge(&fm, edits)) {
            play_fm(&mut forged, &mut host.clone(), &after)?;
        }
    }
}
