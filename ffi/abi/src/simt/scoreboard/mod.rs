//! The scoreboard of an SM.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::SliceTables;
use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig, TableSet, TableSizes};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// The scoreboard of an SM: instructions and their results in, whether they may issue out. It has no clock. It lives in storage of the
/// caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call
/// functions that change it.
pub struct gpusched_scoreboard {
    _opaque: [u8; 0],
}

/// A scoreboard on warps that lie behind it in the caller's block.
pub(crate) type Object = Scoreboard<SliceTables<'static>>;

impl Machine for Object {
    type Opaque = gpusched_scoreboard;
    const KIND: u16 = 20;
    type Config = ScoreboardConfig;

    fn tables(config: &ScoreboardConfig) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &ScoreboardConfig, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
