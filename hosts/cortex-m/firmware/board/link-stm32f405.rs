//! The build script of the programs for an STM32F405: links them with its memory, and with defmt's sections.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=../board/link-stm32f405.rs");
    let maps = env::var("DEP_GPUSCHED_BOARD_MAPS").expect("the board tells where its maps are");
    println!("cargo::rustc-link-search={maps}/stm32f405");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
}
