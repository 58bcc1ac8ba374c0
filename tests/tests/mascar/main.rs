//! Mascar, sheet `mascar`: which test holds which rule is listed in `tests/README.md`.

mod against_model;
mod script;
mod vectors;
