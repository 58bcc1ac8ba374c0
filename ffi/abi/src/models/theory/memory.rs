//! What an algorithm moves between a small memory and a large one.

use core::ffi::c_char;

use gpusched::models::theory::{self, MatmulIo, MemoryTime, PrivateCaches, PrivateMisses, ReductionIo};

use crate::models::blamed;
use crate::object::{get, writable};
use crate::status::gpusched_status;

/// A reduction in external memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_reduction {
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

impl From<ReductionIo> for gpusched_theory_reduction {
    fn from(ReductionIo { q, w_printed, w_partial, w_total, i_printed, i_partial, i_total }: ReductionIo) -> Self {
        Self { q, w_printed, w_partial, w_total, i_printed, i_partial, i_total }
    }
}

/// A reduction through a memory of z words, in lines of l. All are powers of two, n > z > l.
///
/// @param n          Elements.
/// @param z          Words of the memory.
/// @param l          Words of a line.
/// @param reduction  Written.
/// @param field      As of gpusched_exec_eval. May be null.
/// @return NotPow2, with the field; BadOrder; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_reduction_io(
    n: u64,
    z: u64,
    l: u64,
    reduction: *mut gpusched_theory_reduction,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let reduction = writable(reduction)?;
            reduction.write(theory::reduction_io(n, z, l)?.into());
            Ok(())
        })
    }
}

/// A product of matrices in external memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_matmul {
    /// Side of the greatest block of which three fit; 0: none does.
    pub b: u64,
    /// Transfers without blocks.
    pub q_naive: f64,
    /// Transfers, in order of magnitude, of the best algorithm.
    pub q_order: f64,
    /// Operations per word, in order of magnitude, of the best algorithm.
    pub i_order: f64,
    /// Transfers with blocks of side b; 0 if no block fits.
    pub q_blocked: f64,
}

impl From<MatmulIo> for gpusched_theory_matmul {
    fn from(MatmulIo { b, q_naive, q_order, i_order, q_blocked }: MatmulIo) -> Self {
        Self { b, q_naive, q_order, i_order, q_blocked: q_blocked.unwrap_or_default() }
    }
}

/// The product of two matrices through a memory of z words, in lines of l.
///
/// @param n       Side of the matrices. Not 0.
/// @param z       Words of the memory. Not 0.
/// @param l       Words of a line. Not 0.
/// @param matmul  Written.
/// @param field   As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput, with the field; OutOfRange (z is 2^53 or more); Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_matmul_io(
    n: f64,
    z: f64,
    l: f64,
    matmul: *mut gpusched_theory_matmul,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let matmul = writable(matmul)?;
            matmul.write(theory::matmul_io(n, z, l)?.into());
            Ok(())
        })
    }
}

/// A computation on processors with a memory each, scheduled by work stealing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_private {
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
    /// The constant that the order of magnitude hides; 1 if nothing is known.
    pub c: f64,
}

impl From<&gpusched_theory_private> for PrivateCaches {
    fn from(&gpusched_theory_private { q1, p, z, d, l, c }: &gpusched_theory_private) -> Self {
        Self { q1, p, z, d, l, c }
    }
}

/// Transfers of all processors.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_misses {
    /// At most, under work stealing.
    pub bound: f64,
    /// If each one moved everything.
    pub naive: f64,
}

impl From<PrivateMisses> for gpusched_theory_misses {
    fn from(PrivateMisses { bound, naive }: PrivateMisses) -> Self {
        Self { bound, naive }
    }
}

/// What processors with private memories move.
///
/// @param of      The computation and its machine.
/// @param misses  Written.
/// @param field   As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_qp_bound(
    of: *const gpusched_theory_private,
    misses: *mut gpusched_theory_misses,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let misses = writable(misses)?;
            misses.write(theory::qp_bound(&get(of)?.into())?.into());
            Ok(())
        })
    }
}

/// Traffic of a computation, and the memory that takes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_traffic {
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

impl From<&gpusched_theory_traffic> for MemoryTime {
    fn from(&gpusched_theory_traffic { alpha, d, q, l, beta }: &gpusched_theory_traffic) -> Self {
        Self { alpha, d, q, l, beta }
    }
}

/// The time that memory takes.
///
/// @param of     The traffic.
/// @param t      Written.
/// @param field  As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_t_mem(
    of: *const gpusched_theory_traffic,
    t: *mut f64,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let t = writable(t)?;
            t.write(theory::t_mem(&get(of)?.into())?);
            Ok(())
        })
    }
}
