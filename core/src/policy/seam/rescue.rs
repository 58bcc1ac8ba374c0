//! The rescue: first come, first served and round robin, while the host is stalled (policy-P11).

use crate::base::id::{KernelSlot, rows_in};
use crate::launch::board::{Board, BoardTables};
use crate::launch::cursor::Load;
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::policy::fcfs_rr::FcfsRr;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::policy::seam::seat::Seat;
use crate::policy::seam::told::{Told, ToldTables};
use crate::probe::{Probe, TbPlacement};

/// frontend-T4f; where it has only tried, it leaves no cursor (policy-I5).
fn rescue_chains<T: BoardTables + GraphTables>(
    board: &mut Board<T>,
    fcfs_rr: &mut FcfsRr,
    graphs: &mut GraphPart<T>,
    probe: &mut impl Probe,
) -> Option<TbPlacement> {
    let untried = board.kd.fifo().filter(|&k| board.kd.get(k).cursor().is_none()).fold(0, |set, k| set | 1_u64 << k.0);
    let sent = match fcfs_rr.dispatch(board, graphs, probe) {
        Sched::Tb(tb) => Some(tb),
        _ => None,
    };
    for k in rows_in::<KernelSlot>(untried).filter(|&k| sent.is_none_or(|tb| tb.kde != k)) {
        let kde = board.kd.get_mut(k);
        if kde.cursor().is_some_and(|cursor| cursor.load == Load::NotAsked) {
            kde.drop_cursor();
        }
    }
    sent
}

impl<T: BoardTables + GraphTables + ToldTables> Told<T> {
    /// One cycle of the rescue: the TB that it has sent, if it has.
    #[inline(never)]
    pub(crate) fn rescue(
        &mut self,
        board: &mut Board<T>,
        fcfs_rr: &mut FcfsRr,
        graphs: &mut GraphPart<T>,
        probe: &mut impl Probe,
    ) -> Option<TbPlacement> {
        let sent = if self.is_free() {
            self.rescue_free(board, fcfs_rr, graphs, probe)
        } else {
            rescue_chains(board, fcfs_rr, graphs, probe)
        };
        if let Some(tb) = &sent {
            self.started(tb, board.now);
            self.spell = 0;
            board.stats.rescued = board.stats.rescued.saturating_add(1);
        }
        sent
    }

    /// Free units by their keys, as far as each leaves SMXs to those behind it (frontend-G6); a graph last, to which all are left.
    fn rescue_free(
        &mut self,
        board: &mut Board<T>,
        fcfs_rr: &mut FcfsRr,
        graphs: &mut GraphPart<T>,
        probe: &mut impl Probe,
    ) -> Option<TbPlacement> {
        let seat = Seat { board, fcfs_rr, graphs, told: self };
        let doors = Doors::of(board);
        let mut left = board.all_smxs();
        let first = seat.units().take_while(|next| !next.is_node).find_map(|next| {
            if left.is_empty() {
                return None;
            }
            let taker = doors.takers(next.k, &left, fcfs_rr.rr()).next();
            if taker.is_none() {
                left = doors.leaves(next.k, &doors.verdict(next.k, &left), &left);
            }
            Some((next, taker?))
        });
        if let Some((next, smx)) = first {
            fcfs_rr.pass_turn(smx, board.config.n_smx);
            return self.send_next(board, fcfs_rr, graphs, &next, smx, probe);
        }
        let k = graphs.as_ref()?.unsent(board)?;
        let all = board.all_smxs();
        graphs.as_mut()?.try_node(board, k, &all, probe).ok()
    }
}
