//! APOGEE, sheet `apogee`: which test holds which rule is listed in `tests/README.md`.

mod affine;
mod config;
mod exhaustive;
mod faults;
mod images;
mod random;
mod rules;
mod script;
mod timelines;
