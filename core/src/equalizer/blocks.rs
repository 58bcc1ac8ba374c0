//! B: which blocks an SM holds, which of them may run, and how many more it asks for.

use super::config::{Pick, SmConfig};
use crate::base::id::{SlotId, id};
use crate::base::table::Table;

/// The most block slots of an SM.
pub const MAX_BLOCKS: usize = 32;

/// Block slots, in the order in which they were chosen.
pub type SlotList = heapless::Vec<SlotId, MAX_BLOCKS, u8>;

/// What the host has to do after an event. Warps of paused slots must not issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Change {
    /// Slots to be paused.
    pub pause: SlotList,
    /// Slots to be woken.
    pub unpause: SlotList,
    /// Blocks to be asked of the work distributor (GWDE), which grants or denies each.
    pub requests: u32,
}

/// A resident block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Block {
    /// The host's number for it.
    pub id: u64,
    /// Whether it is paused.
    pub paused: bool,
}

/// A resident block's place in the order of arrival, the oldest first.
type Rank = u32;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) slot: SlotId,
}

id! {
    /// A [`Rank`] as a row.
    pub(super) RankId(u8)
}

/// The block slots of an SM, and its requests. Blocks are kept by rank, so that the youngest and the oldest are found at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Blocks {
    /// The resident blocks, by rank.
    pub(super) rows: Table<RankId, Row, [Row; MAX_BLOCKS]>,
    pub(super) resident: u32,
    /// Bit r: the block of rank r runs.
    pub(super) run: u32,
    /// How many these are.
    pub(super) running: u32,
    /// Bit s: slot s is taken.
    pub(super) taken: u32,
    /// Requests that the GWDE has not answered.
    pub(super) outstanding: u32,
    /// The GWDE has no blocks: nothing is asked for.
    pub(super) drained: bool,
}

impl Blocks {
    pub(super) fn new() -> Self {
        let rows = Table::new([Row::default(); MAX_BLOCKS]);
        Self { rows, resident: 0, run: 0, running: 0, taken: 0, outstanding: 0, drained: false }
    }

    pub(super) const fn running(&self) -> u32 {
        self.running
    }

    pub(super) const fn paused(&self) -> u32 {
        self.resident - self.running
    }

    pub(super) const fn resident(&self) -> u32 {
        self.resident
    }

    /// Bit r: the block of rank r is paused.
    const fn paused_ranks(&self) -> u32 {
        below(self.resident) & !self.run
    }

    fn row(&self, rank: Rank) -> &Row {
        &self.rows[RankId(rank as u8)]
    }

    fn rank(&self, is: impl Fn(&Row) -> bool) -> Option<Rank> {
        (0..self.resident).find(|&rank| is(self.row(rank)))
    }

    fn block_of(&self, rank: Rank) -> Block {
        Block { id: self.row(rank).id, paused: self.run & bit(rank) == 0 }
    }

    /// The block in a slot.
    pub(super) fn block(&self, slot: SlotId) -> Option<Block> {
        self.rank(|row| row.slot == slot).map(|rank| self.block_of(rank))
    }

    pub(super) fn holds(&self, id: u64) -> bool {
        self.rank(|row| row.id == id).is_some()
    }

    /// Resident blocks in the order of their arrival.
    pub(super) fn by_age(&self) -> impl Iterator<Item = &Row> {
        (0..self.resident).map(|rank| self.row(rank))
    }

    /// Puts a block into the lowest empty slot, running, as the youngest. There is one: what was asked for has room.
    pub(super) fn arrive(&mut self, id: u64) -> SlotId {
        let slot = SlotId(self.taken.trailing_ones() as u8);
        let rank = self.resident;
        self.rows[RankId(rank as u8)] = Row { id, slot };
        self.taken |= bit(slot.0.into());
        self.run |= bit(rank);
        self.running += 1;
        self.resident += 1;
        slot
    }

    /// Empties a slot and says which block it held; `None` if it was empty.
    pub(super) fn leave(&mut self, slot: SlotId) -> Option<u64> {
        let rank = self.rank(|row| row.slot == slot)?;
        let Block { id, paused } = self.block_of(rank);
        self.running -= u32::from(!paused);
        self.taken &= !bit(slot.0.into());
        // Those that arrived later move up.
        let older = below(rank);
        self.run = self.run & older | self.run >> 1 & !older;
        for later in rank + 1..self.resident {
            self.rows[RankId(later as u8 - 1)] = *self.row(later);
        }
        self.resident -= 1;
        self.rows[RankId(self.resident as u8)] = Row::default();
        Some(id)
    }

    /// Brings running blocks to the target, and asks for what is missing (equalizer-B1 to B3); who is paused
    /// is woken before anybody is asked for (equalizer-A13).
    #[inline(always)]
    pub(super) fn reconcile(&mut self, target: u32, limit: u32, config: &SmConfig) -> Change {
        let mut change = Change::default();
        while self.running > target
            && let Some(rank) = pick(self.run, config.pause_pick)
        {
            self.turn(rank, &mut change.pause);
            self.running -= 1;
        }
        while self.running < target
            && let Some(rank) = pick(self.paused_ranks(), config.unpause_pick)
        {
            self.turn(rank, &mut change.unpause);
            self.running += 1;
        }
        if self.running < target && !self.drained {
            let missing = target.saturating_sub(self.running + self.outstanding);
            let room = limit.saturating_sub(self.resident + self.outstanding);
            change.requests = missing.min(room);
            self.outstanding += change.requests;
        }
        change
    }

    /// Pauses a running block or wakes a paused one.
    #[inline]
    fn turn(&mut self, rank: Rank, list: &mut SlotList) {
        self.run ^= bit(rank);
        // A block is turned once in an event, so the list is long enough.
        let _ = list.push(self.row(rank).slot);
    }
}

/// The youngest or oldest of some ranks.
#[inline]
fn pick(ranks: u32, pick: Pick) -> Option<Rank> {
    match pick {
        Pick::Youngest => ranks.checked_ilog2(),
        Pick::Oldest => (ranks != 0).then(|| ranks.trailing_zeros()),
    }
}

/// The bit of a rank or slot below [`MAX_BLOCKS`].
pub(super) const fn bit(n: u32) -> u32 {
    1u32.wrapping_shl(n)
}

/// The bits of all that are below `n`, at most [`MAX_BLOCKS`].
pub(super) const fn below(n: u32) -> u32 {
    match u32::MAX.checked_shl(n) {
        Some(others) => !others,
        None => u32::MAX,
    }
}
