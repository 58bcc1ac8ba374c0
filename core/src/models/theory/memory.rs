//! External memory: how much an algorithm moves between a fast memory of z words and a slow one, l words at a time.

use crate::base::error::Fault;
use crate::models::number::TWO_53;
use crate::models::refusal::{Field, Refusal, check, field, finite, inputs};

/// A reduction in external memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReductionIo {
    /// Transfers.
    pub q: u64,
    /// Additions as printed.
    pub w_printed: u64,
    /// Additions inside of partial trees of z elements.
    pub w_partial: u64,
    /// All additions.
    pub w_total: u64,
    /// Additions as printed, per element.
    pub i_printed: f64,
    /// Additions inside of partial trees, per element.
    pub i_partial: f64,
    /// All additions, per element.
    pub i_total: f64,
}

/// The reduction of n elements through a memory of z words, in lines of l: all are powers of two, n > z > l (models-T5). The additions
/// are told as printed in (2.3), and as they are.
///
/// # Errors
/// `NotPow2` with the field; `BadOrder` unless n > z > l.
pub fn reduction_io(n: u64, z: u64, l: u64) -> Result<ReductionIo, Refusal> {
    let sizes: [(u64, Field); 3] = [(n, field!(n)), (z, field!(z)), (l, field!(l))];
    if let Some(&(_, field)) = sizes.iter().find(|(size, _)| !size.is_power_of_two()) {
        return Err(Refusal::of(Fault::NotPow2, field));
    }
    if !(n > z && z > l) {
        return Err(Fault::BadOrder.into());
    }
    let (w_printed, w_partial, w_total) = (n - z, n - (n >> z.trailing_zeros()), n - 1);
    let per_element = |w: u64| w as f64 / n as f64;
    Ok(ReductionIo {
        q: n >> l.trailing_zeros(),
        w_printed,
        w_partial,
        w_total,
        i_printed: per_element(w_printed),
        i_partial: per_element(w_partial),
        i_total: per_element(w_total),
    })
}

/// A product of matrices in external memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MatmulIo {
    /// Side of the greatest block of which three fit.
    pub b: u64,
    /// Transfers without blocks.
    pub q_naive: f64,
    /// Transfers, in order of magnitude, of the best algorithm.
    pub q_order: f64,
    /// Operations per word, in order of magnitude, of the best algorithm.
    pub i_order: f64,
    /// Transfers with blocks of side `b`, if there is one.
    pub q_blocked: Option<f64>,
}

/// The product of two matrices of side n through a memory of z words, in lines of l (models-T6): (2.3).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` with the field; `OutOfRange` if `z` is 2^53 or more; `Overflow`.
pub fn matmul_io(n: f64, z: f64, l: f64) -> Result<MatmulIo, Refusal> {
    check(&inputs! { n = n, nonzero; z = z, nonzero; l = l, nonzero; })?;
    if z >= TWO_53 {
        return Err(Refusal::of(Fault::OutOfRange, field!(z)));
    }
    let b = (libm::floor(z / 3.0) as u64).isqrt();
    let root = libm::sqrt(z);
    let (q_naive, q_order) = (n * n * n / l, n * n * n / (l * root));
    let q_blocked = (b >= 1).then(|| (2.0 * n * n * n / b as f64 + 2.0 * n * n) / l);
    finite(&[q_naive, q_order, root, q_blocked.unwrap_or(0.0)])?;
    Ok(MatmulIo { b, q_naive, q_order, i_order: root, q_blocked })
}

/// A computation on processors with a memory each, scheduled by work stealing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PrivateCaches {
    /// Transfers on one processor.
    pub q1: f64,
    /// Processors.
    pub p: f64,
    /// Words of each one's memory.
    pub z: f64,
    /// Depth.
    pub d: f64,
    /// Words of a line. Not 0.
    pub l: f64,
    /// The constant that the order of magnitude hides.
    pub c: f64,
}

impl PrivateCaches {
    /// A constant of 1, and nothing else that is known.
    pub const DEFAULT: Self = Self { q1: 0.0, p: 0.0, z: 0.0, d: 0.0, l: 0.0, c: 1.0 };
}

/// Transfers of all processors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PrivateMisses {
    /// At most, under work stealing.
    pub bound: f64,
    /// If each one moved everything.
    pub naive: f64,
}

/// What processors with private memories move (models-T7): (2.2).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` (`l`) with the field; `Overflow`.
pub fn qp_bound(of: &PrivateCaches) -> Result<PrivateMisses, Refusal> {
    let &PrivateCaches { q1, p, z, d, l, c } = of;
    check(&inputs! { q1 = q1; p = p; z = z; d = d; l = l, nonzero; c = c; })?;
    let misses = PrivateMisses { bound: q1 + c * p * z * d / l, naive: p * q1 };
    finite(&[misses.bound, misses.naive])?;
    Ok(misses)
}

/// Traffic of a computation, and the memory that takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct MemoryTime {
    /// Latency.
    pub alpha: f64,
    /// Depth.
    pub d: f64,
    /// Transfers.
    pub q: f64,
    /// Words of a transfer.
    pub l: f64,
    /// Words per time. Not 0.
    pub beta: f64,
}

/// The time that memory takes (models-T8): (2.3).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` (`beta`) with the field; `Overflow`.
pub fn t_mem(of: &MemoryTime) -> Result<f64, Refusal> {
    let &MemoryTime { alpha, d, q, l, beta } = of;
    check(&inputs! { alpha = alpha; d = d; q = q; l = l; beta = beta, nonzero; })?;
    let t = alpha * d + q * l / beta;
    finite(&[t])?;
    Ok(t)
}
