//! The units of TLP modulation, through C and in Rust.

#![no_main]

gpusched_fuzz::twins!(gpusched_tests::tlp::Units);
