//! Links the program with 32 KiB of flash and 32 KiB of RAM, and no more; with the board's whole memory if features add something.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let is_smallest = !["LAPERM", "TOLD", "GRAPHS", "BUBBLE", "MODERN", "LAUNCH2", "LOG", "COUNT"].into_iter().any(has);
    let maps = env::var("DEP_GPUSCHED_BOARD_MAPS").expect("the board tells where its maps are");
    println!("cargo::rustc-link-search={maps}/{}", if is_smallest { "minimal" } else { "full" });
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    if has("LOG") {
        println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
    }
}
