//! What shells and manuals know of the command line, made of its arguments.

use crate::args::Cli;
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use gpusched_study::Failure;
use std::fs;
use std::path::Path;

/// What `shell` has to know.
pub fn completions(shell: Shell) -> String {
    let (mut command, mut text) = (Cli::command(), Vec::new());
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command, name, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes a page for each command into a folder, and tells where.
pub fn manual(folder: &Path) -> Result<String, Failure> {
    let context = || format!("cannot write to folder {}", folder.display());
    fs::create_dir_all(folder).with_context(context)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(context)?;
    Ok(format!("written: the pages, in {}\n", folder.display()))
}
