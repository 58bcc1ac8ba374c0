//! Why a run ended early.

use gpusched::{Fault, Status};

use crate::front::Refusal;
use crate::sm::Wait;

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
    /// A TB synchronises with its children and is not alone in its kernel.
    #[error("cycle {cycle}: a TB on SM {sm} waits for its children, in a kernel of {tbs} TBs; only the only TB of a kernel may")]
    Synchronise {
        /// Cycle of the call.
        cycle: u64,
        /// SM.
        sm: u16,
        /// TBs of its kernel.
        tbs: u32,
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
    /// No progress.
    #[error("no progress since cycle {since}, now {cycle}; front end: {status:?}; {}", describe(waits))]
    Hang {
        /// When it was noticed.
        cycle: u64,
        /// Cycle of the last progress known.
        since: u64,
        /// What the front end waits for.
        status: Status,
        /// SM, warp slot, and what the warp waits for.
        waits: Vec<(u16, u32, Wait)>,
    },
    /// More TBs than [`RunOptions::log_tbs`](crate::gpu::RunOptions::log_tbs) takes.
    #[error("cycle {cycle}: more than {limit} TBs, which is all that the log takes")]
    TooManyTbs {
        /// Cycle of the dispatch.
        cycle: u64,
        /// TBs that it takes.
        limit: u32,
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
            Refusal::Synchronise { sm, tbs } => Self::Synchronise { cycle, sm, tbs },
        }
    }
}

fn describe(waits: &[(u16, u32, Wait)]) -> String {
    if waits.is_empty() {
        return "no warp is resident".into();
    }
    let some: Vec<_> = waits.iter().take(16).map(|(sm, warp, wait)| format!("SM {sm} warp {warp}: {wait:?}")).collect();
    let more = if waits.len() > 16 { format!(", and {} more", waits.len() - 16) } else { String::new() };
    format!("{}{more}", some.join(", "))
}
