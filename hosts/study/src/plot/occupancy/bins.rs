//! Samples over columns of pixels. A column goes from one edge to the next, in cycles.

/// The columns that lie in the cycles `from..to`, wholly or in part: which, and what share of the column.
pub(in crate::plot) fn overlaps(edges: &[u64], from: u64, to: u64) -> impl Iterator<Item = (usize, f64)> {
    let first = edges.partition_point(|&edge| edge <= from).saturating_sub(1);
    let columns = edges.windows(2).enumerate().skip(first).take_while(move |(_, column)| column[0] < to);
    columns.filter_map(move |(index, column)| {
        let cycles = to.min(column[1]).checked_sub(from.max(column[0]))?;
        (cycles > 0).then(|| (index, cycles as f64 / (column[1] - column[0]) as f64))
    })
}

/// Means over columns, of samples that cover `sample_cycles` each; the last one ends with the last column.
pub(super) fn bins(samples: &[Vec<f64>], sample_cycles: u64, edges: &[u64]) -> Vec<Vec<f64>> {
    let width = samples.first().map_or(0, Vec::len);
    let mut bins = vec![vec![0.0; width]; edges.len().saturating_sub(1)];
    for (start, sample) in (0..).step_by(sample_cycles as usize).zip(samples) {
        for (index, share) in overlaps(edges, start, start + sample_cycles) {
            for (sum, value) in bins[index].iter_mut().zip(sample) {
                *sum += share * value;
            }
        }
    }
    bins
}

/// The greatest of the samples that lie in each column, wholly or in part.
pub(super) fn most_in_bins(samples: &[f64], sample_cycles: u64, edges: &[u64]) -> Vec<f64> {
    let mut bins = vec![0.0_f64; edges.len().saturating_sub(1)];
    for (start, &sample) in (0..).step_by(sample_cycles as usize).zip(samples) {
        overlaps(edges, start, start + sample_cycles).for_each(|(index, _)| bins[index] = sample.max(bins[index]));
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_keep_the_mean() {
        let samples: Vec<Vec<f64>> = (0..10).map(|i| vec![f64::from(i)]).collect();
        // The last sample covers 50 cycles of 100.
        let bins = bins(&samples, 100, &[0, 190, 380, 570, 760, 950]);
        let mean = bins.iter().map(|b| b[0]).sum::<f64>() / 5.0;
        assert_eq!(bins.len(), 5);
        assert!((mean - (36.0 * 100.0 + 9.0 * 50.0) / 950.0).abs() < 1e-12, "{mean}");
        assert!((bins[0][0] - 90.0 / 190.0).abs() < 1e-12);
    }

    #[test]
    fn bins_of_any_width_have_the_mean_of_what_lies_in_them() {
        let samples: Vec<Vec<f64>> = (0..5).map(|i| vec![f64::from(i)]).collect();
        let bins = bins(&samples, 100, &[50, 60, 120, 450]);
        let means = [0.0, 20.0 / 60.0, (80.0 + 200.0 + 300.0 + 4.0 * 50.0) / 330.0];
        assert!(bins.iter().zip(means).all(|(bin, mean)| (bin[0] - mean).abs() < 1e-12), "{bins:?}");
        assert!(super::bins(&samples, 100, &[0]).is_empty());
    }

    #[test]
    fn bins_keep_the_greatest() {
        let samples = [1.0, 0.0, 5.0, 0.0, 2.0];
        let most = |bin| {
            let edges: Vec<u64> = (0..450).step_by(bin).chain([450]).collect();
            most_in_bins(&samples, 100, &edges)
        };
        assert_eq!(most(200), [1.0, 5.0, 2.0]);
        assert_eq!(most(150), [1.0, 5.0, 2.0]);
        assert_eq!(most(50), [1.0, 1.0, 0.0, 0.0, 5.0, 5.0, 0.0, 0.0, 2.0]);
        assert_eq!(most_in_bins(&samples, 100, &[110, 190, 201]), [0.0, 5.0]);
    }
}
