//! The occupancy-bubble machine, sheet `bubble_dvfs`: which test holds which rule is listed in `tests/README.md`.

mod against_model;
mod config;
mod exhaustive;
mod faults;
mod images;
mod outside;
mod rules;
mod script;
mod through_c;
mod vectors;
