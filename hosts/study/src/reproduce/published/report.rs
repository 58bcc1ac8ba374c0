//! What came out of a source: what became of its statements, for programs as JSON, and what is to be known of it.

use super::claim::{Outcome, UNCHANGED};
use super::source::{Bench, Row, Size, Source};
use crate::failure::Failure;
use crate::output;
use crate::reproduce::told::{self, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A row with what became of its claims.
pub struct RowTold {
    pub row: &'static Row,
    pub outcomes: Vec<Outcome>,
}

impl RowTold {
    fn part(&self) -> RowPart<'_> {
        let &Row { cells, figures, without, .. } = self.row;
        RowPart {
            result: cells.join(": "),
            figures,
            claims: &self.outcomes,
            without: without.iter().copied().collect(),
        }
    }
}

/// A source that has been run.
pub struct Report {
    pub source: &'static Source,
    pub size: Size,
    pub benches: Vec<&'static Bench>,
    pub rows: Vec<RowTold>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    source: &'static str,
    size: Size,
    benchmarks: Vec<BenchPart>,
    rows: Vec<RowPart<'a>>,
}

#[derive(Serialize)]
struct BenchPart {
    name: &'static str,
    options: BTreeMap<&'static str, &'static str>,
}

#[derive(Serialize)]
struct RowPart<'a> {
    /// As the sheet has it.
    result: String,
    figures: &'static [u32],
    claims: &'a [Outcome],
    /// What of it is not measured, and why.
    without: BTreeMap<&'static str, &'static str>,
}

impl Report {
    /// The figures as JSON.
    pub fn json(&self) -> Result<String, Failure> {
        let bench =
            |bench: &&'static Bench| BenchPart { name: bench.name, options: bench.options(self.size).collect() };
        output::json(&Document {
            schema: "gpusched.reproduce-source/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            source: self.source.name,
            size: self.size,
            benchmarks: self.benches.iter().map(bench).collect(),
            rows: self.rows.iter().map(RowTold::part).collect(),
        })
    }

    /// What became of the statements.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let of = |told: &RowTold| {
            let group = told.row.cells.join(": ");
            told.outcomes.iter().map(|outcome| outcome.verdict(&group)).collect::<Vec<_>>()
        };
        self.rows.iter().flat_map(of).collect()
    }

    /// How many of the source's benchmarks there are.
    pub fn subtitle(&self) -> String {
        let here = self.benches.iter().filter(|bench| !bench.beside).count();
        format!("{here} of {} benchmarks; results verified", self.source.count())
    }

    /// What is to be known of it, by word.
    pub fn remarks(&self) -> Vec<(&'static str, String)> {
        let Self { source, size, benches, .. } = self;
        let inputs = benches.iter().map(|bench| format!("{} {}", bench.name, inputs(bench, *size)));
        let verdicts = self.verdicts();
        let (holds, there) = told::holding(&verdicts);
        let mut remarks = vec![
            ("directions", format!("{holds} of {there} hold; unchanged: within {:.0}%", 100.0 * UNCHANGED)),
            ("ratio", "here / stated".to_owned()),
            ("size", self.size_words()),
            ("inputs", inputs.collect::<Vec<_>>().join("; ")),
            ("means", format!("over: so many of the source's {} benchmarks; {}", source.count(), self.left_out())),
            ("", "of factors: geometric; of all else: arithmetic".to_owned()),
        ];
        remarks.extend(source.remarks.iter().map(|&(word, remark)| (word, remark.to_owned())));
        for verdict in verdicts.iter().filter(|verdict| verdict.direction == Some(false)) {
            let cause = verdict.cause.as_deref().unwrap_or("cause not established");
            remarks.push(("why", format!("{}: {cause}", verdict.what)));
        }
        for told in &self.rows {
            let without = told.row.without.iter();
            remarks.extend(
                without.map(|(what, why)| ("not measured", format!("{}: {what}: {why}", told.row.cells.join(": ")))),
            );
        }
        remarks.extend(source.larger.iter().map(|(command, what)| ("larger", format!("{command}: {what}"))));
        remarks
    }

    fn left_out(&self) -> String {
        let run: BTreeSet<&str> = self.benches.iter().map(|bench| bench.name).collect();
        let left_out = self.source.benches.iter().map(|bench| bench.name).filter(|name| !run.contains(name));
        let left_out: Vec<&str> = left_out.collect();
        if left_out.is_empty() {
            return "all are here".to_owned();
        }
        format!("left out by --kernels: {}", left_out.join(", "))
    }

    fn size_words(&self) -> String {
        match self.size {
            Size::Smoke => "smoke: inputs so small that the figures mean nothing; it shows that everything runs",
            Size::Quick => "quick: inputs smaller than the source's; --full takes larger ones",
            Size::Full => "full: the source's inputs, or the largest that some hours allow",
        }
        .to_owned()
    }
}

/// What a benchmark runs on.
fn inputs(bench: &Bench, size: Size) -> String {
    bench.sizes[size as usize]
        .iter()
        .map(|(key, value)| match *key {
            "graph" | "keys" | "streams" => (*value).to_owned(),
            _ => format!("{key} {value}"),
        })
        .collect::<Vec<_>>()
        .join(", ")
}
