//! Work-flow graph (`models` W; 4.2.2 of the source): what a warp's instructions cost, what it waits for, and how many warps hide that.
//!
//! Nodes are stretches of a kernel; arcs say which share of the warps goes where; a dependence says that a node uses what a load
//! brought. The source names these parts and gives no formula: the evaluation is the sheet's minimal reading (models-A16).
//!
//! ```
//! use gpusched::models::{Arc, Dependence, Node, WfgConfig, work_flow};
//!
//! // A load of two transactions, ten instructions that do not need it, and one that does; on the 8 lanes of a G80.
//! let config = WfgConfig { warp_size: 32.0, simd_width: 8.0, dram_lat: 400.0, delta: 20.0, n_warps: 8.0, ..WfgConfig::DEFAULT };
//! let nodes = [Node::Entry, Node::Gmem(2.0), Node::Comp(10.0), Node::Comp(1.0), Node::Exit];
//! let arcs = [0, 1, 2, 3].map(|from| Arc { from, to: from + 1, fraction: 1.0 });
//! let flow = work_flow(&config, &nodes, &arcs, &[Dependence { from: 1, to: 3 }])?;
//! assert_eq!((flow.comp, flow.stall, flow.span), (48.0, 376.0, 424.0));
//! assert_eq!(flow.warps_to_hide, 9);
//! # Ok::<(), gpusched::models::Refusal>(())
//! ```

use super::number::{ceil, max};
use super::refusal::{Refusal, check, finite, inputs};
use crate::base::error::Fault;

/// Nodes of a graph at most.
pub const MAX_NODES: usize = 64;
/// Arcs of a graph at most.
pub const MAX_ARCS: usize = 128;
/// Dependences of a graph at most.
pub const MAX_DEPS: usize = 64;

/// The machine, and how many warps it has.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WfgConfig {
    /// Threads of a warp. Not 0.
    pub warp_size: f64,
    /// Lanes of an SM. Not 0.
    pub simd_width: f64,
    /// Latency of DRAM, in cycles.
    pub dram_lat: f64,
    /// Cycles between two transactions.
    pub delta: f64,
    /// Warps that run on an SM at the same time. Not 0.
    pub n_warps: f64,
    /// How far computing and memory may be apart, as a part of the greater one, and count as balanced.
    pub balance_tol: f64,
}

impl WfgConfig {
    /// A tolerance of a tenth; the machine is yours.
    pub const DEFAULT: Self =
        Self { warp_size: 0.0, simd_width: 0.0, dram_lat: 0.0, delta: 0.0, n_warps: 0.0, balance_tol: 0.1 };

    /// Checks every value.
    ///
    /// # Errors
    /// `NotFinite`, `Negative`, `ZeroInput`, in this order, with the field.
    pub fn check(&self) -> Result<(), Refusal> {
        let &Self { warp_size, simd_width, dram_lat, delta, n_warps, balance_tol } = self;
        check(&inputs! {
            warp_size = warp_size, nonzero;
            simd_width = simd_width, nonzero;
            dram_lat = dram_lat;
            delta = delta;
            n_warps = n_warps, nonzero;
            balance_tol = balance_tol;
        })
    }

    /// Cycles that an instruction of a warp takes to issue.
    fn issue(&self) -> f64 {
        self.warp_size / self.simd_width
    }
}

impl Default for WfgConfig {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A stretch of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Node {
    /// Where warps begin: the first node, and no other.
    Entry,
    /// So many instructions.
    Comp(f64),
    /// An access to shared memory, and its mean serialisation: 1 or more.
    Smem(f64),
    /// An access to global memory, and its mean number of transactions: 1 or more.
    Gmem(f64),
    /// A barrier, which takes no time of its own.
    Barrier,
    /// Where warps end: the last node, and no other.
    Exit,
}

impl Node {
    fn has_bad_weight(&self) -> bool {
        let (weight, least) = match *self {
            Self::Comp(n) => (n, 0.0),
            Self::Smem(x) | Self::Gmem(x) => (x, 1.0),
            Self::Entry | Self::Barrier | Self::Exit => return false,
        };
        !weight.is_finite() || weight < least
    }

    /// models-W1: its weight.
    fn cycles(&self, config: &WfgConfig) -> f64 {
        match *self {
            Self::Comp(x) | Self::Smem(x) => x * config.issue(),
            Self::Gmem(_) => config.issue(),
            Self::Entry | Self::Barrier | Self::Exit => 0.0,
        }
    }

    /// models-W1: its memory time.
    fn memory(&self, config: &WfgConfig) -> f64 {
        match *self {
            Self::Gmem(x) => x * config.delta,
            _ => 0.0,
        }
    }

    /// models-W1: until what it loads is there.
    fn latency(&self, config: &WfgConfig) -> f64 {
        match *self {
            Self::Gmem(x) => config.dram_lat + (x - 1.0) * config.delta,
            _ => 0.0,
        }
    }
}

/// From a node to a later one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Arc {
    /// Index of a node.
    pub from: u32,
    /// Index of a later node.
    pub to: u32,
    /// Share of the warps at `from` that go this way, from 0 to 1.
    pub fraction: f64,
}

/// A node that uses what another one loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Dependence {
    /// Index of the access to global memory.
    pub from: u32,
    /// Index of a later node.
    pub to: u32,
}

/// A work-flow graph: nodes in an order in which every arc and dependence leads on.
struct Graph<'a> {
    nodes: &'a [Node],
    arcs: &'a [Arc],
    deps: &'a [Dependence],
}

impl Graph<'_> {
    fn check(&self) -> Result<(), Fault> {
        let &Self { nodes, arcs, deps } = self;
        if nodes.len() > MAX_NODES || arcs.len() > MAX_ARCS || deps.len() > MAX_DEPS {
            return Err(Fault::TooBig);
        }
        let [Node::Entry, inner @ .., Node::Exit] = nodes else { return Err(Fault::BadGraph) };
        if inner.iter().any(|node| matches!(node, Node::Entry | Node::Exit)) {
            return Err(Fault::BadGraph);
        }
        if inner.iter().any(Node::has_bad_weight) {
            return Err(Fault::BadWeight);
        }
        let leads_on = |from: u32, to: u32| from < to && (to as usize) < nodes.len();
        for arc in arcs {
            if !leads_on(arc.from, arc.to) {
                return Err(Fault::NotTopological);
            }
            if !(0.0..=1.0).contains(&arc.fraction) {
                return Err(Fault::BadFraction);
            }
        }
        // models-W2.
        for from in 0..nodes.len() as u32 - 1 {
            let leaving = arcs.iter().filter(|arc| arc.from == from);
            let sum = leaving.fold(0.0, |sum, arc| sum + arc.fraction);
            if !(-1e-9..=1e-9).contains(&(sum - 1.0)) {
                return Err(Fault::BadFraction);
            }
        }
        for dep in deps {
            if !leads_on(dep.from, dep.to) {
                return Err(Fault::NotTopological);
            }
            if !matches!(nodes.get(dep.from as usize), Some(Node::Gmem(_))) {
                return Err(Fault::BadDependence);
            }
        }
        Ok(())
    }
}

/// What a mean warp does, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WorkFlow {
    /// Issuing.
    pub comp: f64,
    /// Time of memory.
    pub mem: f64,
    /// Waiting.
    pub stall: f64,
    /// From its entry to its exit.
    pub span: f64,
    /// Time of all warps of an SM.
    pub time: f64,
    /// Warps whose issuing takes as long as one's span; 0 if there is no issuing.
    pub warps_to_hide: u64,
    /// Whether the warps hide what they wait for, and computing and memory take as long as each other (4.2.1).
    pub balanced: bool,
}

/// What is known about a node once all before it are.
#[derive(Clone, Copy, Default)]
struct Reached {
    /// Share of the warps that get there.
    share: f64,
    /// When they do, in the mean.
    time: f64,
    /// How long they wait there.
    stall: f64,
}

/// What a mean warp does in a work-flow graph: nodes in an order in which every arc and dependence leads on (models-W3, models-W4).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` of the machine, with the field; `TooBig`; `BadGraph`, `BadWeight`; `NotTopological` and
/// `BadFraction` of arcs, `BadFraction` of their sums; `NotTopological` and `BadDependence` of dependences, in this order; `Overflow`.
pub fn work_flow(config: &WfgConfig, nodes: &[Node], arcs: &[Arc], deps: &[Dependence]) -> Result<WorkFlow, Refusal> {
    let graph = &Graph { nodes, arcs, deps };
    config.check()?;
    graph.check()?;
    let reached = reach(config, graph);
    let nodes = || graph.nodes.iter().zip(&reached);
    let comp = nodes().fold(0.0, |sum, (node, at)| sum + at.share * node.cycles(config));
    let mem = nodes().fold(0.0, |sum, (node, at)| sum + at.share * node.memory(config));
    let stall = nodes().fold(0.0, |sum, (_, at)| sum + at.share * at.stall);
    let span = nodes().next_back().map_or(0.0, |(_, at)| at.time);
    let WfgConfig { n_warps, balance_tol, .. } = *config;
    let time = max(max(n_warps * comp, n_warps * mem), span);
    finite(&[comp, mem, stall, span, time])?;
    let apart = if comp > mem { comp - mem } else { mem - comp };
    Ok(WorkFlow {
        comp,
        mem,
        stall,
        span,
        time,
        warps_to_hide: if comp == 0.0 { 0 } else { ceil(span / comp)? },
        balanced: n_warps * comp >= span && apart <= balance_tol * max(comp, mem),
    })
}

/// models-W3, node by node.
fn reach(config: &WfgConfig, graph: &Graph<'_>) -> [Reached; MAX_NODES] {
    let mut reached = [Reached::default(); MAX_NODES];
    let cycles = |i: u32| graph.nodes.get(i as usize).map_or(0.0, |node| node.cycles(config));
    let latency = |i: u32| graph.nodes.get(i as usize).map_or(0.0, |node| node.latency(config));
    if let Some(entry) = reached.first_mut() {
        entry.share = 1.0;
    }
    for v in 1..graph.nodes.len() as u32 {
        let at = |u: u32| reached.get(u as usize).copied().unwrap_or_default();
        let (mut share, mut sum) = (0.0, 0.0);
        for arc in graph.arcs.iter().filter(|arc| arc.to == v) {
            let from = at(arc.from);
            share += from.share * arc.fraction;
            sum += from.share * arc.fraction * (from.time + cycles(arc.from));
        }
        if share == 0.0 {
            continue;
        }
        let mut time = sum / share;
        let sources = graph.deps.iter().filter(|dep| dep.to == v && at(dep.from).share > 0.0);
        let ready = sources.fold(time, |ready, dep| max(ready, at(dep.from).time + latency(dep.from)));
        let stall = max(0.0, ready - time);
        time += stall;
        if let Some(node) = reached.get_mut(v as usize) {
            *node = Reached { share, time, stall };
        }
    }
    reached
}
