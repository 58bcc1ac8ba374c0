//! What waits: for the controllers that wake SMXs (frontend-C2), and whether anything could be sent at all (frontend-Q1).

use core::ops::ControlFlow;

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, UnitId};
use crate::base::set::{ClassSet, SmxSet};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::board::BoardTables;
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::policy::fcfs_rr::in_line;
use crate::policy::line::Line;
use crate::smx::residency::Need;

/// The unit at the head of the line, for controllers that wake SMXs (frontend-C2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WaitingHead {
    /// Tag of the kernel or group whose TB is next.
    pub tag: u64,
    /// What that TB needs.
    pub need: Need,
    /// SMXs that may take it, were they eligible and free.
    pub allowed: SmxSet,
}

/// A unit in line, with the SMXs that are left to it.
struct Head {
    waiting: WaitingHead,
    /// Whether an SMX takes it now.
    is_taken: bool,
    /// Whether an SMX may take it that is not eligible.
    may_wake: bool,
}

impl<T: Tables> FrontEnd<T> {
    /// The first unit in line that no SMX takes although one that is not eligible may; else the first in line. A unit that waits
    /// for gate X, M or K on every SMX that is left to it is passed over.
    ///
    /// First come, first served has one line, so `start` is 0; under LaPerm the queue of bind unit `start` and those behind it,
    /// wrapping, are the first lines, then queue 0, then a dependency graph.
    ///
    /// # Errors
    /// `BadUnit`.
    pub fn waiting_head(&self, start: u32) -> Result<Option<WaitingHead>, Fault> {
        let units = self.laperm.as_ref().map_or(1, |line| line.config.units());
        if start >= units {
            return Err(Fault::BadUnit);
        }
        let mut first = None;
        let mut see = |head: Head| {
            if head.waiting.allowed.is_empty() {
                return ControlFlow::Continue(());
            }
            if head.may_wake && !head.is_taken {
                return ControlFlow::Break(head.waiting);
            }
            first.get_or_insert(head.waiting);
            ControlFlow::Continue(())
        };
        let found = match self.laperm.as_ref() {
            None if self.told.is_some() => self.see_offers(&mut see),
            None => self.see_fifo(&mut see),
            Some(line) => self.see_queues(line, UnitId(start as u16), &mut see),
        };
        Ok(found.break_value().or(first))
    }

    /// The heads of the FCFS FIFO. Nothing is seen behind an entry that waits for a load.
    fn see_fifo(&self, see: &mut impl FnMut(Head) -> ControlFlow<WaitingHead>) -> ControlFlow<WaitingHead> {
        let Self { board, fcfs_rr, graphs, .. } = self;
        if let Some(modern) = self.ruled_line() {
            let doors = Doors::of(board);
            for (k, open, found) in modern.in_line(&doors, graphs, |k| fcfs_rr.waits_for_load(board, k)) {
                let kde = board.kd.get(k);
                if kde.graph.is_some() {
                    self.see_graph(k, &open, see)?;
                    continue;
                }
                let head = head(&doors, k, board.tag_of(k, fcfs_rr.cursor_of(board, k).group), &open);
                // A GPC takes a cluster, not an SMX.
                let is_of_clusters = kde.kernel.descriptor.cluster.is_of_many();
                see(if is_of_clusters { Head { is_taken: found.is_ok(), ..head } } else { head })?;
            }
            return ControlFlow::Continue(());
        }
        for (k, left, _) in in_line(Doors::of(board), graphs) {
            if board.kd.get(k).graph.is_some() {
                self.see_graph(k, &left, see)?;
                continue;
            }
            let tag = board.tag_of(k, fcfs_rr.cursor_of(board, k).group);
            see(head(&Doors::of(board), k, tag, &left))?;
            if fcfs_rr.waits_for_load(board, k) {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// policy-P14: the offers in order, since nobody knows the host's (policy-A8). One that no SMX can take leaves all to those behind it, one that an SMX can take ends the line.
    /// Beside free units a graph is a line of its own.
    fn see_offers(&self, see: &mut impl FnMut(Head) -> ControlFlow<WaitingHead>) -> ControlFlow<WaitingHead> {
        let (Ok(seat), all) = (self.seat(), self.board.all_smxs()) else { return ControlFlow::Continue(()) };
        let is_free = seat.told.is_free();
        let mut is_ended = false;
        for next in seat.units().filter(|next| seat.is_known(next)) {
            if is_ended && !(is_free && next.is_node) {
                continue;
            }
            let head = head(&Doors::of(&self.board), next.k, self.board.tag_of(next.k, next.group), &all);
            is_ended |= head.is_taken;
            see(head)?;
        }
        ControlFlow::Continue(())
    }

    /// A graph kernel counts while it has a node to send.
    fn see_graph(
        &self,
        k: KernelSlot,
        left: &SmxSet,
        see: &mut impl FnMut(Head) -> ControlFlow<WaitingHead>,
    ) -> ControlFlow<WaitingHead> {
        if self.graphs.as_ref().is_some_and(|graphs| graphs.candidate().is_ok()) {
            see(head(&Doors::of(&self.board), k, self.board.tag_of(k, None), left))?;
        }
        ControlFlow::Continue(())
    }

    /// The heads of LaPerm's queues, and behind them a dependency graph.
    fn see_queues(
        &self,
        line: &Line<T>,
        start: UnitId,
        see: &mut impl FnMut(Head) -> ControlFlow<WaitingHead>,
    ) -> ControlFlow<WaitingHead> {
        for place in line.queues.places_from(start) {
            self.see_queue(line, place, see)?;
        }
        match self.graphs.as_ref().and_then(|graphs| graphs.unsent(&self.board)) {
            Some(k) => self.see_graph(k, &self.board.all_smxs(), see),
            None => ControlFlow::Continue(()),
        }
    }

    /// What is seen of one queue: its candidate, and, while that cannot be sent, what an SMX sees from which K hides it.
    fn see_queue(
        &self,
        line: &Line<T>,
        place: Option<UnitId>,
        see: &mut impl FnMut(Head) -> ControlFlow<WaitingHead>,
    ) -> ControlFlow<WaitingHead> {
        let doors = Doors::of(&self.board);
        let mut left = line.config.allowed(place);
        for section in line.queues.sections_with_entries(place) {
            // Of each class the first entry is enough: where one is hidden, all are.
            let (mut sees, mut passed) = (left, ClassSet::EMPTY);
            while let Some(e) = line.queues.first(section, passed).filter(|_| !sees.is_empty()) {
                let entry = line.queues.get(e);
                let k = entry.work.kde;
                let hidden_from = doors.leaves(k, &Sched::Capped, &sees);
                if entry.is_visible(self.board.now) {
                    let head = head(&doors, k, self.board.tag_of(k, entry.work.record), &sees);
                    let is_taken = head.is_taken;
                    see(head)?;
                    if is_taken {
                        return ControlFlow::Continue(());
                    }
                    left = left.without(&sees).or(&hidden_from);
                }
                sees = hidden_from;
                entry.class.into_iter().for_each(|class| passed.insert(class));
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a TB could be sent (frontend-T4) to the SMXs, which are all empty, if those that a controller put to sleep were awake
    /// (frontend-Q1).
    pub(super) fn could_send(&self) -> bool {
        self.could_send_through(Doors { board: &self.board, eligible: &self.host_eligible(), are_kept: true })
    }

    /// Whether only gates E, X and K keep the scheduler from sending a TB (launch2-Q2).
    pub(super) fn is_gated(&self) -> bool {
        self.could_send_through(Doors { board: &self.board, eligible: &self.board.all_smxs(), are_kept: false })
    }

    fn could_send_through(&self, doors: Doors<'_, T>) -> bool {
        let Self { laperm, graphs, .. } = self;
        match laperm.as_ref() {
            Some(line) => {
                line.until_dispatch(&doors).is_some() || graphs.as_ref().is_some_and(|graphs| graphs.sends_node(&doors))
            }
            None => match self.seat() {
                Ok(seat) => {
                    seat.units().any(|next| seat.is_known(&next) && doors.is_taken(next.k, &self.board.all_smxs()))
                }
                Err(_) => match self.ruled_line() {
                    Some(modern) => modern.in_line(&doors, graphs, |_| false).any(|(_, _, found)| found.is_ok()),
                    None => in_line(doors, graphs).any(|(_, _, found)| found.is_ok()),
                },
            },
        }
    }
}

/// Kernel `k`, to which these SMXs are left, as a head of its line.
fn head<T: BoardTables>(doors: &Doors<'_, T>, k: KernelSlot, tag: u64, left: &SmxSet) -> Head {
    let allowed = doors.allowed(k, left);
    Head {
        waiting: WaitingHead { tag, need: doors.board.kd.get(k).need, allowed },
        is_taken: doors.is_taken(k, &allowed),
        may_wake: !allowed.without(doors.eligible).is_empty(),
    }
}
