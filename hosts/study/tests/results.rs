//! The tables of the pages are those of `results/quick` and `results/full`, which `gpusched reproduce ... --quick` and `--full` write.
//! After they have changed, `GPUSCHED_WRITE=1 cargo test -p gpusched-study --test results` writes the pages' anew.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

/// Of the studies that are held against their sheets.
const QUICK: [&str; 4] = [
    include_str!("../results/quick/reproduce-dtbl.csv"),
    include_str!("../results/quick/reproduce-laperm.csv"),
    include_str!("../results/quick/reproduce-bubbles.csv"),
    include_str!("../results/quick/reproduce-wireframe.csv"),
];

/// The same with large inputs.
const FULL: [&str; 4] = [
    include_str!("../results/full/reproduce-dtbl.csv"),
    include_str!("../results/full/reproduce-laperm.csv"),
    include_str!("../results/full/reproduce-bubbles.csv"),
    include_str!("../results/full/reproduce-wireframe.csv"),
];

/// What the README tells of each study: the sheet of its source, the statement as the results have it, and in other words.
const HEADLINES: [(&str, &str, &str, &str); 6] = [
    ("dtbl", "dtbl", "speedup over flat, DTBL", "DTBL, device launches of groups of TBs, over none"),
    ("dtbl", "dtbl", "speedup over CDP, DTBL", "DTBL over CDP"),
    ("laperm", "laperm", "L1 hit rate, SMX-Bind less RR, DTBL", "L1 hit rate, LaPerm's SMX-Bind less round robin"),
    ("laperm", "laperm", "IPC, Adaptive-Bind over RR, DTBL", "IPC, LaPerm's Adaptive-Bind over round robin"),
    ("bubble_dvfs", "bubbles", "energy with bubbles put to sleep, group 1", "energy with SMXs in bubbles put to sleep"),
    ("dats", "wireframe", "speedup over Global, LRR", "Wireframe, TBs in round robin, over barriers"),
];

struct Statement {
    study: String,
    what: String,
    over: String,
    stated: String,
    here: String,
    ratio: String,
    direction: String,
}

fn statements(results: [&'static str; 4]) -> Vec<Statement> {
    let of = |record: csv::StringRecord| {
        let [study, what, over, stated, here, ratio, direction] =
            [0, 1, 2, 3, 4, 5, 6].map(|place| record[place].to_owned());
        Statement { study, what, over, stated, here, ratio, direction }
    };
    let of_file = |text: &'static str| csv::Reader::from_reader(text.as_bytes()).into_records();
    results.into_iter().flat_map(of_file).map(|record| of(record.unwrap())).collect()
}

/// The lines between `from`, the head of a table, and the next empty one are to be `rows`.
fn held(page: &str, from: &str, rows: &str, changed: &mut BTreeMap<String, String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = changed.get(page).cloned().unwrap_or_else(|| fs::read_to_string(&path).unwrap());
    let (before, after) = text.split_once(from).unwrap_or_else(|| panic!("{page}: {from:?} is not there"));
    let (is, after) = after.split_once("\n\n").unwrap_or((after, ""));
    if env::var_os("GPUSCHED_WRITE").is_some() {
        changed.insert(page.to_owned(), format!("{before}{from}\n{}\n\n{after}", rows.trim_end()));
    } else {
        assert_eq!(is.trim(), rows.trim(), "{page} and hosts/study/results");
    }
}

#[test]
fn pages_tell_what_the_results_have() {
    let (all, full, mut changed) = (statements(QUICK), statements(FULL), BTreeMap::new());
    let headline = |&(sheet, study, what, words): &(&str, &str, &str, &str)| {
        let found = |all: &[Statement]| {
            let of = all.iter().find(|of| of.study == study && of.what == what);
            let of = of.unwrap_or_else(|| panic!("{study} has no statement of {what:?}"));
            (of.stated.clone(), format!("{} | {}", of.here, of.direction))
        };
        let ((stated, small), (_, large)) = (found(&all), found(&full));
        format!("| [{sheet}](core/spec/{sheet}.md) | {words} | {stated} | {small} | {large} |\n")
    };
    let head = "| sheet | claim of its source | stated | `--quick` | direction | `--full` | direction |\n|---|---|--:|--:|---|--:|---|";
    held("README.md", head, &HEADLINES.iter().map(headline).collect::<String>(), &mut changed);

    let page = "hosts/cli/docs/reproduce.md";
    let studies: Vec<&str> = all.chunk_by(|a, b| a.study == b.study).map(|of| of[0].study.as_str()).collect();
    let of = |study: &str| all.iter().filter(|of| of.study == study).collect::<Vec<_>>();
    let holds = |all: &[Statement], study: &str| {
        let directions = || all.iter().filter(|of| of.study == study && !of.direction.is_empty());
        format!("{} of {}", directions().filter(|of| of.direction == "holds").count(), directions().count())
    };
    let overview = studies
        .iter()
        .map(|study| format!("| {study} | {} | {} | {} |\n", of(study).len(), holds(&all, study), holds(&full, study)));
    held(
        page,
        "| study | statements | directions that hold | with `--full` |\n|---|--:|--:|--:|",
        &overview.collect::<String>(),
        &mut changed,
    );
    for study in ["dtbl", "laperm", "bubbles", "wireframe"] {
        let head = format!(
            "### {study}\n\n| | over | stated | `--quick` | ratio | direction | `--full` | ratio | direction |\n|---|--:|--:|--:|--:|---|--:|--:|---|"
        );
        let large = full.iter().filter(|of| of.study == study);
        let row = |(of, large): (&Statement, &Statement)| {
            let Statement { what, stated, here, ratio, direction, .. } = of;
            assert_eq!((what, stated), (&large.what, &large.stated), "{study}, with --quick and --full");
            // A benchmark may have what is counted with one size only.
            let over = if of.over == large.over { of.over.clone() } else { format!("{}, {}", of.over, large.over) };
            let Statement { here: in_full, ratio: full_ratio, direction: full_direction, .. } = large;
            format!(
                "| {what} | {over} | {stated} | {here} | {ratio} | {direction} | {in_full} | {full_ratio} | {full_direction} |\n"
            )
        };
        let own = of(study);
        assert_eq!(own.len(), large.clone().count(), "{study}, with --quick and --full");
        held(page, &head, &own.into_iter().zip(large).map(row).collect::<String>(), &mut changed);
    }
    for (page, text) in changed {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page), text).unwrap();
    }
}
