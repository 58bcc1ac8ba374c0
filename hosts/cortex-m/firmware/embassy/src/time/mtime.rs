//! The machine timer of a RISC-V hart: it interrupts from when `mtime` has reached `mtimecmp`. Both lie in the core-local interruptor.

use core::ptr;

use embassy_time_driver::TICK_HZ;
use gpusched_board::{VIRT_CLINT, VIRT_MTIME_HZ};
use riscv::interrupt::Interrupt;
use riscv::register::mie;
use riscv_rt::core_interrupt;

/// Counts of `mtime` from one interrupt to the next.
const STEP: u64 = VIRT_MTIME_HZ as u64 / TICK_HZ;

/// The lower and the upper half of what hart 0 waits for, and of the count.
const MTIMECMP: [usize; 2] = [VIRT_CLINT + 0x4000, VIRT_CLINT + 0x4004];
const MTIME: [usize; 2] = [VIRT_CLINT + 0xbff8, VIRT_CLINT + 0xbffc];

fn read([low, high]: [usize; 2]) -> u64 {
    let half = |at: usize| -> u64 {
        // SAFETY: a register of the interruptor, which reading does not change.
        unsafe { ptr::with_exposed_provenance::<u32>(at).read_volatile() }.into()
    };
    (half(high) << 32) | half(low)
}

/// The next interrupt comes at this count.
fn set(at: u64) {
    let [low, high] = MTIMECMP;
    // The upper half is as late as can be until both are there, so that no moment in between has passed already.
    for (half, value) in [(high, u32::MAX), (low, at as u32), (high, (at >> 32) as u32)] {
        // SAFETY: a register of the interruptor, which nobody else writes.
        unsafe { ptr::with_exposed_provenance_mut::<u32>(half).write_volatile(value) };
    }
}

/// Starts it.
pub fn start() {
    set(read(MTIME) + STEP);
    // SAFETY: whoever is interrupted holds no lock but critical sections, which no interrupt enters.
    unsafe {
        mie::set_mtimer();
        riscv::interrupt::enable();
    }
}

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    // Counted from the last one, so that a late one makes the next no later.
    set(read(MTIMECMP) + STEP);
    super::tick();
}
