//! Mascar's re-execution queue.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::BuildError;
use gpusched::mascar::{Entry, Mascar, MascarConfig, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Rexq = Vec<Entry>;
}

/// Tables with exactly the rows that `config` needs.
#[must_use]
pub fn tables(config: &MascarConfig) -> TableSet<HeapTables> {
    let TableSizes { rexq } = TableSizes::of(config);
    TableSet { rexq: vec![Entry::default(); rexq] }
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &MascarConfig) -> Result<Mascar<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    Mascar::with_tables(config, tables(config))
}
