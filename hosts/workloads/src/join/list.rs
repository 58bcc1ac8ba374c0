//! The instruction lists of the join (workloads-JO2, workloads-JO3). `thread.rs` says what each instruction does for a thread.
//!
//! ```text
//! count    I4 Lrk SEARCH SEARCH S cnt, S low SUM S off, S blk
//! both     I4 Lrk SEARCH SEARCH S cnt, S low SUM S off, S blk SUM S off, S blk
//! scan     I4 (I1 Lblk I1)* SUM (I1 Lblk S blk I1)*
//! gather   I4 Loff Lblk Lcnt Llow Lrk Lrv WRITE
//! rest     I4 Loff Lblk Loff Lblk Lcnt Llow Lrk Lrv {S parameters, K} WRITE of the rest
//! child    I3 Lparameters Lsv[j] S out_k, S out_r, S out_s
//! SEARCH   (I3 Lsk I2)*
//! SUM      s B (l s I2 B)* 8
//! WRITE    (I1 Lsv[j] S out_k, S out_r, S out_s I1)*
//! ```
//!
//! `I4` at the beginning ends in the branch that sets lanes without a row aside; in *count* they take part in the sum with no
//! match. One thread of a TB stores `blk`. *both* and *rest* are the dynamic forms of *count* and *gather*.

use super::Join;
use super::thread::{GIVEN, OWN};
use crate::list::Item::{self, B, I, If, L, Launch, Let, LoadShared, Receive, S, StoreShared, Sub, While};
use crate::list::List;
use crate::warp::CHAIN;

registers!(1: KEY PROBE PROBED SUM LEFT BLOCK AT MATCHES LOW R_VALUE S_VALUE PLACE THREAD PARAMETERS);

pub(super) const COUNT: List<Join> = &[
    FIND,
    Let(Join::start_sum::<OWN>),
    Sub(SUM_OF_TB),
    If(0, Join::has_row, 0, &[S(Join::store_offset::<OWN>, SUM)]),
    If(0, Join::is_last_thread, 0, &[S(Join::store_block::<OWN>, SUM)]),
];

pub(super) const COUNT_BOTH: List<Join> = &[
    FIND,
    Let(Join::start_sum::<GIVEN>),
    Sub(SUM_OF_TB),
    If(0, Join::has_row, 0, &[S(Join::store_offset::<GIVEN>, SUM)]),
    If(0, Join::is_last_thread, 0, &[S(Join::store_block::<GIVEN>, SUM)]),
    Let(Join::start_sum::<OWN>),
    Sub(SUM_OF_TB),
    If(0, Join::has_row, 0, &[S(Join::store_offset::<OWN>, SUM)]),
    If(0, Join::is_last_thread, 0, &[S(Join::store_block::<OWN>, SUM)]),
];

/// How many matches a row has, and which is the first.
const FIND: Item<Join> = If(
    4,
    Join::has_row,
    0,
    &[
        L(Join::r_key, CHAIN, KEY),
        Let(Join::start_low),
        SEARCH,
        Let(Join::start_high),
        SEARCH,
        S(Join::store_count, PROBED),
        S(Join::store_low, PROBED),
    ],
);

const SEARCH: Item<Join> =
    While(4, Join::is_searching, PROBED | KEY, &[I(3, CHAIN, PROBE), L(Join::probe, PROBE, PROBED)]);

/// Prefix sum over the threads of a TB, in place: in step k, the threads with bit k set add the sum of the 2^k threads before
/// their block of 2^k. What is read in a step is not written in it.
const SUM_OF_TB: List<Join> = &[
    StoreShared(Join::put_sum, SUM),
    B,
    While(
        0,
        Join::in_sum,
        0,
        &[
            If(
                2,
                Join::takes_left,
                CHAIN,
                &[LoadShared(Join::left_sum, 0, LEFT), StoreShared(Join::put_sum, SUM | LEFT)],
            ),
            Let(Join::next_step),
            B,
        ],
    ),
];

pub(super) const SCAN: List<Join> = &[
    I(4, 0, PLACE),
    Let(Join::start_blocks),
    While(2, Join::has_block, PLACE, &[I(1, CHAIN, PLACE), L(Join::add_block, PLACE, BLOCK), I(1, BLOCK | SUM, SUM)]),
    Sub(SUM_OF_TB),
    Let(Join::restart_blocks),
    While(
        2,
        Join::has_block,
        PLACE,
        &[
            I(1, CHAIN, PLACE),
            L(Join::load_block, PLACE, BLOCK),
            S(Join::number_block, SUM | LEFT),
            I(1, BLOCK | SUM, SUM),
        ],
    ),
];

pub(super) const GATHER: List<Join> = &[If(
    4,
    Join::has_row,
    0,
    &[
        L(Join::offset::<OWN>, CHAIN, AT),
        L(Join::block::<OWN>, CHAIN, BLOCK),
        L(Join::count, CHAIN, MATCHES),
        L(Join::low, CHAIN, LOW),
        L(Join::r_key, CHAIN, KEY),
        L(Join::r_value, CHAIN, R_VALUE),
        WRITE,
    ],
)];

pub(super) const GATHER_REST: List<Join> = &[If(
    4,
    Join::has_row,
    0,
    &[
        L(Join::offset::<GIVEN>, CHAIN, AT),
        L(Join::block::<GIVEN>, CHAIN, BLOCK),
        L(Join::offset::<OWN>, CHAIN, AT),
        L(Join::block::<OWN>, CHAIN, BLOCK),
        L(Join::count, CHAIN, MATCHES),
        L(Join::low, CHAIN, LOW),
        L(Join::r_key, CHAIN, KEY),
        L(Join::r_value, CHAIN, R_VALUE),
        If(2, Join::is_wide, MATCHES, &[Launch(AT | BLOCK | LOW | KEY | R_VALUE)]),
        WRITE,
    ],
)];

/// The pairs that are the thread's own.
const WRITE: Item<Join> = While(
    3,
    Join::has_pair,
    PLACE,
    &[
        I(1, CHAIN | AT | BLOCK | MATCHES | LOW, PLACE),
        L(Join::s_value, PLACE, S_VALUE),
        S(Join::out_key, PLACE | KEY),
        S(Join::out_r, PLACE | R_VALUE),
        S(Join::out_s, PLACE | S_VALUE),
    ],
);

pub(super) const CHILD: List<Join> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(
        0,
        Join::has_pair,
        0,
        &[
            L(Join::s_value, THREAD | PARAMETERS, S_VALUE),
            S(Join::out_key, THREAD | PARAMETERS),
            S(Join::out_r, THREAD | PARAMETERS),
            S(Join::out_s, THREAD | S_VALUE),
        ],
    ),
];
