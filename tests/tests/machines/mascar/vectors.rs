//! Golden vectors, on the core's machine in each home.

use std::path::{Path, PathBuf};

use gpusched::inline_mascar_tables;
use gpusched::mascar::{Entry, Mascar, MascarConfig, TableSet};
use gpusched::{Cycle, Fault, SliceTables};
use gpusched_tests::mascar::model::Model;
use gpusched_tests::replay::mascar::replay_on;
use gpusched_tests::replay::{Face, Outcome, in_rust, replay_file, vectors_in};
use serde_json::Value;

inline_mascar_tables! {
    struct Gtx480 = MascarConfig::GTX480;
}

fn vectors() -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/mascar");
    let files = vectors_in(&folder).unwrap();
    assert_eq!(files.len(), 25);
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

#[test]
fn every_vector_passes() {
    for (file, _) in vectors() {
        for face in [Face::Rust, Face::C] {
            assert_passed(&file, replay_file("mascar", &file, face).unwrap());
        }
    }
}

/// Inline tables that are larger than most vectors need.
#[test]
fn inline_tables_answer_as_heap_tables() {
    for (file, vector) in vectors() {
        assert_passed(&file, replay_on(&vector, |config| in_rust(Mascar::<Gtx480>::new(config))).unwrap());
    }
}

/// The model is right where the vectors look.
#[test]
fn every_vector_passes_on_the_model() {
    for (file, vector) in vectors() {
        let model = |config: &MascarConfig| config.check().map(|()| Model::new(config)).map_err(Fault::from);
        assert_passed(&file, replay_on(&vector, |config| Ok(model(config))).unwrap());
    }
}

/// Slices of somebody else's memory are a home like any other.
#[test]
fn slices_are_a_home() {
    let config = MascarConfig { rexq: 2, ..MascarConfig::GTX480 };
    let mut rows = [Entry::default(); 2];
    let mut machine = Mascar::with_tables(&config, TableSet::<SliceTables<'_>> { rexq: &mut rows }).unwrap();
    assert!(machine.pick(Cycle(0), true, None).unwrap().issues.is_empty());
}
