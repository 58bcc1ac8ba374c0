//! The prefetch queue (apogee-Q1, apogee-Q2).
//!
//! Requests leave in the order in which they came. Neighbouring lines that one load asks for wait as one run of requests, so that the
//! usual load, of a full warp, is queued in one piece.

use super::access::WarpId;
use super::answer::{Push, Request};
use super::config::{ApogeeConfig, Merge};
use super::filter::{Filter, FilterBits};
use super::row::RowId;
use crate::base::cycle::Cycle;
use crate::base::id::id;
use crate::base::table::{Rows, Table};

id! {
    /// A place of the queue's ring.
    pub(super) QueueSlot(u16)
}

id! {
    /// A warp of a row.
    pub(super) RowWarp(u16)
}

/// Requests for neighbouring lines, of one load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Run {
    /// The request that leaves first.
    pub(super) first: Request,
    /// When they may leave.
    pub(super) ready: Cycle,
    /// How many they are.
    pub(super) count: u16,
    /// Whether lines fall.
    pub(super) falls: bool,
}

impl Run {
    /// The request that has `i` of this run before it.
    #[inline]
    pub(super) fn request(&self, i: u16, line_bytes: u64) -> Request {
        let way = u64::from(i) * line_bytes;
        let line = if self.falls { self.first.line.wrapping_sub(way) } else { self.first.line.wrapping_add(way) };
        Request { line, ..self.first }
    }
}

/// A ring of runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Queue<Q, F, C> {
    pub(super) ring: Table<QueueSlot, Run, Q>,
    pub(super) filter: Filter<F>,
    /// Requests that wait, of each row and warp; those of displaced rows are nobody's.
    pub(super) counts: Table<RowWarp, u16, C>,
    /// The place of the oldest run; 0 in an empty queue.
    pub(super) head: u16,
    /// The place behind the newest run; 0 in an empty queue.
    pub(super) tail: u16,
    pub(super) runs: u16,
    pub(super) pfq: u16,
    /// Requests that there is room for.
    pub(super) room: u16,
    pub(super) warps: u16,
    /// Of an address: what is above the place in its line.
    pub(super) line_shift: u32,
    pub(super) merge: Merge,
}

impl<Q: Rows<Run>, F: Rows<FilterBits>, C: Rows<u16>> Queue<Q, F, C> {
    pub(super) fn new(ring: Q, filter: F, counts: C, config: &ApogeeConfig) -> Self {
        Self {
            ring: Table::new(ring),
            filter: Filter::new(filter, config.pfq),
            counts: Table::new(counts),
            head: 0,
            tail: 0,
            runs: 0,
            pfq: config.pfq as u16,
            room: config.pfq as u16,
            warps: config.warps as u16,
            line_shift: config.line_bytes.trailing_zeros(),
            merge: config.merge,
        }
    }

    pub(super) fn len(&self) -> u32 {
        (self.pfq - self.room).into()
    }

    /// apogee-Q1, for the lines, by number, from `lowest` to `highest`, at most 64, at once. Whether they may wait as one run, which is
    /// to be appended: not if one of them must be merged or dropped, or the filter cannot tell.
    pub(super) fn enter_run(&mut self, (lowest, highest): (u64, u64)) -> bool {
        highest - lowest < u64::from(self.room)
            && (self.merge != Merge::Queue || self.filter.enter_run(lowest, highest))
    }

    /// The same for lines that share a word of the filter, if lines are merged; not for others.
    #[inline(always)]
    pub(super) fn enter_word(&mut self, (lowest, highest): (u64, u64)) -> bool {
        highest - lowest < u64::from(self.room) && self.merge == Merge::Queue && self.filter.enter_word(lowest, highest)
    }

    /// apogee-Q1, for one line.
    #[inline(never)]
    pub(super) fn push(&mut self, request: Request, ready: Cycle) -> Push {
        let line = request.line >> self.line_shift;
        let merges = self.merge == Merge::Queue;
        if merges && self.filter.may_have(line) && self.requests().any(|(waiting, _)| waiting.line == request.line) {
            return Push::Merged;
        }
        // apogee-H10.
        if self.room == 0 {
            return Push::Dropped;
        }
        if merges {
            self.filter.enter(line);
        }
        self.append(Run { first: request, ready, count: 1, falls: false });
        Push::Pushed
    }

    /// Puts a run behind all others. There is room.
    #[inline(always)]
    pub(super) fn append(&mut self, run: Run) {
        let (place, next) = (QueueSlot(self.tail), self.tail + 1);
        self.tail = if next < self.pfq { next } else { 0 };
        self.runs += 1;
        self.room -= run.count;
        if let Some(place) = self.ring.get_mut(place) {
            *place = run;
        }
    }

    /// When the oldest request may leave.
    #[inline]
    pub(super) fn ready(&self) -> Option<Cycle> {
        (self.runs > 0).then(|| self.ring[QueueSlot(self.head)].ready)
    }

    /// Takes the oldest request out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Request> {
        if self.runs == 0 {
            return None;
        }
        let line_bytes = self.line_bytes();
        let run = &mut self.ring[QueueSlot(self.head)];
        let request = run.first;
        if run.count > 1 {
            run.first = run.request(1, line_bytes);
            run.count -= 1;
        } else {
            *run = Run::default();
            self.runs -= 1;
            self.head = self.slot(1).0;
            if self.runs == 0 {
                (self.head, self.tail) = (0, 0);
            }
        }
        self.room += 1;
        if self.merge == Merge::Queue {
            let Self { ring, filter, head, runs, pfq, line_shift, .. } = self;
            let others = requests(ring, (*head, *runs, *pfq), line_bytes).map(|(other, _)| other.line >> *line_shift);
            filter.leave(request.line >> *line_shift, others);
        }
        Some(request)
    }

    /// Takes all requests out.
    pub(super) fn flush(&mut self, rows: impl Iterator<Item = RowId>) {
        while self.pop().is_some() {}
        rows.for_each(|row| self.forget(row));
    }

    /// All requests with their ready times, the oldest first.
    pub(super) fn requests(&self) -> impl Iterator<Item = (Request, Cycle)> + Clone {
        requests(&self.ring, (self.head, self.runs, self.pfq), self.line_bytes())
    }

    fn line_bytes(&self) -> u64 {
        1 << self.line_shift
    }

    /// So many requests of a row were pushed for a warp.
    #[inline]
    pub(super) fn count(&mut self, row: RowId, warp: WarpId, requests: u32) {
        let at = self.row_warp(row, warp);
        if let Some(count) = self.counts.get_mut(at) {
            *count += requests as u16;
        }
    }

    /// A request of a row that is still there has left.
    #[inline]
    pub(super) fn uncount(&mut self, row: RowId, warp: WarpId) {
        let at = self.row_warp(row, warp);
        // Only a request older than 2^32 allocations of its row was not counted.
        self.counts[at] = self.counts[at].saturating_sub(1);
    }

    /// Whether a request of this row and warp waits.
    #[inline]
    pub(super) fn waits(&self, row: RowId, warp: WarpId) -> bool {
        self.counts[self.row_warp(row, warp)] > 0
    }

    /// The row was displaced: its requests stay, stale.
    pub(super) fn forget(&mut self, row: RowId) {
        for warp in 0..self.warps {
            let at = self.row_warp(row, WarpId(warp));
            self.counts[at] = 0;
        }
    }

    #[inline]
    fn row_warp(&self, row: RowId, warp: WarpId) -> RowWarp {
        RowWarp(row.0 * self.warps + warp.0)
    }

    /// The place of the run that has `i` before it.
    #[inline]
    fn slot(&self, i: u16) -> QueueSlot {
        ring_slot(self.head, i, self.pfq)
    }

    /// The runs, the oldest first.
    pub(super) fn all_runs(&self) -> impl Iterator<Item = &Run> {
        (0..self.runs).map(|i| &self.ring[self.slot(i)])
    }

    /// The place behind the newest run.
    pub(super) fn end(&self) -> u16 {
        if self.runs == 0 { 0 } else { self.slot(self.runs).0 }
    }

    /// Whether lines are merged.
    pub(super) fn merges(&self) -> bool {
        self.merge == Merge::Queue
    }

    /// Finds what the runs say: filter, counts and room.
    #[cfg(feature = "image")]
    pub(super) fn rebuild(&mut self, is_live: impl Fn(&Request) -> bool) {
        self.tail = self.end();
        let (line_bytes, merges) = (self.line_bytes(), self.merges());
        for i in 0..self.runs {
            let run = self.ring[self.slot(i)];
            self.room -= run.count;
            if is_live(&run.first) {
                self.count(run.first.entry, run.first.warp, run.count.into());
            }
            for request in (0..run.count).filter(|_| merges).map(|i| run.request(i, line_bytes)) {
                self.filter.enter(request.line >> self.line_shift);
            }
        }
    }
}

#[inline]
fn ring_slot(head: u16, i: u16, pfq: u16) -> QueueSlot {
    let at = head + i;
    QueueSlot(if at < pfq { at } else { at - pfq })
}

/// The requests of `runs` runs from `head` on, in a ring of `pfq`.
fn requests<Q: Rows<Run>>(
    ring: &Table<QueueSlot, Run, Q>,
    (head, runs, pfq): (u16, u16, u16),
    line_bytes: u64,
) -> impl Iterator<Item = (Request, Cycle)> + Clone {
    let run = move |i| &ring[ring_slot(head, i, pfq)];
    (0..runs).map(run).flat_map(move |run| (0..run.count).map(move |i| (run.request(i, line_bytes), run.ready)))
}
