//! Arguments about dependency graphs of TBs and the buffer that runs them.

use super::Machine;
use crate::ideal::Durations;
use clap::{Args, ValueEnum};
use gpusched::dats::GraphPolicy;
use gpusched_workloads::depgraph::DepSource;
use std::path::PathBuf;
use std::str::FromStr;

/// What to look at, and on which buffer.
#[derive(Debug, Args)]
pub struct GraphCheck {
    /// The graph.
    #[arg(value_name = "GRAPH", help = format!("The dependencies: {}", DepSource::FORMS))]
    pub graph: DepSource,
    /// The dependency-graph buffer.
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
    /// The machine.
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

/// What an option sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The option.
    pub option: &'static str,
    /// The parameter of the machine, or the option of the workload.
    pub key: &'static str,
    /// Its value.
    pub value: String,
}

impl Setting {
    fn new(option: &'static str, key: &'static str, value: impl ToString) -> Self {
        Self { option, key, value: value.to_string() }
    }

    /// Of a product the tiles are those of its result.
    pub fn of_product(self) -> Self {
        let key = match self.key {
            "wave.columns" => "gemm.columns",
            "wave.rows" => "gemm.rows",
            other => other,
        };
        Self { key, ..self }
    }
}

/// The size of a wavefront, and how it is launched; each is an option of `wave`, too.
#[derive(Debug, Default, Args)]
pub struct WaveArgs {
    /// For wavefronts and gemm: tiles, as a side or as columns and rows [default: 64; for gemm 43x4]
    #[arg(long, value_name = "N[xM]")]
    pub tiles: Option<Tiles>,
    /// For wavefronts: what the sides of the source's matrix are divided by [default: 4]
    #[arg(long, value_name = "N")]
    pub divide: Option<u32>,
    /// For wavefronts: what all launch latencies are divided by [default: 16]
    #[arg(long, value_name = "N")]
    pub launch_scale: Option<u32>,
    /// For version lvl: levels that executing tiles may be apart [default: 3]
    #[arg(long, value_name = "LEVELS")]
    pub bound: Option<u16>,
    /// For version deplinks: an edge between any two tiles of neighbouring levels, or a relay TB between levels; auto takes relays
    /// from levels of 33 tiles on
    #[arg(long, value_enum, value_name = "auto|direct|relay", hide_possible_values = true)]
    pub barrier: Option<Barrier>,
}

/// What barriers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Barrier {
    /// Relays for wide levels
    Auto,
    /// Edges between any two tiles
    Direct,
    /// A TB without work
    Relay,
}

impl WaveArgs {
    /// What is given.
    pub fn settings(&self) -> impl Iterator<Item = Setting> {
        let tiles = self.tiles.into_iter().flat_map(|Tiles(sides)| sides).zip(["wave.columns", "wave.rows"]);
        let tiles = tiles.map(|(tiles, key)| Setting::new("--tiles", key, tiles));
        let divide = self.divide.map(|n| Setting::new("--divide", "wave.divide", n));
        let scale = self.launch_scale.map(|n| Setting::new("--launch-scale", "wave.launch_scale", n));
        let bound = self.bound.map(|n| Setting::new("--bound", "wave.bound", n));
        let barrier = self.barrier.map(|barrier| {
            let word = match barrier {
                Barrier::Auto => "auto",
                Barrier::Direct => "edges",
                Barrier::Relay => "node",
            };
            Setting::new("--barrier", "wave.barriers", word)
        });
        tiles.chain(divide).chain(scale).chain(bound).chain(barrier)
    }
}

/// Columns and rows of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles(pub [u32; 2]);

impl FromStr for Tiles {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let (columns, rows) = word.split_once('x').unwrap_or((word, word));
        let sides = columns.parse().ok().zip(rows.parse().ok());
        sides
            .map(|(columns, rows)| Self([columns, rows]))
            .ok_or("expected a number of tiles, or columns and rows, such as 78x52")
    }
}

impl BufferOptions {
    /// What is given.
    pub fn settings(&self) -> impl Iterator<Item = Setting> {
        let arrays = self.dgb.into_iter().flat_map(|Arrays(entries)| entries).zip(["dats.lna", "dats.lea", "dats.pub"]);
        let arrays = arrays.map(|(entries, key)| Setting::new("--dgb", key, entries));
        let chunk = self.chunk.map(|bytes| Setting::new("--chunk", "dats.chunk_bytes", bytes));
        let prefetch = self.prefetch.map(|prefetch| {
            let word = if prefetch == Prefetch::Eager { "eager" } else { "chunk_free" };
            Setting::new("--prefetch", "dats.prefetch", word)
        });
        let spill = self.spill.then(|| Setting::new("--spill", "dats.spill", true));
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
        assert_eq!(("7".parse(), "7x9".parse()), (Ok(Tiles([7, 7])), Ok(Tiles([7, 9]))));
        assert!(["", "7x", "x", "7x9x1"].iter().all(|word| word.parse::<Tiles>().is_err()));
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
        let set: Vec<_> = options.settings().map(|set| format!("{}={}", set.key, set.value)).collect();
        let wanted = ["lna=1", "lea=2", "pub=3", "chunk_bytes=64", "prefetch=eager", "spill=true"];
        assert_eq!(set, wanted.map(|word| format!("dats.{word}")));
        assert_eq!(BufferOptions::default().settings().count() + WaveArgs::default().settings().count(), 0);
        let wave = WaveArgs {
            tiles: Some(Tiles([3, 4])),
            divide: Some(2),
            launch_scale: Some(1),
            bound: Some(0),
            barrier: Some(Barrier::Relay),
        };
        let set: Vec<_> = wave.settings().map(|set| format!("{}={}", set.key, set.value)).collect();
        let wanted = ["columns=3", "rows=4", "divide=2", "launch_scale=1", "bound=0", "barriers=node"];
        assert_eq!(set, wanted.map(|word| format!("wave.{word}")));
    }
}
