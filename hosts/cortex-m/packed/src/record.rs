//! Answers: the records of the C ABI, field by field.

use gpusched::dats::{DepLinksError, Graph, GraphHeader, Node, NodeId};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::bubble::verbs::{gpusched_bubble_record, gpusched_bubble_registers, gpusched_bubble_resident};
use gpusched_abi::dats::graph::{gpusched_graph_error, gpusched_graph_header};
use gpusched_abi::dats::verbs::{gpusched_dgb_selection, gpusched_graph_report, gpusched_graph_request};
use gpusched_abi::decision::gpusched_decision;
use gpusched_abi::frontend::time::gpusched_words;
use gpusched_abi::frontend::view::gpusched_waiting_head;
use gpusched_abi::laperm::query::gpusched_laperm_head;
use gpusched_abi::laperm::verbs::{gpusched_laperm_moved, gpusched_laperm_placed, gpusched_laperm_sent};
use gpusched_abi::smx::{gpusched_resources, gpusched_smx_set};

/// Where bytes go: into a file, or against what a file expects.
pub trait Sink {
    /// The next bytes.
    fn put(&mut self, bytes: &[u8]);
}

/// What is written field by field.
pub trait Record {
    /// Writes it.
    fn put(&self, to: &mut impl Sink);
}

macro_rules! numbers {
    ($($N:ty)*) => {
        $(impl Record for $N {
            fn put(&self, to: &mut impl Sink) {
                to.put(&self.to_le_bytes());
            }
        })*
    };
}

numbers!(u8 u16 u32 u64);

/// Lists every field, so that a new one does not compile until it is here.
macro_rules! records {
    ($($Record:ident { $($field:ident)* })*) => {
        $(impl Record for $Record {
            fn put(&self, to: &mut impl Sink) {
                let Self { $($field),* } = self;
                $($field.put(to);)*
            }
        })*
    };
}

records! {
    gpusched_resources { threads regs smem slots }
    gpusched_decision { cycle tag blkid group smx kind slot kde unit queue detail }
    gpusched_words {
        tb idle load noroom gated capped issue empty busy kdfull no_fit no_candidate masked
        g_no_ready g_head g_level_bound g_deadlock g_fault dgbusy
    }
    gpusched_waiting_head { allowed tag present threads regs smem warps }
    gpusched_graph_request { addr kind tag first count }
    gpusched_graph_report { finalised updates pub_in pub_out inserted readied finished pending }
    gpusched_graph_error { node edge smx tb what }
    gpusched_graph_header { node_base edge_base v e policy bound }
    gpusched_dgb_selection { sched kde node smx }
    gpusched_laperm_placed { ready_at evicted place unit level pos evicts }
    gpusched_laperm_sent { tag refill sched smx tb prio stage unit kde last refills }
    gpusched_laperm_moved { tag ready_at kmu unit level kde cost }
    gpusched_laperm_head { allowed tag res present }
    gpusched_bubble_resident { tbs warps }
    gpusched_bubble_registers { dvr drn dvfs gpu }
    gpusched_bubble_record {
        low_done high_done divert refused drain_done drain_abort down eligible registers
        gpu_done gpu_start resume resume_smx starved
    }
}

impl Record for gpusched_smx_set {
    fn put(&self, to: &mut impl Sink) {
        self.words.iter().for_each(|word| word.put(to));
    }
}

impl Record for Node {
    fn put(&self, to: &mut impl Sink) {
        self.to_bits().put(to);
    }
}

impl Record for NodeId {
    fn put(&self, to: &mut impl Sink) {
        self.0.put(to);
    }
}

impl<R: Record> Record for [R] {
    fn put(&self, to: &mut impl Sink) {
        // Counts are those of what was read from a list, or of a graph's nodes.
        (self.len() as u16).put(to);
        self.iter().for_each(|record| record.put(to));
    }
}

impl Record for Graph<'_> {
    fn put(&self, to: &mut impl Sink) {
        let &Self { nodes, edges, order, policy, levels } = self;
        let (v, e) = (nodes.len() as u32, edges.len() as u32);
        gpusched_graph_header::from(&GraphHeader { v, e, node_base: 0, edge_base: 0, policy }).put(to);
        levels.put(to);
        nodes.put(to);
        edges.put(to);
        order.put(to);
    }
}

impl Record for DepLinksError {
    fn put(&self, to: &mut impl Sink) {
        self.tb().unwrap_or(GPUSCHED_NONE).put(to);
    }
}
