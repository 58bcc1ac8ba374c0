//! What a tournament says: tables for people, JSON for programs, a picture.

use super::Contestant;
use super::samples::Draw;
use crate::ask::Workload;
use crate::failure::Failure;
use crate::input::Setup;
use crate::output;
use crate::plot::intervals::{self, Figure, Group, Row};
use crate::statistics::Mean;
use crate::table;
use crate::way::Way;
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A tournament that is over.
pub struct Report<'a> {
    pub workload: Workload,
    pub draw: &'a Draw<'a>,
    pub setup: &'a Setup,
    /// By way, then by scheduler.
    pub contestants: &'a [Contestant],
    /// How many of each way there are.
    pub schedulers: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    workload: &'static str,
    options: Value,
    input: String,
    gpu: &'a str,
    /// What is not as the preset has it.
    set: BTreeMap<String, String>,
    samples: usize,
    /// Where searches start, if it is that which differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<&'a [u32]>,
    runs: Vec<RunPart<'a>>,
}

#[derive(Serialize)]
struct RunPart<'a> {
    #[serde(flatten)]
    way: Way,
    scheduler: String,
    /// Of each sample.
    cycles: &'a [u64],
    mean_cycles: Mean,
    /// Against the first scheduler in the same way, sample by sample: the geometric mean.
    speedup_over_first: Mean,
    /// Samples in which it takes fewer cycles than the first scheduler, and more.
    faster: usize,
    slower: usize,
    /// Whether the interval of the speedup leaves out 1.
    differs: bool,
}

/// A contestant beside the first of its way.
struct Compared<'a> {
    of: &'a Contestant,
    is_first: bool,
    cycles: Mean,
    /// Of each sample.
    speedups: Vec<f64>,
    speedup: Mean,
    faster: usize,
    slower: usize,
}

impl Compared<'_> {
    fn verdict(&self) -> &'static str {
        let interval = self.speedup.interval();
        match (self.is_first, self.faster + self.slower) {
            (true, _) => "-",
            (_, 0) => "equal",
            _ if interval.is_some_and(|[low, _]| low > 1.0) => "faster",
            _ if interval.is_some_and(|[_, high]| high < 1.0) => "slower",
            _ => "undecided",
        }
    }
}

impl<'a> Report<'a> {
    /// By way.
    fn compared(&self) -> impl Iterator<Item = Vec<Compared<'a>>> + use<'a> {
        self.contestants.chunks(self.schedulers).map(|of_way| {
            let first = &of_way[0].cycles;
            let compare = |(place, of): (usize, &'a Contestant)| {
                let pairs = || first.iter().zip(&of.cycles);
                let speedups: Vec<f64> = pairs().map(|(&first, &own)| first as f64 / own.max(1) as f64).collect();
                let cycles: Vec<f64> = of.cycles.iter().map(|&cycles| cycles as f64).collect();
                Compared {
                    is_first: place == 0,
                    cycles: Mean::of(&cycles),
                    speedup: Mean::of_factors(&speedups),
                    faster: pairs().filter(|(first, own)| own < first).count(),
                    slower: pairs().filter(|(first, own)| own > first).count(),
                    speedups,
                    of,
                }
            };
            of_way.iter().enumerate().map(compare).collect()
        })
    }

    /// Name of the result files, without extension.
    pub fn file_stem(&self) -> String {
        let of = if self.draw.sources().is_some() { "sources" } else { "seeds" };
        let (input, gpu) = (self.draw.first().name(), &self.setup.gpu.name);
        let stem = format!("{}-{input}-{gpu}-sched-{of}-{}", self.workload.name(), self.draw.len());
        stem.replace(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'), "-")
    }

    /// The reproducible part, as JSON.
    pub fn json(&self) -> Result<String, Failure> {
        let run = |compared: Compared<'a>| RunPart {
            way: compared.of.way,
            scheduler: compared.of.sched.to_string(),
            cycles: &compared.of.cycles,
            mean_cycles: compared.cycles,
            speedup_over_first: compared.speedup,
            faster: compared.faster,
            slower: compared.slower,
            differs: compared.speedup.excludes(1.0),
        };
        output::json(&Document {
            schema: "gpusched.tournament/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            workload: self.workload.name(),
            options: self.setup.options.json(self.workload)?,
            input: self.draw.description(self.workload),
            gpu: &self.setup.gpu.name,
            set: self.setup.set(),
            samples: self.draw.len(),
            sources: self.draw.sources(),
            runs: self.compared().flatten().map(run).collect(),
        })
    }

    /// The table, and what it is about.
    pub fn table(&self) -> String {
        let header = ["scheduler", "mean cycles", "+-", "speedup", "from", "to", "faster in", "slower in", "so it is"];
        let header = std::iter::once(self.workload.name()).chain(header).map(str::to_owned).collect();
        let alignment = [Left, Left, Right, Right, Right, Right, Right, Right, Right, Left];
        let mut rows = table::new(header, &alignment);
        let mut is_constant = true;
        for compared in self.compared().flatten() {
            let Compared { of, is_first, cycles, speedup, faster, slower, .. } = &compared;
            is_constant &= cycles.low == cycles.high;
            let count = |value: f64| HumanCount(value.round() as u64).to_string();
            let other = |text: String| if *is_first { "-".to_owned() } else { text };
            let end = |end: Option<f64>| other(end.map_or_else(|| "-".to_owned(), |end| format!("{end:.3}x")));
            rows.add_row([
                of.way.to_string(),
                of.sched.to_string(),
                count(cycles.mean),
                cycles.high.map_or_else(|| "-".to_owned(), |high| count(high - cycles.mean)),
                format!("{:.3}x", speedup.mean),
                end(speedup.low),
                end(speedup.high),
                other(faster.to_string()),
                other(slower.to_string()),
                compared.verdict().to_owned(),
            ]);
        }
        let first = &self.contestants[0].sched;
        let mut remarks = vec![
            (self.draw.first().kind(), self.draw.description(self.workload)),
            ("samples", self.draw.words()),
            ("GPU", self.setup.told()),
            ("+-", "half of the 95 % confidence interval of the mean (Student's, of the samples)".to_owned()),
            (
                "speedup",
                format!(
                    "against {first} in the same way, sample by sample: the geometric mean, and its 95 % confidence interval, from .. to"
                ),
            ),
            ("so it is", "faster or slower where the interval leaves out 1".to_owned()),
        ];
        if is_constant {
            remarks.push(("note", "every sample takes the same time: it does not depend on what differs".to_owned()));
        }
        remarks.push(("check", format!("{}, in each sample", self.workload.verified())));
        format!("{}\n{}", table::text(&rows), table::text(&table::remarks(remarks)))
    }

    /// The picture, as SVG.
    pub fn plot(&self) -> Result<String, Failure> {
        let first = &self.contestants[0].sched;
        let row = |compared: Compared<'_>| Row {
            name: compared.of.sched.to_string(),
            note: format!("{:.3}x, {}", compared.speedup.mean, compared.verdict()),
            mean: compared.speedup.with_interval(),
            values: compared.speedups,
            stated: None,
        };
        let groups = self.compared().map(|of_way| Group {
            name: of_way[0].of.way.to_string(),
            rows: of_way.into_iter().skip(1).map(row).collect(),
        });
        Ok(intervals::svg(&Figure {
            title: format!("Speedup over {first}: {} on {}", self.workload.name(), self.draw.first().name()),
            subtitle: format!("{} samples, {}; results verified", self.draw.len(), self.setup.gpu.title),
            values: "speedup: a dot for each sample, the geometric mean and its 95 % confidence interval".to_owned(),
            groups: groups.collect(),
        })?)
    }
}
