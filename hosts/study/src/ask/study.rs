//! Arguments of `gpusched study`.

use super::{Pictures, Results};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

/// Which study, and where its runs are kept.
#[derive(Debug, Args)]
pub struct Study {
    /// The file (.toml) that says what is varied
    pub file: PathBuf,
    /// Where the results go, and runs are kept.
    #[command(flatten)]
    pub results: Results,
    /// In which forms the picture goes there.
    #[command(flatten)]
    pub pictures: Pictures,
}

/// A report on a study.
#[derive(Debug, Args)]
pub struct StudyReport {
    /// The file (.toml) that says what is varied
    pub file: PathBuf,
    /// Where the results are kept
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Where the page goes [default: beside the results, with the name of the study]
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// How a study is run.
#[derive(Debug, Args)]
pub struct StudyRun {
    /// Which.
    #[command(flatten)]
    pub study: Study,
    /// Only part I of N, such as 1/8: for array jobs whose folder is shared; the last one, without --part, makes the table
    #[arg(long, value_name = "I/N", conflicts_with = "png")]
    pub part: Option<Part>,
    /// Simulations at a time; results do not depend on it [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// Every so many-th run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 1 to `of`.
    pub number: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Part {
    /// Whether run number `run`, from 0, belongs to it.
    #[must_use]
    pub const fn has(self, run: usize) -> bool {
        run % self.of == self.number - 1
    }
}

impl FromStr for Part {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let numbers = word.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("expected I/N with I from 1 to N, such as 1/8"),
        }
    }
}
