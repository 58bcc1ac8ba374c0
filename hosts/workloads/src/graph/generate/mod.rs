//! Seeded generators, exact to the draw (workloads-G1 to G7).
//!
//! Each file is one generator and gives the [`EdgeList`] in the order in which the sheet draws it, so that the golden
//! checksums of workloads-IN2 hold. [`Generator`] names one with its parameters, as `kron:14,16` does on a command line.

mod cage;
mod cit;
mod flight;
mod kron;
mod road;
mod uni;

use super::{EdgeList, GraphError, MAX_EDGES};
use std::fmt;
use std::str::FromStr;

/// A generator with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generator {
    /// Citation network: preferential attachment with locality, heavy tail.
    Cit {
        /// Vertices.
        n: u32,
        /// Seed of the stream.
        seed: u64,
    },
    /// DNA electrophoresis matrix: even degrees, far neighbours.
    Cage {
        /// Vertices.
        n: u32,
        /// Seed of the hashes.
        seed: u64,
    },
    /// Road network: planar, degree 1 to 4, huge diameter, weighted.
    Road {
        /// Logarithm of the side; 4^lg vertices.
        lg: u32,
        /// Seed of the stream.
        seed: u64,
    },
    /// Flight network: few vertices, hubs, weighted.
    Flight {
        /// Vertices.
        n: u32,
        /// Seed of the stream.
        seed: u64,
    },
    /// Uniformly random edges.
    Uni {
        /// Logarithm of the vertices.
        lg: u32,
        /// Edges per vertex, as listed.
        ef: u32,
        /// Seed of the stream.
        seed: u64,
    },
    /// Graph500 Kronecker graph, as its reference program makes it.
    Kron {
        /// Logarithm of the vertices.
        lg: u32,
        /// Edges per vertex, as listed.
        ef: u32,
        /// The two user seeds; the reference program has 2 and 3.
        seeds: [u64; 2],
    },
}

impl Generator {
    /// The forms that [`FromStr`] takes, for help texts.
    pub const FORMS: &str = "cit:N, cage:N, road:LG, flight:N, uni:LG[,EDGES_PER_VERTEX], \
        kron:LG[,EDGES_PER_VERTEX], each also with ,seed=S";

    /// The words that a name begins with, before the colon.
    pub const KINDS: [&str; 6] = ["cit", "cage", "road", "flight", "uni", "kron"];

    /// The edges, in the order in which they are drawn.
    #[must_use]
    pub fn edges(&self) -> EdgeList {
        match *self {
            Self::Cit { n, seed } => cit::edges(n, seed),
            Self::Cage { n, seed } => cage::edges(n, seed),
            Self::Road { lg, seed } => road::edges(lg, seed),
            Self::Flight { n, seed } => flight::edges(n, seed),
            Self::Uni { lg, ef, seed } => uni::edges(lg, ef, seed),
            Self::Kron { lg, ef, seeds } => kron::edges(lg, ef, seeds),
        }
    }

    /// The same with a seed, of several the first, that is greater by this; past the greatest they go on from 0.
    #[must_use]
    pub const fn reseeded(mut self, by: u64) -> Self {
        match &mut self {
            Self::Cit { seed, .. }
            | Self::Cage { seed, .. }
            | Self::Road { seed, .. }
            | Self::Flight { seed, .. }
            | Self::Uni { seed, .. }
            | Self::Kron { seeds: [seed, _], .. } => *seed = seed.wrapping_add(by),
        }
        self
    }

    /// What the graph is and what it may stand in for (workloads-IN1).
    #[must_use]
    pub fn provenance(&self) -> String {
        let character = match self {
            Self::Cit { .. } => "stand-in for a citation network (heavy tail, near numbers)",
            Self::Cage { .. } => "stand-in for cage15 (even degrees, far neighbours)",
            Self::Road { .. } => "stand-in for a road network (planar, degree 1 to 4)",
            Self::Flight { .. } => "stand-in for a flight network (small, hubs)",
            Self::Uni { .. } => "uniformly random graph",
            Self::Kron { .. } => "Graph500 Kronecker graph by the reference generator's method",
        };
        format!("generated `{self}`: {character}; no licence needed")
    }

    /// Vertices of the graph.
    pub(super) const fn vertices(&self) -> u64 {
        match *self {
            Self::Cit { n, .. } | Self::Cage { n, .. } | Self::Flight { n, .. } => n as u64,
            Self::Road { lg, .. } => 1 << (2 * lg),
            Self::Uni { lg, .. } | Self::Kron { lg, .. } => 1 << lg,
        }
    }

    /// Whether edges have weights.
    pub(super) const fn is_weighted(&self) -> bool {
        matches!(self, Self::Road { .. } | Self::Flight { .. })
    }

    /// About how many edges are listed: what draws come to in the mean (workloads-IN2), rounded up.
    pub(super) const fn usual_edges(&self) -> u64 {
        match *self {
            Self::Cit { n, .. } => 5 * n as u64,
            Self::Cage { n, .. } => 10 * n as u64,
            Self::Flight { n, .. } => 6 * n as u64,
            // The grid's, of which a part is left out in the end.
            Self::Road { .. } | Self::Uni { .. } | Self::Kron { .. } => self.most_edges(),
        }
    }

    /// Upper bound of the edges that [`edges`](Self::edges) lists, by the parameters alone.
    const fn most_edges(&self) -> u64 {
        match *self {
            Self::Cit { n, .. } => 64 * n as u64,
            Self::Cage { n, .. } => 23 * n as u64,
            Self::Road { lg, .. } => 2 << (2 * lg),
            Self::Flight { n, .. } => 40 * n as u64,
            Self::Uni { lg, ef, .. } | Self::Kron { lg, ef, .. } => (ef as u64) << lg,
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cit { n, seed } => write!(f, "cit:{n},seed={seed}"),
            Self::Cage { n, seed } => write!(f, "cage:{n},seed={seed}"),
            Self::Road { lg, seed } => write!(f, "road:{lg},seed={seed}"),
            Self::Flight { n, seed } => write!(f, "flight:{n},seed={seed}"),
            Self::Uni { lg, ef, seed } => write!(f, "uni:{lg},{ef},seed={seed}"),
            Self::Kron { lg, ef, seeds: [a, b] } => write!(f, "kron:{lg},{ef},seed={a}:{b}"),
        }
    }
}

impl FromStr for Generator {
    type Err = GraphError;

    /// Reads `kind:numbers`, then optionally `,seed=S` (`seed=S:T` for kron). Seeds default to the golden ones.
    fn from_str(given: &str) -> Result<Self, GraphError> {
        let wrong = |reason: String| GraphError::Name { given: given.to_owned(), reason };
        let (kind, rest) = given.split_once(':').ok_or_else(|| wrong(format!("expected one of {}", Self::FORMS)))?;
        let mut numbers = Vec::new();
        let mut seeds = None;
        for part in rest.split(',') {
            let number =
                |text: &str| text.parse::<u64>().map_err(|_| wrong(format!("expected a whole number, found `{text}`")));
            if let Some(text) = part.strip_prefix("seed=") {
                let list: Result<Vec<u64>, _> = text.split(':').map(number).collect();
                if seeds.replace(list?).is_some() {
                    return Err(wrong("takes `seed=` once".to_owned()));
                }
            } else {
                numbers.push(number(part)?);
            }
        }
        let size = |index: usize, default: Option<u32>, low: u32, high: u32| {
            let value = match numbers.get(index) {
                Some(&number) => number,
                None => default
                    .map(u64::from)
                    .ok_or_else(|| wrong(format!("a size is missing: the form is {}", Self::FORMS)))?,
            };
            u32::try_from(value)
                .ok()
                .filter(|value| (low..=high).contains(value))
                .ok_or_else(|| wrong(format!("expected {low}..={high}, found {value}")))
        };
        let one_seed = || match seeds.as_deref() {
            None => Ok(1),
            Some(&[seed]) => Ok(seed),
            Some(_) => Err(wrong("takes one seed".to_owned())),
        };
        let (generator, takes) = match kind {
            "cit" => {
                let n = size(0, None, 2, 1 << 24)?;
                (Self::Cit { n, seed: one_seed()? }, 1)
            }
            "cage" => {
                let n = size(0, None, 2, 1 << 25)?;
                let seed = one_seed()?;
                if seed >> cage::SEED_BITS != 0 {
                    return Err(wrong(format!("expected a seed below 2^{}, found {seed}", cage::SEED_BITS)));
                }
                (Self::Cage { n, seed }, 1)
            }
            "road" => {
                let lg = size(0, None, 1, 14)?;
                (Self::Road { lg, seed: one_seed()? }, 1)
            }
            "flight" => {
                let n = size(0, None, 2, 1 << 24)?;
                (Self::Flight { n, seed: one_seed()? }, 1)
            }
            "uni" => {
                let (lg, ef) = (size(0, None, 1, 28)?, size(1, Some(16), 1, 1 << 20)?);
                let seed = one_seed()?;
                (Self::Uni { lg, ef, seed }, 2)
            }
            "kron" => {
                let (lg, ef) = (size(0, None, 1, 28)?, size(1, Some(16), 1, 1 << 20)?);
                let seeds = match seeds.as_deref() {
                    None => [2, 3],
                    Some(&[a]) => [a, 3],
                    Some(&[a, b]) => [a, b],
                    Some(_) => return Err(wrong("takes at most two seeds".to_owned())),
                };
                (Self::Kron { lg, ef, seeds }, 2)
            }
            _ => return Err(wrong(format!("expected one of {}", Self::FORMS))),
        };
        if numbers.len() > takes {
            return Err(wrong(format!("too many sizes: the form is {}", Self::FORMS)));
        }
        match generator.most_edges() {
            edges if edges > MAX_EDGES => Err(wrong(format!("{edges} edges make more than 2^31 arcs"))),
            _ => Ok(generator),
        }
    }
}

#[cfg(test)]
mod tests;
