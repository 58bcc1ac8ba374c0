//! The reconvergence stack and the scoreboard.

use arbitrary::Result;
use gpusched::simt::scoreboard::{RegId, ScoreboardConfig, WarpId};
use gpusched::simt::stack::{Branch, FirstPath, StackConfig};
use gpusched_tests::simt::scoreboard::{self, Scoreboards};
use gpusched_tests::simt::stack::{self, Stacks};

use crate::bytes::{Bytes, number};
use crate::twins::Twins;

impl Twins for Stacks {
    type Host = ();

    fn config(u: Bytes) -> Result<StackConfig> {
        Ok(StackConfig {
            lanes: if u.ratio(1, 8)? { 64 } else { u.int_in_range(1..=5)? },
            depth: u.int_in_range(1..=9)?,
            first: *u.choose(&[FirstPath::Fall, FirstPath::Taken])?,
            compact: u.arbitrary()?,
        })
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<stack::Event> {
        let some = |u: Bytes| -> Result<u64> {
            let lanes: u64 = u.arbitrary()?;
            Ok(if u.ratio(1, 16)? { lanes } else { lanes & core.mask() })
        };
        let reconv = |u: Bytes| Ok::<_, arbitrary::Error>(if u.ratio(1, 8)? { None } else { Some(number(u)?) });
        Ok(match u.int_in_range(0..=15u8)? {
            0 => stack::Event::Init { pc: number(u)?, mask: u.arbitrary()? },
            1..=5 => stack::Event::Advance { pc: number(u)? },
            6..=13 => stack::Event::Branch {
                branch: Branch { taken: some(u)?, taken_pc: number(u)?, fall_pc: number(u)?, reconv: reconv(u)? },
            },
            _ => stack::Event::Exit { lanes: some(u)? },
        })
    }
}

impl Twins for Scoreboards {
    type Host = ();

    fn config(u: Bytes) -> Result<ScoreboardConfig> {
        Ok(ScoreboardConfig {
            warps: u.int_in_range(1..=3)?,
            regs: if u.ratio(1, 8)? { 256 } else { u.int_in_range(1..=6)? },
            entries: u.int_in_range(0..=3)?,
        })
    }

    fn event(_: &Self::Core, (): &mut (), u: Bytes) -> Result<scoreboard::Event> {
        let warp = |u: Bytes| Ok::<_, arbitrary::Error>(WarpId(number(u)?.min(u8::MAX.into()) as u8));
        let reg = |u: Bytes| Ok::<_, arbitrary::Error>(RegId(number(u)?.min(u16::MAX.into()) as u16));
        Ok(match u.int_in_range(0..=9u8)? {
            0..=5 => scoreboard::Event::Issue {
                warp: warp(u)?,
                sources: (0..u.int_in_range(0..=5)?).map(|_| reg(u)).collect::<Result<_>>()?,
                destination: if u.arbitrary()? { Some(reg(u)?) } else { None },
                memory: u.arbitrary()?,
            },
            6..=8 => scoreboard::Event::Writeback { warp: warp(u)?, reg: reg(u)? },
            _ => scoreboard::Event::Flush { warp: warp(u)? },
        })
    }
}
