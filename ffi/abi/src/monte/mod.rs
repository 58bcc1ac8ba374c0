//! The stochastic memory hierarchy.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::SliceTables;
use gpusched::models::monte::{Monte, MonteConfig, TableSet, TableSizes};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// A stochastic memory hierarchy: what warps access goes in, how often two levels of caches hit comes out, over runs in which the warps
/// interleave at random. It lives in storage of the caller, at the address where it was initialised, and owns nothing else; forgetting the
/// storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_monte {
    _opaque: [u8; 0],
}

/// Caches and runs on tables that lie behind them in the caller's block.
pub(crate) type Object = Monte<SliceTables<'static>>;

impl Machine for Object {
    type Opaque = gpusched_monte;
    const KIND: u16 = 21;
    type Config = MonteConfig;

    fn tables(config: &MonteConfig) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &MonteConfig, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
