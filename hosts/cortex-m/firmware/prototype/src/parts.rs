//! Parts that features add to the machine, and what its host calls of them. A set of features is a firmware that somebody might want;
//! `hosts/cortex-m/mps2-an386 sizes` says what each takes.
//!
//! Round robin, LaPerm and a policy of one's own exclude each other, as do LaPerm and the sheets `modern` and `launch2`.

use gpusched::dats::{GraphHeader, GraphPolicy, Node, NodeId, Request};
use gpusched::{
    BubblePart, BuildError, ClusterPart, Config, ContextId, ContextSpec, DatsPart, Descriptor, Dim3, Fault, KernelEdge,
    KernelNode, KgraphPart, LaPermPart, Numbering, PartitionPart, PdlPart, Policy, PreemptPart, PriorityPart, Probe,
    SmxSet, TableSet, Tables, ToldPart, Topology, Victim, laperm,
};

use crate::Gpu;

/// Whether TBs launch groups.
pub const DTBL: bool = cfg!(feature = "dtbl");
const GRAPHS: bool = cfg!(feature = "graphs");
const BUBBLE: bool = cfg!(feature = "bubble");
const MODERN: bool = cfg!(feature = "modern");
const LAUNCH2: bool = cfg!(feature = "launch2");

/// TBs of each kernel that a part brings.
const BROUGHT: u32 = 16;
/// TBs of all of them: a graph; a kernel in a context; a dependent, and two kernels of a graph.
pub(crate) const TBS: u32 = BROUGHT * (GRAPHS as u32 + MODERN as u32 + 3 * LAUNCH2 as u32);

/// A machine with whatever decides where its TBs go.
#[cfg(not(feature = "told"))]
pub type Machine<T> = gpusched::FrontEnd<T>;
/// A machine with whatever decides where its TBs go.
#[cfg(feature = "told")]
pub type Machine<T> = gpusched::Decided<T, gpusched::seam::FcfsRr>;

/// Two GPCs of two TPCs of two SMXs.
const TOPOLOGY: Topology = Topology {
    tpc_ends: SmxSet::from_words([0b1010_1010, 0, 0, 0]),
    gpc_ends: SmxSet::from_words([0b1000_1000, 0, 0, 0]),
    numbering: Numbering::Gpc,
    pair_only: SmxSet::EMPTY,
};

/// The configuration with the parts.
pub(crate) const fn added_to(config: Config) -> Config {
    Config {
        // Without launches from TBs there is nothing to keep of them.
        pend_limit: if DTBL { config.pend_limit } else { 1 },
        agt_size: if DTBL { config.agt_size } else { 1 },
        policy: if cfg!(feature = "laperm") {
            Policy::LaPerm(LaPermPart {
                policy: laperm::Policy::AdaptiveBind,
                q0_cap: config.n_kde,
                pool_cap: config.pend_limit + config.n_kde,
                ..LaPermPart::K20C
            })
        } else if cfg!(feature = "told") {
            Policy::Told(ToldPart::CHAIN)
        } else {
            config.policy
        },
        dats: if GRAPHS { Some(DatsPart { lna: 64, lea: 128, pub_entries: 32, ..DatsPart::GTX480 }) } else { None },
        bubble: if BUBBLE { Some(BubblePart { sample_cycles: 500, ..BubblePart::K20C }) } else { None },
        topology: if MODERN { Some(TOPOLOGY) } else { None },
        // Beside the controller there are no clusters.
        cluster: if MODERN && !BUBBLE { Some(ClusterPart::H100) } else { None },
        priority: if MODERN { Some(PriorityPart::SIX) } else { None },
        partition: if MODERN { Some(PartitionPart::TWO) } else { None },
        preempt: if MODERN { Some(PreemptPart::FREE) } else { None },
        n_stream: config.n_hwq,
        pdl: if LAUNCH2 { Some(PdlPart::CUDA) } else { None },
        kgraph: if LAUNCH2 {
            Some(KgraphPart { graphs: 1, nodes: 2, edges: 1, insts: 1, ..KgraphPart::FREE })
        } else {
            None
        },
        grids: config.pend_limit,
        ..config
    }
}

/// The machine on its tables.
#[cfg(not(feature = "told"))]
pub(crate) fn machine<T: Tables>(config: &Config, tables: TableSet<T>) -> Result<Machine<T>, BuildError> {
    Machine::with_tables(config, tables)
}

/// The machine on its tables, and the policy: the baseline once more.
#[cfg(feature = "told")]
pub(crate) fn machine<T: Tables>(config: &Config, tables: TableSet<T>) -> Result<Machine<T>, BuildError> {
    Machine::with_tables(config, tables, gpusched::seam::FcfsRr::new(config))
}

/// A kernel that a part brings. None of its TBs launches anything.
fn kernel(tag: u64) -> Descriptor {
    Descriptor { pc: 0x800, grid: Dim3::linear(BROUGHT), tb: Dim3::linear(64), tag, ..Descriptor::default() }
}

/// Launches what the parts bring.
#[inline]
pub(crate) fn launch(gpu: &mut Gpu) -> Result<(), Fault> {
    if GRAPHS {
        gpu.host_launch_graph(1, &kernel(1001), false, &GRAPH)?;
    }
    if MODERN {
        let smxs = Some(SmxSet::first(8).without(&SmxSet::first(4)));
        let context = ContextId(1);
        gpu.set_context(context, &ContextSpec { smxs, ..ContextSpec::default() })?;
        gpu.set_stream(2, Some(context), Some(1))?;
        // Not in clusters: a tick starts a whole one, of which `minimal`, which goes by what it returns, would see one TB.
        gpu.host_launch(2, &kernel(1002), false)?;
        // An SMX is taken away and given back.
        let drain = gpu.drain(SmxSet::first(1), &Victim::All, &mut ())?;
        gpu.release_drain(drain)?;
    }
    if LAUNCH2 {
        gpu.host_launch_dependent(0, &kernel(1003), false)?;
        let nodes = [1004, 1005].map(|tag| KernelNode { kernel: kernel(tag), ..KernelNode::default() });
        let graph = gpu.kgraph_define(&nodes, &[KernelEdge { from: 0, to: 1, kind: KernelEdge::FULL }])?;
        gpu.kgraph_launch(graph, 3)?;
    }
    Ok(())
}

/// Half of the graph's nodes; each has a child in the other half.
const PAIRS: usize = BROUGHT as usize / 2;
const EDGES: [NodeId; PAIRS] = {
    let (mut edges, mut i) = ([NodeId(0); PAIRS], 0);
    while i < PAIRS {
        edges[i] = NodeId((PAIRS + i) as u16);
        i += 1;
    }
    edges
};
const NODES: [Node; 2 * PAIRS] = {
    let child = Node::new(PAIRS as u32, true, 1, 1);
    let (mut nodes, mut i) = ([child; 2 * PAIRS], 0);
    while i < PAIRS {
        nodes[i] = Node::new(i as u32, false, 0, 0);
        i += 1;
    }
    nodes
};
const GRAPH: GraphHeader = GraphHeader {
    v: NODES.len() as u32,
    e: EDGES.len() as u32,
    node_base: 0,
    edge_base: size_of::<[Node; 2 * PAIRS]>() as u64,
    policy: GraphPolicy::Lvl { bound: 3 },
};

/// Answers what the dependency-graph buffer asks of memory; to be called before each tick.
///
/// # Errors
/// The front end refuses it.
pub fn answer(gpu: &mut Gpu, probe: &mut impl Probe) -> Result<(), Fault> {
    while GRAPHS && let Some(request) = gpu.graph_poll().map_err(|error| error.fault())? {
        let answered = match request {
            Request::Nodes { tag, first, count, .. } => gpu.graph_nodes(tag, of(&NODES, first, count), probe),
            Request::Edges { tag, first, count, .. } => gpu.graph_edges(tag, of(&EDGES, first, count), probe),
            // The buffer holds the whole graph, so it never asks for this.
            Request::Decrement { tag, .. } => gpu.graph_spilled(tag, probe),
        };
        answered.map_err(|error| error.fault())?;
    }
    Ok(())
}

/// So many entries of an array in memory; none if it does not have them.
fn of<T>(memory: &'static [T], first: u32, count: u32) -> &'static [T] {
    memory.get(first as usize..(first + count) as usize).unwrap_or_default()
}
