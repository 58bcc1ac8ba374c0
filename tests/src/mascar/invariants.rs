//! The sheet's invariants of one event; those of a state are the machine's own (`Mascar::validate`).

use gpusched::Fault;
use gpusched::mascar::{Head, Kind, Lookup, MascarConfig, Mode, Pipe, Presented};

use super::{Answer, Event, LsuState, View, warps};

/// What holds of an event, between two states: mascar-I1, mascar-I3 to I6; and that requests want the next cycle.
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
    let works = after.lsu.state != LsuState::Idle || !after.rexq.is_empty();
    let next = after.picked.map_or(0, |picked| picked.0 + 1);
    if works && after.next_event.is_none_or(|at| at.0 != next) {
        return fail("requests want the next cycle");
    }
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
