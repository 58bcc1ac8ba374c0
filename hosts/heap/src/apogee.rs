//! The prefetcher of one SM.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::BuildError;
use gpusched::apogee::{Apogee, ApogeeConfig, Bucket, FilterBits, Row, Run, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type TableRows = Vec<Row>;
    type Buckets = Vec<Bucket>;
    type LastLoads = Vec<Option<u32>>;
    type Runs = Vec<Run>;
    type Filters = Vec<FilterBits>;
    type Counts = Vec<u16>;
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &ApogeeConfig) -> TableSet<HeapTables> {
    let TableSizes { rows, buckets, last_loads, runs, filter, counts } = TableSizes::of(config);
    TableSet {
        rows: vec![Row::default(); rows],
        buckets: vec![Bucket::default(); buckets],
        last_loads: vec![None; last_loads],
        runs: vec![Run::default(); runs],
        filter: vec![FilterBits::default(); filter],
        counts: vec![0; counts],
    }
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &ApogeeConfig) -> Result<Apogee<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    Apogee::with_tables(config, tables(config))
}
