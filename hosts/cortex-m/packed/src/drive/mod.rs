//! Carrying out packed events on machines of the core. The recorder does it beside the replay of the JSON, so that what it packs is what
//! this code answers, and the firmware does it again.

mod apogee;
mod bubble;
mod catalogue;
mod coalescer;
mod dgb;
mod equalizer_fm;
mod equalizer_sm;
mod frontend;
mod functions;
mod graphs;
mod laperm;
mod mascar;
mod models;
mod monte;
mod scoreboard;
mod stack;
mod tlp;
mod tlp_leftover;
mod tlp_pool;
mod tlp_sm;
mod tlp_smart_even;
mod tlp_smc;

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched_abi::convert::ToC;

use crate::read::{Damaged, Reader};
use crate::record::{Bytes, Record};
use crate::{Op, checksum};

pub use functions::Functions;
use functions::blamed;

/// Why an event was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The machine refuses it.
    Fault(Fault),
    /// It is not in the packed form, or no event of this machine.
    Damaged,
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Damaged> for Refused {
    fn from(_: Damaged) -> Self {
        Self::Damaged
    }
}

/// A machine that takes packed events.
pub trait Driven {
    /// Its image. What cannot be saved has one that no checksum fits.
    fn image(&self) -> Vec<u8>;

    /// Carries out an event whose arguments are read from `from`, and writes the records of its answer.
    ///
    /// # Errors
    /// Why it was not.
    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused>;

    /// What is checked of its state: the checksum of its image, or 0 if it keeps nothing.
    fn state(&self) -> u32 {
        checksum(&self.image()).unwrap_or(0)
    }
}

/// The image of a machine, which all save in the same words.
macro_rules! image {
    () => {
        fn image(&self) -> Vec<u8> {
            let mut image = alloc::vec![0; self.image_len()];
            let length = self.save(&mut image).unwrap_or(0);
            image.truncate(length);
            image
        }
    };
}
use image;

/// Writes whether there is an answer, and the answer.
fn put_optional<A: ToC<C: Record>>(answer: Option<A>, to: &mut Bytes) {
    answer.is_some().put(to);
    if let Some(answer) = answer {
        answer.to_c().put(to);
    }
}

/// Writes what a call was refused with.
fn refused<E: ToC<C: Record> + Copy + Into<Fault>>(error: E, to: &mut Bytes) -> Refused {
    error.to_c().put(to);
    Refused::Fault(error.into())
}
