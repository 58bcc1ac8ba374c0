//! Configurations, from and to C's form.

use gpusched::{AgtMiss, BubblePart, Config, DatsPart, Fallback, HashScope, KmuArb, LaPermPart, LoadMode, Policy};
use gpusched_abi::frontend::config::*;

use super::bubble::RETRIGGER;
use super::dgb::{LEVEL_REF, PREFETCH};
use super::laperm::{BACKUP_SELECT, MODEL, NO_FIT, POLICY as LAPERM_POLICY, REFILL_MODE, SPILL, VISIT};
use super::records::{flag, one_of};

const KMU_ARB: [(u32, KmuArb); 2] =
    [(gpusched_kmu_arb::Fcfs as u32, KmuArb::Fcfs), (gpusched_kmu_arb::Rr as u32, KmuArb::Rr)];
const HASH_SCOPE: [(u32, HashScope); 2] =
    [(gpusched_hash_scope::Smx as u32, HashScope::Smx), (gpusched_hash_scope::Global as u32, HashScope::Global)];
const AGT_MISS: [(u32, AgtMiss); 2] =
    [(gpusched_agt_miss::Spill as u32, AgtMiss::Spill), (gpusched_agt_miss::Device as u32, AgtMiss::Device)];
const FALLBACK: [(u32, Fallback); 2] =
    [(gpusched_fallback::Direct as u32, Fallback::Direct), (gpusched_fallback::Full as u32, Fallback::Full)];
const LOAD_MODE: [(u32, LoadMode); 2] =
    [(gpusched_load_mode::Fixed as u32, LoadMode::Fixed), (gpusched_load_mode::External as u32, LoadMode::External)];

/// The number of a value.
pub(super) fn code<V: PartialEq>(value: V, values: &[(u32, V)]) -> u32 {
    values.iter().find(|(_, v)| *v == value).expect("every value is listed").0
}

/// Ties fields of a struct of C to the core's. What a program writes that C has and the core has not is 0.
macro_rules! fields {
    (
        $C:ident: $put:ident, $get:ident = $Core:ident;
        numbers $($number:ident $(= $core_number:ident)?)*;
        choices $($choice:ident $(= $core_choice:ident)? $values:ident)*;
        flags $($flag:ident $(= $core_flag:ident)?)*
    ) => {
        fn $put(c: &mut $C, config: &$Core) {
            $(c.$number = field!(config, $number $($core_number)?);)*
            $(c.$choice = code(field!(config, $choice $($core_choice)?), &$values);)*
            $(c.$flag = field!(config, $flag $($core_flag)?).into();)*
        }

        fn $get(c: &$C) -> $Core {
            let mut config = $Core::default();
            $(field!(config, $number $($core_number)?) = c.$number;)*
            $(field!(config, $choice $($core_choice)?) = one_of(c.$choice, &$values);)*
            $(field!(config, $flag $($core_flag)?) = flag(c.$flag);)*
            config
        }
    };
}
pub(super) use fields;

/// A field under its second name, if it has one.
macro_rules! field {
    ($of:ident, $name:ident) => {
        $of.$name
    };
    ($of:ident, $name:ident $other:ident) => {
        $of.$other
    };
}
pub(super) use field;

fields! {
    gpusched_frontend_config: put, get = Config;
    numbers
    n_smx tb_slots threads regs smem warp n_hwq n_kde hwq_depth pend_limit susp_cap sync_depth agt_size
    lat_stream gpb_b gpb_a ld_b ld_a lat_dispatch kmu_interval kde_scan agt_probe load_cycles turn_groups
    n_class load_ahead;
    choices
    kmu_arb KMU_ARB
    hash_scope HASH_SCOPE
    agt_miss AGT_MISS
    fallback FALLBACK
    load_mode LOAD_MODE;
    flags
    pass_capped pass_graph exclusive
}

fields! {
    gpusched_frontend_config: put_laperm, get_laperm = LaPermPart;
    numbers
    laperm_cluster = cluster
    laperm_levels = levels
    laperm_queue_cap = queue_cap
    laperm_q0_cap = q0_cap
    laperm_pool_cap = pool_cap
    laperm_backup_limit = backup_limit
    laperm_refill_cycles = refill_cycles;
    choices
    laperm_policy = policy LAPERM_POLICY
    laperm_model = model MODEL
    laperm_visit = visit VISIT
    laperm_no_fit = no_fit NO_FIT
    laperm_spill = spill SPILL
    laperm_backup_select = backup_select BACKUP_SELECT
    laperm_refill_mode = refill_mode REFILL_MODE;
    flags
    laperm_charge_insert = charge_insert
}

fields! {
    gpusched_frontend_config: put_bubble, get_bubble = BubblePart;
    numbers
    bubble_t_num = t_num
    bubble_t_den = t_den
    bubble_sample_cycles = sample_cycles
    bubble_drain_samples = drain_samples
    bubble_transition_samples = transition_samples
    bubble_gpu_idle_samples = gpu_idle_samples
    bubble_v_high_mv = v_high_mv
    bubble_v_low_mv = v_low_mv
    bubble_f_high_mhz = f_high_mhz
    bubble_f_low_mhz = f_low_mhz
    bubble_leak_exp = leak_exp
    bubble_p_leak_mw = p_leak_mw
    bubble_p_idle_mw = p_idle_mw
    bubble_p_dyn_mw = p_dyn_mw
    bubble_p_uncore_mw = p_uncore_mw;
    choices
    bubble_retrigger = retrigger RETRIGGER;
    flags
    bubble_enabled = enabled
    bubble_inclusive = inclusive
    bubble_draining = draining
    bubble_gpu_level = gpu_level
    bubble_resume_draining = resume_draining
    bubble_resume_hold = resume_hold
}

fields! {
    gpusched_frontend_config: put_dats, get_dats = DatsPart;
    numbers
    dats_lna = lna
    dats_lea = lea
    dats_pub_entries = pub_entries
    dats_chunk_bytes = chunk_bytes;
    choices
    dats_prefetch = prefetch PREFETCH
    dats_level_ref = level_ref LEVEL_REF;
    flags
    dats_issue_needs_edges = issue_needs_edges
    dats_spill = spill
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &Config, decisions: u32) -> gpusched_frontend_config {
    let struct_size = size_of::<gpusched_frontend_config>() as u32;
    let (bubble, dats) = (config.bubble.is_some().into(), config.dats.is_some().into());
    let mut c = gpusched_frontend_config { struct_size, decisions, bubble, dats, ..Default::default() };
    put(&mut c, config);
    let policy = config.laperm().map_or(gpusched_policy::FcfsRr, |_| gpusched_policy::LaPerm);
    c.policy = policy as u32;
    put_laperm(&mut c, &config.laperm().copied().unwrap_or_default());
    put_bubble(&mut c, &config.bubble.unwrap_or_default());
    put_dats(&mut c, &config.dats.unwrap_or_default());
    c
}

/// A configuration as the library tells it.
#[must_use]
pub fn core_config(c: &gpusched_frontend_config) -> Config {
    let config = get(c);
    let is_laperm = c.policy == gpusched_policy::LaPerm as u32;
    let policy = if is_laperm { Policy::LaPerm(get_laperm(c)) } else { Policy::FcfsRr };
    let (bubble, dats) = (flag(c.bubble).then(|| get_bubble(c)), flag(c.dats).then(|| get_dats(c)));
    Config { policy, bubble, dats, ..config }
}
