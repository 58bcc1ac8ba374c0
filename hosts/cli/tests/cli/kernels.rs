//! Kernels under policies inside the SMs: comparison, pictures, files of one's own, calibration, studies.

use crate::place::Place;
use serde_json::Value;

/// A kernel of one's own that takes no time to simulate and is short of everything in turn.
const MINE: &str = r#"
about = "a stream and a table"

[[kernel]]
name = "mine"
grid = 60
threads = 256
regs = 20

[[kernel.phase]]
iters = 12
n = 60
fp = 0.5
loads = ["st(4) x2", "own(6)"]
stores = ["st(4)"]
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn kernels_are_listed_and_those_with_a_file_print_it() {
    let place = Place::new();
    let list = place.run("kernels").stdout();
    for name in ["bp-1", "kmeans-1", "lbm", "mri-q", "spmv", "fft", "hs"] {
        assert!(list.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {list}");
    }
    let all = json(&place.run("kernels --json").stdout());
    assert_eq!(all.as_array().unwrap().len(), list.lines().skip(2).take_while(|line| !line.is_empty()).count());
    assert!(place.run("kernels lbm").stdout().contains("[[kernel]]"));
    place.run("kernels spmv").refused(2, &["spmv: an algorithm in Rust"]);
    place.run("kernels nope").refused(2, &["no kernel `nope`; known: "]);
}

#[test]
fn policies_are_set_side_by_side_with_pictures_of_what_they_do() {
    let place = Place::new();
    place.put("mine.toml", MINE);
    let result = json(&place.run("compare mine.toml --sm lrr,equalizer-perf,mascar,apogee --json").stdout());
    let runs = result["runs"].as_array().unwrap();
    let ways: Vec<&str> = runs.iter().map(|run| run["sm"].as_str().unwrap()).collect();
    assert_eq!(ways, ["lrr", "equalizer-perf", "mascar", "apogee"]);
    assert_eq!(result["kernel"]["name"], "mine");
    for run in runs {
        assert_eq!((&run["verified"], &run["checksum"]), (&true.into(), &runs[0]["checksum"]));
        assert!(run["counts"]["warps"]["waiting"].as_u64().unwrap() > 0, "warps are sampled under any policy");
    }
    assert_eq!(runs[0]["metrics"]["speedup"], 1.0);
    assert!(runs[1]["counts"]["equalizer"]["epochs"].as_u64().unwrap() > 0);
    assert!(runs[3]["metrics"]["prefetched_lines"].as_u64().unwrap() > 0);
    let stem = "out/mine-x1-gtx480_mascar";
    let pictures = ["", "-blocks", "-distance", "-stalls", "-warps"].map(|part| format!("{stem}{part}.svg"));
    let files = place.files();
    assert!(pictures.iter().all(|picture| files.contains(picture)), "{files:?}");
    let warps = std::fs::read_to_string(place.path().join(format!("{stem}-warps.svg"))).unwrap();
    assert!(warps.contains("waits for operands") && warps.contains("equalizer-perf"));
}

#[test]
fn the_u_list_takes_options() {
    let place = Place::new();
    let small = "--set fmm.level=1 --set fmm.q=20";
    let run = |options: &str| json(&place.run(&format!("run fmm {small} {options} --json")).stdout());
    let (plain, shared) = (run(""), run("--set fmm.shmem=true"));
    let shmem = |result: &Value| result["workload"]["options"]["shmem"].clone();
    assert_eq!((shmem(&plain), shmem(&shared)), (false.into(), true.into()));
    let of = |result: &Value, key: &str| result["runs"][0][key].clone();
    assert_eq!((of(&plain, "verified"), of(&plain, "checksum")), (true.into(), of(&shared, "checksum")));
    assert_eq!(plain["runs"][0]["counts"]["sm"]["shared_instructions"], 0);
    assert_ne!(shared["runs"][0]["counts"]["sm"]["shared_instructions"], 0);
    let seeded = run("--set fmm.seed=2 --scale 2");
    assert_ne!(of(&seeded, "checksum"), of(&plain, "checksum"));
    assert_eq!((&seeded["kernel"]["seed"], &seeded["kernel"]["scale"]), (&2.into(), &2.into()));
    place.run("compare fmm --set fmm.ujam=9").refused(2, &["fmm: option `ujam`: expected 1 to 4 targets"]);
    place.run("run fmm --set fmm.unroll=2").refused(2, &["--set fmm.unroll"]);
}

#[test]
fn the_table_leaves_out_what_no_policy_does() {
    let place = Place::new();
    place.put("mine.toml", MINE);
    let table = place.run("compare mine.toml --sm gto,sm-high").stdout();
    assert!(table.contains("SMs at +15 %") && table.contains("energy efficiency"), "{table}");
    assert!(!table.contains("MP mode") && !table.contains("prefetched"), "{table}");
    assert!(table.contains("of the IPC at most at the nominal clock"), "{table}");
    // Of policies that name no order of warps, where another one has.
    assert!(table.contains("warp order  lrr in sm-high, which name none"), "{table}");
    let alike = place.run("compare mine.toml --sm gto,sm-high --set sm.policy=gto").stdout();
    assert!(!alike.contains("warp order"), "{alike}");
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
}

#[test]
fn what_makes_no_sense_is_refused_with_its_name() {
    let place = Place::new();
    place.put("mine.toml", MINE);
    place.put("wrong.toml", &MINE.replace("regs = 20", "regs = 20\nwarps = 3"));
    place
        .run("compare kmean")
        .refused(2, &["no workload of this name; algorithms: bfs, ", "no kernel `kmean`; known: "]);
    place.run("compare none.toml").refused(2, &["none.toml"]);
    place.run("compare wrong.toml").refused(2, &["warps"]);
    place.run("compare mine.toml --sm fifo").refused(2, &["fifo"]);
    place.run("compare mine.toml --modes flat").refused(2, &["--mode: mine has policies inside the SMs"]);
    place.run("compare bfs --sm lrr").refused(2, &["--sm: bfs has modes"]);
    place.run("compare mine.toml --graph kron:8").refused(2, &["--graph: mine takes --scale and --loop-warps"]);
    place.run("compare bfs --scale 2").refused(2, &["--scale: bfs takes --graph and --source"]);
    place.run("compare stencil --loop-warps 4").refused(2, &["stencil: option `loop_warps`"]);
    place.run("calibrate spmv").refused(2, &["spmv: an algorithm in Rust has no n to be moved"]);
    place.run("reproduce mascar --kernels transpose").refused(2, &["--kernels: transpose is not part of mascar"]);
}

#[test]
fn a_study_sets_its_source_beside_what_comes_out() {
    let place = Place::new();
    let table = place.run("reproduce mascar --kernels histogram --scale 1 -q").stdout();
    assert!(table.lines().any(|line| line.starts_with("compute ") && line.contains("mascar")), "{table}");
    let report = "reproduce mascar --kernels histogram --scale 1 -q --set l1.mshrs=64 --report page.html";
    place.run(report).stdout();
    let page = std::fs::read_to_string(place.path().join("page.html")).unwrap();
    let run = "gpusched run histogram --gpu=gtx480_mascar --scale=1 --sm=mascar --set l1.mshrs=64";
    assert!(page.contains(run) && page.contains("generated inputs, seed"), "{page}");
    let figures = std::fs::read_to_string(place.path().join("out/reproduce-mascar.json")).unwrap();
    let figures = json(&figures);
    assert_eq!(figures["kernels"][0]["kernel"], "histogram");
    let of_compute = figures["means"].as_array().unwrap().iter().find(|mean| mean["group"] == "compute").unwrap();
    assert_eq!((&of_compute["kernels"], &of_compute["source"]), (&1.into(), &1.0.into()));
    let none = figures["means"].as_array().unwrap().iter().find(|mean| mean["group"] == "cache").unwrap();
    assert!(none["measured"].is_null());
}
