//! Closed forms (models-T1 to T10): what a machine can attain at most, and what an algorithm asks of it.
//!
//! Some of the source's formulas contradict its text. Then both readings are answered: the intensity of a reduction, the balance of
//! (2.4), the intensity of a U-list (models-A3 to A5).
//!
//! ```
//! use gpusched::models::{Bound, roofline, ulist, Ulist};
//!
//! // 1 Tflop/s over 100 GB/s; 11 flops for 16 bytes.
//! let roof = roofline(1000.0, 100.0, 11.0 / 16.0)?;
//! assert_eq!((roof.attainable, roof.ridge, roof.bound), (68.75, 10.0, Bound::Memory));
//! // So many points in a box make the interactions with its 27 neighbours worth their bytes.
//! let boxes = ulist(&Ulist { kappa: 11.0, q: 64.0, balance: 10.0, ..Ulist::DEFAULT })?;
//! assert_eq!((boxes.q_printed, boxes.q_exact), (422, 16));
//! # Ok::<(), gpusched::models::Refusal>(())
//! ```

mod balance;
mod memory;
mod ulist;
mod work_depth;

pub use balance::{Balance, Balanced, balance};
pub use memory::{
    MatmulIo, MemoryTime, PrivateCaches, PrivateMisses, ReductionIo, matmul_io, qp_bound, reduction_io, t_mem,
};
pub use ulist::{Ulist, UlistEstimate, ulist};
pub use work_depth::{Brent, Inefficiency, ReductionTree, brent, inefficiency, reduction_tree};

use super::number::min;
use super::refusal::{Refusal, check, finite, inputs};

/// What limits a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Bound {
    /// Arithmetic.
    #[default]
    Compute,
    /// Bandwidth of memory.
    Memory,
}

/// A kernel under the roof of its machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Roofline {
    /// Most operations per time, in the unit of the peak.
    pub attainable: f64,
    /// The intensity from which on arithmetic limits.
    pub ridge: f64,
    /// What limits.
    pub bound: Bound,
}

/// The roofline of a machine (models-T1): equation (4.31).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` (`peak`, `bw`), each with its field; `Overflow`.
pub fn roofline(peak: f64, bw: f64, intensity: f64) -> Result<Roofline, Refusal> {
    check(&inputs! { peak = peak, nonzero; bw = bw, nonzero; intensity = intensity; })?;
    let of_memory = bw * intensity;
    let bound = if of_memory >= peak { Bound::Compute } else { Bound::Memory };
    let roofline = Roofline { attainable: min(peak, of_memory), ridge: peak / bw, bound };
    finite(&[roofline.attainable, roofline.ridge])?;
    Ok(roofline)
}
