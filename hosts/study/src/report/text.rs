//! A comparison for people: tables, and what they are about.

use super::Report;
use crate::input::Input;
use crate::metrics::{DECIDE_METRICS, HOST_METRICS, Metric, POWER_METRICS, SCHEDULER_METRICS, View, of_table};
use crate::simulate::Run;
use crate::table::{self, Table};
use crate::way::{Way, WaysOf};
use comfy_table::CellAlignment::{Left, Right};
use gpusched::DatsPart;
use gpusched_refgpu::config::{Entry, GpuConfig, Provenance};
use gpusched_workloads::{GemmOptions, Sgemm, WaveOptions, replay};
use indicatif::HumanCount;
use std::collections::BTreeSet;

impl Report<'_> {
    /// The tables that fit what was asked for, and what the numbers are about.
    pub fn table(&self) -> String {
        let awake: Vec<&Run> = self.runs.iter().filter(|run| !run.variant.sleeps()).collect();
        let main = if self.compares_schedulers() {
            let views: Vec<View<'_>> = awake.iter().map(|run| View::of(run, self.runs)).collect();
            let names = |run: &Run| [run.variant.way.to_string(), sched(run)];
            self.rows(SCHEDULER_METRICS, &answers(&views), &awake, "scheduler", names)
        } else {
            self.columns(&awake)
        };
        let power = if awake.len() == self.runs.len() {
            String::new()
        } else {
            let all: Vec<&Run> = self.runs.iter().collect();
            format!(
                "{}\n",
                self.rows(POWER_METRICS, &[], &all, "DVFS", |run| {
                    let dvfs = if run.variant.sleeps() { "bubble" } else { "none" };
                    [format!("{} {}", run.variant.way, sched(run)).trim_end().to_owned(), dvfs.to_owned()]
                })
            )
        };
        format!("{main}\n{power}{}", table::text(&self.remarks()))
    }

    /// Whether there are runs that differ in the scheduler.
    fn compares_schedulers(&self) -> bool {
        self.runs.windows(2).any(|runs| runs[0].variant.sched != runs[1].variant.sched)
    }

    /// A row per metric, a column per way.
    fn columns(&self, runs: &[&Run]) -> String {
        let views: Vec<View<'_>> = runs.iter().map(|run| View::of(run, self.runs)).collect();
        let ways = runs.iter().map(|run| run.variant.way.to_string());
        let header = std::iter::once(self.workload.name().to_owned()).chain(ways).collect();
        let alignment: Vec<_> = std::iter::once(Left).chain(views.iter().map(|_| Right)).collect();
        let mut rows = table::new(header, &alignment);
        for metric in of_table(self.workload) {
            let figures: Vec<String> = views.iter().map(|view| metric.text(view)).collect();
            if self.workload.ways() == WaysOf::Policies && figures.iter().all(|figure| figure == "-") {
                continue; // what none of these policies does
            }
            rows.add_row(std::iter::once(metric.label.to_owned()).chain(figures));
        }
        for Answers { label, figures, .. } in answers(&views) {
            rows.add_row(std::iter::once(label.to_owned()).chain(figures));
        }
        for metric in HOST_METRICS {
            rows.add_row(std::iter::once(metric.label.to_owned()).chain(views.iter().map(|view| metric.text(view))));
        }
        table::text(&rows)
    }

    /// A row per run, which begins with its two `names`; a column per metric, and what became of answers.
    fn rows(
        &self,
        metrics: &[Metric],
        answers: &[Answers],
        runs: &[&Run],
        by: &str,
        names: fn(&Run) -> [String; 2],
    ) -> String {
        let words = [self.workload.name().to_owned(), by.to_owned()];
        let labels = metrics.iter().map(|metric| metric.label).chain(answers.iter().map(|column| column.label));
        let header: Vec<String> = words.into_iter().chain(labels.map(str::to_owned)).collect();
        let alignment: Vec<_> = [Left, Left].into_iter().chain(header.iter().skip(2).map(|_| Right)).collect();
        let mut rows = table::new(header, &alignment);
        for (place, run) in runs.iter().enumerate() {
            let view = View::of(run, self.runs);
            let figures = metrics.iter().map(|metric| metric.text(&view));
            rows.add_row(
                names(run).into_iter().chain(figures).chain(answers.iter().map(|of| of.figures[place].clone())),
            );
        }
        table::text(&rows)
    }

    /// What the numbers are about.
    fn remarks(&self) -> Table {
        let Self { workload, input, setup, .. } = self;
        let mut remarks = vec![
            (input.kind(), input.description(*workload)),
            ("", input.provenance().into_owned()),
            ("GPU", format!("{}: {}; {}", setup.gpu.name, setup.gpu.title, self.set())),
        ];
        remarks.extend(input.weights().map(|weights| ("weights", weights)));
        if let Input::Tiles { options, .. } = input {
            remarks.push(("scale", launch_words(options)));
            remarks.extend(self.buffers().map(|words| ("buffer", words)));
            let words =
                "of the host and, in cdp, from each call of the parent to the first TB of the level; no tile runs then";
            remarks.push(("launches", words.to_owned()));
            remarks.push(("level range", "how many levels apart tiles are that execute at the same time".to_owned()));
        }
        if let Input::Trace(program) = input {
            let assumed = replay::assumed(program);
            remarks.extend((!assumed.is_empty()).then(|| ("assumed", assumed.join("; "))));
        }
        remarks.extend(self.warp_order().map(|words| ("warp order", words)));
        if of_table(*workload).iter().any(|metric| metric.key == "peak_ipc_fraction") {
            let words = "of the IPC at most at the nominal clock; SMs with a higher one can have more";
            remarks.push(("of peak", words.to_owned()));
        }
        if let Input::Product(options) = input {
            remarks.push(("waves", waves(*options, &setup.gpu)));
        }
        // Of wavefronts the scale says it.
        if self.runs.iter().any(|run| matches!(run.variant.way, Way::Mode(mode) if mode.is_dynamic())) {
            remarks.extend(hypothetical(&setup.gpu).map(|words| ("hypothetical", words)));
        }
        if self.compares_schedulers() {
            let first = self.runs[0].variant.scheduler();
            remarks.push(("speedup", format!("and IPC (thread instructions): against {first} in the same mode")));
            remarks.push(("busiest SMX", "its warp instructions, over those of the mean SMX".to_owned()));
        }
        let views: Vec<View<'_>> = self.runs.iter().map(|run| View::of(run, self.runs)).collect();
        remarks.extend(answers(&views).into_iter().map(|Answers { label, means, .. }| (label, means.to_owned())));
        if let Some(run) = self.runs.iter().find(|run| run.variant.sleeps()) {
            remarks.push(("DVFS", bubble_words(run)));
            remarks.push(("mJ, W", "energy and mean power of the GPU and its DRAM".to_owned()));
            let words = "energy and time against the same run without; ideal: SMXs in bubbles would take nothing";
            remarks.push(("saving, loss", words.to_owned()));
        }
        remarks.push(("check", self.check()));
        table::remarks(remarks)
    }

    /// Under which warp order policies run that name none, if others that they are compared with have another one.
    fn warp_order(&self) -> Option<String> {
        const KEY: &str = "sm.policy";
        let named = self.runs.iter().map(|run| match run.variant.way {
            Way::Sm(policy) => policy.settings().iter().find(|(key, _)| *key == KEY).map(|(_, order)| *order),
            _ => None,
        });
        let order = self.setup.gpu.configured().find(|entry| entry.key == KEY)?.value;
        let named: Vec<_> = named.collect();
        let without = self.runs.iter().zip(&named).filter(|(_, named)| named.is_none());
        let without: Vec<String> = without.map(|(run, _)| run.variant.to_string()).collect();
        let differs = named.iter().flatten().any(|other| *other != order);
        (differs && !without.is_empty())
            .then(|| format!("{order} in {}, which name none: {KEY} of the machine", without.join(", ")))
    }

    /// The dependency-graph buffers of the runs that have one.
    fn buffers(&self) -> Option<String> {
        let words = self.runs.iter().filter(|run| run.result.stats.dats.is_some()).map(|run| {
            let DatsPart { lna, lea, pub_entries, chunk_bytes, spill, .. } = run.variant.gpu.dats;
            let spill = if spill { ", spills" } else { "" };
            (
                format!("LNA {lna}, LEA {lea}, PUB {pub_entries}, chunks of {chunk_bytes} bytes{spill}"),
                run.variant.to_string(),
            )
        });
        let mut buffers: Vec<(String, Vec<String>)> = Vec::new();
        for (words, run) in words {
            match buffers.iter_mut().find(|(known, _)| *known == words) {
                Some((_, runs)) => runs.push(run),
                None => buffers.push((words, vec![run])),
            }
        }
        let words: Vec<String> =
            buffers.into_iter().map(|(words, runs)| format!("{}: {words}", runs.join(", "))).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }

    /// Which parameters and options are not as the preset has them.
    pub(super) fn set(&self) -> String {
        self.setup.told_set(|Entry { key, value, .. }| {
            let others: Vec<String> = self.runs.iter().filter_map(|run| other(run, key, value)).collect();
            if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) }
        })
    }

    /// What was verified. Runs that fail this never get here.
    fn check(&self) -> String {
        let checksums: BTreeSet<u64> = self.runs.iter().map(|run| run.verified.checksum).collect();
        let checksums: Vec<String> = checksums.into_iter().map(|sum| format!("{sum:016x}")).collect();
        format!("{}; checksum {}", self.workload.verified(), checksums.join(", "))
    }
}

/// What became of the answers of policies that decide from outside.
struct Answers {
    label: &'static str,
    means: &'static str,
    /// Of each run.
    figures: Vec<String>,
}

/// Those of which there were any.
fn answers(views: &[View<'_>]) -> Vec<Answers> {
    let counted = DECIDE_METRICS.iter().filter(|(metric, _)| views.iter().any(|view| metric.says_something(view)));
    let counted = counted.map(|(metric, means)| Answers {
        label: metric.label,
        means,
        figures: views.iter().map(|view| metric.text(view)).collect(),
    });
    let wrong = views.iter().any(|view| view.wrong_answers().is_some()).then(|| Answers {
        label: "wrong answers",
        means: "those that were refused, by the name of the fault; nothing is sent in such a cycle",
        figures: views.iter().map(|view| view.wrong_answers().unwrap_or_else(|| "-".to_owned())).collect(),
    });
    counted.chain(wrong).collect()
}

/// What a parameter is in a run where it is not as it was set.
fn other(run: &Run, key: &str, value: &str) -> Option<String> {
    let own = run.variant.gpu.resolved().find(|own| own.key == key && own.value != value)?;
    Some(format!("{} in {}", own.value, run.variant))
}

fn sched(run: &Run) -> String {
    run.variant.sched.as_ref().map_or(String::new(), ToString::to_string)
}

/// By how much launches are faster than the source's.
pub(super) fn launch_words(options: &WaveOptions) -> String {
    let WaveOptions { launch_scale, host_launch, nested_launch, .. } = *options;
    let scaled = |cycles: u32| HumanCount(u64::from(cycles / launch_scale.max(1)));
    format!(
        "launch scale {launch_scale}: latencies are the source's divided by {launch_scale}; a host launch {} cycles, one of cdp {}",
        scaled(host_launch),
        scaled(nested_launch)
    )
}

/// How often the tiles of a product fill the machine.
fn waves(options: GemmOptions, gpu: &GpuConfig) -> String {
    let (tiles, wave) = (options.tiles(), Sgemm::wave(gpu));
    format!(
        "{} tiles; {} TBs are there at the same time at most, so that is {:.2} waves",
        HumanCount(tiles.into()),
        HumanCount(wave.into()),
        f64::from(tiles) / f64::from(wave)
    )
}

/// What is said of launches on a machine that is not the one on which their latencies were measured.
fn hypothetical(gpu: &GpuConfig) -> Option<String> {
    let call = gpu.configured().find(|entry| entry.key == "dtbl.ld_b")?;
    let carried = call.provenance == Provenance::Stated(gpusched::Provenance::Inferred);
    carried.then(|| {
        format!(
            "launches from the device: their latencies are {}, and no {} has groups or LaPerm",
            call.origin, gpu.name
        )
    })
}

/// The controller's settings.
fn bubble_words(run: &Run) -> String {
    let b = &run.variant.gpu.bubble;
    let threshold = 100.0 * f64::from(b.t_num) / f64::from(b.t_den);
    let draining = if b.draining { "draining" } else { "no draining" };
    format!(
        "bubbles: samples of an SMX, one every {} cycles, below {threshold}% occupancy; low: cycles of an SMX in the low \
         P-state; a transition takes {} cycles; {draining}; {} or {} MHz, {} or {} mV",
        b.sample_cycles,
        u64::from(b.transition_samples) * u64::from(b.sample_cycles),
        b.f_high_mhz,
        b.f_low_mhz,
        b.v_high_mv,
        b.v_low_mv
    )
}
