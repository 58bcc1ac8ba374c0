//! Functions that say which input is to blame.

use core::ffi::c_char;
use core::ptr;

use gpusched::models::Refusal;

use crate::convert::ToC;
use crate::pointer::{put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status as Status, status};

/// Why a call is refused, and the input to blame.
pub(crate) struct Blame {
    status: Status,
    field: *const c_char,
}

impl From<Status> for Blame {
    fn from(status: Status) -> Self {
        Self { status, field: ptr::null() }
    }
}

/// Evaluates a function, and writes its answer and the input to blame.
///
/// # Safety
/// As [`crate::pointer::put`] and [`put_unless_null`].
pub(crate) unsafe fn blamed<A: ToC>(
    out: *mut A::C,
    field: *mut *const c_char,
    eval: impl FnOnce() -> Result<Result<A, Refusal>, Status>,
) -> Status {
    let field = match writable_or_null(field) {
        Ok(field) => field,
        Err(refused) => return refused,
    };
    let answer = writable(out).map_err(Blame::from).and_then(|out| match eval()? {
        Ok(answer) => Ok((out, answer.to_c())),
        Err(Refusal { fault, field }) => {
            Err(Blame { status: fault.into(), field: field.map_or(ptr::null(), |field| field.c_name().as_ptr()) })
        }
    });
    // SAFETY: the caller's contract.
    unsafe {
        put_unless_null(field, answer.as_ref().err().map_or(ptr::null(), |blame| blame.field));
        status(answer.map(|(out, answer)| out.write(answer)).map_err(|blame| blame.status))
    }
}
