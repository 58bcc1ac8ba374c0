//! Policies that are one another with some parameters (catalogue-I7).

use gpusched_tests::catalogue::harness::{Pace, Run};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cases::{Case, cases};
use crate::every::runs;

/// The runs of two policies in the same scene.
fn both(case: &Case, [a, b]: [(&'static str, Value); 2]) -> Result<[Run; 2], TestCaseError> {
    let run = |(policy, parameters)| Ok::<_, TestCaseError>(case.of(policy, parameters).run(Pace::Step)?.0);
    Ok([run(a)?, run(b)?])
}

proptest! {
    #![proptest_config(runs(800))]

    #[test]
    fn presets_are_chunked_with_their_parameters(case in cases(), chunk in 0..6_u32, own: bool) {
        let order = if own { "own" } else { "ascending" };
        for pair in [
            [("strided", json!({"order": order})), ("chunked", json!({"chunk": 1, "order": order}))],
            [("dist", json!({"order": order})), ("chunked", json!({"domain": "gpc", "order": order}))],
            [("batch_rr", json!({"order": order})), ("chunked", json!({"domain": "gpc", "chunk": 8, "order": order}))],
            [
                ("dist", json!({"domain": "tpc", "chunk": chunk, "order": order})),
                ("strided", json!({"domain": "tpc", "chunk": chunk, "order": order})),
            ],
        ] {
            let [one, other] = both(&case, pair)?;
            prop_assert_eq!(one, other);
        }
    }

    #[test]
    fn some_are_rr(mut case in cases(), pass in prop::sample::select(vec!["head", "capped", "any"])) {
        let n = case.scene.n_smx as usize;
        let rr = |pass: &str| ("rr", json!({"pass": pass}));
        let mut pairs = vec![
            [("leftover", json!({})), rr("head")],
            [("leftover", json!({"pass": pass})), rr(pass)],
            [("bcs", json!({"block": 1, "pass": pass})), rr(pass)],
            [("fair_streams", json!({"streams": 1, "pass": pass})), rr(pass)],
            [("chunked", json!({"domain": "gpc", "pass": pass})), rr(pass)],
            [("gpc_first", json!({"pass": pass})), rr(pass)],
        ];
        case.scene.tpc = Some(vec![0; n]);
        case.scene.gpc = Some(vec![0; n]);
        for pair in pairs.drain(..) {
            let [one, other] = both(&case, pair)?;
            prop_assert_eq!(one, other);
        }
        fn uncounted(work: &mut gpusched_tests::catalogue::harness::Work) {
            work.share = 0;
            work.children.iter_mut().for_each(|child| uncounted(&mut child.work));
        }
        case.arrivals.iter_mut().for_each(|arrival| uncounted(&mut arrival.work));
        let [one, other] = both(&case, [("lcs", json!({"pass": pass})), rr(pass)])?;
        prop_assert_eq!(one, other);
    }
}
