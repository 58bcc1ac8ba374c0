//! What the tests of `apogee` share: its machines, its visible state.

pub mod invariants;
#[cfg(feature = "tools")]
pub mod model;
pub mod steady;

use gpusched::apogee::{
    Apogee, ApogeeConfig, LalScope, PrefetchState, Request, RowId, RowKind, Tables, Waiting, WarpId, WarpStates,
    apogee_image_config,
};
use gpusched::{Cycle, Fault};

use crate::through_c::apogee::ThroughC;

pub use crate::calls::apogee::hand::{Form, Load, LoadAnswer};
pub use crate::calls::apogee::{Answer, Event, Queries};
use crate::machine;
pub use crate::machine::Machine;
pub use gpusched_heap::apogee::{HeapTables, machine, tables};

/// What a call answers.
pub type Answered = Result<Answer, Fault>;

/// Everything that the sheet calls visible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub table: Vec<(RowId, RowView)>,
    pub lal: Vec<Option<u32>>,
    /// The prefetch queue.
    pub queue: Vec<Waiting>,
    pub unanswered: Option<Request>,
    pub n: u32,
    pub now: Cycle,
    /// When a request may be popped next.
    pub next_event: Option<Cycle>,
}

/// One row of a [`View`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct RowView {
    pub kind: RowKind,
    pub pc: u32,
    pub address: u64,
    pub confidence: u16,
    pub generation: u32,
    pub states: Vec<PrefetchState>,
}

impl View {
    /// What a machine shows.
    ///
    /// # Panics
    /// If it does not show a row or a warp that it has.
    #[must_use]
    pub fn of(m: &impl Queries) -> Self {
        let config = m.config();
        let warps = || (0..config.warps as u16).map(WarpId);
        let lals = if config.lal == LalScope::Warp { config.warps as usize } else { 1 };
        let row = |id| {
            let row = m.row_view(id).expect("a row");
            let states = WarpStates::from_bits(row.states_low, row.states_high);
            let view = RowView {
                kind: row.kind,
                pc: row.pc,
                address: row.address,
                confidence: row.confidence,
                generation: row.generation,
                states: warps().map(|warp| states.of(warp)).collect(),
            };
            (row.kind != RowKind::Free).then_some((id, view))
        };
        Self {
            table: (0..config.entries as u16).map(RowId).filter_map(row).collect(),
            lal: warps().take(lals).map(|warp| m.last_load(warp).expect("a warp").pc).collect(),
            queue: m.queue(),
            unanswered: m.unanswered(),
            n: m.threads(),
            now: m.now(),
            next_event: m.next_event(),
        }
    }
}

machine::in_rust! { Apogee<T>: Event => Answered, View = View::of; T: Tables }
machine::through_c! { ThroughC: Event => Answered, View = View::of }
machine::family! {
    /// Prefetchers.
    Apogees: ApogeeConfig, Event => Answer, View;
    Apogee<HeapTables> = machine, apogee_image_config; ThroughC; model::Model
}
