//! Where results are kept: a file each, in a folder of the code that made them, named by what they depend on. So nothing is overwritten,
//! and nothing is simulated twice, by one study or by several.

use super::digest::{self, Digest};
use super::point::Point;
use crate::failure::Failure;
use crate::input::Input;
use crate::metrics::{self, View};
use crate::output::{self, Folder};
use crate::simulate::Run;
use anyhow::{Context, ensure};
use gpusched_refgpu::stats::RunStats;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
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
    pub metrics: BTreeMap<String, Number>,
}

/// What a run gives, where that is no [`Record`].
pub trait Kept: Serialize + DeserializeOwned {
    /// Name and version of its form. The version changes when a key goes or changes its meaning.
    const SCHEMA: &'static str;
}

impl Kept for RunStats {
    const SCHEMA: &'static str = "gpusched.counts/1";
}

/// What every file begins with.
#[derive(Serialize, Deserialize)]
struct Head<'a> {
    schema: Cow<'a, str>,
    key: Cow<'a, str>,
    code: Cow<'a, str>,
}

/// The file of something that is kept.
#[derive(Serialize, Deserialize)]
struct Content<'a, T> {
    #[serde(flatten)]
    head: Head<'a>,
    result: T,
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
        let metrics = metrics::all(point.workload).filter_map(|metric| match metric.json(&view) {
            Value::Number(figure) => Some((metric.key.to_owned(), figure)),
            _ => None,
        });
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
            metrics: metrics.collect(),
        }
    }

    /// As it is kept.
    pub fn text(&self) -> Result<String, Failure> {
        output::json(self)
    }

    /// A figure, if the run has it.
    pub fn figure(&self, metric: &str) -> Option<f64> {
        self.metrics.get(metric).and_then(Number::as_f64)
    }
}

/// The results in a folder, to be looked at.
pub struct Results {
    path: PathBuf,
    code: String,
}

impl Results {
    /// Those of this program in the folder of results `out`, which need not be there.
    pub fn of(out: &Path) -> Result<Self, Failure> {
        let code = digest::of_code()?;
        Ok(Self { path: out.join("runs").join(&code), code })
    }

    /// The result of this name, if there is one.
    pub fn load(&self, key: &str) -> Result<Option<Record>, Failure> {
        self.find(key, SCHEMA)
    }

    /// What is kept under this name, if there is something, which is to be in this form.
    fn find<T: DeserializeOwned>(&self, key: &str, schema: &str) -> Result<Option<T>, Failure> {
        let path = self.path.join(file(key));
        let context = || {
            let file = path.display();
            format!("cannot take the result of a run from {file}; without the file the run is simulated again")
        };
        let text = match fs::read_to_string(&path) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            read => read.with_context(context)?,
        };
        Ok(Some(self.read(key, schema, &text).with_context(context)?))
    }

    /// What the text of a file holds, which is to be of this name and in this form.
    fn read<T: DeserializeOwned>(&self, key: &str, schema: &str, text: &str) -> anyhow::Result<T> {
        let head: Head<'_> = serde_json::from_str(text)?;
        ensure!(head.code == self.code, "it is of build {} of the program; this is build {}", head.code, self.code);
        ensure!((&*head.schema, &*head.key) == (schema, key), "it is that of another run, or in another form");
        Ok(serde_json::from_str(text)?)
    }
}

/// The results in a folder, to be looked at and added to. Of its folders the inner ones are let go first, so that none is left that was
/// made for nothing.
pub struct Store {
    results: Results,
    /// Of results.
    runs: Folder,
    _above: Folder,
    /// Of the study's own files.
    out: Folder,
}

impl Store {
    /// The results of this program in the folder of results `out`.
    pub fn open(out: &Path) -> Result<Self, Failure> {
        let results = Results::of(out)?;
        // From the outside, so that each is known to be new.
        let (out, above) = (Folder::open(out)?, Folder::open(&out.join("runs"))?);
        Ok(Self { runs: Folder::open(&results.path)?, _above: above, out, results })
    }

    /// Takes pictures as PNG, too, if that is asked for.
    pub fn with_png(self, png: bool) -> Result<Self, Failure> {
        Ok(Self { out: self.out.with_png(png)?, ..self })
    }

    /// The result of this name, if there is one.
    pub fn load(&self, key: &str) -> Result<Option<Record>, Failure> {
        self.results.load(key)
    }

    /// What a run gives that depends on all of `digest`: as it is kept, or else what `run` gives, which is kept from here on.
    pub fn kept<T: Kept>(&self, mut digest: Digest, run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        digest.add("schema", T::SCHEMA);
        let key = digest.hex(16);
        if let Some(Content { result, .. }) = self.results.find(&key, T::SCHEMA)? {
            return Ok(result);
        }
        let result = run()?;
        let head = Head { schema: T::SCHEMA.into(), key: key.as_str().into(), code: self.results.code.as_str().into() };
        self.runs.keep(&file(&key), output::json(&Content { head, result: &result })?)?;
        Ok(result)
    }

    /// Keeps the result of a run: it is there in full, or not at all.
    pub fn keep(&self, point: &Point, input: &Input, run: &Run) -> Result<(), Failure> {
        let record = Record::new(&self.results.code, point, input, run);
        self.runs.keep(&file(&record.key), record.text()?)
    }

    /// Keeps the text of a result of this name, which the same program has kept in another folder.
    pub fn take(&self, key: &str, text: &str) -> Result<(), Failure> {
        let read: anyhow::Result<Record> = self.results.read(key, SCHEMA, text);
        read.with_context(|| format!("cannot keep a text as the result of run {key}"))?;
        self.runs.keep(&file(key), text)
    }

    /// Writes a file of the study.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<PathBuf, Failure> {
        self.out.write(name, content)
    }

    /// Writes a picture of the study.
    pub fn draw(&self, stem: &str, svg: &str) -> Result<Vec<PathBuf>, Failure> {
        self.out.draw(stem, svg)
    }
}

fn file(key: &str) -> String {
    format!("{key}.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::energy::Energy;
    use gpusched_refgpu::front::DecideStats;
    use gpusched_refgpu::stats::{Spread, StreamStats};

    #[test]
    fn what_a_run_counted_is_read_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let digest = || {
            let mut digest = Digest::default();
            digest.add("what", "it depends on");
            digest
        };
        let wrong = [("BadSmx".to_owned(), 3)].into();
        let counted = RunStats {
            cycles: u64::MAX,
            occupancy: Spread { samples: 1, sum: 2, squares: u128::MAX },
            energy: Some(Energy { total_j: 0.1 + 0.2, mean_w: f64::MIN_POSITIVE, ..Energy::default() }),
            decide: Some(DecideStats { wrong, ..DecideStats::default() }),
            streams: vec![StreamStats { first_tb: Some(7), ..StreamStats::default() }],
            ..RunStats::default()
        };
        for counted in [counted, RunStats::default()] {
            let mut digest = digest();
            digest.add("cycles", &counted.cycles.to_string());
            assert_eq!(store.kept(digest.clone(), || Ok(counted.clone())).unwrap(), counted);
            assert_eq!(store.kept(digest, || -> Result<RunStats, _> { Err(Failure::Interrupted) }).unwrap(), counted);
        }
        assert!(store.kept::<RunStats>(digest(), || Err(Failure::Interrupted)).is_err(), "nothing is kept of it");
    }
}
