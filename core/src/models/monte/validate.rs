//! What holds of added-up runs between two calls.

use super::config::MonteConfig;
use super::tables::Tables;
use super::tally::{Extreme, SiteTally, Sums};
use super::{MAX_RUNS, Monte};
use crate::base::invariant::{Violation, invariant};

impl<T: Tables> Monte<T> {
    /// What holds between any two calls: every run is counted once in each level, what misses the L1s comes to the L2, and sites
    /// add up to the levels (models-M5, models-M6).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, l1: _, l2: _, sites, seed: _, runs, levels, stores } = self;
        invariant("there are no more runs than can be (models-M6)", *runs <= MAX_RUNS)?;
        levels.iter().try_for_each(|level| level.validate(*runs, config))?;
        let [l1, l2] = levels;
        let requests = u64::from(*runs) * u64::from(config.max_requests);
        let fit = l1.loads <= requests && *stores <= requests - l1.loads;
        invariant("a run has no more requests than can be (models-M6)", fit)?;
        invariant("what misses the L1s comes to the L2 (models-M5)", l2.loads == l1.loads - l1.hits)?;
        let mut sum = Some(SiteTally::default());
        for (_, site) in sites.iter().take(config.sites as usize) {
            let hits = site.l1_hits <= site.l1_loads && site.l2_hits <= site.l2_loads;
            let flows = hits && site.l2_loads == site.l1_loads - site.l1_hits;
            invariant("what a site misses in the L1s comes to the L2 (models-M5)", flows)?;
            sum = sum.and_then(|sum| sum.plus(site));
        }
        invariant("only sites have a tally", sites.ends_by(config.sites as usize))?;
        let of_levels = SiteTally { l1_loads: l1.loads, l1_hits: l1.hits, l2_loads: l2.loads, l2_hits: l2.hits };
        invariant("sites add up to the levels (models-M6)", sum == Some(of_levels))
    }
}

impl SiteTally {
    fn plus(&self, other: &Self) -> Option<Self> {
        Some(Self {
            l1_loads: self.l1_loads.checked_add(other.l1_loads)?,
            l1_hits: self.l1_hits.checked_add(other.l1_hits)?,
            l2_loads: self.l2_loads.checked_add(other.l2_loads)?,
            l2_hits: self.l2_hits.checked_add(other.l2_hits)?,
        })
    }
}

impl Sums {
    /// Of so many runs.
    fn validate(&self, runs: u32, config: &MonteConfig) -> Result<(), Violation> {
        let &Self { loads, hits, empty, min, max, ref counts } = self;
        let counted = counts.iter().try_fold(empty, |sum, &count| sum.checked_add(count));
        let is_counted = counted == Some(runs) && counts.len() == config.bins as usize;
        invariant("each run is in one bin, or empty (models-M6)", is_counted)?;
        invariant("no more hit than load", hits <= loads)?;
        let is_run =
            |run: Extreme| run.loads > 0 && run.hits <= run.loads && run.loads <= loads.min(config.max_requests.into());
        let extremes = match (min, max) {
            (None, None) => empty == runs && loads == 0,
            (Some(min), Some(max)) => empty < runs && is_run(min) && is_run(max) && !max.is_below(&min),
            _ => false,
        };
        invariant("the extremes are those of runs with loads (models-M6)", extremes)
    }
}
