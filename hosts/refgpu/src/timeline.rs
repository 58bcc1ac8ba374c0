//! What happened when: SMX occupancy and pending launches as means per sample, with bounded memory; on demand each TB ([`tbs`]). The
//! states that the occupancy-bubble controller put SMXs in become spans in [`states`]. All of it, as it happens, is told in [`events`].
//!
//! A sample covers `run.sample_cycles` cycles at first. When the list is full, neighbours are joined and samples cover twice as
//! many cycles from then on.

pub mod events;
pub mod states;
pub mod tbs;
pub(crate) mod teller;

use serde::Serialize;

pub use events::{Event, Observer, Sample, SmSample};
pub use states::Span;
pub use tbs::{Launch, LaunchKind, Tb, TbLog, Visible};

/// Samples that a timeline holds at most.
const MOST: usize = 4096;

/// Occupancy of each SM, sample by sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// Cycles that a sample covers; the last may cover fewer.
    pub sample_cycles: u64,
    /// SMs.
    pub sms: usize,
    /// Resident warps summed over the cycles of a sample: `sms` numbers per sample.
    pub warp_cycles: Vec<u64>,
    /// Pending device launches summed over the cycles of a sample.
    pub pending_cycles: Vec<u64>,
    /// The greatest distance between levels of TBs that executed at the same time, sample by sample; 0 where none have levels.
    #[serde(skip)]
    pub level_ranges: Vec<u32>,
    /// Each TB, if [`RunOptions::log_tbs`](crate::gpu::RunOptions::log_tbs) asked for them.
    #[serde(skip)]
    pub tbs: TbLog,
    /// Cycles of the last sample so far.
    filled: u64,
    base: u64,
}

impl Timeline {
    /// An empty timeline.
    #[must_use]
    pub fn new(sms: usize, sample_cycles: u64) -> Self {
        Self {
            sample_cycles,
            sms,
            warp_cycles: Vec::new(),
            pending_cycles: Vec::new(),
            level_ranges: Vec::new(),
            tbs: TbLog::default(),
            filled: sample_cycles,
            base: sample_cycles,
        }
    }

    /// Logs TBs, up to `limit`.
    #[must_use]
    pub fn with_tbs(self, limit: u32) -> Self {
        Self { tbs: TbLog::new(limit), ..self }
    }

    /// Adds `cycles` cycles, at most one base sample, in which each SM had so many warp cycles, so many cycles were spent pending,
    /// and TBs executed that were so many levels apart.
    pub fn add(&mut self, cycles: u64, warp_cycles: impl Iterator<Item = u64>, pending_cycles: u64, level_range: u32) {
        if cycles == 0 {
            return;
        }
        if self.filled + self.base > self.sample_cycles {
            if self.len() == MOST {
                self.halve();
            }
            if self.filled + self.base > self.sample_cycles {
                self.warp_cycles.resize(self.warp_cycles.len() + self.sms, 0);
                self.pending_cycles.push(0);
                self.level_ranges.push(0);
                self.filled = 0;
            }
        }
        self.filled += cycles;
        let last = self.warp_cycles.len() - self.sms;
        self.warp_cycles[last..].iter_mut().zip(warp_cycles).for_each(|(sum, w)| *sum += w);
        self.pending_cycles.last_mut().into_iter().for_each(|sum| *sum += pending_cycles);
        self.level_ranges.last_mut().into_iter().for_each(|range| *range = level_range.max(*range));
    }

    /// Joins neighbours.
    fn halve(&mut self) {
        let n = self.len();
        for i in 0..n / 2 {
            for s in 0..self.sms {
                let of = |sample: usize| sample * self.sms + s;
                self.warp_cycles[of(i)] = self.warp_cycles[of(2 * i)] + self.warp_cycles[of(2 * i + 1)];
            }
            self.pending_cycles[i] = self.pending_cycles[2 * i] + self.pending_cycles[2 * i + 1];
            self.level_ranges[i] = self.level_ranges[2 * i].max(self.level_ranges[2 * i + 1]);
        }
        self.warp_cycles.truncate(n / 2 * self.sms);
        self.pending_cycles.truncate(n / 2);
        self.level_ranges.truncate(n / 2);
        self.sample_cycles *= 2;
        self.filled = self.sample_cycles;
    }

    /// Samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.warp_cycles.len() / self.sms.max(1)
    }

    /// Whether there is no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.warp_cycles.is_empty()
    }

    /// Mean resident warps of an SM in a sample.
    #[must_use]
    pub fn warps(&self, sample: usize, sm: usize) -> f64 {
        self.warp_cycles.get(sample * self.sms + sm).map_or(0.0, |&w| w as f64 / self.cycles(sample))
    }

    /// Mean number of pending launches in a sample.
    #[must_use]
    pub fn pending(&self, sample: usize) -> f64 {
        self.pending_cycles.get(sample).map_or(0.0, |&n| n as f64 / self.cycles(sample))
    }

    fn cycles(&self, sample: usize) -> f64 {
        let cycles = if sample + 1 == self.len() { self.filled } else { self.sample_cycles };
        cycles.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_nothing_is_lost() {
        let mut line = Timeline::new(2, 500);
        for i in 0..10_000u64 {
            line.add(500, [i, 2 * i].into_iter(), 3 * i, (i % 7) as u32);
        }
        line.add(100, [7, 14].into_iter(), 21, 9);
        assert!(line.len() <= MOST);
        assert_eq!(line.sample_cycles, 2000);
        let sums = |s: usize| line.warp_cycles.iter().skip(s).step_by(2).sum::<u64>();
        assert_eq!((sums(0), sums(1)), (9999 * 5000 + 7, 2 * (9999 * 5000 + 7)));
        assert_eq!(line.pending_cycles.iter().sum::<u64>(), 3 * (9999 * 5000 + 7));
        assert_eq!((line.pending_cycles.len(), line.pending(2500)), (2501, 21.0 / 100.0));
        assert_eq!(line.len(), 2501);
        assert_eq!(line.warps(2500, 1), 14.0 / 100.0);
        assert_eq!(line.warps(0, 0), f64::from(1 + 2 + 3) / 2000.0);
        assert_eq!(
            (line.level_ranges.len(), &line.level_ranges[..4], line.level_ranges[2500]),
            (2501, &[3, 6, 4, 6][..], 9)
        );
    }
}
