//! Somebody else's policy decides which TB goes to which SM: the front end offers, it answers, once in a cycle (sheet `policy`;
//! refgpu-V6).
//!
//! Whatever it answers, no TB is lost, sent twice or put where a gate forbids: an answer that the front end refuses is counted under
//! the name of the fault, and nothing is sent in that cycle.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use gpusched::catalogue::CatalogueConfig;
use gpusched::power::Sample;
use gpusched::seam::{Answer, Policy, ask};
use gpusched::{Completion, Config, Cycle, Decision, Fault, FrontEnd, Probe, Resources, SmxId, Tick, Topology, Units};
use gpusched_heap::HeapTables;

use super::Watch;

/// What a policy is told of the machine before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The front end.
    pub front: Config,
    /// The TPC of each SM.
    pub tpc: Vec<u16>,
    /// The GPC of each SM.
    pub gpc: Vec<u16>,
}

impl Machine {
    /// Of this front end. Which SMs share a TPC and a GPC is as the catalogue has it where nobody says.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let sms = || (0..config.n_smx as u16).map(SmxId);
        let unsaid = CatalogueConfig::RR;
        let mut tpc: Vec<u16> = sms().map(|s| unsaid.tpc_of(s).0.into()).collect();
        let mut gpc: Vec<u16> = sms().map(|s| unsaid.gpc_of(s).0.into()).collect();
        for (number, of) in (0..).zip(config.topology.iter().flat_map(Topology::tpcs)) {
            for SmxId(s) in of.smxs.iter() {
                (tpc[usize::from(s)], gpc[usize::from(s)]) = (number, of.gpc.0.into());
            }
        }
        Self { front: *config, tpc, gpc }
    }

    /// What is free on an SM that holds no TB.
    #[must_use]
    pub fn capacity(&self) -> Resources {
        let Config { tb_slots, threads, regs, smem, .. } = self.front;
        Resources { threads, regs, smem, slots: tb_slots }
    }

    /// Units that there can be at once: [`gpusched::Offer::row`] is below.
    #[must_use]
    pub fn units(&self) -> u32 {
        self.front.n_kde + self.front.pend_limit
    }
}

/// What a policy sees in a cycle.
pub type Sight<'a> = gpusched::Sight<'a, HeapTables>;

/// A policy of whatever type, at work: every [`Policy`] is one.
pub trait Decides: fmt::Debug + Send {
    /// The front end has decided something.
    fn saw(&mut self, at: Cycle, decision: &Decision);

    /// A TB has ended.
    fn done(&mut self, completion: &Completion);

    /// Gates were set.
    fn regated(&mut self);

    /// Whether it asks for loads itself.
    fn loads(&self) -> bool;

    /// What is to be done in this cycle.
    fn choose(&mut self, sight: &Sight<'_>) -> Answer;

    /// The front end has refused what it answered, and nothing more is sent in this cycle.
    fn refused(&mut self, at: Cycle, fault: Fault) {
        let _ = (at, fault);
    }
}

impl<P: Policy + fmt::Debug + Send> Decides for P {
    fn saw(&mut self, at: Cycle, decision: &Decision) {
        Policy::saw(self, at, decision);
    }

    fn done(&mut self, completion: &Completion) {
        Policy::done(self, completion);
    }

    fn regated(&mut self) {
        Policy::regated(self);
    }

    fn loads(&self) -> bool {
        Policy::loads(self)
    }

    fn choose(&mut self, sight: &Sight<'_>) -> Answer {
        ask(self, sight)
    }
}

/// All that `told.split_cap` can be.
const MOST_PIECES: u32 = 65_535;

/// Makes a policy for a machine, or says why it cannot.
type Make = dyn Fn(&Machine) -> Result<Box<dyn Decides>, String> + Send + Sync;

/// A policy by name: each run makes its own.
#[derive(Clone)]
pub struct Decider {
    name: String,
    units: Units,
    splits: bool,
    make: Arc<Make>,
}

impl Decider {
    /// The policy of this name, which is offered units in this form.
    pub fn new(
        name: impl Into<String>,
        units: Units,
        make: impl Fn(&Machine) -> Result<Box<dyn Decides>, String> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), units, splits: false, make: Arc::new(make) }
    }

    /// It names TBs that are not the next ones of their units: what is unsent of those is split.
    #[must_use]
    pub fn splitting(self) -> Self {
        Self { splits: true, ..self }
    }

    /// Its name, with its parameters.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is offered.
    #[must_use]
    pub fn units(&self) -> Units {
        self.units
    }

    /// Pieces of units that there can be at once where `told.split_cap` says nothing: as many as the front end can have, if the policy splits
    /// units. A policy that runs domains side by side needs one for each domain of each unit that is under way, and more if it interleaves
    /// their TBs: one for each that lags behind.
    #[must_use]
    pub fn split_cap(&self) -> u32 {
        if self.splits { MOST_PIECES } else { 0 }
    }
}

/// Policies of one name are one.
impl PartialEq for Decider {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.units) == (&other.name, other.units)
    }
}

impl fmt::Debug for Decider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decider").field("name", &self.name).field("units", &self.units).finish_non_exhaustive()
    }
}

/// What became of a policy's answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DecideStats {
    /// The policy.
    pub name: String,
    /// TBs that it has sent.
    pub sent: u64,
    /// Cycles in which it sent nothing although it could (word `told`).
    pub declined: u64,
    /// Times that it did so for `told.stall_limit` cycles in a row.
    pub stalled: u64,
    /// TBs that round robin sent in its place.
    pub rescued: u64,
    /// Answers that were refused, by the name of the fault.
    pub wrong: BTreeMap<String, u64>,
}

/// The policy of a run.
#[derive(Debug)]
pub(super) struct Deciding {
    policy: Box<dyn Decides>,
    /// When it wants to be asked, whatever is there to be sent then.
    wake: Option<Cycle>,
    stats: DecideStats,
}

impl Deciding {
    pub(super) fn new(decider: &Decider, config: &Config) -> Result<Self, String> {
        let policy = (decider.make)(&Machine::of(config)).map_err(|why| format!("{}: {why}", decider.name))?;
        Ok(Self { policy, wake: None, stats: DecideStats { name: decider.name.clone(), ..DecideStats::default() } })
    }

    /// A TB has ended.
    pub(super) fn done(&mut self, completion: &Completion) {
        self.policy.done(completion);
    }

    /// Gates were set.
    pub(super) fn regated(&mut self) {
        self.policy.regated();
    }

    /// Carries out a cycle.
    pub(super) fn cycle(&mut self, core: &mut FrontEnd<HeapTables>, watch: &mut Watch) -> Result<Tick, Fault> {
        let (loads, at) = (self.policy.loads(), core.now());
        let mut listeners = Listeners { watch, deciding: Some(self) };
        let asked = core.decide(loads, &mut listeners, |sight, listeners| listeners.choose(sight))?;
        let Self { policy, wake, stats } = self;
        *wake = asked.wake;
        stats.sent += u64::from(asked.sent);
        if let Some(fault) = asked.refused {
            *stats.wrong.entry(fault.name().to_owned()).or_default() += 1;
            policy.refused(at, fault);
        }
        Ok(asked.tick)
    }

    /// The next cycle, this one or later, in which the policy wants to be asked although the front end may know of nothing to send.
    pub(super) fn wake(&self, now: Cycle) -> Option<Cycle> {
        self.wake.filter(|&wake| wake >= now)
    }

    /// What became of its answers, as far as it is counted here.
    pub(super) fn answers(&self) -> &DecideStats {
        &self.stats
    }

    /// The counts until now.
    pub(super) fn stats(&self, core: &gpusched::Stats) -> DecideStats {
        DecideStats { declined: core.told, stalled: core.stalled, rescued: core.rescued, ..self.stats.clone() }
    }
}

/// Who listens to what the front end decides: the machine's watch, and the policy, if the run has one.
pub(super) struct Listeners<'a> {
    pub(super) watch: &'a mut Watch,
    pub(super) deciding: Option<&'a mut Deciding>,
}

impl Listeners<'_> {
    fn choose(&mut self, sight: &Sight<'_>) -> Answer {
        self.deciding.as_mut().map_or(Answer::Wait(None), |deciding| deciding.policy.choose(sight))
    }
}

impl Probe for Listeners<'_> {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        if let Some(deciding) = &mut self.deciding {
            deciding.policy.saw(at, &decision);
        }
        self.watch.decide(at, decision);
    }

    fn sample(&mut self, at: Cycle, record: &Sample) {
        self.watch.sample(at, record);
    }
}
