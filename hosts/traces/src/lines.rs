//! The lines of a file that may be packed, one at a time.

use crate::error::{TraceError, Wrong};
use crate::tracez::{self, Tracez};
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::StreamingDecoder;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// A line is no longer than this, so that a file that is no trace does not fill memory. The longest real ones, 32 addresses and the values
/// of as many lanes in four registers, have 4 KiB.
const LONGEST: u64 = 1 << 16;
const BUFFER: usize = 1 << 16;
/// Most memory that unpacking xz may take, in KiB: four times what its strongest setting needs. Of zstd the decoder has a limit of its own.
const MOST_MEMORY: u32 = 256 << 10;

/// What files begin with that are packed this way.
const GZIP: &[u8] = &[0x1f, 0x8b];
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

pub(crate) struct Lines<'a> {
    file: String,
    content: Box<dyn BufRead + 'a>,
    number: u64,
    text: String,
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("file", &self.file).field("number", &self.number).finish_non_exhaustive()
    }
}

impl Lines<'static> {
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let file = path.display().to_string();
        let opened = if path.extension().is_some_and(|extension| extension == tracez::EXTENSION) {
            Tracez::open(path).map(|text| -> Box<dyn Read> { Box::new(text) })
        } else {
            File::open(path).map(|file| -> Box<dyn Read> { Box::new(file) })
        };
        let source = opened.map_err(|source| TraceError::File { file: file.clone(), source })?;
        Self::read(file, source)
    }
}

impl<'a> Lines<'a> {
    pub fn read(file: impl Into<String>, source: impl Read + 'a) -> Result<Self, TraceError> {
        let file = file.into();
        match unpacked(source) {
            Ok(content) => Ok(Self { file, content, number: 0, text: String::new() }),
            Err(source) => Err(TraceError::File { file, source }),
        }
    }

    /// The next line that is not blank, without blanks around it; none at the end.
    pub fn advance(&mut self) -> Result<Option<&str>, TraceError> {
        loop {
            let mut bytes = std::mem::take(&mut self.text).into_bytes();
            bytes.clear();
            let taken = (&mut self.content).take(LONGEST).read_until(b'\n', &mut bytes);
            let taken = taken.map_err(|source| TraceError::File { file: self.file.clone(), source })?;
            if taken == 0 {
                return Ok(None);
            }
            self.number += 1;
            if taken as u64 == LONGEST && bytes.last() != Some(&b'\n') {
                return Err(self.wrong(Wrong::new(format!("a line of less than {LONGEST} bytes"), "a longer one")));
            }
            self.text = String::from_utf8(bytes).map_err(|_| self.wrong(Wrong::new("text", "other bytes")))?;
            if !self.text().is_empty() {
                return Ok(Some(self.text.trim_ascii()));
            }
        }
    }

    /// The line that was read last.
    pub fn text(&self) -> &str {
        self.text.trim_ascii()
    }

    /// The error that this line is wrong.
    pub fn wrong(&self, Wrong { expected, found }: Wrong) -> TraceError {
        TraceError::Line { file: self.file.clone(), line: self.number.max(1), expected, found }
    }
}

fn unpacked<'a>(source: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut plain = BufReader::with_capacity(BUFFER, source);
    let start = plain.fill_buf()?;
    let starts = |with: &[u8]| start.starts_with(with);
    Ok(if starts(GZIP) {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(plain)))
    } else if starts(XZ) {
        Box::new(BufReader::with_capacity(BUFFER, XzReader::new_mem_limit(plain, true, MOST_MEMORY)))
    } else if starts(ZSTD) {
        Box::new(BufReader::with_capacity(BUFFER, StreamingDecoder::new(plain).map_err(io::Error::other)?))
    } else {
        Box::new(plain)
    })
}
