//! What takes time on an SMX: for figures, and for a chart.

use super::catalogue::NameId;

/// Something on an SMX that took time, for a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub smx: u32,
    pub what: What,
    pub from: u64,
    pub to: u64,
}

/// What took the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The SMX took no TBs.
    Diverted,
    /// The SMX was in the low P-state.
    Low,
    /// A TB ran in this slot.
    Tb { slot: u32, uid: u64, tb: u32, name: NameId, is_child: bool, ended: bool },
}

impl What {
    /// Whether both are drawn alike.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tb { name, is_child, .. }, Self::Tb { name: other, is_child: too, .. }) => {
                (name, is_child) == (other, too)
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}
