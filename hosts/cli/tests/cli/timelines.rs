//! Timelines: what viewers will find in them is what the run counted, in a form that others' parsers read.

use crate::place::{Place, json};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use vcd::{Command, Parser};

/// A run in which TBs launch groups and SMs go to sleep.
const GROUPS: &str = "bfs --mode dtbl --graph kron:8 --set bubble.enabled=true";
/// One in which they launch kernels, which wait for each other's entries, under LaPerm.
const KERNELS: &str = "bfs --mode cdp --graph kron:8 --sched adaptive-bind --set dtbl.n_kde=4";

/// What a file of trace events says, looked at event by event.
#[derive(Default)]
struct Told {
    /// Of each lane the slice that has not ended: its category, and its cycle.
    open: BTreeMap<(u64, u64), (String, u64)>,
    slices: BTreeMap<String, u64>,
    tb_cycles: u64,
    /// When arrows begin, and those that have both ends.
    arrows: BTreeMap<u64, f64>,
    landed: BTreeSet<u64>,
    counters: BTreeMap<(u64, String), f64>,
    names: BTreeSet<String>,
}

impl Told {
    #[track_caller]
    fn of(text: &str) -> Self {
        let document: Value = serde_json::from_str(text).unwrap();
        assert_eq!(document["otherData"]["schema"], "gpusched.timeline/1");
        let mut told = Self::default();
        let mut last = BTreeMap::new();
        for event in document["traceEvents"].as_array().unwrap() {
            told.take(event, &mut last);
        }
        told
    }

    #[track_caller]
    fn take(&mut self, event: &Value, last: &mut BTreeMap<(u64, u64), f64>) {
        let word = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| event[key].as_u64().unwrap_or_default();
        let (lane, time) = ((number("pid"), number("tid")), event["ts"].as_f64());
        if word("ph") == "M" {
            self.names.insert(event["args"]["name"].as_str().unwrap_or_default().to_owned());
            return;
        }
        let time = time.unwrap();
        if word("ph") != "C" {
            let before = last.insert(lane, time).unwrap_or_default();
            assert!(before <= time, "a lane goes back in time: {event}");
        }
        let cycle = event["args"]["cycle"].as_u64();
        match word("ph").as_str() {
            "B" => {
                let slice = (word("cat"), cycle.unwrap());
                assert_eq!(self.open.insert(lane, slice), None, "two at a time in a lane: {event}");
                *self.slices.entry(word("cat")).or_default() += 1;
            }
            "E" => {
                let (category, begin) = self.open.remove(&lane).unwrap();
                self.tb_cycles += if category == "tb" { cycle.map_or(0, |end| end - begin) } else { 0 };
            }
            "s" => {
                assert!(self.open.contains_key(&lane), "an arrow from nowhere: {event}");
                assert_eq!(self.arrows.insert(number("id"), time), None);
            }
            "f" => {
                assert_eq!((self.open[&lane].0.as_str(), &event["bp"]), ("tb", &"e".into()));
                assert!(self.arrows[&number("id")] <= time && self.landed.insert(number("id")));
            }
            "C" => {
                for (series, value) in event["args"].as_object().unwrap() {
                    let name = format!("{} {series}", word("name"));
                    self.counters.insert((lane.0, name), value.as_f64().unwrap());
                }
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn trace_events_tell_what_the_run_counted() {
    for words in [GROUPS, KERNELS] {
        let place = Place::new();
        let found = json(&place.run(&format!("timeline {words} --perfetto t.json --json --quiet")).stdout());
        assert_eq!(found, json(&place.run(&format!("run {words} --json --quiet")).stdout()), "observed, and not");
        let counts = &found["runs"][0]["counts"];
        let told = Told::of(&fs::read_to_string(place.path().join("t.json")).unwrap());
        assert!(told.open.is_empty());
        let launches = counts["host_kernels"].as_u64().unwrap() + counts["sm"]["launches"].as_u64().unwrap();
        assert_eq!((told.arrows.len(), told.landed.len()), (launches as usize, launches as usize));
        assert_eq!(
            (&told.slices["tb"].into(), &told.tb_cycles.into()),
            (&counts["sm"]["tbs"], &counts["sm"]["tb_cycles"])
        );
        assert_eq!(told.slices["host"], counts["host_kernels"].as_u64().unwrap());
        assert_eq!(told.counters.contains_key(&(100, "voltage percent".to_owned())), words == GROUPS);
        let states = ["clock mhz", "voltage percent", "memory_clock percent"];
        for ((_, name), value) in &told.counters {
            assert!(*value == 0.0 || states.contains(&name.as_str()), "{name} ends at {value}");
        }
        for name in ["Host", "SM 12", "slot 0", "entry 0", "stream 0"] {
            assert!(told.names.contains(name), "{name}");
        }
    }
}

#[test]
fn a_value_change_dump_tells_what_the_run_counted() {
    let place = Place::new();
    let found = json(&place.run(&format!("timeline {GROUPS} --vcd t.vcd --json --quiet")).stdout());
    let text = fs::read(place.path().join("t.vcd")).unwrap();
    let mut parser = Parser::new(&text[..]);
    let header = parser.parse_header().unwrap();
    let id = |path: &[&str]| header.find_var(path).unwrap_or_else(|| panic!("{path:?}")).code;
    let sms: Vec<_> = (0..13).map(|sm| id(&["gpu", &format!("sm{sm}"), "tbs"])).collect();
    let (cycle, pending) = (id(&["gpu", "cycle"]), id(&["gpu", "front_end", "launches_without_tb"]));
    let (mut now, mut values, mut tb_cycles, mut last, mut most) = (0, BTreeMap::new(), 0, None, 0);
    for command in parser {
        match command.unwrap() {
            Command::Timestamp(time) => assert!(last.replace(time).is_none_or(|last| last < time), "{time}"),
            Command::ChangeVector(code, bits) => {
                let value: u64 =
                    bits.to_string().parse::<String>().map(|bits| u64::from_str_radix(&bits, 2)).unwrap().unwrap();
                if code == cycle {
                    let running: u64 = sms.iter().map(|code| values.get(code).copied().unwrap_or(0)).sum();
                    tb_cycles += (value - now) * running;
                    now = value;
                }
                values.insert(code, value);
                most = most.max(if code == pending { value } else { 0 });
            }
            _ => {}
        }
    }
    let counts = &found["runs"][0]["counts"];
    assert_eq!((&now.into(), &tb_cycles.into()), (&counts["cycles"], &counts["sm"]["tb_cycles"]));
    // Of launches that come and go within a cycle the dump sees the end.
    assert!((1..=counts["pending"]["peak"].as_u64().unwrap()).contains(&most));
    for (path, end) in [
        (["sm0", "tbs"], 0),
        (["sm12", "warps"], 0),
        (["front_end", "launches_without_tb"], 0),
        (["front_end", "distributor_entries"], 0),
    ] {
        assert_eq!(values[&id(&["gpu", path[0], path[1]])], end, "{path:?}");
    }
}

#[test]
fn timelines_are_the_same_again_and_lie_with_the_results_if_nobody_names_them() {
    let place = Place::new();
    place.run("timeline --graph kron:6 --power bubble --perfetto a/t.json --vcd a/t.vcd").stdout();
    place.run("timeline --graph kron:6 --power bubble --perfetto b/t.json --vcd b/t.vcd --threads 1").stdout();
    for file in ["t-dtbl.json", "t-dtbl.vcd", "t-dtbl-bubble.json", "t-dtbl-bubble.vcd"] {
        let [a, b] = ["a", "b"].map(|folder| fs::read(place.path().join(folder).join(file)).unwrap());
        assert!(!a.is_empty() && a == b, "{file}");
    }
    let place = Place::new();
    let printed = place.run("timeline --graph kron:6 --mode flat").stdout();
    let file = "out/bfs-kron-6-16-seed-2-3-k20c-flat-timeline.json";
    assert!(printed.contains(&format!("written: {file}\n")) && place.files().contains(&file.to_owned()), "{printed}");
}

#[test]
fn a_run_that_fails_leaves_what_happened_until_then() {
    let place = Place::new();
    let ended = place.run("timeline --mode cdp --graph kron:8 --set dtbl.pend_limit=2 --perfetto t.json --vcd t.vcd");
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(
        ended
            .stderr
            .starts_with("written: ./t.json, until the run failed\nwritten: ./t.vcd, until the run failed\nerror: "),
        "{ended:?}"
    );
    let told = Told::of(&fs::read_to_string(place.path().join("t.json")).unwrap());
    assert!(told.open.is_empty() && told.slices["tb"] > 0);
    assert!(Parser::new(&fs::read(place.path().join("t.vcd")).unwrap()[..]).all(|command| command.is_ok()));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = Place::new();
    place.run("timeline --perfetto t.txt").refused(2, &["--perfetto t.txt: expected a file name that ends in .json"]);
    place.run("timeline --vcd t.json").refused(2, &["--vcd t.json: expected a file name that ends in .vcd"]);
    place.run("timeline --sched rr,fcfs").refused(2, &["--sched: timeline takes one scheduler"]);
    assert_eq!(place.files(), [""; 0]);
}
