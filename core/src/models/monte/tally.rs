//! models-M6: what runs add up to.

use heapless::Vec;

/// Bins of a histogram at most.
pub const MAX_BINS: usize = 128;

/// Hits and loads of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Extreme {
    /// Hits.
    pub hits: u64,
    /// Loads; 0 if there is no such run.
    pub loads: u64,
}

impl Extreme {
    /// Whether its ratio is below another one's. Both numbers stay below 2^32.
    pub(super) fn is_below(&self, other: &Self) -> bool {
        self.hits * other.loads < other.hits * self.loads
    }
}

/// One level of the hierarchy over all runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tally {
    /// Loads.
    pub loads: u64,
    /// Loads that hit.
    pub hits: u64,
    /// The first run of the least ratio of hits.
    pub min: Extreme,
    /// The first run of the greatest ratio of hits.
    pub max: Extreme,
    /// Runs without loads.
    pub empty: u32,
    /// The fullest bin of the histogram, the lowest of several; 0 if all are empty.
    pub mode: u32,
    /// Whether some run had loads, and no two ratios of hits are further apart than `tol_permille`.
    pub reliable: bool,
}

/// What a level adds up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Sums {
    pub(super) loads: u64,
    pub(super) hits: u64,
    pub(super) empty: u32,
    pub(super) min: Option<Extreme>,
    pub(super) max: Option<Extreme>,
    /// A count per bin.
    pub(super) counts: Vec<u32, MAX_BINS>,
}

impl Sums {
    pub(super) fn new(bins: u32) -> Self {
        let mut counts = Vec::new();
        // A checked configuration has no more bins than there is room for.
        let _ = counts.resize((bins as usize).min(MAX_BINS), 0);
        Self { loads: 0, hits: 0, empty: 0, min: None, max: None, counts }
    }

    /// What a host sees.
    pub(super) fn tally(&self, tol_permille: u32) -> Tally {
        let &Self { loads, hits, empty, min, max, .. } = self;
        let (mode, reliable) = (self.mode(), self.reliable(tol_permille));
        Tally { loads, hits, min: min.unwrap_or_default(), max: max.unwrap_or_default(), empty, mode, reliable }
    }

    fn mode(&self) -> u32 {
        let mut fullest = (0, 0);
        for (bin, &count) in (0..).zip(&self.counts) {
            if count > fullest.1 {
                fullest = (bin, count);
            }
        }
        fullest.0
    }

    fn reliable(&self, tol_permille: u32) -> bool {
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
