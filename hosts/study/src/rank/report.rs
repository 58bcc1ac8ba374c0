//! A ranking for people as tables, and for programs as JSON.

use super::figures::{Standing, Table};
use super::rounds::Round;
use crate::failure::Failure;
use crate::output;
use crate::scheduler::Sched;
use crate::table;
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A ranking that is over.
pub struct Report<'a> {
    pub rounds: &'a [Round],
    /// The first is what the others are compared with.
    pub scheds: &'a [Sched],
    pub table: &'a Table,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    schedulers: Vec<SchedulerPart<'a>>,
    rounds: Vec<RoundPart>,
}

#[derive(Serialize)]
struct SchedulerPart<'a> {
    scheduler: String,
    #[serde(flatten)]
    standing: &'a Standing,
}

#[derive(Serialize)]
struct RoundPart {
    round: String,
    input: String,
    gpu: String,
    /// What is not as the preset has it.
    set: BTreeMap<String, String>,
    /// By scheduler.
    cycles: BTreeMap<String, u64>,
    /// By scheduler: cycles over those of the first.
    over_first: BTreeMap<String, f64>,
    /// By scheduler: why there are none.
    failures: BTreeMap<String, String>,
}

impl Report<'_> {
    /// The figures as JSON.
    pub fn json(&self) -> Result<String, Failure> {
        let schedulers = self.scheds.iter().zip(&self.table.standings);
        output::json(&Document {
            schema: "gpusched.rank/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            schedulers: schedulers
                .map(|(sched, standing)| SchedulerPart { scheduler: sched.to_string(), standing })
                .collect(),
            rounds: (0..self.rounds.len()).map(|round| self.round_part(round)).collect(),
        })
    }

    fn round_part(&self, number: usize) -> RoundPart {
        let round = &self.rounds[number];
        let each = || self.scheds.iter().enumerate().map(|(place, sched)| (place, sched.to_string()));
        let outcome = |place: usize| self.table.outcome(number, place).as_ref();
        RoundPart {
            round: round.to_string(),
            input: round.input.description(round.workload),
            gpu: round.setup.gpu.name.clone(),
            set: round.setup.set(),
            cycles: each().filter_map(|(place, name)| Some((name, *outcome(place).ok()?))).collect(),
            over_first: each().filter_map(|(place, name)| Some((name, self.table.factor(number, place)?))).collect(),
            failures: each().filter_map(|(place, name)| Some((name, outcome(place).err()?.clone()))).collect(),
        }
    }

    /// Who is how fast, where it shows, and what it is about.
    pub fn text(&self, seconds: f64) -> String {
        let mut remarks = self.remarks();
        let simulations = self.rounds.len() * self.scheds.len();
        let failed = self.table.failures().count();
        let verified =
            if failed == 0 { "every result".to_owned() } else { format!("{failed} failed, every other result") };
        remarks.push(("run", format!("{simulations} simulations in {seconds:.1} s; {verified} verified")));
        let words = remarks.iter().map(|(word, text)| (*word, text.clone()));
        format!("{}\n{}\n{}", table::text(&self.standings()), self.by_round(), table::text(&table::remarks(words)))
    }

    /// A row per scheduler, the fastest first.
    pub(super) fn standings(&self) -> table::Table {
        let header = STANDINGS.map(|(label, _)| label.to_owned());
        let mut rows = table::new(header.to_vec(), &[Right, Left, Right, Right, Right, Left, Left, Right]);
        for sched in self.table.order() {
            rows.add_row(self.cells(sched));
        }
        rows
    }

    /// The cells of a scheduler in the table of standings.
    fn cells(&self, sched: usize) -> [String; 8] {
        let Standing { rank, mean, mean_place, best, failed, extremes } = &self.table.standings[sched];
        let extreme = |which: usize| {
            extremes.map_or_else(String::new, |rounds| {
                let factor = self.table.factor(rounds[which], sched).unwrap_or(1.0);
                format!("{factor:.2} {}", self.rounds[rounds[which]])
            })
        };
        [
            rank.to_string(),
            self.scheds[sched].to_string(),
            mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.3}")),
            format!("{mean_place:.1}"),
            best.to_string(),
            extreme(0),
            extreme(1),
            if *failed == 0 { String::new() } else { failed.to_string() },
        ]
    }

    fn by_round(&self) -> String {
        let first = format!("{}, cycles", self.scheds[0]);
        let header = ["workload", &first, "best", "", "worst", ""].map(str::to_owned);
        let mut rows = table::new(header.to_vec(), &[Left, Right, Left, Right, Left, Right]);
        for (number, round) in self.rounds.iter().enumerate() {
            let cycles = self.table.outcome(number, 0).as_ref();
            let cycles = cycles.map_or_else(|_| "-".to_owned(), |&cycles| HumanCount(cycles).to_string());
            let ends = self.table.ends(number).filter(|_| !self.table.is_even(number)).map(|ends| {
                ends.map(|equal| {
                    let (first, others) = (equal[0], equal.len() - 1);
                    let name = self.scheds[first].to_string();
                    let factor = self.table.factor(number, first).map_or_else(|| "-".to_owned(), |f| format!("{f:.2}"));
                    [if others == 0 { name } else { format!("{name} +{others}") }, factor]
                })
            });
            let [[best, least], [worst, most]] = ends.unwrap_or_else(|| {
                let none = String::new;
                [["all equal".to_owned(), none()], [none(), none()]]
            });
            rows.add_row([round.to_string(), cycles, best, least, worst, most]);
        }
        table::text(&rows)
    }

    /// What the figures mean, and what they are of.
    pub(super) fn remarks(&self) -> Vec<(&'static str, String)> {
        let mut remarks: Vec<(&'static str, String)> = STANDINGS
            .iter()
            .filter(|(_, means)| !means.is_empty())
            .map(|&(label, means)| (label, means.replace("FIRST", &self.scheds[0].to_string())))
            .collect();
        remarks.push(("+1", "behind a best or worst scheduler: how many others take as many cycles".to_owned()));
        let gpus: BTreeSet<String> = self.rounds.iter().map(|round| round.setup.told()).collect();
        remarks.extend(gpus.into_iter().map(|gpu| ("GPU", gpu)));
        remarks.push((
            "scale",
            "small, so that a ranking takes minutes; the page and the JSON name each input".to_owned(),
        ));
        if self.table.failures().next().is_some() {
            let text = "a scheduler that failed has its time and its rank from the workloads that it ran";
            remarks.push(("failures", text.to_owned()));
        }
        for (round, sched, why) in self.table.failures() {
            remarks.push(("failed", format!("{} {}: {why}", self.rounds[round], self.scheds[sched])));
        }
        remarks
    }
}

/// The columns of the standings, and what they mean.
const STANDINGS: [(&str, &str); 8] = [
    ("rank", "by time"),
    ("scheduler", ""),
    ("time", "cycles over those of FIRST: the geometric mean over all workloads; less is better"),
    ("mean place", "among the schedulers that ran, workload by workload; equal ones share the mean of their places"),
    ("best in", "workloads in which none takes fewer cycles; those in which all take the same are not counted"),
    ("at best", "the workload with the least cycles over those of FIRST"),
    ("at worst", "that with the most"),
    ("failed", ""),
];
