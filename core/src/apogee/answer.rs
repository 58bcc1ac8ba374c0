//! What the verbs answer.

use super::access::WarpId;
use super::row::RowId;
use crate::base::cycle::Cycle;

/// What a load did to the distance of its row (apogee-S1, apogee-S2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Adjust {
    /// Nothing.
    #[default]
    None,
    /// The prefetch was slow: one iteration more.
    Inc,
    /// The prefetch was slow, and the distance the greatest already (apogee-H3).
    IncSat,
    /// The prefetch was too early: one iteration less.
    Dec,
    /// The prefetch was too early, and the distance the least already.
    DecMin,
}

/// What a load did to the chain of thread-invariant loads (apogee-C3, apogee-C4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Tia {
    /// It is no thread-invariant load that misses.
    #[default]
    None,
    /// A trigger row was made for it.
    Added,
    /// Its trigger row stays.
    Kept,
    /// Its trigger row stays, and moves when it triggers next.
    Slow,
    /// The last accessed load is itself: no trigger.
    #[cfg_attr(feature = "serde", serde(rename = "self"))]
    SelfLoad,
    /// There is no last accessed load.
    NoLal,
    /// The table has no row but its own.
    NoRoom,
}

/// What became of a line that is to be prefetched (apogee-Q1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Push {
    /// It waits in the queue.
    Pushed,
    /// It waited there already.
    Merged,
    /// The queue is full.
    Dropped,
}

/// A trigger row whose load came (apogee-C1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Triggered {
    /// The row.
    pub entry: RowId,
    /// It moved to an earlier load (apogee-C2).
    pub moved: bool,
    /// Its line.
    pub result: Push,
}

/// What a load found and did.
///
/// What it listed went to its [`LoadProbe`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Loaded {
    /// The row of its PC.
    pub entry: RowId,
    /// That row is new.
    pub is_new: bool,
    /// The PC that was displaced for it.
    pub evicted: Option<u32>,
    /// What became of the distance.
    pub adjust: Adjust,
    /// Its threads have not the row's offset, or none: the row trains again (apogee-O3).
    pub mismatch: bool,
    /// All its threads have the offset, with confidence enough (apogee-O5).
    pub confirmed: bool,
    /// FOA lines that were queued.
    pub pushed: u32,
    /// FOA lines that waited already.
    pub merged: u32,
    /// FOA lines for which the queue had no room.
    pub dropped: u32,
    /// Predictions of threads that lie outside the address space.
    pub outside: u32,
    /// Trigger rows of this PC.
    pub triggered: u32,
    /// What became of its own trigger row.
    pub tia: Tia,
    /// That row.
    pub tia_entry: Option<RowId>,
    /// The PC that was displaced for it.
    pub tia_evicted: Option<u32>,
}

/// Why a line is prefetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RequestKind {
    /// Fixed offset address.
    #[default]
    Foa,
    /// Thread invariant address.
    Tia,
}

/// A line to be prefetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// Address of the line.
    pub line: u64,
    /// The row that asks for it.
    pub entry: RowId,
    /// That row's generation when it asked.
    pub generation: u32,
    /// The warp that it is for.
    pub warp: WarpId,
    /// Why.
    pub kind: RequestKind,
}

/// A request in the prefetch queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Waiting {
    /// What it asks for.
    pub request: Request,
    /// The cycle from which it may leave.
    pub ready: Cycle,
}

/// A last accessed load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LastLoad {
    /// Its PC, if there is one.
    pub pc: Option<u32>,
}

/// Who is told what a load lists, in its order: lines that it queues, rows that it triggers. `()` is not interested.
pub trait LoadProbe {
    /// A FOA line was queued.
    #[inline]
    fn pushed(&mut self, line: u64) {
        let _ = line;
    }

    /// A trigger row prefetched.
    #[inline]
    fn triggered(&mut self, row: Triggered) {
        let _ = row;
    }
}

impl LoadProbe for () {}
