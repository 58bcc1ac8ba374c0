//! Vectors of Mascar.

use anyhow::Result;
use gpusched::Fault;
use gpusched::mascar::{Mascar, MascarConfig};
use gpusched_packed::Machine as Kind;

use super::tape::Recorded;
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
        self.take(event.packed(), |machine| machine.take(event))
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}
