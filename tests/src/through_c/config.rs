//! Configurations in C's form.

use std::mem::size_of;

use gpusched::{AgtMiss, Config, Fallback, HashScope, KmuArb, LoadMode, Policy};
use gpusched_abi::frontend::config::*;

macro_rules! numbers {
    ($($name:ident)*) => {
        /// A configuration as a C program writes it.
        #[must_use]
        pub fn c_config(config: &Config, decisions: u32) -> gpusched_frontend_config {
            gpusched_frontend_config {
                struct_size: size_of::<gpusched_frontend_config>() as u32,
                $($name: config.$name,)*
                kmu_arb: match config.kmu_arb {
                    KmuArb::Fcfs => gpusched_kmu_arb::Fcfs as u32,
                    KmuArb::Rr => gpusched_kmu_arb::Rr as u32,
                },
                hash_scope: match config.hash_scope {
                    HashScope::Smx => gpusched_hash_scope::Smx as u32,
                    HashScope::Global => gpusched_hash_scope::Global as u32,
                },
                agt_miss: match config.agt_miss {
                    AgtMiss::Spill => gpusched_agt_miss::Spill as u32,
                    AgtMiss::Device => gpusched_agt_miss::Device as u32,
                },
                fallback: match config.fallback {
                    Fallback::Direct => gpusched_fallback::Direct as u32,
                    Fallback::Full => gpusched_fallback::Full as u32,
                },
                load_mode: match config.load_mode {
                    LoadMode::Fixed => gpusched_load_mode::Fixed as u32,
                    LoadMode::External => gpusched_load_mode::External as u32,
                },
                policy: match config.policy {
                    Policy::FcfsRr => gpusched_policy::FcfsRr as u32,
                },
                pass_capped: config.pass_capped.into(),
                exclusive: config.exclusive.into(),
                decisions,
            }
        }
    };
}

numbers! {
    n_smx tb_slots threads regs smem warp n_hwq n_kde hwq_depth pend_limit susp_cap sync_depth agt_size
    lat_stream gpb_b gpb_a ld_b ld_a lat_dispatch kmu_interval kde_scan agt_probe load_cycles turn_groups
    n_class
}
