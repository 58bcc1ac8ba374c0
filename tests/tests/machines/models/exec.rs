//! The execution-time model: its invariants, a second reading of its equations, the hazards of the sheet.

use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs, SizeUnit, estimate};
use gpusched_tests::models::{Core, Models, close, exec::model};
use gpusched_tests::through_c::models::ThroughC;
use proptest::prelude::*;

use crate::every::runs;

/// The kernel of `g01`, which can be followed by hand.
pub const HAND: ExecInputs = ExecInputs {
    insts: 100.0,
    mem_insts: 10.0,
    fp_insts: 50.0,
    total_warps: 448.0,
    active_sms: 14.0,
    n: 16.0,
    avg_inst_lat: 20.0,
    dram_lat: 400.0,
    delta: 20.0,
    freq: 1.0,
    mem_peak_bw: 89.6,
    size_of_data: 100.0,
    ..ExecInputs::DEFAULT
};

prop_compose! {
    fn kernels()(
        insts in 1.0..1e5f64,
        (mem, fp, sync, sfu) in (0.0..=1.0f64, 0.0..=1.0f64, 0.0..4.0f64, prop_oneof![Just(0.0), 0.0..1e3f64]),
        total_warps in prop_oneof![1 => Just(0.0), 9 => 1.0..1e5f64],
        active_sms in 1.0..32.0f64,
        n in prop_oneof![1 => Just(1.0), 9 => 1.0..64.0f64],
        (avg_trans_warp, avg_inst_lat) in (1.0..32.0f64, 1.0..60.0f64),
        (miss_ratio, size_of_data, ilp, mlp) in (0.0..=1.0f64, 0.0..1e5f64, 0.1..8.0f64, 0.1..8.0f64),
        (delta, dram_lat, fp_lat, hit_lat) in (prop_oneof![Just(0.0), 0.1..60.0f64], 50.0..900.0f64, prop::option::of(1.0..60.0f64), 0.0..60.0f64),
        (simd_width, sfu_width, freq, mem_peak_bw) in (1.0..64.0f64, 0.5..8.0f64, 0.2..2.0f64, prop_oneof![0.1..5.0f64, 5.0..400.0f64]),
        (o_cfdiv, o_bank, amat) in (0.0..1e4f64, 0.0..1e4f64, prop::option::weighted(0.3, 0.0..900.0f64)),
    ) -> ExecInputs {
        ExecInputs {
            insts,
            mem_insts: mem * insts,
            sync_insts: sync,
            sfu_insts: sfu,
            fp_insts: fp * insts,
            total_warps,
            active_sms,
            n,
            avg_trans_warp,
            avg_inst_lat,
            miss_ratio,
            size_of_data,
            ilp,
            mlp,
            warp_size: 32.0,
            gamma: 64.0,
            delta,
            dram_lat,
            fp_lat,
            hit_lat,
            simd_width,
            sfu_width,
            freq,
            mem_peak_bw,
            transaction_size: 128.0,
            o_cfdiv,
            o_bank,
            amat,
        }
    }
}

/// models-I1, up to rounding.
fn check(inputs: &ExecInputs, e: &ExecEstimate) -> Result<(), String> {
    let eps = 1e-9 * e.t_comp.max(e.t_mem).max(1.0);
    let tests = [
        (e.t_comp.max(e.t_mem) <= e.t_exec + eps, "t_exec is at least either time"),
        (e.t_exec <= e.t_comp + e.t_mem + eps, "t_exec is at most both times"),
        (0.0 <= e.t_overlap && e.t_overlap <= e.t_comp.min(e.t_mem) + eps, "overlap"),
        (e.itilp <= e.itilp_max, "itilp"),
        (1.0 <= e.cwp && e.cwp <= inputs.n, "cwp"),
        (e.mwp <= inputs.n, "mwp"),
        (e.itmlp <= e.mwp_peak_bw, "itmlp"),
        ((0.0..=1.0).contains(&e.f_overlap) && (0.0..=1.0).contains(&e.f_sfu), "shares"),
        (e.b_itilp >= -eps && e.b_memlp >= 0.0, "benefits"),
        // (4.29), whose right side is what the source's figures give.
        ((e.t_comp - e.t_fp - (e.b_fp + e.b_itilp + e.b_serial)).abs() <= eps, "the identity of the benefits"),
    ];
    match tests.iter().find(|(holds, _)| !holds) {
        Some((_, broken)) => Err(format!("{broken}: {inputs:?} {e:?}")),
        None => Ok(()),
    }
}

proptest! {
    #![proptest_config(runs(3000))]

    #[test]
    fn the_estimate_keeps_the_invariants_and_is_the_second_reading(inputs in kernels(), bytes: bool, clamp_bfp: bool) {
        let size_unit = if bytes { SizeUnit::Bytes } else { SizeUnit::Literal };
        let config = ExecConfig { size_unit, clamp_bfp };
        let estimate = Core.exec(&config, &inputs).unwrap();
        if !clamp_bfp {
            check(&inputs, &estimate).map_err(TestCaseError::fail)?;
        }
        let expected = model(&config, &inputs);
        let large = estimate.t_comp.max(estimate.t_mem).max(1.0);
        for ((name, got), expected) in ExecEstimate::NAMES.iter().zip(estimate.values()).zip(expected.values()) {
            // Where CWP meets MWP the readings may fall on either side.
            let edge = (estimate.cwp - estimate.mwp).abs() < 1e-9 * estimate.mwp;
            let tol = if name.starts_with("b_") { 1e-9 * large } else { 1e-9 };
            prop_assert!(edge || close(got, expected, tol), "{name}: {got} and {expected} of {inputs:?}");
        }
        // C computes the same bits.
        let through_c = ThroughC.exec(&config, &inputs).unwrap();
        prop_assert_eq!(through_c.values().map(f64::to_bits), estimate.values().map(f64::to_bits));
    }

    /// Whatever the inputs are, the answer is finite or a refusal, and C's is the same.
    #[test]
    fn nothing_but_finite_estimates_and_refusals(
        inputs in kernels(),
        odd in prop::collection::vec((0..28usize, prop::sample::select(vec![
            0.0, -0.0, -1.0, 0.5, 1e-308, 1e-200, 1e200, 1e308, f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, f64::NEG_INFINITY,
        ])), 1..4),
    ) {
        let mut inputs = inputs;
        for (field, value) in odd {
            set(&mut inputs, field, value);
        }
        let config = ExecConfig::default();
        let core = Core.exec(&config, &inputs);
        match (&core, ThroughC.exec(&config, &inputs)) {
            (Ok(estimate), Ok(c)) => {
                prop_assert!(estimate.values().iter().all(|value| value.is_finite()), "{inputs:?}");
                prop_assert_eq!(estimate.values().map(f64::to_bits), c.values().map(f64::to_bits));
            }
            (Err(refused), Err(c)) => prop_assert_eq!(refused, &c),
            (core, c) => prop_assert!(false, "{core:?} and {c:?}"),
        }
    }
}

/// Sets the input of this number, in the order of the sheet's checks; the last one is `amat`.
pub fn set(i: &mut ExecInputs, field: usize, value: f64) {
    match field {
        18 => i.fp_lat = Some(value),
        27 => i.amat = Some(value),
        _ => {
            *[
                &mut i.insts,
                &mut i.mem_insts,
                &mut i.sync_insts,
                &mut i.sfu_insts,
                &mut i.fp_insts,
                &mut i.total_warps,
                &mut i.active_sms,
                &mut i.n,
                &mut i.avg_trans_warp,
                &mut i.avg_inst_lat,
                &mut i.miss_ratio,
                &mut i.size_of_data,
                &mut i.ilp,
                &mut i.mlp,
                &mut i.warp_size,
                &mut i.gamma,
                &mut i.delta,
                &mut i.dram_lat,
                &mut 0.0,
                &mut i.hit_lat,
                &mut i.simd_width,
                &mut i.sfu_width,
                &mut i.freq,
                &mut i.mem_peak_bw,
                &mut i.transaction_size,
                &mut i.o_cfdiv,
                &mut i.o_bank,
            ][field] = value;
        }
    }
}

fn of(inputs: ExecInputs) -> ExecEstimate {
    estimate(&ExecConfig::default(), &inputs).unwrap()
}

/// models-H1: less bandwidth, yet less time, where MWP falls under CWP.
#[test]
fn the_time_is_not_monotonic_in_bandwidth() {
    let (more, less) = (of(HAND), of(ExecInputs { mem_peak_bw: 0.795 * 89.6, ..HAND }));
    assert_eq!((more.t_exec.round(), less.t_exec.round()), (8783.0, 8533.0));
    assert!(more.cwp <= more.mwp && less.cwp > less.mwp);
    // The overlap jumps by t_comp / n.
    assert_eq!(less.t_overlap - more.t_overlap, more.t_comp / 16.0);
}

/// models-H2 to H4: hardly any bandwidth, few warps, a benefit below 0.
#[test]
fn extremes_are_what_the_sheet_says() {
    let one = of(ExecInputs { n: 1.0, ..HAND });
    assert_eq!((one.cwp, one.f_overlap, one.t_overlap, one.t_exec), (1.0, 0.0, 0.0, one.t_comp + one.t_mem));
    assert_eq!(one.b_fp, -28800.0);
    assert_eq!(
        estimate(&ExecConfig { clamp_bfp: true, ..ExecConfig::default() }, &ExecInputs { n: 1.0, ..HAND })
            .unwrap()
            .b_fp,
        0.0
    );
    let starved = of(ExecInputs { mem_peak_bw: 2.24, ..HAND });
    assert!(starved.mwp < 1.0);
    // Serial latency of all accesses of an SM.
    assert!(starved.t_mem > 10.0 * 32.0 * 400.0);
    let idle = of(ExecInputs { total_warps: 0.0, ..HAND });
    assert_eq!((idle.t_comp, idle.t_mem, idle.t_exec), (0.0, 0.0, 0.0));
    let no_memory = of(ExecInputs { mem_insts: 0.0, ..HAND });
    assert_eq!((no_memory.t_mem, no_memory.cwp), (0.0, 1.0));
}

/// 4.1.3: the source's figures of a kernel whose inputs it does not give keep the identity.
#[test]
fn the_sources_benefits_add_up() {
    let (b_itilp, b_fp, b_serial) = (6068, 9691, 0);
    assert_eq!(b_itilp + b_fp + b_serial, 15759);
    let e = of(HAND);
    assert_eq!(e.t_comp - e.t_fp, e.b_fp + e.b_itilp + e.b_serial);
}

/// The same bits on every target: what x86-64 computes, which the firmware computes again from the golden vectors.
#[test]
fn estimates_are_these_bits() {
    let sum = of(HAND).values().iter().fold(0u64, |sum, value| sum.rotate_left(7) ^ value.to_bits());
    let through_c = ThroughC.exec(&ExecConfig::default(), &HAND).unwrap();
    assert_eq!(through_c.values().iter().fold(0u64, |sum, value| sum.rotate_left(7) ^ value.to_bits()), sum);
    assert_eq!(of(HAND).t_exec.to_bits(), 8783.333333333332f64.to_bits());
    assert_eq!(of(HAND).mwp_peak_bw.to_bits(), 19.999999999999996f64.to_bits());
}
