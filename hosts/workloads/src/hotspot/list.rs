//! The instruction lists of the heat of a chip (workloads-FK12, workloads-PK7), and what each instruction does for a thread.
//!
//! ```text
//! grid  L L s s B ({l6 F12 s} B {l s} B I2)* {S}
//! loop  ((I4 L x6 F12 S I2)* B I2)*
//! ```
//!
//! In *grid* the lanes of the rim that has fallen away are predicated off. In *loop*, lanes whose neighbour is outside of the chip
//! are left out of its load. A step reads one array of temperatures and writes the other. `F12` is the flow from two of the neighbours,
//! and that from the others and the air, side by side.

use super::{AMBIENT, Hotspot, RATE, TB_THREADS, TILE, TO_AIR, TO_NEIGHBOUR};
use crate::list::Item::{B, FF, I, If, L, Let, LoadShared, S, StoreShared, While};
use crate::list::{List, Place};
use crate::spread::Items;
use crate::warp::{CHAIN, one_of};
use gpusched_refgpu::program::Regs;

const CELL: Regs = 1 << 1;
const HEAT: Regs = 1 << 2;
const POWER: Regs = 1 << 3;
const AROUND: Regs = 0b1111 << 4;

/// The neighbours of a cell, by their places in [`Thread::around`].
const NORTH: usize = 0;
const SOUTH: usize = 1;
const WEST: usize = 2;
const EAST: usize = 3;

pub(super) const GRID: List<Hotspot> = &[
    If(
        0,
        Hotspot::is_inside,
        0,
        &[
            L(Hotspot::load_heat, 0, HEAT),
            L(Hotspot::load_power, 0, POWER),
            StoreShared(Hotspot::put_heat, HEAT),
            StoreShared(Hotspot::put_power, POWER),
        ],
    ),
    B,
    While(
        2,
        Hotspot::has_step,
        0,
        &[
            If(
                0,
                Hotspot::computes,
                0,
                &[
                    LoadShared(Hotspot::get_heat, 0, HEAT),
                    LoadShared(Hotspot::get_power, 0, POWER),
                    LoadShared(Hotspot::get::<NORTH>, 0, one_of(AROUND, NORTH)),
                    LoadShared(Hotspot::get::<SOUTH>, 0, one_of(AROUND, SOUTH)),
                    LoadShared(Hotspot::get::<WEST>, 0, one_of(AROUND, WEST)),
                    LoadShared(Hotspot::get::<EAST>, 0, one_of(AROUND, EAST)),
                    FF(12, HEAT | POWER | AROUND, HEAT),
                    StoreShared(Hotspot::put_next, HEAT),
                ],
            ),
            B,
            If(
                0,
                Hotspot::computes,
                0,
                &[LoadShared(Hotspot::get_next, 0, HEAT), StoreShared(Hotspot::put_heat, HEAT)],
            ),
            Let(Hotspot::next_step),
            B,
        ],
    ),
    If(0, Hotspot::is_own, 0, &[S(Hotspot::store_own, HEAT)]),
];

pub(super) const LOOP: List<Hotspot> = &[While(
    2,
    Hotspot::has_step,
    0,
    &[
        While(
            2,
            Hotspot::has_cell,
            CELL,
            &[
                I(4, CELL, CHAIN),
                L(Hotspot::own_heat, CHAIN, HEAT),
                L(Hotspot::own_power, CHAIN, POWER),
                If(0, Hotspot::has::<NORTH>, 0, &[L(Hotspot::load::<NORTH>, CHAIN, one_of(AROUND, NORTH))]),
                If(0, Hotspot::has::<SOUTH>, 0, &[L(Hotspot::load::<SOUTH>, CHAIN, one_of(AROUND, SOUTH))]),
                If(0, Hotspot::has::<WEST>, 0, &[L(Hotspot::load::<WEST>, CHAIN, one_of(AROUND, WEST))]),
                If(0, Hotspot::has::<EAST>, 0, &[L(Hotspot::load::<EAST>, CHAIN, one_of(AROUND, EAST))]),
                FF(12, HEAT | POWER | AROUND, HEAT),
                S(Hotspot::store, HEAT),
                Let(Hotspot::next_cell),
            ],
        ),
        Let(Hotspot::restart),
        B,
    ],
)];

/// A thread, with the values around its cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    /// Steps done in this kernel.
    step: u32,
    heat: f32,
    power: f32,
    around: [f32; 4],
    /// *grid*: its cell, if that is inside: column, row.
    cell: Option<(u32, u32)>,
    /// *loop*: its cells.
    cells: Items,
}

impl Thread {
    pub(super) fn new(place: Place, of: &Hotspot) -> Self {
        let side = of.own_side();
        let (tile_x, tile_y) = (place.tb % of.tile_columns() * side, place.tb / of.tile_columns() * side);
        let inside =
            |at: u32, of_tile: u32, end: u32| (at + of_tile).checked_sub(of.options.pyramid).filter(|&at| at < end);
        let (x, y) = Self::in_tile(place);
        let cell = inside(tile_x, x, of.options.width).zip(inside(tile_y, y, of.options.height));
        Self { place, cell, cells: of.options.spread.items(place, of.options.cells()), ..Self::default() }
    }

    const fn in_tile(place: Place) -> (u32, u32) {
        (place.in_tb % TILE, place.in_tb / TILE)
    }

    /// How many cells it is from the nearest side of the tile.
    fn cells_to_side(&self) -> u32 {
        let (x, y) = Self::in_tile(self.place);
        [x, y, TILE - 1 - x, TILE - 1 - y].into_iter().min().unwrap_or_default()
    }

    /// The temperature after a step.
    fn warmed(&self) -> f32 {
        let [north, south, west, east] = self.around;
        let from_neighbours = (north + south + west + east - 4.0 * self.heat) * TO_NEIGHBOUR;
        let from_air = (AMBIENT - self.heat) * TO_AIR;
        self.heat + RATE * (self.power + from_neighbours + from_air)
    }
}

// What both lists do, for one thread.
impl Hotspot {
    fn has_step(&self, t: &Thread) -> bool {
        t.step < self.steps
    }

    /// Whether a cell has this neighbour inside the chip.
    const fn has_neighbour<const SIDE: usize>(&self, (x, y): (u32, u32)) -> bool {
        match SIDE {
            NORTH => y > 0,
            SOUTH => y + 1 < self.options.height,
            WEST => x > 0,
            _ => x + 1 < self.options.width,
        }
    }

    /// The place of a neighbour, where a row is `pitch` places.
    const fn beside<const SIDE: usize>(at: u32, pitch: u32) -> u32 {
        match SIDE {
            NORTH => at - pitch,
            SOUTH => at + pitch,
            WEST => at - 1,
            _ => at + 1,
        }
    }
}

/// The tiles in shared memory.
const HEAT_TILE: u32 = 0;
const POWER_TILE: u32 = TB_THREADS;
const NEXT_TILE: u32 = 2 * TB_THREADS;

// What the grid does, for one thread.
impl Hotspot {
    fn is_inside(&self, t: &Thread) -> bool {
        t.cell.is_some()
    }

    /// Inside, and not yet fallen away.
    fn computes(&self, t: &Thread) -> bool {
        t.cell.is_some() && t.cells_to_side() > t.step
    }

    fn is_own(&self, t: &Thread) -> bool {
        t.cell.is_some() && t.cells_to_side() >= self.options.pyramid
    }

    fn next_step(&mut self, t: &mut Thread) {
        t.step += 1;
    }

    fn cell(&self, t: &Thread) -> u32 {
        let (x, y) = t.cell.unwrap_or_default();
        y * self.options.width + x
    }

    fn load_heat(&mut self, t: &mut Thread) -> u64 {
        let cell = self.cell(t);
        t.heat = self.heat[0][cell as usize];
        self.memory.heat[0].at(cell)
    }

    fn load_power(&mut self, t: &mut Thread) -> u64 {
        let cell = self.cell(t);
        t.power = self.power[cell as usize];
        self.memory.power.at(cell)
    }

    fn put(&mut self, t: &Thread, tile: u32, value: f32) -> u64 {
        let word = tile + t.place.in_tb;
        *self.device.shared(t.place.room, word) = value.to_bits();
        4 * u64::from(word)
    }

    fn get_word(&mut self, t: &Thread, word: u32) -> (f32, u64) {
        (f32::from_bits(*self.device.shared(t.place.room, word)), 4 * u64::from(word))
    }

    fn put_heat(&mut self, t: &mut Thread) -> u64 {
        self.put(t, HEAT_TILE, t.heat)
    }

    fn put_power(&mut self, t: &mut Thread) -> u64 {
        self.put(t, POWER_TILE, t.power)
    }

    fn put_next(&mut self, t: &mut Thread) -> u64 {
        self.put(t, NEXT_TILE, t.warmed())
    }

    fn get_heat(&mut self, t: &mut Thread) -> u64 {
        let (heat, address) = self.get_word(t, HEAT_TILE + t.place.in_tb);
        t.heat = heat;
        address
    }

    fn get_power(&mut self, t: &mut Thread) -> u64 {
        let (power, address) = self.get_word(t, POWER_TILE + t.place.in_tb);
        t.power = power;
        address
    }

    fn get_next(&mut self, t: &mut Thread) -> u64 {
        let (heat, address) = self.get_word(t, NEXT_TILE + t.place.in_tb);
        t.heat = heat;
        address
    }

    /// A neighbour in the tile, or the cell itself at the side of the chip.
    fn get<const SIDE: usize>(&mut self, t: &mut Thread) -> u64 {
        let here = HEAT_TILE + t.place.in_tb;
        let is_there = self.has_neighbour::<SIDE>(t.cell.unwrap_or_default());
        let (heat, address) = self.get_word(t, if is_there { Self::beside::<SIDE>(here, TILE) } else { here });
        t.around[SIDE] = heat;
        address
    }

    fn store_own(&mut self, t: &mut Thread) -> u64 {
        let cell = self.cell(t);
        self.heat[1][cell as usize] = t.heat;
        self.done += u64::from(self.steps);
        self.memory.heat[1].at(cell)
    }
}

// What the loop does, for one thread.
impl Hotspot {
    fn has_cell(&self, t: &Thread) -> bool {
        t.cells.left()
    }

    fn next_cell(&mut self, t: &mut Thread) {
        t.cells.advance();
    }

    /// To the first cell, for the next step.
    fn restart(&mut self, t: &mut Thread) {
        t.cells = self.options.spread.items(t.place, self.options.cells());
        t.step += 1;
    }

    /// Which of the arrays holds the temperatures before the step.
    const fn old(t: &Thread) -> usize {
        t.step as usize % 2
    }

    /// Stands for the neighbours, too, which are loaded later, if they are there.
    fn own_heat(&mut self, t: &mut Thread) -> u64 {
        let (at, old) = (t.cells.at, Self::old(t));
        t.heat = self.heat[old][at as usize];
        t.around = [t.heat; 4];
        self.memory.heat[old].at(at)
    }

    fn own_power(&mut self, t: &mut Thread) -> u64 {
        t.power = self.power[t.cells.at as usize];
        self.memory.power.at(t.cells.at)
    }

    fn has<const SIDE: usize>(&self, t: &Thread) -> bool {
        self.has_neighbour::<SIDE>((t.cells.at % self.options.width, t.cells.at / self.options.width))
    }

    fn load<const SIDE: usize>(&mut self, t: &mut Thread) -> u64 {
        let (at, old) = (Self::beside::<SIDE>(t.cells.at, self.options.width), Self::old(t));
        t.around[SIDE] = self.heat[old][at as usize];
        self.memory.heat[old].at(at)
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        let (at, new) = (t.cells.at, 1 - Self::old(t));
        self.heat[new][at as usize] = t.warmed();
        self.done += 1;
        self.memory.heat[new].at(at)
    }
}
