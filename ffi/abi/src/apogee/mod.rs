//! APOGEE alone through C: the prefetcher of one SM.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::SliceTables;
use gpusched::apogee::{Apogee, ApogeeConfig, TableSet, TableSizes};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// The prefetcher of one SM: loads of warps in, prefetch requests out. Loads and pops say what cycle it is; cycles never go back, and
/// calls of one cycle act in their order. It lives in storage of the caller, at the address where it was initialised, and owns
/// nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_apogee {
    _opaque: [u8; 0],
}

/// A machine on tables that lie behind it in the caller's block.
pub(crate) type Object = Apogee<SliceTables<'static>>;

impl Machine for Object {
    type Opaque = gpusched_apogee;
    const KIND: u16 = 13;
    type Config = ApogeeConfig;

    fn tables(config: &ApogeeConfig) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &ApogeeConfig, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
