//! The reconvergence stack of a warp.

// In the order of the header.
pub mod config;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::SliceTables;
use gpusched::simt::stack::{Stack, StackConfig, TableSet, TableSizes};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// The reconvergence stack of a warp: where each instruction led goes in, what runs next comes out. It has no clock. It lives in storage
/// of the caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time
/// may call functions that change it.
pub struct gpusched_stack {
    _opaque: [u8; 0],
}

/// A stack on entries that lie behind it in the caller's block.
pub(crate) type Object = Stack<SliceTables<'static>>;

impl Machine for Object {
    type Opaque = gpusched_stack;
    const KIND: u16 = 19;
    type Config = StackConfig;

    fn tables(config: &StackConfig) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &StackConfig, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
