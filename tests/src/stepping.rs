//! Spans of cycles carried out one `tick` at a time: what [`FrontEnd::run`] must equal.

use gpusched::{Fault, FrontEnd, Kmu, Probe, Sched, Tables, Words};

/// `n` ticks, and how often each word was their answer.
///
/// # Errors
/// `TimeOverflow`; the cycles before it are carried out.
pub fn step<T: Tables>(gpu: &mut FrontEnd<T>, n: u64, probe: &mut impl Probe) -> Result<Words, Fault> {
    let mut words = Words::default();
    for _ in 0..n {
        let tick = gpu.tick(probe)?;
        *match tick.sched {
            Sched::Tb(_) => &mut words.tb,
            Sched::Idle => &mut words.idle,
            Sched::Load => &mut words.load,
            Sched::NoRoom => &mut words.noroom,
            Sched::Gated => &mut words.gated,
            Sched::Capped => &mut words.capped,
        } += 1;
        *match tick.kmu {
            Kmu::Issue => &mut words.issue,
            Kmu::Empty => &mut words.empty,
            Kmu::Busy => &mut words.busy,
            Kmu::KdFull => &mut words.kdfull,
        } += 1;
    }
    Ok(words)
}
