//! The parts of a configuration that belong to `gpusched`: sections `dtbl` (the front end), `laperm`, `bubble`, `dats`,
//! `equalizer` and `tlp`, whose parameters and ranges are those of its machines.

mod equalizer;
mod tlp;

use std::collections::BTreeMap;

use gpusched::dats::{DgbConfig, Prefetch};
use gpusched::power::BubbleConfig;
use gpusched::{
    Cdp2Part, ClusterPart, Config, DatsPart, GpuSpec, LaPermPart, LoadMode, Parameter, Policy, ToldPart, Units, laperm,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{ConfigError, Entry, GpuConfig, Origin, Provenance, plain_words};
use crate::front::Decider;
use equalizer::{EQUALIZER, EQUALIZER_FM, EQUALIZER_SM};
pub use equalizer::{EqualizerPart, EqualizerSwitch};
pub use tlp::{LdstBusy, Sharing, TlpPart, TlpSwitch};
use tlp::{TLP_SWITCH, TLP_UNITS};

/// A section with the parameters of a machine of `gpusched`.
pub(super) struct Section {
    pub(super) name: &'static str,
    /// Its numbers.
    pub(super) numbers: &'static [Parameter],
    /// Numbers and words of the machine that are not set here, and what they follow.
    pub(super) owned: &'static [(&'static str, &'static str)],
    /// Parameters that are words: name, what it says, and reason for the default.
    pub(super) words: &'static [(&'static str, &'static str, &'static str)],
}

/// The front end. What an SM holds is said once, in section `sm`.
static DTBL: Section = Section {
    name: "dtbl",
    numbers: Config::PARAMETERS,
    owned: &[
        ("n_smx", "sm.count"),
        ("tb_slots", "sm.tb_slots"),
        ("threads", "sm.threads"),
        ("regs", "sm.registers"),
        ("smem", "sm.shared_bytes"),
        ("warp", "32 lanes"),
        ("n_stream", "contexts and priorities of streams, which this GPU does not have"),
    ],
    words: &[
        ("kmu_arb", "how the KMU chooses between waiting kernels", "dtbl-A1"),
        ("hash_scope", "which threads share an AGT index", "dtbl-A8"),
        ("agt_miss", "what becomes of a group that finds its AGE taken", "dtbl-A7"),
        ("fallback", "what a group pays that becomes a device kernel", "dtbl-A6"),
        ("load_mode", "who times the load of a spilled group", "dtbl-A15"),
        (
            "pass_capped",
            "work behind a kernel may go ahead on SMXs of which its class has its share (gate K)",
            "frontend-A3",
        ),
        ("exclusive", "an SMX holds TBs of one kernel configuration at a time", "frontend-G1, gate M"),
        ("pass_graph", "work behind a graph without a node to send may go ahead", "frontend-A4"),
    ],
};

/// Whether LaPerm is the front end's policy; its parameters are a section of their own.
static DTBL_SWITCH: Section = Section {
    name: "dtbl",
    numbers: &[],
    owned: &[],
    words: &[("policy", "which scheduler sends TBs to SMXs", "round robin is the baseline")],
};

/// Which scheduler sends TBs to SMs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DtblSwitch {
    /// By whose rules.
    pub policy: TbPolicy,
}

/// By whose rules TBs are sent to SMs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TbPolicy {
    /// First come, first served, and round robin.
    #[default]
    FcfsRr,
    /// LaPerm's, by the parameters of section `laperm`.
    #[serde(rename = "laperm")]
    LaPerm,
    /// Those of a policy that decides from outside, by the parameters of section `told`.
    Told,
}

/// What is agreed with a policy that decides from outside.
static TOLD: Section = Section {
    name: "told",
    numbers: ToldPart::PARAMETERS,
    owned: &[("dispatch_per_cycle", "the machine, which starts one TB in a cycle"), ("units", "the policy")],
    words: &[("rescue", "who sends when the policy has let TBs wait for stall_limit cycles", "policy-P11")],
};

static LAPERM: Section = Section {
    name: "laperm",
    numbers: laperm::Config::PARAMETERS,
    owned: &[
        ("smxs", "sm.count"),
        ("smx_threads", "sm.threads"),
        ("smx_regs", "sm.registers"),
        ("smx_smem", "sm.shared_bytes"),
        ("smx_slots", "sm.tb_slots"),
        ("kdu_entries", "dtbl.n_kde"),
        ("pool_cap", "dtbl.pend_limit and dtbl.n_kde: a place for each unit that there can be"),
        ("kmu_dispatch_cycles", "dtbl.lat_dispatch"),
        ("model", "the mode of a run"),
    ],
    words: &[
        ("policy", "which TBs go first, and where they may go", "5.2.2: the source's last and best"),
        ("visit", "how many SMXs one cycle visits", "laperm-A10"),
        ("no_fit", "what a candidate that does not fit does to later stages", "laperm-A4"),
        ("spill", "who goes to the overflow list when a unit's queue is full", "laperm-A3"),
        ("backup_select", "which unit becomes an SMX's backup", "laperm-A5"),
        ("charge_insert", "whether the search for an entry's place takes time that can be seen", "laperm-R4"),
        ("refill_mode", "who times a refill from an overflow list", "laperm-A13"),
    ],
};

static BUBBLE: Section = Section {
    name: "bubble",
    numbers: BubbleConfig::PARAMETERS,
    owned: &[
        ("smxs", "sm.count"),
        ("warp_size", "32 lanes"),
        ("smx_threads", "sm.threads"),
        ("smx_regs", "sm.registers"),
        ("smx_smem", "sm.shared_bytes"),
        ("smx_slots", "sm.tb_slots"),
        ("leak_exp", "energy.leakage_exponent"),
        ("p_leak_mw", "energy.leakage_mw"),
        ("p_idle_mw", "energy.base_mw"),
        ("p_dyn_mw", "section energy"),
        ("p_uncore_mw", "section energy"),
    ],
    words: &[
        ("enabled", "whether SMXs in a bubble are diverted; bubbles are counted in any case", "off is the base run"),
        ("inclusive", "a bubble is an occupancy of at most T, rather than below T", "bubble_dvfs-A1"),
        ("draining", "a diverted SMX runs empty before it goes down", "6.2.2"),
        ("gpu_level", "the whole GPU goes down when all SMXs are idle", "6.2.2"),
        ("retrigger", "when a bubble that is still there may be diverted again", "bubble_dvfs-A3"),
        ("resume_draining", "a draining SMX may be taken back", "bubble_dvfs-A6"),
        ("resume_hold", "no SMX is resumed while another one is going up", "bubble_dvfs-F15"),
    ],
};

/// Launches into named streams; a run whose kernels fire others and forget them adds it to the front end.
static CDP2: Section = Section {
    name: "cdp2",
    numbers: Cdp2Part::PARAMETERS,
    owned: &[],
    words: &[
        ("tail_depth", "whether a tail launch is one level deeper than its parent", "launch2-A3"),
        ("pend_hold", "until when a launch is pending: its kernel's issue, or its completion", "launch2-C4"),
    ],
};

/// How clusters are placed; a run with clusters adds it to the front end.
static CLUSTER: Section = Section {
    name: "cluster",
    numbers: ClusterPart::PARAMETERS,
    owned: &[],
    words: &[
        ("fill", "rank by rank on the next SM of the GPC, or as many as fit on each", "modern-C4: vendors name both"),
        ("gpc_order", "the next GPC in turn, or the one with most room", "modern-A3"),
        ("pass_cluster", "work behind a cluster that waits may go ahead on its SMs", "modern-G6: nothing starves"),
    ],
};

static DATS: Section = Section {
    name: "dats",
    numbers: DgbConfig::PARAMETERS,
    owned: &[("smxs", "sm.count")],
    words: &[
        ("prefetch", "when a chunk of nodes is requested", "dats-A5"),
        ("level_ref", "what the level of a candidate is compared with under LVL", "dats-A10"),
        ("issue_needs_edges", "a node is dispatched only when its edges are on chip", "dats-A7"),
        ("spill", "updates that fit nowhere go to memory, so that no graph can deadlock the buffer", "dats-H1"),
    ],
};

static SECTIONS: [&Section; 13] = [
    &DTBL,
    &DTBL_SWITCH,
    &TOLD,
    &LAPERM,
    &BUBBLE,
    &DATS,
    &CDP2,
    &CLUSTER,
    &EQUALIZER,
    &EQUALIZER_SM,
    &EQUALIZER_FM,
    &TLP_SWITCH,
    &TLP_UNITS,
];

impl Section {
    /// The list with this parameter, or else any of the section.
    fn of(name: &str, parameter: &str) -> Option<&'static Self> {
        let mut lists = SECTIONS.into_iter().filter(|section| section.name == name);
        lists.clone().find(|section| section.has(parameter)).or_else(|| lists.next())
    }

    fn is_owned(&self, name: &str) -> bool {
        self.owned.iter().any(|(owned, _)| *owned == name)
    }

    /// The numbers that are set here.
    fn own_numbers(&self) -> impl Iterator<Item = &'static Parameter> {
        self.numbers.iter().filter(|p| !self.is_owned(p.name))
    }

    /// Whether one of its parameters has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.numbers.iter().any(|p| p.name == name) || self.words.iter().any(|(word, ..)| *word == name)
    }

    /// `config` with one parameter changed.
    pub(super) fn change<C: Serialize + DeserializeOwned>(
        &self,
        config: &C,
        name: &str,
        value: &toml::Value,
        check: fn(&C) -> Result<(), gpusched::ConfigError>,
    ) -> Result<C, ConfigError> {
        let key = format!("{}.{name}", self.name);
        if let Some((_, owner)) = self.owned.iter().find(|(owned, _)| *owned == name) {
            return Err(ConfigError::value(&key, value, format!("nothing here; it follows {owner}")));
        }
        let number = self.own_numbers().find(|p| p.name == name);
        if number.is_none() && self.words.iter().all(|(word, ..)| *word != name) {
            return Err(ConfigError::UnknownKey(key));
        }
        let syntax = |e: toml::ser::Error| ConfigError::Syntax(e.to_string());
        let mut table = toml::Table::try_from(config).map_err(syntax)?;
        table.insert(name.into(), value.clone());
        let refused = |text: String| ConfigError::value(&key, value, text);
        let expected = |message: &str| {
            let plain = plain_words(message);
            plain.strip_prefix("expected ").unwrap_or(&plain).to_owned()
        };
        let wrong_kind =
            |e: toml::de::Error| refused(number.map_or_else(|| expected(e.message()), |p| allowed(p, p.max)));
        let changed: C = table.try_into().map_err(wrong_kind)?;
        check(&changed).map_err(|e| match number {
            // A rule beyond the range.
            Some(p) if p.name == e.parameter.name && e.is_rule() => refused(expected(e.parameter.origin)),
            Some(p) if p.name == e.parameter.name => refused(allowed(p, e.max)),
            _ => refused(format!("a value that goes with {}.{}, {}", self.name, e.parameter.name, e.value)),
        })?;
        Ok(changed)
    }

    /// The lines of this section.
    pub(super) fn resolved<C: Serialize>(
        &self,
        config: &C,
        device: &str,
        set: &BTreeMap<String, Origin>,
    ) -> Vec<Entry> {
        let spec = GpuSpec::by_name(device).filter(|_| self.name == DTBL.name);
        let table = toml::Table::try_from(config).unwrap_or_default();
        let entry = |name: &str, unit, doc, provenance: Provenance, origin: &str| {
            let (key, value) = (format!("{}.{name}", self.name), Entry::word(table.get(name)));
            let (provenance, origin) = match set.get(&key) {
                Some(Origin { provenance, text }) => (*provenance, text.clone()),
                None => (provenance, origin.into()),
            };
            Entry { key, value, unit, doc, provenance, origin }
        };
        let numbers = self.own_numbers().map(|p| {
            let (provenance, origin) = spec.and_then(|s| s.provenance(p.name)).unwrap_or((p.provenance, p.origin));
            entry(p.name, p.unit, "", provenance.into(), origin)
        });
        let words = self
            .words
            .iter()
            .map(|&(name, doc, origin)| entry(name, "", doc, gpusched::Provenance::Ours.into(), origin));
        numbers.chain(words).collect()
    }
}

fn allowed(p: &Parameter, max: u32) -> String {
    let kind = if p.power_of_two { "a power of two" } else { "an integer" };
    format!("{kind} from {} to {max}", p.min)
}

impl GpuConfig {
    /// The front end as it will be built: sections `dtbl`, `laperm` and `bubble` with the SMs of section `sm`. LaPerm is there if
    /// `dtbl.policy` asks for it, the bubble controller if it is enabled. A run with dependency graphs adds section `dats`.
    #[must_use]
    pub fn front_end(&self) -> Config {
        let sm = &self.sm;
        let decider = self.decider.as_ref();
        let told = ToldPart {
            units: decider.map_or(Units::Chain, Decider::units),
            split_cap: match self.told.split_cap {
                0 => decider.map_or(0, Decider::split_cap),
                said => said,
            },
            ..self.told
        };
        // Where units wait by themselves no group has an AGE that it could miss.
        let is_free = match self.switch.policy {
            TbPolicy::FcfsRr => false,
            TbPolicy::LaPerm => true,
            TbPolicy::Told => told.units == Units::Free,
        };
        let load_mode = if is_free { LoadMode::Fixed } else { self.dtbl.load_mode };
        let front = Config {
            load_mode,
            n_smx: sm.count,
            topology: self.layout.topology,
            // A policy that does not send clusters goes without them; a kernel that has some is refused when it comes.
            cluster: self.has_clusters().then_some(self.cluster),
            tb_slots: sm.tb_slots,
            threads: sm.threads,
            regs: sm.registers,
            smem: sm.shared_bytes,
            warp: 32,
            policy: match self.switch.policy {
                TbPolicy::FcfsRr => Policy::FcfsRr,
                TbPolicy::LaPerm => {
                    Policy::LaPerm(LaPermPart { pool_cap: self.dtbl.pend_limit + self.dtbl.n_kde, ..self.laperm })
                }
                TbPolicy::Told => Policy::Told(told),
            },
            bubble: self.bubble.enabled.then_some(self.bubble),
            exclusive: self.dtbl.exclusive || self.equalizer.switch.enabled,
            // What is flushed only where completion is told apart from the end of a kernel.
            flush_cycles: 0,
            ..self.dtbl
        };
        self.for_streams(self.for_sharing(front))
    }

    /// Lines of section `dtbl` that are not as they were set, since another part decides: as they take effect, with who decides.
    pub(super) fn overruled(&self) -> Vec<Entry> {
        let lines = |front: &Config| DTBL.resolved(front, self.device, &self.front_set);
        // Of the section's own numbers and words; the parts have sections of their own.
        let here = lines(&Config {
            policy: Policy::FcfsRr,
            bubble: None,
            topology: None,
            cluster: None,
            priority: None,
            partition: None,
            preempt: None,
            flush_cycles: self.dtbl.flush_cycles,
            ..self.front_end()
        });
        let changed = lines(&self.dtbl).into_iter().zip(here).filter(|(set, here)| set.value != here.value);
        changed
            .map(|(_, here)| {
                let by = match here.key.as_str() {
                    "dtbl.load_mode" if self.switch.policy == TbPolicy::Told => {
                        "dtbl.policy = told: the policy is offered groups by themselves, and none is loaded"
                    }
                    "dtbl.load_mode" => "dtbl.policy = laperm: its queues are refilled instead (laperm.refill_mode)",
                    "dtbl.exclusive" if self.equalizer.switch.enabled => {
                        "equalizer.enabled: an SMX has one block count"
                    }
                    "dtbl.exclusive" => "tlp.policy = leftover with tlp.idle_only",
                    _ if self.tlp.switch.policy == Sharing::Off => {
                        "streams.contexts or streams.ranks: no two streams share a queue"
                    }
                    _ => "tlp.policy: each stream has a queue and a class, and may pass another that has its share",
                };
                Entry { provenance: gpusched::Provenance::Inferred.into(), origin: by.into(), ..here }
            })
            .collect()
    }

    /// Refuses what was set for this run where another part decides otherwise.
    fn check_overruled(&self) -> Result<(), ConfigError> {
        let is_users = |key: &str| self.front_set.get(key).is_some_and(|origin| origin.provenance == Provenance::User);
        let Some(here) = self.overruled().into_iter().find(|line| is_users(&line.key)) else { return Ok(()) };
        let set = self.configured_front().find(|set| set.key == here.key).map_or(String::new(), |set| set.value);
        Err(ConfigError::value(&here.key, set, format!("{} by {}", here.value, here.origin)))
    }

    /// Whether the front end takes kernels with clusters (modern-A1, modern-A14).
    fn has_clusters(&self) -> bool {
        let is_plain = self.switch.policy == TbPolicy::FcfsRr && self.tlp.switch.policy == Sharing::Off;
        self.dsm.enabled && is_plain && !self.bubble.enabled
    }

    /// Why it takes none.
    #[must_use]
    pub fn without_clusters(&self) -> Option<String> {
        let why = if self.has_clusters() {
            return None;
        } else if self.dsm.enabled {
            "only first come, first served sends them, without bubbles that are diverted and without tlp.policy"
                .to_owned()
        } else {
            format!("{} has none (dsm.enabled)", self.name)
        };
        Some(why)
    }

    /// The same machine as the ideal modes have it: launches take no time, and what the source calls the timing overhead of one (4.4)
    /// ends with the load of a spilled group, or LaPerm's refill.
    #[must_use]
    pub fn without_launch_latency(&self) -> Self {
        let dtbl = Config { load_mode: LoadMode::Fixed, load_cycles: 0, ..self.dtbl.ideal() };
        let laperm = LaPermPart { refill_mode: laperm::RefillMode::Fixed, refill_cycles: 0, ..self.laperm };
        Self { dtbl, laperm, ..self.clone() }
    }

    /// This policy decides which TB goes where.
    pub fn decide_by(&mut self, decider: Decider) {
        self.switch.policy = TbPolicy::Told;
        self.decider = Some(decider);
    }

    /// Checks that the front end can be built.
    pub(super) fn check_front(&self) -> Result<(), ConfigError> {
        if (self.switch.policy == TbPolicy::Told) != self.decider.is_some() {
            return Err(ConfigError::value("dtbl.policy", "told", "another one, or a policy that decides (--sched)"));
        }
        self.check_overruled()?;
        Config { dats: Some(self.dats), ..self.front_end() }
            .check()
            .map_err(|e| ConfigError::Syntax(if e.part.is_none() { format!("dtbl.{e}") } else { e.to_string() }))
    }

    /// The one name of a parameter that has two: what the sheet calls it is a keyword.
    #[must_use]
    pub fn plain_key(key: &str) -> &str {
        if key == "dats.pub" { "dats.pub_entries" } else { key }
    }

    /// Sets one parameter of a section of `gpusched`; `None` if `key` is in none of them.
    pub(super) fn assign_front(
        &mut self,
        key: &str,
        value: &toml::Value,
        origin: &Origin,
    ) -> Option<Result<(), ConfigError>> {
        let (section, name) = key.split_once('.')?;
        if let Some(assigned) = self.assign_inside(section, name, value) {
            return Some(assigned.map(|()| {
                self.front_set.insert(key.into(), origin.clone());
            }));
        }
        let section = Section::of(section, name)?;
        let name = Self::plain_key(key).split_once('.').map_or(name, |(_, name)| name);
        // What the sections ask of each other is checked when all are there.
        const ANY: Config = Config { n_smx: 256, ..Config::K20C };
        let assigned = match section.name {
            "dtbl" if DTBL_SWITCH.has(name) => {
                section.change(&self.switch, name, value, |_| Ok(())).map(|changed| self.switch = changed)
            }
            "dtbl" => section
                .change(&self.dtbl, name, value, |c| Config { cdp2: Some(Cdp2Part::CUDA), ..*c }.check())
                .map(|changed| self.dtbl = changed),
            "cdp2" => section
                .change(&self.cdp2, name, value, |&c| Config { cdp2: Some(c), ..Config::K20C }.check())
                .map(|changed| self.cdp2 = changed),
            "told" => section.change(&self.told, name, value, ToldPart::check).map(|changed| self.told = changed),
            "laperm" => section
                .change(&self.laperm, name, value, |c| c.machine(&ANY).check())
                .map(|changed| self.laperm = changed),
            "bubble" => section
                .change(&self.bubble, name, value, |c| c.machine(&ANY).check())
                .map(|changed| self.bubble = changed),
            "cluster" => section
                .change(&self.cluster, name, value, |c| {
                    // Which of the two is the greater is seen when both are there.
                    ClusterPart { portable: 1, ..*c }.check().and_then(|()| ClusterPart { largest: 64, ..*c }.check())
                })
                .map(|changed| self.cluster = changed),
            "equalizer" => self.assign_equalizer(section, name, value),
            "tlp" => self.assign_tlp(section, name, value),
            // The array of nodes and the chunk go together in the end.
            _ => section
                .change(&self.dats, name, value, |c| DatsPart { prefetch: Prefetch::Eager, ..*c }.machine(&ANY).check())
                .map(|changed| self.dats = changed),
        };
        Some(assigned.map(|()| {
            self.front_set.insert(format!("{}.{name}", section.name), origin.clone());
        }))
    }

    /// The lines of the sections of `gpusched`, as they were set.
    pub(super) fn configured_front(&self) -> impl Iterator<Item = Entry> {
        let set = &self.front_set;
        let dtbl = DTBL.resolved(&self.dtbl, self.device, set);
        let switch = DTBL_SWITCH.resolved(&self.switch, self.device, set);
        let told = TOLD.resolved(&self.told, self.device, set);
        let laperm = LAPERM.resolved(&self.laperm, self.device, set);
        let bubble = BUBBLE.resolved(&self.bubble, self.device, set);
        let dats = DATS.resolved(&self.dats, self.device, set);
        let cdp2 = CDP2.resolved(&self.cdp2, self.device, set);
        let cluster = CLUSTER.resolved(&self.cluster, self.device, set);
        let own = dtbl
            .into_iter()
            .chain(switch)
            .chain(told)
            .chain(laperm)
            .chain(bubble)
            .chain(dats)
            .chain(cdp2)
            .chain(cluster);
        own.chain(self.resolved_inside()).chain(self.resolved_equalizer()).chain(self.resolved_tlp())
    }

    /// Takes the dependency-graph buffer from `part`, but for what was set for this run.
    pub fn prefer_dats(&mut self, part: DatsPart) {
        let table = |part: &DatsPart| toml::Table::try_from(part).unwrap_or_default();
        let mut merged = table(&part);
        let own = table(&self.dats).into_iter();
        merged.extend(own.filter(|(name, _)| self.front_set.contains_key(&format!("{}.{name}", DATS.name))));
        self.dats = merged.try_into().unwrap_or(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_end_follows_the_sms_and_its_own_keys() {
        let config = GpuConfig::from_toml("[sm]\ncount = 4\n[dtbl]\nagt_size = 512\nagt_miss = \"device\"").unwrap();
        let front = config.front_end();
        assert_eq!((front.n_smx, front.agt_size, front.agt_miss), (4, 512, gpusched::AgtMiss::Device));
        assert_eq!(GpuConfig::preset("gtx480").unwrap().front_end().n_kde, 16);
        assert_eq!((front.policy, front.bubble), (Policy::FcfsRr, None));
    }

    #[test]
    fn laperm_and_the_bubble_controller_are_there_when_asked_for() {
        let text = "[laperm]\npolicy = \"smx_bind\"\n[dtbl]\npolicy = \"laperm\"\n[bubble]\nenabled = true\ntransition_samples = 20";
        let front = GpuConfig::from_toml(text).unwrap().front_end();
        assert_eq!(front.laperm().map(|part| part.policy), Some(laperm::Policy::SmxBind));
        assert_eq!(front.bubble.map(|part| part.transition_samples), Some(20));
    }

    #[test]
    fn the_dependency_graph_buffer_has_a_section() {
        let mut config = GpuConfig::preset("gtx480").unwrap();
        assert_eq!(config.front_end().dats, None, "a run with graphs adds it");
        for (key, word) in [("dats.pub", "32"), ("dats.prefetch", "eager"), ("dats.level_ref", "active")] {
            config.set(key, word).unwrap();
        }
        let wanted = DatsPart {
            pub_entries: 32,
            prefetch: gpusched::dats::Prefetch::Eager,
            level_ref: gpusched::dats::LevelRef::Active,
            ..DatsPart::GTX480
        };
        assert_eq!(config.dats, wanted);
        // What was set for this run stays, the rest follows.
        config.prefer_dats(DatsPart { pub_entries: 64, ..DatsPart::GTX480_LRR });
        assert_eq!(config.dats, DatsPart { lna: 512, lea: 2048, ..wanted });
        let entry = |key: &str| config.configured_front().find(|e| e.key == key).unwrap();
        assert_eq!(
            (entry("dats.pub_entries").provenance, entry("dats.lna").provenance),
            (Provenance::User, gpusched::Provenance::Paper.into())
        );
        let mut error = |key: &str, word: &str| config.set(key, word).unwrap_err().to_string();
        assert_eq!(error("dats.lna", "0"), "dats.lna = 0: expected an integer from 1 to 65535");
        assert_eq!(error("dats.spill", "2"), "dats.spill = 2: expected true or false");
        assert_eq!(error("dats.smxs", "3"), "dats.smxs = 3: expected nothing here; it follows sm.count");
        assert_eq!(error("dats.chunk_bytes", "12"), "dats.chunk_bytes = 12: expected a multiple of 8 from 8 to 1024");
    }

    #[test]
    fn what_another_part_decides_is_told_as_it_takes_effect() {
        let line = |text: &str, key: &str| {
            let config = GpuConfig::from_toml(text).unwrap();
            let Entry { value, provenance, .. } = config.resolved().find(|entry| entry.key == key).unwrap();
            let set = config.configured().find(|entry| entry.key == key).unwrap().value;
            (set, value, provenance.label())
        };
        let told = |set: &str, value: &str, label| (set.to_owned(), value.to_owned(), label);
        let laperm = "[dtbl]\npolicy = \"laperm\"";
        assert_eq!(line("", "dtbl.load_mode"), told("external", "external", "paper"));
        assert_eq!(line(laperm, "dtbl.load_mode"), told("external", "fixed", "inferred"));
        assert_eq!(
            line("base = \"gtx480_equalizer\"\n[equalizer]\nenabled = true", "dtbl.exclusive"),
            told("false", "true", "inferred")
        );
        let leftover = "base = \"gtx480_liang\"\n[tlp]\npolicy = \"leftover\"";
        assert_eq!(line(leftover, "dtbl.exclusive"), told("false", "true", "inferred"));
        assert_eq!(line(leftover, "dtbl.n_class"), told("4", "8", "inferred"));
        assert_eq!(line(&format!("{leftover}\n[dtbl]\nn_class = 8"), "dtbl.n_class"), told("8", "8", "user"));
        let error = |text: &str| GpuConfig::from_toml(text).unwrap_err().to_string();
        assert_eq!(
            error("base = \"gtx480_equalizer\"\n[dtbl]\nexclusive = false\n[equalizer]\nenabled = true"),
            "dtbl.exclusive = false: expected true by equalizer.enabled: an SMX has one block count"
        );
        assert!(
            error(&format!("{laperm}\nload_mode = \"external\""))
                .starts_with("dtbl.load_mode = external: expected fixed by")
        );
    }

    #[test]
    fn values_that_do_not_go_with_laperm_are_refused() {
        let error = |text: &str| {
            let text = format!("[dtbl]\npolicy = \"laperm\"\n{text}");
            GpuConfig::from_toml(&text).unwrap_err().to_string()
        };
        assert_eq!(
            error("turn_groups = 4"),
            "dtbl.turn_groups = 4: it rules the FCFS controller's chains, which LaPerm replaces"
        );
        assert_eq!(
            error("[laperm]\npool_cap = 4096"),
            "laperm.pool_cap = 4096: expected nothing here; it follows dtbl.pend_limit and dtbl.n_kde: a place for each unit that \
             there can be"
        );
        assert_eq!(error("[laperm]\ncluster = 14"), "laperm.cluster = 14: expected a value from 1 to 13");
    }

    #[test]
    fn wrong_values_are_refused_with_what_is_allowed() {
        let mut config = GpuConfig::preset("k20c").unwrap();
        let mut error = |key: &str, word: &str| config.set(key, word).unwrap_err().to_string();
        assert_eq!(error("dtbl.agt_size", "1000"), "dtbl.agt_size = 1000: expected a power of two from 1 to 65536");
        assert_eq!(error("dtbl.agt_size", "x"), "dtbl.agt_size = \"x\": expected a power of two from 1 to 65536");
        assert_eq!(error("dtbl.kmu_arb", "lifo"), "dtbl.kmu_arb = \"lifo\": expected `fcfs` or `rr`");
        assert_eq!(error("dtbl.n_smx", "3"), "dtbl.n_smx = 3: expected nothing here; it follows sm.count");
        assert_eq!(error("dtbl.agt", "3"), "dtbl.agt: no such parameter");
        assert_eq!(error("laperm.smxs", "3"), "laperm.smxs = 3: expected nothing here; it follows sm.count");
        assert_eq!(error("bubble.v_low_mv", "1001"), "bubble.v_low_mv = 1001: expected an integer from 1 to 1000");
        assert_eq!(
            error("bubble.v_high_mv", "9"),
            "bubble.v_high_mv = 9: expected a value that goes with bubble.v_low_mv, 550"
        );
        assert_eq!(error("dats.chunk_bytes", "12"), "dats.chunk_bytes = 12: expected a multiple of 8 from 8 to 1024");
        assert_eq!(error("dats.pub", "65536"), "dats.pub_entries = 65536: expected an integer from 0 to 65535");
    }

    #[test]
    fn what_belongs_together_may_be_set_in_any_order() {
        let mut config = GpuConfig::preset("gtx480").unwrap();
        config.set("dats.lna", "3").unwrap();
        let wrong = "dats.lna = 3: expected more than the nodes of a chunk, unless `prefetch` is eager";
        assert_eq!(config.check().unwrap_err().to_string(), wrong);
        config.set("dats.chunk_bytes", "16").unwrap();
        config.check().unwrap();
    }

    #[test]
    fn each_line_has_a_value_and_a_provenance() {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.set("dtbl.lat_stream", "0").unwrap();
        config.set("bubble.enabled", "true").unwrap();
        let lines: Vec<_> = config.configured_front().collect();
        assert!(lines.iter().all(|e| !e.value.is_empty()));
        let of = |key: &str| lines.iter().find(|e| e.key == key).unwrap().provenance;
        assert_eq!((of("dtbl.lat_stream"), of("dtbl.ld_b")), (Provenance::User, gpusched::Provenance::Paper.into()));
        assert_eq!(
            (of("bubble.enabled"), of("bubble.drain_samples")),
            (Provenance::User, gpusched::Provenance::Paper.into())
        );
    }
}
