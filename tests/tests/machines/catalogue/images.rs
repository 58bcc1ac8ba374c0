//! Images of policies: a restored one cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::catalogue::Catalogue;
use gpusched_tests::catalogue::harness::{Harness, Pace, Scene};
use gpusched_tests::catalogue::{HeapTables, UNITS, config, machine};
use gpusched_tests::images::{
    NUMBERS, Saved, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge,
    image, on_both,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cases::{Case, Watched, cases};
use crate::every::{check, runs};

proptest! {
    #![proptest_config(runs(600))]

    /// A policy is restored from its image before each call.
    #[test]
    fn a_restored_policy_goes_on_as_the_original(case in cases()) {
        let mut restored = Watched {
            policy: case.machine(),
            done: |policy, ended| on_both(policy, |policy| policy.done(ended)).unwrap(),
            choose: |policy, view| on_both(policy, |policy| policy.choose(view)).unwrap(),
        };
        let run = case.harness().finish(&mut restored, Pace::Step).unwrap();
        prop_assert_eq!((run, restored.policy), case.run(Pace::Step)?);
    }
}

/// A policy in the middle of a run.
fn middle(case: &Case, cycles: usize) -> (Catalogue<HeapTables>, Harness) {
    let (mut policy, mut harness) = (case.machine(), case.harness());
    for _ in 0..cycles {
        if !harness.is_over() {
            harness.cycle(&mut policy, Pace::Step).unwrap();
        }
    }
    (policy, harness)
}

/// Whatever a forged policy answers, it answers, keeps its invariants and saves what is good.
fn bears(mut policy: Catalogue<HeapTables>, mut harness: Harness) -> Result<(), String> {
    for _ in 0..30 {
        // A forged policy may send a TB twice, which its host notices.
        if harness.is_over() || harness.cycle(&mut policy, Pace::Step).is_err() {
            break;
        }
        again(&policy)?;
        policy.holds()?;
    }
    Ok(())
}

#[test]
fn a_forged_image_does_no_harm() {
    let tries = prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=4), 8);
    check(300, (cases(), 0..60_usize, tries), |(case, cycles, tries)| {
        let (policy, harness) = middle(&case, cycles);
        for forged in tries.iter().filter_map(|edits| forge(&policy, edits)) {
            bears(forged, harness.clone()).map_err(TestCaseError::fail)?;
        }
        Ok(())
    });
}

/// A run of a policy on six SMXs.
fn six(policy: &'static str, parameters: Value) -> Case {
    let scene = Scene { n_smx: 6, slots: 3, ..Scene::default() };
    let arrivals = json!([
        {"at": 0, "tag": 1, "total": 9, "share": 6, "dur": 5, "children": [{"blks": [1], "after": 3, "tag": 4, "total": 3}]},
        {"at": 2, "tag": 2, "total": 40, "stream": 1, "share": 6},
    ]);
    Case { policy, parameters, scene, arrivals: serde_json::from_value(arrivals).unwrap() }
}

/// Policies that keep something of units, SMXs and streams.
fn some() -> Vec<Case> {
    vec![
        six("bcs", json!({"block": 4})),
        six("lcs", json!({})),
        six("srk", json!({"metric": "time"})),
        six("strided", json!({"order": "own"})),
        six("gpc_first", json!({})),
        six("fair_streams", json!({"streams": 2, "weights": [3, 5]})),
        six("random", json!({"seed": 7, "what": "offer"})),
        six("steal", json!({})),
        six("spatial", json!({"streams": 4})),
        six("most_room", json!({"order": [5, 4, 3, 2, 1, 0]})),
    ]
}

#[test]
fn what_is_damaged_is_refused() {
    for case in some() {
        let (policy, _) = middle(&case, 15);
        assert_damage_is_refused(&policy, |image| policy.restored(image));
    }
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for case in some() {
        let (policy, harness) = middle(&case, 15);
        assert_forgery_is_harmless(&policy, NUMBERS, |forged| bears(forged, harness.clone()));
    }
}

#[test]
fn a_stored_image_is_still_good() {
    let (policy, _) = middle(&six("lcs", json!({})), 15);
    assert_kind(&image(&policy), 22, 1);
    assert_is_stored(&policy, "catalogue-v1.bin", env!("CARGO_TARGET_TMPDIR"), |image| policy.restored(image));
    let config = config("rr", &json!({}), &Scene::default(), UNITS).unwrap();
    let rr = machine(&config).unwrap();
    assert_eq!(gpusched::policy::catalogue::catalogue_image_config(&image(&rr)), Ok(config));
}
