//! Coalescing: a ready command's groups join eligible kernels, or become device kernels (dtbl-T3).
//!
//! Search, probe and link happen together, so a result can never name an entry that has changed hands (dtbl-H5), and after the
//! completions of the cycle, so a group either finds its kernel whole or not at all (dtbl-H4).

use crate::base::id::{AgeId, KernelSlot, RecordId, SmxId};
use crate::config::{AgtMiss, Fallback};
use crate::launch::agt;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{Chain, KernelKey};
use crate::launch::record::{Group, Record, RecordState};
use crate::probe::{Decision, FallCause, GroupRef, Probe};

/// The most lanes of a command.
const MAX_WARP: usize = 64;

/// Where groups go that have found their kernel.
pub(crate) trait Homes<T: BoardTables> {
    /// Whether they wait in the chains of their kernels, with or without an AGE, rather than in a policy's queues.
    fn are_chains(&self) -> bool;

    /// The group in this record joins or falls.
    fn settled(&mut self, r: RecordId);

    /// A group of this kernel has joined.
    fn joined(&mut self, board: &mut Board<T>, k: KernelSlot, r: RecordId, probe: &mut impl Probe);
}

impl<T: BoardTables> Board<T> {
    /// Carries out the oldest command, which is ready, and only that one (dtbl-A18).
    #[inline]
    pub(crate) fn coalesce(&mut self, homes: &mut impl Homes<T>, probe: &mut impl Probe) {
        let Some(r) = self.records.first_agg() else { return };
        let RecordState::Agg { command } = self.records.get(r).state else { return };
        let mut fallen = heapless::Vec::<RecordId, MAX_WARP>::new();
        // A command has at most `warp` lanes; a longer one, of a forged image, is carried out in parts.
        for _ in 0..self.config.warp {
            let first = self.records.first_agg();
            let Some(r) = first.filter(|&r| self.records.get(r).state == (RecordState::Agg { command })) else { break };
            self.records.pop_agg();
            homes.settled(r);
            if let Err(cause) = self.join(r, homes, probe) {
                probe.decide(self.now, Decision::Fall { tag: self.records.get(r).descriptor.tag, cause });
                // `warp` is at most 64, so there is room.
                let _ = fallen.push(r);
            }
        }
        let fell = fallen.len() as u32;
        let (ready, class) = match self.config.fallback {
            Fallback::Direct => (self.now, 1),
            Fallback::Full => (self.now.after(self.config.lat_launch_call(fell)), fell),
        };
        for &r in &fallen {
            self.records.fall(r, ready, class);
        }
    }

    /// Coalesces one group with a kernel.
    fn join(&mut self, r: RecordId, homes: &mut impl Homes<T>, probe: &mut impl Probe) -> Result<(), FallCause> {
        let Record { descriptor, owner, psmx, hw_tid, .. } = self.records.get(r);
        let (tag, caller) = (descriptor.tag, (*psmx, *hw_tid));
        let Some(kernel) = self.kd.eligible(&KernelKey::of(descriptor, *owner)) else {
            self.stats.kde_miss = self.stats.kde_miss.saturating_add(1);
            return Err(FallCause::Kde);
        };
        self.stats.kde_hit = self.stats.kde_hit.saturating_add(1);
        // frontend-T3p: in a policy's queue the record is the group's home.
        let age = if homes.are_chains() { self.probe_agt(r, caller)? } else { None };
        self.records.join(r, Group { kernel, age, next: None, exe: 0, dist: false });
        self.kd.get_mut(kernel).live += 1;
        let group = if homes.are_chains() { self.chained_ref(r) } else { GroupRef::Unit(r) };
        probe.decide(self.now, Decision::Join { tag, kde: kernel, group });
        homes.joined(self, kernel, r, probe);
        Ok(())
    }

    /// dtbl-T3 step 2: the AGE of a group that a thread of this SMX launched, if that is free.
    fn probe_agt(&mut self, r: RecordId, (smx, hw_tid): (SmxId, u32)) -> Result<Option<AgeId>, FallCause> {
        let index = agt::hash(&self.config, smx, hw_tid);
        let age = self.agt.is_free(index).then_some(index);
        match age {
            Some(age) => {
                self.stats.agt_hit = self.stats.agt_hit.saturating_add(1);
                self.agt.take(age, r);
            }
            None => {
                self.stats.agt_spill = self.stats.agt_spill.saturating_add(1);
                if self.config.agt_miss == AgtMiss::Device {
                    return Err(FallCause::Agt);
                }
            }
        }
        Ok(age)
    }

    /// Puts a group at the end of a kernel's chain, and marks the kernel again if all its TBs were sent (dtbl-T3 step 3).
    pub(crate) fn link(&mut self, k: KernelSlot, r: RecordId) {
        let (chain, at) = (self.kd.get(k).chain, self.chained_ref(r));
        if let Some(last) = chain.and_then(|chain| self.records.group_mut(chain.last)) {
            last.next = Some((r, at));
        }
        let kde = self.kd.get_mut(k);
        kde.chain = Some(Chain { next: chain.map_or(r, |chain| chain.next), last: r });
        if kde.mark.is_none() {
            self.kd.mark(k, false);
        }
    }
}
