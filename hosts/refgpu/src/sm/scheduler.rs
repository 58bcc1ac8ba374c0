//! Warp schedulers: which ready warp issues (refgpu-W1, refgpu-W3).

use crate::config::WarpPolicy;

/// One warp scheduler of an SM; it owns warp slots s, s + n, s + 2n, ...
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// Its warp slots.
    pub warps: u64,
    policy: WarpPolicy,
    /// The warp that issued last; 64 before the first.
    last: u32,
}

impl Scheduler {
    /// Scheduler number `s` of `n`, for `warps` slots in all.
    pub fn new(s: u32, n: u32, warps: u32, policy: WarpPolicy) -> Self {
        let own = (s..warps).step_by(n as usize).fold(0, |mask, w| mask | 1 << w);
        Self { warps: own, policy, last: 64 }
    }

    /// Picks among `ready`, which is not empty and holds only its own warps; `age` is least for the oldest.
    #[inline]
    pub fn pick(&mut self, ready: u64, age: &[u64; 64]) -> u32 {
        let warp = match self.policy {
            WarpPolicy::Lrr | WarpPolicy::Rr => {
                let after = ready & u64::MAX.checked_shl(self.last + 1).unwrap_or(0);
                (if after != 0 { after } else { ready }).trailing_zeros()
            }
            WarpPolicy::Gto if self.last < 64 && ready >> self.last & 1 != 0 => self.last,
            // Mascar orders warps elsewhere.
            WarpPolicy::Gto | WarpPolicy::Mascar => oldest(ready, age),
        };
        self.last = warp;
        warp
    }

    /// The warp slot was given to another warp: greed ends.
    pub fn forget(&mut self, warps: u64) {
        if self.policy == WarpPolicy::Gto && self.last < 64 && warps >> self.last & 1 != 0 {
            self.last = 64;
        }
    }
}

fn oldest(ready: u64, age: &[u64; 64]) -> u32 {
    let mut left = ready;
    let mut best = (u64::MAX, 64);
    while left != 0 {
        let w = left.trailing_zeros();
        left &= left - 1;
        best = best.min((age[w as usize & 63], w));
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_belong_to_schedulers_in_turn() {
        let s = Scheduler::new(1, 4, 16, WarpPolicy::Lrr);
        assert_eq!(s.warps, 0b0010_0010_0010_0010);
    }

    #[test]
    fn lrr_goes_on_after_the_last_in_slot_order() {
        let mut s = Scheduler::new(0, 1, 64, WarpPolicy::Lrr);
        let age = [0; 64];
        let ready = 1 << 2 | 1 << 5 | 1 << 63;
        let order: Vec<_> = (0..4).map(|_| s.pick(ready, &age)).collect();
        assert_eq!(order, [2, 5, 63, 2]);
    }

    #[test]
    fn gto_stays_with_its_warp_then_takes_the_oldest() {
        let mut s = Scheduler::new(0, 1, 64, WarpPolicy::Gto);
        let age = std::array::from_fn(|w| 100 - w as u64);
        assert_eq!(s.pick(1 << 2 | 1 << 5, &age), 5);
        assert_eq!(s.pick(1 << 5 | 1 << 9, &age), 5);
        assert_eq!(s.pick(1 << 2 | 1 << 9, &age), 9);
        s.forget(1 << 9);
        assert_eq!(s.pick(1 << 9 | 1 << 10, &age), 10);
    }
}
