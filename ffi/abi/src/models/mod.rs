//! Analytical models through C: functions without objects, but for the stochastic memory hierarchy.

// In the order of the header.
pub mod exec;

pub mod theory;

pub mod wfg;

pub mod monte;

use core::ffi::c_char;
use core::ptr;

use gpusched::Fault;
use gpusched::models::Refusal;

use crate::object::{put_unless_null, writable_or_null};
use crate::status::{gpusched_status as Status, status};

/// Why a call is refused, and the input to blame.
struct Blame {
    status: Status,
    field: *const c_char,
}

impl From<Status> for Blame {
    fn from(status: Status) -> Self {
        Self { status, field: ptr::null() }
    }
}

impl From<Fault> for Blame {
    fn from(fault: Fault) -> Self {
        Status::from(fault).into()
    }
}

impl From<Refusal> for Blame {
    fn from(Refusal { fault, field }: Refusal) -> Self {
        Self { status: fault.into(), field: field.map_or(ptr::null(), |field| field.c_name().as_ptr()) }
    }
}

/// Evaluates a model, and writes the field to blame.
///
/// # Safety
/// As [`put_unless_null`].
unsafe fn blamed(field: *mut *const c_char, eval: impl FnOnce() -> Result<(), Blame>) -> Status {
    let field = match writable_or_null(field) {
        Ok(field) => field,
        Err(refused) => return refused,
    };
    let result = eval();
    let blame = result.as_ref().map_or_else(|blame| blame.field, |()| ptr::null());
    // SAFETY: the caller's contract.
    unsafe { put_unless_null(field, blame) };
    status(result.map_err(|blame| blame.status))
}
