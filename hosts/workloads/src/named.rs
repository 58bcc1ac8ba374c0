//! Words that name one of a few things, as they are shown.

use std::fmt;

/// A word that names none of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}`{found}`: expected {expected}")]
pub struct UnknownWord {
    what: &'static str,
    found: String,
    expected: &'static str,
}

/// The one of `all` that is shown as `word`. An error begins with `what`, and says what was expected.
pub(crate) fn named<T: fmt::Display, const N: usize>(
    what: &'static str,
    all: [T; N],
    word: &str,
    expected: &'static str,
) -> Result<T, UnknownWord> {
    all.into_iter().find(|one| one.to_string() == word).ok_or_else(|| UnknownWord {
        what,
        found: word.into(),
        expected,
    })
}
