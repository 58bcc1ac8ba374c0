//! The re-execution queue: requests that the L1 refused, out of the LSU's way.

use core::hash::{Hash, Hasher};

use super::WarpId;
use crate::base::id::id;
use crate::base::table::{Rows, Table};

/// Threads that a request may have.
pub const MAX_THREADS: usize = 64;
/// Bits of a thread's offset in its segment.
const OFFSET_BITS: usize = 7;
/// Words of all offsets: 64 times 7 bits.
pub const OFFSET_WORDS: usize = MAX_THREADS * OFFSET_BITS / 64;

/// Where in the segment each thread of a warp reads or writes: 7 bits a thread, thread 0 lowest, in words from the lowest.
///
/// ```
/// use gpusched::mascar::Offsets;
///
/// let mut offs = Offsets::default();
/// offs.set(9, 0x55);
/// assert_eq!((offs.get(9), offs.get(10), offs.0[0]), (0x55, 0, 0x55 << 63));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Offsets(pub [u64; OFFSET_WORDS]);

impl Offsets {
    /// The offset of a thread, 0..128; 0 if there is no such thread.
    #[must_use]
    pub fn get(&self, thread: usize) -> u8 {
        let at = thread.saturating_mul(OFFSET_BITS);
        let word = |w: usize| u128::from(self.0.get(w).copied().unwrap_or(0));
        let pair = word(at / 64) | word(at / 64 + 1) << 64;
        (pair >> (at % 64)) as u8 & 0x7f
    }

    /// Sets the offset of a thread; its bits above the seventh, and a thread that is not there, are left out.
    pub fn set(&mut self, thread: usize, offset: u8) {
        let at = thread.saturating_mul(OFFSET_BITS);
        for bit in 0..OFFSET_BITS {
            if let Some(word) = self.0.get_mut((at + bit) / 64) {
                let mask = 1 << ((at + bit) % 64);
                *word = if offset >> bit & 1 == 1 { *word | mask } else { *word & !mask };
            }
        }
    }

    /// The bits of threads from `warp_size`, at most 64, on.
    pub(super) fn beyond(warp_size: u32) -> Self {
        // At most 448.
        let bits = warp_size as usize * OFFSET_BITS;
        Self(core::array::from_fn(|w| match bits.saturating_sub(64 * w) {
            bits @ 0..=63 => u64::MAX << bits,
            _ => 0,
        }))
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |met, (a, b)| met | a & b) != 0
    }
}

/// A request of a memory instruction: threads of a warp that touch one segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// Address of the segment.
    pub base: u64,
    /// The threads, at least one.
    pub mask: u64,
    /// Their places in the segment.
    pub offs: Offsets,
}

impl Request {
    /// Whether warps of this size, whose threads have none of the offsets `beyond`, can make such a request.
    #[inline]
    pub(super) fn is_possible(&self, warp_size: u32, beyond: &Offsets) -> bool {
        let threads = self.mask.checked_shr(warp_size).unwrap_or(0);
        self.mask != 0 && threads == 0 && !self.offs.meets(beyond)
    }
}

/// An entry of the re-execution queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Entry {
    /// The warp.
    pub warp: WarpId,
    /// The destination register of its instruction, 0..127; 127 for a store.
    pub dst: u8,
    /// What it wants.
    pub request: Request,
}

id! {
    /// A row of the queue's table.
    pub(super) EntryId(u16)
}

/// A ring over the table. Two queues are equal if the same entries wait in the same order.
#[derive(Clone, Debug)]
pub(super) struct Rexq<S> {
    rows: Table<EntryId, Entry, S>,
    /// Rows that the configuration uses.
    cap: u16,
    head: u16,
    len: u16,
}

impl<S: Rows<Entry>> Rexq<S> {
    /// An empty queue of `cap` entries, at most 255.
    pub(super) fn new(rows: S, cap: u32) -> Self {
        Self { rows: Table::new(rows), cap: cap as u16, head: 0, len: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) const fn is_full(&self) -> bool {
        self.len == self.cap
    }

    pub(super) const fn len(&self) -> u32 {
        self.len as u32
    }

    /// The row `n` behind the head, n at most `cap`.
    const fn row(&self, n: u16) -> EntryId {
        let row = self.head + n;
        EntryId(if row >= self.cap { row - self.cap } else { row })
    }

    pub(super) fn head(&self) -> Option<&Entry> {
        (self.len > 0).then(|| &self.rows[self.row(0)])
    }

    /// From the head on.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry> {
        (0..self.len).map(|n| &self.rows[self.row(n)])
    }

    /// Appends to a queue that is not full.
    pub(super) fn push(&mut self, entry: Entry) {
        let tail = self.row(self.len);
        self.rows[tail] = entry;
        self.len += 1;
    }

    /// Takes the head away from a queue that is not empty.
    pub(super) fn pop(&mut self) {
        self.head = self.row(1).0;
        self.len -= 1;
    }

    /// Moves the head of a queue that is not empty to the tail.
    pub(super) fn recycle(&mut self) {
        if !self.is_full() {
            let tail = self.row(self.len);
            self.rows[tail] = self.rows[self.row(0)];
        }
        self.head = self.row(1).0;
    }
}

impl<S: Rows<Entry>> PartialEq for Rexq<S> {
    fn eq(&self, other: &Self) -> bool {
        self.cap == other.cap && self.iter().eq(other.iter())
    }
}

impl<S: Rows<Entry>> Eq for Rexq<S> {}

impl<S: Rows<Entry>> Hash for Rexq<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        self.iter().for_each(|entry| entry.hash(state));
    }
}
