//! TLP modulation through C: what fits an SM and how it is shared, the machine of one SM, the pool of kernels, and what the source
//! compares with. All have one configuration.

// In the order of the header.
pub mod config;

pub mod records;

pub mod fit;

pub mod sm;

pub mod pool;

pub mod leftover;

pub mod smart_even;

pub mod smc;
