//! What workloads on graphs share: a thread per vertex that loops over the vertex's arcs, or gives them to a child with a
//! thread per arc.
//!
//! A thread of such a workload holds an [`ArcWalk`]; the methods of [`VertexLoop`] are what the instructions `Lrow[v]`,
//! `Lrow[v+1]` and `Lcol[e]` of its lists do with it.

use super::device::{Child, Device};
use super::list::{Algorithm, Place};
use super::{Array, Layout, SetupError};
use crate::graph::Csr;
use std::sync::Arc;

/// A graph and where its arrays lie.
#[derive(Clone, Debug)]
pub struct GraphArrays {
    /// The graph.
    pub csr: Arc<Csr>,
    /// Where each vertex's arcs start.
    pub row: Array,
    /// Where each arc leads.
    pub col: Array,
}

impl GraphArrays {
    /// The graph, its arrays the next of `layout`.
    pub(super) fn new(csr: Arc<Csr>, layout: &mut Layout) -> Result<Self, SetupError> {
        Ok(Self {
            row: layout.words(u64::from(csr.vertices()) + 1)?,
            col: layout.words(u64::from(csr.arc_count()))?,
            csr,
        })
    }
}

/// A thread's way along arcs.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArcWalk {
    /// Where the thread stands.
    pub place: Place,
    /// Its vertex.
    pub v: u32,
    /// What it knows of the vertex, such as its distance, and tells a child.
    pub own: u32,
    /// The arc that comes next.
    pub edge: u32,
    /// The arc after the last.
    pub end: u32,
    /// Where the last arc led.
    pub u: u32,
}

/// The parameters of a child that walks along some arcs of a vertex.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArcParameters {
    first: u32,
    v: u32,
    own: u32,
}

impl ArcWalk {
    /// A thread for the vertex of its own number.
    pub(super) fn at(place: Place) -> Self {
        Self { place, v: place.index(), ..Self::default() }
    }

    /// Gives the first of the arcs to a child; the thread keeps the rest.
    pub(super) fn give(&mut self, device: &Device<ArcParameters>) -> Child<ArcParameters> {
        let Self { edge: first, v, own, .. } = *self;
        let child = device.child(self.end - first, ArcParameters { first, v, own });
        self.edge += child.count;
        child
    }

    /// A child's thread looks along one arc, if its number is below their count.
    pub(super) const fn receive(&mut self, child: Child<ArcParameters>) {
        let Child { count, parameters: ArcParameters { first, v, own }, .. } = child;
        self.v = v;
        self.own = own;
        self.edge = first + self.place.index();
        self.end = first + count;
    }
}

/// A workload on a graph.
pub trait VertexLoop: Algorithm<Parameters = ArcParameters> {
    /// The graph.
    fn graph(&self) -> &GraphArrays;

    /// The thread's way along arcs.
    fn walk(thread: &Self::Thread) -> &ArcWalk;

    /// The same, to go on.
    fn walk_mut(thread: &mut Self::Thread) -> &mut ArcWalk;

    /// Whether the thread has a vertex, where each has the one of its own number.
    fn has_vertex(&self, thread: &Self::Thread) -> bool {
        Self::walk(thread).v < self.graph().csr.vertices()
    }

    /// `Lrow[v]`
    fn row_first(&mut self, thread: &mut Self::Thread) -> u64 {
        let (graph, walk) = (self.graph(), Self::walk_mut(thread));
        walk.edge = graph.csr.row()[walk.v as usize];
        graph.row.at(walk.v)
    }

    /// `Lrow[v+1]`
    fn row_end(&mut self, thread: &mut Self::Thread) -> u64 {
        let (graph, walk) = (self.graph(), Self::walk_mut(thread));
        walk.end = graph.csr.row()[walk.v as usize + 1];
        graph.row.at(walk.v + 1)
    }

    /// Whether there are enough arcs for a child.
    fn is_wide(&self, thread: &Self::Thread) -> bool {
        let walk = Self::walk(thread);
        self.device().launches(walk.end - walk.edge)
    }

    /// Whether there is an arc to look along.
    fn has_arc(&self, thread: &Self::Thread) -> bool {
        let walk = Self::walk(thread);
        walk.edge < walk.end
    }

    /// `Lcol[e]`
    fn col(&mut self, thread: &mut Self::Thread) -> u64 {
        let (graph, walk) = (self.graph(), Self::walk_mut(thread));
        walk.u = graph.csr.col()[walk.edge as usize];
        graph.col.at(walk.edge)
    }
}

/// Checks that a search can start from `source`.
pub fn check_source(graph: &Csr, source: u32) -> Result<(), SetupError> {
    if source < graph.vertices() {
        return Ok(());
    }
    Err(SetupError::Option { option: "source", expected: "a vertex of the graph", found: u64::from(source) })
}
