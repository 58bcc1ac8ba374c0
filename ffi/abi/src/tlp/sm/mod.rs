//! The machine of one SM.

// In the order of the header.
pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::tlp::{TlpConfig, TlpSm};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// TLP modulation on one SM: how many TBs of two kernels are resident, and which of them bypass the L1. Every call says what cycle it
/// is; cycles never go back, and calls of one cycle act in their order. It lives in storage of the caller, at the address where it was
/// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
///
/// TimeRegress is tested first, but for the kernel's number of attach and done.
pub struct gpusched_tlp_sm {
    _opaque: [u8; 0],
}

impl Machine for TlpSm {
    type Opaque = gpusched_tlp_sm;
    const KIND: u16 = 14;
    type Config = TlpConfig;

    fn tables(_: &TlpConfig) -> impl Iterator<Item = Option<Layout>> {
        core::iter::empty()
    }

    fn build(config: &TlpConfig, _: &mut Arena) -> Result<Self, Status> {
        Self::new(config).map_err(|error| error.fault.into())
    }
}
