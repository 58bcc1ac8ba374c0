//! The straight loop: what a kernel loads and stores, thread by thread, from the table of addresses of workloads-PK2.

use super::pattern::Pattern;
use super::place::{Extent, Site, Standing, fold, stored, word};
use super::spec::{KernelSpec, Order};
use gpusched_refgpu::lanes::WARP;

/// What comes out of a kernel.
pub struct Expected {
    /// Each thread's fold of what it loads.
    pub folds: Vec<u32>,
    /// The sum over all stores.
    pub stored: u64,
}

/// A thread in an iteration of a phase.
struct Thread<'a> {
    extent: &'a Extent,
    at: Standing,
    lane: u64,
    seed: u64,
}

impl Thread<'_> {
    /// The sheet's table. `link`: the fold of the warp's first lane.
    fn address(&self, site: &Site, link: u32) -> u64 {
        let Extent { threads, warps, line, tbs, pairs, .. } = *self.extent;
        let Standing { tb, warp, i } = self.at;
        let gwarp = tb * warps + warp;
        let (wide, gtid) = (u64::from(WARP), gwarp * u64::from(WARP) + self.lane);
        let within = self.lane * 4 % line;
        let offset = match site.access.pattern {
            Pattern::Stream(b) => (gtid + i * threads) * u64::from(b),
            Pattern::Stride(k) => (gtid + i * threads) * u64::from(k),
            Pattern::Row(f) => (gtid * u64::from(f) + i) * 4,
            Pattern::Invariant(h) => i / u64::from(h) * line,
            Pattern::Batch(v) => (gwarp * wide + i * threads) / u64::from(v) * line,
            Pattern::Own(f) => (gwarp * u64::from(f) + i % u64::from(f)) * line + within,
            Pattern::Tb(f) => (tb * u64::from(f) + (i + warp) % u64::from(f)) * line + within,
            Pattern::Pair => (i * tbs * pairs + tb * pairs + warp / 2) * line + within,
            Pattern::Gather(t, _) | Pattern::Skewed(t, _) => {
                let drawn = self
                    .at
                    .drawn(site, self.extent, self.seed, link)
                    .map_or(0, |(lines, _)| lines[self.lane as usize % t as usize]);
                drawn * line + within
            }
            Pattern::Back(_) => 0,
        };
        site.array.at(0) + u64::from(site.access.offset) + offset
    }
}

/// What `kernel` has to give, with its arrays where these sites say.
pub fn expected(kernel: &KernelSpec, loads: &[Vec<Site>], stores: &[Vec<Site>], seed: u64) -> Expected {
    let extent = Extent::of(kernel);
    let mut expected = Expected { folds: Vec::new(), stored: 0 };
    for tb in 0..extent.tbs {
        let tail = if tb == 0 { kernel.tail } else { 1 };
        for warp in 0..extent.warps {
            let mut folds = [0; WARP as usize];
            let mut at = Standing { tb, warp, i: 0 };
            for (phase, (loads, stores)) in kernel.phases.iter().zip(loads.iter().zip(stores)) {
                for _ in 0..u64::from(phase.iters) * u64::from(tail) {
                    let mask = at.mask(&extent, phase.lanes, seed);
                    let active: Vec<u64> = (0..u64::from(WARP)).filter(|lane| mask >> lane & 1 == 1).collect();
                    let thread = |lane| Thread { extent: &extent, at, lane, seed };
                    let there = |site: &&Site| at.has(site.access.every, site.access.warps);
                    let turns = match phase.order {
                        Order::Given => false,
                        Order::Alternate(k) => {
                            (at.i * extent.tbs * extent.warps + tb * extent.warps + warp + 1).is_multiple_of(k.into())
                        }
                    };
                    let load_all = |folds: &mut [u32; WARP as usize]| {
                        for (number, site) in loads.iter().enumerate().filter(|(_, site)| there(site)) {
                            let link = folds[0];
                            for &lane in &active {
                                let site = if turns && lane % 2 == 1 { &loads[loads.len() - 1 - number] } else { site };
                                let address = thread(lane).address(site, link);
                                let of = &mut folds[lane as usize];
                                *of = fold(seed, *of, address, site.access.bytes);
                            }
                        }
                    };
                    load_all(&mut folds);
                    for store in stores {
                        let back = match store.access.pattern {
                            Pattern::Back(number) => loads.get(number as usize - 1),
                            _ => None,
                        };
                        for &lane in active.iter().filter(|_| there(&back.unwrap_or(store))) {
                            let address = thread(lane).address(back.unwrap_or(store), 0);
                            let value = if back.is_some() { word(seed, address) } else { folds[lane as usize] };
                            expected.stored = expected.stored.wrapping_add(stored(address, value));
                        }
                    }
                    if phase.reload {
                        load_all(&mut folds);
                    }
                    at.i += 1;
                }
            }
            expected.folds.extend(folds);
        }
    }
    expected
}
