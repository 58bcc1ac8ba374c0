//! `decode ELF <LOG`: turns the defmt log of a firmware into text, a line per message, as it comes.
//!
//! The exit status is 0 only if the log was whole and had no message at level error.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use defmt_decoder::{DecodeError, Table};

fn main() -> Result<ExitCode> {
    let Some(path) = std::env::args_os().nth(1) else { bail!("usage: decode ELF <LOG") };
    let elf = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let table = Table::parse(&elf)?.with_context(|| format!("{} has no defmt data", path.display()))?;
    let mut decoder = table.new_stream_decoder();
    let (mut log, mut out) = (io::stdin().lock(), io::stdout().lock());
    let (mut bytes, mut errors) = ([0; 4096], 0);
    loop {
        let count = log.read(&mut bytes)?;
        if count == 0 {
            break;
        }
        decoder.received(&bytes[..count]);
        loop {
            let frame = match decoder.decode() {
                Ok(frame) => frame,
                Err(DecodeError::UnexpectedEof) => break,
                Err(DecodeError::Malformed) => bail!("the log is damaged"),
            };
            let level = frame.level().map_or("", |level| level.as_str());
            errors += u32::from(level == "error");
            writeln!(out, "{level:5} {}", frame.display_message())?;
        }
    }
    Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
