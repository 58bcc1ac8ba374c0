//! Wavefronts from end to end: five versions of one result, the buffer that three of them need, and what they refuse.

use crate::place::{Place, json};
use serde_json::Value;

#[track_caller]
fn run(place: &Place, words: &str) -> Value {
    json(&place.run(&format!("{words} --json --quiet")).stdout())
}

const SMALL: &str = "--tiles 9x6 --divide 48";

#[test]
fn five_versions_compute_the_same_and_are_set_side_by_side() {
    let place = Place::new();
    let words = format!("compare dtw {SMALL}");
    let result = run(&place, &format!("{words} --threads 1"));
    assert_eq!(run(&place, &format!("{words} --threads 2")), result, "threads make no difference");
    let runs = result["runs"].as_array().unwrap();
    let versions: Vec<&str> = runs.iter().map(|run| run["version"].as_str().unwrap()).collect();
    assert_eq!(versions, ["global", "cdp", "deplinks", "lrr", "lvl"]);
    assert!(runs.iter().all(|run| run["checksum"] == runs[0]["checksum"] && run["verified"] == true));
    let metric = |run: &Value, key: &str| run["metrics"][key].as_f64().unwrap();
    for run in runs {
        let speedup = metric(&runs[0], "cycles") / metric(run, "cycles");
        assert!((metric(run, "speedup_over_global") - speedup).abs() < 1e-9);
        let rest = metric(run, "cycles") - metric(run, "launch_cycles");
        assert_eq!(metric(run, "cycles_without_launches"), rest);
        let ranges = run["timeline"]["level_ranges"].as_array().unwrap();
        let most = ranges.iter().filter_map(Value::as_u64).max().unwrap();
        assert_eq!(Some(most), run["metrics"]["max_level_range"].as_u64(), "the timeline covers the run");
        assert!(metric(run, "warp_instructions") > 0.0);
    }
    // 14 levels, each a launch by the host in global, and by the parent in cdp; one launch in the others.
    let launches = |run: usize| metric(&runs[run], "launch_cycles");
    assert_eq!((launches(0), launches(4)), (14.0 * 1312.0, 1312.0));
    assert!((14.0 * 878.0..14.0 * 1312.0).contains(&launches(1)), "{}", launches(1));
    assert_eq!((&runs[0]["metrics"]["pub_max"], &runs[0]["metrics"]["added_requests"]), (&Value::Null, &Value::Null));
    assert!(metric(&runs[4], "added_requests") > 0.0);
    let tiles = &result["tiles"];
    assert_eq!((&tiles["columns"], &tiles["rows"], &tiles["width"]), (&9.into(), &6.into(), &256.into()));
    assert_eq!((&result["gpu"]["name"], &tiles["launch_scale"]), (&"gtx480".into(), &16.into()));
    // The source has different arrays for LRR and LVL.
    assert_eq!((&runs[3]["set"]["dats.lna"], &runs[4]["set"]["dats.lna"]), (&512.into(), &Value::Null));
}

#[test]
fn every_report_prints_the_launch_scale() {
    let place = Place::new();
    let text = place.run(&format!("compare heat2d {SMALL} --launch-scale 4")).stdout();
    let header: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(header, ["heat2d", "global", "cdp", "deplinks", "lrr", "lvl"]);
    for row in [
        "speedup over global",
        "cycles without them",
        "level range, at most",
        "PUB entries",
        "requests added",
        "L2 miss rate",
    ] {
        assert!(text.lines().any(|line| line.starts_with(row)), "no {row} in {text}");
    }
    assert!(text.contains("launch scale 4:") && text.contains("a host launch 5,250"), "{text}");
    assert!(text.contains("9 x 6 tiles of 256 x 256 cells") && text.contains("lvl: LNA 128, LEA 512"), "{text}");
    assert!(text.contains("every cell verified"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    let stem = "out/heat2d-9x6-tiles-of-256x256-gtx480";
    assert_eq!(place.files(), [format!("{stem}.json"), format!("{stem}.svg")]);
    let picture = std::fs::read_to_string(place.path().join(format!("{stem}.svg"))).unwrap();
    assert!(picture.contains("launch scale 4") && picture.contains("heat2d on 9x6 tiles"), "{picture}");
}

#[test]
fn each_wavefront_runs_in_the_version_that_is_asked_for() {
    let place = Place::new();
    for name in ["dtw", "sw", "heat2d", "sor", "int_img", "hist"] {
        let result = run(&place, &format!("run {name} --tiles 4 --divide 128"));
        assert_eq!((&result["workload"]["name"], &result["runs"][0]["version"]), (&name.into(), &"lvl".into()));
        let global = run(&place, &format!("run {name} --tiles 4 --divide 128 --version global --gpu k20c"));
        assert_eq!(global["runs"][0]["checksum"], result["runs"][0]["checksum"], "{name}");
        assert_eq!(global["gpu"]["name"], "k20c");
    }
}

#[test]
fn options_reach_the_buffer_and_the_graph() {
    let place = Place::new();
    let of = |words: &str| run(&place, &format!("run sw {SMALL} {words}"));
    let small = of("--dgb 8,24,40 --chunk 32 --prefetch chunk-free");
    let parameters = &small["gpu"]["parameters"];
    assert_eq!((&parameters["dats.lna"], &parameters["dats.pub_entries"]), (&8.into(), &40.into()));
    assert_eq!(
        small["gpu"]["set"].as_array().unwrap().iter().filter(|key| key.as_str().unwrap().starts_with("dats.")).count(),
        4
    );
    assert_eq!(of("--bound 0")["runs"][0]["metrics"]["max_level_range"], 0);
    let (direct, relay) = (of("--version deplinks --barrier direct"), of("--version deplinks --barrier relay"));
    let nodes = |result: &Value| result["runs"][0]["counts"]["dats"]["nodes"].as_u64().unwrap();
    assert_eq!((nodes(&direct), nodes(&relay)), (54, 54 + 13));
    assert_eq!(direct["runs"][0]["checksum"], relay["runs"][0]["checksum"]);
    assert_eq!(of("--set wave.seed=7")["runs"][0]["verified"], true);
}

/// dats-H5.
#[test]
fn barriers_of_edges_that_cannot_run_are_refused_and_run_with_spill() {
    let place = Place::new();
    let words = "run int_img --version deplinks --barrier direct --tiles 40 --divide 32";
    place.run(words).refused(1, &["version deplinks did not finish", "deadlocks", "dats.spill"]);
    assert!(place.files().is_empty());
    let spilled = run(&place, &format!("{words} --spill"));
    assert!(spilled["runs"][0]["metrics"]["decrements"].as_u64().unwrap() > 0);
}

#[test]
fn other_schedulers_and_charts_work_as_with_any_workload() {
    let place = Place::new();
    let result = run(&place, &format!("compare hist {SMALL} --versions lrr,lvl --sched fcfs,rr"));
    assert_eq!(result["runs"].as_array().unwrap().len(), 4);
    place.run(&format!("run hist {SMALL} --gantt tbs.svg")).stdout();
    assert!(place.files().contains(&"tbs.svg".to_owned()), "{:?}", place.files());
    place.run("run int_img --divide 32 --tiles 65 --gantt tbs.svg").refused(2, &["--gantt", "4,096 TBs", "--tiles 32"]);
}

#[test]
fn configurations_list_wavefronts_and_the_buffer() {
    let place = Place::new();
    let text = place.run("config show --set wave.bound=2 --set dats.pub=32").stdout();
    let row = |key: &str| text.lines().find(|line| line.starts_with(&format!("{key} "))).unwrap().to_owned();
    assert!(row("wave.bound").contains(" set ") && row("wave.bound").contains("preset: 3"), "{text}");
    assert!(row("dats.pub_entries").contains("preset: 64") && row("wave.launch_scale").contains("16"), "{text}");
}

#[test]
fn what_makes_no_sense_for_a_wavefront_is_told() {
    let place = Place::new();
    place.run("run heat2d --mode dtbl").refused(2, &["--mode", "heat2d has versions", "lvl"]);
    place.run("run bfs --version lvl").refused(2, &["--version", "bfs has modes", "dtbl"]);
    place.run("compare heat2d --versions lvl,lvl").refused(2, &["lvl is given twice"]);
    place.run("compare heat2d --versions lvl,best").refused(2, &["best", "deplinks"]);
    place.run("run heat2d --graph kron:8").refused(2, &["--graph", "heat2d takes --tiles"]);
    place.run("run heat2d --keys uni").refused(2, &["--keys", "heat2d takes --tiles"]);
    place.run("run bfs --tiles 4").refused(2, &["--tiles", "bfs is no wavefront"]);
    place.run("run join --spill").refused(2, &["--spill", "join is no wavefront"]);
    place.run("run heat2d --tiles 0").refused(2, &["columns", "1 to 4096 tiles"]);
    place.run("run heat2d --tiles 4x").refused(2, &["4x", "columns and rows"]);
    place.run("run heat2d --launch-scale 0").refused(2, &["launch_scale", "1 or more"]);
    place.run("run heat2d --divide -1").refused(2, &["-1"]);
    place.run("run heat2d --barrier wall").refused(2, &["wall", "relay"]);
    place.run("run heat2d --dgb 3,1,1").refused(2, &["dats.lna = 3", "more than the nodes of a chunk"]);
    place.run("footprint heat2d").refused(2, &["footprint", "heat2d"]);
    place.run("run heat2d --tiles 300 --divide 12").refused(1, &["heat2d", "65535"]);
    assert!(place.files().is_empty());
}
