//! The instruction lists of the Barnes-Hut tree (workloads-BH2 to BH4). `thread.rs` says what each instruction does for a thread.
//!
//! ```text
//! flat     I4 {Lx Ly Lz s stack WALK F3 S force x3}
//! parent   I4 {Lx Ly Lz s stack WALK F3 A force x3}
//! child    I3 Lparameters {Lgrandchild[j] Lx Ly Lz s stack WALK} SUM {F3 A force x3}
//! WALK     (l stack I2 {Lx Ly Lz Lm | Lcom Lhalf} F10 {X1 F8 | OPEN} I3)*
//! OPEN     KIDS
//!          or Lfirst[c] Lfirst[c+1] {S parameters, K (I1 Lgrandchild[j] s stack)* of the rest | KIDS}
//! KIDS     Lkid x2 (I2 s stack)*
//! SUM      s B (I2 {l F3 s} B)*
//! ```
//!
//! `I4` at the beginning ends in the branch that sets lanes without a body aside. A child's thread without a node takes part in the sum
//! with no force. *flat* opens a cell in the first way, the others do in the second.

use super::Bht;
use crate::list::Item::{
    self, A, B, F, I, If, L, L16, Launch, Let, LoadShared, LoadShared16, Pick, Receive, S, StoreShared, StoreShared16,
    Sub, While, X,
};
use crate::list::List;
use crate::warp::CHAIN;

registers!(1: X_ Y_ Z_ NODE AT_X AT_Y AT_Z MASS HALF DISTANCE FORCE KIDS MORE_KIDS FIRST END EDGE WHOLE THREAD PARAMETERS OTHER);

const OWN: u32 = X_ | Y_ | Z_;
const ACTS: u32 = AT_X | AT_Y | AT_Z | MASS;

pub(super) const FLAT: List<Bht> = &[If(
    4,
    Bht::has_body,
    0,
    &[
        Sub(BODY),
        StoreShared(Bht::push, CHAIN),
        WALK,
        F(3, FORCE, WHOLE),
        S(Bht::add::<0>, WHOLE),
        S(Bht::add::<1>, WHOLE),
        S(Bht::add::<2>, WHOLE),
    ],
)];

pub(super) const PARENT: List<Bht> =
    &[If(4, Bht::has_body, 0, &[Sub(BODY), StoreShared(Bht::push, CHAIN), WALK, Sub(ADD)])];

pub(super) const CHILD: List<Bht> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(
        0,
        Bht::has_grandchild,
        0,
        &[L(Bht::grandchild, THREAD | PARAMETERS, NODE), Sub(BODY), StoreShared(Bht::push, NODE), WALK],
    ),
    StoreShared16(Bht::put_force, FORCE),
    B,
    While(
        0,
        Bht::in_tree,
        0,
        &[
            If(
                2,
                Bht::takes_other,
                THREAD,
                &[
                    LoadShared16(Bht::other_force, 0, OTHER),
                    F(3, OTHER | FORCE, FORCE),
                    StoreShared16(Bht::put_force, FORCE),
                ],
            ),
            Let(Bht::next_step),
            B,
        ],
    ),
    If(0, Bht::is_first_thread, 0, &[Sub(ADD)]),
];

/// Where the thread's body is.
const BODY: List<Bht> = &[
    L(Bht::own_place::<0>, CHAIN | PARAMETERS, X_),
    L(Bht::own_place::<1>, CHAIN | PARAMETERS, Y_),
    L(Bht::own_place::<2>, CHAIN | PARAMETERS, Z_),
];

const ADD: List<Bht> =
    &[F(3, FORCE, WHOLE), A(Bht::add::<0>, WHOLE, 0), A(Bht::add::<1>, WHOLE, 0), A(Bht::add::<2>, WHOLE, 0)];

const WALK: Item<Bht> = While(
    3,
    Bht::has_node,
    0,
    &[
        LoadShared(Bht::pop, CHAIN, NODE),
        If(
            2,
            Bht::is_body,
            NODE,
            &[
                L(Bht::place::<0>, CHAIN, AT_X),
                L(Bht::place::<1>, CHAIN, AT_Y),
                L(Bht::place::<2>, CHAIN, AT_Z),
                L(Bht::mass, CHAIN, MASS),
            ],
        ),
        If(0, Bht::is_cell, 0, &[L16(Bht::cell_mass, CHAIN, ACTS), L(Bht::half, CHAIN, HALF)]),
        F(10, OWN | ACTS | HALF, DISTANCE),
        If(2, Bht::acts, DISTANCE, &[X(1, DISTANCE, DISTANCE), F(8, DISTANCE | FORCE, FORCE), Let(Bht::act)]),
        If(0, Bht::is_open, 0, &[Pick(Bht::open)]),
    ],
);

pub(super) const OPEN: List<Bht> = &[
    L16(Bht::low_kids, NODE, KIDS),
    L16(Bht::high_kids, NODE, MORE_KIDS),
    While(2, Bht::has_kid, KIDS | MORE_KIDS, &[I(2, KIDS | MORE_KIDS, NODE), StoreShared(Bht::push_kid, NODE)]),
];

pub(super) const OPEN_OR_LAUNCH: List<Bht> = &[
    L(Bht::first, NODE, FIRST),
    L(Bht::end, NODE, END),
    If(
        2,
        Bht::is_wide,
        FIRST | END,
        &[
            Launch(FIRST | END | NODE),
            While(
                2,
                Bht::has_grandchild,
                EDGE,
                &[I(1, CHAIN | FIRST | END, EDGE), L(Bht::grandchild, EDGE, NODE), StoreShared(Bht::push, NODE)],
            ),
        ],
    ),
    If(0, Bht::is_narrow, 0, &[Sub(OPEN)]),
];
