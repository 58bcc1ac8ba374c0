//! What the core takes on this target: memory per machine, and instructions per call in the built-in workload.
//!
//! Instructions are counted as `gpusched_board::counter` says: the same in every run under QEMU.
#![no_std]
#![no_main]

use embedded_alloc::LlffHeap;
use gpusched::dats::{Dgb, DgbConfig};
use gpusched::laperm::LaPerm;
use gpusched::power::{BubbleConfig, BubbleDvfs};
use gpusched::{
    Config, FrontEnd, InlineTables, Reserved, inline_bubble_tables, inline_dgb_tables, inline_tables, laperm,
};
use gpusched_board::counter::Counter;
use gpusched_board::{NAME, entry, exit, println, stack};
use gpusched_firmware::gpus;
use gpusched_firmware::toy::plan::{self, Plan, Wavefront};
use gpusched_firmware::toy::{self, Call, Meter, Trouble};

/// The library's other programs allocate; this one does not, and its heap stays empty.
#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

/// LaPerm of [`gpus::LAPERM`] alone.
const LAPERM_ALONE: laperm::Config = match gpus::LAPERM.laperm() {
    Some(part) => part.machine(&gpus::LAPERM),
    None => laperm::Config::K20C,
};
/// The buffer of [`gpus::DATS`] alone.
const DGB_ALONE: DgbConfig = match gpus::DATS.dats {
    Some(part) => part.machine(&gpus::DATS),
    None => DgbConfig::GTX480,
};
/// The controller of [`gpus::BUBBLE`] alone.
const BUBBLE_ALONE: BubbleConfig = match gpus::BUBBLE.bubble {
    Some(part) => part.machine(&gpus::BUBBLE),
    None => BubbleConfig::K20C,
};
inline_tables! {
    /// Room for it.
    struct LaPermAlone: laperm = LAPERM_ALONE;
}
inline_dgb_tables! {
    /// Room for it.
    struct DgbAlone = DGB_ALONE;
}
inline_bubble_tables! {
    /// Room for it.
    struct BubbleAlone = BUBBLE_ALONE;
}

/// Calls of one kind.
#[derive(Clone, Copy)]
struct Row {
    calls: u32,
    sum: u64,
    least: u32,
    most: u32,
}

/// What calls of each kind cost.
struct Instructions<'a> {
    counter: &'a Counter,
    rows: [Row; KINDS.len()],
}

/// The kinds and what they are called.
const KINDS: [(Call, &str); 8] = [
    (Call::HostLaunch, "launch by the host"),
    (Call::AggLaunch, "agg_launch, 1 to 3 groups"),
    (Call::Completion, "completion"),
    (Call::GraphMemory, "graph memory, asked or answered"),
    (Call::TickTb, "tick that sends a TB"),
    (Call::TickJoin, "tick with joins"),
    (Call::TickSample, "tick with a sample"),
    (Call::Tick, "tick, nothing sent"),
];

impl<'a> Instructions<'a> {
    fn new(counter: &'a Counter) -> Self {
        Self { counter, rows: [Row { calls: 0, sum: 0, least: u32::MAX, most: 0 }; KINDS.len()] }
    }

    fn print(&self, machine: &str) {
        for ((_, name), row) in KINDS.iter().zip(&self.rows) {
            let Some(mean) = row.sum.checked_div(row.calls.into()) else { continue };
            println!("{machine:20}  {name:32}  {:6}  {:6}  {mean:6}  {:6}", row.calls, row.least, row.most);
        }
    }
}

impl Meter for Instructions<'_> {
    fn call<R>(&mut self, call: impl FnOnce() -> (R, Call)) -> R {
        let ((result, kind), instructions) = self.counter.measure(call);
        if let Some((_, row)) = KINDS.iter().zip(&mut self.rows).find(|((known, _), _)| *known == kind) {
            row.calls += 1;
            row.sum += u64::from(instructions);
            row.least = row.least.min(instructions);
            row.most = row.most.max(instructions);
        }
        result
    }
}

#[inline(never)]
fn run<T: InlineTables>(
    config: &Config,
    memory: &mut Reserved<T>,
    plan: &Plan,
    counter: &Counter,
) -> Result<(), Trouble> {
    let Ok(mut gpu) = FrontEnd::with_tables(config, T::lend(memory)) else { return Err(Trouble::Overrun) };
    let mut graph = Wavefront::build(gpus::WAVEFRONT_POLICY).map_err(|error| Trouble::Fault(error.fault()))?;
    let mut instructions = Instructions::new(counter);
    toy::run(&mut gpu, plan, &mut graph, &mut (), &mut instructions)?;
    instructions.print(plan.name);
    Ok(())
}

fn all(counter: &Counter) -> Result<(), Trouble> {
    println!("{:20}  {:32}  {:>6}  {:>6}  {:>6}  {:>6}", "instructions", "call", "calls", "least", "mean", "most");
    let memory = gpus::MEMORY.take();
    run::<gpus::Dtbl>(&gpus::DTBL, &mut memory.dtbl, &plan::DTBL, counter)?;
    run::<gpus::LaPerm>(&gpus::LAPERM, &mut memory.laperm, &plan::LAPERM, counter)?;
    run::<gpus::Dats>(&gpus::DATS, &mut memory.dats, &plan::DATS, counter)?;
    run::<gpus::Bubble>(&gpus::BUBBLE, &mut memory.bubble, &plan::BUBBLE, counter)
}

#[entry]
fn main() -> ! {
    stack::paint();
    println!("{NAME}: {} SMXs of {} TB slots", gpus::SMXS, gpus::TB_SLOTS);
    println!("{:54}  {:>6}", "memory of a machine", "bytes");
    for (machine, bytes) in [
        ("front end: rr + dtbl", size_of::<FrontEnd<gpus::Dtbl>>()),
        ("front end: laperm adaptive-bind", size_of::<FrontEnd<gpus::LaPerm>>()),
        ("front end: dats", size_of::<FrontEnd<gpus::Dats>>()),
        ("front end: bubble dvfs", size_of::<FrontEnd<gpus::Bubble>>()),
        ("laperm alone", size_of::<LaPerm<LaPermAlone>>()),
        ("dependency-graph buffer alone", size_of::<Dgb<DgbAlone>>()),
        ("bubble controller alone", size_of::<BubbleDvfs<BubbleAlone>>()),
    ] {
        println!("{machine:54}  {bytes:6}");
    }
    let result = all(&Counter::start());
    println!("{NAME}: stack {} bytes", stack::high_water());
    match result {
        Ok(()) => exit(0),
        Err(trouble) => {
            println!("{NAME}: {trouble:?}");
            exit(1)
        }
    }
}
