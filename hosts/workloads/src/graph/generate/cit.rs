//! CIT (workloads-G2): a citation network. Papers cite recent ones, well-cited ones, and what those cite.

use crate::graph::{EdgeList, SplitMix64};

/// Papers before this one have no past worth preferring.
const YOUNG: u32 = 1024;

pub fn edges(n: u32, seed: u64) -> EdgeList {
    let mut rng = SplitMix64::new(seed);
    let mut list = EdgeList::unweighted(n);
    for i in 1..n {
        let mut cites = 1;
        while cites < 64 && rng.below(1000) < 768 {
            cites += 1;
        }
        for _ in 0..cites.min(i) {
            let way = rng.below(100);
            let earlier = list.ends().len() as u64;
            let target = if i >= YOUNG && way < 60 {
                list.ends()[rng.below(earlier) as usize][1]
            } else if i >= YOUNG && way < 70 {
                let edge = rng.below(earlier) as usize;
                let end = if rng.below(2) == 1 { 0 } else { 1 };
                list.ends()[edge][end]
            } else {
                i - 1 - rng.vertex(i.min(4096))
            };
            list.push(i, target, 0);
        }
    }
    list
}
