//! The built-in workload, with a defmt log of everything that the core decides: round robin with DTBL, LaPerm, a wavefront through the
//! dependency-graph buffer, and bursts under the occupancy-bubble controller.
//!
//! The log is binary and goes to the host through semihosting: `qemu-system-arm ... | decode workload`.
#![no_std]
#![no_main]

use defmt_semihosting as _;
use embedded_alloc::LlffHeap;
use gpusched::{Config, FrontEnd, InlineTables, Reserved};
use gpusched_board::{entry, exit, stack};
use gpusched_firmware::gpus;
use gpusched_firmware::toy::plan::{self, Plan, Wavefront};
use gpusched_firmware::toy::{self, Trouble};
use gpusched_prototype::log::Log;

/// The library's other programs allocate; this one does not, and its heap stays empty.
#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

/// Carries out a plan and logs how it ended.
#[inline(never)]
fn run<T: InlineTables>(config: &Config, memory: &mut Reserved<T>, plan: &Plan) -> Result<(), Trouble> {
    defmt::info!("{=str}: {=u32} SMXs", plan.name, config.n_smx);
    let Ok(mut gpu) = FrontEnd::with_tables(config, T::lend(memory)) else {
        defmt::error!("{=str}: the configuration is refused", plan.name);
        return Err(Trouble::Overrun);
    };
    let mut graph = Wavefront::build(gpus::WAVEFRONT_POLICY).map_err(|error| Trouble::Fault(error.fault()))?;
    toy::run(&mut gpu, plan, &mut graph, &mut Log, &mut ())?;
    if let Some(bubble) = gpu.bubble() {
        defmt::info!("{=str}: {}", plan.name, bubble.stats());
    }
    let stats = gpu.stats();
    defmt::info!("{=str}: {}", plan.name, stats);
    let mut image = [0; 4096];
    let state = gpu.save(&mut image).ok().and_then(|length| gpusched_packed::checksum(image.get(..length)?));
    // The C firmware's line is the same.
    defmt::info!(
        "end of {=str}: {=u64} cycles, {=u64} TBs, state {=u32:08x}",
        plan.name,
        stats.ticks,
        stats.tbs,
        state.unwrap_or(0)
    );
    Ok(())
}

fn all() -> Result<(), Trouble> {
    let memory = gpus::MEMORY.take();
    run::<gpus::Dtbl>(&gpus::DTBL, &mut memory.dtbl, &plan::DTBL)?;
    run::<gpus::LaPerm>(&gpus::LAPERM, &mut memory.laperm, &plan::LAPERM)?;
    run::<gpus::Dats>(&gpus::DATS, &mut memory.dats, &plan::DATS)?;
    run::<gpus::Bubble>(&gpus::BUBBLE, &mut memory.bubble, &plan::BUBBLE)
}

#[entry]
fn main() -> ! {
    stack::paint();
    let result = all();
    defmt::info!("stack: {=usize} bytes", stack::high_water());
    match result {
        Ok(()) => exit(0),
        Err(trouble) => {
            match trouble {
                Trouble::Fault(fault) => defmt::error!("refused: {}", fault),
                Trouble::Overrun => defmt::error!("more than there is room for"),
                Trouble::Endless => defmt::error!("no end"),
            }
            exit(1)
        }
    }
}
