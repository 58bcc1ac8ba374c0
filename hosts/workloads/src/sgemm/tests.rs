//! What the product computes and issues, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

fn run(rows: u32, columns: u32, inner: u32, turns: Turns) -> (Sgemm, Tally) {
    finished(Sgemm::new(SgemmOptions { rows, columns, inner, seed: 9 }), 2, turns)
}

#[test]
fn elements_are_those_of_a_sequential_program_to_the_bit() {
    for (rows, columns, inner) in [(128, 16, 8), (256, 48, 24), (128, 160, 96)] {
        let sums = [Turns::Together, Turns::FirstAhead, Turns::LastAhead]
            .map(|turns| run(rows, columns, inner, turns).0.check().unwrap());
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{rows} {columns} {inner}");
    }
}

#[test]
fn the_list_is_the_sheets() {
    // 2 x 2 TBs of four warps, three steps.
    let (_, tally) = run(256, 32, 24, Turns::Together);
    let (warps, steps) = (16, 3);
    assert_eq!(tally.of(Class::LoadGlobal), warps * steps * (1 + 8));
    assert_eq!((tally.of(Class::StoreShared), tally.of(Class::Barrier)), (warps * steps, warps * steps * 2));
    assert_eq!((tally.of(Class::LoadShared), tally.of(Class::Fp)), (warps * steps * 128, warps * steps * 128));
    assert_eq!((tally.of(Class::Int), tally.of(Class::StoreGlobal)), (warps * steps * (8 + 2), warps * 16));
    assert_eq!(tally.issued, warps * (steps * (3 + 8 * 34 + 1 + 2) + 16 + 1));
    // A is read by columns; of B, half a warp reads a column.
    assert_eq!(tally.transactions[&Class::LoadGlobal], warps * steps * (2 + 8));
    assert_eq!(
        [Class::StoreGlobal, Class::StoreShared, Class::LoadShared].map(|c| tally.transactions_each(c)),
        [1.0; 3]
    );
    let kernel = tally.kernels[0];
    assert_eq!((kernel.tb.x, kernel.grid.x, kernel.regs, kernel.smem), (128, 4, 40 * 128, 512));
}

#[test]
fn a_wrong_element_is_told_with_its_place() {
    let (mut sgemm, _) = run(128, 16, 8, Turns::Together);
    sgemm.c[130] = 0.5;
    let error = sgemm.check().unwrap_err();
    let want = (0..8).fold(0.0, |sum, k| sum + sgemm.a[128 * k + 2] * sgemm.b[16 * k + 1]);
    assert_eq!((error.place.as_str(), error.got.as_str(), error.want), ("c[130]", "0.5", want.to_string()));
}

#[test]
fn sides_that_are_no_whole_tiles_are_refused() {
    let default = SgemmOptions::default();
    let error = |options| Sgemm::new(options).unwrap_err().to_string();
    for (options, option, unit, found) in [
        (SgemmOptions { rows: 64, ..default }, "rows", 128, 64),
        (SgemmOptions { rows: 16512, ..default }, "rows", 128, 16512),
        (SgemmOptions { columns: 24, ..default }, "columns", 16, 24),
        (SgemmOptions { inner: 0, ..default }, "inner", 8, 0),
    ] {
        let expected = format!("option `{option}`: expected a multiple of {unit}, up to 16384, found {found}");
        assert_eq!(error(options), expected);
    }
    assert!(toml::from_str::<SgemmOptions>("m = 128").unwrap_err().to_string().contains('m'));
}
