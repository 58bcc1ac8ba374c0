//! What can be wrong with a trace, and where.

use std::io;

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be opened, read or unpacked.
    #[error("{file}: {source}")]
    File {
        /// The file.
        file: String,
        /// What the system or the decoder says.
        source: io::Error,
    },
    /// A line is not what it has to be.
    #[error("{file}:{line}: expected {expected}, found {found}")]
    Line {
        /// The file.
        file: String,
        /// Its line, from 1.
        line: u64,
        /// What would be right.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A list asks for nothing to be run.
    #[error("{file}: it launches no kernel")]
    Empty {
        /// The list.
        file: String,
    },
}

/// That something else was expected in a line; who reads the file knows which.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub expected: String,
    pub found: String,
}

impl Wrong {
    pub fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into() }
    }
}
