//! Fixed offset address prefetching: where the threads of a warp will be, and the lines of those addresses (apogee-F1 to F3).

use heapless::Vec;

use super::Apogee;
use super::access::{Access, Lane, Threads, WarpId};
use super::answer::{Adjust, LoadProbe, Loaded, Push, Request, RequestKind};
use super::config::{ApogeeConfig, LaneSet};
use super::distance;
use super::queue::Run;
use super::row::{PrefetchState, RowId};
use super::tables::Tables;
use crate::base::cycle::Cycle;
use crate::base::id::rows_in;

/// Lines of one prediction: at most one for each thread.
type Lines = Vec<u64, 64>;

/// Lane i will be at `base + offset i`.
#[derive(Clone, Copy)]
struct Prediction {
    base: i64,
    offset: i64,
}

/// The addresses that there are, in lines.
#[derive(Clone, Copy)]
struct Space {
    addr_bits: u32,
    line_shift: u32,
}

impl Space {
    const fn of(config: &ApogeeConfig) -> Self {
        Self { addr_bits: config.addr_bits, line_shift: config.line_bytes.trailing_zeros() }
    }

    #[inline]
    const fn line_bytes(self) -> u64 {
        1 << self.line_shift
    }

    #[inline]
    const fn line(self, address: u64) -> u64 {
        address >> self.line_shift << self.line_shift
    }

    /// apogee-F2. Negative addresses are outside, too.
    #[inline]
    const fn has(self, address: i64) -> bool {
        address.cast_unsigned() >> self.addr_bits == 0
    }
}

impl Prediction {
    /// Very far predictions saturate, and lie outside all the same.
    #[inline]
    fn at(self, lane: u32) -> i64 {
        self.base.saturating_add(self.offset * i64::from(lane))
    }

    /// apogee-F3, as the lines, by number, from that of the lowest lane in `mask` to that of the highest: if the lanes are neighbours,
    /// steps are of at most a line, and all lies inside. Then there is no line between the ends in which no prediction lies.
    fn run(self, mask: u64, space: Space) -> Option<(u64, u64)> {
        let (lowest, highest) = (mask.trailing_zeros(), u64::BITS - 1 - mask.leading_zeros());
        let (first, last) = (self.at(lowest), self.at(highest));
        if (mask >> lowest).wrapping_add(1) & (mask >> lowest) != 0
            || self.offset.unsigned_abs() > space.line_bytes()
            || !space.has(first | last)
        {
            return None;
        }
        Some((first.cast_unsigned() >> space.line_shift, last.cast_unsigned() >> space.line_shift))
    }

    /// apogee-F2, apogee-F3, lane by lane: hands out each line once, in order of appearance. How many predictions lie outside.
    /// Addresses rise or fall from lane to lane, so a line that was left is not met again.
    #[inline(never)]
    fn each_lane(self, mask: u64, space: Space, line: &mut dyn FnMut(u64)) -> u32 {
        let mut outside = 0;
        let mut latest = None;
        for lane in rows_in::<Lane>(mask) {
            let address = self.at(lane.into());
            if !space.has(address) {
                outside += 1;
                continue;
            }
            let at = space.line(address.cast_unsigned());
            if latest != Some(at) {
                line(at);
                latest = Some(at);
            }
        }
        outside
    }
}

impl<T: Tables> Apogee<T> {
    /// Prefetches for a confirmed load with an offset that is not 0.
    #[inline]
    pub(super) fn prefetch_foa(
        &mut self,
        id: RowId,
        offset: i32,
        access: &Access<'_>,
        threads: &Threads,
        loaded: &mut Loaded,
        probe: &mut impl LoadProbe,
    ) {
        let mask = match self.config.lanes {
            LaneSet::All => self.config.full_mask(),
            LaneSet::Active => threads.mask,
        };
        let row = self.table.row(id);
        let Some(load) = row.load() else { return };
        let (address, thread, distance, generation) =
            (row.address, load.thread, i64::from(load.distance), row.generation);
        let space = Space::of(&self.config);
        let at = |distance| Prediction {
            base: distance::base(address, offset, distance, self.threads, thread),
            offset: offset.into(),
        };
        let prediction = at(distance);
        let request = Request { line: 0, entry: id, generation, warp: access.warp, kind: RequestKind::Foa };
        let fills_gap = self.config.gap_fill && loaded.adjust == Adjust::Inc;
        let skipped = fills_gap.then(|| at(distance - 1));
        if skipped.is_none()
            && let Some((from, to)) = prediction.run(mask, space)
            && self.queue.enter_run((from.min(to), from.max(to)))
        {
            // At most 64.
            loaded.pushed = from.abs_diff(to) as u32 + 1;
            let first = Request { line: from << space.line_shift, ..request };
            self.append_run(first, loaded.pushed as u16, offset < 0, probe);
            return self.requested(id, access.warp, loaded.pushed);
        }
        self.push_lines(mask, space, (skipped, prediction), &request, loaded, probe);
        self.requested(id, access.warp, loaded.pushed);
    }

    /// apogee-Q1: appends so many requests from this one on, whose lines were entered.
    #[inline(always)]
    pub(super) fn append_run(&mut self, first: Request, count: u16, falls: bool, probe: &mut impl LoadProbe) {
        let run = Run { first, ready: self.ready(), count, falls };
        self.queue.append(run);
        (0..count).for_each(|i| probe.pushed(run.request(i, self.config.line_bytes.into()).line));
    }

    /// apogee-Q1, line by line: first those of the iteration that would be skipped (apogee-H2).
    #[inline(never)]
    fn push_lines(
        &mut self,
        mask: u64,
        space: Space,
        (skipped, prediction): (Option<Prediction>, Prediction),
        request: &Request,
        loaded: &mut Loaded,
        probe: &mut impl LoadProbe,
    ) {
        let ready = self.ready();
        let mut push = |line| match self.queue.push(Request { line, ..*request }, ready) {
            Push::Pushed => {
                loaded.pushed += 1;
                probe.pushed(line);
            }
            Push::Merged => loaded.merged += 1,
            Push::Dropped => loaded.dropped += 1,
        };
        let (mut lines, mut outside) = (Lines::new(), 0);
        if let Some(skipped) = skipped {
            outside += skipped.each_lane(mask, space, &mut |line| {
                let _ = lines.push(line);
                push(line);
            });
        }
        outside += prediction.each_lane(mask, space, &mut |line| {
            if !lines.contains(&line) {
                push(line);
            }
        });
        loaded.outside = outside;
    }

    /// apogee-Q1: when a request that is pushed now may leave.
    pub(super) fn ready(&self) -> Cycle {
        // Times are below 2^63.
        Cycle(self.now.0.wrapping_add(self.config.issue_latency.into()))
    }

    /// apogee-Q1: so many lines of a row were pushed for a warp.
    #[inline]
    pub(super) fn requested(&mut self, id: RowId, warp: WarpId, lines: u32) {
        if lines > 0 {
            self.table.row_mut(id).states.set(warp, PrefetchState::Queued);
            self.queue.count(id, warp, lines);
        }
    }
}
