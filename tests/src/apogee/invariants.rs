//! The sheet's invariants of an event; those of a state are the machine's own (`Apogee::validate`).

use gpusched::Fault;
use gpusched::apogee::ApogeeConfig;

use super::{Answer, Event, View};

fn holds(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("invariant: {what}")) }
}

/// Those of an event that has taken the machine from one state to another: apogee-I3 to I6.
///
/// # Errors
/// The first one that does not hold.
pub fn check_event(
    config: &ApogeeConfig,
    event: &Event,
    answer: &Result<Answer, Fault>,
    before: &View,
    after: &View,
) -> Result<(), String> {
    let popped = match answer {
        Ok(Answer::Request(Some(request))) => Some(*request),
        _ => None,
    };
    if let (Event::Load(_), Ok(Answer::Load(decided))) = (event, answer) {
        let most = config.warp_size * if config.gap_fill { 2 } else { 1 };
        holds("|pushed|", decided.loaded.pushed <= most)?;
        let unconfirmed = decided.pushed.is_empty() && decided.loaded.outside == 0;
        holds("nothing is prefetched unconfirmed", decided.loaded.confirmed || unconfirmed)?;
        let triggered = decided.trig.iter().filter(|t| t.result == gpusched::apogee::Push::Pushed).count();
        let more = decided.pushed.len() + triggered;
        holds("what is pushed waits", after.queue.len() == before.queue.len() + more)?;
    } else if !matches!((event, answer), (Event::Flush, Ok(_))) {
        let left = before.queue.len() - usize::from(popped.is_some());
        holds("only pops take requests out", after.queue.len() == left)?;
    }
    holds("what is popped was the head", popped.is_none_or(|request| before.queue[0].request == request))?;
    let warp = match event {
        Event::Load(load) => Some(load.warp),
        Event::PfReply { .. } => before.unanswered.map(|request| request.warp),
        Event::PfFill { warp, .. } => Some(*warp),
        _ => None,
    };
    for (i, row) in &after.table {
        let Some((_, old)) = before.table.iter().find(|(at, old)| at == i && old.generation == row.generation) else {
            continue;
        };
        let changed = old.states.iter().zip(&row.states).enumerate().filter(|(_, (old, new))| old != new);
        for (w, _) in changed {
            holds("a warp's state is its own business", warp.is_some_and(|warp| usize::from(warp.0) == w))?;
        }
    }
    Ok(())
}
