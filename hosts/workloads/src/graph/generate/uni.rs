//! UNI (workloads-G6): uniformly random edges.

use crate::graph::{EdgeList, SplitMix64};

pub fn edges(lg: u32, ef: u32, seed: u64) -> EdgeList {
    let mut rng = SplitMix64::new(seed);
    let n = 1 << lg;
    let mut list = EdgeList::unweighted(n);
    list.reserve((ef as usize) << lg);
    for _ in 0..u64::from(ef) << lg {
        let u = rng.vertex(n);
        list.push(u, rng.vertex(n), 0);
    }
    list
}
