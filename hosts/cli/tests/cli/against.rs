//! Logs held against policies: `replay-log --against`, and the logs that the reference GPU writes for it.

use crate::logs::put;
use crate::place::{Place, json};
use serde_json::{Value, json};

/// What a policy says to a log, and the exit status.
#[track_caller]
fn asked(place: &Place, words: &str) -> (Value, Option<i32>) {
    let ended = place.run(&format!("replay-log {words} --json --quiet"));
    assert_eq!(ended.stderr, "", "{ended:?}");
    let found = json(&ended.stdout);
    assert_eq!(found["schema"], "gpusched.against/1");
    (found, ended.status)
}

/// How many placements there are, and how many are the same in kernel, TB, SMX, and all in all.
fn counts(found: &Value) -> [u64; 5] {
    ["placements", "same_unit", "same_tb", "same_smx", "same"].map(|key| found[key].as_u64().unwrap())
}

fn hardware(smxs: u32, slots: u32, more: &str, events: &str) -> String {
    format!("gpusched-log 2\n! dispatch hardware\n! smx {smxs}\n! slots {slots}\n! threads 2048\n{more}{events}")
}

/// Published for Pascal: of two kernels whose TBs are of 256 and 160 threads, the second one's first two go to the SM that a TB of the first
/// has left (room for 12, 11 and then 10 TBs against 11).
fn pascal() -> String {
    let mut events = "0 kernel 1 - - - tbs=5 threads=256 name=x stream=0\n".to_owned();
    events.extend((0..5).map(|tb| format!("{tb} tb 1 {tb} {tb} 0\n{tb} start 1 {tb} {tb} 0\n")));
    events += "6 end 1 0 0 0\n10 kernel 2 - - - tbs=3 threads=160 name=y stream=1\n";
    for (cycle, tb, smx, slot) in [(10, 0, 0, 0), (11, 1, 0, 1), (12, 2, 1, 1)] {
        events += &format!("{cycle} tb 2 {tb} {smx} {slot}\n{cycle} start 2 {tb} {smx} {slot}\n");
    }
    hardware(5, 32, "", &events)
}

#[test]
fn a_policy_that_decided_a_log_parts_from_it_nowhere() {
    let place = Place::new();
    let machine = "--set sm.count=3 --set sm.tb_slots=4";
    for sched in
        ["most-room", "round-robin", "bcs", "steal", "dist:order=own", "random:what=both", "fair-streams", "srk"]
    {
        for mode in ["cdp", "dtbl"] {
            let run = format!("run bfs --graph kron:9 --mode {mode} --sched {sched} {machine} --log {mode}.log -q");
            place.run(&run).stdout();
            let (found, status) = asked(&place, &format!("{mode}.log --against {sched}"));
            let [placements, .., same] = counts(&found);
            assert_eq!((status, &found["agree"], same), (Some(0), &json!(true), placements), "{sched}: {found}");
            assert!(placements > 50 && found["partings"] == json!([]), "{found}");
        }
    }
    // The front end's own order, without groups, which it keeps in chains.
    place.run(&format!("run bfs --graph kron:9 --mode cdp --sched fcfs {machine} --log fcfs.log -q")).stdout();
    assert_eq!(asked(&place, "fcfs.log --against fcfs").1, Some(0));
    assert!(place.run("replay-log fcfs.log --against round-robin").stdout().ends_with("\n\nthey part nowhere\n"));
    let (found, status) = asked(&place, "fcfs.log --against lowest-first --partings 2");
    let [placements, unit, .., smx, same] = counts(&found);
    assert_eq!((status, &found["agree"], unit), (Some(1), &json!(false), placements));
    assert!(smx < placements && same == smx, "{found}");
    assert_eq!(found["partings"].as_array().unwrap().len(), 2);
}

#[test]
fn published_placements_are_most_rooms_and_not_fcfs() {
    let place = Place::new();
    put(&place, "gpu.log", &pascal());
    let (found, status) = asked(&place, "gpu.log --against most-room");
    assert_eq!((status, counts(&found)), (Some(0), [8; 5]));
    // It is told of each decision by itself: behind the one that differs, fcfs goes on from where the log went.
    let (found, status) = asked(&place, "gpu.log --against fcfs");
    assert_eq!((status, counts(&found)), (Some(1), [8, 8, 8, 7, 7]));
    let parting = json!([{
        "line": 21, "cycle": 11, "log": {"uid": 2, "tb": 1, "smx": 0}, "policy": {"uid": 2, "tb": 1, "smx": 1}, "smx": 1
    }]);
    assert_eq!(found["partings"], parting);
    let ended = place.run("replay-log gpu.log --against fcfs");
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""));
    for part in
        ["against fcfs", "it would choose the same SMX for it", "TB 1 of 2 to SMX 0   TB 1 of 2 to SMX 1   SMX 1"]
    {
        assert!(ended.stdout.contains(part), "no {part:?} in {}", ended.stdout);
    }
    // The machine can be named, if it is the log's.
    let without = pascal().replace("! threads 2048\n", "");
    put(&place, "plain.log", &without);
    place.put("five.toml", "base = \"k20c\"\n[sm]\ncount = 5\n");
    place
        .run("replay-log plain.log --against most-room")
        .refused(2, &["plain.log:5: ", "`! threads NUMBER`, or --gpu"]);
    let refused = place.run("replay-log plain.log --against most-room --gpu five.toml");
    refused.refused(2, &["plain.log:5: expected a key `regs`, as the machine has a limit of it"]);
    let shaped = without.replace("threads=256", "threads=256 regs=0 smem=0").replace("=160", "=160 regs=0 smem=0");
    put(&place, "shaped.log", &shaped);
    assert_eq!(asked(&place, "shaped.log --against most-room --gpu five.toml").1, Some(0));
    let refused = place.run("replay-log shaped.log --against most-room --gpu k20c");
    refused.refused(2, &["the 13 SMXs of --gpu k20c, found 5 in the header `smx`"]);
}

/// A kernel of a higher priority takes the first slot that becomes free; one behind another in its stream is not there before that ends.
#[test]
fn priorities_and_streams_are_those_of_the_log() {
    let place = Place::new();
    let events = "\
0 kernel 1 - - - tbs=3 threads=64 name=a stream=0 prio=0
0 tb 1 0 0 0
0 tb 1 1 0 1
0 start 1 0 0 0
0 start 1 1 0 1
2 kernel 2 - - - tbs=1 threads=64 name=b stream=0 prio=0
5 kernel 3 - - - tbs=1 threads=64 name=c stream=1 prio=1
10 end 1 0 0 0
10 tb 3 0 0 0
10 start 3 0 0 0
20 end 1 1 0 1
20 tb 1 2 0 1
20 start 1 2 0 1
30 end 1 2 0 1
30 tb 2 0 0 1
30 start 2 0 0 1
";
    put(&place, "prio.log", &hardware(1, 2, "", events));
    for sched in ["fcfs", "leftover-tbs:prio_first=true", "most-room:prio_first=true"] {
        assert_eq!(asked(&place, &format!("prio.log --against {sched}")).1, Some(0), "{sched}");
    }
    let (found, status) = asked(&place, "prio.log --against most-room");
    assert_eq!((status, counts(&found)), (Some(1), [5, 4, 4, 5, 4]));
    assert_eq!(found["partings"][0]["policy"], json!({"uid": 1, "tb": 2, "smx": 0}));
    // Were there no streams, the second kernel would be there from the beginning, and newer than the first.
    put(&place, "loose.log", &hardware(1, 2, "", &events.replace(" stream=0 prio=0", "")));
    assert_eq!(asked(&place, "prio.log --against depth-first").1, Some(0));
    assert_eq!(asked(&place, "loose.log --against depth-first").1, Some(1));
    let early =
        events.replace("20 tb 1 2 0 1\n20 start 1 2 0 1\n30 end 1 2 0 1\n30", "20").replace("30 start", "20 start");
    put(&place, "early.log", &hardware(1, 2, "", &early));
    let expected =
        "early.log:17: expected a TB of a kernel or group that has reached the head of its stream, found one of 2";
    place.run("replay-log early.log --against fcfs").refused(2, &[expected]);
}

#[test]
fn tbs_of_clusters_take_room_and_are_not_asked_about() {
    let place = Place::new();
    let events = "\
0 kernel 1 - - - tbs=2 threads=1024 name=pair stream=0 cluster=2
0 kernel 2 - - - tbs=1 threads=1024 name=one stream=1
1 tb 1 0 2 0 cluster=0 rank=0
1 tb 1 1 3 0 cluster=0 rank=1
2 tb 2 0 0 0
";
    put(&place, "cluster.log", &hardware(4, 32, "! tpc 0,0,1,1\n! gpc 0,0,0,0\n", events));
    for sched in ["most-room", "fcfs", "gpc-first", "tpc-first", "most-room:order=even_odd"] {
        let (found, status) = asked(&place, &format!("cluster.log --against {sched}"));
        assert_eq!((status, counts(&found), &found["of_clusters"]), (Some(0), [1; 5], &json!(2)), "{sched}");
    }
    let text = place.run("replay-log cluster.log --against most-room").stdout();
    assert!(text.contains("TBs of clusters, which no policy was asked"), "{text}");
    // Who does not know the TPCs cannot be asked about a policy that goes by them.
    put(&place, "flat.log", &hardware(4, 32, "", events));
    for (sched, header) in
        [("gpc-first", "tpc"), ("tpc-first", "tpc"), ("dist", "gpc"), ("most-room:order=even_odd", "tpc")]
    {
        let says =
            format!("flat.log:6: expected a header `! {header} LIST`, or --gpu, as {sched} goes by it, found none");
        place.run(&format!("replay-log flat.log --against {sched}")).refused(2, &[&says]);
    }
    put(&place, "short.log", &hardware(4, 32, "! tpc 0,0,1\n", events));
    place
        .run("replay-log short.log --against fcfs")
        .refused(2, &["4 numbers with commas between them as header `tpc`"]);
}

#[test]
fn what_cannot_be_held_against_a_policy_is_refused() {
    let place = Place::new();
    put(&place, "gpu.log", &pascal());
    let refused = |words: &str, says: &[&str]| place.run(&format!("replay-log {words}")).refused(2, says);
    refused("gpu.log --against most-rom", &["most-room"]);
    refused("gpu.log gpu.log --against fcfs", &["--against"]);
    refused("gpu.log --against fcfs --gantt x.svg", &["--gantt"]);
    refused("gpu.log --gpu k20c", &["--against"]);
    refused("gpu.log --against fcfs --gpu k20d", &["k20d", "k20c"]);
    refused("none.log --against fcfs", &["none.log: No such file"]);
    refused("gpu.log --against lcs", &["gpu.log:6: ", "counts of issued instructions"]);
    refused(
        "gpu.log --against adaptive-bind",
        &["gpu.log:6: ", "adaptive-bind: it goes by queues inside the front end"],
    );
    refused("gpu.log --against affinity", &["gpu.log:6: expected a key `tag`, as the policy goes by it, found none"]);
    let changed = |from: &str, to: &str| {
        assert!(pascal().contains(from), "{from}");
        put(&place, "bad.log", &pascal().replace(from, to));
    };
    changed("! threads 2048", "! threads 300");
    refused(
        "bad.log --against fcfs",
        &["bad.log:21: expected room for TB 1 of 2 on SMX 0, which takes 160 threads, found 140 that are free"],
    );
    // Real SMs give out threads by warps.
    let events = "0 kernel 1 - - - tbs=2 threads=31 name=x\n0 tb 1 0 0 0\n0 tb 1 1 0 1\n";
    put(&place, "warps.log", &hardware(1, 2, "", events).replace("! threads 2048", "! threads 63"));
    refused("warps.log --against fcfs", &["warps.log:8: expected room for TB 1 of 1 on SMX 0, which takes 32 threads"]);
    changed("! threads 2048", "! threads 2048\n! attach graphs");
    refused("bad.log --against fcfs", &["one of a run with graphs"]);
    changed("10 kernel", "7 divert - - 0 -\n10 kernel");
    refused("bad.log --against fcfs", &["bad.log:18: ", "`divert`"]);
    changed("threads=160", "threads=160 prio=256");
    refused("bad.log --against fcfs", &["bad.log:18: expected a number below 256 as `prio`"]);
    changed("! dispatch hardware", "! dispatch gpusched");
    refused(
        "bad.log --against fcfs",
        &["bad.log:7: expected a TB of a kernel or group that has arrived, found one of 1"],
    );
    changed("! smx 5", "! smx 300");
    refused("bad.log --against fcfs", &["at most 256 SMXs"]);
    place.put("cut.log", &pascal());
    refused("cut.log --against most-room", &["! end EVENTS CHECKSUM"]);
    assert_eq!(asked(&place, "cut.log --against most-room --partial").1, Some(0));
    // Groups are in chains under fcfs, of which a log does not tell.
    place.run("run bfs --graph kron:8 --mode dtbl --sched most-room --log groups.log -q").stdout();
    refused("groups.log --against fcfs", &["a log without groups", "round-robin"]);
}

#[test]
fn the_reference_gpu_writes_a_log_for_each_run() {
    let place = Place::new();
    place.run("compare bfs --graph kron:7 --modes flat,dtbl --log logs/run.log -q").stdout();
    let files = place.files();
    assert!(
        ["logs/run-dtbl.log", "logs/run-flat.log"].iter().all(|file| files.contains(&(*file).to_owned())),
        "{files:?}"
    );
    let text = place.run("replay-log logs/run-dtbl.log").stdout();
    assert!(text.contains("gpusched on 13 SMXs, with 16 TB slots each; groups,kernels; k20c"), "{text}");
    let log = std::fs::read_to_string(place.path().join("logs/run-flat.log")).unwrap();
    assert!(log.starts_with("gpusched-log 2\n! dispatch gpusched\n! smx 13\n! slots 16\n! threads 2048\n"), "{log}");
    let suspends = place.run("run heat2d --version cdp --tiles 8 --divide 64 --log cdp.log -q");
    suspends.refused(1, &["--log: cdp: TB 0 of 1 was suspended and came back"]);
    place.run("run bfs --log run.txt").refused(2, &["--log run.txt", ".log"]);
    place.run("compare bfs --sched fcfs,bcs --seeds 2 --log run.log").refused(2, &["--log is about single runs"]);
}
