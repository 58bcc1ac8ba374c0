//! Configurations, from and to C's form.

use std::mem::size_of;

use gpusched::{AgtMiss, Config, Fallback, HashScope, KmuArb, LoadMode, Policy};
use gpusched_abi::frontend::config::*;

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
const POLICY: [(u32, Policy); 1] = [(gpusched_policy::FcfsRr as u32, Policy::FcfsRr)];

/// The number of a value.
fn code<V: PartialEq>(value: V, values: &[(u32, V)]) -> u32 {
    values.iter().find(|(_, v)| *v == value).expect("every value is listed").0
}

macro_rules! fields {
    (numbers $($number:ident)*; choices $($choice:ident $values:ident)*; flags $($flag:ident)*) => {
        /// A configuration as a C program writes it.
        #[must_use]
        pub fn c_config(config: &Config, decisions: u32) -> gpusched_frontend_config {
            gpusched_frontend_config {
                struct_size: size_of::<gpusched_frontend_config>() as u32,
                $($number: config.$number,)*
                $($choice: code(config.$choice, &$values),)*
                $($flag: config.$flag.into(),)*
                decisions,
            }
        }

        /// A configuration as the library tells it.
        #[must_use]
        pub fn core_config(config: &gpusched_frontend_config) -> Config {
            Config {
                $($number: config.$number,)*
                $($choice: one_of(config.$choice, &$values),)*
                $($flag: flag(config.$flag),)*
                laperm: None,
                bubble: None,
            }
        }
    };
}

fields! {
    numbers
    n_smx tb_slots threads regs smem warp n_hwq n_kde hwq_depth pend_limit susp_cap sync_depth agt_size
    lat_stream gpb_b gpb_a ld_b ld_a lat_dispatch kmu_interval kde_scan agt_probe load_cycles turn_groups
    n_class;
    choices
    kmu_arb KMU_ARB
    hash_scope HASH_SCOPE
    agt_miss AGT_MISS
    fallback FALLBACK
    load_mode LOAD_MODE
    policy POLICY;
    flags
    pass_capped exclusive
}
