//! The occupancy-bubble controller alone.

use arbitrary::Result;
use gpusched::power::{BubbleConfig, Waiting};
use gpusched::{Cycle, Resources, SmxId, SmxSet};
use gpusched_tests::bubble::invariants::check_state;
use gpusched_tests::bubble::{Bubbles, Event, Queries};
use gpusched_tests::machine::{Family, Machine};

use crate::bytes::{Bytes, number};
use crate::choose;
use crate::twins::Twins;

fn res(u: Bytes) -> Result<Resources> {
    Ok(Resources { threads: number(u)?, regs: number(u)?, smem: u.int_in_range(0..=2)?, slots: u.int_in_range(0..=2)? })
}

fn activity(smxs: u32, u: Bytes) -> Result<Option<Vec<u16>>> {
    let value = |u: Bytes| if u.ratio(1, 16)? { u.arbitrary() } else { u.int_in_range(0..=1000) };
    match u.int_in_range(0..=7u8)? {
        0..=3 => Ok(None),
        4 => Ok(Some(vec![0; u.int_in_range(0..=6)?])),
        _ => Ok(Some((0..smxs).map(|_| value(u)).collect::<Result<_>>()?)),
    }
}

fn waiting(u: Bytes) -> Result<Option<Waiting>> {
    let allowed = match u.int_in_range(0..=7u8)? {
        0..=2 => return Ok(None),
        3..=4 => None,
        5 => Some(SmxSet::from_words([u.arbitrary()?, 0, 0, u.arbitrary()?])),
        _ => Some(SmxSet::from_words([u.int_in_range(0..=31)?, 0, 0, 0])),
    };
    Ok(Some(Waiting { res: res(u)?, allowed }))
}

impl Twins for Bubbles {
    type Host = ();

    fn config(u: Bytes) -> Result<BubbleConfig> {
        choose::bubble(u)
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<Event> {
        let controller = core.controller();
        let smxs = controller.config().smxs;
        let now = match u.int_in_range(0..=31u8)? {
            0 => controller.now().0.saturating_sub(1),
            1 => controller.now().0.saturating_add(u64::from(number(u)?)),
            _ => controller.now().0,
        };
        let (now, smx) = (Cycle(now), SmxId(number(u)? as u16));
        Ok(match u.int_in_range(0..=15u8)? {
            0..=4 => Event::Dispatched { now, smx, res: res(u)? },
            5..=7 => Event::Completed { now, smx, res: res(u)? },
            8 => Event::Account { now, activity: activity(smxs, u)? },
            n => {
                let due = controller.next_sample().filter(|_| n > 9).unwrap_or(now);
                Event::Sample { now: due, waiting: waiting(u)?, activity: activity(smxs, u)? }
            }
        })
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) {
        check_state(&core.view(), false).unwrap_or_else(|wrong| panic!("{wrong}"));
        let controller = core.controller();
        assert_eq!((c.now(), c.next_sample()), (controller.now(), controller.next_sample()));
    }
}
