//! From dependencies as they are listed to a graph in memory, by the core's builder.

use super::{DepGraph, MAX_DEPENDENCIES, Names, shown};
use crate::graph::GraphError;
use gpusched::Dim3;
use gpusched::dats::{DepLinks, DepLinksError, DepLinksRow, GraphStorage, MAX_NODES, Node, NodeId};
use std::ops::Range;
use std::path::Path;

/// TBs of a cycle that an error names.
const NAMED: usize = 6;

/// The graph of a grid whose mapping function names at most `most` dependencies.
pub fn build(
    grid: Dim3,
    most: usize,
    names: Names,
    mapping: impl FnMut(Dim3, &mut DepLinks<'_>) -> Result<(), DepLinksError>,
) -> Result<DepGraph, DepLinksError> {
    let tbs = DepLinks::nodes_of(grid)? as usize;
    let (mut nodes, mut edges, mut order) = (vec![Node::default(); tbs], vec![NodeId(0); most], vec![0; tbs]);
    let (mut parents, mut rows) = (vec![0; most], vec![DepLinksRow::default(); tbs]);
    let storage = GraphStorage {
        nodes: &mut nodes,
        edges: &mut edges,
        order: &mut order,
        parents: &mut parents,
        rows: &mut rows,
    };
    let graph = DepLinks::build(grid, storage, mapping)?;
    let (count, levels) = (graph.edges.len(), graph.levels);
    edges.truncate(count);
    Ok(DepGraph { nodes, edges, order, levels, repeated: (most - count) as u64, names })
}

/// Dependencies as a file lists them.
#[derive(Debug, Default)]
pub struct Listed {
    /// TBs, at most 65535.
    pub tbs: u32,
    /// What they are called, if not by their index.
    pub names: Option<Vec<String>>,
    dependencies: Vec<Dependency>,
}

/// A dependency, with the line of the file that lists it.
#[derive(Clone, Copy, Debug)]
struct Dependency {
    parent: u16,
    child: u16,
    line: u32,
}

impl Listed {
    /// Adds a TB with a name.
    pub fn add(&mut self, name: String) -> u16 {
        self.names.get_or_insert_default().push(name);
        self.tbs += 1;
        (self.tbs - 1) as u16
    }

    /// If the names are 0, 1, 2 ... in any order, makes them the indices of their TBs.
    pub fn name_by_number(&mut self) {
        let number =
            |name: &String| name.parse().ok().filter(|n: &u16| u32::from(*n) < self.tbs && n.to_string() == *name);
        let numbers: Option<Vec<u16>> = self.names.iter().flatten().map(number).collect();
        if let Some(numbers) = numbers {
            for d in &mut self.dependencies {
                (d.parent, d.child) = (numbers[usize::from(d.parent)], numbers[usize::from(d.child)]);
            }
            self.names = None;
        }
    }

    /// Adds a dependency between TBs that are there already. What is wrong with it, if it cannot be: what was expected, and what
    /// was found.
    pub fn push(&mut self, parent: u16, child: u16, line: u64) -> Result<(), [String; 2]> {
        if parent == child {
            let found = if self.names.is_some() { self.name(child) } else { format!("TB {child} twice") };
            return Err(["a parent other than the TB itself".to_owned(), found]);
        }
        if self.dependencies.len() as u64 == MAX_DEPENDENCIES {
            return Err([format!("at most {MAX_DEPENDENCIES} dependencies"), "more".to_owned()]);
        }
        self.dependencies.push(Dependency { parent, child, line: line.try_into().unwrap_or(u32::MAX) });
        Ok(())
    }

    /// The graph of these dependencies, which stand in `file`.
    pub fn build(mut self, file: &Path) -> Result<DepGraph, GraphError> {
        debug_assert!((1..=MAX_NODES).contains(&self.tbs));
        let parents = Parents::of(&self);
        let names = self.names.take();
        let named = names.clone().map_or(Names::Index, Names::Words);
        let most = self.dependencies.len();
        let built = build(Dim3::linear(self.tbs), most, named, |tb, links| {
            parents.of[parents.range(tb.x)].iter().try_for_each(|&parent| links.add_dependency(parent.into(), 0, 0))
        });
        self.names = names;
        built.map_err(|error| match error {
            DepLinksError::Cycle { tb } => self.cyclic(&parents, tb, file),
            // Everything else was seen to while the file was read.
            other => syntax(file, 1, "a dependency graph", other.to_string()),
        })
    }

    /// The error that names a cycle which TB `from` lies on or behind, on the line of the dependency that closes it.
    fn cyclic(&self, parents: &Parents, from: u32, file: &Path) -> GraphError {
        let mut cycle = parents.cycle(from as u16);
        let lines = (0..cycle.len()).filter_map(|place| {
            let edge = (cycle[place], cycle[(place + 1) % cycle.len()]);
            // Repeated ones say nothing new.
            let first = self.dependencies.iter().find(|d| (d.parent, d.child) == edge)?;
            Some((first.line, place))
        });
        let (line, closing) = lines.max().unwrap_or((1, 0));
        let count = cycle.len();
        cycle.rotate_left((closing + 1) % count.max(1));
        let mut words: Vec<String> = cycle.iter().take(NAMED).map(|&tb| self.name(tb)).collect();
        if count > NAMED {
            words.push(format!("... {} more", count - NAMED));
        }
        words.extend(cycle.first().map(|&tb| self.name(tb)));
        syntax(file, line.into(), "dependencies without a cycle", words.join(" -> "))
    }

    fn name(&self, tb: u16) -> String {
        self.names.as_ref().map_or_else(|| tb.to_string(), |names| shown(&names[usize::from(tb)]))
    }
}

/// The error "expected, found" on a line of a file.
pub fn syntax(file: &Path, line: u64, expected: impl Into<String>, found: impl Into<String>) -> GraphError {
    GraphError::Syntax { file: file.to_owned(), line, expected: expected.into(), found: found.into() }
}

/// The parents of each TB.
struct Parents {
    /// Where those of a TB start; behind the last that is their number.
    first: Vec<u32>,
    of: Vec<u16>,
}

impl Parents {
    fn of(listed: &Listed) -> Self {
        let mut first = vec![0; listed.tbs as usize + 1];
        listed.dependencies.iter().for_each(|d| first[usize::from(d.child) + 1] += 1);
        for tb in 1..first.len() {
            first[tb] += first[tb - 1];
        }
        let (mut next, mut of) = (first.clone(), vec![0; listed.dependencies.len()]);
        for d in &listed.dependencies {
            let place = &mut next[usize::from(d.child)];
            of[*place as usize] = d.parent;
            *place += 1;
        }
        Self { first, of }
    }

    fn range(&self, tb: u32) -> Range<usize> {
        self.first[tb as usize] as usize..self.first[tb as usize + 1] as usize
    }

    /// A cycle among `from` and what it depends on, each TB a parent of the next and the last of the first.
    fn cycle(&self, from: u16) -> Vec<u16> {
        let tbs = self.first.len() - 1;
        let (mut seen, mut on_path) = (vec![false; tbs], vec![false; tbs]);
        // A path from child to parent, and for each TB on it the parents that are still to be tried.
        let mut path = vec![(from, self.range(from.into()))];
        (seen[usize::from(from)], on_path[usize::from(from)]) = (true, true);
        while let Some((tb, rest)) = path.last_mut() {
            let Some(place) = rest.next() else {
                on_path[usize::from(*tb)] = false;
                path.pop();
                continue;
            };
            let parent = self.of[place];
            if on_path[usize::from(parent)] {
                let start = path.iter().position(|&(tb, _)| tb == parent).unwrap_or(0);
                return path[start..].iter().rev().map(|&(tb, _)| tb).collect();
            }
            if !seen[usize::from(parent)] {
                (seen[usize::from(parent)], on_path[usize::from(parent)]) = (true, true);
                path.push((parent, self.range(parent.into())));
            }
        }
        Vec::new()
    }
}
