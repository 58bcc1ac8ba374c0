//! LaPerm's queues.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::laperm::{Backup, Config, Entry, Kde, LaPerm, Section, TableSet, TableSizes, Tables, UnitQueue, Work};
use gpusched::{BuildError, Resources};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Entries = Vec<Entry<Work>>;
    type FreeWords = Vec<u64>;
    type Sections = Vec<Section>;
    type Units = Vec<UnitQueue>;
    type Smxs = Vec<Resources>;
    type Backups = Vec<Backup>;
    type Kdes = Vec<Kde>;
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &Config) -> Result<LaPerm<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    LaPerm::with_tables(config, tables(config))
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &Config) -> TableSet<HeapTables> {
    let sizes = TableSizes::of(config);
    TableSet {
        entries: vec![Entry::default(); sizes.entries],
        free_words: vec![0; sizes.free_words],
        sections: vec![Section::default(); sizes.sections],
        units: vec![UnitQueue::default(); sizes.units],
        smxs: vec![Resources::default(); sizes.smxs],
        backups: vec![Backup::default(); sizes.backups],
        kdes: vec![Kde::default(); sizes.kdes],
    }
}
