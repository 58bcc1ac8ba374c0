//! What went on inside the SMs while a kernel ran, as pictures: what warps waited for, at which levels of voltage and frequency, why
//! L1 refused, how many blocks ran, how far ahead lines were fetched.

use super::Report;
use crate::failure::Failure;
use crate::metrics::{KERNEL_METRICS, View};
use crate::plot::series::{self, Line};
use crate::plot::shares::{self, Bar, Colour, Group, Kind};
use crate::simulate::Run;
use crate::way::WaysOf;
use gpusched_refgpu::equalizer::{EpochRow, Tuning, VfCycles};
use gpusched_refgpu::l1::Refusal;
use gpusched_refgpu::prefetch::Distances;
use gpusched_refgpu::stats::{KernelStats, WarpStates};
use gpusched_refgpu::vf::VfLevel;
use std::collections::BTreeMap;

/// Loads whose distances are drawn, at most.
const MOST_LOADS: usize = 6;

/// All launches of one kernel of a run.
#[derive(Clone, Debug, Default)]
struct OneKernel {
    cycles: u64,
    warps: WarpStates,
    vf_cycles: VfCycles,
    /// SM cycles with a refused access, by reason, per SM cycle; times cycles.
    stalls: [f64; Refusal::COUNT],
}

impl OneKernel {
    fn add(&mut self, launch: &KernelStats) {
        self.cycles += launch.cycles;
        if let Some(warps) = launch.warps {
            self.warps += warps;
        }
        let pairs = self.vf_cycles.iter_mut().flatten().zip(launch.vf_cycles.iter().flatten());
        pairs.for_each(|(sum, cycles)| *sum += cycles);
        let all: u64 = launch.lsu_stalls.iter().sum();
        for (sum, &stalls) in self.stalls.iter_mut().zip(&launch.lsu_stalls) {
            *sum += part(stalls as f64, all as f64) * launch.lsu_stall_fraction * launch.cycles as f64;
        }
    }
}

impl Report<'_> {
    /// What goes on inside the SMs when a kernel runs, as SVG, each with the end of its name. Pictures with nothing on them are left out.
    pub fn inside(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut pictures = Vec::new();
        if self.workload.ways() != WaysOf::Policies {
            return Ok(pictures);
        }
        let runs = self.runs;
        if runs.iter().any(|run| run.result.stats.warps.is_some_and(|warps| warps.samples > 0)) {
            pictures.push(("warps", self.shares("What warps wait for", &WARPS, |one| warps(&one.warps))?));
        }
        let tuned = |run: &Run| {
            run.result.stats.kernels.iter().any(|k| at_levels(&k.vf_cycles).any(|(at, n)| at != 4 && n > 0))
        };
        if runs.iter().any(tuned) {
            let of =
                |one: &OneKernel| at_levels(&one.vf_cycles).map(|(_, n)| part(n as f64, one.cycles as f64)).collect();
            pictures.push(("levels", self.shares("Time at each pair of levels", &LEVELS, of)?));
        }
        if runs.iter().any(|run| run.result.stats.sm.lsu.stalls.iter().any(|&n| n > 0)) {
            let of = |one: &OneKernel| one.stalls.iter().map(|&sum| part(sum, one.cycles as f64)).collect();
            pictures.push(("stalls", self.shares("SM cycles in which L1 refuses an access, by reason", &STALLS, of)?));
        }
        if runs.iter().any(|run| run.result.stats.sm.mascar.mp_cycles > 0) {
            pictures.push(("modes", self.modes()?));
        }
        if runs.iter().any(|run| run.result.tuning.is_some()) {
            pictures.push(("blocks", self.blocks()?));
        }
        if runs.iter().any(|run| run.result.stats.distances.iter().any(|sm| !sm.changes.is_empty())) {
            pictures.push(("distance", self.distances()?));
        }
        Ok(pictures)
    }

    /// A group of bars per kernel, a bar per run.
    fn shares(
        &self,
        title: &str,
        kinds: &[(&str, Colour)],
        of: impl Fn(&OneKernel) -> Vec<f64>,
    ) -> Result<String, Failure> {
        let mut groups: Vec<Group> = Vec::new();
        let first = self.runs.first().map_or_else(Vec::new, |run| self.by_kernel(run));
        for (number, run) in self.runs.iter().enumerate() {
            for (name, one) in self.by_kernel(run) {
                let base = first.iter().find(|(known, _)| *known == name).map_or(0, |(_, base)| base.cycles);
                let note = match number {
                    0 => "the others' base".to_owned(),
                    _ => format!("{:.2}x the speed", part(base as f64, one.cycles as f64)),
                };
                let bar = Bar { name: run.variant.way.to_string(), note, shares: of(&one) };
                match groups.iter_mut().find(|group| group.name == name) {
                    Some(group) => group.bars.push(bar),
                    None => groups.push(Group { name, bars: vec![bar] }),
                }
            }
        }
        self.bars(title, kinds, groups)
    }

    fn bars(&self, title: &str, kinds: &[(&str, Colour)], groups: Vec<Group>) -> Result<String, Failure> {
        let kinds = kinds.iter().map(|&(name, colour)| Kind { name: name.to_owned(), colour }).collect();
        let title = format!("{title}: {}", self.workload.name());
        Ok(shares::svg(&shares::Figure { title, subtitle: self.subtitle(), kinds, groups })?)
    }

    /// The kernels of a run in the order of their first launches, each with all of its launches.
    fn by_kernel(&self, run: &Run) -> Vec<(String, OneKernel)> {
        let mut kernels: Vec<(String, OneKernel)> = Vec::new();
        for launch in &run.result.stats.kernels {
            let name = launch.name.as_deref().unwrap_or(self.workload.name());
            match kernels.iter_mut().find(|(known, _)| known == name) {
                Some((_, one)) => one.add(launch),
                None => {
                    let mut one = OneKernel::default();
                    one.add(launch);
                    kernels.push((name.to_owned(), one));
                }
            }
        }
        kernels
    }

    /// The share of SM cycles in each mode of Mascar.
    fn modes(&self) -> Result<String, Failure> {
        let bar = |run: &Run| {
            let share = run.result.stats.figures().mp_share;
            Bar { name: run.variant.way.to_string(), note: self.note(run), shares: vec![1.0 - share, share] }
        };
        let group = Group { name: self.workload.name().to_owned(), bars: self.runs.iter().map(bar).collect() };
        self.bars("Modes of Mascar", &MODES, vec![group])
    }

    /// How many blocks run on an SM, over time.
    fn blocks(&self) -> Result<String, Failure> {
        let lines = |tuning: &Tuning| {
            let starts = std::iter::once(0).chain(tuning.rows.iter().map(|row| row.cycle));
            let mean = |sum: u64, samples: u64| part(sum as f64, samples as f64);
            let line = |name: &str, of: fn(&EpochRow) -> u64| Line {
                name: name.to_owned(),
                points: starts
                    .clone()
                    .zip(&tuning.rows)
                    .map(|(start, row)| (start, mean(of(row), row.warps.samples)))
                    .collect(),
            };
            vec![line("running", |row| row.running), line("paused", |row| row.paused)]
        };
        let panel = |run: &Run| {
            let lines = run.result.tuning.as_ref().map_or_else(Vec::new, lines);
            series::Panel { lines, ..self.panel(run) }
        };
        self.series("Blocks on an SM", "blocks, in the mean of all SMs", self.runs.iter().map(panel).collect())
    }

    /// How far ahead loads of SM 0 are fetched, over time.
    fn distances(&self) -> Result<String, Failure> {
        let lines = |run: &Run| {
            let Some(Distances { changes, .. }) = run.result.stats.distances.first() else { return Vec::new() };
            let mut loads = BTreeMap::<u32, Vec<(u64, f64)>>::new();
            for change in changes {
                let first = || vec![(0, f64::from(run.variant.gpu.prefetch_table().init_distance))];
                loads.entry(change.load).or_insert_with(first).push((change.cycle, change.distance.into()));
            }
            let mut loads: Vec<_> = loads.into_iter().collect();
            loads.sort_by_key(|(load, points)| (std::cmp::Reverse(points.len()), *load));
            loads.truncate(MOST_LOADS);
            loads.into_iter().map(|(load, points)| Line { name: format!("load {load}"), points }).collect()
        };
        let with = self.runs.iter().filter(|run| run.result.stats.distances.iter().any(|sm| !sm.changes.is_empty()));
        let panels = with.map(|run| series::Panel { lines: lines(run), ..self.panel(run) }).collect();
        self.series("How far ahead SM 0 fetches", "iterations; the loads with most changes", panels)
    }

    fn series(&self, title: &str, values: &str, panels: Vec<series::Panel>) -> Result<String, Failure> {
        let title = format!("{title}: {}", self.workload.name());
        let figure = series::Figure { title, subtitle: self.subtitle(), values: values.to_owned(), panels };
        Ok(series::svg(&figure)?)
    }

    fn panel(&self, run: &Run) -> series::Panel {
        let name = run.variant.way.to_string();
        series::Panel { name, notes: vec![self.note(run)], cycles: run.result.stats.cycles, lines: Vec::new() }
    }

    /// How fast the run is beside the first, which a picture of some runs need not show.
    fn note(&self, run: &Run) -> String {
        let view = View::of(run, self.runs);
        let speedup = KERNEL_METRICS.iter().find(|metric| metric.key == "speedup");
        let told = speedup.zip(self.runs.first());
        told.map_or_else(String::new, |(metric, base)| {
            format!("{} the speed of {}", metric.text(&view), base.variant.way)
        })
    }

    fn subtitle(&self) -> String {
        let gpu = &self.setup.gpu;
        format!("{}; {}, {}; result verified", self.input.size(), gpu.title, self.set())
    }
}

const WARPS: [(&str, Colour); 7] = [
    ("issues", Colour::Hue(2)),
    ("waits for operands", Colour::Hue(0)),
    ("arithmetic pipes are taken", Colour::Hue(3)),
    ("LD/ST accepts nothing", Colour::Hue(1)),
    ("barrier or other", Colour::Light(4)),
    ("paused", Colour::Neutral),
    ("no instruction", Colour::Light(5)),
];

fn warps(states: &WarpStates) -> Vec<f64> {
    let WarpStates { issued, waiting, xalu, xmem, other, paused, unaccounted, .. } = *states;
    let all = [issued, waiting, xalu, xmem, other, paused, unaccounted];
    let sum: u64 = all.iter().sum();
    all.iter().map(|&n| part(n as f64, sum as f64)).collect()
}

/// Levels of the SMs, then of the memory, in the order of [`at_levels`].
const LEVELS: [(&str, Colour); 9] = [
    ("SMs -15 %, memory -15 %", Colour::Light(0)),
    ("SMs -15 %", Colour::Hue(0)),
    ("SMs -15 %, memory +15 %", Colour::Dark(0)),
    ("memory -15 %", Colour::Light(2)),
    ("nominal", Colour::Neutral),
    ("memory +15 %", Colour::Hue(2)),
    ("SMs +15 %, memory -15 %", Colour::Light(1)),
    ("SMs +15 %", Colour::Hue(1)),
    ("SMs +15 %, memory +15 %", Colour::Dark(1)),
];

/// Cycles at each pair of levels, numbered.
fn at_levels(cycles: &VfCycles) -> impl Iterator<Item = (usize, u64)> {
    const { assert!(VfLevel::COUNT == 3) };
    cycles.iter().flatten().copied().enumerate()
}

const STALLS: [(&str, Colour); Refusal::COUNT] = [
    ("the line is on its way, and its MSHR is full", Colour::Hue(5)),
    ("every way of the set waits for a fill", Colour::Hue(3)),
    ("no MSHR is free", Colour::Hue(1)),
    ("the miss queue is full", Colour::Hue(4)),
    ("another warp owns the LSU", Colour::Hue(2)),
];

const MODES: [(&str, Colour); 2] =
    [("equal priority (EP)", Colour::Neutral), ("memory access priority (MP)", Colour::Hue(1))];

fn part(of: f64, whole: f64) -> f64 {
    if whole > 0.0 { of / whole } else { 0.0 }
}
