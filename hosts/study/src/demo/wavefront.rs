//! `gpusched demo wavefront`: tiles that wait for those to their west and north, run level by level, under LRR and under LVL.
//!
//! Every SMX of a GTX 480 holds one TB, a tile takes its own time, and neither launches nor memory take any. What is left is what the
//! order of dispatch makes of the dependencies.

use crate::ask::{DEPENDENCY_GPU, Demo};
use crate::failure::Failure;
use crate::ideal::{Durations, Host, Outcome};
use crate::output::{Folder, with_files};
use crate::plot::levels::{self, Bar, Figure, Panel};
use crate::table;
use anyhow::Context;
use comfy_table::CellAlignment::{Left, Right};
use gpusched::dats::GraphPolicy;
use gpusched::{Config, DatsPart};
use gpusched_refgpu::config::GpuConfig;
use gpusched_workloads::depgraph::{DepGraph, DepSource};
use indicatif::HumanCount;
use std::ops::ControlFlow;

const TILES: &str = "wavefront:24x24";
const DURATIONS: Durations = Durations { least: 500, most: 5_000, seed: 1 };

/// The order of dispatch, what it is called, and what it is.
const POLICIES: [(GraphPolicy, &str, &str); 3] = [
    (GraphPolicy::Lvl { bound: 0 }, "barriers", "level by level"),
    (GraphPolicy::Lrr, "lrr", "any ready tile, oldest first"),
    (GraphPolicy::Lvl { bound: 3 }, "lvl(3)", "at most 3 levels ahead"),
];

/// Text of `demo wavefront`; writes the picture.
pub fn wavefront(args: &Demo) -> Result<String, Failure> {
    let folder = Folder::open(&args.out)?.with_png(args.pictures.png)?;
    let source: DepSource = TILES.parse().context("the example cannot be named")?;
    let graph = source.load(&mut |_| ControlFlow::Continue(())).context("the example cannot be made")?.graph;
    let runs = POLICIES.map(|(policy, ..)| host(policy)?.run(&graph));
    let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    let written = folder.draw("wavefront-example", &levels::svg(&figure(&runs, &graph))?)?;
    Ok(with_files(format!("{}\n{}", rows(&runs), remarks()), &written, args.quiet))
}

fn host(policy: GraphPolicy) -> Result<Host, Failure> {
    let gpu = GpuConfig::preset(DEPENDENCY_GPU).context("the example has no machine")?.front_end();
    let config = Config { dats: Some(DatsPart::GTX480), ..gpu };
    Ok(Host { config, policy, tb_threads: config.threads, durations: DURATIONS, memory_cycles: 0 })
}

/// A column per policy.
fn rows(runs: &[Outcome]) -> String {
    let header = std::iter::once("24 x 24 tiles").chain(POLICIES.map(|(_, name, _)| name)).map(str::to_owned).collect();
    let mut rows = table::new(header, &[Left, Right, Right, Right]);
    let mut row = |label: &str, of: &dyn Fn(&Outcome) -> String| {
        rows.add_row(std::iter::once(label.to_owned()).chain(runs.iter().map(of)));
    };
    let count = |number: u64| HumanCount(number).to_string();
    row("time (cycles)", &|run| count(run.cycles));
    row("speedup over barriers", &|run| speedup(run, runs));
    row("SMX occupancy", &|run| format!("{:.1}%", 100.0 * run.occupancy()));
    row("levels apart, at most", &|run| count(run.stats.max_level_range.into()));
    row("PUB entries, at most", &|run| count(run.stats.pub_max.into()));
    row("cycles without a ready tile", &|run| count(run.words.g_no_ready));
    row("cycles without room for one", &|run| count(run.words.noroom));
    row("cycles at the level bound", &|run| count(run.words.g_level_bound));
    table::text(&rows)
}

fn speedup(run: &Outcome, runs: &[Outcome]) -> String {
    format!("{:.2}x", runs[0].cycles as f64 / run.cycles as f64)
}

fn remarks() -> String {
    let [least, most] = [DURATIONS.least, DURATIONS.most].map(|cycles| HumanCount(cycles.into()));
    table::text(&table::remarks([
        ("tiles", format!("TBs that wait for those to their west and north; each takes {least} to {most} cycles")),
        ("machine", "15 SMXs with one TB each, GTX 480; launches and memory take no time here".to_owned()),
        ("barriers", "lvl(0): a tile starts when every tile of the levels before is done".to_owned()),
        ("levels apart", "between tiles that run at the same time".to_owned()),
        ("PUB", "pending update buffer: updates to tiles that have not entered the window of 128 tiles".to_owned()),
    ]))
}

fn figure(runs: &[Outcome], graph: &DepGraph) -> Figure {
    let panel = |(run, (_, name, words)): (&Outcome, (GraphPolicy, &str, &str))| Panel {
        name: name.to_owned(),
        notes: vec![
            words.to_owned(),
            format!("speedup {}", speedup(run, runs)),
            format!("{:.1}% SMX occupancy", 100.0 * run.occupancy()),
            format!("{} levels apart, at most", run.stats.max_level_range),
            format!("{} PUB entries, at most", run.stats.pub_max),
        ],
        cycles: run.cycles,
        bars: run
            .tbs
            .iter()
            .map(|tb| Bar { from: tb.start, to: tb.end, level: graph.nodes[usize::from(tb.node.0)].level().into() })
            .collect(),
    };
    Figure {
        title: "A wavefront under barriers, LRR and LVL: which levels run when".to_owned(),
        subtitle: "24 x 24 tiles of 500 to 5,000 cycles on 15 SMXs of one TB each; a tile waits for its west and north"
            .to_owned(),
        levels: graph.levels,
        panels: runs.iter().zip(POLICIES).map(panel).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_waits_for_its_parents_and_the_bound_holds() {
        let source: DepSource = TILES.parse().unwrap();
        let graph = source.load(&mut |_| ControlFlow::Continue(())).unwrap().graph;
        for (policy, name, _) in POLICIES {
            let run = host(policy).unwrap().run(&graph).unwrap();
            assert_eq!((run.tbs.len(), run.deadlock), (576, None), "{name}");
            let mut times = vec![(0, 0); 576];
            run.tbs.iter().for_each(|tb| times[usize::from(tb.node.0)] = (tb.start, tb.end));
            for (parent, _, children) in graph.iter() {
                let end = times[usize::from(parent.0)].1;
                assert!(children.iter().all(|child| times[usize::from(child.0)].0 >= end), "{name}: {parent:?}");
            }
            if let GraphPolicy::Lvl { bound } = policy {
                assert!(run.stats.max_level_range <= bound.into(), "{name}");
            }
        }
    }
}
