//! `gpusched microbench`: what a machine does, beside what was measured.

use crate::place::{Place, json};

/// With few SMs and small caches, so that there is not much to walk through.
const SMALL: &str = "--set sm.topology=none --set sm.count=8 --set l2.sets=2 --set l1.sets=2";

/// What there is not is not measured.
#[test]
fn a_machine_without_caches_has_no_figures_of_them() {
    let place = Place::new();
    let found = json(&place.run("microbench --gpu c1060 --json -q").stdout());
    let keys: Vec<_> = found["quantities"].as_array().unwrap().iter().map(|one| one["key"].as_str().unwrap()).collect();
    assert!(
        keys.contains(&"dram") && keys.iter().all(|key| !key.starts_with("l1") && !key.starts_with("l2")),
        "{keys:?}"
    );
}

#[test]
fn a_machine_is_measured_and_set_beside_what_others_measured() {
    let place = Place::new();
    let text = place.run(&format!("microbench --gpu v100 {SMALL} -q")).stdout();
    let line =
        |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {text}"));
    for (start, words) in [
        ("load that hits in L1 ", ["30", "gpu-benches"]),
        ("load from DRAM ", ["425 - 436", "gpu-benches"]),
        ("double precision, dependent ", ["as measured", "DFMA"]),
    ] {
        words.iter().for_each(|word| assert!(line(start).contains(word), "{word}: {}", line(start)));
    }
    assert!(text.contains("sm.count = 8"), "{text}");
    assert_eq!(place.files(), ["out/microbench-v100.json", "out/microbench-v100.svg"]);

    let found = json(&std::fs::read_to_string(place.path().join("out/microbench-v100.json")).unwrap());
    assert_eq!((&found["schema"], &found["gpu"]), (&"gpusched.microbench/1".into(), &"v100".into()));
    let of = |key: &str| found["quantities"].as_array().unwrap().iter().find(|one| one["key"] == key).unwrap().clone();
    assert_eq!(of("l1")["measured"], serde_json::json!([30.0, 30.0]));
    assert!(of("sfu").get("measured").is_none());
    let numbers = ["l1", "l2", "dram"].map(|key| of(key)["model"].as_f64().unwrap());
    assert!(numbers.is_sorted() && numbers[0] > 10.0, "{numbers:?}");
    assert_eq!(found["set"]["l2.sets"], "2");
    let chase = found["chases"]["128"].as_array().unwrap();
    assert!(chase.first().unwrap()[1].as_f64() < chase.last().unwrap()[1].as_f64(), "{chase:?}");
}

#[test]
fn what_has_no_effect_is_refused() {
    let place = Place::new();
    place.run("microbench --set bfs.min_child=3 -q").refused(2, &["bfs.min_child", "nothing that takes it runs here"]);
    place.run("microbench --set dtbl.agt_size=64 -q").refused(2, &["dtbl.agt_size = 64 has no effect"]);
    place.run("microbench --gpu nothing -q").refused(2, &["no such preset"]);
}
