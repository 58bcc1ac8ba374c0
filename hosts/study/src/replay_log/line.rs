//! The grammar of a line (`hosts/gpgpu-sim/docs/log.md`, "Lines"): six columns, then keys.

use super::source::quoted;

/// What a reader of this program understands.
pub const FIRST: &str = "gpusched-log 2";

/// The header that is the last line: how many events there were, and a checksum of all bytes before it.
pub const END: &str = "end";

/// What was expected, and what was found instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong(pub String, pub String);

impl Wrong {
    pub fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self(expected.into(), found.into())
    }
}

/// A line behind the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A remark, or empty.
    Nothing,
    Header {
        name: &'a str,
        value: &'a str,
    },
    Event(Event<'a>),
}

/// Something happened, or was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    pub cycle: u64,
    pub kind: &'a str,
    pub uid: Option<u64>,
    pub tb: Option<u32>,
    pub smx: Option<u32>,
    pub slot: Option<u32>,
    pub keys: Keys<'a>,
}

impl<'a> Line<'a> {
    pub fn parse(text: &'a str) -> Result<Self, Wrong> {
        if text.is_empty() || text.starts_with('#') {
            return Ok(Self::Nothing);
        }
        if let Some(header) = text.strip_prefix("! ") {
            let header = header.split_once(' ').filter(|(name, value)| !name.is_empty() && !value.is_empty());
            let (name, value) = header.ok_or_else(|| Wrong::new("a header `! NAME VALUE`", quoted(text)))?;
            return Ok(Self::Header { name, value });
        }
        Event::parse(text).map(Self::Event)
    }
}

impl<'a> Event<'a> {
    pub fn parse(text: &'a str) -> Result<Self, Wrong> {
        let mut words = text.splitn(7, ' ');
        let mut word = |column: &str| {
            let word = words.next().ok_or_else(|| Wrong::new(format!("column `{column}`"), "the end of the line"))?;
            if word.is_empty() {
                return Err(Wrong::new(format!("column `{column}` behind a single space"), "another space"));
            }
            Ok(word)
        };
        let cycle = whole(word("cycle")?, "cycle")?;
        let kind = word("kind")?;
        let uid = column(word("uid")?, "uid")?;
        let mut small = |name| {
            let number: Option<u64> = column(word(name)?, name)?;
            let small = number.map(u32::try_from).transpose();
            small.map_err(|_| Wrong::new(format!("column `{name}` below 2^32"), number.unwrap_or_default().to_string()))
        };
        let (tb, smx, slot) = (small("tb")?, small("smx")?, small("slot")?);
        Ok(Self { cycle, kind, uid, tb, smx, slot, keys: Keys::parse(words.next())? })
    }
}

fn column(word: &str, name: &str) -> Result<Option<u64>, Wrong> {
    if word == "-" { Ok(None) } else { whole(word, name).map(Some) }
}

/// A decimal number.
pub fn whole(word: &str, name: &str) -> Result<u64, Wrong> {
    let digits = word.bytes().all(|letter| letter.is_ascii_digit()).then(|| word.parse().ok());
    digits.flatten().ok_or_else(|| Wrong::new(format!("a number below 2^64 as `{name}`"), quoted(word)))
}

/// Pairs `KEY=VALUE` with single spaces between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys<'a>(&'a str);

impl<'a> Keys<'a> {
    fn parse(text: Option<&'a str>) -> Result<Self, Wrong> {
        let Some(text) = text else { return Ok(Self("")) };
        for (at, pair) in text.split(' ').enumerate() {
            let Some((key, _)) = pair.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty())
            else {
                return Err(Wrong::new("a pair `KEY=VALUE` behind a single space", quoted(pair)));
            };
            if text.split(' ').take(at).any(|earlier| earlier.split_once('=').is_some_and(|(known, _)| known == key)) {
                return Err(Wrong::new("each key once", format!("{} twice", quoted(key))));
            }
        }
        Ok(Self(text))
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.split(' ').filter_map(|pair| pair.split_once('='))
    }

    /// The value of a key.
    pub fn get(self, key: &str) -> Option<&'a str> {
        self.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// The value of a key that has to be there.
    pub fn need(self, key: &str) -> Result<&'a str, Wrong> {
        self.get(key).ok_or_else(|| Wrong::new(format!("a key `{key}`"), "none"))
    }

    /// The same, a number.
    pub fn number(self, key: &str) -> Result<u64, Wrong> {
        whole(self.need(key)?, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_the_page_says() {
        let parsed = Line::parse("7 issue 3 - - - from=hwq kde=0").unwrap();
        let Line::Event(event) = parsed else { panic!("{parsed:?}") };
        assert_eq!((event.cycle, event.kind, event.uid, event.tb), (7, "issue", Some(3), None));
        assert_eq!((event.keys.get("from"), event.keys.number("kde"), event.keys.get("k")), (Some("hwq"), Ok(0), None));
        assert_eq!(Line::parse("! config a b").unwrap(), Line::Header { name: "config", value: "a b" });
        assert_eq!((Line::parse(""), Line::parse("# 1")), (Ok(Line::Nothing), Ok(Line::Nothing)));
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for (text, expected, found) in [
            ("0 tb 1 0 0", "`slot`", "the end"),
            ("0  tb 1 0 0 0", "`kind`", "another space"),
            ("0 tb 1 0 0 0 ", "KEY=VALUE", "``"),
            ("0 tb 1 0 0 0 a=1  b=2", "KEY=VALUE", "``"),
            ("0 tb 1 0 0 0 part", "KEY=VALUE", "`part`"),
            ("0 tb 1 0 0 0 a=1 a=1", "each key once", "`a` twice"),
            ("-1 tb 1 0 0 0", "`cycle`", "`-1`"),
            ("0 tb +1 0 0 0", "`uid`", "`+1`"),
            ("0 tb 1 4294967296 0 0", "`tb` below 2^32", "4294967296"),
            ("18446744073709551616 tb 1 0 0 0", "`cycle`", "`18446744073709551616`"),
            ("0 tb 1 0 0 0\r", "`slot`", "`0\\r`"),
            ("! smx", "! NAME VALUE", "`! smx`"),
        ] {
            let wrong = Line::parse(text).unwrap_err();
            assert!(wrong.0.contains(expected) && wrong.1.contains(found), "{text}: {wrong:?}");
        }
    }
}
