//! Golden vectors: every answer and every listed piece of state, on each home, at each pace, in Rust and through C.

mod changed;
mod comparator;
mod homes;
mod malformed;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gpusched_tests::catalogue::{harness, machine};
use gpusched_tests::machine::unbuilt;
use gpusched_tests::pack::pack;
use gpusched_tests::replay::frontend::{Pace, replay};
use gpusched_tests::replay::{Face, MECHANISMS, Outcome, read, unread, vectors_in};
use serde_json::Value;

fn folder(mechanism: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(mechanism)
}

/// The vectors of a mechanism.
pub(crate) fn vectors(mechanism: &str) -> Vec<(PathBuf, Value)> {
    let read = |file: PathBuf| {
        let vector = read(&file).unwrap();
        (file, vector)
    };
    vectors_in(&folder(mechanism)).unwrap().into_iter().map(read).collect()
}

pub(crate) fn assert_passed(file: &Path, outcome: Outcome) {
    if let Outcome::Differs(difference) = outcome {
        panic!("{}: {difference}", file.display());
    }
}

/// How many vectors each mechanism has.
const MANY: [(&str, usize); 14] = [
    ("dtbl", 60),
    ("frontend", 44),
    ("policy", 56),
    ("laperm", 54),
    ("bubble_dvfs", 40),
    ("dats", 46),
    ("equalizer", 23),
    ("mascar", 25),
    ("apogee", 25),
    ("tlp", 38),
    ("models", 30),
    ("catalogue", 96),
    ("modern", 63),
    ("launch2", 51),
];

fn every_vector_passes(face: Face) {
    assert_eq!(MANY.map(|(mechanism, _)| mechanism), *MECHANISMS);
    // Policies of the catalogue have no second implementation.
    let reached = MANY.into_iter().filter(|(mechanism, _)| *mechanism != "catalogue" || face != Face::Model);
    for (mechanism, count) in reached {
        let vectors = vectors(mechanism);
        assert_eq!(vectors.len(), count, "{mechanism}");
        for (file, vector) in vectors {
            let outcome = gpusched_tests::replay::replay(mechanism, &vector, face);
            assert_passed(&file, outcome.unwrap_or_else(|error| panic!("{}, {face:?}: {error:#}", file.display())));
        }
    }
}

/// Those of `dtbl` and `frontend` know nothing of later sheets, whose parts leave no trace where they are off (launch2-E1).
#[test]
fn the_core_answers_every_vector() {
    every_vector_passes(Face::Rust);
}

#[test]
fn the_c_face_answers_as_the_core() {
    every_vector_passes(Face::C);
}

/// The model is held to the vectors as the core is: then what both agree on in random runs means something.
#[test]
fn the_model_answers_every_vector() {
    every_vector_passes(Face::Model);
}

/// Every mechanism's but those of the catalogue, which are runs of a host, so that firmware replays them: see `hosts/cortex-m`. Packing
/// replays each vector in Rust and through C, and what it packs besides.
#[test]
fn every_vector_whose_configuration_has_a_form_is_packed() {
    let packed = pack(&folder("")).unwrap();
    let left_out: Vec<_> = packed.left_out.iter().map(|(name, _)| name.as_str()).collect();
    let formless = [
        "frontend/20_bad_owned",
        "policy/05_refused_laperm",
        "policy/05_refused_limit",
        "policy/05_refused_limit_of_another",
        "policy/05_refused_split_of_another",
        "policy/05_refused_units",
        "policy/05_refused_units_of_another",
    ];
    assert_eq!(left_out, formless, "their configurations have no form outside JSON");
    let all: usize = MANY.iter().filter(|(mechanism, _)| *mechanism != "catalogue").map(|(_, count)| count).sum();
    assert_eq!(packed.vectors, all - formless.len());
}

/// catalogue-I4: a policy that is asked only when something has changed sends the same; and a wrong answer is found.
#[test]
fn policies_that_are_asked_less_often_answer_as_well() {
    use gpusched_tests::replay::catalogue::replay_on;
    let replay =
        |vector: &Value| replay_on(vector, harness::Pace::Skip, |config| machine(config).map_err(unbuilt)).unwrap();
    for (file, vector) in vectors("catalogue") {
        assert_passed(&file, replay(&vector));
        for key in ["sent", "end", "status", "state", "result"] {
            let mut other = vector.clone();
            match other.get_mut(key) {
                None => continue,
                Some(Value::Array(list)) => drop(list.pop()),
                Some(value) => *value = Value::Null,
            }
            assert!(matches!(replay(&other), Outcome::Differs(_)), "{}: {key}", file.display());
        }
    }
}

/// frontend-O4: n ticks answer as one run of n cycles.
#[test]
fn stepping_answers_as_skipping() {
    for (file, vector) in [vectors("dtbl"), vectors("frontend"), vectors("modern"), vectors("launch2")].concat() {
        for face in [Face::Rust, Face::C, Face::Model] {
            assert_passed(&file, replay(&vector, face, Pace::Step).unwrap());
        }
    }
}

/// A vector can say LaPerm without its parameters, and they without it, though no configuration in Rust or C can.
#[test]
fn laperm_and_its_parameters_go_together() {
    for config in [r#"{"policy": "laperm"}"#, r#"{"laperm": {}}"#] {
        let vector = serde_json::from_str(&format!(r#"{{"config": {config}, "ret": "BadConfig"}}"#)).unwrap();
        for face in [Face::Rust, Face::C] {
            assert_passed(Path::new(config), replay(&vector, face, Pace::Skip).unwrap());
        }
    }
}

/// Runs the `replay` program on a folder with one file of this content.
fn replay_program(mechanism: &str, content: &[u8]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bad.json"), content).unwrap();
    Command::new(env!("CARGO_BIN_EXE_replay")).arg(mechanism).arg(dir.path()).output().unwrap()
}

#[test]
fn the_program_reports_how_many_passed() {
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).arg("dtbl").arg(folder("dtbl")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "60 passed, 0 failed\n");
    assert!(output.status.success());
    let mut through_c = Command::new(env!("CARGO_BIN_EXE_replay"));
    let output = through_c.arg("dtbl").arg(folder("dtbl")).args(["--through", "c"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "60 passed, 0 failed\n");
    let mut through_c = Command::new(env!("CARGO_BIN_EXE_replay"));
    let output = through_c.arg("frontend").arg(folder("frontend")).args(["--through", "c"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "44 passed, 0 failed\n");
    let dats = Command::new(env!("CARGO_BIN_EXE_replay")).arg("dats").arg(folder("dats")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&dats.stdout), "46 passed, 0 failed\n");
}

#[test]
fn the_program_shows_the_first_difference() {
    let vector = br#"{"config": {"n_smx": 1}, "steps": [{"op": "run", "n": 5, "sched": {"idle": 4, "tb": 1}}]}"#;
    let output = replay_program("dtbl", vector);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(r#"bad.json: step 0: expected sched {"idle":4,"tb":1}, got {"idle":5}"#), "{said}");
    assert!(said.ends_with("0 passed, 1 failed\n"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

/// A file that is no vector is named, with the step where there is one, and is a failure.
#[test]
fn malformed_vectors_are_reported_with_file_and_step() {
    let step = |fields: &str| format!(r#"{{"config": {{}}, "steps": [{{"op": "state"}}, {{{fields}}}]}}"#);
    let launch = r#""op": "host_launch", "stream": 0, "tag": 1, "pc": 1, "tb": [1,1,1]"#;
    let group = r#"{"tag": 1, "pc": 1, "grid": [1,1,1], "tb": [1,1,1]}"#;
    let cases: &[(&str, String, &str)] = &[
        ("empty", String::new(), "not JSON"),
        ("cut off", r#"{"config": {"#.into(), "not JSON"),
        ("not an object", "[1, 2]".into(), "`config` is not an object"),
        ("no config", r#"{"steps": []}"#.into(), "`config` is not an object"),
        ("nothing to do", r#"{"config": {}}"#.into(), "neither `steps` nor `ret`"),
        ("steps", r#"{"config": {}, "steps": 3}"#.into(), "`steps` is not a list"),
        ("unknown parameter", r#"{"config": {"n_smxs": 1}, "steps": []}"#.into(), "no parameter `n_smxs`"),
        ("part's parameters", r#"{"config": {"dats": {"lnb": 1}}, "steps": []}"#.into(), "got BadConfig"),
        ("missing part's parameters", r#"{"config": {"policy": "laperm"}, "steps": []}"#.into(), "got BadConfig"),
        ("no op", step(r#""n": 1"#), "step 1: a step without `op`"),
        ("unknown op", step(r#""op": "ticks""#), "step 1: event `ticks` is not part of this machine"),
        ("step is no object", r#"{"config": {}, "steps": [7]}"#.into(), "step 0: a step without `op`"),
        ("no n", step(r#""op": "run""#), "step 1: `n` is not a 64-bit number: null"),
        ("fraction", step(r#""op": "run", "n": 1.5"#), "step 1: `n` is not a 64-bit number: 1.5"),
        ("text", step(r#""op": "tb_done", "smx": "0", "slot": 0"#), "step 1: `smx` is not a number: \"0\""),
        ("no slot", step(r#""op": "tb_done", "smx": 0"#), "step 1: `slot` is not a number: null"),
        ("no grid", step(launch), "step 1: `grid` is not a list"),
        ("short grid", step(&format!(r#"{launch}, "grid": [1, 1]"#)), "step 1: `grid` is not a list of three numbers"),
        ("grid", step(&format!(r#"{launch}, "grid": [1, "a", 1]"#)), "step 1: `grid` is not a list of three numbers"),
        ("flag", step(&format!(r#"{launch}, "grid": [1,1,1], "retain": 2"#)), "step 1: `retain` is not a flag: 2"),
        ("no kernels", step(r#""op": "device_launch", "smx": 0, "slot": 0"#), "step 1: `kernels` is not a list"),
        (
            "group without thread",
            step(&format!(r#""op": "agg_launch", "smx": 0, "slot": 0, "groups": [{group}]"#)),
            "step 1: `hw_tid` is not a number: null",
        ),
        (
            "graph",
            step(&format!(r#"{launch}, "grid": [1,1,1], "graph": {{"e": 0}}"#)),
            "step 1: `v` is not a number of its range: null",
        ),
        (
            "nodes",
            step(r#""op": "graph_nodes", "tag": 0, "entries": [[0, 1]]"#),
            "step 1: `entries` has a node that is not a list of four",
        ),
        ("edges", step(r#""op": "graph_edges", "tag": 0, "targets": 1"#), "step 1: `targets` is not a list: 1"),
        ("spilled", step(r#""op": "graph_spilled""#), "step 1: `tag` is not a 64-bit number: null"),
        ("mask", step(r#""op": "set_eligible", "mask": "all""#), "step 1: `mask` is not a number"),
        ("pc", step(r#""op": "set_class", "cls": 0, "pc": -1"#), "step 1: `pc` is not a 64-bit number: -1"),
        ("state", step(r#""op": "state", "state": 4"#), "step 1: `state` is not an object"),
        ("state key", step(r#""op": "state", "state": {"foo": 4}"#), "step 1: state `foo` is not part of this machine"),
    ];
    for (name, content, message) in cases {
        let output = replay_program("dtbl", content.as_bytes());
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("bad.json") && said.contains(message), "{name}: {said}");
        assert!(said.ends_with("0 passed, 1 failed\n"), "{name}: {said}");
        assert_eq!(output.status.code(), Some(1), "{name}");
    }
    let output = replay_program("dtbl", &[0xff, 0xfe]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("bad.json: cannot be read"), "not text");
    assert_eq!(output.status.code(), Some(1), "not text");
}

/// An expectation under a word that nobody reads is none: the program says so. Vectors here have no such word.
#[test]
fn what_of_a_vector_is_not_looked_at_is_said() {
    let vector = r#"{"config": {}, "whats": 1, "steps": [{"op": "state"}, {"op": "run", "n": 1, "outt": []},
        {"op": "tb_done", "smx": 0, "slot": 0, "ret": "NoTb", "kernels": [{"gridd": 1}]}]}"#;
    let said = String::from_utf8(replay_program("dtbl", vector.as_bytes()).stdout).unwrap();
    for what in ["`whats`", "step 0: without `state`, it checks nothing", "step 1: `outt`", "step 2: `gridd`"] {
        assert!(said.contains(&format!("bad.json: {what}")), "{what}: {said}");
    }
    assert!(said.ends_with("1 passed, 0 failed\n"), "{said}");
    for mechanism in MECHANISMS {
        for (file, vector) in vectors(mechanism) {
            assert_eq!(unread(mechanism, &vector), Vec::<String>::new(), "{}", file.display());
        }
    }
}

#[test]
fn the_program_refuses_what_holds_no_vectors() {
    let dir = tempfile::tempdir().unwrap();
    for folder in [dir.path().to_owned(), dir.path().join("absent")] {
        let output = Command::new(env!("CARGO_BIN_EXE_replay")).arg("dtbl").arg(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", folder.display());
        assert!(String::from_utf8_lossy(&output.stderr).contains(&*folder.to_string_lossy()));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).arg("dtbll").arg(dir.path()).output().unwrap();
    assert!(!output.status.success());
}

/// Numbers that no id can hold, and forms that no vector of the folders happens to use, mean what the READMEs say.
#[test]
fn every_form_of_the_readmes_is_understood() {
    let vector = serde_json::from_str(include_str!("forms.json")).unwrap();
    for face in [Face::Rust, Face::C] {
        assert_passed(Path::new("forms.json"), replay(&vector, face, Pace::Skip).unwrap());
    }
}

/// A value that its parameter cannot hold is out of its range, whatever is wrong with it.
#[test]
fn values_beyond_their_parameters_are_bad_configurations() {
    let cases = [("n_smx", "4294967296"), ("n_smx", "-1"), ("n_smx", "1.5"), ("n_smx", "0"), ("kmu_arb", "\"lifo\"")];
    for (name, value) in cases {
        let vector = format!(r#"{{"config": {{"{name}": {value}}}, "ret": "BadConfig"}}"#);
        for face in [Face::Rust, Face::C] {
            let outcome = replay(&serde_json::from_str(&vector).unwrap(), face, Pace::Skip).unwrap();
            assert_passed(Path::new(&vector), outcome);
        }
    }
}
