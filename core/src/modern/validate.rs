//! What holds of it between two calls.

use super::contexts::Context;
use super::{Modern, ModernTables, SavedId};
use crate::base::id::{DrainId, GpcId, Id, KernelSlot, SlotId, SmxId, SuspId, first_rows};
use crate::base::invariant::{Violation, invariant};
use crate::base::set::SmxSet;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{Kde, Kernel};
use crate::modern::clusters::ClusterPlace;
use crate::modern::drains::{Drain, Victim};
use crate::smx::residency::{ResidentTb, Unit};

impl<T: BoardTables + ModernTables> Modern<T> {
    /// The invariants of sheet `modern` that a state can tell.
    pub(crate) fn validate(&self, board: &Board<T>) -> Result<(), Violation> {
        self.validate_gpcs(board)?;
        self.validate_clusters(board)?;
        self.validate_contexts(board)?;
        self.validate_drains(board)?;
        let config = &board.config;
        let streams = self.streams.iter().take(config.n_stream as usize).filter_map(|(_, owner)| *owner);
        for owner in streams {
            owner.validate(config)?;
        }
        invariant("only streams that can be set are (modern-R1)", self.streams.ends_by(config.n_stream as usize))?;
        let priority = |k: KernelSlot| board.kd.get(k).kernel.owner.priority;
        let is_sorted = board.kd.fifo().map(priority).is_sorted_by(|before, behind| before >= behind);
        invariant("the FIFO is in the order of priorities (modern-I6)", is_sorted)?;
        let saving = board.kd.saving().count() as u32;
        let fits = saving == 0 || (config.preempt.is_some() && !board.suspended.is_full(saving - 1));
        invariant("there is room for all that are being saved (modern-I9)", fits)?;
        let latest = board.kd.saving().all(|(until, k)| until >= board.now && self.may_be_saved(board, k));
        invariant("what is being saved can be suspended (modern-S1)", latest)
    }

    /// modern-S1, of the state alone.
    fn may_be_saved(&self, board: &Board<T>, k: KernelSlot) -> bool {
        let Kde { kernel, graph, retain, live, restored, exe, mark, .. } = board.kd.get(k);
        let is_free = graph.is_none() && !retain && *live == 0 && mark.is_none();
        is_free && *restored >= kernel.saved && *exe > 0 && u32::from(kernel.depth) < board.config.sync_depth
    }

    fn validate_gpcs(&self, board: &Board<T>) -> Result<(), Violation> {
        let sets = board.config.topology.iter().flat_map(|topology| topology.gpcs());
        let mut n = 0;
        for (g, smxs) in sets.enumerate() {
            let gpc = &self.gpcs[GpcId::from_index(g)];
            let is_its = gpc.smxs == smxs && u32::from(gpc.next) < smxs.len();
            invariant("a GPC has its SMXs, and a place among them is next (modern-C3)", is_its)?;
            n += 1;
        }
        let is_next = u32::from(self.grr) < n || u32::from(self.grr) == 0;
        invariant("a GPC is next (modern-C3)", n == self.n_gpc && is_next && self.gpcs.ends_by(n as usize))
    }

    fn validate_clusters(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let slots = |smx| (0..config.tb_slots as usize).map(move |w| (smx, SlotId::from_index(w)));
        for (smx, slot) in board.all_smxs().iter().flat_map(slots) {
            let (tb, place) = (board.residency.tb(smx, slot), self.cluster_at(smx, slot));
            let agrees = match (tb, place) {
                (None, None) => true,
                (None, Some(_)) => false,
                (Some(tb), place) => self.is_place_of(board, tb, place),
            };
            invariant("a TB of a cluster has a rank in it (modern-C5)", agrees)?;
            if let (Some(tb), Some(place)) = (tb, place) {
                self.validate_cluster(board, smx, tb.kde, place)?;
            }
        }
        invariant("only slots that there are are used", self.places.ends_by(self.n_tb as usize))?;
        let end = SavedId((config.n_kde + config.susp_cap) * self.n_tb);
        invariant("only lists that there are are used", self.saved.ends_by(end.index()))?;
        for k in board.kd.kernel_slots() {
            let Kde { kernel, restored, .. } = board.kd.get(k);
            let is_whole = kernel.descriptor.cluster.size() == 1
                || kernel.next_native.checked_rem(kernel.descriptor.cluster.size()) == Some(0);
            invariant("clusters are sent whole (modern-I1)", is_whole)?;
            let runs = |place: ClusterPlace| {
                let mut all = board.all_smxs().iter().flat_map(slots);
                let is_its = |smx, slot| board.residency.tb(smx, slot).is_some_and(|tb| tb.kde == k);
                all.any(|(smx, slot)| {
                    let other = self.cluster_at(smx, slot);
                    is_its(smx, slot) && other.is_some_and(|other| other.cluster == place.cluster)
                })
            };
            self.validate_list(u32::from(k), kernel, kernel.saved - restored, runs)?;
        }
        for i in (0..config.susp_cap).map(|i| SuspId(i as u8)) {
            if let Some(entry) = board.suspended.get(i) {
                self.validate_list(self.list_of_suspended(i), &entry.kernel, entry.kernel.saved, |_| false)?;
            }
        }
        Ok(())
    }

    /// Whether a TB has this place in a cluster that was sent, or none.
    fn is_place_of(&self, board: &Board<T>, tb: &ResidentTb, place: Option<ClusterPlace>) -> bool {
        let kernel = &board.kd.get(tb.kde).kernel;
        let size = kernel.descriptor.cluster.size();
        let Some(place) = place else { return size == 1 || !matches!(tb.unit, Unit::Native | Unit::Restored) };
        let is_sent = size > 1 && place.cluster < kernel.next_native.checked_div(size).unwrap_or(0);
        let is_its = match tb.unit {
            Unit::Native => kernel.descriptor.cluster_of_tb(tb.blkid) == (place.cluster, place.rank.into()),
            // Its place in the list of saved ones is empty again.
            Unit::Restored => {
                let waits = self.saved.get(self.saved_id(tb.kde.into(), tb.blkid)).copied().flatten();
                waits.is_none() && u32::from(place.rank) < size
            }
            Unit::Group(_) | Unit::Node => false,
        };
        is_sent && is_its
    }

    /// modern-I2: the TBs of a cluster lie in one GPC, each rank once.
    fn validate_cluster(
        &self,
        board: &Board<T>,
        smx: SmxId,
        k: KernelSlot,
        place: ClusterPlace,
    ) -> Result<(), Violation> {
        let slots = |smx| (0..board.config.tb_slots as usize).map(move |w| (smx, SlotId::from_index(w)));
        let gpc = self.gpc_of(smx).and_then(|gpc| self.gpc(gpc)).map_or(SmxSet::EMPTY, |gpc| gpc.smxs);
        let mut ranks = 0;
        for (s, slot) in board.all_smxs().iter().flat_map(slots) {
            let is_its = board.residency.tb(s, slot).is_some_and(|tb| tb.kde == k);
            let Some(other) = self.cluster_at(s, slot).filter(|other| is_its && other.cluster == place.cluster) else {
                continue;
            };
            invariant("a cluster lies in one GPC (modern-I2)", gpc.contains(s))?;
            ranks += u32::from(other.rank == place.rank);
        }
        invariant("of a cluster each rank is there once (modern-I2)", ranks == 1)
    }

    /// A list of `saved` TBs, of which `waiting` were not sent again, of a kernel whose TBs that run are `here`.
    fn validate_list(
        &self,
        list: u32,
        kernel: &Kernel,
        waiting: u32,
        here: impl Fn(ClusterPlace) -> bool,
    ) -> Result<(), Violation> {
        let (size, saved) = (kernel.descriptor.cluster.size(), kernel.saved);
        let clusters = kernel.next_native.checked_div(size).unwrap_or(0);
        let places = || (0..self.n_tb).filter_map(|nth| Some((nth, (*self.saved.get(self.saved_id(list, nth))?)?)));
        let mut n = 0;
        for (nth, place) in places() {
            n += 1;
            let is_there = nth < saved && u32::from(place.rank) < size && place.cluster < clusters;
            let is_alone = places().filter(|(_, other)| *other == place).count() == 1 && !here(place);
            invariant("a TB of a cluster waits once, and none of its cluster runs (modern-S4)", is_there && is_alone)?;
        }
        let expected = if size > 1 { waiting } else { 0 };
        invariant("saved TBs of clusters wait in their list (modern-S4)", n == expected)
    }

    fn validate_contexts(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let Some(part) = &config.partition else {
            return invariant("there are no contexts", self.contexts.ends_by(0));
        };
        let all = SmxSet::first(config.n_smx);
        let mut taken = SmxSet::EMPTY;
        for c in config.contexts() {
            let &Context { smxs, quota, kdes, limit } = self.context(c);
            let is_given = smxs.without(&all).is_empty() && quota <= 100 && u32::from(kdes) <= config.n_kde;
            let is_share = limit == Context::limit(quota, &smxs, config);
            invariant("a context has SMXs and a share (modern-P1)", is_given && is_share)?;
            let is_apart = !part.mig || smxs.and(&taken).is_empty();
            invariant("with MIG contexts share nothing (modern-P1)", is_apart)?;
            taken = taken.or(&smxs);
            let within = limit.is_none_or(|limit| self.threads_of(board, c) <= limit);
            invariant("a context has no more threads than its share (modern-I5)", within)?;
            let is_few = kdes == 0 || board.kd.entries_of(c) <= kdes.into();
            invariant("a context holds no more entries than it may (modern-I5)", is_few)?;
        }
        for smx in all.iter() {
            let is_own = |tb: &ResidentTb| self.context(board.kd.get(tb.kde).kernel.owner.context).smxs.contains(smx);
            let is_within = board.residency.tbs_on(smx).all(is_own);
            invariant("a TB lies in the set of its context (modern-I4)", is_within)?;
        }
        invariant("there are as many contexts as there are", self.contexts.ends_by(part.contexts as usize))
    }

    fn validate_drains(&self, board: &Board<T>) -> Result<(), Violation> {
        let most = board.config.preempt.map_or(0, |part| part.drain_max);
        invariant("there are no more requests than may be", self.asked & !first_rows(most) == 0)?;
        for i in (0..64).map(DrainId) {
            let drain = self.drains.get(i).copied().flatten();
            invariant("a request is known", drain.is_some() == (self.asked >> i.0 & 1 == 1))?;
            let Some(Drain { victim, smxs, left, is_done }) = drain else { continue };
            let is_there = match victim {
                Victim::All => true,
                Victim::Context { context } => u32::from(context) < board.config.n_context(),
                Victim::Kernel { kde } => board.check_active(kde).is_ok(),
            };
            invariant("a request has a victim (modern-D1)", is_there)?;
            let is_counted = left == self.count(board, &smxs, victim) && is_done == (left == 0);
            invariant("what is left of a victim is known (modern-D2)", is_counted && !smxs.is_empty())?;
        }
        Ok(())
    }
}
