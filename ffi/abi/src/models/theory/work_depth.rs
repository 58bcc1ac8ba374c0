//! Work and depth: how long a computation takes on many processors.

use core::ffi::c_char;

use gpusched::models::theory::{self, Brent, Inefficiency, ReductionTree};

use crate::models::blamed;
use crate::object::writable;
use crate::status::gpusched_status;

/// A computation on p processors.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_brent_time {
    /// Steps that it takes at most.
    pub t: f64,
    /// Mean operations per level of its graph.
    pub parallelism: f64,
    /// Steps on one processor per step here.
    pub speedup: f64,
}

impl From<Brent> for gpusched_theory_brent_time {
    fn from(Brent { t, parallelism, speedup }: Brent) -> Self {
        Self { t, parallelism, speedup }
    }
}

/// How long a computation takes on p processors.
///
/// @param w      Operations. Not 0.
/// @param d      Operations one after the other. Not 0.
/// @param p      Processors.
/// @param time   Written.
/// @param field  As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput, with the field; DepthExceedsWork; OutOfRange (p is below 1); Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_brent(
    w: f64,
    d: f64,
    p: f64,
    time: *mut gpusched_theory_brent_time,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let time = writable(time)?;
            time.write(theory::brent(w, d, p)?.into());
            Ok(())
        })
    }
}

/// A parallel algorithm that does more than the best sequential one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_speed {
    /// Over the sequential algorithm.
    pub speedup: f64,
    /// 1 if there are processors enough to be faster than it, else 0.
    pub matches_sequential: u32,
    /// 0.
    pub reserved: u32,
}

impl From<Inefficiency> for gpusched_theory_speed {
    fn from(Inefficiency { speedup, matches_sequential }: Inefficiency) -> Self {
        Self { speedup, matches_sequential: matches_sequential.into(), reserved: 0 }
    }
}

/// What remains of a speedup if the parallel algorithm does more.
///
/// @param p      Processors.
/// @param eps    Its work over that of the sequential one. Not 0.
/// @param speed  Written.
/// @param field  As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_inefficiency(
    p: f64,
    eps: f64,
    speed: *mut gpusched_theory_speed,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let speed = writable(speed)?;
            speed.write(theory::inefficiency(p, eps)?.into());
            Ok(())
        })
    }
}

/// The graph of a reduction.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_theory_tree {
    /// Loads and additions.
    pub work: u64,
    /// Levels.
    pub depth: u32,
    /// 0.
    pub reserved: u32,
}

impl From<ReductionTree> for gpusched_theory_tree {
    fn from(ReductionTree { work, depth }: ReductionTree) -> Self {
        Self { work, depth, reserved: 0 }
    }
}

/// A reduction as a binary tree.
///
/// @param n      Elements, a power of two.
/// @param tree   Written.
/// @param field  As of gpusched_exec_eval. May be null.
/// @return NotPow2, with the field; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_reduction_tree(
    n: u64,
    tree: *mut gpusched_theory_tree,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let tree = writable(tree)?;
            tree.write(theory::reduction_tree(n)?.into());
            Ok(())
        })
    }
}
