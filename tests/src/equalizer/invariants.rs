//! The sheet's invariants: those of a state, those of an event, and those of a whole run.

use gpusched::Fault;
use gpusched::equalizer::{Counts, FmConfig, Outcome, SmConfig, Step};

use super::{FmAnswer, FmView, SmAnswer, SmEvent, SmView};

fn holds(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("invariant: {what}")) }
}

/// Those of an `Sm`'s state: equalizer-I1 to I3, equalizer-I5, equalizer-I6.
///
/// # Errors
/// The first one that does not hold.
pub fn check_sm(config: &SmConfig, view: &SmView) -> Result<(), String> {
    let SmView { target, limit, running, paused, outstanding, .. } = *view;
    let resident = running + paused;
    let blocks = view.slots.iter().flatten();
    holds("the slots are counted", blocks.clone().filter(|b| !b.paused).count() == running as usize)?;
    holds("the slots are counted", blocks.clone().filter(|b| b.paused).count() == paused as usize)?;
    let mut ids = blocks.map(|b| b.id).collect::<Vec<_>>();
    ids.sort_unstable();
    ids.dedup();
    holds("no two blocks are the same", ids.len() == resident as usize)?;
    holds("running <= target", running <= target)?;
    holds("paused blocks only at the target", paused == 0 || running == target)?;
    holds("resident + outstanding <= limit", resident + outstanding <= limit && limit <= config.max_blocks)?;
    let asked = running + outstanding >= target || view.drained || resident + outstanding == limit;
    holds("nothing is left unasked", asked)?;
    let has_kernel = limit > 0;
    holds("target within its bounds", !has_kernel || target >= config.min_blocks.min(limit))?;
    holds("target <= limit", target <= limit)?;
    // With it: a kernel with a resident block has a running one, so it goes on.
    holds("never fewer than min_blocks run", running >= config.min_blocks.min(resident))?;
    holds("warps fit", u64::from(view.w_cta) * u64::from(limit) <= config.max_warps.into())?;
    let nothing = (view.w_cta, target, view.run, view.wd, view.drained) == (0, 0, 0, 0, false);
    holds("nothing without a kernel", has_kernel || (nothing && view.sums == Counts::default()))?;
    let Counts { active, waiting, xalu, xmem } = view.sums;
    let [active, waiting, xalu, xmem] = [active, waiting, xalu, xmem].map(u64::from);
    holds("sums", waiting + xalu + xmem <= active)?;
    holds("active warps", active <= u64::from(config.max_warps) * u64::from(view.samples))?;
    holds("counters hold their sums", active < 1 << config.counter_bits)?;
    holds("samples of an epoch", view.samples < config.samples_per_epoch())?;
    holds("run < hysteresis", view.run < config.hysteresis)?;
    holds("run and dir", (view.run == 0) == (view.dir == Step::Hold))?;
    holds("wd", view.wd <= config.watchdog)?;
    holds("sample points", view.next_sample.0.is_multiple_of(config.sample_interval.into()))
}

/// Follows one `Sm` (equalizer-I4, equalizer-I6).
#[derive(Clone, Debug, Default)]
pub struct Watch {
    requests: u64,
    grants: u64,
    denies: u64,
    ended: u64,
}

impl Watch {
    /// An event has taken the machine from one state to another.
    ///
    /// # Errors
    /// What does not hold.
    pub fn note(
        &mut self,
        config: &SmConfig,
        event: &SmEvent,
        answer: &Result<SmAnswer, Fault>,
        before: &SmView,
        after: &SmView,
    ) -> Result<(), String> {
        check_sm(config, after)?;
        let Ok(answer) = answer else { return Ok(()) };
        let change = match answer {
            SmAnswer::Started(started) => {
                self.requests += u64::from(started.requests);
                None
            }
            SmAnswer::Granted(granted) => Some(&granted.change),
            SmAnswer::Changed(change) => Some(change),
            SmAnswer::Ended(ended) => Some(&ended.change),
            SmAnswer::Sampled(end) => end.as_ref().map(|end| &end.change),
            _ => None,
        };
        if let Some(change) = change {
            self.requests += u64::from(change.requests);
            for slot in change.pause.iter().chain(&change.unpause) {
                let paused = change.pause.contains(slot);
                let block = after.slots[usize::from(slot.0)];
                holds("what is said to be paused or woken is", block.is_some_and(|b| b.paused == paused))?;
            }
            holds("no slot twice", change.pause.iter().all(|slot| !change.unpause.contains(slot)))?;
        }
        match event {
            SmEvent::Grant { .. } => self.grants += 1,
            SmEvent::Deny { .. } => self.denies += 1,
            SmEvent::BlockEnd { .. } => self.ended += 1,
            SmEvent::Sample { .. } => {
                let by = after.target.abs_diff(before.target);
                let most = 1 + u32::from(config.watchdog > 0);
                holds("the target moves by one", by <= most)?;
                let SmAnswer::Sampled(end) = answer else { return Err("a sample answers with one".into()) };
                holds("the target moves at the end of an epoch", end.is_some() || by == 0)?;
                if let Some(end) = end {
                    let moved = i64::from(after.target) - i64::from(before.target);
                    let told = i64::from(end.changed.number()) + i64::from(end.watchdog);
                    holds("the reply tells how the target moved", moved == told && end.target == after.target)?;
                }
            }
            _ => {}
        }
        let answered = self.grants + self.denies + u64::from(after.outstanding);
        holds("requests = grants + denies + outstanding", self.requests == answered)?;
        let resident = u64::from(after.running + after.paused);
        holds("every granted block ends once", self.grants == self.ended + resident)
    }
}

/// Those of an `Fm`'s state (equalizer-I7).
///
/// # Errors
/// The first one that does not hold.
pub fn check_fm(config: &FmConfig, view: &FmView) -> Result<(), String> {
    for (level, transition) in [(view.sm_level, view.sm), (view.mem_level, view.mem)] {
        let Some(transition) = transition else { continue };
        let by = transition.target.number() - level.number();
        holds("a step leads to the next level", by.abs() == 1)?;
    }
    holds("only enabled SMs vote", view.voted.without(&view.enabled).is_empty())?;
    holds("a full round is resolved", view.voted.is_empty() || view.voted != view.enabled)?;
    holds("there are so many SMs", view.enabled.without(&gpusched::SmxSet::first(config.sms)).is_empty())
}

/// An event has taken an `Fm` from one state to another.
///
/// # Errors
/// What does not hold.
pub fn check_fm_event(answer: &Result<FmAnswer, Fault>, before: &FmView, after: &FmView) -> Result<(), String> {
    let Ok(answer) = answer else { return holds("a refusal changes nothing", before == after) };
    let resolved = match answer {
        FmAnswer::Round(round) => [round.sm.outcome, round.mem.outcome],
        _ => [Outcome::None; 2],
    };
    let domains = [(before.sm_level, after.sm_level, after.sm), (before.mem_level, after.mem_level, after.mem)];
    for ((before, after, transition), outcome) in domains.into_iter().zip(resolved) {
        holds("one step at a time", (after.number() - before.number()).abs() <= 1)?;
        holds("a step that starts is under way", outcome != Outcome::Start || transition.is_some())?;
    }
    Ok(())
}
