//! What holds of the dependency-graph buffer beside a policy between two calls.

use super::{GraphTables, Graphs};
use crate::base::id::KernelSlot;
use crate::base::invariant::{Violation, invariant};
use crate::dats::{GraphHeader, NodeState, Phase};
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{GraphState, Kde};
use crate::launch::hwq::CellId;

impl<T: GraphTables + BoardTables> Graphs<T> {
    /// frontend-I5: one graph at a time, whose kernel has the buffer; its resident TBs are the executing nodes.
    pub(crate) fn validate(&self, board: &Board<T>) -> Result<(), Violation> {
        let Self { dgb, owner, headers, consumers } = self;
        dgb.validate()?;
        let goes_with =
            |v: Option<u32>, header: &GraphHeader| v == Some(header.v) && header.check(dgb.config()).is_ok();
        let waiting = || board.hwqs.graph_cells();
        let go = waiting().all(|cell| goes_with(board.hwqs.tbs_at(cell, &board.config), &headers[cell]));
        invariant("a graph goes with the kernel that waits with it (frontend-F1)", go)?;
        let is_shared = |cell: CellId| {
            let second = consumers.get(cell).filter(|second| second.first > 0);
            second.is_none_or(|second| {
                second.splits(headers[cell].v) && second.need(board.hwqs.descriptor_at(cell), &board.config).is_ok()
            })
        };
        invariant("both kernels that share a graph were accepted (launch2-X1)", waiting().all(is_shared))?;
        let shows = |k: KernelSlot| {
            let is_owner = owner.is_some_and(|(owner, _)| owner == k);
            board.kd.shows(k, self.next_node().filter(|_| is_owner))
        };
        invariant("an entry shows the part of its candidate (launch2-X3)", board.kd.kernel_slots().all(shows))?;
        let mut open = board.kd.kernel_slots().filter(|&k| board.kd.get(k).is_graph_open());
        let (first, other) = (open.next(), open.next());
        let has_it = first == owner.map(|(k, _)| k) && other.is_none() && board.hwqs.is_dgb_taken() == owner.is_some();
        invariant("the kernel whose graph is open has the buffer (frontend-I5)", has_it)?;
        let Some((k, header)) = owner else {
            let is_free = matches!(dgb.phase(), Phase::Idle | Phase::Finished);
            return invariant("the buffer is free when nobody has it (frontend-I5)", is_free);
        };
        let kde = board.kd.get(*k);
        invariant("a graph goes with its kernel (frontend-F1)", goes_with(Some(kde.total), header))?;
        self.validate_owner(*k, kde, header, board)
    }

    /// What the kernel and the buffer know of the graph.
    fn validate_owner(
        &self,
        k: KernelSlot,
        kde: &Kde,
        header: &GraphHeader,
        board: &Board<T>,
    ) -> Result<(), Violation> {
        let (dgb, phase) = (&self.dgb, self.dgb.phase());
        let is_right = match kde.graph {
            Some(GraphState::Coming) => matches!(phase, Phase::Idle | Phase::Finished) && kde.kernel.next_native == 0,
            Some(GraphState::Running) => phase == Phase::Running,
            _ => matches!(phase, Phase::Faulted { .. }),
        };
        invariant("the buffer does what its kernel waits for (frontend-F3)", is_right)?;
        if kde.graph == Some(GraphState::Coming) {
            return Ok(());
        }
        let is_its = dgb.kde() == k && dgb.graph() == Some(header);
        invariant("the buffer runs its owner's graph (frontend-I5)", is_its)?;
        let sent = dgb.stats().dispatched == kde.kernel.next_native;
        invariant("nodes that were sent are counted (frontend-I3)", sent)?;
        // A faulted graph is not told of ends.
        let (is_running, executing) = (kde.graph == Some(GraphState::Running), dgb.state().executing);
        let as_many = if is_running { executing == kde.exe } else { executing >= kde.exe };
        invariant("as many nodes execute as TBs run (frontend-I5)", as_many)?;
        let nodes = || board.residency.tbs().filter(|tb| tb.kde == k).map(|tb| tb.blkid);
        let runs = |vid: u32| !is_running || dgb.node_state(vid) == Some(NodeState::Executing);
        let is_once = |vid: u32| nodes().filter(|&other| other == vid).count() == 1;
        let each = nodes().all(|vid| vid < header.v && is_once(vid) && runs(vid));
        invariant("each TB of a graph is another node, which executes (frontend-I5)", each)
    }
}
