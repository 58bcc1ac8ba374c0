//! Refused calls.

use gpusched::Fault;
use gpusched_tests::machine::{Answered as _, Machine};

/// Asserts that each machine refuses its event with this fault, and is as it was.
pub fn assert_refused<M: Machine + Clone + PartialEq>(refusals: impl IntoIterator<Item = (M, Fault, M::Event)>) {
    for (machine, fault, event) in refusals {
        let mut after = machine.clone();
        let answered = after.take(&event);
        assert_eq!(answered.refusal(), Some(fault), "{event:?}: {answered:?}");
        assert!(after == machine, "{event:?}");
    }
}
