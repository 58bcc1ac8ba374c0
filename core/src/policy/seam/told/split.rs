//! Units in pieces: the host splits what is unsent of one, and sends the pieces in whatever order (policy-P15, policy-P16).

use core::ops::Range;

use super::{Told, ToldTables};
use crate::base::error::Fault;
use crate::base::id::{PieceId, SmxId};
use crate::launch::board::{Board, BoardTables};
use crate::policy::fcfs_rr::FcfsRr;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::policy::seam::offer::OfferId;
use crate::policy::seam::seat::{Next, Seat};
use crate::policy::seam::units::{Cut, ToldUnit, UnitRow};
use crate::probe::{GroupRef, Probe, TbPlacement};

impl<T: ToldTables> Told<T> {
    /// The piece that follows what a unit has kept, or a piece of it.
    pub(crate) fn piece_behind(&self, row: UnitRow, piece: Option<PieceId>) -> Option<PieceId> {
        let cut = self.units.get(row).cut?;
        match piece {
            None => cut.first,
            Some(p) => self.pieces.behind(p),
        }
    }

    /// Of a unit in pieces the TBs of one of them, or of what it has kept.
    pub(crate) fn range(&self, row: UnitRow, piece: Option<PieceId>) -> Option<Range<u32>> {
        let &ToldUnit { next, cut, .. } = self.units.get(row);
        let cut = cut?;
        Some(piece.map_or(next..cut.hi, |p| self.pieces.range(p)))
    }
}

impl<T: BoardTables + GraphTables + ToldTables> Told<T> {
    /// policy-P15: what the offer has from `at` on becomes a piece, for good (policy-A11). That it is a verb of its own leaves a send the next
    /// TB of an offer (policy-A9); it lifts nothing, since the end of the cycle says anew what is declined (policy-A12).
    pub(crate) fn split(
        &mut self,
        board: &Board<T>,
        fcfs_rr: &FcfsRr,
        graphs: &GraphPart<T>,
        id: OfferId,
        at: u32,
    ) -> Result<OfferId, Fault> {
        let seat = Seat { board, fcfs_rr, graphs, told: self };
        let next = seat.find(id).ok_or(Fault::BadOffer)?;
        let tbs = seat.fresh(&next).filter(|tbs| tbs.start < at && at < tbs.end).ok_or(Fault::NoSplit)?;
        if self.pieces.is_full() {
            return Err(Fault::SplitFull);
        }
        let row = self.units.of(next.k, next.group);
        let behind = self.piece_behind(row, next.piece);
        let piece = self.pieces.add(row, at..tbs.end, (next.piece, behind));
        if let Some(p) = next.piece {
            self.pieces.shorten(p, at);
            return Ok(OfferId::Piece(piece));
        }
        let unit = self.units.get_mut(row);
        if unit.cut.is_none() {
            unit.waits = next.group.is_some() && tbs.start == 0;
        }
        unit.next = tbs.start;
        unit.cut = Some(Cut { hi: at, first: Some(piece) });
        Ok(OfferId::Piece(piece))
    }

    /// policy-P16: sends the next TB of a piece, or of what its unit has kept. Also, whether the unit has more.
    #[cold]
    #[inline(never)]
    pub(super) fn send_piece(
        &mut self,
        board: &mut Board<T>,
        next: &Next,
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> (TbPlacement, bool) {
        let &Next { k, group, piece, .. } = next;
        let row = self.units.of(k, group);
        let blkid = match piece {
            None => self.units.count(row),
            Some(p) => self.take(row, p),
        };
        let unit = self.units.get_mut(row);
        let is_first = core::mem::take(&mut unit.waits);
        let more = unit.cut.is_some_and(|cut| unit.next < cut.hi || cut.first.is_some());
        if !more {
            // As of one that was never split.
            unit.cut = None;
            unit.next = group.map_or(0, |r| board.records.get(r).shape.total);
        }
        let (tb, _) = match group {
            None => board.send_native((k, Some(blkid)), smx, probe),
            Some(r) => board.send_group((k, r, GroupRef::Unit(r)), (blkid, is_first), smx, probe),
        };
        (tb, more)
    }

    /// Takes the first TB of a piece, and the piece out of its unit if it was the last one.
    fn take(&mut self, row: UnitRow, p: PieceId) -> u32 {
        let (blkid, gone) = self.pieces.take(p);
        // The first piece is known to its unit.
        if let Some((None, behind)) = gone
            && let Some(cut) = &mut self.units.get_mut(row).cut
        {
            cut.first = behind;
        }
        blkid
    }
}
