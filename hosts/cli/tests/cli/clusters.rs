//! Clusters of TBs: the study of placing them, kernels that have some, and streams with contexts and priorities.

use crate::place::{Place, json};

/// A ring of TBs that read the shared memory of the next one.
const RING: &str = r#"
about = "a ring"

[[kernel]]
name = "ring"
grid = 64
threads = 256
regs = 32
smem = 16384
cluster = 8

[[kernel.phase]]
iters = 4
n = 40
remote = 4
"#;

#[test]
fn the_study_says_what_a_machine_holds_and_draws_it() {
    let place = Place::new();
    let words = "clusters --samples 2";
    let table = place.run(words).stdout();
    let row = |first: &str| {
        let line = table.lines().find(|line| line.trim_start().starts_with(first)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    // Measured on H100: 66 clusters of 2 and 15 of 8, where the sum over GPCs says 16.
    assert_eq!(row("2 ")[1..4], ["66", "66", "132"]);
    assert_eq!(row("8 ")[1..4], ["15", "15", "120"]);
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
    let stem = "out/clusters-h100-sxm";
    assert_eq!(place.files(), [format!("{stem}-fragmentation.svg"), format!("{stem}-map.svg"), format!("{stem}.json")]);
    let result = json(&place.run(&format!("{words} --json")).stdout());
    let sizes = result["sizes"].as_array().unwrap();
    assert_eq!(sizes.len(), 5);
    for size in sizes {
        assert_eq!(size["max_active_clusters"].as_u64().unwrap(), size["placed"].as_array().unwrap().len() as u64);
        let left: Vec<f64> = size["left"].as_array().unwrap().iter().map(|of| of[0].as_f64().unwrap()).collect();
        assert!(left.len() == 10 && left.iter().all(|share| (0.0..=1.0).contains(share)), "{left:?}");
    }
    // Where nobody passes a cluster, singles wait with it.
    let load = &sizes[3]["load"];
    let wait = |run: usize, who: &str| load[run][who].as_f64().unwrap();
    assert!(wait(0, "cluster_wait") < wait(1, "cluster_wait") && wait(0, "single_wait") > wait(1, "single_wait"));
    let map = std::fs::read_to_string(place.path().join(format!("{stem}-map.svg"))).unwrap();
    assert!(map.contains("clusters of 8: 15, on 120 SMs") && map.contains("GPC 7"));
}

#[test]
fn what_makes_no_sense_for_clusters_is_refused() {
    let place = Place::new();
    let refused = |words: &str, says: &[&str]| place.run(words).refused(2, says);
    refused("clusters --gpu a100", &["a100 has none (dsm.enabled)"]);
    refused("clusters --sizes 17", &["--sizes 17: h100-sxm takes clusters of at most 16 TBs"]);
    refused("clusters --threads 4096", &["4096 threads", "fits no SM of h100-sxm"]);
    refused("clusters --set l1.ways=4", &["--set l1.ways has no effect"]);
    refused("clusters --set sm.topology=none", &["dsm.enabled = true: expected false where sm.topology is none"]);
    assert!(place.files().is_empty());
    place.put("ring.toml", RING);
    place.run("run ring.toml --gpu a100").refused(1, &["clusters of 8 TBs", "a100 has none"]);
    place
        .run("run ring.toml --gpu h100-sxm --sched most-room")
        .refused(1, &["only first come, first served sends them"]);
    place.put("odd.toml", &RING.replace("grid = 64", "grid = 60"));
    refused("run odd.toml --gpu h100-sxm", &["grid = 60: expected a multiple of cluster"]);
    place.put("alone.toml", &RING.replace("cluster = 8", "cluster = 1"));
    refused("run alone.toml --gpu h100-sxm", &["remote = 4: expected a cluster of several TBs"]);
}

#[test]
fn a_kernel_with_clusters_runs_where_there_are_some() {
    let place = Place::new();
    place.put("ring.toml", RING);
    let result = json(&place.run("run ring.toml --gpu h100-sxm --json").stdout());
    let run = &result["runs"][0];
    assert_eq!((&run["verified"], &run["counts"]["front"]["clusters"]), (&true.into(), &8.into()));
    assert_eq!(run["counts"]["sm"]["remote_instructions"], 64 * 8 * 4 * 4);
    // No policy is asked about them: each sends single TBs.
    place.run("run ring.toml --gpu h100-sxm --log ring.log -q").stdout();
    let text = place.run("replay-log ring.log --against most-room").stdout();
    assert!(
        text.contains("TBs of clusters, which no policy was asked") && text.contains("they part nowhere"),
        "{text}"
    );
}

#[test]
fn streams_share_a_machine_by_contexts_priorities_and_draining() {
    let place = Place::new();
    place.put(
        "long.toml",
        &RING.replace("ring", "long").replace("grid = 64", "grid = 2048").replace("iters = 4", "iters = 1"),
    );
    place.put("short.toml", &RING.replace("ring", "short").replace("grid = 64", "grid = 256"));
    let policies = "plain,priority,drain,partition,gpcs,quota";
    let words = "compare pair long.toml short.toml --gpu h100-sxm --set streams.stagger=1000 -q --policies";
    let result = json(&place.run(&format!("{words} {policies} --json")).stdout());
    let runs = result["runs"].as_array().unwrap();
    let wait = |run: usize| {
        let short = &runs[run]["counts"]["streams"][1];
        assert_eq!(short["start"], 1000);
        short["first_tb"].as_u64().unwrap() - 1000
    };
    let waits: Vec<u64> = (0..runs.len()).map(wait).collect();
    assert!(waits[0] > waits[1] && waits[3] < 600 && waits[4] < 600, "{policies}: {waits:?}");
    assert!(runs.iter().all(|run| run["checksum"] == runs[0]["checksum"]));
    let table = place.run(&format!("{words} gpcs")).stdout();
    assert!(table.contains("waits for its first TB") && table.contains("gpcs"), "{table}");
    let tlp = "compare pair long.toml short.toml --gpu h100-sxm --policies fill -q";
    place.run(tlp).refused(1, &["clusters of 8 TBs", "without tlp.policy"]);
    // A word that nothing heeds, and one that a single stream has no use for.
    let alone = "compare pair long.toml short.toml --gpu h100-sxm --policies partition --set streams.drain=4";
    place.run(alone).refused(2, &["streams.drain = 4 has no effect"]);
    place.run("run bfs --graph kron:8 --set streams.ranks=rising").refused(2, &["streams.ranks = rising"]);
    place.run("compare pair long.toml short.toml --policies gpcs").refused(2, &["sm.topology is none"]);
}
