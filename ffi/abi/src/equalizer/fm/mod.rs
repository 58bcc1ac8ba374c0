//! The frequency manager of the chip: votes in, clock levels out.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::equalizer::{Fm, FmConfig};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// Equalizer's frequency manager: votes of the SMs in, levels of the SM and the memory domain out. Every call says what cycle it is;
/// cycles never go back, and calls of one cycle act in their order. It lives in storage of the caller, at the address where it was
/// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
///
/// TimeOverflow (cycles from 2^63 on) and TimeBackwards are tested first, in this order.
pub struct gpusched_equalizer_fm {
    _opaque: [u8; 0],
}

impl Machine for Fm {
    type Opaque = gpusched_equalizer_fm;
    const KIND: u16 = 11;
    type Config = FmConfig;

    fn tables(_: &FmConfig) -> impl Iterator<Item = Option<Layout>> {
        core::iter::empty()
    }

    fn build(config: &FmConfig, _: &mut Arena) -> Result<Self, Status> {
        Self::new(config).map_err(|error| error.fault.into())
    }
}
