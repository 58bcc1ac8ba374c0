//! One streaming multiprocessor: warp slots, scoreboard, schedulers, functional units and LSU (refgpu W1 to W6, T2).
//!
//! Warps are rows of arrays and bits of masks. A warp whose operands are there is in `ready`; one that waits for memory, a
//! barrier or a launch is simply not, until an event puts it back. The GPU calls [`Sm::step`] in the cycle that it returned last,
//! or earlier if something arrives; cycles between two calls are those in which nothing happens, and are counted in bulk.
//!
//! An SM has a clock of its own (V2). The GPU speaks of beats, here called `at`; inside, `now` is the SM's own cycle.

mod blocks;
mod context;
mod count;
mod issue;
mod order;
mod scheduler;
mod units;
mod wheel;

use crate::cache::Line;
use crate::clock::{Clock, Pace};
use crate::config::{self, GpuConfig};
use crate::front::Placed;
use crate::lsu::{Lsu, Owner, TEXTURE};
use crate::memory::{Memory, Reply};
use crate::program::{Class, Effects, Inst, LaneLaunch, Regs, Workload};
use crate::stats::{STREAMS, SmStats, StreamCounts};
use blocks::Phase;
pub use context::Context;
use gpusched::simt::scoreboard::{RegId, Scoreboard, ScoreboardConfig, WarpId};
use gpusched::{IdSet, inline_scoreboard_tables};
use scheduler::Scheduler;
use std::collections::HashSet;
use units::{Unit, Units};
use wheel::Wheel;

/// As many warps as any SM has, and registers as a program names.
const SCOREBOARD: ScoreboardConfig = ScoreboardConfig { warps: 64, regs: 32, entries: 0 };
inline_scoreboard_tables! {
    /// The scoreboard's rows.
    pub struct Warps = SCOREBOARD;
}

/// A program's set of registers as the scoreboard has it.
#[inline]
fn registers(regs: Regs) -> IdSet<RegId> {
    IdSet::from_words([regs.into(), 0, 0, 0])
}

/// What SMs report in one cycle to the front end.
#[derive(Debug, Default)]
pub struct Outbox {
    /// TBs whose last warp has exited: SM and TB slot.
    pub ended: Vec<(u16, u8)>,
    /// Launch calls.
    pub launches: Vec<LaunchCall>,
    /// TBs whose warps all wait for the TB's children: SM and TB slot.
    pub syncs: Vec<(u16, u8)>,
    /// Buffers to use again.
    pub spare: Vec<Vec<LaneLaunch>>,
    /// An address beyond what a line number holds was used.
    pub bad_address: bool,
}

impl Outbox {
    /// Whether there is nothing to report.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ended.is_empty() && self.launches.is_empty() && self.syncs.is_empty()
    }
}

/// A warp's launch call. The warp is held until [`Sm::resume`].
#[derive(Debug)]
pub struct LaunchCall {
    /// SM.
    pub sm: u16,
    /// TB slot.
    pub slot: u8,
    /// Warp slot.
    pub warp: u8,
    /// What its lanes launch, in lane order.
    pub lanes: Vec<LaneLaunch>,
}

/// Why a warp does not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For an operand that a load or atomic will bring.
    Memory,
    /// For an operand that a functional unit will bring.
    Operand,
    /// At a barrier.
    Barrier,
    /// For the front end to take its launch call.
    Launch,
    /// For a fixed time: TB start, or launch latency.
    Time,
    /// For a free unit, or the LSU.
    Unit,
    /// For its block, which is paused, to be woken.
    Paused,
}

/// A resident TB.
#[derive(Clone, Copy, Debug, Default)]
struct Tb {
    /// Warps that have not exited.
    alive: u64,
    at_barrier: u64,
    /// Wait for the TB's children.
    at_sync: u64,
    /// Its warps, exited or not: they hold their slots till the TB ends.
    warps: u32,
    threads: u32,
    /// It belongs to a group or a device kernel.
    child: bool,
    /// Its warps issue nothing (V3).
    paused: bool,
    /// Its host stream, and whether it bypasses L1.
    owner: Owner,
}

/// A streaming multiprocessor; `P` is the state of a warp's program.
#[derive(Debug)]
pub struct Sm<P> {
    id: u16,
    clock: Clock,
    /// Core cycles, in which residency is counted.
    nominal: Clock,
    config: config::Sm,
    all_warps: u64,
    programs: Vec<P>,
    /// Per warp: head instruction, and registers it needs.
    inst: [Inst; 64],
    need: [u32; 64],
    /// Per warp: registers written since its run of independent instructions began, and loaded since one was last used.
    run: [u32; 64],
    loaded: [u32; 64],
    /// Lines that were loaded, if they are counted.
    lines: Option<HashSet<Line>>,
    /// Which registers are pending, by whom.
    scoreboard: Scoreboard<Warps>,
    age: [u64; 64],
    tb_of: [u8; 64],
    /// In beats, since launches are the front end's.
    wake_at: [u64; 64],
    /// Warps by what their head needs.
    heads: [u64; Unit::COUNT],
    /// Warps that have not exited, and their number.
    resident: u64,
    warps: u64,
    /// Warps of resident TBs.
    held_warps: u32,
    /// Threads of resident TBs.
    held_threads: u32,
    /// Resident TBs that are not paused.
    running_tbs: u64,
    /// Resident warps at a barrier, held by a launch, or waiting for a time.
    parked: u64,
    /// Of a paused TB.
    paused: u64,
    /// Of the parked ones, those that wait for `wake_at`, and the earliest of it.
    timed: u64,
    next_timer: u64,
    /// Neither parked nor paused, operands there.
    ready: u64,
    /// Neither parked nor paused, and an operand is pending by memory.
    waits_memory: u64,
    /// Cannot issue in `bubble_cycle`: a branch left lanes behind (W2).
    bubble: u64,
    bubble_cycle: u64,
    /// Warps whose head ends their stay on the SM, for Mascar.
    leaves: u64,
    /// With Mascar: heads may not be what it was told last.
    head_changes: bool,
    /// What the last issue phase did.
    phase: Phase,
    /// Go on in the next cycle: their barrier is complete.
    released: u64,
    tbs: [Tb; 64],
    last_kernel: Option<u64>,
    schedulers: Vec<Scheduler>,
    sp: Units,
    sfu: Units,
    dp: Units,
    wheel: Wheel,
    lsu: Lsu,
    /// The texture unit, and whether anything has gone through it.
    texture: Lsu,
    textured: bool,
    /// The first own cycle that is not in the statistics yet, and the first core cycle that is not in those of residency.
    counted: u64,
    residency_counted: u64,
    /// Schedulers that wait for memory, and for a unit, in each cycle until the next step.
    idle_memory: u64,
    idle_structural: u64,
    /// Whether blocked hits are counted, and whether each of these cycles is one.
    counts_blocked_hits: bool,
    /// The last own cycle in which something issued.
    issued_at: u64,
    idle_blocked_hit: bool,
    /// Ready and waiting warps that these two were counted for.
    classified: (u64, u64),
    stats: SmStats,
    /// What each host stream had of it.
    streams: [StreamCounts; STREAMS],
}

impl<P: Default> Sm<P> {
    /// An empty SM.
    #[must_use]
    pub fn new(config: &GpuConfig, id: u16) -> Self {
        let sm = &config.sm;
        // Without units of its own, double precision goes to the SFUs.
        let sfu_longest = if sm.dp_units == 0 { sm.sfu_interval.max(sm.dp_interval) } else { sm.sfu_interval };
        let nothing = Inst { class: Class::Exit, mask: 0, src: 0, dst: 0, diverges: false, pc: 0 };
        Self {
            id,
            clock: Clock::new(config.paces().level(config.vf.sm)),
            nominal: Clock::new(config.paces().nominal()),
            config: sm.clone(),
            all_warps: u64::MAX >> (64 - sm.warps),
            programs: (0..64).map(|_| P::default()).collect(),
            inst: [nothing; 64],
            need: [0; 64],
            run: [0; 64],
            loaded: [0; 64],
            lines: None,
            scoreboard: Scoreboard::new(&SCOREBOARD).expect("64 warps of 32 registers"),
            age: [0; 64],
            tb_of: [0; 64],
            wake_at: [0; 64],
            heads: [0; Unit::COUNT],
            resident: 0,
            warps: 0,
            held_warps: 0,
            held_threads: 0,
            running_tbs: 0,
            parked: 0,
            paused: 0,
            timed: 0,
            next_timer: u64::MAX,
            ready: 0,
            waits_memory: 0,
            bubble: 0,
            bubble_cycle: 0,
            leaves: 0,
            head_changes: false,
            phase: Phase::default(),
            released: 0,
            tbs: [Tb::default(); 64],
            last_kernel: None,
            schedulers: (0..sm.schedulers).map(|s| Scheduler::new(s, sm.schedulers, sm.warps, sm.policy)).collect(),
            sp: Units::new(sm.sp_units, sm.sp_interval, sm.schedulers),
            sfu: Units::new(sm.sfu_units, sfu_longest, sm.schedulers),
            dp: Units::new(sm.dp_units, sm.dp_interval, sm.schedulers),
            wheel: Wheel::default(),
            lsu: Lsu::new(config, id as u8),
            texture: Lsu::texture(config, id as u8),
            textured: false,
            counted: 0,
            residency_counted: 0,
            idle_memory: 0,
            idle_structural: 0,
            counts_blocked_hits: config.run.blocked_hits,
            issued_at: u64::MAX,
            idle_blocked_hit: false,
            classified: (0, 0),
            stats: SmStats::default(),
            streams: [StreamCounts::default(); STREAMS],
        }
    }

    /// Counts different lines that are loaded, from now on.
    pub fn count_lines(&mut self) {
        self.lines = Some(HashSet::new());
    }

    /// Free warp slots.
    #[must_use]
    pub fn free_warps(&self) -> u32 {
        (self.all_warps & !self.resident).count_ones()
    }

    /// Starts a TB on the lowest free warp slots (W1), or goes on with one that was saved; the caller has seen that its warps fit.
    /// `at` is the beat of a core cycle; `number` counts TBs of the whole run. Returns the beat of its first issue.
    pub fn start_tb<W: Workload<Warp = P>>(
        &mut self,
        at: u64,
        work: &mut W,
        tb: &Placed,
        number: u64,
        saved: Option<Context<P>>,
    ) -> u64 {
        self.count_until(at + 1);
        let switch = self.last_kernel.replace(tb.pc).is_some_and(|last| last != tb.pc);
        let delay = self.config.tb_start + if switch { self.config.tb_switch } else { 0 };
        let first = self.nominal.at(self.nominal.first(at) + u64::from(delay));
        let mut alive = 0;
        let (warps, mut saved) = match saved {
            None => (tb.context.threads.div_ceil(32), None),
            Some(Context(programs)) => (programs.len() as u32, Some(programs.into_iter())),
        };
        for warp in 0..warps {
            let free = self.all_warps & !self.resident;
            let w = free.trailing_zeros() as usize & 63;
            self.resident |= 1 << w;
            self.warps += 1;
            alive |= 1 << w;
            if let Some(unit) = self.lsu.mascar() {
                unit.start(w);
            }
            self.paused &= !(1 << w);
            self.age[w] = number << 6 | u64::from(warp);
            self.tb_of[w] = tb.slot;
            (self.run[w], self.loaded[w]) = (0, 0);
            // What a warp before it had pending was awaited at its exit.
            let left = self.scoreboard.flush(WarpId(w as u8));
            debug_assert_eq!(left, Ok(0));
            match saved.as_mut().and_then(Iterator::next) {
                None => work.begin(&tb.context, warp, &mut self.programs[w]),
                Some(program) => self.programs[w] = program,
            }
            self.park_until(w, first);
            self.fetch(w, work);
        }
        for scheduler in &mut self.schedulers {
            scheduler.forget(alive);
        }
        let threads = tb.context.threads;
        let stream = work.stream(&tb.context).min(STREAMS - 1);
        let owner = Owner { stream: stream as u8, bypass: tb.bypass };
        self.streams[stream].tbs += 1;
        self.streams[stream].bypassing_tbs += u64::from(tb.bypass);
        self.tbs[tb.slot as usize & 63] = Tb { alive, warps, threads, child: tb.child, owner, ..Tb::default() };
        self.held_warps += warps;
        self.held_threads += threads;
        self.lsu.set_threads(self.held_threads);
        self.running_tbs += 1;
        self.stats.tbs += 1;
        first
    }

    /// The front end has taken the warp's launch call; the warp goes on at beat `at`.
    pub fn resume(&mut self, warp: u8, at: u64) {
        self.park_until(warp as usize & 63, at);
    }

    fn park_until(&mut self, w: usize, at: u64) {
        self.parked |= 1 << w;
        self.timed |= 1 << w;
        self.wake_at[w] = at;
        self.next_timer = self.next_timer.min(at);
    }

    /// A reply will arrive. Returns the beat at which the SM has to look.
    pub fn expect(&mut self, reply: Reply) -> u64 {
        let at = self.clock.first(reply.at);
        let own = match reply.id & TEXTURE {
            0 => self.lsu.expect(reply, at),
            _ => self.texture.expect(Reply { id: reply.id & !TEXTURE, ..reply }, at),
        };
        self.clock.at(own)
    }

    /// Empties the L1 (M11), at the end of beat `at`.
    pub fn clear_cache(&mut self, at: u64) {
        let next = self.clock.first(at + 1);
        self.lsu.clear_cache(next);
        self.texture.clear_cache(next);
    }

    /// After beat `at` the clock runs at this pace (V2): the next beat is one of its own cycles. The SM has to be looked at then.
    pub fn set_pace(&mut self, at: u64, pace: Pace) {
        self.count_until(at + 1);
        self.clock.change(at + 1, pace);
        self.lsu.change_clock(&self.clock);
        self.texture.change_clock(&self.clock);
    }

    /// One cycle, in the order of T2, if one is at beat `at`. Returns the next beat at which there is something to do.
    pub fn step<W: Workload<Warp = P>>(
        &mut self,
        at: u64,
        work: &mut W,
        effects: &mut Effects,
        memory: &mut Memory,
        out: &mut Outbox,
    ) -> u64 {
        let now = match self.clock.tick(at) {
            Ok(now) => now,
            Err(next) => return next,
        };
        self.count_idle(now);
        self.counted = now + 1;

        if self.lsu.receive(now) {
            while let Some(loaded) = self.lsu.take_done() {
                self.write_back(loaded.warp, loaded.regs);
            }
        }
        if self.textured && self.texture.receive(now) {
            while let Some(loaded) = self.texture.take_done() {
                self.write_back(loaded.warp, loaded.regs);
            }
        }
        while let Some(result) = self.wheel.pop(now) {
            self.write_back(result.warp, result.regs);
        }
        if self.next_timer <= at {
            self.run_timers(at);
        }
        self.lsu.act(now);
        self.lsu.prefetch(now, at, memory);
        self.lsu.send(at, memory);
        if self.textured {
            self.texture.act(now);
            self.texture.send(at, memory);
        }
        if self.lsu.is_ordered() {
            self.issue_in_order(now, work, effects, out);
        } else if self.ready != 0 {
            self.issue(now, work, effects, out);
        } else {
            self.classify();
            self.stats.memory_stalls += self.idle_memory;
        }
        if self.counts_blocked_hits {
            self.count_blocked_hit(now, work, effects);
        }
        self.next(now)
    }

    /// Registers of a warp become ready.
    #[inline]
    fn write_back(&mut self, warp: u8, regs: u32) {
        let w = warp as usize & 63;
        let written = self.scoreboard.writeback_set(WarpId(w as u8), &registers(regs));
        debug_assert!(written.is_ok(), "{written:?}");
        self.settle(w);
    }

    /// Puts a warp that is neither parked nor paused into `ready` or, if a load keeps it, into `waits_memory`.
    #[inline]
    fn settle(&mut self, w: usize) {
        let bit = 1 << w;
        let usable = if (self.parked | self.paused) & bit == 0 { bit } else { 0 };
        let need = registers(self.need[w]);
        let awaits = |regs: &IdSet<RegId>| !regs.and(&need).is_empty();
        let of = self.scoreboard.warp(WarpId(w as u8));
        let ready = !of.is_some_and(|of| awaits(&of.pending));
        let memory = of.is_some_and(|of| awaits(&of.memory));
        self.ready = self.ready & !bit | if ready { usable } else { 0 };
        self.waits_memory = self.waits_memory & !bit | if memory { usable } else { 0 };
    }

    #[cold]
    fn run_timers(&mut self, at: u64) {
        let (mut left, mut next) = (self.timed, u64::MAX);
        while left != 0 {
            let w = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.wake_at[w] <= at {
                self.timed &= !(1 << w);
                self.parked &= !(1 << w);
                self.settle(w);
            } else {
                next = next.min(self.wake_at[w]);
            }
        }
        self.next_timer = next;
    }

    /// What carries out instructions of a class (W4).
    #[inline]
    fn unit_of(&self, class: Class) -> Unit {
        match class {
            Class::Sfu => Unit::Sfu,
            Class::Dp if self.config.dp_units == 0 => Unit::Sfu,
            Class::Dp => Unit::Dp,
            Class::Int | Class::Fp | Class::Barrier | Class::Launch | Class::Sync | Class::Exit => Unit::Sp,
            Class::LoadTexture => Unit::Texture,
            _ => Unit::Lsu,
        }
    }

    /// Reads the head instruction of a warp.
    #[inline]
    fn fetch<W: Workload<Warp = P>>(&mut self, w: usize, work: &W) {
        let inst = work.fetch(&self.programs[w]);
        self.inst[w] = inst;
        let unit = self.unit_of(inst.class);
        for heads in &mut self.heads {
            *heads &= !(1 << w);
        }
        self.heads[unit as usize] |= 1 << w;
        // An exit, or a way off the SM, waits for everything still on its way to the warp's registers.
        let leaves = matches!(inst.class, Class::Exit | Class::Sync);
        self.leaves = self.leaves & !(1 << w) | u64::from(leaves) << w;
        self.need[w] = if leaves { u32::MAX } else { inst.src | inst.dst };
        self.settle(w);
    }

    /// The beat at which something happens here next, `now` being the own cycle that has just passed.
    fn next(&mut self, now: u64) -> u64 {
        // With a latch occupied, ready memory warps cannot enter until something else happens.
        let can = if self.lsu.is_ordered() { 0 } else { self.ready & !self.blocked_by_latch() };
        if can | self.bubble != 0 {
            return self.clock.at(now + 1);
        }
        self.classify();
        let texture = if self.textured { self.texture.next(now) } else { u64::MAX };
        let changes = self.head_changes;
        let ordered = self.lsu.mascar().map_or(u64::MAX, |unit| unit.next(changes, now));
        let own = self.lsu.next(now).min(texture).min(ordered).min(self.wheel.next(now)).max(now + 1);
        self.clock.at(own).min(self.next_timer)
    }

    /// What each resident warp waits for.
    pub fn waits(&self) -> impl Iterator<Item = (u32, Wait)> {
        (0..64).filter(|w| self.resident >> w & 1 != 0).map(|w| {
            let bit = 1u64 << w;
            let barrier = self.tbs[self.tb_of[w as usize] as usize & 63].at_barrier;
            let wait = if self.paused & bit != 0 {
                Wait::Paused
            } else if self.timed & bit != 0 {
                Wait::Time
            } else if barrier & bit != 0 {
                Wait::Barrier
            } else if self.parked & bit != 0 {
                Wait::Launch
            } else if self.ready & bit != 0 {
                Wait::Unit
            } else if self.waits_memory & bit != 0 {
                Wait::Memory
            } else {
                Wait::Operand
            };
            (w, wait)
        })
    }
}
