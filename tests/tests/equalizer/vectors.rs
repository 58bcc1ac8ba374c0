//! Golden vectors: every answer and every listed piece of state.

use std::path::Path;

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
