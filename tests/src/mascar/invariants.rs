//! The sheet's invariants, of a state and of one event.

use std::collections::BTreeMap;

use gpusched::Fault;
use gpusched::mascar::{Head, Kind, Lookup, MascarConfig, Mode, Pipe, Presented};

use super::{Answer, Event, LsuState, View, warps};

/// What holds in every state: mascar-I1 to I4.
///
/// # Errors
/// What does not.
pub fn check_state(config: &MascarConfig, view: &View) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{what}: {view:?}"));
    let resident = |w| warps(view.resident).any(|r| r == w);
    let head = |w| view.heads.iter().find(|(h, _)| *h == w).map(|(_, head)| *head).unwrap_or_default();
    if view.mode == Mode::Ep && (view.owner.is_some() || view.barred.is_some() || view.leftover != 0) {
        return fail("EP mode has no owner, nobody barred, no leftover");
    }
    if view.mode == Mode::Mp && !config.enable {
        return fail("there is no MP mode");
    }
    if view.owner.is_some_and(|w| !resident(w)) || view.barred.is_some_and(|w| !resident(w)) {
        return fail("owner and barred are resident");
    }
    if view.owner.is_some() && view.barred.is_some() {
        return fail("a new owner ends a bar");
    }
    if view.rexq.len() > config.rexq as usize {
        return fail("the queue is no longer than `rexq`");
    }
    if view.lsu.state == LsuState::Blocked && view.rexq.len() < config.rexq as usize {
        return fail("a blocked LSU has a full queue");
    }
    let mut dst = BTreeMap::new();
    for entry in &view.rexq {
        if *dst.entry(entry.warp).or_insert(entry.dst) != entry.dst || !resident(entry.warp) {
            return fail("the entries of a warp are of one instruction, and it is resident");
        }
    }
    if view.lsu.warp.is_some_and(|w| !resident(w)) {
        return fail("the warp in the LSU is resident");
    }
    if (view.wst_mem | view.wst_stall | view.leftover) & !view.resident != 0 {
        return fail("the status table is of resident warps");
    }
    if warps(view.leftover).any(|w| head(w).kind != Kind::Mem) {
        return fail("a leftover has head mem");
    }
    if view.heads.iter().any(|(_, head)| head.ready && head.dep_load) {
        return fail("operands are ready or outstanding");
    }
    let works = view.lsu.state != LsuState::Idle || !view.rexq.is_empty();
    let next = view.picked.map_or(0, |picked| picked.0 + 1);
    if works && view.next_event.is_none_or(|at| at.0 != next) {
        return fail("requests want the next cycle");
    }
    Ok(())
}

/// What holds of an event, between two states: mascar-I1, mascar-I3 to I6.
///
/// # Errors
/// What does not.
pub fn check_event(
    config: &MascarConfig,
    before: &View,
    event: &Event,
    answer: &Result<Answer, Fault>,
    after: &View,
) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{what}: {event:?} gives {answer:?}\nfrom {before:?}\nto {after:?}"));
    match (event, answer) {
        (_, Ok(Answer::Pick(pick))) => {
            let mem = pick.issues.iter().filter(|issue| issue.pipe == Pipe::Mem).collect::<Vec<_>>();
            if mem.len() > 1 {
                return fail("at most one memory issue");
            }
            let most = if config.per_pipe { 2 } else { 1 };
            if (0..8).any(|s| pick.issues.iter().filter(|issue| issue.sched == s).count() > most) {
                return fail("a scheduler issues once, or once per pipe");
            }
            if !pick.issues.is_sorted_by_key(|issue| (issue.sched, issue.pipe == Pipe::Mem)) {
                return fail("issues are sorted");
            }
            for issue in &pick.issues {
                let head = before.heads.iter().find(|(w, _)| *w == issue.warp).map(|(_, head)| *head);
                let kind = if issue.pipe == Pipe::Mem { Kind::Mem } else { Kind::Alu };
                if head != Some(Head { kind, ready: true, dep_load: false }) {
                    return fail("who issues was ready for it");
                }
                if u32::from(issue.warp.0) % config.schedulers != u32::from(issue.sched) {
                    return fail("a warp issues on its scheduler");
                }
            }
            for issue in mem {
                if before.rexq.iter().any(|entry| entry.warp == issue.warp) {
                    return fail("a warp with an entry issues no memory instruction");
                }
                let may =
                    after.owner.is_none_or(|o| o == issue.warp) || warps(before.leftover).any(|w| w == issue.warp);
                if !may {
                    return fail("only the owner and leftovers go to memory in MP mode");
                }
            }
            // Non-leftover, non-owner memory warps are stalled in MP mode with an owner.
            if let Some(owner) = after.owner {
                let others = warps(after.wst_mem & !after.leftover).filter(|w| *w != owner);
                if others.into_iter().any(|w| !warps(after.wst_stall).any(|stalled| stalled == w)) {
                    return fail("who may not load is stalled");
                }
            }
            if after.owner == before.owner && pick.released.is_none() && pick.granted.is_some() {
                return fail("who is granted is new");
            }
        }
        (Event::LsuReply { result, .. }, Ok(Answer::Reply(reply))) => {
            let from = match before.presented {
                Some(Presented::Rexq) => before.rexq.first().map(|entry| entry.warp),
                _ => before.lsu.warp,
            };
            if before.mode == Mode::Mp && reply.to_l2 && from != before.owner {
                return fail("only the owner's misses go to L2 in MP mode");
            }
            if reply.to_l2 && *result != Some(Lookup::Miss) {
                return fail("only misses go to L2");
            }
            if !reply.ack && before.presented == Some(Presented::Rexq) {
                let mut rotated = before.rexq.clone();
                rotated.rotate_left(1);
                if rotated != after.rexq {
                    return fail("between two acks the queue only rotates");
                }
            }
        }
        _ => {}
    }
    Ok(())
}
