//! Runs in which TBs take a time that is known when they are sent.

use gpusched::{Decision, State, TbPlacement};
use gpusched_tests::events::{Event, Value};

use crate::properties::configs::Machine;

/// The TBs that are sent until all is drained, and when: each of them ends so many cycles later. `before` does what the host does before a
/// cycle.
pub fn timed(
    gpu: &mut Machine,
    takes: impl Fn(&TbPlacement) -> u64,
    mut before: impl FnMut(&mut Machine),
) -> Vec<(u64, TbPlacement)> {
    let (mut all, mut ends) = (Vec::new(), Vec::new());
    while gpu.status() != State::Drained {
        let now = gpu.now().0;
        let (due, later) = ends.into_iter().partition(|(at, ..): &(u64, u32, u32)| *at <= now);
        ends = later;
        for (_, smx, slot) in due as Vec<_> {
            assert_eq!(Event::TbDone { smx, slot }.apply(gpu).value, Ok(Value::Done));
        }
        before(gpu);
        for (at, decision) in Event::Tick.apply(gpu).decisions {
            if let Decision::Tb(tb) = decision {
                ends.push((now + takes(&tb), tb.smx.into(), tb.slot.into()));
                all.push((at.0, tb));
            }
        }
    }
    all
}
