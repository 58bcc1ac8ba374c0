//! LaPerm as the front end's policy: its queues hold units, which launch and coalescing bring, and its visits look through the
//! front end's residency and gates (frontend-F2, frontend-F4, frontend-F5, frontend-T1p, frontend-T2, frontend-T3p, frontend-T4p).
//!
//! A *unit* is the native TBs of a kernel, or a group. A unit is held from its kernel's arrival or its own join until its last TB
//! is sent; a kernel's entry counts those held (`pend`), and they keep it from being released. A group's home is its launch
//! record: no hash, no AGE, no chain and no mark, so there is nothing to spill or to load. What overflows is LaPerm's queues.
//!
//! In the model cdp the KMU goes by priority, too: kernels whose launch has matured wait in LaPerm's lists in memory, by bind
//! unit and level, until the KMU issues them; on chip they come when they arrive.
//!
//! ```
//! use gpusched::{Config, Descriptor, Dim3, FrontEnd, GroupLaunch, LaPermPart, Policy, Sched, inline_tables};
//!
//! const GPU: Config =
//!     Config { n_smx: 4, tb_slots: 2, pend_limit: 64, policy: Policy::LaPerm(LaPermPart::K20C), ..Config::K20C };
//! inline_tables! {
//!     struct Four = GPU;
//! }
//! let mut gpu = FrontEnd::<Four>::new(&GPU.ideal())?;
//! let kernel = Descriptor { grid: Dim3::linear(6), tb: Dim3::linear(64), tag: 7, ..Descriptor::default() };
//! gpu.host_launch(0, &kernel, false)?;
//! let Sched::Tb(parent) = gpu.tick(&mut ())?.sched else { panic!("SMX 0 is free") };
//! // Its child stays on its SMX, and goes before the rest of the kernel there.
//! let group = Descriptor { grid: Dim3::linear(1), tag: 8, ..kernel };
//! gpu.agg_launch(parent.smx, parent.slot, &[GroupLaunch { descriptor: group, hw_tid: 0 }])?;
//! let sent = (0..4).filter_map(|_| match gpu.tick(&mut ()).ok()?.sched {
//!     Sched::Tb(tb) => Some((tb.smx.0, tb.tag)),
//!     _ => None,
//! });
//! assert_eq!(sent.collect::<Vec<_>>(), [(1, 7), (2, 7), (3, 7), (0, 8)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "image")]
mod image;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SmxId, UnitId};
use crate::base::set::ClassSet;
use crate::base::table::Rows;
use crate::frontend::gates::Doors;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::launch::distributor::Source;
use crate::policy::laperm::list::EntryId;
use crate::policy::laperm::queues::{Put, Queues};
use crate::policy::laperm::visit::{Pick, Room, Visits};
use crate::policy::laperm::{
    Backup, Config as LaPermConfig, Entry, Model, Policy as LaPermPolicy, Reason, Section, UnitQueue, Visit,
};
use crate::probe::{Decision, Probe, UnitPlace};
use crate::smx::residency::ResidentTb;

/// What LaPerm holds: the native TBs of a kernel, or a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitWork {
    /// The kernel.
    pub kde: KernelSlot,
    /// The group's record; `None` for native TBs. In the KMU's lists (model cdp) that of the pending kernel, which has no entry
    /// yet.
    pub record: Option<RecordId>,
}

/// LaPerm's queues and visits, without a residency of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line<E, M, S, U, B> {
    pub(crate) config: LaPermConfig,
    pub(crate) queues: Queues<UnitWork, E, M, S, U>,
    pub(crate) visits: Visits<B>,
    /// kptr: the bind unit that the KMU asks first (model cdp).
    pub(crate) kmu_ptr: UnitId,
}

/// A front end's line, on the rows of its home.
pub(crate) type LineOf<T> = Line<
    <T as Tables>::LapEntries,
    <T as Tables>::LapFreeWords,
    <T as Tables>::LapSections,
    <T as Tables>::LapUnits,
    <T as Tables>::Backups,
>;

impl<E, M, S, U, B> Line<E, M, S, U, B>
where
    E: Rows<Entry<UnitWork>>,
    M: Rows<u64>,
    S: Rows<Section>,
    U: Rows<UnitQueue>,
    B: Rows<Backup>,
{
    pub(crate) fn new(rows: (E, M, S, U), backups: B, config: &LaPermConfig, capacity: u32) -> Self {
        let (entries, words, sections, units) = rows;
        let config = match config.model {
            Model::Dtbl => *config,
            // The launch records are the pool: there is a place for each. Kernels are queued as they arrive, at no charge.
            Model::Cdp => LaPermConfig { pool_cap: capacity, charge_insert: false, ..*config },
        };
        let queues = Queues::new(entries, words, sections, units, &config, capacity);
        Self { config, queues, visits: Visits::new(backups), kmu_ptr: UnitId(0) }
    }

    pub(crate) fn is_cdp(&self) -> bool {
        self.config.model == Model::Cdp
    }

    /// Whether there is such a bind unit; queue 0 always is.
    fn has(&self, unit: Option<UnitId>) -> bool {
        unit.is_none_or(|unit| u32::from(unit.0) < self.config.units())
    }

    /// A unit or pending kernel of level `prio` whose parent ran on `psmx`.
    pub(crate) fn entry_of(&self, work: UnitWork, tbs: u32, prio: u8, psmx: Option<SmxId>) -> Entry<UnitWork> {
        match psmx {
            None if self.config.policy != LaPermPolicy::Rr => Entry::host(work, tbs),
            _ => {
                let unit = self.config.unit_of(psmx.unwrap_or_default());
                Entry::of_unit(work, tbs, prio, unit, self.config.section(prio))
            }
        }
    }
}

/// The front end's residency and gates as LaPerm sees them (frontend-T4p).
impl<T: Tables> Room<UnitWork> for Doors<'_, T> {
    #[inline]
    fn is_masked(&self, smx: SmxId) -> bool {
        Doors::is_masked(self, smx)
    }

    #[inline]
    fn hidden(&self, smx: SmxId) -> ClassSet {
        if self.config.pass_capped && self.gates.any_class() { self.gates.capped_on(smx) } else { ClassSet::EMPTY }
    }

    #[inline]
    fn fits(&self, smx: SmxId, work: &UnitWork) -> bool {
        let is_capped = || self.gates.any_class() && !self.config.pass_capped && self.capped(work.kde).contains(smx);
        !self.is_excluded(work.kde, smx) && self.has_room(work.kde, smx) && !is_capped()
    }
}

impl<T: Tables> FrontEnd<T> {
    /// Whether LaPerm is the policy, rather than first come, first served.
    #[inline(always)]
    pub(crate) fn is_laperm(&self) -> bool {
        self.laperm.is_some()
    }

    pub(crate) fn is_laperm_cdp(&self) -> bool {
        self.laperm.as_ref().is_some_and(Line::is_cdp)
    }

    /// frontend-F2: the priority of what this TB launches.
    pub(crate) fn child_prio(&self, parent: &ResidentTb) -> u8 {
        // The levels are at most 24.
        self.laperm.as_ref().map_or(0, |line| (parent.prio + 1).min(line.config.levels as u8))
    }

    /// frontend-T2: LaPerm takes the native TBs of a kernel that has arrived.
    pub(crate) fn hold_natives(&mut self, k: KernelSlot, probe: &mut impl Probe) {
        let kde = self.kd.get(k);
        let kernel = &kde.kernel;
        let psmx = if let Source::Hwq(_) = kernel.source { None } else { kernel.psmx.or(Some(SmxId(0))) };
        let tbs = kernel.saved + (kde.total - kernel.next_native);
        let (prio, tag) = (kernel.prio, kernel.descriptor.tag);
        let held = self.hold(UnitWork { kde: k, record: None }, tbs, prio, psmx, tag, probe);
        self.kd.get_mut(k).natives = held;
    }

    /// frontend-T3p: LaPerm takes a group that has joined.
    pub(crate) fn hold_group(&mut self, k: KernelSlot, r: RecordId, probe: &mut impl Probe) {
        let record = self.records.get(r);
        let (tbs, prio, psmx, tag) = (record.shape.total, record.prio, record.psmx, record.descriptor.tag);
        self.hold(UnitWork { kde: k, record: Some(r) }, tbs, prio, Some(psmx), tag, probe);
    }

    /// LaPerm takes a unit. There is room: queue 0 holds all entries of the distributor, the pool every unit that there can be.
    fn hold(
        &mut self,
        work: UnitWork,
        tbs: u32,
        prio: u8,
        psmx: Option<SmxId>,
        tag: u64,
        probe: &mut impl Probe,
    ) -> Option<EntryId> {
        let class = self.gates.class_of_kernel(self.kd.get(work.kde));
        let (now, line) = (self.now, self.laperm.as_mut()?);
        let mut entry = line.entry_of(work, tbs, prio, psmx);
        entry.class = class;
        let unit = entry.unit;
        let (e, place, evicted) = match unit {
            None => (line.queues.push_queue0(entry, now, &line.config).ok()?.0, UnitPlace::Queue0, None),
            Some(unit) => match line.queues.push(unit, entry, now, &line.config).ok()? {
                (e, Put::OnChip { evicted, .. }) => (e, UnitPlace::OnChip, evicted),
                (e, Put::OffChip) => (e, UnitPlace::Spilled, None),
            },
        };
        self.kd.get_mut(work.kde).pend += 1;
        let evicted = evicted.and_then(|e| self.unit_tag(e));
        probe.decide(self.now, Decision::Place { tag, place, unit, level: prio, evicted });
        Some(e)
    }

    /// A class was bound anew: units have the classes of their kernels.
    pub(crate) fn classify_units(&mut self) {
        let Self { kd, gates, laperm, .. } = self;
        let Some(line) = laperm.as_mut() else { return };
        line.queues.classify(gates.any_class(), |work| gates.class_of_kernel(kd.get(work.kde)));
    }

    /// Tag of the kernel or group of a unit.
    fn unit_tag(&self, e: EntryId) -> Option<u64> {
        Some(self.tag_of(&self.laperm.as_ref()?.queues.get(e).work))
    }

    pub(crate) fn tag_of(&self, work: &UnitWork) -> u64 {
        match work.record {
            Some(r) => self.records.get(r).descriptor.tag,
            None => self.kd.get(work.kde).kernel.descriptor.tag,
        }
    }

    /// frontend-T4p: one cycle of LaPerm.
    #[inline]
    pub(crate) fn dispatch_laperm(&mut self, probe: &mut impl Probe) -> Sched {
        let Self { config, kd, residency, gates, laperm, now, .. } = self;
        let Some(Line { config: of_line, queues, visits, .. }) = laperm.as_mut() else { return Sched::Idle };
        let doors = Doors::<T> { config, kd, residency, gates, eligible: gates.eligible() };
        match visits.pick(of_line, queues, &doors, *now) {
            Ok(pick) => self.send_unit(&pick, probe),
            Err(stall) => {
                let word = match stall.reason {
                    Reason::NoWork => Sched::Idle,
                    Reason::Masked => Sched::Masked,
                    Reason::NoCandidate => Sched::NoCandidate,
                    Reason::NoFit => Sched::NoFit,
                };
                match self.unsent_graph() {
                    Some(k) => self.send_node_beside(k, word, probe),
                    None => word,
                }
            }
        }
    }

    /// LaPerm sent nothing in this cycle, for which it has `word`: a graph may (frontend-A6).
    #[inline(never)]
    fn send_node_beside(&mut self, k: KernelSlot, word: Sched, probe: &mut impl Probe) -> Sched {
        match self.try_graph(k, &self.all_smxs(), probe) {
            Ok(tb) => Sched::Tb(tb),
            Err(of_graph) if word == Sched::Idle => of_graph,
            Err(_) => word,
        }
    }

    /// Sends the next TB of a unit to the SMX on which it fits.
    #[inline]
    fn send_unit(&mut self, pick: &Pick, probe: &mut impl Probe) -> Sched {
        let &Pick { smx, entry: e, stage } = pick;
        let Some(line) = self.laperm.as_mut() else { return Sched::Idle };
        let Entry { work, prio, .. } = *line.queues.get(e);
        let (blkid, last) = line.queues.send(e);
        let (tb, _) = match work.record {
            None => self.send_native(work.kde, smx, probe),
            Some(r) => self.send_group(work.kde, r, blkid, smx, probe),
        };
        probe.decide(self.now, Decision::Lap { stage, prio });
        if last {
            if let Some(group) = work.record.and_then(|r| self.records.group_mut(r)) {
                group.dist = true;
            }
            self.let_go(e, probe);
        }
        Sched::Tb(tb)
    }

    /// LaPerm gives a unit up, wherever it is: its last TB was sent, or it is withdrawn (frontend-F5). Another one may come from
    /// memory.
    #[inline(never)]
    pub(crate) fn let_go(&mut self, e: EntryId, probe: &mut impl Probe) {
        let (now, Some(line)) = (self.now, self.laperm.as_mut()) else { return };
        let Entry { work, unit, is_on_chip, .. } = *line.queues.get(e);
        line.queues.remove(e);
        let kde = self.kd.get_mut(work.kde);
        kde.pend -= 1;
        if work.record.is_none() {
            kde.natives = None;
        }
        // In cdp, what lies in memory waits for the KMU.
        let Some(unit) = unit.filter(|_| is_on_chip && !line.is_cdp()) else { return };
        let class_of = |work: &UnitWork| self.gates.class_of_kernel(self.kd.get(work.kde));
        if let Some(refill) = line.queues.refill(unit, now, &line.config, class_of) {
            let tag = self.unit_tag(refill).unwrap_or_default();
            probe.decide(now, Decision::Refill { tag });
        }
    }

    /// LaPerm: a unit of this tag, which a `refill` asked for, is on chip (`refill_mode` external, `laperm-R14`). Of several, the
    /// first by bind unit and in its queue.
    ///
    /// # Errors
    /// `NoLoad` if none is being loaded.
    pub fn refilled(&mut self, tag: u64) -> Result<(), Fault> {
        let queues = self.laperm.as_ref().map(|line| &line.queues);
        let e = queues.and_then(|queues| queues.find_loading(|work| self.tag_of(work) == tag)).ok_or(Fault::NoLoad)?;
        if let Some(line) = self.laperm.as_mut() {
            line.queues.loaded(e, self.now);
        }
        Ok(())
    }

    /// Whether LaPerm waits for a unit that the host was asked for.
    pub(crate) fn awaits_refill(&self) -> bool {
        self.laperm.as_ref().is_some_and(|line| line.queues.any_loading())
    }

    /// Cycles until LaPerm sends a TB, if nothing but the visits changes.
    pub(crate) fn until_visit_dispatches(&self, doors: &Doors<'_, T>) -> Option<u32> {
        let line = self.laperm.as_ref()?;
        let fails = line.visits.until_dispatch(&line.config, &line.queues, doors, self.now)?;
        // Skipping, one cycle makes all visits.
        Some(if line.config.visit == Visit::Skip { 0 } else { fails })
    }

    /// Whether a unit that can be seen waits for a visit: then each cycle goes on to another SMX.
    pub(crate) fn is_visiting(&self) -> bool {
        self.laperm.as_ref().is_some_and(|line| {
            line.config.visit == Visit::Step && line.queues.candidates_from(UnitId(0), self.now).next().is_some()
        })
    }

    /// When a unit on chip is loaded, from this cycle on.
    pub(crate) fn next_visible(&self, from: Cycle) -> Option<Cycle> {
        let line = self.laperm.as_ref()?;
        line.queues.next_ready(from, &line.config)
    }

    /// Whether the graph that LaPerm leaves some cycles to has a node that an SMX takes.
    pub(crate) fn sends_node(&self, doors: &Doors<'_, T>) -> bool {
        let takes = |k| self.graph_candidate().is_ok() && doors.is_taken(k, &self.all_smxs());
        self.unsent_graph().is_some_and(takes)
    }

    /// Whether LaPerm holds anything that is to be sent.
    pub(crate) fn holds_units(&self) -> bool {
        self.kd.active().any(|k| self.kd.get(k).pend > 0)
    }

    // ---- queries

    /// LaPerm as this front end runs it, if it does.
    #[must_use]
    pub fn laperm_config(&self) -> Option<LaPermConfig> {
        Some(self.config.laperm()?.machine(&self.config))
    }

    /// LaPerm: the SMX that is visited next.
    #[must_use]
    pub fn laperm_cur(&self) -> Option<SmxId> {
        Some(self.laperm.as_ref()?.visits.cur)
    }

    /// LaPerm: the backup record of an SMX.
    #[must_use]
    pub fn laperm_backup(&self, smx: SmxId) -> Option<Backup> {
        let line = self.laperm.as_ref()?;
        self.all_smxs().contains(smx).then(|| line.visits.backups[smx])
    }

    /// LaPerm's model cdp: the bind unit that the KMU asks first.
    #[must_use]
    pub fn laperm_kmu_pointer(&self) -> Option<UnitId> {
        Some(self.laperm.as_ref()?.kmu_ptr)
    }

    /// LaPerm: free places of the overflow lists. The model cdp has none.
    #[must_use]
    pub fn laperm_pool_free(&self) -> Option<u32> {
        let line = self.laperm.as_ref()?;
        Some(if line.is_cdp() { 0 } else { line.queues.pool_free() })
    }

    /// LaPerm: the units in the on-chip queue of a bind unit, or in queue 0 for `None`, in order, each with its tag.
    pub fn laperm_queue(&self, unit: Option<UnitId>) -> impl Iterator<Item = (u64, &Entry<UnitWork>)> {
        let queues = self.laperm.as_ref().filter(|line| line.has(unit)).map(|line| &line.queues);
        queues.into_iter().flat_map(move |queues| queues.on_chip(unit)).map(|(_, e)| (self.tag_of(&e.work), e))
    }

    /// LaPerm: the units in the overflow lists of a bind unit: highest level first, each list in order.
    pub fn laperm_overflow(&self, unit: UnitId) -> impl Iterator<Item = (u64, &Entry<UnitWork>)> {
        let overflows = |line: &&Line<_, _, _, _, _>| line.has(Some(unit)) && !line.is_cdp();
        let queues = self.laperm.as_ref().filter(overflows).map(|line| &line.queues);
        queues.into_iter().flat_map(move |queues| queues.off_chip(Some(unit))).map(|(_, e)| (self.tag_of(&e.work), e))
    }
}
