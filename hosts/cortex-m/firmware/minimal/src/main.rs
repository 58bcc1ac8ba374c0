//! The smallest firmware: a front end of 8 SMXs with DTBL and 64 AGEs, and a host in a page. It is linked with 32 KiB of flash and
//! 32 KiB of RAM, and says in the end how much of its stack it has used. Its home leaves out LaPerm, the occupancy-bubble controller
//! and dependency graphs, so none of their code is linked.
//!
//! The kernel's TBs run for 100 cycles each; each launches a group of two more before it ends.
#![no_std]
#![no_main]

use gpusched::{
    Config, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, InlineTables, NoParts, Reserved, Sched, SliceTables,
    TbPlacement, inline_tables,
};
use gpusched_board::{entry, exit, say, say_number, stack};
use heapless::Deque;
use static_cell::ConstStaticCell;

const CONFIG: Config = Config {
    n_smx: 8,
    tb_slots: 8,
    n_hwq: 4,
    n_kde: 8,
    hwq_depth: 2,
    pend_limit: 32,
    susp_cap: 0,
    agt_size: 64,
    n_class: 0,
    ..Config::K20C
};

inline_tables! {
    /// Its tables.
    struct Home = CONFIG;
}
/// They lie in static memory, so that no copy of them ever lies on the stack.
static TABLES: ConstStaticCell<Reserved<Home>> = ConstStaticCell::new(Home::RESERVED);

/// TBs of the kernel.
const TBS: u32 = 32;
/// TBs that each of them launches.
const CHILDREN: u32 = 2;
/// Cycles that a TB takes.
const TB_CYCLES: u64 = 100;
/// TBs that run at once.
const RESIDENT: usize = (CONFIG.n_smx * CONFIG.tb_slots) as usize;

#[inline(never)]
fn run(gpu: &mut FrontEnd<SliceTables<'static, NoParts>>) -> Result<u64, Fault> {
    let kernel = Descriptor { pc: 0x400, grid: Dim3::linear(TBS), tb: Dim3::linear(64), ..Descriptor::default() };
    gpu.host_launch(0, &kernel, false)?;
    // They end in the order in which they started.
    let mut running = Deque::<(u64, TbPlacement), RESIDENT>::new();
    while !gpu.is_idle() {
        let now = gpu.now().0;
        while let Some((_, tb)) = running.pop_front_if(|(end, _)| *end <= now) {
            // A group that found no kernel to join comes as a kernel of its own; it launches nothing.
            if tb.tag == kernel.tag {
                let descriptor = Descriptor { grid: Dim3::linear(CHILDREN), tag: 1 + u64::from(tb.blkid), ..kernel };
                let hw_tid = u32::from(tb.slot) * 64;
                gpu.agg_launch(tb.smx, tb.slot, &[GroupLaunch { kernel: descriptor, hw_tid }])?;
            }
            gpu.tb_done(tb.smx, tb.slot, &mut ())?;
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
    let Ok(mut gpu) = FrontEnd::with_tables(&CONFIG, Home::lend(TABLES.take())) else { exit(2) };
    let Ok(tbs) = run(&mut gpu) else { exit(3) };
    let cycles = gpu.now().0 as u32;
    for (what, number) in [
        ("minimal: TBs ", tbs as u32),
        (", cycles ", cycles),
        (", machine ", (size_of_val(&gpu) + size_of::<Reserved<Home>>()) as u32),
        (", stack ", stack::high_water() as u32),
        (" of ", stack::room() as u32),
    ] {
        say(what);
        say_number(number);
    }
    say("\n");
    exit(i32::from(tbs != u64::from(TBS * (1 + CHILDREN)) || stack::high_water() >= stack::room()))
}
