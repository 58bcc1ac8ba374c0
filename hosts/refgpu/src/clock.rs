//! Clocks of domains: their own cycles, and where they lie in the machine's time (refgpu-T1, refgpu-V2).
//!
//! The machine's time is counted in *beats*, cycles of the fastest clock that any domain can have. An SM, the memory beyond the
//! SMs, and the front end with everything that is reported each have a clock: every cycle of its own lies on a beat of its own, in
//! which the domain acts, and between these it does not exist. What domains send each other is stamped in beats.
//!
//! Where no clock is ever above nominal, a beat is a *core cycle*, that of the nominal SM clock, and core cycles cost nothing to
//! find.

/// Beats per own cycle, as a ratio of at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    beats: u64,
    own: u64,
}

impl Pace {
    /// A cycle on every beat.
    pub const EVERY_BEAT: Self = Self { beats: 1, own: 1 };

    /// The clock of `slow` MHz, or in any other unit, where beats come at `fast`, not less.
    pub fn of(slow: u32, fast: u32) -> Self {
        Self { beats: fast.max(slow).into(), own: slow.max(1).into() }
    }

    /// Whether there is a cycle on every beat.
    pub const fn is_every_beat(self) -> bool {
        self.beats == self.own
    }
}

/// The clock of a domain.
#[derive(Clone, Debug)]
pub struct Clock {
    pace: Pace,
    even: bool,
    /// Own cycle `own` is at beat `own + lag`, and at this pace since then.
    own: u64,
    lag: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(Pace::EVERY_BEAT)
    }
}

impl Clock {
    /// A clock with its cycle 0 at beat 0.
    pub fn new(pace: Pace) -> Self {
        Self { pace, even: pace.is_every_beat(), own: 0, lag: 0 }
    }

    /// Beat of an own cycle, of one that has not passed when the pace last changed; `u64::MAX` stays that.
    #[inline]
    pub fn at(&self, own: u64) -> u64 {
        if self.even { own.saturating_add(self.lag) } else { self.slow_at(own) }
    }

    #[inline(never)]
    fn slow_at(&self, own: u64) -> u64 {
        if own == u64::MAX {
            return own;
        }
        self.own + self.lag + (own.saturating_sub(self.own) * self.pace.beats).div_ceil(self.pace.own)
    }

    /// The first own cycle since the pace last changed that is not before beat `at`.
    #[inline]
    pub fn first(&self, at: u64) -> u64 {
        if self.even { at.saturating_sub(self.lag).max(self.own) } else { self.slow_first(at) }
    }

    #[inline(never)]
    fn slow_first(&self, at: u64) -> u64 {
        // Own cycle n after the change is at ceil(n beats / own): not before `ahead` if n beats / own > ahead - 1.
        match at.saturating_sub(self.own + self.lag) {
            0 => self.own,
            ahead => self.own + (ahead - 1) * self.pace.own / self.pace.beats + 1,
        }
    }

    /// The own cycle that is at beat `at` or was the last before it; the pace has not changed since.
    #[inline]
    pub fn last(&self, at: u64) -> u64 {
        self.first(at + 1).saturating_sub(1)
    }

    /// The own cycle that is at beat `at`, if one is; else the next beat at which one is. The pace has not changed since.
    #[inline]
    pub fn tick(&self, at: u64) -> Result<u64, u64> {
        if self.even { Ok(at - self.lag) } else { self.slow_tick(at) }
    }

    #[inline(never)]
    fn slow_tick(&self, at: u64) -> Result<u64, u64> {
        let own = self.slow_first(at);
        let next = self.slow_at(own);
        if next == at { Ok(own) } else { Err(next) }
    }

    /// The own cycle with which the pace last changed.
    pub fn changed(&self) -> u64 {
        self.own
    }

    /// From beat `at` on, with an own cycle in it, the clock runs at this pace.
    pub fn change(&mut self, at: u64, pace: Pace) {
        let own = self.first(at);
        *self = Self { pace, even: pace.is_every_beat(), own, lag: at - own };
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_cycles_and_beats_agree_at_every_pace_and_across_changes() {
        let mut clock = Clock::default();
        let (mut beat, mut expected) = (0, 0);
        for pace in [Pace::of(700, 700), Pace::of(100, 700), Pace::of(3, 7), Pace::EVERY_BEAT, Pace::of(699, 700)] {
            clock.change(beat, pace);
            for at in beat..beat + 1000 {
                assert_eq!(clock.first(at), expected, "{pace:?} {at}");
                match clock.tick(at) {
                    Ok(own) => {
                        assert_eq!((own, clock.at(own), clock.last(at)), (expected, at, expected));
                        expected += 1;
                    }
                    Err(next) => assert_eq!((next, next > at), (clock.at(expected), true)),
                }
            }
            beat += 1000;
        }
        // Each starts with a cycle of its own.
        assert_eq!(expected, 1000 + 143 + 429 + 1000 + 998);
        assert_eq!((clock.at(u64::MAX), Clock::default().at(u64::MAX)), (u64::MAX, u64::MAX));
    }
}
