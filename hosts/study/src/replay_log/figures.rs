//! What is counted while a log is read.

use super::catalogue::NameId;
use super::stretch::{Stretch, What};
use std::collections::BTreeMap;

/// Numbers of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    pub sum: u64,
    pub most: u64,
}

impl Tally {
    pub fn add(&mut self, cycles: u64) {
        self.count += 1;
        self.sum = self.sum.saturating_add(cycles);
        self.most = self.most.max(cycles);
    }

    pub fn mean(&self) -> Option<f64> {
        share(self.sum, self.count)
    }
}

/// A part of a whole, if there is any.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Of an SMX.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfSmx {
    pub tbs: u64,
    /// Cycles of TBs.
    pub tb_cycles: u64,
    /// Cycles in which a TB ran.
    pub busy: u64,
    pub diverted: u64,
    pub low: u64,
}

/// Of kernels and groups of a name.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfName {
    pub launches: u64,
    /// Of TBs that ended.
    pub tbs: Tally,
    /// From the launch to the first TB.
    pub wait: Tally,
    /// From the launch until all TBs had ended.
    pub time: Tally,
}

/// Of a log.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The last one.
    pub cycles: u64,
    pub events: u64,
    pub slots: u64,
    pub host_kernels: u64,
    pub device_kernels: u64,
    pub groups: u64,
    /// Kernels and groups that the log leaves before they are done.
    pub not_done: u64,
    pub starts: u64,
    /// TBs that the log leaves running.
    pub unfinished: u64,
    /// TBs that were sent and did not start.
    pub not_started: u64,
    /// Of TBs that ended.
    pub tbs: Tally,
    pub refused: u64,
    /// From the decision to the start of a TB.
    pub to_start: Tally,
    /// From a launch to its first TB.
    pub host_wait: Tally,
    pub device_wait: Tally,
    pub child_tbs: u64,
    /// TBs of children on the SMX of their parent.
    pub with_parent: u64,
    /// By kind, and by what tells events of the kind apart.
    pub decisions: BTreeMap<(&'static str, Option<&'static str>), u64>,
    /// Events of kinds that this program does not know.
    pub unknown: BTreeMap<String, u64>,
    pub smxs: Vec<OfSmx>,
    pub names: Vec<OfName>,
}

impl Figures {
    pub fn of_name(&mut self, name: NameId) -> &mut OfName {
        if self.names.len() <= name {
            self.names.resize(name + 1, OfName::default());
        }
        &mut self.names[name]
    }

    /// Something took time, or did until the log ended.
    pub fn stretch(&mut self, stretch: &Stretch) {
        let cycles = stretch.to - stretch.from;
        let smx = &mut self.smxs[stretch.smx as usize];
        match stretch.what {
            What::Diverted => smx.diverted += cycles,
            What::Low => smx.low += cycles,
            What::Tb { name, ended, .. } => {
                smx.tbs += 1;
                smx.tb_cycles = smx.tb_cycles.saturating_add(cycles);
                if ended {
                    self.tbs.add(cycles);
                    self.of_name(name).tbs.add(cycles);
                }
            }
        }
    }

    pub fn count(&self, kind: &str, part: Option<&str>) -> u64 {
        let found = self.decisions.iter().filter(|((name, of), _)| *name == kind && (part.is_none() || *of == part));
        found.map(|(_, count)| count).sum()
    }

    /// A figure of all SMXs.
    pub fn of_smxs(&self, figure: fn(&OfSmx) -> u64) -> u64 {
        self.smxs.iter().map(figure).fold(0, u64::saturating_add)
    }

    /// Cycles of all SMXs.
    pub fn smx_cycles(&self) -> u64 {
        self.cycles.saturating_mul(self.smxs.len() as u64)
    }

    /// Of the TB slots of all SMXs, the share in use.
    pub fn slot_share(&self) -> Option<f64> {
        share(self.of_smxs(|smx| smx.tb_cycles), self.smx_cycles().saturating_mul(self.slots))
    }

    /// TB cycles of the busiest SMX over those of the mean one.
    pub fn imbalance(&self) -> Option<f64> {
        let most = self.smxs.iter().map(|smx| smx.tb_cycles).max()?;
        let all = self.of_smxs(|smx| smx.tb_cycles);
        share(most, all).map(|part| part * self.smxs.len() as f64)
    }
}
