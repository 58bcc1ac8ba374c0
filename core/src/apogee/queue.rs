//! The prefetch queue, and which lines wait in it (`apogee` Q1, Q2).
//!
//! Requests leave in the order in which they came. A filter says whether a line waits: each request is in the chain of its line's
//! bucket, the oldest first, so that the one that leaves is always the first of its chain.

use super::access::WarpId;
use super::answer::{Push, Request};
use super::config::{ApogeeConfig, Merge};
use super::row::RowId;
use crate::cycle::Cycle;
use crate::id::{Id, id};
use crate::table::{Rows, Table};

id! {
    /// A place of the queue's ring.
    pub QueueSlot(u16)
}

id! {
    /// A bucket of the line filter.
    LineBucket(u16)
}

id! {
    /// A warp of a row.
    RowWarp(u16)
}

/// A request in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Waiting {
    /// What is asked for.
    pub request: Request,
    /// When it may leave.
    pub ready: Cycle,
    /// The next younger request of its bucket.
    next: Option<QueueSlot>,
}

/// Buckets of the filter: two for each place, so that most chains have one request.
pub(super) const fn line_buckets(config: &ApogeeConfig) -> u32 {
    2 * config.pfq.next_power_of_two()
}

/// A ring of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Queue<Q, L, C> {
    ring: Table<QueueSlot, Waiting, Q>,
    /// The oldest request of each bucket.
    filter: Table<LineBucket, Option<QueueSlot>, L>,
    /// Requests that wait, of each row and warp; those of displaced rows are nobody's.
    counts: Table<RowWarp, u16, C>,
    /// The place of the oldest request; 0 in an empty queue.
    head: u16,
    len: u16,
    pfq: u16,
    warps: u16,
    /// Of a 64-bit hash: what is above a bucket's number.
    shift: u32,
    merge: Merge,
}

impl<Q: Rows<Waiting>, L: Rows<Option<QueueSlot>>, C: Rows<u16>> Queue<Q, L, C> {
    pub(super) fn new(ring: Q, filter: L, counts: C, config: &ApogeeConfig) -> Self {
        Self {
            ring: Table::new(ring),
            filter: Table::new(filter),
            counts: Table::new(counts),
            head: 0,
            len: 0,
            pfq: config.pfq as u16,
            warps: config.warps as u16,
            shift: u64::BITS - line_buckets(config).trailing_zeros(),
            merge: config.merge,
        }
    }

    pub(super) fn len(&self) -> u32 {
        self.len.into()
    }

    /// Q1. The youngest request has the latest time.
    #[inline(always)]
    pub(super) fn push(&mut self, request: Request, ready: Cycle) -> Push {
        let slot = self.slot(self.len);
        match self.merge {
            Merge::Queue => {
                let bucket = self.bucket(request.line);
                let Some(link) = self.end_of(bucket, request.line) else { return Push::Merged };
                if self.len == self.pfq {
                    return Push::Dropped;
                }
                match link {
                    None => self.filter[bucket] = Some(slot),
                    Some(last) => self.ring[last].next = Some(slot),
                }
            }
            Merge::Group if self.len == self.pfq => return Push::Dropped,
            Merge::Group => {}
        }
        self.ring[slot] = Waiting { request, ready, next: None };
        self.len += 1;
        Push::Pushed
    }

    /// Where a chain ends: at this request, or at its bucket; `None` if the line is in it.
    #[inline(always)]
    fn end_of(&self, bucket: LineBucket, line: u64) -> Option<Option<QueueSlot>> {
        let mut end = None;
        let mut at = self.filter[bucket];
        while let Some(slot) = at {
            let waiting = &self.ring[slot];
            if waiting.request.line == line {
                return None;
            }
            (end, at) = (at, waiting.next);
        }
        Some(end)
    }

    /// The oldest request.
    #[inline]
    pub(super) fn first(&self) -> Option<&Waiting> {
        (self.len > 0).then(|| &self.ring[QueueSlot(self.head)])
    }

    /// Takes the oldest request out.
    pub(super) fn pop(&mut self) -> Option<Request> {
        let Waiting { request, next, .. } = *self.first()?;
        if self.merge == Merge::Queue {
            let bucket = self.bucket(request.line);
            self.filter[bucket] = next;
        }
        self.ring[QueueSlot(self.head)] = Waiting::default();
        self.len -= 1;
        self.head = if self.len == 0 { 0 } else { self.slot(1).0 };
        Some(request)
    }

    /// The place of the oldest request.
    #[cfg(feature = "image")]
    pub(super) fn head(&self) -> u16 {
        self.head
    }

    /// Lets an empty queue begin at this place, if there is such a place.
    #[cfg(feature = "image")]
    pub(super) fn start_at(&mut self, head: u16) -> bool {
        self.head = head;
        head < self.pfq
    }

    /// Takes all requests out.
    pub(super) fn flush(&mut self, rows: impl Iterator<Item = RowId>) {
        while self.pop().is_some() {}
        rows.for_each(|row| self.forget(row));
    }

    /// All requests, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Waiting> {
        (0..self.len).map(|i| &self.ring[self.slot(i)])
    }

    /// So many requests of a row were pushed for a warp.
    #[inline]
    pub(super) fn count(&mut self, row: RowId, warp: WarpId, requests: u32) {
        let at = self.row_warp(row, warp);
        self.counts[at] += requests as u16;
    }

    /// A request of a row that is still there has left.
    pub(super) fn uncount(&mut self, row: RowId, warp: WarpId) {
        let at = self.row_warp(row, warp);
        self.counts[at] -= 1;
    }

    /// Whether a request of this row and warp waits.
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

    /// The place of the request that has `i` before it.
    #[inline]
    fn slot(&self, i: u16) -> QueueSlot {
        let at = self.head + i;
        QueueSlot(if at < self.pfq { at } else { at - self.pfq })
    }

    #[inline]
    fn bucket(&self, line: u64) -> LineBucket {
        // Fibonacci hashing: lines at any power of two from each other are spread.
        LineBucket::from_index((line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize)
    }
}
