//! Wavefronts on the machine: right in every version, equal when stepped, and of the shape that the source reports.

use gpusched::dats::Admission;

use super::config;
use crate::{Barriers, Version, Wave, WaveKind, WaveOptions};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunError, RunOptions};
use gpusched_refgpu::stats::RunStats;

fn small(columns: u32, rows: u32, width: u32, height: u32) -> WaveOptions {
    WaveOptions { columns, rows, width, height, ..WaveOptions::default() }
}

fn run_on(base: &GpuConfig, kind: WaveKind, version: Version, options: WaveOptions, step: bool) -> RunStats {
    let mut wave = Wave::new(kind, version, options).unwrap();
    let (config, run) = wave.machine(base).unwrap();
    let stats = Gpu::new(&config, RunOptions { step, ..run }).unwrap().run(&mut wave, &mut ()).unwrap().stats;
    wave.check().unwrap();
    stats
}

fn run(kind: WaveKind, version: Version, options: WaveOptions) -> RunStats {
    run_on(&config("gtx480", &[]), kind, version, options, false)
}

fn error(change: &[(&str, &str)], version: Version, options: WaveOptions) -> RunError {
    let mut wave = Wave::new(WaveKind::IntImg, version, options).unwrap();
    let (config, run) = wave.machine(&config("gtx480", change)).unwrap();
    Gpu::new(&config, run).unwrap().run(&mut wave, &mut ()).unwrap_err()
}

#[test]
fn every_version_computes_the_same_and_skipping_changes_nothing() {
    let gtx480 = config("gtx480", &[]);
    for kind in WaveKind::ALL {
        for version in Version::ALL {
            let options = small(6, 5, 70, 53);
            let stats = run_on(&gtx480, kind, version, options, false);
            assert_eq!(stats, run_on(&gtx480, kind, version, options, true), "{kind} {version}");
            assert_eq!(stats.sm.tbs, stats.front.tbs);
            assert_eq!(stats.dats.is_some(), version.has_graph());
        }
    }
}

#[test]
fn every_sm_of_a_large_machine_has_work_in_every_version() {
    let large = config("gtx480", &[("sm.count", "132")]);
    for version in Version::ALL {
        let stats = run_on(&large, WaveKind::IntImg, version, small(70, 70, 140, 140), false);
        assert!(stats.smxs.len() == 132 && stats.smxs.iter().all(|smx| smx.tbs > 0), "{version}");
    }
}

#[test]
fn versions_launch_what_they_should() {
    let options = small(8, 8, 64, 64);
    let stats = Version::ALL.map(|version| run(WaveKind::Dtw, version, options));
    let launches = stats.each_ref().map(|s| (s.host_kernels, s.sm.launches, s.sm.tbs));
    // The parent of cdp is there once more after each of the 15 levels.
    assert_eq!(launches, [(15, 0, 64), (1, 15, 64 + 16), (1, 0, 64), (1, 0, 64), (1, 0, 64)]);
    assert_eq!(stats[0].host_launch_cycles, 15 * (21_000 / 16));
    assert_eq!(stats[2].front.graph_tbs, 64);
    assert!(stats.iter().all(|s| s.figures().compute_to_launch > 0.0));
    let [global, cdp, deplinks, lrr, lvl] = stats.map(|s| s.cycles);
    assert!(
        global > cdp && cdp > deplinks && deplinks > lrr && deplinks > lvl,
        "{global} {cdp} {deplinks} {lrr} {lvl}"
    );
}

#[test]
fn a_level_of_cdp_costs_a_nested_launch_and_the_way_back_of_its_parent() {
    let options = WaveOptions { launch_scale: 1, ..small(1, 4, 8, 32) };
    let level = |nested_launch| run(WaveKind::IntImg, Version::Cdp, WaveOptions { nested_launch, ..options });
    let (default, full) = (level(14_062), level(29_379));
    assert_eq!(default.front.dyn_wait, 4 * 14_062);
    assert_eq!(full.front.dyn_wait, 4 * 29_379);
    // The stream and the parameter buffer are paid once, or at each level.
    let apart = full.cycles - default.cycles;
    assert!(apart.abs_diff(4 * 15_317 - 15_317) <= 4, "but for the phase of the memory's clock: {apart}");
    assert_eq!(default.host_launch_cycles, 21_000 + 15_317);
    assert_eq!(Wave::launch_cycles(&default), 21_000 + 15_317 + 4 * 14_062);
    // Against a host that launches at once, with a dispatch per level in either case: the parent's call, its way back through the
    // KMU, its instructions, and a quarter of its first dispatch.
    let free = run(WaveKind::IntImg, Version::Global, WaveOptions { host_launch: 0, ..options });
    let per_level = (default.cycles - 36_317 - free.cycles) / 4;
    assert!((13_779 + 283..13_779 + 283 + 400).contains(&per_level), "{per_level}");
}

#[test]
fn scaled_launches_are_scaled_in_every_part() {
    let wave = Wave::new(WaveKind::Sw, Version::Cdp, small(2, 2, 8, 8)).unwrap();
    let (config, _) = wave.machine(&config("gtx480", &[])).unwrap();
    assert_eq!((config.run.host_launch_cycles, config.dtbl.lat_dispatch), ((21_000 + 15_317) / 16, 283 / 16));
    assert_eq!(config.dtbl.lat_cdp(1), 13_779 / 16);
    let none = WaveOptions { nested_launch: 282, ..small(2, 2, 8, 8) };
    let wave = Wave::new(WaveKind::Sw, Version::Cdp, none).unwrap();
    let error = wave.machine(&super::config("gtx480", &[])).unwrap_err();
    assert_eq!(error.to_string(), "nested_launch = 282: expected at least dtbl.lat_dispatch = 283");
}

#[test]
fn the_buffer_is_the_versions_own_unless_it_is_set() {
    let of = |version, change: &[(&str, &str)]| {
        let wave = Wave::new(WaveKind::Sw, version, small(2, 2, 8, 8)).unwrap();
        let (config, run) = wave.machine(&config("gtx480", change)).unwrap();
        assert!(run.graphs);
        (config.dats.lna, config.dats.lea, config.dats.pub_entries)
    };
    assert_eq!(of(Version::Lvl, &[]), (128, 512, 64));
    assert_eq!(of(Version::Lrr, &[]), (512, 2048, 64));
    assert_eq!(of(Version::DepLinks, &[]), (512, 2048, 64));
    assert_eq!(of(Version::Lvl, &[("dats.lna", "200"), ("dats.pub", "32")]), (200, 512, 32));
}

#[test]
fn chunks_come_through_the_l2_and_are_counted_apart() {
    let options = small(32, 32, 64, 64);
    let stats = run(WaveKind::IntImg, Version::Lvl, options);
    let dats = stats.dats.unwrap();
    // 1024 nodes of 8 bytes and 1984 edges of 2 bytes in lines of 128.
    assert_eq!((dats.node_requests, dats.edge_requests, dats.requests), (64, 31, 95));
    assert_eq!((dats.nodes, dats.edges, dats.decrements, dats.admission), (1024, 1984, 0, Some(Admission::Safe)));
    // All others come from the L1s, whose last stores nobody waits for.
    let others = stats.l2.all() - dats.requests;
    let sent = stats.sm.l1.misses + stats.sm.l1.stores;
    assert!(others <= sent && sent - others < 16, "{others} {sent}");
    let f = stats.figures();
    assert_eq!(f.added_requests, dats.requests as f64 / others as f64);
    assert!(dats.no_ready > 0 && dats.no_ready < stats.cycles);
    // Cold chunks take the way to DRAM, one after the other.
    assert!(dats.request_cycles >= 95 * 200 && dats.request_cycles < 95 * 1000, "{}", dats.request_cycles);
}

#[test]
fn an_unloaded_chunk_takes_the_way_to_dram_and_a_large_one_that_of_its_last_line() {
    let cycles = |change: &[(&str, &str)]| {
        let stats = run_on(&config("gtx480", change), WaveKind::Dtw, Version::Lrr, small(1, 1, 8, 8), false);
        let dats = stats.dats.unwrap();
        (dats.node_requests, dats.requests, dats.request_cycles)
    };
    let (requests, lines, cold) = cycles(&[]);
    assert_eq!((requests, lines), (1, 1));
    assert!(cold.abs_diff(322) <= 2, "{cold}");
    // A chunk of 1 KB is asked for as far as there are nodes.
    let grid = |change: &[(&str, &str)]| {
        let stats = run_on(&config("gtx480", change), WaveKind::Dtw, Version::Lrr, small(16, 16, 32, 32), false);
        let dats = stats.dats.unwrap();
        (dats.node_requests, dats.edge_requests, dats.requests)
    };
    assert_eq!(grid(&[]), (16, 8, 24));
    assert_eq!(grid(&[("dats.lna", "512"), ("dats.chunk_bytes", "1024")]), (2, 1, 24));
    assert_eq!(grid(&[("dats.chunk_bytes", "16")]).0, 128);
}

#[test]
fn bounds_and_barriers_keep_levels_together() {
    let gtx480 = config("gtx480", &[]);
    // Tiles of different sizes, so that some run ahead.
    let options = small(24, 24, 250, 250);
    let range = |version, bound| {
        let stats = run_on(&gtx480, WaveKind::Heat2d, version, WaveOptions { bound, ..options }, false);
        (stats.level_range.unwrap(), stats.dats.map(|dats| dats.max_level_range))
    };
    assert_eq!(range(Version::Global, 3), (0, None));
    assert_eq!(range(Version::Cdp, 3), (0, None));
    assert_eq!(range(Version::DepLinks, 3), (0, Some(0)));
    let (free, own) = range(Version::Lrr, 3);
    assert!(free > 1 && own == Some(free), "{free} {own:?}");
    assert_eq!(range(Version::Lvl, 0), (0, Some(0)));
    assert!(range(Version::Lvl, 1).0 <= 1);
}

#[test]
fn relays_run_empty_and_have_no_level() {
    let options = WaveOptions { barriers: Barriers::Node, ..small(4, 4, 32, 32) };
    let stats = run(WaveKind::Sor, Version::DepLinks, options);
    assert_eq!((stats.sm.tbs, stats.level_range), (16 + 6, Some(0)));
    let edges = run(WaveKind::Sor, Version::DepLinks, WaveOptions { barriers: Barriers::Edges, ..options });
    // A relay has eight warps that exit.
    assert_eq!(stats.sm.all_instructions(), edges.sm.all_instructions() + 6 * 8);
}

#[test]
fn graphs_that_cannot_go_on_are_told_before_they_are_launched() {
    let narrow = [("dats.lna", "20"), ("dats.pub", "1")];
    let options = small(24, 24, 48, 48);
    let hopeless = error(&narrow, Version::Lrr, options);
    assert!(matches!(hopeless, RunError::Hopeless { admission: Admission::Deadlocks { .. }, .. }), "{hopeless}");
    let text = hopeless.to_string();
    assert!(text.contains("deadlocks its buffer at node") && text.contains("dats.spill"), "{text}");
    let oversize = error(&[("dats.lea", "1")], Version::Lrr, options).to_string();
    assert!(oversize.contains("has more edges at node 0 than the local edge array"), "{oversize}");
    let asked =
        |version, change| Wave::new(WaveKind::IntImg, version, options).unwrap().admission(&config("gtx480", change));
    assert!(matches!(asked(Version::Lrr, &narrow), Some(Admission::Deadlocks { .. })));
    assert_eq!(asked(Version::Lrr, &[]), Some(Admission::Safe));
    assert_eq!(asked(Version::Global, &[]), None);
}

#[test]
fn what_deadlocks_completes_when_it_may_spill() {
    let change = [("dats.lna", "20"), ("dats.pub", "1"), ("dats.spill", "true")];
    let gtx480 = config("gtx480", &change);
    let options = small(24, 24, 48, 48);
    let stats = run_on(&gtx480, WaveKind::Hist, Version::Lrr, options, false);
    assert_eq!(stats, run_on(&gtx480, WaveKind::Hist, Version::Lrr, options, true));
    let dats = stats.dats.unwrap();
    assert!(dats.decrements > 0 && matches!(dats.admission, Some(Admission::Deadlocks { .. })));
    assert_eq!(dats.requests, dats.node_requests + dats.edge_requests + dats.decrements);
}
