//! Runs as a C program makes them.

use std::ptr;

use gpusched_abi::convert::ToC;
use gpusched_abi::monte::*;
use gpusched_abi::status::gpusched_status as Status;

use crate::calls::monte::hand::{Run, Simulate, Trace, slots};
use crate::through_c::object::done;

impl Simulate {
    /// Makes the call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Safety
    /// `monte` is a machine that nobody else uses.
    pub(super) unsafe fn through_c(&self, monte: *mut gpusched_monte) -> Result<(), Status> {
        let Self { trace, runs, seed } = self;
        // SAFETY: the caller's contract.
        done(in_c(trace, slots(trace), |trace| unsafe { gpusched_monte_simulate(monte, trace, *runs, *seed) }))
    }
}

impl Run {
    /// Makes the call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Safety
    /// `monte` is a machine that nobody else uses.
    pub(super) unsafe fn through_c(&self, monte: *mut gpusched_monte) -> Result<(), Status> {
        let slots = self.slots.unwrap_or(slots(&self.trace));
        // SAFETY: the caller's contract.
        done(in_c(&self.trace, slots, |trace| unsafe { gpusched_monte_run(monte, trace) }))
    }
}

/// A trace as a C program has it.
fn in_c(trace: &Trace, slots: usize, call: impl FnOnce(&gpusched_monte_trace) -> Status) -> Status {
    let requests: Vec<Vec<_>> = trace.iter().map(|(_, requests)| requests.iter().map(ToC::to_c).collect()).collect();
    let warp = |(of, &(sm, _)): (&Vec<_>, &(u32, _))| gpusched_monte_warp {
        requests: if of.is_empty() { ptr::null() } else { of.as_ptr() },
        count: of.len(),
        sm,
        reserved: 7,
    };
    let warps: Vec<_> = requests.iter().zip(trace).map(warp).collect();
    // What is in scratch memory must not matter.
    let mut scratch = vec![gpusched_monte_slot { opaque: [0xa5a5_a5a5_a5a5_a5a5; 3] }; slots];
    call(&gpusched_monte_trace {
        warps: if warps.is_empty() { ptr::null() } else { warps.as_ptr() },
        count: warps.len(),
        scratch: if scratch.is_empty() { ptr::null_mut() } else { scratch.as_mut_ptr() },
        slots,
    })
}

/// Random numbers of a run, below a number or of 64 bits.
pub fn rng(seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64> {
    let mut numbers = vec![9; n];
    // SAFETY: the numbers live.
    let status = unsafe { gpusched_monte_rng(seed, run, below.unwrap_or(0), numbers.as_mut_ptr(), n) };
    assert_eq!(status, Status::Ok);
    numbers
}
