//! Vectors of the occupancy-bubble controller alone.

use anyhow::Result;
use gpusched::Fault;
use gpusched::power::{BubbleConfig, BubbleDvfs};
use gpusched_packed::Machine as Kind;

use super::tape::Recorded;
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
        self.take(event.packed(), |machine| machine.take(event))
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}
