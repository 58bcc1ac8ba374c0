//! The algorithms that run on the machine (sheet `workloads`).
//!
//! Each implements [`Workload`](crate::program::Workload): written as the sheet's instruction list, one resumable program
//! per warp, with values that are real and a result that is checked (W1, W2, W10). What they share is here: [`Mode`],
//! [`Layout`] for addresses, [`lanes`] for masks.
//!
//! How a list is read: `{...}` costs a test and a branch, then the body for the lanes inside, if any. `(...)*` costs its
//! body and then a count and a branch for each turn, with the lanes that are still in; a loop that no lane enters costs
//! nothing. Runs of integer instructions form a chain, each waiting for the one before.

pub mod bfs;
mod lanes;
mod layout;
mod mode;
mod slots;
mod warp;

#[cfg(test)]
mod functional;

pub use bfs::{Bfs, BfsOptions};
pub use lanes::lanes;
pub use layout::{Array, Layout};
pub use mode::Mode;

/// Why a workload cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The arrays do not fit below 2^40 (`workloads` W4).
    #[error("the arrays need {bytes} bytes, over the 2^40 of the address space")]
    TooBig {
        /// Bytes needed.
        bytes: u64,
    },
    /// An option is out of range.
    #[error("option `{option}`: expected {expected}, found {found}")]
    Option {
        /// Its name.
        option: &'static str,
        /// What may be given.
        expected: &'static str,
        /// What was given.
        found: u64,
    },
}

/// The result of a run agrees with the independent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// FNV-1a 64 over the result array.
    pub checksum: u64,
}

/// The result of a run differs from the independent one. The run is void.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("wrong result: {place} is {got}, want {want}")]
pub struct WrongResult {
    /// The first element that differs, such as `level[17]`.
    pub place: String,
    /// Its value.
    pub got: String,
    /// The independent value.
    pub want: String,
}
