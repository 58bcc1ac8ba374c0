//! `gpusched-gen [--check] [MACHINE...]`: writes, or compares, everything about C that is derived.

use std::process::ExitCode;

use anyhow::Result;
use gpusched_gen::House;

fn main() -> Result<ExitCode> {
    let (flags, machines): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let house = House::own();
    let mut stale = house.stale(&machines)?;
    if flags != ["--check"] {
        house.write(&stale)?;
        house.write(&house.old(house.headers()?))?;
        return Ok(ExitCode::SUCCESS);
    }
    stale.extend(house.old(house.headers()?));
    for (path, _) in &stale {
        println!("{path} is not what the core and the description say; renew it with: cargo run -p gpusched-gen");
    }
    Ok(if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
