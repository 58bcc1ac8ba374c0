//! `gpusched config show`: the fully resolved configuration, every value with its unit and where it comes from.

use crate::ask::{self, Machine};
use crate::failure::Failure;
use crate::input::{Resolved, Setup};
use crate::{output, table};
use comfy_table::CellAlignment::{Left, Right};
use gpusched_refgpu::config::{GpuConfig, Provenance};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// The text of `config show`.
pub fn show(machine: &Machine, json: bool, toml: bool) -> Result<String, Failure> {
    let setup = Setup::resolve(machine, ask::GPU)?;
    if json {
        output::json(&Document::of(&setup))
    } else if toml {
        Ok(file(&setup.gpu))
    } else {
        Ok(for_people(&setup))
    }
}

fn for_people(setup: &Setup) -> String {
    let header = ["parameter", "value", "unit", "from", "origin"].map(str::to_owned).to_vec();
    let mut rows = table::new(header, &[Left, Right, Left, Left, Left]);
    let mut set = 0;
    for resolved in setup.entries() {
        let entry = resolved.entry();
        let origin = if resolved.is_set() {
            set += 1;
            let preset = resolved.preset();
            let was = format!("preset: {} ({}, {})", preset.value, preset.provenance.label(), preset.origin);
            if entry.origin.is_empty() { was } else { format!("{}; {was}", entry.origin) }
        } else {
            entry.origin.clone()
        };
        rows.add_row([&entry.key, &entry.value, entry.unit, resolved.label(), &origin]);
    }
    let set = match set {
        0 => "all as preset".to_owned(),
        n => format!("{n} set"),
    };
    format!("{}: {}; {set}\n\n{}", setup.gpu.name, setup.gpu.title, table::text(&rows))
}

/// A file that `--gpu` takes, with every parameter of the machine.
fn file(gpu: &GpuConfig) -> String {
    let string = |text: &str| toml::Value::from(text).to_string();
    let mut text = format!("base = {}\ntitle = {}\n", string(&gpu.name), string(&gpu.title));
    // A section's parameters may be told in several places; in a file it has one.
    let mut sections: Vec<(String, String)> = Vec::new();
    // What one part decides for another follows again when the file is read.
    for entry in gpu.configured() {
        let (of, field) = entry.key.split_once('.').unwrap_or(("", &entry.key));
        let value = match output::number_or_word(&entry.value) {
            // A table stands for itself.
            Value::String(word) if word.starts_with('{') => word,
            Value::String(word) => string(&word),
            other => other.to_string(),
        };
        let (from, origin) = (entry.provenance.label(), string(&entry.origin));
        let line = format!("{field} = {{ value = {value}, from = \"{from}\", origin = {origin} }}\n");
        match sections.iter_mut().find(|(section, _)| section == of) {
            Some((_, lines)) => lines.push_str(&line),
            None => sections.push((of.to_owned(), line)),
        }
    }
    for (section, lines) in sections {
        let _ = write!(text, "\n[{section}]\n{lines}");
    }
    text
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    gpu: String,
    title: String,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    key: String,
    value: Value,
    unit: &'static str,
    doc: &'static str,
    provenance: Provenance,
    origin: String,
    /// The preset's value, if this one is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    preset: Option<Value>,
}

impl Document {
    fn of(setup: &Setup) -> Self {
        let parameter = |resolved: Resolved| {
            let entry = resolved.entry();
            Parameter {
                key: entry.key.clone(),
                value: output::number_or_word(&entry.value),
                unit: entry.unit,
                doc: entry.doc,
                provenance: entry.provenance,
                origin: entry.origin.clone(),
                preset: resolved.is_set().then(|| output::number_or_word(&resolved.preset().value)),
            }
        };
        Self {
            schema: "gpusched.config/1",
            gpu: setup.gpu.name.clone(),
            title: setup.gpu.title.clone(),
            parameters: setup.entries().map(parameter).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_gives_the_same_machine() {
        let mut gpu = GpuConfig::preset("gtx480").unwrap();
        gpu.set("sm.policy", "lrr").unwrap();
        gpu.set("l1.pending_as_hit", "true").unwrap();
        gpu.set("dtbl.agt_miss", "device").unwrap();
        let read = GpuConfig::from_toml(&file(&gpu)).unwrap();
        let values = |gpu: &GpuConfig| gpu.resolved().map(|entry| (entry.key, entry.value)).collect::<Vec<_>>();
        assert_eq!(values(&read), values(&gpu));
    }
}
