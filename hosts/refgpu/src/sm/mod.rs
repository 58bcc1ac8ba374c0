//! One streaming multiprocessor: warp slots, scoreboard, schedulers, functional units and LSU (refgpu-W1 to W6, refgpu-T2).
//!
//! Warps are rows of arrays and bits of masks. A warp whose operands are there is in `ready`; one that waits for memory, a
//! barrier or a launch is simply not, until an event puts it back. The GPU calls [`Sm::step`] in the cycle that it returned last,
//! or earlier if something arrives; cycles between two calls are those in which nothing happens, and are counted in bulk.
//!
//! An SM has a clock of its own (refgpu-V2). The GPU speaks of beats, here called `at`; inside, `now` is the SM's own cycle.

mod blocks;
mod context;
mod count;
mod issue;
mod issued;
mod order;
mod outbox;
mod scheduler;
mod tbs;
mod units;
mod wait;
mod wheel;

use crate::cache::Line;
use crate::clock::{Clock, Pace};
use crate::config::{self, GpuConfig};
use crate::erased::{AnyWorkload, StateId};
use crate::lsu::{Lsu, TEXTURE};
use crate::memory::{Memory, Reply};
use crate::program::{Class, Effects, Inst, Regs};
use crate::stats::{STREAMS, SmStats, StreamCounts};
use blocks::Phase;
pub use context::Context;
use gpusched::simt::scoreboard::{RegId, Scoreboard, ScoreboardConfig};
use gpusched::{IdSet, inline_scoreboard_tables};
use issued::TbCounts;
pub use outbox::{Ended, Issued, LaunchCall, Outbox};
use scheduler::Scheduler;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;
use tbs::Tb;
use units::{Unit, Units};
pub use wait::Wait;
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

/// A streaming multiprocessor.
#[derive(Debug)]
pub struct Sm {
    id: u16,
    clock: Clock,
    /// Core cycles, in which residency is counted.
    nominal: Clock,
    config: config::Sm,
    all_warps: u64,
    /// The state of each warp's program.
    programs: [StateId; 64],
    /// Per warp: head instruction, and registers it needs.
    inst: [Inst; 64],
    need: [u32; 64],
    /// Per warp: registers written since its run of independent instructions began, and loaded since one was last used.
    run: [u32; 64],
    loaded: [u32; 64],
    /// Lines that were loaded, if they are counted.
    lines: Option<HashSet<Line>>,
    /// What each TB issues, if that is counted.
    counts: Option<Box<TbCounts>>,
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
    /// Cannot issue in `bubble_cycle`: a branch left lanes behind (refgpu-W2).
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
    /// Answers of other SMs, by the beat in which they are there: warp and registers.
    remote: BinaryHeap<Reverse<(u64, u8, u32)>>,
    /// The SMs of the cluster of the TB in each slot.
    clusters: Vec<Option<Arc<[u16]>>>,
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

impl Sm {
    /// An empty SM.
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
            programs: [StateId::default(); 64],
            inst: [nothing; 64],
            need: [0; 64],
            run: [0; 64],
            loaded: [0; 64],
            lines: None,
            counts: None,
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
            remote: BinaryHeap::new(),
            clusters: vec![None; 64],
            lsu: Lsu::new(config, id),
            texture: Lsu::texture(config, id),
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

    /// Another SM's answer will be there in beat `at`.
    pub fn expect_remote(&mut self, at: u64, warp: u8, regs: u32) {
        self.remote.push(Reverse((at, warp, regs)));
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

    /// Empties the L1 and the texture cache (refgpu-M11), at the end of beat `at`; from then on so many ways of L1 are in use
    /// (refgpu-M15).
    pub fn clear_cache(&mut self, at: u64, ways: u32) {
        let next = self.clock.first(at + 1);
        self.lsu.clear_cache(next, ways);
        self.texture.clear_cache(next, u32::MAX);
    }

    /// After beat `at` the clock runs at this pace (refgpu-V2): the next beat is one of its own cycles. The SM has to be looked at then.
    pub fn set_pace(&mut self, at: u64, pace: Pace) {
        self.count_until(at + 1);
        self.clock.change(at + 1, pace);
        self.lsu.change_clock(&self.clock);
        self.texture.change_clock(&self.clock);
    }

    /// One cycle, in the order of refgpu-T2, if one is at beat `at`. Returns the next beat at which there is something to do.
    pub fn step(
        &mut self,
        at: u64,
        work: &mut AnyWorkload<'_>,
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
        while let Some(&Reverse((due, warp, regs))) = self.remote.peek().filter(|Reverse(first)| first.0 <= at) {
            debug_assert!(due <= at);
            self.remote.pop();
            self.write_back(warp, regs);
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
        } else if self.ready | self.bubble != 0 {
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
        let remote = self.remote.peek().map_or(u64::MAX, |Reverse((due, ..))| *due);
        self.clock.at(own).min(self.next_timer).min(remote)
    }
}
