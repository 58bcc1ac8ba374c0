//! What sheet `modern` adds to the model: where SMXs lie, clusters, priorities, partitions and preemption. A machine without a
//! part is one with a single context that has all SMXs, a single priority, no cluster and no request, so that there is one way
//! through the rules.

mod clusters;
mod contexts;
mod line;
mod preempt;
mod topology;

use std::collections::BTreeMap;

use gpusched::{Config, ContextView, SmxId, SmxSet};

use super::Model;
pub(super) use clusters::{Launched, dims};
use contexts::Context;
use preempt::Request;
pub(super) use topology::check as check_topology;

/// Whose a launch is: what its stream was when it was launched, or its parent is (modern-R1, modern-R3, modern-P2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) context: usize,
    pub(super) prio: u32,
}

/// The place of a TB in a cluster: the number of the cluster in its grid, and the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) cluster: u32,
    pub(super) rank: u32,
}

/// The structures of the sheet that are not columns of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Modern {
    /// The SMXs of each GPC, and of each TPC, both ascending; nothing without a topology.
    gpcs: Vec<Vec<usize>>,
    tpcs: Vec<Vec<usize>>,
    /// modern-C3: the GPC that is asked first.
    grr: usize,
    /// modern-C4: the place in each GPC that is asked first.
    crr: Vec<usize>,
    contexts: Vec<Context>,
    /// Streams that were set.
    streams: BTreeMap<u32, Owner>,
    drains: Vec<Option<Request>>,
}

impl Modern {
    pub(super) fn new(config: &Config) -> Self {
        let (gpcs, tpcs) = config.topology.as_ref().map(topology::lay_out).unwrap_or_default();
        Self {
            crr: vec![0; gpcs.len()],
            grr: 0,
            gpcs,
            tpcs,
            contexts: contexts::first(config),
            streams: BTreeMap::new(),
            drains: vec![None; config.preempt.map_or(0, |part| part.drain_max as usize)],
        }
    }

    pub(super) fn n_contexts(&self) -> usize {
        self.contexts.len()
    }
}

/// The numbers in a set of up to 256.
fn members(words: [u64; 4]) -> Vec<usize> {
    (0..256).filter(|&i| words[i / 64] >> (i % 64) & 1 == 1).collect()
}

/// These SMXs as a set.
fn set_of(smxs: &[usize]) -> SmxSet {
    let mut set = SmxSet::EMPTY;
    smxs.iter().for_each(|&s| set.set(SmxId(s as u16), true));
    set
}

/// What can be seen, in the core's terms.
impl Model {
    pub(super) fn topology_view(&self) -> Option<(Vec<SmxSet>, Vec<SmxSet>)> {
        let sets = |all: &[Vec<usize>]| all.iter().map(|smxs| set_of(smxs)).collect();
        self.config.topology.map(|_| (sets(&self.modern.gpcs), sets(&self.modern.tpcs)))
    }

    pub(super) fn cluster_view(&self) -> Option<(u32, Vec<u32>)> {
        let places = || self.modern.crr.iter().map(|&place| place as u32).collect();
        self.config.cluster.map(|_| (self.modern.grr as u32, places()))
    }

    pub(super) fn context_view(&self) -> Option<Vec<ContextView>> {
        let view = |(c, context): (usize, &Context)| ContextView {
            smxs: set_of(&context.smxs),
            quota: context.quota,
            limit: self.limit(c).map(|limit| limit as u32),
            kdes: context.kdes,
            threads: self.context_threads(c) as u32,
        };
        self.config.partition.map(|_| self.modern.contexts.iter().enumerate().map(view).collect())
    }

    pub(super) fn stream_view(&self) -> BTreeMap<u32, (u8, u8)> {
        let is_there = self.config.partition.is_some() || self.config.priority.is_some();
        let set = self.modern.streams.iter().filter(|_| is_there);
        set.map(|(&stream, owner)| (stream, (owner.context as u8, owner.prio as u8))).collect()
    }
}
