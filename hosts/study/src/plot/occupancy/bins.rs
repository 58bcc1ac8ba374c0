//! Samples over columns of pixels.

/// Means over bins of `bin` cycles, of samples that cover `sample_cycles` each and `cycles` together.
pub(super) fn bins(samples: &[Vec<f64>], sample_cycles: u64, cycles: u64, bin: u64) -> Vec<Vec<f64>> {
    let width = samples.first().map_or(0, Vec::len);
    let mut bins = vec![vec![0.0; width]; cycles.div_ceil(bin) as usize];
    for (start, sample) in (0..).step_by(sample_cycles as usize).zip(samples) {
        let end = (start + sample_cycles).min(cycles);
        let mut from = start;
        while from < end {
            let index = from / bin;
            let to = end.min((index + 1) * bin);
            let share = (to - from) as f64 / (((index + 1) * bin).min(cycles) - index * bin) as f64;
            for (sum, value) in bins[index as usize].iter_mut().zip(sample) {
                *sum += share * value;
            }
            from = to;
        }
    }
    bins
}

/// The greatest of the samples that lie in each bin, wholly or in part.
pub(super) fn most_in_bins(samples: &[f64], sample_cycles: u64, cycles: u64, bin: u64) -> Vec<f64> {
    let mut bins = vec![0.0; cycles.div_ceil(bin) as usize];
    for (start, &sample) in (0..cycles).step_by(sample_cycles as usize).zip(samples) {
        let end = (start + sample_cycles).min(cycles);
        let of_sample = bins.iter_mut().take(end.div_ceil(bin) as usize).skip((start / bin) as usize);
        of_sample.for_each(|most| *most = sample.max(*most));
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
        let bins = bins(&samples, 100, 950, 190);
        let mean = bins.iter().map(|b| b[0]).sum::<f64>() / 5.0;
        assert_eq!(bins.len(), 5);
        assert!((mean - (36.0 * 100.0 + 9.0 * 50.0) / 950.0).abs() < 1e-12, "{mean}");
        assert!((bins[0][0] - 90.0 / 190.0).abs() < 1e-12);
    }

    #[test]
    fn bins_keep_the_greatest() {
        let samples = [1.0, 0.0, 5.0, 0.0, 2.0];
        assert_eq!(most_in_bins(&samples, 100, 450, 200), [1.0, 5.0, 2.0]);
        assert_eq!(most_in_bins(&samples, 100, 450, 150), [1.0, 5.0, 2.0]);
        assert_eq!(most_in_bins(&samples, 100, 450, 50), [1.0, 1.0, 0.0, 0.0, 5.0, 5.0, 0.0, 0.0, 2.0]);
    }
}
