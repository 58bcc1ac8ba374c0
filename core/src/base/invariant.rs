//! Invariants: what holds of a machine between any two calls, as its sheet says. Each machine says all of its own in one `validate`.
//!
//! Restoring an image ends with it, and so does every call in the property tests and under the fuzzers. A machine whose images are
//! not wanted never runs it, and the linker leaves it out.

use core::fmt;

/// An invariant that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Violation(
    /// What should hold, and by which rule.
    pub &'static str,
);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it does not hold that {}", self.0)
    }
}

impl core::error::Error for Violation {}

/// What every `validate` is made of: `holds`, or the invariant is violated.
#[inline]
pub(crate) fn invariant(what: &'static str, holds: bool) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation(what)) }
}
