//! What can be seen of a front end, as plain records.

use gpusched::{
    ClassCap, Cursor, FrontEnd, GraphState, GroupView, HwqView, Kde, Load, Phase, RecordId, RecordState, Source,
    Tables, TbView, WaitingHead,
};

use crate::GPUSCHED_NONE;
use crate::decision::{gpusched_unit, optional_ref, tb_ref};
use crate::smx::gpusched_smx_set;

/// What the machine waits for: the first of these that applies.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_frontend_status {
    /// Time, or the end of resident TBs, will bring it on.
    Running = 0,
    /// Work is there that only the host's gates keep.
    Gated = 1,
    /// A kernel waits for an entry, and no entry will become free by itself.
    KdBlocked = 2,
    /// A suspended kernel waits to be resumed.
    Suspended = 3,
    /// A kernel waits in a queue that a retained kernel holds.
    HwqBlocked = 4,
    /// Only retained entries are left.
    Retained = 5,
    /// Nothing is owned anywhere: idle.
    Drained = 6,
    /// The dependency graph that runs contradicts itself, or its window can never move again: give it up.
    GraphStuck = 7,
    /// The dependency-graph buffer waits for answers.
    GraphWait = 8,
}

impl From<gpusched::Status> for gpusched_frontend_status {
    fn from(status: gpusched::Status) -> Self {
        match status {
            gpusched::Status::Running => Self::Running,
            gpusched::Status::Gated => Self::Gated,
            gpusched::Status::KdBlocked => Self::KdBlocked,
            gpusched::Status::Suspended => Self::Suspended,
            gpusched::Status::HwqBlocked => Self::HwqBlocked,
            gpusched::Status::Retained => Self::Retained,
            gpusched::Status::Drained => Self::Drained,
            gpusched::Status::GraphStuck => Self::GraphStuck,
            gpusched::Status::GraphWait => Self::GraphWait,
        }
    }
}

/// What the front end counted since it was built. All counts saturate.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_frontend_stats {
    /// Groups that found an eligible kernel.
    pub kde_hit: u64,
    /// Groups that found none.
    pub kde_miss: u64,
    /// Groups that found their AGE free.
    pub agt_hit: u64,
    /// Groups that found it taken.
    pub agt_spill: u64,
    /// Device kernels and groups whose first TB was sent.
    pub dyn_n: u64,
    /// Cycles from their launch calls to their first TBs, summed.
    pub dyn_wait: u64,
    /// TBs sent.
    pub tbs: u64,
    /// Resident warps, summed over cycles.
    pub warp_cycles: u64,
    /// Cycles carried out: the current one's number.
    pub ticks: u64,
    /// Most launch records in use at once.
    pub rec_peak: u64,
    /// Cycles whose word was gated.
    pub gated: u64,
    /// Cycles whose word was capped.
    pub capped: u64,
    /// TBs sent from behind the FIFO's head.
    pub passed: u64,
    /// Samples that the occupancy-bubble controller took.
    pub samples: u64,
    /// Nodes of dependency graphs sent.
    pub graph_tbs: u64,
}

impl From<gpusched::Stats> for gpusched_frontend_stats {
    fn from(stats: gpusched::Stats) -> Self {
        let gpusched::Stats { kde_hit, kde_miss, agt_hit, agt_spill, dyn_n, dyn_wait, tbs, warp_cycles, ticks, .. } =
            stats;
        let gpusched::Stats { rec_peak, gated, capped, passed, graph_tbs, samples, .. } = stats;
        Self {
            kde_hit,
            kde_miss,
            agt_hit,
            agt_spill,
            dyn_n,
            dyn_wait,
            tbs,
            warp_cycles,
            ticks,
            rec_peak,
            gated,
            capped,
            passed,
            samples,
            graph_tbs,
        }
    }
}

/// What is free on an SMX.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_smx {
    /// Bit w: TB slot w is free.
    pub slots: u64,
    /// Threads.
    pub threads: u32,
    /// Registers.
    pub regs: u32,
    /// Shared memory, bytes.
    pub smem: u32,
    /// Not free: resident warps.
    pub warps: u32,
}

impl From<&gpusched::Smx> for gpusched_smx {
    fn from(smx: &gpusched::Smx) -> Self {
        let &gpusched::Smx { slots, threads, regs, smem, warps } = smx;
        Self { slots, threads, regs, smem, warps }
    }
}

/// A resident TB, as its control register shows it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tb {
    /// SMX.
    pub smx: u32,
    /// TB slot.
    pub slot: u32,
    /// Entry of its kernel.
    pub kde: u32,
    /// gpusched_unit: what it is part of.
    pub unit: u32,
    /// AGE or launch record, as `unit` says.
    pub group: u32,
    /// Its number in that grid.
    pub blkid: u32,
    /// Its class when it was sent; GPUSCHED_NONE if it had none.
    pub class_id: u32,
    /// 1 if it bypasses L1, else 0.
    pub bypass: u32,
    /// Its priority (LaPerm).
    pub prio: u32,
}

impl From<TbView> for gpusched_tb {
    fn from(tb: TbView) -> Self {
        let (unit, group) = tb_ref(tb.tb_ref);
        Self {
            smx: tb.smx.0.into(),
            slot: tb.slot.0.into(),
            kde: tb.kde.0.into(),
            unit: unit as u32,
            group,
            blkid: tb.blkid,
            class_id: tb.class.map_or(GPUSCHED_NONE, |class| class.0.into()),
            bypass: tb.bypass.into(),
            prio: tb.prio.into(),
        }
    }
}

/// Progress of the load of a spilled group.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_load {
    /// Not asked for.
    NotAsked = 0,
    /// Asked for.
    Waiting = 1,
    /// Here.
    Here = 2,
}

impl From<Load> for gpusched_load {
    fn from(load: Load) -> Self {
        match load {
            Load::NotAsked => Self::NotAsked,
            Load::Waiting(_) => Self::Waiting,
            Load::Here => Self::Here,
        }
    }
}

/// A place of the load buffer that is taken: a spilled group that was asked for before its turn.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_load_place {
    /// Its launch record.
    pub record: u32,
    /// gpusched_load. With load_mode fixed it stays at Waiting, and is here load_cycles after it was asked for.
    pub load: u32,
}

/// The dependency graph of a kernel.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_graph_state {
    /// It has none.
    None = 0,
    /// It waits for the kernel's arrival.
    Coming = 1,
    /// The dependency-graph buffer runs it.
    Running = 2,
    /// Every node is done.
    Finished = 3,
    /// Its memory contradicts itself; it waits for gpusched_frontend_abort_graph.
    Faulted = 4,
    /// It was given up: nodes that were not sent never are.
    Aborted = 5,
}

impl From<Option<GraphState>> for gpusched_graph_state {
    fn from(state: Option<GraphState>) -> Self {
        match state {
            None => Self::None,
            Some(GraphState::Coming) => Self::Coming,
            Some(GraphState::Running) => Self::Running,
            Some(GraphState::Finished) => Self::Finished,
            Some(GraphState::Faulted) => Self::Faulted,
            Some(GraphState::Aborted) => Self::Aborted,
        }
    }
}

/// A kernel distributor entry that is not free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_kde {
    /// Tag of the kernel.
    pub tag: u64,
    /// Program entry.
    pub pc: u64,
    /// The cycle in which it arrives, at least 1; 0 if it is there: active.
    pub arrives: u64,
    /// Native TBs.
    pub total: u32,
    /// The next native TB to send.
    pub next_native: u32,
    /// TBs that a suspension took off their SMXs.
    pub saved: u32,
    /// Those of them that were sent again.
    pub restored: u32,
    /// Resident TBs, native and aggregated (ExeBL).
    pub exe: u32,
    /// Groups that joined and are not done.
    pub live: u32,
    /// Hardware work queue that it holds; GPUSCHED_NONE for device kernels.
    pub queue: u32,
    /// SMX of the TB that launched it; GPUSCHED_NONE for host kernels.
    pub psmx: u32,
    /// Nesting depth; 0 for host kernels.
    pub depth: u32,
    /// Priority of its native TBs (LaPerm).
    pub prio: u32,
    /// Units of it that LaPerm holds.
    pub pend: u32,
    /// 1 if the entry stays when its last TB has ended, else 0.
    pub retain: u32,
    /// 1 if it has TBs or groups to send, else 0.
    pub marked: u32,
    /// The first bit: 1 if native TBs are still to be sent, else 0.
    pub first: u32,
    /// NAGEI, the first group with TBs to send: gpusched_unit, and its number.
    pub nagei_unit: u32,
    /// See nagei_unit.
    pub nagei: u32,
    /// LAGEI, the last such group: gpusched_unit, and its number.
    pub lagei_unit: u32,
    /// See lagei_unit.
    pub lagei: u32,
    /// 1 if the scheduler has tried it, else 0 and the fields below are 0. At the FIFO's head they are SSCR.
    pub tried: u32,
    /// AGEI, the group that is being sent: gpusched_unit (Native for the kernel's own grid), and its number.
    pub agei_unit: u32,
    /// See agei_unit.
    pub agei: u32,
    /// NextBL: the next TB of what is being sent.
    pub next_bl: u32,
    /// gpusched_load.
    pub load: u32,
    /// Groups sent in this turn.
    pub turn: u32,
    /// gpusched_graph_state: its dependency graph.
    pub graph: u32,
}

impl gpusched_kde {
    pub(crate) fn of<T: Tables>(gpu: &FrontEnd<T>, entry: &Kde) -> Self {
        let at = |record: Option<RecordId>| optional_ref(record.and_then(|r| gpu.group_location(r)));
        let (nagei, lagei) = (at(entry.chain.map(|c| c.next)), at(entry.chain.map(|c| c.last)));
        let kernel = &entry.kernel;
        let base = Self {
            tag: kernel.descriptor.tag,
            pc: kernel.descriptor.pc,
            arrives: match entry.phase {
                Phase::Arriving(at) => at.0,
                _ => 0,
            },
            total: entry.total,
            next_native: kernel.next_native,
            saved: kernel.saved,
            restored: entry.restored,
            exe: entry.exe,
            live: entry.live,
            queue: match kernel.source {
                Source::Hwq(queue) => queue.0.into(),
                Source::Device => GPUSCHED_NONE,
            },
            psmx: kernel.psmx.map_or(GPUSCHED_NONE, |smx| smx.0.into()),
            depth: kernel.depth.into(),
            prio: kernel.prio.into(),
            pend: entry.pend,
            retain: entry.retain.into(),
            marked: entry.mark.is_some().into(),
            first: entry.mark.is_some_and(|mark| mark.first).into(),
            nagei_unit: nagei.0 as u32,
            nagei: nagei.1,
            lagei_unit: lagei.0 as u32,
            lagei: lagei.1,
            graph: gpusched_graph_state::from(entry.graph) as u32,
            ..Self::default()
        };
        let Some(&Cursor { group, next_bl, load, turn }) = entry.cursor() else { return base };
        let (unit, agei) = if group.is_some() { at(group) } else { (gpusched_unit::Native, 0) };
        Self {
            tried: 1,
            agei_unit: unit as u32,
            agei,
            next_bl: if group.is_some() { next_bl } else { kernel.next_native },
            load: gpusched_load::from(load) as u32,
            turn,
            ..base
        }
    }
}

/// What a launch record in use holds.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_record_state {
    /// A group that waits for its join.
    Agg = 1,
    /// A kernel that waits for the KMU.
    Dev = 2,
    /// A coalesced group.
    Grp = 3,
}

/// A launch record in use.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_record {
    /// Tag of the launch.
    pub tag: u64,
    /// The cycle from which it may be served.
    pub ready: u64,
    /// The cycle of the launch call.
    pub called: u64,
    /// gpusched_record_state.
    pub state: u32,
    /// TBs of its grid.
    pub total: u32,
    /// SMX of the calling TB.
    pub psmx: u32,
    /// Nesting depth of what was launched.
    pub depth: u32,
    /// Priority of its TBs (LaPerm).
    pub prio: u32,
}

impl From<&gpusched::Record> for gpusched_record {
    fn from(record: &gpusched::Record) -> Self {
        Self {
            tag: record.descriptor.tag,
            ready: record.key.ready.0,
            called: record.t0.0,
            state: match record.state {
                RecordState::Agg { .. } => gpusched_record_state::Agg as u32,
                RecordState::Dev => gpusched_record_state::Dev as u32,
                RecordState::Grp(_) => gpusched_record_state::Grp as u32,
                RecordState::Free => 0,
            },
            total: record.shape.total,
            psmx: record.psmx.0.into(),
            depth: record.depth.into(),
            prio: record.prio.into(),
        }
    }
}

/// A live group, as its AGE, or its launch record if it spilled, shows it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_group_view {
    /// Its tag.
    pub tag: u64,
    /// Its launch record.
    pub record: u32,
    /// Where its information is: gpusched_unit, and the AGE or record.
    pub at_unit: u32,
    /// See at_unit.
    pub at: u32,
    /// Entry of the kernel that it joined.
    pub kde: u32,
    /// Next, the group behind it: gpusched_unit, and its number.
    pub next_unit: u32,
    /// See next_unit.
    pub next: u32,
    /// Its resident TBs (ExeBL).
    pub exe: u32,
    /// 1 if every TB of it was sent, else 0.
    pub dist: u32,
}

impl gpusched_group_view {
    pub(crate) fn of<T: Tables>(gpu: &FrontEnd<T>, group: &GroupView) -> Self {
        let (at_unit, at) = optional_ref(gpu.group_location(group.record));
        let (next_unit, next) = optional_ref(group.next);
        Self {
            tag: group.tag,
            record: group.record.0,
            at_unit: at_unit as u32,
            at,
            kde: group.kde.0.into(),
            next_unit: next_unit as u32,
            next,
            exe: group.exe,
            dist: group.dist.into(),
        }
    }
}

/// A hardware work queue.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_hwq {
    /// 1 if a kernel of it is arriving, active or suspended, else 0.
    pub busy: u32,
    /// Kernels that wait in it.
    pub len: u32,
}

impl From<HwqView> for gpusched_hwq {
    fn from(HwqView { busy, len }: HwqView) -> Self {
        Self { busy: busy.into(), len }
    }
}

/// A suspended kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_suspended {
    /// Its tag.
    pub tag: u64,
    /// TBs that were taken off their SMXs.
    pub saved: u32,
    /// 1 if it was resumed and waits for the KMU, else 0.
    pub resumed: u32,
}

impl From<&gpusched::Suspended> for gpusched_suspended {
    fn from(suspended: &gpusched::Suspended) -> Self {
        let kernel = &suspended.kernel;
        Self { tag: kernel.descriptor.tag, saved: kernel.saved, resumed: suspended.resumed.is_some().into() }
    }
}

/// The cap of a class on an SMX.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_class_cap {
    /// TBs of the class that the SMX may hold; tb_slots is open.
    pub cap: u32,
    /// Resident TBs of the class that may bypass L1.
    pub by: u32,
    /// Resident TBs of the class.
    pub resident: u32,
    /// Those of them that bypass L1.
    pub bypassing: u32,
}

impl From<&ClassCap> for gpusched_class_cap {
    fn from(&ClassCap { cap, by, resident, bypassing }: &ClassCap) -> Self {
        Self { cap: cap.into(), by: by.into(), resident: resident.into(), bypassing: bypassing.into() }
    }
}

/// The unit at the head of the line, for controllers that wake SMXs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_waiting_head {
    /// SMXs that may take it, were they eligible and free.
    pub allowed: gpusched_smx_set,
    /// Tag of the kernel or group whose TB is next.
    pub tag: u64,
    /// 1 if there is one, else 0 and all fields are 0.
    pub present: u32,
    /// Threads of that TB.
    pub threads: u32,
    /// Registers of that TB.
    pub regs: u32,
    /// Shared memory of that TB, bytes.
    pub smem: u32,
    /// Warps of that TB.
    pub warps: u32,
}

impl From<Option<WaitingHead>> for gpusched_waiting_head {
    fn from(head: Option<WaitingHead>) -> Self {
        let Some(WaitingHead { tag, need, allowed }) = head else { return Self::default() };
        let gpusched::Need { threads, regs, smem, warps } = need;
        Self { allowed: allowed.into(), tag, present: 1, threads, regs, smem, warps }
    }
}
