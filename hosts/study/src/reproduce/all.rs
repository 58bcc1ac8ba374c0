//! `gpusched reproduce all`: every study, one after the other.

use super::told::Told;
use super::{SuiteName, one};
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

/// Runs them, and gives what they have come to, and all of it as JSON.
pub fn run(args: &Reproduce) -> Result<(Vec<Told>, String), Failure> {
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
    let mut all = Vec::new();
    for &suite in SuiteName::value_variants().iter().filter(|&&suite| suite != SuiteName::All) {
        output::remark(&format!("reproduce {}\n", suite.name()), args.quiet);
        let (kernels, figures, machine, report) = (Vec::new(), Vec::new(), Machine::default(), None);
        let quick = !args.full;
        all.push(one(&Reproduce { suite, kernels, figures, machine, report, quick, out: args.out.clone(), ..*args })?);
    }
    let parsed = |told: &Told| Ok((told.name.to_owned(), serde_json::from_str(&told.json)?));
    let studies = all.iter().map(parsed).collect::<Result<_, serde_json::Error>>();
    let studies = studies.context("cannot read what a study wrote")?;
    let (schema, generator) = ("gpusched.reproduce-all/1", concat!("gpusched ", env!("CARGO_PKG_VERSION")));
    let json = output::json(&Document { schema, generator, studies })?;
    Ok((all, json))
}

/// The texts, each below the name of its study if there are several.
pub fn text(all: Vec<Told>) -> String {
    match <[Told; 1]>::try_from(all) {
        Ok([one]) => one.text,
        Err(all) => all.iter().map(|told| format!("{}\n\n{}", told.name, told.text)).collect::<Vec<_>>().join("\n"),
    }
}
