//! The machines of the built-in workload: a prototype's GPU, once per mechanism. The C firmware has the same (`../../c/workload.c`).
//!
//! `GPUSCHED_SMXS`, set when the firmware is built, says how many SMXs they have: 4 to 16, by default 8.

use gpusched::dats::GraphPolicy;
use gpusched::{BubblePart, Config, DatsPart, InlineTables, LaPermPart, Policy, Reserved, inline_tables, laperm};
use static_cell::ConstStaticCell;

/// SMXs.
pub const SMXS: u32 = {
    let smxs = match option_env!("GPUSCHED_SMXS") {
        Some(number) => match u32::from_str_radix(number, 10) {
            Ok(smxs) => smxs,
            Err(_) => 0,
        },
        None => 8,
    };
    assert!(smxs >= 4 && smxs <= 16, "GPUSCHED_SMXS must be a number from 4 to 16");
    smxs
};
/// TB slots of an SMX.
pub const TB_SLOTS: u32 = 8;
/// TBs that run at once.
pub const RESIDENT: usize = (SMXS * TB_SLOTS) as usize;

/// What all have in common, and DTBL under round robin: 64 AGEs.
pub const DTBL: Config = Config {
    n_smx: SMXS,
    tb_slots: TB_SLOTS,
    n_hwq: 8,
    n_kde: 16,
    hwq_depth: 4,
    pend_limit: 192,
    susp_cap: 4,
    agt_size: 64,
    ..Config::K20C
};

/// The same launches under LaPerm's Adaptive-Bind.
pub const LAPERM: Config = Config {
    policy: Policy::LaPerm(LaPermPart {
        policy: laperm::Policy::AdaptiveBind,
        q0_cap: DTBL.n_kde,
        pool_cap: DTBL.pend_limit + DTBL.n_kde,
        ..LaPermPart::K20C
    }),
    ..DTBL
};

/// A wavefront through the dependency-graph buffer.
pub const DATS: Config =
    Config { dats: Some(DatsPart { lna: 64, lea: 128, pub_entries: 32, ..DatsPart::GTX480 }), ..DTBL };
/// How its graph is dispatched.
pub const WAVEFRONT_POLICY: GraphPolicy = GraphPolicy::Lvl { bound: 3 };

/// Bursts under the occupancy-bubble controller.
pub const BUBBLE: Config = Config {
    bubble: Some(BubblePart { sample_cycles: 500, drain_samples: 8, gpu_idle_samples: 4, ..BubblePart::K20C }),
    ..DTBL
};

inline_tables! {
    /// Room for [`DTBL`].
    pub struct Dtbl = DTBL;
}
inline_tables! {
    /// Room for [`LAPERM`].
    pub struct LaPerm = LAPERM;
}
inline_tables! {
    /// Room for [`DATS`].
    pub struct Dats = DATS;
}
inline_tables! {
    /// Room for [`BUBBLE`].
    pub struct Bubble = BUBBLE;
}

/// Memory for the tables of each, so that none of them ever lies on the stack.
pub struct Memory {
    /// Of [`DTBL`].
    pub dtbl: Reserved<Dtbl>,
    /// Of [`LAPERM`].
    pub laperm: Reserved<LaPerm>,
    /// Of [`DATS`].
    pub dats: Reserved<Dats>,
    /// Of [`BUBBLE`].
    pub bubble: Reserved<Bubble>,
}

/// That memory.
pub static MEMORY: ConstStaticCell<Memory> = ConstStaticCell::new(Memory {
    dtbl: Dtbl::RESERVED,
    laperm: LaPerm::RESERVED,
    dats: Dats::RESERVED,
    bubble: Bubble::RESERVED,
});
