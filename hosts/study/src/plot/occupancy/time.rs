//! The time axis that all panels have in common: linear, or logarithmic where one run is so much longer than another that the shorter one
//! would not be seen.

use crate::plot::{Area, FAINT, FAR_APART, INK, TEXT, ratio, round_step, write};
use anyhow::Result;
use indicatif::HumanCount;
use plotters::style::text_anchor::HPos;

use super::{BINS, LEFT, Panel, RIGHT, WIDTH};

/// On a logarithmic axis the shortest run loses at most one part of so many at its beginning.
const KEPT: u64 = 50;
/// Up to so many times the first cycle, marks are 1, 2, 5, 10 ..., from there on 1, 10 ...
const MANY_MARKS: u64 = 4000;

/// The time axis.
pub(super) struct Time {
    /// The cycle at the left end; above 0 if the axis is logarithmic.
    first: u64,
    /// The one at the right end.
    last: u64,
    /// The longest run over the shortest.
    ratio: f64,
    /// Where columns begin, and where the last one ends.
    edges: Vec<u64>,
}

impl Time {
    pub(super) fn of(panels: &[Panel]) -> Self {
        let lengths = || panels.iter().map(|panel| panel.cycles).filter(|&cycles| cycles > 0);
        let (shortest, last) = (lengths().min().unwrap_or(1), lengths().max().unwrap_or(1));
        let ratio = ratio(lengths().map(|cycles| cycles as f64));
        let first = if ratio < FAR_APART { 0 } else { round_step(shortest / KEPT, 1) };
        let mut edges: Vec<u64> = match first {
            0 => (0..last).step_by(last.div_ceil(BINS) as usize).collect(),
            _ => {
                let growth = (last as f64 / first as f64).powf(1.0 / BINS as f64);
                (0..BINS).map(|column| (first as f64 * growth.powf(column as f64)).round() as u64).collect()
            }
        };
        edges.push(last);
        edges.dedup();
        Self { first, last, ratio, edges }
    }

    /// Where the columns of a run of so many cycles begin, and where the last one ends.
    pub(super) fn edges(&self, cycles: u64) -> Vec<u64> {
        self.edges.iter().copied().filter(|&edge| edge < cycles).chain([cycles]).collect()
    }

    /// Pixel column of a cycle.
    pub(super) fn x(&self, cycle: u64) -> i32 {
        let share = match self.first {
            0 => cycle as f64 / self.last as f64,
            first => (cycle.max(first) as f64 / first as f64).ln() / (self.last as f64 / first as f64).ln(),
        };
        LEFT as i32 + (f64::from(WIDTH - LEFT - RIGHT) * share).round() as i32
    }

    /// Pixel columns of the two ends.
    pub(super) fn ends(&self) -> (i32, i32) {
        (self.x(0), self.x(self.last))
    }

    /// The cycles of the grid.
    pub(super) fn marks(&self) -> Vec<u64> {
        if self.first == 0 {
            return (0..=self.last).step_by(round_step(self.last, 8) as usize).collect();
        }
        let digits: &[u64] = if self.last / self.first <= MANY_MARKS { &[1, 2, 5] } else { &[1] };
        let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
        let marks = powers.flat_map(|power| digits.iter().filter_map(move |digit| power.checked_mul(*digit)));
        marks.skip_while(|&mark| mark < self.first).take_while(|&mark| mark <= self.last).collect()
    }

    /// What has to be known of it, if it is not as usual.
    pub(super) fn remark(&self) -> Option<String> {
        let Self { first, ratio, .. } = self;
        let told = || {
            let first = HumanCount(*first);
            format!(
                "time is logarithmic, from cycle {first} on: the longest run takes {ratio:.0} times as long as the shortest"
            )
        };
        (*first > 0).then(told)
    }

    pub(super) fn draw(&self, root: &Area<'_>, y: i32) -> Result<()> {
        let marks = self.marks();
        // All are whole in what the first two lie apart in.
        let (unit, name) = match marks.get(1).map_or(0, |mark| mark - marks[0]) {
            0..1_000 => (1, "cycles"),
            1_000..1_000_000 => (1_000, "thousand cycles"),
            _ => (1_000_000, "million cycles"),
        };
        for cycle in marks {
            write(root, &HumanCount(cycle / unit).to_string(), (self.x(cycle), y + 6), TEXT, INK, HPos::Center)?;
        }
        let name = if self.first == 0 { name.to_owned() } else { format!("{name}, logarithmic") };
        write(root, &name, (((LEFT + WIDTH - RIGHT) / 2) as i32, y + 26), TEXT, FAINT, HPos::Center)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::panel;
    use super::*;

    fn time(cycles: &[u64]) -> Time {
        Time::of(&cycles.iter().map(|&cycles| panel("flat", cycles, false)).collect::<Vec<_>>())
    }

    #[test]
    fn runs_of_like_length_have_a_linear_axis() {
        let time = time(&[190_001, 3_800_000]);
        assert_eq!(
            (time.first, time.ends(), time.marks()[..3].to_vec()),
            (0, (212, 1012), vec![0, 500_000, 1_000_000])
        );
        assert_eq!(time.x(1_900_000), 612);
        assert_eq!(time.edges(25_000), [0, 10_000, 20_000, 25_000]);
    }

    #[test]
    fn the_shortest_of_runs_far_apart_is_seen() {
        let time = time(&[99_999, 190_000, 3_800_000]);
        assert_eq!((time.first, time.ends()), (1000, (212, 1012)));
        // Each doubling is as wide as any other, and all but a hundredth of the shortest run is there.
        assert_eq!((time.x(500), time.x(1000)), (212, 212));
        let doubling = time.x(2000) - time.x(1000);
        assert!([4000, 400_000].iter().all(|&at| (time.x(2 * at) - time.x(at) - doubling).abs() <= 1));
        assert!(time.x(99_999) - 212 > 400);
        let marks: Vec<u64> =
            [1, 2, 5].iter().flat_map(|n| [1000, 10_000, 100_000, 1_000_000].map(|unit| n * unit)).collect();
        let mut marks: Vec<u64> = marks.into_iter().filter(|&mark| mark <= 2_000_000).collect();
        marks.sort_unstable();
        assert_eq!(time.marks(), marks);
    }

    #[test]
    fn columns_of_a_logarithmic_axis_go_up_to_the_end_of_the_run() {
        let time = time(&[100, 1_000_000_000]);
        assert_eq!(
            (time.first, time.marks()),
            (2, vec![10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000])
        );
        for cycles in [100, 1_000_000_000] {
            let edges = time.edges(cycles);
            assert!(edges.is_sorted_by(|a, b| a < b), "{edges:?}");
            assert_eq!((edges[0], edges.last()), (2, Some(&cycles)));
        }
        assert_eq!(time.edges(0), [0], "a run of no cycles has no column");
    }
}
