//! Embassy's time on any Cortex-M: SysTick interrupts ten thousand times a second, and wakes whoever waits for that moment. A chip's own
//! timers, which `embassy-stm32` brings, interrupt only when somebody waits.

use core::cell::{Cell, RefCell};
use core::task::Waker;
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;
use critical_section::Mutex;
use embassy_time_driver::{Driver, TICK_HZ, time_driver_impl};
use embassy_time_queue_utils::Queue;
use gpusched_board::STM32F405_HZ;

struct SysTickTime {
    now: Mutex<Cell<u64>>,
    queue: Mutex<RefCell<Queue>>,
}

time_driver_impl!(static TIME: SysTickTime = SysTickTime {
    now: Mutex::new(Cell::new(0)),
    queue: Mutex::new(RefCell::new(Queue::new())),
});

impl Driver for SysTickTime {
    fn now(&self) -> u64 {
        critical_section::with(|section| self.now.borrow(section).get())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        // The next interrupt looks at everybody, so no alarm is set.
        critical_section::with(|section| self.queue.borrow_ref_mut(section).schedule_wake(at, waker));
    }
}

/// Starts it.
pub fn start(mut timer: SYST) {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(STM32F405_HZ / TICK_HZ as u32 - 1);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
}

#[exception]
fn SysTick() {
    critical_section::with(|section| {
        let now = TIME.now.borrow(section).get() + 1;
        TIME.now.borrow(section).set(now);
        TIME.queue.borrow_ref_mut(section).next_expiration(now);
    });
}
