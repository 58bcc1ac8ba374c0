//! What is wrong with a value, in words for people who have not written this program.

/// What a number may be, by the type that it is read as.
const NUMBERS: [(&str, &str); 8] = [
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number, 0 or more"),
    ("usize", "a whole number, 0 or more"),
    ("i64", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
];

/// How a reader begins when it knows no more of a value than its type.
const OF_TYPES: [&str; 4] = ["invalid type: ", "invalid value: ", "invalid length ", "unknown variant "];

/// What a reader of TOML or JSON says of a value, without its names of types: what it expected, if that is all it says.
///
/// What this program's own parsers say of a value stays as it is.
#[must_use]
pub fn plain_words(message: &str) -> String {
    let message = message.trim();
    if !OF_TYPES.iter().any(|start| message.starts_with(start)) {
        return message.to_owned();
    }
    let Some((_, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let expected = expected.trim();
    let number = NUMBERS.iter().find(|(name, _)| *name == expected).map(|(_, words)| *words);
    let plain = match (number, expected) {
        (Some(words), _) => words,
        (None, "a boolean") => "true or false",
        (None, "a string" | "string") => "a word",
        (None, "a sequence") => "a list",
        (None, "a map") => "a table",
        (None, other)
            if ["struct ", "enum ", "newtype ", "tuple ", "unit "].iter().any(|word| other.starts_with(word)) =>
        {
            "a table"
        }
        (None, other) => other,
    };
    format!("expected {plain}")
}

/// A reader's error with the line that it is about, in such words.
#[must_use]
pub fn plain_toml(error: &toml::de::Error) -> String {
    let text = error.to_string();
    let place = text.rfind(error.message()).map_or("", |at| &text[..at]);
    format!("{place}{}", plain_words(error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_become_words() {
        for (message, plain) in [
            ("invalid type: string \"abc\", expected u32", "expected a whole number from 0 to 4294967295"),
            ("invalid value: integer `-1`, expected u64", "expected a whole number, 0 or more"),
            ("invalid type: map, expected f64\n", "expected a number"),
            ("invalid type: integer `1`, expected struct KernelSpec", "expected a table"),
            ("unknown variant `some`, expected `floor` or `all`", "expected `floor` or `all`"),
            ("missing field `name`", "missing field `name`"),
            ("unknown field `load`, expected `n` or `loads`", "unknown field `load`, expected `n` or `loads`"),
            ("`lru(1)`: expected st(b)", "`lru(1)`: expected st(b)"),
        ] {
            assert_eq!(plain_words(message), plain);
        }
    }
}
