//! What comes back from memory: lines for L1 and answers for loads, one per cycle (refgpu-M6).

use super::{AROUND, Lsu, Refusal};
use crate::clock::Clock;
use crate::memory::{Answer, Reply};

impl Lsu {
    /// A reply will arrive in own cycle `at`, or after the reply before it: one line per cycle (refgpu-M6). Returns the own cycle in which
    /// the SM has to look, `u64::MAX` if it need not: a line that neither completes a load nor lets the latch go on can wait for
    /// the next look.
    pub fn expect(&mut self, reply: Reply, at: u64) -> u64 {
        let is_around = reply.answer == Answer::Line && reply.id & AROUND != 0;
        let reply = if is_around { Reply { id: reply.id & !AROUND, answer: Answer::Around, ..reply } } else { reply };
        match reply.answer {
            Answer::Line => {
                self.line_comes[reply.id as usize] = true;
                self.l1.in_flight(reply.id).1.iter().for_each(|&load| self.loads.comes(load));
            }
            Answer::Old | Answer::Around => self.loads.comes(reply.id),
            Answer::Written => {}
        }
        let at = at.max(self.last_arrival + 1);
        self.last_arrival = at;
        self.incoming.push((at, reply));
        if self.loads.any_closing() || self.is_watched || self.unblocks(&reply) { at } else { u64::MAX }
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
        self.loads.finish(now, &mut self.stats)
    }

    /// refgpu-M6: one line per cycle enters L1; from the next cycle on its waiters are answered one per cycle, in order.
    fn take_reply(&mut self, arrival: u64, reply: &Reply) {
        let mut at = self.answer_at.max(arrival + 1);
        if self.unblocks(reply) {
            self.refused = None;
        }
        let mut answer = |load: u16| {
            self.loads.answer(load, at);
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

    /// The first arrival that somebody has to look at: any if a load can be complete with it or somebody watches, else one that lets
    /// the latch go on.
    #[inline]
    pub(super) fn next_arrival(&self) -> u64 {
        let arrival = if self.loads.any_closing() || self.is_watched {
            self.incoming.front()
        } else if self.refused.is_some() {
            self.incoming.iter().find(|(_, reply)| self.unblocks(reply))
        } else {
            None
        };
        arrival.map_or(u64::MAX, |r| r.0)
    }

    /// Empties the L1 (refgpu-M11), before own cycle `next`, and uses so many ways of it.
    pub fn clear_cache(&mut self, next: u64, ways: u32) {
        while let Some(&(at, reply)) = self.incoming.front().filter(|r| r.0 < next) {
            self.incoming.pop();
            self.take_reply(at, &reply);
        }
        self.l1.clear(ways);
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
}
