//! `gpusched reproduce all`: every study, one after the other.

use super::{SuiteName, run as one};
use crate::ask::{Machine, Reproduce};
use crate::failure::Failure;
use crate::output;
use anyhow::{Context, anyhow};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    generator: &'static str,
    /// By name, each in its own form.
    studies: BTreeMap<String, Value>,
}

/// Runs them, and gives their texts, or their JSON.
pub fn run(args: &Reproduce) -> Result<String, Failure> {
    let of_one = [
        ("--kernels", !args.kernels.is_empty()),
        ("--figures", !args.figures.is_empty()),
        ("--scale", args.scale.is_some()),
        ("--smoke", args.smoke),
        ("--gpu", args.machine.gpu.is_some()),
        ("--set", !args.machine.assignments.is_empty()),
    ];
    if let Some((option, _)) = of_one.into_iter().find(|(_, is)| *is) {
        return Err(Failure::Usage(anyhow!("{option}: it is of one study; reproduce all takes none")));
    }
    let mut texts = Vec::new();
    let mut studies = BTreeMap::new();
    for &suite in SuiteName::value_variants().iter().filter(|&&suite| suite != SuiteName::All) {
        output::remark(&format!("reproduce {}\n", suite.name()), args.quiet);
        let (kernels, figures, machine) = (Vec::new(), Vec::new(), Machine::default());
        let quick = !args.full;
        let text = one(&Reproduce { suite, kernels, figures, machine, quick, out: args.out.clone(), ..*args })?;
        if args.json {
            studies.insert(suite.name(), serde_json::from_str(&text).context("cannot read what a study wrote")?);
        } else {
            texts.push(format!("{}\n\n{text}", suite.name()));
        }
    }
    if args.json {
        let (schema, generator) = ("gpusched.reproduce-all/1", concat!("gpusched ", env!("CARGO_PKG_VERSION")));
        return output::json(&Document { schema, generator, studies });
    }
    Ok(texts.join("\n"))
}
