//! Mascar, sheet `mascar`: which test holds which rule is listed in `tests/README.md`.

mod against_model;
mod config;
mod exhaustive;
mod faults;
mod figures;
mod images;
mod progress;
mod rules;
mod script;
mod through_c;
mod vectors;
