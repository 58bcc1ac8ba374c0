//! Decision logs of simulators: what `replay-log` finds in one and in two, what it draws, and what it refuses.

use crate::place::Place;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const HEADERS: &str =
    "gpusched-log 2\n! dispatch gpusched\n! smx 2\n! clusters 2\n! slots 2\n! attach groups,diversion\n";

/// A kernel of three TBs, of which the first launches a group of one; SMX 1 is diverted for a while.
const EVENTS: &str = "\
# cycle kind uid tb smx slot
0 kernel 1 - - - tbs=3 threads=64 name=vadd
0 tb 1 0 0 0 part=native kde=0
0 tb 1 1 1 0 part=native kde=0
0 start 1 0 0 0
4 start 1 1 1 1

10 launch 2 0 0 0 parent=1 as=group tbs=1 threads=32 name=child
10 join 2 - - - part=age0 kde=0
10 tb 2 0 0 1 part=age0 kde=0
10 start 2 0 0 1
20 end 1 1 1 1
20 divert - - 1 -
20 pstate - - 1 - to=low
30 tb 1 2 0 0 part=native kde=0
30 refuse 1 2 0 -
40 end 1 0 0 0
40 start 1 2 0 0
40 pstate - - 1 - to=high
50 admit - - 1 -
60 end 2 0 0 1
60 done 2 - - -
100 end 1 2 0 0
100 done 1 - - -
";

fn log(events: &str) -> String {
    format!("{HEADERS}{events}")
}

/// The text with the line that ends it: how many events there are, and a checksum.
fn ended(text: &str) -> String {
    let events = text.lines().skip(1).filter(|line| !line.is_empty() && !line.starts_with(['#', '!'])).count();
    let byte = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    format!("{text}! end {events} {:016x}\n", text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, byte))
}

/// Puts a log there that has its end.
pub fn put(place: &Place, name: &str, text: &str) {
    place.put(name, &ended(text));
}

/// `EVENTS` with `from` replaced, which is there once.
#[track_caller]
fn changed(from: &str, to: &str) -> String {
    assert_eq!(EVENTS.matches(from).count(), 1, "{from}");
    log(&EVENTS.replace(from, to))
}

#[track_caller]
fn read(place: &Place, words: &str) -> Value {
    serde_json::from_str(&place.run(&format!("replay-log {words} --json --quiet")).stdout()).unwrap()
}

/// What comparing finds, and the exit status.
#[track_caller]
fn compared(place: &Place, words: &str) -> (Value, Option<i32>) {
    let ended = place.run(&format!("replay-log {words} --json --quiet"));
    assert_eq!(ended.stderr, "", "{ended:?}");
    let found: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(found["schema"], "gpusched.logs/1");
    (found["comparison"].clone(), ended.status)
}

#[test]
fn a_log_is_summed_up() {
    let place = Place::new();
    put(&place, "run.log", &log(EVENTS));
    let found = read(&place, "run.log");
    assert_eq!((&found["schema"], &found["log"]), (&json!("gpusched.log/1"), &json!("run.log")));
    assert_eq!(found["headers"]["attach"], "groups,diversion");
    let numbers = ["cycles", "events", "host_kernels", "device_kernels", "groups", "not_done"].map(|key| &found[key]);
    assert_eq!(numbers, [&json!(100), &json!(22), &json!(1), &json!(0), &json!(1), &json!(0)]);
    // TBs of 40, 16, 60 and 50 cycles; one waited 4 cycles for its start, one 10.
    let tbs = &found["tbs"];
    assert_eq!((&tbs["started"], &tbs["unfinished"], &tbs["refused"]), (&json!(4), &json!(0), &json!(1)));
    assert_eq!(tbs["cycles"], json!({"count": 4, "mean": 41.5, "max": 60}));
    assert_eq!(tbs["decision_to_start"], json!({"count": 4, "mean": 3.5, "max": 10}));
    assert_eq!((&found["host_wait"]["mean"], &found["device_wait"]["count"]), (&json!(0.0), &json!(1)));
    assert_eq!((&found["child_tbs"], &found["on_parents_smx"]), (&json!(1), &json!(1)));
    // 166 of 400 slot cycles; SMX 0 has 150 of them where the mean is 83.
    assert_eq!(found["slot_share"], json!(166.0 / 400.0));
    assert!((found["imbalance"].as_f64().unwrap() - 150.0 / 83.0).abs() < 1e-9);
    assert_eq!(
        found["smxs"],
        json!([
            {"tbs": 3, "tb_cycles": 150, "busy_cycles": 100, "diverted_cycles": 0, "low_cycles": 0},
            {"tbs": 1, "tb_cycles": 16, "busy_cycles": 16, "diverted_cycles": 30, "low_cycles": 20},
        ])
    );
    let names: Vec<_> = found["names"].as_array().unwrap().iter().map(|name| &name["name"]).collect();
    assert_eq!(names, ["vadd", "child"]);
    assert_eq!((&found["names"][0]["tb_cycles"]["max"], &found["names"][1]["time"]["max"]), (&json!(60), &json!(50)));
    let decisions = json!({"tb": 4, "join": 1, "divert": 1, "admit": 1, "pstate": {"low": 1, "high": 1}});
    assert_eq!(found["decisions"], decisions);
}

#[test]
fn people_get_tables() {
    let place = Place::new();
    put(&place, "run.log", &log(EVENTS));
    let text = place.run("replay-log run.log").stdout();
    assert!(text.starts_with("run.log\ngpusched on 2 SMXs in 2 clusters, with 2 TB slots each; groups,diversion\n"));
    let words: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "cycle of the last event 100",
        "mean TB (cycles) 41.5",
        "TBs of children on their parent's SMX 100.0%",
        "SMX cycles with a TB 58.0%",
        "TB slots in use 41.5%",
        "busiest SMX (TB cycles over the mean) 1.81x",
        "SMX cycles diverted 15.0%",
        "groups that joined a kernel 1",
        "vadd 1 3 38.7 69.9% 0.0 100.0",
        "SMX TBs mean TBs at a time with a TB diverted low P-state",
        "1 1 0.16 16.0% 30.0% 20.0%",
    ] {
        assert!(words.iter().any(|found| found == line), "no {line:?} in {text}");
    }
    assert!(!text.contains("LaPerm") && !text.contains("unknown"), "only what there is: {text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    assert_eq!(text, place.run("replay-log run.log --quiet").stdout());
}

#[test]
fn what_is_left_running_counts() {
    let place = Place::new();
    let events: Vec<&str> = EVENTS.lines().collect();
    let cut = events[..events.len() - 9].join("\n") + "\n30 sample - - - -\n";
    put(&place, "cut.log", &log(&cut));
    let found = read(&place, "cut.log");
    assert_eq!((&found["tbs"]["started"], &found["tbs"]["unfinished"]), (&json!(3), &json!(2)));
    assert_eq!((&found["tbs"]["not_started"], &found["not_done"]), (&json!(1), &json!(2)));
    // TB 0 of kernel 1 for 30 cycles and that of the group for 20; the SMXs are diverted and low to the end.
    assert_eq!(
        found["smxs"][0],
        json!({"tbs": 2, "tb_cycles": 50, "busy_cycles": 30, "diverted_cycles": 0, "low_cycles": 0})
    );
    assert_eq!((&found["smxs"][1]["diverted_cycles"], &found["smxs"][1]["low_cycles"]), (&json!(10), &json!(10)));
    assert_eq!(found["tbs"]["cycles"]["count"], 1);
}

#[test]
fn the_sample_of_the_page_and_an_empty_run_are_read() {
    let place = Place::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../gpgpu-sim/docs/sample.log");
    let found = read(&place, sample.to_str().unwrap());
    assert_eq!((&found["unknown"], &found["tbs"]["unfinished"]), (&json!({}), &json!(0)));
    put(&place, "none.log", HEADERS);
    let found = read(&place, "none.log");
    assert_eq!((&found["cycles"], &found["slot_share"], &found["imbalance"]), (&json!(0), &Value::Null, &Value::Null));
    let text = place.run("replay-log none.log --gantt none.svg").stdout();
    assert!(text.ends_with("written: ./none.svg\n"), "{text}");
}

#[test]
fn later_kinds_keys_and_headers_are_skipped() {
    let place = Place::new();
    let text = changed("20 divert", "20 nap 1 - 1 - deep=yes\n20 divert").replace("kde=0", "kde=0 mood=good");
    put(&place, "new.log", &text.replace("! smx 2", "! weather fine and dry\n! smx 2"));
    put(&place, "old.log", &log(EVENTS).replace("kde=0", "kde=0 mood=good"));
    assert_eq!(read(&place, "new.log")["unknown"], json!({"nap": 1}));
    let told = place.run("replay-log new.log").stdout();
    assert!(told.contains("new.log: skipped events of kinds that are not known: nap (1)"), "{told}");
    assert_eq!(compared(&place, "old.log new.log").1, Some(0), "what is not known decides nothing");
}

#[test]
fn packed_logs_are_read() {
    let place = Place::new();
    put(&place, "run.log", &log(EVENTS));
    let packs = Command::new("gzip").args(["-k", "run.log"]).current_dir(place.path()).status();
    if !packs.is_ok_and(|status| status.success()) {
        return; // without the program gzip there are no packed logs
    }
    let (mut plain, mut packed) = (read(&place, "run.log"), read(&place, "run.log.gz"));
    assert_eq!(packed["log"].take(), "run.log.gz");
    plain["log"].take();
    assert_eq!(plain, packed);
    let bytes = std::fs::read(place.path().join("run.log.gz")).unwrap();
    std::fs::write(place.path().join("cut.log.gz"), &bytes[..bytes.len() - 20]).unwrap();
    let says = "found the end of the file: the gzip stream is damaged or cut off. What is missing comes behind ";
    place.run("replay-log cut.log.gz").refused(1, &["cut.log.gz:", says]);
    assert_eq!(read(&place, "cut.log.gz --partial")["complete"], false);
}

/// A log that lost lines anywhere, or parts of them, is not taken for a whole one.
#[test]
fn a_log_that_is_not_whole_is_refused_with_what_is_missing() {
    let place = Place::new();
    let whole = ended(&log(EVENTS));
    place.put("whole.log", &whole);
    assert_eq!(read(&place, "whole.log")["complete"], true);
    let behind_tb = whole.find("30 refuse").unwrap();
    let in_line = behind_tb + 5;
    for (cut, why) in [(behind_tb, "there is no line that ends it"), (in_line, "the last line has no end")] {
        place.put("cut.log", &whole[..cut]);
        let says = format!(
            "found the end of the file: {why}. What is missing comes behind 13 events, at cycle 30 or later, where TBs that run: 2, and \
             kernels and groups not done: 2"
        );
        place
            .run("replay-log cut.log")
            .refused(1, &["cut.log:2", "expected `! end EVENTS CHECKSUM` as the last line", &says]);
        place.run("replay-log whole.log cut.log").refused(2, &["cut.log:2", &says]);
        let part = read(&place, "cut.log --partial");
        assert_eq!((&part["events"], &part["complete"]), (&json!(13), &json!(false)));
        let text = place.run("replay-log cut.log --partial").stdout();
        assert!(text.contains(&format!("cut.log: only a part: {why}")), "{text}");
    }
    for (from, to, says) in [
        (
            "20 pstate - - 1 - to=low\n",
            "",
            "expected 22 events, as the end of the log says, found 21: lines are missing",
        ),
        ("4 start 1 1 1 1", "3 start 1 1 1 1", "expected lines with checksum "),
        ("! end 22 ", "! end 22", "expected `! end EVENTS CHECKSUM`"),
        ("! end 22 ", "! end x ", "expected a number below 2^64 as `EVENTS`, found `x`"),
    ] {
        place.put("bad.log", &whole.replace(from, to));
        place.run("replay-log bad.log").refused(1, &["bad.log:", says]);
        place.run("replay-log bad.log --partial").refused(1, &["bad.log:", says]);
    }
    place.put("long.log", &format!("{whole}200 sample - - - -\n"));
    place.run("replay-log long.log").refused(1, &["expected nothing behind the header `end`, found `200 sample"]);
}

#[test]
fn a_log_may_come_by_standard_input_and_begin_with_a_byte_order_mark() {
    let place = Place::new();
    // An editor put the mark there, behind the writer's back.
    let text = format!("\u{feff}{}", ended(&log(EVENTS)));
    let ended = place.run_with("replay-log - --json --quiet", text.as_bytes());
    let found: Value = serde_json::from_str(&ended.stdout()).unwrap();
    assert_eq!((&found["log"], &found["events"]), (&json!("standard input"), &json!(22)));
}

#[test]
fn what_cannot_have_happened_is_told_with_file_and_line() {
    let place = Place::new();
    for (from, to, says) in [
        (
            "40 end 1 0 0 0",
            "40 end 1 0 0 1",
            "expected the TB that runs on SMX 0 in slot 1, found TB 0 of 1, where TB 0 of 2",
        ),
        (
            "20 end 1 1 1 1",
            "20 end 1 1 1 0",
            "expected the TB that runs on SMX 1 in slot 0, found TB 1 of 1, where none runs",
        ),
        ("10 start 2 0 0 1", "10 start 2 0 0 0", "run.log:17: expected a slot of SMX 0 that is free, found slot 0"),
        (
            "4 start 1 1 1 1",
            "4 start 1 1 0 1",
            "expected a TB that waits to start on SMX 0, found TB 1 of 1, which was sent to SMX 1",
        ),
        ("4 start 1 1 1 1", "4 start 1 2 1 1", "found TB 2 of 1, which was not sent"),
        ("40 start 1 2 0 0", "40 start 1 0 0 0", "found TB 0 of 1, which was not sent or has started"),
        ("30 tb 1 2", "30 tb 1 0", "expected each TB to be sent once, found TB 0 of 1 again"),
        ("0 tb 1 1 1 0 part=native", "0 tb 1 3 1 0 part=native", "expected a TB below 3 of 1, found TB 3"),
        ("0 tb 1 1 1 0 part=native", "0 tb 7 1 1 0 part=native", "found 7, which was not"),
        ("60 done 2", "60 done 1", "expected 1 to be done when its 3 TBs have ended, found 2 ends"),
        ("100 done 1 - - -", "100 done 2 - - -", "found 2, which is done"),
        ("50 admit - - 1 -", "50 admit - - 0 -", "expected an SMX that is diverted, found SMX 0"),
        ("50 admit - - 1 -", "50 divert - - 1 -", "expected an SMX that takes TBs, found SMX 1"),
        ("30 refuse 1 2 0 -", "30 refuse 1 2 1 -", "which was sent to SMX 0"),
        ("20 divert", "19 divert", "run.log:19: expected cycle 20 or a later one, found cycle 19"),
        (
            "launch 2 0 0 0 parent=1",
            "launch 2 1 0 0 parent=1",
            "expected a launch by a TB that runs on SMX 0, found one by TB 1 of 1",
        ),
        ("launch 2 0 0 0 parent=1", "launch 1 0 0 0 parent=1", "expected a uid that was not used before, found uid 1"),
        ("as=group", "as=horde", "expected `as` to be kernel or group, found `horde`"),
        ("tbs=3", "tbs=0", "expected 1 to 2^32 as `tbs`, found 0"),
        ("tbs=3 ", "", "expected a key `tbs`, found none"),
        ("threads=64", "threads=x", "expected a number below 2^64 as `threads`, found `x`"),
        ("10 join 2 - - -", "10 join 2 0 - -", "expected `-` as `tb` of `join`, found a number"),
        ("20 divert - - 1 -", "20 divert - - 2 -", "expected an SMX below 2, as header `smx` has it, found SMX 2"),
        ("10 start 2 0 0 1", "10 start 2 0 0 2", "expected a slot below 2, as header `slots` has it, found slot 2"),
        ("20 divert", "! late header\n20 divert", "expected headers before the first event only, found header `late`"),
        ("4 start 1 1 1 1", "4 start 1 1 1", "run.log:12: expected column `slot`, found the end of the line"),
    ] {
        put(&place, "run.log", &changed(from, to));
        place.run("replay-log run.log").refused(1, &["run.log:", says]);
    }
}

#[test]
fn what_is_no_log_is_told() {
    let place = Place::new();
    for (text, says) in [
        ("", "run.log:1: expected `gpusched-log 2`, found an empty file".to_owned()),
        ("gpusched-log 1\n", "run.log:1: expected `gpusched-log 2`, found `gpusched-log 1`".to_owned()),
        ("gpusched-log 2\r\n", "found `gpusched-log 2\\r`".to_owned()),
        ("gpusched-log 2", "found the end of the file: the last line has no end".to_owned()),
        ("gpusched-log 2\n", "expected a header `! smx NUMBER` before the first event".to_owned()),
        ("gpusched-log 2\n! smx 2\n0 divert - - 0 -\n", "run.log:3: expected a header `! slots NUMBER`".to_owned()),
        ("gpusched-log 2\n! smx 0\n", "run.log:2: expected 1 to 4096 as header `smx`, found `0`".to_owned()),
        ("gpusched-log 2\n! smx 9999999999\n", "expected 1 to 4096 as header `smx`".to_owned()),
        ("gpusched-log 2\n! smx 2\n! smx 2\n", "run.log:3: expected each header once".to_owned()),
        (&"x".repeat(100_000), "run.log:1: expected a line of less than 65536 bytes".to_owned()),
    ] {
        place.put("run.log", text);
        place.run("replay-log run.log").refused(1, &[&says]);
    }
    std::fs::write(place.path().join("bytes.log"), b"gpusched-log 2\n! smx \xff\n").unwrap();
    place.run("replay-log bytes.log").refused(1, &["bytes.log:2: expected text in UTF-8"]);
    place.run("replay-log none.log").refused(1, &["none.log: No such file"]);
    place.run("replay-log .").refused(1, &["."]);
    place.run("replay-log").refused(2, &["<LOG>"]);
}

#[test]
fn equal_runs_are_equal_whatever_their_uids_and_headers() {
    let place = Place::new();
    put(&place, "a.log", &log(EVENTS));
    put(&place, "b.log", &log(EVENTS).replace("! clusters 2\n", "! config other.toml\n"));
    // Kernel 1 is 8, group 2 is 5.
    let other = EVENTS
        .replace("kernel 1 ", "kernel 8 ")
        .replace("tb 1 ", "tb 8 ")
        .replace("start 1 ", "start 8 ")
        .replace("end 1 ", "end 8 ")
        .replace("refuse 1 ", "refuse 8 ")
        .replace("done 1 ", "done 8 ")
        .replace("parent=1", "parent=8")
        .replace("launch 2 ", "launch 5 ")
        .replace("join 2 ", "join 5 ")
        .replace("tb 2 ", "tb 5 ")
        .replace("start 2 ", "start 5 ")
        .replace("end 2 ", "end 5 ")
        .replace("done 2 ", "done 5 ");
    put(&place, "c.log", &log(&other));
    for other in ["a.log", "b.log", "c.log"] {
        let (found, status) = compared(&place, &format!("a.log {other}"));
        assert_eq!((status, &found["verdict"], &found["equal_decisions"]), (Some(0), &json!("equal"), &json!(9)));
        let same = [&found["same_order"], &found["same_placement"], &found["first_difference"]];
        assert_eq!(same, [&json!(true), &json!(true), &Value::Null]);
        assert_eq!(found["tbs_on_same_smx"], 4);
    }
    let text = place.run("replay-log a.log c.log").stdout();
    assert!(
        text.contains("equal: 9, in the same cycles") && text.contains("each of the 4 TBs of both on the same SMX")
    );
}

#[test]
fn runs_that_differ_are_told_where_and_how() {
    let place = Place::new();
    put(&place, "a.log", &log(EVENTS));
    // The same in another cycle.
    put(&place, "late.log", &changed("50 admit", "55 admit"));
    let (found, status) = compared(&place, "a.log late.log");
    assert_eq!((status, &found["verdict"], &found["same_placement"]), (Some(1), &json!("other_cycles"), &json!(true)));
    let first = &found["first_other_cycle"];
    assert_eq!(first[0], json!({"line": 26, "decision": "50 admit - - 1 -"}));
    assert_eq!(first[1]["decision"], "55 admit - - 1 -");
    // A TB on another SMX.
    let moved = changed("30 tb 1 2 0 0", "30 tb 1 2 1 0")
        .replace("30 refuse 1 2 0 -\n", "")
        .replace("40 start 1 2 0 0", "40 start 1 2 1 0")
        .replace("100 end 1 2 0 0", "100 end 1 2 1 0");
    put(&place, "moved.log", &moved);
    let (found, status) = compared(&place, "a.log moved.log");
    assert_eq!((status, &found["verdict"], &found["equal_decisions"]), (Some(1), &json!("other_decisions"), &json!(6)));
    assert_eq!((&found["same_order"], &found["same_placement"]), (&json!(true), &json!(false)));
    assert_eq!((&found["tbs_on_same_smx"], &found["tbs_on_other_smx"]), (&json!(3), &json!(1)));
    assert_eq!(found["first_difference"][1], json!({"line": 21, "decision": "30 tb 1 2 1 0 part=native kde=0"}));
    let ended = place.run("replay-log a.log moved.log");
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""));
    for part in ["first differ at A:21 and B:21, behind 6", "A  30 tb 1 2 0 0", "1 of the 4 TBs of both on another SMX"]
    {
        assert!(ended.stdout.contains(part), "no {part:?} in {}", ended.stdout);
    }
    assert!(ended.stdout.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{}", ended.stdout);
    // Another order, the same places.
    let swapped = EVENTS.replace("0 tb 1 0 0 0 part=native kde=0\n", "");
    let swapped = swapped.replace("0 start 1 0 0 0", "0 tb 1 0 0 0 part=native kde=0\n0 start 1 0 0 0");
    put(&place, "swapped.log", &log(&swapped));
    let (found, _) = compared(&place, "a.log swapped.log");
    assert_eq!((&found["same_order"], &found["same_placement"]), (&json!(false), &json!(true)));
    // One that ends early.
    let cut = EVENTS.split("30 tb").next().unwrap();
    put(&place, "cut.log", &log(cut));
    let (found, status) = compared(&place, "a.log cut.log");
    assert_eq!((status, &found["first_difference"][1], &found["tbs_only_in"]), (Some(1), &Value::Null, &json!([1, 0])));
}

/// A scheduler without slots, keys and other decisions than which TB goes where is compared by these.
#[test]
fn a_run_of_the_simulators_own_scheduler_can_be_set_beside_one_of_ours() {
    let place = Place::new();
    put(&place, "ours.log", &log(EVENTS));
    let mut stock = String::new();
    for line in EVENTS.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            [cycle, "tb", uid, tb, smx, ..] => writeln!(stock, "{cycle} tb {uid} {tb} {smx} -").unwrap(),
            [_, "kernel" | "launch" | "start" | "end" | "done", ..] => writeln!(stock, "{line}").unwrap(),
            _ => {}
        }
    }
    put(&place, "stock.log", &log(&stock).replace("dispatch gpusched", "dispatch gpgpusim_stock"));
    let (found, status) = compared(&place, "stock.log ours.log");
    assert_eq!((status, &found["verdict"]), (Some(1), &json!("other_decisions")));
    assert_eq!((&found["same_order"], &found["same_placement"]), (&json!(true), &json!(true)));
}

#[test]
fn trouble_with_two_logs_is_no_difference() {
    let place = Place::new();
    put(&place, "a.log", &log(EVENTS));
    put(&place, "bad.log", &changed("20 divert", "19 divert"));
    place.run("replay-log a.log bad.log").refused(2, &["bad.log:19: expected cycle 20"]);
    place.run("replay-log none.log a.log").refused(2, &["none.log: No such file"]);
}

#[test]
fn charts_show_tbs_and_states() {
    let place = Place::new();
    put(&place, "run.log", &log(EVENTS));
    let text = place.run("replay-log run.log --gantt pictures/tbs.svg").stdout();
    assert!(text.ends_with("\nwritten: pictures/tbs.svg\n"), "{text}");
    let svg = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
    let chart = svg("pictures/tbs.svg");
    for part in [
        "<title>TB 2 of 1 vadd: SMX 0, slot 0; cycles 40 to 100, 60 in all</title>",
        "<title>TB 0 of 2 child: SMX 0, slot 1; cycles 10 to 60, 50 in all</title>",
        "<title>SMX 1 diverted: cycles 20 to 50, 30 in all</title>",
        "<title>SMX 1 in the low P-state: cycles 20 to 40, 20 in all</title>",
        "pale: launched by a TB",
        "SMX diverted",
        "100 cycles",
    ] {
        assert!(chart.contains(part), "no {part:?}");
    }
    assert_eq!(chart.matches("<title>").count(), 6);
    place.run("replay-log run.log --gantt pictures/tbs.svg").stdout();
    assert_eq!(svg("pictures/tbs.svg"), chart, "the same log gives the same chart");
    // A part of it: TB 1 is over by then, and the diversion nearly.
    place.run("replay-log run.log --gantt part.svg --from 45 --to 55 --json --quiet").stdout();
    let part = svg("part.svg");
    assert_eq!(part.matches("<title>").count(), 3);
    assert!(part.contains("cycles 45 to 55 of a decision log") && !part.contains("100 cycles"));
    // Two on one axis.
    place.run("replay-log run.log run.log --gantt two.svg").stdout();
    assert_eq!(svg("two.svg").matches("<title>").count(), 12);
}

#[test]
fn charts_that_make_no_sense_are_refused() {
    let place = Place::new();
    put(&place, "run.log", &log(EVENTS));
    place.run("replay-log run.log --gantt tbs.jpg").refused(2, &["--gantt tbs.jpg", ".svg or .png"]);
    place.run("replay-log run.log --from 5").refused(2, &["--gantt"]);
    place.run("replay-log run.log --gantt tbs.svg --from 5 --to 5").refused(2, &["--to 5", "--from 5"]);
    let beyond = "--from 100: the last event that the log has is in cycle 100";
    place.run("replay-log run.log --gantt tbs.svg --from 100").refused(2, &[beyond]);
    place
        .run("replay-log run.log run.log --gantt tbs.svg --from 200")
        .refused(2, &["that the logs have is in cycle 100"]);
    assert_eq!(place.files(), ["run.log"]);
}

/// 40,000 TBs on two SMXs.
#[test]
fn the_chart_of_a_long_run_is_bounded() {
    let place = Place::new();
    let tbs = 40_000;
    let mut events = format!("0 kernel 1 - - - tbs={tbs} threads=32 name=<tiny>\n");
    for tb in 0..tbs {
        let (from, smx, slot) = (tb / 4 * 10, tb % 2, tb / 2 % 2);
        if tb >= 4 {
            writeln!(events, "{from} end 1 {} {smx} {slot}", tb - 4).unwrap();
        }
        writeln!(events, "{from} tb 1 {tb} {smx} {slot}\n{from} start 1 {tb} {smx} {slot}").unwrap();
    }
    put(&place, "long.log", &log(&events));
    let text = place.run("replay-log long.log --gantt long.svg").stdout();
    assert!(text.contains("TBs that did not end"), "{text}");
    let chart = std::fs::read_to_string(place.path().join("long.svg")).unwrap();
    let boxes = chart.matches("<title>").count();
    assert!((4096..=16_384).contains(&boxes) && chart.len() < 10 << 20, "{boxes}, {}", chart.len());
    assert!(chart.contains("drawn as one") && chart.contains("&lt;tiny&gt;: SMX 1, slot 1"));
    // Near enough, each is by itself.
    place.run("replay-log long.log --gantt near.svg --from 1000 --to 2000").stdout();
    let near = std::fs::read_to_string(place.path().join("near.svg")).unwrap();
    assert_eq!((near.matches("<title>").count(), near.contains("drawn as one")), (400, false));
}

/// Two TBs of all the cycles that there can be.
#[test]
fn sums_that_are_too_large_stay_at_the_largest_number() {
    let place = Place::new();
    let mut events = "0 kernel 1 - - - tbs=2 threads=32 name=long\n".to_owned();
    events.extend((0..2).map(|tb| format!("0 tb 1 {tb} 0 {tb}\n0 start 1 {tb} 0 {tb}\n")));
    events.extend((0..2).map(|tb| format!("{} end 1 {tb} 0 {tb}\n", u64::MAX)));
    put(&place, "long.log", &log(&events));
    assert_eq!(read(&place, "long.log")["smxs"][0]["tb_cycles"], u64::MAX);
}
