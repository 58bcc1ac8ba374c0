//! Dependency graphs, their admission and the dependency-graph buffer, sheet `dats`: which test holds which rule is listed in
//! `tests/README.md`.

mod config;
mod exhaustive;
mod faults;
mod images;
mod random;
mod rules;
mod script;
