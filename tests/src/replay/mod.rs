//! Golden vectors: reading them, and the first difference in a machine's answers.

pub mod apogee;
pub mod argument;
pub mod bubble;
pub mod catalogue;
pub mod dats;
pub mod equalizer;
pub mod frontend;
pub mod laperm;
pub mod mascar;
pub mod models;
pub mod steps;
pub mod tlp;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use gpusched::{BuildError, Fault};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::apogee::Apogees;
use crate::bubble::Bubbles;
use crate::laperm::LaPerms;
use crate::mascar::Mascars;
use crate::tlp::Units;

/// Where a machine's answer first differs from a vector's.
#[derive(Debug)]
pub struct Difference {
    /// The step, from 0; `None` for the building of the machine.
    pub step: Option<usize>,
    /// The answer that the vector asks for, or the part of it that differs.
    pub expected: String,
    /// The machine's answer.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: ")?,
            None => write!(f, "configuration: ")?,
        }
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

/// What became of one vector.
pub enum Outcome {
    /// Every expected field was met.
    Passed,
    /// The first one that was not.
    Differs(Difference),
}

/// Mechanisms whose vectors can be replayed.
pub const MECHANISMS: &[&str] = &[
    "dtbl",
    "frontend",
    "policy",
    "laperm",
    "bubble_dvfs",
    "dats",
    "equalizer",
    "mascar",
    "apogee",
    "tlp",
    "models",
    "catalogue",
    "modern",
    "launch2",
];

/// How a machine is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "tools", derive(clap::ValueEnum))]
pub enum Face {
    /// The crate itself.
    Rust,
    /// The C ABI over it.
    C,
    /// An independent model, where there is one.
    Model,
}

/// Replays one vector of a mechanism.
///
/// # Errors
/// A file that cannot be read, or is not a vector of that mechanism's form.
pub fn replay_file(mechanism: &str, file: &Path, face: Face) -> Result<Outcome> {
    replay(mechanism, &read(file)?, face).with_context(|| file.display().to_string())
}

/// Reads a vector, in the library's words.
///
/// # Errors
/// A file that cannot be read, or is no JSON.
pub fn read(file: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    let mut vector = serde_json::from_str(&text).with_context(|| format!("{}: not JSON", file.display()))?;
    in_our_words(&mut vector);
    Ok(vector)
}

/// Faults that vectors of several mechanisms call differently, and their one name here.
const RENAMED: [(&str, &str); 4] = [
    ("TimeReversed", "TimeBackwards"),
    ("TimeRegress", "TimeBackwards"),
    ("NeverFits", "TbTooBig"),
    ("KernelTooBig", "TbTooBig"),
];

fn in_our_words(value: &mut Value) {
    match value {
        Value::String(word) => {
            if let Some((_, ours)) = RENAMED.iter().find(|(theirs, _)| theirs == word) {
                (*ours).clone_into(word);
            }
        }
        Value::Array(all) => all.iter_mut().for_each(in_our_words),
        Value::Object(all) => all.values_mut().for_each(in_our_words),
        _ => {}
    }
}

/// What of a vector is not looked at, and which of its steps check nothing: in one of the front end's form, where each expectation may be
/// left out. Other forms refuse a step without one.
#[must_use]
pub fn unread(mechanism: &str, vector: &Value) -> Vec<String> {
    if is_of_front_end(mechanism) { frontend::unread(vector) } else { Vec::new() }
}

fn is_of_front_end(mechanism: &str) -> bool {
    matches!(mechanism, "dtbl" | "frontend" | "policy" | "modern" | "launch2")
}

/// As [`replay_file`], of a vector that was read.
///
/// # Errors
/// A vector that does not have the form of its mechanism.
pub fn replay(mechanism: &str, vector: &Value, face: Face) -> Result<Outcome> {
    match mechanism {
        of_front_end if is_of_front_end(of_front_end) => frontend::replay(vector, face, frontend::Pace::Skip),
        "bubble_dvfs" => steps::replay::<Bubbles>(vector, face),
        "laperm" => steps::replay::<LaPerms>(vector, face),
        "dats" => dats::replay(vector, face),
        "equalizer" => equalizer::replay(vector, face),
        "apogee" => steps::replay::<Apogees>(vector, face),
        "mascar" => steps::replay::<Mascars>(vector, face),
        "tlp" => steps::replay::<Units>(vector, face),
        "models" => models::replay(vector, face),
        "catalogue" => catalogue::replay(vector, face),
        other => bail!("no mechanism `{other}`; there are: {}", MECHANISMS.join(", ")),
    }
}

/// What became of building a machine in Rust: the fault of its configuration is an answer, too.
///
/// # Errors
/// A home that is too small for the configuration.
pub fn in_rust<M>(built: Result<M, BuildError>) -> Result<Result<M, Fault>> {
    match built {
        Ok(machine) => Ok(Ok(machine)),
        Err(BuildError::Config(error)) => Ok(Err(error.into())),
        Err(BuildError::Tables(small)) => Err(small).context("the machine's home"),
    }
}

/// The vectors of a folder, by name.
///
/// # Errors
/// A folder that cannot be read or holds no JSON file.
pub fn vectors_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}: cannot be read", folder.display()))?;
    let mut files = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|f| f.extension().is_some_and(|x| x == "json"));
    files.sort();
    if files.is_empty() {
        bail!("{}: no JSON file", folder.display());
    }
    Ok(files)
}

/// Compares an answer with an expectation; absent expectations hold.
pub(crate) fn expect(step: usize, expected: Option<&Value>, got: &Value, what: &str) -> Option<Difference> {
    let expected = expected?;
    (expected != got).then(|| Difference {
        step: Some(step),
        expected: format!("{what} {expected}"),
        got: got.to_string(),
    })
}

/// The configuration that differs from `defaults` as told, or the fault of a value that its parameter cannot hold.
pub(crate) fn config<C: Serialize + DeserializeOwned>(parameters: &Value, defaults: C) -> Result<Result<C, Fault>> {
    let mut all = serde_json::to_value(defaults)?;
    let mut parameters = parameters.clone();
    parameters.as_object_mut().context("`config` is not an object")?.remove("unit");
    merge(&mut all, &parameters)?;
    Ok(C::deserialize(all).map_err(|_| Fault::BadConfig))
}

fn merge(all: &mut Value, parameters: &Value) -> Result<()> {
    match (all, parameters) {
        (Value::Object(all), Value::Object(parameters)) => {
            for (name, value) in parameters {
                merge(all.get_mut(name).with_context(|| format!("no parameter `{name}`"))?, value)?;
            }
        }
        (value, new) => *value = new.clone(),
    }
    Ok(())
}

/// A value of an enumeration as vectors name it: its own name in small letters, with a line between its words.
pub(crate) fn word(value: impl fmt::Debug) -> String {
    let mut word = String::new();
    for letter in format!("{value:?}").chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.extend(letter.to_lowercase());
    }
    word
}
