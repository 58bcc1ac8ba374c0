//! What the seam keeps for each unit: when it became visible, where it comes from, and, where units are free, its place in line.

#[cfg(feature = "image")]
mod image;

use crate::base::cycle::Cycle;
use crate::base::id::{HwqId, KernelSlot, PieceId, RecordId, SuspId, id};
use crate::base::invariant::{Violation, invariant};
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::launch::kmu::Candidate;
use crate::policy::seam::offer::UnitKey;

id! {
    /// A unit's row: that of an entry, of a launch record, or of a suspended kernel.
    pub(crate) UnitRow(u32)
}

/// What is kept for a unit, or for what becomes one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ToldUnit {
    /// When it became visible, and its number.
    pub(crate) key: UnitKey,
    /// The key of the unit whose TB launched it.
    pub(crate) parent: Option<UnitKey>,
    /// The hardware work queue of the host launch that it descends from.
    pub(crate) stream: HwqId,
    /// Free units: the next TB of a group, or of what a unit in pieces has kept under its own name.
    pub(crate) next: u32,
    /// If it is in pieces, what it has kept and what follows (policy-P15).
    pub(crate) cut: Option<Cut>,
    /// Whether nothing was sent of a group that is in pieces.
    pub(crate) waits: bool,
    line: Option<Links>,
}

impl ToldUnit {
    /// What the host launches.
    pub(crate) fn of_host(stream: HwqId) -> Self {
        Self { stream, ..Self::default() }
    }
}

/// Where a unit was split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Cut {
    /// Its own TBs end here: they are `next..hi`.
    pub(crate) hi: u32,
    /// The first piece behind them.
    pub(crate) first: Option<PieceId>,
}

/// A place in line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Links {
    before: Option<u32>,
    behind: Option<u32>,
}

/// Where a kernel that is issued comes from.
#[derive(Clone, Copy)]
pub(crate) enum Origin {
    /// A hardware work queue.
    Host(HwqId),
    /// What was launched on the device, or suspended.
    Row(UnitRow),
}

/// Rows that a configuration needs.
pub(crate) const fn rows(config: &Config) -> usize {
    config.n_kde as usize + config.pend_limit as usize + config.susp_cap as usize
}

/// All units. Free ones with TBs to send stand in line, by their keys: keys only grow, so a new one goes to the end (policy-P12).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Units<R> {
    rows: Table<UnitRow, ToldUnit, R>,
    /// Rows of entries, then of launch records, then of suspended kernels.
    n_kde: u32,
    pend_limit: u32,
    /// The number of the next unit.
    pub(crate) next_no: u64,
    head: Option<UnitRow>,
    tail: Option<UnitRow>,
}

impl<R: Rows<ToldUnit>> Units<R> {
    pub(crate) fn new(rows: R, config: &Config) -> Self {
        let Config { n_kde, pend_limit, .. } = *config;
        Self { rows: Table::new(rows), n_kde, pend_limit, next_no: 0, head: None, tail: None }
    }

    // ---- which row

    /// That of a kernel's native TBs, or of its graph.
    pub(crate) fn natives(&self, k: KernelSlot) -> UnitRow {
        UnitRow(k.0.into())
    }

    /// That of a launch record.
    pub(crate) fn group(&self, r: RecordId) -> UnitRow {
        UnitRow(self.n_kde.saturating_add(r.0))
    }

    /// That of what an entry sends: one of its groups, or its native TBs.
    pub(crate) fn of(&self, k: KernelSlot, group: Option<RecordId>) -> UnitRow {
        group.map_or(self.natives(k), |r| self.group(r))
    }

    /// That of a suspended kernel.
    pub(crate) fn suspended(&self, i: SuspId) -> UnitRow {
        UnitRow(self.n_kde + self.pend_limit + u32::from(i.0))
    }

    /// The launch record of a row, if it is one's.
    pub(crate) fn record(&self, row: UnitRow) -> Option<RecordId> {
        row.0.checked_sub(self.n_kde).map(RecordId)
    }

    pub(crate) fn get(&self, row: UnitRow) -> &ToldUnit {
        &self.rows[row]
    }

    pub(crate) fn get_mut(&mut self, row: UnitRow) -> &mut ToldUnit {
        &mut self.rows[row]
    }

    /// Whether it is in pieces.
    pub(crate) fn is_cut(&self, row: UnitRow) -> bool {
        self.get(row).cut.is_some()
    }

    /// All rows.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (UnitRow, &ToldUnit)> {
        self.rows.iter()
    }

    // ---- who comes from whom

    /// What a TB of `parent` launches.
    pub(crate) fn child_of(&self, parent: UnitRow) -> ToldUnit {
        let &ToldUnit { key, stream, .. } = self.get(parent);
        ToldUnit { parent: Some(key), stream, ..ToldUnit::default() }
    }

    /// Where what becomes a kernel in an entry comes from.
    /// `queue` is that of a kernel graph, if it is of one.
    pub(crate) fn origin(&self, candidate: Candidate, queue: Option<HwqId>) -> Origin {
        match candidate {
            Candidate::Hwq(queue) => Origin::Host(queue),
            Candidate::Node(_) => Origin::Host(queue.unwrap_or_default()),
            Candidate::Device(r) | Candidate::Kept(r) => Origin::Row(self.group(r)),
            Candidate::Suspended(i) => Origin::Row(self.suspended(i)),
        }
    }

    /// A launch becomes a kernel in an entry, a kernel is suspended, or comes back: what it is moves on, without its key.
    pub(crate) fn put(&mut self, row: UnitRow, unit: ToldUnit) {
        self.rows[row] = ToldUnit { parent: unit.parent, stream: unit.stream, ..ToldUnit::default() };
    }

    /// Takes out what was there.
    pub(crate) fn take(&mut self, row: UnitRow) -> ToldUnit {
        core::mem::take(&mut self.rows[row])
    }

    /// policy-P3: the unit is visible from now on. Its key says since when it could be sent, not when it was launched (policy-A1).
    pub(crate) fn see(&mut self, row: UnitRow, now: Cycle) {
        self.rows[row].key = UnitKey { ready: now, no: self.next_no };
        self.next_no = self.next_no.saturating_add(1);
    }

    // ---- the line of free units

    pub(crate) fn is_in_line(&self, row: UnitRow) -> bool {
        self.rows.get(row).is_some_and(|unit| unit.line.is_some())
    }

    /// Whether it stands in line with TBs under its own name, in no piece.
    pub(crate) fn has_own(&self, row: UnitRow) -> bool {
        let is_left = |unit: &ToldUnit| unit.line.is_some() && unit.cut.is_none_or(|cut| unit.next < cut.hi);
        self.rows.get(row).is_some_and(is_left)
    }

    /// The unit goes to the end of the line.
    pub(crate) fn push(&mut self, row: UnitRow) {
        let before = self.tail.replace(row);
        self.rows[row].line = Some(Links { before: before.map(u32::from), behind: None });
        match before {
            Some(before) => self.link(before).behind = Some(row.0),
            None => self.head = Some(row),
        }
    }

    /// The unit leaves the line.
    pub(crate) fn remove(&mut self, row: UnitRow) {
        let Some(Links { before, behind }) = self.rows[row].line.take() else { return };
        match before {
            Some(before) => self.link(UnitRow(before)).behind = behind,
            None => self.head = behind.map(UnitRow),
        }
        match behind {
            Some(behind) => self.link(UnitRow(behind)).before = before,
            None => self.tail = before.map(UnitRow),
        }
    }

    fn link(&mut self, row: UnitRow) -> &mut Links {
        self.rows[row].line.get_or_insert_default()
    }

    /// Counts the TB of a group that is sent: its index.
    pub(crate) fn count(&mut self, row: UnitRow) -> u32 {
        let unit = &mut self.rows[row];
        unit.next += 1;
        unit.next - 1
    }

    /// The first one in line.
    pub(crate) fn first(&self) -> Option<UnitRow> {
        self.head
    }

    /// The one behind one in line.
    pub(crate) fn behind(&self, row: UnitRow) -> Option<UnitRow> {
        // A forged line may lead anywhere.
        self.rows.get(row)?.line?.behind.map(UnitRow)
    }

    /// Those in line, in order.
    pub(crate) fn line(&self) -> impl Iterator<Item = UnitRow> {
        core::iter::successors(self.head, |&row| self.behind(row))
    }

    // ---- what holds between two calls

    /// The line is the rows that say so, keys ascending (policy-I3).
    pub(crate) fn validate(&self, config: &Config) -> Result<(), Violation> {
        let placed = self.rows.iter().filter(|(_, unit)| unit.line.is_some()).count();
        let walk = || self.line().take(placed + 1);
        let are_placed = walk().all(|row| self.is_in_line(row)) && walk().count() == placed;
        invariant("the line is the units that stand in it (policy-P12)", are_placed)?;
        let ascending = walk().map(|row| self.get(row).key.no).is_sorted_by(|a, b| a < b);
        invariant("units stand in line by their keys (policy-P12)", ascending)?;
        let before = |row: UnitRow| Some(self.get(row).line?.before.map(UnitRow));
        let is_behind =
            core::iter::once(None).chain(walk().map(Some)).zip(walk()).all(|(b, row)| before(row) == Some(b));
        invariant("each in line knows the one before (policy-P12)", is_behind && walk().last() == self.tail)?;
        let numbered = self.rows.iter().all(|(_, unit)| unit.key.no < self.next_no.max(1));
        invariant("a unit has a number that was given (policy-P3)", numbered)?;
        invariant("units have their rows alone", self.rows.ends_by(rows(config)))
    }
}
