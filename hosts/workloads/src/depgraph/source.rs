//! Dependency graphs by name: files and shapes, behind one type that parses.

use super::read;
use super::{DepError, DepGraph, Shape};
use crate::graph::read::{OnProgress, STANDARD_INPUT};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a dependency graph comes from. Parses from a shape such as `wavefront:64x64`, or from the path of a file; a path is told by
/// a dot or a slash in it, and `-` is standard input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DepSource {
    /// A list of dependencies, or a graph in the language of Graphviz; plain or gzip.
    File(PathBuf),
    /// A shape of a given size.
    Shape(Shape),
}

/// A dependency graph with what a report must say about it.
#[derive(Clone, Debug)]
pub struct NamedDeps {
    /// As the source prints, without folders.
    pub name: String,
    /// What it is and its origin, in one line.
    pub provenance: String,
    /// The graph.
    pub graph: DepGraph,
}

impl DepSource {
    /// The forms that [`FromStr`] takes, for help texts.
    pub const FORMS: &str = "a file (a line `parent child` for each dependency, or Graphviz: .dot, .gv; also .gz), wavefront:XxY[xSWEEPS], \
        barrier:TBSxPHASES, relay:TBSxPHASES";

    /// Reads or makes the graph. `progress` hears of files only.
    ///
    /// # Errors
    /// All of [`DepError`] but [`DepError::Name`].
    pub fn load(&self, progress: OnProgress<'_>) -> Result<NamedDeps, DepError> {
        let (name, provenance, graph) = match self {
            Self::File(path) if path.as_os_str() == STANDARD_INPUT => (
                "stdin".to_owned(),
                "standard input; origin and licence as its own".to_owned(),
                read::file(path, progress)?,
            ),
            Self::File(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                let provenance = format!("file {}; origin and licence as the file's", path.display());
                (name.to_string_lossy().into_owned(), provenance, read::file(path, progress)?)
            }
            Self::Shape(shape) => (shape.to_string(), shape.provenance(), shape.graph()),
        };
        Ok(NamedDeps { name, provenance, graph })
    }
}

impl fmt::Display for DepSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Shape(shape) => shape.fmt(f),
        }
    }
}

impl FromStr for DepSource {
    type Err = DepError;

    fn from_str(given: &str) -> Result<Self, DepError> {
        let kind = given.split_once(':').map_or("", |(kind, _)| kind);
        if Shape::KINDS.contains(&kind) {
            given.parse().map(Self::Shape)
        } else if given == STANDARD_INPUT || given.contains(['.', '/', '\\']) {
            Ok(Self::File(PathBuf::from(given)))
        } else {
            Err(DepError::Name { given: given.to_owned(), reason: format!("expected {}", Self::FORMS) })
        }
    }
}
