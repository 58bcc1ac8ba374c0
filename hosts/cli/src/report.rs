//! What a comparison says: for programs as JSON, for people as a table and a plot.

use crate::args::Workload;
use crate::failure::Failure;
use crate::input::{Graph, Resolved, Setup};
use crate::metrics::{DETAILS, HOST_METRICS, METRICS, View};
use crate::plot::occupancy::{self, Figure, Panel};
use crate::simulate::Run;
use crate::{output, table};
use clap::ValueEnum;
use comfy_table::CellAlignment::{Left, Right};
use comfy_table::Table;
use gpusched_refgpu::stats::RunStats;
use gpusched_refgpu::workload::Mode;
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Runs of one workload on one graph and one machine.
#[derive(Debug)]
pub struct Report<'a> {
    /// The algorithm.
    pub workload: Workload,
    /// Where it started.
    pub source: u32,
    /// Its input.
    pub graph: &'a Graph,
    /// The machine and the options.
    pub setup: &'a Setup,
    /// One per mode.
    pub runs: &'a [Run],
}

#[derive(Serialize)]
struct Document<'a> {
    /// Name and version of this format. The version changes when a key goes or changes its meaning.
    schema: &'static str,
    generator: &'static str,
    workload: WorkloadPart,
    graph: GraphPart<'a>,
    gpu: GpuPart<'a>,
    runs: Vec<RunPart<'a>>,
}

#[derive(Serialize)]
struct WorkloadPart {
    name: String,
    source: u32,
    options: Value,
}

#[derive(Serialize)]
struct GraphPart<'a> {
    name: &'a str,
    provenance: &'a str,
    vertices: u32,
    undirected_edges: u32,
}

#[derive(Serialize)]
struct GpuPart<'a> {
    name: &'a str,
    title: &'a str,
    parameters: Map<String, Value>,
    /// Names of the parameters and options that differ from the preset.
    set: Vec<String>,
}

#[derive(Serialize)]
struct RunPart<'a> {
    mode: Mode,
    verified: bool,
    /// FNV-1a 64 of the result.
    checksum: String,
    metrics: Map<String, Value>,
    counts: &'a RunStats,
    /// [`TimelinePart`] on one line.
    timeline: Box<RawValue>,
}

#[derive(Serialize)]
struct TimelinePart<'a> {
    /// Cycles that a sample covers; the last one ends with the run.
    sample_cycles: u64,
    smxs: usize,
    /// Resident warps summed over the cycles of a sample: a number per SMX, sample by sample.
    warp_cycles: &'a [u64],
    /// Pending launches summed over the cycles of a sample.
    pending_cycles: &'a [u64],
}

impl Report<'_> {
    fn workload_name(&self) -> String {
        self.workload.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    /// Name of the result files, without extension.
    pub fn file_stem(&self) -> String {
        let modes = match self.runs {
            [one] => format!("-{}", one.mode),
            _ => String::new(),
        };
        let stem = format!("{}-{}-{}{modes}", self.workload_name(), self.graph.name, self.setup.gpu.name);
        stem.replace(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'), "-")
    }

    /// The reproducible part, as JSON.
    pub fn json(&self) -> Result<String, Failure> {
        let Self { source, graph, setup, runs, .. } = *self;
        output::json(&Document {
            schema: "gpusched.result/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            workload: WorkloadPart { name: self.workload_name(), source, options: self.options()? },
            graph: GraphPart {
                name: &graph.name,
                provenance: &graph.provenance,
                vertices: graph.csr.vertices(),
                undirected_edges: graph.csr.arc_count() / 2,
            },
            gpu: GpuPart {
                name: &setup.gpu.name,
                title: &setup.gpu.title,
                parameters: setup.gpu.resolved().map(|e| (e.key, output::number_or_word(&e.value))).collect(),
                set: setup.entries().filter(Resolved::is_set).map(|r| r.entry().key.clone()).collect(),
            },
            runs: runs.iter().map(|run| run_part(run, runs)).collect::<Result<_, _>>()?,
        })
    }

    /// A row per metric, a column per mode, and what the numbers are about.
    pub fn table(&self) -> String {
        let views: Vec<View<'_>> = self.runs.iter().map(|run| View::of(run, self.runs)).collect();
        let modes = self.runs.iter().map(|run| run.mode.to_string());
        let header = std::iter::once(self.workload_name()).chain(modes).collect();
        let alignment: Vec<_> = std::iter::once(Left).chain(views.iter().map(|_| Right)).collect();
        let mut rows = table::new(header, &alignment);
        for metric in METRICS.iter().chain(HOST_METRICS) {
            let figures = views.iter().map(|view| metric.text(view));
            rows.add_row(std::iter::once(metric.label.to_owned()).chain(figures));
        }
        format!("{}\n{}", table::text(&rows), table::text(&self.remarks()))
    }

    /// What the numbers are about.
    fn remarks(&self) -> Table {
        let Self { graph, setup, source, .. } = self;
        let set = self.set();
        table::remarks([
            ("graph", format!("{}: {}, source {source}", graph.name, self.size())),
            ("", graph.provenance.clone()),
            ("GPU", format!("{}: {}; {set}", setup.gpu.name, setup.gpu.title)),
            ("check", self.check()),
        ])
    }

    /// Which parameters and options are not as the preset has them.
    fn set(&self) -> String {
        let set = self.setup.entries().filter(Resolved::is_set);
        let set: Vec<String> = set.map(|r| format!("{} = {}", r.entry().key, r.entry().value)).collect();
        if set.is_empty() { "as preset".to_owned() } else { format!("set: {}", set.join(", ")) }
    }

    fn size(&self) -> String {
        let csr = &self.graph.csr;
        let (vertices, edges) = (HumanCount(csr.vertices().into()), HumanCount((csr.arc_count() / 2).into()));
        format!("{vertices} vertices, {edges} edges")
    }

    /// What was verified. Runs that fail this never get here.
    fn check(&self) -> String {
        let checksums: BTreeSet<u64> = self.runs.iter().map(|run| run.verified.checksum).collect();
        let checksums: Vec<String> = checksums.into_iter().map(|sum| format!("{sum:016x}")).collect();
        let what = match self.workload {
            Workload::Bfs => "every level verified against a sequential search",
        };
        format!("{what}; checksum {}", checksums.join(", "))
    }

    fn options(&self) -> anyhow::Result<Value> {
        Ok(match self.workload {
            Workload::Bfs => serde_json::to_value(self.setup.bfs)?,
        })
    }

    /// SMX occupancy over time, as SVG.
    pub fn plot(&self) -> Result<String, Failure> {
        let Self { graph, setup, runs, .. } = self;
        let figure = Figure {
            title: format!("SMX occupancy: {} on {}", self.workload_name(), graph.name),
            subtitle: format!("{}; {}, {}; result verified", self.size(), setup.gpu.title, self.set()),
            panels: runs.iter().map(|run| panel(run, runs)).collect(),
        };
        Ok(occupancy::svg(&figure)?)
    }
}

fn run_part<'a>(run: &'a Run, runs: &[Run]) -> anyhow::Result<RunPart<'a>> {
    let view = View::of(run, runs);
    let timeline = &run.result.timeline;
    let timeline = TimelinePart {
        sample_cycles: timeline.sample_cycles,
        smxs: timeline.sms,
        warp_cycles: &timeline.warp_cycles,
        pending_cycles: &timeline.pending_cycles,
    };
    Ok(RunPart {
        mode: run.mode,
        verified: true,
        checksum: format!("{:016x}", run.verified.checksum),
        metrics: METRICS.iter().chain(DETAILS).map(|metric| (metric.key.to_owned(), metric.json(&view))).collect(),
        counts: &run.result.stats,
        timeline: to_raw_value(&timeline)?,
    })
}

fn panel(run: &Run, runs: &[Run]) -> Panel {
    let (stats, timeline) = (&run.result.stats, &run.result.timeline);
    let slots = stats.machine.warp_slots as f64;
    let samples = || 0..timeline.len();
    let view = View::of(run, runs);
    let note = |key: &str, words: &str| {
        let metric = METRICS.iter().find(|metric| metric.key == key)?;
        Some(metric.text(&view)).filter(|text| text != "-").map(|text| format!("{text} {words}"))
    };
    Panel {
        name: run.mode.to_string(),
        hue: Mode::ALL.iter().position(|&mode| mode == run.mode).unwrap_or(0),
        notes: [
            note("speedup_over_flat", "the speed of flat").filter(|_| run.mode.is_dynamic()),
            note("smx_occupancy", "mean occupancy"),
            note("launches", "launches"),
            note("pending_peak", "pending at peak"),
        ]
        .into_iter()
        .flatten()
        .collect(),
        cycles: stats.cycles,
        sample_cycles: timeline.sample_cycles,
        occupancy: samples()
            .map(|sample| (0..timeline.sms).map(|sm| timeline.warps(sample, sm) / slots).collect())
            .collect(),
        pending: if run.mode.is_dynamic() { samples().map(|s| timeline.pending(s)).collect() } else { Vec::new() },
    }
}
