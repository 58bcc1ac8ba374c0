//! `--sched` with policies of the catalogue and of files, and `gpusched policies`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::{Place, json};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Runs a compiler that must succeed.
fn build(command: &mut Command) {
    let output = command.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A template of C or C++ as a shared library.
fn template(language: &str, compiler: &str, standard: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lib{language}.so"));
    let source = format!("hosts/policies/template-{language}/policy.{language}");
    let flags = ["-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-Iinclude"];
    build(Command::new(compiler).arg(standard).args(flags).arg(source).arg("-o").arg(&file));
    file
}

/// The template of C, but that it names an SMX that there is not in every third cycle.
fn wrong(place: &Place) -> PathBuf {
    changed(place, "choice->smx = smx;", "choice->smx = view->now % 3 ? smx : 999;")
}

/// The template of C with one thing changed.
fn changed(place: &Place, right: &str, wrong: &str) -> PathBuf {
    let source = std::fs::read_to_string(root().join("hosts/policies/template-c/policy.c")).unwrap();
    assert!(source.contains(right));
    let [code, file] = ["wrong.c", "libwrong.so"].map(|name| place.path().join(name));
    std::fs::write(&code, source.replace(right, wrong)).unwrap();
    build(Command::new("cc").args(["-std=c99", "-shared", "-fPIC", "-Iinclude"]).arg(code).arg("-o").arg(&file));
    file
}

/// The template in Rust. These tests depend on it, so that Cargo builds it beside them.
fn in_rust() -> PathBuf {
    std::env::current_exe().unwrap().with_file_name("libmine.so")
}

#[test]
fn every_policy_of_the_catalogue_runs_and_finds_the_same_levels() {
    let place = Place::new();
    let text = place.run("policies").stdout();
    let names = text.lines().skip(2).map_while(|line| line.split_whitespace().next()).collect::<Vec<_>>();
    assert_eq!(names.len(), 26, "{names:?}");
    let runs = names.iter().filter(|name| **name != "steal").copied().collect::<Vec<_>>().join(",");
    let result =
        json(&place.run(&format!("compare bfs --graph kron:7 --modes dtbl --sched {runs} --json -q")).stdout());
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 25);
    for run in runs {
        assert_eq!(run["counts"]["sm"]["tbs"], runs[0]["counts"]["sm"]["tbs"], "every TB is sent once");
        assert!(run["counts"]["decide"]["wrong"].as_object().is_none_or(|wrong| wrong.is_empty()), "{run}");
    }
}

#[test]
fn a_policy_is_told_of_with_its_source_and_its_parameters() {
    let place = Place::new();
    let text = place.run("policies bcs").stdout();
    assert!(text.contains("10.1109/HPCA.2014.6835937") && text.contains("--sched bcs:"), "{text}");
    let all = json(&place.run("policies --json").stdout());
    let names: Vec<&str> = all.as_array().unwrap().iter().map(|policy| policy["name"].as_str().unwrap()).collect();
    let table = place.run("policies").stdout();
    let of_table: Vec<_> = table.lines().skip(2).map_while(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, of_table);
    assert!(all.as_array().unwrap().iter().all(|policy| !policy["source"].as_str().unwrap().is_empty()));
    place.run("policies bsc").refused(2, &["no policy is called bsc; did you mean `bcs`?"]);
    let fcfs = json(&place.run("policies fcfs --json").stdout());
    assert_eq!((&fcfs, &fcfs["source"]), (&all[0], &"built in".into()));
    assert!(place.run("policies fcfs").stdout().contains("built in: its parameters are those of gpusched config show"));
}

#[test]
fn policies_of_files_stand_beside_the_others() {
    let place = Place::new();
    let files = [template("c", "cc", "-std=c99"), template("cpp", "c++", "-std=c++17"), in_rust()];
    let [c, cpp, rust] = files.each_ref().map(|file| file.display().to_string());
    let words = format!("compare bfs --graph kron:8 --modes dtbl --sched fcfs,{c},{cpp},{rust},{rust}:parent=no");
    let text = place.run(&words).stdout();
    for name in ["most-threads", "least-left", "youngest", "youngest:parent=no"] {
        assert!(text.lines().any(|line| line.split_whitespace().nth(1) == Some(name)), "{name}: {text}");
    }
    assert!(text.contains("every level verified"), "{text}");
    std::fs::copy(&files[0], place.path().join("other.so")).unwrap();
    // A name without a folder is a file of this one; a folder may have the sign before parameters in its name.
    place.run("run bfs --graph kron:8 --sched other.so --quiet").stdout();
    std::fs::create_dir(place.path().join("a:b")).unwrap();
    std::fs::copy(&files[2], place.path().join("a:b/rust.so")).unwrap();
    place.run("run bfs --graph kron:8 --sched ./a:b/rust.so:parent=no --quiet").stdout();
    place
        .run(&format!("rank --workloads bfs --sched fcfs,{c},./other.so"))
        .refused(2, &["--sched: two of these policies call themselves most-threads"]);
    place.run(&format!("run bfs --graph kron:8 --sched {c}:x=1")).refused(2, &["most-threads", "it has no parameters"]);
}

/// policy-P15: policies that name the TBs they send, on graphs, with every result checked and no answer refused.
#[test]
fn policies_that_name_tbs_split_units() {
    let place = Place::new();
    let scheds = "steal,steal:amount=one,chunked:order=own,strided:order=own,dist:order=own,batch-rr:order=own";
    let text = place.run(&format!("compare bfs --graph kron:8 --modes dtbl,cdp --sched {scheds}")).stdout();
    assert!(text.contains("every level verified"), "{text}");
    for name in scheds.split(',') {
        assert!(text.lines().any(|line| line.split_whitespace().nth(1) == Some(name)), "{name}: {text}");
    }
    assert!(!text.contains("SplitFull") && !text.contains("NoSplit"), "{text}");
}

#[test]
fn wrong_answers_are_told_by_name() {
    let place = Place::new();
    let text =
        place.run(&format!("compare --graph cit:512 --modes dtbl --sched fcfs,{}", wrong(&place).display())).stdout();
    assert!(text.lines().next().unwrap().ends_with("wrong answers"), "{text}");
    assert!(text.lines().any(|line| line.contains("most-threads") && line.contains("  BadSmx ")), "{text}");
}

#[test]
fn what_is_no_policy_is_said() {
    let place = Place::new();
    let run = |sched: &str| place.run(&format!("run bfs --graph kron:8 --sched {sched}"));
    run("./nothere.so").refused(2, &["./nothere.so", "No such file"]);
    run("most-rom").refused(2, &["no scheduler is called most-rom; did you mean `most-room`?"]);
    run("bcs:chunk=2").refused(2, &["bcs: no parameter chunk; it has: pass, block"]);
    run("bcs:block=99").refused(2, &["block = 99: expected a value from 1 to 64"]);
    run("steal --set told.split_cap=65536").refused(2, &["told.split_cap", "65535"]);
    std::fs::write(place.path().join("empty.so"), "").unwrap();
    run("./empty.so").refused(2, &["./empty.so"]);
    let wrong = |right: &str, wrong: &str| run(&changed(&place, right, wrong).display().to_string());
    wrong("GPUSCHED_PLUGIN_FREE", "9").refused(2, &["libwrong.so: units of its table is 9, not 0 or 1"]);
    wrong("return &table;", "return NULL;").refused(2, &["it exports no gpusched_plugin_table that gives a table"]);
    wrong("return sizeof(state);", "return SIZE_MAX / 2;").refused(2, &["most-threads", "no memory for a state of"]);
}
