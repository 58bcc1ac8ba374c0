//! Shared footprints: how much of the memory that TBs touch they have in common with their parents, their siblings and other TBs of
//! their kernel (refgpu-S7, workloads-A2; 5.1.1 of the source). It is the locality that LaPerm lives on.
//!
//! The program is run without a machine: host kernels one after the other, each TB by itself, children after all TBs that were
//! launched before them. Global accesses of any kind count, in blocks of 128 bytes.
//!
//! ```
//! use gpusched_workloads::footprint::footprint;
//! use gpusched_workloads::graph::GraphSource;
//! use gpusched_workloads::{Bfs, BfsOptions, Mode};
//! use std::{ops::ControlFlow, sync::Arc};
//!
//! let graph = "cit:2000".parse::<GraphSource>()?.load(&mut |_| ControlFlow::Continue(()))?;
//! let mut bfs = Bfs::new(Arc::new(graph.csr), Mode::Dtbl, BfsOptions::default())?;
//! let report = footprint(&mut bfs, &mut ())?;
//! assert!(report.parent_child.mean.is_some_and(|ratio| (0.0..=1.0).contains(&ratio)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::VecDeque;

use gpusched::Descriptor;
use serde::Serialize;

use gpusched_refgpu::gpu::Monitor;
use gpusched_refgpu::program::{Class, Effects, TbContext, Workload};

/// Bytes of a block, as a power of two.
const BLOCK_SHIFT: u32 = 7;
/// Blocks that a TB's set holds at most.
const MOST_BLOCKS: usize = 1 << 20;
/// Accesses after which a set is rid of repetitions.
const COMPACT: usize = 4 * MOST_BLOCKS;
/// TBs between two calls of the monitor.
const TBS_PER_REPORT: u64 = 1024;

/// Blocks that TBs share with their partners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SharedRatio {
    /// Of the blocks that the partners of a TB touch, those that it touches too: the mean, from 0 to 1; `None` of nothing. This is
    /// the source's ratio. It falls with the number of partners.
    pub mean: Option<f64>,
    /// Of the blocks that a TB touches, those that its partners touch too: the mean.
    pub mean_of_own: Option<f64>,
    /// TBs that these are the means of.
    pub tbs: u64,
    #[serde(skip)]
    sums: [f64; 2],
}

impl SharedRatio {
    /// A TB touches `own` blocks and its partners `theirs`, `shared` of them the same.
    fn add(&mut self, shared: usize, own: usize, theirs: usize) {
        if own == 0 || theirs == 0 {
            return;
        }
        self.tbs += 1;
        for (sum, all) in self.sums.iter_mut().zip([theirs, own]) {
            *sum += shared as f64 / all as f64;
        }
        [self.mean, self.mean_of_own] = self.sums.map(|sum| Some(sum / self.tbs as f64));
    }
}

/// The report on one program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Footprint {
    /// pc/c, over TBs with children: of the blocks that its children touch, those that the parent touches too.
    pub parent_child: SharedRatio,
    /// cos/cs, over TBs with siblings (children of the same TB): of the blocks that its siblings touch, those that it touches too.
    pub child_sibling: SharedRatio,
    /// The same over all TBs of kernels and groups in which some TB has children, with the others of their kernel or group.
    pub parent_parent: SharedRatio,
    /// Over child TBs, with their parents; loads only, since stores and atomics leave nothing in L1 (refgpu-M7, refgpu-M8).
    /// `mean_of_own` is the part of a child's loaded blocks that its parent has loaded: all that an L1 cache can do for it.
    pub child_parent_loads: SharedRatio,
    /// The same of those blocks that no other TB of the parent's kernel or group loads: all that it can matter where the child runs.
    pub child_own_parent_loads: SharedRatio,
    /// Blocks that TBs load from, summed over TBs.
    pub loads: u64,
    /// Those of child TBs.
    pub child_loads: u64,
    /// Host kernels.
    pub host_kernels: u64,
    /// Kernels or groups that were launched from the device.
    pub launches: u64,
    /// TBs, and those of device launches among them.
    pub tbs: u64,
    /// TBs of device launches.
    pub child_tbs: u64,
    /// TBs that touched more than 2^20 blocks; the others are left out.
    pub truncated: u64,
}

/// The monitor ended the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Runs every kernel of `work`, a program in a mode with device launches, and compares what its TBs touch. The monitor is told of
/// TBs where a machine would tell of cycles.
///
/// # Errors
/// [`Cancelled`].
pub fn footprint<W: Workload>(work: &mut W, monitor: &mut dyn Monitor) -> Result<Footprint, Cancelled> {
    let mut report = Footprint::default();
    let mut runner = Runner::default();
    while let Some(kernel) = work.next_kernel() {
        report.host_kernels += 1;
        runner.tbs.clear();
        runner.waiting.push_back(Launch { descriptor: kernel, parent: None });
        let mut units = 0;
        while let Some(launch) = runner.waiting.pop_front() {
            let Descriptor { tag, grid, tb, .. } = launch.descriptor;
            report.launches += u64::from(launch.parent.is_some());
            for blkid in 0..grid.x * grid.y * grid.z {
                report.tbs += 1;
                report.child_tbs += u64::from(launch.parent.is_some());
                if report.tbs.is_multiple_of(TBS_PER_REPORT) {
                    let (done, total) = work.progress();
                    if monitor.progress(done, total, report.tbs).is_break() {
                        return Err(Cancelled);
                    }
                }
                let context = TbContext { tag, blkid, threads: tb.x * tb.y * tb.z };
                runner.run(work, &context, units, launch.parent);
            }
            units += 1;
        }
        runner.compare(&mut report);
    }
    report.truncated = runner.truncated;
    Ok(report)
}

/// A kernel or group to run, and the TB that launched it.
#[derive(Clone, Copy, Debug)]
struct Launch {
    descriptor: Descriptor,
    parent: Option<usize>,
}

/// A TB that has run.
#[derive(Debug)]
struct Tb {
    /// Its kernel or group.
    unit: usize,
    parent: Option<usize>,
    /// Blocks that it touched, ascending.
    blocks: Vec<u64>,
    /// Those that it loaded from, ascending.
    loads: Vec<u64>,
}

#[derive(Debug, Default)]
struct Runner {
    waiting: VecDeque<Launch>,
    tbs: Vec<Tb>,
    truncated: u64,
}

impl Runner {
    /// Runs one TB to its end: its warps take turns, an instruction each.
    fn run<W: Workload>(&mut self, work: &mut W, context: &TbContext, unit: usize, parent: Option<usize>) {
        let (me, mut touched, mut loaded) = (self.tbs.len(), Touched::default(), Touched::default());
        let mut effects = Effects { addr: [0; 32], bytes: 4, rank: 0, launches: Vec::new() };
        let begin = |number| {
            let mut warp = W::Warp::default();
            work.begin(context, number, &mut warp);
            warp
        };
        let mut warps: Vec<W::Warp> = (0..context.threads.div_ceil(32)).map(begin).collect();
        while !warps.is_empty() {
            let at_barrier = |work: &W, warp| work.fetch(warp).class == Class::Barrier;
            let all_wait = warps.iter().all(|warp| at_barrier(work, warp));
            warps.retain_mut(|warp| {
                let inst = work.fetch(warp);
                if inst.class == Class::Barrier && !all_wait {
                    return true;
                }
                effects.launches.clear();
                work.execute(warp, &mut effects);
                if matches!(
                    inst.class,
                    Class::LoadGlobal | Class::LoadTexture | Class::StoreGlobal | Class::AtomicGlobal
                ) {
                    touched.add(inst.mask, &effects.addr);
                }
                if matches!(inst.class, Class::LoadGlobal | Class::LoadTexture) {
                    loaded.add(inst.mask, &effects.addr);
                }
                let child = |launch: &gpusched_refgpu::program::LaneLaunch| Launch {
                    descriptor: launch.descriptor,
                    parent: Some(me),
                };
                self.waiting.extend(effects.launches.iter().map(child));
                inst.class != Class::Exit
            });
        }
        let blocks = touched.finish();
        self.truncated += u64::from(touched.truncated);
        self.tbs.push(Tb { unit, parent, blocks, loads: loaded.finish() });
    }

    /// Adds the TBs of one host kernel and its descendants to the report.
    fn compare(&self, report: &mut Footprint) {
        let (mut children, mut units) = (vec![Vec::new(); self.tbs.len()], Vec::new());
        for (i, tb) in self.tbs.iter().enumerate() {
            if let Some(parent) = tb.parent {
                children[parent].push(i);
            }
            if tb.unit == units.len() {
                units.push(Vec::new());
            }
            units[tb.unit].push(i);
        }
        for (parent, children) in children.iter().enumerate().filter(|(_, children)| !children.is_empty()) {
            let union = self.union(children, |tb| &tb.blocks);
            let own = &self.tbs[parent].blocks;
            let shared = own.iter().filter(|block| union.count(**block) > 0).count();
            report.parent_child.add(shared, own.len(), union.blocks.len());
            self.compare_each(children, &union, &mut report.child_sibling);
        }
        for unit in units.iter().filter(|unit| unit.iter().any(|&tb| !children[tb].is_empty())) {
            self.compare_each(unit, &self.union(unit, |tb| &tb.blocks), &mut report.parent_parent);
            let loads = self.union(unit, |tb| &tb.loads);
            for &parent in unit {
                self.compare_loads(parent, &children[parent], &loads, report);
            }
        }
        report.loads += self.tbs.iter().map(|tb| tb.loads.len() as u64).sum::<u64>();
        let children = self.tbs.iter().filter(|tb| tb.parent.is_some());
        report.child_loads += children.map(|tb| tb.loads.len() as u64).sum::<u64>();
    }

    /// Each child of a TB with it; `loads` are those of all TBs of the parent's kernel or group.
    fn compare_loads(&self, parent: usize, children: &[usize], loads: &Union, report: &mut Footprint) {
        let parent = &self.tbs[parent].loads;
        for child in children.iter().map(|&child| &self.tbs[child].loads) {
            let shared = || child.iter().filter(|block| parent.binary_search(block).is_ok());
            let own = shared().filter(|block| loads.count(**block) == 1).count();
            report.child_parent_loads.add(shared().count(), child.len(), parent.len());
            report.child_own_parent_loads.add(own, child.len(), parent.len());
        }
    }

    /// Each of these TBs with all the others; `union` is that of all.
    fn compare_each(&self, tbs: &[usize], union: &Union, ratio: &mut SharedRatio) {
        if tbs.len() < 2 {
            return;
        }
        for &tb in tbs {
            let blocks = &self.tbs[tb].blocks;
            let shared = blocks.iter().filter(|block| union.count(**block) > 1).count();
            let alone = blocks.len() - shared;
            ratio.add(shared, blocks.len(), union.blocks.len() - alone);
        }
    }

    fn union(&self, tbs: &[usize], blocks: impl Fn(&Tb) -> &Vec<u64>) -> Union {
        let mut all: Vec<u64> = tbs.iter().flat_map(|&tb| blocks(&self.tbs[tb])).copied().collect();
        all.sort_unstable();
        let count = |run: &[u64]| (run[0], run.len() as u32);
        Union { blocks: all.chunk_by(|a, b| a == b).map(count).collect() }
    }
}

/// Blocks of several TBs, ascending, each with the number of TBs that touch it.
struct Union {
    blocks: Vec<(u64, u32)>,
}

impl Union {
    fn count(&self, block: u64) -> u32 {
        self.blocks.binary_search_by_key(&block, |&(b, _)| b).map_or(0, |at| self.blocks[at].1)
    }
}

/// The blocks of a TB, with repetitions while it runs.
#[derive(Debug, Default)]
struct Touched {
    blocks: Vec<u64>,
    truncated: bool,
}

impl Touched {
    fn add(&mut self, mask: u32, addresses: &[u64; 32]) {
        let mut last = u64::MAX;
        for lane in gpusched_refgpu::lanes::lanes(mask) {
            let block = addresses[lane] >> BLOCK_SHIFT;
            if block != last {
                self.blocks.push(block);
                last = block;
            }
        }
        if self.blocks.len() > COMPACT {
            self.compact();
        }
    }

    fn compact(&mut self) {
        self.blocks.sort_unstable();
        self.blocks.dedup();
        self.truncated |= self.blocks.len() > MOST_BLOCKS;
        self.blocks.truncate(MOST_BLOCKS);
    }

    fn finish(&mut self) -> Vec<u64> {
        self.compact();
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.shrink_to_fit();
        blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::script::{At, Op, kernel, script};

    /// Lanes 0 to 31 touch `blocks[lane]`, as far as there are any; the rest touch the first.
    fn touch(class: Class, blocks: &[u64]) -> Op {
        Op::access(class, 0, |l| blocks.get(l as usize).unwrap_or(&blocks[0]) * 128 + 4)
    }

    #[test]
    fn ratios_are_those_of_the_source() {
        // Two parents; the first launches two children.
        let body = |at: At| match (at.tag, at.blkid, at.step) {
            (0, 0, 0) => touch(Class::LoadGlobal, &[1, 2, 3]),
            (0, 0, 1) => Op::launch(0b11, 1, 7),
            (0, 1, 0) => touch(Class::StoreGlobal, &[3, 4]),
            (7, _, 0) => touch(Class::AtomicGlobal, &[2, 5]),
            (7, _, 1) => touch(Class::LoadShared, &[1, 9]),
            _ => Op::exit(),
        };
        let report = footprint(&mut script(&[kernel(1, 2, 32, 0)], body), &mut ()).unwrap();
        // Children touch 2 and 5, the parent 2 of them; both children the same.
        assert_eq!((report.parent_child.mean, report.parent_child.tbs), (Some(0.5), 1));
        assert_eq!(report.parent_child.mean_of_own, Some(1.0 / 3.0));
        assert_eq!((report.child_sibling.mean, report.child_sibling.tbs), (Some(1.0), 2));
        // Children load nothing from global memory.
        assert_eq!(report.child_parent_loads, SharedRatio::default());
        // The first parent has 3 of the other's 3, 4; the second 3 of 1, 2, 3.
        assert_eq!((report.parent_parent.mean, report.parent_parent.tbs), (Some((0.5 + 1.0 / 3.0) / 2.0), 2));
        assert_eq!((report.host_kernels, report.launches, report.tbs, report.child_tbs), (1, 2, 4, 2));
    }

    /// What the parent stores, its child does not find in L1.
    #[test]
    fn a_cache_keeps_what_both_load() {
        let body = |at: At| match (at.tag, at.blkid, at.step) {
            (0, 0, 0) => touch(Class::LoadGlobal, &[1, 2, 6]),
            (0, 0, 1) => touch(Class::StoreGlobal, &[3]),
            (0, 0, 2) => Op::launch(0b1, 1, 7),
            (0, 1, 0) => touch(Class::LoadGlobal, &[6]),
            (7, _, 0) => touch(Class::LoadGlobal, &[2, 3, 4, 6]),
            _ => Op::exit(),
        };
        let report = footprint(&mut script(&[kernel(1, 2, 32, 0)], body), &mut ()).unwrap();
        let of = |SharedRatio { mean_of_own, tbs, .. }: SharedRatio| (mean_of_own, tbs);
        assert_eq!(of(report.child_parent_loads), (Some(0.5), 1));
        // Block 6 is the other parent's, too.
        assert_eq!(of(report.child_own_parent_loads), (Some(0.25), 1));
        assert_eq!((report.loads, report.child_loads), (3 + 1 + 4, 4));
    }

    #[test]
    fn a_program_without_launches_shares_nothing() {
        let body = |at: At| if at.step == 0 { touch(Class::LoadGlobal, &[1]) } else { Op::exit() };
        let report = footprint(&mut script(&[kernel(1, 4, 64, 0)], body), &mut ()).unwrap();
        assert_eq!((report.parent_child.mean, report.parent_parent.tbs, report.tbs), (None, 0, 4));
    }

    #[test]
    fn sets_are_bounded() {
        let mut touched = Touched::default();
        for i in 0..MOST_BLOCKS as u64 / 16 {
            touched.add(u32::MAX, &std::array::from_fn(|l| (i * 32 + l as u64) * 128));
        }
        assert_eq!((touched.finish().len(), touched.truncated), (MOST_BLOCKS, true));
    }
}
