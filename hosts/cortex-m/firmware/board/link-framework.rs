//! The build script of the programs under a framework: links them with the memory of their board, and with defmt's sections.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=../board/link-framework.rs");
    let maps = env::var("DEP_GPUSCHED_BOARD_MAPS").expect("the board tells where its maps are");
    println!("cargo::rustc-link-search={maps}/framework");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
}
