//! Embassy's time: a timer of the core interrupts ten thousand times a second, and wakes whoever waits for that moment. Which timer that
//! is depends on the core. A chip's own timers, which `embassy-stm32` brings, interrupt only when somebody waits.

#[cfg_attr(target_arch = "arm", path = "time/systick.rs")]
#[cfg_attr(target_arch = "riscv32", path = "time/mtime.rs")]
mod timer;

use core::cell::{Cell, RefCell};
use core::task::Waker;
use critical_section::Mutex;
use embassy_time_driver::{Driver, time_driver_impl};
use embassy_time_queue_utils::Queue;

pub use timer::start;

struct Ticks {
    now: Mutex<Cell<u64>>,
    queue: Mutex<RefCell<Queue>>,
}

time_driver_impl!(static TIME: Ticks = Ticks {
    now: Mutex::new(Cell::new(0)),
    queue: Mutex::new(RefCell::new(Queue::new())),
});

impl Driver for Ticks {
    fn now(&self) -> u64 {
        critical_section::with(|section| self.now.borrow(section).get())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        // The next interrupt looks at everybody, so no alarm is set.
        critical_section::with(|section| self.queue.borrow_ref_mut(section).schedule_wake(at, waker));
    }
}

/// A tick has passed.
fn tick() {
    critical_section::with(|section| {
        let now = TIME.now.borrow(section).get() + 1;
        TIME.now.borrow(section).set(now);
        TIME.queue.borrow_ref_mut(section).next_expiration(now);
    });
}
