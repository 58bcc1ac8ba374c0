//! Vectors of LaPerm alone.

use anyhow::Result;
use gpusched::Fault;
use gpusched::laperm::{Config, LaPerm, Resources};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::smx::gpusched_resources;
use gpusched_packed::{Bytes, Machine as Kind, Op};

use super::tape::{Recorded, packed};
use crate::laperm::event::{Call, Event, Value};
use crate::laperm::heap::{self, HeapTables};
use crate::laperm::machine::Machine;
use crate::laperm::view::View;
use crate::replay::in_rust;
use crate::through_c::laperm::c_config;

/// The machine of a vector.
pub fn build(config: &Config) -> Result<Result<Recorded<LaPerm<HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::LaPerm, config, &c_config(config), in_rust(heap::machine(config))?))
}

impl Machine for Recorded<LaPerm<HeapTables>> {
    type Mark = LaPerm<HeapTables>;

    fn take(&mut self, event: &Event) -> Result<Value, Fault> {
        self.take(write(event), |machine| machine.take(event))
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn config(&self) -> Config {
        *self.0.config()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

fn write(event: &Event) -> (Op, Bytes) {
    let now = event.now;
    let needs = |res: Resources| gpusched_resources::from(res);
    match event.call {
        Call::PushHost(tag, tbs, res) => packed!(LapPushHost, now, tag, tbs, needs(res)),
        Call::PushChild(tag, tbs, res, smx, prio) => {
            packed!(LapPushChild, now, tag, tbs, needs(res), u32::from(smx), u32::from(prio))
        }
        Call::Tick => packed!(LapTick, now),
        Call::TbDone(smx, res, kde) => {
            packed!(LapTbDone, now, u32::from(smx), needs(res), kde.map_or(GPUSCHED_NONE, u32::from))
        }
        Call::KmuTick => packed!(LapKmuTick, now),
        Call::Refilled(tag) => packed!(LapRefilled, now, tag),
        Call::SetMask(smx, masked) => packed!(LapSetMask, now, u32::from(smx), masked),
        Call::WaitingHead(start) => packed!(LapWaitingHead, now, u32::from(start)),
    }
}
