//! The prefetch table: its rows, an index of them by PC and by target, and allocation (apogee-T1, apogee-T2).
//!
//! The sheet scans the rows. Here each row is in the chain of its PC's bucket, in ascending order, so that whoever walks a chain
//! meets the rows of a PC in the order of the scan. Trigger rows are in a second index by target, too.

use super::row::{Row, RowId, RowKind, WarpStates};
use crate::base::id::id;
use crate::base::set::IdSet;
use crate::base::table::{Rows, Table};

id! {
    /// A bucket of the index.
    pub(super) BucketId(u16)
}

/// The first row of a bucket's chain: one bucket of each index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bucket {
    by_pc: Option<RowId>,
    by_target: Option<RowId>,
}

/// Which of the two indexes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Index {
    ByPc,
    ByTarget,
}

/// Buckets for a table of so many rows.
pub(super) const fn buckets(entries: u32) -> u32 {
    entries.next_power_of_two()
}

/// Rows and their index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PrefetchTable<R, B> {
    pub(super) rows: Table<RowId, Row, R>,
    pub(super) buckets: Table<BucketId, Bucket, B>,
    pub(super) free: IdSet<RowId>,
    pub(super) entries: u32,
    /// A power of two.
    pub(super) of_buckets: u32,
}

impl<R: Rows<Row>, B: Rows<Bucket>> PrefetchTable<R, B> {
    pub(super) fn new(rows: R, heads: B, entries: u32) -> Self {
        let (of_buckets, rows, buckets) = (buckets(entries), Table::new(rows), Table::new(heads));
        Self { rows, buckets, free: IdSet::first(entries), entries, of_buckets }
    }

    #[inline]
    pub(super) fn row(&self, id: RowId) -> &Row {
        &self.rows[id]
    }

    /// A row whose kind, PC and target stay.
    #[inline]
    pub(super) fn row_mut(&mut self, id: RowId) -> &mut Row {
        &mut self.rows[id]
    }

    pub(super) fn exists(&self, id: RowId) -> bool {
        u32::from(id) < self.entries
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = RowId> + use<R, B> {
        (0..self.entries).map(|i| RowId(i as u16))
    }

    /// Whether the row has not been displaced since `generation`.
    #[inline]
    pub(super) fn is_live(&self, id: RowId, generation: u32) -> bool {
        let row = self.row(id);
        row.generation == generation && !row.is_free()
    }

    /// The first row of the chain with the rows of a PC; [`Row::next`] leads on.
    #[inline]
    pub(super) fn first(&self, pc: u32) -> Option<RowId> {
        self.buckets[self.bucket(pc)].by_pc
    }

    /// The row of a PC, if it is alone in its bucket.
    #[inline(always)]
    pub(super) fn alone(&self, pc: u64) -> Option<(RowId, &Row)> {
        let id = self.buckets.get(self.bucket(pc as u32))?.by_pc?;
        let row = self.rows.get(id)?;
        (u64::from(row.pc) == pc && row.next.is_none()).then_some((id, row))
    }

    /// The train or FOA row of a PC.
    pub(super) fn load_of(&self, pc: u32) -> Option<RowId> {
        self.of_pc(pc).find(|&id| self.row(id).load().is_some())
    }

    /// Whether the index leads from a PC to a row.
    pub(super) fn has(&self, pc: u32, row: RowId) -> bool {
        self.of_pc(pc).any(|id| id == row)
    }

    /// The rows of a PC.
    fn of_pc(&self, pc: u32) -> impl Iterator<Item = RowId> {
        core::iter::successors(self.first(pc), |&id| self.row(id).next).filter(move |&id| self.row(id).pc == pc)
    }

    /// Whether nothing is in a row.
    pub(super) fn is_free(&self, id: RowId) -> bool {
        self.free.contains(id)
    }

    /// Whether the configuration's rows are all.
    pub(super) fn ends(&self) -> bool {
        self.rows.ends_by(self.entries as usize)
    }

    /// The trigger row of a target.
    #[inline]
    pub(super) fn trigger_of(&self, target: u32) -> Option<RowId> {
        let mut at = self.buckets.get(self.bucket(target))?.by_target;
        while let Some(id) = at {
            let row = self.rows.get(id)?;
            if row.target() == Some(target) {
                return Some(id);
            }
            at = row.next_target;
        }
        None
    }

    /// apogee-T2: the lowest free row, or else that with the lowest confidence (apogee-H5); `keep` is not displaced. The PC that was.
    pub(super) fn claim(&mut self, row: Row, keep: Option<RowId>) -> Option<(RowId, Option<u32>)> {
        let (id, displaced) = match self.free.at_or_above(0) {
            Some(id) => (id, None),
            None => {
                let id = self.ids().filter(|&id| Some(id) != keep).min_by_key(|&id| self.row(id).confidence)?;
                self.unlink(id);
                (id, Some(self.row(id).pc))
            }
        };
        let generation = self.row(id).generation.wrapping_add(1);
        self.put(id, Row { generation, states: WarpStates::default(), ..row });
        Some((id, displaced))
    }

    /// Finds what the rows say: which are free, and the index.
    #[cfg(feature = "image")]
    pub(super) fn rebuild(&mut self) {
        self.ids().for_each(|id| self.put(id, *self.row(id)));
    }

    /// Puts a row where nothing is.
    fn put(&mut self, id: RowId, row: Row) {
        self.rows[id] = row;
        if !row.is_free() {
            self.free.set(id, false);
            self.link(id);
        }
    }

    /// apogee-C2: gives a trigger row another PC.
    pub(super) fn change_pc(&mut self, id: RowId, pc: u32) {
        self.remove(Index::ByPc, id, self.row(id).pc);
        self.rows[id].pc = pc;
        self.insert(Index::ByPc, id, pc);
    }

    /// Frees all rows; their generations go on.
    pub(super) fn flush(&mut self) {
        for id in self.ids() {
            self.rows[id] = Row { generation: self.row(id).generation, ..Row::default() };
        }
        for b in 0..buckets(self.entries) {
            self.buckets[BucketId(b as u16)] = Bucket::default();
        }
        self.free = IdSet::first(self.entries);
    }

    fn link(&mut self, id: RowId) {
        self.insert(Index::ByPc, id, self.row(id).pc);
        if let Some(target) = self.row(id).target() {
            self.insert(Index::ByTarget, id, target);
        }
    }

    fn unlink(&mut self, id: RowId) {
        self.remove(Index::ByPc, id, self.row(id).pc);
        if let Some(target) = self.row(id).target() {
            self.remove(Index::ByTarget, id, target);
        }
    }

    #[inline]
    fn bucket(&self, pc: u32) -> BucketId {
        // Fibonacci hashing: PCs at any power of two from each other are spread.
        let hash = u64::from(pc.wrapping_mul(0x9e37_79b9));
        BucketId(((hash * u64::from(self.of_buckets)) >> 32) as u16)
    }

    /// Where a chain leads on: from its bucket, or from a row.
    fn link_mut(&mut self, index: Index, bucket: BucketId, before: Option<RowId>) -> &mut Option<RowId> {
        match (index, before) {
            (Index::ByPc, None) => &mut self.buckets[bucket].by_pc,
            (Index::ByTarget, None) => &mut self.buckets[bucket].by_target,
            (Index::ByPc, Some(row)) => &mut self.rows[row].next,
            (Index::ByTarget, Some(row)) => &mut self.rows[row].next_target,
        }
    }

    /// The last row of a chain below `id`, and the row behind that.
    fn place(&mut self, index: Index, bucket: BucketId, id: RowId) -> (Option<RowId>, Option<RowId>) {
        let mut before = None;
        loop {
            match *self.link_mut(index, bucket, before) {
                Some(next) if next < id => before = Some(next),
                behind => return (before, behind),
            }
        }
    }

    fn insert(&mut self, index: Index, id: RowId, key: u32) {
        let bucket = self.bucket(key);
        let (before, behind) = self.place(index, bucket, id);
        *self.link_mut(index, bucket, Some(id)) = behind;
        *self.link_mut(index, bucket, before) = Some(id);
    }

    fn remove(&mut self, index: Index, id: RowId, key: u32) {
        let bucket = self.bucket(key);
        let (before, _) = self.place(index, bucket, id);
        let behind = self.link_mut(index, bucket, Some(id)).take();
        *self.link_mut(index, bucket, before) = behind;
    }
}

impl Row {
    /// A row of the given kind; allocation gives it a generation.
    pub(super) fn new(kind: RowKind, pc: u32, address: u64, confidence: u16) -> Self {
        Self { kind, pc, address, confidence, ..Self::default() }
    }
}
