//! Closed forms: what a machine can attain at most, and what an algorithm asks of it.

// In the order of the header.
mod roofline;

mod work_depth;

mod memory;

mod balance;

mod ulist;

pub use balance::*;
pub use memory::*;
pub use roofline::*;
pub use ulist::*;
pub use work_depth::*;
