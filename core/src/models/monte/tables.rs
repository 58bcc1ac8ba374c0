//! Homes for the tables of [`Monte`](super::Monte).

use super::cache::CacheSet;
use super::config::MonteConfig;
use super::tally::SiteTally;
use crate::base::home::tables;

tables! {
    /// Sets of the L1 of the SM whose turn it is: `l1_sets`.
    L1Sets l1_sets: CacheSet;
    /// Its lines: `l1_sets` x `l1_ways`.
    L1Lines l1_lines: u64;
    /// Sets of the L2: `l2_sets`.
    L2Sets l2_sets: CacheSet;
    /// Its lines: `l2_sets` x `l2_ways`.
    L2Lines l2_lines: u64;
    /// Sites: `sites`.
    Sites sites: SiteTally;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &MonteConfig) -> Self {
        Self {
            l1_sets: config.l1_sets as usize,
            l1_lines: config.l1_sets as usize * config.l1_ways as usize,
            l2_sets: config.l2_sets as usize,
            l2_lines: config.l2_sets as usize * config.l2_ways as usize,
            sites: config.sites as usize,
        }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::inline_monte_tables;
/// use gpusched::models::monte::{Monte, MonteConfig};
///
/// inline_monte_tables! {
///     /// Caches of a GTX 480.
///     pub struct Gtx480 = MonteConfig::GTX480;
/// }
/// let monte = Monte::<Gtx480>::new(&MonteConfig::GTX480).unwrap();
/// assert_eq!(monte, monte.clone());
/// ```
#[macro_export]
macro_rules! inline_monte_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::models::monte::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                L1Sets l1_sets: $crate::models::monte::CacheSet;
                L1Lines l1_lines: u64;
                L2Sets l2_sets: $crate::models::monte::CacheSet;
                L2Lines l2_lines: u64;
                Sites sites: $crate::models::monte::SiteTally;
            }
        };
    };
}
