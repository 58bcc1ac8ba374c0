//! Who has to be looked at when: a timing wheel over the units of one kind.
//!
//! Each unit has one time. The wheel finds the units of a cycle, and the next cycle with any, at a cost that does not grow with
//! the number of units that sleep. A time beyond the wheel's span is entered at its end and moved on when that cycle comes.

/// Cycles that the wheel spans; covers a trip through the network and the L2.
const SPAN: u64 = 256;
const SLOT_WORDS: usize = (SPAN / 64) as usize;

/// Times of units 0..n.
#[derive(Clone, Debug)]
pub struct Agenda {
    at: Vec<u64>,
    /// Words of a set of units.
    words: usize,
    /// Per slot: the units entered there. Stale entries are told by `at`.
    slots: Vec<u64>,
    /// Slots with an entry.
    used: [u64; SLOT_WORDS],
}

impl Agenda {
    /// `units` units that sleep.
    #[must_use]
    pub fn new(units: usize) -> Self {
        let words = units.div_ceil(64).max(1);
        Self { at: vec![u64::MAX; units], words, slots: vec![0; SPAN as usize * words], used: [0; SLOT_WORDS] }
    }

    /// When `unit` has to be looked at; `u64::MAX` = not by itself.
    #[must_use]
    #[inline]
    pub fn at(&self, unit: usize) -> u64 {
        self.at[unit]
    }

    /// `unit` has to be looked at in cycle `at`, `now` or later, and not before.
    #[inline]
    pub fn set(&mut self, unit: usize, at: u64, now: u64) {
        self.at[unit] = at;
        if at != u64::MAX {
            let slot = (at.min(now + SPAN - 1) % SPAN) as usize;
            self.slots[slot * self.words + unit / 64] |= 1 << (unit % 64);
            self.used[slot / 64] |= 1 << (slot % 64);
        }
    }

    /// `unit` has to be looked at in cycle `at` at the latest.
    #[inline]
    pub fn lower(&mut self, unit: usize, at: u64, now: u64) {
        if at < self.at[unit] {
            self.set(unit, at, now);
        }
    }

    /// Takes the lowest unit that has to be looked at in cycle `now`; it sleeps until its time is set again.
    #[inline]
    pub fn pop(&mut self, now: u64) -> Option<usize> {
        let slot = (now % SPAN) as usize;
        if self.used[slot / 64] >> (slot % 64) & 1 == 0 {
            return None;
        }
        for word in 0..self.words {
            let set = slot * self.words + word;
            while self.slots[set] != 0 {
                let unit = word * 64 + self.slots[set].trailing_zeros() as usize;
                self.slots[set] &= self.slots[set] - 1;
                let at = self.at[unit];
                if at <= now {
                    self.at[unit] = u64::MAX;
                    return Some(unit);
                }
                self.set(unit, at, now);
            }
        }
        self.used[slot / 64] &= !(1 << (slot % 64));
        None
    }

    /// The next cycle after `now` in which a unit may have to be looked at; `u64::MAX` if none has to.
    #[must_use]
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

    #[test]
    fn units_come_in_their_cycle_by_number_however_far_it_is() {
        let mut agenda = Agenda::new(130);
        let times = [(129, 1000), (3, 1005), (70, 1005), (5, 1700), (6, 1255), (7, 1256)];
        for (unit, at) in times {
            agenda.set(unit, at, 1000);
        }
        let (mut now, mut got) = (1000, Vec::new());
        loop {
            while let Some(unit) = agenda.pop(now) {
                got.push((unit, now));
            }
            if agenda.next(now) == u64::MAX {
                break;
            }
            assert!(agenda.next(now) > now);
            now = agenda.next(now);
        }
        assert_eq!(got, [(129, 1000), (3, 1005), (70, 1005), (6, 1255), (7, 1256), (5, 1700)]);
    }

    #[test]
    fn a_time_can_be_moved_and_the_old_entry_is_forgotten() {
        let mut agenda = Agenda::new(2);
        agenda.set(0, 10, 0);
        agenda.lower(0, 20, 0);
        assert_eq!(agenda.at(0), 10);
        agenda.lower(0, 5, 0);
        assert_eq!((agenda.next(0), agenda.pop(5), agenda.pop(5)), (5, Some(0), None));
        agenda.set(0, 12, 5);
        assert_eq!((agenda.pop(10), agenda.pop(12)), (None, Some(0)));
        agenda.set(1, 12, 12);
        assert_eq!(agenda.pop(12), Some(1), "in the cycle itself");
    }
}
