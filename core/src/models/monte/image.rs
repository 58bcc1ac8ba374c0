//! The image of runs so far. The form is described in `image.rs`; caches are empty between runs.

use super::config::MonteConfig;
use super::tables::{TableSet, TableSizes, Tables};
use super::tally::{Extreme, SiteTally, Tally};
use super::{MAX_RUNS, Monte, SiteId};
use crate::base::image::{Form, ImageError, Reader, Writer, image_verbs, possible};

const FORM: Form = Form { kind: 21, version: 1 };

image_verbs!(Monte, MonteConfig, monte_image_config);

impl<T: Tables> Monte<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, l1: _, l2: _, sites, seed, runs, levels, stores } = self;
        w.put(config);
        w.put((seed, runs, stores));
        for level in levels {
            let Tally { loads, hits, empty, min, max, bins: _, counts: _ } = level;
            w.put((loads, hits, empty, min, max));
            level.histogram().iter().for_each(|count| w.put(count));
        }
        for site in 0..config.sites {
            w.put(sites[SiteId(site as u16)]);
        }
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.seed, self.runs, self.stores) = r.get()?;
        possible(self.runs <= MAX_RUNS)?;
        for level in &mut self.levels {
            (level.loads, level.hits, level.empty, level.min, level.max) = r.get()?;
            for count in level.counts.iter_mut().take(self.config.bins as usize) {
                *count = r.get()?;
            }
            check_level(level, self.runs, &self.config)?;
        }
        for site in 0..self.config.sites {
            self.sites[SiteId(site as u16)] = r.get()?;
        }
        self.check_sums()
    }

    /// What misses the L1s comes to the L2; sites add up to the levels.
    fn check_sums(&self) -> Result<(), ImageError> {
        let [l1, l2] = &self.levels;
        possible(l2.loads == l1.loads - l1.hits)?;
        let mut sum = SiteTally::default();
        for (_, site) in self.sites() {
            possible(site.l1_hits <= site.l1_loads && site.l2_hits <= site.l2_loads)?;
            possible(site.l2_loads == site.l1_loads - site.l1_hits)?;
            let add = |to: &mut u64, n: u64| to.checked_add(n).map(|sum| *to = sum).ok_or(ImageError::Content);
            add(&mut sum.l1_loads, site.l1_loads)?;
            add(&mut sum.l1_hits, site.l1_hits)?;
            add(&mut sum.l2_loads, site.l2_loads)?;
            add(&mut sum.l2_hits, site.l2_hits)?;
        }
        let of_levels = SiteTally { l1_loads: l1.loads, l1_hits: l1.hits, l2_loads: l2.loads, l2_hits: l2.hits };
        possible(sum == of_levels)?;
        let requests = u64::from(self.runs) * u64::from(self.config.max_requests);
        possible(l1.loads <= requests && self.stores <= requests - l1.loads)
    }
}

fn check_level(level: &Tally, runs: u32, config: &MonteConfig) -> Result<(), ImageError> {
    let counted = level.histogram().iter().try_fold(level.empty, |sum, &count| sum.checked_add(count));
    possible(counted == Some(runs) && level.hits <= level.loads)?;
    let is_run = |run: Extreme| {
        run.loads > 0 && run.hits <= run.loads && run.loads <= level.loads.min(config.max_requests.into())
    };
    match (level.min, level.max) {
        (None, None) => possible(level.empty == runs && level.loads == 0),
        (Some(min), Some(max)) => {
            possible(level.empty < runs && is_run(min) && is_run(max))?;
            possible(min.hits * max.loads <= max.hits * min.loads)
        }
        _ => Err(ImageError::Content),
    }
}
