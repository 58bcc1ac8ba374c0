//! The dependency-graph buffer beside a policy: it names the node that goes next (frontend-T1g, frontend-T2g, frontend-T4g).
//!
//! There is one buffer. The KMU takes it with the issue of a kernel that has a graph, and the end of that kernel, or an abort, gives
//! it back; so graphs run one after another, each with its own policy, while plain kernels go ahead of those that wait.

mod validate;

use crate::base::id::KernelSlot;
use crate::base::presence::{Part, Presence};
use crate::base::set::SmxSet;
use crate::base::table::{Rows, Table};
use crate::dats::{
    Buffer, DgbConfig, GraphError, GraphHeader, LocalNode, Node, NodeId, Phase, Report, Selection, Stall,
};
use crate::launch::board::{Board, BoardTables};
use crate::launch::cross::Consumers;
use crate::launch::distributor::GraphState;
use crate::launch::hwq::CellId;
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::probe::{Decision, Probe, TbPlacement};

/// Where the rows lie of the buffer and of the graphs that wait for it.
pub(crate) trait GraphTables {
    /// Whether there can be a buffer.
    type Dats: Presence;
    type HostGraphs: Rows<GraphHeader>;
    type HostConsumers: Rows<Consumers>;
    type DgbNodes: Rows<LocalNode>;
    type DgbEdges: Rows<NodeId>;
    type DgbUpdates: Rows<NodeId>;
    type DgbInsertions: Rows<Node>;
    type DgbWords: Rows<u64>;
}

/// The rows of a buffer.
pub(crate) type DgbRows<T> = (
    <T as GraphTables>::DgbNodes,
    <T as GraphTables>::DgbEdges,
    <T as GraphTables>::DgbUpdates,
    <T as GraphTables>::DgbInsertions,
    <T as GraphTables>::DgbWords,
);

/// The buffer, who has it, and the graphs that wait for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Graphs<T: GraphTables> {
    #[allow(clippy::type_complexity, reason = "behind an alias the derives would not see the tables")]
    pub(crate) dgb: Buffer<T::DgbNodes, T::DgbEdges, T::DgbUpdates, T::DgbInsertions, T::DgbWords>,
    /// The kernel that has the buffer, and its graph: from the issue to the end or the abort.
    pub(crate) owner: Option<(KernelSlot, GraphHeader)>,
    /// Graphs of host kernels that wait in queues.
    pub(crate) headers: Table<CellId, GraphHeader, T::HostGraphs>,
    /// The consumers of those of them that are shared; `first` is 0 where there are none.
    pub(crate) consumers: Table<CellId, Consumers, T::HostConsumers>,
}

/// The buffer, if there is one.
pub(crate) type GraphPart<T> = Part<<T as GraphTables>::Dats, Graphs<T>>;

impl<T: GraphTables> Graphs<T> {
    pub(crate) fn new(
        (headers, consumers): (T::HostGraphs, T::HostConsumers),
        rows: DgbRows<T>,
        config: &DgbConfig,
    ) -> Self {
        let (headers, consumers) = (Table::new(headers), Table::new(consumers));
        Self { dgb: Buffer::empty(config, rows), owner: None, headers, consumers }
    }

    /// The graph waits with its kernel, which is in this place of a queue, and with the consumers that share it.
    pub(crate) fn wait(&mut self, cell: CellId, graph: &GraphHeader, consumers: Option<&Consumers>) {
        self.headers[cell] = *graph;
        if let Some((row, consumers)) = self.consumers.get_mut(cell).zip(consumers) {
            *row = *consumers;
        }
    }

    /// frontend-T1g: the kernel that waited in this place was issued; it takes the buffer for its graph. The consumers that share it.
    pub(crate) fn take(&mut self, cell: CellId, k: KernelSlot) -> Option<Consumers> {
        self.owner = Some((k, core::mem::take(&mut self.headers[cell])));
        self.consumers.get_mut(cell).map(core::mem::take).filter(|consumers| consumers.first > 0)
    }

    /// Whether a node can be sent, were there room; else the word for why not.
    pub(crate) fn candidate(&self) -> Result<(), Sched> {
        self.dgb.look().map_or(Err(Sched::GraphFault), |look| look.map(drop).map_err(Sched::of_graph))
    }

    /// The node that would be sent next, were there room.
    pub(crate) fn next_node(&self) -> Option<u32> {
        self.dgb.look()?.ok()
    }

    /// Whether the buffer's window can never move again.
    pub(crate) fn is_deadlocked(&self) -> bool {
        self.dgb.phase() == Phase::Running && self.dgb.deadlock().is_some()
    }
}

impl<T: BoardTables + GraphTables> Graphs<T> {
    /// frontend-T2g: a graph kernel has arrived.
    pub(crate) fn start(&mut self, board: &mut Board<T>, kdei: KernelSlot) {
        let Some((_, graph)) = self.owner.filter(|&(owner, _)| owner == kdei) else { return };
        // What could be refused was checked at the launch; the buffer is free.
        if self.dgb.launch(kdei, &graph).is_ok() {
            board.kd.get_mut(kdei).graph = Some(GraphState::Running);
        }
    }

    /// frontend-T4g: sends the next node of a graph kernel to one of the SMXs that are left to it, or says why not. If that one finds no
    /// room, no other does, whatever kernel it is of (launch2-H7).
    #[inline(never)]
    pub(crate) fn try_node(
        &mut self,
        board: &mut Board<T>,
        k: KernelSlot,
        left: &SmxSet,
        probe: &mut impl Probe,
    ) -> Result<TbPlacement, Sched> {
        self.candidate()?;
        let fits = takers(board, k, left);
        match self.dgb.select(&fits) {
            Ok(Selection::Dispatch { node, smx, .. }) => {
                let (tb, more) = board.send_node(k, node.0.into(), smx, probe);
                if !more && board.kd.get(k).mark.is_some() {
                    board.kd.unmark(k);
                    probe.decide(board.now, Decision::Unmark { kde: k });
                }
                self.turn(board);
                Ok(tb)
            }
            Ok(Selection::Stall(Stall::NoSmx)) => Err(Doors::of(board).verdict(k, left)),
            Ok(Selection::Stall(stall)) => Err(Sched::of_graph(stall)),
            Ok(Selection::Finished) | Err(_) => Err(Sched::GraphFault),
        }
    }

    /// The active kernel whose graph has nodes that were not sent.
    pub(crate) fn unsent(&self, board: &Board<T>) -> Option<KernelSlot> {
        let (k, _) = self.owner?;
        let kde = board.kd.get(k);
        let is_here = matches!(kde.graph, Some(GraphState::Running | GraphState::Faulted));
        (is_here && kde.has_native_work()).then_some(k)
    }

    /// Whether the graph has a node that an SMX takes.
    pub(crate) fn sends_node(&self, doors: &Doors<'_, T>) -> bool {
        let takes = |k| self.candidate().is_ok() && doors.is_taken(k, &doors.board.all_smxs());
        self.unsent(doors.board).is_some_and(takes)
    }

    /// frontend-F3: the TB of a node has ended.
    #[inline(never)]
    pub(crate) fn node_done(&mut self, board: &mut Board<T>, k: KernelSlot, vid: u32, probe: &mut impl Probe) {
        if board.kd.get(k).graph != Some(GraphState::Running) {
            return;
        }
        let answer = self.dgb.complete(NodeId(vid as u16));
        // A fault is told as a decision.
        let _ = self.moved(board, answer, probe);
    }

    /// What an event did to the graph: it may have finished, or met a contradiction, which is told once.
    pub(crate) fn moved(
        &mut self,
        board: &mut Board<T>,
        answer: Result<Report, GraphError>,
        probe: &mut impl Probe,
    ) -> Result<Report, GraphError> {
        let Some((kde, _)) = self.owner else { return answer };
        if board.kd.get(kde).graph != Some(GraphState::Running) {
            return answer;
        }
        match answer {
            Ok(Report { finished: true, .. }) => {
                board.kd.get_mut(kde).graph = Some(GraphState::Finished);
                probe.decide(board.now, Decision::GraphDone { kde });
            }
            Err(GraphError::GraphFault { kind, node }) => {
                board.kd.get_mut(kde).graph = Some(GraphState::Faulted);
                probe.decide(board.now, Decision::GraphFault { kde, kind, node });
            }
            _ => {}
        }
        self.turn(board);
        answer
    }

    /// launch2-X3: something has changed which node goes next.
    #[inline]
    fn turn(&self, board: &mut Board<T>) {
        if board.config.cross
            && let Some((k, _)) = self.owner
        {
            board.turn_to(k, self.next_node());
        }
    }

    /// launch2-X2: memory answers a request for nodes of a graph that two kernels share.
    pub(crate) fn check_parts(&self, board: &Board<T>, tag: u32, entries: &[Node]) -> Result<(), GraphError> {
        match self.owner.and_then(|(k, _)| board.kd.first_consumer(k)) {
            Some(first) => self.dgb.check_parts(tag, entries, first),
            None => Ok(()),
        }
    }

    /// frontend-F6: a kernel's graph is given up.
    pub(crate) fn abort(&mut self, board: &mut Board<T>, kde: KernelSlot, probe: &mut impl Probe) {
        let executing = self.dgb.abort();
        self.owner = None;
        board.hwqs.hold_graphs(false);
        board.kd.get_mut(kde).graph = Some(GraphState::Aborted);
        board.kd.unmark(kde);
        board.turn_to(kde, None);
        probe.decide(board.now, Decision::GraphAbort { kde, executing });
    }

    /// frontend-F4: a kernel is over, and with it its hold on the buffer.
    pub(crate) fn release(&mut self, board: &mut Board<T>, k: KernelSlot) {
        if self.owner.is_some_and(|(owner, _)| owner == k) {
            self.owner = None;
            board.hwqs.hold_graphs(false);
        }
    }

    /// Whether the graph that runs can never go on by itself (frontend-Q1).
    pub(crate) fn is_stuck(&self, board: &Board<T>) -> bool {
        let faulted = |(k, _)| board.kd.get(k).graph == Some(GraphState::Faulted);
        self.owner.is_some_and(faulted) || self.is_deadlocked()
    }
}

/// The SMXs among those left to a kernel that have no obstacle for it.
fn takers<T: BoardTables>(board: &mut Board<T>, k: KernelSlot, left: &SmxSet) -> SmxSet {
    board.residency.follow(k, &board.kd.get(k).need);
    let doors = Doors::of(board);
    doors.allowed(k, left).and(doors.eligible).and(board.residency.room())
}
