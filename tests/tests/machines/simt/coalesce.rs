//! The coalescer beside its plain model, in Rust and through C, and its invariants (models-I5).

use gpusched::Fault;
use gpusched::simt::coalesce::{CoalesceMode, CoalescerConfig};
use gpusched_tests::simt::coalesce::{Access, core, model, through_c};
use proptest::prelude::*;

use crate::every::runs;

prop_compose! {
    fn configs()(
        lanes in prop_oneof![2 => 1..=4u32, 3 => Just(32u32), 1 => Just(64u32)],
        shift in 4..=12u32,
        legacy: bool,
        allow_misaligned: bool,
    ) -> CoalescerConfig {
        let mode = if legacy { CoalesceMode::Legacy } else { CoalesceMode::Combine };
        CoalescerConfig { lanes, segment: 1 << shift, mode, allow_misaligned }
    }
}

prop_compose! {
    fn accesses()(
        mask in prop_oneof![2 => any::<u64>(), 2 => Just(u64::MAX), 1 => 0..16u64],
        wide in prop::bool::weighted(0.1),
        size in prop_oneof![20 => (0..=4u32).prop_map(|shift| 1 << shift), 1 => any::<u32>()],
        base in prop_oneof![4 => (0..100u64).prop_map(|n| n * 16), 2 => 0..10_000u64, 1 => (0..200u64).prop_map(|n| u64::MAX - n)],
        step in prop_oneof![3 => Just(None), 2 => (0..40i64).prop_map(Some), 1 => (-300..300i64).prop_map(Some)],
        noise in prop::collection::vec(0..2048u64, 64),
        scattered in prop::bool::weighted(0.3),
        missing in prop::bool::weighted(0.03),
    ) -> (u64, bool, u32, Vec<u64>, bool) {
        let step = step.unwrap_or(i64::from(size.min(16)));
        let address = |lane: u64| {
            let at = base.wrapping_add_signed(step * lane as i64);
            if scattered { at.wrapping_add(noise[lane as usize] * u64::from(size.min(16))) } else { at }
        };
        (mask, wide, size, (0..64).map(address).collect(), missing)
    }
}

proptest! {
    #![proptest_config(runs(4000))]

    #[test]
    fn the_coalescer_answers_as_its_model(config in configs(), (mask, wide, size, mut addrs, missing) in accesses()) {
        let lanes = config.lanes as usize;
        let all = u64::MAX >> (64 - lanes);
        addrs.truncate(if missing { lanes - 1 } else { lanes });
        let access = Access { mask: if wide { mask } else { mask & all }, addrs, size };
        let answer = core(&config, &access);
        prop_assert_eq!(&answer, &model(&config, &access));
        prop_assert_eq!(&answer, &through_c(&config, &access));
        let Ok(answer) = answer else { return Ok(()) };
        let union = answer.segs.iter().fold(0, |all, seg| all | seg.lanes);
        prop_assert_eq!(union, access.mask);
        let active = access.mask.count_ones() as usize;
        let aligned = access.addrs.iter().all(|address| address % u64::from(size) == 0);
        prop_assert!(answer.segs.len() <= 2 * active);
        prop_assert!(!aligned || active == 0 || (1..=active).contains(&answer.segs.len()));
        prop_assert!(answer.segs.iter().all(|seg| seg.base % u64::from(config.segment) == 0));
        prop_assert!(answer.coalesced || config.mode == CoalesceMode::Legacy);
    }
}

/// Every access of two lanes within four segments, of each size.
#[test]
fn every_access_of_two_lanes() {
    for mode in [CoalesceMode::Combine, CoalesceMode::Legacy] {
        let config = CoalescerConfig { lanes: 2, segment: 16, mode, allow_misaligned: true };
        for size in [1, 2, 4, 8, 16] {
            for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
                for mask in 0..4 {
                    let access = Access { mask, addrs: vec![a, b], size };
                    assert_eq!(core(&config, &access), model(&config, &access), "{config:?} {access:?}");
                }
            }
        }
    }
}

/// As many transactions as there can be: 64 lanes that touch two segments each, which all fall into few buckets of any table.
#[test]
fn all_lanes_may_touch_two_segments_each() {
    let config = CoalescerConfig { lanes: 64, segment: 16, mode: CoalesceMode::Combine, allow_misaligned: true };
    for step in [32, 4096, 1 << 20, 1 << 50] {
        let addrs = (0..64).map(|lane: u64| lane.wrapping_mul(step).wrapping_add(12)).collect();
        let access = Access { mask: u64::MAX, addrs, size: 8 };
        assert_eq!(core(&config, &access), model(&config, &access));
    }
}

/// Faults in the order of the tests: each access is wrong in one way, and in all ways that are tested later.
#[test]
fn faults_come_in_order() {
    let config = CoalescerConfig { lanes: 4, ..CoalescerConfig::WARP_32 };
    let wraps = vec![u64::MAX - 2, 2, 0, 0];
    let cases = [
        (Fault::BadMask, 0x1f, 3, vec![2; 5]),
        (Fault::BadSize, 0xf, 3, vec![2; 5]),
        (Fault::BadArg, 0xf, 4, vec![2; 5]),
        (Fault::AddressWrap, 0x3, 4, wraps.clone()),
        (Fault::Misaligned, 0x2, 4, wraps),
    ];
    for (fault, mask, size, addrs) in cases {
        assert_eq!(core(&config, &Access { mask, addrs, size }), Err(fault));
    }
    // The first active lane that is wrong says how.
    let both = Access { mask: 0x3, addrs: vec![2, u64::MAX - 2, 0, 0], size: 4 };
    assert_eq!(core(&config, &both), Err(Fault::Misaligned));
}
