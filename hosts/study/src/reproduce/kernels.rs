//! Studies of policies inside the SMs (workloads-SU1): kernels under each policy, every figure beside that under the first one.

use super::quantity::Quantity;
use super::size;
use super::suites::{Claim, Column, Suite};
use super::told::{self, Head, Told, Verdict};
use crate::ask::{Input as InputArgs, Kernel, KernelArgs, Reproduce, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::{self, Job};
use crate::output;
use crate::page::runs::Runs;
use crate::simulate;
use crate::study::digest::Files;
use crate::study::point::Point;
use crate::study::store::Store;
use crate::table::{self, Table};
use crate::variant::Variant;
use crate::way::Way;
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched_refgpu::stats::RunStats;
use gpusched_workloads::catalogue::{self, Entry};
use serde::Serialize;
use std::collections::BTreeMap;

/// What came out for one kernel under one policy.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Of the column.
    pub policy: &'static str,
    /// By the names of quantities; those against the first policy are absent there.
    pub figures: BTreeMap<&'static str, f64>,
}

/// A kernel.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub kernel: &'static str,
    pub group: &'static str,
    /// Times the usual work.
    pub scale: u32,
    pub cells: Vec<Cell>,
}

/// A mean that the source reports, and ours.
#[derive(Clone, Debug, Serialize)]
struct Outcome {
    group: &'static str,
    policy: &'static str,
    /// The mean is over that of this policy.
    over: Option<&'static str>,
    quantity: &'static str,
    source: Option<f64>,
    measured: Option<f64>,
    /// The least and the greatest of a kernel.
    least: Option<f64>,
    most: Option<f64>,
    kernels: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    kernels: &'a [Row],
    means: &'a [Outcome],
}

/// Runs a study, and writes its figures.
pub fn run(suite: &'static Suite, args: &Reproduce) -> Result<Told, Failure> {
    let setup = Setup::resolve(&args.machine, suite.gpu)?;
    setup.only_of(&[])?;
    let machine = |column| {
        let Variant { way, gpu, .. } = variant(column, &setup)?;
        job::machine(&setup, way, &gpu)
    };
    setup.check_effect(&suite.columns.iter().map(machine).collect::<Result<Vec<_>, _>>()?, &[])?;
    let kernels = chosen(suite, &args.kernels)?;
    let store = Store::open(&args.out)?.with_png(args.pictures.png)?;
    let mut rows = Vec::with_capacity(kernels.len());
    for (place, (entry, group)) in kernels.iter().enumerate() {
        output::remark(&format!("{} ({} of {})\n", entry.name, place + 1, kernels.len()), args.quiet);
        rows.push(row(suite, (*entry, *group), &setup, &store, args)?);
    }
    let outcomes: Vec<Outcome> = suite.claims.iter().map(|claim| outcome(claim, &rows)).collect();
    let document =
        Document { head: Head::new("gpusched.reproduce/1", suite.name, &setup), kernels: &rows, means: &outcomes };
    let json = output::json(&document)?;
    let path = store.write(&format!("reproduce-{}.json", suite.name), &json)?;
    let mut written = vec![path];
    let verdicts: Vec<Verdict> =
        suite.claims.iter().zip(&outcomes).map(|(claim, outcome)| verdict(claim, outcome, &rows)).collect();
    let title = args.suite.about();
    if let Some(picture) = told::picture(&title, format!("{} kernels; results verified", rows.len()), &verdicts)? {
        written.extend(store.draw(&format!("reproduce-{}", suite.name), &picture)?);
    }
    let mut tables: Vec<Table> = suite.shown.iter().map(|quantity| of_quantity(suite, quantity, &rows)).collect();
    tables.extend(profile(suite, &rows));
    let remarks = remarks(suite, &setup, args, &rows);
    let text = told::text(&[&tables[..], &[means(suite, &outcomes)]].concat(), &remarks);
    let runs = runs(suite, &rows, args)?;
    Ok(Told { name: suite.name, title, verdicts, tables, remarks, runs, text, json, written })
}

/// The kernels of the suite, or those of them that are named, by group.
fn chosen(suite: &Suite, names: &[String]) -> Result<Vec<(&'static Entry, &'static str)>, Failure> {
    let of_suite = |entry: &'static Entry| (suite.group)(entry).map(|group| (entry, group));
    let mut chosen = Vec::new();
    for name in names {
        let entry = catalogue::find(name).map_err(|error| Failure::Usage(anyhow!("--kernels: {error}")))?;
        let none = || Failure::Usage(anyhow!("--kernels: {name} is not part of {}", suite.name));
        chosen.push(of_suite(entry).ok_or_else(none)?);
    }
    if names.is_empty() {
        chosen.extend(catalogue::entries().filter_map(of_suite));
    }
    let place = |group| suite.groups.iter().position(|&one| one == group);
    chosen.sort_by_key(|(_, group)| place(*group));
    Ok(chosen)
}

/// One kernel under every policy.
fn row(
    suite: &Suite,
    (entry, group): (&'static Entry, &'static str),
    setup: &Setup,
    store: &Store,
    args: &Reproduce,
) -> Result<Row, Failure> {
    let workload = Workload::Kernel(Kernel(entry));
    let refused = |error| Failure::Failed(anyhow::Error::new(error).context(entry.name));
    let filling = || if suite.waves == 0 { Ok(1) } else { size::filling(entry, &setup.gpu, suite.waves) };
    let scale = asked_scale(args).map_or_else(filling, Ok).map_err(refused)?;
    // Policies that run the kernel in the same form run side by side.
    let mut runs: Vec<Option<RunStats>> = suite.columns.iter().map(|_| None).collect();
    let mut forms: Vec<Option<u32>> = suite.columns.iter().map(|column| column.loop_warps).collect();
    forms.sort_unstable();
    forms.dedup();
    for form in forms {
        let places: Vec<usize> = (0..suite.columns.len()).filter(|&c| suite.columns[c].loop_warps == form).collect();
        let kernel = KernelArgs { scale: Some(scale), loop_warps: form };
        let input = Input::load(workload, &InputArgs::default(), &kernel, setup, true)?;
        let variants = places.iter().map(|&c| variant(&suite.columns[c], setup)).collect::<Result<Vec<_>, _>>()?;
        let job = Job { workload, input: &input, setup };
        let counts = simulate::counts(job, &variants, store, args.threads, args.quiet)?;
        places.into_iter().zip(counts).for_each(|(place, run)| runs[place] = Some(run));
    }
    let runs: Vec<RunStats> = runs.into_iter().flatten().collect();
    let cell = |(column, run): (&Column, &RunStats)| Cell {
        policy: column.name,
        figures: Quantity::ALL
            .iter()
            .filter_map(|quantity| quantity.of(run, &runs[0]).map(|value| (quantity.key, value)))
            .collect(),
    };
    Ok(Row { kernel: entry.name, group, scale, cells: suite.columns.iter().zip(&runs).map(cell).collect() })
}

fn variant(column: &Column, setup: &Setup) -> Result<Variant, Failure> {
    let mut gpu = setup.gpu.clone();
    for (key, value) in column.settings {
        gpu.set(key, value).map_err(|error| Failure::Usage(anyhow!("{}: {error}", column.name)))?;
    }
    Ok(Variant { way: Way::Sm(column.policy), sched: None, bubble: None, gpu })
}

/// What the claim is about, of each kernel.
fn values(claim: &Claim, rows: &[Row]) -> Vec<f64> {
    let Claim { of, policy, over, quantity, .. } = *claim;
    let rows = rows.iter().filter(|row| of.members.is_empty() || of.members.contains(&row.group));
    let value = |row: &Row| {
        let value = row.figure(policy, quantity)?;
        over.map_or(Some(value), |over| Some(value / row.figure(over, quantity)?))
    };
    rows.filter_map(value).collect()
}

/// The mean that `claim` is about.
fn outcome(claim: &Claim, rows: &[Row]) -> Outcome {
    let Claim { of, policy, over, quantity, source, .. } = *claim;
    let values = values(claim, rows);
    let measured = (!values.is_empty()).then(|| quantity.mean.of(&values));
    let (least, most) = (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max));
    Outcome {
        group: of.name,
        policy,
        over,
        quantity: quantity.key,
        source,
        measured,
        least,
        most,
        kernels: values.len(),
    }
}

/// The same as a statement of the source.
fn verdict(claim: &Claim, outcome: &Outcome, rows: &[Row]) -> Verdict {
    let quantity = claim.quantity;
    let both = outcome.source.zip(outcome.measured);
    let direction = both.and_then(|(source, here)| quantity.agree(here, source));
    Verdict {
        group: outcome.group.to_owned(),
        what: format!("{}, {}, {}", quantity.label, policies(outcome), outcome.group),
        over: outcome.kernels,
        stated: outcome.source.map_or_else(String::new, |source| quantity.text(Some(&source))),
        here: quantity.text(outcome.measured.as_ref()),
        ratio: both.map(|(source, here)| here / source),
        direction,
        cause: claim.why.filter(|_| direction == Some(false)).and_then(|why| why(rows)),
        factors: both.filter(|_| quantity.is_factor()).map(|(source, here)| (here, source, values(claim, rows))),
    }
}

fn policies(outcome: &Outcome) -> String {
    outcome.over.map_or_else(|| outcome.policy.to_owned(), |over| format!("{} / {over}", outcome.policy))
}

/// The runs as those of `gpusched run`.
fn runs(suite: &Suite, rows: &[Row], args: &Reproduce) -> Result<Runs, Failure> {
    let (mut runs, mut files) = (Runs::default(), Files::default());
    for row in rows {
        for column in suite.columns {
            runs.point(&Point::resolve(options(suite, row, column, args), &mut files)?)?;
        }
    }
    Ok(runs)
}

/// What `gpusched run` is told of a kernel under a policy.
fn options(suite: &Suite, row: &Row, column: &Column, args: &Reproduce) -> Vec<(String, String)> {
    let gpu = args.machine.gpu.as_deref().unwrap_or(suite.gpu);
    let scale = row.scale.to_string();
    let warps = column.loop_warps.map(|warps| ("loop-warps".to_owned(), warps.to_string()));
    let own = [("workload", row.kernel), ("gpu", gpu), ("scale", &scale), ("sm", &column.policy.to_string())];
    let own = own.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let set = column.settings.iter().map(|&(key, value)| (key, value));
    // What a column sets stands for what is given.
    let by_column = |key: &str| column.settings.iter().chain(column.policy.settings()).any(|(of, _)| *of == key);
    let given = args.machine.assignments.iter().filter(|of| !by_column(&of.key));
    let given = given.map(|of| (of.key.as_str(), of.value.as_str()));
    let set = set.chain(given).map(|(key, value)| (format!("set.{key}"), value.to_owned()));
    own.into_iter().chain(warps).chain(set).collect()
}

impl Row {
    /// What came out under a policy.
    pub fn figure(&self, policy: &str, quantity: &Quantity) -> Option<f64> {
        let cell = self.cells.iter().find(|cell| cell.policy == policy)?;
        cell.figures.get(quantity.key).copied()
    }
}

/// What the suite shows of a quantity: a row per kernel, a column per policy.
fn of_quantity(suite: &Suite, quantity: &Quantity, rows: &[Row]) -> Table {
    let columns: Vec<usize> = (0..suite.columns.len()).filter(|&column| column > 0 || quantity.of_base).collect();
    let mut header = vec![quantity.label.to_owned(), "type".to_owned()];
    header.extend(columns.iter().map(|&column| suite.columns[column].name.to_owned()));
    let alignment: Vec<_> = [Left, Left].into_iter().chain(columns.iter().map(|_| Right)).collect();
    let mut text = table::new(header, &alignment);
    for row in rows {
        let figures = columns.iter().map(|&column| quantity.text(row.cells[column].figures.get(quantity.key)));
        text.add_row([row.kernel.to_owned(), row.group.to_owned()].into_iter().chain(figures));
    }
    text
}

/// What kernels are short of: a row per kernel, a column per quantity and policy.
fn profile(suite: &Suite, rows: &[Row]) -> Option<Table> {
    if suite.profile.is_empty() {
        return None;
    }
    let mut header = vec!["what for".to_owned(), "type".to_owned()];
    header.extend(suite.profile.iter().map(|(quantity, policy)| format!("{}, {policy}", quantity.label)));
    let alignment: Vec<_> = [Left, Left].into_iter().chain(suite.profile.iter().map(|_| Right)).collect();
    let mut text = table::new(header, &alignment);
    for row in rows {
        let figures =
            suite.profile.iter().map(|(quantity, policy)| quantity.text(row.figure(policy, quantity).as_ref()));
        text.add_row([row.kernel.to_owned(), row.group.to_owned()].into_iter().chain(figures));
    }
    Some(text)
}

/// What the source reports, and what came out.
fn means(suite: &Suite, outcomes: &[Outcome]) -> Table {
    let header = [suite.name, "kernels", "policy", "mean", "source", "here", "least", "most"].map(str::to_owned);
    let mut text = table::new(header.to_vec(), &[Left, Right, Left, Left, Right, Right, Right, Right]);
    for (claim, outcome) in suite.claims.iter().zip(outcomes) {
        let figures = [outcome.source, outcome.measured, outcome.least, outcome.most];
        let words =
            [outcome.group.to_owned(), outcome.kernels.to_string(), policies(outcome), claim.quantity.label.to_owned()];
        text.add_row(words.into_iter().chain(figures.map(|figure| claim.quantity.text(figure.as_ref()))));
    }
    text
}

/// Times the usual work, if that is asked for: a quick study does with the usual work.
fn asked_scale(args: &Reproduce) -> Option<u32> {
    args.scale.or(args.quick.then_some(1))
}

fn kernels_words(suite: &Suite, args: &Reproduce) -> String {
    let much = match (asked_scale(args), suite.waves) {
        (Some(times), _) => format!("{times} times the usual work"),
        (None, 0) => "the usual work".to_owned(),
        (None, waves) => format!("so much of each that its first grid fills the machine {waves} times"),
    };
    format!("made after the source's tables; {much}")
}

fn remarks(suite: &Suite, setup: &Setup, args: &Reproduce, rows: &[Row]) -> Vec<(&'static str, String)> {
    let mut remarks = vec![
        ("GPU", setup.told()),
        ("kernels", kernels_words(suite, args)),
        ("base", format!("{}: what the others are compared with", suite.columns[0].name)),
        ("means", "speedup, energy and the like: geometric; shares: arithmetic".to_owned()),
    ];
    remarks.extend(suite.remarks.iter().map(|&(word, remark)| (word, remark.to_owned())));
    remarks.extend(suite.notes.iter().filter_map(|note| note(rows)).map(|note| ("measured", note)));
    remarks
}
