//! What the tests of `mascar` share: its events and answers, its visible state.

pub mod invariants;
pub mod model;
pub mod sm;
pub mod steady;

use gpusched::mascar::{Entry, Head, Lsu, Mascar, MascarConfig, Mode, Presented, Tables, WarpId, mascar_image_config};
use gpusched::{Cycle, Fault};

pub use gpusched_heap::mascar::{HeapTables, machine, tables};

pub use crate::calls::mascar::{Answer, Event, Queries};
use crate::machine;
pub use crate::machine::Machine;
use crate::through_c::mascar::ThroughC;

/// What a call answers.
pub type Answered = Result<Answer, Fault>;

/// Everything that can be seen of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub mode: Mode,
    pub flags: Vec<bool>,
    pub owner: Option<WarpId>,
    /// When the owner became it.
    pub acquired: Option<Cycle>,
    pub barred: Option<WarpId>,
    /// Bit w is warp w, in all masks.
    pub resident: u64,
    pub wst_mem: u64,
    pub wst_stall: u64,
    pub leftover: u64,
    pub last: Vec<Option<WarpId>>,
    pub lsu: LsuView,
    pub presented: Option<Presented>,
    pub rexq: Vec<Entry>,
    /// Heads of the resident warps, by number.
    pub heads: Vec<(WarpId, Head)>,
    /// The resident warps, oldest first.
    pub by_age: Vec<WarpId>,
    pub picked: Option<Cycle>,
    pub next_event: Option<Cycle>,
}

/// The LSU of a [`View`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct LsuView {
    pub state: LsuState,
    pub warp: Option<WarpId>,
    pub left: u8,
}

/// What the LSU does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum LsuState {
    Idle,
    Await,
    Busy,
    Blocked,
}

impl LsuView {
    /// No instruction.
    pub const IDLE: Self = Self { state: LsuState::Idle, warp: None, left: 0 };

    fn of(lsu: &Lsu) -> Self {
        let state = match lsu {
            Lsu::Idle => LsuState::Idle,
            Lsu::Await(_) => LsuState::Await,
            Lsu::Busy(_) => LsuState::Busy,
            Lsu::Blocked { .. } => LsuState::Blocked,
        };
        Self { state, warp: lsu.warp(), left: lsu.left() }
    }
}

/// The warps of a mask, lowest first.
pub fn warps(mask: u64) -> impl Iterator<Item = WarpId> {
    (0..64).filter(move |w| mask >> w & 1 == 1).map(WarpId)
}

impl View {
    /// What a machine shows.
    pub fn of<T: Tables>(machine: &Mascar<T>) -> Self {
        let config = machine.config();
        let head = |w| machine.head(w).map(|head| (w, head));
        Self {
            mode: machine.mode(),
            flags: (0..config.sources.caches().len()).map(|s| machine.flags() >> s & 1 == 1).collect(),
            owner: machine.owner(),
            acquired: machine.acquired(),
            barred: machine.barred(),
            resident: machine.resident(),
            wst_mem: machine.wst_mem(),
            wst_stall: machine.wst_stall(),
            leftover: machine.leftover(),
            last: (0..config.schedulers as usize).map(|s| machine.last(s)).collect(),
            lsu: LsuView::of(machine.lsu()),
            presented: machine.presented(),
            rexq: machine.rexq().copied().collect(),
            heads: (0..64).map(WarpId).filter_map(head).collect(),
            by_age: machine.by_age().collect(),
            picked: machine.picked(),
            next_event: machine.next_event(),
        }
    }
}

machine::in_rust! { Mascar<T>: Event => Answered, View = View::of; T: Tables }
machine::family! {
    /// Mascar's machines.
    Mascars: MascarConfig, Event => Answer, View;
    Mascar<HeapTables> = machine, mascar_image_config; ThroughC; model::Model
}
