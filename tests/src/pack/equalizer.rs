//! Vectors of Equalizer: an SM, and the frequency manager.

use anyhow::Result;
use gpusched::Fault;
use gpusched::equalizer::{Fm, FmState, Sm};
use gpusched_packed::Machine as Kind;
use serde_json::Value;

use super::tape::Recorded;
use crate::equalizer::{FmAnswer, FmEvent, Machine, SmAnswer, SmEvent, SmView};
use crate::replay::{Outcome, equalizer::replay_on};
use crate::through_c::{equalizer_fm, equalizer_sm};

/// Replays a vector on machines that write down what they are asked and answer.
pub fn replay(vector: &Value) -> Result<Outcome> {
    replay_on(
        vector,
        |of| Recorded::new(Kind::EqualizerSm, of, &equalizer_sm::c_config(of), Sm::new(of).map_err(Fault::from)),
        |of| Recorded::new(Kind::EqualizerFm, of, &equalizer_fm::c_config(of), Fm::new(of).map_err(Fault::from)),
    )
}

impl Machine for Recorded<Sm> {
    type Event = SmEvent;
    type Answer = SmAnswer;
    type View = SmView;
    type Mark = Sm;

    fn take(&mut self, event: &SmEvent) -> Result<SmAnswer, Fault> {
        self.take(event.packed(), |sm| sm.take(event))
    }

    fn view(&self) -> SmView {
        self.0.view()
    }

    fn mark(&self) -> Sm {
        self.0.mark()
    }
}

impl Machine for Recorded<Fm> {
    type Event = FmEvent;
    type Answer = FmAnswer;
    type View = FmState;
    type Mark = Fm;

    fn take(&mut self, event: &FmEvent) -> Result<FmAnswer, Fault> {
        self.take(event.packed(), |fm| fm.take(event))
    }

    fn view(&self) -> FmState {
        self.0.view()
    }

    fn mark(&self) -> Fm {
        self.0.mark()
    }
}
