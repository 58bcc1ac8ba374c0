//! Graph files: METIS, DIMACS, Matrix Market and edge lists, plain or gzip (workloads-IN3).
//!
//! Files are read in one pass, as bytes, into an [`EdgeList`](super::EdgeList); nothing is sized by what a header claims, so a damaged or
//! hostile file costs no more memory than its own length justifies. What is wrong is said as
//! `file:line: expected ..., found ...` (workloads-W11). One file per format; `text.rs` is the tokenizer they share.
//!
//! A weight is any finite number where weights are not wanted. Where they are, it is a whole number, 1 to 2^32-2, or becomes one by a
//! scale that was asked for ([`Weights`], workloads-IN5); it is refused with its line if not. `edges.rs` is where readers put what they find.

mod dimacs;
mod edges;
mod list;
mod matrix_market;
mod metis;
mod text;

use super::{Csr, GraphError};
use edges::Edges;
use flate2::bufread::MultiGzDecoder;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read};
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

/// What is wanted of a graph. By default: weights as they stand, directions as they stand, whatever memory it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// What becomes of weights that stand in a file.
    pub weights: Weights,
    /// Whether edges that go one way are made to go both.
    pub undirected: bool,
    /// How a file is written; `None`: its first bytes or its name tell.
    pub format: Option<Format>,
    /// Most bytes that may be in use while the graph is built.
    pub memory: u64,
}

/// What becomes of weights that stand in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weights {
    /// Nobody looks at them: they may be any finite numbers.
    Ignored,
    /// They are whole numbers, 1 to 2^32-2.
    Whole,
    /// They are that when they have been multiplied by this, and rounded to the nearest.
    Times(f64),
}

impl Default for Wanted {
    fn default() -> Self {
        Self { weights: Weights::Whole, undirected: false, format: None, memory: u64::MAX }
    }
}

impl Wanted {
    /// Whether a graph of this size may be built.
    pub(super) fn check_memory(
        &self,
        vertices: u64,
        edges: u64,
        weighted: bool,
        directed: bool,
    ) -> Result<(), GraphError> {
        let (needs, limit) = (Csr::bytes_to_build(vertices, edges, weighted, directed), self.memory);
        if needs > limit { Err(GraphError::Memory { vertices, edges, needs, limit }) } else { Ok(()) }
    }
}

/// A graph that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct FromFile {
    /// The graph.
    pub csr: Csr,
    /// Whether its edges went one way and were made to go both.
    pub made_undirected: bool,
    /// Least and greatest weight as they stand in the file, wanted or not.
    pub weights: Option<[f64; 2]>,
}

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";
/// What errors call it.
const UNNAMED: &str = "standard input";

/// A file, or standard input: what errors call it, its bytes, and how many there are, if that is known.
pub(crate) fn open(path: &Path) -> io::Result<(&Path, Box<dyn Read>, u64)> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok((Path::new(UNNAMED), Box::new(io::stdin()), 0));
    }
    let file = File::open(path)?;
    let total = file.metadata()?.len();
    Ok((path, Box::new(file), total))
}

impl Format {
    /// By the first bytes where they are unmistakable, else by the name; of what comes by standard input a list.
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
            _ => (name == UNNAMED).then_some(Self::EdgeList),
        }
    }
}

/// Reads the graph in a file, or of standard input if `path` is [`STANDARD_INPUT`].
///
/// # Errors
/// All of [`GraphError`] but [`GraphError::Name`].
pub fn file(path: &Path, wanted: &Wanted, progress: OnProgress<'_>) -> Result<FromFile, GraphError> {
    let (path, source, total) = open(path).map_err(|source| GraphError::Io { file: path.to_owned(), source })?;
    from_reader(source, total, path, wanted, progress)
}

/// Reads the graph in `source`, `total` bytes long, which errors and the choice of the format call `path`.
///
/// # Errors
/// As [`file()`].
pub fn from_reader(
    source: impl Read,
    total: u64,
    path: &Path,
    wanted: &Wanted,
    progress: OnProgress<'_>,
) -> Result<FromFile, GraphError> {
    let io = |source| GraphError::Io { file: path.to_owned(), source };
    let (content, mut report) = unpacked(source, total, progress).map_err(io)?;
    let (start, content) = sniffed(content).map_err(|error| unread(path, 1, error))?;
    let format = wanted.format.or_else(|| Format::of(path, &start));
    let format = format.ok_or_else(|| GraphError::UnknownFormat { file: path.to_owned() })?;
    let mut text = Text::new(content, path, &mut report);
    let edges = match format {
        Format::Metis => metis::edges(&mut text, wanted),
        Format::Dimacs => dimacs::edges(&mut text, wanted),
        Format::MatrixMarket => matrix_market::edges(&mut text, wanted),
        Format::EdgeList => list::edges(&mut text, wanted),
    }?;
    check_sparsity(&edges, &text)?;
    edges.build().map_err(|error| match error {
        GraphError::Empty => text.wrong("an edge", "none"),
        other => other,
    })
}

/// The bytes with which gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The content of `source`, unpacked if it is gzip, and what reports how much of its `total` bytes has been read.
pub(crate) fn unpacked<'a>(
    source: impl Read + 'a,
    total: u64,
    progress: OnProgress<'a>,
) -> io::Result<(Box<dyn Read + 'a>, impl FnMut() -> ControlFlow<()> + 'a)> {
    let read = Rc::new(Cell::new(0));
    let mut bytes = BufReader::with_capacity(1 << 16, Counted { source, read: Rc::clone(&read) });
    // A pipe may give them one by one.
    let mut start = [0; GZIP.len()];
    let filled = fill(&mut bytes, &mut start)?;
    let is_gzip = start[..filled] == GZIP;
    let bytes = io::Cursor::new(start).take(filled as u64).chain(bytes);
    let content: Box<dyn Read + 'a> = if is_gzip { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    Ok((content, move || progress(Progress { read: read.get(), total })))
}

/// What is wrong where `path` cannot be read on, in this line.
pub(crate) fn unread(path: &Path, line: u64, error: io::Error) -> GraphError {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match error.kind() {
        InvalidData | InvalidInput | UnexpectedEof => GraphError::Syntax {
            file: path.to_owned(),
            line,
            expected: "an intact gzip stream".to_owned(),
            found: error.to_string(),
        },
        _ => GraphError::Io { file: path.to_owned(), source: error },
    }
}

/// Refuses graphs that are nearly all isolated vertices: their size is a number in the text, not backed by any data.
fn check_sparsity<R: Read>(edges: &Edges<'_>, text: &Text<'_, R>) -> Result<(), GraphError> {
    let most = (1 << 24).max(16 * edges.len());
    if u64::from(edges.vertices()) > most {
        return Err(text.wrong(format_args!("at most {most} vertices for {} edges", edges.len()), edges.vertices()));
    }
    Ok(())
}

/// The first bytes of a text, and all of it. A byte-order mark is passed over.
pub(crate) fn sniffed<'a>(mut content: Box<dyn Read + 'a>) -> io::Result<(Vec<u8>, impl Read + 'a)> {
    let mut start = vec![0; 64];
    let filled = fill(&mut *content, &mut start)?;
    start.truncate(filled);
    if start.starts_with(BYTE_ORDER_MARK) {
        start.drain(..BYTE_ORDER_MARK.len());
    }
    Ok((start.clone(), io::Cursor::new(start).chain(content)))
}

/// What some programs begin a text in UTF-8 with.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads until `buffer` is full or the data ends.
fn fill(source: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
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
