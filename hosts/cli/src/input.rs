//! From arguments to what a simulation needs: the graph, the machine, the options of the workload.

use crate::args::{Assignment, Machine};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Reading;
use anyhow::{Context, anyhow};
use gpusched_refgpu::config::{ConfigError, Entry, GpuConfig, Provenance};
use gpusched_refgpu::graph::{Csr, GraphError, GraphSource};
use gpusched_refgpu::workload::BfsOptions;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// A graph with what a report says about it, for several simulations at a time.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Name without folders.
    pub name: String,
    /// What it is, its origin and its licence, in one line.
    pub provenance: String,
    /// The graph.
    pub csr: Arc<Csr>,
}

/// Loads a graph, with a progress display for files.
pub fn graph(source: &GraphSource, quiet: bool) -> Result<Graph, Failure> {
    let mut reading = Reading::new(source, quiet);
    let loaded = source.load(&mut |progress| {
        reading.update(progress);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match loaded {
        Ok(graph) => Ok(Graph { name: graph.name, provenance: graph.provenance, csr: Arc::new(graph.csr) }),
        Err(GraphError::Cancelled) => Err(Failure::Interrupted),
        Err(error) => Err(Failure::Failed(error.into())),
    }
}

/// The vertex to start from: `asked`, if the graph has it, else the one with most neighbours.
pub fn source_vertex(graph: &Graph, asked: Option<u32>) -> Result<u32, Failure> {
    match asked {
        None => Ok(graph.csr.source()),
        Some(vertex) if vertex < graph.csr.vertices() => Ok(vertex),
        Some(vertex) => Err(Failure::Usage(anyhow!(
            "--source {vertex}: the vertices of {} are 0 to {}",
            graph.name,
            graph.csr.vertices() - 1
        ))),
    }
}

/// The machine and the options of every workload, as preset and as asked for.
#[derive(Debug)]
pub struct Setup {
    /// The machine.
    pub gpu: GpuConfig,
    /// The preset that it started as.
    pub preset: GpuConfig,
    /// Options of the breadth-first search.
    pub bfs: BfsOptions,
}

impl Setup {
    /// Resolves `--gpu` and `--set`.
    pub fn resolve(machine: &Machine) -> Result<Self, Failure> {
        Self::try_resolve(machine).map_err(Failure::Usage)
    }

    fn try_resolve(machine: &Machine) -> anyhow::Result<Self> {
        let mut gpu = gpu(&machine.gpu)?;
        let preset = GpuConfig::preset(&gpu.name)?;
        let mut bfs = BfsOptions::default();
        for assignment @ Assignment { key, value } in &machine.assignments {
            match key.split_once('.') {
                Some(("bfs", field)) => set_option(&mut bfs, field, value).map_err(|e| in_set(assignment, &e))?,
                _ => gpu.set(key, value).map_err(|e| match e {
                    ConfigError::UnknownKey(_) => anyhow!("--set {key}: no such parameter (see gpusched config show)"),
                    other => anyhow!("--set {other}"),
                })?,
            }
        }
        gpu.check().map_err(|e| anyhow!("{e} (after --gpu and --set)"))?;
        Ok(Self { gpu, preset, bfs })
    }

    /// Every parameter and option, in the order of the sheets, each with what it is by default.
    pub fn entries(&self) -> impl Iterator<Item = Resolved> {
        let machine = self.gpu.resolved().zip(self.preset.resolved());
        let options = bfs_entries(&self.bfs).into_iter().zip(bfs_entries(&BfsOptions::default()));
        machine.chain(options).map(|(now, preset)| Resolved { now, preset })
    }
}

/// A parameter as it is, and as its preset has it.
#[derive(Debug)]
pub struct Resolved {
    now: Entry,
    preset: Entry,
}

impl Resolved {
    /// Whether the value is another than the preset's.
    pub fn is_set(&self) -> bool {
        self.now.value != self.preset.value
    }

    /// The parameter. One that was set to the value it had keeps its provenance.
    pub fn entry(&self) -> &Entry {
        if self.is_set() { &self.now } else { &self.preset }
    }

    /// The parameter of the preset.
    pub fn preset(&self) -> &Entry {
        &self.preset
    }

    /// The word for where the value comes from.
    pub fn label(&self) -> &'static str {
        match self.entry().provenance {
            Provenance::User => "set",
            other => other.label(),
        }
    }
}

/// A preset by its name, or a TOML file; a path is told by a dot or a slash in it.
fn gpu(given: &str) -> anyhow::Result<GpuConfig> {
    if !given.contains(['.', '/', '\\']) {
        return GpuConfig::preset(given)
            .map_err(|error| anyhow!("--gpu {error}; or the path of a TOML file, with a dot or a slash in it"));
    }
    let context = || format!("cannot take the GPU from {given}");
    let text = std::fs::read_to_string(Path::new(given)).with_context(context)?;
    GpuConfig::from_toml(&text).with_context(context)
}

fn in_set(Assignment { key, value }: &Assignment, reason: &str) -> anyhow::Error {
    anyhow!("--set {key} = {value}: {reason}")
}

/// Sets one field of the options of a workload from a word: a TOML value, or a string without its quotes.
fn set_option<T: Serialize + DeserializeOwned>(options: &mut T, field: &str, word: &str) -> Result<(), String> {
    let mut table = toml::Table::try_from(&*options).map_err(|e| e.to_string())?;
    let value = format!("value = {word}").parse::<toml::Table>().ok().and_then(|mut t| t.remove("value"));
    table.insert(field.to_owned(), value.unwrap_or_else(|| toml::Value::String(word.to_owned())));
    *options = table.try_into().map_err(|e: toml::de::Error| e.message().to_owned())?;
    Ok(())
}

/// The options of the breadth-first search, labelled as sheet `workloads` does.
fn bfs_entries(options: &BfsOptions) -> Vec<Entry> {
    let values = toml::Table::try_from(options).unwrap_or_default();
    let default = toml::Table::try_from(BfsOptions::default()).unwrap_or_default();
    BFS_OPTIONS
        .iter()
        .map(|&(field, unit, doc, provenance, origin)| {
            let (key, value) = (format!("bfs.{field}"), Entry::word(values.get(field)));
            let stated = Entry { key, value, unit, doc, provenance, origin: origin.to_owned() };
            stated.or_user(values.get(field) != default.get(field))
        })
        .collect()
}

type OptionRow = (&'static str, &'static str, &'static str, Provenance, &'static str);

const BFS_OPTIONS: &[OptionRow] = &[
    ("flat", "", "Form of mode flat: thread or merrill.", Provenance::Paper, "3.4.1: one thread per vertex"),
    (
        "min_child",
        "neighbours",
        "Neighbours from which on a vertex is given to a child.",
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
    use gpusched_refgpu::workload::bfs::{Cover, FlatForm, Shape};

    fn setup(sets: &[&str]) -> anyhow::Result<Setup> {
        let assignments = sets
            .iter()
            .map(|word| word.split_once('=').unwrap())
            .map(|(key, value)| Assignment { key: key.to_owned(), value: value.to_owned() })
            .collect();
        Setup::try_resolve(&Machine { gpu: "k20c".to_owned(), assignments })
    }

    #[test]
    fn options_of_the_workload_are_set_by_word() {
        let words = ["bfs.min_child=16", "bfs.cover=all", "bfs.flat=merrill", "bfs.shape={ fixed = 64 }"];
        let bfs = setup(&words).unwrap().bfs;
        assert_eq!((bfs.min_child, bfs.cover, bfs.flat), (16, Cover::All, FlatForm::Merrill));
        assert_eq!(bfs.shape, Shape::Fixed(64));
    }

    #[test]
    fn what_is_wrong_with_an_option_is_said_with_its_name() {
        let error = |word: &str| setup(&[word]).unwrap_err().to_string();
        assert!(error("bfs.cover=some").starts_with("--set bfs.cover = some: unknown variant"));
        assert!(error("bfs.covers=all").contains("unknown field `covers`"));
        assert!(error("bfs.min_child=-1").starts_with("--set bfs.min_child = -1: "));
        assert!(error("l1.mshr=3").starts_with("--set l1.mshr: no such parameter"));
    }

    #[test]
    fn every_option_of_the_search_is_listed() {
        let listed: Vec<_> = BFS_OPTIONS.iter().map(|row| row.0).collect();
        let fields = toml::Table::try_from(BfsOptions::default()).unwrap();
        assert!(fields.keys().all(|field| listed.contains(&field.as_str())), "{fields:?}");
        assert_eq!(fields.len(), listed.len());
    }

    #[test]
    fn only_what_differs_from_the_preset_is_set() {
        let setup = setup(&["l1.mshrs=64", "l1.ways=4", "bfs.min_child=16"]).unwrap();
        let set: Vec<_> = setup.entries().filter(Resolved::is_set).map(|r| r.entry().key.clone()).collect();
        assert_eq!(set, ["l1.mshrs", "bfs.min_child"]);
        let ways = setup.entries().find(|r| r.entry().key == "l1.ways").unwrap();
        assert_eq!(ways.label(), "public");
    }
}
