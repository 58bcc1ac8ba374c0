//! `gpusched graph info`: what a graph looks like to a SIMT machine.

use crate::ask::GraphArgs;
use crate::failure::Failure;
use crate::input::{Graph, GraphPart};
use crate::{input, output, table};
use comfy_table::CellAlignment::{Left, Right};
use gpusched_workloads::graph::{Csr, DegreeStats, GraphSource, UNREACHED, Weights, fnv1a};
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// Length of the longest bar of the histogram.
const BAR: f64 = 40.0;

/// The text of `graph info`.
pub fn info(
    source: &GraphSource,
    load: &GraphArgs,
    start: Option<u32>,
    json: bool,
    quiet: bool,
) -> Result<String, Failure> {
    let graph = input::graph(source, &load.wanted(Weights::Ignored), quiet)?;
    let start = input::source_vertex(&graph, start)?;
    let facts = Facts::of(&graph, start);
    if json { output::json(&facts) } else { Ok(facts.for_people()) }
}

#[derive(Serialize)]
struct Facts<'a> {
    schema: &'static str,
    #[serde(flatten)]
    graph: GraphPart<'a>,
    /// Least and greatest weight, if there are weights.
    weights: Option<[Value; 2]>,
    degree: Degree,
    search: Search,
}

#[derive(Serialize)]
struct Degree {
    min: u32,
    mean: f64,
    max: u32,
    quartiles: [u32; 3],
    /// Shares of vertices and arcs at vertices with 32 neighbours or more.
    wide_vertices: f64,
    wide_arcs: f64,
    loop_efficiency: f64,
    histogram: Vec<Bucket>,
}

/// Vertices with `from..=to` neighbours.
#[derive(Serialize)]
struct Bucket {
    from: u32,
    to: u32,
    vertices: u64,
    arcs: u64,
}

#[derive(Serialize)]
struct Search {
    source: u32,
    levels: u32,
    reached: u64,
    /// FNV-1a 64 of the levels.
    checksum: String,
}

/// A weight as a file has it: whole numbers as such.
fn number(weight: f64) -> Value {
    let is_whole = weight.fract() == 0.0 && weight.abs() < 1e15;
    if is_whole { (weight as i64).into() } else { weight.into() }
}

impl<'a> Facts<'a> {
    fn of(graph: &'a Graph, start: u32) -> Self {
        let csr = &graph.csr;
        Self {
            schema: "gpusched.graph/1",
            graph: graph.part(),
            weights: graph.range.map(|range| range.map(number)),
            degree: Degree::of(csr),
            search: Search::of(csr, start),
        }
    }

    fn for_people(&self) -> String {
        let Degree { min, mean, max, quartiles: [q1, q2, q3], wide_vertices, wide_arcs, loop_efficiency, .. } =
            self.degree;
        let Search { source, levels, reached, ref checksum } = self.search;
        let percent = |share: f64| format!("{:.2}%", 100.0 * share);
        let edges = match self.graph.undirected_edges {
            Some(edges) => ("undirected edges", edges),
            None => ("directed arcs", self.graph.arcs),
        };
        let made = if self.graph.direction == "made undirected" { ", made undirected" } else { "" };
        let facts = [
            ("vertices", HumanCount(self.graph.vertices.into()).to_string()),
            (edges.0, format!("{}{made}", HumanCount(edges.1.into()))),
            ("weights", self.weights.as_ref().map_or("none".to_owned(), |[low, high]| format!("{low} to {high}"))),
            (
                if self.graph.undirected_edges.is_some() { "degree" } else { "out-degree" },
                format!("{min} to {max}, mean {mean:.2}, quartiles {q1}, {q2}, {q3}"),
            ),
            (
                "32 neighbours or more",
                format!("{} of the vertices, {} of the arcs", percent(wide_vertices), percent(wide_arcs)),
            ),
            ("loop efficiency", format!("{} (one thread per vertex)", percent(loop_efficiency))),
            ("breadth-first search", format!("from vertex {source}: {levels} levels, {} reached", HumanCount(reached))),
            ("level checksum", checksum.clone()),
        ];
        let mut text = format!("{}\n{}\n\n", self.graph.name, self.graph.provenance);
        for (what, value) in facts {
            let _ = writeln!(text, "{what:<22} {value}");
        }
        text.push('\n');
        text + &self.degree.bars()
    }
}

impl Degree {
    fn of(csr: &Csr) -> Self {
        let stats = DegreeStats::of(csr);
        let mut histogram: Vec<Bucket> = (0..stats.histogram.len())
            .map(|bits| Bucket {
                from: if bits == 0 { 0 } else { 1 << (bits - 1) },
                to: ((1_u64 << bits) - 1) as u32,
                vertices: 0,
                arcs: 0,
            })
            .collect();
        for degree in (0..csr.vertices()).map(|v| csr.degree(v)) {
            let bucket = &mut histogram[(u32::BITS - degree.leading_zeros()) as usize];
            bucket.vertices += 1;
            bucket.arcs += u64::from(degree);
        }
        Self {
            min: stats.min,
            mean: stats.mean,
            max: stats.max,
            quartiles: stats.quartiles,
            wide_vertices: stats.wide_vertices,
            wide_arcs: stats.wide_arcs,
            loop_efficiency: stats.loop_efficiency,
            histogram,
        }
    }

    /// The histogram with a bar per power of two.
    fn bars(&self) -> String {
        let header = ["degree", "vertices", "", "arcs", ""].map(str::to_owned).to_vec();
        let mut rows = table::new(header, &[Right, Right, Right, Right, Left]);
        let whole = self.histogram.iter().fold((0, 0), |sum, b| (sum.0 + b.vertices, sum.1 + b.arcs));
        let most = self.histogram.iter().map(|b| b.vertices).max().unwrap_or(1);
        let percent = |part: u64, whole: u64| format!("{:.1}%", 100.0 * part as f64 / whole as f64);
        for bucket in &self.histogram {
            let degree = match bucket {
                Bucket { from, to, .. } if from == to => from.to_string(),
                Bucket { from, to, .. } => format!("{from}-{to}"),
            };
            // Some vertices are some bar.
            let length = (BAR * bucket.vertices as f64 / most as f64).ceil() as usize;
            rows.add_row([
                degree,
                HumanCount(bucket.vertices).to_string(),
                percent(bucket.vertices, whole.0),
                percent(bucket.arcs, whole.1.max(1)),
                "#".repeat(length),
            ]);
        }
        table::text(&rows)
    }
}

impl Search {
    fn of(csr: &Csr, source: u32) -> Self {
        let levels = csr.levels(source);
        let reached = || levels.iter().copied().filter(|&level| level != UNREACHED);
        Self {
            source,
            levels: reached().max().map_or(0, |deepest| deepest + 1),
            reached: reached().count() as u64,
            checksum: format!("{:016x}", fnv1a(levels.iter().copied())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    #[test]
    fn the_histogram_counts_every_vertex_and_arc_once() {
        let source: GraphSource = "kron:8".parse().unwrap();
        let graph = source.load(&mut |_| ControlFlow::Continue(())).unwrap();
        let degree = Degree::of(&graph.csr);
        let whole = degree.histogram.iter().fold((0, 0), |sum, b| (sum.0 + b.vertices, sum.1 + b.arcs));
        assert_eq!(whole, (graph.csr.vertices().into(), graph.csr.arc_count().into()));
        let stats = DegreeStats::of(&graph.csr);
        assert!(degree.histogram.iter().zip(&stats.histogram).all(|(bucket, &n)| bucket.vertices == u64::from(n)));
    }

    /// workloads-IN2.
    #[test]
    fn the_search_gives_the_golden_values() {
        let source: GraphSource = "kron:10".parse().unwrap();
        let graph = source.load(&mut |_| ControlFlow::Continue(())).unwrap();
        let search = Search::of(&graph.csr, graph.csr.source());
        assert_eq!((search.source, search.levels, search.reached), (684, 4, 897));
        assert_eq!(search.checksum, "e623ba6dffe57b68");
    }
}
