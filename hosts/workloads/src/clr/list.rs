//! The instruction lists of the colouring (workloads-CL2 to CL4), and what each instruction does for a thread.
//!
//! ```text
//! examine  I4 Lcolor[v] {Lprio[v] Lrow[v] Lrow[v+1] (I1 Lcol[e] Lcolor[u] Lprio[u] I5)* {S lose[v]}}
//! parent   I4 Lcolor[v] {Lprio[v] Lrow[v] Lrow[v+1] {S parameters, K} (as above)* of the rest {S lose[v]}}
//! child    I3 Lparameters Lcol[e] Lcolor[u] Lprio[u] I4 {S lose[v]}
//! resolve  I4 Lcolor[v] Llose[v] {S color[v], A add left}
//! ```
//!
//! `I4` at the beginning ends in the branch that sets lanes without a vertex aside. There is no early exit: a thread looks at
//! all neighbours even when it has lost.

use super::{Clr, NONE};
use crate::list::Item::{self, A, I, If, L, Launch, Receive, S, While};
use crate::list::{List, Place};
use crate::vertex::{ArcWalk, GraphArrays, VertexLoop};
use crate::warp::CHAIN;

registers!(1: COLOR PRIO FIRST END EDGE U U_COLOR U_PRIO LOST THREAD PARAMETERS);

pub(super) const FLAT: List<Clr> = &[If(
    4,
    Clr::has_vertex,
    0,
    &[
        L(Clr::own_color, CHAIN, COLOR),
        If(
            2,
            Clr::is_uncolored,
            COLOR,
            &[
                L(Clr::own_priority, CHAIN, PRIO),
                L(Clr::row_first, CHAIN, FIRST),
                L(Clr::row_end, CHAIN, END),
                LOOK,
                If(2, Clr::has_lost, LOST, &[S(Clr::store_lose, 0)]),
            ],
        ),
    ],
)];

pub(super) const PARENT: List<Clr> = &[If(
    4,
    Clr::has_vertex,
    0,
    &[
        L(Clr::own_color, CHAIN, COLOR),
        If(
            2,
            Clr::is_uncolored,
            COLOR,
            &[
                L(Clr::own_priority, CHAIN, PRIO),
                L(Clr::row_first, CHAIN, FIRST),
                L(Clr::row_end, CHAIN, END),
                If(2, Clr::is_wide, FIRST | END, &[Launch(FIRST | END | PRIO)]),
                LOOK,
                If(2, Clr::has_lost, LOST, &[S(Clr::store_lose, 0)]),
            ],
        ),
    ],
)];

/// Is one of the neighbours that are the thread's own greater?
const LOOK: Item<Clr> = While(
    2,
    Clr::has_arc,
    EDGE,
    &[
        I(1, CHAIN | FIRST | END, EDGE),
        L(Clr::col, EDGE, U),
        L(Clr::neighbour_color, U, U_COLOR),
        L(Clr::neighbour_priority, U, U_PRIO),
        I(5, U_COLOR | U_PRIO | PRIO, LOST),
    ],
);

pub(super) const CHILD: List<Clr> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(
        0,
        Clr::has_arc,
        0,
        &[
            L(Clr::col, THREAD | PARAMETERS, U),
            L(Clr::neighbour_color, U, U_COLOR),
            L(Clr::neighbour_priority, U, U_PRIO),
            I(4, U_COLOR | U_PRIO, LOST),
            If(2, Clr::has_lost, LOST, &[S(Clr::store_lose, 0)]),
        ],
    ),
];

pub(super) const RESOLVE: List<Clr> = &[If(
    4,
    Clr::has_vertex,
    0,
    &[
        L(Clr::own_color, CHAIN, COLOR),
        L(Clr::own_lose, CHAIN, LOST),
        If(2, Clr::has_won, COLOR | LOST, &[S(Clr::store_color, 0), A(Clr::one_less, 0, 0)]),
    ],
)];

/// A thread, of a vertex or of a child. What it knows of its own vertex is the priority.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    pub(super) walk: ArcWalk,
    color: u32,
    u_color: u32,
    /// The last iteration in which the vertex lost.
    lose: u32,
    lost: bool,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { walk: ArcWalk::at(place), ..Self::default() }
    }
}

impl VertexLoop for Clr {
    fn graph(&self) -> &GraphArrays {
        &self.graph
    }

    fn walk(thread: &Thread) -> &ArcWalk {
        &thread.walk
    }

    fn walk_mut(thread: &mut Thread) -> &mut ArcWalk {
        &mut thread.walk
    }
}

// What the lists do, for one thread.
impl Clr {
    fn own_color(&mut self, t: &mut Thread) -> u64 {
        t.color = self.color[t.walk.v as usize];
        self.memory.color.at(t.walk.v)
    }

    fn is_uncolored(&self, t: &Thread) -> bool {
        t.color == NONE
    }

    fn own_priority(&mut self, t: &mut Thread) -> u64 {
        t.walk.own = self.priority[t.walk.v as usize];
        self.memory.priority.at(t.walk.v)
    }

    fn neighbour_color(&mut self, t: &mut Thread) -> u64 {
        t.u_color = self.color[t.walk.u as usize];
        self.memory.color.at(t.walk.u)
    }

    fn neighbour_priority(&mut self, t: &mut Thread) -> u64 {
        t.lost |= t.u_color == NONE && (self.priority[t.walk.u as usize], t.walk.u) > (t.walk.own, t.walk.v);
        t.walk.edge += 1;
        self.memory.priority.at(t.walk.u)
    }

    fn has_lost(&self, t: &Thread) -> bool {
        t.lost
    }

    fn store_lose(&mut self, t: &mut Thread) -> u64 {
        self.lose[t.walk.v as usize] = self.iteration;
        self.memory.lose.at(t.walk.v)
    }

    fn own_lose(&mut self, t: &mut Thread) -> u64 {
        t.lose = self.lose[t.walk.v as usize];
        self.memory.lose.at(t.walk.v)
    }

    fn has_won(&self, t: &Thread) -> bool {
        t.color == NONE && t.lose != self.iteration
    }

    fn store_color(&mut self, t: &mut Thread) -> u64 {
        self.color[t.walk.v as usize] = self.iteration;
        self.memory.color.at(t.walk.v)
    }

    fn one_less(&mut self, _: &mut Thread) -> u64 {
        self.left -= 1;
        self.memory.left.at(0)
    }
}
