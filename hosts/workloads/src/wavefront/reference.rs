//! The sequential programs that the wavefronts are checked against: row by row over the whole matrix, in the memory of a few rows.

use super::WaveKind;
use super::grid::Grid;
use super::input::{Values, force, old_value, pixel};

/// What the result has to be, row by row, plane by plane; floats as their bits.
pub fn expected<'a>(
    kind: WaveKind,
    grid: &'a Grid,
    values: &'a Values,
    seed: u64,
) -> Box<dyn Iterator<Item = u32> + 'a> {
    match kind {
        WaveKind::Dtw => Box::new(time_warping(&values.across, &values.down)),
        WaveKind::Sw => Box::new(alignment(&values.across, &values.down)),
        WaveKind::Heat2d => Box::new(sweep(grid, seed, |_, _, old, around| old + 0.1 * (around - 4.0 * old))),
        WaveKind::Sor => Box::new(sweep(grid, seed, move |x, y, old, around| {
            old + 1.5 * ((around + force(seed, grid, x, y)) * 0.25 - old)
        })),
        WaveKind::IntImg => Box::new(integral(grid, move |x, y| pixel(seed, grid, x, y).into())),
        WaveKind::Hist => Box::new((0..kind.planes()).flat_map(move |bin| {
            let width = 256 / kind.planes();
            integral(grid, move |x, y| u32::from(u32::from(pixel(seed, grid, x, y)) / width == bin))
        })),
    }
}

/// The words of all rows, made one after the other.
fn rows<'a>(height: u32, row: impl FnMut(u32) -> Vec<u32> + 'a) -> impl Iterator<Item = u32> + 'a {
    (0..height).flat_map(row)
}

fn time_warping<'a>(a: &'a [u32], b: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut above = vec![f32::INFINITY; a.len()];
    rows(b.len() as u32, move |y| {
        let b = f32::from_bits(b[y as usize]);
        let mut west = f32::INFINITY;
        let mut north_west = if y == 0 { 0.0 } else { f32::INFINITY };
        for (cell, &a) in above.iter_mut().zip(a) {
            let mut least = west;
            for other in [*cell, north_west] {
                if other < least {
                    least = other;
                }
            }
            north_west = *cell;
            west = (f32::from_bits(a) - b).abs() + least;
            *cell = west;
        }
        above.iter().map(|d| d.to_bits()).collect()
    })
}

fn alignment<'a>(a: &'a [u32], b: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut above = vec![0i64; a.len()];
    rows(b.len() as u32, move |y| {
        let (mut west, mut north_west) = (0, 0);
        for (cell, a) in above.iter_mut().zip(a) {
            let paired = if *a == b[y as usize] { north_west + 2 } else { north_west - 1 };
            north_west = *cell;
            west = (west - 1).max(*cell - 1).max(paired).max(0);
            *cell = west;
        }
        above.iter().map(|&score| score as u32).collect()
    })
}

/// One sweep in place: `cell` gets the place, the old value, and the sum of the four neighbours.
fn sweep<'a>(
    grid: &'a Grid,
    seed: u64,
    cell: impl Fn(u32, u32, f32, f32) -> f32 + 'a,
) -> impl Iterator<Item = u32> + 'a {
    let old_row = move |y: u32| -> Vec<f32> {
        let is_inside = y < grid.height;
        (0..grid.width).map(|x| if is_inside { old_value(seed, grid, x, y) } else { 0.0 }).collect()
    };
    let mut above = vec![0.0; grid.width as usize];
    let mut below = old_row(0);
    rows(grid.height, move |y| {
        let old = std::mem::replace(&mut below, old_row(y + 1));
        let mut west = 0.0;
        for (x, north) in above.iter_mut().enumerate() {
            let east = old.get(x + 1).copied().unwrap_or(0.0);
            west = cell(x as u32, y, old[x], *north + west + below[x] + east);
            *north = west;
        }
        above.iter().map(|value| value.to_bits()).collect()
    })
}

fn integral<'a>(grid: &'a Grid, value: impl Fn(u32, u32) -> u32 + 'a) -> impl Iterator<Item = u32> + 'a {
    let mut above = vec![0u32; grid.width as usize];
    rows(grid.height, move |y| {
        let mut row = 0u32;
        for (x, sum) in above.iter_mut().enumerate() {
            row = row.wrapping_add(value(x as u32, y));
            *sum = sum.wrapping_add(row);
        }
        above.clone()
    })
}
