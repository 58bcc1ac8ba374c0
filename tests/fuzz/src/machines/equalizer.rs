//! Equalizer's two machines.

use arbitrary::Result;
use gpusched::Cycle;
use gpusched::equalizer::{Counts, FmConfig, Objective, SmConfig, Warp};
use gpusched_tests::equalizer::{FmEvent, FmQueries as _, Fms, SmEvent, SmQueries as _, Sms, slot, smx};
use gpusched_tests::machine::Family;

use crate::bytes::{Bytes, number};
use crate::choose;
use crate::twins::Twins;

/// Now, and now and then before it or later.
fn time(u: Bytes, now: Cycle) -> Result<Cycle> {
    Ok(Cycle(match u.int_in_range(0..=31u8)? {
        0 => now.0.saturating_sub(1),
        1 => u.arbitrary()?,
        2..=9 => now.0.saturating_add(u.int_in_range(0..=4)?),
        _ => now.0,
    }))
}

fn counts(u: Bytes, warps: u32) -> Result<Counts> {
    if u.ratio(1, 16)? {
        return Ok(Counts { active: number(u)?, waiting: number(u)?, xalu: number(u)?, xmem: number(u)? });
    }
    let active = u.int_in_range(0..=warps)?;
    let waiting = u.int_in_range(0..=active)?;
    let xalu = u.int_in_range(0..=active - waiting)?;
    Ok(Counts { active, waiting, xalu, xmem: u.int_in_range(0..=active - waiting - xalu)? })
}

impl Twins for Sms {
    type Host = ();

    fn config(u: Bytes) -> Result<SmConfig> {
        choose::equalizer_sm(u)
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<SmEvent> {
        let now = time(u, core.now())?;
        Ok(match u.int_in_range(0..=19u8)? {
            0..=2 => {
                let (w_cta, limit, keep) = (number(u)?, number(u)?, u.arbitrary()?);
                SmEvent::KernelStart { now, w_cta, limit, keep }
            }
            3..=6 => SmEvent::Grant { now, block: u.int_in_range(0..=40)? },
            7 => SmEvent::Deny { now },
            8 => SmEvent::Refill { now },
            9..=10 => SmEvent::BlockEnd { now, slot: slot(number(u)?) },
            11 => SmEvent::SetObjective {
                now,
                objective: *u.choose(&[Some(Objective::Energy), Some(Objective::Performance), None])?,
            },
            12 => SmEvent::Resync { now },
            13 => {
                let [resident, paused, issued, valid, sync, ready, mem, accept] = u.arbitrary()?;
                SmEvent::Classify { warp: Warp { resident, paused, issued, valid, sync, ready, mem, accept } }
            }
            14 => {
                let sums = Counts { active: number(u)?, waiting: number(u)?, xalu: number(u)?, xmem: number(u)? };
                SmEvent::Decide { sums, samples: number(u)?, w_cta: number(u)? }
            }
            n => {
                let now = if n == 15 { now } else { core.next_sample() };
                SmEvent::Sample { now, counts: counts(u, core.config().max_warps)? }
            }
        })
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) {
        assert_eq!(c.now(), core.now());
    }
}

impl Twins for Fms {
    type Host = ();

    fn config(u: Bytes) -> Result<FmConfig> {
        choose::equalizer_fm(u)
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<FmEvent> {
        let (now, sm) = (time(u, core.now())?, smx(number(u)?));
        Ok(match u.int_in_range(0..=15u8)? {
            0..=10 => {
                let wrong = u.ratio(1, 16)?;
                let vote = |u: Bytes| if wrong { u.arbitrary() } else { u.int_in_range(-1..=1) };
                FmEvent::Vote { now, sm, sm_vote: vote(u)?, mem_vote: vote(u)? }
            }
            11..=12 => FmEvent::Close { now },
            13 => FmEvent::Levels { now },
            14 => FmEvent::Reset { now },
            _ => FmEvent::Enable { now, sm, on: u.arbitrary()? },
        })
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) {
        assert_eq!((c.now(), c.next_event()), (core.now(), core.next_event()));
    }
}
