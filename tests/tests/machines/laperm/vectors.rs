//! Golden vectors: every answer and every listed piece of state, on each home.

use std::path::Path;

use gpusched::laperm::{Config, LaPerm, Model, Resources, TableSet, TableSizes};
use gpusched::presets::K20cLaPerm;
use gpusched::{BuildError, Cycle, RowSource, SliceTables, inline_tables};
use gpusched_tests::laperm::heap;
use gpusched_tests::replay::laperm::{replay as replay_through, replay_on};
use gpusched_tests::replay::{Face, Outcome, in_rust, vectors_in};
use serde_json::{Value, json};

inline_tables! {
    /// The K20c in the CDP model.
    struct Kernels: laperm = Config { model: Model::Cdp, ..Config::K20C };
}

fn vectors() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/laperm");
    let files = vectors_in(&folder).unwrap().into_iter();
    let read = |file: &Path| serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    files.map(|file| (file.display().to_string(), read(&file))).collect()
}

fn replay(vector: &Value) -> anyhow::Result<Outcome> {
    replay_through(vector, Face::Rust)
}

fn assert_passed(name: &str, outcome: Outcome) {
    if let Outcome::Differs(difference) = outcome {
        panic!("{name}: {difference}");
    }
}

#[test]
fn every_vector_passes() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 54);
    for (name, vector) in vectors {
        for face in [Face::Rust, Face::C] {
            assert_passed(&name, replay_through(&vector, face).unwrap());
        }
    }
}

/// Tables that are larger than needed, and inline, answer as tables of the exact size on the heap.
#[test]
fn inline_tables_answer_as_heap_tables() {
    // The machine is a large value: it and its copies want more than a test thread's stack.
    let large_stack = std::thread::Builder::new().stack_size(64 << 20);
    large_stack.spawn(replay_inline).unwrap().join().unwrap();
}

fn replay_inline() {
    for (name, vector) in vectors() {
        let cdp = vector["config"]["model"] == "cdp";
        let outcome = if cdp {
            replay_on(&vector, |config| in_rust(LaPerm::<Kernels>::new(config)))
        } else {
            replay_on(&vector, |config| in_rust(LaPerm::<K20cLaPerm>::new(config)))
        };
        assert_passed(&name, outcome.unwrap());
    }
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
    let config = Config { smxs: 5, cluster: 2, pool_cap: 3, ..Config::K20C };
    let sizes = TableSizes::of(&config);
    let tables = TableSet::take_from(&mut Arena, &sizes).unwrap();
    let mut machine = LaPerm::<SliceTables<'static>>::with_tables(&config, tables).unwrap();
    let mut on_heap = heap::machine(&config).unwrap();
    let need = Resources { threads: 1, regs: 0, smem: 0, slots: 1 };
    let now = Cycle(0);
    assert_eq!(machine.push_host(now, 1, 1, need), on_heap.push_host(now, 1, 1, need));
    assert_eq!(machine.tick(now), on_heap.tick(now));
    // Three units of 128 entries, queue 0 and the pool; four levels per unit and the host's section.
    assert_eq!((sizes.entries, sizes.sections, sizes.units, sizes.smxs), (3 * 128 + 32 + 3, 13, 3, 5));
    assert_eq!(sizes.layouts().count(), 7);
}

const PAIR: Config = Config { smxs: 2, queue_cap: 3, q0_cap: 2, pool_cap: 3, ..Config::K20C };
inline_tables! {
    /// Two SMXs.
    struct Pair: laperm = PAIR;
}

/// A home that lacks a row is refused, with the name of its table.
#[test]
fn small_tables_are_refused() {
    let built = LaPerm::<Pair>::new(&Config { pool_cap: 4, ..PAIR });
    let Err(BuildError::Tables(small)) = built else { panic!("it has a row too few") };
    assert_eq!((small.table, small.need - small.have), ("entries", 1));
}

/// A vector with a wrong answer fails at its step.
#[test]
fn a_difference_is_found() {
    let tick = |reason: &str| json!({"op": "tick", "now": 1, "expect": {"stall": {"smx": null, "reason": reason}}});
    let state = |cur: u32| json!({"op": "state", "expect": {"cur": cur}});
    let vector = |step: Value| json!({"config": {}, "steps": [state(0), step]});
    assert!(matches!(replay(&vector(tick("no_work"))), Ok(Outcome::Passed)));
    for wrong in [tick("masked"), state(1), json!({"op": "kmu_tick", "now": 0, "expect": {"err": "TimeReversed"}})] {
        let Ok(Outcome::Differs(difference)) = replay(&vector(wrong)) else { panic!("it differs") };
        assert_eq!(difference.step, Some(1));
    }
    let configuration = json!({"config": {"smxs": 0}, "steps": []});
    assert!(matches!(replay(&configuration), Ok(Outcome::Differs(d)) if d.step.is_none()));
    let accepted = json!({"config": {}, "expect_config": "BadConfig", "steps": []});
    assert!(matches!(replay(&accepted), Ok(Outcome::Differs(d)) if d.step.is_none()));
}

#[test]
fn malformed_vectors_are_errors() {
    let with = |step: Value| json!({"config": {}, "steps": [step]});
    let cases = [
        (json!([]), "`config` is not an object"),
        (json!({"config": {"smx": 1}, "steps": []}), "no parameter `smx`"),
        (json!({"config": {}}), "`steps` is not a list"),
        (with(json!({"now": 1})), "a step without `op`"),
        (with(json!({"op": "tick", "now": 1})), "a step without `expect`"),
        (with(json!({"op": "tock", "now": 1, "expect": {}})), "event `tock` is not part of this machine"),
        (with(json!({"op": "tick", "now": "1", "expect": {}})), "`now` is not a number"),
        (with(json!({"op": "tb_done", "now": 1, "smx": 0, "res": [1, 2], "expect": {}})), "four numbers"),
        (with(json!({"op": "set_mask", "now": 1, "smx": 0, "expect": {}})), "`masked` is not a flag"),
        (with(json!({"op": "state", "expect": {"cursor": 0}})), "state `cursor` is not part of this machine"),
    ];
    for (vector, message) in cases {
        let Err(error) = replay(&vector) else { panic!("{vector} is no vector") };
        assert!(format!("{error:#}").contains(message), "{error:#}");
    }
}
