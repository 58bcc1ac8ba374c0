//! The LSU's side of prefetching (refgpu-M12): a prefetcher sees the loads, and its lines go out behind theirs.

use gpusched::apogee::Verdict;

use super::{Kind, Lsu, Memory, Presence, Transaction};
use crate::prefetch::{Distances, Load, PrefetchStats, Prefetcher};

impl Lsu {
    /// A warp has issued a load of the transactions now in [`Lsu::transactions`], for a prefetcher to see.
    #[inline]
    pub fn show_load(&mut self, now: u64, pc: u32, warp: u8, mask: u32, addresses: &[u64; 32]) {
        if let Some(prefetcher) = &mut self.prefetcher {
            let lines = self.transactions.as_slice().iter().map(|t| self.l1.look(t.line));
            let verdict = lines.fold(Verdict::Hit, |all, line| match (all, line) {
                (Verdict::Absent, _) | (_, Presence::Absent) => Verdict::Absent,
                (Verdict::Pending, _) | (_, Presence::Pending) => Verdict::Pending,
                (Verdict::Hit, Presence::Present) => Verdict::Hit,
            });
            prefetcher.load(now, &Load { pc, warp, verdict, mask, addresses });
        }
    }

    /// The SM holds TBs of so many threads from now on.
    pub fn set_threads(&mut self, threads: u32) {
        if let Some(prefetcher) = &mut self.prefetcher {
            prefetcher.set_threads(threads);
        }
    }

    /// refgpu-M12, behind the latch: a prefetched line may go to memory if an MSHR is free and nothing waits for the way there, in own
    /// cycle `now`, which is core cycle `at`.
    #[inline]
    pub fn prefetch(&mut self, now: u64, at: u64, memory: &Memory) {
        let Some(prefetcher) = &mut self.prefetcher else { return };
        if !self.miss_queue.is_empty() || self.l1.free_mshrs() == 0 || memory.is_busy(at) {
            return;
        }
        let Some(line) = prefetcher.pop(now) else { return };
        let mshr = self.l1.prefetch(line);
        prefetcher.reply(mshr);
        if let Some(mshr) = mshr {
            let sectors = self.whole_line;
            self.queue(Kind::Read, mshr, &Transaction { line, sectors, ..Transaction::default() });
        }
    }

    /// The next cycle in which a prefetch may go out. One that is due waits for the bus, or the queue, cycle by cycle; for an MSHR it
    /// waits until a line arrives.
    #[inline]
    pub(super) fn next_prefetch(&self, now: u64) -> u64 {
        match &self.prefetcher {
            Some(prefetcher) if self.l1.free_mshrs() > 0 => prefetcher.next().max(now + 1),
            _ => u64::MAX,
        }
    }

    /// What the prefetcher did, if there is one.
    pub fn prefetches(&self) -> Option<(PrefetchStats, &Distances)> {
        let of = |prefetcher: &'_ Prefetcher| PrefetchStats { lines: self.l1.lines, ..*prefetcher.stats() };
        self.prefetcher.as_deref().map(|prefetcher| (of(prefetcher), prefetcher.distances()))
    }
}
