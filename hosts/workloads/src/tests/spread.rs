//! Kernels that have a grid-stride form, in both forms: right on the machine, equal when stepped, and with loads that a prefetcher of
//! fixed offsets can foretell.

use std::collections::HashMap;

use super::config;
use crate::Verified;
use crate::catalogue::{Request, Size, find};
use gpusched::Descriptor;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::lanes::lanes;
use gpusched_refgpu::program::{Class, Effects, Inst, TbContext, Workload};
use gpusched_refgpu::stats::RunStats;

const NAMES: [&str; 5] = ["fft", "filter", "hotspot", "mergesort", "pathfinder"];

/// Runs the small size of a kernel on a machine.
fn run(name: &str, loop_warps: Option<u32>, machine: &GpuConfig, step: bool) -> (RunStats, Verified) {
    let request = Request { size: Size::Test, loop_warps, ..Request::default() };
    let mut work = find(name).unwrap().kernel(request).unwrap();
    let options = RunOptions { step, ..RunOptions::default() };
    let stats = Gpu::new(machine, options).unwrap().run(&mut work, &mut ()).unwrap().stats;
    let (done, all) = work.progress();
    assert_eq!(done, all);
    (stats, work.check().unwrap())
}

#[test]
fn loops_give_what_the_grid_gives_and_skipping_changes_nothing() {
    let gtx480 = config("gtx480", &[]);
    // The SM of the prefetching study, as small as it gets there, and as large.
    let few = config("apogee", &[("sm.warps", "4"), ("sm.threads", "128"), ("sm.registers", "2048")]);
    let many = config("apogee", &[]);
    for name in NAMES {
        let (grid, right) = run(name, None, &gtx480, false);
        for (warps, machine) in [(1, &gtx480), (4, &few), (32, &many)] {
            let [looped, stepped] = [false, true].map(|step| run(name, Some(warps), machine, step));
            assert_eq!(looped, stepped, "{name}, {warps} warps");
            assert_eq!(looped.1, right, "{name}, {warps} warps");
            assert_eq!(looped.0.sm.tbs, looped.0.host_kernels);
            assert!(grid.cycles < looped.0.cycles, "{name}, {warps} warps");
        }
    }
}

/// A kernel whose loads are watched.
#[derive(Default)]
struct Watch {
    /// Threads of the loop.
    threads: i64,
    /// By place in the program and warp: address of lane 0 and offset of the last load.
    last: HashMap<(u32, u32), (i64, i64)>,
    /// Warp loads; of those, with one offset from lane to lane; of those, at the place that the one before foretells.
    loads: u64,
    fixed: u64,
    foretold: u64,
}

impl Watch {
    fn see(&mut self, warp: u32, inst: Inst, effects: &Effects) {
        let all: Vec<_> = lanes(inst.mask).map(|lane| (lane as i64, effects.addr[lane] as i64)).collect();
        let last = self.last.remove(&(inst.pc, warp));
        let offsets: Vec<_> = all.windows(2).map(|two| (two[1].1 - two[0].1, two[1].0 - two[0].0)).collect();
        let own = offsets.first().map_or(last.map(|(_, offset)| offset), |(bytes, lanes)| Some(bytes / lanes));
        self.loads += 1;
        let Some(offset) = own.filter(|offset| offsets.iter().all(|(bytes, lanes)| *bytes == offset * lanes)) else {
            return;
        };
        self.fixed += 1;
        let base = all[0].1 - all[0].0 * offset;
        self.foretold += u64::from(last == Some((base - offset * self.threads, offset)));
        self.last.insert((inst.pc, warp), (base, offset));
    }
}

/// Runs a kernel under watch.
struct Watched<W> {
    work: W,
    watch: Watch,
}

#[derive(Default)]
struct WatchedWarp<P> {
    number: u32,
    warp: P,
}

impl<W: Workload> Workload for Watched<W> {
    type Warp = WatchedWarp<W::Warp>;

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.work.next_kernel()
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Self::Warp) {
        state.number = warp;
        self.work.begin(tb, warp, &mut state.warp);
    }

    fn fetch(&self, warp: &Self::Warp) -> Inst {
        self.work.fetch(&warp.warp)
    }

    fn execute(&mut self, warp: &mut Self::Warp, effects: &mut Effects) {
        let inst = self.work.fetch(&warp.warp);
        self.work.execute(&mut warp.warp, effects);
        if inst.class == Class::LoadGlobal {
            self.watch.see(warp.number, inst, effects);
        }
    }

    fn progress(&self) -> (u64, u64) {
        self.work.progress()
    }
}

#[test]
fn loads_of_loops_can_be_foretold_but_for_those_of_the_sort() {
    let shares = NAMES.map(|name| {
        let request = Request { loop_warps: Some(4), ..Request::default() };
        let watch = Watch { threads: 4 * 32, ..Watch::default() };
        let mut watched = Watched { work: find(name).unwrap().kernel(request).unwrap(), watch };
        crate::functional::run(&mut watched, 1);
        watched.work.check().unwrap();
        let watch = watched.watch;
        [watch.fixed, watch.foretold].map(|loads| loads as f64 / watch.loads as f64)
    });
    let [fft, filter, hotspot, mergesort, pathfinder] = shares;
    // In 4 of the 14 passes the two loads of roots, of 6, have lanes that share one with some of the others.
    assert!((fft[0] - (1.0 - 4.0 / 14.0 * 2.0 / 6.0)).abs() < 1e-9 && (0.75..0.85).contains(&fft[1]), "{fft:?}");
    for [fixed, foretold] in [filter, hotspot, pathfinder] {
        assert!(fixed == 1.0 && foretold > 0.99, "{fixed} {foretold}");
    }
    // The loads of keys to be sorted in shared memory, and hardly one of those that follow.
    assert!(mergesort[0] < 0.25 && (0.02..0.03).contains(&mergesort[1]), "{mergesort:?}");
}
