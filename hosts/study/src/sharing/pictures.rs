//! Pictures of a comparison: who is on the machine, the way of the targets, what L1 does for each kernel, what schedulers wait for.

use super::run::Run;
use super::set::{Member, Set};
use crate::failure::Failure;
use crate::plot::series::{self, Line};
use crate::plot::shares::{self, Bar, Colour, Group, Kind};
use gpusched_refgpu::stats::{RunStats, Targets, TlpWalk};

/// Every picture that has something to show, by the end of its file name.
pub fn all(set: &Set, runs: &[Run]) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut pictures = vec![("l1", l1(set, runs)?), ("stalls", stalls(set, runs)?)];
    if runs.iter().any(|run| !run.resident.is_empty()) {
        pictures.push(("tbs", tbs(set, runs)?));
    }
    if runs.iter().any(|run| run.walk.as_ref().is_some_and(|walk| !walk.changes.is_empty())) {
        pictures.push(("walk", walk(set, runs)?));
    }
    Ok(pictures)
}

fn subtitle(set: &Set) -> String {
    format!("{}; results verified", set.setup.gpu.title)
}

/// How fast a run is beside the first, which a picture of some runs need not show.
fn note(run: &Run, runs: &[Run]) -> String {
    format!("{} of {}", factor(run, runs), runs[0].policy)
}

/// The same where the first stands among the others.
fn short_note(run: &Run, runs: &[Run]) -> String {
    if std::ptr::eq(run, &raw const runs[0]) { "the others' base".to_owned() } else { factor(run, runs) }
}

fn factor(run: &Run, runs: &[Run]) -> String {
    format!("{:.2}x the throughput", runs[0].stats.cycles as f64 / run.stats.cycles as f64)
}

fn part(of: u64, whole: u64) -> f64 {
    if whole > 0 { of as f64 / whole as f64 } else { 0.0 }
}

const L1: [(&str, Colour); 4] = [
    ("hit", Colour::Hue(2)),
    ("waits for a line on its way", Colour::Hue(5)),
    ("fetches a line", Colour::Hue(1)),
    ("goes past L1", Colour::Neutral),
];

/// What becomes of the load transactions of each kernel.
fn l1(set: &Set, runs: &[Run]) -> Result<String, Failure> {
    let groups = set.members.iter().enumerate().map(|(number, member)| {
        let bar = |run: &Run| {
            let of = run.stats.streams.get(number).map(|stream| stream.counts.lsu).unwrap_or_default();
            let all = of.accesses() + of.bypassed;
            let shares = [of.hits, of.merges, of.misses, of.bypassed].map(|n| part(n, all)).to_vec();
            Bar { name: run.policy.to_string(), note: short_note(run, runs), shares }
        };
        Group { name: member.name.clone(), bars: runs.iter().map(bar).collect() }
    });
    bars(set, "What becomes of loads at L1", &L1, groups.collect())
}

const STALLS: [(&str, Colour); 4] = [
    ("issues", Colour::Hue(2)),
    ("a unit or the LSU is taken", Colour::Hue(3)),
    ("waits for memory", Colour::Hue(1)),
    ("other", Colour::Neutral),
];

/// What the schedulers' cycles went by with.
fn stalls(set: &Set, runs: &[Run]) -> Result<String, Failure> {
    let bar = |run: &Run| {
        let RunStats { sm, machine, .. } = &run.stats;
        let all = sm.cycles * machine.schedulers;
        let [issued, unit, memory] =
            [sm.all_instructions(), sm.structural_stalls, sm.memory_stalls].map(|n| part(n, all));
        let shares = vec![issued, unit, memory, (1.0 - issued - unit - memory).max(0.0)];
        Bar { name: run.policy.to_string(), note: short_note(run, runs), shares }
    };
    let group = Group { name: set.name(), bars: runs.iter().map(bar).collect() };
    bars(set, "What schedulers do", &STALLS, vec![group])
}

fn bars(set: &Set, title: &str, kinds: &[(&str, Colour)], groups: Vec<Group>) -> Result<String, Failure> {
    let kinds = kinds.iter().map(|&(name, colour)| Kind { name: name.to_owned(), colour }).collect();
    let title = format!("{title}: {}", set.name());
    Ok(shares::svg(&shares::Figure { title, subtitle: subtitle(set), kinds, groups })?)
}

/// How many TBs of each kernel the machine has over time.
fn tbs(set: &Set, runs: &[Run]) -> Result<String, Failure> {
    let line =
        |(member, points): (&Member, &Vec<(u64, f64)>)| Line { name: member.name.clone(), points: points.clone() };
    let panel = |run: &Run| series::Panel {
        name: run.policy.to_string(),
        notes: vec![note(run, runs)],
        cycles: run.stats.cycles,
        lines: set.members.iter().zip(&run.resident).map(line).collect(),
    };
    Ok(series::svg(&series::Figure {
        title: format!("Who is on the machine: {}", set.name()),
        subtitle: subtitle(set),
        values: "TBs of all SMs".to_owned(),
        panels: runs.iter().map(panel).collect(),
    })?)
}

/// Something of the targets of both kernels.
type Of = fn(&Targets) -> [u32; 2];

/// Targets of each kernel over time, in the mean of all SMs, and those of them that bypass L1.
fn walk(set: &Set, runs: &[Run]) -> Result<String, Failure> {
    let with = runs.iter().filter_map(|run| Some((run, run.walk.as_ref()?)));
    let panel = |(run, walk): (&Run, &TlpWalk)| series::Panel {
        name: run.policy.to_string(),
        notes: vec![note(run, runs)],
        cycles: run.stats.cycles,
        lines: lines(set, run, walk),
    };
    let figure = series::Figure {
        title: format!("TBs that kernels are to have: {}", set.name()),
        subtitle: subtitle(set),
        values: "TBs of an SM, in the mean of all SMs".to_owned(),
        panels: with.map(panel).collect(),
    };
    Ok(series::svg(&figure)?)
}

fn lines(set: &Set, run: &Run, walk: &TlpWalk) -> Vec<Line> {
    let sms = run.stats.machine.sms as usize;
    let mut lines = Vec::new();
    let kinds: [(&str, Of); 2] = [("", |targets| targets.tb), (" past L1", |targets| targets.by)];
    // A kernel's colour is the same in all panels, whether or not TBs bypass L1.
    for (what, of) in kinds {
        for (stream, member) in set.members.iter().enumerate() {
            let (mut now, mut points) = (vec![0; sms], Vec::<(u64, f64)>::new());
            for targets in &walk.changes {
                let place = targets.streams.iter().position(|&of| of == Some(stream));
                let Some(one) = now.get_mut(usize::from(targets.sm)) else { continue };
                *one = place.map_or(0, |place| of(targets)[place]);
                let mean = f64::from(now.iter().sum::<u32>()) / sms as f64;
                match points.last_mut() {
                    Some(last) if last.0 == targets.cycle => last.1 = mean,
                    _ => points.push((targets.cycle, mean)),
                }
            }
            if points.iter().any(|&(_, mean)| mean > 0.0) {
                lines.push(Line { name: format!("{}{what}", member.name), points });
            }
        }
    }
    lines
}
