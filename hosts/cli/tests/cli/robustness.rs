//! What happens when something is wrong: a clear error, a status, nothing half done.

use crate::place::{Ended, Place};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_reader_that_leaves_is_no_error() {
    let place = Place::new();
    // More than a pipe holds.
    let mut child = place
        .command("compare --graph cit:2048 --json --quiet")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!((line.as_str(), ended.status, ended.stderr.as_str()), ("{\n", Some(0), ""));
}

#[test]
fn a_folder_that_takes_no_files_is_told_before_anything_else() {
    let place = Place::new();
    place.put("file", "");
    // The graph is not there either, but it would have come second.
    place.run("--out file/results --graph missing.mtx").refused(1, &["cannot write to folder file/results"]);
}

/// Whether the program has come so far that it listens for SIGTERM.
#[cfg(target_os = "linux")]
fn listens(child: &Child) -> bool {
    const SIGTERM: u64 = 1 << 14;
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & SIGTERM != 0
}

/// All at once, each with more to do than anyone would wait for: simulations, graphs, and pipes into which nobody writes.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_and_sigterm_end_every_command_and_leave_nothing() {
    let patience = Instant::now() + Duration::from_secs(120);
    let wait = || {
        assert!(Instant::now() < patience);
        std::thread::sleep(Duration::from_millis(5));
    };
    let commands = [
        "compare --graph cit:262144 --out results",
        "compare pair BLK STC --scale 100 --out results",
        "timeline lbm --scale 100 --out results --perfetto t.json --vcd t.vcd",
        "pool BLK STC LBM --scale 100 --out results",
        "sweep STC --scale 100",
        "reproduce tlp --scale 100 --out results",
        "reproduce apogee --scale 100 --out results",
        "reproduce fmm --scale 100 --out results",
        "model --from-run bfs --graph cit:262144",
        "footprint bfs --graph cit:262144",
        "calibrate lbm --scale 100",
        "graph info kron:22",
        "graph info -",
        "run sssp --graph - --out results",
        "run join --keys -,./none --out results",
        "graph check -",
        "replay-log -",
        "config show --gpu -",
    ];
    let pairs = commands.into_iter().flat_map(|words| [(words, "-INT"), (words, "-TERM")]);
    let mut running: Vec<_> = pairs
        .map(|(words, signal)| {
            let place = Place::new();
            let mut command =
                place.command(&format!("{words}{}", if words.contains("show") { "" } else { " --quiet" }));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            (words, signal, place, child.stdin.take(), child)
        })
        .collect();
    for (words, signal, _, _, child) in &mut running {
        while !listens(child) {
            assert!(child.try_wait().unwrap().is_none(), "{words}");
            wait();
        }
        if words.contains("compare --graph") {
            std::thread::sleep(Duration::from_millis(300)); // until it simulates
        }
        assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
    }
    while running.iter_mut().any(|(.., child)| child.try_wait().unwrap().is_none()) {
        wait();
    }
    for (words, signal, place, _input, child) in running {
        let ended = Ended::of(child.wait_with_output().unwrap());
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(130), ""), "{words} {signal}: {ended:?}");
        assert!(ended.stderr.ends_with("interrupted\n"), "{words} {signal}: {ended:?}");
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0, "{words} {signal}");
    }
}

#[test]
fn a_graph_that_is_too_large_is_told_before_it_is_built() {
    let place = Place::new();
    let says = "a graph of 268435456 vertices and 1073741824 edges takes about 19.0 GiB of memory to build; the limit is 1.0 GiB";
    place.run("graph info kron:28,4 --memory 1G").refused(1, &["kron:28,4,seed=2:3: ", says, "--memory"]);
    place.run("--graph kron:28,4 --memory 1G --out results").refused(1, &[says]);
    place.run("graph info kron:30").refused(2, &["kron:30", "1..=28"]);
    let keys = "uni:60000,60000,64,seed=1: 56246780 pairs of 120000 keys take about 649 MiB of memory";
    place.run("run join --keys uni:60000,60000,64 --memory 100M").refused(1, &[keys, "100 MiB", "--memory"]);
    place
        .run("run join --keys uni:1000000000,1000000000 --memory 1G")
        .refused(1, &["2000000000 keys take about 29.8 GiB"]);
    place.put("big.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n9 9 1000000000\n2 1\n");
    place
        .run("graph info big.mtx --memory 2G")
        .refused(1, &["big.mtx: ", "takes about 14.9 GiB", "the limit is 2.0 GiB"]);
    // A list promises nothing; packed, this one is 500 times smaller.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    (0..3_000_000).for_each(|_| packed.write_all(b"0 1\n").unwrap());
    std::fs::write(place.path().join("list.txt.gz"), packed.finish().unwrap()).unwrap();
    place.run("graph info list.txt.gz --memory 20M").refused(1, &["list.txt.gz: ", "the limit is 20 MiB"]);
    place.run("graph info list.txt.gz --memory 60M").stdout();
    for wrong in ["0", "1.5G", "x"] {
        place.run(&format!("graph info --memory {wrong}")).refused(2, &["512M"]);
    }
    assert!(!place.path().join("results").exists());
}

/// The same for a process that may have so many KiB of addresses.
#[cfg(unix)]
fn within(kibibytes: u64, words: &str) -> Ended {
    let place = Place::new();
    let mut command = Command::new("sh");
    let limited = format!("ulimit -v {kibibytes}; exec \"$0\" {words}");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_gpusched")]);
    Ended::of(command.current_dir(place.path()).output().unwrap())
}

/// The system's own limit counts without being told.
#[cfg(unix)]
#[test]
fn what_is_over_the_limit_of_the_process_is_told() {
    let ended = within(2_000_000, "graph info kron:24");
    ended.refused(1, &["takes about 4.2 GiB", "the limit is 1.7 GiB"]);
    let cells = "heat2d: matrices of 46340x46340 cells";
    let ended = within(2_000_000, "run heat2d --set wave.width=46340 --set wave.height=46340");
    ended.refused(1, &[cells, "take about 24.0 GiB of memory", "which is what is free"]);
    let ended = within(
        2_000_000,
        "compare heat2d --versions lrr,lvl --threads 2 --set wave.width=11000 --set wave.height=11000",
    );
    ended.refused(1, &["11000x11000 cells in 2 runs at the same time (--threads) take about 2.7 GiB"]);
    let place = Place::new();
    place
        .run("run hist --set wave.width=2147483648 --set wave.height=2147483648 --tiles 4096")
        .refused(1, &["of memory; the limit is"]);
    within(1_000_000, "run spmv --scale 1000").refused(1, &["spmv: ", "a graph of 32768000 vertices", "the limit is"]);
}

#[test]
fn a_full_launch_pool_is_told_with_what_to_set_and_may_be_waited_for() {
    let place = Place::new();
    let words = "run --graph kron:8 --mode cdp --quiet --set dtbl.pend_limit=32";
    let told = ["the launch pool is full", "of 32 launch records (dtbl.pend_limit)", "or run.full_pool = wait"];
    place.run(words).refused(1, &told);
    place.run(&format!("{words} --set run.full_pool=wait")).stdout();
}

#[test]
fn a_truncated_matrix_is_told_with_its_line() {
    let place = Place::new();
    place.put("cut.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3");
    place.run("--graph cut.mtx").refused(1, &["cut.mtx:4: expected"]);
    assert_eq!(place.files(), ["cut.mtx"]);
}

#[test]
fn an_empty_file_and_a_missing_one_are_told() {
    let place = Place::new();
    place.put("empty.graph", "");
    place.put("empty", "");
    place.run("--graph empty.graph").refused(1, &["empty.graph:1: expected"]);
    place.run("--graph ./empty").refused(1, &["./empty: cannot tell the format"]);
    place.run("graph info none.mtx").refused(1, &["none.mtx: No such file"]);
    place.run("graph info .").refused(1, &[]);
}

#[test]
fn a_graph_that_is_no_name_is_told_the_choices() {
    let place = Place::new();
    place.run("--graph citeseer").refused(2, &["citeseer", "wordnet", "kron:LG"]);
    place.run("--graph kron:99").refused(2, &["kron:99"]);
    place.run("--graph kron:8 --source 256").refused(2, &["--source 256", "0 to 255"]);
}

#[test]
fn unknown_parameters_and_presets_are_told() {
    let place = Place::new();
    place.put("mine.toml", "[l1]\nmshr = 64\n");
    place.put("broken.toml", "[l1\n");
    place.run("--gpu mine.toml").refused(2, &["mine.toml", "l1.mshr"]);
    place.run("--gpu broken.toml").refused(2, &["broken.toml", "line 1"]);
    place.run("--gpu none.toml").refused(2, &["none.toml", "No such file"]);
    place.run("--gpu k40").refused(2, &["k40", "k20c", "gtx480"]);
    place.run("config show --set l1.mshr=64").refused(2, &["l1.mshr"]);
}

#[test]
fn values_out_of_range_are_told_what_is_allowed() {
    let place = Place::new();
    place.run("--set dtbl.agt_size=1000").refused(2, &["dtbl.agt_size = 1000", "power of two"]);
    place.run("--set bfs.cover=some").refused(2, &["bfs.cover = some", "floor", "all"]);
    place.run("--graph kron:8 --set bfs.min_child=0").refused(2, &["min_child", "1 or more"]);
    place.run("--set dtbl.agt_size").refused(2, &["KEY=VALUE"]);
    place.run("--modes flat,fast").refused(2, &["fast", "cdpi"]);
    place.run("--modes flat,flat").refused(2, &["flat", "twice"]);
}

#[test]
fn a_machine_too_small_for_the_workload_fails_with_the_reason() {
    let place = Place::new();
    let ended = place.run("--graph kron:8 --set sm.threads=128 --modes dtbl");
    ended.refused(1, &["mode dtbl", "TB"]);
    assert!(place.files().is_empty());
}

#[test]
fn a_mistyped_word_gets_the_one_that_was_meant() {
    let place = Place::new();
    place.put("mine.toml", "[l1]\nmshr = 64\n");
    place.put("base.toml", "base = \"gtx48\"\n");
    for (words, meant) in [
        ("run --mode dtb", "`dtbl`"),
        ("compare heat2d --versions glbal", "`global`"),
        ("run bsf", "`bfs`"),
        ("run kmeens", "`kmeans`"),
        ("--graph wordnt", "`wordnet`"),
        ("--graph kronn:8", "`kron:`"),
        ("--gpu k20", "`k20c`"),
        ("--gpu base.toml", "`gtx480`"),
        ("--gpu mine.toml", "`l1.mshrs`"),
        ("config show --set l1.mshr=64", "`l1.mshrs`"),
        ("config show --set bfs.min_chld=64", "`min_child`"),
        ("config show --set bfss.min_child=64", "`bfs.min_child`"),
        ("compare --sched adaptiv-bind", "`adaptive-bind`"),
        ("compare kmeans --sm gtoo", "'gto'"),
        ("compare pair BLK STC --policies dynamc", "'dynamic'"),
        ("reproduce equaliser", "'equalizer'"),
    ] {
        place.run(words).refused(2, &[meant]);
    }
}

#[test]
fn no_message_has_the_name_of_a_type_of_the_program() {
    let place = Place::new();
    place.put("kernel.toml", &place.run("kernels lbm").stdout().replacen("regs = ", "regs = true # ", 1));
    place.put("model.toml", "[inputs]\nn_blocks = true\n");
    place.put("mine.toml", "[l1]\nmshrs = true\n[dtbl]\npass_capped = 3\nagt_size = \"x\"\n");
    for words in [
        "config show --set bfs.min_child=abc",
        "config show --set bfs.shape=3",
        "config show --set fmm.shmem=3",
        "config show --set wave.bound=1.5",
        "config show --set dtbl.pass_capped=3",
        "config show --set dtbl.agt_size=x",
        "config show --set equalizer.vf_map=3",
        "run kernel.toml",
        "model model.toml",
        "--gpu mine.toml",
        "run --graph kron:x",
        "run --source x",
        "run --threads 0",
        "run kmeans --scale x",
        "run heat2d --tiles x",
        "graph check wavefront:x",
        "graph info --memory x",
        "run sssp --weight-scale x",
    ] {
        let ended = place.run(words);
        assert!(matches!(ended.status, Some(1 | 2)), "{words}: {ended:?}");
        for name in [
            "u8", "u16", "u32", "u64", "usize", "i64", "f32", "f64", "struct ", "enum ", "Some(", "Error", "::",
            "serde",
        ] {
            assert!(!ended.stderr.contains(name), "{words}: {name} in {}", ended.stderr);
        }
    }
}
