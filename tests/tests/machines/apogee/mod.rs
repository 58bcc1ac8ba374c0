//! APOGEE, sheet `apogee`: which test holds which rule is listed in `tests/README.md`.

mod affine;
mod against_model;
mod config;
mod exhaustive;
mod faults;
mod images;
mod rules;
mod script;
mod through_c;
mod timelines;
mod vectors;
