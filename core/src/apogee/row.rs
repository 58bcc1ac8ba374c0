//! A row of the prefetch table (`apogee`, Structures; Table 5.3b of the source), and what has become of its prefetches.

use super::access::WarpId;
use crate::base::id::id;

id! {
    /// A row of the prefetch table, 0..entries.
    pub RowId(u16)
}

/// What has become of the prefetches of one row for one warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum PrefetchState {
    /// 00: nothing is outstanding.
    #[default]
    Idle = 0b00,
    /// 01: one is on its way to memory.
    Sent = 0b01,
    /// 10: one has come back.
    Back = 0b10,
    /// 11: requested, still in the prefetch queue.
    Queued = 0b11,
}

impl PrefetchState {
    /// Whether one is queued or on its way: a load that finds it so is too early for it (apogee-S1, apogee-C3).
    #[must_use]
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Sent | Self::Queued)
    }
}

/// The states of all warps: two bits for each, in two words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WarpStates {
    low: u64,
    high: u64,
}

impl WarpStates {
    /// Of words whose bits w are the low and the high bit of the state of warp w.
    #[must_use]
    pub const fn from_bits(low: u64, high: u64) -> Self {
        Self { low, high }
    }

    /// The state of a warp.
    #[must_use]
    #[inline]
    pub const fn of(&self, warp: WarpId) -> PrefetchState {
        let at = warp.0 % 64;
        match ((self.high >> at) & 1, (self.low >> at) & 1) {
            (0, 0) => PrefetchState::Idle,
            (0, _) => PrefetchState::Sent,
            (_, 0) => PrefetchState::Back,
            _ => PrefetchState::Queued,
        }
    }

    #[inline]
    pub(super) const fn set(&mut self, warp: WarpId, state: PrefetchState) {
        let bit = 1 << (warp.0 % 64);
        let low = if state as u8 & 1 == 0 { 0 } else { bit };
        let high = if state as u8 & 2 == 0 { 0 } else { bit };
        self.low = self.low & !bit | low;
        self.high = self.high & !bit | high;
    }

    /// Whether a load finds that its prefetch was in time: none is under way, and if one has come back, the load hits.
    #[inline]
    pub(super) const fn is_timely(&self, warp: WarpId, hits: bool) -> bool {
        let bit = 1 << (warp.0 % 64);
        self.low & bit == 0 && (hits || self.high & bit == 0)
    }

    /// A line is queued for a warp whose prefetch was in time.
    #[inline]
    pub(super) const fn queue(&mut self, warp: WarpId) {
        let bit = 1 << (warp.0 % 64);
        self.low ^= bit; // It was 0.
        self.high |= bit;
    }

    /// Whether warps from `warps` on have none.
    pub(super) const fn fits(&self, warps: u32) -> bool {
        warps >= 64 || (self.low | self.high) >> warps == 0
    }
}

/// What a row has learnt of its own load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LoadRow {
    /// Bytes from one thread index to the next. A row without one trains (PF type 1), a row with one is FOA (PF type 2).
    pub offset: Option<i32>,
    /// Lane of the last active thread of the last access; all ones: scalar.
    pub thread: u8,
    /// Iterations of the warp from a load to what it prefetches.
    pub distance: u16,
}

/// What a row is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RowKind {
    /// Nothing: PF type 0.
    #[default]
    Free,
    /// The load of its PC.
    Load(LoadRow),
    /// The prefetch of what another load will ask for, by the load of its PC: PF type 3.
    Trigger {
        /// PC of that other load.
        target: u32,
        /// It did not come in time: the next trigger moves the row (apogee-C2).
        slow: bool,
    },
}

/// A row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Row {
    /// What it is for.
    pub kind: RowKind,
    /// The load that reads it: its own, or the trigger.
    pub pc: u32,
    /// Byte address: of the last active thread of the last access, or what to prefetch.
    pub address: u64,
    /// Matches of the offset; of a trigger row, a copy of its target's.
    pub confidence: u16,
    /// Per-warp states.
    pub states: WarpStates,
    /// How often the row was allocated, modulo 2^32.
    pub generation: u32,
    /// The next row of its bucket by PC.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) next: Option<RowId>,
    /// The next row of its bucket by target.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) next_target: Option<RowId>,
}

/// A row as it is seen from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RowView {
    /// What it is for.
    pub kind: RowKind,
    /// Byte address: of the last active thread of the last access, or what to prefetch.
    pub address: u64,
    /// Bit w is the low bit of the state of warp w.
    pub states_low: u64,
    /// Bit w is the high bit of the state of warp w.
    pub states_high: u64,
    /// The load that reads it: its own, or the trigger.
    pub pc: u32,
    /// Matches of the offset; of a trigger row, a copy of its target's.
    pub confidence: u16,
    /// How often the row was allocated, modulo 2^32.
    pub generation: u32,
}

impl Row {
    /// What is seen of it from outside.
    #[must_use]
    pub const fn view(&self) -> RowView {
        let &Self { kind, pc, address, confidence, states, generation, .. } = self;
        RowView { kind, address, states_low: states.low, states_high: states.high, pc, confidence, generation }
    }

    /// Whether the table has room here.
    #[must_use]
    pub const fn is_free(&self) -> bool {
        matches!(self.kind, RowKind::Free)
    }

    /// What the row has learnt of its own load.
    #[must_use]
    #[inline]
    pub const fn load(&self) -> Option<&LoadRow> {
        match &self.kind {
            RowKind::Load(load) => Some(load),
            _ => None,
        }
    }

    /// The load whose trigger this row is.
    #[must_use]
    pub const fn target(&self) -> Option<u32> {
        match self.kind {
            RowKind::Trigger { target, .. } => Some(target),
            _ => None,
        }
    }
}
