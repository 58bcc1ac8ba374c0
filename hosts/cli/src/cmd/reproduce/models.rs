//! `gpusched reproduce models`: the execution-time model beside the reference GPU, over every kernel of the catalogue.

use crate::args::{Kernel, Reproduce};
use crate::cmd::model::on_gpu;
use crate::failure::Failure;
use crate::input::Setup;
use crate::output::{self, Folder};
use crate::table;
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs, eval};
use gpusched_refgpu::workload::catalogue;
use serde::Serialize;

/// What the model leaves out, as its equations stand.
const MISSED: [(&str, &str); 6] = [
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

/// A kernel.
#[derive(Debug, Serialize)]
struct Row {
    kernel: &'static str,
    measured: u64,
    estimated: f64,
    /// As a part of the measured time.
    error: f64,
    inputs: ExecInputs,
    estimate: ExecEstimate,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    suite: &'static str,
    gpu: &'a str,
    kernels: &'a [Row],
    median_error: f64,
    worst: Option<&'static str>,
    worst_error: f64,
    rank_correlation: f64,
    missed: &'static [(&'static str, &'static str)],
}

/// Runs the suite, writes its figures, and gives the text for standard output.
pub fn run(args: &Reproduce) -> Result<String, Failure> {
    let setup = Setup::resolve(&args.machine, on_gpu::GPU)?;
    let mut entries: Vec<_> = catalogue::entries().collect();
    if !args.kernels.is_empty() {
        let find = |name: &String| catalogue::find(name).map_err(|error| Failure::Usage(anyhow!("--kernels: {error}")));
        entries = args.kernels.iter().map(find).collect::<Result<_, _>>()?;
    }
    let folder = Folder::open(&args.out)?;
    let mut rows = Vec::with_capacity(entries.len());
    for (place, entry) in entries.iter().enumerate() {
        output::remark(&format!("{} ({} of {})\n", entry.name, place + 1, entries.len()), args.quiet);
        let on_gpu::Measured { inputs, cycles } = on_gpu::kernel(Kernel(entry), args.scale, &setup)?;
        let refused = |error| Failure::Failed(anyhow!("{}: {error}", entry.name));
        let estimate = eval(&ExecConfig::default(), &inputs).map_err(refused)?;
        let error = estimate.t_exec / cycles as f64 - 1.0;
        rows.push(Row { kernel: entry.name, measured: cycles, estimated: estimate.t_exec, error, inputs, estimate });
    }
    let worst = rows.iter().max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
    let document = Document {
        schema: "gpusched.reproduce-models/1",
        generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
        suite: "models",
        gpu: &setup.gpu.name,
        kernels: &rows,
        median_error: median(rows.iter().map(|row| row.error.abs()).collect()),
        worst: worst.map(|row| row.kernel),
        worst_error: worst.map_or(0.0, |row| row.error),
        rank_correlation: spearman(
            &rows.iter().map(|row| row.measured as f64).collect::<Vec<_>>(),
            &rows.iter().map(|row| row.estimated).collect::<Vec<_>>(),
        ),
        missed: &MISSED,
    };
    let json = output::json(&document)?;
    let path = folder.write("reproduce-models.json", &json)?;
    if args.json {
        return Ok(json);
    }
    let written = if args.quiet { String::new() } else { format!("\nwritten: {}\n", path.display()) };
    Ok(format!("{}\n{}{written}", by_kernel(&rows), summary(&document)))
}

fn by_kernel(rows: &[Row]) -> String {
    let header = ["kernel", "measured", "model", "error", "t_comp", "t_mem", "MWP", "CWP", "N"].map(str::to_owned);
    let mut text = table::new(header.to_vec(), &[Left, Right, Right, Right, Right, Right, Right, Right, Right]);
    let count = |cycles: f64| indicatif::HumanCount(cycles.round() as u64).to_string();
    for Row { kernel, measured, estimated, error, inputs, estimate } in rows {
        text.add_row([
            (*kernel).to_owned(),
            count(*measured as f64),
            count(*estimated),
            format!("{:+.0}%", 100.0 * error),
            count(estimate.t_comp),
            count(estimate.t_mem),
            format!("{:.1}", estimate.mwp),
            format!("{:.1}", estimate.cwp),
            format!("{:.1}", inputs.n),
        ]);
    }
    table::text(&text)
}

fn summary(document: &Document<'_>) -> String {
    let mut rows = vec![
        ("GPU", document.gpu.to_owned()),
        ("error", format!("median {:.0}%", 100.0 * document.median_error)),
        ("worst", format!("{} {:+.0}%", document.worst.unwrap_or("-"), 100.0 * document.worst_error)),
        ("ranks", format!("correlation {:.2} (Spearman's)", document.rank_correlation)),
    ];
    rows.extend(document.missed.iter().map(|&(word, remark)| (word, format!("not in the model: {remark}"))));
    table::text(&table::remarks(rows))
}

/// The middle one, or the mean of both.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.get(values.len() / 2), values.len().is_multiple_of(2)) {
        (None, _) => 0.0,
        (Some(middle), false) => *middle,
        (Some(middle), true) => (values[values.len() / 2 - 1] + middle) / 2.0,
    }
}

/// Spearman's rank correlation; equal values share their mean rank. 0 if one side does not vary.
fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let ranks = |values: &[f64]| -> Vec<f64> {
        let below = |v: f64| values.iter().filter(|&&o| o < v).count() as f64;
        let equal = |v: f64| values.iter().filter(|&&o| o == v).count() as f64;
        values.iter().map(|&v| below(v) + (equal(v) - 1.0) / 2.0).collect()
    };
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (sum(&a, &a) * sum(&b, &b)).sqrt();
    if spread == 0.0 { 0.0 } else { sum(&a, &b) / spread }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_ranks() {
        assert_eq!([median(vec![]), median(vec![3.0, 1.0, 2.0]), median(vec![4.0, 1.0])], [0.0, 2.0, 2.5]);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 99.0]), 1.0);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[9.0, 5.0, 1.0]), -1.0);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), 0.0);
        assert!((spearman(&[1.0, 2.0, 2.0, 3.0], &[1.0, 3.0, 2.0, 4.0]) - 0.9487).abs() < 1e-3);
    }
}
