//! Dependency graphs of TBs that do not come from a workload of ours: a user's file, or a shape such as a wavefront.
//!
//! A host normally parses a [`DepSource`] (a file name, `wavefront:64x64`, `barrier:16x4`) and calls [`DepSource::load`]. What comes
//! out is a [`DepGraph`]: the graph in memory as [`DepLinks`] builds it, levelled and renamed, and what
//! its TBs are called where they come from. These graphs have an arrow from parent to child; the graphs that workloads search are
//! those of [`graph`](crate::graph).
//!
//! ```
//! use gpusched_workloads::depgraph::DepSource;
//! use std::ops::ControlFlow;
//!
//! let source: DepSource = "wavefront:3x3".parse()?;
//! let graph = source.load(&mut |_| ControlFlow::Continue(()))?.graph;
//! assert_eq!((graph.nodes.len(), graph.edges.len(), graph.levels), (9, 12, 5));
//! assert_eq!(graph.label(gpusched::dats::NodeId(2)), "(0, 1) (TB 3)");
//! # Ok::<(), gpusched_workloads::depgraph::DepError>(())
//! ```

mod error;
mod links;
pub mod read;
mod shape;
mod source;

use gpusched::Dim3;
use gpusched::dats::{DepLinks, DepLinksError, Node, NodeId};

pub use error::DepError;
pub use shape::Shape;
pub use source::{DepSource, NamedDeps};

/// Most dependencies that a file may list or a shape may have.
pub const MAX_DEPENDENCIES: u64 = 1 << 24;

/// Letters of a name that are shown.
const NAME: usize = 40;

/// A dependency graph in memory, with the names of its TBs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepGraph {
    /// The node array, by VID.
    pub nodes: Vec<Node>,
    /// The edge array.
    pub edges: Vec<NodeId>,
    /// The linear index of each node's TB.
    pub order: Vec<u16>,
    /// Number of levels.
    pub levels: u32,
    /// Dependencies that were named more than once, and count once.
    pub repeated: u64,
    names: Names,
}

/// What TBs are called, by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Names {
    /// By their index.
    Index,
    /// By their place in a grid.
    Grid(Dim3),
    /// As in the file.
    Words(Vec<String>),
}

impl DepGraph {
    /// The graph of `tbs` TBs in a row, whose mapping function names at most `most` dependencies.
    ///
    /// # Errors
    /// Those of [`DepLinks::build`].
    pub fn of(
        tbs: u32,
        most: usize,
        mapping: impl FnMut(Dim3, &mut DepLinks<'_>) -> Result<(), DepLinksError>,
    ) -> Result<Self, DepLinksError> {
        links::build(Dim3::linear(tbs), most, Names::Index, mapping)
    }

    /// Children of a node, ascending.
    #[must_use]
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let vid = usize::from(node.0);
        let end = self.nodes.get(vid + 1).map_or(self.edges.len(), |next| next.start() as usize);
        self.nodes.get(vid).map_or(&[], |node| &self.edges[node.start() as usize..end])
    }

    /// The nodes by VID, each with its children.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node, &[NodeId])> {
        (0..).map(NodeId).zip(&self.nodes).map(|(vid, node)| (vid, node, self.children(vid)))
    }

    /// Nodes of each level.
    #[must_use]
    pub fn widths(&self) -> Vec<u32> {
        let mut widths = vec![0; self.levels as usize];
        self.nodes.iter().for_each(|node| widths[usize::from(node.level())] += 1);
        widths
    }

    /// The first edge that leads farthest in VIDs; `None` if there are no edges.
    #[must_use]
    pub fn farthest(&self) -> Option<(NodeId, NodeId)> {
        let last = self.iter().filter_map(|(vid, _, children)| Some((vid, *children.last()?)));
        last.reduce(|best, edge| if edge.1.0 - edge.0.0 > best.1.0 - best.0.0 { edge } else { best })
    }

    /// What its TB is called where the graph comes from, letter by letter.
    #[must_use]
    pub fn key(&self, node: NodeId) -> String {
        let tb = self.order[usize::from(node.0)];
        match &self.names {
            Names::Index => tb.to_string(),
            Names::Grid(grid) => {
                let (x, row) = (u32::from(tb) % grid.x, u32::from(tb) / grid.x);
                let (y, z) = (row % grid.y, row / grid.y);
                if grid.z > 1 { format!("({x}, {y}, {z})") } else { format!("({x}, {y})") }
            }
            Names::Words(words) => words[usize::from(tb)].clone(),
        }
    }

    /// Its [`key`](Self::key) as it can be printed on a line: a name of a file's is quoted, and cut if it is long.
    #[must_use]
    pub fn name(&self, node: NodeId) -> String {
        match self.names {
            Names::Words(_) => shown(&self.key(node)),
            _ => self.key(node),
        }
    }

    /// Its name, and its TB's index where that is something else.
    #[must_use]
    pub fn label(&self, node: NodeId) -> String {
        let tb = self.order[usize::from(node.0)];
        match self.names {
            Names::Index => format!("TB {tb}"),
            _ => format!("{} (TB {tb})", self.name(node)),
        }
    }
}

/// A name on a line: what cannot be printed is escaped, what is long is cut.
fn shown(word: &str) -> String {
    let cut = if word.chars().count() > NAME { "..." } else { "" };
    let start: String = word.chars().take(NAME).collect();
    format!("`{}{cut}`", start.escape_debug())
}

#[cfg(test)]
mod tests;
