//! What the tests of `mascar` share: its events and answers, its visible state.

pub mod invariants;
#[cfg(feature = "tools")]
pub mod model;
#[cfg(feature = "tools")]
pub mod sm;
pub mod steady;

pub use gpusched::mascar::LsuState;
use gpusched::mascar::{
    Entry, Head, Mascar, MascarConfig, Mode, Presented, Tables, WarpId, WarpView, mascar_image_config,
};
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

impl LsuView {
    /// No instruction.
    pub const IDLE: Self = Self { state: LsuState::Idle, warp: None, left: 0 };
}

/// The warps of a mask, lowest first.
pub fn warps(mask: u64) -> impl Iterator<Item = WarpId> {
    (0..64).filter(move |w| mask >> w & 1 == 1).map(WarpId)
}

impl View {
    /// What a machine shows.
    ///
    /// # Panics
    /// If two queries contradict one another.
    pub fn of(machine: &impl Queries) -> Self {
        let (config, state) = (machine.config(), machine.state());
        let rexq: Vec<_> = (0..).map_while(|i| machine.rexq_at(i)).collect();
        assert_eq!(rexq.len(), state.rexq as usize);
        let head = |w: WarpId| {
            let WarpView { kind, ready, dep_load, has_requests } = machine.warp(w).expect("it is resident");
            assert_eq!(has_requests, rexq.iter().any(|entry| entry.warp == w) || state.lsu_warp == Some(w));
            (w, Head { kind, ready, dep_load })
        };
        Self {
            mode: state.mode,
            flags: (0..config.sources.caches().len()).map(|s| state.flags >> s & 1 == 1).collect(),
            owner: state.owner,
            acquired: state.acquired,
            barred: state.barred,
            resident: state.resident,
            wst_mem: state.wst_mem,
            wst_stall: state.wst_stall,
            leftover: state.leftover,
            last: state.last[..config.schedulers as usize].to_vec(),
            lsu: LsuView { state: state.lsu, warp: state.lsu_warp, left: state.lsu_left },
            presented: state.presented,
            heads: warps(state.resident).map(head).collect(),
            rexq,
            by_age: machine.by_age(),
            picked: state.picked,
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
