//! `gpusched policies`: who can decide which TB goes where, with sources and parameters.

use anyhow::anyhow;
use comfy_table::CellAlignment::Left;
use gpusched::policy::catalogue::{About, CatalogueConfig};
use serde::Serialize;

use crate::ask::Policies;
use crate::failure::Failure;
use crate::scheduler::{self, all, of_catalogue};
use crate::{suggest, table};

/// Where the policies are from that the catalogue does not have.
const BUILT_IN: &str = "built in";

/// A policy as it is told.
#[derive(Serialize)]
struct Told {
    name: String,
    does: &'static str,
    source: &'static str,
    /// In the source; none of those that are built in.
    place: Option<&'static str>,
    /// Of those that are built in, the machine has them.
    parameters: Vec<Parameter>,
    hazard: Option<&'static str>,
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
    /// The policy of this name, which does that.
    fn of(name: &str, does: &'static str) -> Result<Self, Failure> {
        let built_in = || Self {
            name: name.to_owned(),
            does,
            source: BUILT_IN,
            place: None,
            parameters: Vec::new(),
            hazard: None,
        };
        of_catalogue(name).map_or_else(|| Ok(built_in()), Self::from_catalogue)
    }

    fn from_catalogue(about: &About) -> Result<Self, Failure> {
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
            place: Some(about.place),
            parameters: about.parameters.iter().map(parameter).collect(),
            hazard: Some(about.hazard),
        })
    }

    fn text(&self) -> String {
        let Self { name, does, source, place, hazard, .. } = self;
        let place = place.unwrap_or("its parameters are those of gpusched config show");
        let words = [("what it does", (*does).to_owned()), ("source", format!("{source}: {place}"))];
        let words = words.into_iter().chain(hazard.map(|hazard| ("hazard", hazard.to_owned())));
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
            let (name, does) = all().find(|(known, _)| known == name).ok_or_else(|| unknown(name))?;
            let told = Told::of(&name, does)?;
            if args.json { json(&told) } else { Ok(told.text()) }
        }
        None if args.json => json(&all().map(|(name, does)| Told::of(&name, does)).collect::<Result<Vec<_>, _>>()?),
        None => {
            let source = |name: &str| of_catalogue(name).map_or(BUILT_IN, |about| about.source);
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
    Failure::Usage(anyhow!("no policy is called {name}{}", suggest::like(name, all().map(|(known, _)| known))))
}
