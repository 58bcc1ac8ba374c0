//! Equalizer's two machines, through C and in Rust: the first byte says which.

#![no_main]

use arbitrary::Unstructured;
use gpusched_fuzz::twins::run;
use gpusched_tests::equalizer::{Fms, Sms};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut u = Unstructured::new(data);
    // Bytes that end early end the run early.
    let _ = match u.ratio(2, 3) {
        Ok(true) => run::<Sms>(&mut u),
        _ => run::<Fms>(&mut u),
    };
});
