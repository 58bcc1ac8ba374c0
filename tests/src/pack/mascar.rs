//! Vectors of Mascar.

use anyhow::Result;
use gpusched::Fault;
use gpusched::mascar::{Mascar, MascarConfig};
use gpusched_abi::config::Choice;
use gpusched_abi::mascar::verbs::{GPUSCHED_MASCAR_ALL, gpusched_mascar_request};
use gpusched_packed::{Bytes, Machine as Kind, Op};

use super::tape::{Recorded, UNKNOWN, packed};
use crate::mascar::{Answer, Event, HeapTables, Machine, View, machine};
use crate::replay::in_rust;
use crate::through_c::mascar::c_config;

/// The machine of a vector.
pub fn build(config: &MascarConfig) -> Result<Result<Recorded<Mascar<HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::Mascar, config, &c_config(config), in_rust(machine(config))?))
}

impl Machine for Recorded<Mascar<HeapTables>> {
    type Mark = Mascar<HeapTables>;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.take(write(event), |machine| machine.take(event))
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

fn write(event: &Event) -> (Op, Bytes) {
    match *event {
        Event::WarpStart { w } => packed!(MascarWarpStart, u32::from(w)),
        Event::WarpExit { w } => packed!(MascarWarpExit, u32::from(w)),
        Event::SetHead { w, kind, ready, dep_load } => {
            packed!(MascarSetHead, u32::from(w), kind.map_or(UNKNOWN, Choice::code), ready, dep_load)
        }
        Event::L1State { src, mshr, missq } => packed!(MascarL1State, src, mshr, missq),
        Event::Pick { now, lsu_accept, comp_accept } => {
            packed!(MascarPick, now, lsu_accept, comp_accept.unwrap_or(GPUSCHED_MASCAR_ALL))
        }
        Event::LsuBegin { w, nreq, dst } => packed!(MascarLsuBegin, u32::from(w), nreq, dst),
        Event::LsuNext => packed!(MascarLsuNext),
        Event::LsuReply { result, room, request } => {
            let of_c = request.map(gpusched_mascar_request::from).unwrap_or_default();
            packed!(MascarLsuReply, result.map_or(UNKNOWN, Choice::code), room, request.is_some(), of_c)
        }
    }
}
