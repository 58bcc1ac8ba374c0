//! What a study has come to: the same for every study, whatever its runs are, so that one table, one file and one page can hold them all.

use crate::failure::Failure;
use crate::input::Setup;
use crate::page::runs::Runs;
use crate::plot::intervals::{self, Figure, Group, factor};
use crate::study::digest::Digest;
use crate::table::{self, Table};
use anyhow::Context;
use comfy_table::CellAlignment::{Left, Right};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Of the file with every statement.
const COLUMNS: [&str; 9] = ["study", "what", "over", "stated", "here", "ratio", "direction", "runs", "figures"];
/// Of a hash in it.
const DIGITS: usize = 16;

/// A study that has been run.
pub struct Told {
    /// As on the command line.
    pub name: &'static str,
    /// What it is about.
    pub title: String,
    /// What the source states, each beside what came out.
    pub verdicts: Vec<Verdict>,
    /// For people: what the verdicts are worked out from. Verdicts that are a table of their own are not repeated.
    pub tables: Vec<Table>,
    /// What is to be known of it, by word.
    pub remarks: Vec<(&'static str, String)>,
    /// What was run.
    pub runs: Runs,
    /// For people, without files.
    pub text: String,
    /// For programs.
    pub json: String,
    /// Files, as SVG drawn or not.
    pub written: Vec<PathBuf>,
}

impl Told {
    /// What became of every statement as CSV, a line each, with hashes of what was run and of what came out.
    pub fn statements(&self) -> Result<String, Failure> {
        self.try_statements().context("cannot write CSV").map_err(Failure::Failed)
    }

    fn try_statements(&self) -> anyhow::Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS)?;
        let (runs, mut figures) = (self.runs.digest(DIGITS), Digest::default());
        figures.add("figures", &self.json);
        let figures = figures.hex(DIGITS);
        for verdict in &self.verdicts {
            let Verdict { what, over, stated, here, .. } = verdict;
            let direction = verdict.direction_text();
            let (over, ratio) = (over.to_string(), verdict.ratio_text());
            writer.write_record([self.name, what, &over, stated, here, &ratio, direction, &runs, &figures])?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// What the JSON of a study begins with.
#[derive(Serialize)]
pub struct Head<'a> {
    schema: &'static str,
    generator: &'static str,
    suite: &'static str,
    gpu: &'a str,
    /// What is not as the preset has it.
    set: BTreeMap<String, String>,
}

impl<'a> Head<'a> {
    /// Of a suite on this machine.
    pub fn new(schema: &'static str, suite: &'static str, setup: &'a Setup) -> Self {
        let generator = concat!("gpusched ", env!("CARGO_PKG_VERSION"));
        Self { schema, generator, suite, gpu: &setup.gpu.name, set: setup.set() }
    }
}

/// A statement of a source, and what became of it.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What of the source it belongs to.
    pub group: String,
    /// What is stated something of.
    pub what: String,
    /// Of how many benchmarks, kernels or sets it was worked out.
    pub over: usize,
    /// As it is printed; empty if the source has no figure.
    pub stated: String,
    /// As it is printed.
    pub here: String,
    /// The second over the first, if both are numbers.
    pub ratio: Option<f64>,
    /// Whether it is on the source's side of no effect; none: it is no effect.
    pub direction: Option<bool>,
    /// Why not, if that is known.
    pub cause: Option<String>,
    /// If it is a factor: the mean, what is stated, and what the mean is over.
    pub factors: Option<(f64, f64, Vec<f64>)>,
}

impl Verdict {
    /// The ratio as it is printed.
    pub fn ratio_text(&self) -> String {
        self.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"))
    }

    /// The direction in words.
    pub const fn direction_text(&self) -> &'static str {
        match self.direction {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "",
        }
    }
}

/// All statements of `study` as a table for people.
pub fn table_of(study: &str, verdicts: &[Verdict]) -> Table {
    let header = [study, "over", "stated", "here", "ratio", "direction"].map(str::to_owned);
    let mut rows = table::new(header.to_vec(), &[Left, Right, Right, Right, Right, Left]);
    for verdict in verdicts {
        let Verdict { what, over, stated, here, .. } = verdict;
        rows.add_row([what, &over.to_string(), stated, here, &verdict.ratio_text(), verdict.direction_text()]);
    }
    rows
}

/// How many directions hold, of how many.
pub fn holding(verdicts: &[Verdict]) -> (usize, usize) {
    let directions = verdicts.iter().filter_map(|verdict| verdict.direction);
    (directions.clone().filter(|&holds| holds).count(), directions.count())
}

/// Tables and remarks as one text.
pub fn text(tables: &[Table], remarks: &[(&'static str, String)]) -> String {
    let remarks = table::remarks(remarks.iter().map(|(word, remark)| (*word, remark.clone())));
    tables.iter().chain([&remarks]).map(table::text).collect::<Vec<_>>().join("\n")
}

/// Factors beside what is stated, if there are any.
pub fn picture(title: &str, subtitle: String, verdicts: &[Verdict]) -> anyhow::Result<Option<String>> {
    let mut groups: Vec<Group> = Vec::new();
    for verdict in verdicts {
        let Some((mean, stated, values)) = &verdict.factors else { continue };
        let row = intervals::Row {
            name: verdict.what.clone(),
            note: format!("{}; stated {}", factor(*mean, 2), factor(*stated, 2)),
            values: values.clone(),
            mean: Some([*mean; 3]),
            stated: Some(*stated),
        };
        match groups.last_mut().filter(|group| group.name == verdict.group) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { name: verdict.group.clone(), rows: vec![row] }),
        }
    }
    let values = "factor: a dot for each, their mean, and a diamond for what is stated".to_owned();
    let figure = Figure { title: title.to_owned(), subtitle, values, groups };
    if figure.groups.is_empty() { Ok(None) } else { intervals::svg(&figure).map(Some) }
}
