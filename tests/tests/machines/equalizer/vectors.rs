//! Golden vectors: every answer and every listed piece of state.

use std::path::Path;

use gpusched::Fault;
use gpusched::equalizer::{FmConfig, SmConfig};
use gpusched_tests::equalizer::model;
use gpusched_tests::replay::{Face, Outcome, equalizer, vectors_in};
use serde_json::Value;

fn vectors() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/equalizer");
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
    assert_eq!(vectors.len(), 23);
    for (file, vector) in vectors {
        assert_passed(&file, equalizer::replay(&vector, Face::Rust).unwrap());
    }
}

#[test]
fn the_c_face_answers_as_the_core() {
    for (file, vector) in vectors() {
        assert_passed(&file, equalizer::replay(&vector, Face::C).unwrap());
    }
}

/// The model is held to the vectors as the core is: then what both agree on in random runs means something.
#[test]
fn the_model_answers_every_vector() {
    for (file, vector) in vectors() {
        let sm = |config: &SmConfig| config.check().map(|()| model::Sm::new(config)).map_err(Fault::from);
        let fm = |config: &FmConfig| config.check().map(|()| model::Fm::new(config)).map_err(Fault::from);
        assert_passed(&file, equalizer::replay_on(&vector, sm, fm).unwrap());
    }
}

/// What is no vector says where.
#[test]
fn malformed_vectors_are_refused() {
    let vector = |config: &str, step: &str| {
        let text = format!(r#"{{"config": {config}, "steps": [{step}]}}"#);
        let vector = serde_json::from_str(&text).unwrap();
        let Err(error) = equalizer::replay(&vector, Face::Rust) else { panic!("{text}") };
        format!("{error:#}")
    };
    let (sm, fm) = (r#"{"unit": "sm"}"#, r#"{"unit": "fm"}"#);
    let cases = [
        (r#"{}"#, "", "`unit` is not a name"),
        (r#"{"unit": "gwde"}"#, "", "no unit `gwde`"),
        (r#"{"unit": "sm", "sms": 3}"#, "", "no parameter `sms`"),
        (sm, r#"{"ev": "refill", "in": {"now": 0}}"#, "step 0: a step without `expect`"),
        (sm, r#"{"in": {"now": 0}, "expect": {}}"#, "step 0: a step without `ev`"),
        (sm, r#"{"ev": "vote", "in": {"now": 0}, "expect": {}}"#, "event `vote` is not part of this machine"),
        (fm, r#"{"ev": "deny", "in": {"now": 0}, "expect": {}}"#, "event `deny` is not part of this machine"),
        (sm, r#"{"ev": "deny", "in": {}, "expect": {}}"#, "`now` is not a number: null"),
        (sm, r#"{"ev": "block_end", "in": {"now": 0, "slot": "a"}, "expect": {}}"#, "`slot` is not a number: \"a\""),
    ];
    for (config, step, message) in cases {
        let said = vector(config, step);
        assert!(said.contains(message), "{said}");
    }
}
