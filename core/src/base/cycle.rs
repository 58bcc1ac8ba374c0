//! Time: SMX cycles, counted by the host.

/// A point in time, in SMX cycles since the machine was built.
///
/// Sums saturate at the largest value, so that no arithmetic on times can wrap (dtbl-S4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cycle(pub u64);

impl Cycle {
    /// The first cycle.
    pub const ZERO: Self = Self(0);
    /// The last representable cycle; it cannot be carried out.
    pub const MAX: Self = Self(u64::MAX);

    /// `self` plus `cycles`, at most [`Cycle::MAX`].
    #[must_use]
    pub const fn after(self, cycles: u64) -> Self {
        Self(self.0.saturating_add(cycles))
    }

    /// Cycles from `earlier` to `self`; 0 if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The first of these times. The last cycle of all is not carried out, so what falls due then never comes. Compilers compare what
/// is behind a `None`, too, if one asks for the minimum of those that are there, and memory checkers complain.
pub(crate) fn first_of<const N: usize>(times: [Option<Cycle>; N]) -> Option<Cycle> {
    let first = times.into_iter().fold(Cycle::MAX, |least, at| least.min(at.unwrap_or(Cycle::MAX)));
    (first < Cycle::MAX).then_some(first)
}
