//! `gpusched reproduce fmm`: the U-list phase of a fast multipole method with every set of six optimisations, run and estimated
//! (workloads-D1 to D4, refgpu-X1 to X5, models-T10).
//!
//! The source measured 44 sets and lists neither them nor their times. Here are all 64: each option on or off, two targets for a
//! thread where `ujam` is on. Each runs on the reference GPU, and its counts are the model's inputs.

mod directions;

use super::told::{self, Head, Told};
use crate::ask::{Assignment, Kernel, Machine, Reproduce, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::{self, Job};
use crate::model::estimate::{Limit, limit};
use crate::model::on_gpu::{self, Measured};
use crate::output;
use crate::page::runs::Runs;
use crate::side_by_side;
use crate::statistics::{median, spearman};
use crate::study::store::Store;
use crate::table::{self, Table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use directions::{Direction, by_direction, directions, verdict};
use gpusched::models::exec::{self, ExecConfig, ExecEstimate, ExecInputs};
use gpusched::models::theory::{Ulist, UlistEstimate, ulist};
use gpusched_workloads::FmmOptions;
use gpusched_workloads::catalogue::{self, Entry, Request, Size};
use gpusched_workloads::fmm::KAPPA;
use serde::Serialize;

/// The source's machine.
const GPU: &str = "c1060";
/// Level of the boxes in a quick study: 64 of them.
const QUICK_LEVEL: u32 = 2;
/// Targets of a thread where several are asked for.
const TARGETS: u32 = 2;
/// Gains below it are none.
const NO_GAIN: f64 = 1.02;

/// The optimisations, in the order in which the source adds them (4.1.3); where it tries `tight` it does not say.
const OPTIONS: [&str; 6] = ["vecpack", "rsqrt", "shmem", "ujam", "pref", "tight"];
const VECPACK: u32 = 1;
const RSQRT: u32 = 1 << 1;
const SHMEM: u32 = 1 << 2;
const UJAM: u32 = 1 << 3;
const PREF: u32 = 1 << 4;
const TIGHT: u32 = 1 << 5;

/// A set of optimisations, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variant(u32);

impl Variant {
    /// Every set; its bits are its place.
    fn all() -> Vec<Self> {
        (0..1 << OPTIONS.len()).map(Self).collect()
    }

    const fn has(self, option: usize) -> bool {
        self.0 >> option & 1 == 1
    }

    fn name(self) -> String {
        let names: Vec<_> = (0..OPTIONS.len()).filter(|&option| self.has(option)).map(|o| OPTIONS[o]).collect();
        if names.is_empty() { "baseline".to_owned() } else { names.join("+") }
    }

    /// The options, on the points of `of`.
    const fn options(self, of: FmmOptions) -> FmmOptions {
        FmmOptions {
            vecpack: self.has(0),
            rsqrt: self.has(1),
            shmem: self.has(2),
            ujam: if self.has(3) { TARGETS } else { 1 },
            pref: self.has(4),
            tight: self.has(5),
            ..of
        }
    }
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    options: FmmOptions,
    measured_cycles: u64,
    /// Useful operations: 11 for each interaction.
    measured_gflops: f64,
    estimated_gflops: f64,
    /// Of the estimated time, as a part of the measured one.
    error: f64,
    bound: Limit,
    inputs: ExecInputs,
    estimate: ExecEstimate,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    ulist: UlistEstimate,
    best: &'a str,
    best_estimated: &'a str,
    median_error: f64,
    worst: &'a str,
    worst_error: f64,
    rank_correlation: f64,
    /// What the greedy search of the source adds, one after the other: by measured times, and by estimated ones.
    search: [Vec<&'static str>; 2],
    directions: &'a [Direction],
    variants: &'a [Row],
}

/// All sets, at their places.
struct Rows(Vec<Row>);

impl Rows {
    fn get(&self, bits: u32) -> &Row {
        &self.0[bits as usize]
    }

    /// How many times as fast a set is as another.
    fn gain(&self, from: u32, to: u32) -> f64 {
        self.get(to).measured_gflops / self.get(from).measured_gflops
    }

    fn best(&self, by: fn(&Row) -> f64) -> u32 {
        (0..self.0.len() as u32).max_by(|&a, &b| by(self.get(a)).total_cmp(&by(self.get(b)))).unwrap_or_default()
    }

    /// The options that a search adds which tries each one that is left and keeps the best, until none helps (3.5.2), and the set.
    fn search(&self, by: fn(&Row) -> f64) -> (Vec<&'static str>, u32) {
        let (mut added, mut set) = (Vec::new(), 0);
        loop {
            let left = (0..OPTIONS.len()).filter(|option| set >> option & 1 == 0);
            let best = left.max_by(|&a, &b| by(self.get(set | 1 << a)).total_cmp(&by(self.get(set | 1 << b))));
            let Some(option) = best.filter(|&option| by(self.get(set | 1 << option)) > by(self.get(set))) else {
                return (added, set);
            };
            added.push(OPTIONS[option]);
            set |= 1 << option;
        }
    }
}

/// Runs every set, and writes the figures.
pub fn run(args: &Reproduce) -> Result<Told, Failure> {
    if let Some(name) = args.kernels.first() {
        return Err(Failure::Usage(anyhow!("--kernels: {name} is not part of fmm, which has one kernel")));
    }
    let setup = Setup::resolve(&args.machine, GPU)?;
    let of = catalogue::find("fmm").map_err(|error| Failure::Failed(error.into()))?;
    let workload = Workload::Kernel(Kernel(of));
    setup.only_of(&[workload])?;
    setup.check_effect(&[job::machine(&setup, on_gpu::plainest(workload), &setup.gpu)?], &[])?;
    if args.scale.is_some() && setup.gives("fmm.cubes") {
        return Err(Failure::Usage(anyhow!("--scale and --set fmm.cubes set the same")));
    }
    let quick = (args.quick && !setup.gives("fmm.level")).then_some(QUICK_LEVEL);
    let fmm = setup.options.fmm;
    let points = FmmOptions { cubes: args.scale.unwrap_or(fmm.cubes), level: quick.unwrap_or(fmm.level), ..fmm };
    let store = Store::open(&args.out)?;
    let rows = side_by_side::each(&Variant::all(), args.threads, |&variant, useless| {
        let (kernel, fmm) = (Kernel(of), variant.options(points));
        let request = Request { size: Size::Times(1), seed: fmm.seed, fmm, ..Request::default() };
        let job = Job { workload: Workload::Kernel(kernel), input: &Input::Kernel { kernel, request }, setup: &setup };
        let measured = on_gpu::measured(job, &store, useless)?;
        output::remark(&format!("{}: {} cycles\n", variant.name(), measured.cycles), args.quiet);
        row(variant.name(), fmm, &measured)
    })?;
    let rows = Rows(rows);
    let boxes = Ulist { kappa: KAPPA.into(), q: points.q.into(), balance: 10.0, ..Ulist::DEFAULT };
    let ulist = ulist(&boxes).map_err(|error| Failure::Failed(anyhow!("U-list: {error}")))?;
    let worst = rows.0.iter().max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
    let pairs: Vec<_> = rows.0.iter().map(|row| (row.measured_gflops, row.estimated_gflops)).collect();
    let directions = directions(&rows);
    let document = Document {
        head: Head::new("gpusched.reproduce-fmm/2", "fmm", &setup),
        ulist,
        best: &rows.get(rows.best(|row| row.measured_gflops)).name,
        best_estimated: &rows.get(rows.best(|row| row.estimated_gflops)).name,
        median_error: median(rows.0.iter().map(|row| row.error.abs())),
        worst: worst.map_or("", |row| &row.name),
        worst_error: worst.map_or(0.0, |row| row.error),
        rank_correlation: spearman(&pairs),
        search: [rows.search(|row| row.measured_gflops).0, rows.search(|row| row.estimated_gflops).0],
        directions: &directions,
        variants: &rows.0,
    };
    let json = output::json(&document)?;
    let path = store.write("reproduce-fmm.json", &json)?;
    let remarks = remarks(&rows, &document, &setup, &points);
    let (tables, title) = (vec![steps(&rows)], args.suite.about());
    let text = told::text(&[&tables[..], &[by_direction(&directions)]].concat(), &remarks);
    let verdicts = directions.iter().map(|direction| verdict(direction, rows.0.len())).collect();
    let (runs, written) = (runs(of, &points, args)?, vec![path]);
    Ok(Told { name: "fmm", title, verdicts, tables, remarks, runs, text, json, written })
}

/// The runs, as those of `gpusched model`.
fn runs(of: &'static Entry, points: &FmmOptions, args: &Reproduce) -> Result<Runs, Failure> {
    let mut runs = Runs::default();
    let workload = Workload::Kernel(Kernel(of));
    for variant in Variant::all() {
        let fmm = variant.options(*points);
        let given = args.machine.gpu.as_deref().unwrap_or(GPU);
        let set = [
            ("vecpack", fmm.vecpack.to_string()),
            ("rsqrt", fmm.rsqrt.to_string()),
            ("shmem", fmm.shmem.to_string()),
            ("ujam", fmm.ujam.to_string()),
            ("pref", fmm.pref.to_string()),
            ("tight", fmm.tight.to_string()),
            ("cubes", fmm.cubes.to_string()),
            ("level", fmm.level.to_string()),
        ];
        let own = |of: &&Assignment| !set.iter().any(|(key, _)| of.key == format!("fmm.{key}"));
        let mut assignments: Vec<Assignment> = args.machine.assignments.iter().filter(own).cloned().collect();
        let set = set.iter().map(|(key, value)| Assignment { key: format!("fmm.{key}"), value: value.clone() });
        assignments.extend(set);
        let machine = Machine { gpu: Some(given.to_owned()), assignments };
        let setup = Setup::resolve(&machine, GPU)?;
        let request = Request { size: Size::Times(1), seed: fmm.seed, fmm, ..Request::default() };
        let input = Input::Kernel { kernel: Kernel(of), request };
        let command = format!("gpusched model --from-run fmm{}", machine.words());
        runs.command(command, &setup, workload, on_gpu::plainest(workload), &input)?;
    }
    Ok(runs)
}

fn row(name: String, options: FmmOptions, measured: &Measured) -> Result<Row, Failure> {
    let inputs = measured.inputs;
    let estimate =
        exec::estimate(&ExecConfig::default(), &inputs).map_err(|error| Failure::Failed(anyhow!("{name}: {error}")))?;
    let operations = options.interactions() as f64 * f64::from(KAPPA);
    let gflops = |cycles: f64| operations / (cycles / inputs.freq);
    Ok(Row {
        name,
        options,
        measured_cycles: measured.cycles,
        measured_gflops: gflops(measured.cycles as f64),
        estimated_gflops: gflops(estimate.t_exec),
        error: estimate.t_exec / measured.cycles as f64 - 1.0,
        bound: limit(&estimate),
        inputs,
        estimate,
    })
}

/// The source's way from the baseline: one option more at a time; then each alone; then the best.
fn steps(rows: &Rows) -> Table {
    let header = ["options", "Gflop/s", "gain", "model", "error", "bound by", "B_itilp", "B_fp", "B_serial", "B_memlp"];
    let alignment = [Left, Right, Right, Right, Right, Left, Right, Right, Right, Right];
    let mut text = table::new(header.map(str::to_owned).to_vec(), &alignment);
    let on_the_way = (0..=OPTIONS.len()).map(|n| (1 << n) - 1);
    let alone = (1..OPTIONS.len()).map(|option| 1 << option);
    for bits in on_the_way.chain(alone).chain([rows.best(|row| row.measured_gflops)]) {
        let Row { name, measured_gflops, estimated_gflops, error, bound, estimate: e, .. } = rows.get(bits);
        let count = |cycles: f64| format!("{cycles:.0}");
        let bound = match bound {
            Limit::Memory => "memory",
            Limit::Compute => "compute",
            Limit::Serial => "serialisation",
        };
        text.add_row([
            name.clone(),
            count(*measured_gflops),
            format!("{:.2}x", rows.gain(0, bits)),
            count(*estimated_gflops),
            format!("{:+.0}%", 100.0 * error),
            bound.to_owned(),
            count(e.b_itilp),
            count(e.b_fp),
            count(e.b_serial),
            count(e.b_memlp),
        ]);
    }
    text
}

fn remarks(rows: &Rows, document: &Document<'_>, setup: &Setup, points: &FmmOptions) -> Vec<(&'static str, String)> {
    let best = rows.get(rows.best(|row| row.measured_gflops));
    let FmmOptions { level, q, cubes, .. } = points;
    vec![
        ("sets", format!("{}: all of six options; the source measured 44 without listing them", rows.0.len())),
        ("GPU", setup.told()),
        (
            "points",
            format!("{cubes} x 8^{level} boxes of {q} targets and {q} sources, {} interactions", points.interactions()),
        ),
        (
            "best",
            format!(
                "{}, {:.0} Gflop/s, baseline {:.0}; the source: vecpack, rsqrt and shmem, 300 of 340, baseline 70 to 75",
                best.name,
                best.measured_gflops,
                rows.get(0).measured_gflops
            ),
        ),
        (
            "model",
            format!(
                "median error {:.0}%, worst {:+.0}% ({}), rank correlation {:.2} (Spearman's)",
                100.0 * document.median_error,
                100.0 * document.worst_error,
                document.worst,
                document.rank_correlation
            ),
        ),
        (
            "search",
            format!(
                "by measured times {}; by the model's {}",
                document.search[0].join(", "),
                document.search[1].join(", ")
            ),
        ),
        (
            "boxes",
            format!(
                "at 10 flops a byte arithmetic limits from {} points on as printed, {} if all interactions count",
                document.ulist.q_printed, document.ulist.q_exact
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named_after_their_options() {
        let names: Vec<_> = [0, VECPACK, RSQRT | SHMEM, 63].map(|bits| Variant(bits).name()).to_vec();
        assert_eq!(names, ["baseline", "vecpack", "rsqrt+shmem", "vecpack+rsqrt+shmem+ujam+pref+tight"]);
        let all = Variant::all();
        assert!(all.iter().enumerate().all(|(place, set)| set.0 as usize == place));
        let of = |bits| Variant(bits).options(FmmOptions { q: 33, ..FmmOptions::BASELINE });
        assert_eq!(of(0), FmmOptions { q: 33, ..FmmOptions::BASELINE });
        assert_eq!(of(UJAM | PREF), FmmOptions { ujam: 2, pref: true, ..of(0) });
    }

    fn rows(gflops: impl Fn(u32) -> f64) -> Rows {
        let row = |bits| {
            let measured = Measured {
                inputs: ExecInputs {
                    insts: 100.0,
                    total_warps: 32.0,
                    active_sms: 1.0,
                    n: 1.0,
                    avg_inst_lat: 10.0,
                    dram_lat: 400.0,
                    freq: 1.0,
                    mem_peak_bw: 100.0,
                    ..ExecInputs::DEFAULT
                },
                cycles: (1e9 / gflops(bits)) as u64,
                load_latency: 0.0,
                sfu_latency: 26.0,
                ports: 0.0,
            };
            row(Variant(bits).name(), Variant(bits).options(FmmOptions::BASELINE), &measured).unwrap()
        };
        Rows((0..64).map(row).collect())
    }

    #[test]
    fn the_search_takes_the_best_step_each_time_and_ends_when_none_helps() {
        // As in the source: shmem first, then rsqrt, then vecpack; the last is of no use alone.
        let rows = rows(|set| {
            let [vecpack, rsqrt, shmem] = [VECPACK, RSQRT, SHMEM].map(|option| set & option != 0);
            let base = if shmem { 150.0 } else { 70.0 };
            base + if shmem && rsqrt { 100.0 } else { 0.0 } + if shmem && rsqrt && vecpack { 50.0 } else { 0.0 }
                - f64::from((set >> 3).count_ones())
        });
        let (added, set) = rows.search(|row| row.measured_gflops);
        assert_eq!((added, set), (vec!["shmem", "rsqrt", "vecpack"], SHMEM | RSQRT | VECPACK));
        assert_eq!(rows.best(|row| row.measured_gflops), set);
        let holds: Vec<_> = directions(&rows).iter().map(|direction| direction.holds).collect();
        assert_eq!(holds[..3], [true; 3]);
    }
}
