//! Streams of text and the patterns that are looked for in them, seeded, exact to the draw (workloads-RX1, workloads-RX2).

use super::patterns::{self, Pattern};
use crate::generated::{sizes_and_seed, within};
use crate::graph::SplitMix64;
use std::fmt;
use std::str::FromStr;

/// Most streams.
pub const MAX_STREAMS: u32 = 1 << 20;
/// Most bytes of text.
pub const MAX_BYTES: u32 = 1 << 28;

/// Words of packets: of the web, mail, files and logins, without case. The first [`SIGNATURES`] are also patterns.
#[rustfmt::skip]
const WORDS: [&str; 64] = [
    "http/1.0", "host:", "accept:", "cookie:", "referer:", "user-agent:", "content-type:", "content-length:",
    "connection:", "keep-alive", "text/html", "image/gif", "index.html", "cgi-bin", "mozilla", "user", "pass",
    "anonymous", "login", "password", "welcome", "incorrect", "post", "head", "get", "port", "list", "retr", "stor",
    "type", "quit", "transfer", "complete", "binary", "data", "helo", "mail", "from:", "rcpt", "to:", "subject:",
    "received:", "date:", "message", "sender", "ok", "root", "guest", "admin", "telnet", "finger", "shell", "exec",
    "etc/passwd", "bin/sh", "usr/local", "home", "server", "client", "error", "denied", "request", "reply",
    "timeout",
];
/// Words that are looked for: a pattern in four.
const SIGNATURES: usize = 24;

/// What streams are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Random letters, so many bytes each.
    Strings {
        /// Bytes of each.
        len: u32,
    },
    /// Packets of words, of three lengths.
    Packets {
        /// Bytes of the longest; the others are shorter in proportion.
        longest: u32,
    },
}

/// A generator of streams with its parameters. Parses from `string:128,128` or `packets:32,1460`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamSource {
    /// What they are made of.
    pub kind: Kind,
    /// How many.
    pub count: u32,
    /// Seed of patterns and text.
    pub seed: u64,
}

/// The name of streams names nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("streams `{given}`: {reason}")]
pub struct StreamError {
    given: String,
    reason: String,
}

/// Patterns, and streams in which they are looked for.
#[derive(Clone, Debug)]
pub struct Streams {
    /// What made them.
    pub source: StreamSource,
    pub(super) patterns: Vec<Pattern>,
    /// All streams one after the other.
    pub(super) text: Vec<u8>,
    /// Where each starts; and, at the end, how many bytes there are.
    pub(super) start: Vec<u32>,
}

impl StreamSource {
    /// The forms that [`FromStr`] takes, for help texts.
    pub const FORMS: &str = "string[:N[,LENGTH]] or packets[:N[,LONGEST]], each also with ,seed=N";

    /// Patterns and text.
    #[must_use]
    pub fn streams(&self) -> Streams {
        let mut random = SplitMix64::new(self.seed);
        let words = if matches!(self.kind, Kind::Packets { .. }) { &WORDS[..SIGNATURES] } else { &[] };
        let patterns = patterns::draw(&mut random, words);
        let (mut text, mut start) = (Vec::new(), vec![0]);
        for _ in 0..self.count {
            match self.kind {
                Kind::Strings { len } => text.extend((0..len).map(|_| b'a' + random.below(26) as u8)),
                Kind::Packets { longest } => packet(&mut random, longest, &mut text),
            }
            start.push(text.len() as u32);
        }
        Streams { source: *self, patterns, text, start }
    }

    /// The most bytes that the streams can have.
    fn most_bytes(&self) -> u64 {
        let (Kind::Strings { len: each } | Kind::Packets { longest: each }) = self.kind;
        u64::from(self.count) * u64::from(each)
    }
}

/// Bytes of the longest packet: what a frame of Ethernet leaves to TCP.
const LONGEST: u32 = 1460;

/// A packet: its length, then its words, of which the last is cut.
fn packet(random: &mut SplitMix64, longest: u32, text: &mut Vec<u8>) {
    let usual = match random.below(10) {
        0..5 => 64,
        5..8 => 512,
        _ => LONGEST.into(),
    };
    let len = (u64::from(longest) * usual / u64::from(LONGEST)).max(1);
    let end = text.len() + len as usize;
    let mut words = 0;
    while text.len() < end {
        match random.below(6) {
            0 => text.extend(random.below(10_000).to_string().bytes()),
            _ => text.extend(WORDS[random.below(64) as usize].bytes()),
        }
        words += 1;
        text.extend(if words % 8 == 0 { "\r\n" } else { " " }.bytes());
    }
    text.truncate(end);
}

impl Streams {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.source.count
    }

    /// Bytes of text.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.text.len() as u32
    }

    /// All text, one stream after the other.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What they are.
    #[must_use]
    pub fn provenance(&self) -> String {
        let what = match self.source.kind {
            Kind::Strings { .. } => "random letters",
            Kind::Packets { .. } => "packets of words of the web, mail, files and logins",
        };
        format!("generated `{}`: {what}; no licence needed", self.source)
    }
}

impl Default for StreamSource {
    fn default() -> Self {
        Self { kind: Kind::Strings { len: 128 }, count: 128, seed: 1 }
    }
}

impl fmt::Display for StreamSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Strings { len } => write!(f, "string:{},{len},seed={}", self.count, self.seed),
            Kind::Packets { longest } => write!(f, "packets:{},{longest},seed={}", self.count, self.seed),
        }
    }
}

impl FromStr for StreamSource {
    type Err = StreamError;

    fn from_str(given: &str) -> Result<Self, StreamError> {
        parse(given).map_err(|reason| StreamError { given: given.to_owned(), reason })
    }
}

fn parse(given: &str) -> Result<StreamSource, String> {
    let (kind, rest) = given.split_once(':').map_or((given, None), |(kind, rest)| (kind, Some(rest)));
    let mut source = match kind {
        "string" => StreamSource::default(),
        "packets" => StreamSource { kind: Kind::Packets { longest: LONGEST }, count: 32, ..StreamSource::default() },
        _ => return Err(format!("expected {}", StreamSource::FORMS)),
    };
    let (sizes, seed) = sizes_and_seed(rest)?;
    source.seed = seed.unwrap_or(source.seed);
    match (&sizes[..], &mut source.kind) {
        ([], _) => {}
        ([count], _) => source.count = within(*count, MAX_STREAMS)?,
        ([count, bytes], Kind::Strings { len: each } | Kind::Packets { longest: each }) => {
            (source.count, *each) = (within(*count, MAX_STREAMS)?, within(*bytes, MAX_BYTES)?);
        }
        _ => return Err(format!("expected {}", StreamSource::FORMS)),
    }
    match source.most_bytes() {
        bytes if bytes > MAX_BYTES.into() => Err(format!("expected at most 2^28 bytes of text, found up to {bytes}")),
        _ => Ok(source),
    }
}
