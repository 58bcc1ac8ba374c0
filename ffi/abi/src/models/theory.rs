//! Closed forms: what a machine can attain at most, and what an algorithm asks of it.

use core::ffi::c_char;

use gpusched::models::theory::{
    self, Balance, Balanced, Bound, Brent, Inefficiency, MatmulIo, MemoryTime, PrivateCaches, PrivateMisses,
    ReductionIo, ReductionTree, Roofline, Ulist, UlistEstimate,
};

use super::blamed;
use crate::object::{get, writable};
use crate::status::gpusched_status;

/// What limits a kernel.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_theory_bound {
    /// Arithmetic.
    Compute = 0,
    /// Bandwidth of memory.
    Memory = 1,
}

/// A kernel under the roof of its machine.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_roof {
    /// Most operations per time, in the unit of the peak.
    pub attainable: f64,
    /// The intensity from which on arithmetic limits.
    pub ridge: f64,
    /// gpusched_theory_bound.
    pub bound: u32,
    /// 0.
    pub reserved: u32,
}

impl From<Roofline> for gpusched_theory_roof {
    fn from(Roofline { attainable, ridge, bound }: Roofline) -> Self {
        let bound = match bound {
            Bound::Compute => gpusched_theory_bound::Compute,
            Bound::Memory => gpusched_theory_bound::Memory,
        };
        Self { attainable, ridge, bound: bound as u32, reserved: 0 }
    }
}

/// The roofline of a machine.
///
/// @param peak       Operations per time. Not 0.
/// @param bw         Bytes per time. Not 0.
/// @param intensity  Operations per byte of the kernel.
/// @param roof       Written.
/// @param field      As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput, with the field; Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_roofline(
    peak: f64,
    bw: f64,
    intensity: f64,
    roof: *mut gpusched_theory_roof,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let roof = writable(roof)?;
            roof.write(theory::roofline(peak, bw, intensity)?.into());
            Ok(())
        })
    }
}

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

/// A machine and a computation.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_machine {
    /// Processors, at least 1.
    pub p: f64,
    /// Operations of each per time. Not 0.
    pub c0: f64,
    /// Words of memory per time. Not 0.
    pub beta: f64,
    /// Latency of memory.
    pub alpha: f64,
    /// Words of a transfer. Not 0.
    pub l: f64,
    /// Transfers. Not 0.
    pub q: f64,
    /// Operations. Not 0.
    pub w: f64,
    /// Operations one after the other. Not 0, at most w.
    pub d: f64,
}

impl From<&gpusched_theory_machine> for Balance {
    fn from(&gpusched_theory_machine { p, c0, beta, alpha, l, q, w, d }: &gpusched_theory_machine) -> Self {
        Self { p, c0, beta, alpha, l, q, w, d }
    }
}

/// Both sides of the balance, and three verdicts on it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_theory_balanced {
    /// Operations per word of the machine.
    pub machine_balance: f64,
    /// Operations per word of the computation.
    pub intensity: f64,
    /// Left side of the source's inequality.
    pub lhs: f64,
    /// Right side of the source's inequality.
    pub rhs: f64,
    /// Time to compute.
    pub t_comp: f64,
    /// Time of memory.
    pub t_mem: f64,
    /// 1 if the machine is balanced by bandwidth alone, else 0.
    pub kung: u32,
    /// 1 if it is by the source's inequality as printed, else 0.
    pub printed: u32,
    /// 1 if computing takes at least as long as memory, else 0.
    pub exact: u32,
    /// 0.
    pub reserved: u32,
}

impl From<Balanced> for gpusched_theory_balanced {
    fn from(of: Balanced) -> Self {
        let Balanced { machine_balance, intensity, lhs, rhs, t_comp, t_mem, kung, printed, exact } = of;
        let (kung, printed, exact) = (kung.into(), printed.into(), exact.into());
        Self { machine_balance, intensity, lhs, rhs, t_comp, t_mem, kung, printed, exact, reserved: 0 }
    }
}

/// Whether a machine's memory keeps up with its processors.
///
/// @param of        The machine and the computation.
/// @param balanced  Written.
/// @param field     As of gpusched_exec_eval. May be null.
/// @return NotFinite, Negative, ZeroInput, with the field; DepthExceedsWork; OutOfRange (p is below 1); Overflow; Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_theory_balance(
    of: *const gpusched_theory_machine,
    balanced: *mut gpusched_theory_balanced,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let balanced = writable(balanced)?;
            balanced.write(theory::balance(&get(of)?.into())?.into());
            Ok(())
        })
    }
}

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
