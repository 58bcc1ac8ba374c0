//! What every function of the C ABI returns: in words, and what becomes one.

use core::ffi::{CStr, c_char};

use gpusched::{BuildError, Fault};

use crate::statuses::OWN;
pub use crate::statuses::gpusched_status;
use gpusched_status as Status;

impl From<BuildError> for Status {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Config(error) => error.fault.into(),
            BuildError::Tables(_) => Self::StorageTooSmall,
        }
    }
}

fn describe(status: u32) -> (&'static CStr, &'static CStr) {
    let fault = || Fault::ALL.iter().find(|f| f.code() == status).map(|f| (f.c_name(), f.c_text()));
    let other = || OWN.iter().find(|&&(s, ..)| s as u32 == status).map(|&(_, name, text)| (name, text));
    fault().or_else(other).unwrap_or((c"Unknown", c"no status has this number"))
}

/// The name of a status as the sheets spell it, such as "BadSmx"; "Ok" for 0; "Unknown" for a number that is none. The text is
/// static and shared by all threads.
#[unsafe(no_mangle)]
pub extern "C" fn gpusched_status_str(status: u32) -> *const c_char {
    describe(status).0.as_ptr()
}

/// One sentence about a status, for people. The text is static and shared by all threads.
#[unsafe(no_mangle)]
pub extern "C" fn gpusched_status_text(status: u32) -> *const c_char {
    describe(status).1.as_ptr()
}

/// What a call returns.
#[inline]
pub(crate) fn status(result: Result<(), Status>) -> Status {
    match result {
        Ok(()) => Status::Ok,
        Err(status) => status,
    }
}
