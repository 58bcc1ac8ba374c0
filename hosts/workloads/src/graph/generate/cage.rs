//! CAGE (workloads-G3): the pattern of the cage matrices. Each vertex has up to 23 fixed distances ahead, kept or not by a hash, more of
//! them where the two vertices are sociable.

use crate::graph::{EdgeList, hash};

const AHEAD: [u32; 23] =
    [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072];

/// Distances from this one on grow with the graph.
const STRETCHED: usize = 8;

/// The hash takes no more of a seed.
pub const SEED_BITS: u32 = 24;

pub fn edges(n: u32, seed: u64) -> EdgeList {
    let salt = seed << (u64::BITS - SEED_BITS);
    let stretch = n.ilog2().saturating_sub(14);
    let sociable: Vec<u8> = (0..n).map(|v| hash(u64::from(v) ^ salt) as u8).collect();
    let mut list = EdgeList::unweighted(n);
    for i in 0..n {
        for (k, &ahead) in AHEAD.iter().enumerate() {
            let distance = ahead << if k < STRETCHED { 0 } else { stretch };
            let j = match i.checked_add(distance) {
                Some(j) if j < n => j,
                _ => continue,
            };
            let both = u32::from(sociable[i as usize]) + u32::from(sociable[j as usize]);
            let threshold = 20 + u64::from(both * 369 / 255);
            let place = u64::from(i) * 23 + k as u64;
            if k == 0 || hash(place ^ salt ^ 0x5555_5555_5555_5555) & 1023 < threshold {
                list.push(i, j, 0);
            }
        }
    }
    list
}
