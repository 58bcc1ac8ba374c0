//! Counting instructions, the same number in every run.
//!
//! QEMU with `-icount shift=N,sleep=off` lets 2^N ns of its time pass per instruction. On the Cortex-M4 of mps2-an386 it has no cycle counter (the
//! DWT's stands still), so SysTick is read, which counts that time at 25 MHz; on RISC-V `minstret` counts instructions themselves. Either
//! way a known stretch of `nop`s says how many counts one instruction is, so the shift need not be known. On real hardware the same
//! code counts cycles, in units of a `nop`.

use core::arch::asm;

/// Instructions of the known stretch.
const KNOWN: u64 = 1024;

/// A counter that has been compared with a known number of instructions.
pub struct Counter {
    /// Counts of [`KNOWN`] instructions.
    unit: u64,
    /// Counts of reading it twice.
    overhead: u64,
}

impl Counter {
    /// Starts the counter and measures it.
    #[must_use]
    pub fn start() -> Self {
        source::start();
        let mut counter = Self { unit: KNOWN, overhead: 0 };
        (_, counter.overhead) = counter.counts(|| {});
        (_, counter.unit) = counter.counts(nops);
        counter
    }

    /// What `f` returns, and how many instructions it took.
    pub fn measure<R>(&self, f: impl FnOnce() -> R) -> (R, u32) {
        let (result, counts) = self.counts(f);
        (result, ((counts * KNOWN + self.unit / 2) / self.unit.max(1)) as u32)
    }

    #[inline(never)]
    fn counts<R>(&self, f: impl FnOnce() -> R) -> (R, u64) {
        let before = source::read();
        let result = f();
        let after = source::read();
        (result, source::passed(before, after).saturating_sub(self.overhead))
    }
}

/// A known number of instructions.
#[inline(always)]
fn nops() {
    // SAFETY: does nothing.
    unsafe { asm!(".rept 1024", "nop", ".endr", options(nomem, nostack, preserves_flags)) };
}

/// SysTick: 24 bits, downwards, at the clock of the core.
#[cfg(target_arch = "arm")]
mod source {
    use cortex_m::Peripherals;
    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;

    const WRAP: u32 = 1 << 24;

    pub fn start() {
        let Some(peripherals) = Peripherals::take() else { return };
        let mut timer = peripherals.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(WRAP - 1);
        timer.clear_current();
        timer.enable_counter();
    }

    #[inline(always)]
    pub fn read() -> u32 {
        SYST::get_current()
    }

    pub fn passed(before: u32, after: u32) -> u64 {
        (before.wrapping_sub(after) % WRAP).into()
    }
}

/// The instructions that retired.
#[cfg(target_arch = "riscv32")]
mod source {
    use riscv::register::minstret;

    pub fn start() {}

    #[inline(always)]
    pub fn read() -> u32 {
        minstret::read() as u32
    }

    pub fn passed(before: u32, after: u32) -> u64 {
        after.wrapping_sub(before).into()
    }
}
