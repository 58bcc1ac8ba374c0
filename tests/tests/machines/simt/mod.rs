//! The reconvergence stack, the coalescer and the scoreboard, sheet `models` S, C, B: which test holds which rule is listed in
//! `tests/README.md`.

mod coalesce;
mod config;
mod faults;
mod programs;
mod random;
mod rules;
