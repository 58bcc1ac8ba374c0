//! How far estimates are from measurements, and whether they put things in the same order.

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
    fn medians_and_ranks() {
        assert_eq!([median([]), median([3.0, 1.0, 2.0]), median([4.0, 1.0])], [0.0, 2.0, 2.5]);
        assert_eq!(spearman(&[(1.0, 10.0), (2.0, 20.0), (3.0, 99.0)]), 1.0);
        assert_eq!(spearman(&[(1.0, 9.0), (2.0, 5.0), (3.0, 1.0)]), -1.0);
        assert_eq!(spearman(&[(1.0, 1.0), (1.0, 2.0)]), 0.0);
        assert!((spearman(&[(1.0, 1.0), (2.0, 3.0), (2.0, 2.0), (3.0, 4.0)]) - 0.9487).abs() < 1e-3);
    }
}
