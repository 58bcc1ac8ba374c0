//! What the stand-alone machine answers: where pushed work went, and what a cycle did (`laperm`, Interface).

use crate::base::cycle::Cycle;
use crate::base::id::{KernelSlot, SmxId, UnitId};
use crate::policy::laperm::visit::{Stage, Stall};

/// Where pushed work went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Placed {
    /// To queue 0.
    Queue0 {
        /// Entries before it.
        pos: u32,
        /// The cycle from which it is visible.
        ready_at: Cycle,
    },
    /// To the queue of a unit.
    OnChip {
        /// The unit.
        unit: UnitId,
        /// Its nesting level.
        level: u8,
        /// Entries before it.
        pos: u32,
        /// The cycle from which it is visible.
        ready_at: Cycle,
        /// Tag of the entry that went to memory instead.
        evicted: Option<u64>,
    },
    /// To an overflow list in memory: the unit's queue is full.
    Spilled {
        /// The unit.
        unit: UnitId,
        /// Its nesting level.
        level: u8,
    },
    /// `cdp`: to a pending list in memory, until the KMU takes it.
    Pending {
        /// The unit; `None` for a host kernel.
        unit: Option<UnitId>,
        /// Its nesting level.
        level: u8,
    },
}

/// Run this TB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Dispatch {
    /// Where.
    pub smx: SmxId,
    /// The kernel or group.
    pub tag: u64,
    /// The TB's number in it.
    pub tb: u32,
    /// Its nesting level, which a child launch needs.
    pub prio: u8,
    /// Where it waited.
    pub stage: Stage,
    /// The unit in whose queue it waited; `None` for queue 0.
    pub unit: Option<UnitId>,
    /// Whether it is the last TB of the kernel or group.
    pub last: bool,
    /// `cdp`: the entry of the kernel distributor, for [`LaPerm::tb_done`](super::LaPerm::tb_done).
    pub kde: Option<KernelSlot>,
    /// Tag of the entry that comes from an overflow list in its place. With `refill_mode` external it is to be fetched, and
    /// [`refilled`](super::LaPerm::refilled) says that it is here.
    pub refill: Option<u64>,
}

/// What a cycle did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Tick {
    /// It sent this TB.
    Dispatch(Dispatch),
    /// It sent none.
    Stall(Stall),
}
