//! The occupancy-bubble controller alone through C: TB diversion, draining, resumption, DVFS and energy, for hosts that have a TB
//! scheduler of their own.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::SliceTables;
use gpusched::power::{BubbleConfig, BubbleDvfs, TableSet, TableSizes};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// The occupancy-bubble controller alone: TBs that start and end in, samples out. Every call says what cycle it is; cycles never go
/// back, and calls of one cycle act in their order. It lives in storage of the caller, at the address where it was initialised, and
/// owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_bubble {
    _opaque: [u8; 0],
}

/// A machine on tables that lie behind it in the caller's block.
pub(crate) type Object = BubbleDvfs<SliceTables<'static>>;

impl Machine for Object {
    type Opaque = gpusched_bubble;
    const KIND: u16 = 3;
    type Config = BubbleConfig;

    fn tables(config: &BubbleConfig) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &BubbleConfig, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
