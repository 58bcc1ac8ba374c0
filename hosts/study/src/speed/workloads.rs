//! Every workload as `run` takes it if nothing but its name is said, on one machine.

use super::measure::{Bench, Cost, Meter};
use crate::ask::{self, Kernel, KernelArgs, Scheduling, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::{self, Job};
use crate::progress::Count;
use crate::simulate;
use crate::variant::Variant;
use crate::way::Way;
use clap::ValueEnum;
use gpusched_workloads::catalogue;

/// A workload that was timed.
#[derive(Debug)]
pub struct Timed {
    pub workload: Workload,
    pub way: Way,
    /// What it works on: in a word, and in a line.
    pub input: String,
    pub about: String,
    pub cost: Cost,
}

/// All that `run` takes by name.
pub fn every() -> Vec<Workload> {
    let kernels = catalogue::entries().map(|entry| Workload::Kernel(Kernel(entry)));
    Workload::value_variants().iter().copied().chain(kernels).collect()
}

/// Runs these one after the other. Each result is verified.
pub fn time(workloads: &[Workload], setup: &Setup, bench: &Bench, quiet: bool) -> Result<Vec<Timed>, Failure> {
    let ways = || workloads.iter().map(|&workload| Way::of_run(workload));
    setup.only_of(workloads)?;
    setup.check_options(ways())?;
    let machines: Result<Vec<_>, _> = ways().map(|way| job::machine(setup, way, &setup.gpu)).collect();
    setup.check_effect(&machines?, &[])?;
    let count = Count::new(workloads.len(), quiet);
    let one = |&workload: &Workload| {
        let input = Input::load(workload, &ask::Input::default(), &KernelArgs::default(), setup, true)?;
        let way = Way::of_run(workload);
        let variant = &Variant::all(&[way], &Scheduling::default(), setup)?[0];
        let job = Job { workload, input: &input, setup };
        let run = |meter: &mut Meter| {
            let run = simulate::watched(job, variant, meter)?;
            Ok((run.result.stats, run.seconds))
        };
        let (_, cost) = bench.simulations(run)?;
        count.done(workload.name());
        Ok(Timed { workload, way, input: input.name().into_owned(), about: input.description(workload), cost })
    };
    workloads.iter().map(one).collect()
}
