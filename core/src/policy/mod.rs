//! Which TB goes to which SMX next: at most one in a cycle, for the whole GPU (frontend-T4).
//!
//! A policy is a value beside the board ([`crate::launch`]): it looks at the kernels with work, at the room and at the gates, and sends
//! one TB or says why none. What stands between a kernel and an SMX is asked in one place, and what a TB that is sent changes is
//! written in one place, so no policy can send what does not fit. [`fcfs_rr`] is the baseline. LaPerm ([`laperm`]) keeps queues, by level
//! and by SMX: a machine that can be used alone, and, with the front end's room and gates around it, a policy ([`mod@line`]). Beside either
//! the dependency-graph buffer names the nodes of a graph ([`graph`]). A home may leave the last two out ([`crate::Linked`]).

pub mod catalogue;
pub(crate) mod doors;
pub mod fcfs_rr;
pub mod graph;
pub mod laperm;
pub mod line;
pub mod seam;

use crate::dats::Stall;
use crate::probe::TbPlacement;

/// What the scheduler did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Sched {
    /// It sent this TB.
    Tb(TbPlacement),
    /// No kernel has TBs to send; under LaPerm, no unit is visible.
    Idle,
    /// It waits for the information of a spilled group.
    Load,
    /// No SMX has room for the next TB.
    NoRoom,
    /// An SMX has room, but a gate other than K is closed there.
    Gated,
    /// No SMX takes the next TB, whose class has its share of some (gate K).
    Capped,
    /// LaPerm: the candidate for the visited SMX does not fit there.
    NoFit,
    /// LaPerm: there is visible work, but none for the visited SMX.
    NoCandidate,
    /// LaPerm: the visited SMX is not eligible, or gate X closes it.
    Masked,
    /// A dependency graph: every node of its window waits for parents, runs, or is done.
    GraphNoReady,
    /// A dependency graph: its ready nodes wait for their successor's entry or for edges (the head rule).
    GraphHead,
    /// A dependency graph: its ready node is too many levels ahead.
    GraphLevelBound,
    /// A dependency graph: its window can never move again.
    GraphDeadlock,
    /// A dependency graph: its memory contradicts itself.
    GraphFault,
    /// The host decides, and has sent nothing although it could.
    Told,
    /// An SMX could take one TB of the next cluster, but no GPC could take all of them.
    Frag,
    /// The context of the next TB has as many threads as its share allows.
    Quota,
}

impl Sched {
    /// The word for a dependency graph that has no node to send.
    pub(crate) const fn of_graph(stall: Stall) -> Self {
        match stall {
            Stall::NoReady => Self::GraphNoReady,
            Stall::Head => Self::GraphHead,
            Stall::LevelBound => Self::GraphLevelBound,
            Stall::Deadlock => Self::GraphDeadlock,
            Stall::NoSmx => Self::NoRoom,
        }
    }

    /// Whether it is one of the words for a dependency graph that has no node to send.
    #[must_use]
    pub const fn is_of_graph(&self) -> bool {
        use Sched::{GraphDeadlock, GraphFault, GraphHead, GraphLevelBound, GraphNoReady};
        matches!(self, GraphNoReady | GraphHead | GraphLevelBound | GraphDeadlock | GraphFault)
    }
}
