//! `gpusched chain`: kernels of which each needs the one before, in a stream, as programmatic dependents, and as a graph (sheet
//! `launch2`). The front end alone, without SMs: TBs take time, not instructions.
//!
//! `bench.rs` has the front end at work, `report.rs` says what came out.

mod bench;
mod report;

use crate::ask::{CHAIN_GPU, Chain as Args};
use crate::failure::Failure;
use crate::input::Setup;
use crate::output::{self, Folder};
use crate::side_by_side;
use anyhow::anyhow;
use bench::{Bench, Ran, Times, Way};
use gpusched::{Descriptor, Dim3};

/// What came out for kernels of one size, in the order of [`Way::ALL`].
#[derive(Clone, Copy, Debug)]
struct Size {
    waves: f64,
    tbs: u32,
    ran: [Ran; 4],
}

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
        dispatch: cycles(args.dispatch),
    };
    let bench = Bench::new(&gpu.front_end(), kernel, args.kernels, times, args.seed);
    let folder = Folder::open(&args.results.out)?;
    let wave = f64::from(gpu.sm.count * per_sm);
    let all = side_by_side::each(&args.waves, None, |&waves, _| {
        let tbs = ((waves * wave).round() as u32).max(1);
        let [a, b, c, d] = Way::ALL.map(|way| bench.run(way, tbs));
        Ok(Size { waves, tbs, ran: [a?, b?, c?, d?] })
    })?;
    let report = report::Report { setup: &setup, args, times, per_sm, sizes: &all };
    let json = report.json()?;
    let written = [
        folder.write(&format!("chain-{}.svg", gpu.name), &report.picture()?)?,
        folder.write(&format!("chain-{}.json", gpu.name), &json)?,
    ];
    output::answer((args.results.json, args.results.quiet), &written, || report.tables(), || Ok(json))
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
    for (option, us) in [("--host", args.host), ("--dispatch", args.dispatch), ("--graph", args.graph)] {
        part(option, us, 100_000.0)?;
    }
    for &waves in &args.waves {
        if !(waves > 0.0 && waves <= 1000.0) {
            return Err(Failure::Usage(anyhow!("--waves {waves}: expected a number above 0, up to 1000")));
        }
    }
    Ok(())
}
