//! One L2 bank: write-back, write-allocate, valid per 32-byte sector (refgpu-N3, refgpu-M8).
//!
//! The crossbar puts requests into its queue; a fixed ROP delay later the bank takes one per cycle. A request that cannot be
//! taken blocks the bank's head, then the crossbar, then the SM's miss queue. Fills and replies are always taken, so a blocked
//! request side cannot block the reply side.

use crate::cache::{Mshrs, NO_MSHR, Tags};
use crate::config::GpuConfig;
use crate::dram::{Channel, Request};
use crate::noc::{Crossbar, Kind, Packet};
use crate::ring::Ring;

counts! {
    /// Requests of one L2 bank, by outcome.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub struct L2Stats {
        /// Reads that found their line.
        pub hits: u64,
        /// Reads that merged with a line in flight.
        pub merges: u64,
        /// Reads that fetched a line.
        pub misses: u64,
        /// Writes.
        pub writes: u64,
        /// Atomics.
        pub atomics: u64,
        /// Dirty lines written back.
        pub writebacks: u64,
    }
}

impl L2Stats {
    /// Requests of every kind.
    pub const fn all(&self) -> u64 {
        self.hits + self.merges + self.misses + self.writes + self.atomics
    }
}

/// Fixed numbers of a bank.
#[derive(Clone, Debug)]
struct Shape {
    rop: u64,
    hit: u64,
    set_mask: u32,
    banks_per_channel: u32,
    full: u8,
    sectors_per_burst: u32,
    flit_bytes: u32,
    line_bytes: u32,
}

/// An L2 bank. Driven by [`Bank::step`] from [`Bank::request_at`] on, and by [`Bank::send_reply`] from [`Bank::reply_at`] on.
#[derive(Clone, Debug)]
pub struct Bank {
    shape: Shape,
    number: u32,
    queue: Ring<(u64, Packet)>,
    tags: Tags,
    mshrs: Mshrs<Packet>,
    miss_queue: Ring<Request>,
    /// Replies, by the cycle from which on the crossbar may take them.
    replies: Ring<(u64, Packet)>,
    free_at: u64,
    /// When [`Bank::step`] has something to do.
    request_at: u64,
    /// The head was refused; nothing has changed since.
    refused: bool,
    /// Requests so far.
    pub stats: L2Stats,
}

impl Bank {
    /// Bank `number` of the GPU, empty.
    pub fn new(config: &GpuConfig, number: u32) -> Self {
        let l2 = &config.l2;
        Self {
            shape: Shape {
                rop: u64::from(l2.rop_latency),
                hit: u64::from(l2.hit_latency),
                set_mask: l2.sets - 1,
                banks_per_channel: l2.banks / config.dram.channels,
                full: (1u16 << (config.l1.line / 32)).wrapping_sub(1) as u8,
                sectors_per_burst: (config.dram.burst / 32).max(1),
                flit_bytes: config.noc.flit_bytes,
                line_bytes: config.l1.line,
            },
            number,
            // One request per cycle is within the ROP delay, and `queue` behind it.
            queue: Ring::new((l2.rop_latency + l2.queue) as usize),
            tags: Tags::new(l2.sets, l2.ways),
            mshrs: Mshrs::new(l2.mshrs, l2.merges),
            miss_queue: Ring::new(l2.miss_queue as usize),
            // A reply per cycle is within the hit latency; more than that blocks the bank's head.
            replies: Ring::new(l2.hit_latency as usize),
            free_at: 0,
            request_at: u64::MAX,
            refused: false,
            stats: L2Stats::default(),
        }
    }

    /// Whether the crossbar may send another request.
    #[inline]
    pub fn accepts(&self) -> bool {
        self.queue.room() > 0
    }

    /// A request that arrives in cycle `at`. Returns when the bank has to look at it, if it is the first in line.
    #[inline]
    pub fn accept(&mut self, at: u64, packet: Packet) -> u64 {
        let ready = at + self.shape.rop;
        let first = self.queue.is_empty();
        self.queue.push((ready, packet));
        if !first {
            return u64::MAX;
        }
        self.request_at = self.request_at.min(ready.max(self.free_at));
        self.request_at
    }

    /// The DRAM channel's queue has room again. Returns whether requests waited for that.
    pub fn dram_has_room(&mut self, now: u64) -> bool {
        let waits = !self.miss_queue.is_empty();
        if waits {
            self.request_at = now;
        }
        waits
    }

    /// When [`Bank::step`] has something to do.
    #[inline]
    pub fn request_at(&self) -> u64 {
        self.request_at
    }

    /// DRAM has read the line of `mshr`. The bank has to look at its head again.
    pub fn fill(&mut self, now: u64, mshr: u16) {
        let (way, waiters) = self.mshrs.complete(mshr);
        let state = self.tags.fill(way, self.shape.full);
        for packet in waiters {
            if !packet.kind.is_read() {
                state.dirty |= packet.sectors;
            }
            self.replies.push((now + self.shape.hit, *packet));
        }
        self.refused = false;
        self.request_at = now;
    }

    /// One cycle: at most one access, and one request to DRAM, which sees it from command cycle `tick` on. Returns the
    /// next cycle with something to do.
    pub fn step(&mut self, now: u64, dram: &mut Channel, tick: impl FnOnce() -> u64) -> u64 {
        let mut next = u64::MAX;
        if let Some(&(ready, packet)) = self.queue.front() {
            let ready = ready.max(self.free_at);
            if ready > now {
                next = ready;
            } else if !self.refused {
                if self.replies.room() == 0 {
                    next = now + 1;
                } else if self.access(now, &packet) {
                    self.queue.pop();
                    self.free_at = now + u64::from(packet.serial.max(1));
                    next = self.queue.front().map_or(u64::MAX, |head| head.0.max(self.free_at));
                } else {
                    self.refused = true;
                }
            }
        }
        if !self.miss_queue.is_empty() && dram.room() > 0 {
            if let Some(request) = self.miss_queue.pop() {
                dram.push(tick(), request);
            }
            if self.refused || !self.miss_queue.is_empty() {
                next = next.min(now + 1);
            }
            self.refused = false;
        }
        self.request_at = next;
        next
    }

    /// When the next reply is ready for the crossbar; `u64::MAX` without one.
    #[inline]
    pub fn reply_at(&self) -> u64 {
        self.replies.front().map_or(u64::MAX, |r| r.0)
    }

    /// Hands the reply that is ready to the crossbar, if its port has room. Returns when to come again.
    #[inline]
    pub fn send_reply(&mut self, now: u64, crossbar: &mut Crossbar) -> u64 {
        if let Some(&(_, packet)) = self.replies.front().filter(|r| r.0 <= now) {
            let flits = packet.reply_flits(self.shape.flit_bytes, self.shape.line_bytes);
            if crossbar.push(self.number as usize, packet.sm as usize, flits, now, packet) {
                self.replies.pop();
            }
        }
        self.reply_at().max(now + 1)
    }

    /// The request at the head; `false` if it cannot be taken.
    fn access(&mut self, now: u64, packet: &Packet) -> bool {
        let set = (packet.line / self.shape.banks_per_channel) & self.shape.set_mask;
        let found = self.tags.find(set, packet.line);
        let taken = match packet.kind {
            Kind::Read => self.read(set, found, packet, self.shape.full),
            Kind::Write => self.write(set, found, packet).then_some(true),
            Kind::Fetch | Kind::Atomic | Kind::Reduction => self.read(set, found, packet, packet.sectors),
        };
        let Some(present) = taken else { return false };
        if present {
            self.replies.push((now + self.shape.hit, *packet));
        }
        match packet.kind {
            Kind::Read | Kind::Fetch => {}
            Kind::Write => self.stats.writes += 1,
            Kind::Atomic | Kind::Reduction => self.stats.atomics += 1,
        }
        true
    }

    /// Needs the sectors `wanted`: present, on their way, or not to be had now (`None`).
    fn read(&mut self, set: u32, found: Option<usize>, packet: &Packet, wanted: u8) -> Option<bool> {
        let count = packet.kind.is_read();
        if let Some(way) = found {
            let state = *self.tags.way(way);
            if let Some(mshr) = state.mshr() {
                self.mshrs.merge(mshr, *packet).then_some(())?;
                self.stats.merges += u64::from(count);
                return Some(false);
            }
            if state.valid & wanted == wanted {
                self.tags.touch(way);
                self.tags.way_mut(way).dirty |= if count { 0 } else { packet.sectors };
                self.stats.hits += u64::from(count);
                return Some(true);
            }
        }
        let way = found.or_else(|| self.tags.victim(set))?;
        let writeback = found.is_none() && self.tags.way(way).dirty != 0;
        if self.mshrs.free() == 0 || self.miss_queue.room() < 1 + usize::from(writeback) {
            return None;
        }
        let mshr = self.mshrs.allocate(way, *packet)?;
        if found.is_none() {
            self.replace(way, packet.line);
        }
        self.tags.reserve(way, mshr);
        let bursts = bursts(self.shape.full & !self.tags.way(way).valid, self.shape.sectors_per_burst);
        self.send(Request { line: packet.line, bursts, write: false, bank: 0, mshr });
        self.stats.misses += u64::from(count);
        Some(false)
    }

    /// Write-allocate without fetch; `false` if there is no way or no place for the victim.
    fn write(&mut self, set: u32, found: Option<usize>, packet: &Packet) -> bool {
        let way = match found {
            Some(way) => way,
            None => {
                let Some(way) = self.tags.victim(set) else {
                    return false;
                };
                if self.tags.way(way).dirty != 0 && self.miss_queue.room() == 0 {
                    return false;
                }
                self.replace(way, packet.line);
                way
            }
        };
        self.tags.touch(way);
        let state = self.tags.way_mut(way);
        state.valid |= packet.sectors;
        state.dirty |= packet.sectors;
        true
    }

    /// Puts a new line into `way`; a dirty victim goes to DRAM.
    fn replace(&mut self, way: usize, line: u32) {
        if let Some((line, old)) = self.tags.replace(way, line).filter(|(_, old)| old.dirty != 0) {
            let bursts = bursts(old.dirty, self.shape.sectors_per_burst);
            self.send(Request { line, bursts, write: true, bank: 0, mshr: NO_MSHR });
            self.stats.writebacks += 1;
        }
    }

    fn send(&mut self, request: Request) {
        let bank = (self.number % self.shape.banks_per_channel) as u8;
        self.miss_queue.push(Request { bank, ..request });
    }
}

/// Bursts that hold any of `sectors`.
fn bursts(sectors: u8, per_burst: u32) -> u8 {
    let group = (1u16 << per_burst).wrapping_sub(1) as u8;
    (0..8 / per_burst).filter(|i| sectors >> (i * per_burst) & group != 0).count() as u8
}

#[cfg(test)]
mod tests;
