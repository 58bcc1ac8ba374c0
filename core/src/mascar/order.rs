//! P4: the order inside a group of warps, per scheduler.

use super::WarpId;
use super::config::{Order, Priority};
use super::warps::Warps;
use crate::id::rows_in;

/// How warps are chosen in one mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) priority: Priority,
    pub(super) mem: Order,
    /// That of memory warps if both are one group.
    pub(super) comp: Order,
}

impl Order {
    /// The rank of the first warp of a set that is not empty, on a scheduler that issued `last`.
    #[inline]
    pub(super) fn first(self, set: u64, last: Option<WarpId>, warps: &Warps) -> u32 {
        match self {
            Self::Oldest => set.trailing_zeros(),
            Self::Gto => greedy(set, last, warps).trailing_zeros(),
            Self::Rr => round_robin(set, last, warps),
        }
    }

    /// Of two ranks, whether the first one precedes the second.
    #[inline]
    pub(super) fn precedes(self, a: u32, b: u32, last: Option<WarpId>, warps: &Warps) -> bool {
        self.first(1 << a | 1 << b, last, warps) == a
    }
}

/// The last issued warp alone if it is in the set, else the set.
#[inline]
fn greedy(set: u64, last: Option<WarpId>, warps: &Warps) -> u64 {
    let last = last.map_or(0, |w| warps.bit(w)) & set;
    if last == 0 { set } else { last }
}

/// By number, from the one behind the last issued warp, or from 0.
fn round_robin(set: u64, last: Option<WarpId>, warps: &Warps) -> u32 {
    let start = last.map_or(0, |w| u32::from(w.0) + 1);
    let turn = |rank: &WarpId| u32::from(warps.at(rank.0.into()).0).wrapping_sub(start) % 64;
    rows_in::<WarpId>(set).min_by_key(turn).map_or(0, |rank| rank.0.into())
}
