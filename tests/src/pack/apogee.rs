//! Vectors of APOGEE.

use anyhow::Result;
use gpusched::apogee::{Apogee, ApogeeConfig};
use gpusched::{Cycle, Fault};
use gpusched_abi::apogee::verbs::gpusched_apogee_lane;
use gpusched_packed::{Bytes, Machine as Kind, Op};

use super::tape::{Recorded, UNKNOWN, packed};
use crate::apogee::{Answer, Event, HeapTables, Load, Machine, View, machine};
use crate::replay::in_rust;
use crate::through_c::apogee::{c_config, c_verdict};

/// The machine of a vector.
pub fn build(config: &ApogeeConfig) -> Result<Result<Recorded<Apogee<HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::Apogee, config, &c_config(config), in_rust(machine(config))?))
}

impl Machine for Recorded<Apogee<HeapTables>> {
    type Mark = Apogee<HeapTables>;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.take(write(event), |machine| machine.take(event))
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn next_event(&self) -> Option<Cycle> {
        self.0.next_event()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

fn write(event: &Event) -> (Op, Bytes) {
    match event {
        Event::Load(Load { now, pc, warp, result, lanes, form: _ }) => {
            let verdict = result.map_or(UNKNOWN, c_verdict);
            let lane = |&(lane, address): &(u8, u64)| gpusched_apogee_lane { address, lane: lane.into(), reserved: 0 };
            let lanes: Vec<_> = lanes.iter().map(lane).collect();
            packed!(ApogeeLoad, now, pc, u32::from(*warp), verdict, lanes[..])
        }
        Event::PfPop { now } => packed!(ApogeePfPop, now),
        Event::PfReply { sent } => packed!(ApogeePfReply, sent),
        Event::PfFill { entry, generation, warp } => {
            packed!(ApogeePfFill, u32::from(*entry), generation, u32::from(*warp))
        }
        Event::SetThreads { n } => packed!(ApogeeSetThreads, n),
        Event::Flush => packed!(ApogeeFlush),
    }
}
