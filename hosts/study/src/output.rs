//! What leaves an experiment: JSON, files in the result folder, remarks on standard error. Pictures have a file of their own.

mod pictures;

use crate::failure::Failure;
use anyhow::{Context, anyhow};
use serde::Serialize;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile, TempPath};

pub use pictures::{Forms, NamedPicture};

/// Says something beside a result, unless the user wants to hear nothing else.
pub fn remark(text: &str, quiet: bool) {
    if !quiet {
        let _ = stderr().write_all(text.as_bytes()); // the result matters
    }
}

/// What a command prints that has written these files: its text and their names, or, with `--json`, its JSON with their names beside it.
pub fn answer(
    (json, quiet): (bool, bool),
    written: &[PathBuf],
    text: impl FnOnce() -> String,
    document: impl FnOnce() -> Result<String, Failure>,
) -> Result<String, Failure> {
    if json {
        remark(&names(written), quiet);
        return document();
    }
    Ok(with_files(text(), written, quiet))
}

/// A text, and behind it the names of the files that were written, unless the user wants to hear nothing else.
pub fn with_files(text: String, written: &[PathBuf], quiet: bool) -> String {
    if quiet || written.is_empty() { text } else { format!("{text}\n{}", names(written)) }
}

fn names(written: &[PathBuf]) -> String {
    written.iter().map(|path| format!("written: {}\n", path.display())).collect()
}

/// A value as indented JSON, with a line feed at the end.
pub fn json(value: &impl Serialize) -> Result<String, Failure> {
    let mut text = serde_json::to_string_pretty(value).context("cannot write JSON")?;
    text.push('\n');
    Ok(text)
}

/// A printed parameter as JSON: whole numbers and truth values as such.
pub fn number_or_word(value: &str) -> Value {
    match (value.parse::<u64>(), value.parse::<bool>()) {
        (Ok(number), _) => number.into(),
        (_, Ok(truth)) => truth.into(),
        _ => value.into(),
    }
}

/// What is not to stay if the program is ended.
#[derive(Debug)]
pub struct Unfinished {
    /// Folders that were made for files and hold none so far.
    folders: Vec<PathBuf>,
    /// Files that are not whole, which have other names so far.
    files: Vec<PathBuf>,
}

/// Whoever makes a folder or writes a file holds the lock, so that a program that is ended meanwhile leaves it in full or not at all.
static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished { folders: Vec::new(), files: Vec::new() });

fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes files that are not whole and folders that were made for nothing. Nothing is written while the result is held.
pub fn put_away() -> MutexGuard<'static, Unfinished> {
    let unfinished = unfinished();
    for file in &unfinished.files {
        let _ = fs::remove_file(file); // or it is gone already
    }
    // What was made last lies innermost.
    for folder in unfinished.folders.iter().rev() {
        let _ = fs::remove_dir(folder); // which spares a folder with files
    }
    unfinished
}

/// A folder that takes files. Made if it is not there; if nothing was written by the end, it is removed again.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    forms: Forms,
}

impl Folder {
    /// Makes sure, before anything takes long, that files can be written to `path`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let context = || format!("cannot write to folder {}", path.display());
        let folder = Self { path: path.to_owned(), forms: Forms::SVG };
        let mut unfinished = unfinished();
        let is_new = !path.exists();
        fs::create_dir_all(path).with_context(context)?;
        if is_new {
            unfinished.folders.push(path.to_owned());
        }
        let takes = tempfile::tempfile_in(path).with_context(context);
        drop(unfinished); // or else the folder could not be dropped
        takes?;
        Ok(folder)
    }

    /// Writes a file in one step: it is there in full, or as it was before.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<PathBuf, Failure> {
        self.put(name, content.as_ref(), false)
    }

    /// The same, where it has to be there in full also after a power cut.
    pub fn keep(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.put(name, content.as_ref(), true).map(drop)
    }

    fn put(&self, name: &str, content: &[u8], lasts: bool) -> Result<PathBuf, Failure> {
        let path = self.path.join(name);
        let _held = unfinished();
        let put = || -> anyhow::Result<()> {
            let mut file = self.unnamed()?;
            file.write_all(content)?;
            if lasts {
                // Its name must not be on the disk before its content is.
                file.as_file().sync_all()?;
            }
            file.persist(&path)?;
            Ok(())
        };
        put().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }

    /// A new file under another name than that which it is to have.
    fn unnamed(&self) -> io::Result<NamedTempFile> {
        let mut builder = Builder::new();
        builder.prefix(".gpusched-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666)); // less the umask, as any new file
        }
        builder.tempfile_in(&self.path)
    }

    /// Begins a file that is written while something goes on.
    fn draft(&self, name: &str) -> Result<(Draft, File), Failure> {
        let path = self.path.join(name);
        let mut unfinished = unfinished();
        let (file, unnamed) = self.unnamed().with_context(|| format!("cannot write {}", path.display()))?.into_parts();
        unfinished.files.push(unnamed.to_path_buf());
        Ok((Draft { unnamed: Some(unnamed), path }, file))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let folders = &mut unfinished().folders;
        if let Some(at) = folders.iter().position(|made| *made == self.path) {
            let _ = fs::remove_dir(&self.path); // which spares a folder with files
            folders.swap_remove(at);
        }
    }
}

/// A file that is being written: nothing stays of it unless it is kept.
#[derive(Debug)]
pub struct Draft {
    unnamed: Option<TempPath>,
    path: PathBuf,
}

impl Draft {
    /// The file is whole, and gets its name.
    pub fn keep(mut self) -> Result<PathBuf, Failure> {
        let _held = self.forget();
        if let Some(unnamed) = self.unnamed.take() {
            unnamed.persist(&self.path).with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        Ok(std::mem::take(&mut self.path))
    }

    /// It need not be put away any more.
    fn forget(&self) -> MutexGuard<'static, Unfinished> {
        let mut unfinished = unfinished();
        if let Some(unnamed) = &self.unnamed {
            unfinished.files.retain(|file| *file != **unnamed);
        }
        unfinished
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.unnamed.is_some() {
            let _held = self.forget();
            self.unnamed = None; // which removes it
        }
    }
}

/// A file, or several of one name, that an option asks for.
#[derive(Debug)]
pub struct NamedFile {
    folder: Folder,
    /// Its name without extension.
    stem: String,
    extension: &'static str,
}

impl NamedFile {
    /// Makes sure, before anything takes long, that `file` can be written. Its extension has to be this one.
    pub fn open(option: &str, file: &Path, extension: &'static str) -> Result<Self, Failure> {
        Self::one_of(option, file, &[extension])
    }

    /// The same, with one of these extensions.
    fn one_of(option: &str, file: &Path, extensions: &[&'static str]) -> Result<Self, Failure> {
        let is = |extension: &&&str| file.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        let Some((stem, extension)) = stem.zip(extensions.iter().find(is)) else {
            let expected = extensions.join(" or .");
            return Err(Failure::Usage(anyhow!(
                "{option} {}: expected a file name that ends in .{expected}",
                file.display()
            )));
        };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { stem: stem.to_owned(), extension, folder: Folder::open(folder)? })
    }

    /// Writes it; `part` goes behind its name.
    pub fn write(&self, part: &str, content: &str) -> Result<PathBuf, Failure> {
        self.folder.write(&self.name(part), content)
    }

    /// Begins it, to be written while something goes on.
    pub fn draft(&self, part: &str) -> Result<(Draft, File), Failure> {
        self.folder.draft(&self.name(part))
    }

    fn name(&self, part: &str) -> String {
        format!("{}{part}.{}", self.stem, self.extension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_for_files_only() {
        let base = tempfile::tempdir().unwrap();
        let (used, unused) = (base.path().join("a/b"), base.path().join("c"));
        Folder::open(&used).unwrap().write("x.txt", "x").unwrap();
        Folder::open(&unused).unwrap();
        assert_eq!(fs::read_to_string(used.join("x.txt")).unwrap(), "x");
        assert_eq!(fs::read_dir(&used).unwrap().count(), 1);
        assert!(!unused.exists());
    }

    #[test]
    fn a_folder_that_was_there_stays() {
        let base = tempfile::tempdir().unwrap();
        drop(Folder::open(base.path()).unwrap());
        assert!(base.path().exists());
    }
}
