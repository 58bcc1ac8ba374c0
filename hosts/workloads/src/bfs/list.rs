//! The instruction lists of the search, per warp (workloads-BF1 to BF4), and what each instruction does for a thread.
//!
//! ```text
//! thread   I4 Lq I1 Lrow[v] Lrow[v+1] VISIT
//! dynamic  I4 Lq I1 Lrow[v] Lrow[v+1] {S parameters, K} VISIT of what the child leaves
//! child    I3 Lparameters I1 Lcol Llevel {A cas I1 {A add tail, S q'}}
//! merrill  I4 Lq I1 Lrow[v] Lrow[v+1] ({s} B l VISIT by the TB)* (I2 VISIT by the warp)* VISIT by the thread
//! VISIT    (I1 Lcol[e] I1 Llevel[u] {A cas level[u] I1 {A add tail, S q'[p]}} I3)*
//! ```
//!
//! `I4` ends in the branch that sets lanes without a vertex aside. In Merrill's form they take part in every visit but their
//! own, and the rounds of the TB go on until one finds no candidate.

use super::persistent::Chunk;
use super::{Bfs, TB_THREADS};
use crate::graph::UNREACHED;
use crate::list::Item::{self, A, B, I, If, L, Launch, Let, LoadShared, Receive, S, StoreShared, Sub, Vote, While};
use crate::list::{List, Place};
use crate::vertex::{ArcWalk, GraphArrays, VertexLoop};
use crate::warp::CHAIN;
use gpusched_refgpu::lanes::{WARP, lanes};

registers!(pub 1: THREAD VERTEX ROW_ADDRESS FIRST END EDGE NEIGHBOUR LEVEL_ADDRESS LEVEL OLD_LEVEL SPOT PARAMETERS ELECTED);

/// Degree from which on Merrill's form visits by the TB, and by the warp.
const TB_WIDE: u32 = TB_THREADS;
const WARP_WIDE: u32 = WARP;

/// Words of an election in shared memory: round, thread, first arc, end. One access stores or loads all of them.
const ELECTION: u32 = 4;

pub(super) const THREAD_FORM: List<Bfs> = &[If(
    4,
    Bfs::has_item,
    0,
    &[
        L(Bfs::queue, CHAIN, VERTEX),
        I(1, VERTEX, ROW_ADDRESS),
        L(Bfs::row_first, ROW_ADDRESS, FIRST),
        L(Bfs::row_end, ROW_ADDRESS, END),
        VISIT,
    ],
)];

pub(super) const DYNAMIC: List<Bfs> = &[If(
    4,
    Bfs::has_item,
    0,
    &[
        L(Bfs::queue, CHAIN, VERTEX),
        I(1, VERTEX, ROW_ADDRESS),
        L(Bfs::row_first, ROW_ADDRESS, FIRST),
        L(Bfs::row_end, ROW_ADDRESS, END),
        If(2, Bfs::is_wide, FIRST | END, &[Launch(FIRST | END)]),
        VISIT,
    ],
)];

pub(super) const CHILD: List<Bfs> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(1, Bfs::has_arc, THREAD | PARAMETERS, &[L(Bfs::col, CHAIN, NEIGHBOUR), L(Bfs::level, NEIGHBOUR, LEVEL), CLAIM]),
];

pub(super) const MERRILL: List<Bfs> = &[
    If(
        4,
        Bfs::has_item,
        0,
        &[
            L(Bfs::queue, CHAIN, VERTEX),
            I(1, VERTEX, ROW_ADDRESS),
            L(Bfs::row_first, ROW_ADDRESS, FIRST),
            L(Bfs::row_end, ROW_ADDRESS, END),
            Let(Bfs::keep_own),
        ],
    ),
    Sub(TOGETHER),
];

/// Merrill's visits, of the vertices that the threads of a TB have.
pub(super) const TOGETHER: List<Bfs> = &[
    Let(Bfs::start_rounds),
    While(
        2,
        Bfs::is_elected,
        ELECTED,
        &[
            If(2, Bfs::is_tb_wide, FIRST | END, &[StoreShared(Bfs::elect, FIRST | END)]),
            B,
            LoadShared(Bfs::elected, 0, ELECTED),
            VISIT,
        ],
    ),
    Vote(Bfs::elect_in_warp),
    While(2, Bfs::is_elected, FIRST | END, &[I(2, FIRST | END, ELECTED), VISIT, Vote(Bfs::elect_in_warp)]),
    Let(Bfs::take_own),
    VISIT,
];

/// The arcs of a walk, whoever's they are.
const VISIT: Item<Bfs> = While(
    5,
    Bfs::has_arc,
    EDGE,
    &[
        I(1, CHAIN | FIRST | END | ELECTED, EDGE),
        L(Bfs::col, EDGE, NEIGHBOUR),
        I(1, NEIGHBOUR, LEVEL_ADDRESS),
        L(Bfs::level, LEVEL_ADDRESS, LEVEL),
        CLAIM,
    ],
);

/// Vertices seen for the first time go into the next queue, each once.
const CLAIM: Item<Bfs> = If(
    2,
    Bfs::is_fresh,
    LEVEL,
    &[
        A(Bfs::claim, NEIGHBOUR | LEVEL_ADDRESS, OLD_LEVEL),
        If(3, Bfs::has_won, OLD_LEVEL, &[A(Bfs::add_tail, 0, SPOT), S(Bfs::store_queue, SPOT | NEIGHBOUR)]),
    ],
);

/// A thread, of a vertex of the frontier or of a child.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    /// The arcs that it visits: its own, or every `stride`th of those that a warp or a TB visits together.
    pub(super) walk: ArcWalk,
    stride: u32,
    /// Level of the vertex at the end of the last arc, and whether the thread was the first there.
    level: u32,
    won: bool,
    /// Where that vertex goes in the next queue.
    spot: u32,
    /// Merrill's form: what is left of its own arcs, the round, and whether a vertex was elected in it.
    pub(super) own: (u32, u32),
    round: u32,
    elected: bool,
    /// Of persistent threads: what the TB has taken.
    pub(super) chunk: Chunk,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { walk: ArcWalk::at(place), stride: 1, round: 1, ..Self::default() }
    }

    /// Visits arcs `first..end` together with others, as number `number` of `stride`.
    const fn visit_together(&mut self, (first, end): (u32, u32), number: u32, stride: u32) {
        self.walk.edge = first + number;
        self.walk.end = end;
        self.stride = stride;
    }

    const fn own_degree(&self) -> u32 {
        self.own.1 - self.own.0
    }
}

impl VertexLoop for Bfs {
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
impl Bfs {
    fn has_item(&self, t: &Thread) -> bool {
        t.walk.place.index() < self.queue.len() as u32
    }

    fn queue(&mut self, t: &mut Thread) -> u64 {
        let index = t.walk.place.index();
        t.walk.v = self.queue[index as usize];
        self.queue_arrays().0.at(index)
    }

    fn level(&mut self, t: &mut Thread) -> u64 {
        t.level = self.level[t.walk.u as usize];
        t.walk.edge += t.stride;
        self.memory.level.at(t.walk.u)
    }

    fn is_fresh(&self, t: &Thread) -> bool {
        t.level == UNREACHED
    }

    /// Compare and swap: of all threads that saw the vertex fresh, one wins.
    fn claim(&mut self, t: &mut Thread) -> u64 {
        let level = &mut self.level[t.walk.u as usize];
        t.won = *level == UNREACHED;
        if t.won {
            *level = self.depth;
            self.settled += 1;
        }
        self.memory.level.at(t.walk.u)
    }

    fn has_won(&self, t: &Thread) -> bool {
        t.won
    }

    fn add_tail(&mut self, t: &mut Thread) -> u64 {
        t.spot = self.next_queue.len() as u32;
        self.next_queue.push(UNREACHED);
        self.memory.tail.at(0)
    }

    fn store_queue(&mut self, t: &mut Thread) -> u64 {
        self.next_queue[t.spot as usize] = t.walk.u;
        self.queue_arrays().1.at(t.spot)
    }
}

// What Merrill's form does besides.
impl Bfs {
    /// The arcs of the thread's vertex have to wait.
    pub(super) fn keep_own(&mut self, t: &mut Thread) {
        t.own = (t.walk.edge, t.walk.end);
        t.walk.end = t.walk.edge;
    }

    fn take_own(&mut self, t: &mut Thread) {
        t.visit_together(t.own, 0, 1);
    }

    /// A TB that stays counts its rounds on, so that what an earlier one left in shared memory elects nobody.
    fn start_rounds(&mut self, t: &mut Thread) {
        t.elected = true;
    }

    fn is_elected(&self, t: &Thread) -> bool {
        t.elected
    }

    fn is_tb_wide(&self, t: &Thread) -> bool {
        t.own_degree() >= TB_WIDE
    }

    /// Whose list will the TB stride? Every candidate stores; the last one stays. There are two elections in turn, so that one
    /// barrier a round is enough.
    fn elect(&mut self, t: &mut Thread) -> u64 {
        let election = t.round % 2 * ELECTION;
        for (word, value) in (election..).zip([t.round, t.walk.place.in_tb, t.own.0, t.own.1]) {
            *self.device.shared(t.walk.place.room, word) = value;
        }
        u64::from(4 * election)
    }

    fn elected(&mut self, t: &mut Thread) -> u64 {
        let election = t.round % 2 * ELECTION;
        let [round, winner, first, end] =
            [0, 1, 2, 3].map(|word| *self.device.shared(t.walk.place.room, election + word));
        t.elected = round == t.round;
        t.round += 1;
        if t.elected {
            if winner == t.walk.place.in_tb {
                t.own.0 = end;
            }
            t.visit_together((first, end), t.walk.place.in_tb, TB_THREADS);
        }
        u64::from(4 * election)
    }

    /// The lowest lane's vertex of those that are left for the warp.
    fn elect_in_warp(&mut self, warp: &mut [Thread; WARP as usize], mask: u32) {
        let winner = lanes(mask).find(|&lane| warp[lane].own_degree() >= WARP_WIDE);
        let arcs = winner.map(|lane| warp[lane].own);
        for lane in lanes(mask) {
            warp[lane].elected = winner.is_some();
            if let Some(arcs) = arcs {
                warp[lane].visit_together(arcs, lane as u32, WARP);
            }
        }
        if let Some(lane) = winner {
            warp[lane].own.0 = warp[lane].own.1;
        }
    }
}
