//! What can be seen of the machine, without changing it (`mascar`, Visible state).

use super::Mode;
use super::config::MascarConfig;
use super::lsu::{Lsu, LsuState, Presented};
use super::rexq::Entry;
use super::warps::{Head, Kind};
use super::{Mascar, Tables, WarpId};
use crate::base::cycle::Cycle;

/// Warps as a set: bit w is warp w.
pub type WarpMask = u64;

/// A resident warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WarpView {
    /// The kind of its head.
    pub kind: Kind,
    /// The operands of its head are available.
    pub ready: bool,
    /// An operand is the result of an outstanding load.
    pub dep_load: bool,
    /// It has a request in the queue or is in the LSU, so that it cannot exit.
    pub has_requests: bool,
}

/// What can be seen of the machine but for its warps and its queue. In masks, bit w is warp w.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MascarState {
    /// The cycle of the last pick.
    pub picked: Option<Cycle>,
    /// The cycle in which the owner became it.
    pub acquired: Option<Cycle>,
    /// Resident warps.
    pub resident: u64,
    /// Warp Status Table, mem bits: warps whose head was mem at the last pick.
    pub wst_mem: u64,
    /// Warp Status Table, stall bits: warps that the last pick left out of the ready queue.
    pub wst_stall: u64,
    /// Warps that were in the ready queue for memory when MP mode began, and may still issue.
    pub leftover: u64,
    /// The mode.
    pub mode: Mode,
    /// The saturation flags: bit s is that of cache s.
    pub flags: u8,
    /// The owner: the warp that has the LSU for itself.
    pub owner: Option<WarpId>,
    /// The warp that owned too long, and may not be owner again before another one was.
    pub barred: Option<WarpId>,
    /// The last issued warp of each scheduler.
    pub last: [Option<WarpId>; 8],
    /// What the LSU does.
    pub lsu: LsuState,
    /// The warp in the LSU.
    pub lsu_warp: Option<WarpId>,
    /// Requests that have not left the LSU.
    pub lsu_left: u8,
    /// Where the request comes from that waits for the L1's answer.
    pub presented: Option<Presented>,
    /// Entries of the re-execution queue in use.
    pub rexq: u32,
}

impl<T: Tables> Mascar<T> {
    /// What can be seen of the machine.
    #[must_use]
    pub fn state(&self) -> MascarState {
        let warps = &self.warps;
        MascarState {
            picked: self.picked(),
            acquired: self.owner.map(|owner| owner.since),
            resident: self.resident(),
            wst_mem: warps.numbers(warps.sets.wst_mem),
            wst_stall: warps.numbers(warps.sets.wst_stall),
            leftover: warps.numbers(warps.sets.leftover),
            mode: self.mode(),
            flags: self.flags,
            owner: self.owner(),
            barred: self.barred,
            last: self.last,
            lsu: self.lsu.state(),
            lsu_warp: self.lsu.warp(),
            lsu_left: self.lsu.left(),
            presented: self.presented,
            rexq: self.rexq.len(),
        }
    }

    /// The last issued warp of a scheduler.
    pub(super) fn last(&self, scheduler: usize) -> Option<WarpId> {
        self.last.get(scheduler).copied().flatten()
    }

    /// The configuration.
    #[must_use]
    pub const fn config(&self) -> &MascarConfig {
        &self.config
    }

    /// The cycle of the last pick.
    #[must_use]
    pub fn picked(&self) -> Option<Cycle> {
        self.next_pick.0.checked_sub(1).map(Cycle)
    }

    /// The warp that has the LSU for itself.
    #[must_use]
    #[inline]
    pub fn owner(&self) -> Option<WarpId> {
        self.owner.map(|owner| owner.warp)
    }

    /// Resident warps.
    #[must_use]
    pub const fn resident(&self) -> WarpMask {
        self.warps.resident()
    }

    /// The head of a warp; `None` if it is not resident.
    #[must_use]
    pub fn head(&self, w: WarpId) -> Option<Head> {
        self.warps.is_resident(w).then(|| self.warps.head(w))
    }

    /// A resident warp; `None` if it is not resident.
    #[must_use]
    pub fn warp(&self, w: WarpId) -> Option<WarpView> {
        let Head { kind, ready, dep_load } = self.head(w)?;
        Some(WarpView { kind, ready, dep_load, has_requests: self.has_requests(w) })
    }

    /// The resident warps, oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = WarpId> {
        self.warps.by_age()
    }

    /// The LSU.
    #[must_use]
    pub const fn lsu(&self) -> &Lsu {
        &self.lsu
    }

    /// The re-execution queue, from the head on.
    pub fn rexq(&self) -> impl Iterator<Item = &Entry> {
        self.rexq.iter()
    }

    /// An entry of the re-execution queue; 0 is its head.
    #[must_use]
    pub fn rexq_at(&self, index: u32) -> Option<&Entry> {
        self.rexq.iter().nth(index as usize)
    }

    /// Whether a warp has a request in the queue or is in the LSU.
    #[must_use]
    #[inline]
    pub fn has_requests(&self, w: WarpId) -> bool {
        self.warps.entries(w) > 0 || self.lsu.warp() == Some(w)
    }

    /// The first cycle in which a pick or a presentation may do something, if no event comes before it; `None` if none will.
    /// That is the next one while there is an instruction or a request in the LSU or the queue, a warp that may issue, or an owner
    /// that gives up; else the end of the owner's time, if others wait. Cycles before it can be left out.
    #[must_use]
    pub fn next_event(&self) -> Option<Cycle> {
        let next = self.next_pick;
        let works = !self.lsu.is_idle() || !self.rexq.is_empty();
        let eligible = if self.is_mp() { self.eligible::<true>() } else { self.eligible::<false>() };
        let issues = eligible | self.warps.sets.comp_ready != 0;
        // A barred warp is forgotten by the next pick, unless that finds another one to own.
        if works || issues || self.barred.is_some() {
            return Some(next);
        }
        let owner = self.owner?;
        if self.gives_up(owner.warp) {
            return Some(next);
        }
        let limit = self.longest;
        (limit < u64::MAX && self.others_wait(owner.warp)).then(|| owner.since.after(limit).max(next))
    }
}
