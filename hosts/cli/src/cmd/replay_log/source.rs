//! The lines of a log, plain or gzip, one at a time: a log may be longer than memory. What is wrong is said as
//! `file:line: expected ..., found ...`.

use super::line::Wrong;
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Reading;
use anyhow::anyhow;
use flate2::bufread::MultiGzDecoder;
use gpusched_refgpu::graph::read::Progress;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _};
use std::path::Path;

/// A line is no longer than this, so that a file that is no log does not fill memory.
const LONGEST: u64 = 1 << 16;
/// Lines between two looks at the clock of the progress display and at Ctrl-C.
const PAUSE: u64 = 1 << 14;
/// Letters of a wrong word that an error repeats.
const QUOTED: usize = 60;

/// The lines of a file.
#[derive(Debug)]
pub struct Lines {
    name: String,
    content: Content,
    /// The file once more, which knows how much of it has been taken.
    position: File,
    total: u64,
    reading: Reading,
    number: u64,
    text: Vec<u8>,
    is_over: bool,
}

impl Lines {
    pub fn open(path: &Path, quiet: bool) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let open = || -> io::Result<Self> {
            let file = File::open(path)?;
            let (position, total) = (file.try_clone()?, file.metadata()?.len());
            let content = Content::of(file)?;
            let reading = Reading::new(path.display(), quiet);
            Ok(Self {
                name: name.clone(),
                content,
                position,
                total,
                reading,
                number: 0,
                text: Vec::new(),
                is_over: false,
            })
        };
        open().map_err(|error| anyhow!("{name}: {error}").into())
    }

    /// What errors call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of the line that was read last.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether there was no further line.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Goes to the next line. False: there is none.
    pub fn advance(&mut self) -> Result<bool, Failure> {
        self.text.clear();
        let taken = self.content.reader().take(LONGEST).read_until(b'\n', &mut self.text);
        let taken = taken.map_err(|error| anyhow!("{}: {error}", self.name))?;
        if self.number.is_multiple_of(PAUSE) {
            self.pause()?;
        }
        self.is_over = taken == 0;
        if self.is_over {
            return Ok(false);
        }
        self.number += 1;
        if self.text.pop() == Some(b'\n') {
            return Ok(true);
        }
        if taken as u64 == LONGEST {
            return Err(self.wrong(Wrong::new(format!("a line of less than {LONGEST} bytes"), "a longer one")));
        }
        Err(self.wrong(Wrong::new("a line feed", "the end of the file: the log is cut off here")))
    }

    /// The line.
    pub fn text(&self) -> Result<&str, Failure> {
        std::str::from_utf8(&self.text).map_err(|_| self.wrong(Wrong::new("text in UTF-8", "other bytes")))
    }

    /// That something else was expected in this line.
    pub fn wrong(&self, wrong: Wrong) -> Failure {
        let Wrong(expected, found) = wrong;
        anyhow!("{}:{}: expected {expected}, found {found}", self.name, self.number.max(1)).into()
    }

    fn pause(&mut self) -> Result<(), Failure> {
        // A pipe has no position, and no length to compare it with.
        if let Ok(read) = self.position.stream_position() {
            self.reading.update(Progress { read, total: self.total });
        }
        if interrupt::requested() { Err(Failure::Interrupted) } else { Ok(()) }
    }
}

/// A word of a line, in an error.
pub fn quoted(word: &str) -> String {
    let mut letters = word.chars();
    let start: String = letters.by_ref().take(QUOTED).flat_map(char::escape_debug).collect();
    let more = if letters.next().is_some() { "..." } else { "" };
    format!("`{start}{more}`")
}

/// What a file holds.
#[derive(Debug)]
enum Content {
    Plain(BufReader<File>),
    Packed(Box<BufReader<MultiGzDecoder<BufReader<File>>>>),
}

impl Content {
    fn of(file: File) -> io::Result<Self> {
        let mut plain = BufReader::with_capacity(1 << 16, file);
        if !plain.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
            return Ok(Self::Plain(plain));
        }
        Ok(Self::Packed(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(plain)))))
    }

    fn reader(&mut self) -> &mut dyn BufRead {
        match self {
            Self::Plain(reader) => reader,
            Self::Packed(reader) => &mut **reader,
        }
    }
}
