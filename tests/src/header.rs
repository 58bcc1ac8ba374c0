//! The C header `include/gpusched.h`, as the crate `gpusched-abi` says it must be.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Where the header is checked in.
#[must_use]
pub fn path() -> PathBuf {
    workspace().join("include/gpusched.h")
}

/// The header's text.
///
/// # Errors
/// A crate or a configuration that the generator does not understand.
pub fn generate() -> Result<String> {
    let abi = workspace().join("ffi/abi");
    let mut config = cbindgen::Config::from_file(abi.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    config.export.include.extend(enumerations()?);
    let bindings = cbindgen::generate_with_config(&abi, config).context("the crate gpusched-abi")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    Ok(String::from_utf8(text)?)
}

/// Enumerations of the derived machines, which no function names.
fn enumerations() -> Result<Vec<String>> {
    let mut all = Vec::new();
    for file in std::fs::read_dir(workspace().join("ffi/api"))? {
        let file = file?.path();
        if file.extension().is_some_and(|e| e == "lock") {
            let lock = std::fs::read_to_string(file)?;
            let names = lock.lines().filter_map(|line| line.strip_prefix("enum ")?.split(' ').next());
            all.extend(names.map(str::to_owned));
        }
    }
    Ok(all)
}

/// The functions that a header declares.
#[must_use]
pub fn functions(text: &str) -> BTreeSet<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let before_brackets = code.filter_map(|line| line.split_once('(').map(|(before, _)| before));
    let names = before_brackets.filter_map(|before| before.rsplit([' ', '*']).next());
    names.filter(|name| name.starts_with("gpusched_")).map(str::to_owned).collect()
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}
