//! What came out, for people and for programs.

use super::curves::{Line, slope};
use super::host::Host;
use super::measure::{Bench, Cost};
use super::workloads::Timed;
use crate::ask::Curve;
use crate::failure::Failure;
use crate::input::Setup;
use crate::plot::{costs, curves};
use crate::{output, table};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was measured.
#[derive(Debug)]
pub enum Measured {
    Workloads(Vec<Timed>),
    Curves(Vec<(Curve, Vec<Line>)>),
}

/// All that there is to say.
#[derive(Debug)]
pub struct Report<'a> {
    pub setup: &'a Setup,
    pub host: Host,
    pub bench: Bench,
    pub measured: Measured,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    gpu: &'a str,
    set: BTreeMap<String, String>,
    host: &'a Host,
    repeat: u32,
    #[serde(flatten)]
    part: Part<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Part<'a> {
    Workloads(Vec<WorkloadPart<'a>>),
    Curves(Vec<CurvePart>),
}

#[derive(Serialize)]
struct WorkloadPart<'a> {
    workload: &'static str,
    way: String,
    input: &'a str,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Serialize)]
struct CurvePart {
    over: &'static str,
    lines: Vec<LinePart>,
}

#[derive(Serialize)]
struct LinePart {
    name: &'static str,
    points: Vec<PointPart>,
}

#[derive(Serialize)]
struct PointPart {
    size: u64,
    #[serde(flatten)]
    cost: Cost,
}

/// The columns of costs.
const COSTS: [&str; 7] = ["cycles", "warp instr", "seconds", "Minstr/s", "kcycles/s", "M SM-cycles/s", "memory"];

/// Three digits that count, or all before the point.
fn number(value: f64) -> String {
    let before = if value > 0.0 { value.log10().floor() as i32 } else { 0 };
    format!("{value:.*}", (2 - before).clamp(0, 9) as usize)
}

fn bytes(value: f64) -> String {
    HumanBytes(value.round() as u64).to_string()
}

fn cells(cost: &Cost) -> [String; COSTS.len()] {
    let simulated = |text: String| if cost.cycles == 0 { "-".to_owned() } else { text };
    [
        simulated(HumanCount(cost.cycles).to_string()),
        HumanCount(cost.instructions).to_string(),
        number(cost.seconds),
        number(cost.instruction_rate() / 1e6),
        simulated(number(cost.cycle_rate() / 1e3)),
        simulated(number(cost.sm_cycle_rate() / 1e6)),
        cost.bytes.map_or_else(|| "-".to_owned(), |most| HumanBytes(most).to_string()),
    ]
}

/// A table of costs of things that these columns name.
fn costs_of(columns: [&str; 2], rows: impl Iterator<Item = ([String; 2], Cost)>) -> String {
    let header = columns.into_iter().chain(COSTS).map(str::to_owned).collect();
    let mut table = table::new(header, &[Left, Left, Right, Right, Right, Right, Right, Right, Right]);
    for (names, cost) in rows {
        table.add_row(names.into_iter().chain(cells(&cost)));
    }
    table::text(&table)
}

/// What a curve's sizes are.
const fn over(curve: Curve) -> &'static str {
    match curve {
        Curve::Sms => "SMs",
        Curve::Warps => "resident warps of an SM",
        Curve::Launches => "pending launches",
        Curve::Trace => "warp instructions of the trace",
    }
}

/// What runs on the way along a curve.
const fn load(curve: Curve) -> &'static str {
    match curve {
        Curve::Sms => {
            "instructions that need each the one before, one in eight a load, which hits in L1 but for the first; the same for \
             each SM, or one TB of 32 warps on one SM beside idle ones; the machine has one launch record (dtbl.pend_limit)"
        }
        Curve::Warps => "the same instructions, as many for each warp",
        Curve::Launches => {
            "TBs that fill the machine launch, a warp 32 at a time; what they launch has to wait, and exits when it starts; the \
             machine has as many launch records (dtbl.pend_limit)"
        }
        Curve::Trace => {
            "TBs of 8 warps with 101 instructions each; read to the end, then executed while it is read again; the machine \
                         samples every 50 cycles (run.sample_cycles)"
        }
    }
}

impl Report<'_> {
    /// What files are called after.
    pub const fn stem(&self) -> &'static str {
        match self.measured {
            Measured::Workloads(_) => "speed",
            Measured::Curves(_) => "speed-curves",
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        let mut remarks = vec![("GPU", self.setup.told())];
        match &self.measured {
            Measured::Workloads(all) => {
                parts.push(workload_table(all));
                remarks.push(("ways", "those that run takes if none is named".to_owned()));
            }
            Measured::Curves(all) => {
                for (curve, lines) in all {
                    let rows = lines.iter().flat_map(|line| {
                        let name = |size: &u64| [HumanCount(*size).to_string(), line.name.to_owned()];
                        line.points.iter().map(move |(size, cost)| (name(size), *cost))
                    });
                    parts.push(costs_of([over(*curve), "line"], rows));
                    let load = [("load", load(*curve).to_owned())];
                    parts.push(table::text(&table::remarks(load.into_iter().chain(self.growth(*curve, lines)))));
                }
            }
        }
        remarks.extend(self.host.remarks());
        let of = match self.bench.repeat {
            1 => "of one run".to_owned(),
            runs => format!("the least of {runs} runs"),
        };
        let seconds = "for which the one thread had a processor, from the machine's making to its last cycle";
        let others = "what is read or made before, and the check of the result, do not count";
        remarks.push(("seconds", format!("{seconds}, {of}; {others}")));
        let memory = "of the heap, beyond what was in use before the run: the most that was seen, before the first cycle and \
                      every 64 samples of run.sample_cycles";
        remarks.extend(self.bench.heap.map(|_| ("memory", memory.to_owned())));
        parts.push(table::text(&table::remarks(remarks)));
        parts.join("\n")
    }

    /// What follows from a curve: what one more of its sizes costs.
    fn growth(&self, curve: Curve, lines: &[Line]) -> Vec<(&'static str, String)> {
        let slots = f64::from(self.setup.gpu.sm.warps);
        let bytes_of = |cost: &Cost| cost.bytes.map(|most| most as f64);
        let memory = |line: &Line| slope(&line.points, bytes_of);
        let seconds = |line: &Line| slope(&line.points, |cost| Some(cost.seconds));
        let last = |line: &Line| line.points.last().copied();
        let mut told = Vec::new();
        let mut tell = |word, text: Option<String>| told.extend(text.map(|text| (word, text)));
        match (curve, lines) {
            (Curve::Sms, [all, one]) => {
                let text = |each: f64| {
                    format!("an SM takes {}, {} for each of its {slots} warp slots", bytes(each), bytes(each / slots))
                };
                tell("memory", memory(all).map(text));
                let idle = seconds(one).zip(last(one)).map(|(more, (_, cost))| 1e9 * more / cost.cycles as f64);
                let busy = all.points.iter().map(|(_, cost)| 1e9 / cost.sm_cycle_rate());
                let (least, most) = busy.fold((f64::MAX, 0.0_f64), |(least, most), ns| (least.min(ns), most.max(ns)));
                let text = |idle: f64| {
                    let [least, most, idle] = [least, most, idle.max(0.0)].map(number);
                    format!("{least} to {most} ns for a cycle of a full SM, {idle} ns for one of an idle SM")
                };
                tell("time", idle.map(text));
            }
            (Curve::Warps, [line]) => {
                let full = last(line).and_then(|(warps, cost)| Some(cost.bytes? as f64 / (warps * cost.sms) as f64));
                let each = memory(line).zip(last(line)).map(|(more, (_, cost))| more / cost.sms as f64);
                let text = |(full, each): (f64, f64)| {
                    format!(
                        "{} for each resident warp when all slots are taken, the whole machine divided by them; a warp adds {} \
                         to a slot that is there anyway",
                        bytes(full),
                        bytes(each.max(0.0))
                    )
                };
                tell("memory", full.zip(each).map(text));
            }
            (Curve::Launches, _) => {
                for line in lines {
                    let text = |(memory, seconds): (f64, f64)| {
                        format!("{} and {} us for each pending launch", bytes(memory), number(1e6 * seconds))
                    };
                    tell(line.name, memory(line).zip(seconds(line)).map(text));
                }
            }
            _ => {
                for line in lines {
                    // The first traces do not fill the machine.
                    let more = slope(&line.points[line.points.len().saturating_sub(2)..], bytes_of);
                    let text = |more: f64| {
                        format!("{} bytes of memory for one more instruction, at the end", number(more.max(0.0)))
                    };
                    tell(line.name, more.map(text));
                }
            }
        }
        told
    }

    /// For programs.
    pub fn json(&self) -> Result<String, Failure> {
        let part = match &self.measured {
            Measured::Workloads(all) => Part::Workloads(all.iter().map(workload_part).collect()),
            Measured::Curves(all) => Part::Curves(all.iter().map(|(curve, lines)| curve_part(*curve, lines)).collect()),
        };
        output::json(&Document {
            schema: "gpusched.speed/1",
            gpu: &self.setup.gpu.name,
            set: self.setup.set(),
            host: &self.host,
            repeat: self.bench.repeat,
            part,
        })
    }

    /// A picture of each curve, with its name.
    pub fn pictures(&self) -> Result<Vec<(String, String)>, Failure> {
        let Measured::Curves(all) = &self.measured else { return Ok(Vec::new()) };
        let draw = |(curve, lines): &(Curve, Vec<Line>)| {
            let panel = |y: &str, of: &dyn Fn(&Cost) -> Option<f64>| costs::Panel {
                y: y.to_owned(),
                lines: lines.iter().map(|line| drawn(line, of)).collect(),
            };
            let mut panels = vec![panel("seconds of the host", &|cost| Some(cost.seconds))];
            if self.bench.heap.is_some() {
                panels.push(panel("MiB of its memory", &|cost| Some(cost.bytes? as f64 / f64::from(1 << 20))));
            }
            let figure = costs::Figure {
                title: format!("Host time and memory against {}", over(*curve)),
                subtitle: format!("{}; {}", self.setup.gpu.title, self.host.cpu),
                x: over(*curve).to_owned(),
                base: if matches!(curve, Curve::Sms | Curve::Warps) { 2 } else { 10 },
                panels,
            };
            Ok((curve.to_string(), costs::svg(&figure)?))
        };
        all.iter().map(draw).collect()
    }
}

fn drawn(line: &Line, of: &dyn Fn(&Cost) -> Option<f64>) -> curves::Line {
    let points = line.points.iter().filter_map(|(size, cost)| Some((*size as f64, of(cost)?))).collect();
    curves::Line { name: line.name.to_owned(), points }
}

/// A row for each, and one for all of them.
fn workload_table(all: &[Timed]) -> String {
    let row = |Timed { workload, way, input, cost, .. }: &Timed| {
        ([format!("{} {way}", workload.name()), input.clone()], *cost)
    };
    let sum = Cost {
        sms: all.first().map_or(0, |first| first.cost.sms),
        cycles: all.iter().map(|timed| timed.cost.cycles).sum(),
        instructions: all.iter().map(|timed| timed.cost.instructions).sum(),
        seconds: all.iter().map(|timed| timed.cost.seconds).sum(),
        bytes: all.iter().map(|timed| timed.cost.bytes).max().flatten(),
    };
    let whole = (["all".to_owned(), String::new()], sum);
    costs_of(["workload", "input"], all.iter().map(row).chain([whole]))
}

fn workload_part(timed: &Timed) -> WorkloadPart<'_> {
    let Timed { workload, way, about, cost, .. } = timed;
    WorkloadPart { workload: workload.name(), way: way.to_string(), input: about, cost: *cost }
}

fn curve_part(curve: Curve, lines: &[Line]) -> CurvePart {
    let line = |line: &Line| LinePart {
        name: line.name,
        points: line.points.iter().map(|&(size, cost)| PointPart { size, cost }).collect(),
    };
    CurvePart { over: over(curve), lines: lines.iter().map(line).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_that_count() {
        assert_eq!(
            [0.00312, 0.25, 4.0, 41.44, 1234.5, 0.0].map(number),
            ["0.00312", "0.250", "4.00", "41.4", "1234", "0.00"]
        );
    }

    #[test]
    fn rates_are_of_the_seconds() {
        let cost = Cost { sms: 4, cycles: 2_000_000, instructions: 3_000_000, seconds: 2.0, bytes: Some(2048) };
        assert_eq!(cells(&cost), ["2,000,000", "3,000,000", "2.00", "1.50", "1000", "4.00", "2.00 KiB"]);
        assert_eq!(cells(&Cost { cycles: 0, bytes: None, ..cost }), ["-", "3,000,000", "2.00", "1.50", "-", "-", "-"]);
    }
}
