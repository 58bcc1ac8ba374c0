//! What the fuzz targets share: configurations and calls out of a fuzzer's bytes, a front end through C beside one in Rust, and
//! calls that no C program should make.

pub mod abuse;
pub mod bytes;
pub mod pair;
