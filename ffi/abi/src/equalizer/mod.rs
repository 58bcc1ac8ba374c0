//! Equalizer through C: the machine of one SM, which tunes its block count and votes, and the frequency manager of the chip.

// In the order of the header.
pub mod records;

pub mod sm;

pub mod fm;
