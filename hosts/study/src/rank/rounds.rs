//! What schedulers are ranked on: workloads, each in the ways in which the placement of TBs can matter, at a scale at which a run takes about a second or less.

use crate::ask::{self, Kernel, KernelArgs, Machine, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::variant::twice;
use crate::way::{Way, WaysOf};
use anyhow::anyhow;
use gpusched_workloads::catalogue::{self, Kind};
use gpusched_workloads::graph::{Generator, GraphSource};
use gpusched_workloads::keys::{self, KeySource};
use gpusched_workloads::regx::{Kind as Text, StreamSource};
use gpusched_workloads::{Dispatch, Mode, Version};
use std::fmt;

/// Tiles of a wavefront, as a side, and what the sides of the source's matrix are divided by.
const TILES: u32 = 16;
const DIVIDE: u32 = 16;

/// Keys of the join.
const KEYS: keys::Generator =
    keys::Generator { distribution: keys::Distribution::Uniform, rows: [1024, 16_384], range: 128, seed: 1 };

/// Side of the mesh.
const SIDE: u32 = 8;

/// Bodies of the tree.
const BODIES: u32 = 512;

/// Ratings of a user of product recommendation.
const RATINGS: u32 = 64;

/// Streams of the search for patterns.
const STREAMS: StreamSource = StreamSource { kind: Text::Strings { len: 16 }, count: 64, seed: 1 };

/// A workload in one way.
#[derive(Debug)]
pub struct Round {
    pub workload: Workload,
    pub way: Way,
    pub setup: Setup,
    pub input: Input,
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.way {
            Way::Sm(_) => f.write_str(self.workload.name()),
            way => write!(f, "{} {way}", self.workload.name()),
        }
    }
}

/// Rounds of these workloads, or of all.
pub fn all(workloads: &[Workload], machine: &Machine) -> Result<Vec<Round>, Failure> {
    if let Some(workload) = twice(workloads) {
        return Err(Failure::Usage(anyhow!("--workloads: {} is given twice", workload.name())));
    }
    let workloads = if workloads.is_empty() { every() } else { workloads.to_vec() };
    let mut rounds = Vec::new();
    for &workload in &workloads {
        for way in ways(workload) {
            rounds.push(round(workload, way, machine)?);
        }
    }
    if let Some(Round { setup, .. }) = rounds.first() {
        setup.only_of(&workloads)?;
    }
    Ok(rounds)
}

/// Kernels that would take longer than all others together: `kmeans` is a row of kernels that are there one by one.
pub const LONG: [&str; 2] = ["fmm", "kmeans"];

/// Algorithms, wavefronts, and kernels that are algorithms, too. Those that are made after descriptors take seconds each.
fn every() -> Vec<Workload> {
    let short = |entry: &&catalogue::Entry| entry.kind() == Kind::Functional && !LONG.contains(&entry.name);
    let kernels = catalogue::entries().filter(short).map(|entry| Workload::Kernel(Kernel(entry)));
    Workload::of_sources().chain(kernels).collect()
}

/// Algorithms launch kernels, or groups; wavefronts a kernel per level, or one with a dependency graph.
fn ways(workload: Workload) -> Vec<Way> {
    match workload.ways() {
        WaysOf::Modes => vec![Way::Mode(Mode::Cdp), Way::Mode(Mode::Dtbl)],
        WaysOf::Versions => vec![Way::Version(Version::Global), Way::Version(Version::Lvl)],
        WaysOf::Dispatches => vec![Way::Dispatch(Dispatch::Hardware), Way::Dispatch(Dispatch::Persistent)],
        WaysOf::Policies => vec![Way::Sm(ask::SmPolicy::Gto)],
    }
}

fn round(workload: Workload, way: Way, machine: &Machine) -> Result<Round, Failure> {
    let mut setup = Setup::resolve(machine, workload.gpu())?;
    let sizes: &[(&str, u32)] = match workload {
        Workload::Amr => &[("amr.side", SIDE)],
        Workload::Pre => &[("pre.cut", RATINGS)],
        _ if workload.wave().is_some() => &[("wave.columns", TILES), ("wave.rows", TILES), ("wave.divide", DIVIDE)],
        _ => &[],
    };
    for &(key, size) in sizes {
        if !setup.gives(key) {
            let set = setup.options.set(key, &size.to_string());
            debug_assert_eq!(set, Some(Ok(())), "{key}");
        }
    }
    if workload == Workload::Bht && !setup.gives("bht.bodies") {
        setup.options.bht.bodies = BODIES;
    }
    let graph = |generator| Some(GraphSource::Generated(generator));
    let given = match workload {
        Workload::Bfs => ask::Input { graph: graph(Generator::Cit { n: 8192, seed: 1 }), ..ask::Input::default() },
        Workload::Sssp => ask::Input { graph: graph(Generator::Flight { n: 1024, seed: 1 }), ..ask::Input::default() },
        Workload::Clr => ask::Input { graph: graph(Generator::Cit { n: 2048, seed: 1 }), ..ask::Input::default() },
        Workload::Join => ask::Input { keys: Some(KeySource::Generated(KEYS)), ..ask::Input::default() },
        Workload::Regx => ask::Input { streams: Some(STREAMS), ..ask::Input::default() },
        _ => ask::Input::default(),
    };
    let input = Input::load(workload, &given, &KernelArgs::default(), &setup, true)?;
    Ok(Round { workload, way, setup, input })
}
