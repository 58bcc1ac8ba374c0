//! What the U-list of a fast multipole method moves and computes.

use core::ffi::c_char;

use gpusched::models::theory::{self, Ulist, UlistEstimate};

use crate::models::blamed;
use crate::object::{get, writable};
use crate::status::gpusched_status;

/// Boxes of points.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_boxes {
    /// Operations of an interaction. Not 0.
    pub kappa: f64,
    /// Points of a box.
    pub q: f64,
    /// The machine's operations per byte.
    pub balance: f64,
    /// Words of a point. Not 0; 4 for a place in space and a density.
    pub words_per_point: f64,
    /// Bytes of a word. Not 0; 4 in single precision.
    pub bytes_per_word: f64,
    /// Dimensions of space, from 1 to 20.
    pub dims: u32,
    /// Not looked at.
    pub reserved: u32,
}

impl From<&gpusched_theory_boxes> for Ulist {
    fn from(of: &gpusched_theory_boxes) -> Self {
        let &gpusched_theory_boxes { kappa, q, balance, words_per_point, bytes_per_word, dims, .. } = of;
        Self { kappa, q, balance, dims, words_per_point, bytes_per_word }
    }
}

/// What a box moves and computes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_ulist_estimate {
    /// The box and its neighbours.
    pub neighbours: u64,
    /// Words that a target point moves.
    pub words_per_target: f64,
    /// Bytes that a target point moves.
    pub bytes_per_target: f64,
    /// Words that the points of two boxes take.
    pub z_words: f64,
    /// Operations per word as printed, which lacks a factor of neighbours.
    pub i_printed: f64,
    /// Operations per word.
    pub i_exact: f64,
    /// Points of a box from which on arithmetic limits, as printed.
    pub q_printed: u64,
    /// Points of a box from which on arithmetic limits.
    pub q_exact: u64,
}

impl From<UlistEstimate> for gpusched_theory_ulist_estimate {
    fn from(
        UlistEstimate {
            neighbours,
            words_per_target,
            bytes_per_target,
            z_words,
            i_printed,
            i_exact,
            q_printed,
            q_exact,
        }: UlistEstimate,
    ) -> Self {
        Self { neighbours, words_per_target, bytes_per_target, z_words, i_printed, i_exact, q_printed, q_exact }
    }
}

/// Interactions of the points of a box with those of its neighbours (U-list of a fast multipole method).
///
/// @param of        The boxes.
/// @param estimate  Written.
/// @param field     As of gpusched_exec_eval. May be null.
/// @return OutOfRange (dims); NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_ulist(
    of: *const gpusched_theory_boxes,
    estimate: *mut gpusched_theory_ulist_estimate,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let estimate = writable(estimate)?;
            estimate.write(theory::ulist(&get(of)?.into())?.into());
            Ok(())
        })
    }
}
