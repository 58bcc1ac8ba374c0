//! `header`: writes `include/gpusched.h` anew from the documentation of the crate `gpusched-abi`.

use anyhow::Result;
use gpusched_tests::header;

fn main() -> Result<()> {
    Ok(std::fs::write(header::path(), header::generate()?)?)
}
