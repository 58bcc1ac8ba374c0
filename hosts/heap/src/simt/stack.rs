//! The reconvergence stack of a warp.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::BuildError;
use gpusched::simt::stack::{Entry, Stack, StackConfig, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Entries = Vec<Entry>;
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &StackConfig) -> TableSet<HeapTables> {
    TableSet { entries: vec![Entry::default(); TableSizes::of(config).entries] }
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &StackConfig) -> Result<Stack<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    Stack::with_tables(config, tables(config))
}
