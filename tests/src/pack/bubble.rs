//! Vectors of the occupancy-bubble controller alone.

use anyhow::Result;
use gpusched::power::{BubbleConfig, BubbleDvfs};
use gpusched::{Fault, SmxSet};
use gpusched_abi::smx::{gpusched_resources, gpusched_smx_set};
use gpusched_packed::{Bytes, Machine as Kind, Op};

use super::tape::{Recorded, packed};
use crate::bubble::{Answer, Event, HeapTables, Machine, View, machine};
use crate::replay::in_rust;
use crate::through_c::bubble::c_config;

/// The machine of a vector.
pub fn build(config: &BubbleConfig) -> Result<Result<Recorded<BubbleDvfs<HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::Bubble, config, &c_config(config), in_rust(machine(config))?))
}

impl Machine for Recorded<BubbleDvfs<HeapTables>> {
    type Mark = BubbleDvfs<HeapTables>;

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
    match event {
        Event::Dispatched { now, smx, res } => {
            packed!(BubbleDispatched, now, u32::from(*smx), gpusched_resources::from(*res))
        }
        Event::Completed { now, smx, res } => {
            packed!(BubbleCompleted, now, u32::from(*smx), gpusched_resources::from(*res))
        }
        Event::Sample { now, waiting, activity } => {
            let allowed = waiting.and_then(|waiting| waiting.allowed);
            let set = gpusched_smx_set::from(allowed.unwrap_or(SmxSet::EMPTY));
            let res = gpusched_resources::from(waiting.map_or_else(Default::default, |waiting| waiting.res));
            let values = activity.as_deref().unwrap_or_default();
            packed!(BubbleSample, now, waiting.is_some(), allowed.is_some(), set, res, activity.is_some(), values)
        }
        Event::Account { now, activity } => {
            packed!(BubbleAccount, now, activity.is_some(), activity.as_deref().unwrap_or_default())
        }
    }
}
