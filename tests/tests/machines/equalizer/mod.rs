//! Equalizer, sheet `equalizer`: which test holds which rule is listed in `tests/README.md`.

mod attached;
mod config;
mod exhaustive;
mod faults;
mod images;
mod random;
mod rules;
mod script;
