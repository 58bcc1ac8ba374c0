//! Equalizer, sheet `equalizer`: which test holds which rule is listed in `tests/README.md`.

mod against_model;
mod attached;
mod config;
mod exhaustive;
mod faults;
mod images;
mod rules;
mod script;
mod through_c;
mod vectors;
