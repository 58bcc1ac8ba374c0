//! Golden vectors, on the core's machine in each home and on the model.

use std::path::{Path, PathBuf};

use gpusched::apogee::{Apogee, ApogeeConfig};
use gpusched::{Fault, inline_apogee_tables};
use gpusched_tests::apogee::model::Model;
use gpusched_tests::apogee::{Form, machine};
use gpusched_tests::replay::apogee::replay_on;
use gpusched_tests::replay::{Face, Outcome, in_rust, replay_file, vectors_in};
use gpusched_tests::through_c::apogee::ThroughC;
use gpusched_tests::through_c::fault;
use serde_json::Value;

/// As large as the largest that a vector needs.
const LARGE: ApogeeConfig = ApogeeConfig { warps: 32, ..ApogeeConfig::APOGEE_4 };

inline_apogee_tables! {
    struct Large = LARGE;
}

fn vectors() -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/apogee");
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

/// In Rust and through C; lanes in every form.
#[test]
fn every_vector_passes() {
    for (file, vector) in vectors() {
        for form in Form::ALL {
            assert_passed(&file, replay_on(&vector, form, |config| in_rust(machine(config))).unwrap());
            let through_c = |config: &ApogeeConfig| Ok(ThroughC::new(config).map_err(fault));
            assert_passed(&file, replay_on(&vector, form, through_c).unwrap());
        }
        for face in [Face::Rust, Face::C] {
            assert_passed(&file, replay_file("apogee", &file, face).unwrap());
        }
    }
}

/// Inline tables that are larger than most vectors need.
#[test]
fn inline_tables_answer_as_heap_tables() {
    for (file, vector) in vectors() {
        assert_passed(&file, replay_on(&vector, Form::List, |config| in_rust(Apogee::<Large>::new(config))).unwrap());
    }
}

/// The model is right where the vectors look.
#[test]
fn every_vector_passes_on_the_model() {
    for (file, vector) in vectors() {
        let model = |config: &ApogeeConfig| config.check().map(|()| Model::new(config)).map_err(Fault::from);
        assert_passed(&file, replay_on(&vector, Form::List, |config| Ok(model(config))).unwrap());
    }
}
