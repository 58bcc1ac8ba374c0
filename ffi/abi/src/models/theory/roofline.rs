//! A kernel under the roof of its machine.

use core::ffi::c_char;

use gpusched::models::theory::{self, Bound, Roofline};

use crate::models::blamed;
use crate::object::writable;
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
