use super::*;
use crate::Cover;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

/// Users with these items.
fn rated(users: &[&[u32]]) -> Ratings {
    let mut ratings = Ratings { first: vec![0], item: users.concat() };
    for user in users {
        ratings.first.push(ratings.first[ratings.first.len() - 1] + user.len() as u32);
    }
    ratings
}

/// Every program there is, by name.
fn variants() -> Vec<(&'static str, Mode, PreOptions)> {
    let default = PreOptions::default();
    let odd = PreOptions { cover: Cover::All, min_child: 5, launch_insts: 3, ..default };
    vec![
        ("flat", Mode::Flat, default),
        ("floor", Mode::Cdp, default),
        ("fired and forgotten", Mode::Cdp2, PreOptions { min_child: 40, ..default }),
        ("all", Mode::Dtbl, PreOptions { cover: Cover::All, ..default }),
        ("one row", Mode::CdpIdeal, PreOptions { min_child: 1, ..default }),
        ("odd", Mode::DtblIdeal, odd),
    ]
}

/// For each pair of items, who has both.
fn by_definition(ratings: &Ratings, items: u32) -> Vec<u32> {
    let both = |one, other| ratings.users().filter(|user| user.contains(&one) && user.contains(&other)).count() as u32;
    let count = |place: u32| (place / items, place % items);
    let pairs = (0..items * items).map(count);
    pairs.map(|(one, other)| if one == other { 0 } else { both(one, other) }).collect()
}

#[test]
fn every_variant_counts_the_pairs_of_the_definition() {
    let all: Vec<u32> = (0..60).collect();
    let inputs = [
        Ratings::generated(PreOptions { users: 150, items: 60, ..PreOptions::default() }),
        rated(&[&all, &[], &[7], &[3, 9], &all[..16], &all[..17], &all[5..20]]),
    ];
    for ratings in inputs {
        let wanted = by_definition(&ratings, 60);
        for (variant, mode, options) in variants() {
            for (room, turns) in [(1, Turns::Together), (5, Turns::FirstAhead), (1000, Turns::LastAhead)] {
                let pre = Pre::of(ratings.clone(), PreOptions { items: 60, ..options }, mode);
                let (pre, tally) = finished(pre, room, turns);
                assert_eq!(pre.similarities(), wanted, "{variant} {room}");
                let checksum = crate::graph::fnv1a(wanted.iter().copied());
                assert_eq!(pre.check(), Ok(Verified { checksum }));
                assert_eq!(tally.launches.is_empty(), mode == Mode::Flat, "{variant}");
                assert_eq!(tally.load_waits, 0);
            }
        }
    }
}

/// The lists of workloads-PR2 and workloads-PR3 counted by hand: a user with 20 items, one with two, and 30 without.
#[test]
fn instructions_are_those_of_the_lists() {
    let items: Vec<u32> = (0..20).map(|place| 3 * place).collect();
    let mut users = vec![&items[..], &items[4..6]];
    users.resize(32, &[]);
    let tally = |mode| finished(Pre::of(rated(&users), PreOptions::default(), mode), 10, Turns::Together).1;
    // Three warps have no user. I1 L, 19 turns of I2 L A I2, I2.
    let row = 2 + 19 * 6 + 2;
    let (begin, exits) = (4 * 4 + 2, 4);
    let flat = tally(Mode::Flat);
    assert_eq!(flat.issued, begin + 20 * row + exits);
    assert_eq!(flat.by_class[&Class::AtomicGlobal], [20 * 19, 20 * 19 + 2]);

    // I2 S K, then four rows. In the child two rows a warp: I3 L L, the columns in two turns, exit.
    let dynamic = tally(Mode::Dtbl);
    let child = 8 * (3 + 2 + 2 * 6 + 1);
    assert_eq!(dynamic.issued, begin + 2 + 2 + 4 * row + exits + child);
    assert_eq!(dynamic.by_class[&Class::AtomicGlobal], [4 * 19 + 8 * 2, 20 * 19 + 2]);
    let [child] = dynamic.launches[..] else { panic!("{:?}", dynamic.launches) };
    assert_eq!((child.grid.x, child.tb.x, child.regs, child.smem), (1, 256, 16 * 256, 0));
    let host = dynamic.kernels[0];
    assert_eq!((dynamic.kernels.len(), host.grid.x, host.tb.x, host.regs, host.smem), (1, 1, 128, 24 * 128, 0));
}

/// workloads-PR3: sixteen rows to a TB, of which with `cover` all the last has idle threads.
#[test]
fn children_have_a_tb_for_sixteen_rows() {
    let items: Vec<u32> = (0..50).collect();
    let users = [15, 16, 31, 32, 50].map(|count| &items[..count]);
    let tbs = |cover| {
        let pre = Pre::of(rated(&users), PreOptions { cover, ..PreOptions::default() }, Mode::Dtbl);
        let Tally { launches, .. } = finished(pre, 100, Turns::Together).1;
        launches.iter().map(|child| child.grid.x).collect::<Vec<_>>()
    };
    assert_eq!(tbs(Cover::Floor), [1, 1, 2, 3]);
    assert_eq!(tbs(Cover::All), [1, 2, 2, 4]);
}

/// workloads-PR1, as large as the source's.
const SOURCE: PreOptions =
    PreOptions { users: 943, items: 1682, cut: 737, seed: 1, min_child: 16, cover: Cover::Floor, launch_insts: 0 };

#[test]
fn ratings_are_those_that_the_sheet_tells() {
    let ratings = Ratings::generated(SOURCE);
    assert!(ratings.users().all(|user| user.is_sorted_by(|a, b| a < b) && user.iter().all(|&item| item < 1682)));
    let counts: Vec<usize> = ratings.users().map(<[u32]>::len).collect();
    assert_eq!((counts.iter().min(), counts.iter().max(), ratings.item.len()), (Some(&20), Some(&698), 93_423));
    assert_eq!(counts.iter().map(|count| count * (count - 1)).sum::<usize>(), 18_125_650);
    let checksum = crate::graph::fnv1a(ratings.first.iter().chain(&ratings.item).copied());
    assert_eq!(checksum, 0x8053_d688_f352_eefb);
    // The first half of a group's numbers has more than two thirds of its ratings: u * u is below a half for 71 % of u.
    let in_first_half = |&&item: &&u32| {
        let group = (item * 19 + 18) / 1682;
        let [start, end] = [group, group + 1].map(|group| group * 1682 / 19);
        2 * (item - start) < end - start
    };
    let first = ratings.item.iter().filter(in_first_half).count();
    assert!((60_000..67_000).contains(&first), "{first}");
}

/// workloads-PR3: nearly as many threads as the source measured, 1527.9 (3.6).
#[test]
fn children_are_as_coarse_as_the_source_has_them() {
    let ratings = Ratings::generated(SOURCE);
    let pre = Pre::of(ratings.clone(), SOURCE, Mode::Dtbl).unwrap();
    let threads: u32 = ratings.users().map(|user| 256 * (pre.device.share(user.len() as u32) / 16)).sum();
    assert_eq!(threads / 943, 1465);
    // Fewer ratings, smaller children.
    let cut = Ratings::generated(PreOptions::default());
    assert_eq!((cut.count(), cut.users().map(<[u32]>::len).max()), (256, Some(96)));
}

#[test]
fn what_is_out_of_range_is_refused() {
    let error = |options| Pre::new(options, Mode::Flat).unwrap_err().to_string();
    let default = PreOptions::default();
    assert_eq!(error(PreOptions { users: 0, ..default }), "option `users`: expected 1 to 65536, found 0");
    assert_eq!(error(PreOptions { users: 65_537, ..default }), "option `users`: expected 1 to 65536, found 65537");
    assert_eq!(error(PreOptions { items: 18, ..default }), "option `items`: expected 19 to 16384, found 18");
    assert_eq!(error(PreOptions { items: 16_385, ..default }), "option `items`: expected 19 to 16384, found 16385");
    assert_eq!(error(PreOptions { cut: 19, ..default }), "option `cut`: expected 20 to 737, found 19");
    assert_eq!(error(PreOptions { cut: 738, ..default }), "option `cut`: expected 20 to 737, found 738");
    assert_eq!(error(PreOptions { min_child: 0, ..default }), "option `min_child`: expected 1 or more, found 0");
}

#[test]
fn a_wrong_count_is_told_with_its_place() {
    let pre = Pre::of(rated(&[&[1, 3], &[1, 3]]), PreOptions { items: 19, ..PreOptions::default() }, Mode::Flat);
    let (mut pre, _) = finished(pre, 1, Turns::Together);
    pre.sim[19 + 3] = 1;
    assert_eq!(pre.check().unwrap_err().to_string(), "wrong result: sim[22] is 1, want 2");
}
