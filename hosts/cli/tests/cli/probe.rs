//! The probe of real GPUs, on a runtime without a GPU behind it: its log can be read, and tells what that runtime has decided.

use crate::place::{Ended, Place, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The probe, built by a C++ compiler alone.
fn probe() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../probe");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe");
    let flags = ["-std=c++14", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-x", "c++"];
    let mut compiler = Command::new("c++");
    compiler.args(flags).arg("-I").arg(source.join("test")).arg(source.join("probe.cu")).arg("-o").arg(&file);
    let output = compiler.output().unwrap();
    assert!(output.status.success(), "{compiler:?}: {}", String::from_utf8_lossy(&output.stderr));
    file
}

#[test]
fn its_log_is_read_and_held_against_policies() {
    let (place, probe) = (Place::new(), probe());
    let run = |(gpus, major): (&str, &str), words: &str| {
        let mut command = Command::new(&probe);
        command.args(words.split_whitespace()).current_dir(place.path());
        Ended::of(command.env("FAKE_GPUS", gpus).env("FAKE_MAJOR", major).output().unwrap())
    };
    let silent = |major: &str, words: &str| {
        let ended = run(("1", major), words);
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""), "{words}");
        ended.stdout
    };
    // What was published for Pascal (the second kernel comes when the first TB of the first one has ended).
    let kernels = "blocks=5,threads=256,first=1000000,spin=2000000000 wait=20000000,blocks=3,threads=160,spin=1000000";
    assert_eq!(silent("6", &format!("--out pascal.log {kernels}")), "");
    let text = place.run("replay-log pascal.log").stdout();
    assert!(text.contains("hardware on 5 SMXs, with 32 TB slots each; No_GPU"), "{text}");
    place.run("replay-log pascal.log --against most-room").stdout();
    let ended = place.run("replay-log pascal.log --against fcfs --json");
    let found = json(&ended.stdout);
    assert_eq!((ended.status, &found["placements"], &found["same"]), (Some(1), &8.into(), &7.into()));
    assert_eq!(found["partings"][0]["log"], serde_json::json!({"uid": 2, "tb": 1, "smx": 0}));
    // Warps count, and more TBs than fit.
    place.put(
        "many.log",
        &silent("6", "blocks=3000,threads=100,spin=5000 blocks=500,threads=33,spin=3000 blocks=7,threads=1"),
    );
    place.run("replay-log many.log --against most-room").stdout();

    // Clusters are told, and followed.
    place.put("clusters.log", &silent("9", "blocks=6,threads=64,cluster=2,stream=4 blocks=2"));
    let log = std::fs::read_to_string(place.path().join("clusters.log")).unwrap();
    assert!(log.contains("! tpc 0,0,1,1,2\n") && log.contains(" stream=4 prio=0 cluster=2\n"), "{log}");
    assert!(log.contains(" tb 1 5 ") && log.contains(" cluster=2 rank=1\n"), "{log}");
    let found = json(&place.run("replay-log clusters.log --against most-room --json").stdout());
    assert_eq!((&found["of_clusters"], &found["placements"]), (&6.into(), &2.into()));

    let refused = |gpus: &str, words: &str, status: i32, says: &str| {
        let ended = run((gpus, "6"), words);
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(status), ""), "{words}");
        assert!(ended.stderr.starts_with(&format!("probe: {says}")) && ended.stderr.lines().count() == 1, "{ended:?}");
    };
    refused("0", "blocks=2", 1, "no GPU: no CUDA-capable device is detected");
    refused("1", "--device 1 blocks=2", 2, "--device 1: there are 1 GPUs, from 0");
    refused("1", "", 2, "no kernel is given");
    refused("1", "blocks", 2, "`blocks`: expected NAME=NUMBER");
    refused("1", "blocks=2,blocks=2", 2, "blocks is given twice");
    refused("1", "block=2", 2, "`block`: no such property of a kernel");
    refused("1", "threads=1025", 2, "threads=1025: expected a number from 1 to 1024");
    refused("1", "--gantt", 2, "--gantt: no such option");
    refused("1", "blocks=3,cluster=2", 2, "blocks=3 are no whole clusters");
    let says = "kernel 1: clusters need a GPU of compute capability 9.0 or higher, and this is 6.0";
    refused("1", "blocks=4,cluster=2", 2, says);
    refused("1", "regs=64", 2, "kernel 1: regs=64, but no form takes more than 16");
    refused("1", "prio=1", 2, "prio=1: this GPU has priorities from 0 to 0");
    refused("1", "stream=3 stream=3,prio=1", 2, "stream=3 has two priorities");
    refused("1", "--out /nowhere/x.log blocks=1", 1, "cannot write /nowhere/x.log");
    assert!(silent("6", "--help").contains("cluster   blocks that start together"));
}
