//! Whether C lays out every struct as Rust does.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::mem::{align_of, offset_of, size_of};

use gpusched_abi::apogee::*;
use gpusched_abi::bubble::*;
use gpusched_abi::catalogue::*;
use gpusched_abi::coalescer::*;
use gpusched_abi::config::gpusched_parameter;
use gpusched_abi::decision::*;
use gpusched_abi::dgb::*;
use gpusched_abi::equalizer_fm::*;
use gpusched_abi::equalizer_sm::*;
use gpusched_abi::frontend::*;
use gpusched_abi::laperm::*;
use gpusched_abi::mascar::*;
use gpusched_abi::models::*;
use gpusched_abi::monte::*;
use gpusched_abi::object::*;
use gpusched_abi::offer::*;
use gpusched_abi::plugin::*;
use gpusched_abi::scoreboard::*;
use gpusched_abi::smx::*;
use gpusched_abi::stack::*;
use gpusched_abi::tlp::*;
use gpusched_abi::{tlp_leftover::*, tlp_pool::*, tlp_sm::*, tlp_smart_even::*, tlp_smc::*};

use crate::build::Language;

/// How Rust lays out a struct of C.
pub struct Struct {
    pub name: &'static str,
    size: usize,
    align: usize,
    /// Names and offsets.
    pub fields: &'static [(&'static str, usize)],
}

macro_rules! structs {
    ($($name:ident: $($field:ident)*;)*) => {
        &[$(Struct {
            name: stringify!($name),
            size: size_of::<$name>(),
            align: align_of::<$name>(),
            fields: &[$((stringify!($field), offset_of!($name, $field)),)*],
        },)*]
    };
}

/// Every struct of the header.
pub const STRUCTS: &[Struct] = structs! {
    gpusched_frontend_config: struct_size n_smx tb_slots threads regs smem warp n_hwq n_kde hwq_depth pend_limit
        susp_cap sync_depth agt_size lat_stream gpb_b gpb_a ld_b ld_a lat_dispatch kmu_interval kde_scan agt_probe
        load_cycles turn_groups n_class kmu_arb hash_scope agt_miss fallback load_mode policy pass_capped
        exclusive decisions laperm_cluster laperm_levels laperm_queue_cap laperm_q0_cap laperm_pool_cap
        laperm_backup_limit laperm_refill_cycles laperm_policy laperm_model laperm_visit laperm_no_fit
        laperm_spill laperm_backup_select laperm_charge_insert bubble bubble_t_num bubble_t_den
        bubble_sample_cycles bubble_drain_samples bubble_transition_samples bubble_gpu_idle_samples
        bubble_v_high_mv bubble_v_low_mv bubble_f_high_mhz bubble_f_low_mhz bubble_leak_exp bubble_p_leak_mw
        bubble_p_idle_mw bubble_p_dyn_mw bubble_p_uncore_mw bubble_retrigger bubble_enabled bubble_inclusive
        bubble_draining bubble_gpu_level bubble_resume_draining bubble_resume_hold pass_graph dats dats_lna
        dats_lea dats_pub_entries dats_chunk_bytes dats_prefetch dats_level_ref dats_issue_needs_edges dats_spill
        load_ahead laperm_refill_mode told_dispatch_per_cycle told_stall_limit told_units told_rescue told_split_cap
        n_stream topology topology_numbering topology_tpc_ends topology_gpc_ends topology_pair_only cluster priority partition
        preempt cluster_portable cluster_largest cluster_fill cluster_gpc_order cluster_pass_cluster partition_contexts
        partition_min_set partition_align partition_mig preempt_drain_max preempt_save_base preempt_save_bytes
        preempt_restore_base preempt_restore_bytes priority_levels flush_cycles cdp2 cdp2_max_depth cdp2_lat_tail
        cdp2_tail_depth cdp2_pend_hold grids pdl pdl_window pdl_late_launch kgraph kgraph_graphs kgraph_nodes
        kgraph_edges kgraph_insts kgraph_lat_kernel kgraph_lat_graph kgraph_lat_node kgraph_lat_edge cross;
    gpusched_cluster: x y z nonportable;
    gpusched_context: smxs quota limit kdes threads;
    gpusched_context_spec: smxs gpcs has_smxs has_gpcs quota kdes;
    gpusched_drain_request: smxs victim is_done;
    gpusched_gpc: smxs place;
    gpusched_gpc_set: words;
    gpusched_owner: context priority;
    gpusched_tpc: smxs gpc;
    gpusched_victim: victim_kind context kde;
    gpusched_parameter: name value min max power_of_two rule;
    gpusched_layout: size align;
    gpusched_frontend_storage: kde_refs fcfs_first sscr_agei tbcr_agei agt load_buffer gates composition
        dtbl_registers total laperm_on_chip laperm_off_chip bubble_total dats_total told modern grids;
    gpusched_dim3: x y z;
    gpusched_kernel: pc grid tb regs smem param cluster tag;
    gpusched_group: kernel hw_tid;
    gpusched_device_launch: kernel stream;
    gpusched_consumers: pc tb regs smem first;
    gpusched_grid: tag made flushed kids tails parent queue instance is_tail is_ended is_open;
    gpusched_grid_stats: completes tails opens waits wait_slots kernel_nodes;
    gpusched_kernel_node: kernel retain;
    gpusched_kernel_edge: from to kind;
    gpusched_kgraph: waiting nodes edges instance;
    gpusched_instance: graph queue left;
    gpusched_ready_node: ready seq node;
    gpusched_tick: sched kmu;
    gpusched_words: tb idle load noroom gated capped issue empty busy kdfull no_fit no_candidate masked
        g_no_ready g_head g_level_bound g_deadlock g_fault dgbusy told frag quota;
    gpusched_decision: cycle tag blkid group smx kind slot kde unit queue detail;
    gpusched_part: unit row;
    gpusched_unit_key: ready no;
    gpusched_offer: tag res key parent open capped id row kind blkid left total prio psmx class_id stream load reserved;
    gpusched_placement: tb_ref tag smx slot kde blkid;
    gpusched_resident: unit stream threads;
    gpusched_plugin: struct_size version units name state_size init choose done save restore end;
    gpusched_plugin_machine: struct_size n_smx units capacity tpc gpc;
    gpusched_plugin_view: struct_size n_smx now offers offers_count free residents residents_end;
    gpusched_plugin_choice: wake offer smx;
    gpusched_told: wake units wakes sent spell is_begun has_declined is_rescuing;
    gpusched_completion: unit start end issued all row blkid smx;
    gpusched_trace: events capacity written;
    gpusched_smx_set: words;
    gpusched_class_cap: cap by resident bypassing;
    gpusched_waiting_head: allowed tag present threads regs smem warps;
    gpusched_frontend_stats: kde_hit kde_miss agt_hit agt_spill dyn_n dyn_wait tbs warp_cycles ticks rec_peak
        gated capped passed samples graph_tbs told stalled rescued clusters frag quota;
    gpusched_smx: slots threads regs smem warps;
    gpusched_tb: tb_ref smx slot kde blkid class_id bypass prio cluster rank has_triggered is_waiting;
    gpusched_kde: tag pc arrives nagei lagei agei total next_native saved restored exe live queue psmx depth prio
        pend retain marked first tried next_bl load turn graph until context priority unit;
    gpusched_record: tag ready called state total psmx depth prio;
    gpusched_group_view: tag at next record kde exe dist;
    gpusched_load_place: record load;
    gpusched_hwq: busy len;
    gpusched_suspended: tag saved resumed;
    gpusched_laperm_unit: tag ready_at tbs next prio section kde record;
    gpusched_resources: threads regs smem slots;
    gpusched_laperm_config: struct_size smxs cluster levels queue_cap q0_cap pool_cap kdu_entries backup_limit
        refill_cycles kmu_dispatch_cycles smx_threads smx_regs smx_smem smx_slots policy model visit no_fit spill
        backup_select charge_insert refill_mode;
    gpusched_laperm_storage: unit_queues queue0 section_pointers visit_pointer backups kmu_pointer mask baseline
        off_chip queues on_chip;
    gpusched_laperm_placed: ready_at evicted place unit level pos evicts;
    gpusched_laperm_sent: tag refill sched smx tb prio stage unit kde last refills;
    gpusched_laperm_moved: tag ready_at kmu unit level kde cost;
    gpusched_laperm_entry: tag ready_at res tbs next prio section kde;
    gpusched_laperm_kde: waiting running;
    gpusched_laperm_backup: unit run;
    gpusched_laperm_head: allowed tag res present;
    gpusched_apogee_config: struct_size entries warps warp_size threads pc_bits addr_bits offset_bits conf_bits
        dist_bits tidx_bits init_distance min_distance line_bytes pfq issue_latency min_conf lanes lal early
        slow_rule merge gap_fill;
    gpusched_apogee_storage: row table last_loads queue uncounted total;
    gpusched_apogee_lane: address lane reserved;
    gpusched_apogee_access: pc mask addresses lanes count warp verdict first stride;
    gpusched_apogee_loaded: entry is_new evicts evicted adjust mismatch confirmed pushed merged dropped outside
        triggered tia tia_entry tia_evicts tia_evicted;
    gpusched_apogee_triggered: entry moved result;
    gpusched_apogee_lists: lines line_capacity rows row_capacity;
    gpusched_apogee_request: line entry generation warp kind;
    gpusched_apogee_last_load: valid pc;
    gpusched_apogee_row: address states_low states_high kind pc confidence generation;
    gpusched_apogee_row_kind: row_type offset is_foa thread distance target slow;
    gpusched_apogee_waiting: request ready;
    gpusched_bubble_config: struct_size smxs t_num t_den sample_cycles drain_samples transition_samples
        gpu_idle_samples warp_size smx_threads smx_regs smx_smem smx_slots v_high_mv v_low_mv f_high_mhz f_low_mhz
        leak_exp p_leak_mw p_idle_mw p_dyn_mw p_uncore_mw retrigger enabled inclusive draining gpu_level
        resume_draining resume_hold;
    gpusched_bubble_storage: dvr drn dvfs drain_counters timers armed gpu_level register_bytes uncounted total;
    gpusched_bubble_resident: tbs warps;
    gpusched_bubble_waiting: allowed res bound;
    gpusched_bubble_registers: dvr drn dvfs gpu reserved;
    gpusched_bubble_record: low_done high_done divert refused drain_done drain_abort down eligible registers
        gpu_done gpu_start resume resume_smx starved;
    gpusched_bubble_gpu: low idle_samples level left;
    gpusched_energy: lo hi;
    gpusched_bubble_smx: energy energy_bubble bubble low level armed;
    gpusched_bubble_smx_level: stage samples left;
    gpusched_bubble_ledger: free resident;
    gpusched_bubble_stats: samples divert refused drain_done drain_abort down up cancel gpu_down gpu_up;
    gpusched_dgb_header: node_base edge_base v e policy;
    gpusched_graph: nodes edges order header levels;
    gpusched_dgb_error: status node what edge smx kind;
    gpusched_dgb_config: struct_size smxs lna lea pub_entries chunk_bytes prefetch level_ref issue_needs_edges spill;
    gpusched_dgb_storage: lna lea pub_entries nib total;
    gpusched_dgb_admission: verdict node;
    gpusched_dgb_request: addr kind tag first count node present;
    gpusched_dgb_report: finalised updates pub_in pub_out inserted readied finished pending;
    gpusched_dgb_selection: sched kde node smx;
    gpusched_dgb_doing: stage kind node;
    gpusched_dgb_state: phase tail head fetched tail_edge edge_head executing spilling deadlock next_smx next_node
        waits_for_memory;
    gpusched_dgb_stats: dispatched node_requests edge_requests spills pub_max max_level_range;
    gpusched_dgb_node: state is_childless parents level start;
    gpusched_equalizer_counts: active waiting xalu xmem;
    gpusched_equalizer_warp: resident paused issued valid sync ready mem accept;
    gpusched_equalizer_classified: of active;
    gpusched_equalizer_decision: delta action;
    gpusched_equalizer_change: pause unpause pause_count unpause_count requests;
    gpusched_equalizer_started: target requests;
    gpusched_equalizer_granted: change slot;
    gpusched_equalizer_ended: block change;
    gpusched_equalizer_epoch: change present delta action sm_vote mem_vote changed watchdog target;
    gpusched_equalizer_resolved: up hold down decision outcome;
    gpusched_equalizer_round: present sm mem;
    gpusched_equalizer_sm_config: struct_size max_warps max_blocks sample_interval epoch_cycles counter_bits
        bw_threshold hysteresis min_blocks watchdog average hyst_mode objective pause_pick unpause_pick xmem_rule
        alu_inclusive sync_active energy_comp_sm energy_comp_mem energy_mem_sm energy_mem_mem performance_comp_sm
        performance_comp_mem performance_mem_sm performance_mem_mem;
    gpusched_equalizer_sm_storage: sums cycle control slots pause_bits of_source uncounted total;
    gpusched_equalizer_sm_state: sums samples w_cta limit target run dir running paused outstanding drained
        watchdog_epochs objective;
    gpusched_equalizer_block: id paused;
    gpusched_equalizer_fm_config: struct_size sms sm_transition mem_transition step_permille majority idle quorum;
    gpusched_equalizer_fm_storage: domains votes total;
    gpusched_equalizer_levels: next sm mem sm_permille mem_permille;
    gpusched_equalizer_domain: done_at level target;
    gpusched_equalizer_fm_state: voted enabled sm mem;
    gpusched_catalogue_smxs: count numbers;
    gpusched_catalogue_weights: count numbers;
    gpusched_catalogue_config: struct_size n_smx units slots threads regs smem block samples chunk warp grain probe
        streams quantum min_steal seed tpc gpc policy pass place prio_first order listed domain spill metric weights
        cost what amount tie;
    gpusched_catalogue_storage: pointers units smxs streams total;
    gpusched_catalogue_state: x rr turn fresh;
    gpusched_catalogue_unit: unit home limit duration;
    gpusched_catalogue_view: now offers offer_count free counts residents resident_count;
    gpusched_catalogue_choice: offer smx blkid;
    gpusched_mascar_cache: mshr missq mshr_sat missq_sat mshr_clear missq_clear;
    gpusched_mascar_config: struct_size warps schedulers rexq warp_size owner_timeout starve_limit per_pipe enable
        ep_priority ep_mem_order ep_comp_order mp_priority mp_mem_order mp_comp_order owner_first relinquish_waits
        relinquish_sync rescue retry_owner nonowner_merge sources caches;
    gpusched_mascar_storage: wrc wst rexq total;
    gpusched_mascar_saturation: flag mode;
    gpusched_mascar_issue: sched warp pipe;
    gpusched_mascar_decision: mode owner released why granted via count issues;
    gpusched_mascar_request: base mask offs;
    gpusched_mascar_next: src warp index dst request;
    gpusched_mascar_reply: ack to_l2 action unblocked;
    gpusched_mascar_state: picked acquired resident wst_mem wst_stall leftover mode flags owner barred last lsu lsu_warp
        lsu_left presented rexq reserved;
    gpusched_mascar_warp: kind ready dep_load has_requests;
    gpusched_mascar_entry: warp dst request;
    gpusched_tlp_config: struct_size threads regs smem slots sms tlp_cap tol_permille grow_step min_tlp his_shift
        sp_units ldst_units op_cycles pool_cap qcap hold_on_equal puhp_tie his_rule dynamic bypass wait_by order
        stall_norm solo_tlp upup avoid_upup idle_only smart;
    gpusched_tlp_storage: kernels targets slots period history learning pool left_over smart_even smc sm_total sm_of_source;
    gpusched_tlp_category: kind opt;
    gpusched_tlp_needs: threads regs smem;
    gpusched_tlp_kernel: needs category;
    gpusched_tlp_targets: tb mode a;
    gpusched_tlp_attached: mode tb;
    gpusched_tlp_detached: mode tb aborted;
    gpusched_tlp_dispatched: stall slot k bypass;
    gpusched_tlp_finished: k bypass period_end;
    gpusched_tlp_metrics: sp ldst stall_mem stall_struct avail;
    gpusched_tlp_sampled: action critical grow tb by learn cost;
    gpusched_tlp_overridden: aborted by;
    gpusched_tlp_sm_state: start end mode first tb by resident bypassing phase cohort learn periods sp ldst sp_of
        ldst_of;
    gpusched_tlp_resident: k bypass;
    gpusched_tlp_picked: a b present;
    gpusched_tlp_next: i complementary present;
    gpusched_tlp_pending: seq kind pref ready;
    gpusched_tlp_sent: sched sm k tb;
    gpusched_tlp_submitted: seq needs n_tb next finished;
    gpusched_tlp_job: needs n_tb;
    gpusched_tlp_sharer_ended: k done;
    gpusched_tlp_owned_sm: owner resident;
    gpusched_tlp_sharer: max n_tb next finished;
    gpusched_tlp_proposal: sm b;
    gpusched_tlp_reported: proposal done;
    gpusched_stack_config: struct_size lanes depth first compact;
    gpusched_stack_storage: registers entries pointer total;
    gpusched_stack_running: mask pc depth pops done;
    gpusched_stack_branching: taken taken_pc fall_pc reconv reserved;
    gpusched_stack_entry: mask reconv next;
    gpusched_coalescer_config: struct_size lanes segment mode allow_misaligned;
    gpusched_coalescer_segment: base lanes;
    gpusched_scoreboard_config: struct_size warps regs entries;
    gpusched_scoreboard_storage: marks counts total;
    gpusched_scoreboard_outcome: stall reg pending mem_in_flight;
    gpusched_scoreboard_issued: pending mem_in_flight;
    gpusched_scoreboard_waits: pending memory;
    gpusched_models_exec_config: size_unit clamp_bfp;
    gpusched_models_exec_inputs: insts mem_insts sync_insts sfu_insts fp_insts total_warps active_sms n avg_trans_warp
        avg_inst_lat miss_ratio size_of_data ilp mlp warp_size gamma delta dram_lat fp_lat hit_lat simd_width sfu_width
        freq mem_peak_bw transaction_size o_cfdiv o_bank amat has_fp_lat has_amat;
    gpusched_models_exec_estimate: itilp_max itilp w_parallel f_sync o_sync f_sfu o_sfu w_serial t_comp avg_dram_lat
        amat comp_cycles mem_cycles cwp_full cwp bw_per_warp mwp_peak_bw mwp mwp_cp itmlp t_mem f_overlap t_overlap
        t_exec t_fp t_mem_min b_itilp b_serial b_fp b_memlp;
    gpusched_models_roof: attainable ridge bound reserved;
    gpusched_models_brent_time: t parallelism speedup;
    gpusched_models_speed: speedup matches_sequential reserved;
    gpusched_models_tree: work depth reserved;
    gpusched_models_reduction: q w_printed w_partial w_total i_printed i_partial i_total;
    gpusched_models_matmul: b q_naive q_order i_order q_blocked is_blocked reserved;
    gpusched_models_private_caches: q1 p z d l c;
    gpusched_models_private_misses: bound naive;
    gpusched_models_traffic: alpha d q l beta;
    gpusched_models_machine: p c0 beta alpha l q w d;
    gpusched_models_balanced: machine_balance intensity lhs rhs t_comp t_mem kung printed exact reserved;
    gpusched_models_boxes: kappa q balance words_per_point bytes_per_word dims reserved;
    gpusched_models_ulist_estimate: neighbours words_per_target bytes_per_target z_words i_printed i_exact q_printed
        q_exact;
    gpusched_models_wfg_config: warp_size simd_width dram_lat delta n_warps balance_tol;
    gpusched_models_node: weight kind reserved;
    gpusched_models_arc: fraction from to;
    gpusched_models_dependence: from to;
    gpusched_models_flow: comp mem stall span time warps_to_hide balanced reserved;
    gpusched_monte_config: struct_size sms l1_sets l1_ways l1_line l2_sets l2_ways l2_line bins tol_permille
        max_requests sites pick l1_store_alloc;
    gpusched_monte_request: address site store;
    gpusched_monte_warp: requests count sm reserved;
    gpusched_monte_slot: opaque;
    gpusched_monte_trace: warps count scratch slots;
    gpusched_monte_extreme: hits loads;
    gpusched_monte_tally: loads hits min max empty mode reliable reserved;
    gpusched_monte_site_tally: l1_loads l1_hits l2_loads l2_hits;
};

/// The structs of the header and their fields, a struct by its name, a field as `struct.field`.
fn declared() -> BTreeSet<String> {
    let header = gpusched_gen::House::own().header_text().expect("the headers");
    let mut names = BTreeSet::new();
    let mut within = None;
    for line in header.lines() {
        if let Some(name) = line.strip_prefix("typedef struct ").and_then(|line| line.strip_suffix(" {")) {
            names.insert(name.to_owned());
            within = Some(name);
        } else if line.starts_with('}') {
            within = None;
        } else if let Some(name) = within
            && let Some(field) = line.strip_suffix(';').and_then(|field| field.rsplit([' ', '*']).next())
            && !line.trim_start().starts_with("//")
        {
            names.insert(format!("{name}.{}", field.split('[').next().unwrap_or(field)));
        }
    }
    names
}

#[test]
fn c_and_rust_lay_out_every_struct_alike() {
    let (mut source, mut checked) = (String::new(), BTreeSet::new());
    let mut compare = |name: String, expression: String, value: usize| {
        writeln!(source, "ASSERT({expression} == {value}, \"{name}\");").expect("a string takes text");
        checked.insert(name);
    };
    for Struct { name, size, align, fields } in STRUCTS {
        compare((*name).to_owned(), format!("sizeof({name})"), *size);
        compare((*name).to_owned(), format!("ALIGNOF({name})"), *align);
        for (field, offset) in *fields {
            compare(format!("{name}.{field}"), format!("offsetof({name}, {field})"), *offset);
        }
    }
    let declared = declared();
    let differences = checked.symmetric_difference(&declared).collect::<Vec<_>>();
    assert_eq!(differences, Vec::<&String>::new(), "all structs and fields of the header are compared");
    let c = "#include <gpusched.h>\n#define ASSERT _Static_assert\n#define ALIGNOF _Alignof\n";
    Language::C("c11").check(&format!("{c}{source}"));
    let cpp = "#include <gpusched.h>\n#define ASSERT static_assert\n#define ALIGNOF alignof\n";
    Language::Cpp("c++17").check(&format!("{cpp}{source}"));
}
