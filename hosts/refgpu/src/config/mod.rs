//! The configuration of the reference GPU: presets, overrides, checks, and where each value comes from.
//!
//! A configuration starts as a named preset and is changed key by key, from TOML or from `key=value` words. Every value keeps
//! its provenance, so that the fully resolved configuration can be printed with labels.
//!
//! ```
//! use gpusched_refgpu::config::{GpuConfig, Provenance};
//!
//! let mut config = GpuConfig::preset("k20c")?;
//! config.set("l1.mshrs", "64")?;
//! assert_eq!(config.l1.mshrs, 64);
//! let line = config.resolved().find(|e| e.key == "l1.mshrs").unwrap();
//! assert_eq!((line.value.as_str(), line.provenance), ("64", Provenance::User));
//! let wrong = config.set("l1.sets", "33").unwrap_err();
//! assert_eq!(wrong.to_string(), "l1.sets = 33: expected a power of two from 1 to 4096");
//! # Ok::<(), gpusched_refgpu::config::ConfigError>(())
//! ```

mod check;
mod front;
mod holds;
mod idle;
mod inside;
mod layout;
mod params;
mod presets;
mod streams;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use gpusched::apogee::ApogeeConfig;
use gpusched::mascar::{CacheConfig, MascarConfig};
use gpusched::{BubblePart, Cdp2Part, ClusterPart, DatsPart, LaPermPart, ToldPart};

use crate::front::Decider;
use crate::vf::{Paces, VfLevel};
pub use front::{DtblSwitch, EqualizerPart, EqualizerSwitch, LdstBusy, Sharing, TbPolicy, TlpPart, TlpSwitch};
pub use inside::TEXTURE_MSHRS;
pub use layout::Layout;
pub use params::{
    Allowed, Contexts, Dram, Dsm, Energy, Flat, L1, L2, Noc, PARAMS, Param, PoolPolicy, Prefetch, PrefetchScheme,
    Ranks, Run, SetIndex, Sm, Streams, Vf, WarpPolicy,
};
pub use presets::preset_names;
pub use words::{plain_toml, plain_words};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Set for this run.
    User,
    /// From the sheets and presets.
    #[serde(untagged)]
    Stated(gpusched::Provenance),
}

impl From<gpusched::Provenance> for Provenance {
    fn from(core: gpusched::Provenance) -> Self {
        Self::Stated(core)
    }
}

impl Provenance {
    /// The label as it is printed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Stated(core) => core.label(),
            Self::User => "user",
        }
    }
}

/// A configuration that is refused (refgpu-F1). The text names the key, its value and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value out of its range, or of the wrong kind.
    #[error("{key} = {value}: expected {expected}")]
    Value {
        /// Dotted name.
        key: String,
        /// What it was set to.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// One parameter by both names that it has.
    #[error("{0}: given twice")]
    Twice(String),
    /// No parameter of this name.
    #[error("{0}: no such parameter")]
    UnknownKey(String),
    /// No preset of this name.
    #[error("{0}: no such preset; known: {known}", known = preset_names().collect::<Vec<_>>().join(", "))]
    UnknownPreset(String),
    /// Not TOML.
    #[error("{0}")]
    Syntax(String),
}

impl ConfigError {
    fn value(key: &str, value: impl ToString, expected: impl ToString) -> Self {
        Self::Value { key: key.into(), value: value.to_string(), expected: expected.to_string() }
    }
}

/// Every parameter of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuConfig {
    /// Name of the preset that it started as.
    pub name: String,
    /// What the preset stands for.
    pub title: String,
    /// Streaming multiprocessors.
    pub sm: Sm,
    /// Where they lie.
    pub layout: Layout,
    /// L1 data caches.
    pub l1: L1,
    /// Crossbars.
    pub noc: Noc,
    /// L2 banks.
    pub l2: L2,
    /// DRAM channels.
    pub dram: Dram,
    /// Levels of voltage and frequency.
    pub vf: Vf,
    /// Between the SMs of a cluster.
    pub dsm: Dsm,
    /// Launches into named streams, for kernels that fire others and forget them.
    pub cdp2: Cdp2Part,
    /// How clusters are placed, for kernels that have some.
    pub cluster: ClusterPart,
    /// Memory without L2.
    pub flat: Flat,
    /// What events cost, and what power is always drawn.
    pub energy: Energy,
    /// How host streams share the machine.
    pub streams: Streams,
    /// The run.
    pub run: Run,
    /// The front end (refgpu-P7); what an SM holds is replaced by section `sm`, see [`GpuConfig::front_end`].
    pub dtbl: gpusched::Config,
    /// Which scheduler sends TBs, `dtbl.policy`; the front end has it from here.
    pub switch: DtblSwitch,
    /// What is agreed with a policy that decides from outside, for `dtbl.policy = "told"`.
    pub told: ToldPart,
    /// That policy, see [`GpuConfig::decide_by`].
    pub decider: Option<Decider>,
    /// LaPerm, for `dtbl.policy = "laperm"`.
    pub laperm: LaPermPart,
    /// Occupancy bubbles: what is one, and whether SMXs are diverted and put to sleep for it.
    pub bubble: BubblePart,
    /// The dependency-graph buffer, for kernels with graphs.
    pub dats: DatsPart,
    /// Mascar, for `sm.policy = "mascar"`; what it shares with the SM is replaced, see [`GpuConfig::mascar`].
    pub mascar: MascarConfig,
    /// Marks at which L1 is saturated, for Mascar.
    pub saturation: CacheConfig,
    /// Whether there is a prefetcher, and which.
    pub apogee: Prefetch,
    /// Its table; what it shares with the SM is replaced, see [`GpuConfig::prefetch_table`].
    pub prefetch_table: ApogeeConfig,
    /// Equalizer: block counts, and levels over time.
    pub equalizer: EqualizerPart,
    /// Who shares SMs when several host streams have kernels.
    pub tlp: TlpPart,
    device: &'static str,
    origins: Vec<Origin>,
    /// Where parameters of the sections of `gpusched` come from that a preset or this run has set.
    front_set: BTreeMap<String, Origin>,
}

#[derive(Clone, Debug, PartialEq)]
struct Origin {
    provenance: Provenance,
    text: String,
}

/// One line of a fully resolved configuration.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// Dotted name.
    pub key: String,
    /// The value.
    pub value: String,
    /// Its unit.
    pub unit: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Table, section or reason.
    pub origin: String,
}

impl Entry {
    /// A TOML value as it is printed: words without quotes, nothing for what is absent.
    #[must_use]
    pub fn word(value: Option<&toml::Value>) -> String {
        match value {
            Some(toml::Value::String(word)) => word.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        }
    }

    /// The entry, as set for this run if `user` says so; its origin is then none of the sheet's.
    #[must_use]
    pub fn or_user(self, user: bool) -> Self {
        if user { Self { provenance: Provenance::User, origin: String::new(), ..self } } else { self }
    }
}

impl Origin {
    /// Whether nobody has set the value.
    fn is_unset(&self) -> bool {
        self.text.is_empty() && self.provenance != Provenance::User
    }
}

impl GpuConfig {
    /// What things cost, and where that comes from.
    fn prices(&self) -> impl Iterator<Item = (&'static Param, &Origin)> {
        PARAMS.iter().zip(&self.origins).filter(|(p, _)| p.is_price())
    }

    /// The preset called `name`.
    ///
    /// # Errors
    /// [`ConfigError::UnknownPreset`].
    pub fn preset(name: &str) -> Result<Self, ConfigError> {
        let preset =
            presets::ALL.iter().find(|p| p.name == name).ok_or_else(|| ConfigError::UnknownPreset(name.into()))?;
        let unset = Origin { provenance: gpusched::Provenance::Ours.into(), text: String::new() };
        let mut config = Self {
            name: name.into(),
            title: String::new(),
            sm: Sm::default(),
            layout: Layout::none(),
            l1: L1::default(),
            noc: Noc::default(),
            l2: L2::default(),
            dram: Dram::default(),
            vf: Vf::default(),
            dsm: Dsm::default(),
            cdp2: Cdp2Part::CUDA,
            cluster: ClusterPart::H100,
            flat: Flat::default(),
            energy: Energy::default(),
            streams: Streams::default(),
            run: Run::default(),
            dtbl: gpusched::GpuSpec::by_name(preset.device).map_or(gpusched::Config::K20C, |spec| spec.config),
            switch: DtblSwitch::default(),
            told: ToldPart::CHAIN,
            decider: None,
            laperm: LaPermPart::K20C,
            bubble: BubblePart { enabled: false, ..BubblePart::K20C },
            dats: DatsPart::GTX480,
            mascar: MascarConfig::GTX480,
            saturation: CacheConfig::FERMI,
            apogee: Prefetch::default(),
            prefetch_table: ApogeeConfig::APOGEE_4,
            equalizer: EqualizerPart::default(),
            tlp: TlpPart::default(),
            device: preset.device,
            origins: vec![unset; PARAMS.len()],
            front_set: BTreeMap::new(),
        };
        config.merge(presets::COMMON)?;
        preset.texts.iter().try_for_each(|text| config.merge(text))?;
        config.check()?;
        Ok(config)
    }

    /// A configuration from TOML: `base = "<preset>"` at the top, then sections with the keys to change.
    ///
    /// # Errors
    /// What [`GpuConfig::preset`] and [`GpuConfig::merge`] refuse, and values that do not fit together.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| ConfigError::Syntax(e.to_string()))?;
        let base = match table.get("base") {
            None => "k20c",
            Some(toml::Value::String(name)) => name,
            Some(other) => return Err(ConfigError::value("base", other, "the name of a preset")),
        };
        let mut config = Self::preset(base)?;
        config.merge(text)?;
        config.check()?;
        Ok(config)
    }

    /// Changes the keys that `text` names. A value is plain, or a table `{ value, from, origin }` as in the presets.
    ///
    /// # Errors
    /// Syntax, an unknown key, a value of the wrong kind or out of range. Values before it may have been changed.
    pub fn merge(&mut self, text: &str) -> Result<(), ConfigError> {
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| ConfigError::Syntax(e.to_string()))?;
        let mut seen = BTreeSet::new();
        for (section, keys) in &table {
            match (section.as_str(), keys) {
                ("base", _) => {}
                ("title", toml::Value::String(title)) => self.title.clone_from(title),
                (_, toml::Value::Table(keys)) => {
                    for (key, value) in keys {
                        let key = format!("{section}.{key}");
                        if !seen.insert(Self::plain_key(&key).to_owned()) {
                            return Err(ConfigError::Twice(Self::plain_key(&key).to_owned()));
                        }
                        self.merge_one(&key, value)?;
                    }
                }
                _ => return Err(ConfigError::UnknownKey(section.clone())),
            }
        }
        Ok(())
    }

    fn merge_one(&mut self, key: &str, value: &toml::Value) -> Result<(), ConfigError> {
        let full = match value {
            // A layout is a table itself.
            toml::Value::Table(full) if key != layout::KEY || full.contains_key("value") => full,
            plain => return self.assign(key, plain, Provenance::User, ""),
        };
        let word = |name: &str| full.get(name).and_then(toml::Value::as_str);
        let stray = full.keys().find(|k| !matches!(k.as_str(), "value" | "from" | "origin"));
        if let Some(stray) = stray {
            return Err(ConfigError::UnknownKey(format!("{key}.{stray}")));
        }
        let provenance = full.get("from").map_or(Ok(Provenance::User), |from| {
            let wrong = |_| {
                ConfigError::value(
                    &format!("{key}.from"),
                    Entry::word(Some(from)),
                    "paper, public, vendor, measured, inferred, ours or user",
                )
            };
            from.clone().try_into().map_err(wrong)
        })?;
        let value = full.get("value").ok_or_else(|| ConfigError::value(key, value, "a table with `value`"))?;
        self.assign(key, value, provenance, word("origin").unwrap_or(""))
    }

    /// Sets one key from a word, as on a command line: `set("sm.policy", "lrr")`. Values that do not fit together are found by
    /// [`GpuConfig::check`].
    ///
    /// # Errors
    /// An unknown key, or a value of the wrong kind or out of range; nothing is changed.
    pub fn set(&mut self, key: &str, word: &str) -> Result<(), ConfigError> {
        let value = match (word.parse::<i64>(), word.parse::<bool>()) {
            (Ok(n), _) => toml::Value::Integer(n),
            (_, Ok(b)) => toml::Value::Boolean(b),
            _ if word.starts_with('{') => {
                word.parse().map_err(|e: toml::de::Error| ConfigError::value(key, word, e.message()))?
            }
            _ => toml::Value::String(word.into()),
        };
        self.assign(key, &value, Provenance::User, "")
    }

    fn assign(
        &mut self,
        key: &str,
        value: &toml::Value,
        provenance: Provenance,
        text: &str,
    ) -> Result<(), ConfigError> {
        let own = PARAMS.iter().position(|p| p.key == key);
        let origin = Origin { provenance, text: text.into() };
        if let Some(assigned) = self.assign_layout(key, value, &origin) {
            return assigned;
        }
        if own.is_none()
            && let Some(assigned) = self.assign_front(key, value, &origin)
        {
            return assigned;
        }
        let index = own.ok_or_else(|| ConfigError::UnknownKey(key.into()))?;
        let param = &PARAMS[index];
        let shown = match value {
            toml::Value::String(s) => s.clone(),
            other => other.to_string(),
        };
        let raw = match (param.allowed, value) {
            (Allowed::Words(words), _) => words.iter().position(|w| *w == shown).map(|i| i as u64),
            (Allowed::Int(low, high), toml::Value::Integer(n)) => {
                u64::try_from(*n).ok().filter(|n| (low..=high).contains(n))
            }
            (Allowed::PowerOfTwo(low, high), toml::Value::Integer(n)) => {
                u64::try_from(*n).ok().filter(|n| (low..=high).contains(n) && n.is_power_of_two())
            }
            _ => None,
        };
        let raw = raw.ok_or_else(|| ConfigError::value(key, shown, param.allowed))?;
        (param.set)(self, raw);
        self.origins[index] = origin;
        Ok(())
    }

    /// A step of voltage and frequency, in thousandths of nominal.
    #[must_use]
    pub fn vf_step_permille(&self) -> u32 {
        self.equalizer.fm.step_permille
    }

    /// Clocks of the levels of voltage and frequency.
    #[must_use]
    pub fn paces(&self) -> Paces {
        let is_static = self.vf.sm == VfLevel::High || self.vf.mem == VfLevel::High;
        let is_boosting = is_static || self.equalizer.switch.enabled;
        Paces::new(self.vf_step_permille(), is_boosting)
    }

    /// The fully resolved configuration as it takes effect, in the order of sheet `refgpu`, the front end last.
    pub fn resolved(&self) -> impl Iterator<Item = Entry> {
        let overruled = self.overruled();
        self.configured().map(move |entry| overruled.iter().find(|o| o.key == entry.key).cloned().unwrap_or(entry))
    }

    /// The same as it was set, before one part decides what belongs to another.
    pub fn configured(&self) -> impl Iterator<Item = Entry> {
        let has_prices = self.energy.known;
        let own = PARAMS.iter().zip(&self.origins).filter(move |(p, _)| has_prices || !p.is_price());
        let own = own.map(|(p, origin)| Entry {
            key: p.key.into(),
            value: match p.allowed {
                Allowed::Words(words) => words[(p.get)(self) as usize].into(),
                _ => (p.get)(self).to_string(),
            },
            unit: p.unit,
            doc: p.doc.trim(),
            provenance: origin.provenance,
            origin: origin.text.clone(),
        });
        std::iter::once(self.layout.entry()).chain(own).chain(self.configured_front())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_sets_every_parameter_and_passes_the_checks() {
        for name in preset_names() {
            let config = GpuConfig::preset(name).unwrap();
            for entry in config.resolved() {
                assert!(!entry.origin.is_empty(), "{name}: {} has no provenance", entry.key);
            }
        }
    }

    #[test]
    fn unknown_keys_and_wrong_kinds_are_refused_by_name() {
        let error = |text: &str| GpuConfig::from_toml(text).unwrap_err().to_string();
        assert_eq!(error("[l1]\nmshr = 3"), "l1.mshr: no such parameter");
        assert_eq!(error("[l1]\nmshrs = \"3\""), "l1.mshrs = 3: expected an integer from 1 to 1024");
        assert_eq!(error("[sm]\npolicy = \"fifo\""), "sm.policy = fifo: expected one of lrr, gto, rr, mascar");
        assert_eq!(error("[sm]\nschedulers = 0"), "sm.schedulers = 0: expected a power of two from 1 to 8");
        assert!(error("base = \"k40\"").starts_with("k40: no such preset; known: k20c, gtx480, "));
        assert_eq!(error("[sm]\ncount = { value = 3, unit = 1 }"), "sm.count.unit: no such parameter");
    }

    #[test]
    fn overrides_change_only_what_they_name() {
        let config = GpuConfig::from_toml("base = \"gtx480\"\n[l1]\nmshrs = 64").unwrap();
        let base = GpuConfig::preset("gtx480").unwrap();
        let changed: Vec<_> = config.resolved().zip(base.resolved()).filter(|(a, b)| a != b).collect();
        assert_eq!(changed.len(), 1);
        assert_eq!((changed[0].0.key.as_str(), changed[0].0.provenance), ("l1.mshrs", Provenance::User));
    }
}
