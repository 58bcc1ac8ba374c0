//! What a policy keeps of a unit between two of its TBs.

use crate::base::id::id;
use crate::base::table::{Rows, Table};

id! {
    /// A unit's place ([`Offer::row`](crate::policy::seam::offer::Offer::row)).
    pub(super) UnitRow(u32)
}

/// A row of a unit. It is the unit's as long as it has its number; for any other unit it is fresh, so that a unit that the host withdrew
/// leaves nothing behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kept<R> {
    pub(super) unit: Option<u64>,
    pub(super) kept: R,
}

/// Rows of units.
pub(super) type Units<R, S> = Table<UnitRow, Kept<R>, S>;

impl<R: Copy + Default, S: Rows<Kept<R>>> Units<R, S> {
    /// What is kept of a unit, if anything is.
    pub(super) fn of(&self, row: u32, unit: u64) -> Option<R> {
        self.get(UnitRow(row)).filter(|row| row.unit == Some(unit)).map(|row| row.kept)
    }

    /// Keeps this of a unit, whoever had the row.
    pub(super) fn keep(&mut self, row: u32, unit: u64, kept: R) {
        if let Some(row) = self.get_mut(UnitRow(row)) {
            *row = Kept { unit: Some(unit), kept };
        }
    }

    /// Keeps nothing of a unit any more. Whether something was.
    pub(super) fn drop_unit(&mut self, row: u32, unit: u64) -> bool {
        let row = self.get_mut(UnitRow(row)).filter(|row| row.unit == Some(unit));
        row.map(|row| *row = Kept::default()).is_some()
    }
}

/// TBs of a unit that are under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flight {
    running: u32,
    /// Whether all have been sent.
    is_last: bool,
}

impl Flight {
    /// All were sent and have ended, so that nothing is kept any more.
    pub(super) const OVER: Self = Self { running: 0, is_last: true };

    /// A TB was sent, `left` of the unit before it.
    pub(super) fn send(&mut self, left: u32) {
        *self = Self { running: self.running.saturating_add(1), is_last: left <= 1 };
    }

    /// A TB has ended. Whether it was the last one of the unit.
    pub(super) fn end(&mut self) -> bool {
        self.running = self.running.saturating_sub(1);
        *self == Self::OVER
    }
}
