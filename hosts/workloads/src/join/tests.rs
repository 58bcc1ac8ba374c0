use super::*;
use crate::functional::{Tally, run};
use crate::keys::KeySource;
use crate::{Cover, Shape};
use gpusched_refgpu::program::{Class, Workload};
use std::ops::ControlFlow;

type Sides = (Arc<Rows>, Arc<Rows>);

fn generated(name: &str) -> Sides {
    let keys = name.parse::<KeySource>().unwrap().load(u64::MAX, &mut |_| ControlFlow::Continue(())).unwrap();
    (Arc::new(keys.r), Arc::new(keys.s))
}

fn listed(r: &[u32], s: &[u32]) -> Sides {
    (Arc::new(Rows::sorted(r)), Arc::new(Rows::sorted(s)))
}

/// Every program there is, by name.
fn variants() -> Vec<(&'static str, Mode, LaunchOptions)> {
    let default = LaunchOptions::default();
    let odd = LaunchOptions { shape: Shape::Fixed(75), cover: Cover::All, min_child: 5, launch_insts: 3 };
    vec![
        ("flat", Mode::Flat, default),
        ("floor", Mode::Cdp, default),
        ("all", Mode::Dtbl, LaunchOptions::cage()),
        ("var", Mode::CdpIdeal, LaunchOptions { shape: Shape::Var, ..default }),
        ("odd", Mode::DtblIdeal, odd),
    ]
}

fn join((r, s): &Sides, mode: Mode, options: LaunchOptions, room: usize) -> (Join, Tally) {
    let mut join = Join::new(Arc::clone(r), Arc::clone(s), mode, options).unwrap();
    let tally = run(&mut join, room);
    (join, tally)
}

fn nested_loop((r, s): &Sides) -> [Vec<u32>; 3] {
    let mut out = [const { Vec::new() }; 3];
    for (&key, &value) in r.keys().iter().zip(r.values()) {
        for (&other, &match_) in s.keys().iter().zip(s.values()) {
            if key == other {
                out.iter_mut().zip([key, value, match_]).for_each(|(column, word)| column.push(word));
            }
        }
    }
    out
}

#[test]
fn every_variant_gives_the_pairs_of_a_nested_loop_in_its_order() {
    let names =
        ["uni:300,2000,20", "gauss:700,1500,300", "uni:1,1,1", "gauss:513,100,4096", "uni:257,3,2", "uni:5,900,1"];
    for name in names {
        let sides = generated(name);
        let wanted = nested_loop(&sides);
        for (variant, mode, options) in variants() {
            for room in [1, 5, 1000] {
                let (join, _) = join(&sides, mode, options, room);
                assert_eq!(join.pairs(), &wanted, "{name} {variant} {room}");
                let checksum = crate::graph::fnv1a(wanted.iter().flatten().copied());
                assert_eq!(join.check(), Ok(Verified { checksum }));
                let pairs = wanted[0].len() as u64;
                assert_eq!(Workload::progress(&join), (pairs, pairs));
                assert!(join.device.is_empty());
            }
        }
    }
}

#[test]
fn more_blocks_than_the_scan_has_threads_are_numbered() {
    let sides = generated("uni:70000,300,70000");
    for (variant, mode, options) in variants() {
        let (join, _) = join(&sides, mode, options, 100);
        assert!(join.check().is_ok(), "{variant}");
    }
}

#[test]
fn sides_without_a_common_key_join_to_nothing() {
    let (join, tally) = join(&listed(&[1, 3], &[0, 2, 4]), Mode::Dtbl, LaunchOptions::cage(), 10);
    assert_eq!(join.pairs(), &[const { Vec::new() }; 3]);
    assert!(join.check().is_ok() && tally.launches.is_empty());
}

/// The lists of workloads-JO2 and workloads-JO3 counted by hand: one row with 40 matches, of 100, and 31 without.
#[test]
fn instructions_are_those_of_the_lists() {
    let s: Vec<u32> = (0..100).map(|row| if row < 40 { 5 } else { 6 }).collect();
    let r: Vec<u32> = (0..32).map(|row| if row == 0 { 5 } else { 7 }).collect();
    let sides = listed(&r, &s);
    // Seven warps have no row. I4, two searches of I3 L I2 I2 in 7 turns, S S.
    let find = 8 * 4 + 1 + 2 * 7 * 8 + 2;
    // s B and eight steps of I2 {l s} B. In steps 0 to 4 all warps add, in steps 5, 6, 7 half of them.
    let sum = 8 * 2 + 8 * 8 * 3 + 5 * 8 * 2 + 3 * 4 * 2;
    // S off, S blk.
    let stores = 1 + 1;
    let exits = 8;
    let count = find + sum + stores + exits;
    // I4, a turn of I1 L I1 I2 for the one block, the sum, a turn of I1 L S I1 I2, exit.
    let scan = 8 * 4 + 5 + sum + 6 + exits;
    let turn = 1 + 4 + 3;
    let gather = 8 * 4 + 6 + 40 * turn + exits;
    let (_, flat) = join(&sides, Mode::Flat, LaunchOptions::default(), 10);
    assert_eq!(flat.issued, count + scan + gather);

    // A second sum, its stores and TB of the scan; two more loads, then I2 S K and 8 turns; the child I3 L L S S S.
    let (_, dynamic) = join(&sides, Mode::Dtbl, LaunchOptions::default(), 10);
    let child = 3 + 5 + 1;
    let gather = 8 * 4 + 8 + 2 + 2 + 8 * turn + exits + child;
    assert_eq!(dynamic.issued, count + sum + stores + 2 * scan + gather);
    assert_eq!(dynamic.launches.len(), 1);
    let child = dynamic.launches[0];
    assert_eq!((child.grid.x, child.tb.x, child.regs, child.smem), (1, 32, 16 * 32, 0));
    assert!(dynamic.mean_lanes(Class::StoreGlobal) > flat.mean_lanes(Class::StoreGlobal));
}

/// workloads-IN4 and workloads-JO3: every row launches in the uniform case, some in the other.
#[test]
fn the_default_keys_launch_as_the_sheet_expects() {
    let threads = |tally: &Tally| tally.launches.iter().map(|l| u64::from(l.grid.x * l.tb.x)).sum::<u64>() as f64;
    let (_, uniform) = join(&generated("uni"), Mode::Dtbl, LaunchOptions::default(), 500);
    assert_eq!(uniform.launches.len(), 4096);
    assert!((230.0..250.0).contains(&(threads(&uniform) / 4096.0)));
    let (_, gaussian) = join(&generated("gauss"), Mode::Dtbl, LaunchOptions::default(), 500);
    assert!((2000..3500).contains(&gaussian.launches.len()), "{}", gaussian.launches.len());
}

#[test]
fn what_is_out_of_range_is_refused() {
    let none = LaunchOptions { min_child: 0, ..LaunchOptions::default() };
    let (r, s) = listed(&[1], &[1]);
    let error = Join::new(r, s, Mode::Flat, none).unwrap_err();
    assert_eq!(error.to_string(), "option `min_child`: expected 1 or more, found 0");
    let (r, s) = listed(&[1; 1 << 16], &[1; 1 << 16]);
    let error = Join::new(r, s, Mode::Flat, LaunchOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "the join has 4294967296 pairs: expected at most 2^32 - 1");
}

#[test]
fn a_wrong_pair_is_told_with_its_place() {
    let (mut join, _) = join(&listed(&[1, 1], &[1, 2, 1]), Mode::Flat, LaunchOptions::default(), 1);
    join.out[1][2] = 9;
    assert_eq!(join.check().unwrap_err().to_string(), "wrong result: pair[6] is 9, want 1");
}
