//! The schedulers written by hand in C++ (`benches/comparator`), beside which gpusched is measured, decide as the vectors say: what is
//! compared in the tables does the same work. They have no more than the rows need, so some vectors are not theirs.

use std::collections::BTreeSet;
use std::fs::{File, read_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use cc::Build;
use serde_json::{Value, json};

use crate::vectors;

/// The program. It is kept from run to run, until a source is newer; then gpusched's side of the comparison is compiled, too, as far as
/// that shows whether it fits the headers.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (sources, headers) = (tests.join("benches/comparator"), tests.join("../include"));
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("comparator");
        let changed = |file: &Path| file.metadata().and_then(|file| file.modified()).ok();
        let files = [&sources, &headers].into_iter().flat_map(|folder| read_dir(folder).unwrap());
        if changed(&program) < files.filter_map(|file| changed(&file.unwrap().path())).max() {
            let compile = |arguments: &[&Path]| {
                let mut compiler = compiler();
                assert!(compiler.args(arguments).status().unwrap().success(), "{compiler:?}");
            };
            compile(&[Path::new("-fsyntax-only"), Path::new("-I"), &headers, &sources.join("through_c.cpp")]);
            compile(&[&sources.join("comparator.cpp"), Path::new("-o"), &program]);
        }
        program
    })
}

/// With every warning an error.
fn compiler() -> Command {
    let host = Command::new(env!("CARGO")).arg("-vV").output().unwrap().stdout;
    let host = String::from_utf8(host).unwrap().lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned));
    let host = host.expect("cargo names its host");
    let mut build = Build::new();
    build.cargo_metadata(false).target(&host).host(&host).opt_level(0).debug(false).cpp(true).std("c++17");
    build.warnings(true).extra_warnings(true).warnings_into_errors(true).flag("-Wpedantic").flag("-Wconversion");
    build.get_compiler().to_command()
}

/// A number, or a flag as one.
fn number(value: &Value) -> Option<String> {
    value.as_bool().map(|flag| u8::from(flag).to_string()).or_else(|| value.as_u64().map(|number| number.to_string()))
}

/// Numbers of fields, in order; of lists all that is in them. What is absent is 0.
fn numbers(of: &Value, fields: &[&str]) -> String {
    fn all(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| all(value, into)),
            value => into.push(number(value).unwrap_or("0".into())),
        }
    }
    let mut words = Vec::new();
    fields.iter().for_each(|field| all(&of[field], &mut words));
    words.join(" ")
}

fn list(of: &Value) -> &[Value] {
    of.as_array().map_or(&[], Vec::as_slice)
}

/// The line that begins a vector: its parameters, but for those words that mean what is there anyway.
fn machine(kind: &str, vector: &Value) -> String {
    let mut line = format!("machine {kind}");
    for (name, value) in vector["config"].as_object().unwrap() {
        let (name, value) = match (name.as_str(), value.as_str()) {
            ("visit", Some(visit)) => ("skip", u8::from(visit == "skip").to_string()),
            ("prefetch", Some(prefetch)) => ("eager", u8::from(prefetch == "eager").to_string()),
            ("policy", Some("adaptive_bind")) | ("model", Some("dtbl")) | ("unit", _) => continue,
            (name, _) => (name, number(value).unwrap_or("0".into())),
        };
        line += &format!(" {name} {value}");
    }
    line
}

const KERNEL: [&str; 6] = ["pc", "grid", "tb", "regs", "smem", "tag"];

/// A step of `dtbl`, and what is expected of its answer.
fn front_end(step: &Value) -> (String, Value) {
    let op = step["op"].as_str().unwrap();
    let launch = |lanes: &[Value], fields: &[&str]| {
        let lanes: Vec<_> = lanes.iter().map(|lane| numbers(lane, fields)).collect();
        format!("{op} {} {} {}", numbers(step, &["smx", "slot"]), lanes.len(), lanes.join(" "))
    };
    let line = match op {
        "host_launch" => format!("{op} {} {}", numbers(step, &["stream", "retain"]), numbers(step, &KERNEL)),
        "device_launch" => launch(list(&step["kernels"]), &KERNEL),
        "agg_launch" => launch(list(&step["groups"]), &[&KERNEL[..], &["hw_tid"]].concat()),
        _ => {
            let given = ["smx", "slot", "kdei", "n"].into_iter().filter(|field| !step[*field].is_null());
            format!("{op} {}", numbers(step, &given.collect::<Vec<_>>()))
        }
    };
    let expected = match step["ret"].as_str() {
        Some(fault) if fault != "ok" => json!({ "err": fault }),
        _ => json!({ "out": step["out"], "sched": step["sched"], "kmu": step["kmu"] }),
    };
    (line, expected)
}

/// A step of `laperm`.
fn bind(step: &Value) -> (String, Value) {
    let op = step["op"].as_str().unwrap();
    let fields: &[&str] = match op {
        "push_host" => &["now", "tag", "tbs", "res"],
        "push_child" => &["now", "tag", "tbs", "res", "parent_smx", "parent_prio"],
        "tb_done" => &["now", "smx", "res"],
        "set_mask" => &["now", "smx", "masked"],
        _ => &["now"],
    };
    (format!("{op} {}", numbers(step, fields)), step["expect"].clone())
}

/// A step of `dats`. Only LRR is there, and nothing that looks for faults: both stand for the event.
fn graph(step: &Value) -> (String, Value) {
    let ev = step["ev"].as_str().unwrap();
    let listed = |field: &str| format!("{} {}", list(&step[field]).len(), numbers(step, &[field]));
    let line = match ev {
        _ if !step["expect"]["err"].is_null() => "fault".into(),
        "launch" if step["policy"][0] != "lrr" => "lvl".into(),
        "launch" => format!("{ev} {}", numbers(step, &["kdei", "v", "e", "node_base", "edge_base"])),
        "nodes" => format!("{ev} {} {}", numbers(step, &["tag"]), listed("entries")),
        "edges" => format!("{ev} {} {}", numbers(step, &["tag"]), listed("targets")),
        "select" => format!("{ev} {}", numbers(step, &["fits"])),
        "complete" => format!("{ev} {}", numbers(step, &["node"])),
        _ => ev.into(),
    };
    (line, step["expect"].clone())
}

/// Whether an answer has all that is expected. Null, or a count of 0, need not be there.
fn meets(answer: &Value, expected: &Value) -> bool {
    match (answer, expected) {
        (_, Value::Null) => true,
        (Value::Object(answer), Value::Object(expected)) => {
            expected.iter().all(|(name, value)| match answer.get(name) {
                Some(answer) => meets(answer, value),
                None => value.is_null() || *value == 0,
            })
        }
        _ => answer == expected,
    }
}

/// Replays a folder's vectors that `chosen` picks; how many passed, and what the others need.
fn replay(
    mechanism: &str,
    kind: &str,
    chosen: impl Fn(&Value) -> bool,
    step: impl Fn(&Value) -> (String, Value),
) -> (usize, BTreeSet<String>) {
    let vectors = vectors(mechanism).into_iter().filter(|(_, vector)| chosen(vector)).collect::<Vec<_>>();
    // States are no decisions.
    let is_event = |step: &&Value| step["op"] != "state" && step["ev"] != "state";
    let steps = |vector: &Value| list(&vector["steps"]).iter().filter(is_event).map(&step).collect::<Vec<_>>();
    let mut lines = String::new();
    for (_, vector) in &vectors {
        lines += &format!("{}\n", machine(kind, vector));
        steps(vector).iter().for_each(|(line, _)| lines += &format!("{line}\n"));
    }
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("lines");
    std::fs::write(&input, lines).unwrap();
    let output = Command::new(program()).stdin(File::open(input).unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).unwrap();
    let mut answers = answers.lines();
    let (mut passed, mut needed) = (0, BTreeSet::new());
    for (file, vector) in &vectors {
        let mut unsupported = None;
        let mut hear = |what: &str| {
            let answer = answers.next().unwrap_or_else(|| panic!("{}: no answer to {what}", file.display()));
            unsupported = unsupported.take().or_else(|| answer.strip_prefix("unsupported ").map(str::to_owned));
            (answer, unsupported.is_some())
        };
        hear("machine");
        for (i, (line, expected)) in steps(vector).iter().enumerate() {
            let (answer, is_left_out) = hear(line);
            if !is_left_out {
                let got: Value = serde_json::from_str(answer).unwrap();
                assert!(meets(&got, expected), "{}, event {i}, {line}: expected {expected}, got {got}", file.display());
            }
        }
        match unsupported {
            Some(what) => _ = needed.insert(what),
            None => passed += 1,
        }
    }
    (passed, needed)
}

fn words(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|&word| word.into()).collect()
}

#[test]
fn the_front_end_by_hand_answers_the_vectors_of_dtbl() {
    let (passed, needed) = replay("dtbl", "frontend", |vector| !vector["steps"].is_null(), front_end);
    let parameters = ["agt_miss", "fallback", "hash_scope", "kmu_arb", "load_ahead", "load_mode", "turn_groups"];
    let of_suspension = ["suspend", "susp_cap", "sync_depth"];
    assert_eq!((passed, needed), (38, words(&[&parameters[..], &of_suspension].concat())));
}

#[test]
fn adaptive_bind_by_hand_answers_its_vectors_of_laperm() {
    let is_bound = |vector: &Value| vector["config"]["policy"] == "adaptive_bind" && vector["expect_config"].is_null();
    let (passed, needed) = replay("laperm", "bind", is_bound, bind);
    assert_eq!((passed, needed), (7, words(&["backup_limit", "backup_select", "no_fit"])));
}

#[test]
fn lrr_by_hand_answers_its_vectors_of_dats() {
    let (passed, needed) = replay("dats", "graph", |vector| vector["unit"] == "dats", graph);
    let needs = ["admit", "fault", "issue_needs_edges", "level_ref", "lvl", "spill"];
    assert_eq!((passed, needed), (10, words(&needs)));
}
