//! Why a run ended early (refgpu-F3, refgpu-F4).

use crate::config::ConfigError;
use gpusched::Fault;
use gpusched::dats::{Admission, GraphError, NodeId};

use super::hang::Cause;
use crate::front::{FullPool, Refusal};

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The front end refused a call: a TB that fits no SM, an empty grid, ...
    #[error("cycle {cycle}: the front end refused a call: {fault}")]
    Refused {
        /// Cycle of the call.
        cycle: u64,
        /// Why.
        fault: Fault,
    },
    /// A TB launches, and [`RunOptions::launch`](super::RunOptions::launch) does not say what that does.
    #[error("cycle {cycle}: a TB on SM {sm} launches, and the options of the run do not say what that does")]
    Launch {
        /// Cycle of the call.
        cycle: u64,
        /// SM.
        sm: u16,
    },
    /// A TB synchronises with its children and is not alone in its kernel.
    #[error(
        "cycle {cycle}: a TB on SM {sm} waits for its children, in a kernel of {tbs} TBs; only the only TB of a kernel may"
    )]
    Synchronise {
        /// Cycle of the call.
        cycle: u64,
        /// SM.
        sm: u16,
        /// TBs of its kernel.
        tbs: u32,
    },
    /// The dependency-graph buffer cannot work with a kernel's graph.
    #[error("cycle {cycle}: the dependency graph of a kernel: {error}")]
    Graph {
        /// Cycle.
        cycle: u64,
        /// What is wrong.
        error: GraphError,
    },
    /// The graph of a kernel is certain to deadlock the dependency-graph buffer; it was not launched.
    #[error("cycle {cycle}: the dependency graph of a kernel {}; {ADVICE}", describe_admission(*admission))]
    Hopeless {
        /// Cycle of the launch.
        cycle: u64,
        /// What was found.
        admission: Admission,
    },
    /// The dependency graph can never go on.
    #[error(
        "cycle {cycle}: the dependency graph can never go on: node {} waits for room in the pending update buffer, and that \
         for the node; {ADVICE}",
        node.0
    )]
    GraphStuck {
        /// When it was noticed.
        cycle: u64,
        /// The oldest node that is not done.
        node: NodeId,
    },
    /// A TB fits by threads but not by warps.
    #[error(
        "cycle {cycle}: SM {sm} has {free} free warp slots for a TB of {threads} threads; make TBs multiples of 32"
    )]
    WarpSlots {
        /// Cycle of the dispatch.
        cycle: u64,
        /// SM.
        sm: u16,
        /// Free warp slots there.
        free: u32,
        /// Threads of the TB.
        threads: u32,
    },
    /// An address does not fit a line number.
    #[error("cycle {cycle}: an access beyond the address space of 2^32 lines")]
    Address {
        /// Cycle of the access.
        cycle: u64,
    },
    /// A launch call found the launch pool full, and `run.full_pool` has that fail, as CUDA does; or it can never be taken.
    #[error("cycle {cycle}: {pool}; {}", pool.advice(true))]
    PoolFull {
        /// Cycle of the call.
        cycle: u64,
        /// What was asked of the pool.
        pool: FullPool,
    },
    /// No progress.
    #[error("no progress since cycle {since}, now {cycle}: {cause}")]
    Hang {
        /// When it was noticed.
        cycle: u64,
        /// Cycle of the last progress known.
        since: u64,
        /// What everything waits for.
        cause: Cause,
    },
    /// More TBs than [`RunOptions::log_tbs`](crate::gpu::RunOptions::log_tbs) takes.
    #[error("cycle {cycle}: more than {limit} TBs, which is all that the log takes")]
    TooManyTbs {
        /// Cycle of the dispatch.
        cycle: u64,
        /// TBs that it takes.
        limit: u32,
    },
    /// The policy that shares SMs makes no sense for as many streams as the workload has.
    #[error("{error}")]
    Streams {
        /// What is wrong.
        error: ConfigError,
    },
    /// The policy that shares SMs between streams cannot be built.
    #[error("{error}")]
    Sharing {
        /// What is wrong.
        error: ConfigError,
    },
    /// A kernel has clusters of TBs, and the front end takes none.
    #[error("a kernel has clusters of {tbs} TBs: {why}")]
    Clusters {
        /// TBs of a cluster.
        tbs: u32,
        /// Why it takes none.
        why: String,
    },
    /// An access to the shared memory of a TB that the cluster does not have.
    #[error("cycle {cycle}: a TB on SM {sm} asks for the shared memory of a rank that its cluster does not have")]
    Rank {
        /// When.
        cycle: u64,
        /// Where.
        sm: u16,
    },
    /// The monitor ended the run.
    #[error("cancelled at cycle {cycle}")]
    Cancelled {
        /// Cycle.
        cycle: u64,
    },
}

impl RunError {
    pub(super) fn refused(cycle: u64, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Call(fault) => Self::Refused { cycle, fault },
            Refusal::Pool(pool) => Self::PoolFull { cycle, pool },
            Refusal::Launch { sm } => Self::Launch { cycle, sm },
            Refusal::Synchronise { sm, tbs } => Self::Synchronise { cycle, sm, tbs },
            Refusal::Graph(error) => Self::Graph { cycle, error },
            Refusal::Admission(admission) => Self::Hopeless { cycle, admission },
        }
    }
}

/// What helps against a buffer that is too small.
const ADVICE: &str = "set dats.spill = true, or a larger dats.lna, dats.lea or dats.pub";

fn describe_admission(admission: Admission) -> String {
    match admission {
        Admission::Safe | Admission::MayDeadlock { .. } => "is fine".into(),
        Admission::Deadlocks { node } => format!("deadlocks its buffer at node {} in any schedule", node.0),
        Admission::Oversize { node } => format!("has more edges at node {} than the local edge array", node.0),
    }
}
