//! What the buffer makes of a graph before it runs: the verdict, how far it is from another one, and what would change it. All of it
//! is found by asking the core's admission check again and again.

use crate::failure::Failure;
use crate::interrupt;
use anyhow::anyhow;
use gpusched::dats::{Admission, DgbConfig, dgb_storage_bits};
use gpusched_workloads::depgraph::DepGraph;
use serde::Serialize;
use std::ops::RangeInclusive;

/// The largest arrays.
const MOST: u32 = 65_535;

/// A graph, asked about with one buffer and variations of it.
pub struct Question<'a> {
    graph: &'a DepGraph,
    config: DgbConfig,
    scratch: Vec<u32>,
}

/// What the check said.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    pub admission: Admission,
    /// At the node that it names: updates that may have to wait in the PUB, or that have to in any schedule. `None`: more than any
    /// PUB holds, or it names none.
    pub updates: Option<u32>,
    /// The smallest PUB with which no schedule deadlocks, if there is one.
    pub safe_pub: Option<u32>,
    /// The smallest PUB with which not every schedule deadlocks, if there is one.
    pub possible_pub: Option<u32>,
    /// Larger arrays for nodes and edges with which no schedule deadlocks: the first power of two.
    pub larger: Option<Larger>,
}

/// Larger arrays.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Larger {
    pub lna: u32,
    pub lea: u32,
    pub storage_bytes: u64,
}

impl<'a> Question<'a> {
    pub fn new(graph: &'a DepGraph, config: DgbConfig) -> Self {
        Self { graph, config, scratch: vec![0; graph.nodes.len()] }
    }

    pub fn verdict(&mut self) -> Result<Verdict, Failure> {
        let admission = self.ask(&self.config.clone())?;
        let mut verdict = Verdict { admission, updates: None, safe_pub: None, possible_pub: None, larger: None };
        if admission != Admission::Safe {
            verdict.larger = self.larger()?;
        }
        // With a node that never fits, no PUB helps.
        if !matches!(admission, Admission::Oversize { .. }) {
            verdict.safe_pub = self.least_pub(0..=MOST, |other| other == Admission::Safe)?;
            verdict.possible_pub = self.least_pub(0..=MOST, |other| !matches!(other, Admission::Deadlocks { .. }))?;
        }
        if matches!(admission, Admission::MayDeadlock { .. } | Admission::Deadlocks { .. }) {
            // The verdict is about this node for as long as its updates are too many.
            verdict.updates = self.least_pub(self.config.pub_entries..=MOST, |other| other != admission)?;
        }
        Ok(verdict)
    }

    fn ask(&mut self, config: &DgbConfig) -> Result<Admission, Failure> {
        if interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        let DepGraph { nodes, edges, .. } = self.graph;
        Ok(gpusched::dats::admit(config, nodes, edges, &mut self.scratch).map_err(|error| anyhow!("{error}"))?)
    }

    /// The least PUB within `range` that gives a verdict which larger ones give, too.
    fn least_pub(
        &mut self,
        range: RangeInclusive<u32>,
        is_so: impl Fn(Admission) -> bool,
    ) -> Result<Option<u32>, Failure> {
        let (mut low, mut high) = (*range.start(), *range.end() + 1);
        while low < high {
            let pub_entries = low.midpoint(high);
            if is_so(self.ask(&DgbConfig { pub_entries, ..self.config })?) {
                high = pub_entries;
            } else {
                low = pub_entries + 1;
            }
        }
        Ok((low <= *range.end()).then_some(low))
    }

    fn larger(&mut self) -> Result<Option<Larger>, Failure> {
        let widest = self.graph.iter().map(|(_, _, children)| children.len() as u32).max().unwrap_or(0);
        let mut lna = self.config.lna;
        while lna < MOST {
            lna = (lna + 1).next_power_of_two().min(MOST);
            // As many edges for each node as the presets have.
            let lea = (4 * lna).max(self.config.lea).max(widest).min(MOST);
            let config = DgbConfig { lna, lea, ..self.config };
            if self.ask(&config)? == Admission::Safe {
                return Ok(Some(Larger { lna, lea, storage_bytes: storage_bytes(&config) }));
            }
        }
        Ok(None)
    }
}

/// Bytes of the hardware's tables.
pub fn storage_bytes(config: &DgbConfig) -> u64 {
    dgb_storage_bits(config).total().div_ceil(8)
}
