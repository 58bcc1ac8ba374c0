//! The lines of a log, plain or gzip, one at a time: a log may be longer than memory. What is wrong is said as
//! `file:line: expected ..., found ...`.

use super::line::{END, Wrong, whole};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Reading;
use anyhow::anyhow;
use flate2::bufread::MultiGzDecoder;
use gpusched_workloads::graph::read::{BYTE_ORDER_MARK, Progress, STANDARD_INPUT};
use gpusched_workloads::graph::{FNV1A_OF_NOTHING, fnv1a_onward};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek as _};
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
    /// The file once more, which knows how much of it has been taken; none if it is standard input.
    position: Option<File>,
    total: u64,
    reading: Reading,
    number: u64,
    text: Vec<u8>,
    /// FNV-1a 64 over the lines before this one, and over it, too.
    before: u64,
    checksum: u64,
    is_over: bool,
    /// Whether the last line was the one that ends a log.
    is_ended: bool,
    /// Why there is no further line, if the file does not end with a line.
    cut: Option<&'static str>,
}

impl Lines {
    pub fn open(path: &Path, quiet: bool) -> Result<Self, Failure> {
        let is_input = path.as_os_str() == STANDARD_INPUT;
        let name = if is_input { "standard input".to_owned() } else { path.display().to_string() };
        let open = || -> io::Result<Self> {
            let (source, position, total): (Box<dyn Read>, _, _) = if is_input {
                (Box::new(io::stdin()), None, 0)
            } else {
                let file = File::open(path)?;
                let total = file.metadata()?.len();
                (Box::new(file.try_clone()?), Some(file), total)
            };
            let content = Content::of(source)?;
            let reading = Reading::new(path.display(), quiet);
            Ok(Self {
                name: name.clone(),
                content,
                position,
                total,
                reading,
                number: 0,
                text: Vec::new(),
                before: FNV1A_OF_NOTHING,
                checksum: FNV1A_OF_NOTHING,
                is_over: false,
                is_ended: false,
                cut: None,
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

    /// Whether the log has its end.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Why there is no further line, if the file does not end with a line.
    pub fn cut(&self) -> Option<&'static str> {
        self.cut
    }

    /// The line says that the log ends here, behind so many `events`: whether it is right.
    pub fn end(&mut self, value: &str, events: u64) -> Result<(), Wrong> {
        let wrong = || Wrong::new(format!("`! {END} EVENTS CHECKSUM`"), quoted(value));
        let (count, sum) = value.split_once(' ').ok_or_else(wrong)?;
        let count = whole(count, "EVENTS")?;
        let sum = u64::from_str_radix(sum, 16).ok().filter(|_| sum.len() == 16).ok_or_else(wrong)?;
        if count != events {
            let found = format!("{events}: lines are missing, or too many");
            return Err(Wrong::new(format!("{count} events, as the end of the log says"), found));
        }
        if sum != self.before {
            let expected = format!("lines with checksum {sum:016x}, as the end of the log says");
            return Err(Wrong::new(expected, format!("{:016x}: they are others than were written", self.before)));
        }
        self.is_ended = true;
        Ok(())
    }

    /// Goes to the next line. False: there is none.
    pub fn advance(&mut self) -> Result<bool, Failure> {
        self.text.clear();
        let taken = match self.content.reader().take(LONGEST).read_until(b'\n', &mut self.text) {
            Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::InvalidInput) => {
                (self.is_over, self.cut) = (true, Some("the gzip stream is damaged or cut off"));
                return Ok(false);
            }
            taken => taken.map_err(|error| anyhow!("{}: {error}", self.name))?,
        };
        if self.number.is_multiple_of(PAUSE) {
            self.pause()?;
        }
        self.is_over = taken == 0;
        if self.is_over {
            return Ok(false);
        }
        self.number += 1;
        // Whoever put a mark there, it was not the writer of the log.
        if self.number == 1 && self.text.starts_with(BYTE_ORDER_MARK) {
            self.text.drain(..BYTE_ORDER_MARK.len());
        }
        self.before = self.checksum;
        self.checksum = fnv1a_onward(self.before, self.text.iter().copied());
        if self.text.pop() == Some(b'\n') {
            return Ok(true);
        }
        if taken as u64 == LONGEST {
            return Err(self.wrong(Wrong::new(format!("a line of less than {LONGEST} bytes"), "a longer one")));
        }
        (self.is_over, self.cut) = (true, Some("the last line has no end"));
        Ok(false)
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
        if let Some(Ok(read)) = self.position.as_mut().map(|file| file.stream_position()) {
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

/// What a file holds, unpacked.
struct Content(Box<dyn BufRead>);

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Content")
    }
}

impl Content {
    fn of(source: Box<dyn Read>) -> io::Result<Self> {
        let mut plain = BufReader::with_capacity(1 << 16, source);
        if !plain.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
            return Ok(Self(Box::new(plain)));
        }
        Ok(Self(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(plain)))))
    }

    fn reader(&mut self) -> &mut dyn BufRead {
        &mut *self.0
    }
}
