//! `gpusched reproduce models`: the execution-time model beside the reference GPU, over every workload, with what its errors come from.
//!
//! What an error comes from is found by asking the model again, with a part of its answer left out or with a figure of the run that it
//! has to guess otherwise: see [`CAUSES`].

use super::told::{self, Head, Told};
use crate::ask::{self, Input as InputArgs, KernelArgs, Reproduce, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::{self, Job};
use crate::model::on_gpu::{self, Measured};
use crate::output;
use crate::page::runs::Runs;
use crate::rank::LONG;
use crate::side_by_side;
use crate::statistics::{median, spearman};
use crate::study::store::Store;
use crate::table::{self, Table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched::models::exec::{self, ExecConfig, ExecEstimate, ExecInputs};
use gpusched_workloads::catalogue::{self, Category, Kind};
use serde::Serialize;

/// What the model leaves out, as its equations stand.
const MISSED: [(&str, &str); 9] = [
    (
        "functions",
        "how long special functions take: they are left out of the instructions, and count only as far as their unit is short",
    ),
    (
        "ports",
        "that an LSU takes a transaction a cycle, and L2 sends an SM 32 bytes a cycle: only DRAM's bandwidth is a limit",
    ),
    (
        "L2",
        "the way to it and back: an access takes as long as DRAM if it misses both caches, else as long as an L1 hit",
    ),
    (
        "queues",
        "L1's MSHRs and miss queue, which refuse accesses and stop the LSU, and queues of L2 and DRAM: latency is fixed",
    ),
    ("rows", "DRAM's rows and banks: bandwidth is always the peak"),
    (
        "phases",
        "a kernel's parts: one mean instruction mix, one mean number of warps from the first TB to the end of the last",
    ),
    (
        "barriers",
        "how long warps wait for each other: 64 times the share of DRAM latency for every barrier (Gamma), for any GPU",
    ),
    (
        "divergence",
        "branches that leave lanes behind, and what stores take of the LSU: o_cfdiv is 0, a store is as a load",
    ),
    ("sharing", "what SMs do to each other in L2, and warps in L1: the miss ratio is that of the run"),
];

/// The model asked otherwise.
struct Cause {
    name: &'static str,
    what: &'static str,
    inputs: fn(&Measured) -> ExecInputs,
    /// Cycles that it takes at least.
    at_least: fn(&Measured) -> f64,
}

/// What errors may come from.
const CAUSES: [Cause; 5] = [
    Cause { name: "no barriers", what: "no term for barriers", inputs: without_barriers, at_least: |_| 0.0 },
    Cause {
        name: "AMAT",
        what: "the mean latency of loads in the run as AMAT",
        inputs: with_latency,
        at_least: |_| 0.0,
    },
    Cause {
        name: "SFU",
        what: "special functions among the instructions, with their latency",
        inputs: with_functions,
        at_least: |_| 0.0,
    },
    Cause {
        name: "ports",
        what: "a transaction of an LSU a cycle, and a flit from L2, at most",
        inputs: |of| of.inputs,
        at_least: |of| of.ports,
    },
    Cause {
        name: "all",
        what: "all of these",
        inputs: |of| {
            let of = Measured { inputs: without_barriers(of), ..*of };
            with_functions(&Measured { inputs: with_latency(&of), ..of })
        },
        at_least: |of| of.ports,
    },
];

fn without_barriers(of: &Measured) -> ExecInputs {
    ExecInputs { sync_insts: 0.0, ..of.inputs }
}

fn with_latency(of: &Measured) -> ExecInputs {
    let amat = (of.load_latency > 0.0).then_some(of.load_latency);
    ExecInputs { amat: amat.or(of.inputs.amat), ..of.inputs }
}

fn with_functions(of: &Measured) -> ExecInputs {
    let ExecInputs { insts, sfu_insts, avg_inst_lat, .. } = of.inputs;
    let all = insts + sfu_insts;
    let latency = if all > 0.0 { (insts * avg_inst_lat + sfu_insts * of.sfu_latency) / all } else { avg_inst_lat };
    ExecInputs { insts: all, avg_inst_lat: latency, ..of.inputs }
}

/// A workload.
#[derive(Debug, Serialize)]
struct Row {
    kernel: &'static str,
    /// What it is short of by the sources' tables, `algorithm` of those that are no kernels, or `-`.
    kind: &'static str,
    /// So many times the usual work; null for algorithms, whose input says how much there is.
    scale: Option<u32>,
    measured: u64,
    estimated: f64,
    /// As a part of the measured time.
    error: f64,
    /// The same, of the model asked otherwise: by cause.
    otherwise: [f64; CAUSES.len()],
    load_latency: f64,
    inputs: ExecInputs,
    estimate: ExecEstimate,
}

/// Some of the workloads.
#[derive(Debug, Serialize)]
struct Group {
    name: String,
    workloads: usize,
    median_error: f64,
    /// The model's time over the measured one, or the inverse, whichever is greater: the geometric mean.
    mean_factor: f64,
    rank_correlation: f64,
}

/// What a cause explains.
#[derive(Debug, Serialize)]
struct Explained {
    cause: &'static str,
    median_error: f64,
    mean_factor: f64,
    rank_correlation: f64,
    /// Of the logarithms of all factors, the part that goes with it.
    share: f64,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    kernels: &'a [Row],
    median_error: f64,
    worst: Option<&'static str>,
    worst_error: f64,
    rank_correlation: f64,
    groups: &'a [Group],
    causes: &'a [Explained],
    missed: &'static [(&'static str, &'static str)],
}

/// Runs the suite, and writes its figures.
pub fn run(args: &Reproduce) -> Result<Told, Failure> {
    let setup = Setup::resolve(&args.machine, on_gpu::GPU)?;
    let workloads = chosen(args)?;
    setup.only_of(&workloads)?;
    setup.check_options(workloads.iter().map(|&workload| on_gpu::plainest(workload)))?;
    setup.leaves(&["sm.policy"], "reproduce models")?;
    if args.scale.is_some() && !workloads.iter().copied().any(is_kernel) {
        return Err(Failure::Usage(anyhow!("--scale has no effect: the work of an algorithm is its input's")));
    }
    let machine = |&workload: &Workload| job::machine(&setup, on_gpu::plainest(workload), &setup.gpu);
    setup.check_effect(&workloads.iter().map(machine).collect::<Result<Vec<_>, _>>()?, &[])?;
    let store = Store::open(&args.out)?;
    let done = side_by_side::each(&workloads, args.threads, |&workload, useless| {
        let scale = is_kernel(workload).then_some(args.scale.unwrap_or(1));
        let kernel = KernelArgs { scale, loop_warps: None };
        let input = Input::load(workload, &InputArgs::default(), &kernel, &setup, true)?;
        let measured = on_gpu::measured(Job { workload, input: &input, setup: &setup }, &store, useless)?;
        output::remark(&format!("{}: {} cycles\n", workload.name(), measured.cycles), args.quiet);
        Ok((row(workload, scale, &measured)?, input))
    })?;
    let (rows, inputs): (Vec<Row>, Vec<Input>) = done.into_iter().unzip();
    let worst = rows.iter().max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
    let groups = groups(&rows);
    let causes: Vec<Explained> =
        CAUSES.iter().enumerate().map(|(place, cause)| explained(cause, place, &rows)).collect();
    let document = Document {
        head: Head::new("gpusched.reproduce-models/2", "models", &setup),
        kernels: &rows,
        median_error: median(rows.iter().map(|row| row.error.abs())),
        worst: worst.map(|row| row.kernel),
        worst_error: worst.map_or(0.0, |row| row.error),
        rank_correlation: ranks(&rows, |row| row.error),
        groups: &groups,
        causes: &causes,
        missed: &MISSED,
    };
    let json = output::json(&document)?;
    let path = store.write("reproduce-models.json", &json)?;
    let mut runs = Runs::default();
    for (&workload, input) in workloads.iter().zip(&inputs) {
        let scale = args.scale.filter(|_| is_kernel(workload)).map_or_else(String::new, |n| format!(" --scale {n}"));
        let machine = if args.machine.gpu.is_none() { format!(" --gpu {}", on_gpu::GPU) } else { String::new() };
        let command = format!("gpusched model --from-run {}{scale}{machine}{}", workload.name(), args.machine.words());
        runs.command(command, &setup, workload, on_gpu::plainest(workload), input)?;
    }
    let tables = vec![by_kernel(&rows), by_group(&groups), by_cause(&causes)];
    let remarks = summary(&document, &setup, args.quick && args.kernels.is_empty());
    let (text, title) = (told::text(&tables, &remarks), args.suite.about());
    let (verdicts, written) = (Vec::new(), vec![path]);
    Ok(Told { name: "models", title, verdicts, tables, remarks, runs, text, json, written })
}

/// Every workload, or those that are named.
fn chosen(args: &Reproduce) -> Result<Vec<Workload>, Failure> {
    if args.kernels.is_empty() {
        let kernels = catalogue::entries().filter(|entry| !(args.quick && LONG.contains(&entry.name)));
        let kernels = kernels.map(|entry| Workload::Kernel(ask::Kernel(entry)));
        return Ok(kernels.chain(Workload::of_sources()).collect());
    }
    let find = |name: &String| ask::workload(name).map_err(|error| Failure::Usage(anyhow!("--kernels: {error}")));
    args.kernels.iter().map(find).collect()
}

const fn is_kernel(workload: Workload) -> bool {
    matches!(workload, Workload::Kernel(_))
}

fn kind(workload: Workload) -> &'static str {
    let Workload::Kernel(ask::Kernel(entry)) = workload else { return "algorithm" };
    match entry.row.category {
        Some(Category::Compute) => "compute",
        Some(Category::Memory) => "memory",
        Some(Category::Cache) => "cache",
        Some(Category::Unsaturated) => "unsaturated",
        None if entry.kind() == Kind::Graphics => "graphics",
        None => "-",
    }
}

fn row(workload: Workload, scale: Option<u32>, measured: &Measured) -> Result<Row, Failure> {
    let ask = |inputs: &ExecInputs| {
        exec::estimate(&ExecConfig::default(), inputs)
            .map_err(|error| Failure::Failed(anyhow!("{}: {error}", workload.name())))
    };
    let error = |cycles: f64| cycles / measured.cycles as f64 - 1.0;
    let estimate = ask(&measured.inputs)?;
    let mut otherwise = [0.0; CAUSES.len()];
    for (of, cause) in otherwise.iter_mut().zip(&CAUSES) {
        *of = error(ask(&(cause.inputs)(measured))?.t_exec.max((cause.at_least)(measured)));
    }
    Ok(Row {
        kernel: workload.name(),
        kind: kind(workload),
        scale,
        measured: measured.cycles,
        estimated: estimate.t_exec,
        error: error(estimate.t_exec),
        otherwise,
        load_latency: measured.load_latency,
        inputs: measured.inputs,
        estimate,
    })
}

/// How often the model's time goes into the measured one or the other way round, as a logarithm.
fn off(error: f64) -> f64 {
    (1.0 + error).ln().abs()
}

fn ranks<'a>(rows: impl IntoIterator<Item = &'a Row>, error: impl Fn(&Row) -> f64) -> f64 {
    let pair = |row: &Row| (row.measured as f64, row.measured as f64 * (1.0 + error(row)));
    spearman(&rows.into_iter().map(pair).collect::<Vec<_>>())
}

fn mean_factor(errors: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = errors.fold((0.0, 0), |(sum, count), error| (sum + off(error), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

fn explained(cause: &Cause, place: usize, rows: &[Row]) -> Explained {
    let sum = |of: &dyn Fn(&Row) -> f64| rows.iter().map(|row| off(of(row))).sum::<f64>();
    let (before, after) = (sum(&|row| row.error), sum(&|row| row.otherwise[place]));
    Explained {
        cause: cause.name,
        median_error: median(rows.iter().map(|row| row.otherwise[place].abs())),
        mean_factor: mean_factor(rows.iter().map(|row| row.otherwise[place])),
        rank_correlation: ranks(rows, |row| row.otherwise[place]),
        share: if before > 0.0 { 1.0 - after / before } else { 0.0 },
    }
}

/// A way to choose some of the workloads.
type Choice = (&'static str, fn(&Row) -> bool);

fn groups(rows: &[Row]) -> Vec<Group> {
    let choices: [Choice; 10] = [
        ("all", |_| true),
        ("with barriers", |row| row.inputs.sync_insts > 0.0),
        ("without barriers", |row| row.inputs.sync_insts == 0.0),
        ("loads that hit caches", |row| row.load_latency > 0.0 && row.inputs.miss_ratio < 0.5),
        ("compute", |row| row.kind == "compute"),
        ("memory", |row| row.kind == "memory"),
        ("cache", |row| row.kind == "cache"),
        ("unsaturated", |row| row.kind == "unsaturated"),
        ("graphics", |row| row.kind == "graphics"),
        ("algorithm", |row| row.kind == "algorithm"),
    ];
    let group = |(name, is): Choice| {
        let some: Vec<&Row> = rows.iter().filter(|row| is(row)).collect();
        (!some.is_empty()).then(|| Group {
            name: name.to_owned(),
            workloads: some.len(),
            median_error: median(some.iter().map(|row| row.error.abs())),
            mean_factor: mean_factor(some.iter().map(|row| row.error)),
            rank_correlation: ranks(some.iter().copied(), |row| row.error),
        })
    };
    choices.into_iter().filter_map(group).collect()
}

fn count(cycles: f64) -> String {
    indicatif::HumanCount(cycles.round() as u64).to_string()
}

fn percent(error: f64) -> String {
    format!("{:+.0}%", 100.0 * error)
}

fn by_kernel(rows: &[Row]) -> Table {
    let header = ["workload", "short of", "measured", "model", "error", "t_comp", "t_mem", "serial", "MWP", "CWP", "N"];
    let mut header: Vec<_> = header.map(str::to_owned).to_vec();
    header.extend(CAUSES.iter().map(|cause| cause.name.to_owned()));
    let alignment: Vec<_> = [Left, Left].into_iter().chain(header.iter().skip(2).map(|_| Right)).collect();
    let mut text = table::new(header, &alignment);
    for Row { kernel, kind, measured, estimated, error, otherwise, inputs, estimate, .. } in rows {
        let mut words = vec![
            (*kernel).to_owned(),
            (*kind).to_owned(),
            count(*measured as f64),
            count(*estimated),
            percent(*error),
            count(estimate.t_comp),
            count(estimate.t_mem),
            count(estimate.w_serial),
            format!("{:.1}", estimate.mwp),
            format!("{:.1}", estimate.cwp),
            format!("{:.1}", inputs.n),
        ];
        words.extend(otherwise.iter().map(|&error| percent(error)));
        text.add_row(words);
    }
    text
}

fn by_group(groups: &[Group]) -> Table {
    let header = ["workloads", "how many", "median error", "mean factor", "ranks"].map(str::to_owned);
    let mut text = table::new(header.to_vec(), &[Left, Right, Right, Right, Right]);
    for Group { name, workloads, median_error, mean_factor, rank_correlation } in groups {
        text.add_row([
            name.clone(),
            workloads.to_string(),
            format!("{:.0}%", 100.0 * median_error),
            format!("{mean_factor:.2}"),
            format!("{rank_correlation:.2}"),
        ]);
    }
    text
}

fn by_cause(causes: &[Explained]) -> Table {
    let header = ["the model with", "median error", "mean factor", "ranks", "explains"].map(str::to_owned);
    let mut text = table::new(header.to_vec(), &[Left, Right, Right, Right, Right]);
    for (cause, of) in CAUSES.iter().zip(causes) {
        text.add_row([
            cause.what.to_owned(),
            format!("{:.0}%", 100.0 * of.median_error),
            format!("{:.2}", of.mean_factor),
            format!("{:.2}", of.rank_correlation),
            format!("{:.0}%", 100.0 * of.share),
        ]);
    }
    text
}

fn summary(document: &Document<'_>, setup: &Setup, is_quick: bool) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("GPU", setup.told()),
        ("error", format!("median {:.0}%", 100.0 * document.median_error)),
        ("worst", format!("{} {}", document.worst.unwrap_or("-"), percent(document.worst_error))),
        ("ranks", format!("correlation {:.2} (Spearman's)", document.rank_correlation)),
        (
            "factor",
            "the model's time over the measured one or the inverse; its logarithm is what is explained".to_owned(),
        ),
    ];
    if is_quick {
        rows.push(("quick", format!("without {}, which take longer than all others", LONG.join(" and "))));
    }
    rows.extend(document.missed.iter().map(|&(word, remark)| (word, format!("not in the model: {remark}"))));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_and_twice_are_equally_far_off() {
        assert!((off(1.0) - off(-0.5)).abs() < 1e-12 && off(0.0) == 0.0);
        assert!((mean_factor([1.0, -0.5].into_iter()) - 2.0).abs() < 1e-12);
        assert_eq!(mean_factor([].into_iter()), 1.0);
    }
}
