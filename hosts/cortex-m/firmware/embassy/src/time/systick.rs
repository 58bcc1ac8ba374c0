//! SysTick, the timer of any Cortex-M.

use cortex_m::Peripherals;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;
use embassy_time_driver::TICK_HZ;
use gpusched_board::{STM32F405_HZ, exit};
use stm32f4 as _; // The chip's interrupt vectors.

/// Starts it.
pub fn start() {
    let Some(Peripherals { SYST: mut timer, .. }) = Peripherals::take() else { exit(2) };
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(STM32F405_HZ / TICK_HZ as u32 - 1);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
}

#[exception]
fn SysTick() {
    super::tick();
}
