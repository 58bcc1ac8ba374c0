//! Why an experiment came to nothing.

use std::fmt;

/// Why an experiment stopped.
#[derive(Debug)]
pub enum Failure {
    /// Something went wrong on the way.
    Failed(anyhow::Error),
    /// What was asked for makes no sense.
    Usage(anyhow::Error),
    /// [`interrupt::request`](crate::interrupt::request) was called.
    Interrupted,
}

/// The error and its causes. Some errors repeat their cause in their own text; those causes are not said twice.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Failed(error) | Self::Usage(error)) = self else { return f.write_str("interrupted") };
        let mut said = error.to_string();
        let mut text = said.clone();
        for cause in error.chain().skip(1).map(ToString::to_string) {
            if !said.ends_with(&cause) {
                text += &format!("\n  caused by: {cause}");
            }
            said = cause;
        }
        f.write_str(text.trim_end()) // some parsers end their texts with a line feed
    }
}

impl std::error::Error for Failure {}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn causes_are_listed_but_not_repeated() {
        let error = anyhow!("disk full").context("out/a.svg: disk full").context("cannot write the plot");
        assert_eq!(Failure::from(error).to_string(), "cannot write the plot\n  caused by: out/a.svg: disk full");
    }
}
