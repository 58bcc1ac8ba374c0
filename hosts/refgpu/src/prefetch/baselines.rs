//! Prefetchers to compare APOGEE with, as simple as their idea allows. They are no models of a publication's hardware: the source
//! names them (5.5) and gives no parameters.
//!
//! *Stride*: per load and warp, the distance from one access of its first active lane to the next; seen twice in a row, it is
//! where the lanes are expected next. *MTA* (many-thread aware): besides, per load, the distance from warp to warp at the same turn;
//! seen three times in a row, the next warp's addresses are fetched by this warp. Both have as many rows, and a queue as long and as
//! slow, as APOGEE's.

use std::collections::VecDeque;

use gpusched::apogee::ApogeeConfig;

use super::PrefetchStats;
use crate::workload::lanes;

/// Equal steps in a row from which a warp's own stride holds.
const OWN_STEPS: u32 = 2;
/// Equal steps in a row from which the stride from warp to warp holds.
const WARP_STEPS: u32 = 3;

/// Where something was last, and how it moves.
#[derive(Clone, Copy, Debug, Default)]
struct Stride {
    last: u64,
    step: i64,
    seen: u32,
}

impl Stride {
    /// It is at `now`, `parts` steps after the last time. The step, if it was the same so often.
    fn observe(&mut self, now: u64, parts: i64, needed: u32) -> Option<i64> {
        let moved = now.cast_signed() - self.last.cast_signed();
        let step = if parts != 0 && moved % parts == 0 { moved / parts } else { 0 };
        self.seen = if step == self.step { self.seen + 1 } else { 1 };
        (self.last, self.step) = (now, step);
        (self.seen >= needed && step != 0).then_some(step)
    }
}

/// A load.
#[derive(Clone, Copy, Debug)]
struct Row {
    pc: u32,
    /// For a warp's own strides.
    warp: Option<u8>,
    stride: Stride,
    /// The warp that was last, for strides from warp to warp.
    last_warp: u8,
}

/// A stride prefetcher of one SM.
#[derive(Clone, Debug)]
pub struct Baseline {
    many_threads: bool,
    rows: VecDeque<Row>,
    entries: usize,
    line_bytes: u64,
    limit: u64,
    queue: VecDeque<(u64, u64)>,
    places: usize,
    latency: u64,
}

impl Baseline {
    /// One with the sizes of `config`; with strides from warp to warp if `many_threads`.
    #[must_use]
    pub fn new(config: &ApogeeConfig, many_threads: bool) -> Self {
        Self {
            many_threads,
            rows: VecDeque::new(),
            entries: config.entries as usize,
            line_bytes: config.line_bytes.into(),
            limit: 1 << config.addr_bits,
            queue: VecDeque::new(),
            places: config.pfq as usize,
            latency: config.issue_latency.into(),
        }
    }

    /// The row of a load, most recently used; the least recently used one makes place.
    fn row(&mut self, pc: u32, warp: Option<u8>) -> (&mut Row, bool) {
        let found = self.rows.iter().position(|row| (row.pc, row.warp) == (pc, warp));
        let row = match found.and_then(|at| self.rows.remove(at)) {
            Some(row) => row,
            None => Row { pc, warp, stride: Stride::default(), last_warp: 0 },
        };
        if self.rows.len() == self.entries {
            self.rows.pop_back();
        }
        self.rows.push_front(row);
        (&mut self.rows[0], found.is_some())
    }

    /// A warp has loaded.
    pub fn load(&mut self, now: u64, pc: u32, warp: u8, mask: u32, addresses: &[u64; 32], stats: &mut PrefetchStats) {
        let first = addresses[mask.trailing_zeros() as usize & 31];
        let (row, is_known) = self.row(pc, Some(warp));
        let mut steps = [None; 2];
        if is_known {
            steps[0] = row.stride.observe(first, 1, OWN_STEPS);
        } else {
            row.stride.last = first;
        }
        if self.many_threads {
            let (row, is_known) = self.row(pc, None);
            let parts = i64::from(warp) - i64::from(row.last_warp);
            row.last_warp = warp;
            // The first warp of the next turn starts anew.
            if is_known && parts > 0 {
                steps[1] = row.stride.observe(first, parts, WARP_STEPS);
            } else {
                row.stride.last = first;
            }
        }
        for step in steps.into_iter().flatten() {
            stats.confirmed += 1;
            for lane in lanes(mask) {
                self.push(now, addresses[lane].wrapping_add_signed(step), stats);
            }
        }
    }

    fn push(&mut self, now: u64, address: u64, stats: &mut PrefetchStats) {
        if address >= self.limit {
            stats.outside += 1;
            return;
        }
        let line = address & !(self.line_bytes - 1);
        if self.queue.iter().rev().any(|&(_, waiting)| waiting == line) {
            return;
        }
        if self.queue.len() == self.places {
            stats.dropped += 1;
            return;
        }
        stats.pushed += 1;
        self.queue.push_back((now + self.latency, line));
    }

    /// A line to fetch, if one is due.
    pub fn pop(&mut self, now: u64) -> Option<u64> {
        self.queue.pop_front_if(|(ready, _)| *ready <= now).map(|(_, line)| line)
    }

    /// Forgets everything.
    pub fn flush(&mut self) {
        self.rows.clear();
        self.queue.clear();
    }

    /// The cycle in which the next line is due.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.queue.front().map_or(u64::MAX, |&(ready, _)| ready)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that warps fetch which load `at(turn, warp)` and the 31 words behind, in turn.
    fn lines(many_threads: bool, warps: u8, turns: u64, at: impl Fn(u64, u64) -> u64) -> Vec<u64> {
        let mut baseline = Baseline::new(&ApogeeConfig { pfq: 1024, ..ApogeeConfig::APOGEE_4 }, many_threads);
        let mut stats = PrefetchStats::default();
        for turn in 0..turns {
            for warp in 0..warps {
                let addresses = std::array::from_fn(|lane| at(turn, warp.into()) + 4 * lane as u64);
                baseline.load(0, 7, warp, u32::MAX, &addresses, &mut stats);
            }
        }
        assert_eq!(baseline.next(), if stats.pushed > 0 { 10 } else { u64::MAX });
        assert_eq!(baseline.pop(9), None);
        std::iter::from_fn(|| baseline.pop(10)).collect()
    }

    #[test]
    fn a_stride_holds_when_it_was_seen_twice() {
        assert_eq!(lines(false, 1, 2, |turn, _| turn * 4096), []);
        assert_eq!(lines(false, 1, 3, |turn, _| turn * 4096), [12288, 12320, 12352, 12384]);
        assert_eq!(lines(false, 1, 9, |turn, _| turn * turn * 4096), []);
    }

    #[test]
    fn warps_show_each_other_the_way_before_a_second_turn() {
        let at = |_, warp| warp * 128;
        assert_eq!(lines(false, 6, 1, at), []);
        assert_eq!(lines(true, 4, 1, at), [512, 544, 576, 608]);
    }
}
