//! What holds of the occupancy-bubble controller as a part of the front end between two calls.

use super::{Sampler, SamplerTables};
use crate::base::cycle::Cycle;
use crate::base::invariant::{Violation, invariant};
use crate::launch::board::{Board, BoardTables};

impl<T: SamplerTables + BoardTables> Sampler<T> {
    /// What holds of the controller over this board.
    pub(crate) fn validate(&self, board: &Board<T>) -> Result<(), Violation> {
        let Self { controller, at, activity, is_active: _ } = self;
        controller.validate(&board.residency)?;
        let period = u64::from(controller.config().sample_cycles);
        // The sample of a cycle is before its end, and the controller was never ahead of the front end: it takes the next one.
        let is_next = board.now <= *at && at.since(board.now) <= period && controller.now() <= board.now;
        let is_its = *at == controller.next_sample().unwrap_or(Cycle(period));
        invariant("the next sample is at the end of the period (frontend-C1)", is_next && is_its)?;
        invariant("samples are counted (frontend-C1)", controller.stats().samples == board.stats.samples)?;
        let within = board.all_smxs().iter().all(|s| activity[s] <= 1000);
        invariant("activity is in thousandths (frontend-C1)", within)?;
        invariant("the controller's mask is gate E (frontend-C1)", *board.gates.eligible() == controller.eligible())
    }
}
