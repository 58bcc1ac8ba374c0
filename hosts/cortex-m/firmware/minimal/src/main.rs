//! The smallest firmware: the prototype's front end, and a host in a page. It is linked with 32 KiB of flash and 32 KiB of RAM, and says
//! in the end how much of its stack it has used.
#![no_std]
#![no_main]

use gpusched::{Fault, Sched, TbPlacement};
use gpusched_board::{entry, exit, say, say_number, stack};
use gpusched_prototype::{Gpu, MACHINE, RESIDENT, TB_CYCLES, TBS, end, kernel, new};
use heapless::Deque;

#[inline(never)]
fn run(gpu: &mut Gpu) -> Result<u64, Fault> {
    gpu.host_launch(0, &kernel(), false)?;
    // They end in the order in which they started.
    let mut running = Deque::<(u64, TbPlacement), RESIDENT>::new();
    while !gpu.is_idle() {
        let now = gpu.now().0;
        while let Some((_, tb)) = running.pop_front_if(|(end, _)| *end <= now) {
            end(gpu, &tb, &mut ())?;
        }
        if let Sched::Tb(tb) = gpu.tick(&mut ())?.sched {
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
    let Ok(tbs) = run(&mut gpu) else { exit(3) };
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
    exit(i32::from(tbs != TBS || stack::high_water() >= stack::room()))
}
