//! The front end under RTIC, as a scheduler whose SMXs interrupt: the line `EXTI0` says that TBs have ended. The interrupt and the task that
//! ticks share the front end; RTIC lets the one with the higher priority in, and nobody waits for a lock.
//!
//! SMXs are a task that knows when each TB ends and then raises the line. On a real board the line is a pin, and the ended TBs are read
//! from where the SMXs leave them.
#![no_std]
#![no_main]

use defmt_semihosting as _;

#[rtic::app(device = stm32f4::stm32f405, dispatchers = [SPI1, SPI2])]
mod app {
    use gpusched::{Sched, TbPlacement};
    use gpusched_board::{STM32F405_HZ, exit, stack};
    use gpusched_prototype::log::{Log, finish};
    use gpusched_prototype::{Gpu, RESIDENT, TB_CYCLES, end, launch, new};
    use heapless::Deque;
    use rtic_monotonics::systick::prelude::*;
    use static_cell::StaticCell;
    use stm32f4::stm32f405::Interrupt;

    systick_monotonic!(Mono, 10_000);

    /// Microseconds of a cycle of the front end: a tick of the clock.
    const CYCLE: u32 = 100;

    type Instant = <Mono as Timebase>::Instant;

    /// TBs that run, in the order in which they end, and those that have ended.
    #[derive(Default)]
    pub struct Smxs {
        running: Deque<(Instant, TbPlacement), RESIDENT>,
        ended: Deque<TbPlacement, RESIDENT>,
    }

    #[shared]
    struct Shared {
        gpu: &'static mut Gpu,
        smxs: Smxs,
    }

    #[local]
    struct Local {}

    #[init]
    fn init(context: init::Context) -> (Shared, Local) {
        static GPU: StaticCell<Gpu> = StaticCell::new();
        stack::paint();
        Mono::start(context.core.SYST, STM32F405_HZ);
        let Ok(gpu) = new() else { exit(2) };
        if scheduler::spawn().is_err() || smxs::spawn().is_err() {
            exit(3);
        }
        (Shared { gpu: GPU.init(gpu), smxs: Smxs::default() }, Local {})
    }

    /// The line of the SMXs. The room of what has ended can be used by the next tick.
    #[task(binds = EXTI0, priority = 3, shared = [gpu, smxs])]
    fn ended(context: ended::Context) {
        (context.shared.gpu, context.shared.smxs).lock(|gpu, smxs| {
            while let Some(tb) = smxs.ended.pop_front() {
                end(gpu, &tb, &mut Log).unwrap_or_else(|fault| finish("rtic", Err(fault)));
            }
        });
    }

    /// A tick per cycle.
    #[task(priority = 2, shared = [gpu, smxs])]
    async fn scheduler(mut context: scheduler::Context) {
        context.shared.gpu.lock(|gpu| launch(gpu)).unwrap_or_else(|fault| finish("rtic", Err(fault)));
        let mut next = Mono::now();
        loop {
            next += CYCLE.micros();
            Mono::delay_until(next).await;
            let end_at = next + (TB_CYCLES as u32 * CYCLE).micros();
            (&mut context.shared.gpu, &mut context.shared.smxs).lock(|gpu, smxs| {
                match gpu.tick(&mut Log) {
                    Ok(tick) => {
                        if let Sched::Tb(tb) = tick.sched {
                            // There is a place for every TB that has a slot.
                            let _ = smxs.running.push_back((end_at, tb));
                        }
                    }
                    Err(fault) => finish("rtic", Err(fault)),
                }
                if gpu.is_idle() {
                    finish("rtic", Ok(gpu));
                }
            });
        }
    }

    /// The SMXs: what is over raises the line.
    #[task(priority = 1, shared = [smxs])]
    async fn smxs(mut context: smxs::Context) {
        loop {
            Mono::delay(CYCLE.micros()).await;
            let now = Mono::now();
            let any = context.shared.smxs.lock(|smxs| {
                while let Some((_, tb)) = smxs.running.pop_front_if(|(end, _)| *end <= now) {
                    // As many as run have room.
                    let _ = smxs.ended.push_back(tb);
                }
                !smxs.ended.is_empty()
            });
            if any {
                rtic::pend(Interrupt::EXTI0);
            }
        }
    }
}
