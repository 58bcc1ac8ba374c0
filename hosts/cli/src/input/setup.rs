//! The machine and the options of the workloads, from preset, file and command line.

use crate::args::{Assignment, Machine, Setting};
use crate::failure::Failure;
use crate::options::Options;
use anyhow::{Context, anyhow};
use gpusched_refgpu::config::{ConfigError, Entry, GpuConfig, Provenance};
use std::path::Path;

/// The machine and the options of every workload, as preset and as asked for.
#[derive(Debug)]
pub struct Setup {
    /// The machine.
    pub gpu: GpuConfig,
    /// The preset that it started as.
    pub preset: GpuConfig,
    /// The options.
    pub options: Options,
}

impl Setup {
    /// Resolves `--gpu`, for which `default` stands if it is not given, and `--set`.
    pub fn resolve(machine: &Machine, default: &str) -> Result<Self, Failure> {
        Self::with(machine, default, Vec::new())
    }

    /// The same, with what other options set.
    pub fn with(machine: &Machine, default: &str, settings: Vec<Setting>) -> Result<Self, Failure> {
        Self::try_resolve(machine, default, settings).map_err(Failure::Usage)
    }

    fn try_resolve(machine: &Machine, default: &str, settings: Vec<Setting>) -> anyhow::Result<Self> {
        let mut gpu = gpu(machine.gpu.as_deref().unwrap_or(default))?;
        let preset = GpuConfig::preset(&gpu.name)?;
        let mut options = Options::default();
        for Assignment { key, value } in &machine.assignments {
            if let Some(set) = options.set(key, value) {
                set.map_err(|reason| anyhow!("--set {key} = {value}: {reason}"))?;
                continue;
            }
            gpu.set(key, value).map_err(|e| match e {
                ConfigError::UnknownKey(_) => anyhow!("--set {key}: no such parameter (see gpusched config show)"),
                other => anyhow!("--set {other}"),
            })?;
        }
        for Setting { option, key, value } in settings {
            match options.set(key, &value) {
                Some(set) => set.map_err(|reason| anyhow!("{option} {value}: {reason}"))?,
                None => gpu.set(key, &value).map_err(|error| anyhow!("{option}: {error}"))?,
            }
        }
        gpu.check().map_err(|e| anyhow!("{e} (after --gpu and --set)"))?;
        Ok(Self { gpu, preset, options })
    }

    /// Every parameter and option, in the order of the sheets, each with what it is by default.
    pub fn entries(&self) -> impl Iterator<Item = Resolved> {
        let machine = self.gpu.resolved().zip(self.preset.resolved());
        let options = self.options.entries().into_iter().zip(Options::default().entries());
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

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::workload::bfs::FlatForm;
    use gpusched_refgpu::workload::{Cover, Shape};

    fn setup(sets: &[&str]) -> anyhow::Result<Setup> {
        let assignments = sets
            .iter()
            .map(|word| word.split_once('=').unwrap())
            .map(|(key, value)| Assignment { key: key.to_owned(), value: value.to_owned() })
            .collect();
        Setup::try_resolve(&Machine { gpu: None, assignments }, "k20c", Vec::new())
    }

    #[test]
    fn options_of_the_workload_are_set_by_word() {
        let words = ["bfs.min_child=16", "bfs.cover=all", "bfs.flat=merrill", "bfs.shape={ fixed = 64 }"];
        let bfs = setup(&words).unwrap().options.bfs;
        assert_eq!((bfs.min_child, bfs.cover, bfs.flat), (16, Cover::All, FlatForm::Merrill));
        assert_eq!(bfs.shape, Shape::Fixed(64));
    }

    #[test]
    fn what_is_wrong_with_an_option_is_said_with_its_name() {
        let error = |word: &str| setup(&[word]).unwrap_err().to_string();
        assert!(error("join.flat=thread").contains("unknown field `flat`"));
        assert!(error("bfs.cover=some").starts_with("--set bfs.cover = some: unknown variant"));
        assert!(error("bfs.covers=all").contains("unknown field `covers`"));
        assert!(error("bfs.min_child=-1").starts_with("--set bfs.min_child = -1: "));
        assert!(error("l1.mshr=3").starts_with("--set l1.mshr: no such parameter"));
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
