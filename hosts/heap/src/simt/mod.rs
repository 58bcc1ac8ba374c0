//! The reconvergence stack of a warp, and the scoreboard of an SM.

pub mod scoreboard;
pub mod stack;
