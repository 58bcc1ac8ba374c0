//! Who decides which TB goes to which SMX next: the front end itself, or a policy of the catalogue, by name and with parameters.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{MAIN_SEPARATOR, Path};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use gpusched::laperm;
use gpusched::policy::catalogue::{About, Catalogue, CatalogueConfig, List, Policy as Name};
use gpusched::seam::{Answer, Policy, View};
use gpusched::{Choice, Completion, KernelSlot, OfferId, SmxId, Units};
use gpusched_heap::catalogue::{HeapTables, machine};
use gpusched_plugin::{LoadError, Plugin, Seen, State};
use gpusched_refgpu::front::{Decider, Machine};
use serde_json::Value;

use crate::suggest;

/// One of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Sched {
    /// The FCFS controller, and round robin over the SMXs.
    Fcfs,
    /// LaPerm.
    LaPerm(laperm::Policy),
    /// A policy of the catalogue.
    Catalogue(Box<FromCatalogue>),
    /// A policy in a file.
    File(Box<FromFile>),
    /// A policy of the program that asks. It has no name on a command line.
    Own(Decider),
}

/// A policy that was loaded from a shared library, with its parameters.
#[derive(Clone, Debug)]
pub struct FromFile {
    plugin: Plugin,
    parameters: String,
    /// As it is told: the policy's name, and its parameters.
    word: String,
    /// As it was asked for.
    asked: String,
}

/// Files of one name are one.
impl PartialEq for FromFile {
    fn eq(&self, other: &Self) -> bool {
        self.asked == other.asked
    }
}

/// A policy of the catalogue with its parameters; what it knows of the machine is filled in for each run.
#[derive(Clone, Debug, PartialEq)]
pub struct FromCatalogue {
    config: CatalogueConfig,
    /// As it was asked for.
    word: String,
}

/// LaPerm's policies and what they are called here.
const LAPERM: [(&str, laperm::Policy, &str); 4] = [
    ("rr", laperm::Policy::Rr, "LaPerm's machine as one FIFO, round robin over the SMXs"),
    ("tb-pri", laperm::Policy::TbPri, "LaPerm: children first, on any SMX"),
    ("smx-bind", laperm::Policy::SmxBind, "LaPerm: children first, on the SMX of their parent"),
    (
        "adaptive-bind",
        laperm::Policy::AdaptiveBind,
        "LaPerm: as smx-bind, but SMXs with nothing else to do take children of others",
    ),
];

/// What a policy of the catalogue is called here. Two have other names than in the sheet: `rr` is LaPerm's, and `leftover` shares SMXs
/// between streams (`compare pair`).
#[must_use]
pub fn word(about: &About) -> String {
    match about.policy {
        Name::Rr => "round-robin".into(),
        Name::Leftover => "leftover-tbs".into(),
        _ => about.name.replace('_', "-"),
    }
}

/// The policy of the catalogue that is called so.
#[must_use]
pub fn of_catalogue(name: &str) -> Option<&'static About> {
    About::ALL.iter().find(|about| word(about) == name)
}

/// Every name, with what it does.
pub fn all() -> impl Iterator<Item = (String, &'static str)> {
    let fcfs = std::iter::once(("fcfs".to_owned(), "the FCFS controller and round robin over the SMXs"));
    let of_laperm = LAPERM.iter().map(|&(word, _, does)| (word.to_owned(), does));
    fcfs.chain(of_laperm).chain(About::ALL.iter().map(|about| (word(about), about.does)))
}

/// All of them as they are, `fcfs` first.
#[must_use]
pub fn every() -> Vec<Sched> {
    all().filter_map(|(name, _)| name.parse().ok()).collect()
}

impl Sched {
    /// The word for it in section `laperm`, if it is one of LaPerm's.
    #[must_use]
    pub const fn laperm(&self) -> Option<&'static str> {
        match self {
            Self::Fcfs | Self::Catalogue(_) | Self::File(_) | Self::Own(_) => None,
            Self::LaPerm(laperm::Policy::Rr) => Some("rr"),
            Self::LaPerm(laperm::Policy::TbPri) => Some("tb_pri"),
            Self::LaPerm(laperm::Policy::SmxBind) => Some("smx_bind"),
            Self::LaPerm(laperm::Policy::AdaptiveBind) => Some("adaptive_bind"),
        }
    }

    /// The policy that decides from outside, if it is one.
    #[must_use]
    pub fn decider(&self) -> Option<Decider> {
        match self {
            Self::Fcfs | Self::LaPerm(_) => None,
            Self::Catalogue(policy) => {
                let (config, made) = (policy.config, policy.clone());
                let decider = Decider::new(&policy.word, Units::Free, move |gpu| Ok(Box::new(made.on(gpu)?)));
                let names_tbs = config.policy == Name::Steal || config.is_own();
                Some(if names_tbs { decider.splitting() } else { decider })
            }
            Self::File(policy) => {
                let units = if policy.plugin.takes_free_units() { Units::Free } else { Units::Chain };
                let made = policy.clone();
                Some(Decider::new(&policy.word, units, move |gpu| Ok(Box::new(made.on(gpu)?))))
            }
            Self::Own(decider) => Some(decider.clone()),
        }
    }
}

impl FromCatalogue {
    /// Its parameters, but for what it is told of the machine.
    pub(crate) const fn config(&self) -> &CatalogueConfig {
        &self.config
    }

    /// The policy on a machine, or why it cannot be there.
    pub(crate) fn on(&self, gpu: &Machine) -> Result<Catalogue<HeapTables>, String> {
        let numbers = |of: &[u16]| {
            let narrow: Vec<u8> = of.iter().filter_map(|&number| u8::try_from(number).ok()).collect();
            List::new(&narrow).filter(|_| narrow.len() == of.len()).ok_or("too many SMXs for its topology")
        };
        let (Machine { tpc, gpc, .. }, capacity) = (gpu, gpu.capacity());
        let config = CatalogueConfig {
            n_smx: tpc.len() as u32,
            units: gpu.units(),
            slots: capacity.slots,
            threads: capacity.threads,
            regs: capacity.regs,
            smem: capacity.smem,
            tpc: numbers(tpc)?,
            gpc: numbers(gpc)?,
            ..self.config
        };
        machine(&config).map_err(|e| e.to_string())
    }
}

impl FromFile {
    /// The policy on a machine, or why it cannot be there.
    pub(crate) fn on(&self, gpu: &Machine) -> Result<OfFile, String> {
        let (capacity, units) = (gpu.capacity(), gpu.units());
        let Machine { tpc, gpc, .. } = gpu.clone();
        let machine = gpusched_plugin::Machine { capacity, tpc, gpc, units };
        let state = self.plugin.start(&machine, &self.parameters).map_err(|e| match e {
            LoadError::Refused { why, .. } => why,
            other => other.to_string(),
        })?;
        Ok(OfFile { state, seen: Seen::default(), smxs: machine.tpc.len() as u16 })
    }
}

/// What no front end offers: the name of an offer that a file's policy takes from beyond the list.
const NO_OFFER: OfferId = OfferId::Entry(KernelSlot(u8::MAX));

/// A policy of a file at work.
#[derive(Debug)]
pub(crate) struct OfFile {
    state: State,
    seen: Seen,
    smxs: u16,
}

impl Policy for OfFile {
    fn done(&mut self, completion: &Completion) {
        self.state.done(completion);
    }

    fn choose(&mut self, sight: &impl View) -> Answer {
        let Seen { now, offers, free, residents } = &mut self.seen;
        let smxs = || (0..self.smxs).map(SmxId);
        *now = sight.now();
        offers.clear();
        offers.extend(sight.offers());
        free.clear();
        free.extend(smxs().map(|s| sight.free(s)));
        residents.resize_with(self.smxs.into(), Vec::new);
        for (s, residents) in smxs().zip(residents) {
            residents.clear();
            residents.extend(sight.residents(s));
        }
        match self.state.choose(&self.seen) {
            gpusched_plugin::Answer::Wait(wake) => Answer::Wait(wake),
            gpusched_plugin::Answer::Send { offer, smx } => {
                let id = self.seen.offers.get(offer).map_or(NO_OFFER, |offer| offer.id);
                Answer::Send(Choice::next_of(id, smx))
            }
        }
    }
}

/// Whether a word names a file.
pub(crate) fn is_file(word: &str) -> bool {
    word.contains(MAIN_SEPARATOR) || [".so", ".dylib", ".dll"].iter().any(|end| word.ends_with(end))
}

/// What stands before and behind the colon between a name and its parameters: the first one or, of a file, the first before which
/// there is that file, since its folders may have colons, too.
pub(crate) fn split(asked: &str) -> (&str, &str) {
    let colons = asked.match_indices(':').map(|(at, _)| at);
    let end = colons.chain([asked.len()]).find(|&at| is_file(&asked[..at]) && Path::new(&asked[..at]).is_file());
    match end {
        Some(end) => (&asked[..end], asked[end..].trim_start_matches(':')),
        None => asked.split_once(':').unwrap_or((asked, "")),
    }
}

impl FromStr for Sched {
    /// What is wrong, and what follows from it, in one line.
    type Err = String;

    fn from_str(asked: &str) -> Result<Self, String> {
        Self::named(asked).map_err(|e| format!("{e:#}"))
    }
}

impl Sched {
    /// A name or a file, perhaps with parameters: `bcs:block=4:pass=any`, `./libmine.so:pause=7`.
    fn named(asked: &str) -> Result<Self> {
        let (file, parameters) = split(asked);
        if is_file(file) {
            let plugin = Plugin::load(file.as_ref())?;
            let word = if parameters.is_empty() {
                plugin.name().to_owned()
            } else {
                format!("{}:{parameters}", plugin.name())
            };
            return Ok(Self::File(Box::new(FromFile {
                plugin,
                parameters: parameters.into(),
                word,
                asked: asked.into(),
            })));
        }
        let mut parts = asked.split(':');
        let name = parts.next().unwrap_or_default();
        let sched = if name == "fcfs" {
            Self::Fcfs
        } else if let Some(&(_, policy, _)) = LAPERM.iter().find(|(word, ..)| *word == name) {
            Self::LaPerm(policy)
        } else if let Some(about) = of_catalogue(name) {
            return FromCatalogue::new(about, asked, parts).map(|policy| Self::Catalogue(Box::new(policy)));
        } else {
            let names: Vec<_> = all().map(|(word, _)| word).collect();
            bail!("no scheduler is called {name}{}; gpusched policies lists them", suggest::like(name, names));
        };
        if let Some(parameter) = parts.next() {
            bail!("{name}:{parameter}: its parameters are set with --set (gpusched config show)");
        }
        Ok(sched)
    }
}

impl FromCatalogue {
    fn new<'a>(about: &About, word: &str, parameters: impl Iterator<Item = &'a str>) -> Result<Self> {
        let mut config = CatalogueConfig::of(about.policy);
        let mut given = BTreeSet::new();
        for parameter in parameters {
            let (name, value) = parameter.split_once('=').with_context(|| format!("{parameter}: not NAME=VALUE"))?;
            let has = about.parameters.iter().map(|reads| reads.name).collect::<Vec<_>>().join(", ");
            ensure!(about.has(name), "{}: no parameter {name}; it has: {has}", self::word(about));
            ensure!(given.insert(name), "{}: {name} is given twice", self::word(about));
            config = set(&config, name, value).with_context(|| format!("{}: {parameter}", self::word(about)))?;
        }
        // The machine is not known yet: here it has the SMXs that are listed, and each of them room for any quantum of threads.
        let listed = config.listed.numbers().len() as u32;
        let n_smx = if listed > 0 { listed } else { config.n_smx };
        CatalogueConfig { n_smx, threads: 1, ..config }.check().with_context(|| word.to_owned())?;
        Ok(Self { config, word: word.to_owned() })
    }
}

/// A configuration with one parameter changed. Numbers of a list are joined by `+`.
fn set(config: &CatalogueConfig, name: &str, value: &str) -> Result<CatalogueConfig> {
    let mut all = serde_json::to_value(config)?;
    let plain = |word: &str| match word.parse::<u64>() {
        Ok(number) => Value::from(number),
        Err(_) if word == "true" || word == "false" => Value::from(word == "true"),
        Err(_) => Value::from(word),
    };
    let value = if all[name].is_array() { value.split('+').map(plain).collect() } else { plain(value) };
    all[name] = value;
    serde_json::from_value(all).map_err(|e| anyhow::anyhow!(gpusched_refgpu::config::plain_words(&e.to_string())))
}

impl fmt::Display for Sched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Fcfs => "fcfs",
            Self::LaPerm(policy) => LAPERM.iter().find(|(_, of, _)| of == policy).map_or("", |(word, ..)| word),
            Self::Catalogue(of) => &of.word,
            Self::File(of) => &of.word,
            Self::Own(decider) => decider.name(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::config::GpuConfig;
    use gpusched_refgpu::gpu::{Gpu, RunOptions};
    use gpusched_refgpu::program::Class;
    use gpusched_refgpu::script::{At, Op, kernel, script};
    use gpusched_refgpu::timeline::Tb;

    fn error(word: &str) -> String {
        word.parse::<Sched>().unwrap_err()
    }

    #[test]
    fn every_name_is_one_scheduler() {
        let names: BTreeSet<_> = all().map(|(word, _)| word).collect();
        assert_eq!(names.len(), 5 + About::ALL.len());
        for name in &names {
            assert_eq!(name.parse::<Sched>().unwrap().to_string(), *name);
        }
    }

    #[test]
    fn parameters_are_set_by_name() {
        let Sched::Catalogue(bcs) = "bcs:block=4:pass=any".parse().unwrap() else { panic!("it is of the catalogue") };
        assert_eq!((bcs.config.block, bcs.config.pass), (4, gpusched::policy::catalogue::Pass::Any));
        assert!("fair-streams:streams=3:weights=3+1+1".parse::<Sched>().is_ok());
        assert!("fair-streams:cost=threads:quantum=512".parse::<Sched>().is_ok());
        let Sched::Catalogue(random) = "random:seed=18446744073709551615".parse().unwrap() else { panic!("so is it") };
        assert_eq!(random.config.seed, u64::MAX);
    }

    /// TBs of two warps that never wait: two of them fill the four schedulers of an SMX.
    #[test]
    fn lcs_limits_the_tbs_of_an_smx_to_those_that_fill_it() {
        let body = |at: At| match at.step {
            0..400 => Op::new(Class::Int, 0, 0),
            _ => Op::exit(),
        };
        let most = |word: &str| {
            let mut gpu = GpuConfig::preset("k20c").unwrap();
            gpu.decide_by(word.parse::<Sched>().unwrap().decider().unwrap());
            let options = RunOptions { log_tbs: 4096, ..RunOptions::default() };
            let mut work = script(&[kernel(1, 13 * 60, 64, 0)], body);
            let run = Gpu::new(&gpu, options).unwrap().run(&mut work, &mut ()).unwrap();
            let tbs = run.timeline.tbs.tbs();
            let last = tbs.last().unwrap();
            let beside = |one: &&Tb| one.sm == last.sm && one.start <= last.start && one.end > Some(last.start);
            tbs.iter().filter(beside).count()
        };
        assert_eq!((most("lcs"), most("round-robin")), (2, 16));
    }

    /// Where the SMs are sent one TB each, in order.
    fn first_wave(gpu: &GpuConfig) -> Vec<u16> {
        let options = RunOptions { log_tbs: 256, ..RunOptions::default() };
        let mut work = script(&[kernel(1, gpu.sm.count, 64, 0)], |_| Op::exit());
        let run = Gpu::new(gpu, options).unwrap().run(&mut work, &mut ()).unwrap();
        run.timeline.tbs.tbs().iter().map(|tb| tb.sm).collect()
    }

    /// Measured on a Turing of 68 SMs (Gilman et al. 2020): all even SMs, then all odd ones, which is one of each TPC first.
    #[test]
    fn a_tpc_gets_its_second_tb_when_each_has_its_first() {
        let mut gpu = GpuConfig::from_toml("base = \"a100\"\n[sm]\ncount = 68\ntopology = \"none\"").unwrap();
        gpu.decide_by("tpc-first".parse::<Sched>().unwrap().decider().unwrap());
        // No TB ends before the last one is sent.
        gpu.set("sm.tb_start", "1000").unwrap();
        let measured: Vec<u16> = (0..68).step_by(2).chain((1..68).step_by(2)).collect();
        assert_eq!(first_wave(&gpu), measured);
    }

    #[test]
    fn policies_know_the_gpcs_of_the_machine() {
        let text = "base = \"a100\"\n[sm]\ncount = 8\ntopology = { gpcs = [[2, 2], [2], [2]] }";
        let mut gpu = GpuConfig::from_toml(text).unwrap();
        gpu.decide_by("gpc-first".parse::<Sched>().unwrap().decider().unwrap());
        let options = RunOptions { log_tbs: 8, ..RunOptions::default() };
        let mut work = script(&[kernel(1, 4, 64, 0)], |_| Op::exit());
        let run = Gpu::new(&gpu, options).unwrap().run(&mut work, &mut ()).unwrap();
        let sms: Vec<_> = run.timeline.tbs.tbs().iter().map(|tb| tb.sm).collect();
        assert_eq!(sms, [0, 4, 6, 2], "a TPC of each GPC, then the second one of the first");
    }

    /// An order of SMXs is that of one machine, and so is the least quantum of threads: a run on another one is refused.
    #[test]
    fn what_only_the_machine_can_judge_is_judged_there() {
        let runs = |word: &str, smxs: u32| {
            let mut gpu = GpuConfig::preset("k20c").unwrap();
            gpu.set("sm.count", &smxs.to_string()).unwrap();
            gpu.decide_by(word.parse::<Sched>().unwrap().decider().unwrap());
            let mut work = script(&[kernel(1, 5, 64, 0)], |_| Op::exit());
            let made = Gpu::new(&gpu, RunOptions::default()).map_err(|e| e.to_string())?;
            made.run(&mut work, &mut ()).map(drop).map_err(|e| e.to_string())
        };
        let three = "most-room:order=listed:listed=2+0+1";
        assert_eq!(runs(three, 3), Ok(()));
        assert!(runs(three, 4).unwrap_err().contains("listed: with order listed each SMX once"));
        assert!(
            runs("fair-streams:cost=threads:quantum=512", 3).unwrap_err().contains("quantum = 512: with cost threads")
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(error("most-room:order=listed:listed=2+0+3").contains("each SMX once"));
        assert!(error("most-room:listed=2+0+1").contains("listed"));
        assert_eq!(error("bcs:chunk=4"), "bcs: no parameter chunk; it has: pass, block");
        assert_eq!(error("bcs:block=99"), "bcs:block=99: block = 99: expected a value from 1 to 64");
        assert!(error("bcs:block=x").starts_with("bcs: block=x: "), "{}", error("bcs:block=x"));
        assert_eq!(error("bcs:block"), "block: not NAME=VALUE");
        assert_eq!(error("bcs:block=2:pass=any:block=4"), "bcs: block is given twice");
        assert!(error("most-rom").contains("most-room"), "{}", error("most-rom"));
        assert!(error("fcfs:a=1").contains("--set"));
    }
}
