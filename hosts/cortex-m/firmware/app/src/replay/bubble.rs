//! The occupancy-bubble controller alone.

use alloc::vec::Vec;

use gpusched::power::{BubbleConfig, BubbleDvfs, Resources, Waiting, bubble_image_config};
use gpusched::{Cycle, Fault, ImageError, SliceTables, SmxId};
use gpusched_abi::bubble::verbs::{gpusched_bubble_record, gpusched_bubble_resident};
use gpusched_packed::{Damaged, Op, Reader, Record};

use super::arena::Arena;
use super::{Records, Replayed, Stop, graph, machine};

pub(super) type Machine<'a> = BubbleDvfs<SliceTables<'a>>;

fn needs(from: &mut Reader<'_>) -> Result<Resources, Damaged> {
    Ok(Resources { threads: from.get()?, regs: from.get()?, smem: from.get()?, slots: from.get()? })
}

fn activity(from: &mut Reader<'_>) -> Result<Option<Vec<u16>>, Damaged> {
    let (is_given, values) = (from.get::<bool>()?, from.list(Reader::get)?);
    Ok(is_given.then_some(values))
}

impl<'a> Replayed<'a> for Machine<'a> {
    machine!(BubbleDvfs of BubbleConfig, bubble_image_config, gpusched::power);

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Records) -> Result<Result<(), Fault>, Stop> {
        let now = Cycle(from.get()?);
        Ok(match op {
            Op::BubbleDispatched => {
                let (smx, res) = (SmxId(graph::narrow(from)?), needs(from)?);
                self.dispatched(now, smx, &res).map(|resident| gpusched_bubble_resident::from(resident).put(to))
            }
            Op::BubbleCompleted => {
                let (smx, res) = (SmxId(graph::narrow(from)?), needs(from)?);
                self.completed(now, smx, &res).map(|resident| gpusched_bubble_resident::from(resident).put(to))
            }
            Op::BubbleSample => {
                let (waits, bound) = (from.get::<bool>()?, from.get::<bool>()?);
                let (allowed, res) = (graph::set(from)?, needs(from)?);
                let waiting = waits.then_some(Waiting { res, allowed: bound.then_some(allowed) });
                let activity = activity(from)?;
                let sample = self.sample(now, waiting.as_ref(), activity.as_deref());
                sample.map(|sample| gpusched_bubble_record::from(&sample).put(to))
            }
            Op::BubbleAccount => self.account(now, activity(from)?.as_deref()),
            _ => return Err(Stop::Damaged),
        })
    }
}
