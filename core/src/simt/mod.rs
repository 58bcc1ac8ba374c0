//! Small mechanisms of SIMT execution (sheet [`models`](crate::sheets::models); 1.4 of its source), for simulators and RTL
//! benches that drive them instruction by instruction.
//!
//! - [`stack`]: the reconvergence stack of a warp: which lanes run where after a branch.
//! - [`coalesce`]: memory transactions of a warp's access.
//! - [`scoreboard`]: which registers of which warp wait for a result.
//!
//! All are machines of integers. Stack and scoreboard have a state that an image (feature `image`) saves; the coalescer has none.

pub mod coalesce;
pub mod scoreboard;
pub mod stack;
