//! How high thin lines go: by one scale in all panels, linear, or logarithmic where one panel's line is so much higher than another's that
//! the lower one would not be seen.

use crate::plot::{FAR_APART, amount, ratio};

use super::{CURVE, Figure, Line};

/// Pixels between labels.
const APART: f64 = 14.0;

/// The scale of thin lines.
pub(super) struct Height {
    /// The value at the top; 0 if there are no lines.
    pub(super) most: f64,
    /// Above 0 if the scale is logarithmic: the value from which on it is so, next to which it goes down to 0.
    unit: f64,
}

impl Height {
    pub(super) fn of(figure: &Figure) -> Self {
        let peaks = figure.panels.iter().map(|panel| panel.line.iter().copied().fold(0.0, f64::max));
        let peaks: Vec<f64> = peaks.filter(|&peak| peak > 0.0).collect();
        let most = peaks.iter().copied().fold(0.0, f64::max);
        if ratio(peaks.iter().copied()) >= FAR_APART {
            let lowest = peaks.iter().copied().fold(f64::MAX, f64::min);
            return Self { most, unit: 10_f64.powf(lowest.log10().floor() - 1.0) };
        }
        // Levels are counted one by one, and so is their half.
        let most = if figure.line == Line::LevelRange { 2.0 * (most / 2.0).ceil() } else { most };
        Self { most, unit: 0.0 }
    }

    pub(super) fn is_logarithmic(&self) -> bool {
        self.unit > 0.0
    }

    /// How high a value is drawn, of the whole height.
    pub(super) fn share(&self, value: f64) -> f64 {
        match self.is_logarithmic() {
            true => (value / self.unit).ln_1p() / (self.most / self.unit).ln_1p(),
            false => value / self.most,
        }
    }

    /// The values that are written beside a panel.
    pub(super) fn labels(&self) -> Vec<(f64, String)> {
        let mut values = vec![0.0, self.most / 2.0, self.most];
        if self.is_logarithmic() {
            let room = APART / f64::from(CURVE);
            let powers = std::iter::successors(Some(self.unit), |power| Some(10.0 * power));
            let powers = powers.take_while(|&power| self.share(power) < 1.0 - room);
            values.splice(1..2, powers.skip_while(|&power| self.share(power) < room));
        }
        values.into_iter().map(|value| (value, amount(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{figure, panel};
    use super::*;

    /// Of panels whose lines have these peaks.
    fn height(peaks: &[f64]) -> Height {
        let panels = peaks.iter().map(|&peak| {
            let mut panel = panel("cdp", 1000, false);
            panel.line = vec![0.0, peak];
            panel
        });
        Height::of(&Figure { panels: panels.collect(), ..figure() })
    }

    fn words(height: &Height) -> Vec<String> {
        height.labels().into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn lines_of_like_height_have_a_linear_scale() {
        let height = height(&[0.0, 50.0, 990.0]);
        assert_eq!((height.is_logarithmic(), height.share(99.0)), (false, 0.1));
        assert_eq!(words(&height), ["0", "495", "990"]);
    }

    #[test]
    fn the_lowest_of_lines_far_apart_is_seen() {
        let height = height(&[0.0, 4.0, 9031.0]);
        assert!(height.is_logarithmic() && height.share(4.0) > 0.25);
        assert_eq!((height.share(0.0), height.share(9031.0)), (0.0, 1.0));
        assert_eq!(words(&height), ["0", "1", "10", "100", "1,000", "9,031"]);
        let shares: Vec<f64> = height.labels().iter().map(|&(value, _)| height.share(value)).collect();
        assert!(shares.windows(2).all(|pair| pair[1] - pair[0] > 0.1), "{shares:?}");
    }
}
