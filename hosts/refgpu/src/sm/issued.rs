//! How much TBs issue, each alone and with those of its unit beside it, for whoever decides which TB goes where (refgpu-V6).

use super::{Sm, outbox::Issued};

/// What is counted of the TBs on an SM.
#[derive(Debug)]
pub(super) struct TbCounts {
    slots: [Count; 64],
    /// The slots whose TB has not been asked for yet.
    held: u64,
}

/// Of one.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    unit: u64,
    own: u64,
    /// Together with what the TBs beside it that are still here have issued: what those of its unit have issued since it came. Wraps.
    others: u64,
}

impl Default for TbCounts {
    fn default() -> Self {
        Self { slots: [Count::default(); 64], held: 0 }
    }
}

impl TbCounts {
    /// A warp of the TB in `slot` issues an instruction.
    #[inline]
    pub(super) fn issue(&mut self, slot: u8) {
        self.slots[usize::from(slot & 63)].own += 1;
    }

    /// A TB of `unit` comes.
    pub(super) fn start(&mut self, slot: u8, unit: u64) {
        let before = self.beside(unit);
        self.slots[usize::from(slot & 63)] = Count { unit, own: 0, others: 0_u64.wrapping_sub(before) };
        self.held |= 1 << (slot & 63);
    }

    /// The TB in `slot` goes.
    pub(super) fn end(&mut self, slot: u8) -> Issued {
        let Count { unit, own, others } = self.slots[usize::from(slot & 63)];
        self.held &= !(1 << (slot & 63));
        let all = own.wrapping_add(others).wrapping_add(self.beside(unit));
        for count in self.slots.iter_mut().filter(|count| count.unit == unit) {
            count.others = count.others.wrapping_add(own);
        }
        Issued { own, all }
    }

    /// What the TBs of a unit that are here have issued.
    fn beside(&self, unit: u64) -> u64 {
        let held = |slot: &usize| self.held >> slot & 1 != 0;
        (0..64)
            .filter(held)
            .map(|slot| &self.slots[slot])
            .filter(|count| count.unit == unit)
            .map(|count| count.own)
            .sum()
    }
}

impl Sm {
    /// Counts what each TB issues, from now on.
    pub fn count_tbs(&mut self) {
        self.counts = Some(Box::default());
    }

    /// What the TB in `slot`, which has ended, and its unit have issued since it came; nothing, unless that is counted. Of several TBs
    /// that end in one cycle any may be asked for first.
    pub fn take_issued(&mut self, slot: u8) -> Issued {
        self.counts.as_mut().map_or(Issued::default(), |counts| counts.end(slot))
    }
}
