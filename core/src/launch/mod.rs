//! From the launch call to the kernel distributor.
pub mod descriptor;
