//! Studies whose runs are runs of `gpusched run`: what a source's sheet has under "Results to reproduce", row by row, beside what comes out
//! here (workloads-SU2). A source is data (`source`); `claim` says what becomes of a statement, `measured` runs what statements need,
//! `report` tells.

mod benches;
mod bubbles;
mod causes;
mod claim;
mod dtbl;
mod laperm;
mod measured;
mod report;
mod source;
mod wireframe;

use super::told::{self, Told};
use crate::ask::Reproduce;
use crate::failure::Failure;
use crate::study::store::Store;
use anyhow::anyhow;
use claim::Outcome;
pub use claim::Unit;
use measured::How;
use report::{Report, RowTold};
pub use source::Size;
use source::{Bench, Row, Source};

pub static DTBL: &Source = &dtbl::SOURCE;
pub static LAPERM: &Source = &laperm::SOURCE;
pub static BUBBLES: &Source = &bubbles::SOURCE;
pub static WIREFRAME: &Source = &wireframe::SOURCE;

/// Runs what is asked for of a source, and writes its figures.
pub fn run(source: &'static Source, args: &Reproduce) -> Result<Told, Failure> {
    let usage = |text: String| Err(Failure::Usage(anyhow!(text)));
    if args.scale.is_some() {
        return usage(format!("--scale: {} has the sizes --quick and --full", source.name));
    }
    if args.machine.gpu.is_some() || !args.machine.assignments.is_empty() {
        let text = "runs as its source has it; gpusched study varies parameters";
        return usage(format!("--gpu, --set: {} {text}", source.name));
    }
    let size = args.size().unwrap_or(Size::Quick);
    let (benches, rows) = (chosen(source, &args.kernels)?, of_figures(source, &args.figures)?);
    let store = Store::open(&args.out)?.with_png(args.pictures.png)?;
    let how = How { store: &store, threads: args.threads, quiet: args.quiet };
    let (measured, runs) = measured::measure(source, &benches, &rows, size, &how)?;
    let outcomes = |row: &'static Row| row.claims.iter().map(|claim| Outcome::of(claim, &measured)).collect();
    let rows = rows.into_iter().map(|row| RowTold { row, outcomes: outcomes(row) }).collect();
    let report = Report { source, size, benches, rows };
    let (json, verdicts, remarks) = (report.json()?, report.verdicts(), report.remarks());
    let mut written = vec![store.write(&format!("reproduce-{}.json", source.name), &json)?];
    if let Some(picture) = told::picture(source.title, report.subtitle(), &verdicts)? {
        written.extend(store.draw(&format!("reproduce-{}", source.name), &picture)?);
    }
    let table = told::table_of(source.name, &verdicts);
    let text = format!("{}\n\n{}", source.title, told::text(&[table], &remarks));
    let (title, tables) = (source.title.to_owned(), Vec::new());
    Ok(Told { name: source.name, title, verdicts, tables, remarks, runs, text, json, written })
}

/// The benchmarks, or those of them that are named.
fn chosen(source: &'static Source, names: &[String]) -> Result<Vec<&'static Bench>, Failure> {
    if names.is_empty() {
        return Ok(source.benches.iter().collect());
    }
    let find = |name: &String| {
        let found = source.benches.iter().find(|bench| bench.name == name);
        found.ok_or_else(|| {
            Failure::Usage(anyhow!("--kernels: {name} is not part of {}, which has {}", source.name, names_of(source)))
        })
    };
    names.iter().map(find).collect()
}

fn names_of(source: &Source) -> String {
    source.benches.iter().map(|bench| bench.name).collect::<Vec<_>>().join(", ")
}

/// The rows, or those that are about these figures of the source.
fn of_figures(source: &'static Source, figures: &[u32]) -> Result<Vec<&'static Row>, Failure> {
    let has = |figure: &u32| source.rows.iter().any(|row| row.figures.contains(figure));
    if let Some(figure) = figures.iter().find(|figure| !has(figure)) {
        let mut all: Vec<u32> = source.rows.iter().flat_map(|row| row.figures).copied().collect();
        all.sort_unstable();
        all.dedup();
        let all = all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let all = if all.is_empty() { "none, only text".to_owned() } else { all };
        return Err(Failure::Usage(anyhow!(
            "--figures: the sheet has no result of figure {figure} of {}; it has: {all}",
            source.name
        )));
    }
    let about = |row: &&Row| figures.is_empty() || row.figures.iter().any(|figure| figures.contains(figure));
    Ok(source.rows.iter().filter(about).collect())
}

#[cfg(test)]
mod tests {
    use super::source::{Does, Way};
    use super::*;
    use crate::metrics;
    use crate::study::digest::Files;
    use crate::study::point::Point;

    /// The sources, each with the sheet that has its results.
    const SHEETS: [(&Source, &str); 4] = [
        (&dtbl::SOURCE, include_str!("../../../../../core/spec/dtbl.md")),
        (&laperm::SOURCE, include_str!("../../../../../core/spec/laperm.md")),
        (&bubbles::SOURCE, include_str!("../../../../../core/spec/bubble_dvfs.md")),
        (&wireframe::SOURCE, include_str!("../../../../../core/spec/dats.md")),
    ];

    /// The rows of the first table under "Results to reproduce", each by its cells.
    fn rows_of(sheet: &str) -> Vec<Vec<&str>> {
        let (_, results) = sheet.split_once("## Results to reproduce").unwrap();
        let table = results.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        table.skip(2).map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
    }

    /// What a row of a sheet has is measured, or it is said why not.
    #[test]
    fn every_row_of_a_sheet_is_here_and_says_something() {
        for (source, sheet) in SHEETS {
            let rows = rows_of(sheet);
            assert_eq!(rows.len(), source.rows.len(), "{}", source.name);
            for (cells, row) in rows.iter().zip(source.rows) {
                let agree = row.cells.iter().zip(cells).all(|(ours, sheets)| sheets.starts_with(ours));
                assert!(agree, "{}: {:?} against {cells:?}", source.name, row.cells);
                assert!(!row.claims.is_empty() || !row.without.is_empty(), "{}: {:?}", source.name, row.cells);
            }
        }
    }

    /// Nothing that is claimed of is unknown: ways, benchmarks, figures of runs.
    #[test]
    fn claims_name_what_there_is() {
        for (source, _) in SHEETS {
            for claim in source.rows.iter().flat_map(|row| row.claims) {
                for name in claim.of {
                    assert!(source.benches.iter().any(|bench| bench.name == *name), "{}: {name}", source.name);
                }
                for (way, metric) in claim.counted() {
                    let found = source.ways.iter().find(|of| of.name == way);
                    let way = found.unwrap_or_else(|| panic!("{}: {way}", source.name));
                    let known = matches!(way.does, Does::Footprint)
                        || source.benches.iter().all(|bench| {
                            let workload = bench.words.iter().find(|(key, _)| *key == "workload").unwrap().1;
                            metrics::all(crate::ask::workload(workload).unwrap()).any(|of| of.key == metric)
                        });
                    assert!(known, "{}: {metric}", source.name);
                }
            }
        }
    }

    /// Where a direction does not hold in the results that are kept, there is a cause to tell.
    #[test]
    fn what_does_not_come_out_has_a_cause() {
        for ((source, _), size) in SHEETS.iter().flat_map(|of| [(of, "quick"), (of, "full")]) {
            let name = format!("{}/results/{size}/reproduce-{}.csv", env!("CARGO_MANIFEST_DIR"), source.name);
            let mut statements = 0;
            for statement in csv::Reader::from_path(&name).unwrap().records().map(Result::unwrap) {
                let claims = || source.rows.iter().flat_map(|row| row.claims).filter(|of| of.what == &statement[1]);
                let is_told = &statement[6] != "does not hold" || claims().any(|claim| claim.cause.is_some());
                assert!(claims().count() > 0 && is_told, "{name}: {statement:?}");
                statements += 1;
            }
            assert_eq!(statements, source.rows.iter().map(|row| row.claims.len()).sum::<usize>(), "{name}");
        }
    }

    /// The options of every benchmark in every size, and of every way, are understood.
    #[test]
    fn every_run_is_one_that_can_be() {
        let resolved =
            |bench: &Bench, way: &Way, size| Point::resolve(bench.options_in(way, size), &mut Files::default());
        let can_be = |source: &Source, bench: &Bench, way: &Way, size| {
            let point = resolved(bench, way, size);
            assert!(point.is_ok(), "{} {} {}: {:?}", source.name, bench.name, way.name, point.err());
        };
        for (source, _) in SHEETS {
            // Not every benchmark runs in every way.
            for way in source.ways {
                let runs = source.benches.iter().find(|bench| resolved(bench, way, Size::Quick).is_ok());
                assert!(runs.is_some(), "{} {}", source.name, way.name);
            }
            // A way in which all run, and launch what they launch.
            let way = source.ways.iter().find(|way| !["flat", "pt"].contains(&way.name)).unwrap();
            for bench in source.benches {
                for size in [Size::Smoke, Size::Full] {
                    can_be(source, bench, way, size);
                }
            }
        }
    }
}
