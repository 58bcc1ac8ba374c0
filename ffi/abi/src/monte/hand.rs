//! Runs, whose warps lie in memory of the caller.

use core::mem::{align_of, size_of};

use gpusched::models::monte::{Generator, Request, Slot, Trace};

use super::{Object, gpusched_monte, gpusched_monte_request};
use crate::convert::from_c;
use crate::object::enter;
use crate::pointer::{array, array_mut};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// What a warp accesses, in program order.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_monte_warp {
    /// Its accesses; may be null if there are none.
    pub requests: *const gpusched_monte_request,
    /// Their number.
    pub count: usize,
    /// Its SM.
    pub sm: u32,
    /// Not looked at.
    pub reserved: u32,
}

/// Scratch memory for one request. Its content does not matter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_monte_slot {
    /// Not for you.
    pub opaque: [u64; 3],
}

const _: () = assert!(size_of::<gpusched_monte_slot>() == size_of::<Slot>());
const _: () = assert!(align_of::<gpusched_monte_slot>() == align_of::<Slot>());

/// What all warps access, and memory to put it in order.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_monte_trace {
    /// The warps, in a fixed order; may be null if there are none.
    pub warps: *const gpusched_monte_warp,
    /// Their number.
    pub count: usize,
    /// Scratch memory; may be null if there are no requests.
    pub scratch: *mut gpusched_monte_slot,
    /// Slots of it: as many as there are requests, or more.
    pub slots: usize,
}

/// Warps whose arrays are there.
struct Warps<'a>(&'a [gpusched_monte_warp]);

impl<'a> Warps<'a> {
    /// # Safety
    /// The arrays of the caller are as the functions say.
    unsafe fn new(warps: &'a [gpusched_monte_warp]) -> Result<Self, Status> {
        for warp in warps {
            // SAFETY: the caller's contract.
            unsafe { array(warp.requests, warp.count)? };
        }
        Ok(Self(warps))
    }

    fn of(&self, warp: usize) -> &'a [gpusched_monte_request] {
        // SAFETY: `new` has found that the array is there.
        let requests = |warp: &gpusched_monte_warp| unsafe { array(warp.requests, warp.count) }.ok();
        self.0.get(warp).and_then(requests).unwrap_or_default()
    }
}

impl Trace for Warps<'_> {
    fn warps(&self) -> usize {
        self.0.len()
    }

    fn sm(&self, warp: usize) -> u32 {
        self.0.get(warp).map_or(u32::MAX, |warp| warp.sm)
    }

    fn requests(&self, warp: usize) -> usize {
        self.of(warp).len()
    }

    fn request(&self, warp: usize, number: usize) -> Request {
        let gpusched_monte_request { address, site, store } = self.of(warp).get(number).copied().unwrap_or_default();
        Request { address, site: from_c(site), store: from_c(store) }
    }
}

/// The trace of a call.
///
/// # Safety
/// As of [`array`] and [`array_mut`].
unsafe fn trace<'a>(trace: *const gpusched_monte_trace) -> Result<(Warps<'a>, &'a mut [Slot]), Status> {
    // SAFETY: the caller's contract; any bytes are a slot.
    unsafe {
        let trace = crate::pointer::get(trace)?;
        let warps = Warps::new(array(trace.warps, trace.count)?)?;
        Ok((warps, array_mut(trace.scratch.cast(), trace.slots)?))
    }
}

/// Makes so many runs, the former ones forgotten. Their work is runs x requests.
///
/// @param monte  The object.
/// @param trace  What the warps access.
/// @param runs   1 to 2^20.
/// @param seed   Equal seeds give equal results.
/// @return BadArg (runs), BadSm, BadSite, TooManyRequests: more than max_requests, or than there are slots; Null, Misaligned, Capacity;
/// those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_simulate(
    monte: *mut gpusched_monte,
    trace: *const gpusched_monte_trace,
    runs: u32,
    seed: u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(monte).and_then(|machine| {
            let (warps, slots) = self::trace(trace)?;
            Ok(machine.simulate(&warps, runs, seed, slots)?)
        })
    })
}

/// Makes the next run: as gpusched_monte_simulate, one run per call. Results only mean something if all runs since gpusched_monte_start
/// were of the same trace.
///
/// @param monte  The object.
/// @param trace  What the warps access.
/// @return BadArg: there were 2^20 runs; BadSm, BadSite, TooManyRequests; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_run(
    monte: *mut gpusched_monte,
    trace: *const gpusched_monte_trace,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(monte).and_then(|machine| {
            let (warps, slots) = self::trace(trace)?;
            Ok(machine.run(&warps, slots)?)
        })
    })
}

/// Tells random numbers of a run, for tests.
///
/// @param seed     The seed.
/// @param run      The run, from 0.
/// @param below    Numbers are below this; 0: they have 64 bits.
/// @param numbers  Written.
/// @param count    How many; if it is 0, numbers may be null.
/// @return Null, Misaligned, Capacity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_rng(
    seed: u64,
    run: u32,
    below: u64,
    numbers: *mut u64,
    count: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array_mut(numbers, count).map(|numbers| {
            let mut random = Generator::of_run(seed, run);
            numbers.fill_with(|| if below == 0 { random.next() } else { random.below(below) });
        })
    })
}
