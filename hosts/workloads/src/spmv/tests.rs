//! What the product computes and issues, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use crate::graph::{EdgeList, Wanted};
use gpusched_refgpu::program::Class;

fn run(matrix: &Arc<Csr>, turns: Turns) -> (Spmv, Tally) {
    finished(Spmv::new(Arc::clone(matrix), 4), 2, turns)
}

#[test]
fn rows_are_those_of_a_sequential_product_to_the_bit() {
    // Even rows, skewed ones with empty ones, weighted ones.
    for name in ["cage:700", "kron:8,8", "flight:200"] {
        let matrix = graph(name, u64::MAX).unwrap();
        let sums =
            [Turns::Together, Turns::FirstAhead, Turns::LastAhead].map(|turns| run(&matrix, turns).0.check().unwrap());
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{name}");
    }
}

#[test]
fn weights_are_the_values() {
    let mut edges = EdgeList::weighted(3);
    edges.push(0, 1, 7);
    edges.push(1, 2, 5);
    let (spmv, _) = run(&Arc::new(Csr::from_edges(edges).unwrap()), Turns::Together);
    let [a, b, c] = [spmv.x[0], spmv.x[1], spmv.x[2]];
    assert_eq!(spmv.y, [7.0 * b, 7.0 * a + 5.0 * c, 5.0 * b]);
}

#[test]
fn a_matrix_market_file_is_a_matrix() {
    let text = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 4\n1 1 9\n2 1 4\n3 1 3\n3 2 2\n";
    let name = std::path::Path::new("small.mtx");
    let mut go_on = |_| std::ops::ControlFlow::Continue(());
    let matrix =
        crate::graph::read::from_reader(text.as_bytes(), text.len() as u64, name, &Wanted::default(), &mut go_on)
            .unwrap()
            .csr;
    let (spmv, _) = run(&Arc::new(matrix), Turns::Together);
    let [a, b, c] = [spmv.x[0], spmv.x[1], spmv.x[2]];
    // The diagonal is dropped.
    assert_eq!(spmv.y, [4.0 * b + 3.0 * c, 4.0 * a + 2.0 * c, 3.0 * a + 2.0 * b]);
}

#[test]
fn the_list_is_the_sheets() {
    let matrix = graph("cage:960", u64::MAX).unwrap();
    let (spmv, tally) = run(&matrix, Turns::Together);
    let warps = 30;
    let turns: u64 = spmv.jds.length.iter().map(|&length| u64::from(length)).sum();
    assert_eq!(tally.of(Class::Int), warps * 5 + turns * 5);
    assert_eq!(tally.of(Class::LoadGlobal), warps * 2 + turns * 4);
    assert_eq!((tally.of(Class::Fp), tally.of(Class::StoreGlobal)), (turns, warps));
    assert_eq!(tally.issued, warps * (5 + 1 + 2 + 1) + turns * 10);
    assert!([Class::LoadGlobal, Class::Fp].iter().all(|&class| tally.mean_lanes(class) == 32.0), "padded");
    // All but x and y are read from one line.
    let lines = tally.transactions[&Class::LoadGlobal] - (warps * 2 + turns * 3);
    assert!(lines > 5 * turns && lines < 32 * turns, "{lines} {turns}");
    let kernel = tally.kernels[0];
    assert_eq!((kernel.tb.x, kernel.grid.x, kernel.regs, kernel.smem), (192, 5, 16 * 192, 0));
}

#[test]
fn a_wrong_row_is_told_with_its_place() {
    let (mut spmv, _) = run(&graph("cage:100", u64::MAX).unwrap(), Turns::Together);
    spmv.y[33] = -2.5;
    let error = spmv.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.got.as_str()), ("y[33]", "-2.5"));
}

#[test]
fn what_the_generator_cannot_make_is_refused() {
    let request = Request { size: Size::Times(u32::MAX), ..Request::default() };
    let error = Spmv::requested(request).unwrap_err().to_string();
    assert_eq!(error, "graph `cage:4294967295,seed=1`: expected 2..=33554432, found 4294967295");
    let request = Request { loop_warps: Some(4), ..Request::default() };
    assert!(Spmv::requested(request).unwrap_err().to_string().contains("loop_warps"));
}
