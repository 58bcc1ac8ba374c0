//! What readers put edges into: it knows what is wanted of weights, of directions and of memory (workloads-IN5, workloads-W11).

use super::text::Text;
use super::{FromFile, Wanted, Weights};
use crate::graph::{Csr, EdgeList, GraphError, MAX_EDGES};
use std::io::Read;

/// Greatest weight: path sums must stay below the mark for "unreached".
const MAX_WEIGHT: u32 = u32::MAX - 1;
/// Edges between two looks at the memory that they take.
const BETWEEN: u64 = 1 << 20;

/// Edges so far.
pub struct Edges<'a> {
    wanted: &'a Wanted,
    list: EdgeList,
    /// Whether there are weights in the text, wanted or not.
    pub weighted: bool,
    /// Whether edges go one way in the text, wanted or not.
    directed: bool,
    /// Least and greatest of them.
    range: Option<[f64; 2]>,
}

/// A weight.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// As it stands in the text.
    pub value: f64,
    /// As the graph has it, if weights are wanted.
    units: u32,
}

impl Weight {
    /// Of an edge without one.
    pub const ONE: Self = Self { value: 1.0, units: 1 };
}

impl<'a> Edges<'a> {
    /// None so far, of a graph with as many vertices at least.
    pub fn new(wanted: &'a Wanted, vertices: u32, weighted: bool, directed: bool) -> Self {
        let keeps = weighted && wanted.weights != Weights::Ignored;
        let list = if keeps { EdgeList::weighted(vertices) } else { EdgeList::unweighted(vertices) };
        Self { wanted, list: list.directed(directed && !wanted.undirected), weighted, directed, range: None }
    }

    /// The same, if a graph with as many edges as the header promises may be built.
    pub fn promised(self, edges: u64) -> Result<Self, GraphError> {
        self.check_memory(edges).map(|()| self)
    }

    /// The weight that stands here.
    pub fn weight<R: Read>(&mut self, text: &mut Text<'_, R>) -> Result<Weight, GraphError> {
        let value = text.real("a weight")?;
        let [least, most] = self.range.unwrap_or([value; 2]);
        self.range = Some([least.min(value), most.max(value)]);
        let (units, scaled) = match self.wanted.weights {
            Weights::Ignored => return Ok(Weight { value, units: 1 }),
            Weights::Whole if value.fract() != 0.0 => {
                let expected = format!("a whole weight in 1..={MAX_WEIGHT}, or a scale that makes whole ones");
                return Err(text.wrong(expected, value));
            }
            Weights::Whole => (value, String::new()),
            Weights::Times(scale) => {
                ((value * scale).round(), format!(" when it is multiplied by {scale} and rounded"))
            }
        };
        if (1.0..=f64::from(MAX_WEIGHT)).contains(&units) {
            return Ok(Weight { value, units: units as u32 });
        }
        let found = if value.abs() < 1e16 { value.to_string() } else { format!("{value:e}") };
        Err(text.wrong(format_args!("a weight in 1..={MAX_WEIGHT}{scaled}"), found))
    }

    /// Appends an edge, unless there are too many.
    pub fn push<R: Read>(&mut self, text: &Text<'_, R>, (u, v): (u32, u32), weight: Weight) -> Result<(), GraphError> {
        let edges = self.len();
        if edges >= MAX_EDGES {
            return Err(text.wrong("at most 2^31 arcs", "more"));
        }
        if edges.is_multiple_of(BETWEEN) {
            self.check_memory(edges)?;
        }
        self.list.push(u, v, weight.units);
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.list.ends().len() as u64
    }

    /// Vertices of the graph so far.
    pub fn vertices(&self) -> u32 {
        self.list.vertices()
    }

    /// The graph, and what became of it.
    pub fn build(self) -> Result<FromFile, GraphError> {
        self.check_memory(self.len())?;
        let made_undirected = self.directed && self.wanted.undirected;
        Ok(FromFile { csr: Csr::from_edges(self.list)?, made_undirected, weights: self.range })
    }

    /// Whether a graph with so many edges may be built.
    fn check_memory(&self, edges: u64) -> Result<(), GraphError> {
        self.wanted.check_memory(self.vertices().into(), edges, self.list.weights().is_some(), self.list.is_directed())
    }
}
