//! Everything that can go wrong on the way to a graph.

use std::path::PathBuf;

/// Why there is no graph.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// The text of a file is not what its format asks for (workloads-W11).
    #[error("{file}:{line}: expected {expected}, found {found}", file = file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What may stand there.
        expected: String,
        /// What does.
        found: String,
    },
    /// The file cannot be read.
    #[error("{file}: {source}", file = file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Neither the name nor the first bytes of the file say how it is to be read.
    #[error(
        "{file}: cannot tell the format; name the file .graph (METIS), .gr or .col (DIMACS), .mtx (Matrix Market), \
         or .txt, .csv, .tsv, .el (edge list), each also with .gz",
        file = file.display()
    )]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// There is no vertex.
    #[error("empty graph: no vertex")]
    Empty,
    /// It would take more memory than it may.
    #[error("a graph of {vertices} vertices and {edges} edges takes about {} of memory to build; the limit is {}", gib(*needs), gib(*limit))]
    Memory {
        /// Vertices that it has, or has so far.
        vertices: u64,
        /// Edges, likewise.
        edges: u64,
        /// About the bytes that building it takes.
        needs: u64,
        /// Bytes that it may take.
        limit: u64,
    },
    /// More than 2^31 arcs.
    #[error("{edges} edges make more than 2^31 arcs")]
    TooManyArcs {
        /// Edges listed.
        edges: u64,
    },
    /// The name of a graph names nothing.
    #[error("graph `{given}`: {reason}")]
    Name {
        /// What was given.
        given: String,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
    /// The progress callback asked to stop.
    #[error("reading was cancelled")]
    Cancelled,
}

/// Bytes in units that people read.
#[must_use]
pub fn gib(bytes: u64) -> String {
    match bytes as f64 / 1024.0 {
        kib if kib < 1024.0 => format!("{kib:.0} KiB"),
        kib if kib < 1_048_576.0 => format!("{:.0} MiB", kib / 1024.0),
        kib => format!("{:.1} GiB", kib / 1_048_576.0),
    }
}
