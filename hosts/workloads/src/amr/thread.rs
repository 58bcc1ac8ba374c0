//! What the instructions of the refinement do for a thread. `list.rs` has the lists that they stand in.

use super::{Amr, CHILDREN, Cell};
use crate::device::{Child, Device};
use crate::list::Place;

/// Coefficient of the equation z^3 + a z = b that an evaluation solves (workloads-AM2).
const A: f32 = 1.0;
/// Newton's method ends with a step of this part of the root, or after so many.
const TOLERANCE: f32 = 1e-4;
const MOST_STEPS: u32 = 20;
/// Energy from which on a cell is refined, 1.5, times the 3^6 by which the sixth power is too large.
const THRESHOLD: f32 = 1.5 * 729.0;

/// A thread, of a cell of a level or of a child.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    /// Its cell: number in the pool, and what it knows of it. A child's thread has its parent's at first.
    cell: u32,
    level: u32,
    at: [f32; 2],
    temperature: f32,
    /// Newton's method.
    root: f32,
    steps: u32,
    solved: bool,
    /// The refinement: where it begins in the pool, and the cell of it that is made.
    first: u32,
    number: u32,
    new: Cell,
}

/// The parameter block of a child: the cell that is refined, and where the refinement begins in the pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters {
    at: [f32; 2],
    level: u32,
    first: u32,
}

impl Thread {
    pub(super) fn at(place: Place, first: u32, level: u32) -> Self {
        Self { place, cell: first + place.index(), level, ..Self::default() }
    }

    pub(super) fn give(&self, device: &Device<Parameters>) -> Child<Parameters> {
        let Self { at, level, first, .. } = *self;
        device.child(CHILDREN, Parameters { at, level, first })
    }

    pub(super) const fn receive(&mut self, child: Child<Parameters>) {
        Parameters { at: self.at, level: self.level, first: self.first } = child.parameters;
        self.number = self.place.index();
    }

    const fn new_cell(&self) -> u32 {
        self.first + self.number
    }
}

// What the lists do, for one thread.
impl Amr {
    pub(super) fn has_cell(&self, t: &Thread) -> bool {
        t.cell < self.running.end
    }

    pub(super) fn load_temperature(&mut self, t: &mut Thread) -> u64 {
        t.temperature = self.cells[t.cell as usize].temperature;
        self.memory.temperature.at(t.cell)
    }

    pub(super) fn load_at<const AXIS: usize>(&mut self, t: &mut Thread) -> u64 {
        t.at[AXIS] = self.cells[t.cell as usize].at[AXIS];
        self.memory.at[AXIS].at(t.cell)
    }

    pub(super) fn start_root(&mut self, t: &mut Thread) {
        self.solved += 1;
        t.root = 1.0;
    }

    pub(super) fn is_solving(&self, t: &Thread) -> bool {
        !t.solved
    }

    pub(super) fn next_root(&mut self, t: &mut Thread) {
        let (root, square) = (t.root, t.root * t.root);
        let step = (square * root + A * root - t.temperature / 100.0) / (3.0 * square + A);
        t.root = root - step;
        t.steps += 1;
        t.solved = step.abs() <= TOLERANCE * t.root || t.steps == MOST_STEPS;
    }

    /// Since z^3 + a z is T / 100, and the energy (T / 300)^6 / 64^level.
    pub(super) fn refines(&self, t: &Thread) -> bool {
        let power = (t.root * t.root + A) * t.root;
        let square = power * power;
        t.level < self.options.depth && square * square * square > THRESHOLD * (1_u32 << (6 * t.level)) as f32
    }

    pub(super) fn allocate(&mut self, t: &mut Thread) -> u64 {
        t.first = self.cells.len() as u32;
        self.cells.resize(self.cells.len() + CHILDREN as usize, Cell::default());
        self.memory.next.at(0)
    }

    pub(super) fn store_child(&mut self, t: &mut Thread) -> u64 {
        self.cells[t.cell as usize].child = t.first;
        self.memory.child.at(t.cell)
    }

    pub(super) fn has_new(&self, t: &Thread) -> bool {
        t.number < CHILDREN
    }

    pub(super) fn next_new(&mut self, t: &mut Thread) {
        t.number += 1;
    }

    pub(super) fn make(&mut self, t: &mut Thread) {
        let at = self.options.refined(t.at, t.level, t.number);
        t.new = Cell { temperature: self.options.temperature(at), at, level: t.level + 1, ..Cell::default() };
    }

    /// From here on the thread is that of the cell that it has made.
    pub(super) fn become_new(&mut self, t: &mut Thread) {
        let Cell { temperature, at, level, .. } = t.new;
        *t = Thread { place: t.place, cell: t.new_cell(), level, at, temperature, ..Thread::default() };
    }

    pub(super) fn store_temperature(&mut self, t: &mut Thread) -> u64 {
        self.cells[t.new_cell() as usize].temperature = t.new.temperature;
        self.memory.temperature.at(t.new_cell())
    }

    pub(super) fn store_at<const AXIS: usize>(&mut self, t: &mut Thread) -> u64 {
        self.cells[t.new_cell() as usize].at[AXIS] = t.new.at[AXIS];
        self.memory.at[AXIS].at(t.new_cell())
    }

    pub(super) fn store_level(&mut self, t: &mut Thread) -> u64 {
        self.cells[t.new_cell() as usize].level = t.new.level;
        self.memory.level.at(t.new_cell())
    }
}
