//! LaPerm alone.

use alloc::vec::Vec;

use gpusched::laperm::{Config, LaPerm, Resources, image_config};
use gpusched::{Cycle, Fault, ImageError, KernelSlot, SliceTables, SmxId, UnitId};
use gpusched_abi::laperm::query::gpusched_laperm_head;
use gpusched_abi::laperm::verbs::{gpusched_laperm_moved, gpusched_laperm_placed, gpusched_laperm_sent};
use gpusched_packed::{Damaged, Op, Reader, Record};

use super::arena::Arena;
use super::{Records, Replayed, Stop, graph, machine};

pub(super) type Machine<'a> = LaPerm<SliceTables<'a>>;

fn needs(from: &mut Reader<'_>) -> Result<Resources, Damaged> {
    Ok(Resources { threads: from.get()?, regs: from.get()?, smem: from.get()?, slots: from.get()? })
}

fn smx(from: &mut Reader<'_>) -> Result<SmxId, Damaged> {
    graph::narrow(from).map(SmxId)
}

impl<'a> Replayed<'a> for Machine<'a> {
    machine!(LaPerm of Config, image_config, gpusched::laperm);

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Records) -> Result<Result<(), Fault>, Stop> {
        let now = Cycle(from.get()?);
        let placed = |placed| gpusched_laperm_placed::from(placed);
        Ok(match op {
            Op::LapPushHost => {
                let (tag, tbs) = (from.get()?, from.get()?);
                self.push_host(now, tag, tbs, needs(from)?).map(|place| placed(place).put(to))
            }
            Op::LapPushChild => {
                let (tag, tbs, res) = (from.get()?, from.get()?, needs(from)?);
                let (smx, prio) = (smx(from)?, graph::narrow(from)?);
                self.push_child(now, tag, tbs, res, smx, prio).map(|place| placed(place).put(to))
            }
            Op::LapTick => self.tick(now).map(|tick| gpusched_laperm_sent::from(tick).put(to)),
            Op::LapTbDone => {
                let (smx, res, kde) = (smx(from)?, needs(from)?, from.get::<u32>()?);
                // What no entry can be called is none.
                let kde = u8::try_from(kde).ok().map(KernelSlot);
                self.tb_done(now, smx, res, kde).map(|freed| u32::from(freed).put(to))
            }
            Op::LapKmuTick => self.kmu_tick(now).map(|tick| gpusched_laperm_moved::from(tick).put(to)),
            Op::LapSetMask => self.set_mask(now, smx(from)?, from.get()?),
            Op::LapWaitingHead => {
                let start = graph::narrow(from).map(UnitId)?;
                self.waiting_head(now, start).map(|head| gpusched_laperm_head::from(head).put(to))
            }
            _ => return Err(Stop::Damaged),
        })
    }
}
