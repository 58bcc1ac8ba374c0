//! Which TB goes to which SMX next: at most one in a cycle, for the whole GPU (frontend-T4).
//!
//! A policy looks at the kernels with work ([`crate::launch::distributor`]), at the room ([`crate::residency`]) and at the gates
//! ([`crate::frontend::gates`]), and sends one TB or says why none. [`fcfs_rr`] is the baseline. [`laperm`] keeps queues, by
//! level and by SMX: a machine that can be used alone, and, with the front end's room and gates around it
//! ([`crate::frontend::laperm`]), a policy. A home may leave LaPerm out ([`crate::Linked`]).

pub mod fcfs_rr;
pub mod laperm;
mod send;

use crate::cycle::Cycle;
use crate::id::RecordId;
use crate::launch::distributor::Kde;

/// Progress of the load of a spilled group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub enum Load {
    /// Not asked for.
    #[default]
    NotAsked,
    /// Asked for; with `load_mode` fixed, here from this cycle on.
    Waiting(Cycle),
    /// Here.
    Here,
}

/// How far the SMX scheduler got with a marked kernel. That of the kernel at the FIFO's head is the SMX scheduler control
/// register (SSCR); the others exist only where a gate let the scheduler pass the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Cursor {
    /// AGEI: the group being sent; `None` for native TBs.
    pub group: Option<RecordId>,
    /// NextBL: the next TB of the group being sent. The next native TB is in the kernel's entry.
    pub next_bl: u32,
    /// Whether a spilled group's information is here.
    pub load: Load,
    /// Groups sent in this turn.
    pub turn: u32,
}

impl Cursor {
    /// Where a marked kernel starts: with its native TBs while its first bit is set, else with its first group.
    pub(crate) fn start(kde: &Kde) -> Self {
        match kde.chain {
            Some(chain) if !kde.mark.is_some_and(|m| m.first) => Self { group: Some(chain.next), ..Self::default() },
            _ => Self::default(),
        }
    }
}
