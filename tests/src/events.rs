//! Events as values: what a host may tell or ask a front end, and what it answers.

use gpusched::dats::{GraphError, GraphHeader, Node, NodeId};
use gpusched::power::Sample;
use gpusched::seam::Policy;
use gpusched::{
    Config, Consumers, ContextSpec, Cycle, Decided, Decision, Descriptor, DeviceLaunch, Fault, FrontEnd, GpcSet,
    GroupLaunch, Id, ImageError, KernelEdge, KernelNode, Kmu, Offer, OfferId, Probe, RecordId, Sched, SmxSet, Tables,
    TbView, Tick, Victim, WaitingHead, Words,
};

use crate::dats::{self as graph, Answered};

/// One call of a host. Rows are named by the numbers that the host gives, whether or not anything has them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// dtbl-L1.
    HostLaunch {
        /// Stream.
        stream: u32,
        /// Kernel.
        descriptor: Descriptor,
        /// Whether its entry is held.
        retain: bool,
    },
    /// frontend-F1: a kernel whose TBs are the nodes of a dependency graph.
    HostLaunchGraph {
        /// Stream.
        stream: u32,
        /// Kernel.
        descriptor: Descriptor,
        /// Whether its entry is held.
        retain: bool,
        /// Its graph.
        graph: GraphHeader,
    },
    /// launch2-P1: a programmatic dependent.
    HostLaunchDependent {
        /// Stream.
        stream: u32,
        /// Kernel.
        descriptor: Descriptor,
        /// Whether its entry is held.
        retain: bool,
    },
    /// launch2-P1: one with a dependency graph.
    HostLaunchGraphDependent {
        /// Stream.
        stream: u32,
        /// Kernel.
        descriptor: Descriptor,
        /// Whether its entry is held.
        retain: bool,
        /// Its graph.
        graph: GraphHeader,
    },
    /// launch2-X1: two kernels that share a dependency graph.
    HostLaunchCross {
        /// Stream.
        stream: u32,
        /// The first kernel.
        producers: Descriptor,
        /// Whether the entry is held.
        retain: bool,
        /// Whether they are programmatic dependents.
        is_dependent: bool,
        /// Their graph.
        graph: GraphHeader,
        /// The second kernel.
        consumers: Consumers,
    },
    /// launch2-K1.
    KgraphDefine {
        /// Kernels.
        nodes: Vec<KernelNode>,
        /// What waits for what.
        edges: Vec<KernelEdge>,
    },
    /// launch2-K2.
    KgraphLaunch {
        /// The graph.
        graph: u32,
        /// Stream.
        stream: u32,
    },
    /// launch2-K1: the graph.
    KgraphDestroy(u32),
    /// A request of the dependency-graph buffer is asked for.
    GraphPoll,
    /// Nodes land: tag, entries.
    GraphNodes(u32, Vec<Node>),
    /// Edges land: tag, children.
    GraphEdges(u32, Vec<NodeId>),
    /// A parent count in memory was decremented: tag.
    GraphSpilled(u32),
    /// frontend-F6: entry.
    AbortGraph(u32),
    /// dtbl-L2.
    DeviceLaunch {
        /// SMX of the caller.
        smx: u32,
        /// TB slot of the caller.
        slot: u32,
        /// One kernel per lane.
        kernels: Vec<Descriptor>,
    },
    /// launch2-C1.
    DeviceLaunchNamed {
        /// SMX of the caller.
        smx: u32,
        /// TB slot of the caller.
        slot: u32,
        /// A kernel and its stream per lane.
        launches: Vec<DeviceLaunch>,
    },
    /// dtbl-L3.
    AggLaunch {
        /// SMX of the caller.
        smx: u32,
        /// TB slot of the caller.
        slot: u32,
        /// One group per lane.
        groups: Vec<GroupLaunch>,
    },
    /// dtbl-D1.
    TbDone {
        /// Its SMX.
        smx: u32,
        /// Its TB slot.
        slot: u32,
    },
    /// launch2-P2.
    TbTrigger {
        /// Its SMX.
        smx: u32,
        /// Its TB slot.
        slot: u32,
    },
    /// launch2-P5.
    TbWait {
        /// Its SMX.
        smx: u32,
        /// Its TB slot.
        slot: u32,
    },
    /// dtbl-D5: entry.
    Unretain(u32),
    /// dtbl-S1: entry.
    Suspend(u32),
    /// dtbl-S2: place in the list of suspended kernels.
    Resume(u32),
    /// dtbl-S3: launch record.
    SpillLoaded(u32),
    /// LaPerm: the tag of a unit that was asked for.
    Refilled(u64),
    /// Gate E.
    SetEligible(SmxSet),
    /// Gate X.
    SetBlockCap {
        /// SMX.
        smx: u32,
        /// TBs that it may hold.
        cap: u32,
    },
    /// The pc of a class of gate K.
    SetClass {
        /// Class.
        class: u32,
        /// Its program entry.
        pc: Option<u64>,
    },
    /// Gate K.
    SetClassCap {
        /// Class.
        class: u32,
        /// SMX.
        smx: u32,
        /// TBs of the class that it may hold.
        cap: u32,
        /// Those of them that may bypass L1.
        by: u32,
    },
    /// modern-R1: context and priority of a stream, those that are given.
    SetStream {
        /// Stream.
        stream: u32,
        /// Context.
        context: Option<u32>,
        /// Priority.
        priority: Option<u32>,
    },
    /// modern-P1, modern-P6: all that a context has.
    SetContext {
        /// Context.
        context: u32,
        /// Its SMXs, or those of its GPCs; without both all.
        smxs: Option<SmxSet>,
        /// Its GPCs.
        gpcs: Option<GpcSet>,
        /// Its share in percent.
        quota: Option<u32>,
        /// Entries that it may hold.
        kdes: Option<u32>,
    },
    /// modern-D1: SMXs, and whose TBs are to go: a context's, an entry's, or all.
    Drain {
        /// SMXs.
        smxs: SmxSet,
        /// Context.
        context: Option<u32>,
        /// Entry.
        kde: Option<u32>,
    },
    /// modern-D3: request.
    ReleaseDrain(u32),
    /// modern-S1: entry.
    SaveKernel(u32),
    /// modern-C7: a kernel, of which the grid says nothing, and its context.
    MaxActiveClusters {
        /// Kernel.
        kernel: Descriptor,
        /// Context.
        context: u32,
    },
    /// modern-Y1: asks for the GPC of an SMX.
    GpcOf(u32),
    /// Activity of each SMX in thousandths.
    Activity(Vec<u16>),
    /// The end of a run: closes the energy account, with the activity of each SMX or by occupancy.
    Account(Option<Vec<u16>>),
    /// Asks whether a class has work.
    HasWork(u32),
    /// frontend-C2, from this unit.
    WaitingHead(u32),
    /// One cycle.
    Tick,
    /// So many cycles.
    Run(u64),
    /// Cycles until one has decided something, or this one is next.
    Advance(u64),
    /// policy-P6.
    Begin,
    /// policy-P4: all offers.
    Offers,
    /// policy-P7.
    Load(OfferId),
    /// policy-P8.
    Send {
        /// The offer.
        id: OfferId,
        /// The SMX.
        smx: u32,
    },
    /// policy-P15.
    Split {
        /// The offer.
        id: OfferId,
        /// The first TB of the new piece.
        at: u32,
    },
    /// policy-P9 to policy-P11: the host would send nothing before this cycle.
    End(Option<u64>),
    /// policy-P13: cycles go by up to this one.
    Skip(u64),
    /// policy-P13: asks when something falls due.
    NextEvent,
    /// Asks for an image.
    Save,
}

/// What a call that was not refused returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Done,
    /// The number of a queue or of a suspended kernel; 1 for yes.
    Number(u32),
    /// The launch records of a command.
    Records(Vec<RecordId>),
    /// How often each word was the answer of a cycle.
    Words(Words),
    /// The unit that controllers should wake SMXs for.
    Head(Option<WaitingHead>),
    /// What the dependency-graph buffer answers, its refusals included.
    Graph(Answered),
    /// The word of the KMU in a cycle that was begun.
    Kmu(Kmu),
    /// The word of the scheduler in a cycle that has ended.
    Sched(Sched),
    /// What the host may send.
    Offers(Vec<Offer>),
    /// A piece of what the host may send.
    Piece(OfferId),
    /// How many cycles.
    Cycles(u64),
    /// A cycle, if there is one.
    Next(Option<Cycle>),
}

/// The complete answer to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The return value or the fault.
    pub value: Result<Value, Fault>,
    /// The decisions, in order.
    pub decisions: Vec<(Cycle, Decision)>,
    /// The record of each sample among them.
    pub samples: Vec<(Cycle, Sample)>,
}

/// What a machine tells. The probe of all tests that want to know: each other type of one would have the whole machine compiled once more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The decisions, in order.
    pub decisions: Vec<(Cycle, Decision)>,
    /// The record of each sample among them.
    pub samples: Vec<(Cycle, Sample)>,
}

impl Probe for Told {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        self.decisions.push((at, decision));
    }

    fn sample(&mut self, at: Cycle, record: &Sample) {
        self.samples.push((at, *record));
    }
}

/// Whose TBs a drain is for: an entry's, a context's, or all.
pub(crate) fn victim(context: Option<u32>, kde: Option<u32>) -> Victim {
    match (kde, context) {
        (Some(kde), _) => Victim::Kernel { kde: row(kde) },
        (None, Some(context)) => Victim::Context { context: row(context) },
        (None, None) => Victim::All,
    }
}

/// The row with this number; for a number that its id cannot hold, the id's last one, which no machine has.
fn row<I: Id>(number: u32) -> I {
    let id = I::from_index(number as usize);
    if id.index() == number as usize { id } else { I::from_index(usize::MAX) }
}

impl Answer {
    /// Why a call was refused. A graph that contradicts itself is none: what meets that changes the state.
    #[must_use]
    pub fn refusal(&self) -> Option<Fault> {
        match &self.value {
            Err(fault) => Some(*fault),
            Ok(Value::Graph(Err(GraphError::GraphFault { .. }))) => None,
            Ok(Value::Graph(Err(error))) => Some(error.fault()),
            Ok(_) => None,
        }
    }
}

impl Event {
    /// The event that gives the buffer what memory answers it.
    ///
    /// # Panics
    /// If memory answers no such thing.
    #[must_use]
    pub fn of_memory(answer: graph::Event) -> Self {
        match answer {
            graph::Event::Nodes { tag, entries } => Self::GraphNodes(tag, entries),
            graph::Event::Edges { tag, targets } => Self::GraphEdges(tag, targets),
            graph::Event::Spilled { tag } => Self::GraphSpilled(tag),
            other => unreachable!("memory answers {other:?}"),
        }
    }

    /// The end of a resident TB.
    #[must_use]
    pub fn end_of(tb: &TbView) -> Self {
        Self::TbDone { smx: tb.smx.into(), slot: tb.slot.into() }
    }

    /// Makes the call.
    ///
    /// # Panics
    /// If the core says one thing in its return value and another in its decisions.
    pub fn apply<T: Tables>(&self, gpu: &mut FrontEnd<T>) -> Answer {
        let mut all = Told::default();
        let probe = &mut all;
        let done = |()| Value::Done;
        let mut placed = None;
        let value = match *self {
            Self::HostLaunch { stream, ref descriptor, retain } => {
                gpu.host_launch(stream, descriptor, retain).map(|q| Value::Number(q.into()))
            }
            Self::HostLaunchGraph { stream, ref descriptor, retain, ref graph } => {
                gpu.host_launch_graph(stream, descriptor, retain, graph).map(|q| Value::Number(q.into()))
            }
            Self::HostLaunchDependent { stream, ref descriptor, retain } => {
                gpu.host_launch_dependent(stream, descriptor, retain).map(|q| Value::Number(q.into()))
            }
            Self::HostLaunchGraphDependent { stream, ref descriptor, retain, ref graph } => {
                gpu.host_launch_graph_dependent(stream, descriptor, retain, graph).map(|q| Value::Number(q.into()))
            }
            Self::HostLaunchCross { stream, ref producers, retain, is_dependent, ref graph, ref consumers } => {
                let queue = if is_dependent {
                    gpu.host_launch_cross_dependent(stream, producers, retain, graph, consumers)
                } else {
                    gpu.host_launch_cross(stream, producers, retain, graph, consumers)
                };
                queue.map(|q| Value::Number(q.into()))
            }
            Self::KgraphDefine { ref nodes, ref edges } => {
                gpu.kgraph_define(nodes, edges).map(|g| Value::Number(g.into()))
            }
            Self::KgraphLaunch { graph, stream } => {
                gpu.kgraph_launch(row(graph), stream).map(|q| Value::Number(q.into()))
            }
            Self::KgraphDestroy(graph) => gpu.kgraph_destroy(row(graph)).map(done),
            Self::GraphPoll => Ok(Value::Graph(gpu.graph_poll().map(graph::Answer::Request))),
            Self::GraphNodes(tag, ref entries) => {
                Ok(Value::Graph(gpu.graph_nodes(tag, entries, probe).map(graph::Answer::Report)))
            }
            Self::GraphEdges(tag, ref targets) => {
                Ok(Value::Graph(gpu.graph_edges(tag, targets, probe).map(graph::Answer::Report)))
            }
            Self::GraphSpilled(tag) => Ok(Value::Graph(gpu.graph_spilled(tag, probe).map(graph::Answer::Report))),
            Self::AbortGraph(k) => gpu.abort_graph(row(k), probe).map(done),
            Self::DeviceLaunch { smx, slot, ref kernels } => {
                gpu.device_launch(row(smx), row(slot), kernels).map(|r| Value::Records(r.to_vec()))
            }
            Self::DeviceLaunchNamed { smx, slot, ref launches } => {
                gpu.device_launch_named(row(smx), row(slot), launches).map(|r| Value::Records(r.to_vec()))
            }
            Self::AggLaunch { smx, slot, ref groups } => {
                gpu.agg_launch(row(smx), row(slot), groups).map(|r| Value::Records(r.to_vec()))
            }
            Self::TbDone { smx, slot } => gpu.tb_done(row(smx), row(slot), probe).map(done),
            Self::TbTrigger { smx, slot } => gpu.tb_trigger(row(smx), row(slot), probe).map(done),
            Self::TbWait { smx, slot } => gpu.tb_wait(row(smx), row(slot), probe).map(done),
            Self::Unretain(k) => gpu.unretain(row(k), probe).map(done),
            Self::Suspend(k) => gpu.suspend(row(k), probe).map(|i| Value::Number(i.into())),
            Self::Resume(i) => gpu.resume(row(i)).map(done),
            Self::Refilled(tag) => gpu.refilled(tag).map(done),
            Self::SpillLoaded(r) => gpu.spill_loaded(row(r)).map(done),
            Self::SetEligible(set) => gpu.set_eligible(set).map(done),
            Self::SetBlockCap { smx, cap } => gpu.set_block_cap(row(smx), cap).map(done),
            Self::SetClass { class, pc: Some(pc) } => gpu.set_class(row(class), pc).map(done),
            Self::SetClass { class, pc: None } => gpu.clear_class(row(class)).map(done),
            Self::SetClassCap { class, smx, cap, by } => gpu.set_class_cap(row(class), row(smx), cap, by).map(done),
            Self::SetStream { stream, context, priority } => {
                gpu.set_stream(stream, context.map(row), priority).map(done)
            }
            Self::SetContext { context, smxs, gpcs, quota, kdes } => {
                gpu.set_context(row(context), &ContextSpec { smxs, gpcs, quota, kdes }).map(done)
            }
            Self::Drain { smxs, context, kde } => {
                gpu.drain(smxs, &victim(context, kde), probe).map(|i| Value::Number(i.into()))
            }
            Self::ReleaseDrain(i) => gpu.release_drain(row(i)).map(done),
            Self::SaveKernel(k) => gpu.save_kernel(row(k), probe).map(|until| Value::Cycles(until.0)),
            Self::MaxActiveClusters { ref kernel, context } => {
                gpu.max_active_clusters(kernel, row(context)).map(Value::Number)
            }
            Self::GpcOf(smx) => gpu.gpc_of(row(smx)).map(|gpc| Value::Number(gpc.into())),
            Self::Activity(ref per_smx) => gpu.activity(per_smx).map(done),
            Self::Account(ref activity) => gpu.account(activity.as_deref()).map(done),
            Self::HasWork(class) => gpu.has_work(row(class)).map(|work| Value::Number(work.into())),
            Self::WaitingHead(start) => gpu.waiting_head(start).map(Value::Head),
            Self::Tick => gpu.tick(probe).map(|tick| {
                if let Sched::Tb(tb) = tick.sched {
                    placed = Some(Decision::Tb(tb));
                }
                let mut words = Words::default();
                words.count(&tick, 1);
                Value::Words(words)
            }),
            Self::Run(n) => gpu.run(n, probe).map(Value::Words),
            Self::Advance(until) => gpu.advance(Cycle(until), probe).map(Value::Words),
            Self::Begin => gpu.begin(probe).map(Value::Kmu),
            Self::Offers => gpu.offers().map(|offers| Value::Offers(offers.collect())),
            Self::Load(id) => gpu.load(id, probe).map(done),
            Self::Send { id, smx } => gpu.send(id, row(smx), probe).map(|tb| {
                placed = Some(Decision::Tb(tb));
                Value::Done
            }),
            Self::Split { id, at } => gpu.split(id, at).map(Value::Piece),
            Self::End(wake) => gpu.end(wake.map(Cycle), probe).map(Value::Sched),
            Self::Skip(to) => gpu.skip(Cycle(to)).map(Value::Cycles),
            Self::NextEvent => Ok(Value::Next(gpu.next_event())),
            Self::Save => match gpu.save(&mut vec![0; gpu.image_len()]) {
                Err(ImageError::MidCycle) => Err(Fault::MidCycle),
                saved => {
                    assert!(saved.is_ok(), "{saved:?}");
                    Ok(Value::Done)
                }
            },
        };
        let Told { decisions, samples } = all;
        let told = |tb| decisions.iter().any(|&(_, decision)| decision == tb);
        assert!(placed.is_none_or(told), "{placed:?} is returned, and {decisions:?} told");
        Answer { value, decisions, samples }
    }

    /// Makes the call to a machine with its policy: by the machine's own verb if the policy is to see what is decided, or told of it.
    pub fn apply_seen<T: Tables, P: Policy>(&self, gpu: &mut Decided<T, P>) -> Answer {
        let mut all = Told::default();
        let probe = &mut all;
        let done = |()| Value::Done;
        let of_graph = |answer: Result<_, GraphError>| Ok(Value::Graph(answer.map(graph::Answer::Report)));
        let value = match *self {
            Self::TbDone { smx, slot } => gpu.tb_done(row(smx), row(slot), probe).map(done),
            Self::Unretain(k) => gpu.unretain(row(k), probe).map(done),
            Self::Suspend(k) => gpu.suspend(row(k), probe).map(|i| Value::Number(i.into())),
            Self::AbortGraph(k) => gpu.abort_graph(row(k), probe).map(done),
            Self::GraphNodes(tag, ref entries) => of_graph(gpu.graph_nodes(tag, entries, probe)),
            Self::GraphEdges(tag, ref targets) => of_graph(gpu.graph_edges(tag, targets, probe)),
            Self::GraphSpilled(tag) => of_graph(gpu.graph_spilled(tag, probe)),
            Self::SetEligible(set) => gpu.set_eligible(set).map(done),
            Self::SetBlockCap { smx, cap } => gpu.set_block_cap(row(smx), cap).map(done),
            Self::SetClass { class, pc: Some(pc) } => gpu.set_class(row(class), pc).map(done),
            Self::SetClass { class, pc: None } => gpu.clear_class(row(class)).map(done),
            Self::SetClassCap { class, smx, cap, by } => gpu.set_class_cap(row(class), row(smx), cap, by).map(done),
            ref other => {
                let answer = other.apply(&mut **gpu);
                assert_eq!(answer.decisions, [], "{other:?} decides, and the policy does not see it");
                return answer;
            }
        };
        Answer { value, decisions: all.decisions, samples: all.samples }
    }

    /// A cycle of a machine with its policy, and its words.
    ///
    /// # Panics
    /// In the last cycle.
    pub fn tick_seen<T: Tables, P: Policy>(gpu: &mut Decided<T, P>) -> (Answer, Tick) {
        let mut all = Told::default();
        let tick = gpu.tick(&mut all).expect("it is not the last cycle");
        (Answer { value: Ok(Value::Done), decisions: all.decisions, samples: all.samples }, tick)
    }

    /// Checks an answer against the configuration's word on how many decisions one call can take at most.
    ///
    /// # Errors
    /// How many it were.
    pub fn bounded(&self, answer: &Answer, config: &Config) -> Result<(), String> {
        let cycles = answer.decisions.chunk_by(|(a, _), (b, _)| a == b);
        let (most, bound) = match self {
            // A run is many ticks.
            Self::Tick | Self::Run(_) | Self::Begin => {
                (cycles.map(<[_]>::len).max().unwrap_or(0), config.decisions_per_tick())
            }
            Self::Load(_) => (answer.decisions.len(), 1),
            Self::Split { .. } => (answer.decisions.len(), 0),
            Self::Send { .. } => (answer.decisions.len(), Config::DECISIONS_PER_SEND),
            Self::End(_) => (answer.decisions.len(), Config::DECISIONS_PER_END),
            Self::Advance(_) => (answer.decisions.len(), config.decisions_per_tick()),
            _ => (answer.decisions.len(), config.decisions_per_call()),
        };
        if most <= bound {
            Ok(())
        } else {
            Err(format!("{self:?} decides {most} times, at most {bound} are announced"))
        }
    }
}
