//! `gpusched speed`: host time and memory. No test looks at how long anything took.

use crate::place::{Place, json};

#[test]
fn workloads_are_timed_as_run_takes_them_and_the_host_is_named() {
    let place = Place::new();
    let text = place.run("speed --workloads hs --repeat 1 -q").stdout();
    for word in ["workload ", "SM-cycles/s", "hs lrr ", "host ", "build ", "seconds ", "memory "] {
        assert!(text.lines().any(|line| line.contains(word)), "{word}: {text}");
    }
    assert_eq!(place.files(), ["out/speed-k20c.json"]);
    let found = json(&std::fs::read_to_string(place.path().join("out/speed-k20c.json")).unwrap());
    assert_eq!((&found["schema"], &found["repeat"]), (&"gpusched.speed/1".into(), &1.into()));
    assert!(found["host"]["cpu"].is_string());
    let row = &found["workloads"][0];
    let ran = json(&place.run("run hs --gpu k20c -q --json").stdout());
    assert_eq!(row["cycles"].as_f64(), ran["runs"][0]["metrics"]["cycles"].as_f64());
    // The allocator is this program's own, so that memory is told.
    assert!(row["bytes"].as_u64() > Some(100_000) && row["seconds"].as_f64() > Some(0.0), "{row}");
}

#[test]
fn what_a_curve_sets_itself_or_does_not_use_is_refused() {
    let place = Place::new();
    place.run("speed --curve sms --set sm.count=4 -q").refused(2, &["sm.count", "speed --curve sms sets it itself"]);
    place.run("speed --curve warps --set dtbl.agt_size=64 -q").refused(2, &["dtbl.agt_size = 64 has no effect"]);
    place.run("speed --curve --set bfs.min_child=3 -q").refused(2, &["nothing that takes it runs here"]);
    place.run("speed --curve --workloads bfs").refused(2, &["cannot be used with"]);
    place.run("speed --workloads hs --set bfs.min_child=3 -q").refused(2, &["no option of hs"]);
}
