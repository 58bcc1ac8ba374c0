//! Shortest paths, colouring, join, mesh refinement, trees of bodies, patterns and product recommendation on the machine: right in every
//! mode, one result, equal when stepped.

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::config;
use crate::graph::{Csr, GraphSource};
use crate::keys::KeySource;
use crate::regx::StreamSource;
use crate::{
    Amr, AmrOptions, Bht, BhtOptions, Clr, Join, LaunchOptions, Mode, Pre, PreOptions, Regx, SetupError, Sssp,
    Verified, WrongResult,
};
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::program::Workload;
use gpusched_refgpu::stats::RunStats;

/// Every launch has few threads, so that small inputs have launches.
const EAGER: LaunchOptions = {
    use crate::{Cover, Shape};
    LaunchOptions { min_child: 8, cover: Cover::All, shape: Shape::Fixed(32), launch_insts: 4 }
};

fn graph(name: &str) -> Arc<Csr> {
    let source: GraphSource = name.parse().unwrap();
    Arc::new(source.load(&mut |_| ControlFlow::Continue(())).unwrap().csr)
}

/// Runs what `set_up` gives in every mode; the counts by mode.
fn in_every_mode<W: Workload + Debug>(
    set_up: impl Fn(Mode) -> Result<W, SetupError>,
    check: fn(&W) -> Result<Verified, WrongResult>,
) -> [RunStats; 5] {
    let mut results = Vec::new();
    let stats = Mode::OF_SOURCE.map(|mode| {
        let [run, stepped] = [false, true].map(|step| {
            let mut work = set_up(mode).unwrap();
            let options = RunOptions { step, ..RunOptions::from(mode) };
            let stats = Gpu::new(&config("k20c", &[]), options).unwrap().run(&mut work, &mut ()).unwrap().stats;
            results.push(check(&work).unwrap());
            let (done, all) = work.progress();
            assert_eq!(done, all);
            stats
        });
        assert_eq!(run, stepped, "{mode}");
        assert_eq!(run.sm.launches > 0, mode.is_dynamic());
        assert_eq!(run.sm.tbs, run.front.tbs);
        run
    });
    assert!(results.iter().all(|result| *result == results[0]));
    // The dynamic modes do the same work.
    assert!(stats[2..].iter().all(|of| of.sm.instructions == stats[1].sm.instructions));
    stats
}

#[test]
fn shortest_paths_are_right_in_every_mode_and_skipping_changes_nothing() {
    let graph = graph("kron:8");
    let [flat, cdp, _, dtbl, _] =
        in_every_mode(|mode| Sssp::new(Arc::clone(&graph), mode, EAGER), Sssp::check).map(|stats| stats.cycles);
    assert!(dtbl < cdp && dtbl != flat, "a group is cheaper than a kernel: {dtbl} {cdp}");
}

#[test]
fn what_has_no_persistent_threads_refuses_their_mode() {
    let keys: KeySource = "uni:20,30,5".parse().unwrap();
    let keys = keys.load(u64::MAX, &mut |_| ControlFlow::Continue(())).unwrap();
    let (graph, mode) = (graph("kron:4"), Mode::Persistent);
    let errors = [
        Sssp::new(Arc::clone(&graph), mode, EAGER).unwrap_err(),
        Clr::new(graph, mode, EAGER).unwrap_err(),
        Join::new(keys.r.into(), keys.s.into(), mode, EAGER).unwrap_err(),
        Amr::new(mode, AmrOptions::default()).unwrap_err(),
        Bht::new(mode, BhtOptions::default()).unwrap_err(),
        Pre::new(PreOptions::default(), mode).unwrap_err(),
        Regx::new(StreamSource::default().streams().into(), mode, EAGER).unwrap_err(),
    ];
    assert!(errors.iter().all(|error| error.to_string() == "mode pt: only the breadth-first search has it"));
}

#[test]
fn every_sm_of_a_large_machine_has_work_in_every_mode() {
    let (graph, large) = (graph("flight:4500"), config("k20c", &[("sm.count", "132")]));
    for mode in Mode::COMMON {
        let mut work = Clr::new(Arc::clone(&graph), mode, EAGER).unwrap();
        let stats = Gpu::new(&large, RunOptions::from(mode)).unwrap().run(&mut work, &mut ()).unwrap().stats;
        work.check().unwrap();
        assert!(stats.smxs.len() == 132 && stats.smxs.iter().all(|smx| smx.tbs > 0), "{mode}");
    }
}

#[test]
fn colours_are_right_in_every_mode_and_skipping_changes_nothing() {
    let graph = graph("flight:300");
    in_every_mode(|mode| Clr::new(Arc::clone(&graph), mode, EAGER), Clr::check);
}

#[test]
fn pairs_are_right_in_every_mode_and_skipping_changes_nothing() {
    let keys: KeySource = "gauss:700,3000,300".parse().unwrap();
    let keys = keys.load(u64::MAX, &mut |_| ControlFlow::Continue(())).unwrap();
    let (r, s) = (Arc::new(keys.r), Arc::new(keys.s));
    let [_, cdp, cdpi, _, dtbli] =
        in_every_mode(|mode| Join::new(Arc::clone(&r), Arc::clone(&s), mode, EAGER), Join::check)
            .map(|stats| stats.cycles);
    assert!(dtbli < cdp && cdpi < cdp, "launch latency costs: {cdpi} {dtbli} {cdp}");
}

/// workloads-AM4: every group finds the kernel of the base grid, which waits for the call of the last one that is launched.
#[test]
fn meshes_are_right_in_every_mode_and_groups_join_the_kernel_that_runs() {
    let options = AmrOptions { side: 8, launch_insts: 4, ..AmrOptions::default() };
    let [_, cdp, cdpi, dtbl, dtbli] = in_every_mode(|mode| Amr::new(mode, options), Amr::check);
    assert!(dtbli.cycles < cdp.cycles && cdpi.cycles < cdp.cycles, "launch latency costs");
    for groups in [dtbl, dtbli] {
        assert_eq!((groups.front.kde_hit, groups.front.kde_miss), (groups.sm.launches, 0));
    }
}

#[test]
fn counts_of_pairs_are_right_in_every_mode_and_skipping_changes_nothing() {
    let options = PreOptions { users: 40, items: 300, cut: 40, launch_insts: 4, ..PreOptions::default() };
    let [flat, cdp, cdpi, _, dtbli] =
        in_every_mode(|mode| Pre::new(options, mode), Pre::check).map(|stats| stats.cycles);
    assert!(dtbli < cdp && cdpi < cdp && cdpi < flat, "{flat} {cdp} {cdpi} {dtbli}");
}

#[test]
fn patterns_are_found_in_every_mode_and_skipping_changes_nothing() {
    let streams = Arc::new("string:30,3".parse::<StreamSource>().unwrap().streams());
    let [flat, cdp, cdpi, _, dtbli] =
        in_every_mode(|mode| Regx::new(Arc::clone(&streams), mode, EAGER), Regx::check).map(|stats| stats.cycles);
    assert!(dtbli < cdp && cdpi < cdp && dtbli < flat, "launch latency costs: {cdpi} {dtbli} {cdp} {flat}");
    // Children launch children.
    let hits = LaunchOptions { min_child: 1, ..EAGER };
    in_every_mode(|mode| Regx::new(Arc::clone(&streams), mode, hits), Regx::check);
}
