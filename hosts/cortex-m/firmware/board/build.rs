//! Puts the boards' memory maps where the linker finds them: `full/memory.x` for programs that may use all of QEMU's board,
//! `minimal/memory.x` with the limits that the smallest one keeps, and `framework/memory.x` with 1 MB of flash and 128 KB of RAM.

use std::env;
use std::fs;
use std::path::PathBuf;

/// A board: where flash and RAM are, KiB of flash that the smallest program gets, and what the linker script wants beside.
struct Map {
    flash: u32,
    ram: u32,
    minimal_flash: u32,
    regions: &'static [(&'static str, &'static str)],
}

/// QEMU's mps2-an386: 4 MB of ZBT SRAM for code at 0, and 4 MB for data.
const MPS2_AN386: Map = Map { flash: 0, ram: 0x2000_0000, minimal_flash: 32, regions: &[] };
/// QEMU's virt: all is RAM. Code of rv32imac takes more room than Thumb-2.
const RISCV_VIRT: Map = Map {
    flash: 0x8000_0000,
    ram: 0x8080_0000,
    minimal_flash: 40,
    regions: &[
        ("TEXT", "FLASH"),
        ("RODATA", "FLASH"),
        ("DATA", "RAM"),
        ("BSS", "RAM"),
        ("HEAP", "RAM"),
        ("STACK", "RAM"),
    ],
};

/// An STM32F405, which QEMU's netduinoplus2 has: on Arm the frameworks run on that. Its flash and its RAM in one piece are what the
/// frameworks' programs get.
const STM32F405: Map = Map { flash: 0x0800_0000, ram: 0x2000_0000, minimal_flash: 32, regions: &[] };

impl Map {
    /// The map as a linker script, with so many KiB of flash and RAM.
    fn script(&self, flash_kib: u32, ram_kib: u32) -> String {
        let Self { flash, ram, regions, .. } = self;
        let alias = |(region, memory): &(&str, &str)| format!("REGION_ALIAS(\"REGION_{region}\", {memory});\n");
        format!(
            "MEMORY\n{{\n  FLASH (rx) : ORIGIN = {flash:#x}, LENGTH = {flash_kib}K\n  \
             RAM (rwx) : ORIGIN = {ram:#x}, LENGTH = {ram_kib}K\n}}\n{}",
            regions.iter().map(alias).collect::<String>()
        )
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo tells where"));
    let is_riscv = env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("riscv32");
    let (map, framework) = if is_riscv { (RISCV_VIRT, RISCV_VIRT) } else { (MPS2_AN386, STM32F405) };
    for (name, script) in [
        ("full", map.script(4096, 4096)),
        ("minimal", map.script(map.minimal_flash, 32)),
        ("framework", framework.script(1024, 128)),
    ] {
        let folder = out.join(name);
        fs::create_dir_all(&folder).expect("the folder is ours");
        fs::write(folder.join("memory.x"), script).expect("the folder is ours");
    }
    println!("cargo::metadata=maps={}", out.display());
}
