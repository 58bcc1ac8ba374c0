//! What can be seen of a policy, without changing it.

use super::config::CatalogueConfig;
use super::kept::UnitRow;
use super::tables::PointerId;
use super::{Catalogue, StreamSlot, Tables};
use crate::base::id::SmxId;
use crate::base::table::{Rows, Table};
use crate::policy::catalogue::Kept;

/// What a policy keeps of no unit, SMX or stream. What a policy does not have is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CatalogueState {
    /// Where the next search for an SMX begins (catalogue-N2).
    pub rr: SmxId,
    /// Whose turn it is: a domain's (order own), a GPC's (`gpc_first`), a slot's of streams (`fair_streams`, `spatial`).
    pub turn: u32,
    /// `fair_streams`: that slot has not been given its quantum.
    pub fresh: bool,
    /// `random`: the generator.
    pub x: u64,
}

/// What a policy keeps of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UnitView {
    /// The unit's number.
    pub unit: u64,
    /// `bcs`: the SMX of its block.
    pub home: Option<SmxId>,
    /// `lcs`: its TBs per SMX, once that is known.
    pub limit: Option<u32>,
    /// `srk`, metric time: the duration of its first TB that ended.
    pub duration: Option<u32>,
}

impl<T: Tables> Catalogue<T> {
    /// The configuration.
    #[must_use]
    pub const fn config(&self) -> &CatalogueConfig {
        &self.config
    }

    /// Whether the last `choose` would be answered by nothing again, and change nothing, until what it sees changes, or a TB ends. So cycles
    /// without an answer may be skipped from then on (catalogue-I4, catalogue-C8).
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        !self.moved
    }

    /// What is kept of no unit, SMX or stream.
    #[must_use]
    pub fn state(&self) -> CatalogueState {
        CatalogueState { rr: self.rr, turn: self.turn.into(), fresh: self.fresh, x: self.x }
    }

    /// A pointer, as a place among the SMXs of a domain or a TPC, or among the TPCs of a GPC, ascending. They are by domain, or by
    /// GPC and behind those by TPC. `None` if the policy has no such pointer.
    #[must_use]
    pub fn pointer(&self, index: u32) -> Option<u32> {
        let id = PointerId(u16::try_from(index).ok()?);
        self.pointers.get(id).map(|pointer| u32::from(*pointer))
    }

    /// `spatial`: the slot of streams that an SMX belongs to.
    #[must_use]
    pub fn owner(&self, smx: SmxId) -> Option<StreamSlot> {
        self.owner_of(smx)
    }

    /// `fair_streams`: what a slot of streams may still spend.
    #[must_use]
    pub fn deficit(&self, slot: StreamSlot) -> u32 {
        self.deficit_of(slot)
    }

    /// What is kept of the unit that has a row; `None` if nothing is.
    #[must_use]
    pub fn unit(&self, row: u32) -> Option<UnitView> {
        let row = UnitRow(row);
        let home =
            kept(&self.homes, row).map(|(unit, home)| UnitView { unit, home: Some(home), ..UnitView::default() });
        let limit = || {
            let (unit, rate) = kept(&self.rates, row)?;
            Some(UnitView { unit, limit: (rate.limit > 0).then_some(rate.limit.into()), ..UnitView::default() })
        };
        let duration = || {
            let (unit, pace) = kept(&self.paces, row)?;
            Some(UnitView { unit, duration: pace.duration, ..UnitView::default() })
        };
        let split = || kept(&self.splits, row).map(|(unit, ())| UnitView { unit, ..UnitView::default() });
        home.or_else(limit).or_else(duration).or_else(split)
    }
}

/// What is kept in a row, and of whom.
fn kept<R: Copy + Default, S: Rows<Kept<R>>>(units: &Table<UnitRow, Kept<R>, S>, row: UnitRow) -> Option<(u64, R)> {
    units.get(row).and_then(|row| Some((row.unit?, row.kept)))
}
