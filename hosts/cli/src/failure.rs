//! How a command ends when it does not succeed: what is printed, and the exit status.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// Something went wrong on the way: status 1.
    Failed(anyhow::Error),
    /// What was asked for makes no sense: status 2, as clap has it.
    Usage(anyhow::Error),
    /// Ctrl-C or SIGTERM: status 130, as shells have it of the former.
    Interrupted,
    /// Whoever read our output has seen enough. Not an error: status 0.
    ClosedPipe,
}

impl Failure {
    /// Exit status of what is interrupted.
    pub const INTERRUPTED: i32 = 130;

    /// Says it on standard error.
    pub fn report(&self) -> ExitCode {
        let (text, status) = match self {
            Self::Failed(error) => (describe(error), 1),
            Self::Usage(error) => (describe(error), 2),
            Self::Interrupted => ("interrupted".to_owned(), Self::INTERRUPTED as u8),
            Self::ClosedPipe => return ExitCode::SUCCESS,
        };
        // Nobody is left to tell if this fails.
        let _ = writeln!(io::stderr(), "{text}");
        ExitCode::from(status)
    }
}

/// The error and its causes. Some errors repeat their cause in their own text; those causes are not said twice.
fn describe(error: &anyhow::Error) -> String {
    let mut text = format!("error: {error}");
    let mut said = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !said.ends_with(&cause) {
            let _ = write!(text, "\n  caused by: {cause}");
        }
        said = cause;
    }
    text.truncate(text.trim_end().len()); // some parsers end their texts with a line feed
    text
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// Errors of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Failed(anyhow::Error::new(error).context("cannot write to standard output")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn causes_are_listed_but_not_repeated() {
        let error = anyhow!("disk full").context("out/a.svg: disk full").context("cannot write the plot");
        assert_eq!(describe(&error), "error: cannot write the plot\n  caused by: out/a.svg: disk full");
    }
}
