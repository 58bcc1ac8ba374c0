//! What the tests ask of LaPerm, whichever language reaches it.

use gpusched::Fault;
use gpusched::laperm::{Config, LaPerm, Tables};

use super::event::{Answer, Event, Queries};
use super::view::View;
use crate::through_c::laperm::ThroughC;

/// A machine that takes events: the core's, or the C face of one.
pub trait Machine {
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Makes a call.
    ///
    /// # Errors
    /// The machine's fault.
    fn take(&mut self, event: &Event) -> Result<Answer, Fault>;
    /// Everything that can be seen.
    fn view(&self) -> View;
    /// The configuration that it was built with.
    fn config(&self) -> Config;
    /// The state.
    fn mark(&self) -> Self::Mark;
}

impl<T: Tables> Machine for LaPerm<T>
where
    Self: Clone + PartialEq,
{
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        event.apply(self)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn config(&self) -> Config {
        *self.config()
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

impl Machine for ThroughC {
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.take(event)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn config(&self) -> Config {
        Queries::config(self)
    }

    fn mark(&self) -> Self::Mark {
        (View::of(self), self.image())
    }
}
