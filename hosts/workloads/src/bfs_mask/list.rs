//! The instruction lists of the search (workloads-FK5), and what each instruction does for a thread.
//!
//! ```text
//! expand   I3 Lmask {Smask Lnode x2 (I1 Ledge Lvisited {Lcost Scost Supdating} I3)*}
//! advance  I3 Lupdating {Smask Svisited Sover Supdating}
//! ```
//!
//! `I3` at the beginning ends in the branch that sets lanes without a vertex aside, that of the loop counts and branches. Threads
//! that find the same vertex store the same level.

use super::MaskBfs;
use crate::list::Item::{I, If, L, LoadByte, S, StoreByte, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;

registers!(1: MASK FIRST COUNT AT TO VISITED COST);

pub(super) const EXPAND: List<MaskBfs> = &[If(
    3,
    MaskBfs::has_vertex,
    0,
    &[
        LoadByte(MaskBfs::mask, CHAIN, MASK),
        If(
            2,
            MaskBfs::in_mask,
            MASK,
            &[
                StoreByte(MaskBfs::leave_mask, 0),
                L(MaskBfs::first, 0, FIRST),
                L(MaskBfs::count, 0, COUNT),
                While(
                    3,
                    MaskBfs::has_edge,
                    AT,
                    &[
                        I(1, CHAIN | FIRST | COUNT, AT),
                        L(MaskBfs::edge, AT, TO),
                        LoadByte(MaskBfs::visited, TO, VISITED),
                        If(
                            2,
                            MaskBfs::is_new,
                            VISITED,
                            &[
                                L(MaskBfs::own_cost, 0, COST),
                                S(MaskBfs::store_cost, TO | COST),
                                StoreByte(MaskBfs::mark, TO),
                            ],
                        ),
                    ],
                ),
            ],
        ),
    ],
)];

pub(super) const ADVANCE: List<MaskBfs> = &[If(
    3,
    MaskBfs::has_vertex,
    0,
    &[
        LoadByte(MaskBfs::updating, CHAIN, MASK),
        If(
            2,
            MaskBfs::is_marked,
            MASK,
            &[
                StoreByte(MaskBfs::enter_mask, 0),
                StoreByte(MaskBfs::visit, 0),
                StoreByte(MaskBfs::go_on, 0),
                StoreByte(MaskBfs::unmark, 0),
            ],
        ),
    ],
)];

/// A thread, of the vertex of its own number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    v: u32,
    /// What it has read of its vertex's bytes, and of its neighbour's.
    on: bool,
    visited: bool,
    edge: u32,
    left: u32,
    to: u32,
    cost: u32,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { v: place.index(), ..Self::default() }
    }
}

impl MaskBfs {
    fn has_vertex(&self, t: &Thread) -> bool {
        t.v < self.graph.vertices()
    }

    fn mask(&mut self, t: &mut Thread) -> u64 {
        t.on = self.mask[t.v as usize];
        self.memory.mask.at(t.v)
    }

    fn in_mask(&self, t: &Thread) -> bool {
        t.on
    }

    fn leave_mask(&mut self, t: &mut Thread) -> u64 {
        self.mask[t.v as usize] = false;
        self.memory.mask.at(t.v)
    }

    fn first(&mut self, t: &mut Thread) -> u64 {
        t.edge = self.graph.row()[t.v as usize];
        self.memory.node.at(t.v)
    }

    fn count(&mut self, t: &mut Thread) -> u64 {
        t.left = self.graph.degree(t.v);
        self.memory.node.at(t.v) + 4
    }

    fn has_edge(&self, t: &Thread) -> bool {
        t.left > 0
    }

    fn edge(&mut self, t: &mut Thread) -> u64 {
        let index = t.edge;
        t.to = self.graph.col()[index as usize];
        (t.edge, t.left) = (index + 1, t.left - 1);
        self.memory.edge.at(index)
    }

    fn visited(&mut self, t: &mut Thread) -> u64 {
        t.visited = self.visited[t.to as usize];
        self.memory.visited.at(t.to)
    }

    fn is_new(&self, t: &Thread) -> bool {
        !t.visited
    }

    fn own_cost(&mut self, t: &mut Thread) -> u64 {
        t.cost = self.cost[t.v as usize];
        self.memory.cost.at(t.v)
    }

    fn store_cost(&mut self, t: &mut Thread) -> u64 {
        self.cost[t.to as usize] = t.cost + 1;
        self.memory.cost.at(t.to)
    }

    fn mark(&mut self, t: &mut Thread) -> u64 {
        self.updating[t.to as usize] = true;
        self.memory.updating.at(t.to)
    }

    fn updating(&mut self, t: &mut Thread) -> u64 {
        t.on = self.updating[t.v as usize];
        self.memory.updating.at(t.v)
    }

    fn is_marked(&self, t: &Thread) -> bool {
        t.on
    }

    fn enter_mask(&mut self, t: &mut Thread) -> u64 {
        self.mask[t.v as usize] = true;
        self.memory.mask.at(t.v)
    }

    fn visit(&mut self, t: &mut Thread) -> u64 {
        self.visited[t.v as usize] = true;
        self.settled += 1;
        self.memory.visited.at(t.v)
    }

    fn go_on(&mut self, _: &mut Thread) -> u64 {
        self.over = true;
        self.memory.over.at(0)
    }

    fn unmark(&mut self, t: &mut Thread) -> u64 {
        self.updating[t.v as usize] = false;
        self.memory.updating.at(t.v)
    }
}
