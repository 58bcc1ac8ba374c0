//! The instruction lists of the refinement (workloads-AM3, workloads-AM4). `thread.rs` says what each instruction does for a thread.
//!
//! ```text
//! level    I4 LT Lx Ly SOLVE {A next, S child (MAKE)*}
//! base     I4 LT Lx Ly SOLVE {A next, S child {S parameters, K}}
//! child    I4 Lparameters MAKE SOLVE {A next, S child {S parameters, K}}
//! SOLVE    (F8 X1 I2)* F6
//! MAKE     I8 F6 X1 F2 X1 F4 S T S x S y S lev
//! ```
//!
//! `I4` at the beginning ends in the branch that sets lanes without a cell aside; a child has none.

use super::Amr;
use crate::list::Item::{self, A, F, I, If, L, Launch, Let, Receive, S, Sub, While, X};
use crate::list::List;
use crate::warp::CHAIN;

registers!(1: NUMBER TEMPERATURE AT_X AT_Y ROOT STEP ENERGY FIRST NOISE FRONT NEW_TEMPERATURE PARAMETERS);

pub(super) const LEVEL: List<Amr> = &[If(
    4,
    Amr::has_cell,
    0,
    &[
        Sub(LOAD),
        Sub(SOLVE),
        If(
            2,
            Amr::refines,
            ENERGY,
            &[ALLOCATE, LINK, While(2, Amr::has_new, NUMBER, &[Sub(MAKE), Let(Amr::next_new)])],
        ),
    ],
)];

pub(super) const BASE: List<Amr> = &[If(4, Amr::has_cell, 0, &[Sub(LOAD), Sub(SOLVE), LAUNCH])];

pub(super) const CHILD: List<Amr> =
    &[I(4, 0, NUMBER), Receive(0, PARAMETERS), Sub(MAKE), Let(Amr::become_new), Sub(SOLVE), LAUNCH];

const LOAD: List<Amr> = &[
    L(Amr::load_temperature, CHAIN, TEMPERATURE),
    L(Amr::load_at::<0>, CHAIN, AT_X),
    L(Amr::load_at::<1>, CHAIN, AT_Y),
];

/// Newton's method, and the energy.
const SOLVE: List<Amr> = &[
    Let(Amr::start_root),
    While(
        2,
        Amr::is_solving,
        ROOT,
        &[F(8, TEMPERATURE | NEW_TEMPERATURE | ROOT, STEP), X(1, STEP, ROOT), Let(Amr::next_root)],
    ),
    F(6, ROOT, ENERGY),
];

const ALLOCATE: Item<Amr> = A(Amr::allocate, 0, FIRST);
const LINK: Item<Amr> = S(Amr::store_child, FIRST);

/// The function refers to itself.
const LAUNCH: Item<Amr> = If(2, Amr::refines, ENERGY, &[ALLOCATE, LINK, Launch(FIRST | AT_X | AT_Y | PARAMETERS)]);

/// A cell of a refinement: its noise, its middle and its distance from the flame's, the flame, the noise added.
const MAKE: List<Amr> = &[
    Let(Amr::make),
    I(8, NUMBER | AT_X | AT_Y | PARAMETERS, NOISE),
    F(6, NUMBER | AT_X | AT_Y | PARAMETERS, FRONT),
    X(1, FRONT, FRONT),
    F(2, FRONT, FRONT),
    X(1, FRONT, FRONT),
    F(4, FRONT | NOISE, NEW_TEMPERATURE),
    S(Amr::store_temperature, FIRST | PARAMETERS | NEW_TEMPERATURE),
    S(Amr::store_at::<0>, FIRST | PARAMETERS),
    S(Amr::store_at::<1>, FIRST | PARAMETERS),
    S(Amr::store_level, FIRST | PARAMETERS),
];
