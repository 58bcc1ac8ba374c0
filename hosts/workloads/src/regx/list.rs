//! The instruction lists of the search (workloads-RX3 to RX5).
//!
//! ```text
//! parent  I4 Lstart Lstart+1 (OPEN WALK I2)*
//! child   I3 Lparameters {Ltext[p] WALK}
//! OPEN    Lfirst[s] Lfirst[s+1] Ltext[p] {S parameters, K}
//! WALK    (I1 Ledge I3 {Lacc x3 I3 {A or match} {{S stack} OPEN}} (Lstack Ltext[p] I2)* I2)*
//! ```
//!
//! `I4` at the beginning ends in the branch that sets threads without a stream aside. `I3` behind an edge ends in the branch on a hit,
//! that behind `acc` in the branch on an accepting state; which words of the masks are not 0, and whether there is anything to keep on
//! the stack, are predicates. Flat, OPEN has no launch, nor its test.

use super::Regx;
use crate::list::Item::{self, A, I, If, L, L8, Launch, Let, LoadByte, Pick, Receive, S, Sub, While};
use crate::list::List;
use crate::warp::CHAIN;

registers!(1: START END FIRST LAST LETTER EDGE LETTERS ACCEPTED_0 ACCEPTED_1 ACCEPTED_2 THREAD PARAMETERS);

pub(super) const PARENT: List<Regx> = &[If(
    4,
    Regx::has_stream,
    0,
    &[
        L(Regx::start, CHAIN, START),
        L(Regx::end, CHAIN, END),
        While(2, Regx::has_text, START | END, &[Let(Regx::begin), Sub(OPEN), WALK, Let(Regx::next_place)]),
    ],
)];

pub(super) const CHILD: List<Regx> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(0, Regx::has_edge, 0, &[LoadByte(Regx::letter, PARAMETERS, LETTER), WALK]),
];

/// A task: the edges of a state, and the letter that they are compared with. A wide state's go to a child.
const OPEN: List<Regx> = &[
    L(Regx::first_edge, LETTERS | START, FIRST),
    L(Regx::last_edge, LETTERS | START, LAST),
    LoadByte(Regx::letter, START | END | PARAMETERS, LETTER),
    Pick(Regx::launch),
];

pub(super) const LAUNCH: List<Regx> = &[If(2, Regx::is_wide, FIRST | LAST, &[Launch(FIRST | LAST)])];

/// The edges that are the thread's own, and all that they lead to, depth first.
const WALK: Item<Regx> = While(
    2,
    Regx::has_edge,
    EDGE,
    &[
        I(1, CHAIN | FIRST | LAST | THREAD | PARAMETERS, EDGE),
        L8(Regx::edge, EDGE, LETTERS),
        If(3, Regx::is_hit, LETTERS | LETTER, HIT),
        While(2, Regx::must_return, FIRST | LAST, &[L(Regx::pop, 0, FIRST), LoadByte(Regx::letter, FIRST, LETTER)]),
    ],
);

const HIT: List<Regx> = &[
    L(Regx::accepted::<0>, LETTERS, ACCEPTED_0),
    L(Regx::accepted::<1>, LETTERS, ACCEPTED_1),
    L(Regx::accepted::<2>, LETTERS, ACCEPTED_2),
    If(
        3,
        Regx::accepts,
        ACCEPTED_0 | ACCEPTED_1 | ACCEPTED_2,
        &[
            If(0, Regx::accepts_in::<0>, 0, &[A(Regx::or_match::<0>, ACCEPTED_0, 0)]),
            If(0, Regx::accepts_in::<1>, 0, &[A(Regx::or_match::<1>, ACCEPTED_1, 0)]),
            If(0, Regx::accepts_in::<2>, 0, &[A(Regx::or_match::<2>, ACCEPTED_2, 0)]),
        ],
    ),
    If(
        2,
        Regx::has_more_text,
        END | PARAMETERS,
        &[If(0, Regx::has_edge, 0, &[S(Regx::push, EDGE | LAST)]), Let(Regx::descend), Sub(OPEN)],
    ),
];
