//! Graphs by name: files, generators and what is built in, behind one type that parses.

use super::read::{self, FromFile, OnProgress, STANDARD_INPUT, Wanted};
use super::{Csr, Generator, GraphError, wordnet};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Graphs that come with the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// WordNet 3.0: synsets and the pointers between them, a real graph with a heavy tail.
    Wordnet,
}

/// Where a graph comes from. Parses from `wordnet`, from a generator such as `kron:14,16`, or from the path of a file;
/// a path is told by a dot or a slash in it, and `-` is standard input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GraphSource {
    /// A file in one of the formats of [`read`].
    File(PathBuf),
    /// A graph that comes with the crate.
    Builtin(Builtin),
    /// A seeded generator.
    Generated(Generator),
}

/// A graph with what a report must say about it.
#[derive(Clone, Debug)]
pub struct NamedGraph {
    /// As the source prints, without folders.
    pub name: String,
    /// What it is, its origin and its licence, in one line. A stand-in is called one.
    pub provenance: String,
    /// The graph.
    pub csr: Csr,
    /// Whether its edges went one way and were made to go both.
    pub made_undirected: bool,
    /// Least and greatest weight as the source has them, whether the graph has weights or not.
    pub weights: Option<[f64; 2]>,
}

impl GraphSource {
    /// Reads, generates or unpacks the graph. `progress` hears of files only.
    ///
    /// # Errors
    /// All of [`GraphError`] but [`GraphError::Name`].
    pub fn load(&self, progress: OnProgress<'_>) -> Result<NamedGraph, GraphError> {
        self.load_as(&Wanted::default(), progress)
    }

    /// The same, as it is wanted.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_as(&self, wanted: &Wanted, progress: OnProgress<'_>) -> Result<NamedGraph, GraphError> {
        let (name, provenance, csr) = match self {
            Self::File(path) => {
                let FromFile { csr, made_undirected, weights } = read::file(path, wanted, progress)?;
                let (name, provenance) = if path.as_os_str() == STANDARD_INPUT {
                    ("stdin".to_owned(), "standard input; origin and licence as its own".to_owned())
                } else {
                    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
                    (name, format!("file {}; origin and licence as the file's", path.display()))
                };
                return Ok(NamedGraph { name, provenance, csr, made_undirected, weights });
            }
            Self::Builtin(Builtin::Wordnet) => {
                let edges = wordnet::edges()
                    .map_err(|source| GraphError::Io { file: PathBuf::from(self.to_string()), source })?;
                let provenance = wordnet::PROVENANCE.to_owned();
                (self.to_string(), provenance, Csr::from_edges(edges)?)
            }
            Self::Generated(generator) => {
                wanted.check_memory(generator.vertices(), generator.usual_edges(), generator.is_weighted(), false)?;
                (generator.to_string(), generator.provenance(), Csr::from_edges(generator.edges())?)
            }
        };
        let range = |weights: &[u32]| Some([f64::from(*weights.iter().min()?), f64::from(*weights.iter().max()?)]);
        let weights = csr.weights().and_then(range);
        Ok(NamedGraph { name, provenance, csr, made_undirected: false, weights })
    }
}

impl fmt::Display for GraphSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Builtin(Builtin::Wordnet) => f.write_str("wordnet"),
            Self::Generated(generator) => generator.fmt(f),
        }
    }
}

impl FromStr for GraphSource {
    type Err = GraphError;

    fn from_str(given: &str) -> Result<Self, GraphError> {
        let kind = given.split_once(':').map_or("", |(kind, _)| kind);
        if given == "wordnet" {
            Ok(Self::Builtin(Builtin::Wordnet))
        } else if Generator::KINDS.contains(&kind) {
            given.parse().map(Self::Generated)
        } else if given == STANDARD_INPUT || given.contains(['.', '/', '\\']) {
            Ok(Self::File(PathBuf::from(given)))
        } else {
            Err(GraphError::Name {
                given: given.to_owned(),
                reason: format!("expected wordnet, one of {}, or the path of a file", Generator::FORMS),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn load(source: &str) -> Result<NamedGraph, GraphError> {
        let source: GraphSource = source.parse()?;
        source.load(&mut |_| ControlFlow::Continue(()))
    }

    #[test]
    fn every_kind_of_source_loads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("path.graph");
        std::fs::write(&path, "3 2\n2\n1 3\n2\n").unwrap();
        let read = load(path.to_str().unwrap()).unwrap();
        assert_eq!((read.name.as_str(), read.csr.arc_count()), ("path.graph", 4));

        let made = load("cit:2000").unwrap();
        assert_eq!((made.name.as_str(), made.csr.vertices()), ("cit:2000,seed=1", 2000));
        assert!(made.provenance.contains("stand-in"));

        let built_in = load("wordnet").unwrap();
        assert_eq!(built_in.csr.vertices(), 117_659);
        assert!(built_in.provenance.contains("WordNet 3.0"));
    }

    #[test]
    fn a_generated_graph_over_the_limit_is_refused_before_it_is_drawn() {
        let small = Wanted { memory: 1 << 30, ..Wanted::default() };
        for (name, says) in [
            ("kron:28,4", "19.0 GiB"),
            ("uni:20,1000", "15.6 GiB"),
            ("road:14", "19.0 GiB"),
            ("cit:16777216", "1.4 GiB"),
        ] {
            let error =
                name.parse::<GraphSource>().unwrap().load_as(&small, &mut |_| ControlFlow::Continue(())).unwrap_err();
            assert!(error.to_string().contains(&format!("{says} of memory to build; the limit is 1.0 GiB")), "{error}");
        }
    }

    #[test]
    fn a_dot_does_not_make_a_file_of_a_generator() {
        let message = load("kron:1.5").unwrap_err().to_string();
        assert!(message.contains("whole number"), "{message}");
    }

    #[test]
    fn a_name_that_names_nothing_is_told_the_choices() {
        let message = load("citeseer").unwrap_err().to_string();
        assert!(message.contains("`citeseer`") && message.contains("wordnet"), "{message}");
        assert!(message.contains("kron:LG") && message.contains("path"), "{message}");
        assert!(load("citation:5").unwrap_err().to_string().contains("cit:N"));
    }
}
