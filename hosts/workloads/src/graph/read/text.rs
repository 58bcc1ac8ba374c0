//! The tokenizer of all formats: numbers and words out of a stream of bytes, with the line they stand on.
//!
//! A window of the stream is held, never a line, so lines may be of any length. Blanks are spaces, tabs and carriage
//! returns; the line feed is a token of its own.

use crate::graph::{GraphError, MAX_EDGES};
use std::fmt::Display;
use std::io::{ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// Bytes held at a time.
const WINDOW: usize = 1 << 16;
/// Longest word of any format. Longer ones are cut in messages and rejected elsewhere.
const WORD: usize = 64;
/// Greatest number of vertices, so that vertex numbers fit with room for a mark.
const MAX_VERTICES: u64 = u32::MAX as u64 - 1;

/// A text being read.
pub struct Text<'a, R> {
    source: R,
    path: &'a Path,
    report: &'a mut dyn FnMut() -> ControlFlow<()>,
    window: Box<[u8]>,
    next: usize,
    end: usize,
    line: u64,
}

impl<'a, R: Read> Text<'a, R> {
    /// A text from `source`, called `path` in errors. `report` is asked once per window.
    pub fn new(source: R, path: &'a Path, report: &'a mut dyn FnMut() -> ControlFlow<()>) -> Self {
        Self { source, path, report, window: vec![0; WINDOW].into_boxed_slice(), next: 0, end: 0, line: 1 }
    }

    /// The line that is being read, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The error "expected, found" on the current line.
    pub fn wrong(&self, expected: impl Display, found: impl Display) -> GraphError {
        GraphError::Syntax {
            file: self.path.to_owned(),
            line: self.line,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }

    /// The next byte, not consumed. `None` at the end.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, GraphError> {
        if self.next == self.end {
            self.refill()?;
        }
        Ok(if self.next < self.end { Some(self.window[self.next]) } else { None })
    }

    #[cold]
    fn refill(&mut self) -> Result<(), GraphError> {
        if (self.report)().is_break() {
            return Err(GraphError::Cancelled);
        }
        self.next = 0;
        self.end = 0;
        loop {
            match self.source.read(&mut self.window) {
                Ok(count) => {
                    self.end = count;
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(super::unread(self.path, self.line, error)),
            }
        }
    }

    fn consume(&mut self, byte: u8) {
        self.next += 1;
        self.line += u64::from(byte == b'\n');
    }

    /// Skips blanks, then gives the byte that follows them, not consumed.
    pub fn peek_word(&mut self) -> Result<Option<u8>, GraphError> {
        while let Some(byte) = self.peek()? {
            if !matches!(byte, b' ' | b'\t' | b'\r') {
                return Ok(Some(byte));
            }
            self.next += 1;
        }
        Ok(None)
    }

    /// Whether the line, or the text, ends here but for blanks. Nothing is consumed beyond those.
    pub fn at_line_end(&mut self) -> Result<bool, GraphError> {
        Ok(matches!(self.peek_word()?, None | Some(b'\n')))
    }

    /// Skips the rest of the line, its end included.
    pub fn skip_line(&mut self) -> Result<(), GraphError> {
        while let Some(byte) = self.peek()? {
            self.consume(byte);
            if byte == b'\n' {
                break;
            }
        }
        Ok(())
    }

    /// Ends the line, on which nothing may be left.
    pub fn end_line(&mut self) -> Result<(), GraphError> {
        match self.peek_word()? {
            None => Ok(()),
            Some(b'\n') => {
                self.consume(b'\n');
                Ok(())
            }
            Some(_) => Err(self.unexpected("the end of the line")),
        }
    }

    /// Skips empty lines and lines that begin with one of `marks`; then tells whether there is anything left.
    pub fn skip_comments(&mut self, marks: &[u8]) -> Result<bool, GraphError> {
        while let Some(byte) = self.peek_word()? {
            if byte == b'\n' || marks.contains(&byte) {
                self.skip_line()?;
            } else {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Skips comments and the line after them if it holds column titles: if it begins with a letter or a quotation mark.
    pub fn skip_titles(&mut self, marks: &[u8]) -> Result<(), GraphError> {
        self.skip_comments(marks)?;
        if self.peek_word()?.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'"') {
            self.skip_line()?;
        }
        Ok(())
    }

    /// Ends the text: only empty lines and comments may be left.
    pub fn end_text(&mut self, marks: &[u8]) -> Result<(), GraphError> {
        if self.skip_comments(marks)? {
            return Err(self.unexpected("the end of the file"));
        }
        Ok(())
    }

    /// The next word on this line, `None` if there is none. Bytes that are not ASCII come out escaped.
    pub fn word(&mut self) -> Result<Option<String>, GraphError> {
        let mut word = [0; WORD];
        let Some(length) = self.bytes(&mut word)? else { return Ok(None) };
        let more = if length > WORD { "..." } else { "" };
        Ok(Some(format!("{}{more}", word[..length.min(WORD)].escape_ascii())))
    }

    /// Puts the next word on this line into `word`, as far as it fits, and gives its length; `None` if there is none. Of one that does
    /// not fit, the first byte too many is passed, too.
    fn bytes(&mut self, word: &mut [u8; WORD]) -> Result<Option<usize>, GraphError> {
        if self.at_line_end()? {
            return Ok(None);
        }
        let mut length = 0;
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || byte == b',' && length > 0 {
                break;
            }
            self.next += 1;
            length += 1;
            match word.get_mut(length - 1) {
                Some(place) => *place = byte,
                None => break,
            }
        }
        Ok(Some(length))
    }

    /// Passes the one-letter word that begins the line, which the caller has peeked at. `expected` is the whole line.
    pub fn tag(&mut self, expected: &str) -> Result<(), GraphError> {
        self.next += 1;
        match self.peek()? {
            Some(b' ' | b'\t') => Ok(()),
            _ => Err(self.unexpected(format_args!("{expected}, with blanks"))),
        }
    }

    /// Passes what stands between two columns: blanks, and a comma among them if there is one.
    pub fn separator(&mut self) -> Result<(), GraphError> {
        if self.peek_word()? == Some(b',') {
            self.next += 1;
        }
        Ok(())
    }

    /// The error that names what stands here instead of `expected`.
    #[cold]
    pub fn unexpected(&mut self, expected: impl Display) -> GraphError {
        let line = self.line;
        let found = match (self.peek_word(), self.word()) {
            (Err(error), _) | (_, Err(error)) => return error,
            (Ok(None), _) => "the end of the file".to_owned(),
            (_, Ok(None)) => "the end of the line".to_owned(),
            (_, Ok(Some(word))) => format!("`{word}`"),
        };
        debug_assert_eq!(line, self.line, "a word stays on its line");
        self.wrong(expected, found)
    }

    /// The whole number that stands here, up to 2^64-1, with a blank, a comma or the line's end after it.
    pub fn number(&mut self, expected: &str) -> Result<u64, GraphError> {
        self.number_within(0, u64::MAX, expected)
    }

    /// A whole number in `least..=most`.
    pub fn number_within(&mut self, least: u64, most: u64, expected: &str) -> Result<u64, GraphError> {
        if !self.peek_word()?.is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected(expected));
        }
        let mut value = Some(0_u64);
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_digit() {
                value = value
                    .and_then(|value| value.checked_mul(10))
                    .and_then(|value| value.checked_add(u64::from(byte - b'0')));
                self.next += 1;
            } else if byte.is_ascii_whitespace() || byte == b',' {
                break;
            } else {
                return Err(self.unexpected(format_args!("{expected}, then a blank")));
            }
        }
        match value {
            Some(value) if (least..=most).contains(&value) => Ok(value),
            Some(value) => Err(self.wrong(format_args!("{expected} in {least}..={most}"), value)),
            None => Err(self.wrong(format_args!("{expected} in {least}..={most}"), "a number over 2^64")),
        }
    }

    /// A finite real number.
    pub fn real(&mut self, expected: &str) -> Result<f64, GraphError> {
        let mut word = [0; WORD];
        let Some(length) = self.bytes(&mut word)? else { return Err(self.unexpected(expected)) };
        let known = word.get(..length).and_then(|word| str::from_utf8(word).ok()?.parse().ok());
        known.filter(|value| f64::is_finite(*value)).ok_or_else(|| {
            let word = word[..length.min(WORD)].escape_ascii();
            self.wrong(format_args!("{expected}, a finite number"), format_args!("`{word}`"))
        })
    }

    /// A number of vertices in a header.
    pub fn vertices(&mut self) -> Result<u32, GraphError> {
        Ok(self.number_within(1, MAX_VERTICES, "a number of vertices")? as u32)
    }

    /// A number of edges, arcs or entries in a header: within the limit, before any is read.
    pub fn edge_count(&mut self) -> Result<u64, GraphError> {
        self.number_within(0, MAX_EDGES, "a number of edges")
    }

    /// A vertex counted from 1, given back counted from 0.
    pub fn vertex_of(&mut self, vertices: u32) -> Result<u32, GraphError> {
        Ok(self.number_within(1, u64::from(vertices), "a vertex")? as u32 - 1)
    }

    /// A vertex counted from 0 of a graph whose size is not known yet.
    pub fn vertex(&mut self) -> Result<u32, GraphError> {
        Ok(self.number_within(0, MAX_VERTICES - 1, "a vertex")? as u32)
    }
}
