//! The front end under Embassy, as a scheduler that serves SMXs: each SMX is a task, TBs come to it through a channel, and their ends go
//! back through another one. One task owns the front end; it alone calls it, once per cycle, so that nothing has to be locked.
//!
//! A cycle is one tick of Embassy's clock here. On a real board a timer of its own would set it, or the SMXs' clock.
#![no_std]
#![no_main]

mod time;

use defmt_semihosting as _;
use embassy_executor::Spawner;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_time::{Duration, Instant, Ticker, Timer};
use gpusched::{Fault, Sched, TbPlacement};
use gpusched_board::{exit, stack};
use gpusched_prototype::log::{Log, finish};
use gpusched_prototype::{Gpu, RESIDENT, SMXS, TB_CYCLES, TB_SLOTS, end, launch, new};
use heapless::Deque;
use static_cell::StaticCell;

/// TBs on their way to or from SMXs.
type Tbs<const N: usize> = Channel<CriticalSectionRawMutex, TbPlacement, N>;

/// To each SMX, which has a slot for whatever is sent.
static STARTED: [Tbs<TB_SLOTS>; SMXS] = [const { Channel::new() }; SMXS];
/// From all SMXs.
static ENDED: Tbs<RESIDENT> = Channel::new();

/// A cycle of the front end.
const CYCLE: Duration = Duration::from_ticks(1);

/// An SMX: its TBs run side by side, each for as long as any other one.
#[embassy_executor::task(pool_size = SMXS)]
async fn smx(started: &'static Tbs<TB_SLOTS>) {
    let mut running = Deque::<(Instant, TbPlacement), TB_SLOTS>::new();
    loop {
        let ends = running.front().map_or(Instant::MAX, |(end, _)| *end);
        match select(started.receive(), Timer::at(ends)).await {
            Either::First(tb) => {
                // There is a place for every TB that has a slot.
                let _ = running.push_back((Instant::now() + CYCLE * TB_CYCLES as u32, tb));
            }
            Either::Second(()) => {
                if let Some((_, tb)) = running.pop_front() {
                    ENDED.send(tb).await;
                }
            }
        }
    }
}

/// Runs the kernel to its end.
async fn schedule(gpu: &mut Gpu) -> Result<(), Fault> {
    launch(gpu)?;
    let mut cycle = Ticker::every(CYCLE);
    while !gpu.is_idle() {
        cycle.next().await;
        // All that ends between two ticks belongs to one cycle.
        while let Ok(tb) = ENDED.try_receive() {
            end(gpu, &tb, &mut Log)?;
        }
        if let Sched::Tb(tb) = gpu.tick(&mut Log)?.sched {
            STARTED[usize::from(tb.smx.0)].send(tb).await;
        }
    }
    Ok(())
}

/// The front end lies in static memory, as its tables do.
#[embassy_executor::task]
async fn scheduler(gpu: &'static mut Gpu) {
    let outcome = schedule(gpu).await;
    finish("embassy", outcome.map(|()| &*gpu));
}

#[embassy_executor::main(entry = "gpusched_board::entry")]
async fn main(spawner: Spawner) {
    static GPU: StaticCell<Gpu> = StaticCell::new();
    stack::paint();
    let Ok(gpu) = new() else { exit(2) };
    time::start();
    // There is room for as many tasks as there are SMXs, and for one scheduler.
    for started in &STARTED {
        let Ok(smx) = smx(started) else { exit(3) };
        spawner.spawn(smx);
    }
    let Ok(scheduler) = scheduler(GPU.init(gpu)) else { exit(3) };
    spawner.spawn(scheduler);
}
