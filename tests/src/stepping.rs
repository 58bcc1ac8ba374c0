//! Spans of cycles carried out one `tick` at a time: what [`FrontEnd::run`] must equal.

use gpusched::{Fault, FrontEnd, Probe, Tables, Words};

/// `n` ticks, and how often each word was their answer.
///
/// # Errors
/// `TimeOverflow`; the cycles before it are carried out.
pub fn step<T: Tables>(gpu: &mut FrontEnd<T>, n: u64, probe: &mut impl Probe) -> Result<Words, Fault> {
    let mut words = Words::default();
    for _ in 0..n {
        words.count(&gpu.tick(probe)?, 1);
    }
    Ok(words)
}
