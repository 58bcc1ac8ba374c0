//! Homes for the tables of [`Apogee`](super::Apogee).

use super::config::ApogeeConfig;
use super::filter::{self, FilterBits};
use super::prefetch_table::{self, Bucket};
use super::queue::Run;
use super::row::Row;
use crate::base::home::tables;

tables! {
    /// Prefetch table: `entries`.
    TableRows rows: Row;
    /// Its index: a power of two.
    Buckets buckets: Bucket;
    /// Last accessed loads: `warps`, or one.
    LastLoads last_loads: Option<u32>;
    /// Prefetch queue: `pfq`.
    Runs runs: Run;
    /// Which lines wait in it: a power of two.
    Filters filter: FilterBits;
    /// Requests that wait, of each row and warp: `entries` x `warps`.
    Counts counts: u16;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &ApogeeConfig) -> Self {
        Self {
            rows: config.entries as usize,
            buckets: prefetch_table::buckets(config.entries) as usize,
            last_loads: config.lals() as usize,
            runs: config.pfq as usize,
            filter: filter::words(config.pfq) as usize,
            counts: config.entries as usize * config.warps as usize,
        }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::apogee::{Apogee, ApogeeConfig};
/// use gpusched::inline_apogee_tables;
///
/// const SMALL: ApogeeConfig = ApogeeConfig { entries: 16, pfq: 8, ..ApogeeConfig::APOGEE_4 };
/// inline_apogee_tables! {
///     /// A table of 16 rows.
///     pub struct Small = SMALL;
/// }
/// let machine = Apogee::<Small>::new(&SMALL).unwrap();
/// assert_eq!(machine, machine.clone());
/// ```
#[macro_export]
macro_rules! inline_apogee_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::apogee::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                TableRows rows: $crate::apogee::Row;
                Buckets buckets: $crate::apogee::Bucket;
                LastLoads last_loads: ::core::option::Option<u32>;
                Runs runs: $crate::apogee::Run;
                Filters filter: $crate::apogee::FilterBits;
                Counts counts: u16;
            }
        };
    };
}
