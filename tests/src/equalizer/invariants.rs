//! The sheet's invariants of an event and of a whole run; those of a state are the machines' own (`Sm::validate`, `Fm::validate`).

use gpusched::Fault;
use gpusched::equalizer::{FmState, Outcome, SmConfig};

use super::{FmAnswer, SmAnswer, SmEvent, SmView};

fn holds(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("invariant: {what}")) }
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
        let Ok(answer) = answer else { return Ok(()) };
        let change = match answer {
            SmAnswer::Started(started) => {
                self.requests += u64::from(started.requests);
                None
            }
            SmAnswer::Granted(granted) => Some(&granted.change),
            SmAnswer::Change(change) => Some(change),
            SmAnswer::Ended(ended) => Some(&ended.change),
            SmAnswer::EpochEnd(end) => end.as_ref().map(|end| &end.change),
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
                let by = after.state.target.abs_diff(before.state.target);
                let most = 1 + u32::from(config.watchdog > 0);
                holds("the target moves by one", by <= most)?;
                let SmAnswer::EpochEnd(end) = answer else { return Err("a sample answers with one".into()) };
                holds("the target moves at the end of an epoch", end.is_some() || by == 0)?;
                if let Some(end) = end {
                    let moved = i64::from(after.state.target) - i64::from(before.state.target);
                    let told = i64::from(end.changed.number()) + i64::from(end.watchdog);
                    holds("the reply tells how the target moved", moved == told && end.target == after.state.target)?;
                }
            }
            _ => {}
        }
        let answered = self.grants + self.denies + u64::from(after.state.outstanding);
        holds("requests = grants + denies + outstanding", self.requests == answered)?;
        let resident = u64::from(after.state.running + after.state.paused);
        holds("every granted block ends once", self.grants == self.ended + resident)
    }
}

/// An event has taken an `Fm` from one state to another (equalizer-I7).
///
/// # Errors
/// What does not hold.
pub fn check_fm_event(answer: &Result<FmAnswer, Fault>, before: &FmState, after: &FmState) -> Result<(), String> {
    let Ok(answer) = answer else { return holds("a refusal changes nothing", before == after) };
    let resolved = match answer {
        FmAnswer::Vote(Some(round)) | FmAnswer::Round(round) => [round.sm.outcome, round.mem.outcome],
        _ => [Outcome::None; 2],
    };
    let domains = [(before.sm, after.sm), (before.mem, after.mem)];
    for ((before, after), outcome) in domains.into_iter().zip(resolved) {
        holds("one step at a time", (after.level.number() - before.level.number()).abs() <= 1)?;
        holds("a step that starts is under way", outcome != Outcome::Start || after.done_at.is_some())?;
        holds("no step, no other level", after.done_at.is_some() || after.level == after.target)?;
    }
    Ok(())
}
