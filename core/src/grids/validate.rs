//! What holds of grids between two calls (launch2-I1 to launch2-I3).

use super::instances::{Instance, NodeState};
use super::overlap::SmxFlags;
use super::{Grid, GridList, GridMode, GridTables, Grids, KernelGrid, Progress};
use crate::base::cycle::Cycle;
use crate::base::id::{
    GridId, HwqId, Id, InstanceId, KernelNodeId, KernelSlot, KgraphId, RecordId, SlotId, SmxId, SuspId,
};
use crate::base::invariant::{Violation, invariant};
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{Kernel, Phase, Source};
use crate::launch::hwq::{HostKernel, Key};
use crate::launch::record::RecordState;

impl<T: BoardTables + GridTables> Grids<T> {
    pub(crate) fn validate(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let n = config.n_grid();
        let mut counts = [0_u32; 3];
        for (g, grid) in self.rows.iter() {
            let is_free = grid.mode.is_none();
            let agrees = is_free == (g.0 >= n || self.free.is_free(g));
            invariant("a grid is free or in use", agrees && (!is_free || *grid == Grid::default()))?;
            let Some(mode) = grid.mode else { continue };
            invariant("a grid was made (launch2-G1)", grid.made < self.made)?;
            let of_device = !matches!(mode, GridMode::Host { .. } | GridMode::Node { .. });
            let is_flushing = matches!(grid.progress, Progress::Flushing(_));
            let is = [true, of_device && !self.is_in_record(board, g), is_flushing];
            counts.iter_mut().zip(is).for_each(|(count, is)| *count += u32::from(is));
            self.validate_grid(board, g, grid, mode)?;
        }
        let [in_use, issued, flushing] = counts;
        let counted = (self.free.in_use(), self.issued) == (in_use, issued);
        let most = config.grids.checked_sub(board.records.in_use());
        invariant("grids are counted (launch2-C4)", counted && most.is_some_and(|most| issued <= most))?;
        self.validate_flushing(board, flushing)?;
        self.validate_places(board)?;
        self.validate_overlap(board)?;
        self.validate_kgraphs(board)
    }

    /// Whether a device launch was not issued.
    fn is_in_record(&self, board: &Board<T>, g: GridId) -> bool {
        self.in_records(board, g).any(|r| !matches!(board.records.get(r).state, RecordState::Agg { .. }))
    }

    /// Records that name a grid.
    fn in_records(&self, board: &Board<T>, g: GridId) -> impl Iterator<Item = RecordId> {
        (0..board.config.pend_limit).map(RecordId).filter(move |&r| self.of_record.get(r) == Some(&Some(g)))
    }

    /// Whether a list is a chain of grids for which `is_its` holds, in the order in which they were made.
    fn is_chain(&self, list: &GridList, is_its: impl Fn(&Grid) -> bool) -> bool {
        let next = |&at: &GridId| self.rows.get(at)?.next;
        let all = || core::iter::successors(list.first, next).take(list.len as usize + 1);
        let rows = || all().map(|g| self.rows.get(g));
        let whole = all().count() == list.len as usize && all().last() == list.last;
        whole
            && rows().all(|row| row.is_some_and(&is_its))
            && rows().map(|row| row.map_or(0, |row| row.made)).is_sorted_by(|a, b| a < b)
    }

    fn validate_grid(&self, board: &Board<T>, g: GridId, grid: &Grid, mode: GridMode) -> Result<(), Violation> {
        let all = || self.rows.iter().filter(|(_, other)| other.mode.is_some());
        if let Some(parent) = mode.parent() {
            let waits = self.rows.get(parent).is_some_and(|parent| parent.mode.is_some() && parent.made < grid.made);
            invariant("a grid was made after the one that waits for it (launch2-G3)", waits)?;
        } else if let GridMode::Host { queue } = mode {
            let list = self.of_queue.get(queue).copied().unwrap_or_default();
            let is_in = core::iter::successors(list.first, |&at| self.rows.get(at)?.next).take(list.len as usize);
            invariant("a grid of the host holds its queue (launch2-G3)", is_in.into_iter().any(|other| other == g))?;
        }
        let kids = all().filter(|(_, other)| other.mode == Some(GridMode::FireAndForget { parent: g })).count();
        invariant("incomplete children are counted (launch2-I3)", kids == grid.kids as usize)?;
        let is_tail = |other: &Grid| other.mode == Some(GridMode::Tail { parent: g });
        let tails = all().filter(|(_, other)| is_tail(other)).count();
        let is_list = self.is_chain(&grid.tails, is_tail) && tails == grid.tails.len as usize;
        invariant("the tail launches of a grid are its list (launch2-I3)", is_list)?;
        let list = || {
            let all = core::iter::successors(grid.tails.first, |&at| self.rows.get(at)?.next);
            all.take(tails).map(|at| (at, self.rows.get(at)))
        };
        let is_closed = |row: Option<&Grid>| row.is_some_and(|row| matches!(row.progress, Progress::Closed(_)));
        let wait = list().skip(1).all(|(_, row)| is_closed(row));
        invariant("at most one tail launch of a grid has its turn (launch2-I3)", wait)?;
        let has_turn = grid.progress == Progress::Flushed && grid.kids == 0 && !self.follows(g);
        let first_waits = list().next().is_none_or(|(_, row)| is_closed(row));
        invariant(
            "tail launches have their turn when nothing else is left (launch2-C3)",
            has_turn != first_waits || tails == 0,
        )?;
        invariant("a grid that has nothing left is complete (launch2-G3)", !has_turn || tails > 0)?;
        let is_listed = matches!(mode, GridMode::Tail { .. } | GridMode::Host { .. });
        invariant("a grid has its own list (launch2-I3)", grid.next.is_none() || is_listed)?;
        let is_its = |k: u32| self.of_kernel.get(KernelSlot(k as u8)).is_some_and(|of| of.grid == Some(g));
        let is_group = |r: &RecordId| matches!(board.records.get(*r).state, RecordState::Agg { .. });
        let groups = self.in_records(board, g).filter(is_group).count();
        invariant("groups in flight are counted (launch2-P3)", groups == grid.groups as usize)?;
        let places = [
            (0..board.config.n_kde).filter(|&k| is_its(k)).count(),
            (0..board.config.susp_cap).filter(|&i| self.of_suspended.get(SuspId(i as u8)) == Some(&Some(g))).count(),
            self.in_records(board, g).filter(|r| !is_group(r)).count(),
            usize::from(self.is_ready(g, mode)),
        ];
        let has_place = usize::from(!grid.progress.is_ended());
        invariant("a kernel that has not ended is somewhere (launch2-G2)", places.iter().sum::<usize>() == has_place)?;
        match grid.progress {
            Progress::Closed(r) => {
                let record = self.of_record.get(r) == Some(&Some(g)) && board.records.get(r).state == RecordState::Tail;
                invariant(
                    "a tail launch waits in its record (launch2-C1)",
                    record && matches!(mode, GridMode::Tail { .. }),
                )
            }
            _ => Ok(()),
        }
    }

    fn validate_flushing(&self, board: &Board<T>, n: u32) -> Result<(), Violation> {
        let latest = board.now.after(board.config.flush_cycles.into());
        let next = |&at: &GridId| self.rows.get(at)?.next_flush;
        let list = || core::iter::successors(self.flushing.first, next).take(n as usize + 1);
        let at = |g: GridId| match self.rows.get(g).map(|row| row.progress) {
            Some(Progress::Flushing(at)) => Some(at),
            _ => None,
        };
        let in_order = list().map(at).is_sorted() && list().all(|g| at(g).is_some_and(|at: Cycle| at <= latest));
        let whole = list().count() == n as usize && list().last() == self.flushing.last && self.flushing.len == n;
        let linked = self.rows.iter().filter(|(_, grid)| grid.next_flush.is_some()).count();
        invariant(
            "grids are flushed in the order of their ends (launch2-T0)",
            in_order && whole && linked == (n as usize).saturating_sub(1),
        )
    }

    /// What queues, entries, records and suspended kernels say of their grids.
    fn validate_places(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let mode = |g: &Option<GridId>| g.and_then(|g| self.rows.get(g)).and_then(|grid| grid.mode);
        for q in (0..config.n_queue() as usize).map(HwqId::from_index) {
            let list = &self.of_queue[q];
            let runs = self.instances.iter().filter(|(_, of)| of.graph.is_some() && of.queue == q).count();
            let is_its = usize::from(list.len > 0) + runs == usize::from(board.hwqs.is_busy(q));
            let is_its = is_its && list.len <= config.window();
            let of_it = self.is_chain(list, |grid| grid.mode == Some(GridMode::Host { queue: q }));
            invariant("a queue is held until its kernels are complete (launch2-G4)", is_its && of_it)?;
            let is_known = board.hwqs.lets_follow(q) == self.may_follow(config, q);
            invariant("a dependent follows what is open (launch2-P4)", is_known)?;
        }
        let has_source = |g: &Option<GridId>, kernel: &Kernel| match (mode(g), kernel.source) {
            (Some(GridMode::Host { queue }), Source::Hwq(q)) => queue == q,
            (Some(mode), Source::Device) => !matches!(mode, GridMode::Host { .. } | GridMode::Node { .. }),
            (Some(GridMode::Node { instance, .. }), Source::Node(i)) => instance == i,
            _ => false,
        };
        for k in (0..config.n_kde as usize).map(KernelSlot::from_index) {
            let (kde, grid) = (board.kd.get(k), &self.of_kernel[k].grid);
            let agrees = if kde.phase == Phase::Free { grid.is_none() } else { has_source(grid, &kde.kernel) };
            invariant(
                "a kernel in an entry has a grid (launch2-G1)",
                agrees && self.has_tag(grid, kde.kernel.descriptor.tag),
            )?;
        }
        for i in (0..config.susp_cap as usize).map(SuspId::from_index) {
            let (kernel, grid) = (board.suspended.get(i).map(|entry| &entry.kernel), &self.of_suspended[i]);
            let agrees = kernel
                .map_or(grid.is_none(), |kernel| has_source(grid, kernel) && self.has_tag(grid, kernel.descriptor.tag));
            invariant("a suspended kernel has a grid (launch2-G1)", agrees)?;
        }
        for r in (0..config.pend_limit).map(RecordId) {
            let (record, grid) = (board.records.get(r), &self.of_record[r]);
            let is_closed =
                grid.and_then(|g| self.rows.get(g)).is_some_and(|grid| grid.progress == Progress::Closed(r));
            let is_group = matches!(record.state, RecordState::Agg { .. });
            let is_launch = config.cdp2.is_some() && matches!(record.state, RecordState::Dev | RecordState::Tail);
            let agrees = (is_group || grid.is_some() == is_launch) && (record.state == RecordState::Tail) == is_closed;
            let has_tag = is_group || self.has_tag(grid, record.descriptor.tag);
            invariant("a launch that waits has a grid (launch2-G1)", agrees && has_tag)?;
        }
        let sizes = [config.n_queue(), config.n_kde, config.pend_limit, config.susp_cap].map(|n| n as usize);
        let alone = self.of_queue.ends_by(sizes[0])
            && self.of_kernel.ends_by(sizes[1])
            && self.of_record.ends_by(sizes[2])
            && self.of_suspended.ends_by(sizes[3])
            && self.tb_flags.ends_by(if config.pdl.is_some() { config.n_smx as usize } else { 0 });
        invariant("grids have their rows alone", alone)
    }

    /// Whether a kernel of a kernel graph is queued for the KMU.
    fn is_ready(&self, g: GridId, mode: GridMode) -> bool {
        let GridMode::Node { instance, .. } = mode else { return false };
        let n = self.n_node as usize;
        self.ready(instance)
            .take(n)
            .any(|ready| self.states.get(self.state_id(instance, ready.node)).is_some_and(|of| of.grid == Some(g)))
    }

    /// launch2-I6, launch2-I7: kernel graphs, and what runs them.
    fn validate_kgraphs(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let Some(part) = &config.kgraph else {
            let none = self.kgraphs.is_empty() && self.instances.ends_by(0) && self.states.ends_by(0);
            return invariant(
                "without kernel graphs there are none (launch2-E1)",
                none && self.host_free == Cycle::ZERO,
            );
        };
        for g in (0..part.graphs as usize).map(KgraphId::from_index) {
            self.kgraphs.validate(g, config)?;
            let Some(view) = self.kgraphs.view(g) else { continue };
            let launches = || {
                let queues = (0..config.n_queue() as usize).map(HwqId::from_index);
                queues.flat_map(|q| board.hwqs.kernels(q)).filter(move |launch| launch.kgraph == Some(g))
            };
            let waiting = launches().count() as u64;
            let started = self.kgraphs.started(g);
            let numbered = launches().all(|launch| (started..started + waiting).contains(&launch.descriptor.tag));
            invariant("launches of a kernel graph are counted (launch2-I7)", view.waiting == waiting && numbered)?;
            let runs = self.instances.iter().filter(|(_, of)| of.graph == Some(g)).map(|(i, _)| i);
            invariant("a kernel graph runs once at most (launch2-I7)", runs.eq(view.instance))?;
        }
        let latest = self.host_free.max(board.now);
        let exists = |launch: &HostKernel| {
            launch.key.ready <= latest && launch.kgraph.is_none_or(|g| self.kgraphs.view(g).is_some())
        };
        let queues = (0..config.n_queue() as usize).map(HwqId::from_index);
        let known = queues.flat_map(|q| board.hwqs.kernels(q)).all(exists);
        invariant("the host has launched what there is (launch2-K1, launch2-K2)", known)?;
        (0..part.insts as usize).map(InstanceId::from_index).try_for_each(|i| self.validate_instance(board, i))?;
        let next = self
            .instances
            .iter()
            .filter_map(|(i, of)| self.states.get(self.state_id(i, of.first?)))
            .map(|of| of.key.ready)
            .min();
        invariant("it is known when a kernel is ready (launch2-K4)", self.next_ready == next.unwrap_or(Cycle::MAX))?;
        let alone = self.instances.ends_by(part.insts as usize) && self.states.ends_by(config.n_kernel_node() as usize);
        invariant("kernel graphs have their rows alone", alone)
    }

    fn validate_instance(&self, board: &Board<T>, i: InstanceId) -> Result<(), Violation> {
        let instance = &self.instances[i];
        let states = (0..self.n_node as usize).map(KernelNodeId::from_index);
        let mut states = states.map(|node| (node, self.state(i, node)));
        let Some(graph) = instance.graph else {
            let none = *instance == Instance::default() && states.all(|(_, state)| *state == NodeState::default());
            return invariant("what runs nothing is empty (launch2-K6)", none);
        };
        let view = self.kgraphs.view(graph);
        invariant("what runs is a kernel graph (launch2-K3)", view.is_some_and(|view| view.instance == Some(i)))?;
        let its = u32::from(instance.queue) < board.config.n_queue()
            && instance.owner.queue_of(instance.stream, &board.config) == instance.queue;
        invariant("a kernel graph holds the queue of its stream (launch2-K3)", its)?;
        instance.owner.validate(&board.config)?;
        let n = view.map_or(0, |view| view.nodes);
        // Each kernel waits, has a grid, or is complete; what leads to it from those that are not complete, or not open, is counted.
        let mut left = 0;
        for (node, state) in states {
            let is_of = u32::from(node) < n;
            let (unmet, incomplete) = self.waits_of(i, graph, node);
            let grid = state.grid.and_then(|g| self.rows.get(g));
            let has_grid = grid.is_some_and(|grid| grid.mode == Some(GridMode::Node { instance: i, node }));
            let agrees = (state.unmet, state.incomplete) == (unmet, incomplete) && has_grid == state.grid.is_some();
            invariant(
                "edges that are not satisfied are counted (launch2-K5)",
                agrees && (is_of || *state == NodeState::default()),
            )?;
            let tag = grid.map(|grid| grid.tag);
            let is_its = tag.is_none_or(|tag| is_of && tag == self.kgraphs.node(graph, node).kernel.tag);
            invariant(
                "a kernel runs when it waits for nothing (launch2-I6)",
                is_its && (state.unmet == 0 || !has_grid),
            )?;
            left += u32::from(state.unmet > 0 || has_grid);
        }
        invariant("kernels that are not complete are counted (launch2-K6)", left == instance.left && left > 0)?;
        self.validate_ready(board, i, instance)
    }

    /// Edges to a kernel that are not satisfied, and programmatic ones from kernels that are not complete.
    fn waits_of(&self, i: InstanceId, graph: KgraphId, node: KernelNodeId) -> (u32, u32) {
        let mut waits = (0, 0);
        let n = self.kgraphs.view(graph).map_or(0, |view| view.nodes) as usize;
        for from in (0..n).map(KernelNodeId::from_index) {
            let state = self.state(i, from);
            let is_incomplete = state.unmet > 0 || state.grid.is_some();
            let is_open = state.grid.and_then(|g| self.rows.get(g)).is_some_and(|grid| grid.is_open);
            for edge in self.kgraphs.edges_from(graph, from).filter(|edge| edge.to == node.0) {
                waits.0 += u32::from(is_incomplete && !(edge.is_pdl && is_open));
                waits.1 += u32::from(is_incomplete && edge.is_pdl);
            }
        }
        waits
    }

    fn validate_ready(&self, board: &Board<T>, i: InstanceId, instance: &Instance) -> Result<(), Violation> {
        let state =
            |node: KernelNodeId| self.states.get(self.state_id(i, node)).filter(|_| u32::from(node) < self.n_node);
        let list = || {
            let all = core::iter::successors(instance.first, |&node| state(node)?.next);
            all.take(self.n_node as usize + 1)
        };
        let linked = (0..self.n_node as usize)
            .filter(|&node| self.state(i, KernelNodeId::from_index(node)).key != Key::default())
            .count();
        let whole = list().last() == instance.last && list().count() == linked;
        let is_free = |node: KernelNodeId| state(node).is_some_and(|of| of.grid.is_some() && of.key.seq < board.seq);
        let in_order = list().map(|node| state(node).map(|of| of.key)).is_sorted_by(|a, b| a < b);
        invariant("kernels wait for the KMU in order (launch2-K4)", whole && in_order && list().all(is_free))
    }

    /// What TBs have said, and what it has come to (launch2-P2 to launch2-P5).
    fn validate_overlap(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let (mut ripening, mut waiting) = (0_u64, 0);
        for k in (0..config.n_kde as usize).map(KernelSlot::from_index) {
            let KernelGrid { grid, triggered, waiting: waits } = self.of_kernel[k];
            let of_it = |of: fn(&Self, SmxId, SlotId) -> bool| {
                let tbs = board.all_smxs();
                let on =
                    |s: SmxId| board.residency.on(s).filter(|(slot, tb)| tb.kde == k && of(self, s, *slot)).count();
                tbs.iter().map(on).sum::<usize>() as u32
            };
            let counted = triggered == of_it(Self::has_triggered) && waits == of_it(Self::is_waiting);
            invariant("TBs that have triggered or wait are counted (launch2-P2)", counted)?;
            let row = grid.and_then(|g| self.rows.get(g));
            let is_open = row.is_some_and(|grid| grid.is_open);
            invariant("an entry knows whether its kernel is open (launch2-P8)", is_open == board.kd.get(k).is_open)?;
            ripening |= u64::from(triggered > 0 && !is_open) << k.index();
            waiting += waits;
            let follows = grid.is_some_and(|g| self.follows(g));
            invariant("a TB that waits has something to wait for (launch2-I5)", waits == 0 || follows)?;
        }
        invariant("what has triggered may be open soon (launch2-P3)", ripening == self.ripening)?;
        let flagged =
            |flags: fn(&SmxFlags) -> u64| self.tb_flags.iter().map(|(_, row)| flags(row).count_ones()).sum::<u32>();
        let all_triggered = (0..config.n_kde).map(|k| self.of_kernel[KernelSlot(k as u8)].triggered).sum::<u32>();
        let alone = flagged(|row| row.waiting) == waiting && flagged(|row| row.triggered) == all_triggered;
        invariant("only resident TBs trigger and wait", alone && waiting == self.waiting)?;
        let may_be_open = config.pdl.is_some() || self.rows.iter().all(|(_, grid)| !grid.is_open);
        invariant("without dependents no kernel is open (launch2-E1)", may_be_open)
    }

    fn has_tag(&self, grid: &Option<GridId>, tag: u64) -> bool {
        grid.and_then(|g| self.rows.get(g)).is_none_or(|grid| grid.tag == tag)
    }
}
