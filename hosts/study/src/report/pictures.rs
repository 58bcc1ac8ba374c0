//! A comparison as pictures: SMX occupancy over time, and which TB ran where.

use super::Report;
use crate::ask::Workload;
use crate::failure::Failure;
use crate::input::Input;
use crate::metrics::{POWER_METRICS, View, of_table};
use crate::plot::gantt::{self, Bar, Chart, Kin, Lane, Unit};
use crate::plot::occupancy::{self, Figure, Line, Panel};
use crate::simulate::Run;

use gpusched_refgpu::timeline::{Launch, LaunchKind, Tb};
use indicatif::HumanCount;

impl Report<'_> {
    /// SMX occupancy over time, as SVG.
    pub fn plot(&self) -> Result<String, Failure> {
        let Self { workload, input, setup, runs } = self;
        let figure = Figure {
            title: format!("SMX occupancy: {} on {}", workload.name(), input.name()),
            subtitle: format!("{}; {}, {}; result verified", self.size(), setup.gpu.title, self.set()),
            line: if workload.wave().is_some() { Line::LevelRange } else { Line::Pending },
            panels: runs.iter().map(|run| panel(*workload, run, runs)).collect(),
        };
        Ok(occupancy::svg(&figure)?)
    }

    /// How big the input is, and what makes other launches of it than the source's.
    fn size(&self) -> String {
        match self.input {
            Input::Tiles { options, .. } => format!("{}, launch scale {}", self.input.size(), options.launch_scale),
            input => input.size(),
        }
    }

    /// Which TB of `run` ran where, as SVG.
    pub fn gantt(&self, run: &Run) -> Result<String, Failure> {
        let Self { workload, input, setup, .. } = self;
        let log = &run.result.timeline.tbs;
        let children = log.tbs().iter().filter(|tb| log.launches()[tb.launch as usize].parent.is_some()).count();
        let chart = Chart {
            title: format!("Which TB ran where: {} on {}", workload.name(), input.name()),
            subtitle: format!("{}; {}, {}", self.size(), setup.gpu.title, self.set()),
            unit: Unit::Cycles,
            panels: vec![gantt::Panel {
                name: run.variant.way.to_string(),
                notes: [
                    run.variant.scheduler().to_string(),
                    if run.variant.gpu.bubble.enabled { "bubble DVFS".to_owned() } else { String::new() },
                    format!("{} TBs", log.tbs().len()),
                    format!("{children} launched by TBs"),
                ]
                .into_iter()
                .filter(|note| !note.is_empty())
                .collect(),
                end: run.result.stats.cycles,
                lanes: lanes(run),
            }],
        };
        Ok(gantt::svg(&chart)?)
    }
}

fn panel(workload: Workload, run: &Run, runs: &[Run]) -> Panel {
    let (stats, timeline) = (&run.result.stats, &run.result.timeline);
    let slots = stats.machine.warp_slots as f64;
    let samples = || 0..timeline.len();
    let view = View::of(run, runs);
    let note = |key: &str, words: &str| {
        let metric = of_table(workload).iter().chain(POWER_METRICS).find(|metric| metric.key == key)?;
        Some(metric.text(&view)).filter(|text| text != "-").map(|text| format!("{text} {words}"))
    };
    Panel {
        name: run.variant.way.to_string(),
        hue: run.variant.way.number(),
        notes: [
            run.variant.sched.as_ref().map(ToString::to_string),
            run.variant.sleeps().then(|| "bubble DVFS".to_owned()),
            note("speedup_over_flat", "the speed of flat").filter(|_| run.variant.way.is_dynamic()),
            note("speedup_over_global", "the speed of global").filter(|_| !run.variant.way.is_base()),
            note("speedup_over_hardware", "the speed of hardware").filter(|_| !run.variant.way.is_base()),
            note("smx_occupancy", "mean occupancy"),
            note("max_level_range", "levels apart, at most"),
            note("pub_max", "PUB entries, at most"),
            note("launches", "launches"),
            note("pending_peak", "pending at peak").filter(|_| !run.variant.sleeps()),
            note("bubble_share", "bubbles").filter(|_| run.variant.shows_states()),
            note("energy_saving", "energy saved").filter(|_| run.variant.sleeps()),
        ]
        .into_iter()
        .flatten()
        .collect(),
        cycles: stats.cycles,
        sample_cycles: timeline.sample_cycles,
        occupancy: samples()
            .map(|sample| (0..timeline.sms).map(|sm| timeline.warps(sample, sm) / slots).collect())
            .collect(),
        states: if run.variant.shows_states() {
            run.result.states.spans(timeline.sms, stats.cycles)
        } else {
            Vec::new()
        },
        line: if stats.level_range.is_some_and(|range| range > 0) {
            timeline.level_ranges.iter().copied().map(f64::from).collect()
        } else if workload.wave().is_none() && run.variant.way.is_dynamic() {
            samples().map(|s| timeline.pending(s)).collect()
        } else {
            Vec::new()
        },
    }
}

/// A lane for each SMX, with its TBs.
fn lanes(run: &Run) -> Vec<Lane> {
    let timeline = &run.result.timeline;
    let (tbs, launches) = (timeline.tbs.tbs(), timeline.tbs.launches());
    let parent = |tb: &Tb| launches[tb.launch as usize].parent;
    let mut launches_some = vec![false; tbs.len()];
    launches.iter().filter_map(|launch| launch.parent).for_each(|parent| launches_some[parent as usize] = true);
    // A parent is dispatched before its children, so the TB that the host's kernel has in a family is known by then. Families are
    // numbered as they come.
    let (mut families, mut kin) = (0, Vec::<Kin>::with_capacity(tbs.len()));
    for (tb, &launches_some) in tbs.iter().zip(&launches_some) {
        kin.push(match parent(tb).map(|parent| kin[parent as usize]) {
            Some(Kin::Parent(family) | Kin::Child(family)) => Kin::Child(family),
            _ if launches_some => {
                families += 1;
                Kin::Parent(families - 1)
            }
            _ => Kin::Single,
        });
    }
    let numbers = numbers(launches);
    let name = |tb: &Tb| format!("{}.{}", numbers[tb.launch as usize], tb.blkid);
    let mut lanes: Vec<Lane> =
        (0..timeline.sms).map(|smx| Lane { name: format!("SMX {smx}"), bars: Vec::new() }).collect();
    for (tb, kin) in tbs.iter().zip(kin) {
        let (launch, end) = (&launches[tb.launch as usize], tb.end.unwrap_or(run.result.stats.cycles));
        let by = match launch.parent {
            None => "launched by the host".to_owned(),
            Some(parent) => {
                let parent = &tbs[parent as usize];
                format!("launched by {} on SMX {} in cycle {}", name(parent), parent.sm, HumanCount(launch.called))
            }
        };
        lanes[usize::from(tb.sm)].bars.push(Bar {
            row: tb.slot.into(),
            from: tb.start,
            to: end,
            kin,
            taken: tb.taken,
            name: name(tb),
            tip: format!(
                "{}: tag {}, {by}; {} threads; SMX {}{}, slot {}; cycles {} to {}, {} in all",
                name(tb),
                launch.kernel.tag,
                tb.threads,
                tb.sm,
                if tb.taken { ", which took it in stage 3" } else { "" },
                tb.slot,
                HumanCount(tb.start),
                HumanCount(end),
                HumanCount(end - tb.start)
            ),
        });
    }
    lanes
}

/// Names of launches: those of the host `K1`, `K2` ..., those of TBs `C1`, `C2` ...
fn numbers(launches: &[Launch]) -> Vec<String> {
    let (mut kernels, mut children) = (0, 0);
    let number = |launch: &Launch| {
        let (letter, count) = match launch.kind {
            LaunchKind::Host => ('K', &mut kernels),
            LaunchKind::Device => ('C', &mut children),
        };
        *count += 1;
        format!("{letter}{count}")
    };
    launches.iter().map(number).collect()
}
