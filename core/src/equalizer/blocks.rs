//! B: which blocks an SM holds, which of them may run, and how many more it asks for.

use super::config::{Pick, SmConfig};
use crate::id::{SlotId, rows_in};
use crate::table::Table;

/// The most block slots of an SM.
pub const MAX_BLOCKS: usize = 32;

/// Block slots, in the order in which they were chosen.
pub type SlotList = heapless::Vec<SlotId, MAX_BLOCKS>;

/// What the host has to do after an event. Warps of paused slots must not issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Block {
    /// The host's number for it.
    pub id: u64,
    /// Whether it is paused.
    pub paused: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Row {
    id: u64,
    /// Blocks here that arrived before it.
    age: u8,
}

/// The block slots of an SM, and its requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Blocks {
    /// Bit s: slot s holds a running block.
    run: u32,
    /// Bit s: slot s holds a paused block.
    pause: u32,
    rows: Table<SlotId, Row, [Row; MAX_BLOCKS]>,
    /// Requests that the GWDE has not answered.
    pub(super) outstanding: u32,
    /// The GWDE has no blocks: nothing is asked for.
    pub(super) drained: bool,
}

impl Blocks {
    pub(super) fn new() -> Self {
        let rows = Table::new([Row::default(); MAX_BLOCKS]);
        Self { run: 0, pause: 0, rows, outstanding: 0, drained: false }
    }

    pub(super) const fn running(&self) -> u32 {
        self.run.count_ones()
    }

    pub(super) const fn paused(&self) -> u32 {
        self.pause.count_ones()
    }

    pub(super) const fn resident(&self) -> u32 {
        self.taken().count_ones()
    }

    const fn taken(&self) -> u32 {
        self.run | self.pause
    }

    /// The block in a slot.
    pub(super) fn block(&self, slot: SlotId) -> Option<Block> {
        let bit = 1u32.checked_shl(slot.0.into()).filter(|bit| self.taken() & bit != 0)?;
        Some(Block { id: self.rows[slot].id, paused: self.pause & bit != 0 })
    }

    pub(super) fn holds(&self, id: u64) -> bool {
        slots(self.taken()).any(|slot| self.rows[slot].id == id)
    }

    /// Resident blocks in the order of their arrival.
    #[cfg(feature = "image")]
    pub(super) fn by_age(&self) -> impl Iterator<Item = (SlotId, Block)> {
        let of_age = |age: u32| slots(self.taken()).find(|&slot| u32::from(self.rows[slot].age) == age);
        (0..self.resident()).filter_map(move |age| {
            let slot = of_age(age)?;
            Some((slot, self.block(slot)?))
        })
    }

    /// Puts a block into the lowest empty slot, running. There is one: what was asked for has room.
    pub(super) fn arrive(&mut self, id: u64) -> SlotId {
        let slot = SlotId(self.taken().trailing_ones() as u8);
        self.put(slot, Block { id, paused: false });
        slot
    }

    /// Puts a block into an empty slot, as the youngest.
    pub(super) fn put(&mut self, slot: SlotId, block: Block) {
        self.rows[slot] = Row { id: block.id, age: self.resident() as u8 };
        let side = if block.paused { &mut self.pause } else { &mut self.run };
        *side |= bit(slot);
    }

    /// Empties a slot and says which block it held; `None` if it was empty.
    pub(super) fn leave(&mut self, slot: SlotId) -> Option<u64> {
        let block = self.block(slot)?;
        self.run &= !bit(slot);
        self.pause &= !bit(slot);
        let Row { age, .. } = core::mem::take(&mut self.rows[slot]);
        for other in slots(self.taken()) {
            let row = &mut self.rows[other];
            row.age -= u8::from(row.age > age);
        }
        Some(block.id)
    }

    /// Brings running blocks to the target, and asks for what is missing (B1 to B3).
    #[inline]
    pub(super) fn reconcile(&mut self, target: u32, limit: u32, config: &SmConfig) -> Change {
        let mut change = Change::default();
        let mut running = self.running();
        while running > target
            && let Some(slot) = self.pick(self.run, config.pause_pick)
        {
            self.turn(slot, &mut change.pause);
            running -= 1;
        }
        while running < target
            && let Some(slot) = self.pick(self.pause, config.unpause_pick)
        {
            self.turn(slot, &mut change.unpause);
            running += 1;
        }
        if !self.drained {
            let missing = target.saturating_sub(running + self.outstanding);
            let room = limit.saturating_sub(self.resident() + self.outstanding);
            change.requests = missing.min(room);
            self.outstanding += change.requests;
        }
        change
    }

    /// Pauses a running block or wakes a paused one.
    fn turn(&mut self, slot: SlotId, list: &mut SlotList) {
        self.run ^= bit(slot);
        self.pause ^= bit(slot);
        // A slot is turned once in an event, so the list is long enough.
        let _ = list.push(slot);
    }

    /// The youngest or oldest of some slots.
    fn pick(&self, of: u32, pick: Pick) -> Option<SlotId> {
        let age = |slot: &SlotId| self.rows[*slot].age;
        match pick {
            Pick::Youngest => slots(of).max_by_key(age),
            Pick::Oldest => slots(of).min_by_key(age),
        }
    }
}

fn slots(word: u32) -> impl Iterator<Item = SlotId> {
    rows_in(word.into())
}

/// The bit of a slot below [`MAX_BLOCKS`].
const fn bit(slot: SlotId) -> u32 {
    1u32.wrapping_shl(slot.0 as u32)
}
