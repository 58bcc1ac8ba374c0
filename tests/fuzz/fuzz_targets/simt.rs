//! The reconvergence stack, the scoreboard and the coalescer, and the models: through C and in Rust.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::models::exec::{ExecConfig, ExecInputs, SizeUnit};
use gpusched::simt::coalesce::{CoalesceMode, CoalescerConfig};
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::twins::run;
use gpusched_tests::models::{Core, Models};
use gpusched_tests::simt::coalesce::{self, Access};
use gpusched_tests::simt::scoreboard::Scoreboards;
use gpusched_tests::simt::stack::Stacks;
use gpusched_tests::through_c;
use libfuzzer_sys::fuzz_target;

/// Accesses of any shape: as the plain model says, in Rust and through C.
fn accesses(u: Bytes) -> Result<()> {
    let config = CoalescerConfig {
        lanes: u.int_in_range(1..=64)?,
        segment: 1 << u.int_in_range(4..=12)?,
        mode: *u.choose(&[CoalesceMode::Combine, CoalesceMode::Legacy])?,
        allow_misaligned: u.arbitrary()?,
    };
    while !u.is_empty() {
        let lanes = if u.ratio(1, 32)? { u.int_in_range(0..=66)? } else { config.lanes };
        let addrs = (0..lanes).map(|_| u.arbitrary()).collect::<Result<_>>()?;
        let size = if u.ratio(1, 16)? { u.arbitrary()? } else { 1 << u.int_in_range(0..=4)? };
        let access = Access { mask: u.arbitrary::<u64>()? >> (64 - config.lanes), addrs, size };
        let expected = coalesce::model(&config, &access);
        assert_eq!(coalesce::core(&config, &access), expected);
        assert_eq!(coalesce::through_c(&config, &access), expected);
    }
    Ok(())
}

/// Inputs of any bits: finite estimates or refusals, the same bits through C.
fn estimates(u: Bytes) -> Result<()> {
    let config = ExecConfig { size_unit: *u.choose(&[SizeUnit::Literal, SizeUnit::Bytes])?, clamp_bfp: u.arbitrary()? };
    let float = |u: Bytes| -> Result<f64> { if u.ratio(1, 8)? { u.arbitrary() } else { Ok(number(u)?.into()) } };
    let inputs = ExecInputs {
        insts: float(u)?,
        mem_insts: float(u)?,
        sync_insts: float(u)?,
        sfu_insts: float(u)?,
        fp_insts: float(u)?,
        total_warps: float(u)?,
        active_sms: float(u)?,
        n: float(u)?,
        avg_inst_lat: float(u)?,
        miss_ratio: float(u)?,
        delta: float(u)?,
        dram_lat: float(u)?,
        sfu_width: float(u)?,
        freq: float(u)?,
        mem_peak_bw: float(u)?,
        fp_lat: if u.arbitrary()? { Some(float(u)?) } else { None },
        amat: if u.arbitrary()? { Some(float(u)?) } else { None },
        ..ExecInputs::DEFAULT
    };
    let bits = |models: &dyn Fn() -> _| -> std::result::Result<_, gpusched_tests::models::Refused> {
        let estimate: gpusched::models::exec::ExecEstimate = models()?;
        assert!(estimate.values().iter().all(|value| value.is_finite()));
        Ok(estimate.values().map(f64::to_bits))
    };
    let through_c = through_c::models::ThroughC;
    assert_eq!(bits(&|| Core.exec(&config, &inputs)), bits(&|| through_c.exec(&config, &inputs)));
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let Some((which, data)) = data.split_first() else { return };
    let mut u = Unstructured::new(data);
    // Bytes that end early end the run early.
    let _ = match which % 4 {
        0 => run::<Stacks>(&mut u),
        1 => run::<Scoreboards>(&mut u),
        2 => accesses(&mut u),
        _ => estimates(&mut u),
    };
});
