//! Numbers of C, back in the core's terms.

use gpusched_abi::{GPUSCHED_NEVER, GPUSCHED_NONE};

/// What a number of an enumeration stands for.
pub fn one_of<V: Copy>(number: u32, values: &[(u32, V)]) -> V {
    let found = values.iter().find(|(n, _)| *n == number);
    found.unwrap_or_else(|| panic!("{number} is no value of its enumeration")).1
}

/// A flag.
pub fn flag(number: u32) -> bool {
    one_of(number, &[(0, false), (1, true)])
}

/// A number that fits its id, which every number that the library tells does.
pub fn narrow<N: TryFrom<u32>>(number: u32) -> N {
    N::try_from(number).unwrap_or_else(|_| panic!("{number} is no id"))
}

/// A row's number, if it names one.
pub fn number<N: TryFrom<u32>>(number: u32) -> Option<N> {
    (number != GPUSCHED_NONE).then(|| narrow(number))
}

/// A time, if it comes.
pub fn time(cycle: u64) -> Option<u64> {
    (cycle != GPUSCHED_NEVER).then_some(cycle)
}
