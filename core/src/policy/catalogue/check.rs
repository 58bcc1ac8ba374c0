//! Which configurations are refused.

use super::about::About;
use super::config::{CatalogueConfig, Cost, Order, Place, Policy};
use crate::base::error::{Fault, c_text};
use crate::base::parameter::{self, ConfigError, Parameter, Provenance};

/// A rule between parameters, or for one that is no number.
macro_rules! rule {
    ($name:literal: $why:literal) => {
        const { &Parameter::rule(c_text!($name), Provenance::Ours, c_text!($why)) }
    };
}

/// A parameter as it is refused where a policy does not have it.
macro_rules! absent {
    ($name:literal) => {
        rule!($name: "the policy has no such parameter")
    };
}

const TPC: &Parameter = rule!("tpc": "one number per SMX, from 0 without gaps");
const GPC: &Parameter = rule!("gpc": "one number per SMX, from 0 without gaps, and one for all of a TPC");
const PLACE: &Parameter = rule!("place": "leftover knows rr and lowest");
const SPILL: &Parameter = rule!("spill": "a domain with an order of its own keeps its TBs");
const WEIGHTS: &Parameter = rule!("weights": "one per slot of streams, from 1 to 255");
const QUANTUM: &Parameter = rule!("quantum": "with cost threads not below the threads of an SMX");
const ORDER: &Parameter = rule!("order": "no order of this policy");
const LISTED: &Parameter = rule!("listed": "with order listed each SMX once, else none");

impl CatalogueConfig {
    /// Checks every range; then that what the policy does not have is as [`CatalogueConfig::of`] says (catalogue-C7); then what parameters
    /// must be to each other.
    ///
    /// # Errors
    /// The first parameter that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        let about = About::of(self.policy);
        self.changed().try_for_each(|parameter| refuse(about.has(parameter.name), parameter))?;
        self.check_topology()?;
        self.check_order()?;
        refuse(self.policy != Policy::Leftover || self.place != Place::Parent, PLACE)?;
        refuse(!(self.spill && self.is_own()), SPILL)?;
        let weights = self.weights.numbers();
        let is_whole = weights.is_empty() || weights.len() == self.streams as usize;
        refuse(is_whole && !weights.contains(&0), WEIGHTS)?;
        let is_enough = self.cost != Cost::Threads || self.quantum >= self.threads;
        refuse(is_enough, QUANTUM).map_err(|e| ConfigError { value: self.quantum, ..e })
    }

    /// Parameters of policies that are not at the defaults of this one.
    fn changed(&self) -> impl Iterator<Item = &'static Parameter> {
        let of = Self::of(self.policy);
        let all = [
            (self.pass != of.pass, absent!("pass")),
            (self.place != of.place, absent!("place")),
            (self.prio_first != of.prio_first, absent!("prio_first")),
            (self.order != of.order, absent!("order")),
            (self.listed != of.listed, absent!("listed")),
            (self.warp != of.warp, absent!("warp")),
            (self.block != of.block, absent!("block")),
            (self.samples != of.samples, absent!("samples")),
            (self.domain != of.domain, absent!("domain")),
            (self.chunk != of.chunk, absent!("chunk")),
            (self.spill != of.spill, absent!("spill")),
            (self.seed != of.seed, absent!("seed")),
            (self.grain != of.grain, absent!("grain")),
            (self.probe != of.probe, absent!("probe")),
            (self.metric != of.metric, absent!("metric")),
            (self.streams != of.streams, absent!("streams")),
            (self.weights != of.weights, absent!("weights")),
            (self.cost != of.cost, absent!("cost")),
            (self.quantum != of.quantum, absent!("quantum")),
            (self.what != of.what, absent!("what")),
            (self.tie != of.tie, absent!("tie")),
            (self.amount != of.amount, absent!("amount")),
            (self.min_steal != of.min_steal, absent!("min_steal")),
        ];
        all.into_iter().filter(|(is_changed, _)| *is_changed).map(|(_, parameter)| parameter)
    }

    fn check_topology(&self) -> Result<(), ConfigError> {
        let n = self.n_smx as usize;
        for (list, parameter) in [(&self.tpc, TPC), (&self.gpc, GPC)] {
            let numbers = list.numbers();
            let has_no_gaps = numbers.iter().all(|&number| number == 0 || numbers.contains(&(number - 1)));
            refuse(numbers.is_empty() || (numbers.len() == n && has_no_gaps), parameter)?;
        }
        let is_nested = self.smxs().all(|s| {
            let first = self.smxs().find(|first| self.tpc_of(*first) == self.tpc_of(s));
            first.is_none_or(|first| self.gpc_of(first) == self.gpc_of(s))
        });
        refuse(is_nested, GPC)
    }

    fn check_order(&self) -> Result<(), ConfigError> {
        let is_of_tbs = matches!(self.order, Order::Ascending | Order::Own);
        refuse(is_of_tbs != (self.policy == Policy::MostRoom), ORDER)?;
        let listed = self.listed.numbers();
        let is_whole = listed.len() == self.n_smx as usize
            && self.smxs().all(|s| listed.iter().any(|number| u16::from(*number) == s.0));
        let is_listed = self.order == Order::Listed;
        refuse(if is_listed { is_whole } else { listed.is_empty() }, LISTED)
    }
}

/// `BadConfig` for a parameter, unless `holds`.
fn refuse(holds: bool, parameter: &'static Parameter) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(ConfigError::new(Fault::BadConfig, parameter, 0)) }
}
