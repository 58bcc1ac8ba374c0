//! Golden vectors, on the core and on the model.

use std::path::{Path, PathBuf};

use gpusched::dats::{Dgb, DgbConfig, GraphHeader, TableSet, TableSizes};
use gpusched::{KernelSlot, RowSource, SliceTables, inline_dgb_tables};
use gpusched_tests::dats::in_front_end::InFrontEnd;
use gpusched_tests::dats::view::View;
use gpusched_tests::dats::{OfCore, OfModel, Parts, heap, refused_field};
use gpusched_tests::replay::dats::replay_on;
use gpusched_tests::replay::{Outcome, vectors_in};
use serde_json::{Value, json};

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

/// frontend-E3: a graph kernel alone is the buffer alone.
#[test]
fn every_vector_passes_inside_the_front_end() {
    every_vector_passes::<InFrontEnd>();
}

inline_dgb_tables! {
    /// The arrays of the GTX 480, larger than most vectors need.
    struct Gtx480 = DgbConfig::GTX480;
}

/// Machines with inline tables.
struct Inline;

impl Parts for Inline {
    type Machine = Dgb<Gtx480>;

    fn machine(config: &DgbConfig) -> Result<Self::Machine, &'static str> {
        Dgb::new(config).map_err(refused_field)
    }
}

#[test]
fn inline_tables_answer_as_heap_tables() {
    every_vector_passes::<Inline>();
}

/// Rows one behind the other in memory that belongs to somebody else.
struct Arena;

impl<'a> RowSource<'a> for Arena {
    fn rows<R: Default + 'a>(&mut self, n: usize) -> Option<&'a mut [R]> {
        Some(std::iter::repeat_with(R::default).take(n).collect::<Vec<R>>().leak())
    }
}

#[test]
fn tables_in_slices_take_what_the_sizes_say() {
    let config = DgbConfig { lna: 65, lea: 9, pub_entries: 3, chunk_bytes: 24, ..DgbConfig::GTX480 };
    let sizes = TableSizes::of(&config);
    assert_eq!((sizes.local_nodes, sizes.local_edges, sizes.pending_updates, sizes.insertions), (65, 9, 3, 3));
    let tables = TableSet::take_from(&mut Arena, &sizes).unwrap();
    let mut machine = Dgb::<SliceTables<'static>>::with_tables(&config, tables).unwrap();
    let mut on_heap = heap::machine(&config).unwrap();
    let graph = GraphHeader { v: 9, ..GraphHeader::default() };
    assert_eq!(machine.launch(KernelSlot(0), &graph), on_heap.launch(KernelSlot(0), &graph));
    assert_eq!(machine.poll(), on_heap.poll());
    assert_eq!(View::of(&machine), View::of(&on_heap));
}

fn replay(vector: &Value) -> anyhow::Result<Outcome> {
    replay_on::<OfCore>(vector)
}

/// A vector with a wrong answer fails at its step, and says what differs.
#[test]
fn a_difference_is_found() {
    let launch = json!({"ev": "launch", "v": 2, "e": 1, "policy": ["lrr"], "expect": {"ok": {}}});
    let state = |expect: Value| json!({"ev": "state", "expect": {"ok": expect}});
    let vector = |step: Value| json!({"unit": "dats", "config": {}, "steps": [launch, step]});
    assert!(matches!(
        replay(&vector(state(json!({"tail": 0, "pub": [], "stats": {"spills": 0}})))),
        Ok(Outcome::Passed)
    ));
    let wrong = [
        (state(json!({"tail": 0, "head": 1})), "step 1: expected head 1, got 0"),
        (state(json!({"pub": [3]})), "step 1: expected pub [3], got []"),
        (state(json!({"stats": {"spills": 1}})), "step 1: expected stats.spills 1, got 0"),
        (
            json!({"ev": "poll", "expect": {"ok": {"req": null}}}),
            r#"step 1: expected req null, got {"addr":0,"count":2,"first":0,"kind":"nodes","tag":0}"#,
        ),
        (
            json!({"ev": "poll", "expect": {"ok": {"req": {"kind": "nodes", "addr": 18_446_744_073_709_551_615u64}}}}),
            "step 1: expected req.addr 18446744073709551615, got 0",
        ),
        (
            json!({"ev": "complete", "node": 7, "expect": {"err": "NotRunning", "node": 8}}),
            r#"step 1: expected {"err":"NotRunning","node":8}, got {"err":"NotRunning","node":7}"#,
        ),
        (
            json!({"ev": "abort", "expect": {"err": "Busy"}}),
            r#"step 1: expected {"err":"Busy"}, got {"ok":{"executing":0}}"#,
        ),
    ];
    for (step, message) in wrong {
        let Ok(Outcome::Differs(difference)) = replay(&vector(step)) else { panic!("it differs: {message}") };
        assert_eq!(difference.to_string(), message);
    }
    let unbuilt = replay(&json!({"unit": "dats", "config": {"lna": 16}, "steps": []}));
    let Ok(Outcome::Differs(difference)) = unbuilt else { panic!("no machine is built") };
    assert_eq!(difference.to_string(), r#"configuration: expected a machine, got BadConfig of `lna` for {"lna":16}"#);
}

#[test]
fn malformed_vectors_are_errors() {
    let with = |step: Value| json!({"unit": "dats", "config": {}, "steps": [step]});
    let poll = |expect: Value| with(json!({"ev": "poll", "expect": expect}));
    let launch = |fields: &str| {
        let step = format!(r#"{{"ev": "launch", "v": 1, "e": 0, "policy": ["lrr"], {fields} "expect": {{}}}}"#);
        with(serde_json::from_str(&step).unwrap())
    };
    let nodes = |entry: Value| with(json!({"ev": "nodes", "tag": 0, "entries": [entry], "expect": {}}));
    let build = |fields: Value| {
        let mut step = json!({"ev": "build", "grid": [1, 1, 1], "expect": {}});
        step.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        with(step)
    };
    let cases = [
        (json!([]), "not an object"),
        (json!({"unit": "dats", "config": {}, "steps": [], "step": 1}), "no field `step`"),
        (json!({"unit": "dots", "config": {}, "steps": []}), "no unit `dots`"),
        (json!({"unit": "dats", "config": [], "steps": []}), "`config` is not an object"),
        (json!({"unit": "dats", "config": {"lnb": 1}, "steps": []}), "no parameter `lnb`"),
        (json!({"unit": "dats", "config": {"lna": -1}, "steps": []}), "`config`: {\"lna\":-1}"),
        (json!({"unit": "dats", "config": {}}), "`steps` is not a list"),
        (with(json!({"expect": {}})), "step 0: a step without `ev`"),
        (with(json!({"ev": "poll"})), "step 0: a step without `expect`"),
        (with(json!({"ev": "tick", "expect": {}})), "event `tick` is not part of this machine"),
        (with(json!({"ev": "poll", "tag": 1, "expect": {}})), "no field `tag`; there are: ev note expect"),
        (poll(json!({})), "neither `ok` nor `err`"),
        (poll(json!({"ok": {"request": null}})), "`request` is not part of the answer"),
        (poll(json!({"ok": 1})), "`ok` is not an object"),
        (with(json!({"ev": "state", "expect": {"ok": {"head": 0, "heads": 1}}})), "`heads` is not part of the answer"),
        (launch(r#""policy": ["lvl"],"#), "no policy: [\"lvl\"]"),
        (launch(r#""policy": ["lvl", 65536],"#), "`bound` is not a number of its range: 65536"),
        (launch(r#""node_base": 18446744073709551616,"#), "`node_base` is not a number of its range"),
        (nodes(json!([0, 1, 0])), "`entries` has a node that is not a list of four numbers"),
        (nodes(json!([0, 2, 0, 0])), "`childless` is neither 0 nor 1"),
        (nodes(json!([2_147_483_648u32, 1, 0, 0])), "`start` has more than 31 bits"),
        (nodes(json!([0, 1, 65536, 0])), "`parents` is not a number of its range: 65536"),
        (
            with(json!({"ev": "edges", "tag": 0, "targets": [65536], "expect": {}})),
            "`targets` is not a number of its range",
        ),
        (with(json!({"ev": "select", "fits": [256], "expect": {}})), "`fits` is not a number of its range: 256"),
        (build(json!({})), "either `stencil` or `deps`"),
        (build(json!({"stencil": [], "deps": []})), "either `stencil` or `deps`"),
        (build(json!({"stencil": [[1, 2]]})), "no block index: [1,2]"),
        (build(json!({"deps": [], "grid": [1, 1]})), "`grid` is not a list of three numbers"),
        (build(json!({"deps": [], "policies": {"x": []}})), "`x` is no TB"),
    ];
    for (vector, message) in cases {
        let Err(error) = replay(&vector) else { panic!("{vector} is no vector") };
        assert!(format!("{error:#}").contains(message), "{error:#}, not {message}");
    }
}
