//! Kernels that share the machine: pairs, pools, sweeps, and the study of them.

use crate::place::Place;
use serde_json::Value;

/// A kernel that leans on arithmetic, and one that leans on memory; neither takes long.
const COMPUTE: &str = r#"
about = "arithmetic"

[[kernel]]
name = "compute"
grid = 90
threads = 256
regs = 16

[[kernel.phase]]
iters = 2
n = 60
fp = 0.8
"#;

const STREAM: &str = r#"
about = "a stream"

[[kernel]]
name = "stream"
grid = 60
threads = 128
regs = 40

[[kernel.phase]]
iters = 2
n = 30
loads = ["st(4) x4"]
stores = ["st(4)"]
"#;

const FEW: &str = "--set sm.count=3 -q";

fn place() -> Place {
    let place = Place::new();
    place.put("compute.toml", COMPUTE);
    place.put("stream.toml", STREAM);
    place
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_pair_is_set_side_by_side_under_every_policy() {
    let place = place();
    let words = format!("compare pair compute.toml stream.toml {FEW}");
    let result = json(&place.run(&format!("{words} --json")).stdout());
    let runs = result["runs"].as_array().unwrap();
    let policies: Vec<&str> = runs.iter().map(|run| run["policy"].as_str().unwrap()).collect();
    assert_eq!(policies, ["leftover", "smart-even", "smc", "static", "dynamic", "bypass"]);
    for run in runs {
        assert_eq!((&run["verified"], &run["checksum"]), (&true.into(), &runs[0]["checksum"]));
        let streams = run["counts"]["streams"].as_array().unwrap();
        let sum: u64 = streams.iter().map(|stream| stream["instructions"].as_u64().unwrap()).sum();
        let all = run["counts"]["sm"]["instructions"].as_array().unwrap();
        assert_eq!(sum, all.iter().map(|family| family.as_u64().unwrap()).sum::<u64>());
    }
    assert_eq!(runs[0]["figures"]["speedup"], 1.0);
    assert!(runs[2]["search"]["trials"].as_u64().unwrap() >= 4);
    assert!(runs[4]["counts"]["sharing"]["samples"].as_u64().unwrap() > 0);
    assert!(!runs[5]["walk"]["changes"].as_array().unwrap().is_empty());
    let types: Vec<&Value> = result["kernels"].as_array().unwrap().iter().map(|kernel| &kernel["pref"]).collect();
    assert_eq!(types, ["compute", "memory"], "measured, since no study knows them");
    let stem = "out/pair-compute-stream-gtx480_liang";
    let files = place.files();
    assert!(
        ["-l1.svg", "-stalls.svg", "-tbs.svg", "-walk.svg", ".json"]
            .iter()
            .all(|end| files.contains(&format!("{stem}{end}")))
    );
    assert_eq!(json(&std::fs::read_to_string(place.path().join(format!("{stem}.json"))).unwrap()), result);

    let table = place.run(&format!("{words} --threads 1")).stdout();
    assert!(table.contains("system throughput") && table.contains("smc ") && table.contains("targets "), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
}

#[test]
fn a_pool_runs_under_the_policies_that_take_more_than_two() {
    let place = place();
    let words = format!("pool compute.toml stream.toml compute.toml {FEW} --json");
    let runs = json(&place.run(&words).stdout())["runs"].as_array().unwrap().clone();
    let policies: Vec<&str> = runs.iter().map(|run| run["policy"].as_str().unwrap()).collect();
    assert_eq!(policies, ["leftover", "smart-even", "static", "dynamic", "bypass"]);
    assert!(runs.iter().all(|run| run["counts"]["streams"].as_array().unwrap().len() == 3));
}

/// What one policy needs does not reach another, and each run says what its policy has set.
#[test]
fn a_setting_reaches_the_policies_that_use_it() {
    let place = place();
    let words = "compare pair compute.toml stream.toml --gpu k20c --set streams.stagger=1000 -q --policies";
    let runs = |more: &str| json(&place.run(&format!("{words} {more} --json")).stdout())["runs"].clone();
    let policies = "plain,priority,drain,partition,quota";
    let (usual, set) = (runs(policies), runs(&format!("{policies} --set streams.drain=3 --set streams.quota=25")));
    for (place, number) in [(0, None), (1, None), (2, Some("drain")), (3, None), (4, Some("quota"))] {
        let of = |runs: &Value| (runs[place]["set"].clone(), runs[place]["counts"].clone());
        let (usual, set) = (of(&usual), of(&set));
        assert_eq!(usual == set, number.is_none(), "{}", usual.0);
        for key in ["drain", "quota"] {
            let told = |of: Value| of[format!("streams.{key}")].as_str().unwrap().parse::<u32>().unwrap();
            let both = if number != Some(key) {
                [0, 0]
            } else if key == "drain" {
                [6, 3]
            } else {
                [50, 25]
            };
            assert_eq!([told(usual.0.clone()), told(set.0.clone())], both, "{key}");
        }
    }
    let table = place.run(&format!("{words} plain,drain,quota")).stdout();
    assert!(table.contains("numbers  streams.drain = 6 of drain, streams.quota = 50 of quota"), "{table}");
    let refused = |words_more: &str, told: &str| place.run(&format!("{words} {words_more}")).refused(2, &[told]);
    refused("plain,drain --set streams.drain=0", "streams.drain = 0: policy drain needs more than 0");
    refused("quota --set streams.quota=0", "streams.quota = 0: policy quota needs more than 0");
    refused("priority --set streams.drain=3", "streams.drain = 3 has no effect");
    refused("partition --set streams.quota=30", "streams.quota = 30 has no effect");
    refused("leftover --set streams.ranks=rising", "streams.ranks = rising has no effect: what runs here has none");
    refused("plain --set streams.contexts=even", "streams.contexts = even has no effect");
    refused("leftover --set tlp.idle_only=false", "tlp.idle_only = false has no effect");
}

#[test]
fn a_sweep_tells_the_type_of_a_kernel() {
    let place = place();
    let table = place.run(&format!("sweep compute.toml {FEW}")).stdout();
    assert!(table.contains("type      ") && table.contains("leans on  arithmetic"), "{table}");
    let swept = json(&place.run(&format!("sweep stream.toml {FEW} --json")).stdout());
    assert_eq!(swept["cycles"].as_array().unwrap().len(), 6, "registers bind");
    assert_eq!(swept["pref"], "memory");
}

#[test]
fn a_sweep_is_kept_run_by_run_and_written_for_programs() {
    let place = place();
    let sweep = format!("sweep stream.toml {FEW} --json");
    let (swept, files) = (place.run(&sweep).stdout(), place.files());
    let written =
        |end: &str| std::fs::read_to_string(place.path().join(format!("out/sweep-stream-gtx480_liang.{end}")));
    assert_eq!(written("json").unwrap(), swept);
    let csv = written("csv").unwrap();
    assert!(csv.starts_with("tbs_per_sm,cycles,of_the_best,ipc_warp,l1_hit_rate,"), "{csv}");
    for (line, run) in csv.lines().skip(1).zip(json(&swept)["runs"].as_array().unwrap()) {
        assert!(line.starts_with(&format!("{},{},", run["tbs_per_sm"], run["cycles"])), "{line}: {run}");
    }
    let kept: Vec<_> = files.iter().filter(|file| file.starts_with("out/runs/")).collect();
    assert_eq!((kept.len(), csv.lines().count()), (6, 7));

    // As after a power cut: a run is not there.
    std::fs::remove_file(place.path().join(kept[2])).unwrap();
    let time = || std::fs::metadata(place.path().join(kept[0])).unwrap().modified().unwrap();
    let before = time();
    assert_eq!(place.run(&sweep).stdout(), swept);
    assert_eq!((place.files(), time()), (files, before));
}

#[test]
fn what_makes_no_sense_is_refused_with_its_name() {
    let place = place();
    place.run("compare pair BLK").refused(2, &["<KERNEL>"]);
    place.run("compare pair BLK XYZ").refused(2, &["no kernel `XYZ`"]);
    place.run("compare pair BLK STC --policies fifo").refused(2, &["fifo"]);
    place.run("compare pair BLK STC --policies static,static").refused(2, &["--policies: static is given twice"]);
    place.run("compare pair BLK STC --set tlp.op_cycles=65536").refused(2, &["tlp.op_cycles = 65536"]);
    place.run("compare pair BLK STC --set equalizer.enabled=true").refused(2, &["tlp.policy = ", "off with Equalizer"]);
    place.run("pool BLK STC").refused(2, &["<KERNEL>"]);
    place.run("pool BLK STC LBM --policies smc").refused(2, &["--policies: smc searches for two kernels"]);
    place.run("reproduce tlp --kernels lbm").refused(2, &["name two kernels or more"]);
    place.run("reproduce tlp --kernels mri-q,lbm").refused(2, &["--kernels: mri-q is not part of tlp"]);
}

#[test]
fn the_study_sets_its_source_beside_what_comes_out() {
    let place = Place::new();
    let table = place.run("reproduce tlp --kernels HST,SPM -q").stdout();
    assert!(table.lines().any(|line| line.starts_with("SPM_HST ")), "{table}");
    assert!(table.contains("throughput, + dynamic") && table.contains("1.40x"), "{table}");
    let figures = json(&std::fs::read_to_string(place.path().join("out/reproduce-tlp.json")).unwrap());
    assert_eq!(figures["pairs"].as_array().unwrap().len(), 1);
    assert!(figures["pairs"][0]["figures"]["bypass"]["speedup"].as_f64().unwrap() > 0.5);
}
