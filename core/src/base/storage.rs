//! What the reports of storage share.

/// ceil(log2(values)): bits that tell `values` values apart.
pub(crate) const fn bits_for(values: u32) -> u64 {
    values.next_power_of_two().trailing_zeros() as u64
}
