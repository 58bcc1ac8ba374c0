//! What the tests of `equalizer` share: the events, answers and visible state of its two machines.

pub mod invariants;
pub mod model;
pub mod steady;

use std::fmt::Debug;

use gpusched::equalizer::{Block, Fm, FmState, Sm, SmState};
use gpusched::{Cycle, Fault, SlotId, SmxId};

pub use crate::calls::equalizer_fm::{Answer as FmAnswer, Event as FmEvent, Queries as FmQueries};
pub use crate::calls::equalizer_sm::{Answer as SmAnswer, Event as SmEvent, Queries as SmQueries};
use crate::through_c::{equalizer_fm, equalizer_sm};

/// The sheet's visible state of an `Sm`; that of an `Fm` is [`FmState`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct SmView {
    pub next_sample: Cycle,
    pub state: SmState,
    /// One per slot.
    pub slots: Vec<Option<Block>>,
}

impl SmView {
    /// What an `Sm` shows.
    pub fn of(sm: &impl SmQueries) -> Self {
        let slots = (0..sm.config().max_blocks).map(|s| sm.block(slot(s))).collect();
        Self { next_sample: sm.next_sample(), state: sm.state(), slots }
    }
}

/// A machine of the sheet: the core's, the C face of one, or the model.
pub trait Machine {
    /// What happens to it.
    type Event: Clone + Debug;
    /// What it answers.
    type Answer: PartialEq + Debug;
    /// What can be seen of it.
    type View: PartialEq + Debug;
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    fn take(&mut self, event: &Self::Event) -> Result<Self::Answer, Fault>;
    /// All that can be seen.
    fn view(&self) -> Self::View;
    /// The state.
    fn mark(&self) -> Self::Mark;
}

/// A slot number; one that is too large for its type is beyond every range, too.
#[must_use]
pub fn slot(number: u32) -> SlotId {
    SlotId(u8::try_from(number).unwrap_or(u8::MAX))
}

/// An SM number, as [`slot`].
#[must_use]
pub fn smx(number: u32) -> SmxId {
    SmxId(u16::try_from(number).unwrap_or(u16::MAX))
}

impl Machine for Sm {
    type Event = SmEvent;
    type Answer = SmAnswer;
    type View = SmView;
    type Mark = Self;

    fn take(&mut self, event: &SmEvent) -> Result<SmAnswer, Fault> {
        event.apply(self)
    }

    fn view(&self) -> SmView {
        SmView::of(self)
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

impl Machine for equalizer_sm::ThroughC {
    type Event = SmEvent;
    type Answer = SmAnswer;
    type View = SmView;
    /// What is seen and what is saved.
    type Mark = (SmView, Vec<u8>);

    fn take(&mut self, event: &SmEvent) -> Result<SmAnswer, Fault> {
        Self::take(self, event)
    }

    fn view(&self) -> SmView {
        SmView::of(self)
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

impl Machine for Fm {
    type Event = FmEvent;
    type Answer = FmAnswer;
    type View = FmState;
    type Mark = Self;

    fn take(&mut self, event: &FmEvent) -> Result<FmAnswer, Fault> {
        event.apply(self)
    }

    fn view(&self) -> FmState {
        self.state()
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

impl Machine for equalizer_fm::ThroughC {
    type Event = FmEvent;
    type Answer = FmAnswer;
    type View = FmState;
    /// What is seen and what is saved.
    type Mark = (FmState, Vec<u8>);

    fn take(&mut self, event: &FmEvent) -> Result<FmAnswer, Fault> {
        Self::take(self, event)
    }

    fn view(&self) -> FmState {
        self.state()
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}
