//! What the front end has the machine do, and why it may refuse to.

use std::sync::Arc;

use gpusched::Fault;
use gpusched::dats::{Admission, GraphError};
use gpusched::laperm::Stage;

use super::{FullPool, ParentId};
use crate::program::TbContext;

/// A TB to start.
#[derive(Clone, Debug)]
pub struct Placed {
    /// SM.
    pub sm: u16,
    /// TB slot.
    pub slot: u8,
    /// What the workload is told.
    pub context: TbContext,
    /// Program entry.
    pub pc: u64,
    /// The number of its unit, if a policy decides from outside.
    pub unit: u64,
    /// Whether a device thread launched it.
    pub child: bool,
    /// Whether it bypasses L1 (gate K).
    pub bypass: bool,
    /// Under LaPerm: where it waited.
    pub stage: Option<Stage>,
    /// It comes back from a suspension.
    pub restored: Option<ParentId>,
    /// The SMs of the TBs of its cluster, by rank; nothing if it is of none.
    pub cluster: Option<Arc<[u16]>>,
}

/// A warp whose launch call was taken; it goes on in cycle `at`.
#[derive(Clone, Copy, Debug)]
pub struct Resumed {
    /// SM.
    pub sm: u16,
    /// Warp slot.
    pub warp: u8,
    /// Cycle.
    pub at: u64,
}

/// What SMs have to do after a cycle's report. Used again and again.
#[derive(Debug, Default)]
pub struct Orders {
    /// Warps whose launch calls were taken.
    pub resumed: Vec<Resumed>,
    /// TBs at a synchronisation, by SM and slot, whose children have ended.
    pub synced: Vec<(u16, u8)>,
    /// TBs that were suspended.
    pub saved: Vec<(u16, u8, ParentId)>,
}

/// Why the front end cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A verb of `gpusched` refused a call.
    Call(Fault),
    /// A launch call that finds too few launch records, and does not wait for them.
    Pool(FullPool),
    /// A TB launches in a run of which it was said that none does.
    Launch {
        /// SM.
        sm: u16,
    },
    /// A TB synchronises that is not the only one of its kernel.
    Synchronise {
        /// SM.
        sm: u16,
        /// TBs of its kernel.
        tbs: u32,
    },
    /// The dependency-graph buffer cannot work with a graph.
    Graph(GraphError),
    /// A graph would deadlock the buffer in any schedule.
    Admission(Admission),
}

impl From<GraphError> for Refusal {
    fn from(error: GraphError) -> Self {
        Self::Graph(error)
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Call(fault)
    }
}
