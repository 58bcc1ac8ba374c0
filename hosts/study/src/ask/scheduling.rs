//! Arguments about who schedules TBs, and about bubble DVFS.

use super::{Machine, Workload, workload};
use crate::scheduler::Sched;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

/// Who schedules TBs, and what becomes of SMXs that have next to none.
#[derive(Debug, Default, Args)]
pub struct Scheduling {
    /// TB schedulers to compare, by commas, each perhaps with parameters, as in bcs:block=4; gpusched policies lists them [default: as
    /// configured, which is fcfs]
    #[arg(long, value_delimiter = ',', value_name = "SCHEDULERS")]
    pub sched: Vec<Sched>,
    /// What is done about occupancy bubbles.
    #[command(flatten)]
    pub power: PowerOptions,
}

/// How many samples schedulers are compared on.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Samples {
    /// Compare the schedulers on N inputs, drawn with the seed of the input and the N - 1 behind it: means with 95 % confidence
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000), conflicts_with = "sources")]
    pub seeds: Option<u32>,
    /// For bfs and sssp: compare the schedulers on searches from N vertices, drawn among those with neighbours
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000), conflicts_with = "source")]
    pub sources: Option<u32>,
}

/// Which schedulers are ranked, and on what.
#[derive(Debug, Args)]
pub struct Rank {
    /// TB schedulers, by commas; the first is what the others are compared with [default: fcfs, and every other that runs]
    #[arg(long, value_delimiter = ',', value_name = "SCHEDULERS")]
    pub sched: Vec<Sched>,
    /// Only these workloads, by commas; kernels may be files of your own (.toml) [default:
    /// all algorithms and wavefronts, and the kernels that are algorithms]
    #[arg(long, value_delimiter = ',', value_name = "WORKLOADS", value_parser = workload)]
    pub workloads: Vec<Workload>,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Folder for the page
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Simulations at a time; results do not depend on it [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Print the figures as JSON instead of the table
    #[arg(long)]
    pub json: bool,
    /// No progress display, no remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// Which policies are told of.
#[derive(Debug, Args)]
pub struct Policies {
    /// One policy of the catalogue, with its source, parameters and hazards [default: a line for each]
    pub name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Bubble DVFS.
#[derive(Debug, Default, Args)]
pub struct PowerOptions {
    /// What to do about SMXs with next to no warps; with bubble, each run is set beside one without
    #[arg(long, value_enum, value_name = "POLICY", default_value = "none")]
    pub power: PowerPolicy,
    /// P: duration of a P-state transition in samples of 500 cycles; 1 = on-chip regulator, 20 = off-chip [default: 1]
    #[arg(long, value_name = "SAMPLES")]
    pub transition: Option<u32>,
    /// Let an SMX run empty before it goes to the low P-state [default: on]
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true)]
    pub draining: Option<OnOff>,
    /// T: an SMX with a lower share of its warp slots in use is in a bubble; 0.0625 or 1/16 [default: 1/16]
    #[arg(long, value_name = "T")]
    pub threshold: Option<Fraction>,
}

impl PowerOptions {
    /// An option that means something with bubble DVFS only.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--transition", self.transition.is_some()),
            ("--draining", self.draining.is_some()),
            ("--threshold", self.threshold.is_some()),
        ];
        given.into_iter().find_map(|(name, is)| is.then_some(name))
    }
}

/// What to do about occupancy bubbles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PowerPolicy {
    /// As configured, which is nothing
    #[default]
    None,
    /// Divert TBs from such SMXs, drain them, and set them to the low P-state
    Bubble,
}

/// A switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnOff {
    /// Yes
    On,
    /// No
    Off,
}

/// A share of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// At most the denominator.
    pub numerator: u32,
    /// 1 to 65,535.
    pub denominator: u32,
}

impl FromStr for Fraction {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let parse = || {
            if let Some((numerator, denominator)) = word.split_once('/') {
                return Some((numerator.parse().ok()?, denominator.parse().ok()?));
            }
            let (whole, decimals) = word.split_once('.').unwrap_or((word, ""));
            let places = u32::try_from(decimals.len()).ok().filter(|&places| places <= 4)?;
            if ![whole, decimals].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit())) {
                return None;
            }
            Some((format!("{whole}{decimals}").parse().ok()?, 10_u32.pow(places)))
        };
        parse()
            .map(|(numerator, denominator)| Self { numerator, denominator })
            .filter(|share| share.numerator <= share.denominator && (1..=65_535).contains(&share.denominator))
            .ok_or("expected a share from 0 to 1, as a decimal of four places or as a fraction such as 1/16")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_a_decimal_or_a_fraction_of_at_most_one() {
        let parts = |word: &str| word.parse::<Fraction>().map(|share| (share.numerator, share.denominator));
        assert_eq!(parts("0.0625"), Ok((625, 10_000)));
        assert_eq!((parts("1/16"), parts("1"), parts(".2")), (Ok((1, 16)), Ok((1, 1)), Ok((2, 10))));
        for wrong in ["1.01", "2/1", "1/0", "-0.1", "0.00001", "1/65536", "", "x", "+1"] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }
}
