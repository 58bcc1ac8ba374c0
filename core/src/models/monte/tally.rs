//! models-M6: what runs add up to.

use heapless::Vec;

/// Bins of a histogram at most.
pub const MAX_BINS: usize = 128;

/// Hits and loads of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Extreme {
    /// Hits.
    pub hits: u64,
    /// Loads, at least 1.
    pub loads: u64,
}

impl Extreme {
    /// Whether its ratio is below another one's. Both numbers stay below 2^32.
    pub(super) fn is_below(&self, other: &Self) -> bool {
        self.hits * other.loads < other.hits * self.loads
    }
}

/// One level of the hierarchy over all runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Tally {
    /// Loads.
    pub loads: u64,
    /// Loads that hit.
    pub hits: u64,
    /// Runs without loads.
    pub empty: u32,
    /// The first run of the least ratio of hits, if any run has loads.
    pub min: Option<Extreme>,
    /// The first run of the greatest ratio of hits.
    pub max: Option<Extreme>,
    /// A count per bin.
    pub(super) counts: Vec<u32, MAX_BINS>,
}

impl Tally {
    pub(super) fn new(bins: u32) -> Self {
        let mut counts = Vec::new();
        // A checked configuration has no more bins than there is room for.
        let _ = counts.resize((bins as usize).min(MAX_BINS), 0);
        Self { loads: 0, hits: 0, empty: 0, min: None, max: None, counts }
    }

    /// Runs by their ratio of hits: bin i of b holds ratios from i/b to below (i+1)/b, the last one also a ratio of 1.
    #[must_use]
    pub fn histogram(&self) -> &[u32] {
        &self.counts
    }

    /// The fullest bin, the lowest of several; 0 if all are empty.
    #[must_use]
    pub fn mode(&self) -> u32 {
        let mut fullest = (0, 0);
        for (bin, &count) in (0..).zip(self.histogram()) {
            if count > fullest.1 {
                fullest = (bin, count);
            }
        }
        fullest.0
    }

    /// Whether some run had loads, and no two ratios of hits are further apart than so many thousandths.
    #[must_use]
    pub fn reliable(&self, tol_permille: u32) -> bool {
        let (Some(min), Some(max)) = (self.min, self.max) else { return false };
        // Each number stays below 2^32.
        let apart = u128::from((max.hits * min.loads).saturating_sub(min.hits * max.loads));
        apart * 1000 <= u128::from(min.loads * max.loads) * u128::from(tol_permille)
    }

    /// A run.
    pub(super) fn add(&mut self, loads: u64, hits: u64) {
        let bins = self.counts.len() as u64;
        self.loads += loads;
        self.hits += hits;
        let Some(bin) = (hits * bins).checked_div(loads) else {
            self.empty += 1;
            return;
        };
        if let Some(count) = self.counts.get_mut(bin.min(bins.saturating_sub(1)) as usize) {
            *count += 1;
        }
        let run = Extreme { hits, loads };
        if self.min.is_none_or(|min| run.is_below(&min)) {
            self.min = Some(run);
        }
        if self.max.is_none_or(|max| max.is_below(&run)) {
            self.max = Some(run);
        }
    }
}

/// One site over all runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SiteTally {
    /// Loads.
    pub l1_loads: u64,
    /// Loads that hit an L1.
    pub l1_hits: u64,
    /// Loads that came to the L2.
    pub l2_loads: u64,
    /// Loads that hit the L2.
    pub l2_hits: u64,
}
