//! Where work waits: a queue per unit, sorted by level; queue 0 for host kernels; and behind both the lists in memory
//! (laperm-R3 to R6 and laperm-R9).
//!
//! The lists in memory are overflow lists in the DTBL model and pending lists in the CDP model. An entry that moves between chip
//! and memory is linked elsewhere and stays where it is. A bit per section, and a bit per unit, say where there is something,
//! so no step depends on how much there is.
//!
//! The queues know neither SMXs nor room: who sends what where is [`super::visit`], and what an entry is about is its owner's
//! affair.

mod validate;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::free_map::FreeMap;
use crate::base::id::{ClassId, Id, UnitId, id};
use crate::base::set::{ClassSet, IdSet};
use crate::base::table::{Rows, Table};
use crate::policy::laperm::config::{Config, RefillMode, Spill};
use crate::policy::laperm::leaders::Leaders;
use crate::policy::laperm::list::{Entry, EntryId, List};
use crate::policy::laperm::visit::Heads;

id! {
    /// A section: unit by unit, level by level; the last one is that of host kernels.
    pub(crate) SectionId(u32)
}

/// The entries of one unit and level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Section {
    on_chip: List,
    off_chip: List,
    /// Of those on chip, if there are classes.
    leaders: Leaders,
}

/// What a unit has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnitQueue {
    /// Entries on chip.
    len: u32,
    /// Bit p - 1: section p has entries on chip.
    on_chip: u32,
    /// Bit p - 1: section p has entries in memory.
    off_chip: u32,
}

/// The highest section among those whose bits are set.
const fn highest(sections: u32) -> u8 {
    (u32::BITS - sections.leading_zeros()) as u8
}

/// The sections whose bits are set, the highest first.
fn highest_first(mut sections: u32) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let section = highest(sections);
        sections &= !(1 << section.checked_sub(1)?);
        Some(section)
    })
}

/// Where a new entry was put.
pub(crate) enum Put {
    /// Into its unit's queue, behind `pos` others.
    OnChip {
        pos: u32,
        ready_at: Cycle,
        /// The entry that went to memory instead.
        evicted: Option<EntryId>,
    },
    /// Behind its list in memory.
    OffChip,
}

/// All queues.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Queues<W, E, M, S, U> {
    entries: Table<EntryId, Entry<W>, E>,
    free: FreeMap<EntryId, M>,
    sections: Table<SectionId, Section, S>,
    units: Table<UnitId, UnitQueue, U>,
    n_units: u32,
    n_sections: u32,
    /// Whether entries may have a class.
    has_classes: bool,
    pool_free: u32,
    /// Entries that were asked for and are not here.
    loading: u32,
    /// Units with entries on chip.
    on_chip: IdSet<UnitId>,
    /// Units with entries in memory.
    off_chip: IdSet<UnitId>,
}

/// Entries that a machine can hold at most.
pub(crate) const fn capacity(config: &Config) -> u32 {
    use crate::policy::laperm::config::Model;
    let on_chip = match config.model {
        Model::Dtbl => config.units() * config.unit_cap() + config.queue0_cap(),
        // Each kernel on chip has an entry of the kernel distributor.
        Model::Cdp => config.kdu_entries,
    };
    on_chip + config.pool_cap
}

/// Sections of a machine, with that of host kernels.
pub(crate) const fn sections(config: &Config) -> u32 {
    config.units() * config.sections() + 1
}

impl<W, E, M, S, U> Queues<W, E, M, S, U>
where
    W: Copy + Default,
    E: Rows<Entry<W>>,
    M: Rows<u64>,
    S: Rows<Section>,
    U: Rows<UnitQueue>,
{
    /// Queues with room for `capacity` entries, wherever they wait.
    pub(crate) fn new(entries: E, map: M, sections: S, units: U, config: &Config, capacity: u32) -> Self {
        Self {
            entries: Table::new(entries),
            free: FreeMap::new(map, capacity),
            sections: Table::new(sections),
            units: Table::new(units),
            n_units: config.units(),
            n_sections: config.sections(),
            has_classes: false,
            pool_free: config.pool_cap,
            loading: 0,
            on_chip: IdSet::EMPTY,
            off_chip: IdSet::EMPTY,
        }
    }

    pub(crate) fn get(&self, e: EntryId) -> &Entry<W> {
        &self.entries[e]
    }

    pub(crate) fn work_mut(&mut self, e: EntryId) -> &mut W {
        &mut self.entries[e].work
    }

    /// Free places in memory.
    pub(crate) const fn pool_free(&self) -> u32 {
        self.pool_free
    }

    fn section(&self, unit: Option<UnitId>, section: u8) -> SectionId {
        SectionId(match unit {
            Some(unit) => u32::from(unit.0) * self.n_sections + u32::from(section) - 1,
            None => self.n_units * self.n_sections,
        })
    }

    /// laperm-R3: a host kernel joins queue 0. Its entry, and how many are before it.
    pub(crate) fn push_queue0(
        &mut self,
        entry: Entry<W>,
        now: Cycle,
        config: &Config,
    ) -> Result<(EntryId, u32), Fault> {
        let pos = self.sections[self.section(None, 0)].on_chip.len;
        if pos >= config.queue0_cap() {
            return Err(Fault::Queue0Full);
        }
        let e = self.store(entry);
        self.enter(e, now);
        Ok((e, pos))
    }

    /// laperm-R4: an entry of a unit goes behind those of its section and above, or to memory.
    pub(crate) fn push(
        &mut self,
        unit: UnitId,
        entry: Entry<W>,
        now: Cycle,
        config: &Config,
    ) -> Result<(EntryId, Put), Fault> {
        let mut evicted = None;
        let queue = self.units[unit];
        if queue.len >= config.unit_cap() {
            if self.pool_free == 0 {
                return Err(Fault::PoolFull);
            }
            let lowest = queue.on_chip.trailing_zeros() as u8 + 1;
            if config.spill == Spill::New || entry.section <= lowest {
                let e = self.store(entry);
                self.put_off(e, false);
                return Ok((e, Put::OffChip));
            }
            evicted = self.sections[self.section(Some(unit), lowest)].on_chip.tail();
            if let Some(last) = evicted {
                self.leave(last);
                self.put_off(last, true);
            }
        }
        let pos = self.at_or_above(unit, entry.section);
        let ready_at = if config.charge_insert { now.after(u64::from(pos) + 1) } else { now };
        let e = self.store(entry);
        self.enter(e, ready_at);
        Ok((e, Put::OnChip { pos, ready_at, evicted }))
    }

    /// laperm-R5: an entry waits in memory until [`Queues::bring`].
    pub(crate) fn pend(&mut self, entry: Entry<W>) -> Result<(), Fault> {
        if self.pool_free == 0 {
            return Err(Fault::PoolFull);
        }
        let e = self.store(entry);
        self.put_off(e, false);
        Ok(())
    }

    /// laperm-R9: the number of the entry's next TB, which is sent now, and whether it is the last.
    #[inline]
    pub(crate) fn send(&mut self, e: EntryId) -> (u32, bool) {
        let entry = &mut self.entries[e];
        entry.next += 1;
        (entry.next - 1, entry.next >= entry.tbs)
    }

    /// An entry is forgotten: its last TB was sent (laperm-R9), or its owner takes it back.
    pub(crate) fn remove(&mut self, e: EntryId) {
        if self.entries[e].is_on_chip {
            self.leave(e);
        } else {
            self.leave_memory(e);
        }
        self.entries[e] = Entry::default();
        self.free.give(e);
    }

    /// The entry in memory that is next for a unit's queue, or for queue 0.
    pub(crate) fn next_off_chip(&self, unit: Option<UnitId>) -> Option<EntryId> {
        let section = unit.map_or(0, |unit| highest(self.units[unit].off_chip));
        if unit.is_some() && section == 0 {
            return None;
        }
        self.sections[self.section(unit, section)].off_chip.head
    }

    /// Units with entries in memory.
    #[must_use]
    pub(crate) const fn units_off_chip(&self) -> IdSet<UnitId> {
        self.off_chip
    }

    /// laperm-R9: a place of a unit's queue has become free; the entry in memory that takes it, if there is one.
    pub(crate) fn refill(
        &mut self,
        unit: UnitId,
        now: Cycle,
        config: &Config,
        class_of: impl Fn(&W) -> Option<ClassId>,
    ) -> Option<EntryId> {
        let e = self.next_off_chip(Some(unit))?;
        let class = class_of(&self.entries[e].work);
        match config.refill_mode {
            RefillMode::Fixed => self.bring(e, now.after(config.refill_cycles.into()), class),
            RefillMode::External => {
                self.bring(e, now, class);
                self.set_loading(e, true);
            }
        }
        Some(e)
    }

    /// laperm-R14: the first of the entries that are being loaded and are what is meant.
    pub(crate) fn find_loading(&self, is_meant: impl Fn(&W) -> bool) -> Option<EntryId> {
        // Mostly there is none; what is on chip bounds the search otherwise.
        let places = self.on_chip.iter().take(if self.loading > 0 { usize::MAX } else { 0 });
        let on_chip = places.flat_map(|unit| self.on_chip(Some(unit)));
        on_chip.filter(|(_, entry)| entry.is_loading && is_meant(&entry.work)).map(|(e, _)| e).next()
    }

    /// laperm-R14: an entry that was being loaded is here.
    pub(crate) fn loaded(&mut self, e: EntryId, now: Cycle) {
        self.entries[e].ready_at = now;
        self.set_loading(e, false);
    }

    /// Whether an entry was asked for and is not here.
    pub(crate) const fn any_loading(&self) -> bool {
        self.loading > 0
    }

    fn set_loading(&mut self, e: EntryId, is_loading: bool) {
        let entry = &mut self.entries[e];
        self.loading = self.loading + u32::from(is_loading) - u32::from(entry.is_loading);
        entry.is_loading = is_loading;
    }

    /// Moves an entry from memory onto the chip, behind its section.
    pub(crate) fn bring(&mut self, e: EntryId, ready_at: Cycle, class: Option<ClassId>) {
        self.leave_memory(e);
        self.entries[e].class = class;
        self.enter(e, ready_at);
    }

    /// Takes an entry out of its list in memory.
    fn leave_memory(&mut self, e: EntryId) {
        let Entry { unit, section, .. } = self.entries[e];
        let id = self.section(unit, section);
        let list = &mut self.sections[id].off_chip;
        list.remove(&mut self.entries, e);
        if let Some(unit) = unit
            && list.len == 0
        {
            let queue = &mut self.units[unit];
            queue.off_chip &= !(1 << (section - 1));
            self.off_chip.set(unit, queue.off_chip != 0);
        }
        self.pool_free += 1;
    }

    /// A row for a new entry. There is one: the rows are as many as all queues and the pool hold together.
    fn store(&mut self, entry: Entry<W>) -> EntryId {
        let e = self.free.take();
        self.entries[e] = entry;
        e
    }

    /// Puts an entry that was read back into its row and behind its list, if both are there and have room.
    #[cfg(feature = "image")]
    pub(crate) fn put_back(&mut self, e: EntryId, entry: Entry<W>, on_chip: bool) -> bool {
        let section = u32::from(entry.section);
        let is_place = entry.unit.map_or(section == 0, |_| (1..=self.n_sections).contains(&section));
        if !is_place || !self.free.is_free(e) || (!on_chip && self.pool_free == 0) {
            return false;
        }
        self.free.claim(e);
        let ready_at = entry.ready_at;
        self.loading += u32::from(entry.is_loading);
        self.entries[e] = entry;
        if on_chip {
            self.enter(e, ready_at);
        } else {
            self.put_off(e, false);
        }
        true
    }

    /// Puts an entry behind its section on chip.
    #[inline]
    fn enter(&mut self, e: EntryId, ready_at: Cycle) {
        let entry = &mut self.entries[e];
        entry.ready_at = ready_at;
        entry.is_on_chip = true;
        let Entry { unit, section, .. } = *entry;
        let id = self.section(unit, section);
        let section_of = &mut self.sections[id];
        section_of.on_chip.push_back(&mut self.entries, e);
        if self.has_classes {
            section_of.leaders.enter(&self.entries, e);
        }
        if let Some(unit) = unit {
            let queue = &mut self.units[unit];
            queue.len += 1;
            queue.on_chip |= 1 << (section - 1);
            self.on_chip.set(unit, true);
        }
    }

    /// Takes an entry off the chip. One that is being loaded is no longer waited for.
    #[inline]
    fn leave(&mut self, e: EntryId) {
        let Entry { unit, section, is_loading, .. } = self.entries[e];
        if is_loading {
            self.set_loading(e, false);
        }
        let id = self.section(unit, section);
        let Section { on_chip: list, leaders, .. } = &mut self.sections[id];
        if self.has_classes {
            leaders.leave(&self.entries, e);
        }
        list.remove(&mut self.entries, e);
        if let Some(unit) = unit {
            let queue = &mut self.units[unit];
            queue.len -= 1;
            if list.len == 0 {
                queue.on_chip &= !(1 << (section - 1));
                self.on_chip.set(unit, queue.on_chip != 0);
            }
        }
    }

    /// Puts an entry into its list in memory, where neither cycle nor class is kept for it.
    fn put_off(&mut self, e: EntryId, first: bool) {
        let entry = &mut self.entries[e];
        entry.ready_at = Cycle::ZERO;
        entry.class = None;
        entry.is_on_chip = false;
        let Entry { unit, section, .. } = *entry;
        let id = self.section(unit, section);
        let list = &mut self.sections[id].off_chip;
        if first {
            list.push_front(&mut self.entries, e);
        } else {
            list.push_back(&mut self.entries, e);
        }
        if let Some(unit) = unit {
            self.units[unit].off_chip |= 1 << (section - 1);
            self.off_chip.set(unit, true);
        }
        self.pool_free -= 1;
    }

    /// Entries on chip of `section` and above.
    fn at_or_above(&self, unit: UnitId, section: u8) -> u32 {
        let above = highest_first(self.units[unit].on_chip).take_while(|p| *p >= section);
        above.map(|p| self.sections[self.section(Some(unit), p)].on_chip.len).sum()
    }

    /// The sections of a unit, highest first; that of host kernels for `None`.
    fn sections_of(&self, unit: Option<UnitId>) -> impl Iterator<Item = &Section> {
        let levels = if unit.is_some() { 1..=self.n_sections as u8 } else { 0..=0 };
        levels.rev().map(move |p| &self.sections[self.section(unit, p)])
    }

    /// Entries on chip of a unit, or those of queue 0, in order.
    pub(crate) fn on_chip(&self, unit: Option<UnitId>) -> impl Iterator<Item = (EntryId, &Entry<W>)> {
        self.sections_of(unit).flat_map(|s| s.on_chip.iter(&self.entries))
    }

    /// Entries in memory of a unit, or those of host kernels, in order.
    pub(crate) fn off_chip(&self, unit: Option<UnitId>) -> impl Iterator<Item = (EntryId, &Entry<W>)> {
        self.sections_of(unit).flat_map(|s| s.off_chip.iter(&self.entries))
    }

    /// All entries of a place, on chip and in memory.
    pub(crate) fn waiting(&self, unit: Option<UnitId>) -> impl Iterator<Item = (EntryId, &Entry<W>)> {
        self.on_chip(unit).chain(self.off_chip(unit))
    }

    /// Whether an entry waits that visits see.
    pub(crate) fn any_visible(&self, now: Cycle) -> bool {
        self.candidates_from(UnitId(0), now).next().is_some()
    }

    /// Every place where work waits, queue 0 last.
    pub(crate) fn places(&self) -> impl Iterator<Item = Option<UnitId>> + use<W, E, M, S, U> {
        (0..self.n_units as usize).map(UnitId::from_index).map(Some).chain([None])
    }

    /// When the first of the entries that are looked at becomes visible.
    pub(crate) fn first_ready(&self) -> Option<Cycle> {
        self.readiness().min()
    }

    /// When the next one of those on chip is loaded, from this cycle on, wherever it stands.
    pub(crate) fn next_ready(&self, from: Cycle, config: &Config) -> Option<Cycle> {
        if !config.charge_insert && config.refill_cycles == 0 {
            // Each is visible where it is queued.
            return None;
        }
        let on_chip = self.places().flat_map(|unit| self.on_chip(unit));
        let ready = on_chip.filter(|(_, e)| !e.is_loading).map(|(_, e)| e.ready_at);
        ready.filter(|&ready| ready >= from).min()
    }

    /// When the entries that are looked at are visible, as far as that is known.
    fn readiness(&self) -> impl Iterator<Item = Cycle> {
        let occupied = self.on_chip.iter().map(Some).chain([None]);
        let heads = occupied.flat_map(|unit| self.sections_of(unit)).filter_map(|s| s.on_chip.head);
        heads.filter(|&e| !self.entries[e].is_loading).map(|e| self.entries[e].ready_at)
    }

    /// Places with entries on chip: units from `start` on and then those below it, last queue 0 (laperm-R13).
    pub(crate) fn places_from(&self, start: UnitId) -> impl Iterator<Item = Option<UnitId>> + use<W, E, M, S, U> {
        self.on_chip.iter_from(start).map(Some).chain([None])
    }

    /// Candidates of these places, for an SMX from which no class is hidden.
    pub(crate) fn candidates_from(&self, start: UnitId, now: Cycle) -> impl Iterator<Item = &Entry<W>> {
        let places = self.places_from(start);
        places.filter_map(move |unit| self.candidate(unit, ClassSet::EMPTY, now)).map(|e| self.get(e))
    }

    /// Sections with entries on chip of a unit, highest first; that of queue 0.
    pub(crate) fn sections_with_entries(&self, unit: Option<UnitId>) -> impl Iterator<Item = SectionId> {
        let sections = unit.map_or(1, |unit| self.units[unit].on_chip);
        highest_first(sections).map(move |section| self.section(unit, if unit.is_some() { section } else { 0 }))
    }

    /// The first entry on chip of a section that is of none of the `hidden` classes, visible or not.
    #[inline]
    pub(crate) fn first(&self, section: SectionId, hidden: ClassSet) -> Option<EntryId> {
        let section = &self.sections[section];
        if hidden.is_empty() { section.on_chip.head } else { section.leaders.first(&self.entries, hidden) }
    }

    /// Which class each entry on chip has, from now on: none at all unless there are `any`.
    pub(crate) fn classify(&mut self, any: bool, class_of: impl Fn(&W) -> Option<ClassId>) {
        self.has_classes = any;
        for id in (0..=self.n_units * self.n_sections).map(SectionId) {
            let Section { on_chip, leaders, .. } = &mut self.sections[id];
            *leaders = Leaders::default();
            let mut next = on_chip.head;
            while let Some(e) = next {
                self.entries[e].class = class_of(&self.entries[e].work);
                if any {
                    leaders.enter(&self.entries, e);
                }
                next = self.entries[e].behind();
            }
        }
    }
}

impl<W, E, M, S, U> Heads for Queues<W, E, M, S, U>
where
    W: Copy + Default,
    E: Rows<Entry<W>>,
    M: Rows<u64>,
    S: Rows<Section>,
    U: Rows<UnitQueue>,
{
    type Work = W;

    #[inline]
    fn candidate(&self, unit: Option<UnitId>, hidden: ClassSet, now: Cycle) -> Option<EntryId> {
        let is_visible = |e: &EntryId| self.entries[*e].is_visible(now);
        let Some(unit) = unit else {
            return self.first(self.section(None, 0), hidden).filter(is_visible);
        };
        let mut sections = highest_first(self.units[unit].on_chip);
        sections.find_map(|section| self.first(self.section(Some(unit), section), hidden).filter(is_visible))
    }

    #[inline]
    fn entry(&self, e: EntryId) -> &Entry<W> {
        &self.entries[e]
    }

    #[inline]
    fn occupied(&self) -> IdSet<UnitId> {
        self.on_chip
    }
}
