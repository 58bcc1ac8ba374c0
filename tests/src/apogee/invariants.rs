//! The sheet's invariants: those of a state, and those of an event.

use gpusched::Fault;
use gpusched::apogee::{ApogeeConfig, Merge, RowKind, Waiting};

use super::{Answer, Event, View};

fn holds(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("invariant: {what}")) }
}

/// Those of a state: apogee-I1 to I4.
///
/// # Errors
/// The first one that does not hold.
pub fn check_state(config: &ApogeeConfig, view: &View) -> Result<(), String> {
    for (at, (i, row)) in view.table.iter().enumerate() {
        let others = || view.table[..at].iter().map(|(_, other)| other);
        holds("confidence", u32::from(row.confidence) <= config.max_confidence())?;
        holds("states of every warp", row.states.len() == config.warps as usize)?;
        match row.kind {
            RowKind::Free => holds("free rows are not shown", false)?,
            RowKind::Load(load) => {
                let twin = others().any(|other| matches!(other.kind, RowKind::Load(_)) && other.pc == row.pc);
                holds("one train or FOA row per PC", !twin)?;
                let distance = u32::from(load.distance);
                holds("distance", (config.min_distance..=config.max_distance()).contains(&distance))?;
                holds("a train row has confidence 0", load.offset.is_some() || row.confidence == 0)?;
                let thread = u32::from(load.thread);
                holds("thread index", thread < config.warp_size || thread == config.scalar())?;
            }
            RowKind::Trigger { target, .. } => {
                let same = |kind| matches!(kind, RowKind::Trigger { target: other, .. } if other == target);
                holds("one trigger row per target", !others().any(|other| same(other.kind)))?;
                holds("a trigger is not its target", row.pc != target)?;
            }
        }
        holds("rows", u32::from(*i) < config.entries)?;
    }
    holds("queue", view.queue.len() <= config.pfq as usize)?;
    for (at, Waiting { request, ready }) in view.queue.iter().enumerate() {
        holds("whole lines", request.line.is_multiple_of(config.line_bytes.into()))?;
        holds("lines inside", request.line >> config.addr_bits == 0)?;
        holds("first in, first out", view.queue[..at].iter().all(|earlier| earlier.ready <= *ready))?;
        let twice = view.queue[..at].iter().any(|other| other.request.line == request.line);
        holds("no line waits twice", config.merge == Merge::Group || !twice)?;
    }
    Ok(())
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
    check_state(config, after)?;
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
