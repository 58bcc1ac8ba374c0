//! The workloads and their options: what `--set bfs.min_child=16` and its kin change, and what reports say about each.

use crate::args::Workload;
use clap::ValueEnum;
use gpusched_refgpu::config::{Entry, Provenance};
use gpusched_refgpu::workload::{BfsOptions, LaunchOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Workload {
    /// The word for it on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Sssp => "sssp",
            Self::Clr => "clr",
            Self::Join => "join",
        }
    }

    /// The arguments that say what it works on.
    pub const fn takes(self) -> &'static str {
        match self {
            Self::Bfs | Self::Sssp => "--graph and --source",
            Self::Clr => "--graph",
            Self::Join => "--keys",
        }
    }

    /// How its result is verified.
    pub const fn verified(self) -> &'static str {
        match self {
            Self::Bfs => "every level verified against a sequential search",
            Self::Sssp => "every distance verified against Dijkstra's algorithm",
            Self::Clr => "neighbours differ; every colour verified against a sequential colouring",
            Self::Join => "every pair and their order verified against a nested loop",
        }
    }
}

/// The options of every workload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Breadth-first search.
    pub bfs: BfsOptions,
    /// Shortest paths.
    pub sssp: LaunchOptions,
    /// Graph colouring.
    pub clr: LaunchOptions,
    /// Join.
    pub join: LaunchOptions,
}

impl Options {
    /// Sets the option called `key` from a word, or says what is wrong with it. `None`: no workload's option.
    pub fn set(&mut self, key: &str, word: &str) -> Option<Result<(), String>> {
        let (name, field) = key.split_once('.')?;
        let workload = Workload::value_variants().iter().find(|workload| workload.name() == name)?;
        Some(match workload {
            Workload::Bfs => set_option(&mut self.bfs, field, word),
            Workload::Sssp => set_option(&mut self.sssp, field, word),
            Workload::Clr => set_option(&mut self.clr, field, word),
            Workload::Join => set_option(&mut self.join, field, word),
        })
    }

    /// The options of `workload`, in JSON.
    pub fn json(&self, workload: Workload) -> anyhow::Result<Value> {
        Ok(match workload {
            Workload::Bfs => serde_json::to_value(self.bfs)?,
            Workload::Sssp => serde_json::to_value(self.sssp)?,
            Workload::Clr => serde_json::to_value(self.clr)?,
            Workload::Join => serde_json::to_value(self.join)?,
        })
    }

    /// All of them, labelled as sheet `workloads` does.
    pub fn entries(&self) -> Vec<Entry> {
        let default = Self::default();
        let of = |workload, now, default| entries(workload, &now, &default);
        [
            of(Workload::Bfs, table(&self.bfs), table(&default.bfs)),
            of(Workload::Sssp, table(&self.sssp), table(&default.sssp)),
            of(Workload::Clr, table(&self.clr), table(&default.clr)),
            of(Workload::Join, table(&self.join), table(&default.join)),
        ]
        .concat()
    }
}

fn table(options: &impl Serialize) -> toml::Table {
    toml::Table::try_from(options).unwrap_or_default()
}

/// Sets one field of the options of a workload from a word: a TOML value, or a string without its quotes.
fn set_option<T: Serialize + DeserializeOwned>(options: &mut T, field: &str, word: &str) -> Result<(), String> {
    let mut table = toml::Table::try_from(&*options).map_err(|e| e.to_string())?;
    let value = format!("value = {word}").parse::<toml::Table>().ok().and_then(|mut t| t.remove("value"));
    table.insert(field.to_owned(), value.unwrap_or_else(|| toml::Value::String(word.to_owned())));
    *options = table.try_into().map_err(|e: toml::de::Error| e.message().to_owned())?;
    Ok(())
}

fn entries(workload: Workload, values: &toml::Table, default: &toml::Table) -> Vec<Entry> {
    let rows = OPTIONS.iter().filter(|row| values.contains_key(row.0));
    rows.map(|&(field, unit, doc, provenance, origin)| {
        let (key, value) = (format!("{}.{field}", workload.name()), Entry::word(values.get(field)));
        let (provenance, origin) = match (field, workload) {
            ("shape", Workload::Sssp | Workload::Clr | Workload::Join) => (Provenance::Ours, "W8: a warp"),
            _ => (provenance, origin),
        };
        let stated = Entry { key, value, unit, doc, provenance, origin: origin.to_owned() };
        stated.or_user(values.get(field) != default.get(field))
    })
    .collect()
}

type OptionRow = (&'static str, &'static str, &'static str, Provenance, &'static str);

const OPTIONS: &[OptionRow] = &[
    ("flat", "", "Form of mode flat: thread or merrill.", Provenance::Paper, "3.4.1: one thread per vertex"),
    (
        "min_child",
        "items",
        "Items (neighbours, matches) from which on a thread gives them to a child.",
        Provenance::Paper,
        "3.3: a warp's worth",
    ),
    ("cover", "", "How much of them the child takes: floor or all.", Provenance::Paper, "3.3"),
    (
        "shape",
        "",
        "Threads in the TBs of the child: var or { fixed = N }.",
        Provenance::Ours,
        "4.6.2.1 has variable sizes, gives none",
    ),
    (
        "launch_insts",
        "instructions",
        "Integer instructions of the launch call, per launching lane.",
        Provenance::Ours,
        "W6: not counted in 4.6.2.1",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_listed() {
        let listed = Options::default().entries();
        for (workload, fields) in [("bfs", table(&BfsOptions::default())), ("join", table(&LaunchOptions::default()))] {
            let listed: Vec<_> = listed.iter().filter_map(|e| e.key.strip_prefix(workload)).collect();
            assert!(fields.keys().all(|field| listed.contains(&format!(".{field}").as_str())), "{fields:?}");
            assert_eq!(fields.len(), listed.len());
        }
    }

    #[test]
    fn workloads_are_called_as_on_the_command_line() {
        for workload in Workload::value_variants() {
            assert_eq!(workload.to_possible_value().unwrap().get_name(), workload.name());
        }
    }
}
