//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::ImageError;
use gpusched_tests::images::{
    Saved, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
    on_both,
};
use gpusched_tests::machine::Machine;
use proptest::prelude::*;

use super::random::{core, noted};
use super::script::{Script, check, play};

/// A machine can be saved and restored anywhere in a random history, and goes on from its image as it would have.
pub fn a_restored_machine_goes_on_as_the_original<F: Script>() {
    super::run::<F>(F::RUNS.image, |_, core, host, steps| {
        play::<F>(core, host, steps, &mut |core, host, event| {
            noted::<F>(core, host, event, |core| on_both(core, |core| core.take(event)))
        })?;
        again(core).map(drop).map_err(TestCaseError::fail)
    });
}

/// A forged body is refused, or makes a machine that keeps the invariants, bears every call, and can be saved and restored.
pub fn a_forged_image_does_no_harm<F: Script>() {
    let tries = prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=4), 8);
    check(F::RUNS.forged, (F::configs(), F::story(), tries, F::steps()), |(config, before, tries, after)| {
        let (mut m, mut host) = (core::<F>(&config), F::host(&config));
        play::<F>(&mut m, &mut host, &before, &mut |core, host, event| {
            noted::<F>(core, host, event, |core| Ok(core.take(event)))
        })?;
        for mut forged in tries.iter().filter_map(|edits| forge(&m, edits)) {
            play::<F>(&mut forged, &mut host.clone(), &after, &mut |core, _, event| {
                on_both(core, |core| core.take(event)).map_err(TestCaseError::fail)
            })?;
            again(&forged).map(drop).map_err(TestCaseError::fail)?;
        }
        Ok(())
    });
}

pub fn what_is_damaged_is_refused<F: Script>() {
    for machine in all::<F>() {
        assert_damage_is_refused(&machine, |image| machine.restored(image));
    }
}

pub fn stored_images_are_still_good<F: Script>() {
    for (_, file, machine) in F::some() {
        assert_is_stored(&machine, file, env!("CARGO_TARGET_TMPDIR"), |image| machine.restored(image));
    }
}

pub fn every_forged_number_is_refused_or_possible<F: Script>() {
    for machine in all::<F>() {
        assert_forgery_is_harmless(&machine, F::numbers(), F::bears);
    }
}

fn all<F: Script>() -> impl Iterator<Item = F::Core> {
    F::some().into_iter().map(|(.., machine)| machine).chain(F::others())
}

/// Collects images with the names of their machines. The name of a file says the version.
pub fn kinds<F: Script>(of: &'static str, all: &mut Vec<(&'static str, u8, Vec<u8>)>) {
    for (kind, file, machine) in F::some() {
        let version = file.trim_end_matches(".bin").rsplit("-v").next().expect("a version");
        let image = image(&machine);
        assert_kind(&image, kind, version.parse().expect("a version"));
        all.push((of, kind, image));
    }
}

/// A machine takes images of its kind only.
pub fn are_told_apart<F: Script>(of: &'static str, all: &[(&'static str, u8, Vec<u8>)]) {
    for (kind, _, machine) in F::some() {
        for (other, is, image) in all {
            let mine = (*other, *is) == (of, kind);
            let restored = machine.restored(image);
            assert_eq!(restored.as_ref().err() != Some(&ImageError::WrongKind), mine, "{other} as {of}");
            assert_eq!(F::image_config(&machine, image).err() != Some(ImageError::WrongKind), mine, "{other} as {of}");
        }
    }
}
