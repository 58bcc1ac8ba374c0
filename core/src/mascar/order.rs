//! mascar-P4: the order inside a group of warps, per scheduler.

use super::WarpId;
use super::config::{MAX_SCHEDULERS, MascarConfig, Order, Priority};
use super::warps::Warps;
use crate::base::id::rows_in;

/// How warps are chosen in one mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rules {
    pub(super) mem: Order,
    /// That of memory warps if both are one group.
    pub(super) comp: Order,
    /// Everybody if memory warps are greedy, else nobody.
    pub(super) greedy_mem: u64,
    /// The same of compute warps.
    pub(super) greedy_comp: u64,
    /// A memory warp contends though its scheduler could compute (mascar-P5): memory has priority, or a pipe of its own.
    pub(super) mem_first: bool,
    /// Both are one group.
    pub(super) merged: bool,
    /// At most two schedulers, each of which issues one warp a cycle; only age and greed decide, in two groups.
    pub(super) is_usual: bool,
}

impl Rules {
    /// Those of EP or of MP mode.
    pub(super) fn of(config: &MascarConfig, mp: bool) -> Self {
        let (priority, mem, comp) = if mp {
            (config.mp_priority, config.mp_mem_order, config.mp_comp_order)
        } else {
            (config.ep_priority, config.ep_mem_order, config.ep_comp_order)
        };
        let merged = priority == Priority::Merged;
        let comp = if merged { mem } else { comp };
        let greedy = |order| if order == Order::Gto { u64::MAX } else { 0 };
        Self {
            mem,
            comp,
            greedy_mem: greedy(mem),
            greedy_comp: greedy(comp),
            mem_first: config.per_pipe || priority == Priority::Mem,
            merged,
            is_usual: config.schedulers <= 2
                && !config.per_pipe
                && !merged
                && !config.owner_first
                && mem != Order::Rr
                && comp != Order::Rr,
        }
    }

    /// Schedulers that may have warps.
    pub(super) const fn schedulers<const USUAL: bool>(self) -> usize {
        if USUAL { 2 } else { MAX_SCHEDULERS }
    }

    /// The first memory warp of a set, alone. All of the set are of one scheduler, and `last` is its last issued warp.
    #[inline]
    pub(super) fn first_mem<const USUAL: bool>(self, set: u64, last: Option<WarpId>, warps: &Warps) -> u64 {
        if !USUAL && self.mem == Order::Rr {
            round_robin(set, last, warps)
        } else {
            first(set, warps.sets.greedy & self.greedy_mem)
        }
    }

    /// The same of compute warps.
    #[inline]
    pub(super) fn first_comp<const USUAL: bool>(self, set: u64, last: Option<WarpId>, warps: &Warps) -> u64 {
        if !USUAL && self.comp == Order::Rr {
            round_robin(set, last, warps)
        } else {
            first(set, warps.sets.greedy & self.greedy_comp)
        }
    }
}

/// The first warp of a set, alone: one that is also in `greedy`, or else the oldest, which is the lowest bit.
#[inline]
const fn first(set: u64, greedy: u64) -> u64 {
    let greedy = set & greedy;
    let set = if greedy == 0 { set } else { greedy };
    set & set.wrapping_neg()
}

/// By number, from the one behind the last issued warp, or from 0. It looks at each warp of the set.
fn round_robin(set: u64, last: Option<WarpId>, warps: &Warps) -> u64 {
    let start = last.map_or(0, |w| u32::from(w.0) + 1);
    let turn = |rank: &WarpId| u32::from(warps.at(rank.0.into()).0).wrapping_sub(start) % 64;
    rows_in::<WarpId>(set).min_by_key(turn).map_or(0, |rank| 1 << (rank.0 & 63))
}
