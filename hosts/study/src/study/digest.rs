//! The name of a result: a hash of everything that it depends on.

use super::store::About;
use crate::failure::Failure;
use crate::input::Input;
use crate::job::Job;
use crate::output;
use crate::way::Way;
use anyhow::{Context, anyhow};
use gpusched_refgpu::config::{Entry, GpuConfig, Sharing};
use gpusched_refgpu::gpu::RunOptions;
use gpusched_workloads::catalogue::{self, Request};
use gpusched_workloads::graph::read::STANDARD_INPUT;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, btree_map};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Parts of what a result depends on, each by its name.
#[derive(Clone, Debug, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// All that a run of a job in this way depends on, on this machine.
    pub fn of_run(job: Job<'_>, way: Way, (gpu, run): &(GpuConfig, RunOptions)) -> Result<Self, Failure> {
        let mut digest = Self::default();
        digest.add("workload", job.workload.name());
        digest.add("options", &job.setup.options.json(job.workload)?.to_string());
        digest.add("way", &way.to_string());
        digest.machine(gpu, *run);
        match job.input {
            Input::Kernel { kernel, request } => digest.kernel(kernel.0, *request),
            // Its files are not at hand any more.
            Input::Trace(_) => return Err(anyhow!("a run of a trace has no name without the trace's files").into()),
            input => digest.add("input", &output::json(&About::of(input))?),
        }
        if let Input::Graph { source, .. } = job.input {
            digest.add("source", &source.to_string());
        }
        Ok(digest)
    }

    /// All that is known of a kernel by running it alone depends on (refgpu-G2), but the program: what shares SMs has no effect then.
    pub fn of_alone(entry: &catalogue::Entry, request: Request, gpu: &GpuConfig) -> Self {
        let mut alone = gpu.clone();
        (alone.tlp.switch.policy, alone.streams) = (Sharing::Off, Default::default());
        let run = RunOptions::default();
        let mut digest = Self::default();
        digest.kernel(entry, request);
        let has_effect = |entry: &Entry| alone.idle(&entry.key, &run).is_none();
        alone.resolved().filter(has_effect).for_each(|entry| digest.add(&entry.key, &entry.value));
        digest
    }

    /// The machine as it runs, and how.
    pub fn machine(&mut self, gpu: &GpuConfig, run: RunOptions) {
        self.add("run", &format!("{run:?}"));
        self.add("gpu", &gpu.name);
        gpu.resolved().for_each(|entry| self.add(&entry.key, &entry.value));
    }

    /// A kernel, and what is asked of it. How much memory is free is all one.
    pub fn kernel(&mut self, entry: &catalogue::Entry, request: Request) {
        self.add("kernel", entry.name);
        self.add("descriptors", &format!("{:?}", entry.specs()));
        self.add("request", &format!("{:?}", Request { memory: 0, ..request }));
    }

    /// A part of this name. Where it ends is part of it.
    pub fn add(&mut self, name: &str, content: &str) {
        for text in [name, content] {
            self.0.update((text.len() as u64).to_le_bytes());
            self.0.update(text);
        }
    }

    /// As so many hexadecimal digits, at most 64.
    pub fn hex(self, digits: usize) -> String {
        let mut text: String = self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        text.truncate(digits);
        text
    }
}

/// What is in files, each of which is read once however many runs it is in.
#[derive(Debug, Default)]
pub struct Files(BTreeMap<PathBuf, String>);

impl Files {
    /// A hash of the content of the file that `option` names.
    pub fn content(&mut self, option: &str, path: &Path) -> Result<&str, Failure> {
        if path.as_os_str() == STANDARD_INPUT {
            let text = "standard input can be read once; the runs of a study need a file";
            return Err(Failure::Usage(anyhow!("{option}: {text}")));
        }
        Ok(match self.0.entry(path.to_owned()) {
            btree_map::Entry::Occupied(known) => known.into_mut(),
            btree_map::Entry::Vacant(new) => new.insert(of_file(path).map_err(Failure::Usage)?),
        })
    }
}

impl Digest {
    /// What is in a file that an option names, and its name, by which results tell it.
    pub fn named(&mut self, files: &mut Files, option: &str, path: &Path) -> Result<(), Failure> {
        self.add(option, files.content(option, path)?);
        self.name(option, path);
        Ok(())
    }

    /// The name of a file or folder, without those above it.
    pub fn name(&mut self, option: &str, path: &Path) {
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.add(option, &name.to_string_lossy());
    }
}

fn of_file(path: &Path) -> anyhow::Result<String> {
    let digest = digest_of(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(digest.hex(64))
}

/// Piece by piece, as files may be longer than memory.
fn digest_of(path: &Path) -> io::Result<Digest> {
    let mut digest = Digest::default();
    let mut file = BufReader::new(File::open(path)?);
    loop {
        let piece = file.fill_buf()?;
        if piece.is_empty() {
            return Ok(digest);
        }
        digest.0.update(piece);
        let length = piece.len();
        file.consume(length);
    }
}

/// Where the code is, if it is not in the running program.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

/// This code is part of a library, in this file, which another program has loaded.
pub fn is_in_library(file: PathBuf) {
    LIBRARY.get_or_init(|| file);
}

/// The code that simulates: the running program, or a library in it. Results of another one, and of one that was built anew, are others.
/// It is read once, and stays what it was while it runs.
pub fn of_code() -> Result<String, Failure> {
    static CODE: OnceLock<String> = OnceLock::new();
    if let Some(code) = CODE.get() {
        return Ok(code.clone());
    }
    let file = match LIBRARY.get() {
        Some(file) => file.clone(),
        None => std::env::current_exe().context("which program runs is not known")?,
    };
    let code = of_file(&file)?[..12].to_owned();
    Ok(CODE.get_or_init(|| code).clone())
}
