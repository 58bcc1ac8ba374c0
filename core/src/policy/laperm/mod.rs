//! LaPerm: the locality-aware TB scheduler (sheet [`laperm`](crate::sheets::laperm); chapter V of the source).
//!
//! # What it decides
//! Once per SMX-clock cycle, which TB goes to which SMX, where kernels and TB groups are launched from the device. Children go
//! before their parents ([`Policy::TbPri`]), stay on the SMX that ran their parent or on the cluster that shares its L1 cache
//! ([`Policy::SmxBind`]), or are bound to it but may be taken by SMXs with nothing else to do ([`Policy::AdaptiveBind`]).
//! [`Policy::Rr`] is the baseline in the same machine.
//!
//! # Who drives it
//! A host that wants this scheduler alone owns a [`LaPerm`]: it pushes host kernels and children when they become visible, calls
//! [`LaPerm::tick`] every cycle and runs the TB that it sends, and reports its end with [`LaPerm::tb_done`]. In the CDP model it
//! also calls [`LaPerm::kmu_tick`]. It keeps each running TB's SMX, priority and resources: a child needs those of its parent.
//! Every call says what cycle it is; calls of one cycle take effect in call order.
//!
//! The parts know nothing of each other's affairs: [`queues`] hold work, [`visit`] chooses, and its caller says what fits where.
//! A larger machine ([`crate::frontend::laperm`]) has the first two inside its own residency and gates.
//!
//! ```
//! use gpusched::laperm::{Config, LaPerm, Tick};
//! use gpusched::{Cycle, SmxId, presets, Resources};
//!
//! let mut laperm = LaPerm::<presets::K20cLaPerm>::new(&Config::K20C)?;
//! let tb = Resources { threads: 256, regs: 8192, smem: 0, slots: 1 };
//! laperm.push_host(Cycle(0), 7, 2, tb)?;
//! let Tick::Dispatch(parent) = laperm.tick(Cycle(0))? else { panic!("SMX 0 is free") };
//! assert_eq!((parent.smx, parent.tag, parent.tb), (SmxId(0), 7, 0));
//! // The parent launches a group; it is bound to the parent's SMX, and goes before the rest of the parent's kernel there.
//! laperm.push_child(Cycle(5), 8, 1, tb, parent.smx, parent.prio)?;
//! laperm.set_mask(Cycle(5), SmxId(1), true)?;
//! let sent = (6..18).filter_map(|t| match laperm.tick(Cycle(t)) {
//!     Ok(Tick::Dispatch(d)) => Some((d.smx.0, d.tag)),
//!     _ => None,
//! });
//! assert_eq!(sent.collect::<Vec<_>>(), [(2, 7), (3, 8)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
pub mod config;
pub mod kmu;
pub(crate) mod leaders;
pub mod list;
pub mod query;
pub mod queues;
pub mod storage;
pub mod tables;
pub(crate) mod validate;
pub mod visit;

#[cfg(feature = "image")]
pub mod image;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::{Id, KernelSlot, SmxId, UnitId};
use crate::base::resources::Resources;
use crate::base::set::{ClassSet, SmxSet};
use crate::base::table::{Rows, Table};

pub use answer::{Dispatch, Placed, Tick};
pub use config::{BackupSelect, Config, Model, NoFit, Policy, RefillMode, Spill, Visit};
#[cfg(feature = "image")]
pub use image::image_config;
pub use kmu::{Kde, KmuStall, KmuTick, Moved};
pub use list::Entry;
pub use query::{EntryView, WaitingHead};
pub use queues::{Section, UnitQueue};
pub use storage::{StorageBits, storage_bits};
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};
pub use visit::{Backup, Reason, Stage, Stall};

use kmu::Kmu;
use queues::{Put, Queues};
use visit::{Pick, Room, Visits};

/// What the stand-alone machine knows about an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Work {
    /// The host's name for it.
    pub tag: u64,
    /// What each of its TBs needs.
    pub res: Resources,
    /// `cdp`, on chip: its entry of the kernel distributor.
    pub kde: Option<KernelSlot>,
}

/// The stand-alone machine. With inline tables it is one plain value: clone it, compare it, hash it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LaPerm<T: Tables> {
    config: Config,
    /// The last time: that of the last call that was not refused.
    now: Cycle,
    /// The cycle of the last tick.
    ticked: Option<Cycle>,
    queues: Queues<Work, T::Entries, T::FreeWords, T::Sections, T::Units>,
    visits: Visits<T::Backups>,
    free: Table<SmxId, Resources, T::Smxs>,
    mask: SmxSet,
    kmu: Kmu<T::Kdes>,
}

/// The machine's own room.
struct OwnRoom<'a, S> {
    free: &'a Table<SmxId, Resources, S>,
    mask: &'a SmxSet,
}

impl<S: Rows<Resources>> Room<Work> for OwnRoom<'_, S> {
    #[inline]
    fn is_masked(&self, smx: SmxId) -> bool {
        self.mask.contains(smx)
    }

    #[inline]
    fn hidden(&self, _: SmxId) -> ClassSet {
        ClassSet::EMPTY
    }

    #[inline]
    fn fits(&self, smx: SmxId, work: &Work) -> bool {
        work.res.fits(&self.free[smx])
    }
}

impl<T: InlineTables> LaPerm<T> {
    /// A machine that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &Config) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> LaPerm<T> {
    /// A machine on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &Config, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    /// A machine without work, of a checked configuration and on tables that are large enough.
    fn empty(config: &Config, tables: TableSet<T>) -> Self {
        let TableSet { entries, free_words, sections, units, smxs, backups, kdes } = tables;
        let mut free = Table::new(smxs);
        for s in (0..config.smxs as usize).map(SmxId::from_index) {
            free[s] = config.capacity();
        }
        Self {
            config: *config,
            now: Cycle::ZERO,
            ticked: None,
            queues: Queues::new(entries, free_words, sections, units, config, queues::capacity(config)),
            visits: Visits::new(backups),
            free,
            mask: SmxSet::EMPTY,
            kmu: Kmu::new(kdes, config),
        }
    }

    /// A host kernel of `tbs` TBs can be scheduled from now on.
    ///
    /// # Errors
    /// `TimeBackwards`, `EmptyGroup`, `BadResources`, `TbTooBig`; `Queue0Full`, or, under `rr` and in `cdp`, `PoolFull`.
    pub fn push_host(&mut self, now: Cycle, tag: u64, tbs: u32, res: Resources) -> Result<Placed, Fault> {
        self.check_time(now)?;
        self.check_work(tbs, &res)?;
        let work = Work { tag, res, kde: None };
        if self.config.policy == Policy::Rr {
            return self.push_unit(now, work, tbs, 0, UnitId(0));
        }
        let entry = Entry::host(work, tbs);
        let placed = match self.config.model {
            Model::Dtbl => {
                let (_, pos) = self.queues.push_queue0(entry, now, &self.config)?;
                Placed::Queue0 { pos, ready_at: now }
            }
            Model::Cdp => {
                self.queues.pend(entry)?;
                Placed::Pending { unit: None, level: 0 }
            }
        };
        self.now = now;
        Ok(placed)
    }

    /// A group, or a kernel, of `tbs` TBs that a TB of priority `parent_prio` on `parent_smx` launched can be scheduled from now
    /// on: the launch latency is over.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadSmx`, `BadPriority`, `EmptyGroup`, `BadResources`, `TbTooBig`, `PoolFull`.
    pub fn push_child(
        &mut self,
        now: Cycle,
        tag: u64,
        tbs: u32,
        res: Resources,
        parent_smx: SmxId,
        parent_prio: u8,
    ) -> Result<Placed, Fault> {
        self.check_time(now)?;
        self.check_smx(parent_smx)?;
        if u32::from(parent_prio) > self.config.levels {
            return Err(Fault::BadPriority);
        }
        self.check_work(tbs, &res)?;
        // laperm-R2; the levels are at most 24.
        let level = (parent_prio + 1).min(self.config.levels as u8);
        self.push_unit(now, Work { tag, res, kde: None }, tbs, level, self.config.unit_of(parent_smx))
    }

    fn push_unit(&mut self, now: Cycle, work: Work, tbs: u32, level: u8, unit: UnitId) -> Result<Placed, Fault> {
        let entry = Entry::of_unit(work, tbs, level, unit, self.config.section(level));
        let placed = match self.config.model {
            Model::Dtbl => match self.queues.push(unit, entry, now, &self.config)?.1 {
                Put::OnChip { pos, ready_at, evicted } => {
                    let evicted = evicted.map(|e| self.queues.get(e).work.tag);
                    Placed::OnChip { unit, level, pos, ready_at, evicted }
                }
                Put::OffChip => Placed::Spilled { unit, level },
            },
            Model::Cdp => {
                self.queues.pend(entry)?;
                Placed::Pending { unit: Some(unit), level }
            }
        };
        self.now = now;
        Ok(placed)
    }

    /// One cycle: at most one TB is sent.
    ///
    /// # Errors
    /// `TimeBackwards`; `SameCycle` if this cycle was carried out before.
    #[inline]
    pub fn tick(&mut self, now: Cycle) -> Result<Tick, Fault> {
        self.check_time(now)?;
        if self.ticked == Some(now) {
            return Err(Fault::SameCycle);
        }
        self.now = now;
        self.ticked = Some(now);
        let room = OwnRoom { free: &self.free, mask: &self.mask };
        Ok(match self.visits.pick(&self.config, &self.queues, &room, now) {
            Ok(pick) => Tick::Dispatch(self.dispatch(pick)),
            Err(stall) => Tick::Stall(stall),
        })
    }

    /// laperm-R9.
    #[inline]
    fn dispatch(&mut self, Pick { smx, entry: e, stage }: Pick) -> Dispatch {
        let Entry { work: Work { tag, res, kde }, prio, unit, .. } = *self.queues.get(e);
        let (tb, last) = self.queues.send(e);
        self.free[smx] = self.free[smx].without(&res);
        if let Some(kde) = kde {
            self.kmu.dispatched(kde);
        }
        let refill = if last { self.finish(e, unit) } else { None };
        Dispatch { smx, tag, tb, prio, stage, unit, last, kde, refill }
    }

    /// An entry's last TB was sent: it leaves its queue, and another one may come from memory. That one's tag.
    #[inline(never)]
    fn finish(&mut self, e: list::EntryId, unit: Option<UnitId>) -> Option<u64> {
        self.queues.remove(e);
        if self.config.model == Model::Cdp {
            return None;
        }
        let refill = self.queues.refill(unit?, self.now, &self.config, |_| None)?;
        Some(self.queues.get(refill).work.tag)
    }

    /// An entry of this tag, for which a dispatch asked (`refill`), is on chip (`refill_mode` external). Of several, the first by
    /// unit and in its queue.
    ///
    /// # Errors
    /// `TimeBackwards`; `NoLoad` if none is being loaded.
    pub fn refilled(&mut self, now: Cycle, tag: u64) -> Result<(), Fault> {
        self.check_time(now)?;
        let e = self.queues.find_loading(|work| work.tag == tag).ok_or(Fault::NoLoad)?;
        self.queues.loaded(e, now);
        self.now = now;
        Ok(())
    }

    /// A TB ended that needed `res` on `smx`. In `cdp`, `kde` is its kernel's entry of the kernel distributor, and the answer is
    /// whether that is free now; in `dtbl` it is ignored.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadSmx`, `BadResources`; `ReleaseUnderflow` if more would be free than there is; in `cdp` `BadKde` if no
    /// TB of that entry runs.
    #[inline]
    pub fn tb_done(&mut self, now: Cycle, smx: SmxId, res: Resources, kde: Option<KernelSlot>) -> Result<bool, Fault> {
        self.check_time(now)?;
        self.check_smx(smx)?;
        res.check()?;
        let free = self.free[smx].with(&res, &self.config.capacity()).ok_or(Fault::ReleaseUnderflow)?;
        let freed = match self.config.model {
            Model::Dtbl => false,
            Model::Cdp => {
                let kde = self.kmu.running(kde, &self.config)?;
                self.kmu.done(kde)
            }
        };
        self.free[smx] = free;
        self.now = now;
        Ok(freed)
    }

    /// `cdp`: one cycle of the KMU, which moves at most one kernel from memory to the chip.
    ///
    /// # Errors
    /// `WrongModel` in `dtbl`; `TimeBackwards`.
    pub fn kmu_tick(&mut self, now: Cycle) -> Result<KmuTick, Fault> {
        if self.config.model == Model::Dtbl {
            return Err(Fault::WrongModel);
        }
        self.check_time(now)?;
        self.now = now;
        Ok(match self.kmu.tick(&mut self.queues, now, &self.config) {
            Ok(moved) => KmuTick::Moved(moved),
            Err(stall) => KmuTick::Stall(stall),
        })
    }

    /// Keeps TBs from an SMX, or admits them again, from the next visit on. What runs there, runs on.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadSmx`.
    pub fn set_mask(&mut self, now: Cycle, smx: SmxId, masked: bool) -> Result<(), Fault> {
        self.check_time(now)?;
        self.check_smx(smx)?;
        self.mask.set(smx, masked);
        self.now = now;
        Ok(())
    }

    fn check_time(&self, now: Cycle) -> Result<(), Fault> {
        if now < self.now { Err(Fault::TimeBackwards) } else { Ok(()) }
    }

    fn check_smx(&self, smx: SmxId) -> Result<(), Fault> {
        if u32::from(smx.0) < self.config.smxs { Ok(()) } else { Err(Fault::BadSmx) }
    }

    /// laperm-R1, what is the same for all work.
    fn check_work(&self, tbs: u32, res: &Resources) -> Result<(), Fault> {
        if tbs == 0 {
            return Err(Fault::EmptyGroup);
        }
        res.check()?;
        if res.fits(&self.config.capacity()) { Ok(()) } else { Err(Fault::TbTooBig) }
    }
}
