//! What holds of a policy between two calls.

use super::kept::{Flight, Kept, Units};
use super::lcs::MOST;
use super::steal::Range;
use super::tables::{PartId, PointerId, TableSizes, Tables};
use super::topology::{DomainId, GpcId, TpcId};
use super::{Catalogue, Policy};
use crate::base::id::Id;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;

impl<T: Tables> Catalogue<T> {
    /// What holds between any two calls: what is kept is in its range, only of what the policy has, and of units that have a row.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, rr, turn, fresh, x, .. } = self;
        let policy = config.policy;
        let may_search = u32::from(*rr) < if config.has_rr() { config.n_smx } else { 1 };
        invariant("the pointer names an SMX (catalogue-N2)", may_search)?;
        invariant("it is somebody's turn", u32::from(*turn) < config.turns())?;
        invariant("only a slot of streams waits for its quantum", *fresh || policy == Policy::FairStreams)?;
        invariant("only a random policy draws (catalogue-N4)", *x == 0 || policy == Policy::Random)?;
        self.validate_pointers()?;
        self.validate_units()?;
        self.validate_parts()?;
        let owners = self.owners.iter().filter_map(|(_, owner)| *owner);
        invariant("owners are slots of streams", owners.into_iter().all(|slot| u32::from(slot) < config.streams))?;
        let is_payable = |slot: usize, deficit: u32| deficit <= config.share(slot).saturating_mul(2);
        let mut deficits = self.deficits.iter();
        invariant(
            "a slot keeps two shares at most",
            deficits.all(|(slot, deficit)| is_payable(slot.index(), *deficit)),
        )?;
        let sizes = TableSizes::of(config);
        let ends = self.owners.ends_by(sizes.owners) && self.deficits.ends_by(sizes.deficits);
        invariant("rows behind the last one are empty", ends)
    }

    fn validate_pointers(&self) -> Result<(), Violation> {
        let (config, rows) = (&self.config, TableSizes::of(&self.config).pointers);
        let members = |at: usize| match config.policy {
            Policy::GpcFirst | Policy::TpcFirst => match at.checked_sub(config.groups() as usize) {
                None => config.tpcs_in(GpcId::from_index(at)).len(),
                Some(tpc) => config.in_tpc(TpcId::from_index(tpc)).len(),
            },
            _ => config.in_domain(DomainId::from_index(at)).len(),
        };
        let is_member = |(id, at): (PointerId, &u16)| u32::from(*at) < members(id.index());
        let all_are = self.pointers.iter().take(rows).all(is_member);
        invariant("pointers name members", all_are && self.pointers.ends_by(rows))
    }

    fn validate_units(&self) -> Result<(), Violation> {
        let (config, sizes) = (&self.config, TableSizes::of(&self.config));
        let is_possible = |flight: Flight| flight != Flight::OVER;
        units_are(&self.homes, sizes.homes, |home| u32::from(home) < config.n_smx)?;
        units_are(&self.rates, sizes.rates, |rate| {
            let samples = u32::from(rate.seen);
            let is_measured = if rate.limit == 0 { samples < config.samples } else { samples == config.samples };
            let is_empty = samples == 0 && (rate.issued, rate.all) != (0, 0);
            let in_range = u32::from(rate.limit) <= config.slots && rate.issued <= MOST && rate.all <= MOST;
            is_possible(rate.flight) && is_measured && in_range && !is_empty
        })?;
        units_are(&self.paces, sizes.paces, |pace| is_possible(pace.flight))?;
        units_are(&self.splits, sizes.splits, |()| true)
    }

    /// Only split units have parts, which are ranges.
    fn validate_parts(&self) -> Result<(), Violation> {
        let (domains, n_smx) = (self.config.domains(), self.config.n_smx);
        let sizes = TableSizes::of(&self.config);
        let is_split = |id: PartId, parts: u32| {
            let row = (id.index() as u32).checked_div(parts).unwrap_or(0);
            self.splits.get(Id::from_index(row as usize)).is_some_and(|row| row.unit.is_some())
        };
        let mut counts = self.counts.iter().take(sizes.counts);
        let mut ranges = self.ranges.iter().take(sizes.ranges);
        let holds = counts.all(|(id, count)| *count == 0 || is_split(id, domains))
            && ranges.all(|(id, range)| range.lo <= range.hi && (*range == Range::default() || is_split(id, n_smx)));
        let ends = self.counts.ends_by(sizes.counts) && self.ranges.ends_by(sizes.ranges);
        invariant("parts are of split units", holds && ends)
    }
}

/// Rows in use are in their ranges, the others empty.
fn units_are<R: Copy + Default + PartialEq, S: Rows<Kept<R>>>(
    units: &Units<R, S>,
    rows: usize,
    is_possible: impl Fn(R) -> bool,
) -> Result<(), Violation> {
    let holds = |row: &Kept<R>| if row.unit.is_some() { is_possible(row.kept) } else { *row == Kept::default() };
    let all_hold = units.iter().take(rows).all(|(_, row)| holds(row));
    invariant("what is kept of units is possible", all_hold && units.ends_by(rows))
}
