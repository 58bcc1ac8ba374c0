//! The smallest firmware: the prototype's front end, and a host in a page. It is linked with 32 KiB of flash and 32 KiB of RAM, and says
//! in the end how much of its stack it has used.
#![no_std]
#![no_main]

mod count;

use count::Count;
#[cfg(feature = "log")]
use defmt_semihosting as _;
use gpusched::{Fault, Sched, TbPlacement};
use gpusched_board::{entry, exit, say, say_number, stack};
#[cfg(feature = "log")]
use gpusched_prototype::log::Log;
use gpusched_prototype::parts::answer;
use gpusched_prototype::{Gpu, MACHINE, RESIDENT, TB_CYCLES, TBS, end, launch, new};
use heapless::Deque;

/// Nobody is told what is decided.
#[cfg(not(feature = "log"))]
struct Log;
#[cfg(not(feature = "log"))]
impl gpusched::Probe for Log {}

#[inline(never)]
fn run(gpu: &mut Gpu, count: &mut Count) -> Result<u64, Fault> {
    let log = &mut Log;
    launch(gpu)?;
    // They end in the order in which they started.
    let mut running = Deque::<(u64, TbPlacement), RESIDENT>::new();
    while !gpu.is_idle() {
        let now = gpu.now().0;
        while let Some((_, tb)) = running.pop_front_if(|(end, _)| *end <= now) {
            count.end(|| end(gpu, &tb, log))?;
        }
        answer(gpu, log)?;
        if let Sched::Tb(tb) = count.tick(|| gpu.tick(log))?.sched {
            // There is a place for every TB that fits the SMXs.
            let _ = running.push_back((now + TB_CYCLES, tb));
        }
    }
    Ok(gpu.stats().tbs)
}

#[entry]
fn main() -> ! {
    stack::paint();
    let Ok(mut gpu) = new() else { exit(2) };
    let mut count = Count::start();
    let Ok(tbs) = run(&mut gpu, &mut count) else { exit(3) };
    let cycles = gpu.now().0 as u32;
    for (what, number) in [
        ("minimal: TBs ", tbs as u32),
        (", cycles ", cycles),
        (", machine ", MACHINE as u32),
        (", stack ", stack::high_water() as u32),
        (" of ", stack::room() as u32),
    ] {
        say(what);
        say_number(number);
    }
    say("\n");
    count.report();
    exit(i32::from(tbs != TBS || stack::high_water() >= stack::room()))
}
