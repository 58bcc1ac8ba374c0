//! The launch pool: what a launch call that finds too few free records is told (refgpu-V4).

use std::fmt;

/// Most launches that the pool can be made to hold.
const MOST: u32 = 1 << 20;

/// The launch pool when a launch call did not find room in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullPool {
    /// `dtbl.pend_limit`: launches that it holds.
    pub limit: u32,
    /// Records in use: launches that wait, and groups that run.
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
        match (enough <= MOST.into(), wait.is_empty()) {
            (true, true) => format!("set dtbl.pend_limit = {enough}"),
            (true, false) => format!("set dtbl.pend_limit = {enough}, or {wait}"),
            (false, false) => format!("dtbl.pend_limit is {MOST} at most: set {wait}, or take a smaller input"),
            (false, true) => format!("dtbl.pend_limit is {MOST} at most: take a smaller input"),
        }
    }
}

impl fmt::Display for FullPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, held, pending, asked, sm } = self;
        write!(
            f,
            "the launch pool is full: {held} of {limit} launch records (dtbl.pend_limit) are in use, {pending} by launches \
             without a TB on an SM yet, and SM {sm} asks for {asked} more"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_is_what_may_help() {
        let pool = FullPool { limit: 2048, held: 2040, pending: 2000, asked: 32, sm: 3 };
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
    }
}
