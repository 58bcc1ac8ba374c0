//! Vectors of APOGEE.

use anyhow::Result;
use gpusched::apogee::{Apogee, ApogeeConfig};
use gpusched::{Cycle, Fault};
use gpusched_packed::Machine as Kind;

use super::tape::Recorded;
use crate::apogee::{Answer, Event, HeapTables, Machine, View, machine};
use crate::replay::in_rust;
use crate::through_c::apogee::c_config;

/// The machine of a vector.
pub fn build(config: &ApogeeConfig) -> Result<Result<Recorded<Apogee<HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::Apogee, config, &c_config(config), in_rust(machine(config))?))
}

impl Machine for Recorded<Apogee<HeapTables>> {
    type Mark = Apogee<HeapTables>;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.take(event.packed(), |machine| machine.take(event))
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
