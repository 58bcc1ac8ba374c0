//! How far estimates are from measurements, whether they put things in the same order, and how sure a mean is.

use serde::Serialize;

/// A mean, and the interval of 95 % confidence around it: Student's, of values that are drawn independently.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// From here; the mean where values are all the same, and none of a single value, which tells nothing of others.
    pub low: Option<f64>,
    /// To here.
    pub high: Option<f64>,
}

impl Mean {
    /// The arithmetic mean; 0 of nothing.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n.max(1.0);
        let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let half = (values.len() > 1).then(|| student(values.len() - 1) * (square / (n - 1.0) / n).sqrt());
        Self { mean, low: half.map(|half| mean - half), high: half.map(|half| mean + half) }
    }

    /// The geometric mean of factors, and its interval: those of their logarithms; 1 of nothing.
    #[must_use]
    pub fn of_factors(factors: &[f64]) -> Self {
        let Self { mean, low, high } = Self::of(&factors.iter().map(|factor| factor.ln()).collect::<Vec<_>>());
        Self { mean: mean.exp(), low: low.map(f64::exp), high: high.map(f64::exp) }
    }

    /// From where to where, if that is known.
    #[must_use]
    pub fn interval(&self) -> Option<[f64; 2]> {
        Some([self.low?, self.high?])
    }

    /// The mean and its interval, as a picture has them.
    pub(crate) fn with_interval(&self) -> Option<[f64; 3]> {
        self.interval().map(|[low, high]| [self.mean, low, high])
    }

    /// Whether the interval leaves out this value.
    #[must_use]
    pub fn excludes(&self, value: f64) -> bool {
        self.interval().is_some_and(|[low, high]| value < low || high < value)
    }
}

/// What 95 % of Student's distribution with so many degrees of freedom, 1 or more, is within.
fn student(freedom: usize) -> f64 {
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    if let Some(&few) = freedom.checked_sub(1).and_then(|place| FEW.get(place)) {
        return few;
    }
    // Abramowitz and Stegun 26.7.5, which is exact to the third decimal from here on.
    let (z, v) = (1.959_964_f64, freedom as f64);
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    terms.iter().enumerate().fold(z, |sum, (power, term)| sum + term / v.powi(power as i32 + 1))
}

/// The middle one, or the mean of both; 0 if there is none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match (values.get(values.len() / 2), values.len().is_multiple_of(2)) {
        (None, _) => 0.0,
        (Some(middle), false) => *middle,
        (Some(middle), true) => (values[values.len() / 2 - 1] + middle) / 2.0,
    }
}

/// Spearman's rank correlation of pairs; equal values share their mean rank. 0 if one side does not vary.
pub fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |values: Vec<f64>| -> Vec<f64> {
        let below = |v: f64| values.iter().filter(|&&o| o < v).count() as f64;
        let equal = |v: f64| values.iter().filter(|&&o| o == v).count() as f64;
        values.iter().map(|&v| below(v) + (equal(v) - 1.0) / 2.0).collect()
    };
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (sum(&a, &a) * sum(&b, &b)).sqrt();
    if spread == 0.0 { 0.0 } else { sum(&a, &b) / spread }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, table) in
            [(1, 12.706), (10, 2.228), (11, 2.201), (19, 2.093), (30, 2.042), (60, 2.000), (120, 1.980)]
        {
            assert!((student(freedom) - table).abs() < 6e-4, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn means_know_how_sure_they_are() {
        let of = Mean::of(&[4.0, 6.0, 8.0]);
        let (mean, [low, high]) = (of.mean, of.interval().unwrap());
        assert_eq!(mean, 6.0);
        assert!((high - 10.968).abs() < 2e-3 && (mean - low - (high - mean)).abs() < 1e-12, "{low} {high}");
        assert_eq!(Mean::of(&[3.0, 3.0]).interval(), Some([3.0, 3.0]));
        let single = Mean::of_factors(&[3.0]);
        assert!((single.mean - 3.0).abs() < 1e-12 && single.interval().is_none() && !single.excludes(1.0));
        let factors = Mean::of_factors(&[0.5, 2.0, 1.0]);
        let [low, high] = factors.interval().unwrap();
        assert!((factors.mean - 1.0).abs() < 1e-12 && (low * high - 1.0).abs() < 1e-9, "{factors:?}");
        assert!(!factors.excludes(1.0) && Mean::of_factors(&[1.1, 1.1, 1.101]).excludes(1.0));
    }

    #[test]
    fn medians_and_ranks() {
        assert_eq!([median([]), median([3.0, 1.0, 2.0]), median([4.0, 1.0])], [0.0, 2.0, 2.5]);
        assert_eq!(spearman(&[(1.0, 10.0), (2.0, 20.0), (3.0, 99.0)]), 1.0);
        assert_eq!(spearman(&[(1.0, 9.0), (2.0, 5.0), (3.0, 1.0)]), -1.0);
        assert_eq!(spearman(&[(1.0, 1.0), (1.0, 2.0)]), 0.0);
        assert!((spearman(&[(1.0, 1.0), (2.0, 3.0), (2.0, 2.0), (3.0, 4.0)]) - 0.9487).abs() < 1e-3);
    }
}
