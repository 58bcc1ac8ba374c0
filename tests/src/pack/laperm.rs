//! Vectors of LaPerm alone.

use anyhow::Result;
use gpusched::Fault;
use gpusched::laperm::{Config, LaPerm};
use gpusched_packed::Machine as Kind;

use super::tape::Recorded;
use crate::laperm::event::{Answer, Event};
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

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.take(event.packed(), |machine| machine.take(event))
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
