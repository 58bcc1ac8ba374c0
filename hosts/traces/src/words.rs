//! The words of a line, taken one behind the other.

use crate::error::Wrong;
use std::str::FromStr;

/// Letters of a wrong word that an error repeats.
const QUOTED: usize = 40;

/// A word as errors show it.
pub(crate) fn quoted(word: &str) -> String {
    let mut letters = word.chars();
    let start: String = letters.by_ref().take(QUOTED).flat_map(char::escape_debug).collect();
    let more = if letters.next().is_some() { "..." } else { "" };
    format!("`{start}{more}`")
}

/// A whole number in decimal.
pub(crate) fn decimal<T: FromStr>(word: &str, what: &str) -> Result<T, Wrong> {
    word.parse().map_err(|_| Wrong::new(what, quoted(word)))
}

/// A number in hexadecimal, with or without 0x.
pub(crate) fn hex(word: &str, what: &str) -> Result<u64, Wrong> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word);
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
    number.ok_or_else(|| Wrong::new(what, quoted(word)))
}

/// Three numbers by commas, with or without brackets.
pub(crate) fn triple(text: &str, what: &str) -> Result<[u32; 3], Wrong> {
    let wrong = || Wrong::new(what, quoted(text));
    let inside = text.strip_prefix('(').map_or(Some(text), |rest| rest.strip_suffix(')')).ok_or_else(wrong)?;
    let mut numbers = inside.split(',').map(|word| word.trim().parse().ok());
    let triple = [numbers.next(), numbers.next(), numbers.next()].map(Option::flatten);
    match (triple, numbers.next()) {
        ([Some(x), Some(y), Some(z)], None) => Ok([x, y, z]),
        _ => Err(wrong()),
    }
}

/// What is left of the line.
pub(crate) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    pub fn of(line: &'a str) -> Self {
        Self(line.trim_ascii_start())
    }

    /// The next word.
    pub fn next(&mut self, what: &str) -> Result<&'a str, Wrong> {
        if self.0.is_empty() {
            return Err(Wrong::new(what, "the end of the line"));
        }
        let end = self.0.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest.trim_ascii_start();
        Ok(word)
    }

    /// The next word, a number in decimal.
    pub fn decimal<T: FromStr>(&mut self, what: &str) -> Result<T, Wrong> {
        decimal(self.next(what)?, what)
    }

    /// The next word, a number in hexadecimal.
    pub fn hex(&mut self, what: &str) -> Result<u64, Wrong> {
        hex(self.next(what)?, what)
    }

    /// That no word is left.
    pub fn end(mut self) -> Result<(), Wrong> {
        self.next("").map_or(Ok(()), |word| Err(Wrong::new("the end of the line", quoted(word))))
    }
}
