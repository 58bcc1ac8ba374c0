//! What the transpositions compute and issue, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

const FORMS: [TransposeForm; 3] = [TransposeForm::Tile33, TransposeForm::Tile32, TransposeForm::Naive];

fn run(width: u32, height: u32, form: TransposeForm, turns: Turns) -> (Transpose, Tally) {
    finished(Transpose::new(TransposeOptions { width, height, form, seed: 7 }), 3, turns)
}

#[test]
fn every_form_swaps_rows_and_columns_in_any_order_of_warps() {
    for (width, height) in [(32, 32), (96, 96), (128, 64), (32, 160)] {
        let sums = FORMS.map(|form| {
            [Turns::Together, Turns::FirstAhead, Turns::LastAhead].map(|turns| {
                let (transpose, _) = run(width, height, form, turns);
                assert_eq!(Algorithm::progress(&transpose), (u64::from(width * height), u64::from(width * height)));
                assert_eq!(transpose.transposed[1], transpose.matrix[width as usize]);
                transpose.check().unwrap()
            })
        });
        assert!(sums.iter().flatten().all(|sum| *sum == sums[0][0]));
    }
}

#[test]
fn the_lists_are_the_sheets() {
    // Nine tiles of eight warps.
    const WARPS: u64 = 9 * 8;
    let [tile33, tile32, naive] = FORMS.map(|form| run(96, 96, form, Turns::Together).1);
    for tiled in [&tile33, &tile32] {
        let memory = [Class::LoadGlobal, Class::StoreShared, Class::LoadShared, Class::StoreGlobal];
        assert!(memory.iter().all(|&class| tiled.of(class) == 4 * WARPS && tiled.mean_lanes(class) == 32.0));
        assert_eq!((tiled.of(Class::Barrier), tiled.issued), (WARPS, WARPS * (16 + 1 + 1)));
        assert_eq!([Class::LoadGlobal, Class::StoreGlobal].map(|class| tiled.transactions_each(class)), [1.0; 2]);
    }
    assert_eq!((naive.of(Class::LoadGlobal), naive.of(Class::StoreGlobal), naive.issued), (288, 288, 72 * 9));
    // A row of 33 words puts a column into 32 banks, one of 32 into one; without a tile each lane stores to a line of its own.
    assert_eq!([&tile33, &tile32].map(|tiled| tiled.transactions_each(Class::LoadShared)), [1.0, 32.0]);
    assert_eq!([&tile33, &tile32].map(|tiled| tiled.transactions_each(Class::StoreShared)), [1.0; 2]);
    assert_eq!([Class::LoadGlobal, Class::StoreGlobal].map(|class| naive.transactions_each(class)), [1.0, 32.0]);
}

#[test]
fn kernels_ask_for_their_tile() {
    let kernel = |form| run(64, 64, form, Turns::Together).1.kernels[0];
    let of = FORMS.map(|form| (kernel(form).tb.x, kernel(form).grid.x, kernel(form).regs, kernel(form).smem));
    assert_eq!(of, [(256, 4, 16 * 256, 4224), (256, 4, 16 * 256, 4096), (256, 4, 16 * 256, 0)]);
}

#[test]
fn a_wrong_element_is_told_with_its_place() {
    let (mut transpose, _) = run(32, 32, TransposeForm::Tile33, Turns::Together);
    transpose.transposed[40] = 2.0;
    let error = transpose.check().unwrap_err();
    let want = transpose.matrix[8 * 32 + 1].to_string();
    assert_eq!((error.place.as_str(), error.got.as_str(), error.want), ("transposed[40]", "2", want));
}

#[test]
fn sides_that_are_no_whole_tiles_are_refused() {
    let error = |options| Transpose::new(options).unwrap_err().to_string();
    for height in [0, 31, 33, 65568] {
        let refused = error(TransposeOptions { height, ..TransposeOptions::default() });
        assert_eq!(refused, format!("option `height`: expected a multiple of 32, up to 65536, found {height}"));
    }
    assert_eq!(
        error(TransposeOptions { width: 65536, height: 1056, ..TransposeOptions::default() }),
        "option `height`: expected at most 2^26 elements in all, found 1056"
    );
    let read = toml::from_str::<TransposeOptions>;
    assert_eq!(read("form = 'tile32'").unwrap().form, TransposeForm::Tile32);
    assert!(read("from = 'tile32'").unwrap_err().to_string().contains("from"));
}
