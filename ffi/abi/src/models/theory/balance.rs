//! Whether a machine's memory keeps up with its processors.

use core::ffi::c_char;

use gpusched::models::theory::{self, Balance, Balanced};

use crate::models::blamed;
use crate::object::{get, writable};
use crate::status::gpusched_status;

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
