//! `gpusched sweep`: a kernel alone with 1, 2, ... TBs per SM, and the type that follows (tlp-C1, tlp-C2).

use super::set::{machine, plain, type_word};
use crate::ask::Sweep;
use crate::failure::Failure;
use crate::interrupt::Watch;
use crate::study::digest::Digest;
use crate::study::store::Store;
use crate::table::{self, Table};
use crate::{output, side_by_side, study};
use anyhow::{Context, anyhow};
use comfy_table::CellAlignment::Right;
use gpusched::tlp::Pref;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{RunError, RunOptions};
use gpusched_refgpu::stats::RunStats;
use gpusched_workloads::catalogue::{Entry, Request, Size};
use gpusched_workloads::kernel::calibrate::CalibrateError;
use gpusched_workloads::sharers;
use indicatif::HumanCount;
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    kernel: &'a str,
    gpu: &'a str,
    /// What is not as the preset has it.
    set: BTreeMap<String, String>,
    scale: u32,
    #[serde(flatten)]
    sweep: &'a sharers::Sweep,
    category: gpusched::tlp::Category,
    pref: Pref,
    source: Option<sharers::Source>,
    /// A hash of all that the sweep depends on but the program.
    of: String,
    runs: &'a [Row],
}

/// A run for programs; what figures are called is as in the results of studies.
#[derive(Serialize)]
struct Row {
    tbs_per_sm: usize,
    cycles: u64,
    /// Speed, of that of the fastest run.
    of_the_best: f64,
    ipc_warp: f64,
    l1_hit_rate: f64,
    dram_bandwidth_use: f64,
    memory_stall_fraction: f64,
    structural_stall_fraction: f64,
}

/// How kernels are run alone.
#[derive(Clone, Copy)]
pub struct Alone<'a> {
    /// Where runs are kept, if they are.
    pub store: Option<&'a Store>,
    /// So many at a time.
    pub threads: Option<NonZeroUsize>,
    /// Without remarks.
    pub quiet: bool,
}

impl Alone<'_> {
    /// Runs a kernel with 1, 2, ... TBs per SM, as many as fit, and tells of each run as it ends.
    pub fn runs(
        self,
        entry: &'static Entry,
        request: Request,
        gpu: &GpuConfig,
        tell: impl Fn(usize, &RunStats) + Sync,
    ) -> Result<Vec<RunStats>, Failure> {
        let machines = sharers::machines(entry, request, gpu).map_err(told)?;
        let machines: Vec<(usize, GpuConfig)> = (1..).zip(machines).collect();
        side_by_side::each(&machines, self.threads, |(tbs, gpu), failed| {
            let run = || sharers::alone(entry, request, gpu, &mut Watch(failed)).map_err(told);
            let mut depends = Digest::default();
            depends.kernel(entry, request);
            depends.machine(gpu, RunOptions::default());
            let stats = self.store.map_or_else(run, |store| store.kept(depends, run))?;
            tell(*tbs, &stats);
            Ok(stats)
        })
    }
}

fn told(error: CalibrateError) -> Failure {
    match error {
        CalibrateError::Config(error) => Failure::Usage(error.into()),
        CalibrateError::Run(RunError::Cancelled { .. }) => Failure::Interrupted,
        error => Failure::Failed(error.into()),
    }
}

/// Text of `sweep`, which also writes it for programs.
pub fn sweep(args: &Sweep) -> Result<String, Failure> {
    let quiet = args.results.quiet;
    let setup = machine(&args.machine)?;
    setup.leaves(&["tlp.policy", "sm.block_cap"], "sweep")?;
    setup.check_effect(&[(setup.gpu.clone(), RunOptions::default())], &["tlp.tol_permille", "tlp.tlp_cap"])?;
    let entry = args.kernel.0;
    let sharer = sharers::find(entry.name);
    let own = Request { size: Size::Times(args.scale), ..Request::default() };
    let request = sharer.map_or(own, |sharer| sharer.request(args.scale));
    let store = Store::open(&args.results.out)?;
    let tell = |tbs, stats: &RunStats| output::remark(&format!("{tbs} TBs per SM: {} cycles\n", stats.cycles), quiet);
    let alone = Alone { store: Some(&store), threads: args.threads, quiet };
    let runs = study::goes_on(alone.runs(entry, request, &setup.gpu, tell), quiet)?;
    let swept = sharers::Sweep::of(&runs, &setup.gpu);
    let units = setup.gpu.tlp_units();
    let category = swept.category(&units).map_err(|fault| Failure::Usage(anyhow!("{}: {fault}", entry.name)))?;
    let (pref, source) = (swept.pref(&units), sharer.map(|sharer| sharer.source));
    let rows = rows(&runs);
    let (schema, kernel, gpu) = ("gpusched.sweep/1", entry.name, setup.gpu.name.as_str());
    let (set, scale, sweep) = (setup.set(), args.scale, &swept);
    let of = Digest::of_alone(entry, request, &setup.gpu).hex(16);
    let document = Document { schema, kernel, gpu, set, scale, sweep, category, pref, source, of, runs: &rows };
    let json = output::json(&document)?;
    let stem = plain(&format!("sweep-{kernel}-{gpu}"));
    let csv = csv(&rows).context("cannot write CSV")?;
    let written = [store.write(&format!("{stem}.json"), &json)?, store.write(&format!("{stem}.csv"), &csv)?];
    let said = source.map_or_else(String::new, |source| {
        format!("; the study says {}, best with {}", type_word(source.kind), source.opt)
    });
    let leans = if pref == Pref::Compute { "arithmetic" } else { "memory" };
    let remarks = [
        ("type", format!("{}, best with {} TBs per SM{said}", type_word(category.kind), category.opt)),
        ("", format!("as good as the best is what comes within {} thousandths (tlp.tol_permille)", units.tol_permille)),
        ("leans on", leans.to_owned()),
        ("GPU", setup.told()),
    ];
    let text = || format!("{}\n{}", table::text(&by_run(&rows)), table::text(&table::remarks(remarks)));
    output::answer((args.results.json, quiet), &written, text, || Ok(json))
}

fn rows(runs: &[RunStats]) -> Vec<Row> {
    let best = runs.iter().map(|stats| stats.cycles).min().unwrap_or(1);
    let row = |(tbs_per_sm, stats): (usize, &RunStats)| {
        let f = stats.figures();
        Row {
            tbs_per_sm,
            cycles: stats.cycles,
            of_the_best: best as f64 / stats.cycles as f64,
            ipc_warp: f.ipc,
            l1_hit_rate: f.l1_hit_rate,
            dram_bandwidth_use: f.bandwidth_use,
            memory_stall_fraction: f.memory_stall_fraction,
            structural_stall_fraction: f.structural_stall_fraction,
        }
    };
    (1..).zip(runs).map(row).collect()
}

fn csv(rows: &[Row]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn by_run(rows: &[Row]) -> Table {
    let header =
        ["TBs per SM", "cycles", "of the best", "IPC", "L1 hit rate", "bandwidth", "memory stalls", "structural"];
    let mut text = table::new(header.map(str::to_owned).to_vec(), &[Right; 8]);
    let share = |part: f64| format!("{:.1}%", 100.0 * part);
    for row in rows {
        text.add_row([
            row.tbs_per_sm.to_string(),
            HumanCount(row.cycles).to_string(),
            share(row.of_the_best),
            format!("{:.2}", row.ipc_warp),
            share(row.l1_hit_rate),
            share(row.dram_bandwidth_use),
            share(row.memory_stall_fraction),
            share(row.structural_stall_fraction),
        ]);
    }
    text
}
