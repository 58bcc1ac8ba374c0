//! Each workload from end to end: runs five ways, is verified, takes its own input and options, refuses others'.

use crate::place::Place;
use serde_json::Value;

#[track_caller]
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Compares all modes on one thread and on two; gives the result, with `checks` in what people see.
#[track_caller]
fn compare(words: &str, says: &[&str]) -> Value {
    let place = Place::new();
    let one = place.run(&format!("compare {words} --json --threads 1")).stdout();
    assert_eq!(place.run(&format!("compare {words} --json --threads 2")).stdout(), one, "threads make no difference");
    let text = place.run(&format!("compare {words} --modes flat")).stdout();
    for part in says {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let result = json(&one);
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 5);
    assert!(runs.iter().all(|run| run["checksum"] == runs[0]["checksum"] && run["verified"] == true));
    for run in &runs[1..] {
        let (counts, metrics) = (&run["counts"]["sm"], &run["metrics"]);
        let [launches, threads] = ["launches", "launched_threads"].map(|key| counts[key].as_f64().unwrap());
        assert!(launches > 0.0 && threads >= 16.0 * launches, "{counts}");
        assert_eq!(metrics["threads_per_launch"].as_f64().unwrap(), threads / launches);
    }
    result
}

#[test]
fn shortest_paths_compare() {
    let says = ["every distance verified against Dijkstra", "kron:8,16,seed=2:3: 256 vertices", "source"];
    let result = compare("sssp --graph kron:8", &says);
    assert_eq!((&result["workload"]["name"], &result["graph"]["vertices"]), (&"sssp".into(), &256.into()));
    assert_eq!(result["workload"]["options"]["min_child"], 32);
}

#[test]
fn colouring_compares() {
    let words = "clr --graph cit:600 --set clr.min_child=16 --set clr.cover=all";
    let result = compare(words, &["neighbours differ", "cit:600,seed=1: 600 vertices"]);
    assert_eq!(result["gpu"]["set"], json(r#"["clr.min_child", "clr.cover"]"#));
    assert_eq!(result["workload"]["source"], Value::Null);
}

#[test]
fn joins_compare() {
    let words = "join --keys uni:300,3000,50";
    let result = compare(words, &["every pair", "keys   uni:300,3000,50,seed=1: 300 rows with 3,000"]);
    assert_eq!((&result["keys"]["s_rows"], &result["graph"]), (&3000.into(), &Value::Null));
}

#[test]
fn files_of_keys_and_weighted_graphs_run() {
    let place = Place::new();
    place.put("r.txt", "5\n1\n5\n");
    place.put("s.txt", "# none\n5\n7\n");
    place.put("path.gr", "p sp 3 4\na 1 2 10\na 2 1 10\na 2 3 20\na 3 2 20\n");
    assert!(place.run("run join --keys r.txt,s.txt").stdout().contains("3 rows with 2"));
    assert!(place.files().contains(&"out/join-r.txt-s.txt-k20c-dtbl.json".to_owned()), "{:?}", place.files());
    assert!(place.run("run sssp --mode flat --graph path.gr --source 0").stdout().contains("source 0"));
    place.run("run join --keys uni:20,30 --mode flat").stdout();
}

#[test]
fn what_a_workload_does_not_take_is_told() {
    let place = Place::new();
    place.put("cut.raw", "12345");
    place.put("r.txt", "5\nx\n");
    place.put("long.gr", "p sp 3 4\na 1 2 4294967294\na 2 1 4294967294\na 2 3 9\na 3 2 9\n");
    place.run("run join --graph kron:8").refused(2, &["--graph", "join takes --keys"]);
    place.run("run bfs --keys uni").refused(2, &["--keys", "bfs takes --graph"]);
    place.run("run clr --graph kron:8 --source 3").refused(2, &["--source", "clr takes --graph"]);
    place.run("run join --keys normal").refused(2, &["normal", "gauss[:R,S[,K]]"]);
    place.run("run join --keys r.txt,r.txt").refused(1, &["r.txt:2: expected a key, found `x`"]);
    place.run("run join --keys cut.raw,r.txt").refused(1, &["cut.raw: expected a multiple of 4 bytes, found 5"]);
    place.run("run sssp --graph long.gr --source 0").refused(1, &["sssp", "2^32 - 2"]);
    place.run("run join --keys uni:20,30 --set join.flat=thread").refused(2, &["unknown field `flat`"]);
    place.run("run clr --graph kron:8 --set clr.min_child=0").refused(2, &["clr", "min_child", "1 or more"]);
    place.run("run apsp").refused(2, &["apsp", "sssp", "join"]);
}
