//! Work-flow graphs.

use core::ffi::c_char;
use core::mem::size_of;

use gpusched::models::wfg::{Arc, Dependence, Graph, MAX_ARCS, MAX_DEPS, MAX_NODES, Node, WfgConfig, WorkFlow, eval};

use super::blamed;
use crate::config::{Parameters, Wrong, read_checked, write};
use crate::object::{array, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The machine, and how many warps it has. Fill it with gpusched_wfg_config_init, then set what you know: a newer library adds fields at
/// the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_wfg_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Not looked at.
    pub reserved: u32,
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

impl gpusched_wfg_config {
    /// The core's configuration as C has it.
    #[must_use]
    pub fn of(config: &WfgConfig) -> Self {
        let &WfgConfig { warp_size, simd_width, dram_lat, delta, n_warps, balance_tol } = config;
        let struct_size = size_of::<Self>() as u32;
        Self { struct_size, reserved: 0, warp_size, simd_width, dram_lat, delta, n_warps, balance_tol }
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_wfg_config {
    type Checked = WfgConfig;
    const FIRST_SIZE: usize = 56;

    fn preset() -> Self {
        Self::of(&WfgConfig::DEFAULT)
    }

    fn checked(&self) -> Result<WfgConfig, Wrong> {
        let &Self { warp_size, simd_width, dram_lat, delta, n_warps, balance_tol, .. } = self;
        // The evaluation checks them.
        Ok(WfgConfig { warp_size, simd_width, dram_lat, delta, n_warps, balance_tol })
    }
}

/// Fills a configuration: a tolerance of a tenth, and 0 for what has to be given.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_wfg_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_wfg_config_init(config: *mut gpusched_wfg_config, size: usize) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_wfg_config::preset()) })
}

/// A stretch of a kernel.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_wfg_kind {
    /// Where warps begin: the first node, and no other.
    Entry = 0,
    /// Instructions; the weight is their number.
    Comp = 1,
    /// An access to shared memory; the weight is its mean serialisation, 1 or more.
    Smem = 2,
    /// An access to global memory; the weight is its mean number of transactions, 1 or more.
    Gmem = 3,
    /// A barrier.
    Barrier = 4,
    /// Where warps end: the last node, and no other.
    Exit = 5,
}

/// A node of a graph.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_wfg_node {
    /// Its weight; not looked at if its kind has none.
    pub weight: f64,
    /// gpusched_wfg_kind.
    pub kind: u32,
    /// Not looked at.
    pub reserved: u32,
}

impl gpusched_wfg_node {
    /// The core's node.
    ///
    /// # Errors
    /// BadGraph: there is no such kind.
    pub fn node(&self) -> Result<Node, Status> {
        const KINDS: [fn(f64) -> Node; 6] =
            [|_| Node::Entry, Node::Comp, Node::Smem, Node::Gmem, |_| Node::Barrier, |_| Node::Exit];
        KINDS.get(self.kind as usize).map(|node| node(self.weight)).ok_or(Status::BadGraph)
    }
}

impl From<&Node> for gpusched_wfg_node {
    fn from(node: &Node) -> Self {
        let (kind, weight) = match *node {
            Node::Entry => (gpusched_wfg_kind::Entry, 0.0),
            Node::Comp(n) => (gpusched_wfg_kind::Comp, n),
            Node::Smem(s) => (gpusched_wfg_kind::Smem, s),
            Node::Gmem(x) => (gpusched_wfg_kind::Gmem, x),
            Node::Barrier => (gpusched_wfg_kind::Barrier, 0.0),
            Node::Exit => (gpusched_wfg_kind::Exit, 0.0),
        };
        Self { weight, kind: kind as u32, reserved: 0 }
    }
}

/// From a node to a later one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_wfg_arc {
    /// Share of the warps at `from` that go this way, from 0 to 1.
    pub fraction: f64,
    /// Index of a node.
    pub from: u32,
    /// Index of a later node.
    pub to: u32,
}

/// A node that uses what another one loads.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_wfg_dependence {
    /// Index of the access to global memory.
    pub from: u32,
    /// Index of a later node.
    pub to: u32,
}

/// A work-flow graph: nodes in an order in which every arc and dependence leads on.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct gpusched_wfg_graph {
    /// The nodes.
    pub nodes: *const gpusched_wfg_node,
    /// Their number, at most 64.
    pub node_count: usize,
    /// The arcs; may be null if there are none.
    pub arcs: *const gpusched_wfg_arc,
    /// Their number, at most 128.
    pub arc_count: usize,
    /// The dependences; may be null if there are none.
    pub deps: *const gpusched_wfg_dependence,
    /// Their number, at most 64.
    pub dep_count: usize,
}

/// What a mean warp does, in cycles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_wfg_flow {
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
    /// 1 if the warps hide what they wait for, and computing and memory take as long as each other; else 0.
    pub balanced: u32,
    /// 0.
    pub reserved: u32,
}

impl From<WorkFlow> for gpusched_wfg_flow {
    fn from(WorkFlow { comp, mem, stall, span, time, warps_to_hide, balanced }: WorkFlow) -> Self {
        Self { comp, mem, stall, span, time, warps_to_hide, balanced: balanced.into(), reserved: 0 }
    }
}

/// Evaluates a work-flow graph.
///
/// @param config  An initialised configuration.
/// @param graph   The graph.
/// @param flow    Written.
/// @param field   As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput of the configuration, with the field; TooBig, BadGraph, BadWeight, NotTopological, BadFraction,
/// BadDependence; Overflow; Null, Misaligned, BadStructSize, WrongVersion, Capacity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_wfg_eval(
    config: *const gpusched_wfg_config,
    graph: *const gpusched_wfg_graph,
    flow: *mut gpusched_wfg_flow,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let flow = writable(flow)?;
            let config = read_checked(config)?;
            let graph = crate::object::get(graph)?;
            let nodes = array(graph.nodes, graph.node_count)?;
            let arcs = array(graph.arcs, graph.arc_count)?;
            let deps = array(graph.deps, graph.dep_count)?;
            config.check()?;
            if nodes.len() > MAX_NODES || arcs.len() > MAX_ARCS || deps.len() > MAX_DEPS {
                return Err(Status::TooBig.into());
            }
            let mut all_nodes = [Node::Entry; MAX_NODES];
            for (to, node) in all_nodes.iter_mut().zip(nodes) {
                *to = node.node()?;
            }
            let mut all_arcs = [Arc { from: 0, to: 0, fraction: 0.0 }; MAX_ARCS];
            for (to, arc) in all_arcs.iter_mut().zip(arcs) {
                *to = Arc { from: arc.from as usize, to: arc.to as usize, fraction: arc.fraction };
            }
            let mut all_deps = [Dependence { from: 0, to: 0 }; MAX_DEPS];
            for (to, dep) in all_deps.iter_mut().zip(deps) {
                *to = Dependence { from: dep.from as usize, to: dep.to as usize };
            }
            let graph = Graph {
                nodes: all_nodes.get(..nodes.len()).unwrap_or_default(),
                arcs: all_arcs.get(..arcs.len()).unwrap_or_default(),
                deps: all_deps.get(..deps.len()).unwrap_or_default(),
            };
            flow.write(eval(&config, &graph)?.into());
            Ok(())
        })
    }
}
