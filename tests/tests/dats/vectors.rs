//! Golden vectors, on the core and on the model.

use std::path::{Path, PathBuf};

use gpusched_tests::dats::{OfCore, OfModel, Parts};
use gpusched_tests::replay::dats::replay_on;
use gpusched_tests::replay::{Outcome, vectors_in};
use serde_json::Value;

fn vectors() -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/dats");
    let files = vectors_in(&folder).unwrap();
    assert_eq!(files.len(), 46);
    let read = |file: PathBuf| {
        let vector = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        (file, vector)
    };
    files.into_iter().map(read).collect()
}

fn assert_passed(file: &Path, outcome: Outcome) {
    if let Outcome::Differs(difference) = outcome {
        panic!("{}: {difference}", file.display());
    }
}

fn every_vector_passes<P: Parts>() {
    for (file, vector) in vectors() {
        let outcome = replay_on::<P>(&vector);
        assert_passed(&file, outcome.unwrap_or_else(|error| panic!("{}: {error:#}", file.display())));
    }
}

#[test]
fn every_vector_passes_on_the_core() {
    every_vector_passes::<OfCore>();
}

/// The model is right where the vectors look.
#[test]
fn every_vector_passes_on_the_model() {
    every_vector_passes::<OfModel>();
}
