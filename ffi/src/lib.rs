//! libgpusched, the library that C and C++ programs link: everything of [`gpusched_abi`], and what a program needs that has no
//! Rust runtime.
#![no_std]

pub use gpusched_abi::*;

// A build that unwinds takes the runtime's panic handler. Nothing here ever panics; the language wants one all the same.
#[cfg(panic = "unwind")]
extern crate std;

/// Never reached: a test of the release library's symbols holds that.
#[cfg(panic = "abort")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
