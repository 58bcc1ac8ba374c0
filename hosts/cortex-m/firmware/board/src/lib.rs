//! What the firmware needs of a board: a place to start, a way to end, a counter of instructions, and how deep its stack has been.
//!
//! Programs begin with `#[entry]`, call [`stack::paint`] first, talk to the host through semihosting, and end with [`exit`]. The board is
//! QEMU's mps2-an386 (a Cortex-M4F) or its virt machine (rv32imac); on a real one, memory maps (`build.rs`) and output change, and nothing
//! else.
#![no_std]

pub mod counter;
pub mod stack;

#[cfg(target_arch = "arm")]
pub use cortex_m_rt::entry;
#[cfg(target_arch = "riscv32")]
pub use riscv_rt::entry;
#[cfg(feature = "stdio")]
pub use semihosting::println;
use semihosting::sys::arm_compat::sys_writec;

/// The board's name, as QEMU has it.
pub const NAME: &str = if cfg!(target_arch = "arm") { "mps2-an386" } else { "virt" };

/// What an STM32F405 is clocked with: under QEMU, and on a board whose PLL was set so. After a reset it is 16 MHz.
pub const STM32F405_HZ: u32 = 168_000_000;

/// How fast the clock `mtime` of QEMU's virt machine counts.
pub const VIRT_MTIME_HZ: u32 = 10_000_000;

/// Where the virt machine's core-local interruptor is, which holds `mtime` and when the hart is to be interrupted.
pub const VIRT_CLINT: usize = 0x0200_0000;

/// Ends the program with this status, or with 1 if the debugger has no way to take it.
pub fn exit(status: i32) -> ! {
    semihosting::process::exit(status)
}

/// Writes text to the host without any formatting.
pub fn say(text: &str) {
    text.bytes().for_each(sys_writec);
}

/// Writes a number to the host without any formatting.
pub fn say_number(number: u32) {
    if number >= 10 {
        say_number(number / 10);
    }
    sys_writec(b'0' + (number % 10) as u8);
}

/// Programs without output end on a panic, too. The core has no path to one.
#[cfg(not(feature = "stdio"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(101)
}
