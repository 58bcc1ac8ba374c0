//! The host: streams, each of which launches its next kernel when its last one has ended (refgpu-V1).
//!
//! A run has one stream, or several whose kernels share the machine. With one, a kernel ends with everything that it launched, and is
//! counted by itself ([`super::kernels`]); with several, each stream has counts of its own.

use gpusched::{Descriptor, SmxId};

use super::{Gpu, Monitor, RunError};
use crate::erased::AnyWorkload;
use crate::front::Pipes;
use crate::stats::{STREAMS, StreamCounts, StreamStats};

/// What a stream does.
#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// Its next kernel is not asked for yet.
    #[default]
    Idle,
    /// Its first kernel will be asked for in this cycle.
    Waiting(u64),
    /// A kernel enters its queue in this cycle.
    Launching(u64, Descriptor),
    /// A kernel of this tag has not ended.
    Running(u64),
    /// It has no more kernels.
    Over,
}

/// All streams.
#[derive(Debug, Default)]
pub(super) struct Streams {
    each: Vec<(State, StreamStats)>,
}

impl Streams {
    /// When the next kernel enters its queue; `u64::MAX` if none is about to.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        let at = |(state, _): &(State, StreamStats)| match *state {
            State::Launching(at, _) | State::Waiting(at) => at,
            _ => u64::MAX,
        };
        self.each.iter().map(at).min().unwrap_or(u64::MAX)
    }

    /// A TB of a stream was sent.
    #[inline]
    pub(super) fn sent(&mut self, stream: usize, now: u64) {
        if let Some((_, stats)) = self.each.get_mut(stream) {
            stats.first_tb.get_or_insert(now);
        }
    }

    /// Whether a kernel of another stream is on its way to its SMs, or there.
    fn any_runs_beside(&self, stream: usize) -> bool {
        let others = self.each.iter().enumerate().filter(|&(other, _)| other != stream);
        others.map(|(_, (state, _))| state).any(|state| matches!(state, State::Running(_)))
    }

    /// Whether a kernel is about to enter its queue.
    pub(super) fn is_launching(&self) -> bool {
        self.next() != u64::MAX
    }

    /// Kernels that entered their queues.
    pub(super) fn kernels(&self) -> u64 {
        self.each.iter().map(|(_, stats)| stats.kernels).sum()
    }
}

impl Gpu {
    /// The host's part of core cycle `now`, at beat `at`: kernels that have ended, and the next ones. `true` if the run is over.
    pub(super) fn serve_host(
        &mut self,
        now: u64,
        at: u64,
        work: &mut AnyWorkload<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, RunError> {
        let streams = self.streams.each.len();
        if streams == 1 {
            self.serve_only_stream(now, at, work);
        } else {
            self.serve_streams(now, work)?;
        }
        let is_over = self.streams.each.iter().all(|(state, _)| matches!(state, State::Over));
        if !is_over {
            self.launch_due(now, at, work, monitor)?;
        }
        Ok(is_over)
    }

    /// The run begins.
    pub(super) fn begin_streams(&mut self, work: &AnyWorkload<'_>) -> Result<(), RunError> {
        let streams = work.streams();
        self.config.check_streams(streams).map_err(|error| RunError::Streams { error })?;
        self.streams.each = (0..streams).map(|_| Default::default()).collect();
        if streams < 2 {
            return Ok(());
        }
        for (i, (state, _)) in self.streams.each.iter_mut().enumerate().skip(1) {
            *state = State::Waiting(i as u64 * u64::from(self.config.streams.stagger));
        }
        let profiles = (0..streams).map(|stream| work.profile(stream)).collect();
        self.front.begin(&self.config, profiles).map_err(|error| RunError::Sharing { error })
    }

    fn serve_only_stream(&mut self, now: u64, at: u64, work: &mut AnyWorkload<'_>) {
        if matches!(self.streams.each[0].0, State::Launching(..)) || !self.front.is_drained() {
            return;
        }
        self.front.take_ended();
        self.end_kernel(now + 1, at + 1);
        let next = work.next_kernel_of(0);
        if let Some(kernel) = &next {
            self.kernels.begin(kernel, work.kernel_name(kernel));
        }
        self.streams.each[0].0 =
            next.map_or(State::Over, |kernel| State::Launching(now + self.host_launch_cycles, kernel));
    }

    fn serve_streams(&mut self, now: u64, work: &mut AnyWorkload<'_>) -> Result<(), RunError> {
        for tag in self.front.take_ended() {
            let of_tag = |(state, _): &&mut (State, StreamStats)| matches!(state, State::Running(own) if *own == tag);
            if let Some((state, stats)) = self.streams.each.iter_mut().find(of_tag) {
                *state = State::Idle;
                stats.end = now;
            }
        }
        let refused = |refusal| RunError::refused(now, refusal);
        let is_due = |state: &&mut State| matches!(**state, State::Waiting(at) if at <= now);
        self.streams.each.iter_mut().map(|(state, _)| state).filter(is_due).for_each(|state| *state = State::Idle);
        // Each turn takes a stream out of this state; one that is over may admit another.
        let is_idle = |(_, (state, _)): &(usize, &(State, StreamStats))| matches!(state, State::Idle);
        loop {
            let idle: Vec<usize> = self.streams.each.iter().enumerate().filter(is_idle).map(|(s, _)| s).collect();
            let Some(stream) = idle.into_iter().find(|&stream| self.admits(stream)) else { return Ok(()) };
            let kernel = work.next_kernel_of(stream);
            if kernel.is_none() {
                self.front.end_stream(now, stream).map_err(refused)?;
            }
            let launch = |kernel| State::Launching(now + self.host_launch_cycles, kernel);
            self.streams.each[stream].0 = kernel.map_or(State::Over, launch);
        }
    }

    fn admits(&mut self, stream: usize) -> bool {
        self.front.share().is_none_or(|share| share.admits(stream))
    }

    /// Puts kernels whose time has come into their queues, which the policy hears of first.
    fn launch_due(
        &mut self,
        now: u64,
        at: u64,
        work: &AnyWorkload<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), RunError> {
        if self.streams.next() > now {
            return Ok(());
        }
        let due = |(stream, (state, _)): (usize, &(State, StreamStats))| match *state {
            State::Launching(at, kernel) if at <= now => Some((stream, kernel)),
            _ => None,
        };
        let kernels: Vec<_> = self.streams.each.iter().enumerate().filter_map(due).collect();
        for (stream, kernel) in &kernels {
            self.front.announce(now, *stream, kernel).map_err(|refusal| RunError::refused(now, refusal))?;
        }
        kernels.into_iter().try_for_each(|(stream, _)| self.launch(stream, now, at, work, monitor))
    }

    /// Tells the policy the counters of the SMs that it wants to know.
    pub(super) fn observe_sms(&mut self, now: u64, at: u64) -> Result<(), RunError> {
        let Some(share) = self.front.share() else { return Ok(()) };
        let busy = self.config.tlp.switch.ldst_busy;
        for SmxId(s) in share.take_touched().iter() {
            let sm = &mut self.sms[usize::from(s)];
            let pipes = Pipes::of(&sm.streams(at + 1), sm.stalls(at + 1), busy);
            self.front.observe(now, s, &pipes).map_err(|refusal| RunError::refused(now, refusal))?;
        }
        Ok(())
    }

    /// Puts a stream's kernel into its queue, if it is time.
    fn launch(
        &mut self,
        stream: usize,
        now: u64,
        at: u64,
        work: &AnyWorkload<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), RunError> {
        let (state, stats) = &mut self.streams.each[stream];
        let State::Launching(due, kernel) = *state else { return Ok(()) };
        if due > now {
            return Ok(());
        }
        if stats.kernels == 0 {
            stats.start = now;
            stats.name = work.stream_name(stream).map(String::from);
        }
        stats.kernels += 1;
        *state = State::Running(kernel.tag);
        if kernel.cluster.size() > 1
            && let Some(why) = self.config.without_clusters()
        {
            return Err(RunError::Clusters { tbs: kernel.cluster.size(), why });
        }
        // refgpu-M11, refgpu-M15: not under the feet of another kernel.
        if self.front.is_empty() {
            let of_others = if self.streams.any_runs_beside(stream) { self.l1_ways } else { u32::MAX };
            let ways = self.config.l1_ways(&kernel).min(of_others);
            self.l1_ways = ways;
            self.sms.iter_mut().for_each(|sm| sm.clear_cache(at, ways));
        }
        let launched = self.front.host_launch(now, stream, &kernel, work.dependencies());
        launched.map_err(|refusal| RunError::refused(now, refusal))?;
        let name = work.kernel_name(&kernel).or_else(|| work.stream_name(stream));
        self.tell_launch(now, stream, &kernel, name, monitor);
        Ok(())
    }

    /// What the streams had of the machine before beat `until`, if there are several.
    pub(super) fn stream_stats(&mut self, until: u64) -> Vec<StreamStats> {
        if self.streams.each.len() < 2 {
            return Vec::new();
        }
        let mut counts = [StreamCounts::default(); STREAMS];
        for sm in &mut self.sms {
            counts.iter_mut().zip(sm.streams(until)).for_each(|(sum, of)| sum.add(&of));
        }
        let each = std::mem::take(&mut self.streams.each).into_iter().zip(counts);
        each.map(|((_, stats), counts)| StreamStats { counts, ..stats }).collect()
    }
}
