//! How far apart the levels of TBs are that execute at the same time (refgpu-S17).

use std::collections::BTreeMap;

/// Executing TBs that have a level.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// By SM and slot.
    of: BTreeMap<(u16, u8), u32>,
    /// TBs of each level.
    executing: BTreeMap<u32, u32>,
    range: Option<u32>,
    /// The greatest distance since the last sample.
    sampled: u32,
}

impl Levels {
    /// A TB of this level starts.
    pub fn start(&mut self, sm: u16, slot: u8, level: u32) {
        self.of.insert((sm, slot), level);
        *self.executing.entry(level).or_default() += 1;
        let distance = self.distance();
        self.range = self.range.max(Some(distance));
        self.sampled = self.sampled.max(distance);
    }

    /// The TB there ends, if it has a level.
    pub fn end(&mut self, sm: u16, slot: u8) {
        let Some(level) = self.of.remove(&(sm, slot)) else { return };
        if let Some(tbs) = self.executing.get_mut(&level) {
            *tbs -= 1;
            if *tbs == 0 {
                self.executing.remove(&level);
            }
        }
    }

    /// Ends a sample: the greatest distance within it.
    pub fn sample(&mut self) -> u32 {
        let distance = self.distance();
        std::mem::replace(&mut self.sampled, distance)
    }

    /// Between those that execute now.
    fn distance(&self) -> u32 {
        let ends = self.executing.first_key_value().zip(self.executing.last_key_value());
        ends.map_or(0, |((least, _), (greatest, _))| greatest - least)
    }

    /// The greatest distance so far; `None` if no TB had a level.
    #[must_use]
    pub const fn range(&self) -> Option<u32> {
        self.range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_the_greatest_over_time() {
        let mut levels = Levels::default();
        assert_eq!(levels.range(), None);
        let ranges: Vec<_> = [(0, 3), (1, 3), (2, 5)]
            .map(|(sm, level)| {
                levels.start(sm, 0, level);
                levels.range()
            })
            .into();
        assert_eq!(ranges, [Some(0), Some(0), Some(2)]);
        levels.end(0, 0);
        levels.end(1, 0);
        levels.end(9, 9);
        levels.start(0, 0, 7);
        assert_eq!(levels.range(), Some(2), "3 had ended when 7 began");
        levels.start(1, 0, 4);
        assert_eq!(levels.range(), Some(3));
    }

    #[test]
    fn a_sample_begins_with_what_executes() {
        let mut levels = Levels::default();
        levels.start(0, 0, 1);
        levels.start(1, 0, 4);
        assert_eq!(levels.sample(), 3);
        levels.end(1, 0);
        assert_eq!(levels.sample(), 3, "it ended within this sample");
        assert_eq!(levels.sample(), 0);
    }
}
