//! Levels of voltage and frequency of the two domains that Equalizer tunes (refgpu-V2; equalizer-F1 to F7): all SMs together, and
//! everything beyond them.
//!
//! A level is one step of frequency, and of voltage with it, below or above nominal. [`Paces`] gives the clock of each in beats.

use serde::Serialize;

use crate::clock::Pace;

/// A level of a domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VfLevel {
    /// One step below nominal.
    Low,
    /// Nominal.
    #[default]
    Normal,
    /// One step above nominal.
    High,
}

impl VfLevel {
    /// Number of levels.
    pub const COUNT: usize = 3;
    /// Every level, the lowest first.
    pub const ALL: [Self; Self::COUNT] = [Self::Low, Self::Normal, Self::High];

    /// Steps from nominal: -1, 0 or 1.
    #[must_use]
    pub const fn steps(self) -> i8 {
        self as i8 - 1
    }

    /// Frequency, and voltage, over nominal, where a step is so many thousandths.
    #[must_use]
    pub fn ratio(self, step_permille: u32) -> f64 {
        1.0 + f64::from(self.steps()) * f64::from(step_permille) / 1000.0
    }
}

/// Clocks of the levels, in beats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paces {
    step: u32,
    /// Thousandths of nominal at which beats come.
    fast: u32,
}

impl Paces {
    /// Steps of so many thousandths. Beats are those of the high level if a domain can be there, else of the nominal one.
    #[must_use]
    pub const fn new(step_permille: u32, is_boosting: bool) -> Self {
        Self { step: step_permille, fast: if is_boosting { 1000 + step_permille } else { 1000 } }
    }

    /// The clock of a level; never faster than beats come.
    #[must_use]
    pub fn level(self, level: VfLevel) -> Pace {
        Pace::of(1000u32.saturating_add_signed(i32::from(level.steps()) * self.step as i32), self.fast)
    }

    /// The nominal clock: core cycles.
    #[must_use]
    pub fn nominal(self) -> Pace {
        self.level(VfLevel::Normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn levels_are_a_step_of_frequency_apart() {
        let paces = Paces::new(150, true);
        let cycles = |level| Clock::new(paces.level(level)).first(1150 * 1000);
        assert_eq!(VfLevel::ALL.map(cycles), [850_000, 1_000_000, 1_150_000]);
        assert_eq!(VfLevel::ALL.map(|level| level.ratio(150)), [0.85, 1.0, 1.15]);
        // Without a level above it, nominal needs no ratio.
        assert!(Paces::new(150, false).nominal().is_every_beat());
    }
}
