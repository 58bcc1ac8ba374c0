//! The instruction lists of the pathfinder (workloads-FK10, workloads-PK7), and what each instruction does for a thread.
//!
//! ```text
//! grid  L s B (I4 {l3 I2 Lwall F1 s} B {l s} B I2)* {S}
//! loop  ((I4 Lcost x3 I2 Lwall F1 S I2)* B I2)*
//! ```
//!
//! `I4` of *grid* ends in the branch that sets lanes aside whose columns have fallen away. By the last
//! `S` a TB gives its own columns to the next kernel. In *loop*, lanes without a W or E neighbour are left out of its load. A
//! row reads one array of costs and writes the other.

use super::{Pathfinder, TB_THREADS};
use crate::list::Item::{B, F, I, If, L, Let, LoadShared, S, StoreShared, While};
use crate::list::{List, Place};
use crate::spread::Items;
use crate::warp::{CHAIN, one_of};
use gpusched_refgpu::program::Regs;

const COLUMN: Regs = 1 << 1;
const COST: Regs = 1 << 2;
/// Costs in the west, of the column itself, and in the east.
const AROUND: Regs = 0b111 << 3;
const WEST: Regs = one_of(AROUND, 0);
const OWN: Regs = one_of(AROUND, 1);
const EAST: Regs = one_of(AROUND, 2);
const LEAST: Regs = 1 << 6;
const WALL: Regs = 1 << 7;

pub(super) const GRID: List<Pathfinder> = &[
    If(0, Pathfinder::is_inside, 0, &[L(Pathfinder::load_cost, 0, COST), StoreShared(Pathfinder::put_cost, COST)]),
    B,
    While(
        2,
        Pathfinder::has_step,
        0,
        &[
            If(
                4,
                Pathfinder::computes,
                0,
                &[
                    LoadShared(Pathfinder::shared_west, CHAIN, WEST),
                    LoadShared(Pathfinder::shared_own, CHAIN, OWN),
                    LoadShared(Pathfinder::shared_east, CHAIN, EAST),
                    I(2, AROUND, LEAST),
                    L(Pathfinder::load_wall, CHAIN, WALL),
                    F(1, LEAST | WALL, COST),
                    StoreShared(Pathfinder::put_next, COST),
                ],
            ),
            B,
            If(
                0,
                Pathfinder::computes,
                0,
                &[LoadShared(Pathfinder::get_next, 0, COST), StoreShared(Pathfinder::put_cost, COST)],
            ),
            Let(Pathfinder::next_step),
            B,
        ],
    ),
    If(0, Pathfinder::is_own, 0, &[S(Pathfinder::store_own, COST)]),
];

pub(super) const LOOP: List<Pathfinder> = &[While(
    2,
    Pathfinder::has_step,
    0,
    &[
        While(
            2,
            Pathfinder::has_column,
            COLUMN,
            &[
                I(4, COLUMN, CHAIN),
                L(Pathfinder::own, CHAIN, OWN),
                If(0, Pathfinder::has_west, 0, &[L(Pathfinder::west, CHAIN, WEST)]),
                If(0, Pathfinder::has_east, 0, &[L(Pathfinder::east, CHAIN, EAST)]),
                I(2, AROUND, LEAST),
                L(Pathfinder::wall, CHAIN, WALL),
                F(1, LEAST | WALL, COST),
                S(Pathfinder::store, COST),
                Let(Pathfinder::next_column),
            ],
        ),
        Let(Pathfinder::next_row),
        B,
    ],
)];

/// A thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    /// Rows done in this kernel.
    step: u32,
    /// The least cost around, then with that of the wall.
    cost: f32,
    /// *grid*: its column, if that is inside.
    column: Option<u32>,
    /// *loop*: its columns.
    columns: Items,
}

impl Thread {
    pub(super) fn new(place: Place, of: &Pathfinder) -> Self {
        let first = place.tb * of.own_columns() + place.in_tb;
        let column = first.checked_sub(of.options.pyramid).filter(|&column| column < of.options.columns);
        let columns = of.options.spread.items(place, of.options.columns);
        Self { place, column, columns, ..Self::default() }
    }

    /// How many threads it is from the nearer end of the TB.
    fn threads_to_end(&self) -> u32 {
        self.place.in_tb.min(TB_THREADS - 1 - self.place.in_tb)
    }
}

// What both lists do, for one thread.
impl Pathfinder {
    fn has_step(&self, t: &Thread) -> bool {
        t.step < self.steps
    }

    /// Address of the wall in this column of the row; its cost is added.
    fn pass_wall(&self, t: &mut Thread, column: u32) -> u64 {
        let at = (self.row + t.step) * self.options.columns + column;
        t.cost += self.wall[at as usize];
        self.memory.wall.at(at)
    }
}

// What the grid does, for one thread.
impl Pathfinder {
    fn is_inside(&self, t: &Thread) -> bool {
        t.column.is_some()
    }

    /// Inside, and not yet fallen away.
    fn computes(&self, t: &Thread) -> bool {
        t.column.is_some() && t.threads_to_end() > t.step
    }

    fn is_own(&self, t: &Thread) -> bool {
        t.column.is_some() && t.threads_to_end() >= self.options.pyramid
    }

    fn next_step(&mut self, t: &mut Thread) {
        t.step += 1;
    }

    fn column(t: &Thread) -> u32 {
        t.column.unwrap_or_default()
    }

    fn load_cost(&mut self, t: &mut Thread) -> u64 {
        let column = Self::column(t);
        t.cost = self.cost[0][column as usize];
        self.memory.cost[0].at(column)
    }

    fn put(&mut self, t: &Thread, word: u32) -> u64 {
        *self.device.shared(t.place.room, word) = t.cost.to_bits();
        4 * u64::from(word)
    }

    fn get(&mut self, t: &Thread, word: u32) -> (f32, u64) {
        (f32::from_bits(*self.device.shared(t.place.room, word)), 4 * u64::from(word))
    }

    fn put_cost(&mut self, t: &mut Thread) -> u64 {
        self.put(t, t.place.in_tb)
    }

    fn put_next(&mut self, t: &mut Thread) -> u64 {
        self.put(t, TB_THREADS + t.place.in_tb)
    }

    fn get_next(&mut self, t: &mut Thread) -> u64 {
        let (cost, address) = self.get(t, TB_THREADS + t.place.in_tb);
        t.cost = cost;
        address
    }

    /// The W neighbour, or the own column at the edge of the grid.
    fn shared_west(&mut self, t: &mut Thread) -> u64 {
        let (cost, address) = self.get(t, t.place.in_tb - u32::from(Self::column(t) > 0));
        t.cost = cost;
        address
    }

    fn shared_least(&mut self, t: &mut Thread, word: u32) -> u64 {
        let (cost, address) = self.get(t, word);
        t.cost = t.cost.min(cost);
        address
    }

    fn shared_own(&mut self, t: &mut Thread) -> u64 {
        self.shared_least(t, t.place.in_tb)
    }

    fn shared_east(&mut self, t: &mut Thread) -> u64 {
        let is_last = Self::column(t) + 1 == self.options.columns;
        self.shared_least(t, t.place.in_tb + u32::from(!is_last))
    }

    fn load_wall(&mut self, t: &mut Thread) -> u64 {
        self.pass_wall(t, Self::column(t))
    }

    fn store_own(&mut self, t: &mut Thread) -> u64 {
        let column = Self::column(t);
        self.cost[1][column as usize] = t.cost;
        self.done += u64::from(self.steps);
        self.memory.cost[1].at(column)
    }
}

// What the loop does, for one thread.
impl Pathfinder {
    fn has_column(&self, t: &Thread) -> bool {
        t.columns.left()
    }

    fn next_column(&mut self, t: &mut Thread) {
        t.columns.advance();
    }

    fn next_row(&mut self, t: &mut Thread) {
        t.columns = self.options.spread.items(t.place, self.options.columns);
        t.step += 1;
    }

    fn has_west(&self, t: &Thread) -> bool {
        t.columns.at > 0
    }

    fn has_east(&self, t: &Thread) -> bool {
        t.columns.at + 1 < self.options.columns
    }

    /// Which of the arrays holds the costs of the row before.
    const fn before(t: &Thread) -> usize {
        t.step as usize % 2
    }

    fn cost_above(&self, t: &Thread, column: u32) -> (f32, u64) {
        let before = Self::before(t);
        (self.cost[before][column as usize], self.memory.cost[before].at(column))
    }

    fn own(&mut self, t: &mut Thread) -> u64 {
        let (cost, address) = self.cost_above(t, t.columns.at);
        t.cost = cost;
        address
    }

    fn west(&mut self, t: &mut Thread) -> u64 {
        let (cost, address) = self.cost_above(t, t.columns.at - 1);
        t.cost = t.cost.min(cost);
        address
    }

    fn east(&mut self, t: &mut Thread) -> u64 {
        let (cost, address) = self.cost_above(t, t.columns.at + 1);
        t.cost = t.cost.min(cost);
        address
    }

    fn wall(&mut self, t: &mut Thread) -> u64 {
        self.pass_wall(t, t.columns.at)
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        let (column, after) = (t.columns.at, 1 - Self::before(t));
        self.cost[after][column as usize] = t.cost;
        self.done += 1;
        self.memory.cost[after].at(column)
    }
}
