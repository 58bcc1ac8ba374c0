//! The C ABI over [`gpusched`]. So far it has what everything else will rest on: the version and the status codes.
//!
//! A status is 0 for success or the number of a [`gpusched::Fault`]; those numbers never change. Texts are static,
//! NUL-terminated and shared by all threads.
#![no_std]

use core::ffi::c_char;

use gpusched::Fault;

/// Version of the binary interface; it grows with every incompatible change.
pub const GPUSCHED_ABI_VERSION: u32 = 0;

/// The version of the binary interface that this library has.
#[unsafe(no_mangle)] // The exported name is ours alone: it carries the library's prefix.
pub extern "C" fn gpusched_abi_version() -> u32 {
    GPUSCHED_ABI_VERSION
}

/// The name of a status, as the sheets spell it: "ok" for 0, "unknown" for a number that is none.
#[unsafe(no_mangle)] // As above.
pub extern "C" fn gpusched_status_str(status: u32) -> *const c_char {
    let text = match status {
        0 => c"ok",
        _ => Fault::ALL.iter().find(|fault| fault.code() == status).map_or(c"unknown", |fault| fault.c_name()),
    };
    text.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    /// Every status has its name, and C sees what Rust sees.
    #[test]
    fn every_status_has_its_name() {
        let name = |status| {
            // SAFETY: the function returns static NUL-terminated texts only.
            unsafe { CStr::from_ptr(gpusched_status_str(status)) }.to_str()
        };
        assert_eq!((name(0), name(u32::MAX)), (Ok("ok"), Ok("unknown")));
        for &fault in Fault::ALL {
            assert_eq!(name(fault.code()), Ok(fault.name()));
        }
    }
}
