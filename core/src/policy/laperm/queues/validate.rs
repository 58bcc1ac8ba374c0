//! What holds of LaPerm's queues between two calls, whatever their entries are about.

use super::Queues;
use crate::base::cycle::Cycle;
use crate::base::id::UnitId;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;
use crate::policy::laperm::config::{Config, Model, Policy, RefillMode};
use crate::policy::laperm::list::Entry;
use crate::policy::laperm::queues::{Section, UnitQueue};

impl<W, E, M, S, U> Queues<W, E, M, S, U>
where
    W: Copy + Default,
    E: Rows<Entry<W>>,
    M: Rows<u64>,
    S: Rows<Section>,
    U: Rows<UnitQueue>,
{
    /// What holds of the queues, in which no entry waits longer than `wait` cycles for its first.
    pub(crate) fn validate(&self, config: &Config, now: Cycle, wait: u32) -> Result<(), Violation> {
        self.places().try_for_each(|place| self.validate_place(place, config, now.after(wait.into())))?;
        let in_memory = self.places().map(|place| self.off_chip(place).count() as u32).sum::<u32>();
        invariant("places in memory are counted (laperm-I5)", in_memory + self.pool_free == config.pool_cap)?;
        let mut on_chip = self.places().flat_map(|place| self.on_chip(place)).filter(|(_, entry)| entry.is_loading);
        let asks = config.refill_mode == RefillMode::External && config.model == Model::Dtbl;
        let loading = on_chip.by_ref().take_while(|(_, e)| asks && e.unit.is_some() && e.ready_at <= now).count();
        let all = on_chip.next().is_none() && self.loading as usize == loading;
        invariant("an entry is loaded if it was asked for (laperm-R14)", all)
    }

    fn validate_place(&self, place: Option<UnitId>, config: &Config, latest: Cycle) -> Result<(), Violation> {
        let cap = if place.is_some() { config.unit_cap() } else { config.queue0_cap() };
        let on_chip = self.on_chip(place).count() as u32;
        invariant("a queue holds what it can (laperm-I3, laperm-I8)", on_chip <= cap)?;
        for (_, entry) in self.on_chip(place) {
            invariant("an entry waits no longer than its way takes (laperm-R4, laperm-R9)", entry.ready_at <= latest)?;
        }
        for (_, entry) in self.off_chip(place) {
            // Overflow begins when the queue is full; queue 0 has none.
            let is_cdp = config.model == Model::Cdp;
            let may_be = if is_cdp { entry.next == 0 } else { place.is_some() && on_chip == cap };
            invariant("memory has what the queue has no room for (laperm-I3)", may_be)?;
            let waits = entry.ready_at == Cycle::ZERO && !entry.is_loading;
            invariant("an entry in memory is not loaded (laperm-R5)", waits)?;
        }
        let all = || self.on_chip(place).chain(self.off_chip(place)).map(|(_, entry)| entry);
        invariant("an entry has TBs to send (laperm-R9)", all().all(|entry| entry.next < entry.tbs))?;
        let is_placed = |&Entry { prio, section, unit, .. }: &Entry<W>| {
            let of_place = match place {
                _ if u32::from(prio) > config.levels => false,
                Some(_) => section == config.section(prio) && section > 0,
                None => prio == 0 && section == 0 && config.policy != Policy::Rr,
            };
            of_place && unit == place
        };
        invariant("an entry waits in its section (laperm-R2)", all().all(is_placed))?;
        let sorted = self.on_chip(place).map(|(_, e)| e.section).is_sorted_by(|a, b| a >= b)
            && self.off_chip(place).map(|(_, e)| e.section).is_sorted_by(|a, b| a >= b);
        invariant("queues and lists are sorted by section (laperm-I3)", sorted)
    }
}
