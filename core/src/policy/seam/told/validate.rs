//! What holds of the seam between two calls (policy-I1 to I7).

use core::ops::Range;

use super::{Decline, StartId, Told, ToldTables};
use crate::base::id::{KernelSlot, SlotId, SmxId};
use crate::base::invariant::{Violation, invariant};
use crate::config::parts::Rescue;
use crate::launch::board::{Board, BoardTables};
use crate::policy::fcfs_rr::FcfsRr;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::policy::seam::seat::Seat;
use crate::policy::seam::units::{ToldUnit, UnitRow};
use crate::smx::residency::{ResidentTb, Unit};

impl<T: BoardTables + GraphTables + ToldTables> Told<T> {
    pub(crate) fn validate(&self, board: &Board<T>, fcfs_rr: &FcfsRr, graphs: &GraphPart<T>) -> Result<(), Violation> {
        let Self { config, tb_slots, units, pieces, starts, is_begun, sent, last, decline, spell, is_rescuing } = self;
        units.validate(&board.config)?;
        pieces.validate()?;
        self.validate_cuts(board)?;
        let quiet = *sent == 0 && last.is_none();
        let agreed = board.now.0.saturating_mul(config.dispatch_per_cycle.into()).saturating_add((*sent).into());
        invariant("a cycle sends no more TBs than agreed (policy-I1)", board.stats.tbs <= agreed)?;
        invariant("TBs are sent in a cycle, as many as may be (policy-I6)", *sent <= config.dispatch_per_cycle)?;
        invariant("between cycles none are counted (policy-I6)", *is_begun || quiet)?;
        invariant("a spell is no longer than the limit (policy-I6)", *spell <= config.stall_limit)?;
        invariant("only a rescue rescues (policy-I5)", !is_rescuing || config.rescue == Rescue::Rr)?;
        let seat = Seat { board, fcfs_rr, graphs, told: self };
        let may_decline = *decline == Decline::None || *is_begun || seat.any_ripe();
        invariant("what is declined could be sent or loaded (policy-I4)", may_decline)?;
        let is_one = |row| {
            let Some(next) = seat.at(row) else { return false };
            let kde = board.kd.get(next.k);
            let left = match next.group.map(|r| board.records.get(r)) {
                None => kde.has_native_work() && kde.graph.is_none(),
                Some(record) => {
                    let sent = record.shape.total.saturating_sub(self.unsent(row, record.shape.total));
                    record.group().is_some_and(|group| !group.dist && group.exe <= sent) && sent < record.shape.total
                }
            };
            board.kd.is_active(next.k) && left
        };
        invariant("a unit in line has TBs to send (policy-P12)", units.line().all(is_one))?;
        let held: u32 = board.kd.active().map(|k| board.kd.get(k).pend).sum();
        let in_line = units.line().count();
        invariant("units in line are counted in their entries (policy-P12)", in_line == held as usize)?;
        let runs = |at: StartId| {
            let place = at.0.checked_div(*tb_slots).zip(at.0.checked_rem(*tb_slots));
            place.is_some_and(|(smx, slot)| board.residency.tb(SmxId(smx as u16), SlotId(slot as u8)).is_some())
        };
        let slots = board.config.n_smx * *tb_slots;
        let mut sent = starts.iter().take(slots as usize).filter(|(_, start)| start.0 > 0);
        let is_right = sent.all(|(at, start)| *start <= board.now && runs(at)) && starts.ends_by(slots as usize);
        invariant("only what runs was sent at some time", is_right)
    }

    /// TBs of a unit in line, of so many, that are unsent.
    fn unsent(&self, row: UnitRow, total: u32) -> u32 {
        let &ToldUnit { next, cut, .. } = self.units.get(row);
        let of = |tbs: Range<u32>| tbs.end.saturating_sub(tbs.start);
        match cut {
            None => of(next..total),
            Some(cut) => self.pieces.chain(cut.first).fold(of(next..cut.hi), |n, p| n + of(self.pieces.range(p))),
        }
    }

    /// policy-I7: what is unsent of a unit in pieces is in them, and nothing of it runs. It goes first, since others walk through them.
    fn validate_cuts(&self, board: &Board<T>) -> Result<(), Violation> {
        let mut chained = 0;
        for (row, unit) in self.units.iter() {
            let Some(cut) = unit.cut else {
                invariant("only a group in pieces has no TB sent of them (policy-P16)", !unit.waits)?;
                continue;
            };
            let is_in_pieces = self.config.split_cap > 0 && self.units.is_in_line(row) && unit.next <= cut.hi;
            let has_some = unit.next < cut.hi || cut.first.is_some();
            invariant("a unit in pieces is in line, with TBs to send (policy-P15)", is_in_pieces && has_some)?;
            let (count, end) = self.pieces.validate_chain(row, cut.first, cut.hi)?;
            chained += count;
            let (total, is_right) = match self.units.record(row).filter(|r| r.0 < board.config.pend_limit) {
                Some(r) => {
                    let total = board.records.get(r).shape.total;
                    (total, unit.waits == (self.unsent(row, total) == total))
                }
                None => {
                    let kde = board.kd.get(KernelSlot(row.0 as u8));
                    let unsent = kde.total.checked_sub(kde.kernel.next_native);
                    let is_fresh = kde.restored == kde.kernel.saved && !unit.waits;
                    (kde.total, is_fresh && unsent == Some(self.unsent(row, kde.total)))
                }
            };
            invariant("what is unsent of a unit is in its pieces (policy-I7)", is_right && end <= total)?;
        }
        invariant("each piece is of a unit in line (policy-I7)", chained == self.pieces.count())?;
        let is_sent = |tb: &ResidentTb| {
            let row = self.units.of(tb.kde, tb.group());
            let mut unsent = self.pieces.chain(self.units.get(row).cut.and_then(|cut| cut.first));
            match self.range(row, None) {
                Some(own) => !own.contains(&tb.blkid) && !unsent.any(|p| self.pieces.range(p).contains(&tb.blkid)),
                None => tb.unit != Unit::Native || tb.blkid < board.kd.get(tb.kde).kernel.next_native,
            }
        };
        invariant("what runs of a unit in pieces was sent (policy-I7)", board.residency.tbs().all(is_sent))
    }
}
