//! What holds of the seam between two calls (policy-I1 to I6).

use super::{Decline, Told, ToldTables};
use crate::base::invariant::{Violation, invariant};
use crate::config::parts::Rescue;
use crate::launch::board::{Board, BoardTables};
use crate::policy::fcfs_rr::FcfsRr;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::policy::seam::seat::Seat;

impl<T: BoardTables + GraphTables + ToldTables> Told<T> {
    pub(crate) fn validate(&self, board: &Board<T>, fcfs_rr: &FcfsRr, graphs: &GraphPart<T>) -> Result<(), Violation> {
        let Self { config, tb_slots: _, units, starts, is_begun, sent, last, decline, spell, is_rescuing } = self;
        units.validate(&board.config)?;
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
                    let sent = units.get(row).next;
                    record.group().is_some_and(|group| !group.dist && group.exe <= sent) && sent < record.shape.total
                }
            };
            board.kd.is_active(next.k) && left
        };
        invariant("a unit in line has TBs to send (policy-P12)", units.line().all(is_one))?;
        let held: u32 = board.kd.active().map(|k| board.kd.get(k).pend).sum();
        let in_line = units.line().count();
        invariant("units in line are counted in their entries (policy-P12)", in_line == held as usize)?;
        let placed = starts.iter().filter(|(_, start)| start.0 > 0).count();
        let here = board.residency.tbs().count();
        invariant("only what runs was sent at some time", placed <= here && starts.iter().all(|(_, t)| *t <= board.now))
    }
}
