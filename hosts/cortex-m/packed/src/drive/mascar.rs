//! Mascar.

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched::mascar::{Mascar, Request, Tables};
use gpusched_abi::mascar::verbs::*;

use super::{Driven, Refused, image, put};
use crate::{Bytes, Op, Reader, Record};

impl<T: Tables> Driven for Mascar<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::MascarWarpStart => self.warp_start(from.row()?)?.put(to),
            Op::MascarWarpExit => self.warp_exit(from.row()?)?.put(to),
            Op::MascarSetHead => {
                let (w, kind, ready, dep_load) = (from.row()?, from.choice()?, from.get()?, from.get()?);
                match kind {
                    Some(kind) => self.set_head(w, kind, ready, dep_load)?,
                    None => self.check_resident(w).and(Err(Fault::BadHead))?,
                }
            }
            Op::MascarL1State => {
                let src = from.get::<u32>()? as usize;
                put::<gpusched_mascar_saturation>(self.l1_state(src, from.get()?, from.get()?)?, to);
            }
            Op::MascarPick => {
                let (now, lsu_accept, comp_accept) = (from.get()?, from.get()?, from.get()?);
                let comp_accept = (comp_accept != GPUSCHED_MASCAR_ALL).then_some(comp_accept);
                put::<gpusched_mascar_decision>(&self.pick(now, lsu_accept, comp_accept)?, to);
            }
            Op::MascarLsuBegin => self.lsu_begin(from.row()?, from.get()?, from.get()?)?,
            Op::MascarLsuNext => put::<gpusched_mascar_next>(self.lsu_next()?, to),
            Op::MascarLsuReply => {
                let (result, room, is_given) = (from.choice()?, from.get()?, from.get::<bool>()?);
                let request: Request = from.get::<gpusched_mascar_request>()?.into();
                let request = is_given.then_some(&request);
                match result {
                    Some(result) => put::<gpusched_mascar_reply>(self.lsu_reply(result, room, request)?, to),
                    None => self.presented().ok_or(Fault::NoReplyPending).and(Err(Fault::BadReply))?,
                }
            }
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
