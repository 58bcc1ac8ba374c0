//! `gpusched speed`: how fast the reference GPU simulates, and what memory it takes, on the computer that it runs on.
//!
//! `workloads` times every workload; `curves` measures against what makes a simulation large. `measure` says how, `host` where, `report`
//! what came out. All simulations run one after the other, on one thread.

mod curves;
mod host;
mod measure;
mod report;
mod workloads;

use crate::ask::{self, Speed as Args};
use crate::failure::Failure;
use crate::input::Setup;
use crate::output::{self, Folder};
use crate::progress::Count;
use curves::Extent;
use host::Host;
use measure::Bench;
pub use measure::Heap;
use report::{Measured, Report};

/// The text of `speed`. Memory is told by `heap`; without one it is not.
///
/// # Errors
/// A machine that makes no sense, what was set without effect, a workload that does not run, and Ctrl-C.
pub fn run(args: &Args, heap: Option<Heap>) -> Result<String, Failure> {
    let setup = Setup::resolve(&args.machine, ask::GPU)?;
    let folder = Folder::open(&args.results.out)?.with_png(args.pictures.png)?;
    let bench = Bench { heap, repeat: args.repeat };
    let measured = if args.curve.is_empty() {
        let workloads = if args.workloads.is_empty() { workloads::every() } else { args.workloads.clone() };
        Measured::Workloads(workloads::time(&workloads, &setup, &bench, args.results.quiet)?)
    } else {
        curves::check(&args.curve, &setup)?;
        let count = Count::new(args.curve.len(), args.results.quiet);
        let one = |&curve| {
            let lines = curves::measure(curve, &setup.gpu, &Extent::FULL, &bench)?;
            count.done(curve);
            Ok((curve, lines))
        };
        Measured::Curves(args.curve.iter().map(one).collect::<Result<_, Failure>>()?)
    };
    let report = Report { setup: &setup, host: Host::this(), bench, measured };
    let json = report.json()?;
    let mut written = Vec::new();
    for (name, picture) in report.pictures()? {
        written.extend(folder.draw(&format!("speed-{name}-{}", setup.gpu.name), &picture)?);
    }
    written.push(folder.write(&format!("{}-{}.json", report.stem(), setup.gpu.name), &json)?);
    output::answer((args.results.json, args.results.quiet), &written, || report.text(), || Ok(json))
}
