//! Loads and atomics on their way: what each still waits for, and which are complete (refgpu-M6).

use super::LsuStats;
use crate::ring::Ring;

/// Registers of a warp that a finished load makes ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Warp slot.
    pub warp: u8,
    /// The registers.
    pub regs: u32,
}

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

/// The loads and atomics of one unit. Requests bear their numbers.
#[derive(Clone, Debug)]
pub(super) struct Loads {
    rows: Vec<Load>,
    free: Vec<u16>,
    /// Loads that wait only for replies on their last way.
    closing: u32,
    /// Loads with all their answers, by the cycle of the last.
    complete: Ring<(u64, u16)>,
    done: Vec<Loaded>,
}

impl Loads {
    pub fn new() -> Self {
        Self { rows: Vec::new(), free: Vec::new(), closing: 0, complete: Ring::new(64), done: Vec::with_capacity(64) }
    }

    /// One enters the latch in cycle `now`. Returns its number.
    pub fn enter(&mut self, now: u64, warp: u8, regs: u32) -> u16 {
        let load = Load { issued: now, ready: now, regs, warp, left: 1, awaited: 0, in_latch: true };
        if let Some(free) = self.free.pop() {
            self.rows[free as usize] = load;
            return free;
        }
        self.rows.push(load);
        (self.rows.len() - 1) as u16
    }

    /// It waits for one more answer, that of a reply which is not on its last way yet if it is `awaited`.
    #[inline]
    pub fn wait(&mut self, load: u16, awaited: bool) {
        let entry = &mut self.rows[load as usize];
        entry.left += 1;
        entry.awaited += u8::from(awaited);
    }

    /// A reply that it waits for is on its last way.
    #[inline]
    pub fn comes(&mut self, load: u16) {
        let entry = &mut self.rows[load as usize];
        entry.awaited -= 1;
        self.closing += u32::from(entry.awaited == 0 && !entry.in_latch);
    }

    /// A reply answers it in cycle `at`.
    #[inline]
    pub fn answer(&mut self, load: u16, at: u64) {
        self.closing -= u32::from(self.count_answer(load, at));
    }

    /// It leaves the latch, with all its hits through by cycle `at`.
    #[inline]
    pub fn close(&mut self, load: u16, at: u64) {
        let entry = &mut self.rows[load as usize];
        entry.in_latch = false;
        self.closing += u32::from(entry.awaited == 0 && entry.left > 1);
        self.count_answer(load, at);
    }

    /// One answer less to come. Returns whether it was the last; then the load is complete when all are through.
    #[inline]
    fn count_answer(&mut self, load: u16, at: u64) -> bool {
        let entry = &mut self.rows[load as usize];
        entry.ready = entry.ready.max(at);
        entry.left -= 1;
        if entry.left == 0 {
            self.complete.push_sorted((entry.ready, load));
        }
        entry.left == 0
    }

    /// Whether any waits only for replies on their last way.
    #[inline]
    pub fn any_closing(&self) -> bool {
        self.closing > 0
    }

    /// The cycle in which the first is complete.
    #[inline]
    pub fn next(&self) -> u64 {
        self.complete.front().map_or(u64::MAX, |c| c.0)
    }

    /// Finishes those that are complete by cycle `now`. Returns whether there are any to take.
    #[inline]
    pub fn finish(&mut self, now: u64, stats: &mut LsuStats) -> bool {
        while let Some(&(_, load)) = self.complete.front().filter(|c| c.0 <= now) {
            self.complete.pop();
            let entry = &self.rows[load as usize];
            stats.loads_done += 1;
            stats.load_latency += entry.ready - entry.issued;
            self.done.push(Loaded { warp: entry.warp, regs: entry.regs });
            self.free.push(load);
        }
        !self.done.is_empty()
    }

    /// Takes one that is finished.
    #[inline]
    pub fn take_done(&mut self) -> Option<Loaded> {
        self.done.pop()
    }
}
