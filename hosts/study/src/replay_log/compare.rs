//! Two logs of one program, side by side: where they first decide otherwise, and how far the TBs went other ways after that.
//!
//! Both are read at a time, a decision of one for a decision of the other, up to the first that differs; from then on a TB of one for a
//! TB of the other. Memory is taken for TBs that only one of them has sent so far.

use super::catalogue::Catalogue;
use super::log::{Decision, Log, Unit};
use crate::failure::Failure;
use std::collections::HashMap;

/// A decision of each log; `None`: that log is over.
pub type Pair = [Option<Decision>; 2];

/// What comparing found.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Decisions before the first that differs, whatever their cycles.
    pub equal: u64,
    /// The first that differ.
    pub decision: Option<Pair>,
    /// The first that are the same in another cycle, if they come before those.
    pub cycle: Option<Pair>,
    /// The first TBs that are sent in another order.
    pub order: Option<Pair>,
    pub placement: Placement,
}

/// Where TBs went.
#[derive(Debug, Default)]
pub struct Placement {
    /// To the same SMX in both, and to another.
    pub same: u64,
    pub moved: u64,
    /// Sent by one log and, so far, not by the other: which one, and where to.
    open: HashMap<(Unit, u32), (usize, u32)>,
}

/// What becomes of two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Equal,
    /// The same decisions, in other cycles.
    OtherCycles,
    OtherDecisions,
}

impl Comparison {
    /// Reads both logs to their ends.
    pub fn of(logs: &mut [Log; 2], catalogue: &mut Catalogue) -> Result<Self, Failure> {
        let mut found = Self::default();
        let mut pair = loop {
            let pair = next(logs, false, catalogue)?;
            match &pair {
                [None, None] => return Ok(found),
                [Some(a), Some(b)] if a.choice == b.choice => {
                    found.equal += 1;
                    found.placement.same += u64::from(a.is_tb());
                    if a.cycle != b.cycle && found.cycle.is_none() {
                        found.cycle = Some(pair);
                    }
                }
                _ => break pair,
            }
        };
        found.decision = Some(pair.clone());
        for (current, log) in pair.iter_mut().zip(logs.iter_mut()) {
            if current.as_ref().is_some_and(|decision| !decision.is_tb()) {
                *current = log.decision(true, catalogue)?;
            }
        }
        while pair.iter().any(Option::is_some) {
            let [a, b] = [0, 1].map(|side| pair[side].as_ref().and_then(Decision::tb));
            if found.order.is_none() && a.map(|(tb, _)| tb) != b.map(|(tb, _)| tb) {
                found.order = Some(pair);
            }
            for (side, (tb, smx)) in [a, b].into_iter().enumerate().filter_map(|(side, tb)| Some((side, tb?))) {
                found.placement.sent(side, tb, smx);
            }
            pair = next(logs, true, catalogue)?;
        }
        Ok(found)
    }

    pub fn verdict(&self) -> Verdict {
        match (&self.decision, &self.cycle) {
            (Some(_), _) => Verdict::OtherDecisions,
            (None, Some(_)) => Verdict::OtherCycles,
            (None, None) => Verdict::Equal,
        }
    }
}

fn next(logs: &mut [Log; 2], only_tbs: bool, catalogue: &mut Catalogue) -> Result<Pair, Failure> {
    let [a, b] = logs;
    Ok([a.decision(only_tbs, catalogue)?, b.decision(only_tbs, catalogue)?])
}

impl Decision {
    fn is_tb(&self) -> bool {
        self.choice.kind == "tb"
    }

    /// Which TB goes to which SMX, if this says so.
    fn tb(&self) -> Option<((Unit, u32), u32)> {
        let choice = self.is_tb().then_some(&self.choice)?;
        Some(((choice.of?, choice.tb?), choice.smx?))
    }
}

impl Placement {
    fn sent(&mut self, side: usize, tb: (Unit, u32), smx: u32) {
        match self.open.remove(&tb) {
            Some((other, at)) if other != side => {
                self.same += u64::from(at == smx);
                self.moved += u64::from(at != smx);
            }
            _ => {
                self.open.insert(tb, (side, smx));
            }
        }
    }

    /// TBs that only this log has.
    pub fn only(&self, log: usize) -> u64 {
        self.open.values().filter(|(side, _)| *side == log).count() as u64
    }

    /// Whether both logs have the same TBs, each on the same SMX.
    pub fn is_equal(&self) -> bool {
        self.moved == 0 && self.open.is_empty()
    }
}
