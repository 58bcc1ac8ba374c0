//! Arguments about dependency graphs of TBs and the buffer that runs them.

use super::Machine;
use crate::ideal::Durations;
use clap::{Args, ValueEnum};
use gpusched::dats::GraphPolicy;
use gpusched_refgpu::depgraph::DepSource;
use std::path::PathBuf;
use std::str::FromStr;

pub const EXAMPLES: &str = "\
Examples:
  gpusched graph check tasks.dot
  gpusched graph check tasks.csv.gz --dgb 256,1024,64 --policy lvl:3
  gpusched graph check barrier:32x8 --spill
  gpusched graph check wavefront:128x128 --tb-threads 192 --tb-cycles 3000-7000 --memory-cycles 400
  gpusched graph check wavefront:6x4 --dot levels.dot --json

A graph is an edge list with the linear indices of TBs from 0 (a TB alone on a line has no dependency there), or a digraph in the
language of Graphviz, whose names may be any. An edge leads from the TB that is waited for to the one that waits.";

/// What to look at, and on which buffer.
#[derive(Debug, Args)]
pub struct GraphCheck {
    #[arg(value_name = "GRAPH", help = format!("The dependencies: {}", DepSource::FORMS))]
    pub graph: DepSource,
    #[command(flatten)]
    pub buffer: BufferOptions,
    /// Order of dispatch in the run: lrr, or lvl:BOUND for TBs at most BOUND levels apart
    #[arg(long, value_name = "POLICY", default_value = "lrr")]
    pub policy: Policy,
    /// Threads of a TB in the run
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub tb_threads: u32,
    /// Cycles of a TB in the run, or least and most: each TB takes its own time, the same in every run
    #[arg(long, value_name = "N[-M]", default_value = "1000")]
    pub tb_cycles: Durations,
    /// Cycles until memory answers the buffer in the run
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub memory_cycles: u32,
    #[command(flatten)]
    pub machine: Machine,
    /// Also write the levelled and renamed graph for Graphviz
    #[arg(long, value_name = "FILE.dot")]
    pub dot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// No progress display, no remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// The dependency-graph buffer; each is a parameter of section `dats`, too.
#[derive(Debug, Default, Args)]
pub struct BufferOptions {
    /// Entries of the dependency-graph buffer: nodes (LNA), edges (LEA) and pending updates (PUB)
    #[arg(long, value_name = "LNA,LEA,PUB")]
    pub dgb: Option<Arrays>,
    /// Bytes that the buffer fetches at a time, a multiple of 8
    #[arg(long, value_name = "BYTES")]
    pub chunk: Option<u32>,
    /// When the buffer fetches nodes: when its window has room for a chunk, or at once
    #[arg(long, value_enum, value_name = "chunk-free|eager", hide_possible_values = true)]
    pub prefetch: Option<Prefetch>,
    /// Let updates that fit nowhere go to memory, so that no graph can deadlock
    #[arg(long)]
    pub spill: bool,
}

/// When nodes are fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prefetch {
    /// When the window has room for a chunk
    ChunkFree,
    /// As soon as the last chunk has entered the window
    Eager,
}

impl BufferOptions {
    /// What is given: the option, the parameter that it sets, and the value.
    pub fn settings(&self) -> impl Iterator<Item = (&'static str, &'static str, String)> {
        let arrays = self.dgb.into_iter().flat_map(|Arrays(entries)| entries).zip(["dats.lna", "dats.lea", "dats.pub"]);
        let arrays = arrays.map(|(entries, key)| ("--dgb", key, entries.to_string()));
        let chunk = self.chunk.map(|bytes| ("--chunk", "dats.chunk_bytes", bytes.to_string()));
        let prefetch = self.prefetch.map(|prefetch| {
            let word = if prefetch == Prefetch::Eager { "eager" } else { "chunk_free" };
            ("--prefetch", "dats.prefetch", word.to_owned())
        });
        let spill = self.spill.then(|| ("--spill", "dats.spill", "true".to_owned()));
        arrays.chain(chunk).chain(prefetch).chain(spill)
    }
}

/// Entries of the three arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrays(pub [u32; 3]);

impl FromStr for Arrays {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let numbers: Option<Vec<u32>> = word.split(',').map(|number| number.parse().ok()).collect();
        let numbers = numbers.and_then(|numbers| <[u32; 3]>::try_from(numbers).ok());
        numbers.map(Self).ok_or("expected three numbers LNA,LEA,PUB, such as 128,512,64")
    }
}

/// Order of dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy(pub GraphPolicy);

impl FromStr for Policy {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let policy = match word.split_once(':') {
            None if word == "lrr" => Some(GraphPolicy::Lrr),
            Some(("lvl", bound)) => bound.parse().ok().map(|bound| GraphPolicy::Lvl { bound }),
            _ => None,
        };
        policy.map(Self).ok_or("expected lrr, or lvl:BOUND with a bound from 0 to 65535")
    }
}

impl FromStr for Durations {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let (least, most) = word.split_once('-').unwrap_or((word, word));
        let numbers = least.parse().ok().zip(most.parse().ok());
        let range = numbers.filter(|&(least, most): &(u32, u32)| 1 <= least && least <= most);
        range
            .map(|(least, most)| Self { least, most, seed: 1 })
            .ok_or("expected cycles from 1 on, N or N-M with N below M")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_they_say() {
        assert_eq!("1,2,0".parse(), Ok(Arrays([1, 2, 0])));
        assert_eq!("lvl:3".parse(), Ok(Policy(GraphPolicy::Lvl { bound: 3 })));
        assert_eq!("lrr".parse(), Ok(Policy(GraphPolicy::Lrr)));
        assert_eq!("9-9".parse(), Ok(Durations { least: 9, most: 9, seed: 1 }));
        assert!(["1,2", "1,2,3,4", "1,-2,3", ""].iter().all(|word| word.parse::<Arrays>().is_err()));
        assert!(["lvl", "lvl:", "lvl:65536", "lrr:1", "LRR"].iter().all(|word| word.parse::<Policy>().is_err()));
        assert!(["0", "9-8", "-", "3-", "x"].iter().all(|word| word.parse::<Durations>().is_err()));
    }

    #[test]
    fn options_set_what_they_name() {
        let options = BufferOptions {
            dgb: Some(Arrays([1, 2, 3])),
            chunk: Some(64),
            prefetch: Some(Prefetch::Eager),
            spill: true,
        };
        let set: Vec<_> = options.settings().map(|(_, key, value)| format!("{key}={value}")).collect();
        let wanted = ["lna=1", "lea=2", "pub=3", "chunk_bytes=64", "prefetch=eager", "spill=true"];
        assert_eq!(set, wanted.map(|word| format!("dats.{word}")));
        assert_eq!(BufferOptions::default().settings().count(), 0);
    }
}
