//! `gpusched study`: runs over every combination of what a file varies, kept as they come, so that a study goes on where it was ended.
//!
//! `plan` reads the file and says which runs there are, each of which is a `gpusched run` with its options; `point` is one of them, with
//! the name of its result, which follows from all that the result depends on; `store` keeps results in a folder; `rows` puts them into
//! a table and into files for programs, `means` sums them up, and draws; `report` makes a page of all that. `elsewhere` is for runs on
//! other machines.
//!
//! ```
//! use gpusched_study::{Failure, ask, study};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let file = folder.path().join("agt.toml");
//! std::fs::write(&file, "
//!     base = { set = { 'dtbl.agt_size' = 16 } }
//!     [[runs]]
//!     workload = 'bfs'
//!     graph = 'kron:8'
//!     mode = 'dtbl'
//!     set = { 'dtbl.agt_size' = [16, 64] }
//! ").unwrap();
//! let results = ask::Results { out: folder.path().join("out"), json: false, quiet: true };
//! let study = ask::Study { file, results, pictures: ask::Pictures::default() };
//! let args = ask::StudyRun { study, part: None, threads: None };
//! let table = study::run(&args)?;
//! assert!(table.contains("set.dtbl.agt_size"), "{table}");
//! assert_eq!(table, study::run(&args)?, "all has been run");
//! # Ok::<(), Failure>(())
//! ```

pub(crate) mod digest;
pub mod elsewhere;
mod means;
mod parquet;
mod plan;
pub(crate) mod point;
mod report;
mod rows;
pub(crate) mod store;

use crate::ask;
use crate::failure::Failure;
use crate::input::Input;
use crate::job::Job;
use crate::output::{self, NamedFile};
use crate::progress::Count;
use crate::side_by_side;
use crate::simulate::{self, Run};
use crate::trace::plural;
use anyhow::anyhow;
pub use digest::is_in_library;
use plan::Plan;
use point::Point;
use rows::Rows;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use store::{Record, Results, Store};

/// Runs what has not been run so far, writes the files, and gives the text for standard output.
///
/// # Errors
/// A file that is no study, runs that cannot be; runs that failed, after all others have been run; Ctrl-C, after which the same command
/// goes on.
pub fn run(args: &ask::StudyRun) -> Result<String, Failure> {
    let quiet = args.study.results.quiet;
    if args.part.is_some() && args.study.results.json {
        return Err(Failure::Usage(anyhow!(
            "--json: a part has no results of its own; they are those of the whole study"
        )));
    }
    let (plan, store) = opened(&args.study)?;
    let mine = plan.points.iter().enumerate().filter(|(number, _)| args.part.is_none_or(|part| part.has(*number)));
    let mine: Vec<&Point> = mine.map(|(_, point)| point).collect();
    keep_all(&mine, &store, args.threads, quiet)?;
    match args.part {
        Some(ask::Part { number, of }) => {
            Ok(format!("part {number}/{of} has been run: {}\n", plural(mine.len() as u64, "run")))
        }
        None => shown(&plan, &store, &args.study),
    }
}

/// The table of what has been run, and the files.
///
/// # Errors
/// A file that is no study, and runs that are missing.
pub fn table(args: &ask::Study) -> Result<String, Failure> {
    let (plan, store) = opened(args)?;
    shown(&plan, &store, args)
}

/// Writes a report, a page that needs no other file, and tells where.
///
/// # Errors
/// A file that is no study, and runs that are missing.
pub fn report(args: &ask::StudyReport) -> Result<String, Failure> {
    let file = args.report.as_deref().map(|file| NamedFile::open("--report", file, "html")).transpose()?;
    let (plan, store) = (Plan::read(&args.file)?, Store::open(&args.out)?);
    let records = results(&plan, &store, &args.file)?;
    let page = report::page(&Rows::new(&plan, &records)?, &args.file)?;
    let path = match file {
        Some(file) => file.write("", &page)?,
        None => store.write(&format!("{}.html", plan.name), &page)?,
    };
    Ok(if args.quiet { String::new() } else { format!("written: {}\n", path.display()) })
}

/// The runs as commands, a line each.
///
/// # Errors
/// A file that is no study.
pub fn list(args: &ask::Study) -> Result<String, Failure> {
    args.pictures.refused("study list")?;
    let (plan, results) = (Plan::read(&args.file)?, Results::of(&args.results.out)?);
    let mut runs = Vec::new();
    for Point { key, command, .. } in &plan.points {
        runs.push(Listed { key, command, done: results.load(key)?.is_some() });
    }
    if args.results.json {
        return output::json(&runs);
    }
    let line = |Listed { key, command, done }: &Listed<'_>| {
        format!("{} {key} {command}\n", if *done { "done   " } else { "missing" })
    };
    Ok(runs.iter().map(line).collect())
}

/// A run in the list.
#[derive(Serialize)]
struct Listed<'a> {
    key: &'a str,
    /// As a command of its own.
    command: &'a str,
    /// Whether its result is kept.
    done: bool,
}

/// The study, and where its results are kept.
fn opened(args: &ask::Study) -> Result<(Plan, Store), Failure> {
    let plan = Plan::read(&args.file)?;
    if plan.base.is_none() {
        args.pictures.refused("a study without a base")?;
    }
    Ok((plan, Store::open(&args.results.out)?.with_png(args.pictures.png)?))
}

/// What is kept of the runs, of which none is missing.
fn results(plan: &Plan, store: &Store, file: &Path) -> Result<Vec<Record>, Failure> {
    let records: Vec<Option<Record>> =
        plan.points.iter().map(|point| store.load(&point.key)).collect::<Result<_, _>>()?;
    let without = plan.points.iter().zip(&records).filter(|(_, record)| record.is_none());
    let missing: Vec<&str> = without.map(|(point, _)| point.command.as_str()).collect();
    if let [first, ..] = missing.as_slice() {
        let of = format!("{} of {} missing, such as {first}", plural(missing.len() as u64, "run"), records.len());
        let how = format!("gpusched study run {0} simulates them, gpusched study list {0} names all", file.display());
        return Err(Failure::Failed(anyhow!("{of}; {how}")));
    }
    Ok(records.into_iter().flatten().collect())
}

fn shown(plan: &Plan, store: &Store, args: &ask::Study) -> Result<String, Failure> {
    let records = results(plan, store, &args.file)?;
    let rows = Rows::new(plan, &records)?;
    let lines = rows.json_lines()?;
    let mut written = vec![
        store.write(&format!("{}.jsonl", plan.name), &lines)?,
        store.write(&format!("{}.csv", plan.name), rows.csv()?)?,
        store.write(&format!("{}.parquet", plan.name), rows.parquet()?)?,
    ];
    if let Some(picture) = rows.picture()? {
        written.extend(store.draw(&plan.name, &picture)?);
    }
    output::answer((args.results.json, args.results.quiet), &written, || rows.text(), || Ok(lines))
}

/// An input that several runs share: there from when the first of them begins to when the last is over.
#[derive(Default)]
struct Shared {
    input: Mutex<Option<Arc<Input>>>,
    left: Mutex<usize>,
}

impl Shared {
    fn get(&self, point: &Point) -> Result<Arc<Input>, Failure> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(input) = &*input {
            return Ok(Arc::clone(input));
        }
        Ok(Arc::clone(input.insert(Arc::new(point.load()?))))
    }

    fn put_back(&self) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left -= 1;
        if *left == 0 {
            *self.input.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// Simulates what is not kept of these, and keeps what comes out.
///
/// # Errors
/// Runs that failed, after all others have been run; Ctrl-C, after which the same goes on.
pub(crate) fn keep_all(
    points: &[&Point],
    store: &Store,
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<(), Failure> {
    let missing = not_kept(points, store)?;
    let keep = |point: &Point, input: &Input, run: &Run| store.keep(point, input, run);
    goes_on(simulate_all(&missing, threads, quiet, keep), quiet)
}

/// Those of these that are not kept; one of several with the same result.
fn not_kept<'a>(points: &[&'a Point], store: &Store) -> Result<Vec<&'a Point>, Failure> {
    let mut seen = BTreeSet::new();
    let mut missing = Vec::new();
    for point in points {
        if seen.insert(&point.key) && store.load(&point.key)?.is_none() {
            missing.push(*point);
        }
    }
    Ok(missing)
}

/// Says, of what Ctrl-C has ended, that the same command goes on.
pub(crate) fn goes_on<T>(ended: Result<T, Failure>, quiet: bool) -> Result<T, Failure> {
    if matches!(ended, Err(Failure::Interrupted)) {
        output::remark("what has been simulated is kept; the same command goes on\n", quiet);
    }
    ended
}

/// Simulates these, and hands each verified run to `keep`. One that fails does not keep the others from being run.
fn simulate_all(
    points: &[&Point],
    threads: Option<NonZeroUsize>,
    quiet: bool,
    keep: impl Fn(&Point, &Input, &Run) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let mut inputs = BTreeMap::<String, Shared>::new();
    for point in points {
        *inputs.entry(point.input()).or_default().left.get_mut().unwrap_or_else(PoisonError::into_inner) += 1;
    }
    let at_once = side_by_side::at_once(threads, points.len());
    let count = Count::new(points.len(), quiet);
    let failed = side_by_side::each(points, threads, |point, ended| {
        let shared = &inputs[&point.input()];
        let outcome = shared.get(point).and_then(|input| {
            input.fits(at_once)?;
            let job = Job { workload: point.workload, input: &input, setup: &point.setup };
            let run = simulate::one(job, &point.variant, ended)?;
            keep(point, &input, &run)
        });
        shared.put_back();
        count.done(&point.command);
        match outcome {
            Ok(()) => Ok(None),
            Err(Failure::Interrupted) => Err(Failure::Interrupted),
            Err(failure) => Ok(Some(format!("{}: {failure}", point.command))),
        }
    })?;
    drop(count);
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    if failed.is_empty() {
        return Ok(());
    }
    let of = format!("{} of {} failed; the others are kept", plural(failed.len() as u64, "run"), points.len());
    Err(Failure::Failed(anyhow!("{of}\n  {}", failed.join("\n  "))))
}
