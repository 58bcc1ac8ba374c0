//! The instruction lists of the U-list phase (workloads-D2, workloads-D3), and what each instruction does for a thread.
//!
//! ```text
//! I6 Ltgt (I2 LUlist LSptr x2 SOURCES I2)* S pot
//!
//! SOURCES      (I1 Lsrc INTERACTION I2)*
//! INTERACTION  F3 F3 X1 X1 F1      differences; square of the distance; root, division; sum
//!
//! shmem    SOURCES is ({I1 Lsrc s} B (I1 l INTERACTION I2)* B I2)*: tiles of 32, which the first warp copies
//! rsqrt    INTERACTION is F3 F3 X1 F1 F1: one over the root, then a product
//! vecpack  four accesses of 4 bytes in place of one of 16, for targets, sources and tiles
//! ujam     Ltgt and S pot once for each target of the thread; a step of INTERACTION for all of them before the next step
//! pref     SOURCES is I1 Lsrc (I2 Lsrc INTERACTION I2)*: loads the source after this one; the other of I2 stays inside the box
//! tight    I2 of the loop over sources once in four turns
//! ```
//!
//! The three differences do not wait for each other. Sources that are loaded ahead go into two sets of registers by turns, so that
//! none is moved. `Tptr` and `Uptr` are the same for all threads of a TB: constants, which `I6` reads.

use super::{Fmm, TILE};
use crate::list::Item::{
    self, B, F, I, If, L, L16, Let, LoadShared, LoadShared16, Pick, S, StoreShared, StoreShared16, Sub, While, X,
};
use crate::list::{List, Place};
use crate::warp::CHAIN;
use gpusched_refgpu::program::Regs;

/// The words of a point; the last is its potential or density.
const XX: usize = 0;
const YY: usize = 1;
const ZZ: usize = 2;
const WW: usize = 3;
/// The two sets of registers for sources; only with `pref` is the second one in use.
const EVEN: usize = 0;
const ODD: usize = 1;

/// Address of the next access.
const AT: Regs = 1 << 1;
/// A box of the U-list.
const BOX: Regs = 1 << 2;
/// Its first source, and the first of the box after it.
const FIRST: Regs = 1 << 3;
const END: Regs = 1 << 4;
/// Copies for a tile pass through the registers of a source.
const COPY: usize = ODD;

/// A word of a source.
const fn source(set: usize, word: usize) -> Regs {
    1 << (5 + 4 * set + word)
}

const fn all_of_source(set: usize) -> Regs {
    0b1111 << (5 + 4 * set)
}

/// A coordinate of target `k`, then its difference from the source's; or its potential.
const fn target(k: usize, word: usize) -> Regs {
    1 << (13 + 4 * k + word)
}

const fn all_of_target(k: usize) -> Regs {
    0b1111 << (13 + 4 * k)
}

pub(super) const LIST: List<Fmm> = &[
    I(6, 0, AT),
    Pick(Fmm::targets),
    While(
        2,
        Fmm::has_box,
        0,
        &[
            I(2, CHAIN, AT),
            L(Fmm::load_entry, AT, BOX),
            L(Fmm::load_first, BOX, FIRST),
            L(Fmm::load_end, BOX, END),
            Pick(Fmm::sources),
            Let(Fmm::next_box),
        ],
    ),
    Pick(Fmm::results),
];

const TILES: List<Fmm> = &[While(
    2,
    Fmm::has_tile,
    FIRST | END,
    &[
        Let(Fmm::enter_tile),
        If(0, Fmm::copies, 0, &[I(1, FIRST | END, AT), Pick(Fmm::copy)]),
        B,
        If(0, Fmm::has_target::<0>, 0, &[Pick(Fmm::turns)]),
        Let(Fmm::leave_tile),
        B,
    ],
)];

/// What loads a source into a set of registers: one access, or one for each word.
macro_rules! words {
    ($item:ident, $access:ident, $set:expr) => {
        &[
            $item(Fmm::$access::<{ $set }, XX>, AT, source($set, XX)),
            $item(Fmm::$access::<{ $set }, YY>, AT, source($set, YY)),
            $item(Fmm::$access::<{ $set }, ZZ>, AT, source($set, ZZ)),
            $item(Fmm::$access::<{ $set }, WW>, AT, source($set, WW)),
        ]
    };
}
const FETCH: [[List<Fmm>; 2]; 2] = [
    [&[L16(Fmm::fetch_all::<EVEN>, AT, all_of_source(EVEN))], &[L16(Fmm::fetch_all::<ODD>, AT, all_of_source(ODD))]],
    [words!(L, fetch, EVEN), words!(L, fetch, ODD)],
];
const GET: [[List<Fmm>; 2]; 2] = [
    [
        &[LoadShared16(Fmm::get_all::<EVEN>, AT, all_of_source(EVEN))],
        &[LoadShared16(Fmm::get_all::<ODD>, AT, all_of_source(ODD))],
    ],
    [words!(LoadShared, get, EVEN), words!(LoadShared, get, ODD)],
];
const PUT: [List<Fmm>; 2] = [
    &[StoreShared16(Fmm::put_all, all_of_source(COPY))],
    &[
        StoreShared(Fmm::put::<XX>, source(COPY, XX)),
        StoreShared(Fmm::put::<YY>, source(COPY, YY)),
        StoreShared(Fmm::put::<ZZ>, source(COPY, ZZ)),
        StoreShared(Fmm::put::<WW>, source(COPY, WW)),
    ],
];
const COPY_TILE: List<Fmm> = &[Pick(Fmm::fetch_copy), Pick(Fmm::put_copy)];

/// A turn of the loop over sources.
const TURN: List<Fmm> = &[
    I(1, CHAIN | FIRST | END, AT),
    Let(Fmm::want_this),
    Pick(Fmm::load::<EVEN>),
    Pick(Fmm::interaction::<EVEN>),
    Let(Fmm::interact::<EVEN>),
];
/// The same with `pref`: by turns, one set of registers is used while the next source comes into the other.
const EVEN_TURN: List<Fmm> = &[
    I(2, CHAIN, AT),
    Let(Fmm::want_next),
    Pick(Fmm::load::<ODD>),
    Pick(Fmm::interaction::<EVEN>),
    Let(Fmm::interact::<EVEN>),
];
const ODD_TURN: List<Fmm> = &[
    I(2, CHAIN, AT),
    Let(Fmm::want_next),
    Pick(Fmm::load::<EVEN>),
    Pick(Fmm::interaction::<ODD>),
    Let(Fmm::interact::<ODD>),
];

const TURNS: List<Fmm> = &[While(2, Fmm::has_source, 0, TURN)];
const TIGHT_TURNS: List<Fmm> = &[
    While(2, Fmm::has_four_sources, 0, &[Sub(TURN), Sub(TURN), Sub(TURN), Sub(TURN)]),
    While(2, Fmm::has_source, 0, TURN),
];

/// `pref`: the first source, before the loop.
const FIRST_SOURCE: List<Fmm> = &[I(1, FIRST | END, AT), Let(Fmm::want_this), Pick(Fmm::load::<EVEN>)];
/// Two turns, each with its own count and branch.
const PAIRS: Item<Fmm> =
    While(0, Fmm::has_source, 0, &[Sub(EVEN_TURN), If(2, Fmm::has_source, 0, &[Sub(ODD_TURN), I(2, CHAIN, CHAIN)])]);
const AHEAD: List<Fmm> = &[Sub(FIRST_SOURCE), PAIRS];
const TIGHT_AHEAD: List<Fmm> = &[
    Sub(FIRST_SOURCE),
    While(2, Fmm::has_four_sources, 0, &[Sub(EVEN_TURN), Sub(ODD_TURN), Sub(EVEN_TURN), Sub(ODD_TURN)]),
    PAIRS,
];

/// The instruction after the root: a division, or a product with one over the root.
const fn after_root(rsqrt: bool, src: Regs, dst: Regs) -> Item<Fmm> {
    if rsqrt { F(1, src, dst) } else { X(1, src, dst) }
}

/// A source in a set of registers acts on these targets.
macro_rules! interaction {
    ($set:expr, $rsqrt:expr; $($k:literal)*) => {
        &[
            $(F(1, source($set, XX) | target($k, XX), target($k, XX)),)*
            $(F(1, source($set, YY) | target($k, YY), target($k, YY)),)*
            $(F(1, source($set, ZZ) | target($k, ZZ), target($k, ZZ)),)*
            $(F(1, target($k, XX), target($k, XX)),)*
            $(F(1, target($k, XX) | target($k, YY), target($k, XX)),)*
            $(F(1, target($k, XX) | target($k, ZZ), target($k, XX)),)*
            $(X(1, target($k, XX), target($k, XX)),)*
            $(after_root($rsqrt, source($set, WW) | target($k, XX), target($k, XX)),)*
            $(F(1, target($k, XX) | target($k, WW), target($k, WW)),)*
        ]
    };
}
/// By `rsqrt`, and by targets of a thread.
macro_rules! interactions {
    ($set:expr) => {
        [
            [
                interaction!($set, false; 0),
                interaction!($set, false; 0 1),
                interaction!($set, false; 0 1 2),
                interaction!($set, false; 0 1 2 3),
            ],
            [
                interaction!($set, true; 0),
                interaction!($set, true; 0 1),
                interaction!($set, true; 0 1 2),
                interaction!($set, true; 0 1 2 3),
            ],
        ]
    };
}
const INTERACTIONS: [[[List<Fmm>; MOST_TARGETS]; 2]; 2] = [interactions!(EVEN), interactions!(ODD)];

/// Targets of a thread at most.
pub(super) const MOST_TARGETS: usize = 4;

macro_rules! for_each_target {
    ($($k:literal)*) => {
        const TARGETS: [List<Fmm>; 2] = [
            &[$(If(0, Fmm::has_target::<$k>, 0, &[L16(Fmm::target_all::<$k>, AT, all_of_target($k))]),)*],
            &[$(If(0, Fmm::has_target::<$k>, 0, &[
                L(Fmm::target::<$k, XX>, AT, target($k, XX)),
                L(Fmm::target::<$k, YY>, AT, target($k, YY)),
                L(Fmm::target::<$k, ZZ>, AT, target($k, ZZ)),
                L(Fmm::target::<$k, WW>, AT, target($k, WW)),
            ]),)*],
        ];
        const RESULTS: List<Fmm> =
            &[$(If(0, Fmm::has_target::<$k>, 0, &[S(Fmm::store::<$k>, target($k, WW))]),)*];
    };
}
for_each_target!(0 1 2 3);

/// A thread: its targets, the U-list of its box, and where it is in a box of sources.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    targets: [[f32; 4]; MOST_TARGETS],
    /// What is left of the U-list.
    entry: u32,
    last_entry: u32,
    neighbour: u32,
    /// What is left of the neighbour's sources, and of the tile.
    source: u32,
    end: u32,
    box_end: u32,
    /// The source to be loaded next.
    wanted: u32,
    sources: [[f32; 4]; 2],
}

impl Thread {
    /// With the part `list` of the U-lists.
    pub(super) fn new(place: Place, [entry, last_entry]: [u32; 2]) -> Self {
        Self { place, entry, last_entry, ..Self::default() }
    }
}

// Which lists the options ask for.
impl Fmm {
    fn targets(&self) -> List<Self> {
        TARGETS[usize::from(self.options.vecpack)]
    }

    fn results(&self) -> List<Self> {
        RESULTS
    }

    fn sources(&self) -> List<Self> {
        if self.options.shmem { TILES } else { self.turns() }
    }

    fn turns(&self) -> List<Self> {
        match (self.options.pref, self.options.tight) {
            (false, false) => TURNS,
            (false, true) => TIGHT_TURNS,
            (true, false) => AHEAD,
            (true, true) => TIGHT_AHEAD,
        }
    }

    fn copy(&self) -> List<Self> {
        COPY_TILE
    }

    fn fetch_copy(&self) -> List<Self> {
        FETCH[usize::from(self.options.vecpack)][COPY]
    }

    fn put_copy(&self) -> List<Self> {
        PUT[usize::from(self.options.vecpack)]
    }

    fn load<const SET: usize>(&self) -> List<Self> {
        let of = if self.options.shmem { &GET } else { &FETCH };
        of[usize::from(self.options.vecpack)][SET]
    }

    fn interaction<const SET: usize>(&self) -> List<Self> {
        INTERACTIONS[SET][usize::from(self.options.rsqrt)][self.options.ujam as usize - 1]
    }
}

// What the lists do, for one thread.
impl Fmm {
    /// Number of the thread's target `K`, which it may not have.
    fn number<const K: usize>(&self, t: &Thread) -> u32 {
        t.place.tb * self.options.q + t.place.in_tb + K as u32 * t.place.tb_threads
    }

    fn has_target<const K: usize>(&self, t: &Thread) -> bool {
        (K as u32) < self.options.ujam && t.place.in_tb + K as u32 * t.place.tb_threads < self.options.q
    }

    fn target<const K: usize, const W: usize>(&mut self, t: &mut Thread) -> u64 {
        let number = self.number::<K>(t);
        t.targets[K][W] = self.targets[number as usize][W];
        self.memory.targets.word(number, W)
    }

    fn target_all<const K: usize>(&mut self, t: &mut Thread) -> u64 {
        let number = self.number::<K>(t);
        t.targets[K] = self.targets[number as usize];
        self.memory.targets.word(number, XX)
    }

    fn store<const K: usize>(&mut self, t: &mut Thread) -> u64 {
        let number = self.number::<K>(t);
        self.targets[number as usize][WW] = t.targets[K][WW];
        self.stored += 1;
        self.memory.targets.word(number, WW)
    }

    /// Threads without a target go along only where tiles have to be copied.
    fn has_box(&self, t: &Thread) -> bool {
        t.entry < t.last_entry && (self.options.shmem || self.has_target::<0>(t))
    }

    fn load_entry(&mut self, t: &mut Thread) -> u64 {
        t.neighbour = self.lists[t.entry as usize];
        self.memory.lists.at(t.entry)
    }

    fn load_first(&mut self, t: &mut Thread) -> u64 {
        t.source = t.neighbour * self.options.q;
        self.memory.first_source.at(t.neighbour)
    }

    fn load_end(&mut self, t: &mut Thread) -> u64 {
        t.box_end = (t.neighbour + 1) * self.options.q;
        t.end = t.box_end;
        self.memory.first_source.at(t.neighbour + 1)
    }

    fn next_box(&mut self, t: &mut Thread) {
        t.entry += 1;
    }

    fn has_tile(&self, t: &Thread) -> bool {
        t.source < t.box_end
    }

    fn enter_tile(&mut self, t: &mut Thread) {
        t.end = t.box_end.min(t.source + TILE);
        t.wanted = t.source + t.place.in_tb;
    }

    fn leave_tile(&mut self, t: &mut Thread) {
        t.source = t.end;
    }

    fn copies(&self, t: &Thread) -> bool {
        t.wanted < t.end
    }

    fn has_source(&self, t: &Thread) -> bool {
        t.source < t.end
    }

    fn has_four_sources(&self, t: &Thread) -> bool {
        t.source + 4 <= t.end
    }

    fn want_this(&mut self, t: &mut Thread) {
        t.wanted = t.source;
    }

    /// The last one again after the last one.
    fn want_next(&mut self, t: &mut Thread) {
        t.wanted = (t.source + 1).min(t.end - 1);
    }

    fn fetch<const SET: usize, const W: usize>(&mut self, t: &mut Thread) -> u64 {
        t.sources[SET][W] = self.sources[t.wanted as usize][W];
        self.memory.sources.word(t.wanted, W)
    }

    fn fetch_all<const SET: usize>(&mut self, t: &mut Thread) -> u64 {
        t.sources[SET] = self.sources[t.wanted as usize];
        self.memory.sources.word(t.wanted, XX)
    }

    fn put<const W: usize>(&mut self, t: &mut Thread) -> u64 {
        let word = TILE * W as u32 + t.place.in_tb;
        *self.device.shared(t.place.room, word) = t.sources[COPY][W].to_bits();
        4 * u64::from(word)
    }

    fn put_all(&mut self, t: &mut Thread) -> u64 {
        let word = 4 * t.place.in_tb;
        for (w, value) in (word..).zip(t.sources[COPY]) {
            *self.device.shared(t.place.room, w) = value.to_bits();
        }
        4 * u64::from(word)
    }

    /// Place in its tile of the source to be loaded: tiles begin at multiples of their size from the box's first source.
    fn in_tile(&self, t: &Thread) -> u32 {
        t.wanted % self.options.q % TILE
    }

    fn get<const SET: usize, const W: usize>(&mut self, t: &mut Thread) -> u64 {
        let word = TILE * W as u32 + self.in_tile(t);
        t.sources[SET][W] = f32::from_bits(*self.device.shared(t.place.room, word));
        4 * u64::from(word)
    }

    fn get_all<const SET: usize>(&mut self, t: &mut Thread) -> u64 {
        let word = 4 * self.in_tile(t);
        for (w, value) in (word..).zip(&mut t.sources[SET]) {
            *value = f32::from_bits(*self.device.shared(t.place.room, w));
        }
        4 * u64::from(word)
    }

    fn interact<const SET: usize>(&mut self, t: &mut Thread) {
        let [x, y, z, density] = t.sources[SET];
        for target in t.targets.iter_mut().take(self.options.ujam as usize) {
            let [dx, dy, dz] = [target[XX] - x, target[YY] - y, target[ZZ] - z];
            let root = (dx * dx + dy * dy + dz * dz).sqrt();
            target[WW] += if self.options.rsqrt { density * (1.0 / root) } else { density / root };
        }
        t.source += 1;
    }
}
