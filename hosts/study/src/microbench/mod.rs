//! `gpusched microbench`: what a machine does, measured as it is measured on real GPUs, beside what has been published about these.
//!
//! `probe` has the programs, `measured.toml` what others measured, `report` says how the two compare.

mod probe;
mod report;

use crate::ask::{self, Microbench as Args};
use crate::failure::Failure;
use crate::input::Setup;
use crate::output::{self, Folder};
use crate::side_by_side;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::program::Class;
use probe::Bench;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Something that is measured.
pub(crate) struct Quantity {
    /// Its name in JSON and in the file of measurements.
    key: &'static str,
    /// Its name in the table.
    label: &'static str,
    unit: &'static str,
    value: Value,
}

/// Runs programs on a machine, and tells what that shows.
type Measure = fn(&Bench<'_>) -> Result<f64, Failure>;

/// Where a value comes from.
#[derive(Clone, Copy)]
enum Value {
    Measured(Measure),
    /// The quantity of this name, which is in bytes per cycle, in GB/s.
    PerSecond(&'static str),
}

const fn of(key: &'static str, label: &'static str, unit: &'static str, measure: Measure) -> Quantity {
    Quantity { key, label, unit, value: Value::Measured(measure) }
}

/// Cycles from an instruction to one that needs its result.
const LATENCY: &str = "cycles";
/// Of one SM.
const RATE: &str = "instr/cycle/SM";

/// All of them, in the order of the table.
const QUANTITIES: &[Quantity] = &[
    of("int", "integer, dependent", LATENCY, |b| b.latency(Class::Int)),
    of("fp", "single precision, dependent", LATENCY, |b| b.latency(Class::Fp)),
    of("dp", "double precision, dependent", LATENCY, |b| b.latency(Class::Dp)),
    of("sfu", "special function, dependent", LATENCY, |b| b.latency(Class::Sfu)),
    of("int_rate", "integer", RATE, |b| b.rate(Class::Int)),
    of("fp_rate", "single precision", RATE, |b| b.rate(Class::Fp)),
    of("dp_rate", "double precision", RATE, |b| b.rate(Class::Dp)),
    of("sfu_rate", "special function", RATE, |b| b.rate(Class::Sfu)),
    of("shared", "shared memory", LATENCY, |b| b.conflict(1)),
    of("shared_2", "shared memory, 2 lanes on a bank", LATENCY, |b| b.conflict(2)),
    of("shared_8", "shared memory, 8 lanes on a bank", LATENCY, |b| b.conflict(8)),
    of("shared_32", "shared memory, 32 lanes on a bank", LATENCY, |b| b.conflict(32)),
    of("l1", "load that hits in L1", LATENCY, |b| b.chase(b.l1_bytes() / 4, 128)),
    of("l2", "load that hits in L2", LATENCY, |b| b.chase(2 * b.l1_bytes(), 128)),
    of("dram", "load from DRAM", LATENCY, |b| b.cold()),
    of("l1_bandwidth", "L1", "bytes/cycle/SM", |b| b.l1_bandwidth()),
    of("l2_bandwidth", "L2", "bytes/cycle", |b| b.l2_bandwidth()),
    of("dram_bandwidth", "DRAM", "bytes/cycle", |b| b.dram_bandwidth()),
    Quantity { key: "dram_bandwidth_gb", label: "DRAM", unit: "GB/s", value: Value::PerSecond("dram_bandwidth") },
    of("atomic", "atomic, one lane", LATENCY, |b| b.atomic(1)),
    of("atomic_32", "atomic, 32 lanes on one word", LATENCY, |b| b.atomic(32)),
    of("barrier", "barrier of 32 warps", LATENCY, |b| b.barrier()),
    of("launch", "from an empty kernel to the next", LATENCY, |b| b.launch()),
    of("dispatch", "empty TBs", "TBs/cycle", |b| b.dispatch()),
];

/// Distances from one load to the next on the way through a footprint.
const STRIDES: [u64; 3] = [32, 128, 4096];
/// Footprints go from this to twice L2, by factors of two.
const SMALLEST: u64 = 4 << 10;
/// But no way has more loads than this, nor is longer.
const MOST_LOADS: u64 = 1 << 19;
const LARGEST: u64 = 64 << 20;

/// One measurement that is made.
#[derive(Clone, Copy)]
enum Task {
    Quantity { key: &'static str, measure: Measure },
    Chase { stride: u64, footprint: u64 },
}

/// What came out.
struct Found {
    /// By name, what was measured.
    quantities: BTreeMap<&'static str, f64>,
    /// By stride, footprints with the cycles of a load.
    chases: Vec<(u64, Vec<(u64, f64)>)>,
}

/// A published measurement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    gpu: String,
    of: String,
    /// The least and the most of several.
    range: [f64; 2],
    source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    measured: Vec<Measured>,
}

/// What others measured.
fn published() -> Vec<Measured> {
    let file: Published = toml::from_str(include_str!("measured.toml")).expect("the file is this crate's own");
    file.measured
}

/// The text of `microbench`.
///
/// # Errors
/// A machine that makes no sense, and Ctrl-C.
pub fn run(args: &Args) -> Result<String, Failure> {
    let setup = Setup::resolve(&args.machine, ask::GPU)?;
    setup.only_of(&[])?;
    setup.check_effect(&[(setup.gpu.clone(), RunOptions::default())], &[])?;
    let folder = Folder::open(&args.results.out)?.with_png(args.pictures.png)?;
    let found = measure(&setup.gpu, args)?;
    let report = report::Report { setup: &setup, found: &found, published: published() };
    let json = report.json()?;
    let stem = format!("microbench-{}", setup.gpu.name);
    let mut written = folder.draw(&stem, &report.picture()?)?;
    written.push(folder.write(&format!("{stem}.json"), &json)?);
    output::answer((args.results.json, args.results.quiet), &written, || report.tables(), || Ok(json))
}

impl Found {
    /// The value of a quantity on this machine, if there is what it is of.
    fn value(&self, quantity: &Quantity, gpu: &GpuConfig) -> Option<f64> {
        let measured = |key| self.quantities.get(key).copied();
        match quantity.value {
            Value::Measured(_) => measured(quantity.key),
            Value::PerSecond(of) => Some(measured(of)? * f64::from(gpu.sm.clock_mhz) / 1000.0),
        }
    }
}

fn measure(gpu: &GpuConfig, args: &Args) -> Result<Found, Failure> {
    let is_there = |quantity: &&Quantity| match quantity.key {
        "l1" | "l1_bandwidth" => gpu.l1.enabled,
        "l2" | "l2_bandwidth" => !gpu.flat.enabled,
        _ => true,
    };
    let quantities = QUANTITIES.iter().filter(is_there).filter_map(|&Quantity { key, value, .. }| match value {
        Value::Measured(measure) => Some(Task::Quantity { key, measure }),
        Value::PerSecond(_) => None,
    });
    let bench = Bench { gpu, useless: &AtomicBool::new(false) };
    let tasks: Vec<Task> = quantities.chain(STRIDES.iter().flat_map(|&stride| footprints(&bench, stride))).collect();
    let values = side_by_side::each(&tasks, args.threads, |&task, useless| {
        let bench = Bench { gpu, useless };
        match task {
            Task::Quantity { measure, .. } => measure(&bench),
            Task::Chase { stride, footprint } => bench.chase(footprint, stride),
        }
    })?;
    let mut found = Found { quantities: BTreeMap::new(), chases: STRIDES.map(|stride| (stride, Vec::new())).to_vec() };
    for (task, value) in tasks.into_iter().zip(values) {
        match task {
            Task::Quantity { key, .. } => {
                found.quantities.insert(key, value);
            }
            Task::Chase { stride, footprint } => {
                let line = found.chases.iter_mut().find(|(one, _)| *one == stride);
                line.expect("there is one for each stride").1.push((footprint, value));
            }
        }
    }
    Ok(found)
}

fn footprints(bench: &Bench<'_>, stride: u64) -> impl Iterator<Item = Task> {
    let largest = (2 * bench.l2_bytes()).next_power_of_two().min(LARGEST);
    let all = std::iter::successors(Some(SMALLEST.max(stride)), |footprint| Some(2 * footprint));
    let fits = move |&footprint: &u64| footprint <= largest && footprint / stride <= MOST_LOADS;
    all.take_while(fits).map(move |footprint| Task::Chase { stride, footprint })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Each published measurement is of a GPU and of a quantity that there is, once.
    #[test]
    fn what_is_published_can_be_looked_up() {
        let mut seen = BTreeSet::new();
        for Measured { gpu, of, range: [least, most], source } in published() {
            assert!(GpuConfig::preset(&gpu).is_ok(), "{gpu}");
            assert!(QUANTITIES.iter().any(|quantity| quantity.key == of), "{of}");
            assert!(0.0 < least && least <= most && !source.is_empty(), "{gpu} {of}");
            assert!(seen.insert((gpu, of)));
        }
    }

    /// Where the configuration says what has to come out, it comes out.
    #[test]
    fn latencies_and_rates_are_those_of_the_configuration() {
        let gpu = GpuConfig::preset("k20c").unwrap();
        let bench = Bench { gpu: &gpu, useless: &AtomicBool::new(false) };
        let (sm, l1) = (&gpu.sm, &gpu.l1);
        assert_eq!(bench.latency(Class::Int).unwrap(), f64::from(sm.sp_latency));
        assert_eq!(bench.latency(Class::Fp).unwrap(), f64::from(sm.fp_latency));
        assert_eq!(bench.latency(Class::Sfu).unwrap(), f64::from(sm.sfu_latency));
        assert_eq!(bench.conflict(1).unwrap(), f64::from(sm.shared_latency));
        assert_eq!(bench.conflict(32).unwrap(), f64::from(sm.shared_latency + 31));
        assert_eq!(bench.chase(bench.l1_bytes() / 4, 128).unwrap(), f64::from(l1.hit_latency));
        let l2 = bench.chase(2 * bench.l1_bytes(), 128).unwrap();
        let dram = bench.cold().unwrap();
        assert!(f64::from(l1.hit_latency) < l2 && l2 < dram, "{l2} {dram}");
        assert!(bench.rate(Class::Sfu).unwrap() < bench.rate(Class::Int).unwrap());
        let dram = &gpu.dram;
        let peak = f64::from(dram.channels * dram.burst) / f64::from(dram.burst_cycles) * f64::from(dram.clock_mhz)
            / f64::from(sm.clock_mhz);
        // As refgpu-N6 says of a stream.
        let reached = bench.dram_bandwidth().unwrap();
        assert!(0.8 * peak < reached && reached <= peak, "{reached} of {peak}");
    }
}
