//! What the tests of `equalizer` share: the events, answers and visible state of its two machines.

pub mod invariants;
#[cfg(feature = "tools")]
pub mod model;
pub mod steady;

use gpusched::equalizer::{Block, Fm, FmConfig, FmState, Sm, SmConfig, SmState, fm_image_config, sm_image_config};
use gpusched::{BuildError, Cycle, Fault, SlotId, SmxId};

pub use crate::calls::equalizer_fm::{Answer as FmAnswer, Event as FmEvent, Queries as FmQueries};
pub use crate::calls::equalizer_sm::{Answer as SmAnswer, Event as SmEvent, Queries as SmQueries};
use crate::machine;
pub use crate::machine::Machine;
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

machine::in_rust! { Sm: SmEvent => Result<SmAnswer, Fault>, SmView = SmView::of }
machine::through_c! { equalizer_sm::ThroughC: SmEvent => Result<SmAnswer, Fault>, SmView = SmView::of }
machine::in_rust! { Fm: FmEvent => Result<FmAnswer, Fault>, FmState = Fm::state }
machine::through_c! { equalizer_fm::ThroughC: FmEvent => Result<FmAnswer, Fault>, FmState = FmQueries::state }
machine::family! {
    /// Equalizer's SMs.
    Sms: SmConfig, SmEvent => SmAnswer, SmView;
    Sm = |config| Sm::new(config).map_err(BuildError::Config), sm_image_config; equalizer_sm::ThroughC; model::Sm
}
machine::family! {
    /// Frequency managers.
    Fms: FmConfig, FmEvent => FmAnswer, FmState;
    Fm = |config| Fm::new(config).map_err(BuildError::Config), fm_image_config; equalizer_fm::ThroughC; model::Fm
}
