//! How far the TB scheduler got with a kernel that has TBs to send (dtbl-T4; SSCR and NextBL of the source).

use crate::base::cycle::Cycle;
use crate::base::id::RecordId;
use crate::launch::distributor::Kde;

/// Progress of the load of a spilled group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
