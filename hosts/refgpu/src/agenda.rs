//! Who has to be looked at when: a timing wheel over the units of one kind.
//!
//! Each unit has one time. The wheel finds the units of a cycle, and the next cycle with any, at a cost that does not grow with
//! the number of units that sleep. A time beyond the wheel's span is entered at its end and moved on when that cycle comes.

use crate::units::{self, members};

/// Cycles that the wheel spans; covers a trip through the network and the L2.
const SPAN: u64 = 256;
const SLOT_WORDS: usize = (SPAN / 64) as usize;

/// Times of units 0..n.
#[derive(Clone, Debug)]
pub struct Agenda {
    at: Vec<u64>,
    /// Per slot: the units entered there, a set of so many words. Stale entries are told by `at`.
    slots: Vec<u64>,
    words: usize,
    /// Slots with an entry.
    used: [u64; SLOT_WORDS],
}

impl Agenda {
    /// `units` units that sleep.
    pub fn new(units: usize) -> Self {
        let words = units::words(units);
        Self { at: vec![u64::MAX; units], slots: vec![0; words * SPAN as usize], words, used: [0; SLOT_WORDS] }
    }

    /// `unit` has to be looked at in cycle `at`, `now` or later, and not before; `u64::MAX` = not by itself.
    #[inline]
    pub fn set(&mut self, unit: usize, at: u64, now: u64) {
        self.at[unit] = at;
        if at != u64::MAX {
            let slot = (at.min(now + SPAN - 1) % SPAN) as usize;
            self.slots[slot * self.words + unit / 64] |= 1 << (unit % 64);
            units::insert(&mut self.used, slot);
        }
    }

    /// `unit` has to be looked at in cycle `at` at the latest.
    #[inline]
    pub fn lower(&mut self, unit: usize, at: u64, now: u64) {
        if at < self.at[unit] {
            self.set(unit, at, now);
        }
    }

    /// Words of a set of its units.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Takes the units entered for cycle `now`, word by word. For each, [`Agenda::confirm`] tells whether it really has to be looked at.
    #[inline]
    pub fn take(&mut self, now: u64, word: usize) -> impl Iterator<Item = usize> + use<> {
        let slot = (now % SPAN) as usize;
        units::remove(&mut self.used, slot);
        members(word, std::mem::take(&mut self.slots[slot * self.words + word]))
    }

    /// Whether `unit`, just taken, has to be looked at in cycle `now`; then it sleeps until its time is set again.
    #[inline]
    pub fn confirm(&mut self, unit: usize, now: u64) -> bool {
        let at = self.at[unit];
        if at > now {
            self.set(unit, at, now);
            return false;
        }
        self.at[unit] = u64::MAX;
        true
    }

    /// The next cycle after `now` in which a unit may have to be looked at; `u64::MAX` if none has to.
    #[inline]
    pub fn next(&self, now: u64) -> u64 {
        let first = ((now + 1) % SPAN) as usize;
        let (start, shift) = (first / 64, first % 64);
        let mut ahead = 64 - shift as u64;
        let part = self.used[start] >> shift;
        if part != 0 {
            return now + 1 + u64::from(part.trailing_zeros());
        }
        // The word of `first` comes once more at the end, for the slots before it.
        for i in 1..=SLOT_WORDS {
            let part = self.used[(start + i) % SLOT_WORDS];
            if part != 0 {
                return now + 1 + ahead + u64::from(part.trailing_zeros());
            }
            ahead += 64;
        }
        u64::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(agenda: &mut Agenda, now: u64) -> Vec<usize> {
        let taken: Vec<_> = (0..agenda.words()).flat_map(|word| agenda.take(now, word)).collect();
        taken.into_iter().filter(|&unit| agenda.confirm(unit, now)).collect()
    }

    #[test]
    fn units_come_in_their_cycle_by_number_however_far_it_is() {
        let mut agenda = Agenda::new(256);
        let times = [(255, 1000), (3, 1005), (40, 1005), (5, 1700), (6, 1255), (7, 1256)];
        for (unit, at) in times {
            agenda.set(unit, at, 1000);
        }
        let (mut now, mut got) = (1000, Vec::new());
        loop {
            got.extend(due(&mut agenda, now).into_iter().map(|unit| (unit, now)));
            if agenda.next(now) == u64::MAX {
                break;
            }
            assert!(agenda.next(now) > now);
            now = agenda.next(now);
        }
        assert_eq!(got, [(255, 1000), (3, 1005), (40, 1005), (6, 1255), (7, 1256), (5, 1700)]);
    }

    #[test]
    fn a_time_can_be_moved_and_the_old_entry_is_forgotten() {
        let mut agenda = Agenda::new(2);
        agenda.set(0, 10, 0);
        agenda.lower(0, 20, 0);
        assert_eq!(agenda.next(0), 10);
        agenda.lower(0, 5, 0);
        assert_eq!(agenda.next(0), 5);
        assert_eq!(due(&mut agenda, 5), [0]);
        agenda.set(0, 12, 5);
        assert!(due(&mut agenda, 10).is_empty());
        assert_eq!(due(&mut agenda, 12), [0]);
        agenda.set(1, 12, 12);
        assert_eq!(due(&mut agenda, 12), [1], "in the cycle itself");
    }
}
