//! The invariants of the sheet, on random runs of every policy with every parameter.

use gpusched::catalogue::{CatalogueConfig, Order, Pass, Policy, Snapshot};
use gpusched::{Cycle, Offer, OfferId, RecordId, Resources, SmxId, SmxSet};
use gpusched_tests::catalogue::harness::{Pace, Scene};
use gpusched_tests::catalogue::{UNITS, machine, state};
use proptest::prelude::*;
use serde_json::json;

use super::cases::{Case, Watched, arrivals, cases, scenes};
use crate::every::runs;

proptest! {
    #![proptest_config(runs(4000))]

    /// catalogue-I1, catalogue-I2, catalogue-I5: every TB is sent, once, in order and where there is room, which the harness asks of each
    /// answer; and then nothing is kept of any unit.
    #[test]
    fn every_policy_sends_everything(case in cases()) {
        let (run, machine) = case.run(Pace::Step)?;
        prop_assert!(run.drained, "{} TBs were sent", run.sent.len());
        prop_assert_eq!(machine.validate(), Ok(()));
        prop_assert!((0..machine.config().units).all(|row| machine.unit(row).is_none()));
    }

    /// catalogue-I3. That a policy that is restored before each call does the same is held beside the images.
    #[test]
    fn equal_inputs_give_equal_decisions(case in cases()) {
        let (first, second) = (case.run(Pace::Step)?, case.run(Pace::Step)?);
        prop_assert_eq!(first, second);
    }

    /// catalogue-I4, catalogue-C8: cycles without an answer may be skipped once the policy has settled.
    #[test]
    fn skipping_gives_the_same_decisions(case in cases()) {
        let (stepped, skipped) = (case.run(Pace::Step)?, case.run(Pace::Skip)?);
        prop_assert_eq!(stepped.0, skipped.0);
        prop_assert_eq!(state(&stepped.1), state(&skipped.1));
        prop_assert_eq!(stepped.1, skipped.1);
    }

    /// catalogue-C8: a policy that has settled has nothing to say to the same view, and stays as it is.
    #[test]
    fn who_has_settled_is_settled(case in cases()) {
        let mut watched = Watched {
            policy: case.machine(),
            done: |policy, ended| policy.done(ended),
            choose: |policy, view| {
                let choice = policy.choose(view);
                let mut again = policy.clone();
                assert!(!policy.is_settled() || (choice, again.choose(view)) == (None, None) && again == *policy);
                choice
            },
        };
        case.harness().finish(&mut watched, Pace::Step).unwrap();
    }

    /// catalogue-I6: with one offer at a time nobody is passed.
    #[test]
    fn passing_matters_only_behind_another_offer(case in cases(), scene in scenes(), mut alone in arrivals()) {
        alone.truncate(1);
        alone[0].work.children.clear();
        let scene = Scene { gates: scene.gates, slots: scene.slots, seed: scene.seed, ..case.scene.clone() };
        let with = |pass: &str| {
            let mut case = Case { scene: scene.clone(), arrivals: alone.clone(), ..case.clone() };
            case.parameters["pass"] = json!(pass);
            Ok::<_, TestCaseError>(case.run(Pace::Step)?.0)
        };
        let head = with("head")?;
        prop_assert_eq!(&with("capped")?, &head);
        prop_assert_eq!(&with("any")?, &head);
    }
}

/// catalogue-I1: an answer is an SMX that is open to the offer that it names, even if a host shows a unit twice, once closed and once open.
#[test]
fn the_offer_that_is_named_is_open() {
    let shown = |id, row, blkid, open| {
        let id = OfferId::Record(RecordId(id));
        Offer { row, blkid, left: 3, total: 3, open, ..Offer::of(id) }
    };
    let offers =
        [shown(0, 0, Some(0), SmxSet::EMPTY), shown(1, 1, Some(0), SmxSet::EMPTY), shown(2, 0, None, SmxSet::first(1))];
    let view = Snapshot { now: Cycle(0), offers: &offers, free: &[Resources::default()], counts: &[0], residents: &[] };
    let own = CatalogueConfig { order: Order::Own, ..CatalogueConfig::of(Policy::Chunked) };
    for config in [own, CatalogueConfig::of(Policy::Steal)] {
        let config = CatalogueConfig { n_smx: 1, units: UNITS, pass: Pass::Any, ..config };
        let choice = machine(&config).unwrap().choose(&view).unwrap();
        assert_eq!((choice.id, choice.smx), (offers[2].id, SmxId(0)), "{config:?}");
    }
}
