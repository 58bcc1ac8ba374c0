//! What came out of a source, for people as a table, for programs as JSON, and as a picture.

use super::claim::{Outcome, UNCHANGED};
use super::source::{Bench, Row, Size, Source};
use crate::failure::Failure;
use crate::output;
use crate::plot::intervals::{self, Figure, Group};
use crate::table;
use comfy_table::CellAlignment::{Left, Right};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A row with what became of its claims.
pub struct Told {
    pub row: &'static Row,
    pub outcomes: Vec<Outcome>,
}

impl Told {
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
    pub rows: Vec<Told>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    source: &'static str,
    size: Size,
    benchmarks: Vec<BenchPart>,
    /// The source's that do not run here.
    missing: &'static [&'static str],
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
            missing: self.source.missing,
            rows: self.rows.iter().map(Told::part).collect(),
        })
    }

    /// For people.
    pub fn text(&self) -> String {
        format!("{}\n\n{}\n{}", self.source.title, self.claims(), table::text(&table::remarks(self.remarks())))
    }

    fn claims(&self) -> String {
        let header = [self.source.name, "over", "stated", "here", "ratio", "direction"].map(str::to_owned);
        let mut rows = table::new(header.to_vec(), &[Left, Right, Right, Right, Right, Left]);
        for outcome in self.outcomes() {
            let [stated, here] = outcome.texts.clone();
            let ratio = outcome.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
            let direction = outcome.direction.map_or("", |holds| if holds { "holds" } else { "does not hold" });
            let over = outcome.values.len().to_string();
            rows.add_row([outcome.what().to_owned(), over, stated, here, ratio, direction.to_owned()]);
        }
        table::text(&rows)
    }

    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.rows.iter().flat_map(|told| &told.outcomes)
    }

    fn remarks(&self) -> Vec<(&'static str, String)> {
        let Self { source, size, benches, .. } = self;
        let inputs = benches.iter().map(|bench| format!("{} {}", bench.name, inputs(bench, *size)));
        let (there, holds) = self.outcomes().fold((0, 0), |(there, holds), outcome| match outcome.direction {
            None => (there, holds),
            Some(direction) => (there + 1, holds + u32::from(direction)),
        });
        let mut remarks = vec![
            ("directions", format!("{holds} of {there} hold; unchanged: within {:.0}%", 100.0 * UNCHANGED)),
            ("ratio", "here / stated".to_owned()),
            ("size", self.size_words()),
            ("inputs", inputs.collect::<Vec<_>>().join("; ")),
            ("means", format!("over: so many of the source's {} benchmarks; {}", source.of, self.missing())),
            ("", "of factors: geometric; of all else: arithmetic".to_owned()),
        ];
        remarks.extend(source.remarks.iter().map(|&(word, remark)| (word, remark.to_owned())));
        for outcome in self.outcomes().filter(|outcome| outcome.direction == Some(false)) {
            let cause = outcome.cause.as_deref().unwrap_or("cause not established");
            remarks.push(("why", format!("{}: {cause}", outcome.what())));
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

    fn missing(&self) -> String {
        let run: BTreeSet<&str> = self.benches.iter().map(|bench| bench.name).collect();
        let left_out = self.source.benches.iter().map(|bench| bench.name).filter(|name| !run.contains(name));
        let left_out: Vec<&str> = left_out.collect();
        let mut words = Vec::new();
        if !self.source.missing.is_empty() {
            words.push(format!("not built: {}", self.source.missing.join(", ")));
        }
        if !left_out.is_empty() {
            words.push(format!("left out by --kernels: {}", left_out.join(", ")));
        }
        if words.is_empty() { "all are here".to_owned() } else { words.join("; ") }
    }

    /// How many of the source's benchmarks there are.
    fn of_source(&self) -> usize {
        self.benches.iter().filter(|bench| !bench.beside).count()
    }

    fn size_words(&self) -> String {
        match self.size {
            Size::Smoke => "smoke: inputs so small that the figures mean nothing; it shows that everything runs",
            Size::Quick => "quick: inputs smaller than the source's; --full takes larger ones",
            Size::Full => "full: the source's inputs, or the largest that some hours allow",
        }
        .to_owned()
    }

    /// Factors of benchmarks beside what is stated, if there are any.
    pub fn picture(&self) -> Result<Option<String>, Failure> {
        let row = |outcome: &Outcome| {
            let (mean, stated, values) = outcome.factors()?;
            Some(intervals::Row {
                name: outcome.what().to_owned(),
                note: format!("{mean:.2}x; stated {stated:.2}x"),
                values,
                mean: Some([mean; 3]),
            })
        };
        let group = |told: &Told| {
            let rows: Vec<intervals::Row> = told.outcomes.iter().filter_map(row).collect();
            (!rows.is_empty()).then(|| Group { name: told.row.cells.join(": "), rows })
        };
        let groups: Vec<Group> = self.rows.iter().filter_map(group).collect();
        if groups.is_empty() {
            return Ok(None);
        }
        let figure = Figure {
            title: self.source.title.to_owned(),
            subtitle: format!("{} of {} benchmarks; results verified", self.of_source(), self.source.of),
            values: "factor: a dot for each benchmark, and the mean".to_owned(),
            groups,
        };
        Ok(Some(intervals::svg(&figure)?))
    }
}

/// What a benchmark runs on.
fn inputs(bench: &Bench, size: Size) -> String {
    bench.sizes[size as usize]
        .iter()
        .map(|(key, value)| match *key {
            "graph" | "keys" => (*value).to_owned(),
            _ => format!("{key} {value}"),
        })
        .collect::<Vec<_>>()
        .join(", ")
}
