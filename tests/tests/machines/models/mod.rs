//! The analytical models, sheet `models`: which test holds which rule is listed in `tests/README.md`.

mod closed_faults;
mod exec;
mod monte;
mod theory;
mod wfg;
