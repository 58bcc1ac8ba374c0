//! A cycle: its beginning (frontend-T1 to frontend-T3, frontend-C1), dispatch by the policy (frontend-T4), and its end.

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId};
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Tick};
use crate::grids::GridPart;
use crate::launch::board::Board;
use crate::launch::coalesce::Homes;
use crate::launch::kmu::{Candidate, Kmu};
use crate::policy::Sched;
use crate::policy::line::LinePart;
use crate::policy::seam::told::ToldPartOf;
use crate::probe::Probe;

impl<T: Tables> FrontEnd<T> {
    /// Carries out cycle `now`, then moves to the next one.
    ///
    /// # Errors
    /// `Told` if the host decides; `TimeOverflow` in the last cycle.
    #[inline]
    pub fn tick(&mut self, probe: &mut impl Probe) -> Result<Tick, Fault> {
        if let Some(&tick) = self.quiet.tick(self.board.now) {
            self.pass(&tick.sched, 1);
            return Ok(tick);
        }
        self.carry_out(probe)
    }

    /// Carries out a cycle in which something may happen.
    #[inline(never)] // One copy of the scheduler, however many places tick; a call costs them some 3 %.
    fn carry_out(&mut self, probe: &mut impl Probe) -> Result<Tick, Fault> {
        if self.told.is_some() {
            return Err(Fault::Told);
        }
        if self.board.now == Cycle::MAX {
            return Err(Fault::TimeOverflow);
        }
        let kmu = match self.quiet.kmu(self.board.now) {
            Some(kmu) => kmu,
            None => self.before_dispatch(probe),
        };
        // Most often it is the first in line; then the answer is made where it is asked for.
        if !self.laperm.is_some()
            && self.ruled_line().is_none()
            && let Some(tb) = self.fcfs_rr.send_head(&mut self.board, probe)
        {
            self.pass_cycles(1);
            return Ok(Tick { sched: Sched::Tb(tb), kmu });
        }
        let sched = self.dispatch(probe);
        if !matches!(sched, Sched::Tb(_)) {
            self.remember_word(&sched);
        }
        self.pass(&sched, 1);
        Ok(Tick { sched, kmu })
    }

    /// All of a cycle that is before the policy's part.
    #[inline]
    pub(super) fn before_dispatch(&mut self, probe: &mut impl Probe) -> Kmu {
        let mut is_quiet = true;
        if self.modern.is_some() {
            is_quiet &= !self.take_saved(probe);
        }
        if self.grids.as_ref().is_some_and(|grids| grids.is_flushing() || self.board.hwqs.any_kgraph()) {
            self.begin_grids(probe);
        }
        let kmu = self.issue(probe);
        is_quiet &= !self.arrive(probe);
        if self.board.records.agg_ready() <= self.board.now {
            self.coalesce(probe);
            is_quiet = false;
        }
        is_quiet &= !self.sample(probe);
        if is_quiet && kmu != Kmu::Issue {
            self.remember_before_dispatch(kmu);
        }
        kmu
    }

    /// dtbl-T3: the oldest command that is ready.
    #[inline(never)]
    fn coalesce(&mut self, probe: &mut impl Probe) {
        let Self { board, laperm, told, grids, .. } = self;
        board.coalesce(&mut GroupHomes { laperm, told, grids }, probe);
        self.sweep(probe);
    }

    /// The policy sends a TB, or says why not; of the baseline what is behind the first in line.
    #[inline]
    fn dispatch(&mut self, probe: &mut impl Probe) -> Sched {
        let Self { board, fcfs_rr, laperm, modern, graphs, .. } = self;
        if let Some(line) = laperm.as_mut() {
            return line.dispatch(board, graphs, probe);
        }
        match modern.as_mut() {
            Some(modern) if modern.rules_line(&board.config) => modern.dispatch(board, fcfs_rr, graphs, probe),
            _ => fcfs_rr.send_behind(board, graphs, probe),
        }
    }

    /// `n` cycles end in which the scheduler's word is `sched`.
    #[inline]
    pub(super) fn pass(&mut self, sched: &Sched, n: u64) {
        let stats = &mut self.board.stats;
        match sched {
            Sched::Gated => stats.gated = stats.gated.saturating_add(n),
            Sched::Capped => stats.capped = stats.capped.saturating_add(n),
            Sched::Told => stats.told = stats.told.saturating_add(n),
            Sched::Frag => stats.frag = stats.frag.saturating_add(n),
            Sched::Quota => stats.quota = stats.quota.saturating_add(n),
            _ => {}
        }
        self.pass_cycles(n);
    }

    /// `n` cycles end, whatever was said in them.
    #[inline]
    fn pass_cycles(&mut self, n: u64) {
        let Board { stats, residency, now, .. } = &mut self.board;
        stats.warp_cycles = stats.warp_cycles.saturating_add(u64::from(residency.warps()).saturating_mul(n));
        if let Some(grids) = self.grids.as_mut() {
            grids.pass(n);
        }
        // The caller has made sure that the last cycle is not passed.
        now.0 += n;
    }

    /// dtbl-T1: issues at most one kernel.
    #[inline]
    fn issue(&mut self, probe: &mut impl Probe) -> Kmu {
        if let Some(line) = self.laperm.as_mut() {
            line.list_matured(&mut self.board);
        }
        if self.has_candidate() {
            self.issue_candidate(probe)
        } else if self.board.waits_for_dgb() {
            Kmu::DgBusy
        } else {
            Kmu::Empty
        }
    }

    /// Whether a kernel waits that could be issued now.
    #[inline(always)]
    pub(super) fn has_candidate(&self) -> bool {
        self.board.has_candidate()
            || self.laperm.as_ref().is_some_and(|line| line.any_pending())
            || self.grids.as_ref().is_some_and(|grids| grids.has_ready(self.board.now))
    }

    #[inline(never)]
    fn issue_candidate(&mut self, probe: &mut impl Probe) -> Kmu {
        if self.board.now < self.kmu.next_issue() {
            return Kmu::Busy;
        }
        if !self.board.kd.has_free() {
            return Kmu::KdFull;
        }
        let held = self.held_contexts();
        let Self { board, kmu, laperm, modern, grids, graphs, told, .. } = self;
        let (chosen, cost) = match laperm.as_mut() {
            Some(line) if line.is_cdp() => line.choose(board),
            _ => (kmu.choose(board, grids.as_ref().and_then(|grids| grids.choose(board.now, held)), held), 0),
        };
        let Some(chosen) = chosen else {
            // modern-P7: whoever waits is of a context that holds as many entries as it may.
            return if held == 0 { Kmu::Empty } else { Kmu::KdFull };
        };
        let cell = if let Candidate::Hwq(q) = chosen { board.hwqs.graph_at_head(q) } else { None };
        let node = match (chosen, grids.as_mut()) {
            (Candidate::Node(instance), Some(grids)) => grids.take_ready(instance),
            _ => None,
        };
        let queue = node.as_ref().map(|(_, queue, _)| *queue);
        let origin = told.as_ref().map(|told| told.units.origin(chosen, queue));
        let k = kmu.issue(board, (chosen, node.as_ref().map(|(.., kernel)| kernel)), cost, probe);
        if let Some((told, origin)) = told.as_mut().zip(origin) {
            told.issued(origin, k);
        }
        // The seam is told of a kernel as ever, whatever its grid is (launch2-W1).
        if let Some(grids) = grids.as_mut() {
            let node = node.map(|(grid, ..)| grid);
            grids.issued((chosen, node), k, board.kd.get(k).kernel.descriptor.tag);
            if let Candidate::Hwq(queue) = chosen {
                grids.look_at_queue(board, queue);
            }
        }
        if let Some(modern) = modern.as_mut()
            && let Candidate::Suspended(i) = chosen
        {
            modern.resumed(i, k, board.kd.get(k).kernel.saved);
        }
        // frontend-T1g: a kernel that is issued takes the buffer for its graph.
        if let Some((cell, graphs)) = cell.zip(graphs.as_mut()) {
            if let Some(consumers) = graphs.take(cell, k) {
                board.kd.pair(k, &consumers, &board.config);
            }
            board.hwqs.hold_graphs(true);
        }
        Kmu::Issue
    }

    /// dtbl-T2: kernels whose time has come enter the distributor. Whether there were any.
    #[inline]
    fn arrive(&mut self, probe: &mut impl Probe) -> bool {
        let mut any = false;
        while let Some(k) = self.board.arrive(probe) {
            self.arrived(k, probe);
            any = true;
        }
        any
    }

    /// A kernel is here: it waits for its TBs to be sent, behind those that came before, whatever it follows (launch2-P6).
    #[inline(never)]
    fn arrived(&mut self, k: KernelSlot, probe: &mut impl Probe) {
        let Self { board, laperm, graphs, told, .. } = self;
        let is_graph = board.kd.get(k).graph.is_some();
        if is_graph && let Some(graphs) = graphs.as_mut() {
            graphs.start(board, k);
        }
        if let Some(told) = told.as_mut() {
            told.arrived(board, k);
        }
        match laperm.as_mut() {
            None if told.as_ref().is_some_and(|told| told.is_free()) => {}
            None => board.kd.mark(k, true),
            // The buffer holds the nodes of a graph.
            Some(_) if is_graph => {}
            Some(line) => line.hold_natives(board, k, probe),
        }
    }
}

/// dtbl-T3, frontend-T3p, policy-P12: groups wait in the chains of their kernels, in LaPerm's queues, or by themselves.
struct GroupHomes<'a, T: Tables> {
    laperm: &'a mut LinePart<T>,
    told: &'a mut ToldPartOf<T>,
    grids: &'a mut GridPart<T>,
}

impl<T: Tables> Homes<T> for GroupHomes<'_, T> {
    #[inline(always)]
    fn are_chains(&self) -> bool {
        !self.laperm.is_some() && !self.told.as_ref().is_some_and(|told| told.is_free())
    }

    #[inline(always)]
    fn settled(&mut self, r: RecordId) {
        if let Some(grids) = self.grids.as_mut() {
            grids.settled_group(r);
        }
    }

    #[inline(always)]
    fn joined(&mut self, board: &mut Board<T>, k: KernelSlot, r: RecordId, probe: &mut impl Probe) {
        match (self.laperm.as_mut(), self.told.as_mut()) {
            (Some(line), _) => line.hold_group(board, k, r, probe),
            (None, Some(told)) => told.joined(board, k, r),
            (None, None) => board.link(k, r),
        }
    }
}
