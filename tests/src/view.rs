//! Everything that can be seen of a front end, as one comparable value.

use std::collections::BTreeMap;

use gpusched::laperm::{self, Backup};
use gpusched::power::{Resident, Resources};
use gpusched::{
    ClassCap, ClassId, Cursor, Cycle, FrontEnd, GraphState, GroupRef, HwqId, Id, KernelSlot, Load, Phase, RecordId,
    RecordState, Smx, SmxId, Source, Stats, Status, SuspId, Tables, TbView, UnitId, UnitWork, WaitingHead,
};

use crate::{bubble, dats};

/// How far the scheduler got with a marked kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorView {
    /// AGEI; `None` for native TBs.
    pub group: Option<GroupRef>,
    /// NextBL.
    pub next_bl: u32,
    /// Progress of a spilled group's load.
    pub load: LoadView,
    /// Groups sent in this turn.
    pub turn: u32,
}

/// Progress of a spilled group's load. When it will be here is told by what is decided then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadView {
    /// Not asked for.
    NotAsked,
    /// Asked for.
    Waiting,
    /// Here.
    Here,
}

impl From<Load> for LoadView {
    fn from(load: Load) -> Self {
        match load {
            Load::NotAsked => Self::NotAsked,
            Load::Waiting(_) => Self::Waiting,
            Load::Here => Self::Here,
        }
    }
}

/// A kernel distributor entry that is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KdeView {
    /// Tag.
    pub tag: u64,
    /// Program entry.
    pub pc: u64,
    /// Native TBs.
    pub total: u32,
    /// Queue that it holds.
    pub queue: Option<HwqId>,
    /// When it arrives; `None` if it is active.
    pub arrives: Option<u64>,
    /// Mark and first bit.
    pub mark: Option<bool>,
    /// SSCR, or the cursor of an entry behind the head.
    pub cursor: Option<CursorView>,
    /// NAGEI and LAGEI.
    pub chain: Option<(GroupRef, GroupRef)>,
    /// ExeBL.
    pub exe: u32,
    /// Groups that joined and are not done.
    pub live: u32,
    /// Next native TB.
    pub next_native: u32,
    /// Saved TBs, and those of them that were restored.
    pub saved: (u32, u32),
    /// Nesting depth.
    pub depth: u8,
    /// Retain bit.
    pub retain: bool,
    /// SMX of the launching TB.
    pub psmx: Option<SmxId>,
    /// Priority of its native TBs.
    pub prio: u8,
    /// Units of it that LaPerm holds.
    pub pend: u32,
    /// What has become of its dependency graph, if it has one.
    pub graph: Option<GraphState>,
}

/// A launch record in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordView {
    /// Tag.
    pub tag: u64,
    /// TBs.
    pub total: u32,
    /// Cycle of the launch call.
    pub called: u64,
    /// Nesting depth of what was launched.
    pub depth: u8,
    /// SMX of the launching TB.
    pub psmx: SmxId,
    /// Priority of its TBs.
    pub prio: u8,
    /// What it waits for, or how far its group is.
    pub state: RecordStateView,
}

/// State of a launch record in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordStateView {
    /// Waits for its join; ready then.
    Agg(u64),
    /// Waits for the KMU; ready then.
    Dev(u64),
    /// Coalesced.
    Grp {
        /// Where it is.
        at: GroupRef,
        /// Its kernel.
        kde: KernelSlot,
        /// The group behind it.
        next: Option<GroupRef>,
        /// ExeBL.
        exe: u32,
        /// Every TB was sent.
        dist: bool,
    },
}

/// A suspended kernel: tag, saved TBs, whether it was resumed.
pub type SuspendedView = (u64, u32, bool);

/// Free slots, threads, registers and shared memory of an SMX.
pub type Free = [u32; 4];

/// A unit that LaPerm holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitView {
    /// The host's tag of the kernel or group.
    pub tag: u64,
    /// The level by which it is ordered.
    pub section: u8,
    /// Nesting level.
    pub prio: u8,
    /// The next TB.
    pub next: u32,
    /// TBs.
    pub tbs: u32,
    /// When it is visible; `None` in memory, and while it is being loaded.
    pub ready_at: Option<Cycle>,
}

/// LaPerm in the front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaPermView {
    /// The SMX that is visited next.
    pub cur: SmxId,
    /// Per SMX.
    pub backups: Vec<Backup>,
    /// The bind unit that the KMU asks first.
    pub kptr: UnitId,
    /// Free places in memory.
    pub pool_free: u32,
    /// On chip, per bind unit.
    pub queues: Vec<Vec<UnitView>>,
    /// Queue 0.
    pub queue0: Vec<UnitView>,
    /// In memory, per bind unit.
    pub overflow: Vec<Vec<UnitView>>,
}

/// Everything that can be seen of a front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Cycle.
    pub now: u64,
    /// Round-robin pointer.
    pub rr: SmxId,
    /// Marked entries, head first.
    pub fcfs: Vec<KernelSlot>,
    /// Entries that are not free.
    pub kdes: BTreeMap<KernelSlot, KdeView>,
    /// Occupied AGEs and their groups' records.
    pub agt: BTreeMap<u32, RecordId>,
    /// Groups that were asked for before their turn, by place.
    pub load_buffer: Vec<(RecordId, LoadView)>,
    /// Launch records in use.
    pub records: BTreeMap<RecordId, RecordView>,
    /// Queues that are busy or not empty: busy, length.
    pub hwqs: BTreeMap<u8, (bool, u32)>,
    /// Suspended kernels.
    pub suspended: BTreeMap<u8, SuspendedView>,
    /// Room.
    pub smxs: Vec<Free>,
    /// Resident TBs.
    pub tbs: Vec<TbView>,
    /// Resident warps.
    pub warps: u32,
    /// Statistics.
    pub stats: Stats,
    /// What the machine waits for.
    pub status: Status,
    /// Gate E.
    pub eligible: [u64; 4],
    /// Gate X.
    pub block_caps: Vec<u32>,
    /// Gate K: pc, caps per SMX, and whether the class has work.
    pub classes: Vec<(Option<u64>, Vec<ClassCap>, bool)>,
    /// frontend-C2, from each unit on.
    pub waiting_heads: Vec<Option<WaitingHead>>,
    /// The units.
    pub laperm: Option<LaPermView>,
    /// The occupancy-bubble controller.
    pub bubble: Option<bubble::View>,
    /// The dependency-graph buffer, and the kernel that has it.
    pub dgb: Option<(dats::view::View, Option<KernelSlot>)>,
}

impl View {
    /// What can be seen of this machine.
    #[must_use]
    pub fn of<T: Tables>(gpu: &FrontEnd<T>) -> Self {
        let config = *gpu.config();
        let smxs = || (0..config.n_smx as usize).map(SmxId::from_index);
        let class = |c: ClassId| {
            let caps = smxs().filter_map(|s| gpu.class_cap(c, s).copied()).collect();
            (gpu.class(c), caps, gpu.has_work(c) == Ok(true))
        };
        let free = |s: &gpusched::Smx| [s.slots.count_ones(), s.threads, s.regs, s.smem];
        Self {
            now: gpu.now().0,
            rr: gpu.rr(),
            fcfs: gpu.fcfs().collect(),
            kdes: gpu.kdes().map(|(k, e)| (k, kde(gpu, e))).collect(),
            agt: gpu.agt().map(|(age, g)| (age.0, g.record)).collect(),
            load_buffer: gpu.load_buffer().map(|(r, load)| (r, load.into())).collect(),
            records: (0..config.pend_limit).filter_map(|r| Some((RecordId(r), record(gpu, RecordId(r))?))).collect(),
            hwqs: (0..config.n_hwq as u8)
                .filter_map(|q| Some((q, gpu.hwq(HwqId(q))?)))
                .filter(|(_, q)| q.busy || q.len > 0)
                .map(|(q, view)| (q, (view.busy, view.len)))
                .collect(),
            suspended: (0..config.susp_cap as u8)
                .filter_map(|i| Some((i, gpu.suspended(SuspId(i))?)))
                .map(|(i, s)| (i, (s.kernel.descriptor.tag, s.kernel.saved, s.resumed.is_some())))
                .collect(),
            smxs: smxs().filter_map(|s| gpu.smx(s)).map(free).collect(),
            tbs: gpu.resident_tbs().collect(),
            warps: gpu.resident_warps(),
            stats: gpu.stats(),
            status: gpu.status(),
            eligible: gpu.eligible().words(),
            block_caps: smxs().filter_map(|s| gpu.block_cap(s)).collect(),
            classes: (0..config.n_class as u8).map(|c| class(ClassId(c))).collect(),
            waiting_heads: (0..).map_while(|start| gpu.waiting_head(start).ok()).collect(),
            laperm: gpu.laperm_config().map(|config| laperm(gpu, &config)),
            bubble: gpu.bubble().map(|controller| {
                let resident = |s: SmxId| gpu.resident_tbs().filter(|tb| tb.smx == s).count() as u32;
                bubble::View::of(controller, |s| {
                    let Smx { slots, threads, regs, smem, warps } = *gpu.smx(s)?;
                    let free = Resources { threads, regs, smem, slots: slots.count_ones() };
                    Some((free, Resident { tbs: resident(s), warps }))
                })
            }),
            dgb: gpu.dgb().map(|dgb| (dats::view::View::of_part(dgb).specified(), gpu.dgb_owner())),
        }
    }
}

fn kde<T: Tables>(gpu: &FrontEnd<T>, e: &gpusched::Kde) -> KdeView {
    let at = |r: RecordId| gpu.group_location(r).expect("a chain names coalesced groups");
    let next_bl = |c: &Cursor| if c.group.is_some() { c.next_bl } else { e.kernel.next_native };
    let cursor =
        |c: Cursor| CursorView { group: c.group.map(at), next_bl: next_bl(&c), load: c.load.into(), turn: c.turn };
    KdeView {
        tag: e.kernel.descriptor.tag,
        pc: e.kernel.descriptor.pc,
        total: e.total,
        queue: match e.kernel.source {
            Source::Hwq(q) => Some(q),
            Source::Device => None,
        },
        arrives: match e.phase {
            Phase::Arriving(at) => Some(at.0),
            _ => None,
        },
        mark: e.mark.map(|m| m.first),
        cursor: e.cursor().copied().map(cursor),
        chain: e.chain.map(|c| (at(c.next), at(c.last))),
        exe: e.exe,
        live: e.live,
        next_native: e.kernel.next_native,
        saved: (e.kernel.saved, e.restored),
        depth: e.kernel.depth,
        retain: e.retain,
        psmx: e.kernel.psmx,
        prio: e.kernel.prio,
        pend: e.pend,
        graph: e.graph,
    }
}

fn laperm<T: Tables>(gpu: &FrontEnd<T>, config: &laperm::Config) -> LaPermView {
    let unit = |on_chip: bool| {
        move |(tag, e): (u64, &laperm::Entry<UnitWork>)| UnitView {
            tag,
            section: e.section,
            prio: e.prio,
            next: e.next,
            tbs: e.tbs,
            // The last cycle of all is never carried out.
            ready_at: (on_chip && !e.is_loading).then_some(e.ready_at).filter(|&at| at < Cycle::MAX),
        }
    };
    let units = || (0..config.units() as usize).map(UnitId::from_index);
    let smxs = (0..config.smxs as usize).map(SmxId::from_index);
    LaPermView {
        cur: gpu.laperm_cur().expect("LaPerm is there"),
        backups: smxs.map(|s| gpu.laperm_backup(s).expect("LaPerm is there")).collect(),
        kptr: gpu.laperm_kmu_pointer().expect("LaPerm is there"),
        pool_free: gpu.laperm_pool_free().expect("LaPerm is there"),
        queues: units().map(|u| gpu.laperm_queue(Some(u)).map(unit(true)).collect()).collect(),
        queue0: gpu.laperm_queue(None).map(unit(true)).collect(),
        overflow: units().map(|u| gpu.laperm_overflow(u).map(unit(false)).collect()).collect(),
    }
}

fn record<T: Tables>(gpu: &FrontEnd<T>, r: RecordId) -> Option<RecordView> {
    let record = gpu.record(r)?;
    let state = match record.state {
        RecordState::Free => return None,
        RecordState::Agg { .. } => RecordStateView::Agg(record.key.ready.0),
        RecordState::Dev => RecordStateView::Dev(record.key.ready.0),
        RecordState::Grp(_) => {
            let (g, at) = (gpu.group(r)?, gpu.group_location(r)?);
            RecordStateView::Grp { at, kde: g.kde, next: g.next, exe: g.exe, dist: g.dist }
        }
    };
    Some(RecordView {
        tag: record.descriptor.tag,
        total: record.shape.total,
        called: record.t0.0,
        depth: record.depth,
        psmx: record.psmx,
        prio: record.prio,
        state,
    })
}
