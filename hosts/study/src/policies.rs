//! `gpusched policies`: who can decide which TB goes where, with sources and parameters.

use anyhow::anyhow;
use comfy_table::CellAlignment::Left;
use gpusched::policy::catalogue::{About, CatalogueConfig};
use serde::Serialize;

use crate::ask::Policies;
use crate::failure::Failure;
use crate::scheduler::{self, all, of_catalogue};
use crate::{suggest, table};

/// A policy of the catalogue as it is told.
#[derive(Serialize)]
struct Told {
    name: String,
    does: &'static str,
    source: &'static str,
    place: &'static str,
    parameters: Vec<Parameter>,
    hazard: &'static str,
}

/// One of its parameters.
#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    default: toml::Value,
    provenance: &'static str,
    origin: &'static str,
}

impl Told {
    fn of(about: &About) -> Result<Self, Failure> {
        let config = CatalogueConfig::of(about.policy);
        let values = toml::Table::try_from(config).map_err(|e| Failure::Failed(e.into()))?;
        let parameter = |reads: &gpusched::policy::catalogue::Reads| Parameter {
            name: reads.name,
            default: values.get(reads.name).cloned().unwrap_or_else(|| toml::Value::Array(Vec::new())),
            provenance: reads.provenance.label(),
            origin: reads.origin,
        };
        Ok(Self {
            name: scheduler::word(about),
            does: about.does,
            source: about.source,
            place: about.place,
            parameters: about.parameters.iter().map(parameter).collect(),
            hazard: about.hazard,
        })
    }

    fn text(&self) -> String {
        let Self { name, does, source, place, hazard, .. } = self;
        let words = [
            ("what it does", (*does).to_owned()),
            ("source", format!("{source}: {place}")),
            ("hazard", (*hazard).to_owned()),
        ];
        let mut text = format!("{name}\n\n{}", table::text(&table::remarks(words)));
        if !self.parameters.is_empty() {
            let header = ["parameter", "default", "provenance", "from"].map(String::from);
            let mut rows = table::new(header.to_vec(), &[Left; 4]);
            for p in &self.parameters {
                let default = p.default.to_string();
                rows.add_row([p.name, default.trim_matches('"'), p.provenance, p.origin]);
            }
            text += &format!("\n{}\n--sched {name}:{}=...\n", table::text(&rows), self.parameters[0].name);
        }
        text
    }
}

/// All of them, or one.
pub fn list(args: &Policies) -> Result<String, Failure> {
    match &args.name {
        Some(name) => {
            let about = of_catalogue(name).ok_or_else(|| unknown(name))?;
            let told = Told::of(about)?;
            if args.json { json(&told) } else { Ok(told.text()) }
        }
        None if args.json => json(&About::ALL.iter().map(Told::of).collect::<Result<Vec<_>, _>>()?),
        None => {
            let source = |name: &str| of_catalogue(name).map_or("built in", |about| about.source);
            let mut rows = table::new(["policy", "source", "what it does"].map(String::from).to_vec(), &[Left; 3]);
            for (name, does) in all() {
                rows.add_row([name.as_str(), source(&name), does]);
            }
            Ok(format!(
                "{}\nMore of one: gpusched policies NAME. At work: gpusched compare --sched NAME,NAME:PARAMETER=VALUE\n",
                table::text(&rows)
            ))
        }
    }
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Failure::Failed(e.into()))?;
    Ok(text + "\n")
}

fn unknown(name: &str) -> Failure {
    let built_in = all().any(|(word, _)| word == name);
    Failure::Usage(if built_in {
        anyhow!("{name} is built in; its parameters are those of gpusched config show")
    } else {
        anyhow!("no policy is called {name}{}", suggest::like(name, About::ALL.iter().map(scheduler::word)))
    })
}
