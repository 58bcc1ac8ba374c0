//! What is unsent of a unit, in pieces: where the host has split it, so that its TBs can be sent out of order (policy-P15).
//!
//! A unit in pieces keeps its first TBs under its own name, and a chain of pieces follows, in the order of their TBs. It is in the line of
//! units as it was, at one place.

#[cfg(feature = "image")]
mod image;
mod validate;

use core::ops::Range;

use crate::base::free_map::FreeMap;
use crate::base::id::PieceId;
use crate::base::table::{Rows, Table};
use crate::policy::seam::units::UnitRow;

/// A piece: TBs of a unit that are unsent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece {
    /// The unit's row.
    unit: u32,
    next: u32,
    /// Behind its last TB. None has 0: a row with that is free.
    hi: u32,
    /// The pieces of the unit before and behind it.
    before: Option<PieceId>,
    behind: Option<PieceId>,
}

impl Piece {
    fn is_here(&self) -> bool {
        self.hi > 0
    }
}

/// The pieces of a unit before and behind one of it.
type Neighbours = (Option<PieceId>, Option<PieceId>);

/// All pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pieces<P, M> {
    rows: Table<PieceId, Piece, P>,
    free: FreeMap<PieceId, M>,
}

impl<P: Rows<Piece>, M: Rows<u64>> Pieces<P, M> {
    pub(crate) fn new(rows: P, map: M, split_cap: u32) -> Self {
        Self { rows: Table::new(rows), free: FreeMap::new(map, split_cap) }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.free.free() == 0
    }

    fn piece(&self, p: PieceId) -> Option<&Piece> {
        self.rows.get(p).filter(|piece| piece.is_here())
    }

    /// The unit that a piece is of; none if there is no such piece.
    pub(crate) fn unit(&self, p: PieceId) -> Option<UnitRow> {
        Some(UnitRow(self.piece(p)?.unit))
    }

    /// The TBs of a piece.
    pub(crate) fn range(&self, p: PieceId) -> Range<u32> {
        self.piece(p).map_or(0..0, |piece| piece.next..piece.hi)
    }

    /// The piece behind one.
    pub(crate) fn behind(&self, p: PieceId) -> Option<PieceId> {
        self.piece(p)?.behind
    }

    /// Makes a piece of a unit's TBs, in the lowest free row, between two pieces of it; the caller has made sure that there is one.
    pub(crate) fn add(&mut self, unit: UnitRow, tbs: Range<u32>, (before, behind): Neighbours) -> PieceId {
        let p = self.free.take();
        self.rows[p] = Piece { unit: unit.0, next: tbs.start, hi: tbs.end, before, behind };
        if let Some(before) = before {
            self.rows[before].behind = Some(p);
        }
        if let Some(behind) = behind {
            self.rows[behind].before = Some(p);
        }
        p
    }

    /// A piece ends earlier.
    pub(crate) fn shorten(&mut self, p: PieceId, hi: u32) {
        self.rows[p].hi = hi;
    }

    /// Takes the first TB of a piece. If it was the last one, the piece goes, and what is told is its neighbours.
    pub(crate) fn take(&mut self, p: PieceId) -> (u32, Option<Neighbours>) {
        let piece = &mut self.rows[p];
        piece.next += 1;
        let Piece { next, hi, before, behind, .. } = *piece;
        if next < hi {
            return (next - 1, None);
        }
        *piece = Piece::default();
        self.free.give(p);
        if let Some(before) = before {
            self.rows[before].behind = behind;
        }
        if let Some(behind) = behind {
            self.rows[behind].before = before;
        }
        (next - 1, Some((before, behind)))
    }

    /// The pieces from one on, in order.
    pub(crate) fn chain(&self, first: Option<PieceId>) -> impl Iterator<Item = PieceId> {
        core::iter::successors(first, |&p| self.behind(p))
    }
}
