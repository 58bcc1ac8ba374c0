//! What the tests ask of a machine, whichever language reaches it.

use gpusched::{Config, FrontEnd, Tables};

use crate::events::{Answer, Event};
use crate::view::View;

/// A front end that takes events: the core's, or the C face of one.
pub trait Machine {
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Makes a call.
    fn take(&mut self, event: &Event) -> Answer;
    /// Everything that can be seen.
    fn view(&self) -> View;
    /// The configuration that it was built with.
    fn config(&self) -> Config;
    /// The state.
    fn mark(&self) -> Self::Mark;
}

impl<T: Tables> Machine for FrontEnd<T>
where
    Self: Clone + PartialEq,
{
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Answer {
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
