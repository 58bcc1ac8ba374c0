//! Closed forms: their invariants and the source's figures.

use gpusched::models::theory::{Bound, Ulist, brent, matmul_io, reduction_io, reduction_tree, roofline, ulist};
use proptest::prelude::*;

use crate::every::runs;

proptest! {
    #![proptest_config(runs(1000))]

    /// models-T2, models-I2: max(d, w/p) <= t <= w.
    #[test]
    fn brents_time_is_within_its_bounds(d in 1.0..1e6f64, more in 0.0..1e6f64, p in 1.0..1e6f64) {
        let w = d + more;
        let t = brent(w, d, p).unwrap().t;
        let eps = 1e-12 * w;
        prop_assert!(d.max(w / p) <= t + eps && t <= w + eps);
    }

    /// models-T1, models-I3: attainable <= both roofs, and the ridge is where they meet.
    #[test]
    fn the_roofline_is_below_both_roofs(peak in 1e-3..1e6f64, bw in 1e-3..1e6f64, intensity in 0.0..1e6f64) {
        let roof = roofline(peak, bw, intensity).unwrap();
        prop_assert!(roof.attainable <= peak && roof.attainable <= bw * intensity);
        prop_assert!(roof.attainable == peak || roof.attainable == bw * intensity);
        prop_assert_eq!(roof.bound == Bound::Compute, bw * intensity >= peak);
    }

    /// models-T4: a tree that is built node by node.
    #[test]
    fn a_reduction_tree_has_its_nodes(log in 0..12u32) {
        let (mut level, mut work, mut depth) = (1u64 << log, 1u64 << log, 1);
        while level > 1 {
            level /= 2;
            work += level;
            depth += 1;
        }
        let tree = reduction_tree(1 << log).unwrap();
        prop_assert_eq!((tree.work, tree.depth), (work, depth));
    }

    /// models-T5: n/z trees of z elements have z - 1 additions each; the rest joins them.
    #[test]
    fn partial_trees_add_up(l in 0..6u32, z in 1..6u32, n in 1..6u32) {
        let (l, z, n) = (1u64 << l, 1u64 << (l + z), 1u64 << (l + z + n));
        let io = reduction_io(n, z, l).unwrap();
        prop_assert_eq!((io.q, io.w_partial), (n / l, n / z * (z - 1)));
        prop_assert_eq!(io.w_partial + (n / z - 1), io.w_total);
        prop_assert_eq!(io.i_total, io.w_total as f64 / n as f64);
    }

    /// models-T6: three blocks of the side fit, and no larger ones.
    #[test]
    fn the_block_is_the_greatest_that_fits(z in prop_oneof![1.0..1e4f64, 1.0..9e15f64]) {
        let b = u128::from(matmul_io(64.0, z, 4.0).unwrap().b);
        let third = (z / 3.0).floor() as u128;
        prop_assert!(b * b <= third && third < (b + 1) * (b + 1), "{b} of {z}");
    }
}

/// models-T6 where rounding of a root would be wrong: just below squares.
#[test]
fn roots_of_large_memories_are_exact() {
    for side in [1u64 << 20, (1 << 25) + 1, 54_794_158] {
        for (below, b) in [(1, side - 1), (0, side)] {
            let z = 3.0 * ((side * side - below) as f64);
            assert_eq!(matmul_io(1.0, z, 1.0).unwrap().b, b, "{side}^2 - {below}");
        }
    }
}

/// 2.2: the reduction of 16; p = n = 1024. 2.3: twice the memory divides the transfers by the root of 2, twice the line by 2.
#[test]
fn the_sources_figures_come_out() {
    let tree = reduction_tree(16).unwrap();
    assert_eq!((tree.work, tree.depth), (31, 5));
    let of = |z, l| matmul_io(64.0, z, l).unwrap().q_order;
    assert!((of(192.0, 4.0) / of(384.0, 4.0) - 2f64.sqrt()).abs() < 1e-12);
    assert_eq!(of(192.0, 4.0) / of(192.0, 8.0), 2.0);
}

/// 3.3 to 3.5: 27 neighbours, 116 words of 464 bytes; printed q of 422, consistent q of 16.
#[test]
fn the_ulist_is_that_of_the_source() {
    let boxes = ulist(&Ulist { kappa: 11.0, q: 422.0, balance: 10.0, ..Ulist::DEFAULT }).unwrap();
    assert_eq!((boxes.neighbours, boxes.words_per_target, boxes.bytes_per_target), (27, 116.0, 464.0));
    assert_eq!((boxes.z_words, boxes.q_printed, boxes.q_exact), (3376.0, 422, 16));
    assert_eq!(boxes.i_exact, 27.0 * boxes.i_printed);
    // Boxes of so many points are at the ridge: 10 flops per byte, 40 per word.
    assert!(boxes.i_printed >= 40.0);
    let most = ulist(&Ulist { kappa: 1.0, dims: 20, ..Ulist::DEFAULT }).unwrap();
    assert_eq!(most.neighbours, 3_486_784_401);
    let roof = roofline(1000.0, 100.0, 11.0 / 16.0).unwrap();
    assert_eq!(roof.attainable, 68.75);
}
