//! Everything that can go wrong on the way to a dependency graph.

use crate::graph::GraphError;
use std::path::PathBuf;

/// Why there is no dependency graph.
#[derive(Debug, thiserror::Error)]
pub enum DepError {
    /// A file cannot be read, is not what its format asks for, or its dependencies make no graph that can run: one of a TB on
    /// itself, a cycle, too many TBs.
    #[error(transparent)]
    Read(#[from] GraphError),
    /// Neither the name nor the first bytes of the file say how it is to be read.
    #[error(
        "{file}: cannot tell the format; name the file .dot or .gv (Graphviz), or .txt, .csv, .tsv, .el (a line `parent child` \
         for each dependency), each also with .gz",
        file = file.display()
    )]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// The name of a dependency graph names nothing.
    #[error("dependency graph `{given}`: {reason}")]
    Name {
        /// What was given.
        given: String,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
}
