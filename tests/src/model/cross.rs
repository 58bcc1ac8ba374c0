//! The model's two kernels that share a dependency graph (launch2-X): which of them a TB is of is asked anew each time.

use gpusched::dats::{GraphError, Node, NodeFlaw, NodeId, Phase};
use gpusched::{Consumers, Descriptor, Fault, GraphState};

use super::{Model, Ref, Tb, tbs_of};
use crate::dats::Event;

/// The second kernel, and which TBs of both were sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cross {
    pub(super) consumers: Consumers,
    pub(super) sent: Vec<u32>,
}

impl Cross {
    pub(super) fn of(consumers: Consumers) -> Self {
        Self { consumers, sent: Vec::new() }
    }

    fn is_producer(&self, vid: u32) -> bool {
        vid < self.consumers.first
    }

    /// launch2-X4: whether TBs of this entry point are to be sent, of the kernel that `producers` describes or of the second one.
    pub(super) fn has_unsent_of(&self, producers: &Descriptor, pc: u64) -> bool {
        let pc_of = |vid| if self.is_producer(vid) { producers.pc } else { self.consumers.pc };
        (0..tbs_of(producers)).any(|vid| pc_of(vid) == pc && !self.sent.contains(&vid))
    }
}

/// The second kernel as if it were launched by itself.
pub(super) fn kernel_of(producers: &Descriptor, &Consumers { pc, tb, regs, smem, .. }: &Consumers) -> Descriptor {
    Descriptor { pc, tb, regs, smem, ..*producers }
}

impl Model {
    /// What is asked of a second kernel before all else.
    pub(super) fn check_consumers(&self, producers: &Descriptor, second: &Consumers, v: u32) -> Result<(), Fault> {
        if !self.config.cross {
            return Err(Fault::NoCross);
        }
        self.check(producers)?;
        self.check_tb(&kernel_of(producers, second))?;
        if second.first == 0 || second.first >= v { Err(Fault::BadParts) } else { Ok(()) }
    }

    /// The kernel of an entry's TB, of whatever it is a part.
    pub(super) fn kernel_of_tb(&self, k: usize, part: Ref, blkid: u32) -> Descriptor {
        let kernel = &self.kde(k).kernel;
        match &kernel.cross {
            Some(cross) if part == Ref::Node && !cross.is_producer(blkid) => {
                kernel_of(&kernel.descriptor, &cross.consumers)
            }
            _ => kernel.descriptor,
        }
    }

    pub(super) fn resident_kernel(&self, tb: &Tb) -> Descriptor {
        self.kernel_of_tb(tb.kde, tb.part, tb.blkid)
    }

    /// launch2-X3, launch2-X5: the kernel of the TB that an entry sends next.
    pub(super) fn next_kernel(&self, k: usize) -> Descriptor {
        let Some(cross) = &self.kde(k).kernel.cross else { return self.kde(k).kernel.descriptor };
        let runs = self.dgb_owner == Some(k) && self.kde(k).graph == Some(GraphState::Running);
        let candidate = if runs { self.next_node() } else { None };
        let producers_left = (0..cross.consumers.first).any(|vid| !cross.sent.contains(&vid));
        let without = if producers_left { 0 } else { cross.consumers.first };
        self.kernel_of_tb(k, Ref::Node, candidate.unwrap_or(without))
    }

    /// launch2-X2, behind what is wrong with an answer whatever is in it.
    pub(super) fn check_parts(&self, event: &Event) -> Result<(), GraphError> {
        let cross = self.dgb_owner.and_then(|k| self.kde(k).kernel.cross.as_ref());
        let (Some(cross), Some(dgb), Event::Nodes { entries, .. }) = (cross, &self.dgb, event) else { return Ok(()) };
        let is_answer = !matches!(dgb.clone().take(event), Err(GraphError::StaleTag | GraphError::BadLength));
        if matches!(dgb.view().phase, Phase::Faulted { .. }) || !is_answer {
            return Ok(());
        }
        let is_wrong = |vid: u32, node: Node| {
            if cross.is_producer(vid) { node.level() > 0 } else { !node.is_childless() }
        };
        let first = dgb.view().fetched;
        let wrong = (first..).zip(entries).find(|&(vid, &node)| is_wrong(vid, node));
        wrong.map_or(Ok(()), |(vid, _)| Err(GraphError::BadGraph { node: NodeId(vid as u16), what: NodeFlaw::Part }))
    }
}
