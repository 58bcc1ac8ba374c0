//! The clock of one SM: its own cycles, and where they lie among core cycles (refgpu T1, V2).
//!
//! Everything inside an SM counts own cycles. What it shares with others, arrivals, launches, the network, counts core cycles:
//! those of the nominal clock, which network and L2 always run at. An SM is never faster than nominal, so that each own cycle
//! has a core cycle of its own; it acts in that one, and does not exist in those between.

/// Core cycles per own cycle, as a ratio of at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    core: u64,
    own: u64,
}

impl Pace {
    /// The nominal clock.
    pub const NOMINAL: Self = Self { core: 1, own: 1 };

    /// The clock of `slow` MHz where `nominal` MHz, not less, are nominal.
    #[must_use]
    pub fn of(slow: u32, nominal: u32) -> Self {
        Self { core: nominal.max(slow).into(), own: slow.max(1).into() }
    }
}

/// The clock of an SM.
#[derive(Clone, Debug)]
pub struct Clock {
    pace: Pace,
    nominal: bool,
    /// Own cycle `own` is at core cycle `own + lag`, and at this pace since then.
    own: u64,
    lag: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { pace: Pace::NOMINAL, nominal: true, own: 0, lag: 0 }
    }
}

impl Clock {
    /// Core cycle of an own cycle, of one that has not passed when the pace last changed; `u64::MAX` stays that.
    #[inline]
    #[must_use]
    pub fn at(&self, own: u64) -> u64 {
        if self.nominal { own.saturating_add(self.lag) } else { self.slow_at(own) }
    }

    #[cold]
    fn slow_at(&self, own: u64) -> u64 {
        if own == u64::MAX {
            return own;
        }
        self.own + self.lag + (own.saturating_sub(self.own) * self.pace.core).div_ceil(self.pace.own)
    }

    /// The first own cycle since the pace last changed that is not before core cycle `at`.
    #[inline]
    #[must_use]
    pub fn first(&self, at: u64) -> u64 {
        if self.nominal { at.saturating_sub(self.lag).max(self.own) } else { self.slow_first(at) }
    }

    #[cold]
    fn slow_first(&self, at: u64) -> u64 {
        // Own cycle n after the change is at ceil(n core / own): not before `ahead` if n core / own > ahead - 1.
        match at.saturating_sub(self.own + self.lag) {
            0 => self.own,
            ahead => self.own + (ahead - 1) * self.pace.own / self.pace.core + 1,
        }
    }

    /// The own cycle that is at core cycle `at`, if one is; else the next core cycle at which one is. The pace has not changed
    /// since.
    ///
    /// # Errors
    /// That core cycle.
    #[inline]
    pub fn tick(&self, at: u64) -> Result<u64, u64> {
        if self.nominal { Ok(at - self.lag) } else { self.slow_tick(at) }
    }

    #[cold]
    fn slow_tick(&self, at: u64) -> Result<u64, u64> {
        let own = self.slow_first(at);
        let next = self.slow_at(own);
        if next == at { Ok(own) } else { Err(next) }
    }

    /// The own cycle with which the pace last changed.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.own
    }

    /// From core cycle `at` on, with an own cycle in it, the clock runs at this pace.
    pub fn change(&mut self, at: u64, pace: Pace) {
        let own = self.first(at);
        *self = Self { pace, nominal: pace.core == pace.own, own, lag: at - own };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_and_core_cycles_agree_at_every_pace_and_across_changes() {
        let mut clock = Clock::default();
        let (mut core, mut expected) = (0, 0);
        for pace in [Pace::of(700, 700), Pace::of(100, 700), Pace::of(3, 7), Pace::NOMINAL, Pace::of(699, 700)] {
            clock.change(core, pace);
            for at in core..core + 1000 {
                assert_eq!(clock.first(at), expected, "{pace:?} {at}");
                match clock.tick(at) {
                    Ok(own) => {
                        assert_eq!((own, clock.at(own)), (expected, at));
                        expected += 1;
                    }
                    Err(next) => assert_eq!((next, next > at), (clock.at(expected), true)),
                }
            }
            core += 1000;
        }
        // Each starts with a cycle of its own.
        assert_eq!(expected, 1000 + 143 + 429 + 1000 + 998);
        assert_eq!((clock.at(u64::MAX), Clock::default().at(u64::MAX)), (u64::MAX, u64::MAX));
    }
}
