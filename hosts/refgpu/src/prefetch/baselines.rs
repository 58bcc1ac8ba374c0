//! Prefetchers to compare APOGEE with (refgpu-M14), as simple as their idea allows. The source names them (5.4, 5.5) and gives no
//! parameters.
//!
//! *Stride*: what a CPU does, with a row for each load of each warp, so that warps in between do not hide the stride: the distance
//! from one address, that of the first active lane, to the next. Seen twice in a row, it says what is loaded next: one address, whose
//! line is fetched. It knows nothing of the other lanes; that neighbouring threads show each other's addresses is what the source
//! adds (5.1). It has as many rows as APOGEE.
//!
//! *MTA* (many-thread aware): the lines of all lanes. A table of warps' own strides has a row for each load of each warp; a stride
//! that three warps in a row agree on is promoted to a table by load, and holds for every warp from then on. A third table has, per
//! load, the distance from warp to warp at the same turn: seen three times in a row, the next warp's addresses are fetched by this
//! warp. Its tables have 32, 8 and 8 rows, as in its publication (MICRO 2010); its throttle and its cache are left out.
//!
//! Both have a queue as long and as slow as APOGEE's.

use std::collections::VecDeque;

use gpusched::apogee::ApogeeConfig;

use super::PrefetchStats;
use crate::lanes::lanes;

/// Equal steps in a row from which a warp's own stride holds.
const OWN_STEPS: u32 = 2;
/// Equal steps in a row from which the stride from warp to warp holds.
const WARP_STEPS: u32 = 3;
/// Different warps, one behind the other, with equal strides from which that is every warp's.
const PROMOTING_WARPS: u32 = 3;
/// Rows of MTA's tables: warps' own strides, those of all warps, and from warp to warp.
const MTA_ROWS: [usize; 3] = [32, 8, 8];

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

/// A load, of one warp or of all.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    pc: u32,
    /// For a warp's own strides.
    warp: Option<u8>,
    stride: Stride,
    /// The warp that was last, for strides from warp to warp.
    last_warp: u8,
    /// The warps that have this stride, for one of all warps.
    agreeing: u64,
}

/// A table of loads; the least recently used one makes place.
#[derive(Clone, Debug)]
struct Table {
    rows: VecDeque<Row>,
    places: usize,
}

impl Table {
    fn new(places: usize) -> Self {
        Self { rows: VecDeque::with_capacity(places), places }
    }

    /// The row of a load, most recently used, and whether there was one.
    fn row(&mut self, pc: u32, warp: Option<u8>) -> (&mut Row, bool) {
        let found = self.rows.iter().position(|row| (row.pc, row.warp) == (pc, warp));
        let row = match found.and_then(|at| self.rows.remove(at)) {
            Some(row) => row,
            None => Row { pc, warp, ..Row::default() },
        };
        if self.rows.len() == self.places {
            self.rows.pop_back();
        }
        self.rows.push_front(row);
        (&mut self.rows[0], found.is_some())
    }
}

/// What MTA has besides.
#[derive(Clone, Debug)]
struct ManyThreads {
    /// Strides that hold for every warp, or that `seen` warps in a row agreed on.
    promoted: Table,
    /// From warp to warp.
    between: Table,
}

/// A stride prefetcher of one SM.
#[derive(Clone, Debug)]
pub struct Baseline {
    own: Table,
    many_threads: Option<ManyThreads>,
    line_bytes: u64,
    limit: u64,
    queue: VecDeque<(u64, u64)>,
    places: usize,
    latency: u64,
}

impl Baseline {
    /// One with the sizes of `config`; MTA if `many_threads`.
    #[must_use]
    pub fn new(config: &ApogeeConfig, many_threads: bool) -> Self {
        let [own, promoted, between] = MTA_ROWS;
        let mta = ManyThreads { promoted: Table::new(promoted), between: Table::new(between) };
        Self {
            own: Table::new(if many_threads { own } else { config.entries as usize }),
            many_threads: many_threads.then_some(mta),
            line_bytes: config.line_bytes.into(),
            limit: 1 << config.addr_bits,
            queue: VecDeque::new(),
            places: config.pfq as usize,
            latency: config.issue_latency.into(),
        }
    }

    /// A warp has loaded.
    pub fn load(&mut self, now: u64, pc: u32, warp: u8, mask: u32, addresses: &[u64; 32], stats: &mut PrefetchStats) {
        let first = addresses[mask.trailing_zeros() as usize & 31];
        let mut steps = [self.many_threads.as_mut().and_then(|mta| mta.promoted(pc)), None];
        if steps[0].is_none() {
            let (row, is_known) = self.own.row(pc, Some(warp));
            if is_known {
                steps[0] = row.stride.observe(first, 1, OWN_STEPS);
            } else {
                row.stride.last = first;
            }
            if let (Some(mta), Some(step)) = (&mut self.many_threads, steps[0]) {
                mta.promote(pc, warp, step);
            }
        }
        if let Some(mta) = &mut self.many_threads {
            steps[1] = mta.between(pc, warp, first);
        }
        let seen = if self.many_threads.is_some() { mask } else { mask & mask.wrapping_neg() };
        for step in steps.into_iter().flatten() {
            stats.confirmed += 1;
            for lane in lanes(seen) {
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
            stats.merged += 1;
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
        self.own.rows.clear();
        if let Some(ManyThreads { promoted, between }) = &mut self.many_threads {
            promoted.rows.clear();
            between.rows.clear();
        }
        self.queue.clear();
    }

    /// The cycle in which the next line is due.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.queue.front().map_or(u64::MAX, |&(ready, _)| ready)
    }
}

impl ManyThreads {
    /// The stride of every warp in this load, if there is one; it is used by that.
    fn promoted(&mut self, pc: u32) -> Option<i64> {
        let holds = |row: &Row| row.pc == pc && row.agreeing.count_ones() >= PROMOTING_WARPS;
        self.promoted.rows.iter().any(holds).then(|| self.promoted.row(pc, None).0.stride.step)
    }

    /// This warp has that stride.
    fn promote(&mut self, pc: u32, warp: u8, step: i64) {
        let (row, _) = self.promoted.row(pc, None);
        if row.stride.step != step {
            (row.stride.step, row.agreeing) = (step, 0);
        }
        row.agreeing |= 1 << (warp & 63);
    }

    /// The step to the next warp's address, if it is known.
    fn between(&mut self, pc: u32, warp: u8, first: u64) -> Option<i64> {
        let (row, is_known) = self.between.row(pc, None);
        let parts = i64::from(warp) - i64::from(row.last_warp);
        row.last_warp = warp;
        // The first warp of the next turn starts anew.
        if is_known && parts > 0 {
            return row.stride.observe(first, parts, WARP_STEPS);
        }
        row.stride.last = first;
        None
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
        assert_eq!(lines(false, 1, 3, |turn, _| turn * 4096), [12288], "of one address");
        assert_eq!(lines(false, 4, 3, |turn, warp| turn * 4096 + warp * 128), [12288, 12416, 12544, 12672]);
        assert_eq!(lines(true, 1, 3, |turn, _| turn * 4096), [12288, 12320, 12352, 12384], "of all lanes");
        assert_eq!(lines(false, 1, 9, |turn, _| turn * turn * 4096), []);
    }

    #[test]
    fn a_stride_that_three_warps_agree_on_is_every_warps() {
        let mut mta = ManyThreads { promoted: Table::new(8), between: Table::new(8) };
        for warp in [0, 0, 1, 0, 1] {
            mta.promote(7, warp, 512);
        }
        assert_eq!(mta.promoted(7), None, "two warps");
        mta.promote(7, 2, 512);
        assert_eq!((mta.promoted(7), mta.promoted(8)), (Some(512), None));
        // Of more loads than there are rows the one stays that is used.
        for pc in 10..20 {
            mta.promote(pc, 0, 64);
            assert_eq!(mta.promoted(7), Some(512));
        }
        mta.promote(7, 3, 256);
        assert_eq!(mta.promoted(7), None);
    }

    #[test]
    fn mta_has_room_for_eight_loads_of_many_warps() {
        let fetched = |loads: u32| {
            let mut baseline = Baseline::new(&ApogeeConfig { pfq: 1024, ..ApogeeConfig::APOGEE_4 }, true);
            let mut stats = PrefetchStats::default();
            for (turn, pc, warp) in (0..4).flat_map(|t| (0..loads).flat_map(move |pc| (0..4).map(move |w| (t, pc, w))))
            {
                // Warps lie in no order.
                let base = u64::from(pc) << 20 | [5, 1, 7, 2][warp as usize] << 12;
                let addresses = std::array::from_fn(|lane| base + (turn << 16) + 4 * lane as u64);
                baseline.load(0, pc, warp, u32::MAX, &addresses, &mut stats);
            }
            stats.pushed > 0
        };
        assert_eq!([fetched(8), fetched(9)], [true, false], "32 rows of own strides");
    }

    #[test]
    fn warps_show_each_other_the_way_before_a_second_turn() {
        let at = |_, warp| warp * 128;
        assert_eq!(lines(false, 6, 1, at), []);
        assert_eq!(lines(true, 4, 1, at), [512, 544, 576, 608]);
    }
}
