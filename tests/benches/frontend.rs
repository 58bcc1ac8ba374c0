//! Time of the front end's operations on a K20c. `scripts/instruction-budget.sh` counts the instructions of the same operations.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gpusched::presets::K20c;
use gpusched_tests::driver::Plain;
use gpusched_tests::operation::{Operation, Steady};

fn operations(c: &mut Criterion) {
    let mut group = c.benchmark_group("frontend");
    for (operation, name) in Operation::ALL {
        for pending in [16, 1024] {
            let mut steady = Steady::<Plain<K20c>>::new(operation, pending);
            group.bench_function(BenchmarkId::new(name, pending), |b| b.iter(|| black_box(&mut steady).step()));
            assert!(steady.pending() >= pending, "the launches are still pending");
        }
    }
    group.finish();
}

criterion_group!(benches, operations);
criterion_main!(benches);
