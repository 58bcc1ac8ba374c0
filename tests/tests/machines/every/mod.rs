//! What every machine promises, tested once: random runs beside the model and through C, images, and what is told of a refused call.
//!
//! A machine brings its [`Script`]: random configurations, what a host does with it, and what must hold of an event.

mod explore;
mod faults;
mod images;
mod random;
mod ranges;
mod script;

pub use explore::{Ways, explore};
pub use faults::{assert_faults, assert_refused};
pub use random::{answers_as_the_model, noted, reach, run};
pub use ranges::{Row, assert_are_of_the_sheet, with};
pub use script::{Answered, Call, Runs, Script, check, play, runs};

/// All drivers over each machine: those with a home first.
macro_rules! every_machine {
    ($($machine:ident: $Family:ty;)*) => {
        $(mod $machine {
            #[test]
            fn the_core_answers_as_the_model() {
                super::random::the_core_answers_as_the_model::<$Family>();
            }
            #[test]
            fn the_c_face_answers_as_the_core() {
                super::random::the_c_face_answers_as_the_core::<$Family>();
            }
            #[test]
            fn the_presets_are_those_of_the_core() {
                super::random::the_presets_are_those_of_the_core::<$Family>();
            }
            #[test]
            fn a_restored_machine_goes_on_as_the_original() {
                super::images::a_restored_machine_goes_on_as_the_original::<$Family>();
            }
            #[test]
            fn a_forged_image_does_no_harm() {
                super::images::a_forged_image_does_no_harm::<$Family>();
            }
            #[test]
            fn what_is_damaged_is_refused() {
                super::images::what_is_damaged_is_refused::<$Family>();
            }
            #[test]
            fn stored_images_are_still_good() {
                super::images::stored_images_are_still_good::<$Family>();
            }
            #[test]
            fn every_forged_number_is_refused_or_possible() {
                super::images::every_forged_number_is_refused_or_possible::<$Family>();
            }
        })*

        /// An image of one machine is none of another one.
        #[test]
        fn kinds_are_told_apart() {
            let mut all = Vec::new();
            $(images::kinds::<$Family>(stringify!($machine), &mut all);)*
            $(images::are_told_apart::<$Family>(stringify!($machine), &all);)*
        }
    };
}
every_machine! {
    apogee: gpusched_tests::apogee::Apogees;
    bubble: gpusched_tests::bubble::Bubbles;
    dats: gpusched_tests::dats::Dgbs;
    equalizer_sm: gpusched_tests::equalizer::Sms;
    equalizer_fm: gpusched_tests::equalizer::Fms;
    laperm: gpusched_tests::laperm::LaPerms;
    mascar: gpusched_tests::mascar::Mascars;
    models: gpusched_tests::models::monte::Montes;
    scoreboard: gpusched_tests::simt::scoreboard::Scoreboards;
    stack: gpusched_tests::simt::stack::Stacks;
    tlp: gpusched_tests::tlp::Units;
}
