//! The line of kernels where a kernel may be kept off an SMX that is open to others (sheet `modern`, Gates).
//!
//! Each entry is tried on the SMXs that are left to its context, inside its reach. One that is not sent keeps SMXs from those behind it.
//! One line for all contexts, so on an SMX that two of them share there is one order (modern-A5); a cluster that waits keeps its SMXs unless
//! `pass_cluster` lets others ahead (modern-A9). What its own partition, share or drained SMXs make it wait for keeps nothing from others (frontend-G6, as this sheet overrides it).

use crate::base::cycle::Cycle;
use crate::base::id::{ContextId, Id, KernelSlot};
use crate::base::set::SmxSet;
use crate::launch::board::{Board, BoardTables};
use crate::modern::{Modern, ModernTables};
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::policy::fcfs_rr::FcfsRr;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::probe::{Probe, TbPlacement};

const MAX_CONTEXTS: usize = 64;

/// What the entries that were tried keep from those behind them.
struct Kept {
    /// From everybody.
    from_all: SmxSet,
    /// From those of a context.
    from: [SmxSet; MAX_CONTEXTS],
}

/// What P, Q and D say of an entry.
struct Fence {
    context: ContextId,
    /// The SMXs that it is tried on.
    own: SmxSet,
    /// modern-P4, modern-A6: its context has as many threads as it may.
    is_over_quota: bool,
    /// modern-D1: those of them that are drained of it.
    drained: SmxSet,
}

impl Fence {
    /// The SMXs that these gates leave open.
    fn open(&self) -> SmxSet {
        if self.is_over_quota { SmxSet::EMPTY } else { self.own.without(&self.drained) }
    }
}

impl Kept {
    const NOTHING: Self = Self { from_all: SmxSet::EMPTY, from: [SmxSet::EMPTY; MAX_CONTEXTS] };

    /// Those of these SMXs that are left to a context.
    fn left(&self, context: ContextId, smxs: &SmxSet) -> SmxSet {
        smxs.without(&self.from_all).without(self.from.get(context.index()).unwrap_or(&SmxSet::EMPTY))
    }
}

impl<T: BoardTables + GraphTables + ModernTables> Modern<T> {
    /// What stands between an entry and the SMXs that are left to it, if there are any.
    fn fence(&self, board: &Board<T>, k: KernelSlot, kept: &Kept) -> Option<Fence> {
        let kernel = &board.kd.get(k).kernel;
        let context = kernel.owner.context;
        let own = kept.left(context, &self.reach_of(board, &kernel.descriptor, context)?);
        if own.is_empty() {
            return None;
        }
        let is_over_quota = self.limit_of(context).is_some_and(|limit| {
            let size = self.next_unit(board, k).max(1);
            let more = u64::from(size) * u64::from(board.kd.get(k).need.threads);
            u64::from(self.threads_of(board, context)) + more > limit.into()
        });
        Some(Fence { context, own, is_over_quota, drained: self.drained_from(k, context).and(&own) })
    }

    /// frontend-G4 with this sheet's gates: why an entry was not sent.
    fn verdict(&self, doors: &Doors<'_, T>, k: KernelSlot, fence: &Fence) -> Sched {
        if fence.is_over_quota {
            return Sched::Quota;
        }
        match doors.verdict(k, &fence.open()) {
            // A cluster alone can stay unsent though an SMX takes one TB.
            Sched::Gated if doors.is_taken(k, &fence.open()) => Sched::Frag,
            Sched::NoRoom if !fence.drained.is_empty() => Sched::Gated,
            word => word,
        }
    }

    /// frontend-G6 with this sheet's gates: what an entry that was not sent keeps from those behind it.
    fn keep(&self, doors: &Doors<'_, T>, k: KernelSlot, word: &Sched, fence: &Fence, kept: &mut Kept) {
        let config = &doors.board.config;
        let is_cluster = doors.board.kd.get(k).kernel.descriptor.cluster.is_of_many();
        let leaves_all = (word.is_of_graph() && config.pass_graph)
            || (is_cluster && *word != Sched::Load && config.cluster.is_some_and(|part| part.pass_cluster));
        if leaves_all {
            return;
        }
        match word {
            Sched::Quota => {
                if let Some(from) = kept.from.get_mut(fence.context.index()) {
                    *from = from.or(&fence.own);
                }
            }
            Sched::Load => kept.from_all = kept.from_all.or(&fence.own),
            word if word.is_of_graph() => kept.from_all = kept.from_all.or(&fence.own),
            _ => {
                let mut keeps = fence.open();
                if config.pass_capped {
                    keeps = keeps.without(&doors.capped(k));
                }
                kept.from_all = kept.from_all.or(&keeps);
            }
        }
    }

    /// One cycle of the SMX scheduler (frontend-T4f).
    #[inline(never)]
    pub(crate) fn dispatch(
        &mut self,
        board: &mut Board<T>,
        fcfs_rr: &mut FcfsRr,
        graphs: &mut GraphPart<T>,
        probe: &mut impl Probe,
    ) -> Sched {
        let (head, all) = (board.kd.fifo_head(), board.all_smxs());
        let mut next = head;
        let mut kept = Kept::NOTHING;
        let mut word_of_head = Sched::Idle;
        while let Some(k) = next.filter(|_| kept.from_all != all) {
            next = board.kd.fifo_behind(k);
            let Some(fence) = self.fence(board, k, &kept) else { continue };
            let before = board.stats.tbs;
            match self.try_entry(board, (&mut *fcfs_rr, &mut *graphs), k, &fence, probe) {
                Sched::Tb(tb) => {
                    if head != Some(k) {
                        board.stats.passed = board.stats.passed.saturating_add(board.stats.tbs - before);
                    }
                    return Sched::Tb(tb);
                }
                word => {
                    if head == Some(k) {
                        word_of_head = word;
                    }
                    self.keep(&Doors::of(board), k, &word, &fence, &mut kept);
                }
            }
        }
        word_of_head
    }

    /// Sends what an entry sends next, or says why not.
    fn try_entry(
        &mut self,
        board: &mut Board<T>,
        (fcfs_rr, graphs): (&mut FcfsRr, &mut GraphPart<T>),
        k: KernelSlot,
        fence: &Fence,
        probe: &mut impl Probe,
    ) -> Sched {
        let open = fence.open();
        if board.kd.get(k).kernel.descriptor.cluster.is_of_many() {
            if board.kd.get(k).cursor().is_none() {
                fcfs_rr.start(board, k);
            }
            let sent = self.try_cluster(board, k, &open, probe);
            let Some((tb, has_more)) = sent else { return self.verdict(&Doors::of(board), k, fence) };
            if !has_more {
                fcfs_rr.finish(board, k, None, probe);
            }
            return Sched::Tb(tb);
        }
        match fcfs_rr.try_behind(board, graphs, k, &open, probe) {
            word if matches!(word, Sched::Tb(_) | Sched::Load) || word.is_of_graph() => word,
            _ => self.verdict(&Doors::of(board), k, fence),
        }
    }

    fn try_cluster(
        &mut self,
        board: &mut Board<T>,
        k: KernelSlot,
        open: &SmxSet,
        probe: &mut impl Probe,
    ) -> Option<(TbPlacement, bool)> {
        let unit = self.unit_of(board, k)?;
        let gpc = self.taker(&Doors::of(board), k, open, unit.len())?;
        self.send_unit(board, k, &unit, (gpc, open), probe)
    }

    // ---- looks ahead, which change nothing

    /// Whether an entry could be sent to an SMX that is open to it, loads aside; else the word for why not.
    fn find(&self, doors: &Doors<'_, T>, graphs: &GraphPart<T>, k: KernelSlot, fence: &Fence) -> Result<(), Sched> {
        if doors.board.kd.get(k).graph.is_some() {
            graphs.as_ref().map_or(Err(Sched::GraphFault), |graphs| graphs.candidate())?;
        }
        let (open, size) = (fence.open(), self.next_unit(doors.board, k));
        let is_taken = if size > 0 { self.taker(doors, k, &open, size).is_some() } else { doors.is_taken(k, &open) };
        if is_taken { Ok(()) } else { Err(self.verdict(doors, k, fence)) }
    }

    /// Entries of the line with the SMXs that are open to each, and why it cannot be sent if it cannot. An entry waits for a load if
    /// `waits` says so. The line ends with one that can be sent.
    pub(crate) fn in_line<'a>(
        &'a self,
        doors: &'a Doors<'a, T>,
        graphs: &'a GraphPart<T>,
        waits: impl Fn(KernelSlot) -> bool + 'a,
    ) -> impl Iterator<Item = (KernelSlot, SmxSet, Result<(), Sched>)> + 'a {
        let board = doors.board;
        let (mut next, mut kept) = (board.kd.fifo_head(), Kept::NOTHING);
        core::iter::from_fn(move || {
            loop {
                let k = next?;
                next = board.kd.fifo_behind(k);
                let Some(fence) = self.fence(board, k, &kept) else { continue };
                let found = if waits(k) { Err(Sched::Load) } else { self.find(doors, graphs, k, &fence) };
                match &found {
                    Ok(()) => next = None,
                    Err(word) => self.keep(doors, k, word, &fence, &mut kept),
                }
                return Some((k, fence.open(), found));
            }
        })
    }

    /// When the scheduler next sends a TB or asks for a load: now, or when a load lands that is under way. Loads land at few times, so each is
    /// looked at by itself.
    pub(crate) fn next_dispatch(&self, board: &Board<T>, fcfs_rr: &FcfsRr, graphs: &GraphPart<T>) -> Option<Cycle> {
        let doors = Doors::of(board);
        let mut at = board.now;
        loop {
            let mut later: Option<Cycle> = None;
            let mut note = |time: Cycle| later = Some(later.map_or(time, |least| least.min(time)));
            for (k, _, found) in self.in_line(&doors, graphs, |k| fcfs_rr.waits_at(board, k, at)) {
                if fcfs_rr.asks_at(board, k, at) || found.is_ok() {
                    return Some(at);
                }
                fcfs_rr.next_load(board, k, at).into_iter().for_each(&mut note);
            }
            at = later?;
        }
    }
}
