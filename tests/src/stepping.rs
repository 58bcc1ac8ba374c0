//! Spans of cycles carried out one `tick` at a time: what [`FrontEnd::run`] must equal.

use gpusched::{Cycle, Decision, Fault, FrontEnd, Probe, Tables, Words};

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

/// frontend-O4: `n` cycles that a copy of the machine skips cannot be told from those that another one steps through.
///
/// # Errors
/// What can be told: words, decisions or state.
pub fn skips_as_it_steps<T: Tables>(gpu: &FrontEnd<T>, n: u64) -> Result<(), String>
where
    FrontEnd<T>: Clone + PartialEq,
{
    let (mut skipped, mut stepped) = (gpu.clone(), gpu.clone());
    let (mut skip_out, mut step_out) = (Vec::new(), Vec::new());
    let skip_words = skipped.run(n, &mut |at: Cycle, d: Decision| skip_out.push((at, d)));
    let step_words = step(&mut stepped, n, &mut |at: Cycle, d: Decision| step_out.push((at, d)));
    if (&skip_out, &skip_words) != (&step_out, &step_words) {
        return Err(format!(
            "frontend-O4: {n} cycles: {skip_words:?} and {skip_out:?} skipped, {step_words:?} and {step_out:?} stepped"
        ));
    }
    if skipped == stepped { Ok(()) } else { Err(format!("frontend-O4: the state is another one after {n} cycles")) }
}
