//! The machine and the options of the workloads, from preset, file and command line.

use crate::ask::{self, Assignment, Machine, Setting, Workload};
use crate::failure::Failure;
use crate::options::Options;
use crate::suggest::like;
use crate::way::Way;
use anyhow::{Context, anyhow};
use gpusched_refgpu::config::{ConfigError, Entry, GpuConfig, Provenance, preset_names};
use gpusched_refgpu::gpu::RunOptions;
use gpusched_workloads::graph::read::STANDARD_INPUT;
use std::collections::BTreeMap;
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
    /// What was set, each by the option that sets it.
    given: BTreeMap<String, String>,
}

/// The value of a parameter as it takes effect on a machine; empty if there is none of this name.
pub fn in_effect(gpu: &GpuConfig, key: &str) -> String {
    gpu.resolved().find(|entry| entry.key == key).map_or_else(String::new, |entry| entry.value)
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
        let mut given = BTreeMap::new();
        let mut once =
            |key: &str, option: String| match given.insert(GpuConfig::plain_key(key).to_owned(), option.clone()) {
                None => Ok(()),
                Some(first) if first == option => Err(anyhow!("{option} is given twice")),
                Some(first) => Err(anyhow!("{option} and {first} set the same")),
            };
        for Assignment { key, value } in &machine.assignments {
            once(key, format!("--set {key}"))?;
            if let Some(set) = options.set(key, value) {
                set.map_err(|reason| anyhow!("--set {key} = {value}: {reason}"))?;
                continue;
            }
            gpu.set(key, value).map_err(|e| match e {
                ConfigError::UnknownKey(_) => {
                    anyhow!("--set {key}: no such parameter{} (see gpusched config show)", like(key, keys()))
                }
                other => anyhow!("--set {other}"),
            })?;
        }
        for Setting { option, key, value } in settings {
            once(key, option.to_owned())?;
            match options.set(key, &value) {
                Some(set) => set.map_err(|reason| anyhow!("{option} {value}: {reason}"))?,
                None => gpu.set(key, &value).map_err(|error| anyhow!("{option}: {error}"))?,
            }
        }
        gpu.check().map_err(|e| anyhow!("{e} (after --gpu and --set)"))?;
        Ok(Self { gpu, preset, options, given })
    }

    /// Whether a parameter was given beside `--gpu`.
    pub fn gives(&self, key: &str) -> bool {
        self.given.contains_key(GpuConfig::plain_key(key))
    }

    /// Refuses what was set of workloads other than these.
    pub fn only_of(&self, workloads: &[Workload]) -> Result<(), Failure> {
        let foreign = self.given.iter().find(|(key, _)| {
            let of = key.split_once('.').map_or("", |(of, _)| of);
            Options::SECTIONS.contains(&of) && workloads.iter().all(|workload| workload.options() != Some(of))
        });
        match (foreign, workloads) {
            (None, _) => Ok(()),
            (Some((_, option)), [workload]) => {
                Err(Failure::Usage(anyhow!("{option}: no option of {}", workload.name())))
            }
            (Some((_, option)), _) => Err(Failure::Usage(anyhow!("{option}: nothing that takes it runs here"))),
        }
    }

    /// Refuses that one of these parameters of the machine was given beside `--gpu`: `command` sets them itself.
    pub fn leaves(&self, keys: &[&str], command: &str) -> Result<(), Failure> {
        let given = keys.iter().find(|key| self.gives(key));
        given.map_or(Ok(()), |key| Err(Failure::Usage(anyhow!("{key}: {command} sets it itself"))))
    }

    /// Refuses what was set of a workload and has no effect in any of these ways.
    pub fn check_options(&self, ways: impl Iterator<Item = Way> + Clone) -> Result<(), Failure> {
        for (key, option) in &self.given {
            let mut idle = ways.clone().map(|way| Options::idle(key, way));
            if let Some(Some(why)) = idle.next()
                && idle.all(|why| why.is_some())
            {
                return Err(Failure::Usage(anyhow!("{option} has no effect: {why}")));
            }
        }
        Ok(())
    }

    /// Refuses what was given beside `--gpu` and has no effect in any of these runs: it is another there, or belongs to a part that their
    /// machines do without. What the command `reads` itself has one. A file of `--gpu` describes a machine, as a preset does: what a run
    /// does not use of it is not refused.
    pub fn check_effect(&self, runs: &[(GpuConfig, RunOptions)], reads: &[&str]) -> Result<(), Failure> {
        let asked = |entry: &Entry| self.given.contains_key(&entry.key) && !reads.contains(&entry.key.as_str());
        for Entry { key, value, .. } in self.gpu.configured().filter(asked) {
            let mut why = None;
            let works = runs.iter().any(|(gpu, options)| {
                let here = in_effect(gpu, &key);
                let reason = if here == value {
                    gpu.idle(&key, options).map(str::to_owned)
                } else {
                    Some(format!("what runs here has {here}"))
                };
                why = why.take().or_else(|| reason.clone());
                reason.is_none()
            });
            if let (false, Some(why)) = (works, why) {
                return Err(Failure::Usage(anyhow!("{key} = {value} has no effect: {why}")));
            }
        }
        Ok(())
    }

    /// Refuses what was set of a machine beyond these sections and keys: `command` runs no more of it.
    pub fn only_machine(&self, parts: &[&str], command: &str) -> Result<(), Failure> {
        match self.given.iter().find(|(key, _)| !parts.iter().any(|part| key.starts_with(part))) {
            None => Ok(()),
            Some((_, option)) => {
                Err(Failure::Usage(anyhow!("{option} has no effect: {command} runs the front end alone")))
            }
        }
    }

    /// Refuses what was set of the machine: there is none.
    pub fn no_machine(&self, machine: &Machine, command: &str) -> Result<(), Failure> {
        let of_machine =
            |key: &&String| !Options::SECTIONS.iter().any(|of| key.split_once('.').is_some_and(|k| k.0 == *of));
        let gpu = machine.gpu.as_ref().map(|_| "--gpu");
        match gpu.or(self.given.iter().find(|(key, _)| of_machine(key)).map(|(_, option)| option.as_str())) {
            None => Ok(()),
            Some(option) => Err(Failure::Usage(anyhow!("{option}: {command} runs no machine"))),
        }
    }

    /// The machine, and what is not as its preset has it.
    pub fn told(&self) -> String {
        format!("{}: {}; {}", self.gpu.name, self.gpu.title, self.told_set(|_| String::new()))
    }

    /// Which parameters and options are not as the preset has them, each with what `but` adds.
    pub fn told_set(&self, but: impl Fn(&Entry) -> String) -> String {
        let set = self.entries().filter(Resolved::is_set).map(|resolved| {
            let entry = resolved.entry();
            format!("{} = {}{}", entry.key, entry.value, but(entry))
        });
        let set: Vec<String> = set.collect();
        if set.is_empty() { "as preset".to_owned() } else { format!("set: {}", set.join(", ")) }
    }

    /// The same for programs.
    pub fn set(&self) -> BTreeMap<String, String> {
        let set = self.entries().filter(Resolved::is_set);
        set.map(|resolved| (resolved.entry().key.clone(), resolved.entry().value.clone())).collect()
    }

    /// Every parameter and option, in the order of the sheets, each with what it is by default.
    pub fn entries(&self) -> impl Iterator<Item = Resolved> {
        self.machine_entries(&self.gpu).chain(self.option_entries())
    }

    /// Every parameter of `gpu`, which this machine has become for a run of `workload`, and every option of that. What the way of the run
    /// has changed counts as set.
    pub fn entries_of(&self, gpu: &GpuConfig, workload: Workload) -> impl Iterator<Item = Resolved> {
        let machine = self.machine_entries(gpu).zip(self.gpu.resolved()).map(|(mut resolved, asked)| {
            if resolved.now.value != asked.value {
                resolved.now = Entry { origin: "the way of the run".to_owned(), ..resolved.now.or_user(true) };
            }
            resolved
        });
        let is_own = move |of: &Resolved| of.now.key.split_once('.').map(|(section, _)| section) == workload.options();
        machine.chain(self.option_entries().filter(is_own))
    }

    fn machine_entries(&self, gpu: &GpuConfig) -> impl Iterator<Item = Resolved> + use<> {
        let preset: Vec<Entry> = self.preset.resolved().collect();
        let now: Vec<Entry> = gpu.resolved().collect();
        now.into_iter().zip(preset).map(|(now, preset)| Resolved { now, preset })
    }

    fn option_entries(&self) -> impl Iterator<Item = Resolved> + use<> {
        self.options
            .entries()
            .into_iter()
            .zip(Options::default().entries())
            .map(|(now, preset)| Resolved { now, preset })
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

/// Every parameter and option there is.
fn keys() -> impl Iterator<Item = String> {
    let gpu = GpuConfig::preset(ask::GPU).ok();
    let machine: Vec<Entry> = gpu.iter().flat_map(GpuConfig::resolved).collect();
    machine.into_iter().chain(Options::default().entries()).map(|entry| entry.key)
}

/// What is wrong with a configuration, and what may have been meant.
fn told(error: ConfigError) -> anyhow::Error {
    let meant = match &error {
        ConfigError::UnknownKey(key) if keys().any(|known| known == *key) => {
            "; it is an option of workloads, which --set sets".to_owned()
        }
        ConfigError::UnknownKey(key) => like(key, keys()),
        ConfigError::UnknownPreset(name) => like(name, preset_names()),
        _ => String::new(),
    };
    anyhow!("{error}{meant}")
}

/// A preset by its name, or a TOML file; a path is told by a dot or a slash in it.
fn gpu(given: &str) -> anyhow::Result<GpuConfig> {
    if given != STANDARD_INPUT && !given.contains(['.', '/', '\\']) {
        return GpuConfig::preset(given).map_err(|error| {
            anyhow!("--gpu {}; or the path of a TOML file, with a dot or a slash in it", told(error))
        });
    }
    let context = || format!("cannot take the GPU from {given}");
    let text = super::text(Path::new(given)).with_context(context)?;
    if text.parse::<toml::Table>().is_ok_and(|all| all.is_empty()) {
        return Err(anyhow!("the file is empty; base = \"k20c\" or another preset makes it a GPU"))
            .with_context(context);
    }
    GpuConfig::from_toml(&text).map_err(told).with_context(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_workloads::bfs::FlatForm;
    use gpusched_workloads::{Cover, Shape};

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
        assert_eq!(
            error("join.flat=thread"),
            "--set join.flat = thread: expected one of the options cover, launch_insts, min_child, shape"
        );
        assert_eq!(error("bfs.cover=some"), "--set bfs.cover = some: expected `floor` or `all`");
        assert!(error("bfs.covers=all").ends_with("; did you mean `cover`?"));
        assert_eq!(error("bfs.min_child=-1"), "--set bfs.min_child = -1: expected a whole number from 0 to 4294967295");
        assert_eq!(
            error("bfs.min_child=abc"),
            "--set bfs.min_child = abc: expected a whole number from 0 to 4294967295"
        );
        assert!(error("fmm.periodic=2").ends_with(": expected true or false"));
        assert!(error("bfs.shape=3").starts_with("--set bfs.shape = 3: expected "));
        assert!(error("l1.mshr=3").starts_with("--set l1.mshr: no such parameter; did you mean `l1.mshrs`?"));
        assert_eq!(
            error("l1.nothing_like_it=3"),
            "--set l1.nothing_like_it: no such parameter (see gpusched config show)"
        );
    }

    #[test]
    fn what_is_given_twice_is_refused() {
        let error = |words: &[&str]| setup(words).unwrap_err().to_string();
        assert_eq!(error(&["l1.ways=4", "sm.count=2", "l1.ways=4"]), "--set l1.ways is given twice");
        assert_eq!(error(&["bfs.cover=all", "bfs.cover=floor"]), "--set bfs.cover is given twice");
        assert_eq!(
            error(&["dats.pub=4", "dats.pub_entries=8"]),
            "--set dats.pub_entries and --set dats.pub set the same"
        );
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
