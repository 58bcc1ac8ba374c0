//! `header`: writes the C headers anew from the documentation of the crate `gpusched-abi`.

use anyhow::Result;
use gpusched_tests::header;

fn main() -> Result<()> {
    for (file, text) in header::generate()? {
        std::fs::write(header::folder().join(file), text)?;
    }
    Ok(())
}
