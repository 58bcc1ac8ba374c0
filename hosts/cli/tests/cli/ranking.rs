//! Schedulers on many inputs and on many workloads: `compare --seeds`, `compare --sources`, `rank`.

use crate::place::{Place, json};
use serde_json::Value;

/// The number at the end of this path.
fn number(of: &Value, path: &str) -> f64 {
    of.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("no number {path} in {of}"))
}

#[test]
fn a_tournament_over_seeds_tells_how_sure_it_is() {
    let place = Place::new();
    let words = "compare --graph cit:256 --modes cdp,dtbl --sched fcfs,most-room,round-robin --seeds 4";
    let text = place.run(words).stdout();
    for says in ["seed of this one, and the 3 behind it", "95 % confidence interval", "equal", "in each sample"] {
        assert!(text.contains(says), "no {says}: {text}");
    }
    let files = ["bfs-cit-256-seed-1-k20c-sched-seeds-4.json", "bfs-cit-256-seed-1-k20c-sched-seeds-4.svg"];
    assert_eq!(place.files(), files.map(|file| format!("out/{file}")));
    let told = std::fs::read_to_string(place.path().join("out").join(files[0])).unwrap();
    for threads in [1, 3] {
        assert_eq!(place.run(&format!("{words} --threads {threads} --json -q")).stdout(), told);
    }
    let result = json(&told);
    let runs = result["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &result["schema"]), (6, &"gpusched.tournament/1".into()));
    for (place, run) in runs.iter().enumerate() {
        let cycles: Vec<f64> =
            run["cycles"].as_array().unwrap().iter().map(|cycles| cycles.as_f64().unwrap()).collect();
        assert_eq!(cycles.len(), 4);
        assert!((number(run, "/mean_cycles/mean") - cycles.iter().sum::<f64>() / 4.0).abs() < 1e-6);
        let [low, mean, high] = ["low", "mean", "high"].map(|end| number(run, &format!("/speedup_over_first/{end}")));
        assert!(low <= mean && mean <= high, "{run}");
        assert_eq!(run["differs"], low > 1.0 || high < 1.0);
        let first = runs[place / 3 * 3]["cycles"].as_array().unwrap();
        let faster = first.iter().zip(&cycles).filter(|(first, own)| **own < first.as_f64().unwrap()).count();
        assert_eq!(run["faster"], faster);
    }
    // One of the samples is what a comparison of that input says.
    let one = place.run("run --mode dtbl --graph cit:256,seed=3 --sched most-room --json -q").stdout();
    assert_eq!(json(&one)["runs"][0]["counts"]["cycles"], runs[4]["cycles"][2]);
}

#[test]
fn a_tournament_over_sources_starts_where_there_are_neighbours() {
    let place = Place::new();
    let words = "compare sssp --graph flight:128 --modes dtbl --sched fcfs,depth-first --sources 3 --json -q";
    let result = json(&place.run(words).stdout());
    let sources = result["sources"].as_array().unwrap();
    assert_eq!(sources.len(), 3);
    assert!(!result["input"].as_str().unwrap().contains("source"), "{result}");
    let again =
        format!("run sssp --graph flight:128 --mode dtbl --sched depth-first --source {} --json -q", sources[1]);
    assert_eq!(json(&place.run(&again).stdout())["runs"][0]["counts"]["cycles"], result["runs"][1]["cycles"][1]);
}

#[test]
fn what_is_no_sample_is_refused_by_name() {
    let place = Place::new();
    let refused = |words: &str, says: &[&str]| place.run(&format!("compare {words}")).refused(2, says);
    refused("--sched fcfs,most-room --seeds 3", &["--seeds: wordnet is no generator", "--sources"]);
    refused("clr --sched fcfs,most-room --sources 3", &["--sources: clr starts from no vertex"]);
    refused("--graph cit:64 --sched fcfs,most-room --sources 100", &["fewer than 100 vertices"]);
    refused("--graph cit:64 --sched fcfs --seeds 3", &["--seeds: compares schedulers", "--sched"]);
    refused("--graph cit:64 --sched fcfs,most-room --seeds 1", &["2..=10000"]);
    refused("--graph cit:64 --sched fcfs,most-room --seeds 3 --gantt x.svg", &["--gantt"]);
    place.put("keys.txt", "1\n2\n3\n");
    refused("join --keys keys.txt,keys.txt --sched fcfs,most-room --seeds 3", &["--seeds: ", "--keys uni"]);
    assert_eq!(place.files(), ["keys.txt"]);
}

#[test]
fn a_ranking_is_a_page_a_table_and_json() {
    let place = Place::new();
    let words = "rank --sched fcfs,most-room,tb-pri,random:seed=7 --workloads join,sw,sgemm --set wave.columns=6 --set wave.rows=6";
    let text = place.run(words).stdout();
    for says in ["mean place", "join cdp", "join dtbl", "sw global", "sw lvl", "sgemm", "failed"] {
        assert!(text.contains(says), "no {says}: {text}");
    }
    assert_eq!(place.files(), ["out/rank.html", "out/rank.json"]);
    let page = std::fs::read_to_string(place.path().join("out/rank.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("random:seed=7") && page.ends_with("</html>\n"));
    let told = std::fs::read_to_string(place.path().join("out/rank.json")).unwrap();
    assert_eq!(place.run(&format!("{words} --threads 1 --json -q")).stdout(), told);
    let result = json(&told);
    let (scheds, rounds) = (result["schedulers"].as_array().unwrap(), result["rounds"].as_array().unwrap());
    assert_eq!((scheds.len(), rounds.len()), (4, 5));
    for round in rounds {
        let sizes = ["cycles", "failures"].map(|part| round[part].as_object().unwrap().len());
        assert_eq!(sizes[0] + sizes[1], 4, "{round}");
        assert_eq!(round["over_first"]["fcfs"], 1.0);
    }
    assert_eq!(number(&scheds[0], "/mean"), 1.0);
    assert!(scheds.iter().any(|sched| sched["rank"] == 1));
    place.run("rank --sched fcfs").refused(2, &["two schedulers or more"]);
    place.run("rank --sched fcfs,lcs,fcfs --workloads join").refused(2, &["fcfs is given twice"]);
    place.run("rank --sched fcfs,lcs --workloads join,join").refused(2, &["--workloads: join is given twice"]);
    place.run("rank --workloads joyn").refused(2, &["joyn"]);
}

#[test]
fn what_a_policy_answered_is_told() {
    let place = Place::new();
    let guard = "--set told.stall_limit=20 --set told.rescue=rr";
    // It never sends to an SMX other than the home of a kernel: TBs that find it full wait, and the guard sends them.
    let words = format!("compare histogram --sm gto --sched fcfs,affinity:probe=0,most-room {guard}");
    let text = place.run(&words).stdout();
    let header = text.lines().next().unwrap();
    for column in ["sent", "declined", "stalled", "rescued"] {
        assert!(header.contains(column), "no {column}: {text}");
    }
    assert!(text.contains("in the policy's place (told.rescue)") && !text.contains("wrong answers"), "{text}");
    let one = place.run("run --graph cit:512 --mode dtbl --sched most-room").stdout();
    assert!(one.contains("\nsent ") && !one.contains("\nrescued ") && !one.contains("\nstalled "), "{one}");
    let none = place.run("run --graph cit:512 --mode dtbl --sched fcfs").stdout();
    assert!(!none.contains("\nsent "), "{none}");
}
