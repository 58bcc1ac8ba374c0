//! LaPerm's schedulers, bubble DVFS, and the pictures of who ran where.

use crate::place::{Place, json};
use serde_json::Value;

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Figure 26 of the thesis.
#[test]
fn the_demo_shows_the_four_schedules_and_draws_them() {
    let place = Place::new();
    let text = place.run("demo laperm").stdout();
    assert!(text.lines().next().unwrap().contains("smx-bind"), "{text}");
    let row =
        |first: &str| text.lines().find(|line| line.starts_with(first)).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(row("3 ")[1..5], ["C0", "C1", "C2", "C3"]);
    assert_eq!(row("3 ")[9..], ["C2", "P7", "C1", "-", "C2", "P7", "C1", "C3*"]);
    assert_eq!(row("rounds "), ["rounds", "4", "4", "6", "4"]);
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    assert_eq!(place.files(), ["out/laperm-example.svg"]);
    let picture = std::fs::read_to_string(place.path().join("out/laperm-example.svg")).unwrap();
    assert_eq!(picture.matches("<title>").count(), 4 * 14, "a box for each TB of each schedule");
    assert!(picture.contains("C5 on SMX 1 in round 4, from stage 3"));
    assert!(!place.run("demo laperm -q").stdout().contains("written"));
}

#[test]
fn a_gantt_chart_has_a_box_for_each_tb_and_says_who_launched_it() {
    let place = Place::new();
    let result = json(&place.run("run --graph kron:8 --gantt charts/tbs.svg --json").stdout());
    let picture = std::fs::read_to_string(place.path().join("charts/tbs.svg")).unwrap();
    let counts = &result["runs"][0]["counts"];
    assert_eq!(picture.matches("<title>").count() as u64, counts["sm"]["tbs"].as_u64().unwrap());
    let children = picture.matches("launched by K").count() as u64;
    assert!(children > 0 && children >= counts["sm"]["launches"].as_u64().unwrap(), "{children}");
    assert!(picture.contains("launched by the host"));
    assert!(!picture.contains("stage 3"), "the FCFS controller has no stages");
    // Watching changes nothing.
    let unwatched = json(&place.run("run --graph kron:8 --json").stdout());
    assert_eq!(unwatched["runs"], result["runs"]);
}

#[test]
fn a_gantt_chart_marks_what_adaptive_bind_took() {
    let place = Place::new();
    let words = "run join --keys uni:128,4096,16 --gantt tbs.svg --json --sched";
    for (sched, takes) in [("smx-bind", false), ("adaptive-bind", true)] {
        let result = json(&place.run(&format!("{words} {sched}")).stdout());
        let picture = std::fs::read_to_string(place.path().join("tbs.svg")).unwrap();
        let marked = picture.matches("which took it in stage 3").count() as u64;
        let taken = &result["runs"][0]["counts"]["laperm"]["tbs"][2];
        assert_eq!((marked > 0, Some(marked)), (takes, taken.as_u64()), "{sched}");
    }
}

#[test]
fn compare_draws_a_chart_for_each_run() {
    let place = Place::new();
    place.run("compare --graph kron:8 --modes flat,dtbl --sched fcfs,smx-bind --gantt tbs.svg").stdout();
    let charts: Vec<_> = place.files().into_iter().filter(|file| file.starts_with("tbs")).collect();
    assert_eq!(charts, ["tbs-dtbl-fcfs.svg", "tbs-dtbl-smx-bind.svg", "tbs-flat-fcfs.svg", "tbs-flat-smx-bind.svg"]);
}

#[test]
fn a_chart_of_too_many_tbs_is_refused_with_advice() {
    let place = Place::new();
    let ended = place.run("run join --gantt tbs.svg");
    ended.refused(2, &["--gantt", "dtbl starts more than 4,096 TBs", "--graph kron:8", "occupancy plot"]);
    assert!(place.files().is_empty());
}

#[test]
fn schedulers_are_rows_beside_the_first_of_them() {
    let place = Place::new();
    let words = "compare --graph cit:4096 --sched rr,tb-pri,smx-bind,adaptive-bind";
    let text = place.run(words).stdout();
    let rows: Vec<Vec<&str>> = text.lines().skip(2).take(8).map(|line| line.split_whitespace().collect()).collect();
    let names: Vec<_> = rows.iter().map(|row| (row[0], row[1])).collect();
    let scheds = ["rr", "tb-pri", "smx-bind", "adaptive-bind"];
    let expected: Vec<_> = ["cdp", "dtbl"].into_iter().flat_map(|mode| scheds.map(|sched| (mode, sched))).collect();
    assert_eq!(names, expected, "{text}");
    assert!(rows.iter().step_by(4).all(|row| row[3..5] == ["1.00x", "1.00x"]), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");

    let result = json(&place.run(&format!("{words} --json")).stdout());
    let runs = result["runs"].as_array().unwrap();
    let [rr, bind] = [&runs[4], &runs[6]];
    assert_eq!((&rr["scheduler"], &bind["scheduler"]), (&"rr".into(), &"smx-bind".into()));
    assert_eq!((&rr["set"]["laperm.visit"], &bind["set"]["laperm.visit"]), (&"skip".into(), &Value::Null));
    let speedup = number(&rr["metrics"]["time_us"]) / number(&bind["metrics"]["time_us"]);
    assert!((number(&bind["metrics"]["speedup_over_first"]) - speedup).abs() < 1e-9);
    assert!(runs.iter().all(|run| run["checksum"] == rr["checksum"]));
    assert!(place.files().contains(&"out/bfs-cit-4096-seed-1-k20c-sched.svg".to_owned()), "{:?}", place.files());
}

#[test]
fn without_a_scheduler_it_is_fcfs() {
    let place = Place::new();
    let run = |words: &str| json(&place.run(&format!("run --graph kron:8 --json {words}")).stdout())["runs"][0].clone();
    let (plain, fcfs, laperm) = (run(""), run("--sched fcfs"), run("--set dtbl.policy=laperm"));
    assert_eq!((&plain["counts"], &plain["scheduler"]), (&fcfs["counts"], &"fcfs".into()));
    assert_eq!(laperm["scheduler"], "adaptive-bind");
    assert_eq!(laperm["counts"], run("--sched adaptive-bind")["counts"]);
}

#[test]
fn bubble_dvfs_is_set_beside_the_same_run_without() {
    let place = Place::new();
    let words =
        "compare --graph cit:4096 --modes dtbl --sched adaptive-bind --power bubble --transition 2 --threshold 1/32";
    let text = place.run(words).stdout();
    assert!(text.contains("below 3.125% occupancy") && text.contains("a transition takes 1000 cycles"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    let result = json(&place.run(&format!("{words} --json")).stdout());
    let [base, bubble] = [&result["runs"][0], &result["runs"][1]];
    assert_eq!((&base["bubble_dvfs"], &bubble["bubble_dvfs"]), (&false.into(), &true.into()));
    let metric = |run: &Value, key: &str| number(&run["metrics"][key]);
    let saving = 1.0 - metric(bubble, "energy_mj") / metric(base, "energy_mj");
    assert!((metric(bubble, "energy_saving") - saving).abs() < 1e-9);
    let loss = metric(bubble, "time_us") / metric(base, "time_us") - 1.0;
    assert!((metric(bubble, "performance_loss") - loss).abs() < 1e-9);
    assert_eq!((&base["metrics"]["energy_saving"], metric(base, "low_share")), (&Value::Null, 0.0));
    assert!(metric(bubble, "low_share") > 0.0);
    let picture = place.path().join("out/bfs-cit-4096-seed-1-k20c-sched-bubble.svg");
    assert!(std::fs::read_to_string(picture).unwrap().contains("diverted, draining"));
    // The base run is that of a machine without the controller.
    let plain = json(&place.run("run --graph cit:4096 --sched adaptive-bind --json").stdout());
    assert_eq!(plain["runs"][0]["metrics"]["cycles"], base["metrics"]["cycles"]);
}

#[test]
fn what_makes_no_sense_is_told() {
    let place = Place::new();
    place.run("compare --sched rr,rr").refused(2, &["--sched", "rr is given twice"]);
    place.run("compare --sched rr,lifo").refused(2, &["no scheduler is called lifo", "gpusched policies"]);
    place.run("run --sched rr,tb-pri").refused(2, &["run takes one scheduler"]);
    place.run("run --transition 20").refused(2, &["--transition needs --power bubble"]);
    place.run("run --power bubble --transition 0").refused(2, &["bubble.transition_samples = 0", "1 to 65535"]);
    place.run("run --power bubble --threshold 1.5").refused(2, &["1.5", "a share from 0 to 1"]);
    place.run("run --power bubble --draining maybe").refused(2, &["maybe", "on", "off"]);
    place.run("run --power sleep").refused(2, &["sleep", "bubble"]);
    assert!(place.files().is_empty());
}

#[test]
fn footprint_says_what_tbs_share() {
    let place = Place::new();
    let text = place.run("footprint --graph cit:2048").stdout();
    assert!(text.contains("parent - its children") && text.contains("38.4%"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    let result = json(&place.run("footprint --graph cit:2048 --json").stdout());
    let ratio = number(&result["footprint"]["parent_child"]["mean"]);
    assert!((0.0..=1.0).contains(&ratio) && text.contains(&format!("{:.1}%", 100.0 * ratio)), "{ratio} in {text}");
    assert_eq!((&result["schema"], &result["workload"]), (&"gpusched.footprint/1".into(), &"bfs".into()));
    assert!(place.files().is_empty());
    place.run("footprint join --graph cit:2048").refused(2, &["--graph", "join takes --keys"]);
}
