//! Dependency graphs through C: the builder, the admission check, and the dependency-graph buffer (DGB) alone, for hosts that have a
//! TB scheduler of their own.

// In the order of the header.
pub mod graph;

pub mod builder;

pub mod config;

pub mod admit;

pub mod build;

pub mod verbs;

pub mod query;

pub mod image;

use core::alloc::Layout;

use gpusched::SliceTables;
use gpusched::dats::{Buffer, Dgb, DgbConfig, LocalNode, Node, NodeId, TableSet, TableSizes};

use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// The dependency-graph buffer alone: a window that slides over a graph in the host's memory. The host launches a graph, answers
/// memory requests, offers SMXs and reports the ends of TBs. It has no clock: calls act in their order. It lives in storage of the
/// caller, at the address where it was initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may
/// call functions that change it.
pub struct gpusched_dgb {
    _opaque: [u8; 0],
}

/// A machine on tables that lie behind it in the caller's block.
pub(crate) type Object = Dgb<SliceTables<'static>>;

type Rows<R> = &'static mut [R];

/// The buffer itself, alone or as a part of a front end.
pub(crate) type Inner = Buffer<Rows<LocalNode>, Rows<NodeId>, Rows<NodeId>, Rows<Node>, Rows<u64>>;

impl Machine for Object {
    type Opaque = gpusched_dgb;
    const KIND: u16 = 4;
    type Config = DgbConfig;

    fn tables(config: &DgbConfig) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &DgbConfig, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
