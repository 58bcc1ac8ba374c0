//! Mascar, sheet `mascar`: which test holds which rule is listed in `tests/README.md`.

mod config;
mod exhaustive;
mod faults;
mod figures;
mod images;
mod progress;
mod random;
mod rules;
mod script;
