//! Files of dependencies: a list, or a graph in the language of Graphviz; plain or gzip. What is wrong is said as
//! `file:line: expected ..., found ...`, as of other [graph files](crate::graph::read).

mod dot;
mod list;

use super::{DepError, DepGraph};
use crate::graph::GraphError;
use crate::graph::read::{OnProgress, Text, open, sniffed, unpacked};
use std::io::Read;
use std::path::Path;

/// The formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Dot,
    List,
}

impl Format {
    /// By the name where it is telling, else by the first bytes.
    fn of(name: &Path, start: &[u8]) -> Option<Self> {
        let name = name.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let start = start.trim_ascii_start().to_ascii_lowercase();
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "dot" | "gv" => Some(Self::Dot),
            "txt" | "csv" | "tsv" | "el" | "edges" => Some(Self::List),
            _ if [&b"digraph"[..], b"strict"].iter().any(|word| start.starts_with(word)) => Some(Self::Dot),
            _ => None,
        }
    }
}

/// Reads the graph in a file.
///
/// # Errors
/// All of [`DepError`] but [`DepError::Name`].
pub fn file(path: &Path, progress: OnProgress<'_>) -> Result<DepGraph, DepError> {
    let (path, source, total) = open(path).map_err(|source| GraphError::Io { file: path.to_owned(), source })?;
    from_reader(source, total, path, progress)
}

/// Reads the graph in `source`, `total` bytes long, which errors and the choice of the format call `path`.
///
/// # Errors
/// As [`file()`].
pub fn from_reader(source: impl Read, total: u64, path: &Path, progress: OnProgress<'_>) -> Result<DepGraph, DepError> {
    let io = |source| GraphError::Io { file: path.to_owned(), source };
    let (content, mut report) = unpacked(source, total, progress).map_err(io)?;
    let (start, content) = sniffed(content).map_err(io)?;
    let listed = match Format::of(path, &start) {
        Some(Format::List) => list::dependencies(&mut Text::new(content, path, &mut report))?,
        Some(Format::Dot) => dot::dependencies(&dot::text(content, path, &mut report)?, path)?,
        None => return Err(DepError::UnknownFormat { file: path.to_owned() }),
    };
    Ok(listed.build(path)?)
}
