//! `compare HAND THROUGH_C`: the operations of the schedulers by gpusched and written by hand in C++, side by side, as a page in Markdown.
//! HAND and THROUGH_C are the programs of `benches/comparator`; `scripts/compare-speed.sh` builds all three and runs this.
//!
//! `compare serve` serves gpusched's rows in Rust, as those programs serve theirs (`benches/comparator/serve.hpp`).

mod page;
mod row;
mod serve;
mod side;

use std::env::args;
use std::path::Path;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<_> = args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve::serve(),
        [hand, through_c] => page::print(Path::new(hand), Path::new(through_c)),
        _ => bail!("usage: compare HAND THROUGH_C, or compare serve"),
    }
}
