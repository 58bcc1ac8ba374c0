//! What is true of the DGB in every state, and of every event, while it runs a graph that `build` made (`dats`, Invariants): what only
//! who knows the graph can say. What is true whatever its graph is the buffer's own (`Buffer::validate`).

use super::memory::Memory;
use super::view::{Resident, View};
use super::{Answer, Event};
use gpusched::dats::{DgbConfig, GraphPolicy, NodeState, Phase, Request, Selection};

/// The graph that runs, as it was launched.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Run<'a> {
    pub config: &'a DgbConfig,
    pub graph: &'a Memory,
    pub policy: GraphPolicy,
}

fn holds(condition: bool, what: &str) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what.to_owned()) }
}

/// Nodes that are D, and which they are.
fn done(view: &View, node: usize) -> bool {
    let resident = view.resident.iter().find(|r| usize::from(r.node.0) == node);
    node < view.window.0 as usize || resident.is_some_and(|r| r.state == NodeState::Done)
}

fn level_range<'a>(executing: impl Iterator<Item = &'a Resident>) -> u16 {
    let levels = executing.map(|r| r.level).collect::<Vec<_>>();
    levels.iter().max().unwrap_or(&0) - levels.iter().min().unwrap_or(&0)
}

impl Run<'_> {
    /// Whether the buffer can know where a node's children end.
    fn end_known(&self, view: &View, node: usize) -> bool {
        let v = self.graph.nodes.len();
        self.graph.nodes[node].is_childless() || node + 1 == v || node + 1 < view.fetched as usize
    }

    /// Checks what can be seen in one state of the running or finished graph.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn check(&self, view: &View) -> Result<(), String> {
        let (c, g) = (self.config, self.graph);
        let (v, e) = (g.nodes.len() as u32, g.edges.len() as u32);
        let ((tail, _), (tail_edge, edge_head), updates) = (view.window, view.edges, &view.pending_updates);
        for r in &view.resident {
            let node = g.nodes[usize::from(r.node.0)];
            let les = (!node.is_childless()).then(|| node.start() % c.lea);
            holds(r.les == les && r.level == node.level(), "dats-Q2: a node is what memory said")?;
        }
        for (slot, child) in (0u32..).zip(&view.lea) {
            let live = (tail_edge..edge_head).find(|edge| edge % c.lea == slot);
            let expected = live.map(|edge| g.edges[edge as usize]);
            holds(*child == expected, "dats-Q2: edge e is in slot e mod lea, and no live slot is overwritten")?;
        }
        let resident = view.resident.iter().map(|r| (r.node, r.parents, Some(r.state)));
        for (node, parents, state) in resident.chain(view.nib.iter().map(|(node, parents)| (*node, *parents, None))) {
            let left = self.parents_left(view, node.0.into());
            let updates = updates.iter().filter(|u| **u == node).count();
            holds(usize::from(parents) == left + updates, "dats-Q4: parents that are not done")?;
            let waits = state.is_none_or(|state| (state == NodeState::Waiting) == (left > 0));
            holds(waits, "dats-Q4: a node waits if, and only if, a parent of it is not done")?;
        }
        if let GraphPolicy::Lvl { bound } = self.policy {
            let executing = view.resident.iter().filter(|r| r.state == NodeState::Executing);
            holds(level_range(executing) <= bound, "dats-Q8: the level bound")?;
        }
        if view.phase == Phase::Finished {
            holds(tail == v && edge_head == e && updates.is_empty() && view.nib.is_empty(), "dats-Q9: all is done")?;
            holds(view.stats.node_requests == v.div_ceil(c.chunk_nodes()), "dats-Q13: requests for nodes")?;
            holds(view.stats.dispatched == v, "dats-Q5: every node was dispatched")?;
        } else {
            holds(view.phase == Phase::Running && tail < v, "a good graph runs until it is finished")?;
        }
        Ok(())
    }

    /// Parents of a node whose edges to it have not been applied.
    fn parents_left(&self, view: &View, node: usize) -> usize {
        let applied = |parent: usize, edge: usize| {
            let spilled = view.spilling.is_some_and(|t| usize::from(t.0) == parent) && edge < view.edges.0 as usize;
            done(view, parent) || spilled
        };
        let edges = (0..node).flat_map(|parent| {
            let from = self.graph.start(parent)..self.graph.start(parent + 1);
            from.map(move |edge| (parent, edge))
        });
        edges
            .filter(|(_, edge)| usize::from(self.graph.edges[*edge].0) == node)
            .filter(|(p, e)| !applied(*p, *e))
            .count()
    }

    /// Checks what an event that was not refused did.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn check_event(&self, before: &View, event: &Event, answer: &Answer, after: &View) -> Result<(), String> {
        holds(before.deadlock.is_none() || before.deadlock == after.deadlock, "dats-Q11: a deadlock stays")?;
        let report = match answer {
            Answer::Report(report) => *report,
            Answer::Request(request) => return self.check_request(request.as_ref()),
            Answer::Selection(selection) => return self.check_selection(before, selection, after),
            Answer::Done | Answer::Abort(_) => return Ok(()),
        };
        let finalised = |view: &View| (0..self.graph.nodes.len()).filter(|i| done(view, *i)).count() as u32;
        holds(report.finalised == finalised(after) - finalised(before), "dats-Q9: the finalised nodes are reported")?;
        holds(report.inserted == after.window.1 - before.window.1, "the inserted nodes are reported")?;
        let (held, holds_now) = (before.pending_updates.len(), after.pending_updates.len());
        holds(
            held + report.pub_in as usize == holds_now + report.pub_out as usize,
            "what goes through the PUB is reported",
        )?;
        holds(report.finished == (after.phase == Phase::Finished), "the end is reported")?;
        if let Event::Complete { node } = event {
            let ran = before.resident.iter().any(|r| r.node == *node && r.state == NodeState::Executing);
            holds(ran, "dats-Q5: only what runs can end")?;
        }
        // dats-Q5: W, R, P, D: a node never goes back.
        for r in &before.resident {
            let now = after.resident.iter().find(|other| other.node == r.node);
            holds(now.is_none_or(|now| now.state as u8 >= r.state as u8), "dats-Q5: a node goes one way")?;
        }
        Ok(())
    }

    fn check_request(&self, request: Option<&Request>) -> Result<(), String> {
        let c = self.config;
        match request {
            Some(Request::Decrement { .. }) => holds(c.spill, "dats-Q12: nothing spills without leave"),
            Some(Request::Edges { first, count, .. }) => {
                let chunk = c.chunk_edges();
                holds(
                    *count > 0 && first / chunk == (first + count - 1) / chunk,
                    "dats-M2: a request is within a chunk",
                )
            }
            _ => Ok(()),
        }
    }

    fn check_selection(&self, before: &View, selection: &Selection, after: &View) -> Result<(), String> {
        let Selection::Dispatch { node, .. } = selection else {
            return holds(before == after, "a select that dispatches nothing changes nothing");
        };
        let edges_here = |r: &&Resident| {
            let n = usize::from(r.node.0);
            let end = self.graph.start(n + 1);
            let oversize = end - self.graph.start(n) > self.config.lea as usize;
            let resident = self.graph.nodes[n].is_childless() || end <= before.edges.1 as usize;
            !self.config.issue_needs_edges || resident || oversize
        };
        let ready = before.resident.iter().filter(|r| r.state == NodeState::Ready);
        let first = ready.filter(edges_here).find(|r| self.end_known(before, r.node.0.into()));
        holds(first.is_some_and(|r| r.node == *node), "dats-Q8: the oldest node that may")?;
        let is = |view: &View, state| view.resident.iter().any(|r| r.node == *node && r.state == state);
        holds(is(before, NodeState::Ready) && is(after, NodeState::Executing), "dats-Q5: R becomes P")?;
        for parent in 0..usize::from(node.0) {
            if self.graph.children(parent).any(|child| child == usize::from(node.0)) {
                let spills = before.spilling.is_some_and(|t| usize::from(t.0) == parent);
                holds(done(before, parent) || spills, "dats-Q5: the dependency promise")?;
            }
        }
        Ok(())
    }
}
