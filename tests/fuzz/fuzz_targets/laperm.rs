//! LaPerm alone, through C and in Rust.

#![no_main]

gpusched_fuzz::twins!(gpusched_tests::laperm::LaPerms);
