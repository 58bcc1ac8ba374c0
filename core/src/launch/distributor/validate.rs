//! What holds of the kernel distributor between two calls.

use super::{Distributor, GraphState, Kde, Kernel, Phase, Source};
use crate::base::cycle::Cycle;
use crate::base::id::{KernelSlot, first_rows};
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::cross::Cross;
use crate::launch::cursor::Cursor;

impl Kernel {
    /// What holds of a kernel in an entry, or of a suspended one.
    pub(crate) fn validate(&self, config: &Config) -> Result<(), Violation> {
        let Self { ref descriptor, source, depth, psmx, prio, owner, stream, next_native, saved } = *self;
        let total = descriptor.shape(config).map(|shape| shape.total);
        invariant("a kernel was accepted (dtbl-V1)", descriptor.is_accepted(config, true))?;
        invariant("no more TBs are sent than a grid has (dtbl-I10)", total.is_ok_and(|total| next_native <= total))?;
        invariant("no more TBs are saved than were sent (dtbl-S1)", saved <= next_native)?;
        // What the device launched has a parent, and under LaPerm a level.
        let is_child = source == Source::Device;
        let is_there = psmx.is_none_or(|s| u32::from(s.0) < config.n_smx);
        invariant("a device kernel has a parent (dtbl-L2)", is_there && psmx.is_some() == is_child)?;
        invariant(
            "a device kernel is deeper than its parent (dtbl-L2)",
            (depth > 0) == is_child || (is_child && config.has_level_tails()),
        )?;
        let may_sync = saved == 0 || u32::from(depth) < config.sync_depth;
        invariant("only a kernel that may wait for its children was suspended (dtbl-S1)", may_sync)?;
        let levels = (prio > 0) == (is_child && config.has_free_units()) && prio <= config.deepest_prio();
        invariant("a kernel has the priority of its level (frontend-F2)", levels)?;
        owner.validate(config)?;
        let queue = match source {
            Source::Hwq(q) => q == owner.queue_of(stream, config),
            Source::Device => stream == 0,
            Source::Node(i) => config.kgraph.is_some_and(|part| u32::from(i) < part.insts),
        };
        invariant("a host kernel has come through a queue (dtbl-L1)", queue)
    }
}

impl<K: Rows<Kde>, C: Rows<Cross>> Distributor<K, C> {
    /// What holds of the entries and of their lists. What their TBs and groups say is the board's affair.
    pub(crate) fn validate(&self, config: &Config, now: Cycle) -> Result<(), Violation> {
        let Self { kdes, crosses, free, active, arriving: _, fifo: _ } = self;
        let all = first_rows(config.n_kde);
        invariant("only entries that there are are free or active", (free | active) & !all == 0 && free & active == 0)?;
        invariant(
            "the distributor has its entries alone",
            kdes.ends_by(config.n_kde as usize) && crosses.ends_by(config.n_kde as usize),
        )?;
        for (k, kde) in kdes.iter().take(config.n_kde as usize) {
            let is = |set: &u64| set >> k.0 & 1 == 1;
            let agrees = match kde.phase {
                Phase::Free => is(free) && *kde == Kde::default(),
                Phase::Arriving(_) => !is(free) && !is(active),
                Phase::Active | Phase::Saving(_) => is(active),
            };
            invariant("an entry is free, arriving or active", agrees)?;
            if kde.phase != Phase::Free {
                kde.validate(config, now)?;
            }
            crosses.get(k).map_or(Ok(()), |cross| cross.validate(kde, config))?;
        }
        let is_marked = |k: KernelSlot| self.is_active(k) && self.kdes[k].mark.is_some();
        let marked = self.active().filter(|&k| is_marked(k)).count();
        let in_line = self.fifo().take(marked + 1).filter(|&k| is_marked(k)).count();
        let only = self.fifo().take(marked + 1).count() == marked;
        invariant("the FIFO is the marked entries (dtbl-I4)", only && in_line == marked)?;
        let on_the_way = (all & !(free | active)).count_ones() as usize;
        let coming = || self.arriving().take(on_the_way + 1);
        let only = coming().count() == on_the_way && coming().all(|k| matches!(self.kdes[k].phase, Phase::Arriving(_)));
        let sorted = coming().map(|k| self.arrives_at(k)).is_sorted();
        invariant("kernels arrive in order (dtbl-T2)", only && sorted)
    }
}

impl Kde {
    /// What holds of an entry that is not free.
    fn validate(&self, config: &Config, now: Cycle) -> Result<(), Violation> {
        self.kernel.validate(config)?;
        let Kernel { descriptor, source, next_native, saved, .. } = self.kernel;
        let is_of_shape = descriptor.shape(config).is_ok_and(|s| (s.total, s.need) == (self.total, self.need));
        invariant("an entry says what its kernel needs (dtbl-T1)", is_of_shape)?;
        invariant("no more TBs are restored than were saved (dtbl-S2)", self.restored <= saved)?;
        let may_stay = !self.retain || (matches!(source, Source::Hwq(_)) && saved == 0);
        invariant("only the host retains, what was never suspended (dtbl-S1)", may_stay)?;
        let waits = source == Source::Device && next_native == 0;
        invariant("a device kernel waits until its first TB is sent", self.t0.is_some() == waits)?;
        self.validate_graph(config)?;
        match self.phase {
            Phase::Arriving(at) => {
                let latest = now.after(config.deepest_prio().into()).after(config.lat_dispatch.into());
                invariant("a kernel arrives within its time (dtbl-T1)", at <= latest)?;
                let Self { exe, live, pend, chain, mark, natives, restored, .. } = *self;
                let is_still = (exe, live, pend, chain, mark, natives, restored) == (0, 0, 0, None, None, None, 0);
                let is_new = (next_native == 0 || saved > 0) && self.has_native_work();
                invariant("nothing of a kernel is sent before it arrives (dtbl-T2)", is_still && is_new)
            }
            _ => self.validate_active(config),
        }
    }

    fn validate_active(&self, config: &Config) -> Result<(), Violation> {
        invariant("an entry is there for something (dtbl-D3)", !self.is_over())?;
        let is_free = config.has_free_units();
        // The DGB holds the nodes of a graph, the line only where the policy has one.
        let has_own = self.has_native_work() && self.graph != Some(GraphState::Aborted);
        let Some(mark) = self.mark else {
            let is_saved = matches!(self.phase, Phase::Saving(_));
            let is_served = is_free || is_saved || (!has_own && self.chain.is_none());
            return invariant("an entry with TBs or groups to send is marked (dtbl-I7)", is_served);
        };
        invariant("of free units none is marked (frontend-T3p, policy-P12)", !is_free)?;
        invariant("the first bit says whether native TBs are to be sent (dtbl-A17)", mark.first == has_own)?;
        invariant("a marked entry has TBs or groups to send (dtbl-I7)", mark.first || self.chain.is_some())?;
        // A graph's buffer knows how far it is.
        let is_at = |c: Cursor| self.graph.is_none() && c.group == Cursor::start(self).group;
        invariant("a cursor is where its kernel is (frontend-I9)", mark.cursor.is_none_or(is_at))
    }

    /// A kernel with a dependency graph is the host's, was never suspended, takes no groups and is not to stay.
    fn validate_graph(&self, config: &Config) -> Result<(), Violation> {
        let Some(graph) = self.graph else { return Ok(()) };
        let Kernel { source, saved, .. } = self.kernel;
        let has_clusters = self.kernel.descriptor.cluster.is_given();
        let is_host = matches!(source, Source::Hwq(_)) && config.dats.is_some() && !has_clusters;
        invariant("the host launches graphs (frontend-F1)", is_host && !self.retain && saved == 0)?;
        invariant("a kernel goes when its graph is done (frontend-F4)", graph != GraphState::Finished)?;
        let plain = self.chain.is_none() && self.live == 0 && self.pend == 0 && self.natives.is_none();
        invariant("a kernel with a graph takes no groups (frontend-A5)", plain)?;
        let is_coming = (graph == GraphState::Coming) == (self.phase != Phase::Active);
        invariant("a graph comes with its kernel (frontend-T2g)", is_coming)
    }
}
