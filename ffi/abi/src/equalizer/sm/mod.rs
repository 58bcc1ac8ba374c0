//! The machine of one SM: counters, decisions, hysteresis, block slots and requests.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::equalizer::{Sm, SmConfig};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// Equalizer on one SM: warp counts, kernels and blocks in; blocks to pause, to wake and to ask for, and votes out. Every call but
/// those that keep nothing says what cycle it is; cycles never go back, and calls of one cycle act in their order. It lives in
/// storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread
/// at a time may call functions that change it.
///
/// Every function that takes a cycle, but for gpusched_equalizer_sm_resync, says SampleMissed when a sample point has gone by without
/// its sample. TimeOverflow (cycles from 2^63 on), TimeBackwards and SampleMissed are tested first, in this order.
pub struct gpusched_equalizer_sm {
    _opaque: [u8; 0],
}

impl Machine for Sm {
    type Opaque = gpusched_equalizer_sm;
    const KIND: u16 = 10;
    type Config = SmConfig;

    fn tables(_: &SmConfig) -> impl Iterator<Item = Option<Layout>> {
        core::iter::empty()
    }

    fn build(config: &SmConfig, _: &mut Arena) -> Result<Self, Status> {
        Self::new(config).map_err(|error| error.fault.into())
    }
}
