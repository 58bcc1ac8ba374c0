//! Configurations and calls out of a fuzzer's bytes. Where the bytes end, everything is 0.

use arbitrary::{Result, Unstructured};
use gpusched::{
    AgtMiss, Cluster, Config, Consumers, Descriptor, DeviceLaunch, Dim3, Fallback, GroupLaunch, HashScope, KernelEdge,
    KernelNode, KmuArb, LoadMode, Policy, SmxSet,
};
use gpusched::{FrontEnd, GpcSet, KernelSlot, Offer, OfferId, RecordId, Tables};
use gpusched_tests::dats::{self as graph, Answer};
use gpusched_tests::events::{Event, Value};

use crate::choose;
use crate::graphs::{self, Graphs};

/// The fuzzer's bytes.
pub type Bytes<'a, 'b> = &'a mut Unstructured<'b>;

/// A number that mostly names something, and now and then nothing that any machine has.
pub fn number(u: Bytes) -> Result<u32> {
    match u.int_in_range(0..=31u8)? {
        0 => u.arbitrary(),
        1 => Ok(1 << u.int_in_range(0..=31)?),
        2 => Ok(u32::MAX - u.int_in_range(0..=2)?),
        _ => u.int_in_range(0..=3),
    }
}

fn time(u: Bytes) -> Result<u32> {
    if u.ratio(1, 24)? { number(u) } else { u.int_in_range(0..=4) }
}

/// A tiny machine, within its ranges, with any parts.
pub fn tiny(u: Bytes) -> Result<Config> {
    let plain = plain(u)?;
    let front = match u.int_in_range(0..=3u8)? {
        0 => choose::with_modern(u, plain)?,
        1 => choose::under_laperm(u, plain)?,
        _ => choose::under_host(u, plain)?,
    };
    // A controller's sample asks for one TB, so that there is none beside clusters.
    let front = if front.cluster.is_none() && u.ratio(1, 3)? { choose::with_bubbles(u, front)? } else { front };
    let front = if front.laperm().is_none() && u.ratio(1, 4)? { choose::with_grids(u, front)? } else { front };
    if u.ratio(1, 3)? { choose::with_graphs(u, front) } else { Ok(front) }
}

fn plain(u: Bytes) -> Result<Config> {
    Ok(Config {
        n_smx: u.int_in_range(1..=3)?,
        tb_slots: u.int_in_range(1..=3)?,
        threads: u.int_in_range(2..=6)?,
        regs: u.int_in_range(0..=4)?,
        smem: u.int_in_range(0..=4)?,
        warp: u.int_in_range(1..=4)?,
        n_hwq: u.int_in_range(1..=3)?,
        n_kde: u.int_in_range(1..=3)?,
        hwq_depth: u.int_in_range(1..=2)?,
        pend_limit: u.int_in_range(1..=8)?,
        susp_cap: u.int_in_range(0..=2)?,
        sync_depth: u.int_in_range(0..=3)?,
        agt_size: 1 << u.int_in_range(0..=2)?,
        lat_stream: time(u)?,
        gpb_b: time(u)?,
        gpb_a: time(u)?,
        ld_b: time(u)?,
        ld_a: time(u)?,
        lat_dispatch: time(u)?,
        kmu_interval: time(u)?.max(1),
        kde_scan: u.int_in_range(0..=2)?,
        agt_probe: u.int_in_range(0..=2)?,
        load_cycles: time(u)?,
        turn_groups: u.int_in_range(0..=2)?,
        n_class: u.int_in_range(0..=2)?,
        load_ahead: u.int_in_range(0..=3)?,
        kmu_arb: *u.choose(&[KmuArb::Fcfs, KmuArb::Rr])?,
        hash_scope: *u.choose(&[HashScope::Smx, HashScope::Global])?,
        agt_miss: *u.choose(&[AgtMiss::Spill, AgtMiss::Device])?,
        fallback: *u.choose(&[Fallback::Direct, Fallback::Full])?,
        load_mode: *u.choose(&[LoadMode::Fixed, LoadMode::External])?,
        policy: Policy::FcfsRr,
        pass_capped: u.arbitrary()?,
        exclusive: u.ratio(1, 4)?,
        pass_graph: false,
        bubble: None,
        dats: None,
        ..Config::K20C
    })
}

fn dim(u: Bytes) -> Result<Dim3> {
    if u.ratio(1, 32)? {
        return Ok(Dim3 { x: number(u)?, y: number(u)?, z: number(u)? });
    }
    small_dim(u)
}

fn small_dim(u: Bytes) -> Result<Dim3> {
    Ok(Dim3::linear(u.int_in_range(1..=3)?))
}

/// Most cycles of one run where each sample is a decision: they cannot be skipped.
const MOST_SAMPLED: u64 = 1000;

/// Makes calls; every launch gets a tag of its own.
pub struct Caller {
    tags: u64,
    most_cycles: u64,
    has_dgb: bool,
    grids: fn(Bytes) -> Result<Dim3>,
    graphs: Graphs,
}

impl Caller {
    /// Of a machine of this configuration.
    pub fn new(config: &Config) -> Self {
        let most_cycles = if config.bubble.is_some() { MOST_SAMPLED } else { u64::MAX };
        Self { tags: 0, most_cycles, has_dgb: config.dats.is_some(), grids: dim, graphs: Graphs::default() }
    }

    /// Launches no grid that would take for ever.
    pub fn of_small_grids(self) -> Self {
        Self { grids: small_dim, ..self }
    }

    /// Activities, mostly of as many SMXs as a tiny machine has.
    fn activity(u: Bytes) -> Result<Vec<u16>> {
        let value = |u: Bytes| if u.ratio(1, 16)? { u.arbitrary() } else { u.int_in_range(0..=1000) };
        (0..u.int_in_range(0..=4)?).map(|_| value(u)).collect()
    }

    /// Mostly none; now and then any.
    fn cluster(u: Bytes) -> Result<Cluster> {
        match u.int_in_range(0..=15u8)? {
            0 => Ok(Cluster { x: u.arbitrary()?, y: u.arbitrary()?, z: u.arbitrary()?, nonportable: u.arbitrary()? }),
            1..=4 => Ok(Cluster { nonportable: u.arbitrary()?, ..Cluster::new(u.int_in_range(1..=3)?, 1, 1) }),
            _ => Ok(Cluster::NONE),
        }
    }

    fn kernel(&mut self, u: Bytes) -> Result<Descriptor> {
        self.tags += 1;
        let small = |u: Bytes| if u.ratio(1, 8)? { number(u) } else { Ok(0) };
        Ok(Descriptor {
            pc: u.int_in_range(1..=2)?,
            grid: (self.grids)(u)?,
            tb: if u.ratio(3, 4)? { Dim3::linear(1) } else { dim(u)? },
            regs: small(u)?,
            smem: small(u)?,
            param: 0,
            cluster: Self::cluster(u)?,
            tag: self.tags,
        })
    }

    /// The launches of a command; now and then more than any warp has.
    fn lanes<V>(&mut self, u: Bytes, lane: impl Fn(&mut Self, Bytes) -> Result<V>) -> Result<Vec<V>> {
        let n = if u.ratio(1, 64)? { u.int_in_range(60..=70)? } else { u.int_in_range(0..=5)? };
        (0..n).map(|_| lane(self, u)).collect()
    }

    /// A kernel with a graph; now and then another one than it says.
    fn launch_graph(&mut self, u: Bytes) -> Result<Event> {
        let (stream, retain, descriptor) = (number(u)?, u.ratio(1, 16)?, self.kernel(u)?);
        if u.ratio(1, 8)? {
            return Ok(Event::HostLaunchGraph { stream, descriptor, retain, graph: graphs::wild_header(u)? });
        }
        let memory = graphs::memory(u)?;
        let graph = memory.header(graphs::policy(u)?);
        let descriptor = Descriptor { grid: Dim3::linear(graph.v), ..descriptor };
        self.graphs.keep(descriptor.tag, memory);
        Ok(Event::HostLaunchGraph { stream, descriptor, retain, graph })
    }

    /// Two kernels that share a graph, most of them cut where they can be.
    fn launch_cross(&mut self, u: Bytes) -> Result<Event> {
        let other = self.kernel(u)?;
        Ok(match self.launch_graph(u)? {
            Event::HostLaunchGraph { stream, descriptor: producers, retain, graph } => {
                let Descriptor { pc, tb, regs, smem, .. } = other;
                let first = if u.ratio(1, 16)? { number(u)? } else { u.int_in_range(0..=graph.v.min(8))? };
                let (consumers, is_dependent) = (Consumers { pc, tb, regs, smem, first }, u.ratio(1, 4)?);
                Event::HostLaunchCross { stream, producers, retain, is_dependent, graph, consumers }
            }
            other => other,
        })
    }

    /// A call of sheet `launch2`.
    fn launch2_event(&mut self, u: Bytes) -> Result<Event> {
        Ok(match u.int_in_range(0..=11u8)? {
            0..=1 => {
                let launch = |this: &mut Self, u: Bytes| {
                    let stream = if u.ratio(1, 16)? { number(u)? } else { u.int_in_range(0..=1)? };
                    Ok(DeviceLaunch { kernel: this.kernel(u)?, stream })
                };
                Event::DeviceLaunchNamed { smx: number(u)?, slot: number(u)?, launches: self.lanes(u, launch)? }
            }
            2 if u.ratio(1, 4)? => match self.launch_graph(u)? {
                Event::HostLaunchGraph { stream, descriptor, retain, graph } => {
                    Event::HostLaunchGraphDependent { stream, descriptor, retain, graph }
                }
                other => other,
            },
            2..=4 => {
                let (stream, descriptor) = (u.int_in_range(0..=1)?, self.kernel(u)?);
                Event::HostLaunchDependent { stream, descriptor, retain: u.ratio(1, 8)? }
            }
            5..=7 => Event::TbTrigger { smx: number(u)?, slot: number(u)? },
            8 => Event::TbWait { smx: number(u)?, slot: number(u)? },
            9 => {
                let node = |this: &mut Self, u: Bytes| {
                    Ok(KernelNode { kernel: this.kernel(u)?, retain: u32::from(u.ratio(1, 32)?) })
                };
                let edge = |_: &mut Self, u: Bytes| {
                    let kind = if u.ratio(1, 16)? { number(u)? } else { u.int_in_range(0..=1)? };
                    Ok(KernelEdge { from: number(u)?, to: number(u)?, kind })
                };
                Event::KgraphDefine { nodes: self.lanes(u, node)?, edges: self.lanes(u, edge)? }
            }
            10 => Event::KgraphLaunch { graph: number(u)?, stream: number(u)? },
            _ => Event::KgraphDestroy(number(u)?),
        })
    }

    /// A call about graphs.
    fn graph_event(&mut self, u: Bytes) -> Result<Event> {
        Ok(match u.int_in_range(0..=9u8)? {
            0 if u.ratio(1, 3)? => self.launch_cross(u)?,
            0 => self.launch_graph(u)?,
            1 if u.ratio(1, 4)? => Event::AbortGraph(number(u)?),
            1..=4 => Event::GraphPoll,
            _ => match self.graphs.answer(u)? {
                graph::Event::Nodes { tag, entries } => Event::GraphNodes(tag, entries),
                graph::Event::Edges { tag, targets } => Event::GraphEdges(tag, targets),
                graph::Event::Spilled { tag } => Event::GraphSpilled(tag),
                _ => Event::GraphPoll,
            },
        })
    }

    /// Everything that was launched has come to its end, and nobody asks for its graphs any more.
    pub fn ended(&mut self) {
        self.graphs = Graphs::default();
    }

    /// Learns what a machine was asked and answered.
    pub fn learn<T: Tables>(&mut self, event: &Event, value: &Value, gpu: &FrontEnd<T>) {
        match (event, value) {
            (_, Value::Graph(Ok(Answer::Request(Some(request))))) => {
                let owner = gpu.dgb_owner().and_then(|kde| gpu.kde(kde));
                self.graphs.asked(*request, owner.map_or(0, |entry| entry.kernel.descriptor.tag));
            }
            (Event::GraphNodes(tag, _) | Event::GraphEdges(tag, _) | Event::GraphSpilled(tag), Value::Graph(Ok(_))) => {
                self.graphs.answered(*tag)
            }
            _ => {}
        }
    }

    /// A call in the middle of a cycle that a host decides; mostly one that goes.
    fn half_cycle(u: Bytes, now: u64, offers: &[Offer]) -> Result<Event> {
        let offer = if offers.is_empty() || u.ratio(1, 16)? { None } else { Some(*u.choose(offers)?) };
        let id = match offer {
            Some(offer) => offer.id,
            None if u.arbitrary()? => OfferId::Entry(KernelSlot(number(u)? as u8)),
            None => OfferId::Record(RecordId(number(u)?)),
        };
        Ok(match u.int_in_range(0..=16u8)? {
            0 => Event::Begin,
            1 => Event::Offers,
            2 => Event::NextEvent,
            3 => Event::Save,
            4 => Event::Load(id),
            5 => {
                let next = offer.and_then(|offer| offer.blkid).unwrap_or(0);
                Event::Split { id, at: next.saturating_add(number(u)?) }
            }
            6..=11 => match offer.and_then(|offer| offer.open.iter().next()) {
                Some(smx) if u.arbitrary()? => Event::Send { id, smx: smx.into() },
                _ => Event::Send { id, smx: number(u)? },
            },
            _ => Event::End(match u.int_in_range(0..=7u8)? {
                0 => Some(now.saturating_sub(u.int_in_range(0..=1)?)),
                1 => Some(u.arbitrary()?),
                2..=4 => Some(now.saturating_add(u.int_in_range(1..=5)?)),
                _ => None,
            }),
        })
    }

    /// A call of a host that decides, between cycles.
    fn between_cycles(u: Bytes, now: u64) -> Result<Event> {
        Ok(match u.int_in_range(0..=7u8)? {
            0 => Event::Skip(now.saturating_add(u.int_in_range(0..=20)?)),
            1 => Event::Skip(u.arbitrary()?),
            2 => Event::End(None),
            3 => Event::Save,
            _ => Event::Begin,
        })
    }

    /// A call of sheet `modern`.
    fn modern_event(&mut self, u: Bytes) -> Result<Event> {
        let some = |u: Bytes| if u.arbitrary()? { Ok(Some(number(u)?)) } else { Ok(None) };
        let smxs = |u: Bytes| {
            let wild = u.ratio(1, 8)?;
            let word = if wild { u.arbitrary()? } else { u.int_in_range(0..=7)? };
            Ok(SmxSet::from_words([word, 0, 0, if wild { u.arbitrary()? } else { 0 }]))
        };
        Ok(match u.int_in_range(0..=11u8)? {
            0..=2 => Event::SetStream { stream: number(u)?, context: some(u)?, priority: some(u)? },
            3..=4 => Event::SetContext {
                context: number(u)?,
                smxs: if u.arbitrary()? { Some(smxs(u)?) } else { None },
                gpcs: if u.ratio(1, 3)? { Some(GpcSet::from_words([u.int_in_range(0..=7)?, 0, 0, 0])) } else { None },
                quota: if u.arbitrary()? { Some(u.int_in_range(0..=101)?) } else { None },
                kdes: if u.ratio(1, 4)? { Some(number(u)?) } else { None },
            },
            5..=6 => Event::Drain { smxs: smxs(u)?, context: some(u)?, kde: some(u)? },
            7 => Event::ReleaseDrain(number(u)?),
            8..=9 => Event::SaveKernel(number(u)?),
            10 => Event::MaxActiveClusters { kernel: self.kernel(u)?, context: number(u)? },
            _ => Event::GpcOf(number(u)?),
        })
    }

    /// A call.
    pub fn event<T: Tables>(&mut self, u: Bytes, gpu: &FrontEnd<T>) -> Result<Event> {
        let now = gpu.now().0;
        match gpu.told_state() {
            Some(told) if told.is_begun && !u.ratio(1, 8)? => {
                let offers: Vec<_> = gpu.offers().into_iter().flatten().collect();
                return Self::half_cycle(u, now, &offers);
            }
            Some(_) if u.arbitrary()? => return Self::between_cycles(u, now),
            _ => {}
        }
        if u.ratio(1, if self.has_dgb { 2 } else { 32 })? {
            return self.graph_event(u);
        }
        if gpu.config().is_modern() && u.ratio(1, 3)? {
            return self.modern_event(u);
        }
        if u.ratio(1, if gpu.n_grid() > 0 { 3 } else { 64 })? {
            return self.launch2_event(u);
        }
        Ok(match u.int_in_range(0..=31u8)? {
            0..=5 => Event::Tick,
            6..=9 => Event::TbDone { smx: number(u)?, slot: number(u)? },
            10..=12 => Event::HostLaunch { stream: number(u)?, descriptor: self.kernel(u)?, retain: u.ratio(1, 4)? },
            13..=14 => Event::DeviceLaunch { smx: number(u)?, slot: number(u)?, kernels: self.lanes(u, Self::kernel)? },
            15..=18 => {
                let group = |this: &mut Self, u: Bytes| Ok(GroupLaunch { kernel: this.kernel(u)?, hw_tid: number(u)? });
                Event::AggLaunch { smx: number(u)?, slot: number(u)?, groups: self.lanes(u, group)? }
            }
            19 => Event::Unretain(number(u)?),
            20 => Event::Suspend(number(u)?),
            21 => Event::Resume(number(u)?),
            22 if u.arbitrary()? => Event::Refilled(number(u)?.into()),
            22 => Event::SpillLoaded(number(u)?),
            23 => {
                let wild = u.ratio(1, 8)?;
                let word = if wild { u.arbitrary()? } else { u.int_in_range(0..=7)? };
                Event::SetEligible(SmxSet::from_words([word, 0, 0, if wild { u.arbitrary()? } else { 0 }]))
            }
            24 => Event::SetBlockCap { smx: number(u)?, cap: number(u)? },
            25 => Event::SetClass { class: number(u)?, pc: u.arbitrary::<bool>()?.then_some(u.int_in_range(1..=2)?) },
            26 => Event::SetClassCap { class: number(u)?, smx: number(u)?, cap: number(u)?, by: number(u)? },
            27 => match u.int_in_range(0..=4u8)? {
                0 => Event::HasWork(number(u)?),
                1 => Event::WaitingHead(number(u)?),
                2 => Event::Account(None),
                3 => Event::Account(Some(Self::activity(u)?)),
                _ => Event::Activity(Self::activity(u)?),
            },
            28..=29 => {
                let n = if u.ratio(1, 16)? { u.arbitrary::<u64>()? } else { u.int_in_range(0..=9)? };
                Event::Run(n.min(self.most_cycles))
            }
            _ => Event::Advance(match u.int_in_range(0..=7u8)? {
                0 => u64::MAX,
                1 => u.arbitrary()?,
                2 => now.saturating_sub(1),
                _ => now.saturating_add(u.int_in_range(0..=20)?),
            }),
        })
    }
}
