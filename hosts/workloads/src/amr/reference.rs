//! The mesh by recursion, for the check (workloads-AM5): places are worked out of whole numbers, and a cell is followed by its refinement.

use super::{AmrOptions, Seen};

/// A cell by its column and row in the grid of its level.
#[derive(Clone, Copy)]
struct Whole {
    level: u32,
    column: u32,
    row: u32,
}

impl Whole {
    fn base(options: &AmrOptions) -> impl Iterator<Item = Self> + use<> {
        let side = options.side;
        (0..side).flat_map(move |row| (0..side).map(move |column| Self { level: 0, column, row }))
    }

    fn refinement(self) -> impl Iterator<Item = Self> {
        let Self { level, column, row } = self;
        (0..8)
            .flat_map(move |y| (0..8).map(move |x| Self { level: level + 1, column: 8 * column + x, row: 8 * row + y }))
    }

    fn seen(self, options: &AmrOptions) -> Seen {
        let side = (options.side << (3 * self.level)) as f32;
        let at = [self.column, self.row].map(|place| (place as f32 + 0.5) / side);
        Seen { level: self.level, at, temperature: options.temperature(at) }
    }
}

/// How many cells there are. Those of the last level are not looked at.
pub(super) fn count(options: &AmrOptions) -> u64 {
    fn of(cell: Whole, options: &AmrOptions) -> u64 {
        if cell.level >= options.depth || !is_hot(cell.seen(options)) {
            return 1;
        }
        if cell.level + 1 == options.depth {
            65
        } else {
            1 + cell.refinement().map(|cell| of(cell, options)).sum::<u64>()
        }
    }
    Whole::base(options).map(|cell| of(cell, options)).sum()
}

/// All cells.
pub(super) fn cells(options: &AmrOptions) -> Vec<Seen> {
    fn add(cell: Whole, options: &AmrOptions, all: &mut Vec<Seen>) {
        let seen = cell.seen(options);
        all.push(seen);
        if cell.level < options.depth && is_hot(seen) {
            cell.refinement().for_each(|cell| add(cell, options, all));
        }
    }
    let mut all = Vec::new();
    Whole::base(options).for_each(|cell| add(cell, options, &mut all));
    all
}

/// Whether the energy asks for a refinement (workloads-AM2).
fn is_hot(Seen { level, temperature, .. }: Seen) -> bool {
    let root = root(temperature / 100.0);
    let power = (root * root + 1.0) * root;
    let square = power * power;
    square * square * square > 1093.5 * 64_f32.powi(level as i32)
}

/// The root of z^3 + z = b, by Newton's method.
fn root(b: f32) -> f32 {
    let mut root = 1.0_f32;
    for _ in 0..20 {
        let step = (root * root * root + root - b) / (3.0 * (root * root) + 1.0);
        root -= step;
        if step.abs() <= 1e-4 * root {
            break;
        }
    }
    root
}
