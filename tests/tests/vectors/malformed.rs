//! Vectors with a wrong answer, and what is no vector: the replay says where and why.

use gpusched_tests::replay::{Face, Outcome, replay};
use serde_json::{Value, json};

use crate::vectors;

/// What is said of what is no vector.
fn error(mechanism: &str, vector: &Value) -> String {
    let Err(error) = replay(mechanism, vector, Face::Rust) else { panic!("{vector} is a vector") };
    format!("{error:#}")
}

/// The first difference.
fn difference(mechanism: &str, vector: &Value) -> String {
    let Ok(Outcome::Differs(difference)) = replay(mechanism, vector, Face::Rust) else { panic!("{vector} passes") };
    difference.to_string()
}

fn passes(mechanism: &str, vector: &Value) -> bool {
    matches!(replay(mechanism, vector, Face::Rust), Ok(Outcome::Passed))
}

/// Every step of a vector counts: with an answer changed, or none at all, it fails.
#[test]
fn a_changed_answer_is_found() {
    for mechanism in ["laperm", "bubble_dvfs", "dats", "equalizer", "mascar", "apogee", "tlp"] {
        for (file, mut vector) in vectors(mechanism) {
            for i in (0..vector["steps"].as_array().unwrap().len()).rev() {
                vector["steps"].as_array_mut().unwrap().truncate(i + 1);
                vector["steps"][i]["expect"] = json!({"other": i});
                assert!(!passes(mechanism, &vector), "{}: step {i}", file.display());
            }
        }
    }
}

#[test]
fn a_difference_of_laperm_is_found() {
    let tick = |reason: &str| json!({"op": "tick", "now": 1, "expect": {"stall": {"smx": null, "reason": reason}}});
    let state = |cur: u32| json!({"op": "state", "expect": {"cur": cur}});
    let vector = |step: Value| json!({"config": {}, "steps": [state(0), step]});
    assert!(passes("laperm", &vector(tick("no_work"))));
    for wrong in [tick("masked"), state(1), json!({"op": "kmu_tick", "now": 0, "expect": {"err": "TimeBackwards"}})] {
        assert!(difference("laperm", &vector(wrong)).starts_with("step 1: "));
    }
    let configuration = json!({"config": {"smxs": 0}, "steps": []});
    assert!(difference("laperm", &configuration).starts_with("configuration: "));
    let accepted = json!({"config": {}, "expect_config": "BadConfig", "steps": []});
    assert!(difference("laperm", &accepted).starts_with("configuration: "));
}

/// A vector with a wrong answer fails at its step, and says what differs.
#[test]
fn a_difference_of_graphs_is_found() {
    let launch = json!({"ev": "launch", "v": 2, "e": 1, "policy": ["lrr"], "expect": {"ok": {}}});
    let state = |expect: Value| json!({"ev": "state", "expect": {"ok": expect}});
    let vector = |step: Value| json!({"unit": "dats", "config": {}, "steps": [launch, step]});
    assert!(passes("dats", &vector(state(json!({"tail": 0, "pub": [], "stats": {"spills": 0}})))));
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
        assert_eq!(difference("dats", &vector(step)), message);
    }
    let unbuilt = json!({"unit": "dats", "config": {"lna": 16}, "steps": []});
    let got = r#"configuration: expected a machine, got BadConfig of `lna` for {"lna":16}"#;
    assert_eq!(difference("dats", &unbuilt), got);
}

#[test]
fn malformed_vectors_of_laperm_are_errors() {
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
        let said = error("laperm", &vector);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn malformed_vectors_of_graphs_are_errors() {
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
        let said = error("dats", &vector);
        assert!(said.contains(message), "{said}, not {message}");
    }
}

#[test]
fn malformed_vectors_of_units_are_errors() {
    let (sm, fm) = (r#"{"unit": "sm"}"#, r#"{"unit": "fm"}"#);
    let of_equalizer = [
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
    let (sm, pool, smc) = (r#"{"unit": "tlpsm"}"#, r#"{"unit": "pool"}"#, r#"{"unit": "smc"}"#);
    let of_tlp = [
        (r#"{}"#, "", "`unit` is not a name"),
        (r#"{"unit": "gwde"}"#, "", "no unit `gwde`"),
        (r#"{"unit": "tlpsm", "warps": 3}"#, "", "no parameter `warps`"),
        (sm, r#"{"ev": "done", "in": {"k": 0, "now": 0}}"#, "step 0: a step without `expect`"),
        (sm, r#"{"in": {"now": 0}, "expect": {}}"#, "step 0: a step without `ev`"),
        (sm, r#"{"ev": "add", "in": {"now": 0}, "expect": {}}"#, "event `add` is not part of this machine"),
        (
            sm,
            r#"{"ev": "dispatch", "in": {"now": 0, "avail": [true]}, "expect": {}}"#,
            "`avail` is not a list of 2: [true]",
        ),
        (
            pool,
            r#"{"ev": "add", "in": {"type": "flat", "pref": "memory"}, "expect": {}}"#,
            "`type` has no such value: \"flat\"",
        ),
        (smc, r#"{"ev": "start", "in": {}, "expect": {}}"#, "the configuration has no `max`"),
    ];
    let of = |mechanism| move |(config, step, message)| (mechanism, config, step, message);
    for (mechanism, config, step, message) in of_equalizer.map(of("equalizer")).into_iter().chain(of_tlp.map(of("tlp")))
    {
        let text = format!(r#"{{"config": {config}, "steps": [{step}]}}"#);
        let said = error(mechanism, &serde_json::from_str(&text).unwrap());
        assert!(said.contains(message), "{said}");
    }
}

/// A configuration that a unit refuses is the answer to everything, or to the building itself.
#[test]
fn a_refused_configuration_of_a_unit_is_an_answer() {
    let replayed = |text: &str| passes("tlp", &serde_json::from_str(text).unwrap());
    let one = r#""config": {"unit": "smc", "sms": 1, "max": [1, 1]}"#;
    let start = |expect: &str| format!(r#"{{{one}, "steps": [{{"ev": "start", "in": {{}}, "expect": {expect}}}]}}"#);
    assert!(replayed(&start(r#"{"err": "TooFewSms"}"#)));
    assert!(!replayed(&start(r#"{"err": "BadConfig"}"#)));
    assert!(!replayed(&format!(r#"{{{one}, "steps": []}}"#)));
    assert!(replayed(&format!(r#"{{{one}, "expect_config": "TooFewSms", "steps": []}}"#)));
}
