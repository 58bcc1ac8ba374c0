//! What each command gives when all is well.

use crate::place::{Place, json};
use serde_json::Value;

#[test]
fn compare_prints_a_table_and_writes_a_plot_and_the_result() {
    let place = Place::new();
    let text = place.run("compare bfs --graph kron:8").stdout();
    let header = text.lines().next().unwrap();
    assert_eq!(header.split_whitespace().collect::<Vec<_>>(), ["bfs", "flat", "cdp", "cdpi", "dtbl", "dtbli"]);
    let row = |label: &str| text.lines().find(|line| line.starts_with(label)).unwrap().to_owned();
    assert!(row("speedup over flat").contains("1.00x"));
    assert_eq!(row("AGT hit rate").split_whitespace().nth(3), Some("-"), "no groups in mode flat");
    assert!(text.contains("every level verified"), "{text}");
    assert!(text.contains("Graph500 Kronecker graph") && text.contains("Tesla K20c"));
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    let files = ["out/bfs-kron-8-16-seed-2-3-k20c.json", "out/bfs-kron-8-16-seed-2-3-k20c.svg"];
    assert_eq!(place.files(), files);
    assert!(files.iter().all(|file| text.contains(&format!("written: {file}"))), "{text}");
}

#[test]
fn a_machine_may_have_up_to_256_sms() {
    let place = Place::new();
    let run = |sms: u32| place.run(&format!("run bfs --graph cit:4096 --set sm.count={sms} --json --quiet"));
    for sms in [132, 256] {
        let result = json(&run(sms).stdout());
        let smxs = result["runs"][0]["counts"]["smxs"].as_array().unwrap().len();
        assert_eq!(smxs, sms as usize);
    }
    run(257).refused(2, &["--set sm.count = 257: expected an integer from 1 to 256"]);
}

#[test]
fn no_command_is_compare() {
    let place = Place::new();
    let words = "--graph cit:2048 --modes flat,dtbl --json --quiet";
    assert_eq!(place.run(words).stdout(), place.run(&format!("compare bfs {words}")).stdout());
}

#[test]
fn results_do_not_depend_on_threads_or_on_the_run() {
    let place = Place::new();
    let result = |threads: u32| place.run(&format!("--graph kron:8 --json --threads {threads}")).stdout();
    let file = || std::fs::read(place.path().join("out/bfs-kron-8-16-seed-2-3-k20c.svg")).unwrap();
    let (one, plot) = (result(1), file());
    assert_eq!(result(2), one);
    assert_eq!(result(2), one);
    assert_eq!(file(), plot);
    let written = std::fs::read_to_string(place.path().join("out/bfs-kron-8-16-seed-2-3-k20c.json")).unwrap();
    assert_eq!(written, one);
}

#[test]
fn json_names_its_schema_and_agrees_with_the_counts() {
    let place = Place::new();
    let result = json(&place.run("compare --graph cit:2048 --modes dtbl,flat --json -q").stdout());
    assert_eq!(result["schema"], "gpusched.result/1");
    assert_eq!(result["graph"]["vertices"], 2048);
    assert_eq!(result["gpu"]["parameters"]["dtbl.agt_size"], 1024);
    let [dtbl, flat] = [&result["runs"][0], &result["runs"][1]];
    assert_eq!((&dtbl["mode"], &flat["mode"]), (&"dtbl".into(), &"flat".into()));
    assert_eq!(dtbl["checksum"], flat["checksum"]);
    assert_eq!(flat["metrics"]["agt_hit_rate"], Value::Null);
    let cycles = |run: &Value| run["metrics"]["cycles"].as_f64().unwrap();
    assert_eq!(dtbl["metrics"]["speedup_over_flat"].as_f64().unwrap(), cycles(flat) / cycles(dtbl));
    assert_eq!(dtbl["metrics"]["launches"], dtbl["counts"]["sm"]["launches"]);
    // The timeline covers the run: its warp cycles are those that the SMs counted.
    let sum = |key: &str| {
        let samples = dtbl["timeline"][key].as_array().unwrap();
        samples.iter().map(|n| n.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(sum("warp_cycles"), dtbl["counts"]["sm"]["warp_cycles"].as_u64().unwrap());
    assert_eq!(sum("pending_cycles"), dtbl["counts"]["pending"]["cycles"].as_u64().unwrap());
}

#[test]
fn run_is_one_column_of_compare() {
    let place = Place::new();
    let one = json(&place.run("run bfs --mode cdp --graph cit:2048 --json").stdout());
    let all = json(&place.run("compare bfs --modes flat,cdp --graph cit:2048 --json").stdout());
    assert_eq!(one["runs"][0]["counts"], all["runs"][1]["counts"]);
    assert_eq!(one["runs"].as_array().unwrap().len(), 1);
    assert!(place.files().contains(&"out/bfs-cit-2048-seed-1-k20c-cdp.svg".to_owned()), "{:?}", place.files());
}

#[test]
fn options_and_parameters_change_what_they_name() {
    let place = Place::new();
    let run = |words: &str| json(&place.run(&format!("run --graph cit:2048 --json {words}")).stdout());
    let (plain, fewer) = (run(""), run("--set bfs.min_child=64 --set dtbl.agt_size=512"));
    assert!(fewer["runs"][0]["metrics"]["launches"].as_u64() < plain["runs"][0]["metrics"]["launches"].as_u64());
    assert_eq!(fewer["workload"]["options"]["min_child"], 64);
    assert_eq!(fewer["gpu"]["set"], json(r#"["dtbl.agt_size", "bfs.min_child"]"#));
}

#[test]
fn source_moves_the_start() {
    let place = Place::new();
    let result = json(&place.run("run --graph cit:2048 --source 2000 --json").stdout());
    let info = json(&place.run("graph info cit:2048 --source 2000 --json").stdout());
    assert_eq!(result["workload"]["source"], 2000);
    assert_eq!(result["runs"][0]["checksum"], info["search"]["checksum"]);
}

/// workloads-IN2.
#[test]
fn graph_info_gives_the_golden_values() {
    let place = Place::new();
    let text = place.run("graph info kron:10").stdout();
    for part in ["10,551", "0 to 464, mean 20.61", "17.19% of the vertices, 70.93% of the arcs", "11.86%", "684"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let info = json(&place.run("graph info kron:10 --json").stdout());
    assert_eq!((&info["schema"], &info["search"]["levels"]), (&"gpusched.graph/1".into(), &4.into()));
}

#[test]
fn a_file_of_the_users_runs() {
    let place = Place::new();
    place.put("path.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n");
    let text = place.run("run --mode flat --graph path.mtx").stdout();
    assert!(text.contains("path.mtx: 4 vertices, 3 edges, undirected"), "{text}");
    assert!(place.files().contains(&"out/bfs-path.mtx-k20c-flat.svg".to_owned()));
}

#[test]
fn config_show_labels_every_value_and_marks_what_is_set() {
    let place = Place::new();
    let text = place.run("config show --set dtbl.agt_size=512 --set l1.ways=4").stdout();
    let row = |key: &str| text.lines().find(|line| line.starts_with(&format!("{key} "))).unwrap().to_owned();
    assert!(row("dtbl.agt_size").contains(" set ") && row("dtbl.agt_size").contains("preset: 1024"), "{text}");
    assert!(!row("l1.ways").contains(" set "), "set to what it was: {text}");
    assert_eq!(text.lines().filter(|line| line.contains(" set  ")).count(), 1, "{text}");
    assert!(row("sm.count").contains("Table 4"));
    assert!(row("bfs.min_child").contains("32"));
}

#[test]
fn config_show_gives_json_and_a_file_that_gpu_takes() {
    let place = Place::new();
    let shown = json(&place.run("config show --gpu gtx480 --set sm.policy=lrr --json").stdout());
    assert_eq!(shown["schema"], "gpusched.config/1");
    let file = place.run("config show --gpu gtx480 --set sm.policy=lrr --toml").stdout();
    place.put("mine.toml", &file);
    let again = json(&place.run("config show --gpu mine.toml --json").stdout());
    assert_eq!(again, shown);
}

/// The version names the commit that the program was built from, where there is one.
#[test]
fn the_version_says_which_commit() {
    let version = Place::new().run("--version").stdout();
    let said = version.trim().strip_prefix("gpusched 0.1.0").expect("name and version");
    let commit = said.strip_prefix(" (").and_then(|said| said.strip_suffix(')'));
    let is_commit = |text: &str| text.len() >= 12 && text.chars().all(|c| c.is_ascii_hexdigit());
    assert!(said.is_empty() || commit.is_some_and(is_commit), "{version}");
}

#[test]
fn every_help_text_has_examples() {
    let place = Place::new();
    let help = place.run("--help").stdout();
    assert!(help.contains("Examples:") && help.contains("130 interrupted"), "{help}");
    for command in
        ["compare", "run", "demo laperm", "demo wavefront", "footprint", "graph info", "graph check", "config show"]
    {
        assert!(place.run(&format!("{command} --help")).stdout().contains("Examples:"));
    }
}

/// What was set is what ran: in the modes without launch latency it is not, and that is told.
#[test]
fn what_is_set_has_an_effect_or_is_refused() {
    let place = Place::new();
    place.put("mine.toml", "[dtbl]\nkmu_interval = 1000\n");
    let says = "dtbl.kmu_interval = 1000 has no effect: what runs here has 1";
    place.run("run --graph kron:6 --mode dtbli --set dtbl.kmu_interval=1000").refused(2, &[says]);
    let mine = place.run("run --graph kron:6 --mode cdpi --gpu mine.toml").stdout();
    assert!(mine.contains("dtbl.kmu_interval = 1000 (1 in cdpi)"), "{mine}");
    let words = "compare --graph kron:6 --modes dtbl,dtbli --set dtbl.kmu_interval=1000";
    let text = place.run(words).stdout();
    assert!(text.contains("set: dtbl.kmu_interval = 1000 (1 in dtbli)"), "{text}");
    let result = json(&place.run(&format!("{words} --json")).stdout());
    assert_eq!(result["runs"][0]["set"], json("{}"));
    assert_eq!(result["runs"][1]["set"]["dtbl.kmu_interval"], 1);
    assert_eq!(result["runs"][1]["set"]["dtbl.lat_dispatch"], 0);
    for (words, says) in [
        ("run transpose --set fmm.level=3", "--set fmm.level: no option of transpose"),
        ("run bfs --set sssp.min_child=3", "--set sssp.min_child: no option of bfs"),
        ("compare join --set wave.bound=3", "--set wave.bound: no option of join"),
        ("calibrate lbm --set fmm.level=3", "--set fmm.level: nothing that takes it runs here"),
        ("run --set laperm.cluster=2 --graph kron:6", "laperm.cluster = 2 has no effect: dtbl.policy is not laperm"),
        ("run spmv --set mascar.rexq=16", "mascar.rexq = 16 has no effect: sm.policy is not mascar"),
        ("run kmeans --sm gto --set sm.policy=lrr", "sm.policy = lrr has no effect: what runs here has gto"),
        ("run --set dats.lna=99 --graph kron:6", "dats.lna = 99 has no effect: no kernel has a dependency graph"),
        ("reproduce mascar --set laperm.cluster=2", "laperm.cluster = 2 has no effect: dtbl.policy is not laperm"),
        ("reproduce models --set sm.policy=gto", "sm.policy: reproduce models sets it itself"),
        ("reproduce models --kernels lbm --set bfs.min_child=3", "--set bfs.min_child: no option of lbm"),
        ("reproduce models --kernels lbm,cutcp --set bfs.min_child=3", "nothing that takes it runs here"),
        ("reproduce models --kernels bfs --scale 2", "--scale has no effect: the work of an algorithm is its input's"),
        ("reproduce fmm --scale 2 --set fmm.cubes=3", "--scale and --set fmm.cubes set the same"),
        ("reproduce fmm --set mascar.rexq=16", "mascar.rexq = 16 has no effect: sm.policy is not mascar"),
        ("sweep lbm --set sm.block_cap=2", "sm.block_cap: sweep sets it itself"),
        ("sweep lbm --set tlp.policy=smc", "tlp.policy: sweep sets it itself"),
        ("sweep lbm --set apogee.entries=8", "apogee.entries = 8 has no effect: apogee.enabled is false"),
        ("calibrate lbm --set dats.lna=99", "dats.lna = 99 has no effect: no kernel has a dependency graph"),
        (
            "graph check barrier:2x2 --set l1.ways=8",
            "--set l1.ways has no effect: graph check runs the front end alone",
        ),
        ("graph check barrier:2x2 --set bfs.min_child=8", "--set bfs.min_child: nothing that takes it runs here"),
        (
            "graph check barrier:2x2 --set dtbl.lat_dispatch=9",
            "dtbl.lat_dispatch = 9 has no effect: what runs here has 0",
        ),
        (
            "run --graph kron:6 --mode flat --set dtbl.agt_size=512",
            "dtbl.agt_size = 512 has no effect: no kernel launches groups",
        ),
        (
            "run --graph kron:6 --mode cdp --set dtbl.load_ahead=2",
            "dtbl.load_ahead = 2 has no effect: no kernel launches groups",
        ),
        ("run kmeans --set dtbl.agt_size=512", "dtbl.agt_size = 512 has no effect: no kernel launches groups"),
        ("run heat2d --tiles 4 --set run.full_pool=wait", "run.full_pool = wait has no effect: no kernel launches"),
        (
            "compare pair LBM BKP --policies leftover --set tlp.his_shift=3",
            "tlp.his_shift = 3 has no effect: tlp.policy is not tlp",
        ),
        (
            "compare pair LBM BKP --policies dynamic --set tlp.smart=false",
            "tlp.smart = false has no effect: tlp.policy is not smart_even",
        ),
        ("sweep lbm --set tlp.his_shift=3", "tlp.his_shift = 3 has no effect: tlp.policy is off"),
        (
            "run --graph kron:6 --mode flat --set bfs.min_child=16",
            "--set bfs.min_child has no effect: no mode that launches runs",
        ),
        (
            "run --graph kron:6 --mode dtbl --set bfs.flat=merrill",
            "--set bfs.flat has no effect: mode flat does not run",
        ),
        (
            "model --from-run bfs --graph kron:6 --set bfs.cover=all",
            "--set bfs.cover has no effect: no mode that launches runs",
        ),
        ("run heat2d --version lrr --tiles 4 --bound 2", "--bound has no effect: version lvl does not run"),
        (
            "run heat2d --version lvl --tiles 4 --barrier relay",
            "--barrier has no effect: version deplinks does not run",
        ),
        ("run --graph kron:6 --set l1.enabled=false --set l1.ways=2", "l1.ways = 2 has no effect: l1.enabled is false"),
        ("run fmm --gpu c1060 --set dram.latency=50", "dram.latency = 50 has no effect: flat.enabled is true"),
        (
            "run --graph kron:6 --set bubble.f_low_mhz=50",
            "bubble.f_low_mhz = 50 has no effect: bubble.enabled is false",
        ),
        ("run --graph kron:6 --power bubble --set bubble.enabled=false", "--power bubble and --set bubble.enabled set"),
        ("run --graph kron:6 --undirected", "--undirected has no effect: kron:6,16,seed=2:3 is undirected"),
        ("footprint --set l1.ways=8", "--set l1.ways: footprint runs no machine"),
        ("run --set l1.ways=4 --set sm.count=2 --set l1.ways=4", "--set l1.ways is given twice"),
        ("run heat2d --bound 3 --set wave.bound=4", "--bound and --set wave.bound set the same"),
        ("config show --set dats.pub=4 --set dats.pub_entries=8", "set the same"),
    ] {
        place.run(words).refused(2, &[says]);
    }
    place.put("twice.toml", "[l1]\nways = 4\nways = 8\n");
    place.run("config show --gpu twice.toml").refused(2, &["twice.toml", "line 3"]);
    place.put("empty.toml", "# nothing\n");
    place.run("config show --gpu empty.toml").refused(2, &["empty.toml", "the file is empty", "base = \"k20c\""]);
    place.put("names.toml", "[dats]\npub = 4\npub_entries = 8\n");
    place.run("config show --gpu names.toml").refused(2, &["names.toml", "dats.pub_entries"]);
    place.put("option.toml", "[bfs]\nmin_child = 4\n");
    place.run("run --gpu option.toml").refused(
        2,
        &["option.toml", "bfs.min_child: no such parameter; it is an option of workloads, which --set sets"],
    );
}

/// What one part of the machine decides for another is printed and stored as it takes effect, and cannot be set otherwise.
#[test]
fn what_another_part_decides_is_told_as_it_takes_effect() {
    let place = Place::new();
    let parameter = |words: &str, key: &str| {
        let shown = json(&place.run(&format!("config show --json {words}")).stdout());
        shown["parameters"].as_array().unwrap().iter().find(|of| of["key"] == key).unwrap().clone()
    };
    assert_eq!(parameter("", "dtbl.load_mode")["value"], "external");
    let mode = parameter("--set dtbl.policy=laperm", "dtbl.load_mode");
    assert_eq!((&mode["value"], &mode["provenance"]), (&"fixed".into(), &"inferred".into()));
    assert!(mode["origin"].as_str().unwrap().contains("laperm.refill_mode"), "{mode}");
    assert_eq!(parameter("--gpu gtx480_equalizer --set equalizer.enabled=true", "dtbl.exclusive")["value"], true);
    let text = place.run("config show --set dtbl.policy=laperm").stdout();
    assert!(text.lines().any(|line| line.starts_with("dtbl.load_mode") && line.contains(" fixed ")), "{text}");
    // A file says what was set, so that the rest follows again.
    place.put("laperm.toml", &place.run("config show --set dtbl.policy=laperm --toml").stdout());
    assert_eq!(parameter("--gpu laperm.toml", "dtbl.load_mode")["value"], "fixed");
    assert_eq!(parameter("--gpu laperm.toml --set dtbl.policy=fcfs_rr", "dtbl.load_mode")["value"], "external");

    let words = "compare --graph kron:6 --modes dtbl --sched fcfs,rr --json -q";
    let result = json(&place.run(words).stdout());
    assert_eq!(result["gpu"]["parameters"]["dtbl.load_mode"], "external");
    let modes = [0, 1].map(|run| result["runs"][run]["set"]["dtbl.load_mode"].clone());
    assert_eq!(modes, [Value::Null, "fixed".into()]);
    let words = "run --graph kron:6 --mode dtbl --set dtbl.policy=laperm";
    let result = json(&place.run(&format!("{words} --json -q")).stdout());
    assert_eq!(result["gpu"]["parameters"]["dtbl.load_mode"], "fixed");
    let text = place.run(words).stdout();
    assert!(text.contains("dtbl.load_mode = fixed"), "{text}");
    for (words, says) in [
        (
            "run --graph kron:6 --set dtbl.policy=laperm --set dtbl.load_mode=external",
            "dtbl.load_mode = external: expected fixed",
        ),
        (
            "config show --set dtbl.policy=laperm --set dtbl.load_mode=external",
            "dtbl.load_mode = external: expected fixed",
        ),
        ("run kmeans --sm equalizer-perf --set dtbl.exclusive=false", "dtbl.exclusive = false: expected true"),
    ] {
        place.run(words).refused(2, &[says]);
    }
}

/// Every command that runs a machine says what of it was set, to people and to programs.
#[test]
fn every_command_tells_what_was_set() {
    let place = Place::new();
    let told = "set: l1.ways = 8";
    for words in [
        "sweep transpose",
        "model --from-run transpose",
        "reproduce models --kernels transpose",
        "reproduce mascar --kernels histogram --scale 1",
    ] {
        let text =
            place.run(&format!("{words} --set l1.ways=8 -q")).stdout().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(told), "{words}: {text}");
    }
    for words in ["sweep transpose", "reproduce models --kernels transpose"] {
        let result = json(&place.run(&format!("{words} --set l1.ways=8 -q --json")).stdout());
        assert_eq!(result["set"]["l1.ways"], "8", "{words}");
    }
}

/// They need streams side by side: alone nobody shares.
#[test]
fn a_policy_of_sharing_is_refused_where_one_stream_runs() {
    let place = Place::new();
    for policy in ["smc", "smart_even", "leftover", "tlp"] {
        place.put("mine.toml", &format!("[tlp]\npolicy = \"{policy}\"\n"));
        for words in
            [format!("run --graph kron:6 --set tlp.policy={policy}"), "compare --graph kron:6 --gpu mine.toml".into()]
        {
            place.run(&words).refused(2, &[&format!("tlp.policy = {policy}: expected off"), "one stream"]);
        }
    }
}

#[test]
fn shells_and_manuals_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let text = place.run(&format!("completions {shell}")).stdout();
        assert!(text.contains("replay-log") && text.contains("export-trace"), "{shell}");
    }
    place.run("man --out pages").stdout();
    let files = place.files();
    assert!(
        ["gpusched", "gpusched-run", "gpusched-study-run"]
            .iter()
            .all(|page| files.contains(&format!("pages/{page}.1"))),
        "{files:?}"
    );
    let page = std::fs::read_to_string(place.path().join("pages/gpusched-run.1")).unwrap();
    assert!(page.contains("export\\-trace"), "{page}");
    place.run("completions tcsh").refused(2, &["invalid value 'tcsh'"]);
}
