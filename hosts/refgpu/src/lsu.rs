//! The load/store unit of one SM: one input latch, worked in order (refgpu M1 to M8).
//!
//! A refused transaction stays at the head and is tried again when something has changed; meanwhile no memory instruction of
//! any warp can enter. That is the back-pressure of M5. The SM calls, in each cycle that it looks at, [`Lsu::receive`],
//! [`Lsu::act`] and [`Lsu::send`] in this order, and takes completed loads with [`Lsu::take_done`]. Cycles are the SM's own, but
//! for those of the memory: [`Reply::at`] and [`Lsu::send`].

mod nack;
mod prefetch;

use crate::cache::Line;
use crate::clock::Clock;
use crate::coalesce::{Transaction, Transactions};
use crate::config::{GpuConfig, TEXTURE_MSHRS, WarpPolicy};
use crate::l1::{Access, L1, Presence, Refusal};
use crate::mascar::Unit;
use crate::memory::{Answer, Memory, Reply};
use crate::noc::{Kind, Packet};
use crate::prefetch::Prefetcher;
use crate::program::{Effects, Inst};
use crate::ring::Ring;
use crate::stats::{LsuShare, STREAMS};

/// In the name of a request: it is the texture unit's.
pub const TEXTURE: u16 = 1 << 15;
/// In the name of a read: it is a load's, not an MSHR's (M9).
const AROUND: u16 = 1 << 14;

/// Registers of a warp that a finished load makes ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Warp slot.
    pub warp: u8,
    /// The registers.
    pub regs: u32,
}

/// What the LSU counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct LsuStats {
    /// Cycles with a refused attempt, by reason: merge, set, MSHR, miss queue (M5).
    pub stalls: [u64; Refusal::COUNT],
    /// Cycles with an instruction in the latch.
    pub busy: u64,
    /// Loads and atomics whose last transaction was answered.
    pub loads_done: u64,
    /// Cycles from their issue to that, summed.
    pub load_latency: u64,
}

impl LsuStats {
    /// Adds another unit's counts.
    pub fn add(&mut self, o: &Self) {
        self.stalls.iter_mut().zip(o.stalls).for_each(|(a, b)| *a += b);
        self.busy += o.busy;
        self.loads_done += o.loads_done;
        self.load_latency += o.load_latency;
    }
}

/// What occupies the latch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Latch {
    #[default]
    Free,
    /// Transactions of a global access; `at` is the next to try.
    Global { kind: Kind, load: u16, at: u8, last_hit: u64 },
    /// A shared access, or the rest of the interval between two instructions, until this cycle.
    Until(u64),
}

/// Of which TB an instruction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    /// Its host stream, below [`STREAMS`].
    pub stream: u8,
    /// Its loads go past L1 (M9).
    pub bypass: bool,
}

/// A load or atomic on its way.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    issued: u64,
    /// Cycle of the last answer so far.
    ready: u64,
    regs: u32,
    warp: u8,
    /// Answers to come, and one while it is in the latch.
    left: u8,
    /// Replies to come that are not even on their last way.
    awaited: u8,
    in_latch: bool,
}

/// The load/store unit of one SM, with its L1.
#[derive(Clone, Debug)]
pub struct Lsu {
    sm: u8,
    /// Told apart from the SM's other unit by this bit in the names of its requests.
    mark: u16,
    hit_latency: u64,
    /// All 32-byte sectors of a line.
    whole_line: u8,
    /// From the entry of an instruction to the next.
    interval: u64,
    /// The cycle in which the next instruction may enter at the earliest.
    interval_ends: u64,
    /// Stores and atomics that may be on their way, and how many are.
    most_writes: u32,
    writes: u32,
    l1: L1,
    /// Loads are kept in L1.
    caches: bool,
    latch: Latch,
    transactions: Transactions,
    /// Why the head was refused, if nothing has changed since.
    refused: Option<Refusal>,
    refused_set: u32,
    loads: Vec<Load>,
    free_loads: Vec<u16>,
    miss_queue: Ring<(Line, Packet)>,
    port_full: bool,
    /// Replies on their last way, by the own cycle of arrival. They are taken late if nobody can tell.
    incoming: Ring<(u64, Reply)>,
    /// Own cycle of the last arrival.
    last_arrival: u64,
    /// MSHRs whose line is among them.
    line_comes: Vec<bool>,
    /// Loads that wait only for replies among them.
    closing: u32,
    /// The first cycle in which another waiting load can be answered (M6).
    answer_at: u64,
    /// Loads with all their answers, by the cycle of the last.
    complete: Ring<(u64, u16)>,
    done: Vec<Loaded>,
    prefetcher: Option<Box<Prefetcher>>,
    mascar: Option<Box<Unit>>,
    /// Whose instruction is in the latch: its host stream, and whether its TB bypasses L1.
    owner: Owner,
    /// What each host stream had of the unit.
    shares: [LsuShare; STREAMS],
    /// Somebody can tell at once that a line has arrived.
    is_watched: bool,
    line_shift: u32,
    stats: LsuStats,
}

impl Lsu {
    /// An idle unit of SM `sm` with an empty cache.
    #[must_use]
    pub fn new(config: &GpuConfig, sm: u8) -> Self {
        // The configuration has been checked.
        let prefetcher = Prefetcher::new(config).unwrap_or_default().map(Box::new);
        let l1 = L1::new(&config.l1);
        Self {
            sm,
            mark: 0,
            hit_latency: u64::from(config.l1.hit_latency),
            whole_line: ((1 << (config.l1.line / 32)) - 1) as u8,
            interval: config.sm.lsu_interval.into(),
            interval_ends: 0,
            most_writes: if config.l1.write_mshrs == 0 { u32::MAX } else { config.l1.write_mshrs },
            writes: 0,
            l1: if prefetcher.is_some() { l1.marking_prefetches() } else { l1 },
            caches: config.l1.enabled,
            latch: Latch::Free,
            transactions: Transactions::new(config.l1.line),
            refused: None,
            refused_set: 0,
            loads: Vec::new(),
            free_loads: Vec::new(),
            miss_queue: Ring::new(config.l1.miss_queue as usize),
            port_full: false,
            incoming: Ring::new(64),
            last_arrival: 0,
            line_comes: vec![false; config.l1.mshrs as usize],
            closing: 0,
            answer_at: 0,
            complete: Ring::new(64),
            done: Vec::with_capacity(64),
            prefetcher,
            mascar: Unit::new(config).unwrap_or_default().map(Box::new),
            owner: Owner::default(),
            shares: [LsuShare::default(); STREAMS],
            is_watched: config.run.blocked_hits || config.apogee.enabled || config.sm.policy == WarpPolicy::Mascar,
            line_shift: config.l1.line.trailing_zeros(),
            stats: LsuStats::default(),
        }
    }

    /// The texture unit of SM `sm`: an LSU for loads only, with four times the MSHRs (M10). Its requests bear [`TEXTURE`].
    #[must_use]
    pub fn texture(config: &GpuConfig, sm: u8) -> Self {
        let mut config = config.clone();
        config.l1.mshrs *= TEXTURE_MSHRS;
        config.apogee.enabled = false;
        // Mascar sees how full its cache is.
        let is_watched = config.sm.policy == WarpPolicy::Mascar;
        config.sm.policy = WarpPolicy::default();
        Self { mark: TEXTURE, is_watched, caches: true, ..Self::new(&config, sm) }
    }

    /// Whether a memory instruction can enter.
    #[must_use]
    #[inline]
    pub fn is_free(&self) -> bool {
        self.latch == Latch::Free
    }

    /// Whether a refused transaction keeps the LSU from going on.
    #[must_use]
    #[inline]
    pub fn is_blocked(&self) -> bool {
        self.refused.is_some() || self.mascar.as_ref().is_some_and(|unit| unit.is_blocked())
    }

    /// Whether a line of L1 has any of these addresses.
    #[must_use]
    pub fn has_any(&self, mask: u32, addresses: &[u64; 32]) -> bool {
        let here = |lane: usize| self.l1.look((addresses[lane] >> self.line_shift) as Line) == Presence::Present;
        crate::workload::lanes(mask).any(here)
    }

    /// Where the transactions of the next global access go; only while the latch is free.
    pub fn transactions(&mut self) -> &mut Transactions {
        &mut self.transactions
    }

    /// What enters next is an instruction of this TB.
    #[inline]
    pub fn set_owner(&mut self, owner: Owner) {
        self.owner = owner;
    }

    /// What the owner of the latch had of the unit.
    #[inline]
    fn share(&mut self) -> &mut LsuShare {
        &mut self.shares[usize::from(self.owner.stream) % STREAMS]
    }

    /// What each host stream had of the unit.
    #[must_use]
    pub fn shares(&self) -> &[LsuShare; STREAMS] {
        &self.shares
    }

    /// A global access of the transactions now in [`Lsu::transactions`], at least one, enters the latch. `regs` become ready
    /// when the last is answered; a store has none.
    pub fn enter_global(&mut self, now: u64, kind: Kind, warp: u8, regs: u32) {
        let waited_for = matches!(kind, Kind::Read | Kind::Atomic);
        let load = if waited_for {
            self.new_load(Load { issued: now, ready: now, regs, warp, left: 1, awaited: 0, in_latch: true })
        } else {
            0
        };
        self.interval_ends = now + self.interval;
        self.latch = Latch::Global { kind, load, at: 0, last_hit: 0 };
    }

    /// The same, of this instruction; with Mascar, through its re-execution queue.
    #[inline]
    pub fn enter(&mut self, now: u64, kind: Kind, warp: u8, inst: &Inst, effects: &Effects) {
        if self.mascar.is_some() {
            self.open(now, kind, warp, inst.dst, (inst.mask, &effects.addr, effects.bytes));
        } else {
            self.enter_global(now, kind, warp, inst.dst);
        }
    }

    /// A shared access of this degree enters the latch (M2).
    pub fn enter_shared(&mut self, now: u64, degree: u32) {
        self.latch = Latch::Until(now + u64::from(degree).max(self.interval));
    }

    fn new_load(&mut self, load: Load) -> u16 {
        if let Some(free) = self.free_loads.pop() {
            self.loads[free as usize] = load;
            return free;
        }
        self.loads.push(load);
        (self.loads.len() - 1) as u16
    }

    /// A reply will arrive in own cycle `at`, or after the reply before it: one line per cycle (M6). Returns the own cycle in which
    /// the SM has to look, `u64::MAX` if it need not: a line that neither completes a load nor lets the latch go on can wait for
    /// the next look.
    pub fn expect(&mut self, reply: Reply, at: u64) -> u64 {
        let is_around = reply.answer == Answer::Line && reply.id & AROUND != 0;
        let reply = if is_around { Reply { id: reply.id & !AROUND, answer: Answer::Around, ..reply } } else { reply };
        let Self { loads, closing, .. } = self;
        let mut note = |load: u16| {
            let entry = &mut loads[load as usize];
            entry.awaited -= 1;
            *closing += u32::from(entry.awaited == 0 && !entry.in_latch);
        };
        match reply.answer {
            Answer::Line => {
                self.line_comes[reply.id as usize] = true;
                self.l1.in_flight(reply.id).1.iter().for_each(|&load| note(load));
            }
            Answer::Old | Answer::Around => note(reply.id),
            Answer::Written => {}
        }
        let at = at.max(self.last_arrival + 1);
        self.last_arrival = at;
        self.incoming.push((at, reply));
        if self.closing > 0 || self.is_watched || self.unblocks(&reply) { at } else { u64::MAX }
    }

    /// Whether the refused transaction has to be tried again when this reply arrives: a fill frees an MSHR with its merges, and
    /// a way of its set; any other an MSHR for writes.
    fn unblocks(&self, reply: &Reply) -> bool {
        match self.refused {
            None | Some(Refusal::MissQueue | Refusal::NotOwner) => false,
            Some(Refusal::Set) => reply.answer == Answer::Line && self.l1.in_flight(reply.id).0 == self.refused_set,
            Some(Refusal::Merge) => reply.answer == Answer::Line,
            Some(Refusal::Mshr) => reply.answer == Answer::Line || self.writes == self.most_writes,
        }
    }

    /// Phase 1 of a cycle: replies have arrived, loads complete. Returns whether any did.
    #[inline]
    pub fn receive(&mut self, now: u64) -> bool {
        while let Some(&(at, reply)) = self.incoming.front().filter(|r| r.0 <= now) {
            self.incoming.pop();
            self.take_reply(at, &reply);
        }
        while let Some(&(_, load)) = self.complete.front().filter(|c| c.0 <= now) {
            self.complete.pop();
            self.finish(load);
        }
        !self.done.is_empty()
    }

    /// M6: one line per cycle enters L1; from the next cycle on its waiters are answered one per cycle, in order.
    fn take_reply(&mut self, arrival: u64, reply: &Reply) {
        let mut at = self.answer_at.max(arrival + 1);
        if self.unblocks(reply) {
            self.refused = None;
        }
        let Self { loads, complete, closing, .. } = self;
        let mut answer = |load: u16| {
            *closing -= u32::from(answer(loads, complete, load, at));
            at += 1;
        };
        match reply.answer {
            Answer::Line => {
                self.line_comes[reply.id as usize] = false;
                if let Some(prefetcher) = &mut self.prefetcher {
                    prefetcher.filled(reply.id);
                }
                self.l1.fill(reply.id).iter().for_each(|&load| answer(load));
            }
            Answer::Old | Answer::Around => answer(reply.id),
            Answer::Written => {}
        }
        if self.most_writes != u32::MAX && matches!(reply.answer, Answer::Old | Answer::Written) {
            self.writes -= 1;
        }
        self.answer_at = at;
    }

    fn finish(&mut self, load: u16) {
        let entry = &self.loads[load as usize];
        self.stats.loads_done += 1;
        self.stats.load_latency += entry.ready - entry.issued;
        self.done.push(Loaded { warp: entry.warp, regs: entry.regs });
        self.free_loads.push(load);
    }

    /// Phase 3: the latch tries one transaction.
    #[inline]
    pub fn act(&mut self, now: u64) {
        if self.mascar.is_some() {
            return self.act_for_mascar(now);
        }
        match self.latch {
            Latch::Free => {}
            Latch::Until(until) => {
                self.count_busy(1);
                if now >= until {
                    self.latch = Latch::Free;
                }
            }
            Latch::Global { kind, load, at, last_hit } => {
                if self.refused.is_none() {
                    self.try_one(now, kind, load, at, last_hit);
                }
                self.count_busy(1);
            }
        }
    }

    fn try_one(&mut self, now: u64, kind: Kind, load: u16, at: u8, mut last_hit: u64) {
        let transaction = self.transactions.as_slice()[at as usize];
        match self.access(kind, &transaction, load) {
            Err(reason) => {
                self.refused = Some(reason);
                self.refused_set = self.l1.set(transaction.line);
                return;
            }
            Ok(access) => {
                last_hit = if access == Access::Hit { now } else { last_hit };
                self.carry_out(kind, load, &transaction, access);
            }
        }
        let at = at + 1;
        if (at as usize) < self.transactions.as_slice().len() {
            self.latch = Latch::Global { kind, load, at, last_hit };
            return;
        }
        self.latch = if now < self.interval_ends { Latch::Until(self.interval_ends) } else { Latch::Free };
        self.close(now, kind, load, last_hit);
    }

    /// One transaction at L1.
    #[inline]
    fn access(&mut self, kind: Kind, transaction: &Transaction, load: u16) -> Result<Access, Refusal> {
        let room = self.miss_queue.room();
        match kind {
            Kind::Read if self.owner.bypass || !self.caches => {
                let access = self.l1.bypass(room)?;
                self.share().bypassed += 1;
                Ok(access)
            }
            Kind::Read => {
                let access = self.l1.load(transaction.line, load, room)?;
                let share = self.share();
                match access {
                    Access::Hit => share.hits += 1,
                    Access::Merged(_) => share.merges += 1,
                    Access::Miss(_) | Access::Around => share.misses += 1,
                }
                Ok(access)
            }
            _ if self.writes == self.most_writes => Err(Refusal::Mshr),
            _ => self.l1.write(transaction.line, kind != Kind::Write, room).map(|()| Access::Miss(load)),
        }
    }

    /// What becomes of a transaction that L1 has taken.
    #[inline]
    fn carry_out(&mut self, kind: Kind, load: u16, transaction: &Transaction, access: Access) {
        match access {
            Access::Hit => {}
            Access::Merged(mshr) => {
                let entry = &mut self.loads[load as usize];
                entry.left += 1;
                entry.awaited += u8::from(!self.line_comes[mshr as usize]);
            }
            Access::Around => {
                debug_assert!(load < AROUND, "a warp has few loads on their way");
                self.queue(kind, load | AROUND, transaction);
                let entry = &mut self.loads[load as usize];
                entry.left += 1;
                entry.awaited += 1;
            }
            Access::Miss(id) => {
                self.queue(kind, id, transaction);
                if self.most_writes != u32::MAX && kind != Kind::Read {
                    self.writes += 1;
                }
                if matches!(kind, Kind::Read | Kind::Atomic) {
                    let entry = &mut self.loads[load as usize];
                    entry.left += 1;
                    entry.awaited += 1;
                }
            }
        }
    }

    /// L1 has taken the last transaction of an instruction.
    #[inline]
    fn close(&mut self, now: u64, kind: Kind, load: u16, last_hit: u64) {
        if matches!(kind, Kind::Read | Kind::Atomic) {
            // The hits are through `hit_latency` after the issue that would have preceded the last of them.
            let hits_done = if last_hit > 0 { last_hit + self.hit_latency - 1 } else { 0 };
            let entry = &mut self.loads[load as usize];
            entry.in_latch = false;
            self.closing += u32::from(entry.awaited == 0 && entry.left > 1);
            answer(&mut self.loads, &mut self.complete, load, hits_done.max(now + 1));
        }
    }

    fn queue(&mut self, kind: Kind, id: u16, t: &Transaction) {
        let serial = if kind == Kind::Read || kind == Kind::Write { 1 } else { t.serial };
        let packet = Packet { line: 0, id: id | self.mark, sm: self.sm, bank: 0, kind, sectors: t.sectors, serial };
        self.miss_queue.push((t.line, packet));
    }

    /// End of phase 3: one request leaves the miss queue for the network, at beat `at`.
    #[inline]
    pub fn send(&mut self, at: u64, memory: &mut Memory) {
        let Some(&(line, packet)) = self.miss_queue.front() else {
            return;
        };
        self.port_full = !memory.send(at, line, packet);
        if !self.port_full {
            self.miss_queue.pop();
            self.refused = self.refused.filter(|&r| r != Refusal::MissQueue);
        }
    }

    /// Takes one load that is complete.
    #[inline]
    pub fn take_done(&mut self) -> Option<Loaded> {
        self.done.pop()
    }

    /// The next cycle in which the unit has something to do; news come with [`Lsu::expect`], or with a free port.
    #[must_use]
    #[inline]
    pub fn next(&self, now: u64) -> u64 {
        let trying = match self.latch {
            Latch::Free => u64::MAX,
            Latch::Until(until) => until,
            Latch::Global { .. } if self.refused.is_none() => now + 1,
            Latch::Global { .. } => u64::MAX,
        };
        let sending = if self.miss_queue.is_empty() || self.port_full { u64::MAX } else { now + 1 };
        let arrival = if self.closing > 0 || self.is_watched {
            self.incoming.front()
        } else if self.refused.is_some() {
            self.incoming.iter().find(|(_, reply)| self.unblocks(reply))
        } else {
            None
        };
        let events = self.complete.front().map_or(u64::MAX, |c| c.0).min(arrival.map_or(u64::MAX, |r| r.0));
        trying.min(sending).min(events).min(self.next_prefetch(now)).min(self.next_for_mascar(now))
    }

    /// `cycles` went by in which nothing happened here.
    #[inline]
    pub fn idle(&mut self, cycles: u64) {
        self.idle_for_mascar(cycles);
        if self.latch != Latch::Free {
            self.count_busy(cycles);
        }
    }

    /// Cycles with an instruction in the latch, refused if it is now.
    #[inline]
    fn count_busy(&mut self, cycles: u64) {
        self.stats.busy += cycles;
        self.share().busy += cycles;
        if let Some(reason) = self.refused {
            self.stats.stalls[reason as usize] += cycles;
            self.share().refused += cycles;
        }
    }

    /// Empties the L1 (M11), before own cycle `next`.
    pub fn clear_cache(&mut self, next: u64) {
        while let Some(&(at, reply)) = self.incoming.front().filter(|r| r.0 < next) {
            self.incoming.pop();
            self.take_reply(at, &reply);
        }
        self.l1.clear();
        if let Some(prefetcher) = &mut self.prefetcher {
            prefetcher.flush();
        }
    }

    /// The clock has changed: what has not arrived arrives in other cycles of it.
    pub fn change_clock(&mut self, clock: &Clock) {
        let next = clock.changed();
        self.last_arrival = self.last_arrival.min(next.saturating_sub(1));
        for (at, reply) in self.incoming.iter_mut().filter(|(at, _)| *at >= next) {
            *at = clock.first(reply.at).max(self.last_arrival + 1);
            self.last_arrival = *at;
        }
    }

    /// What was counted.
    #[must_use]
    pub fn stats(&self) -> (&LsuStats, &crate::l1::L1Stats) {
        (&self.stats, &self.l1.stats)
    }
}

/// One answer for a load, in cycle `at`. Returns whether it was the last; then the load is complete when all are through.
#[inline]
fn answer(loads: &mut [Load], complete: &mut Ring<(u64, u16)>, load: u16, at: u64) -> bool {
    let entry = &mut loads[load as usize];
    entry.ready = entry.ready.max(at);
    entry.left -= 1;
    if entry.left == 0 {
        complete.push_sorted((entry.ready, load));
    }
    entry.left == 0
}

#[cfg(test)]
mod tests;
