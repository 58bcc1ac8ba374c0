//! Each workload from end to end: runs five ways, is verified, takes its own input and options, refuses others'.

use crate::place::{Place, json};
use serde_json::Value;

/// Compares all modes on one thread and on two; gives the result, with `checks` in what people see.
#[track_caller]
fn compare(words: &str, says: &[&str]) -> Value {
    let place = Place::new();
    let one = place.run(&format!("compare {words} --json --threads 1")).stdout();
    assert_eq!(place.run(&format!("compare {words} --json --threads 2")).stdout(), one, "threads make no difference");
    let text = place.run(&format!("compare {words} --modes flat,dtbli")).stdout();
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
fn persistent_threads_compare_where_they_are_asked_for() {
    let place = Place::new();
    let result = json(&place.run("compare bfs --graph kron:8 --modes flat,dtbl,pt --json").stdout());
    let runs = result["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["checksum"] == runs[0]["checksum"] && run["verified"] == true));
    assert_eq!((&runs[2]["mode"], &runs[2]["counts"]["sm"]["tbs"]), (&"pt".into(), &104.into()));
    for workload in ["sssp", "clr", "join", "amr", "bht", "pre", "regx"] {
        let refused = format!("--mode pt: {workload} has modes: flat, cdp, cdpi, cdp2, dtbl, dtbli");
        place.run(&format!("run {workload} --mode pt")).refused(2, &[&refused]);
        place.run(&format!("compare {workload} --modes flat,pt")).refused(2, &[&refused]);
    }
}

#[test]
fn meshes_are_as_large_as_their_options_say() {
    let place = Place::new();
    let text = place.run("compare amr --set amr.side=4").stdout();
    for says in
        ["4 x 4 cells, refined up to 2 times: ", "every cell verified against a recursion", "generated inputs, seed 1"]
    {
        assert!(text.contains(says), "no {says:?} in {text}");
    }
    let words = "compare amr --set amr.side=4 --set amr.depth=1 --modes flat,cdp,cdp2,dtbl,dtbli --json";
    let result = json(&place.run(words).stdout());
    assert_eq!(result["mesh"]["name"], "4x4-depth-1");
    for (key, value) in [("side", 4), ("depth", 1), ("cells", 784)] {
        assert_eq!(result["mesh"][key], value);
    }
    let runs = result["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["checksum"] == runs[0]["checksum"] && run["verified"] == true));
    let launches: Vec<_> = runs.iter().map(|run| run["counts"]["sm"]["launches"].as_u64().unwrap()).collect();
    assert_eq!(launches, [0, 12, 12, 12, 12]);
    let reseeded = json(&place.run("run amr --set amr.side=4 --set amr.depth=1 --set amr.seed=2 --json").stdout());
    assert_ne!(reseeded["runs"][0]["checksum"], runs[0]["checksum"]);
    let refused = "amr: option `side`: expected a power of two, 1 to 128 cells, found 24";
    place.run("run amr --set amr.side=24").refused(2, &[refused]);
    place.run("run amr --set amr.depth=40").refused(2, &["option `depth`: expected 0 to 3 levels, found 40"]);
    place
        .run("run amr --set amr.cover=all")
        .refused(2, &["expected one of the options depth, launch_insts, seed, side"]);
    place.run("run amr --graph kron:4").refused(2, &["--graph", "amr takes --set amr.side and amr.depth"]);
    let idle = "--set amr.launch_insts has no effect: no mode that launches runs";
    place.run("run amr --mode flat --set amr.launch_insts=4").refused(2, &[idle]);
}

#[test]
fn products_compare_by_who_takes_their_tiles() {
    let place = Place::new();
    let words = "compare gemm --tiles 7x2 --set gemm.inner=64 --set sm.count=1";
    let text = place.run(words).stdout();
    for says in
        ["14 tiles; 12 TBs are there", "1.17 waves", "every element verified", "hardware   persistent   stream-k"]
    {
        assert!(text.contains(says), "no {says:?} in {text}");
    }
    let result = json(&place.run(&format!("{words} --json")).stdout());
    let runs = result["runs"].as_array().unwrap();
    let part = json(r#"{"name": "7x2 tiles of 64", "columns": 7, "rows": 2, "inner": 64, "provenance": ""}"#);
    for key in ["name", "columns", "rows", "inner"] {
        assert_eq!(result["product"][key], part[key]);
    }
    assert!(runs.iter().all(|run| run["checksum"] == runs[0]["checksum"] && run["verified"] == true));
    let tbs: Vec<_> = runs.iter().map(|run| (&run["dispatch"], &run["counts"]["sm"]["tbs"])).collect();
    assert_eq!(
        tbs,
        [(&"hardware".into(), &14.into()), (&"persistent".into(), &12.into()), (&"stream-k".into(), &12.into())]
    );
    place.run("run gemm --dispatch stream-k --tiles 3x1 --set gemm.inner=16").stdout();
}

#[test]
fn what_a_product_does_not_take_is_told() {
    let place = Place::new();
    place.run("run gemm --mode flat").refused(2, &["--mode: gemm has dispatches: hardware, persistent, stream-k"]);
    place.run("run bfs --dispatch persistent").refused(2, &["--dispatch: bfs has modes: flat"]);
    place.run("compare gemm --dispatch streamk").refused(2, &["did you mean `stream-k`?"]);
    place.run("run gemm --divide 2").refused(2, &["--divide: gemm is no wavefront"]);
    place.run("run gemm --graph kron:8").refused(2, &["--graph: gemm takes --tiles"]);
    place
        .run("run gemm --tiles 1025x1")
        .refused(2, &["option `columns`: expected 1 to 1024 columns of tiles, found 1025"]);
    place.run("run gemm --tiles 4294967295").refused(1, &["gemm: matrices of", "of memory"]);
    place.run("run gemm --set gemm.inner=12").refused(2, &["option `inner`: expected a multiple of 8"]);
    place.run("run gemm --tiles 3x1 --set wave.columns=3").refused(2, &["wave.columns"]);
    place.run("footprint gemm").refused(2, &["footprint: the TBs of gemm launch no others"]);
}

#[test]
fn product_recommendation_compares() {
    let says = ["the count of every pair of items", "ratings", "32 users, 300 items, up to 30 ratings each"];
    let result = compare("pre --set pre.users=32 --set pre.items=300 --set pre.cut=30", &says);
    let ratings = &result["ratings"];
    assert_eq!((&ratings["users"], &ratings["items"], &ratings["cut"]), (&32.into(), &300.into(), &30.into()));
    assert_eq!(ratings["provenance"], "generated in place of MovieLens 100K, seed 1; no licence needed");
    assert_eq!(result["workload"]["options"]["min_child"], 16);
    assert_eq!(result["runs"][1]["counts"]["sm"]["launches"], 32);
    let place = Place::new();
    place.run("run pre --graph kron:8").refused(2, &["--graph: pre takes --set of pre.users"]);
    place.run("run pre --set pre.cut=19").refused(2, &["option `cut`: expected 20 to 737, found 19"]);
    place.run("run pre --mode flat --set pre.min_child=17").refused(2, &["no mode that launches runs"]);
    place.run("run pre --set pre.shape=var").refused(2, &["expected one of the options cover, cut, items,"]);
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
fn trees_of_bodies_compare() {
    let place = Place::new();
    let words = "compare bht --set bht.bodies=100 --set bht.seed=3";
    let text = place.run(words).stdout();
    for says in ["100 bodies, uniform in the unit cube", "generated inputs, seed 3", "which nodes act, and every force"]
    {
        assert!(text.contains(says), "no {says:?} in {text}");
    }
    let result = json(&place.run(&format!("{words} --json --threads 1")).stdout());
    assert_eq!(json(&place.run(&format!("{words} --json --threads 2")).stdout()), result, "threads make no difference");
    assert_eq!(result["bodies"]["bodies"], 100);
    let runs = result["runs"].as_array().unwrap();
    assert!(runs.len() == 5 && runs.iter().all(|run| run["verified"] == true));
    // Who launches goes past a level of the tree; how does not matter.
    assert!(runs[1..].iter().all(|run| run["checksum"] == runs[1]["checksum"]));
    assert!(runs[1..].iter().all(|run| run["counts"]["sm"]["launches"].as_u64() >= Some(100)));
    place.run("run bht --mode flat --set bht.bodies=1").stdout();
    place.run("run bht --mode flat --set bht.cover=all").refused(2, &["bht.cover has no effect"]);
    place.run("run bht --graph kron:8").refused(2, &["--graph", "bht takes --set bht.bodies and --set bht.seed"]);
    place.run("run bht --set bht.bodies=0").refused(2, &["option `bodies`: expected 1 to 2^20 bodies, found 0"]);
    place.run("run bht --set bht.shape={fixed=1025}").refused(2, &["option `shape`"]);
}

#[test]
fn searches_for_patterns_compare() {
    let words = "regx --streams string:20,15";
    let result = compare(words, &["every match", "streams  string:20,15,seed=1: 20 streams, 300 bytes"]);
    assert_eq!((&result["streams"]["bytes"], &result["graph"]), (&300.into(), &Value::Null));
    let place = Place::new();
    place.run("run regx --streams packets:1 --mode flat").stdout();
    place.run("run regx --streams darpa").refused(2, &["streams `darpa`: expected string[:N[,LENGTH]]"]);
    place.run("run regx --keys uni").refused(2, &["--keys", "regx takes --streams"]);
    place.run("run regx --memory 1G").refused(2, &["--memory", "regx takes --streams"]);
    place.run("run bfs --streams string").refused(2, &["--streams", "bfs takes --graph"]);
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
    place
        .run("run join --keys uni:20,30 --set join.flat=thread")
        .refused(2, &["join.flat = thread: expected one of the options cover"]);
    place.run("run clr --graph kron:8 --set clr.min_child=0").refused(2, &["clr", "min_child", "1 or more"]);
    place.run("run apsp").refused(2, &["apsp", "sssp", "join"]);
}

/// FNV-1a 64 of words, as results are summed.
fn checksum(words: &[u32]) -> String {
    let byte = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    format!("{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, byte))
}

/// The distances that `sssp` finds from vertex 0 are these.
#[track_caller]
fn distances(place: &Place, words: &str, wanted: &[u32]) -> Value {
    let result = json(&place.run(&format!("run sssp --source 0 --mode flat --json --quiet {words}")).stdout());
    assert_eq!(result["runs"][0]["checksum"], checksum(wanted), "{words}");
    result["graph"].clone()
}

#[test]
fn what_is_found_of_each_vertex_can_be_written() {
    let place = Place::new();
    place.put("g.txt", "0 1 3\n1 2 4\n3 4 1\n");
    for (words, rows) in [
        ("bfs --graph g.txt --source 0", "vertex,level\n0,0\n1,1\n2,2\n3,\n4,\n"),
        ("sssp --graph g.txt --source 0", "vertex,distance\n0,0\n1,3\n2,7\n3,\n4,\n"),
    ] {
        let told = place.run(&format!("run {words} --results found.csv")).stdout();
        assert!(told.contains("written: ") && told.contains("found.csv"), "{told}");
        assert_eq!(std::fs::read_to_string(place.path().join("found.csv")).unwrap(), rows);
    }
    place.run("compare clr --graph g.txt --undirected --modes flat,dtbl --results c.csv -q").stdout();
    let colours = ["flat", "dtbl"].map(|mode| {
        let file = place.files().into_iter().find(|file| file.starts_with("c-") && file.contains(mode)).unwrap();
        std::fs::read_to_string(place.path().join(file)).unwrap()
    });
    assert!(colours[0] == colours[1] && colours[0].lines().count() == 6, "{colours:?}");
    place
        .run("run join --results f.csv")
        .refused(2, &["--results: join has no number for each vertex; bfs, sssp and clr have"]);
    place.run("run bfs --results f.txt").refused(2, &["--results f.txt: expected a file name that ends in .csv"]);
    place.put("g.csv", "from,to\n0,1\n");
    place
        .run("run bfs --graph g.csv --results ./g.csv")
        .refused(2, &["--results ./g.csv: the input is read from there"]);
    place.run("run bfs --graph kron:6 --format mtx").refused(2, &["--format: kron:6,16,seed=2:3 is no file"]);
    place
        .run("run bfs --mode flat --results f.csv --export-trace t")
        .refused(2, &["--results: take either it or --export-trace"]);
}

#[test]
fn arcs_go_one_way_unless_they_are_made_to_go_both() {
    let place = Place::new();
    place.put("d.txt", "0 1 10\n1 0 1\n1 2 5\n");
    let graph = distances(&place, "--graph d.txt", &[0, 10, 15]);
    assert_eq!((&graph["direction"], &graph["arcs"]), (&"directed".into(), &3.into()));
    assert_eq!(graph["undirected_edges"], Value::Null);
    let graph = distances(&place, "--graph d.txt --undirected", &[0, 1, 6]);
    assert_eq!((&graph["direction"], &graph["undirected_edges"]), (&"made undirected".into(), &2.into()));
    let text = |words: &str| place.run(words).stdout();
    let shown = text("run sssp --source 0 --mode flat --graph d.txt");
    assert!(shown.contains("d.txt: 3 vertices, 3 arcs, directed, source 0"), "{shown}");
    let shown = text("run --source 0 --mode flat --graph d.txt --undirected");
    assert!(shown.contains("d.txt: 3 vertices, 2 edges, made undirected, source 0"), "{shown}");
    // From vertex 2 nothing is reached, but for itself.
    place.run("run --mode dtbl --source 2 --graph d.txt").stdout();
    let info = json(&text("graph info d.txt --source 2 --json"));
    assert_eq!((&info["search"]["reached"], &info["direction"]), (&1.into(), &"directed".into()));
    assert!(text("graph info d.txt").contains("out-degree"));
    // Neighbours have to differ in colour, so they have to see each other.
    place.run("run clr --graph d.txt").refused(2, &["an arc leads from vertex 1 to 2, and none back", "--undirected"]);
    text("run clr --graph d.txt --undirected --mode flat");
    text("footprint bfs --graph d.txt");
    place.run("run join --undirected").refused(2, &["--undirected"]);
}

#[test]
fn weights_are_those_of_the_file_or_are_said_to_be_made() {
    let place = Place::new();
    let matrix = |field: &str, entries: &str| format!("%%MatrixMarket matrix coordinate {field}\n3 3 2\n{entries}");
    place.put("real.mtx", &matrix("real general", "1 2 0.25\n2 3 1.5\n"));
    place.run("run sssp --graph real.mtx").refused(1, &["real.mtx:3: expected a whole weight", "found 0.25"]);
    let graph = distances(&place, "--graph real.mtx --weight-scale 100", &[0, 25, 175]);
    assert_eq!(graph["weights"], json(r#"{"from": "scaled", "scale": 100.0}"#));
    let shown = place.run("run sssp --mode flat --graph real.mtx --weight-scale 100").stdout();
    assert!(shown.contains("weights  0.25 to 1.5, multiplied by 100 and rounded: 25 to 150"), "{shown}");
    place.run("run bfs --mode flat --graph real.mtx").stdout();
    for (weight, says) in [
        ("-7", "real.mtx:4: expected a weight in 1..=4294967294, found -7"),
        ("4294967295", "found 4294967295"),
        ("1e300", "found 1e300"),
        ("nan", "real.mtx:4: expected a weight, a finite number, found `nan`"),
        ("inf", "found `inf`"),
    ] {
        place.put("real.mtx", &matrix("real symmetric", &format!("2 1 2\n3 2 {weight}\n")));
        place.run("run sssp --graph real.mtx").refused(1, &[says]);
    }
    place.put("real.mtx", &matrix("real symmetric", "2 1 -2\n3 2 0.5\n"));
    let shown = place.run("graph info real.mtx").stdout();
    assert!(shown.contains("-2 to 0.5"), "{shown}");
    place.put("bare.mtx", &matrix("pattern symmetric", "2 1\n3 2\n"));
    let result = json(&place.run("run sssp --mode flat --graph bare.mtx --json --quiet").stdout());
    assert_eq!(result["graph"]["weights"], json(r#"{"from": "hash"}"#));
    let shown = place.run("run sssp --mode flat --graph bare.mtx").stdout();
    assert!(shown.contains("weights  the graph has none; made from the ends of each edge"), "{shown}");
    let road = json(&place.run("run sssp --mode flat --graph road:2 --json --quiet").stdout());
    assert_eq!(road["graph"]["weights"], json(r#"{"from": "source"}"#));
    place.run("run sssp --graph bare.mtx --weight-scale 2").refused(2, &["--weight-scale", "bare.mtx"]);
    place.run("run bfs --graph bare.mtx --weight-scale 2").refused(2, &["--weight-scale"]);
}

#[test]
fn a_vertex_a_byte_order_mark_and_standard_input_are_taken() {
    let place = Place::new();
    place.put("one.graph", "1 0\n\n");
    place.put("s.txt", "5\n7\n");
    for workload in ["bfs", "sssp", "clr"] {
        let result = json(&place.run(&format!("compare {workload} --graph one.graph --json --quiet")).stdout());
        assert_eq!(result["runs"].as_array().unwrap().len(), 5);
    }
    assert_eq!(json(&place.run("graph info one.graph --json").stdout())["vertices"], 1);
    place.run("graph info one.graph").stdout();
    place.run("footprint --graph one.graph").stdout();
    place.put("mark.txt", "\u{feff}0 1\n1 2\n");
    assert!(place.run("graph info mark.txt").stdout().contains("mark.txt"));
    let read = |words: &str, input: &str| place.run_with(words, input.as_bytes()).stdout();
    let result = json(&read("run --mode flat --graph - --json --quiet", "0 1\n1 2\n"));
    assert_eq!((&result["graph"]["name"], &result["graph"]["arcs"]), (&"stdin".into(), &2.into()));
    assert!(read("graph info - --format metis", "3 2\n2\n1 3\n2\n").contains("undirected edges"));
    assert!(read("run join --mode flat --keys -,./s.txt", "5\n").contains("stdin"));
    assert_eq!(json(&read("graph info - --json -q", "p edge 5 1\ne 1 2\n"))["vertices"], 5);
    read("graph check -", "digraph { a -> b }");
    read("config show --gpu -", "\u{feff}base = \"gtx480\"\n");
    assert!(read("config show --gpu -", "base = \"gtx480\"\n").starts_with("gtx480"));
}
