//! Links the program with 32 KiB of flash and 32 KiB of RAM, and no more.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let maps = env::var("DEP_GPUSCHED_BOARD_MAPS").expect("the board tells where its maps are");
    println!("cargo::rustc-link-search={maps}/minimal");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
