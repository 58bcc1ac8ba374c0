//! LaPerm as the front end's policy: its queues hold units, which launch and coalescing bring, and its visits look through the
//! doors of the front end (frontend-F2, frontend-F4, frontend-F5, frontend-T1p, frontend-T2, frontend-T3p, frontend-T4p).
//!
//! A *unit* is the native TBs of a kernel, or a group. A unit is held from its kernel's arrival or its own join until its last TB
//! is sent; a kernel's entry counts those held (`pend`), and they keep it from being released. A group's home is its launch
//! record: no hash, no AGE, no chain and no mark, so there is nothing to spill or to load. What overflows is LaPerm's queues.
//!
//! In the model cdp the KMU goes by priority, too: kernels whose launch has matured wait in LaPerm's lists in memory, by bind
//! unit and level, until the KMU issues them; on chip they come when they arrive.

mod validate;

use core::cmp::Reverse;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SmxId, UnitId, next_of};
use crate::base::presence::{Part, Presence};
use crate::base::set::{ClassSet, SmxSet};
use crate::base::table::Rows;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::Source;
use crate::launch::kmu::Candidate;
use crate::launch::record::Record;
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::policy::laperm::list::EntryId;
use crate::policy::laperm::queues::{Put, Queues};
use crate::policy::laperm::visit::{Pick, Room, Visits};
use crate::policy::laperm::{
    Backup, Config as LaPermConfig, Entry, Model, Policy as LaPermPolicy, Reason, Section, UnitQueue, Visit,
};
use crate::probe::{Decision, GroupRef, Probe, UnitPlace};
use crate::smx::residency::ResidentTb;

/// What LaPerm holds: the native TBs of a kernel, or a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitWork {
    /// The kernel.
    pub kde: KernelSlot,
    /// The group's record; `None` for native TBs. In the KMU's lists (model cdp) that of the pending kernel, which has no entry
    /// yet.
    pub record: Option<RecordId>,
}

/// Where the rows of a line lie.
pub(crate) trait LineTables {
    /// Whether there can be a line.
    type LaPerm: Presence;
    type LapEntries: Rows<Entry<UnitWork>>;
    type LapFreeWords: Rows<u64>;
    type LapSections: Rows<Section>;
    type LapUnits: Rows<UnitQueue>;
    type Backups: Rows<Backup>;
}

/// The rows of a line's queues.
pub(crate) type QueueRows<T> = (
    <T as LineTables>::LapEntries,
    <T as LineTables>::LapFreeWords,
    <T as LineTables>::LapSections,
    <T as LineTables>::LapUnits,
);

/// LaPerm's queues and visits, without a residency of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line<T: LineTables> {
    pub(crate) config: LaPermConfig,
    pub(crate) queues: Queues<UnitWork, T::LapEntries, T::LapFreeWords, T::LapSections, T::LapUnits>,
    pub(crate) visits: Visits<T::Backups>,
    /// kptr: the bind unit that the KMU asks first (model cdp).
    pub(crate) kmu_ptr: UnitId,
}

/// The line, if LaPerm is the policy.
pub(crate) type LinePart<T> = Part<<T as LineTables>::LaPerm, Line<T>>;

impl<T: LineTables> Line<T> {
    pub(crate) fn new(rows: QueueRows<T>, backups: T::Backups, config: &LaPermConfig, capacity: u32) -> Self {
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
    pub(crate) fn has(&self, unit: Option<UnitId>) -> bool {
        unit.is_none_or(|unit| u32::from(unit.0) < self.config.units())
    }

    /// frontend-F2: the priority of what this TB launches.
    pub(crate) fn child_prio(&self, parent: &ResidentTb) -> u8 {
        // The levels are at most 24.
        (parent.prio + 1).min(self.config.levels as u8)
    }

    /// Whether a kernel waits in the lists of the KMU.
    pub(crate) fn any_pending(&self) -> bool {
        self.is_cdp() && !self.queues.units_off_chip().is_empty()
    }

    /// Whether a unit that can be seen waits for a visit: then each cycle goes on to another SMX.
    pub(crate) fn is_visiting(&self, now: Cycle) -> bool {
        self.config.visit == Visit::Step && self.queues.any_visible(now)
    }

    /// When a unit on chip is loaded, from this cycle on.
    pub(crate) fn next_visible(&self, from: Cycle) -> Option<Cycle> {
        self.queues.next_ready(from, &self.config)
    }
}

/// The front end's residency and gates as LaPerm sees them (frontend-T4p).
impl<T: BoardTables> Room<UnitWork> for Doors<'_, T> {
    #[inline]
    fn is_masked(&self, smx: SmxId) -> bool {
        Doors::is_masked(self, smx)
    }

    #[inline]
    fn hidden(&self, smx: SmxId) -> ClassSet {
        let gates = &self.board.gates;
        if self.board.config.pass_capped && gates.any_class() { gates.capped_on(smx) } else { ClassSet::EMPTY }
    }

    #[inline]
    fn fits(&self, smx: SmxId, work: &UnitWork) -> bool {
        let may_be_capped = self.board.gates.any_class() && !self.board.config.pass_capped;
        let is_capped = || may_be_capped && self.capped(work.kde).contains(smx);
        !self.is_excluded(work.kde, smx) && self.has_room(work.kde, smx) && !is_capped()
    }
}

impl<T: BoardTables + LineTables> Line<T> {
    // ---- the KMU (model cdp)

    /// frontend-T1p: kernels whose launch has matured go to their bind unit's list, by level. They mature in the order of their keys,
    /// so every list is sorted.
    #[inline(never)]
    pub(crate) fn list_matured(&mut self, board: &mut Board<T>) {
        while self.is_cdp() && board.records.dev_ready() <= board.now && self.list_first_dev(board).is_some() {}
    }

    #[inline(never)]
    fn list_first_dev(&mut self, board: &mut Board<T>) -> Option<()> {
        let r = board.records.first_dev()?;
        board.records.pop_dev(r);
        let &Record { shape, prio, psmx, .. } = board.records.get(r);
        let work = UnitWork { kde: KernelSlot(0), record: Some(r) };
        let entry = self.config.entry_of(work, shape.total, prio, Some(psmx));
        self.queues.pend(entry).ok()
    }

    /// frontend-T1p: whom the KMU issues next, which is taken out of its list. Also, how many levels were searched.
    pub(crate) fn choose(&mut self, board: &Board<T>) -> (Option<Candidate>, u64) {
        let (first, cost) = self.first_candidate(board);
        let candidate = first.map(|first| match first {
            First::Waits(candidate) => candidate,
            First::Listed(e, record) => {
                self.queues.remove(e);
                Candidate::Kept(record)
            }
        });
        (candidate, cost)
    }

    /// Device kernels before host kernels; of device kernels, the bind units in turn, in one the highest level, in that the oldest.
    /// Under LaPerm's rr: the oldest of all.
    fn first_candidate(&mut self, board: &Board<T>) -> (Option<First>, u64) {
        let listed = |unit| {
            let e = self.queues.next_off_chip(Some(unit))?;
            let Entry { work, prio, .. } = *self.queues.get(e);
            let record = work.record?;
            Some((prio, board.records.get(record).key, First::Listed(e, record)))
        };
        let suspended = |i| First::Waits(Candidate::Suspended(i));
        let resumed = || {
            board.suspended.resumed().filter_map(|(key, i, kernel)| {
                let unit = self.config.unit_of(kernel.psmx?);
                (kernel.source == Source::Device).then_some((unit, kernel.prio, key, suspended(i)))
            })
        };
        let is_rr = self.config.policy == LaPermPolicy::Rr;
        let mut units = self.queues.units_off_chip();
        resumed().for_each(|(unit, ..)| units.set(unit, true));
        let queues = board.waiting_hosts().map(|(key, candidate)| (key, First::Waits(candidate)));
        let of_host = |source| matches!(source, Source::Hwq(_));
        let hosts = board.suspended.resumed().filter(|(.., kernel)| is_rr || of_host(kernel.source));
        let hosts = queues.chain(hosts.map(|(key, i, _)| (key, suspended(i))));
        let levels = u64::from(self.config.levels);
        if is_rr {
            let listed = listed(UnitId(0)).map(|(_, key, candidate)| (key, candidate));
            return (hosts.chain(listed).min_by_key(|&(key, _)| key).map(|(_, candidate)| candidate), 0);
        }
        let Some(unit) = units.iter_from(self.kmu_ptr).next() else {
            return (hosts.min_by_key(|&(key, _)| key).map(|(_, candidate)| candidate), levels);
        };
        let resumed = resumed().filter(|r| r.0 == unit).map(|(_, prio, key, candidate)| (prio, key, candidate));
        let first = listed(unit).into_iter().chain(resumed).min_by_key(|&(prio, key, _)| (Reverse(prio), key));
        let cost = first.map_or(0, |(prio, ..)| levels + 1 - u64::from(prio));
        self.kmu_ptr = next_of(unit, self.config.units());
        (first.map(|(_, _, candidate)| candidate), cost)
    }

    // ---- units come and go

    /// frontend-T2: LaPerm takes the native TBs of a kernel that has arrived.
    pub(crate) fn hold_natives(&mut self, board: &mut Board<T>, k: KernelSlot, probe: &mut impl Probe) {
        let kde = board.kd.get(k);
        let kernel = &kde.kernel;
        let psmx = if let Source::Hwq(_) = kernel.source { None } else { kernel.psmx.or(Some(SmxId(0))) };
        let tbs = kernel.saved + (kde.total - kernel.next_native);
        let prio = kernel.prio;
        let held = self.hold(board, UnitWork { kde: k, record: None }, tbs, prio, psmx, probe);
        board.kd.get_mut(k).natives = held;
    }

    /// frontend-T3p: LaPerm takes a group that has joined.
    pub(crate) fn hold_group(&mut self, board: &mut Board<T>, k: KernelSlot, r: RecordId, probe: &mut impl Probe) {
        let record = board.records.get(r);
        let (tbs, prio, psmx) = (record.shape.total, record.prio, record.psmx);
        self.hold(board, UnitWork { kde: k, record: Some(r) }, tbs, prio, Some(psmx), probe);
    }

    /// LaPerm takes a unit. There is room: queue 0 holds all entries of the distributor, the pool every unit that there can be.
    fn hold(
        &mut self,
        board: &mut Board<T>,
        work: UnitWork,
        tbs: u32,
        prio: u8,
        psmx: Option<SmxId>,
        probe: &mut impl Probe,
    ) -> Option<EntryId> {
        let now = board.now;
        let mut entry = self.config.entry_of(work, tbs, prio, psmx);
        entry.class = board.class_of(work.kde);
        let unit = entry.unit;
        let (e, place, evicted) = match unit {
            None => (self.queues.push_queue0(entry, now, &self.config).ok()?.0, UnitPlace::Queue0, None),
            Some(unit) => match self.queues.push(unit, entry, now, &self.config).ok()? {
                (e, Put::OnChip { evicted, .. }) => (e, UnitPlace::OnChip, evicted),
                (e, Put::OffChip) => (e, UnitPlace::Spilled, None),
            },
        };
        board.kd.get_mut(work.kde).pend += 1;
        let evicted = evicted.map(|e| self.tag(board, e));
        let tag = board.tag_of(work.kde, work.record);
        probe.decide(now, Decision::Place { tag, place, unit, level: prio, evicted });
        Some(e)
    }

    /// A class was bound anew: units have the classes of their kernels.
    pub(crate) fn classify(&mut self, board: &Board<T>) {
        self.queues.classify(board.gates.any_class(), |work| board.class_of(work.kde));
    }

    /// Tag of the kernel or group of a unit.
    fn tag(&self, board: &Board<T>, e: EntryId) -> u64 {
        let UnitWork { kde, record } = self.queues.get(e).work;
        board.tag_of(kde, record)
    }

    /// LaPerm gives a unit up, wherever it is: its last TB was sent, or it is withdrawn (frontend-F5). Another one may come from
    /// memory.
    #[inline(never)]
    pub(crate) fn let_go(&mut self, board: &mut Board<T>, e: EntryId, probe: &mut impl Probe) {
        let Entry { work, unit, is_on_chip, .. } = *self.queues.get(e);
        self.queues.remove(e);
        let kde = board.kd.get_mut(work.kde);
        kde.pend -= 1;
        if work.record.is_none() {
            kde.natives = None;
        }
        // In cdp, what lies in memory waits for the KMU.
        let Some(unit) = unit.filter(|_| is_on_chip && !self.is_cdp()) else { return };
        let class_of = |work: &UnitWork| board.class_of(work.kde);
        if let Some(refill) = self.queues.refill(unit, board.now, &self.config, class_of) {
            probe.decide(board.now, Decision::Refill { tag: self.tag(board, refill) });
        }
    }

    /// A unit of this tag, which a refill asked for, is on chip.
    pub(crate) fn refilled(&mut self, board: &Board<T>, tag: u64) -> Result<(), Fault> {
        let is_it = |work: &UnitWork| board.tag_of(work.kde, work.record) == tag;
        let e = self.queues.find_loading(is_it).ok_or(Fault::NoLoad)?;
        self.queues.loaded(e, board.now);
        Ok(())
    }

    // ---- one cycle

    /// frontend-T4p: one cycle of LaPerm.
    #[inline]
    pub(crate) fn dispatch(&mut self, board: &mut Board<T>, graphs: &mut GraphPart<T>, probe: &mut impl Probe) -> Sched
    where
        T: GraphTables,
    {
        match self.visits.pick(&self.config, &self.queues, &Doors::of(board), board.now) {
            Ok(pick) => self.send(board, &pick, probe),
            Err(stall) => {
                let word = match stall.reason {
                    Reason::NoWork => Sched::Idle,
                    Reason::Masked => Sched::Masked,
                    Reason::NoCandidate => Sched::NoCandidate,
                    Reason::NoFit => Sched::NoFit,
                };
                match graphs.as_ref().and_then(|graphs| graphs.unsent(board)) {
                    Some(k) => send_node_beside(board, graphs, k, word, probe),
                    None => word,
                }
            }
        }
    }

    /// Sends the next TB of a unit to the SMX on which it fits.
    #[inline]
    fn send(&mut self, board: &mut Board<T>, pick: &Pick, probe: &mut impl Probe) -> Sched {
        let &Pick { smx, entry: e, stage } = pick;
        let Entry { work, prio, .. } = *self.queues.get(e);
        let (blkid, last) = self.queues.send(e);
        let (tb, _) = match work.record {
            None => board.send_native((work.kde, None), smx, probe),
            Some(r) => board.send_group((work.kde, r, GroupRef::Unit(r)), (blkid, blkid == 0), smx, probe),
        };
        probe.decide(board.now, Decision::Lap { stage, prio });
        if last {
            if let Some(group) = work.record.and_then(|r| board.records.group_mut(r)) {
                group.dist = true;
            }
            self.let_go(board, e, probe);
        }
        Sched::Tb(tb)
    }

    /// Cycles until LaPerm sends a TB, if nothing but the visits changes.
    pub(crate) fn until_dispatch(&self, doors: &Doors<'_, T>) -> Option<u32> {
        let fails = self.visits.until_dispatch(&self.config, &self.queues, doors, doors.board.now)?;
        // Skipping, one cycle makes all visits.
        Some(if self.config.visit == Visit::Skip { 0 } else { fails })
    }
}

/// What the KMU issues next, and where it is.
#[derive(Clone, Copy)]
enum First {
    Waits(Candidate),
    /// In a list of the line's.
    Listed(EntryId, RecordId),
}

/// LaPerm sent nothing in this cycle, for which it has `word`: a graph may (frontend-A6).
#[inline(never)]
fn send_node_beside<T: BoardTables + GraphTables>(
    board: &mut Board<T>,
    graphs: &mut GraphPart<T>,
    k: KernelSlot,
    word: Sched,
    probe: &mut impl Probe,
) -> Sched {
    let (all, Some(graphs)): (SmxSet, _) = (board.all_smxs(), graphs.as_mut()) else { return word };
    match graphs.try_node(board, k, &all, probe) {
        Ok(tb) => Sched::Tb(tb),
        Err(of_graph) if word == Sched::Idle => of_graph,
        Err(_) => word,
    }
}
