//! What the host did: the file `kernelslist.g`.

use crate::error::{TraceError, Wrong};
use crate::lines::Lines;
use crate::words::{decimal, hex, quoted};
use std::path::{Path, PathBuf};

/// What a line of the list asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The host copies memory to the device.
    CopyToDevice {
        /// Where to, in the device's memory.
        address: u64,
        /// How much.
        bytes: u64,
    },
    /// The host copies memory back.
    CopyToHost {
        /// Where from, in the device's memory.
        address: u64,
        /// How much.
        bytes: u64,
    },
    /// A kernel is launched whose trace is this file.
    Launch(PathBuf),
}

/// A list of commands, in the order of their issue. Which stream a kernel is in its own trace tells; waits of the host or between
/// streams no tracer records.
#[derive(Debug)]
pub struct Commands {
    lines: Lines<'static>,
    folder: PathBuf,
}

impl Commands {
    /// Opens a list. Kernels lie beside it.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { lines: Lines::open(path)?, folder })
    }

    /// The next command; none at the end.
    ///
    /// # Errors
    /// What is wrong with the line, or the file.
    #[expect(clippy::should_implement_trait, reason = "an iterator has no place for its errors")]
    pub fn next(&mut self) -> Result<Option<Command>, TraceError> {
        let Some(line) = self.lines.advance()? else { return Ok(None) };
        command(line, &self.folder).map(Some).map_err(|wrong| self.lines.wrong(wrong))
    }
}

fn command(line: &str, folder: &Path) -> Result<Command, Wrong> {
    let mut words = line.split(',').map(str::trim);
    let word = words.next().unwrap_or_default();
    if word.starts_with("kernel") {
        // Names are of files beside the list: a list from elsewhere opens nothing else.
        if word.contains(['/', '\\']) || line.contains(',') {
            return Err(Wrong::new("the name of a file beside the list", quoted(line)));
        }
        return Ok(Command::Launch(folder.join(word)));
    }
    let (Some(address), Some(bytes), None) = (words.next(), words.next(), words.next()) else {
        return Err(Wrong::new("kernel-..., or MemcpyHtoD,ADDRESS,BYTES", quoted(line)));
    };
    let (address, bytes) = (hex(address, "an address in hexadecimal")?, decimal(bytes, "a number of bytes")?);
    match word {
        "MemcpyHtoD" => Ok(Command::CopyToDevice { address, bytes }),
        "MemcpyDtoH" => Ok(Command::CopyToHost { address, bytes }),
        _ => Err(Wrong::new("kernel-..., MemcpyHtoD or MemcpyDtoH", quoted(word))),
    }
}
