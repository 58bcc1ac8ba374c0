//! The load/store unit of one SM: one input latch, worked in order (refgpu-M1 to M8).
//!
//! A refused transaction stays at the head and is tried again when something has changed; meanwhile no memory instruction of
//! any warp can enter. That is the back-pressure of refgpu-M5. The SM calls, in each cycle that it looks at, [`Lsu::receive`],
//! [`Lsu::act`] and [`Lsu::send`] in this order, and takes completed loads with [`Lsu::take_done`]. Cycles are the SM's own, but
//! for those of the memory: [`Reply::at`] and [`Lsu::send`].

mod count;
mod loads;
mod nack;
mod prefetch;
mod replies;

use crate::cache::Line;
use crate::coalesce::{Transaction, Transactions};
use crate::config::{GpuConfig, TEXTURE_MSHRS, WarpPolicy};
use crate::l1::{Access, L1, Presence, Refusal};
use crate::mascar::Unit;
use crate::memory::{Memory, Reply};
use crate::noc::{Kind, Packet};
use crate::prefetch::Prefetcher;
use crate::program::{Effects, Inst};
use crate::ring::Ring;
use crate::stats::{LsuShare, STREAMS};
pub use count::{LsuStats, Owner};
pub use loads::Loaded;
use loads::Loads;

/// In the name of a request: it is the texture unit's.
pub const TEXTURE: u16 = 1 << 15;
/// In the name of a read: it is a load's, not an MSHR's (refgpu-M9).
const AROUND: u16 = 1 << 14;

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

/// The load/store unit of one SM, with its L1.
#[derive(Clone, Debug)]
pub struct Lsu {
    sm: u16,
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
    loads: Loads,
    miss_queue: Ring<(Line, Packet)>,
    port_full: bool,
    /// Replies on their last way, by the own cycle of arrival. They are taken late if nobody can tell.
    incoming: Ring<(u64, Reply)>,
    /// Own cycle of the last arrival.
    last_arrival: u64,
    /// MSHRs whose line is among them.
    line_comes: Vec<bool>,
    /// The first cycle in which another waiting load can be answered (refgpu-M6).
    answer_at: u64,
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
    pub fn new(config: &GpuConfig, sm: u16) -> Self {
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
            loads: Loads::new(),
            miss_queue: Ring::new(config.l1.miss_queue as usize),
            port_full: false,
            incoming: Ring::new(64),
            last_arrival: 0,
            line_comes: vec![false; config.l1.mshrs as usize],
            answer_at: 0,
            prefetcher,
            mascar: Unit::new(config).unwrap_or_default().map(Box::new),
            owner: Owner::default(),
            shares: [LsuShare::default(); STREAMS],
            is_watched: config.run.blocked_hits || config.apogee.enabled || config.sm.policy == WarpPolicy::Mascar,
            line_shift: config.l1.line.trailing_zeros(),
            stats: LsuStats::default(),
        }
    }

    /// The texture unit of SM `sm`: an LSU for loads only, with four times the MSHRs (refgpu-M10). Its requests bear [`TEXTURE`].
    pub fn texture(config: &GpuConfig, sm: u16) -> Self {
        let mut config = config.clone();
        config.l1.mshrs *= TEXTURE_MSHRS;
        config.apogee.enabled = false;
        // Mascar sees how full its cache is.
        let is_watched = config.sm.policy == WarpPolicy::Mascar;
        config.sm.policy = WarpPolicy::default();
        Self { mark: TEXTURE, is_watched, caches: true, ..Self::new(&config, sm) }
    }

    /// Whether a memory instruction can enter.
    #[inline]
    pub fn is_free(&self) -> bool {
        self.latch == Latch::Free
    }

    /// Whether a refused transaction keeps the LSU from going on.
    #[inline]
    pub fn is_blocked(&self) -> bool {
        self.refused.is_some() || self.mascar.as_ref().is_some_and(|unit| unit.is_blocked())
    }

    /// Whether a line of L1 has any of these addresses.
    pub fn has_any(&self, mask: u32, addresses: &[u64; 32]) -> bool {
        let here = |lane: usize| self.l1.look((addresses[lane] >> self.line_shift) as Line) == Presence::Present;
        crate::lanes::lanes(mask).any(here)
    }

    /// Where the transactions of the next global access go; only while the latch is free.
    pub fn transactions(&mut self) -> &mut Transactions {
        &mut self.transactions
    }

    /// A global access of the transactions now in [`Lsu::transactions`], at least one, enters the latch. `regs` become ready
    /// when the last is answered; a store has none.
    pub fn enter_global(&mut self, now: u64, kind: Kind, warp: u8, regs: u32) {
        let load = self.load_of(now, kind, warp, regs);
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

    /// A shared access of this degree enters the latch (refgpu-M2).
    pub fn enter_shared(&mut self, now: u64, degree: u32) {
        self.latch = Latch::Until(now + u64::from(degree).max(self.interval));
    }

    /// The number of a new load or atomic; a store has none.
    fn load_of(&mut self, now: u64, kind: Kind, warp: u8, regs: u32) -> u16 {
        if is_answered(kind) { self.loads.enter(now, warp, regs) } else { 0 }
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
            Access::Merged(mshr) => self.loads.wait(load, !self.line_comes[mshr as usize]),
            Access::Around => {
                debug_assert!(load < AROUND, "a warp has few loads on their way");
                self.queue(kind, load | AROUND, transaction);
                self.loads.wait(load, true);
            }
            Access::Miss(id) => {
                self.queue(kind, id, transaction);
                if self.most_writes != u32::MAX && kind != Kind::Read {
                    self.writes += 1;
                }
                if is_answered(kind) {
                    self.loads.wait(load, true);
                }
            }
        }
    }

    /// L1 has taken the last transaction of an instruction.
    #[inline]
    fn close(&mut self, now: u64, kind: Kind, load: u16, last_hit: u64) {
        if is_answered(kind) {
            // The hits are through `hit_latency` after the issue that would have preceded the last of them.
            let hits_done = if last_hit > 0 { last_hit + self.hit_latency - 1 } else { 0 };
            self.loads.close(load, hits_done.max(now + 1));
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
        self.loads.take_done()
    }

    /// The next cycle in which the unit has something to do; news come with [`Lsu::expect`], or with a free port.
    #[inline]
    pub fn next(&self, now: u64) -> u64 {
        let trying = match self.latch {
            Latch::Free => u64::MAX,
            Latch::Until(until) => until,
            Latch::Global { .. } if self.refused.is_none() => now + 1,
            Latch::Global { .. } => u64::MAX,
        };
        let sending = if self.miss_queue.is_empty() || self.port_full { u64::MAX } else { now + 1 };
        let events = self.loads.next().min(self.next_arrival());
        trying.min(sending).min(events).min(self.next_prefetch(now)).min(self.next_for_mascar(now))
    }
}

/// Whether somebody waits for what such a request brings.
#[inline]
fn is_answered(kind: Kind) -> bool {
    matches!(kind, Kind::Read | Kind::Atomic)
}

#[cfg(test)]
mod tests;
