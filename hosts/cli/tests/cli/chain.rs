//! Chains of kernels: the study of how they follow each other.

use crate::place::{Place, json};

#[test]
fn the_study_compares_ways_to_follow() {
    let place = Place::new();
    let words = "chain --kernels 10 --waves 0.05,1.05";
    let table = place.run(words).stdout();
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
    let stem = "out/chain-h100-sxm";
    assert_eq!(place.files(), [format!("{stem}.json"), format!("{stem}.svg")]);
    let result = |words: &str| json(&place.run(&format!("{words} --json")).stdout());
    let cycles = |result: &serde_json::Value, size: usize, way: &str| {
        result["sizes"][size]["ways"][way]["cycles"].as_u64().unwrap()
    };
    let long = result(words);
    assert_eq!(long["schema"], "gpusched.chain/1");
    for size in 0..2 {
        let [stream, pdl, graph, both] =
            ["stream", "PDL", "graph", "graph with PDL"].map(|way| cycles(&long, size, way));
        assert!(pdl < stream && both < graph, "{stream} {pdl} {graph} {both}");
    }
    // Short kernels wait for the host in streams, dependents or not: 2.43 us each at 1,980 MHz. A graph does without.
    let short = result(&format!("{words} --cycles 400"));
    let host = short["times"]["host"][0].as_u64().unwrap();
    assert!(cycles(&short, 0, "stream") >= 10 * host && cycles(&short, 0, "PDL") >= 10 * host);
    assert!(cycles(&short, 0, "graph") < 10 * host);
}

#[test]
fn what_makes_no_sense_for_chains_is_refused() {
    let place = Place::new();
    let refused = |words: &str, says: &[&str]| place.run(words).refused(2, says);
    refused("chain --prologue 1.5", &["--prologue 1.5: expected a number from 0 to 1"]);
    refused("chain --trigger NaN", &["--trigger NaN"]);
    refused("chain --waves 0", &["--waves 0: expected a number above 0"]);
    refused("chain --threads 4096", &["4096 threads", "fits no SM of h100-sxm"]);
    refused("chain --set l1.ways=4", &["--set l1.ways has no effect"]);
    refused("chain --kernels 1", &["--kernels"]);
    assert!(place.files().is_empty());
}
