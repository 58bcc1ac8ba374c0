//! The prefetcher of one SM, through C and in Rust.

#![no_main]

gpusched_fuzz::twins!(gpusched_tests::apogee::Apogees);
