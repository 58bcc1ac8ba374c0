//! `gpusched study`: every combination of what a file varies, kept, gone on with, and told.

use crate::place::{Place, json};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;

const STUDY: &str = "
title = 'Sizes of the AGT'
base = { mode = 'dtbl', set = { 'dtbl.agt_size' = 16 } }
mean_over = ['graph', 'seed']
[[runs]]
workload = 'bfs'
graph = ['kron:6', 'cit:128']
seed = [0, 1]
mode = 'dtbl'
set = { 'dtbl.agt_size' = [16, 64] }
";

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path().join("agt.toml"), STUDY).unwrap();
    place
}

/// The files of results, one after the other.
fn results(place: &Place) -> Vec<(String, Vec<u8>)> {
    let files = place.files().into_iter().filter(|file| file.starts_with("out/"));
    files.map(|file| (file.clone(), fs::read(place.path().join(file)).unwrap())).collect()
}

#[test]
fn a_study_is_run_once_and_goes_on_where_it_was_ended_with_the_same_results() {
    let place = place();
    place.run("study table agt.toml").refused(1, &["8 runs of 8 missing", "gpusched study run agt.toml"]);
    assert!(!place.path().join("out").exists(), "nothing is left where nothing was run");
    // Who only looks needs no folder to write to.
    let nowhere = place.run("study list agt.toml --out agt.toml/none").stdout();
    assert_eq!(nowhere.matches("missing").count(), 8, "{nowhere}");
    place.run("study run agt.toml --part 2/3").stdout();
    let listed = place.run("study list agt.toml").stdout();
    assert_eq!((listed.matches("done").count(), listed.matches("missing").count()), (3, 5), "{listed}");
    let first = listed.lines().next().unwrap();
    assert!(
        first.ends_with("gpusched run bfs --graph=kron:6,16,seed=2:3 --mode=dtbl --set dtbl.agt_size=16"),
        "{first}"
    );

    let told = place.run("study run agt.toml").stdout();
    let all = results(&place);
    assert_eq!(all.len(), 8 + 4, "a result for each run, CSV, Parquet, JSON lines and a picture");
    assert!(told.starts_with("Sizes of the AGT\nall runs: workload = bfs, mode = dtbl\n"), "{told}");
    let of_bases =
        told.lines().filter(|line| line.split_whitespace().any(|word| word == "16") && !line.contains("of mode"));
    assert_eq!(of_bases.inspect(|line| assert!(line.ends_with("1.000x"), "{line}")).count(), 4 + 1);
    assert!(told.contains("over graph, seed\n"), "{told}");

    // As after a power cut: some results are not there.
    for (file, _) in all.iter().step_by(3) {
        fs::remove_file(place.path().join(file)).unwrap();
    }
    assert_eq!(place.run("study run agt.toml --threads 1").stdout(), told);
    assert_eq!(results(&place), all);

    // A page with all that makes the results; made again, the same one.
    place.run("study report agt.toml --report page.html").stdout();
    let page = fs::read_to_string(place.path().join("page.html")).unwrap();
    for words in
        ["Means over graph, seed", "<svg", "FNV-1a 64", "dtbl.agt_size", "gpusched run bfs --graph=kron:6,16,seed=2:3"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(["<script", "src=", "href=", "url("].iter().all(|other| !page.contains(other)), "it needs no other file");
    place.run("study report agt.toml --report page.html").stdout();
    assert_eq!(fs::read_to_string(place.path().join("page.html")).unwrap(), page);

    let command = &first[first.find("run").unwrap()..];
    let run = json(&place.run(&format!("{command} --json -q --out single")).stdout());
    let lines = place.run("study table agt.toml --json -q").stdout();
    let row = json(lines.lines().next().unwrap());
    assert_eq!(
        row["options"],
        serde_json::json!({ "workload": "bfs", "graph": "kron:6", "seed": "0", "mode": "dtbl", "set.dtbl.agt_size": "16" })
    );
    assert_eq!(
        (&row["metrics"]["cycles"], &row["checksum"]),
        (&run["runs"][0]["metrics"]["cycles"], &run["runs"][0]["checksum"])
    );
    assert_eq!((&row["schema"], &row["ratio"]), (&"gpusched.run/1".into(), &1.0.into()));
    let csv = fs::read_to_string(place.path().join("out/agt.csv")).unwrap();
    assert!(csv.starts_with("workload,graph,seed,mode,set.dtbl.agt_size,command,key,cycles,"), "{csv}");
    assert_eq!(csv.lines().count(), 9);
    let rows = parquet_rows(&place.path().join("out/agt.parquet"));
    assert_eq!(rows.len(), 8);
    for (row, line) in rows.iter().zip(csv.lines().skip(1)) {
        let (Field::Str(key), Field::Long(cycles)) = (&row["key"], &row["cycles"]) else { panic!("{row:?}") };
        assert!(line.contains(&format!(",{key},{cycles},")), "{row:?}\n{line}");
        assert!(matches!((&row["set.dtbl.agt_size"], &row["smx_occupancy"]), (Field::Long(_), Field::Double(_))));
        assert!(matches!(row["mode"], Field::Str(_)));
    }
    let picture = fs::read_to_string(place.path().join("out/agt.svg")).unwrap();
    assert!(picture.contains("Sizes of the AGT") && picture.contains("geometric means over graph, seed"), "{picture}");
    assert_eq!(picture.matches("<circle").count(), 8 + 2, "a dot for each run, and two means");
}

/// A sample is known once, however often it is asked for: in another block, or in other words.
#[test]
fn a_run_that_blocks_share_counts_once_in_a_mean() {
    let place = Place::new();
    let means = |blocks: &[(&str, &str)]| {
        let runs = blocks.iter().map(|(graphs, seeds)| {
            format!("[[runs]]\nworkload = 'bfs'\ngraph = [{graphs}]\nmode = ['flat', 'dtbl']\nseed = [{seeds}]\n")
        });
        let study = format!("base = {{ mode = 'flat' }}\nmean_over = ['graph', 'seed']\n{}", runs.collect::<String>());
        place.put("s.toml", &study);
        let told = place.run("study run s.toml -q").stdout();
        let (_, means) = told.split_once("over graph, seed\n").unwrap();
        means.lines().filter(|line| line.contains("dtbl")).collect::<String>()
    };
    let once = means(&[("'kron:6'", "0, 1, 2")]);
    assert!(once.split_whitespace().any(|word| word == "3"), "{once}");
    assert_eq!(means(&[("'kron:6'", "0, 1"), ("'kron:6,16'", "1, 2")]), once);
    place.run("study run s.toml --part 1/2 --json").refused(2, &["--json: a part has no results of its own"]);
}

/// What one seed gives says nothing of what others would.
#[test]
fn a_single_run_has_no_interval_of_confidence() {
    let place = Place::new();
    let mean = |seeds: &str| {
        let runs = "[[runs]]\nworkload = 'bfs'\ngraph = 'kron:6'\nmode = ['flat', 'dtbl']";
        place.put("s.toml", &format!("base = {{ mode = 'flat' }}\nmean_over = ['seed']\n{runs}\nseed = [{seeds}]\n"));
        let told = place.run("study run s.toml -q").stdout();
        let (_, means) = told.split_once("over seed\n").unwrap();
        let dots = fs::read_to_string(place.path().join("out/s.svg")).unwrap().matches("<circle").count();
        (means.lines().find(|line| line.starts_with("dtbl")).unwrap().trim_end().to_owned(), dots)
    };
    let (single, dots) = mean("0");
    assert!(single.ends_with(" -") && dots == 2, "{single}, {dots} dots");
    let (three, dots) = mean("0, 1, 2");
    assert!(three.contains("x to ") && dots == 6 + 2, "{three}, {dots} dots");
}

/// Sources of one graph are no new graphs, and what all are compared with is in every ratio.
#[test]
fn only_samples_that_know_nothing_of_each_other_have_an_interval() {
    let place = Place::new();
    let has_interval = |base: &str, over: &str| {
        let runs =
            "[[runs]]\nworkload = 'bfs'\ngraph = 'kron:6'\nmode = ['flat', 'dtbl']\nseed = [0, 1]\nsource = [1, 2]\n";
        place.put("s.toml", &format!("base = {{ {base} }}\nmean_over = [{over}]\n{runs}"));
        place.run("study run s.toml -q").stdout().contains("95 % confidence")
    };
    assert!(has_interval("mode = 'flat'", "'seed'"));
    assert!(has_interval("mode = 'flat'", "'source'"));
    assert!(!has_interval("mode = 'flat'", "'seed', 'source'"));
    assert!(!has_interval("seed = 0", "'seed'"));
}

/// A ratio of 0 has no place on a logarithmic axis; the others keep theirs.
#[test]
fn a_picture_says_how_many_runs_it_cannot_show() {
    let place = Place::new();
    place.put(
        "z.toml",
        "metric = 'launches'\nbase = { set = { 'bfs.min_child' = 16 } }\n[[runs]]\nworkload = 'bfs'\ngraph = 'kron:8'\n\
         set = { 'bfs.min_child' = [16, 60, 100000] }\n",
    );
    place.run("study run z.toml -q").stdout();
    let picture = fs::read_to_string(place.path().join("out/z.svg")).unwrap();
    assert!(picture.contains("1 have no ratio above 0 and no dot"), "{picture}");
    let places: BTreeSet<&str> =
        picture.split("<circle cx=\"").skip(1).filter_map(|circle| circle.split('"').next()).collect();
    assert_eq!(places.len(), 2, "{picture}");
}

/// The rows of a Parquet file of a study, which says what it is.
fn parquet_rows(path: &Path) -> Vec<BTreeMap<String, Field>> {
    let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let about = file.metadata().file_metadata().key_value_metadata().unwrap();
    let about = |key: &str| about.iter().find(|of| of.key == key).and_then(|of| of.value.clone()).unwrap();
    assert_eq!((about("gpusched.schema"), about("gpusched.metric")), ("gpusched.study-rows/2".into(), "cycles".into()));
    assert_eq!(about("gpusched.figure.time_us"), "time at SMX clock (us)");
    assert_eq!(about("gpusched.figure.dram_gb_per_s"), "DRAM bandwidth (GB/s)");
    file.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns().into_iter().collect()).collect()
}

/// Runs that load one trace, which is read kernel by kernel on several threads.
#[test]
fn runs_of_one_trace_share_it_on_any_number_of_threads() {
    let place = Place::new();
    place.run("run bfs --mode flat --graph kron:5 --export-trace tr -q").stdout();
    fs::write(place.path().join("t.toml"), "[[runs]]\ntrace = 'tr'\ngpu = 'k20c'\nsm = ['lrr', 'gto']\n").unwrap();
    let told =
        [1, 2].map(|threads| place.run(&format!("study run t.toml --threads {threads} --out o{threads}")).stdout());
    assert_eq!(told[0].replace("o1/", "o2/"), told[1]);
    let listed = json(&place.run("study list t.toml --out o1 --json").stdout());
    assert_eq!(listed.as_array().unwrap().iter().filter(|run| run["done"] == true).count(), 2, "{listed}");
    // The model takes a trace as it takes a workload.
    let estimate = json(&place.run("model --trace tr --gpu k20c --json -q").stdout());
    assert!(estimate.to_string().contains("k20c"), "{estimate}");
}

/// A result that is damaged is no other's, and says what helps.
#[test]
fn a_damaged_result_says_what_helps() {
    let place = Place::new();
    fs::write(place.path().join("s.toml"), "[[runs]]\nworkload = 'bfs'\ngraph = 'kron:5'\nmode = 'flat'\n").unwrap();
    place.run("study run s.toml").stdout();
    let file = place.files().into_iter().find(|file| file.starts_with("out/runs/")).unwrap();
    let whole = fs::read_to_string(place.path().join(&file)).unwrap();
    let no_number = whole.replacen("\"cycles\": ", "\"cycles\": \"many\", \"others\": ", 1);
    assert_ne!(no_number, whole);
    for damaged in [&whole[..whole.len() / 2], &no_number] {
        fs::write(place.path().join(&file), damaged).unwrap();
        place.run("study table s.toml").refused(1, &[&file, "without the file the run is simulated again"]);
    }
    fs::remove_file(place.path().join(&file)).unwrap();
    place.run("study run s.toml").stdout();
    assert_eq!(fs::read_to_string(place.path().join(&file)).unwrap(), whole);
}

#[test]
fn a_result_is_named_by_what_it_depends_on() {
    let place = Place::new();
    let keys = |study: &str| {
        fs::write(place.path().join("s.toml"), study).unwrap();
        let listed = place.run("study list s.toml").stdout();
        listed.lines().map(|line| line.split_whitespace().nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    fs::write(place.path().join("a.txt"), "0 1\n1 2\n").unwrap();
    fs::create_dir(place.path().join("b")).unwrap();
    fs::write(place.path().join("b/a.txt"), "0 1\n1 2\n").unwrap();
    fs::write(place.path().join("c.txt"), "0 1\n1 2\n").unwrap();
    let of =
        |graph: &str, more: &str| keys(&format!("[[runs]]\nworkload = 'bfs'\ngraph = ['{graph}']\n{more}"))[0].clone();
    let first = of("a.txt", "");
    assert_eq!(of("b/a.txt", ""), first, "where a file lies is all one");
    assert_ne!(of("c.txt", ""), first, "but its name is in the result");
    assert_eq!(of("a.txt", "mode = 'dtbl'"), first, "and so is that the usual way is named");
    assert_eq!(of("a.txt", "set.l1.ways = 4"), first, "or a parameter set to what it is");
    let others = [
        of("a.txt", "mode = 'flat'"),
        of("a.txt", "set.l1.ways = 8"),
        of("a.txt", "source = 1"),
        of("a.txt", "undirected = true"),
    ];
    fs::write(place.path().join("a.txt"), "0 1\n1 3\n").unwrap();
    let all: std::collections::BTreeSet<String> = others.into_iter().chain([first, of("a.txt", "")]).collect();
    assert_eq!(all.len(), 6, "ways, parameters, options and contents are not");
}

#[test]
fn a_report_is_not_broken_by_what_its_study_is_called() {
    let place = Place::new();
    let title = "</title><script>alert('1')</script>&";
    place.put("s.toml", &format!("title = \"{title}\"\n[[runs]]\nworkload = 'bfs'\ngraph = ['kron:6', 'kron:7']\n"));
    place.run("study run s.toml -q").stdout();
    assert_eq!(place.run("study report s.toml -q").stdout(), "");
    let page = fs::read_to_string(place.path().join("out/s.html")).unwrap();
    assert!(
        !page.contains("<script")
            && page.contains("<title>&lt;/title&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;</title>")
    );
    place.run("study report s.toml --report s.pdf").refused(2, &["expected a file name that ends in .html"]);
}

#[test]
fn what_fails_is_told_and_keeps_nothing_else_from_being_run() {
    let place = Place::new();
    fs::write(place.path().join("bad.txt"), "0 1\nx y\n").unwrap();
    fs::write(place.path().join("s.toml"), "[[runs]]\nworkload = 'bfs'\ngraph = ['bad.txt', 'kron:6']\n").unwrap();
    place.run("study run s.toml").refused(1, &["1 run of 2 failed; the others are kept", "bad.txt:2"]);
    assert_eq!(place.files().iter().filter(|file| file.starts_with("out/runs/")).count(), 1);
    place.run("study table s.toml").refused(1, &["1 run of 2 missing"]);

    let kept = place.files().into_iter().find(|file| file.starts_with("out/runs/")).unwrap();
    fs::write(place.path().join(&kept), "{").unwrap();
    place.run("study table s.toml").refused(1, &["cannot take the result of a run from", &kept, "EOF"]);
    place.run("study run none.toml").refused(2, &["study none.toml"]);
    place.run("study run s.toml --part 3/2").refused(2, &["expected I/N with I from 1 to N"]);
}
