//! Dependency graphs of TBs: what `graph check` finds out, what it writes, and what it refuses.

use crate::place::{Place, json};
use serde_json::Value;

#[track_caller]
fn check(place: &Place, words: &str) -> Value {
    json(&place.run(&format!("graph check {words} --json --quiet")).stdout())
}

#[test]
fn a_safe_graph_runs_as_it_should() {
    let place = Place::new();
    let found = check(&place, "wavefront:64x64");
    assert_eq!((&found["schema"], &found["admission"]["verdict"]), (&"gpusched.depgraph/1".into(), &"safe".into()));
    // Sheet `dats`, derived checks: 127 levels, 8,064 edges, 256 and 126 requests.
    assert_eq!((&found["levels"], &found["dependencies"], &found["nodes"]), (&127.into(), &8064.into(), &4096.into()));
    let run = &found["run"];
    assert_eq!((&run["node_requests"], &run["edge_requests"], &run["tbs"]), (&256.into(), &126.into(), &4096.into()));
    assert_eq!((&found["bytes"]["nodes"], &found["bytes"]["edges"]), (&32_768.into(), &16_128.into()));
    assert_eq!((&found["farthest"]["distance"], &found["buffer_bytes"]), (&64.into(), &2304.into()));
    assert_eq!(
        (&found["admission"]["safe_pub"], &found["with_spill"], &run["deadlock"]),
        (&0.into(), &Value::Null, &Value::Null)
    );
    // A level after the other: the longest path takes 127 TBs' times.
    let level_by_level = check(&place, "wavefront:64x64 --policy lvl:0");
    assert!(level_by_level["run"]["cycles"].as_u64().unwrap() >= 127_000);
    assert_eq!(
        (&level_by_level["run"]["max_level_range"], &level_by_level["host"]["policy"]["lvl"]["bound"]),
        (&0.into(), &0.into())
    );
}

/// Sheet `dats`, "Reading it": the graph that deadlocks near tail 6,239 though not every schedule does.
#[test]
fn a_graph_that_may_deadlock_is_told_where_and_what_helps() {
    let place = Place::new();
    let words = "wavefront:128x128 --tb-threads 192 --tb-cycles 3000-7000 --memory-cycles 400";
    let found = check(&place, words);
    let admission = &found["admission"];
    assert_eq!((&admission["verdict"], &admission["node"]["name"]), (&"may_deadlock".into(), &"(104, 7)".into()));
    assert_eq!(found["run"]["deadlock"]["vid"], 6239);
    assert_eq!(found["with_spill"]["tbs"], 16_384);
    assert!(found["with_spill"]["decrements"].as_u64().unwrap() > 0);
    assert_eq!(found["host"]["places"], 120);
    // What it says of the smallest PUBs is so, and what would help helps.
    let (safe, possible) = (admission["safe_pub"].as_u64().unwrap(), admission["possible_pub"].as_u64().unwrap());
    let verdict = |place: &Place, words: &str| {
        check(place, &format!("wavefront:128x128 {words}"))["admission"]["verdict"].clone()
    };
    assert_eq!(verdict(&place, &format!("--dgb 128,512,{safe}")), "safe");
    assert_eq!(verdict(&place, &format!("--dgb 128,512,{}", safe - 1)), "may_deadlock");
    assert_eq!(verdict(&place, &format!("--dgb 128,512,{possible}")), "may_deadlock");
    assert_eq!(verdict(&place, &format!("--dgb 128,512,{}", possible - 1)), "deadlocks");
    let larger = &admission["larger"];
    assert_eq!(verdict(&place, &format!("--dgb {},{},64", larger["lna"], larger["lea"])), "safe");
    let needs = found["with_largest_pub"]["pub_max"].as_u64().unwrap();
    assert!(needs > 64);
    assert_eq!(check(&place, &format!("{words} --dgb 128,512,{needs}"))["run"]["deadlock"], Value::Null);
    let spills = check(&place, &format!("{words} --spill"));
    assert_eq!((&spills["run"], &spills["buffer"]["spill"]), (&found["with_spill"], &true.into()));
}

#[test]
fn barriers_that_cannot_run_are_told_in_words() {
    let place = Place::new();
    let text = place.run("graph check barrier:21x4").stdout();
    for part in
        ["DEADLOCKS in any schedule, at TB 4", "have 70 updates", "would help     LNA 256 with LEA 1024", "--spill"]
    {
        assert!(text.replace("\n               ", " ").contains(part), "no {part:?} in {text}");
    }
    let text = place.run("graph check barrier:600x3").stdout();
    assert!(text.contains("NEVER FITS: TB 0") && text.contains("has 600 children"), "{text}");
    assert!(!text.contains("\nrun "), "it cannot be run: {text}");
    let text = place.run("graph check barrier:600x3 --spill").stdout();
    assert!(text.contains("\nrun ") && text.contains("updates of memory"), "{text}");
    let text = place.run("graph check relay:600x3").stdout();
    assert!(text.contains("DEADLOCKS") || text.contains("NEVER FITS"), "{text}");
    for shape in ["wavefront:9x9x2", "relay:100x4", "wavefront:1x1", "barrier:40x9"] {
        let text = place.run(&format!("graph check {shape}")).stdout();
        assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    }
}

#[test]
fn files_are_read_and_nodes_go_by_their_names() {
    let place = Place::new();
    place.put("tasks.dot", "digraph tasks { load -> {gemm0 gemm1} -> \"all reduce\" -> store }");
    place.put("tasks.csv", "parent,child\n0,1\n0,2\n1,3\n2,3\n3,4\n");
    let (dot, list) = (check(&place, "tasks.dot"), check(&place, "tasks.csv"));
    assert_eq!((&dot["run"], &dot["widths"]), (&list["run"], &json("[1, 2, 1, 1]")));
    let text = place.run("graph check tasks.dot --dgb 3,1,0 --chunk 16 --prefetch eager").stdout();
    assert!(text.contains("NEVER FITS: `load` (TB 0), VID 0, level 0 has 2 children"), "{text}");
    assert!(text.contains("LNA 3, LEA 1, PUB 0") && text.contains("chunks of 16 bytes, at once"), "{text}");
    assert!(place.run("graph check tasks.csv").stdout().starts_with("tasks.csv\nfile tasks.csv; "));
}

#[test]
fn the_levelled_graph_is_written_for_graphviz() {
    let place = Place::new();
    place.put("tasks.dot", "digraph { a -> b -> {c d}; a -> d }");
    let text = place.run("graph check tasks.dot --dot pictures/levels.dot").stdout();
    assert!(text.ends_with("written: pictures/levels.dot\n"), "{text}");
    let written = std::fs::read_to_string(place.path().join("pictures/levels.dot")).unwrap();
    assert!(written.contains("rank=same") && written.contains("VID 3"), "{written}");
    graphviz_rust::parse(&written).unwrap();
    let (before, after) = (check(&place, "tasks.dot"), check(&place, "pictures/levels.dot"));
    assert_eq!((&before["run"], &before["widths"]), (&after["run"], &after["widths"]));
    place.run("graph check tasks.dot --dot levels.svg").refused(2, &["--dot levels.svg", ".dot"]);
    place.run("graph check tasks.dot --dot tasks.dot/levels.dot").refused(1, &["cannot write to folder tasks.dot"]);
}

#[test]
fn results_are_the_same_in_every_run() {
    let place = Place::new();
    let words = "wavefront:40x30 --tb-cycles 100-900 --memory-cycles 50 --policy lvl:2";
    let one = check(&place, words);
    assert_eq!(one, check(&place, words));
    assert!(one["run"]["max_level_range"].as_u64().unwrap() <= 2);
}

#[test]
fn bad_graphs_are_told_with_file_and_line() {
    let place = Place::new();
    for (name, text, says) in [
        ("a.txt", "0 1\n1 two\n", "a.txt:2: expected the index of a TB, found `two`"),
        ("b.txt", "0 1\n2 2\n", "b.txt:2: expected a parent other than the TB itself, found TB 2 twice"),
        ("c.txt", "0 1\n1 2\n2 0\n", "c.txt:3: expected dependencies without a cycle, found 0 -> 1 -> 2 -> 0"),
        ("d.txt", "0 65535\n", "d.txt:1: expected the index of a TB in 0..=65534, found 65535"),
        ("e.txt", "# nothing\n", "e.txt:2: expected a dependency `parent child`, found the end of the file"),
        (
            "f.dot",
            "digraph {\n a -> b\n b -> a\n}",
            "f.dot:3: expected dependencies without a cycle, found `a` -> `b` -> `a`",
        ),
        ("g.dot", "graph { a -- b }", "g.dot:1: expected a directed graph (`digraph`), found `graph`"),
        ("h.dot", "digraph { a -> \n", "h.dot:2: expected `{` or a name, found the end of the file"),
        ("i.list", "0 1\n", "i.list: cannot tell the format"),
    ] {
        place.put(name, text);
        place.run(&format!("graph check {name}")).refused(1, &[says]);
    }
    place.run("graph check none.dot").refused(1, &["none.dot: No such file"]);
    place.run("graph check tasks").refused(2, &["tasks", "wavefront:XxY", ".dot"]);
    place.run("graph check wavefront:300x300").refused(2, &["at most 65535 TBs"]);
}

#[test]
fn bad_buffers_and_hosts_are_told() {
    let place = Place::new();
    let run = |words: &str| place.run(&format!("graph check wavefront:4x4 {words}"));
    run("--dgb 128,512").refused(2, &["LNA,LEA,PUB"]);
    run("--dgb 16,512,64").refused(2, &["dats.lna = 16", "more than the nodes of a chunk"]);
    run("--dgb 128,0,64").refused(2, &["--dgb", "lea = 0", "1 to 65535"]);
    run("--chunk 12").refused(2, &["--chunk", "chunk_bytes = 12", "multiple of 8"]);
    run("--prefetch never").refused(2, &["never", "eager"]);
    run("--policy lvl").refused(2, &["lvl:BOUND"]);
    run("--tb-cycles 0").refused(2, &["cycles from 1 on"]);
    run("--tb-threads 0").refused(2, &["--tb-threads"]);
    run("--tb-threads 4096").refused(2, &["--tb-threads 4096", "1 to 1536"]);
    run("--gpu k40").refused(2, &["k40", "gtx480"]);
    assert_eq!(check(&place, "wavefront:4x4 --dgb 16,8,0 --chunk 64 --gpu k20c")["host"]["smxs"], 13);
}

#[test]
fn the_demonstration_shows_what_lvl_is_for() {
    let place = Place::new();
    let text = place.run("demo wavefront").stdout();
    let row = |label: &str| {
        let line = text.lines().find(|line| line.starts_with(label)).unwrap();
        line[label.len()..]
            .split_whitespace()
            .map(|word| word.trim_end_matches(['x', '%']).replace(',', ""))
            .collect::<Vec<_>>()
    };
    let number = |label: &str, column: usize| row(label)[column].parse::<f64>().unwrap();
    assert_eq!(row("24 x 24 tiles"), ["barriers", "lrr", "lvl(3)"]);
    assert!(number("time (cycles)", 0) > 1.2 * number("time (cycles)", 1));
    assert!(number("levels apart, at most", 1) > 3.0 && number("levels apart, at most", 2) == 3.0);
    assert!(number("SMX occupancy", 2) > number("SMX occupancy", 0));
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.is_ascii()), "{text}");
    assert_eq!(place.files(), ["out/wavefront-example.svg"]);
    let picture = || std::fs::read_to_string(place.path().join("out/wavefront-example.svg")).unwrap();
    let first = picture();
    assert!(first.contains("level range") && first.contains("lvl(3)"));
    assert_eq!(place.run("demo wavefront --quiet").stdout() + "\nwritten: out/wavefront-example.svg\n", text);
    assert_eq!(picture(), first);
}
