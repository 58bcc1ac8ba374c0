//! The U-list phase of a fast multipole method: interactions of the points of a box with those of its neighbours.

use crate::base::error::Fault;
use crate::models::number::ceil;
use crate::models::refusal::{Refusal, check, field, finite, inputs};

/// Boxes of points.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Ulist {
    /// Operations of an interaction. Not 0.
    pub kappa: f64,
    /// Points of a box.
    pub q: f64,
    /// The machine's operations per byte.
    pub balance: f64,
    /// Dimensions of space, from 1 to 20.
    pub dims: u32,
    /// Words of a point. Not 0.
    pub words_per_point: f64,
    /// Bytes of a word. Not 0.
    pub bytes_per_word: f64,
}

impl Ulist {
    /// Points in space with a density each, in single precision; what an interaction takes, the box and the machine are yours.
    pub const DEFAULT: Self =
        Self { kappa: 0.0, q: 0.0, balance: 0.0, dims: 3, words_per_point: 4.0, bytes_per_word: 4.0 };
}

impl Default for Ulist {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What a box moves and computes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UlistEstimate {
    /// The box and its neighbours.
    pub neighbours: u64,
    /// Words that a target point moves (models-A6).
    pub words_per_target: f64,
    /// Bytes that a target point moves.
    pub bytes_per_target: f64,
    /// Words that the points of two boxes take.
    pub z_words: f64,
    /// Operations per word as printed, which lacks a factor of `neighbours` (models-A5).
    pub i_printed: f64,
    /// Operations per word.
    pub i_exact: f64,
    /// Points of a box from which on arithmetic limits, as printed.
    pub q_printed: u64,
    /// Points of a box from which on arithmetic limits.
    pub q_exact: u64,
}

/// Interactions of the points of a box with those of its neighbours, the U-list of a fast multipole method (models-T10): (3.3), (3.5).
///
/// # Errors
/// `OutOfRange` (`dims`) first; `NotFinite`, `Negative`, `ZeroInput` (`kappa`, `words_per_point`, `bytes_per_word`) with the field;
/// `Overflow`.
pub fn ulist(of: &Ulist) -> Result<UlistEstimate, Refusal> {
    let &Ulist { kappa, q, balance, dims, words_per_point, bytes_per_word } = of;
    if !(1..=20).contains(&dims) {
        return Err(Refusal::of(Fault::OutOfRange, field!(dims)));
    }
    check(&inputs! {
        kappa = kappa, nonzero;
        q = q;
        balance = balance;
        words_per_point = words_per_point, nonzero;
        bytes_per_word = bytes_per_word, nonzero;
    })?;
    // At most 3^20.
    let neighbours = 3_u64.pow(dims);
    let u = neighbours as f64;
    let words_per_target = words_per_point * (1.0 + u + 1.0);
    let bytes_per_target = words_per_target * bytes_per_word;
    let z_words = 2.0 * words_per_point * q;
    let i_printed = kappa * q / words_per_target;
    let i_exact = u * i_printed;
    finite(&[words_per_target, bytes_per_target, z_words, i_printed, i_exact])?;
    Ok(UlistEstimate {
        neighbours,
        words_per_target,
        bytes_per_target,
        z_words,
        i_printed,
        i_exact,
        q_printed: ceil(balance * bytes_per_target / kappa)?,
        q_exact: ceil(balance * bytes_per_target / (u * kappa))?,
    })
}
