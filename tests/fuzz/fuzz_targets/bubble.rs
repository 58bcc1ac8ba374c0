//! The occupancy-bubble controller alone, through C and in Rust.

#![no_main]

gpusched_fuzz::twins!(gpusched_tests::bubble::Bubbles);
