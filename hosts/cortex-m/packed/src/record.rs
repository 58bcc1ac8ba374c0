//! Records of the C ABI, field by field: answers, and arguments.

use alloc::vec::Vec;

use gpusched::dats::{DepLinksError, Graph, GraphHeader, Node, NodeId};
use gpusched::{Cycle, Descriptor, Dim3, GroupLaunch};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::dats::graph::{gpusched_graph_error, gpusched_graph_header};
use gpusched_abi::dats::verbs::{gpusched_dgb_selection, gpusched_graph_report, gpusched_graph_request};
use gpusched_abi::decision::gpusched_decision;
use gpusched_abi::frontend::{gpusched_waiting_head, gpusched_words};
use gpusched_abi::models::exec::{gpusched_exec_estimate, gpusched_exec_inputs};
use gpusched_abi::models::monte::query::{gpusched_monte_site, gpusched_monte_summary, gpusched_monte_tally};
use gpusched_abi::models::monte::verbs::gpusched_monte_request;
use gpusched_abi::models::theory::*;
use gpusched_abi::models::wfg::*;
use gpusched_abi::simt::coalescer::{gpusched_coalescer_config, gpusched_segment};
use gpusched_abi::smx::{gpusched_resources, gpusched_smx_set};

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
        g_no_ready g_head g_level_bound g_deadlock g_fault dgbusy
    }
    gpusched_waiting_head { allowed tag present threads regs smem warps }
    gpusched_graph_request { addr kind tag first count }
    gpusched_graph_report { finalised updates pub_in pub_out inserted readied finished pending }
    gpusched_graph_error { node edge smx tb what }
    gpusched_graph_header { node_base edge_base v e policy bound }
    gpusched_dgb_selection { sched kde node smx }
    gpusched_smx_set { words }
    Dim3 { x y z }
    Descriptor { pc grid tb regs smem param tag }
    GroupLaunch { descriptor hw_tid }
    gpusched_exec_inputs {
        struct_size size_unit clamp_bfp has_fp_lat has_amat reserved insts mem_insts sync_insts sfu_insts fp_insts
        total_warps active_sms n avg_trans_warp avg_inst_lat miss_ratio size_of_data ilp mlp warp_size gamma delta
        dram_lat fp_lat hit_lat simd_width sfu_width freq mem_peak_bw transaction_size o_cfdiv o_bank amat
    }
    gpusched_exec_estimate {
        itilp_max itilp w_parallel f_sync o_sync f_sfu o_sfu w_serial t_comp avg_dram_lat amat comp_cycles mem_cycles
        cwp_full cwp bw_per_warp mwp_peak_bw mwp mwp_cp itmlp t_mem f_overlap t_overlap t_exec t_fp t_mem_min
        b_itilp b_serial b_fp b_memlp
    }
    gpusched_theory_roof { attainable ridge bound reserved }
    gpusched_theory_brent_time { t parallelism speedup }
    gpusched_theory_speed { speedup matches_sequential reserved }
    gpusched_theory_tree { work depth reserved }
    gpusched_theory_reduction { q w_printed w_partial w_total i_printed i_partial i_total }
    gpusched_theory_matmul { b q_naive q_order i_order q_blocked }
    gpusched_theory_private { q1 p z d l c }
    gpusched_theory_misses { bound naive }
    gpusched_theory_traffic { alpha d q l beta }
    gpusched_theory_machine { p c0 beta alpha l q w d }
    gpusched_theory_balanced { machine_balance intensity lhs rhs t_comp t_mem kung printed exact reserved }
    gpusched_theory_boxes { kappa q balance words_per_point bytes_per_word dims reserved }
    gpusched_theory_ulist_estimate {
        neighbours words_per_target bytes_per_target z_words i_printed i_exact q_printed q_exact
    }
    gpusched_wfg_config { struct_size reserved warp_size simd_width dram_lat delta n_warps balance_tol }
    gpusched_wfg_node { weight kind reserved }
    gpusched_wfg_arc { fraction from to }
    gpusched_wfg_dependence { from to }
    gpusched_wfg_flow { comp mem stall span time warps_to_hide balanced reserved }
    gpusched_coalescer_config { struct_size lanes segment mode allow_misaligned }
    gpusched_segment { base lanes }
    gpusched_monte_request { address site store }
    gpusched_monte_summary { seed stores runs reserved }
    gpusched_monte_tally { loads hits min_hits min_loads max_hits max_loads empty mode reliable reserved }
    gpusched_monte_site { l1_loads l1_hits l2_loads l2_hits }
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
