//! The instruction lists of the similarity matrix (workloads-PR2, workloads-PR3), and what each instruction does for a thread.
//!
//! ```text
//! flat     I4 Lfirst[v] Lfirst[v+1] ROWS
//! parent   I4 Lfirst[v] Lfirst[v+1] {S parameters, K} ROWS of the rest
//! child    I3 Lparameters Litem[i] (I2 Litem[j] {A sim})*
//! ROWS     (I1 Litem[i] (I2 Litem[j] A sim)*)*
//! ```
//!
//! `I4` at the beginning ends in the branch that sets lanes without a user aside. The `I2` of a pair ends in the address of its count; in a
//! child it also tells an item from itself, which costs no branch.

use super::{Pre, SIDE};
use crate::device::Child;
use crate::list::Item::{self, A, I, If, L, Launch, Let, Receive, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;

registers!(1: FIRST END ROW ROW_ITEM COLUMN COLUMN_ITEM THREAD PARAMETERS);

pub(super) const FLAT: List<Pre> =
    &[If(4, Pre::has_user, 0, &[L(Pre::first, CHAIN, FIRST), L(Pre::end, CHAIN, END), ROWS])];

pub(super) const PARENT: List<Pre> = &[If(
    4,
    Pre::has_user,
    0,
    &[
        L(Pre::first, CHAIN, FIRST),
        L(Pre::end, CHAIN, END),
        If(2, Pre::is_wide, FIRST | END, &[Launch(FIRST | END)]),
        ROWS,
    ],
)];

/// The rows that are the thread's own: all pairs with an item, column by column.
const ROWS: Item<Pre> = While(
    2,
    Pre::has_row,
    ROW,
    &[
        I(1, CHAIN | FIRST | END, ROW),
        L(Pre::row_item, ROW, ROW_ITEM),
        While(
            2,
            Pre::has_column,
            COLUMN,
            &[I(2, CHAIN, COLUMN), L(Pre::column_item, COLUMN, COLUMN_ITEM), A(Pre::add, ROW_ITEM | COLUMN_ITEM, 0)],
        ),
        Let(Pre::next_row),
    ],
);

pub(super) const CHILD: List<Pre> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(
        0,
        Pre::has_row,
        0,
        &[
            L(Pre::row_item, THREAD | PARAMETERS, ROW_ITEM),
            While(
                2,
                Pre::has_column,
                COLUMN,
                &[
                    I(2, CHAIN | PARAMETERS, COLUMN),
                    L(Pre::column_item, COLUMN, COLUMN_ITEM),
                    If(0, Pre::is_pair, 0, &[A(Pre::add, ROW_ITEM | COLUMN_ITEM, 0)]),
                ],
            ),
        ],
    ),
];

/// A thread, of a user or of a child.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    user: u32,
    /// The user's ratings.
    first: u32,
    end: u32,
    /// The pair: which two ratings, and what they are of.
    row: u32,
    column: u32,
    row_item: u32,
    column_item: u32,
    /// In a child a thread takes every sixteenth column, its row's item itself among them; else all others.
    in_child: bool,
}

/// The parameter block of a child: the user's ratings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters {
    first: u32,
    end: u32,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { place, user: place.index(), ..Self::default() }
    }
}

// What the lists do, for one thread.
impl Pre {
    fn has_user(&self, t: &Thread) -> bool {
        t.user < self.ratings.count()
    }

    fn first(&mut self, t: &mut Thread) -> u64 {
        t.first = self.ratings.first[t.user as usize];
        t.row = t.first;
        self.memory.first.at(t.user)
    }

    fn end(&mut self, t: &mut Thread) -> u64 {
        t.end = self.ratings.first[t.user as usize + 1];
        self.memory.first.at(t.user + 1)
    }

    fn is_wide(&self, t: &Thread) -> bool {
        self.device.launches(t.end - t.first)
    }

    /// The child has a thread for each place of the squares of its rows; the parent's thread goes on behind them.
    pub(super) fn give_rows(&self, t: &mut Thread) -> Child<Parameters> {
        let Thread { first, end, .. } = *t;
        let rows = self.device.share(end - first);
        t.row += rows;
        let square = SIDE * SIDE;
        Child { count: rows.div_ceil(SIDE) * square, tb: square, parameters: Parameters { first, end } }
    }

    pub(super) const fn receive_rows(t: &mut Thread, Parameters { first, end }: Parameters) {
        (t.first, t.end, t.in_child) = (first, end, true);
        t.row = first + SIDE * t.place.tb + t.place.in_tb / SIDE;
    }

    fn has_row(&self, t: &Thread) -> bool {
        t.row < t.end
    }

    /// Begins a row: at its first pair, or, in a child, at the thread's own column.
    fn row_item(&mut self, t: &mut Thread) -> u64 {
        t.row_item = self.ratings.item[t.row as usize];
        t.column = t.first + if t.in_child { t.place.in_tb % SIDE } else { u32::from(t.row == t.first) };
        self.memory.item.at(t.row)
    }

    fn next_row(&mut self, t: &mut Thread) {
        t.row += 1;
    }

    fn has_column(&self, t: &Thread) -> bool {
        t.column < t.end
    }

    fn column_item(&mut self, t: &mut Thread) -> u64 {
        let column = t.column;
        t.column_item = self.ratings.item[column as usize];
        t.column += if t.in_child { SIDE } else { 1 + u32::from(column + 1 == t.row) };
        self.memory.item.at(column)
    }

    fn is_pair(&self, t: &Thread) -> bool {
        t.row_item != t.column_item
    }

    fn add(&mut self, t: &mut Thread) -> u64 {
        let place = t.row_item * self.items + t.column_item;
        self.sim[place as usize] += 1;
        self.counted += 1;
        self.memory.sim.at(place)
    }
}
