//! Shapes: dependency graphs that are named by a word and their size.

use super::links::build;
use super::{DepError, DepGraph, MAX_DEPENDENCIES, Names};
use gpusched::Dim3;
use gpusched::dats::{DepLinks, DepLinksError, MAX_NODES};
use std::fmt;
use std::str::FromStr;

/// A shape with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `wavefront:XxY[xSWEEPS]`: a tile needs those to its west and north and, in a later sweep, itself and those to its east and
    /// south in the sweep before.
    Wavefront {
        /// Columns, rows, sweeps.
        grid: Dim3,
    },
    /// `barrier:TBSxPHASES`: each TB of a phase needs every TB of the phase before.
    Barrier {
        /// TBs of a phase.
        tbs: u32,
        /// Phases.
        phases: u32,
    },
    /// `relay:TBSxPHASES`: the same by way of a TB without work between two phases.
    Relay {
        /// TBs of a phase.
        tbs: u32,
        /// Phases.
        phases: u32,
    },
}

impl Shape {
    /// The words that a name begins with, before the colon.
    pub const KINDS: [&str; 3] = ["wavefront", "barrier", "relay"];

    /// What it is.
    #[must_use]
    pub fn provenance(&self) -> String {
        let words = match self {
            Self::Wavefront { grid } if grid.z > 1 => "tiles need W and N, and C, E and S of the sweep before",
            Self::Wavefront { .. } => "tiles need those to the west and north",
            Self::Barrier { .. } => "a dependency of every TB of a phase on every TB of the one before",
            Self::Relay { .. } => "phases with a TB without work between each two, which is the barrier",
        };
        format!("generated `{self}`: {words}")
    }

    /// Its TBs, where they can be counted.
    fn tbs(&self) -> Option<u32> {
        match *self {
            Self::Wavefront { grid } => grid.x.checked_mul(grid.y)?.checked_mul(grid.z),
            Self::Barrier { tbs, phases } => tbs.checked_mul(phases),
            Self::Relay { tbs, phases } => tbs.checked_mul(phases)?.checked_add(phases - 1),
        }
    }

    /// Its dependencies.
    fn dependencies(&self) -> u64 {
        match *self {
            Self::Wavefront { grid } => {
                let [x, y, z] = [grid.x, grid.y, grid.z].map(u64::from);
                let of_sweep = (x - 1) * y + x * (y - 1);
                z * of_sweep + (z - 1) * (x * y + of_sweep)
            }
            Self::Barrier { tbs, phases } => u64::from(tbs) * u64::from(tbs) * u64::from(phases - 1),
            Self::Relay { tbs, phases } => 2 * u64::from(tbs) * u64::from(phases - 1),
        }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> DepGraph {
        let most = self.dependencies() as usize;
        let linear = Dim3::linear(self.tbs().unwrap_or(0));
        let built = match *self {
            Self::Wavefront { grid } => build(grid, most, Names::Grid(grid), wavefront),
            Self::Barrier { tbs, .. } => build(linear, most, Names::Index, |tb, links| {
                let phase = tb.x / tbs * tbs;
                links.barrier(phase.saturating_sub(tbs)..phase, phase..phase + tbs)
            }),
            Self::Relay { tbs, .. } => build(linear, most, Names::Index, |tb, links| {
                let (relay, phase) = (tb.x % (tbs + 1) == tbs, tb.x / (tbs + 1) * (tbs + 1));
                let before = if relay { phase..tb.x } else { phase.saturating_sub(1)..phase };
                links.barrier(before, tb.x..tb.x + 1)
            }),
        };
        built.unwrap_or_else(|error| unreachable!("{self}: {error}"))
    }
}

fn wavefront(tb: Dim3, links: &mut DepLinks<'_>) -> Result<(), DepLinksError> {
    let [x, y, z] = [tb.x, tb.y, tb.z].map(i64::from);
    let parents = [(x - 1, y, z), (x, y - 1, z), (x, y, z - 1), (x + 1, y, z - 1), (x, y + 1, z - 1)];
    parents.into_iter().try_for_each(|(x, y, z)| links.add_dependency(x, y, z))
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Wavefront { grid: Dim3 { x, y, z: 1 } } => write!(f, "wavefront:{x}x{y}"),
            Self::Wavefront { grid: Dim3 { x, y, z } } => write!(f, "wavefront:{x}x{y}x{z}"),
            Self::Barrier { tbs, phases } => write!(f, "barrier:{tbs}x{phases}"),
            Self::Relay { tbs, phases } => write!(f, "relay:{tbs}x{phases}"),
        }
    }
}

impl FromStr for Shape {
    type Err = DepError;

    fn from_str(given: &str) -> Result<Self, DepError> {
        let wrong = |reason: String| DepError::Name { given: given.to_owned(), reason };
        let (kind, sizes) = given.split_once(':').unwrap_or((given, ""));
        let size = |word: &str| {
            let size = word.parse().ok().filter(|size| (1..=MAX_NODES).contains(size));
            size.ok_or_else(|| wrong(format!("expected sizes from 1 to {MAX_NODES} with x between, found `{word}`")))
        };
        let sizes = sizes.split('x').map(size).collect::<Result<Vec<u32>, _>>()?;
        let shape = match (kind, sizes.as_slice()) {
            ("wavefront", &[x, y]) => Self::Wavefront { grid: Dim3 { x, y, z: 1 } },
            ("wavefront", &[x, y, z]) => Self::Wavefront { grid: Dim3 { x, y, z } },
            ("barrier", &[tbs, phases]) => Self::Barrier { tbs, phases },
            ("relay", &[tbs, phases]) => Self::Relay { tbs, phases },
            _ => {
                return Err(wrong(
                    "expected wavefront:XxY[xSWEEPS], barrier:TBSxPHASES or relay:TBSxPHASES".to_owned(),
                ));
            }
        };
        if shape.tbs().is_none_or(|tbs| tbs > MAX_NODES) {
            return Err(wrong(format!("expected at most {MAX_NODES} TBs in all")));
        }
        let dependencies = shape.dependencies();
        if dependencies > MAX_DEPENDENCIES {
            return Err(wrong(format!("expected at most {MAX_DEPENDENCIES} dependencies, found {dependencies}")));
        }
        Ok(shape)
    }
}
