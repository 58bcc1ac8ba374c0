//! The configuration of the units.

use gpusched::tlp::{HistoryRule, Order, PuhpTie, SoloTlp, StallNorm, TlpConfig, UpUp};
use gpusched_abi::tlp::config::*;

use crate::through_c::config::{code, field, fields};
use crate::through_c::records::{flag, one_of};

const PUHP_TIE: [(u32, PuhpTie); 2] =
    [(gpusched_tlp_puhp_tie::Hold as u32, PuhpTie::Hold), (gpusched_tlp_puhp_tie::Grow0 as u32, PuhpTie::Grow0)];
const HIS_RULE: [(u32, HistoryRule); 2] = [
    (gpusched_tlp_history_rule::Ewma as u32, HistoryRule::Ewma),
    (gpusched_tlp_history_rule::Mean as u32, HistoryRule::Mean),
];
const ORDER: [(u32, Order); 2] = [
    (gpusched_tlp_order::Concurrent as u32, Order::Concurrent),
    (gpusched_tlp_order::BypassFirst as u32, Order::BypassFirst),
];
const STALL_NORM: [(u32, StallNorm); 2] = [
    (gpusched_tlp_stall_norm::Raw as u32, StallNorm::Raw),
    (gpusched_tlp_stall_norm::PerCycle as u32, StallNorm::PerCycle),
];
const SOLO: [(u32, SoloTlp); 2] =
    [(gpusched_tlp_solo::Max as u32, SoloTlp::Max), (gpusched_tlp_solo::Opt as u32, SoloTlp::Opt)];
const UPUP: [(u32, UpUp); 2] =
    [(gpusched_tlp_upup::Leftover as u32, UpUp::Leftover), (gpusched_tlp_upup::Half as u32, UpUp::Half)];

fields! {
    gpusched_tlp_config: put, get = TlpConfig;
    numbers
    threads regs smem slots sms tlp_cap tol_permille grow_step min_tlp his_shift sp_units ldst_units op_cycles pool_cap qcap;
    choices
    puhp_tie PUHP_TIE
    his_rule HIS_RULE
    order ORDER
    stall_norm STALL_NORM
    solo_tlp SOLO
    upup UPUP;
    flags
    hold_on_equal dynamic bypass wait_by avoid_upup idle_only smart
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &TlpConfig) -> gpusched_tlp_config {
    let mut c = gpusched_tlp_config { struct_size: size_of::<gpusched_tlp_config>() as u32, ..Default::default() };
    put(&mut c, config);
    c
}

/// The configuration that a C program reads.
pub(super) fn core_config(c: &gpusched_tlp_config) -> TlpConfig {
    get(c)
}
