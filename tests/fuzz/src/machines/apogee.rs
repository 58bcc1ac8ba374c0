//! The prefetcher of one SM.

use arbitrary::Result;
use gpusched::Cycle;
use gpusched::apogee::{ApogeeConfig, Early, LalScope, LaneSet, Merge, RowId, SlowRule, Verdict, WarpId};
use gpusched_tests::apogee::{Apogees, Event, Form, Load};

use crate::bytes::{Bytes, number};
use crate::twins::Twins;

/// Threads: a sequence under a mask, or anything.
fn lanes(config: &ApogeeConfig, u: Bytes) -> Result<Vec<(u8, u64)>> {
    if u.ratio(1, 8)? {
        let lane = |u: Bytes| Ok((u.int_in_range(0..=config.warp_size as u8)?, u64::from(number(u)?)));
        return (0..u.int_in_range(0..=9)?).map(|_| lane(u)).collect();
    }
    let mask: u64 = if u.arbitrary()? { u64::MAX } else { u.arbitrary()? };
    let (base, step): (u64, i64) = (u.int_in_range(0..=1 << config.addr_bits)?, u.int_in_range(-40..=40)?);
    let active = (0..config.warp_size as u8).filter(|lane| mask >> lane & 1 == 1);
    Ok(active.map(|lane| (lane, base.wrapping_add_signed(step * i64::from(lane)))).collect())
}

fn now(now: u64, u: Bytes) -> Result<Cycle> {
    Ok(Cycle(match u.int_in_range(0..=31u8)? {
        0 => now.wrapping_sub(1),
        1 => now.wrapping_add(u64::from(number(u)?)),
        2 => u.arbitrary()?,
        n => now.saturating_add((n % 4).into()),
    }))
}

impl Twins for Apogees {
    type Host = ();

    fn config(u: Bytes) -> Result<ApogeeConfig> {
        Ok(ApogeeConfig {
            entries: u.int_in_range(1..=6)?,
            warps: if u.ratio(1, 8)? { 64 } else { u.int_in_range(1..=3)? },
            warp_size: u.int_in_range(2..=9)?,
            threads: u.int_in_range(1..=40)?,
            pc_bits: u.int_in_range(2..=8)?,
            addr_bits: u.int_in_range(8..=16)?,
            offset_bits: u.int_in_range(2..=8)?,
            conf_bits: u.int_in_range(3..=8)?,
            dist_bits: u.int_in_range(1..=4)?,
            line_bytes: 1 << u.int_in_range(0..=7)?,
            pfq: u.int_in_range(1..=9)?,
            issue_latency: u.int_in_range(0..=3)?,
            min_conf: u.int_in_range(0..=7)?,
            lanes: *u.choose(&[LaneSet::All, LaneSet::Active])?,
            lal: *u.choose(&[LalScope::Warp, LalScope::Sm])?,
            early: *u.choose(&[Early::Pattern, Early::Literal])?,
            slow_rule: *u.choose(&[SlowRule::Any, SlowRule::Miss])?,
            merge: *u.choose(&[Merge::Queue, Merge::Group])?,
            gap_fill: u.arbitrary()?,
            ..ApogeeConfig::APOGEE_4
        })
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<Event> {
        let config = core.config();
        Ok(match u.int_in_range(0..=15u8)? {
            0..=6 => Event::Load(Load {
                now: now(core.now().0, u)?,
                pc: if u.ratio(1, 32)? { u.arbitrary()? } else { u.int_in_range(0..=3)? },
                warp: WarpId(u.int_in_range(0..=config.warps as u16)?),
                result: *u.choose(&[Some(Verdict::Hit), Some(Verdict::Pending), Some(Verdict::Absent), None])?,
                lanes: lanes(config, u)?,
                form: *u.choose(&Form::ALL)?,
            }),
            7..=9 => Event::PfPop { now: now(core.now().0, u)? },
            10..=12 => Event::PfReply { sent: u.arbitrary()? },
            13 => Event::PfFill {
                entry: RowId(u.int_in_range(0..=config.entries as u16)?),
                generation: u.int_in_range(0..=5)?,
                warp: WarpId(u.int_in_range(0..=config.warps as u16)?),
            },
            14 => Event::SetThreads { n: number(u)? },
            _ => Event::Flush,
        })
    }
}
