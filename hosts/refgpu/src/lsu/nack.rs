//! The LSU under Mascar (refgpu-M13): L1 answers with a negative acknowledgement where it would have made the LSU wait
//! (mascar-L1 to L4, mascar-R1 to R6).
//!
//! In each cycle Mascar names one request: the next of the instruction in the LSU, or one that was refused before. L1 looks it up; if
//! Mascar lets it, it is carried out as by an LSU of its own, else Mascar keeps it. An instruction is through when all its requests
//! are, however many cycles after it has left the latch.

use gpusched::mascar::{Action, Entry, Lookup, Next, Request, STORE, WarpId};

use super::{Access, Kind, Latch, Lsu, Presence, Refusal, Transaction};
use crate::mascar::{MascarStats, Open, Unit, allowed};

impl Lsu {
    /// Mascar, if it orders this SM's warps.
    #[inline]
    pub fn mascar(&mut self) -> Option<&mut Unit> {
        self.mascar.as_deref_mut()
    }

    /// How full L1 is: itself, and requests in its miss queue.
    pub fn occupancy(&self) -> (&crate::l1::L1, usize) {
        (&self.l1, self.miss_queue.len())
    }

    /// Both.
    pub fn mascar_beside(&mut self) -> Option<(&crate::l1::L1, usize, &mut Unit)> {
        let unit = self.mascar.as_deref_mut()?;
        Some((&self.l1, self.miss_queue.len(), unit))
    }

    /// What it did.
    pub fn mascar_stats(&self) -> MascarStats {
        self.mascar.as_ref().map(|unit| unit.stats).unwrap_or_default()
    }

    /// Whether Mascar orders this SM's warps.
    #[inline]
    pub fn is_ordered(&self) -> bool {
        self.mascar.is_some()
    }

    /// Whether a memory instruction may enter, for all that Mascar does not know of.
    pub fn accepts(&self, now: u64) -> bool {
        self.is_free() && now >= self.interval_ends
    }

    /// As [`Lsu::enter_global`], of lanes `mask` at `addresses`, `bytes` each.
    pub(super) fn open(&mut self, now: u64, kind: Kind, warp: u8, regs: u32, lanes: (u32, &[u64; 32], u32)) {
        let load = self.load_of(now, kind, warp, regs);
        self.interval_ends = now + self.interval;
        let Some(unit) = &mut self.mascar else { return };
        let requests = self.transactions.as_slice();
        let open = &mut unit.open[warp as usize & 63];
        *open = Open {
            kind,
            load,
            left: requests.len() as u8,
            last_hit: 0,
            requests: requests.to_vec(),
            lanes: requests.iter().map(|t| lanes_in(t, lanes, self.line_shift)).collect(),
        };
        let dst = if regs == 0 { STORE.into() } else { regs.trailing_zeros() };
        allowed(unit.machine.lsu_begin(WarpId(warp), requests.len() as u32, dst));
    }

    /// An instruction entered that has no business with L1: a shared access, a load of textures, one that touches nothing.
    pub fn pass_by(&mut self, warp: u8) {
        if let Some(unit) = &mut self.mascar {
            allowed(unit.machine.lsu_begin(WarpId(warp), 0, STORE.into()));
        }
    }

    /// Phase 3, with Mascar. L1 and shared memory are one array: while a shared access goes on nothing is presented.
    pub(super) fn act_for_mascar(&mut self, now: u64) {
        let Some(mut unit) = self.mascar.take() else { return };
        unit.tell_occupancy(0, &self.l1, self.miss_queue.len());
        if let Latch::Until(until) = self.latch {
            self.stats.busy += 1;
            if now >= until {
                self.latch = Latch::Free;
            }
        } else {
            self.stats.busy += u64::from(unit.is_busy());
            self.present(now, &mut unit);
        }
        self.mascar = Some(unit);
    }

    fn present(&mut self, now: u64, unit: &mut Unit) {
        let (warp, at) = match allowed(unit.machine.lsu_next()).unwrap_or(Next::Idle) {
            Next::Idle => return,
            Next::New { warp, index } => (warp, usize::from(index)),
            Next::Blocked(entry) | Next::Rexq(entry) => (entry.warp, self.place(unit, &entry)),
        };
        let open = &unit.open[warp.0 as usize & 63];
        let (kind, load, request) = (open.kind, open.load, open.requests[at]);
        let described = Request {
            base: u64::from(request.line) << self.line_shift,
            mask: open.lanes[at].into(),
            ..Request::default()
        };
        let (lookup, room) = self.look_up(kind, &request);
        let Some(reply) = allowed(unit.machine.lsu_reply(lookup, room.is_ok(), Some(&described))) else { return };
        unit.stats.queued += u64::from(reply.action == Action::Queued || reply.unblocked);
        unit.stats.popped += u64::from(reply.action == Action::Popped);
        unit.stats.recycled += u64::from(reply.action == Action::Recycled);
        if !reply.ack {
            let reason = room.err().unwrap_or(Refusal::NotOwner);
            unit.stats.refused[reason as usize] += 1;
            self.stats.stalls[reason as usize] += u64::from(unit.is_blocked());
            return;
        }
        // The look-up said so.
        let Ok(access) = self.access(kind, &request, load) else { return };
        self.carry_out(kind, load, &request, access);
        let open = &mut unit.open[warp.0 as usize & 63];
        open.left -= 1;
        open.last_hit = if access == Access::Hit { now } else { open.last_hit };
        if open.left == 0 {
            let last_hit = open.last_hit;
            self.close(now, kind, load, last_hit);
        }
    }

    /// Which request of its instruction an entry is.
    fn place(&self, unit: &Unit, entry: &Entry) -> usize {
        let line = (entry.request.base >> self.line_shift) as u32;
        let requests = &unit.open[entry.warp.0 as usize & 63].requests;
        requests.iter().position(|request| request.line == line).unwrap_or(0)
    }

    /// What L1 says to a request, and whether it has room for what that needs. A store is a miss that needs a way out.
    fn look_up(&self, kind: Kind, request: &Transaction) -> (Lookup, Result<(), Refusal>) {
        let queue_room = self.miss_queue.room();
        if kind != Kind::Read {
            let room = if self.writes == self.most_writes {
                Err(Refusal::Mshr)
            } else if queue_room == 0 {
                Err(Refusal::MissQueue)
            } else {
                Ok(())
            };
            return (Lookup::Miss, room);
        }
        let lookup = match self.l1.look(request.line) {
            Presence::Present => Lookup::Hit,
            Presence::Pending => Lookup::Merge,
            Presence::Absent => Lookup::Miss,
        };
        (lookup, self.l1.room(request.line, queue_room))
    }

    /// Own cycles that went by without anything.
    pub(super) fn idle_for_mascar(&mut self, cycles: u64) {
        if let Some(unit) = &mut self.mascar {
            unit.count(cycles);
        }
    }

    /// When Mascar needs a cycle for what is in the latch.
    pub(super) fn next_for_mascar(&self, now: u64) -> u64 {
        match &self.mascar {
            Some(_) if self.interval_ends > now => self.interval_ends,
            _ => u64::MAX,
        }
    }
}

/// The lanes of an access that touch a line.
fn lanes_in(request: &Transaction, (mask, addresses, bytes): (u32, &[u64; 32], u32), line_shift: u32) -> u32 {
    let line = |address: u64| (address >> line_shift) as u32;
    let last = u64::from(bytes.max(1) - 1);
    let touches =
        |lane: &usize| [addresses[*lane], addresses[*lane] + last].into_iter().any(|a| line(a) == request.line);
    crate::lanes::lanes(mask).filter(touches).fold(0, |set, lane| set | 1 << lane)
}
