//! LaPerm alone.

use arbitrary::Result;
use gpusched::laperm::Config;
use gpusched::{Cycle, KernelSlot, Resources, SmxId, UnitId};
use gpusched_tests::laperm::LaPerms;
use gpusched_tests::laperm::event::{Event, Queries};
use gpusched_tests::machine::Family;

use crate::bytes::{Bytes, number};
use crate::choose;
use crate::twins::Twins;

fn need(u: Bytes) -> Result<Resources> {
    Ok(Resources { threads: number(u)?, regs: number(u)?, smem: number(u)?, slots: u.int_in_range(0..=2)? })
}

fn smx(u: Bytes) -> Result<SmxId> {
    Ok(SmxId(number(u)? as u16))
}

impl Twins for LaPerms {
    type Host = ();

    fn config(u: Bytes) -> Result<Config> {
        choose::laperm(u)
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<Event> {
        let now = core.now().0;
        let now = Cycle(match u.int_in_range(0..=31u8)? {
            0 => now.saturating_sub(1),
            1 => now.saturating_add(u64::from(number(u)?)),
            _ => now.saturating_add(u.int_in_range(0..=2)?),
        });
        let (tag, tbs) = (u.int_in_range(0..=9)?, u.int_in_range(0..=3)?);
        Ok(match u.int_in_range(0..=17u8)? {
            0..=1 => Event::PushHost { now, tag, tbs, res: need(u)? },
            2..=6 => {
                let (res, parent_smx, parent_prio) = (need(u)?, smx(u)?, u.int_in_range(0..=6)?);
                Event::PushChild { now, tag, tbs, res, parent_smx, parent_prio }
            }
            7..=10 => Event::Tick { now },
            11..=12 => {
                let (smx, res, kde) = (smx(u)?, need(u)?, u.arbitrary::<Option<u8>>()?.map(KernelSlot));
                Event::TbDone { now, smx, res, kde }
            }
            13 => Event::KmuTick { now },
            14..=15 => Event::Refilled { now, tag },
            16 => Event::SetMask { now, smx: smx(u)?, masked: u.arbitrary()? },
            _ => Event::WaitingHead { now, start: UnitId(number(u)? as u16) },
        })
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) {
        assert_eq!((c.next_event(), c.is_idle()), (core.next_event(), core.is_idle()));
    }
}
