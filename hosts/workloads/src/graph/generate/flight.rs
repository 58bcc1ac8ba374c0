//! FLIGHT (workloads-G5): a flight network. New airports connect to the ends of routes that exist, so hubs grow.

use crate::graph::{EdgeList, SplitMix64};

pub fn edges(n: u32, seed: u64) -> EdgeList {
    let mut rng = SplitMix64::new(seed);
    let mut list = EdgeList::unweighted(n);
    for i in 1..n {
        let mut routes = 1;
        while routes < 40 && rng.below(100) < 82 {
            routes += 1;
        }
        for _ in 0..routes.min(i) {
            let earlier = list.ends().len() as u64;
            let target = if earlier == 0 || rng.below(100) < 12 {
                rng.vertex(i)
            } else {
                let route = rng.below(earlier) as usize;
                let end = if rng.below(2) == 1 { 0 } else { 1 };
                list.ends()[route][end]
            };
            list.push(i, target, 0);
        }
    }
    list.draw_weights(|| {
        let e = rng.below(8);
        1 + rng.below(64 << e) as u32
    });
    list
}
