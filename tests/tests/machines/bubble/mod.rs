//! The occupancy-bubble machine, sheet `bubble_dvfs`: which test holds which rule is listed in `tests/README.md`.

mod config;
mod exhaustive;
mod faults;
mod images;
mod outside;
mod random;
mod rules;
mod script;
