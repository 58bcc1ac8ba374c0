//! Which node goes to which SMX next, LRR or LVL, and what the end of its TB sets in motion (`dats`, sections T and C).

use crate::base::id::next_of;
use crate::base::set::SmxSet;
use crate::base::table::Rows;
use crate::dats::answer::{GraphError, Report, Selection, Stall};
use crate::dats::buffer::{Buffer, Phase};
use crate::dats::config::LevelRef;
use crate::dats::graph::{GraphPolicy, Node, NodeId};
use crate::dats::slots::NodeSet;
use crate::dats::window::{LocalNode, NodeState};

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// Dispatches the next node to one of the SMXs that have room for it, or says why not (dats-T1 to T5). The hardware issues one TB per
    /// cycle, so a host calls this once per cycle.
    ///
    /// # Errors
    /// `GraphFault`, `NotLaunched`, `BadSmx`.
    #[inline]
    pub fn select(&mut self, fits: &SmxSet) -> Result<Selection, GraphError> {
        self.check_fault()?;
        if self.phase == Phase::Idle {
            return Err(GraphError::NotLaunched);
        }
        if let Some(smx) = fits.without(&self.rings.smxs).at_or_above(0) {
            return Err(GraphError::BadSmx { smx });
        }
        if self.phase == Phase::Finished {
            return Ok(Selection::Finished);
        }
        let vid = match self.candidate() {
            Ok(vid) => vid,
            Err(stall) => return Ok(Selection::Stall(stall)),
        };
        let Some(smx) = fits.first_from(self.next_smx, fits, &SmxSet::EMPTY) else {
            return Ok(Selection::Stall(Stall::NoSmx));
        };
        self.next_smx = next_of(smx, self.config.smxs);
        self.change(vid, self.slot(vid), NodeState::Ready, NodeState::Executing);
        let r = &mut self.regs;
        r.executing += 1;
        r.stats.dispatched += 1;
        if let Some((low, high)) = self.executing_levels() {
            self.regs.stats.max_level_range = self.regs.stats.max_level_range.max(u32::from(high - low));
        }
        Ok(Selection::Dispatch { kde: self.regs.kde, node: NodeId(vid as u16), smx })
    }

    /// The node that [`Buffer::select`] would dispatch to any SMX, while a graph runs (dats-T2, dats-T3).
    #[inline]
    pub(super) fn candidate(&self) -> Result<u32, Stall> {
        let or_deadlock = |stall| if self.regs.deadlock.is_some() { Stall::Deadlock } else { stall };
        let Some(first) = self.sets.first(NodeSet::Ready) else { return Err(or_deadlock(Stall::NoReady)) };
        let found = if self.may_run(first) { Some(first) } else { self.runnable_behind(first) };
        let Some(vid) = found else { return Err(or_deadlock(Stall::Head)) };
        if let GraphPolicy::Lvl { bound } = self.regs.graph.policy {
            let level = self.node(vid).level;
            let range = match self.config.level_ref {
                // Levels rise with VIDs, and none is lower than the tail's.
                LevelRef::Incomplete => level - self.node(self.regs.tail).level,
                LevelRef::Active => {
                    let (low, high) = self.executing_levels().unwrap_or((level, level));
                    high.max(level) - low.min(level)
                }
            };
            if range > bound {
                return Err(or_deadlock(Stall::LevelBound));
            }
        }
        Ok(vid)
    }

    /// The oldest ready node behind this one that may run.
    #[cold]
    fn runnable_behind(&self, vid: u32) -> Option<u32> {
        let next = |&vid: &u32| self.sets.behind(NodeSet::Ready, vid);
        core::iter::successors(next(&vid), next).find(|&vid| self.may_run(vid))
    }

    /// The head rule: whether the end of a ready node is known and, where that is asked for, its edges are on chip.
    #[inline(always)]
    fn may_run(&self, vid: u32) -> bool {
        let is_end_known = vid + 1 < self.regs.head || self.end_of(vid).is_some();
        is_end_known && (!self.config.issue_needs_edges || self.has_edges(vid) || self.is_oversize(vid))
    }

    /// The lowest and the highest level of the nodes that execute. Levels rise with VIDs.
    #[inline(always)]
    fn executing_levels(&self) -> Option<(u16, u16)> {
        let low = self.sets.first(NodeSet::Executing)?;
        let high = self.sets.last(NodeSet::Executing)?;
        Some((self.node(low).level, self.node(high).level))
    }

    /// The TB of a node has ended (dats-C1 to C3). It has left its SMX, whether or not the node can be finalised now (dats-H4).
    ///
    /// # Errors
    /// `GraphFault`, `NotLaunched`, `NotRunning`.
    #[inline]
    pub fn complete(&mut self, node: NodeId) -> Result<Report, GraphError> {
        self.check_fault()?;
        if self.phase != Phase::Running {
            return Err(GraphError::NotLaunched);
        }
        let vid = u32::from(node.0);
        let slot = self.slot(vid);
        if !self.is_resident(vid) || self.local_nodes[slot].state != NodeState::Executing {
            return Err(GraphError::NotRunning { node });
        }
        self.regs.executing -= 1;
        self.settle_end(vid, slot)
    }
}
