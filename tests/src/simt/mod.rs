//! What the tests of `simt` share: events, answers, visible state, plain models.

pub mod coalesce;
#[cfg(feature = "tools")]
pub mod program;
pub mod scoreboard;
pub mod stack;
pub mod steady;
