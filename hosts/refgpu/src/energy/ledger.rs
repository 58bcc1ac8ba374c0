//! What was counted at which voltage and clock: integers, so that an account split at any cycle adds up.

use std::ops::{AddAssign, Sub};

use serde::Serialize;

use super::{MemoryEvents, SmEvents};
use crate::vf::VfLevel;

/// What a domain counted at one voltage, and for how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Interval<Events = SmEvents> {
    /// Core cycles.
    pub cycles: u64,
    /// Events.
    pub events: Events,
}

impl<E: AddAssign> AddAssign for Interval<E> {
    fn add_assign(&mut self, o: Self) {
        self.cycles += o.cycles;
        self.events += o.events;
    }
}

impl<E: Sub<Output = E>> Sub for Interval<E> {
    type Output = Self;

    fn sub(self, o: Self) -> Self {
        Self { cycles: self.cycles - o.cycles, events: self.events - o.events }
    }
}

/// Voltage and clock of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// Nominal: the high P-state, the normal level.
    Normal,
    /// The low P-state (sheet `bubble_dvfs`). Transitions count as high (bubble_dvfs-A11).
    Asleep,
    /// One level below nominal (equalizer-F7).
    Lowered,
    /// One level above nominal.
    Raised,
}

impl Supply {
    /// Number of supplies.
    pub const COUNT: usize = 4;
    /// Every supply.
    pub const ALL: [Self; Self::COUNT] = [Self::Normal, Self::Asleep, Self::Lowered, Self::Raised];

    /// That of an SM at the low P-state, or else at a level. No configuration has both.
    #[must_use]
    pub const fn of(is_asleep: bool, level: VfLevel) -> Self {
        match level {
            _ if is_asleep => Self::Asleep,
            VfLevel::Low => Self::Lowered,
            VfLevel::Normal => Self::Normal,
            VfLevel::High => Self::Raised,
        }
    }
}

/// What an SM counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SmxLedger {
    /// By [`Supply`].
    pub supplies: [Interval; Supply::COUNT],
    /// The part of these in sampling periods that ended in a bubble.
    pub bubble: [Interval; Supply::COUNT],
}

impl SmxLedger {
    /// So long at one supply.
    #[must_use]
    pub fn at(supply: Supply, interval: Interval) -> Self {
        let mut ledger = Self::default();
        ledger.supplies[supply as usize] = interval;
        ledger
    }
}

impl AddAssign for SmxLedger {
    fn add_assign(&mut self, o: Self) {
        self.supplies.iter_mut().zip(o.supplies).for_each(|(a, b)| *a += b);
        self.bubble.iter_mut().zip(o.bubble).for_each(|(a, b)| *a += b);
    }
}

impl Sub for SmxLedger {
    type Output = Self;

    /// What came after `o`, an earlier state of the same ledger.
    fn sub(self, o: Self) -> Self {
        let less = |a: [Interval; Supply::COUNT], b: [Interval; Supply::COUNT]| std::array::from_fn(|i| a[i] - b[i]);
        Self { supplies: less(self.supplies, o.supplies), bubble: less(self.bubble, o.bubble) }
    }
}

/// What the memory domain counted, by [`VfLevel`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryLedger {
    /// By level.
    pub levels: [Interval<MemoryEvents>; VfLevel::COUNT],
}

impl MemoryLedger {
    /// So long at one level.
    #[must_use]
    pub fn at(level: VfLevel, interval: Interval<MemoryEvents>) -> Self {
        let mut ledger = Self::default();
        ledger.levels[level as usize] = interval;
        ledger
    }

    /// Core cycles in all.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.levels.iter().map(|level| level.cycles).sum()
    }

    /// Adds everything up to core cycle `until`, by when the domain had counted these events, to this level.
    pub fn settle(&mut self, level: VfLevel, until: u64, events: MemoryEvents) {
        let before = self.levels.iter().fold(MemoryEvents::default(), |mut sum, level| {
            sum += level.events;
            sum
        });
        let cycles = until - self.cycles();
        self.levels[level as usize] += Interval { cycles, events: events - before };
    }
}

impl AddAssign for MemoryLedger {
    fn add_assign(&mut self, o: Self) {
        self.levels.iter_mut().zip(o.levels).for_each(|(a, b)| *a += b);
    }
}

impl Sub for MemoryLedger {
    type Output = Self;

    /// What came after `o`, an earlier state of the same ledger.
    fn sub(self, o: Self) -> Self {
        Self { levels: std::array::from_fn(|i| self.levels[i] - o.levels[i]) }
    }
}
