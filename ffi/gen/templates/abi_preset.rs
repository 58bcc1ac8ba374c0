/// Fills it with what is so unless a program says something else.
///
/// @param {of}  Written.
/// @return Null, Misaligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn {c}_init({of}: *mut {c}) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { put({of}, {core}::{PRESET}.to_c()) })
}

