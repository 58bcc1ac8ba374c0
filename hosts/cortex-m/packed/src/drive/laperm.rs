//! LaPerm alone.

use alloc::vec::Vec;

use gpusched::laperm::{LaPerm, Tables};
use gpusched::{Cycle, KernelSlot};
use gpusched_abi::laperm::query::gpusched_laperm_head;
use gpusched_abi::laperm::verbs::{gpusched_laperm_moved, gpusched_laperm_placed, gpusched_laperm_sent};
use gpusched_abi::smx::gpusched_resources;

use super::{Driven, Refused, image, put};
use crate::{Bytes, Op, Reader, Record};

impl<T: Tables> Driven for LaPerm<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        let now = Cycle(from.get()?);
        match op {
            Op::LapPushHost => {
                let (tag, tbs, res) = (from.get()?, from.get()?, from.get::<gpusched_resources>()?);
                put::<gpusched_laperm_placed>(self.push_host(now, tag, tbs, res.into())?, to);
            }
            Op::LapPushChild => {
                let (tag, tbs, res) = (from.get()?, from.get()?, from.get::<gpusched_resources>()?);
                let (smx, prio) = (from.row()?, from.narrow()?);
                put::<gpusched_laperm_placed>(self.push_child(now, tag, tbs, res.into(), smx, prio)?, to);
            }
            Op::LapTick => put::<gpusched_laperm_sent>(self.tick(now)?, to),
            Op::LapTbDone => {
                let (smx, res, kde) = (from.row()?, from.get::<gpusched_resources>()?, from.get::<u32>()?);
                // What no entry can be called is none.
                let kde = u8::try_from(kde).ok().map(KernelSlot);
                u32::from(self.tb_done(now, smx, res.into(), kde)?).put(to);
            }
            Op::LapKmuTick => put::<gpusched_laperm_moved>(self.kmu_tick(now)?, to),
            Op::LapRefilled => self.refilled(now, from.get()?)?,
            Op::LapSetMask => self.set_mask(now, from.row()?, from.get()?)?,
            Op::LapWaitingHead => put::<gpusched_laperm_head>(self.waiting_head(now, from.row()?)?, to),
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
