//! How samples vary, and how evenly work is spread over the SMXs (refgpu-S13).

use serde::{Deserialize, Serialize};

use super::{SmStats, ratio};
use crate::power::SmxPowerStats;

/// What one SMX did, for the balance between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmxStats {
    /// TBs started.
    pub tbs: u64,
    /// Warp instructions issued.
    pub instructions: u64,
    /// Core cycles with a TB resident.
    pub busy_cycles: u64,
    /// Resident warps, summed over core cycles.
    pub warp_cycles: u64,
    /// P-states and bubbles.
    #[serde(flatten)]
    pub power: SmxPowerStats,
}

impl SmxStats {
    /// Out of an SM's counts.
    #[must_use]
    pub fn of(sm: &SmStats, power: SmxPowerStats) -> Self {
        let SmStats { tbs, busy_cycles, warp_cycles, .. } = *sm;
        Self { tbs, instructions: sm.all_instructions(), busy_cycles, warp_cycles, power }
    }
}

/// Sums from which the mean and the variance of samples follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// Samples.
    pub samples: u64,
    /// Their sum.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u128,
}

impl Spread {
    /// One more sample.
    pub fn add(&mut self, sample: u64) {
        self.samples += 1;
        self.sum += sample;
        self.squares += u128::from(sample).pow(2);
    }

    /// Mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        ratio(self.sum, self.samples)
    }

    /// Variance: mean square deviation from the mean.
    #[must_use]
    pub fn variance(&self) -> f64 {
        // n times the sum of squares less the square of the sum is exact in integers, and not negative.
        let deviation = u128::from(self.samples) * self.squares - u128::from(self.sum).pow(2);
        if self.samples == 0 { 0.0 } else { deviation as f64 / (self.samples as f64).powi(2) }
    }
}

impl FromIterator<u64> for Spread {
    fn from_iter<I: IntoIterator<Item = u64>>(samples: I) -> Self {
        samples.into_iter().fold(Self::default(), |mut spread, sample| {
            spread.add(sample);
            spread
        })
    }
}

/// How evenly something is spread over the SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Balance {
    /// Coefficient of variation: standard deviation over mean. 0 is even.
    pub variation: f64,
    /// Greatest over mean. 1 is even.
    pub max_over_mean: f64,
}

impl Balance {
    pub(super) fn of(values: impl Iterator<Item = u64> + Clone) -> Self {
        let (spread, max) = (values.clone().collect::<Spread>(), values.max().unwrap_or(0));
        let mean = spread.mean();
        if mean == 0.0 {
            return Self::default();
        }
        Self { variation: spread.variance().sqrt() / mean, max_over_mean: max as f64 / mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_and_balance_are_those_of_the_samples() {
        let spread: Spread = [2, 4, 4, 4, 5, 5, 7, 9].into_iter().collect();
        assert_eq!((spread.mean(), spread.variance()), (5.0, 4.0));
        let balance = Balance::of([2, 4, 4, 4, 5, 5, 7, 9].into_iter());
        assert_eq!((balance.variation, balance.max_over_mean), (0.4, 1.8));
        let even = Balance::of([3, 3].into_iter());
        assert_eq!((even.variation, even.max_over_mean), (0.0, 1.0));
        assert_eq!(Balance::of([0, 0].into_iter()), Balance::default());
    }
}
