//! What each machine promises: its rules, faults, images, random runs against an independent model, exhaustive small states, and the
//! same through C. Which test holds which rule is listed in `tests/README.md`.
//!
//! One program holds all, for each program compiles the machines anew: `cargo test --test machines laperm::` runs one machine's.

mod apogee;
mod bounds;
mod bubble;
mod catalogue;
mod dats;
mod equalizer;
mod every;
mod exhaustive;
mod faults;
mod images;
mod laperm;
mod mascar;
mod models;
mod parts;
mod properties;
mod simt;
mod tlp;
mod told;
