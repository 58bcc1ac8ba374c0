//! Everything that can be seen of a front end, as one comparable value.

use std::collections::BTreeMap;

pub use gpusched::LoadView;
use gpusched::laperm::Backup;
use gpusched::power::Resident;
use gpusched::{
    ClassCap, ClassId, ContextId, ContextView, Cycle, DrainId, DrainView, FrontEnd, GpcId, GraphState, GridId,
    GridStats, GroupRef, HwqId, Id, InstanceId, KernelSlot, KgraphId, LoadPlace, Owner, RecordId, RecordKind,
    Resources, Smx, SmxId, SmxSet, State, Stats, SuspId, SuspendedView as Suspended, Tables, TbRef, TbView, ToldState,
    UnitId, WaitingHead,
};

use crate::calls::frontend::Queries;
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
    /// Context and priority of its stream.
    pub owner: (u8, u8),
    /// TBs of its next dispatch, if it is a kernel of clusters with TBs to send; else 0.
    pub unit: u32,
    /// When its frozen TBs are taken off, while it is being saved.
    pub saving: Option<u64>,
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
    /// A tail launch whose turn has not come; from when on it could be ready.
    Tail(u64),
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

/// Whose a grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridKind {
    /// The host's, of this queue.
    Host(u8),
    /// Fired and forgotten.
    FireAndForget,
    /// A tail launch.
    Tail,
    /// The device's, where nobody waits for it.
    Device,
    /// A kernel of the kernel graph that this instance runs.
    Node(u8),
}

/// A grid that is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridView {
    /// Its tag.
    pub tag: u64,
    /// Whose it is.
    pub kind: GridKind,
    /// Tag of the grid that waits for it.
    pub parent: Option<u64>,
    /// Incomplete children that are no tail launches.
    pub kids: u32,
    /// Incomplete tail launches.
    pub tails: u32,
    /// Whether its kernel has ended.
    pub has_ended: bool,
    /// Whether what follows it may be issued.
    pub is_open: bool,
    /// When what it wrote is visible, while that is to come.
    pub flushed: Option<u64>,
}

/// Grids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridsView {
    /// Those that are not complete, in the order in which they were made.
    pub all: Vec<GridView>,
    /// What they have come to.
    pub stats: GridStats,
    /// Kernel graphs, if there are such.
    pub kgraphs: Option<KgraphsView>,
}

/// Kernel graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KgraphsView {
    /// Of each graph its kernels, launches that wait, and what runs it.
    pub graphs: BTreeMap<u8, (u32, u64, Option<u8>)>,
    /// Of each instance its graph, its queue, and kernels that are not complete.
    pub instances: BTreeMap<u8, (u8, u8, u32)>,
    /// Kernels that wait for the KMU, in the order in which they were queued: instance, kernel, from when on.
    pub ready: BTreeMap<u64, (u8, u16, u64)>,
    /// When the host's way of launching is free.
    pub host_free: u64,
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
    pub status: State,
    /// Gate E.
    pub eligible: [u64; 4],
    /// Gate X.
    pub block_caps: Vec<u32>,
    /// Gate K: pc, caps per SMX, and whether the class has work.
    pub classes: Vec<(Option<u64>, Vec<ClassCap>, bool)>,
    /// frontend-C2, from each unit on.
    pub waiting_heads: Vec<Option<WaitingHead>>,
    /// How things stand with a host that decides.
    pub told: Option<ToldState>,
    /// Where SMXs lie: GPCs, TPCs; none without a topology.
    pub topology: Option<(Vec<SmxSet>, Vec<SmxSet>)>,
    /// Clusters: the GPC that is asked next, and the place in each that is.
    pub clusters: Option<(u32, Vec<u32>)>,
    /// Contexts, if there are some.
    pub contexts: Option<Vec<ContextView>>,
    /// Streams that were set: context and priority.
    pub streams: BTreeMap<u32, (u8, u8)>,
    /// Requests that SMXs be drained.
    pub drains: BTreeMap<u8, DrainView>,
    /// Grids, where completion is told apart from the end of a kernel.
    pub grids: Option<GridsView>,
    /// The units.
    pub laperm: Option<LaPermView>,
    /// The occupancy-bubble controller.
    pub bubble: Option<bubble::View>,
    /// The dependency-graph buffer, and the kernel that has it.
    pub dgb: Option<(dats::view::View, Option<KernelSlot>)>,
}

/// What is seen of the machines that are part of it.
pub trait Parts: Queries {
    /// The occupancy-bubble controller, if there is one.
    fn bubble_view(&self) -> Option<bubble::View>;
    /// The dependency-graph buffer, and the kernel that has it.
    fn dgb_view(&self) -> Option<(dats::view::View, Option<KernelSlot>)>;
}

impl<T: Tables> Parts for FrontEnd<T> {
    fn bubble_view(&self) -> Option<bubble::View> {
        let resident = |s: SmxId| self.resident_tbs().filter(|tb| tb.smx == s).count() as u32;
        let ledger = |s| {
            let Smx { slots, threads, regs, smem, warps } = *self.smx(s)?;
            let free = Resources { threads, regs, smem, slots: slots.count_ones() };
            Some((free, Resident { tbs: resident(s), warps }))
        };
        Some(bubble::View::of(self.bubble()?, ledger))
    }

    fn dgb_view(&self) -> Option<(dats::view::View, Option<KernelSlot>)> {
        Some((dats::view::View::of_part(self.dgb()?).specified(), self.dgb_owner()))
    }
}

impl View {
    /// What can be seen of this machine.
    #[must_use]
    pub fn of(gpu: &impl Parts) -> Self {
        let config = gpu.config();
        let smxs = || (0..config.n_smx as usize).map(SmxId::from_index);
        let class = |c: ClassId| {
            (gpu.class_pc(c), smxs().filter_map(|s| gpu.class_cap(c, s)).collect(), gpu.has_work(c) == Ok(true))
        };
        let free = |s: Smx| [s.slots.count_ones(), s.threads, s.regs, s.smem];
        let age = |group: gpusched::GroupView| match group.at {
            GroupRef::Age(age) => (age.0, group.record),
            elsewhere => panic!("the group table holds {elsewhere:?}"),
        };
        let view = Self {
            now: gpu.now().0,
            rr: gpu.rr(),
            fcfs: gpu.fcfs(),
            kdes: (0..config.n_kde as u8).map(KernelSlot).filter_map(|k| Some((k, kde(gpu.kde_view(k)?)))).collect(),
            agt: gpu.agt().into_iter().map(age).collect(),
            load_buffer: gpu.load_buffer().into_iter().map(|LoadPlace { record, load }| (record, load)).collect(),
            records: (0..config.pend_limit).map(RecordId).filter_map(|r| Some((r, record(gpu, r)?))).collect(),
            hwqs: (0..=255)
                .map_while(|q| Some((q, gpu.hwq(HwqId(q))?)))
                .filter(|(_, q)| q.busy || q.len > 0)
                .map(|(q, view)| (q, (view.busy, view.len)))
                .collect(),
            suspended: (0..config.susp_cap as u8)
                .filter_map(|i| Some((i, gpu.suspended_view(SuspId(i))?)))
                .map(|(i, Suspended { tag, saved, resumed })| (i, (tag, saved, resumed)))
                .collect(),
            smxs: smxs().filter_map(|s| gpu.smx(s)).map(free).collect(),
            tbs: gpu.resident_tbs(),
            warps: gpu.resident_warps(),
            stats: gpu.stats(),
            told: gpu.told_state(),
            status: gpu.status(),
            eligible: gpu.eligible().words(),
            block_caps: smxs().filter_map(|s| gpu.block_cap(s)).collect(),
            classes: (0..config.n_class as u8).map(|c| class(ClassId(c))).collect(),
            waiting_heads: (0..).map_while(|start| gpu.waiting_head(start).ok()).collect(),
            topology: topology(gpu),
            clusters: config.cluster.map(|_| {
                let places = (0..=255).map(GpcId).map_while(|g| gpu.gpc(g));
                (gpu.gpc_pointer().expect("there are GPCs").into(), places.map(|gpc| gpc.place).collect())
            }),
            contexts: config
                .partition
                .map(|part| (0..part.contexts as u8).filter_map(|c| gpu.context(ContextId(c))).collect()),
            streams: (0..if config.partition.is_some() || config.priority.is_some() { config.n_stream } else { 0 })
                .filter_map(|stream| Some((stream, gpu.stream(stream)?)))
                .map(|(stream, Owner { context, priority })| (stream, (context.0, priority)))
                .collect(),
            drains: (0..config.preempt.map_or(0, |part| part.drain_max as u8))
                .filter_map(|i| Some((i, gpu.drain_request(DrainId(i))?)))
                .collect(),
            grids: grids(gpu),
            laperm: laperm(gpu),
            bubble: gpu.bubble_view(),
            dgb: gpu.dgb_view(),
        };
        let spilled = gpu.spilled();
        assert!(spilled.iter().all(|group| gpu.group(group.record) == Some(*group)), "{spilled:?}");
        assert_eq!(view.records.len() as u32, gpu.records_in_use());
        view
    }
}

fn grids(gpu: &impl Queries) -> Option<GridsView> {
    let stats = gpu.grid_stats()?;
    let mut all: Vec<_> = (0..gpu.n_grid()).filter_map(|g| gpu.grid(GridId(g))).collect();
    all.sort_unstable_by_key(|grid| grid.made);
    let tag = |g| gpu.grid(g).expect("a grid that waits is not complete").tag;
    let view = |grid: gpusched::GridView| {
        let gpusched::GridView { tag: of, kids, tails, parent, queue, instance, is_tail, is_ended, .. } = grid;
        let kind = match (queue, instance, parent) {
            (Some(queue), ..) => GridKind::Host(queue.0),
            (_, Some(instance), _) => GridKind::Node(instance.0),
            (.., Some(_)) if is_tail => GridKind::Tail,
            (.., Some(_)) => GridKind::FireAndForget,
            (.., None) => GridKind::Device,
        };
        GridView {
            tag: of,
            kind,
            parent: parent.map(tag),
            kids,
            tails,
            has_ended: is_ended,
            is_open: grid.is_open,
            flushed: grid.flushed.map(|at| at.0),
        }
    };
    for k in (0..gpu.config().n_kde as u8).map(KernelSlot) {
        let (entry, grid) = (gpu.kde_view(k).map(|entry| entry.tag), gpu.grid_of(k).map(tag));
        assert_eq!(entry, grid, "the kernel in an entry has a grid");
    }
    Some(GridsView { all: all.into_iter().map(view).collect(), stats, kgraphs: kgraphs(gpu) })
}

fn kgraphs(gpu: &impl Queries) -> Option<KgraphsView> {
    let part = gpu.config().kgraph?;
    let graph = |g: u32| {
        let of = gpu.kernel_graph(KgraphId(g as u8))?;
        Some((g as u8, (of.nodes, of.waiting, of.instance.map(|i| i.0))))
    };
    let instances = || (0..part.insts as u8).filter_map(|i| Some((i, gpu.instance(InstanceId(i))?)));
    let ready = |(i, _)| {
        let nodes = gpu.ready_nodes(InstanceId(i)).into_iter();
        nodes.map(move |of| (of.key.seq, (i, of.node.0, of.key.ready.0))).collect::<Vec<_>>()
    };
    Some(KgraphsView {
        graphs: (0..part.graphs).filter_map(graph).collect(),
        instances: instances().map(|(i, of)| (i, (of.graph.0, of.queue.0, of.left))).collect(),
        ready: instances().flat_map(ready).collect(),
        // What C shows at the end of time is none.
        host_free: gpu.host_free().map_or(u64::MAX, |at| at.0),
    })
}

fn topology(gpu: &impl Queries) -> Option<(Vec<SmxSet>, Vec<SmxSet>)> {
    let gpcs: Vec<_> = (0..=255).map(GpcId).map_while(|g| gpu.gpc(g)).map(|gpc| gpc.smxs).collect();
    let tpcs = gpu.tpcs().into_iter().map(|tpc| tpc.smxs).collect();
    (!gpcs.is_empty()).then_some((gpcs, tpcs))
}

fn kde(e: gpusched::KdeView) -> KdeView {
    let group = match e.agei {
        TbRef::Group(group) => Some(group),
        _ => None,
    };
    KdeView {
        tag: e.tag,
        pc: e.pc,
        total: e.total,
        queue: e.queue,
        arrives: Some(e.arrives.0).filter(|at| *at > 0),
        mark: e.marked.then_some(e.first),
        cursor: e.tried.then_some(CursorView { group, next_bl: e.next_bl, load: e.load, turn: e.turn }),
        chain: e.nagei.zip(e.lagei),
        exe: e.exe,
        live: e.live,
        next_native: e.next_native,
        saved: (e.saved, e.restored),
        depth: e.depth,
        retain: e.retain,
        psmx: e.psmx,
        prio: e.prio,
        pend: e.pend,
        graph: e.graph,
        owner: (e.context.0, e.priority),
        unit: e.unit,
        saving: Some(e.until.0).filter(|until| *until > 0),
    }
}

fn laperm(gpu: &impl Queries) -> Option<LaPermView> {
    let units = || (0..gpu.laperm_units().unwrap_or(0) as usize).map(UnitId::from_index);
    let unit = |u: gpusched::UnitView| {
        let of = gpu.record_view(u.record?)?;
        assert_eq!((of.tag, of.prio), (u.tag, u.prio), "a unit has the tag of its work");
        Some(of)
    };
    let view = |u: gpusched::UnitView| {
        let gpusched::UnitView { tag, section, prio, next, tbs, ready_at, record, .. } = u;
        assert_eq!(unit(u).is_some(), record.is_some());
        UnitView { tag, section, prio, next, tbs, ready_at }
    };
    let on_chip = |unit| gpu.laperm_queue(unit).map(|queue| queue.into_iter().map(view).collect::<Vec<_>>());
    let in_memory = |unit| gpu.laperm_overflow(unit).map(|list| list.into_iter().map(view).collect());
    Some(LaPermView {
        cur: gpu.laperm_cur()?,
        backups: (0..gpu.config().n_smx as usize)
            .map(|s| gpu.laperm_backup(SmxId::from_index(s)))
            .collect::<Option<_>>()?,
        kptr: gpu.laperm_kmu_pointer()?,
        pool_free: gpu.laperm_pool_free()?,
        queues: units().map(|u| on_chip(Some(u))).collect::<Option<_>>()?,
        queue0: on_chip(None)?,
        overflow: units().map(in_memory).collect::<Option<_>>()?,
    })
}

fn record(gpu: &impl Queries, r: RecordId) -> Option<RecordView> {
    let record = gpu.record_view(r)?;
    let state = match record.state {
        RecordKind::Agg => RecordStateView::Agg(record.ready.0),
        RecordKind::Dev => RecordStateView::Dev(record.ready.0),
        RecordKind::Tail => RecordStateView::Tail(record.ready.0),
        RecordKind::Grp => {
            let group = gpu.group(r)?;
            assert_eq!((group.tag, group.record), (record.tag, r));
            let gpusched::GroupView { at, kde, next, exe, dist, .. } = group;
            RecordStateView::Grp { at, kde, next, exe, dist }
        }
    };
    Some(RecordView {
        tag: record.tag,
        total: record.total,
        called: record.called.0,
        depth: record.depth,
        psmx: record.psmx,
        prio: record.prio,
        state,
    })
}
