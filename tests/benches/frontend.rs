//! Time of the front end's operations on a K20c, of the DGB's, of 1000 samples of Equalizer, of Mascar's, APOGEE's and TLP modulation's,
//! of SIMT execution and of the analytical models.
//! `scripts/instruction-budget.sh` counts the instructions of the same operations.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gpusched::dats::GraphPolicy;
use gpusched::presets::K20c;
use gpusched_tests::apogee::steady as apogee;
use gpusched_tests::dats::steady as dats;
use gpusched_tests::driver::{Driver, Plain, Recording};
use gpusched_tests::equalizer::steady as equalizer;
use gpusched_tests::mascar::steady as mascar;
use gpusched_tests::models::steady as models;
use gpusched_tests::operation::{Operation, Steady, WithLaPerm, WithTold};
use gpusched_tests::simt::steady as simt;
use gpusched_tests::tlp::steady as tlp;

fn operations(c: &mut Criterion) {
    measure::<Plain<K20c>>(c, "frontend", &Operation::FCFS);
    measure::<Recording>(c, "frontend/wide", &Operation::WIDE);
    measure::<Plain<WithTold>>(c, "frontend/told", &Operation::TOLD);
    measure::<Plain<WithLaPerm>>(c, "frontend/laperm", &Operation::LAPERM);
}

/// A TB of a wavefront ends and another one is dispatched, at two sizes of the graph.
fn graphs(c: &mut Criterion) {
    let mut group = c.benchmark_group("dats");
    for (policy, name) in [(GraphPolicy::Lrr, "lrr"), (GraphPolicy::Lvl { bound: 3 }, "lvl")] {
        for side in [32, 250] {
            let mut steady = dats::Steady::new(side, policy);
            group.bench_function(BenchmarkId::new(name, side), |b| b.iter(|| black_box(&mut steady).step()));
        }
    }
    group.finish();
}

/// A sample of Equalizer, and one that ends an epoch and pauses or wakes a block.
fn samples(c: &mut Criterion) {
    let mut group = c.benchmark_group("equalizer");
    for (operation, name) in [(equalizer::Operation::Sample, "sample"), (equalizer::Operation::Epoch, "epoch")] {
        // There are 2^17 samples in an epoch: the machine is made anew before it ends.
        group.bench_function(name, |b| {
            b.iter_batched_ref(
                || equalizer::Plain::new(operation),
                |steady| (0..1000).for_each(|_| black_box(&mut *steady).step()),
                criterion::BatchSize::SmallInput,
            )
        });
    }
    group.finish();
}

/// Machines that repeat an operation each.
fn steadies<S, const N: usize>(c: &mut Criterion, name: &str, machines: [(&str, S); N], step: fn(&mut S)) {
    let mut group = c.benchmark_group(name);
    for (name, mut steady) in machines {
        group.bench_function(name, |b| b.iter(|| step(black_box(&mut steady))));
    }
    group.finish();
}

/// A cycle of Mascar in either mode, and the new heads of all warps; a request presented and answered.
fn warps(c: &mut Criterion) {
    use mascar::{Operation, Steady};
    let names = [("ep", Operation::Ep), ("mp", Operation::Mp), ("new", Operation::New), ("rexq", Operation::Rexq)];
    steadies(c, "mascar", names.map(|(name, operation)| (name, Steady::new(operation, false))), Steady::step);
}

/// A load of APOGEE, and the requests that follow from it.
fn loads(c: &mut Criterion) {
    use apogee::Operation::{Foa, FoaDense, Tia, TiaDense};
    let names = [("foa", Foa), ("foa_dense", FoaDense), ("tia", Tia), ("tia_dense", TiaDense)];
    let machines = names.map(|(name, operation)| (name, apogee::Steady::new(operation, false)));
    steadies(c, "apogee", machines, apogee::Steady::step);
}

/// Two kernels on an SM: a TB that ends and its successor, a dispatch that stalls, a period of eight TBs and its sample.
fn blocks(c: &mut Criterion) {
    use tlp::Operation::{Period, Stall, Turn};
    let names = [("turn", Turn), ("stall", Stall), ("period", Period)];
    steadies(c, "tlp", names.map(|(name, operation)| (name, tlp::Plain::new(operation))), tlp::Plain::step);
}

/// An access coalesced, a branch that diverges and joins, a load and its reader.
fn lanes(c: &mut Criterion) {
    use simt::Operation::{CoalesceScatter, CoalesceUnit, ScoreboardUse, StackDiverge};
    let names = [
        ("coalesce_unit", CoalesceUnit),
        ("coalesce_scatter", CoalesceScatter),
        ("stack_diverge", StackDiverge),
        ("scoreboard_use", ScoreboardUse),
    ];
    steadies(c, "simt", names.map(|(name, operation)| (name, simt::Steady::new(operation))), simt::Steady::step);
}

/// An estimate of a kernel's time; a run of the stochastic memory hierarchy.
fn estimates(c: &mut Criterion) {
    use models::{Operation, Steady};
    let names = [("exec", Operation::Exec), ("monte_run", Operation::MonteRun)];
    steadies(c, "models", names.map(|(name, operation)| (name, Steady::new(operation))), Steady::step);
}

fn measure<D: Driver>(c: &mut Criterion, name: &str, operations: &[(Operation, &str)]) {
    let mut group = c.benchmark_group(name);
    for &(operation, name) in operations {
        for pending in [16, 1024] {
            let mut steady = Steady::<D>::new(operation, pending);
            group.bench_function(BenchmarkId::new(name, pending), |b| b.iter(|| black_box(&mut steady).step()));
            assert!(steady.pending() >= pending, "the launches are still pending");
        }
    }
    group.finish();
}

criterion_group!(benches, operations, graphs, samples, warps, loads, blocks, lanes, estimates);
criterion_main!(benches);
