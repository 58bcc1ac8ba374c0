//! Names the shared library after its binary interface: libgpusched.so.N, where N is the header's `GPUSCHED_ABI_VERSION`.

use std::env;
use std::fs;

const HEADER: &str = "include/gpusched_base.h";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={HEADER}");
    let header = fs::read_to_string(HEADER).expect("the header is part of the repository");
    let version = header.lines().find_map(|line| line.strip_prefix("#define GPUSCHED_ABI_VERSION "));
    let version = version.expect("the header names the version of the binary interface");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libgpusched.so.{version}");
    }
}
