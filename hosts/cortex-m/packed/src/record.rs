//! Records of the C ABI, field by field: answers, and arguments.

use alloc::vec::Vec;

use gpusched::dats::{DepLinksError, Graph, GraphHeader, Node, NodeId};
use gpusched::{Cluster, Consumers, Cycle, Descriptor, DeviceLaunch, Dim3, GroupLaunch, KernelEdge, KernelNode};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::convert::ToC;
use gpusched_abi::decision::{gpusched_decision, gpusched_part};
use gpusched_abi::frontend::{
    gpusched_completion, gpusched_context_spec, gpusched_offer, gpusched_placement, gpusched_victim,
    gpusched_waiting_head, gpusched_words,
};
use gpusched_abi::offer::gpusched_unit_key;
use gpusched_abi::smx::{gpusched_gpc_set, gpusched_resources, gpusched_smx_set};

use crate::read::{Damaged, Item, Reader};

/// Where bytes go: into a file, or against what a file expects.
pub trait Sink {
    /// The next bytes.
    fn put(&mut self, bytes: &[u8]);
}

/// Bytes that are collected: a file that is written, or the records of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Sink for Bytes {
    fn put(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
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

numbers!(u8 u16 u32 u64 i32 f64);

impl Record for bool {
    fn put(&self, to: &mut impl Sink) {
        u32::from(*self).put(to);
    }
}

impl Record for Cycle {
    fn put(&self, to: &mut impl Sink) {
        self.0.put(to);
    }
}

impl Record for str {
    fn put(&self, to: &mut impl Sink) {
        self.as_bytes().put(to);
    }
}

/// Lists every field, so that a new one does not compile until it is here.
macro_rules! records {
    ($($Record:ident { $($field:ident)* })*) => {
        $(impl Record for $Record {
            fn put(&self, to: &mut impl Sink) {
                let Self { $($field),* } = self;
                $($field.put(to);)*
            }
        }

        impl Item<'_> for $Record {
            fn read(from: &mut Reader<'_>) -> Result<Self, Damaged> {
                Ok(Self { $($field: from.get()?),* })
            }
        })*
    };
}
pub(crate) use records;

records! {
    gpusched_resources { threads regs smem slots }
    gpusched_decision { cycle tag blkid group smx kind slot kde unit queue detail }
    gpusched_words {
        tb idle load noroom gated capped issue empty busy kdfull no_fit no_candidate masked
        g_no_ready g_head g_level_bound g_deadlock g_fault dgbusy told frag quota
    }
    gpusched_part { unit row }
    gpusched_unit_key { ready no }
    gpusched_offer {
        tag res key parent open capped id row kind blkid left total prio psmx class_id stream load reserved
    }
    gpusched_placement { tb_ref tag smx slot kde blkid }
    gpusched_completion { unit start end issued all row blkid smx }
    gpusched_waiting_head { allowed tag present threads regs smem warps }
    gpusched_smx_set { words }
    gpusched_gpc_set { words }
    gpusched_context_spec { smxs gpcs has_smxs has_gpcs quota kdes }
    gpusched_victim { victim_kind context kde }
    Dim3 { x y z }
    Cluster { x y z nonportable }
    Descriptor { pc grid tb regs smem param cluster tag }
    GroupLaunch { kernel hw_tid }
    DeviceLaunch { kernel stream }
    Consumers { pc tb regs smem first }
    KernelNode { kernel retain }
    KernelEdge { from to kind }
}

/// As in a struct of C: an array has no count.
impl<R: Record, const N: usize> Record for [R; N] {
    fn put(&self, to: &mut impl Sink) {
        self.iter().for_each(|record| record.put(to));
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
        GraphHeader { v, e, node_base: 0, edge_base: 0, policy }.to_c().put(to);
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
