//! What holds a front end in C, and what no rule expresses of it.
//!
//! The object holds the machine, the decisions that were not read yet, and where to trace them. Calls that decide are refused
//! with `Unread` before they change anything if the queue could not take what they may decide, so no decision is ever lost.

// In the order of the header.
mod time;

mod modern;
mod parts;
mod told;

use core::alloc::Layout;
use core::ffi::CStr;
use core::ops::Deref;

use gpusched::{
    BubblePart, Cdp2Part, ClusterPart, Config, ConfigError, DatsPart, FrontEnd, KernelSlot, KgraphPart, LaPermPart,
    PartName, PartitionPart, PdlPart, Policy, PreemptPart, PriorityPart, RowSource, SliceTables, TableSet, TableSizes,
    ToldPart,
};

pub use modern::*;
pub use parts::*;
pub use time::*;
pub use told::*;

use super::{gpusched_frontend, gpusched_frontend_config, gpusched_policy};
use crate::bubble::gpusched_bubble_record;
use crate::config::{Names, Wrong, chosen, gpusched_parameter, read, write};
use crate::convert::ToC;
use crate::decision::{Sink, gpusched_decision};
use crate::image;
use crate::object::{Arena, Machine, enter};
use crate::pointer::writable;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// A front end on tables that lie behind it in the caller's block.
pub(crate) struct Object {
    pub(crate) machine: FrontEnd<SliceTables<'static>>,
    /// What its verbs tell their decisions.
    pub(crate) probe: Sink,
    /// Decisions that its queue holds.
    decisions: usize,
    /// The most decisions of one tick.
    pub(crate) per_tick: usize,
    /// Those that may follow from the end of a TB or of a kernel: requests come to their end, grids are complete.
    pub(crate) consequences: usize,
}

/// What a block is sized and built from.
#[derive(Clone, Copy)]
pub struct Setup {
    machine: Config,
    /// Decisions that the queue holds.
    decisions: usize,
}

impl Deref for Setup {
    type Target = Config;

    fn deref(&self) -> &Config {
        &self.machine
    }
}

impl Machine for Object {
    type Opaque = gpusched_frontend;
    const KIND: u16 = 1;
    type Config = Setup;

    fn tables(setup: &Setup) -> impl Iterator<Item = Option<Layout>> {
        let queue = Layout::array::<gpusched_decision>(setup.decisions).ok();
        let record = Layout::array::<gpusched_bubble_record>(records(setup)).ok();
        TableSizes::of(setup).layouts().chain([queue, record])
    }

    fn build(setup: &Setup, arena: &mut Arena) -> Result<Self, Status> {
        Self::build_with(setup, arena, |tables| FrontEnd::with_tables(setup, tables))
    }
}

/// Requests that SMXs be drained that there can be.
fn drains(config: &Config) -> usize {
    config.preempt.map_or(0, |part| part.drain_max as usize)
}

/// Records of the last sample that are kept.
fn records(setup: &Setup) -> usize {
    setup.bubble.is_some().into()
}

impl Object {
    /// An object whose machine `build` makes of its tables.
    fn build_with<E: Into<Status>>(
        setup: &Setup,
        arena: &mut Arena,
        build: impl FnOnce(TableSet<SliceTables<'static>>) -> Result<FrontEnd<SliceTables<'static>>, E>,
    ) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(setup)).ok_or(Status::StorageTooSmall)?;
        let queue = arena.rows(setup.decisions).ok_or(Status::StorageTooSmall)?;
        let record = arena.rows(records(setup)).ok_or(Status::StorageTooSmall)?;
        Ok(Self {
            machine: build(tables).map_err(Into::into)?,
            probe: Sink::new(queue).keeping(record),
            decisions: setup.decisions,
            per_tick: setup.decisions_per_tick(),
            consequences: 2 * drains(setup) + setup.decisions_of_grids(),
        })
    }

    /// Makes sure that the queue takes `n` more decisions, so that none is ever lost.
    #[inline]
    pub(crate) fn room(&self, n: usize) -> Result<(), Status> {
        if self.probe.has_room(n) { Ok(()) } else { Err(Status::Unread) }
    }

    /// Resident TBs of a kernel.
    pub(crate) fn resident(&self, kde: KernelSlot) -> usize {
        self.machine.kde(kde).map_or(0, |entry| entry.exe as usize)
    }

    /// Requests that SMXs be drained that there can be.
    pub(crate) fn drains(&self) -> usize {
        drains(self.machine.config())
    }

    /// The configuration that it was built with.
    pub(crate) fn told_config(&self) -> gpusched_frontend_config {
        let decisions = self.decisions as u32;
        gpusched_frontend_config { decisions, ..gpusched_frontend_config::of(self.machine.config()) }
    }

    /// Decisions are no part of an image, so they must have been read.
    pub(crate) fn all_read(&self, size: *mut usize) -> Result<(), Status> {
        writable(size)?;
        if self.probe.unread().is_empty() { Ok(()) } else { Err(Status::Unread) }
    }
}

/// Makes a front end what the saved one was. Its own queue and its trace ring stay as they are; decisions that it had and that were not
/// read are forgotten.
///
/// # Safety
/// As of gpusched_frontend_restore.
pub(crate) unsafe fn restore(frontend: *mut gpusched_frontend, bytes: &[u8]) -> Result<(), Status> {
    // SAFETY: the caller's contract.
    unsafe {
        let object = enter::<Object>(frontend)?;
        let setup = Setup { machine: *object.machine.config(), decisions: object.decisions };
        let trace = object.probe.detach();
        let restored = image::restore::<Object>(frontend, &setup, |arena| {
            Object::build_with(&setup, arena, |tables| FrontEnd::restore(bytes, tables))
        });
        enter::<Object>(frontend)?.probe.reattach(trace);
        restored
    }
}

/// Most decisions that a queue can be asked to hold.
const MAX_DECISIONS: u32 = 1 << 20;

impl gpusched_frontend_config {
    /// Parts. What is off has its defaults, so that switching it on is enough.
    pub(super) fn put_by_hand(&mut self, config: &Config) {
        self.policy = config.policy.to_c();
        (self.bubble, self.dats) = (config.bubble.is_some().into(), config.dats.is_some().into());
        self.put_laperm(&config.laperm().copied().unwrap_or_default());
        self.put_told(&config.told().copied().unwrap_or_default());
        self.put_bubble(&config.bubble.unwrap_or_default());
        self.put_dats(&config.dats.unwrap_or_default());
        self.put_modern(config);
        self.put_cdp2(&config.cdp2.unwrap_or_default());
        self.cdp2 = config.cdp2.is_some().into();
        self.put_pdl(&config.pdl.unwrap_or_default());
        self.pdl = config.pdl.is_some().into();
        self.put_kgraph(&config.kgraph.unwrap_or_default());
        self.kgraph = config.kgraph.is_some().into();
    }

    pub(super) fn get_by_hand(&self, config: &mut Config) -> Result<(), Wrong> {
        config.policy = match gpusched_policy::ALL.iter().find(|policy| **policy as u32 == self.policy) {
            Some(gpusched_policy::FcfsRr) => Policy::FcfsRr,
            Some(gpusched_policy::LaPerm) => Policy::LaPerm(self.get_laperm()?),
            Some(gpusched_policy::Told) => Policy::Told(self.get_told()?),
            None => return Err(Wrong::beyond(c"policy", self.policy, gpusched_policy::ALL.len() as u32 - 1)),
        };
        config.bubble = if chosen(c"bubble", self.bubble)? { Some(self.get_bubble()?) } else { None };
        config.dats = if chosen(c"dats", self.dats)? { Some(self.get_dats()?) } else { None };
        config.cdp2 = if chosen(c"cdp2", self.cdp2)? { Some(self.get_cdp2()?) } else { None };
        config.pdl = if chosen(c"pdl", self.pdl)? { Some(self.get_pdl()?) } else { None };
        config.kgraph = if chosen(c"kgraph", self.kgraph)? { Some(self.get_kgraph()?) } else { None };
        self.get_modern(config)
    }

    /// What is wrong, by the name of the field that it is in this struct.
    pub(super) fn wrong(error: ConfigError) -> Wrong {
        let field = error.parameter.name;
        let name = match error.part {
            Some(PartName::LaPerm) => <Self as Names<LaPermPart>>::c_name(field),
            Some(PartName::Bubble) => <Self as Names<BubblePart>>::c_name(field),
            Some(PartName::Dats) => <Self as Names<DatsPart>>::c_name(field),
            Some(PartName::Told) => <Self as Names<ToldPart>>::c_name(field),
            Some(PartName::Cluster) => <Self as Names<ClusterPart>>::c_name(field),
            Some(PartName::Priority) => <Self as Names<PriorityPart>>::c_name(field),
            Some(PartName::Partition) => <Self as Names<PartitionPart>>::c_name(field),
            Some(PartName::Preempt) => <Self as Names<PreemptPart>>::c_name(field),
            Some(PartName::Cdp2) => <Self as Names<Cdp2Part>>::c_name(field),
            Some(PartName::Pdl) => <Self as Names<PdlPart>>::c_name(field),
            Some(PartName::Kgraph) => <Self as Names<KgraphPart>>::c_name(field),
            None => None,
        };
        let wrong = Wrong::from(error);
        let name = name.map_or(wrong.parameter.name, CStr::as_ptr);
        Wrong { parameter: gpusched_parameter { name, ..wrong.parameter }, ..wrong }
    }

    /// What a block is built from; 0 decisions are those of one cycle.
    pub(super) fn set_up(&self, machine: Config) -> Result<Setup, Wrong> {
        if self.decisions > MAX_DECISIONS {
            return Err(Wrong::beyond(c"decisions", self.decisions, MAX_DECISIONS));
        }
        let decisions = match self.decisions {
            0 => machine.decisions_per_cycle(),
            n => machine.decisions_per_call().max(n as usize),
        };
        Ok(Setup { machine, decisions })
    }
}

/// Switches every launch latency off: the ideal modes CDPI and DTBLI of the source (4.6.2.2).
///
/// @param config  An initialised configuration; changed.
/// @return Null, Misaligned, BadStructSize, WrongVersion; BadConfig: a value is out of its range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_ideal(config: *mut gpusched_frontend_config) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read(config).and_then(|old| {
            let mut ideal = old;
            let mut core = old.get().map_err(|wrong| wrong.status)?;
            old.get_by_hand(&mut core).map_err(|wrong| wrong.status)?;
            ideal.put(&core.ideal());
            write(config, old.struct_size as usize, &ideal)
        })
    })
}
