//! Which SMX is visited, and what it gets: the three stages of the source's Figure 28 (laperm-R7 and laperm-R8).
//!
//! A visit looks at one SMX: at the candidate of its own unit, then at that of queue 0, then, under Adaptive-Bind, at that of a
//! backup unit, which the SMX keeps while it has candidates. Whether a TB can go there is not this module's affair: it asks a
//! `Room`, so the same visits serve a machine with a residency of its own and one that is part of a larger whole.

use crate::base::cycle::Cycle;
use crate::base::id::{SmxId, UnitId, next_of};
use crate::base::set::{ClassSet, IdSet};
use crate::base::table::{Rows, Table};
use crate::policy::laperm::config::{BackupSelect, Config, NoFit, Policy, Visit};
use crate::policy::laperm::list::{Entry, EntryId};

/// Who knows what stands between TBs and SMXs. It answers the same throughout a call.
pub(crate) trait Room<W> {
    /// Whether the SMX gets nothing, whatever waits.
    fn is_masked(&self, smx: SmxId) -> bool;

    /// Classes whose entries do not exist for a visit of the SMX.
    fn hidden(&self, smx: SmxId) -> ClassSet;

    /// Whether a TB of this work, which is not hidden, can go to the SMX now; `no_fit` says what it does to later stages if not.
    fn fits(&self, smx: SmxId, work: &W) -> bool;
}

/// What visits see of the queues.
pub(crate) trait Heads {
    type Work;

    /// Rule 6: the entry of a unit's queue, or of queue 0, that is next where these classes are hidden.
    fn candidate(&self, unit: Option<UnitId>, hidden: ClassSet, now: Cycle) -> Option<EntryId>;

    fn entry(&self, e: EntryId) -> &Entry<Self::Work>;

    /// Units with entries, visible or not.
    fn occupied(&self) -> IdSet<UnitId>;
}

/// Where the candidate was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stage {
    /// In the queue of the SMX's own unit.
    Unit = 1,
    /// In queue 0.
    Queue0 = 2,
    /// In the queue of a backup unit.
    Backup = 3,
}

/// Why no TB was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Reason {
    /// Nothing is visible anywhere.
    NoWork,
    /// The SMX is masked.
    Masked,
    /// There is visible work, but none for this SMX.
    NoCandidate,
    /// A candidate does not fit.
    NoFit,
}

/// A cycle without a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stall {
    /// The SMX that was visited, if it was one.
    pub smx: Option<SmxId>,
    /// Why it got nothing.
    pub reason: Reason,
}

impl Stall {
    const NO_WORK: Self = Self { smx: None, reason: Reason::NoWork };
}

/// The TB to send: the next one of `entry`, to `smx`, on which it fits.
pub(crate) struct Pick {
    pub(crate) smx: SmxId,
    pub(crate) entry: EntryId,
    pub(crate) stage: Stage,
}

/// The backup of one SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Backup {
    /// The recorded unit. It is never cleared, only overwritten.
    pub unit: Option<UnitId>,
    /// Stage-3 dispatches since the last selection; counted only with a `backup_limit`.
    pub run: u16,
}

impl Backup {
    /// A fresh record.
    const fn of(unit: UnitId) -> Self {
        Self { unit: Some(unit), run: 0 }
    }
}

/// The visit pointer and the backup records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Visits<B> {
    pub(crate) cur: SmxId,
    pub(crate) backups: Table<SmxId, Backup, B>,
}

/// What visits look at.
struct Look<'a, Q, R> {
    queues: &'a Q,
    room: &'a R,
    config: &'a Config,
    now: Cycle,
}

impl<Q: Heads, R: Room<Q::Work>> Look<'_, Q, R> {
    /// Whether anything waits that is visible, whatever the gates say.
    fn anything_visible(&self) -> bool {
        let mut places = [None].into_iter().chain(self.queues.occupied().iter().map(Some));
        places.any(|unit| self.queues.candidate(unit, ClassSet::EMPTY, self.now).is_some())
    }
}

/// What the visit of one SMX sees.
struct Visited<'a, Q, R> {
    look: &'a Look<'a, Q, R>,
    smx: SmxId,
    hidden: ClassSet,
}

impl<Q: Heads, R: Room<Q::Work>> Visited<'_, Q, R> {
    /// The candidate of a unit, or of queue 0, and whether it fits.
    #[inline(always)] // Up to three times on the way of every TB.
    fn at(&self, unit: Option<UnitId>) -> Option<(EntryId, bool)> {
        let Look { queues, room, now, .. } = self.look;
        let e = queues.candidate(unit, self.hidden, *now)?;
        Some((e, room.fits(self.smx, &queues.entry(e).work)))
    }

    /// Other units from `start` on and then those below it, if they have a candidate.
    fn others_from(&self, start: UnitId) -> impl Iterator<Item = (UnitId, EntryId, bool)> {
        let mut others = self.look.queues.occupied();
        others.set(self.look.config.unit_of(self.smx), false);
        others.iter_from(start).filter_map(move |v| self.at(Some(v)).map(|(e, fits)| (v, e, fits)))
    }

    /// The unit that becomes the backup, with its candidate.
    fn select(&self, recorded: Option<UnitId>) -> Option<(UnitId, EntryId, bool)> {
        let Look { queues, config, .. } = self.look;
        let next = behind(config.unit_of(self.smx));
        let recorded = recorded.filter(|_| config.backup_limit > 0);
        match (recorded, config.backup_select) {
            // The backups take turns.
            (Some(recorded), _) => self.others_from(behind(recorded)).next(),
            (None, BackupSelect::Next) => self.others_from(next).next(),
            (None, BackupSelect::Lowest) => self.others_from(UnitId(0)).next(),
            // The first one of the highest; `max_by_key` would find the last.
            (None, BackupSelect::HighestPrio) => self
                .others_from(next)
                .reduce(|a, b| if queues.entry(b.1).section > queues.entry(a.1).section { b } else { a }),
        }
    }
}

/// The unit behind this one; beyond the last one, where going through units wraps.
const fn behind(unit: UnitId) -> UnitId {
    UnitId(unit.0 + 1)
}

impl<B: Rows<Backup>> Visits<B> {
    pub(crate) fn new(backups: B) -> Self {
        Self { cur: SmxId(0), backups: Table::new(backups) }
    }

    /// laperm-R7: one cycle.
    #[inline]
    pub(crate) fn pick<Q: Heads, R: Room<Q::Work>>(
        &mut self,
        config: &Config,
        queues: &Q,
        room: &R,
        now: Cycle,
    ) -> Result<Pick, Stall> {
        let look = Look { queues, room, config, now };
        match config.visit {
            Visit::Step => self.step(&look),
            Visit::Skip => self.skip(&look),
        }
    }

    fn step<Q: Heads, R: Room<Q::Work>>(&mut self, look: &Look<'_, Q, R>) -> Result<Pick, Stall> {
        let smx = self.cur;
        let visited = visit(smx, look, &mut self.backups[smx]).map_err(|reason| Stall { smx: Some(smx), reason });
        // A visit that finds no candidate leaves no trace, so whether there is any work can be asked behind it.
        if matches!(visited, Err(stall) if stall.reason != Reason::NoFit) && !look.anything_visible() {
            return Err(Stall::NO_WORK);
        }
        self.cur = next_of(smx, look.config.smxs);
        visited
    }

    fn skip<Q: Heads, R: Room<Q::Work>>(&mut self, look: &Look<'_, Q, R>) -> Result<Pick, Stall> {
        if !look.anything_visible() {
            return Err(Stall::NO_WORK);
        }
        let mut reason = Reason::Masked;
        let mut smx = self.cur;
        for _ in 0..look.config.smxs {
            match visit(smx, look, &mut self.backups[smx]) {
                Ok(pick) => {
                    self.cur = next_of(smx, look.config.smxs);
                    return Ok(pick);
                }
                Err(Reason::NoFit) => reason = Reason::NoFit,
                Err(Reason::NoCandidate) if reason == Reason::Masked => reason = Reason::NoCandidate,
                Err(_) => {}
            }
            smx = next_of(smx, look.config.smxs);
        }
        Err(Stall { smx: None, reason })
    }

    /// Visits without effect, in order: how many fail before one dispatches, if any does. Of an SMX that fails, every visit fails
    /// until something changes.
    pub(crate) fn until_dispatch<Q: Heads, R: Room<Q::Work>>(
        &self,
        config: &Config,
        queues: &Q,
        room: &R,
        now: Cycle,
    ) -> Option<u32> {
        let look = Look { queues, room, config, now };
        let mut smx = self.cur;
        (0..config.smxs).find(|_| {
            let dispatches = visit(smx, &look, &mut self.backups[smx].clone()).is_ok();
            smx = next_of(smx, config.smxs);
            dispatches
        })
    }
}

/// laperm-R8: the stages of one visit, which may change the SMX's backup record.
#[inline]
fn visit<Q: Heads, R: Room<Q::Work>>(smx: SmxId, look: &Look<'_, Q, R>, backup: &mut Backup) -> Result<Pick, Reason> {
    if look.room.is_masked(smx) {
        return Err(Reason::Masked);
    }
    let visited = Visited { look, smx, hidden: look.room.hidden(smx) };
    let own = look.config.unit_of(smx);
    let mut nothing = Reason::NoCandidate;
    for (stage, unit) in [(Stage::Unit, Some(own)), (Stage::Queue0, None)] {
        match visited.at(unit) {
            Some((entry, true)) => return Ok(Pick { smx, entry, stage }),
            Some(_) if look.config.no_fit == NoFit::Block => return Err(Reason::NoFit),
            Some(_) => nothing = Reason::NoFit,
            None => {}
        }
    }
    if look.config.policy != Policy::AdaptiveBind {
        return Err(nothing);
    }
    let entry = back_up(&visited, backup, nothing)?;
    Ok(Pick { smx, entry, stage: Stage::Backup })
}

/// Stage 3. If there is no unit to choose, the visit ends with `nothing`.
fn back_up<Q: Heads, R: Room<Q::Work>>(
    visited: &Visited<'_, Q, R>,
    backup: &mut Backup,
    nothing: Reason,
) -> Result<EntryId, Reason> {
    let &Config { backup_limit: limit, no_fit, .. } = visited.look.config;
    let kept = backup.unit.filter(|_| limit == 0 || u32::from(backup.run) < limit);
    let (unit, entry, fits) = match kept.and_then(|b| visited.at(Some(b)).map(|(e, fits)| (b, e, fits))) {
        Some(candidate) => candidate,
        None => {
            let selected = visited.select(backup.unit).ok_or(nothing)?;
            // Recorded even if its TB then does not fit.
            *backup = Backup::of(selected.0);
            selected
        }
    };
    let entry = if fits {
        entry
    } else if no_fit == NoFit::Block {
        return Err(Reason::NoFit);
    } else {
        // Of all others, but this one is known not to fit.
        let (v, e, _) = visited.others_from(behind(unit)).find(|o| o.2).ok_or(Reason::NoFit)?;
        *backup = Backup::of(v);
        e
    };
    if limit > 0 {
        backup.run += 1;
    }
    Ok(entry)
}
