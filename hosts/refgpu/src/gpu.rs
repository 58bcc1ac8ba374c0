//! The whole machine: the cycle loop, and its way around cycles in which nothing happens (refgpu-T2, refgpu-T3).
//!
//! One beat: memory (DRAM, L2, network), then SMs by number, then the front end, each if its clock has a cycle there
//! (`crate::clock`). Every unit says when it has something to do next; the loop looks only at units that are due and jumps to the
//! next beat at which one is. Here `at` is a beat, and `now` the core cycle of it, which the front end and all reports count.

mod error;
mod hang;
mod kernels;
mod observe;
mod options;
mod report;
mod streams;
mod tuning;

use std::collections::BTreeMap;

pub use error::RunError;
pub use hang::Cause;
use kernels::Kernels;
pub use options::{Monitor, RunOptions, RunResult};
use streams::Streams;

use gpusched::laperm::Model;
use gpusched::{FrontEnd, Policy};
use gpusched_heap::HeapTables;

use crate::agenda::Agenda;
use crate::clock::Clock;
use crate::config::{ConfigError, GpuConfig};
use crate::energy::MemoryLedger;
use crate::equalizer::Equalizer;
use crate::erased::{AnyWorkload, Erased, StateId};
use crate::front::{Front, LaunchVerb, Orders, ParentId, Placed, Refusal};
use crate::memory::{Memory, Reply};
use crate::power::Power;
use crate::program::{Effects, Workload};
use crate::remote::Remote;
use crate::sm::{Context, Outbox, Sm};
use crate::stats::{Levels, Machine, Spread};
use crate::timeline::teller::{Listeners, Teller};
use crate::timeline::{SmSample, Timeline};
use crate::vf::VfLevel;

/// Samples between two calls of the monitor.
const SAMPLES_PER_REPORT: u64 = 64;

/// A reference GPU, built for one run.
#[derive(Debug)]
pub struct Gpu {
    config: GpuConfig,
    machine: Machine,
    step: bool,
    /// Core cycles.
    nominal: Clock,
    host_launch_cycles: u64,
    hang_cycles: u64,
    sample_cycles: u64,
    sms: Vec<Sm>,
    /// When each SM has to be looked at next.
    wake: Agenda,
    memory: Memory,
    replies: Vec<Reply>,
    front: Front,
    out: Outbox,
    orders: Orders,
    /// TBs that the front end has sent in a cycle.
    placed: Vec<Placed>,
    /// What moves between SMs.
    remote: Remote,
    /// TBs that are suspended, and states of warps that nobody has.
    contexts: BTreeMap<ParentId, Context>,
    spare: Vec<StateId>,
    effects: Effects,
    streams: Streams,
    /// Ways of L1 in use (refgpu-M15).
    l1_ways: u32,
    tbs: u64,
    first_tb: Option<u64>,
    power: Power,
    equalizer: Equalizer,
    kernels: Kernels,
    memory_level: VfLevel,
    memory_ledger: MemoryLedger,
    timeline: Timeline,
    teller: Teller,
    /// What SMs had counted at the last sample, if somebody is told.
    told: Vec<SmSample>,
    levels: Levels,
    occupancy: Spread,
    sampled: Vec<u64>,
    sampled_pending: u64,
    /// Work done at the last sample that saw progress, and its cycle.
    progress: (u64, u64),
    /// States for SMs, by the cycle after which they are in force.
    #[cfg(test)]
    pub(crate) script: std::collections::VecDeque<(u64, u16, crate::power::SmxState)>,
}

/// An SM that counts what is to be counted.
fn new_sm(config: &GpuConfig, id: u16, count_lines: bool) -> Sm {
    let mut sm = Sm::new(config, id);
    if config.decider.is_some() {
        sm.count_tbs();
    }
    if count_lines {
        sm.count_lines();
    }
    sm
}

impl Gpu {
    /// An idle machine with empty caches.
    ///
    /// # Errors
    /// Values that do not fit together.
    pub fn new(config: &GpuConfig, options: RunOptions) -> Result<Self, ConfigError> {
        config.check()?;
        let ideal;
        let config = if options.ideal_launch {
            ideal = config.without_launch_latency();
            &ideal
        } else {
            config
        };
        let mut core = config.front_end();
        if let Policy::LaPerm(part) = &mut core.policy {
            part.model = match options.launch {
                Some(LaunchVerb::DeviceKernel | LaunchVerb::ForgottenKernel) => Model::Cdp,
                Some(LaunchVerb::Group) => Model::Dtbl,
                None => part.model,
            };
        }
        core.dats = options.graphs.then_some(config.dats);
        // refgpu-G7.
        if options.launch == Some(LaunchVerb::ForgottenKernel) {
            (core.cdp2, core.flush_cycles) = (Some(config.cdp2), config.dtbl.flush_cycles);
        }
        let front = Front::new(&core, options.launch, config)?;
        let sms = config.sm.count as usize;
        let mut memory = Memory::new(config);
        if options.step {
            memory.step_always();
        }
        Ok(Self {
            config: config.clone(),
            machine: Machine {
                sms: sms as u64,
                warp_slots: config.sm.warps.into(),
                schedulers: config.sm.schedulers.into(),
                sp_units: config.sm.sp_units.into(),
                channels: config.dram.channels.into(),
                burst_bytes: config.dram.burst.into(),
                burst_cycles: config.dram.burst_cycles.into(),
                clock_mhz: config.sm.clock_mhz.into(),
                sample_cycles: config.run.sample_cycles.into(),
                pending_as_hit: config.l1.pending_as_hit,
                flat_bytes_per_cycle: if config.flat.enabled { config.flat.bytes_per_cycle.into() } else { 0 },
            },
            step: options.step,
            nominal: Clock::new(config.paces().nominal()),
            host_launch_cycles: config.run.host_launch_cycles.into(),
            hang_cycles: config.run.hang_cycles,
            sample_cycles: config.run.sample_cycles.into(),
            sms: (0..sms).map(|id| new_sm(config, id as u16, options.count_lines)).collect(),
            wake: Agenda::new(sms),
            memory,
            replies: Vec::new(),
            front,
            out: Outbox::default(),
            orders: Orders::default(),
            placed: Vec::new(),
            remote: Remote::new(config),
            contexts: BTreeMap::new(),
            spare: Vec::new(),
            effects: Effects { addr: [0; 32], bytes: 4, rank: 0, launches: Vec::new() },
            streams: Streams::default(),
            l1_ways: config.l1.ways,
            tbs: 0,
            first_tb: None,
            power: Power::new(config),
            equalizer: Equalizer::new(config)?,
            kernels: Kernels::default(),
            memory_level: config.vf.mem,
            memory_ledger: MemoryLedger::default(),
            timeline: Timeline::new(sms, config.run.sample_cycles.into()).with_tbs(options.log_tbs),
            teller: Teller::default(),
            told: Vec::new(),
            levels: Levels::default(),
            occupancy: Spread::default(),
            sampled: vec![0; sms],
            sampled_pending: 0,
            progress: (0, 0),
            #[cfg(test)]
            script: std::collections::VecDeque::new(),
        })
    }

    /// Runs every kernel of `work` to its end.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run<W: Workload>(self, work: &mut W, monitor: &mut dyn Monitor) -> Result<RunResult, RunError> {
        self.run_erased(&mut Erased::<_, W>::new(work), monitor)
    }

    /// The same with a workload whose type is forgotten already.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run_erased(mut self, work: &mut AnyWorkload<'_>, monitor: &mut dyn Monitor) -> Result<RunResult, RunError> {
        work.starts_on(&self.config);
        self.begin_streams(work)?;
        self.begin_telling(monitor);
        let (mut at, mut next_sample, mut next_bubble_sample) = (0, self.sample_cycles, self.power.period());
        loop {
            // Beats between two core cycles have none.
            let cycle = self.nominal.tick(at).ok();
            if self.equalizer.changes_at(at) {
                self.change_levels(at, monitor).map_err(|fault| self.refused(at, fault))?;
            }
            if cycle == Some(next_sample) {
                self.sample(next_sample, at, work, monitor)?;
                next_sample += self.sample_cycles;
            }
            self.memory.step(at, &mut self.wake, &mut self.replies);
            for reply in self.replies.drain(..) {
                match self.sms.get_mut(reply.sm as usize) {
                    Some(sm) => {
                        let look = sm.expect(reply);
                        self.wake.lower(reply.sm as usize, look, at);
                    }
                    None => self.front.expect(Reply { at: self.nominal.first(reply.at), ..reply }),
                }
            }
            self.step_sms(at, work);
            self.carry_remote(at)?;
            if self.out.bad_address {
                return Err(RunError::Address { cycle: self.nominal.last(at) });
            }
            if let Some(now) = cycle {
                if now == next_bubble_sample {
                    self.power.sample(at, &mut self.sms);
                    self.tell_states(now, monitor);
                    next_bubble_sample += self.power.period();
                }
                #[cfg(test)]
                self.follow_script(at);
                if self.step_front(now, at, work, monitor)? {
                    return self.finish(now, at, monitor);
                }
            } else if self.equalizer.samples_at(at) {
                self.sample_warps(at, monitor).map_err(|fault| self.refused(at, fault))?;
            }
            let next = self.next(at);
            if next == u64::MAX {
                return Err(self.hang(self.nominal.last(at)));
            }
            at = next.min(self.nominal.at(next_sample.min(next_bubble_sample))).min(self.equalizer.next());
        }
    }

    fn step_sms(&mut self, at: u64, work: &mut AnyWorkload<'_>) {
        let Self { sms, wake, memory, effects, out, .. } = self;
        let mut step = |s: usize, wake: &mut Agenda| {
            let next = sms[s].step(at, work, effects, memory, out);
            wake.set(s, next, at);
        };
        if self.step {
            (0..self.machine.sms as usize).for_each(|s| step(s, wake));
        }
        for word in 0..wake.words() {
            for s in wake.take(at, word) {
                if wake.confirm(s, at) {
                    step(s, wake);
                }
            }
        }
    }

    /// refgpu-M16: what SMs have asked of each other's shared memory in the beat.
    fn carry_remote(&mut self, at: u64) -> Result<(), RunError> {
        let Self { remote, out, sms, wake, nominal, .. } = self;
        for access in out.remote.drain(..) {
            let now = nominal.first(at);
            let Some(target) = access.target else { return Err(RunError::Rank { cycle: now, sm: access.sm }) };
            let done = nominal.at(remote.carry(now, target, access.bytes));
            if access.regs != 0 {
                sms[usize::from(access.sm)].expect_remote(done, access.warp, access.regs);
                wake.lower(access.sm.into(), done, at);
            }
        }
        Ok(())
    }

    /// The front end's part of core cycle `now`, at beat `at`. `true` if the run is over.
    fn step_front(
        &mut self,
        now: u64,
        at: u64,
        work: &mut AnyWorkload<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, RunError> {
        let host = self.streams.next() <= now;
        let samples = self.equalizer.samples_at(at);
        if !(host || samples || self.step || self.front.is_due(now, &self.out)) {
            return Ok(false);
        }
        let sm_clock = self.sms.first().map(Sm::clock);
        if let (Some(blocks), Some(clock)) = (self.front.blocks(), sm_clock) {
            blocks.advance(clock.last(at));
        }
        let refused = |refusal: Refusal| RunError::refused(now, refusal);
        self.tell_reports(now, monitor);
        for ended in &mut self.out.ended {
            self.levels.end(ended.sm, ended.slot);
            ended.issued = self.sms[usize::from(ended.sm)].take_issued(ended.slot);
        }
        self.front.report(now, &mut self.out, &mut self.orders).map_err(refused)?;
        self.tell_front(now, monitor);
        if samples {
            self.sample_warps(at, monitor).map_err(|fault| refused(fault.into()))?;
        }
        self.carry_out_orders(now, at, monitor);
        self.observe_sms(now, at)?;
        if self.serve_host(now, at, work, monitor)? {
            return Ok(true);
        }
        let mut placed = std::mem::take(&mut self.placed);
        self.front.tick(now, &mut placed).map_err(|fault| refused(fault.into()))?;
        self.tell_front(now, monitor);
        self.observe_sms(now, at)?;
        self.front.send(at, &mut self.memory);
        self.take_states(at);
        for tb in placed.drain(..) {
            let sm = &mut self.sms[tb.sm as usize];
            let free = sm.free_warps();
            if tb.context.threads.div_ceil(32) > free {
                return Err(RunError::WarpSlots { cycle: now, sm: tb.sm, free, threads: tb.context.threads });
            }
            let saved = tb.restored.and_then(|parent| self.contexts.remove(&parent));
            let first = sm.start_tb(at, work, &tb, self.tbs, saved, &mut self.spare);
            self.wake.lower(tb.sm as usize, first, at);
            if let Some(level) = work.level(&tb.context) {
                self.levels.start(tb.sm, tb.slot, level);
            }
            self.tbs += 1;
            self.first_tb.get_or_insert(now);
            self.streams.sent(work.stream(&tb.context), now);
            self.tell_start(now, &tb, monitor)?;
        }
        self.placed = placed;
        self.tell_states(self.nominal.first(at + 1), monitor);
        self.pause_blocks(at);
        Ok(false)
    }

    /// Lets warps go on whose launch calls were taken, and TBs whose children have ended; takes suspended TBs away.
    fn carry_out_orders(&mut self, now: u64, at: u64, monitor: &mut dyn Monitor) {
        let Self { sms, wake, orders, contexts, timeline, teller, nominal, spare, .. } = self;
        for r in orders.resumed.drain(..) {
            let (sm, from) = (r.sm as usize, nominal.at(r.at.max(now + 1)));
            sms[sm].resume(r.warp, from);
            wake.lower(sm, from, at);
        }
        for (sm, slot) in orders.synced.drain(..) {
            let from = nominal.at(now + 1);
            sms[sm as usize].end_sync(slot, from);
            wake.lower(sm as usize, from, at);
        }
        for (sm, slot, parent) in orders.saved.drain(..) {
            contexts.insert(parent, sms[sm as usize].save_tb(at, slot, spare));
            let mut to = Listeners { log: &mut timeline.tbs, observer: monitor.observer() };
            teller.end(now, (sm, slot), true, &mut to);
        }
    }

    /// Carries out what the bubble controller has changed in the core cycle at beat `at`, if it took a sample.
    fn take_states(&mut self, at: u64) {
        let Self { front, power, sms, wake, .. } = self;
        let Some(states) = front.new_states() else { return };
        for (s, state) in states.enumerate() {
            if power.enter(at, s as u16, state, &mut sms[s]) {
                wake.lower(s, at + 1, at);
            }
        }
    }

    /// The scheduler, to set its gates before a run.
    pub fn scheduler(&mut self) -> &mut FrontEnd<HeapTables> {
        self.front.core()
    }

    #[cfg(test)]
    fn follow_script(&mut self, at: u64) {
        while let Some((_, s, state)) = self.script.pop_front_if(|(when, ..)| *when <= at) {
            if self.power.enter(at, s, state, &mut self.sms[s as usize]) {
                self.wake.lower(s as usize, at + 1, at);
            }
        }
    }

    /// The next beat at which anything happens; `u64::MAX` if nothing will.
    #[inline]
    fn next(&self, at: u64) -> u64 {
        let host = self.streams.next();
        // What SMs report between two core cycles waits for the next.
        let is_idle = self.out.is_empty() && !self.front.has_news();
        let waits = if is_idle { u64::MAX } else { self.nominal.first(at + 1) };
        let front = self.nominal.at(self.front.next().min(host).min(waits));
        let next = self.memory.next().min(front).min(self.wake.next(at));
        #[cfg(test)]
        let next = self.script.front().map_or(next, |&(at, ..)| next.min(at));
        if self.step && next != u64::MAX { at + 1 } else { next.max(at + 1) }
    }
}
