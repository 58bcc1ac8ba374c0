//! What the tests of `apogee` share: its machines, its visible state.

pub mod invariants;
pub mod model;
pub mod steady;

use gpusched::apogee::{Apogee, LalScope, PrefetchState, Request, RowId, RowKind, Tables, Waiting, WarpId, WarpStates};
use gpusched::{Cycle, Fault};

use crate::through_c::apogee::ThroughC;

pub use crate::calls::apogee::hand::{Form, Load, LoadAnswer};
pub use crate::calls::apogee::{Answer, Event, Queries};
pub use gpusched_heap::apogee::{HeapTables, machine, tables};

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

/// A machine of the sheet: the core's, the C face of one, or the model.
pub trait Machine {
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    fn take(&mut self, event: &Event) -> Result<Answer, Fault>;
    /// All that can be seen.
    fn view(&self) -> View;
    /// When a request may be popped next.
    fn next_event(&self) -> Option<Cycle>;
    /// The state.
    fn mark(&self) -> Self::Mark;
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
        }
    }
}

impl<T: Tables> Machine for Apogee<T>
where
    Self: Clone + PartialEq,
{
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        event.apply(self)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn next_event(&self) -> Option<Cycle> {
        self.next_event()
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

impl Machine for ThroughC {
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.take(event)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn next_event(&self) -> Option<Cycle> {
        Queries::next_event(self)
    }

    fn mark(&self) -> Self::Mark {
        (View::of(self), self.image())
    }
}
