//! Golden vectors, on the core's machine in each home and on the model.

use std::path::{Path, PathBuf};

use gpusched::power::{BubbleConfig, BubbleDvfs, TableSet};
use gpusched::rows::{SmxLedger, SmxPower};
use gpusched::{Fault, SliceTables, inline_bubble_tables};
use gpusched_tests::bubble::model::Model;
use gpusched_tests::replay::bubble::replay_on;
use gpusched_tests::replay::{Face, Outcome, in_rust, replay_file, vectors_in};
use serde_json::Value;

inline_bubble_tables! {
    struct K20c = BubbleConfig::K20C;
}

fn vectors() -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/bubble_dvfs");
    let files = vectors_in(&folder).unwrap();
    assert_eq!(files.len(), 40);
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
            assert_passed(&file, replay_file("bubble_dvfs", &file, face).unwrap());
        }
    }
}

/// Inline tables that are larger than most vectors need.
#[test]
fn inline_tables_answer_as_heap_tables() {
    for (file, vector) in vectors() {
        assert_passed(&file, replay_on(&vector, |config| in_rust(BubbleDvfs::<K20c>::new(config))).unwrap());
    }
}

/// The model is right where the vectors look.
#[test]
fn every_vector_passes_on_the_model() {
    for (file, vector) in vectors() {
        let model = |config: &BubbleConfig| config.check().map(|()| Model::new(config)).map_err(Fault::from);
        assert_passed(&file, replay_on(&vector, |config| Ok(model(config))).unwrap());
    }
}

/// Slices of somebody else's memory are a home like any other.
#[test]
fn slices_are_a_home() {
    let config = BubbleConfig { smxs: 2, ..BubbleConfig::K20C };
    let (mut powers, mut ledgers) = ([SmxPower::default(); 2], [SmxLedger::default(); 2]);
    let tables = TableSet::<SliceTables<'_>> { powers: &mut powers, ledgers: &mut ledgers };
    let mut machine = BubbleDvfs::with_tables(&config, tables).unwrap();
    let sample = machine.sample(gpusched::Cycle(0), None, None).unwrap();
    assert!(sample.gpu_start.is_some());
}
