//! TLP modulation, sheet `tlp`: which test holds which rule is listed in `tests/README.md`.

mod against_model;
mod attached;
mod config;
mod exhaustive;
mod faults;
mod images;
mod rules;
mod through_c;
mod vectors;
