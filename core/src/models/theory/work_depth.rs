//! Work and depth: how long a computation takes on some number of processors.

use crate::base::error::Fault;
use crate::models::refusal::{Refusal, check, field, finite, inputs};

/// A computation on p processors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Brent {
    /// Steps that it takes at most.
    pub t: f64,
    /// Mean operations per level of its graph.
    pub parallelism: f64,
    /// Steps on one processor per step here.
    pub speedup: f64,
}

/// How long a computation takes on p processors (models-T2): (2.1).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` with the field; `DepthExceedsWork`; `OutOfRange` if `p` is below 1; `Overflow`.
pub fn brent(w: f64, d: f64, p: f64) -> Result<Brent, Refusal> {
    check(&inputs! { w = w, nonzero; d = d, nonzero; p = p, nonzero; })?;
    check_graph(w, d, p)?;
    let t = d + (w - d) / p;
    let brent = Brent { t, parallelism: w / d, speedup: w / t };
    finite(&[brent.t, brent.parallelism, brent.speedup])?;
    Ok(brent)
}

/// Work, depth and processors go together.
pub(super) fn check_graph(w: f64, d: f64, p: f64) -> Result<(), Refusal> {
    if d > w {
        return Err(Fault::DepthExceedsWork.into());
    }
    if p < 1.0 { Err(Refusal::of(Fault::OutOfRange, field!(p))) } else { Ok(()) }
}

/// A parallel algorithm that does more than the best sequential one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Inefficiency {
    /// Over the sequential algorithm.
    pub speedup: f64,
    /// Whether there are processors enough to be faster than it.
    pub matches_sequential: bool,
}

/// What remains of a speedup if the parallel algorithm does more than the sequential one (models-T3): (2.2).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` (`eps`) with the field; `Overflow`.
pub fn inefficiency(p: f64, eps: f64) -> Result<Inefficiency, Refusal> {
    check(&inputs! { p = p; eps = eps, nonzero; })?;
    let speedup = p / eps;
    finite(&[speedup])?;
    Ok(Inefficiency { speedup, matches_sequential: p > eps })
}

/// The graph of a reduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReductionTree {
    /// Loads and additions.
    pub work: u64,
    /// Levels.
    pub depth: u32,
}

/// A reduction as a binary tree (models-T4): (2.2).
///
/// # Errors
/// `NotPow2` (`n`).
pub fn reduction_tree(n: u64) -> Result<ReductionTree, Refusal> {
    if !n.is_power_of_two() {
        return Err(Refusal::of(Fault::NotPow2, field!(n)));
    }
    Ok(ReductionTree { work: n + (n - 1), depth: n.trailing_zeros() + 1 })
}
