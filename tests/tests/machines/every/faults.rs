//! Refused calls.

use std::collections::BTreeSet;

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

/// Asserts that these are the faults of a sheet, each with its number where they are told.
pub fn assert_faults(faults: impl IntoIterator<Item = Fault>, sheet: &str, numbers: &[u32]) {
    let faults = faults.into_iter().collect::<Vec<_>>();
    let names = faults.iter().map(|fault| fault.name()).collect::<BTreeSet<_>>();
    assert_eq!(names, sheet.split_whitespace().collect());
    let codes = faults.iter().map(|fault| fault.code()).collect::<BTreeSet<_>>();
    assert!(numbers.is_empty() || codes == numbers.iter().copied().collect(), "{codes:?}");
}
