//! Key files (workloads-IN3): a number per line, `#` and `%` for comments; or, in files named `.bin`, `.raw` or `.u32`,
//! little-endian words. Plain or gzip.

use super::{KeyError, MAX_ROWS};
use crate::graph::GraphError;
use crate::graph::read::{OnProgress, Text, open, sniffed, unpacked, unread};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

const COMMENTS: &[u8] = b"#%";

/// Keys between two looks at the memory that they take.
const STRETCH: usize = 1 << 20;

/// Whether so many keys may be held, and more may come.
type Room<'a> = &'a mut dyn FnMut(u64) -> Result<(), KeyError>;

/// The keys in a file, as listed.
pub fn file(path: &Path, progress: OnProgress<'_>, room: Room<'_>) -> Result<Vec<u32>, KeyError> {
    let io = |source| GraphError::Io { file: path.to_owned(), source };
    let (path, source, total) = open(path).map_err(io)?;
    let (content, mut report) = unpacked(source, total, progress).map_err(io)?;
    let keys = if is_binary(path) {
        words(content, path, &mut report, room)
    } else {
        lines(sniffed(content).map_err(|error| unread(path, 1, error))?.1, path, &mut report, room)
    }?;
    match keys.len() {
        0 => Err(KeyError::Count { file: path.to_owned(), found: "none" }),
        _ => Ok(keys),
    }
}

fn is_binary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".bin", ".raw", ".u32"].iter().any(|extension| name.ends_with(extension))
}

fn too_many(path: &Path) -> KeyError {
    KeyError::Count { file: path.to_owned(), found: "more" }
}

fn lines(
    content: impl Read,
    path: &Path,
    report: &mut dyn FnMut() -> ControlFlow<()>,
    room: Room<'_>,
) -> Result<Vec<u32>, KeyError> {
    let mut text = Text::new(content, path, report);
    let mut keys = Vec::new();
    while text.skip_comments(COMMENTS)? {
        if keys.len() == MAX_ROWS as usize {
            return Err(too_many(path));
        }
        if keys.len().is_multiple_of(STRETCH) {
            room(keys.len() as u64)?;
        }
        keys.push(text.number_within(0, u64::from(u32::MAX), "a key")? as u32);
        text.end_line()?;
    }
    Ok(keys)
}

fn words(
    mut content: impl Read,
    path: &Path,
    report: &mut dyn FnMut() -> ControlFlow<()>,
    room: Room<'_>,
) -> Result<Vec<u32>, KeyError> {
    let mut bytes = Vec::new();
    // A piece at a time: what a damaged file costs is its own length.
    while (&mut content).take(1 << 16).read_to_end(&mut bytes).map_err(|error| unread(path, 1, error))? > 0 {
        if report().is_break() {
            return Err(GraphError::Cancelled.into());
        }
        room(bytes.len() as u64 / 4)?;
        if bytes.len() as u64 > 4 * u64::from(MAX_ROWS) {
            return Err(too_many(path));
        }
    }
    let (keys, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(KeyError::Length { file: path.to_owned(), bytes: bytes.len() as u64 });
    }
    Ok(keys.iter().map(|&word| u32::from_le_bytes(word)).collect())
}
