//! The instruction lists of the shortest paths (workloads-SP1 to SP3), and what each instruction does for a thread.
//!
//! ```text
//! clear    I3 S dist2[v]
//! flat     I4 Lrow[v] Lrow[v+1] Ldist[v] (I1 Lcol[e] Lw[e] Ldist[u] I4)* S dist2[v] {S changed}
//! parent   I4 Lrow[v] Lrow[v+1] Ldist[v] {S parameters, K} (as above)* of the rest, A min dist2[v] {S changed}
//! child    I3 Lparameters Lcol[e] Lw[e] Ldist[u] I3 s B (l s I2 B)* thread 0: A min dist2[v] {S changed}
//! ```
//!
//! `I3` and `I4` at the beginning end in the branch that sets lanes without a vertex aside. A child's thread without an arc
//! takes part in the tree with no path. In the tree, `I2` tests which lanes take part in a step.

use super::{INFINITY, Sssp};
use crate::list::Item::{self, A, B, I, If, L, Launch, LoadShared, Receive, S, StoreShared, While};
use crate::list::{List, Place};
use crate::vertex::{ArcWalk, GraphArrays, VertexLoop};
use crate::warp::CHAIN;

// LEAST is the least distance that the thread knows of.
registers!(1: FIRST END EDGE U WEIGHT DIST LEAST THREAD PARAMETERS OTHER);

pub(super) const CLEAR: List<Sssp> = &[If(3, Sssp::has_vertex, 0, &[S(Sssp::clear, CHAIN)])];

pub(super) const FLAT: List<Sssp> = &[If(
    4,
    Sssp::has_vertex,
    0,
    &[
        L(Sssp::row_first, CHAIN, FIRST),
        L(Sssp::row_end, CHAIN, END),
        L(Sssp::own_dist, CHAIN, LEAST),
        PULL,
        S(Sssp::store_least, LEAST),
        CHANGED,
    ],
)];

pub(super) const PARENT: List<Sssp> = &[If(
    4,
    Sssp::has_vertex,
    0,
    &[
        L(Sssp::row_first, CHAIN, FIRST),
        L(Sssp::row_end, CHAIN, END),
        L(Sssp::own_dist, CHAIN, LEAST),
        If(2, Sssp::is_wide, FIRST | END, &[Launch(FIRST | END | LEAST)]),
        PULL,
        A(Sssp::min_least, LEAST, 0),
        CHANGED,
    ],
)];

/// The least over the arcs that are the thread's own.
const PULL: Item<Sssp> = While(
    2,
    Sssp::has_arc,
    EDGE,
    &[
        I(1, CHAIN | FIRST | END, EDGE),
        L(Sssp::col, EDGE, U),
        L(Sssp::weight, EDGE, WEIGHT),
        L(Sssp::neighbour_dist, U, DIST),
        I(4, WEIGHT | DIST | LEAST, LEAST),
    ],
);

const CHANGED: Item<Sssp> = If(2, Sssp::improves, LEAST, &[S(Sssp::set_changed, 0)]);

pub(super) const CHILD: List<Sssp> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(
        0,
        Sssp::has_arc,
        0,
        &[
            L(Sssp::col, THREAD | PARAMETERS, U),
            L(Sssp::weight, THREAD | PARAMETERS, WEIGHT),
            L(Sssp::neighbour_dist, U, DIST),
        ],
    ),
    I(3, WEIGHT | DIST, LEAST),
    StoreShared(Sssp::put_least, LEAST),
    B,
    While(
        0,
        Sssp::in_tree,
        0,
        &[
            If(
                2,
                Sssp::takes_other,
                THREAD,
                &[LoadShared(Sssp::other_least, 0, OTHER), StoreShared(Sssp::put_least, LEAST | OTHER)],
            ),
            Item::Let(Sssp::next_step),
            B,
        ],
    ),
    If(0, Sssp::is_first_thread, 0, &[A(Sssp::min_least, LEAST | OTHER, 0), CHANGED]),
];

/// A thread, of a vertex or of a child. What it knows of its own vertex is the distance before this round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    pub(super) walk: ArcWalk,
    weight: u32,
    /// The least distance found in this round.
    least: u32,
    /// Threads of the TB that still hold a value in the tree.
    width: u32,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { walk: ArcWalk::at(place), weight: 0, least: INFINITY, width: place.tb_threads }
    }
}

impl VertexLoop for Sssp {
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
impl Sssp {
    fn clear(&mut self, t: &mut Thread) -> u64 {
        self.dist2[t.walk.v as usize] = INFINITY;
        self.dist_arrays().1.at(t.walk.v)
    }

    fn own_dist(&mut self, t: &mut Thread) -> u64 {
        t.walk.own = self.dist[t.walk.v as usize];
        t.least = t.walk.own;
        self.pulled += 1;
        self.dist_arrays().0.at(t.walk.v)
    }

    fn weight(&mut self, t: &mut Thread) -> u64 {
        t.weight = self.graph.csr.weights().map_or(1, |weights| weights[t.walk.edge as usize]);
        self.memory.weight.at(t.walk.edge)
    }

    fn neighbour_dist(&mut self, t: &mut Thread) -> u64 {
        t.least = t.least.min(self.dist[t.walk.u as usize].saturating_add(t.weight));
        t.walk.edge += 1;
        self.dist_arrays().0.at(t.walk.u)
    }

    fn store_least(&mut self, t: &mut Thread) -> u64 {
        self.dist2[t.walk.v as usize] = t.least;
        self.dist_arrays().1.at(t.walk.v)
    }

    fn min_least(&mut self, t: &mut Thread) -> u64 {
        let dist2 = &mut self.dist2[t.walk.v as usize];
        *dist2 = t.least.min(*dist2);
        self.dist_arrays().1.at(t.walk.v)
    }

    fn improves(&self, t: &Thread) -> bool {
        t.least < t.walk.own
    }

    fn set_changed(&mut self, _: &mut Thread) -> u64 {
        self.changed = true;
        self.memory.changed.at(0)
    }

    fn put_least(&mut self, t: &mut Thread) -> u64 {
        *self.device.shared(t.walk.place.room, t.walk.place.in_tb) = t.least;
        u64::from(4 * t.walk.place.in_tb)
    }

    fn in_tree(&self, t: &Thread) -> bool {
        t.width > 1
    }

    /// The upper half of the values is folded onto the lower one; of an odd number, the middle one stays.
    fn takes_other(&self, t: &Thread) -> bool {
        t.walk.place.in_tb < t.width / 2
    }

    fn other_least(&mut self, t: &mut Thread) -> u64 {
        let other = t.walk.place.in_tb + t.width.div_ceil(2);
        t.least = t.least.min(*self.device.shared(t.walk.place.room, other));
        u64::from(4 * other)
    }

    fn next_step(&mut self, t: &mut Thread) {
        t.width = t.width.div_ceil(2);
    }

    fn is_first_thread(&self, t: &Thread) -> bool {
        t.walk.place.in_tb == 0
    }
}
