//! Time of the front end's operations on a K20c. `scripts/instruction-budget.sh` counts the instructions of the same operations.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gpusched::InlineTables;
use gpusched::presets::K20c;
use gpusched_tests::driver::Plain;
use gpusched_tests::operation::{Operation, Steady, WithLaPerm};

fn operations(c: &mut Criterion) {
    measure::<K20c>(c, "frontend", &Operation::FCFS);
    measure::<WithLaPerm>(c, "frontend/laperm", &Operation::LAPERM);
}

fn measure<T: InlineTables>(c: &mut Criterion, name: &str, operations: &[(Operation, &str)]) {
    let mut group = c.benchmark_group(name);
    for &(operation, name) in operations {
        for pending in [16, 1024] {
            let mut steady = Steady::<Plain<T>>::new(operation, pending);
            group.bench_function(BenchmarkId::new(name, pending), |b| b.iter(|| black_box(&mut steady).step()));
            assert!(steady.pending() >= pending, "the launches are still pending");
        }
    }
    group.finish();
}

criterion_group!(benches, operations);
criterion_main!(benches);
