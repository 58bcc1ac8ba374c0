//! A source as data: its benchmarks, the ways in which they run, and what its sheet says under "Results to reproduce", row by row.

use super::claim::Claim;
use clap::ValueEnum;
use serde::Serialize;

/// Options of `gpusched run`, as a study has them.
pub type Words = &'static [(&'static str, &'static str)];

/// Modes of a benchmark in which nothing is launched from the device.
const NO_LAUNCHES: [(&str, &str); 2] = [("mode", "flat"), ("mode", "pt")];

/// How much runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// To see that all runs: too little for figures.
    Smoke,
    /// Minutes.
    Quick,
    /// As near to the source's inputs as runs of an hour or so come.
    Full,
}

/// A benchmark of the source.
#[derive(Debug)]
pub struct Bench {
    /// The source's name for it.
    pub name: &'static str,
    /// What runs, in any size.
    pub words: Words,
    /// How it launches, which means something in ways that do.
    pub launching: Words,
    /// What it runs on, by [`Size`].
    pub sizes: [Words; 3],
    /// Whether it is none of the source's, and stands beside one of them.
    pub beside: bool,
}

impl Bench {
    /// All options, but for the way.
    pub fn options(&self, size: Size) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.words.iter().chain(self.launching).chain(self.sizes[size as usize]).copied()
    }

    /// All options in a way.
    pub fn options_in(&self, way: &Way, size: Size) -> Vec<(String, String)> {
        let own = way.words();
        let launches = !own.iter().any(|option| NO_LAUNCHES.contains(option));
        let launching = self.launching.iter().filter(|_| launches);
        let all = self.words.iter().chain(launching).chain(self.sizes[size as usize]).chain(own);
        all.map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    }
}

/// A way to run a benchmark.
#[derive(Debug)]
pub struct Way {
    /// Its name in claims.
    pub name: &'static str,
    /// What is done.
    pub does: Does,
}

impl Way {
    /// What it adds to the options of a benchmark.
    fn words(&self) -> Words {
        match self.does {
            Does::Run(words) => words,
            Does::Footprint => &[("mode", "dtbl")],
        }
    }
}

/// What is done with a benchmark.
#[derive(Debug)]
pub enum Does {
    /// It runs with these options.
    Run(Words),
    /// What its TBs touch is compared, without a machine, as `gpusched footprint` does.
    Footprint,
}

/// A row of the sheet's table.
#[derive(Debug)]
pub struct Row {
    /// The cells that name it, as the sheet has them.
    pub cells: &'static [&'static str],
    /// Figures of the source that it is about.
    pub figures: &'static [u32],
    /// What is measured.
    pub claims: &'static [Claim],
    /// What is not, and why.
    pub without: &'static [(&'static str, &'static str)],
}

/// A source.
#[derive(Debug)]
pub struct Source {
    /// As on the command line.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Its benchmarks, and what runs beside them.
    pub benches: &'static [Bench],
    /// The ways.
    pub ways: &'static [Way],
    /// The rows.
    pub rows: &'static [Row],
    /// What else is to be known.
    pub remarks: &'static [(&'static str, &'static str)],
    /// Commands for what takes longer than `--full`, each with how long.
    pub larger: &'static [(&'static str, &'static str)],
}

impl Source {
    /// How many benchmarks the source takes its means over.
    pub fn count(&self) -> usize {
        self.benches.iter().filter(|bench| !bench.beside).count()
    }
}
