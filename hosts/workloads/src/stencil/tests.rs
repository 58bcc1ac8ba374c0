//! What the stencil computes and issues, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

fn run(options: StencilOptions, turns: Turns) -> (Stencil, Tally) {
    finished(Stencil::new(options), 3, turns)
}

fn sized(width: u32, depth: u32, height: u32, sweeps: u32) -> StencilOptions {
    StencilOptions { width, depth, height, sweeps, seed: 5 }
}

#[test]
fn cells_are_those_of_a_sequential_program() {
    for (width, depth, height) in [(3, 3, 3), (64, 8, 7), (45, 9, 4), (33, 5, 10)] {
        for sweeps in [1, 2, 5] {
            let sums = [Turns::Together, Turns::FirstAhead, Turns::LastAhead]
                .map(|turns| run(sized(width, depth, height, sweeps), turns).0.check().unwrap());
            assert!(sums.iter().all(|sum| *sum == sums[0]), "{width} {depth} {height} {sweeps}");
        }
    }
}

#[test]
fn the_list_is_the_sheets() {
    // 2 x 2 TBs of four warps; the rows at the border have no lane inside.
    let (_, tally) = run(sized(64, 8, 12, 1), Turns::Together);
    let (warps, inside, turns) = (16, 12, 10);
    assert_eq!(tally.of(Class::Int), 4 * warps + inside * turns * (4 + 2));
    assert_eq!(tally.of(Class::LoadGlobal), inside * (2 + 5 * turns));
    assert_eq!((tally.of(Class::Fp), tally.of(Class::StoreGlobal)), (inside * turns * 8, inside * turns));
    assert_eq!(tally.issued, 5 * warps + inside * (2 + turns * 20));
    assert_eq!(tally.mean_lanes(Class::StoreGlobal), 31.0, "one column of each row of TBs is on the border");
    // East of a warp, or west of it, is another line.
    assert_eq!(tally.transactions_each(Class::StoreGlobal), 1.0);
    assert_eq!(tally.transactions[&Class::LoadGlobal], inside * (2 + 6 * turns));
    let kernel = tally.kernels[0];
    assert_eq!((kernel.tb.x, kernel.grid.x, kernel.regs, kernel.smem), (128, 4, 48 * 128, 0));
}

#[test]
fn a_wrong_cell_is_told_with_its_place() {
    let (mut stencil, _) = run(sized(5, 5, 5, 2), Turns::Together);
    stencil.cells[0][31] = 9.0;
    let error = stencil.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.got.as_str()), ("cell[31]", "9"));
}

#[test]
fn what_is_out_of_range_is_refused() {
    let error = |options| Stencil::new(options).unwrap_err().to_string();
    for (option, options) in [("width", sized(2, 9, 9, 1)), ("depth", sized(9, 2, 9, 1)), ("height", sized(9, 9, 2, 1))]
    {
        assert_eq!(error(options), format!("option `{option}`: expected 3 to 8192, found 2"));
    }
    assert_eq!(error(sized(8192, 8192, 3, 1)), "option `height`: expected at most 2^27 cells in all, found 3");
    assert_eq!(error(sized(9, 9, 9, 0)), "option `sweeps`: expected 1 to 1000, found 0");
    assert!(toml::from_str::<StencilOptions>("x = 5").unwrap_err().to_string().contains('x'));
}
