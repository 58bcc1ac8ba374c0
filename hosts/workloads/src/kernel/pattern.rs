//! Where an access of a descriptor goes (workloads-PK2), and how that is written: `st(4)`, `ga(3, 2 MB)`.

use std::fmt;
use std::str::FromStr;

/// Where the lanes of a warp go, in an array of the access's own unless it says otherwise.
///
/// `gtid` is the thread's number in the grid, `i` the warp's iteration, counted over all phases, `w` the warp's number in its TB.
/// A line has the descriptor's `line` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `st(b)`: (gtid + i x threads) x b, b bytes each. A stream: all lines are new.
    Stream(u32),
    /// `sd(k)`: (gtid + i x threads) x k. A stride: min(32, k/4) lines of 128 B, all new.
    Stride(u32),
    /// `row(f)`: (gtid x f + i) x 4. Each thread walks along a row of f words: the same lines for 32 iterations.
    Row(u32),
    /// `tin(h)`: line floor(i/h), one address for all threads: thread-invariant.
    Invariant(u32),
    /// `tia(v)`: thread-invariant for each warp: line floor(t/v), t the number of the warp's first item, gtid + i x threads. What a
    /// batch of v items shares (workloads-PK6).
    Batch(u32),
    /// `own(F)`: F lines of the warp's own, line i mod F.
    Own(u32),
    /// `cta(F)`: F lines of the TB's own, line (i + w) mod F.
    Tb(u32),
    /// `pair`: a new line for every two warps.
    Pair,
    /// `ga(t, W)`: t different lines of W bytes, uniformly.
    Gather(u32, u64),
    /// `zip(t, W)`: t different lines of W bytes, at index floor(lines x u x u): the first ones more often.
    Skewed(u32, u64),
    /// `back(k)`: for stores. To where the phase's k-th load came from (from 1; each of those of an `xN` counts), the words that it
    /// brought.
    Back(u32),
}

impl Pattern {
    /// Bytes of a lane, if the access does not say.
    pub(super) const fn bytes(self) -> u32 {
        if let Self::Stream(bytes) = self { bytes } else { 4 }
    }

    /// What is wrong with its numbers, as what was expected.
    pub(super) const fn fault(self) -> Option<&'static str> {
        match self {
            Self::Stream(1 | 2 | 4 | 8 | 16) => None,
            Self::Stream(_) => Some("1, 2, 4, 8 or 16 bytes"),
            Self::Stride(4..=65536) => None,
            Self::Stride(_) => Some("a stride of 4 to 65536 bytes"),
            Self::Row(1..=65536) => None,
            Self::Row(_) => Some("a row of 1 to 65536 words"),
            Self::Invariant(1..) | Self::Batch(1..) => None,
            Self::Invariant(0) => Some("a new line every 1 or more iterations"),
            Self::Batch(0) => Some("batches of 1 or more items"),
            Self::Own(1..=65536) | Self::Tb(1..=65536) => None,
            Self::Own(_) | Self::Tb(_) => Some("1 to 65536 lines"),
            Self::Pair => None,
            // W in lines of 128 bytes, the longest.
            Self::Gather(t, bytes) | Self::Skewed(t, bytes) => match t {
                1..=32 if bytes / 128 >= 2 * t as u64 && bytes <= 1 << 36 => None,
                1..=32 => Some("an array of twice as many lines as are drawn or more, and at most 64 GB"),
                _ => Some("1 to 32 lines"),
            },
            Self::Back(1..) => None,
            Self::Back(0) => Some("the number of a load, from 1"),
        }
    }
}

const WORDS: &str = "st(b), sd(k), row(f), tin(h), tia(v), own(F), cta(F), pair, ga(t, W), zip(t, W) or back(k)";

/// Text that is no pattern or access.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}`: expected {expected}")]
pub struct PatternError {
    found: String,
    expected: &'static str,
}

impl PatternError {
    pub(super) fn new(found: &str, expected: &'static str) -> Self {
        Self { found: found.to_owned(), expected }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Stream(b) => write!(f, "st({b})"),
            Self::Stride(k) => write!(f, "sd({k})"),
            Self::Row(words) => write!(f, "row({words})"),
            Self::Invariant(h) => write!(f, "tin({h})"),
            Self::Batch(v) => write!(f, "tia({v})"),
            Self::Own(lines) => write!(f, "own({lines})"),
            Self::Tb(lines) => write!(f, "cta({lines})"),
            Self::Pair => f.write_str("pair"),
            Self::Gather(t, bytes) => write!(f, "ga({t}, {})", Bytes(bytes)),
            Self::Skewed(t, bytes) => write!(f, "zip({t}, {})", Bytes(bytes)),
            Self::Back(load) => write!(f, "back({load})"),
        }
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let unknown = || PatternError::new(text, WORDS);
        if text == "pair" {
            return Ok(Self::Pair);
        }
        let (name, rest) = text.split_once('(').ok_or_else(unknown)?;
        let inside = rest.strip_suffix(')').ok_or_else(unknown)?;
        let number = |text: &str| text.trim().parse().map_err(|_| unknown());
        let drawn = || {
            let (lines, bytes) = inside.split_once(',').ok_or_else(unknown)?;
            Ok((number(lines)?, bytes.parse::<Bytes>().map_err(|()| unknown())?.0))
        };
        let pattern = match name {
            "st" => Self::Stream(number(inside)?),
            "sd" => Self::Stride(number(inside)?),
            "row" => Self::Row(number(inside)?),
            "tin" => Self::Invariant(number(inside)?),
            "tia" => Self::Batch(number(inside)?),
            "own" => Self::Own(number(inside)?),
            "cta" => Self::Tb(number(inside)?),
            "back" => Self::Back(number(inside)?),
            "ga" => drawn().map(|(lines, bytes)| Self::Gather(lines, bytes))?,
            "zip" => drawn().map(|(lines, bytes)| Self::Skewed(lines, bytes))?,
            _ => return Err(unknown()),
        };
        pattern.fault().map_or(Ok(pattern), |expected| Err(PatternError::new(text, expected)))
    }
}

/// A number of bytes, in KB or MB where that is a whole number of them.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes.is_multiple_of(1 << 20) => write!(f, "{} MB", bytes >> 20),
            bytes if bytes.is_multiple_of(1 << 10) => write!(f, "{} KB", bytes >> 10),
            bytes => write!(f, "{bytes}"),
        }
    }
}

impl FromStr for Bytes {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        let (digits, unit) = match (text.strip_suffix("MB"), text.strip_suffix("KB")) {
            (Some(digits), _) => (digits, 1 << 20),
            (_, Some(digits)) => (digits, 1 << 10),
            _ => (text, 1),
        };
        let number: u64 = digits.trim().parse().map_err(|_| ())?;
        number.checked_mul(unit).map(Self).ok_or(())
    }
}

/// A load or store of a phase: a pattern, and who does it when. Written as `st(4) x21`, `sd(32) every 64`, `cta(8) warps 1/6`,
/// `sd(4) offset 4`, `sd(32) bytes 12 offset 16 in 1`, `zip(12, 8 MB) chained`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Access {
    /// Where it goes.
    pub pattern: Pattern,
    /// `xN`: so many accesses alike, each to an array of its own.
    pub count: u32,
    /// `bytes N`: bytes of each lane: 1, 2, 4, 8, 12 or 16; the pattern's if absent. 12 are moved as 16.
    pub bytes: u32,
    /// `offset N`: so many bytes further.
    pub offset: u32,
    /// `in N`: in the array of the phase's N-th load, an earlier one, each of those of an `xN` counted; 0: in one of its own.
    pub within: u32,
    /// `every N`: in one of so many iterations, the last of each.
    pub every: u32,
    /// `warps 1/N`: by one of so many warps of a TB, the first of each.
    pub warps: u32,
    /// `chained`: which lines are drawn depends on the last word that the warp's first lane loaded.
    pub chained: bool,
}

impl From<Pattern> for Access {
    fn from(pattern: Pattern) -> Self {
        Self { pattern, count: 1, bytes: pattern.bytes(), offset: 0, within: 0, every: 1, warps: 1, chained: false }
    }
}

impl Access {
    /// Whether every warp does it in every iteration.
    #[must_use]
    pub const fn is_always(&self) -> bool {
        self.every == 1 && self.warps == 1
    }

    /// Bytes of each lane, as they are moved.
    pub(super) const fn moved(&self) -> u32 {
        self.bytes.next_power_of_two()
    }

    /// What is wrong with its numbers, as what was expected.
    fn fault(&self) -> Option<&'static str> {
        let drawn = matches!(self.pattern, Pattern::Gather(..) | Pattern::Skewed(..));
        let step = if let Pattern::Stride(step) = self.pattern { step } else { 128 };
        match *self {
            _ if !(1..=256).contains(&self.count) => Some("x1 to x256"),
            _ if !matches!(self.bytes, 1 | 2 | 4 | 8 | 12 | 16) => Some("1, 2, 4, 8, 12 or 16 bytes"),
            _ if self.bytes != self.pattern.bytes() && !matches!(self.pattern, Pattern::Stride(_)) => {
                Some("bytes only with sd(k)")
            }
            _ if !self.offset.is_multiple_of(self.moved()) || !step.is_multiple_of(self.moved()) => {
                Some("a stride and an offset that are multiples of the bytes moved")
            }
            _ if self.offset > 65536 => Some("an offset of at most 65536 bytes"),
            _ if self.count > 1 && self.within > 0 => Some("an array of its own for each of several"),
            _ if self.every == 0 || self.warps == 0 => Some("1 or more after `every` and in `warps 1/N`"),
            _ if self.chained && !drawn => Some("chained only with ga and zip"),
            _ if self.count > 1 && matches!(self.pattern, Pattern::Back(_)) => Some("back(k) once"),
            _ => None,
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Self::from(self.pattern);
        write!(f, "{}", self.pattern)?;
        let mut word = |differs: bool, name: &str, value: u32| {
            if differs { write!(f, " {name}{value}") } else { Ok(()) }
        };
        word(self.count != 1, "x", self.count)?;
        word(self.bytes != plain.bytes, "bytes ", self.bytes)?;
        word(self.offset != 0, "offset ", self.offset)?;
        word(self.within != 0, "in ", self.within)?;
        word(self.every != 1, "every ", self.every)?;
        word(self.warps != 1, "warps 1/", self.warps)?;
        f.write_str(if self.chained { " chained" } else { "" })
    }
}

impl FromStr for Access {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let end = text.find(')').map_or_else(|| text.find(' ').unwrap_or(text.len()), |at| at + 1);
        let mut access = Self::from(text[..end].parse::<Pattern>()?);
        let mut words = text[end..].split_whitespace();
        let wrong =
            || PatternError::new(text, "xN, bytes N, offset N, in N, every N, warps 1/N or chained after the pattern");
        while let Some(word) = words.next() {
            let mut value = |prefix: &str| {
                let word = words.next().and_then(|word| word.strip_prefix(prefix)).ok_or_else(wrong)?;
                word.parse().map_err(|_| wrong())
            };
            match word {
                "bytes" => access.bytes = value("")?,
                "offset" => access.offset = value("")?,
                "in" => access.within = value("")?,
                "every" => access.every = value("")?,
                "warps" => access.warps = value("1/")?,
                "chained" => access.chained = true,
                word => access.count = word.strip_prefix('x').and_then(|n| n.parse().ok()).ok_or_else(wrong)?,
            }
        }
        access.fault().map_or(Ok(access), |expected| Err(PatternError::new(text, expected)))
    }
}

impl TryFrom<String> for Access {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        text.parse()
    }
}

impl From<Access> for String {
    fn from(access: Access) -> Self {
        access.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for text in [
            "st(4)",
            "st(16) x21",
            "sd(32) bytes 12 offset 16 in 1",
            "row(34)",
            "tin(1)",
            "tia(512) x10",
            "own(8) x2",
            "cta(8) warps 1/6",
            "pair x3",
            "ga(3, 2 MB) x20",
            "ga(16, 1 MB) every 64",
            "zip(4, 64 KB)",
            "zip(12, 8 MB) chained",
            "zip(2, 1000)",
            "sd(4) x19 offset 4",
            "back(2)",
        ] {
            assert_eq!(text.parse::<Access>().unwrap().to_string(), text);
        }
        assert_eq!("ga( 3,2MB )".parse::<Access>().unwrap().to_string(), "ga(3, 2 MB)");
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let error = |text: &str| text.parse::<Access>().unwrap_err().to_string();
        assert_eq!(error("st(3)"), "`st(3)`: expected 1, 2, 4, 8 or 16 bytes");
        for wrong in [
            "",
            "st",
            "st(",
            "st()",
            "st(-4)",
            "sd(2)",
            "row(0)",
            "tin(0)",
            "tia(0)",
            "own(0)",
            "cta(0)",
            "pair(1)",
            "lru(1)",
            "ga(3)",
            "ga(0, 1 MB)",
            "ga(33, 1 MB)",
            "ga(4, 512)",
            "zip(4, 1 GB)",
            "back(0)",
        ] {
            assert!(error(wrong).contains("expected"), "{wrong}");
        }
        for (wrong, why) in [
            ("st(4) x0", "x1 to x256"),
            ("st(4) 3", "xN, bytes N"),
            ("st(4) every", "xN, bytes N"),
            ("st(4) every 0", "1 or more"),
            ("st(4) warps 6", "xN, bytes N"),
            ("st(4) warps 1/0", "1 or more"),
            ("st(4) chained", "only with ga and zip"),
            ("st(4) bytes 8", "only with sd(k)"),
            ("sd(32) bytes 5", "1, 2, 4, 8, 12 or 16"),
            ("sd(24) bytes 16", "multiples of the bytes"),
            ("sd(32) bytes 16 offset 8", "multiples of the bytes"),
            ("back(1) x2", "once"),
            ("st(4) x2 in 1", "of its own"),
        ] {
            assert!(error(wrong).contains(why), "{wrong}: {}", error(wrong));
        }
    }
}
