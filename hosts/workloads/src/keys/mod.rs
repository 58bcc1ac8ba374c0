//! Keys that a join works on: generated, or read from files (workloads-G8, workloads-IN3).
//!
//! A host normally parses a [`KeySource`] (`uni`, `gauss:4096,65536,4096`, or two files) and calls [`KeySource::load`]. Same
//! source, same bits, on every machine.

mod generate;
mod read;

use crate::graph::read::{OnProgress, STANDARD_INPUT};
use crate::graph::{GraphError, gib};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub use generate::{Distribution, Generator};

/// Most rows of a side.
pub const MAX_ROWS: u32 = 1 << 30;

/// About what a key takes while it is sorted: as listed, with its place, and sorted.
const BYTES_TO_SORT: u64 = 16;
/// About what a row takes in a join: key, value, four arrays of a side, and its key in an index.
const BYTES_OF_ROW: u64 = 48;
/// What a pair takes: its key and two values.
const BYTES_OF_PAIR: u64 = 12;

/// The rows of one side of a join, sorted by key; rows with the same key as they were listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    keys: Vec<u32>,
    values: Vec<u32>,
}

impl Rows {
    /// Sorts `keys`. The value of a row is the place where it stood.
    #[must_use]
    pub fn sorted(keys: &[u32]) -> Self {
        let mut values: Vec<u32> = (0..keys.len() as u32).collect();
        values.sort_by_key(|&row| keys[row as usize]);
        Self { keys: values.iter().map(|&row| keys[row as usize]).collect(), values }
    }

    /// The keys, ascending.
    #[must_use]
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// The value that belongs to each key.
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// How many rows there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.keys.len() as u32
    }

    /// How many pairs a join with `other` gives: rows of both with the same key.
    #[must_use]
    pub fn pairs_with(&self, other: &Self) -> u64 {
        let mut rest = other.keys();
        let runs = self.keys.chunk_by(|a, b| a == b).map(|run| {
            let key = run[0];
            rest = &rest[rest.partition_point(|&other| other < key)..];
            run.len() as u64 * rest.partition_point(|&other| other == key) as u64
        });
        runs.sum()
    }
}

/// Two sides to be joined, with what a report must say about them.
#[derive(Clone, Debug)]
pub struct NamedKeys {
    /// As the source prints, without folders.
    pub name: String,
    /// What they are, in one line.
    pub provenance: String,
    /// The outer side: a thread per row.
    pub r: Rows,
    /// The side that is searched.
    pub s: Rows,
}

/// Where keys come from. Parses from a generator such as `uni` or `gauss:4096,65536`, or from two files with a comma between;
/// a path is told by a dot or a slash in it, and `-` is standard input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeySource {
    /// A seeded generator.
    Generated(Generator),
    /// A file for each side.
    Files([PathBuf; 2]),
}

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A file cannot be read or is not what its format asks for (workloads-W11).
    #[error(transparent)]
    Read(#[from] GraphError),
    /// A binary file ends within a key.
    #[error("{file}: expected a multiple of 4 bytes, found {bytes}", file = file.display())]
    Length {
        /// The file.
        file: PathBuf,
        /// Bytes in it, unpacked.
        bytes: u64,
    },
    /// A file with no key or with too many.
    #[error("{file}: expected 1 to 2^30 keys, found {found}", file = file.display())]
    Count {
        /// The file.
        file: PathBuf,
        /// What there is.
        found: &'static str,
    },
    /// They would take more memory than they may.
    #[error("{what} take about {} of memory; the limit is {}", gib(*needs), gib(*limit))]
    Memory {
        /// What is to be held.
        what: String,
        /// About the bytes that it takes.
        needs: u64,
        /// Bytes that it may take.
        limit: u64,
    },
    /// The name of keys names nothing.
    #[error("keys `{given}`: {reason}")]
    Name {
        /// What was given.
        given: String,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
}

impl KeySource {
    /// The forms that [`FromStr`] takes, for help texts.
    pub const FORMS: &str = "uni[:R,S[,K]], gauss[:R,S[,K]], each also with ,seed=N, or two files: R_FILE,S_FILE";

    /// Reads or generates the keys, if they and a join of them take no more than `memory` bytes. `progress` hears of files only.
    ///
    /// # Errors
    /// All of [`KeyError`] but [`KeyError::Name`].
    pub fn load(&self, memory: u64, progress: OnProgress<'_>) -> Result<NamedKeys, KeyError> {
        let within = |needs: u64, what: &dyn Fn() -> String| {
            if needs > memory { Err(KeyError::Memory { what: what(), needs, limit: memory }) } else { Ok(()) }
        };
        let (provenance, [r, s]) = match self {
            Self::Generated(generator) => {
                let rows = generator.rows.map(u64::from).iter().sum::<u64>();
                within(rows * BYTES_TO_SORT, &|| format!("{rows} keys"))?;
                (generator.provenance(), generator.keys())
            }
            Self::Files([r, s]) => {
                let provenance = format!("files {} and {}; origin as the files'", r.display(), s.display());
                let mut held = 0;
                let mut side = |path: &Path| {
                    let keys = read::file(path, progress, &mut |rows| {
                        within((held + rows) * BYTES_TO_SORT, &|| {
                            format!("{rows} keys of {}, and more,", path.display())
                        })
                    })?;
                    held += keys.len() as u64;
                    Ok::<_, KeyError>(keys)
                };
                (provenance, [side(r)?, side(s)?])
            }
        };
        let name = match self {
            Self::Generated(generator) => generator.to_string(),
            Self::Files(files) => files.each_ref().map(|path| file_name(path)).join(","),
        };
        let (r, s) = (Rows::sorted(&r), Rows::sorted(&s));
        let (pairs, rows) = (r.pairs_with(&s), u64::from(r.count()) + u64::from(s.count()));
        within(pairs * BYTES_OF_PAIR + rows * BYTES_OF_ROW, &|| format!("{pairs} pairs of {rows} keys"))?;
        Ok(NamedKeys { name, provenance, r, s })
    }
}

fn file_name(path: &Path) -> String {
    if path.as_os_str() == STANDARD_INPUT {
        return "stdin".to_owned();
    }
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Default for KeySource {
    fn default() -> Self {
        Self::Generated(Generator::new(Distribution::Uniform))
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generated(generator) => generator.fmt(f),
            Self::Files([r, s]) => write!(f, "{},{}", r.display(), s.display()),
        }
    }
}

impl FromStr for KeySource {
    type Err = KeyError;

    fn from_str(given: &str) -> Result<Self, KeyError> {
        let wrong = |reason: String| KeyError::Name { given: given.to_owned(), reason };
        let kind = given.split(':').next().unwrap_or_default();
        if Distribution::ALL.iter().any(|distribution| distribution.word() == kind) {
            return generate::parse(given).map(Self::Generated).map_err(wrong);
        }
        match given.split_once(',') {
            Some((STANDARD_INPUT, STANDARD_INPUT)) => Err(wrong("standard input is one side only".to_owned())),
            Some((r, s)) if given.contains(['.', '/', '\\']) && !r.is_empty() && !s.is_empty() => {
                Ok(Self::Files([r.into(), s.into()]))
            }
            _ => Err(wrong(format!("expected {}", Self::FORMS))),
        }
    }
}

#[cfg(test)]
mod tests;
