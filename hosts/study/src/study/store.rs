//! Where results are kept: a file each, in a folder of the code that made them, named by what they depend on. So nothing is overwritten,
//! and nothing is simulated twice, by one study or by several.

use super::digest;
use super::point::Point;
use crate::failure::Failure;
use crate::input::Input;
use crate::metrics::{self, View};
use crate::output::{self, Folder};
use crate::simulate::Run;
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name and version of the form of results. The version changes when a key goes or changes its meaning.
const SCHEMA: &str = "gpusched.run/1";

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    schema: String,
    /// The hash of all that it depends on.
    pub key: String,
    /// That of the program that simulated.
    pub code: String,
    workload: String,
    /// Mode, version, dispatch, or policy inside SMs.
    way: String,
    scheduler: String,
    gpu: String,
    /// What it worked on.
    pub input: About,
    /// FNV-1a 64 of the verified result.
    pub checksum: String,
    /// Every figure of the run that is not a comparison with others.
    pub metrics: Map<String, Value>,
}

/// What a run worked on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    kind: String,
    /// Without folders.
    pub name: String,
    /// In words.
    pub size: String,
    /// What it is, its origin, its seed and its licence.
    pub provenance: String,
    /// FNV-1a 64 of what was loaded, of a graph or of keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

impl About {
    /// Of an input that is loaded.
    pub fn of(input: &Input) -> Self {
        Self {
            kind: input.kind().to_owned(),
            name: input.name().into_owned(),
            size: input.size(),
            provenance: input.provenance().into_owned(),
            checksum: input.checksum().map(hex),
        }
    }
}

fn hex(checksum: u64) -> String {
    format!("{checksum:016x}")
}

impl Record {
    /// Of a verified run. Nothing in it depends on the host.
    pub fn new(code: &str, point: &Point, input: &Input, run: &Run) -> Self {
        let view = View::of(run, &[]);
        let metrics = metrics::all(point.workload).map(|metric| (metric.key.to_owned(), metric.json(&view)));
        Self {
            schema: SCHEMA.to_owned(),
            key: point.key.clone(),
            code: code.to_owned(),
            workload: point.workload.name().to_owned(),
            way: run.variant.way.to_string(),
            scheduler: run.variant.scheduler().to_string(),
            gpu: run.variant.gpu.name.clone(),
            input: About::of(input),
            checksum: hex(run.verified.checksum),
            metrics: metrics.filter(|(_, value)| !value.is_null()).collect(),
        }
    }

    /// As it is kept.
    pub fn text(&self) -> Result<String, Failure> {
        output::json(self)
    }

    /// A figure, if the run has it.
    pub fn figure(&self, metric: &str) -> Option<f64> {
        self.metrics.get(metric).and_then(Value::as_f64)
    }
}

/// The results in a folder. Of its folders the inner ones are let go first, so that none is left that was made for nothing.
pub struct Store {
    /// Of results.
    runs: Folder,
    _above: Folder,
    /// Of the study's own files.
    out: Folder,
    path: PathBuf,
    code: String,
}

impl Store {
    /// The results of this program in the folder of results `out`.
    pub fn open(out: &Path) -> Result<Self, Failure> {
        let code = digest::of_code()?;
        let above = out.join("runs");
        let path = above.join(&code);
        // From the outside, so that each is known to be new.
        let (out, above) = (Folder::open(out)?, Folder::open(&above)?);
        Ok(Self { runs: Folder::open(&path)?, _above: above, out, path, code })
    }

    /// The result of this name, if there is one.
    pub fn load(&self, key: &str) -> Result<Option<Record>, Failure> {
        let path = self.path.join(file(key));
        let context = || format!("cannot take the result of a run from {}", path.display());
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.with_context(context)?,
        };
        Ok(Some(self.read(key, &text).with_context(context)?))
    }

    /// The result of this name, from its text.
    fn read(&self, key: &str, text: &str) -> anyhow::Result<Record> {
        let record: Record = serde_json::from_str(text)?;
        ensure!(record.code == self.code, "it is of build {} of the program; this is build {}", record.code, self.code);
        let is_it = (record.schema.as_str(), record.key.as_str()) == (SCHEMA, key);
        ensure!(is_it, "it is that of another run, or in another form");
        Ok(record)
    }

    /// Keeps the result of a run: it is there in full, or not at all.
    pub fn keep(&self, point: &Point, input: &Input, run: &Run) -> Result<(), Failure> {
        let record = Record::new(&self.code, point, input, run);
        self.runs.write(&file(&record.key), &record.text()?).map(|_| ())
    }

    /// Keeps the text of a result of this name, which the same program has kept in another folder.
    pub fn take(&self, key: &str, text: &str) -> Result<(), Failure> {
        self.read(key, text).with_context(|| format!("cannot keep a text as the result of run {key}"))?;
        self.runs.write(&file(key), text).map(|_| ())
    }

    /// Writes a file of the study.
    pub fn write(&self, name: &str, content: &str) -> Result<PathBuf, Failure> {
        self.out.write(name, content)
    }
}

fn file(key: &str) -> String {
    format!("{key}.json")
}
