//! How kernels are launched on GPUs of today: those of the device into a stream that nobody waits for, or behind the kernel that launches
//! them; those of the host before the kernel in front of them in their stream is complete (sheet `launch2`).
//!
//! ```
//! use gpusched::{Cdp2Part, Config, Fault, LaPermPart, Policy};
//!
//! let config = Config { cdp2: Some(Cdp2Part::CUDA), ..Config::K20C };
//! assert!(config.check().is_ok());
//! // LaPerm's queues have no place for a kernel that waits for another one's end.
//! let under_laperm = Config { policy: Policy::LaPerm(LaPermPart::K20C), ..config };
//! assert_eq!(under_laperm.check().unwrap_err().fault, Fault::Launch2WithLaperm);
//! ```

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, Parameter, PartName, choice, parameters};
use crate::config::Config;
use crate::config::parts::rule;

choice! {
    /// How deep a tail launch is nested (launch2-A3).
    pub enum TailDepth {
        /// One level deeper than the kernel that launched it.
        #[default]
        Child,
        /// As deep: it stands where the next kernel of the stream would.
        Same,
    }
}
choice! {
    /// What becomes of a launch by a TB of an open kernel (launch2-P7).
    pub enum LateLaunch {
        /// It is a child as any other; the kernel is complete after it.
        #[default]
        Allow,
        /// It is refused.
        Refuse,
    }
}
choice! {
    /// Until when a device launch counts as pending (launch2-C4).
    pub enum PendHold {
        /// Until its kernel is issued.
        #[default]
        Issue,
        /// Until its kernel is complete.
        Complete,
    }
}

parameters! {
    /// CUDA Dynamic Parallelism without synchronisation on the device (sheet `launch2`, cdp2).
    pub struct Cdp2Part;
    /// What the programming guide says.
    pub const CUDA;
    numbers {
        /// The deepest kernel; those of the host have depth 0.
        max_depth: "levels" = 24 in 1..=255, Vendor "CUDA programming guide, CDP1: overall nesting depth 24";
        /// From a tail launch's turn to the KMU.
        lat_tail: "cycles" = 0 in 0..=0xffff_ffff, Ours "no source names one";
    }
    choices {
        /// Whether a tail launch is one level deeper.
        tail_depth: TailDepth = TailDepth::Child;
        /// Until when a launch is pending.
        pend_hold: PendHold = PendHold::Issue;
    }
}

parameters! {
    /// Programmatic dependent launch (sheet `launch2`, pdl).
    pub struct PdlPart;
    /// What the programming guide says, and what it leaves open.
    pub const CUDA;
    numbers {
        /// Kernels of one queue in flight at once.
        window: "kernels" = 4 in 2..=64, Ours "two or three hide what a launch costs";
    }
    choices {
        /// What becomes of a launch by a TB of an open kernel.
        late_launch: LateLaunch = LateLaunch::Allow;
    }
}

parameters! {
    /// Graphs of kernels (sheet `launch2`, kgraph): how many there can be, how large, and what launching costs the host.
    pub struct KgraphPart;
    /// Room for some, and launches that cost nothing.
    pub const FREE;
    numbers {
        /// Graphs that are defined.
        graphs: "graphs" = 16 in 1..=256, Ours "a capacity";
        /// Kernels of a graph.
        nodes: "kernels" = 1024 in 1..=65535, Ours "a capacity";
        /// Edges of a graph.
        edges: "edges" = 8192 in 0..=1048576, Ours "a capacity";
        /// Graphs that run at once.
        insts: "graphs" = 8 in 1..=64, Ours "a capacity";
        /// From one launch of a kernel by the host to the next.
        lat_kernel: "cycles" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for; 5 us to 30 us in the sources";
        /// From the launch of a graph to the next launch: fixed part.
        lat_graph: "cycles" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for; about 2.5 us";
        /// The same: per kernel of the graph.
        lat_node: "cycles" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for; about 1 ns";
        /// From the completion of the last kernel that one waits for to its place among those that are ready.
        lat_edge: "cycles" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for";
    }
    choices {}
}

rule!(KGRAPH_WITH_LAPERM, "kgraph", "LaPerm's queues have no place for kernels that wait for others");
rule!(CDP2_WITH_LAPERM, "cdp2", "LaPerm's queues have no place for kernels that wait for another one's end");
rule!(PDL_WITH_LAPERM, "pdl", "LaPerm's queues have no place for kernels that others follow before they end");
rule!(
    FLUSH,
    "flush_cycles",
    "only where completion is told apart from the end of a kernel is there something to flush"
);

rule!(CROSS_WITH_LAPERM, "cross", "LaPerm's queues have no place for kernels that wait for others");
rule!(CROSS, "cross", "only where there is a dependency-graph buffer can two kernels share a graph");

/// What the parts of this sheet ask (launch2-A9).
pub(crate) fn check(front: &Config) -> Result<(), ConfigError> {
    let refused = |fault, parameter, value| Err(ConfigError::new(fault, parameter, value));
    if front.cross && front.dats.is_none() {
        return refused(Fault::BadConfig, &CROSS, 1);
    }
    if front.flush_cycles > 0 && !front.has_grids() {
        return refused(Fault::BadConfig, &FLUSH, front.flush_cycles);
    }
    front.cdp2.map_or(Ok(()), |part| parameter::check(part.values())).map_err(|e| e.of(PartName::Cdp2))?;
    front.pdl.map_or(Ok(()), |part| parameter::check(part.values())).map_err(|e| e.of(PartName::Pdl))?;
    front.kgraph.map_or(Ok(()), |part| parameter::check(part.values())).map_err(|e| e.of(PartName::Kgraph))?;
    let parts: [(bool, &'static Parameter); 4] = [
        (front.cdp2.is_some(), &CDP2_WITH_LAPERM),
        (front.pdl.is_some(), &PDL_WITH_LAPERM),
        (front.kgraph.is_some(), &KGRAPH_WITH_LAPERM),
        (front.cross, &CROSS_WITH_LAPERM),
    ];
    let mut with_laperm = parts.into_iter().filter(|(is_on, _)| *is_on && front.laperm().is_some());
    with_laperm.next().map_or(Ok(()), |(_, part)| refused(Fault::Launch2WithLaperm, part, 1))
}

impl Config {
    /// Whether a kernel of the device may be no deeper than its parent.
    pub(crate) fn has_level_tails(&self) -> bool {
        self.cdp2.is_some_and(|part| part.tail_depth == TailDepth::Same)
    }

    /// launch2-C2: how deep a kernel is that one of this depth launches.
    pub(crate) fn child_depth(&self, parent: u8, is_tail: bool) -> u32 {
        u32::from(parent) + u32::from(!is_tail || !self.has_level_tails())
    }

    /// Whether completion is told apart from the end of a kernel.
    #[must_use]
    pub const fn has_grids(&self) -> bool {
        self.cdp2.is_some() || self.pdl.is_some() || self.kgraph.is_some()
    }

    /// The most kernels of a queue that can be in flight at once.
    pub(crate) const fn window(&self) -> u32 {
        match &self.pdl {
            Some(part) => part.window,
            None => 1,
        }
    }

    /// Kernels of kernel graphs that can be incomplete.
    pub(crate) const fn n_kernel_node(&self) -> u32 {
        match &self.kgraph {
            Some(part) => part.insts * part.nodes,
            None => 0,
        }
    }

    /// The most grids that can be incomplete: those of the host, queue by queue, those of the device, and those of kernel graphs.
    pub(crate) const fn n_grid(&self) -> u32 {
        if self.has_grids() { self.n_queue() * self.window() + self.grids + self.n_kernel_node() } else { 0 }
    }

    /// The most decisions of one event, or of the flushes of one cycle, about grids. As many kernels as there are entries may end, and
    /// with each all that it descends from be complete (launch2-H4), and then what follows in the queues; each grid is complete once, and
    /// then its queue is free or the next tail has its turn. Each TB that waits is released, and each kernel in an entry may be open.
    #[must_use]
    pub const fn decisions_of_grids(&self) -> usize {
        if !self.has_grids() {
            return 0;
        }
        let all = self.n_grid() as usize;
        let (chain, is_bound) = match &self.cdp2 {
            Some(part) => (part.max_depth as usize + 1, matches!(part.tail_depth, TailDepth::Child)),
            None => (1, true),
        };
        // What ends by itself, and then what followed it before it was complete.
        let followers =
            if self.pdl.is_some() { self.n_queue() * (self.window() - 1) + self.n_kernel_node() } else { 0 };
        let chains = self.n_kde as usize * chain + followers as usize;
        let completes = if is_bound && chains < all { chains } else { all };
        let of_pdl = if self.pdl.is_some() { self.n_tb() + self.n_kde as usize } else { 0 };
        let of_kgraphs = match &self.kgraph {
            Some(part) => 2 * part.insts as usize,
            None => 0,
        };
        2 * completes + of_pdl + of_kgraphs
    }
}
