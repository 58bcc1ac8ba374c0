//! The occupancy-bubble controller alone.

use alloc::vec::Vec;

use gpusched::Cycle;
use gpusched::power::{BubbleDvfs, Tables, Waiting};
use gpusched_abi::bubble::verbs::{gpusched_bubble_record, gpusched_bubble_resident};
use gpusched_abi::smx::gpusched_resources;

use super::{Driven, Refused, graph, image, put};
use crate::{Bytes, Damaged, Op, Reader};

fn activity(from: &mut Reader<'_>) -> Result<Option<Vec<u16>>, Damaged> {
    let (is_given, values) = (from.get::<bool>()?, from.get()?);
    Ok(is_given.then_some(values))
}

impl<T: Tables> Driven for BubbleDvfs<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        let now = Cycle(from.get()?);
        match op {
            Op::BubbleDispatched => {
                let (smx, res) = (from.row()?, from.get::<gpusched_resources>()?);
                put::<gpusched_bubble_resident>(self.dispatched(now, smx, &res.into())?, to);
            }
            Op::BubbleCompleted => {
                let (smx, res) = (from.row()?, from.get::<gpusched_resources>()?);
                put::<gpusched_bubble_resident>(self.completed(now, smx, &res.into())?, to);
            }
            Op::BubbleSample => {
                let (waits, bound) = (from.get::<bool>()?, from.get::<bool>()?);
                let (allowed, res) = (graph::set(from)?, from.get::<gpusched_resources>()?.into());
                let waiting = waits.then_some(Waiting { res, allowed: bound.then_some(allowed) });
                let activity = activity(from)?;
                put::<gpusched_bubble_record>(&self.sample(now, waiting.as_ref(), activity.as_deref())?, to);
            }
            Op::BubbleAccount => self.account(now, activity(from)?.as_deref())?,
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
