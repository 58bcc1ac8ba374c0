//! ROAD (workloads-G4): a road network. A random spanning tree of a square grid, numbered along a Morton curve, and a few shortcuts.

use crate::graph::{EdgeList, SplitMix64};

pub fn edges(lg: u32, seed: u64) -> EdgeList {
    let mut rng = SplitMix64::new(seed);
    let mut streets = grid(1 << lg);
    for i in (1..streets.len()).rev() {
        streets.swap(i, rng.below(i as u64 + 1) as usize);
    }
    let n = 1_u32 << (2 * lg);
    let mut list = EdgeList::unweighted(n);
    let mut towns = Components::new(n);
    let mut shortcuts = Vec::new();
    for [u, v] in streets {
        if towns.join(u, v) {
            list.push(u, v, 0);
        } else {
            shortcuts.push([u, v]);
        }
    }
    let extra = (u64::from(n) * 2049 / 10_000) as usize;
    for &[u, v] in shortcuts.iter().take(extra) {
        list.push(u, v, 0);
    }
    list.draw_weights(|| {
        let e = rng.below(8);
        1 + rng.below(185 << e) as u32
    });
    list
}

/// The edges of a square grid by rows: to the right, then down.
fn grid(side: u32) -> Vec<[u32; 2]> {
    let mut list = Vec::with_capacity(2 * side as usize * side as usize);
    for y in 0..side {
        for x in 0..side {
            let here = morton(x, y);
            if x + 1 < side {
                list.push([here, morton(x + 1, y)]);
            }
            if y + 1 < side {
                list.push([here, morton(x, y + 1)]);
            }
        }
    }
    list
}

/// Interleaves the low 16 bits: x into the even places.
fn morton(x: u32, y: u32) -> u32 {
    let spread = |v: u32| {
        let v = (v | v << 8) & 0x00FF_00FF;
        let v = (v | v << 4) & 0x0F0F_0F0F;
        let v = (v | v << 2) & 0x3333_3333;
        (v | v << 1) & 0x5555_5555
    };
    spread(x) | spread(y) << 1
}

/// Union-find with path halving.
struct Components {
    parent: Vec<u32>,
}

impl Components {
    fn new(n: u32) -> Self {
        Self { parent: (0..n).collect() }
    }

    fn root(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let above = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = above;
            v = above;
        }
        v
    }

    /// Joins the components of `u` and `v`; false if they were one already.
    fn join(&mut self, u: u32, v: u32) -> bool {
        let (u, v) = (self.root(u), self.root(v));
        self.parent[u as usize] = v;
        u != v
    }
}
