//! Random scripts, whose steps are aimed at what is there when they are taken.

use gpusched::{
    Cluster, Consumers, Cycle, Descriptor, DeviceLaunch, Dim3, GpcSet, GroupLaunch, KernelEdge, KernelNode, SmxSet,
    TbView,
};
use gpusched_tests::drain::{loading_units, waiting_loads};
use gpusched_tests::events::Event;
use proptest::prelude::*;
use proptest::sample::select;

use crate::properties::configs::Machine;
use crate::properties::graphs::{Graph, Memories, graphs, shared_graphs};

/// A launch before it has a tag.
#[derive(Clone, Debug)]
pub struct Launch {
    pc: u64,
    grid: Dim3,
    tb: Dim3,
    regs: u32,
    smem: u32,
    hw_tid: u32,
    /// Take the key of the calling TB's kernel, so that a group finds it.
    like_parent: bool,
    cluster: Cluster,
}

/// Kernels and groups; now and then one that is refused.
pub fn launches() -> impl Strategy<Value = Launch> {
    let dim = |x: u32, y: u32, z: u32| Dim3 { x, y, z };
    let wrong = vec![
        dim(0, 1, 1),
        dim(1, 0, 1),
        dim(1, 1, 0),
        dim(0x8000_0000, 1, 1),
        dim(1, 0x1_0000, 1),
        dim(1, 1, 0x1_0000),
        dim(0x7fff_ffff, 3, 1),
        dim(0x1_0000, 0xffff, 2),
        dim(u32::MAX, u32::MAX, u32::MAX),
    ];
    let grid = prop_oneof![
        20 => (1..=4u32).prop_map(Dim3::linear),
        10 => (5..=20u32).prop_map(Dim3::linear),
        6 => (1..=2u32, 1..=2u32, 1..=2u32).prop_map(move |(x, y, z)| dim(x, y, z)),
        1 => select(wrong.clone()),
    ];
    let tb = prop_oneof![
        30 => (1..=2u32).prop_map(Dim3::linear),
        6 => (1..=2u32, 1..=2u32, 1..=2u32).prop_map(move |(x, y, z)| dim(x, y, z)),
        1 => select(wrong),
    ];
    let resource = || prop_oneof![12 => Just(0u32), 3 => 1..=2u32, 1 => 3..=6u32];
    (1..=3u64, grid, tb, resource(), resource(), prop_oneof![10 => 0..=1u32, 1 => 0..=6u32], prop::bool::weighted(0.7))
        .prop_map(|(pc, grid, tb, regs, smem, hw_tid, like_parent)| Launch {
            pc,
            grid,
            tb,
            regs,
            smem,
            hw_tid,
            like_parent,
            cluster: Cluster::default(),
        })
}

/// The same, many with clusters: most of them of a shape that the grid is a multiple of.
fn clustered() -> impl Strategy<Value = Launch> {
    let clusters = prop_oneof![
        6 => Just(Cluster::default()),
        6 => (1..=4u8).prop_map(|x| Cluster::new(x.into(), 1, 1)),
        2 => (1..=2u32, 1..=2u32, 1..=2u32).prop_map(|(x, y, z)| Cluster::new(x, y, z)),
        1 => (0..=2u32, 0..=3u32, 0..=1u32).prop_map(|(x, y, z)| Cluster::new(x, y, z)),
    ];
    (launches(), clusters, 1..=3u32, any::<bool>(), prop::bool::weighted(0.9)).prop_map(
        |(l, cluster, n, nonportable, fits)| {
            let (x, y, z) = (u32::from(cluster.x), u32::from(cluster.y), u32::from(cluster.z));
            let grid = if fits && cluster.size() > 1 { Dim3 { x: n * x, y, z } } else { l.grid };
            let cluster = Cluster { nonportable: u8::from(nonportable), ..cluster };
            Launch { grid, cluster: if cluster.size() == 1 && !fits { Cluster::new(1, 1, 1) } else { cluster }, ..l }
        },
    )
}

/// A step of a script. Numbers choose among what is there.
#[derive(Clone, Debug)]
pub enum Step {
    Host(u32, Launch, bool),
    Device(u8, Vec<Launch>),
    Group(u8, Vec<Launch>),
    /// Launches into named streams.
    Named(u8, Vec<(Launch, u32)>),
    /// Programmatic dependents, the second one with a graph, which has a grid of its own.
    Dependent(u32, Launch, bool),
    DependentGraph(u32, Launch, Graph),
    /// A TB triggers, or every one of a kernel.
    Trigger(u8),
    TriggerKernel(u8),
    Wait(u8),
    WaitKernel(u8),
    /// A kernel graph is defined: kernels, some of which are to be retained, and edges, of which the numbers choose.
    Define(Vec<(Launch, bool)>, Vec<[u8; 3]>),
    LaunchKgraph(u8, u32),
    DestroyKgraph(u8),
    /// One TB ends.
    End(u8),
    /// Every TB of a kernel ends in one cycle, which is how a kernel goes while a group is on its way (dtbl-H4).
    EndKernel(u8),
    /// Every TB ends that may, a cycle goes by, and so again.
    EndAll,
    Unretain(u8),
    Suspend(u8),
    Resume(u8),
    Loaded(u8),
    Tick,
    Run(u64),
    /// To the cycle of the next decision, or the one before it.
    ToNext(bool),
    /// Until something is decided, for at most so many cycles.
    Advance(u64),
    /// Until something is decided, however long it takes; if it takes long, the last cycle instead.
    AdvanceFreely,
    Eligible(u8),
    BlockCap(u8, u8),
    Class(u8, Option<u64>),
    ClassCap(u8, u8, u8, u8),
    /// The FIFO's head gets a class of its own, with one cap on every SMX: what is behind it may pass.
    CapHead(u8, u8),
    /// Each class gets a kernel, and on each SMX a cap of its own: kernels share SMXs.
    Share(u64),
    /// A kernel with a graph, which has a grid of its own.
    Graph(u32, Launch, Graph),
    /// Two kernels that share a graph; whether they are programmatic dependents.
    Cross(u32, [Launch; 2], Graph, bool),
    GraphPoll,
    GraphAnswer(u8),
    GraphJunk(u8, u8),
    /// Everything that memory is asked for is answered.
    GraphServe,
    AbortGraph(u8),
    /// A stream gets a context and a priority, or one of them.
    Stream(u32, Option<u8>, Option<u8>),
    /// A context gets SMXs or GPCs, a share and entries.
    Context(u8, Option<u8>, Option<u8>, Option<u32>, Option<u8>),
    /// SMXs are to be drained of everybody, a context or a kernel.
    Drain(u8, Option<u8>, Option<u8>),
    ReleaseDrain(u8),
    SaveKernel(u8),
    MaxActive(Launch, u8),
    GpcOf(u8),
    /// A question, or what the controller is told.
    Ask(u8, u32),
    /// A call with numbers that mostly name nothing.
    Wild(u8, u32, u32),
}

/// Numbers around every limit: of what there is, of an id's width, of all numbers.
fn wild() -> impl Strategy<Value = u32> {
    let around = |limit: u32| (limit - 2)..=(limit + 1);
    prop_oneof![8 => 0..=4u32, 1 => around(1 << 8), 1 => around(1 << 16), 1 => around(1 << 31), 1 => (u32::MAX - 2)..=u32::MAX]
}

fn hosts() -> impl Strategy<Value = Step> {
    (0..4u32, launches(), prop::bool::weighted(0.2)).prop_map(|(s, l, r)| Step::Host(s, l, r))
}

/// A few host kernels, then steps.
fn starting<S: Strategy<Value = Step>>(steps: S) -> impl Strategy<Value = Vec<Step>> {
    let parts = (prop::collection::vec(hosts(), 1..6), prop::collection::vec(steps, 1..120));
    parts.prop_map(|(first, rest)| [first, rest].concat())
}

fn plain_steps() -> impl Strategy<Value = Step> {
    let few = || prop::collection::vec(launches(), 1..=2usize);
    let lanes = move || prop_oneof![8 => few(), 1 => prop::collection::vec(launches(), 0..=5usize)];
    prop_oneof![
        8 => hosts(),
        5 => (any::<u8>(), lanes()).prop_map(|(p, l)| Step::Device(p, l)),
        10 => (any::<u8>(), lanes()).prop_map(|(p, l)| Step::Group(p, l)),
        12 => any::<u8>().prop_map(Step::End),
        4 => any::<u8>().prop_map(Step::EndKernel),
        2 => any::<u8>().prop_map(Step::Unretain),
        4 => any::<u8>().prop_map(Step::Suspend),
        4 => any::<u8>().prop_map(Step::Resume),
        3 => any::<u8>().prop_map(Step::Loaded),
        24 => Just(Step::Tick),
        4 => (0..8u64).prop_map(Step::Run),
        4 => any::<bool>().prop_map(Step::ToNext),
        3 => (0..12u64).prop_map(Step::Advance),
        3 => Just(Step::AdvanceFreely),
        3 => (any::<u8>(), wild()).prop_map(|(kind, a)| Step::Ask(kind, a)),
        2 => (any::<u8>(), wild(), wild()).prop_map(|(kind, a, b)| Step::Wild(kind, a, b)),
    ]
}

fn gate_steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => any::<u8>().prop_map(Step::Eligible),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(s, c)| Step::BlockCap(s, c)),
        4 => (any::<u8>(), prop::option::weighted(0.8, 1..=2u64)).prop_map(|(c, pc)| Step::Class(c, pc)),
        4 => (any::<u8>(), any::<u8>()).prop_map(|(c, cap)| Step::CapHead(c, cap)),
        6 => any::<u64>().prop_map(Step::Share),
        4 => (any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>())
            .prop_map(|(c, s, cap, by)| Step::ClassCap(c, s, cap, by)),
    ]
}

fn graph_steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4u32, launches(), graphs()).prop_map(|(s, l, g)| Step::Graph(s, l, g)),
        4 => (0..4u32, [launches(), launches()], shared_graphs(), prop::bool::weighted(0.2))
            .prop_map(|(s, l, g, d)| Step::Cross(s, l, g, d)),
        4 => Just(Step::GraphPoll),
        4 => any::<u8>().prop_map(Step::GraphAnswer),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(i, kind)| Step::GraphJunk(i, kind)),
        6 => Just(Step::GraphServe),
        1 => any::<u8>().prop_map(Step::AbortGraph),
    ]
}

/// A script with graphs, and all the rest.
pub fn graph_script() -> impl Strategy<Value = Vec<Step>> {
    let steps = prop_oneof![12 => plain_steps().boxed(), 2 => gate_steps().boxed(), 10 => graph_steps().boxed()];
    (graph_steps(), starting(steps)).prop_map(|(first, rest)| [vec![first], rest].concat())
}

fn modern_steps() -> impl Strategy<Value = Step> {
    let some = |weight: f64| prop::option::weighted(weight, any::<u8>());
    let share = prop::option::weighted(0.4, prop_oneof![8 => 1..=100u32, 1 => Just(0), 1 => Just(101)]);
    prop_oneof![
        10 => (0..6u32, clustered(), prop::bool::weighted(0.1)).prop_map(|(s, l, r)| Step::Host(s, l, r)),
        3 => (any::<u8>(), prop::collection::vec(clustered(), 1..=2usize)).prop_map(|(p, l)| Step::Device(p, l)),
        1 => (any::<u8>(), prop::collection::vec(clustered(), 1..=2usize)).prop_map(|(p, l)| Step::Group(p, l)),
        8 => (0..7u32, some(0.7), some(0.7)).prop_map(|(s, c, p)| Step::Stream(s, c, p)),
        6 => (any::<u8>(), some(0.5), some(0.4), share, some(0.3)).prop_map(|(c, s, g, q, k)| Step::Context(c, s, g, q, k)),
        5 => (any::<u8>(), some(0.3), some(0.5)).prop_map(|(s, c, k)| Step::Drain(s, c, k)),
        3 => any::<u8>().prop_map(Step::ReleaseDrain),
        5 => any::<u8>().prop_map(Step::SaveKernel),
        2 => any::<u8>().prop_map(Step::Resume),
        1 => (0..6u32, clustered(), graphs()).prop_map(|(s, l, g)| Step::Graph(s, l, g)),
        2 => (clustered(), any::<u8>()).prop_map(|(l, c)| Step::MaxActive(l, c)),
        1 => any::<u8>().prop_map(Step::GpcOf),
    ]
}

/// A script with clusters, priorities, contexts, draining and saving, and graphs where the machine has them.
pub fn modern_script() -> impl Strategy<Value = Vec<Step>> {
    let first = prop::collection::vec(modern_steps(), 1..8);
    let steps = prop_oneof![
        10 => plain_steps().boxed(),
        1 => gate_steps().boxed(),
        1 => graph_steps().boxed(),
        8 => modern_steps().boxed(),
    ];
    (first, starting(steps)).prop_map(|(first, rest)| [first, rest].concat())
}

fn grid_steps() -> impl Strategy<Value = Step> {
    let stream = || prop_oneof![10 => Just(DeviceLaunch::FIRE_AND_FORGET), 14 => Just(DeviceLaunch::TAIL), 1 => wild()];
    let lanes = move || prop::collection::vec((launches(), stream()), 1..=3usize);
    let none = move || prop::collection::vec((launches(), stream()), 0..=5usize);
    prop_oneof![
        10 => (0..3u32, launches(), prop::bool::weighted(0.1)).prop_map(|(s, l, r)| Step::Dependent(s, l, r)),
        1 => (0..3u32, launches(), graphs()).prop_map(|(s, l, g)| Step::DependentGraph(s, l, g)),
        4 => any::<u8>().prop_map(Step::Trigger),
        10 => any::<u8>().prop_map(Step::TriggerKernel),
        6 => any::<u8>().prop_map(Step::Wait),
        8 => any::<u8>().prop_map(Step::WaitKernel),
        4 => kernel_graphs(),
        12 => (any::<u8>(), 0..4u32).prop_map(|(g, s)| Step::LaunchKgraph(g, s)),
        1 => any::<u8>().prop_map(Step::DestroyKgraph),
        12 => (any::<u8>(), lanes()).prop_map(|(p, l)| Step::Named(p, l)),
        1 => (any::<u8>(), none()).prop_map(|(p, l)| Step::Named(p, l)),
        6 => any::<u8>().prop_map(Step::End),
        6 => any::<u8>().prop_map(Step::EndKernel),
        10 => Just(Step::EndAll),
        6 => Just(Step::Tick),
        2 => any::<bool>().prop_map(Step::ToNext),
    ]
}

/// Most of them in order; now and then one that is refused.
fn kernel_graphs() -> impl Strategy<Value = Step> {
    let few = |n| prop::collection::vec((launches(), prop::bool::weighted(0.01)), n);
    let nodes = prop_oneof![6 => few(1..=3usize), 1 => few(0..=5usize)];
    let edges = |n| prop::collection::vec(any::<[u8; 3]>(), n);
    let cycle = Just(vec![[0, 1, 1], [0, 1, 7]]);
    let edges = prop_oneof![24 => edges(0..=4usize), 4 => edges(5..=8usize), 1 => cycle];
    (nodes, edges).prop_map(|(nodes, edges)| Step::Define(nodes, edges))
}

/// A script with fire-and-forget and tail launches, programmatic dependents, kernel graphs, and all the rest.
pub fn grid_script() -> impl Strategy<Value = Vec<Step>> {
    starting(prop_oneof![
        8 => plain_steps().boxed(),
        1 => gate_steps().boxed(),
        2 => graph_steps().boxed(),
        2 => modern_steps().boxed(),
        10 => grid_steps().boxed(),
    ])
}

/// A script that leaves the gates alone.
pub fn plain_script() -> impl Strategy<Value = Vec<Step>> {
    starting(plain_steps())
}

/// A script that sets gates, too.
pub fn script() -> impl Strategy<Value = Vec<Step>> {
    starting(prop_oneof![9 => plain_steps().boxed(), 1 => gate_steps().boxed()])
}

/// Turns steps into calls.
#[derive(Clone, Default)]
pub struct Resolver {
    tags: u64,
    memories: Memories,
}

/// Steps of this many cycles at most are taken towards a far event.
const FAR: u64 = 64;

impl Resolver {
    /// What a launch is, in this state.
    pub fn launched(&mut self, gpu: &Machine, l: &Launch, parent: Option<&TbView>) -> Descriptor {
        self.tags += 1;
        let own = Descriptor {
            pc: l.pc,
            grid: l.grid,
            tb: l.tb,
            regs: l.regs,
            smem: l.smem,
            cluster: l.cluster,
            tag: self.tags,
            ..Descriptor::default()
        };
        match parent.and_then(|tb| gpu.kde(tb.kde)).filter(|_| l.like_parent) {
            Some(kde) => Descriptor { grid: own.grid, tag: own.tag, cluster: own.cluster, ..kde.kernel.descriptor },
            None => own,
        }
    }

    /// The calls of a step, in this state.
    pub fn resolve(&mut self, gpu: &Machine, step: &Step) -> Vec<Event> {
        let config = *gpu.config();
        let tbs = gpu.resident_tbs().collect::<Vec<_>>();
        let tb = |pick: u8| (!tbs.is_empty()).then(|| tbs[usize::from(pick) % tbs.len()]);
        // Where nothing resides, the call goes to the first slot and is refused.
        let place = |tb: Option<TbView>| tb.map_or((0, 0), |tb| (tb.smx.into(), tb.slot.into()));
        let kernel = |pick: u8| u32::from(pick) % config.n_kde;
        let smx = |pick: u8| u32::from(pick) % config.n_smx;
        let class = |pick: u8| u32::from(pick) % (config.n_class + 1);
        let cap = |pick: u8| u32::from(pick) % (config.tb_slots + 1);
        let wait = gpu.next_event().map(|t| t.since(gpu.now()));
        match step {
            Step::Host(stream, l, retain) => {
                let descriptor = self.launched(gpu, l, None);
                vec![Event::HostLaunch { stream: *stream, descriptor, retain: *retain }]
            }
            Step::Device(pick, lanes) => {
                let (parent, kernels) = (tb(*pick), lanes.iter());
                let kernels = kernels.map(|l| self.launched(gpu, l, parent.as_ref())).collect();
                let (smx, slot) = place(parent);
                vec![Event::DeviceLaunch { smx, slot, kernels }]
            }
            Step::Named(pick, lanes) => {
                let (parent, lanes) = (tb(*pick), lanes.iter());
                let launch = |(l, stream): &(Launch, u32)| DeviceLaunch {
                    kernel: self.launched(gpu, l, parent.as_ref()),
                    stream: *stream,
                };
                let launches = lanes.map(launch).collect();
                let (smx, slot) = place(parent);
                vec![Event::DeviceLaunchNamed { smx, slot, launches }]
            }
            Step::Dependent(stream, l, retain) => {
                let descriptor = self.launched(gpu, l, None);
                vec![Event::HostLaunchDependent { stream: *stream, descriptor, retain: *retain }]
            }
            Step::Trigger(pick) => {
                let (smx, slot) = place(tb(*pick));
                vec![Event::TbTrigger { smx, slot }]
            }
            Step::TriggerKernel(pick) => {
                let Some(chosen) = tb(*pick) else { return Vec::new() };
                let its = tbs.iter().filter(|tb| tb.kde == chosen.kde);
                its.map(|tb| Event::TbTrigger { smx: tb.smx.into(), slot: tb.slot.into() }).collect()
            }
            Step::Wait(pick) => {
                let (smx, slot) = place(tb(*pick));
                vec![Event::TbWait { smx, slot }]
            }
            Step::WaitKernel(pick) => {
                let Some(chosen) = tb(*pick) else { return Vec::new() };
                let its = tbs.iter().filter(|tb| tb.kde == chosen.kde);
                its.map(|tb| Event::TbWait { smx: tb.smx.into(), slot: tb.slot.into() }).collect()
            }
            Step::Define(nodes, edges) => {
                let n = nodes.len().max(1) as u8;
                let node = |(l, retain): &(Launch, bool)| KernelNode {
                    kernel: self.launched(gpu, l, None),
                    retain: (*retain).into(),
                };
                // Most lead forward, between kernels that there are.
                let edge = |&[a, b, how]: &[u8; 3]| {
                    let (a, b) = (a % n, b % n);
                    let (from, to) = match how % 16 {
                        15 => (a, b + how / 128),
                        7 => (a.max(b), a.min(b)),
                        _ => (a.min(b), a.max(b)),
                    };
                    KernelEdge {
                        from: from.into(),
                        to: to.into(),
                        kind: if how == 254 { 2 } else { u32::from(how % 3 == 0) },
                    }
                };
                let edges = edges.iter().map(edge).filter(|edge| edge.from != edge.to || edge.from % 4 == 3).collect();
                vec![Event::KgraphDefine { nodes: nodes.iter().map(node).collect(), edges }]
            }
            Step::LaunchKgraph(graph, stream) => {
                let most = config.kgraph.map_or(1, |part| part.graphs + 1);
                vec![Event::KgraphLaunch { graph: u32::from(*graph) % most, stream: *stream }]
            }
            Step::DestroyKgraph(graph) => {
                let most = config.kgraph.map_or(1, |part| part.graphs + 1);
                vec![Event::KgraphDestroy(u32::from(*graph) % most)]
            }
            Step::Group(pick, lanes) => {
                let parent = tb(*pick);
                let group =
                    |l: &Launch| GroupLaunch { kernel: self.launched(gpu, l, parent.as_ref()), hw_tid: l.hw_tid };
                let groups = lanes.iter().map(group).collect();
                let (smx, slot) = place(parent);
                vec![Event::AggLaunch { smx, slot, groups }]
            }
            Step::End(pick) => {
                let (smx, slot) = place(tb(*pick));
                vec![Event::TbDone { smx, slot }]
            }
            Step::EndKernel(pick) => {
                let Some(chosen) = tb(*pick) else { return Vec::new() };
                tbs.iter().filter(|tb| tb.kde == chosen.kde).map(Event::end_of).collect()
            }
            Step::EndAll => {
                let mut ahead = gpu.clone();
                let mut events = Vec::new();
                for _ in 0..6 {
                    let ends: Vec<_> = ahead.resident_tbs().filter(|tb| !tb.is_waiting).collect();
                    for event in ends.iter().map(Event::end_of).chain([Event::Tick]) {
                        event.apply(&mut ahead);
                        events.push(event);
                    }
                }
                events
            }
            Step::Unretain(pick) => vec![Event::Unretain(kernel(*pick))],
            Step::Suspend(pick) => vec![Event::Suspend(tb(*pick).map_or(kernel(*pick), |tb| tb.kde.into()))],
            Step::Resume(pick) => vec![Event::Resume(u32::from(*pick) % (config.susp_cap + 1))],
            Step::Loaded(pick) => {
                let (waiting, pick) = (waiting_loads(gpu), usize::from(*pick));
                let record = waiting.get(pick % waiting.len().max(1)).copied().map(u32::from);
                let tags = loading_units(gpu);
                match tags.get(pick % tags.len().max(1)) {
                    Some(tag) => vec![Event::Refilled(*tag)],
                    None if config.laperm().is_some() && pick % 2 > 0 => vec![Event::Refilled(pick as u64)],
                    None => vec![Event::SpillLoaded(record.unwrap_or(pick as u32 % config.pend_limit))],
                }
            }
            Step::Tick => vec![Event::Tick],
            Step::Run(n) => vec![Event::Run(*n)],
            Step::ToNext(before) => {
                vec![Event::Run(wait.unwrap_or(1).saturating_sub(u64::from(*before)).min(FAR))]
            }
            // A limit that is past is one, too.
            Step::Advance(n) => vec![Event::Advance(gpu.now().after(*n).0.saturating_sub(1))],
            Step::AdvanceFreely => {
                let far = wait.is_some_and(|wait| wait > FAR);
                vec![Event::Advance(if far { gpu.now().after(FAR).0 } else { Cycle::MAX.0 })]
            }
            Step::Eligible(mask) => {
                let all = (1u64 << config.n_smx) - 1;
                // Now and then one SMX too many.
                let word = if mask % 16 == 15 { all + 1 } else { u64::from(*mask) & all };
                vec![Event::SetEligible(SmxSet::from_words([word, 0, 0, 0]))]
            }
            Step::BlockCap(s, c) => vec![Event::SetBlockCap { smx: smx(*s), cap: cap(*c) }],
            Step::Class(c, pc) => vec![Event::SetClass { class: class(*c), pc: *pc }],
            Step::CapHead(c, n) => {
                let head = gpu.fcfs().next().and_then(|k| gpu.kde(k)).map(|e| e.kernel.descriptor.pc);
                let (class, cap) = (class(*c), cap(*n));
                let caps = (0..config.n_smx).map(|smx| Event::SetClassCap { class, smx, cap, by: 0 });
                std::iter::once(Event::SetClass { class, pc: head }).chain(caps).collect()
            }
            Step::Share(seed) => {
                let mut digits = *seed;
                let mut digit = |n: u32| {
                    let least = digits % u64::from(n);
                    digits = (digits / u64::from(n)).wrapping_add(seed.rotate_left(17));
                    least as u32
                };
                let mut events = Vec::new();
                for class in 0..config.n_class {
                    events.push(Event::SetClass { class, pc: Some(u64::from(class) + 1) });
                    for smx in 0..config.n_smx {
                        let cap = digit(config.tb_slots + 1);
                        events.push(Event::SetClassCap { class, smx, cap, by: digit(cap + 1) });
                    }
                }
                events
            }
            Step::ClassCap(c, s, n, by) => {
                let (class, smx, cap) = (class(*c), smx(*s), cap(*n));
                vec![Event::SetClassCap { class, smx, cap, by: u32::from(*by) % (cap + 1) }]
            }
            Step::Graph(stream, l, graph) | Step::DependentGraph(stream, l, graph) => {
                let own = self.launched(gpu, l, None);
                let descriptor = Descriptor { grid: Dim3::linear(graph.tbs()), ..own };
                self.memories.launched(descriptor.tag, graph);
                let (stream, retain, header) = (*stream, graph.is_retained(), graph.header());
                vec![if matches!(step, Step::Graph(..)) {
                    Event::HostLaunchGraph { stream, descriptor, retain, graph: header }
                } else {
                    Event::HostLaunchGraphDependent { stream, descriptor, retain, graph: header }
                }]
            }
            &Step::Cross(stream, [ref first, ref second], ref graph, is_dependent) => {
                let own = self.launched(gpu, first, None);
                let producers = Descriptor { grid: Dim3::linear(graph.tbs()), ..own };
                let Launch { pc, tb, regs, smem, .. } = *second;
                let consumers = Consumers { pc, tb, regs, smem, first: graph.first() };
                self.memories.launched(producers.tag, graph);
                let (retain, graph) = (graph.is_retained(), graph.header());
                vec![Event::HostLaunchCross { stream, producers, retain, is_dependent, graph, consumers }]
            }
            Step::GraphPoll => vec![self.memories.poll(gpu)],
            Step::GraphAnswer(pick) => self.memories.answer(*pick).into_iter().collect(),
            Step::GraphJunk(pick, kind) => vec![self.memories.junk(*pick, *kind)],
            Step::GraphServe => {
                let mut ahead = gpu.clone();
                let mut events = Vec::new();
                for _ in 0..8 {
                    let poll = self.memories.poll(&ahead);
                    for event in [Some(poll), self.memories.answer(0)].into_iter().flatten() {
                        event.apply(&mut ahead);
                        events.push(event);
                    }
                }
                events
            }
            Step::AbortGraph(pick) => vec![Memories::abort(gpu, *pick)],
            Step::Stream(stream, context, priority) => {
                let part = config.partition.map_or(1, |part| part.contexts);
                let context = context.map(|c| u32::from(c) % (part + 1));
                let levels = config.priority.map_or(1, |part| part.levels);
                let priority = priority.map(|p| if p == u8::MAX { u32::MAX } else { u32::from(p) % (levels + 1) });
                vec![Event::SetStream { stream: *stream, context, priority }]
            }
            Step::Context(context, smxs, gpcs, quota, kdes) => {
                let set = |bits: u8| SmxSet::from_words([u64::from(bits) & ((2 << config.n_smx) - 1), 0, 0, 0]);
                vec![Event::SetContext {
                    context: u32::from(*context) % (config.partition.map_or(1, |part| part.contexts) + 1),
                    smxs: smxs.map(set),
                    gpcs: gpcs.map(|bits| GpcSet::from_words([u64::from(bits) & 15, 0, 0, 0])),
                    quota: *quota,
                    kdes: kdes.map(|n| u32::from(n) % (config.n_kde + 2)),
                }]
            }
            Step::Drain(smxs, context, kde) => {
                let bits = u64::from(*smxs) & ((1 << config.n_smx) - 1);
                let smxs = SmxSet::from_words([if smxs % 32 == 31 { 1 << config.n_smx } else { bits }, 0, 0, 0]);
                let contexts = config.partition.map_or(1, |part| part.contexts);
                let context = context.map(|c| u32::from(c) % (contexts + 1));
                vec![Event::Drain {
                    smxs,
                    context,
                    kde: kde.map(|pick| tb(pick).map_or(kernel(pick), |tb| tb.kde.into())),
                }]
            }
            Step::ReleaseDrain(pick) => {
                let most = config.preempt.map_or(0, |part| part.drain_max);
                vec![Event::ReleaseDrain(u32::from(*pick) % (most + 1))]
            }
            Step::SaveKernel(pick) => vec![Event::SaveKernel(tb(*pick).map_or(kernel(*pick), |tb| tb.kde.into()))],
            Step::MaxActive(l, context) => {
                let context = u32::from(*context) % (config.partition.map_or(1, |part| part.contexts) + 1);
                let kernel = self.launched(gpu, l, None);
                vec![Event::MaxActiveClusters { kernel, context }]
            }
            Step::GpcOf(s) => vec![Event::GpcOf(u32::from(*s) % (config.n_smx + 1))],
            Step::Ask(kind, a) => {
                let value = |i: u32| (a.wrapping_mul(97).wrapping_add(i * 311) % 1100) as u16;
                let activity = || (0..a % 4).map(value).collect();
                vec![match kind % 4 {
                    0 => Event::HasWork(*a),
                    1 => Event::WaitingHead(*a),
                    2 => Event::Activity(activity()),
                    _ => Event::Account((a % 8 < 4).then(activity)),
                }]
            }
            Step::Wild(kind, a, b) => vec![match (kind % 9, *a, *b) {
                (0, smx, slot) => Event::TbDone { smx, slot },
                (1, smx, slot) => Event::DeviceLaunch { smx, slot, kernels: vec![Descriptor::default()] },
                (2, smx, slot) => Event::AggLaunch { smx, slot, groups: vec![GroupLaunch::default()] },
                (3, kde, _) => Event::Unretain(kde),
                (4, kde, _) => Event::Suspend(kde),
                (5, place, _) => Event::Resume(place),
                (6, record, _) => Event::SpillLoaded(record),
                (7, smx, cap) => Event::SetBlockCap { smx, cap },
                (_, class, smx) => Event::SetClassCap { class, smx, cap: smx % 5, by: class % 5 },
            }],
        }
    }
}

/// Takes a script: `call` makes each call on the machine.
pub fn play(
    gpu: &mut Machine,
    resolver: &mut Resolver,
    script: &[Step],
    call: &mut impl FnMut(&mut Machine, &Event) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    for step in script {
        for event in resolver.resolve(gpu, step) {
            call(gpu, &event)?;
        }
    }
    Ok(())
}

/// Makes a call, cycle by cycle if it is a run.
pub fn in_cycles(
    gpu: &mut Machine,
    event: &Event,
    each: &mut impl FnMut(&mut Machine, &Event) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    match event {
        Event::Run(n) => (0..*n).try_for_each(|_| each(gpu, &Event::Tick)),
        other => each(gpu, other),
    }
}
