//! Golden vectors: every answer and every listed piece of state.

use std::path::Path;

use gpusched_tests::replay::{Face, Outcome, tlp, vectors_in};
use gpusched_tests::tlp::model;
use serde_json::Value;

fn vectors() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/tlp");
    let read = |file: std::path::PathBuf| {
        let vector = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        (file.display().to_string(), vector)
    };
    vectors_in(&folder).unwrap().into_iter().map(read).collect()
}

fn assert_passed(file: &str, outcome: Outcome) {
    if let Outcome::Differs(difference) = outcome {
        panic!("{file}: {difference}");
    }
}

#[test]
fn every_vector_passes() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 38);
    for (file, vector) in vectors {
        assert_passed(&file, tlp::replay(&vector, Face::Rust).unwrap());
    }
}

#[test]
fn the_c_face_answers_as_the_core() {
    for (file, vector) in vectors() {
        assert_passed(&file, tlp::replay(&vector, Face::C).unwrap());
    }
}

/// The model is held to the vectors as the core is: then what both agree on in random runs means something.
#[test]
fn the_model_answers_every_vector() {
    for (file, vector) in vectors() {
        assert_passed(&file, tlp::replay_on(&vector, model::Unit::new).unwrap());
    }
}

/// Every step of a vector counts: with an answer changed, or none at all, it fails.
#[test]
fn a_changed_answer_is_found() {
    for (file, vector) in vectors() {
        for i in 0..vector["steps"].as_array().unwrap().len() {
            let mut changed = vector.clone();
            changed["steps"][i]["expect"] = serde_json::json!({"other": i});
            assert!(matches!(tlp::replay(&changed, Face::Rust), Ok(Outcome::Differs(_))), "{file}: step {i}");
        }
    }
}

/// What is no vector says where.
#[test]
fn malformed_vectors_are_refused() {
    let vector = |config: &str, step: &str| {
        let text = format!(r#"{{"config": {config}, "steps": [{step}]}}"#);
        let vector = serde_json::from_str(&text).unwrap();
        let Err(error) = tlp::replay(&vector, Face::Rust) else { panic!("{text}") };
        format!("{error:#}")
    };
    let (sm, pool, smc) = (r#"{"unit": "tlpsm"}"#, r#"{"unit": "pool"}"#, r#"{"unit": "smc"}"#);
    let cases = [
        (r#"{}"#, "", "`unit` is not a name"),
        (r#"{"unit": "gwde"}"#, "", "no unit `gwde`"),
        (r#"{"unit": "tlpsm", "warps": 3}"#, "", "no parameter `warps`"),
        (sm, r#"{"ev": "done", "in": {"k": 0, "now": 0}}"#, "step 0: a step without `expect`"),
        (sm, r#"{"in": {"now": 0}, "expect": {}}"#, "step 0: a step without `ev`"),
        (sm, r#"{"ev": "add", "in": {"now": 0}, "expect": {}}"#, "event `add` is not part of this machine"),
        (
            sm,
            r#"{"ev": "dispatch", "in": {"now": 0, "avail": [true]}, "expect": {}}"#,
            "`avail` is not a list of 2: [true]",
        ),
        (
            pool,
            r#"{"ev": "add", "in": {"type": "flat", "pref": "memory"}, "expect": {}}"#,
            "`type` has no such value: \"flat\"",
        ),
        (smc, r#"{"ev": "start", "in": {}, "expect": {}}"#, "the configuration has no `max`"),
    ];
    for (config, step, message) in cases {
        let said = vector(config, step);
        assert!(said.contains(message), "{said}");
    }
}

/// A configuration that a unit refuses is the answer to everything, or to the building itself.
#[test]
fn a_refused_configuration_is_an_answer() {
    let replayed =
        |text: &str| matches!(tlp::replay(&serde_json::from_str(text).unwrap(), Face::Rust), Ok(Outcome::Passed));
    let one = r#""config": {"unit": "smc", "sms": 1, "max": [1, 1]}"#;
    let start = |expect: &str| format!(r#"{{{one}, "steps": [{{"ev": "start", "in": {{}}, "expect": {expect}}}]}}"#);
    assert!(replayed(&start(r#"{"err": "TooFewSms"}"#)));
    assert!(!replayed(&start(r#"{"err": "BadConfig"}"#)));
    assert!(!replayed(&format!(r#"{{{one}, "steps": []}}"#)));
    assert!(replayed(&format!(r#"{{{one}, "expect_config": "TooFewSms", "steps": []}}"#)));
}
