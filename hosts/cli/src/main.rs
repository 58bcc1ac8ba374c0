//! The gpusched command line.
fn main() {}
