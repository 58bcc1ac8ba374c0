//! The launch pool: what a launch call that finds too few free records, or grids, is told (refgpu-V4).

use std::fmt;

use gpusched::{GridId, PendHold};

use super::Front;

/// Most launches that the pool can be made to hold.
const MOST: u32 = 1 << 20;

/// What a launch pool is short of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    /// Launch records, `dtbl.pend_limit`.
    Records,
    /// Grids of launches that are not complete, `dtbl.grids` (launch2-C4).
    Grids,
}

impl Short {
    const fn key(self) -> &'static str {
        match self {
            Self::Records => "dtbl.pend_limit",
            Self::Grids => "dtbl.grids",
        }
    }
}

/// The launch pool when a launch call did not find room in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullPool {
    /// What there are too few of.
    pub short: Short,
    /// How many there are.
    pub limit: u32,
    /// How many are in use: records by launches that wait and groups that run, grids by launches that are not complete.
    pub held: u32,
    /// Launches of which no TB has started.
    pub pending: u64,
    /// Launches of the calls that wait, this one included.
    pub asked: u64,
    /// SM of the first of these calls.
    pub sm: u16,
}

impl FullPool {
    /// What to set; waiting is among it only if it may help.
    pub fn advice(&self, may_wait: bool) -> String {
        let enough = (u64::from(self.held) + self.asked).max(2 * u64::from(self.limit)).next_power_of_two();
        let wait = if may_wait && self.asked <= self.limit.into() { "run.full_pool = wait" } else { "" };
        let key = self.short.key();
        match (enough <= MOST.into(), wait.is_empty()) {
            (true, true) => format!("set {key} = {enough}"),
            (true, false) => format!("set {key} = {enough}, or {wait}"),
            (false, false) => format!("{key} is {MOST} at most: set {wait}, or take a smaller input"),
            (false, true) => format!("{key} is {MOST} at most: take a smaller input"),
        }
    }
}

impl fmt::Display for FullPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { short, limit, held, pending, asked, sm } = self;
        let what = if *short == Short::Grids { "grids" } else { "launch records" };
        write!(
            f,
            "the launch pool is full: {held} of {limit} {what} ({}) are in use, {pending} by launches \
             without a TB on an SM yet, and SM {sm} asks for {asked} more",
            short.key()
        )
    }
}

impl Front {
    /// The launch pool, if launch calls wait for it.
    #[must_use]
    pub fn full_pool(&self) -> Option<FullPool> {
        let (_, first) = self.calls.front()?;
        let front = self.core.config();
        let records = (Short::Records, front.pend_limit, self.core.records_in_use());
        let (short, limit, held) = front.cdp2.map_or(records, |part| {
            let grids = (0..self.core.n_grid()).filter_map(|g| self.core.grid(GridId(g)));
            let of_device = grids.filter(|grid| grid.queue.is_none()).count() as u32;
            if of_device as usize + first.lanes.len() > front.grids as usize {
                (Short::Grids, front.grids, of_device)
            } else if part.pend_hold == PendHold::Complete {
                (Short::Records, front.pend_limit, of_device)
            } else {
                records
            }
        });
        Some(FullPool {
            short,
            limit,
            held,
            pending: self.watch.pending(),
            asked: self.calls.iter().map(|(_, call)| call.lanes.len() as u64).sum(),
            sm: first.sm,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_is_what_may_help() {
        let pool = FullPool { short: Short::Records, limit: 2048, held: 2040, pending: 2000, asked: 32, sm: 3 };
        assert_eq!(pool.advice(true), "set dtbl.pend_limit = 4096, or run.full_pool = wait");
        assert_eq!(pool.advice(false), "set dtbl.pend_limit = 4096");
        let never = FullPool { limit: 2, held: 0, asked: 3, ..pool };
        assert_eq!(never.advice(true), "set dtbl.pend_limit = 4");
        let most = FullPool { limit: MOST, held: MOST, ..pool };
        assert_eq!(
            most.advice(true),
            "dtbl.pend_limit is 1048576 at most: set run.full_pool = wait, or take a smaller input"
        );
        assert_eq!(most.advice(false), "dtbl.pend_limit is 1048576 at most: take a smaller input");
        let grids = FullPool { short: Short::Grids, ..pool };
        assert_eq!(grids.advice(false), "set dtbl.grids = 4096");
        assert!(grids.to_string().starts_with("the launch pool is full: 2040 of 2048 grids (dtbl.grids) are in use"));
    }
}
