//! The kernels of the catalogue on the machine: right, equal when stepped, and short of what the sheet says.

use super::config;
use crate::catalogue::{self, Kind, Request, Size};
use crate::{Dispatch, GemmOptions, Sgemm};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::program::Workload;
use gpusched_refgpu::stats::RunStats;

/// Runs a kernel and verifies its result.
fn run(config: &GpuConfig, name: &str, request: Request, step: bool) -> RunStats {
    let mut work = catalogue::find(name).unwrap().kernel(request).unwrap();
    let options = RunOptions { step, ..RunOptions::default() };
    let stats = Gpu::new(config, options).unwrap().run(&mut work, &mut ()).unwrap().stats;
    work.check().unwrap();
    let (done, all) = work.progress();
    assert_eq!(done, all);
    stats
}

/// At the default size on the machine of the studies.
fn by_default(name: &str, change: &[(&str, &str)]) -> RunStats {
    run(&config("gtx480", change), name, Request::default(), false)
}

#[test]
fn every_functional_kernel_is_right_on_both_machines_and_skipping_changes_nothing() {
    let small = Request { size: Size::Test, ..Request::default() };
    for entry in catalogue::entries().filter(|entry| entry.kind() == Kind::Functional) {
        for preset in ["gtx480", "k20c"] {
            let config = config(preset, &[]);
            let stats = run(&config, entry.name, small, false);
            assert_eq!(stats, run(&config, entry.name, small, true), "{} {preset}", entry.name);
            assert_eq!(stats.sm.tbs, stats.front.tbs, "{}", entry.name);
        }
    }
}

/// Cycles of a product of so many tiles under each dispatch, on two SMs that hold 12 TBs each.
fn tiles(columns: u32, rows: u32, change: &[(&str, &str)]) -> [u64; 3] {
    let change = [&[("sm.count", "2")], change].concat();
    let options = GemmOptions { columns, rows, inner: 128, seed: 1 };
    Dispatch::ALL.map(|dispatch| {
        let [stats, stepped] = [false, true].map(|step| {
            let mut product = Sgemm::gemm(options, dispatch).unwrap();
            let options = RunOptions { step, ..RunOptions::default() };
            let stats = Gpu::new(&config("k20c", &change), options).unwrap().run(&mut product, &mut ()).unwrap().stats;
            product.check().unwrap();
            stats
        });
        assert_eq!(stats, stepped, "{dispatch}");
        let wave = if dispatch == Dispatch::Hardware { u64::from(columns * rows) } else { 24 };
        assert_eq!(stats.sm.tbs, wave, "{dispatch}");
        stats.cycles
    })
}

#[test]
fn shares_fill_a_wave_that_tiles_do_not() {
    // Two tiles more than a wave of 24: these have the machine for themselves, unless all TBs do a part of them.
    let [hardware, persistent, shares] = tiles(26, 1, &[]);
    assert!(shares * 10 < hardware * 9 && shares * 10 < persistent * 9, "{hardware} {persistent} {shares}");
    // A whole number of waves leaves nothing to be gained.
    let [hardware, persistent, shares] = tiles(24, 2, &[]);
    assert!(hardware.abs_diff(persistent) * 20 < hardware, "{hardware} {persistent}");
    assert!(shares * 20 > hardware * 19, "{hardware} {shares}");
}

#[test]
fn a_transposition_pays_for_conflicts_and_for_lines() {
    let [tile33, tile32, naive] = ["transpose", "transpose-32", "transpose-naive"].map(|name| by_default(name, &[]));
    // 256 tiles of eight warps: four stores and four loads of the tile each.
    assert_eq!((tile33.sm.shared_instructions, tile33.sm.shared_cycles), (1 << 14, 1 << 14));
    assert_eq!(tile32.sm.shared_cycles, (1 << 13) * 33);
    assert_eq!((tile33.sm.transactions, naive.sm.transactions), (1 << 14, (1 << 13) * 33));
    let [tile33, tile32, naive] = [tile33, tile32, naive].map(|stats| stats.cycles);
    assert!(tile33 < tile32 && tile32 < naive, "{tile33} {tile32} {naive}");
}

#[test]
fn kmeans_1_misses_with_nearly_every_lane_unless_l1_has_room() {
    // Round robin: the other warps of the SM drive out a warp's 32 lines before it comes back for the next words of them.
    let crowded = by_default("kmeans-1", &[("sm.policy", "lrr")]);
    assert_eq!(crowded.sm.transactions, 256 * 34 * 33);
    let ipm = crowded.figures().instructions_per_l1_miss;
    assert!((0.27..0.3).contains(&ipm), "{ipm}");
    // An L1 with room for the lines of all warps misses once in 32 words.
    let roomy = by_default("kmeans-1", &[("sm.policy", "lrr"), ("l1.sets", "1024")]);
    assert!(roomy.figures().instructions_per_l1_miss > 8.0 * ipm, "{}", roomy.figures().instructions_per_l1_miss);
}

#[test]
fn kmeans_1_has_its_share_of_the_time() {
    let [both, invert] = ["kmeans", "kmeans-1"].map(|name| by_default(name, &[]).cycles as f64);
    let share = catalogue::find("kmeans-1").unwrap().row.fraction.unwrap();
    assert!((invert / both - share).abs() < 0.05, "{invert} {both}");
}

#[test]
fn histograms_of_equal_bytes_are_slow() {
    use crate::{Boxed, Histogram, HistogramOptions};
    let cycles = |values| {
        let options = HistogramOptions { bytes: 1 << 15, values, ..HistogramOptions::default() };
        let mut histogram = Boxed::new(Histogram::new(options).unwrap(), Histogram::check);
        let stats = Gpu::new(&config("gtx480", &[]), RunOptions::default())
            .unwrap()
            .run(&mut histogram, &mut ())
            .unwrap()
            .stats;
        histogram.check().unwrap();
        (stats.cycles, stats.sm.shared_cycles)
    };
    let (all, even) = (cycles(1), cycles(256));
    assert!(all.0 > even.0 && all.1 > 3 * even.1, "{all:?} {even:?}");
}
