//! What SIMT execution does per instruction, through C: the reconvergence stack of a warp, the coalescer, the scoreboard of an SM.

// In the order of the header.

pub mod coalescer;
