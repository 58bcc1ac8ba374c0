//! What a comparison says: for programs as JSON (here), for people as tables (`text`) and pictures (`pictures`).

mod inside;
mod pictures;
mod text;

use crate::ask::Workload;
use crate::failure::Failure;
use crate::input::{Input, InputPart, Resolved, Setup};
use crate::metrics::{self, View};
use crate::output::{self, Folder};
use crate::simulate::Run;
use crate::way::Way;
use gpusched_refgpu::power::StateTrace;
use gpusched_refgpu::stats::RunStats;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Runs of one workload on one input and one machine.
#[derive(Debug)]
pub struct Report<'a> {
    /// The algorithm.
    pub workload: Workload,
    /// What it worked on.
    pub input: &'a Input,
    /// The machine and the options.
    pub setup: &'a Setup,
    /// One per variant; at least one.
    pub runs: &'a [Run],
}

#[derive(Serialize)]
struct Document<'a> {
    /// Name and version of this format. The version changes when a key goes or changes its meaning.
    schema: &'static str,
    generator: &'static str,
    workload: WorkloadPart,
    #[serde(flatten)]
    input: InputPart<'a>,
    gpu: GpuPart<'a>,
    runs: Vec<RunPart<'a>>,
}

#[derive(Serialize)]
struct WorkloadPart {
    name: &'static str,
    /// Where a search starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<u32>,
    options: Value,
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
    #[serde(flatten)]
    way: Way,
    /// Who scheduled TBs: fcfs, or the policy of LaPerm.
    scheduler: String,
    /// Whether SMXs in bubbles were put to sleep.
    bubble_dvfs: bool,
    /// Parameters of this run that are not those of `gpu`.
    set: Map<String, Value>,
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
    /// The greatest distance between levels of TBs that executed at the same time; if TBs have levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    level_ranges: Option<&'a [u32]>,
    /// When an SMX changed its state, or a bubble began or ended; if bubble DVFS is of interest.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<&'a StateTrace>,
}

impl Report<'_> {
    /// Name of the result files, without extension.
    pub fn file_stem(&self) -> String {
        let ways = match self.runs {
            [one] => format!("-{}", one.variant.file_part()),
            [first, ..] => {
                let sched = if first.variant.sched.is_some() { "-sched" } else { "" };
                format!("{sched}{}", if first.variant.bubble.is_some() { "-bubble" } else { "" })
            }
            [] => String::new(),
        };
        let stem = format!("{}-{}-{}{ways}", self.workload.name(), self.input.name(), self.setup.gpu.name);
        stem.replace(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'), "-")
    }

    /// Writes the pictures and the document: the files.
    pub fn write(&self, folder: &Folder) -> Result<Vec<PathBuf>, Failure> {
        let stem = self.file_stem();
        let mut written = folder.draw(&stem, &self.plot()?)?;
        for (name, picture) in self.inside()? {
            written.extend(folder.draw(&format!("{stem}-{name}"), &picture)?);
        }
        written.push(folder.write(&format!("{stem}.json"), &self.json()?)?);
        Ok(written)
    }

    /// The reproducible part, as JSON.
    pub fn json(&self) -> Result<String, Failure> {
        let Self { workload, input, setup, runs } = *self;
        output::json(&Document {
            schema: "gpusched.result/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            workload: WorkloadPart {
                name: workload.name(),
                source: input.source_of(workload),
                options: setup.options.json(workload)?,
            },
            input: input.part(),
            gpu: GpuPart {
                name: &setup.gpu.name,
                title: &setup.gpu.title,
                parameters: setup.gpu.resolved().map(|e| (e.key, output::number_or_word(&e.value))).collect(),
                set: setup.entries().filter(Resolved::is_set).map(|r| r.entry().key.clone()).collect(),
            },
            runs: runs.iter().map(|run| self.run_part(run)).collect::<Result<_, _>>()?,
        })
    }

    fn run_part<'a>(&'a self, run: &'a Run) -> anyhow::Result<RunPart<'a>> {
        let view = View::of(run, self.runs);
        let (timeline, gpu) = (&run.result.timeline, &run.variant.gpu);
        let timeline = TimelinePart {
            sample_cycles: timeline.sample_cycles,
            smxs: timeline.sms,
            warp_cycles: &timeline.warp_cycles,
            pending_cycles: &timeline.pending_cycles,
            level_ranges: run.result.stats.level_range.map(|_| timeline.level_ranges.as_slice()),
            states: run.variant.shows_states().then_some(&run.result.states),
        };
        let own = gpu.resolved().zip(self.setup.gpu.resolved()).filter(|(own, all)| own.value != all.value);
        Ok(RunPart {
            way: run.variant.way,
            scheduler: run.variant.scheduler().to_string(),
            bubble_dvfs: gpu.bubble.enabled,
            set: own.map(|(own, _)| (own.key, output::number_or_word(&own.value))).collect(),
            verified: true,
            checksum: format!("{:016x}", run.verified.checksum),
            metrics: metrics::all(self.workload).map(|metric| (metric.key.to_owned(), metric.json(&view))).collect(),
            counts: &run.result.stats,
            timeline: to_raw_value(&timeline)?,
        })
    }
}
