//! A policy in Rust as a shared library: a trait to implement, and a macro that makes the file's table of it.
//!
//! ```
//! use gpusched_plugin::export::{Policy, Seen};
//! use gpusched_plugin::{Answer, Machine, export};
//!
//! /// Everything to the highest SMX that is open to it.
//! struct Highest;
//!
//! impl Policy for Highest {
//!     const NAME: &'static std::ffi::CStr = c"highest";
//!
//!     fn new(_: &Machine, parameters: &str) -> Result<Self, &'static std::ffi::CStr> {
//!         if parameters.is_empty() { Ok(Self) } else { Err(c"it has no parameters") }
//!     }
//!
//!     fn choose(&mut self, seen: &Seen<'_>) -> Answer {
//!         let fits = seen.offers.iter().enumerate().find_map(|(i, offer)| Some((i, seen.open(offer).last()?)));
//!         fits.map_or(Answer::Wait(None), |(offer, smx)| Answer::Send { offer, smx })
//!     }
//! }
//!
//! export!(Highest);
//! # fn main() {}
//! ```

use std::ffi::{CStr, c_char, c_void};
use std::mem::{align_of, size_of};
use std::ptr::null;
use std::slice;

use gpusched::{Cycle, Resources, SmxSet};
pub use gpusched_abi::frontend::{gpusched_completion, gpusched_offer, gpusched_resident};
pub use gpusched_abi::plugin::gpusched_plugin;
use gpusched_abi::plugin::{
    GPUSCHED_PLUGIN_FREE, GPUSCHED_PLUGIN_VERSION, gpusched_plugin_choice, gpusched_plugin_machine,
    gpusched_plugin_view,
};
use gpusched_abi::smx::gpusched_resources;
use gpusched_abi::{GPUSCHED_NEVER, GPUSCHED_NONE};

use crate::{Answer, Machine};

/// A policy that can be exported.
pub trait Policy: Sized {
    /// What it is called in tables.
    const NAME: &'static CStr;

    /// The policy on a machine. `parameters` is what stands behind the file's name.
    ///
    /// # Errors
    /// Why it cannot run so.
    fn new(machine: &Machine, parameters: &str) -> Result<Self, &'static CStr>;

    /// What is to be done in this cycle.
    fn choose(&mut self, seen: &Seen<'_>) -> Answer;

    /// A TB has ended.
    fn done(&mut self, completion: &gpusched_completion) {
        let _ = completion;
    }
}

/// What a policy sees in a cycle, as it lies in the host.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The cycle.
    pub now: Cycle,
    /// Units with TBs to send, in order.
    pub offers: &'a [gpusched_offer],
    /// What is free on each SMX.
    pub free: &'a [gpusched_resources],
    residents: &'a [gpusched_resident],
    ends: &'a [u32],
}

impl<'a> Seen<'a> {
    /// The SMXs that are open to an offer.
    #[must_use]
    pub fn open(&self, offer: &gpusched_offer) -> SmxSet {
        SmxSet::from_words(offer.open.words)
    }

    /// The TBs on an SMX.
    #[must_use]
    pub fn residents(&self, smx: usize) -> &'a [gpusched_resident] {
        let end = |smx: usize| self.ends.get(smx).map_or(0, |&end| end as usize);
        let begin = smx.checked_sub(1).map_or(0, end);
        self.residents.get(begin..end(smx)).unwrap_or_default()
    }
}

/// The list at a pointer; an empty one may have any pointer.
#[expect(unsafe_code, reason = "lists of C")]
unsafe fn list<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the host has that many, and keeps them until the policy has answered.
    unsafe { slice::from_raw_parts(first, count) }
}

/// The table of a policy.
#[must_use]
pub const fn table<P: Policy>() -> gpusched_plugin {
    assert!(align_of::<P>() <= 16, "the host's bytes are aligned to 16");
    gpusched_plugin {
        struct_size: size_of::<gpusched_plugin>() as u32,
        version: GPUSCHED_PLUGIN_VERSION,
        units: GPUSCHED_PLUGIN_FREE,
        name: P::NAME.as_ptr(),
        state_size: Some(state_size::<P>),
        init: Some(init::<P>),
        choose: Some(choose::<P>),
        done: Some(done::<P>),
        save: None,
        restore: None,
        end: Some(end::<P>),
    }
}

#[expect(unsafe_code, reason = "a function of a table of C")]
unsafe extern "C" fn state_size<P>(_: *const gpusched_plugin_machine) -> usize {
    size_of::<P>()
}

#[expect(unsafe_code, reason = "a function of a table of C")]
unsafe extern "C" fn init<P: Policy>(
    state: *mut c_void,
    machine: *const gpusched_plugin_machine,
    parameters: *const c_char,
) -> *const c_char {
    // SAFETY: the host hands over living structs with lists of as many numbers as there are SMXs, and a text that ends.
    let (machine, parameters) = unsafe {
        let gpusched_plugin_machine { n_smx, units, capacity, tpc, gpc, .. } = *machine;
        let gpusched_resources { threads, regs, smem, slots } = capacity;
        let numbers = |first| list(first, n_smx as usize).iter().map(|&number: &u32| number as u16).collect();
        let capacity = Resources { threads, regs, smem, slots };
        (Machine { capacity, tpc: numbers(tpc), gpc: numbers(gpc), units }, CStr::from_ptr(parameters))
    };
    let Ok(parameters) = parameters.to_str() else { return c"its parameters are not UTF-8".as_ptr() };
    match P::new(&machine, parameters) {
        // SAFETY: the state has as many bytes as were asked for, aligned for anything.
        Ok(policy) => unsafe {
            state.cast::<P>().write(policy);
            null()
        },
        Err(why) => why.as_ptr(),
    }
}

#[expect(unsafe_code, reason = "a function of a table of C")]
unsafe extern "C" fn choose<P: Policy>(
    state: *mut c_void,
    view: *const gpusched_plugin_view,
    choice: *mut gpusched_plugin_choice,
) {
    // SAFETY: the state was initialised and is this call's alone; the view's lists live.
    let (policy, seen, choice) = unsafe {
        let gpusched_plugin_view { n_smx, now, offers, offers_count, free, residents, residents_end, .. } = *view;
        let ends = list(residents_end, n_smx as usize);
        let count = ends.last().map_or(0, |&end| end as usize);
        let (offers, free) = (list(offers, offers_count), list(free, n_smx as usize));
        let seen = Seen { now: Cycle(now), offers, free, residents: list(residents, count), ends };
        (&mut *state.cast::<P>(), seen, &mut *choice)
    };
    match policy.choose(&seen) {
        Answer::Send { offer, smx } => {
            (choice.offer, choice.smx) = (u32::try_from(offer).unwrap_or(GPUSCHED_NONE), smx.into());
        }
        Answer::Wait(wake) => choice.wake = wake.map_or(GPUSCHED_NEVER, |at| at.0),
    }
}

#[expect(unsafe_code, reason = "a function of a table of C")]
unsafe extern "C" fn done<P: Policy>(state: *mut c_void, completion: *const gpusched_completion) {
    // SAFETY: the state was initialised and is this call's alone; the struct lives.
    unsafe { (*state.cast::<P>()).done(&*completion) }
}

#[expect(unsafe_code, reason = "a function of a table of C")]
unsafe extern "C" fn end<P>(state: *mut c_void) {
    // SAFETY: the state was initialised, and is not used after this call.
    unsafe { state.cast::<P>().drop_in_place() }
}

/// Exports a [`Policy`](crate::export::Policy) as the policy of this file.
#[macro_export]
macro_rules! export {
    ($Policy:ty) => {
        /// The file's table.
        #[unsafe(no_mangle)]
        pub extern "C" fn gpusched_plugin_table() -> *const $crate::export::gpusched_plugin {
            static TABLE: $crate::Table = $crate::Table($crate::export::table::<$Policy>());
            &TABLE.0
        }
    };
}
