//! The stochastic memory hierarchy.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::BuildError;
use gpusched::models::monte::{CacheSet, Monte, MonteConfig, SiteTally, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type L1Sets = Vec<CacheSet>;
    type L1Lines = Vec<u64>;
    type L2Sets = Vec<CacheSet>;
    type L2Lines = Vec<u64>;
    type Sites = Vec<SiteTally>;
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &MonteConfig) -> TableSet<HeapTables> {
    let TableSizes { l1_sets, l1_lines, l2_sets, l2_lines, sites } = TableSizes::of(config);
    TableSet {
        l1_sets: vec![CacheSet::default(); l1_sets],
        l1_lines: vec![0; l1_lines],
        l2_sets: vec![CacheSet::default(); l2_sets],
        l2_lines: vec![0; l2_lines],
        sites: vec![SiteTally::default(); sites],
    }
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &MonteConfig) -> Result<Monte<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    Monte::with_tables(config, tables(config))
}
