//! What holds of the board between two calls: its tables one by one, and what they say of each other (dtbl-I1 to I9, dtbl-I14,
//! frontend-I6).

use crate::base::id::{HwqId, Id, KernelSlot, RecordId, SmxId};
use crate::base::invariant::{Violation, invariant};
use crate::base::set::IdSet;
use crate::launch::agt;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{Chain, Kde, Kernel, KernelKey, Source};
use crate::launch::hwq::Key;
use crate::launch::record::{Group, Record};
use crate::smx::residency::Unit;

impl<T: BoardTables> Board<T> {
    /// # Errors
    /// The first invariant that does not hold.
    pub(crate) fn validate(&self) -> Result<(), Violation> {
        let Self { config, now, seq, hwqs, records, suspended, kd, agt: _, residency, gates, stats } = self;
        let next = Key { ready: *now, seq: *seq };
        // Or one cluster (modern-C2). A host that decides may send more; the seam knows how many it has sent in this cycle.
        let most = now.0.saturating_mul(config.cluster.map_or(1, |part| part.largest.into()));
        invariant("a cycle sends at most one TB (dtbl-T4)", config.told().is_some() || stats.tbs <= most)?;
        hwqs.validate(config, next)?;
        suspended.validate(config, next)?;
        kd.validate(config, *now)?;
        records.validate(config, next)?;
        let kernel = |k| self.is_active(k).then(|| kd.get(k).need);
        residency.validate(config, kernel, |tb| self.is_active(tb.kde).then(|| *kd.need_of(tb)))?;
        gates.validate(residency)?;
        self.validate_held_queues()?;
        self.validate_tbs()?;
        self.validate_groups()?;
        kd.active().try_for_each(|k| self.validate_entry(k))
    }

    fn is_active(&self, k: KernelSlot) -> bool {
        self.check_active(k).is_ok()
    }

    /// dtbl-I9, launch2-I1: a queue is held by one kernel, in an entry or suspended, or by as many as overlap.
    fn validate_held_queues(&self) -> Result<(), Violation> {
        for q in IdSet::<HwqId>::first(self.config.n_queue()).iter() {
            let kernels = self.kd.kernels().chain(self.suspended.kernels());
            let holders = kernels.filter(|kernel| kernel.source == Source::Hwq(q)).count();
            // A kernel that has ended but is not complete holds its queue, too; its grid says so.
            let (least, most) = if self.config.has_grids() { (0, self.config.window()) } else { (1, 1) };
            let is_held =
                if self.hwqs.is_busy(q) { holders >= least && holders <= most as usize } else { holders == 0 };
            invariant("a kernel of a queue holds it (dtbl-I9)", is_held)?;
        }
        Ok(())
    }

    /// What TBs and their kernels and groups say of each other.
    fn validate_tbs(&self) -> Result<(), Violation> {
        for s in (0..self.config.n_smx as usize).map(SmxId::from_index) {
            let mut key: Option<KernelKey> = None;
            for (_, tb) in self.residency.on(s) {
                let kde = self.kd.get(tb.kde);
                let of_graph = (tb.unit == Unit::Node) == kde.graph.is_some();
                invariant("the TBs of a graph are its nodes (frontend-T4g)", of_graph)?;
                let alone = !self.config.exclusive || key.is_none_or(|key| key == self.kd.key_of(tb));
                invariant("an SMX holds TBs of one kind (gate M)", alone)?;
                key = Some(self.kd.key_of(tb));
                let Some((sent, prio)) = self.sent_of(tb.unit, kde, tb.kde) else {
                    return invariant("a TB is of a kernel or of a group of it (dtbl-I3)", false);
                };
                invariant("a TB was sent (dtbl-I10)", tb.blkid < sent)?;
                invariant("a TB has the priority of its grid (frontend-F2)", tb.prio == prio)?;
            }
        }
        Ok(())
    }

    /// How many TBs of a unit there can be on SMXs, and their priority.
    fn sent_of(&self, unit: Unit, kde: &Kde, k: KernelSlot) -> Option<(u32, u8)> {
        let prio = kde.kernel.prio;
        match unit {
            // What of a grid in pieces was sent, the seam knows.
            Unit::Native if self.config.told().is_some_and(|told| told.split_cap > 0) => Some((kde.total, prio)),
            // Of clusters the numbers are not in the order of sending; which cluster a TB is of is looked at with them.
            Unit::Native if kde.kernel.descriptor.cluster.is_of_many() => Some((kde.total, prio)),
            Unit::Restored if kde.kernel.descriptor.cluster.is_of_many() => Some((kde.kernel.saved, prio)),
            Unit::Native => Some((kde.kernel.next_native, prio)),
            Unit::Restored => Some((kde.restored, prio)),
            Unit::Node => Some((kde.total, prio)),
            Unit::Group(r) => {
                let record = self.record(r)?;
                record.group().filter(|group| group.kernel == k)?;
                Some((record.shape.total, record.prio))
            }
        }
    }

    fn record(&self, r: RecordId) -> Option<&Record> {
        (r.0 < self.config.pend_limit).then(|| self.records.get(r))
    }

    fn group(&self, r: RecordId) -> Option<&Group> {
        self.record(r)?.group()
    }

    /// TBs of this unit of a kernel on SMXs.
    fn resident(&self, k: KernelSlot, unit: Unit) -> u32 {
        self.residency.tbs().filter(|tb| tb.kde == k && tb.unit == unit).count() as u32
    }

    /// dtbl-I3, dtbl-I8, dtbl-I14 and frontend-I6: a group's record is live until it is done.
    fn validate_groups(&self) -> Result<(), Violation> {
        let is_free = self.config.has_free_units();
        let mut on_chip = 0;
        for (r, record) in self.records.iter() {
            let Some(&Group { kernel, age, exe, dist, .. }) = record.group() else { continue };
            invariant("a group's kernel is active (dtbl-D4)", self.is_active(kernel))?;
            let kde = self.kd.get(kernel);
            let is_alike = kde.key() == KernelKey::of(&record.descriptor, record.owner) && kde.may_have_groups();
            invariant("a group is like its kernel (dtbl-I14)", is_alike)?;
            invariant("TBs of a group are counted (dtbl-I3)", exe == self.resident(kernel, Unit::Group(r)))?;
            invariant("no more TBs are sent than a group has (dtbl-I10)", exe <= record.shape.total)?;
            invariant("a group is here until it is done (dtbl-D2)", !dist || exe > 0)?;
            if let Some(age) = age {
                on_chip += 1;
                let is_its = age == agt::hash(&self.config, record.psmx, record.hw_tid) && self.agt.is_of(age, r);
                invariant("a group on chip is in the AGE of its thread (dtbl-I8)", is_its && !is_free)?;
            }
        }
        invariant("the AGT holds the groups on chip (dtbl-I8)", self.agt.iter().count() == on_chip)
    }

    /// What an active entry, its TBs and its groups say of each other (dtbl-I2, dtbl-I5 to I7, dtbl-I10).
    fn validate_entry(&self, k: KernelSlot) -> Result<(), Violation> {
        let kde = self.kd.get(k);
        let Kernel { next_native, saved, .. } = kde.kernel;
        let here = self.residency.tbs().filter(|tb| tb.kde == k).count() as u32;
        invariant("resident TBs of a kernel are counted (dtbl-I2)", kde.exe == here)?;
        let sent = self.resident(k, Unit::Native) <= next_native - saved && self.resident(k, Unit::Node) <= next_native;
        invariant("no more TBs run than were sent (dtbl-I10)", sent)?;
        let restored = self.resident(k, Unit::Restored) <= kde.restored;
        invariant("no more TBs run than were restored (dtbl-S2)", restored)?;
        let groups = || self.records.iter().filter_map(|(_, record)| record.group()).filter(|group| group.kernel == k);
        invariant("groups that are not done are counted (dtbl-D2)", kde.live as usize == groups().count())?;
        let waiting = groups().filter(|group| !group.dist).count();
        if self.config.has_free_units() {
            return invariant("free units are in no chain (frontend-T3p, policy-P12)", kde.chain.is_none());
        }
        let cursor = kde.cursor().copied().unwrap_or_default();
        let (mut last, mut walked) = (None, 0);
        let first = kde.chain.map(|chain| chain.next);
        let chain = core::iter::successors(first, |&r| self.group(r)?.next.map(|(next, _)| next));
        for r in chain.take(waiting + 1) {
            let sent = if cursor.group == Some(r) { cursor.next_bl } else { 0 };
            let Some(group) = self.group(r).filter(|group| group.kernel == k && !group.dist) else {
                return invariant("a chain holds groups of its kernel with TBs to send (dtbl-I5)", false);
            };
            invariant("no more TBs of a group run than were sent (dtbl-I10)", group.exe <= sent)?;
            (last, walked) = (Some(r), walked + 1);
        }
        invariant("a chain holds all groups with TBs to send (dtbl-I5)", walked == waiting)?;
        invariant("LAGEI is the last group (dtbl-I6)", kde.chain.map(|Chain { last, .. }| last) == last)?;
        let within = cursor.group.and_then(|r| self.record(r)).is_none_or(|r| cursor.next_bl < r.shape.total);
        invariant("a group that is sent has TBs left (dtbl-T4)", within)
    }
}
