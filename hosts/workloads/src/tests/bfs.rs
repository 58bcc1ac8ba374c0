//! Breadth-first search on the machine: right in every mode, equal when stepped, and of the shape that the source reports.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::config;
use crate::graph::{Csr, GraphSource};
use crate::{Bfs, BfsOptions, Mode};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::stats::RunStats;

fn graph(name: &str) -> Arc<Csr> {
    let source: GraphSource = name.parse().unwrap();
    Arc::new(source.load(&mut |_| ControlFlow::Continue(())).unwrap().csr)
}

fn run(preset: &str, graph: &Arc<Csr>, mode: Mode, step: bool) -> RunStats {
    run_on(&config(preset, &[]), graph, mode, step)
}

fn run_on(config: &GpuConfig, graph: &Arc<Csr>, mode: Mode, step: bool) -> RunStats {
    let mut bfs = Bfs::new(graph.clone(), mode, BfsOptions::default()).unwrap();
    let options = RunOptions { step, ..RunOptions::from(mode) };
    let stats = Gpu::new(config, options).unwrap().run(&mut bfs, &mut ()).unwrap().stats;
    bfs.check().unwrap();
    stats
}

#[test]
fn every_mode_finds_the_levels_on_both_machines_and_skipping_changes_nothing() {
    let graph = graph("kron:10,16");
    for mode in Mode::ALL {
        for preset in ["k20c", "gtx480"] {
            let stats = run(preset, &graph, mode, false);
            assert_eq!(stats, run(preset, &graph, mode, true), "{preset} {mode}");
            assert_eq!(stats.sm.launches > 0, mode.is_dynamic());
            assert_eq!(stats.sm.instructions[1] > 0, mode.is_dynamic());
            assert_eq!(stats.sm.tbs, stats.front.tbs);
        }
    }
}

#[test]
fn launches_pay_on_a_skewed_graph_in_the_order_of_their_cost() {
    let graph = graph("kron:12,16");
    let cycles = |mode| run("k20c", &graph, mode, false).cycles;
    let [flat, cdp, cdpi, cdp2, dtbl, dtbli] = Mode::COMMON.map(cycles);
    assert!(cdpi < flat && dtbli < flat, "without latency a launch beats the loop: {cdpi} {dtbli} {flat}");
    assert!(dtbl < cdp, "a group is cheaper than a kernel: {dtbl} {cdp}");
    assert!(cdpi < cdp && dtbli <= dtbl);
    // launch2-E8: the same kernels, sent at the same time; one kernel of the host is here at a time.
    assert_eq!(cdp2, cdp);
}

#[test]
fn persistent_threads_are_launched_once_and_fill_the_machine() {
    let graph = graph("kron:10,16");
    for (change, wave) in [(vec![], 13 * 8), (vec![("sm.count", "2")], 2 * 8), (vec![("sm.threads", "512")], 13 * 2)] {
        let stats = run_on(&config("k20c", &change), &graph, Mode::Persistent, false);
        assert_eq!((stats.kernels.len(), stats.sm.tbs), (1, wave), "{change:?}");
    }
}

#[test]
fn laperm_and_sleeping_smxs_change_the_time_and_not_the_result() {
    let graph = graph("kron:10,16");
    let change = [("dtbl.policy", "laperm"), ("bubble.enabled", "true"), ("bubble.draining", "false")];
    let config = config("k20c", &change);
    for mode in [Mode::Cdp, Mode::Dtbl] {
        let stats = run_on(&config, &graph, mode, false);
        assert_eq!(stats, run_on(&config, &graph, mode, true), "{mode}");
        let base = run("k20c", &graph, mode, false);
        assert!(
            stats.bubble.unwrap().down > 0
                && stats.energy.as_ref().unwrap().total_j < base.energy.as_ref().unwrap().total_j,
            "{mode}"
        );
        // No more can be had than there was to be had.
        assert!(
            1.0 - stats.energy.as_ref().unwrap().total_j / base.energy.as_ref().unwrap().total_j
                < base.energy.as_ref().unwrap().ideal_saving,
            "{mode}"
        );
    }
}
