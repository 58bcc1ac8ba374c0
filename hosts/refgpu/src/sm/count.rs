//! What an SM counts: stalls and LSU in own cycles, residency in core cycles, both in bulk where nothing happens (refgpu-T3).

use super::{Sm, Unit};
use crate::erased::AnyWorkload;
use crate::prefetch::Distances;
use crate::program::{Class, Effects};
use crate::stats::{STREAMS, SmStats, StreamCounts};
use crate::units::members;

impl Sm {
    /// Notes how many schedulers wait for memory, and for a unit, while nothing changes.
    #[inline]
    pub(super) fn classify(&mut self) {
        if self.classified != (self.ready, self.waits_memory) {
            self.classified = (self.ready, self.waits_memory);
            (self.idle_memory, self.idle_structural) = self.waiting_schedulers(self.ready, 0);
        }
    }

    /// Schedulers outside `issued` that wait for memory, and for a unit, if these warps are ready (refgpu-S12).
    #[inline]
    pub(super) fn waiting_schedulers(&self, ready: u64, issued: u64) -> (u64, u64) {
        let idle = !issued;
        let unit = self.schedulers_of(ready) & idle;
        let memory = self.schedulers_of(self.waits_memory) & idle & !unit;
        (memory.count_ones().into(), unit.count_ones().into())
    }

    /// The schedulers that own any of these warps, one bit each: warp w belongs to scheduler w mod n, and n is a power of two.
    #[inline]
    fn schedulers_of(&self, warps: u64) -> u64 {
        let (n, mut folded, mut half) = (self.schedulers.len(), warps, 32);
        while half >= n {
            folded |= folded >> half;
            half /= 2;
        }
        folded & ((1 << n) - 1)
    }

    /// Whether, behind a stalled LSU, a ready warp's line is in L1 (refgpu-S9); counted if nothing issued in own cycle `now`.
    pub(super) fn count_blocked_hit(&mut self, now: u64, work: &AnyWorkload<'_>, effects: &mut Effects) {
        let waiting = if self.lsu.is_blocked() { self.ready & self.heads[Unit::Lsu as usize] } else { 0 };
        self.idle_blocked_hit = members(0, waiting).any(|w| {
            let inst = &self.inst[w];
            inst.class == Class::LoadGlobal
                && work.preview(&self.programs[w], effects)
                && self.lsu.has_any(inst.mask, &effects.addr)
        });
        self.stats.blocked_hits += u64::from(self.idle_blocked_hit && self.issued_at != now);
    }

    /// Brings the statistics up to beat `until`, excluded: nothing happened since the last step.
    pub(super) fn count_until(&mut self, until: u64) {
        self.count_residency(until);
        self.count_idle(self.clock.first(until));
    }

    /// Own cycles before `until` in which nothing happened.
    #[inline]
    pub(super) fn count_idle(&mut self, until: u64) {
        let cycles = until.saturating_sub(self.counted);
        if cycles == 0 {
            return;
        }
        self.counted = until;
        self.stats.memory_stalls += cycles * self.idle_memory;
        self.stats.structural_stalls += cycles * self.idle_structural;
        self.stats.blocked_hits += if self.idle_blocked_hit { cycles } else { 0 };
        self.lsu.idle(cycles);
        if self.textured {
            self.texture.idle(cycles);
        }
    }

    /// Core cycles before beat `until`, in which the same warps were resident.
    pub(super) fn count_residency(&mut self, until: u64) {
        let until = self.nominal.first(until);
        let cycles = until - self.residency_counted;
        self.residency_counted = until;
        self.stats.warp_cycles += cycles * self.warps;
        self.stats.busy_cycles += if self.warps > 0 { cycles } else { 0 };
        self.stats.tb_cycles += cycles * self.running_tbs;
    }

    /// Warps of the resident TBs: what the front end takes for this SM's occupancy.
    pub fn held_warps(&self) -> u32 {
        self.held_warps
    }

    /// Warp instructions issued so far.
    pub fn issued(&self) -> u64 {
        self.stats.all_instructions()
    }

    /// Statistics up to beat `until`, excluded.
    pub fn stats(&mut self, until: u64) -> SmStats {
        self.count_until(until);
        let (lsu, l1) = self.lsu.stats();
        let (texture_unit, texture) = self.texture.stats();
        SmStats {
            cycles: self.counted,
            sp_busy: self.streams.iter().map(|stream| stream.sp_busy).sum(),
            lsu: *lsu,
            l1: *l1,
            texture_unit: *texture_unit,
            texture: *texture,
            mascar: self.lsu.mascar_stats(),
            prefetch: self.lsu.prefetches().map(|(stats, _)| stats).unwrap_or_default(),
            ..self.stats
        }
    }

    /// What each host stream had of the SM, up to beat `until`, excluded.
    pub fn streams(&mut self, until: u64) -> [StreamCounts; STREAMS] {
        self.count_until(until);
        let mut streams = self.streams;
        streams.iter_mut().zip(self.lsu.shares()).for_each(|(stream, share)| stream.lsu = *share);
        streams
    }

    /// Scheduler cycles without issue up to beat `until`, excluded: that wait for memory, and for a unit.
    pub fn stalls(&mut self, until: u64) -> (u64, u64) {
        self.count_until(until);
        (self.stats.memory_stalls, self.stats.structural_stalls)
    }

    /// How far ahead loads were fetched, over time, if there is a prefetcher.
    pub fn distances(&self) -> Option<&Distances> {
        self.lsu.prefetches().map(|(_, distances)| distances)
    }

    /// Resident warps summed over the core cycles before beat `until`.
    pub fn warp_cycles(&mut self, until: u64) -> u64 {
        self.count_until(until);
        self.stats.warp_cycles
    }
}
