//! Runs the program in a folder of its own, as a person would.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder to run in. Nothing is ever written elsewhere.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Puts a file there.
    pub fn put(&self, name: &str, content: &str) {
        std::fs::write(self.path().join(name), content).unwrap();
    }

    /// The program with these words as arguments, split at blanks.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpusched"));
        command.args(words.split_whitespace()).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, words: &str) -> Ended {
        Ended::of(self.command(words).output().unwrap())
    }

    /// The same, with something on its standard input.
    pub fn run_with(&self, words: &str, input: &[u8]) -> Ended {
        let mut command = self.command(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input); // one that refuses to run reads nothing
        Ended::of(child.wait_with_output().unwrap())
    }

    /// Names of the files below the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(self.path()).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }
}

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// That it succeeded and, as nobody is at a terminal, showed no progress; gives what it printed.
    #[track_caller]
    pub fn stdout(self) -> String {
        assert_eq!(self.status, Some(0), "{self:?}");
        assert!(self.stderr.lines().all(|line| line.starts_with("written: ")), "{self:?}");
        self.stdout
    }

    /// That it failed with this status and an error that says all of this, and printed nothing else.
    #[track_caller]
    pub fn refused(&self, status: i32, says: &[&str]) {
        assert_eq!((self.status, self.stdout.as_str()), (Some(status), ""), "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        for part in says {
            assert!(self.stderr.contains(part), "no {part:?} in {self:?}");
        }
        assert!(!self.stderr.contains("panicked"), "{self:?}");
    }
}

/// What the program printed as JSON.
#[track_caller]
pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}
