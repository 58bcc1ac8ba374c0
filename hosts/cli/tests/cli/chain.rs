//! Chains of kernels: the study of how they follow each other.

use crate::place::{Place, json};

#[test]
fn the_study_compares_ways_to_follow() {
    let place = Place::new();
    let words = "chain --kernels 10 --waves 0.05,1.05";
    let table = place.run(&format!("{words} --timeline 1.05")).stdout();
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
    let stem = "out/chain-h100-sxm";
    assert_eq!(place.files(), ["-timeline.svg", ".json", ".svg"].map(|end| format!("{stem}{end}")));
    let result = |words: &str| json(&place.run(&format!("{words} --json")).stdout());
    let cycles = |result: &serde_json::Value, size: usize, way: &str| {
        result["sizes"][size]["ways"][way]["cycles"].as_u64().unwrap()
    };
    let long = result(words);
    assert_eq!(long["schema"], "gpusched.chain/2");
    for size in 0..2 {
        let [stream, pdl, graph, both] =
            ["stream", "PDL", "graph", "graph with PDL"].map(|way| cycles(&long, size, way));
        assert!(pdl < stream && both < graph, "{stream} {pdl} {graph} {both}");
    }
    // Where a kernel has a little more than a wave, TBs of the next one that do not read the last ones run beside them.
    let [stream, pairs, fused] = ["stream", "TB dependencies", "fused"].map(|way| cycles(&long, 1, way));
    assert!(pairs * 10 < stream * 8 && pairs < fused, "{stream} {pairs} {fused}");
    // Whoever reads a row of tiles waits for it; in one kernel a row is one TB's, and few of those are there.
    let layers = result(&format!("{words} --reads layers:8"));
    assert_eq!(layers["reads"], "layers:8");
    assert!(cycles(&layers, 1, "fused") > 2 * cycles(&layers, 1, "stream"));
    // Short kernels wait for the host in streams, dependents or not: 2.43 us each at 1,980 MHz. A graph does without.
    let short = result(&format!("{words} --cycles 400"));
    let host = short["times"]["host"][0].as_u64().unwrap();
    assert!(cycles(&short, 0, "stream") >= 10 * host && cycles(&short, 0, "PDL") >= 10 * host);
    assert!(cycles(&short, 0, "graph") < 10 * host);
    // What a kernel launches itself costs the host nothing, and the device as long.
    let tail = cycles(&short, 0, "tail launches");
    assert!(tail > 9 * host && tail < cycles(&short, 0, "stream") + 10 * short["times"]["dispatch"].as_u64().unwrap());
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
    refused("chain --reads rows:3", &["expected stencil, reduce or layers"]);
    refused("chain --reads reduce:0", &["expected a number from 1 to 256 behind reduce:"]);
    refused("chain --waves 1,20 --reads layers:8", &["--waves 20", "84480 dependencies", "65535"]);
    refused("chain --timeline 0", &["--timeline 0"]);
    assert!(place.files().is_empty());
    for option in place.run("chain --help").stdout().split("\n      --") {
        assert!(option.matches("[default:").count() < 2, "{option}");
    }
}
