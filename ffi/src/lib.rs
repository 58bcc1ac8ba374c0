//! The C ABI over [`gpusched`]. So far it has what everything else will rest on: the version and the status codes.
//!
//! A status is 0 for success or the number of a [`gpusched::Fault`]; those numbers never change. Texts are static,
//! NUL-terminated and shared by all threads.
#![no_std]

use core::ffi::{CStr, c_char};

use gpusched::Fault;

/// Version of the binary interface; it grows with every incompatible change.
pub const GPUSCHED_ABI_VERSION: u32 = 0;

/// The version of the binary interface that this library has.
#[unsafe(no_mangle)] // The exported name is ours alone: it carries the library's prefix.
pub extern "C" fn gpusched_abi_version() -> u32 {
    GPUSCHED_ABI_VERSION
}

macro_rules! texts {
    ($($fault:ident)*) => {
        const TEXTS: &[(Fault, &CStr)] = &[$((
            Fault::$fault,
            // The name ends with the NUL that `concat!` adds, and holds no other.
            match CStr::from_bytes_with_nul(concat!(stringify!($fault), "\0").as_bytes()) {
                Ok(text) => text,
                Err(_) => c"",
            },
        )),*];
    };
}

texts! {
    BadConfig EmptyGrid GridTooLarge EmptyTb TbTooBig HwqFull BadSmx BadSlot NoTb BadCount BadThread PendingLimit BadKde
    NoKernel NotRetained Retained HasGroups RestorePending NothingResident SyncDepth SuspFull BadSusp AlreadyResumed NoLoad
    TimeOverflow BadMask BadCap BadClass ClassTaken NoBubble BadUnit
}

/// The name of a status, as the sheets spell it: "ok" for 0, "unknown" for a number that is none.
#[unsafe(no_mangle)] // As above.
pub extern "C" fn gpusched_status_str(status: u32) -> *const c_char {
    let text = match status {
        0 => c"ok",
        _ => TEXTS.iter().find(|(fault, _)| fault.code() == status).map_or(c"unknown", |(_, text)| text),
    };
    text.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every fault has its name, so that C sees what Rust sees.
    #[test]
    fn every_fault_has_its_name() {
        assert_eq!(TEXTS.len(), Fault::ALL.len());
        for &fault in Fault::ALL {
            let text = TEXTS.iter().find(|(f, _)| *f == fault).map(|(_, text)| text.to_str());
            assert_eq!(text, Some(Ok(fault.name())));
        }
    }
}
