//! The composed front end through C.
//!
//! The object holds the machine, the decisions that were not read yet, and where to trace them. Calls that decide are refused
//! with `Unread` before they change anything if the queue could not take what they may decide, so no decision is ever lost.

// In the order of the header.
pub mod config;

pub mod build;

pub mod launch;

pub mod complete;

pub mod graph;

pub mod time;

pub mod gates;

pub mod query;
pub mod view;

pub mod parts;

pub mod image;

use core::alloc::Layout;

use gpusched::{Config, FrontEnd, RowSource, SliceTables, TableSet, TableSizes};

use crate::bubble::gpusched_bubble_record;
use crate::decision::{Sink, gpusched_decision};
use crate::object::{Arena, Machine};
use crate::status::gpusched_status as Status;

/// A front end: launches in, dispatches out, completions back. It lives in storage of the caller, at the address where it was
/// initialised, and owns nothing else; forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_frontend {
    _opaque: [u8; 0],
}

/// A front end on tables that lie behind it in the caller's block.
pub(crate) struct Object {
    pub(crate) gpu: FrontEnd<SliceTables<'static>>,
    pub(crate) sink: Sink,
    /// The configuration it was built with.
    pub(crate) setup: Setup,
    /// The most decisions of one tick.
    pub(crate) per_tick: usize,
}

/// What a block is sized and built from.
#[derive(Clone, Copy)]
pub struct Setup {
    /// The machine.
    pub machine: Config,
    /// Decisions that the queue holds.
    pub decisions: usize,
}

impl Machine for Object {
    type Opaque = gpusched_frontend;
    const KIND: u16 = 1;
    type Config = Setup;

    fn tables(setup: &Setup) -> impl Iterator<Item = Option<Layout>> {
        let queue = Layout::array::<gpusched_decision>(setup.decisions).ok();
        let record = Layout::array::<gpusched_bubble_record>(records(setup)).ok();
        TableSizes::of(&setup.machine).layouts().chain([queue, record])
    }

    fn build(setup: &Setup, arena: &mut Arena) -> Result<Self, Status> {
        Self::build_with(setup, arena, |tables| Ok(FrontEnd::with_tables(&setup.machine, tables)?))
    }
}

/// Records of the last sample that are kept.
fn records(setup: &Setup) -> usize {
    setup.machine.bubble.is_some().into()
}

impl Object {
    /// An object whose machine `build` makes of its tables.
    fn build_with(
        setup: &Setup,
        arena: &mut Arena,
        build: impl FnOnce(TableSet<SliceTables<'static>>) -> Result<FrontEnd<SliceTables<'static>>, Status>,
    ) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(&setup.machine)).ok_or(Status::StorageTooSmall)?;
        let queue = arena.rows(setup.decisions).ok_or(Status::StorageTooSmall)?;
        let record = arena.rows(records(setup)).ok_or(Status::StorageTooSmall)?;
        let per_tick = setup.machine.decisions_per_tick();
        Ok(Self { gpu: build(tables)?, sink: Sink::new(queue).keeping(record), setup: *setup, per_tick })
    }

    /// Makes sure that the queue takes `n` more decisions, so that none is ever lost.
    #[inline]
    pub(crate) fn room(&self, n: usize) -> Result<(), Status> {
        if self.sink.has_room(n) { Ok(()) } else { Err(Status::Unread) }
    }
}
