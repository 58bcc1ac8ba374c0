//! What is told during a run and after it: samples of the timeline, progress, hangs, and the result.

use super::{Cause, Gpu, Monitor, RunError, RunResult, SAMPLES_PER_REPORT};
use crate::energy::{MemoryEvents, Prices};
use crate::erased::AnyWorkload;
use crate::front::{FrontStats, Share};
use crate::sm::Sm;
use crate::stats::{RunStats, SmStats, SmxStats};
use gpusched::Fault;

impl Gpu {
    /// Occupancy of the last interval; progress, for the monitor and against hangs.
    pub(super) fn sample(
        &mut self,
        now: u64,
        at: u64,
        work: &AnyWorkload<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), RunError> {
        self.add_to_timeline(now, at);
        self.tell_sample(now, at, monitor)?;
        let done = self.tbs + self.sms.iter().map(Sm::issued).sum::<u64>();
        // A launch under way is no hang, however long it takes.
        let under_way = self.streams.is_launching() || self.front.is_under_way(now);
        if done != self.progress.0 || under_way {
            self.progress = (done, now);
        } else if now - self.progress.1 >= self.hang_cycles {
            return Err(self.hang(now));
        }
        if now.is_multiple_of(self.sample_cycles * SAMPLES_PER_REPORT) {
            let (done, total) = work.progress();
            if monitor.progress(done, total, now).is_break() {
                return Err(RunError::Cancelled { cycle: now });
            }
        }
        Ok(())
    }

    /// The sample that ended with core cycle `now`, excluded, at beat `at`.
    pub(super) fn add_to_timeline(&mut self, now: u64, at: u64) {
        let cycles = (now - 1) % self.sample_cycles + 1;
        let Self { sampled, sms, occupancy, .. } = self;
        let whole = cycles == self.sample_cycles;
        let warps = sms.iter_mut().zip(sampled).map(|(sm, last)| {
            let total = sm.warp_cycles(at);
            let warps = total - std::mem::replace(last, total);
            if whole {
                occupancy.add(warps);
            }
            warps
        });
        let pending = self.front.pending_cycles(now);
        let pending = pending - std::mem::replace(&mut self.sampled_pending, pending);
        self.timeline.add(cycles, warps, pending, self.levels.sample());
    }

    pub(super) fn refused(&self, at: u64, fault: Fault) -> RunError {
        RunError::Refused { cycle: self.nominal.last(at), fault }
    }

    pub(super) fn hang(&self, now: u64) -> RunError {
        if let Some(node) = self.front.stuck_node() {
            return RunError::GraphStuck { cycle: now, node };
        }
        let waits =
            self.sms.iter().zip(0u16..).flat_map(|(sm, id)| sm.waits().map(move |(warp, wait)| (id, warp, wait)));
        let cause = match (self.front.full_pool(), waits.collect::<Vec<_>>()) {
            (Some(pool), _) => Cause::LaunchPool(pool),
            (None, waits) if waits.is_empty() => match self.front.declines() {
                Some(policy) => Cause::Policy { name: policy.name.clone(), wrong: policy.wrong.clone() },
                None => Cause::FrontEnd(self.front.status()),
            },
            (None, waits) => Cause::Warps(waits),
        };
        RunError::Hang { cycle: now, since: self.progress.1, cause }
    }

    /// What beyond the SMs costs energy, up to beat `until`.
    pub(super) fn memory_events(&self, until: u64) -> MemoryEvents {
        let (requests, replies) = self.memory.noc_stats();
        MemoryEvents::of(&self.config, [requests, replies], &self.memory.l2_stats(), &self.memory.dram_stats(until))
    }

    /// The last TB ended in core cycle `last`, at beat `at`.
    pub(super) fn finish(mut self, last: u64, at: u64, monitor: &mut dyn Monitor) -> Result<RunResult, RunError> {
        let host_kernels = self.streams.kernels();
        let (cycles, until) = if host_kernels == 0 { (0, 0) } else { (last + 1, at + 1) };
        if cycles > 0 {
            self.add_to_timeline(cycles, until);
            self.tell_sample(cycles, until, monitor)?;
        }
        let FrontStats { front, pending, decide, laperm, bubble, dats, records } =
            self.front.stats(cycles).map_err(|fault| RunError::Refused { cycle: last, fault })?;
        self.settle_memory(cycles, until);
        let streams = self.stream_stats(until);
        let (sharing, walk) = self.front.share().map(Share::finish).unzip();
        let power = self.power.finish(until, &mut self.sms);
        debug_assert!(
            self.front.bubble_samples().is_none_or(|own| own.eq(power.smxs.iter().map(|smx| smx.bubble_samples))),
            "machine and controller agree about bubbles"
        );
        let (mut sm, mut smxs) = (SmStats::default(), Vec::with_capacity(self.sms.len()));
        for (one, power) in self.sms.iter_mut().zip(power.smxs) {
            let stats = one.stats(until);
            sm.add(&stats);
            smxs.push(SmxStats::of(&stats, power));
        }
        let (requests, replies) = self.memory.noc_stats();
        let energy = Prices::of(&self.config).map(|prices| prices.energy(&power.ledgers, &self.memory_ledger));
        let (warps, vf_cycles) = (self.equalizer.warps(), self.equalizer.cycles(cycles));
        let (equalizer, tuning) = self.equalizer.finish(last);
        let stats = RunStats {
            cycles,
            first_tb: self.first_tb.unwrap_or(0),
            host_kernels,
            host_launch_cycles: host_kernels * self.host_launch_cycles,
            sm,
            smxs,
            occupancy: self.occupancy,
            bubble_samples: power.samples,
            energy,
            l2: self.memory.l2_stats(),
            dram: self.memory.dram_stats(until),
            flat: self.memory.flat_stats(),
            distances: self.sms.iter().filter_map(|sm| sm.distances().cloned()).collect(),
            command_cycles: self.memory.command_cycles(until),
            requests,
            replies,
            front,
            pending,
            decide,
            laperm,
            bubble,
            dats,
            records,
            warps,
            vf_cycles,
            equalizer,
            kernels: self.kernels.done,
            kernels_dropped: self.kernels.dropped,
            sharing,
            streams,
            level_range: self.levels.range(),
            machine: self.machine,
        };
        Ok(RunResult { stats, timeline: self.timeline, states: power.trace, tuning, walk: walk.flatten() })
    }
}
