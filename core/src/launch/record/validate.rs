//! What holds of the launch records between two calls.

use super::{FifoId, LaunchFifo, Record, RecordState, Records, Waiting};
use crate::base::cycle::Cycle;
use crate::base::id::RecordId;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;
use crate::config::{Config, Fallback};
use crate::launch::hwq::Key;
use crate::policy::laperm::Model;

impl<R: Rows<Record>, M: Rows<u64>, F: Rows<LaunchFifo>, W: Rows<Waiting>> Records<R, M, F, W> {
    /// What holds of the records, all launched before anybody who would get the key `next`. Where groups are is the board's affair.
    pub(crate) fn validate(&self, config: &Config, next: Key) -> Result<(), Violation> {
        let Self { records, free, fifos: _, warp, n_level: _, n_owner: _, agg, devs, dev, dev_ready } = self;
        let mut in_use = 0;
        for (r, record) in records.iter() {
            let is_free = record.state == RecordState::Free;
            in_use += u32::from(!is_free);
            let agrees = is_free == (r.0 >= config.pend_limit || free.is_free(r));
            invariant("a record is free or in use (dtbl-A16)", agrees && (!is_free || *record == Record::default()))?;
            if !is_free {
                record.validate(config)?;
            }
        }
        invariant("records are counted (dtbl-A16)", free.in_use() == in_use)?;
        self.validate_waiting(agg, *warp, config, next)?;
        let mut oldest: Option<RecordId> = None;
        for owner in self.owners() {
            self.validate_waiting(&devs[owner], 2 * warp, config, next)?;
            let least = devs[owner].least;
            invariant("a kernel waits with its owner's (modern-R4)", least.is_none_or(|r| self.owner_of(r) == owner))?;
            oldest = oldest.into_iter().chain(least).min_by_key(|&r| self.records[r].key);
        }
        let ready = oldest.map_or(Cycle::MAX, |r| self.records[r].key.ready);
        invariant("the oldest kernel is known (dtbl-T1)", (*dev, *dev_ready) == (oldest, ready))
    }

    /// What holds of `n` FIFOs of one set, and of their heap.
    fn validate_waiting(&self, set: &Waiting, n: u32, config: &Config, next: Key) -> Result<(), Violation> {
        let heap = || (0..set.len).map(|at| FifoId(self.fifos[set.place(at)].heap));
        let key = |at: u32| self.key(FifoId(self.fifos[set.place(at)].heap));
        invariant("the oldest launch is at the top of the heap", (1..set.len).all(|at| key((at - 1) / 2) <= key(at)))?;
        let root = heap().next().and_then(|f| self.fifos[f].head);
        let ready = root.map_or(Cycle::MAX, |r| self.records[r].key.ready);
        invariant("the oldest launch is known (dtbl-T1)", (set.least, set.ready) == (root, ready))?;
        for f in 0..n {
            let fifo = FifoId(set.base + f);
            let LaunchFifo { head, tail, .. } = self.fifos[fifo];
            let places = heap().filter(|&other| other == fifo).count();
            invariant("a FIFO that is not empty is in the heap", places == usize::from(head.is_some()))?;
            self.validate_fifo((head, tail), fifo.0, config, next)?;
        }
        Ok(())
    }

    /// What holds of FIFO number `f`: what joins it becomes ready after the same time as all that is in it, so it stays sorted (dtbl-L2,
    /// dtbl-L3, dtbl-T3).
    fn validate_fifo(
        &self,
        (head, tail): (Option<RecordId>, Option<RecordId>),
        f: u32,
        config: &Config,
        next: Key,
    ) -> Result<(), Violation> {
        let is_cdp = config.laperm().is_some_and(|part| part.model == Model::Cdp);
        let (n, is_agg) = (self.warp, f < self.warp);
        // Among its owner's, those for kernels, then those for groups that fell.
        let f = if is_agg { f } else { n + (f - n).checked_rem(2 * n).unwrap_or(0) };
        let has_fallen = f >= 2 * n;
        let of_tails = config.cdp2.filter(|_| has_fallen);
        let latency = match config.fallback {
            _ if of_tails.is_some() => config.lat_cdp(n).max(of_tails.map_or(0, |part| part.lat_tail.into())),
            _ if is_agg => config.lat_dtbl(f + 1),
            _ if !has_fallen => config.lat_cdp(f - n + 1),
            Fallback::Direct => 0,
            Fallback::Full => config.lat_launch_call(f - 2 * n + 1),
        };
        let latest = Key { ready: next.ready.after(latency), ..next };
        let mut last: Option<RecordId> = None;
        // No FIFO is longer than there are records.
        for r in core::iter::successors(head, |&r| self.records[r].behind).take(config.pend_limit as usize + 1) {
            let Record { state, key, .. } = self.records[r];
            let is_its_own = match state {
                RecordState::Agg { .. } => is_agg,
                RecordState::Dev => !is_agg,
                _ => false,
            };
            invariant("groups wait with groups, kernels with kernels (dtbl-L2, dtbl-L3)", is_its_own)?;
            // Lanes fall in their order, which their commands tell.
            let sorted = last.is_none_or(|last| {
                let last = self.records[last].key;
                last < key || (has_fallen && of_tails.is_none() && last.ready <= key.ready)
            });
            invariant("launches of one lane count wait in order (dtbl-L2)", sorted && key.was_before(latest))?;
            // Under LaPerm's model cdp what is ready went to its lists in the cycle before.
            invariant("what is ready waits in LaPerm's lists (frontend-T1p)", !is_cdp || key.ready >= next.ready)?;
            last = Some(r);
        }
        invariant("a FIFO ends with its last launch", last == tail)
    }

    /// Launches that wait in a FIFO.
    pub(crate) fn waiting(&self) -> usize {
        let heads = (0..self.warp * (1 + 2 * self.n_owner)).filter_map(|f| self.fifos[FifoId(f)].head);
        heads.map(|head| core::iter::successors(Some(head), |&r| self.records[r].behind).count()).sum()
    }
}

impl Record {
    /// Whether it is of a group, coalesced or not.
    pub(crate) fn is_group(&self) -> bool {
        matches!(self.state, RecordState::Agg { .. } | RecordState::Grp(_))
    }

    /// What holds of a record that is in use.
    fn validate(&self, config: &Config) -> Result<(), Violation> {
        let Self { ref descriptor, ref shape, depth, hw_tid, psmx, prio, owner, .. } = *self;
        let is_accepted = descriptor.is_accepted(config, !self.is_group());
        let has_shape = descriptor.shape(config).is_ok_and(|of| of == *shape);
        invariant("a launch was accepted (dtbl-V1)", is_accepted && has_shape)?;
        let from =
            u32::from(psmx.0) < config.n_smx && hw_tid < config.threads && (depth > 0 || config.has_level_tails());
        invariant("a launch has a parent (dtbl-L2, dtbl-L3)", from)?;
        owner.validate(config)?;
        let levels = (prio > 0) == config.has_free_units() && prio <= config.deepest_prio();
        invariant("a launch has the priority of its level (frontend-F2)", levels)
    }
}
