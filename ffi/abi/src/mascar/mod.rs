//! Mascar through C: warp scheduling under memory saturation and the LSU's re-execution queue, one machine per SM.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::SliceTables;
use gpusched::mascar::{Mascar, MascarConfig, TableSet, TableSizes};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// One SM's warp scheduling: heads of instruction buffers, the L1's occupancy and its answers in, issues and requests out. In each
/// cycle, in this order: gpusched_mascar_l1_state behind the fills, gpusched_mascar_set_head, gpusched_mascar_pick,
/// gpusched_mascar_lsu_begin for the memory instruction that it issued, then gpusched_mascar_lsu_next and gpusched_mascar_lsu_reply
/// once per port of the L1. It lives in storage of the caller, at the address where it was initialised, and owns nothing else;
/// forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_mascar {
    _opaque: [u8; 0],
}

/// A machine on a table that lies behind it in the caller's block.
pub(crate) type Object = Mascar<SliceTables<'static>>;

impl Machine for Object {
    type Opaque = gpusched_mascar;
    const KIND: u16 = 12;
    type Config = MascarConfig;

    fn tables(config: &MascarConfig) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &MascarConfig, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
