//! A program's trace as a whole: what the host asks for, and what is in each kernel.

use crate::commands::{Command, Commands};
use crate::error::TraceError;
use crate::header::Header;
use crate::isa::Space;
use crate::kernel::Kernel;
use crate::summary::{Bytes, Summary};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of a list in its folder.
pub const LIST: &str = "kernelslist.g";

/// What a list asks for, or a kernel alone, read to its end once.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The folder of the list, or the kernel's file without what stands for its form.
    pub name: String,
    /// What the host copies.
    pub copies: Copies,
    /// The kernels, in the order of their launches; at least one.
    pub kernels: Vec<Traced>,
}

/// What the host copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Copies {
    /// Copies to the device.
    pub to_device: u64,
    /// Their bytes.
    pub to_device_bytes: u64,
    /// Copies back.
    pub to_host: u64,
    /// Their bytes.
    pub to_host_bytes: u64,
}

/// A kernel's trace that has been read to its end.
#[derive(Clone, Debug)]
pub struct Traced {
    /// Where it is.
    pub file: PathBuf,
    /// Its head.
    pub header: Header,
    /// What is in it.
    pub summary: Summary,
}

/// The list in a folder, or the file itself.
fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(LIST) } else { path.to_owned() }
}

/// Lists are told by their name, as their lines are too free to be told by what they say.
fn is_list(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("kernelslist"))
}

/// What a program is called.
fn name(file: &Path) -> String {
    let whole = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let named = if is_list(&whole) { whole.parent().unwrap_or(&whole) } else { &whole };
    let name = named.file_name().unwrap_or_default().to_string_lossy();
    let ends = [".traceg", ".tracez"];
    ends.iter().find_map(|end| Some(name.split_once(end)?.0)).unwrap_or(&name).to_owned()
}

impl Traced {
    /// Reads the trace of a kernel to its end; none if `stop` said so, which is asked now and then.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(file: &Path, stop: &mut dyn FnMut() -> bool) -> Result<Option<Self>, TraceError> {
        let mut kernel = Kernel::open(file)?;
        let summary = if stop() { None } else { Summary::of(&mut kernel, stop)? };
        Ok(summary.map(|summary| Self { file: file.to_owned(), header: kernel.header().clone(), summary }))
    }
}

impl Program {
    /// Reads a list, the list in a folder, or the trace of one kernel, with all kernels to their ends, one after the other; none if `stop`
    /// said so, which is asked now and then.
    ///
    /// # Errors
    /// What is wrong with a file, and a list that launches no kernel.
    pub fn read(path: &Path, stop: &mut dyn FnMut() -> bool) -> Result<Option<Self>, TraceError> {
        let (program, files) = Self::listed(path)?;
        let kernels = files.iter().map(|file| Traced::read(file, stop)).collect::<Result<Option<_>, _>>()?;
        Ok(kernels.map(|kernels| Self { kernels, ..program }))
    }

    /// What a list says, without its kernels, and their traces in the order of their launches: for whoever [reads](Traced::read) several at a
    /// time.
    ///
    /// # Errors
    /// What is wrong with the list, and one that launches no kernel.
    pub fn listed(path: &Path) -> Result<(Self, Vec<PathBuf>), TraceError> {
        let path = file(path);
        let mut program = Self { name: name(&path), ..Self::default() };
        if !is_list(&path) {
            return Ok((program, vec![path]));
        }
        let (mut commands, mut files) = (Commands::open(&path)?, Vec::new());
        let copies = &mut program.copies;
        while let Some(command) = commands.next()? {
            match command {
                Command::CopyToDevice { bytes, .. } => {
                    copies.to_device += 1;
                    copies.to_device_bytes = copies.to_device_bytes.saturating_add(bytes);
                }
                Command::CopyToHost { bytes, .. } => {
                    copies.to_host += 1;
                    copies.to_host_bytes = copies.to_host_bytes.saturating_add(bytes);
                }
                Command::Launch(file) => files.push(file),
            }
        }
        if files.is_empty() {
            return Err(TraceError::Empty { file: path.display().to_string() });
        }
        Ok((program, files))
    }

    /// The files that a program is in: the list, if there is one, and the kernels' traces, none of which is opened.
    ///
    /// # Errors
    /// What is wrong with the list.
    pub fn files(path: &Path) -> Result<Vec<PathBuf>, TraceError> {
        let path = file(path);
        let mut files = vec![path.clone()];
        if is_list(&path) {
            let mut commands = Commands::open(&path)?;
            while let Some(command) = commands.next()? {
                if let Command::Launch(file) = command {
                    files.push(file);
                }
            }
        }
        Ok(files)
    }

    /// The head of the first kernel, without reading further.
    ///
    /// # Errors
    /// As [`read`](Program::read), up to there.
    pub fn first_header(path: &Path) -> Result<Header, TraceError> {
        let path = file(path);
        if !is_list(&path) {
            return Ok(Kernel::open(&path)?.header().clone());
        }
        let mut commands = Commands::open(&path)?;
        while let Some(command) = commands.next()? {
            if let Command::Launch(file) = command {
                return Ok(Kernel::open(&file)?.header().clone());
            }
        }
        Err(TraceError::Empty { file: path.display().to_string() })
    }

    /// Bytes that lanes ask for, by memory.
    pub fn bytes(&self) -> BTreeMap<Space, Bytes> {
        let mut sums = BTreeMap::<Space, Bytes>::new();
        for (&space, bytes) in self.kernels.iter().flat_map(|kernel| &kernel.summary.bytes) {
            let sum = sums.entry(space).or_default();
            sum.loaded = sum.loaded.saturating_add(bytes.loaded);
            sum.stored = sum.stored.saturating_add(bytes.stored);
            sum.atomic = sum.atomic.saturating_add(bytes.atomic);
        }
        sums
    }

    /// The sum over kernels of what is counted by name.
    pub fn counts(&self, of: impl Fn(&Summary) -> &BTreeMap<String, u64>) -> BTreeMap<&str, u64> {
        let mut sums = BTreeMap::new();
        for kernel in &self.kernels {
            for (name, &n) in of(&kernel.summary) {
                *sums.entry(name.as_str()).or_default() += n;
            }
        }
        sums
    }

    /// The sum over kernels.
    pub fn sum(&self, of: impl Fn(&Summary) -> u64) -> u64 {
        self.kernels.iter().map(|kernel| of(&kernel.summary)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_as_its_file_is_without_its_form() {
        for file in ["a/kernel-1.traceg", "kernel-1.traceg.xz", "kernel-1.tracez", "kernel-1/kernelslist.g"] {
            assert_eq!(name(Path::new(file)), "kernel-1", "{file}");
        }
    }
}
