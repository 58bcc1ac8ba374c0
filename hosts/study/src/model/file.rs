//! Kernels in files.

use super::estimate::Asked;
use crate::failure::Failure;
use crate::input;
use anyhow::{Context, anyhow};
use gpusched::models::exec::{ExecConfig, ExecInputs, SizeUnit};
use gpusched_refgpu::config::plain_toml;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The form of a file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    name: String,
    #[serde(default)]
    size_unit: SizeUnit,
    #[serde(default)]
    clamp_bfp: bool,
    inputs: ExecInputs,
}

/// The kernel in a file.
pub fn read(path: &Path) -> Result<Asked, Failure> {
    let text = input::text(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let File { name, size_unit, clamp_bfp, inputs } = toml::from_str(&text)
        .map_err(|error| Failure::Failed(anyhow!("{}: {}", path.display(), plain_toml(&error))))?;
    let stem = || path.file_stem().map_or_else(|| "kernel".into(), |stem| stem.to_string_lossy().into_owned());
    let name = if name.is_empty() { stem() } else { name };
    Ok(Asked {
        name,
        of: path.display().to_string(),
        config: ExecConfig { size_unit, clamp_bfp },
        inputs,
        measured: None,
    })
}

/// A kernel as the text of a file.
pub fn text(asked: &Asked) -> Result<String, Failure> {
    let Asked { name, config: ExecConfig { size_unit, clamp_bfp }, inputs, .. } = asked;
    let file = File { name: name.clone(), size_unit: *size_unit, clamp_bfp: *clamp_bfp, inputs: *inputs };
    Ok(toml::to_string(&file).context("cannot write TOML")?)
}
