//! Spans of cycles carried out one `tick` at a time: what [`FrontEnd::run`] must equal.

use gpusched::{Fault, FrontEnd, Probe, SmxId, Tables, Words};

use crate::events::Told;

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

/// The same by a machine that forgets before each cycle what the one before it has found: every change is a reason to look again, also one
/// to what already is.
fn step_awake<T: Tables>(gpu: &mut FrontEnd<T>, n: u64, probe: &mut impl Probe) -> Result<Words, Fault> {
    let mut words = Words::default();
    for _ in 0..n {
        let cap = gpu.block_cap(SmxId(0)).unwrap_or(0);
        gpu.set_block_cap(SmxId(0), cap)?;
        words += step(gpu, 1, probe)?;
    }
    Ok(words)
}

/// What a copy of a machine answers and tells, and what it is then.
fn outcome<T: Tables>(
    gpu: &FrontEnd<T>,
    carry_out: impl FnOnce(&mut FrontEnd<T>, &mut Told) -> Result<Words, Fault>,
) -> (Result<Words, Fault>, Told, FrontEnd<T>)
where
    FrontEnd<T>: Clone,
{
    let (mut copy, mut told) = (gpu.clone(), Told::default());
    let words = carry_out(&mut copy, &mut told);
    (words, told, copy)
}

/// frontend-O4: `n` cycles that a copy of the machine skips cannot be told from those that another one steps through, whether or not
/// that remembers what it has found.
///
/// # Errors
/// What can be told: words, decisions, samples or state.
pub fn skips_as_it_steps<T: Tables>(gpu: &FrontEnd<T>, n: u64) -> Result<(), String>
where
    FrontEnd<T>: Clone + PartialEq,
{
    let skipped = outcome(gpu, |gpu, out| gpu.run(n, out));
    let stepped = outcome(gpu, |gpu, out| step(gpu, n, out));
    let awake = outcome(gpu, |gpu, out| step_awake(gpu, n, out));
    for (how, other) in [("skipped", &skipped), ("stepped", &stepped)] {
        let ((words, out, gpu), (other_words, other_out, other_gpu)) = (&awake, other);
        if (out, words) != (other_out, other_words) {
            return Err(format!(
                "frontend-O4: {n} cycles: {other_words:?} and {other_out:?} {how}, {words:?} and {out:?} looked at one by one"
            ));
        }
        if gpu != other_gpu {
            return Err(format!("frontend-O4: the state is another one after {n} cycles {how}"));
        }
    }
    Ok(())
}
