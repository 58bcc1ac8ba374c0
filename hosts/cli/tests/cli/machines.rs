//! GPUs of today: each runs, under schedulers that know its GPCs, and says what it does not know.

use crate::place::{Place, json};

const MACHINES: [(&str, u64); 7] = [
    ("v100", 80),
    ("a100", 108),
    ("rtx3090", 82),
    ("rtx4090", 128),
    ("h100-pcie", 114),
    ("h100-sxm", 132),
    ("h200", 132),
];

#[test]
fn each_machine_runs_under_every_kind_of_scheduler_and_tells_no_energy() {
    let place = Place::new();
    for (gpu, sms) in MACHINES {
        let words = format!("compare bfs --graph kron:8 --gpu {gpu} --modes flat,dtbl --json --sched");
        let result = json(&place.run(&format!("{words} fcfs,most-room,gpc-first,adaptive-bind")).stdout());
        let runs = result["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 8, "{gpu}");
        for run in runs {
            assert_eq!(run["verified"], true);
            assert_eq!(run["counts"]["smxs"].as_array().unwrap().len() as u64, sms, "{gpu}");
            assert!(run["counts"]["energy"].is_null(), "{gpu}");
        }
    }
}

#[test]
fn what_a_machine_does_not_know_is_refused_or_said() {
    let place = Place::new();
    let refused = |words: &str, says: &[&str]| place.run(words).refused(2, says);
    refused("compare bfs --graph kron:8 --gpu h100-sxm --power bubble", &["bubble.enabled = true", "energy.known"]);
    refused("compare hs --gpu a100 --sm lrr,sm-high", &["vf.sm = high", "energy.known"]);
    refused("run bfs --graph kron:8 --gpu v100 --set energy.sp_lane_pj=3", &["energy.sp_lane_pj = 3: expected none"]);
    refused("run bfs --graph kron:8 --gpu h100", &["h100: no such preset", "h100-sxm"]);
    refused(
        "run bfs --graph kron:8 --gpu h200 --set sm.count=10",
        &["sm.count = 10: expected 132, as sm.topology has"],
    );
    let dynamic = |gpu: &str, modes: &str| {
        let words = format!("compare bfs --graph kron:8 --modes {modes} --gpu {gpu}");
        place.run(&words).stdout().contains("hypothetical")
    };
    assert!(dynamic("h100-sxm", "cdp") && !dynamic("h100-sxm", "flat") && !dynamic("k20c", "cdp"));
}

#[test]
fn every_number_of_a_machine_has_a_label_and_an_origin() {
    let place = Place::new();
    for (gpu, _) in MACHINES {
        let shown = json(&place.run(&format!("config show --gpu {gpu} --json")).stdout());
        let parameters = shown["parameters"].as_array().unwrap();
        let of_workloads = |key: &str| !key.starts_with("sm.") && !key.starts_with("l1.") && !key.starts_with("l2.");
        for p in parameters {
            let (key, origin) = (p["key"].as_str().unwrap(), p["origin"].as_str().unwrap());
            assert!(!origin.is_empty() || of_workloads(key), "{gpu} {key}");
            assert!(p["value"] != "", "{gpu} {key}");
        }
        let labels: std::collections::BTreeSet<_> =
            parameters.iter().filter_map(|p| p["provenance"].as_str()).collect();
        assert!(labels.contains("vendor") && labels.contains("ours"), "{gpu} {labels:?}");
        // A file of it gives the same machine again.
        let file = place.run(&format!("config show --gpu {gpu} --toml")).stdout();
        place.put("again.toml", &file);
        let again = json(&place.run("config show --gpu ./again.toml --json").stdout());
        let values = |shown: &serde_json::Value| {
            let all = shown["parameters"].as_array().unwrap();
            all.iter().map(|p| (p["key"].clone(), p["value"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(values(&again), values(&shown), "{gpu}");
    }
}

/// A cache that is asked nothing has no share of hits, in JSON no more than in the table.
#[test]
fn a_cache_that_is_not_there_has_no_hit_rate() {
    let place = Place::new();
    let metrics = |set: &str| {
        let run = json(&place.run(&format!("run bfs --graph kron:6 --mode flat --set {set} --json -q")).stdout());
        let metrics = &run["runs"][0]["metrics"];
        [metrics["l1_hit_rate"].is_number(), metrics["l2_hit_rate"].is_number()]
    };
    assert_eq!(metrics("l1.enabled=true"), [true, true]);
    assert_eq!(metrics("l1.enabled=false"), [false, true]);
    assert_eq!(metrics("flat.enabled=true"), [true, false]);
}
