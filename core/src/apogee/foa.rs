//! Fixed offset address prefetching: where the threads of a warp will be, and the lines of those addresses (`apogee` F).

use heapless::Vec;

use super::Apogee;
use super::access::{Access, Lane, Threads, WarpId};
use super::answer::{Adjust, LoadProbe, Loaded, Push, Request, RequestKind};
use super::config::{ApogeeConfig, LaneSet};
use super::distance;
use super::row::{PrefetchState, RowId};
use super::tables::Tables;
use crate::cycle::Cycle;
use crate::id::rows_in;

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
    line_bytes: u64,
}

impl Space {
    const fn of(config: &ApogeeConfig) -> Self {
        Self { addr_bits: config.addr_bits, line_bytes: config.line_bytes as u64 }
    }

    #[inline]
    const fn line(self, address: u64) -> u64 {
        address & !(self.line_bytes - 1)
    }

    /// F2. Negative addresses are outside, too.
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

    /// F2, F3: hands out each line of the lanes in `mask` once, in order of appearance. How many predictions lie outside.
    #[inline(always)]
    fn each_line(self, mask: u64, space: Space, mut line: impl FnMut(u64)) -> u32 {
        let (lowest, highest) = (mask.trailing_zeros(), u64::BITS - 1 - mask.leading_zeros());
        let (first, last) = (self.at(lowest), self.at(highest));
        let is_run = (mask >> lowest).wrapping_add(1) & (mask >> lowest) == 0;
        if is_run && self.offset.unsigned_abs() <= space.line_bytes && space.has(first) && space.has(last) {
            // Steps of at most a line: there is no line between the ends in which no prediction lies.
            let (mut at, end) = (space.line(first.cast_unsigned()), space.line(last.cast_unsigned()));
            let step = if self.offset < 0 { space.line_bytes.wrapping_neg() } else { space.line_bytes };
            line(at);
            while at != end {
                at = at.wrapping_add(step);
                line(at);
            }
            return 0;
        }
        self.each_lane(mask, space, &mut line)
    }

    /// [`Self::each_line`], lane by lane. Addresses rise or fall from lane to lane, so a line that was left is not met again.
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
            LaneSet::All => u64::MAX >> (u64::BITS - self.config.warp_size),
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
        let (now, before) = (at(distance), at(distance - 1));
        let mut request = Request { line: 0, entry: id, generation, warp: access.warp, kind: RequestKind::Foa };
        let ready = self.ready();
        let queue = &mut self.queue;
        let mut push = |line| {
            request.line = line;
            match queue.push(request, ready) {
                Push::Pushed => {
                    loaded.pushed += 1;
                    probe.pushed(line);
                }
                Push::Merged => loaded.merged += 1,
                Push::Dropped => loaded.dropped += 1,
            }
        };
        let outside = if self.config.gap_fill && loaded.adjust == Adjust::Inc {
            // Hazard 2: the iteration that would be skipped comes first.
            let mut lines = Lines::new();
            let skipped = before.each_lane(mask, space, &mut |line| {
                let _ = lines.push(line);
                push(line);
            });
            let mut others = |line| {
                if !lines.contains(&line) {
                    push(line);
                }
            };
            skipped + now.each_lane(mask, space, &mut others)
        } else {
            now.each_line(mask, space, push)
        };
        loaded.outside = outside;
        self.requested(id, access.warp, loaded.pushed);
    }

    /// Q1: when a request that is pushed now may leave.
    pub(super) fn ready(&self) -> Cycle {
        self.now.after(self.config.issue_latency.into())
    }

    /// Q1: so many lines of a row were pushed for a warp.
    #[inline]
    pub(super) fn requested(&mut self, id: RowId, warp: WarpId, lines: u32) {
        if lines > 0 {
            self.table.row_mut(id).states.set(warp, PrefetchState::Queued);
            self.queue.count(id, warp, lines);
        }
    }
}
