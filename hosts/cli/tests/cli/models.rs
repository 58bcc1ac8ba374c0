//! The execution-time model: from a file, from a run, and beside the reference GPU.

use crate::place::Place;
use serde_json::Value;

/// The kernel of the sheet that can be followed by hand.
const HAND: &str = "
name = 'hand'

[inputs]
insts = 100
mem_insts = 10
fp_insts = 50
total_warps = 448
active_sms = 14
n = 16
avg_inst_lat = 20
dram_lat = 400
delta = 20
freq = 1
mem_peak_bw = 89.6
size_of_data = 100
";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn near(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-6 * expected.abs().max(1.0)
}

#[test]
fn a_file_gives_the_figures_of_the_sheet() {
    let place = Place::new();
    place.put("hand.toml", HAND);
    let text = place.run("model hand.toml").stdout();
    for part in ["8,783 cycles", "bound by   memory", "MWP 16.0, CWP 16.0 of 16.0", "B_memlp", "2,783", "31.7%"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert_eq!(place.files(), ["hand.toml", "out/model-hand-benefits.svg", "out/model-hand-roofline.svg"]);
    assert!(!text.contains("above the roof"), "{text}");
    place.put("wide.toml", &HAND.replace("delta = 20", "delta = 1\navg_trans_warp = 8"));
    let text = place.run("model wide.toml").stdout();
    assert!(text.contains("above the roof") && text.contains("8.00"), "{text}");
    let all = json(&place.run("model hand.toml --json").stdout());
    assert_eq!(all["schema"], "gpusched.model/1");
    assert_eq!((&all["bound"], &all["measured_cycles"]), (&"memory".into(), &Value::Null));
    let e = &all["estimate"];
    let figures = [
        ("t_comp", 4000.0),
        ("t_mem", 8533.333333),
        ("t_overlap", 3750.0),
        ("t_exec", 8783.333333),
        ("b_itilp", 800.0),
    ];
    assert!(figures.iter().all(|&(name, value)| near(&e[name], value)), "{e}");
    // The greatest gain first.
    let gains: Vec<_> = all["benefits"].as_array().unwrap().iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(gains, ["B_memlp", "B_fp", "B_itilp", "B_serial"]);
    // 50 x 32 flops for 10 transactions of 128 bytes; 14 SMs of 32 lanes at 1 GHz.
    let roof = &all["roofline"];
    assert!(near(&roof["intensity"], 1.25) && near(&roof["peak"], 448.0) && near(&roof["attainable"], 112.0), "{roof}");
    assert_eq!(roof["bound"], "memory");
}

#[test]
fn pictures_are_svg_and_the_same_each_time() {
    let place = Place::new();
    place.put("hand.toml", HAND);
    let draw = |out: &str| {
        place.run(&format!("model hand.toml --quiet --out {out}")).stdout();
        ["roofline", "benefits"]
            .map(|what| std::fs::read_to_string(place.path().join(format!("{out}/model-hand-{what}.svg"))).unwrap())
    };
    let [roofline, benefits] = draw("one");
    assert_eq!(draw("two"), [roofline.clone(), benefits.clone()]);
    for (picture, parts) in [
        (roofline, ["hand under the roofline", "448 Gflops/s", "estimated 81.6"]),
        (benefits, ["execution time", "B_memlp: less data, all accesses overlapped", "2,783"]),
    ] {
        assert!(picture.starts_with("<svg"));
        assert!(parts.iter().all(|part| picture.contains(part)), "{picture}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_told() {
    let place = Place::new();
    let with = |from: &str, to: &str| place.put("bad.toml", &HAND.replace(from, to));
    with("n = 16", "n = 0.5");
    place.run("model bad.toml").refused(1, &["bad.toml", "n: an input is out of its range"]);
    with("freq = 1\n", "");
    place.run("model bad.toml").refused(1, &["freq: an input must not be 0"]);
    with("delta", "dleta");
    place.run("model bad.toml").refused(1, &["bad.toml", "dleta"]);
    with("[inputs]", "[input]");
    place.run("model bad.toml").refused(1, &["bad.toml"]);
    place.run("model none.toml").refused(1, &["none.toml: cannot be read"]);
    place.run("model").refused(2, &["KERNEL.toml"]);
    place.run("model bad.toml --from-run lbm").refused(2, &["--from-run"]);
    place.run("model bad.toml --trace t").refused(2, &["--trace"]);
    place.run("model --from-run lbm --trace t").refused(2, &["--trace runs instead of a workload"]);
    for (option, given) in [
        ("--gpu", "--gpu v100"),
        ("--set", "--set sm.count=3"),
        ("--graph", "--graph kron:8"),
        ("--scale", "--scale 2"),
    ] {
        place.run(&format!("model bad.toml {given}")).refused(2, &[&format!("{option} needs --from-run")]);
    }
    assert_eq!(place.files(), ["bad.toml"]);
}

#[test]
fn a_run_fills_the_inputs_and_they_can_be_kept() {
    let place = Place::new();
    let all = json(&place.run("model --from-run bfs --graph kron:8 --quiet --json").stdout());
    let (inputs, measured) = (&all["inputs"], all["measured_cycles"].as_u64().unwrap());
    assert!(measured > 0 && inputs["total_warps"].as_f64().unwrap() >= 8.0, "{inputs}");
    assert!(inputs["mem_insts"].as_f64().unwrap() > 0.0 && inputs["size_of_data"].as_f64().unwrap() > 0.0);
    let error = all["estimate"]["t_exec"].as_f64().unwrap() / measured as f64 - 1.0;
    assert!(near(&all["error"], error));
    // The file gives the same estimate again.
    let file = place.run("model --from-run bfs --graph kron:8 --quiet --toml").stdout();
    place.put("bfs.toml", &file);
    let again = json(&place.run("model bfs.toml --quiet --json").stdout());
    assert_eq!((&again["estimate"], &again["inputs"]), (&all["estimate"], inputs));
}

#[test]
fn the_u_list_runs_with_all_sets_of_options() {
    let place = Place::new();
    let small = "--set fmm.level=1 --set fmm.q=20";
    let text = place.run(&format!("reproduce fmm {small} --quiet")).stdout();
    assert!(
        text.lines().any(|line| line.starts_with("baseline ")) && text.contains("from 422 points on as printed, 16"),
        "{text}"
    );
    let all = json(&std::fs::read_to_string(place.path().join("out/reproduce-fmm.json")).unwrap());
    let variants = all["variants"].as_array().unwrap();
    assert_eq!((variants.len(), &all["gpu"]), (64, &"c1060".into()));
    let by = |key: &str| {
        let most = variants.iter().max_by(|a, b| a[key].as_f64().unwrap().total_cmp(&b[key].as_f64().unwrap()));
        most.unwrap()["name"].clone()
    };
    assert_eq!((by("measured_gflops"), by("estimated_gflops")), (all["best"].clone(), all["best_estimated"].clone()));
    assert_eq!((&all["ulist"]["neighbours"], &variants[9]["name"]), (&27.into(), &"vecpack+ujam".into()));
    // 64 x 400 interactions of 11 operations.
    let Value::Object(baseline) = &variants[0] else { panic!("{}", variants[0]) };
    let nanoseconds = baseline["measured_cycles"].as_f64().unwrap() / 1.296;
    assert!(near(&baseline["measured_gflops"], 64.0 * 400.0 * 11.0 / nanoseconds));
    assert_eq!(baseline["inputs"]["sync_insts"], 0.0);
    // One run alone is the same.
    let alone = place.run(&format!("model --from-run fmm --gpu c1060 {small} --set fmm.shmem=true --quiet --json"));
    let alone = json(&alone.stdout());
    assert_eq!(
        (&alone["inputs"], &alone["measured_cycles"]),
        (&variants[4]["inputs"], &variants[4]["measured_cycles"])
    );
    place.run("reproduce fmm --kernels lbm").refused(2, &["--kernels: lbm is not part of fmm"]);
}

#[test]
fn the_models_error_is_told_for_each_workload_with_what_explains_it() {
    let place = Place::new();
    let text = place.run("reproduce models --kernels transpose,stencil,histogram --quiet").stdout();
    assert!(
        ["transpose", "stencil", "histogram"].iter().all(|name| text.contains(name)) && text.contains("Spearman"),
        "{text}"
    );
    let all = json(&std::fs::read_to_string(place.path().join("out/reproduce-models.json")).unwrap());
    let kernels = all["kernels"].as_array().unwrap();
    let mut errors: Vec<f64> = kernels.iter().map(|of| of["error"].as_f64().unwrap().abs()).collect();
    errors.sort_by(f64::total_cmp);
    assert_eq!(errors.len(), 3);
    assert!(near(&all["median_error"], errors[1]) && near(&all["groups"][0]["median_error"], errors[1]));
    assert!(near(&all["worst_error"], errors[2]) || near(&all["worst_error"], -errors[2]));
    // A kernel without barriers is estimated as if there were no term for them; transpose has one.
    let of = |name: &str| kernels.iter().find(|of| of["kernel"] == name).unwrap();
    assert_eq!(of("stencil")["error"], of("stencil")["otherwise"][0]);
    assert!(of("transpose")["error"].as_f64() > of("transpose")["otherwise"][0].as_f64());
    assert_eq!((all["groups"][1]["workloads"].clone(), all["causes"].as_array().unwrap().len()), (2.into(), 5));
    assert!(all["missed"].as_array().unwrap().len() > 3);
    place.run("reproduce models --kernels nope").refused(2, &["--kernels: no workload of this name"]);
}
