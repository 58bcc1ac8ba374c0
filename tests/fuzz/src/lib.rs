//! What the fuzz targets share: configurations and calls out of a fuzzer's bytes, machines through C beside those in Rust, and calls
//! that no C program should make.

pub mod abuse;
pub mod bytes;
pub mod choose;
pub mod graphs;
pub mod machines;
pub mod pair;
pub mod twins;
