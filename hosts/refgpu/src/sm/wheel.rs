//! The write-back wheel: results of fixed-latency units, by the cycle in which their registers become ready.

/// Registers of a warp that become ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Result {
    /// Warp slot.
    pub warp: u8,
    /// The registers.
    pub regs: u32,
}

/// Cycles that the wheel looks ahead; every fixed latency and the longest shared-memory access are below.
const SPAN: u64 = 128;

/// A timing wheel of [`SPAN`] cycles. Results lie in one pool, chained per cycle; their order within a cycle does not matter.
#[derive(Clone, Debug)]
pub struct Wheel {
    heads: [u16; SPAN as usize],
    used: u128,
    pool: Vec<(Result, u16)>,
    free: Vec<u16>,
}

const NONE: u16 = u16::MAX;

impl Default for Wheel {
    fn default() -> Self {
        Self { heads: [NONE; SPAN as usize], used: 0, pool: Vec::new(), free: Vec::new() }
    }
}

impl Wheel {
    /// `result` is there in cycle `at`, fewer than [`SPAN`] cycles from now.
    #[inline]
    pub fn push(&mut self, at: u64, result: Result) {
        let slot = (at % SPAN) as usize;
        self.used |= 1 << slot;
        let entry = (result, self.heads[slot]);
        self.heads[slot] = match self.free.pop() {
            Some(place) => {
                self.pool[place as usize] = entry;
                place
            }
            None => {
                self.pool.push(entry);
                (self.pool.len() - 1) as u16
            }
        };
    }

    /// Takes one result of cycle `now`.
    #[inline]
    pub fn pop(&mut self, now: u64) -> Option<Result> {
        let slot = (now % SPAN) as usize;
        if self.used >> slot & 1 == 0 {
            return None;
        }
        let place = self.heads[slot];
        let (result, next) = self.pool[place as usize];
        self.free.push(place);
        self.heads[slot] = next;
        if next == NONE {
            self.used &= !(1 << slot);
        }
        Some(result)
    }

    /// The next cycle after `now` with a result; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self, now: u64) -> u64 {
        if self.used == 0 {
            return u64::MAX;
        }
        let first = (now + 1) % SPAN;
        now + 1 + u64::from(self.used.rotate_right(first as u32).trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_their_cycle_and_the_next_one_is_known() {
        let mut wheel = Wheel::default();
        let result = |warp| Result { warp, regs: 1 };
        for (at, warp) in [(1010, 0), (1001, 1), (1127, 2), (1001, 3)] {
            wheel.push(at, result(warp));
        }
        let mut got = Vec::new();
        let mut now = 1000;
        while wheel.next(now) != u64::MAX {
            now = wheel.next(now);
            while let Some(r) = wheel.pop(now) {
                got.push((now, r.warp));
            }
        }
        assert_eq!(got, [(1001, 3), (1001, 1), (1010, 0), (1127, 2)]);
    }
}
