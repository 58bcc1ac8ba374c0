//! What the wavefronts compute and issue, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

fn run(kind: WaveKind, version: Version, options: WaveOptions, room: usize, turns: Turns) -> (Wave, Tally) {
    finished(Wave::new(kind, version, options), room, turns)
}

fn options(columns: u32, rows: u32, width: u32, height: u32) -> WaveOptions {
    WaveOptions { columns, rows, width, height, ..WaveOptions::default() }
}

#[test]
fn every_wavefront_computes_what_a_sequential_program_does() {
    // Tiles of uneven sizes, wide, tall, and of a single cell.
    for (columns, rows, width, height) in [(5, 4, 83, 58), (2, 9, 90, 31), (3, 3, 3, 3), (1, 1, 7, 1)] {
        let options = options(columns, rows, width, height);
        for kind in WaveKind::ALL {
            let runs = [
                (Version::Global, 1, Turns::Together),
                (Version::Global, 100, Turns::FirstAhead),
                (Version::Cdp, 3, Turns::LastAhead),
            ];
            let sums = runs.map(|(version, room, turns)| run(kind, version, options, room, turns).0.check().unwrap());
            assert!(sums.iter().all(|sum| *sum == sums[0]), "{kind}: {sums:?}");
        }
    }
}

#[test]
fn diagonals_and_strips_longer_than_a_tb_are_worked_on_in_rounds() {
    for kind in WaveKind::ALL {
        // 8 KB hold seven rows of 256 pixels; a diagonal has 300 cells.
        let width = if kind.is_scan() { 256 } else { 310 };
        for turns in [Turns::FirstAhead, Turns::LastAhead] {
            run(kind, Version::Global, options(1, 1, width, 300), 1, turns).0.check().unwrap();
        }
    }
}

#[test]
fn seeds_change_the_input() {
    for kind in WaveKind::ALL {
        let sum = |seed| {
            let options = WaveOptions { seed, ..options(2, 2, 20, 20) };
            run(kind, Version::Global, options, 9, Turns::Together).0.check().unwrap().checksum
        };
        assert_ne!(sum(1), sum(2), "{kind}");
    }
}

/// Instructions of a single tile of 9 x 8 cells, which has 16 diagonals and needs one warp of eight.
fn of_one_tile(kind: WaveKind) -> impl Fn(Class) -> u64 {
    let (_, tally) = run(kind, Version::Global, options(1, 1, 9, 8), 1, Turns::Together);
    move |class| tally.of(class)
}

/// Words of its borders: a load and a store in two warps.
const BORDER_WARPS: u64 = (9 + 1 + 8 + 9 + 8u64).div_ceil(32);
const STEPS: u64 = 16;
const WARPS: u64 = 8;

#[test]
fn a_step_is_the_sheets_list() {
    let dtw = of_one_tile(WaveKind::Dtw);
    assert_eq!([Class::LoadShared, Class::Fp, Class::StoreGlobal].map(&dtw), [5, 5, 1].map(|n| n * STEPS));
    assert_eq!(dtw(Class::StoreShared), BORDER_WARPS + STEPS);
    assert_eq!(dtw(Class::LoadGlobal), BORDER_WARPS);
    assert_eq!(dtw(Class::Barrier), WARPS * (1 + STEPS));
    // I4, I2 per turn of the border's loop, I3 and I2 per step, I2 in each other warp.
    assert_eq!(dtw(Class::Int), WARPS * 4 + 2 * BORDER_WARPS + 3 * STEPS + 2 * STEPS * WARPS);

    let heat = of_one_tile(WaveKind::Heat2d);
    assert_eq!([Class::LoadShared, Class::Fp, Class::StoreGlobal].map(&heat), [4, 6, 1].map(|n| n * STEPS));
    assert_eq!(heat(Class::StoreShared), BORDER_WARPS + 2 * STEPS);
    assert_eq!(heat(Class::LoadGlobal), BORDER_WARPS + STEPS);
    assert_eq!(heat(Class::Barrier), WARPS * (1 + STEPS + 3), "three steps fetch old values only");

    let sor = of_one_tile(WaveKind::Sor);
    assert_eq!([Class::LoadShared, Class::Fp, Class::StoreGlobal].map(&sor), [4, 7, 1].map(|n| n * STEPS));
    assert_eq!(sor(Class::LoadGlobal), BORDER_WARPS + 2 * STEPS);
    let heat_without_early = heat(Class::Int) - 2 * 3 * WARPS;
    assert_eq!(sor(Class::Int) - 2 * 3 * WARPS, heat_without_early, "I1 and I2 for I3");

    let sw = of_one_tile(WaveKind::Sw);
    // 5 per step, and in the tree two in every warp that takes part: 4, 2, 1 of them, then one, five times.
    assert_eq!(sw(Class::LoadShared), 5 * STEPS + 2 * (4 + 2 + 1 + 5));
    assert_eq!((sw(Class::StoreGlobal), sw(Class::Fp)), (STEPS + 2, 0));
    assert_eq!(sw(Class::Barrier), WARPS * (1 + STEPS + 1 + 8));
}

#[test]
fn a_scan_has_three_passes_and_a_histogram_repeats_them_for_each_bin() {
    // 72 pixels in three warps; eight rows and nine columns in the first.
    let image = of_one_tile(WaveKind::IntImg);
    assert_eq!(image(Class::LoadGlobal), 3, "no borders");
    assert_eq!((image(Class::LoadShared), image(Class::StoreShared)), (9 + 8 + 3, 3 + 9 + 8));
    assert_eq!((image(Class::StoreGlobal), image(Class::Barrier)), (3, 4 * WARPS));
    let bins = of_one_tile(WaveKind::Hist);
    for class in [Class::LoadGlobal, Class::LoadShared, Class::StoreShared, Class::StoreGlobal, Class::Barrier] {
        assert_eq!(bins(class), 8 * image(class), "{class:?}");
    }
}

#[test]
fn borders_are_stored_for_the_tiles_that_read_them_and_no_others() {
    // Three tiles have one on the right, three one below: 8 columns and 4 rows of them, cell by cell.
    let inner = |columns, rows| {
        let (_, tally) =
            run(WaveKind::Dtw, Version::Global, options(columns, rows, 8 * columns, 4 * rows), 1, Turns::Together);
        tally.of(Class::StoreGlobal)
    };
    let tile = inner(1, 1);
    assert_eq!(inner(4, 1), 4 * tile + 3 * 4);
    assert_eq!(inner(1, 4), 4 * tile + 3 * 8);
}

#[test]
fn the_best_alignment_is_the_first_of_the_highest_scores() {
    let (wave, _) = run(WaveKind::Sw, Version::Global, options(3, 4, 60, 60), 9, Turns::Together);
    let (score, x, y) = wave.best().unwrap();
    // Two strings of which one letter in ten differs: the alignment runs along the diagonal.
    assert!(score > 60 && x.abs_diff(y) < 20 && x > 40, "{score} {x} {y}");
    let mut wrong = wave.clone();
    wrong.values.best.fill(0);
    let error = wrong.check().unwrap_err().to_string();
    let want = format!("wrong result: best (score, x, y) is (0, 0, 0), want ({score}, {x}, {y})");
    assert_eq!(error, want);
    let ties = [(3, 9), (7, 5), (7, 4), (6, 0)];
    assert_eq!(ties.into_iter().reduce(sw::better), Some((7, 4)));
}

#[test]
fn a_wrong_cell_is_told_with_its_place_in_the_matrix() {
    let (mut wave, _) = run(WaveKind::IntImg, Version::Global, options(2, 2, 4, 4), 9, Turns::Together);
    // The first cell of the second tile is cell (2, 0).
    wave.values.matrix[4] += 1;
    let error = wave.check().unwrap_err();
    assert_eq!(error.place, "cell[2]");
}

#[test]
fn what_is_out_of_range_is_refused() {
    let error = |kind, options| Wave::new(kind, Version::Lrr, options).unwrap_err().to_string();
    assert_eq!(
        error(WaveKind::Hist, options(1, 1, 257, 9)),
        "option `columns`: expected so many that no tile is wider than 256, a thread per column, found 1"
    );
    assert_eq!(
        error(WaveKind::Dtw, options(1, 1, 3000, 3000)),
        "option `columns`: expected so many, and rows, that a tile needs at most 48 KB, found 1"
    );
    assert_eq!(
        error(WaveKind::Dtw, options(65, 64, 64, 64)),
        "option `width`: expected a column of cells or more for each column of tiles, found 64"
    );
    assert_eq!(
        error(WaveKind::Dtw, options(256, 256, 256, 256)),
        "the dependency graph: the graph has more than 65535 nodes"
    );
    assert!(Wave::new(WaveKind::Dtw, Version::Global, options(256, 256, 256, 256)).is_ok());
}

#[test]
fn six_tbs_fit_an_sm_in_the_sizes_of_the_source() {
    for kind in [WaveKind::Dtw, WaveKind::Sw, WaveKind::IntImg, WaveKind::Hist] {
        let (width, height) = kind.source_size();
        for side in [32, 64, 96] {
            let bytes = shared_bytes(kind, &Grid::new(side, side, width, height)).unwrap();
            // Only the largest tiles leave room for fewer, in the walk by diagonals.
            assert!(6 * bytes <= MOST_SHARED || side == 32 && !kind.is_scan(), "{kind} {side} {bytes}");
        }
    }
}
