//! A dependency graph in the language of Graphviz, levelled and renamed: a rank for each level, and in each node its name, its TB and
//! its VID. Read again, it is the same graph.

use gpusched::dats::{Admission, NodeId};
use gpusched_workloads::depgraph::NamedDeps;
use std::fmt::Write as _;

const PLAIN: &str = "#eef2f7";
/// The node of the verdict: there the window may stop.
const STOPS: &str = "#e69f00";
/// The same if it can never enter the window.
const NEVER_FITS: &str = "#d55e00";

/// The graph as text.
pub fn dot(deps: &NamedDeps, admission: &Admission) -> String {
    let graph = &deps.graph;
    let mark = match *admission {
        Admission::Safe => None,
        Admission::MayDeadlock { node } => Some((node, STOPS, "the window may stop at the coloured node")),
        Admission::Deadlocks { node } => Some((node, STOPS, "the window stops at the coloured node")),
        Admission::Oversize { node } => Some((node, NEVER_FITS, "the coloured node never fits")),
    };
    let title = mark.map_or(deps.name.clone(), |(_, _, words)| format!("{}: {words}", deps.name));
    let mut text = format!(
        "digraph {} {{\n  label={}; labelloc=t; fontname=Helvetica;\n",
        quoted(&deps.name),
        quoted(&label(&title))
    );
    let _ = writeln!(
        text,
        "  node [shape=box, style=\"filled,rounded\", fillcolor=\"{PLAIN}\", fontname=Helvetica, fontsize=10];"
    );
    let nodes: Vec<(NodeId, u16)> = graph.iter().map(|(vid, node, _)| (vid, node.level())).collect();
    for level in nodes.chunk_by(|a, b| a.1 == b.1) {
        text.push_str("  subgraph { rank=same;\n");
        for &(vid, _) in level {
            let colour = match mark {
                Some((node, colour, _)) if node == vid => format!(", fillcolor=\"{colour}\""),
                _ => String::new(),
            };
            let words = format!("{}\nVID {}", graph.label(vid), vid.0);
            let _ = writeln!(text, "    {} [label={}{colour}];", quoted(&graph.key(vid)), quoted(&label(&words)));
        }
        text.push_str("  }\n");
    }
    for (vid, _, children) in graph.iter() {
        for &child in children {
            let _ = writeln!(text, "  {} -> {};", quoted(&graph.key(vid)), quoted(&graph.key(child)));
        }
    }
    text.push_str("}\n");
    text
}

/// A word in quotation marks. Backslashes before other letters mean themselves.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\\\""))
}

/// Words for a label, in which backslashes begin an escape.
fn label(words: &str) -> String {
    words.replace('\\', "\\\\").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_workloads::depgraph::DepSource;
    use std::ops::ControlFlow;

    fn load(source: &str) -> NamedDeps {
        source.parse::<DepSource>().unwrap().load(&mut |_| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn what_is_written_is_the_same_graph_and_is_dot_to_another_reader() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.dot");
        let names =
            "digraph \"a \\\"b\\\" \" { \"x\\\\\" -> {\"y \\\"1\\\"\" <b>} -> \"\u{e9}\\n\"; n1:p -> 2.5 -> -3 }";
        std::fs::write(&path, names).unwrap();
        for source in [path.to_str().unwrap(), "wavefront:5x3x2", "relay:3x3", "barrier:4x2"] {
            let deps = load(source);
            let node = NodeId(1);
            for admission in [Admission::Safe, Admission::Deadlocks { node }, Admission::Oversize { node }] {
                let text = dot(&deps, &admission);
                let again = folder.path().join("again.dot");
                std::fs::write(&again, &text).unwrap();
                let read = load(again.to_str().unwrap()).graph;
                let shape = |graph: &gpusched_workloads::depgraph::DepGraph| (graph.nodes.clone(), graph.edges.clone());
                assert_eq!(shape(&read), shape(&deps.graph), "{text}");
                let keys: Vec<String> = (0..deps.graph.nodes.len()).map(|v| deps.graph.key(NodeId(v as u16))).collect();
                let read: Vec<String> = (0..keys.len()).map(|v| read.key(NodeId(v as u16))).collect();
                assert_eq!(read, keys);
                graphviz_rust::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(
                    text.matches(STOPS).count() + text.matches(NEVER_FITS).count(),
                    usize::from(admission != Admission::Safe)
                );
            }
        }
    }
}
