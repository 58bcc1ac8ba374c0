//! `gpusched chain`: kernels of which each needs the one before, in a stream, as programmatic dependents, and as a graph (sheet
//! `launch2`). The front end alone, without SMs: TBs take time, not instructions.
//!
//! `bench.rs` has the ways, `run.rs` the front end at work, `pair.rs` which TBs read which, `report.rs` says what came out.

mod bench;
mod pair;
mod report;
mod run;

use crate::ask::{CHAIN_GPU, Chain as Args};
use crate::failure::Failure;
use crate::input::Setup;
use crate::output::{self, Folder};
use crate::side_by_side;
use anyhow::anyhow;
use bench::{Bench, Ran, Times, Way};
use gpusched::{Descriptor, Dim3};

pub use pair::Reads;

/// What came out for kernels of one size, in the order of [`Way::ALL`].
#[derive(Clone, Debug)]
struct Size {
    waves: f64,
    tbs: u32,
    ran: Vec<Ran>,
    /// On chip, in bytes: the buffer of TB dependencies, and second kernels in queues and entries.
    storage: (u64, u64),
}

/// When TBs were at work in the first kernels of a chain.
struct Timeline {
    waves: f64,
    kernels: u32,
    /// By way.
    work: Vec<(Way, Vec<(u64, u64)>)>,
}

/// Kernels of a timeline.
const SHOWN: u32 = 4;

/// The text of `chain`.
pub fn run(args: &Args) -> Result<String, Failure> {
    let setup = Setup::resolve(&args.machine, CHAIN_GPU)?;
    setup.only_of(&[])?;
    setup.only_machine(&["sm.", "dtbl."], "chain")?;
    let gpu = &setup.gpu;
    check(args)?;
    let kernel = Descriptor {
        grid: Dim3::linear(1),
        tb: Dim3::linear(args.threads),
        regs: args.threads.saturating_mul(args.regs),
        smem: args.smem,
        ..Descriptor::default()
    };
    let per_sm = gpu.most_tbs(&kernel);
    if per_sm == 0 {
        return Err(Failure::Usage(anyhow!(
            "a TB of {} threads, {} registers and {} bytes of shared memory fits no SM of {}",
            args.threads,
            kernel.regs,
            args.smem,
            gpu.name
        )));
    }
    let cycles = |us: f64| (us * f64::from(gpu.sm.clock_mhz)).round() as u32;
    let times = Times {
        tb: args.cycles.into(),
        spread: (f64::from(args.cycles) * args.spread) as u64,
        parts: (args.prologue, args.trigger),
        host: (cycles(args.host), cycles(args.graph), cycles(0.001)),
        device: cycles(args.device),
        dispatch: cycles(args.dispatch),
        fetch: args.fetch,
        halo: args.halo,
    };
    let held = gpu.wave(&kernel);
    let bench = Bench::new(&gpu.front_end(), (kernel, held), (args.kernels, args.reads), times, args.seed);
    let folder = Folder::open(&args.results.out)?.with_png(args.pictures.png)?;
    let tbs_of = |waves: f64| args.reads.producers(waves * f64::from(held));
    for (option, waves) in sizes(args) {
        let named = |error: anyhow::Error| Failure::Usage(error.context(format!("{option} {waves}")));
        bench.storage(tbs_of(waves)).map_err(named)?;
    }
    let all = side_by_side::each(&args.waves, None, |&waves, _| {
        let tbs = tbs_of(waves);
        let ran = Way::ALL.into_iter().map(|way| bench.run(way, tbs)).collect::<Result<_, _>>()?;
        Ok(Size { waves, tbs, ran, storage: bench.storage(tbs)? })
    })?;
    let timeline = args.timeline.map(|waves| timeline(&bench, waves, tbs_of(waves))).transpose()?;
    let report = report::Report { setup: &setup, args, times, per_sm, sizes: &all };
    let json = report.json()?;
    let stem = format!("chain-{}", gpu.name);
    let mut written = folder.draw(&stem, &report.picture()?)?;
    written.push(folder.write(&format!("{stem}.json"), &json)?);
    if let Some(timeline) = &timeline {
        written.extend(folder.draw(&format!("{stem}-timeline"), &report.timeline(timeline, held)?)?);
    }
    output::answer((args.results.json, args.results.quiet), &written, || report.tables(), || Ok(json))
}

/// The first kernels of a chain in each way in which its kernels are launched one by one or two by two.
fn timeline(bench: &Bench, waves: f64, tbs: u32) -> anyhow::Result<Timeline> {
    let kernels = SHOWN.min(bench.kernels);
    let of = |way| Ok((way, bench.of(kernels).work(way, tbs)?));
    let ways = [Way::Stream, Way::Pdl, Way::Dependencies, Way::Fused];
    Ok(Timeline { waves, kernels, work: ways.into_iter().map(of).collect::<anyhow::Result<_>>()? })
}

/// Refuses what makes no sense.
fn check(args: &Args) -> Result<(), Failure> {
    let part = |option: &str, value: f64, most: f64| {
        let is_part = (0.0..=most).contains(&value);
        let wrong = || Failure::Usage(anyhow!("{option} {value}: expected a number from 0 to {most}"));
        if is_part { Ok(()) } else { Err(wrong()) }
    };
    part("--prologue", args.prologue, 1.0)?;
    part("--trigger", args.trigger, 1.0)?;
    part("--spread", args.spread, 10.0)?;
    part("--halo", args.halo, 10.0)?;
    for (option, us) in
        [("--host", args.host), ("--device", args.device), ("--dispatch", args.dispatch), ("--graph", args.graph)]
    {
        part(option, us, 100_000.0)?;
    }
    for (option, waves) in sizes(args) {
        if !(waves > 0.0 && waves <= 1000.0) {
            return Err(Failure::Usage(anyhow!("{option} {waves}: expected a number above 0, up to 1000")));
        }
    }
    Ok(())
}

/// The sizes that are asked for, in waves, with their options.
fn sizes(args: &Args) -> impl Iterator<Item = (&'static str, f64)> {
    let of = |option: &'static str| move |&waves: &f64| (option, waves);
    args.waves.iter().map(of("--waves")).chain(args.timeline.iter().map(of("--timeline")))
}
