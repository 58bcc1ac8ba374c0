//! Graph files: METIS, DIMACS, Matrix Market and edge lists, plain or gzip (`workloads` 2.4).
//!
//! Files are read in one pass, as bytes, into an [`EdgeList`]; nothing is sized by what a header claims, so a damaged or
//! hostile file costs no more memory than its own length justifies. What is wrong is said as
//! `file:line: expected ..., found ...` (W11). One file per format; `text.rs` is the tokenizer they share.
//!
//! The weight of an edge is a whole number, 1 to 2^32-2. Real-valued matrix entries are checked but are no weights.

mod dimacs;
mod list;
mod matrix_market;
mod metis;
mod text;

use super::{Csr, EdgeList, GraphError};
use flate2::bufread::MultiGzDecoder;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;
pub(crate) use text::Text;

/// How much of a file has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken from the file, compressed if it is.
    pub read: u64,
    /// Bytes in the file, as it lies there.
    pub total: u64,
}

/// Told now and then how far reading has come; answers whether to go on.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// The formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// METIS and DIMACS-10: a header, then one line of neighbours per vertex.
    Metis,
    /// DIMACS-9 shortest paths (`.gr`) and DIMACS colouring (`.col`): tagged lines.
    Dimacs,
    /// Matrix Market coordinate.
    MatrixMarket,
    /// Two vertices and perhaps a weight per line; blanks or a comma between them.
    EdgeList,
}

impl Format {
    /// By the first bytes where they are unmistakable, else by the name.
    fn of(name: &Path, start: &[u8]) -> Option<Self> {
        if start.starts_with(b"%%MatrixMarket") {
            return Some(Self::MatrixMarket);
        }
        let name = name.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "graph" | "metis" => Some(Self::Metis),
            "gr" | "col" => Some(Self::Dimacs),
            "mtx" | "mm" => Some(Self::MatrixMarket),
            "txt" | "csv" | "tsv" | "el" | "wel" | "edges" => Some(Self::EdgeList),
            _ if start.starts_with(b"c ") || start.starts_with(b"p ") => Some(Self::Dimacs),
            _ => None,
        }
    }
}

/// Reads the graph in a file.
///
/// # Errors
/// All of [`GraphError`] but [`GraphError::Name`].
pub fn file(path: &Path, progress: OnProgress<'_>) -> Result<Csr, GraphError> {
    let io = |source| GraphError::Io { file: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    let total = file.metadata().map_err(io)?.len();
    from_reader(file, total, path, progress)
}

/// Reads the graph in `source`, `total` bytes long, which errors and the choice of the format call `path`.
///
/// # Errors
/// As [`file()`].
pub fn from_reader(source: impl Read, total: u64, path: &Path, progress: OnProgress<'_>) -> Result<Csr, GraphError> {
    let io = |source| GraphError::Io { file: path.to_owned(), source };
    let (mut content, mut report) = unpacked(source, total, progress).map_err(io)?;
    let mut start = [0; 64];
    let sniffed = fill(&mut *content, &mut start).map_err(io)?;
    let start = &start[..sniffed];
    let format = Format::of(path, start).ok_or_else(|| GraphError::UnknownFormat { file: path.to_owned() })?;
    let mut text = Text::new(start.chain(content), path, &mut report);
    let edges = match format {
        Format::Metis => metis::edges(&mut text),
        Format::Dimacs => dimacs::edges(&mut text),
        Format::MatrixMarket => matrix_market::edges(&mut text),
        Format::EdgeList => list::edges(&mut text),
    }?;
    check_sparsity(&edges, &text)?;
    Csr::from_edges(edges).map_err(|error| match error {
        GraphError::Empty => text.wrong("an edge between two different vertices", "none"),
        other => other,
    })
}

/// The content of `source`, unpacked if it is gzip, and what reports how much of its `total` bytes has been read.
pub(crate) fn unpacked<'a>(
    source: impl Read + 'a,
    total: u64,
    progress: OnProgress<'a>,
) -> io::Result<(Box<dyn Read + 'a>, impl FnMut() -> ControlFlow<()> + 'a)> {
    let read = Rc::new(Cell::new(0));
    let mut bytes = BufReader::with_capacity(1 << 16, Counted { source, read: Rc::clone(&read) });
    let content: Box<dyn Read + 'a> = if bytes.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        Box::new(MultiGzDecoder::new(bytes))
    } else {
        Box::new(bytes)
    };
    Ok((content, move || progress(Progress { read: read.get(), total })))
}

/// Refuses graphs that are nearly all isolated vertices: their size is a number in the text, not backed by any data.
fn check_sparsity<R: Read>(edges: &EdgeList, text: &Text<'_, R>) -> Result<(), GraphError> {
    let most = (1 << 24).max(16 * edges.ends().len() as u64);
    if u64::from(edges.vertices()) > most {
        return Err(
            text.wrong(format_args!("at most {most} vertices for {} edges", edges.ends().len()), edges.vertices())
        );
    }
    Ok(())
}

/// Reads until `buffer` is full or the data ends.
pub(crate) fn fill(source: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Counts the bytes that are taken from a source.
struct Counted<R> {
    source: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
