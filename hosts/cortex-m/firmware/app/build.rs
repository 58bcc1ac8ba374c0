//! Links the programs with the board's whole memory, and the one that logs with defmt's sections.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let maps = env::var("DEP_GPUSCHED_BOARD_MAPS").expect("the board tells where its maps are");
    println!("cargo::rustc-link-search={maps}/full");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bin=workload=-Tdefmt.x");
}
