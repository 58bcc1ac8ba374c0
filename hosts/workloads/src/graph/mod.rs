//! Graphs that workloads run on: built, generated, read, named.
//!
//! Everything arrives as an [`EdgeList`] and is used as a [`Csr`]. A host normally parses a [`GraphSource`] (a file name,
//! `wordnet`, or a generator such as `kron:14,16`) and calls [`GraphSource::load`]; the rest of this module is what that
//! takes: [`generate`] for the seeded generators, [`read`] for files, [`DegreeStats`] to describe what came out.
//! Same source, same bits, on every machine (workloads-G1 to G9).

mod builtin;
mod checksum;
mod csr;
mod edges;
mod error;
pub mod generate;
pub mod read;
mod rng;
mod stats;
mod wordnet;

pub use builtin::{Builtin, GraphSource, NamedGraph};
pub use checksum::{FNV1A_OF_NOTHING, fnv1a, fnv1a_onward};
pub use csr::{Csr, UNREACHED};
pub use edges::{EdgeList, MAX_EDGES};
pub use error::GraphError;
pub use error::gib;
pub use generate::Generator;
pub use read::{Wanted, Weights};
pub use rng::{SplitMix64, hash};
pub use stats::DegreeStats;

/// Random cases, the same in every test run.
#[cfg(test)]
pub(crate) fn same_cases() -> proptest::test_runner::Config {
    proptest::test_runner::Config { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..Default::default() }
}
