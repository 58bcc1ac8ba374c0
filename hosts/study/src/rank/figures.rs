//! What comes of the outcomes: cycles beside those of the first scheduler, places, means.

use super::Outcome;
use crate::statistics::Mean;
use serde::Serialize;

/// Outcomes, and what comes of them.
pub struct Table {
    /// A row per round, a column per scheduler.
    outcomes: Vec<Vec<Outcome>>,
    /// Of each scheduler.
    pub standings: Vec<Standing>,
}

/// How a scheduler did.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// Its place by the mean of its cycles, 1 is best; equal ones share the best of their places.
    pub rank: usize,
    /// The geometric mean of its cycles over those of the first scheduler, over the rounds that both have run; `None`: there are none.
    pub mean: Option<f64>,
    /// The mean of its places in the rounds that it has run; equal ones share the mean of their places.
    pub mean_place: f64,
    /// Rounds in which none is better, of those in which not all are equal.
    pub best: usize,
    /// Rounds that it has not run.
    pub failed: usize,
    /// The rounds with its least and its greatest cycles over those of the first.
    pub extremes: Option<[usize; 2]>,
}

impl Table {
    /// Of a row per round, with a column for each of so many schedulers.
    pub fn of(outcomes: Vec<Vec<Outcome>>, schedulers: usize) -> Self {
        let mut table = Self { outcomes, standings: Vec::new() };
        table.standings = (0..schedulers).map(|sched| table.standing(sched)).collect();
        let mean = |standing: &Standing| standing.mean.unwrap_or(f64::INFINITY);
        let means: Vec<f64> = table.standings.iter().map(mean).collect();
        for standing in &mut table.standings {
            standing.rank = 1 + means.iter().filter(|&&other| other < mean(standing)).count();
        }
        table
    }

    fn standing(&self, sched: usize) -> Standing {
        let rounds = 0..self.outcomes.len();
        let mut factors: Vec<(usize, f64)> =
            rounds.clone().filter_map(|round| Some((round, self.factor(round, sched)?))).collect();
        let values: Vec<f64> = factors.iter().map(|&(_, factor)| factor).collect();
        factors.sort_by(|a, b| a.1.total_cmp(&b.1));
        let places: Vec<f64> = rounds.clone().filter_map(|round| self.place(round, sched)).collect();
        Standing {
            rank: 0,
            mean: (!values.is_empty()).then(|| Mean::of_factors(&values).mean),
            mean_place: Mean::of(&places).mean,
            best: rounds.filter(|&round| self.is_best(round, sched)).count(),
            failed: self.outcomes.iter().filter(|row| row[sched].is_err()).count(),
            extremes: factors.first().zip(factors.last()).map(|(least, most)| [least.0, most.0]),
        }
    }

    /// Cycles, or why there are none.
    pub fn outcome(&self, round: usize, sched: usize) -> &Outcome {
        &self.outcomes[round][sched]
    }

    /// A scheduler's cycles over those of the first.
    pub fn factor(&self, round: usize, sched: usize) -> Option<f64> {
        let cycles = |sched: usize| self.outcomes[round][sched].as_ref().ok().copied();
        Some(cycles(sched)? as f64 / cycles(0)?.max(1) as f64)
    }

    /// Cycles of all that have run a round.
    fn run(&self, round: usize) -> impl Iterator<Item = u64> + Clone {
        self.outcomes[round].iter().filter_map(|outcome| outcome.as_ref().ok().copied())
    }

    fn place(&self, round: usize, sched: usize) -> Option<f64> {
        let own = *self.outcomes[round][sched].as_ref().ok()?;
        let better = self.run(round).filter(|&other| other < own).count() as f64;
        let equal = self.run(round).filter(|&other| other == own).count() as f64;
        Some(better + (equal + 1.0) / 2.0)
    }

    /// Whether all that have run a round took the same time.
    pub fn is_even(&self, round: usize) -> bool {
        self.run(round).min() == self.run(round).max()
    }

    fn is_best(&self, round: usize, sched: usize) -> bool {
        !self.is_even(round) && self.outcomes[round][sched].as_ref().ok().copied() == self.run(round).min()
    }

    /// The schedulers that have run a round in the fewest cycles, and those in the most.
    pub fn ends(&self, round: usize) -> Option<[Vec<usize>; 2]> {
        let all_at = |cycles: u64| -> Vec<usize> {
            (0..self.standings.len()).filter(|&sched| *self.outcome(round, sched) == Ok(cycles)).collect()
        };
        Some([self.run(round).min()?, self.run(round).max()?].map(all_at))
    }

    /// Schedulers by rank; equal ones in their order.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.standings.len()).collect();
        order.sort_by_key(|&sched| self.standings[sched].rank);
        order
    }

    /// What was not run: round, scheduler and why.
    pub fn failures(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        let of_row = |(round, row): (usize, &'_ Vec<Outcome>)| -> Vec<(usize, usize)> {
            (0..row.len()).filter(|&sched| row[sched].is_err()).map(|sched| (round, sched)).collect()
        };
        let places: Vec<(usize, usize)> = self.outcomes.iter().enumerate().flat_map(of_row).collect();
        places
            .into_iter()
            .filter_map(|(round, sched)| Some((round, sched, self.outcome(round, sched).as_ref().err()?.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_means_and_best_places_are_as_by_hand() {
        let no = || Err("it cannot".to_owned());
        let rows = vec![
            vec![Ok(100), Ok(50), Ok(100), Ok(200)],
            vec![Ok(100), Ok(200), Ok(80), no()],
            vec![Ok(70), Ok(70), Ok(70), Ok(70)],
            vec![no(), Ok(10), Ok(20), no()],
        ];
        let table = Table::of(rows, 4);
        let of = |sched: usize| &table.standings[sched];
        let mean = |sched: usize| of(sched).mean.unwrap();
        assert!((mean(1) - 1.0).abs() < 1e-12 && (mean(2) - 0.8_f64.cbrt()).abs() < 1e-12 && mean(3) > 1.4);
        assert_eq!([0, 1, 2, 3].map(|sched| of(sched).rank), [2, 2, 1, 4]);
        assert_eq!([0, 1, 2, 3].map(|sched| of(sched).best), [0, 2, 1, 0]);
        assert_eq!([0, 1, 2, 3].map(|sched| of(sched).failed), [1, 0, 0, 2]);
        // Shared places: 2.5 in the first round, 2.5 in the third.
        assert_eq!(of(0).mean_place, (2.5 + 2.0 + 2.5) / 3.0);
        assert_eq!(of(1).extremes, Some([0, 1]));
        assert_eq!(table.order(), [2, 0, 1, 3]);
        assert_eq!(table.ends(1), Some([vec![2], vec![1]]));
        assert_eq!(table.ends(0), Some([vec![1], vec![3]]));
        assert_eq!(table.ends(2), Some([vec![0, 1, 2, 3], vec![0, 1, 2, 3]]));
        assert!(table.is_even(2) && !table.is_even(0));
        assert_eq!(
            table.failures().map(|(round, sched, _)| (round, sched)).collect::<Vec<_>>(),
            [(1, 3), (3, 0), (3, 3)]
        );
    }
}
