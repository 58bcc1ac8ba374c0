//! What happens when something is wrong: a clear error, a status, nothing half done.

use crate::place::{Ended, Place};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

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

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_run_and_leaves_nothing() {
    use std::process::Command;
    use std::time::{Duration, Instant};

    let place = Place::new();
    let child = place
        .command("compare --graph cit:262144 --out results")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !place.path().join("results").exists() {
        assert!(Instant::now() < patience);
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (Some(130), "", "interrupted\n"));
    assert!(!place.path().join("results").exists());
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
